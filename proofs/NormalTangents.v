(** Cells of the normal law between given losses, from the tangents of its profile (Tangents.v): the
    events that the loss is above each are half-lines, which no half-line does better than
    ([profile_event], Neyman & Pearson). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions Moments RulesGaussian NormalCurve CellsOfNormal.
From ExactDP Require Import NoiseLedgers NoiseTests Tangents TangentPairs ProfileShape ProfileOfMu ProfileReflection.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Notation Phi := Normal.Phi.

Definition normal_tails (mu l : R) : R * R :=
  (Phi (mu / 2%:R - l / mu)%R, Phi (- (mu / 2%:R) - l / mu)%R).

Section Tangent.
Variable mu : R.
Hypothesis mu0 : 0 < mu.

Lemma normal_line (a b l : R) : 0 <= a -> 0 <= b -> line a b (normal_tails mu l) <= curve mu a b.
Proof.
move=> /RleP a0 /RleP b0; apply/RleP; rewrite /line /normal_tails /=.
have m0 : (0 <= mu)%coqR by apply/RleP; exact: ltW.
pose x : R := - (mu / 2%:R) - l / mu.
have e : (x + mu)%coqR = mu / 2%:R - l / mu by rewrite RplusE /x; field; rewrite gt_eqF.
by have := curve_event mu m0 a b x a0 b0; rewrite e.
Qed.

Lemma normal_touch l : line 1 (exp l) (normal_tails mu l) = Normal.profile mu l.
Proof.
rewrite /line /Normal.profile mul1r /=.
have -> : (mu / 2)%coqR = mu / 2%:R by rewrite RdivE // (_ : IZR 2 = 2%:R) // pnatr_eq0.
by rewrite RdivE ?gt_eqF.
Qed.

Lemma normal_below (x l : R) : line 1 (exp x) (normal_tails mu l) <= Normal.profile mu x.
Proof.
have e0 := ltW (exp_gt0 x); apply: le_trans (normal_line l ler01 e0) _.
by rewrite curve_profile ?ltr01 ?exp_gt0 // mul1r divr1 ln_exp /G mu0.
Qed.

Variable ls : seq R.
Hypothesis rises : sorted <%R ls.
Let cut := cuts_at (normal_tails mu) ls.

Lemma normal_apart : ordered 0 certain cut.
Proof.
have m0 : (0 < mu)%coqR by exact/RltP.
have inside x : 0 <= Phi x <= 1.
  by have [/RltP/ltW -> /RltP/ltW ->] := Phi_inside x.
apply: (cuts_apart (D := predT)) rises (all_predT _) => [l x _ _|l _]; first by rewrite normal_touch; exact: normal_below.
rewrite normal_touch /=; split; rewrite ?inside //.
- by have /andP[] := inside (mu / 2%:R - l / mu).
- exact/RleP/Rlt_le/profile_pos.
exact/RleP/Rlt_le/profile_of_equals.
Qed.

Theorem normal_cells_below (a b : R) : 0 <= a -> 0 <= b ->
  \sum_(x <- cells certain (unzip2 cut)) pos (a * x.1 - b * x.2) <= curve mu a b.
Proof.
move=> a0 b0; apply: (cells_below _ normal_apart) => //.
- exact: CellsOfNormal.curve_ge0.
- by rewrite /line !mulr1; apply: CellsOfNormal.curve_ge => //; exact: ltW.
by rewrite all_map; apply/allP => l _ /=; exact: normal_line.
Qed.

Theorem normal_drawn : drawn (OfNotion (Gaussian mu)) (cells certain (unzip2 cut)).
Proof.
have [dp dq] := cells_distributions normal_apart; split=> //; split=> // e; set t := cells _ _.
have E (a b : R) : a = 1 -> b = exp e -> hockey_stick a b (@law_with t) (@law_without t) <= curve mu 1 (exp e).
  move=> -> ->; rewrite /hockey_stick (sum_of_table (fun p q => pos (1 * p - exp e * q))).
  by apply: normal_cells_below; [exact: ler01|exact: ltW (exp_gt0 e)].
have GE : curve mu 1 (exp e) = G mu e by rewrite curve_profile ?ltr01 ?exp_gt0 // mul1r divr1 ln_exp.
split; apply/events_hockey_stick; rewrite -GE; first exact: E.
apply: (cells_stick_back normal_apart (ltW (exp_gt0 e))).
- by apply: CellsOfNormal.curve_ge; do ?[exact: ler01|exact: ltW (exp_gt0 e)|exact: ltW mu0].
- exact: CellsOfNormal.curve_ge0.
rewrite all_map; apply/allP => l _ /=; apply: le_trans (normal_line l (ltW (exp_gt0 e)) ler01) _.
rewrite curve_profile ?ltr01 ?exp_gt0 // GE /G mu0 (_ : ln (1 / exp e) = - e); last by rewrite mul1r -expN ln_exp.
have -> : Normal.profile mu e = 1 - exp e + exp e * Normal.profile mu (- e) := profile_reflect mu e.
have cancel (u v : R) : (u - 1 + (1 - u + v))%R = v by ring.
by rewrite cancel.
Qed.
End Tangent.
