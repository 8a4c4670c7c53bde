(** The rules of groups (certs/SPEC.md, 11.16).

    A group of g: two databases are joined by a path of at most g neighbours.  All databases of
    the path are asked alike: a mechanism has one distribution of outputs on each of them, those of
    neighbours are (epsilon_i, delta_i)-indistinguishable, and the mechanisms that follow may
    depend on the output ([composition_path]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Groups Concurrent Reals Rules.
From ExactDP Require Import Leaves.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** P i: the outputs on the i-th of n + 1 databases, each a neighbour of the next. *)
Inductive composition_path (n : nat) : seq (R * R) -> forall Y : finType, (nat -> Y -> R) -> Prop :=
| PathNil : composition_path n [::] (fun (_ : nat) (_ : unit) => 1)
| PathCons E d l (Y Z : finType) (P : nat -> Y -> R) (P' : nat -> Y -> Z -> R) :
    (forall i, (i <= n)%N -> distribution (P i)) ->
    (forall i, (i < n)%N -> indistinguishable E d (P i) (P i.+1)) ->
    (forall y, composition_path n l (fun i => P' i y)) ->
    composition_path n ((E, d) :: l) (fun i (p : Y * Z) => P i p.1 * P' i p.1 p.2).

(** The statements of a certificate about groups of g. *)
Definition upper_of_groups (L : ledger) (g : nat) (epsilon delta : R) :=
  forall n (Y : finType) (P : nat -> Y -> R), (n <= g)%N -> composition_path n (odds_of L) P ->
    indistinguishable (exp epsilon) delta (P 0%N) (P n).
Definition lower_of_groups (L : ledger) (g : nat) (epsilon delta : R) :=
  exists n (Y : finType) (P : nat -> Y -> R), [/\ (n <= g)%N, composition_path n (odds_of L) P &
    ~ indistinguishable (exp epsilon) delta (P 0%N) (P n)].

Lemma path_distribution n l (Y : finType) (P : nat -> Y -> R) i : (i <= n)%N ->
  composition_path n l P -> distribution (P i).
Proof.
move=> le; elim=> [|E d {}l {}Y Z {}P P' D _ _ IH].
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by apply: distribution_pair => [|y]; [exact: D|exact: IH].
Qed.

(** Databases i and i + 1 of the path are neighbours. *)
Lemma path_neighbours n l (Y : finType) (P : nat -> Y -> R) i : (i < n)%N ->
  composition_path n l P -> composition l (P i) (P i.+1).
Proof.
move=> lt; elim=> [|E d {}l {}Y Z {}P P' D H _ IH]; first exact: CompositionNil.
apply: (@CompositionCons _ E d l Y Z (P i) (P i.+1) (P' i) (P' i.+1)) => //.
by split; [exact/D/ltnW|exact: D|exact: H].
Qed.

(** Neighbours are joined by a path of one step. *)
Lemma path_of_one l (Y : finType) (P Q : Y -> R) : composition l P Q ->
  exists W : nat -> Y -> R, [/\ composition_path 1 l W, W 0%N =1 P & W 1%N =1 Q].
Proof.
elim=> {l Y P Q} [|E d l Y Z P Q P' Q' [dP dQ I] _ /fin_all_exists[W H]].
  by exists (fun _ _ => 1); split=> //; exact: PathNil.
exists (fun i p => (if i is 0 then P else Q) p.1 * W p.1 i p.2); split=> [|p|p].
- apply: (@PathCons 1 E d l Y Z (fun i => if i is 0 then P else Q) (fun i y => W y i)).
  + by case.
  + by case.
  + by move=> y; have [] := H y.
- by have [_ -> _] := H p.1.
- by have [_ _ ->] := H p.1.
Qed.

Section Chains.
Variables (Y : finType) (P : nat -> Y -> R) (epsilon delta : R).
Hypotheses (epsilon0 : 0 <= epsilon) (delta0 : 0 <= delta).

Lemma indistinguishable_weaken E d E' d' (p q : Y -> R) : distribution p -> distribution q ->
  E <= E' -> d <= d' -> indistinguishable E d p q -> indistinguishable E' d' p q.
Proof.
move=> [p0 _] [q0 _] EE dd [h1 h2].
by split=> S; [apply: le_trans (h1 S) _|apply: le_trans (h2 S) _];
  rewrite ler_add // ler_wpmul2r // sumr_ge0.
Qed.

Lemma exp_mulrn (n : nat) : exp epsilon ^+ n = exp (epsilon *+ n).
Proof. by elim: n => [|n IH]; rewrite ?exp_0 // exprS IH mulrS expD. Qed.

(** At most g steps of (epsilon, delta), to the larger parameters of all g steps. *)
Lemma steps_indistinguishable n g epsilon' delta' :
  (forall i, (i <= n)%N -> distribution (P i)) ->
  (forall i, (i < n)%N -> indistinguishable (exp epsilon) delta (P i) (P i.+1)) ->
  (n <= g)%N -> epsilon *+ g <= epsilon' -> delta * (\sum_(i < g) exp epsilon ^+ i) <= delta' ->
  indistinguishable (exp epsilon') delta' (P 0%N) (P n).
Proof.
move=> D H le e d; have E0 : 0 <= exp epsilon by exact: ltW (exp_gt0 _).
apply: indistinguishable_weaken (group_privacy E0 H); [exact: D|exact: D| |].
  by rewrite exp_mulrn exp_le; apply: le_trans e; rewrite ler_wpmuln2l.
apply: le_trans d; rewrite ler_wpmul2l // -(subnKC le) big_split_ord /= ler_addl.
by apply: sumr_ge0 => i _; exact: exprn_ge0.
Qed.
End Chains.

Section Rules.
Variable L : ledger.
Hypothesis P : proper L.
Implicit Types (g : nat) (epsilon delta : R).

(** 11.16 [group]. *)
Theorem rule_group_privacy_upper g epsilon delta epsilon' delta' :
  upper L epsilon delta -> 0 <= epsilon -> 0 <= delta -> epsilon *+ g <= epsilon' ->
  delta * (\sum_(i < g) exp epsilon ^+ i) <= delta' -> upper_of_groups L g epsilon' delta'.
Proof.
move=> U e0 d0 e d n Y W le H; apply: (@steps_indistinguishable _ _ _ _ e0 d0 _ g) => //.
- by move=> i lt; exact: path_distribution H.
- by move=> i lt; apply: U; exact: path_neighbours H.
Qed.

Theorem rule_group_privacy_lower g epsilon delta :
  lower L epsilon delta -> (0 < g)%N -> lower_of_groups L g epsilon delta.
Proof.
move=> [Y [p [q [/path_of_one[W [H W0 W1]] n]]]] g0; exists 1%N, Y, W; split=> //.
have e (u v : Y -> R) (S : {set Y}) : u =1 v -> \sum_(y in S) u y = \sum_(y in S) v y.
  by move=> uv; apply: eq_bigr => y _.
move=> [h1 h2]; apply: n; split=> S.
- by have := h1 S; rewrite (e _ _ _ W0) (e _ _ _ W1).
- by have := h2 S; rewrite (e _ _ _ W0) (e _ _ _ W1).
Qed.

(** What the mechanisms are for a group of g: (g epsilon_i, delta'_i), with a delta'_i each. *)
Definition of_groups g (deltas : seq R) : ledger :=
  [seq (m.1.1 *+ g, m.2) | m <- zip L deltas].
Definition deltas_cover g (deltas : seq R) :=
  all2 (fun m d => m.2 * (\sum_(i < g) exp m.1 ^+ i) <= d) L deltas.

Lemma path_ends n g (M : ledger) deltas (Y : finType) (W : nat -> Y -> R) : (n <= g)%N ->
  proper M -> all2 (fun m d => m.2 * (\sum_(i < g) exp m.1 ^+ i) <= d) M deltas ->
  composition_path n (odds_of M) W ->
  composition (odds_of [seq (m.1.1 *+ g, m.2) | m <- zip M deltas]) (W 0%N) (W n).
Proof.
move=> le + + C; move e: (odds_of M) C => l C.
elim: C M deltas e => {l Y W} [|E d l Y Z p p' D H _ IH] [|[e1 d1] M] // [|d' deltas] //.
  by move=> _ _ _; exact: CompositionNil.
case=> eE dE e /andP[/and3P[/= e0 d0 _] PM] /andP[/= cover C]; subst E d.
rewrite /odds_of /=; apply: (@CompositionCons _ _ _ _ Y Z (p 0%N) (p n) (p' 0%N) (p' n)); last by move=> y; exact: IH.
split; [exact: D|exact: D|].
exact: (@steps_indistinguishable _ _ _ _ e0 d0 _ g).
Qed.

(** 11.16 [group], by what each mechanism is. *)
Theorem rule_group_mechanisms g deltas epsilon delta : deltas_cover g deltas ->
  upper (of_groups g deltas) epsilon delta -> upper_of_groups L g epsilon delta.
Proof. by move=> C U n Y W le H; apply: U; exact: path_ends H. Qed.

(** The order of a ledger does not matter. *)
Theorem upper_perm L' epsilon delta : perm_eq L L' -> upper L' epsilon delta -> upper L epsilon delta.
Proof.
move=> p; have P' : proper L' by rewrite /proper -(perm_all _ p).
move=> /(upper_iff P') U; apply/(upper_iff P).
rewrite (divergence_perm (eps' := epsilons L')) ?perm_map //.
by move: U; rewrite /slack (perm_big _ p).
Qed.

End Rules.
