(** The best order for concurrent composition (Vadhan & Wang, TCC 2021, Theorem 4.1).

    Their delta for the order sigma is sum_i e^{sum_{j<i} epsilon_sigma(j)} delta_sigma(i), and
    any order may be taken.  [best_order]: it is least for the order by delta_i/(e^{epsilon_i} - 1),
    largest first, those with epsilon_i = 0 before all others.  The theorem itself, about
    interactive mechanisms, is not formalised; this is the exchange argument for the order. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Order.
Variable R : realFieldType.
Implicit Types (x y : R * R) (l : seq (R * R)).

(** Pairs (E, delta); the delta of the concurrent composition in this order. *)
Fixpoint order_delta l : R := if l is (E, d) :: l' then d + E * order_delta l' else 0.

(** x may stand before y: delta_x/(E_x - 1) >= delta_y/(E_y - 1), without division. *)
Definition before x y := y.2 * (x.1 - 1) <= x.2 * (y.1 - 1).

Lemma order_delta_front x l1 l2 : all (fun y => 0 <= y.1) l1 -> all (before x) l1 ->
  order_delta (x :: l1 ++ l2) <= order_delta (l1 ++ x :: l2).
Proof.
case: x => E d; elim: l1 => [|[E' d'] l1 IH] //= /andP[E0 W] /andP[b B].
apply: (@le_trans _ _ (d' + E' * (d + E * order_delta (l1 ++ l2)))).
  move: b; rewrite /before /= => b; rewrite -subr_ge0.
  have -> : d' + E' * (d + E * order_delta (l1 ++ l2)) - (d + E * (d' + E' * order_delta (l1 ++ l2)))
    = d * (E' - 1) - d' * (E - 1) by set o := order_delta _; ring.
  by rewrite subr_ge0.
by rewrite ler_add2l ler_wpmul2l //; exact: IH.
Qed.

Theorem best_order l l' : all (fun y => 0 <= y.1) l -> pairwise before l -> perm_eq l l' ->
  order_delta l <= order_delta l'.
Proof.
elim: l l' => [|x l IH] l' W S p; first by move: p; rewrite perm_sym => /perm_nilP ->.
have xl' : x \in l' by rewrite -(perm_mem p) mem_head.
case/splitPr: xl' p => l1 l2 p.
have p' : perm_eq l (l1 ++ l2).
  by rewrite -(perm_cons x) (perm_trans p) // perm_catC /= perm_cons perm_catC.
move: W S => /= /andP[x0 W] /andP[xb S].
have sub y : y \in l1 -> y \in l by rewrite (perm_mem p') mem_cat => ->.
apply: (@le_trans _ _ (order_delta (x :: l1 ++ l2))); last apply: order_delta_front.
- by case: x {p xb} x0 => E d /= E0; rewrite ler_add2l ler_wpmul2l //; exact: IH.
- by apply/allP => y /sub; apply: (allP W).
- by apply/allP => y /sub; apply: (allP xb).
Qed.
End Order.
