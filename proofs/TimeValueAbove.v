(** 11.7 (i) and (ii), from above, beside a Gaussian mechanism: the time value of a payoff.

    Without the mechanism, it is [paid_with_noise] of MillsRatio.v.  Beside one of mu = M both sides are
    integrated against its two densities: profiles become the profiles of variance more ([integral_of_curve] of
    NormalCurve.v), and the correction one of the same kind, as the product of two normal densities is another and
    the integral of a quartic against it is elementary ([correction_integral]).  The result is what [parabola]
    of FourierKernel.v takes off ([smoothed_below]). *)
From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection ProfileOfMu NormalConvolution.
From ExactDP Require Import NormalCurve NormalPairs FourierKernel PoissonSummation TiltedKernel SmoothedKernel MillsRatio.
From ExactDP Require NormalMoments.
Import ListNotations.
Local Open Scope R_scope.

(** --- the integral of a quartic --- *)

(** The integral of the quartic at A + B z against a normal density. *)
Section Quartic.
Variables A B : R.

Definition mean_quartic : R := 1 - (A * A + B * B) / 2 +
  7666 / 100000 * (A * A * (A * A) + 6 * (A * A * (B * B)) + 3 * (B * B * (B * B))).

Let k1 : R := - (A * B) + 4 * (7666 / 100000) * (A * A * A * B).
Let k2 : R := - (B * B) / 2 + 6 * (7666 / 100000) * (A * A * (B * B)).
Let k3 : R := 4 * (7666 / 100000) * (A * (B * B * B)).
Let k4 : R := 7666 / 100000 * (B * B * (B * B)).
Let tail (z : R) : R := k1 + k2 * z + k3 * (z * z + 2) + k4 * (z * z * z + 3 * z).
Let primitive (z : R) : R := mean_quartic * Phi z - phi z * tail z.

Let is_derive_primitive z : is_derive primitive z (phi z * quartic (A + B * z)).
Proof.
unfold primitive. evar_last.
- apply (@is_derive_minus R_AbsRing R_NormedModule (fun z => mean_quartic * Phi z)).
  + apply (is_derive_scal Phi z mean_quartic), is_derive_Phi_phi.
  + apply (is_derive_mult phi tail); [apply is_derive_phi| |intros; apply Rmult_comm].
    instantiate (1 := k2 + 2 * k3 * z + k4 * (3 * z * z + 3)). unfold tail. auto_derive; [exact I|ring].
- change (mean_quartic * phi z - (- z * phi z * tail z + phi z * (k2 + 2 * k3 * z + k4 * (3 * z * z + 3))) =
    phi z * quartic (A + B * z)). unfold mean_quartic, tail, quartic, k1, k2, k3, k4. field.
Qed.

Let size : R := Rabs mean_quartic + 8 * (Rabs k1 + Rabs k2 + 3 * Rabs k3 + 4 * Rabs k4).
Let size0 : 0 <= size.
Proof.
unfold size. pose proof (Rabs_pos mean_quartic). pose proof (Rabs_pos k1). pose proof (Rabs_pos k2).
pose proof (Rabs_pos k3). pose proof (Rabs_pos k4). lra.
Qed.

