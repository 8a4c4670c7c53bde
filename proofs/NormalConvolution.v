(** The integral of a normal density times a normal distribution function.

    For l <= r the derivative in alpha of the integral of phi(z) Phi(alpha + beta z) over z from l to r
    is, by completing the square, at most that of Phi(alpha / sqrt(1 + beta^2)), and both vanish far to
    the left; so [convolution_above], and from the right [convolution_below].  No limit and no
    integral over an unbounded interval is needed. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
Local Open Scope R_scope.

Definition phi (x : R) : R := bell x / sqrt (2 * PI).

Lemma root_pos : 0 < sqrt (2 * PI).
Proof. pose proof half_pos. unfold half in *. lra. Qed.

Lemma phi_pos x : 0 < phi x.
Proof. apply Rdiv_lt_0_compat; [apply bell_pos|apply root_pos]. Qed.

Lemma is_derive_Phi_phi x : is_derive Phi x (phi x).
Proof. apply is_derive_Phi. Qed.

Lemma is_derive_phi x : is_derive phi x (- x * phi x).
Proof. unfold phi, bell. pose proof root_pos. auto_derive; [lra|]. unfold Rdiv. field. lra. Qed.

Lemma continuous_phi x : continuous phi x.
Proof. apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply is_derive_phi. Qed.

Lemma Phi_increment a b : RInt phi a b = Phi b - Phi a.
Proof.
apply (@is_RInt_unique R_CompleteNormedModule).
apply (@is_RInt_derive R_CompleteNormedModule Phi phi).
- intros x _. apply is_derive_Phi.
- intros x _. apply continuous_phi.
Qed.

(** phi(x) <= 1/2 and |x phi(x)| <= 1: Phi and phi change slowly. *)
Lemma root_ge2 : 2 <= sqrt (2 * PI).
Proof.
assert (h : sqrt (2 * 2) <= sqrt (2 * PI)) by (apply sqrt_le_1_alt; pose proof PI2_1; lra).
rewrite sqrt_square in h by lra. exact h.
Qed.

Lemma bell_le x : bell x * (1 + x * x / 2) <= 1.
Proof.
unfold bell. replace (- (x * x) / 2) with (- (x * x / 2)) by field. rewrite exp_Ropp.
pose proof (exp_ineq1_le (x * x / 2)) as h. pose proof (exp_pos (x * x / 2)) as p.
apply (Rmult_le_reg_l (exp (x * x / 2))); [exact p|].
rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.

Lemma phi_small x : phi x <= / 2 /\ - / 2 <= x * phi x <= / 2.
Proof.
pose proof (bell_le x) as h. pose proof (bell_pos x) as p. pose proof root_ge2 as r.
assert (i : 0 < / sqrt (2 * PI) <= / 2) by (split; [apply Rinv_0_lt_compat|apply Rinv_le_contravar]; lra).
assert (b : bell x <= 1) by nra. assert (- 1 <= x * bell x <= 1) by (split; nra).
unfold phi, Rdiv. rewrite <- Rmult_assoc.
set (y := x * bell x) in *. set (i' := / sqrt (2 * PI)) in *. repeat split; nra.
Qed.

Lemma Phi_opp_small x : 0 < x -> Phi (- x) <= / x.
Proof.
intros x0. pose proof (Phi_tail x ltac:(lra)). pose proof (bell_le x). pose proof (bell_pos x).
assert (x * bell x <= 1) by nra. apply (Rmult_le_reg_l x); [exact x0|]. rewrite Rinv_r by lra. nra.
Qed.

Lemma continuous_Phi_line a b z : continuous (fun z => Phi (a + b * z)) z.
Proof.
apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. eexists. apply is_derive_Phi.
Qed.

(** What is below every positive number. *)
Lemma le_of_small x y C : (forall e, C < e -> x <= y + / (e - C)) -> x <= y.
Proof.
intros h. apply Rnot_lt_le. intros lt. pose proof (Rinv_0_lt_compat (x - y) ltac:(lra)) as p.
pose proof (h (C + 2 * / (x - y)) ltac:(lra)) as k. replace (C + 2 * / (x - y) - C) with (2 * / (x - y)) in k by ring.
rewrite Rinv_mult, Rinv_inv in k. lra.
Qed.

Section Convolution.
Variables (beta l r : R).
Hypothesis lr : l <= r.

Let s : R := sqrt (1 + beta * beta).
Let s2 : s * s = 1 + beta * beta.
Proof. apply sqrt_sqrt. nra. Qed.
Let s0 : 0 < s.
Proof. apply sqrt_lt_R0. nra. Qed.

Definition convolution (alpha : R) : R := RInt (fun z => phi z * Phi (alpha + beta * z)) l r.

Lemma completed alpha z : phi z * phi (alpha + beta * z) = phi (alpha / s) * phi (s * z + alpha * beta / s).
Proof.
unfold phi, bell. pose proof root_pos.
replace (exp (- (z * z) / 2) / sqrt (2 * PI) * (exp (- ((alpha + beta * z) * (alpha + beta * z)) / 2) / sqrt (2 * PI)))
  with (exp (- (z * z) / 2) * exp (- ((alpha + beta * z) * (alpha + beta * z)) / 2) / (sqrt (2 * PI) * sqrt (2 * PI)))
  by (field; lra).
replace (exp (- (alpha / s * (alpha / s)) / 2) / sqrt (2 * PI) *
  (exp (- ((s * z + alpha * beta / s) * (s * z + alpha * beta / s)) / 2) / sqrt (2 * PI)))
  with (exp (- (alpha / s * (alpha / s)) / 2) *
  exp (- ((s * z + alpha * beta / s) * (s * z + alpha * beta / s)) / 2) / (sqrt (2 * PI) * sqrt (2 * PI)))
  by (field; lra).
f_equal. rewrite <- !exp_plus. f_equal.
apply (Rmult_eq_reg_r (2 * (s * s))); [|nra].
field_simplify; [|lra].
replace (s ^ 4) with ((s * s) * (s * s)) by ring. replace (s ^ 2) with (s * s) by ring. rewrite !s2. ring.
Qed.

Lemma is_derive_convolution alpha :
  is_derive convolution alpha (RInt (fun z => phi z * phi (alpha + beta * z)) l r).
Proof.
assert (D : forall y t, is_derive (fun u => phi t * Phi (u + beta * t)) y (phi t * phi (y + beta * t))).
{ intros y t. apply (is_derive_scal (fun u => Phi (u + beta * t)) y (phi t)).
  rewrite <- (Rmult_1_l (phi (y + beta * t))).
  apply (is_derive_comp Phi (fun u => u + beta * t)); [apply is_derive_Phi|]. auto_derive; [exact I|ring]. }
rewrite (RInt_ext _ (fun t => Derive (fun u => phi t * Phi (u + beta * t)) alpha)).
2:{ intros t _. symmetry. apply is_derive_unique, D. }
apply (is_derive_RInt_param (fun u t => phi t * Phi (u + beta * t))).
- exists (mkposreal 1 Rlt_0_1). intros y _ t _. eexists. apply D.
- intros t _.
  apply continuity_2d_pt_ext with (fun u v => / (sqrt (2 * PI) * sqrt (2 * PI)) *
     (exp (- (v * v) / 2) * exp (- ((u + beta * v) * (u + beta * v)) / 2))).
    intros u v. transitivity (phi v * phi (u + beta * v)).
      unfold phi, bell. pose proof root_pos. field. lra.
    symmetry. apply is_derive_unique, D.
  apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|].
  apply continuity_2d_pt_mult;
  (apply (continuity_1d_2d_pt_comp exp); [apply derivable_continuous_pt, derivable_pt_exp|]; unfold Rdiv;
   repeat first [apply continuity_2d_pt_mult | apply continuity_2d_pt_plus | apply continuity_2d_pt_opp
     | apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2]).
- exists (mkposreal 1 Rlt_0_1). intros y _. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _.
  apply (@continuous_mult R_UniformSpace R_AbsRing phi); [apply continuous_phi|apply continuous_Phi_line].
Qed.

Lemma derived alpha : RInt (fun z => phi z * phi (alpha + beta * z)) l r =
  phi (alpha / s) / s * (Phi (s * r + alpha * beta / s) - Phi (s * l + alpha * beta / s)).
Proof.
apply (@is_RInt_unique R_CompleteNormedModule).
replace (phi (alpha / s) / s * (Phi (s * r + alpha * beta / s) - Phi (s * l + alpha * beta / s)))
  with (minus (phi (alpha / s) / s * Phi (s * r + alpha * beta / s)) (phi (alpha / s) / s * Phi (s * l + alpha * beta / s)))
  by (unfold minus, plus, opp; simpl; ring).
apply (is_RInt_ext (fun z => phi (alpha / s) * phi (s * z + alpha * beta / s))).
  intros z _. symmetry. apply completed.
apply (@is_RInt_derive R_CompleteNormedModule (fun z => phi (alpha / s) / s * Phi (s * z + alpha * beta / s))).
- intros z _. replace (phi (alpha / s) * phi (s * z + alpha * beta / s)) with
    (phi (alpha / s) / s * (s * phi (s * z + alpha * beta / s))) by (field; lra).
  apply (is_derive_scal (fun z => Phi (s * z + alpha * beta / s))).
  apply (is_derive_comp Phi (fun z => s * z + alpha * beta / s)); [apply is_derive_Phi|]. auto_derive; [exact I|ring].
- intros z _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. eexists. apply is_derive_phi.
Qed.

Let reach : R := Rabs beta * (Rabs l + Rabs r).
Let within z : l <= z <= r -> - reach <= beta * z <= reach.
Proof.
intros h. assert (b : Rabs (beta * z) <= reach).
{ rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|].
  pose proof (Rabs_pos l). pose proof (Rabs_pos r). pose proof (Rle_abs r). pose proof (Rle_abs (- l)).
  rewrite Rabs_Ropp in *. apply Rabs_le. lra. }
