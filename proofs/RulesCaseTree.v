(** The rule `parallel-case-tree` (SPEC, section 11.18), and its check.

    A tree sorts the rows by their values; a leaf colours the queries that rows of its case may
    satisfy.  [rule_parallel_case_tree_any] is parallel composition where the colouring depends on
    the row, as long as the mechanisms that stand for the colours do not. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Comparisons
  CheckerClosed CheckerNotions RulesGaussian Workloads RulesWorkloads RulesMixedWorkloads
  OrderOfWorkloads CheckerWorkloads CheckerWorkloadsSound CheckerMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Rule.
Variables (N : Type) (private : pair_property [realFieldType of R] N).
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

Theorem rule_parallel_case_tree_any (C : eqType) (greatest : C -> N) qs cs epsilon delta :
  uniq qs -> uniq cs ->
  (forall r, exists colour : I -> C,
    {in qs &, forall i j, i != j -> colour i = colour j -> ~~ (satisfies i r && satisfies j r)} /\
    {in qs, forall i, satisfies i r -> colour i \in cs /\ forall (Y : finType) (P Q : Y -> R),
      private (parameters i) P Q -> private (greatest (colour i)) P Q}) ->
  interleaved_upper private greatest cs epsilon delta ->
  workload_upper private satisfies parameters qs epsilon delta.
Proof.
move=> uqs ucs cases up x x' [r xx] Y P Q A; apply: up.
have [colour [disjoint great]] := cases r.
apply: (answered_interleaved (colour := colour) xx uqs) A => //.
- move=> i j iqs jqs hi hj e; apply/eqP; apply: contraT => ij.
  by have := disjoint i j iqs jqs ij e; rewrite hi hj.
- by move=> i Z S T iqs hi; have [_] := great i iqs hi; exact.
- by move=> i iqs hi; case: (great i iqs hi).
Qed.
End Rule.

(** The tree: of a split, the rows whose value of an attribute is below a number come first. *)
Inductive case_tree := Leaf of seq nat | Split of nat & Z & case_tree & case_tree.

Definition ranges_below (v : Z) (rs : seq (Z * Z)) : seq (Z * Z) :=
  [seq (r.1, Z.min r.2 v) | r <- rs & Z.ltb r.1 v].
Definition ranges_from (v : Z) (rs : seq (Z * Z)) : seq (Z * Z) :=
  [seq (Z.max r.1 v, r.2) | r <- rs & Z.ltb v r.2].

Definition narrowed (A : Type) (a : nat) (half : seq (Z * Z) -> seq (Z * Z)) (w : workload A) :
    workload A :=
  let clause_of (c : clause) := if Nat.eqb c.1 a then (c.1, half c.2) else c in
  Workload (sizes w) [seq Query (privacy q) [seq clause_of c | c <- clauses q] | q <- queries w].

Fixpoint coloured_by_cases (A : Type) (at_least : A -> A -> bool) (greatest : seq A)
    (w : workload A) (t : case_tree) : bool :=
  match t with
  | Leaf colours => coloured at_least greatest w colours
  | Split a v low high =>
      coloured_by_cases at_least greatest (narrowed a (ranges_below v) w) low &&
      coloured_by_cases at_least greatest (narrowed a (ranges_from v) w) high
  end.

Definition check_parallel_case_tree (f : effort) (m : mixed_subject) (w : workload parameter)
    (t : case_tree) : bool :=
  let s := approximates m in
  let es := enclosures (bits f) (terms f) (quotients s) in
  let greatest := flatten [seq nseq (Z.to_nat (times_of p)) p | p <- listed m] in
  subject_ok f s && coloured_by_cases (at_least_of f s es) greatest w t.

(** What a half leaves of a clause holds of the rows of that half as the clause did. *)
Lemma in_ranges_below v n rs : Z.lt n v -> in_ranges n (ranges_below v rs) = in_ranges n rs.
Proof.
move=> nv; elim: rs => //= r rs IH; rewrite /in_ranges /ranges_below /=.
case: (Z.ltb_spec r.1 v) => [rv|vr] /=; rewrite -/(in_ranges n rs) -IH /ranges_below.
  rewrite -/(in_ranges n _); congr (_ || _); apply/idP/idP => /andP[/Z.leb_le a /Z.ltb_lt b];
    by apply/andP; split; [apply/Z.leb_le|apply/Z.ltb_lt]; lia.
suff -> : Z.leb r.1 n = false by [].
by apply/Z.leb_gt; lia.
Qed.

Lemma in_ranges_from v n rs : Z.le v n -> in_ranges n (ranges_from v rs) = in_ranges n rs.
Proof.
move=> vn; elim: rs => //= r rs IH; rewrite /in_ranges /ranges_from /=.
case: (Z.ltb_spec v r.2) => [vr|rv] /=; rewrite -/(in_ranges n rs) -IH /ranges_from.
  rewrite -/(in_ranges n _); congr (_ || _); apply/idP/idP => /andP[/Z.leb_le a /Z.ltb_lt b];
    by apply/andP; split; [apply/Z.leb_le|apply/Z.ltb_lt]; lia.
suff -> : Z.ltb n r.2 = false by rewrite andbF.
by apply/Z.ltb_ge; lia.
Qed.

Section Cases.
Variables (A : Type) (a0 : A) (at_least : A -> A -> bool) (greatest : seq A).
Implicit Types (w : workload A) (t : case_tree).

(** A workload that asks the same of a row: the same parameters, the same queries satisfied. *)
Definition agrees (x : seq Z) w w' : Prop :=
  [/\ sizes w' = sizes w, size (queries w') = size (queries w) & forall i,
      privacy (query_at a0 w' i) = privacy (query_at a0 w i) /\
      satisfied (clauses (query_at a0 w' i)) x = satisfied (clauses (query_at a0 w i)) x].

