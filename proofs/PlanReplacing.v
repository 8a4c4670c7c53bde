(** The reductions of workloads where one row replaces another (SPEC, section 8): what is planned for
    `rows` and `cases`.

    Planned are the ledger concluded, and the two rows, each query's places in it, or a tree of the
    numbers of its classes. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerClosed Ratios CheckerWorkloads CheckerReplaceOne RulesPairCaseTree.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateSubjects CertificateWorkloads Plan PlanFolds PlanNumbers.
From ExactDP Require Import PlanProblem PlanEntries PlanRows PlanReductions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Section Plan.
Variable w : asked_of.
Let queries := length_of (entries_asked w).

(** --- rows, of which one replaces the other --- *)

Definition plan_two_rows (own : members) : planned concluded :=
  let* _ := only [:: "rows"%string] own in
  let* j := json_in "rows" own in
  if j is List [:: one; other] then
    let* x := read_row (domain w) one in
    let* x' := read_row (domain w) other in
    let* _ := needs (~~ same_values x x') "the two rows are the same" in
    witnessed w (fun cs => satisfied cs x || satisfied cs x') (MetByTwo x x')
  else Malformed "not two rows".

(** --- cases: one leaf with classes for both rows --- *)

(** By what of its texts the greatest is found. *)
Definition same_greatest (a b : listed) : bool :=
  Nat.eqb (notion_number a) (notion_number b) && String.eqb (entry_texts a).1 (entry_texts b).1.

(** What a class needs: its greatest, and the second greatest, with the greatest delta, if there is
    one; and the place in it of the query that the second need not be enough for. *)
Record greatest_two := GreatestTwo { greatest : listed; second : option listed; place_of_top : nat }.

Fixpoint place_from_0 (n : nat) (most : listed) (ls : seq listed) : nat :=
  if ls is l :: rest then if same_greatest l most then n else place_from_0 n.+1 most rest else n.

Definition two_of (ls : seq listed) : planned greatest_two :=
  let greatest := greatest_entry (numbered_by (numbered_over w)) (subject_in (numbered_over w)) in
  let* most := greatest ls in
  let top := place_from_0 0 most ls in
  let others := [seq p.2 | p <- numbered ls & ~~ Nat.eqb p.1 top] in
  if others is [::] then Planned (GreatestTwo most None top) else
  let* next := greatest others in
  Planned (GreatestTwo most (Some (with_delta_of next most)) top).

(** The places of all, in the order of the concluded ledger; where there is none for a second, one
    beyond them. *)
Definition all_of (twos : seq greatest_two) : seq listed :=
  flatten [seq greatest t :: (if second t is Some l then [:: l] else [::]) | t <- twos].
Fixpoint places_of_two (beyond : nat) (twos : seq greatest_two) (ps : seq nat) (found : seq (nat * nat)) :
    seq (nat * nat) * nat :=
  match twos, ps with
  | t :: twos', p :: ps' =>
      match second t, ps' with
      | Some _, p' :: ps'' => places_of_two beyond twos' ps'' ((p, p') :: found)
      | _, _ => places_of_two beyond.+1 twos' ps' ((p, beyond) :: found)
      end
  | _, _ => (rev found, beyond)
  end.

(** Of each query, and of one that is in no class, which has places of its own. *)
Definition places_in (colour : seq nat) (top : nat) (own : nat * nat) : seq (nat * places) :=
  [seq (p.2, Places own.1 own.2 (Nat.eqb p.1 top)) | p <- numbered colour].
Fixpoint filled_from (beyond : nat) (own : seq (option places)) (found : seq places) : seq places :=
  match own with
  | Some p :: rest => filled_from beyond rest (p :: found)
  | None :: rest => filled_from beyond.+2 rest (Places beyond beyond.+1 true :: found)
  | [::] => rev found
  end.

Definition plan_classes (j : json) : planned concluded :=
  let* colours := required (read_colours queries j) (Malformed "not colours of queries") in
  let* _ := by_position [:: colours] in
  let* _ := few_queries queries in
  let* twos := planned_all two_of (classes_of (entries_asked w) colours) in
  let all := all_of twos in
  let: (own, beyond) := places_of_two (size all) twos (places_of all) [::] in
  let each p := places_in p.1 (place_of_top p.2.1) p.2.2 in
  let placed := flatten [seq each p | p <- zip colours (zip twos own)] in
  let* places := placed_in None (size (entries_asked w)) [seq (p.1, Some p.2) | p <- placed]
    "a query is in two colours" in
  Planned (merged_entries all, Placed (filled_from beyond places [::])).

(** --- cases of either row --- *)

Definition which_row_of (j : json) : option which_row :=
  one_of [:: ("leaving"%string, Leaving); ("entering"%string, Entering)] j.

Definition split_of_two := (which_row * (nat * Z))%type.
Definition leaf_of_two := (seq (seq nat) * seq (seq nat))%type.

Definition read_node_of_two (j : json) : option (split_of_two + leaf_of_two) :=
  match fields [:: "entering"; "leaving"]%string j, fields [:: "attribute"; "below"; "row"]%string j with
  | Some [:: entering; leaving], _ =>
      if (read_colours queries leaving, read_colours queries entering) is (Some l, Some e)
      then Some (inr (l, e)) else None
  | _, Some [:: attribute; below; row] =>
      if (which_row_of row, read_split (domain w) attribute below) is (Some r, Some s)
      then Some (inl (r, s)) else None
  | _, _ => None
  end.

(** At a position of a leaf, both rows have the same query, or one of them has none. *)
Definition one_query (p : seq nat * seq nat) : bool :=
  match p with
  | ([::], _) | (_, [::]) => true
  | ([:: q], [:: q']) => Nat.eqb q q'
  | _ => false
  end.
Definition one_query_each (leaf : leaf_of_two) : bool := all one_query (zip leaf.1 leaf.2).

Definition plan_tree_of_two (j : json) : planned concluded :=
  let* nodes := read_nodes read_node_of_two j in
  let* tree := tree_of nodes in
  let leaves := leaves_of nodes in
  let* classes := by_position (flatten [seq [:: l.1; l.2] | l <- leaves]) in
  let* _ := needs (all one_query_each leaves) "a position of a leaf has different queries for both rows" in
  let* _ := few_pairs 3 (length_of leaves) queries in
  let* greatest := greatest_of_all w classes in
  let numbers := places_of greatest in
  let* cases := folded (fun s low high => SplitOfRow s.1 s.2.1 s.2.2 low high)
    (fun leaf =>
      let* leaving := numbers_for w leaf.1 numbers in
      let* entering := numbers_for w leaf.2 numbers in
      Planned (LeafOfTwo leaving entering)) tree in
  Planned (merged_entries greatest, ByCasesOfTwo cases).

Definition plan_cases_of_two (own : members) : planned concluded :=
  let* j := tree_in own in
  if j is List [:: Object [:: ("colours"%string, colours)]] then plan_classes colours
  else plan_tree_of_two j.
End Plan.
