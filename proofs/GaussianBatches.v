(** Batches in a random order with normal noise: the theorem of three laws, as a certificate would use it.

    What a record contributes has a size of at most 1, and a step tells of the noisy sum of its batch what no two
    sums give away better than two normal laws at their distance ([of_normal_noise]); that between which thresholds
    a sum with normal noise lies is of this kind ([normal_cells]).  Where the record contributes nothing on the
    second input, the three laws of a batch are at distances 1, 2 and 1 ([shuffled_zeroed]); where another record
    stands for it, at distances 2, 2 and 2 ([shuffled_replaced]).  With one batch an epoch is a draw of so many
    records, without replacement.  Of records that are put into batches one by one the distances are 1, 1 and 0,
    or 2, 1 and 1 ([allocated_zeroed], [allocated_replaced]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions RulesGaussian ShuffledBatches KnownBatch.
From ExactDP Require Import ThreeLaws ThreeNormalLaws BatchesInOrder AllocatedBatches.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** No two sums at a distance of at most r are told apart better than normal laws r/deviation apart. *)
Definition of_normal_noise (Y : finType) (V : zmodType) (size : V -> R) (deviation : R)
    (noise : nat -> seq Y -> V -> Y -> R) : Prop :=
  forall t past u u' r, size (u - u') <= r ->
  satisfies G (Gaussian (r / deviation)%R) (noise t past u) (noise t past u').

Lemma normal_cells (deviation : R) (thresholds : nat) (cut : nat -> seq 'I_thresholds.+1 -> nat -> R) : 0 < deviation ->
  (forall t past j k, (j < k < thresholds)%N -> cut t past j < cut t past k) ->
  of_normal_noise (fun u : R => `|u|) deviation
    (fun t past u k => @cell_of_sum deviation 1 thresholds (fun=> cut t past) ord0 u k).
Proof.
move=> d0 rises t past u u' r near.
have law m : distribution (fun k : 'I_thresholds.+1 => @cell_of_sum deviation 1 thresholds (fun=> cut t past) ord0 m k).
  split=> [k|]; first exact: (cell_ge0 d0 (rises t past)).
  exact: cells_sum.
split; [exact: law|exact: law|move=> epsilon; split; apply/events_hockey_stick].
  exact: (cells_gaussian epsilon d0 (rises t past) near).
by apply: (cells_gaussian epsilon d0 (rises t past)); rewrite distrC.
Qed.

Section Shuffled.
Variables (Y : finType) (V : zmodType) (n T : nat) (batch : 'I_n -> nat) (noise : nat -> seq Y -> V -> Y -> R).
Variables (size : V -> R) (deviation y : R) (one free : 'I_n) (x x' : contributions Y V n).
Hypotheses (deviation0 : 0 < deviation) (y0 : 0 <= y).
Hypotheses (size0 : size 0 = 0) (sizeB : forall u u', size (u - u') <= size u + size u').
Hypothesis normal : of_normal_noise size deviation noise.
Hypotheses (free_out : (T <= batch free)%N) (in_all : forall t, (t < T)%N -> exists p, batch p = t).
Hypothesis alike : forall t past i, (t < T)%N -> i != one -> x t past i = x' t past i.
Variables (K : finType) (mass value : nat -> K -> R) (cut : nat -> R).
Hypothesis masses : forall t, (t < T)%N -> distribution (mass t).

Theorem shuffled_apart (d_PQ d_PB d_QB : R) : 0 <= d_PQ -> 0 <= d_PB -> 0 <= d_QB ->
  (forall t past i, (t < T)%N -> i != one -> [/\ size (x t past one - x' t past one) <= d_PQ,
     size (x t past one - x t past i) <= d_PB & size (x' t past one - x t past i) <= d_QB]) ->
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (d_PQ / deviation)%R (d_PB / deviation)%R (d_QB / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (shuffled (T := T) batch noise x) (shuffled (T := T) batch noise x') <=
  mean_above T (share _ batch) mass value (share_left _ T batch * (1 - y))%R + \sum_(t < T) share _ batch t * cut t.
Proof.
move=> pq pb qb near above; have d0 d : 0 <= d -> 0 <= d / deviation by move=> ?; rewrite divr_ge0 // ltW.
have apart (s u u' : V) : s + u - (s + u') = u - u' by rewrite opprD addrACA subrr add0r.
apply: (shuffled_three_laws free_out in_all alike) => // [t past s tT|t past s i tT i1 v].
  have [dN _ _] := @normal t past s s (size (s - s)) (lexx _); exact: dN.
have [n1 n2 n3] := near t past i tT i1.
have pair u u' r : size (u - u') <= r ->
    satisfies G (Gaussian (r / deviation)%R) (noise t past (s + u)) (noise t past (s + u')).
  by move=> h; apply: normal; rewrite apart.
have [s1 s2 s3] := And3 (pair _ _ _ n1) (pair _ _ _ n2) (pair _ _ _ n3).
exact: call_of_gaussians (d0 _ pq) (d0 _ pb) (d0 _ qb) y0 s1 s2 s3 (above t tT v).
Qed.

Hypothesis small : forall t past i, size (x t past i) <= 1 /\ size (x' t past i) <= 1.

(** Zero-out: on the second input the record contributes nothing. *)
Theorem shuffled_zeroed : (forall t past, x' t past one = 0) ->
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (1 / deviation)%R (2%:R / deviation)%R (1 / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (shuffled (T := T) batch noise x) (shuffled (T := T) batch noise x') <=
  mean_above T (share _ batch) mass value (share_left _ T batch * (1 - y))%R + \sum_(t < T) share _ batch t * cut t.
Proof.
move=> zeroed; apply: shuffled_apart; rewrite ?ler01 ?ler0n // => t past i tT i1; rewrite zeroed.
have [s1 _] := small t past one; have [si _] := small t past i.
split; apply: le_trans (sizeB _ _) _; rewrite ?size0 ?addr0 ?add0r //.
by rewrite -[2%:R]/(1 + 1); exact: ler_add.
Qed.

(** Replace-one. *)
Theorem shuffled_replaced :
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (2%:R / deviation)%R (2%:R / deviation)%R (2%:R / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (shuffled (T := T) batch noise x) (shuffled (T := T) batch noise x') <=
  mean_above T (share _ batch) mass value (share_left _ T batch * (1 - y))%R + \sum_(t < T) share _ batch t * cut t.
Proof.
apply: shuffled_apart; rewrite ?ler0n // => t past i tT i1; have [s1 s1'] := small t past one.
by have [si _] := small t past i; split; apply: le_trans (sizeB _ _) _; rewrite -[2%:R]/(1 + 1); exact: ler_add.
Qed.
End Shuffled.

Section Allocated.
Variables (Y : finType) (V : zmodType) (n T : nat) (noise : nat -> seq Y -> V -> Y -> R).
Variables (size : V -> R) (deviation y : R) (one : 'I_n) (x x' : contributions Y V n).
Hypotheses (T0 : (0 < T)%N) (deviation0 : 0 < deviation) (y0 : 0 <= y).
Hypotheses (size0 : size 0 = 0) (sizeB : forall u u', size (u - u') <= size u + size u').
Hypothesis normal : of_normal_noise size deviation noise.
Hypothesis alike : forall t past i, (t < T)%N -> i != one -> x t past i = x' t past i.
Hypothesis small : forall t past, size (x t past one) <= 1 /\ size (x' t past one) <= 1.
Variables (K : finType) (mass value : nat -> K -> R) (cut : nat -> R).
Hypothesis masses : forall t, (t < T)%N -> distribution (mass t).

Lemma allocated_apart (d_PQ d_QB : R) : 0 <= d_PQ -> 0 <= d_QB ->
  (forall t past, (t < T)%N -> size (x t past one - x' t past one) <= d_PQ /\ size (x' t past one) <= d_QB) ->
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (d_PQ / deviation)%R (1 / deviation)%R (d_QB / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (allocated (T := T) noise x) (allocated (T := T) noise x') <=
  mean_above T (fun=> T%:R^-1) mass value 0 + \sum_(t < T) T%:R^-1 * cut t.
Proof.
move=> pq qb near above; have d0 d : 0 <= d -> 0 <= d / deviation by move=> ?; rewrite divr_ge0 // ltW.
apply: (allocated_three_laws (Ordinal T0) alike) => // [t past s tT|t past s tT v].
  have [dN _ _] := @normal t past s s (size (s - s)) (lexx _); exact: dN.
have [n1 n3] := near t past tT; have [n2 _] := small t past.
have pair u u' r : size (u - u') <= r ->
    satisfies G (Gaussian (r / deviation)%R) (noise t past (s + u)) (noise t past (s + u')).
  by move=> h; apply: normal; rewrite opprD addrACA subrr add0r.
have alone u r : size u <= r -> satisfies G (Gaussian (r / deviation)%R) (noise t past (s + u)) (noise t past s).
  by move=> h; rewrite -[X in satisfies _ _ _ (noise _ _ X)]addr0; apply: pair; rewrite subr0.
have [s1 s2 s3] := And3 (pair _ _ _ n1) (alone _ _ n2) (alone _ _ n3).
exact: call_of_gaussians (d0 _ pq) (d0 _ ler01) (d0 _ qb) y0 s1 s2 s3 (above t tT v).
Qed.

(** The record added, removed, or zeroed out. *)
Theorem allocated_zeroed : (forall t past, x' t past one = 0) ->
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (1 / deviation)%R (1 / deviation)%R (0 / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (allocated (T := T) noise x) (allocated (T := T) noise x') <=
  mean_above T (fun=> T%:R^-1) mass value 0 + \sum_(t < T) T%:R^-1 * cut t.
Proof.
move=> zeroed; apply: allocated_apart; rewrite ?ler01 // => t past tT; rewrite zeroed size0 subr0.
by have [] := small t past.
Qed.

(** Replace-one. *)
Theorem allocated_replaced :
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (2%:R / deviation)%R (1 / deviation)%R (1 / deviation)%R v
     (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (allocated (T := T) noise x) (allocated (T := T) noise x') <=
  mean_above T (fun=> T%:R^-1) mass value 0 + \sum_(t < T) T%:R^-1 * cut t.
Proof.
apply: allocated_apart; rewrite ?ler01 ?ler0n // => t past tT; have [s1 s1'] := small t past; split=> //.
by apply: le_trans (sizeB _ _) _; rewrite -[2%:R]/(1 + 1); exact: ler_add.
Qed.
End Allocated.