Let tail_le z : 1 <= Rabs z -> Rabs (tail z) <= (Rabs k1 + Rabs k2 + 3 * Rabs k3 + 4 * Rabs k4) * (Rabs z * Rabs z * Rabs z).
Proof.
intros z1. set (t := Rabs z) in *. unfold tail.
assert (t2 : t * t <= t * t * t) by nra. assert (t3 : 1 <= t * t) by nra.
pose proof (Rabs_pos k1). pose proof (Rabs_pos k2). pose proof (Rabs_pos k3). pose proof (Rabs_pos k4).
assert (a2 : Rabs (z * z + 2) <= 3 * (t * t * t)).
{ eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, (Rabs_right 2) by lra. fold t. lra. }
assert (a3 : Rabs (z * z * z + 3 * z) <= 4 * (t * t * t)).
{ eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_right 3) by lra. fold t. nra. }
pose proof (Rabs_triang (k1 + k2 * z + k3 * (z * z + 2)) (k4 * (z * z * z + 3 * z))) as i1.
pose proof (Rabs_triang (k1 + k2 * z) (k3 * (z * z + 2))) as i2. pose proof (Rabs_triang k1 (k2 * z)) as i3.
rewrite Rabs_mult in i1, i2, i3. fold t in i3.
assert (Rabs k1 * 1 <= Rabs k1 * (t * t * t)) by (apply Rmult_le_compat_l; lra).
assert (Rabs k2 * t <= Rabs k2 * (t * t * t)) by (apply Rmult_le_compat_l; nra).
assert (Rabs k3 * Rabs (z * z + 2) <= Rabs k3 * (3 * (t * t * t))) by (apply Rmult_le_compat_l; lra).
assert (Rabs k4 * Rabs (z * z * z + 3 * z) <= Rabs k4 * (4 * (t * t * t))) by (apply Rmult_le_compat_l; lra).
lra.
Qed.

Let left_over z t : 1 <= t -> Rabs z = t -> Rabs (phi t * tail z) <= 8 * (Rabs k1 + Rabs k2 + 3 * Rabs k3 + 4 * Rabs k4) * / t.
Proof.
intros t1 e. pose proof (tail_le z ltac:(lra)) as b. rewrite e in b. pose proof (phi_far t t1) as f. pose proof (phi_pos t) as p.
set (K := Rabs k1 + Rabs k2 + 3 * Rabs k3 + 4 * Rabs k4) in *.
assert (K0 : 0 <= K).
{ unfold K. pose proof (Rabs_pos k1). pose proof (Rabs_pos k2). pose proof (Rabs_pos k3). pose proof (Rabs_pos k4). lra. }
rewrite Rabs_mult, (Rabs_right (phi t)) by lra.
apply Rle_trans with (phi t * (K * (t * t * t))); [apply Rmult_le_compat_l; lra|].
replace (phi t * (K * (t * t * t))) with (K * (phi t * (t * t * t))) by ring.
replace (8 * K * / t) with (K * (8 * / t)) by ring. apply Rmult_le_compat_l; assumption.
Qed.

Let small_part t : 1 <= t -> Rabs (mean_quartic * Phi (- t)) <= Rabs mean_quartic * / t.
Proof.
intros t1. pose proof (Phi_opp_small t ltac:(lra)). destruct (Phi_inside (- t)).
rewrite Rabs_mult, (Rabs_right (Phi (- t))) by lra. apply Rmult_le_compat_l; [apply Rabs_pos|lra].
Qed.

Let primitive_above z : primitive z <= mean_quartic.
Proof.
enough (0 <= mean_quartic - primitive z) by lra.
apply (falls_to (fun z => mean_quartic - primitive z) (fun z => - (phi z * quartic (A + B * z))) z size); [exact size0| | |].
- intros x _. rewrite <- (Rminus_0_l (phi x * _)).
  apply (@is_derive_minus R_AbsRing R_NormedModule (fun _ => mean_quartic)); [apply (@is_derive_const R_AbsRing R_NormedModule)|].
  apply is_derive_primitive.
- intros x _. pose proof (Rmult_lt_0_compat _ _ (phi_pos x) (quartic_pos (A + B * x))). lra.
- intros t t1. pose proof (left_over t t t1 (Rabs_right t ltac:(lra))) as b. pose proof (small_part t t1) as c.
  pose proof (Rle_abs (- (phi t * tail t))). pose proof (Rle_abs (- (mean_quartic * Phi (- t)))). rewrite Rabs_Ropp in *.
  rewrite Phi_opp in *. unfold primitive, size. lra.
Qed.

