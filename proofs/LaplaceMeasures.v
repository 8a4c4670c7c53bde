(** Laplace noise itself: two Laplace laws, by their densities, on the real line, have the profile
    [laplace_curve] ([laplace_laws_have_noise]), and so has such noise on a sample
    ([laplace_sample_in_parts]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct reals ereal signed measure lebesgue_measure.
From ExactDP Require Import PositivePart Privacy Reals Notions NoiseLedgers LaplaceDensities.
From ExactDP Require Import InfiniteOutputs ReleasedOutputs DensityMeasures NormalMeasures SampledMeasures.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Laws.
Variable length : {measure set real -> \bar real}.
Hypothesis length_piece : forall a b : real, a <= b -> length `]a, b]%classic = (b - a)%:E.

(** P is the law of a number with Laplace noise of scale s around m. *)
Definition laplace_law (s m : R) (P : {measure set real -> \bar real}) : Prop :=
  has_density length P (laplace_density s m : real -> real).

Section One.
Variables (s m : R) (P : {measure set real -> \bar real}).
Hypotheses (s0 : 0 < s) (hP : laplace_law s m P).
Let s0' : Rlt R0 s. Proof. exact/RltP. Qed.
Let inverse : Rinv (s * s) = (s * s)^-1. Proof. by rewrite RinvE // mulf_neq0 ?gt_eqF. Qed.

Lemma laplace_steady (x y : real) :
  `|laplace_density s m x - laplace_density s m y| <= (s * s)^-1 * `|x - y|.
Proof.
wlog le : x y / x <= y.
  by move=> h; have [/h//|/ltW /h] := leP x y; rewrite distrC [`|y - x|]distrC.
have le' : Rle x y by exact/RleP.
have [/RleP u /RleP v] := laplace_density_steady s m s0' x y le'; rewrite inverse in u v.
rewrite [`|x - y|]distrC [`|y - x|]ger0_norm ?subr_ge0 //.
by apply/ler_normlP; rewrite opprB.
Qed.

Lemma laplace_half c : chance P `]-oo, c]%classic = laplace_below s m c.
Proof.
apply: (half_line length_piece hP (slope := (s * s)^-1)).
- by rewrite invr_ge0 mulr_ge0 // ltW.
- exact: laplace_steady.
- move=> x y le; have le' : Rle x y by exact/RleP.
  have /RleP := laplace_tangent s m s0' x y le'; rewrite inverse expr2; exact.
- move=> e /RltP e0; have [n far] := laplace_ends s m s0' e e0; exists n => x /RleP nx.
  by have [/RleP low /RleP high] := far x nx.
Qed.
End One.

Lemma laplace_laws_close s a b (P Q : {measure set real -> \bar real}) l A : 0 < s -> a < b ->
  laplace_law s a P -> laplace_law s b Q -> measurable A ->
  chance P A <= exp l * chance Q A + laplace_curve ((b - a) / s)%R l.
Proof.
move=> s0 ab hP hQ mA; have s0' : Rlt R0 s by exact/RltP. have ab' : Rlt a b by exact/RltP.
have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
have gapE : Rdiv (b - a) s = ((b - a) / s)%R by rewrite /Rdiv RinvE ?gt_eqF.
have e0 : 0 <= exp l by exact: (ltW (exp_gt0 _)).
rewrite -ler_subl_addl /laplace_curve; have [low|low] := ltP l (- ((b - a) / s))%R.
  have low' : Rle l (- (Rdiv (b - a) s)) by apply/RleP; rewrite gapE ltW.
  have := @best_event _ _ _ length P Q _ _ (exp l) A setT e0 hP hQ mA measurableT.
  rewrite /chance P1 Q1 /= mulr1; apply => // x _.
  exact/RleP/(laplace_everywhere s a b l s0' ab' x low').
have [high|high] := leP l ((b - a) / s)%R.
  have low' : Rle (- (Rdiv (b - a) s)) l by apply/RleP; rewrite gapE.
  have high' : Rle l (Rdiv (b - a) s) by apply/RleP; rewrite gapE.
  pose c := laplace_end s a b l; have mH : measurable (`]-oo, c]%classic : set real) := measurable_itv _.
  have := @best_event _ _ _ length P Q _ _ (exp l) A _ e0 hP hQ mA mH.
  rewrite (laplace_half s0 hP) (laplace_half s0 hQ) => best.
  have e : laplace_below s a c - exp l * laplace_below s b c = 1 - exp ((l - (b - a) / s) / 2%:R)%R.
    have := laplace_profile s a b l s0' low' high'; rewrite gapE.
    have two : Rplus R1 R1 = 2%:R :> R by [].
    by rewrite two /Rdiv RinvE ?pnatr_eq0.
  rewrite -e; apply: best => x; rewrite /= in_itv /=.
    by move/RleP => h; exact/RleP/(laplace_ratio_inside s a b l s0' ab' x h high').
  by move/negP; rewrite -ltNge => /ltW/RleP h; exact/RleP/(laplace_ratio_outside s a b l s0' ab' x h low').
have high' : Rle (Rdiv (b - a) s) l by apply/RleP; rewrite gapE ltW.
have := @best_event _ _ _ length P Q _ _ (exp l) A set0 e0 hP hQ mA measurable0.
rewrite {3 4}/chance !measure0 /= mulr0 subrr; apply => // x _.
exact/RleP/(laplace_nowhere s a b l s0' ab' x high').
Qed.

Lemma laplace_curve_turned (a l : R) : 0 <= a ->
  laplace_curve a l = (1 - exp l + exp l * laplace_curve a (- l))%R.
Proof.
move=> a0; have e1 : (exp l * exp (- l) = 1)%R by rewrite -expD subrr exp_0.
have e2 : (exp l * exp ((- l - a) / 2%:R) = exp ((l - a) / 2%:R))%R by rewrite -expD; congr exp; field.
rewrite /laplace_curve ltr_opp2 ler_oppl; have [low|low] := ltP l (- a).
  have -> : (a < l)%R = false by apply/negbTE; rewrite -leNgt; apply: le_trans (ltW low) _; rewrite (le_trans _ a0) ?oppr_le0.
  by rewrite mulr0 addr0.
have [high|high] := leP l a; last by rewrite mulrBr mulr1 e1; ring.
by rewrite mulrBr mulr1 e2; ring.
Qed.

Lemma laplace_laws_close_back s a b (P Q : {measure set real -> \bar real}) l A : 0 < s -> a < b ->
  laplace_law s a P -> laplace_law s b Q -> measurable A ->
  chance Q A <= exp l * chance P A + laplace_curve ((b - a) / s)%R l.
Proof.
move=> s0 ab hP hQ mA; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
have := laplace_laws_close (- l) s0 ab hP hQ (measurableC mA).
rewrite !chance_complement // => h.
have gap0 : 0 <= ((b - a) / s)%R by rewrite divr_ge0 ?subr_ge0 ?ltW.
have e1 : exp l * exp (- l) = 1 by rewrite -expD subrr exp_0.
rewrite (laplace_curve_turned l gap0); apply: turned_back; have := ler_wpmul2l (ltW (exp_gt0 l)) h.
by rewrite [X in _ <= X]mulrDr [X in _ <= X + _]mulrA e1 mul1r.
Qed.

Theorem laplace_laws_have_noise s a b (P Q : {measure set real -> \bar real}) : 0 < s -> a < b ->
  laplace_law s a P -> laplace_law s b Q -> in_parts has_noise (OfLaplace ((b - a) / s)%R) P Q.
Proof.
move=> s0 ab hP hQ; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
split=> // F f rf; split; [exact: image_distribution|exact: image_distribution|split=> l].
  by apply: parts_hockey_stick => // A mA; rewrite ler_subl_addl; exact: laplace_laws_close.
by apply: parts_hockey_stick => // A mA; rewrite ler_subl_addl; exact: laplace_laws_close_back.
Qed.

Theorem laplace_sample_in_parts s a b q (P Q M : {measure set real -> \bar real}) :
  0 < s -> a < b -> 0 < q <= 1 -> laplace_law s a P -> laplace_law s b Q -> M setT = 1%E ->
  drawn_law P Q M q -> in_parts has_noise (OfSample WithRecord q (LaplaceCurve ((b - a) / s)%R)) M Q.
Proof.
move=> s0 ab q01 hP hQ M1 drawn; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
apply: (sample_in_parts P1 Q1 M1 q01 drawn) => A y mA y0 /=; rewrite ler_subl_addl.
have e : exp (ln y) = y by apply: exp_ln; exact/RltP.
by have := laplace_laws_close (ln y) s0 ab hP hQ mA; rewrite e.
Qed.
End Laws.
