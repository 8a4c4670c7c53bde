(** 11.11 [gaussian], 11.12 [gaussian-mixture], 11.13 [gaussian-mesh], and 11.1 [trivial] for
    Gaussian mechanisms.

    The rest of this file knows three facts about the profile [G]: it lies between 0 and 1, is
    positive for mu > 0, and has tangents in e^epsilon ([profile_tangent]).  Two statements about
    privacy are premises here: [gaussian_composes], proved in GaussianComposition.v, and
    [gaussian_attains], proved in GaussianAttainment.v. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Reals.
From ExactDP Require Import Rules RulesFixedPoint Notions Failures.
From ExactDP Require Normal ProfileShape.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The profile; for mu = 0 that of two equal distributions. *)
Definition G (mu epsilon : R) : R :=
  (if 0 < mu then Normal.profile mu epsilon else pos (1 - exp epsilon))%R.
Global Arguments G _%R _%R.

Section Profile.
Variable mu : R.

Lemma G_gt0 epsilon : 0 < mu -> 0 < G mu epsilon.
Proof. by move=> m0; rewrite /G m0; apply/RltP/ProfileShape.profile_pos/RltP. Qed.

Lemma G_ge0 epsilon : 0 <= G mu epsilon.
Proof. by case: (boolP (0 < mu)) => [/(G_gt0 epsilon)/ltW //|/negbTE m0]; rewrite /G m0 pos_ge0. Qed.

Lemma G_le1 epsilon : G mu epsilon <= 1.
Proof.
rewrite /G; case: ifP => [/RltP m0|_]; first by apply/RleP/Rlt_le/ProfileShape.profile_lt1.
by rewrite pos_le ?ler01 // ler_subl_addr ler_addl ltW // exp_gt0.
Qed.

Lemma G_tangent e0 : exists k, [/\ 0 <= k, G mu e0 + k * exp e0 <= 1 &
  forall e, G mu e0 - k * (exp e - exp e0) <= G mu e].
Proof.
rewrite /G; case: ifP => [/RltP m0|_].
  have inside x : 0 < Normal.Phi x < 1 by apply/andP; split; apply/RltP; case: (ProfileShape.Phi_inside x).
  exists (ProfileShape.slope mu e0); split; first by case/andP: (inside (- (mu / 2) - e0 / mu)%coqR) => /ltW.
    have -> : Normal.profile mu e0 + ProfileShape.slope mu e0 * exp e0 = Normal.Phi (mu / 2 - e0 / mu)%coqR.
      by rewrite /Normal.profile /ProfileShape.slope; set a := Normal.Phi _; set b := Normal.Phi _;
        rewrite RminusE RmultE mulrC subrK.
    by case/andP: (inside (mu / 2 - e0 / mu)%coqR) => _ /ltW.
  by move=> e; apply/RleP; exact: ProfileShape.profile_tangent.
case: (lerP (exp e0) 1) => h.
  exists 1; rewrite ler01 mul1r [X in X + _]pos_id ?subr_ge0 // subrK lexx; split=> // e.
  by rewrite mul1r pos_id ?subr_ge0 // opprB addrA subrK le_pos.
have z : pos (1 - exp e0) = 0 by rewrite pos_0 // subr_le0 ltW.
by exists 0; rewrite lexx z mul0r addr0 ler01; split=> // e; rewrite mul0r subr0 pos_ge0.
Qed.
End Profile.

(** The parameters epsilon_i, and mu^2, where from below rho counts as mu^2 = 2 rho. *)
Definition epsilons_of (ns : seq notion) : seq R :=
  pmap (fun n => if n is Approximate epsilon _ then Some epsilon else None) ns.
Definition square (n : notion) : R := if n is Gaussian mu then mu ^+ 2 else 0.
Definition square_below (n : notion) : R := if n is Concentrated rho then rho *+ 2 else square n.
Definition total_mu (s : notion -> R) (ns : seq notion) : R := sqrt (\sum_(n <- ns) s n)%R.
Definition concentrated (n : notion) : bool := if n is Concentrated rho then rho != 0 else false.

(** Randomized responses one by one, with nothing to tell outcomes apart by. *)
Definition forget (_ _ : unit) := tt.
Definition responses (xs : seq R) := [seq rr_atoms (exp x) tt tt | x <- xs].

(** The mean of the profile at epsilon - L, where L = ln(p/q) is the privacy loss of randomized
    responses with parameters xs. *)
Definition mean_profile (mu : R) (xs : seq R) (epsilon : R) : R :=
  total forget tt (responses xs) (fun p q _ => p * G mu (epsilon - ln (p / q)%R)).
Global Arguments mean_profile _%R _ _%R.

(** The premises.  Composition: an adaptive composition of mu_i-GDP and epsilon_i-DP mechanisms
    is no more distinguishable than a normal distribution with mu^2 = sum of mu_i^2 beside
    randomized responses (Dong, Roth & Su, JRSSB 84(1), 2022, Theorem 2.10, Theorem 3.2 and
    Corollary 3.3; for randomized responses Kairouz, Oh & Viswanath, ICML 2015). *)
Definition gaussian_composes : Prop := forall ns (Y : finType) (P Q : Y -> R) epsilon,
  all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  mixed_composition G [seq unfailing n | n <- ns] P Q ->
  hockey_stick 1 (exp epsilon) P Q <= mean_profile (total_mu square ns) (epsilons_of ns) epsilon.

(** Attainment: randomized responses that fail with probability delta_i and Gaussian mechanisms do
    as badly; with mu^2 = 2 rho these are rho-zCDP (Bun & Steinke, TCC 2016-B, Proposition 1.6). *)
Definition gaussian_attains : Prop := forall ns epsilon delta, all proper_notion ns ->
  mixed_slack ns delta < mean_profile (total_mu square_below ns) (epsilons_of ns) epsilon ->
  mixed_lower G ns epsilon delta.

Section Mean.
Variables (mu epsilon : R).

Lemma mean_profile_permutation xs xs' : perm_eq xs xs' ->
  mean_profile mu xs epsilon = mean_profile mu xs' epsilon.
Proof.
by move=> p; apply: total_perm => //; [case|exact: perm_map].
Qed.

Lemma mean_gt0 xs : 0 < mu -> 0 < mean_profile mu xs epsilon.
Proof.
move=> mu0; rewrite /mean_profile.
suff h : forall g : R -> R -> R, (forall p q, 0 < p -> 0 < g p q) ->
    0 < total forget tt (responses xs) (fun p q _ => g p q).
  by apply: h => p q p0; rewrite mulr_gt0 // G_gt0.
elim: xs => [|x xs IH] g g0 /=; first exact: g0 ltr01.
have w : 0 < (1 + exp x)^-1 by rewrite invr_gt0 addr_gt0 ?ltr01 ?exp_gt0.
rewrite !big_cons big_nil addr0 /=; apply: addr_gt0.
  by apply: (IH (fun p q => g (exp x / (1 + exp x) * p) (1 / (1 + exp x) * q))) => p q p0;
    apply: g0; rewrite !mulr_gt0 ?exp_gt0.
by apply: (IH (fun p q => g (1 / (1 + exp x) * p) (exp x / (1 + exp x) * q))) => p q p0;
  apply: g0; rewrite !mulr_gt0 ?ltr01.
Qed.

(** Where the losses are values of keys: L = sum of values - 2 value s. *)
Section Keys.
Variables (K : eqType) (op : K -> K -> K) (e : K) (value : K -> R) (keys : seq K).
Hypotheses (value_e : value e = 0) (value_op : forall s s', value (op s s') = value s + value s').

Definition keyed := [seq rr_atoms (exp (value s)) e s | s <- keys].
Definition loss (s : K) : R := (\sum_(x <- keys) value x - value s *+ 2)%R.

Lemma mean_by_keys : mean_profile mu [seq value s | s <- keys] epsilon =
  total op e keyed (fun p _ s => p * G mu (epsilon - loss s)).
Proof.
rewrite /mean_profile /loss /keyed /responses.
suff h : forall (F : R -> R -> R), (forall p q, p = 0 -> F p q = 0) ->
    total forget tt [seq rr_atoms (exp x) tt tt | x <- [seq value s | s <- keys]] (fun p q _ => F p q) =
    total op e [seq rr_atoms (exp (value s)) e s | s <- keys]
      (fun p _ s => F p (p * exp (value s *+ 2 - \sum_(x <- keys) value x))).
  rewrite h => [|p q ->]; last by rewrite mul0r.
  apply: eq_total => p q s; case: (eqVneq p 0) => [->|p0]; first by rewrite !mul0r.
  congr (_ * G mu (_ - _)); rewrite invfM mulrA divff // mul1r -expN opprB; exact: ln_exp.
elim: keys => [|k ks IH] F F0 /=.
  by rewrite big_nil value_e mul0rn subr0 exp_0 mulr1.
have exps s' s : exp (value (op s' s) *+ 2 - (value k + \sum_(x <- ks) value x)) =
    exp (value s' *+ 2 - value k) * exp (value s *+ 2 - \sum_(x <- ks) value x).
  by rewrite -expD value_op mulrnDl opprD addrACA.
have E0 := exp_neq0 (value k).
have E1 : 1 + exp (value k) != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
rewrite !big_cons !big_nil !addr0 /=; congr (_ + _).
  rewrite (IH (fun p q => F (exp (value k) / (1 + exp (value k)) * p) (1 / (1 + exp (value k)) * q))).
    apply: eq_total => p q s; rewrite exps value_e mul0rn sub0r expN; congr F.
    by field; rewrite E0 E1.
  by move=> p q ->; rewrite F0 // mulr0.
rewrite (IH (fun p q => F (1 / (1 + exp (value k)) * p) (exp (value k) / (1 + exp (value k)) * q))).
  apply: eq_total => p q s; rewrite exps mulr2n addrK; congr F.
  by field; rewrite E1.
by move=> p q ->; rewrite F0 // mulr0.
Qed.
End Keys.
End Mean.

Lemma permutation_parts ns ns' : Permutation ns ns' ->
  perm_eq (epsilons_of ns) (epsilons_of ns') /\
  forall F : notion -> R, \sum_(n <- ns) F n = \sum_(n <- ns') F n.
Proof.
elim=> [|n {}ns {}ns' _ [p e]|n n' {}ns|n1 n2 n3 _ [p e] _ [p' e']].
- by split.
- by split=> [|F]; [case: n => //= x _; rewrite perm_cons|rewrite !big_cons e].
- split=> [|F]; last by rewrite !big_cons addrCA.
  by case: n n' => [x d|?|?] [x' d'|?|?] //=; apply/permPl; exact: (perm_catCA [:: x'] [:: x]).
