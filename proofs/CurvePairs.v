(** The verified checker: a mechanism known by the points of its profile, as a table on a mesh.

    What two laws have in common is concave in the odds ([overlap_in_common]), and what a table has in
    common is linear from one of its losses to the next.  So a table whose mean is not above at each of
    its losses is below the laws ([points_captured]), however its weights were computed. *)
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

(** What may be in common at the odds y. *)
Record in_common (g : R -> R) : Prop := InCommon {
  common_ge0 : 0 <= g 0;
  common_grows : forall y y', 0 <= y -> y <= y' -> g y <= g y';
  common_concave : forall l y y', 0 <= l -> l <= 1 -> 0 <= y -> 0 <= y' ->
    l * g y + (1 - l) * g y' <= g (l * y + (1 - l) * y')%R
}.

Lemma overlap_in_common (Y : finType) (P Q : Y -> R) : (forall o, 0 <= P o) -> (forall o, 0 <= Q o) ->
  in_common (overlap P Q).
Proof.
move=> P0 Q0; split=> [|y y' _|l y y' l0 l1 _ _]; first by rewrite (overlap_0 Q P0).
  exact: overlap_grows.
exact: overlap_concave.
Qed.

(** The values next to one. *)
Lemma last_before (s : seq R) (y : R) : 0 <= y -> exists a, [/\ a \in 0 :: s, a <= y & forall x, x \in s -> x <= y -> x <= a].
Proof.
move=> y0; elim: s => [|x s [a [ain ay h]]]; first by exists 0; rewrite mem_head.
case: (leP x y) => xy; last first.
  exists a; split=> // [|z]; first by move: ain; rewrite !inE => /orP[->|->]; rewrite ?orbT.
  by rewrite inE => /predU1P[->|/h //]; rewrite leNgt xy.
case: (leP a x) => ax.
  exists x; split=> // [|z]; first by rewrite !inE eqxx orbT.
  by rewrite inE => /predU1P[-> //|/h{}h /h/le_trans]; apply.
exists a; split=> // [|z]; first by move: ain; rewrite !inE => /orP[->|->]; rewrite ?orbT.
by rewrite inE => /predU1P[->|/h //] _; exact: ltW.
Qed.

Lemma first_after (s : seq R) (y : R) : (exists b, [/\ b \in s, y < b & forall x, x \in s -> y < x -> b <= x]) \/
  (forall x, x \in s -> x <= y).
Proof.
elim: s => [|x s IH]; first by right.
case: (leP x y) => xy.
  case: IH => [[b [bin yb h]]|h]; [left|right].
    exists b; split=> // [|z]; first by rewrite inE bin orbT.
    by rewrite inE => /predU1P[->|/h //]; rewrite ltNge xy.
  by move=> z; rewrite inE => /predU1P[-> //|/h].
left; case: IH => [[b [bin yb h]]|h]; last first.
  exists x; split=> // [|z]; first exact: mem_head.
  by rewrite inE => /predU1P[-> //|/h zy]; rewrite ltNge zy.
case: (leP b x) => bx.
  exists b; split=> // [|z]; first by rewrite inE bin orbT.
  by rewrite inE => /predU1P[-> //|/h].
exists x; split=> // [|z]; first exact: mem_head.
by rewrite inE => /predU1P[-> //|/h{}h /h]; apply: le_trans; exact: ltW.
Qed.

Section Table.
Variables (u : R) (u0 : 0 <= u).
Implicit Types (cells : seq (Z * Z)) (k : Z).
Definition odds (k : Z) : R := decay u (- k).

Lemma odds_gt0 k : 0 < odds k. Proof. exact: decay_gt0. Qed.
Lemma odds_decay k : odds k * decay u k = 1.
Proof. by rewrite /odds -decayD Z.add_opp_diag_l decay0. Qed.
Lemma oddsE k : odds k = exp (IZR k * u).
Proof. by rewrite /odds /decay opp_IZR RoppE mulNr opprK. Qed.

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

(** Between two values, with no point between them, a table is linear. *)
Lemma cells_linear (l y y' : R) cells : 0 <= l -> l <= 1 -> y <= y' ->
  (forall c, c \in cells -> odds c.1 <= y \/ y' <= odds c.1) ->
  cells_mean (lesser_at u (l * y + (1 - l) * y')) cells =
  l * cells_mean (lesser_at u y) cells + (1 - l) * cells_mean (lesser_at u y') cells.
Proof.
move=> l0 l1 yy h; have m0 : 0 <= 1 - l by rewrite subr_ge0.
have mid1 : y <= l * y + (1 - l) * y'.
  have e : y = l * y + (1 - l) * y by ring.
  by rewrite [X in X <= _]e ler_add2l ler_wpmul2l.
have mid2 : l * y + (1 - l) * y' <= y'.
  have e : y' = l * y' + (1 - l) * y' by ring.
  by rewrite [X in _ <= X]e ler_add2r ler_wpmul2l.
rewrite /cells_mean !mulr_sumr -big_split /=; apply: eq_big_seq => c cin.
have [low|high] := h c cin.
  rewrite !lesser_above //; last by exact: le_trans low _.
    by ring.
  exact: le_trans low _.
rewrite !lesser_below //; first by ring.
  exact: le_trans high.
exact: le_trans high.
Qed.

Lemma cells_flat (y y' : R) cells : y <= y' -> (forall c, c \in cells -> odds c.1 <= y) ->
  cells_mean (lesser_at u y') cells = cells_mean (lesser_at u y) cells.
Proof.
by move=> yy h; apply: eq_big_seq => c /h hc; rewrite !lesser_above //; exact: le_trans yy.
Qed.

Theorem points_captured S cells (g : R -> R) : Z.lt 0 S -> in_common g ->
  (forall c, c \in cells -> cells_mean (lesser_at u (odds c.1)) cells <= IZR S * g (odds c.1)) ->
  forall y : R, 0 <= y -> cells_mean (lesser_at u y) cells <= IZR S * g y.
Proof.
move=> S0 [g0 grows concave] h y y0; have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
set ps := [seq odds c.1 | c <- cells]; have inps c : c \in cells -> odds c.1 \in ps by move=> ?; apply/mapP; exists c.
pose F (z : R) := cells_mean (lesser_at u z) cells.
have at_0 : F 0 = 0.
  by rewrite /F /cells_mean big1 // => c _; rewrite /lesser_at mul0r /lesser min_r ?mulr0 // ler01.
have at_points a : a \in 0 :: ps -> F a <= IZR S * g a /\ 0 <= a.
  rewrite inE => /predU1P[->|/mapP[c cin ->]]; last by rewrite (ltW (odds_gt0 _)); split=> //; exact: h.
  by rewrite at_0 mulr_ge0 // ltW.
have [a [ain ay below]] := last_before ps y0; rewrite -/(F y); have [a1 a0] := at_points a ain.
have [[b [bin yb above]]|all_below] := first_after ps y; last first.
  rewrite /F (@cells_flat a) //; last by move=> c cin; apply: below; [exact: inps|apply: all_below; exact: inps].
  by apply: le_trans a1 _; rewrite ler_pmul2l //; exact: grows.
have [b1 b0] : F b <= IZR S * g b /\ 0 <= b by apply: at_points; rewrite inE bin orbT.
have d : 0 < b - a by rewrite subr_gt0; exact: le_lt_trans ay yb.
pose l := (b - y) / (b - a).
have l0 : 0 <= l by apply: divr_ge0; [rewrite subr_ge0|]; exact: ltW.
have l1 : l <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have m0 : 0 <= 1 - l by rewrite subr_ge0.
have ye : y = l * a + (1 - l) * b by rewrite /l; field; rewrite gt_eqF.
rewrite ye /F cells_linear // -/(F a) -/(F b); last first.
- move=> c /inps cin; case: (leP (odds c.1) y) => cy; [left|right]; [exact: below|exact: above].
- by rewrite -subr_ge0 ltW.
apply: (@le_trans _ _ (IZR S * (l * g a + (1 - l) * g b))).
  rewrite mulrDr [IZR S * (l * _)]mulrCA [IZR S * ((1 - l) * _)]mulrCA.
  by apply: ler_add; exact: ler_wpmul2l.
by rewrite ler_pmul2l //; exact: concave.
Qed.

(** On a mesh. *)
Theorem cells_captured S first last cells (g : R -> R) : Z.lt 0 S -> cells_above_0 cells -> in_common g ->
  (forall c, c \in cells -> cells_mean (lesser_at u (odds c.1)) cells <= IZR S * g (odds c.1)) ->
  forall y : R, 0 <= y -> mean [:: real_mesh S u (from_cells first last cells)] lesser y <= g y.
Proof.
move=> S0 c0 common h y y0; have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite mean_real_mesh ler_pdivr_mulr // mulrC.
have [le _] := weigh_from_cells S0 first last (fun i => lesser_at_ge0 u i y0) c0.
exact: le_trans le (points_captured S0 common h y0).
Qed.
End Table.
