(** Lists merged in the order of their keys, for tables that are not on a grid.

    That merging keeps every sum is proved of all lists; that equal keys meet rests on the order of
    the lists, decides how long a table is, and is not needed. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import Rules Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Merging.
Variables (T : Type) (compare : T -> T -> comparison) (join : T -> T -> T).

(** The smallest last. *)
Fixpoint merged_onto (s : seq T) : seq T -> seq T -> seq T :=
  fix inner t acc :=
  match s, t with
  | [::], _ => catrev t acc
  | _, [::] => catrev s acc
  | x :: s', y :: t' =>
      match compare x y with
      | Lt => merged_onto s' t (x :: acc)
      | Eq => merged_onto s' t' (join x y :: acc)
      | Gt => inner t' (y :: acc)
      end
  end.
Definition merged (s t : seq T) : seq T := rev (merged_onto s t [::]).

Fixpoint merged_pairs (ts : seq (seq T)) : seq (seq T) :=
  match ts with
  | s :: t :: ts' => merged s t :: merged_pairs ts'
  | _ => ts
  end.
Fixpoint merged_in_rounds (rounds : nat) (ts : seq (seq T)) : seq T :=
  match rounds with
  | O => foldr merged [::] ts
  | r.+1 => merged_in_rounds r (merged_pairs ts)
  end.
Definition merged_all (ts : seq (seq T)) : seq T := merged_in_rounds (log2_above (size ts)) ts.

(** Joining keeps a property. *)
Section Property.
Variable a : pred T.
Hypothesis joins_a : forall x y, a x -> a y -> a (join x y).

Lemma all_merged s t : all a s -> all a t -> all a (merged s t).
Proof.
have all_catrev u v : all a (catrev u v) = all a u && all a v by rewrite catrevE all_cat all_rev.
suff h acc : all a s -> all a t -> all a acc -> all a (merged_onto s t acc).
  by move=> hs ht; rewrite /merged all_rev h.
elim: s t acc => [|x s IH] t acc.
  case: t => [|y t] // _ ht hacc.
  by rewrite -[merged_onto _ _ _]/(catrev (y :: t) acc) all_catrev ht.
elim: t acc => [|y t IHt] acc hs ht hacc.
  by rewrite -[merged_onto _ _ _]/(catrev (x :: s) acc) all_catrev hs.
have /= /andP[ax as'] := hs; have /= /andP[ay at'] := ht.
by rewrite /=; case: (compare x y); rewrite ?IH ?IHt //= ?ax ?ay ?joins_a.
Qed.

Lemma all_merged_all ts : all (all a) ts -> all a (merged_all ts).
Proof.
have pairs us : all (all a) us -> all (all a) (merged_pairs us).
  have [h _] : (all (all a) us -> all (all a) (merged_pairs us)) /\
      forall s, all (all a) (s :: us) -> all (all a) (merged_pairs (s :: us)).
    elim: us => [|u us [IH1 IH2]]; first by split.
    split=> [|s] //; first exact: IH2.
    by rewrite /= => /and3P[h1 h2 h3]; rewrite all_merged //= IH1.
  exact: h.
rewrite /merged_all; move: (log2_above _) => rounds.
elim: rounds ts => [|r IH] ts h /=; last exact: IH (pairs _ h).
by elim: ts h => [|t ts IH] //= /andP[h1 h2]; rewrite all_merged // IH.
Qed.
End Property.

(** Joining keeps a sum. *)
Variables (V : zmodType) (F : T -> V).
Hypothesis joins : forall x y, compare x y = Eq -> F (join x y) = F x + F y.
Let sum (s : seq T) := \sum_(x <- s) F x.

Lemma sum_catrev s t : sum (catrev s t) = sum s + sum t.
Proof.
elim: s t => [|x s IH] t; rewrite /sum ?big_nil ?add0r //=.
by rewrite -/(sum _) IH /sum !big_cons addrCA addrA.
Qed.

Lemma sum_merged s t : sum (merged s t) = sum s + sum t.
Proof.
suff h acc : sum (merged_onto s t acc) = sum s + sum t + sum acc.
  by rewrite /merged /rev sum_catrev h /sum !big_nil !addr0.
have nil : sum [::] = 0 by rewrite /sum big_nil.
have cons z r : sum (z :: r) = F z + sum r by rewrite /sum big_cons.
elim: s t acc => [|x s IH] t acc.
  case: t => [|y t]; first by rewrite nil !add0r.
  by rewrite -[merged_onto _ _ _]/(catrev (y :: t) acc) sum_catrev nil add0r.
elim: t acc => [|y t IHt] acc.
  by rewrite -[merged_onto _ _ _]/(catrev (x :: s) acc) sum_catrev nil addr0.
rewrite /=; case e: (compare x y); rewrite ?IH ?IHt !cons ?joins //.
- by rewrite addrCA [in RHS]addrACA -!addrA.
- by rewrite addrCA !addrA.
- by rewrite addrACA !addrA.
Qed.

Lemma sum_merged_all ts : sum (merged_all ts) = \sum_(t <- ts) sum t.
Proof.
have pairs us : \sum_(t <- merged_pairs us) sum t = \sum_(t <- us) sum t.
  have [h _] : \sum_(t <- merged_pairs us) sum t = \sum_(t <- us) sum t /\
      forall s, \sum_(t <- merged_pairs (s :: us)) sum t = \sum_(t <- s :: us) sum t.
    elim: us => [|u us [IH1 IH2]]; first by split.
    by split=> // s /=; rewrite !big_cons IH1 sum_merged addrA.
  exact: h.
rewrite /merged_all; move: (log2_above _) => rounds.
elim: rounds ts => [|r IH] ts /=; last by rewrite IH pairs.
by elim: ts => [|t ts IH] /=; rewrite ?big_cons ?sum_merged ?IH // /sum !big_nil.
Qed.
End Merging.
