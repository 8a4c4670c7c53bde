(** The divergence of two normal laws with weights a and b, and that of a part of the line.

    [curve mu a b] is the supremum of a Phi(x + mu) - b Phi(x), the half-lines' a P(S) - b Q(S) for
    normal laws of variance 1 whose means differ by mu ([curve_event], [curve_least]): for a, b > 0 it is a
    times the profile at ln(b/a).  From its being a supremum follow that it is homogeneous, changes
    slowly, and grows with mu. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
From ExactDP Require Import ProfileOfMu NormalConvolution.
Local Open Scope R_scope.

Definition curve (mu a b : R) : R :=
  if Rlt_dec 0 mu then
    if Rlt_dec 0 a then if Rlt_dec 0 b then a * profile mu (ln (b / a)) else a else 0
  else Rmax (a - b) 0.

(** Neyman & Pearson: no half-line does better than the profile. *)
Lemma profile_event mu e x : 0 < mu -> Phi (x + mu) - exp e * Phi x <= profile mu e.
Proof.
intros mu0. pose proof (profile_tangent mu mu0 (- mu * (x + mu / 2)) e) as h.
unfold slope in h. replace (- (mu / 2) - - mu * (x + mu / 2) / mu) with x in h by (field; lra).
unfold profile in h at 1.
replace (mu / 2 - - mu * (x + mu / 2) / mu) with (x + mu) in h by (field; lra).
replace (- (mu / 2) - - mu * (x + mu / 2) / mu) with x in h by (field; lra). lra.
Qed.

Lemma exp_ratio a b : 0 < a -> 0 < b -> a * exp (ln (b / a)) = b.
Proof. intros a0 b0. rewrite exp_ln by (apply Rdiv_lt_0_compat; assumption). field. lra. Qed.

Section Curve.
Variable mu : R.
Hypothesis mu0 : 0 <= mu.

Lemma curve_event a b x : 0 <= a -> 0 <= b -> a * Phi (x + mu) - b * Phi x <= curve mu a b.
Proof.
intros a0 b0. destruct (Phi_inside (x + mu)), (Phi_inside x). unfold curve.
destruct (Rlt_dec 0 mu) as [h|h].
- destruct (Rlt_dec 0 a) as [ha|ha]; [|replace a with 0 by lra; nra].
  destruct (Rlt_dec 0 b) as [hb|hb]; [|replace b with 0 by lra; nra].
  rewrite <- (exp_ratio a b ha hb) at 1.
  pose proof (profile_event mu (ln (b / a)) x h). nra.
- replace (x + mu) with x by lra. pose proof (Rmax_l (a - b) 0). pose proof (Rmax_r (a - b) 0). nra.
Qed.

Lemma curve_diff a b : 0 <= a -> 0 <= b -> a - b <= curve mu a b.
Proof.
intros a0 b0. unfold curve. destruct (Rlt_dec 0 mu) as [h|h]; [|apply Rmax_l].
destruct (Rlt_dec 0 a) as [ha|ha]; [|lra]. destruct (Rlt_dec 0 b) as [hb|hb]; [|lra].
rewrite <- (exp_ratio a b ha hb) at 1. pose proof (profile_of_equals mu (ln (b / a)) h). nra.
Qed.

Lemma curve_ge0 a b : 0 <= curve mu a b.
Proof.
unfold curve. destruct (Rlt_dec 0 mu) as [h|h]; [|apply Rmax_r].
destruct (Rlt_dec 0 a) as [ha|ha]; [|lra]. destruct (Rlt_dec 0 b) as [hb|hb]; [|lra].
pose proof (profile_pos mu h (ln (b / a))). nra.
Qed.

Lemma curve_least a b c : 0 <= a -> 0 <= b -> (forall x, a * Phi (x + mu) - b * Phi x <= c) ->
  a - b <= c -> 0 <= c -> curve mu a b <= c.
Proof.
intros a0 b0 H d c0. unfold curve. destruct (Rlt_dec 0 mu) as [h|h]; [|apply Rmax_lub; assumption].
destruct (Rlt_dec 0 a) as [ha|ha]; [|lra]. destruct (Rlt_dec 0 b) as [hb|hb]; [|lra].
specialize (H (- (mu / 2) - ln (b / a) / mu)).
replace (- (mu / 2) - ln (b / a) / mu + mu) with (mu / 2 - ln (b / a) / mu) in H by (field; lra).
rewrite <- (exp_ratio a b ha hb) in H at 2. unfold profile. lra.
Qed.

Lemma curve_le a b : 0 <= a -> 0 <= b -> curve mu a b <= a.
Proof.
intros a0 b0. apply curve_least; try lra. intros x.
destruct (Phi_inside (x + mu)), (Phi_inside x). nra.
Qed.

Lemma curve_near a b a' b' : 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
  curve mu a b <= curve mu a' b' + Rabs (a - a') + Rabs (b - b').
Proof.
intros a0 b0 a0' b0'. pose proof (Rle_abs (a - a')). pose proof (Rle_abs (- (b - b'))).
rewrite Rabs_Ropp in *. pose proof (Rabs_pos (a - a')). pose proof (Rabs_pos (b - b')).
pose proof (curve_ge0 a' b'). pose proof (curve_diff a' b' a0' b0').
apply curve_least; try lra. intros x. pose proof (curve_event a' b' x a0' b0').
destruct (Phi_inside (x + mu)), (Phi_inside x). nra.
Qed.

