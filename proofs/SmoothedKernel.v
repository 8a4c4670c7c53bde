(** The function whose Fourier transform is the kernel of the trapezoid rule, and Poisson's formula for it.

    [smoothed] is what a loss pays if the Gaussian part has s^2 more of variance, less a combination of a normal
    density and its derivatives of even orders by the polynomial K.  Its transform is [kernel] of
    FourierKernel.v ([transform_smoothed]), and so the trapezoid sums of the kernel come to the sum of
    [smoothed] over all periods ([kernel_poisson]). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape NormalConvolution FourierKernel.
From ExactDP Require Import FejerKernel PoissonSummation GaussianTransforms TiltedKernel.
Import ListNotations.
Local Open Scope R_scope.

Section Kernel.
Variables (a s M2 : R) (K : polynomial).
Hypotheses (a0 : 0 < a) (noise : 0 < s * s + M2).

Let sigma := sqrt (s * s + M2).
Let sigma0 : 0 < sigma. Proof. apply sqrt_lt_R0, noise. Qed.
Let sigma2 : sigma * sigma = s * s + M2. Proof. apply sqrt_sqrt. lra. Qed.
Let theta := a + / 2.

(** The density and its derivatives of orders 2 and 4, each with the factor e^{theta u} taken off before, as the
    coefficients of K ask for them. *)
Definition corrected : list R :=
  let twice P := raise sigma (raise sigma P) in
  smul (- (s * s * height sigma)) (add (smul (coefficient0 K) [1])
    (add (smul (coefficient1 K * (s * s)) (twice [1])) (smul (coefficient2 K * (s * s * (s * s))) (twice (twice [1]))))).
Definition untilted : R := exp (- (M2 * (a * (a + 1)) / 2)).
Definition smoothed (u : R) : R := untilted * (lifted sigma a u + gauss sigma theta corrected u).

Lemma smooth_smoothed : exists k1 k2, smooth smoothed k1 k2.
Proof.
do 2 eexists. apply smooth_scal, smooth_plus; [apply smooth_lifted; assumption|apply smooth_gauss, sigma0].
Qed.

Let size : R := untilted * (height sigma * mass sigma theta).
Let sizeE t : size * exp (- (sigma * sigma * (t * t)) / 2) = decay a s M2 t.
Proof.
unfold size, untilted, height, mass, decay. pose proof root_pos.
replace (exp (- (sigma * sigma) / 8) / (sqrt (2 * PI) * sigma) * (exp (sigma * sigma * (theta * theta) / 2) * (sigma * sqrt (2 * PI))))
  with (exp (- (sigma * sigma) / 8) * exp (sigma * sigma * (theta * theta) / 2)) by (field; lra).
rewrite <- !exp_plus. f_equal. rewrite sigma2. unfold theta. field.
Qed.

Let angleE t : t * (sigma * sigma * theta) = angle a s M2 t.
Proof. rewrite sigma2. unfold angle, theta. field. Qed.

Theorem transform_smoothed t : transform smoothed t (kernel a s M2 K t).
Proof.
set (z := (RtoC (mass sigma theta * exp (- (sigma * sigma * (t * t)) / 2)) *
   (cos (t * (sigma * sigma * theta)), sin (t * (sigma * sigma * theta))))%C).
assert (h : transform (gauss sigma theta [1]) t z) by apply transform_normal, sigma0.
pose proof (transform_raise _ _ sigma0 _ _ _ (transform_raise _ _ sigma0 _ _ _ h)) as h2.
pose proof (transform_raise _ _ sigma0 _ _ _ (transform_raise _ _ sigma0 _ _ _ h2)) as h4.
pose proof (transform_lifted _ _ sigma0 a0 t z h) as p. fold theta in p.
pose proof (transform_scal untilted _ _ _ (transform_plus _ _ _ _ _ p
  (transform_scal (- (s * s * height sigma)) _ _ _ (transform_plus _ _ _ _ _ (transform_scal (coefficient0 K) _ _ _ h)
    (transform_plus _ _ _ _ _ (transform_scal (coefficient1 K * (s * s)) _ _ _ h2)
      (transform_scal (coefficient2 K * (s * s * (s * s))) _ _ _ h4)))))) as all.
assert (v : forall f x y, x = y -> transform f t x -> transform f t y) by (intros f x y e; rewrite e; trivial).
eapply v; [|eapply transform_ext; [|exact all]].
2:{ intros u. unfold smoothed, corrected, gauss. rewrite !ev_smul, !ev_add, !ev_smul. ring. }
assert (n1 : ((a + 1)%R, t) <> RtoC 0) by (intros e; injection e; intros; lra).
assert (n2 : (a, t) <> RtoC 0) by (intros e; injection e; intros; lra).
assert (q : product_of_node a t = ((a, t) * ((a + 1)%R, t))%C).
{ unfold product_of_node, node. f_equal. unfold RtoC, Cplus. simpl. f_equal; ring. }
assert (arg : argument a s t = (RtoC (s * s) * ((theta, t) * (theta, t)))%C).
{ unfold argument, product_of_node, node, RtoC, Cmult, Cplus, theta. simpl. f_equal; field. }
assert (zE : (RtoC untilted * (RtoC (height sigma) * z))%C =
  (RtoC (decay a s M2 t) * (cos (angle a s M2 t), sin (angle a s M2 t)))%C).
{ rewrite <- angleE, <- sizeE. unfold z, size. rewrite !RtoC_mult. ring. }
unfold kernel, value_of. rewrite <- zE, q, arg. rewrite RtoC_opp, !RtoC_mult. field. split; assumption.
Qed.

(** The i-th term of the trapezoid sum at v, and how fast it falls. *)
Variables (d kappa : R).
Hypotheses (d0 : 0 < d) (bounds : bounded kappa K).

Definition term_at (v : R) (i : nat) : R :=
  fst (kernel a s M2 K (INR i * d)) * cos (INR i * d * v) - snd (kernel a s M2 K (INR i * d)) * sin (INR i * d * v).

Let x0 : R := (a + 1 / 2) * (a + 1 / 2).
Let heavy : list R := [0; / (d * d) + kappa * (s * s) * (3 / 4 + 4 * (s * s * x0) / 25 + 2 * (s * s * x0 * (s * s * x0)) / 25);
  0; kappa * (s * s) * (4 * (s * s) / 25 + 4 * (s * s * x0 * (s * s)) / 25);
  0; kappa * (s * s) * (2 * (s * s * (s * s)) / 25)].
Let heavyE t : ev heavy t = t * (/ (d * d) + kappa * (s * s) * most (distance a s t)).
Proof. unfold heavy, most, distance. simpl. fold x0. field. lra. Qed.

Lemma terms_fall v : exists C, forall n, total (fun i => INR (S i) * Rabs (term_at v (S i))) n <= C.
Proof.
assert (s0 : 0 < / sigma) by (apply Rinv_0_lt_compat, sigma0).
destruct (falls_gauss (/ sigma) 0 s0 heavy) as [B [c [c0 h]]]. pose proof (falls_bound0 _ _ _ h) as B0.
destruct bounds as [k0 [b0 [b1 b2]]]. set (g := growth a s). assert (g0 : 0 < g) by apply exp_pos.
set (q := exp (- (c * d))). assert (cd : 0 < c * d) by (apply Rmult_lt_0_compat; assumption).
assert (q01 : 0 < q < 1).
{ split; [apply exp_pos|]. unfold q. rewrite <- exp_0. apply exp_increasing. lra. }
assert (power : forall j, exp (- (c * (INR j * d))) = q ^ j).
{ induction j as [|j IH]; [simpl; rewrite Rmult_0_l, Rmult_0_r, Ropp_0; apply exp_0|].
  simpl (q ^ S j). rewrite <- IH. unfold q. rewrite <- exp_plus, S_INR. f_equal. ring. }
exists (g / d * B * / (1 - q)). intros n.
assert (gdB : 0 <= g / d * B) by (apply Rmult_le_pos; [apply Rdiv_le_0_compat; lra|exact B0]).
apply Rle_trans with (g / d * B * total (fun i => q ^ S i) n).
2:{ apply Rmult_le_compat_l; [exact gdB|apply geometric, q01]. }
rewrite <- total_scal. apply total_le. intros i _. set (t := INR (S i) * d).
assert (i1 : 1 <= INR (S i)) by (rewrite S_INR; pose proof (pos_INR i); lra).
assert (td : d <= t) by (unfold t; nra). assert (t0 : 0 < t) by lra.
assert (one : Rabs (term_at v (S i)) <= g * weight a s M2 kappa t).
{ unfold term_at. fold t. eapply Rle_trans; [|apply (kernel_bound a s M2 K a0 kappa b0 b1 b2 t t0)].
  pose proof (turned_le (kernel a s M2 K t) (- (t * v))) as r. rewrite cos_neg, sin_neg in r.
  eapply Rle_trans; [|exact r]. apply Req_le. f_equal. ring. }
assert (two : t * weight a s M2 kappa t <= B * q ^ S i).
{ rewrite <- power. fold t. specialize (h t). rewrite (Rabs_right t) in h by lra.
  eapply Rle_trans; [|exact h]. eapply Rle_trans; [|apply Rle_abs]. unfold gauss. rewrite heavyE.
  assert (e : normal (/ sigma) 0 t = exp (- ((s * s + M2) * (t * t)) / 2)).
  { unfold normal. rewrite <- sigma2. f_equal. field. lra. }
  rewrite e. unfold weight. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rinv_le_contravar; [nra|].
  apply Rmult_le_compat; lra. }
replace (INR (S i)) with (t / d) by (unfold t; field; lra).
apply Rle_trans with (t / d * (g * weight a s M2 kappa t)).
{ apply Rmult_le_compat_l; [apply Rdiv_le_0_compat; lra|exact one]. }
replace (t / d * (g * weight a s M2 kappa t)) with (g / d * (t * weight a s M2 kappa t)) by (field; lra).
rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply Rdiv_le_0_compat; lra|exact two].
Qed.

