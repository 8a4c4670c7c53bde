(** Noise on a sample, with outputs of any kind: with probability q the law has the record in it, else it is
    the law without ([drawn_law]).  It has the profile of a sample if the noise has its own
    ([sample_in_parts]); for normal noise on the line it has ([normal_sample_in_parts]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct reals ereal signed measure lebesgue_measure.
From ExactDP Require Import PositivePart Privacy Reals Notions RulesGaussian NoiseLedgers.
From ExactDP Require Import InfiniteOutputs ReleasedOutputs DensityMeasures NormalMeasures.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Lemma above_by_sample (F : numDomainType) (q y p x : F) : y <= 1 - q -> 0 <= q -> x <= 1 -> p <= 1 -> 0 <= 1 - q - y ->
  (1 - q) * x + q * p - y * x <= 1 - y.
Proof.
move=> _ q0 x1 p1 h; rewrite (_ : _ - y * x = (1 - q - y) * x + q * p); last by ring.
rewrite (_ : 1 - y = (1 - q - y) * 1 + q * 1); last by ring.
by rewrite ler_add // ler_wpmul2l.
Qed.

Section Samples.
Variables (d : measure_display) (Y : measurableType d) (P Q M : {measure set Y -> \bar real}) (q : R).
Hypotheses (P1 : P setT = 1%E) (Q1 : Q setT = 1%E) (M1 : M setT = 1%E) (q01 : 0 < q <= 1).

(** With probability q as P, else as Q. *)
Definition drawn_law := forall A, measurable A -> chance M A = (1 - q) * chance Q A + q * chance P A.

Lemma chance_1 (L : {measure set Y -> \bar real}) A : L setT = 1%E -> measurable A -> 0 <= chance L A <= 1.
Proof.
move=> L1 mA; rewrite /chance fine_ge0 ?measure_ge0 //= -lee_fin -/(chance L A) -(chanceE L1) // -L1.
by apply: le_measure; rewrite ?inE.
Qed.

(** Events bound what hockey-stick divergences of finite parts are. *)
Lemma parts_hockey_stick (L K : {measure set Y -> \bar real}) (y h : R) (F : finType) (f : Y -> F) :
  L setT = 1%E -> K setT = 1%E -> readable f ->
  (forall A, measurable A -> chance L A - y * chance K A <= h) -> hockey_stick 1 y (image f L) (image f K) <= h.
Proof.
move=> L1 K1 rf all; apply/events_hockey_stick => S; have [mS eL] := image_event S L1 rf.
have [_ eK] := image_event S K1 rf.
have := all _ mS; rewrite /chance -eL -eK /= ler_subl_addl; exact.
Qed.

Theorem sample_in_parts c : drawn_law ->
  (forall A y, measurable A -> 0 < y -> chance P A - y * chance Q A <= curve_at c y) ->
  in_parts has_noise (OfSample WithRecord q c) M Q.
Proof.
move=> drawn close; case/andP: q01 => q0 q1; split=> // F f rf.
split; [exact: image_distribution|exact: image_distribution|].
move=> y y0; apply: parts_hockey_stick => // A mA; rewrite drawn // /sampled_curve.
have /andP[x0 x1] := chance_1 Q1 mA; have /andP[p0 p1] := chance_1 P1 mA.
have [small|big] := leP y (1 - q); first by apply: above_by_sample; rewrite ?subr_ge0 // ltW.
have z0 : 0 < (y - (1 - q)) / q by rewrite divr_gt0 // subr_gt0.
apply: le_trans (ler_wpmul2l (ltW q0) (close A _ mA z0)).
have -> // : (1 - q) * chance Q A + q * chance P A - y * chance Q A =
  q * (chance P A - (y - (1 - q)) / q * chance Q A).
by field; rewrite gt_eqF.
Qed.
End Samples.

(** Normal noise on a number to which a record adds, if it is in the sample. *)
Theorem normal_sample_in_parts (length : {measure set real -> \bar real}) s a b q (P Q M : {measure set real -> \bar real}) :
  (forall x y : real, x <= y -> length `]x, y]%classic = (y - x)%:E) ->
  0 < s -> a < b -> 0 < q <= 1 -> normal_law length s a P -> normal_law length s b Q -> M setT = 1%E ->
  drawn_law P Q M q -> in_parts has_noise (OfSample WithRecord q (NormalCurve ((b - a) / s)%R)) M Q.
Proof.
move=> length_piece s0 ab q01 hP hQ M1 drawn; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
apply: (sample_in_parts P1 Q1 M1 q01 drawn) => A y mA y0 /=; rewrite ler_subl_addl.
have e : exp (ln y) = y by apply: exp_ln; exact/RltP.
by have := normal_laws_close length_piece (ln y) s0 ab hP hQ mA; rewrite e.
Qed.
