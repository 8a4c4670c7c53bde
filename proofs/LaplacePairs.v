(** The profile of Laplace noise, a = sensitivity/scale, is nowhere above that of discrete Laplace noise
    with the shift s and the scale s/a, whatever s is: the latter's curve is that of the chords between
    s + 1 points of the former, whose losses are evenly apart from -a to a. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Moments NoiseLedgers NoiseOrder.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma between_naturals (z : R) s : 0 <= z -> z < s%:R -> exists2 k, (k < s)%N & k%:R <= z <= k.+1%:R.
Proof.
move=> z0; elim: s => [|s IH] zs; first by move: (le_lt_trans z0 zs); rewrite ltxx.
case: (ltP z s%:R) => [/IH [k ks kz]|sz]; first by exists k => //; exact: ltnW.
by exists s; rewrite ?sz ?ltW.
Qed.

Lemma stick_at_0 (Y : finType) (P Q : Y -> R) : distribution P -> hockey_stick 1 0 P Q = 1.
Proof.
move=> [P0 P1]; rewrite -[RHS]P1 /hockey_stick; apply: eq_bigr => y _.
by rewrite mul0r subr0 mul1r pos_id.
Qed.

Section Pair.
Variables (a : R) (s : nat).
Hypotheses (a0 : 0 < a) (s0 : (0 < s)%N).
Let r := (a / s%:R)%R.
Let x := exp (- r).
Let x0 : 0 < x := exp_gt0 _.
Let s0' : 0 < s%:R :> R. Proof. by rewrite ltr0n. Qed.
Let r0 : 0 < r. Proof. by rewrite divr_gt0. Qed.
Let x1 : x < 1. Proof. by rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0. Qed.
Let rs : s%:R * r = a. Proof. by rewrite /r mulrC divfK // gt_eqF. Qed.

(** Between two points, the chord is not above e^((l - a)/2). *)
Lemma chord_below k l : (k < s)%N -> k%:R <= (a - l) / (2%:R * r) <= k.+1%:R ->
  x ^+ k.+1 + exp l * x ^+ (s - k) <= (1 + x) * exp ((l - a) / 2%:R).
Proof.
move=> ks /andP[kl lk]; have r2 : 0 < 2%:R * r by rewrite mulr_gt0 ?ltr0n.
rewrite ler_pdivl_mulr // in kl; rewrite ler_pdivr_mulr // in lk.
set h := exp ((l - a) / 2%:R).
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have high : h <= x ^+ k.
  rewrite /x decay_powers exp_le ler_pdivr_mulr ?ltr0n // -[l - a]opprB mulNr ler_opp2.
  by apply: le_trans kl; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have low : x ^+ k.+1 <= h.
  rewrite /x decay_powers exp_le ler_pdivl_mulr ?ltr0n // -[l - a]opprB mulNr ler_opp2.
  by apply: le_trans lk _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have X0 : 0 < x ^+ k by rewrite exprn_gt0.
have mid : exp l * x ^+ (s - k) * x ^+ k = h * h.
  rewrite -mulrA -exprD subnK ?(ltnW ks) // /x decay_powers rs -!expD; congr exp.
  by field.
rewrite -(ler_pmul2r X0) [X in X <= _]mulrDl mid -subr_ge0.
have -> : (1 + x) * h * x ^+ k - (x ^+ k.+1 * x ^+ k + h * h) = (h - x ^+ k.+1) * (x ^+ k - h).
  by rewrite exprS; ring.
by rewrite mulr_ge0 ?subr_ge0.
Qed.

Theorem laplace_below_shift l : laplace_curve a l <=
  hockey_stick 1 (exp l) (@shifted_law r s) (@shifted_law r s \o @rev_ord _).
Proof.
have -> : hockey_stick 1 (exp l) (@shifted_law r s) (@shifted_law r s \o @rev_ord _) =
    \sum_(j < s.+1) pos (shift_weight x s j - exp l * shift_weight x s (s - j)).
  by apply: eq_bigr => j _; rewrite mul1r /= /shifted_law /= subSS.
have [_ high] := shift_profile x0 x1 s0 (ltW (exp_gt0 l)).
rewrite /laplace_curve; case: ltP => la.
  by have := high s.+1 (leqnn _); rewrite /= ltnn.
case: (leP l a) => la'; last exact: (high 0%N).
have r2 : 0 < 2%:R * r by rewrite mulr_gt0 ?ltr0n.
have point k : (k < s)%N -> k%:R <= (a - l) / (2%:R * r) <= k.+1%:R -> 1 - exp ((l - a) / 2%:R) <=
    \sum_(j < s.+1) pos (shift_weight x s j - exp l * shift_weight x s (s - j)).
  move=> ks h; apply: le_trans (high k.+1 (leqW ks)); rewrite /= ks ler_add2l ler_opp2.
  rewrite ler_pdivr_mulr ?addr_gt0 ?ltr01 // [X in _ <= X]mulrC; exact: chord_below.
have z0 : 0 <= (a - l) / (2%:R * r) by rewrite divr_ge0 ?subr_ge0 // ltW.
have : (a - l) / (2%:R * r) <= s%:R.
  by rewrite ler_pdivr_mulr // mulrCA rs mulr_natl mulr2n ler_add2l ler_oppl.
rewrite le_eqVlt => /predU1P[e|lt].
  by apply: (point s.-1); rewrite prednK // e lexx ler_nat leq_pred.
by have [k ks h] := between_naturals z0 lt; exact: point h.
Qed.

Lemma laplace_nowhere_above (Y : finType) (P Q : Y -> R) : distribution P -> under_laplace a P Q ->
  nowhere_above P Q (@shifted_law r s) (@shifted_law r s \o @rev_ord _).
Proof.
move=> dP h y; rewrite le_eqVlt => /predU1P[<-|y0].
  by have [dL _] := discrete_laplace_lawful r0 s0; rewrite !stick_at_0.
rewrite -(lnK y0); exact: le_trans (h _) (laplace_below_shift _).
Qed.
End Pair.

Theorem laplace_as_shift (a : R) s (Y : finType) (P Q : Y -> R) : 0 < a -> (0 < s)%N ->
  has_noise (OfLaplace a) P Q -> has_noise (OfShift (a / s%:R)%R s) P Q.
Proof.
by move=> a0 s0 [dP dQ [h h']]; split=> //; split; exact: laplace_nowhere_above.
Qed.
