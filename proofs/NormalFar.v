(** The normal distribution far out.

    With J_m(x) the integral of t^(-2m) e^(-t^2/2) from x > 0 on, integration by parts gives

      J_m(x) = x^-(2m+1) e^(-x^2/2) - (2m + 1) J_(m+1)(x),

    so that J_0(x) = e^(-x^2/2)/x (1 - 1/v (1 - 3/v (1 - 5/v (1 - ... t)))), v = x^2, for some t from
    0 to 1 ([Phi_far_enclosed]).  The integral without end is not needed: J_0 is sqrt(2 pi) Phi(-x), the equation
    defines the others, they fall, and they are at most a multiple of e^(-x^2/2). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
Local Open Scope R_scope.

Definition root_2pi : R := sqrt (2 * PI).

(** x^-(2m+1) e^(-x^2/2), and J_m. *)
Definition far_part (m : nat) (x : R) : R := / x ^ (2 * m + 1) * bell x.
Fixpoint far_integral (m : nat) (x : R) : R :=
  match m with
  | O => root_2pi * Phi (- x)
  | S k => (far_part k x - far_integral k x) / odd k
  end.

Lemma root_2pi_pos : 0 < root_2pi.
Proof. apply sqrt_lt_R0. pose proof PI_RGT_0. lra. Qed.

Lemma is_derive_far_part m x : 0 < x ->
  is_derive (far_part m) x (- (odd m * (/ x ^ (2 * m + 2) * bell x)) - / x ^ (2 * m) * bell x).
Proof.
intros x0. unfold far_part, bell, odd.
assert (p : forall n, x ^ n <> 0) by (intros; apply pow_nonzero; lra).
auto_derive; [apply p|].
replace (Init.Nat.pred (m + (m + 0) + 1)) with (2 * m)%nat by lia.
replace (m + (m + 0) + 1)%nat with (2 * m + 1)%nat by lia.
rewrite !pow_add. pose proof (p (2 * m)%nat). simpl (x ^ 1). simpl (x ^ 2).
set (E := exp _). field. split; [assumption|lra].
Qed.

Lemma is_derive_far_integral m x : 0 < x ->
  is_derive (far_integral m) x (- (/ x ^ (2 * m) * bell x)).
Proof.
intros x0. induction m as [|m IH]; cbn [far_integral].
- pose proof root_2pi_pos as r0. pose proof (is_derive_Phi (- x)) as D.
  apply (is_derive_ext (fun y => root_2pi * Phi (- y))); [reflexivity|].
  replace (- (/ x ^ (2 * 0) * bell x)) with (root_2pi * (-1 * (bell (- x) / sqrt (2 * PI)))).
  2:{ fold root_2pi. replace (bell (- x)) with (bell x)
        by (unfold bell; replace (- x * - x) with (x * x) by ring; reflexivity).
      simpl. field. lra. }
  apply (is_derive_scal (fun y => Phi (- y)) x root_2pi).
  apply (is_derive_comp Phi (fun y => - y)); [exact D|].
  auto_derive; [exact I|ring].
- pose proof (odd_pos m) as c0.
  replace (- (/ x ^ (2 * S m) * bell x)) with
    (/ odd m * (- (odd m * (/ x ^ (2 * m + 2) * bell x)) - / x ^ (2 * m) * bell x - - (/ x ^ (2 * m) * bell x))).
  2:{ replace (2 * S m)%nat with (2 * m + 2)%nat by lia. field. repeat split; first [apply pow_nonzero; lra | lra]. }
  apply (is_derive_ext (fun y => / odd m * (far_part m y - far_integral m y)));
    [intros; unfold Rdiv; apply Rmult_comm|].
  apply (is_derive_scal (fun y => far_part m y - far_integral m y)).
  apply (@is_derive_minus R_AbsRing R_NormedModule (far_part m)); [apply is_derive_far_part, x0|exact IH].
Qed.

Lemma far_part_le m x : 1 <= x -> 0 <= far_part m x <= bell x.
Proof.
intros x1. pose proof (bell_pos x) as b0. unfold far_part.
assert (1 <= x ^ (2 * m + 1)) by (apply pow_R1_Rle, x1).
assert (0 < / x ^ (2 * m + 1)) by (apply Rinv_0_lt_compat; lra).
assert (/ x ^ (2 * m + 1) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
split; nra.
Qed.

(** J_m is at most a multiple of e^(-x^2/2). *)
Lemma far_integral_small m : exists c, 0 <= c /\ forall x, 1 <= x -> Rabs (far_integral m x) <= c * bell x.
Proof.
induction m as [|m [c [c0 IH]]].
- exists root_2pi. pose proof root_2pi_pos as r0. split; [lra|]. intros x x1. cbn [far_integral].
  pose proof (Phi_tail x ltac:(lra)) as h. destruct (Phi_inside (- x)) as [l _]. pose proof (bell_pos x).
  rewrite Rabs_pos_eq by nra. nra.
- exists ((1 + c) / odd m). pose proof (odd_pos m) as o0. split; [apply Rdiv_le_0_compat; lra|].
  intros x x1. cbn [far_integral]. specialize (IH x x1). destruct (far_part_le m x x1) as [l h].
  pose proof (bell_pos x) as b0. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ odd m))
    by (apply Rlt_le, Rinv_0_lt_compat; exact o0).
  replace ((1 + c) * / odd m * bell x) with ((1 + c) * bell x * / odd m) by ring.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; exact o0|].
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_pos_eq by exact l. lra.
Qed.

