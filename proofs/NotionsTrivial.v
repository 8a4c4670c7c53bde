(** A mechanism whose mu or rho is 0 is (0, 0)-DP, and changes nothing (SPEC, section 7.3).

    So the statements about a ledger of (epsilon_i, delta_i) carry over to one that holds such
    mechanisms besides: this is why rules of the first notion allow them. *)
From Coq Require Import Reals ZArith Permutation Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules Notions Failures.
From ExactDP Require Import Powers Moments NormalMoments RulesGaussian RuleRationalOdds.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition trivial (n : notion) : bool :=
  match n with
  | Approximate _ _ => false
  | Gaussian mu => mu == 0
  | Concentrated rho => rho == 0
  end.
Definition of_first_notion (n : notion) : bool := if n is Approximate _ _ then true else trivial n.

(** The parameters of those given by them, and of all. *)
Definition pairs_of (ns : seq notion) : ledger :=
  pmap (fun n => if n is Approximate epsilon delta then Some (epsilon, delta) else None) ns.
Definition as_pair (n : notion) := if n is Approximate epsilon delta then (epsilon, delta) else (0, 0).

Lemma trivial_dp n (Y : finType) (P Q : Y -> R) : trivial n -> satisfies G n P Q ->
  satisfies G (Approximate 0 0) P Q.
