(** Exponentials proved by logarithms, and sums over tables that are plain lists.

    A suggested z is at most 2^bits e^-x if and only if ln(2^bits/z) >= x. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons CheckerClosed PlainTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

(** D (ln(one/z)) - m x >= 0, or its opposite. *)
Definition log_against (z : Z) (m : Z) (x : combination) : combination :=
  ((m * x.1)%coqZ, (- m * denominator s)%coqZ :: [seq (m * k)%coqZ | k <- x.2]).
Definition compares (z m : Z) (x : combination) : bool :=
  let qs := (one, z) :: quotients s in
  [&& Z.ltb 0 z, Z.leb z one &
   nonneg (bits f) (enclosures (bits f) (terms f) qs) false qs (log_against z m x)].
(** z <= one e^-x, and one e^-x <= z. *)
Definition exp_at_least (z : Z) (x : combination) : bool := Z.eqb z 0 || compares z (-1) x.
Definition exp_at_most (z : Z) (x : combination) : bool := compares z 1 x.

(** sum w(s) max(0, one - z(s)) from the top down, where z(s - 1) = step z(s). *)
Fixpoint kept_down (step : Z -> Z) (z : Z) (ws : seq Z) : Z :=
  if ws is w :: ws' then (w * Z.max 0 (one - z) + kept_down step (step z) ws')%coqZ else Z0.

