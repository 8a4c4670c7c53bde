(** What the rules about workloads read of their parameters: rows, colours and trees of cases. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerWorkloads CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects Plan PlanFolds PlanNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Local Open Scope Z_scope.

(** --- as a domain and its queries are written --- *)

Definition increasing_from : nat -> seq nat -> bool :=
  fix from least s := if s is n :: rest then Nat.leb least n && from n.+1 rest else true.

(** Attributes in their order, and ranges in theirs. *)
Definition in_order_of_attributes (cs : seq clause) : bool :=
  increasing_from 0 (unzip1 cs) && all (fun c : clause => increasing (-1) c.2) cs.

Fixpoint all_different (s : seq string) : bool :=
  if s is a :: ((b :: _) as rest) then ~~ String.eqb a b && all_different rest else true.
Definition different (js : seq json) : bool :=
  if read_all text js is Some names
  then all_different (sort (fun a b => ~~ string_below b a) names) else false.
Definition well_named (subject : json) : bool :=
  if member "domain" subject is Some (List attributes) then
    different (pmap (member "name") attributes) &&
    all (fun j => if member "values" j is Some (List (v :: vs)) then different (v :: vs)
      else if member "values" j is Some _ then false else true) attributes
  else false.

Definition well_written (subject : json) (conditions : seq (seq clause)) : planned unit :=
  if ~~ well_named subject then Malformed "names or values of the domain stand twice, or there are none"
  else if all in_order_of_attributes conditions then Planned tt
  else Malformed "the attributes of a query, or the ends of its ranges, do not increase".

(** --- rows: pairs of an attribute and a value --- *)

Definition read_cell (sizes : seq Z) (j : json) : option (nat * Z) :=
  if j is List [:: Text a; Text v] then
    if read_whole 0 (length_of sizes - 1) a is Some a then
      if read_whole 0 (nth 0 sizes (Z.to_nat a) - 1) v is Some v then Some (Z.to_nat a, v) else None
    else None
  else None.

(** The values of all attributes: 0 of those that are not named. *)
Definition read_row (sizes : seq Z) (j : json) : planned (seq Z) :=
  let* cells := required (if items j is Some cells then read_all (read_cell sizes) cells else None)
    (Malformed "a row is not of attributes with values in the domain") in
  if increasing_from 0 (unzip1 cells) then Planned (placed_from 0 (size sizes) 0 cells [::])
  else Malformed "the attributes of a row are not increasing".

Definition read_one_row (sizes : seq Z) (j : json) : planned (seq Z) :=
  if j is List [:: one] then read_row sizes one else Malformed "not one row".

Definition same_values (x x' : seq Z) : bool := all (fun p => Z.eqb p.1 p.2) (zip x x').

(** --- colours: increasing lists of queries --- *)

Definition read_colour (queries : Z) (j : json) : option (seq nat) :=
  if items j is Some js then
    if read_all (text_then (read_whole 0 (queries - 1))) js is Some qs then
      let colour := map Z.to_nat qs in if increasing_from 0 colour then Some colour else None
    else None
  else None.
Definition read_colours (queries : Z) (j : json) : option (seq (seq nat)) :=
  if items j is Some js then read_all (read_colour queries) js else None.

(** The check compares the classes of any two queries. *)
Definition most_queries : Z := 65536.
Definition few_queries (queries : Z) : planned unit :=
  needs (queries <=? most_queries) "too many queries to compare".

(** --- trees of cases, in depth-first order --- *)

Inductive cases (S L : Type) := Case of L | Cases of S & cases S L & cases S L.
Arguments Case {S L} _.
Arguments Cases {S L} _ _ _.

Definition most_depth : nat := Z.to_nat 1001.

Section Cases.
Variables (S L : Type).

(** What some nodes begin with, and those that follow. *)
Fixpoint first_tree (depth : nat) (nodes : seq (S + L)) : planned (cases S L * seq (S + L)) :=
  match depth, nodes with
  | _, [::] => Malformed "the nodes are not a tree in depth-first order"
  | O, _ => Rejected "too deep a tree"
  | Datatypes.S _, inr leaf :: rest => Planned (Case leaf, rest)
  | Datatypes.S depth', inl split :: rest =>
      let* low := first_tree depth' rest in
      let* high := first_tree depth' low.2 in
      Planned (Cases split low.1 high.1, high.2)
  end.
Definition tree_of (nodes : seq (S + L)) : planned (cases S L) :=
  let* found := first_tree most_depth nodes in
  if found.2 is [::] then Planned found.1
  else Malformed "the nodes are not one tree in depth-first order".

Definition leaves_of (nodes : seq (S + L)) : seq L := 
  flatten [seq if n is inr l then [:: l] else [::] | n <- nodes].

Fixpoint folded (T : Type) (split : S -> T -> T -> T) (leaf : L -> planned T) (t : cases S L) : planned T :=
  match t with
  | Case l => leaf l
  | Cases s low high =>
      let* low := folded split leaf low in let* high := folded split leaf high in
      Planned (split s low high)
  end.
End Cases.

(** The first colours of all leaves joined, the second ones, and so on. *)
Fixpoint joined_from (fuel : nat) (found leaves : seq (seq (seq nat))) : seq (seq nat) :=
  let leaves := filter (fun l => if l is [::] then false else true) leaves in
  match fuel, leaves with
  | S fuel', _ :: _ => joined_from fuel' (map (head [::]) leaves :: found) (map behead leaves)
  | _, _ => rev [seq flatten colours | colours <- found]
  end.
Definition by_position (leaves : seq (seq (seq nat))) : planned (seq (seq nat)) :=
  let most := foldl (fun n l => if Nat.leb n (size l) then size l else n) 0%nat leaves in
  let joined := joined_from most [::] leaves in
  if has (fun c : seq nat => if c is [::] then true else false) joined
  then Malformed "a position that is empty in every leaf" else Planned joined.

(** The check compares any two queries as often as it is told, at each leaf. *)
Definition few_pairs (times : Z) (leaves : Z) (queries : Z) : planned unit :=
  let* _ := few_queries queries in
  needs (times * leaves * queries ^ 2 <=? most_queries ^ 2) "too many queries to compare".

Definition read_split (sizes : seq Z) (attribute below : json) : option (nat * Z) :=
  match attribute, below with
  | Text a, Text v =>
      if (read_whole 0 (length_of sizes - 1) a, read_whole 0 most_count v) is (Some a, Some v)
      then Some (Z.to_nat a, v) else None
  | _, _ => None
  end.
Definition read_nodes (N : Type) (node : json -> option N) (j : json) : planned (seq N) :=
  required (if items j is Some js then read_all node js else None)
    (Malformed "the nodes are not splits and leaves").