- by split=> [|F]; [exact: perm_trans p p'|rewrite e e'].
Qed.

Section Rules.
Variables (ns : seq notion) (epsilon delta : R).
Hypothesis P : all proper_notion ns.

Lemma upper_of_mean : gaussian_composes -> all (fun n => ~~ concentrated n) ns ->
  mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta ->
  mixed_upper G ns epsilon delta.
Proof.
move=> composes below h; apply: mixed_upper_apart => // ns' p Y P1 Q1 C; apply: le_trans h.
have [pe e] := permutation_parts p.
rewrite (mean_profile_permutation _ _ pe) /total_mu e.
by apply: composes C; rewrite -(all_permutation _ p).
Qed.

(** 11.11 [gaussian]: no mechanism has an epsilon above 0.  [glo] and [ghi] bound the profile. *)
Lemma mean_without_losses mu : all (fun x => x == 0) (epsilons_of ns) ->
  mean_profile mu (epsilons_of ns) epsilon = G mu epsilon.
Proof.
move=> zeros; have -> : epsilons_of ns = [seq 0 | _ <- nseq (size (epsilons_of ns)) tt].
  by rewrite map_nseq; exact/all_pred1P.
rewrite (@mean_by_keys _ _ _ forget tt (fun=> 0)) ?addr0 //.
have -> : G mu epsilon = G mu epsilon * 1 by rewrite mulr1.
rewrite -(@atoms_total _ forget tt (fun=> 0) (nseq (size (epsilons_of ns)) tt)) -totalZ.
by apply: eq_total => p _ s; rewrite /loss big1 // mul0rn !subr0 mulrC.
Qed.

