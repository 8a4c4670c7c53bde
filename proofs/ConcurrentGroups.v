(** Concurrent composition for groups: interactive mechanisms on a path of inputs, each a neighbour of
    the next.

    Such a mechanism is a tree with the probabilities of its answers on every input of the path
    ([along]); on two of the inputs it is a tree as before ([between]).  An adversary plays the same on
    all inputs, so that it says something with a law on each ([seen_along]).  What is proved of
    neighbours is so proved of groups, by steps ([concurrent_group_privacy]) or for what the mechanisms
    are for groups ([concurrent_group_mechanisms]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Notions Failures RulesGaussian RulesGroups RulesGroupsMixed.
From ExactDP Require Import Interactive RulesInteractive Interleaving ConcurrentTheorems ConcurrentAttainment.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** With the probabilities of its answers on every input that is in D; here on those of a path, by their
    numbers. *)
Inductive given (D : Type) := Given of seq (seq ((D -> R) * given D)).
Definition questions (D : Type) (t : given D) := let: Given qs := t in qs.
Notation along := (given nat).

(** On two inputs. *)
Fixpoint between (D : Type) (i j : D) (t : given D) : tree R :=
  let: Given qs := t in Tree [seq [seq ((x.1 i, x.1 j), between i j x.2) | x <- q] | q <- qs].

(** An interactive mechanism of this notion, on n + 1 inputs. *)
Definition interactively_along (n : nat) (m : notion) (t : along) : Prop :=
  (forall i j, (i <= n)%N -> (j <= n)%N -> lawful (between i j t)) /\
  forall i, (i < n)%N -> interactively m (between i i.+1 t).

(** Statements about groups of g; mechanisms on a path of at most g steps. *)
Definition concurrently_of_groups (ns : seq notion) (g : nat) (epsilon delta : R) : Prop :=
  forall n (ts : seq along), (n <= g)%N -> List.Forall2 (interactively_along n) ns ts ->
  forall (Y : finType) (P Q : Y -> R), seen [seq between 0%N n t | t <- ts] P Q ->
  indistinguishable (exp epsilon) delta P Q.
Definition breaks_concurrently_for_groups (ns : seq notion) (g : nat) (epsilon delta : R) : Prop :=
  exists n (ts : seq along), [/\ (n <= g)%N, List.Forall2 (interactively_along n) ns ts &
  exists (Y : finType) (P Q : Y -> R), seen [seq between 0%N n t | t <- ts] P Q /\
    ~ indistinguishable (exp epsilon) delta P Q].

(** --- one adversary on all inputs --- *)

Definition answer (D : Type) (i j : D) (x : (D -> R) * given D) : R * R * tree R := ((x.1 i, x.1 j), between i j x.2).

Lemma queries_between (D : Type) (i j : D) (t : given D) : queries (between i j t) = [seq map (answer i j) q | q <- questions t].
Proof. by case: t. Qed.

Lemma In_map (A B : Type) (f : A -> B) s y : List.In y (map f s) -> exists2 x, List.In x s & y = f x.
Proof. by elim: s => //= x s IH [<-|/IH[z h ->]]; [exists x; [left|]|exists z; [right|]]. Qed.

Lemma map_In (A B : Type) (f : A -> B) s x : List.In x s -> List.In (f x) (map f s).
Proof. by elim: s => //= y s IH [<-|/IH]; [left|right]. Qed.

Lemma nth_error_map (A B : Type) (f : A -> B) s i y : List.nth_error (map f s) i = Some y ->
  exists2 x, List.nth_error s i = Some x & y = f x.
Proof. by elim: s i => [[]//|x s IH [[<-]|i /IH //]]; exists x. Qed.

Lemma map_nth_error (A B : Type) (f : A -> B) s i x : List.nth_error s i = Some x ->
  List.nth_error (map f s) i = Some (f x).
Proof. by elim: s i => [[]//|y s IH [[<-]|i /IH //]]. Qed.

Lemma total_map (A B : Type) (f : A -> B) (g : nat -> B -> R) n s :
  total g n (map f s) = total (fun i x => g i (f x)) n s.
Proof. by elim: s n => //= x s IH n; rewrite IH. Qed.

Lemma map_split (A B : Type) (f : A -> B) s s1 y s2 : map f s = s1 ++ y :: s2 ->
  exists s1' x s2', [/\ s = s1' ++ x :: s2', s1 = map f s1', y = f x & s2 = map f s2'].
Proof.
elim: s s1 => [[]//|x s IH [|z s1] /= [<- e]]; first by exists [::], x, s.
by have [s1' [x' [s2' [-> -> -> ->]]]] := IH _ e; exists (x :: s1'), x', s2'.
Qed.

Lemma nth_choice (A B : Type) (b : B) (q : seq A) (C : nat -> A -> B -> Prop) :
  (forall i x, List.nth_error q i = Some x -> exists b, C i x b) ->
  exists f : nat -> B, forall i x, List.nth_error q i = Some x -> C i x (f i).
Proof.
elim: q C => [C _|x q IH C H]; first by exists (fun=> b) => -[].
have [b0 H0] := H 0%N x erefl; have [i y n|f Hf] := IH (fun i => C i.+1); first exact: (H i.+1 y n).
by exists (fun i => if i is i'.+1 then f i' else b0) => -[|i] y /=; [case=> <-|exact: Hf].
Qed.

Theorem seen_along n (ts : seq along) (Y : finType) (P Q : Y -> R) : seen [seq between 0%N n t | t <- ts] P Q ->
  exists W : nat -> Y -> R, [/\ W 0%N =1 P, W n =1 Q &
  forall i j, seen [seq between i j t | t <- ts] (W i) (W j)].
Proof.
move e : [seq between 0%N n t | t <- ts] => us S; elim: S ts e => {us Y P Q}.
- move=> us Y y P Q HP HQ ts _; exists (fun _ z => (z == y)%:R); split=> [z|z|i j].
  + by rewrite HP.
  + by rewrite HQ.
  + exact: Says.
- move=> us1 u us2 q Y P Q P' Q' h _ IH HP HQ ts e; have [s1 [t [s2 [ets e1 eu e2]]]] := map_split e; subst ts.
  rewrite eu queries_between in h; have {h} [q0 h eq] := In_map h.
  have [|W' H] := @nth_choice _ (nat -> Y -> R) (fun _ _ => 0) q0 (fun k x W => [/\ W 0%N =1 P' k, W n =1 Q' k &
      forall i j, seen [seq between i j t | t <- s1 ++ x.2 :: s2] (W i) (W j)]).
    move=> k x nx; have nx' : List.nth_error q k = Some (answer 0%N n x) by rewrite eq; exact: map_nth_error.
    by apply: (IH k _ nx'); rewrite map_cat e1 e2.
  exists (fun j y => total (fun k x => x.1 j * W' k j y) 0 q0); split=> [y|y|i j].
  + by rewrite HP eq total_map; apply: eq_total_nth => k x /H[start _ _]; rewrite start.
  + by rewrite HQ eq total_map; apply: eq_total_nth => k x /H[_ final _]; rewrite final.
  rewrite map_cat /=; apply: (@Asks _ _ _ _ (map (answer i j) q0) _ _ _ (fun k => W' k i) (fun k => W' k j)).
  + by rewrite queries_between; exact: map_In.
  + move=> k z nz; have [x nx ->] := nth_error_map nz.
    by have [_ _ /(_ i j)] := H k x nx; rewrite map_cat.
  + by move=> y; rewrite total_map.
  + by move=> y; rewrite total_map.
move=> us I Y w P Q P' Q' dw _ IH HP HQ ts e.
have /fin_all_exists[W H] k := IH k ts e.
exists (fun j y => \sum_k w k * W k j y); split=> [y|y|i j].
- by rewrite HP; apply: eq_bigr => k _; have [start _ _] := H k; rewrite start.
- by rewrite HQ; apply: eq_bigr => k _; have [_ final _] := H k; rewrite final.
- by apply: (Tosses dw (P' := fun k => W k i) (Q' := fun k => W k j)) => // k; have [_ _] := H k.
Qed.

Lemma eq_laws (Y : finType) (P Q : Y -> R) : P =1 Q -> P = Q.
Proof. exact: FunctionalExtensionality.functional_extensionality. Qed.

(** Its law on each input, and that neighbours see views. *)
Lemma views_along n ns (ts : seq along) (Y : finType) (P Q : Y -> R) :
  List.Forall2 (interactively_along n) ns ts -> seen [seq between 0%N n t | t <- ts] P Q ->
  exists W : nat -> Y -> R, [/\ W 0%N = P, W n = Q, forall i, (i <= n)%N -> distribution (W i) &
  forall i, (i < n)%N -> views ns (W i) (W i.+1)].
Proof.
move=> H /seen_along[W [W0 Wn S]]; exists W; split; [exact: eq_laws|exact: eq_laws| |] => i le.
  apply: (proj1 (seen_distribution (S i i) _)); rewrite all_map.
  by elim: H {S} => //= m t ns' ts' [l _] _ ->; rewrite /= l.
exists [seq between i i.+1 t | t <- ts]; last exact: S.
by elim: H {S} => [|m t ns' ts' [_ h] _ IH] /=; constructor=> //; exact: h.
Qed.

(** --- the rules of groups --- *)

Theorem concurrent_group_privacy ns g epsilon delta epsilon' delta' :
  (forall (Y : finType) (P Q : Y -> R), views ns P Q -> indistinguishable (exp epsilon) delta P Q) ->
  0 <= epsilon -> 0 <= delta -> epsilon *+ g <= epsilon' ->
  delta * (\sum_(i < g) exp epsilon ^+ i) <= delta' -> concurrently_of_groups ns g epsilon' delta'.
Proof.
move=> U e0 d0 e d n ts le H Y P Q /(views_along H)[W [<- <- D V]].
by apply: (@steps_indistinguishable _ _ _ _ e0 d0 _ g) => // i lt; exact: U (V i lt).
Qed.

Lemma interactively_far n g m m' t : (n <= g)%N -> proper_notion m -> for_group g m m' ->
  interactively_along n m t -> interactively m' (between 0%N n t).
Proof.
move=> le w f I; have [l H] := I; split=> [|Y P Q S]; first exact: l.
have [|W [<- <- D V]] := @views_along n [:: m] [:: t] Y P Q _ S; first by constructor.
apply: (satisfies_for_group le w f D) => i /V[us Hus Si]; inversion Hus as [|? u ? us' h H']; subst.
by inversion H'; subst; case: h => _; apply.
Qed.

Theorem concurrent_group_mechanisms ns ms g epsilon delta : all proper_notion ns ->
  List.Forall2 (for_group g) ns ms ->
  (forall (Y : finType) (P Q : Y -> R), views ms P Q -> indistinguishable (exp epsilon) delta P Q) ->
  concurrently_of_groups ns g epsilon delta.
Proof.
move=> W F U n ts le H Y P Q S; apply: U; exists [seq between 0%N n t | t <- ts] => //.
elim: H ms W F {S} => [|m t ns' ts' h _ IH] ms W F; inversion F as [|? m' ? ms' f F']; subst; first by constructor.
case/andP: W => w W; constructor; [exact: interactively_far f h|exact: IH].
Qed.

(** --- from below --- *)

(** A mechanism on two inputs, on the path of one step. *)
Definition of_two : tree R -> along := fix go (t : tree R) : along :=
  let: Tree qs := t in Given [seq [seq ((fun i => if i is 0 then x.1.1 else x.1.2), go x.2) | x <- q] | q <- qs].

Lemma between_of_two t : between 0%N 1%N (of_two t) = t.
Proof.
elim/tree_induction: t => qs IH /=; congr Tree; rewrite -map_comp -[RHS]map_id; apply: eq_map_Forall.
elim: IH => [|q qs' Hq _ IHqs]; constructor=> //=; rewrite -map_comp -[RHS]map_id; apply: eq_map_Forall.
elim: Hq => [|x q' Hx _ IHq]; constructor=> //=; rewrite Hx; by case: (x) => -[].
Qed.

Lemma lawful_of_two t i j : lawful t -> lawful (between i j (of_two t)).
Proof.
elim/tree_induction: t => qs IH /=; rewrite all_map; elim: IH => //= q qs' Hq _ IHqs.
case/andP=> /andP[/andP[l P] Q] /IHqs ->; rewrite andbT !big_map /=.
have one k : \sum_(x <- q) (match k with 0 => x.1.1 | _ => x.1.2 end) == 1 by case: k.
rewrite (one i) (one j) !andbT {P Q one}; rewrite !all_map; elim: Hq l => //= x q' Hx _ IHq.
case/andP=> /and3P[p0 q0 lx] /IHq ->; rewrite Hx // !andbT.
by apply/andP; split; [case: (i)|case: (j)].
Qed.

Theorem concurrent_group_lower ns g epsilon delta : (0 < g)%N -> breaks_concurrently ns epsilon delta ->
  breaks_concurrently_for_groups ns g epsilon delta.
Proof.
move=> g0 [Y [P [Q [[ts H S] no]]]]; exists 1%N, (map of_two ts); split=> //.
  elim: H {S} => [|n t ns' ts' h _ IH] /=; constructor=> //; split=> [i j _ _|[|//] _].
    by apply: lawful_of_two; case: h.
  by rewrite between_of_two.
exists Y, P, Q; split=> //; rewrite -map_comp (eq_map (f2 := id)) ?map_id // => t /=.
exact: between_of_two.
Qed.

Global Arguments concurrently_of_groups _ _ _%R _%R.
Global Arguments breaks_concurrently_for_groups _ _ _%R _%R.
