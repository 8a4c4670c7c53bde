(** 11.7: the kernel of the trapezoid rule of [fourier-upper] and [fourier-lower], how large it is, and
    what is left of its sum beyond a point.

    With a tilt a, a noise s and a variance M^2, z = a + it and q = z(z + 1), it is
    e^{s^2 q/2 + M^2 (q - a(a+1))/2} (1/q - s^2 K(s^2 (q + 1/4))) with a polynomial K ([kernel]).  It is at
    most e^{s^2 a(a+1)/2} times a weight ([kernel_bound]) that falls like a geometric series once
    (st)^2 >= 6 or where s = 0 ([weights_beyond]). *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Normal ProfileShape.
Local Open Scope R_scope.

Record polynomial := Polynomial { coefficient0 : R; coefficient1 : R; coefficient2 : R }.

Section Kernel.
Variables (a s M2 : R) (K : polynomial).
Hypotheses (a0 : 0 < a) (M0 : 0 <= M2).

Definition node (t : R) : C := (a, t).
Definition product_of_node (t : R) : C := (node t * (node t + RtoC 1))%C.
Definition argument (t : R) : C := (RtoC (s * s) * (product_of_node t + RtoC (1 / 4)))%C.
Definition value_of (w : C) : C :=
  (RtoC (coefficient0 K) + RtoC (coefficient1 K) * w + RtoC (coefficient2 K) * (w * w))%C.

(** The size of the first factor, and its angle. *)
Definition decay (t : R) : R := exp ((s * s * (a * (a + 1) - t * t) - M2 * (t * t)) / 2).
Definition angle (t : R) : R := (s * s + M2) * (t * (2 * a + 1)) / 2.
Definition kernel (t : R) : C :=
  (RtoC (decay t) * (cos (angle t), sin (angle t)) *
    (/ product_of_node t - RtoC (s * s) * value_of (argument t)))%C.

(** X, and what the verifier takes for the size. *)
Definition distance (t : R) : R := s * s * ((a + 1 / 2) * (a + 1 / 2) + t * t).
Definition growth : R := exp (s * s * (a * (a + 1)) / 2).
Definition most (x : R) : R := 3 / 4 + 4 * x / 25 + 2 * (x * x) / 25.
Definition weight (kappa t : R) : R :=
  (/ (t * t) + kappa * (s * s) * most (distance t)) * exp (- ((s * s + M2) * (t * t)) / 2).

Lemma distance_ge0 t : 0 <= distance t.
Proof. unfold distance. nra. Qed.

Lemma most_pos x : 0 <= x -> 0 < most x.
Proof. unfold most. nra. Qed.

Lemma modulus_of_argument t : Cmod (argument t) = distance t.
Proof.
rewrite <- (sqrt_Rsqr (distance t)) by apply distance_ge0. unfold Cmod. apply f_equal.
unfold argument, product_of_node, node, distance, Rsqr; simpl. field.
Qed.

Lemma modulus_of_product t : 0 < t -> t * t <= Cmod (product_of_node t).
Proof.
intros t0. unfold product_of_node. rewrite Cmod_mult.
assert (part : forall z : C, snd z = t -> t <= Cmod z).
{ intros z e. eapply Rle_trans; [|apply Rmax_Cmod]. eapply Rle_trans; [|apply Rmax_r].
  rewrite e. apply Rle_abs. }
apply Rmult_le_compat; try lra; apply part; simpl; ring.
Qed.

Lemma modulus_of_unit x : Cmod (cos x, sin x) = 1.
Proof.
rewrite <- sqrt_1. unfold Cmod. apply f_equal. simpl.
pose proof (sin2_cos2 x). unfold Rsqr in *. lra.
Qed.

(** The real part of what is turned back by an angle. *)
Lemma turned_le (z : C) x : Rabs (fst z * cos x + snd z * sin x) <= Cmod z.
Proof.
unfold Cmod. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr. simpl.
pose proof (sin2_cos2 x) as one. unfold Rsqr in one.
assert (0 <= (fst z * sin x - snd z * cos x) * (fst z * sin x - snd z * cos x)) by apply Rle_0_sqr.
replace (fst z * (fst z * 1) + snd z * (snd z * 1))
  with ((fst z * fst z + snd z * snd z) * (sin x * sin x + cos x * cos x)) by (rewrite one; ring).
lra.
Qed.

Section Bound.
Variable kappa : R.
Hypotheses (kappa0 : 0 <= kappa) (small0 : Rabs (coefficient0 K) <= kappa * (3 / 4))
  (small1 : Rabs (coefficient1 K) <= kappa * (4 / 25)) (small2 : Rabs (coefficient2 K) <= kappa * (2 / 25)).

Lemma modulus_of_value t : Cmod (value_of (argument t)) <= kappa * most (distance t).
Proof.
unfold value_of. pose proof (distance_ge0 t) as x0. pose proof (modulus_of_argument t) as m.
eapply Rle_trans; [apply Cmod_triangle|].
pose proof (Cmod_triangle (RtoC (coefficient0 K)) (RtoC (coefficient1 K) * argument t)%C) as h.
rewrite !Cmod_mult, !Cmod_R in *. rewrite m in *. unfold most.
pose proof (Rmult_le_compat_r _ _ _ x0 small1).
pose proof (Rmult_le_compat_r _ _ _ (Rmult_le_pos _ _ x0 x0) small2). lra.
Qed.

Theorem kernel_bound t : 0 < t -> Cmod (kernel t) <= growth * weight kappa t.
Proof.
intros t0. unfold kernel. rewrite !Cmod_mult, modulus_of_unit, Rmult_1_r, Cmod_R.
assert (d : decay t = growth * exp (- ((s * s + M2) * (t * t)) / 2)).
{ unfold decay, growth. rewrite <- exp_plus. f_equal. field. }
assert (d0 : 0 < decay t) by apply exp_pos.
rewrite Rabs_right by lra.
assert (le : Cmod (/ product_of_node t - RtoC (s * s) * value_of (argument t))%C <=
  / (t * t) + kappa * (s * s) * most (distance t)).
{ unfold Cminus. eapply Rle_trans; [apply Cmod_triangle|]. rewrite Cmod_opp, Cmod_mult, Cmod_R.
  pose proof (modulus_of_product t t0) as p. assert (t2 : 0 < t * t) by nra.
  rewrite Cmod_inv by (intro e; rewrite e, Cmod_0 in p; lra).
  assert (s2 : 0 <= s * s) by nra. rewrite (Rabs_right (s * s)) by lra.
  pose proof (Rmult_le_compat_l _ _ _ s2 (modulus_of_value t)).
  pose proof (Rinv_le_contravar _ _ t2 p). lra. }
unfold weight. rewrite (Rmult_comm (_ + _) (exp _)), <- Rmult_assoc, <- d.
apply Rmult_le_compat_l; lra.
Qed.

Lemma weight_pos t : 0 < t -> 0 < weight kappa t.
Proof.
intros t0. unfold weight. apply Rmult_lt_0_compat; [|apply exp_pos].
assert (0 < / (t * t)) by (apply Rinv_0_lt_compat; nra).
pose proof (most_pos _ (distance_ge0 t)). assert (0 <= s * s) by nra.
assert (0 <= kappa * (s * s)) by (apply Rmult_le_pos; assumption).
assert (0 <= kappa * (s * s) * most (distance t)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma most_step x y : 6 <= x -> 0 <= y -> most (x + 4 * y) <= most x * exp y.
Proof.
intros x6 y0. apply Rle_trans with (most x * ((1 + y / 3) * ((1 + y / 3) * (1 + y / 3)))).
{ assert (0 <= y * (most x - 16 / 25 * (1 + x))) by (apply Rmult_le_pos; [|unfold most]; nra).
  assert (0 <= y * y * (most x / 3 - 32 / 25)) by (apply Rmult_le_pos; [|unfold most]; nra).
  assert (0 <= y * y * y * (most x / 27)) by (apply Rmult_le_pos; [|unfold most]; nra).
  assert (e : most (x + 4 * y) = most x + 16 / 25 * (1 + x) * y + 32 / 25 * (y * y)) by (unfold most; field).
  rewrite e. nra. }
apply Rmult_le_compat_l; [apply Rlt_le, most_pos; lra|].
replace (exp y) with (exp (y / 3) * (exp (y / 3) * exp (y / 3))) by (rewrite <- !exp_plus; f_equal; field).
pose proof (exp_ineq1_le (y / 3)). assert (0 <= 1 + y / 3) by lra.
assert (0 <= (1 + y / 3) * (1 + y / 3)) by nra.
repeat apply Rmult_le_compat; lra.
Qed.

(** From a point on, how much less the next one weighs. *)
Variables (d first : R).
Hypotheses (d0 : 0 < d) (first0 : 0 < first) (far : s = 0 \/ 6 <= s * first * (s * first)).
Definition ratio : R := exp (- ((s * s / 2 + M2) * (d * first))).

Lemma weight_step t : first <= t -> weight kappa (t + d) <= weight kappa t * ratio.
Proof.
intros ft. assert (t0 : 0 < t) by lra.
set (y := s * s * (2 * (t * d) + d * d) / 4). assert (s2 : 0 <= s * s) by nra.
assert (td : d * first <= d * t) by (apply Rmult_le_compat_l; lra).
assert (y0 : 0 <= y) by (unfold y; assert (0 <= 2 * (t * d) + d * d) by nra; nra).
assert (m : s * s * most (distance (t + d)) <= s * s * most (distance t) * exp y).
{ destruct far as [e|far'].
  - rewrite e, !Rmult_0_l. lra.
  - rewrite (Rmult_assoc (s * s)). apply Rmult_le_compat_l; [exact s2|].
    replace (distance (t + d)) with (distance t + 4 * y) by (unfold distance, y; field).
    apply most_step; [|exact y0]. unfold distance.
    assert (s * s * (first * first) <= s * s * (t * t)) by (apply Rmult_le_compat_l; nra).
    assert (0 <= s * s * ((a + 1 / 2) * (a + 1 / 2))) by (apply Rmult_le_pos; nra). nra. }
assert (i : / ((t + d) * (t + d)) <= / (t * t) * exp y).
{ pose proof (exp_ineq1_le y). assert (0 < / (t * t)) by (apply Rinv_0_lt_compat; nra).
  apply Rle_trans with (/ (t * t)); [apply Rinv_le_contravar; nra|]. nra. }
unfold weight, ratio. rewrite (Rmult_assoc _ (exp _) (exp _)), <- exp_plus.
apply Rle_trans with ((/ (t * t) + kappa * (s * s) * most (distance t)) * exp y *
  exp (- ((s * s + M2) * ((t + d) * (t + d))) / 2)).
{ apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
  pose proof (Rmult_le_compat_l _ _ _ kappa0 m). lra. }
rewrite (Rmult_assoc _ (exp y) (exp _)), <- exp_plus. apply Rmult_le_compat_l.
{ pose proof (most_pos _ (distance_ge0 t)). assert (0 < / (t * t)) by (apply Rinv_0_lt_compat; nra).
  assert (0 <= kappa * (s * s) * most (distance t)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra. }
assert (e : y + - ((s * s + M2) * ((t + d) * (t + d))) / 2 <=
  - ((s * s + M2) * (t * t)) / 2 + - ((s * s / 2 + M2) * (d * first))).
{ unfold y. assert (0 <= s * s * (d * t - d * first)) by (apply Rmult_le_pos; lra).
  assert (0 <= M2 * (d * t - d * first)) by (apply Rmult_le_pos; lra).
  assert (0 <= s * s * (d * d)) by (apply Rmult_le_pos; nra).
  assert (0 <= M2 * (d * d)) by (apply Rmult_le_pos; nra). nra. }
destruct (Rle_lt_or_eq_dec _ _ e) as [l|l]; [apply Rlt_le, exp_increasing, l|rewrite l; lra].
Qed.

Lemma weight_power j : weight kappa (first + INR j * d) <= weight kappa first * ratio ^ j.
Proof.
induction j as [|j IH].
- simpl. rewrite Rmult_0_l, Rplus_0_r, Rmult_1_r. lra.
- rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, <- Rplus_assoc.
  pose proof (pos_INR j) as j0. eapply Rle_trans; [apply weight_step; nra|].
  replace (weight kappa first * ratio ^ S j) with (weight kappa first * ratio ^ j * ratio) by (simpl; ring).
  apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|exact IH].
Qed.

Hypothesis falls : 0 < s * s / 2 + M2.

Lemma ratio_lt1 : 0 < ratio < 1.
Proof.
split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
assert (0 < (s * s / 2 + M2) * (d * first)) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Fixpoint beyond (n : nat) : R :=
  match n with O => 0 | S n' => beyond n' + weight kappa (first + INR n' * d) end.

Theorem weights_beyond n : beyond n <= weight kappa first / (1 - ratio).
Proof.
pose proof ratio_lt1 as r. pose proof (weight_pos first first0) as w.
assert (h : beyond n <= weight kappa first * ((1 - ratio ^ n) / (1 - ratio))).
{ induction n as [|n IH]; simpl.
  - replace ((1 - 1) / (1 - ratio)) with 0 by (field; lra). lra.
  - pose proof (weight_power n) as p.
    replace ((1 - ratio * ratio ^ n) / (1 - ratio)) with ((1 - ratio ^ n) / (1 - ratio) + ratio ^ n) by (field; lra).
    rewrite Rmult_plus_distr_l. lra. }
eapply Rle_trans; [exact h|]. unfold Rdiv. apply Rmult_le_compat_l; [lra|].
rewrite <- (Rmult_1_l (/ (1 - ratio))) at 2. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
pose proof (pow_lt ratio n (proj1 r)). lra.
Qed.
End Bound.
End Kernel.

(** The polynomials of 11.7 and 11.8. *)
Definition excess (s : R) : R := / (1 - s * s / 12).
Definition tangent : polynomial := Polynomial (34432 / 100000) (- (15568 / 100000)) 0.
Definition parabola (s : R) : polynomial := Polynomial (excess s * (72998 / 100000))
  (- (excess s * (4004 / 100000))) (excess s * (7666 / 100000)).

Definition bounded (kappa : R) (K : polynomial) : Prop := 0 <= kappa /\
  Rabs (coefficient0 K) <= kappa * (3 / 4) /\ Rabs (coefficient1 K) <= kappa * (4 / 25) /\
  Rabs (coefficient2 K) <= kappa * (2 / 25).

Lemma excess_ge1 s : 0 <= s <= 1 -> 1 <= excess s.
Proof.
intros h. unfold excess. rewrite <- Rinv_1. assert (0 <= s * s <= 1) by nra. apply Rinv_le_contravar; lra.
Qed.

Lemma bounded_tangent s : 0 <= s <= 1 -> bounded (excess s) tangent.
Proof.
intros h. pose proof (excess_ge1 s h). unfold bounded; simpl.
rewrite Rabs_Ropp, Rabs_R0, !Rabs_right by lra. lra.
Qed.

Lemma bounded_parabola s : 0 <= s <= 1 -> bounded (excess s) (parabola s).
Proof.
intros h. pose proof (excess_ge1 s h). unfold bounded; simpl.
rewrite Rabs_Ropp, !Rabs_right by lra. lra.
Qed.

(** Chernoff's inequality for the profile. *)
Lemma profile_chernoff mu b e : 0 < mu -> 0 <= b ->
  profile mu e <= exp (- (b * e) + mu * mu * (b * (b + 1)) / 2).
Proof.
intros m0 b0. set (y := e / mu - mu / 2).
assert (le : profile mu e <= Phi (- y)).
{ unfold profile, y. replace (- (e / mu - mu / 2)) with (mu / 2 - e / mu) by ring.
  destruct (Phi_inside (- (mu / 2) - e / mu)) as [h _]. pose proof (exp_pos e). nra. }
assert (e' : - (b * e) + mu * mu * (b * (b + 1)) / 2 = (b * mu - y) * (b * mu - y) / 2 - y * y / 2).
{ unfold y. field. lra. }
rewrite e'. destruct (Rle_or_lt 0 y) as [y0|y0].
- pose proof (Phi_tail y y0) as t. pose proof (bell_pos y).
  apply Rle_trans with (bell y); [lra|]. unfold bell.
  destruct (Rle_lt_or_eq_dec (- (y * y) / 2) ((b * mu - y) * (b * mu - y) / 2 - y * y / 2)) as [h|h].
  + assert (0 <= (b * mu - y) * (b * mu - y)) by apply Rle_0_sqr. lra.
  + apply Rlt_le, exp_increasing, h.
  + rewrite h. lra.
- destruct (Phi_inside (- y)) as [_ h]. apply Rle_trans with 1; [lra|]. rewrite <- exp_0.
  assert (k : 0 <= (b * mu - y) * (b * mu - y) / 2 - y * y / 2) by (assert (0 <= b * mu) by nra; nra).
  destruct (Rle_lt_or_eq_dec _ _ k) as [l|l]; [apply Rlt_le, exp_increasing, l|rewrite <- l; lra].
Qed.