Section Integers.
Variables (B glo ghi dlo dhi : Z).
Hypothesis B0 : Z.lt 0 B.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma rule_gaussian_mean : all (fun x => x == 0) (epsilons_of ns) ->
  IZR B * G (total_mu square ns) epsilon <= IZR ghi -> IZR dlo <= IZR B * mixed_slack ns delta ->
  Z.le ghi dlo -> mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta.
Proof.
move=> zeros g d /Z.leb_le; rewrite -IZR_le_iff => check.
by rewrite mean_without_losses // -(ler_pmul2l B0'); exact: le_trans g (le_trans check d).
Qed.

Theorem rule_gaussian_upper : gaussian_composes -> all (fun n => ~~ concentrated n) ns ->
  all (fun x => x == 0) (epsilons_of ns) ->
  IZR B * G (total_mu square ns) epsilon <= IZR ghi -> IZR dlo <= IZR B * mixed_slack ns delta ->
  Z.le ghi dlo -> mixed_upper G ns epsilon delta.
Proof. by move=> composes below zeros g d check; apply: upper_of_mean => //; exact: rule_gaussian_mean g d check. Qed.

Theorem rule_gaussian_lower : gaussian_attains -> all (fun x => x == 0) (epsilons_of ns) ->
  IZR glo <= IZR B * G (total_mu square_below ns) epsilon -> IZR B * mixed_slack ns delta <= IZR dhi ->
  Z.lt dhi glo -> mixed_lower G ns epsilon delta.
Proof.
move=> attains zeros g d /Z.ltb_lt; rewrite -IZR_lt_iff => check.
apply: attains => //; rewrite mean_without_losses // -(ltr_pmul2l B0').
exact: le_lt_trans d (lt_le_trans check g).
Qed.
End Integers.

(** 11.1 [trivial], for every epsilon, where some mu or rho is positive. *)
Theorem rule_infeasible_noise : gaussian_attains -> 0 < \sum_(n <- ns) square_below n ->
  \prod_(n <- ns) (1 - failure n) <= 1 - delta -> mixed_lower G ns epsilon delta.
Proof.
move=> attains noise d; apply: attains => //; apply: (@le_lt_trans _ _ 0).
  by rewrite /mixed_slack subr_le0 ler_pdivl_mulr ?mul1r // mixed_kept_gt0.
have mu0 : 0 < total_mu square_below ns by apply/RltP/sqrt_lt_R0/RltP.
exact: mean_gt0.
Qed.
End Rules.
