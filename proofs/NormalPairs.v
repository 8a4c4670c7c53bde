(** Cells of a normal law, for all weights and all mu: NormalCells.v without its hypotheses.

    [cells_above]: post-processing tells no more.  [cells_below]: fine cells tell nearly as much,
    whatever is composed with them. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
From ExactDP Require Import NormalConvolution NormalCurve NormalCells.
Local Open Scope R_scope.

Lemma curve_shift M M' h a b x y : 0 <= M <= M' -> M' <= M + h -> 0 < h ->
  0 <= a -> 0 <= b -> 0 <= x -> 0 <= y ->
  curve M (a * x) (b * y) <= curve M' ((a + h) * x) ((b + h) * y) + h * x + h * y /\
  curve M' ((a + h) * x) ((b + h) * y) <= curve M (a * x) (b * y) + (h + (a + h) * h) * x + h * y.
Proof.
intros mM up h0 a0 b0 x0 y0.
assert (0 <= a * x) by nra. assert (0 <= b * y) by nra.
assert (0 <= (a + h) * x) by nra. assert (0 <= (b + h) * y) by nra.
assert (0 <= h * x) by nra. assert (0 <= h * y) by nra.
pose proof (curve_near M ltac:(lra) (a * x) (b * y) ((a + h) * x) ((b + h) * y) H H0 H1 H2) as n1.
pose proof (curve_near M ltac:(lra) ((a + h) * x) ((b + h) * y) (a * x) (b * y) H1 H2 H H0) as n2.
replace (a * x - (a + h) * x) with (- (h * x)) in n1 by ring.
replace (b * y - (b + h) * y) with (- (h * y)) in n1 by ring.
replace ((a + h) * x - a * x) with (h * x) in n2 by ring.
replace ((b + h) * y - b * y) with (h * y) in n2 by ring.
rewrite !Rabs_Ropp, !Rabs_right in n1 by lra. rewrite !Rabs_right in n2 by lra.
pose proof (curve_mu M M' ((a + h) * x) ((b + h) * y) mM H1 H2) as [m1 m2].
assert ((a + h) * x * (M' - M) <= (a + h) * x * h) by (apply Rmult_le_compat_l; lra).
split; lra.
Qed.

Definition both (mu1 mu2 : R) : R := sqrt (mu1 * mu1 + mu2 * mu2).

Lemma both_shift mu1 mu2 h : 0 <= mu1 -> 0 < h ->
  0 <= both mu1 mu2 <= both (mu1 + h) mu2 /\ both (mu1 + h) mu2 <= both mu1 mu2 + h.
Proof.
intros m1 h0. unfold both.
assert (s : mu1 <= sqrt (mu1 * mu1 + mu2 * mu2)).
{ rewrite <- (sqrt_square mu1) at 1 by exact m1. apply sqrt_le_1_alt. nra. }
assert (q : sqrt (mu1 * mu1 + mu2 * mu2) * sqrt (mu1 * mu1 + mu2 * mu2) = mu1 * mu1 + mu2 * mu2)
  by (apply sqrt_sqrt; nra).
repeat split; [lra|apply sqrt_le_1_alt; nra|].
rewrite <- (sqrt_square (sqrt (mu1 * mu1 + mu2 * mu2) + h)) by lra. apply sqrt_le_1_alt. nra.
Qed.

Lemma small_step d c : 0 < d -> 0 < c -> exists h, 0 < h <= 1 /\ c * h <= d.
Proof.
intros d0 c0. exists (Rmin 1 (d / c)). pose proof (Rmin_l 1 (d / c)). pose proof (Rmin_r 1 (d / c)).
assert (0 < d / c) by (apply Rdiv_lt_0_compat; assumption).
split; [split; [apply Rmin_pos; lra|assumption]|].
replace d with (c * (d / c)) at 2 by (field; lra). apply Rmult_le_compat_l; lra.
Qed.

Theorem cells_above t n mu1 mu2 a b : (forall i, t i <= t (S i)) -> 0 <= mu1 -> 0 <= mu2 -> 0 <= a -> 0 <= b ->
  over_cells t n mu1 mu2 a b <= curve (both mu1 mu2) a b.
Proof.
intros g m1 m2 a0 b0. apply le_epsilon. intros d d0.
destruct (small_step d (a + 5) d0 ltac:(lra)) as [h [[h0 h1] hd]].
pose proof (over_cells_le t n g mu1 (mu1 + h) mu2 a b (a + h) (b + h) h h
  (fun x y x0 y0 => proj1 (curve_shift mu1 (mu1 + h) h a b x y ltac:(lra) ltac:(lra) h0 a0 b0 x0 y0))) as p.
pose proof (positive_above t n g (mu1 + h) mu2 (a + h) (b + h) ltac:(lra) m2 ltac:(lra) ltac:(lra)) as q.
fold (both (mu1 + h) mu2) in q.
destruct (both_shift mu1 mu2 h m1 h0) as [s1 s2].
pose proof (proj2 (curve_shift _ _ h a b 1 1 s1 s2 h0 a0 b0 ltac:(lra) ltac:(lra))) as r.
rewrite !Rmult_1_r in r. assert (h * h <= h) by nra. lra.
Qed.

Lemma fine_grid mu2 tau : 0 <= mu2 -> 0 < tau -> exists l w n, 0 <= w /\
  missing mu2 l (l + INR n * w) <= tau /\ INR n * (w * w) <= tau.
Proof.
intros m2 t0. set (r := mu2 + 2 / tau). assert (q : 0 < 2 / tau) by (apply Rdiv_lt_0_compat; lra).
assert (r0 : 0 < r) by (unfold r; lra).
destruct (archimed (4 * (r * r) / tau)) as [ar _].
assert (p : 0 < 4 * (r * r) / tau) by (apply Rdiv_lt_0_compat; nra).
assert (z : (0 <= up (4 * (r * r) / tau))%Z) by (apply le_IZR; lra).
exists (- r). set (n := Z.to_nat (up (4 * (r * r) / tau))).
assert (en : INR n = IZR (up (4 * (r * r) / tau))) by (unfold n; rewrite INR_IZR_INZ, Z2Nat.id by exact z; reflexivity).
rewrite <- en in ar. assert (n0 : 0 < INR n) by lra.
exists (2 * r / INR n), n. split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. split.
- replace (- r + INR n * (2 * r / INR n)) with r by (field; lra). unfold missing.
  assert (tail : forall x, 2 / tau <= x -> Phi (- x) <= tau / 2).
  { intros x hx. pose proof (Phi_opp_small x ltac:(lra)).
    replace (tau / 2) with (/ (2 / tau)) by (field; lra). pose proof (Rinv_le_contravar _ _ q hx). lra. }
  pose proof (tail (r - mu2) ltac:(unfold r; lra)) as t1. pose proof (tail (r + mu2) ltac:(unfold r; lra)) as t2.
  rewrite Phi_opp in t1. replace (- (r + mu2)) with (- r - mu2) in t2 by ring. lra.
- replace (INR n * (2 * r / INR n * (2 * r / INR n))) with (4 * (r * r) / INR n) by (field; lra).
  apply (Rmult_le_reg_r (INR n)); [exact n0|]. replace (4 * (r * r) / INR n * INR n) with (4 * (r * r)) by (field; lra).
  apply (Rmult_lt_compat_r tau) in ar; [|exact t0].
  replace (4 * (r * r) / tau * tau) with (4 * (r * r)) in ar by (field; lra). lra.
Qed.

Theorem cells_below mu2 tau : 0 <= mu2 -> 0 < tau -> exists t n, (forall i : nat, t i <= t (S i)) /\
  forall mu1 a b, 0 <= mu1 -> 0 <= a -> 0 <= b ->
  curve (both mu1 mu2) a b <= over_cells t n mu1 mu2 a b + tau * (a + b).
Proof.
intros m2 t0. destruct (fine_grid mu2 (tau / 4) m2 ltac:(lra)) as [l [w [n [w0 [lost fine]]]]].
exists (fun i => l + INR i * w), n. assert (steps : forall i, l + INR (S i) * w = l + INR i * w + w).
{ intros i. rewrite S_INR. ring. }
assert (g : forall i, l + INR i * w <= l + INR (S i) * w) by (intros; rewrite steps; lra).
split; [exact g|]. intros mu1 a b m1 a0 b0. apply le_epsilon. intros d d0.
destruct (small_step d (a + 5 + 2 * tau) d0 ltac:(lra)) as [h [[h0 h1] hd]].
pose proof (over_cells_le (fun i => l + INR i * w) n g (mu1 + h) mu1 mu2 (a + h) (b + h) a b (h + (a + h) * h) h
  (fun x y x0 y0 => proj2 (curve_shift mu1 (mu1 + h) h a b x y ltac:(lra) ltac:(lra) h0 a0 b0 x0 y0))) as p.
pose proof (positive_below (fun i => l + INR i * w) n g (mu1 + h) mu2 (a + h) (b + h) ltac:(lra) ltac:(lra)
  ltac:(lra) w w0 steps) as q. fold (both (mu1 + h) mu2) in q.
destruct (both_shift mu1 mu2 h m1 h0) as [s1 s2].
pose proof (proj1 (curve_shift _ _ h a b 1 1 s1 s2 h0 a0 b0 ltac:(lra) ltac:(lra))) as r.
rewrite !Rmult_1_r in r. assert (h * h <= h) by nra.
cbv beta in q. simpl (INR 0) in q. rewrite Rmult_0_l, Rplus_0_r in q.
assert ((a + h) * missing mu2 l (l + INR n * w) <= (a + h) * (tau / 4)) by (apply Rmult_le_compat_l; lra).
assert (2 * (a + h + (b + h)) * (INR n * (w * w)) <= 2 * (a + h + (b + h)) * (tau / 4))
  by (apply Rmult_le_compat_l; lra).
assert (h * tau <= h * tau) by lra. assert (0 <= h * tau) by nra. assert (0 <= a * tau) by nra. assert (0 <= b * tau) by nra.
lra.
Qed.
