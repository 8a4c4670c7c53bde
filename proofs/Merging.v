(** Lists merged in the order of their keys, for tables that are not on a grid.

    That merging keeps every sum is proved of all lists; that equal keys meet rests on the order of
    the lists, decides how long a table is, and is not needed. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Rules Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.

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

(** Joining keeps a sum. *)
Variable F : T -> Z.
Hypothesis joins : forall x y, compare x y = Eq -> F (join x y) = (F x + F y)%coqZ.
Let sum (s : seq T) := zsum [seq F x | x <- s].

Lemma sum_catrev s t : sum (catrev s t) = (sum s + sum t)%coqZ.
Proof.
elim: s t => [|x s IH] t; first by rewrite /sum.
by rewrite [catrev _ _]/= IH /sum /= -/(sum t) -/(sum s); lia.
Qed.

Lemma sum_merged s t : sum (merged s t) = (sum s + sum t)%coqZ.
Proof.
suff h acc : sum (merged_onto s t acc) = (sum s + sum t + sum acc)%coqZ.
  by rewrite /merged /rev sum_catrev h /=; rewrite /sum /=; lia.
have nil : sum [::] = Z0 by []; have cons z r : sum (z :: r) = (F z + sum r)%coqZ by [].
elim: s t acc => [|x s IH] t acc.
  by case: t => [|y t]; rewrite -?[merged_onto [::] _ _]/(catrev _ _) ?sum_catrev nil.
elim: t acc => [|y t IHt] acc.
  by rewrite -[merged_onto _ _ _]/(catrev (x :: s) acc) sum_catrev nil Z.add_0_r.
rewrite /=; case e: (compare x y); rewrite ?IH ?IHt !cons ?joins //; lia.
Qed.

Lemma sum_merged_all ts : sum (merged_all ts) = zsum [seq sum t | t <- ts].
Proof.
have pairs us : zsum [seq sum t | t <- merged_pairs us] = zsum [seq sum t | t <- us].
  have [h _] : zsum [seq sum t | t <- merged_pairs us] = zsum [seq sum t | t <- us] /\
      forall s, zsum [seq sum t | t <- merged_pairs (s :: us)] = zsum [seq sum t | t <- s :: us].
    elim: us => [|u us [IH1 IH2]]; first by split.
    by split=> // s /=; rewrite IH1 sum_merged; lia.
  exact: h.
rewrite /merged_all; move: (log2_above _) => rounds.
elim: rounds ts => [|r IH] ts /=; last by rewrite IH pairs.
by elim: ts => [|t ts IH] //=; rewrite sum_merged IH.
Qed.
End Merging.
