(** Concurrent composition: what an adversary sees who interleaves its questions to several
    interactive mechanisms.

    The mechanisms are trees (Interactive.v), each with its probabilities on two neighbouring inputs.
    [seen ts P Q]: an adversary against the mechanisms ts has the laws P and Q of what it says in the
    end on the two inputs.  It may say something, or ask any mechanism any question that this one can
    be asked now and go on in the light of the answer, or toss a coin.  To say all answers is one way;
    whatever else it says is computed from them.

    [seen_potential]: what is lost at most by a play is bounded by a potential that no question raises.
    [worth]: the most that an adversary against one mechanism gains; [worth_seen]: one gains that. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import PositivePart Privacy Interactive RulesInteractive.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Seen.
Variable F : realFieldType.
Implicit Types (t : tree F) (ts : seq (tree F)) (law : F * F).

Inductive seen : seq (tree F) -> forall Y : finType, (Y -> F) -> (Y -> F) -> Prop :=
| Says ts (Y : finType) (y : Y) (P Q : Y -> F) :
    (forall z, P z = (z == y)%:R) -> (forall z, Q z = (z == y)%:R) -> seen ts P Q
| Asks ts1 t ts2 q (Y : finType) (P Q : Y -> F) (P' Q' : nat -> Y -> F) :
    List.In q (queries t) ->
    (forall i x, List.nth_error q i = Some x -> seen (ts1 ++ x.2 :: ts2) (P' i) (Q' i)) ->
    (forall y, P y = total (fun i x => x.1.1 * P' i y) 0 q) ->
    (forall y, Q y = total (fun i x => x.1.2 * Q' i y) 0 q) -> seen (ts1 ++ t :: ts2) P Q
| Tosses ts (I Y : finType) (w : I -> F) (P Q : Y -> F) (P' Q' : I -> Y -> F) :
    distribution w -> (forall i, seen ts (P' i) (Q' i)) ->
    (forall y, P y = \sum_i w i * P' i y) -> (forall y, Q y = \sum_i w i * Q' i y) -> seen ts P Q.

(** --- sums over answers --- *)

Lemma total_sum (A : Type) (f : nat -> A -> F) n (s : seq A) (I : finType) (g : I -> nat -> A -> F) :
  (forall i x, f i x = \sum_y g y i x) -> total f n s = \sum_y total (g y) n s.
Proof.
move=> H; elim: s n => [|x s IH] n /=; first by rewrite big1.
by rewrite H IH -big_split.
Qed.

(** Equal where the answers are. *)
Lemma eq_total_nth (A : Type) (f g : nat -> A -> F) (s : seq A) :
  (forall i x, List.nth_error s i = Some x -> f i x = g i x) -> total f 0 s = total g 0 s.
Proof.
elim: s f g => [|x s IH] f g H //=; rewrite !total_shift (H 0%N) //; congr (_ + _).
by apply: IH => i y; exact: (H i.+1).
Qed.

Lemma le_total_nth (A : Type) (f g : nat -> A -> F) (s : seq A) :
  (forall i x, List.nth_error s i = Some x -> f i x <= g i x) -> total f 0 s <= total g 0 s.
Proof.
elim: s f g => [|x s IH] f g H //=; rewrite !total_shift ler_add ?(H 0%N) //.
by apply: IH => i y; exact: (H i.+1).
Qed.

Lemma total_ge0_nth (A : Type) (f : nat -> A -> F) (s : seq A) :
  (forall i x, List.nth_error s i = Some x -> 0 <= f i x) -> 0 <= total f 0 s.
Proof.
elim: s f => [|x s IH] f H //=; rewrite total_shift addr_ge0 ?(H 0%N) //.
by apply: IH => i y; exact: (H i.+1).
Qed.

Lemma total_mull (A : Type) (f : nat -> A -> F) c (s : seq A) n :
  c * total f n s = total (fun i x => c * f i x) n s.
Proof. by elim: s n => [|x s IH] n /=; rewrite ?mulr0 // mulrDr IH. Qed.

Lemma total_big (A : Type) (f : A -> F) (s : seq A) n : total (fun=> f) n s = \sum_(x <- s) f x.
Proof. by elim: s n => [|x s IH] n /=; rewrite ?big_nil ?big_cons ?IH. Qed.

(** --- lawful mechanisms --- *)

Lemma all_In (A : Type) (p : pred A) s x : all p s -> List.In x s -> p x.
Proof. by elim: s => //= y s IH /andP[py /IH h] [<-|]. Qed.

Lemma lawful_query t q : lawful t -> List.In q (queries t) ->
  [/\ \sum_(x <- q) x.1.1 = 1, \sum_(x <- q) x.1.2 = 1 &
   forall i x, List.nth_error q i = Some x -> [/\ 0 <= x.1.1, 0 <= x.1.2 & lawful x.2]].
Proof.
case: t => qs l h; have := all_In l h => /andP[/andP[a /eqP P] /eqP Q]; split=> // i x n.
by have /and3P[] := all_In a (List.nth_error_In _ _ n).
Qed.

Lemma seen_distribution ts (Y : finType) (P Q : Y -> F) : seen ts P Q -> all (@lawful F) ts ->
  distribution P /\ distribution Q.
Proof.
elim=> {ts Y P Q}.
- move=> ts Y y P Q HP HQ _; have one (f : Y -> F) : (forall z, f z = (z == y)%:R) -> distribution f.
    move=> H; split=> [z|]; first by rewrite H ler0n.
    by rewrite (bigD1 y) //= H eqxx big1 ?addr0 // => z /negbTE e; rewrite H e.
  by split; exact: one.
- move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ; rewrite all_cat /= => /and3P[l1 l l2].
  have [p1 q1 pos_q] := lawful_query l h.
  have {}IH i x : List.nth_error q i = Some x -> distribution (P' i) /\ distribution (Q' i).
    by move=> n; apply: (IH i x n); rewrite all_cat /= l1 l2; case: (pos_q i x n) => _ _ ->.
  have one (w : F * F * tree F -> F) (f : nat -> Y -> F) (g : Y -> F) : \sum_(x <- q) w x = 1 ->
      (forall i x, List.nth_error q i = Some x -> 0 <= w x /\ distribution (f i)) ->
      (forall y, g y = total (fun i x => w x * f i y) 0 q) -> distribution g.
    move=> w1 H G; split=> [y|].
      by rewrite G; apply: total_ge0_nth => i x /H[w0 [f0 _]]; exact: mulr_ge0.
    under eq_bigr do rewrite G; rewrite -(@total_sum _ (fun i x => \sum_y w x * f i y)) // -w1.
    rewrite -(total_big _ _ 0%N); apply: eq_total_nth => i x /H[_ [_ f1]].
    by rewrite -mulr_sumr f1 mulr1.
  split; [apply: (one (fun x => x.1.1) P') => // i x n|apply: (one (fun x => x.1.2) Q') => // i x n];
    by have [? ? _] := pos_q i x n; have [] := IH i x n.
move=> ts I Y w P Q P' Q' [w0 w1] _ IH HP HQ l.
have one (f : I -> Y -> F) g : (forall i, distribution (f i)) -> (forall y, g y = \sum_i w i * f i y) ->
    distribution g.
  move=> H G; split=> [y|]; first by rewrite G sumr_ge0 // => i _; rewrite mulr_ge0 //; case: (H i).
  under eq_bigr do rewrite G; rewrite exchange_big /= -w1; apply: eq_bigr => i _.
  by rewrite -mulr_sumr; case: (H i) => _ ->; rewrite mulr1.
by split; [apply: (one P') => // i|apply: (one Q') => // i]; case: (IH i l).
Qed.

(** What is said may be said in other words. *)
Lemma seen_map ts (Y Z : finType) (g : Y -> Z) (P Q : Y -> F) : seen ts P Q ->
  seen ts (fun z => \sum_(y | g y == z) P y) (fun z => \sum_(y | g y == z) Q y).
Proof.
move=> S; elim: S g => {ts Y P Q}.
- move=> ts Y y P Q HP HQ g.
  have one (f : Y -> F) z : (forall z, f z = (z == y)%:R) ->
      \sum_(y' | g y' == z) f y' = (z == g y)%:R.
    move=> H; have [->|n] := eqVneq z (g y).
      by rewrite (bigD1 y) //= H eqxx big1 ?addr0 // => x /andP[_ /negbTE e]; rewrite H e.
    by rewrite big1 // => x /eqP e; rewrite H; case: eqP => // xy; rewrite -e xy eqxx in n.
  by apply: (@Says _ _ (g y)) => z; exact: one.
- move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ g.
  apply: (@Asks ts1 t ts2 q _ _ _ (fun i z => \sum_(y | g y == z) P' i y)
    (fun i z => \sum_(y | g y == z) Q' i y)) => // [i x n|z|z]; first exact: IH n g.
  + rewrite big_mkcond /= (eq_bigr (fun y => total (fun i x => if g y == z then x.1.1 * P' i y else 0) 0 q)).
      rewrite -(@total_sum _ (fun i x => \sum_y if g y == z then x.1.1 * P' i y else 0)) //.
      by apply: eq_total => i x; rewrite -big_mkcond /= mulr_sumr.
    move=> y _; case: ifP => // _; by elim: (q) 0%N => //= ? ? IHq n; rewrite -IHq addr0.
  + rewrite big_mkcond /= (eq_bigr (fun y => total (fun i x => if g y == z then x.1.2 * Q' i y else 0) 0 q)).
      rewrite -(@total_sum _ (fun i x => \sum_y if g y == z then x.1.2 * Q' i y else 0)) //.
      by apply: eq_total => i x; rewrite -big_mkcond /= mulr_sumr.
    move=> y _; case: ifP => // _; by elim: (q) 0%N => //= ? ? IHq n; rewrite -IHq addr0.
move=> ts I Y w P Q P' Q' dw _ IH HP HQ g.
apply: (@Tosses ts I _ w _ _ (fun i z => \sum_(y | g y == z) P' i y)
    (fun i z => \sum_(y | g y == z) Q' i y)) => // z.
- by under eq_bigr do rewrite HP; rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr.
- by under eq_bigr do rewrite HQ; rewrite exchange_big; apply: eq_bigr => i _; rewrite mulr_sumr.
Qed.
End Seen.
