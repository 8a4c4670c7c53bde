(** Discrete Gaussian noise of one variance reveals more, the more it is moved: whatever the odds are,
    the best event is that of all integers below a threshold, as the quotient of the two laws falls, and
    of these the noise that is moved further has no more (SPEC, 7.6). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals DiscreteGaussian NoiseOrder.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Order.
Variable v : R.
Hypothesis v0 : 0 < v.
Notation b := (bell v).

(** The quotient of both, at x. *)
Definition quotient_at (s : nat) (x : R) : R := (exp ((s%:R ^+ 2 - 2%:R * s%:R * x) / (2%:R * v)))%R.
Local Arguments quotient_at _%N _%R.

Lemma bell_quotient s (x : R) : b x = b (x - s%:R) * quotient_at s x.
Proof.
rewrite /bell /quotient_at -expD; congr exp.
by field; rewrite gt_eqF // ?pnatr_eq0.
Qed.

Lemma quotient_falls s (x x' : R) : x <= x' -> quotient_at s x' <= quotient_at s x.
Proof.
move=> xx; rewrite exp_le ler_pmul2r ?invr_gt0 ?mulr_gt0 ?ltr0n // ler_add2l ler_opp2.
by rewrite ler_wpmul2l // mulr_ge0 ?ler0n.
Qed.

(** The best event is below a threshold. *)
Theorem bells_threshold s n (y : R) : exists2 k, (k <= n.*2.+1)%N &
  within n (fun x => pos (b x - y * b (x - s%:R))) =
  \sum_(0 <= i < k) b (i%:R - n%:R) - y * \sum_(0 <= i < k) b (i%:R - n%:R - s%:R).
Proof.
pose f i : R := b (i%:R - n%:R) - y * b (i%:R - n%:R - s%:R).
have [|k kn e] := @first_terms f n.*2.+1.
  have fE i : f i = b (i%:R - n%:R - s%:R) * (quotient_at s (i%:R - n%:R) - y).
    by rewrite /f [b (i%:R - n%:R)](bell_quotient s) mulrBr [y * _]mulrC.
  move=> i j ij; rewrite !fE !pmulr_rle0 ?bell_gt0 // !subr_le0; apply: le_trans.
  by apply: quotient_falls; rewrite ler_add2r ler_nat.
exists k => //; rewrite /within big_mkord e mulr_sumr -sumrB big_mkord; exact: eq_bigr.
Qed.

Lemma moved_further s s' n k : (s <= s')%N ->
  \sum_(0 <= i < k) b (i%:R - n%:R - s'%:R) <=
  \sum_(0 <= i < k) b (i%:R - n%:R - s%:R) + (everywhere b - within n b).
Proof.
move=> ss; pose g j := b (j%:R - (n + s')%:R); have g0 j : 0 <= g j by exact: ltW (bell_gt0 _ _).
have -> : \sum_(0 <= i < k) b (i%:R - n%:R - s'%:R) = \sum_(0 <= j < k) g j.
  by apply: eq_bigr => i _; congr b; rewrite natrD; ring.
have -> : \sum_(0 <= i < k) b (i%:R - n%:R - s%:R) = \sum_(s' - s <= j < k + (s' - s)) g j.
  rewrite -{1}[(s' - s)%N]add0n big_addn addnK; apply: eq_bigr => i _; congr b.
  by rewrite !natrD natrB //; ring.
have tail : \sum_(0 <= j < s' - s) g j + within n b <= everywhere b.
  apply: le_trans (bell_within v0 (n + s')).
  have -> : within n b = \sum_(s' <= j < n.*2.+1 + s') g j.
    rewrite -{1}[s']add0n big_addn addnK; apply: eq_bigr => i _; congr b; rewrite !natrD; ring.
  have fits : (n.*2.+1 + s' <= (n + s').*2.+1)%N by rewrite doubleD addSn ltnS leq_add2l -addnn leq_addr.
  rewrite /within [X in _ <= X](@big_cat_nat _ _ _ (n.*2.+1 + s')) //=.
  rewrite [X in _ <= X + _](@big_cat_nat _ _ _ s') ?leq_addl //=.
  rewrite [X in _ <= X + _ + _](@big_cat_nat _ _ _ (s' - s)) ?leq_subr //=.
  rewrite -!addrA ler_add2l addrCA ler_addl.
  by apply: addr_ge0; apply: sumr_ge0 => i _; exact: ltW (bell_gt0 _ _).
apply: (@le_trans _ _ (\sum_(0 <= j < k + (s' - s)) g j)).
  by rewrite [X in _ <= X](@big_cat_nat _ _ _ k) ?leq_addr //= ler_addl sumr_ge0.
rewrite (@big_cat_nat _ _ _ (s' - s)) ?leq_addl //= addrC ler_add2l ler_subr_addr //.
Qed.

Lemma bell_positive_bounded s (y : R) : 0 <= y ->
  bounded (fun x => pos (b x - y * b (x - s%:R))) (everywhere b).
Proof.
move=> y0; split=> [x|n]; first exact: pos_ge0.
apply: le_trans (bell_within v0 n); apply: within_le => x; apply: pos_le; last exact: ltW (bell_gt0 _ _).
by rewrite ler_subl_addr ler_addl mulr_ge0 // ltW // bell_gt0.
Qed.

Theorem discrete_gaussian_in_order s s' (y : R) : (s <= s')%N -> 0 <= y ->
  discrete_gaussian_curve v s y <= discrete_gaussian_curve v s' y.
Proof.
move=> ss y0; have Z0 : 0 < everywhere b := bell_total_gt0 v0.
rewrite ler_pmul2r ?invr_gt0 //; set f := fun x => pos (b x - y * b (x - s%:R)); set f' := fun x => pos _.
have F : bounded f (everywhere b) by exact: bell_positive_bounded.
have F' : bounded f' (everywhere b) by exact: bell_positive_bounded.
apply/ler_addgt0Pl => tau t0; have y1 : 0 < 1 + y by rewrite ltr_paddr ?ltr01.
have e0 : 0 < tau / (1 + y) by rewrite divr_gt0.
have [n1 near1] := everywhere_near F e0; have [n2 near2] := everywhere_near (bell_bounded v0 0) e0.
pose n := maxn n1 n2.
have {}near1 : everywhere f - tau / (1 + y) <= within n f.
  by apply: le_trans (ltW near1) _; apply: within_wider; [case: F|exact: leq_maxl].
have {}near2 : everywhere b - within n b <= tau / (1 + y).
  rewrite ler_subl_addr -ler_subl_addl; apply: le_trans (ltW near2) _.
  by apply: within_wider; [case: (bell_bounded v0 0)|exact: leq_maxr].
have [k kn e] := bells_threshold s n y; rewrite -/f in near1; rewrite e in near1.
have up : \sum_(0 <= i < k) b (i%:R - n%:R) - y * (\sum_(0 <= i < k) b (i%:R - n%:R - s'%:R)) <= everywhere f'.
  apply: le_trans (within_everywhere n F'); rewrite mulr_sumr -sumrB /within.
  rewrite [X in _ <= X](@big_cat_nat _ _ _ k) //= ler_paddr ?sumr_ge0 //; first by move=> i _; exact: pos_ge0.
  by apply: ler_sum => i _; exact: le_pos.
have further := ler_wpmul2l y0 (moved_further n k ss).
rewrite mulrDr in further; have last_ := ler_wpmul2l y0 near2.
have split_ : tau / (1 + y) + y * (tau / (1 + y)) = tau by field; rewrite gt_eqF.
rewrite -subr_ge0 in near1; rewrite -subr_ge0 in up; rewrite -subr_ge0 in further; rewrite -subr_ge0 in last_.
rewrite -subr_ge0; move: near1 up further last_ split_.
move: (everywhere f) (everywhere f') (tau / (1 + y)) (everywhere b - within n b) => E E' t d.
move: (\sum_(0 <= i < k) b (i%:R - n%:R)) (\sum_(0 <= i < k) b (i%:R - n%:R - s%:R)) => A B.
move: (\sum_(0 <= i < k) b (i%:R - n%:R - s'%:R)) => C h1 h2 h3 h4 <-.
have -> : t + y * t + E' - E = (A - y * B - (E - t)) + (E' - (A - y * C)) + (y * B + y * d - y * C) + (y * t - y * d) by ring.
by do 3 (apply: addr_ge0 => //).
Qed.
End Order.
