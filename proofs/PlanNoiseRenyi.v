(** Plans for the rule `noise-renyi` (SPEC, 13.6): at how many bits the verified check is to add up
    Rényi divergences of an order. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import CertificateNoise CertificateNoiseRules.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanConversions PlanNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Local Open Scope Z_scope.

(** Of laws and ranges, shifts and divergences: all that stands for a mechanism by epsilon and delta, mu or
    rho, and what does not. *)
Definition how_many_by_noise (N : noise_ledger) : Z :=
  how_many (standing_in N) + sum_over snd (laplaced N) + sum_over snd (divergent N) + sum_over snd (tabled N).

(** What is known of samples is not of this kind. *)
Definition known_here (entries : seq entry_alone) : planned unit :=
  let unknown family :=
    Refused ("mechanisms given by " ++ family ++ " are not known to this checker by this rule")%string in
  if has is_sampled entries then unknown "rate" else Planned tt.

Definition plan_noise_renyi (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only [:: "alpha"; "digits"] own in
  let* alpha := alpha_in own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper] b in
  let* epsilon := finite b in
  let* _ := known_here entries in
  let* p := problem_of (standing_in N) [:: epsilon] in
  let* f := at_least 96 p in
  let bits := bits_for digits + 60 + 2 * numbits (how_many_by_noise N) in
  Planned [:: NoiseRenyi f (numbered_by p) bits (order_from alpha)].
