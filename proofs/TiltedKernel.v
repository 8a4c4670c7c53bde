(** The tilted profile of a Gaussian mechanism, and polynomials times a tilted normal density: functions that
    fall exponentially with their derivatives, and their Fourier transforms.

    With a tilt a and theta = a + 1/2 the derivative and theta times a function are in the transform a factor
    theta + it ([transform_raise]); a derivative and a + 1 times [lowered] are a normal density, and a
    derivative and a times the profile are [lowered], so that its transform is that of the density over
    (a + it)(a + 1 + it) ([transform_lifted]). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape NormalConvolution FourierKernel.
From ExactDP Require Import FejerKernel PoissonSummation GaussianTransforms.
Import ListNotations.
Local Open Scope R_scope.

(** --- polynomials, by their coefficients --- *)

Fixpoint ev (P : list R) (u : R) : R := match P with [] => 0 | a :: Q => a + u * ev Q u end.
Fixpoint add (P Q : list R) : list R :=
  match P, Q with [], _ => Q | _, [] => P | a :: P', b :: Q' => (a + b) :: add P' Q' end.
Definition smul (c : R) (P : list R) : list R := map (Rmult c) P.
Fixpoint der (P : list R) : list R := match P with [] => [] | _ :: Q => add Q (0 :: der Q) end.

Lemma ev_add P Q u : ev (add P Q) u = ev P u + ev Q u.
Proof. revert Q. induction P as [|a P IH]; intros [|b Q]; simpl; try ring. rewrite IH. ring. Qed.

Lemma ev_smul c P u : ev (smul c P) u = c * ev P u.
Proof. induction P as [|a P IH]; [simpl; ring|].
change (c * a + u * ev (smul c P) u = c * (a + u * ev P u)). rewrite IH. ring.
Qed.

Lemma is_derive_ev P u : is_derive (ev P) u (ev (der P) u).
Proof.
induction P as [|a P IH]; simpl.
- apply (@is_derive_const R_AbsRing R_NormedModule).
- rewrite ev_add. simpl. replace (ev P u + (0 + u * ev (der P) u)) with (0 + (1 * ev P u + u * ev (der P) u)) by ring.
  apply (@is_derive_plus R_AbsRing R_NormedModule (fun _ => a)); [apply (@is_derive_const R_AbsRing R_NormedModule)|].
  apply (is_derive_mult (fun u => u) (ev P)); [apply (@is_derive_id R_AbsRing)|exact IH|intros; apply Rmult_comm].
Qed.

Lemma ev_le P : exists B r, 0 <= B /\ 0 <= r /\ forall u, Rabs (ev P u) <= B * exp (r * Rabs u).
Proof.
induction P as [|a P [B [r [B0 [r0 h]]]]]; simpl.
- exists 0, 0. repeat split; try lra. intros u. rewrite Rabs_R0. lra.
- exists (Rabs a + B), (r + 1). pose proof (Rabs_pos a) as a0. repeat split; try lra. intros u.
  pose proof (Rabs_pos u) as u0. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, Rmult_plus_distr_r.
  apply Rplus_le_compat.
  + rewrite <- (Rmult_1_r (Rabs a)) at 1. apply Rmult_le_compat_l; [exact a0|].
    apply Rle_trans with (exp 0); [rewrite exp_0; lra|]. apply exp_le, Rmult_le_pos; lra.
  + replace ((r + 1) * Rabs u) with (r * Rabs u + Rabs u) by ring. rewrite exp_plus.
    pose proof (exp_ineq1_le (Rabs u)). specialize (h u). pose proof (Rabs_pos (ev P u)).
    replace (B * (exp (r * Rabs u) * exp (Rabs u))) with (exp (Rabs u) * (B * exp (r * Rabs u))) by ring.
    apply Rmult_le_compat; lra.
Qed.

Lemma falls_below f g : (forall x, Rabs (f x) <= g x) -> falls g -> falls f.
Proof.
intros le [B [c [c0 h]]]. exists B, c. split; [exact c0|]. intros x. specialize (h x). specialize (le x).
pose proof (Rle_abs (g x)). lra.
Qed.

Lemma falls_exp B c : 0 <= B -> 0 < c -> falls (fun x => B * exp (- (c * Rabs x))).
Proof.
intros B0 c0. exists B, c. split; [exact c0|]. intros x. rewrite Rabs_right; [lra|].
apply Rle_ge, Rmult_le_pos; [exact B0|apply Rlt_le, exp_pos].
Qed.

(** --- polynomials times a tilted normal density --- *)

Section Gauss.
Variables (sigma theta : R).
Hypothesis sigma0 : 0 < sigma.
Let w := sigma * sigma.
Let w0 : 0 < w. Proof. apply Rmult_lt_0_compat; exact sigma0. Qed.

Definition normal (u : R) : R := exp (- (u * u / (2 * (sigma * sigma))) - theta * u).
Definition gauss (P : list R) (u : R) : R := ev P u * normal u.
(** The polynomial of the derivative, and of the derivative and theta times the function. *)
Definition raise (P : list R) : list R := add (der P) (smul (- / (sigma * sigma)) (0 :: P)).
Definition slope_of (P : list R) : list R := add (raise P) (smul (- theta) P).

Lemma falls_gauss P : falls (gauss P).
Proof.
destruct (ev_le P) as [B [r [B0 [r0 h]]]]. set (z := r + Rabs theta + 1). set (X := w * (z * z) / 2).
apply (falls_below _ (fun u => B * exp X * exp (- (1 * Rabs u)))).
2:{ apply falls_exp; [apply Rmult_le_pos; [exact B0|apply Rlt_le, exp_pos]|lra]. }
intros u. unfold gauss, normal. rewrite Rabs_mult, (Rabs_right (exp _)) by (apply Rle_ge, Rlt_le, exp_pos).
apply Rle_trans with (B * exp (r * Rabs u) * exp (- (u * u / (2 * (sigma * sigma))) - theta * u)).
{ apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|apply h]. }
rewrite !Rmult_assoc, <- !exp_plus. apply Rmult_le_compat_l; [exact B0|]. apply exp_le.
assert (t : - theta * u <= Rabs theta * Rabs u).
{ rewrite <- Rabs_mult. pose proof (Rle_abs (- (theta * u))) as k. rewrite Rabs_Ropp in k. lra. }
assert (sq : u * u = Rabs u * Rabs u) by (rewrite <- Rabs_mult; symmetry; apply Rabs_right; nra).
rewrite sq. fold w. set (y := Rabs u) in *.
assert (p : 0 <= (y - w * z) * (y - w * z) / (2 * w)).
{ apply Rdiv_le_0_compat; [apply Rle_0_sqr|lra]. }
replace ((y - w * z) * (y - w * z) / (2 * w)) with (y * y / (2 * w) - y * z + X) in p by (unfold X; field; lra).
unfold z in p. lra.
Qed.

