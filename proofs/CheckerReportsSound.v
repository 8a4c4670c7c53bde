(** The verified checker: what it finds of shuffled reports is above what letters tell (CheckerReports.v). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Exponentials Enclosures Comparisons Ratios Tables CheckerClosed CheckerDelta EnclosuresOfNumbers LocalReports LettersCrossing CheckerReports.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Sound.
Variables (w : Z) (N : BinNums.positive) (q e : ratio).
Hypothesis w0 : Z.le 0 w.
Hypotheses (q0 : Z.lt 0 q.1) (q1 : Z.lt q.1 (Zpos q.2)) (e1 : Z.lt (Zpos e.2) e.1).
Let bits := bits_within w N.
Let W := (2 ^ bits)%coqZ.
Let n := Pos.to_nat N.
Let bits0 : Z.le 0 bits.
Proof. by rewrite /bits /bits_within; have := Z.log2_nonneg (Zpos N); lia. Qed.
Let WZ : Z.lt 0 W. Proof. exact: Z.pow_pos_nonneg. Qed.
Let W0 : 0 < IZR W. Proof. exact: power2_gt0. Qed.
Let B0 : 0 < IZR (Zpos q.2). Proof. by rewrite (IZR_lt_iff Z0). Qed.
Let q01 : 0 <= of_ratio q <= 1.
Proof.
rewrite /of_ratio /fraction divr_ge0 ?(ltW B0) ?(IZR_le_iff Z0) //=; last exact/Z.leb_le/Z.lt_le_incl.
by rewrite ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le/Z.lt_le_incl.
Qed.

Lemma found_above f a b v : letters_above w N q e = Some f -> Z.lt 0 b -> f a b = Some v ->
  IZR (Z.shiftl 1 w) * letters_curve n (of_ratio q) (of_ratio e) (exp (IZR a / IZR b)) <= IZR v.
Proof.
rewrite /letters_above -/bits -/W; case: ifP => // _ [<-] b1; case: Z.leb_spec => // a1.
case X: (exponential_at _ _) => [l|] //; set Y := Z.max W l.1.
have S0 : 0 < IZR (Z.shiftl 1 w) by rewrite Z.shiftl_1_l; exact: power2_gt0.
have E1 : 1 < of_ratio e.
  by rewrite /of_ratio /fraction ltr_pdivl_mulr ?(IZR_lt_iff Z0) // mul1r IZR_lt_iff; exact/Z.ltb_lt.
have E0 := lt_trans ltr01 E1.
have B1 : 0 < IZR b by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
set y := exp _; have y1 : 1 <= y.
  by rewrite /y exp_ge1 divr_ge0 ?(ltW B1) // (IZR_le_iff Z0); exact/Z.leb_le.
have Y1 : Z.le W Y by exact: Z.le_max_l.
have Yy : IZR Y / IZR W <= y.
  rewrite ler_pdivr_mulr //; rewrite /Y; case: (Z.max_spec W l.1) => -[_ ->].
    have /enclosedP/andP[lo _] := exponential_at_enclosed bits bits0 _ _ X; apply: le_trans lo _.
    rewrite ler_pmul2r // /y exp_le RdivE ?gt_eqF // ler_pdivr_mulr // mulrAC.
    by have /RleP := floor_div_le (a * W) b b1; rewrite RdivE ?gt_eqF // IZRM.
  by rewrite -[X in X <= _]mul1r ler_pmul2r.
have fall : letters_curve n (of_ratio q) (of_ratio e) y <= letters_curve n (of_ratio q) (of_ratio e) (IZR Y / IZR W)%R.
  apply: ler_sum => m _; apply: ler_wpmul2l; first exact: (drawn_ge0 n m q01).
  exact: (gained_falls E1 m Yy).
have Y1' : 1 <= (IZR Y / IZR W)%R by rewrite ler_pdivl_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
case: Z.leb_spec => far.
  move=> [<-]; rewrite pmulr_rle0 //; apply: le_trans fall _.
  have beyond : of_ratio e <= (IZR Y / IZR W)%R.
    rewrite /of_ratio /fraction ler_pdivr_mulr ?(IZR_lt_iff Z0) // mulrAC ler_pdivl_mulr //.
    by rewrite -!IZRM IZR_le_iff; exact/Z.leb_le.
  rewrite /letters_curve big1 // => m _; have -> : gained_by (of_ratio e) (IZR Y / IZR W)%R m = 0; last by rewrite mulr0.
  by apply: gained_none.
case R: (walk _ _ _ _ _ _ _ _ _ _ _) => [found|] // [<-].
have step := walkP w0 q0 q1 e1 Y1 far (K := (size (weights w N q)).+1) (ws := weights w N q) (m := 0%N) (j := 0%N) (low := W) (high := W) (T := Z0) (found := Z0) (out := found).
move: step; rewrite add0n ltnSn => /(_ isT isT (weightsP N e w0 q0 q1)).
have one : chance 0 0 = 1 by rewrite /chance bin0 expr0 divr1.
have none : tail (size (weights w N q)).+1 0 1 = 0.
  by rewrite /tail big1 // => i _; rewrite chance_none.
rewrite one none mulr1 mulr0 big_ord0 mulr0 => /(_ (lexx _) (lexx _) (lexx _) (lexx _) R) found_below.
apply: ceil_div_above => //; rewrite IZRM mulrCA mulrC ler_pmul2r // IZRB.
apply: le_trans (ler_wpmul2l (ltW W0) fall) _; rewrite in_common mulrBr mulr1 ler_add2l ler_opp2.
apply: le_trans found_below _; rewrite ler_pmul2l //; exact: common_below.
Qed.
End Sound.

Theorem letters_aboveP (w : Z) (N : BinNums.positive) (q e : ratio) f a b v : letters_above w N q e = Some f -> Z.lt 0 b ->
  f a b = Some v -> IZR (Z.shiftl 1 w) * letters_curve (Pos.to_nat N) (of_ratio q) (of_ratio e) (exp (IZR a / IZR b)) <= IZR v.
Proof.
move=> known; have : [&& Z.ltb 0 q.1, Z.ltb q.1 (Zpos q.2), Z.ltb (Zpos e.2) e.1, Z.leb 0 w & if weights w N q is [::] then false else true].
  by move: known; rewrite /letters_above; case: ifP.
case/and5P=> /Z.ltb_lt q0 /Z.ltb_lt q1 /Z.ltb_lt e1 /Z.leb_le w0 _; exact: found_above known.
Qed.
