(** Plans about ledgers of mechanisms given by their noise: by the name of a rule. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateNoise.
From ExactDP Require Import CertificateJson CertificateTheorems CertificateNoiseRules CertificateBytes Plan.
From ExactDP Require Import PlanProblem PlanNoiseEntries PlanNoiseTests PlanNoiseRenyi PlanNoiseFourier.
From ExactDP Require Import PlanProfiles PlanProfileRenyi PlanExactTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** A plan for a rule, by the ledger's entries in the order of their bytes, which windows follow, its bound,
    the ledger and the rule's own parameters. *)
Definition noise_planner := seq entry_alone -> bound -> noise_ledger -> members -> planned (seq noise_hint).

Definition noise_rules : seq (string * noise_planner) := [::
  ("moments", plan_noise_renyi);
  ("atoms", plan_exact_tables);
  ("mesh-upper", plan_mesh_upper);
  ("mesh-lower", plan_test);
  ("fourier-upper", plan_noise_fourier_upper);
  ("fourier-lower", plan_noise_fourier_lower)].

Definition is_about_noise (s : step) : bool := if found (rule_of s) noise_rules is Some _ then true else false.

(** Also for a ledger that stands in for something else. *)
Definition plan_noise_hints (entries : seq entry_alone) (b : bound) (N : noise_ledger) (s : step) :
    planned (option (seq noise_hint)) :=
  if found (rule_of s) noise_rules is Some planner then
    let* hints := blamed (rule_of s) (planner entries b N (own_of s)) in Planned (Some hints)
  else Planned None.

Definition entries_in (subject : json) : seq json :=
  if member "mechanisms" subject is Some (List js) then js else [::].
Definition plan_noise (b : bound) (N : noise_ledger) (subject : json) (steps : seq step) :
    planned (option (seq proposal)) :=
  match steps with
  | [:: s] =>
      if ~~ is_about_noise s then Planned None else
      let* _ := concluded_by s b in
      let* _ := noise_written (entries_in subject) N in
      let read_as := reading_for (PlanGaussians.is_upper b) "zero-out" in
      let* entries := each_alone read_as (entries_in subject) in
      let* hints := plan_noise_hints entries b N s in
      Planned (omap (map AboutNoise) hints)
  | _ => Planned None
  end.
