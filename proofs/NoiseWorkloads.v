(** Workloads of mechanisms by their noise (SPEC, section 8): databases that differ in one row, where
    what is known of a mechanism may say which of the two has the row more.

    The model is that of Workloads.v but for this: a notion [private] of two laws is asked of the law on
    the database with one row more and of that on the one without it, in this order
    ([directed_mechanism]).  [answered_more r x qs P Q] says that P and Q are the joint distributions,
    on the databases [r :: x] and [x] (in any order of their rows), of the answers to the queries [qs],
    each asked once, in an order and by mechanisms that may depend on the answers before.

    [answered_more_interleaved]: if among the queries that the row satisfies no two have one colour,
    their answers are an adaptive composition of one mechanism for each colour.
    [interleaved_dominated_by_pairs]: if each of these is dominated by a finite pair, the whole is
    dominated by the product of the pairs, in whatever order they come, and whichever are left out. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import PositivePart Privacy Composition Domination RulesProfiles Workloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Model.
Variables (R : realFieldType) (N : Type) (private : pair_property R N) (Row : eqType).

Definition one_more (r : Row) (x x' : seq Row) := perm_eq x' (r :: x).

Record directed_mechanism (p : N) (Y : finType) (M : seq Row -> Y -> R) : Prop := DirectedMechanism {
  directed_order : forall x x', perm_eq x x' -> M x =1 M x';
  directed_distribution : forall x, distribution (M x);
  directed_private : forall r x x', one_more r x x' -> private p (M x') (M x)
}.

Variables (I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

(** [x'] has one row more than [x]. *)
Inductive answered_more (x x' : seq Row) : seq I -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| MoreAll : answered_more x x' [::] (fun _ : unit => 1) (fun _ : unit => 1)
| MoreQuery i qs (Y Z : finType) (M : seq Row -> Y -> R) (P Q : Y -> Z -> R) :
    i \in qs -> directed_mechanism (parameters i) M ->
    (forall y, answered_more x x' (rem i qs) (P y) (Q y)) ->
    answered_more x x' qs (fun p : Y * Z => M (filter (satisfies i) x') p.1 * P p.1 p.2)
                          (fun p : Y * Z => M (filter (satisfies i) x) p.1 * Q p.1 p.2).

Lemma one_more_filter (p : pred Row) r x x' : one_more r x x' ->
  if p r then one_more r (filter p x) (filter p x') else perm_eq (filter p x') (filter p x).
Proof. by move/(perm_filter p) => /=; case: (p r). Qed.

Theorem answered_more_interleaved (C : eqType) (greatest : C -> N) (colour : I -> C) r x x' qs :
  one_more r x x' -> uniq qs ->
  {in qs &, forall i j, satisfies i r -> satisfies j r -> colour i = colour j -> i = j} ->
  (forall i (Y : finType) (P Q : Y -> R), i \in qs -> satisfies i r ->
    private (parameters i) P Q -> private (greatest (colour i)) P Q) ->
  forall cs (Y : finType) (P Q : Y -> R), uniq cs ->
  {in qs, forall i, satisfies i r -> colour i \in cs} ->
  answered_more x x' qs P Q -> interleaved private greatest cs P Q.
Proof.
move=> xx u apart weaker cs Y P Q ucs inside A; elim: A u apart weaker cs ucs inside.
  by move=> *; exact: InterleavedEnd.
move=> i {}qs {}Y Z M {}P {}Q iqs [order dist priv] _ IH u apart weaker cs ucs inside.
have sub j : j \in rem i qs -> j \in qs by exact: mem_rem.
have := one_more_filter (satisfies i) xx; case: ifP => hit same; last first.
  apply: InterleavedAlike => [//||y]; first exact: order.
  apply: IH => //; first exact: rem_uniq.
  - by move=> j k /sub jqs /sub kqs; exact: apart.
  - by move=> j ? ? ? /sub jqs; exact: weaker.
  - by move=> j /sub jqs; exact: inside.
apply: (InterleavedPrivate (c := colour i)); first exact: inside.
  exact: weaker (priv _ _ _ same).
move=> y; apply: IH; rewrite ?rem_uniq //.
- by move=> j k /sub jqs /sub kqs; exact: apart.
- by move=> j ? ? ? /sub jqs; exact: weaker.
move=> j; rewrite mem_rem_uniq // => /andP[/= ji jqs] hj.
rewrite mem_rem_uniq // inE; apply/andP; split; last exact: inside.
by apply: contraNneq ji => e; apply/eqP; apply: apart.
Qed.

(** The same seen from the other database. *)
Definition reversed : pair_property R N := fun n Y P Q => @private n Y Q P.
End Model.

Lemma interleaved_reversed (R : realFieldType) N (private : pair_property R N) (C : eqType)
    (greatest : C -> N) cs (Y : finType) (P Q : Y -> R) :
  interleaved private greatest cs P Q -> interleaved (reversed private) greatest cs Q P.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs pq _ IH].
- exact: InterleavedEnd.
- apply: InterleavedAlike IH => [|y]; last by rewrite PQ.
  by split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
- exact: InterleavedPrivate ccs pq IH.
Qed.

Section Pairs.
Variable R : realFieldType.
Implicit Types (D E : finite_pair R) (Ds : seq (finite_pair R)).

(** Two equal laws are dominated by such a pair. *)
Definition lawful D := (\sum_z @first_law _ D z == 1) && (\sum_z @second_law _ D z <= 1).

Lemma lawful_ge D a b : lawful D -> 0 <= b -> pos (a - b) <= at_weights D a b.
Proof.
case/andP=> /eqP p1 q1 b0; apply: pos_le; last exact: hockey_stick_ge0.
apply: (@le_trans _ _ (a * (\sum_z @first_law _ D z) - b * (\sum_z @second_law _ D z))).
  by rewrite p1 mulr1 ler_add2l ler_opp2 -[X in _ <= X]mulr1; apply: ler_wpmul2l.
by rewrite !mulr_sumr -sumrB; apply: ler_sum => z _; exact: le_pos.
Qed.

Lemma lawful_product Ds : all lawful Ds -> lawful (product_pair Ds).
Proof.
elim: Ds => [_|D Ds IH /andP[/andP[/eqP p q] /IH/andP[/eqP p' q']]].
  by rewrite /lawful !big_const card_unit /= addr0 eqxx lexx.
rewrite /lawful /= -(pair_bigA _ (fun y z => first_law y * first_law z)).
rewrite -(pair_bigA _ (fun y z => second_law y * second_law z)) /=; apply/andP; split.
  by apply/eqP; rewrite -[RHS]p; apply: eq_bigr => y _; rewrite -mulr_sumr p' mulr1.
apply: le_trans q; apply: ler_sum => y _; rewrite -mulr_sumr -[X in _ <= X]mulr1.
by apply: ler_wpmul2l => //; case: (laws_ge0 y).
Qed.

Lemma at_product_cons D Ds a b : at_weights (product_pair (D :: Ds)) a b =
  \sum_z at_weights (product_pair Ds) (a * @first_law _ D z) (b * @second_law _ D z).
Proof. exact: (at_timesE D (product_pair Ds)). Qed.

Lemma at_product_rem (C : eqType) (D : C -> finite_pair R) c cs a b : c \in cs ->
  at_weights (product_pair [seq D c | c <- cs]) a b =
  at_weights (product_pair (D c :: [seq D c | c <- rem c cs])) a b.
Proof.
elim: cs a b => [|h cs IH] a b //; rewrite inE [rem _ _]/= eq_sym; have [->|hc /= ccs] := eqVneq h c; first by [].
rewrite -[FinitePair _]/(product_pair (D h :: [seq D c | c <- cs])).
rewrite -[X in _ = at_weights X _ _]/(product_pair [:: D c, D h & [seq D c | c <- rem c cs]]).
rewrite !at_product_cons; under eq_bigr => y _ do rewrite IH // at_product_cons.
under [RHS]eq_bigr => y _ do rewrite at_product_cons.
rewrite exchange_big; apply: eq_bigr => y _; apply: eq_bigr => z _.
by rewrite mulrAC [b * _ * _]mulrAC.
Qed.

(** Whatever the order, and whatever is left out, the product of the pairs is the worst. *)
Theorem interleaved_dominated_by_pairs N (private : pair_property R N) (C : eqType) (greatest : C -> N)
    (D : C -> finite_pair R) cs (Y : finType) (P Q : Y -> R) :
  {in cs, forall c, lawful (D c)} ->
  {in cs, forall c (Z : finType) (S T : Z -> R), private (greatest c) Z S T -> dominated_by (D c) S T} ->
  interleaved private greatest cs P Q ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= at_weights (product_pair [seq D c | c <- cs]) a b.
Proof.
move=> + + A; elim: A => {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs pq _ IH] W dom a b a0 b0.
- rewrite /hockey_stick big_const card_unit /= !mulr1 addr0; apply: lawful_ge => //.
  by apply: lawful_product; rewrite all_map; apply/allP => c ccs; exact: W.
- rewrite hockey_stick_product -[X in _ <= X]mul1r -P1 mulr_suml; apply: ler_sum => y _.
  by rewrite -PQ ![_ * P y]mulrC hockey_stickM // ler_wpmul2l //; exact: IH.
have sub : {subset rem c cs <= cs} by exact: mem_rem.
have [PQ h] := dom c ccs _ _ _ pq.
rewrite (at_product_rem D _ _ ccs) at_product_cons hockey_stick_product.
apply: (@le_trans _ _ (\sum_y at_weights (product_pair [seq D c | c <- rem c cs]) (a * P y) (b * Q y))).
  apply: ler_sum => y _; have [p0 q0] := PQ y; apply: IH; rewrite ?mulr_ge0 // => d /sub.
    exact: W.
  exact: dom.
rewrite /at_weights [X in X <= _]hockey_stick_exchange [X in _ <= X]hockey_stick_exchange; apply: ler_sum => z _.
by have [p0 q0] := laws_ge0 z; apply: hockey_stick_weights; rewrite ?mulr_ge0.
Qed.

(** Of several numbers at once: products keep the order of their factors, and some may be missing. *)
Theorem products_in_order Ds Ds' : (size Ds <= size Ds')%N -> all lawful (drop (size Ds) Ds') ->
  (forall i, (i < size Ds)%N -> below (nth (product_pair [::]) Ds i) (nth (product_pair [::]) Ds' i)) ->
  below (product_pair Ds) (product_pair Ds').
Proof.
elim: Ds Ds' => [|D Ds IH] Ds' /=.
  rewrite drop0 => _ W _ a b a0 b0; apply: le_trans (lawful_ge _ (lawful_product W) b0).
  by rewrite /at_weights /hockey_stick /= big_const card_unit /= !mulr1 addr0.
case: Ds' => [|E Ds'] // le W h; apply: below_times (h 0%N isT) _.
by apply: IH => // i lt; exact: (h i.+1).
Qed.
End Pairs.
