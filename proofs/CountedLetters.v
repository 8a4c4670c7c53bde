(** Letters of shuffled reports by their counts (SPEC, 7.4): a sum over all sequences of letters is one over how
    many there are of both in question, and of others. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions NoiseLedgers ShuffledReports.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** No letter is none of these. *)
Definition of_letter (L : finType) (p : pred L) : pred (option L) := fun o => if o is Some l then p l else false.

Lemma card_of_letter (L : finType) (p : pred L) : #|of_letter p| = #|p|.
Proof.
have inj : injective (@Some L) by move=> a b [->].
rewrite -(card_image inj p); apply: eq_card => -[l|].
  by rewrite (mem_image inj) !unfold_in.
by rewrite unfold_in /=; apply/esym/negbTE/imageP => -[].
Qed.

(** a + b + o letters of n, with what is gained by them. *)
Definition counted_letters (n : nat) (c d pa pb po : R) (a b o : nat) : R :=
  (c ^+ (a + b + o) * d ^+ (n - (a + b + o)) / (c * n%:R) * pos (pa * a%:R + pb * b%:R + po * o%:R))%R.

Section Counted.
Variables (L : finType) (is_a is_b : pred L) (c d pa pb po : R) (gain : option L -> R).
Hypothesis apart : forall l, ~~ (is_a l && is_b l).
Let is_o l := ~~ is_a l && ~~ is_b l.
Hypothesis none : gain None = 0.
Hypothesis gain_is : forall l, gain (Some l) = if is_a l then pa else if is_b l then pb else po.

Let ka (t : seq (option L)) := count (of_letter is_a) t.
Let kb (t : seq (option L)) := count (of_letter is_b) t.
Let ko (t : seq (option L)) := count (of_letter is_o) t.

Lemma letters_fit t : (ka t + kb t + ko t <= size t)%N.
Proof.
elim: t => //= -[l|] t IH; rewrite /ka /kb /ko /= -/(ka t) -/(kb t) -/(ko t) /is_o; last exact: leqW.
have := apart l; case: (is_a l); case: (is_b l) => //= _; rewrite ?add0n ?add1n ?addSn ?addnS; exact: IH.
Qed.

Lemma weighs_letters t : \prod_(o <- t) weighs c d o = c ^+ (ka t + kb t + ko t) * d ^+ (size t - (ka t + kb t + ko t)).
Proof.
elim: t => [|o t IH]; first by rewrite big_nil /= !expr0 mulr1.
rewrite big_cons IH /ka /kb /ko; case: o => [l|] /=; rewrite -/(ka t) -/(kb t) -/(ko t) /is_o.
  by have := apart l; case: (is_a l); case: (is_b l) => //= _;
    rewrite ?add0n ?add1n ?addSn ?addnS subSS exprS mulrA.
by rewrite subSn ?letters_fit // exprS mulrCA.
Qed.

Lemma gain_letters t : \sum_(o <- t) gain o = pa * (ka t)%:R + pb * (kb t)%:R + po * (ko t)%:R.
Proof.
elim: t => [|o t IH]; first by rewrite big_nil /= !mulr0 !addr0.
rewrite big_cons IH /ka /kb /ko; case: o => [l|] /=; rewrite -/(ka t) -/(kb t) -/(ko t) /is_o ?none ?add0r // gain_is.
by have := apart l; case: (is_a l); case: (is_b l) => //= _; rewrite ?add0n ?add1n -?natr1; ring.
Qed.

Theorem by_counts n : \sum_(t : {ffun 'I_n -> option L}) (\prod_i weighs c d (t i)) / (c * n%:R) * pos (\sum_i gain (t i)) =
  by_kinds (of_letter is_a) (of_letter is_b) (of_letter is_o) n (counted_letters n c d pa pb po).
Proof.
rewrite -sum_by_kinds; first last.
- rewrite (@eq_card _ _ (pred1 None)) ?card1 // => -[l|]; rewrite !unfold_in //= /is_o.
  by case: (is_a l); case: (is_b l).
- by move=> -[l|] //=; rewrite /is_o; have := apart l; case: (is_a l); case: (is_b l).
rewrite (reindex (fun t : n.-tuple (option L) => [ffun i => tnth t i])) /=; last first.
  exists (fun f : {ffun 'I_n -> option L} => [tuple f i | i < n]) => [t _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
apply: eq_bigr => t _; have := weighs_letters t; have := gain_letters t.
rewrite /ka /kb /ko size_tuple /counted_letters => <- <-.
by rewrite !big_tuple; congr (_ / _ * pos _); apply: eq_bigr => i _; rewrite ffunE.
Qed.
End Counted.

Lemma binomials_none n g : binomials n 0 g = g 0%N n.
Proof.
rewrite /binomials big_ord_recl /= bin0 expr0 subn0 !mul1r big1 ?addr0 // => i _.
by rewrite /bump /= add1n expr0n /= mulr0 mul0r.
Qed.
