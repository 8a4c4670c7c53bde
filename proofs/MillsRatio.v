(** 11.7 (i) and (ii), from above, without Gaussian mechanisms: what a loss pays with noise.

    With m = Phi(-x)/phi(x) the profile of s at e is phi(s/2 - e/s) times a difference of values of m at y - s/2
    and y + s/2, y = e/s.  As m'(x) = x m(x) - 1 and m is convex, the difference is at most that of y = 0, times
    1 - y m(y), which an inequality of elementary functions bounds ([difference_below]); and 1 - y m(y) is at
    most a parabola in y^2, as Phi(-y) less phi(y) times a polynomial falls, grows and falls to 0
    ([slope_below]). *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection NormalConvolution.
From ExactDP Require Import Exponentials Enclosures NormalEnclosures PoissonSummation.
From ExactDP Require NormalMoments.
Local Open Scope R_scope.

Lemma falls_to f df y C : 0 <= C -> (forall x, y <= x -> is_derive f x (df x)) -> (forall x, y <= x -> df x <= 0) ->
  (forall t, 1 <= t -> - (C * / t) <= f t) -> 0 <= f y.
Proof.
intros C0 D neg far. apply (NormalMoments.vanishing _ _ C (Rmax 1 y)); [exact C0|]. intros t _ h.
pose proof (Rmax_l 1 y). pose proof (Rmax_r 1 y). pose proof (far t ltac:(lra)).
enough (f t <= f y) by lra.
enough (- f (y + 0) <= - f (y + (t - y))) by (replace (y + (t - y)) with t in * by ring; rewrite Rplus_0_r in *; lra).
apply (nondecr (fun x => - f (y + x)) (fun x => - df (y + x))); [lra| |].
- intros x [x0 _]. apply (@is_derive_opp R_AbsRing R_NormedModule (fun x => f (y + x))).
  rewrite <- (Rmult_1_l (df _)). apply (is_derive_comp f (fun x => y + x)); [apply D; lra|]. auto_derive; [exact I|ring].
- intros x [x0 _]. pose proof (neg (y + x) ltac:(lra)). lra.
Qed.


Lemma bell_far t : 1 <= t -> bell t * (t * t * t) <= 16 * / t.
Proof.
intros t1. unfold bell. replace (- (t * t) / 2) with (- (t * t / 2)) by field. rewrite exp_Ropp.
assert (k : t * t / 4 <= exp (t * t / 4)) by (pose proof (exp_ineq1_le (t * t / 4)); lra).
assert (e : exp (t * t / 2) = exp (t * t / 4) * exp (t * t / 4)) by (rewrite <- exp_plus; f_equal; field).
assert (t2 : 1 <= t * t) by nra.
assert (p : t * t * (t * t) / 16 <= exp (t * t / 2)).
{ rewrite e. replace (t * t * (t * t) / 16) with (t * t / 4 * (t * t / 4)) by field. apply Rmult_le_compat; lra. }
pose proof (exp_pos (t * t / 2)) as E. set (x := exp (t * t / 2)) in *.
apply (Rmult_le_reg_r (x * t)); [nra|].
replace (/ x * (t * t * t) * (x * t)) with (t * t * (t * t)) by (field; lra).
replace (16 * / t * (x * t)) with (16 * x) by (field; lra). lra.
Qed.

Lemma phi_far t : 1 <= t -> phi t * (t * t * t) <= 8 * / t.
Proof.
intros t1. pose proof (bell_far t t1) as b. pose proof root_ge2. unfold phi.
replace (bell t / sqrt (2 * PI) * (t * t * t)) with (bell t * (t * t * t) / sqrt (2 * PI)) by (field; lra).
assert (0 < / t) by (apply Rinv_0_lt_compat; lra).
apply (Rmult_le_reg_r (sqrt (2 * PI))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra.
Qed.

Lemma is_derive_Phi_opp x : is_derive (fun x => Phi (- x)) x (- phi x).
Proof.
replace (- phi x) with (-1 * phi (- x)).
2:{ unfold phi, bell. replace (- x * - x) with (x * x) by ring. ring. }
apply (is_derive_comp Phi (fun x => - x)); [apply is_derive_Phi|]. auto_derive; [exact I|ring].
Qed.

Definition mills (x : R) : R := Phi (- x) / phi x.

Lemma mills_pos x : 0 < mills x.
Proof. apply Rdiv_lt_0_compat; [apply Phi_inside|apply phi_pos]. Qed.

Lemma is_derive_mills x : is_derive mills x (x * mills x - 1).
Proof.
pose proof (phi_pos x) as p. unfold mills. evar_last.
- apply (is_derive_div (fun x => Phi (- x)) phi); [apply is_derive_Phi_opp|apply is_derive_phi|lra].
- field. lra.
Qed.

Lemma mills_at_most x : x * mills x <= 1.
Proof.
pose proof (phi_pos x) as p. enough (0 <= phi x - x * Phi (- x)).
{ apply (Rmult_le_reg_r (phi x)); [exact p|]. unfold mills.
  replace (x * (Phi (- x) / phi x) * phi x) with (x * Phi (- x)) by (field; lra). lra. }
apply (falls_to (fun x => phi x - x * Phi (- x)) (fun x => - Phi (- x)) x 8); [lra| | |].
- intros z _. evar_last.
  + apply (@is_derive_minus R_AbsRing R_NormedModule phi); [apply is_derive_phi|].
    apply (is_derive_mult (fun x => x) (fun x => Phi (- x)));
      [apply (@is_derive_id R_AbsRing)|apply is_derive_Phi_opp|intros; apply Rmult_comm].
  + change (- z * phi z - (1 * Phi (- z) + z * - phi z) = - Phi (- z)). ring.
- intros z _. destruct (Phi_inside (- z)). lra.
- intros t t1. pose proof (bell_far t t1). pose proof (Phi_tail t ltac:(lra)). pose proof (phi_pos t). pose proof (bell_pos t).
  assert (t * bell t <= bell t * (t * t * t)) by (assert (t <= t * t * t) by nra; nra). nra.
Qed.

Lemma mills_at_least x : x <= (1 + x * x) * mills x.
Proof.
pose proof (phi_pos x) as p. pose proof (mills_pos x). destruct (Rle_or_lt x 0) as [n|x0]; [nra|].
enough (0 <= Phi (- x) - phi x * (x / (1 + x * x))).
{ apply (Rmult_le_reg_r (phi x)); [exact p|]. unfold mills.
  replace ((1 + x * x) * (Phi (- x) / phi x) * phi x) with ((1 + x * x) * Phi (- x)) by (field; lra).
  apply (Rmult_le_compat_l (1 + x * x)) in H0; [|nra]. rewrite Rmult_0_r, Rmult_minus_distr_l in H0.
  replace ((1 + x * x) * (phi x * (x / (1 + x * x)))) with (x * phi x) in H0 by (field; nra). lra. }
apply (falls_to (fun x => Phi (- x) - phi x * (x / (1 + x * x)))
  (fun x => - (2 * phi x / ((1 + x * x) * (1 + x * x)))) x 8); [lra| | |].
- intros z _. assert (z1 : 0 < 1 + z * z) by nra. evar_last.
  + apply (@is_derive_minus R_AbsRing R_NormedModule (fun x => Phi (- x))); [apply is_derive_Phi_opp|].
    apply (is_derive_mult phi (fun x => x / (1 + x * x))); [apply is_derive_phi| |intros; apply Rmult_comm].
    instantiate (1 := (1 - z * z) / ((1 + z * z) * (1 + z * z))). auto_derive; [lra|field; lra].
  + change (- phi z - (- z * phi z * (z / (1 + z * z)) + phi z * ((1 - z * z) / ((1 + z * z) * (1 + z * z)))) =
      - (2 * phi z / ((1 + z * z) * (1 + z * z)))). field. lra.
- intros z _. pose proof (phi_pos z). assert (0 < 2 * phi z / ((1 + z * z) * (1 + z * z))); [|lra].
  apply Rdiv_lt_0_compat; [lra|]. assert (0 < 1 + z * z) by nra. nra.
- intros t t1. pose proof (phi_far t t1). pose proof (phi_pos t). destruct (Phi_inside (- t)).
  assert (t / (1 + t * t) <= 1).
  { apply (Rmult_le_reg_r (1 + t * t)); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. nra. }
  assert (1 <= t * t * t) by nra. nra.
Qed.

Lemma mills_slope_grows x y : x <= y -> x * mills x - 1 <= y * mills y - 1.
Proof.
intros xy. replace y with (x + (y - x)) by ring. rewrite <- (Rplus_0_r x) at 1 2.
apply (nondecr (fun t => (x + t) * mills (x + t) - 1)
  (fun t => let z := x + t in mills z + z * (z * mills z - 1))); [lra| |].
- intros t _. cbv zeta. rewrite <- (Rmult_1_l (mills (x + t) + _)).
  apply (is_derive_comp (fun z => z * mills z - 1) (fun t => x + t)); [|auto_derive; [exact I|ring]].
  set (z := x + t). evar_last.
  + apply (@is_derive_minus R_AbsRing R_NormedModule (fun z => z * mills z)); [|apply (@is_derive_const R_AbsRing R_NormedModule)].
    apply (is_derive_mult (fun x => x) mills); [apply (@is_derive_id R_AbsRing)|apply is_derive_mills|intros; apply Rmult_comm].
  + change (1 * mills z + z * (z * mills z - 1) - 0 = mills z + z * (z * mills z - 1)). ring.
- intros t _. cbv zeta. pose proof (mills_at_least (x + t)). nra.
Qed.

Lemma is_derive_right y t : is_derive (fun t => mills (y + t)) t ((y + t) * mills (y + t) - 1).
Proof.
rewrite <- (Rmult_1_l (_ - 1)). apply (is_derive_comp mills (fun t => y + t)); [apply is_derive_mills|].
auto_derive; [exact I|ring].
Qed.

Lemma is_derive_left y t : is_derive (fun t => mills (y - t)) t (1 - (y - t) * mills (y - t)).
Proof.
replace (1 - _) with (-1 * ((y - t) * mills (y - t) - 1)) by ring.
apply (is_derive_comp mills (fun t => y - t)); [apply is_derive_mills|]. auto_derive; [exact I|ring].
Qed.

Lemma mills_convex y x : 0 <= x -> 2 * mills y <= mills (y - x) + mills (y + x).
Proof.
intros x0. replace (2 * mills y) with (mills (y - 0) + mills (y + 0)) by (rewrite Rminus_0_r, Rplus_0_r; ring).
apply (nondecr (fun t => mills (y - t) + mills (y + t))
  (fun t => 1 - (y - t) * mills (y - t) + ((y + t) * mills (y + t) - 1))); [exact x0| |].
- intros t _. apply (@is_derive_plus R_AbsRing R_NormedModule (fun t => mills (y - t)));
    [apply is_derive_left|apply is_derive_right].
- intros t [t0 _]. pose proof (mills_slope_grows (y - t) (y + t) ltac:(lra)). lra.
Qed.

Lemma difference_below y x : 0 <= y -> 0 <= x <= 1 ->
  mills (y - x) - mills (y + x) <= 2 * (1 - y * mills y) * (x / (1 - x * x / 3)).
Proof.
intros y0 [x0 x1]. set (J := 1 - y * mills y). pose proof (mills_at_most y) as m1. assert (J0 : 0 <= J) by (unfold J; lra).
pose (h := fun t => (2 * J * (t / (1 - t * t / 3)) - (mills (y - t) - mills (y + t))) * bell t).
assert (k : h 0 <= h x).
{ apply (nondecr h (fun t => (2 * J * ((1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3)) - t * (t / (1 - t * t / 3))) -
    2 + y * (mills (y - t) + mills (y + t))) * bell t)); [exact x0| |].
  - intros t [t0 t1]. assert (c0 : 0 < 1 - t * t / 3) by nra. unfold h. evar_last.
    + apply (is_derive_mult (fun t => 2 * J * (t / (1 - t * t / 3)) - (mills (y - t) - mills (y + t))) bell);
        [| |intros; apply Rmult_comm].
      * apply (@is_derive_minus R_AbsRing R_NormedModule (fun t => 2 * J * (t / (1 - t * t / 3)))).
        { instantiate (1 := 2 * J * ((1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3)))).
          apply (is_derive_scal (fun t => t / (1 - t * t / 3))). auto_derive; [lra|]. field. lra. }
        apply (@is_derive_minus R_AbsRing R_NormedModule (fun t => mills (y - t))); [apply is_derive_left|apply is_derive_right].
      * instantiate (1 := - t * bell t). unfold bell. auto_derive; [exact I|]. unfold Rdiv. field.
    + set (p := mills (y - t)). set (q := mills (y + t)).
      change ((2 * J * ((1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3))) -
        (1 - (y - t) * p - ((y + t) * q - 1))) * bell t + (2 * J * (t / (1 - t * t / 3)) - (p - q)) * (- t * bell t) =
        (2 * J * ((1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3)) - t * (t / (1 - t * t / 3))) - 2 + y * (p + q)) * bell t).
      field. lra.
  - intros t [t0 t1]. assert (c0 : 0 < 1 - t * t / 3) by nra. apply Rmult_le_pos; [|apply Rlt_le, bell_pos].
    pose proof (mills_convex y t t0) as c. apply (Rmult_le_compat_l y) in c; [|exact y0].
    enough (1 <= (1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3)) - t * (t / (1 - t * t / 3))) by (unfold J in *; nra).
    replace ((1 + t * t / 3) / ((1 - t * t / 3) * (1 - t * t / 3)) - t * (t / (1 - t * t / 3))) with
      (1 + 2 * (t * t) * (t * t) / 9 / ((1 - t * t / 3) * (1 - t * t / 3))) by (field; lra).
    assert (0 <= 2 * (t * t) * (t * t) / 9 / ((1 - t * t / 3) * (1 - t * t / 3))); [|lra].
    apply Rdiv_le_0_compat; nra. }
