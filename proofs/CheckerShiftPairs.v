(** The verified checker: a shift of discrete Laplace noise as a listed pair. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed NoiseLedgers NoiseOrder.
From ExactDP Require Import KeyedTables Tables OverlapTables MeshTables CheckerNoise CheckerListedPairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma nth_powers_below x v n (c X : R) j : Z.le 0 v -> Z.le 0 x -> 0 <= X -> IZR v <= IZR S * c ->
  IZR x <= IZR S * X -> (j < n)%N ->
  Z.le 0 (nth Z0 (powers_below w x v n) j) /\ IZR (nth Z0 (powers_below w x v n) j) <= IZR S * (c * X ^+ j).
Proof.
move=> v0 x0 X0 vc xX; elim: n v c j v0 vc => [|n IH] v c [|j] v0 vc //= jn; first by rewrite mulr1.
have := IH (floor_div (v * x) S) (c * X) j; rewrite exprS [c * (X * _)]mulrA; apply=> //.
  by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRM.
apply: le_trans (ler_pmul (IZR_ge0 v0) (IZR_ge0 x0) vc xX) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Theorem shift_lists r s l : Z.lt 0 r.1 -> (0 < s)%N -> of_shift w r s = Some l ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l /\
  forall (Y : finType) (P Q : Y -> R), has_noise (OfShift (of_ratio r) s) P Q -> lists w l P Q.
Proof.
move=> r0 s0; have R0 : 0 < of_ratio r.
  by rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite /of_shift; case X: (exponential _ _) => [x|] //; rewrite -/S; case: ifP => // /andP[/Z.leb_le x0 /Z.leb_le x1] [<-].
have d0 : Z.lt 0 (Zpos r.2) by [].
have := enclosed_exponential w w0 _ _ _ (enclosed_fraction w0 (- r.1) d0) X => /enclosedP; rewrite -SE.
have -> : exp (IZR (- r.1) / IZR (Zpos r.2)) = exp (- of_ratio r) by rewrite opp_IZR RoppE mulNr.
set E := exp _ => /andP[lo hi]; have E0 : 0 < E := exp_gt0 _.
set law := shift_law _ _ _; set share := floor_div (S * S) (S + x.2);
  set least := floor_div ((S - x.2) * share) S.
have x2 : Z.lt 0 x.2.
  by apply/Z.ltb_lt; rewrite -(IZR_lt_iff Z0); apply: lt_le_trans hi; rewrite mulr_gt0.
have share0 : Z.le 0 share by apply: Z.div_pos; [apply: Z.mul_nonneg_nonneg; lia|lia].
have least0 : Z.le 0 least by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; lia.
have E1 : 0 < 1 + E by rewrite addr_gt0 // ltr01.
have shareP : IZR share <= IZR S * (1 / (1 + E)).
  apply: floor_div_below; first lia.
  rewrite IZRM IZRD; apply: (@le_trans _ _ ((IZR S + E * IZR S) * (IZR S * (1 / (1 + E))))).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
  by apply: ler_wpmul2r; rewrite ?ler_add2l // mulr_ge0 ?divr_ge0 ?ler01 ?(ltW S0') // ltW.
have leastP : IZR least <= IZR S * ((1 - E) / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM IZRB.
  apply: (@le_trans _ _ ((IZR S - E * IZR S) * (IZR S * (1 / (1 + E))))).
    apply: ler_pmul => //; first by rewrite subr_ge0 IZR_le_iff; exact/Z.leb_le.
      exact: IZR_ge0.
    by rewrite ler_add2l ler_opp2.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
have size_powers v n : size (powers_below w x.1 v n) = n by elim: n v => //= n IH v; rewrite IH.
have size_both v n : size (zip (iota 0 n) (powers_below w x.1 v n)) = n.
  by rewrite size_zip size_iota size_powers minnn.
have size_law : size law = s.+1 by rewrite /law /shift_law size_map size_both.
have one_S : IZR S <= IZR S * 1 by rewrite mulr1.
have lo_S : IZR x.1 <= IZR S * E by rewrite mulrC.
have lawP (j : 'I_s.+1) : Z.le 0 (nth Z0 law j) /\ IZR (nth Z0 law j) <= IZR S * @shifted_law (of_ratio r) s j.
  have [p0 p] := @nth_powers_below x.1 S s.+1 1 E j (Z.lt_le_incl _ _ S0) x0 (ltW E0)
    one_S lo_S (ltn_ord j).
  rewrite /law /shift_law -/S (nth_map (O, Z0)); last by rewrite size_both.
  rewrite nth_zip; last by have := size_powers S s.+1; have := size_iota 0 s.+1; move=> -> ->.
  rewrite nth_iota // add0n; cbn [fst snd]; set c := if _ then _ else _.
  have [c0 cP] : Z.le 0 c /\ IZR c <= IZR S * ((if (j == 0 :> nat)%N || (j == s :> nat) then 1 else 1 - E) / (1 + E)).
    by rewrite /c; case: ifP.
  split; first by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
  apply: floor_div_below => //; rewrite IZRM /shifted_law -/E.
  apply: le_trans (ler_pmul (IZR_ge0 c0) (IZR_ge0 p0) cP p) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite mul1r; field; rewrite gt_eqF.
have law0 : all (Z.leb 0) law.
  by apply/(all_nthP Z0) => j; rewrite size_law => js; apply/Z.leb_le; have [] := lawP (Ordinal js).
have L : lists w (zip law (rev law)) (@shifted_law (of_ratio r) s) (@shifted_law (of_ratio r) s \o @rev_ord _).
  move=> y y0; rewrite (big_nth (Z0, Z0)) size_zip size_rev minnn size_law big_mkord /overlap mulr_sumr.
  apply: ler_sum => j _; rewrite nth_zip ?size_rev //= nth_rev ?size_law //.
  have [_ p] := lawP j; have [_ q] := lawP (rev_ord j).
  by rewrite minr_pmulr ?(ltW S0') //; apply: le2_min => //; rewrite mulrCA ler_wpmul2l.
have [dP' dQ'] := discrete_laplace_lawful R0 s0.
split=> [|Y P Q [dP _ [h _]]]; last exact: (lists_dominated w0 dP dP' h L).
have pairs0 (s1 s2 : seq Z) : all (Z.leb 0) s1 -> all (Z.leb 0) s2 ->
    all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) (zip s1 s2).
  by elim: s1 s2 => [|a s1 IH] [|b s2] //= /andP[-> /IH h1] /andP[-> /h1].
by apply: pairs0; rewrite ?all_rev.
Qed.
End Sound.