Lemma is_derive_gauss P u : is_derive (gauss P) u (gauss (slope_of P) u).
Proof.
unfold gauss, slope_of, raise. rewrite !ev_add, !ev_smul. simpl.
replace ((ev (der P) u + - / (sigma * sigma) * (0 + u * ev P u) + - theta * ev P u) * normal u) with
  (ev (der P) u * normal u + ev P u * ((- (u / (sigma * sigma)) - theta) * normal u)) by (field; lra).
apply (is_derive_mult (ev P) normal); [apply is_derive_ev| |intros; apply Rmult_comm].
unfold normal. auto_derive; [exact I|]. unfold Rminus, Rdiv. field. lra.
Qed.

Lemma smooth_gauss P : smooth (gauss P) (gauss (slope_of P)) (gauss (slope_of (slope_of P))).
Proof. refine (conj _ (conj _ (conj _ (conj _ _)))); intros; try apply is_derive_gauss; apply falls_gauss. Qed.

Lemma transform_raise P t z : transform (gauss P) t z -> transform (gauss (raise P)) t ((theta, t) * z)%C.
Proof.
intros h. apply (transform_ext (fun u => gauss (slope_of P) u + theta * gauss P u)).
{ intros u. unfold gauss, slope_of. rewrite ev_add, ev_smul. ring. }
exact (transform_derivative _ _ _ theta t (smooth_gauss P) z h).
Qed.

