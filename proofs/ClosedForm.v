(** Counts instead of subsets, and the optimum in closed form.

    If epsilon_i = a_i epsilon_0 with integers a_i, q = e^{epsilon_0}, A = sum a_i, then the sum
    of Theorem 1.5 is  sum_s N(s) max(q^{A-s} - y q^s, 0)  with the counts N(s) of SubsetSums.v.
    With U_m = sum_{s<=m} N(s) q^{A-s}, V_m = sum_{s<=m} N(s) q^s and P = prod (1 + q^{a_i}),
    D is the greatest of 0 and the lines (U_m - y V_m)/P, so that D(y) <= Delta if and only if
    0 <= Delta and y >= (U_m - Delta P)/V_m for every m: e^OptComp is the greatest of these. *)
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From ExactDP Require Import PositivePart SubsetSums Privacy Composition OptComp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Positive parts of terms that are first >= 0 and then <= 0 add up to a prefix sum. *)
Lemma sum_pos_prefix (R : realFieldType) (N g : nat -> R) n :
  (forall s, 0 <= N s) -> (forall s, 0 <= g s.+1 -> 0 <= g s) ->
  exists2 m, (m <= n)%N &
    \sum_(s < n) N s * pos (g s) = \sum_(s < m) N s * g s.
Proof.
move=> N0 down; elim: n => [|n [m mn IH]]; first by exists 0%N; rewrite ?big_ord0.
case: (leP 0 (g n)) => [g0|/ltW g0]; last first.
  by exists m; rewrite ?(leq_trans mn) // big_ord_recr /= (pos_0 g0) mulr0 addr0.