(** Delta = 1 - (1 - a/b)/prod (1 - delta_i)^count_i as a fraction. *)
Definition kept_above : Z := foldr (fun e r => ((below e - above e) ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition kept_below : Z := foldr (fun e r => (below e ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition Delta_fraction (a b : Z) : Z * Z :=
  ((b * kept_above - (b - a) * kept_below)%coqZ, (b * kept_above)%coqZ).

End Program.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : 0 < IZR (denominator s). Proof. by case/and4P: ok => _ h _ _; rewrite (IZR_lt_iff Z0). Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma at_least_0_sound x : at_least_0 f s x -> 0 <= real s x.
Proof. by move=> h; rewrite divr_ge0 ?(ltW D0) //; exact: (nonneg_sound bits0 qs_ok h). Qed.

Lemma real_scale m x : real s (cscale m x) = IZR m * real s x.
Proof. by rewrite /real value_scale mulrA. Qed.
Lemma real_sub x y : real s (csub x y) = real s x - real s y.
Proof. by rewrite /real value_sub mulrBl. Qed.

Lemma compares_sound z m x : compares f s z m x ->
  0 < IZR z /\ IZR m * (ln (IZR one / IZR z)%coqR - real s x) <= 0.
Proof.
case/and3P=> /Z.ltb_lt z0 /Z.leb_le zone h.
have qok : all quotient_ok ((one, z) :: quotients s).
  by rewrite /= qs_ok andbT /quotient_ok /=; apply/andP; split; [exact/Z.ltb_lt|exact/Z.leb_le].
split; first by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have := nonneg_sound bits0 qok h; rewrite /value /= log_sum_scale IZRM -/one.
have -> : IZR (- m * denominator s) = - (IZR m * IZR (denominator s)).
  by rewrite IZRM -mulNr; congr (_ * _); exact: opp_IZR.
have D1 := D0; rewrite /real /value; set l := ln _; set v := log_sum _ _; set c := IZR x.1.
set D := IZR (denominator s) in D1 *; move=> h'; rewrite -(pmulr_lle0 _ D1) -oppr_ge0; apply: le_trans h' _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite -mulrA mulrBl divfK ?gt_eqF // mulrBr opprB mulrDr -addrA; congr (_ + _).
by rewrite mulNr mulrAC addrC mulrA.
Qed.

Lemma ln_one_over z : 0 < IZR z -> exp (- ln (IZR one / IZR z)%coqR) = IZR z / IZR one.
Proof.
move=> z0; rewrite expN exp_ln; last by apply: Rdiv_lt_0_compat; exact/RltP.
by rewrite RdivE ?gt_eqF // invf_div.
Qed.

Lemma exp_at_least_sound z x : exp_at_least f s z x -> IZR z <= IZR one * exp (- real s x).
Proof.
case/orP=> [/Z.eqb_eq ->|/compares_sound[z0]].
  by rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
rewrite (_ : IZR (-1) = -1) // mulN1r oppr_le0 subr_ge0 => h.
rewrite mulrC -ler_pdivr_mulr // -(ln_one_over z0) exp_le ler_opp2 //.
Qed.

Lemma exp_at_least_ge0 z x : exp_at_least f s z x -> Z.le 0 z.
Proof. by case/orP=> [/Z.eqb_eq ->|/and3P[/Z.ltb_lt h _ _]]; [exact: Z.le_refl|exact: Z.lt_le_incl]. Qed.

Lemma exp_at_most_gt0 z x : exp_at_most f s z x -> Z.lt 0 z.
Proof. by case/and3P=> /Z.ltb_lt. Qed.

Lemma exp_at_most_sound z x : exp_at_most f s z x -> IZR one * exp (- real s x) <= IZR z.
Proof.
case/compares_sound=> z0; rewrite mul1r subr_le0 => h.
by rewrite mulrC -ler_pdivl_mulr // -(ln_one_over z0) exp_le ler_opp2.
Qed.

Let L := ledger_of s.
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

Lemma zsum_cat s t : zsum (s ++ t) = (zsum s + zsum t)%coqZ.
Proof. by elim: s => [|x s IH] //=; rewrite IH; lia. Qed.

Lemma kept_downE f step z ws :
  kept_down f step z (rev ws) =
  kept_sum (2 ^ bits f)%coqZ (nth Z0 ws) (fun i => iter (size ws - i.+1) step z) (iota 0 (size ws)).
Proof.
elim/last_ind: ws z => [|ws w IH] z //.
rewrite rev_rcons /= IH /kept_sum size_rcons -addn1 iotaD map_cat zsum_cat add0n /=.
rewrite nth_rcons ltnn eqxx addn1 subSS subnn /= Z.add_0_r Z.add_comm; congr (_ + _)%coqZ.
congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
rewrite nth_rcons lt; congr (_ * Z.max 0 (_ - _))%coqZ.
by rewrite -iterSr -subSn.
Qed.


Section Powers.
Variables (one step z : Z) (r u : R).
Hypotheses (one0 : Z.lt 0 one) (step0 : Z.le 0 step) (z0 : Z.le 0 z).
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma iter_floor_ge0 n : Z.le 0 (iter n (fun z => floor_div (z * step) one) z).
Proof. by elim: n => [|n IH] //=; apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg. Qed.

Lemma iter_floor n : IZR z <= IZR one * exp (- r) -> IZR step <= IZR one * exp (- u) ->
  IZR (iter n (fun z => floor_div (z * step) one) z) <= IZR one * exp (- (r + u *+ n)).
Proof.
move=> zr su; elim: n => [|n IH]; first by rewrite mulr0n addr0.
rewrite iterS; apply: floor_div_below => //; rewrite IZRM.
have -> : IZR one * (IZR one * exp (- (r + u *+ n.+1))) =
    (IZR one * exp (- (r + u *+ n))) * (IZR one * exp (- u)).
  by rewrite mulrACA -expD mulrSr -mulrA -opprD addrA.
by apply: ler_pmul => //; apply: IZR_ge0; first exact: iter_floor_ge0.
Qed.

Lemma iter_ceil n : IZR one * exp (- r) <= IZR z -> IZR one * exp (- u) <= IZR step ->
  IZR one * exp (- (r + u *+ n)) <= IZR (iter n (fun z => ceil_div (z * step) one) z).
Proof.
move=> zr su; elim: n => [|n IH]; first by rewrite mulr0n addr0.
rewrite iterS; set y := iter n _ z in IH *.
have /RleP := ceil_div_ge (y * step) one one0; rewrite RdivE ?gt_eqF //; apply: le_trans.
rewrite ler_pdivl_mulr // IZRM mulrC.
have -> : IZR one * (IZR one * exp (- (r + u *+ n.+1))) =
    (IZR one * exp (- (r + u *+ n))) * (IZR one * exp (- u)).
  by rewrite mulrACA -expD mulrSr -mulrA -opprD addrA.
by apply: ler_pmul => //; rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
Qed.
End Powers.

Lemma zsumE (ws : seq Z) : zsum ws = zsum [seq nth Z0 ws i | i <- iota 0 (size ws)].
Proof. by rewrite -/(mkseq _ _) mkseq_nth. Qed.