Lemma bell_small x : 0 < x -> bell x * x <= 2.
Proof.
intros x0. unfold bell. replace (- (x * x) / 2) with (- (x * x / 2)) by field. rewrite exp_Ropp.
pose proof (exp_ineq1_le (x * x / 2)) as h. pose proof (exp_pos (x * x / 2)).
apply (Rmult_le_reg_l (exp (x * x / 2))); [assumption|].
rewrite <- Rmult_assoc, Rinv_r by lra. nra.
Qed.

(** It falls to 0, and so is at least 0. *)
Lemma far_integral_ge0 m x : 0 < x -> 0 <= far_integral m x.
Proof.
intros x0. destruct (far_integral_small m) as [c [c0 small]].
destruct (Rle_or_lt 0 (far_integral m x)) as [h|neg]; [exact h|exfalso].
set (d := - far_integral m x) in *. assert (d0 : 0 < d) by (unfold d; lra).
pose (z := Rmax (Rmax 1 x) ((2 * c + 1) / d)).
assert (z1 : 1 <= z) by (unfold z; eapply Rle_trans; [apply Rmax_l|apply Rmax_l]).
assert (zx : x <= z) by (unfold z; eapply Rle_trans; [apply Rmax_r|apply Rmax_l]).
assert (zd : (2 * c + 1) / d <= z) by (unfold z; apply Rmax_r).
assert (falls : - far_integral m x <= - far_integral m z).
{ pose (f := fun t => - far_integral m (x + t)).
  assert (H : f 0 <= f (z - x)).
  { apply (nondecr f (fun t => / (x + t) ^ (2 * m) * bell (x + t))); [lra| |].
    - intros t ht. unfold f.
      replace (/ (x + t) ^ (2 * m) * bell (x + t)) with (- (1 * - (/ (x + t) ^ (2 * m) * bell (x + t)))) by ring.
      apply (@is_derive_opp R_AbsRing R_NormedModule (fun t => far_integral m (x + t))).
      apply (is_derive_comp (far_integral m) (fun t => x + t)); [apply is_derive_far_integral; lra|].
      auto_derive; [exact I|ring].
    - intros t ht. apply Rlt_le, Rmult_lt_0_compat; [|apply bell_pos].
      apply Rinv_0_lt_compat, pow_lt. lra. }
  unfold f in H. rewrite Rplus_0_r in H. replace (x + (z - x)) with z in H by ring. exact H. }
