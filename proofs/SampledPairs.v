(** A record that takes part by chance: from laws with a noise those of its sample (SPEC, 7.4), from
    below.  The first law is drawn from both; between neighbours of which each has another record, the
    one in question is replaced by one to which the mechanism is blind. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Moments Notions RulesGaussian RulesNoiseRenyi.
From ExactDP Require Import OverlapTables RangePairs NoiseLedgers NoiseOrder.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The noise whose profile is sampled. *)
Definition noise_under (c : noise_curve) : noise :=
  match c with
  | NormalCurve mu => OfNotion (Gaussian mu)
  | LaplaceCurve a => OfLaplace a
  | RangeCurve e => OfRange e
  | ShiftCurve decay shift => OfShift decay shift
  | BellCurve v s => OfDiscreteGaussian v s
  | ByCurves _ _ => OfOrders [::]   (* none is asked for *)
  end.
Definition curve_proper (c : noise_curve) : Prop :=
  match c with RangeCurve e => 0 < e | ByCurves _ _ => False | _ => True end.

Lemma under_noise c (Y : finType) (P Q : Y -> R) (y : R) : curve_proper c -> has_noise (noise_under c) P Q -> 0 < y ->
  hockey_stick 1 y P Q <= curve_at c y /\ hockey_stick 1 y Q P <= curve_at c y.
Proof.
move=> ok [dP dQ h] y0; case: c ok h => [mu|a|e|d s|v s|f f'] //= ok h.
- have [_ _ g] := h; have [g1 g2] := g (ln y); rewrite lnK // in g1 g2.
  by split; apply/events_hockey_stick.
- have [h1 h2] := h; move: (h1 (ln y)) (h2 (ln y)); rewrite lnK //.
- have bound (S T : Y -> R) : distribution S -> distribution T -> bounded_range e S T ->
      hockey_stick 1 y S T <= range_curve e (ln y).
    move=> dS dT r; have [hi lo] := range_ends (ln y) dS dT r; have [_ S1] := dS.
    have := range_profile (ln y) ok dS dT r; rewrite lnK // in hi lo * => mid; rewrite /range_curve; case: ltP => l1.
      by rewrite hockey_stick_overlap S1 (lo (ltW l1)) lnK.
    case: (leP (ln y) e) => l2 //.
    by rewrite hockey_stick_overlap S1 (hi (ltW l2)) subrr.
  by split; [exact: bound|apply: bound => //; exact: bounded_range_sym].
all: by have [h1 h2] := h; split; [apply: h1|apply: h2]; exact: ltW.
Qed.

Lemma sampled_curveE (q : R) c (y : R) : 0 < q -> sampled_curve q c y =
  if y <= 1 - q then 1 - y else q * curve_at c ((y - (1 - q)) / q)%R.
Proof. by []. Qed.

Section Sample.
Variables (q : R) (c : noise_curve) (Y : finType) (P Q : Y -> R).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (ok : curve_proper c) (known : has_noise (noise_under c) P Q).
Definition mixed_law (z : Y) : R := ((1 - q) * Q z + q * P z)%R.
Let dP : distribution P. Proof. by case: known. Qed.
Let dQ : distribution Q. Proof. by case: known. Qed.
Let r0 : 0 <= 1 - q. Proof. by rewrite subr_ge0 ltW. Qed.

Lemma mixed_distribution : distribution mixed_law.
Proof.
have [[P0 P1] [Q0 Q1]] := (dP, dQ); split=> [z|]; first by rewrite addr_ge0 ?mulr_ge0 // ltW.
by rewrite /mixed_law big_split /= -!mulr_sumr P1 Q1 !mulr1 subrK.
Qed.

Lemma mixed_under : under_sampled q c mixed_law Q.
Proof.
move=> y y0; have := @sampled_profile q (fun y => hockey_stick 1 y P Q) Y P Q q0 (ltW q1) dP dQ (fun _ _ => lexx _) y y0.
move/le_trans; apply; rewrite /sampled sampled_curveE //; case: ltP => // hy.
rewrite ler_pmul2l //=; have t0 : 0 < (y - (1 - q)) / q by rewrite divr_gt0 ?subr_gt0.
by have [] := under_noise ok known t0.
Qed.

Lemma mixed_back (y : R) : 1 <= y -> hockey_stick 1 y Q mixed_law <= sampled_curve q c y.
Proof.
move=> y1; have y0 : 0 < y := lt_le_trans ltr01 y1; have hy : 1 - q < y.
  by apply: lt_le_trans y1; rewrite ltr_subl_addr ltr_addl.
have t0 : 0 < (y - (1 - q)) / q by rewrite divr_gt0 ?subr_gt0.
have [[P0 _] [Q0 _]] := (dP, dQ); rewrite sampled_curveE // [y <= 1 - q]leNgt hy /=.
set t := _ / q in t0 *; pose k := 1 - y * (1 - q).
have bound : hockey_stick 1 t Q P <= curve_at c t by have [] := under_noise ok known t0.
have termE z : 1 * Q z - y * mixed_law z = k * Q z - y * q * P z by rewrite /mixed_law /k; ring.
have [k0|k0] := leP k 0.
  rewrite /hockey_stick big1 => [|z _]; last first.
    rewrite termE pos_0 // subr_le0; apply: (@le_trans _ _ 0); first by rewrite mulr_le0_ge0.
    by rewrite !mulr_ge0 // ltW.
  rewrite mulr_ge0 ?(ltW q0) //; apply: le_trans bound; apply: sumr_ge0 => z _; exact: pos_ge0.
have -> : hockey_stick 1 y Q mixed_law = k * hockey_stick 1 (y * q / k) Q P.
  rewrite -(hockey_stickM 1 _ Q P (ltW k0)) mulr1 [k * (_ / k)]mulrC divfK ?gt_eqF //.
  by apply: eq_bigr => z _; rewrite termE.
have kq : k <= q.
  rewrite -subr_ge0; have -> : q - k = (y - 1) * (1 - q) by rewrite /k; ring.
  by rewrite mulr_ge0 // subr_ge0.
have later : t <= y * q / k.
  rewrite ler_pdivl_mulr // -(ler_pmul2r q0) mulrAC /t divfK ?gt_eqF // -subr_ge0.
  have -> : y * q * q - (y - (1 - q)) * k = (y - 1) ^+ 2 * (1 - q) by rewrite /k; ring.
  by rewrite mulr_ge0 // sqr_ge0.
apply: ler_pmul => //; [exact: ltW|by apply: sumr_ge0 => z _; exact: pos_ge0|].
apply: le_trans bound; exact: hockey_stick_antitone.
Qed.

Theorem sample_has_noise :
  [/\ has_noise (OfSample WithRecord q c) mixed_law Q, has_noise (OfSample WithoutRecord q c) Q mixed_law &
      has_noise (OfSample WithEither q c) mixed_law Q].
Proof.
have u := mixed_under; have d := mixed_distribution; split; split=> //= y y1.
have -> : exchanged_curve c = c by case: (c) ok.
split; last exact: mixed_back.
by apply: u; apply: le_trans y1; exact: ler01.
Qed.
End Sample.