Theorem kernel_poisson v tau : 0 < tau -> exists n0, forall n J, (n0 <= n)%nat -> (n <= J)%nat ->
  Rabs (partial (term_at v) n / turn d - periods d v smoothed J) <= tau.
Proof.
intros t0. destruct smooth_smoothed as [k1 [k2 [D [D' [F [_ F2]]]]]].
destruct (falls_both _ _ F F2) as [B [c [c0 [h h2]]]]. destruct (terms_fall v) as [C fast].
apply (poisson_summation d v B c C smoothed k1 k2 (term_at v) d0 c0 D D' h h2); [|exact fast|exact t0].
intros i. pose proof (transform_smoothed (INR i * d) (- (INR i * d * v))) as w.
rewrite cos_neg, sin_neg in w. unfold term_at.
replace (fst (kernel a s M2 K (INR i * d)) * cos (INR i * d * v) - snd (kernel a s M2 K (INR i * d)) * sin (INR i * d * v))
  with (fst (kernel a s M2 K (INR i * d)) * cos (INR i * d * v) + snd (kernel a s M2 K (INR i * d)) * - sin (INR i * d * v)) by ring.
eapply whole_ext; [|exact w]. intros u. cbv beta. f_equal. f_equal. ring.
Qed.
End Kernel.
