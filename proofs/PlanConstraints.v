(** Plans about ledgers with mechanisms by several constraints: as for the tables that stand for them. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateNoise CertificateConstraints.
From ExactDP Require Import CertificateJson CertificateNoiseRules CertificateProfiles CheckerConstraints CertificateBytes Plan.
From ExactDP Require Import PlanProblem PlanNoiseEntries PlanNoiseTests PlanNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** An entry by itself, as the table that stands for it. *)
Definition stand_in_alone (b : bound) (r : option reading) (j : json) : planned entry_alone :=
  if read_constraints j is Some c then
    let* t := required (table_for (bound_kind b) c) (Rejected "no table stands for the constraints") in
    Planned (EntryAlone "" false (beside_tables no_noise [:: t]))
  else
    let* es := each_alone r [:: j] in
    required (ohead es) (Malformed "not a mechanism").

(** Such a table is its own reverse: the plan of one direction is that of the other. *)
Definition both_ways (N : noise_ledger) (s : step) : step :=
  if undirected N then
    Step (rule_of s) (premises_of s) [seq (m.1, match m.2 with
      | List [:: plan] => if String.eqb m.1 "plans" then List [:: plan; plan] else m.2
      | _ => m.2
      end) | m <- parameters_of s]
  else s.

Definition plan_constrained (b : bound) (cs : seq (constraints * Z)) (N : noise_ledger) (subject : json)
    (steps : seq step) : planned (option (seq proposal)) :=
  match steps with
  | [:: s] =>
      if ~~ is_about_noise s then Planned None else
      let* _ := concluded_by s b in
      let js := entries_in subject in
      let rest := [seq j <- js | ~~ has_constraints j] in
      if ~~ in_order_by string_below (map without_count js) then Malformed "mechanisms are not sorted and merged" else
      if ~~ all (fun j => all is_short (numbers_of_entry j) && laws_short j) rest then
        Malformed "a number has too many bits" else
      if ~~ (all shifts_fit rest && lists_fit N) then Malformed "a list is too long, or not in order" else
      if ~~ all (fun c => rises c.1) cs then Malformed "the epsilons of constraints do not rise" else
      if String.eqb (rule_of s) "atoms" && ~~ all (fun c => all is_rational_odds (unzip1 c.1)) cs then
        Rejected "rule atoms: not all masses are rational" else
      let* ts := required (read_all (table_for (bound_kind b)) cs) (Rejected "no table stands for the constraints") in
      let read_as := reading_for (PlanGaussians.is_upper b) "zero-out" in
      let* entries := planned_all (stand_in_alone b read_as) js in
      let* hints := plan_noise_hints entries b (beside_tables N ts) (both_ways N s) in
      Planned (omap (map AboutNoise) hints)
  | _ => Planned None
  end.