Let primitive_ge0 z : 0 <= primitive z.
Proof.
replace z with (- - z) by ring.
apply (falls_to (fun z => primitive (- z)) (fun z => - (phi (- z) * quartic (A + B * - z))) (- z) size); [exact size0| | |].
- intros x _. replace (- (phi (- x) * _)) with (-1 * (phi (- x) * quartic (A + B * - x))) by ring.
  apply (is_derive_comp primitive (fun x => - x)); [apply is_derive_primitive|]. auto_derive; [exact I|ring].
- intros x _. pose proof (Rmult_lt_0_compat _ _ (phi_pos (- x)) (quartic_pos (A + B * - x))). lra.
- intros t t1. pose proof (left_over (- t) t t1 ltac:(rewrite Rabs_Ropp; apply Rabs_right; lra)) as b. pose proof (small_part t t1) as c.
  pose proof (Rle_abs (phi t * tail (- t))).
  pose proof (Rle_abs (- (mean_quartic * Phi (- t)))). rewrite Rabs_Ropp in *.
  assert (e : phi (- t) = phi t) by (unfold phi, bell; f_equal; f_equal; field).
  unfold primitive, size. rewrite e. lra.
Qed.

(** Along a line. *)
Lemma integral_of_quartic g o l r : 0 < g ->
  is_RInt (fun z => phi (g * z + o) * quartic (A + B * (g * z + o))) l r
    ((primitive (g * r + o) - primitive (g * l + o)) / g).
Proof.
intros g0. replace ((primitive (g * r + o) - primitive (g * l + o)) / g) with
  (minus ((fun z => primitive (g * z + o) / g) r) ((fun z => primitive (g * z + o) / g) l)).
2:{ change (primitive (g * r + o) / g - primitive (g * l + o) / g = (primitive (g * r + o) - primitive (g * l + o)) / g). field. lra. }
apply (@is_RInt_derive R_CompleteNormedModule (fun z => primitive (g * z + o) / g)).
- intros z _. apply (is_derive_ext (fun z => / g * primitive (g * z + o))); [intros; unfold Rdiv; apply Rmult_comm|].
  replace (phi (g * z + o) * quartic (A + B * (g * z + o))) with (/ g * (g * (phi (g * z + o) * quartic (A + B * (g * z + o))))) by (field; lra).
  apply (is_derive_scal (fun z => primitive (g * z + o))).
  apply (is_derive_comp primitive (fun z => g * z + o)); [apply is_derive_primitive|]. auto_derive; [exact I|ring].
- intros z _. apply (@ex_derive_continuous R_AbsRing R_NormedModule).
  assert (d : forall x, ex_derive phi x) by (intros; eexists; apply is_derive_phi). unfold quartic.
  auto_derive. repeat match goal with |- _ /\ _ => split | |- True => exact I end; trivial.
Qed.

Lemma line_below g o l r I : 0 < g ->
  is_RInt (fun z => phi (g * z + o) * quartic (A + B * (g * z + o))) l r I -> I <= mean_quartic / g.
Proof.
intros g0 h. rewrite <- (is_RInt_unique _ _ _ _ h), (is_RInt_unique _ _ _ _ (integral_of_quartic g o l r g0)).
apply (Rmult_le_reg_r g); [exact g0|]. unfold Rdiv. rewrite !Rmult_assoc, Rinv_l, !Rmult_1_r by lra.
pose proof (primitive_above (g * r + o)). pose proof (primitive_ge0 (g * l + o)). lra.
Qed.
End Quartic.

(** --- beside a Gaussian mechanism --- *)

Section Beside.
Variables s M c : R.
Hypotheses (s0 : 0 < s) (s1 : s <= 1) (M0 : 0 <= M).

Let sigma : R := sqrt (s * s + M * M).
Let sigma0 : 0 < sigma. Proof. apply sqrt_lt_R0. nra. Qed.
Let sigma2 : sigma * sigma = s * s + M * M. Proof. apply sqrt_sqrt. nra. Qed.

(** What is taken off. *)
Definition correction : R :=
  phi (sigma / 2 - c / sigma) * (s * s / (1 - s * s / 12) / sigma) * mean_quartic (c * s / (sigma * sigma)) (- (M / sigma)).

