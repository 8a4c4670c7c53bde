(** Group privacy: n changes of a database in a row.

    If P_0, P_1, ... are the outputs on databases of which each is a neighbour of the next, and
    neighbours are (E, d)-indistinguishable, then P_0 and P_n are (E^n, d (1 + E + ... + E^{n-1}))-
    indistinguishable. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Groups.
Variables (R : realFieldType) (Y : finType) (E d : R).
Hypothesis E0 : 0 <= E.

Let chain (P : nat -> Y -> R) n : (forall i, (i < n)%N -> indistinguishable E d (P i) (P i.+1)) ->
  forall S : {set Y}, \sum_(y in S) P 0%N y <=
    E ^+ n * (\sum_(y in S) P n y) + d * \sum_(i < n) E ^+ i.
Proof.
elim: n P => [|n IH] P H S; first by rewrite big_ord0 mulr0 addr0 mul1r.
have [h _] := H 0%N isT; apply: le_trans (h S) _.
apply: (@le_trans _ _ (E * (E ^+ n * (\sum_(y in S) P n.+1 y) + d * \sum_(i < n) E ^+ i) + d)).
  rewrite ler_add2r ler_wpmul2l //; by apply: (IH (fun i => P i.+1)) => i lt; exact: (H i.+1).
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite big_ord_recl expr0 /= exprS.
have -> : \sum_(i < n) E ^+ bump 0 i = E * \sum_(i < n) E ^+ i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite -exprS.
by set s := \sum_(y in S) _; set g := \sum_(i < n) _; ring.
Qed.

Theorem group_privacy (P : nat -> Y -> R) n :
  (forall i, (i < n)%N -> indistinguishable E d (P i) (P i.+1)) ->
  indistinguishable (E ^+ n) (d * \sum_(i < n) E ^+ i) (P 0%N) (P n).
Proof.
move=> H; split; first exact: chain.
move=> S; have := @chain (fun i => P (n - i)%N) n _ S; rewrite /= subn0 subnn; apply=> i lt.
have lt' : (n - i.+1 < n)%N by rewrite ltn_subrL (leq_ltn_trans (leq0n i) lt).
by have [h1 h2] := H _ lt'; move: h1 h2; rewrite subnSK.
Qed.
End Groups.
