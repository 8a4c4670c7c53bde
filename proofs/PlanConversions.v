(** Plans for the rules that go through concentrated and Rényi differential privacy: at how many bits
    the verified checks are to work. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerConcentrated CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateChecks Plan PlanNumbers PlanProblem PlanClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** An order as the checks have it; digits, for so many mechanisms, in bits. *)
Definition order_from (alpha : ratio) : order := Order alpha.1 (Zpos alpha.2).
Definition working_bits (digits : Z) (M : mechanisms) : Z :=
  bits_for digits + 60 + 2 * numbits (how_many M).

Definition at_digits (digits : Z) (b : bound) (M : mechanisms) (t : Z -> attempt) : planned (seq hint) :=
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  let* f := at_least 96 p in
  Planned (hinted p f (t (working_bits digits M))).

Definition plan_bun_steinke : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"%string] own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper; Underivable] b in
  at_digits digits b M BunSteinke.

Definition of_order (kinds : seq kind) (t : Z -> order -> attempt) : ledger_planner := fun b M own =>
  let* _ := only [:: "alpha"; "digits"]%string own in
  let* alpha := alpha_in own in
  let* digits := digits_in own in
  let* _ := proves kinds b in
  at_digits digits b M (fun bits => t bits (order_from alpha)).

Definition plan_canonne_kamath_steinke : ledger_planner :=
  of_order [:: Upper; Underivable] CanonneKamathSteinke.
Definition plan_renyi : ledger_planner := of_order [:: Upper] Renyi.
