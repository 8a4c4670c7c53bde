(** Plans for the rules for closed forms: with how many bits, and which multiple of the only epsilon. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons CheckerClosed CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** A rule from above with only digits for its parameter: they, and epsilon. *)
Definition digits_and_epsilon (b : bound) (M : mechanisms) (own : members) : planned (Z * number) :=
  let* _ := only [:: "digits"%string] own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  Planned (digits, epsilon).

(** Twice as fine as the digits, for what is small loses half of its digits under a root. *)
Definition under_roots (digits : Z) (M : mechanisms) (p : problem) (t : attempt) : planned (seq hint) :=
  let* f := at_least (2 * bits_for digits + 40 + 2 * numbits (how_many M)) p in
  Planned (hinted p f t).

Definition plan_advanced : ledger_planner := fun b M own =>
  let* (digits, epsilon) := digits_and_epsilon b M own in
  if of_epsilon M is [::] then Rejected "there are no mechanisms" else
  let* p := problem_of M [:: epsilon] in
  let d := foldl (fun d m => if rlt d m.1.2 then m.1.2 else d) Ratios.zero (of_epsilon M) in
  under_roots digits M p (Advanced d.1 (Zpos d.2)).

(** Whether epsilon is at least the sum of all, which is shown as such. *)
Definition unless_it_sums_up (b : bound) (M : mechanisms) (epsilon : number)
    (otherwise : problem -> combination -> planned (seq hint)) : planned (seq hint) :=
  let* p := problem_of M [:: epsilon] in
  let* x := combination_in p epsilon in
  let* sign := sign_of (subject_in p) (csub x (total_epsilon (subject_in p))) in
  if Z.leb 0 sign then Planned (sums_up b M p) else otherwise p x.

Definition plan_kairouz : ledger_planner := fun b M own =>
  let* (digits, epsilon) := digits_and_epsilon b M own in
  unless_it_sums_up b M epsilon (fun p _ => under_roots digits M p Kairouz).

Definition only_one (M : mechanisms) : planned (number * Z) :=
  if of_epsilon M is [:: m] then Planned (m.1.1, m.2)
  else Rejected "the mechanisms do not all have the same parameters".

Definition plan_kairouz_homogeneous : ledger_planner := fun b M own =>
  let* _ := digits_and_epsilon b M own in
  let* _ := only_one M in
  plan_kairouz b M own.

(** D at the greatest (k - 2i) times the only epsilon that is at most the epsilon of the bound. *)
Definition plan_murtagh_vadhan : ledger_planner := fun b M own =>
  let* (digits, epsilon) := digits_and_epsilon b M own in
  let* (each, count) := only_one M in
  unless_it_sums_up b M epsilon (fun p x =>
    let s := subject_in p in
    let* y := combination_in p each in
    let* u := counted_in s y in
    let* (above, exact) := in_units s u x in
    let below := if exact then above else above - 1 in
    let multiple := below - (count - below) mod 2 in
    if Z.ltb multiple 0 then Rejected "epsilon is below every (k - 2i) times that of a mechanism" else
    let* _ := grid_fits digits (places_on_grid digits [:: (1, count)]) in
    let* (f, plan) := grid_plan Upper digits M (OnGrid p (cscale multiple y) u) in
    Planned (hinted p f (Murtagh plan multiple))).
