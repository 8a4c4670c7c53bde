(** The line cut into cells: a finite pair beside a Gaussian mechanism.

    Of two normal laws whose means differ by mu2, take the probabilities of finitely many intervals
    that make up the line.  With the curve of mu1 at each of them, the sum is at most the curve of
    sqrt(mu1^2 + mu2^2) ([cells_above]), and comes as near to it as one likes ([cells_below]): sums
    beside integrals, whose values are those of NormalCurve.v.  For mu1 = 0 the sum is the divergence of
    the cells. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
From ExactDP Require Import NormalConvolution NormalCurve.
Local Open Scope R_scope.

Definition mass (m l r : R) : R := Phi (r - m) - Phi (l - m).

Lemma mass_ge0 m l r : l <= r -> 0 <= mass m l r.
Proof. intros h. unfold mass. pose proof (Phi_le (l - m) (r - m) ltac:(lra)). lra. Qed.

Lemma phi_near x y : x <= y -> phi x - (y - x) <= phi y <= phi x + (y - x).
Proof.
intros xy.
assert (h : forall s, s * s = 1 -> s * phi (x + 0) + (x + 0) <= s * phi (x + (y - x)) + (x + (y - x))).
{ intros s s1. assert (b : -1 <= s <= 1) by (split; nra).
  apply (nondecr (fun t => s * phi (x + t) + (x + t)) (fun t => s * (- (x + t) * phi (x + t)) + 1)); [lra| |].
  - intros t _. apply (@is_derive_plus R_AbsRing R_NormedModule (fun t => s * phi (x + t))).
      apply (is_derive_scal (fun t => phi (x + t))). rewrite <- (Rmult_1_l (_ * _)).
      apply (is_derive_comp phi (fun t => x + t)); [apply is_derive_phi|]. auto_derive; [exact I|ring].
    auto_derive; [exact I|ring].
  - intros t _. destruct (phi_small (x + t)) as [_ [h1 h2]]. set (q := (x + t) * phi (x + t)) in *.
    replace (- (x + t) * phi (x + t)) with (- q) by (unfold q; ring). nra. }
pose proof (h 1 ltac:(lra)) as h1. pose proof (h (-1) ltac:(lra)) as h2.
rewrite !Rplus_0_r in h1, h2. replace (x + (y - x)) with y in h1, h2 by ring. lra.
Qed.

Lemma integral_of_densities m u v l r :
  is_RInt (fun z => u * phi (z - m) - v * phi z) l r (u * mass m l r - v * mass 0 l r).
Proof.
replace (u * mass m l r - v * mass 0 l r) with
  (minus (u * Phi (r - m) - v * Phi r) (u * Phi (l - m) - v * Phi l)).
2:{ unfold mass, minus, plus, opp. simpl. rewrite !Rminus_0_r. ring. }
apply (@is_RInt_derive R_CompleteNormedModule (fun z => u * Phi (z - m) - v * Phi z)).
- intros z _. apply (@is_derive_minus R_AbsRing R_NormedModule (fun z => u * Phi (z - m))).
    apply (is_derive_scal (fun z => Phi (z - m))). rewrite <- (Rmult_1_l (phi _)).
    apply (is_derive_comp Phi (fun z => z - m)); [apply is_derive_Phi|]. auto_derive; [exact I|ring].
  apply (is_derive_scal Phi), is_derive_Phi.
- intros z _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). 
  assert (d : forall x, ex_derive phi x) by (intros; eexists; apply is_derive_phi).
  auto_derive. repeat match goal with |- _ /\ _ => split | |- True => exact I end; trivial.
Qed.

(** One interval: to forget where in it an output lies tells less, but not much less. *)
Section Interval.
Variables mu1 mu2 a b : R.
Hypotheses (mu10 : 0 < mu1) (a0 : 0 < a) (b0 : 0 < b).
Let k := density_curve mu1 mu2 a b.
Let ex l r : ex_RInt k l r := integrable_density_curve mu1 mu2 a b mu10 a0 b0 l r.

Lemma interval_above l r : l <= r -> curve mu1 (a * mass mu2 l r) (b * mass 0 l r) <= RInt k l r.
Proof.
intros lr. pose proof (mass_ge0 mu2 l r lr). pose proof (mass_ge0 0 l r lr).
assert (main : forall u v, (forall z, u * phi (z - mu2) - v * phi z <= k z) ->
  u * mass mu2 l r - v * mass 0 l r <= RInt k l r).
{ intros u v h. rewrite <- (is_RInt_unique _ _ _ _ (integral_of_densities mu2 u v l r)).
  apply RInt_le; [exact lr|eexists; apply integral_of_densities|apply ex|]. intros z _. apply h. }
