(** Plans about workloads of mechanisms given by their noise (SPEC, section 8): `cases` and
    `rows`.

    Planned are the ledger concluded, and the row or the classes by which its bounds carry over; the
    rule that follows is planned for that ledger.  To the verified check an answer with several shifts
    is a query for each of them. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerClosed Ratios CheckerWorkloads CheckerNoiseWorkloads.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateTheorems CertificateSubjects CertificateNoise CertificateNoiseWorkloads.
From ExactDP Require Import Plan PlanFolds PlanNumbers PlanProblem PlanJson PlanEntries PlanRows PlanNoiseTests PlanNoiseEntries.
From ExactDP Require Import PlanNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** --- what is known of each query --- *)

(** The canonical bytes of an entry without a count, what it says of one mechanism, and of which rows. *)
Record named := Named {
  bytes : string; has_rate : bool; known : noise_ledger; listed_as : option listed; rows : seq clause
}.

Definition read_named (sizes : seq Z) (j : json) : option named :=
  if (j, member "where" j) is (Object members, Some (List clauses)) then
    let own := [seq m <- members | ~~ String.eqb m.1 "where"] in
    let entry := counted_once own in
    if (read_noise None entry, read_all (read_clause sizes) clauses) is (Some N, Some cs)
    then Some (Named (write_json (Object own)) (has (fun m => String.eqb m.1 "rate") own) N (read_entry entry) cs)
    else None
  else None.
Definition named_in (sizes : seq Z) (subject : json) : planned (seq named) :=
  required (if member "queries" subject is Some (List qs) then read_all (read_named sizes) qs else None)
    (Malformed "not a workload").

Definition parts_of (q : named) : seq single := unzip1 (counted (known q)).
Definition number_of_parts (q : named) : nat := size (parts_of q).

(** Their order in a ledger, as [noises] (CertificateNoise.v) lists them. *)
Definition family_number (x : single) : nat :=
  match x with
  | Plain (ByEpsilon _ _) => 0
  | Shifted _ _ => 1
  | Laplaced _ => 2
  | Plain (ByMu _) => 3
  | Plain (ByRho _) => 4
  | Ranged _ => 5
  | Divergent _ => 6
  | Tabled _ => 7
  | Sampled _ => 8
  | Belled _ _ => 9
  | Batched _ => 10
  end.
Definition family_of (q : named) : nat := if parts_of q is x :: _ then family_number x else 0.

(** --- the greatest of a class --- *)

(** Whether each part of the first is at most one of the second, of the greatest on. *)
Fixpoint parts_at_most (k : numbering) (xs ys : seq single) : bool :=
  match xs, ys with
  | [::], _ => true
  | x :: xs', y :: ys' => at_least_as (plain 96) k y x && parts_at_most k xs' ys'
  | _, _ => false
  end.
Definition is_at_most (k : numbering) (a b : named) : bool :=
  parts_at_most k (rev (parts_of a)) (rev (parts_of b)).

(** The first of those that all others are at most. *)
Definition greatest_noise (k : numbering) (first : named) (rest : seq named) : planned named :=
  let further most one := if is_at_most k most one && ~~ is_at_most k one most then one else most in
  let most := foldl further first rest in
  if all (fun one => is_at_most k one most) (first :: rest) then Planned most
  else Rejected "no query of a colour is known to dominate the others".

(** As an entry by epsilon and delta is written. *)
Definition named_as (l : listed) (rows : seq clause) : named :=
  let texts := entry_texts l in
  Named (write_json (Object [:: ("delta", Text texts.2); ("epsilon", Text texts.1)])) false
    (NoiseLedger (mechanisms_of [:: so_often l 1]) [::] [::] [::] [::] [::] [::] [::] [::]) (Some l) rows.