fold d in falls. specialize (small z z1).
assert (dz : (2 * c + 1) <= z * d).
{ apply (Rmult_le_compat_r d) in zd; [|lra]. unfold Rdiv in zd.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r in zd by lra. exact zd. }
pose proof (bell_small z ltac:(lra)) as b2. pose proof (bell_pos z) as b0.
pose proof (Rle_abs (- far_integral m z)) as ab. rewrite Rabs_Ropp in ab.
assert (z * d <= z * (c * bell z)) by (apply Rmult_le_compat_l; lra).
assert (z * (c * bell z) <= 2 * c) by nra. lra.
Qed.

(** 1 - c/v (1 - (c + 2)/v (1 - ... t)). *)
Fixpoint falling (n : nat) (c v t : R) : R :=
  match n with O => t | S k => 1 - c / v * falling k (c + 2) v t end.

Lemma far_part_pos m x : 0 < x -> 0 < far_part m x.
Proof.
intros x0. apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, pow_lt, x0|apply bell_pos].
Qed.

Lemma far_part_succ m x : 0 < x -> far_part (S m) x = far_part m x / (x * x).
Proof.
intros x0. unfold far_part. replace (2 * S m + 1)%nat with (2 * m + 1 + 2)%nat by lia.
rewrite pow_add. simpl (x ^ 2). field. split; [apply pow_nonzero|]; lra.
Qed.

Lemma far_integral_enclosed n m x : 0 < x -> exists t, 0 <= t <= 1 /\
  far_integral m x = far_part m x * falling n (odd m) (x * x) t.
Proof.
intros x0. revert m. induction n as [|n IH]; intros m; pose proof (far_part_pos m x x0) as p0;
  pose proof (odd_pos m) as o0.
