(** The verified checker: the rules `moments`, of ledgers by parameters, and `formula`.

    Each quantity of a rule is enclosed at [w] bits (Enclosures.v), and the enclosures compared. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Powers Moments RulesConcentrated.
From ExactDP Require Import Logarithms Comparisons CheckerClosed CheckerNotions.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerDelta CheckerGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** (n/d) v, for d > 0. *)
Definition scale_fraction (n d : Z) (e : enclosure) : enclosure :=
  let s := scale n e in (floor_div s.1 d, ceil_div s.2 d).

(** alpha = order_above/order_below. *)
Record order := Order { order_above : Z; order_below : Z }.
Definition order_ok (a : order) : bool := Z.ltb 0 (order_below a) && Z.ltb (order_below a) (order_above a).
Definition order_of (a : order) : R := fraction (order_above a) (order_below a).

Section Program.
Variables (w : Z) (m : mixed_subject).
Let s := approximates m.

Definition epsilon_enclosure (x : combination) : enclosure :=
  enclosure_of_number w (logarithms w (quotients s)) (denominator s) x.

(** sum rho + sum mu^2/2, as a fraction. *)
Definition rho_fraction : Z * Z :=
  let q := total_square m in add_fractions (total_concentrated m) (q.1, (2 * q.2)%coqZ).
Definition levels_enclosure : enclosure := enclosure_of_fraction w rho_fraction.1 rho_fraction.2.

(** The same with sum epsilon_i^2/2. *)
Definition rho_enclosure : enclosure :=
  let logs := logarithms w (quotients s) in
  add (scale_fraction 1 2 (foldr (fun e t =>
      let v := enclosure_of_number w logs (denominator s) (epsilon e) in
      add (mul w (scale (count e) v) v) t) (enclosure_of_Z w 0) (entries s)))
    levels_enclosure.

Variable a : order.
Let n := order_above a.
Let d := order_below a.

Definition conversion_enclosure : enclosure :=
  sub (scale_fraction n d (ln_of_quotient w (n - d) n)) (ln_of_quotient w (n - d) d).
Definition exponent_enclosure (rho e : enclosure) : enclosure :=
  add (add (scale_fraction (n * (n - d)) (d * d) rho) (scale_fraction (d - n) d e))
    conversion_enclosure.
Definition slope_enclosure (rho e : enclosure) : enclosure :=
  add (sub (scale_fraction (2 * n - d) d rho) e) (ln_of_quotient w (n - d) n).

(** The logarithm of the moment of randomized response. *)
Definition log_one_plus_exp (e : enclosure) : option enclosure :=
  if exponential w e is Some x then logarithm w (add (enclosure_of_Z w 1) x) else None.
Definition response_enclosure (v : enclosure) : option enclosure :=
  if (log_one_plus_exp (scale_fraction (d - 2 * n) d v), log_one_plus_exp (opp v)) is (Some x, Some y)
  then Some (add (scale_fraction (n - d) d v) (sub x y)) else None.
Definition moments_enclosure : option enclosure :=
  let logs := logarithms w (quotients s) in
  foldr (fun e t =>
      if (response_enclosure (enclosure_of_number w logs (denominator s) (epsilon e)), t)
      is (Some r, Some t) then Some (add (scale (count e) r) t) else None)
    (Some (scale_fraction (n * (n - d)) (d * d) levels_enclosure)) (entries s).
End Program.

Definition log_slack (w : Z) (m : mixed_subject) (a b : Z) : option enclosure :=
  let s := approximates m in
  if Delta_ok s w a b then logarithm w (Delta_low s w a b, Delta_high s w a b) else None.

Definition well_formed (f : effort) (w : Z) (m : mixed_subject) : bool := mixed_ok f m && Z.leb 0 w.

Definition check_bun_steinke_underivable (f : effort) (w : Z) (m : mixed_subject) (x : combination)
    (a b : Z) : bool :=
  let rho := rho_enclosure w m in
  let room := sub (epsilon_enclosure w m x) rho in
  well_formed f w m &&
  if log_slack w m a b is Some l then
    surely_lt room (enclosure_of_Z w 0) || surely_lt (mul w room room) (opp (scale 4 (mul w rho l)))
  else false.

