(** The normal distribution, and the privacy profile of a Gaussian mechanism.

    [Phi] is the distribution function, and [profile mu e] the hockey-stick divergence at e^e of the
    normal distributions of variance 1 around mu and 0 (Balle & Wang, ICML 2018, Theorem 8).

    Integration by parts gives the integral of e^(-t^2/2) as a series of positive terms,

      integral from 0 to x = e^(-x^2/2) x (1 + v/3 (1 + v/5 (1 + v/7 (1 + ...)))),   v = x^2,

    for x not far from 0 ([integral_enclosed]); NormalFar.v has the others, and the profile. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms.
Local Open Scope R_scope.

Definition bell (x : R) : R := exp (- (x * x) / 2).
Definition Phi (x : R) : R := / 2 + RInt bell 0 x / sqrt (2 * PI).
Definition profile (mu e : R) : R := Phi (mu / 2 - e / mu) - exp e * Phi (- (mu / 2) - e / mu).

(** The moments c t^(c - 1) e^(-t^2/2), integrated from 0 to x, for odd c = 2 m + 1. *)
Definition odd (m : nat) : R := INR (2 * m + 1).
Definition density (m : nat) (t : R) : R := odd m * t ^ (2 * m) * bell t.
Definition moment (m : nat) (x : R) : R := RInt (density m) 0 x.
(** What is integrated by parts. *)
Definition part (m : nat) (x : R) : R := x ^ (2 * m + 1) * bell x.

Lemma odd_pos m : 0 < odd m.
Proof. apply INR_odd. Qed.

Lemma odd_succ m : odd (S m) = odd m + 2.
Proof.
unfold odd. replace (2 * S m + 1)%nat with (2 * m + 1 + 2)%nat by lia.
rewrite plus_INR. simpl (INR 2). ring.
Qed.

Lemma bell_pos x : 0 < bell x.
Proof. apply exp_pos. Qed.

Lemma continuous_density m x : continuous (density m) x.
Proof.
apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold density, bell. auto_derive. exact I.
Qed.

Lemma integrable m a b : ex_RInt (density m) a b.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_density. Qed.

Lemma is_derive_moment m x : is_derive (moment m) x (density m x).
Proof.
apply (is_derive_RInt (density m) (moment m) 0); [|apply continuous_density].
exists (mkposreal 1 Rlt_0_1). intros b _.
apply (@RInt_correct R_CompleteNormedModule), integrable.
Qed.

Lemma is_derive_part m x : is_derive (part m) x (density m x - density (S m) x / odd (S m)).
Proof.
pose proof (odd_pos (S m)) as c0.
replace (density (S m) x / odd (S m)) with (x ^ (2 * S m) * bell x) by (unfold density; field; lra).
unfold part, bell, density, odd. auto_derive; [exact I|]. unfold bell.
replace (Init.Nat.pred (m + (m + 0) + 1)) with (2 * m)%nat by lia.
replace (m + (m + 0))%nat with (2 * m)%nat by lia.
replace (2 * S m)%nat with (2 * m + 2)%nat by lia. rewrite !pow_add.
unfold Rdiv. field.
Qed.

Lemma part0 m : part m 0 = 0.
Proof. unfold part. rewrite pow_i by lia. ring. Qed.

Lemma moment0 m : moment m 0 = 0.
Proof. apply (@RInt_point R_CompleteNormedModule). Qed.

(** Integration by parts. *)
Lemma moment_by_parts m x : 0 <= x -> moment m x = part m x + moment (S m) x / odd (S m).
Proof.
intros x0. pose proof (odd_pos (S m)) as c0.
pose (f := fun x => part m x + moment (S m) x / odd (S m) - moment m x).
assert (D : forall t, is_derive f t 0).
{ intros t.
  replace 0 with (density m t - density (S m) t / odd (S m) + / odd (S m) * density (S m) t - density m t)
    by (unfold Rdiv; ring).
  apply (@is_derive_minus R_AbsRing R_NormedModule (fun x => part m x + moment (S m) x / odd (S m))).
  2: apply is_derive_moment.
  apply (@is_derive_plus R_AbsRing R_NormedModule (part m)); [apply is_derive_part|].
  apply (is_derive_ext (fun t => / odd (S m) * moment (S m) t)); [intros; unfold Rdiv; apply Rmult_comm|].
  apply (is_derive_scal (moment (S m)) t (/ odd (S m))), is_derive_moment. }
assert (f0 : f 0 = 0) by (unfold f; rewrite part0, !moment0; field; lra).
assert (up : f 0 <= f x) by (apply (nondecr f (fun _ => 0)); [exact x0|intros; apply D|intros; lra]).
assert (down : - f 0 <= - f x).
{ apply (nondecr (fun t => - f t) (fun _ => - 0)); [exact x0| |intros; lra].
  intros t _. apply (@is_derive_opp R_AbsRing R_NormedModule), D. }
unfold f in up, down. unfold f in f0. lra.
Qed.

(** The moment without the part that falls: e^(-x^2/2) x^c below it, and twice that above it as
    long as 2 x^2 <= c. *)
Lemma part_below m x : 0 <= x -> part m x <= moment m x.
Proof.
intros x0. pose proof (odd_pos (S m)) as c0. rewrite moment_by_parts by exact x0.
assert (0 <= moment (S m) x); [|pose proof (Rdiv_le_0_compat _ _ H c0); lra].
apply (@RInt_ge_0 (density (S m)) 0 x x0); [apply integrable|].
intros t _. unfold density. pose proof (even_pow_nonneg (S m) t). pose proof (bell_pos t).
apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|assumption].
Qed.