assert (p : forall z, 0 <= a * phi (z - mu2) /\ 0 <= b * phi z).
{ intros z. pose proof (phi_pos z). pose proof (phi_pos (z - mu2)). split; nra. }
apply curve_least; try nra.
- intros x. replace (a * mass mu2 l r * Phi (x + mu1)) with (a * Phi (x + mu1) * mass mu2 l r) by ring.
  replace (b * mass 0 l r * Phi x) with (b * Phi x * mass 0 l r) by ring.
  apply main. intros z. destruct (p z). unfold k, density_curve.
  pose proof (curve_event mu1 ltac:(lra) (a * phi (z - mu2)) (b * phi z) x ltac:(lra) ltac:(lra)). lra.
- apply main. intros z. destruct (p z). apply curve_diff; lra.
- replace 0 with (0 * mass mu2 l r - 0 * mass 0 l r) by ring. apply main. intros z.
  pose proof (curve_ge0 mu1 (a * phi (z - mu2)) (b * phi z)). unfold k, density_curve. lra.
Qed.

Lemma mass_near m l w : 0 <= w -> Rabs (w * phi (l - m) - mass m l (l + w)) <= w * w.
Proof.
intros w0. unfold mass. replace (l + w - m) with (l - m + w) by ring. rewrite <- Phi_increment.
assert (c : forall v : R, RInt (fun _ : R => v) (l - m) (l - m + w) = w * v).
{ intros v. rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. ring. }
assert (ec : forall v : R, @ex_RInt R_NormedModule (fun _ : R => v) (l - m) (l - m + w))
  by (intros; apply ex_RInt_const).
assert (ep : ex_RInt phi (l - m) (l - m + w)).
{ apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_phi. }
assert (up : RInt phi (l - m) (l - m + w) <= w * (phi (l - m) + w)).
{ rewrite <- c. apply RInt_le; [lra|exact ep|apply ec|]. intros z hz.
  pose proof (phi_near (l - m) z ltac:(lra)). lra. }
assert (down : w * (phi (l - m) - w) <= RInt phi (l - m) (l - m + w)).
{ rewrite <- c. apply RInt_le; [lra|apply ec|exact ep|]. intros z hz.
  pose proof (phi_near (l - m) z ltac:(lra)). lra. }
apply Rabs_le. lra.
Qed.

Lemma interval_below l w : 0 <= w ->
  RInt k l (l + w) <= curve mu1 (a * mass mu2 l (l + w)) (b * mass 0 l (l + w)) + 2 * (a + b) * (w * w).
