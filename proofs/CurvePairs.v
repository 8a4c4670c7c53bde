(** The verified checker: a mechanism known by the points of its profile, as a table on a mesh.

    What two laws have in common is concave in the odds, and what a table on a mesh has in common is
    linear from one of its points to the next.  So a table whose mean is not above at each of its
    points is below the laws ([curve_captured]), however its weights were computed. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Notions RulesGaussian Comparisons OverlapTables MeshTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Concave.
Variables (Y : finType) (P Q : Y -> R).
Hypotheses (P0 : forall o, 0 <= P o) (Q0 : forall o, 0 <= Q o).

Lemma overlap_grows (y y' : R) : y <= y' -> overlap P Q y <= overlap P Q y'.
Proof. by move=> h; apply: ler_sum => o _; apply: le2_min => //; exact: ler_wpmul2r. Qed.

Lemma overlap_concave (l y y' : R) : 0 <= l -> l <= 1 ->
  l * overlap P Q y + (1 - l) * overlap P Q y' <= overlap P Q (l * y + (1 - l) * y').
Proof.
move=> l0 l1; have m0 : 0 <= 1 - l by rewrite subr_ge0.
rewrite /overlap !mulr_sumr -big_split /=; apply: ler_sum => o _.
rewrite (minr_pmulr _ _ l0) (minr_pmulr _ _ m0) le_minr; apply/andP; split.
  have e : P o = l * P o + (1 - l) * P o by ring.
  by rewrite [X in _ <= X]e; apply: ler_add; rewrite le_minl lexx.
have -> : (l * y + (1 - l) * y') * Q o = l * (y * Q o) + (1 - l) * (y' * Q o) by ring.
by apply: ler_add; rewrite le_minl lexx orbT.
Qed.

Lemma overlap_0 : overlap P Q 0 = 0.
Proof. by rewrite /overlap big1 // => o _; rewrite mul0r min_r. Qed.
End Concave.

Section Table.
Variables (u : R) (u0 : 0 <= u).
Implicit Types (ws : seq Z) (k : Z).
Definition odds (k : Z) : R := decay u (- k).

Lemma odds_gt0 k : 0 < odds k. Proof. exact: decay_gt0. Qed.
Lemma odds_le k l : Z.le k l -> odds k <= odds l.
Proof. by move=> h; apply: decay_le => //; apply/Z.opp_le_mono; rewrite !Z.opp_involutive. Qed.
Lemma odds_decay k : odds k * decay u k = 1.
Proof. by rewrite /odds -decayD Z.add_opp_diag_l decay0. Qed.

Lemma lesser_above k (y : R) : odds k <= y -> lesser_at u y k = 1.
Proof.
move=> h; rewrite /lesser_at /lesser min_l // -(odds_decay k).
by rewrite ler_wpmul2r // ltW // decay_gt0.
Qed.
Lemma lesser_below k (y : R) : y <= odds k -> lesser_at u y k = y * decay u k.
Proof.
move=> h; rewrite /lesser_at /lesser min_r // -(odds_decay k).
by rewrite ler_wpmul2r // ltW // decay_gt0.
Qed.

Lemma weigh_linear (l y y' : R) j ws k : 0 <= l -> l <= 1 -> odds j <= y -> y <= y' -> y' <= odds (j + 1) ->
  weigh (lesser_at u (l * y + (1 - l) * y')) k ws =
  l * weigh (lesser_at u y) k ws + (1 - l) * weigh (lesser_at u y') k ws.
Proof.
move=> l0 l1 jy yy yj; have m0 : 0 <= 1 - l by rewrite subr_ge0.
have mid1 : y <= l * y + (1 - l) * y'.
  have e : y = l * y + (1 - l) * y by ring.
  by rewrite [X in X <= _]e ler_add2l ler_wpmul2l.
have mid2 : l * y + (1 - l) * y' <= y'.
  have e : y' = l * y' + (1 - l) * y' by ring.
  by rewrite [X in _ <= X]e ler_add2r ler_wpmul2l.
elim: ws k => [|v ws IH] k /=; first by rewrite !mulr0 addr0.
have -> : lesser_at u (l * y + (1 - l) * y') k = l * lesser_at u y k + (1 - l) * lesser_at u y' k.
  have [le|lt] := Z.le_gt_cases k j.
    have ky : odds k <= y by apply: le_trans jy; exact: odds_le.
    rewrite !lesser_above //; last by exact: le_trans mid1.
      by rewrite !mulr1 addrCA subrr addr0.
    exact: le_trans yy.
  have yk : y' <= odds k by apply: le_trans yj _; apply: odds_le; lia.
  rewrite !lesser_below //; first by rewrite mulrDl !mulrA.
    exact: le_trans yk.
  exact: le_trans yk.
by rewrite IH; ring.
Qed.

Lemma weigh_flat_from j ws k (y : R) : Z.le (k + Z.of_nat (size ws)) (j + 1) -> odds j <= y ->
  weigh (lesser_at u y) k ws = weigh (lesser_at u (odds j)) k ws.
Proof.
elim: ws k => //= v ws IH k le jy; rewrite IH //; last by lia.
have kj : odds k <= odds j by apply: odds_le; lia.
by rewrite !lesser_above // (le_trans kj).
Qed.

Lemma weigh_scaled ws k (y : R) : 0 <= y -> y <= odds k ->
  weigh (lesser_at u y) k ws = y / odds k * weigh (lesser_at u (odds k)) k ws.
Proof.
move=> y0 yk; suff gen l : Z.le k l -> weigh (lesser_at u y) l ws = y / odds k * weigh (lesser_at u (odds k)) l ws.
  by apply: gen; lia.
elim: ws l => [|v ws IH] l kl /=; first by rewrite mulr0.
rewrite IH; last by lia.
have kl' : odds k <= odds l by exact: odds_le.
rewrite !lesser_below //; last by exact: le_trans kl'.
have n0 := odds_gt0 k; have nz : odds k != 0 by rewrite gt_eqF.
by field.
Qed.

Theorem curve_captured S k ws (Y : finType) (P Q : Y -> R) : Z.lt 0 S -> all_above_0 ws ->
  (forall o, 0 <= P o) -> (forall o, 0 <= Q o) ->
  (forall i, (i < size ws)%N ->
     weigh (lesser_at u (odds (k + Z.of_nat i))) k ws <= IZR S * overlap P Q (odds (k + Z.of_nat i))) ->
  captured (real_mesh S u (k, ws)) P Q.
Proof.
move=> S0 ws0 P0 Q0 h y y0; have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite mean_real_mesh ler_pdivr_mulr // mulrC /=.
case: (posnP (size ws)) => [/size0nil ->|n0].
  by rewrite /= mulr_ge0 ?(ltW S0') //; apply: sumr_ge0 => o _; rewrite le_minr P0 mulr_ge0.
have at_first := h _ n0; rewrite Z.add_0_r in at_first.
have [low|high] := leP y (odds k).
  rewrite weigh_scaled //; have c0 : 0 <= y / odds k by rewrite divr_ge0 // ltW // odds_gt0.
  have c1 : y / odds k <= 1 by rewrite ler_pdivr_mulr ?odds_gt0 // mul1r.
  have := overlap_concave P Q (odds k) 0 c0 c1; rewrite (overlap_0 Q P0) !mulr0 !addr0.
  rewrite divfK ?gt_eqF ?odds_gt0 // => c; apply: le_trans (ler_wpmul2l c0 at_first) _.
  by rewrite mulrCA ler_pmul2l.
have far n : (n < size ws)%N -> odds (k + Z.of_nat n) < y ->
    exists2 i, (i < size ws)%N & odds (k + Z.of_nat i) <= y /\
      ((i.+1 < size ws)%N -> y <= odds (k + Z.of_nat i + 1)).
  move: {2}(size ws - n)%N (leqnn (size ws - n)) => m; elim: m n => [|m IH] n.
    by rewrite leqn0 subn_eq0 leqNgt => /negP.
  move=> le lt on; have [stop|go] := leP y (odds (k + Z.of_nat n + 1)).
    by exists n => //; split=> //; exact: ltW.
  have e : (k + Z.of_nat n + 1)%coqZ = (k + Z.of_nat n.+1)%coqZ by lia.
  have [next|last] := ltnP n.+1 (size ws).
    apply: (IH n.+1) => //; last by rewrite -e.
    by rewrite leq_subLR addSnnS -leq_subLR.
  by exists n => //; split=> [|/(leq_ltn_trans last)]; [exact: ltW|rewrite ltnn].
have [|i is_in [above next]] := far O n0; first by rewrite Z.add_0_r.
have at_i := h _ is_in; have [more|end_] := ltnP i.+1 (size ws); last first.
  rewrite (@weigh_flat_from (k + Z.of_nat i)) //; last by move/ssrnat.leP: end_; lia.
  by apply: le_trans at_i _; rewrite ler_pmul2l //; exact: overlap_grows.
have le := next more; have at_next := h _ more.
have e : (k + Z.of_nat i.+1)%coqZ = (k + Z.of_nat i + 1)%coqZ by lia.
rewrite e in at_next; set y1 := odds _ in above at_i; set y2 := odds _ in le at_next.
have [same|d0] := leP y2 y1.
  have -> : y = y1 by apply/eqP; rewrite eq_le above andbT; exact: le_trans same.
  exact: at_i.
have d : 0 < y2 - y1 by rewrite subr_gt0.
pose l := (y2 - y) / (y2 - y1).
have l0 : 0 <= l by apply: divr_ge0; [rewrite subr_ge0|exact: ltW].
have l1 : l <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have m0 : 0 <= 1 - l by rewrite subr_ge0.
have ye : y = l * y1 + (1 - l) * y2 by rewrite /l; field; rewrite gt_eqF.
rewrite ye (@weigh_linear l y1 y2 (k + Z.of_nat i)) ?(ltW d0) //.
apply: (@le_trans _ _ (IZR S * (l * overlap P Q y1 + (1 - l) * overlap P Q y2))).
  rewrite mulrDr [IZR S * (l * _)]mulrCA [IZR S * ((1 - l) * _)]mulrCA.
  by apply: ler_add; exact: ler_wpmul2l.
by rewrite ler_pmul2l //; exact: overlap_concave.
Qed.
End Table.