exists n.+1 => //; apply: eq_bigr => s _; rewrite pos_id //.
have: (s <= n)%N by rewrite -ltnS.
elim: n {IH mn s} g0 (s : nat) => [|n IH] g0 s; first by rewrite leqn0 => /eqP ->.
by rewrite leq_eqVlt => /orP[/eqP -> //|]; apply: IH; exact: down.
Qed.

Section ClosedForm.
Variables (R : realFieldType) (k : nat) (a : 'I_k -> nat) (q : R).
Hypothesis q1 : 1 <= q.
Let A := (\sum_i a i)%N.
Let N s : R := (counts a s)%:R.
Let E i := q ^+ a i.
Let q0 : 0 < q. Proof. exact: lt_le_trans q1. Qed.

Theorem optcomp_sum_counts y :
  optcomp_sum E y = \sum_(s < A.+1) N s * pos (q ^+ (A - s) - y * q ^+ s).
Proof.
rewrite /optcomp_sum (reindex_inj (can_inj (@setCK _))) /=.
under eq_bigr => S _.
  rewrite setCK !prodrXr.
  have -> : (\sum_(i in ~: S) a i = A - \sum_(i in S) a i)%N.
    by rewrite /A -(sum_setC a S) addKn.
  over.
rewrite (partition_big (fun S : {set 'I_k} => inord (\sum_(i in S) a i) : 'I_A.+1)
  xpredT) //=; apply: eq_bigr => s _.
have eqP' (S : {set 'I_k}) : (inord (\sum_(i in S) a i) == s :> 'I_A.+1)
    = (\sum_(i in S) a i == s)%N.
  by rewrite -val_eqE /= inordK // ltnS subset_sum_le.
rewrite (eq_bigl _ _ eqP').
under eq_bigr => S /eqP -> do [].
by rewrite sumr_const -cardsE -/(counts a s) mulr_natl.
Qed.

Definition line_U m : R := \sum_(s < m.+1) N s * q ^+ (A - s).
Definition line_V m : R := \sum_(s < m.+1) N s * q ^+ s.
Let P : R := \prod_i (1 + q ^+ a i).

Lemma counts0_gt0 : (0 < counts a 0)%N.
Proof. by apply/card_gt0P; exists set0; rewrite inE big_set0. Qed.

Lemma line_V_gt0 m : 0 < line_V m.
Proof.
rewrite /line_V big_ord_recl /= expr0 mulr1 ltr_spaddl //.
  by rewrite /N ltr0n counts0_gt0.
by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?ler0n // exprn_ge0 // ltW.
Qed.

Lemma lines_le_sum y m : (m <= A)%N -> line_U m - y * line_V m <= optcomp_sum E y.
Proof.
move=> mA; rewrite optcomp_sum_counts /line_U /line_V mulr_sumr -sumrB.
rewrite (big_ord_widen A.+1 (fun s => N s * q ^+ (A - s) - y * (N s * q ^+ s))) ?ltnS //.
rewrite big_mkcond /=; apply: ler_sum => s _.
have n0 : 0 <= N s * pos (q ^+ (A - s) - y * q ^+ s) by rewrite mulr_ge0 ?ler0n ?pos_ge0.
case: ifP => // _; apply: (@le_trans _ _ (N s * (q ^+ (A - s) - y * q ^+ s))).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by rewrite ler_wpmul2l ?ler0n ?le_pos.
Qed.

Lemma sum_is_a_line y : 0 <= y ->
  optcomp_sum E y = 0 \/
  exists2 m, (m <= A)%N & optcomp_sum E y = line_U m - y * line_V m.
Proof.
move=> y0; rewrite optcomp_sum_counts.
case: (@sum_pos_prefix R N (fun s => q ^+ (A - s) - y * q ^+ s) A.+1).
- by move=> s; rewrite ler0n.
- move=> s; rewrite !subr_ge0 => h; apply: le_trans (_ : y * q ^+ s.+1 <= _).
    by rewrite ler_wpmul2l // ler_weexpn2l.
  by apply: le_trans h _; rewrite ler_weexpn2l //; lia.
case=> [|m] mA ->; first by left; rewrite big_ord0.
right; exists m => //; rewrite /line_U /line_V mulr_sumr -sumrB.
by apply: eq_bigr => s _; ring.
Qed.

(** D(y) <= Delta if and only if 0 <= Delta and y is at least every (U_m - Delta P)/V_m. *)
Theorem closed_form y D : 0 <= y ->
  P^-1 * optcomp_sum E y <= D <->
  0 <= D /\ forall m, (m <= A)%N -> (line_U m - D * P) / line_V m <= y.
Proof.
move=> y0.
have P0 : 0 < P by apply: prodr_gt0 => i _; rewrite ltr_spaddl ?ltr01 // exprn_ge0 // ltW.
rewrite mulrC ler_pdivr_mulr //; split=> [h|[D0 h]].
  split=> [|m mA].
    rewrite -(pmulr_lge0 D P0); apply: le_trans h.
    by apply: sumr_ge0 => S _; exact: pos_ge0.
  rewrite ler_pdivr_mulr ?line_V_gt0 // ler_subl_addr -ler_subl_addl.
  exact: le_trans (lines_le_sum y mA) h.
have [->|[m mA ->]] := sum_is_a_line y0; first by rewrite mulr_ge0 // ltW.
rewrite ler_subl_addl -ler_subl_addr.
by have := h m mA; rewrite ler_pdivr_mulr ?line_V_gt0.
Qed.
End ClosedForm.

(** Lemma 5.2: at y = q^t the sum of Theorem 1.5 is the difference of two sums of Lemma 5.1, over
    the sets T of untruthful answers with 2 sum_{i in T} a_i <= A - t. *)
Section Lemma52.
Variables (R : realFieldType) (k : nat) (a : 'I_k -> nat) (q : R) (t : nat).
Hypothesis q1 : 1 <= q.
Let A := (\sum_i a i)%N.
Hypothesis tA : (t <= A)%N.
Let B := ((A - t)./2)%N.

Theorem lemma_5_2 :
  optcomp_sum (fun i => q ^+ a i) (q ^+ t) =
  q ^+ A * dp [seq (a i, q ^- a i) | i <- enum 'I_k] B -
  q ^+ t * dp [seq (a i, q ^+ a i) | i <- enum 'I_k] B.
Proof.
have q0 : q != 0 by rewrite gt_eqF // (lt_le_trans ltr01).
rewrite !lemma_5_1 /subset_weight !mulr_sumr -sumrB [RHS]big_mkcond /optcomp_sum.
rewrite (reindex_inj (can_inj (@setCK _))) /=; apply: eq_bigr => S _.
rewrite setCK !prodrXr -exprD.
have -> : \prod_(i in S) q ^- a i = q ^- (\sum_(i in S) a i).
  by rewrite -prodrXr prodfV.
have -> : (\sum_(i in ~: S) a i = A - \sum_(i in S) a i)%N by rewrite /A -(sum_setC a S) addKn.
have sA : (\sum_(i in S) a i <= A)%N by apply: subset_sum_le.
move: (\sum_(i in S) a i)%N sA => s sA.
rewrite -expfB_cond ?(negbTE q0) ?add0n //.
case: ifP => h.
  by rewrite pos_id // subr_ge0 ler_weexpn2l //; move: h; rewrite /B; lia.
by rewrite pos_0 // subr_le0 ler_weexpn2l //; move: h; rewrite /B; lia.
Qed.
End Lemma52.
