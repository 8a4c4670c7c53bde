(** OptComp is attained: where Delta >= 0 there is a least y >= 1 with D(y) <= Delta.

    D is a finite sum of positive parts of falling lines, hence the greatest of finitely many
    falling lines; each line meets the bound from one point on.  If Delta < 0 no y will do. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition OptComp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma bigmax_le (R : realFieldType) (T : Type) (s : seq T) (P : pred T) (F : T -> R) x m :
  (\big[Num.max/x]_(i <- s | P i) F i <= m) = (x <= m) && all (fun i => P i ==> (F i <= m)) s.
Proof.
elim: s => [|i s IH] /=; first by rewrite big_nil andbT.
by rewrite big_cons; case: (P i); rewrite //= le_maxl IH andbCA.
Qed.

Section Threshold.
Variables (R : realFieldType) (I : finType) (u v : I -> R).
Hypothesis v0 : forall i, 0 < v i.

Lemma sum_pos_families y C :
  \sum_i pos (u i - y * v i) <= C <->
  0 <= C /\ forall F : {set I}, \sum_(i in F) u i - y * (\sum_(i in F) v i) <= C.
Proof.
split=> [h|[C0 h]].
  split=> [|F]; apply: le_trans h; first by apply: sumr_ge0 => i _; exact: pos_ge0.
  rewrite mulr_sumr -sumrB [X in _ <= X](bigID (mem F)) /= ler_paddr ?sumr_ge0 //.
    by move=> i _; exact: pos_ge0.
  by apply: ler_sum => i _; exact: le_pos.
have := h [set i | 0 <= u i - y * v i]; apply: le_trans.
rewrite mulr_sumr -sumrB [X in X <= _](bigID (fun i => 0 <= u i - y * v i)) /=.
rewrite [X in _ + X]big1 ?addr0 => [|i]; last by rewrite -ltNge => /ltW /pos_0.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_big => [i|i ?]; rewrite ?inE // pos_id.
Qed.

Theorem least_threshold C : 0 <= C -> exists2 y0, 1 <= y0 &
  forall y, 1 <= y -> (\sum_i pos (u i - y * v i) <= C) = (y0 <= y).
Proof.
move=> C0.
pose crossing (F : {set I}) := (\sum_(i in F) u i - C) / \sum_(i in F) v i.
exists (\big[Num.max/1]_(F : {set I} | F != set0) crossing F) => [|y y1].
  by have := lexx (\big[Num.max/1]_(F : {set I} | F != set0) crossing F); rewrite bigmax_le => /andP[].
have V0 (F : {set I}) : F != set0 -> 0 < \sum_(i in F) v i.
  case/set0Pn => i iF; rewrite (bigD1 i) //= ltr_spaddl //.
  by apply: sumr_ge0 => j _; exact: ltW.
rewrite bigmax_le y1 /=; apply/idP/allP => [/sum_pos_families[_ h] F _|h].
  apply/implyP => F0; rewrite /crossing ler_pdivr_mulr ?V0 //.
  by rewrite ler_subl_addr -ler_subl_addl.
apply/sum_pos_families; split=> // F.
have [->|F0] := eqVneq F set0; first by rewrite !big_set0 mulr0 subrr.
by have /implyP/(_ F0) := h F (mem_index_enum F); rewrite /crossing ler_pdivr_mulr ?V0 // ler_subl_addr -ler_subl_addl.
Qed.
End Threshold.

Section Optimum.
Variables (R : realFieldType) (k : nat) (E d : 'I_k -> R).
Hypotheses (E1 : forall i, 1 <= E i) (d0 : forall i, 0 <= d i) (d1 : forall i, d i < 1).

(** The optimum y = e^OptComp, for 0 <= Delta. *)
Theorem optimum_attained dg : 0 <= 1 - (1 - dg) / \prod_i (1 - d i) ->
  exists2 y0, 1 <= y0 &
  forall y, 1 <= y -> composition_dp (parameters E d) y dg <-> y0 <= y.
Proof.
move=> D0; have E0 i : 0 < E i by apply: lt_le_trans (E1 i).
have P0 : 0 < \prod_i (1 + E i) by apply: prodr_gt0 => i _; rewrite ltr_spaddl ?ltr01 // ltW.
have v0 (S : {set 'I_k}) : 0 < \prod_(i in ~: S) E i by apply: prodr_gt0.
have [|y0 y01 h] := least_threshold (fun S : {set 'I_k} => \prod_(i in S) E i) v0
  (C := (1 - (1 - dg) / \prod_i (1 - d i)) * \prod_i (1 + E i)).
  by rewrite mulr_ge0 // ltW.
exists y0 => // y y1; rewrite -h //.
have y0' : 0 <= y by apply: le_trans y1; exact: ler01.
by rewrite (theorem_1_5 E1 d0 d1 _ y0') mulrC ler_pdivr_mulr.
Qed.

(** If Delta < 0, no y is enough: the rule [trivial]. *)
Theorem infeasible dg y : 0 <= y -> 1 - (1 - dg) / \prod_i (1 - d i) < 0 ->
  ~ composition_dp (parameters E d) y dg.
Proof.
move=> y0 D0 /(theorem_1_5 E1 d0 d1 _ y0) h.
have : 0 <= (\prod_i (1 + E i))^-1 * optcomp_sum E y.
  rewrite mulr_ge0 ?invr_ge0 ?prodr_ge0 ?sumr_ge0 // => i _; last exact: pos_ge0.
  by rewrite addr_ge0 ?ler01 // (le_trans ler01).
by move=> /le_trans/(_ h); rewrite leNgt D0.
Qed.
End Optimum.
