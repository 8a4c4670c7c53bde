(** The rule `replace-case-tree` (SPEC, section 11.18), and its check.

    A tree sorts pairs of rows, one that leaves and one that enters, by the values of either; a leaf
    colours the queries that either row of its case may satisfy.  [rule_replace_case_tree_any] is
    parallel composition where both colourings depend on the pair, as long as the mechanisms that
    stand for the colours do not, and no colour stands for two queries that the pair touches. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Comparisons
  CheckerClosed CheckerNotions RulesGaussian Workloads RulesWorkloads RulesMixedWorkloads
  OrderOfWorkloads CheckerWorkloads CheckerWorkloadsSound CheckerMixedWorkloads ReplaceOne
  CheckerReplaceOne RulesCaseTree.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Rule.
Variables (N : Type) (private : pair_property [realFieldType of R] N).
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

(** Of the queries that a row satisfies, no two have one colour. *)
Definition apart (qs : seq I) (C : Type) (colour : I -> C) (r : Row) : Prop :=
  {in qs &, forall i j, i != j -> colour i = colour j -> ~~ (satisfies i r && satisfies j r)}.

(** A query that a row satisfies is as private as what stands for its colour. *)
Definition stood_for (C : eqType) (greatest : C -> N) (qs : seq I) (cs : seq C) (colour : I -> C)
    (r : Row) : Prop :=
  {in qs, forall i, satisfies i r -> colour i \in cs /\ forall (Y : finType) (P Q : Y -> R),
    private (parameters i) P Q -> private (greatest (colour i)) P Q}.

Theorem rule_replace_case_tree_any (C : eqType) (greatest : C -> N) qs cs epsilon delta :
  uniq qs -> uniq cs ->
  (forall r r', exists colour colour' : I -> C,
    [/\ apart qs colour r, apart qs colour' r',
        {in qs &, forall i j, satisfies i r -> satisfies j r' -> colour i = colour' j -> i = j},
        stood_for greatest qs cs colour r & stood_for greatest qs cs colour' r']) ->
  interleaved_upper private greatest cs epsilon delta ->
  replace_upper private satisfies parameters qs epsilon delta.
Proof.
move=> uqs ucs cases up x x' [r [r' xx]] Y P Q A; apply: up.
have [colour [colour' [one one' both great great']]] := cases r r'.
pose place i := if satisfies i r then colour i else colour' i.
have alone c s i j : apart qs c s -> i \in qs -> j \in qs -> satisfies i s -> satisfies j s ->
    c i = c j -> i = j.
  move=> once iqs jqs hi hj e; apply/eqP; apply: contraT => ij.
  by have := once i j iqs jqs ij e; rewrite hi hj.
have fits i : i \in qs -> touched satisfies r r' i -> place i \in cs /\
    forall (Z : finType) (S T : Z -> R), private (parameters i) S T -> private (greatest (place i)) S T.
  move=> iqs; rewrite /touched /place; case: ifP => [hi _|_ /= hi]; first exact: great.
  exact: great'.
apply: (replaced_interleaved (place := place) xx uqs) A => //.
- move=> i j iqs jqs; rewrite /touched /place.
  case hi: (satisfies i r); case hj: (satisfies j r) => /= ti tj.
  + exact: alone one iqs jqs hi hj.
  + by move=> e; exact: both.
  + by move=> e; apply/esym; apply: both.
  + exact: alone one' iqs jqs ti tj.
- by move=> i Z S T iqs hi; case: (fits i iqs hi) => _; exact.
- by move=> i iqs hi; case: (fits i iqs hi).
Qed.
End Rule.

(** The tree: a split is of the row that leaves or that enters, and the rows whose value is below a
    number come first; a leaf has the numbers of the classes of every query, for either row. *)
Inductive which_row := Leaving | Entering.
Inductive pair_case_tree :=
| LeafOfTwo of seq nat & seq nat
| SplitOfRow of which_row & nat & Z & pair_case_tree & pair_case_tree.

(** Of two different queries that have a class in common, one for either row, one cannot be met. *)
Definition free (A : Type) (p p' : query A * nat) : bool :=
  [|| ~~ Nat.eqb p.2 p'.2, contradictory (clauses p.1) | contradictory (clauses p'.1)].
Definition free_of_each_other (A : Type) (w w' : workload A) (colours colours' : seq nat) : bool :=
  pairwise (fun p q => free p.1 q.2 && free q.1 p.2)
    (zip (zip (queries w) colours) (zip (queries w') colours')).

(** [w] is what is left of the queries for the row that leaves, [w'] for the one that enters. *)
Fixpoint coloured_by_pair_cases (A : Type) (at_least : A -> A -> bool) (greatest : seq A)
    (w w' : workload A) (t : pair_case_tree) : bool :=
  match t with
  | LeafOfTwo colours colours' =>
      [&& coloured at_least greatest w colours, coloured at_least greatest w' colours' &
          free_of_each_other w w' colours colours']
  | SplitOfRow Leaving a v low high =>
      coloured_by_pair_cases at_least greatest (narrowed a (ranges_below v) w) w' low &&
      coloured_by_pair_cases at_least greatest (narrowed a (ranges_from v) w) w' high
  | SplitOfRow Entering a v low high =>
      coloured_by_pair_cases at_least greatest w (narrowed a (ranges_below v) w') low &&
      coloured_by_pair_cases at_least greatest w (narrowed a (ranges_from v) w') high
  end.

Definition check_replace_case_tree (f : effort) (m : mixed_subject) (w : workload parameter)
    (t : pair_case_tree) : bool :=
  let s := approximates m in
  let es := enclosures (bits f) (terms f) (quotients s) in
  let greatest := flatten [seq nseq (Z.to_nat (times_of p)) p | p <- listed m] in
  subject_ok f s && coloured_by_pair_cases (at_least_of f s es) greatest w w t.

Section Cases.
Variables (A : Type) (a0 : A) (at_least : A -> A -> bool) (greatest : seq A).
Implicit Types (w : workload A) (t : pair_case_tree).

Theorem coloured_by_pair_cases_sound w w' t x x' : coloured_by_pair_cases at_least greatest w w' t ->
  exists v v' colours colours', [/\ agrees a0 x w v, agrees a0 x' w' v',
    coloured at_least greatest v colours, coloured at_least greatest v' colours' &
    free_of_each_other v v' colours colours'].
Proof.
have below u y a v : Z.lt (nth Z0 y a) v -> agrees a0 y u (narrowed a (ranges_below v) u).
  by move=> lt; apply: narrowed_agrees => rs; exact: in_ranges_below.
have from u y a v : Z.le v (nth Z0 y a) -> agrees a0 y u (narrowed a (ranges_from v) u).
  by move=> ge; apply: narrowed_agrees => rs; exact: in_ranges_from.
elim: t w w' => [colours colours'|[] a v low IHl high IHh] w w' /=.
- by case/and3P=> h h' free_; exists w, w', colours, colours'.
- case/andP=> /IHl[wl [wl' [c [c' [g g' h h' fr]]]]] /IHh[wh [wh' [d [d' [k k' l l' gr]]]]].
  have [lt|ge] := Z.ltb_spec (nth Z0 x a) v.
    by exists wl, wl', c, c'; split=> //; exact: agrees_trans (below _ _ _ _ lt) g.
  by exists wh, wh', d, d'; split=> //; exact: agrees_trans (from _ _ _ _ ge) k.
case/andP=> /IHl[wl [wl' [c [c' [g g' h h' fr]]]]] /IHh[wh [wh' [d [d' [k k' l l' gr]]]]].
have [lt|ge] := Z.ltb_spec (nth Z0 x' a) v.
  by exists wl, wl', c, c'; split=> //; exact: agrees_trans (below _ _ _ _ lt) g'.
by exists wh, wh', d, d'; split=> //; exact: agrees_trans (from _ _ _ _ ge) k'.
Qed.

(** What one colouring says of a row of the domain. *)
Lemma coloured_row w v colours (r : row w) : agrees a0 (val r) w v -> coloured at_least greatest v colours ->
  {in numbers w &, forall i j, i != j -> nth 0%N colours i = nth 0%N colours j ->
    ~~ (satisfied_at a0 w i r && satisfied_at a0 w j r)} /\
  {in numbers w, forall i, satisfied_at a0 w i r ->
    nth 0%N colours i \in iota 0 (size greatest) /\
    at_least (nth a0 greatest (nth 0%N colours i)) (privacy (query_at a0 w i))}.
Proof.
move=> [s q same] h; have inside : in_domain (sizes v) (val r) by rewrite s; case: (r).
pose r' : row v := exist _ (val r) inside.
have n : numbers v = numbers w by rewrite /numbers q.
have e i : satisfied_at a0 v i r' = satisfied_at a0 w i r by case: (same i).
rewrite -n; split=> [i j im jm ij c|i im].
  by rewrite -!e; exact: (coloured_disjoint a0 h im jm ij c r').
by rewrite -e => /(coloured_greatest h im); case: (same i) => ->.
Qed.

Lemma free_sound w v v' colours colours' x x' i j : agrees a0 x w v -> agrees a0 x' w v' ->
  coloured at_least greatest v colours -> coloured at_least greatest v' colours' ->
  free_of_each_other v v' colours colours' -> i \in numbers w -> j \in numbers w ->
  satisfied (clauses (query_at a0 w i)) x -> satisfied (clauses (query_at a0 w j)) x' ->
  nth 0%N colours i = nth 0%N colours' j -> i = j.
Proof.
move=> [_ q same] [_ q' same'] /andP[/PeanoNat.Nat.eqb_eq n _] /andP[/PeanoNat.Nat.eqb_eq n' _] fr.
rewrite !mem_iota !add0n /= => im jm hi hj e; apply/eqP; apply: contraT => ij.
pose p0 := (Query a0 [::], 0%N).
have at_ k : (k < size (queries w))%N -> nth (p0, p0) (zip (zip (queries v) colours)
    (zip (queries v') colours')) k = ((query_at a0 v k, nth 0%N colours k), (query_at a0 v' k, nth 0%N colours' k)).
  by move=> km; rewrite !nth_zip ?size1_zip ?n ?n' ?q ?q'.
have sized : size (zip (zip (queries v) colours) (zip (queries v') colours')) = size (queries w).
  by rewrite !size1_zip ?n ?n' ?q ?q'.
have met : ~~ contradictory (clauses (query_at a0 v i)) /\ ~~ contradictory (clauses (query_at a0 v' j)).
  have [_ si] := same i; have [_ sj] := same' j.
  by split; apply/negP => /contradictory_sound; [move/(_ x); rewrite si hi|move/(_ x'); rewrite sj hj].
have [mi mj] := met.
suff : free (query_at a0 v i, nth 0%N colours i) (query_at a0 v' j, nth 0%N colours' j).
  by rewrite /free /= e PeanoNat.Nat.eqb_refl (negPf mi) (negPf mj).
move/(pairwiseP (p0, p0)): fr => fr; rewrite neq_ltn in ij; case/orP: ij => [ij|ji].
  by have := fr i j; rewrite !inE sized => /(_ im jm ij); rewrite !at_ //= => /andP[].
by have := fr j i; rewrite !inE sized => /(_ jm im ji); rewrite !at_ //= => /andP[].
Qed.
End Cases.

Theorem check_replace_case_tree_sound f m w t epsilon delta : check_replace_case_tree f m w t ->
  any_order_upper (notions_of m) epsilon delta ->
  replace_upper_of (approximates m) w epsilon delta.
Proof.
case/andP=> ok h; move: h; set greatest := flatten _ => h.
have -> : notions_of m = [seq notion_of (approximates m) p | p <- greatest].
  rewrite -listed_notions map_flatten -map_comp; congr flatten.
  by apply: eq_map => p; rewrite /= map_nseq.
move=> up; apply: (rule_replace_case_tree_any) up; rewrite ?iota_uniq //.
move=> r r'; have [v [v' [c [c' [a a' h1 h2 fr]]]]] :=
  coloured_by_pair_cases_sound parameter0 (val r) (val r') h.
exists (fun i => nth 0%N c i), (fun i => nth 0%N c' i).
have [one great] := coloured_row a h1; have [one' great'] := coloured_row a' h2.
have stands (colour : nat -> nat) (s : row w) : {in numbers w, forall i, satisfied_at parameter0 w i s ->
    colour i \in iota 0 (size greatest) /\
    at_least_of f (approximates m) (enclosures (bits f) (terms f) (quotients (approximates m)))
      (nth parameter0 greatest (colour i)) (privacy (query_at parameter0 w i))} ->
    stood_for (of_notion G) (satisfied_at parameter0 w) (notion_at (approximates m) w)
      (nth (Concentrated 0) [seq notion_of (approximates m) p | p <- greatest]) (numbers w)
      (iota 0 (size [seq notion_of (approximates m) p | p <- greatest])) colour s.
  move=> g i im hi; have [k /(at_least_of_sound ok) le] := g i im hi.
  rewrite size_map; split=> // Y P Q; apply: (of_notion_weaker G_monotone).
  by move: k; rewrite mem_iota add0n => /andP[_ k]; rewrite (nth_map parameter0).
split=> //; try exact: stands.
by move=> i j im jm hi hj; exact: (free_sound a a' h1 h2 fr im jm hi hj).
Qed.
