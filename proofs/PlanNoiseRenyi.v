(** A plan for the rule `noise-renyi` (SPEC, 13.3): at how many bits the verified check is to work. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateNoise CertificateNoiseRules CertificateNoiseTests.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanConversions PlanNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** What is known of Laplace noise and of samples are profiles, or events. *)
Definition none_by_profile (N : noise_ledger) : planned unit :=
  let known_elsewhere family :=
    Refused ("mechanisms given by " ++ family ++ " are known to this checker by their profiles alone") in
  if ~~ none_of (laplaced N) then known_elsewhere "laplace"
  else if ~~ none_of (samples N) then known_elsewhere "rate"
  else Planned tt.

Definition how_many_by_noise (N : noise_ledger) : Z := sum_over snd (counted N).

Definition plan_noise_renyi (_ : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only [:: "alpha"; "digits"] own in
  let* alpha := alpha_in own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper] b in
  let* _ := none_by_profile N in
  let* epsilon := finite b in
  let* p := problem_of (standing_in N) [:: epsilon] in
  let* f := at_least 96 p in
  let bits := (bits_for digits + 60 + 2 * numbits (how_many_by_noise N))%coqZ in
  Planned [:: NoiseRenyi f (numbered_by p) bits (order_from alpha)].
