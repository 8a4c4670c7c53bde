(** Adaptive composition, and why composed randomized response is the worst case.

    [composition l P Q] says that P and Q are the joint distributions, on two neighbouring
    databases, of all outputs of an adaptive composition: the next mechanism may be any
    (epsilon_i, delta_i)-DP mechanism, chosen after the outputs so far; the list l of parameters
    (E_i, delta_i), E_i = e^{epsilon_i}, is fixed in advance (TCC version, Theorem 3.4).

    [composed l a b] is the divergence of the composed randomized responses.  It bounds that of
    every composition ([composition_dominated]) and is attained ([composition_attained]); and it
    equals the paper's formula ([composed_closed]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Composition.
Variable R : realFieldType.
Implicit Types (a b E d : R) (l : seq (R * R)).

(** E >= 1 and 0 <= delta <= 1. *)
Definition admissible (p : R * R) := (1 <= p.1) && (0 <= p.2 <= 1).

Inductive composition : seq (R * R) -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| CompositionNil : composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| CompositionCons E d l (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    dp_pair E d P Q -> (forall y, composition l (P' y) (Q' y)) ->
    composition ((E, d) :: l) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                              (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

(** Every adaptive composition with these parameters is (ln y, delta)-DP. *)
Definition composition_dp l y delta :=
  forall (Y : finType) (P Q : Y -> R), composition l P Q -> indistinguishable y delta P Q.

(** Some adaptive composition with these parameters is not (ln y, delta)-DP. *)
Definition composition_not_dp l y delta :=
  exists (Y : finType) (P Q : Y -> R), composition l P Q /\ ~ indistinguishable y delta P Q.

Lemma composition_sym l (Y : finType) (P Q : Y -> R) : composition l P Q -> composition l Q P.
Proof.
elim=> [|E d {}l {}Y Z {}P {}Q P' Q' pq _ IH]; first exact: CompositionNil.
by apply: CompositionCons => //; exact: dp_pair_sym.
Qed.

Lemma distribution_pair (Y Z : finType) (P : Y -> R) (P' : Y -> Z -> R) :
  distribution P -> (forall y, distribution (P' y)) ->
  distribution (fun p : Y * Z => P p.1 * P' p.1 p.2).
Proof.
move=> [P0 P1] H; split=> [[y z]|]; first by rewrite mulr_ge0 //; case: (H y).
rewrite -(pair_bigA _ (fun y z => P y * P' y z)) /= -[RHS]P1.
by apply: eq_bigr => y _; rewrite -mulr_sumr; case: (H y) => _ ->; rewrite mulr1.
Qed.

Lemma composition_distribution l (Y : finType) (P Q : Y -> R) :
  composition l P Q -> distribution P /\ distribution Q.
Proof.
elim=> [|E d {}l {}Y Z {}P {}Q P' Q' [dP dQ _] _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Lemma admissible_E0 p : admissible p -> 0 <= p.1.
Proof. by case/andP=> E1 _; apply: le_trans E1; exact: ler01. Qed.

Lemma admissibleP E d : admissible (E, d) -> [/\ 0 <= E, 1 <= E, 0 <= d & d <= 1].
Proof. by move=> w; have := admissible_E0 w; case/and3P: w => /=; split. Qed.

(** The divergence of composed randomized responses, weights a and b of the hypotheses. *)
Fixpoint composed l a b : R :=
  if l is p :: l' then \sum_y composed l' (a * rr0 p.1 p.2 y) (b * rr1 p.1 p.2 y)
  else pos (a - b).

(** The sum of Theorem 1.5: each mechanism's odds ratio E goes to one side or the other. *)
Fixpoint subset_sum (Es : seq R) a b : R :=
  if Es is E :: Es' then subset_sum Es' (a * E) b + subset_sum Es' a (b * E) else pos (a - b).

(** D(y) of Theorem 1.5. *)
Definition divergence (Es : seq R) (y : R) : R :=
  (\prod_(E <- Es) (1 + E))^-1 * subset_sum Es 1 y.

Lemma composed4 l E d a b :
  composed ((E, d) :: l) a b =
  composed l (a * d) (b * 0)
  + composed l (a * ((1 - d) * E / (1 + E))) (b * ((1 - d) / (1 + E)))
  + composed l (a * ((1 - d) / (1 + E))) (b * ((1 - d) * E / (1 + E)))
  + composed l (a * 0) (b * d).
Proof. by rewrite /= !big_ord_recl big_ord0 /rr0 /rr1 /= addr0 !addrA. Qed.

Lemma composedM c l a b : 0 <= c -> composed l (c * a) (c * b) = c * composed l a b.
Proof.
move=> c0; elim: l a b => [|p l IH] a b /=; first by rewrite -mulrBr posM.
by rewrite mulr_sumr; apply: eq_bigr => y _; rewrite -!mulrA IH.
Qed.

Lemma composed_b0 l a : all admissible l -> 0 <= a -> composed l a 0 = a.
Proof.
elim: l a => [|[E d] l IH] a; first by move=> _ a0; rewrite /= subr0 pos_id.
case/andP=> w W a0; have [E0 E1 d0 d1] := admissibleP w.
have E2 : 1 + E != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
have c0 : 0 <= (1 - d) / (1 + E) by rewrite divr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
have c1 : 0 <= (1 - d) * E / (1 + E) by rewrite mulrAC mulr_ge0.
by rewrite composed4 !mul0r !mulr0 !IH 1?mulr_ge0 //; field.
Qed.

Lemma composed_a0 l b : all admissible l -> 0 <= b -> composed l 0 b = 0.
Proof.
elim: l b => [|[E d] l IH] b; first by move=> _ b0; rewrite /= sub0r pos_0 // oppr_le0.
case/andP=> w W b0; have [E0 E1 d0 d1] := admissibleP w.
have c0 : 0 <= (1 - d) / (1 + E) by rewrite divr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
have c1 : 0 <= (1 - d) * E / (1 + E) by rewrite mulrAC mulr_ge0.
by rewrite composed4 !mul0r !mulr0 !IH 1?mulr_ge0 // !addr0.
Qed.

(** If some mechanism reveals its input the hypotheses are told apart; else the subset sum. *)
Lemma composed_closed l a b : all admissible l -> 0 <= a -> 0 <= b ->
  composed l a b = a * (1 - \prod_(p <- l) (1 - p.2)) +
    (\prod_(p <- l) (1 - p.2)) *
    ((\prod_(p <- l) (1 + p.1))^-1 * subset_sum [seq p.1 | p <- l] a b).
Proof.
elim: l a b => [|[E d] l IH] a b; first by rewrite !big_nil subrr mulr0 add0r invr1 !mul1r.
case/andP=> w W a0 b0; have [E0 E1 d0 d1] := admissibleP w.
have E2 : 1 + E != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
have c0 : 0 <= (1 - d) / (1 + E) by rewrite divr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
rewrite composed4 !mulr0 composed_b0 ?composed_a0 1?mulr_ge0 // addr0 /=.
have -> : a * ((1 - d) * E / (1 + E)) = (1 - d) / (1 + E) * (a * E) by ring.
have -> : b * ((1 - d) * E / (1 + E)) = (1 - d) / (1 + E) * (b * E) by ring.
rewrite ![_ * ((1 - d) / (1 + E))]mulrC !composedM // !IH 1?mulr_ge0 // !big_cons /=.
rewrite invfM; set D := \prod_(p <- l) (1 - p.2); set W' := (\prod_(p <- l) (1 + p.1))^-1.
by field.
Qed.

(** One mechanism replaced by a dominating one, the rest unchanged. *)
Lemma composed_mono (Y Y2 : finType) (P Q : Y -> R) (P2 Q2 : Y2 -> R) l a b :
  all admissible l ->
  (forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b P2 Q2) ->
  0 <= a -> 0 <= b ->
  \sum_y composed l (a * P y) (b * Q y) <= \sum_y composed l (a * P2 y) (b * Q2 y).
Proof.
move=> + H; elim: l a b => [|[E d] l IH] a b /= nn a0 b0; first exact: H.
case/andP: nn => w W; have [E0 E1 d0 d1] := admissibleP w.
rewrite exchange_big [X in _ <= X]exchange_big /=; apply: ler_sum => z _.
have [[p0 _] [q0 _]] := distribution_rr E0 d0 d1.
under eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
under [X in _ <= X]eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
by apply: IH; rewrite ?mulr_ge0.
Qed.

Theorem composition_dominated l (Y : finType) (P Q : Y -> R) :
  composition l P Q -> all admissible l ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= composed l a b.
Proof.
elim=> {l Y P Q} [|E d l Y Z P Q P' Q' pq _ IH] W a b a0 b0.
  by rewrite /hockey_stick big_const card_unit /= !mulr1 addr0.
move: W => /andP[w W]; have [E0 E1 d0 d1] := admissibleP w.
rewrite /hockey_stick.
rewrite -(pair_bigA _ (fun y z => pos (a * (P y * P' y z) - b * (Q y * Q' y z)))) /=.
have [[P0 _] [Q0 _] _] := pq.
apply: (@le_trans _ _ (\sum_y composed l (a * P y) (b * Q y))).
  apply: ler_sum => y _; under eq_bigr do rewrite !mulrA.
  by apply: IH; rewrite ?mulr_ge0.
apply: composed_mono => // ? ? ? ?; exact: rr_dominates.
Qed.

(** The randomized responses themselves, with smaller parameters l, are a composition. *)
Theorem composition_attained_below l l' : all admissible l ->
  all2 (fun p p' => (p.1 <= p'.1) && (p.2 <= p'.2)) l l' ->
  exists (Y : finType) (P Q : Y -> R),
  composition l' P Q /\ forall a b, hockey_stick a b P Q = composed l a b.
Proof.
elim: l l' => [|[E d] l IH] [|[E' d'] l'] //.
  exists unit_finType, (fun=> 1), (fun=> 1); split; first exact: CompositionNil.
  by move=> a b; rewrite /hockey_stick big_const card_unit /= !mulr1 addr0.
move=> /andP[w W] /andP[/andP[/= EE dd] ll]; have [E0 E1 d0 d1] := admissibleP w.
have [Z [P [Q [C H]]]] := IH _ W ll.
exists (prod_finType (ordinal_finType 4) Z),
  (fun p => rr0 E d p.1 * P p.2), (fun p => rr1 E d p.1 * Q p.2); split.
  apply: (@CompositionCons E' d' _ _ _ (rr0 E d) (rr1 E d) (fun=> P) (fun=> Q)) => //.
  exact: dp_pair_rr.
move=> a b; rewrite /hockey_stick.
rewrite -(pair_bigA _ (fun y z => pos (a * (rr0 E d y * P z) - b * (rr1 E d y * Q z)))) /=.
by apply: eq_bigr => y _; under eq_bigr do rewrite !mulrA; exact: H.
Qed.

Theorem composition_attained l : all admissible l -> exists (Y : finType) (P Q : Y -> R),
  composition l P Q /\ forall a b, hockey_stick a b P Q = composed l a b.
Proof.
move=> W; apply: composition_attained_below => //.
by elim: l {W} => //= p l ->; rewrite !lexx.
Qed.
End Composition.
