(** What letters tell ([letters_curve] in LocalReports.v) by tails of a binomial law of chances 1/2: of m others and the one in
    question both laws cross between j and j + 1 letters of one kind ([gained_at]).  Tails and chances follow from those of one less. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals LocalReports.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** That j of m are of one kind; and one more of those from j on. *)
Definition chance (m j : nat) : R := ('C(m, j)%:R / 2%:R ^+ m)%R.
Definition tail (K m j : nat) : R := (\sum_(i < K) chance m (j + i))%R.

Lemma two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.
Lemma powers_neq0 m : 2%:R ^+ m != 0 :> R. Proof. by apply: expf_neq0; exact: two_neq0. Qed.
Lemma powers_gt0 m : 0 < 2%:R ^+ m :> R. Proof. by apply: exprn_gt0; rewrite ltr0n. Qed.

Lemma chance_up m j : chance m.+1 j.+1 = chance m j * m.+1%:R / (2%:R * j.+1%:R).
Proof.
rewrite /chance exprS; have := mul_bin_diag m.+1 j; rewrite /= => /(congr1 (fun n => n%:R : R)); rewrite !natrM => e.
have j0 : j.+1%:R != 0 :> R by rewrite pnatr_eq0.
have -> : 'C(m.+1, j.+1)%:R = m.+1%:R * 'C(m, j)%:R / j.+1%:R :> R by rewrite e mulrC mulKf.
have := powers_neq0 m; set Z := 2%:R ^+ m; move: Z => Z Z0; set M := m.+1%:R; set J := j.+1%:R in j0 *.
by move: M J j0 => M J j0; field; rewrite j0 Z0.
Qed.

Lemma chance_same m j : (j <= m)%N -> chance m.+1 j = chance m j * m.+1%:R / (2%:R * (m.+1 - j)%N%:R).
Proof.
move=> jm; rewrite /chance exprS; have := mul_bin_down m.+1 j; rewrite /= => /(congr1 (fun n => n%:R : R)); rewrite !natrM => e.
have j0 : (m.+1 - j)%N%:R != 0 :> R by rewrite pnatr_eq0 subn_eq0 -ltnNge ltnS.
have -> : 'C(m.+1, j)%:R = m.+1%:R * 'C(m, j)%:R / (m.+1 - j)%N%:R :> R by rewrite e mulrC mulKf.
have := powers_neq0 m; set Z := 2%:R ^+ m; move: Z => Z Z0; set M := m.+1%:R; set J := (m.+1 - j)%N%:R in j0 *.
by move: M J j0 => M J j0; field; rewrite j0 Z0.
Qed.

Lemma chance_none m j : (m < j)%N -> chance m j = 0.
Proof. by move=> lt; rewrite /chance bin_small // mul0r. Qed.

Lemma chance_pascal m j : chance m.+1 j.+1 = (chance m j.+1 + chance m j) / 2%:R.
Proof.
rewrite /chance exprS binS natrD; have := powers_neq0 m; set Z := 2%:R ^+ m; move: Z => Z Z0.
by field; rewrite Z0.
Qed.


Lemma tail_next K m j : (m < K)%N -> tail K m j = chance m j + tail K m j.+1.
Proof.
move=> mK; have last0 : chance m (j + K) = 0 by apply: chance_none; apply: leq_trans mK (leq_addl _ _).
have : \sum_(i < K.+1) chance m (j + i) = tail K m j by rewrite big_ord_recr /= last0 addr0.
by move=> <-; rewrite big_ord_recl /= addn0; congr (_ + _); apply: eq_bigr => i _; rewrite /bump /= add1n addnS.
Qed.

Lemma tail_pascal K m j : (m < K)%N -> tail K m.+1 j.+1 = tail K m j.+1 + chance m j / 2%:R.
Proof.
move=> mK; transitivity ((tail K m j.+1 + tail K m j) / 2%:R).
  by rewrite /tail -big_split /= mulr_suml; apply: eq_bigr => i _; rewrite !addSn chance_pascal.
by rewrite (tail_next j mK); field.
Qed.

Lemma tail_ge0 K m j : 0 <= tail K m j.
Proof. by apply: sumr_ge0 => i _; rewrite divr_ge0 ?ler0n // ltW ?powers_gt0. Qed.

(** A sum of which all terms up to j are none. *)
Lemma sum_beyond (F : nat -> R) K m j : (forall a, (a <= j)%N -> F a = 0) -> (forall a, (m < a)%N -> F a = 0) -> (m <= K)%N ->
  \sum_(a < m.+1) F a = \sum_(i < K) F (j.+1 + i)%N.
Proof.
move=> before after mK.
have all_ : \sum_(0 <= a < j.+1 + K) F a = \sum_(a < m.+1) F a.
  have lt : (m.+1 <= j.+1 + K)%N by rewrite addSn ltnS; apply: leq_trans mK (leq_addl _ _).
  rewrite (big_cat_nat _ _ _ (leq0n m.+1) lt) /= [X in _ + X]big_nat_cond.
  by rewrite [X in _ + X]big1 ?addr0 ?big_mkord // => a /andP[/andP[h _] _]; exact: after.
rewrite -all_ (big_cat_nat _ _ _ (leq0n j.+1) (leq_addr _ _)) /= [X in X + _]big_nat_cond.
rewrite [X in X + _]big1 => [|a /andP[/andP[_ h] _]]; last exact: before.
rewrite add0r; have := @big_addn _ 0 +%R 0%N (j.+1 + K) j.+1 predT F; rewrite add0n addKn => ->.
by rewrite big_mkord; apply: eq_bigr => i _; rewrite addnC.
Qed.

Section Gain.
Variables (E y : R).
Hypotheses (E1 : 1 < E) (y1 : 1 <= y).
Let E0 : 0 < E := lt_trans ltr01 E1.
Let Ep : 0 < E + 1 := addr_gt0 E0 ltr01.
Let pa := (E - y) / (E + 1).
Let pb := (1 - y * E) / (E + 1).

Let pb0 : pb <= 0.
Proof.
rewrite /pb pmulr_lle0 ?invr_gt0 // subr_le0.
by apply: (@le_trans _ _ (1 * 1)); [rewrite mulr1|apply: ler_pmul; rewrite ?ler01 // ltW].
Qed.
Let paE : pa + pb = 1 - y.
Proof. by rewrite /pa /pb; field; rewrite gt_eqF. Qed.
Let pa1 : pa <= 1.
Proof. by rewrite /pa ler_pdivr_mulr // mul1r ler_subl_addr -addrA ler_addl addr_ge0 ?ler01 // (le_trans ler01). Qed.

Let term m a := 'C(m.+1, a)%:R * pos (pa * a%:R + pb * (m.+1 - a)%N%:R).
Let gainedE m : gained_by E y m = (\sum_(a < m.+2) term m a) / (2%:R ^+ m * m.+1%:R).
Proof. by []. Qed.

Let terms m a : 'C(m.+1, a.+1)%:R * (pa * a.+1%:R + pb * (m.+1 - a.+1)%N%:R) = m.+1%:R * (pa * 'C(m, a)%:R + pb * 'C(m, a.+1)%:R) :> R.
Proof.
have u : 'C(m.+1, a.+1)%:R * a.+1%:R = m.+1%:R * 'C(m, a)%:R :> R by rewrite -!natrM (mul_bin_diag m.+1 a) mulnC.
have d : 'C(m.+1, a.+1)%:R * (m.+1 - a.+1)%N%:R = m.+1%:R * 'C(m, a.+1)%:R :> R by rewrite -!natrM (mul_bin_down m.+1 a.+1) mulnC.
rewrite mulrDr [RHS]mulrDr [in RHS]mulrCA [in RHS](mulrCA m.+1%:R pb) -u -d.
by congr (_ + _); rewrite mulrCA.
Qed.

Lemma gained_at K m j : (m < K)%N -> (j <= m)%N -> 0 <= pa -> pa * j%:R + pb * (m.+1 - j)%N%:R <= 0 ->
  0 <= pa * j.+1%:R + pb * (m - j)%N%:R -> gained_by E y m = pa * chance m j + (1 - y) * tail K m j.+1.
Proof.
move=> mK jm pa0 below above.
have no a : (a <= j)%N -> term m a = 0.
  move=> aj; rewrite /term pos_0 ?mulr0 //; apply: le_trans below; apply: ler_add.
    by apply: ler_wpmul2l => //; rewrite ler_nat.
  by apply: ler_wnmul2l => //; rewrite ler_nat leq_sub2l.
have none a : (m.+1 < a)%N -> term m a = 0 by move=> h; rewrite /term bin_small // mul0r.
rewrite gainedE (sum_beyond no none mK).
have yes (i : nat) : term m (j.+1 + i)%N = m.+1%:R * (pa * 'C(m, j + i)%:R + pb * 'C(m, j.+1 + i)%:R).
  rewrite addSn -terms /term; have [out|in_] := ltnP m.+1 (j + i).+1; first by rewrite bin_small // !mul0r.
  rewrite pos_id //; apply: le_trans above _; apply: ler_add.
    by apply: ler_wpmul2l => //; rewrite ler_nat ltnS leq_addr.
  by apply: ler_wnmul2l => //; rewrite ler_nat subSS; apply: leq_sub2l; exact: leq_addr.
under eq_bigr => i _ do rewrite yes.
rewrite -mulr_sumr big_split /= -!mulr_sumr.
have t0 := powers_neq0 m; have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
have tE k : \sum_(i < K) 'C(m, k + i)%:R = 2%:R ^+ m * tail K m k :> R.
  by rewrite /tail mulr_sumr; apply: eq_bigr => i _; rewrite /chance mulrC divfK.
rewrite !tE (tail_next j mK) -paE; set T := tail _ _ _; set C := chance _ _.
move: t0 m0; set Z := 2%:R ^+ m; set M := m.+1%:R; move: Z M => Z M t0 m0.
by rewrite /pa /pb; field; rewrite m0 t0 gt_eqF.
Qed.

Lemma gained_le1 m : gained_by E y m <= 1.
Proof.
have d0 : 0 < 2%:R ^+ m * m.+1%:R :> R by rewrite mulr_gt0 ?powers_gt0 // ltr0n.
rewrite gainedE ler_pdivr_mulr // mul1r.
apply: (@le_trans _ _ (\sum_(a < m.+2) 'C(m.+1, a)%:R * a%:R)).
  apply: ler_sum => a _; apply: ler_wpmul2l; first exact: ler0n.
  rewrite /pos le_maxl ler0n andbT; apply: (@le_trans _ _ (1 * a%:R + 0)); last by rewrite mul1r addr0.
  apply: ler_add; first by apply: ler_wpmul2r => //; exact: ler0n.
  by apply: mulr_le0_ge0 => //; exact: ler0n.
rewrite big_ord_recl mulr0 add0r.
have e (a : 'I_m.+1) : 'C(m.+1, lift ord0 a)%:R * (lift ord0 a)%:R = m.+1%:R * 'C(m, a)%:R :> R.
  by rewrite -!natrM /= /bump /= add1n (mul_bin_diag m.+1 a) mulnC.
rewrite (eq_bigr _ (fun a _ => e a)) -mulr_sumr mulrC ler_pmul2r ?ltr0n //.
have -> : 2%:R ^+ m = (1 + 1) ^+ m :> R by [].
by rewrite exprDn; apply: ler_sum => a _; rewrite !expr1n mulr1.
Qed.

(** It falls as y rises. *)
Lemma gained_falls y' m : y' <= y -> gained_by E y m <= gained_by E y' m.
Proof.
move=> le; have d0 : 0 < 2%:R ^+ m * m.+1%:R :> R by rewrite mulr_gt0 ?powers_gt0 // ltr0n.
rewrite /gained_by ler_pmul2r ?invr_gt0 //; apply: ler_sum => a _; apply: ler_wpmul2l; first exact: ler0n.
apply: le2_pos; apply: ler_add; apply: ler_wpmul2r; rewrite ?ler0n //; rewrite ler_pmul2r ?invr_gt0 // ler_add2l ler_opp2 //.
by apply: ler_wpmul2r => //; exact: ltW.
Qed.

Lemma gained_none m : E <= y -> gained_by E y m = 0.
Proof.
move=> le; have pa0 : pa <= 0 by rewrite /pa pmulr_lle0 ?invr_gt0 // subr_le0.
rewrite gainedE big1 ?mul0r // => a _; rewrite /term pos_0 ?mulr0 //.
by rewrite -[X in _ <= X]addr0; apply: ler_add; apply: mulr_le0_ge0; rewrite ?ler0n.
Qed.
End Gain.

(** --- all others --- *)

Definition drawn (n : nat) (q : R) (m : nat) : R := ('C(n, m)%:R * q ^+ m * (1 - q) ^+ (n - m))%R.

Lemma drawn_ge0 n q m : 0 <= q <= 1 -> 0 <= drawn n q m.
Proof. by case/andP=> q0 q1; do !apply: mulr_ge0; rewrite ?ler0n ?exprn_ge0 // subr_ge0. Qed.

Lemma drawn_none n q m : (n < m)%N -> drawn n q m = 0.
Proof. by move=> h; rewrite /drawn bin_small // !mul0r. Qed.

Lemma drawn_next n q m : 0 < q < 1 -> drawn n q m.+1 = drawn n q m * ((n - m)%N%:R * q) / (m.+1%:R * (1 - q)).
Proof.
case/andP=> q0 q1; have r0 : 1 - q != 0 by rewrite subr_eq0 gt_eqF.
have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
have [nm|mn] := leqP n m; first by move: (nm); rewrite -subn_eq0 => /eqP ->; rewrite drawn_none // mul0r mulr0 mul0r.
have := mul_bin_left n m => /(congr1 (fun n => n%:R : R)); rewrite !natrM => e.
have eC : 'C(n, m.+1)%:R = (n - m)%N%:R * 'C(n, m)%:R / m.+1%:R :> R by rewrite -e mulrC mulKf.
have eP : (1 - q) ^+ (n - m) = (1 - q) * (1 - q) ^+ (n - m.+1) by rewrite -exprS -subSn.
rewrite /drawn eC eP exprS; set P := (1 - q) ^+ _; set D := (n - m)%N%:R; set X := q ^+ m.
by move: m0; set M := m.+1%:R; move: P D M X => P D M X m0; field; rewrite m0 r0.
Qed.

Lemma drawn_total n q : \sum_(m < n.+1) drawn n q m = 1.
Proof.
have -> : 1 = ((1 - q) + q) ^+ n :> R by rewrite subrK expr1n.
by rewrite exprDn; apply: eq_bigr => m _; rewrite /drawn -mulrA mulr_natl mulrC.
Qed.

(** What both laws have in common. *)
Lemma in_common n q E y : letters_curve n q E y = 1 - \sum_(m < n.+1) drawn n q m * (1 - gained_by E y m).
Proof.
have -> : \sum_(m < n.+1) drawn n q m * (1 - gained_by E y m) = 1 - letters_curve n q E y.
  have <- : \sum_(m < n.+1) drawn n q m - letters_curve n q E y = 1 - letters_curve n q E y by rewrite drawn_total.
  by rewrite /letters_curve -sumrB; apply: eq_bigr => m _; rewrite mulrBr mulr1.
by rewrite opprB addrCA subrr addr0.
Qed.

(** Those that are not looked at only add to it. *)
Lemma common_below n q E y m : 0 <= q <= 1 -> 1 < E -> 1 <= y ->
  \sum_(i < m) drawn n q i * (1 - gained_by E y i) <= \sum_(i < n.+1) drawn n q i * (1 - gained_by E y i).
Proof.
move=> q01 E1 y1; set t := fun i => drawn n q i * (1 - gained_by E y i).
have t0 i : 0 <= t i by rewrite mulr_ge0 ?drawn_ge0 // subr_ge0 gained_le1.
have big k : \sum_(i < k) t i = \sum_(0 <= i < k) t i by rewrite big_mkord.
rewrite !big; have [le|gt] := leqP m n.+1.
  by rewrite (big_cat_nat _ _ _ (leq0n m) le) /= ler_addl; apply: sumr_ge0.
rewrite (big_cat_nat _ _ _ (leq0n n.+1) (ltnW gt)) /= [X in _ + X <= _]big_nat_cond.
rewrite [X in _ + X <= _]big1 ?addr0 // => i /andP[/andP[h _] _].
by rewrite /t drawn_none // mul0r.
Qed.
