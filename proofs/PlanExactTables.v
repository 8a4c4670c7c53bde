(** Plans for `atoms` about tables (SPEC, 7.4): exact masses, where there are few losses and their masses are
    not long. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerClosed CheckerNoise CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateProblems CertificateSubjects CertificateNoise CertificateExactTables CertificateNoiseRules.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanWaves PlanTables PlanNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- how long the masses are --- *)

(** Rows, the bits of their denominator, and how many mechanisms have them. *)
Record shape := Shape { many_rows : Z; bits_of_whole : Z; often : Z }.

Definition most_common : Z := 2 ^ 34.
Definition shape_of_table (x : table * Z) : planned shape :=
  let n := length_of x.1 in
  let ds := flatten [seq [:: Zpos y.1.2; Zpos y.2.2] | y <- x.1] in
  let* W := common_multiple (Z.min most_odds_bits (most_common / Z.max 1 n)) 1 ds in
  Planned (Shape n (numbits W) x.2).
Definition shape_of_response (x : number * ratio * Z) : shape := Shape 2 (odds_size x.1.1 + 1) x.2.

(** --- how much there is to multiply: about so many nanoseconds --- *)

(** The losses of so many mechanisms, one after the other, with r each: with repetition, and at most so many. *)
Fixpoint multiplying (n : nat) (sums r j losses ways done : Z) : Z * Z :=
  if n is n'.+1 then
    let ways' := Z.min sums (ways * (j + r - 1) / j) in
    let here := Z.min sums (losses * ways) * r in
    multiplying n' sums r (j + 1) losses ways' (done + here)
  else (done, Z.min sums (losses * ways)).
Definition with_shape (sums : Z) (found : Z * Z) (s : shape) : Z * Z :=
  let (done, losses) := found in
  if Z.leb (many_rows s) 2 then (done + losses * (often s + 1), Z.min sums (losses * (often s + 1)))
  else multiplying (Z.to_nat (often s)) sums (many_rows s) 1 losses 1 done.

Definition most_multiplying : Z := 2 ^ 32.
Definition cost_of_each (bits : Z) (ss : seq shape) : Z :=
  (2 + 2 * numbits (greatest_of many_rows ss)) * (product_cost bits + 96) + 512.

(** --- the plan --- *)

Definition most_power : Z := 2 ^ 20.
Definition plan_exact_tables (_ : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only [:: "digits"; "masses"; "sums"]%string own in
  let* digits := digits_in own in
  let* exact := text_in "masses" masses_are_exact own in
  let* sums := sums_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* epsilon := finite b in
  let M := others N in
  if ~~ exact then Rejected "masses of tables are exact" else
  if ~~ tables_alone N then Rejected "is not about noise, but for tables" else
  if ~~ all (fun m => has_rational_odds m.1.1) (of_epsilon M) then
    Rejected "the odds of an epsilon are not rational" else
  if Z.ltb most_odds_bits (Z.max (odds_of_all M) (deltas_of_all b M)) then
    Rejected "the odds or deltas are too large" else
  let* tables := planned_all shape_of_table (tabled N) in
  let ss := tables ++ map shape_of_response (of_epsilon M) in
  let bits := sum_over (fun s => often s * bits_of_whole s) ss in
  if Z.ltb most_odds_bits bits then Rejected "the probabilities are too large" else
  let (done, _) := foldl (with_shape sums) (0, 1) ss in
  if Z.ltb most_multiplying (done * cost_of_each bits ss) then
    Refused "there are more masses than this checker multiplies" else
  let* p := problem_of M [:: epsilon] in
  let* _ := factors_are_few p in
  let* f := at_least (bits_for digits + 40) p in
  let* x := combination_in p epsilon in
  if Z.ltb most_power (enclosed_at (subject_in p) 0 x).1 then Refused "an exponential that is too large" else
  Planned [:: ExactTables f (numbered_by p) (Z.to_nat sums)].
