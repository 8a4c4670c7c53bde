(** The verified checker: the rules `fourier-upper` and `fourier-lower`, and those beside Gaussian mechanisms.

    The trapezoid sum is taken over the points up to the last, by enclosures of the program's own
    (EnclosuresOfFourier.v), and over those alone that its own sweep does not pass over (EnclosuresOfSweep.v): what a
    certificate says of blocks, of points near and far and of factors is about the cost of another way to find the
    same sum, and is not needed. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons Enclosures.
From ExactDP Require Import EnclosuresOfNumbers NormalEnclosures EnclosuresOfFourier EnclosuresOfSweep.
From ExactDP Require Import CheckerClosed CheckerDelta CheckerNotions CheckerGaussian LossLaws RulesGaussian RulesFourier FourierPeriods.
From ExactDP Require Import FourierKernel GaussianComposition GaussianAttainment.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** a, d and s, as fractions, and N; bits to work with, terms of the series of pi, and how little at a point is
    passed over, in units of these bits. *)
Record wave_plan := WavePlan {
  wave_bits : Z; wave_terms : Z; wave_tilt : Z * Z; wave_step : Z * Z; wave_noise : Z * Z; wave_last : Z;
  wave_little : Z
}.

(** A slope of an exponential, as a fraction. *)
Definition slope := (Z * Z)%type.

Definition above_0_of (x : Z * Z) : bool := Z.ltb 0 x.1 && Z.ltb 0 x.2.

Section Program.
Variables (f : effort) (q : wave_plan) (m : mixed_subject).
Let s := approximates m.
Let bits := wave_bits q.
Let in_bits (x : Z * Z) : enclosure := enclosure_of_fraction bits x.1 x.2.
Let last := Z.to_nat (wave_last q).

(** The noise has become small after the last point. *)
Definition small_beyond : bool :=
  let d := wave_step q in let v := wave_noise q in
  let turned := (v.1 * d.1 * Z.of_nat last.+1)%coqZ in let unit := (v.2 * d.2)%coqZ in
  Z.eqb v.1 0 || Z.leb (6 * (unit * unit)) (turned * turned).

Definition wave_plan_ok (upward : bool) : bool :=
  let v := wave_noise q in
  [&& Z.leb 0 bits, above_0_of (wave_tilt q), above_0_of (wave_step q), Z.leb 0 v.1 && Z.ltb 0 v.2, Z.leb v.1 v.2,
   Z.ltb 0 v.1 || Z.ltb 0 (square_of upward m).1 & small_beyond].

Definition groups_in (logs : seq (Z * Z)) : seq (Z * enclosure) :=
  [seq (count e, enclosure_of_number bits logs (denominator s) (epsilon e)) | e <- entries s].

Definition waves_in (logs : seq (Z * Z)) (upward : bool) (x : combination) : waves :=
  Waves (in_bits (wave_tilt q)) (in_bits (wave_noise q)) (in_bits (square_of upward m)) (in_bits (wave_step q))
    (pi_enclosure bits (Z.to_nat (wave_terms q))) (enclosure_of_number bits logs (denominator s) x).

(** What is to be divided by the period, and the charge for what is passed over. *)
Definition trapezoid_sum (p : waves) (upward : bool) (gs : seq (Z * enclosure)) : option (enclosure * enclosure) :=
  if slanted_groups bits p gs is Some us then
    if (term_enclosure bits p upward us 0, swept_terms bits p upward us (wave_little q) last)
      is (Some e, Some (sum, charge)) then Some (add e (Enclosures.scale 2 sum), charge)
    else None
  else None.

Definition with_sum (upward : bool) (x : combination) (a b : Z)
    (judge : waves -> seq (Z * enclosure) -> enclosure * enclosure -> bool) : bool :=
  let logs := logarithms bits (quotients s) in
  let p := waves_in logs upward x in let gs := groups_in logs in
  [&& mixed_ok f m, wave_plan_ok upward, Delta_ok s bits a b &
   if trapezoid_sum p upward gs is Some sum then judge p gs sum else false].

Definition check_fourier_upper (x : combination) (a b : Z) : bool :=
  no_concentrated m && with_sum true x a b (fun p gs sum =>
    if above_enclosure bits p gs last sum.2 sum.1 is Some e then Z.leb e.2 (Delta_low s bits a b) else false).

(** The slopes l and r, with a + 1 <= l. *)
Definition slopes_ok (l r : slope) : bool :=
  let a := wave_tilt q in
  [&& above_0_of l, above_0_of r & Z.leb ((a.1 + a.2) * l.2) (l.1 * a.2)].

