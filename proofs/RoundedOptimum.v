(** Theorem 1.7 of the paper, for the multiple of ln(1 + beta) that its algorithm finds.

    The least multiple that is enough for the rounded parameters is enough for the parameters
    themselves, and it is below epsilon + eta for every epsilon that is enough for
    e^{-eta/2} delta: OptComp(delta) <= epsilon* < OptComp(e^{-eta/2} delta) + eta. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Composition OptComp Reals Rules Rounding.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section RoundedOptimum.
Variable beta : R.
Hypothesis beta0 : 0 < beta.
Let unit := ln (1 + beta)%R.
Variable L : seq (R * R * nat).
Hypothesis P : proper [seq x.1 | x <- L].
Hypothesis multiples : forall x, x \in L -> multiple_of beta x.1.1 x.2.
Let rounded := [seq (unit *+ x.2, x.1.2) | x <- L].

Theorem theorem_1_7 epsilon eta delta : 0 <= epsilon -> 0 <= delta ->
  \sum_(x <- L) beta * (x.1.1 + 1) + beta <= eta ->
  upper [seq x.1 | x <- L] epsilon (exp (- (eta / 2%:R)) * delta) ->
  exists n, [/\ upper rounded (unit *+ n) delta,
    forall m, upper rounded (unit *+ m) delta -> (n <= m)%N,
    upper [seq x.1 | x <- L] (unit *+ n) delta & unit *+ n < epsilon + eta].
Proof.
move=> e0 d0 eta_le h.
have /andP[u_lo u_hi] := unit_bounds beta0; rewrite -/unit in u_lo u_hi.
have u0 : 0 < unit by apply: lt_le_trans u_lo; rewrite divr_gt0 // addr_gt0 ?ltr01.
have Px x : x \in L -> 0 <= x.1.1 /\ 0 <= x.1.2 < 1.
  by move=> xL; have /andP[] := allP P x.1 (map_f _ xL).
have P' : proper rounded.
  by apply/allP => p /mapP[x /Px[_ d] ->] /=; rewrite d andbT mulrn_wge0 // ltW.
have close := theorem_1_7_close beta0 P multiples e0 d0 eta_le h; rewrite -/rounded in close.
have mono x y : x <= y -> upper rounded x delta -> upper rounded y delta.
  move=> xy /(upper_iff P') hx; apply/(upper_iff P'); apply: le_trans hx.
  by apply: divergence_antitone; [exact: exps_ge0|rewrite exp_le].
pose enough n := divergence [seq exp e | e <- epsilons rounded] (exp (unit *+ n)) <= slack rounded delta.
have enoughP n : reflect (upper rounded (unit *+ n) delta) (enough n).
  by apply: (iffP idP) => /(upper_iff P').
have ex : exists n, enough n.
  exists (Num.bound ((epsilon + (eta - beta)) / unit)).
  apply/enoughP; apply: mono close; rewrite -[_ *+ _]mulr_natl -ler_pdivr_mulr //.
  apply: ltW; apply: archi_boundP; rewrite divr_ge0 ?(ltW u0) //.
  rewrite addr_ge0 // subr_ge0; apply: le_trans eta_le; rewrite ler_addr big_seq.
  by apply: sumr_ge0 => x /Px[e _]; rewrite mulr_ge0 ?addr_ge0 ?ler01 // ltW.
case: (ex_minnP ex) => n /enoughP n_enough least; exists n; split=> //.
- by move=> m /enoughP; exact: least.
- exact: (theorem_1_7_sound beta0 P multiples n_enough).
have top0 : 0 < eta.
  apply: lt_le_trans eta_le; rewrite ltr_paddl // big_seq.
  by apply: sumr_ge0 => x /Px[e _]; rewrite mulr_ge0 ?addr_ge0 ?ler01 // ltW.
case: n {n_enough} least => [|n] least; first by rewrite mulr0n ltr_paddl.
have lt : unit *+ n < epsilon + (eta - beta).
  rewrite ltNge; apply/negP => /mono/(_ close)/enoughP/least; by rewrite ltnn.
rewrite mulrS addrC; apply: lt_le_trans (_ : epsilon + (eta - beta) + unit <= _).
  by rewrite ltr_add2r.
by rewrite -addrA ler_add2l -addrA ger_addl addrC subr_le0.
Qed.
End RoundedOptimum.
