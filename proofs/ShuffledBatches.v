(** Shuffled batches (SPEC, 7.1 and 7.4): a training set of records is shuffled, cut into batches, and
    the sum of each batch is released with normal noise.

    A mechanism here has finitely many outputs, so that of each noisy sum is told between which of some
    thresholds it lies ([cell_of_sum]).  Given the order of the records, the sums are independent; all
    orders are equally likely ([epoch_law]).  What is seen of an epoch may be any function of these cells
    ([told_of_batches]), of whatever sizes the batches are ([told_of_epoch]).

    Where the greatest sum lies, each less the size of its batch, is such a function.  On the training data
    where all other records contribute -1 it has one law, whatever the order, whose distribution function is
    a product of T normal ones, as in SPEC ([law_of_greatest]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Epoch.
Variables (deviation : R) (batches records thresholds : nat).
Variable batch : 'I_records -> 'I_batches.      (* of each place in the order *)
Variable cut : 'I_batches -> nat -> R.          (* of each batch, the thresholds *)
Implicit Types (x : 'I_records -> R) (order : 'S_records) (t : 'I_batches).

(** What the records of a batch contribute in all, each record i at the place [order i]. *)
Definition sum_of_batch x order t : R := (\sum_(i | batch (order i) == t) x i)%R.

(** That this sum with noise is below the first thresholds but k - 1. *)
Definition below_cut t (mean : R) (k : nat) : R :=
  (if k is j.+1 then if (j < thresholds)%N then Normal.Phi ((cut t j - mean) / deviation)%R else 1 else 0)%R.
Definition cell_of_sum t (mean : R) (i : nat) : R := (below_cut t mean i.+1 - below_cut t mean i)%R.

Definition epoch_outputs := {ffun 'I_batches -> 'I_thresholds.+1}.
Definition epoch_law x (o : epoch_outputs) : R :=
  ((\sum_order \prod_t cell_of_sum t (sum_of_batch x order t) (o t)) / (records`!)%:R)%R.
End Epoch.

(** Two training sets of records of norm at most 1 that differ in one, of which the contributions are
    [allowed]; and what is told of an epoch's sums. *)
Definition told_of_batches (deviation : R) (batches records : nat) (batch : 'I_records -> 'I_batches)
    (allowed : R -> R -> Prop) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (x x' : 'I_records -> R) (one : 'I_records),
  [/\ forall i, `|x i| <= 1 /\ `|x' i| <= 1, forall i, i != one -> x i = x' i, allowed (x one) (x' one) &
  exists thresholds (cut : 'I_batches -> nat -> R) (told : epoch_outputs batches thresholds -> Y),
  [/\ forall t j k, (j < k < thresholds)%N -> cut t j < cut t k,
    forall y, P y = \sum_(o | told o == y) epoch_law deviation batch cut x o &
    forall y, Q y = \sum_(o | told o == y) epoch_law deviation batch cut x' o]].
Definition told_of_epoch (deviation : R) (batches : nat) (allowed : R -> R -> Prop) (Y : finType) (P Q : Y -> R) : Prop :=
  exists records (batch : 'I_records -> 'I_batches), told_of_batches deviation batch allowed P Q.

Lemma told_of_epoch_back deviation batches (allowed allowed' : R -> R -> Prop) (Y : finType) (P Q : Y -> R) :
  (forall a b, allowed a b -> allowed' b a) -> told_of_epoch deviation batches allowed P Q ->
  told_of_epoch deviation batches allowed' Q P.
Proof.
move=> turn [n [batch [x [x' [one [small same own [k [cut [told [rises p q]]]]]]]]]].
exists n, batch, x', x, one; split; [by move=> i; case: (small i)|by move=> i /same|exact: turn|].
by exists k, cut, told.
Qed.

(** --- the greatest sum --- *)

Lemma telescoped (n j : nat) (a : nat -> R) : (j <= n.+1)%N ->
  \sum_(i < n.+1 | (i < j)%N) (a i.+1 - a i) = a j - a 0%N.
Proof.
move=> jn; rewrite -(big_ord_widen n.+1 (fun i => a i.+1 - a i) jn) -(big_mkord xpredT (fun i => a i.+1 - a i)).
exact: telescope_sumr.
Qed.

Section Maximum.
Variables (deviation : R) (batches records thresholds : nat) (batch : 'I_records -> 'I_batches).
Variables (d : nat -> R) (one : 'I_records) (own : R).

Definition contributions (i : 'I_records) : R := (if i == one then own else -1)%R.
Definition size_of_batch (t : 'I_batches) : nat := #|[pred i | batch i == t]|.
Definition shifted_cut (t : 'I_batches) (j : nat) : R := (d j - (size_of_batch t)%:R)%R.

Lemma contributed (order : 'S_records) t : sum_of_batch batch contributions order t =
  (if t == batch (order one) then own + 1 else 0) - (size_of_batch t)%:R.
Proof.
have -> : (size_of_batch t)%:R = \sum_(i | batch (order i) == t) 1 :> R.
  by rewrite -sumr_const (reindex_inj (@perm_inj _ order)).
rewrite -sumrN /sum_of_batch.
case: eqP => [e|ne].
  rewrite (bigD1 one) ?e //= [X in _ = _ + X](bigD1 one) ?e //= /contributions eqxx.
  have -> : own + 1 + (-1 + \sum_(i | (batch (order i) == batch (order one)) && (i != one)) -1) =
    own + \sum_(i | (batch (order i) == batch (order one)) && (i != one)) -1 by ring.
  by congr (_ + _); apply: eq_bigr => i /andP[_ /negbTE ->].
rewrite add0r; apply: eq_bigr => i /eqP e; rewrite /contributions; case: eqP => // i1.
by case: ne; rewrite -e i1.
Qed.

(** That the greatest is below. *)
Definition maximum_below (k : nat) : R :=
  (if k is j.+1 then
     if (j < thresholds)%N
     then Normal.Phi ((d j - (own + 1)) / deviation)%R * Normal.Phi (d j / deviation)%R ^+ batches.-1 else 1
   else 0)%R.

Lemma all_below (order : 'S_records) (k : nat) :
  \prod_t below_cut deviation thresholds shifted_cut t (sum_of_batch batch contributions order t) k = maximum_below k.
Proof.
have t0 := batch (order one); have b1 : (0 < batches)%N by case: batches t0 => // -[].
case: k => [|j] /=; first by rewrite prodr_const card_ord expr0n; case: batches b1.
case: ifP => // _; last by rewrite big1.
rewrite (bigD1 (batch (order one))) //= contributed eqxx /shifted_cut /=.
have e (n v : R) : d j - n - (v - n) = d j - v by ring.
rewrite e; congr (_ * _); rewrite (eq_bigr (fun=> Normal.Phi (d j / deviation)%R)) => [|t /negbTE ne].
  by rewrite prodr_const cardC1 card_ord.
by rewrite contributed ne e subr0.
Qed.

Definition greatest (o : epoch_outputs batches thresholds) : 'I_thresholds.+1 := inord (\max_t o t).

Lemma greatest_below o k : (k <= thresholds.+1)%N -> (0 < batches)%N ->
  (greatest o < k)%N = [forall t, (o t < k)%N].
Proof.
move=> kt b1; have le t : (o t <= \max_t o t)%N by exact: leq_bigmax.
have lt : (\max_t o t < thresholds.+1)%N.
  by rewrite ltnS; apply/bigmax_leqP => t _; rewrite -ltnS.
rewrite /greatest inordK //; apply/idP/forallP => [h t|h]; first exact: leq_ltn_trans h.
case: k kt h => [|k] kt h; last by rewrite ltnS; apply/bigmax_leqP => t _; rewrite -ltnS.
by have := h (Ordinal b1).
Qed.

Lemma distribution_of_greatest k : (k <= thresholds.+1)%N ->
  \sum_(o | (greatest o < k)%N) epoch_law deviation batch shifted_cut contributions o = maximum_below k.
Proof.
move=> kt; have b1 : (0 < batches)%N by move: (batch one); case: batches => // -[].
rewrite -mulr_suml exchange_big (eq_bigr (fun=> maximum_below k)) => [|order _].
  rewrite sumr_const card_Sn.
  have n0 : (records`!)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; exact: fact_gt0.
  by rewrite -[_ *+ _]mulr_natr -mulrA divff // mulr1.
pose cell t (i : 'I_thresholds.+1) :=
  cell_of_sum deviation thresholds shifted_cut t (sum_of_batch batch contributions order t) i.
pose low := [pred i : 'I_thresholds.+1 | (i < k)%N].
rewrite (eq_bigl (fun o => o \in ffun_on low)) => [|o]; last first.
  by rewrite greatest_below //; apply/forallP/ffun_onP.
rewrite -(all_below order) -(bigA_distr_big low cell); apply: eq_bigr => t _; rewrite /cell.
pose below := below_cut deviation thresholds shifted_cut t (sum_of_batch batch contributions order t).
by rewrite -[RHS]subr0 -[X in _ = _ - X]/(below 0%N) -/(below k); exact: telescoped.
Qed.

Lemma law_of_greatest (y : 'I_thresholds.+1) :
  \sum_(o | greatest o == y) epoch_law deviation batch shifted_cut contributions o =
  maximum_below y.+1 - maximum_below y.
Proof.
have yt := ltn_ord y; rewrite -(distribution_of_greatest yt) -(distribution_of_greatest (ltnW yt)).
apply/esym/eqP; rewrite subr_eq (bigID (fun o => greatest o == y)) /=; apply/eqP; congr (_ + _); apply: eq_bigl => o.
  by rewrite ltnS andbC; case: eqP => //= ->; rewrite leqnn.
by rewrite ltnS [RHS]ltn_neqAle andbC.
Qed.
End Maximum.