Definition check_fourier_lower (l r : slope) (x : combination) (a b : Z) : bool :=
  slopes_ok l r && with_sum false x a b (fun p gs sum =>
    if below_enclosure bits p gs last sum.2 (in_bits l) (in_bits r) sum.1 is Some e then
      Z.ltb (Delta_high s bits a b) e.1
    else false).
End Program.

Lemma above_0_sound (x : Z * Z) : above_0_of x -> Z.lt 0 x.2 /\ 0 < fraction x.1 x.2.
Proof.
by case/andP=> /Z.ltb_lt h /Z.ltb_lt k; split=> //; rewrite divr_gt0 // (IZR_lt_iff Z0); apply/Z.ltb_lt.
Qed.

Section Soundness.
Variables (f : effort) (q : wave_plan) (m : mixed_subject) (x : combination) (a b : Z).
Let s := approximates m.
Let bits := wave_bits q.
Let last := Z.to_nat (wave_last q).
Let epsilon := real s x.
Let delta := fraction a b.
Let ta := fraction (wave_tilt q).1 (wave_tilt q).2.
Let ts := fraction (wave_noise q).1 (wave_noise q).2.
Let td := fraction (wave_step q).1 (wave_step q).2.
Let mu upward := total_mu (if upward then square else square_below) (notions_of m).
Let L := LossLaws.responses (epsilons_of (notions_of m)).

Definition mechanisms_of : seq (Z * R) := [seq (count e, real s (CheckerClosed.epsilon e)) | e <- entries s].

Lemma listed_mechanisms : listed mechanisms_of = epsilons_of (notions_of m).
Proof.
rewrite epsilons_of_approximates /mechanisms_of /ledger_of /listed -/s.
by elim: (entries s) => //= e es ->; rewrite map_cat map_nseq.
Qed.

Section Enclosed.
Hypotheses (ok : mixed_ok f m) (bits0 : Z.le 0 bits).
Let logs := logarithms bits (quotients s).

Lemma real_enclosed y : enclosed bits (real s y) (enclosure_of_number bits logs (denominator s) y).
Proof. by case/and3P: ok => /and4P[_ /Z.ltb_lt d0 qs _] _ _; exact: enclosed_number. Qed.

Lemma groups_enclosed : enclosed_groups bits mechanisms_of (groups_in q m logs).
Proof.
rewrite /mechanisms_of /groups_in -/s; elim: (entries s) => //= e es IH; split=> //.
exact: real_enclosed.
Qed.

Lemma mu_square upward : [/\ 0 <= mu upward, Z.lt 0 (square_of upward m).2 &
  mu upward * mu upward = fraction (square_of upward m).1 (square_of upward m).2].
Proof.
have [y0 e] := total_squaresE ok upward.
have m0 : 0 <= mu upward by exact/RleP/sqrt_pos.
split=> //; rewrite -e /mu /total_mu; case: (upward); rewrite -RmultE sqrt_sqrt //; apply/RleP.
  exact: squares_ge0.
exact: squares_below_ge0 (notions_proper ok).
Qed.

Section Plan.
Variable upward : bool.
Hypothesis plan : wave_plan_ok q m upward.

Lemma fraction_numbers y : Z.lt 0 y.2 -> enclosed bits (fraction y.1 y.2) (enclosure_of_fraction bits y.1 y.2).
Proof. exact: enclosed_fraction. Qed.

Lemma plan_numbers : [/\ 0 < ta, 0 < td, 0 <= ts, ts <= 1 & (0 < ts * ts / 2 + mu upward * mu upward)%coqR].
Proof.
case/and5P: plan => _ /above_0_sound[_ a0] /above_0_sound[_ d0] /andP[/Z.leb_le v0 /Z.ltb_lt v1] /and3P[v2 some _].
have V1 : 0 < IZR (wave_noise q).2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have s0 : 0 <= ts by rewrite divr_ge0 ?(ltW V1) // (IZR_le_iff Z0); exact/Z.leb_le.
split=> //; first by rewrite ler_pdivr_mulr // mul1r IZR_le_iff.
have [m0 y0 e] := mu_square upward; have two : 0 < 2%coqR by rewrite (IZR_lt_iff Z0).
apply/RltP; rewrite RplusE !RmultE RdivE ?gt_eqF //; case/orP: some => some; last first.
  have m1 : 0 < fraction (square_of upward m).1 (square_of upward m).2.
    by move/Z.ltb_lt: y0 => y0; rewrite divr_gt0 // (IZR_lt_iff Z0).
  by rewrite e; apply: ltr_paddl m1; apply: divr_ge0 (ltW two); exact: mulr_ge0.
