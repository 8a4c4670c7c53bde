(** The reductions of workloads to ledgers (SPEC, section 8): what is planned for `rows`
    and `cases`.

    Planned are the ledger concluded, and the row or the classes by which its bounds carry over; the
    rule that follows is planned for that ledger. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerClosed Ratios CheckerWorkloads RulesCaseTree.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateSubjects CertificateWorkloads Plan PlanFolds PlanNumbers.
From ExactDP Require Import PlanProblem PlanEntries PlanRows.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** A workload, and what its queries say of their mechanisms; a problem over the numbers of all. *)
Record asked_of := Asked {
  domain : seq Z; conditions : seq (seq clause); entries_asked : seq listed; numbered_over : problem
}.

(** The entries of the ledger concluded, and how its bounds carry over. *)
Definition concluded := (seq listed * reduction)%type.

Section Plan.
Variable w : asked_of.
Let queries := length_of (entries_asked w).

(** --- rows, where one is added or removed --- *)

Definition hit (meets : seq clause -> bool) : seq listed :=
  unzip1 [seq p <- zip (entries_asked w) (conditions w) | meets p.2].

(** The check compares each query that the row satisfies with each entry of the ledger: no more of that
    than what a certificate's bytes pay for. *)
Definition few_comparisons (entries : seq listed) : planned unit :=
  let table := length_of (table_of (epsilons_of entries)) in
  let width l := if what l is ByEpsilon (Number _ (_ :: _)) _ then 1 + table else 1 in
  let hits := sum_over times_listed entries in
  let cells := sum_over (fun l => times_listed l * width l) entries in
  needs (length_of entries * cells <=? 2 ^ 24 + 5000 * hits) "too many different parameters to compare".

Definition witnessed (meets : seq clause -> bool) (r : reduction) : planned concluded :=
  let entries := merged_entries (hit meets) in
  let* _ := few_comparisons entries in
  Planned (entries, r).

Definition plan_overlap_witness (own : members) : planned concluded :=
  let* _ := only [:: "rows"%string] own in
  let* j := json_in "rows" own in
  let* x := read_one_row (domain w) j in
  witnessed (fun cs => satisfied cs x) (Met x).

(** --- classes --- *)

Definition greatest_of_all (classes : seq (seq nat)) : planned (seq listed) :=
  planned_all (greatest_entry (numbered_by (numbered_over w)) (subject_in (numbered_over w)))
    (classes_of (entries_asked w) classes).

Definition numbers_for (classes : seq (seq nat)) (numbers : seq nat) : planned (seq nat) :=
  class_numbers (size (entries_asked w)) (size numbers) classes numbers.

(** --- cases --- *)

Definition read_node (j : json) : option (nat * Z + seq (seq nat)) :=
  if j is Object [:: ("colours"%string, colours)] then
    if read_colours queries colours is Some leaf then Some (inr leaf) else None
  else if fields [:: "attribute"; "below"]%string j is Some [:: attribute; below] then
    if read_split (domain w) attribute below is Some split then Some (inl split) else None
  else None.

Definition tree_in (own : members) : planned json :=
  let* _ := only [:: "tree"%string] own in json_in "tree" own.

Definition plan_cases (own : members) : planned concluded :=
  let* j := tree_in own in
  let* nodes := read_nodes read_node j in
  let* tree := tree_of nodes in
  let leaves := leaves_of nodes in
  let* classes := by_position leaves in
  let* _ := few_pairs 1 (length_of leaves) queries in
  let* greatest := greatest_of_all classes in
  let numbers := places_of greatest in
  let* cases := folded (fun s low high => Split s.1 s.2 low high)
    (fun leaf => let* numbers := numbers_for leaf numbers in Planned (Leaf numbers)) tree in
  Planned (merged_entries greatest, ByCases cases).
End Plan.
