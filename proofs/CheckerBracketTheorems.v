(** The verified checker: what the checks of `connect-the-dots` and `gridded-test` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Bracket Leaves Reals Rules RulesFixedPoint.
From ExactDP Require Import RulesBracket Logarithms Comparisons CheckerClosed Tables KeyedTables.
From ExactDP Require Import CheckerGrid CheckerGridSound CheckerGridTheorems.
From ExactDP Require Import CheckerBracket CheckerBracketSound CheckerBracketCells.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Tables.
Variables (f : effort) (s : subject) (p : gathering).
Hypotheses (ok : subject_ok f s) (pok : gathering_ok f s p).
Let S := weight_scale p.
Let S0 : Z.lt 0 S. Proof. by case/and5P: pok => /Z.ltb_lt. Qed.
Let leaves := leaves f s p.

(** The tables of `connect-the-dots` are below cells between which the atoms are split. *)
Lemma mesh_tables_below u v placess xs : mesh_ok f s u v p placess ->
  size xs = size (leaves_of f s p) ->
  exists ts : keyed_tables, [/\ List.Forall2 (fun leaf l => spread (atoms_of leaf) l) leaves (lists ts),
    nonnegative (lists ts) /\ all (all (on_mesh_atom s u)) (lists ts),
    List.Forall (fun t => keyed_below S t.1.1 t.1.2 t.2) ts,
    [seq t.2 | t <- ts] = mesh_tables f s v p placess xs & KeyedTables.highest ts = total_highest xs].
Proof.
case/and4P=> _ v_one v_most; rewrite /mesh_tables /leaves -(size_map (leaf_atoms f p)).
elim: (leaves_represented ok pok) placess xs => [|leaf l ls atoms rep _ IH] [|q placess] [|x xs] //=.
  by move=> _ _; exists [::]; split=> //; constructor.
case/andP=> h /IH{}IH [/IH[ts [sp [n0 on] below tables high]]].
have [l' sp1 [n1 on1 c0 below1]] := leaf_cells_below ok pok v_one v_most rep h.
exists ((l', highest_key x, table_from (highest_key x) (depth x) (leaf_cells f v l q)) :: ts).
split=> /=; [by constructor|by rewrite -/(nonneg_atoms _) n1 on1| |by rewrite tables|].
  by constructor=> //=; exact: table_from_below.
by rewrite -[RHS]/(highest_key x + total_highest xs)%coqZ -high.
Qed.

(** Those of `gridded-test` are below the scores. *)
Lemma score_tables_below n xs : size xs = size (leaves_of f s p) ->
  exists ts : keyed_tables, [/\ lists ts = scored leaves (score n),
    List.Forall (fun t => keyed_below S t.1.1 t.1.2 t.2) ts,
    [seq t.2 | t <- ts] = score_tables f s n p xs & KeyedTables.highest ts = total_highest xs].
Proof.
rewrite /score_tables /leaves -(size_map (leaf_atoms f p)) /scored.
elim: (leaves_represented ok pok) xs => [|leaf l ls atoms rep _ IH] [|x xs] //=.
  by move=> _; exists [::]; split=> //; constructor.
case=> /IH[ts [sc below tables high]].
exists (([seq (x.1, score n x.2) | x <- atoms_of leaf], highest_key x,
  table_from (highest_key x) (depth x) [seq (score n a.2, a.1.1) | a <- l]) :: ts).
split=> /=; [by rewrite -sc| |by rewrite tables|by rewrite -[RHS]/(highest_key x + total_highest xs)%coqZ -high].
constructor=> //=; apply: table_from_below => //.
- rewrite /nonneg_atoms all_map; have := leaves_ge0 [:: leaf]; rewrite /nonnegative /= andbT.
  exact: sub_all.
- move=> c /mapP[a al ->] /=; elim: rep a al => //= x' a' l1 l2 r _ IH' a.
  by rewrite inE => /orP[/eqP ->|/IH' //]; case: r.
move=> i; elim: rep => [|x' a l1 l2 r _ IH'] /=; first by rewrite /key_weight big_nil mulr0.
have [_ _ xk _ wS] := r.
rewrite cell_sum_cons /key_weight big_cons mulrDr ler_add //= xk mulrA.
by rewrite ler_wpmul2r ?ler0n.
Qed.
End Tables.