(** The greatest epsilon and delta, if these are all that is known of a class. *)
Definition dominating (p : problem) (queries : seq named) : planned named :=
  let by_epsilon q := if listed_as q is Some l then if what l is ByEpsilon _ _ then Some l else None else None in
  match queries, read_all by_epsilon queries with
  | [::], _ => Malformed "a colour is empty"
  | q :: _, Some ls =>
      let* most := greatest_entry (numbered_by p) (subject_in p) ls in Planned (named_as most (rows q))
  | q :: rest, None => greatest_noise (numbered_by p) q rest
  end.

(** --- the ledger concluded --- *)

Definition with_count (A : Type) (n : Z) (s : seq (A * Z)) : seq (A * Z) := [seq (x.1, n) | x <- s].
Definition counted_so (n : Z) (N : noise_ledger) : noise_ledger :=
  let M := others N in
  NoiseLedger (Mechanisms (with_count n (of_epsilon M)) (with_count n (of_mu M)) (with_count n (of_rho M)))
    (with_count n (shifted N)) (with_count n (laplaced N)) (with_count n (ranged N))
    (with_count n (divergent N)) (with_count n (tabled N)) (with_count n (samples N)) (with_count n (bells N)) (with_count n (batched N)).

(** In the order of families, and of their bytes in each: numbers of those that are equal. *)
Definition stands_before (a b : named) : bool :=
  if Nat.eqb (family_of a) (family_of b) then ~~ string_below (bytes b) (bytes a)
  else Nat.leb (family_of a) (family_of b).
Definition group_equal (found : seq (named * seq nat)) (p : nat * named) : seq (named * seq nat) :=
  if found is (q, ns) :: rest then
    if String.eqb (bytes q) (bytes p.2) then (q, p.1 :: ns) :: rest else (p.2, [:: p.1]) :: found
  else [:: (p.2, [:: p.1])].
Definition grouped (ones : seq named) : seq (named * seq nat) :=
  rev [seq (g.1, rev g.2) | g <-
    foldl group_equal [::] (sort (fun a b => stands_before a.2 b.2) (numbered ones))].
Definition ledger_concluded (groups : seq (named * seq nat)) : noise_ledger :=
  foldr joined_noise no_noise [seq counted_so (Z.of_nat (size g.2)) (known g.1) | g <- groups].

(** Its entries in the order of their bytes. *)
Definition epsilon_of (q : named) : string := 
  if listed_as q is Some l then if what l is ByEpsilon _ _ then (entry_texts l).1 else "" else "".
Definition entries_concluded (groups : seq (named * seq nat)) : seq entry_alone :=
  [seq EntryAlone (epsilon_of g.1) (has_rate g.1) (counted_so (Z.of_nat (size g.2)) (known g.1)) |
    g <- sort (fun g g' => ~~ string_below (bytes g'.1) (bytes g.1)) groups].
Record concluded := Concluded { ledger_of_it : noise_ledger; its_entries : seq entry_alone; carried_so : by_noise }.
Definition conclude (groups : seq (named * seq nat)) (to : by_noise) : concluded :=
  Concluded (ledger_concluded groups) (entries_concluded groups) to.

