(** Records in a random order, cut into batches, where at least one place is in no batch.

    Of n places in an order, [batch p] is the batch of place p, and a place with [T <= batch p] is in none of the
    T batches.  All orders are equally likely, and nobody is told which it was.  Step t releases [noise t past s],
    where s is what the records of batch t contribute in all; what each contributes may depend on the step and on
    all earlier answers ([released], [shuffled]).

    Two inputs differ in what one record contributes.  Let it begin at a place that is in no batch, in an order
    of which all else is revealed, and then change places with a place drawn from all n: the order is as likely
    as any other ([orders_by_exchange]).  If that place is in no batch, nothing is released otherwise; if it is in
    batch t, that batch has the record in place of another one, which goes where nothing is released
    ([exchanged_epoch]).  So the epoch is one of three laws, and their inequality bounds it, by what one batch
    may release with the record, with its neighbour, and with another record instead ([shuffled_three_laws]). *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From ExactDP Require Import PositivePart Privacy ThreeLaws.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sums.
Variable R : realFieldType.

Lemma pos_of_sum (I : finType) (A : pred I) (F : I -> R) : pos (\sum_(i | A i) F i) <= \sum_(i | A i) pos (F i).
Proof.
elim/big_rec2: _ => [|i a b _ le]; first by rewrite pos_id.
by apply: le_trans (posD _ _) _; rewrite ler_add2l.
Qed.

Lemma orders_by_exchange n (one free : 'I_n) (F : 'S_n -> R) :
  \sum_order F order = \sum_(order : 'S_n | order one == free) \sum_p F (order * tperm free p)%g.
Proof.
rewrite (partition_big (fun order : 'S_n => order one) xpredT) //= exchange_big /=; apply: eq_bigr => p _.
rewrite (reindex_inj (mulIg (tperm free p))) /=; apply: eq_bigl => order.
by rewrite permM -{2}(tpermL free p) (inj_eq perm_inj).
Qed.
End Sums.

Section Shuffled.
Variables (R : realFieldType) (Y : finType) (V : zmodType) (n T : nat).
Variable batch : 'I_n -> nat.                             (* of each place *)
Variable noise : nat -> seq Y -> V -> Y -> R.             (* what a step tells of a sum *)

(** What each record contributes, at each step, after these answers. *)
Definition contributions := nat -> seq Y -> 'I_n -> V.
Implicit Types (x : contributions) (order : 'S_n).

(** The sum of a batch with noise, where record i is at the place [order i]. *)
Definition released x order : step_law R Y :=
  fun t past => noise t past (\sum_(i | batch (order i) == t) x t past i).

Definition shuffled x (z : T.-tuple Y) : R := (\sum_order unchanged (released x order) z) / (n`!)%:R.

(** The chance that a record is in batch t, and in none. *)
Definition share (t : nat) : R := (\sum_(p | batch p == t) 1) / n%:R.
Definition share_left : R := (\sum_(p | (T <= batch p)%N) 1) / n%:R.

Variables (one free : 'I_n).
Hypothesis free_out : (T <= batch free)%N.
Hypothesis in_all : forall t, (t < T)%N -> exists p, batch p = t.

Section Exchange.
Variables (x : contributions) (order : 'S_n).
Hypothesis begins : order one = free.
Let moved p : 'S_n := (order * tperm free p)%g.

Lemma moved_one p : moved p one = p. Proof. by rewrite permM begins tpermL. Qed.

(** The record that makes place for it. *)
Definition instead p : 'I_n := (order^-1)%g p.

Lemma movedE p i t : (t < T)%N -> i != one -> batch (moved p i) == t = (i != instead p) && (batch (order i) == t).
Proof.
move=> tT i1; have if0 : order i != free by rewrite -begins (inj_eq perm_inj).
have -> : (i == instead p) = (order i == p).
  by rewrite /instead; apply/eqP/eqP => [->|<-]; rewrite ?permKV ?permK.
rewrite permM; case: tpermP => [e|->|]; [by rewrite e eqxx in if0| |by move=> _ /eqP/negbTE ->].
by rewrite eqxx /=; apply/eqP => e; move: free_out; rewrite e leqNgt tT.
Qed.

Lemma in_no_batch t : (t < T)%N -> batch (order one) == t = false.
Proof. by move=> tT; apply/eqP => e; move: free_out; rewrite -begins e leqNgt tT. Qed.

(** A batch that is not that of the place is as it was. *)
Lemma released_elsewhere p t past : (t < T)%N -> batch p != t -> released x (moved p) t past = released x order t past.
Proof.
move=> tT pt; congr (noise _ _ _); apply: eq_bigl => i; have [->|i1] := eqVneq i one.
  by rewrite moved_one in_no_batch // (negbTE pt).
rewrite movedE //; have [->|//] := eqVneq i (instead p).
by rewrite /instead permKV (negbTE pt).
Qed.

(** And that of the place has the record instead. *)
Definition rest p t past : V := \sum_(i | (i != instead p) && (batch (order i) == t)) x t past i.

Lemma released_there p t past : (t < T)%N -> batch p = t ->
  released x (moved p) t past = noise t past (rest p t past + x t past one).
Proof.
move=> tT pt; congr (noise _ _ _); rewrite (bigD1 one) /=; last by rewrite moved_one pt.
rewrite addrC; congr (_ + _); apply: eq_bigl => i; have [->|i1] := eqVneq i one.
  by rewrite andbF in_no_batch // andbF.
by rewrite andbT movedE.
Qed.

Lemma released_before p t past : (t < T)%N -> batch p = t ->
  released x order t past = noise t past (rest p t past + x t past (instead p)).
Proof.
move=> tT pt; congr (noise _ _ _); rewrite (bigD1 (instead p)) /=; last by rewrite /instead permKV pt.
by rewrite addrC; congr (_ + _); apply: eq_bigl => i; rewrite andbC.
Qed.

(** The mean over the places of a batch. *)
Definition with_record : step_law R Y := fun t past k =>
  (\sum_(p | batch p == t) released x (moved p) t past k) / (\sum_(p | batch p == t) 1).

Lemma unchanged_elsewhere p z : (T <= batch p)%N ->
  unchanged (T := T) (released x (moved p)) z = unchanged (released x order) z.
Proof.
move=> out; apply: eq_bigr => s _; rewrite released_elsewhere //.
by apply/eqP => e; move: out; rewrite e leqNgt ltn_ord.
Qed.

Lemma unchanged_there (t : 'I_T) p z : batch p = t ->
  unchanged (released x (moved p)) z = changed_at (released x order) (released x (moved p)) t z.
Proof.
move=> pt; apply: eq_bigr => s _; case: eqP => // /eqP st; rewrite released_elsewhere // pt.
by apply: contraNneq st => e; apply/eqP/val_inj.
Qed.

Lemma places_gt0 t : (t < T)%N -> 0 < \sum_(p | batch p == t) 1 :> R.
Proof.
move=> tT; have [p e] := in_all tT; rewrite (bigD1 p) ?e //= ltr_paddr ?ltr01 //.
by apply: sumr_ge0 => i _; exact: ler01.
Qed.

Lemma in_batches (F : 'I_n -> R) :
  \sum_(t < T) \sum_(p | batch p == t) F p = \sum_(p | ~~ (T <= batch p)%N) F p.
Proof.
rewrite (exchange_big_dep xpredT) //= [RHS]big_mkcond /=; apply: eq_bigr => p _; rewrite -ltnNge.
case: (ltnP (batch p) T) => h; first by rewrite (big_pred1 (Ordinal h)) // => t; rewrite eq_sym.
by rewrite big_pred0 // => t; apply/eqP => e; move: h; rewrite e leqNgt ltn_ord.
Qed.

Lemma exchanged_epoch z : \sum_p unchanged (released x (moved p)) z =
  n%:R * epoch (T := T) share_left share (released x order) with_record z.
Proof.
have n0 : n%:R != 0 :> R by rewrite pnatr_eq0; case: (n) one => // -[].
rewrite (bigID (fun p => (T <= batch p)%N)) /= /epoch mulrDr; congr (_ + _).
  rewrite (eq_bigr (fun=> 1 * unchanged (released x order) z)) => [|p out]; last first.
    by rewrite mul1r; exact: unchanged_elsewhere.
  by rewrite -mulr_suml /share_left mulrA [n%:R * _]mulrC divfK.
rewrite -in_batches mulr_sumr; apply: eq_bigr => t _; have many := places_gt0 (ltn_ord t).
rewrite mulrA [n%:R * _]mulrC /share divfK //.
rewrite (eq_bigr _ (fun p e => unchanged_there z (eqP e))) /changed_at.
pose others := \prod_(s < T | s != t) released x order s (take s z) (tnth z s).
have split change : \prod_(s < T) (if s == t then change else released x order) s (take s z) (tnth z s) =
    change t (take t z) (tnth z t) * others.
  by rewrite (bigD1 t) //= eqxx; congr (_ * _); apply: eq_bigr => s /negbTE ->.
rewrite split; under eq_bigr do rewrite split.
by rewrite -mulr_suml mulrA /with_record [X in _ = X * _]mulrC divfK // gt_eqF.
Qed.

Lemma instead_other p t : (t < T)%N -> batch p = t -> instead p != one.
Proof.
by move=> tT pt; apply: contraNneq (negbT (in_no_batch tT)) => <-; rewrite /instead permKV pt.
Qed.
End Exchange.

(** Two inputs that differ in one record, and what a batch may release at most. *)
Variables (x x' : contributions) (y : R).
Hypothesis alike : forall t past i, (t < T)%N -> i != one -> x t past i = x' t past i.

Lemma alike_before order t past : order one = free -> (t < T)%N -> released x order t past = released x' order t past.
Proof.
move=> begins tT; congr (noise _ _ _); apply: eq_bigr => i e; apply: alike => //.
by apply: contraTneq e => ->; rewrite in_no_batch.
Qed.

Lemma epoch_alike w0 w (base base' changed : step_law R Y) (z : T.-tuple Y) :
  (forall t past, (t < T)%N -> base t past = base' t past) -> epoch w0 w base changed z = epoch w0 w base' changed z.
Proof.
move=> e; congr (_ * _ + _); first by apply: eq_bigr => s _; rewrite e.
by apply: eq_bigr => t _; congr (_ * _); apply: eq_bigr => s _; case: eqP => // _; rewrite e.
Qed.

Lemma call_of_mean order t past v most : order one = free -> (t < T)%N ->
  (forall s i, i != one -> call y v (noise t past (s + x t past one)) (noise t past (s + x' t past one))
     (noise t past (s + x t past i)) <= most) ->
  call y v (with_record x order t past) (with_record x' order t past) (released x order t past) <= most.
Proof.
move=> begins tT h; have m0 := places_gt0 tT; set m := \sum_(p | batch p == t) 1 in m0.
pose moved p : 'S_n := (order * tperm free p)%g.
pose gap p k : R := released x (moved p) t past k - y * released x' (moved p) t past k - v * released x order t past k.
apply: (@le_trans _ _ (\sum_k m^-1 * \sum_(p | batch p == t) pos (gap p k))).
  apply: ler_sum => k _; have -> : with_record x order t past k - y * with_record x' order t past k -
      v * released x order t past k = m^-1 * \sum_(p | batch p == t) gap p k.
    rewrite /gap !sumrB -mulr_sumr /with_record -/m.
    have -> : \sum_(p | batch p == t) v * released x order t past k = m * (v * released x order t past k).
      by rewrite mulr_suml; apply: eq_bigr => p _; rewrite mul1r.
    rewrite [in RHS]mulrBr [in RHS]mulrBr [m^-1 * (m * _)]mulrA mulVf ?gt_eqF // mul1r.
    by congr (_ - _ - _); [exact: mulrC|rewrite mulrA mulrC].
  by rewrite posM ?ler_wpmul2l ?invr_ge0 ?pos_of_sum // ltW.
rewrite -mulr_sumr exchange_big /= mulrC ler_pdivr_mulr // mulrC mulr_suml; apply: ler_sum => p /eqP pt.
have other : instead order p != one by exact: instead_other pt.
have := h (rest x order p t past) (instead order p) other; rewrite mul1r /call /gap.
rewrite (released_there _ begins) // (released_there _ begins) // (released_before _ _ _ tT pt) //.
have -> : rest x' order p t past = rest x order p t past.
  apply/esym/eq_bigr => i /andP[_ e]; apply: alike => //.
  by apply: contraTneq e => ->; rewrite in_no_batch.
by [].
Qed.

(** The mean of the divergences that the orders leave. *)
Lemma shuffled_by_orders most :
  (forall order, order one = free ->
     hockey_stick 1 y (epoch (T := T) share_left share (released x order) (with_record x order))
       (epoch share_left share (released x order) (with_record x' order)) <= most) ->
  hockey_stick 1 y (shuffled x) (shuffled x') <= most.
Proof.
move=> each; have n0 : 0 < n%:R :> R by rewrite ltr0n; case: (n) one => // -[].
have f0 : 0 < (n`!)%:R :> R by rewrite ltr0n fact_gt0.
pose w := n%:R / (n`!)%:R : R; have w0 : 0 <= w by rewrite divr_ge0 // ltW.
pose mixed u order := epoch (T := T) share_left share (released u order) (with_record u order).
have as_epochs u z : shuffled u z = w * \sum_(order : 'S_n | order one == free) mixed u order z.
  rewrite /shuffled (orders_by_exchange one free) /w mulrAC; congr (_ / _); rewrite mulr_sumr.
  by apply: eq_bigr => order /eqP begins; exact: exchanged_epoch.
have all_orders : w * (\sum_(order : 'S_n | order one == free) 1) = 1.
  have := orders_by_exchange one free (fun=> 1 : R); rewrite sumr_const card_Sn => e.
  have f1 : (n`!)%:R != 0 :> R by rewrite gt_eqF.
  apply: (mulIf f1); rewrite mul1r [RHS]e /w mulrAC divfK // mulr_sumr.
  by apply: eq_bigr => order _; rewrite sumr_const card_ord mulr1.
apply: (@le_trans _ _ (\sum_z w * \sum_(order : 'S_n | order one == free)
    pos (1 * mixed x order z - y * mixed x' order z))).
  apply: ler_sum => z _; rewrite !as_epochs mul1r mulrCA -mulrBr posM // ler_wpmul2l //.
  rewrite mulr_sumr -sumrB; apply: le_trans (pos_of_sum _ _) _.
  by under [X in _ <= X]eq_bigr do rewrite mul1r.
have -> : most = w * ((\sum_(order : 'S_n | order one == free) 1) * most) by rewrite mulrA all_orders mul1r.
rewrite -mulr_sumr exchange_big /= ler_wpmul2l // mulr_suml.
apply: ler_sum => order /eqP begins; rewrite mul1r; apply: le_trans (each order begins); rewrite le_eqVlt; apply/orP; left; apply/eqP.
apply: eq_bigr => z _; congr (pos (_ - _ * _)); apply: epoch_alike => t past tT.
by rewrite (alike_before past begins tT).
Qed.

Theorem shuffled_three_laws (K : finType) (mass value : nat -> K -> R) (cut : nat -> R) :
  (forall t past s, (t < T)%N -> distribution (noise t past s)) ->
  (forall t, (t < T)%N -> distribution (mass t)) ->
  (forall t past s i, (t < T)%N -> i != one -> forall v,
     call y v (noise t past (s + x t past one)) (noise t past (s + x' t past one)) (noise t past (s + x t past i))
     <= call_of (mass t) (value t) v + cut t) ->
  hockey_stick 1 y (shuffled x) (shuffled x') <=
  mean_above T share mass value (share_left * (1 - y)) + \sum_(t < T) share t * cut t.
Proof.
move=> dN dm calls; apply: shuffled_by_orders => order begins.
apply: three_laws_cut => // [t|t past tT|t past tT v].
- by rewrite divr_ge0 ?ler0n // sumr_ge0 // => p _; exact: ler01.
- exact: dN.
by apply: call_of_mean => // s i i1; exact: calls.
Qed.
End Shuffled.
