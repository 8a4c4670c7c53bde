(** A batch of a fixed size: so many of the records, each as likely as any other, with normal noise on their sum.

    It is an epoch of one batch (BatchesInOrder.v), and what is told of it may be any function of the answer
    ([told_of_batches]).  Where a record is replaced, the batch with it, with its neighbour and with another record
    instead are each two normal laws 2/deviation apart, so that by convexity one curve bounds what they reveal
    ([call_of_one_curve]): the profile is that of a record that takes part by chance ([draw_replaced]).  Where it
    is zeroed out, half-lines bound it ([three_curve]), other ones in either direction ([draw_zeroed]).

    So they do where each record takes part by itself, with a probability q ([told_of_sample]), and one is
    replaced ([sample_replaced]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian NoiseLedgers LineCurves.
From ExactDP Require Import ThreeLaws ThreeNormalLaws BatchesInOrder GaussianBatches.
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

Lemma forward_below (q mu p b t c : R) :
  forward (1 + q * (t - 1))%R ((1 - q) * (t - 1))%R (p * mu)%R (b * mu)%R c <= three_curve q mu p b t.
Proof. exact/RleP/three_below. Qed.

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

Section Calls.
Variables (V : zmodType) (Z Y : finType) (noise : nat -> seq Z -> V -> Z -> R) (x x' : contributions Z V n).
Variables (one : 'I_n) (told : 1.-tuple Z -> Y) (P Q : Y -> R) (y K : R).
Let w : R := (m%:R / n%:R)%R.
Let t : R := ((y - (1 - w)) / w)%R.
Hypothesis y1 : 1 <= y.
Hypothesis alike : forall t past i, i != one -> x t past i = x' t past i.
Hypothesis p : forall y, P y = \sum_(z | told z == y) shuffled (T := 1) (@in_batches m n) noise x z.
Hypothesis q : forall y, Q y = \sum_(z | told z == y) shuffled (T := 1) (@in_batches m n) noise x' z.

Lemma draw_share : 0 < w /\ w < 1.
Proof.
have n0 : 0 < n%:R :> R by rewrite ltr0n (leq_trans _ mn).
by rewrite /w; split; [rewrite divr_gt0 // ltr0n|rewrite ltr_pdivr_mulr // mul1r ltr_nat].
Qed.

Lemma draw_odds (h h' : R -> R) : sampled_curve w (ByCurves h h') y = w * h t.
Proof.
have [w0 w1] := draw_share; rewrite /sampled_curve; have -> : (y <= 1 - w) = false => //.
by apply/negbTE; rewrite -ltNge; apply: lt_le_trans y1; rewrite ltr_subl_addr ltr_addl.
Qed.

Lemma draw_by_calls :
  (forall s i, i != one -> call (1 + w * (t - 1)) ((1 - w) * (t - 1)) (noise 0%N [::] (s + x 0%N [::] one))
     (noise 0%N [::] (s + x' 0%N [::] one)) (noise 0%N [::] (s + x 0%N [::] i)) <= K) ->
  hockey_stick 1 y P Q <= w * K.
Proof.
move=> calls; apply: (told_divergence p q); have [w0 w1] := draw_share.
pose free : 'I_n := Ordinal mn; pose first : 'I_n := Ordinal (ltn_trans m0 mn).
have free_out : (1 <= in_batches m free)%N by rewrite /in_batches divnn m0.
have in_all j : (j < 1)%N -> exists p0 : 'I_n, in_batches m p0 = j.
  by rewrite ltnS leqn0 => /eqP ->; exists first; rewrite /in_batches div0n.
apply: (shuffled_by_orders free_out in_all (y := y)) => [j past i _|order begins]; first exact: alike.
have at_0 (j : 'I_1) : share _ (@in_batches m n) j = w :> R by rewrite ord1 share_of_draw.
have same (changed base : step_law [realFieldType of R] Z) (z : 1.-tuple Z) :
    epoch (T := 1) (share_left _ 1 (@in_batches m n)) (share _ (@in_batches m n)) base changed z =
    epoch (1 - w) (fun=> w) base changed z.
  by rewrite /epoch share_left_of_draw; congr (_ + _); apply: eq_bigr => j _; rewrite at_0.
rewrite /hockey_stick; under eq_bigr do rewrite !same; rewrite -/(hockey_stick 1 y _ _) divergence_of_one //.
rewrite ler_pmul2l //; have -> : (1 - w) * (y - 1) / w = (1 - w) * (t - 1).
  by rewrite /t; field; rewrite gt_eqF.
have ey : y = 1 + w * (t - 1) by rewrite /t; field; rewrite gt_eqF.
rewrite {1}ey; apply: (call_of_mean (x' := x') free_out in_all _ begins) => // j past i _; exact: alike.
Qed.
End Calls.

Section Drawn.
Variables (deviation y : R) (Y : finType) (P Q : Y -> R).
Hypotheses (d0 : 0 < deviation) (y1 : 1 <= y).
Let w : R := (m%:R / n%:R)%R.
Let t : R := ((y - (1 - w)) / w)%R.

Lemma t_ge1 : 1 <= t.
Proof. by have [w0 _] := draw_share; rewrite /t ler_pdivl_mulr // mul1r ler_subr_addl subrK. Qed.
Lemma prices : [/\ 0 <= 1 + w * (t - 1), 0 <= (1 - w) * (t - 1) & 1 + w * (t - 1) + (1 - w) * (t - 1) = t].
Proof.
have [w0 w1] := draw_share; have t1 := t_ge1; split; last by ring.
- by apply: addr_ge0; [exact: ler01|apply: mulr_ge0 (ltW w0) _; rewrite subr_ge0].
by apply: mulr_ge0; rewrite subr_ge0 // ltW.
Qed.

(** Where the record is replaced: what a record reveals that takes part by chance, of a batch that it moves by 2. *)
Theorem draw_replaced : told_of_batches WithEither deviation 1 m n P Q ->
  hockey_stick 1 y P Q <= sampled_curve (m%:R / n%:R)%R (NormalCurve (2%:R / deviation)%R) y.
Proof.
move=> [V [size [Z [noise [x [x' [one [told [size0 sizeB normal [small alike _ [p q]]]]]]]]]]].
have -> : sampled_curve (m%:R / n%:R)%R (NormalCurve (2%:R / deviation)%R) y =
    sampled_curve w (ByCurves (curve_at (NormalCurve (2%:R / deviation)%R)) (fun=> 0)) y by [].
rewrite draw_odds //.
apply: (draw_by_calls alike p q) => s i i1; have [p0 v0 e] := prices.
have [s1 s1'] := small 0%N [::] one; have [si _] := small 0%N [::] i.
have near u u' : size u <= 1 -> size u' <= 1 -> hockey_stick 1 t (noise 0%N [::] (s + u)) (noise 0%N [::] (s + u')) <=
    G (2%:R / deviation)%R (ln t).
  move=> h h'; have : size (s + u - (s + u')) <= 2%:R.
    rewrite opprD addrACA subrr add0r; apply: le_trans (sizeB _ _) _.
    by rewrite -[2%:R]/(1 + 1); exact: ler_add.
  move/normal => /(_ 0%N [::])[_ _ /(_ (ln t))[/events_hockey_stick]]; rewrite exp_ln.
    by move=> le _.
  by apply/RltP; exact: lt_le_trans ltr01 t_ge1.
by apply: call_of_one_curve => //; rewrite e; [exact: lt_le_trans ltr01 t_ge1|exact: near|exact: near].
Qed.

(** Where it contributes nothing on the second input; and the laws exchanged. *)
Theorem draw_zeroed : told_of_batches WithRecord deviation 1 m n P Q ->
  let h := three_curve w (1 / deviation)%R 1%R 2%:R in let h' := three_curve w (1 / deviation)%R 1%R 1%R in
  hockey_stick 1 y P Q <= sampled_curve (m%:R / n%:R)%R (ByCurves h h') y /\
  hockey_stick 1 y Q P <= sampled_curve (m%:R / n%:R)%R (ByCurves h' h) y.
Proof.
move=> [V [size [Z [noise [x [x' [one [told [size0 sizeB normal [small alike zero [p q]]]]]]]]]]] h h'.
have [p0 v0 _] := prices; have i0 : 0 <= 1 / deviation by rewrite divr_ge0 ?ler01 ?(ltW d0).
have two0 : 0 <= 2%:R / deviation by rewrite divr_ge0 ?ler0n ?(ltW d0).
have apart s u u' r : size (u - u') <= r ->
    satisfies G (Gaussian (r / deviation)%R) (noise 0%N [::] (s + u)) (noise 0%N [::] (s + u')).
  by move=> le; apply: normal; rewrite opprD addrACA subrr add0r.
have z := zero 0%N [::]; have s1 j : size (x 0%N [::] j) <= 1 by have [] := small 0%N [::] j.
have minus u : size u <= 1 -> size (0 - u) <= 1.
  by move=> le; apply: le_trans (sizeB _ _) _; rewrite size0 add0r.
have both u u' : size u <= 1 -> size u' <= 1 -> size (u - u') <= 2%:R.
  by move=> l l'; apply: le_trans (sizeB _ _) _; rewrite -[2%:R]/(1 + 1); exact: ler_add.
have most a b K : (forall c, forward (1 + w * (t - 1))%R ((1 - w) * (t - 1))%R a b c <= K) -> forall c', 0 <= c' ->
    above_suprema (1 + w * (t - 1))%R a b c' ((1 - w) * (t - 1))%R K.
  by move=> le c' _; split=> [_ //|]; rewrite ltNge v0.
rewrite !draw_odds //; split.
  apply: (draw_by_calls alike p q) => s i i1; rewrite z.
  apply: (call_of_gaussians i0 two0 i0 p0 (apart _ _ _ _ _) (apart _ _ _ _ _) (apart _ _ _ _ _)).
  - by rewrite subr0.
  - exact: both.
  - exact: minus.
  apply: most i0 => c; have := forward_below w (1 / deviation)%R 1%R 2%:R t c.
  by rewrite [1 * (1 / deviation)]mul1r [2%:R * (1 / deviation)]mulrA mulr1.
have alike' j past i : i != one -> x' j past i = x j past i by move/(alike j past).
apply: (draw_by_calls alike' q p) => s i i1; rewrite z -(alike 0%N [::] i i1).
apply: (call_of_gaussians i0 i0 two0 p0 (apart _ _ _ _ _) (apart _ _ _ _ _) (apart _ _ _ _ _)).
- exact: minus.
- exact: minus.
- exact: both.
apply: most two0 => c; have := forward_below w (1 / deviation)%R 1%R 1%R t c.
by rewrite [1 * (1 / deviation)]mul1r.
Qed.
End Drawn.
End Draw.

(** --- each record by itself --- *)

Section Sampled.
Variables (V : zmodType) (Z : finType) (n : nat) (q : R) (noise : V -> Z -> R).
Implicit Types (x : 'I_n -> V) (A : {set 'I_n}).

(** The probability that these records take part, and no others. *)
Definition take_part A : R := \prod_i (if i \in A then q else 1 - q).
Definition sampled_sum x (z : Z) : R := \sum_A take_part A * noise (\sum_(i in A) x i) z.

Variable one : 'I_n.
Definition others_take_part A : R := \prod_(i | i != one) (if i \in A then q else 1 - q).

Lemma by_others (F : {set 'I_n} -> R) : \sum_A take_part A * F A =
  \sum_(A : {set 'I_n} | one \notin A) others_take_part A * ((1 - q) * F A + q * F (one |: A)).
Proof.
rewrite (bigID (fun A : {set 'I_n} => one \in A)) /= addrC.
have away A : one \notin A -> take_part A = (1 - q) * others_take_part A.
  by move=> h; rewrite /take_part (bigD1 one) //= (negbTE h).
rewrite [X in _ + X](reindex_onto (fun A => one |: A) (fun A => A :\ one)) /=; last first.
  by move=> A h; rewrite setD1K.
rewrite [X in _ + X](eq_bigl (fun A : {set 'I_n} => one \notin A)) => [|A]; last first.
  rewrite setU11 /=; apply/eqP/idP => [<-|h]; first by rewrite !inE eqxx.
  by rewrite setU1K.
rewrite -big_split; apply: eq_bigr => A h /=; rewrite away // mulrDr; congr (_ + _).
  by rewrite mulrA [others_take_part A * _]mulrC.
rewrite /take_part (bigD1 one) //= setU11 mulrA [others_take_part A * q]mulrC; congr (_ * _ * _).
by apply: eq_bigr => i /negbTE ne; rewrite !inE ne.
Qed.

Lemma others_in_all : \sum_(A : {set 'I_n} | one \notin A) others_take_part A = 1.
Proof.
have all1 : \sum_A take_part A = 1.
  have <- : (\prod_(i : 'I_n) \sum_(b : bool) (if b then q else 1 - q)) = 1.
    by rewrite big1 // => i _; rewrite big_bool /= addrC subrK.
  rewrite bigA_distr_bigA (reindex (fun A : {set 'I_n} => [ffun i => i \in A])) /=.
    by apply: eq_bigr => A _; apply: eq_bigr => i _; rewrite ffunE.
  exists (fun f : {ffun 'I_n -> bool} => [set i | f i]) => [A|f] _.
    by apply/setP => i; rewrite inE ffunE.
  by apply/ffunP => i; rewrite ffunE inE.
have := by_others (fun=> 1); under eq_bigr do rewrite mulr1; rewrite all1 => ->.
by apply: eq_bigr => A _; rewrite !mulr1 subrK mulr1.
Qed.

Variables (x x' : 'I_n -> V) (y K : R).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (alike : forall i, i != one -> x i = x' i).

Lemma sampled_by_calls :
  (forall s, call y ((1 - q) * (y - 1) / q) (noise (s + x one)) (noise (s + x' one)) (noise s) <= K) ->
  hockey_stick 1 y (sampled_sum x) (sampled_sum x') <= q * K.
Proof.
move=> calls; have r0 : 0 <= 1 - q by rewrite subr_ge0 ltW.
have w0 A : 0 <= others_take_part A by apply: prodr_ge0 => i _; case: ifP => _ //; exact: ltW.
pose sum A := \sum_(i in A) x i.
have same A : one \notin A -> \sum_(i in A) x' i = sum A.
  by move=> h; apply: eq_bigr => i iA; rewrite -alike //; apply: contraNneq h => <-.
pose gap A z := (1 - q) * (1 - y) * noise (sum A) z + q * (noise (sum A + x one) z - y * noise (sum A + x' one) z).
apply: (@le_trans _ _ (\sum_z \sum_(A : {set 'I_n} | one \notin A) others_take_part A * pos (gap A z))).
  apply: ler_sum => z _; rewrite mul1r /sampled_sum !by_others mulr_sumr -sumrB.
  apply: le_trans (pos_of_sum _ _) _; apply: ler_sum => A h; rewrite -posM // le_eqVlt.
  apply/orP; left; apply/eqP; congr pos; rewrite !(big_setU1 one) //= same // /gap [x one + _]addrC [x' one + _]addrC.
  by rewrite -/(sum A); ring.
rewrite exchange_big /= -[q * K]mul1r -others_in_all mulr_suml; apply: ler_sum => A h.
rewrite -mulr_sumr ler_wpmul2l //; apply: le_trans (ler_wpmul2l (ltW q0) (calls (sum A))); rewrite mulr_sumr.
apply: ler_sum => z _; rewrite -posM ?(ltW q0) // le_eqVlt; apply/orP; left; apply/eqP; congr pos.
by rewrite /gap; field; rewrite gt_eqF.
Qed.
End Sampled.

(** What records contribute has a size of at most [reach], and a function of the noisy sum of those that take part
    is told.  One record differs: either of the two may be any. *)
Definition told_of_sample (deviation reach q : R) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (V : zmodType) (size : V -> R) (Z : finType) (noise : V -> Z -> R) (n : nat) (x x' : 'I_n -> V) (one : 'I_n)
    (told : Z -> Y),
  [/\ size 0 = 0, forall u u', size (u - u') <= size u + size u',
    forall u u' r, size (u - u') <= r -> satisfies G (Gaussian (r / deviation)%R) (noise u) (noise u') &
  [/\ forall i, size (x i) <= reach /\ size (x' i) <= reach, forall i, i != one -> x i = x' i,
    forall y, P y = \sum_(z | told z == y) sampled_sum q noise x z &
    forall y, Q y = \sum_(z | told z == y) sampled_sum q noise x' z]].

Lemma told_of_sample_back deviation reach q (Y : finType) (P Q : Y -> R) :
  told_of_sample deviation reach q P Q -> told_of_sample deviation reach q Q P.
Proof.
move=> [V [size [Z [noise [n [x [x' [one [told [size0 sizeB normal [small alike p p']]]]]]]]]]].
exists V, size, Z, noise, n, x', x, one, told; split=> //; split=> // [i|i /alike -> //].
by have [] := small i.
Qed.

Theorem sample_replaced (deviation reach q y : R) (Y : finType) (P Q : Y -> R) (h' : R -> R) :
  0 < deviation -> 0 <= reach -> 0 < q -> q < 1 -> 1 <= y -> told_of_sample deviation reach q P Q ->
  hockey_stick 1 y P Q <= sampled_curve q (ByCurves (three_curve q (reach / deviation)%R 2%:R 1%R) h') y.
Proof.
move=> d0 r0 q0 q1 y1 [V [size [Z [noise [n [x [x' [one [told [size0 sizeB normal [small alike p p']]]]]]]]]]].
apply: (told_divergence p p'); rewrite /sampled_curve; have -> : (y <= 1 - q) = false.
  by apply/negbTE; rewrite -ltNge; apply: lt_le_trans y1; rewrite ltr_subl_addr ltr_addl.
set t := _ / q; apply: (sampled_by_calls q0 q1 alike) => s.
have t1 : 1 <= t by rewrite /t ler_pdivl_mulr // mul1r ler_subr_addl subrK.
have -> : (1 - q) * (y - 1) / q = (1 - q) * (t - 1) by rewrite /t; field; rewrite gt_eqF.
have ey : y = 1 + q * (t - 1) by rewrite /t; field; rewrite gt_eqF.
have v0 : 0 <= (1 - q) * (t - 1) by apply: mulr_ge0; rewrite subr_ge0 // ltW.
have [m0 m1] : 0 <= 2%:R * (reach / deviation) /\ 0 <= 1 * (reach / deviation).
  by split; rewrite mulr_ge0 ?ler0n ?ler01 // divr_ge0 // ltW.
have [s1 s1'] := small one.
have near u u' r : size (u - u') <= r * reach ->
    satisfies G (Gaussian (r * (reach / deviation))%R) (noise (s + u)) (noise (s + u')).
  by move=> le; rewrite mulrA; apply: normal; rewrite opprD addrACA subrr add0r.
have alone u : size u <= reach -> satisfies G (Gaussian (1 * (reach / deviation))%R) (noise (s + u)) (noise s).
  by move=> le; rewrite -[s in X in satisfies _ _ _ X]addr0; apply: near; rewrite subr0 mul1r.
apply: (call_of_gaussians m0 m1 m1 _ (near _ _ _ _) (alone _ s1) (alone _ s1')).
- exact: le_trans ler01 y1.
- by apply: le_trans (sizeB _ _) _; rewrite mulrDl mul1r; exact: ler_add.
by split=> [_ c|]; [rewrite {1}ey; exact: forward_below|rewrite ltNge v0].
Qed.
