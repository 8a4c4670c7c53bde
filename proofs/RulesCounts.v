(** 11.10 [grid-counts]: the rule of exact counts on a grid.

    [ways a s] is how many sets of the multiples a have the sum s: the coefficient of X^s in the
    product of all 1 + X^a.  A weight is [ways a s] x^s / P with x = e^-u and P the product of all
    1 + x^a, and the counts of two parts give those of both without being multiplied out
    ([counted]).  The lemmas ask of the integers only on which side of the real numbers they are. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import zify ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Reals Rules.
From ExactDP Require Import RulesFixedPoint Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Fixpoint ways (a : seq nat) (s : nat) : nat :=
  if a is n :: a' then (ways a' s + (if (n <= s)%N then ways a' (s - n) else 0))%N else (s == 0%N).

Definition generating (a : seq nat) : {poly R} := \prod_(n <- a) (1 + 'X^n).

Lemma coef_generating a s : (generating a)`_s = (ways a s)%:R.
Proof.
rewrite /generating; elim: a s => [|n a IH] s; first by rewrite big_nil coef1.
rewrite big_cons mulrDl mul1r coefD coefXnM /= natrD IH.
by congr (_ + _); case: ltnP => // h; rewrite leqNgt ?h //= IH.
Qed.

Section Grid.
Variables (u epsilon : R) (a : seq nat).
Let x := exp (- u).

(** P. *)
Definition normaliser (a : seq nat) := \prod_(n <- a) (1 + x ^+ n).

Lemma one_plus_gt0 n : 0 < 1 + x ^+ n.
Proof. by apply: addr_gt0; rewrite ?ltr01 // exprn_gt0 //; exact: exp_gt0. Qed.

Lemma normaliser_gt0 r : 0 < normaliser r.
Proof. by apply: prodr_gt0 => n _; exact: one_plus_gt0. Qed.

Lemma exp_power n : exp (- (u *+ n)) = x ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite mulr0n oppr0 expr0 exp_0.
by rewrite mulrS opprD expD IH exprS.
Qed.

Lemma grid_weight_counts r s : grid_weight u r s = (ways r s)%:R * x ^+ s / normaliser r.
Proof.
rewrite /grid_weight /untruthful_weight weight_polynomial big_map.
elim: r s => [|n r IH] s; first by rewrite /normaliser !big_nil invr1 mulr1 coef1 /=;
  case: s => [|s]; rewrite ?expr0 ?mulr1 ?mul0r.
rewrite /normaliser [in RHS]big_cons -/(normaliser r) [X in polyseq X]big_cons.
set tail := \prod_(j <- r) _ in IH *.
rewrite /rr_atoms !big_cons big_nil. rewrite addr0 /= expr0 mulr1 mulrDl coefD coefCM -mulrA coefCM coefXnM !IH.
have n0 := gt_eqF (normaliser_gt0 r); have p0 := gt_eqF (one_plus_gt0 n).
have e0 := exp_neq0 (u *+ n); have xE : x ^+ n = (exp (u *+ n))^-1 by rewrite -exp_power expN.
have E0 : 0 < exp (u *+ n) := exp_gt0 _.
have E1 : 1 + exp (u *+ n) != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have t1 : exp (u *+ n) / (1 + exp (u *+ n)) = (1 + x ^+ n)^-1.
  have -> : 1 + x ^+ n = (1 + exp (u *+ n)) / exp (u *+ n) by rewrite xE mulrDl divff // mul1r addrC.
  by rewrite invf_div.
have t2 : 1 / (1 + exp (u *+ n)) = x ^+ n / (1 + x ^+ n).
  by rewrite -t1 xE mulrA mulVf.
rewrite t1 t2 natrD invfM; case: (ltnP s n) => h.
  by rewrite /= mulr0n !mulr0 !addr0 mulrCA.
have -> : x ^+ s = x ^+ n * x ^+ (s - n) by rewrite -exprD subnKC.
have algebra (A B I X Y N : R) : I * (A * (X * Y) * N) + X * I * (B * Y * N) = (A + B) * (X * Y) * (I * N).
  by ring.
move: (ways r s)%:R (ways r (s - n))%:R (x ^+ (s - n)) (normaliser r)^-1 => A B Y N.
move: (x ^+ n) => X; exact: (algebra A B (1 + X)^-1).
Qed.

(** All sums are at most A, and the weights add up to 1. *)
Lemma size_generating r : (size (generating r) <= (sumn r).+1)%N.
Proof.
rewrite /generating; elim: r => [|n r IH]; first by rewrite big_nil size_poly1.
rewrite big_cons; apply: leq_trans (size_mul_leq _ _) _.
have h : (size (1 + 'X^n : {poly R})%R <= n.+1)%N.
  by rewrite (leq_trans (size_add _ _)) // geq_max size_poly1 size_polyXn ltnS leqnn.
by have := leq_add h IH; rewrite /=; lia.
Qed.

Lemma sum_of_weights : \sum_(s <- iota 0 (sumn a).+1) grid_weight u a s = 1.
Proof.
have -> : \sum_(s <- iota 0 (sumn a).+1) grid_weight u a s =
    (\sum_(s < (sumn a).+1) (generating a)`_s * x ^+ s) / normaliser a.
  rewrite -[iota _ _]/(index_iota 0 (sumn a).+1) big_mkord mulr_suml; apply: eq_bigr => s _.
  by rewrite grid_weight_counts coef_generating.
rewrite -(horner_coef_wide _ (size_generating a)) /generating horner_prod.
rewrite (_ : \prod_(n <- a) _ = normaliser a) ?divff ?gt_eqF ?normaliser_gt0 //.
by apply: eq_bigr => n _; rewrite !hornerE hornerXn.
Qed.

(** D as a sum over the sums of untruthful answers. *)
Lemma divergence_by_sums :
  divergence [seq exp (u *+ n) | n <- a] (exp epsilon) =
  \sum_(s <- iota 0 (sumn a).+1) grid_weight u a s * pos (1 - exp (- grid_rest epsilon u a s)).
Proof.
have restE s : rest (fun s => u *+ s) a epsilon s = grid_rest epsilon u a s.
  by rewrite /rest /grid_rest sumnE big_map -sumrMnr.
have U : uniq (iota 0 (sumn a).+1) by exact: iota_uniq.
have -> : [seq exp (u *+ n) | n <- a] = [seq exp y | y <- [seq u *+ n | n <- a]] by rewrite -map_comp.
rewrite (divergence_mean (op := addn) (e := 0%N) (value := fun s => u *+ s) (mulr0n u) (mulrnDr u) a).
set ls := [seq rr_atoms _ _ _ | _ <- a]; pose f s := pos (1 - exp (- grid_rest epsilon u a s)).
have f0 s : 0 <= f s by exact: pos_ge0.
have f1 s : f s <= 1 by rewrite pos_le ?ler01 // ler_subl_addr ler_addl ltW ?exp_gt0.
have LS : nonnegative ls := atoms_ge0 0%N (fun s => u *+ s) a.
have one : total addn 0%N ls (fun p _ _ => p) = 1 := atoms_total addn 0%N (fun s => u *+ s) a.
have wE s : weight addn 0%N ls s = grid_weight u a s by [].
have -> : total addn 0%N ls (fun p _ s => p * pos (1 - exp (- rest (fun s => u *+ s) a epsilon s))) =
    total addn 0%N ls (fun p _ s => p * f s) by apply: eq_total => p _ s; rewrite restE.
have below s : s \in iota 0 (sumn a).+1 -> grid_weight u a s <= 1 * weight addn 0%N ls s.
  by rewrite mul1r wE.
have lo := table_lower LS U f0 below ler01.
have hi := table_upper LS U below ler01 f1 one.
by apply: le_anti; rewrite -{2}[total _ _ _ _]mul1r lo andbT -[X in X <= _]mul1r
  (le_trans hi) // sum_of_weights subrr addr0.
Qed.

(** The sum over the losses that are at least epsilon is P D if these are the sums up to m; of fewer
    or more of them it is at most P D. *)
Definition counted (m : nat) : R :=
  \sum_(s < m.+1) (ways a s)%:R * (x ^+ s - exp (- grid_rest epsilon u a m) * x ^+ (m.*2 - s)).

Lemma rest_below m s : (s <= m)%N ->
  exp (- grid_rest epsilon u a s) = exp (- grid_rest epsilon u a m) * x ^+ (m - s).*2.
Proof.
move=> le; rewrite -exp_power -expD /grid_rest; congr exp.
rewrite -[in RHS](subnKC le) mulrnDr (_ : (s + (m - s) - s)%N = (m - s)%N); last by rewrite addKn.
rewrite -muln2 mulrnA; move: (u *+ s) (u *+ (m - s)) (u *+ sumn a) => A B C.
by ring.
Qed.

Lemma counted_term m s : (s <= m)%N ->
  (ways a s)%:R * (x ^+ s - exp (- grid_rest epsilon u a m) * x ^+ (m.*2 - s)) =
  normaliser a * (grid_weight u a s * (1 - exp (- grid_rest epsilon u a s))).
Proof.
move=> le; rewrite grid_weight_counts (rest_below le).
have -> : x ^+ (m.*2 - s) = x ^+ s * x ^+ (m - s).*2 by rewrite -exprD; congr (_ ^+ _); lia.
have n0 : normaliser a != 0 by rewrite gt_eqF ?normaliser_gt0.
move: (exp (- grid_rest epsilon u a m)) (x ^+ (m - s).*2) (x ^+ s) (ways a s)%:R (normaliser a) n0 => Z Y X W N n0.
by field.
Qed.

Lemma counted_le m : counted m <= normaliser a * divergence [seq exp (u *+ n) | n <- a] (exp epsilon).
Proof.
rewrite divergence_by_sums mulr_sumr.
pose F s := normaliser a * (grid_weight u a s * pos (1 - exp (- grid_rest epsilon u a s))).
have w0 s : 0 <= grid_weight u a s.
  by rewrite grid_weight_counts divr_ge0 ?(ltW (normaliser_gt0 _)) // mulr_ge0 ?ler0n // exprn_ge0 // ltW ?exp_gt0.
have F0 s : 0 <= F s by rewrite /F mulr_ge0 ?(ltW (normaliser_gt0 _)) // mulr_ge0 ?pos_ge0.
have out s : (sumn a < s)%N -> F s = 0.
  move=> h; rewrite /F grid_weight_counts -coef_generating nth_default ?mul0r ?mulr0 //.
  by rewrite (leq_trans (size_generating a)).
apply: (@le_trans _ _ (\sum_(s < m.+1) F s)).
  apply: ler_sum => s _; have le : (s <= m)%N by case: s.
  rewrite counted_term // /F ler_wpmul2l ?(ltW (normaliser_gt0 _)) // ler_wpmul2l //.
  exact: le_pos.
rewrite -(big_mkord xpredT F) -[iota _ _]/(index_iota 0 (sumn a).+1).
have extend k n : (forall s, (k <= s)%N -> 0 <= F s) -> (k <= n)%N ->
    \sum_(0 <= s < k) F s <= \sum_(0 <= s < n) F s.
  move=> pos0 le; rewrite (big_cat_nat _ _ _ _ le) //= ler_addl big_nat.
  by apply: sumr_ge0 => s /andP[h _]; exact: pos0.
case: (leqP m.+1 (sumn a).+1) => h; first by apply: extend.
rewrite (big_cat_nat _ _ _ _ (ltnW h)) /= // [X in _ + X](_ : _ = 0) ?addr0 //.
by rewrite big_nat big1 // => s /andP[h' _]; exact: out.
Qed.

Lemma counted_ge m : 0 <= grid_rest epsilon u a m -> grid_rest epsilon u a m.+1 <= 0 -> 0 <= u ->
  normaliser a * divergence [seq exp (u *+ n) | n <- a] (exp epsilon) <= counted m.
Proof.
move=> above below u0; rewrite divergence_by_sums mulr_sumr.
pose F s := normaliser a * (grid_weight u a s * pos (1 - exp (- grid_rest epsilon u a s))).
have out s : (m < s)%N -> F s = 0.
  move=> h; rewrite /F pos_0 ?mulr0 // subr_le0 exp_ge1 oppr_ge0; apply: le_trans below.
  by rewrite /grid_rest ler_add2r ler_add2l ler_opp2 ler_wmuln2r // ler_wpmuln2l.
have -> : counted m = \sum_(s < m.+1) F s.
  apply: eq_bigr => s _; have le : (s <= m)%N by case: s.
  rewrite counted_term // /F pos_id // subr_ge0 -[X in _ <= X]exp_0 exp_le oppr_le0.
  apply: le_trans above _; rewrite /grid_rest ler_add2r ler_add2l ler_opp2 ler_wmuln2r //.
  by rewrite ler_wpmuln2l.
rewrite -(big_mkord xpredT F) -[iota _ _]/(index_iota 0 (sumn a).+1).
have F0 s : 0 <= F s.
  rewrite /F mulr_ge0 ?(ltW (normaliser_gt0 _)) // mulr_ge0 ?pos_ge0 // grid_weight_counts.
  by rewrite divr_ge0 ?(ltW (normaliser_gt0 _)) // mulr_ge0 ?ler0n // exprn_ge0 // ltW ?exp_gt0.
case: (leqP (sumn a).+1 m.+1) => h.
  by rewrite (big_cat_nat _ _ _ _ h) //= ler_addl; apply: sumr_ge0.
rewrite (big_cat_nat _ _ _ _ (ltnW h)) /= // [X in _ + X](_ : _ = 0) ?addr0 //.
by rewrite big_nat big1 // => s /andP[h' _]; exact: out.
Qed.
End Grid.

(** The counts of two parts: what the verifier adds up, without their product. *)
Section Parts.
Variables (u z : R) (one other : seq nat).
Let x := exp (- u).

Definition truthful (t : nat) : R := \sum_(j < t.+1) (ways other j)%:R * x ^+ j.
Definition discounted (t : nat) : R := \sum_(j < t.+1) (ways other j)%:R * x ^+ (t - j).

(** Sum over i of N1(i) x^i V(m - i) - z x^m N1(i) Q(m - i). *)
Definition counted_in_parts (m : nat) : R :=
  \sum_(i < m.+1) ((ways one i)%:R * x ^+ i * truthful (m - i) -
                   z * x ^+ m * ((ways one i)%:R * discounted (m - i))).

Lemma ways_cat s : (ways (one ++ other) s)%:R =
  \sum_(i < s.+1) (ways one i)%:R * (ways other (s - i))%:R :> R.
Proof.
rewrite -coef_generating /generating big_cat coefM; apply: eq_bigr => i _.
by rewrite -!coef_generating.
Qed.

Lemma triangle (G : nat -> nat -> R) m :
  \sum_(s < m.+1) \sum_(i < s.+1) G i (s - i)%N = \sum_(i < m.+1) \sum_(j < (m - i).+1) G i j.
Proof.
elim: m => [|m IH]; first by rewrite !big_ord1.
rewrite big_ord_recr [in RHS]big_ord_recr /= IH subnn big_ord1.
rewrite [X in _ + X]big_ord_recr /= subnn addrA; congr (_ + _); rewrite -big_split /=.
apply: eq_bigr => i _; have im : (i <= m)%N by case: i.
by rewrite subSn // [in RHS]big_ord_recr.
Qed.

Lemma counted_in_partsE m :
  \sum_(s < m.+1) (ways (one ++ other) s)%:R * (x ^+ s - z * x ^+ (m.*2 - s)) = counted_in_parts m.
Proof.
pose G i j := (ways one i)%:R * (ways other j)%:R * (x ^+ (i + j) - z * x ^+ (m.*2 - (i + j))).
transitivity (\sum_(s < m.+1) \sum_(i < s.+1) G i (s - i)%N).
  apply: eq_bigr => s _; rewrite ways_cat mulr_suml; apply: eq_bigr => i _.
  by rewrite /G subnKC // -ltnS.
rewrite triangle; apply: eq_bigr => i _; have im : (i <= m)%N by case: i.
rewrite /truthful /discounted !mulr_sumr -sumrB; apply: eq_bigr => j _.
have jm : (j <= m - i)%N by case: j.
rewrite /G exprD (_ : m.*2 - (i + j) = m + (m - i - j))%N; last by lia.
rewrite exprD; move: (ways one i)%:R (ways other j)%:R (x ^+ i) (x ^+ j) (x ^+ m) (x ^+ (m - i - j)) => *.
by ring.
Qed.
End Parts.

Lemma counted_perm u epsilon a b m : perm_eq b a ->
  counted u epsilon a m =
  \sum_(s < m.+1) (ways b s)%:R * (exp (- u) ^+ s - exp (- grid_rest epsilon u a m) * exp (- u) ^+ (m.*2 - s)).
Proof.
move=> ab; apply: eq_bigr => s _; congr (_ * _).
by rewrite -!coef_generating /generating (perm_big _ ab).
Qed.

Section Rule.
Variables (L : ledger) (epsilon delta u : R) (a one other : seq nat) (m : nat) (B kept total : Z).
Hypotheses (P : proper L) (u0 : 0 <= u) (parts : perm_eq (one ++ other) a) (B0 : Z.lt 0 B).
Hypothesis total0 : Z.lt 0 total.
Let sum := counted_in_parts u (exp (- grid_rest epsilon u a m)) one other m.

Let sumE : counted u epsilon a m = sum.
Proof. by rewrite (counted_perm _ _ _ parts) counted_in_partsE. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let total0' : 0 < IZR total. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

(** 11.10, [upper]: m is the greatest s with (A - 2 s) u >= epsilon; [kept] is the sum from above,
    [total] is P from below, in units of 1/B. *)
Theorem rule_grid_counts_upper (dlo : Z) :
  all2 (fun (x : R) n => x <= u *+ n) (epsilons L) a ->
  0 <= grid_rest epsilon u a m -> grid_rest epsilon u a m.+1 <= 0 ->
  IZR B * sum <= IZR kept -> IZR total <= IZR B * normaliser u a ->
  IZR dlo <= IZR B * slack L delta ->
  Z.le (kept * B) (dlo * total) ->
  upper L epsilon delta.
Proof.
move=> le above below above_sum below_total dD /Z.leb_le; rewrite -IZR_le_iff !IZRM => check.
apply/(upper_iff P).
apply: (@le_trans _ _ (divergence [seq exp (u *+ n) | n <- a] (exp epsilon))).
  apply: divergence_mono; [exact: ltW (exp_gt0 _)|exact: exps_ge1|].
  by elim: (epsilons L) (a) le => [|y ys IH] [|n ns] //= /andP[h /IH ->]; rewrite exp_le h.
set D := divergence _ _; have D0 : 0 <= D by apply: divergence_ge0; apply/allP => E /mapP[n _ ->]; exact: ltW (exp_gt0 _).
have h : normaliser u a * D <= sum by rewrite -sumE; exact: counted_ge.
rewrite -(ler_pmul2l B0') -(ler_pmul2l total0').
have tD : IZR total * D <= IZR kept.
  apply: le_trans (ler_wpmul2r D0 below_total) _; rewrite -mulrA.
  exact: le_trans (ler_wpmul2l (ltW B0') h) above_sum.
apply: (@le_trans _ _ (IZR kept * IZR B)); first by rewrite mulrCA mulrC; exact: (ler_wpmul2r (ltW B0')).
by apply: le_trans check _; rewrite mulrC; exact: (ler_wpmul2l (ltW total0')).
Qed.

(** [lower]: [kept] from below, [total] from above; nothing is asked of m. *)
Theorem rule_grid_counts_lower (dhi : Z) :
  all2 (fun (x : R) n => u *+ n <= x) (epsilons L) a ->
  IZR kept <= IZR B * sum -> IZR B * normaliser u a <= IZR total ->
  IZR B * slack L delta <= IZR dhi ->
  Z.lt (dhi * total) (kept * B) ->
  lower L epsilon delta.
Proof.
move=> le below_sum above_total dD /Z.ltb_lt; rewrite -IZR_lt_iff !IZRM => check.
apply/(lower_iff P).
apply: (@lt_le_trans _ _ (divergence [seq exp (u *+ n) | n <- a] (exp epsilon))); last first.
  apply: divergence_mono; [exact: ltW (exp_gt0 _)| |].
    by apply/allP => E /mapP[n _ ->]; rewrite exp_ge1 mulrn_wge0.
  by elim: (a) (epsilons L) le => [|n ns IH] [|y ys] //= /andP[h /IH ->]; rewrite exp_le h.
set D := divergence _ _; have h : sum <= normaliser u a * D by rewrite -sumE; exact: counted_le.
have D0 : 0 <= D by apply: divergence_ge0; apply/allP => E /mapP[n _ ->]; exact: ltW (exp_gt0 _).
have tD : IZR kept <= IZR total * D.
  apply: le_trans below_sum _; apply: le_trans (ler_wpmul2l (ltW B0') h) _; rewrite mulrA.
  exact: (ler_wpmul2r D0 above_total).
rewrite -(ltr_pmul2l B0'); apply: le_lt_trans dD _; rewrite -(ltr_pmul2r total0').
apply: lt_le_trans check _; apply: le_trans (ler_wpmul2r (ltW B0') tD) _.
by rewrite [X in X <= _]mulrC mulrA [X in X <= _]mulrAC lexx.
Qed.
End Rule.