have s1 : 0 < ts by rewrite divr_gt0 // (IZR_lt_iff Z0).
by apply: ltr_paddr; [exact: mulr_ge0|apply: divr_gt0 two; exact: mulr_gt0].
Qed.

Lemma beyond_far : ts = 0 \/ (6 <= ts * point td last.+1 * (ts * point td last.+1))%coqR.
Proof.
case/and5P: plan => _ _ /andP[_ /Z.ltb_lt d0] /andP[_ /Z.ltb_lt v0] /and3P[_ _].
case/orP=> [/Z.eqb_eq z|/Z.leb_le far]; first by left; rewrite /ts /fraction z mul0r.
right; apply/RleP; rewrite !RmultE /point /ts /td /fraction.
have V0 : 0 < IZR (wave_noise q).2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have D0 : 0 < IZR (wave_step q).2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have N : IZR (Z.of_nat last.+1) = last.+1%:R by rewrite MixtureSums.IZR_of_nat.
have U0 : 0 < IZR (wave_noise q).2 * IZR (wave_step q).2 by exact: mulr_gt0.
have -> : IZR (wave_noise q).1 / IZR (wave_noise q).2 *
    (last.+1%:R * (IZR (wave_step q).1 / IZR (wave_step q).2)) =
    IZR (wave_noise q).1 * IZR (wave_step q).1 * last.+1%:R / (IZR (wave_noise q).2 * IZR (wave_step q).2).
  by rewrite -N; field; rewrite !gt_eqF.
rewrite mulrACA -invfM ler_pdivl_mulr ?mulr_gt0 // -N -!IZRM.
by rewrite IZR_le_iff; exact/Z.leb_le.
Qed.

Let size n := Complex.Cmod (spectrum ta L (point td n)).

Lemma points_swept kept charge :
  \sum_(1 <= n < last.+1 | ~~ kept n) heaviness ta ts (mu upward) td mechanisms_of n <= charge ->
  swept ta ts (mu upward) td L last kept size charge.
Proof.
have [_ _ _ _ some] := plan_numbers; rewrite /heaviness listed_mechanisms => charged.
by split=> //; exact: beyond_far.
Qed.

Let p := waves_in q m logs upward x.
Let es := groups_in q m logs.

Lemma waves_enclosed : enclosed_waves bits ta ts (mu upward) td epsilon p.
Proof.
case/and5P: plan => _ /above_0_sound[a0 _] /above_0_sound[d0 _] /andP[_ /Z.ltb_lt v0] _.
have [_ y0 e] := mu_square upward.
by split=> /=; [exact: fraction_numbers|exact: fraction_numbers|rewrite e; exact: fraction_numbers|
  exact: fraction_numbers|split; [exact: pi_enclosed|exact: real_enclosed]].
Qed.

Let K := polynomial_of ts upward.
Let value n := term ta ts (mu upward) td epsilon K L n.

Lemma value_enclosed us n e : slanted_groups bits p es = Some us -> term_enclosure bits p upward us n = Some e ->
  enclosed bits (value n) e.
Proof.
have [a0 _ _ _ _] := plan_numbers.
have := @term_enclosed bits ta ts (mu upward) td epsilon p mechanisms_of es bits0 waves_enclosed groups_enclosed
  upward us n e a0.
by rewrite listed_mechanisms.
Qed.

Lemma sum_enclosed sum : trapezoid_sum q p upward es = Some sum -> exists kept charge,
  [/\ swept ta ts (mu upward) td L last kept size charge, enclosed bits charge sum.2 &
    enclosed bits (terms_kept ta ts (mu upward) td epsilon K L last kept) sum.1].
Proof.
rewrite /trapezoid_sum; case S: slanted_groups => [us|] //.
case h: (term_enclosure _ _ _ _ _) => [e|] //; case k: swept_terms => [[g c]|] // [<-] /=.
have [a0 d0 _ _ _] := plan_numbers.
have [kept [charge [F C H]]] := swept_enclosed bits0 waves_enclosed groups_enclosed a0 d0 S k.
exists kept, charge; split=> //; first exact: points_swept.
rewrite listed_mechanisms in F; apply: enclosed_add; first exact: value_enclosed S h.
exact: (enclosed_scale _ 2).
Qed.
End Plan.
End Enclosed.

Lemma with_sumP upward judge : with_sum f q m upward x a b judge -> exists p es sum kept,
  [/\ mixed_ok f m, wave_plan_ok q m upward, Delta_ok s bits a b, judge p es sum &
   [/\ enclosed_waves bits ta ts (mu upward) td epsilon p, enclosed_groups bits mechanisms_of es & exists small charge,
    [/\ swept ta ts (mu upward) td L last kept small charge, enclosed bits charge sum.2 &
     enclosed bits (terms_kept ta ts (mu upward) td epsilon (polynomial_of ts upward) L last kept) sum.1]]].
