(** Mechanisms given by their noise as entries of a sum of Rényi divergences of one order: as in
    NoiseLedgers.v, with the divergence of Laplace noise in closed form (LaplaceMoments.v), with discrete
    Gaussian noise of variance v that is moved by s as (s^2/2v)-concentrated (BellMoments.v), and with the
    divergences of samples, of whole order, as sums (SampledNoise.v). *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian RulesNoiseRenyi NoiseLedgers NoiseOrder LaplacePairs LaplaceMoments BellMoments.
From ExactDP Require Import SampledMoments SampledNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The order as a whole number, if it is one. *)
Definition whole_order (a : R) : nat := Z.to_nat (Int_part a).

Lemma whole_orderE n : whole_order n%:R = n.
Proof. by rewrite /whole_order -INRE Int_part_INR Nat2Z.id. Qed.

Definition sides_known (s : sides) : bool := if s is WithEither then false else true.
Definition entry_at (a : R) (n : noise) : noise_entry :=
  match n with
  | OfLaplace b => Known (ln (laplace_moment a b))
  | OfSample _ q c => Known (ln (sample_moment q c (whole_order a)))
  | OfDiscreteGaussian v s => Stated (Concentrated (s%:R ^+ 2 / (2%:R * v)))
  | _ => entry_of a n
  end.
Definition entry_proper (a : R) (n : noise) : bool :=
  match n with
  | OfLaplace b => 0 < b
  | OfSample s q c => [&& (whole_order a)%:R == a, sides_known s, 0 < q, q < 1 & sampled_proper c]
  | OfDiscreteGaussian v _ => 0 < v
  | _ => noise_proper n
  end.

Lemma laplace_moment_gt0 (al a : R) : 1 < al -> 0 < laplace_moment al a.
Proof.
move=> al1; have al0 : 0 < al := lt_trans ltr01 al1; have b0 := exp_gt0.
have d0 : 0 < 2%:R * al - 1.
  have -> : 2%:R * al - 1 = al + (al - 1) by rewrite mulr_natl mulr2n addrA.
  by rewrite addr_gt0 ?subr_gt0.
by rewrite /laplace_moment divr_gt0 // addr_gt0 // mulr_gt0 ?subr_gt0.
Qed.

Lemma has_noise_entry_at a n (Y : finType) (P Q : Y -> R) : 1 < a -> entry_proper a n -> has_noise n P Q ->
  of_entry a (entry_at a n) P Q.
Proof.
case: n => [m|os|e|decay shift|b|t|s q c|v s|v n s] a1 w h; try exact: has_noise_entry.
  have [dP dQ _] := h; have m := laplace_has_moment a1 w h; split=> //=.
  by rewrite /has_moments lnK ?laplace_moment_gt0.
  have [dP dQ _] := h; have /and5P[/eqP e /= s' q0 q1 c0] := w; split=> //=.
  have k1 : (1 < whole_order a)%N by rewrite -(ltr1n [numDomainType of R]) e.
  rewrite lnK ?sample_moment_gt0 //; rewrite -{1}e; apply: sample_moments h => //.
  by case: (s) s'.
have [dP dQ [h1 h2]] := h; split=> //; split=> // alpha; exact: discrete_gaussian_concentrated.
Qed.

Lemma noisy_entries_at a ns (Y : finType) (P Q : Y -> R) : 1 < a -> all (entry_proper a) ns ->
  noisy_composition ns P Q -> noise_composition a (map (entry_at a) ns) P Q.
Proof.
move=> a1 W C; elim: C W => [_|n {}ns {}Y Z {}P {}Q P' Q' h _ IH /andP[w W]]; first exact: NoiseNil.
apply: NoiseCons => [|y]; first exact: has_noise_entry_at.
exact: IH.
Qed.

Lemma noise_ledger_by_entries_at (a : R) ns es epsilon delta : 1 < a -> all (entry_proper a) ns ->
  Permutation es (map (entry_at a) ns) -> noise_upper a es epsilon delta -> noisy_upper ns epsilon delta.
Proof.
move=> a1 W q up ns' p Y P Q C; apply: (up (map (entry_at a) ns')).
  exact: Permutation_trans q (Permutation_map _ p).
by apply: noisy_entries_at C => //; rewrite -(all_permutation _ p).
Qed.

(** What is asked of entries does not depend on their order. *)
Lemma entries_permutation (a : R) es es' delta : Permutation es es' ->
  [/\ all (proper_entry a) es = all (proper_entry a) es', noise_slack es delta = noise_slack es' delta &
      \sum_(e <- es) log_bound a e = \sum_(e <- es') log_bound a e].
Proof.
move=> p; have kept : noise_kept es = noise_kept es'.
  rewrite /noise_kept; elim: p => [|e l l' _ IH|e e' l|l1 l2 l3 _ IH _ IH'] //; last by rewrite IH.
    by rewrite !big_cons IH.
  by rewrite !big_cons mulrCA.
split; [|by rewrite /noise_slack kept|].
  elim: p {kept} => [|e l l' _ IH|e e' l|l1 l2 l3 _ IH _ IH'] //=; last by rewrite IH.
    by rewrite IH.
  by rewrite andbCA.
elim: p {kept} => [|e l l' _ IH|e e' l|l1 l2 l3 _ IH _ IH'] //; last by rewrite IH.
  by rewrite !big_cons IH.
by rewrite !big_cons addrCA.
Qed.