Definition check_canonne_kamath_steinke_underivable (f : effort) (w : Z) (m : mixed_subject)
    (o : order) (x : combination) (a b : Z) : bool :=
  let rho := rho_enclosure w m in
  let e := epsilon_enclosure w m x in
  let slope := slope_enclosure w o rho e in
  well_formed f w m && order_ok o && surely_lt (enclosure_of_Z w 0) rho &&
  if (log_slack w m a b, divide w (mul w slope slope) (scale 4 rho)) is (Some l, Some lost) then
    surely_lt l (sub (exponent_enclosure w o rho e) lost)
  else false.

Definition check_renyi (f : effort) (w : Z) (m : mixed_subject) (o : order) (x : combination)
    (a b : Z) : bool :=
  well_formed f w m && order_ok o &&
  if (log_slack w m a b, moments_enclosure w m o) is (Some l, Some t) then
    surely_le (add (add t (scale_fraction (order_below o - order_above o) (order_below o)
      (epsilon_enclosure w m x))) (conversion_enclosure w o)) l
  else false.

Lemma enclosed_multiple w n d v e : Z.lt 0 d -> enclosed w v e ->
  enclosed w (IZR n / IZR d * v) (scale_fraction n d e).
Proof.
move=> d0 /(enclosed_scale w n)/enclosedP/andP[lo hi].
have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
apply/enclosedP; have -> : IZR n / IZR d * v * IZR (2 ^ w) = IZR n * v * IZR (2 ^ w) / IZR d.
  by rewrite -!mulrA; congr (_ * _); rewrite mulrC -mulrA.
have /RleP f := floor_div_le (scale n e).1 d d0; have /RleP c := ceil_div_ge (scale n e).2 d d0.
move: f c; rewrite !RdivE ?gt_eqF // => f c; apply/andP; split.
  by apply: le_trans f _; rewrite ler_pmul2r ?invr_gt0.
by apply: le_trans c; rewrite ler_pmul2r ?invr_gt0.
Qed.

Section Orders.
Variables (w : Z) (o : order).
Hypotheses (w0 : Z.le 0 w) (o_ok : order_ok o).
Let n := order_above o.
Let d := order_below o.
Let d0 : Z.lt 0 d. Proof. by case/andP: o_ok => /Z.ltb_lt. Qed.
Let nd : Z.lt 0 (n - d). Proof. by case/andP: o_ok => _ /Z.ltb_lt; rewrite /n /d; lia. Qed.
Let D0 : IZR d != 0. Proof. exact: IZR_gt0_neq0. Qed.
Let n0 : Z.lt 0 n. Proof. by move: d0 nd; lia. Qed.

Lemma order_gt1 : 1 < order_of o.
Proof.
have h : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
by rewrite ltr_pdivl_mulr // mul1r IZR_lt_iff; case/andP: o_ok.
Qed.

Lemma one_minus_inverse : (1 - / order_of o)%coqR = (IZR (n - d) / IZR n)%coqR.
Proof.
have N0 : IZR n != 0 by exact: IZR_gt0_neq0.
rewrite RdivE // RinvE ?gt_eqF ?(lt_trans ltr01 order_gt1) //.
by rewrite /order_of /fraction -/n -/d IZRB mulrBl divff // invf_div.
Qed.

Lemma conversion_enclosed : enclosed w (log_conversion (order_of o)) (conversion_enclosure w o).
Proof.
have -> : log_conversion (order_of o) =
    IZR n / IZR d * ln (IZR (n - d) / IZR n)%coqR - ln (IZR (n - d) / IZR d)%coqR.
  rewrite /log_conversion one_minus_inverse (RdivE _ D0).
  by rewrite /order_of /fraction -/n -/d IZRB mulrBl divff.
apply: enclosed_sub => //; last exact: ln_of_quotient_enclosed.
by apply: enclosed_multiple => //; exact: ln_of_quotient_enclosed.
Qed.

Lemma exponent_enclosed rho e r x : enclosed w rho r -> enclosed w e x ->
  enclosed w (exponent rho e (order_of o)) (exponent_enclosure w o r x).