Lemma curve_scale_le c a b : 0 < c -> 0 <= a -> 0 <= b -> curve mu (c * a) (c * b) <= c * curve mu a b.
Proof.
intros c0 a0 b0. pose proof (curve_ge0 a b). pose proof (curve_diff a b a0 b0).
apply curve_least; try nra. intros x. pose proof (curve_event a b x a0 b0). nra.
Qed.

Lemma curve_zero b : 0 <= b -> curve mu 0 b = 0.
Proof. intros b0. pose proof (curve_le 0 b (Rle_refl 0) b0). pose proof (curve_ge0 0 b). lra. Qed.

Lemma curve_certain a : 0 <= a -> curve mu a 0 = a.
Proof.
intros a0. pose proof (curve_le a 0 a0 (Rle_refl 0)). pose proof (curve_diff a 0 a0 (Rle_refl 0)). lra.
Qed.

Lemma curve_scale c a b : 0 <= c -> 0 <= a -> 0 <= b -> curve mu (c * a) (c * b) = c * curve mu a b.
Proof.
intros c0 a0 b0. destruct (Rle_lt_or_eq_dec 0 c c0) as [h|h].
2:{ rewrite <- h, !Rmult_0_l. apply curve_zero. lra. }
pose proof (curve_scale_le c a b h a0 b0). apply Rle_antisym; [assumption|].
pose proof (curve_scale_le (/ c) (c * a) (c * b) (Rinv_0_lt_compat _ h)
  (Rmult_le_pos _ _ c0 a0) (Rmult_le_pos _ _ c0 b0)) as g.
rewrite <- !Rmult_assoc, Rinv_l, !Rmult_1_l in g by lra.
apply (Rmult_le_compat_l c) in g; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in g by lra. exact g.
Qed.

Lemma curve_add a b a' b' : 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
  curve mu (a + a') (b + b') <= curve mu a b + curve mu a' b'.
Proof.
intros a0 b0 a0' b0'. pose proof (curve_ge0 a b). pose proof (curve_ge0 a' b').
pose proof (curve_diff a b a0 b0). pose proof (curve_diff a' b' a0' b0').
apply curve_least; try lra. intros x. pose proof (curve_event a b x a0 b0).
pose proof (curve_event a' b' x a0' b0'). lra.
Qed.
End Curve.

(** Phi changes by at most the change of its argument. *)
Lemma Phi_near x y : x <= y -> Phi y - Phi x <= y - x.
Proof.
intros xy.
assert (h : (x + 0) - Phi (x + 0) <= (x + (y - x)) - Phi (x + (y - x))).
{ apply (nondecr (fun t => (x + t) - Phi (x + t)) (fun t => 1 - phi (x + t))); [lra| |].
  - intros t _. apply (@is_derive_minus R_AbsRing R_NormedModule (fun t => x + t)).
      auto_derive; [exact I|ring].
    rewrite <- (Rmult_1_l (phi _)). apply (is_derive_comp Phi (fun t => x + t)); [apply is_derive_Phi|].
    auto_derive; [exact I|ring].
  - intros t _. destruct (phi_small (x + t)). lra. }
rewrite Rplus_0_r in h. replace (x + (y - x)) with y in h by ring. lra.
Qed.

Lemma curve_mu mu mu' a b : 0 <= mu <= mu' -> 0 <= a -> 0 <= b ->
  curve mu a b <= curve mu' a b <= curve mu a b + a * (mu' - mu).
