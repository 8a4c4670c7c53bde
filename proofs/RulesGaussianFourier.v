(** 7.27, 7.28 [gaussian-fourier-upper], [gaussian-fourier-lower]: the trapezoid sum of RulesFourier.v for the
    privacy loss of randomized responses beside a Gaussian mechanism. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Notions Failures RulesGaussian RulesMixture FourierKernel LossLaws.
From ExactDP Require Import GaussianComposition GaussianAttainment RulesFourier.
From ExactDP Require MixtureSums CheckerMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma mean_monotone (mu mu' : R) es x : 0 <= mu -> mu <= mu' ->
  mean_profile mu es x <= mean_profile mu' es x.
Proof.
move=> m0 le; elim: es x => [|e es IH] x; first by rewrite !MixtureSums.mean_nil CheckerMixedWorkloads.G_monotone.
have w : 0 < 1 + exp (- e) by rewrite addr_gt0 ?ltr01 ?exp_gt0.
rewrite !mean_cons; apply: ler_add; apply: ler_wpmul2l => //.
  by rewrite invr_ge0 ltW.
by rewrite divr_ge0 ?ltW ?exp_gt0.
Qed.

Section Rules.
Variables (a s d : R) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R).
Hypotheses (a0 : 0 < a) (d0 : 0 < d) (s0 : 0 <= s) (s1 : s <= 1).

(** Gaussian mechanisms beside, mu from above. *)
Theorem rule_gaussian_fourier_upper ns mu x delta : all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  total_mu square ns <= mu -> swept a s mu d (responses (epsilons_of ns)) last kept small charge ->
  counts_all_periods a s mu d tangent -> from_above a s d last kept charge mu (responses (epsilons_of ns)) x <= mixed_slack ns delta ->
  mixed_upper G ns x delta.
Proof.
move=> P known_ones le h above check; apply: upper_of_mean => //; first exact: gaussian_composes_holds.
have m0 : 0 <= total_mu square ns by exact/RleP/sqrt_pos.
apply: le_trans (mean_monotone _ _ m0 le) (le_trans _ check).
rewrite -profile_of_responses.
exact: mean_from_above (le_trans m0 le) h above.
Qed.

(** From below mu^2 is at most the sum of all mu_i^2 and 2 rho_i. *)
Theorem rule_gaussian_fourier_lower ns mu l r x delta : all proper_notion ns -> 0 <= mu ->
  mu <= total_mu square_below ns -> a + 1 <= l -> 0 < r ->
  swept a s mu d (responses (epsilons_of ns)) last kept small charge -> counts_no_more a s mu d (parabola s) ->
  mixed_slack ns delta < from_below a s d last kept charge mu l r (responses (epsilons_of ns)) x -> mixed_lower G ns x delta.
Proof.
move=> P m0 le al r0 h below check; apply: gaussian_attains_holds => //.
apply: lt_le_trans check (le_trans _ (mean_monotone _ _ m0 le)).
rewrite -profile_of_responses.
exact: mean_from_below al r0 h below.
Qed.
End Rules.
