(** The verified checker: workloads (SPEC, section 8).

    A row has one integer for each attribute, from 0 to below the attribute's size; a query is a
    list of clauses, each an attribute's number and increasing half-open ranges of its values.
    What the reductions check of them is here: that the queries which a row satisfies are the entries
    of a ledger ([merged]), and that no row satisfies two queries of one class ([coloured]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Comparisons CheckerClosed
  Workloads RulesWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition clause := (nat * seq (Z * Z))%type.

(** A query with parameters of some type A; and the sizes of the attributes, with the queries. *)
Record query (A : Type) := Query { privacy : A; clauses : seq clause }.
Record workload (A : Type) := Workload { sizes : seq Z; queries : seq (query A) }.

Definition in_domain (ns x : seq Z) : bool := all2 (fun n v => Z.leb 0 v && Z.ltb v n) ns x.
Definition in_ranges (v : Z) (rs : seq (Z * Z)) : bool := has (fun r => Z.leb r.1 v && Z.ltb v r.2) rs.
Definition satisfied (cs : seq clause) (x : seq Z) : bool :=
  all (fun c : clause => in_ranges (nth Z0 x c.1) c.2) cs.

Definition is_empty (T : Type) (s : seq T) : bool := if s is _ :: _ then false else true.

(** The statements of a certificate about queries numbered from 0; [s] is the ledger concluded, over
    whose table of logarithms the parameters are written. *)
Definition parameters_of (s : subject) (e : entry) : R * R :=
  (real s (epsilon e), fraction (above e) (below e)).

Section Statements.
Variables (A : Type) (a0 : A) (w : workload A).
Definition row := [eqType of {x : seq Z | in_domain (sizes w) x}].
Definition query_at (i : nat) := nth (Query a0 [::]) (queries w) i.
Definition satisfied_at (i : nat) (x : row) := satisfied (clauses (query_at i)) (val x).
Definition numbers := iota 0 (size (queries w)).
End Statements.
Arguments satisfied_at {A} a0 w i x.

(** Whether the mechanisms of some queries, equal ones merged, are the entries of a ledger. *)
Fixpoint merged (A : Type) (same : A -> A -> bool) (count : A -> Z) (es hits : seq A) : bool :=
  if es is e :: es' then
    Z.eqb (count e) (Z.of_nat (size [seq h <- hits | same e h])) &&
    merged same count es' [seq h <- hits | ~~ same e h]
  else is_empty hits.

Definition same (e e' : entry) : bool :=
  [&& Z.eqb (epsilon e).1 (epsilon e').1, all2 Z.eqb (epsilon e).2 (epsilon e').2,
      Z.eqb (above e) (above e') & Z.eqb (below e) (below e')].

(** Whether two increasing lists of ranges have a value in common. *)
Fixpoint meet (rs : seq (Z * Z)) : seq (Z * Z) -> bool :=
  fix meet_rs (ts : seq (Z * Z)) : bool :=
  match rs, ts with
  | r :: rs', t :: ts' =>
      Z.ltb (Z.max r.1 t.1) (Z.min r.2 t.2) || if Z.leb r.2 t.2 then meet rs' ts else meet_rs ts'
  | _, _ => false
  end.
Fixpoint increasing (from : Z) (rs : seq (Z * Z)) : bool :=
  if rs is r :: rs' then [&& Z.ltb from r.1, Z.ltb r.1 r.2 & increasing r.2 rs'] else true.

Definition contradictory (cs : seq clause) : bool := has (fun c : clause => is_empty c.2) cs.
Definition disjoint (cs cs' : seq clause) : bool :=
  [|| contradictory cs, contradictory cs' |
   has (fun c : clause => has (fun c' : clause => Nat.eqb c.1 c'.1 && ~~ meet c.2 c'.2) cs') cs].

(** Each query has the number of its class, or some other number if it has a contradiction; classes
    are numbered as the mechanisms of the concluded ledger, [greatest], listed one by one. *)
Definition coloured (A : Type) (at_least : A -> A -> bool) (greatest : seq A) (w : workload A)
    (colours : seq nat) : bool :=
  let pairs := zip (queries w) colours in
  [&& Nat.eqb (size colours) (size (queries w)),
      all (fun q => all (fun c : clause => increasing (-1) c.2) (clauses q)) (queries w),
      all (fun p => contradictory (clauses p.1) ||
             if drop p.2 greatest is a :: _ then at_least a (privacy p.1) else false) pairs &
      pairwise (fun p p' => ~~ Nat.eqb p.2 p'.2 || disjoint (clauses p.1) (clauses p'.1)) pairs].

(** A combination divided by what its integers have in common, so that powers stay small in ties. *)
Definition common_divisor (x : combination) : Z := foldr Z.gcd x.1 x.2.
Definition divided (g : Z) (x : combination) : combination :=
  ((x.1 / g)%coqZ, [seq (k / g)%coqZ | k <- x.2]).
Fixpoint power_bits (rs : seq quotient) (ks : seq Z) : Z :=
  match rs, ks with
  | r :: rs', k :: ks' => (Z.abs k * Z.succ (Z.log2 r.1) + power_bits rs' ks')%coqZ
  | _, _ => Z0
  end.
Definition not_less (f : effort) (s : subject) (es : seq (Z * Z)) (x y : combination) : bool :=
  let z := csub x y in
  let g := common_divisor z in
  let z := if Z.leb g 1 then z else divided g z in
  nonneg (bits f) es (Z.leb (power_bits (quotients s) z.2) (2 ^ 24)) (quotients s) z.

Definition at_least (f : effort) (s : subject) (es : seq (Z * Z)) (e e' : entry) : bool :=
  [&& not_less f s es (epsilon e) (epsilon e'), Z.ltb 0 (below e), Z.ltb 0 (below e') &
      Z.leb (above e' * below e)%coqZ (above e * below e')%coqZ].
