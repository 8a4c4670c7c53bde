(** Mechanisms given by their noise as entries of a sum of Rényi divergences of one order: as in
    NoiseLedgers.v, with the divergence of Laplace noise in closed form (LaplaceMoments.v). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian RulesNoiseRenyi NoiseLedgers NoiseOrder LaplacePairs LaplaceMoments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition entry_at (a : R) (n : noise) : noise_entry :=
  if n is OfLaplace b then Known (ln (laplace_moment a b)) else entry_of a n.
Definition entry_proper (n : noise) : bool := if n is OfLaplace b then 0 < b else noise_proper n.

Lemma laplace_moment_gt0 (al a : R) : 1 < al -> 0 < laplace_moment al a.
Proof.
move=> al1; have al0 : 0 < al := lt_trans ltr01 al1; have b0 := exp_gt0.
have d0 : 0 < 2%:R * al - 1.
  have -> : 2%:R * al - 1 = al + (al - 1) by rewrite mulr_natl mulr2n addrA.
  by rewrite addr_gt0 ?subr_gt0.
by rewrite /laplace_moment divr_gt0 // addr_gt0 // mulr_gt0 ?subr_gt0.
Qed.

Lemma has_noise_entry_at a n (Y : finType) (P Q : Y -> R) : 1 < a -> entry_proper n -> has_noise n P Q ->
  of_entry a (entry_at a n) P Q.
Proof.
case: n => [m|os|e|decay shift|b|t|s q c|v s|s v n] a1 w h; try exact: has_noise_entry.
have [dP dQ _] := h; have m := laplace_has_moment a1 w h; split=> //=.
by rewrite /has_moments lnK ?laplace_moment_gt0.
Qed.

Lemma noisy_entries_at a ns (Y : finType) (P Q : Y -> R) : 1 < a -> all entry_proper ns ->
  noisy_composition ns P Q -> noise_composition a (map (entry_at a) ns) P Q.
Proof.
move=> a1 W C; elim: C W => [_|n {}ns {}Y Z {}P {}Q P' Q' h _ IH /andP[w W]]; first exact: NoiseNil.
apply: NoiseCons => [|y]; first exact: has_noise_entry_at.
exact: IH.
Qed.

Lemma noise_ledger_by_entries_at (a : R) ns es epsilon delta : 1 < a -> all entry_proper ns ->
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
