(** 7.19 [zcdp-pair]: the zero-concentrated mechanisms as one mechanism that is (epsilon, delta)-DP. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions Failures Powers Moments RulesGaussian RulesConcentrated.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition third (n : notion) : bool := if n is Concentrated _ then true else false.

(** What is assumed.  If all adaptive compositions of the mechanisms of the third notion are
    (e, d)-DP, they count as one (e, d)-DP mechanism beside the others, whatever their order: given
    the draws that simulate the others, what is left is such a composition (Dong, Roth & Su, JRSSB
    84(1), 2022, Theorem 2.10; Kairouz, Oh & Viswanath, ICML 2015). *)
Definition concentrated_as_pair : Prop := forall ns e d epsilon delta, all proper_notion ns ->
  mixed_upper G [seq n <- ns | third n] e d ->
  mixed_upper G (Approximate e d :: [seq n <- ns | ~~ third n]) epsilon delta ->
  mixed_upper G ns epsilon delta.

Lemma mixed_upper_permutation ns ns' epsilon delta : Permutation ns ns' ->
  mixed_upper G ns epsilon delta -> mixed_upper G ns' epsilon delta.
Proof. by move=> p h ns2 p2; apply: h; exact: Permutation_trans p p2. Qed.

Lemma mixed_kept_third ns : mixed_kept [seq n <- ns | third n] = 1.
Proof.
rewrite /mixed_kept; elim: ns => [|n ns IH] /=; first by rewrite big_nil.
by case: n => [e d|mu|rho] //=; rewrite big_cons IH subr0 mulr1.
Qed.

Theorem rule_zcdp_pair ns (a e d epsilon delta : R) : concentrated_as_pair -> all proper_notion ns ->
  1 < a -> exp (exponent (total_rho [seq n <- ns | third n]) e a) <= d ->
  mixed_upper G (Approximate e d :: [seq n <- ns | ~~ third n]) epsilon delta ->
  mixed_upper G ns epsilon delta.
Proof.
move=> assumed W a1 h; apply: assumed => //.
have d0 : 0 < d by apply: lt_le_trans h; exact: exp_gt0.
have slack : mixed_slack [seq n <- ns | third n] d = d.
  by rewrite /mixed_slack mixed_kept_third divr1 subKr.
apply: (rule_canonne_kamath_steinke _ a1); rewrite ?slack //; last by rewrite -exp_le lnK.
by rewrite all_filter; apply: sub_all W => n w; apply/implyP.
Qed.