Proof.
intros [mu0 le] a0 b0. pose proof (curve_ge0 mu a b). pose proof (curve_ge0 mu' a b).
pose proof (curve_diff mu a b a0 b0). pose proof (curve_diff mu' a b a0 b0).
split; (apply curve_least; try lra; try nra; intros x).
- pose proof (curve_event mu' ltac:(lra) a b x a0 b0). pose proof (Phi_le (x + mu) (x + mu') ltac:(lra)). nra.
- pose proof (curve_event mu mu0 a b x a0 b0). pose proof (Phi_near (x + mu) (x + mu') ltac:(lra)). nra.
Qed.

(** The curve of mu1 at the densities of normal laws whose means differ by mu2, integrated. *)
Section Density.
Variables mu1 mu2 a b : R.
Hypotheses (mu10 : 0 < mu1) (a0 : 0 < a) (b0 : 0 < b).

Definition density_curve (z : R) : R := curve mu1 (a * phi (z - mu2)) (b * phi z).
Let mu : R := sqrt (mu1 * mu1 + mu2 * mu2).
Let c : R := ln (b / a).
Let beta : R := mu2 / mu1.
Let first : R := mu1 / 2 - (c - mu2 * mu2 / 2) / mu1.
Let second : R := - (mu1 / 2) - (c + mu2 * mu2 / 2) / mu1.

Let mu_square : mu * mu = mu1 * mu1 + mu2 * mu2.
Proof. apply sqrt_sqrt. nra. Qed.
Let mu_pos : 0 < mu.
Proof. apply sqrt_lt_R0. nra. Qed.

Lemma density_curveE z : density_curve z =
  a * (phi (z - mu2) * Phi (first + beta * (z - mu2))) - b * (phi z * Phi (second + beta * z)).
Proof.
pose proof (phi_pos z) as p. pose proof (phi_pos (z - mu2)) as p'.
unfold density_curve, curve. destruct (Rlt_dec 0 mu1) as [_|h]; [|lra].
destruct (Rlt_dec 0 (a * phi (z - mu2))) as [ha|h]; [|nra].
destruct (Rlt_dec 0 (b * phi z)) as [hb|h]; [|nra].
assert (e : ln (b * phi z / (a * phi (z - mu2))) = c - mu2 * z + mu2 * mu2 / 2).
{ unfold c. rewrite <- (ln_exp (- mu2 * z + mu2 * mu2 / 2)) at 1 || idtac.
  replace (ln (b / a) - mu2 * z + mu2 * mu2 / 2) with (ln (b / a) + ln (exp (- mu2 * z + mu2 * mu2 / 2)))
    by (rewrite ln_exp; ring).
  rewrite <- ln_mult by (apply Rdiv_lt_0_compat || apply exp_pos; assumption). f_equal.
  replace (phi z) with (phi (z - mu2) * exp (- mu2 * z + mu2 * mu2 / 2)).
    field. lra.
  unfold phi, bell. pose proof root_pos.
  replace (exp (- ((z - mu2) * (z - mu2)) / 2) / sqrt (2 * PI) * exp (- mu2 * z + mu2 * mu2 / 2))
    with (exp (- ((z - mu2) * (z - mu2)) / 2) * exp (- mu2 * z + mu2 * mu2 / 2) / sqrt (2 * PI)) by (field; lra).
  rewrite <- exp_plus. f_equal. f_equal. field. }
unfold profile. rewrite Rmult_minus_distr_l, <- Rmult_assoc, exp_ratio by assumption. rewrite e.
replace (mu1 / 2 - (c - mu2 * z + mu2 * mu2 / 2) / mu1) with (first + beta * (z - mu2))
  by (unfold first, beta; field; lra).
replace (- (mu1 / 2) - (c - mu2 * z + mu2 * mu2 / 2) / mu1) with (second + beta * z)
  by (unfold second, beta; field; lra).
ring.
Qed.

Lemma continuous_density_curve z : continuous density_curve z.
Proof.
apply (continuous_ext (fun z => a * (phi (z - mu2) * Phi (first + beta * (z - mu2))) - b * (phi z * Phi (second + beta * z)))).
  intros x. symmetry. apply density_curveE.
apply (@ex_derive_continuous R_AbsRing R_NormedModule).
assert (D : forall x, ex_derive Phi x) by (intros; eexists; apply is_derive_Phi).
assert (d : forall x, ex_derive phi x) by (intros; eexists; apply is_derive_phi).
auto_derive. repeat match goal with |- _ /\ _ => split | |- True => exact I end; trivial.
Qed.

Lemma integrable_density_curve l r : ex_RInt density_curve l r.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_density_curve. Qed.

Lemma integrable_line alpha l r : ex_RInt (fun z => phi z * Phi (alpha + beta * z)) l r.
Proof.
apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _.
apply (@continuous_mult R_UniformSpace R_AbsRing phi); [apply continuous_phi|apply continuous_Phi_line].
Qed.

Lemma density_curve_integral l r : RInt density_curve l r =
  a * convolution beta (l - mu2) (r - mu2) first - b * convolution beta l r second.
Proof.
apply (@is_RInt_unique R_CompleteNormedModule).
apply (is_RInt_ext (fun z => minus (scal a (phi (z - mu2) * Phi (first + beta * (z - mu2))))
  (scal b (phi z * Phi (second + beta * z))))).
  intros z _. symmetry. apply density_curveE.
apply (@is_RInt_minus R_NormedModule); apply (@is_RInt_scal R_NormedModule).
2:{ apply (@RInt_correct R_CompleteNormedModule), integrable_line. }
apply (is_RInt_ext (fun z => scal 1 (phi (1 * z + - mu2) * Phi (first + beta * (1 * z + - mu2))))).
  intros z _. change (1 * (phi (1 * z + - mu2) * Phi (first + beta * (1 * z + - mu2))) =
    phi (z - mu2) * Phi (first + beta * (z - mu2))). rewrite !Rmult_1_l. reflexivity.
apply (@is_RInt_comp_lin R_NormedModule (fun z => phi z * Phi (first + beta * z))).
rewrite !Rmult_1_l. apply (@RInt_correct R_CompleteNormedModule), integrable_line.
Qed.

(** What is missing of the two laws outside of l to r. *)
Definition missing (m l r : R) : R := 1 - (Phi (r - m) - Phi (l - m)).

Lemma curve_of_both : curve mu a b = a * Phi (mu / 2 - c / mu) - b * Phi (- (mu / 2) - c / mu).
Proof.
unfold curve. destruct (Rlt_dec 0 mu) as [_|h]; [|lra]. destruct (Rlt_dec 0 a) as [_|h]; [|lra].
destruct (Rlt_dec 0 b) as [_|h]; [|lra]. fold c. unfold profile.
rewrite Rmult_minus_distr_l, <- Rmult_assoc. unfold c at 2. rewrite exp_ratio by assumption. reflexivity.
Qed.

Theorem integral_of_curve l r : l <= r ->
  curve mu a b - a * missing mu2 l r <= RInt density_curve l r <= curve mu a b + b * missing 0 l r.
Proof.
intros lr. rewrite density_curve_integral, curve_of_both.
assert (s : sqrt (1 + beta * beta) = mu / mu1).
{ apply sqrt_lem_1; [nra|apply Rlt_le, Rdiv_lt_0_compat; assumption|].
  replace (mu / mu1 * (mu / mu1)) with (mu * mu / (mu1 * mu1)) by (field; lra). rewrite mu_square.
  unfold beta. field. lra. }
pose proof (convolution_above beta (l - mu2) (r - mu2) ltac:(lra) first) as u1.
pose proof (convolution_below beta (l - mu2) (r - mu2) ltac:(lra) first) as d1.
pose proof (convolution_above beta l r lr second) as u2.
pose proof (convolution_below beta l r lr second) as d2.
rewrite s in *. unfold missing. rewrite !Rminus_0_r.
assert (e1 : first / (mu / mu1) = mu / 2 - c / mu).
{ unfold first. apply (Rmult_eq_reg_r (2 * mu)); [|lra]. transitivity (mu1 * mu1 + mu2 * mu2 - 2 * c); [field; lra|].
  rewrite <- mu_square. field. lra. }
assert (e2 : second / (mu / mu1) = - (mu / 2) - c / mu).
{ unfold second. apply (Rmult_eq_reg_r (2 * mu)); [|lra]. transitivity (- (mu1 * mu1 + mu2 * mu2) - 2 * c); [field; lra|].
  rewrite <- mu_square. field. lra. }
rewrite e1 in *. rewrite e2 in *. split; nra.
Qed.
End Density.
