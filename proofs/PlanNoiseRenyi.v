(** Plans for the rule `moments` (SPEC, 11.14): at how many bits the verified check is to add up
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
  how_many (standing_in N) + sum_over snd (laplaced N) + sum_over snd (divergent N) + sum_over snd (tabled N) +
  sum_over snd (samples N).

(** A sample is known of whole orders, not of a pair or of a range, and not where a record is replaced. *)
Definition most_sampled_order : Z := 4096.
Definition known_here (entries : seq entry_alone) (alpha : ratio) (N : noise_ledger) : planned unit :=
  let pair_sampled e := is_sampled e && ~~ none_of (tabled (read_alone e)) in
  if has pair_sampled entries || ~~ all (fun x => sample_ok x.1) (samples N) then
    Rejected "the divergences of such a sample are not known"
  else if ~~ none_of (samples N) && ~~ (Pos.eqb alpha.2 1 && Z.leb alpha.1 most_sampled_order) then
    Rejected "alpha is no integer up to 4096, beside a sample"
  else Planned tt.

Definition plan_noise_renyi (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only [:: "alpha"; "digits"] own in
  let* alpha := alpha_in own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper] b in
  let* epsilon := finite b in
  let* _ := known_here entries alpha N in
  let* p := problem_of (standing_in N) [:: epsilon] in
  let* f := at_least 96 p in
  let bits := bits_for digits + 60 + 2 * numbits (how_many_by_noise N) in
  Planned [:: NoiseRenyi f (numbered_by p) bits (order_from alpha)].
