(** Plans about workloads (SPEC, section 8): a reduction to a ledger, by its rule, and a plan
    for the ledger that stands in. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerClosed Ratios CheckerWorkloads.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateTheorems CertificateSubjects CertificateWorkloads CertificateBytes.
From ExactDP Require Import Plan PlanFolds PlanNumbers PlanProblem PlanEntries PlanRows PlanLedgers.
From ExactDP Require Import PlanReductions PlanReplacing.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** From above by classes, from below by rows. *)
Definition reduction_planner := asked_of -> members -> planned concluded.
Definition reductions : seq (string * (kind * reduction_planner)) := [::
  ("rows", (Lower, plan_overlap_witness));
  ("cases", (Upper, plan_cases))].
Definition replacing : seq (string * (kind * reduction_planner)) := [::
  ("rows", (Lower, plan_two_rows));
  ("cases", (Upper, plan_cases_of_two))].

Definition asked_in (w : workload CertificateStatements.parameter) (subject : json) : planned asked_of :=
  let* _ := well_written subject (map (@clauses _) (queries w)) in
  let* entries := query_entries subject in
  let* p := problem_asked entries in
  Planned (Asked (sizes w) (map (@clauses _) (queries w)) entries p).

(** Nothing where the rule about the ledger is not known. *)
Definition plan_workload (rules : seq (string * (kind * reduction_planner))) (b : bound)
    (w : workload CertificateStatements.parameter) (subject : json) (steps : seq step) :
    planned (option (seq carrying)) :=
  if steps is [:: s; following] then
    if found (rule_of s) rules is Some (carried, planner) then
      if ~~ is_about_ledgers following then Planned None else
      let* _ := concluded_by following b in
      let* _ := blamed (rule_of s) (needs (same_kind carried (bound_kind b)) "does not carry such a bound") in
      let* asked := asked_in w subject in
      let* (entries, carried_by) := blamed (rule_of s) (planner asked (parameters_of s)) in
      let M := mechanisms_of entries in
      let* hints := plan_hints b M following in
      let p := numbered_over asked in
      Planned (omap (fun hints =>
        [:: Carrying (efforts_of_reading p) (numbered_by p) M hints carried_by]) hints)
    else Planned None
  else Planned None.
