(** 11.9 [grid-fourier]: one period of the characteristic function of a law on a grid.

    A law is a list of weights with a place on the grid each.  The mean over n < m of its
    characteristic function at n/m of a full turn, times that of values g at the m residues, is the
    sum of its weights times g at the residues of their places: every place counts with all its
    aliases ([trapezoid_aliases]; complex numbers are pairs of reals).  Points at which the
    characteristic function is small may be passed over ([characteristic_bracket]).  For the tilted
    law of the privacy loss of composed randomized responses this bounds the divergence
    ([rule_grid_fourier_upper], [rule_grid_fourier_lower]). *)
From Coq Require Import Reals ZArith Lia Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Composition OptComp Reals Rules Turns.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Global Arguments turn _ _%Z.

Definition cosine (m n : nat) (k : Z) : R := cos (INR n * turn m k)%coqR.
Definition sine (m n : nat) (k : Z) : R := sin (INR n * turn m k)%coqR.

Lemma cosine_diff m n (j k : Z) : (0 < m)%N ->
  cosine m n (Z.sub j k) = cosine m n j * cosine m n k + sine m n j * sine m n k.
Proof.
move=> m0; rewrite /cosine /sine.
have -> : (INR n * turn m (Z.sub j k) = INR n * turn m j - INR n * turn m k)%coqR.
  by rewrite /turn minus_IZR; rewrite /Rdiv; lra.
exact: cos_minus.
Qed.

Lemma cosine_sum m (k : Z) : (0 < m)%N ->
  \sum_(n < m) cosine m n k = if Z.eqb (Z.modulo k (Z.of_nat m)) 0 then m%:R else 0.
Proof.
move=> m0; have same l (f : nat -> R) : \sum_(n < l) f n = sum_to f l.
  by elim: l => [|l IH]; rewrite ?big_ord0 ?big_ord_recr //= IH.
rewrite (same m (fun n => cosine m n k)); have -> : m%:R = INR m :> R by rewrite INRE.
by apply: roots_of_unity; apply/ssrnat.ltP.
Qed.

Lemma unit_circle m n (k : Z) : cosine m n k ^+ 2 + sine m n k ^+ 2 = 1.
Proof. by rewrite !expr2 addrC; exact: sin2_cos2. Qed.

(** --- laws on a grid --- *)

Definition law := seq (R * Z).
Implicit Types (T : law) (g : nat -> R).

(** The characteristic function at n/m of a full turn, and that of values at the residues. *)
Definition real_part m n T := \sum_(x <- T) x.1 * cosine m n x.2.
Definition imaginary_part m n T := \sum_(x <- T) x.1 * sine m n x.2.
Definition of_values m g : law := [seq (g k, Z.of_nat k) | k <- index_iota 0 m].
Definition term m g T n := real_part m n T * real_part m n (of_values m g) +
  imaginary_part m n T * imaginary_part m n (of_values m g).

Definition residue (m : nat) (k : Z) : nat := Z.to_nat (Z.modulo k (Z.of_nat m)).

Lemma residue_lt m k : (0 < m)%N -> (residue m k < m)%N.
Proof.
move=> /ssrnat.ltP m0; apply/ssrnat.ltP; rewrite /residue.
by have := Z.mod_pos_bound k (Z.of_nat m); lia.
Qed.

Lemma residue_of m k j : (j < m)%N ->
  Z.eqb (Z.modulo (Z.sub k (Z.of_nat j)) (Z.of_nat m)) 0 = (j == residue m k).
Proof.
move=> /ssrnat.ltP jm; have m0 : Z.lt 0 (Z.of_nat m) by lia.
have b := Z.mod_pos_bound k _ m0; apply/idP/eqP => [/Z.eqb_eq h|->]; last first.
  apply/Z.eqb_eq; rewrite /residue Z2Nat.id; last by case: b.
  by rewrite -Zminus_mod_idemp_l Z.sub_diag Z.mod_0_l; lia.
rewrite /residue; apply: Nat2Z.inj; rewrite Z2Nat.id; last by case: b.
move: h; rewrite -Zminus_mod_idemp_l => /Z.mod_divide[|q e]; first by lia.
by have q0 : q = Z0 by [nia]; lia.
Qed.