Let loss (z : R) : R := c - M * z + M * M / 2.
Let taken (z : R) : R := phi (z - M) * (phi (s / 2 - loss z / s) * (s / (1 - s * s / 12) * quartic (loss z / s))).

Let curve_paid h A B : 0 <= h -> 0 < A -> 0 < B -> curve s A B <=
  curve h A B + A * (phi (s / 2 - ln (B / A) / s) * (s / (1 - s * s / 12) * quartic (ln (B / A) / s))).
Proof.
intros h0 A0 B0. pose proof (proj1 (curve_mu 0 h A B ltac:(lra) ltac:(lra) ltac:(lra))) as m.
enough (curve s A B <= curve 0 A B + A * (phi (s / 2 - ln (B / A) / s) * (s / (1 - s * s / 12) * quartic (ln (B / A) / s)))) by lra.
clear m. unfold curve. destruct (Rlt_dec 0 s) as [_|k]; [|lra]. destruct (Rlt_dec 0 A) as [_|k]; [|lra].
destruct (Rlt_dec 0 B) as [_|k]; [|lra]. destruct (Rlt_dec 0 0) as [k|_]; [lra|].
pose proof (paid_with_noise s (ln (B / A)) ltac:(lra)) as p. apply (Rmult_le_compat_l A) in p; [|lra].
rewrite Rmult_plus_distr_l in p. eapply Rle_trans; [exact p|]. apply Rplus_le_compat_r.
pose proof (exp_ratio A B A0 B0) as e. set (x := exp (ln (B / A))) in *.
unfold Rmax. destruct (Rle_dec (1 - x) 0), (Rle_dec (A - B) 0); nra.
Qed.

Let lossE z : ln (exp c * phi z / (1 * phi (z - M))) = loss z.
Proof.
rewrite <- (ln_exp (loss z)). f_equal. pose proof (phi_pos (z - M)). pose proof root_pos.
apply (Rmult_eq_reg_r (phi (z - M))); [|lra]. replace (exp c * phi z / (1 * phi (z - M)) * phi (z - M)) with (exp c * phi z) by (field; lra).
unfold phi, bell, loss, Rdiv. rewrite <- !Rmult_assoc, <- !exp_plus. f_equal. f_equal. field.
Qed.

Let curves_near h z : 0 <= h -> density_curve s M 1 (exp c) z <= density_curve h M 1 (exp c) z + taken z.
Proof.
intros h0. pose proof (phi_pos z). pose proof (phi_pos (z - M)). pose proof (exp_pos c).
pose proof (curve_paid h (1 * phi (z - M)) (exp c * phi z) h0 ltac:(lra) ltac:(nra)) as k.
rewrite lossE in k. unfold density_curve, taken. rewrite Rmult_1_l in *. exact k.
Qed.

Let rate : R := sigma / s.
Let offset : R := - (M * (sigma * sigma / 2 + c) / (sigma * s)).
Let rate0 : 0 < rate. Proof. apply Rdiv_lt_0_compat; assumption. Qed.

Let completed_square z : phi (z - M) * phi (s / 2 - loss z / s) = phi (sigma / 2 - c / sigma) * phi (rate * z + offset).
Proof.
unfold phi, bell, Rdiv. set (q := / sqrt (2 * PI)).
match goal with |- exp ?a * q * (exp ?b * q) = exp ?d * q * (exp ?f * q) =>
  enough (e : a + b = d + f) by
    (replace (exp a * q * (exp b * q)) with (exp a * exp b * (q * q)) by ring;
     replace (exp d * q * (exp f * q)) with (exp d * exp f * (q * q)) by ring; rewrite <- !exp_plus, e; reflexivity)
end.
apply Rminus_diag_uniq. unfold loss, rate, offset.
transitivity (- ((sigma * sigma - (s * s + M * M)) *
  (- (M * M) * (sigma * sigma) + 4 * M * (sigma * sigma) * z - sigma * sigma * (s * s) - 4 * (sigma * sigma) * (z * z) + 4 * (c * c)) /
  (8 * (s * s) * (sigma * sigma)))); [field; lra|].
