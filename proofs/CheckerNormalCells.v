(** Rows of cells of the normal law (NormalTangents.v) in integers, from below, for the rule
    `mesh-lower`: Phi by its series near 0, and by another far out, as in NormalEnclosures.v. *)
From Coq Require Import Reals ZArith Lra.
From ExactDP Require Import Logarithms Normal NormalFar Exponentials Enclosures NormalEnclosures.

(** Phi(-z/mu), for mu^2 = x/y; [root] is 1/sqrt(2 pi x/y). *)
Definition tail_enclosure (w : Z) (terms : term_counts) (x y : Z) (root z : enclosure) : option enclosure :=
  let v := at_least_zero (mul w (mul w z z) (enclosure_of_fraction w y x)) in
  match side w terms x y z v, exponential w (divide_by 2 (opp v)) with
  | Some (c, q), Some f => Some (sub (divide_by 2 (enclosure_of_Z w c)) (mul w (mul w f root) q))
  | _, _ => None
  end.

Section Tail.
Local Open Scope R_scope.
Variable w : Z.
Hypothesis w0 : (0 <= w)%Z.

Lemma tail_enclosure_sound terms x y root z e r : (0 < x)%Z -> (0 < y)%Z -> let s := IZR x / IZR y in
  enclosed w (/ sqrt (2 * PI * s)) root -> enclosed w z e -> tail_enclosure w terms x y root e = Some r ->
  enclosed w (Phi (- (z / sqrt s))) r.
Proof.
intros x0 y0 s hroot Z. unfold tail_enclosure. assert (X := IZR_lt _ _ x0). assert (Y := IZR_lt _ _ y0).
assert (s0 : 0 < s) by (apply Rdiv_lt_0_compat; lra).
assert (V : enclosed w (z * z / s) (at_least_zero (mul w (mul w e e) (enclosure_of_fraction w y x)))).
{ replace (z * z / s) with (Rmax 0 (z * z * (IZR y / IZR x))).
    apply enclosed_at_least_zero, enclosed_mul; [exact w0..|apply enclosed_mul; assumption|].
    apply enclosed_quotient; assumption.
  assert (0 <= z * z) by apply Rle_0_sqr.
  replace (z * z * (IZR y / IZR x)) with (z * z / s) by (unfold s; field; lra).
  apply Rmax_right. apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat; exact s0]. }
set (v := at_least_zero _) in *.
destruct (side w terms x y e v) as [[c q]|] eqn:hs; [|discriminate].
destruct (exponential w (divide_by 2 (opp v))) as [f|] eqn:hf; [|discriminate]. intros [=<-].
destruct (side_sound w w0 terms x y z e v c q x0 y0 Z V hs) as [t [Q E]]. fold s in E. rewrite E.
apply enclosed_sub.
- apply enclosed_divide_by; [reflexivity|]. apply enclosed_Z, w0.
- apply enclosed_mul; [exact w0| |exact Q]. unfold Rdiv at 1. apply enclosed_mul; [exact w0| |exact hroot].
  replace (bell (z / sqrt s)) with (exp (- (z * z / s) / 2)).
    apply (enclosed_exponential w w0 _ _ _ (enclosed_divide_by w 2 _ _ eq_refl (enclosed_opp _ _ _ V)) hf).
  unfold bell. f_equal. replace (z / sqrt s * (z / sqrt s)) with (z * z / (sqrt s * sqrt s)).
    rewrite sqrt_sqrt by lra. reflexivity.
  field. apply Rgt_not_eq, sqrt_lt_R0, s0.
Qed.
End Tail.

From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules EnclosuresOfNumbers Tables NoiseTests Tangents TangentPairs.
From ExactDP Require Import NormalTangents Ratios CheckerClosed CheckerScores CheckerNoiseRows CheckerCells.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Bits, terms of the series, and of that of pi. *)
Record normal_terms := NormalTerms { normal_bits : Z; tail_terms : term_counts; root_terms : nat }.

Section Rows.
Variables (S : Z) (t : normal_terms) (x y : Z).
Let w := normal_bits t.

Definition normal_tails_at (root : enclosure) (step : ratio) (k : Z) : option tails_enclosure :=
  let d := (2 * (y * Zpos step.2))%coqZ in
  let here := (k * step.1 * (2 * y))%coqZ in let half := (x * Zpos step.2)%coqZ in
  let tail n := tail_enclosure w (tail_terms t) x y root (enclosure_of_fraction w n d) in
  if (tail (here - half)%coqZ, tail (here + half)%coqZ) is (Some p, Some q) then Some (p, q) else None.

