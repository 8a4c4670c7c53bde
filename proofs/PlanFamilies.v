(** Plans about ledgers with mechanisms that are given by more than their noise: those of what stands in. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateNumbers CertificateStatements CertificateSubjects CertificateNoise CertificateFamilies CertificateFamilyRules.
From ExactDP Require Import CertificateJson CertificateTheorems CertificateNoiseRules CertificateBytes Plan Claims.
From ExactDP Require Import PlanProblem PlanNoiseEntries PlanNoiseTests PlanNoise PlanLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** By epsilon, delta, mu, its square and rho alone: what the rules of ledgers are about. *)
Definition is_of_ledger (x : CertificateFamilies.family) : bool :=
  match x with OtherEntry N => is_plain N | BySquare _ None _ => true | _ => false end.
Definition alone_for (up : bool) (p : CertificateFamilies.family * json) : planned entry_alone :=
  let* N := required (standing_for up p.1) (Rejected "no noise stands in for a mechanism") in
  let sampled := if member "rate" p.2 is Some _ then true else false in
  let written := if p.1 is BestOfRuns _ _ _ _ _ then without_count p.2 else
    if member "epsilon" p.2 is Some (Text e) then e else "" in
  Planned (EntryAlone written sampled N).

(** What is run is private for an epsilon above 0. *)
Definition runs_above_0 (x : CertificateFamilies.family) : bool :=
  if x is BestOfRuns _ _ e _ _ then ~~ at_most e (Number Ratios.zero [::]) else true.

(** Not more than take seconds for each hundred points of a profile. *)
Definition most_records_of_person : Z := 64.
Definition records_fit (x : CertificateFamilies.family) : bool :=
  if x is OfPerson v q most _ then Z.leb (Zpos most) most_records_of_person && Z.leb (Zpos most * bits_of q) 8192 else true.

Definition plan_families (b : bound) (xs : seq CertificateFamilies.family) (subject : json) (steps : seq step) :
    planned (option (seq proposal)) :=
  let entries := entries_in subject in
  if ~~ in_order_by string_below (map without_count entries) then Malformed "mechanisms are not sorted and merged" else
  if ~~ all runs_above_0 xs then Malformed "what is selected is not private for an epsilon above 0" else
  if ~~ all records_fit xs then Rejected "too many records of a person" else
  let* N := required (standing_for_all (rounds_up b) xs) (Rejected "no noise stands in for a mechanism") in
  let* _ := if has by_its_noise entries then entries_written entries N else Planned tt in
  if all is_of_ledger xs then plan_claim (claim_about b N) steps else
  match steps with
  | [:: s] =>
      if ~~ is_about_noise s then Planned None else
      let* _ := concluded_by s b in
      let* alone := planned_all (alone_for (rounds_up b)) (zip xs entries) in
      let* hints := plan_noise_hints alone b N s in
      Planned (omap (map AboutNoise) hints)
  | _ => Planned None
  end.