rewrite sigma2, Rminus_diag_eq by reflexivity. unfold Rdiv. rewrite !Rmult_0_l. apply Ropp_0.
Qed.

Let loss_line z : loss z / s = c * s / (sigma * sigma) + - (M / sigma) * (rate * z + offset).
Proof.
unfold loss, rate, offset. apply Rminus_diag_uniq.
transitivity ((sigma * sigma - (s * s + M * M)) * (c / (s * (sigma * sigma)))); [field; lra|].
rewrite sigma2, Rminus_diag_eq by reflexivity. apply Rmult_0_l.
Qed.

Let takenE z : taken z = phi (sigma / 2 - c / sigma) * (s / (1 - s * s / 12)) *
  (phi (rate * z + offset) * quartic (c * s / (sigma * sigma) + - (M / sigma) * (rate * z + offset))).
Proof.
unfold taken. rewrite <- Rmult_assoc, completed_square, loss_line. ring.
Qed.

Let height0 : 0 < phi (sigma / 2 - c / sigma) * (s / (1 - s * s / 12)).
Proof. apply Rmult_lt_0_compat; [apply phi_pos|]. apply Rdiv_lt_0_compat; nra. Qed.

Lemma correction_integral l r : exists I, is_RInt taken l r I /\ I <= correction.
Proof.
pose proof (integral_of_quartic (c * s / (sigma * sigma)) (- (M / sigma)) rate offset l r rate0) as i.
pose proof (line_below _ _ _ _ _ _ _ rate0 i) as le.
match type of i with is_RInt _ _ _ ?I => set (J := I) in * end.
exists (scal (phi (sigma / 2 - c / sigma) * (s / (1 - s * s / 12))) J). split.
- eapply is_RInt_ext; [|exact (@is_RInt_scal R_NormedModule _ _ _ _ _ i)].
  intros z _. symmetry. apply takenE.
- change (phi (sigma / 2 - c / sigma) * (s / (1 - s * s / 12)) * J <= correction).
  apply (Rmult_le_compat_l (phi (sigma / 2 - c / sigma) * (s / (1 - s * s / 12)))) in le; [|lra].
  eapply Rle_trans; [exact le|]. unfold correction, rate. apply Req_le. field. repeat split; nra.
Qed.

Theorem time_value_above : profile sigma c <= curve M 1 (exp c) + correction.
Proof.
pose proof (exp_pos c) as b0.
apply (NormalMoments.vanishing _ _ (2 + 2 * exp c + 1) 1); [lra|]. intros t t0 t1.
set (h := / t). assert (h0 : 0 < h) by (apply Rinv_0_lt_compat; lra). set (l := - t). set (r := t + M).
assert (lr : l <= r) by (unfold l, r; lra).
pose proof (integral_of_curve s M 1 (exp c) s0 ltac:(lra) b0 l r lr) as [below _]. fold sigma in below.
pose proof (integral_of_curve h M 1 (exp c) h0 ltac:(lra) b0 l r lr) as [_ above].
destruct (correction_integral l r) as [I [i le]].
assert (mid : RInt (density_curve s M 1 (exp c)) l r <= RInt (density_curve h M 1 (exp c)) l r + I).
{ assert (exh := integrable_density_curve h M 1 (exp c) h0 ltac:(lra) b0 l r).
  pose proof (@is_RInt_plus R_NormedModule _ _ _ _ _ _ (@RInt_correct R_CompleteNormedModule _ _ _ exh) i) as sum.
  change (plus (RInt (density_curve h M 1 (exp c)) l r) I) with (RInt (density_curve h M 1 (exp c)) l r + I) in sum.
  rewrite <- (is_RInt_unique _ _ _ _ sum). apply RInt_le; [exact lr|apply integrable_density_curve; lra|eexists; exact sum|].
  intros z _. apply curves_near. lra. }