Proof.
intros w0.
assert (p : forall z, 0 <= a * phi (z - mu2) /\ 0 <= b * phi z).
{ intros z. pose proof (phi_pos z). pose proof (phi_pos (z - mu2)). split; nra. }
assert (up : RInt k l (l + w) <= w * (k l + (a + b) * w)).
{ replace (w * (k l + (a + b) * w)) with (RInt (fun _ => k l + (a + b) * w) l (l + w)).
  2:{ rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. ring. }
  apply RInt_le; [lra|apply ex|apply ex_RInt_const|]. intros z hz. destruct (p z), (p l). unfold k, density_curve.
  pose proof (curve_near mu1 ltac:(lra) (a * phi (z - mu2)) (b * phi z) (a * phi (l - mu2)) (b * phi l)
    ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as h.
  rewrite <- !Rmult_minus_distr_l, !Rabs_mult, (Rabs_right a), (Rabs_right b) in h by lra.
  pose proof (phi_near (l - mu2) (z - mu2) ltac:(lra)). pose proof (phi_near l z ltac:(lra)).
  assert (Rabs (phi (z - mu2) - phi (l - mu2)) <= w) by (apply Rabs_le; lra).
  assert (Rabs (phi z - phi l) <= w) by (apply Rabs_le; lra). nra. }
destruct (p l). pose proof (mass_ge0 mu2 l (l + w) ltac:(lra)). pose proof (mass_ge0 0 l (l + w) ltac:(lra)).
assert (sc : w * k l = curve mu1 (w * (a * phi (l - mu2))) (w * (b * phi l))).
{ symmetry. apply curve_scale; lra. }
pose proof (curve_near mu1 ltac:(lra) (w * (a * phi (l - mu2))) (w * (b * phi l))
  (a * mass mu2 l (l + w)) (b * mass 0 l (l + w)) ltac:(nra) ltac:(nra) ltac:(nra) ltac:(nra)) as h.
replace (w * (a * phi (l - mu2)) - a * mass mu2 l (l + w)) with (a * (w * phi (l - mu2) - mass mu2 l (l + w))) in h by ring.
replace (w * (b * phi l) - b * mass 0 l (l + w)) with (b * (w * phi (l - 0) - mass 0 l (l + w))) in h
  by (rewrite Rminus_0_r; ring).
rewrite !Rabs_mult, (Rabs_right a), (Rabs_right b) in h by lra.
pose proof (mass_near mu2 l w w0). pose proof (mass_near 0 l w w0). nra.
Qed.
End Interval.

(** The cells: n intervals from t 0 to t n, and what is left and right of them. *)
Fixpoint rsum (f : nat -> R) (n : nat) : R := match n with O => 0 | S k => rsum f k + f k end.

Lemma rsum_first f n : rsum f (S n) = f O + rsum (fun i => f (S i)) n.
Proof. induction n as [|n IH]; [simpl; ring|]. change (rsum f (S (S n))) with (rsum f (S n) + f (S n)). rewrite IH. simpl. ring. Qed.

Lemma rsum_ext f g n : (forall i, (i < n)%nat -> f i = g i) -> rsum f n = rsum g n.
Proof. induction n as [|n IH]; intros h; [reflexivity|]. simpl. rewrite IH, h by (auto with arith). reflexivity. Qed.

Section Cells.
Variables (t : nat -> R) (n : nat).
Hypothesis grows : forall i, t i <= t (S i).

Definition cut (m : R) (j : nat) : R :=
  match j with O => 0 | S i => if Nat.leb i n then Phi (t i - m) else 1 end.
Definition cell (m : R) (j : nat) : R := cut m (S j) - cut m j.
Definition cells : nat := S (S n).

Lemma cell_left m : cell m 0 = Phi (t 0 - m).
Proof. unfold cell, cut. simpl. ring. Qed.

Lemma cell_right m : cell m (S n) = 1 - Phi (t n - m).
Proof.
unfold cell, cut. rewrite Nat.leb_refl. replace (Nat.leb (S n) n) with false; [reflexivity|].
symmetry. apply Nat.leb_gt. lia.
Qed.

Lemma cell_inside m i : (i < n)%nat -> cell m (S i) = mass m (t i) (t (S i)).
Proof.
intros h. unfold cell, cut, mass. replace (Nat.leb (S i) n) with true by (symmetry; apply Nat.leb_le; lia).
replace (Nat.leb i n) with true by (symmetry; apply Nat.leb_le; lia). reflexivity.
Qed.

Lemma cell_ge0 m j : 0 <= cell m j.
Proof.
destruct j as [|i]; [rewrite cell_left; destruct (Phi_inside (t 0 - m)); lra|].
destruct (Nat.lt_trichotomy i n) as [h|[h|h]].
- rewrite cell_inside by exact h. apply mass_ge0, grows.
- subst i. rewrite cell_right. destruct (Phi_inside (t n - m)). lra.
- unfold cell, cut. replace (Nat.leb (S i) n) with false by (symmetry; apply Nat.leb_gt; lia).
  replace (Nat.leb i n) with false by (symmetry; apply Nat.leb_gt; lia). lra.
Qed.

Lemma rsum_cut m j : rsum (cell m) j = cut m j.
Proof. induction j as [|j IH]; [reflexivity|]. simpl rsum. rewrite IH. unfold cell. ring. Qed.

Lemma cells_total m : rsum (cell m) cells = 1.
Proof.
rewrite rsum_cut. unfold cells, cut. replace (Nat.leb (S n) n) with false; [reflexivity|].
symmetry. apply Nat.leb_gt. lia.
Qed.

(** The sum over the cells. *)
Definition over_cells (mu1 mu2 a b : R) : R :=
  rsum (fun j => curve mu1 (a * cell mu2 j) (b * cell 0 j)) cells.

Lemma over_cellsE mu1 mu2 a b : over_cells mu1 mu2 a b =
  curve mu1 (a * Phi (t 0 - mu2)) (b * Phi (t 0)) +
  rsum (fun i => curve mu1 (a * mass mu2 (t i) (t (S i))) (b * mass 0 (t i) (t (S i)))) n +
  curve mu1 (a * (1 - Phi (t n - mu2))) (b * (1 - Phi (t n))).
Proof.
unfold over_cells, cells. change (rsum ?f (S (S n))) with (rsum f (S n) + f (S n)).
rewrite rsum_first, !cell_left, !cell_right, !Rminus_0_r. f_equal. f_equal.
apply rsum_ext. intros i h. rewrite !cell_inside by exact h. reflexivity.
Qed.

Lemma over_cells_le mu1 mu1' mu2 a b a' b' u v :
  (forall x y, 0 <= x -> 0 <= y -> curve mu1 (a * x) (b * y) <= curve mu1' (a' * x) (b' * y) + u * x + v * y) ->
  over_cells mu1 mu2 a b <= over_cells mu1' mu2 a' b' + u + v.
Proof.
intros h. unfold over_cells.
assert (main : forall j, rsum (fun j => curve mu1 (a * cell mu2 j) (b * cell 0 j)) j <=
  rsum (fun j => curve mu1' (a' * cell mu2 j) (b' * cell 0 j)) j + u * rsum (cell mu2) j + v * rsum (cell 0) j).
{ induction j as [|j IH]; simpl; [lra|].
  pose proof (h _ _ (cell_ge0 mu2 j) (cell_ge0 0 j)). lra. }
specialize (main cells). rewrite !cells_total in main. lra.
Qed.

Lemma reaches i : t 0 <= t i.
Proof. induction i as [|i IH]; [lra|]. pose proof (grows i). lra. Qed.

Section Positive.
Variables mu1 mu2 a b : R.
Hypotheses (mu10 : 0 < mu1) (mu20 : 0 <= mu2) (a0 : 0 < a) (b0 : 0 < b).
Let k := density_curve mu1 mu2 a b.
Let mu : R := sqrt (mu1 * mu1 + mu2 * mu2).
Let ex l r : ex_RInt k l r := integrable_density_curve mu1 mu2 a b mu10 a0 b0 l r.
Let chasles x y z : RInt k x y + RInt k y z = RInt k x z.
Proof. apply (@RInt_Chasles R_CompleteNormedModule); apply ex. Qed.

Let inside_above j :
  rsum (fun i => curve mu1 (a * mass mu2 (t i) (t (S i))) (b * mass 0 (t i) (t (S i)))) j <= RInt k (t 0) (t j).
Proof.
induction j as [|j IH]; simpl.
  rewrite (@RInt_point R_CompleteNormedModule). apply Rle_refl.
rewrite <- (chasles (t 0) (t j)). pose proof (interval_above mu1 mu2 a b mu10 a0 b0 _ _ (grows j)).
fold k in H. lra.
Qed.

Lemma positive_above : over_cells mu1 mu2 a b <= curve mu a b.
Proof.
apply le_epsilon. intros d d0. pose proof (reaches n) as tn.
set (r := mu2 + Rabs (t 0) + Rabs (t n) + (2 * a + 4 * b) / d).
assert (q0 : 0 < (2 * a + 4 * b) / d) by (apply Rdiv_lt_0_compat; lra).
pose proof (Rabs_pos (t 0)). pose proof (Rabs_pos (t n)). pose proof (Rle_abs (t n)).
pose proof (Rle_abs (- t 0)). rewrite Rabs_Ropp in *.
assert (tail : forall x, (2 * a + 4 * b) / d <= x -> Phi (- x) <= d / (2 * a + 4 * b)).
{ intros x hx. pose proof (Phi_opp_small x ltac:(lra)).
  replace (d / (2 * a + 4 * b)) with (/ ((2 * a + 4 * b) / d)) by (field; lra).
  pose proof (Rinv_le_contravar _ _ q0 hx). lra. }
pose proof (tail (r + mu2) ltac:(unfold r; lra)) as t1. pose proof (tail r ltac:(unfold r; lra)) as t2.
pose proof (tail (r - mu2) ltac:(unfold r; lra)) as t3.
set (e := d / (2 * a + 4 * b)) in *.
assert (de : (2 * a + 4 * b) * e = d) by (unfold e; field; lra).
assert (l0 : - r <= t 0) by (unfold r; lra). assert (r0 : t n <= r) by (unfold r; lra).
pose proof (interval_above mu1 mu2 a b mu10 a0 b0 _ _ l0) as L.
pose proof (interval_above mu1 mu2 a b mu10 a0 b0 _ _ r0) as U. fold k in L, U.
pose proof (inside_above n) as M.
destruct (integral_of_curve mu1 mu2 a b mu10 a0 b0 (- r) r ltac:(lra)) as [_ I]. fold k mu in I.
rewrite <- (chasles (- r) (t n)), <- (chasles (- r) (t 0)) in I.
unfold missing in I. rewrite !Rminus_0_r in I.
assert (one : Phi r = 1 - Phi (- r)) by (rewrite Phi_opp; ring).
assert (one' : Phi (r - mu2) = 1 - Phi (- (r - mu2))) by (rewrite Phi_opp; ring).
destruct (Phi_inside (- r)), (Phi_inside (- (r - mu2))), (Phi_inside (- (r + mu2))).
replace (- (r + mu2)) with (- r - mu2) in * by ring.
destruct (Phi_inside (t 0)), (Phi_inside (t 0 - mu2)), (Phi_inside (t n)), (Phi_inside (t n - mu2)).
pose proof (mass_ge0 mu2 _ _ l0). pose proof (mass_ge0 0 _ _ l0).
pose proof (mass_ge0 mu2 _ _ r0). pose proof (mass_ge0 0 _ _ r0).
pose proof (curve_near mu1 ltac:(lra) (a * Phi (t 0 - mu2)) (b * Phi (t 0)) (a * mass mu2 (- r) (t 0))
  (b * mass 0 (- r) (t 0)) ltac:(nra) ltac:(nra) ltac:(nra) ltac:(nra)) as N1.
pose proof (curve_near mu1 ltac:(lra) (a * (1 - Phi (t n - mu2))) (b * (1 - Phi (t n))) (a * mass mu2 (t n) r)
  (b * mass 0 (t n) r) ltac:(nra) ltac:(nra) ltac:(nra) ltac:(nra)) as N2.
rewrite over_cellsE.
unfold mass in N1, N2, L, U. rewrite !Rminus_0_r in N1, N2, L, U.
replace (a * Phi (t 0 - mu2) - a * (Phi (t 0 - mu2) - Phi (- r - mu2))) with (a * Phi (- r - mu2)) in N1 by ring.
replace (b * Phi (t 0) - b * (Phi (t 0) - Phi (- r))) with (b * Phi (- r)) in N1 by ring.
replace (a * (1 - Phi (t n - mu2)) - a * (Phi (r - mu2) - Phi (t n - mu2))) with (a * Phi (- (r - mu2))) in N2
  by (rewrite one'; ring).
replace (b * (1 - Phi (t n)) - b * (Phi r - Phi (t n))) with (b * Phi (- r)) in N2 by (rewrite one; ring).
rewrite !Rabs_right in N1, N2 by nra. rewrite one in I.
set (B := rsum _ n) in *.
assert (a * Phi (- r - mu2) <= a * e) by (apply Rmult_le_compat_l; lra).
assert (b * Phi (- r) <= b * e) by (apply Rmult_le_compat_l; lra).
assert (a * Phi (- (r - mu2)) <= a * e) by (apply Rmult_le_compat_l; lra).
lra.
Qed.

Variable w : R.
Hypotheses (w0 : 0 <= w) (steps : forall i, t (S i) = t i + w).

Lemma positive_below :
  curve mu a b <= over_cells mu1 mu2 a b + a * missing mu2 (t 0) (t n) + 2 * (a + b) * (INR n * (w * w)).
Proof.
destruct (integral_of_curve mu1 mu2 a b mu10 a0 b0 (t 0) (t n) (reaches n)) as [I _]. fold k mu in I.
assert (main : forall j, RInt k (t 0) (t j) <=
  rsum (fun i => curve mu1 (a * mass mu2 (t i) (t (S i))) (b * mass 0 (t i) (t (S i)))) j +
  2 * (a + b) * (INR j * (w * w))).
{ induction j as [|j IH].
    rewrite (@RInt_point R_CompleteNormedModule). simpl. unfold zero. simpl. lra.
  rewrite <- (chasles (t 0) (t j)), S_INR. simpl rsum.
  pose proof (interval_below mu1 mu2 a b mu10 a0 b0 (t j) w w0) as h. fold k in h. rewrite <- steps in h. lra. }
specialize (main n). rewrite over_cellsE.
pose proof (curve_ge0 mu1 (a * Phi (t 0 - mu2)) (b * Phi (t 0))).
pose proof (curve_ge0 mu1 (a * (1 - Phi (t n - mu2))) (b * (1 - Phi (t n)))). lra.
Qed.
End Positive.
End Cells.
