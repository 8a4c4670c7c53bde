(** Plans for the rules that go through concentrated and Rényi differential privacy: at how many bits
    the verified checks are to work. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerConcentrated CertificateJson CertificateNumbers CertificateStatements.
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

Definition plan_moments : ledger_planner := fun b M own =>
  let* _ := only [:: "alpha"; "digits"]%string own in
  let* alpha := alpha_in own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper] b in
  at_digits digits b M (fun bits => Renyi bits (order_from alpha)).

Definition is_best (own : members) : bool :=
  if member "alpha"%string (Object own) is Some (Text alpha) then String.eqb alpha "best"%string else false.

(** At an order, or by the formula that is at its best order already. *)
Definition plan_formula : ledger_planner := fun b M own =>
  let* _ := only [:: "alpha"; "digits"]%string own in
  let* digits := digits_in own in
  let* _ := proves [:: Underivable] b in
  if is_best own then at_digits digits b M BunSteinke else
  let* alpha := alpha_in own in
  at_digits digits b M (fun bits => CanonneKamathSteinke bits (order_from alpha)).
