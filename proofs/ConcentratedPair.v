(** Zero-concentrated mechanisms count as one (epsilon, delta)-DP mechanism beside others, whatever their
    order, if all their adaptive compositions are (epsilon, delta)-DP ([concentrated_as_pair]).

    Any other mechanism may be replaced by one law that is as bad, for every sublinear function ([replaced]);
    so its outputs may be drawn first (DrawnFirst.v), and what is left is a composition of concentrated
    mechanisms. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures.
From ExactDP Require Import RulesMixedWorkloads RulesGaussian NormalCurve NormalPairs.
From ExactDP Require Import CellsOfNormal GaussianComposition Sublinear DrawnFirst.
From ExactDP Require CheckerMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition third (n : notion) : bool := if n is Concentrated _ then true else false.

Definition others (ns : seq notion) := [seq n <- ns | ~~ third n].

Lemma satisfies_lawful n (Y : finType) (P Q : Y -> R) : satisfies G n P Q -> distribution P /\ distribution Q.
Proof. by case. Qed.

Lemma satisfies_alike n : proper_notion n -> satisfies G n (fun _ : unit => 1) (fun=> 1).
Proof.
move=> w; apply: (of_notion_alike CheckerMixedWorkloads.G_of_equals w).
by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
Qed.

Lemma padded_satisfies n (I : finType) (Y : I -> finType) (P Q : forall i, Y i -> R) i : third n ->
  (forall j, satisfies G n (P j) (Q j)) ->
  satisfies G n (padded P i) (padded Q i).
Proof.
move=> t h; split; try by apply: padded_distribution => j; case: (h j).
case: n t h => // rho _ h alpha a1; have [_ _ /(_ alpha a1)[m m']] := h i.
by split; exact: padded_moment.
Qed.
Lemma composed_mixed ns (Y : finType) (P Q : Y -> R) : composed_of (satisfies G) ns P Q ->
  mixed_composition G ns P Q.
Proof. by elim=> [|*]; [exact: MixedNil|exact: MixedCons]. Qed.

Lemma mixed_composed ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  composed_of (satisfies G) ns P Q.
Proof. by elim=> [|*]; [exact: ComposedNil|exact: ComposedCons]. Qed.

(** --- another mechanism is replaced by one law, for every function --- *)

Lemma replaced n : proper_notion n -> ~~ third n -> one_law_does (satisfies G) n.
Proof.
move=> w t f tau F t0; have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [D near] := sublinear_near F h0.
set D1 := @first_law _ D in near; set D2 := @second_law _ D in near.
have D0 k : 0 <= D1 k /\ 0 <= D2 k := laws_ge0 k.
suff [Z [A [B [s dom]]]] : exists (Z : finType) (A B : Z -> R), satisfies G n A B /\
    forall (Y : finType) (P Q : Y -> R), satisfies G n P Q -> forall a b : R, 0 <= a -> 0 <= b ->
    \sum_k hockey_stick (a * D1 k) (b * D2 k) P Q <=
    \sum_k hockey_stick (a * D1 k) (b * D2 k) A B + tau / 2%:R * (a + b).
  exists Z, A, B; split=> // Y P Q h a b a0 b0; have [[P0 P1] [Q0 Q1] _] := h; have [[A0 A1] [B0 B1] _] := s.
  apply: (@le_trans _ _ (\sum_y hockey_stick (a * P y) (b * Q y) D1 D2)).
    by apply: ler_sum => y _; case/andP: (near _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y))).
  rewrite hockey_stick_exchange; apply: le_trans (dom Y P Q h a b a0 b0) _.
  have half : tau = tau / 2%:R + tau / 2%:R by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0.
  rewrite {2}half mulrDl addrA ler_add2r hockey_stick_exchange.
  apply: (@le_trans _ _ (\sum_z (f (a * A z)%R (b * B z)%R + tau / 2%:R * (a * A z + b * B z)))).
    by apply: ler_sum => z _; case/andP: (near _ _ (mulr_ge0 a0 (A0 z)) (mulr_ge0 b0 (B0 z))).
  by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr A1 B1 !mulr1.
case: n w t => [x d|mu|rho] // w _.
  case/andP: w => x0 /andP[d0 d1]; have E1 : 1 <= exp x by rewrite exp_ge1.
  have [p q] := distribution_rr (ltW (exp_gt0 x)) d0 (ltW d1).
  exists _, (rr0 (exp x) d), (rr1 (exp x) d); split.
    by split=> //; apply: indistinguishable_rr => //; exact: ltW.
  move=> Y P Q [dP dQ i] a b a0 b0; apply: ler_paddr; first by rewrite mulr_ge0 ?addr_ge0 // ltW.
  apply: ler_sum => k _; have [k1 k2] := D0 k.
  by apply: rr_dominates; rewrite ?mulr_ge0 ?(ltW d1) //; split.