unfold h in k. pose proof (bell_pos x) as b. rewrite Rminus_0_r, Rplus_0_r in k.
replace ((2 * J * (0 / (1 - 0 * 0 / 3)) - (mills y - mills y)) * bell 0) with 0 in k by field.
assert (0 <= 2 * J * (x / (1 - x * x / 3)) - (mills (y - x) - mills (y + x))); [|lra].
apply (Rmult_le_reg_r (bell x)); [exact b|]. lra.
Qed.

(** The parabola of [parabola] in FourierKernel.v. *)
Definition quartic (y : R) : R := 1 - y * y / 2 + 7666 / 100000 * (y * y * (y * y)).

Lemma quartic_pos y : 0 < quartic y.
Proof. unfold quartic. set (v := y * y). pose proof (Rle_0_sqr (v - 50000 / 15332)) as h. unfold Rsqr in h. lra. Qed.

Lemma e_above : 27182818 / 10000000 <= exp 1.
Proof.
assert (t0 : taylor_term 0 1 = 1) by (unfold taylor_term; simpl; field).
assert (step : forall n c, taylor_term n 1 = c -> taylor_term (S n) 1 = c / IZR (Z.of_nat (S n))).
{ intros n c h. rewrite taylor_term_S, h, INR_IZR_INZ. field. apply not_0_IZR. lia. }
eapply Rle_trans; [|apply (taylor_lower 12 1); lra]. cbn [taylor_sum].
pose proof (step _ _ t0) as t1. pose proof (step _ _ t1) as t2. pose proof (step _ _ t2) as t3.
pose proof (step _ _ t3) as t4. pose proof (step _ _ t4) as t5. pose proof (step _ _ t5) as t6.
pose proof (step _ _ t6) as t7. pose proof (step _ _ t7) as t8. pose proof (step _ _ t8) as t9.
pose proof (step _ _ t9) as t10. pose proof (step _ _ t10) as t11.
rewrite t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11. cbn [Z.of_nat Pos.of_succ_nat Pos.succ]. lra.
Qed.

