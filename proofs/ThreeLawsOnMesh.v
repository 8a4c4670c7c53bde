(** Whether a table of values lies above what three normal laws may reveal, by its values alone.

    Between two neighbouring values of a table its call function is linear, and so is what an event is worth, as a
    function of the price: so a table that lies above the suprema at each of its values, with 0 one of them, lies
    above them at all prices ([suprema_by_values]).  Beyond the last value what an event is worth falls, and before
    the first one it grows no faster than the table does. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions RulesGaussian CurvePairs ThreeLaws ThreeNormalLaws.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Table.
Variables (K : finType) (mass value : K -> R) (y d_PQ d_PB d_QB cut : R).
Hypotheses (masses : distribution mass) (zero : K) (value0 : value zero = 0).
Let table (v : R) : R := (call_of mass value v + cut)%R.

(** Where no value lies between two prices. *)
Lemma table_linear (a b v : R) : a <= v -> v <= b -> (forall k, value k <= a \/ b <= value k) ->
  (b - a) * table v = (b - v) * table a + (v - a) * table b.
Proof.
move=> av vb gap; rewrite /table /call_of.
have -> : (b - a) * (\sum_k mass k * pos (value k - v) + cut) =
    \sum_k (b - a) * (mass k * pos (value k - v)) + (b - a) * cut by rewrite mulrDr mulr_sumr.
rewrite (eq_bigr (fun k => (b - v) * (mass k * pos (value k - a)) + (v - a) * (mass k * pos (value k - b)))).
  rewrite big_split /= -!mulr_sumr; set p := \sum_k _; set q := \sum_k _; ring.
move=> k _; case: (gap k) => h.
  by have hv := le_trans h av; have hb := le_trans hv vb; rewrite !pos_0 ?subr_le0 // !mulr0 addr0.
by have hv := le_trans vb h; have ha := le_trans av hv; rewrite !pos_id ?subr_ge0 //; ring.
Qed.

Lemma table_last (b v : R) : b <= v -> (forall k, value k <= b) -> table v = table b.
Proof.
move=> bv last; congr (_ + _); apply: eq_bigr => k _.
by have hv := le_trans (last k) bv; rewrite !pos_0 ?subr_le0.
Qed.

Lemma table_first (a v : R) : v <= a -> (forall k, a <= value k) -> table v = (table a + (a - v))%R.
Proof.
move=> va first; have [m0 m1] := masses; rewrite /table /call_of.
rewrite (eq_bigr (fun k => mass k * pos (value k - a) + mass k * (a - v))) => [|k _].
  by rewrite big_split /= -mulr_suml m1 mul1r addrAC.
by have hv := le_trans va (first k); rewrite !pos_id ?subr_ge0 //; ring.
Qed.

(** A line below the table at two prices with no value between them is below it between them. *)
Lemma line_below (a b v p q : R) : a <= v -> v <= b -> (forall k, value k <= a \/ b <= value k) ->
  p - q * a <= table a -> p - q * b <= table b -> p - q * v <= table v.
Proof.
move=> av vb gap la lb; move: (le_trans av vb); rewrite le_eqVlt => /predU1P[e|ab].
  by have -> : v = a by apply/le_anti; rewrite av e vb.
have d : 0 < b - a by rewrite subr_gt0.
rewrite -(ler_pmul2l d) (table_linear av vb gap).
have -> : (b - a) * (p - q * v) = (b - v) * (p - q * a) + (v - a) * (p - q * b) by ring.
by apply: ler_add; rewrite ler_wpmul2l // subr_ge0.
Qed.

Lemma greatest_until (v : R) : (exists a : K, value a <= v /\ forall k, value k <= v -> value k <= value a) \/
  (forall k, v < value k).
Proof.
case: (pickP (fun k => value k <= v)) => [k0 h0|none]; last by right=> k; rewrite ltNge none.
left; exists [arg max_(k > k0 | value k <= v) value k]%O.
by case: arg_maxP => // a av most; split=> // k; exact: most.
Qed.

Lemma least_after (v : R) : (exists b : K, v < value b /\ forall k, v < value k -> value b <= value k) \/
  (forall k, value k <= v).
Proof.
case: (pickP (fun k => v < value k)) => [k0 h0|none]; last by right=> k; rewrite leNgt none.
left; exists [arg min_(k < k0 | v < value k) value k]%O.
by case: arg_minP => // b bv most; split=> // k; exact: most.
Qed.

Hypothesis at_values : forall k, above_suprema y d_PQ d_PB d_QB (value k) (table (value k)).

Theorem suprema_by_values (v : R) : above_suprema y d_PQ d_PB d_QB v (table v).
Proof.
have apart a b : value a <= v -> v < value b -> (forall k, value k <= v -> value k <= value a) ->
    (forall k, v < value k -> value b <= value k) -> forall k, value k <= value a \/ value b <= value k.
  by move=> _ _ ma mb k; case: (leP (value k) v) => h; [left; exact: ma|right; exact: mb].
split=> v0 c.
  pose p := (Phi c - y * Phi (c - d_PQ)%R)%R; pose q := Phi (c - d_PB)%R; have [q0 _] := Phi_between (c - d_PB)%R.
  have known k : 0 <= value k -> p - q * value k <= table (value k).
    by move=> k0; have := (at_values k).1 k0 c; rewrite /forward [value k * _]mulrC.
  rewrite /forward [v * _]mulrC -/p -/q.
  have [[a [av ma]]|none] := greatest_until v; last by have := none zero; rewrite value0 ltNge v0.
  have a0 : 0 <= value a by rewrite -value0; apply: ma; rewrite value0.
  have [[b [vb mb]]|all] := least_after v.
    have b0 : 0 <= value b := le_trans v0 (ltW vb).
    exact: line_below av (ltW vb) (apart _ _ av vb ma mb) (known a a0) (known b b0).
  rewrite (table_last av) => [|k]; last exact: ma.
  by apply: le_trans (known a a0); rewrite ler_add2l ler_opp2 ler_wpmul2l.
pose p := (Phi (d_PQ - c)%R - y * Phi (- c)%R)%R; pose q := Phi (d_QB - c)%R; have [_ q1] := Phi_between (d_QB - c)%R.
have known k : value k <= 0 -> p - q * value k <= table (value k).
  rewrite le_eqVlt => /predU1P[k0|k0].
    have := (at_values k).1; rewrite k0 => /(_ (lexx 0) (d_PQ - c)%R).
    by rewrite /forward mul0r mulr0 [d_PQ - c - d_PQ]addrAC subrr add0r.
  by have := (at_values k).2 k0 c; rewrite /backward [value k * _]mulrC addrAC.
rewrite /backward [v * _]mulrC addrAC -/p -/q.
have [[b [vb mb]]|all] := least_after v; last by have := all zero; rewrite value0 leNgt v0.
have b0 : value b <= 0 by rewrite -value0; apply: mb; rewrite value0.
have [[a [av ma]]|none] := greatest_until v.
  have a0 : value a <= 0 := le_trans av (ltW v0).
  exact: line_below av (ltW vb) (apart _ _ av vb ma mb) (known a a0) (known b b0).
rewrite (table_first (ltW vb)) => [|k]; last exact: mb.
have -> : p - q * v = p - q * value b + q * (value b - v) by ring.
by apply: ler_add; [exact: known|rewrite -[X in _ <= X]mul1r ler_wpmul2r // subr_ge0 ltW].
Qed.
End Table.
