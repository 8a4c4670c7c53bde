(** The sum of a bell over all integers is greatest where it is not moved: that of e^(-(x + t)^2/2v) is at
    most that of e^(-x^2/2v), for every real t ([bell_moved]).

    A bell of the difference of two points is a positive definite function of them ([bells_definite]): it
    is the exponential of their product, a power series with coefficients that are not negative, by a
    factor of each.  Hence so many integers, with the weight 1, and the same moved by t, with the weight
    -1, show that the sum over all pairs of an integer and one that is moved is at most that over all pairs of
    integers; and by as many integers these sums are near those over all. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals CellsOfNormal DiscreteGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- limits of finite sums --- *)

Lemma constant_cv (c : R) : Un_cv (fun=> c) c.
Proof. by move=> e e0; exists 0%N => n _; rewrite /R_dist Rminus_diag_eq // Rabs_R0. Qed.

Lemma scaled_cv (c : R) (u : nat -> R) (l : R) : Un_cv u l -> Un_cv (fun n => c * u n) (c * l).
Proof. by move=> cv; exact: CV_mult (constant_cv c) cv. Qed.

Lemma sum_cv (I : eqType) (s : seq I) (u : I -> nat -> R) (l : I -> R) : (forall i, i \in s -> Un_cv (u i) (l i)) ->
  Un_cv (fun n => \sum_(i <- s) u i n) (\sum_(i <- s) l i).
Proof.
elim: s => [|i s IH] cv.
  by rewrite big_nil; apply: Un_cv_ext (constant_cv 0) => n; rewrite big_nil.
have rest j : j \in s -> Un_cv (u j) (l j) by move=> js; apply: cv; rewrite inE js orbT.
rewrite big_cons; apply: Un_cv_ext (CV_plus _ _ _ _ (cv i (mem_head i s)) (IH rest)) => n; by rewrite big_cons.
Qed.

Lemma limit_le (u : nat -> R) (l c : R) : (forall n, u n <= c) -> Un_cv u l -> l <= c.
Proof. by move=> le cv; apply/RleP; apply: Rle_cv_lim cv (constant_cv c) => n; apply/RleP. Qed.

Lemma limit_ge (u : nat -> R) (l c : R) : (forall n, c <= u n) -> Un_cv u l -> c <= l.
Proof. by move=> le cv; apply/RleP; apply: Rle_cv_lim (constant_cv c) cv => n; apply/RleP. Qed.

Section Bells.
Variable v : R.
Hypothesis v0 : 0 < v.
Notation b := (bell v).

(** Points with weights. *)
Lemma powers_definite (s : seq (R * R)) (f : R * R -> R) n :
  0 <= \sum_(p <- s) \sum_(q <- s) f p * f q * sum_f_R0 (fun k => / INR (fact k) * (p.2 * q.2 / v)%R ^ k)%coqR n.
Proof.
have term k : 0 <= \sum_(p <- s) \sum_(q <- s) f p * f q * (/ INR (fact k) * (p.2 * q.2 / v)%R ^ k)%coqR.
  have -> : \sum_(p <- s) \sum_(q <- s) f p * f q * (/ INR (fact k) * (p.2 * q.2 / v)%R ^ k)%coqR =
      (/ INR (fact k))%coqR / v ^+ k * (\sum_(p <- s) f p * p.2 ^+ k) ^+ 2.
    rewrite expr2 big_distrlr /= mulr_sumr; apply: eq_bigr => p _; rewrite mulr_sumr; apply: eq_bigr => q _.
    rewrite RpowE expr_div_n exprMn RmultE; move: (p.2 ^+ k : R) (q.2 ^+ k : R) (v ^- k : R) (/ INR (fact k))%coqR => x y z c; ring.
  rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?exprn_ge0 ?(ltW v0) //.
  by apply/RleP/Rlt_le/Rinv_0_lt_compat/INR_fact_lt_0.
elim: n => [|n IH]; first exact: (term 0%N).
rewrite (_ : \sum_(p <- s) _ = \sum_(p <- s) \sum_(q <- s) f p * f q *
    sum_f_R0 (fun k => / INR (fact k) * (p.2 * q.2 / v)%R ^ k)%coqR n +
    \sum_(p <- s) \sum_(q <- s) f p * f q * (/ INR (fact n.+1) * (p.2 * q.2 / v)%R ^ n.+1)%coqR); first exact: addr_ge0.