Definition cubic (y : R) : R := y / 2 - 7666 / 100000 * (y * y * y).
Definition gap (y : R) : R := Phi (- y) - phi y * cubic y.

Lemma is_derive_gap y : is_derive gap y (- (phi y * ((y * y - 3) * (7666 / 100000 * (y * y) - 1 / 2)))).
Proof.
unfold gap. evar_last.
- apply (@is_derive_minus R_AbsRing R_NormedModule (fun x => Phi (- x))); [apply is_derive_Phi_opp|].
  apply (is_derive_mult phi cubic); [apply is_derive_phi| |intros; apply Rmult_comm].
  instantiate (1 := 1 / 2 - 3 * (7666 / 100000) * (y * y)). unfold cubic. auto_derive; [exact I|field].
- change (- phi y - (- y * phi y * cubic y + phi y * (1 / 2 - 3 * (7666 / 100000) * (y * y))) =
    - (phi y * ((y * y - 3) * (7666 / 100000 * (y * y) - 1 / 2)))). unfold cubic. field.
Qed.

(** Where it is least. *)
Lemma gap_at_root : 0 <= gap (sqrt 3).
Proof.
set (r := sqrt 3). assert (r0 : 0 < r) by (apply sqrt_lt_R0; lra). assert (rr : r * r = 3) by (apply sqrt_sqrt; lra).
destruct (integral_enclosed 16 r) as [q [[_ l] i]].
{ rewrite rr. unfold odd. simpl. lra. }
rewrite rr in l.
assert (ql : q <= 29729327 / 10000000).
{ eapply Rle_trans; [exact l|]. cbn [nested]. lra. }
unfold gap, cubic. rewrite Phi_opp. unfold Phi. rewrite i. unfold phi. pose proof root_pos as u0. pose proof (bell_pos r) as b0.
replace (r * r * r) with (3 * r) by (rewrite rr; ring).
replace (1 - (/ 2 + r * bell r * q / sqrt (2 * PI)) - bell r / sqrt (2 * PI) * (r / 2 - 7666 / 100000 * (3 * r))) with
  ((sqrt (2 * PI) / 2 - r * bell r * (q + 27002 / 100000)) / sqrt (2 * PI)) by (field; lra).