pose proof (Phi_opp_small t t0) as small. fold h in small.
pose proof (Phi_le (- t - M) (- t) ltac:(lra)) as far.
assert (m1 : missing M l r <= 2 * h).
{ unfold missing, l, r. replace (t + M - M) with (- - t) by ring. rewrite Phi_opp. lra. }
assert (m2 : missing 0 l r <= 2 * h).
{ unfold missing, l, r. rewrite !Rminus_0_r. replace (t + M) with (- (- t - M)) by ring. rewrite Phi_opp. lra. }
assert (wide : sqrt (h * h + M * M) <= M + h).
{ rewrite <- (sqrt_square (M + h)) by lra. apply sqrt_le_1_alt. nra. }
assert (more : M <= sqrt (h * h + M * M)).
{ rewrite <- (sqrt_square M) at 1 by lra. apply sqrt_le_1_alt. nra. }
pose proof (proj2 (curve_mu M (sqrt (h * h + M * M)) 1 (exp c) ltac:(lra) ltac:(lra) ltac:(lra))) as near.
assert (start : curve sigma 1 (exp c) = profile sigma c).
{ unfold curve. destruct (Rlt_dec 0 sigma) as [_|k]; [|lra]. destruct (Rlt_dec 0 1) as [_|k]; [|lra].
  destruct (Rlt_dec 0 (exp c)) as [_|k]; [|lra]. unfold Rdiv. rewrite Rinv_1, Rmult_1_r, ln_exp. ring. }
rewrite start in below. assert (exp c * missing 0 l r <= exp c * (2 * h)) by (apply Rmult_le_compat_l; lra). fold h.
lra.
Qed.
End Beside.

(** [smoothed] with [parabola] is nowhere above a tilted payoff. *)
Theorem smoothed_below a s M u : 0 < s <= 1 -> 0 <= M ->
  smoothed a s (M * M) (parabola s) u <= untilted a (M * M) * (exp (- (a * u)) * curve M 1 (exp (- u))).
Proof.
intros [s0 s1] M0. pose proof (time_value_above s M (- u) s0 s1 M0) as k. unfold correction in k.
set (w := s * s + M * M) in *. assert (ss : 0 < s * s) by nra. assert (w0 : 0 < w) by (unfold w; nra).
set (sigma := sqrt w) in *. assert (sigma0 : 0 < sigma) by (apply sqrt_lt_R0; exact w0).
assert (sw : sigma * sigma = w) by (apply sqrt_sqrt; lra).
unfold smoothed. fold w sigma. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|]. unfold lifted.
pose proof (exp_pos (- (a * u))) as p. apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ p)) in k.
rewrite Rmult_plus_distr_l in k.
match type of k with _ <= _ + ?x => enough (e : gauss sigma (a + / 2) (corrected s (M * M) (parabola s)) u = - x) by lra end.
unfold gauss, corrected, parabola, excess. fold w sigma. rewrite !ev_smul, !ev_add, !ev_smul. simpl. rewrite sw.
set (N := normal sigma (a + / 2) u).
assert (n : exp (- (a * u)) * phi (sigma / 2 - - u / sigma) = height sigma * sigma * N).
{ unfold phi, bell, height, N, normal. rewrite sw. pose proof root_pos. apply (Rmult_eq_reg_r (sqrt (2 * PI))); [|lra].
  transitivity (exp (- (a * u)) * exp (- ((sigma / 2 - - u / sigma) * (sigma / 2 - - u / sigma)) / 2)); [field; lra|].
  transitivity (exp (- w / 8) * exp (- (u * u / (2 * w)) - (a + / 2) * u)); [|field; lra].
  rewrite <- !exp_plus. f_equal. rewrite <- sw. field. lra. }
rewrite <- !Rmult_assoc, n. unfold mean_quartic.
assert (m : - (M / sigma) * - (M / sigma) = 1 - s * s / w).
{ replace (- (M / sigma) * - (M / sigma)) with (M * M / (sigma * sigma)) by (field; lra). rewrite sw. unfold w. field. nra. }
rewrite m. field. repeat split; nra.
Qed.
