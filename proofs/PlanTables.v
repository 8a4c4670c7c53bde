(** Plans for `atoms`: in integers where all odds are rational, or with masses rounded down. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons CheckerClosed CheckerLattice CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateProblems CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Definition sums_fit (sums : Z) (choices : seq Z) : planned unit :=
  if Z.ltb most_places (collecting sums choices) then Rejected "there are too many sums" else Planned tt.

(** That losses can be told from each other over a basis of few integers. *)
Definition factors_are_few (p : problem) : planned unit :=
  let k := numbered_by p in
  let table := table_for k in
  let many := if basis_of k is Some (basis, _) then Z.ltb (2 * length_of table + 8) (length_of basis)
    else Z.leb (length_of table) most_over_basis && ~~ pairwise_coprime [seq (q.1, Z.to_pos q.2) | q <- table] in
  if many then Rejected "the logarithms share too many factors" else Planned tt.

(** --- exact masses --- *)

Definition most_odds_bits : Z := 2 ^ 22.
Definition most_exponent : Z := 2 ^ 23.
Definition most_bits_of_sums : Z := 2 ^ 32.

(** Whether e^epsilon is rational at sight, and its bits, written as a product of powers. *)
Definition has_rational_odds (n : number) : bool :=
  Z.eqb (constant n).1 0 && all (fun t => Z.eqb (Zpos t.1.2) 1) (logs n).
Definition odds_size (n : number) : Z := sum_over (fun t => Z.abs t.1.1 * bits_of t.2) (logs n).
Definition odds_of_all (M : mechanisms) : Z := sum_over (fun m => m.2 * odds_size m.1.1) (of_epsilon M).
Definition deltas_of_all (b : bound) (M : mechanisms) : Z :=
  bits_of (bound_delta b) + sum_over (fun m => m.2 * bits_of m.1.2) (of_epsilon M).

(** Where epsilon is above the sum of all, that is shown, or nothing to be shown. *)
Definition plan_exact (b : bound) (M : mechanisms) (epsilon : number) (digits sums : Z) :
    planned (seq hint) :=
  if ~~ all (fun m => has_rational_odds m.1.1) (of_epsilon M) then
    Rejected "the odds of an epsilon are not rational" else
  let odds := odds_of_all M in
  if Z.ltb most_odds_bits (Z.max odds (deltas_of_all b M)) then
    Rejected "the odds or deltas are too large" else
  let* p := problem_of M [:: epsilon] in
  let* _ := factors_are_few p in
  let* f := at_least (bits_for digits + 40) p in
  let* x := combination_in p epsilon in
  let size := (enclosed_at (subject_in p) 0 x).1 in
  if ~~ has_rational_odds epsilon && Z.leb most_exponent size then
    Rejected "an exponential that is too large" else
  if Z.leb size odds then
    let choices := [seq g.2 + 1 | g <- groups_in (subject_in p)] in
    let* _ := sums_fit sums choices in
    if Z.ltb most_bits_of_sums (collecting sums choices * odds) then Refused "the sums take too many bits" else
    Planned (hinted p f (RationalOdds (Z.to_nat sums)))
  else
  Planned (if bound_kind b is Upper then sums_up b M p else is_trivial b M p).

(** --- rounded masses --- *)

Definition plan_rounded (b : bound) (M : mechanisms) (epsilon : number) (digits sums : Z) :
    planned (seq hint) :=
  let* p := problem_of M [:: epsilon] in
  let* _ := factors_are_few p in
  let* _ := sums_fit sums [seq window digits g.2 + 1 | g <- groups_in (subject_in p)] in
  let total := total_epsilon (subject_in p) in
  let longest := greatest_of numbits (total.1 :: total.2) in
  let finer := finer_for (most_of M) in
  let* f := at_least (bits_for (digits + finer) + 60 + 2 * longest) p in
  let plan := LatticePlan (power_of_ten digits) (power_of_ten finer)
    (bits_for digits + 40 + 2 * longest) (Z.to_nat sums) in
  Planned (hinted p f (Lattice plan)).

(** --- either --- *)

Definition masses_are_exact (text : string) : option bool :=
  if String.eqb text "exact" then Some true else if String.eqb text "rounded" then Some false else None.

Definition plan_atoms : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"; "masses"; "sums"]%string own in
  let* digits := digits_in own in
  let* exact := text_in "masses" masses_are_exact own in
  let* sums := sums_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  (if exact then plan_exact else plan_rounded) b M epsilon digits sums.