Let shift := w * theta.

Let whole_affine g V : whole g V -> whole (fun u => g ((u + shift) / sigma)) (sigma * V).
Proof.
intros h eps e0. destruct (h (eps / sigma) ltac:(apply Rdiv_lt_0_compat; assumption)) as [M k].
exists (sigma * Rabs M + Rabs shift). intros p q hp hq.
pose proof (Rle_abs M). pose proof (Rle_abs shift). pose proof (Rle_abs (- shift)). rewrite Rabs_Ropp in *.
assert (lo : (p + shift) / sigma <= - M).
{ apply (Rmult_le_reg_r sigma); [exact sigma0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
assert (hi : M <= (q + shift) / sigma).
{ apply (Rmult_le_reg_r sigma); [exact sigma0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
destruct (k _ _ lo hi) as [y [i b]]. exists (sigma * y). split.
- assert (i' : is_RInt g (/ sigma * p + shift / sigma) (/ sigma * q + shift / sigma) y).
  { replace (/ sigma * p + shift / sigma) with ((p + shift) / sigma) by (field; lra).
    replace (/ sigma * q + shift / sigma) with ((q + shift) / sigma) by (field; lra). exact i. }
  pose proof (RInt_scaled _ sigma _ _ _ (@is_RInt_comp_lin R_NormedModule _ _ _ _ _ _ i')) as c.
  eapply is_RInt_ext; [|exact c]. intros u _. unfold scal; simpl; unfold mult; simpl.
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. f_equal. field. lra.
- rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_right sigma) by lra.
  replace eps with (sigma * (eps / sigma)) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.

(** How large the transform of the density is. *)
Definition mass : R := exp (sigma * sigma * (theta * theta) / 2) * (sigma * sqrt (2 * PI)).

Lemma transform_normal t : transform (gauss [1]) t
  (RtoC (mass * exp (- (sigma * sigma * (t * t)) / 2)) *
   (cos (t * (sigma * sigma * theta)), sin (t * (sigma * sigma * theta))))%C.
Proof.
intros c. pose proof (whole_scal (exp (w * (theta * theta) / 2)) _ _
  (whole_affine _ _ (transform_bell (t * sigma) (c - t * shift)))) as h.
assert (v : forall f x y, x = y -> whole f x -> whole f y) by (intros f x y e; rewrite e; trivial).
eapply v; [|eapply whole_ext; [|exact h]].
- simpl. rewrite cos_minus. unfold mass, shift. fold w.
  replace (- (t * sigma * (t * sigma)) / 2) with (- (w * (t * t)) / 2) by (unfold w; field). ring.
- intros u. cbv beta. unfold gauss. simpl. rewrite Rmult_0_r, Rplus_0_r, Rmult_1_l.
  replace (t * sigma * ((u + shift) / sigma) + (c - t * shift)) with (t * u + c) by (field; lra).
  rewrite <- Rmult_assoc. f_equal. unfold bell, normal. rewrite <- exp_plus. f_equal. unfold shift, w. field. lra.
Qed.
End Gauss.

(** --- the tilted profile --- *)

Section Lifted.
Variables (sigma a : R).
Hypotheses (sigma0 : 0 < sigma) (a0 : 0 < a).
Let theta := a + / 2.

(** The profile, with the tilt a, and what is left of it by one derivative and by two. *)
Definition lifted (u : R) : R := exp (- (a * u)) * profile sigma (- u).
Definition lowered (u : R) : R := exp (- ((a + 1) * u)) * Phi (u / sigma - sigma / 2).
Definition height : R := exp (- (sigma * sigma) / 8) / (sqrt (2 * PI) * sigma).
Definition bump (u : R) : R := height * gauss sigma theta [1] u.
Definition lowered1 (u : R) : R := - (a + 1) * lowered u + bump u.
Definition lowered2 (u : R) : R := - (a + 1) * lowered1 u + height * gauss sigma theta (slope_of sigma theta [1]) u.
Definition lifted1 (u : R) : R := - a * lifted u + lowered u.
Definition lifted2 (u : R) : R := - a * lifted1 u + lowered1 u.

Let bells u : exp (- ((a + 1) * u)) * bell (u / sigma - sigma / 2) =
  exp (- (sigma * sigma) / 8) * gauss sigma theta [1] u.
Proof.
unfold gauss, normal, bell. simpl. rewrite Rmult_0_r, Rplus_0_r, Rmult_1_l, <- !exp_plus. f_equal.
unfold theta. field. lra.
Qed.

Let is_derive_tilt (b : R) (f : R -> R) (f' x : R) : is_derive f x f' ->
  is_derive (fun u => exp (- (b * u)) * f u) x (- b * (exp (- (b * x)) * f x) + exp (- (b * x)) * f').
Proof.
intros D. replace (- b * (exp (- (b * x)) * f x)) with (- b * exp (- (b * x)) * f x) by ring.
apply (is_derive_mult (fun u => exp (- (b * u))) f); [|exact D|intros; apply Rmult_comm].
auto_derive; [exact I|ring].
Qed.

Lemma is_derive_lowered u : is_derive lowered u (lowered1 u).
Proof.
unfold lowered1. replace (bump u) with (exp (- ((a + 1) * u)) * (/ sigma * (bell (u / sigma - sigma / 2) / sqrt (2 * PI)))).
2:{ unfold bump, height. pose proof root_pos.
    replace (exp (- (sigma * sigma) / 8) / (sqrt (2 * PI) * sigma) * gauss sigma theta [1] u) with
      (exp (- (sigma * sigma) / 8) * gauss sigma theta [1] u * / (sqrt (2 * PI) * sigma)) by (unfold Rdiv; ring).
    rewrite <- bells. field. lra. }
apply (is_derive_tilt (a + 1) (fun u => Phi (u / sigma - sigma / 2))).
apply (is_derive_comp Phi (fun u => u / sigma - sigma / 2)); [apply is_derive_Phi|]. auto_derive; [exact I|field; lra].
Qed.

Lemma is_derive_lifted u : is_derive lifted u (lifted1 u).
Proof.
unfold lifted1. replace (lowered u) with (exp (- (a * u)) * (-1 * (- exp (- u) * slope sigma (- u)))).
2:{ unfold lowered, slope. replace (- (sigma / 2) - - u / sigma) with (u / sigma - sigma / 2) by (field; lra).
    replace (- ((a + 1) * u)) with (- (a * u) + - u) by ring. rewrite exp_plus. ring. }
apply (is_derive_tilt a (fun u => profile sigma (- u))).
apply (is_derive_comp (profile sigma) (fun u => - u)); [apply is_derive_profile, sigma0|]. auto_derive; [exact I|ring].
Qed.

Let linear f g f' g' (b : R) x : is_derive f x f' -> is_derive g x g' ->
  is_derive (fun u => b * f u + g u) x (b * f' + g').
Proof.
intros D E. apply (@is_derive_plus R_AbsRing R_NormedModule (fun u => b * f u)); [apply (is_derive_scal f x b), D|exact E].
Qed.

Let falls_bump P : falls (fun u => height * gauss sigma theta P u).
Proof. apply falls_scal, falls_gauss, sigma0. Qed.

Lemma falls_lowered : falls lowered.
Proof.
apply (falls_below _ (fun u => 1 * exp (- ((a + 1) * Rabs u)) + exp (- (sigma * sigma) / 8) * gauss sigma theta [1] u)).
2:{ apply falls_plus; [apply falls_exp; lra|apply falls_scal, falls_gauss, sigma0]. }
intros u. destruct (Phi_inside (u / sigma - sigma / 2)) as [l h]. pose proof (exp_pos (- ((a + 1) * u))) as e.
pose proof (exp_pos (- ((a + 1) * Rabs u))). rewrite <- bells. pose proof (bell_pos (u / sigma - sigma / 2)) as b.
unfold lowered. rewrite Rabs_right by (apply Rle_ge, Rmult_le_pos; lra).
destruct (Rle_or_lt 0 u) as [p|n].
- rewrite Rabs_right by lra. nra.
- assert (x : 0 <= sigma / 2 - u / sigma).
  { assert (0 < - u / sigma) by (apply Rdiv_lt_0_compat; lra). unfold Rdiv in *. lra. }
  pose proof (Phi_tail _ x) as t. replace (- (sigma / 2 - u / sigma)) with (u / sigma - sigma / 2) in t by ring.
  replace (bell (sigma / 2 - u / sigma)) with (bell (u / sigma - sigma / 2)) in t by (unfold bell; f_equal; field; lra).
  nra.
Qed.

Lemma falls_lifted : falls lifted.
Proof.
set (X := exp (sigma * sigma * ((a + 1) * (a + 1 + 1)) / 2)).
apply (falls_below _ (fun u => 1 * exp (- (a * Rabs u)) + X * exp (- (1 * Rabs u)))).
2:{ apply falls_plus; apply falls_exp; try lra. apply Rlt_le, exp_pos. }
intros u. pose proof (profile_pos sigma sigma0 (- u)) as l. pose proof (profile_lt1 sigma (- u)) as h.
pose proof (exp_pos (- (a * u))) as e. pose proof (exp_pos (- (a * Rabs u))). pose proof (exp_pos (- (1 * Rabs u))).
assert (X0 : 0 < X) by apply exp_pos.
unfold lifted. rewrite Rabs_right by (apply Rle_ge, Rmult_le_pos; lra). destruct (Rle_or_lt 0 u) as [p|n].
- rewrite Rabs_right in * by lra. nra.
- rewrite (Rabs_left u) in * by lra. pose proof (profile_chernoff sigma (a + 1) (- u) sigma0 ltac:(lra)) as c.
  apply Rle_trans with (X * exp (- (1 * - u))); [|nra].
  replace (X * exp (- (1 * - u))) with (exp (- (a * u)) * exp (- ((a + 1) * - u) + sigma * sigma * ((a + 1) * (a + 1 + 1)) / 2)).
  + apply Rmult_le_compat_l; lra.
  + unfold X. rewrite <- !exp_plus. f_equal. ring.
Qed.

Let falls_lowered1 : falls lowered1.
Proof. apply falls_plus; [apply falls_scal, falls_lowered|apply falls_bump]. Qed.
Let falls_lifted1 : falls lifted1.
Proof. apply falls_plus; [apply falls_scal, falls_lifted|apply falls_lowered]. Qed.

Lemma smooth_lowered : smooth lowered lowered1 lowered2.
Proof.
refine (conj is_derive_lowered (conj _ (conj falls_lowered (conj falls_lowered1 _)))).
- intros u. apply linear; [apply is_derive_lowered|]. unfold bump.
  apply (is_derive_scal (gauss sigma theta [1]) u height), is_derive_gauss, sigma0.
- apply falls_plus; [apply falls_scal, falls_lowered1|apply falls_bump].
Qed.

Lemma smooth_lifted : smooth lifted lifted1 lifted2.
Proof.
refine (conj is_derive_lifted (conj _ (conj falls_lifted (conj falls_lifted1 _)))).
- intros u. apply linear; [apply is_derive_lifted|apply is_derive_lowered].
- apply falls_plus; [apply falls_scal, falls_lifted1|apply falls_lowered1].
Qed.

Lemma transform_lifted t z : transform (gauss sigma theta [1]) t z ->
  transform lifted t (RtoC height * z / ((a + 1)%R, t) / (a, t))%C.
Proof.
intros h. apply (transform_solved _ _ _ a t smooth_lifted); [lra|].
apply (transform_ext lowered); [intros; unfold lifted1; ring|].
apply (transform_solved _ _ _ (a + 1) t smooth_lowered); [lra|].
apply (transform_ext bump); [intros; unfold lowered1; ring|]. apply transform_scal, h.
Qed.
End Lifted.
