(** Gaussian noise itself: two normal laws, by their densities, on the real line.

    The law of a number with normal noise has the density phi((x - m)/s)/s with respect to Lebesgue measure.
    A half-line has the probability that Phi gives it ([normal_half]), and no event tells two such
    laws apart by more than [G] says ([normal_laws_close]), so that they satisfy mu-Gaussian DP with mu the
    difference of their means over s ([normal_laws_satisfy]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct reals ereal signed measure lebesgue_measure.
From ExactDP Require ProfileReflection.
From ExactDP Require Import PositivePart Privacy Reals Notions Normal NormalDensities RulesGaussian.
From ExactDP Require Import InfiniteOutputs ReleasedOutputs DensityMeasures.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Notation real := [realType of R].

Section Laws.
Variable length : {measure set real -> \bar real}.
Hypothesis length_piece : forall a b : real, a <= b -> length `]a, b]%classic = (b - a)%:E.

(** P is the law of a number with normal noise of deviation s around m. *)
Definition normal_law (s m : R) (P : {measure set real -> \bar real}) : Prop :=
  has_density length P (normal_density s m : real -> real).

Section One.
Variables (s m : R) (P : {measure set real -> \bar real}).
Hypotheses (s0 : 0 < s) (hP : normal_law s m P).
Let s0' : Rlt R0 s. Proof. exact/RltP. Qed.
Let P1 : P setT = 1%E. Proof. by case: hP. Qed.

Lemma normal_steady (x y : real) :
  `|normal_density s m x - normal_density s m y| <= (s * s)^-1 * `|x - y|.
Proof.
wlog le : x y / x <= y.
  by move=> h; have [/h//|/ltW /h] := leP x y; rewrite distrC [`|y - x|]distrC.
have le' : Rle x y by exact/RleP.
have [/RleP u /RleP l] := normal_density_steady s m s0' x y le'.
have e : Rinv (s * s) = (s * s)^-1 by rewrite RinvE // mulf_neq0 ?gt_eqF.
rewrite e in u l; rewrite [`|x - y|]distrC [`|y - x|]ger0_norm ?subr_ge0 //.
by apply/ler_normlP; rewrite opprB.
Qed.

Lemma normal_tangent (x y : real) : x <= y ->
  `|normal_below s m y - normal_below s m x - normal_density s m x * (y - x)| <= (s * s)^-1 * (y - x) ^+ 2.
Proof.
move=> le; have le' : Rle x y by exact/RleP.
have [z [[/RleP xz /RleP zy] e]] := normal_mean s m s0' x y le'.
have {}e : normal_below s m y - normal_below s m x = normal_density s m z * (y - x) := e; rewrite e.
rewrite -mulrBl normrM [`|y - x|]ger0_norm ?subr_ge0 // expr2 mulrA ler_wpmul2r ?subr_ge0 //.
apply: le_trans (normal_steady z x) _; rewrite ler_wpmul2l ?invr_ge0 ?mulr_ge0 ?(ltW s0) //.
have zx : 0 <= z - x by rewrite subr_ge0.
by rewrite ger0_norm // ler_sub.
Qed.

(** The half-line up to c. *)
Lemma normal_half c : chance P `]-oo, c]%classic = normal_below s m c.
Proof.
apply: (half_line length_piece hP (slope := (s * s)^-1)).
- by rewrite invr_ge0 mulr_ge0 // ltW.
- exact: normal_steady.
- exact: normal_tangent.
- move=> e /RltP e0; have [n [_ far]] := normal_ends s m s0' e e0; exists n => x /RleP nx.
  by have [/RleP low /RleP high] := far x nx.
Qed.
End One.

(** No event tells two laws of the same noise apart by more than the profile. *)
Lemma normal_laws_close s a b P Q epsilon A : 0 < s -> a < b -> normal_law s a P -> normal_law s b Q ->
  measurable A -> chance P A <= exp epsilon * chance Q A + G ((b - a) / s) epsilon.
Proof.
move=> s0 ab hP hQ mA; have s0' : Rlt R0 s by exact/RltP. have ab' : Rlt a b by exact/RltP.
have e0 : 0 <= exp epsilon by exact: (ltW (exp_gt0 _)).
pose c := ratio_end s a b epsilon; have mH : measurable (`]-oo, c]%classic : set real) := measurable_itv _.
have := @best_event _ _ _ length P Q _ _ (exp epsilon) A _ e0 hP hQ mA mH.
rewrite (normal_half s0 hP) (normal_half s0 hQ) => best; rewrite -ler_subl_addl /G divr_gt0 ?subr_gt0 //.
have me : Rdiv (b - a) s = (b - a) / s by rewrite /Rdiv RinvE ?gt_eqF.
have := ratio_profile s a b epsilon s0' ab'; rewrite me => <-.
apply: best => x; rewrite /= in_itv /=.
  by move/RleP/(ratio_inside s a b epsilon s0' ab')/RleP.
