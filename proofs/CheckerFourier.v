(** The verified checker: the rules `fourier-upper` and `fourier-lower`, also beside Gaussian mechanisms.

    The trapezoid sum is taken over the points up to the last, by enclosures of the program's own
    (EnclosuresOfFourier.v), and over those alone that its own sweep does not pass over (EnclosuresOfSweep.v): what a
    certificate says of blocks, of points near and far and of factors is about the cost of another way to find the
    same sum, and is not needed.  Mechanisms with other laws may stand beside those of the ledger
    ([fourier_above], [fourier_below]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons Enclosures.
From ExactDP Require Import EnclosuresOfNumbers NormalEnclosures EnclosuresOfLaws EnclosuresOfFourier EnclosuresOfSweep.
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
Variables (f : effort) (q : wave_plan) (m : mixed_subject) (others : seq (Z * group_law)).
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

Definition groups_in (logs : seq (Z * Z)) : seq (Z * group_law) :=
  [seq (count e, OfResponse (enclosure_of_number bits logs (denominator s) (epsilon e))) | e <- entries s] ++ others.

Definition waves_in (logs : seq (Z * Z)) (upward : bool) (x : combination) : waves :=
  Waves (in_bits (wave_tilt q)) (in_bits (wave_noise q)) (in_bits (square_of upward m)) (in_bits (wave_step q))
    (pi_enclosure bits (Z.to_nat (wave_terms q))) (enclosure_of_number bits logs (denominator s) x).

(** What is to be divided by the period, and the charge for what is passed over. *)
Definition trapezoid_sum (p : waves) (upward : bool) (gs : seq (Z * group_law)) : option (enclosure * enclosure) :=
  if ready_in bits p gs is Some us then
    if (term_enclosure bits p upward us 0, swept_terms bits p upward us (wave_little q) last)
      is (Some e, Some (sum, charge)) then Some (add e (Enclosures.scale 2 sum), charge)
    else None
  else None.

Definition with_sum (upward : bool) (x : combination) (a b : Z)
    (judge : waves -> seq (Z * group_law) -> enclosure * enclosure -> bool) : bool :=
  let logs := logarithms bits (quotients s) in
  let p := waves_in logs upward x in let gs := groups_in logs in
  [&& mixed_ok f m, wave_plan_ok upward, Delta_ok s bits a b &
   if trapezoid_sum p upward gs is Some sum then judge p gs sum else false].

Definition fourier_above (x : combination) (a b : Z) : bool :=
  no_concentrated m && with_sum true x a b (fun p gs sum =>
    if above_enclosure bits p gs last sum.2 sum.1 is Some e then Z.leb e.2 (Delta_low s bits a b) else false).

(** The slopes l and r, with a + 1 <= l. *)
Definition slopes_ok (l r : slope) : bool :=
  let a := wave_tilt q in
  [&& above_0_of l, above_0_of r & Z.leb ((a.1 + a.2) * l.2) (l.1 * a.2)].

Definition fourier_below (l r : slope) (x : combination) (a b : Z) : bool :=
  slopes_ok l r && with_sum false x a b (fun p gs sum =>
    if below_enclosure bits p gs last sum.2 (in_bits l) (in_bits r) sum.1 is Some e then
      Z.ltb (Delta_high s bits a b) e.1
    else false).
End Program.

Definition check_fourier_upper (f : effort) (q : wave_plan) (m : mixed_subject) (x : combination) (a b : Z) : bool :=
  fourier_above f q m [::] x a b.
Definition check_fourier_lower (f : effort) (q : wave_plan) (m : mixed_subject) (l r : slope) (x : combination)
    (a b : Z) : bool := fourier_below f q m [::] l r x a b.

Lemma above_0_sound (x : Z * Z) : above_0_of x -> Z.lt 0 x.2 /\ 0 < fraction x.1 x.2.
Proof.
by case/andP=> /Z.ltb_lt h /Z.ltb_lt k; split=> //; rewrite divr_gt0 // (IZR_lt_iff Z0); apply/Z.ltb_lt.
Qed.

Section Soundness.
Variables (f : effort) (q : wave_plan) (m : mixed_subject) (x : combination) (a b : Z).
Variables (others : seq (Z * group_law)) (ws : seq (Z * wave_law)).
Let s := approximates m.
Let bits := wave_bits q.
Hypothesis beside : enclosed_groups bits ws others.
Let last := Z.to_nat (wave_last q).
Let epsilon := real s x.
Let delta := fraction a b.
Let ta := fraction (wave_tilt q).1 (wave_tilt q).2.
Let ts := fraction (wave_noise q).1 (wave_noise q).2.
Let td := fraction (wave_step q).1 (wave_step q).2.
Let mu upward := total_mu (if upward then square else square_below) (notions_of m).

Definition mechanisms_of : seq (Z * wave_law) :=
  [seq (count e, ByResponse (real s (CheckerClosed.epsilon e))) | e <- entries s] ++ ws.
Let L := law_of_all (listed mechanisms_of).

Lemma listed_mechanisms : listed mechanisms_of = [seq ByResponse e | e <- epsilons_of (notions_of m)] ++ listed ws.
Proof.
rewrite epsilons_of_approximates /mechanisms_of /listed map_cat flatten_cat /ledger_of -/s; congr (_ ++ _).
by elim: (entries s) => //= e es ->; rewrite !map_cat !map_nseq.
Qed.

Section Enclosed.
Hypotheses (ok : mixed_ok f m) (bits0 : Z.le 0 bits).
Let logs := logarithms bits (quotients s).

Lemma real_enclosed y : enclosed bits (real s y) (enclosure_of_number bits logs (denominator s) y).
Proof. by case/and3P: ok => /and4P[_ /Z.ltb_lt d0 qs _] _ _; exact: enclosed_number. Qed.

Lemma groups_enclosed : enclosed_groups bits mechanisms_of (groups_in q m others logs).
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
have [_ _ _ _ some] := plan_numbers; move=> charged.
by split=> //; exact: beyond_far.
Qed.

Let p := waves_in q m logs upward x.
Let es := groups_in q m others logs.

Lemma waves_enclosed : enclosed_waves bits ta ts (mu upward) td epsilon p.
Proof.
case/and5P: plan => _ /above_0_sound[a0 _] /above_0_sound[d0 _] /andP[_ /Z.ltb_lt v0] _.
have [_ y0 e] := mu_square upward.
by split=> /=; [exact: fraction_numbers|exact: fraction_numbers|rewrite e; exact: fraction_numbers|
  exact: fraction_numbers|split; [exact: pi_enclosed|exact: real_enclosed]].
Qed.

Let K := polynomial_of ts upward.
Let value n := term ta ts (mu upward) td epsilon K L n.

Lemma value_enclosed us n e : ready_in bits p es = Some us -> term_enclosure bits p upward us n = Some e ->
  enclosed bits (value n) e.
Proof.
have [a0 _ _ _ _] := plan_numbers.
exact: (term_enclosed bits0 waves_enclosed groups_enclosed a0).
Qed.

Lemma sum_enclosed sum : trapezoid_sum q p upward es = Some sum -> exists kept charge,
  [/\ swept ta ts (mu upward) td L last kept size charge, enclosed bits charge sum.2 &
    enclosed bits (terms_kept ta ts (mu upward) td epsilon K L last kept) sum.1].
Proof.
rewrite /trapezoid_sum; case S: ready_in => [us|] //.
case h: (term_enclosure _ _ _ _ _) => [e|] //; case k: swept_terms => [[g c]|] // [<-] /=.
have [a0 d0 _ _ _] := plan_numbers.
have [kept [charge [F C H]]] := swept_enclosed bits0 waves_enclosed groups_enclosed a0 d0 S k.
exists kept, charge; split=> //; first exact: points_swept.
apply: enclosed_add; first exact: value_enclosed S h.
exact: (enclosed_scale _ 2).
Qed.
End Plan.
End Enclosed.

Lemma with_sumP upward judge : with_sum f q m others upward x a b judge -> exists p es sum kept,
  [/\ mixed_ok f m, wave_plan_ok q m upward, Delta_ok s bits a b, judge p es sum &
   [/\ enclosed_waves bits ta ts (mu upward) td epsilon p, enclosed_groups bits mechanisms_of es & exists small charge,
    [/\ swept ta ts (mu upward) td L last kept small charge, enclosed bits charge sum.2 &
     enclosed bits (terms_kept ta ts (mu upward) td epsilon (polynomial_of ts upward) L last kept) sum.1]]].
Proof.
case/and4P=> ok plan D; case T: trapezoid_sum => [sum|] // J.
have bits0 : Z.le 0 bits by case/andP: plan => /Z.leb_le.
have [kept [charge T']] := sum_enclosed ok bits0 plan T.
exists (waves_in q m (logarithms bits (quotients s)) upward x), (groups_in q m others (logarithms bits (quotients s))).
exists sum, kept; split=> //; split; [exact: waves_enclosed|exact: groups_enclosed|by do 2!eexists; exact: T'].
Qed.

Lemma fourier_above_holds : fourier_above f q m others x a b ->
  [/\ all proper_notion (notions_of m), all (fun n => ~~ concentrated n) (notions_of m) &
      profile_beside (mu true) L epsilon <= mixed_slack (notions_of m) delta].
Proof.
case/andP=> none /with_sumP[p [es [sum [kept [ok plan D judged [P G [small [charge [W C T]]]]]]]]].
have bits0 : Z.le 0 bits by case/andP: plan => /Z.leb_le.
have sok : subject_ok f s by case/and3P: ok.
have [a0 d0 s0 s1 _] := plan_numbers ok plan.
move: judged; case h: above_enclosure => [e|] // /Z.leb_le le.
have [m0 _ _] := mu_square ok true; have [_ _ some _] := W.
split; [exact: notions_proper ok|exact: no_concentrated_sound|].
apply: le_trans (mean_from_above a0 d0 s0 s1 epsilon m0 W (counts_all_periods_holds a0 d0 s0 s1 m0 some)) _.
have [_ +] := above_enclosed bits0 P G C T h.
have := Delta_low_le sok D; rewrite -mixed_slackE -/delta => low high.
have B0 : 0 < IZR (2 ^ bits) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg.
rewrite -(ler_pmul2l B0) mulrC; apply: le_trans low; apply: (le_trans (y := IZR e.2)); first exact/RleP.
by rewrite IZR_le_iff; exact/Z.leb_le.
Qed.

Lemma fourier_below_holds l r : fourier_below f q m others l r x a b ->
  all proper_notion (notions_of m) /\ mixed_slack (notions_of m) delta < profile_beside (mu false) L epsilon.
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
split; first exact: notions_proper ok.
have [_ _ some _] := W; have no_more := counts_no_more_holds a0 d0 s0 s1 m0 some.
apply: lt_le_trans (mean_from_below a0 d0 s0 s1 epsilon m0 above_tilt r0 W no_more).
have [low _] := below_enclosed bits0 P G C (fraction_numbers bits0 lb) (fraction_numbers bits0 rb) T h.
have := Delta_high_ge sok D; rewrite -mixed_slackE -/delta => high.
have B0 : 0 < IZR (2 ^ bits) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg.
rewrite -(ltr_pmul2l B0) [X in _ < X]mulrC; apply: le_lt_trans high _; apply: (lt_le_trans (y := IZR e.1)).
  by rewrite IZR_lt_iff; exact/Z.ltb_lt.
exact/RleP.
Qed.
End Soundness.

(** --- the ledger alone --- *)

Section Alone.
Variables (f : effort) (q : wave_plan) (m : mixed_subject) (x : combination) (a b : Z).
Let epsilon := real (approximates m) x.

Lemma law_alone : law_of_all (listed (mechanisms_of m [::])) = LossLaws.responses (epsilons_of (notions_of m)).
Proof. by rewrite listed_mechanisms cats0 /law_of_all -map_comp. Qed.

Lemma check_fourier_mean : check_fourier_upper f q m x a b -> mean_within (notions_of m) epsilon (fraction a b).
Proof.
move/(@fourier_above_holds _ _ _ _ _ _ [::] [::] I) => [proper none le]; split=> //.
by move: le; rewrite law_alone profile_of_responses.
Qed.

Theorem check_fourier_upper_sound : check_fourier_upper f q m x a b ->
  mixed_upper RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof. by move/check_fourier_mean; exact: upper_within gaussian_composes_holds. Qed.

Theorem check_fourier_lower_sound l r : check_fourier_lower f q m l r x a b ->
  mixed_lower RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof.
move/(@fourier_below_holds _ _ _ _ _ _ [::] [::] I) => [proper lt].
by apply: gaussian_attains_holds => //; move: lt; rewrite law_alone profile_of_responses.
Qed.
End Alone.