Definition normal_rows (c : cuts) : option score_rows :=
  if [&& Z.leb 0 w, Z.ltb 0 x & Z.ltb 0 y] then
    if inverse_root w (root_terms t) (enclosure_of_fraction w x y) is Some root
    then cells_rows w S (normal_tails_at root (cut_step c)) c else None
  else None.

Hypotheses (S0 : Z.lt 0 S) (x0 : Z.lt 0 x) (y0 : Z.lt 0 y).
Let mu := sqrt (fraction x y).
Let x0' : 0 < IZR x. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let y0' : 0 < IZR y. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let sE : (IZR x / IZR y)%coqR = fraction x y. Proof. by rewrite RdivE // gt_eqF. Qed.
Let s0 : 0 < fraction x y. Proof. exact: divr_gt0. Qed.

Lemma root_gt0 : 0 < mu. Proof. by apply/RltP/sqrt_lt_R0/RltP. Qed.
Lemma root_square : mu * mu = fraction x y.
Proof. by apply: sqrt_sqrt; apply/RleP; exact: ltW. Qed.

Lemma normal_tails_atP root step k e : Z.le 0 w -> enclosed w (/ sqrt (2 * PI * (IZR x / IZR y)))%coqR root ->
  normal_tails_at root step k = Some e ->
  tails_enclosed w (normal_tails mu (IZR k * of_ratio step)) e.
Proof.
move=> w0 hroot; rewrite /normal_tails_at; set d := (2 * (y * _))%coqZ; set here := (k * _ * _)%coqZ; set half := (x * _)%coqZ.
case ep: tail_enclosure => [p|] //; case eq: tail_enclosure => [q|] // [<-].
have ps : 0 < IZR (Zpos step.2) by rewrite (IZR_lt_iff Z0).
have d0 : Z.lt 0 d by apply: Z.mul_pos_pos => //; exact: Z.mul_pos_pos.
have two : IZR 2 = 2%:R by []. have m0 := root_gt0; have mm := root_square.
have m1 : mu != 0 by rewrite gt_eqF.
set l := IZR k * of_ratio step.
have at_ n (v : R) : IZR n / IZR d = v -> enclosed w v (enclosure_of_fraction w n d).
  by move=> <-; exact: enclosed_fraction.
have e1 : IZR (here - half) / IZR d = l - fraction x y / 2%:R.
  by rewrite /l /of_ratio /fraction /d /here /half IZRB !IZRM two; field; rewrite ?gt_eqF.
have e2 : IZR (here + half) / IZR d = l + fraction x y / 2%:R.
  by rewrite /l /of_ratio /fraction /d /here /half IZRD !IZRM two; field; rewrite ?gt_eqF.
have := tail_enclosure_sound w w0 _ _ _ _ _ _ _ x0 y0 hroot (at_ _ _ e1) ep.
have := tail_enclosure_sound w w0 _ _ _ _ _ _ _ x0 y0 hroot (at_ _ _ e2) eq.
rewrite sE -/mu -mm => h2 h1; split => /=.
  have -> : mu / 2%:R - l / mu = - ((l - mu * mu / 2%:R) / mu) by field.
  by move: h1; rewrite RdivE.
have -> : - (mu / 2%:R) - l / mu = - ((l + mu * mu / 2%:R) / mu) by field.
by move: h2; rewrite RdivE.
Qed.

Lemma normal_rowsP c r : normal_rows c = Some r -> exists ls l,
  [/\ sorted <%R ls, unscored l = cells certain (unzip2 (cuts_at (normal_tails mu) ls)) & rows_below S l r].
Proof.
rewrite /normal_rows; case: ifP => // /and3P[/Z.leb_le w0 _ _]; case hr: inverse_root => [root|] // h.
have hroot := inverse_root_enclosed w w0 _ _ _ _ (enclosed_quotient w w0 x y y0) hr.
set v := of_ratio (cut_step c); pose ls := [seq IZR k * v | k <- cut_places c].
have rises : sorted <%R ls.
  move: h; rewrite /cells_rows; case: ifP => // /and3P[/Z.ltb_lt s1 up _] _; apply: rising_sorted up.
  by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have E : [seq normal_tails mu (IZR k * v) | k <- cut_places c] = unzip2 (cuts_at (normal_tails mu) ls).
  by rewrite /unzip2 /cuts_at /ls -!map_comp.
have [||l [e b]] := @cells_rowsP w S w0 S0 (fun k => normal_tails mu (IZR k * v)) _ c r _ _ h.
- by move=> k e; exact: normal_tails_atP.
- by rewrite E; exact: cells_ge0 (lexx 0) (normal_apart root_gt0 rises).
by exists ls, l; rewrite e E.
Qed.
End Rows.
