(** Records that are put into batches one by one, by chance: each is in one of T batches, as likely as another.

    Let it be revealed where all other records are.  Then the record is in batch t with probability 1/T, and the
    epoch is one of three laws: a batch without the record, with it, and with its neighbour ([put_epoch]).  Their
    inequality bounds it ([allocated_three_laws]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy ThreeLaws BatchesInOrder.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Allocated.
Variables (R : realFieldType) (Y : finType) (V : zmodType) (n T : nat).
Variable noise : nat -> seq Y -> V -> Y -> R.             (* what a step tells of a sum *)
Notation batches := {ffun 'I_n -> 'I_T}.
Implicit Types (x : contributions Y V n) (f : batches).

(** The sum of a batch with noise, where record i is in batch f i. *)
Definition told x f : step_law R Y := fun t past => noise t past (\sum_(i | f i == t :> nat) x t past i).
Definition allocated x (z : T.-tuple Y) : R := (\sum_f unchanged (told x f) z) / (T ^ n)%:R.

Variables (one : 'I_n) (first : 'I_T).

Definition put f (t : 'I_T) : batches := [ffun i => if i == one then t else f i].

Lemma batches_by_place (F : batches -> R) : \sum_f F f = \sum_(f : batches | f one == first) \sum_t F (put f t).
Proof.
rewrite (partition_big (fun f : batches => f one) xpredT) //= exchange_big /=; apply: eq_bigr => t _.
rewrite (reindex_onto (put^~ t) (put^~ first)) => [|f /eqP e] /=; last first.
  by apply/ffunP => i; rewrite !ffunE; case: eqP => // ->.
apply: eq_bigl => f; rewrite ffunE !eqxx /=; apply/eqP/eqP => [<-|e]; first by rewrite ffunE eqxx.
by apply/ffunP => i; rewrite !ffunE; case: eqP => // ->.
Qed.

(** A batch without the record, and with it. *)
Definition others x f (t : nat) (past : seq Y) : V := \sum_(i | (i != one) && (f i == t :> nat)) x t past i.
Definition without x f : step_law R Y := fun t past => noise t past (others x f t past).
Definition with_it x f : step_law R Y :=
  fun t past => noise t past (others x f t past + x t past one).

Lemma put_there x f (t : 'I_T) z : unchanged (told x (put f t)) z = changed_at (without x f) (with_it x f) t z.
Proof.
apply: eq_bigr => s _; case: eqP => [->|/eqP st]; congr (noise _ _ _ _).
  rewrite (bigD1 one) /= ?ffunE ?eqxx // addrC; congr (_ + _); apply: eq_bigl => i.
  by rewrite ffunE andbC; have [//|_] := eqVneq i one.
apply: eq_bigl => i; rewrite ffunE; have [_|//] := eqVneq i one.
by apply/negbTE; apply: contraNneq st => e; apply/eqP/esym/val_inj.
Qed.

Lemma put_epoch x f z : \sum_t unchanged (told x (put f t)) z =
  T%:R * epoch (T := T) 0 (fun=> T%:R^-1) (without x f) (with_it x f) z.
Proof.
have T0 : T%:R != 0 :> R by rewrite pnatr_eq0; case: (T) first => // -[].
rewrite /epoch mul0r add0r mulr_sumr; apply: eq_bigr => t _.
by rewrite mulrA divff // mul1r; exact: put_there.
Qed.

Variables (x x' : contributions Y V n) (y : R).
Hypothesis alike : forall t past i, (t < T)%N -> i != one -> x t past i = x' t past i.

Theorem allocated_three_laws (K : finType) (mass value : nat -> K -> R) (cut : nat -> R) :
  (forall t past s, (t < T)%N -> distribution (noise t past s)) ->
  (forall t, (t < T)%N -> distribution (mass t)) ->
  (forall t past s, (t < T)%N -> forall v,
     call y v (noise t past (s + x t past one)) (noise t past (s + x' t past one)) (noise t past s)
     <= call_of (mass t) (value t) v + cut t) ->
  hockey_stick 1 y (allocated x) (allocated x') <=
  mean_above T (fun=> T%:R^-1) mass value 0 + \sum_(t < T) T%:R^-1 * cut t.
Proof.
move=> dN dm calls; set most := (X in _ <= X).
have T0 : 0 < T%:R :> R by rewrite ltr0n; case: (T) first => // -[].
have f0 : (T ^ n)%:R != 0 :> R by rewrite natrX expf_neq0 // gt_eqF.
pose w := T%:R / (T ^ n)%:R : R; have w0 : 0 <= w by rewrite divr_ge0 // ?ler0n.
pose mixed u f := epoch (T := T) 0 (fun=> T%:R^-1) (without u f) (with_it u f).
have as_epochs u z : allocated u z = w * \sum_(f : batches | f one == first) mixed u f z.
  rewrite /allocated batches_by_place /w mulrAC; congr (_ / _); rewrite mulr_sumr.
  by apply: eq_bigr => f _; exact: put_epoch.
have all_places : w * (\sum_(f : batches | f one == first) 1) = 1.
  have := batches_by_place (fun=> 1 : R); rewrite sumr_const card_ffun !card_ord => e.
  apply: (mulIf f0); rewrite mul1r [RHS]e /w mulrAC divfK // mulr_sumr.
  by apply: eq_bigr => f _; rewrite sumr_const card_ord mulr1.
apply: (@le_trans _ _ (\sum_z w * \sum_(f : batches | f one == first) pos (1 * mixed x f z - y * mixed x' f z))).
  apply: ler_sum => z _; rewrite !as_epochs mul1r mulrCA -mulrBr posM // ler_wpmul2l //.
  rewrite mulr_sumr -sumrB; apply: le_trans (pos_of_sum _ _) _.
  by under [X in _ <= X]eq_bigr do rewrite mul1r.
have -> : most = w * ((\sum_(f : batches | f one == first) 1) * most) by rewrite mulrA all_places mul1r.
rewrite -mulr_sumr exchange_big /= ler_wpmul2l // mulr_suml; apply: ler_sum => f _; rewrite mul1r.
have same t past : (t < T)%N -> others x f t past = others x' f t past.
  by move=> tT; apply: eq_bigr => i /andP[i1 _]; exact: alike.
rewrite (eq_bigr (fun z => pos (1 * mixed x f z - y *
    epoch (T := T) 0 (fun=> T%:R^-1) (without x f) (with_it x' f) z))) => [|z _]; last first.
  by congr (pos (_ - _ * _)); apply: epoch_alike => t past tT; rewrite /without same.
rewrite /most -[X in mean_above _ _ _ _ X](mul0r (1 - y)); apply: three_laws_cut => // [t|t past tT|t past tT v].
- by rewrite invr_ge0 ler0n.
- exact: dN.
by rewrite /with_it -same //; exact: calls.
Qed.
End Allocated.