apply Rdiv_le_0_compat; [|exact u0].
assert (pi : 31415926 / 10000000 <= PI).
{ pose proof (pi_enclosed 64 ltac:(lia) 8) as [h _].
  assert (c : (31415926 * 2 ^ 64 <= 10000000 * fst (pi_enclosure 64 8))%Z) by (vm_compute; discriminate).
  apply IZR_le in c. rewrite !mult_IZR in c. assert (B0 : 0 < IZR (2 ^ 64)) by (apply IZR_lt; reflexivity).
  set (B := IZR (2 ^ 64)) in *. set (z := IZR (fst _)) in *. clearbody B z.
  apply (Rmult_le_reg_r B); [exact B0|]. lra. }
pose proof e_above as e1.
assert (b2 : bell r * bell r * (exp 1 * exp 1 * exp 1) = 1).
{ unfold bell. rewrite rr, <- !exp_plus. replace (_ + _) with 0 by field. apply exp_0. }
set (u := sqrt (2 * PI)) in *. assert (uu : u * u = 2 * PI) by (apply sqrt_sqrt; lra).
set (k := 29729327 / 10000000 + 27002 / 100000).
assert (e3 : 27182818 / 10000000 * (27182818 / 10000000) * (27182818 / 10000000) <= exp 1 * exp 1 * exp 1).
{ repeat apply Rmult_le_compat; lra. }
set (E := exp 1 * exp 1 * exp 1) in *. assert (E0 : 0 < E) by lra.
assert (sq : 2 * r * bell r * k <= u).
{ apply Rnot_lt_le. intros h.
  assert (lt : u * u < 2 * r * bell r * k * (2 * r * bell r * k)) by (apply Rmult_le_0_lt_compat; lra).
  replace (2 * r * bell r * k * (2 * r * bell r * k)) with (4 * (r * r) * (bell r * bell r) * (k * k)) in lt by ring.
  rewrite uu, rr in lt. apply (Rmult_lt_compat_r E) in lt; [|exact E0].
  replace (4 * 3 * (bell r * bell r) * (k * k) * E) with (12 * (k * k) * (bell r * bell r * E)) in lt by ring.
  rewrite b2 in lt. unfold k in lt. nra. }
