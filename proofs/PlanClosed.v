(** Plans for the rules with closed conditions: `vacuous`, `sum` and `infeasible`. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import CertificateChecks Plan PlanNumbers PlanProblem.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** A plan for a rule about a ledger, by its bound, its mechanisms and the rule's own parameters. *)
Definition ledger_planner := bound -> mechanisms -> members -> planned (seq hint).

Definition greatest_size (b : bound) (M : mechanisms) : Z :=
  Z.max (2 * bits_of (bound_delta b) + 8) (size_of_pairs M).

Definition plan_vacuous : ledger_planner := fun b M own =>
  let* _ := only [::] own in
  let* _ := proves [:: Upper] b in
  let* p := problem_of M (seq_of_option (bound_epsilon b)) in
  Planned (harder p (greatest_size b M) Vacuous).

(** Over a problem that has the numbers of the bound and of the mechanisms. *)
Definition sums_up (b : bound) (M : mechanisms) (p : problem) : seq hint :=
  harder p (Z.max (greatest_size b M) (greatest_of bits_in (seq_of_option (bound_epsilon b)))) Sum.

Definition plan_sum : ledger_planner := fun b M own =>
  let* _ := only [::] own in
  let* _ := proves [:: Upper; Lower] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  Planned (sums_up b M p).

(** For every epsilon. *)
Definition is_infeasible (b : bound) (M : mechanisms) (p : problem) : seq hint :=
  harder p (greatest_size b M) (if noisy M then InfeasibleNoise else Infeasible).

Definition plan_infeasible : ledger_planner := fun b M own =>
  let* _ := only [::] own in
  let* _ := proves [:: Lower] b in
  if bound_epsilon b is Some _ then Rejected "epsilon is not every" else
  let* p := problem_of M [::] in
  Planned (is_infeasible b M p).