Proof.
case/and4P=> ok plan D; case T: trapezoid_sum => [sum|] // J.
have bits0 : Z.le 0 bits by case/andP: plan => /Z.leb_le.
have [kept [charge T']] := sum_enclosed ok bits0 plan T.
exists (waves_in q m (logarithms bits (quotients s)) upward x), (groups_in q m (logarithms bits (quotients s))).
exists sum, kept; split=> //; split; [exact: waves_enclosed|exact: groups_enclosed|by do 2!eexists; exact: T'].
Qed.

Lemma check_fourier_mean : check_fourier_upper f q m x a b -> mean_within (notions_of m) epsilon delta.
Proof.
case/andP=> none /with_sumP[p [es [sum [kept [ok plan D judged [P G [small [charge [W C T]]]]]]]]].
have bits0 : Z.le 0 bits by case/andP: plan => /Z.leb_le.
have sok : subject_ok f s by case/and3P: ok.
have [a0 d0 s0 s1 _] := plan_numbers ok plan.
move: judged; case h: above_enclosure => [e|] // /Z.leb_le le.
have [m0 _ _] := mu_square ok true; have [_ _ some _] := W.
split; [exact: notions_proper ok|exact: no_concentrated_sound|rewrite -profile_of_responses].
apply: le_trans (mean_from_above a0 d0 s0 s1 epsilon m0 W (counts_all_periods_holds a0 d0 s0 s1 m0 some)) _.
have := @above_enclosed bits ta ts (mu true) td epsilon p mechanisms_of es bits0 P G last kept charge _ _ e C;
  rewrite listed_mechanisms -/L => /(_ _ T h) [_ +].
have := Delta_low_le sok D; rewrite -mixed_slackE -/delta => low high.
have B0 : 0 < IZR (2 ^ bits) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg.
rewrite -(ler_pmul2l B0) mulrC; apply: le_trans low; apply: (le_trans (y := IZR e.2)); first exact/RleP.
by rewrite IZR_le_iff; exact/Z.leb_le.
Qed.

Theorem check_fourier_upper_sound : check_fourier_upper f q m x a b ->
  mixed_upper RulesGaussian.G (notions_of m) epsilon delta.
Proof. by move/check_fourier_mean; exact: upper_within gaussian_composes_holds. Qed.

Theorem check_fourier_lower_sound l r : check_fourier_lower f q m l r x a b ->
  mixed_lower RulesGaussian.G (notions_of m) epsilon delta.
Proof.
case/andP=> /and3P[/above_0_sound[lb l0] /above_0_sound[rb r0] /Z.leb_le al].
case/with_sumP=> p [es [sum [kept [ok plan D judged [P G [small [charge [W C T]]]]]]]].
have bits0 : Z.le 0 bits by case/andP: plan => /Z.leb_le.
have sok : subject_ok f s by case/and3P: ok.
have [a0 d0 s0 s1 _] := plan_numbers ok plan; have [m0 _ _] := mu_square ok false.
have ab : Z.lt 0 (wave_tilt q).2 by case/and5P: plan => _ /above_0_sound[].
move: judged; case h: below_enclosure => [e|] // /Z.ltb_lt lt.
have above_tilt : ta + 1 <= fraction l.1 l.2.
  have A : 0 < IZR (wave_tilt q).2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  have B : 0 < IZR l.2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  rewrite /ta /fraction -[X in _ + X](@divff _ (IZR (wave_tilt q).2)) ?gt_eqF // -mulrDl -IZRD.
  by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!IZRM IZR_le_iff; exact/Z.leb_le.
apply: (gaussian_fourier_lower a0 d0 s0 s1 (notions_proper ok) m0 (lexx _) above_tilt r0 W).
have := @below_enclosed bits ta ts (mu false) td epsilon p mechanisms_of es bits0 P G last kept charge _ _ e C
  _ _ _ _ (fraction_numbers bits0 lb) (fraction_numbers bits0 rb).
rewrite listed_mechanisms -/L => /(_ _ T h) [low _].
have := Delta_high_ge sok D; rewrite -mixed_slackE -/delta => high.
have B0 : 0 < IZR (2 ^ bits) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg.
rewrite -(ltr_pmul2l B0) [X in _ < X]mulrC; apply: le_lt_trans high _; apply: (lt_le_trans (y := IZR e.1)).
  by rewrite IZR_lt_iff; exact/Z.ltb_lt.
exact/RleP.
Qed.
End Soundness.
