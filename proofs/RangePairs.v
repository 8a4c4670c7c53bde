(** What a mechanism of bounded range is dominated by (SPEC, 7.4): of losses that lie in an interval
    of length e, the profile at e^l is at most (1 - e^((l - e)/2))^2 / (1 - e^-e), at every l. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Notions RulesNoiseRenyi OverlapTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Chord.
Variables (a T y s : R).
Hypotheses (a0 : 0 < a) (a1 : a < 1) (T0 : 0 < T) (y0 : 0 <= y) (root : s ^+ 2 = y * a).
Let Ta0 : 0 < T * a. Proof. exact: mulr_gt0. Qed.
Let long : 0 < T * (1 - a). Proof. by rewrite mulr_gt0 // subr_gt0. Qed.

(** min(p, y q) is concave in p, so that it is above its chord from T a q to T q. *)
Lemma chord_below (p q : R) : 0 <= q -> T * a * q <= p -> p <= T * q ->
  (p - T * a * q) * Num.min T y + (T * q - p) * Num.min (T * a) y <= T * (1 - a) * Num.min p (y * q).
Proof.
move=> q0 lo hi; have l0 : 0 <= p - T * a * q by rewrite subr_ge0.
have h0 : 0 <= T * q - p by rewrite subr_ge0.
rewrite [X in _ <= X]minr_pmulr ?(ltW long) // le_minr; apply/andP; split.
  apply: (@le_trans _ _ ((p - T * a * q) * T + (T * q - p) * (T * a))).
    by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
apply: (@le_trans _ _ ((p - T * a * q) * y + (T * q - p) * y)).
  by apply: ler_add; apply: ler_wpmul2l => //; rewrite le_minl lexx orbT.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma chord_overlap (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  (forall o, T * a * Q o <= P o /\ P o <= T * Q o) ->
  (1 - T * a) * Num.min T y + (T - 1) * Num.min (T * a) y <= T * (1 - a) * overlap P Q y.
Proof.
move=> [P0 P1] [Q0 Q1] h; rewrite /overlap mulr_sumr.
apply: (@le_trans _ _ (\sum_o ((P o - T * a * Q o) * Num.min T y + (T * Q o - P o) * Num.min (T * a) y))).
  by rewrite big_split /= -!mulr_suml !sumrB -!mulr_sumr P1 Q1 !mulr1.
by apply: ler_sum => o _; have [lo hi] := h o; exact: chord_below.
Qed.

Lemma square_above_0 (b c : R) : 2%:R * (b * c) <= b ^+ 2 + c ^+ 2.
Proof.
rewrite -subr_ge0; have -> : b ^+ 2 + c ^+ 2 - 2%:R * (b * c) = (b - c) ^+ 2 by ring.
exact: sqr_ge0.
Qed.

(** The greatest of the profiles of two outputs. *)
Lemma chord_least : 1 <= T -> T * a <= 1 ->
  T * ((1 - a) - (1 - s) ^+ 2) <= (1 - T * a) * Num.min T y + (T - 1) * Num.min (T * a) y.
Proof.
move=> T1 Ta1; have gap : T * ((1 - a) - (1 - s) ^+ 2) = T * (2%:R * s - a - y * a) by rewrite -root; ring.
rewrite gap; have u0 : 0 <= 1 - T * a by rewrite subr_ge0.
have v0 : 0 <= T - 1 by rewrite subr_ge0.
have [lowT|highT] := leP T y.
  have -> : Num.min (T * a) y = T * a.
    by apply: min_l; apply: le_trans lowT; rewrite -[X in _ <= X]mulr1 ler_wpmul2l // ltW.
  have -> : (1 - T * a) * T + (T - 1) * (T * a) = T * (1 - a) by ring.
  rewrite ler_wpmul2l ?(ltW T0) // -subr_ge0.
  have -> : 1 - a - (2%:R * s - a - y * a) = (1 - s) ^+ 2 by rewrite sqrrB root; ring.
  exact: sqr_ge0.
have [lowTa|highTa] := leP (T * a) y; last first.
  have -> : (1 - T * a) * y + (T - 1) * y = T * (y * (1 - a)) by ring.
  rewrite ler_wpmul2l ?(ltW T0) //.
  rewrite -subr_ge0; have -> : y * (1 - a) - (2%:R * s - a - y * a) = y + a - 2%:R * s by ring.
  rewrite subr_ge0 -(ler_pmul2r a0); have -> : (y + a) * a = s ^+ 2 + a ^+ 2 by rewrite root; ring.
  by apply: le_trans (square_above_0 s a); rewrite mulrA.
rewrite -subr_ge0 -(pmulr_rge0 _ a0).
have -> : a * ((1 - T * a) * y + (T - 1) * (T * a) - T * (2%:R * s - a - y * a)) =
  y * a + (T * a) ^+ 2 - 2%:R * (s * (T * a)) by ring.
by rewrite -root subr_ge0 square_above_0.
Qed.
End Chord.

Theorem range_profile (e l : R) (Y : finType) (P Q : Y -> R) : 0 < e -> distribution P -> distribution Q ->
  bounded_range e P Q -> hockey_stick 1 (exp l) P Q <= (1 - exp ((l - e) / 2%:R)) ^+ 2 / (1 - exp (- e)).
Proof.
move=> e0 dP dQ [t h]; have a0 : 0 < exp (- e) := exp_gt0 _; have T0 : 0 < exp t := exp_gt0 _.
have a1 : exp (- e) < 1 by rewrite -[1]exp_0 ltNge exp_le -ltNge oppr_lt0.
have root : exp ((l - e) / 2%:R) ^+ 2 = exp l * exp (- e).
  by rewrite expr2 -!expD; congr exp; field.
have h' o : exp t * exp (- e) * Q o <= P o /\ P o <= exp t * Q o by rewrite -expD; exact: h.
have [P0 P1] := dP; have [Q0 Q1] := dQ.
have T1 : 1 <= exp t by rewrite -P1 -[X in _ <= X]mulr1 -Q1 mulr_sumr; apply: ler_sum => o _; have [] := h' o.
have Ta1 : exp t * exp (- e) <= 1.
  by rewrite -P1 -[X in X <= _]mulr1 -Q1 mulr_sumr; apply: ler_sum => o _; have [] := h' o.
have c := le_trans (chord_least a0 a1 T0 root T1 Ta1)
  (chord_overlap (exp l) a1 T0 dP dQ h').
rewrite -mulrA ler_pmul2l // in c; rewrite hockey_stick_overlap P1 ler_pdivl_mulr ?subr_gt0 //.
rewrite ler_subl_addr in c; rewrite mulrBl mul1r ler_subl_addr; apply: le_trans c _.
by rewrite addrC [_ * overlap _ _ _]mulrC.
Qed.

(** No loss is beyond the range, in either direction. *)
Theorem range_ends (e l : R) (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q -> bounded_range e P Q ->
  (e <= l -> overlap P Q (exp l) = 1) /\ (l <= - e -> overlap P Q (exp l) = exp l).
Proof.
move=> [P0 P1] [Q0 Q1] [t h].
have T1 : 0 <= t.
  suff h1 : 1 <= exp t by rewrite -exp_le exp_0.
  by rewrite -P1 -[X in _ <= X]mulr1 -Q1 mulr_sumr; apply: ler_sum => o _; have [] := h o.
have T2 : t <= e.
  suff h1 : exp (t - e) <= 1 by rewrite -subr_le0 -exp_le exp_0.
  by rewrite -P1 -[X in X <= _]mulr1 -Q1 mulr_sumr; apply: ler_sum => o _; have [] := h o.
split=> le; rewrite /overlap.
  transitivity (\sum_o P o); [apply: eq_bigr|exact: P1].
  move=> o _; have [_ hi] := h o; apply: min_l; apply: le_trans hi _.
  by rewrite ler_wpmul2r // exp_le (le_trans T2).
transitivity (\sum_o exp l * Q o); last by rewrite -mulr_sumr Q1 mulr1.
apply: eq_bigr => o _; have [lo _] := h o; apply: min_r; apply: le_trans lo.
rewrite ler_wpmul2r // exp_le; apply: le_trans le _; rewrite ler_subr_addr addrC subrr //.
Qed.
