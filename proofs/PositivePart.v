(** The positive part max(x, 0), written [pos x].

    The hockey-stick divergence is a sum of positive parts; these are the few facts about them
    that the rest needs.  R is any ordered field: no real number axiom is used until Reals.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PositivePart.
Variable R : realFieldType.
Implicit Types x y c : R.

Definition pos x := Num.max x 0.

Lemma pos_ge0 x : 0 <= pos x. Proof. by rewrite le_maxr lexx orbT. Qed.
Lemma le_pos x : x <= pos x. Proof. by rewrite le_maxr lexx. Qed.
Lemma pos_id x : 0 <= x -> pos x = x. Proof. exact: max_l. Qed.
Lemma pos_0 x : x <= 0 -> pos x = 0. Proof. exact: max_r. Qed.
Lemma pos_le x c : x <= c -> 0 <= c -> pos x <= c.
Proof. by move=> xc c0; rewrite le_maxl xc. Qed.
Lemma le2_pos x y : x <= y -> pos x <= pos y.
Proof. by move=> xy; rewrite le_maxl pos_ge0 andbT (le_trans xy) ?le_pos. Qed.
Lemma posM c x : 0 <= c -> pos (c * x) = c * pos x.
Proof. by move=> c0; rewrite /pos maxr_pmulr // mulr0. Qed.
Lemma posD x y : pos (x + y) <= pos x + pos y.
Proof. by rewrite le_maxl ler_add ?le_pos ?addr_ge0 ?pos_ge0. Qed.
Lemma pos_split x : pos x = x + pos (- x).
Proof.
case: (leP 0 x) => [x0|/ltW x0]; first by rewrite pos_id // pos_0 ?oppr_le0 // addr0.
by rewrite pos_0 // pos_id ?oppr_ge0 // subrr.
Qed.
End PositivePart.
