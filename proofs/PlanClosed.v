(** Plans for the rules with closed conditions: `trivial` and `sum`. *)
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

(** That delta is 1; or, for every epsilon, that more than delta fails. *)
Definition is_trivial (b : bound) (M : mechanisms) (p : problem) : seq hint :=
  harder p (greatest_size b M) Trivial.

Definition plan_trivial : ledger_planner := fun b M own =>
  let* _ := only [::] own in
  let* _ := proves [:: Upper; Lower] b in
  if same_kind (bound_kind b) Lower && bound_epsilon b then Rejected "epsilon is not every" else
  let* p := problem_of M (seq_of_option (bound_epsilon b)) in
  Planned (is_trivial b M p).