by move/negP; rewrite -ltNge => /ltW/RleP/(ratio_outside s a b epsilon s0' ab')/RleP.
Qed.

Lemma chance_complement (P : {measure set real -> \bar real}) A : P setT = 1%E -> measurable A ->
  chance P (~` A) = 1 - chance P A.
Proof.
move=> P1 mA; have := chance_parts P1 measurableT mA; rewrite !setTI /chance P1 /= => ->.
by rewrite addrAC subrr add0r.
Qed.

Lemma turned_back (F : numDomainType) (x p q g : F) : x * (1 - p) <= 1 - q + x * g -> q <= x * p + (1 - x + x * g).
Proof. by rewrite -subr_ge0 -[_ <= x * p + _]subr_ge0 => h; rewrite (_ : _ - q = 1 - q + x * g - x * (1 - p)) //; ring. Qed.

Lemma normal_laws_close_back s a b P Q epsilon A : 0 < s -> a < b -> normal_law s a P -> normal_law s b Q ->
  measurable A -> chance Q A <= exp epsilon * chance P A + G ((b - a) / s) epsilon.
Proof.
move=> s0 ab hP hQ mA; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ).
have := normal_laws_close (- epsilon) s0 ab hP hQ (measurableC mA).
rewrite !chance_complement // => h.
have mu0 : 0 < (b - a) / s by rewrite divr_gt0 // subr_gt0.
have -> : G ((b - a) / s) epsilon = 1 - exp epsilon + exp epsilon * G ((b - a) / s) (- epsilon).
  by rewrite /G mu0; exact: ProfileReflection.profile_reflect.
have e1 : exp epsilon * exp (- epsilon) = 1 by rewrite -expD subrr exp_0.
have e0 : 0 < exp epsilon := exp_gt0 _.
apply: turned_back; have := ler_wpmul2l (ltW e0) h.
by rewrite [X in _ <= X]mulrDr [X in _ <= X + _]mulrA e1 mul1r.
Qed.

(** They satisfy mu-Gaussian DP, whatever finite function of the number is told. *)
Theorem normal_laws_satisfy s a b P Q : 0 < s -> a != b -> normal_law s a P -> normal_law s b Q ->
  in_parts (satisfies RulesGaussian.G) (Gaussian (`|b - a| / s)) P Q.
Proof.
wlog ab : a b P Q / a < b.
  move=> h s0 ne hP hQ; have [lt|lt|e] := ltgtP a b; [exact: h|..|by rewrite e eqxx in ne].
  rewrite distrC; have [Q1 P1 k] := h b a Q P lt s0 (negbT (lt_eqF lt)) hQ hP; split=> // F f rf.
  exact/satisfies_sym/k.
move=> s0 _ hP hQ; have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ); rewrite gtr0_norm ?subr_gt0 //.
have close epsilon : close_on_events (exp epsilon : real) (G ((b - a) / s) epsilon) P Q.
  move=> A mA; rewrite !(chanceE P1) // !(chanceE Q1) // -!EFinM -!EFinD !lee_fin.
  by split; [exact: normal_laws_close|exact: normal_laws_close_back].
split=> // F f rf; have parts epsilon := proj1 (close_in_parts _ _ P1 Q1) (close epsilon).
split; [by have [_ _ /(_ F f rf)[]] := parts 0|by have [_ _ /(_ F f rf)[]] := parts 0|].
by move=> epsilon; have [_ _ /(_ F f rf)[]] := parts epsilon.
Qed.
End Laws.
