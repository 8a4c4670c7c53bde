(** Workloads (SPEC, section 8): databases that differ in one row, and queries that see the rows
    which satisfy them.

    A database is a list of rows in any order; a mechanism for a query gets the rows that satisfy
    it, and is private with the query's parameters for databases that differ in one row, added or
    removed.  (One that is private for rows that satisfy the query is so for all, if it leaves the
    others out.)  [answered x x' qs P Q] says that P and Q are the joint distributions, on the databases
    x and x', of the answers to the queries [qs], each asked once, in an order and by mechanisms
    that may depend on the answers before.  What "private with these parameters" means of a pair of
    distributions is a parameter [private]; [dp] below is (epsilon, delta)-DP.

    [answered_interleaved] is the argument of parallel composition for every such notion: if among
    the queries that the row satisfies no two have one colour, their answers are an adaptive
    composition of one mechanism for each colour.  [interleaved_dominated] bounds these for
    (epsilon, delta); RulesWorkloads.v draws the conclusions. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import PositivePart Privacy Composition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A notion of privacy: for each of its parameters, the pairs of distributions that have it. *)
Definition pair_property (R : realFieldType) (N : Type) :=
  N -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.

Section Model.
Variables (R : realFieldType) (N : Type) (private : pair_property R N) (Row : eqType).

Definition differ_in (r : Row) (x x' : seq Row) := perm_eq x' (r :: x) \/ perm_eq x (r :: x').
Definition neighbours (x x' : seq Row) := exists r, differ_in r x x'.

Record mechanism (p : N) (Y : finType) (M : seq Row -> Y -> R) : Prop := Mechanism {
  mechanism_order : forall x x', perm_eq x x' -> M x =1 M x';
  mechanism_distribution : forall x, distribution (M x);
  mechanism_private : forall x x', neighbours x x' -> private p (M x) (M x')
}.

(** Queries by name: the rows that satisfy one, and its parameters. *)
Variables (I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

Inductive answered (x x' : seq Row) : seq I -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| AnsweredAll : answered x x' [::] (fun _ : unit => 1) (fun _ : unit => 1)
| AnsweredQuery i qs (Y Z : finType) (M : seq Row -> Y -> R) (P Q : Y -> Z -> R) :
    i \in qs -> mechanism (parameters i) M ->
    (forall y, answered x x' (rem i qs) (P y) (Q y)) ->
    answered x x' qs (fun p : Y * Z => M (filter (satisfies i) x) p.1 * P p.1 p.2)
                     (fun p : Y * Z => M (filter (satisfies i) x') p.1 * Q p.1 p.2).

(** Adaptive composition of the mechanisms in a list, in an order that may depend on the answers
    before; some may be left out, and answers that both databases give alike come in between. *)
Inductive interleaved (C : eqType) (greatest : C -> N) :
    seq C -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| InterleavedEnd cs : interleaved greatest cs (fun _ : unit => 1) (fun _ : unit => 1)
| InterleavedAlike cs (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    distribution P -> P =1 Q -> (forall y, interleaved greatest cs (P' y) (Q' y)) ->
    interleaved greatest cs (fun p : Y * Z => P p.1 * P' p.1 p.2)
                            (fun p : Y * Z => Q p.1 * Q' p.1 p.2)
| InterleavedPrivate c cs (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    c \in cs -> private (greatest c) P Q ->
    (forall y, interleaved greatest (rem c cs) (P' y) (Q' y)) ->
    interleaved greatest cs (fun p : Y * Z => P p.1 * P' p.1 p.2)
                            (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

Lemma differ_in_filter (p : pred Row) r x x' : differ_in r x x' ->
  if p r then neighbours (filter p x) (filter p x') else perm_eq (filter p x) (filter p x').
Proof.
case=> /(perm_filter p) /=; case: (p r) => h.
- by exists r; left.
- by rewrite perm_sym.
- by exists r; right.
- by [].
Qed.

Theorem answered_interleaved (C : eqType) (greatest : C -> N) (colour : I -> C) r x x' qs :
  differ_in r x x' -> uniq qs ->
  {in qs &, forall i j, satisfies i r -> satisfies j r -> colour i = colour j -> i = j} ->
  (forall i (Y : finType) (P Q : Y -> R), i \in qs -> satisfies i r ->
    private (parameters i) P Q -> private (greatest (colour i)) P Q) ->
  forall cs (Y : finType) (P Q : Y -> R), uniq cs ->
  {in qs, forall i, satisfies i r -> colour i \in cs} ->
  answered x x' qs P Q -> interleaved greatest cs P Q.
Proof.
move=> xx u apart weaker cs Y P Q ucs inside A; elim: A u apart weaker cs ucs inside.
  by move=> *; exact: InterleavedEnd.
move=> i {}qs {}Y Z M {}P {}Q iqs [order dist priv] _ IH u apart weaker cs ucs inside.
have sub j : j \in rem i qs -> j \in qs by exact: mem_rem.
have := differ_in_filter (satisfies i) xx; case: ifP => hit same; last first.
  apply: InterleavedAlike => [//||y]; first exact: order.
  apply: IH => //; first exact: rem_uniq.
  - by move=> j k /sub jqs /sub kqs; exact: apart.
  - by move=> j ? ? ? /sub jqs; exact: weaker.
  - by move=> j /sub jqs; exact: inside.
apply: (InterleavedPrivate (c := colour i)); first exact: inside.
  exact: weaker (priv _ _ same).
move=> y; apply: IH; rewrite ?rem_uniq //.
- by move=> j k /sub jqs /sub kqs; exact: apart.
- by move=> j ? ? ? /sub jqs; exact: weaker.
move=> j; rewrite mem_rem_uniq // => /andP[/= ji jqs] hj.
rewrite mem_rem_uniq // inE; apply/andP; split; last exact: inside.
by apply: contraNneq ji => e; apply/eqP; apply: apart.
Qed.

Lemma interleaved_sym (C : eqType) (greatest : C -> N) cs (Y : finType) (P Q : Y -> R) :
  (forall p (Z : finType) (S T : Z -> R), private p S T -> private p T S) ->
  interleaved greatest cs P Q -> interleaved greatest cs Q P.
Proof.
move=> sym; elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs pq _ IH].
- exact: InterleavedEnd.
- apply: InterleavedAlike IH => [|y]; last by rewrite PQ.
  by split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
- exact: InterleavedPrivate ccs (sym _ _ _ _ pq) IH.
Qed.
End Model.

(** (epsilon, delta)-DP with parameters (E, delta), E = e^epsilon. *)
Section Approximate.
Variable R : realFieldType.
Implicit Types (a b : R) (l : seq (R * R)).

Definition dp : pair_property R (R * R) := fun p Y P Q => @dp_pair R Y p.1 p.2 P Q.

Lemma dp_weaker (p p' : R * R) (Y : finType) (P Q : Y -> R) :
  p.1 <= p'.1 -> p.2 <= p'.2 -> dp p P Q -> dp p' P Q.
Proof.
move=> p1 p2 [dP dQ [h1 h2]]; split=> //; split=> S.
  apply: le_trans (h1 S) _; rewrite ler_add // ler_wpmul2r ?sumr_ge0 // => y _; by case: dQ.
apply: le_trans (h2 S) _; rewrite ler_add // ler_wpmul2r ?sumr_ge0 // => y _; by case: dP.
Qed.

(** An answer that both databases give alike. *)
Lemma dp_alike p (Y : finType) (P Q : Y -> R) :
  admissible p -> distribution P -> P =1 Q -> dp p P Q.
Proof.
case: p => E d /admissibleP[_ E1 d0 _] dP PQ; have [P0 P1] := dP.
have le (S : {set Y}) : \sum_(y in S) P y <= E * (\sum_(y in S) P y) + d.
  by rewrite ler_paddr // ler_pemull // sumr_ge0.
have e (S : {set Y}) : \sum_(y in S) Q y = \sum_(y in S) P y by apply: eq_bigr => y _; rewrite PQ.
split=> //; last by split=> S; rewrite e.
by split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
Qed.

Lemma hockey_stick_pair (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) a b :
  hockey_stick a b (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p : Y * Z => Q p.1 * Q' p.1 p.2) =
  \sum_y hockey_stick (a * P y) (b * Q y) (P' y) (Q' y).
Proof.
rewrite /hockey_stick.
rewrite -(pair_bigA _ (fun y z => pos (a * (P y * P' y z) - b * (Q y * Q' y z)))) /=.
by apply: eq_bigr => y _; apply: eq_bigr => z _; rewrite !mulrA.
Qed.

Lemma composed_rem (C : eqType) (g : C -> R * R) c cs a b : c \in cs ->
  composed [seq g c | c <- cs] a b = composed (g c :: [seq g c | c <- rem c cs]) a b.
Proof.
elim: cs a b => [|h cs IH] a b //; rewrite inE /=; case: eqVneq => [->|hc /= ccs] //.
under eq_bigr => y _ do rewrite IH //.
rewrite /= exchange_big; apply: eq_bigr => y _; apply: eq_bigr => z _.
by rewrite mulrAC [b * _ * _]mulrAC.
Qed.

Lemma composed_perm l l' a b : perm_eq l l' -> composed l a b = composed l' a b.
Proof.
elim: l l' a b => [|p l IH] l' a b ll; first by move: ll; rewrite perm_sym => /perm_nilP ->.
have pl' : p \in l' by rewrite -(perm_mem ll) mem_head.
have := composed_rem id a b pl'; rewrite !map_id => ->; apply: eq_bigr => y _; apply: IH.
by rewrite -(perm_cons p) (perm_trans ll) // perm_to_rem.
Qed.

Lemma pos_le_composed l a b :
  all (@admissible R) l -> 0 <= a -> 0 <= b -> pos (a - b) <= composed l a b.
Proof.
elim: l a b => [|[E d] l IH] a b //= /andP[w W] a0 b0; have [E0 _ d0 d1] := admissibleP w.
have [[p0 p1] [q0 q1]] := distribution_rr E0 d0 d1.
apply: (@le_trans _ _ (\sum_y pos (a * rr0 E d y - b * rr1 E d y))).
  rewrite -{1}[a]mulr1 -{1}[b]mulr1 -{1}p1 -q1 !mulr_sumr -sumrB.
  elim/big_rec2: _ => [|y s t _ h]; first by rewrite pos_id.
  by apply: le_trans (posD _ _) _; rewrite ler_add2l.
by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
Qed.

(** Whatever the order, composed randomized responses are the worst. *)
Theorem interleaved_dominated (C : eqType) (g : C -> R * R) cs (Y : finType) (P Q : Y -> R) :
  interleaved dp g cs P Q -> all (@admissible R) [seq g c | c <- cs] ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= composed [seq g c | c <- cs] a b.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs pq _ IH] W a b a0 b0.
- by rewrite /hockey_stick big_const card_unit /= !mulr1 addr0 pos_le_composed.
- rewrite hockey_stick_pair -[X in _ <= X]mul1r -P1 mulr_suml; apply: ler_sum => y _.
  rewrite -PQ ![_ * P y]mulrC hockey_stickM // ler_wpmul2l //; exact: IH.
have /andP[w W'] : all (@admissible R) (g c :: [seq g c | c <- rem c cs]).
  apply/allP => p; rewrite inE => /orP[/eqP->|/mapP[c' /mem_rem c'cs ->]].
    by apply: (allP W); exact: map_f.
  by apply: (allP W); exact: map_f.
rewrite (composed_rem g _ _ ccs); have [E0 E1 d0 d1] := admissibleP w.
have [[Pp _] [Qp _] _] := pq; rewrite hockey_stick_pair.
apply: (@le_trans _ _ (\sum_y composed [seq g c | c <- rem c cs] (a * P y) (b * Q y))).
  by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
apply: composed_mono => // ? ? ? ?; exact: rr_dominates.
Qed.
End Approximate.
Arguments dp {R} p Y P Q.
