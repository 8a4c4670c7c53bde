(** 11.7 (i) and (ii): the time value of a payoff, from below.

    With w = M^2 + s^2 the profile of variance w is above that of M^2 by an integral of normal densities G_y over
    variances y between them.  Each of these is at least the tangent, in the square of the argument, of what it
    would be for M = 0 at the point s, written as a combination of G_w and of its derivative ([density_above]);
    the integral of these is elementary ([time_value]).  It is what [tangent] of FourierKernel.v takes off. *)
From Coq Require Import Reals ZArith Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection ProfileOfMu NormalConvolution.
From ExactDP Require Import Exponentials Enclosures NormalEnclosures FourierKernel PoissonSummation TiltedKernel SmoothedKernel.
From ExactDP Require NormalMoments.
Import ListNotations.
Local Open Scope R_scope.

Lemma ln_below x : 0 < x -> ln x <= x - 1.
Proof. intros h. pose proof (exp_ineq1_le (ln x)) as k. rewrite exp_ln in k by exact h. lra. Qed.

Lemma e_below : exp 1 <= 27182819 / 10000000.
Proof.
assert (t0 : taylor_term 0 1 = 1) by (unfold taylor_term; simpl; field).
assert (step : forall n c, taylor_term n 1 = c -> taylor_term (S n) 1 = c / IZR (Z.of_nat (S n))).
{ intros n c h. rewrite taylor_term_S, h, INR_IZR_INZ. field. apply not_0_IZR. lia. }
eapply Rle_trans; [apply (taylor_upper 12 1); lra|]. cbn [taylor_sum].
pose proof (step _ _ t0) as t1. pose proof (step _ _ t1) as t2. pose proof (step _ _ t2) as t3.
pose proof (step _ _ t3) as t4. pose proof (step _ _ t4) as t5. pose proof (step _ _ t5) as t6.
pose proof (step _ _ t6) as t7. pose proof (step _ _ t7) as t8. pose proof (step _ _ t8) as t9.
pose proof (step _ _ t9) as t10. pose proof (step _ _ t10) as t11. pose proof (step _ _ t11) as t12.
rewrite t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12. cbn [Z.of_nat Pos.of_succ_nat Pos.succ]. lra.
Qed.

(** The inequality of the exponents. *)
Lemma exponents rho delta theta X : 0 <= rho -> 0 < delta <= 1 -> 0 < theta -> theta * (1 + rho - rho * delta) = 1 ->
  0 < X -> X <= 1 + rho * delta / 2 -> 0 <= ln theta / 2 - theta + theta * X - rho * theta * delta / 2 + rho / 2 - ln X.