Proof.
move=> R X; rewrite exponent_split.
have -> : (order_of o * (order_of o - 1) * rho + (1 - order_of o) * e + log_conversion (order_of o))%coqR =
  IZR (n * (n - d)) / IZR (d * d) * rho + IZR (d - n) / IZR d * e + log_conversion (order_of o).
  rewrite /order_of /fraction -/n -/d IZRM (IZRM d) !IZRB.
  congr (_ * _ + _ * _ + _).
    by rewrite -mulf_div mulrBl divff.
  by rewrite mulrBl divff.
apply: enclosed_add => //; last exact: conversion_enclosed.
by apply: enclosed_add => //; apply: enclosed_multiple => //; exact: Z.mul_pos_pos.
Qed.

Lemma slope_enclosed rho e r x : enclosed w rho r -> enclosed w e x ->
  enclosed w (slope rho e (order_of o)) (slope_enclosure w o r x).
Proof.
move=> R X; have -> : slope rho e (order_of o) =
    IZR (2 * n - d) / IZR d * rho - e + ln (IZR (n - d) / IZR n)%coqR.
  have -> : IZR (2 * n - d) / IZR d = 2%:R * order_of o - 1 by rewrite IZRB IZRM mulrBl divff // mulrA.
  by rewrite /slope one_minus_inverse.
apply: enclosed_add => //; last exact: ln_of_quotient_enclosed.
by apply: enclosed_sub => //; exact: enclosed_multiple.
Qed.

Lemma log_one_plus_exp_enclosed e x l : enclosed w e x -> log_one_plus_exp w x = Some l ->
  enclosed w (ln (1 + exp e)) l.
Proof.
rewrite /log_one_plus_exp => X; case h: (exponential w x) => [y|] // L.
have Y := enclosed_exponential w w0 _ _ _ X h.
by have [_] := enclosed_logarithm w w0 _ _ _ (enclosed_add _ _ _ _ _ (enclosed_Z w w0 1) Y) L.
Qed.

Lemma response_enclosed e x l : enclosed w e x -> response_enclosure w o x = Some l ->
  enclosed w (ln (response_moment (order_of o) e)) l.
Proof.
rewrite /response_enclosure => X.
case h1: (log_one_plus_exp _ _) => [y|] //; case h2: (log_one_plus_exp _ _) => [z|] // [<-].
have := log_one_plus_exp_enclosed (enclosed_opp w _ _ X) h2.
have := log_one_plus_exp_enclosed (enclosed_multiple (order_below o - 2 * order_above o) d0 X) h1.
have -> : IZR (order_below o - 2 * order_above o) / IZR d = 1 - 2%:R * order_of o.
  by rewrite IZRB IZRM mulrBl divff // mulrA.
move=> Y Z; rewrite ln_response_moment; apply: enclosed_add => //; last exact: enclosed_sub.
have -> : (order_of o - 1)%coqR = IZR (n - d) / IZR d by rewrite IZRB mulrBl divff.
exact: enclosed_multiple.
Qed.
End Orders.

Section Subjects.
Variables (f : effort) (w : Z) (m : mixed_subject).
Hypotheses (ok : mixed_ok f m) (w0 : Z.le 0 w).
Let s := approximates m.

Lemma epsilon_enclosed x : enclosed w (real s x) (epsilon_enclosure w m x).
Proof.
case/and3P: ok => /and4P[_ /Z.ltb_lt d0 q _] _ _; exact: enclosed_number.
Qed.

Lemma two_R : IZR 2 = 2%:R :> R. Proof. by []. Qed.

Lemma levels_enclosed : enclosed w
  (\sum_(l <- gaussians m) IZR (times l) * (level_of l ^+ 2 / 2%:R) +
   \sum_(l <- concentrates m) IZR (times l) * level_of l) (levels_enclosure w m).
