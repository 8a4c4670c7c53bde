(** What the queries of a workload say of their mechanisms, as entries of a ledger; and the greatest of a
    class.

    Entries stand in a ledger in the order of their canonical texts, and equal ones together. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Comparisons CheckerClosed Ratios CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateProblems CertificateSubjects.
From ExactDP Require Import Plan PlanFolds PlanNumbers PlanProblem.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- entries in the order of their texts --- *)

(** What a query says of its mechanism, as an entry that stands once. *)
Definition query_entry (j : json) : option listed :=
  if j is Object members then read_entry (counted_once [seq m <- members | ~~ String.eqb m.1 "where"])
  else None.
Definition query_entries (subject : json) : planned (seq listed) :=
  required (if member "queries" subject is Some (List qs) then read_all query_entry qs else None)
    (Malformed "not a workload").

Definition same_texts (a b : listed) : bool :=
  [&& Nat.eqb (notion_number a) (notion_number b), String.eqb (entry_texts a).1 (entry_texts b).1 &
      String.eqb (entry_texts a).2 (entry_texts b).2].
Definition not_after (a b : listed) : bool := ~~ listed_before b a.
Definition so_often (a : listed) (n : Z) : listed := Listed (notion_number a) (entry_texts a) (what a) n.

(** Equal ones together, each with how many there are. *)
Definition count_equal (found : seq listed) (a : listed) : seq listed :=
  if found is last :: rest then
    if same_texts last a then so_often last (times_listed last + 1) :: rest else so_often a 1 :: found
  else [:: so_often a 1].
Definition merged_entries (ls : seq listed) : seq listed :=
  rev (foldl count_equal [::] (sort not_after ls)).

Definition epsilons_of (ls : seq listed) : seq number :=
  flatten [seq if what l is ByEpsilon e _ then [:: e] else [::] | l <- ls].

(** Each once, in the order of their first. *)
Definition once_each (ls : seq listed) : seq listed :=
  let kept found a :=
    if found is last :: _ then if same_texts last.2 a.2 then found else a :: found else [:: a] in
  unzip2 (sort (@by_number listed)
    (foldl kept [::] (sort (fun a b => not_after a.2 b.2) (numbered ls)))).

(** Enough for signs that are decided as numbers are read; with few logarithms, what else may be asked
    for. *)
Definition efforts_of_reading (p : problem) : seq effort :=
  let logs := length_of (table_for (numbered_by p)) in
  let enough := fun bits => (bits <=? 320) || (bits * logs <=? 2 ^ 27 / bits) in
  map plain (filter enough [:: 96; 320; 1280]).

(** A problem over the numbers of all, none of which is negative. *)
Definition problem_asked (entries : seq listed) : planned problem :=
  let* p := problem_of (mechanisms_of (merged_entries entries)) (epsilons_of entries) in
  let* _ := at_least 96 p in
  Planned p.

(** --- the greatest of some --- *)

Section Greatest.
Variables (k : numbering) (s : subject).

Definition exceeds (a b : listed) : planned bool :=
  match what a, what b with
  | ByEpsilon e _, ByEpsilon e' _ =>
      if (combination_of k e, combination_of k e') is (Some x, Some x')
      then let* sign := sign_of s (csub x x') in Planned (0 <? sign)
      else Rejected "the logarithms are not over one basis"
  | ByMu m, ByMu m' => Planned (rlt m' m)
  | ByRho r, ByRho r' => Planned (rlt r' r)
  | _, _ => Rejected "the queries of a colour have parameters of different notions"
  end.
Definition delta_of (a : listed) : ratio := if what a is ByEpsilon _ d then d else Ratios.zero.
Definition fails_more (a b : listed) : planned bool := Planned (rlt (delta_of b) (delta_of a)).

(** The first of the greatest. *)
Definition first_greatest (more : listed -> listed -> planned bool) : listed -> seq listed -> planned listed :=
  through (fun most a => let* is_more := more a most in Planned (if is_more then a else most)).
Definition with_delta_of (a b : listed) : listed :=
  if what a is ByEpsilon e _ then
    Listed (notion_number a) ((entry_texts a).1, (entry_texts b).2) (ByEpsilon e (delta_of b)) 1
  else a.

(** The greatest epsilon with the greatest delta, or the greatest mu, or rho. *)
Definition greatest_entry (ls : seq listed) : planned listed :=
  if once_each ls is a :: rest then
    let* most := first_greatest exceeds a rest in
    let* failing := first_greatest fails_more a rest in
    Planned (with_delta_of most failing)
  else Malformed "empty".
End Greatest.

(** --- classes of queries, by their numbers --- *)

(** Each with what has its number; both in order. *)
Fixpoint attached (E X : Type) (n : nat) (es : seq E) : seq (nat * X) -> seq (E * X) -> seq (E * X) :=
  if es is e :: rest then
    fix from own found :=
      if own is (i, x) :: own' then
        if Nat.eqb i n then from own' ((e, x) :: found) else attached n.+1 rest own found
      else rev found
  else fun _ found => rev found.

Fixpoint split_off (A : Type) (n : nat) (found s : seq A) : seq A * seq A :=
  match n, s with
  | S n', x :: s' => split_off n' (x :: found) s'
  | _, _ => (rev found, s)
  end.
Definition in_lists_of (A : Type) (sizes : seq nat) (s : seq A) : seq (seq A) :=
  rev (foldl (fun found n => let: (list, rest) := split_off n [::] found.2 in (list :: found.1, rest))
    ([::], s) sizes).1.

(** What the queries of each class are. *)
Definition classes_of (E : Type) (es : seq E) (classes : seq (seq nat)) : seq (seq E) :=
  let places := [seq (p.2, p.1) | p <- numbered (flatten classes)] in
  let found := attached 0 es (sort (@by_number nat) places) [::] in
  in_lists_of (map size classes)
    (unzip2 (sort (@by_number E) [seq (p.2, p.1) | p <- found])).

(** The places of some entries among themselves, in their order: equal ones one after the other. *)
Definition places_of (ls : seq listed) : seq nat :=
  let in_order := unzip1 (sort (fun a b => not_after a.2 b.2) (numbered ls)) in
  unzip2 (sort (@by_number nat) [seq (p.2, p.1) | p <- numbered in_order]).

(** Each query has the number of its class; [none]: of one that is in no class. *)
Definition class_numbers (queries none : nat) (classes : seq (seq nat)) (numbers : seq nat) :
    planned (seq nat) :=
  placed_in none queries (flatten [seq [seq (q, p.2) | q <- p.1] | p <- zip classes numbers])
    "a query is in two colours".