assert (rb : 0 < r * bell r) by (apply Rmult_lt_0_compat; assumption).
assert (r * bell r * (q + 27002 / 100000) <= r * bell r * k) by (apply Rmult_le_compat_l; unfold k; lra). lra.
Qed.

Lemma gap_falls x y : x <= y -> (forall z, x <= z <= y -> 0 <= (z * z - 3) * (7666 / 100000 * (z * z) - 1 / 2)) -> gap y <= gap x.
Proof.
intros xy h. enough (- gap (x + 0) <= - gap (x + (y - x)))
  by (replace (x + (y - x)) with y in * by ring; rewrite Rplus_0_r in *; lra).
apply (nondecr (fun t => - gap (x + t))
  (fun t => - - (phi (x + t) * (((x + t) * (x + t) - 3) * (7666 / 100000 * ((x + t) * (x + t)) - 1 / 2))))); [lra| |].
- intros t _. apply (@is_derive_opp R_AbsRing R_NormedModule (fun t => gap (x + t))).
  rewrite <- (Rmult_1_l (- _)).
  apply (is_derive_comp gap (fun t => x + t)); [apply is_derive_gap|]. auto_derive; [exact I|ring].
- intros t t0. rewrite Ropp_involutive. apply Rmult_le_pos; [apply Rlt_le, phi_pos|apply h; lra].
Qed.