by rewrite -big_split; apply: eq_bigr => p _; rewrite -big_split; apply: eq_bigr => q _; exact: mulrDr.
Qed.

Lemma bells_definite (s : seq (R * R)) : 0 <= \sum_(p <- s) \sum_(q <- s) p.1 * q.1 * b (p.2 - q.2).
Proof.
pose f (p : R * R) := (p.1 * exp (- (p.2 ^+ 2 / (2%:R * v))))%R.
have split_ (p q : R * R) : p.1 * q.1 * b (p.2 - q.2) = f p * f q * exp (p.2 * q.2 / v).
  have -> : b (p.2 - q.2) = exp (- (p.2 ^+ 2 / (2%:R * v))) * exp (- (q.2 ^+ 2 / (2%:R * v))) * exp (p.2 * q.2 / v).
    by rewrite /bell -!expD; congr exp; field; rewrite gt_eqF // pnatr_eq0.
  by rewrite /f; ring.
under eq_bigr do under eq_bigr do rewrite split_.
apply: limit_ge (powers_definite s f) _; apply: sum_cv => p _; apply: sum_cv => q _; apply: scaled_cv.
exact: (proj2_sig (exist_exp (p.2 * q.2 / v)%R)).
Qed.

Lemma pairs_moved (t : R) (r : seq nat) :
  \sum_(i <- r) \sum_(j <- r) b (i%:R + t - j%:R) <= \sum_(i <- r) \sum_(j <- r) b (i%:R - j%:R).
Proof.
have := bells_definite ([seq (1, i%:R) | i <- r] ++ [seq (- 1, i%:R + t) | i <- r]).
rewrite big_cat !big_map /=; under eq_bigr do rewrite big_cat !big_map /=.
under [X in _ + X]eq_bigr do rewrite big_cat !big_map /=; rewrite !big_split /=.
have e1 (F : nat -> nat -> R) : \sum_(i <- r) \sum_(j <- r) 1 * 1 * F i j = \sum_(i <- r) \sum_(j <- r) F i j.
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !mul1r.
have e2 (F : nat -> nat -> R) : \sum_(i <- r) \sum_(j <- r) 1 * -1 * F i j = - \sum_(i <- r) \sum_(j <- r) F i j.
  by rewrite -sumrN; apply: eq_bigr => i _; rewrite -sumrN; apply: eq_bigr => j _; rewrite mul1r mulN1r.
have e3 (F : nat -> nat -> R) : \sum_(i <- r) \sum_(j <- r) -1 * 1 * F i j = - \sum_(i <- r) \sum_(j <- r) F i j.
  by rewrite -sumrN; apply: eq_bigr => i _; rewrite -sumrN; apply: eq_bigr => j _; rewrite mulr1 mulN1r.
have e4 : \sum_(i <- r) \sum_(j <- r) -1 * -1 * b (i%:R + t - (j%:R + t)) = \sum_(i <- r) \sum_(j <- r) b (i%:R - j%:R).
  by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite mulrNN !mul1r; congr b; ring.
rewrite e1 e2 e3 e4; set A := \sum_(i <- r) _; set C := \sum_(i <- r) _; set C' := \sum_(i <- r) _.
have -> : C = C'.
  rewrite /C exchange_big; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite -bell_even; congr b.
  move: (i%:R : R) (j%:R : R) => x y; ring.
