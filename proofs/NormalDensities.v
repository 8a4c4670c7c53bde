(** The density of a normal law with any mean m and deviation s, and what an interval has.

    [normal_density] changes no faster than a line of slope 1/s^2 ([normal_density_steady]); the growth of
    [normal_below], its antiderivative, over an interval is a value of the density there times the length
    ([normal_mean]); and nearly all of it lies between two ends ([normal_ends]). *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Normal NormalTails NormalConvolution ProfileShape ProfileReflection.
Local Open Scope R_scope.

Section Noise.
Variables (s m : R).
Hypothesis s0 : 0 < s.
Definition normal_density (x : R) : R := phi ((x - m) / s) / s.
Definition normal_below (x : R) : R := Phi ((x - m) / s).

Lemma phi_steady x y : x <= y -> phi x - phi y <= y - x /\ phi y - phi x <= y - x.
Proof.
intros xy. destruct (MVT_gen phi x y (fun t => - t * phi t)) as [c [_ e]].
- intros t _. exact (is_derive_phi t).
- intros t _. apply continuity_pt_filterlim, continuous_phi.
- destruct (phi_small c) as [_ [p1 p2]]. assert (h : - / 2 <= - c * phi c <= / 2) by lra. split; nra.
Qed.

Lemma normal_density_steady x y : x <= y ->
  normal_density x - normal_density y <= / (s * s) * (y - x) /\
  normal_density y - normal_density x <= / (s * s) * (y - x).
Proof.
intros xy. assert (i : 0 < / s) by (apply Rinv_0_lt_compat; assumption).
destruct (phi_steady ((x - m) / s) ((y - m) / s)) as [h1 h2]; [unfold Rdiv; nra|].
unfold normal_density. rewrite Rinv_mult. unfold Rdiv in *.
replace (phi ((x - m) * / s) * / s - phi ((y - m) * / s) * / s)
  with ((phi ((x - m) * / s) - phi ((y - m) * / s)) * / s) by ring.
replace (phi ((y - m) * / s) * / s - phi ((x - m) * / s) * / s)
  with ((phi ((y - m) * / s) - phi ((x - m) * / s)) * / s) by ring.
replace (/ s * / s * (y - x)) with (((y - m) * / s - (x - m) * / s) * / s) by ring.
split; apply Rmult_le_compat_r; lra.
Qed.

Lemma normal_derivative t : is_derive normal_below t (normal_density t).
Proof.
unfold normal_below, normal_density. replace (phi ((t - m) / s) / s) with (/ s * phi ((t - m) / s)) by (unfold Rdiv; ring).
apply (is_derive_comp Phi (fun t => (t - m) / s)); [apply is_derive_Phi|]. auto_derive; [exact I|field; lra].
Qed.

Lemma normal_mean a b : a <= b -> exists x, a <= x <= b /\ normal_below b - normal_below a = normal_density x * (b - a).
Proof.
intros ab. destruct (MVT_gen normal_below a b normal_density) as [c [r e]].
- intros t _. apply normal_derivative.
- intros t _. apply continuity_pt_filterlim, (@ex_derive_continuous R_AbsRing R_NormedModule).
  eexists. apply normal_derivative.
- exists c. rewrite Rmin_left, Rmax_right in r by assumption. split; assumption.
Qed.

Lemma normal_density_pos x : 0 < normal_density x.
Proof. apply Rdiv_lt_0_compat; [apply phi_pos|assumption]. Qed.

(** Nearly all lies between two ends. *)
Lemma normal_ends e : 0 < e -> exists n, 0 <= n /\ forall x, n <= x -> normal_below (- x) <= e /\ 1 - e <= normal_below x.
Proof.
intros e0. exists (Rabs m + s / e + s). assert (q : 0 < s / e) by (apply Rdiv_lt_0_compat; assumption).
pose proof (Rle_abs m) as l1. pose proof (Rle_abs (- m)) as l2. rewrite Rabs_Ropp in l2.
assert (far : forall z, s / e <= z -> Phi (- (z / s)) <= e).
{ intros z hz. assert (z0 : 0 < z) by lra. assert (zs : 0 < z / s) by (apply Rdiv_lt_0_compat; assumption).
  pose proof (Phi_opp_small (z / s) zs) as h. apply (Rle_trans _ _ _ h). unfold Rdiv. rewrite Rinv_mult, Rinv_inv.
  apply (Rmult_le_reg_l (z)); [lra|]. replace (z * (/ z * s)) with s by (field; lra).
  replace s with (s / e * e) by (field; lra). nra. }
split; [lra|]. intros x hx. unfold normal_below. split.
- replace ((- x - m) / s) with (- ((x + m) / s)) by (field; lra). apply far. lra.
- pose proof (far (x - m) ltac:(lra)) as h. rewrite Phi_opp in h. lra.
Qed.
End Noise.

(** Where the density around a is at least e^e times that around b > a: up to [ratio_end]. *)
Section Ratio.
Variables (s a b e : R).
Hypotheses (s0 : 0 < s) (ab : a < b).
Definition ratio_end : R := a + s * ((b - a) / s / 2 - e / ((b - a) / s)).

Let mu_pos : 0 < (b - a) / s.
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Lemma scaled_phi y : exp e * phi y = exp (e + - (y * y) / 2) / sqrt (2 * PI).
Proof. unfold phi, bell. rewrite exp_plus. unfold Rdiv. ring. Qed.

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [h|h]; [left; apply exp_increasing; exact h|right; rewrite h; reflexivity]. Qed.

Lemma ratio_exponents x : e + - ((x - b) / s * ((x - b) / s)) / 2 - - ((x - a) / s * ((x - a) / s)) / 2
  = (x - ratio_end) * ((b - a) / s / s).
Proof. unfold ratio_end. field. split; lra. Qed.

Lemma ratio_inside x : x <= ratio_end -> exp e * normal_density s b x <= normal_density s a x.
Proof.
intros h. unfold normal_density. replace (exp e * (phi ((x - b) / s) / s)) with (exp e * phi ((x - b) / s) / s) by (field; lra).
apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact s0|]. rewrite scaled_phi. unfold phi at 1, bell.
apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, root_pos|]. apply exp_mono.
pose proof (ratio_exponents x) as r. assert (p : 0 < (b - a) / s / s) by (apply Rdiv_lt_0_compat; [exact mu_pos|exact s0]). nra.
Qed.

Lemma ratio_outside x : ratio_end <= x -> normal_density s a x <= exp e * normal_density s b x.
Proof.
intros h. unfold normal_density. replace (exp e * (phi ((x - b) / s) / s)) with (exp e * phi ((x - b) / s) / s) by (field; lra).
apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact s0|]. rewrite scaled_phi. unfold phi at 1, bell.
apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, root_pos|]. apply exp_mono.
pose proof (ratio_exponents x) as r. assert (p : 0 < (b - a) / s / s) by (apply Rdiv_lt_0_compat; [exact mu_pos|exact s0]). nra.
Qed.

Lemma ratio_profile : normal_below s a ratio_end - exp e * normal_below s b ratio_end = profile ((b - a) / s) e.
Proof.
unfold normal_below, profile, ratio_end. f_equal; [|f_equal]; f_equal; field; split; lra.
Qed.
End Ratio.
