(** The Rényi divergences of Laplace noise: its moment of the order alpha is in closed form, and bounds that of
    any two laws under its profile ([laplace_has_moment]).

    The profile lies under that of discrete Laplace noise with as many chords as one likes
    (LaplacePairs.v), which bounds moments (DominatedMoments.v); those of the noise are geometric sums,
    which tend to the closed form. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Powers Moments.
From ExactDP Require Import CellsOfNormal NoiseLedgers NoiseOrder LaplacePairs DominatedMoments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition laplace_moment (al a : R) : R :=
  ((al * exp ((al - 1) * a) + (al - 1) * exp (- (al * a))) / (2%:R * al - 1))%R.

Lemma exp_above (x : R) : 1 + x <= exp x.
Proof. apply/RleP; exact: exp_ineq1_le. Qed.

Section Moment.
Variables (al a : R) (al1 : 1 < al) (a0 : 0 < a).
Let beta : R := (2%:R * al - 1)%R.
Let beta0 : 0 < beta.
Proof.
have -> : beta = al + (al - 1) by rewrite /beta; ring.
by rewrite addr_gt0 ?subr_gt0 // (lt_trans ltr01).
Qed.

Section Chords.
Variables (s : nat) (s0 : (0 < s)%N).
Let d : R := (a / s%:R)%R.
Let x : R := exp (- d).
Let r : R := exp (- (beta * d)).
Let A : R := exp ((al - 1) * a).

Let S0 : 0 < s%:R :> R. Proof. by rewrite ltr0n. Qed.
Let d0 : 0 < d. Proof. exact: divr_gt0. Qed.
Let x0 : 0 < x. Proof. exact: exp_gt0. Qed.
Let x1 : x < 1. Proof. by rewrite /x -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0. Qed.
Let r0 : 0 < r. Proof. exact: exp_gt0. Qed.
Let sd : s%:R * d = a. Proof. by rewrite /d mulrC divfK ?gt_eqF. Qed.

Let factor (j : 'I_s.+1) : R := if (j == 0 :> nat)%N || (j == s :> nat) then 1 else 1 - x.
Let factor0 j : 0 < factor j. Proof. by rewrite /factor; case: ifP => _; rewrite ?ltr01 ?subr_gt0. Qed.

Let lawE j : @shifted_law d s j = factor j * exp (- (j%:R * d)) / (1 + x).
Proof. by rewrite /shifted_law -/x decay_powers. Qed.

Let law0 j : 0 < @shifted_law d s j.
Proof. by rewrite lawE divr_gt0 ?mulr_gt0 ?exp_gt0 // addr_gt0 ?ltr01. Qed.

Let factor_rev j : factor (rev_ord j) = factor j.
Proof.
rewrite /factor /= subSS; have js : (j <= s)%N by rewrite -ltnS.
have -> : (s - j == 0)%N = (j == s :> nat) by rewrite subn_eq0 eqn_leq js.
have -> : (s - j == s)%N = (j == 0 :> nat)%N.
  by apply/eqP/eqP => [e|->]; [apply/eqP; rewrite -(eqn_add2l (s - j)) subnK // addn0 e|rewrite subn0].
by rewrite orbC.
Qed.

Let term j : power_term al (@shifted_law d s j) (@shifted_law d s (rev_ord j)) = A / (1 + x) * (factor j * r ^+ j).
Proof.
have js : (j <= s)%N by rewrite -ltnS.
have ratio : @shifted_law d s j = @shifted_law d s (rev_ord j) * exp (s%:R * d - 2%:R * j%:R * d).
  have e : exp (- (j%:R * d)) = exp (- ((rev_ord j)%:R * d)) * exp (s%:R * d - 2%:R * j%:R * d).
    by rewrite -expD /= subSS natrB //; congr exp; ring.
  by rewrite !lawE factor_rev e; ring.
have logs : ln (@shifted_law d s j) = ln (@shifted_law d s (rev_ord j)) + (s%:R * d - 2%:R * j%:R * d).
  by rewrite {1}ratio -RmultE ln_mult ?ln_exp //; [exact/RltP|exact/RltP/exp_gt0].
rewrite power_term_pos // logs addrAC subrr add0r.
rewrite lawE factor_rev /= subSS natrB // sd.
have e : exp (- ((s%:R - j%:R) * d)) * exp (al * (a - 2%:R * j%:R * d)) = A * r ^+ j.
  rewrite /A /r decay_powers -!expD; congr exp; rewrite -sd /beta; ring.
have -> : factor j * exp (- ((s%:R - j%:R) * d)) / (1 + x) * exp (al * (a - 2%:R * j%:R * d)) =
    factor j / (1 + x) * (exp (- ((s%:R - j%:R) * d)) * exp (al * (a - 2%:R * j%:R * d))) by ring.
by rewrite e; ring.
Qed.

Let G : R := \sum_(j < s) r ^+ j.

(** A moment under those of all chords; the sum is geometric. *)
Lemma chords_moment (Y : finType) (P Q : Y -> R) : has_noise (OfShift d s) P Q ->
  moment_at_most al (A / (1 + x) * (1 + r ^+ s + (1 - x) * G)) P Q.
Proof.
move=> [dP dQ [h1 h2]]; have [dS dT] := discrete_laplace_lawful d0 s0.
have same z : @shifted_law d s z = 0 <-> (@shifted_law d s \o @rev_ord _) z = 0.
  by split=> /eqP; rewrite gt_eqF //=; exact: law0.
have swap : nowhere_above Q P (@shifted_law d s \o @rev_ord _) (@shifted_law d s).
  move=> y y0; apply: le_trans (h2 y y0) _; rewrite /hockey_stick (reindex_inj rev_ord_inj) /=.
  by apply: ler_sum => z _; rewrite /= rev_ordK.
have [sup m] := dominated_moment al1 dS dT same dP dQ h1 swap; split=> //; apply: le_trans m _.
rewrite (eq_bigr _ (fun j _ => term j)) -mulr_sumr.
have A0 : 0 <= A / (1 + x) by rewrite divr_ge0 ?(ltW (exp_gt0 _)) // addr_ge0 ?ler01 // ltW.
apply: ler_wpmul2l => //; rewrite big_ord_recr /= /factor /= eqxx orbT mul1r -addrA [r ^+ s + _]addrC addrA ler_add2r.
rewrite /G; case: (s) s0 => // n _; rewrite !big_ord_recl /= !expr0.
rewrite mulr1 ler_add2l mulrDr mulr1; apply: ler_paddl; first by rewrite subr_ge0 ltW.
rewrite mulr_sumr; apply: ler_sum => j _; apply: ler_wpmul2r; first exact: exprn_ge0 (ltW r0).
by rewrite /bump /= add1n eqSS ltn_eqF.
Qed.

(** Whatever the chords are, near the closed form. *)
Lemma chords_near : A / (1 + x) * (1 + r ^+ s + (1 - x) * G) * (2%:R - d) <=
  2%:R * (1 + beta * d) * laplace_moment al a.
Proof.
have geometric : (1 - r) * G = 1 - r ^+ s.
  by rewrite /G -[1 - r]opprB -[RHS]opprB subrX1 mulNr.
have rs : r ^+ s = exp (- (beta * a)).
  by rewrite /r decay_powers -sd; congr exp; ring.
have t0 : 0 < beta * d by exact: mulr_gt0.
have G0 : 0 <= G by apply: sumr_ge0 => i _; exact: exprn_ge0 (ltW r0).
have rs1 : 0 <= 1 - r ^+ s by rewrite -geometric mulr_ge0 // subr_ge0 -[X in _ <= X]exp_0 exp_le oppr_le0 ltW.
(* 1 - r is at least t/(1 + t) *)
have step : beta * d * G <= (1 + beta * d) * (1 - r ^+ s).
  rewrite -geometric mulrA; apply: ler_wpmul2r => //.
  have e : r * exp (beta * d) = 1 by rewrite /r -expD addNr exp_0.
  have le := ler_wpmul2l (ltW r0) (exp_above (beta * d)); rewrite e in le.
  by rewrite mulrBr mulr1 [_ * r]mulrC ler_subr_addr addrC -ler_subr_addr addrK.
have x1' : 2%:R - d <= 1 + x.
  by have := exp_above (- d); rewrite -/x => le; rewrite -[2%:R]/(1 + 1) -addrA ler_add2l.
have A0 : 0 < A := exp_gt0 _; have one0 : 0 < 1 + x by rewrite addr_gt0 ?ltr01.
have inner : 0 <= 1 + r ^+ s + (1 - x) * G.
  by rewrite !addr_ge0 ?ler01 ?mulr_ge0 ?subr_ge0 ?(ltW x1) //; exact: exprn_ge0 (ltW r0).
apply: (@le_trans _ _ (A * (1 + r ^+ s + d * G))).
  apply: (@le_trans _ _ (A / (1 + x) * (1 + r ^+ s + (1 - x) * G) * (1 + x))).
    by rewrite ler_wpmul2l // mulr_ge0 ?divr_ge0 // ltW.
  have -> : A / (1 + x) * (1 + r ^+ s + (1 - x) * G) * (1 + x) = A * (1 + r ^+ s + (1 - x) * G).
    by field; rewrite gt_eqF.
  rewrite ler_pmul2l // ler_add2l ler_wpmul2r // ler_subl_addr; have := exp_above (- d).
  by rewrite -/x ler_subl_addr addrC.
have closed : beta * (2%:R * laplace_moment al a) = A * (beta * (1 + r ^+ s) + (1 - r ^+ s)).
  have e : exp (- (al * a)) = A * r ^+ s.
    by rewrite rs /A -expD; congr exp; rewrite /beta; ring.
  by rewrite /laplace_moment -/beta e -/A; rewrite /beta; field; rewrite gt_eqF.
rewrite -(ler_pmul2l beta0).
have -> : beta * (2%:R * (1 + beta * d) * laplace_moment al a) = (1 + beta * d) * (beta * (2%:R * laplace_moment al a)) by ring.
rewrite closed; have -> : beta * (A * (1 + r ^+ s + d * G)) = A * (beta * (1 + r ^+ s) + beta * d * G) by ring.
rewrite [X in _ <= X]mulrCA ler_pmul2l // [X in _ <= X]mulrDr; apply: ler_add => //.
by rewrite ler_pemull ?ler_addl ?(ltW t0) // mulr_ge0 ?(ltW beta0) // addr_ge0 ?ler01 // exprn_ge0 // ltW.
Qed.
End Chords.

(** Of discrete Laplace noise itself: near the closed form. *)
Lemma shift_near (s : nat) (Y : finType) (P Q : Y -> R) : (0 < s)%N -> a <= s%:R ->
  has_noise (OfShift (a / s%:R)%R s) P Q ->
  moment_at_most al (laplace_moment al a + s%:R^-1 * (a * (2%:R * beta + 1) * laplace_moment al a)) P Q.
Proof.
move=> s0 small h; have [sup le] := chords_moment s0 h; split=> //; apply: le_trans le _.
have near := chords_near s0; have S0 : 0 < s%:R :> R by rewrite ltr0n.
set V := (_ / _ * _) in near *; set d := (a / s%:R)%R in near *; have d0 : 0 < d by exact: divr_gt0.
have d1 : d <= 1 by rewrite ler_pdivr_mulr // mul1r.
have al0 : 0 < al := lt_trans ltr01 al1.
have C0 : 0 <= laplace_moment al a.
  by rewrite divr_ge0 ?(ltW beta0) // addr_ge0 // mulr_ge0 ?subr_ge0 ?(ltW al1) ?(ltW al0) // ltW // exp_gt0.
set C := laplace_moment al a in near C0 *.
have -> : s%:R^-1 * (a * (2%:R * beta + 1) * C) = d * (2%:R * beta + 1) * C by rewrite /d; ring.
have two : 0 < 2%:R - d by rewrite subr_gt0 (le_lt_trans d1) // ltr1n.
rewrite -(ler_pmul2r two); apply: le_trans near _; rewrite -subr_ge0.
have -> : (C + d * (2%:R * beta + 1) * C) * (2%:R - d) - 2%:R * (1 + beta * d) * C =
    (d * C) * ((2%:R * beta + 1) * (1 - d)) by ring.
apply: mulr_ge0; first by apply: mulr_ge0 => //; exact: ltW.
apply: mulr_ge0; last by rewrite subr_ge0.
by rewrite addr_ge0 ?ler01 // mulr_ge0 ?ler0n // ltW.
Qed.

(** --- as many chords as one likes --- *)

Lemma chords_bound (s : nat) (Y : finType) (P Q : Y -> R) (m : R) : (0 < s)%N -> has_noise (OfLaplace a) P Q ->
  m = \sum_y power_term al (P y) (Q y) ->
  m <= laplace_moment al a + s%:R^-1 * (a * (beta * laplace_moment al a + m / 2%:R)).
Proof.
move=> s0 h e; have [_ le] := chords_moment s0 (laplace_as_shift a0 s0 h); have near := chords_near s0; rewrite -e in le.
have S0 : 0 < s%:R :> R by rewrite ltr0n.
have m0 : 0 <= m by rewrite e; apply: sumr_ge0 => y _; exact: power_term_ge0.
set d := (a / s%:R)%R in le near *; have d0 : 0 < d by exact: divr_gt0.
have C0 : 0 <= laplace_moment al a.
  have al0 : 0 < al := lt_trans ltr01 al1.
  by rewrite divr_ge0 ?(ltW beta0) // addr_ge0 // mulr_ge0 ?subr_ge0 ?(ltW al1) ?(ltW al0) // ltW // exp_gt0.
set C := laplace_moment al a in near C0 *.
have -> : C + s%:R^-1 * (a * (beta * C + m / 2%:R)) = C + d * beta * C + d * m / 2%:R by rewrite /d; ring.
have two0 : 0 < 2%:R :> R by rewrite ltr0n.
have bC : 0 <= d * beta * C by apply: mulr_ge0 => //; apply: mulr_ge0; exact: ltW.
rewrite -(ler_pmul2r two0); have -> : (C + d * beta * C + d * m / 2%:R) * 2%:R = 2%:R * (1 + beta * d) * C + d * m.
  by field.
rewrite -ler_subl_addr; have -> : m * 2%:R - d * m = m * (2%:R - d) by ring.
have [d2|/ltW d2] := leP d 2%:R.
  by apply: le_trans near; apply: ler_wpmul2r => //; rewrite subr_ge0.
apply: (@le_trans _ _ 0); first by rewrite mulr_ge0_le0 // subr_le0.
by apply: mulr_ge0 => //; apply: mulr_ge0; [exact: ltW|apply: addr_ge0; [exact: ler01|apply: mulr_ge0; exact: ltW]].
Qed.
End Moment.

Theorem laplace_has_moment (al a : R) (Y : finType) (P Q : Y -> R) : 1 < al -> 0 < a -> has_noise (OfLaplace a) P Q ->
  moment_at_most al (laplace_moment al a) P Q /\ moment_at_most al (laplace_moment al a) Q P.
Proof.
move=> al1 a0; have half (S T : Y -> R) : has_noise (OfLaplace a) S T -> moment_at_most al (laplace_moment al a) S T.
  move=> h; have [sup _] := chords_moment al1 a0 (ltn0Sn 0) (laplace_as_shift a0 (ltn0Sn 0) h); split=> //.
  pose m := \sum_y power_term al (S y) (T y); set K := (a * ((2%:R * al - 1) * laplace_moment al a + m / 2%:R))%R.
  apply: (@le_of_every _ _ (Num.max 0 K)) => [|tau t0]; first by rewrite le_maxr lexx.
  pose s := (Num.bound tau^-1).+1; have S0 : (0 < s)%N by [].
  have small : s%:R^-1 <= tau.
    have big : tau^-1 < s%:R.
      apply: (@lt_le_trans _ _ (Num.bound tau^-1)%:R); first by apply: archi_boundP; rewrite invr_ge0 ltW.
      by rewrite ler_nat leqnSn.
    by rewrite -[tau]invrK lef_pinv ?posrE ?ltr0n ?invr_gt0 // ltW.
  apply: le_trans (chords_bound al1 a0 S0 h (erefl m)) _; rewrite -/K ler_add2l.
  apply: (@le_trans _ _ (s%:R^-1 * Num.max 0 K)); first by rewrite ler_wpmul2l ?invr_ge0 ?ler0n // le_maxr lexx orbT.
  by rewrite ler_wpmul2r // le_maxr lexx.
case=> dP dQ [h1 h2]; split; apply: half; by split.
Qed.
