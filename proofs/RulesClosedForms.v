(** Advanced composition, as the field quotes it: no rule of certificates, and a theorem all the same.
    It rests on Hoeffding's bound of the divergence. *)
From Coq Require Import Reals Lia.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Composition OptComp Reals Rules HoeffdingDivergence.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Global Arguments sqrt _%R.
Global Arguments ln _%R.

Lemma sqrt_ge0 x : 0 <= sqrt x. Proof. exact/RleP/sqrt_pos. Qed.

Lemma sqr_sqrt_le x s : sqrt x <= s -> x <= s ^+ 2.
Proof.
move=> xs; case: (leP 0 x) => [x0|/ltW x0]; last exact: le_trans x0 (sqr_ge0 _).
rewrite -(sqrt_sqrt x (elimT (RleP _ _) x0)) expr2; apply: ler_pmul => //; exact: sqrt_ge0.
Qed.

(** Hoeffding's exponential is at most 1/X. *)
Lemma tail_le (V X s : R) : 0 < V -> 0 < X -> 2%:R * V * ln X <= s ^+ 2 ->
  exp (- (s ^+ 2 / (2%:R * V))) <= X^-1.
Proof.
move=> V0 X0 h.
rewrite -[X in _ <= X^-1](exp_ln X (elimT (RltP _ _) X0)) -expN exp_le ler_opp2.
by rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mulrC.
Qed.

Lemma epsilons_ge0 L : proper L -> all (fun e => 0 <= e) (epsilons L).
Proof. by move=> P; rewrite all_map; apply: sub_all P => p /andP[]. Qed.

(** Where all epsilons are 0, so is the divergence. *)
Lemma divergence_squares0 es epsilon : all (fun e => 0 <= e) es -> squares es <= 0 -> 0 <= epsilon ->
  divergence [seq exp e | e <- es] (exp epsilon) = 0.
Proof.
move=> es0 V0 e0; have /eqP V : squares es == 0.
  by rewrite eq_le V0 sumr_ge0 // => i _; rewrite sqr_ge0.
rewrite divergence_eq0 ?(ltW (exp_gt0 _)) //.
  by rewrite all_map; apply: sub_all es0 => e /=; rewrite exp_ge1.
rewrite prod_exps exp_le; suff -> : \sum_(e <- es) e = 0 by [].
move: V es0; rewrite /squares; elim: es {V0} => [|e es IH]; first by rewrite !big_nil.
rewrite !big_cons => /eqP + /andP[_ es0].
rewrite paddr_eq0 ?sqr_ge0 ?sumr_ge0 // => [/andP[]|i _]; last exact: sqr_ge0.
by rewrite expf_eq0 /= => /eqP -> /eqP/IH -> //; rewrite addr0.
Qed.

Lemma mean_loss_ge0 e : 0 <= e -> 0 <= mean_loss e.
Proof.
move=> e0; have l : exp (- e) <= 1 by rewrite -[X in _ <= X]exp_0 exp_le oppr_le0.
by rewrite mulr_ge0 // divr_ge0 ?subr_ge0 // addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
Qed.

Lemma mean_losses_ge0 es : all (fun e => 0 <= e) es -> 0 <= mean_losses es.
Proof.
by move=> /allP es0; rewrite /mean_losses big_seq sumr_ge0 // => e /es0/mean_loss_ge0.
Qed.

Section ClosedForms.
Variable L : ledger.
Hypothesis P : proper L.
Implicit Types epsilon delta : R.

(** For any e and d that no parameter exceeds. *)
Lemma prod_one_sub (ds : seq R) d : all (fun x => 0 <= x < 1) ds -> all (fun x => x <= d) ds ->
  1 - (size ds)%:R * d <= \prod_(x <- ds) (1 - x) <= 1.
Proof.
elim: ds => [|x ds IH] /=; first by rewrite big_nil mul0r subr0 lexx.
case/andP=> /andP[x0 x1] ds0 /andP[xd dsd]; rewrite big_cons.
have /andP[l u] := IH ds0 dsd; set p := \prod_(x <- ds) _ in l u *.
have p0 : 0 <= p.
  by rewrite /p big_seq prodr_ge0 // => y /(allP ds0)/andP[_ /ltW]; rewrite subr_ge0.
have px : x * p <= x by rewrite ler_pimulr.
have -> : (1 - x) * p = p - x * p by ring.
rewrite -addn1 natrD mulrDl mul1r opprD addrA ler_add ?ler_opp2 ?(le_trans px) //=.
by rewrite ler_subl_addr (le_trans u) // ler_addl mulr_ge0.
Qed.

Lemma mean_loss_le e e' : 0 <= e -> e <= e' -> mean_loss e <= e' * (exp e' - 1).
Proof.
move=> e0 ee; have E1 : 1 <= exp e by rewrite exp_ge1.
have EE : exp e <= exp e' by rewrite exp_le.
have -> : mean_loss e = e * ((exp e - 1) / (exp e + 1)).
  rewrite /mean_loss expN; have := exp_neq0 e; have := one_add_exp_neq0 e.
  by move: (exp e) => E h h'; field; rewrite h' addrC h.
apply: ler_pmul => //; first by rewrite divr_ge0 ?subr_ge0 // addr_ge0 ?ler01 // ltW ?exp_gt0.
rewrite ler_pdivr_mulr ?addr_gt0 ?exp_gt0 ?ltr01 //.
apply: (@le_trans _ _ (exp e' - 1)); first by rewrite ler_add2r.
by rewrite ler_pemulr ?subr_ge0 ?exp_ge1 ?(le_trans e0) // ler_addr ltW ?exp_gt0.
Qed.

Theorem rule_advanced_composition epsilon delta (e d : R) :
  0 <= e -> all (fun p : R * R => (p.1 <= e) && (p.2 <= d)) L ->
  let k : R := (size L)%:R in let rest := delta - k * d in
  0 < rest -> delta <= 1 ->
  e * (sqrt (2%:R * k * ln rest^-1) + k * (exp e - 1)) <= epsilon -> upper L epsilon delta.
Proof.
move=> e0 Led k rest rest0 delta1 h; apply/(upper_iff P).
have L0 := epsilons_ge0 P.
have sizeL : size (epsilons L) = size L by rewrite size_map.
have k0 : 0 <= k by rewrite ler0n.
have le_e : all (fun x => x <= e) (epsilons L).
  by rewrite all_map; apply: sub_all Led => p /andP[].
have sum_le (f : R -> R) c : (forall x, 0 <= x -> x <= e -> f x <= c) ->
    \sum_(x <- epsilons L) f x <= k * c.
  rewrite /k -sizeL => fc; elim: (epsilons L) L0 le_e => [|x es IH] /=; first by rewrite big_nil mul0r.
  case/andP=> x0 es0 /andP[xe ese]; rewrite big_cons -addn1 natrD mulrDl mul1r addrC.
  by rewrite ler_add ?IH ?fc.
set M := k * (e * (exp e - 1)); set V := k * e ^+ 2.
have hM : mean_losses (epsilons L) <= M by apply: sum_le => x x0 xe; exact: mean_loss_le.
have hV : squares (epsilons L) <= V.
  by apply: sum_le => x x0 xe; rewrite ler_pexpn2r ?nnegrE.
have M0 : 0 <= M by rewrite !mulr_ge0 // subr_ge0 exp_ge1.
have {}h : e * sqrt (2%:R * k * ln rest^-1) <= epsilon - M.
  by rewrite ler_subr_addr /M mulrCA -mulrDr.
have eM : M <= epsilon by rewrite -subr_ge0 (le_trans _ h) // mulr_ge0 // sqrt_ge0.
have slackP : rest <= slack L delta.
  have kd : all (fun x => 0 <= x < 1) [seq p.2 | p <- L].
    by rewrite all_map; apply: sub_all P => p /andP[].
  have dd : all (fun x => x <= d) [seq p.2 | p <- L].
    by rewrite all_map; apply: sub_all Led => p /andP[].
  have := prod_one_sub kd dd; rewrite size_map big_map -/k => /andP[lo hi].
  rewrite /slack ler_subr_addl -ler_subr_addr ler_pdivr_mulr ?kept_gt0 //.
  set p := \prod_(m <- L) _ in lo hi *.
  have p0 : 0 < p := kept_gt0 P.
  have kd0 : 0 <= k * d.
    rewrite /k; move: Led (P); case: (L) => [|m l] /=; first by rewrite mul0r.
    case/andP=> /andP[_ md] _ /andP[/andP[_ /andP[m0 _]] _].
    by rewrite mulr_ge0 ?ler0n // (le_trans m0).
  have r1 : rest <= 1 by rewrite (le_trans _ delta1) // ler_subl_addr ler_addl.
  apply: (@le_trans _ _ ((1 - rest) * (1 - k * d))); last by rewrite ler_wpmul2l ?subr_ge0.
  rewrite -subr_ge0; have -> : (1 - rest) * (1 - k * d) - (1 - delta) = rest * (k * d).
    by rewrite /rest; ring.
  by rewrite mulr_ge0 // ltW.
apply: le_trans slackP; case: (leP V 0) => [V0|V0].
  by rewrite divergence_squares0 ?(le_trans hV) ?(le_trans M0 eM) // ltW.
apply: le_trans (divergence_hoeffding L0 hM hV V0 eM) _.
have t0 : 0 <= (epsilon - M) / V by rewrite divr_ge0 ?subr_ge0 // ltW.
rewrite ler_pdivr_mulr ?ltr_spaddl ?ltr01 // -[X in X <= _]mulr1.
apply: ler_pmul; rewrite ?ler01 ?ler_addl ?(ltW (exp_gt0 _)) //.
rewrite -[X in _ <= X]invrK; apply: tail_le; rewrite ?invr_gt0 //.
set y := 2%:R * k * ln rest^-1 in h *.
have -> : 2%:R * V * ln rest^-1 = e ^+ 2 * y by rewrite /V /y; move: (ln _) => l; ring.
apply: (@le_trans _ _ ((e * sqrt y) ^+ 2)).
  by rewrite exprMn ler_wpmul2l ?sqr_ge0 ?sqr_sqrt_le.
by rewrite ler_pexpn2r ?nnegrE ?mulr_ge0 ?sqrt_ge0 // subr_ge0.
Qed.

End ClosedForms.