Proof.
intros r0 [d0 d1] t0 e X0 X1. set (i := 1 + rho - rho * delta) in *.
assert (rd : 0 <= rho * delta) by (apply Rmult_le_pos; lra).
assert (rd' : 0 <= rho * (1 - delta)) by (apply Rmult_le_pos; lra).
assert (i1 : 1 <= i) by (unfold i; lra). assert (t1 : theta <= 1) by nra.
assert (lt : ln theta = - ln i).
{ rewrite <- ln_Rinv by lra. f_equal. apply (Rmult_eq_reg_r i); [|lra]. rewrite e. field. lra. }
pose proof (ln_below i ltac:(lra)) as li.
destruct (Rle_or_lt (2 / 3) delta) as [big|small].
- pose proof (ln_below (theta * X) ltac:(apply Rmult_lt_0_compat; lra)) as lX. rewrite ln_mult in lX by assumption.
  assert (f : 0 <= rho * (1 - theta * delta) - (i - 1) * (3 - 2 * theta)).
  { replace (rho * (1 - theta * delta) - (i - 1) * (3 - 2 * theta)) with (rho * ((1 - theta) * (3 * delta - 2))) by (unfold i; ring).
    repeat apply Rmult_le_pos; lra. }
  assert (it : i * theta = 1) by lra. nra.
- set (X2 := 1 + rho * delta / 2) in *. assert (X20 : 0 < X2) by (unfold X2; lra).
  pose proof (ln_below X2 X20) as l2.
  assert (q : ln X - ln X2 <= theta * (X - X2)).
  { pose proof (ln_below (X / X2) ltac:(apply Rdiv_lt_0_compat; lra)) as l. unfold Rdiv in l.
    rewrite ln_mult, ln_Rinv in l by (try apply Rinv_0_lt_compat; lra).
    assert (ti : theta <= / X2).
    { apply (Rmult_le_reg_r i); [lra|]. rewrite e. apply (Rmult_le_reg_l X2); [exact X20|].
      rewrite <- Rmult_assoc, Rinv_r by lra. unfold X2, i.
    assert (0 <= rho * (2 / 3 - delta)) by (apply Rmult_le_pos; lra). lra. }
    replace (X * / X2 - 1) with ((X - X2) * / X2) in l by (field; lra). nra. }
  assert (l2' : ln X2 <= rho * delta / 2) by (unfold X2 in l2 at 2; lra).
  assert (li' : ln i <= rho - rho * delta) by (unfold i in li at 2; lra).
  replace (theta * (X - X2)) with (theta * X - theta - rho * theta * delta / 2) in q by (unfold X2; field).
  rewrite lt. lra.
Qed.

Section Value.
Variables (s2 M2 e : R).
Hypotheses (s0 : 0 < s2) (M0 : 0 <= M2).
Let w := M2 + s2.
Let b := e * e / 2.
Let w0 : 0 < w. Proof. unfold w. lra. Qed.
Let b0 : 0 <= b. Proof. unfold b. pose proof (Rle_0_sqr e). unfold Rsqr in *. lra. Qed.

(** The deviation of the variance M^2 + s^2/p^2, the density G_w, and s^2 times its derivative in w. *)
Definition deviation (p : R) : R := sqrt (M2 + s2 / (p * p)).
Definition density : R := exp (- (b / w)) / deviation 1.
Definition density_slope : R := s2 * (b / (w * w) - / (2 * w)) * density.

Let variance p : 1 <= p -> 0 < M2 + s2 / (p * p).
Proof. intros h. assert (0 < s2 / (p * p)) by (apply Rdiv_lt_0_compat; nra). lra. Qed.

Let deviation_pos p : 1 <= p -> 0 < deviation p.
Proof. intros h. apply sqrt_lt_R0, variance, h. Qed.

Let deviation2 p : 1 <= p -> deviation p * deviation p = M2 + s2 / (p * p).
Proof. intros h. apply sqrt_sqrt. pose proof (variance p h). lra. Qed.

Let deviation1 : deviation 1 * deviation 1 = w.
Proof. rewrite deviation2 by lra. unfold w. field. Qed.

Let density_pos : 0 < density.
Proof. apply Rdiv_lt_0_compat; [apply exp_pos|apply deviation_pos; lra]. Qed.

Lemma density_above p : 1 <= p -> p * exp (- ((p * p - 1) / 2)) * (density - (p * p - 1) * density_slope) <=
  exp (- (b / (M2 + s2 / (p * p)))) / deviation p.
Proof.
intros p1. set (y := M2 + s2 / (p * p)). set (rho := p * p - 1). assert (r0 : 0 <= rho) by (unfold rho; nra).
set (X := 1 - rho * (s2 * (b / (w * w) - / (2 * w)))).
replace (density - rho * density_slope) with (X * density) by (unfold X, density_slope; ring).
pose proof (deviation_pos p p1) as m0. pose proof (deviation_pos 1 ltac:(lra)) as m1.
pose proof (deviation2 p p1) as my. fold y in my. assert (y0 : 0 < y) by (apply variance, p1).
destruct (Rle_or_lt X 0) as [neg|X0].
{ apply Rle_trans with 0; [|apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|exact m0]].
  pose proof (exp_pos (- (rho / 2))). assert (0 <= p * exp (- (rho / 2))) by (apply Rmult_le_pos; lra).
  assert (X * density <= 0) by (pose proof density_pos; nra). nra. }
set (delta := s2 / w). set (theta := w / (y * (p * p))).
assert (yp : y * (p * p) = M2 * (p * p) + s2) by (unfold y; field; lra).
assert (pp : 0 < y * (p * p)) by (apply Rmult_lt_0_compat; nra).
assert (d : 0 < delta <= 1).
{ unfold delta. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r w); [exact w0|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. unfold w. lra. }
assert (t0 : 0 < theta) by (apply Rdiv_lt_0_compat; lra).
assert (t1 : theta * (1 + rho - rho * delta) = 1).
{ unfold theta, delta, rho. replace (y * (p * p)) with (M2 * (p * p) + s2) by exact (eq_sym yp).
  rewrite yp in pp. unfold w. field. unfold w in w0. lra. }
assert (X1 : X <= 1 + rho * delta / 2).
{ unfold X, delta. assert (0 <= rho * (s2 * (b / (w * w)))).
  { apply Rmult_le_pos; [exact r0|]. apply Rmult_le_pos; [lra|]. apply Rdiv_le_0_compat; [exact b0|apply Rmult_lt_0_compat; exact w0]. }
  replace (rho * (s2 * (b / (w * w) - / (2 * w)))) with (rho * (s2 * (b / (w * w))) - rho * (s2 / w) / 2) by (field; lra). lra. }
pose proof (exponents rho delta theta X r0 d t0 t1 X0 X1) as k.
assert (lnt : ln theta = 2 * ln (deviation 1) - 2 * ln (deviation p) - 2 * ln p).
{ unfold theta, Rdiv. rewrite ln_mult, ln_Rinv, !ln_mult by (try apply Rinv_0_lt_compat; nra).
  rewrite <- deviation1, <- my, !ln_mult by assumption. ring. }
assert (lin : b / w - b / y = - theta + theta * X - rho * theta * delta / 2).
{ transitivity (- theta + theta * (1 - rho * s2 * (b / (w * w) - / (2 * w))) - rho * s2 * theta / w / 2).
  2:{ unfold X, delta. field. lra. }
  assert (z : rho * s2 = (w - y) * (p * p)).
  { rewrite Rmult_minus_distr_r, yp. unfold rho, w. ring. }
  rewrite z. unfold theta. field. repeat split; lra. }
replace (p * exp (- (rho / 2)) * (X * density)) with
  (exp (ln p + - (rho / 2) + ln X + - (b / w) + - ln (deviation 1))).
2:{ rewrite !exp_plus, !exp_ln, (exp_Ropp (ln _)), exp_ln by lra. unfold density. field. lra. }
replace (exp (- (b / y)) / deviation p) with (exp (- (b / y) + - ln (deviation p))).
2:{ rewrite exp_plus, (exp_Ropp (ln _)), exp_ln by lra. reflexivity. }
apply exp_le. lra.
Qed.

(** What the tangents come to up to p, and without end. *)
Definition unit_ : R := exp (1 / 2) * sqrt (2 * PI).
Definition mills : R := unit_ * Phi (-1).
Definition constants (p : R) : R := - (exp (1 / 2) * (bell p / p)) - unit_ * Phi p.
Definition slopes (p : R) : R := unit_ * Phi p - constants p.

Let unit_pos : 0 < unit_.
Proof. apply Rmult_lt_0_compat; [apply exp_pos|apply root_pos]. Qed.

Lemma is_derive_constants p : 1 <= p -> is_derive constants p (exp (1 / 2) * bell p / (p * p)).
Proof.
intros p1. pose proof root_pos.
replace (exp (1 / 2) * bell p / (p * p)) with
  (- (exp (1 / 2) * (- (bell p) - bell p / (p * p))) - unit_ * (bell p / sqrt (2 * PI))).
2:{ unfold unit_. field. repeat split; lra. }
apply (@is_derive_minus R_AbsRing R_NormedModule (fun p => - (exp (1 / 2) * (bell p / p)))).
- apply (@is_derive_opp R_AbsRing R_NormedModule (fun p => exp (1 / 2) * (bell p / p))).
  apply (is_derive_scal (fun p => bell p / p) p (exp (1 / 2))). unfold bell. auto_derive; [lra|].
  unfold Rminus, Rdiv. field. lra.
- apply (is_derive_scal Phi p unit_), is_derive_Phi.
Qed.

Lemma is_derive_slopes p : 1 <= p -> is_derive slopes p (exp (1 / 2) * bell p * (1 - / (p * p))).
Proof.
intros p1. pose proof root_pos.
replace (exp (1 / 2) * bell p * (1 - / (p * p))) with
  (unit_ * (bell p / sqrt (2 * PI)) - exp (1 / 2) * bell p / (p * p)) by (unfold unit_; field; lra).
apply (@is_derive_minus R_AbsRing R_NormedModule (fun p => unit_ * Phi p)); [|apply is_derive_constants, p1].
apply (is_derive_scal Phi p unit_), is_derive_Phi.
Qed.

Let factor : R := s2 * exp (e / 2) * exp (- (w / 8)) / sqrt (2 * PI).
Let factor_pos : 0 < factor.
Proof.
apply Rdiv_lt_0_compat; [|apply root_pos]. pose proof (exp_pos (e / 2)). pose proof (exp_pos (- (w / 8))).
repeat apply Rmult_lt_0_compat; assumption.
Qed.

Let is_derive_deviation p : 1 <= p -> is_derive deviation p (- (s2 / (p * p * p) / deviation p)).
Proof.
intros p1. pose proof (variance p p1) as v. pose proof (deviation_pos p p1) as m. unfold deviation in *.
assert (D : is_derive (fun p => M2 + s2 / (p * p)) p (- (2 * s2 / (p * p * p)))) by (auto_derive; [nra|field; lra]).
pose proof (is_derive_comp sqrt (fun p => M2 + s2 / (p * p)) p _ _ (proj2 (is_derive_Reals _ _ _) (derivable_pt_lim_sqrt _ v)) D) as c.
eapply is_derive_ext; [reflexivity|]. evar_last; [exact c|]. unfold scal; simpl; unfold mult; simpl.
set (r := sqrt _) in *. field. lra.
Qed.

Lemma value_up_to p : 1 <= p -> factor * ((constants p - constants 1) * density - (slopes p - slopes 1) * density_slope) <=
  profile (deviation 1) e - profile (deviation p) e.
Proof.
intros p1. pose (f := fun q => - profile (deviation q) e - factor * (constants q * density - slopes q * density_slope)).
enough (f 1 <= f p) by (unfold f in *; lra).
replace p with (1 + (p - 1)) by ring. rewrite <- (Rplus_0_r 1) at 1.
apply (nondecr (fun t => f (1 + t)) (fun t => let q := 1 + t in
  - (- (s2 / (q * q * q) / deviation q) * (bell (deviation q / 2 - e / deviation q) / sqrt (2 * PI))) -
  factor * (exp (1 / 2) * bell q / (q * q) * density - exp (1 / 2) * bell q * (1 - / (q * q)) * density_slope))); [lra| |].
- intros t [h0 h1]. cbv zeta. set (q := 1 + t). assert (q1 : 1 <= q) by (unfold q; lra).
  match goal with |- is_derive _ _ ?l => rewrite <- (Rmult_1_l l) end.
  apply (is_derive_comp f (fun t => 1 + t)); [|auto_derive; [exact I|ring]]. fold q. unfold f.
  apply (@is_derive_minus R_AbsRing R_NormedModule (fun q => - profile (deviation q) e)).
  + apply (@is_derive_opp R_AbsRing R_NormedModule (fun q => profile (deviation q) e)).
    apply (is_derive_comp (fun m => profile m e) deviation); [apply is_derive_mu, deviation_pos, q1|].
    apply is_derive_deviation, q1.
  + apply (is_derive_scal (fun q => constants q * density - slopes q * density_slope)).
    apply (@is_derive_minus R_AbsRing R_NormedModule (fun q => constants q * density)).
    * rewrite Rmult_comm. apply (is_derive_ext (fun q => density * constants q)); [intros; apply Rmult_comm|].
      apply (is_derive_scal constants), is_derive_constants, q1.
    * rewrite Rmult_comm. apply (is_derive_ext (fun q => density_slope * slopes q)); [intros; apply Rmult_comm|].
      apply (is_derive_scal slopes), is_derive_slopes, q1.
- intros t [h0 h1]. cbv zeta. set (q := 1 + t). assert (q1 : 1 <= q) by (unfold q; lra).
  pose proof (density_above q q1) as k. pose proof (deviation_pos q q1) as m0. pose proof (deviation2 q q1) as m2.
  set (y := M2 + s2 / (q * q)) in *. set (m := deviation q) in *. pose proof root_pos as r.
  assert (bells : bell (m / 2 - e / m) = exp (e / 2) * exp (- (y / 8)) * exp (- (b / y))).
  { unfold bell. rewrite <- !exp_plus. f_equal. rewrite <- m2. unfold b. field. lra. }
  assert (yw : y <= w).
  { unfold y, w. apply Rplus_le_compat_l. rewrite <- (Rmult_1_r s2) at 2. unfold Rdiv. apply Rmult_le_compat_l; [lra|].
    rewrite <- Rinv_1. apply Rinv_le_contravar; nra. }
  pose proof (exp_le (- (w / 8)) (- (y / 8)) ltac:(lra)) as ew.
  assert (hb : exp (1 / 2) * bell q = exp (- ((q * q - 1) / 2))).
  { unfold bell. rewrite <- exp_plus. f_equal. field. }
  set (c := s2 * exp (e / 2) / sqrt (2 * PI) / (q * q * q)).
  assert (c0 : 0 < c).
  { unfold c. apply Rdiv_lt_0_compat; [|repeat apply Rmult_lt_0_compat; lra]. apply Rdiv_lt_0_compat; [|exact r].
    apply Rmult_lt_0_compat; [exact s0|apply exp_pos]. }
  replace (- (- (s2 / (q * q * q) / m) * (bell (m / 2 - e / m) / sqrt (2 * PI)))) with
    (c * (exp (- (y / 8)) * (exp (- (b / y)) / m))) by (rewrite bells; unfold c; field; repeat split; lra).
  replace (factor * (exp (1 / 2) * bell q / (q * q) * density - exp (1 / 2) * bell q * (1 - / (q * q)) * density_slope)) with
    (c * (exp (- (w / 8)) * (q * exp (- ((q * q - 1) / 2)) * (density - (q * q - 1) * density_slope)))).
  2:{ rewrite <- hb. unfold c, factor. field. repeat split; lra. }
  assert (0 < exp (- (b / y)) / m) by (apply Rdiv_lt_0_compat; [apply exp_pos|exact m0]).
  pose proof (exp_pos (- (w / 8))).
  assert (exp (- (w / 8)) * (q * exp (- ((q * q - 1) / 2)) * (density - (q * q - 1) * density_slope)) <=
    exp (- (y / 8)) * (exp (- (b / y)) / m)) by nra.
  nra.
Qed.

Theorem time_value (G : R) : (forall p, 1 <= p -> G <= profile (deviation p) e) ->
  factor * ((1 - mills) * density - (2 * mills - 1) * density_slope) <= profile (deviation 1) e - G.
Proof.
intros below. set (C := factor * ((unit_ + 2) * (density + 3 * Rabs density_slope))).
assert (d'0 := Rabs_pos density_slope).
assert (e2 : 0 < exp (1 / 2) <= 2).
{ split; [apply exp_pos|]. pose proof (exp_ineq1_le (- (1 / 2))) as h. rewrite exp_Ropp in h.
  pose proof (exp_pos (1 / 2)) as p. apply (Rmult_le_compat_l (exp (1 / 2))) in h; [|lra]. rewrite Rinv_r in h by lra. lra. }
apply (NormalMoments.vanishing _ _ C 1).
{ unfold C. pose proof density_pos. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
intros p _ p1. pose proof (value_up_to p p1) as k. pose proof (below p p1) as g.
pose proof (Phi_opp 1) as o1. pose proof (Phi_opp p) as op. pose proof (Phi_opp_small p ltac:(lra)) as small.
destruct (Phi_inside (- p)) as [pos _]. pose proof (bell_pos p) as bp. pose proof (bell_le p) as bl.
assert (i0 : 0 < / p) by (apply Rinv_0_lt_compat; lra).
set (A := unit_ * Phi (- p)). set (B := exp (1 / 2) * (bell p / p)).
assert (A01 : 0 <= A <= unit_ * / p) by (unfold A; split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
assert (B01 : 0 <= B <= 2 * / p).
{ assert (bell p <= 1) by nra. unfold B, Rdiv. split; [repeat apply Rmult_le_pos; lra|].
  apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. nra. }
assert (c1 : constants p - constants 1 = 1 - mills + A - B).
{ unfold constants, mills, A, B. rewrite op. replace (-1) with (- (1)) by ring. rewrite o1.
  assert (u : exp (1 / 2) * (bell 1 / 1) = 1).
  { unfold bell. replace (- (1 * 1) / 2) with (- (1 / 2)) by field. rewrite exp_Ropp. field. lra. }
  rewrite u. ring. }
assert (c2 : slopes p - slopes 1 = 2 * mills - 1 - 2 * A + B).
{ unfold slopes. replace (unit_ * Phi p - constants p - (unit_ * Phi 1 - constants 1)) with
    (unit_ * (Phi p - Phi 1) - (constants p - constants 1)) by ring.
  rewrite c1. unfold mills, A. rewrite op. replace (-1) with (- (1)) by ring. rewrite o1. ring. }
rewrite c1, c2 in k.
assert (err : - ((unit_ + 2) * (density + 3 * Rabs density_slope) * / p) <= (A - B) * density - (- 2 * A + B) * density_slope).
{ pose proof (Rle_abs density_slope). pose proof (Rle_abs (- density_slope)). rewrite Rabs_Ropp in *. set (D := Rabs density_slope) in *.
  assert (- (2 * / p) * density <= (A - B) * density) by nra.
  assert (h : - ((2 * A + B) * D) <= - (- 2 * A + B) * density_slope) by nra.
  assert ((2 * A + B) * D <= (2 * unit_ + 2) * / p * D) by (apply Rmult_le_compat_r; lra).
  assert (0 <= / p * D) by (apply Rmult_le_pos; lra). assert (0 <= / p * density) by (apply Rmult_le_pos; lra). nra. }
unfold C. nra.
Qed.

(** With the constants of [tangent]. *)
Lemma mills_below : mills <= 65568 / 100000.
Proof.
destruct (integral_enclosed 9 1) as [q [[l _] i]].
{ unfold odd. simpl. lra. }
assert (m : mills = unit_ / 2 - q).
{ unfold mills, unit_. replace (-1) with (- (1)) by ring. rewrite Phi_opp. unfold Phi. rewrite i. unfold bell.
  replace (- (1 * 1) / 2) with (- (1 / 2)) by field. rewrite exp_Ropp. pose proof root_pos. pose proof (exp_pos (1 / 2)).
  field. lra. }
rewrite m. assert (ql : 141068613 / 100000000 <= q).
{ eapply Rle_trans; [|exact l]. cbn [nested]. lra. }
assert (pi : PI <= 31415927 / 10000000).
{ pose proof (pi_enclosed 64 ltac:(lia) 8) as [_ h].
  assert (c : (10000000 * snd (pi_enclosure 64 8) <= 31415927 * 2 ^ 64)%Z) by (vm_compute; discriminate).
  apply IZR_le in c. rewrite !mult_IZR in c. assert (B0 : 0 < IZR (2 ^ 64)) by (apply IZR_lt; reflexivity).
  set (B := IZR (2 ^ 64)) in *. set (z := IZR (snd _)) in *. clearbody B z.
  apply (Rmult_le_reg_r B); [exact B0|]. lra. }
pose proof e_below as ex.
assert (sq : unit_ * unit_ <= 2 * (27182819 / 10000000) * (31415927 / 10000000)).
{ unfold unit_. replace (exp (1 / 2) * sqrt (2 * PI) * (exp (1 / 2) * sqrt (2 * PI))) with
    (exp (1 / 2) * exp (1 / 2) * (sqrt (2 * PI) * sqrt (2 * PI))) by ring.
  pose proof PI_RGT_0. rewrite sqrt_sqrt, <- exp_plus by lra. replace (1 / 2 + 1 / 2) with 1 by field.
  pose proof (exp_pos 1). nra. }
assert (u0 : 0 < unit_) by apply unit_pos.
assert (u : unit_ <= 2 * (65568 / 100000 + 141068613 / 100000000)).
{ apply Rnot_lt_le. intros h. set (z := 2 * (65568 / 100000 + 141068613 / 100000000)) in *.
  assert (k : z * z < unit_ * unit_) by (apply Rmult_le_0_lt_compat; unfold z in *; lra). unfold z in k. lra. }
lra.
Qed.

Lemma time_value_tangent (G : R) : (forall p, 1 <= p -> G <= profile (deviation p) e) ->
  factor * (34432 / 100000 * density - 2 * (15568 / 100000) * density_slope) <= profile (deviation 1) e - G.
Proof.
intros below. eapply Rle_trans; [|apply time_value, below]. apply Rmult_le_compat_l; [lra|].
pose proof mills_below.
assert (d : 0 <= density + 2 * density_slope).
{ unfold density_slope. assert (0 <= s2 * (b / (w * w))).
  { apply Rmult_le_pos; [lra|]. apply Rdiv_le_0_compat; [exact b0|apply Rmult_lt_0_compat; exact w0]. }
  assert (s2 / w <= 1).
  { apply (Rmult_le_reg_r w); [exact w0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold w. lra. }
  replace (density + 2 * (s2 * (b / (w * w) - / (2 * w)) * density)) with
    ((1 + 2 * (s2 * (b / (w * w))) - s2 / w) * density) by (field; lra).
  apply Rmult_le_pos; lra. }
nra.
Qed.
End Value.

(** [smoothed] with [tangent] is nowhere below a tilted payoff. *)
Theorem smoothed_above a s M2 u G : 0 < s -> 0 <= M2 ->
  (forall sigma, sqrt M2 <= sigma -> 0 < sigma -> G <= profile sigma (- u)) ->
  untilted a M2 * (exp (- (a * u)) * G) <= smoothed a s M2 tangent u.
Proof.
intros s0 M0 below. assert (ss : 0 < s * s) by (apply Rmult_lt_0_compat; exact s0).
assert (pos : forall p, 1 <= p -> 0 < s * s / (p * p)) by (intros; apply Rdiv_lt_0_compat; nra).
pose proof (time_value_tangent (s * s) M2 (- u) ss M0 G) as k. cbv zeta in k. unfold density_slope, density, deviation in k.
specialize (k ltac:(intros p p1; pose proof (pos p p1);
  apply below; [apply sqrt_le_1_alt; lra|apply sqrt_lt_R0; lra])).
replace (M2 + s * s / (1 * 1)) with (s * s + M2) in k by field.
replace (M2 + s * s) with (s * s + M2) in k by ring.
set (w := s * s + M2) in *. assert (w0 : 0 < w) by (unfold w; lra).
set (sigma := sqrt w) in *. assert (sigma0 : 0 < sigma) by (apply sqrt_lt_R0; exact w0).
assert (sw : sigma * sigma = w) by (apply sqrt_sqrt; lra).
unfold smoothed. fold w sigma. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
match type of k with ?l <= _ =>
  enough (e : exp (- (a * u)) * l = - gauss sigma (a + / 2) (corrected s M2 tangent) u)
end.
{ pose proof (exp_pos (- (a * u))) as p. apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ p)) in k. rewrite e in k.
  unfold lifted. lra. }
unfold gauss, corrected, tangent. fold w sigma. rewrite !ev_smul, !ev_add, !ev_smul. simpl. rewrite sw.
set (N := normal sigma (a + / 2) u).
assert (n : exp (- (a * u)) * (exp (- u / 2) * exp (- (- u * - u / 2 / w))) = N).
{ unfold N, normal. rewrite sw, <- !exp_plus. f_equal. field. lra. }
rewrite <- n. unfold height. rewrite sw. replace (- w / 8) with (- (w / 8)) by field. pose proof root_pos. field. lra.
Qed.
