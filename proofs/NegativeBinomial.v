(** How often a mechanism is run: truncated negative binomial laws (SPEC, 7.1).

    Their generating functions have the derivative C (1 - (1 - gamma) x)^(-1 - eta) ([generating_slope]): so a
    mean slope between two probabilities is at most so many times that between two others ([slopes_near]),
    if the ends are so near to each other. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(** P[K = k] up to a factor; of eta = 0 a logarithmic law. *)
Fixpoint runs_weight (eta gamma : R) (k : nat) : R :=
  match k with
  | O => 0
  | S O => 1
  | S (S i as j) => runs_weight eta gamma j * ((INR j + eta) / INR (S j) * (1 - gamma))
  end.
Arguments runs_weight _%R _%R _%nat.

Section Law.
Variables eta gamma : R.
Hypotheses (eta1 : -1 < eta) (gamma0 : 0 < gamma) (gamma1 : gamma < 1).
Let v := runs_weight eta gamma.
Let d := PS_derive v.

Lemma runs_weight_next k : v (S (S k)) = v (S k) * ((INR (S k) + eta) / INR (S (S k)) * (1 - gamma)).
Proof. reflexivity. Qed.

Lemma runs_weight_gt0 k : 0 < v (S k).
Proof.
induction k as [|k IH]; [unfold v; simpl; lra|]. rewrite runs_weight_next.
apply Rmult_lt_0_compat; [exact IH|]. apply Rmult_lt_0_compat; [|lra].
assert (1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra).
apply Rdiv_lt_0_compat; [lra|]. apply lt_0_INR; lia.
Qed.
Lemma runs_weight_ge0 k : 0 <= v k.
Proof. destruct k; [unfold v; simpl; lra|]. apply Rlt_le, runs_weight_gt0. Qed.

Lemma slope_next k : INR (S k) * d (S k) = (INR (S k) + eta) * (1 - gamma) * d k.
Proof.
unfold d, PS_derive. rewrite runs_weight_next. field. apply Rgt_not_eq, lt_0_INR. lia.
Qed.
Lemma slope_gt0 k : 0 < d k.
Proof. apply Rmult_lt_0_compat; [apply lt_0_INR; lia|apply runs_weight_gt0]. Qed.

Lemma slope_radius : CV_radius d = Finite (/ (1 - gamma)).
Proof.
apply CV_radius_finite_DAlembert.
- intros n. apply Rgt_not_eq, slope_gt0.
- lra.
- apply is_lim_seq_ext with (fun n => (1 + eta * / INR (S n)) * (1 - gamma)).
  { intros n. assert (n0 : 0 < INR (S n)) by (apply lt_0_INR; lia). pose proof (slope_gt0 n) as d0. pose proof (slope_gt0 (S n)) as d1.
    rewrite Rabs_pos_eq by (apply Rlt_le, Rdiv_lt_0_compat; assumption).
    pose proof (slope_next n) as e. apply (Rmult_eq_reg_r (d n)); [|lra].
    replace (d (S n) / d n * d n) with (d (S n)) by (field; lra).
    apply (Rmult_eq_reg_l (INR (S n))); [|lra]. rewrite e. field. lra. }
  replace (Finite (1 - gamma)) with (Finite ((1 + eta * 0) * (1 - gamma))) by (f_equal; ring).
  apply is_lim_seq_mult'; [|apply is_lim_seq_const].
  apply is_lim_seq_plus'; [apply is_lim_seq_const|].
  apply is_lim_seq_mult'; [apply is_lim_seq_const|].
  apply (is_lim_seq_incr_1 (fun n => / INR n)).
  change (Finite 0) with (Rbar_inv p_infty). apply is_lim_seq_inv; [exact is_lim_seq_INR|discriminate].
Qed.

Lemma weight_radius : CV_radius v = Finite (/ (1 - gamma)).
Proof. rewrite <- slope_radius. unfold d. symmetry. apply CV_radius_derive. Qed.

Lemma inside x : 0 <= x <= 1 -> Rabs x < / (1 - gamma).
Proof.
intros [x0 x1]. rewrite Rabs_pos_eq by exact x0. apply Rle_lt_trans with 1; [exact x1|].
rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra.
Qed.

(** The generating function, but for a factor. *)
Definition generating (x : R) : R := PSeries v x.
Definition slope (x : R) : R := PSeries d x.

Lemma generating_series x : 0 <= x <= 1 -> is_series (fun k => v k * x ^ k) (generating x).
Proof.
intros h. apply is_pseries_R, PSeries_correct, CV_radius_inside. rewrite weight_radius. exact (inside x h).
Qed.
Lemma generating_derive x : 0 <= x <= 1 -> is_derive generating x (slope x).
Proof. intros h. apply is_derive_PSeries. rewrite weight_radius. exact (inside x h). Qed.

Lemma slope_equation x : 0 <= x <= 1 ->
  (1 - (1 - gamma) * x) * PSeries (PS_derive d) x = (1 + eta) * (1 - gamma) * slope x.
Proof.
intros h. unfold slope.
assert (R2 : Rbar_lt (Rabs x) (CV_radius (PS_derive d))) by (rewrite CV_radius_derive, slope_radius; exact (inside x h)).
assert (R1 : Rbar_lt (Rabs x) (CV_radius d)) by (rewrite slope_radius; exact (inside x h)).
assert (E2 := CV_radius_inside _ _ R2). assert (E1 := CV_radius_inside _ _ R1).
assert (I1 : ex_pseries (PS_incr_1 (PS_derive d)) x) by (apply ex_pseries_incr_1; exact E2).
replace ((1 - (1 - gamma) * x) * PSeries (PS_derive d) x) with
  (PSeries (PS_derive d) x - (1 - gamma) * PSeries (PS_incr_1 (PS_derive d)) x)
  by (rewrite PSeries_incr_1; ring).
rewrite <- PSeries_scal, <- PSeries_scal.
rewrite <- PSeries_minus; [|exact E2|apply ex_pseries_scal; [apply Rmult_comm|exact I1]].
apply PSeries_ext. intros [|n].
- change (INR 1 * d 1%nat + - ((1 - gamma) * 0) = (1 + eta) * (1 - gamma) * d 0%nat).
  rewrite (slope_next 0). simpl INR. ring.
- change (INR (S (S n)) * d (S (S n)) + - ((1 - gamma) * (INR (S n) * d (S n))) = (1 + eta) * (1 - gamma) * d (S n)).
  rewrite (slope_next (S n)), (S_INR (S n)). ring.
Qed.

(** 1 - (1 - gamma) x. *)
Definition missing (x : R) : R := 1 - (1 - gamma) * x.
Lemma missing_gt0 x : 0 <= x <= 1 -> 0 < missing x.
Proof. intros [x0 x1]. unfold missing. nra. Qed.

Lemma slope_derive x : 0 <= x <= 1 -> is_derive slope x (PSeries (PS_derive d) x).
Proof. intros h. apply is_derive_PSeries. rewrite slope_radius. exact (inside x h). Qed.

Lemma missing_power_derive x : 0 <= x <= 1 ->
  is_derive (fun x => exp ((1 + eta) * ln (missing x))) x
    (- (1 + eta) * (1 - gamma) / missing x * exp ((1 + eta) * ln (missing x))).
Proof.
intros h. pose proof (missing_gt0 x h) as m. unfold missing in *. auto_derive; [exact m|]. unfold Rminus in *. field. lra.
Qed.

(** Its derivative is the power of what is missing. *)
Theorem generating_slope x : 0 <= x <= 1 -> slope x = exp (- (1 + eta) * ln (missing x)).
Proof.
intros h. pose (psi x := slope x * exp ((1 + eta) * ln (missing x))).
assert (D : forall t, 0 <= t <= 1 -> is_derive psi t 0).
{ intros t ht. pose proof (missing_gt0 t ht) as m. pose proof (slope_equation t ht) as e. fold (missing t) in e.
  replace 0 with (PSeries (PS_derive d) t * exp ((1 + eta) * ln (missing t)) +
    slope t * (- (1 + eta) * (1 - gamma) / missing t * exp ((1 + eta) * ln (missing t)))).
  { apply (is_derive_mult slope (fun x => exp ((1 + eta) * ln (missing x)))).
    - exact (slope_derive t ht).
    - exact (missing_power_derive t ht).
    - intros; apply Rmult_comm. }
  replace (PSeries (PS_derive d) t) with ((1 + eta) * (1 - gamma) * slope t / missing t) by (rewrite <- e; field; lra).
  field. lra. }
assert (C : psi x = psi 0).
{ destruct (MVT_gen psi 0 x (fun _ => 0)) as [c [_ e]].
  - intros t ht. apply D. rewrite Rmin_left, Rmax_right in ht by lra. lra.
  - intros t ht. rewrite Rmin_left, Rmax_right in ht by lra.
    apply derivable_continuous_pt. exists 0. apply is_derive_Reals, D. lra.
  - lra. }
unfold psi in C. replace (missing 0) with 1 in C by (unfold missing; ring).
rewrite ln_1, Rmult_0_r, exp_0, Rmult_1_r in C.
replace (slope 0) with 1 in C.
2:{ unfold slope. rewrite PSeries_0. unfold d, PS_derive, v. simpl. ring. }
replace (- (1 + eta) * ln (missing x)) with (- ((1 + eta) * ln (missing x))) by ring.
rewrite exp_Ropp. pose proof (exp_pos ((1 + eta) * ln (missing x))) as e0.
apply (Rmult_eq_reg_r (exp ((1 + eta) * ln (missing x)))); [|lra]. rewrite C. field. lra.
Qed.

(** Between a and b, and between a' and b', of which what is missing is near. *)
Theorem slopes_near l a b a' b' : 0 <= a <= b -> b <= 1 -> 0 <= a' <= b' -> b' <= 1 ->
  missing a' <= exp l * missing a -> missing b' <= exp l * missing b ->
  (b' - a') * (generating b - generating a) <= exp ((1 + eta) * l) * ((b - a) * (generating b' - generating a')).
Proof.
intros [a0 ab] b1 [a0' ab'] b1' ha hb.
pose (x t := a + t * (b - a)). pose (x' t := a' + t * (b' - a')).
pose (D t := exp ((1 + eta) * l) * (b - a) * generating (x' t) - (b' - a') * generating (x t)).
pose (S t := (b - a) * (b' - a') * (exp ((1 + eta) * l) * slope (x' t) - slope (x t))).
assert (I : forall t, 0 <= t <= 1 -> (0 <= x t <= 1) /\ (0 <= x' t <= 1)).
{ intros t [t0 t1]. unfold x, x'. assert (0 <= (1 - t) * a) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * a') by (apply Rmult_le_pos; lra).
  assert (0 <= t * b) by (apply Rmult_le_pos; lra). assert (0 <= t * b') by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * (1 - a)) by (apply Rmult_le_pos; lra). assert (0 <= (1 - t) * (1 - a')) by (apply Rmult_le_pos; lra).
  assert (0 <= t * (1 - b)) by (apply Rmult_le_pos; lra). assert (0 <= t * (1 - b')) by (apply Rmult_le_pos; lra). lra. }
assert (dD : forall t, 0 <= t <= 1 -> is_derive D t (S t)).
{ intros t ht. destruct (I t ht) as [i i']. unfold D, S.
  pose proof (generating_derive _ i) as g. pose proof (generating_derive _ i') as g'.
  assert (gx : is_derive (fun t => generating (x t)) t ((b - a) * slope (x t))).
  { apply (is_derive_comp generating x); [exact g|]. unfold x. auto_derive; [exact Logic.I|ring]. }
  assert (gx' : is_derive (fun t => generating (x' t)) t ((b' - a') * slope (x' t))).
  { apply (is_derive_comp generating x'); [exact g'|]. unfold x'. auto_derive; [exact Logic.I|ring]. }
  replace ((b - a) * (b' - a') * (exp ((1 + eta) * l) * slope (x' t) - slope (x t))) with
    (exp ((1 + eta) * l) * (b - a) * ((b' - a') * slope (x' t)) - (b' - a') * ((b - a) * slope (x t))) by ring.
  apply (is_derive_minus (fun t => exp ((1 + eta) * l) * (b - a) * generating (x' t)) (fun t => (b' - a') * generating (x t))).
  - apply (is_derive_scal (fun t => generating (x' t))). exact gx'.
  - apply (is_derive_scal (fun t => generating (x t))). exact gx. }
assert (P : forall t, 0 <= t <= 1 -> 0 <= S t).
{ intros t ht. destruct (I t ht) as [i i']. unfold S. apply Rmult_le_pos; [apply Rmult_le_pos; lra|].
  rewrite !generating_slope by assumption. pose proof (missing_gt0 _ i) as m. pose proof (missing_gt0 _ i') as m'.
  assert (near : missing (x' t) <= exp l * missing (x t)).
  { unfold missing, x, x' in *. destruct ht as [t0 t1].
    pose proof (Rmult_le_compat_l (1 - t) _ _ ltac:(lra) ha). pose proof (Rmult_le_compat_l t _ _ t0 hb). nra. }
  assert (L : ln (missing (x' t)) <= l + ln (missing (x t))).
  { replace (l + ln (missing (x t))) with (ln (exp l * missing (x t))) by (rewrite ln_mult, ln_exp; trivial; apply exp_pos).
    destruct near as [lt|e]; [apply Rlt_le, ln_increasing; assumption|rewrite e; lra]. }
  rewrite <- exp_plus.
  assert (- (1 + eta) * ln (missing (x t)) <= (1 + eta) * l + - (1 + eta) * ln (missing (x' t))) by nra.
  apply Rle_minus_r. destruct H as [lt|e]; [rewrite Rplus_0_l; apply Rlt_le, exp_increasing, lt|rewrite e; lra]. }
destruct (MVT_gen D 0 1 S) as [c [hc e]].
- intros t ht. apply dD. rewrite Rmin_left, Rmax_right in ht by lra. lra.
- intros t ht. rewrite Rmin_left, Rmax_right in ht by lra.
  apply derivable_continuous_pt. exists (S t). apply is_derive_Reals, dD. lra.
- rewrite Rmin_left, Rmax_right in hc by lra. pose proof (P c hc) as p.
  unfold D, x, x' in e. rewrite !Rmult_0_l, !Rplus_0_r, !Rmult_1_l in e.
  replace (a + (b - a)) with b in e by ring. replace (a' + (b' - a')) with b' in e by ring. nra.
Qed.

Lemma generating_between a b : 0 <= a <= b -> b <= 1 -> exists2 c, 0 <= c <= 1 & generating b - generating a = slope c * (b - a).
Proof.
intros [a0 ab] b1. destruct (MVT_gen generating a b slope) as [c [hc e]].
- intros t ht. apply generating_derive. rewrite Rmin_left, Rmax_right in ht by lra. lra.
- intros t ht. rewrite Rmin_left, Rmax_right in ht by lra.
  apply derivable_continuous_pt. exists (slope t). apply is_derive_Reals, generating_derive. lra.
- rewrite Rmin_left, Rmax_right in hc by lra. exists c; [lra|exact e].
Qed.
Lemma slope_above_0 x : 0 <= x <= 1 -> 0 < slope x.
Proof. intros h. rewrite generating_slope by exact h. apply exp_pos. Qed.
Lemma generating_grows a b : 0 <= a <= b -> b <= 1 -> generating a <= generating b.
Proof.
intros h b1. destruct (generating_between a b h b1) as [c hc e]. pose proof (slope_above_0 c hc).
assert (0 <= slope c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma weights_total : is_series v (generating 1).
Proof.
apply (is_series_ext (fun k => v k * 1 ^ k)); [intros n; change (@eq R (v n * 1 ^ n) (v n)); rewrite pow1; ring|]. apply generating_series. lra.
Qed.
Lemma total_gt0 : 0 < Series v.
Proof.
rewrite (is_series_unique _ _ weights_total).
destruct (generating_between 0 1) as [c hc e]; [lra|lra|]. pose proof (slope_above_0 c hc).
replace (generating 0) with 0 in e; [lra|]. unfold generating. rewrite PSeries_0. reflexivity.
Qed.
Lemma times_total (x : R) : is_series (fun k => v k * x) (Series v * x).
Proof.
apply (is_series_ext (fun k => scal x (v k))); [intros n; change (@eq R (x * v n) (v n * x)); ring|].
replace (Series v * x) with (scal x (Series v)) by (change (@eq R (x * Series v) (Series v * x)); ring).
apply (is_series_scal x v). rewrite (is_series_unique _ _ weights_total). exact weights_total.
Qed.

(** A mean over the number of runs, where of k runs it is s (b^k - a^k)/(b - a). *)
Lemma mean_of_powers (B : nat -> R) (s a b p : R) : 0 <= a <= b -> b <= 1 ->
  (forall k, (b - a) * B k = s * (b ^ k - a ^ k)) -> is_series (fun k => v k * B k) p ->
  (b - a) * p = s * (generating b - generating a).
Proof.
intros [a0 ab] b1 h P.
assert (L : is_series (fun k => v k * (s * (b ^ k - a ^ k))) ((b - a) * p)).
{ apply (is_series_ext (fun k => scal (b - a) (v k * B k))).
  - intros n. change (@eq R ((b - a) * (v n * B n)) (v n * (s * (b ^ n - a ^ n)))). rewrite <- h. ring.
  - apply (is_series_scal (b - a) (fun k => v k * B k)). exact P. }
assert (M : is_series (fun k => v k * (s * (b ^ k - a ^ k))) (s * (generating b - generating a))).
{ apply (is_series_ext (fun k => scal s (minus (v k * b ^ k) (v k * a ^ k)))).
  - intros n. change (@eq R (s * (v n * b ^ n + - (v n * a ^ n))) (v n * (s * (b ^ n - a ^ n)))). ring.
  - apply (is_series_scal s (fun k => minus (v k * b ^ k) (v k * a ^ k)) (minus (generating b) (generating a))).
    apply (is_series_minus (fun k => v k * b ^ k) (fun k => v k * a ^ k)); apply generating_series; lra. }
rewrite <- (is_series_unique _ _ L). exact (is_series_unique _ _ M).
Qed.
End Law.
