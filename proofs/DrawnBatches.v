(** A batch of a fixed size: so many of the records, each as likely as any other, with normal noise on their sum.

    It is an epoch of one batch (BatchesInOrder.v), and what is told of it may be any function of the answer
    ([told_of_draw]).  Where a record is replaced, the batch with it, with its neighbour and with another record
    instead are each two normal laws 2/deviation apart, so that by convexity one curve bounds what they reveal
    ([call_of_one_curve]): the profile is that of a record that takes part by chance ([draw_replaced]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian NoiseLedgers.
From ExactDP Require Import ThreeLaws BatchesInOrder GaussianBatches.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Place p is in batch [p %/ size], and none has a place beyond the last. *)
Definition in_batches (size n : nat) (p : 'I_n) : nat := (p %/ size)%N.

(** What records contribute has a size of at most 1, and step t tells of the sum of batch t, with normal noise:
    any of these may depend on earlier answers.  One record differs, as [contributes] says. *)
Definition told_of_batches (s : sides) (deviation : R) (T b n : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (V : zmodType) (size : V -> R) (Z : finType) (noise : nat -> seq Z -> V -> Z -> R)
    (x x' : contributions Z V n) (one : 'I_n) (told : T.-tuple Z -> Y),
  [/\ size 0 = 0, forall u u', size (u - u') <= size u + size u', of_normal_noise size deviation noise &
  [/\ forall t past i, size (x t past i) <= 1 /\ size (x' t past i) <= 1,
    forall t past i, i != one -> x t past i = x' t past i,
    forall t past, match s with
      | WithRecord => x' t past one = 0 | WithoutRecord => x t past one = 0 | WithEither => True end &
    (forall y, P y = \sum_(z | told z == y) shuffled (T := T) (@in_batches b n) noise x z) /\
    (forall y, Q y = \sum_(z | told z == y) shuffled (T := T) (@in_batches b n) noise x' z)]].

Lemma told_of_batches_back deviation T b n (Y : finType) (P Q : Y -> R) :
  told_of_batches WithEither deviation T b n P Q -> told_of_batches WithEither deviation T b n Q P.
Proof.
move=> [V [size [Z [noise [x [x' [one [told [size0 sizeB normal [small alike _ [p q]]]]]]]]]]].
exists V, size, Z, noise, x', x, one, told; split=> //; split=> // [t past i|t past i /alike -> //].
by have [] := small t past i.
Qed.

(** --- one step --- *)

Section OneStep.
Variables (R : realFieldType) (Y : finType) (w0 w y : R) (base one other : step_law R Y).
Hypotheses (w_gt0 : 0 < w).

Lemma epoch_of_one (changed : step_law R Y) (z : Y) :
  epoch (T := 1) w0 (fun=> w) base changed (cons_tuple z [tuple]) = w0 * base 0%N [::] z + w * changed 0%N [::] z.
Proof. by rewrite /epoch /unchanged /changed_at !big_ord1 eqxx !tnth0. Qed.

Lemma divergence_of_one : hockey_stick 1 y (epoch (T := 1) w0 (fun=> w) base one) (epoch w0 (fun=> w) base other) =
  w * call y (w0 * (y - 1) / w) (one 0%N [::]) (other 0%N [::]) (base 0%N [::]).
Proof.
rewrite /hockey_stick sum_tuples mulr_sumr; apply: eq_bigr => z _; rewrite sum_tuples0 !epoch_of_one.
rewrite -posM ?(ltW w_gt0) //; congr pos; rewrite mul1r; field; exact: lt0r_neq0.
Qed.
End OneStep.

(** --- three laws by one curve --- *)

Lemma call_of_one_curve (Y : finType) (P Q B : Y -> R) (y v h : R) : 0 <= y -> 0 <= v -> 0 < y + v ->
  hockey_stick 1 (y + v) P Q <= h -> hockey_stick 1 (y + v) P B <= h -> call y v P Q B <= h.
Proof.
move=> y0 v0 s0 q b; rewrite -(ler_pmul2l s0); apply: (@le_trans _ _ (y * h + v * h)); last by rewrite mulrDl.
apply: le_trans (ler_add (ler_wpmul2l y0 q) (ler_wpmul2l v0 b)).
rewrite !mulr_sumr -big_split; apply: ler_sum => z _ /=.
rewrite -!posM ?(ltW s0) //; apply: le_trans (posD _ _); apply: le2_pos.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(** What is told of both is no more. *)
Lemma told_divergence (Z Y : finType) (told : Z -> Y) (S T : Z -> R) (P Q : Y -> R) (y h : R) :
  (forall k, P k = \sum_(z | told z == k) S z) -> (forall k, Q k = \sum_(z | told z == k) T z) ->
  hockey_stick 1 y S T <= h -> hockey_stick 1 y P Q <= h.
Proof.
move=> p q; apply: le_trans; rewrite [X in _ <= X](partition_big told xpredT) //=; apply: ler_sum => k _.
by rewrite p q !mulr_sumr -sumrB; exact: pos_of_sum.
Qed.

(** --- a draw of a fixed size --- *)

Section Draw.
Variables (m n : nat).
Hypotheses (m0 : (0 < m)%N) (mn : (m < n)%N).

Lemma share_of_draw : share _ (@in_batches m n) 0 = m%:R / n%:R :> R.
Proof.
rewrite /share; congr (_ / _); rewrite (eq_bigl (fun p : 'I_n => (p < m)%N)) => [|p].
  by rewrite -(big_ord_widen n (fun=> 1) (ltnW mn)) sumr_const card_ord.
by rewrite /in_batches eqn_leq leq0n andbT leqNgt divn_gt0 // -ltnNge.
Qed.

Lemma share_left_of_draw : share_left _ 1 (@in_batches m n) = 1 - m%:R / n%:R :> R.
Proof.
have n0 : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n (leq_trans _ mn).
rewrite -share_of_draw /share /share_left; apply: (mulIf n0); rewrite mulrBl mul1r !divfK //.
have <- : \sum_(p : 'I_n) 1 = n%:R :> R by rewrite sumr_const card_ord.
rewrite [X in _ = X - _](bigID (fun p : 'I_n => in_batches m p == 0%N)) /= addrC addKr.
by apply: eq_bigl => p; rewrite lt0n.
Qed.

(** Where the record is replaced: what a record reveals that takes part by chance, of a batch that it moves by 2. *)
Theorem draw_replaced (deviation y : R) (Y : finType) (P Q : Y -> R) : 0 < deviation -> 1 <= y ->
  told_of_batches WithEither deviation 1 m n P Q ->
  hockey_stick 1 y P Q <= sampled_curve (m%:R / n%:R)%R (NormalCurve (2%:R / deviation)%R) y.
Proof.
move=> d0 y1 [V [size [Z [noise [x [x' [one [told [size0 sizeB normal [small alike _ [p q]]]]]]]]]]].
apply: (told_divergence p q); set w : R := m%:R / n%:R.
have y0 : 0 <= y by exact: le_trans ler01 y1.
have n0 : 0 < n%:R :> R by rewrite ltr0n (leq_trans _ mn).
have w0 : 0 < w by rewrite divr_gt0 // ltr0n.
have w1 : w < 1 by rewrite ltr_pdivr_mulr // mul1r ltr_nat.
pose free : 'I_n := Ordinal mn; pose first : 'I_n := Ordinal (ltn_trans m0 mn).
have free_out : (1 <= in_batches m free)%N by rewrite /in_batches divnn m0.
have in_all t : (t < 1)%N -> exists p0 : 'I_n, in_batches m p0 = t.
  by rewrite ltnS leqn0 => /eqP ->; exists first; rewrite /in_batches div0n.
apply: (shuffled_by_orders free_out in_all (y := y)) => [t past i _|order begins]; first exact: alike.
have at_0 (t : 'I_1) : share _ (@in_batches m n) t = w :> R by rewrite ord1 share_of_draw.
have same (changed base : step_law [realFieldType of R] Z) (z : 1.-tuple Z) :
    epoch (T := 1) (share_left _ 1 (@in_batches m n)) (share _ (@in_batches m n)) base changed z =
    epoch (1 - w) (fun=> w) base changed z.
  by rewrite /epoch share_left_of_draw; congr (_ + _); apply: eq_bigr => t _; rewrite at_0.
rewrite /hockey_stick; under eq_bigr do rewrite !same; rewrite -/(hockey_stick 1 y _ _) divergence_of_one //.
rewrite /sampled_curve; have -> : (y <= 1 - w) = false.
  by apply/negbTE; rewrite -ltNge; apply: lt_le_trans y1; rewrite ltr_subl_addr ltr_addl.
rewrite ler_pmul2l //; set v := (1 - w) * (y - 1) / w.
have v0 : 0 <= v by apply: divr_ge0 (ltW w0); apply: mulr_ge0; rewrite subr_ge0 // ltW.
have e : y + v = (y - (1 - w)) / w by rewrite /v; field; rewrite gt_eqF.
rewrite -e; have s0 : 0 < y + v by apply: lt_le_trans (_ : y <= _); [exact: lt_le_trans y1|rewrite ler_addl].
apply: (call_of_mean (x' := x') free_out in_all _ begins) => // [t past i _|s i i1]; first exact: alike.
have [s1 s1'] := small 0%N [::] one; have [si _] := small 0%N [::] i.
have near u u' : size u <= 1 -> size u' <= 1 -> hockey_stick 1 (y + v) (noise 0%N [::] (s + u)) (noise 0%N [::] (s + u')) <=
    G (2%:R / deviation)%R (ln (y + v)).
  move=> h h'; have : size (s + u - (s + u')) <= 2%:R.
    rewrite opprD addrACA subrr add0r; apply: le_trans (sizeB _ _) _.
    by rewrite -[2%:R]/(1 + 1); exact: ler_add.
  move/normal => /(_ 0%N [::])[_ _ /(_ (ln (y + v)))[/events_hockey_stick]]; rewrite exp_ln; last exact/RltP.
  by move=> le _.
by apply: call_of_one_curve => //; exact: near.
Qed.
End Draw.
