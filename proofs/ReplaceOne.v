(** Workloads where one row replaces another (SPEC, section 8).

    Databases differ in that a row [r] left and a row [r'] entered.  A mechanism for a query gets the
    rows that satisfy it, and is private with the query's parameters for such databases: those
    parameters are stated under this relation.  What changes, then, is what the queries that [r] or
    [r'] satisfies are given.

    [replaced_interleaved] is the argument for every notion of privacy: the answers are an adaptive
    composition of one mechanism for each place, if every query that one of the two rows satisfies
    has a place of its own.  [rule_replace_colouring_any]: two places for each class of queries that
    are disjoint in pairs, of which all queries but one fit into the second.  [rule_two_rows] and
    [rule_two_rows_mixed]: a bound from below for the queries that one of two different rows
    satisfies. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules Notions Failures
  Powers Moments Workloads RulesWorkloads RulesMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Model.
Variables (R : realFieldType) (N : Type) (private : pair_property R N) (Row : eqType).

Definition replaces (r r' : Row) (x x' : seq Row) :=
  exists z, perm_eq x (r :: z) /\ perm_eq x' (r' :: z).
Definition replace_neighbours (x x' : seq Row) := exists r r', replaces r r' x x'.

(** A mechanism that is given the rows of the database which satisfy [p], and is private for
    databases of which one row was replaced. *)
Record mechanism_on (p : pred Row) (n : N) (Y : finType) (M : seq Row -> Y -> R) : Prop :=
  MechanismOn {
    on_order : forall x x', perm_eq x x' -> M x =1 M x';
    on_distribution : forall x, distribution (M x);
    on_private : forall x x', replace_neighbours x x' -> private n (M (filter p x)) (M (filter p x'))
  }.

Variables (I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

(** The answers to queries on two databases, in an order and by mechanisms that may depend on the
    answers before. *)
Inductive answered_on (x x' : seq Row) :
    seq I -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| AnsweredOnAll : answered_on x x' [::] (fun _ : unit => 1) (fun _ : unit => 1)
| AnsweredOnQuery i qs (Y Z : finType) (M : seq Row -> Y -> R) (P Q : Y -> Z -> R) :
    i \in qs -> mechanism_on (satisfies i) (parameters i) M ->
    (forall y, answered_on x x' (rem i qs) (P y) (Q y)) ->
    answered_on x x' qs (fun p : Y * Z => M (filter (satisfies i) x) p.1 * P p.1 p.2)
                        (fun p : Y * Z => M (filter (satisfies i) x') p.1 * Q p.1 p.2).

Lemma replaces_filter (p : pred Row) r r' x x' : replaces r r' x x' -> ~~ p r -> ~~ p r' ->
  perm_eq (filter p x) (filter p x').
Proof.
move=> [z [/(perm_filter p) /= xz /(perm_filter p) /= xz']] hr hr'.
by move: xz xz'; rewrite (negPf hr) (negPf hr') => xz; rewrite perm_sym; exact: perm_trans.
Qed.

Definition touched r r' (i : I) := satisfies i r || satisfies i r'.

Theorem replaced_interleaved (C : eqType) (greatest : C -> N) (place : I -> C) r r' x x' qs :
  replaces r r' x x' -> uniq qs ->
  {in qs &, forall i j, touched r r' i -> touched r r' j -> place i = place j -> i = j} ->
  (forall i (Y : finType) (P Q : Y -> R), i \in qs -> touched r r' i ->
    private (parameters i) P Q -> private (greatest (place i)) P Q) ->
  forall cs (Y : finType) (P Q : Y -> R), uniq cs ->
  {in qs, forall i, touched r r' i -> place i \in cs} ->
  answered_on x x' qs P Q -> interleaved private greatest cs P Q.
Proof.
move=> xx u apart weaker cs Y P Q ucs inside A; elim: A u apart weaker cs ucs inside.
  by move=> *; exact: InterleavedEnd.
move=> i {}qs {}Y Z M {}P {}Q iqs [order dist priv] _ IH u apart weaker cs ucs inside.
have sub j : j \in rem i qs -> j \in qs by exact: mem_rem.
case: (boolP (touched r r' i)) => [hit|]; last first.
  rewrite negb_or => /andP[hr hr']; apply: InterleavedAlike => [//||y].
    by apply: order; exact: replaces_filter xx hr hr'.
  apply: IH => //; first exact: rem_uniq.
  - by move=> j k /sub jqs /sub kqs; exact: apart.
  - by move=> j ? ? ? /sub jqs; exact: weaker.
  - by move=> j /sub jqs; exact: inside.
apply: (InterleavedPrivate (c := place i)); first exact: inside.
  by apply: weaker => //; apply: priv; exists r, r'.
move=> y; apply: IH; rewrite ?rem_uniq //.
- by move=> j k /sub jqs /sub kqs; exact: apart.
- by move=> j ? ? ? /sub jqs; exact: weaker.
move=> j; rewrite mem_rem_uniq // => /andP[/= ji jqs] hj.
rewrite mem_rem_uniq // inE; apply/andP; split; last exact: inside.
by apply: contraNneq ji => e; apply/eqP; apply: apart.
Qed.

(** Two places for each class: [first] for the query at its [top], and for any other if that one is
    not satisfied; [second] for all but the top. *)
Section Places.
Variables (K C : eqType) (class : I -> K) (top : pred I) (first second : K -> C) (qs : seq I).
Hypothesis disjoint : {in qs &, forall i j, i != j -> class i = class j ->
  forall r, ~~ (satisfies i r && satisfies j r)}.
Hypothesis one_top : {in qs &, forall i j, top i -> top j -> class i = class j -> i = j}.
Hypothesis apart : {in qs &, forall i j,
  [/\ first (class i) = first (class j) -> class i = class j,
      second (class i) = second (class j) -> class i = class j & first (class i) <> second (class j)]}.
Variables r r' : Row.

Definition beside_top (i : I) :=
  has (fun j => [&& top j, class j == class i & touched r r' j]) qs.
Definition place (i : I) : C :=
  if top i then first (class i) else
  if beside_top i then second (class i) else
  if satisfies i r then first (class i) else second (class i).

Lemma same_row i j : i \in qs -> j \in qs -> class i = class j ->
  satisfies i r -> satisfies j r -> i = j.
Proof.
move=> iqs jqs e hi hj; apply/eqP; apply: contraT => ij.
by have := disjoint iqs jqs ij e r; rewrite hi hj.
Qed.

Lemma same_row' i j : i \in qs -> j \in qs -> class i = class j ->
  satisfies i r' -> satisfies j r' -> i = j.
Proof.
move=> iqs jqs e hi hj; apply/eqP; apply: contraT => ij.
by have := disjoint iqs jqs ij e r'; rewrite hi hj.
Qed.

Lemma place_class i : place i = first (class i) \/ place i = second (class i) /\ ~~ top i.
Proof. by rewrite /place; case: (top i); do ?case: ifP; auto. Qed.

Lemma beside_class i j : class i = class j -> beside_top i = beside_top j.
Proof. by rewrite /beside_top => ->. Qed.

(** No three queries of a class are satisfied by one of two rows. *)
Lemma no_third i j k : i \in qs -> j \in qs -> k \in qs -> class i = class j -> class i = class k ->
  touched r r' i -> touched r r' j -> touched r r' k -> i != k -> j != k -> i = j.
Proof.
move=> iqs jqs kqs ij ik hi hj hk nik njk; have jk : class j = class k by rewrite -ij.
case/orP: hk => hk; case/orP: hi => hi; case/orP: hj => hj;
  try exact: same_row; try exact: same_row'.
- by move: nik; rewrite (same_row iqs kqs ik hi hk) eqxx.
- by move: njk; rewrite (same_row jqs kqs jk hj hk) eqxx.
- by move: njk; rewrite (same_row' jqs kqs jk hj hk) eqxx.
- by move: nik; rewrite (same_row' iqs kqs ik hi hk) eqxx.
Qed.

Lemma place_injective : {in qs &, forall i j, touched r r' i -> touched r r' j ->
  place i = place j -> i = j}.
Proof.
move=> i j iqs jqs hi hj e.
have ij : class i = class j.
  have [f s n] := apart iqs jqs; have [_ _ n'] := apart jqs iqs.
  case: (place_class i) (place_class j) => [pi|[pi _]] [pj|[pj _]]; rewrite pi pj in e.
  - exact: f.
  - by case: n.
  - by case: n'.
  - exact: s.
have [_ _ n] := apart iqs iqs; move: e; rewrite /place -ij -(beside_class ij).
case: (boolP (top i)) => ti; case: (boolP (top j)) => tj.
- by move=> _; exact: one_top.
- suff -> : beside_top i by move/n.
  by apply/hasP; exists i; rewrite // ti eqxx.
- suff -> : beside_top i by move/esym/n.
  by apply/hasP; exists j; rewrite // tj ij eqxx.
case: (boolP (beside_top i)) => [/hasP[k kqs /and3P[tk /eqP ki hk]] _|_].
  apply: (no_third iqs jqs kqs ij _ hi hj hk) => //.
  - by apply: contraNneq ti => ->.
  - by apply: contraNneq tj => ->.
case: ifP => si; case: ifP => sj.
- by move=> _; exact: same_row.
- by move/n.
- by move/esym/n.
move: hi hj; rewrite /touched si sj /= => hi hj _; exact: same_row'.
Qed.
End Places.
End Model.

Section Statements.
Variables (N : Type) (private : pair_property [realFieldType of R] N).
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

Definition replace_upper qs epsilon delta :=
  forall x x' : seq Row, replace_neighbours x x' -> forall (Y : finType) (P Q : Y -> R),
  answered_on private satisfies parameters x x' qs P Q ->
  indistinguishable (exp epsilon) delta P Q.

Definition replace_lower qs epsilon delta :=
  exists x x' : seq Row, replace_neighbours x x' /\ exists (Y : finType) (P Q : Y -> R),
  answered_on private satisfies parameters x x' qs P Q /\
  ~ indistinguishable (exp epsilon) delta P Q.

(** 11.18 [replace-colouring], for any notion of privacy. *)
Theorem rule_replace_colouring_any (K C : eqType) (class : I -> K) (top : pred I)
    (first second : K -> C) (greatest : C -> N) qs cs epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> class i = class j ->
    forall r, ~~ (satisfies i r && satisfies j r)} ->
  {in qs &, forall i j, top i -> top j -> class i = class j -> i = j} ->
  {in qs &, forall i j, [/\ first (class i) = first (class j) -> class i = class j,
    second (class i) = second (class j) -> class i = class j & first (class i) <> second (class j)]} ->
  {in qs, forall i r, satisfies i r ->
    (first (class i) \in cs /\ forall (Y : finType) (P Q : Y -> R),
       private (parameters i) P Q -> private (greatest (first (class i))) P Q) /\
    (~~ top i -> second (class i) \in cs /\ forall (Y : finType) (P Q : Y -> R),
       private (parameters i) P Q -> private (greatest (second (class i))) P Q)} ->
  interleaved_upper private greatest cs epsilon delta -> replace_upper qs epsilon delta.
Proof.
move=> uqs ucs disjoint one_top apart great up x x' [r [r' xx]] Y P Q A; apply: up.
pose at_place := place satisfies class top first second qs r r'.
have fits i : i \in qs -> touched satisfies r r' i -> at_place i \in cs /\
    forall (Z : finType) (S T : Z -> R), private (parameters i) S T -> private (greatest (at_place i)) S T.
  move=> iqs hi; have [s hs] : exists s, satisfies i s by case/orP: hi; [exists r|exists r'].
  have [one two] := great i iqs s hs.
  rewrite /at_place; case: (place_class satisfies class top first second qs r r' i) => [->|[-> /two]] //.
apply: (replaced_interleaved (place := at_place) xx uqs) A => //.
- exact: place_injective.
- by move=> i Z S T iqs hi; case: (fits i iqs hi) => _; exact.
- by move=> i iqs hi; case: (fits i iqs hi).
Qed.
End Statements.

(** For mechanisms of all three notions; premises about the profile G as in RulesMixedWorkloads.v. *)
Section Mixed.
Variable G : R -> R -> R.
Hypothesis profile_monotone : forall mu mu' e : R, 0 <= mu -> mu <= mu' -> G mu e <= G mu' e.

(** 11.18 [replace-colouring]. *)
Theorem rule_replace_colouring (Row I : eqType) (rows : I -> pred Row) (parameters : I -> notion)
    (K C : eqType) (class : I -> K) (top : pred I) (first second : K -> C) (greatest : C -> notion)
    qs cs epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> class i = class j -> forall r, ~~ (rows i r && rows j r)} ->
  {in qs &, forall i j, top i -> top j -> class i = class j -> i = j} ->
  {in qs &, forall i j, [/\ first (class i) = first (class j) -> class i = class j,
    second (class i) = second (class j) -> class i = class j & first (class i) <> second (class j)]} ->
  {in qs, forall i r, rows i r ->
    (first (class i) \in cs /\ not_more (parameters i) (greatest (first (class i)))) /\
    (~~ top i -> second (class i) \in cs /\ not_more (parameters i) (greatest (second (class i))))} ->
  interleaved_upper (of_notion G) greatest cs epsilon delta ->
  replace_upper (of_notion G) rows parameters qs epsilon delta.
Proof.
move=> uqs ucs disjoint one_top apart great.
apply: (rule_replace_colouring_any uqs ucs disjoint one_top apart) => i iqs r hi.
have [[c le] two] := great i iqs r hi; split.
  by split=> // Y P Q; exact: of_notion_weaker.
by move=> /two[c' le']; split=> // Y P Q; exact: of_notion_weaker.
Qed.

(** From below: the queries' questions are whether the new row is there, or whether the old one is
    not.  A composition of mechanisms for the queries that [r] or [r'] satisfies becomes answers to
    them, between the row [r] alone and the row [r'] alone. *)
Hypothesis profile_of_equals : forall mu e : R, 0 <= mu -> 0 <= G mu e /\ 1 - exp e <= G mu e.

Section Witness.
Variables (Row I : eqType) (rows : I -> pred Row) (parameters : I -> notion) (r r' : Row).
Hypothesis different : r != r'.
Let hit (q : I) := touched rows r r' q.

Definition new_row_seen (p : pred Row) (x : seq Row) := if p r' then r' \in x else r \notin x.

Lemma new_row_seen_filter p : p r || p r' ->
  new_row_seen p (filter p [:: r]) = false /\ new_row_seen p (filter p [:: r']).
Proof.
rewrite /new_row_seen /=; case hr: (p r); case hr': (p r') => //= _.
- by rewrite !inE eqxx eq_sym (negPf different).
- by rewrite !inE eqxx.
- by rewrite !inE eqxx.
Qed.

Lemma seen_mechanism p n (Y : finType) (P Q : Y -> R) : proper_notion n -> of_notion G n P Q ->
  mechanism_on (of_notion G) p n (fun x : seq Row => if new_row_seen p x then Q else P).
Proof.
move=> w h; have [dP dQ _] := h; split=> [x x' xx|x|x x' _]; last 2 first.
- by case: ifP.
- case: ifP => _; case: ifP => _ //; try exact: of_notion_alike.
  exact: satisfies_sym.
by rewrite /new_row_seen !(perm_mem xx).
Qed.

Lemma answered_on_composition ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  all proper_notion ns -> forall qs, all hit qs ->
  Permutation [seq parameters q | q <- qs] ns ->
  answered_on (of_notion G) rows parameters [:: r] [:: r'] qs P Q.
Proof.
elim=> {ns Y P Q} [_ qs _ /Permutation_sym/Permutation_nil|n ns Y Z P Q P' Q' h _ IH /andP[w W] qs hits p].
  by case: qs => // _; exact: AnsweredOnAll.
have [q qqs nq] : exists2 q, q \in qs & parameters q = n.
  have : List.In n [seq parameters q | q <- qs].
    exact: Permutation_in (Permutation_sym p) (or_introl erefl).
  elim: qs {hits p} => //= i qs IHq [<-|/IHq[q qqs nq]]; first by exists i; rewrite ?mem_head.
  by exists q; rewrite ?inE ?qqs ?orbT.
have {}p : Permutation [seq parameters q | q <- rem q qs] ns.
  apply: (@Permutation_cons_inv _ _ _ n); rewrite -{1}nq.
  exact: Permutation_trans (Permutation_sym (rem_permutation _ qqs)) p.
have m : mechanism_on (of_notion G) (rows q) (parameters q)
    (fun x => if new_row_seen (rows q) x then Q else P) by rewrite nq; exact: seen_mechanism.
have rest y : answered_on (of_notion G) rows parameters [:: r] [:: r'] (rem q qs) (P' y) (Q' y).
  by apply: IH => //; apply/allP => i /mem_rem; exact: (allP hits).
have [old new] := new_row_seen_filter (allP hits q qqs).
by have := AnsweredOnQuery qqs m rest; rewrite old new.
Qed.

(** Other queries come first, and have one answer only. *)
Lemma answered_on_constant qs ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  all proper_notion ns -> all (fun q => proper_notion (parameters q)) qs ->
  Permutation [seq parameters q | q <- qs & hit q] ns ->
  exists (Z : finType) (S T : Z -> R),
  answered_on (of_notion G) rows parameters [:: r] [:: r'] qs S T /\
  forall a b, hockey_stick a b S T = hockey_stick a b P Q /\ hockey_stick a b T S = hockey_stick a b Q P.
Proof.
move=> C W; move n : (size qs) => k; elim: k qs n => [|k IH] qs n Wq p.
  move/size0nil: n => n; rewrite n in p *; exists Y, P, Q; split=> //.
  by apply: (answered_on_composition C W) p.
have [hits|/allPn[q qqs miss]] := boolP (all hit qs).
  by exists Y, P, Q; split=> //; apply: (answered_on_composition C W hits); rewrite -{1}(all_filterP hits).
have [|||Z [S [T [A H]]]] := IH (rem q qs).
- by rewrite size_rem // n.
- by apply/allP => i /mem_rem; exact: (allP Wq).
- suff -> : [seq i <- rem q qs | hit i] = [seq i <- qs | hit i] by [].
  elim: qs {n Wq p} qqs => //= i qs IHq; rewrite inE; case: eqVneq => [<- _|qi /= /IHq ->] //.
  by rewrite (negPf miss).
exists (prod_finType unit_finType Z), (fun p => 1 * S p.2), (fun p => 1 * T p.2); split.
  have one : distribution (fun _ : unit => 1 : R).
    by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
  have m : mechanism_on (of_notion G) (rows q) (parameters q) (fun (_ : seq Row) (_ : unit) => 1 : R).
    by split=> // x x' _; apply: (of_notion_alike profile_of_equals) one; exact: (allP Wq).
  exact: (AnsweredOnQuery qqs m (fun _ => A)).
move=> a b; have [<- <-] := H a b.
have e (S' T' : Z -> R) : hockey_stick a b (fun p : unit * Z => 1 * S' p.2) (fun p => 1 * T' p.2) =
    hockey_stick a b S' T'.
  rewrite (hockey_stick_pair (fun=> 1) (fun=> 1) (fun=> S') (fun=> T')) (big_pred1 tt); last by case.
  by rewrite !mulr1.
by rewrite !e.
Qed.

(** 11.17 [two-rows]. *)
Theorem rule_two_rows qs ns epsilon delta :
  all (fun q => proper_notion (parameters q)) qs ->
  Permutation [seq parameters q | q <- qs & hit q] ns -> mixed_lower G ns epsilon delta ->
  replace_lower (of_notion G) rows parameters qs epsilon delta.
Proof.
move=> W p [ns' [p' [Y [P [Q [C low]]]]]]; exists [:: r], [:: r']; split.
  by exists r, r', [::].
have W' : all proper_notion ns'.
  rewrite -(all_permutation _ (Permutation_trans p p')) all_map; apply/allP => q.
  by rewrite mem_filter => /andP[_ /(allP W)].
have [Z [S [T [A H]]]] := answered_on_constant C W' W (Permutation_trans p p').
exists Z, S, T; split=> // [[/events_hockey_stick h1 /events_hockey_stick h2]]; apply: low.
by have [e1 e2] := H 1 (exp epsilon); split; apply/events_hockey_stick; rewrite -?e1 -?e2.
Qed.
End Witness.
End Mixed.