Lemma term_sums m g T n : (0 < m)%N ->
  term m g T n = \sum_(x <- T) x.1 * \sum_(k < m) g k * cosine m n (Z.sub x.2 (Z.of_nat k)).
Proof.
move=> m0; rewrite /term /real_part /imaginary_part !mulr_suml -big_split /=.
apply: eq_bigr => x _; rewrite -!mulrA -mulrDr; congr (_ * _).
rewrite /of_values !big_map /= !big_mkord !mulr_sumr -big_split /=.
by apply: eq_bigr => k _; rewrite cosine_diff //; ring.
Qed.

Theorem trapezoid_aliases m g T : (0 < m)%N ->
  \sum_(n < m) term m g T n = m%:R * \sum_(x <- T) x.1 * g (residue m x.2).
Proof.
move=> m0; rewrite [LHS](eq_bigr _ (fun (n : 'I_m) _ => term_sums g T n m0)).
rewrite exchange_big mulr_sumr /=; apply: eq_bigr => x _.
rewrite -mulr_sumr mulrCA; congr (_ * _); rewrite exchange_big /=.
rewrite (bigD1 (Ordinal (residue_lt x.2 m0))) //= -mulr_sumr cosine_sum //.
rewrite residue_of ?residue_lt // eqxx mulrC big1 ?addr0 // => k /eqP ne.
rewrite -mulr_sumr cosine_sum // residue_of //; case: eqP => [e|_]; last by rewrite mulr0.
by case: ne; apply: val_inj.
Qed.

(** --- what is passed over --- *)

Lemma rotated (x y c s : R) : c ^+ 2 + s ^+ 2 = 1 -> (x * c + y * s) ^+ 2 <= x ^+ 2 + y ^+ 2.
Proof.
move=> one; rewrite -subr_ge0 -[x ^+ 2 + _]mulr1 -one.
have -> : (x ^+ 2 + y ^+ 2) * (c ^+ 2 + s ^+ 2) - (x * c + y * s) ^+ 2 = (x * s - y * c) ^+ 2 by ring.
exact: sqr_ge0.
Qed.

Lemma small_term m g T n kappa : (forall k, 0 <= g k) -> 0 <= kappa ->
  real_part m n T ^+ 2 + imaginary_part m n T ^+ 2 <= kappa ^+ 2 ->
  `|term m g T n| <= kappa * \sum_(k < m) g k.
Proof.
move=> g0 k0 small; rewrite /term {2}/real_part {2}/imaginary_part /of_values !big_map.
rewrite !big_mkord /= !mulr_sumr -big_split /=.
apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => k _.
rewrite !(mulrCA _ (g k)) -mulrDr normrM (ger0_norm (g0 k)) [X in _ <= X]mulrC; apply: ler_wpmul2l => //.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE // real_normK ?num_real //.
by apply: le_trans small; apply: rotated; exact: unit_circle.
Qed.

(** The points that are not passed over, and what the others may add. *)
Theorem characteristic_bracket m g T kappa (kept : pred 'I_m) : (0 < m)%N -> (forall k, 0 <= g k) ->
  0 <= kappa -> (forall n : 'I_m, ~~ kept n ->
    real_part m n T ^+ 2 + imaginary_part m n T ^+ 2 <= kappa ^+ 2) ->
  `|\sum_(x <- T) x.1 * g (residue m x.2) - (\sum_(n < m | kept n) term m g T n) / m%:R| <=
  kappa * \sum_(k < m) g k.
Proof.
move=> m0 g0 k0 small; have mR : 0 < m%:R :> R by rewrite ltr0n.
set H := \sum_(k < m) g k; have H0 : 0 <= H by exact: sumr_ge0.
have -> : \sum_(x <- T) x.1 * g (residue m x.2) = (\sum_(n < m) term m g T n) / m%:R.
  by rewrite trapezoid_aliases // mulrC mulKf // gt_eqF.
rewrite (bigID kept) /= mulrDl addrAC subrr add0r normrM [X in _ * X]gtr0_norm ?invr_gt0 //.
rewrite ler_pdivr_mulr //; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_(n < m) kappa * H)); last by rewrite sumr_const card_ord mulr_natr.
rewrite [X in _ <= X](bigID kept) /= -[X in X <= _]add0r; apply: ler_add.
  by apply: sumr_ge0 => n _; exact: mulr_ge0.
by apply: ler_sum => n /small; exact: small_term.
Qed.

(** --- the privacy loss of composed randomized responses --- *)

Section Losses.
Variables (u a : R) (a0 : 0 < a).
Implicit Types (ks : seq Z) (k : Z) (x v : R).

Let theta := a + 2%:R^-1.
Definition loss k := u * IZR k.
Definition tilted k := exp (theta * loss k) / (exp (theta * loss k) + exp (- (theta * loss k))).

(** Under tilted odds; the place is the sum of the responses that go the other way. *)
Fixpoint tilted_law ks : law :=
  if ks is k :: ks' then
    [seq (tilted k * r.1, r.2) | r <- tilted_law ks'] ++
    [seq ((1 - tilted k) * r.1, Z.add k r.2) | r <- tilted_law ks']
  else [:: (1, Z0)].

Definition total ks := \sum_(k <- ks) loss k.
Definition loss_at ks (s : Z) := total ks - 2%:R * loss s.

(** What a privacy loss above epsilon by v counts, after the tilt. *)
Definition payoff v := exp (- (a * v)) * pos (1 - exp (- v)).
Local Arguments payoff _%R.
Definition weight k := exp (loss k / 2%:R) * (exp (theta * loss k) + exp (- (theta * loss k))).
Definition constant ks := \prod_(k <- ks) (weight k / (1 + exp (loss k))).
Definition mean_payoff ks x := \sum_(r <- tilted_law ks) r.1 * payoff (loss_at ks r.2 - x).

Lemma lossD k k' : loss (Z.add k k') = loss k + loss k'.
Proof. by rewrite /loss plus_IZR RplusE mulrDr. Qed.

Lemma tilted_ge0 k : 0 <= tilted k <= 1.
Proof.
have p := exp_gt0 (theta * loss k); have q := exp_gt0 (- (theta * loss k)).
apply/andP; split; first by apply: divr_ge0; apply: ltW => //; exact: addr_gt0.
by rewrite /tilted ler_pdivr_mulr ?addr_gt0 // mul1r ler_addl ltW.
Qed.

Lemma tilted_law_ge0 ks : all (fun r : R * Z => 0 <= r.1) (tilted_law ks).
Proof.
elim: ks => [|k ks /allP IH] /=; first by rewrite ler01.
have /andP[t0 t1] := tilted_ge0 k.
rewrite all_cat; apply/andP; split; apply/allP => _ /mapP[r /IH r0 ->] /=; rewrite mulr_ge0 // subr_ge0 //.
Qed.

Lemma subset_sum_tilted ks al be :
  subset_sum [seq exp (loss k) | k <- ks] (exp al) (exp be) =
  exp ((al + be) / 2%:R + theta * (al - be)) * (\prod_(k <- ks) weight k) *
    \sum_(r <- tilted_law ks) r.1 * payoff (al - be + loss_at ks r.2).
Proof.
elim: ks al be => [|k ks IH] al be.
  rewrite /= big_nil mulr1 big_seq1 mul1r.
  have -> : loss_at [::] Z0 = 0 by rewrite /loss_at /total big_nil /loss !mulr0 subr0.
  rewrite addr0.
  rewrite /payoff mulrA -expD.
  have -> : (al + be) / 2%:R + theta * (al - be) - a * (al - be) = al by rewrite /theta; field.
  by rewrite -posM ?(ltW (exp_gt0 _)) // mulrBr mulr1 -expD opprB (addrC al) subrK.
rewrite /= -!expD !IH big_cons big_cat !big_map /=.
set X := \prod_(j <- ks) weight j.
have same s v : v + loss_at (k :: ks) s = v + loss k + loss_at ks s.
  by rewrite /loss_at /total big_cons; ring.
have other s v : v + loss_at (k :: ks) (Z.add k s) = v - loss k + loss_at ks s.
  by rewrite /loss_at /total big_cons lossD; ring.
have p := exp_gt0 (theta * loss k); have q := exp_gt0 (- (theta * loss k)).
have pq : exp (theta * loss k) + exp (- (theta * loss k)) != 0 by rewrite gt_eqF ?addr_gt0.
under [X in _ = _ * (X + _)]eq_bigr => r _ do rewrite same -mulrA.
under [X in _ = _ * (_ + X)]eq_bigr => r _ do rewrite other -mulrA.
rewrite -!mulr_sumr.
have -> : al + loss k - be = al - be + loss k by ring.
have -> : al - (be + loss k) = al - be - loss k by ring.
set S1 := \sum_(_ <- _) _; set S2 := \sum_(_ <- _) _.
have -> : (al + loss k + be) / 2%:R + theta * (al - be + loss k) =
    (al + be) / 2%:R + theta * (al - be) + (loss k / 2%:R + theta * loss k) by field.
have -> : (al + (be + loss k)) / 2%:R + theta * (al - be - loss k) =
    (al + be) / 2%:R + theta * (al - be) + (loss k / 2%:R + - (theta * loss k)) by field.
rewrite !expD /weight /tilted.
move: (exp (theta * loss k)) (exp (- (theta * loss k))) pq => P Q pq; field.
exact: pq.
Qed.

Theorem divergence_tilted ks x :
  divergence [seq exp (loss k) | k <- ks] (exp x) = constant ks * exp (- (a * x)) * mean_payoff ks x.
Proof.
have one : exp 0 = 1 by exact: exp_0.
rewrite /divergence -[X in subset_sum _ X _]one subset_sum_tilted /constant /mean_payoff big_map.
have -> : (0 + x) / 2%:R + theta * (0 - x) = - (a * x) by rewrite /theta; field.
rewrite prodf_div.
have -> : \sum_(r <- tilted_law ks) r.1 * payoff (0 - x + loss_at ks r.2) =
    \sum_(r <- tilted_law ks) r.1 * payoff (loss_at ks r.2 - x).
  by apply: eq_bigr => r _; rewrite add0r addrC.
set v := (\prod_(k <- ks) (1 + exp (loss k)))^-1; set W := \prod_(k <- ks) weight k.
by move: (\sum_(r <- _) _) => S; ring.
Qed.
End Losses.
Global Arguments payoff _%R _%R.

(** How large the characteristic function of the tilted law is. *)
Lemma cosine_add m n (j k : Z) : (0 < m)%N ->
  cosine m n (Z.add j k) = cosine m n j * cosine m n k - sine m n j * sine m n k /\
  sine m n (Z.add j k) = sine m n j * cosine m n k + cosine m n j * sine m n k.
Proof.
move=> m0; rewrite /cosine /sine.
have -> : (INR n * turn m (Z.add j k) = INR n * turn m j + INR n * turn m k)%coqR.
  by rewrite /turn plus_IZR; rewrite /Rdiv; lra.
by split; [exact: cos_plus|exact: sin_plus].
Qed.

Theorem modulus_of_tilted u a m n ks : (0 < m)%N ->
  real_part m n (tilted_law u a ks) ^+ 2 + imaginary_part m n (tilted_law u a ks) ^+ 2 =
  \prod_(k <- ks) (1 - 2%:R * tilted u a k * (1 - tilted u a k) * (1 - cosine m n k)).
Proof.
move=> m0; elim: ks => [|k ks IH].
  by rewrite /real_part /imaginary_part !big_seq1 /= !mul1r big_nil; exact: unit_circle.
rewrite big_cons -IH /real_part /imaginary_part !big_cat !big_map /=.
set t := tilted u a k; set c := cosine m n k; set s := sine m n k.
set T := tilted_law u a ks.
have parts f : \sum_(r <- T) t * r.1 * f r.2 = t * \sum_(r <- T) r.1 * f r.2.
  by rewrite mulr_sumr; apply: eq_bigr => r _; rewrite mulrA.
have re : \sum_(r <- T) (1 - t) * r.1 * cosine m n (Z.add k r.2) =
    (1 - t) * (c * (\sum_(r <- T) r.1 * cosine m n r.2) - s * (\sum_(r <- T) r.1 * sine m n r.2)).
  rewrite !mulr_sumr -sumrB mulr_sumr; apply: eq_bigr => r _.
  by have [-> _] := cosine_add n k r.2 m0; rewrite -/c -/s; ring.
have im : \sum_(r <- T) (1 - t) * r.1 * sine m n (Z.add k r.2) =
    (1 - t) * (s * (\sum_(r <- T) r.1 * cosine m n r.2) + c * (\sum_(r <- T) r.1 * sine m n r.2)).
  rewrite !mulr_sumr -big_split mulr_sumr; apply: eq_bigr => r _ /=.
  by have [_ ->] := cosine_add n k r.2 m0; rewrite -/c -/s; ring.
rewrite !parts re im; set A := \sum_(r <- T) _; set B := \sum_(r <- T) _.
have e : s ^+ 2 = 1 - c ^+ 2 by rewrite -(unit_circle m n k) -/c -/s; ring.
have -> : (t * A + (1 - t) * (c * A - s * B)) ^+ 2 + (t * B + (1 - t) * (s * A + c * B)) ^+ 2 =
    (A ^+ 2 + B ^+ 2) * (t ^+ 2 + 2%:R * t * (1 - t) * c + (1 - t) ^+ 2 * (c ^+ 2 + s ^+ 2)) by ring.
by rewrite e; ring.
Qed.

(** --- the rule --- *)

Section Rule.
Variables (L : ledger) (u a x delta : R) (ks : seq Z) (m : nat) (g : nat -> R) (kappa : R).
Variable kept : pred 'I_m.
Let T := tilted_law u a ks.
Hypotheses (P : proper L) (on_grid : epsilons L = [seq loss u k | k <- ks]) (m0 : (0 < m)%N).
Hypotheses (g0 : forall k, 0 <= g k) (kappa0 : 0 <= kappa).
Hypothesis small : forall n : 'I_m, ~~ kept n ->
  real_part m n T ^+ 2 + imaginary_part m n T ^+ 2 <= kappa ^+ 2.

(** S, and what is passed over. *)
Let evaluated := (\sum_(n < m | kept n) term m g T n) / m%:R.
Let passed_over := kappa * \sum_(k < m) g k.

Lemma factor_gt0 : 0 < constant u a ks * exp (- (a * x)).
Proof.
rewrite mulr_gt0 ?exp_gt0 // /constant; apply: prodr_gt0 => k _.
apply: divr_gt0; last by rewrite addr_gt0 ?ltr01 ?exp_gt0.
by rewrite mulr_gt0 ?exp_gt0 // addr_gt0 ?exp_gt0.
Qed.

Lemma divergence_on_grid : divergence [seq exp e | e <- epsilons L] (exp x) =
  constant u a ks * exp (- (a * x)) * mean_payoff u a ks x.
Proof. by rewrite on_grid -map_comp; exact: divergence_tilted. Qed.

(** From above: at each place the values are at least what a loss there counts. *)
Theorem rule_grid_fourier_upper :
  (forall s, payoff a (loss_at u ks s - x) <= g (residue m s)) ->
  constant u a ks * exp (- (a * x)) * (evaluated + passed_over) <= slack L delta -> upper L x delta.
Proof.
move=> above le; apply/(upper_iff P); rewrite divergence_on_grid; apply: le_trans le.
rewrite ler_pmul2l ?factor_gt0 //.
have := characteristic_bracket m0 g0 kappa0 small; rewrite ler_norml => /andP[_].
rewrite ler_subl_addl; apply: le_trans; rewrite /mean_payoff big_seq [X in _ <= X]big_seq.
apply: ler_sum => r rT; apply: ler_wpmul2l; last exact: above.
exact: (allP (tilted_law_ge0 u a ks)).
Qed.

(** From below: what the values count too much, at the other places of each residue, is taken off. *)
Theorem rule_grid_fourier_lower aliases :
  \sum_(r <- T) r.1 * (g (residue m r.2) - payoff a (loss_at u ks r.2 - x)) <= aliases ->
  slack L delta < constant u a ks * exp (- (a * x)) * (evaluated - passed_over - aliases) ->
  lower L x delta.
Proof.
move=> few lt; apply/(lower_iff P); rewrite divergence_on_grid; apply: lt_le_trans lt _.
rewrite ler_pmul2l ?factor_gt0 //.
have := characteristic_bracket m0 g0 kappa0 small; rewrite ler_norml => /andP[low _].
rewrite ler_subl_addr; apply: (@le_trans _ _ (\sum_(r <- T) r.1 * g (residue m r.2))).
  by move: low; rewrite ler_subr_addr addrC.
rewrite -ler_subl_addl; apply: le_trans few; rewrite /mean_payoff -sumrB.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => r _; rewrite mulrBr.
Qed.
End Rule.

(** --- values that are at least what a loss counts --- *)

(** The sum of what losses v, v + p, v + 2p, ... count: two geometric series. *)
Definition folded (a p v : R) :=
  exp (- (a * v)) / (1 - exp (- (a * p))) - exp (- ((a + 1) * v)) / (1 - exp (- ((a + 1) * p))).

Global Arguments folded _%R _%R _%R.

Lemma rest_of_series (q : nat) (s t : R) : 0 <= s -> s <= t -> t < 1 ->
  0 <= (1 - s)^-1 - s ^+ q /\ (1 - s)^-1 - s ^+ q <= (1 - t)^-1 - t ^+ q.
Proof.
move=> s0 st t1; have t0 := le_trans s0 st; have s1 := le_lt_trans st t1.
have next (x : R) n : x < 1 -> (1 - x)^-1 - x ^+ n.+1 = 1 + x * ((1 - x)^-1 - x ^+ n).
  by move=> x1; rewrite exprS; field; rewrite subr_eq0 eq_sym lt_eqF.
elim: q => [|q [IH0 IH1]].
  rewrite !expr0; have inv1 (x : R) : 0 <= x -> x < 1 -> 1 <= (1 - x)^-1.
    by move=> x0 x1; rewrite invf_ge1 ?subr_gt0 // ler_subl_addr ler_addl.
  split; first by rewrite subr_ge0; exact: inv1.
  by rewrite ler_add2r lef_pinv ?posrE ?subr_gt0 // ler_add2l ler_opp2.
rewrite !next //; split; first by rewrite addr_ge0 ?ler01 ?mulr_ge0.
by rewrite ler_add2l ler_pmul.
Qed.

Lemma term_of_series (q : nat) (s t X Z : R) : 0 <= s -> s <= t -> t < 1 -> 0 <= Z -> Z <= X ->
  X * t ^+ q - Z * s ^+ q <= X / (1 - t) - Z / (1 - s).
Proof.
move=> s0 st t1 Z0 ZX; have [f0 f1] := rest_of_series q s0 st t1.
rewrite -subr_ge0.
have -> : X / (1 - t) - Z / (1 - s) - (X * t ^+ q - Z * s ^+ q) =
    X * ((1 - t)^-1 - t ^+ q) - Z * ((1 - s)^-1 - s ^+ q) by ring.
by rewrite subr_ge0 ler_pmul.
Qed.

Lemma exp_of_0 : exp 0 = 1 :> R.
Proof. exact: exp_0. Qed.

Lemma exp_times (n : nat) (x : R) : exp (n%:R * x) = exp x ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite mul0r expr0 exp_of_0.
by rewrite -addn1 natrD mulrDl mul1r expD IH addn1 exprSr.
Qed.

Section Folded.
Variables (a p : R).
Hypotheses (a0 : 0 < a) (p0 : 0 < p).

Let decays (c : R) : 0 < c -> exp (- (c * p)) < 1.
Proof.
by move=> c0; rewrite -[X in _ < X]exp_of_0 ltNge exp_le -ltNge oppr_lt0 mulr_gt0.
Qed.

Lemma folded_above (q : nat) (v : R) : 0 <= v -> payoff a (v + q%:R * p) <= folded a p v.
Proof.
move=> v0; have w0 : 0 <= v + q%:R * p by rewrite addr_ge0 // mulr_ge0 ?ler0n // ltW.
have -> : payoff a (v + q%:R * p) = exp (- (a * v)) * exp (- (a * p)) ^+ q -
    exp (- ((a + 1) * v)) * exp (- ((a + 1) * p)) ^+ q.
  rewrite /payoff pos_id; last by rewrite subr_ge0 -[X in _ <= X]exp_of_0 exp_le oppr_le0.
  rewrite mulrBr mulr1 -expD -!exp_times -!expD.
  by congr (exp _ - exp _); ring.
have le (c d w : R) : 0 <= w -> c <= d -> exp (- (d * w)) <= exp (- (c * w)).
  by move=> w0' cd; rewrite exp_le ler_opp2 ler_wpmul2r.
have a1 : a <= a + 1 by rewrite ler_addl ler01.
by apply: term_of_series; rewrite ?(ltW (exp_gt0 _)) ?le ?decays // ltW.
Qed.

Lemma folded_ge0 (v : R) : 0 <= v -> 0 <= folded a p v.
Proof.
move=> v0; apply: le_trans (folded_above 0 v0).
by rewrite /payoff mulr_ge0 ?pos_ge0 // ltW // exp_gt0.
Qed.
End Folded.

(** From the place of the least loss that is not below epsilon on, down by whole steps. *)
Definition folded_values (u a r : R) (m : nat) (first : Z) (k : nat) :=
  folded a (2%:R * u * m%:R) (r + 2%:R * u * (residue m (Z.sub first (Z.of_nat k)))%:R).

Theorem folded_values_above u a x ks m (first : Z) : 0 < u -> 0 < a -> (0 < m)%N ->
  let r := loss_at u ks first - x in 0 <= r -> r <= 2%:R * u ->
  forall s, payoff a (loss_at u ks s - x) <= folded_values u a r m first (residue m s).
Proof.
move=> u0 a0 m0 r r0 r1 s; have /ssrnat.ltP m0' := m0.
have u2 : 0 < 2%:R * u by rewrite mulr_gt0 ?ltr0n.
have p0 : 0 < 2%:R * u * m%:R by rewrite mulr_gt0 ?ltr0n.
have M0 : Z.lt 0 (Z.of_nat m) by lia.
have same : residue m (Z.sub first (Z.of_nat (residue m s))) = residue m (Z.sub first s).
  rewrite /residue Z2Nat.id; first by rewrite Zminus_mod_idemp_r.
  by have := Z.mod_pos_bound s _ M0; lia.
rewrite /folded_values same; set j := residue _ _.
have v0 : 0 <= r + 2%:R * u * j%:R by rewrite addr_ge0 // mulr_ge0 ?ler0n // ltW.
have -> : loss_at u ks s - x = r + 2%:R * u * IZR (Z.sub first s).
  by rewrite /r /loss_at /loss minus_IZR RminusE; ring.
have [neg|ge] := Z.lt_ge_cases (Z.sub first s) 0.
  apply: le_trans (folded_ge0 a0 p0 v0).
  have le : r + 2%:R * u * IZR (Z.sub first s) <= 0.
    have : IZR (Z.sub first s) <= IZR (Zneg 1) by apply/RleP; apply: IZR_le; lia.
    have -> : IZR (Zneg 1) = -1 :> R by [].
    move=> h; have {}h : 2%:R * u * IZR (Z.sub first s) <= 2%:R * u * -1 by rewrite ler_pmul2l.
    by apply: le_trans (ler_add r1 h) _; rewrite mulrN1 subrr.
  rewrite /payoff pos_0 ?mulr0 // subr_le0 -[X in X <= _]exp_of_0 exp_le oppr_ge0 //.
have := Z.div_mod (Z.sub first s) (Z.of_nat m); set q := Z.div _ _ => dm.
have q0 : Z.le 0 q by exact: Z.div_pos.
have -> : IZR (Z.sub first s) = (Z.to_nat q)%:R * m%:R + j%:R.
  have jE : Z.of_nat j = Z.modulo (Z.sub first s) (Z.of_nat m).
    by rewrite /j /residue Z2Nat.id //; have := Z.mod_pos_bound (Z.sub first s) _ M0; lia.
  have {}dm : Z.sub first s = Z.add (Z.mul (Z.of_nat (Z.to_nat q)) (Z.of_nat m)) (Z.of_nat j).
    by rewrite Z2Nat.id // jE; have := dm; lia.
  by rewrite [in LHS]dm plus_IZR mult_IZR -!INR_IZR_INZ !INRE.
have -> : r + 2%:R * u * ((Z.to_nat q)%:R * m%:R + j%:R) =
    r + 2%:R * u * j%:R + (Z.to_nat q)%:R * (2%:R * u * m%:R) by ring.
exact: folded_above.
Qed.