Lemma gap_grows x y : x <= y -> (forall z, x <= z <= y -> (z * z - 3) * (7666 / 100000 * (z * z) - 1 / 2) <= 0) -> gap x <= gap y.
Proof.
intros xy h. enough (gap (x + 0) <= gap (x + (y - x)))
  by (replace (x + (y - x)) with y in * by ring; rewrite Rplus_0_r in *; lra).
apply (nondecr (fun t => gap (x + t))
  (fun t => - (phi (x + t) * (((x + t) * (x + t) - 3) * (7666 / 100000 * ((x + t) * (x + t)) - 1 / 2))))); [lra| |].
- intros t _. rewrite <- (Rmult_1_l (- _)).
  apply (is_derive_comp gap (fun t => x + t)); [apply is_derive_gap|]. auto_derive; [exact I|ring].
- intros t t0. pose proof (h (x + t) ltac:(lra)). pose proof (phi_pos (x + t)). nra.
Qed.

Lemma gap_ge0 y : 0 <= y -> 0 <= gap y.
Proof.
intros y0. pose proof gap_at_root as g. assert (r0 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra).
assert (rr : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra). set (r := sqrt 3) in *.
destruct (Rle_or_lt y r) as [yr|ry].
{ eapply Rle_trans; [exact g|]. apply gap_falls; [exact yr|]. intros z [z0 z1]. assert (z * z <= 3) by nra. nra. }
destruct (Rle_or_lt (7666 / 100000 * (y * y)) (1 / 2)) as [low|high].
{ eapply Rle_trans; [exact g|]. apply gap_grows; [lra|]. intros z [z0 z1].
  assert (3 <= z * z) by nra. assert (z * z <= y * y) by nra. nra. }
apply (falls_to gap (fun y => - (phi y * ((y * y - 3) * (7666 / 100000 * (y * y) - 1 / 2)))) y 8); [lra| | |].
- intros x _. apply is_derive_gap.
- intros x x0. pose proof (phi_pos x). assert (y * y <= x * x) by nra.
  assert (0 <= (x * x - 3) * (7666 / 100000 * (x * x) - 1 / 2)) by (apply Rmult_le_pos; lra). nra.
- intros t t1. pose proof (phi_far t t1). pose proof (phi_pos t). destruct (Phi_inside (- t)). unfold gap, cubic.
  assert (t <= t * t * t) by nra. nra.
