(** Mechanisms of which Rényi divergences are known, beside tables and Gaussian mechanisms, in an order that
    depends on the answers before, and if some are left out: `mesh-upper` after `noise-colouring`.

    A mechanism that is left out gives equal laws ([proper_query]), and comes before the others as well
    ([interleaved_beside_divergent]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Workloads RulesWorkloads.
From ExactDP Require Import RulesNoiseRenyi RulesProfiles NoiseLedgers NoiseWorkloads RulesNoiseWorkloads OrderOfNoise OrderOfProfiles.
From ExactDP Require Import OrderOfWorkloads OverlapTables CheckerProfiles TablesBesideNormal CellsOfNormal.
From ExactDP Require Import RulesGaussian BesideDivergences DivergentTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Interleaved.
Variables (orders : seq R) (C : eqType) (g : C -> noise) (k : C -> known).

Definition known_at c := is_known orders (g c, k c) /\ proper_query (ByEntry (g c)).

Lemma alike_here c : known_at c -> has_noise (g c) (fun _ : unit => 1) (fun=> 1).
Proof. by case=> _ proper; exact: (has_query_noise_alike (n := ByEntry (g c))) proper distribution_unit. Qed.

Lemma tables_here cs : {in cs, forall c, known_at c} -> all (@table_ok _) (tables_in (map k cs)).
Proof.
elim: cs => //= c cs IH W; have {}IH : all (@table_ok _) (tables_in (map k cs)).
  by apply: IH => d dcs; apply: W; rewrite inE dcs orbT.
have one := W c (mem_head _ _); have unit_law := alike_here one; rewrite /tables_in /= -/(tables_in _).
case: one => + _; rewrite /is_known /=; case: (k c) => //= T [cap T0]; rewrite IH andbT.
exact: inside_ok T0 distribution_unit (cap _ _ _ unit_law).
Qed.

Lemma moments_here cs : {in cs, forall c, known_at c} -> some_moment orders (moments_in (map k cs)).
Proof.
move=> W a ain; rewrite /moments_in big_map big_seq; apply: sumr_ge0 => c ccs.
by have [one _] := W c ccs; move: one; rewrite /is_known /=; case: (k c) => // m [m0 _]; exact: m0.
Qed.

Lemma equal_above cs D (a b : R) : {in cs, forall c, known_at c} -> above orders (moments_in (map k cs)) D ->
  0 <= a -> 0 <= b -> pos (a - b) <= beside (revealed (map k cs)) D a b.
Proof.
move=> W up a0 b0; elim: cs W D up => [|c cs IH] W D up; first exact: revealed_none up a0 b0.
have W' : {in cs, forall d, known_at d} by move=> d dcs; apply: W; rewrite inE dcs orbT.
have one := W c (mem_head _ _); have [known _] := one.
apply: (known_step known (alike_here one) (tables_here W') (moments_here W') up a0 b0) => D' up'.
by rewrite (big_pred1 tt) => [|[]//]; rewrite !RmultE !mulr1; exact: IH.
Qed.

(** What is revealed does not depend on the order of what is known. *)
Lemma revealed_permutation s s' D (a b : R) : Permutation s s' -> beside (revealed s) D a b = beside (revealed s') D a b.
Proof.
move=> p; apply: eq_bigr => z _; rewrite /revealed /with_tables (squares_in_permutation p).
by rewrite (mean_permutation _ _ (tables_in_permutation p)).
Qed.

Lemma interleaved_beside_divergent cs (Y : finType) (P Q : Y -> R) : {in cs, forall c, known_at c} ->
  interleaved of_noise g cs P Q -> forall D, above orders (moments_in (map k cs)) D ->
  forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= beside (revealed (map k cs)) D a b.
Proof.
move=> + A; elim: A => {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] W D up a b a0 b0.
- by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1; exact: equal_above.
- rewrite hockey_stick_product.
  apply: (@le_trans _ _ (\sum_y P y * beside (revealed (map k cs)) D a b)); last by rewrite -mulr_suml P1 mul1r.
  apply: ler_sum => y _; rewrite -PQ.
  apply: le_trans (IH y W D up _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (P0 y))) _.
  rewrite /beside mulr_sumr; apply: ler_sum => z _; have [z1 z2] : 0 <= @first_law _ D z /\ 0 <= @second_law _ D z := laws_ge0 z.
  have Ts0 : all (@table_above_0 _) (tables_in (map k cs)) by apply: sub_all (tables_here W) => T /andP[].
  have m0 : 0 <= sqrt (squares_in (map k cs)) by exact/RleP/sqrt_pos.
  rewrite -(with_tables_scale (curve_scale m0) Ts0 (P0 y) (mulr_ge0 a0 z1) (mulr_ge0 b0 z2)).
  by rewrite ![P y * (_ * _)]mulrCA !mulrA.
have W' : {in rem c cs, forall d, known_at d} by move=> d /mem_rem; exact: W.
have p := map_rem k ccs; have [known _] := W c ccs.
rewrite hockey_stick_product (revealed_permutation _ _ _ p).
have {}up := same_moment (fun x => moments_in_permutation x p) up.
have [[P0 _] [Q0 _] _] := h.
apply: (known_step known h (tables_here W') (moments_here W') up a0 b0) => D' up'.
by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
Qed.
End Interleaved.
