(** Hoeffding's bound of the divergence of composed randomized responses. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Composition Reals Rules Hoeffding.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The mean of a loss, epsilon tanh(epsilon/2). *)
Definition mean_loss (e : R) : R := (e * ((1 - exp (- e)) / (1 + exp (- e))))%R.

Lemma one_add_exp_neq0 e : 1 + exp e != 0 :> R.
Proof. by rewrite gt_eqF // ltr_spaddl ?ltr01 ?(ltW (exp_gt0 _)). Qed.

Lemma hoeffding_rr (e h : R) : 0 <= e -> 0 <= h ->
  exp (e + h * e) + exp (- (h * e)) <= (1 + exp e) * exp (h * mean_loss e + (h * e) ^+ 2 / 2%:R).
Proof.
move=> e0 h0; have E0 : 0 < 1 + exp e by rewrite ltr_spaddl ?ltr01 ?(ltW (exp_gt0 _)).
have p0 : 0 < exp e / (1 + exp e) by rewrite divr_gt0 ?exp_gt0.
have q0 : 0 < 1 / (1 + exp e) by rewrite divr_gt0 ?ltr01.
have pq : exp e / (1 + exp e) + 1 / (1 + exp e) = 1 by field; exact: one_add_exp_neq0.
have two : IZR 2 = 2%:R by [].
have he0 : 0 <= h * e by rewrite mulr_ge0.
have /RleP := hoeffding _ _ (elimT (RltP _ _) p0) (elimT (RltP _ _) q0) pq _ (elimT (RleP _ _) he0).
rewrite !(RplusE, RmultE, RminusE, RoppE) RdivE ?two ?pnatr_eq0 // => H.
have E1 := one_add_exp_neq0 e; have E2 := exp_neq0 e.
have -> : exp (e + h * e) + exp (- (h * e)) =
    (1 + exp e) * (exp e / (1 + exp e) * exp (h * e) + 1 / (1 + exp e) * exp (- (h * e))).
  by rewrite expD; move: (exp e) (exp (h * e)) (exp (- (h * e))) E1 => E a b E1; field.
rewrite ler_pmul2l //; apply: le_trans H _; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr exp.
by rewrite /mean_loss expN; move: (exp e) E1 E2 => E E1 E2; field; rewrite E2 addrC.
Qed.

Lemma positive_part_le h x y : 0 <= h ->
  (1 + h) * pos (exp x - exp y) <= exp (x + h * (x - y)).
Proof.
move=> h0; have h1 : 0 <= 1 + h by rewrite addr_ge0 ?ler01.
rewrite -posM // pos_le ?(ltW (exp_gt0 _)) //.
have -> : exp x - exp y = exp x * (1 - exp (- (x - y))).
  by rewrite mulrBr mulr1 -expD opprB addrCA subrr addr0.
rewrite mulrCA expD ler_pmul2l ?exp_gt0 //.
exact/RleP/positive_part_exponential/RleP.
Qed.

(** Sums over the ledger's epsilons. *)
Definition mean_losses (es : seq R) : R := \sum_(e <- es) mean_loss e.
Definition squares (es : seq R) : R := \sum_(e <- es) e ^+ 2.

Lemma subset_sum_hoeffding h es x y : 0 <= h -> all (fun e => 0 <= e) es ->
  (1 + h) * subset_sum [seq exp e | e <- es] (exp x) (exp y) <=
  (\prod_(e <- es) (1 + exp e)) *
    exp (x + h * (x - y) + h * mean_losses es + h ^+ 2 * squares es / 2%:R).
Proof.
move=> h0; rewrite /mean_losses /squares; elim: es x y => [|e es IH] x y /=.
  by rewrite !big_nil mul1r !mulr0 mul0r !addr0 => _; exact: positive_part_le.
case/andP=> e0 es0; rewrite !big_cons; set M := \sum_(e <- es) _; set V := \sum_(e <- es) _.
rewrite mulrDr -!expD; apply: le_trans (ler_add (IH _ _ es0) (IH _ _ es0)) _; rewrite -/M -/V.
rewrite -mulrDr [X in _ <= X]mulrAC [X in _ <= X]mulrC ler_wpmul2l //.
  by apply: prodr_ge0 => i _; rewrite addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
set c := x + h * (x - y) + h * M + h ^+ 2 * V / 2%:R.
have -> : x + e + h * (x + e - y) + h * M + h ^+ 2 * V / 2%:R = c + (e + h * e) by rewrite /c; ring.
have -> : x + h * (x - (y + e)) + h * M + h ^+ 2 * V / 2%:R = c + (- (h * e)) by rewrite /c; ring.
have -> : x + h * (x - y) + h * (mean_loss e + M) + h ^+ 2 * (e ^+ 2 + V) / 2%:R =
    c + (h * mean_loss e + (h * e) ^+ 2 / 2%:R) by rewrite /c; ring.
by rewrite !(expD c) -mulrDr mulrCA ler_pmul2l ?exp_gt0 // hoeffding_rr.
Qed.

(** With upper bounds [M] of the mean and [V] of the sum of squares, h = (epsilon - M)/V. *)
Theorem divergence_hoeffding es epsilon M V : all (fun e => 0 <= e) es ->
  mean_losses es <= M -> squares es <= V -> 0 < V -> M <= epsilon ->
  divergence [seq exp e | e <- es] (exp epsilon) <=
  exp (- ((epsilon - M) ^+ 2 / (2%:R * V))) / (1 + (epsilon - M) / V).
Proof.
move=> es0 hM hV V0 eM; set h := (epsilon - M) / V.
have h0 : 0 <= h by rewrite divr_ge0 ?(ltW V0) ?subr_ge0.
have h1 : 0 < 1 + h by rewrite ltr_spaddl ?ltr01.
rewrite ler_pdivl_mulr // mulrC /divergence mulrCA.
have P0 : 0 < \prod_(e <- es) (1 + exp e).
  by apply: prodr_gt0 => e _; rewrite ltr_spaddl ?ltr01 ?(ltW (exp_gt0 _)).
rewrite big_map mulrC ler_pdivr_mulr //.
have := subset_sum_hoeffding 0 epsilon h0 es0; rewrite (exp_0 : exp 0 = 1) => H.
apply: le_trans H _; rewrite [X in _ <= X]mulrC ler_pmul2l // exp_le add0r sub0r.
have hm : h * mean_losses es <= h * M by rewrite ler_wpmul2l.
have hv : h ^+ 2 * squares es / 2%:R <= h ^+ 2 * V / 2%:R.
  by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_wpmul2l // exprn_ge0.
apply: le_trans (ler_add (ler_add (lexx _) hm) hv) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /h; field; exact: lt0r_neq0.
Qed.