Lemma part_above m x : 0 <= x -> 2 * (x * x) <= odd m -> moment m x <= 2 * part m x.
Proof.
intros x0 small. pose proof (odd_pos m) as c0.
pose (f := fun x => 2 * part m x - moment m x).
assert (H : f 0 <= f x).
{ apply (nondecr f (fun t => 2 * (density m t - density (S m) t / odd (S m)) - density m t)); [lra| |].
  - intros t _.
    apply (@is_derive_minus R_AbsRing R_NormedModule (fun x => 2 * part m x)); [|apply is_derive_moment].
    apply (is_derive_scal (part m) t 2), is_derive_part.
  - intros t ht. pose proof (odd_pos (S m)).
    replace (density (S m) t / odd (S m)) with (t * t * (t ^ (2 * m) * bell t)).
    2:{ unfold density. replace (2 * S m)%nat with (2 * m + 2)%nat by lia. rewrite pow_add. field. lra. }
    unfold density. pose proof (even_pow_nonneg m t). pose proof (bell_pos t).
    assert (0 <= t ^ (2 * m) * bell t) by (apply Rmult_le_pos; lra).
    assert (t * t <= x * x) by (apply Rmult_le_compat; lra). nra. }
unfold f in H. rewrite part0, moment0 in H. lra.
Qed.

(** 1 + v/(c + 2) (1 + v/(c + 4) (1 + ... t)). *)
Fixpoint nested (n : nat) (c v t : R) : R :=
  match n with O => t | S k => 1 + v / (c + 2) * nested k (c + 2) v t end.

Lemma part_succ m x : part (S m) x = x * x * part m x.
Proof.
unfold part. replace (2 * S m + 1)%nat with (2 * m + 1 + 2)%nat by lia. rewrite pow_add. ring.
Qed.

Lemma part_ge0 m x : 0 <= x -> 0 <= part m x.
Proof. intros x0. apply Rmult_le_pos; [apply pow_le, x0|apply Rlt_le, bell_pos]. Qed.

Lemma moment_enclosed n m x : 0 <= x -> 2 * (x * x) <= odd (n + m) ->
  part m x * nested n (odd m) (x * x) 1 <= moment m x <= part m x * nested n (odd m) (x * x) 2.
Proof.
intros x0. revert m. induction n as [|n IH]; intros m small; cbn [nested].
  pose proof (part_below m x x0). pose proof (part_above m x x0 small). lra.
replace (S n + m)%nat with (n + S m)%nat in small by lia. specialize (IH (S m) small).
pose proof (odd_pos (S m)) as c0. rewrite moment_by_parts by exact x0. rewrite part_succ in IH.
rewrite <- odd_succ.
assert (e : forall t, part m x * (1 + x * x / odd (S m) * t) = part m x + x * x * part m x * t / odd (S m))
  by (intros; field; lra).
rewrite !e. split; apply Rplus_le_compat_l, Rmult_le_compat_r; try lra;
apply Rlt_le, Rinv_0_lt_compat; lra.
Qed.

Lemma integral_moment x : RInt bell 0 x = moment 0 x.
Proof.
apply (@RInt_ext R_CompleteNormedModule). intros t _. unfold density, odd. simpl. symmetry.
rewrite !Rmult_1_l. reflexivity.
Qed.

Lemma moment_opp x : moment 0 (- x) = - moment 0 x.
Proof.
transitivity (RInt (fun t => opp (density 0 (- t))) 0 x); [symmetry|];
  apply (@is_RInt_unique R_CompleteNormedModule).
- apply (@is_RInt_comp_opp R_NormedModule). rewrite Ropp_0.
  apply (@RInt_correct R_CompleteNormedModule), integrable.
- apply (is_RInt_ext (fun t => opp (density 0 t))).
    intros t _. unfold density, bell. replace (- t * - t) with (t * t) by ring. reflexivity.
  apply (@is_RInt_opp R_NormedModule), (@RInt_correct R_CompleteNormedModule), integrable.
Qed.

(** The integral as a series, for x of any sign. *)
Lemma integral_enclosed n x : 2 * (x * x) <= odd n ->
  exists q, nested n 1 (x * x) 1 <= q <= nested n 1 (x * x) 2 /\ RInt bell 0 x = x * bell x * q.
Proof.
intros small.
assert (main : forall z, 0 < z -> z * z = x * x -> exists q,
  nested n 1 (x * x) 1 <= q <= nested n 1 (x * x) 2 /\ moment 0 z = z * bell z * q).
{ intros z z0 e. exists (moment 0 z / (z * bell z)).
  assert (d0 : 0 < z * bell z) by (apply Rmult_lt_0_compat; [lra|apply bell_pos]).
  split; [|pose proof (bell_pos z); field; lra].
  pose proof (moment_enclosed n 0 z) as h. rewrite Nat.add_0_r in h.
  replace (odd 0) with 1 in h by (unfold odd; simpl; ring).
  unfold part in h. rewrite pow_1, e in h. specialize (h (Rlt_le _ _ z0) small).
  split; apply (Rmult_le_reg_r (z * bell z)); try lra;
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra. }
rewrite integral_moment. destruct (Rtotal_order x 0) as [h|[h|h]].
- destruct (main (- x)) as [q [b e]]; [lra|apply Rmult_opp_opp|]. exists q. split; [exact b|].
  rewrite moment_opp in e. replace (bell (- x)) with (bell x) in e by (unfold bell; replace (- x * - x) with (x * x) by ring; reflexivity).
  lra.
- subst x. exists (nested n 1 (0 * 0) 1). split; [|rewrite moment0, !Rmult_0_l; reflexivity].
  split; [lra|]. clear. destruct n; cbn [nested]; [lra|].
  replace (0 * 0 / (1 + 2)) with 0 by field. lra.
- destruct (main x) as [q [b e]]; [lra|reflexivity|]. exists q. split; assumption.
Qed.
