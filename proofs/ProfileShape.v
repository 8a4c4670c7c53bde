(** The shape of the profile of a Gaussian mechanism: it lies strictly between 0 and 1, and as a
    function of y = e^epsilon it falls and is convex ([profile_tangent]). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails.
Local Open Scope R_scope.

Lemma rest_pos x : 0 < rest x.
Proof.
apply RInt_gt_0; [lra| |].
- intros t _. unfold slice. apply Rdiv_lt_0_compat; [|nra].
  apply Rmult_lt_0_compat; [lra|apply exp_pos].
- intros t _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold slice. auto_derive. nra.
Qed.

Lemma rest_le x : rest x <= bell x * (PI / 2).
Proof.
rewrite <- rest0. unfold rest.
replace (bell x * RInt (slice 0) 0 1) with (RInt (fun t => scal (bell x) (slice 0 t)) 0 1)
  by (apply (@RInt_scal R_CompleteNormedModule), integrable_slice).
apply RInt_le; [lra|apply integrable_slice| |].
  apply (@ex_RInt_scal R_NormedModule), integrable_slice.
intros t _. change (slice x t <= bell x * slice 0 t). rewrite <- slice0. unfold slice, bell, Rsqr.
assert (d : 0 < / (1 + t * t)) by (apply Rinv_0_lt_compat; nra).
assert (exp (- (x * x) * (1 + t * t) / 2) <= exp (- (x * x) / 2)).
{ destruct (Rle_lt_or_eq_dec 0 (x * x * (t * t))) as [h|h]; [nra| |].
  - apply Rlt_le, exp_increasing. lra.
  - apply Req_le. f_equal. lra. }
unfold Rdiv. nra.
Qed.

Definition half : R := sqrt (2 * PI) / 2.

Lemma half_pos : 0 < half.
Proof. unfold half. assert (0 < sqrt (2 * PI)) by (apply sqrt_lt_R0; pose proof PI_RGT_0; lra). lra. Qed.

Lemma half_square : half * half = PI / 2.
Proof.
unfold half. replace (sqrt (2 * PI) / 2 * (sqrt (2 * PI) / 2)) with (sqrt (2 * PI) * sqrt (2 * PI) / 4) by field.
rewrite sqrt_sqrt by (pose proof PI_RGT_0; lra). field.
Qed.

Lemma Phi_half x : Phi x = / 2 + integral x / half / 2.
Proof. unfold Phi, half, integral. field. pose proof half_pos. unfold half in *. lra. Qed.

Lemma Phi_inside x : 0 < Phi x < 1.
Proof.
pose proof (gaussian_integral x) as g. pose proof (rest_pos x). pose proof half_pos as p.
rewrite <- half_square in g. rewrite Phi_half.
assert (b : - half < integral x < half) by (split; nra).
assert (e : integral x = integral x / half * half) by (field; lra).
set (q := integral x / half) in *. rewrite e in b. split; nra.
Qed.

Lemma Phi_tail x : 0 <= x -> Phi (- x) <= bell x / 2.
Proof.
intros x0. pose proof (gaussian_integral x) as g. pose proof (rest_le x) as r. pose proof half_pos as p.
rewrite <- half_square in g, r. rewrite Phi_half. unfold integral at 1.
rewrite integral_moment, moment_opp, <- integral_moment. fold (integral x).
pose proof (bell_pos x).
assert (bell x <= 1).
{ unfold bell. rewrite <- exp_0. destruct (Rle_lt_or_eq_dec 0 (x * x)) as [h|h]; [nra| |].
  - apply Rlt_le, exp_increasing. lra.
  - apply Req_le. f_equal. lra. }
assert (i0 : 0 <= integral x).
{ apply RInt_ge_0; [exact x0|apply ex_RInt_bell|]. intros t _. apply Rlt_le, bell_pos. }
assert (b : half * (1 - bell x) <= integral x).
{ apply Rnot_lt_le. intros lt.
  assert (integral x * integral x < half * (1 - bell x) * (half * (1 - bell x)))
    by (apply Rmult_le_0_lt_compat; assumption).
  assert (half * half * ((1 - bell x) * (1 - bell x)) <= half * half * (1 - bell x))
    by (apply Rmult_le_compat_l; nra).
  nra. }
assert (e : integral x = integral x / half * half) by (field; lra).
replace (- integral x / half) with (- (integral x / half)) by (unfold Rdiv; ring).
set (q := integral x / half) in *. rewrite e in b. nra.
Qed.

Lemma is_derive_Phi x : is_derive Phi x (bell x / sqrt (2 * PI)).
Proof.
unfold Phi. replace (bell x / sqrt (2 * PI)) with (0 + / sqrt (2 * PI) * bell x) by (unfold Rdiv; ring).
apply (@is_derive_plus R_AbsRing R_NormedModule (fun _ => / 2)); [apply (@is_derive_const R_AbsRing R_NormedModule)|].
apply (is_derive_ext (fun t => / sqrt (2 * PI) * integral t)).
  intros. unfold Rdiv, integral. apply Rmult_comm.
apply (is_derive_scal integral x), is_derive_integral.
Qed.

Lemma Phi_le x y : x <= y -> Phi x <= Phi y.
Proof.
intros xy. replace y with (x + (y - x)) by ring. rewrite <- (Rplus_0_r x) at 1.
apply (nondecr (fun t => Phi (x + t)) (fun t => bell (x + t) / sqrt (2 * PI))); [lra| |].
- intros t _. replace (bell (x + t) / sqrt (2 * PI)) with (1 * (bell (x + t) / sqrt (2 * PI))) by ring.
  apply (is_derive_comp Phi (fun t => x + t)); [apply is_derive_Phi|]. auto_derive; [exact I|ring].
- intros t _. pose proof half_pos. unfold half in *. apply Rlt_le, Rdiv_lt_0_compat; [apply bell_pos|lra].
Qed.

Section Profile.
Variable mu : R.
Hypothesis mu0 : 0 < mu.

(** The probability of the event that tells most at e, under the second hypothesis. *)
Definition slope (e : R) : R := Phi (- (mu / 2) - e / mu).

Lemma is_derive_profile e : is_derive (profile mu) e (- exp e * slope e).
Proof.
assert (D : forall c, is_derive (fun e => Phi (c - e / mu)) e (- / mu * (bell (c - e / mu) / sqrt (2 * PI)))).
{ intros c. apply (is_derive_comp Phi (fun e => c - e / mu)); [apply is_derive_Phi|].
  auto_derive; [lra|field; lra]. }
assert (bells : exp e * bell (- (mu / 2) - e / mu) = bell (mu / 2 - e / mu)).
{ unfold bell. rewrite <- exp_plus. f_equal. field. lra. }
replace (- exp e * slope e) with (- / mu * (bell (mu / 2 - e / mu) / sqrt (2 * PI)) -
  (exp e * slope e + exp e * (- / mu * (bell (- (mu / 2) - e / mu) / sqrt (2 * PI))))).
2:{ rewrite <- bells. unfold Rdiv. ring. }
apply (@is_derive_minus R_AbsRing R_NormedModule (fun e => Phi (mu / 2 - e / mu))); [apply D|].
apply (is_derive_mult exp (fun e => Phi (- (mu / 2) - e / mu))).
- apply is_derive_Reals, derivable_pt_lim_exp.
- apply D.
- intros. apply Rmult_comm.
Qed.

Theorem profile_tangent e0 e : profile mu e0 - slope e0 * (exp e - exp e0) <= profile mu e.
Proof.
pose (f := fun s t => profile mu (e0 + s * t) + slope e0 * exp (e0 + s * t)).
assert (D : forall s t, is_derive (f s) t (s * (exp (e0 + s * t) * (slope e0 - slope (e0 + s * t))))).
{ intros s t.
  replace (s * (exp (e0 + s * t) * (slope e0 - slope (e0 + s * t))))
    with (s * (- exp (e0 + s * t) * slope (e0 + s * t)) + slope e0 * (s * exp (e0 + s * t))) by ring.
  assert (L : is_derive (fun t => e0 + s * t) t s) by (auto_derive; [exact I|ring]).
  apply (@is_derive_plus R_AbsRing R_NormedModule (fun t => profile mu (e0 + s * t))).
    apply (is_derive_comp (profile mu) (fun t => e0 + s * t)); [apply is_derive_profile|exact L].
  apply (is_derive_scal (fun t => exp (e0 + s * t)) t (slope e0)).
  apply (is_derive_comp exp (fun t => e0 + s * t)); [apply is_derive_Reals, derivable_pt_lim_exp|exact L]. }
assert (main : forall s d, s * s = 1 -> 0 <= d -> f s 0 <= f s d).
{ intros s d s1 d0. apply (nondecr (f s) _ d d0 (fun t _ => D s t)). intros t [t0 _].
  pose proof (exp_pos (e0 + s * t)).
  assert (step : forall x y, x <= y -> slope y <= slope x).
  { intros x y xy. apply Phi_le. apply Rplus_le_compat_l, Ropp_le_contravar.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; exact mu0|exact xy]. }
  destruct (Rle_or_lt 0 s) as [h|h].
  - assert (0 <= s * t) by (apply Rmult_le_pos; assumption). apply Rmult_le_pos; [exact h|].
    apply Rmult_le_pos; [lra|]. pose proof (step e0 (e0 + s * t) ltac:(lra)). lra.
  - assert (0 <= - s * t) by (apply Rmult_le_pos; lra).
    replace (s * _) with (- s * (exp (e0 + s * t) * (slope (e0 + s * t) - slope e0))) by ring.
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|].
    pose proof (step (e0 + s * t) e0 ltac:(lra)). lra. }