Qed.

Lemma slope_below y : 0 <= y -> 1 - y * mills y <= quartic y.
Proof.
intros y0. pose proof (gap_ge0 y y0) as g. pose proof (phi_pos y) as p.
assert (h : cubic y <= mills y).
{ apply (Rmult_le_reg_r (phi y)); [exact p|]. unfold mills. replace (Phi (- y) / phi y * phi y) with (Phi (- y)) by (field; lra).
  unfold gap in g. lra. }
apply (Rmult_le_compat_l y) in h; [|exact y0]. unfold quartic, cubic in *. lra.
Qed.

(** What a loss pays with noise. *)
Lemma phi_turned x y e : - (x * x) / 2 = e + - (y * y) / 2 -> phi x = exp e * phi y.
Proof. intros h. unfold phi, bell. rewrite h, exp_plus. unfold Rdiv. ring. Qed.

Lemma profile_of_mills s e : 0 < s -> profile s e = phi (s / 2 - e / s) * (mills (e / s - s / 2) - mills (e / s + s / 2)).
Proof.
intros s0. pose proof (phi_pos (e / s - s / 2)) as p. pose proof (phi_pos (e / s + s / 2)) as q. pose proof root_pos.
assert (e1 : phi (s / 2 - e / s) = phi (e / s - s / 2)).
{ unfold phi, bell. f_equal. f_equal. field. lra. }
assert (e2 : phi (e / s - s / 2) = exp e * phi (e / s + s / 2)).
{ apply phi_turned. field. lra. }
rewrite e1, Rmult_minus_distr_l. rewrite e2 at 2. unfold mills.
replace (phi (e / s - s / 2) * (Phi (- (e / s - s / 2)) / phi (e / s - s / 2))) with (Phi (- (e / s - s / 2))) by (field; lra).
replace (exp e * phi (e / s + s / 2) * (Phi (- (e / s + s / 2)) / phi (e / s + s / 2)))
  with (exp e * Phi (- (e / s + s / 2))) by (field; lra).
unfold profile. f_equal; [f_equal; ring|]. f_equal. f_equal. ring.
Qed.

Theorem paid_with_noise s e : 0 < s <= 1 ->
  profile s e <= Rmax (1 - exp e) 0 + phi (s / 2 - e / s) * (s / (1 - s * s / 12) * quartic (e / s)).
Proof.
intros [s0 s1]. assert (k0 : 0 < s / (1 - s * s / 12)) by (apply Rdiv_lt_0_compat; nra).
assert (main : forall e, 0 <= e -> profile s e <= phi (s / 2 - e / s) * (s / (1 - s * s / 12) * quartic (e / s))).
{ intros x x0. assert (y0 : 0 <= x / s) by (apply Rdiv_le_0_compat; assumption). rewrite profile_of_mills by exact s0.
  apply Rmult_le_compat_l; [apply Rlt_le, phi_pos|]. eapply Rle_trans; [apply difference_below; lra|].
  replace (2 * (1 - x / s * mills (x / s)) * (s / 2 / (1 - s / 2 * (s / 2) / 3))) with
    (s / (1 - s * s / 12) * (1 - x / s * mills (x / s))) by (field; nra).
  apply Rmult_le_compat_l; [lra|apply slope_below, y0]. }
destruct (Rle_or_lt 0 e) as [e0|e0].
{ pose proof (Rmax_r (1 - exp e) 0). pose proof (main e e0). lra. }
rewrite profile_reflect. pose proof (main (- e) ltac:(lra)) as h. pose proof (Rmax_l (1 - exp e) 0). pose proof (exp_pos e) as E.
assert (p : exp e * phi (s / 2 - - e / s) = phi (s / 2 - e / s)).
{ symmetry. apply phi_turned. field. lra. }
assert (q : quartic (- e / s) = quartic (e / s)) by (unfold quartic; f_equal; [f_equal|f_equal]; field; lra).
rewrite q in h. apply (Rmult_le_compat_l (exp e)) in h; [|lra]. rewrite <- Rmult_assoc, p in h. lra.
Qed.
