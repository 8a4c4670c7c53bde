(** Gaussian mechanisms with finitely many outputs: the cells of NormalCells.v, as pairs of laws.

    They are mu-Gaussian DP ([cells_satisfy]), and their divergence comes as near to the profile as one
    likes ([cells_near]).  [limit_of_pairs] is what this says of the curve: it is a limit of divergences of
    finite pairs, and so may stand in the place of one wherever domination is summed
    ([limit_monotone]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions Moments RulesGaussian.
From ExactDP Require Import ProfileReflection NormalCurve NormalCells NormalPairs.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Global Arguments curve _%R _%R _%R.
Global Arguments both _%R _%R.

Lemma le_of_every (x y c : R) : 0 <= c -> (forall tau : R, 0 < tau -> x <= y + tau * c) -> x <= y.
Proof.
move=> c0 h; have c1 : 0 < c + 1 by rewrite ltr_spaddr ?ltr01.
apply/ler_addgt0Pr => d d0; apply: le_trans (h (d / (c + 1)) _) _; first exact: divr_gt0.
by rewrite ler_add2l mulrAC ler_pdivr_mulr // ler_pmul2l // ler_addl ler01.
Qed.

Section Curve.
Variable mu : R.
Hypothesis mu0 : 0 <= mu.
Let mu0' : (0 <= mu)%coqR. Proof. exact/RleP. Qed.

Lemma curve_ge0 (a b : R) : 0 <= curve mu a b.
Proof. exact/RleP/curve_ge0. Qed.

Lemma curve_ge (a b : R) : 0 <= a -> 0 <= b -> a - b <= curve mu a b.
Proof. by move=> /RleP a0 /RleP b0; apply/RleP/curve_diff. Qed.

Lemma curveM (c a b : R) : 0 <= c -> 0 <= a -> 0 <= b -> curve mu (c * a) (c * b) = c * curve mu a b.
Proof. by move=> /RleP c0 /RleP a0 /RleP b0; exact: curve_scale. Qed.

Lemma curve0 (b : R) : 0 <= b -> curve mu 0 b = 0.
Proof. by move=> /RleP; exact: curve_zero. Qed.

(** The profile, with weights. *)
Lemma curve_profile (a b : R) : 0 < a -> 0 < b -> curve mu a b = a * G mu (ln (b / a)%R).
Proof.
move=> a0 b0; have ba : (b / a)%coqR = b / a by rewrite RdivE // gt_eqF.
rewrite /curve /G ba; case: Rlt_dec => [h|h].
  have /RltP -> := h; case: Rlt_dec => [_|n]; last by case: n; exact/RltP.
  by case: Rlt_dec => [_|n]; last by case: n; exact/RltP.
have /negbTE -> : ~~ (0 < mu) by apply/negP => /RltP.
have e : exp (ln (b / a)%R) = b / a.
  exact: lnK (divr_gt0 b0 a0).
rewrite e -posM ?ltW // mulrBr mulr1 mulrCA divff ?mulr1 ?gt_eqF //.
case: (leP 0 (a - b)) => [x0|/ltW x0].
  by rewrite pos_id // Rmax_left //; exact/RleP.
by rewrite pos_0 // Rmax_right //; exact/RleP.
Qed.

Lemma curve_G (e : R) : curve mu 1 (exp e) = G mu e.
Proof. by rewrite curve_profile ?ltr01 ?exp_gt0 // mul1r divr1 ln_exp. Qed.
End Curve.

Lemma curve_of_0 (a b : R) : curve 0 a b = pos (a - b).
Proof.
rewrite /curve; case: Rlt_dec => [/RltP|_]; first by rewrite ltxx.
case: (leP 0 (a - b)) => [x0|/ltW x0].
  by rewrite pos_id // Rmax_left //; exact/RleP.
by rewrite pos_0 // Rmax_right //; exact/RleP.
Qed.

Lemma rsumE f n : rsum f n = \sum_(j < n) f j.
Proof. by elim: n => [|n IH] /=; [rewrite big_ord0|rewrite big_ord_recr /= IH]. Qed.

Lemma both0 (mu : R) : 0 <= mu -> both 0 mu = mu.
Proof.
move=> /RleP h; rewrite /both (_ : (0 * 0 + mu * mu)%coqR = (mu * mu)%coqR); last by ring_simplify.
exact: sqrt_square.
Qed.

Definition pair_cells t n (m : R) (j : 'I_(cells n)) : R := cell t n m j.
Global Arguments pair_cells t n m j : clear implicits.

Lemma pair_cells_distribution t n m : (forall i, (t i <= t (S i))%coqR) -> distribution (pair_cells t n m).
Proof.
move=> g; split=> [j|]; first exact/RleP/cell_ge0.
by have := cells_total t n m; rewrite rsumE.
Qed.

Section Cells.
Variables (t : nat -> R) (n : nat) (mu : R).
Hypotheses (g : forall i, (t i <= t (S i))%coqR) (mu0 : 0 <= mu).
Let P := pair_cells t n mu.
Let Q := pair_cells t n 0.

Lemma sum_cells_above (mu1 a b : R) : 0 <= mu1 -> 0 <= a -> 0 <= b ->
  \sum_j curve mu1 (a * P j) (b * Q j) <= curve (both mu1 mu) a b.
Proof.
move=> /RleP m1 /RleP a0 /RleP b0; have /RleP := cells_above t n mu1 mu a b g m1 (RleP _ _ mu0) a0 b0.
by rewrite /over_cells rsumE.
Qed.

Lemma cells_divergence (a b : R) : 0 <= a -> 0 <= b -> hockey_stick a b P Q <= curve mu a b.
Proof.
move=> a0 b0; have := sum_cells_above (lexx 0) a0 b0; rewrite both0 //.
by under eq_bigr do rewrite curve_of_0.
Qed.

Lemma cells_satisfy : satisfies G (Gaussian mu) P Q.
Proof.
have dP := pair_cells_distribution n mu g; have dQ := pair_cells_distribution n 0 g.
split=> // e; split; apply/events_hockey_stick.
  by rewrite -curve_G //; apply: cells_divergence; rewrite ?ler01 // ltW ?exp_gt0.
rewrite hockey_stick_swap //.
have := cells_divergence (ltW (exp_gt0 e)) ler01; rewrite curve_profile ?ltr01 ?exp_gt0 //.
have -> : ln (1 / exp e)%R = - e by rewrite mul1r -expN ln_exp.
move=> h; apply: (@le_trans _ _ (1 - exp e + exp e * G mu (- e))); first by rewrite ler_add2l.
rewrite /G; case: ifP => [m0|_].
  have <- : Normal.profile mu e = 1 - exp e + exp e * Normal.profile mu (- e) := profile_reflect mu e.
  exact: lexx.
rewrite expN -posM ?(ltW (exp_gt0 _)) // mulrBr mulr1 divff ?exp_neq0 //.
have -> : pos (1 - exp e) = 1 - exp e + pos (exp e - 1) by rewrite pos_split opprB.
exact: lexx.
Qed.
End Cells.

(** Fine cells. *)
Lemma cells_near (mu tau : R) : 0 <= mu -> 0 < tau -> exists t n, (forall i, (t i <= t (S i))%coqR) /\
  forall mu1 a b : R, 0 <= mu1 -> 0 <= a -> 0 <= b -> curve (both mu1 mu) a b <=
  \sum_j curve mu1 (a * pair_cells t n mu j) (b * pair_cells t n 0 j) + tau * (a + b).
Proof.
move=> /RleP m0 /RltP t0; have [t [n [g h]]] := cells_below mu tau m0 t0.
exists t, n; split=> // mu1 a b /RleP m1 /RleP a0 /RleP b0; have /RleP := h mu1 a b m1 a0 b0.
by rewrite /over_cells rsumE.
Qed.

Definition limit_of_pairs (K : R -> R -> R) : Prop := forall tau : R, 0 < tau ->
  exists D : finite_pair [realFieldType of R], forall a b : R, 0 <= a -> 0 <= b ->
  let h := hockey_stick a b (@first_law _ D) (@second_law _ D) in h <= K a b <= h + tau * (a + b).

Lemma limit_curve (mu : R) : 0 <= mu -> limit_of_pairs (curve mu).
Proof.
move=> m0 tau t0; have [t [n [g h]]] := cells_near m0 t0.
have ge0 : nonnegative_laws (pair_cells t n mu) (pair_cells t n 0).
  by move=> j; split; [case: (pair_cells_distribution n mu g)|case: (pair_cells_distribution n 0 g)].
exists (FinitePair ge0) => a b a0 b0; apply/andP; split; first exact: cells_divergence.
have := h 0 a b (lexx 0) a0 b0; rewrite both0 //.
by under eq_bigr do rewrite curve_of_0.
Qed.

Lemma limit_monotone K (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) :
  limit_of_pairs K -> distribution P -> distribution Q -> nonnegative_laws P' Q' ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b P' Q') ->
  forall a b : R, 0 <= a -> 0 <= b -> \sum_y K (a * P y) (b * Q y) <= \sum_z K (a * P' z) (b * Q' z).
Proof.
move=> lim [P0 P1] [Q0 Q1] PQ' dom a b a0 b0; apply: (@le_of_every _ _ (a + b)); first exact: addr_ge0.
move=> tau t0; have [D h] := lim tau t0.
apply: (@le_trans _ _ (\sum_y (hockey_stick (a * P y) (b * Q y) (@first_law _ D) (@second_law _ D) +
    tau * (a * P y + b * Q y)))).
  by apply: ler_sum => y _; have /andP[] := h _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)).
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1 ler_add2r hockey_stick_exchange.
apply: (@le_trans _ _ (\sum_(z : outputs D) hockey_stick (a * first_law z) (b * second_law z) P' Q')).
  by apply: ler_sum => z _; have [p0 q0] := laws_ge0 z; apply: dom; rewrite mulr_ge0.