Proof.
case: n => [//|mu /eqP -> [dP dQ h]|rho /eqP -> [dP dQ h]]; split=> //.
  by have := h 0; rewrite /G ltxx exp_0 subrr pos_id.
have half (P' Q' : Y -> R) : distribution P' -> distribution Q' ->
    (forall a : R, 1 < a -> moment_at_most a (exp (a * (a - 1) * 0)) P' Q') -> hockey_stick 1 (exp 0) P' Q' <= 0.
  move=> dP' dQ' m; apply/RleP; apply: (@vanishing _ _ 1 2) => [|t t0 t2]; first lra.
  have t1 : (1 < t)%coqR by lra.
  have a1 : 1 < t by exact/RltP.
  have := moment_divergence a1 0 dP' dQ' (m t a1); rewrite !mulr0 add0r exp_0 mulr1 => /RleP d.
  rewrite Rplus_0_l Rmult_1_l; apply: Rle_trans d _.
  rewrite -{2}(exp_ln t t0) -exp_Ropp; apply/RleP; rewrite exp_le; apply/RleP.
  exact: log_conversion_le.
by split; apply/events_hockey_stick; apply: half => // a a1; case: (h a a1).
Qed.

Lemma composition_trivial ns (Y : finType) (P Q : Y -> R) : all of_first_notion ns ->
  mixed_composition G ns P Q -> mixed_composition G (approximate [seq as_pair n | n <- ns]) P Q.
Proof.
move=> + C; elim: C => {ns Y P Q} [|n ns Y Z P Q P' Q' h _ IH] /=; first by move=> _; exact: MixedNil.
case/andP=> w /IH {}IH; apply: MixedCons => //.
by case: n w h => [e d|mu|rho] w // /(trivial_dp w).
Qed.

Section Statements.
Variables (ns : seq notion) (epsilon delta : R).
Hypotheses (F : all of_first_notion ns) (W : all proper_notion ns).

Lemma pairs_proper : proper (pairs_of ns) /\ proper [seq as_pair n | n <- ns].
Proof.
rewrite /proper; elim: ns W => //= n ns' IH /andP[w /IH[h1 h2]].
by case: n w => [e d /= w|mu _|rho _] /=; rewrite ?w ?h1 ?h2 ?lexx ?ltr01.
Qed.

Lemma pairs_kept : \prod_(p <- [seq as_pair n | n <- ns]) (1 - p.2) = \prod_(p <- pairs_of ns) (1 - p.2).
Proof.
elim: ns => //= n ns' IH; rewrite big_cons IH.
by case: n => [e d|mu|rho] /=; rewrite ?big_cons // subr0 mul1r.
Qed.

Lemma pairs_divergence y : divergence [seq exp e | e <- epsilons [seq as_pair n | n <- ns]] y =
  divergence [seq exp e | e <- epsilons (pairs_of ns)] y.
Proof.
have [p1 p2] := pairs_proper; rewrite -(divergence_filter _ (exps_ge0 p2)) -(divergence_filter _ (exps_ge0 p1)).
congr (divergence _ y); elim: (ns) => //= n ns' ->.
by case: n => [e d|mu|rho] //=; rewrite exp_0 eqxx.
Qed.

Theorem mixed_upper_trivial : upper (pairs_of ns) epsilon delta -> mixed_upper G ns epsilon delta.
Proof.
have [p1 p2] := pairs_proper; move/(upper_iff p1); rewrite /slack -pairs_kept -pairs_divergence.
move/(upper_iff p2)/(mixed_upper_approximate G _ _ p2) => h ns' p Y P Q C.
apply: h (composition_trivial _ C); last by rewrite -(all_permutation _ p).
by apply: Permutation_map; exact: Permutation_map.
Qed.

Lemma satisfies_unit n : trivial n -> satisfies G n (fun _ : unit => 1) (fun _ : unit => 1).
Proof.
have d : distribution (fun _ : unit => 1 : R).
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
case: n => [//|mu /eqP ->|rho /eqP ->]; split=> //.
  move=> e; have h : hockey_stick 1 (exp e) (fun _ : unit => 1) (fun _ : unit => 1) <= G 0 e.
    by rewrite /hockey_stick big_const card_unit /= !mulr1 addr0 /G ltxx.
  by split; apply/events_hockey_stick.
by move=> a a1; rewrite mulr0 exp_0; split; exact: moment_self.
Qed.

Lemma composition_prepend ts ns' (Y : finType) (P Q : Y -> R) : all trivial ts ->
  mixed_composition G ns' P Q -> exists (Z : finType) (P' Q' : Z -> R),
  mixed_composition G (ts ++ ns') P' Q' /\
  forall E d, indistinguishable E d P' Q' -> indistinguishable E d P Q.
Proof.
move=> + C; elim: ts => [_|n ts IH /andP[t /IH[Z [P' [Q' [C' h]]]]]]; first by exists Y, P, Q.
exists (prod_finType unit_finType Z), (fun p => 1 * P' p.2), (fun p => 1 * Q' p.2); split.
  exact: (@MixedCons G n _ _ _ _ _ (fun=> P') (fun=> Q') (satisfies_unit t)).
have same E (P1 Q1 : Z -> R) : hockey_stick 1 E (fun p : unit * Z => 1 * P1 p.2) (fun p => 1 * Q1 p.2) =
    hockey_stick 1 E P1 Q1.
  rewrite /hockey_stick -(pair_bigA _ (fun _ z => pos (1 * (1 * P1 z) - E * (1 * Q1 z)))) /=.
  by rewrite big_const card_unit /= addr0; apply: eq_bigr => z _; rewrite !mul1r.
move=> E d [/events_hockey_stick h1 /events_hockey_stick h2]; apply: h.
by split; apply/events_hockey_stick; rewrite -same.
Qed.

Lemma split_trivial : Permutation ns ([seq n <- ns | trivial n] ++ approximate (pairs_of ns)).
Proof.
elim: ns F => [_|n ns' IH /andP[f /IH {}IH]] //=.
case: n f => [e d|mu|rho] /= f; last 2 first.
- by rewrite f; exact: perm_skip.
- by rewrite f; exact: perm_skip.
by apply: Permutation_trans (Permutation_middle _ _ _); exact: perm_skip.
Qed.

Theorem mixed_lower_trivial : lower (pairs_of ns) epsilon delta -> mixed_lower G ns epsilon delta.
Proof.
case=> Y [P [Q [/(composition_approximate G) C n]]].
have [|Z [P' [Q' [C' h]]]] := composition_prepend (ts := [seq n <- ns | trivial n]) _ C.
  exact: filter_all.
exists ([seq n <- ns | trivial n] ++ approximate (pairs_of ns)); split; first exact: split_trivial.
by exists Z, P', Q'; split=> // /h.
Qed.
End Statements.

(** 11.1 [trivial], from above, for all notions. *)
Theorem rule_vacuous_mixed ns epsilon : mixed_upper G ns epsilon 1.
Proof.
move=> ns' _ Y P Q C; have [dP dQ] := mixed_composition_distribution C.
by split; apply/events_hockey_stick; apply: hockey_stick_le1 => //; exact: ltW (exp_gt0 _).
Qed.

(** For the subjects of the checker. *)
Section Checker.
Variables (f : effort) (m : mixed_subject) (epsilon delta : R).
Hypotheses (ok : mixed_ok f m).
Hypothesis zero : all (fun l => Z.eqb (level_above l) 0) (gaussians m ++ concentrates m).

Let levels_zero n ls : all (fun l => Z.eqb (level_above l) 0) ls -> (forall x : R, x = 0 -> trivial (n x)) ->
  all trivial (levels n ls).
Proof.
move=> z h; rewrite /levels; elim: ls z => //= l ls IH /andP[/Z.eqb_eq e /IH {}IH].
by rewrite all_cat all_nseq IH h ?orbT // /level_of /fraction e mul0r.
Qed.

Lemma subject_first_notion : all of_first_notion (notions_of m) /\
  pairs_of (notions_of m) = ledger_of (approximates m).
Proof.
move: zero; rewrite all_cat => /andP[zg zc].
have tg : all trivial (levels Gaussian (gaussians m)) by apply: levels_zero => // x ->; rewrite /= eqxx.
have tc : all trivial (levels Concentrated (concentrates m)) by apply: levels_zero => // x ->; rewrite /= eqxx.
have weaken s : all trivial s -> all of_first_notion s by apply: sub_all => -[].
have none s : all trivial s -> pairs_of s = [::] by elim: s => //= -[] //= x s IH /andP[_ /IH].
split; first by rewrite /notions_of !all_cat (weaken _ tg) (weaken _ tc) !andbT /approximate all_map; exact/allP.
rewrite /pairs_of /notions_of !pmap_cat -!/(pairs_of _) (none _ tg) (none _ tc) !cats0 /approximate.
by elim: (ledger_of _) => //= -[x d] L {2}<-.
Qed.

Theorem subject_upper_trivial : upper (ledger_of (approximates m)) epsilon delta ->
  mixed_upper G (notions_of m) epsilon delta.
Proof.
have [F e] := subject_first_notion; rewrite -e; apply: mixed_upper_trivial => //.
exact: notions_proper ok.
Qed.

Theorem subject_lower_trivial : lower (ledger_of (approximates m)) epsilon delta ->
  mixed_lower G (notions_of m) epsilon delta.
Proof. by have [F e] := subject_first_notion; rewrite -e; exact: mixed_lower_trivial. Qed.
End Checker.
