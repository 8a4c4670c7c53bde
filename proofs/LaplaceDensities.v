(** The density of a Laplace law with any centre m and scale s, and what an interval has.

    As NormalDensities.v: [laplace_density] changes no faster than a line of slope 1/(2 s^2); [laplace_below]
    grows by it but for the square of a step ([laplace_tangent]); and nearly all of it lies between two ends. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

Lemma exp_steady x y : x <= y -> y <= 0 -> 0 <= exp y - exp x <= y - x.
Proof.
intros xy y0. destruct (MVT_gen exp x y exp) as [c [r e]].
- intros t _. apply is_derive_exp.
- intros t _. apply derivable_continuous_pt, derivable_pt_exp.
- rewrite Rmin_left, Rmax_right in r by assumption. rewrite e. pose proof (exp_pos c).
  assert (exp c <= 1) by (rewrite <- exp_0; destruct (Rle_lt_or_eq_dec c 0) as [h|h]; [lra|left; apply exp_increasing; exact h|right; rewrite h; reflexivity]).
  split; nra.
Qed.

Lemma exp_tangent x y : x <= 0 -> y <= 0 -> Rabs (exp y - exp x - exp x * (y - x)) <= (y - x) * (y - x).
Proof.
intros x0 y0. destruct (MVT_gen exp x y exp) as [c [r e]].
- intros t _. apply is_derive_exp.
- intros t _. apply derivable_continuous_pt, derivable_pt_exp.
- rewrite e. replace (exp c * (y - x) - exp x * (y - x)) with ((exp c - exp x) * (y - x)) by ring.
  rewrite Rabs_mult. assert (h : Rabs (exp c - exp x) <= Rabs (y - x)).
  { destruct (Rle_dec x y) as [xy|xy].
    - rewrite Rmin_left, Rmax_right in r by lra. pose proof (exp_steady x c ltac:(lra) ltac:(lra)).
      rewrite !Rabs_pos_eq by lra. lra.
    - rewrite Rmin_right, Rmax_left in r by lra. pose proof (exp_steady c x ltac:(lra) ltac:(lra)).
      rewrite Rabs_minus_sym, (Rabs_minus_sym y), !Rabs_pos_eq by lra. lra. }
  assert (q : (y - x) * (y - x) = Rabs (y - x) * Rabs (y - x)).
  { rewrite <- Rabs_mult, Rabs_pos_eq by apply Rle_0_sqr. reflexivity. }
  rewrite q. apply Rmult_le_compat_r; [apply Rabs_pos|exact h].
Qed.

Section Noise.
Variables (s m : R).
Hypothesis s0 : 0 < s.
Definition laplace_density (x : R) : R := exp (- Rabs (x - m) / s) / (2 * s).
Definition laplace_below (x : R) : R := if Rle_dec x m then exp ((x - m) / s) / 2 else 1 - exp (- (x - m) / s) / 2.

Let i0 : 0 < / s.
Proof. apply Rinv_0_lt_compat. exact s0. Qed.

Lemma laplace_density_pos x : 0 < laplace_density x.
Proof. apply Rdiv_lt_0_compat; [apply exp_pos|lra]. Qed.

Lemma laplace_density_steady x y : x <= y ->
  laplace_density x - laplace_density y <= / (s * s) * (y - x) /\
  laplace_density y - laplace_density x <= / (s * s) * (y - x).
Proof.
intros xy. unfold laplace_density. set (u := - Rabs (x - m) / s). set (v := - Rabs (y - m) / s).
pose proof (Rabs_pos (x - m)). pose proof (Rabs_pos (y - m)).
assert (u0 : u <= 0) by (unfold u, Rdiv; nra). assert (v0 : v <= 0) by (unfold v, Rdiv; nra).
pose proof (Rabs_triang_inv2 (x - m) (y - m)) as t.
replace (x - m - (y - m)) with (- (y - x)) in t by ring. rewrite Rabs_Ropp, (Rabs_pos_eq (y - x)) in t by lra.
assert (d1 : u - v <= / s * (y - x)).
{ unfold u, v, Rdiv. apply Rabs_le_between in t. nra. }
assert (d2 : v - u <= / s * (y - x)).
{ unfold u, v, Rdiv. apply Rabs_le_between in t. nra. }
assert (e : / (2 * s) = / s / 2) by (field; lra). unfold Rdiv at 1 2 3 4. rewrite e, Rinv_mult.
destruct (Rle_dec u v) as [uv|uv].
- pose proof (exp_steady u v uv v0). split; nra.
- pose proof (exp_steady v u ltac:(lra) u0). split; nra.
Qed.

Lemma laplace_tangent x y : x <= y ->
  Rabs (laplace_below y - laplace_below x - laplace_density x * (y - x)) <= / (s * s) * ((y - x) * (y - x)).
Proof.
intros xy. unfold laplace_below, laplace_density.
set (h := (y - x) / s). assert (h0 : 0 <= h) by (unfold h, Rdiv; nra).
assert (ge : / (s * s) * ((y - x) * (y - x)) = h * h) by (unfold h; field; lra). rewrite ge.
destruct (Rle_dec y m) as [ym|ym].
- destruct (Rle_dec x m) as [xm|xm]; [|lra].
  rewrite (Rabs_left1 (x - m)) by lra. replace (- - (x - m) / s) with ((x - m) / s) by (field; lra).
  pose proof (exp_tangent ((x - m) / s) ((y - m) / s) ltac:(unfold Rdiv; nra) ltac:(unfold Rdiv; nra)) as t.
  replace ((y - m) / s - (x - m) / s) with h in t by (unfold h; field; lra).
  replace (exp ((y - m) / s) / 2 - exp ((x - m) / s) / 2 - exp ((x - m) / s) / (2 * s) * (y - x))
    with ((exp ((y - m) / s) - exp ((x - m) / s) - exp ((x - m) / s) * h) / 2) by (unfold h; field; lra).
  apply Rabs_le_between in t. apply Rabs_le_between. nra.
- destruct (Rle_dec x m) as [xm|xm].
  + rewrite (Rabs_left1 (x - m)) by lra. replace (- - (x - m) / s) with ((x - m) / s) by (field; lra).
    pose proof (exp_tangent ((x - m) / s) 0 ltac:(unfold Rdiv; nra) ltac:(lra)) as t1.
    pose proof (exp_tangent 0 (- (y - m) / s) ltac:(lra) ltac:(unfold Rdiv; nra)) as t2.
    rewrite exp_0 in t1, t2. set (u := (x - m) / s) in *. set (v := - (y - m) / s) in *.
    assert (u0 : u <= 0) by (unfold u, Rdiv; nra). assert (v0 : v <= 0) by (unfold v, Rdiv; nra).
    assert (hs : h = - u - v) by (unfold h, u, v; field; lra).
    pose proof (exp_steady u 0 u0 ltac:(lra)) as st. rewrite exp_0 in st.
    replace (exp u / (2 * s) * (y - x)) with (exp u * h / 2) by (unfold h; field; lra).
    apply Rabs_le_between in t1, t2. apply Rabs_le_between. rewrite hs. split; nra.
  + rewrite (Rabs_pos_eq (x - m)) by lra.
    pose proof (exp_tangent (- (x - m) / s) (- (y - m) / s) ltac:(unfold Rdiv; nra) ltac:(unfold Rdiv; nra)) as t.
    replace (- (y - m) / s - - (x - m) / s) with (- h) in t by (unfold h; field; lra).
    replace (1 - exp (- (y - m) / s) / 2 - (1 - exp (- (x - m) / s) / 2) - exp (- (x - m) / s) / (2 * s) * (y - x))
      with (- ((exp (- (y - m) / s) - exp (- (x - m) / s) - exp (- (x - m) / s) * - h) / 2)) by (unfold h; field; lra).
    apply Rabs_le_between in t. apply Rabs_le_between. nra.
Qed.

Lemma laplace_ends e : 0 < e -> exists n, forall x, n <= x -> laplace_below (- x) <= e /\ 1 - e <= laplace_below x.
Proof.
intros e0. exists (Rabs m + s / e + s). assert (q : 0 < s / e) by (apply Rdiv_lt_0_compat; assumption).
pose proof (Rle_abs m) as l1. pose proof (Rle_abs (- m)) as l2. rewrite Rabs_Ropp in l2.
assert (far : forall z, s / e <= z -> exp (- z / s) / 2 <= e).
{ intros z hz. assert (g : / e <= z / s).
  { apply (Rmult_le_reg_r s); [exact s0|]. replace (z / s * s) with z by (field; lra).
    replace (/ e * s) with (s / e) by (field; lra). exact hz. }
  pose proof (exp_ineq1_le (z / s)) as b. replace (- z / s) with (- (z / s)) by (field; lra). rewrite exp_Ropp.
  assert (p : 0 < / e) by (apply Rinv_0_lt_compat; exact e0).
  assert (/ exp (z / s) <= e).
  { rewrite <- (Rinv_inv e). apply Rinv_le_contravar; lra. } lra. }
intros x hx. unfold laplace_below. split.
- destruct (Rle_dec (- x) m) as [h|h]; [|lra]. replace ((- x - m) / s) with (- (x + m) / s) by (field; lra). apply far. lra.
- destruct (Rle_dec x m) as [h|h]; [lra|]. pose proof (far (x - m) ltac:(lra)). lra.
Qed.
End Noise.

(** Where the density around a is at least e^l times that around b > a. *)
Section Ratio.
Variables (s a b l : R).
Hypotheses (s0 : 0 < s) (ab : a < b).
Let gap : R := (b - a) / s.
Definition laplace_end : R := (a + b - s * l) / 2.

Let gap0 : 0 < gap.
Proof. apply Rdiv_lt_0_compat; lra. Qed.
Let sgap : s * gap = b - a.
Proof. unfold gap. field. lra. Qed.

Lemma laplace_compared x :
  (l <= (Rabs (x - b) - Rabs (x - a)) / s -> exp l * laplace_density s b x <= laplace_density s a x) /\
  ((Rabs (x - b) - Rabs (x - a)) / s <= l -> laplace_density s a x <= exp l * laplace_density s b x).
Proof.
unfold laplace_density. assert (i : 0 < / (2 * s)) by (apply Rinv_0_lt_compat; lra).
replace (exp l * (exp (- Rabs (x - b) / s) / (2 * s))) with (exp (l + - Rabs (x - b) / s) / (2 * s))
  by (rewrite exp_plus; field; lra).
assert (mono : forall u v, u <= v -> exp u <= exp v).
{ intros u v [h|h]; [left; apply exp_increasing; exact h|right; rewrite h; reflexivity]. }
split; intros h; apply Rmult_le_compat_r; try lra; apply mono; unfold Rdiv in *; nra.
Qed.

Lemma laplace_ratio_inside x : x <= laplace_end -> l <= gap -> exp l * laplace_density s b x <= laplace_density s a x.
Proof.
intros h lg. apply laplace_compared. apply (Rmult_le_reg_r s); [exact s0|].
replace ((Rabs (x - b) - Rabs (x - a)) / s * s) with (Rabs (x - b) - Rabs (x - a)) by (field; lra).
unfold laplace_end in h. unfold Rabs. destruct (Rcase_abs (x - b)), (Rcase_abs (x - a)); nra.
Qed.

Lemma laplace_ratio_outside x : laplace_end <= x -> - gap <= l -> laplace_density s a x <= exp l * laplace_density s b x.
Proof.
intros h lg. apply laplace_compared. apply (Rmult_le_reg_r s); [exact s0|].
replace ((Rabs (x - b) - Rabs (x - a)) / s * s) with (Rabs (x - b) - Rabs (x - a)) by (field; lra).
unfold laplace_end in h. unfold Rabs. destruct (Rcase_abs (x - b)), (Rcase_abs (x - a)); nra.
Qed.

Lemma laplace_everywhere x : l <= - gap -> exp l * laplace_density s b x <= laplace_density s a x.
Proof.
intros lg. apply laplace_compared. apply (Rmult_le_reg_r s); [exact s0|].
replace ((Rabs (x - b) - Rabs (x - a)) / s * s) with (Rabs (x - b) - Rabs (x - a)) by (field; lra).
unfold Rabs. destruct (Rcase_abs (x - b)), (Rcase_abs (x - a)); nra.
Qed.

Lemma laplace_nowhere x : gap <= l -> laplace_density s a x <= exp l * laplace_density s b x.
Proof.
intros lg. apply laplace_compared. apply (Rmult_le_reg_r s); [exact s0|].
replace ((Rabs (x - b) - Rabs (x - a)) / s * s) with (Rabs (x - b) - Rabs (x - a)) by (field; lra).
unfold Rabs. destruct (Rcase_abs (x - b)), (Rcase_abs (x - a)); nra.
Qed.

Lemma laplace_profile : - gap <= l -> l <= gap ->
  laplace_below s a laplace_end - exp l * laplace_below s b laplace_end = 1 - exp ((l - gap) / (1 + 1)).
Proof.
intros l1 l2. replace (1 + 1) with 2 by ring. assert (ea : a <= laplace_end) by (unfold laplace_end; nra).
assert (eb : laplace_end <= b) by (unfold laplace_end; nra).
unfold laplace_below. destruct (Rle_dec laplace_end b) as [_|n]; [|lra].
replace (exp l * (exp ((laplace_end - b) / s) / 2)) with (exp ((l - gap) / 2) / 2).
2:{ replace ((l - gap) / 2) with (l + (laplace_end - b) / s) by (unfold laplace_end, gap; field; lra).
    rewrite exp_plus. field. }
assert (h : exp (- (laplace_end - a) / s) = exp ((l - gap) / 2)) by (f_equal; unfold laplace_end, gap; field; lra).
destruct (Rle_dec laplace_end a) as [le|_]; [|rewrite h; lra].
assert (e : laplace_end = a) by lra.
assert (z : (l - gap) / 2 = 0).
{ replace ((l - gap) / 2) with (- (laplace_end - a) / s) by (unfold laplace_end, gap; field; lra). rewrite e. unfold Rdiv. ring. }
rewrite z, e. replace ((a - a) / s) with 0 by (unfold Rdiv; ring). rewrite exp_0. lra.
Qed.
End Ratio.
