(** The verified checker: the Rényi divergence of Laplace noise of one order, from above as a rational, so
    that `moments` adds it to those that are listed. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Powers Moments RulesNoiseRenyi NoiseLedgers LaplaceMoments NoiseEntries.
From ExactDP Require Import Logarithms Exponentials Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed.
From ExactDP Require Import CheckerConcentrated CheckerNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (w : Z) (o : order).
Let n := order_above o.
Let d := order_below o.

(** ln M = (alpha - 1) a + ln((alpha + (alpha - 1) e^-((2 alpha - 1) a)) / (2 alpha - 1)). *)
Definition log_laplace_moment (a : ratio) : option enclosure :=
  if exponential w (enclosure_of_fraction w (- ((2 * n - d) * a.1)) (d * Zpos a.2)) is Some x then
    let mean := add (enclosure_of_fraction w n (2 * n - d)) (scale_fraction (n - d) (2 * n - d) x) in
    if Z.ltb 0 mean.1 then
      if logarithm w mean is Some y then Some (add (enclosure_of_fraction w ((n - d) * a.1) (d * Zpos a.2)) y) else None
    else None
  else None.

(** The divergence itself is that by alpha - 1. *)
Definition own_order : ratio := (n, Z.to_pos d).
Definition laplace_divergence (a : ratio) : option ratio :=
  if log_laplace_moment a is Some e then Some ((e.2 * d)%coqZ, Z.to_pos ((n - d) * Z.shiftl 1 w)) else None.
Fixpoint laplace_orders (ls : seq (ratio * Z)) : option (seq (orders * Z)) :=
  if ls is l :: ls' then
    if (laplace_divergence l.1, laplace_orders ls') is (Some r, Some rest) then Some (([:: (own_order, r)], l.2) :: rest)
    else None
  else Some [::].
End Program.

Section Sound.
Variables (w : Z) (o : order).
Hypotheses (w0 : Z.le 0 w) (o_ok : order_ok o).
Let n := order_above o.
Let d := order_below o.
Let d0 : Z.lt 0 d. Proof. by case/andP: o_ok => /Z.ltb_lt. Qed.
Let nd : Z.lt 0 (n - d). Proof. by case/andP: o_ok => _ /Z.ltb_lt; rewrite /n /d; lia. Qed.
Let D0 : 0 < IZR d. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let al := order_of o.
Let alE : al = IZR n / IZR d. Proof. by []. Qed.
Let al1 : 1 < al. Proof. exact: order_gt1. Qed.

Lemma log_laplace_momentP a e : log_laplace_moment w o a = Some e ->
  enclosed w (ln (laplace_moment al (of_ratio a))) e.
Proof.
rewrite /log_laplace_moment -/n -/d; case X: (exponential _ _) => [x|] //; set mean := add _ _.
case: ifP => // /Z.ltb_lt m0; case L: (logarithm _ _) => [y|] // [<-].
have b0 : Z.lt 0 (2 * n - d) by move: nd d0; lia.
have ad : Z.lt 0 (d * Zpos a.2) by lia.
have B0 : 0 < IZR (2 * n - d) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have A0 : 0 < IZR (Zpos a.2) by rewrite (IZR_lt_iff Z0).
have beta : 2%:R * al - 1 = IZR (2 * n - d) / IZR d.
  by rewrite alE IZRB IZRM mulrBl divff ?gt_eqF // mulrA.
set t := exp (- ((2%:R * al - 1) * of_ratio a)).
have T : enclosed w t x.
  apply: (enclosed_exponential w w0 _ _ _ _ X).
  have -> : - ((2%:R * al - 1) * of_ratio a) = IZR (- ((2 * n - d) * a.1)) / IZR (d * Zpos a.2).
    by rewrite beta opp_IZR RoppE !IZRM /of_ratio /fraction mulNr mulf_div.
  exact: enclosed_fraction.
have M : enclosed w (IZR n / IZR (2 * n - d) + IZR (n - d) / IZR (2 * n - d) * t) mean.
  by apply: enclosed_add; [exact: enclosed_fraction|exact: enclosed_multiple].
have inner : ln (laplace_moment al (of_ratio a)) =
    (al - 1) * of_ratio a + ln (IZR n / IZR (2 * n - d) + IZR (n - d) / IZR (2 * n - d) * t).
  have al0 : 0 < al := lt_trans ltr01 al1.
  have ND : 0 < IZR (n - d) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  have N0 : 0 < IZR n by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; move: nd d0; lia.
  have m1 : 0 < IZR n / IZR (2 * n - d) + IZR (n - d) / IZR (2 * n - d) * t.
    by rewrite addr_gt0 ?divr_gt0 // mulr_gt0 ?divr_gt0 // exp_gt0.
  have -> : laplace_moment al (of_ratio a) =
      exp ((al - 1) * of_ratio a) * (IZR n / IZR (2 * n - d) + IZR (n - d) / IZR (2 * n - d) * t).
    have e2 : exp (- (al * of_ratio a)) = exp ((al - 1) * of_ratio a) * t.
      by rewrite /t -expD; congr exp; ring.
    rewrite /laplace_moment beta e2; have -> : al - 1 = IZR (n - d) / IZR d by rewrite alE IZRB mulrBl divff // gt_eqF.
    by rewrite alE; field; rewrite !gt_eqF.
  by rewrite -RmultE ln_mult ?ln_exp //; [exact/RltP/exp_gt0|exact/RltP].
rewrite inner; apply: enclosed_add; last by have [_] := enclosed_logarithm w w0 _ _ _ M L.
have -> : (al - 1) * of_ratio a = IZR ((n - d) * a.1) / IZR (d * Zpos a.2).
  have -> : al - 1 = IZR (n - d) / IZR d by rewrite alE IZRB mulrBl divff // gt_eqF.
  by rewrite !IZRM /of_ratio /fraction mulf_div.
exact: enclosed_fraction.
Qed.

Lemma laplace_divergenceP a r : laplace_divergence w o a = Some r ->
  ln (laplace_moment al (of_ratio a)) <= (al - 1) * of_ratio r.
Proof.
rewrite /laplace_divergence -/n -/d; case X: (log_laplace_moment _ _ _) => [e|] // [<-].
have /enclosedP/andP[_ hi] := log_laplace_momentP X.
have S0 : Z.lt 0 (Z.shiftl 1 w) by rewrite Z.shiftl_1_l; exact: Z.pow_pos_nonneg.
have P0 : Z.lt 0 ((n - d) * Z.shiftl 1 w) by exact: Z.mul_pos_pos.
have SE : IZR (Z.shiftl 1 w) = IZR (2 ^ w) by rewrite Z.shiftl_1_l.
have B0 : 0 < IZR (2 ^ w) by rewrite -SE (IZR_lt_iff Z0); exact/Z.ltb_lt.
have ND : 0 < IZR (n - d) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have -> : (al - 1) * of_ratio ((e.2 * d)%coqZ, Z.to_pos ((n - d) * Z.shiftl 1 w)) = IZR e.2 / IZR (2 ^ w).
  rewrite /of_ratio /fraction; cbn [fst snd]; rewrite (Z2Pos.id _ P0) !IZRM SE alE.
  have -> : IZR n / IZR d - 1 = IZR (n - d) / IZR d by rewrite IZRB mulrBl divff // gt_eqF.
  by field; rewrite !gt_eqF.
by rewrite ler_pdivl_mulr.
Qed.

(** The entries that stand for Laplace noise, and what is added up for them. *)
Definition in_laplaces (a : R) (ls : seq (ratio * Z)) : seq noise_entry :=
  many (fun l => Known (ln (laplace_moment a (of_ratio l)))) ls.

Lemma laplace_ordersP ls os : laplace_orders w o ls = Some os ->
  \sum_(e <- in_laplaces al ls) log_bound al e <= \sum_(e <- in_orders os) log_bound al e.
Proof.
elim: ls os => [|l ls IH] os /=; first by move=> [<-]; rewrite !big_nil.
case R0: (laplace_divergence _ _ _) => [r|] //; case E: (laplace_orders _ _ _) => [rest|] // [<-].
rewrite /in_laplaces /in_orders /many /= !big_cat; apply: ler_add; last exact: IH.
have le := laplace_divergenceP R0; rewrite !big_nseq.
have one : log_bound al (Ordered (real_orders [:: (own_order o, r)])) = (al - 1) * of_ratio r.
  rewrite /log_bound /real_orders /first_order /=; have -> : of_ratio (own_order o) = al.
    by rewrite /of_ratio /own_order /fraction; cbn [fst snd]; rewrite (Z2Pos.id _ d0).
  by rewrite lexx.
rewrite one; elim: (Z.to_nat l.2) => [|k IHk] /=; [exact: lexx|exact: ler_add].
Qed.

Lemma in_laplaces_proper a ls : all (proper_entry a) (in_laplaces a ls) /\
  \prod_(e <- in_laplaces a ls) (1 - entry_failure e) = 1.
Proof.
split.
  by rewrite /in_laplaces /many; elim: ls => //= l ls IH; rewrite all_cat all_nseq orbT.
rewrite /in_laplaces /many big_flatten big_map big1 // => l _.
by rewrite big_nseq iter_mulr_1 /= subr0 expr1n.
Qed.
End Sound.