assert (end_ : forall s, s * s = 1 -> 0 <= s * (e - e0) -> f s 0 <= f s (s * (e - e0))) by (intros; apply main; assumption).
unfold f in end_.
destruct (Rle_or_lt e0 e) as [h|h].
- specialize (end_ 1 ltac:(lra) ltac:(lra)). rewrite Rmult_0_r, Rplus_0_r in end_.
  replace (e0 + 1 * (1 * (e - e0))) with e in end_ by ring. lra.
- specialize (end_ (-1) ltac:(lra) ltac:(lra)). rewrite Rmult_0_r, Rplus_0_r in end_.
  replace (e0 + -1 * (-1 * (e - e0))) with e in end_ by ring. lra.
Qed.

Lemma profile_lt e e' : e < e' -> profile mu e' < profile mu e.
Proof.
intros h. pose proof (profile_tangent e' e). pose proof (exp_increasing _ _ h).
destruct (Phi_inside (- (mu / 2) - e' / mu)). unfold slope in *. nra.
Qed.

Lemma profile_lt1 e : profile mu e < 1.
Proof.
unfold profile. pose proof (exp_pos e).
destruct (Phi_inside (mu / 2 - e / mu)), (Phi_inside (- (mu / 2) - e / mu)). nra.
Qed.

Theorem profile_pos e : 0 < profile mu e.
Proof.
apply Rnot_le_lt. intros neg. pose proof (profile_lt e (e + 1) ltac:(lra)).
set (d := - profile mu (e + 1)). assert (d0 : 0 < d) by (unfold d; lra).
set (a := 1 + / d + Rabs (e + 1) / mu). pose proof (Rinv_0_lt_compat _ d0).
assert (0 <= Rabs (e + 1) / mu) by (apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rinv_0_lt_compat, mu0]).
set (e' := mu * (a + mu / 2)).
assert (big : e + 1 < e').
{ pose proof (Rle_abs (e + 1)). unfold e', a.
  replace (mu * (1 + / d + Rabs (e + 1) / mu + mu / 2))
    with (mu * (1 + / d) + mu * mu / 2 + Rabs (e + 1)) by (field; lra). nra. }
pose proof (profile_lt _ _ big) as low.
assert (tail : - (bell a / 2) <= profile mu e').
{ unfold profile. replace (mu / 2 - e' / mu) with (- a) by (unfold e'; field; lra).
  replace (- (mu / 2) - e' / mu) with (- (a + mu)) by (unfold e'; field; lra).
  pose proof (Phi_tail (a + mu) ltac:(unfold a; lra)). pose proof (exp_pos e').
  destruct (Phi_inside (- a)).
  assert (exp e' * bell (a + mu) = bell a).
  { unfold bell. rewrite <- exp_plus. f_equal. unfold e'. field. }
  nra. }
assert (small : bell a * a <= 2).
{ unfold bell. replace (- (a * a) / 2) with (- (a * a / 2)) by field. rewrite exp_Ropp.
  pose proof (exp_ineq1 (a * a / 2)). assert (a1 : 1 < a) by (unfold a; lra).
  apply (Rmult_le_reg_l (exp (a * a / 2))); [apply exp_pos|].
  rewrite <- Rmult_assoc, Rinv_r by (pose proof (exp_pos (a * a / 2)); lra). nra. }
assert (/ d < a) by (unfold a; lra).
assert (1 < a * d).
{ replace 1 with (/ d * d) by (field; lra). apply Rmult_lt_compat_r; assumption. }
pose proof (bell_pos a). assert (d < bell a / 2) by (unfold d; lra). nra.
Qed.
End Profile.
