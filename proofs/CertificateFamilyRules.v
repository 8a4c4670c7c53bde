(** Ledgers with mechanisms that are given by more than their noise: what is shown of the noise that stands in
    for them is true of them. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesGaussian NoiseLedgers CorrelatedNoise Ratios.
From ExactDP Require Import CheckerNoise CertificateNumbers CertificateStatements CertificateNoise CertificateFamilies.
From ExactDP Require Import CertificateSubjects CheckCertificate CertificateNoiseRules NoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition rounds_up (b : bound) : bool := if bound_kind b is Upper then true else false.
Definition check_families (b : bound) (xs : seq family) (names : seq string) (h : noise_hint) : bool :=
  if standing_for_all (rounds_up b) xs is Some N then check_noise b N names h else false.

Theorem check_families_sound b xs names h : check_families b xs names h -> holds (OfFamilies b xs).
Proof.
rewrite /check_families; case S: (standing_for_all _ xs) => [N|] // /check_noise_sound.
have [zs [e p may]] := standing_for_all_stands S; move: may.
rewrite /holds -e /bound_holds /rounds_up /may_stand {e S}.
rewrite /at_epsilon; case: (bound_kind b) => may; case: (bound_epsilon b) => [e|] //.
- exact: stands_in_above may p.
- by move=> H e; exact: stands_in_above may p (H e).
- exact: stands_in_below may p.
by move=> H e; exact: stands_in_below may p (H e).
Qed.

(** --- where it is given by epsilon, delta, mu and rho alone --- *)

Lemma noisy_of_notions ms (Y : finType) (P Q : Y -> R) :
  noisy_composition (map OfNotion ms) P Q -> mixed_composition G ms P Q.
Proof.
move e : (map OfNotion ms) => ns C; elim: C ms e => {ns Y P Q} [|n ns Y Z P Q P' Q' h _ IH] [|m ms] //= e.
  exact: MixedNil.
case: e => e1 e2; apply: MixedCons => [|y]; last exact: IH.
by move: h; rewrite -e1 => -[].
Qed.
Lemma noisy_upper_of_notions ms epsilon delta : mixed_upper G ms epsilon delta -> noisy_upper (map OfNotion ms) epsilon delta.
Proof.
move=> up ns p Y P Q C; have [ms' [e p']] := Permutation_map_inv _ _ (Permutation_sym p).
rewrite e in C; apply: (up ms' p'); exact: noisy_of_notions C.
Qed.
Lemma noisy_lower_of_notions ms epsilon delta : mixed_lower G ms epsilon delta -> noisy_lower (map OfNotion ms) epsilon delta.
Proof.
move=> [ms' [p [Y [P [Q [C n]]]]]]; exists (map OfNotion ms'); split; first exact: Permutation_map.
by exists Y, P, Q; split=> //; exact: noisy_notions.
Qed.

Definition is_plain (N : noise_ledger) : bool :=
  [&& none_of (shifted N), none_of (laplaced N), none_of (ranged N), none_of (divergent N) &
      [&& none_of (tabled N), none_of (samples N), none_of (bells N) & none_of (batched N)]].
Lemma plain_noises N : is_plain N -> noises N = map OfNotion (notions (others N)).
Proof.
case/and5P=> /none_ofP a /none_ofP b /none_ofP c /none_ofP d /and4P[/none_ofP e /none_ofP f /none_ofP g /none_ofP h].
by rewrite /noises /notions !repeated_many !map_cat !map_many a b c d e f g h /= ?cats0 -?catA.
Qed.

Definition claim_about (b : bound) (N : noise_ledger) : claim :=
  Claim (bound_kind b) (bound_epsilon b) (bound_delta b) xH Adaptive (bound_theorem b) (others N).
Definition check_families_as_ledger (b : bound) (xs : seq family) (names : seq string) (s : suggestion) : bool :=
  if standing_for_all (rounds_up b) xs is Some N then is_plain N && check_claim (claim_about b N) names s else false.

Theorem check_families_as_ledger_sound b xs names s : bound_kind b <> Underivable ->
  check_families_as_ledger b xs names s -> holds (OfFamilies b xs).
Proof.
rewrite /check_families_as_ledger => K; case S: (standing_for_all _ xs) => [N|] // /andP[/plain_noises plain].
move/check_claim_sound; have [zs [e]] := standing_for_all_stands S; rewrite plain.
rewrite /holds -e /bound_holds /holds_of_ledger /holds_near /claim_about /rounds_up /may_stand /at_epsilon {e S plain} /=.
case: (bound_kind b) K => // _ p may; case: (bound_epsilon b) => [x|] H.
- exact: stands_in_above may p (noisy_upper_of_notions H).
- by move=> x; exact: stands_in_above may p (noisy_upper_of_notions (H x)).
- exact: stands_in_below may p (noisy_lower_of_notions H).
by move=> x; exact: stands_in_below may p (noisy_lower_of_notions (H x)).
Qed.
