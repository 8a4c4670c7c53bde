(** Ledgers with mechanisms that are given by more than their noise: what is shown of the noise that stands in
    for them is true of them. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesGaussian NoiseLedgers CorrelatedNoise Ratios.
From ExactDP Require Import CertificateNumbers CertificateStatements CertificateNoise CertificateFamilies.
From ExactDP Require Import CertificateSubjects CertificateNoiseRules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** What a bound says of them. *)
Definition families_hold (b : bound) (xs : seq family) : Prop :=
  bound_holds b (mechanisms_upper (mechanisms_of_families xs)) (mechanisms_lower (mechanisms_of_families xs)).

Definition rounds_up (b : bound) : bool := if bound_kind b is Upper then true else false.
Definition check_families (b : bound) (xs : seq family) (names : seq string) (h : noise_hint) : bool :=
  if standing_for_all (rounds_up b) xs is Some N then check_noise b N names h else false.

Theorem check_families_sound b xs names h : check_families b xs names h -> families_hold b xs.
Proof.
rewrite /check_families; case S: (standing_for_all _ xs) => [N|] // /check_noise_sound.
have [zs [e p may]] := standing_for_all_stands S; move: may.
rewrite /families_hold -e /holds /bound_holds /rounds_up /may_stand {e S}.
rewrite /at_epsilon; case: (bound_kind b) => may; case: (bound_epsilon b) => [e|] //.
- exact: stands_in_above may p.
- by move=> H e; exact: stands_in_above may p (H e).
- exact: stands_in_below may p.
by move=> H e; exact: stands_in_below may p (H e).
Qed.
