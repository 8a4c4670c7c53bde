(** Theorem 1.4 of the paper: k mechanisms with the same parameters (Kairouz, Oh, Viswanath).

    At e^{(k - 2i) epsilon}, for 0 <= i <= k/2, the sum of Theorem 1.5 is

      delta_i = sum_{l < i} C(k, l) (e^{(k - l) epsilon} - e^{(k - 2i + l) epsilon})/(1 + e^epsilon)^k,

    so that the composition is ((k - 2i) epsilon, delta_g)-DP if and only if delta_i <= Delta
    ([theorem_1_4]), and then for every smaller i too; the largest i with delta_i <= Delta gives the
    theorem's epsilon_g ([theorem_1_4_best]).  Between these epsilons OptComp may be less: the
    theorem keeps to them. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart SubsetSums Privacy Composition OptComp ClosedForm Reals Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Homogeneous.
Variables (F : realFieldType) (k : nat) (E : F).
Hypothesis E1 : 1 <= E.

(** delta_i. *)
Definition homogeneous_delta i : F :=
  (\sum_(l < i) 'C(k, l)%:R * (E ^+ (k - l) - E ^+ (k - 2 * i + l))) / (1 + E) ^+ k.

Lemma counts_homogeneous s : counts (fun _ : 'I_k => 1%N) s = 'C(k, s).
Proof.
rewrite -[in RHS](card_ord k) -card_draws; apply: eq_card => S.
by rewrite !inE sum1_card.
Qed.

Lemma optcomp_sum_homogeneous i : (2 * i <= k)%N ->
  optcomp_sum (fun _ : 'I_k => E) (E ^+ (k - 2 * i)) =
  \sum_(l < i) 'C(k, l)%:R * (E ^+ (k - l) - E ^+ (k - 2 * i + l)).
Proof.
move=> ik; have := optcomp_sum_counts (fun _ : 'I_k => 1%N) E (E ^+ (k - 2 * i)).
rewrite sum1_card card_ord expr1 => ->.
rewrite (big_ord_widen k.+1 (fun l => 'C(k, l)%:R * (E ^+ (k - l) - E ^+ (k - 2 * i + l)))); last lia.
rewrite [RHS]big_mkcond; apply: eq_bigr => l _ /=; rewrite counts_homogeneous -exprD.
case: ltnP => h; first by rewrite pos_id // subr_ge0 ler_weexpn2l //; lia.
by rewrite pos_0 ?mulr0 // subr_le0 ler_weexpn2l //; have := ltn_ord l; lia.
Qed.

Lemma divergence_homogeneous i : (2 * i <= k)%N ->
  divergence (nseq k E) (E ^+ (k - 2 * i)) = homogeneous_delta i.
Proof.
move=> ik; have := divergence_sets (fun _ : 'I_k => E) (fun=> 0) (E ^+ (k - 2 * i)).
rewrite optcomp_sum_homogeneous // prodr_const card_ord fst_parameters.
have -> : [seq E | _ <- enum 'I_k] = nseq k E.
  by rewrite -[in RHS](size_enum_ord k); elim: (enum _) => //= j s ->.
by rewrite /homogeneous_delta mulrC => ->.
Qed.
End Homogeneous.

Section Theorem14.
Variables (k : nat) (epsilon delta : R).
Hypotheses (epsilon0 : 0 <= epsilon) (delta0 : 0 <= delta) (delta1 : delta < 1).
Let L : ledger := nseq k (epsilon, delta).
Let delta_ := homogeneous_delta k (exp epsilon).

Let exps n : exp (epsilon *+ n) = exp epsilon ^+ n.
Proof. by elim: n => [|n IH]; rewrite ?expr0 ?mulr0n ?exp_0 // mulrS expD IH exprS. Qed.

Let proper_L : proper L.
Proof. by rewrite /proper /L all_nseq /= epsilon0 delta0 delta1 orbT. Qed.

Let kept_L : \prod_(m <- L) (1 - m.2) = (1 - delta) ^+ k.
Proof. by rewrite big_nseq -Monoid.iteropE. Qed.

Theorem theorem_1_4 i dg : (2 * i <= k)%N ->
  upper L (epsilon *+ (k - 2 * i)) dg <-> delta_ i <= 1 - (1 - dg) / (1 - delta) ^+ k.
Proof.
move=> ik; rewrite (upper_iff proper_L) /slack kept_L exps /epsilons /L !map_nseq /=.
by rewrite divergence_homogeneous // exp_ge1.
Qed.

(** With delta_g for the unknown. *)
Theorem theorem_1_4_delta i : (2 * i <= k)%N ->
  upper L (epsilon *+ (k - 2 * i)) (1 - (1 - delta) ^+ k * (1 - delta_ i)).
Proof.
move=> ik; apply/(theorem_1_4 _ ik); rewrite opprB addrCA subrr addr0 mulrAC divff ?mul1r.
  by rewrite opprB addrCA subrr addr0.
by rewrite expf_neq0 // gt_eqF // subr_gt0.
Qed.

(** The largest i gives the least of these epsilons. *)
Theorem theorem_1_4_best i dg : (2 * i <= k)%N -> delta_ i <= 1 - (1 - dg) / (1 - delta) ^+ k ->
  (forall j, (i < j)%N -> (2 * j <= k)%N -> 1 - (1 - dg) / (1 - delta) ^+ k < delta_ j) ->
  upper L (epsilon *+ (k - 2 * i)) dg /\
  forall j, (2 * j <= k)%N -> upper L (epsilon *+ (k - 2 * j)) dg ->
    epsilon *+ (k - 2 * i) <= epsilon *+ (k - 2 * j).
Proof.
move=> ik enough best; split=> [|j jk /(theorem_1_4 _ jk)]; first exact/theorem_1_4.
case: (leqP j i) => [ji _|/best/(_ jk) lt]; last by rewrite leNgt lt.
by rewrite ler_wpmuln2l //; lia.
Qed.
End Theorem14.