rewrite hockey_stick_exchange; apply: ler_sum => z _; have [p0 q0] := PQ' z.
by have /andP[] := h _ _ (mulr_ge0 a0 p0) (mulr_ge0 b0 q0).
Qed.

(** Two Gaussian mechanisms, the first of which is any, and the second its bound. *)
Lemma curve_composes (mu1 mu2 : R) (Y : finType) (P Q : Y -> R) : 0 <= mu1 -> 0 <= mu2 ->
  distribution P -> distribution Q ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= curve mu1 a b) ->
  forall a b : R, 0 <= a -> 0 <= b -> \sum_y curve mu2 (a * P y) (b * Q y) <= curve (both mu1 mu2) a b.
Proof.
move=> m1 m2 [P0 P1] [Q0 Q1] dom a b a0 b0; apply: (@le_of_every _ _ (a + b)); first exact: addr_ge0.
move=> tau t0; have [t [n [g h]]] := cells_near m2 t0.
have [C0 _] := pair_cells_distribution n mu2 g; have [C0' _] := pair_cells_distribution n 0 g.
apply: (@le_trans _ _ (\sum_y (hockey_stick (a * P y) (b * Q y) (pair_cells t n mu2) (pair_cells t n 0) +
    tau * (a * P y + b * Q y)))).
  apply: ler_sum => y _; have := h 0 _ _ (lexx 0) (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)).
  by rewrite both0 //; under eq_bigr do rewrite curve_of_0.
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1 ler_add2r hockey_stick_exchange.
apply: le_trans (sum_cells_above n g m2 m1 a0 b0); apply: ler_sum => j _.
by apply: dom; rewrite mulr_ge0.
Qed.
