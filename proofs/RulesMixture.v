(** 11.12 [gaussian-mixture]: all atoms listed, group by group.

    A group of n mechanisms with the same epsilon has the atoms j = 0 ... n, the numbers of
    untruthful answers; their weights are the coefficients of a power ([answers]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Reals.
From ExactDP Require Import Rules RulesFixedPoint Notions Failures RulesGaussian.
From ExactDP Require Import Logarithms Tables Enclosures EnclosuresOfNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Mean.
Variable mu : R.

Definition truthful (x : R) : R := ((1 + exp (- x))^-1)%R.
Definition untruthful (x : R) : R := (exp (- x) / (1 + exp (- x)))%R.

Lemma eq_total_gt0 xs (g g' : R -> R -> R) : (forall p q, 0 < p -> 0 < q -> g p q = g' p q) ->
  total forget tt (responses xs) (fun p q _ => g p q) = total forget tt (responses xs) (fun p q _ => g' p q).
Proof.
elim: xs g g' => [|x xs IH] g g' h /=; first exact: h ltr01 ltr01.
have E0 := exp_gt0 x; have w : 0 < (1 + exp x)^-1 by rewrite invr_gt0 addr_gt0 ?ltr01.
rewrite !big_cons !big_nil /=; congr (_ + (_ + _)).
  apply: (IH (fun p q => g (exp x / (1 + exp x) * p) (1 / (1 + exp x) * q))
             (fun p q => g' (exp x / (1 + exp x) * p) (1 / (1 + exp x) * q))) => p q p0 q0.
  by apply: h; rewrite !mulr_gt0 ?ltr01.
apply: (IH (fun p q => g (1 / (1 + exp x) * p) (exp x / (1 + exp x) * q))
           (fun p q => g' (1 / (1 + exp x) * p) (exp x / (1 + exp x) * q))) => p q p0 q0.
by apply: h; rewrite !mulr_gt0 ?ltr01.
Qed.

Lemma mean_cons x xs e : mean_profile mu (x :: xs) e =
  truthful x * mean_profile mu xs (e - x) + untruthful x * mean_profile mu xs (e + x).
Proof.
have E0 := exp_neq0 x; have E1 : 1 + exp x != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
have E2 : exp x + 1 != 0 by rewrite addrC.
have -> : truthful x = exp x / (1 + exp x).
  by rewrite /truthful expN; field; rewrite ?E0 ?E1 ?E2.
have -> : untruthful x = 1 / (1 + exp x).
  by rewrite /untruthful expN; field; rewrite ?E0 ?E1 ?E2.
have shift (c p q : R) : 0 < c -> 0 < p -> 0 < q -> ln (c * (p / q))%R = ln c + ln (p / q)%R.
  by move=> c0 p0 q0; apply: ln_mult; apply/RltP; rewrite ?divr_gt0.
rewrite /mean_profile /= !big_cons big_nil addr0 -!totalZ /=; congr (_ + _); apply: eq_total_gt0 => p q p0 q0.
  rewrite -mulrA; congr (_ * (_ * G _ _)); rewrite -addrA -opprD; congr (_ - _).
  rewrite -[in RHS](ln_exp x) -shift ?exp_gt0 //; congr ln; field.
  by rewrite E1 !gt_eqF.
rewrite -mulrA; congr (_ * (_ * G _ _)); rewrite -addrA; congr (_ + _).
rewrite -[X in X - _]opprK -opprD; congr (- _).
rewrite -[in RHS](ln_exp (- x)%R) -shift ?exp_gt0 //; congr ln; rewrite expN; field.
by rewrite E0 E1 !gt_eqF.
Qed.

Lemma mean_bounds xs e : 0 <= mean_profile mu xs e <= 1.
Proof.
elim: xs e => [|x xs IH] e; first by rewrite /mean_profile /= mul1r G_ge0 G_le1.
have w : 0 < 1 + exp (- x) by rewrite addr_gt0 ?ltr01 ?exp_gt0.
have t0 : 0 <= truthful x by rewrite invr_ge0 ltW.
have u0 : 0 <= untruthful x by rewrite mulr_ge0 // ?invr_ge0 ltW // exp_gt0.
rewrite mean_cons; have /andP[a0 a1] := IH (e - x); have /andP[b0 b1] := IH (e + x).
apply/andP; split; first by rewrite addr_ge0 // mulr_ge0.
have -> : 1 = truthful x + untruthful x by rewrite /truthful /untruthful; field; rewrite gt_eqF.
by rewrite ler_add // ler_pimulr.
Qed.

Lemma mean_zero xs e : mean_profile mu (0 :: xs) e = mean_profile mu xs e.
Proof.
rewrite mean_cons subr0 addr0 /truthful /untruthful oppr0 exp_0 -mulrDl.
by rewrite mul1r -mulr2n -[_ *+ 2]mulr_natl divff ?mul1r // pnatr_eq0.
Qed.

Definition answers (x : R) : {poly R} := (truthful x)%:P + (untruthful x)%:P * 'X.

Lemma answers_step n x N (F : nat -> R) : (n < N)%N ->
  \sum_(j < N.+1) (answers x ^+ n.+1)`_j * F j =
  truthful x * (\sum_(j < N) (answers x ^+ n)`_j * F j) +
  untruthful x * (\sum_(j < N) (answers x ^+ n)`_j * F j.+1).
Proof.
move=> nN; have big : (answers x ^+ n)`_N = 0.
  apply/leq_sizeP: (leqnn N); apply: leq_trans (size_exp_leq _ _) _.
  have : (size (answers x) <= 2)%N.
    apply: leq_trans (size_add _ _) _; rewrite geq_max (leq_trans (size_polyC_leq1 _)) //=.
    by rewrite mul_polyC (leq_trans (size_scale_leq _ _)) // size_polyX.
  by case: (size _) => [|[|[|k]]] //=; rewrite ?mul0n ?mul1n // (leq_trans _ nN).
have coef j : (answers x ^+ n.+1)`_j = truthful x * (answers x ^+ n)`_j +
    untruthful x * (if j == 0%N then 0 else (answers x ^+ n)`_j.-1).
  by rewrite exprS mulrDl coefD coefCM -mulrA coefCM coefXM.
under eq_bigr do rewrite coef mulrDl; rewrite big_split /=; congr (_ + _).
  rewrite big_ord_recr /= big mulr0 mul0r addr0 mulr_sumr.
  by apply: eq_bigr => j _; rewrite mulrA.
rewrite big_ord_recl /= mulr0 mul0r add0r mulr_sumr.
by apply: eq_bigr => j _; rewrite /= mulrA.
Qed.

Lemma answers_sum n x N : (n < N)%N -> \sum_(j < N) (answers x ^+ n)`_j = 1.
Proof.
have w : 1 + exp (- x) != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
elim: n N => [|n IH] [|N] // nN.
  by rewrite expr0 big_ord_recl coef1 big1 ?addr0 // => j _; rewrite coef1.
under eq_bigr do rewrite -[_`_ _]mulr1.
rewrite (answers_step x (fun=> 1)) //; under eq_bigr do rewrite mulr1.
by rewrite IH // !mulr1 /truthful /untruthful; field.
Qed.

Lemma mean_nseq n x xs e N : (n < N)%N -> mean_profile mu (nseq n x ++ xs) e =
  \sum_(j < N) (answers x ^+ n)`_j * mean_profile mu xs (e - x * (n%:R - j%:R *+ 2)).
Proof.
elim: n N e => [|n IH] [|N] // e nN.
  rewrite expr0 big_ord_recl coef1 big1 ?addr0 => [|j _]; last by rewrite coef1 mul0r.
  by rewrite mul1r mul0rn subr0 mulr0 subr0.
rewrite (answers_step x (fun j => mean_profile mu xs (e - x * (n.+1%:R - j%:R *+ 2)))) //.
rewrite /= mean_cons !(IH N) //; congr (_ * _ + _ * _); apply: eq_bigr => j _; congr (_ * mean_profile _ _ _).
  by rewrite -[n.+1]addn1 natrD; ring.
by rewrite -[n.+1]addn1 -[j.+1]addn1 !natrD; ring.
Qed.
End Mean.