(** Of each class: the number of the first mechanism of its entry, how many there are of that, and which
    of them is the class's own. *)
Record place := Place { first_of : nat; so_many : nat; own_copy : nat; its_parts : nat }.
Definition places_in_ledger (groups : seq (named * seq nat)) : seq place * nat :=
  let group found g :=
    let n := size g.2 in let parts := number_of_parts g.1 in
    let copies := [seq (p.2, Place found.2 n p.1 parts) | p <- numbered g.2] in
    (catrev copies found.1, (found.2 + parts * n)%nat) in
  let: (found, all) := foldl group ([::], 0%nat) groups in
  (unzip2 (sort (@by_number place) found), all).

(** The numbers of a query's answers: those of the greatest shifts go together. *)
Fixpoint numbers_from (p : place) (part left : nat) : seq nat :=
  if left is S left' then
    ((first_of p + part * so_many p) + own_copy p)%nat :: numbers_from p part.+1 left'
  else [::].
Definition numbers_of (q : named) (p : place) : seq nat :=
  let own := number_of_parts q in numbers_from p (its_parts p - own)%nat own.

Section Plan.
Variables (sizes : seq Z) (queries : seq named) (p : problem).

Definition numbers_in (all : nat) (c : named * option place) : seq nat :=
  if c.2 is Some own then numbers_of c.1 own else nseq (number_of_parts c.1) all.
Definition coloured_so (colours : seq (seq nat)) (groups : seq (named * seq nat)) : planned by_noise :=
  let (own, all) := places_in_ledger groups in
  let placed := [seq [seq (q, Some c.2) | q <- c.1] | c <- zip colours own] in
  let* placed := placed_in None (size queries) (flatten placed) "a query is in two colours" in
  Planned (InClasses (flatten [seq numbers_in all c | c <- zip queries placed])).

Definition plan_noise_colouring (own : members) : planned concluded :=
  let* _ := only [:: "tree"] own in
  let* tree := json_in "tree" own in
  let* j := required (if tree is List [:: Object [:: ("colours", colours)]] then Some colours else None)
    (Rejected "is not about mechanisms given by noise") in
  let* colours := required (read_colours (length_of queries) j) (Malformed "not colours of queries") in
  let* _ := few_queries (sum_over (fun q => Z.of_nat (number_of_parts q)) queries) in
  let* greatest := planned_all (dominating p) (classes_of queries colours) in
  let groups := grouped greatest in
  let* carried := coloured_so colours groups in
  Planned (conclude groups carried).

(** The check compares what is known of each query that the row satisfies with each entry of the ledger:
    no more of that than what a certificate's bytes pay for. *)
Definition rows_of (x : single) : Z :=
  match x with Divergent os => 1 + length_of os | Tabled t => 1 + length_of t | _ => 1 end%coqZ.
Definition few_kinds (hits : seq named) (groups : seq (named * seq nat)) : planned unit :=
  let cells := sum_over (fun q => sum_over rows_of (parts_of q)) hits in
  needs (length_of groups * cells <=? 2 ^ 24 + 5000 * length_of hits)%coqZ
    "too many different parameters to compare".

Definition plan_noise_witness (own : members) : planned concluded :=
  let* _ := only [:: "rows"] own in
  let* j := json_in "rows" own in
  let* x := read_one_row sizes j in
  let hits := [seq q <- queries | satisfied (rows q) x] in
  let groups := grouped hits in
  let* _ := few_kinds hits groups in
  Planned (conclude groups (MetByRow x)).
End Plan.

Definition noise_reductions := [::
  ("cases", (Upper, fun (_ : seq Z) => plan_noise_colouring));
  ("rows", (Lower, fun sizes queries (_ : problem) => plan_noise_witness sizes queries))].

(** Nothing where a rule is not known. *)
Definition plan_noise_workload (b : bound) (sizes : seq Z) (subject : json) (steps : seq step) :
    planned (option (seq noise_carrying)) :=
  if steps is [:: s; following] then
    if found (rule_of s) noise_reductions is Some (carried, planner) then
      if ~~ is_about_noise following then Planned None else
      let* _ := concluded_by following b in
      let* _ := blamed (rule_of s) (needs (same_kind carried (bound_kind b)) "does not carry such a bound") in
      let* queries := named_in sizes subject in
      let* _ := well_written subject (map rows queries) in
      let* _ := entries_written (if member "queries" subject is Some (List js) then js else [::])
        (foldr joined_noise no_noise (map known queries)) in
      let* p := problem_asked (pmap listed_as queries) in
      let* c := blamed (rule_of s) (planner sizes queries p (parameters_of s)) in
      let N := ledger_of_it c in
      let* hints := plan_noise_hints (its_entries c) b N following in
      Planned (omap (fun hints =>
        [:: NoiseCarrying (efforts_of_reading p) (numbered_by p) N hints (carried_so c)]) hints)
    else Planned None
  else Planned None.
