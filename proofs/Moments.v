(** Moments of mechanisms, and of their adaptive compositions.

    The moment sum_y P(y)^alpha Q(y)^(1 - alpha) of a composition is at most the product of bounds
    of the mechanisms' moments ([composition_moment]; Mironov 2017, Proposition 1), and bounds its
    hockey-stick divergence ([moment_divergence]; Canonne, Kamath, Steinke 2020, Proposition 12).
    Among (epsilon, 0)-DP mechanisms randomized response has the greatest ([response_dominates]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Global Arguments ln _%R.
Global Arguments response_moment _%R _%R.
Global Arguments log_conversion _%R.

Lemma expB (x y : R) : exp (x - y) = exp x / exp y.
Proof. by rewrite expD expN. Qed.

Lemma lnK (x : R) : 0 < x -> exp (ln x) = x.
Proof. by move=> /RltP; exact: exp_ln. Qed.

Section PowerTerm.
Variable a : R.
Hypothesis a1 : 1 < a.
Let a1' : (1 < a)%coqR. Proof. exact/RltP. Qed.
Implicit Types (p q e : R).

Lemma power_term_ge0 p q : 0 <= power_term a p q.
Proof. by rewrite /power_term; case: ifP => // _; exact: ltW (exp_gt0 _). Qed.

Lemma power_term_pos p q : 0 < p -> 0 < q -> power_term a p q = q * exp (a * (ln p - ln q)).
Proof.
move=> p0 q0; rewrite /power_term p0 -{2}(lnK q0) -expD; congr exp.
by rewrite mulrBl mul1r mulrBr; ring.
Qed.

(** Either both are positive, or p = 0. *)
Lemma supported p q : 0 <= p -> 0 <= q -> (q = 0 -> p = 0) -> p = 0 \/ 0 < p /\ 0 < q.
Proof.
rewrite le_eqVlt => /orP[/eqP <-|p0]; first by left.
rewrite le_eqVlt => /orP[/eqP <- /(_ erefl) p00|q0 _]; last by right.
by left.
Qed.

Lemma power_term0 q : power_term a 0 q = 0.
Proof. by rewrite /power_term ltxx. Qed.

Lemma power_termM p q p' q' : 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  0 <= p' -> 0 <= q' -> (q' = 0 -> p' = 0) ->
  power_term a (p * p') (q * q') = power_term a p q * power_term a p' q'.
Proof.
move=> p0 q0 s p0' q0' s'.
have [->|[pp qq]] := supported p0 q0 s; first by rewrite mul0r !power_term0 mul0r.
have [->|[pp' qq']] := supported p0' q0' s'; first by rewrite mulr0 !power_term0 mulr0.
rewrite /power_term pp pp' mulr_gt0 // -expD; congr exp.
have lnM x y : 0 < x -> 0 < y -> ln (x * y) = ln x + ln y by move=> /RltP ? /RltP ?; exact: ln_mult.
by rewrite !lnM // !mulrDr addrACA.
Qed.

Lemma power_term_divergence p q e : 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  pos (p - exp e * q) <= exp ((1 - a) * e + log_conversion a) * power_term a p q.
Proof.
move=> p0 q0 s; have [->|[pp qq]] := supported p0 q0 s.
  by rewrite power_term0 mulr0 sub0r pos_0 // oppr_le0 mulr_ge0 // ltW // exp_gt0.
rewrite power_term_pos //; set u := ln p - ln q.
have -> : p - exp e * q = q * (exp u - exp e).
  by rewrite mulrBr expB !lnK // mulrCA divff ?gt_eqF // mulr1 [q * _]mulrC.
rewrite posM // mulrCA -expD ler_pmul2l //; apply: pos_le; last exact: ltW (exp_gt0 _).
rewrite [_ + a * u]addrC addrA; apply/RleP; exact: conversion.
Qed.

(** The chord of x^alpha between e^-epsilon and e^epsilon. *)
Lemma power_term_chord p q e : 0 <= p -> 0 <= q -> p <= exp e * q -> q <= exp e * p ->
  power_term a p q * (exp e - exp (- e)) <=
  (p - exp (- e) * q) * exp (a * e) + (exp e * q - p) * exp (- (a * e)).
Proof.
move=> p0 q0 pq qp; have [p00|[pp qq]] : p = 0 \/ 0 < p /\ 0 < q.
- by apply: supported => // q00; apply/eqP; rewrite eq_le p0 andbT; move: pq; rewrite q00 mulr0.
- have -> : q = 0 by apply/eqP; rewrite eq_le q0 andbT; move: qp; rewrite p00 mulr0.
  by rewrite p00 power_term0 !mulr0 mul0r subr0 !mul0r addr0.
rewrite power_term_pos //; set u := ln p - ln q.
have e1 : p = q * exp u by rewrite expB !lnK // mulrC divfK ?gt_eqF.
have u1 : u <= e by rewrite -exp_le -(ler_pmul2l qq) -e1 mulrC.
have u0 : - e <= u.
  by rewrite -exp_le -(ler_pmul2l qq) -e1 expN ler_pdivr_mulr ?exp_gt0 // mulrC.
have := @chord a e u a1' (conj (RleP _ _ u0) (RleP _ _ u1)) => /RleP h.
rewrite -mulrA e1.
have -> : (q * exp u - exp (- e) * q) * exp (a * e) + (exp e * q - q * exp u) * exp (- (a * e)) =
  q * ((exp u - exp (- e)) * exp (a * e) + (exp e - exp u) * exp (- (a * e))).
  rewrite mulrDr !mulrA; congr (_ * _ + _ * _); rewrite mulrBr; congr (_ - _); exact: mulrC.
by rewrite ler_pmul2l.
Qed.
End PowerTerm.

Section Moments.
Variables (a : R) (a1 : 1 < a).

Lemma moment_divergence (Y : finType) (P Q : Y -> R) m e : distribution P -> distribution Q ->
  moment_at_most a m P Q ->
  hockey_stick 1 (exp e) P Q <= exp ((1 - a) * e + log_conversion a) * m.
Proof.
move=> [P0 _] [Q0 _] [s h].
apply: (@le_trans _ _ (exp ((1 - a) * e + log_conversion a) * \sum_y power_term a (P y) (Q y))).
  by rewrite mulr_sumr; apply: ler_sum => y _; rewrite mul1r; exact: power_term_divergence (s y).
by rewrite ler_pmul2l ?exp_gt0.
Qed.

Lemma hockey_stick_le1 (Y : finType) (P Q : Y -> R) E : distribution P -> distribution Q -> 0 <= E ->
  hockey_stick 1 E P Q <= 1.
Proof.
move=> [P0 P1] [Q0 _] E0; rewrite -[X in _ <= X]P1; apply: ler_sum => y _.
by rewrite mul1r; apply: pos_le => //; rewrite ler_subl_addr ler_addl mulr_ge0.
Qed.

Lemma moment_pair (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) m m' :
  distribution P -> distribution Q -> (forall y, distribution (P' y)) ->
  (forall y, distribution (Q' y)) -> 0 <= m' ->
  moment_at_most a m P Q -> (forall y, moment_at_most a m' (P' y) (Q' y)) ->
  moment_at_most a (m * m') (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2).
Proof.
move=> [P0 _] [Q0 _] dP' dQ' m'0 [s h] H; split=> [[y z] /= /eqP|].
  rewrite mulf_eq0 => /orP[/eqP/s ->|/eqP q0]; first by rewrite mul0r.
  by have [s' _] := H y; rewrite s' // mulr0.
rewrite -(pair_bigA _ (fun y z => power_term a (P y * P' y z) (Q y * Q' y z))) /=.
apply: le_trans (_ : \sum_y power_term a (P y) (Q y) * m' <= _).
  apply: ler_sum => y _; have [s' h'] := H y; have [P0' _] := dP' y; have [Q0' _] := dQ' y.
  under eq_bigr => z _ do rewrite (power_termM a (P0 y) (Q0 y) (s y) (P0' z) (Q0' z) (s' z)).
  by rewrite -mulr_sumr ler_wpmul2l // power_term_ge0.
by rewrite -mulr_suml ler_wpmul2r.
Qed.

Lemma moment_self (Y : finType) (P : Y -> R) : distribution P -> moment_at_most a 1 P P.
Proof.
move=> [P0 P1]; split=> //; rewrite -P1; apply: ler_sum => y _.
have [->|[p _]] := supported (P0 y) (P0 y) id; first by rewrite power_term0.
by rewrite power_term_pos // subrr mulr0 exp_0 mulr1.
Qed.

Lemma response_dominates (Y : finType) (P Q : Y -> R) e : 0 <= e -> dp_pair (exp e) 0 P Q ->
  moment_at_most a (response_moment a e) P Q.
Proof.
move=> e0 [dP dQ [h1 h2]].
have single (f : Y -> R) y : \sum_(z in [set y]) f z = f y by rewrite big_set1.
have PQ y : P y <= exp e * Q y by move: (h1 [set y]); rewrite !single addr0.
have QP y : Q y <= exp e * P y by move: (h2 [set y]); rewrite !single addr0.
have [P0 P1] := dP; have [Q0 Q1] := dQ.
move: e0; rewrite le_eqVlt => /orP[/eqP e00|e0].
  have -> : response_moment a e = 1.
    by rewrite -e00; exact: response_moment_0.
  have e1 y : P y = Q y.
    by apply/eqP; move: (PQ y) (QP y); rewrite eq_le -e00 exp_0 !mul1r => -> ->.
  have [s h] := moment_self dP; split=> [y <- //|].
  by under eq_bigr do rewrite -e1.
split=> [y q0|]; first by apply/eqP; rewrite eq_le P0 andbT; move: (PQ y); rewrite q0 mulr0.
have E0 : 0 < exp e - exp (- e).
  by rewrite subr_gt0 ltNge exp_le -ltNge; apply: lt_trans (e0); rewrite oppr_lt0.
rewrite -(ler_pmul2r E0) mulr_suml.
apply: le_trans (_ : \sum_y ((P y - exp (- e) * Q y) * exp (a * e) + (exp e * Q y - P y) * exp (- (a * e))) <= _).
  by apply: ler_sum => y _; exact: power_term_chord (PQ y) (QP y).
rewrite big_split /= -!mulr_suml !sumrB -!mulr_sumr P1 Q1 !mulr1.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: chord_response; exact/RltP.
Qed.
End Moments.
