(** Poisson's summation formula for a function that falls exponentially, as does its second derivative.

    Windows around v + jR together are an interval, on which sums of Fejer's kernel are those of integrals
    against cosines.  So the mean of the first n trapezoid sums is the sum over all periods up to a constant
    over n, and so is the n-th one if its terms fall fast ([poisson_summation]). *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import FejerKernel.
Local Open Scope R_scope.

Lemma whole_ext f g W : (forall x, f x = g x) -> whole f W -> whole g W.
Proof.
intros e h eps e0. destruct (h eps e0) as [M k]. exists M. intros p q hp hq.
destruct (k p q hp hq) as [y [i b]]. exists y. split; [|exact b].
apply (is_RInt_ext f); [intros; apply e|exact i].
Qed.

Lemma whole_plus f g V W : whole f V -> whole g W -> whole (fun x => f x + g x) (V + W).
Proof.
intros h k eps e0. destruct (h (eps / 2) ltac:(lra)) as [M h']. destruct (k (eps / 2) ltac:(lra)) as [N k'].
exists (Rmax M N). intros p q hp hq. pose proof (Rmax_l M N). pose proof (Rmax_r M N).
destruct (h' p q ltac:(lra) ltac:(lra)) as [y [i b]]. destruct (k' p q ltac:(lra) ltac:(lra)) as [z [j c]].
exists (y + z). split; [exact (@is_RInt_plus R_NormedModule _ _ _ _ _ _ i j)|].
replace (y + z - (V + W)) with ((y - V) + (z - W)) by ring.
pose proof (Rabs_triang (y - V) (z - W)). lra.
Qed.

Lemma whole_scal c f W : whole f W -> whole (fun x => c * f x) (c * W).
Proof.
intros h eps e0. pose proof (Rabs_pos c) as c0.
destruct (h (eps / (Rabs c + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as [M k].
exists M. intros p q hp hq. destruct (k p q hp hq) as [y [i b]]. exists (c * y).
split; [exact (RInt_scaled _ c _ _ _ i)|]. rewrite <- Rmult_minus_distr_l, Rabs_mult.
apply Rle_trans with (Rabs c * (eps / (Rabs c + 1))); [apply Rmult_le_compat_l; assumption|].
apply (Rmult_le_reg_r (Rabs c + 1)); [lra|].
replace (Rabs c * (eps / (Rabs c + 1)) * (Rabs c + 1)) with (Rabs c * eps) by (field; lra). nra.
Qed.

Lemma whole_total (f : nat -> R -> R) (W : nat -> R) n : (forall i, whole (f i) (W i)) ->
  whole (fun x => total (fun i => f i x) n) (total W n).
Proof.
intros h. induction n as [|n IH]; cbn [total].
- pose proof (whole_scal 0 _ _ (h O)) as k. rewrite Rmult_0_l in k. apply (whole_ext _ _ _ (fun x => Rmult_0_l _) k).
- exact (whole_plus _ _ _ _ IH (h n)).
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [l|e]; [apply Rlt_le, exp_increasing, l|rewrite e; lra]. Qed.

Section Poisson.
Variables (d v B c C : R) (f f1 f2 : R -> R) (W : nat -> R).
Hypotheses (d0 : 0 < d) (c0 : 0 < c).
Hypotheses (D1 : forall x, is_derive f x (f1 x)) (D2 : forall x, is_derive f1 x (f2 x)).
Hypotheses (falls : forall x, Rabs (f x) <= B * exp (- (c * Rabs x)))
  (falls2 : forall x, Rabs (f2 x) <= B * exp (- (c * Rabs x))).
Hypothesis integrals : forall i, whole (fun u => f u * cos (INR i * d * (u - v))) (W i).
Hypothesis fast : forall n, total (fun i => INR (S i) * Rabs (W (S i))) n <= C.

Let R0 := turn d.
Let R0_pos : 0 < R0. Proof. apply turn_pos, d0. Qed.
Let B0 : 0 <= B.
Proof.
pose proof (falls 0) as h. pose proof (Rabs_pos (f 0)). rewrite Rabs_R0, Rmult_0_r, Ropp_0, exp_0 in h. lra.
Qed.

(** The n-th trapezoid sum, times the period; and the sum over the periods from -J to J. *)
Definition partial (n : nat) : R := W O + 2 * total (fun i => W (S i)) n.
Definition periods (J : nat) : R :=
  f v + total (fun j => f (v + INR (S j) * R0) + f (v - INR (S j) * R0)) J.

Let q := exp (- (c * R0)).
Let q01 : 0 < q < 1.
Proof.
split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
pose proof (Rmult_lt_0_compat _ _ c0 R0_pos). lra.
Qed.

Let power j : exp (- (c * (INR j * R0))) = q ^ j.
Proof.
induction j as [|j IH]; [simpl; rewrite Rmult_0_l, Rmult_0_r, Ropp_0; apply exp_0|].
simpl (q ^ S j). rewrite <- IH. unfold q. rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.

(** How small they are j periods away, and near there. *)
Let envelope : R := B * exp (c * (Rabs v + R0)).
Let envelope_ge0 : 0 <= envelope.
Proof. apply Rmult_le_pos; [exact B0|apply Rlt_le, exp_pos]. Qed.

Let away j x : INR j * R0 - Rabs v - R0 <= Rabs x -> B * exp (- (c * Rabs x)) <= envelope * q ^ j.
Proof.
intros h. unfold envelope. rewrite Rmult_assoc, <- power, <- exp_plus. apply Rmult_le_compat_l; [exact B0|].
apply exp_le. pose proof (Rmult_le_compat_l c _ _ ltac:(lra) h). lra.
Qed.

Definition integrand (n : nat) (u : R) : R := f u * fejer d n (u - v).

Let around k j n : Rabs (IZR k) = INR j -> exists V,
  is_RInt (integrand n) (v + IZR k * R0 - R0 / 2) (v + IZR k * R0 + R0 / 2) V /\
  Rabs (V - INR n * R0 * f (v + IZR k * R0)) <= envelope * (36 / (d * d)) * R0 * q ^ j.
Proof.
intros kj. set (m := v + IZR k * R0).
assert (ex : ex_RInt (integrand n) (m - R0 / 2) (m + R0 / 2)).
{ apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. unfold integrand.
  apply (@continuous_mult R_UniformSpace R_AbsRing f).
  - apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply D1.
  - apply (continuous_comp (fun u => u - v) (fejer d n)); [|apply continuous_fejer].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. exact I. }
destruct ex as [V h]. exists V. split; [exact h|].
assert (s : is_RInt (fun x => f (m + x) * fejer d n x) (- (turn d / 2)) (turn d / 2) V).
{ apply (is_RInt_ext (fun x => integrand n (m + x))).
  - intros x _. unfold integrand. f_equal. rewrite <- (fejer_turns d d0 n x k). f_equal. unfold m, R0. ring.
  - apply RInt_shift. fold R0. replace (m + - (R0 / 2)) with (m - R0 / 2) by ring. exact h. }
assert (shifted : forall g g' : R -> R, (forall x, is_derive g x (g' x)) ->
  forall x, is_derive (fun x => g (m + x)) x (g' (m + x))).
{ intros g g' D x. rewrite <- (Rmult_1_l (g' _)). apply (is_derive_comp g (fun x => m + x)); [apply D|].
  auto_derive; [exact I|ring]. }
assert (b : forall x, - (turn d / 2) <= x <= turn d / 2 -> Rabs (f2 (m + x)) <= envelope * q ^ j).
{ intros x hx. eapply Rle_trans; [apply falls2|]. apply away. fold R0 in hx.
  pose proof (Rabs_triang (m + x) (- (x + v))) as t. replace (m + x + - (x + v)) with (IZR k * R0) in t by (unfold m; ring).
  rewrite Rabs_Ropp, Rabs_mult, kj, (Rabs_right R0) in t by lra.
  pose proof (Rabs_triang x v). assert (Rabs x <= R0) by (apply Rabs_le; lra). lra. }
pose proof (window_near d d0 (fun x => f (m + x)) _ _ _ (shifted _ _ D1) (shifted _ _ D2) b n V s) as w.
cbv beta in w. rewrite Rplus_0_r in w. fold R0 in w. lra.
Qed.

(** All windows from -J to J. *)
Let constant : R := envelope * (36 / (d * d)) * R0 * (1 + 2 * / (1 - q)).

Let windows n J : exists V,
  is_RInt (integrand n) (v - (INR J + / 2) * R0) (v + (INR J + / 2) * R0) V /\
  Rabs (V - INR n * R0 * periods J) <= constant.
Proof.
set (e := envelope * (36 / (d * d)) * R0).
assert (d36 : 0 < 36 / (d * d)) by (apply Rdiv_lt_0_compat; nra).
assert (e0 : 0 <= e) by (unfold e; apply Rmult_le_pos; [apply Rmult_le_pos; [exact envelope_ge0|]|]; lra).
enough (main : exists V, is_RInt (integrand n) (v - (INR J + / 2) * R0) (v + (INR J + / 2) * R0) V /\
  Rabs (V - INR n * R0 * periods J) <= e * (1 + 2 * total (fun i => q ^ S i) J)).
{ destruct main as [V [h le]]. exists V. split; [exact h|]. eapply Rle_trans; [exact le|].
  unfold constant. fold e. apply Rmult_le_compat_l; [exact e0|]. pose proof (geometric q J q01). lra. }
induction J as [|J [V [h le]]].
- destruct (around 0 0 n) as [V [h le]]; [apply Rabs_R0|]. exists V. cbn [total periods]. split.
  + replace (v - (INR 0 + / 2) * R0) with (v + 0 * R0 - R0 / 2) by (simpl; field).
    replace (v + (INR 0 + / 2) * R0) with (v + 0 * R0 + R0 / 2) by (simpl; field). exact h.
  + unfold periods. cbn [total]. fold e in le. rewrite Rmult_0_l, !Rplus_0_r in le. simpl (q ^ 0) in le.
    rewrite Rplus_0_r, Rmult_0_r, Rplus_0_r. exact le.
- destruct (around (Z.of_nat (S J)) (S J) n) as [V1 [h1 le1]].
  { rewrite <- INR_IZR_INZ. apply Rabs_right, Rle_ge, pos_INR. }
  destruct (around (- Z.of_nat (S J)) (S J) n) as [V2 [h2 le2]].
  { rewrite opp_IZR, Rabs_Ropp, <- INR_IZR_INZ. apply Rabs_right, Rle_ge, pos_INR. }
  rewrite opp_IZR, <- INR_IZR_INZ in *. fold e in le1, le2. exists (V2 + V + V1). split.
  + replace (v - (INR (S J) + / 2) * R0) with (v + - INR (S J) * R0 - R0 / 2) by field.
    replace (v + (INR (S J) + / 2) * R0) with (v + INR (S J) * R0 + R0 / 2) by field.
    apply (@is_RInt_Chasles R_NormedModule _ _ (v + (INR J + / 2) * R0)).
    * apply (@is_RInt_Chasles R_NormedModule _ _ (v - (INR J + / 2) * R0)); [|exact h].
      replace (v - (INR J + / 2) * R0) with (v + - INR (S J) * R0 + R0 / 2) by (rewrite S_INR; field). exact h2.
    * replace (v + (INR J + / 2) * R0) with (v + INR (S J) * R0 - R0 / 2) by (rewrite S_INR; field). exact h1.
  + unfold periods in *. cbn [total]. set (t := total _ J) in *. set (g := total (fun i => q ^ S i) J) in *.
    replace (v - INR (S J) * R0) with (v + - INR (S J) * R0) by ring.
    set (y := f (v + INR (S J) * R0)) in *. set (z := f (v + - INR (S J) * R0)) in *.
    replace (V2 + V + V1 - INR n * R0 * (f v + (t + (y + z)))) with
      ((V - INR n * R0 * (f v + t)) + ((V1 - INR n * R0 * y) + (V2 - INR n * R0 * z))) by ring.
    pose proof (Rabs_triang (V - INR n * R0 * (f v + t)) ((V1 - INR n * R0 * y) + (V2 - INR n * R0 * z))).
    pose proof (Rabs_triang (V1 - INR n * R0 * y) (V2 - INR n * R0 * z)). lra.
Qed.

Let means n : whole (integrand n) (total partial n).
Proof.
apply (whole_ext (fun u => total (fun i => f u * dirichlet d i (u - v)) n)).
{ intros u. unfold integrand, fejer. apply total_scal. }
apply (whole_total (fun i u => f u * dirichlet d i (u - v))). intros i. unfold partial, dirichlet.
apply (whole_ext (fun u => f u * cos (INR 0 * d * (u - v)) +
  2 * total (fun l => f u * cos (INR (S l) * d * (u - v))) i)).
{ intros u. rewrite total_scal. simpl (INR 0). rewrite !Rmult_0_l, cos_0. ring. }
apply whole_plus; [apply integrals|]. apply whole_scal.
apply (whole_total (fun l u => f u * cos (INR (S l) * d * (u - v)))). intros l. apply integrals.
Qed.

Let mean_near n : Rabs (INR n * partial n - total partial n) <= 2 * C.
Proof.
assert (e : INR n * partial n - total partial n = 2 * total (fun i => INR (S i) * W (S i)) n).
{ induction n as [|n IH]; [simpl; ring|]. cbn [total].
  assert (p : partial (S n) = partial n + 2 * W (S n)) by (unfold partial; cbn [total]; ring).
  rewrite p, S_INR in *. replace (total partial n) with (INR n * partial n - 2 * total (fun i => INR (S i) * W (S i)) n) by lra.
  ring. }
rewrite e, Rabs_mult, (Rabs_right 2) by lra. apply Rmult_le_compat_l; [lra|].
eapply Rle_trans; [apply total_abs|]. eapply Rle_trans; [|apply (fast n)]. apply Req_le, total_ext. intros i _.
rewrite Rabs_mult, (Rabs_right (INR (S i))); [reflexivity|apply Rle_ge, pos_INR].
Qed.

(** Later periods hold little. *)
Let periods_near n m : Rabs (periods (n + m) - periods n) <= 2 * envelope * / (1 - q) * q ^ n.
Proof.
assert (p : 0 <= 2 * envelope * q ^ n).
{ apply Rmult_le_pos; [lra|apply pow_le; lra]. }
replace (2 * envelope * / (1 - q) * q ^ n) with (2 * envelope * q ^ n * / (1 - q)) by ring.
apply Rle_trans with (2 * envelope * q ^ n * total (fun i => q ^ S i) m).
2:{ apply Rmult_le_compat_l; [exact p|apply geometric, q01]. }
induction m as [|m IH].
- rewrite Nat.add_0_r, Rminus_diag_eq, Rabs_R0 by reflexivity. simpl. lra.
- assert (small : forall x, INR (S (n + m)) * R0 - Rabs v - R0 <= Rabs x -> Rabs (f x) <= envelope * q ^ S (n + m)).
  { intros x h. eapply Rle_trans; [apply falls|apply away, h]. }
  set (k := INR (S (n + m)) * R0) in *. assert (k0 : 0 <= k) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  assert (l : forall x, Rabs (k - Rabs v) <= Rabs x \/ k - Rabs v <= Rabs x -> k - Rabs v - R0 <= Rabs x).
  { intros x [h|h]; [pose proof (Rle_abs (k - Rabs v))|]; lra. }
  assert (s1 : Rabs (f (v + k)) <= envelope * q ^ S (n + m)).
  { apply small, l. right. pose proof (Rabs_triang (v + k) (- v)) as t.
    replace (v + k + - v) with k in t by ring. rewrite Rabs_Ropp, (Rabs_right k) in t by lra. lra. }
  assert (s2 : Rabs (f (v - k)) <= envelope * q ^ S (n + m)).
  { apply small, l. right. pose proof (Rabs_triang (v - k) (- v)) as t.
    replace (v - k + - v) with (- k) in t by ring. rewrite !Rabs_Ropp, (Rabs_right k) in t by lra. lra. }
  assert (e : q ^ S (n + m) = q ^ n * q ^ S m) by (rewrite <- pow_add; f_equal; lia). rewrite e in s1, s2.
  cbn [total]. rewrite Nat.add_succ_r. unfold periods in *. cbn [total]. fold k.
  set (t := total _ (n + m)) in *. set (t' := total _ n) in *.
  replace (f v + (t + (f (v + k) + f (v - k))) - (f v + t')) with
    ((f v + t - (f v + t')) + (f (v + k) + f (v - k))) by ring.
  pose proof (Rabs_triang (f v + t - (f v + t')) (f (v + k) + f (v - k))).
  pose proof (Rabs_triang (f (v + k)) (f (v - k))). lra.
Qed.

Let archimedes x : exists n : nat, x <= INR n.
Proof.
destruct (archimed x) as [h _]. exists (Z.to_nat (up x)).
destruct (Z.le_ge_cases 0 (up x)) as [l|l].
- rewrite INR_IZR_INZ, Z2Nat.id by exact l. lra.
- apply IZR_le in l. pose proof (pos_INR (Z.to_nat (up x))). lra.
Qed.

Let close n eps : 0 < eps -> exists J0, forall J, (J0 <= J)%nat ->
  Rabs (INR n * partial n - INR n * R0 * periods J) <= 2 * C + constant + eps.
Proof.
intros e0. destruct (means n eps e0) as [M h]. destruct (archimedes ((Rabs M + Rabs v) / R0)) as [J0 large].
exists J0. intros J le. apply le_INR in le.
assert (far : Rabs M + Rabs v <= INR J * R0).
{ apply (Rmult_le_reg_r (/ R0)); [apply Rinv_0_lt_compat, R0_pos|].
  replace (INR J * R0 * / R0) with (INR J) by (field; lra). unfold Rdiv in large. lra. }
pose proof (Rle_abs M). pose proof (Rle_abs v). pose proof (Rle_abs (- v)). rewrite Rabs_Ropp in *.
destruct (windows n J) as [V [hV leV]].
destruct (h (v - (INR J + / 2) * R0) (v + (INR J + / 2) * R0) ltac:(lra) ltac:(lra)) as [y [hy ley]].
rewrite (RInt_value _ _ _ _ _ hy hV) in ley. pose proof (mean_near n) as k.
set (a := INR n * partial n) in *. set (b := total partial n) in *. set (p := INR n * R0 * periods J) in *.
replace (a - p) with ((a - b) + ((b - V) + (V - p))) by ring.
pose proof (Rabs_triang (a - b) ((b - V) + (V - p))). pose proof (Rabs_triang (b - V) (V - p)).
rewrite Rabs_minus_sym in ley. lra.
Qed.

Theorem poisson_summation tau : 0 < tau -> exists n0, forall n J, (n0 <= n)%nat -> (n <= J)%nat ->
  Rabs (partial n / R0 - periods J) <= tau.
Proof.
intros t0. set (X := 2 * C + constant + 1). set (Y := 2 * envelope * / (1 - q)).
assert (Y0 : 0 <= Y).
{ unfold Y. apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra. }
assert (C1 : 0 <= X).
{ destruct (close 0 1 ltac:(lra)) as [J0 h]. pose proof (h J0 (Nat.le_refl _)) as k.
  pose proof (Rabs_pos (INR 0 * partial 0 - INR 0 * R0 * periods J0)). unfold X. lra. }
assert (cr : 0 < c * R0) by (apply Rmult_lt_0_compat; lra).
destruct (archimedes (1 + 3 * X / (tau * R0) + 3 * Y / (tau * (c * R0)))) as [n0 large]. exists n0. intros n J ln lJ.
assert (tr : 0 < tau * R0) by (apply Rmult_lt_0_compat; lra).
assert (tc : 0 < tau * (c * R0)) by (apply Rmult_lt_0_compat; lra).
assert (p1 : 0 <= 3 * X / (tau * R0)) by (apply Rdiv_le_0_compat; lra).
assert (p2 : 0 <= 3 * Y / (tau * (c * R0))) by (apply Rdiv_le_0_compat; lra).
apply le_INR in ln. assert (n1 : 1 <= INR n) by lra.
assert (first : X <= tau / 3 * (INR n * R0)).
{ apply Rle_trans with (tau / 3 * R0 * (3 * X / (tau * R0))); [apply Req_le; field; lra|].
  replace (tau / 3 * (INR n * R0)) with (tau / 3 * R0 * INR n) by ring. apply Rmult_le_compat_l; lra. }
assert (second : Y * q ^ n <= tau / 3).
{ assert (qn : q ^ n * (INR n * (c * R0)) <= 1).
  { rewrite <- power. set (z := c * (INR n * R0)). rewrite exp_Ropp. pose proof (exp_ineq1_le z). pose proof (exp_pos z).
    replace (INR n * (c * R0)) with z by (unfold z; ring). apply (Rmult_le_reg_l (exp z)); [assumption|].
    rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (big : 3 * Y <= tau * (INR n * (c * R0))).
  { apply Rle_trans with (tau * (c * R0) * (3 * Y / (tau * (c * R0)))); [apply Req_le; field; lra|].
    replace (tau * (INR n * (c * R0))) with (tau * (c * R0) * INR n) by ring. apply Rmult_le_compat_l; lra. }
  pose proof (pow_lt q n ltac:(lra)) as qp.
  pose proof (Rmult_le_compat_l (q ^ n) _ _ ltac:(lra) big) as m.
  pose proof (Rmult_le_compat_l tau _ _ ltac:(lra) qn). lra. }
destruct (close n 1 ltac:(lra)) as [J0 h]. set (J' := (J + J0)%nat).
pose proof (h J' ltac:(unfold J'; lia)) as k. fold X in k.
assert (near1 : Rabs (partial n / R0 - periods J') <= tau / 3).
{ apply (Rmult_le_reg_r (INR n * R0)); [apply Rmult_lt_0_compat; lra|]. eapply Rle_trans; [|exact first].
  eapply Rle_trans; [|exact k]. apply Req_le. rewrite <- (Rabs_right (INR n * R0)) at 1.
  2:{ apply Rle_ge, Rmult_le_pos; lra. }
  rewrite <- Rabs_mult. f_equal. field. lra. }
pose proof (periods_near n (J - n)) as a. replace (n + (J - n))%nat with J in a by lia.
pose proof (periods_near n (J' - n)) as b. replace (n + (J' - n))%nat with J' in b by (unfold J'; lia).
fold Y in a, b. replace (partial n / R0 - periods J) with
  ((partial n / R0 - periods J') + ((periods J' - periods n) + (periods n - periods J))) by ring.
pose proof (Rabs_triang (partial n / R0 - periods J') ((periods J' - periods n) + (periods n - periods J))).
pose proof (Rabs_triang (periods J' - periods n) (periods n - periods J)).
rewrite Rabs_minus_sym in a. lra.
Qed.
End Poisson.