apply Rabs_le_between in b. exact b.
Qed.

Let inside : Phi r - Phi l <= 1.
Proof. destruct (Phi_inside r), (Phi_inside l). lra. Qed.
Let inside0 : 0 <= Phi r - Phi l.
Proof. pose proof (Phi_le l r lr). lra. Qed.

Lemma convolution_between alpha :
  Phi (alpha - reach) * (Phi r - Phi l) <= convolution alpha <= Phi (alpha + reach) * (Phi r - Phi l).
Proof.
assert (const : forall c, c * (Phi r - Phi l) = RInt (fun z => scal c (phi z)) l r).
{ intros c. rewrite (@RInt_scal R_CompleteNormedModule).
    rewrite Phi_increment. reflexivity.
  apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_phi. }
assert (ex : forall c, ex_RInt (fun z => scal c (phi z)) l r).
{ intros c. apply (@ex_RInt_scal R_NormedModule), (@ex_RInt_continuous R_CompleteNormedModule).
  intros z _. apply continuous_phi. }
assert (ex' : ex_RInt (fun z => phi z * Phi (alpha + beta * z)) l r).
{ apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _.
  apply (@continuous_mult R_UniformSpace R_AbsRing phi); [apply continuous_phi|apply continuous_Phi_line]. }
rewrite !const. split; apply RInt_le; try assumption; try apply ex; intros z hz; unfold scal; simpl; unfold mult; simpl;
rewrite (Rmult_comm _ (phi z)) || idtac;
pose proof (within z ltac:(lra)); pose proof (phi_pos z);
pose proof (Phi_le (alpha - reach) (alpha + beta * z) ltac:(lra));
pose proof (Phi_le (alpha + beta * z) (alpha + reach) ltac:(lra)); nra.
Qed.

Let gap alpha : R := Phi (alpha / s) - convolution alpha.

Let gap_grows a b : a <= b -> gap a <= gap b.
Proof.
intros ab. replace b with (a + (b - a)) by ring. rewrite <- (Rplus_0_r a) at 1.
apply (nondecr (fun t => gap (a + t)) (fun t => phi ((a + t) / s) / s -
  RInt (fun z => phi z * phi ((a + t) + beta * z)) l r)); [lra| |].
- intros t _. rewrite <- (Rmult_1_l (_ - _)).
  apply (is_derive_comp gap (fun t => a + t)); [|auto_derive; [exact I|ring]].
  apply (@is_derive_minus R_AbsRing R_NormedModule (fun u => Phi (u / s))); [|apply is_derive_convolution].
  replace (phi ((a + t) / s) / s) with (/ s * phi ((a + t) / s)) by (field; lra).
  apply (is_derive_comp Phi (fun u => u / s)); [apply is_derive_Phi|]. auto_derive; [exact I|field; lra].
- intros t _. rewrite derived. pose proof (phi_pos ((a + t) / s)).
  set (p := phi ((a + t) / s)) in *. destruct (Phi_inside (s * r + (a + t) * beta / s)).
  destruct (Phi_inside (s * l + (a + t) * beta / s)).
  assert (0 < p / s) by (apply Rdiv_lt_0_compat; assumption). nra.
Qed.

Theorem convolution_above alpha : convolution alpha <= Phi (alpha / s).
Proof.
apply (le_of_small _ _ (reach + Rabs alpha)). intros e he.
pose proof (Rle_abs (- alpha)). rewrite Rabs_Ropp in *.
pose proof (gap_grows (- e) alpha ltac:(pose proof (Rabs_pos reach); unfold reach in *;
  pose proof (Rmult_le_pos _ _ (Rabs_pos beta) (Rplus_le_le_0_compat _ _ (Rabs_pos l) (Rabs_pos r))); lra)) as g.
destruct (convolution_between (- e)) as [_ c]. unfold gap in g. destruct (Phi_inside (- e / s)).
destruct (Phi_inside (- e + reach)).
pose proof (Rabs_pos alpha).
pose proof (Phi_opp_small (e - reach) ltac:(lra)). replace (- (e - reach)) with (- e + reach) in * by ring.
assert (/ (e - reach) <= / (e - (reach + Rabs alpha))) by (apply Rinv_le_contravar; lra).
nra.
Qed.

Theorem convolution_below alpha : Phi (alpha / s) - (1 - (Phi r - Phi l)) <= convolution alpha.
Proof.
apply (le_of_small _ _ (reach + Rabs alpha)). intros e he.
pose proof (Rle_abs alpha). pose proof (Rabs_pos alpha).
pose proof (gap_grows alpha e ltac:(unfold reach in *;
  pose proof (Rmult_le_pos _ _ (Rabs_pos beta) (Rplus_le_le_0_compat _ _ (Rabs_pos l) (Rabs_pos r))); lra)) as g.
destruct (convolution_between e) as [c _]. unfold gap in g. destruct (Phi_inside (e / s)).
destruct (Phi_inside (e - reach)).
pose proof (Phi_opp_small (e - reach) ltac:(lra)) as t. rewrite Phi_opp in t.
assert (/ (e - reach) <= / (e - (reach + Rabs alpha))) by (apply Rinv_le_contravar; lra).
nra.
Qed.
End Convolution.
