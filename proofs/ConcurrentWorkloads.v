(** Workloads whose mechanisms are interactive, and an adversary who interleaves its questions to them:
    what a [lower] statement about one means, and that what breaks adaptively breaks so
    ([workload_concurrent_lower], [replace_concurrent_lower]).

    An interactive mechanism for a query is a tree with the probabilities of its answers on every list of
    rows ([given] in ConcurrentGroups.v).  It is given the rows that satisfy the query; whatever an
    adversary asks, what this one says in the end is private where the rows that are given differ as
    those of neighbours do ([interactive_mechanism]). *)
From Coq Require Import Reals Permutation FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures RulesGaussian.
From ExactDP Require Import Workloads RulesWorkloads RulesMixedWorkloads ReplaceOne.
From ExactDP Require Import Interactive Interleaving ConcurrentTheorems ConcurrentAttainment ConcurrentGroups.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Model.
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> notion).

(** [near x x']: lists of rows that a mechanism is given on neighbours. *)
Record interactive_mechanism (near : seq Row -> seq Row -> Prop) (n : notion) (t : given (seq Row)) : Prop :=
  InteractiveMechanism {
    interactive_order : forall x x', perm_eq x x' -> between x x t = between x' x' t;
    interactive_lawful : forall x x', lawful (between x x' t);
    interactive_private : forall x x', near x x' -> interactively n (between x x' t)
  }.

(** On the databases x and x' an adversary says something with the laws P and Q in the end. *)
Definition seen_of_queries (near : I -> seq Row -> seq Row -> Prop) (x x' : seq Row) (qs : seq I)
    (Y : finType) (P Q : Y -> R) : Prop :=
  exists2 t : I -> given (seq Row), {in qs, forall i, interactive_mechanism (near i) (parameters i) (t i)} &
  seen [seq between (filter (satisfies i) x) (filter (satisfies i) x') (t i) | i <- qs] P Q.

(** What the mechanism of a query is given where one row replaces another. *)
Definition near_replaced (i : I) (y y' : seq Row) : Prop :=
  exists x x', [/\ replace_neighbours x x', y = filter (satisfies i) x & y' = filter (satisfies i) x'].

Definition workload_breaks_concurrently qs (epsilon delta : R) : Prop :=
  exists x x' : seq Row, neighbours x x' /\ exists (Y : finType) (P Q : Y -> R),
  seen_of_queries (fun _ => @neighbours Row) x x' qs P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Definition replace_breaks_concurrently qs (epsilon delta : R) : Prop :=
  exists x x' : seq Row, replace_neighbours x x' /\ exists (Y : finType) (P Q : Y -> R),
  seen_of_queries near_replaced x x' qs P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

(** --- mechanisms that answer one question --- *)

Variable near : I -> seq Row -> seq Row -> Prop.

Record one_answer (i : I) (Y : finType) (M : seq Row -> Y -> R) : Prop := OneAnswer {
  one_order : forall x x', perm_eq x x' -> M x =1 M x';
  one_distribution : forall x, distribution (M x);
  one_private : forall x x', near i x x' -> of_notion G (parameters i) (M x) (M x')
}.

(** The answers to queries, one after the other, for either relation of neighbours. *)
Inductive answered_in_turn (x x' : seq Row) : seq I -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| InTurnAll : answered_in_turn x x' [::] (fun _ : unit => 1) (fun _ : unit => 1)
| InTurnQuery i qs (Y Z : finType) (M : seq Row -> Y -> R) (P Q : Y -> Z -> R) :
    i \in qs -> one_answer i M -> (forall y, answered_in_turn x x' (rem i qs) (P y) (Q y)) ->
    answered_in_turn x x' qs (fun p : Y * Z => M (filter (satisfies i) x) p.1 * P p.1 p.2)
                             (fun p : Y * Z => M (filter (satisfies i) x') p.1 * Q p.1 p.2).

Definition one_question (Y : finType) (M : seq Row -> Y -> R) : seq ((seq Row -> R) * given (seq Row)) :=
  [seq ((fun x => M x y), Given [::]) | y <- enum Y].

Definition asked_once_of (i : I) (t : given (seq Row)) : Prop := forall q, List.In q (questions t) ->
  exists (Y : finType) (M : seq Row -> Y -> R), one_answer i M /\ q = one_question M.

Lemma between_question (Y : finType) (M : seq Row -> Y -> R) x x' :
  map (answer x x') (one_question M) = answers (M x) (M x').
Proof. by rewrite /one_question -map_comp. Qed.

Lemma once_interactive i t : proper_notion (parameters i) -> asked_once_of i t ->
  interactive_mechanism (near i) (parameters i) t.
Proof.
move=> w once; split=> [x x' xx|x x'|x x' n].
- case: t once => qs once /=; congr Tree; apply: eq_map_Forall; apply/List.Forall_forall => q.
  case/once=> Y [M [m ->]]; rewrite /one_question -!map_comp; apply: eq_map => y /=.
  by rewrite (one_order m xx).
- case: t once => qs once /=; rewrite all_map; elim: qs once => //= q qs IH once.
  rewrite IH ?andbT => [|q' h]; last by apply: once; right.
  have [Y [M [m ->]]] := once q (or_introl erefl); rewrite -/(answer x x').
  have [M0 M1] := one_distribution m x; have [M0' M1'] := one_distribution m x'.
  have -> : [seq (x0.1 x, x0.1 x', between x x' x0.2) | x0 <- one_question M] = answers (M x) (M x').
    exact: between_question.
  rewrite !sum_answers /= M1 M1' !eqxx !andbT.
  by rewrite /answers all_map; apply/allP => y _ /=; rewrite M0 M0'.
apply: asked_once_interactively w _ => q; rewrite queries_between => h.
have {h} [q0 /once[Y [M [m ->]]] ->] := In_map h.
by exists Y, (M x), (M x'); split; [exact: one_private m _ _ n|exact: between_question].
Qed.

(** The mechanisms of several pasts as one mechanism each. *)
Lemma merged_given (J : finType) (qs : seq I) (t : J -> I -> given (seq Row)) :
  (forall j, {in qs, forall i, asked_once_of i (t j i)}) ->
  exists t' : I -> given (seq Row), {in qs, forall i, asked_once_of i (t' i)} /\
  forall j x x' i, answers_more (between x x' (t j i)) (between x x' (t' i)).
Proof.
move=> H; exists (fun i => Given (flatten [seq questions (t j i) | j <- enum J])); split=> [i iqs q /=|j x x' i q].
  elim: (enum J) => //= j s IHs h; case: (List.in_app_or _ _ _ h) => [|/IHs//].
  exact: (H j i iqs).
rewrite !queries_between => h; have {h} [q0 h ->] := In_map h; apply: map_In => /=.
have := mem_enum J j; elim: (enum J) => //= j' s IHs.
by rewrite inE => /orP[/eqP <-|/IHs h']; apply: List.in_or_app; [left|right].
Qed.

Lemma permutation_to_rem (i : I) (qs : seq I) : i \in qs -> Permutation (i :: rem i qs) qs.
Proof.
elim: qs => //= j qs IH; rewrite inE; case: eqVneq => [-> _|ji /= /IH h]; first exact: Permutation_refl.
exact: Permutation_trans (perm_swap _ _ _) (perm_skip _ h).
Qed.

Lemma in_turn_seen x x' qs (Y : finType) (P Q : Y -> R) : uniq qs -> answered_in_turn x x' qs P Q ->
  exists2 t : I -> given (seq Row), {in qs, forall i, asked_once_of i (t i)} &
  seen [seq between (filter (satisfies i) x) (filter (satisfies i) x') (t i) | i <- qs] P Q.
Proof.
move=> + A; elim: A => {qs Y P Q} [_|i qs Y Z M P Q iqs m _ IH u].
  by exists (fun=> Given [::]) => //; apply: (@Says _ _ _ tt) => -[].
have /fin_all_exists[t Ht] y : exists t : I -> given (seq Row), {in rem i qs, forall j, asked_once_of j (t j)} /\
    seen [seq between (filter (satisfies j) x) (filter (satisfies j) x') (t j) | j <- rem i qs] (P y) (Q y).
  by have [t h1 h2] := IH y (rem_uniq i u); exists t.
have [t' [H1 H2]] := merged_given (fun y => proj1 (Ht y)).
pose t1 j := if j == i then Given [:: one_question M] else t' j.
have same j : j \in rem i qs -> t1 j = t' j.
  by rewrite mem_rem_uniq // inE /t1 => /andP[/negbTE ->].
exists t1 => [j jqs q|].
  rewrite /t1; case: (eqVneq j i) => [->|ji]; first by case=> [<-|//]; exists Y, M.
  by apply: H1; rewrite mem_rem_uniq // inE ji.
pose f j := between (filter (satisfies j) x) (filter (satisfies j) x') (t1 j).
apply: (@seen_permutation (map f (i :: rem i qs)) _ _ _ _ _ (Permutation_map f (permutation_to_rem iqs))).
have -> : map f (i :: rem i qs) = Tree [:: answers (M (filter (satisfies i) x)) (M (filter (satisfies i) x'))] ::
    [seq between (filter (satisfies j) x) (filter (satisfies j) x') (t' j) | j <- rem i qs].
  rewrite /= {1}/f /t1 eqxx; congr (_ :: _); first by congr (Tree [:: _]); exact: between_question.
  by apply/eq_in_map => j /same e; rewrite /f e.
apply: seen_answer => y; have [_ S] := Ht y; apply: seen_more S _ _.
by elim: (rem i qs) => //= j js IHj; constructor=> //; exact: H2.
Qed.

Lemma in_turn_of_queries x x' qs (Y : finType) (P Q : Y -> R) :
  {in qs, forall i, proper_notion (parameters i)} -> uniq qs -> answered_in_turn x x' qs P Q ->
  seen_of_queries near x x' qs P Q.
Proof.
move=> W u /(in_turn_seen u)[t once S]; exists t => // i iqs.
exact: once_interactive (W i iqs) (once i iqs).
Qed.
End Model.

Section Below.
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> notion).

Lemma answered_turns x x' qs (Y : finType) (P Q : Y -> R) :
  answered (of_notion G) satisfies parameters x x' qs P Q ->
  answered_in_turn satisfies parameters (fun _ => @neighbours Row) x x' qs P Q.
Proof.
elim=> [|i {}qs {}Y Z M {}P {}Q iqs [o d p] _ IH]; [exact: InTurnAll|exact: InTurnQuery].
Qed.

Lemma answered_on_turns x x' qs (Y : finType) (P Q : Y -> R) :
  answered_on (of_notion G) satisfies parameters x x' qs P Q ->
  answered_in_turn satisfies parameters (near_replaced satisfies) x x' qs P Q.
Proof.
elim=> [|i {}qs {}Y Z M {}P {}Q iqs [o d p] _ IH]; first exact: InTurnAll.
by apply: InTurnQuery => //; split=> // y y' [z [z' [nz -> ->]]]; exact: p.
Qed.

Theorem workload_concurrent_lower qs epsilon delta :
  {in qs, forall i, proper_notion (parameters i)} -> uniq qs ->
  workload_lower (of_notion G) satisfies parameters qs epsilon delta ->
  workload_breaks_concurrently satisfies parameters qs epsilon delta.
Proof.
move=> W u [x [x' [n [Y [P [Q [A no]]]]]]]; exists x, x'; split=> //; exists Y, P, Q; split=> //.
exact: in_turn_of_queries W u (answered_turns A).
Qed.

Theorem replace_concurrent_lower qs epsilon delta :
  {in qs, forall i, proper_notion (parameters i)} -> uniq qs ->
  replace_lower (of_notion G) satisfies parameters qs epsilon delta ->
  replace_breaks_concurrently satisfies parameters qs epsilon delta.
Proof.
move=> W u [x [x' [n [Y [P [Q [A no]]]]]]]; exists x, x'; split=> //; exists Y, P, Q; split=> //.
exact: in_turn_of_queries W u (answered_on_turns A).
Qed.
End Below.

Global Arguments workload_breaks_concurrently _ _ _ _ _ _%R _%R.
Global Arguments replace_breaks_concurrently _ _ _ _ _ _%R _%R.
