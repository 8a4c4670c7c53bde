(** Moments of privacy losses in an interval: the inequalities of one variable behind them.

    x^alpha lies below its chord over the interval ([chord_between]); at its ends the mean of
    e^loss is 1, and Hoeffding's inequality bounds the moment ([range_moment]; Cesar & Rogers 2021). *)
From Coq Require Import Reals Lra.
From ExactDP Require Import Hoeffding Powers.
Local Open Scope R_scope.

Lemma chord_between a lo hi u : 1 < a -> lo <= u <= hi ->
  exp (a * u) * (exp hi - exp lo) <=
  (exp u - exp lo) * exp (a * hi) + (exp hi - exp u) * exp (a * lo).
Proof.
intros a1 [u0 u1].
assert (h0 : exp lo <= exp u) by (destruct u0 as [h| ->]; [apply Rlt_le, exp_increasing, h|lra]).
assert (h1 : exp u <= exp hi) by (destruct u1 as [h| ->]; [apply Rlt_le, exp_increasing, h|lra]).
pose proof (tangent a u hi a1) as T1. pose proof (tangent a u lo a1) as T2.
apply (Rmult_le_compat_l (exp u - exp lo)) in T1; [|lra].
apply (Rmult_le_compat_l (exp hi - exp u)) in T2; [|lra].
assert (e : exp (a * u) = exp ((a - 1) * u) * exp u) by (rewrite <- exp_plus; f_equal; lra).
rewrite e in T1, T2 |- *. lra.
Qed.

(** The same chord from its lower end; and that it rises faster than the tangent there. *)
Lemma chord_above a lo hi u : 1 < a -> lo <= u -> u <= hi ->
  exp (a * u) * (exp hi - exp lo) <=
  exp (a * lo) * (exp hi - exp lo) + (exp (a * hi) - exp (a * lo)) * (exp u - exp lo).
Proof. intros a1 u0 u1. pose proof (chord_between a lo hi u a1 (conj u0 u1)). lra. Qed.

Lemma tangent_slope a u v : 1 < a ->
  a * exp ((a - 1) * u) * (exp v - exp u) <= exp (a * v) - exp (a * u).
Proof.
intros a1. pose proof (tangent a u v a1) as T.
assert (e : exp (a * u) = exp ((a - 1) * u) * exp u) by (rewrite <- exp_plus; f_equal; lra).
rewrite e in T |- *. lra.
Qed.

(** Hoeffding's inequality on both sides of 0. *)
Lemma hoeffding_any p q h : 0 < p -> 0 < q -> p + q = 1 ->
  p * exp h + q * exp (- h) <= exp ((p - q) * h + h * h / 2).
Proof.
intros p0 q0 pq. destruct (Rle_lt_dec 0 h) as [h0|h0]; [exact (hoeffding p q p0 q0 pq h h0)|].
pose proof (hoeffding q p q0 p0 (eq_trans (Rplus_comm q p) pq) (- h)) as H.
rewrite Ropp_involutive in H. assert (h1 : 0 <= - h) by lra. specialize (H h1).
replace ((q - p) * - h + - h * - h / 2) with ((p - q) * h + h * h / 2) in H by field. lra.
Qed.

Theorem range_moment a e t : 1 < a -> 0 < e -> t - e <= 0 <= t ->
  (exp t - 1) * exp (a * (t - e)) + (1 - exp (t - e)) * exp (a * t) <=
  (exp t - exp (t - e)) * exp (a * (a - 1) * (e * e / 8)).
Proof.
intros a1 e0 [lo0 hi0].
assert (big : 1 <= exp (a * (a - 1) * (e * e / 8))).
{ pose proof (exp_ineq1_le (a * (a - 1) * (e * e / 8))).
  assert (0 <= a * (a - 1) * (e * e / 8)) by (apply Rmult_le_pos; nra). lra. }
assert (wide : exp (t - e) < exp t) by (apply exp_increasing; lra).
destruct hi0 as [t0|t0].
2:{ subst t. rewrite exp_0 in *. rewrite Rmult_0_r, exp_0. nra. }
destruct lo0 as [l0|l0].
2:{ rewrite l0 in *. rewrite exp_0 in *. rewrite Rmult_0_r, exp_0. nra. }
assert (hi1 : 1 < exp t) by (rewrite <- exp_0; apply exp_increasing, t0).
assert (lo1 : exp (t - e) < 1) by (rewrite <- exp_0; apply exp_increasing, l0).
pose proof (exp_pos (t - e)) as lop. set (hi := exp t) in *. set (lo := exp (t - e)) in *.
set (w := hi - lo). assert (w0 : 0 < w) by (unfold w; lra).
set (p := (1 - lo) * hi / w). set (q := (hi - 1) * lo / w).
assert (p0 : 0 < p) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|exact w0]).
assert (q0 : 0 < q) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|exact w0]).
assert (pq : p + q = 1) by (unfold p, q, w; field; lra).
(* the mean loss is at most e^2/8 *)
assert (mean : t - e / 2 + (p - q) * (e / 2) <= e * e / 8).
{ pose proof (hoeffding_any p q (- (e / 2)) p0 q0 pq) as H. rewrite Ropp_involutive in H.
  assert (E : p * exp (- (e / 2)) + q * exp (e / 2) = exp (t - e / 2)).
  { assert (x1 : hi * exp (- (e / 2)) = exp (t - e / 2)) by (unfold hi; rewrite <- exp_plus; f_equal; lra).
    assert (x2 : lo * exp (e / 2) = exp (t - e / 2)) by (unfold lo; rewrite <- exp_plus; f_equal; lra).
    transitivity ((1 - lo) / w * (hi * exp (- (e / 2))) + (hi - 1) / w * (lo * exp (e / 2))).
    - unfold p, q. field. lra.
    - rewrite x1, x2. unfold w. field. lra. }
  rewrite E in H. apply Rnot_lt_le. intros bad. apply (Rle_not_lt _ _ H). apply exp_increasing. lra. }
pose proof (hoeffding_any p q ((a - 1) * (e / 2)) p0 q0 pq) as H.
assert (E : (hi - 1) * exp (a * (t - e)) + (1 - lo) * exp (a * t) =
  w * (exp ((a - 1) * (t - e / 2)) * (p * exp ((a - 1) * (e / 2)) + q * exp (- ((a - 1) * (e / 2)))))).
{ assert (x1 : exp (a * t) = hi * (exp ((a - 1) * (t - e / 2)) * exp ((a - 1) * (e / 2))))
    by (unfold hi; rewrite <- !exp_plus; f_equal; lra).
  assert (x2 : exp (a * (t - e)) = lo * (exp ((a - 1) * (t - e / 2)) * exp (- ((a - 1) * (e / 2)))))
    by (unfold lo; rewrite <- !exp_plus; f_equal; lra).
  rewrite x1, x2. unfold p, q. field. lra. }
rewrite E. apply Rmult_le_compat_l; [lra|].
eapply Rle_trans; [apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|exact H]|].
rewrite <- exp_plus.
assert (le : (a - 1) * (t - e / 2) + ((p - q) * ((a - 1) * (e / 2)) + (a - 1) * (e / 2) * ((a - 1) * (e / 2)) / 2)
  <= a * (a - 1) * (e * e / 8)).
{ apply (Rmult_le_compat_l (a - 1)) in mean; [|lra]. nra. }
destruct le as [lt| ->]; [apply Rlt_le, exp_increasing, lt|lra].
Qed.