by rewrite [- C' + A]addrC -mulr2n pmulrn_lge0 // subr_ge0.
Qed.

(** A window among so many integers. *)
Lemma part_within (f : R -> R) (n j : nat) : (forall x, 0 <= f x) -> (j <= n)%N ->
  \sum_(0 <= i < n) f (i%:R - j%:R) <= within n f.
Proof.
move=> f0 jn; rewrite /within [X in _ <= X](@big_cat_nat _ _ _ (n - j)) //=; last first.
  by rewrite (leq_trans (leq_subr j n)) // -addnn -addSn leq_addl.
rewrite ler_paddl ?sumr_ge0 //.
rewrite [X in _ <= X](@big_cat_nat _ _ _ (n + (n - j))) ?leq_addl //=; last first.
  by rewrite -addnn -addnS leq_add2l leqW // leq_subr.
rewrite ler_paddr ?sumr_ge0 // -{1}[(n - j)%N]add0n big_addn addnK le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => i _; congr f; rewrite natrD natrB //; move: (i%:R : R) (j%:R : R) (n%:R : R) => x y z; ring.
Qed.

Lemma within_part (f : R -> R) (n m j : nat) : (forall x, 0 <= f x) -> (n <= j)%N -> (j + n < m)%N ->
  within n f <= \sum_(0 <= i < m) f (i%:R - j%:R).
Proof.
move=> f0 nj jm; rewrite [X in _ <= X](@big_cat_nat _ _ _ (j - n)) //=; last first.
  by rewrite (leq_trans (leq_subr n j)) // (leq_trans _ (ltnW jm)) // leq_addr.
rewrite ler_paddl ?sumr_ge0 //.
have fits : (n.*2.+1 + (j - n) <= m)%N.
  by rewrite addSn -addnn -addnA subnKC // addnC.
rewrite [X in _ <= X](@big_cat_nat _ _ _ (n.*2.+1 + (j - n))) ?leq_addl //=.
rewrite ler_paddr ?sumr_ge0 // /within -{1}[(j - n)%N]add0n big_addn addnK le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => i _; congr f; rewrite natrD natrB //; move: (i%:R : R) (j%:R : R) (n%:R : R) => x y z; ring.
Qed.

Theorem bell_moved (t : R) n : within n (fun x => b (x + t)) <= everywhere b.
Proof.
set Z := everywhere b; set W := within n _.
have f0 (s x : R) : 0 <= b (x + s) by exact: ltW (bell_gt0 _ _).
have W0 : 0 <= W by apply: sumr_ge0 => i _.
have Z0 : 0 < Z := bell_total_gt0 v0.
(* m integers in the middle of n on either side *)
have long m : m%:R * W <= m%:R * Z + n.*2%:R * Z.
  pose r := index_iota 0 (n + m + n); rewrite -mulrDl -natrD.
  apply: (@le_trans _ _ (\sum_(i <- r) \sum_(j <- r) b (i%:R + t - j%:R))); last first.
    apply: le_trans (pairs_moved t r) _; rewrite exchange_big /=.
    apply: (@le_trans _ _ (\sum_(j <- r) Z)); last first.
      by rewrite big_const_seq count_predT size_iota subn0 iter_addr addr0 addnAC addnn addnC -[X in X <= _]mulr_natl.
    rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => j; rewrite mem_index_iota => /andP[_ jr].
    apply: le_trans (part_within (fun x => ltW (bell_gt0 v x)) (ltnW jr)) _; exact: bell_within.
  rewrite exchange_big /= {2}/r (@big_cat_nat _ _ _ n) ?leq_addl //=.
  rewrite ler_paddl //; first by apply: sumr_ge0 => j _; apply: sumr_ge0 => i _; exact: ltW (bell_gt0 _ _).
  rewrite (@big_cat_nat _ _ _ (n + m)) ?leq_addr //=.
  rewrite ler_paddr //; first by apply: sumr_ge0 => j _; apply: sumr_ge0 => i _; exact: ltW (bell_gt0 _ _).
  apply: (@le_trans _ _ (\sum_(n <= j < n + m) W)).
    by rewrite sumr_const_nat addKn -[X in _ <= X]mulr_natl.
  apply: ler_sum_nat => j /andP[nj jm].
  apply: le_trans (within_part (m := (n + m + n)%N) (f0 t) nj _) _; first by rewrite ltn_add2r.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; congr b; rewrite addrAC.
apply: (@le_of_every _ _ (n.*2%:R * Z)) => [|tau t0]; first by rewrite mulr_ge0 ?ler0n // ltW.
pose m := (Num.bound tau^-1).+1; have m0 : 0 < m%:R :> R by rewrite ltr0n.
have small : m%:R^-1 <= tau.
  rewrite -[tau]invrK lef_pinv ?posrE ?invr_gt0 //; apply: le_trans (ltW (archi_boundP _)) _.
    by rewrite invr_ge0 ltW.
  by rewrite ler_nat leqnSn.
apply: (@le_trans _ _ (Z + m%:R^-1 * (n.*2%:R * Z))); last first.
  by rewrite ler_add2l ler_wpmul2r // mulr_ge0 ?ler0n // ltW.
rewrite -(ler_pmul2l m0); apply: le_trans (long m) _.
by rewrite mulrDr mulrA divff ?gt_eqF // mul1r.
Qed.
End Bells.