Lemma agrees_trans x w w' w'' : agrees x w w' -> agrees x w' w'' -> agrees x w w''.
Proof.
move=> [s q h] [s' q' h']; split=> [||i]; rewrite ?s' ?q' //.
by have [-> ->] := h' i; exact: h.
Qed.

Lemma narrowed_agrees x w a half :
  (forall rs, in_ranges (nth Z0 x a) (half rs) = in_ranges (nth Z0 x a) rs) ->
  agrees x w (narrowed a half w).
Proof.
move=> same; split=> [||i] //=; first by rewrite size_map.
have [im|im] := ltnP i (size (queries w)); last first.
  by rewrite /query_at !nth_default ?size_map.
rewrite /query_at (nth_map (Query a0 [::])) //=; split=> //.
rewrite /satisfied all_map; apply: eq_all => c /=.
by case: (PeanoNat.Nat.eqb_spec c.1 a) => //= ->.
Qed.

Theorem coloured_by_cases_sound w t x : coloured_by_cases at_least greatest w t ->
  exists w' colours, agrees x w w' /\ coloured at_least greatest w' colours.
Proof.
elim: t w => [colours|a v low IHl high IHh] w /=; first by exists w, colours; split.
case/andP=> /IHl[wl [cl [al hl]]] /IHh[wh [ch [ah hh]]].
have [lt|ge] := Z.ltb_spec (nth Z0 x a) v.
  exists wl, cl; split=> //; apply: agrees_trans al; apply: narrowed_agrees => rs.
  exact: in_ranges_below.
exists wh, ch; split=> //; apply: agrees_trans ah; apply: narrowed_agrees => rs.
exact: in_ranges_from.
Qed.

(** What [rule_parallel_case_tree_any] asks for, of a row of the domain. *)
Lemma coloured_by_cases_row w t (r : row w) : coloured_by_cases at_least greatest w t ->
  exists colour : nat -> nat,
    {in numbers w &, forall i j, i != j -> colour i = colour j ->
      ~~ (satisfied_at a0 w i r && satisfied_at a0 w j r)} /\
    {in numbers w, forall i, satisfied_at a0 w i r ->
      colour i \in iota 0 (size greatest) /\
      at_least (nth a0 greatest (colour i)) (privacy (query_at a0 w i))}.
Proof.
case/(@coloured_by_cases_sound w t (val r)) => w' [colours [[s q same] h]].
have inside : in_domain (sizes w') (val r) by rewrite s; case: (r).
pose r' : row w' := exist _ (val r) inside.
have n : numbers w' = numbers w by rewrite /numbers q.
have e i : satisfied_at a0 w' i r' = satisfied_at a0 w i r by case: (same i).
exists (fun i => nth 0%N colours i); rewrite -n; split=> [i j im jm ij c|i im].
  by rewrite -!e; exact: (coloured_disjoint a0 h im jm ij c r').
by rewrite -e => /(coloured_greatest h im); case: (same i) => ->.
Qed.
End Cases.

Theorem check_parallel_case_tree_sound f m w t epsilon delta :
  check_parallel_case_tree f m w t ->
  any_order_upper (notions_of m) epsilon delta ->
  mixed_upper_of (approximates m) w epsilon delta.
Proof.
case/andP=> ok h; move: h; set greatest := flatten _ => h.
have -> : notions_of m = [seq notion_of (approximates m) p | p <- greatest].
  rewrite -listed_notions map_flatten -map_comp; congr flatten.
  by apply: eq_map => p; rewrite /= map_nseq.
move=> up; apply: (rule_parallel_case_tree_any) up; rewrite ?iota_uniq //.
move=> r; have [colour [apart great]] := coloured_by_cases_row parameter0 r h.
exists colour; split=> // i im hi; have [c /(at_least_of_sound ok) le] := great i im hi.
rewrite size_map; split=> // Y P Q; apply: (of_notion_weaker G_monotone).
move: c; rewrite mem_iota add0n => /andP[_ c].
by rewrite (nth_map parameter0).
Qed.