Proof.
have [q0 q] := total_squareE ok; have [c0 c] := total_concentratedE ok.
rewrite -c; under eq_bigr do rewrite mulrA; rewrite -mulr_suml -q addrC.
have -> : fraction (total_concentrated m).1 (total_concentrated m).2 +
    fraction (total_square m).1 (total_square m).2 / 2%:R =
  IZR (rho_fraction m).1 / IZR (rho_fraction m).2.
  rewrite /rho_fraction /add_fractions /fraction; cbn [fst snd]; rewrite IZRD !IZRM two_R.
  rewrite -mulrA -invfM [IZR _ * 2%:R]mulrC.
  by rewrite addf_div ?mulf_neq0 ?IZR_gt0_neq0 ?pnatr_eq0.
by apply: enclosed_fraction => //; apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos.
Qed.

Lemma rho_enclosed : enclosed w (total_rho (notions_of m)) (rho_enclosure w m).
Proof.
rewrite /total_rho (sum_notions ok) /=; apply: enclosed_add; last exact: levels_enclosed.
have -> : \sum_(e <- entries s) IZR (count e) * (real s (epsilon e) ^+ 2 / 2%:R) =
    IZR 1 / IZR 2 * \sum_(e <- entries s) IZR (count e) * real s (epsilon e) * real s (epsilon e).
  by rewrite mulr_sumr; apply: eq_bigr => e _; rewrite two_R div1r expr2 [RHS]mulrC -!mulrA.
apply: enclosed_multiple => //; elim: (entries s) => [|e es IH] /=.
  by rewrite big_nil; exact: enclosed_Z.
rewrite big_cons; apply: enclosed_add => //; apply: enclosed_mul => //; last exact: epsilon_enclosed.
by apply: enclosed_scale => //; exact: epsilon_enclosed.
Qed.

Lemma log_slack_enclosed a b l : log_slack w m a b = Some l ->
  0 < mixed_slack (notions_of m) (fraction a b) /\
  enclosed w (ln (mixed_slack (notions_of m) (fraction a b))) l.
Proof.
rewrite /log_slack mixed_slackE; case: ifP => // Dok L.
have sok : subject_ok f (approximates m) by case/and3P: ok.
have E : enclosed w (slack (ledger_of (approximates m)) (fraction a b))
    (Delta_low (approximates m) w a b, Delta_high (approximates m) w a b).
  by apply/enclosedP; rewrite mulrC; apply/andP; split; [exact: (Delta_low_le sok Dok)|exact: (Delta_high_ge sok Dok)].
by have [/RltP d0 E'] := enclosed_logarithm w w0 _ _ _ E L.
Qed.

Lemma moments_enclosed o l : order_ok o -> moments_enclosure w m o = Some l ->
  enclosed w (\sum_(n <- notions_of m) log_moment (order_of o) n) l.
Proof.
move=> o_ok; have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
rewrite /moments_enclosure (sum_notions ok) /= -/s.
elim: (entries s) l => [|e es IH] /= l.
  move=> [<-]; rewrite big_nil add0r.
  have -> : \sum_(l <- gaussians m) IZR (times l) * (order_of o * (order_of o - 1) * (level_of l ^+ 2 / 2%:R)) +
      \sum_(l <- concentrates m) IZR (times l) * (order_of o * (order_of o - 1) * level_of l) =
    IZR (order_above o * (order_above o - order_below o)) / IZR (order_below o * order_below o) *
      (\sum_(l <- gaussians m) IZR (times l) * (level_of l ^+ 2 / 2%:R) +
       \sum_(l <- concentrates m) IZR (times l) * level_of l).
    have -> : IZR (order_above o * (order_above o - order_below o)) / IZR (order_below o * order_below o) = order_of o * (order_of o - 1).
      by rewrite IZRM (IZRM (order_below o)) IZRB -mulf_div mulrBl divff // IZR_gt0_neq0.
    by rewrite mulrDr !mulr_sumr; congr (_ + _); apply: eq_bigr => i _; rewrite mulrCA.
  by apply: enclosed_multiple => //; [exact: Z.mul_pos_pos|exact: levels_enclosed].
case h: (response_enclosure _ _ _) => [r|] //; case h': (foldr _ _ _) => [t|] // [<-].
rewrite big_cons -addrA; apply: enclosed_add => //; last exact: IH.
by apply: enclosed_scale => //; apply: (response_enclosed w0 o_ok _ h); exact: epsilon_enclosed.
Qed.
End Subjects.