- exists (far_integral m x / far_part m x). cbn [falling]. split; [|field; lra].
  pose proof (far_integral_ge0 m x x0) as l. pose proof (far_integral_ge0 (S m) x x0) as h.
  cbn [far_integral] in h.
  assert (far_integral m x <= far_part m x).
  { apply (Rmult_le_compat_r (odd m)) in h; [|lra]. unfold Rdiv in h.
    rewrite Rmult_0_l, Rmult_assoc, Rinv_l, Rmult_1_r in h by lra. lra. }
  split; [apply Rdiv_le_0_compat; lra|]. apply (Rmult_le_reg_r (far_part m x)); [exact p0|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
- destruct (IH (S m)) as [t [bounds e]]. exists t. split; [exact bounds|]. cbn [falling].
  rewrite odd_succ, far_part_succ in e by exact x0.
  assert (s : far_integral m x = far_part m x - odd m * far_integral (S m) x).
  { cbn [far_integral]. field. lra. }
  rewrite s, e. field. lra.
Qed.

Theorem Phi_far_enclosed n x : 0 < x -> exists t, 0 <= t <= 1 /\
  Phi (- x) = bell x / root_2pi * (/ x * falling n 1 (x * x) t).
Proof.
intros x0. destruct (far_integral_enclosed n 0 x x0) as [t [bounds e]]. exists t. split; [exact bounds|].
replace (odd 0) with 1 in e by (unfold odd; simpl; ring). cbn [far_integral] in e.
unfold far_part in e. rewrite pow_1 in e. pose proof root_2pi_pos.
apply (Rmult_eq_reg_l root_2pi); [|lra]. rewrite e. field. lra.
Qed.

(** Phi(-z/mu) for mu^2 = s: near 0, and far out on either side. *)
Section Sides.
Variables (s z : R).
Hypothesis s0 : 0 < s.
Let mu := sqrt s.
Let scaled := bell (z / mu) / sqrt (2 * PI * s).
Let mu0 : 0 < mu. Proof. apply sqrt_lt_R0, s0. Qed.
Let mu2 : mu * mu = s. Proof. apply sqrt_sqrt. lra. Qed.
Let root0 := root_2pi_pos.

Let square : z / mu * (z / mu) = z * z / s.
Proof. rewrite <- mu2. field. lra. Qed.

Let scaledE : scaled = bell (z / mu) / (root_2pi * mu).
Proof.
unfold scaled, root_2pi. rewrite (sqrt_mult (2 * PI) s) by (pose proof PI_RGT_0; lra). reflexivity.
Qed.

Lemma Phi_near n : 2 * (z * z / s) <= odd n -> exists q,
  nested n 1 (z * z / s) 1 <= q <= nested n 1 (z * z / s) 2 /\
  Phi (- (z / mu)) = / 2 - scaled * (z * q).
Proof.
intros small. destruct (integral_enclosed n (z / mu)) as [q [b i]]; [rewrite square; exact small|].
rewrite square in b. exists q. split; [exact b|].
unfold Phi. rewrite integral_moment, moment_opp, <- integral_moment, i, scaledE. fold root_2pi.
field. lra.
Qed.

Lemma Phi_above n : 0 < z -> exists t, 0 <= t <= 1 /\
  Phi (- (z / mu)) = 0 - scaled * - (s / z * falling n 1 (z * z / s) t).
Proof.
intros z0. destruct (Phi_far_enclosed n (z / mu)) as [t [b e]]; [apply Rdiv_lt_0_compat; assumption|].
exists t. split; [exact b|]. rewrite e, square, scaledE, <- mu2. field. lra.
Qed.

Lemma Phi_below n : z < 0 -> exists t, 0 <= t <= 1 /\
  Phi (- (z / mu)) = 1 - scaled * - (s / z * falling n 1 (z * z / s) t).
Proof.
intros z0. assert (p : 0 < - z / mu) by (apply Rdiv_lt_0_compat; lra).
destruct (Phi_far_enclosed n (- z / mu) p) as [t [b e]]. exists t. split; [exact b|].
replace (- (z / mu)) with (- - (- z / mu)) by (field; lra). rewrite Phi_opp, e.
replace (- z / mu * (- z / mu)) with (z * z / s) by (rewrite <- mu2; field; lra).
replace (bell (- z / mu)) with (bell (z / mu)).
2:{ unfold bell. replace (- z / mu * (- z / mu)) with (z / mu * (z / mu)) by (field; lra). reflexivity. }
rewrite scaledE, <- mu2. field. lra.
Qed.
End Sides.

(** The profile at e, for mu^2 = s. *)
Theorem profile_of_sides s e ca qa cb qb : 0 < s ->
  let a := e - s / 2 in let b := e + s / 2 in
  Phi (- (a / sqrt s)) = ca - bell (a / sqrt s) / sqrt (2 * PI * s) * qa ->
  Phi (- (b / sqrt s)) = cb - bell (b / sqrt s) / sqrt (2 * PI * s) * qb ->
  profile (sqrt s) e = ca - cb * exp e + exp (- (a * a / s) / 2) / sqrt (2 * PI * s) * (qb - qa).
Proof.
intros s0 a b A B. set (mu := sqrt s) in *.
assert (mu0 : 0 < mu) by (apply sqrt_lt_R0; exact s0).
assert (ss : mu * mu = s) by (apply sqrt_sqrt; lra).
assert (square : forall z, z / mu * (z / mu) = z * z / s) by (intros z; rewrite <- ss; field; lra).
unfold profile.
replace (mu / 2 - e / mu) with (- (a / mu)) by (unfold a; rewrite <- ss; field; lra).
replace (- (mu / 2) - e / mu) with (- (b / mu)) by (unfold b; rewrite <- ss; field; lra).
rewrite A, B.
assert (bells : exp e * bell (b / mu) = bell (a / mu)).
{ unfold bell. rewrite <- exp_plus, !square. f_equal. unfold a, b. field. lra. }
replace (exp (- (a * a / s) / 2)) with (bell (a / mu)) by (unfold bell; rewrite square; reflexivity).
rewrite <- bells. unfold Rdiv. ring.
Qed.
