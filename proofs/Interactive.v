(** Interactive mechanisms on one pair of inputs, written out as trees, and adversaries.

    A tree is a history: its queries are those that may be asked next, and a query is a list of
    answers, each with its probabilities (p, q) on the two inputs and with the history that follows
    ([Tree]).  A history without queries is an end.  The concurrent composition of several trees is
    again a tree ([whole]): any query of any of them may be asked next, and is answered by that
    mechanism's history alone ([queries_whole]).

    An adversary gives, at each history, a weight to each of the queries and to asking no more; it
    may be randomized or, with a single weight of 1, deterministic.  Its view is the sequence of
    queries and answers, and [mass] is the probability of an event of its view on one input. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Trees.
Variable T : Type.

Inductive tree := Tree of seq (seq (T * T * tree)).

Definition queries (t : tree) := let: Tree qs := t in qs.
Definition ending := Tree [::].

Lemma tree_induction (P : tree -> Prop) :
  (forall qs, List.Forall (List.Forall (fun x => P x.2)) qs -> P (Tree qs)) -> forall t, P t.
Proof.
move=> H; fix IH 1; case=> qs; apply: H; move: qs; fix IHqs 1; case=> [|q qs]; constructor.
  by move: q; fix IHq 1; case=> [|x q]; constructor; [exact: IH|exact: IHq].
exact: IHqs.
Qed.

(** Queries to two mechanisms, interleaved: those of the first come first. *)
Fixpoint interleave (t1 : tree) : tree -> tree :=
  let: Tree qs1 := t1 in fix with_first t2 :=
    let: Tree qs2 := t2 in
    Tree ([seq [seq (x.1, interleave x.2 t2) | x <- q] | q <- qs1] ++
          [seq [seq (x.1, with_first x.2) | x <- q] | q <- qs2]).

Definition whole (ts : seq tree) : tree := foldr interleave ending ts.

Lemma queries_interleave t1 t2 : queries (interleave t1 t2) =
  [seq [seq (x.1, interleave x.2 t2) | x <- q] | q <- queries t1] ++
  [seq [seq (x.1, interleave t1 x.2) | x <- q] | q <- queries t2].
Proof. by case: t1 t2 => ? [?]. Qed.

(** The queries of the whole are those of its mechanisms, in their order; an answer replaces the
    history of the mechanism that was asked, and no other. *)
Theorem queries_whole ts : queries (whole ts) =
  flatten [seq [seq [seq (x.1, whole (set_nth ending ts i x.2)) | x <- q]
               | q <- queries (nth ending ts i)] | i <- iota 0 (size ts)].
Proof.
elim: ts => //= t ts IH; rewrite queries_interleave IH map_flatten -map_comp.
rewrite -[1%N]/(1 + 0)%N iotaDl -map_comp; congr (_ ++ flatten _).
apply: eq_map => i /=; rewrite -map_comp; apply: eq_map => q /=.
by rewrite -map_comp.
Qed.
End Trees.
Arguments ending {T}.

Definition map_tree (T U : Type) (f : T -> U) := fix go (t : tree T) : tree U :=
  let: Tree qs := t in Tree [seq [seq (f x.1.1, f x.1.2, go x.2) | x <- q] | q <- qs].

Lemma eq_map_Forall (A B : Type) (f g : A -> B) s :
  List.Forall (fun x => f x = g x) s -> map f s = map g s.
Proof. by elim=> //= x s' -> _ ->. Qed.

Lemma map_interleave (T U : Type) (f : T -> U) t1 t2 :
  map_tree f (interleave t1 t2) = interleave (map_tree f t1) (map_tree f t2).
Proof.
elim/tree_induction: t1 t2 => qs1 IH1; elim/tree_induction => qs2 IH2 /=.
rewrite map_cat -!map_comp; congr (Tree (_ ++ _)).
  apply: eq_map_Forall; elim: IH1 => [|q qs Hq _ IH]; constructor=> //=.
  rewrite -!map_comp; apply: eq_map_Forall; elim: Hq => [|x q' Hx _ IHq]; constructor=> //=.
  by congr pair; exact: Hx.
apply: eq_map_Forall; elim: IH2 => [|q qs Hq _ IH]; constructor=> //=.
rewrite -!map_comp; apply: eq_map_Forall; elim: Hq => [|x q' Hx _ IHq]; constructor=> //=.
by congr pair; exact: Hx.
Qed.

Lemma map_whole (T U : Type) (f : T -> U) ts : map_tree f (whole ts) = whole (map (map_tree f) ts).
Proof. by elim: ts => //= t ts IH; rewrite map_interleave IH. Qed.

Section Adversaries.
Variable R : realFieldType.
Implicit Types (t : tree R) (law : R * R) (side : bool).

(** P or Q of a pair. *)
Definition at_side side law : R := if side then law.2 else law.1.

(** Probabilities: not negative, and of sum 1 for each query on each input. *)
Fixpoint lawful t : bool :=
  let: Tree qs := t in
  all (fun q => all (fun x => [&& 0 <= x.1.1, 0 <= x.1.2 & lawful x.2]) q &&
    (\sum_(x <- q) x.1.1 == 1) && (\sum_(x <- q) x.1.2 == 1)) qs.

Lemma lawful_whole ts : all lawful ts -> lawful (whole ts).
Proof.
elim: ts => //= t1 ts IH /andP[l1 /IH]; move: (whole ts) => {IH ts}.
elim/tree_induction: t1 l1 => qs1 IH1 /= l1; elim/tree_induction => qs2 IH2 l2.
have l2' : lawful (Tree qs2) by [].
rewrite /= all_cat; apply/andP; split.
  elim: IH1 l1 => //= q qs IHq _ IHqs /andP[/andP[/andP[l P] Q] /IHqs ->].
  rewrite !big_map /= P Q !andbT.
  elim: IHq {P Q} l => //= x q' IHx _ IHq' /andP[/and3P[-> -> lx] /IHq' ->].
  by rewrite andbT; apply: IHx.
elim: IH2 l2 {l2'} => //= q qs IHq _ IHqs /andP[/andP[/andP[l P] Q] /IHqs ->].
rewrite !big_map /= P Q !andbT.
elim: IHq {P Q} l => //= x q' IHx _ IHq' /andP[/and3P[-> -> lx] /IHq' ->].
by rewrite andbT; apply: IHx.
Qed.

(** The numbers of the queries and of the answers so far. *)
Definition view := seq (nat * nat).

(** After a view, with n queries to choose from: the weights of 0, ..., n - 1, and n to stop. *)
Definition weights := view -> nat -> nat -> R.
Definition adversary (a : weights) := forall h n,
  (forall j, 0 <= a h n j) /\ \sum_(j < n.+1) a h n j = 1.

(** The sum of f i x_i, counted from n. *)
Section Total.
Variables (A : Type) (f : nat -> A -> R).
Fixpoint total n (s : seq A) : R := if s is x :: s' then f n x + total n.+1 s' else 0.
End Total.

Fixpoint mass side t (a : weights) (event : view -> bool) : R :=
  let: Tree qs := t in
  a [::] (size qs) (size qs) * (event [::])%:R +
  total (fun j q => a [::] (size qs) j *
    total (fun i x => at_side side x.1 *
      mass side x.2 (fun h => a ((j, i) :: h)) (fun h => event ((j, i) :: h))) 0 q) 0 qs.

(** The whole is (ln y, d)-DP on this pair of inputs: for every adversary and event. *)
Definition interactive_dp (ts : seq (tree R)) (y d : R) :=
  all lawful ts /\ forall a event, adversary a -> forall side,
    mass side (whole ts) a event <= y * mass (~~ side) (whole ts) a event + d.

(** Then it holds too of an adversary who tosses a coin, and then is one of several, with an event of
    the coin and the view. *)
Lemma interactive_dp_mixture ts y d (I : finType) (w : I -> R) a event : interactive_dp ts y d ->
  (forall i, 0 <= w i) -> \sum_i w i = 1 -> (forall i, adversary (a i)) -> forall side,
  \sum_i w i * mass side (whole ts) (a i) (event i) <=
  y * (\sum_i w i * mass (~~ side) (whole ts) (a i) (event i)) + d.
Proof.
move=> [_ H] w0 w1 A side; rewrite -[d in _ + d]mul1r -w1 mulr_suml mulr_sumr -big_split /=.
by apply: ler_sum => i _; rewrite mulrCA -mulrDr ler_wpmul2l // H.
Qed.

(** Some adversary tells the inputs apart. *)
Definition interactive_not_dp (ts : seq (tree R)) (y d : R) :=
  all lawful ts /\ exists a event, adversary a /\ exists side,
    y * mass (~~ side) (whole ts) a event + d < mass side (whole ts) a event.

Lemma adversary_after a x : adversary a -> adversary (fun h => a (x :: h)).
Proof. by move=> H h n; exact: H. Qed.

Lemma total_ge0 (A : Type) (f : nat -> A -> R) n s :
  List.Forall (fun x => forall i, 0 <= f i x) s -> 0 <= total f n s.
Proof. by move=> H; elim: H n => //= x s' fx _ IH n; rewrite addr_ge0. Qed.

Lemma mass_ge0 side t a event : lawful t -> adversary a -> 0 <= mass side t a event.
Proof.
elim/tree_induction: t a event => qs IH a event /= l A.
have a0 n j : 0 <= a [::] n j by case: (A [::] n).
rewrite addr_ge0 ?mulr_ge0 ?ler0n //; apply: total_ge0; move: (size qs) => n.
elim: IH l => [|q qs' IHq _ IHqs] /=; first by constructor.
move=> /andP[/andP[/andP[l _] _] l']; constructor; last exact: IHqs.
move=> j; rewrite mulr_ge0 //; apply: total_ge0.
elim: IHq l => [|x q' IHx _ IHq'] /=; first by constructor.
move=> /andP[/and3P[p0 q0 lx] l]; constructor; last exact: IHq'.
move=> i; rewrite mulr_ge0 //; first by case: side {IHx IHq' IHqs}.
by apply: IHx => //; exact: adversary_after.
Qed.

(** The probabilities of all views add up to 1. *)
Lemma mass_all side t a : lawful t -> adversary a -> mass side t a (fun=> true) = 1.
Proof.
elim/tree_induction: t a => qs IH a /= l A; have [_ a1] := A [::] (size qs).
rewrite mulr1 -[RHS]a1 big_ord_recr addrC /= -(big_mkord xpredT); congr (_ + _).
suff H w n : total (fun j q => w j * total (fun i x => at_side side x.1 *
    mass side x.2 (fun h => a ((j, i) :: h)) (fun=> true)) 0 q) n qs =
    \sum_(n <= j < n + size qs) w j by rewrite H add0n.
elim: IH l n => [|q qs' IHq _ IHqs] /=; first by move=> _ n; rewrite addn0 big_geq.
move=> /andP[/andP[/andP[l /eqP P] /eqP Q] l'] n.
rewrite addnS big_ltn ?ltnS ?leq_addr // IHqs //; congr (_ + _).
rewrite -[RHS]mulr1; congr (_ * _); transitivity (\sum_(x <- q) at_side side x.1).
  move: 0%N => m; elim: IHq l m {P Q} => [|x q' IHx _ IHq'] /=; first by rewrite big_nil.
  by move=> /andP[/and3P[_ _ lx] l] m; rewrite big_cons IHq' // IHx ?mulr1.
by case: (side).
Qed.

(** The adversary that asks query c(h) after the view h. *)
Definition deterministic (c : view -> nat) : weights := fun h n j => (j == minn (c h) n)%:R.

Lemma deterministic_adversary c : adversary (deterministic c).
Proof.
move=> h n; split=> [j|]; first exact: ler0n.
have lt : (minn (c h) n < n.+1)%N by rewrite ltnS geq_minr.
rewrite (bigD1 (Ordinal lt)) //= /deterministic eqxx big1 ?addr0 // => j.
by rewrite -val_eqE /= => /negbTE ->.
Qed.
End Adversaries.
