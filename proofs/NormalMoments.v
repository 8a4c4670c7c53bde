(** The moments of a Gaussian mechanism, from its privacy profile.

    For alpha > 1 the function [grown] of u has the derivative alpha (alpha - 1) e^((alpha - 1) u)
    times the profile at u, and stays below e^(alpha (alpha - 1) mu^2/2), up to what vanishes far
    out ([grown_below], [grown_above]).  For two numbers p and q > 0 the function [term_grown] has
    the derivative alpha (alpha - 1) e^((alpha - 1) u) max(p - e^u q, 0), and grows from 0 to
    p^alpha q^(1 - alpha).  So a pair whose profile is nowhere above that of the Gaussian mechanism
    has no larger moments (ConcentratedGaussian.v). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape.
Local Open Scope R_scope.

Section Gaussian.
Variables mu a : R.
Hypotheses (mu0 : 0 < mu) (a1 : 1 < a).

Definition grown (u : R) : R :=
  a * exp ((a - 1) * u) * Phi (mu / 2 - u / mu) - (a - 1) * exp (a * u) * Phi (- (mu / 2) - u / mu)
  + exp (a * (a - 1) * (mu ^ 2 / 2)) * Phi (u / mu + mu / 2 - a * mu).

Lemma is_derive_grown u : is_derive grown u (a * (a - 1) * exp ((a - 1) * u) * profile mu u).
Proof.
assert (D : forall x, ex_derive Phi x) by (intros; eexists; apply is_derive_Phi).
assert (E : forall x, Derive Phi x = bell x / sqrt (2 * PI)) by (intros; apply is_derive_unique, is_derive_Phi).
assert (b1 : exp (a * u) * bell (- (mu / 2) - u / mu) = exp ((a - 1) * u) * bell (mu / 2 - u / mu)).
{ unfold bell. rewrite <- !exp_plus. f_equal. field. lra. }
assert (b2 : exp (a * (a - 1) * (mu ^ 2 / 2)) * bell (u / mu + mu / 2 - a * mu) =
  exp ((a - 1) * u) * bell (mu / 2 - u / mu)).
{ unfold bell. rewrite <- !exp_plus. f_equal. field. lra. }
unfold grown, profile.
evar_last.
{ auto_derive; [repeat split; try apply D; lra|reflexivity]. }
rewrite !E. replace (mu ^ 2) with (mu * (mu * 1)) in b2 by (simpl; ring).
unfold Rminus, Rdiv in b1, b2 |- *.
assert (e : exp (a * u) = exp ((a + - (1)) * u) * exp u) by (rewrite <- exp_plus; f_equal; ring).
set (B1 := bell (mu * / 2 + - (u * / mu))) in *. set (B2 := bell (- (mu * / 2) + - (u * / mu))) in *.
set (B3 := bell (u * / mu + mu * / 2 + - (a * mu))) in *. set (M := exp (a * (a + - (1)) * _)) in *.
set (P1 := Phi (mu * / 2 + - (u * / mu))). set (P2 := Phi (- (mu * / 2) + - (u * / mu))).
transitivity (a * (a + - (1)) * exp ((a + - (1)) * u) * P1 - (a + - (1)) * a * exp (a * u) * P2 +
  / mu * / sqrt (2 * PI) * (- a * (exp ((a + - (1)) * u) * B1) + (a + - (1)) * (exp (a * u) * B2) + M * B3)).
  ring.
rewrite b1, b2, e. ring.
Qed.

(** Far out. *)
Definition far : R := 2 * mu ^ 2 * (a + 1).

Lemma Phi_far t : far <= t -> exp ((a - 1) * t) * Phi (mu / 2 - t / mu) <= exp (- t).
Proof.
unfold far. intros h. assert (m2 : 0 < mu ^ 2) by (apply pow_lt, mu0).
assert (t0 : 0 < t) by nra.
assert (q : mu * (t / mu) = t) by (field; lra).
assert (x0 : mu / 2 <= t / mu) by (apply (Rmult_le_reg_l mu); [lra|]; rewrite q; nra).
pose proof (Phi_tail (t / mu - mu / 2) ltac:(lra)) as P.
replace (- (t / mu - mu / 2)) with (mu / 2 - t / mu) in P by ring.
assert (w : a * t <= (t / mu - mu / 2) * (t / mu - mu / 2) / 2).
{ assert (r : t / mu * (t / mu) * (mu * mu) = t * t) by (field; lra).
  apply (Rmult_le_reg_r (mu * mu)); [nra|].
  replace ((t / mu - mu / 2) * (t / mu - mu / 2) / 2 * (mu * mu)) with
    ((t * t - mu * mu * t + mu * mu * (mu * mu) / 4) / 2) by (field; lra).
  assert (0 <= t * (t - 2 * mu ^ 2 * (a + 1))) by (apply Rmult_le_pos; lra).
  assert (0 <= mu * mu * (mu * mu)) by nra. simpl in *. nra. }
assert (b : bell (t / mu - mu / 2) <= exp (- (a * t))).
{ unfold bell. destruct (Rle_lt_or_eq_dec _ _ w) as [l|l].
  - apply Rlt_le, exp_increasing. lra.
  - rewrite l. right. f_equal. field. lra. }
pose proof (exp_pos ((a - 1) * t)) as p. pose proof (exp_pos (- (a * t))).
replace (exp (- t)) with (exp ((a - 1) * t) * exp (- (a * t))) by (rewrite <- exp_plus; f_equal; ring).
apply Rmult_le_compat_l; lra.
Qed.

Lemma exp_far b t : 0 < b -> 0 < t -> exp (- (b * t)) <= / b * / t.
Proof.
intros b0 t0. rewrite exp_Ropp, <- Rinv_mult. apply Rinv_le_contravar; [nra|].
pose proof (exp_ineq1_le (b * t)). lra.
Qed.

Lemma grown_above t : 0 < t -> far <= t ->
  grown t <= exp (a * (a - 1) * (mu ^ 2 / 2)) + a * / t.
Proof.
intros t0 h. unfold grown. pose proof (Phi_far t h) as P. pose proof (exp_far 1 t ltac:(lra) t0) as e.
rewrite Rmult_1_l, Rinv_1, Rmult_1_l in e.
pose proof (Phi_inside (- (mu / 2) - t / mu)) as [P2 _]. pose proof (exp_pos (a * t)).
pose proof (Phi_inside (t / mu + mu / 2 - a * mu)) as [_ P3].
pose proof (exp_pos (a * (a - 1) * (mu ^ 2 / 2))).
assert (a * exp ((a - 1) * t) * Phi (mu / 2 - t / mu) <= a * / t) by
  (rewrite Rmult_assoc; apply Rmult_le_compat_l; lra).
assert (0 <= (a - 1) * exp (a * t) * Phi (- (mu / 2) - t / mu)) by
  (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
assert (exp (a * (a - 1) * (mu ^ 2 / 2)) * Phi (t / mu + mu / 2 - a * mu) <= exp (a * (a - 1) * (mu ^ 2 / 2)) * 1)
  by (apply Rmult_le_compat_l; lra).
lra.
Qed.

Lemma grown_below t : 0 < t -> - ((a - 1) * (/ a * / t)) <= grown (- t).
Proof.
intros t0. unfold grown. pose proof (exp_far a t ltac:(lra) t0) as e.
pose proof (Phi_inside (mu / 2 - - t / mu)) as [P1 _].
pose proof (Phi_inside (- (mu / 2) - - t / mu)) as [P2 P2'].
pose proof (Phi_inside (- t / mu + mu / 2 - a * mu)) as [P3 _].
pose proof (exp_pos (a * (a - 1) * (mu ^ 2 / 2))). pose proof (exp_pos ((a - 1) * - t)).
replace (a * - t) with (- (a * t)) by ring. pose proof (exp_pos (- (a * t))).
assert (0 <= a * exp ((a - 1) * - t) * Phi (mu / 2 - - t / mu)) by
  (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
assert (0 <= exp (a * (a - 1) * (mu ^ 2 / 2)) * Phi (- t / mu + mu / 2 - a * mu)) by (apply Rmult_le_pos; lra).
assert ((a - 1) * exp (- (a * t)) * Phi (- (mu / 2) - - t / mu) <= (a - 1) * (/ a * / t)); [|lra].
rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
apply Rle_trans with (exp (- (a * t)) * 1); [apply Rmult_le_compat_l; lra|lra].
Qed.

Lemma profile_far t : 0 < t -> far <= t -> profile mu t <= / t.
Proof.
intros t0 h. unfold profile. pose proof (Phi_far t h) as P. pose proof (exp_far 1 t ltac:(lra) t0) as e.
rewrite Rmult_1_l, Rinv_1, Rmult_1_l in e.
pose proof (Phi_inside (mu / 2 - t / mu)) as [P1 _]. pose proof (Phi_inside (- (mu / 2) - t / mu)) as [P2 _].
pose proof (exp_pos t). pose proof (exp_ineq1_le ((a - 1) * t)).
assert (0 <= (a - 1) * t) by (apply Rmult_le_pos; lra). nra.
Qed.
End Gaussian.

(** g(min(u, v)), where g has the derivative 0 at v. *)
Lemma is_derive_min (g dg : R -> R) (v : R) : (forall u, is_derive g u (dg u)) -> dg v = 0 ->
  forall u, is_derive (fun u => g (Rmin u v)) u (if Rlt_dec u v then dg u else 0).
Proof.
intros D z u. destruct (Rlt_dec u v) as [h|h].
- apply (is_derive_ext_loc g); [|apply D].
  exists (mkposreal (v - u) ltac:(lra)). intros t B.
  change (Rabs (t - u) < v - u) in B. apply Rabs_def2 in B. rewrite Rmin_left by lra. reflexivity.
- destruct (Req_dec u v) as [-> |n].
  + apply is_derive_Reals. intros eps eps0.
    pose proof (D v) as Dv. rewrite z in Dv. apply is_derive_Reals in Dv.
    destruct (Dv eps eps0) as [del H]. exists del. intros t t0 small.
    rewrite (Rmin_left v v) by lra. destruct (Rle_dec t 0) as [l|l].
    * rewrite Rmin_left by lra. apply H; assumption.
    * rewrite Rmin_right by lra. replace ((g v - g v) / t - 0) with 0 by (field; exact t0).
      rewrite Rabs_R0. exact eps0.
  + apply (is_derive_ext_loc (fun _ => g v)); [|apply @is_derive_const].
    exists (mkposreal (u - v) ltac:(lra)). intros t B.
    change (Rabs (t - u) < u - v) in B. apply Rabs_def2 in B. rewrite Rmin_right by lra. reflexivity.
Qed.

Section Term.
Variables a p q : R.
Hypotheses (a1 : 1 < a) (p0 : 0 < p) (q0 : 0 < q).
Let v : R := ln p - ln q.
Let g (u : R) : R := a * exp ((a - 1) * u) * p - (a - 1) * exp (a * u) * q.

Definition term_grown (u : R) : R := g (Rmin u v).

Lemma ratio : exp v * q = p.
Proof. unfold v, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by assumption. field. lra. Qed.

Lemma is_derive_term u :
  is_derive term_grown u (a * (a - 1) * exp ((a - 1) * u) * Rmax (p - exp u * q) 0).
Proof.
pose (dg := fun u => a * (a - 1) * exp ((a - 1) * u) * (p - exp u * q)).
replace (a * (a - 1) * exp ((a - 1) * u) * Rmax (p - exp u * q) 0) with (if Rlt_dec u v then dg u else 0).
  apply is_derive_min; [|unfold dg; rewrite ratio; ring].
  intros t. unfold g, dg. evar_last; [auto_derive; [exact I|reflexivity]|].
  replace (exp (a * t)) with (exp ((a - 1) * t) * exp t) by (rewrite <- exp_plus; f_equal; ring).
  unfold Rminus. ring.
unfold dg. pose proof ratio as r. destruct (Rlt_dec u v) as [h|h].
- apply exp_increasing in h. rewrite Rmax_left; [reflexivity|nra].
- rewrite Rmax_right; [ring|]. assert (exp v <= exp u).
  { destruct (Rle_lt_or_eq_dec v u) as [l|<-]; [lra|apply Rlt_le, exp_increasing, l|lra]. }
  nra.
Qed.

Lemma term_high u : v <= u -> term_grown u = q * exp (a * (ln p - ln q)).
Proof.
intros h. unfold term_grown. rewrite Rmin_right by exact h. unfold g. rewrite <- ratio at 1. fold v.
replace (exp (a * v)) with (exp ((a - 1) * v) * exp v) by (rewrite <- exp_plus; f_equal; ring). ring.
Qed.

Lemma term_low u : u <= v -> term_grown u <= a * exp ((a - 1) * u) * p.
Proof.
intros h. unfold term_grown. rewrite Rmin_left by exact h. unfold g.
pose proof (exp_pos (a * u)).
assert (0 <= (a - 1) * exp (a * u) * q) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). lra.
Qed.
End Term.

Lemma vanishing m M C T : 0 <= C -> (forall t, 0 < t -> T <= t -> m <= M + C * / t) -> m <= M.
Proof.
intros C0 H. apply Rnot_lt_le. intros l. pose (t := Rmax T ((C + 1) / (m - M))).
assert (d0 : 0 < (C + 1) / (m - M)) by (apply Rdiv_lt_0_compat; lra).
assert (t1 : (C + 1) / (m - M) <= t) by apply Rmax_r. assert (t0 : 0 < t) by lra.
specialize (H t t0 (Rmax_l _ _)).
assert (C + 1 <= t * (m - M)).
{ apply (Rmult_le_compat_r (m - M)) in t1; [|lra]. unfold Rdiv in t1.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r in t1; lra. }
apply (Rmult_le_compat_r t) in H; [|lra]. rewrite Rmult_plus_distr_r, Rmult_assoc, Rinv_l in H; lra.
Qed.

(** What is left far out, summed. *)
Lemma remainders a t : 1 < a -> 0 < t ->
  a * / t + (a - 1) * (/ a * / t) + a * exp ((a - 1) * - t) <= (a + (a - 1) * / a + a * / (a - 1)) * / t.
Proof.
intros a1 t0. pose proof (exp_far (a - 1) t ltac:(lra) t0) as e.
replace ((a - 1) * - t) with (- ((a - 1) * t)) by ring.
apply (Rmult_le_compat_l a) in e; [|lra]. lra.
Qed.
