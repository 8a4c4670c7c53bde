(** The verified checker: Delta = 1 - (1 - delta)/prod (1 - delta_i)^count_i.

    As an exact fraction, whose parts may be huge; and enclosed in fixed point, by powers rounded
    after every product, with as many bits as the Python verifier takes (SPEC, section 6.2). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Comparisons CheckerClosed Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** x^n for x in units of 1/one, by squaring; [scaled] divides by one, and rounds. *)
Fixpoint power_by (scaled : Z -> Z) (x : Z) (n : BinNums.positive) : Z :=
  match n with
  | xH => x
  | xO m => let h := power_by scaled x m in scaled (h * h)%coqZ
  | xI m => let h := power_by scaled x m in scaled (x * scaled (h * h)%coqZ)%coqZ
  end.
Definition power_down (one : Z) := power_by (fun v => floor_div v one).
Definition power_up (one : Z) := power_by (fun v => ceil_div v one).

Section Program.
Variable s : subject.

Definition kept_above : Z := foldr (fun e r => ((below e - above e) ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition kept_below : Z := foldr (fun e r => (below e ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition Delta_fraction (a b : Z) : Z * Z :=
  ((b * kept_above - (b - a) * kept_below)%coqZ, (b * kept_above)%coqZ).

(** prod (1 - delta_i)^count_i in units of 1/one, from below and from above. *)
Definition kept_low (one : Z) : Z :=
  foldr (fun e r => if count e is Zpos n
    then floor_div (power_down one (floor_div (one * (below e - above e)) (below e)) n * r) one else r)
    one (entries s).
Definition kept_high (one : Z) : Z :=
  foldr (fun e r => if count e is Zpos n
    then ceil_div (power_up one (ceil_div (one * (below e - above e)) (below e)) n * r) one else r)
    one (entries s).

(** Delta in units of 2^-bits, for delta = a/b; with 40 bits more, and two for each of the counts. *)
Definition working (bits : Z) : Z :=
  (2 ^ (bits + 42 + 2 * Z.log2 (foldr (fun e n => count e + n) 0 (entries s))))%coqZ.
Definition Delta_low (bits a b : Z) : Z :=
  let one := working bits in
  (2 ^ bits - ceil_div ((b - a) * 2 ^ bits * one) (b * kept_low one))%coqZ.
Definition Delta_high (bits a b : Z) : Z :=
  let one := working bits in
  (2 ^ bits - floor_div ((b - a) * 2 ^ bits * one) (b * kept_high one))%coqZ.

(** The enclosure is one. *)
Definition Delta_ok (bits a b : Z) : bool :=
  [&& Z.leb 0 bits, Z.ltb 0 b, Z.leb a b & Z.ltb 0 (kept_low (working bits))].
End Program.

Lemma ceil_div_above x y (c : R) : Z.lt 0 y -> IZR y * c <= IZR x -> c <= IZR (ceil_div x y).
Proof.
move=> y0 h; have Y0 : 0 < IZR y by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have /RleP := ceil_div_ge x y y0; rewrite RdivE ?gt_eqF //; apply: le_trans.
by rewrite ler_pdivl_mulr // mulrC.
Qed.

Section Powers.
Variables (one : Z) (one0 : Z.lt 0 one).
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma product_down x y (c d : R) : Z.le 0 x -> Z.le 0 y -> IZR x <= IZR one * c -> IZR y <= IZR one * d ->
  Z.le 0 (floor_div (x * y) one) /\ IZR (floor_div (x * y) one) <= IZR one * (c * d).
Proof.
move=> x0 y0 xc yd; split; first by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRM.
have -> : IZR one * (IZR one * (c * d)) = (IZR one * c) * (IZR one * d) by rewrite mulrACA mulrA.
by apply: ler_pmul => //; exact: IZR_ge0.
Qed.

Lemma product_up x y (c d : R) : 0 <= c -> 0 <= d -> IZR one * c <= IZR x -> IZR one * d <= IZR y ->
  IZR one * (c * d) <= IZR (ceil_div (x * y) one).
Proof.
move=> c0 d0 cx dy; apply: ceil_div_above => //; rewrite IZRM.
have -> : IZR one * (IZR one * (c * d)) = (IZR one * c) * (IZR one * d) by rewrite mulrACA mulrA.
by apply: ler_pmul => //; rewrite mulr_ge0 // ltW.
Qed.

Lemma power_down_le x (c : R) n : Z.le 0 x -> IZR x <= IZR one * c ->
  Z.le 0 (power_down one x n) /\ IZR (power_down one x n) <= IZR one * c ^+ Pos.to_nat n.
Proof.
move=> x0 xc; rewrite /power_down; elim: n => [n [h0 h]|n [h0 h]|] /=.
- rewrite Pos2Nat.inj_xI exprS multE mul2n -addnn exprD.
  by have [g0 g] := product_down h0 h0 h h; exact: product_down.
- by rewrite Pos2Nat.inj_xO multE mul2n -addnn exprD; exact: product_down.
by rewrite Pos2Nat.inj_1 expr1.
Qed.

Lemma power_up_ge x (c : R) n : 0 <= c -> IZR one * c <= IZR x ->
  IZR one * c ^+ Pos.to_nat n <= IZR (power_up one x n).
Proof.
move=> c0 cx; rewrite /power_up; elim: n => [n IH|n IH|] /=.
- rewrite Pos2Nat.inj_xI exprS multE mul2n -addnn exprD.
  by apply: product_up; rewrite ?exprn_ge0 ?mulr_ge0 ?exprn_ge0 //; apply: product_up; rewrite ?exprn_ge0.
- by rewrite Pos2Nat.inj_xO multE mul2n -addnn exprD; apply: product_up; rewrite ?exprn_ge0.
by rewrite Pos2Nat.inj_1 expr1.
Qed.
End Powers.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let L := ledger_of s.

Definition kept_real (es : seq entry) : R :=
  \prod_(e <- es) (1 - fraction (above e) (below e)) ^+ Z.to_nat (count e).

Lemma kept_realE : \prod_(m <- L) (1 - m.2) = kept_real (entries s).
Proof.
rewrite /L /ledger_of /kept_real; elim: (entries s) => [|e es IH] /=; first by rewrite !big_nil.
rewrite big_cat big_cons /= IH big_nseq; congr (_ * _).
by elim: (Z.to_nat _) => [|n IHn] //=; rewrite IHn exprS.
Qed.

Section Rounded.
Variables (one : Z) (one0 : Z.lt 0 one).
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Let kept_of e : Z.lt 0 (below e) ->
  IZR (one * (below e - above e)) = IZR (below e) * (IZR one * (1 - fraction (above e) (below e))).
Proof.
move=> b0; have B0 : IZR (below e) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite IZRM IZRB mulrCA; congr (_ * _).
by rewrite mulrBr mulr1 /fraction [IZR (below e) * _]mulrC divfK.
Qed.

Lemma kept_lowP : Z.le 0 (kept_low s one) /\ IZR (kept_low s one) <= IZR one * kept_real (entries s).
Proof.
rewrite /kept_low /kept_real; elim: (entries_ok ok) => [|e es [c0 a0 ab _] _ [h0 h]] /=.
  by rewrite big_nil mulr1; split=> //; exact: Z.lt_le_incl.
rewrite big_cons; have b0 : Z.lt 0 (below e) := Z.le_lt_trans _ _ _ a0 ab.
case: (count e) c0 => [|n|n] c0; [by rewrite mul1r| |by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg n))].
have k0 : Z.le 0 (floor_div (one * (below e - above e)) (below e)).
  by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; lia.
have k : IZR (floor_div (one * (below e - above e)) (below e)) <=
    IZR one * (1 - fraction (above e) (below e)).
  by apply: floor_div_below => //; rewrite -kept_of.
by have [p0 p] := power_down_le one0 n k0 k; exact: product_down.
Qed.

Lemma kept_highP : IZR one * kept_real (entries s) <= IZR (kept_high s one).
Proof.
rewrite /kept_high /kept_real.
have pos es : List.Forall (fun e => [/\ Z.le 0 (count e), Z.le 0 (above e),
    Z.lt (above e) (below e) & 0 <= real s (epsilon e)]) es ->
    0 <= \prod_(e <- es) (1 - fraction (above e) (below e)) ^+ Z.to_nat (count e).
  elim=> [|e es' [_ a0 ab _] _ IH]; first by rewrite big_nil ler01.
  rewrite big_cons mulr_ge0 // exprn_ge0 // subr_ge0 /fraction ler_pdivr_mulr ?mul1r ?IZR_le_iff.
    by apply/Z.leb_le; lia.
  by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
elim: (entries_ok ok) => [|e es [c0 a0 ab _] E IH] /=; first by rewrite big_nil mulr1.
rewrite big_cons; have b0 : Z.lt 0 (below e) := Z.le_lt_trans _ _ _ a0 ab.
case: (count e) c0 => [|n|n] c0; [by rewrite mul1r| |by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg n))].
have k0 : 0 <= 1 - fraction (above e) (below e).
  rewrite subr_ge0 /fraction ler_pdivr_mulr ?mul1r ?IZR_le_iff; first by apply/Z.leb_le; lia.
  by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
apply: product_up => //; [exact: exprn_ge0|exact: pos|].
by apply: power_up_ge => //; apply: ceil_div_above => //; rewrite -kept_of.
Qed.
End Rounded.

Section Bounds.
Variables (bits a b : Z).
Hypothesis Dok : Delta_ok s bits a b.
Let one := working s bits.
Let bits0 : Z.le 0 bits. Proof. by case/and4P: Dok => /Z.leb_le. Qed.
Let b0 : Z.lt 0 b. Proof. by case/and4P: Dok => _ /Z.ltb_lt. Qed.
Let low0 : Z.lt 0 (kept_low s one). Proof. by case/and4P: Dok => _ _ _ /Z.ltb_lt. Qed.
Let one0 : Z.lt 0 one.
Proof.
apply: Z.pow_pos_nonneg => //.
by have := Z.log2_nonneg (foldr (fun e n => count e + n) 0 (entries s))%coqZ; lia.
Qed.
Let K := \prod_(m <- L) (1 - m.2).
Let K0 : 0 < K. Proof. exact: kept_gt0 (ledger_proper ok). Qed.
Let pos0 z : Z.lt 0 z -> 0 < IZR z. Proof. by move=> h; rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

(** (1 - delta)/K in units of 2^-bits. *)
Let loss_gap : IZR (2 ^ bits) * (1 - slack L (fraction a b)) = IZR ((b - a) * 2 ^ bits) / (IZR b * K).
Proof.
have e : 1 - fraction a b = IZR (b - a) / IZR b.
  by rewrite /fraction IZRB mulrBl divff // gt_eqF ?pos0.
by rewrite /slack opprB addrC subrK -/K e IZRM invfM -!mulrA mulrCA.
Qed.

Let gap_ge0 : 0 <= IZR ((b - a) * 2 ^ bits).
Proof.
apply: IZR_ge0; apply: Z.mul_nonneg_nonneg; last exact: Z.pow_nonneg.
by case/and4P: Dok => _ _ /Z.leb_le; lia.
Qed.

Lemma Delta_low_le : IZR (Delta_low s bits a b) <= IZR (2 ^ bits) * slack L (fraction a b).
Proof.
rewrite /Delta_low -/one IZRB ler_subl_addr -ler_subl_addl.
have -> : IZR (2 ^ bits) - IZR (2 ^ bits) * slack L (fraction a b) = IZR ((b - a) * 2 ^ bits) / (IZR b * K).
  by rewrite -loss_gap mulrBr mulr1.
apply: ceil_div_above; first exact: Z.mul_pos_pos.
rewrite [IZR (_ * one)]IZRM mulrC mulrAC ler_pdivr_mulr ?mulr_gt0 ?pos0 // -mulrA ler_wpmul2l //.
rewrite IZRM mulrCA ler_wpmul2l ?(ltW (pos0 b0)) // /K kept_realE.
by case: (kept_lowP one0).
Qed.

Lemma Delta_high_ge : IZR (2 ^ bits) * slack L (fraction a b) <= IZR (Delta_high s bits a b).
Proof.
rewrite /Delta_high -/one IZRB ler_subr_addl -ler_subr_addr.
have -> : IZR (2 ^ bits) - IZR (2 ^ bits) * slack L (fraction a b) = IZR ((b - a) * 2 ^ bits) / (IZR b * K).
  by rewrite -loss_gap mulrBr mulr1.
have K' : IZR one * K <= IZR (kept_high s one) by rewrite /K kept_realE; exact: kept_highP.
have high0 : Z.lt 0 (kept_high s one).
  by apply/Z.ltb_lt; rewrite -IZR_lt_iff; apply: lt_le_trans K'; rewrite mulr_gt0 ?pos0.
apply: floor_div_below; first exact: Z.mul_pos_pos.
rewrite [IZR (_ * one)]IZRM [IZR (b * _)]IZRM mulrA ler_pdivl_mulr ?mulr_gt0 ?pos0 //.
rewrite [X in _ <= X]mulrC -mulrA ler_wpmul2l //.
by rewrite mulrCA ler_wpmul2l ?(ltW (pos0 b0)).
Qed.
End Bounds.

(** Delta, exactly. *)
Lemma Delta_fraction_sound a b : Z.lt 0 b ->
  Z.lt 0 (Delta_fraction s a b).2 /\
  IZR (Delta_fraction s a b).1 / IZR (Delta_fraction s a b).2 = slack L (fraction a b).
Proof.
move=> b0; rewrite /Delta_fraction /=.
have [k0 w0 e] : [/\ Z.lt 0 (kept_above s), Z.lt 0 (kept_below s) &
    \prod_(m <- L) (1 - m.2) = IZR (kept_above s) / IZR (kept_below s)].
  rewrite /kept_above /kept_below /L /ledger_of; elim: (entries_ok ok) => [|e es [c0 a0 ab _] _ [h1 h2 h3]] /=.
    by split=> //; rewrite big_nil (divff (oner_neq0 _)).
  have p1 : Z.lt 0 ((below e - above e) ^ count e) by apply: Z.pow_pos_nonneg => //; apply/Z.lt_0_sub.
  have b0' : Z.lt 0 (below e) := Z.le_lt_trans _ _ _ a0 ab.
  have p2 : Z.lt 0 (below e ^ count e) by apply: Z.pow_pos_nonneg.
  split; try exact: Z.mul_pos_pos.
  rewrite big_cat /= h3 big_nseq !IZRM invfM mulrACA; congr (_ * _).
  have powE (c : R) n : iter n ( *%R c) 1 = c ^+ n by elim: n => [|n IHn] //=; rewrite IHn exprS.
  have b1 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  have IZRX (c : Z) : IZR (c ^ count e) = IZR c ^+ Z.to_nat (count e).
    rewrite -{1}(Z2Nat.id (count e) c0) -pow_IZR.
    by elim: (Z.to_nat _) => [|n IHn] //=; rewrite IHn exprS.
  rewrite powE !IZRX -expr_div_n; congr (_ ^+ _).
  by rewrite /fraction IZRB mulrBl divff // gt_eqF.
have B0 : IZR b != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have K0 : IZR (kept_above s) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
split; first exact: Z.mul_pos_pos.
rewrite /slack e /fraction IZRB !IZRM IZRB mulrBl divff ?mulf_neq0 //; congr (1 - _).
rewrite invfM invf_div mulrACA mulrBl divff // mulrBl divff //.
Qed.
End Soundness.