pose S : R := (1 + \sum_k (D1 k + D2 k))%R.
have S0 : 0 < S by rewrite ltr_spaddl ?ltr01 // sumr_ge0 // => k _; rewrite addr_ge0; case: (D0 k).
have [c [k [g cells]]] := cells_near w (divr_gt0 h0 S0).
exists _, (pair_cells c k mu), (pair_cells c k 0); split; first exact: cells_satisfy.
move=> Y P Q h a b a0 b0.
apply: (@le_trans _ _ (\sum_j (hockey_stick (a * D1 j) (b * D2 j) (pair_cells c k mu) (pair_cells c k 0) +
    tau / 2%:R / S * (a * D1 j + b * D2 j)))).
  apply: ler_sum => j _; have [j1 j2] := D0 j.
  apply: le_trans (weights_of_gaussian w h (mulr_ge0 a0 j1) (mulr_ge0 b0 j2)) _.
  have := cells 0 _ _ (lexx 0) (mulr_ge0 a0 j1) (mulr_ge0 b0 j2); rewrite both0 //.
  by under eq_bigr do rewrite curve_of_0.
rewrite big_split /= ler_add2l -mulr_sumr -mulrA ler_wpmul2l ?(ltW h0) // mulrC ler_pdivr_mulr //.
rewrite big_split /= -!mulr_sumr mulrDl.
have le (G : outputs D -> R) : (forall j, G j <= D1 j + D2 j) -> \sum_j G j <= S.
  by move=> GD; rewrite /S ler_paddl ?ler01 //; apply: ler_sum => j _; exact: GD.
by apply: ler_add; rewrite ler_wpmul2l //; apply: le => j; have [? ?] := D0 j; rewrite ?ler_addl ?ler_addr.
Qed.

Lemma filter_permutation (p : pred notion) ns ns' : Permutation ns ns' ->
  Permutation [seq n <- ns | p n] [seq n <- ns' | p n].
Proof.
elim=> [|n {}ns {}ns' _ IH|n n' {}ns|l1 l2 l3 _ h _ h'] /=.
- exact: Permutation_refl.
- by case: (p n) => //; exact: perm_skip.
- case: (p n); case: (p n'); first exact: perm_swap; exact: Permutation_refl.
- exact: Permutation_trans h h'.
Qed.

Theorem concentrated_as_pair ns e d epsilon delta : all proper_notion ns ->
  proper_notion (Approximate e d) -> mixed_upper G [seq n <- ns | third n] e d ->
  mixed_upper G (Approximate e d :: others ns) epsilon delta -> mixed_upper G ns epsilon delta.
Proof.
move=> W /= /and3P[e0 d0 d1] joint bound ns' p Y P Q C.
have E1 : 1 <= exp e by rewrite exp_ge1.
have W' : all proper_notion ns' by rewrite -(all_permutation _ p).
set ts := [seq n <- ns' | third n].
have T : all third ts by exact: filter_all.
have Wt : all proper_notion ts by rewrite all_filter; apply: sub_all W' => m wm; exact/implyP.
have as_pair (a b : R) : 0 <= a -> 0 <= b -> value (satisfies G) ts a b <= hockey_stick a b (rr0 (exp e) d) (rr1 (exp e) d).
  move=> a0 b0; apply: (value_le satisfies_lawful satisfies_alike padded_satisfies T Wt a0 b0) => F g.
  have [X [S [S' [/composed_mixed CS <-]]]] := gains_law padded_satisfies T g.
  have [dS dS'] := mixed_composition_distribution CS; apply: rr_dominates => //; first exact: ltW.
  by split=> //; exact: (joint _ (filter_permutation _ p)).
suff half (X : finType) (S S' : X -> R) : mixed_composition G ns' S S' ->
    hockey_stick 1 (exp epsilon) S S' <= delta.
  by split; apply/events_hockey_stick; apply: half => //; exact: mixed_composition_sym.
move=> {Y P Q} {}C; have E0 := ltW (exp_gt0 epsilon).
apply: (@le_of_every _ _ (1 + exp epsilon)); first by rewrite addr_ge0 ?ler01.
move=> tau t0; have [Z [A [B [CA h]]]] :=
  drawn_first satisfies_lawful satisfies_alike padded_satisfies replaced W' t0.
have {}CA := composed_mixed CA; have [[A0 _] [B0 _]] := mixed_composition_distribution CA.
apply: le_trans (h _ _ _ (mixed_composed C) _ _ ler01 E0) _; rewrite ler_add2r.
apply: (@le_trans _ _ (\sum_s hockey_stick (1 * A s) (exp epsilon * B s) (rr0 (exp e) d) (rr1 (exp e) d))).
  by apply: ler_sum => s _; apply: as_pair; rewrite ?mulr_ge0 ?ler01.
rewrite hockey_stick_exchange -(hockey_stick_product _ _ (fun=> A) (fun=> B)); apply/events_hockey_stick.
have [dp dq] := distribution_rr (ltW (exp_gt0 e)) d0 (ltW d1).
apply: (bound (Approximate e d :: others ns') _ _ _ _ _).1; first exact/perm_skip/filter_permutation.
apply: (@MixedCons G _ _ _ _ _ _ (fun=> A) (fun=> B)) => //.
by split=> //; apply: indistinguishable_rr => //; exact: ltW.
Qed.
