(** 11.7, 11.8 [fourier-upper], [fourier-lower]: a trapezoid sum over the characteristic function of the privacy
    loss, beside a Gaussian mechanism or none.

    The sum of the kernel of FourierKernel.v is a function of one loss ([trapezoid]), whose mean under a
    tilted law of losses (LossLaws.v) is a sum over the spectrum ([mean_trapezoid]); what is left out of it is bounded by what a sweep
    charges and by a geometric series ([trapezoid_near]).  If for each single loss the sum counts at least
    what is paid in the own period and later ones ([counts_all_periods]), or at most what is paid in all
    ([counts_no_more]), so does the mean, and the other periods are known or bounded by Chernoff's inequality
    ([upper_end], [lower_end]).  These two premises speak of the kernel alone, not of mechanisms. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import PositivePart Composition OptComp Reals Rules Notions Failures.
From ExactDP Require Import RulesGaussian RulesMixture CellsOfNormal FourierKernel TiltedLosses LossLaws.
From ExactDP Require Import GaussianComposition.
From ExactDP Require MixtureSums RulesGridFourier.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Arguments cos _%R.
Local Arguments sin _%R.

(** --- the trapezoid rule --- *)

Section Trapezoid.
Variables (a s mu d x : R) (K : polynomial) (L : loss_law).
Hypotheses (a0 : 0 < a) (d0 : 0 < d) (mu0 : 0 <= mu).
Implicit Types (v w c tau : R) (n : nat).

Definition point n : R := (n%:R * d)%R.
Definition kernel_at n : Complex.C := kernel a s (mu * mu)%R K (point n).
Definition period : R := (2%:R * PI / d)%R.

(** Of one loss: the sum over the points -n ... n, by conjugate pairs. *)
Definition wave v n : R := ((kernel_at n).1 * cos (point n * v) - (kernel_at n).2 * sin (point n * v))%R.
Definition trapezoid n v : R := ((wave v 0 + 2%:R * \sum_(1 <= i < n.+1) wave v i) / period)%R.
Local Arguments wave _%R _%N.
Local Arguments trapezoid _%N _%R.

(** Re F(nd). *)
Definition term n : R :=
  (let z := Complex.Cmult (spectrum a L (point n)) (kernel_at n) in
   z.1 * cos (point n * x) + z.2 * sin (point n * x))%R.

Lemma mean_wave n : mean a L (fun v => wave (v - x) n) = term n.
Proof.
have [re im] := mean_of_spectrum a L (point n).
rewrite /term /wave; move: (kernel_at n) re im => [p q]; case: spectrum => f g /= <- <-.
rewrite !RmultE !RplusE !RminusE; set t := point n.
transitivity (mean a L (fun v => (p * cos (t * x) + q * sin (t * x)) * cos (t * v) +
    (p * sin (t * x) - q * cos (t * x)) * sin (t * v))); last by rewrite meanD !meanZ; ring.
by apply: eq_mean => v; rewrite mulrBr cos_shift sin_shift cosN sinN; ring.
Qed.

Theorem mean_trapezoid n :
  mean a L (fun v => trapezoid n (v - x)) = (term 0 + 2%:R * \sum_(1 <= i < n.+1) term i) / period.
Proof.
transitivity (period^-1 * mean a L (fun v => wave (v - x) 0 + 2%:R * \sum_(1 <= i < n.+1) wave (v - x) i)).
  by rewrite -meanZ; apply: eq_mean => v; rewrite mulrC.
rewrite meanD meanZ mean_sum mean_wave mulrC; congr ((_ + _ * _) / _).
by apply: eq_bigr => i _; exact: mean_wave.
Qed.

Lemma pi_gt0 : 0 < PI.
Proof. by apply/RltP; exact: PI_RGT_0. Qed.

Lemma period_gt0 : 0 < period.
Proof. by apply: divr_gt0 => //; apply: mulr_gt0; rewrite ?ltr0n ?pi_gt0. Qed.

(** --- what is not evaluated --- *)

Section LeftOut.
Variables (last : nat) (kept : pred nat) (small : nat -> R) (charge kappa : R).
Let first := point last.+1.
Let heavy n := weight a s (mu * mu)%R kappa (point n).
Hypothesis bounds : bounded kappa K.
Hypothesis passed : forall n, (0 < n)%N -> (n <= last)%N -> ~~ kept n ->
  Complex.Cmod (spectrum a L (point n)) <= small n.
Hypothesis charged : \sum_(1 <= n < last.+1 | ~~ kept n) small n * heavy n <= charge.
Hypotheses (noise : (0 < s * s / 2 + mu * mu)%coqR) (far : s = 0 \/ (6 <= s * first * (s * first))%coqR).

Definition evaluated : R := ((term 0 + 2%:R * \sum_(1 <= n < last.+1 | kept n) term n) / period)%R.
Definition left_out : R := (2%:R * (growth a s * (charge +
  weight a s (mu * mu)%R kappa first / (1 - ratio s (mu * mu)%R d first))) / period)%R.

Lemma point_gt0 n : (0 < n)%N -> 0 < point n.
Proof. by move=> n0; rewrite mulr_gt0 ?ltr0n. Qed.

Let square0 : (0 <= mu * mu)%coqR. Proof. exact/RleP/mulr_ge0. Qed.
Let a0' : (0 < a)%coqR. Proof. exact/RltP. Qed.
Let kappa0 : (0 <= kappa)%coqR. Proof. by case: bounds. Qed.

Lemma kernel_le n : (0 < n)%N -> Complex.Cmod (kernel_at n) <= growth a s * heavy n.
Proof.
by case: bounds => k0 [? [? ?]] n0; apply/RleP; apply: kernel_bound => //; exact/RltP/point_gt0.
Qed.

Lemma growth_gt0 : 0 < growth a s.
Proof. exact: exp_gt0. Qed.

Lemma heavy_ge0 n : (0 < n)%N -> 0 <= heavy n.
Proof. by move=> n0; apply/ltW/RltP; apply: weight_pos => //; exact/RltP/point_gt0. Qed.

Lemma term_le n : (0 < n)%N -> `|term n| <= Complex.Cmod (spectrum a L (point n)) * (growth a s * heavy n).
Proof.
move=> n0; have c0 : 0 <= Complex.Cmod (spectrum a L (point n)) by exact/RleP/Complex.Cmod_ge_0.
apply: le_trans (ler_wpmul2l c0 (kernel_le n0)); rewrite -RmultE -Complex.Cmod_mult.
by have /RleP := turned_le (Complex.Cmult (spectrum a L (point n)) (kernel_at n)) (point n * x)%R.
Qed.

Lemma terms_beyond m : \sum_(last.+1 <= n < last.+1 + m) `|term n| <=
  growth a s * beyond a s (mu * mu)%R kappa d first m.
Proof.
elim: m => [|m IH]; first by rewrite addn0 big_geq //= mulr0.
rewrite addnS big_nat_recr ?leq_addr //= RplusE mulrDr; apply: ler_add IH _.
have n0 : (0 < last.+1 + m)%N by rewrite addSn.
apply: le_trans (term_le n0) _; apply: (@le_trans _ _ (1 * (growth a s * heavy (last.+1 + m)))).
  by rewrite ler_wpmul2r ?spectrum_le1 // mulr_ge0 ?heavy_ge0 ?(ltW growth_gt0).
rewrite mul1r /heavy; have -> // : point (last.+1 + m) = Rplus first (Rmult (INR m) d).
by rewrite RplusE RmultE INRE /first /point natrD mulrDl.
Qed.

Lemma trapezoid_near n : (last <= n)%N ->
  `|mean a L (fun v => trapezoid n (v - x)) - evaluated| <= left_out.
Proof.
move=> ln; rewrite mean_trapezoid /evaluated /left_out -mulrBl normrM.
rewrite [X in _ * X]gtr0_norm ?invr_gt0 ?period_gt0 // ler_pmul2r ?invr_gt0 ?period_gt0 //.
rewrite (@big_cat_nat _ _ _ last.+1) //= (bigID kept) /=.
set A := \sum_(_ <= _ < _ | kept _) _; set B := \sum_(_ <= _ < _ | ~~ _) _; set C := \sum_(last.+1 <= _ < _) _.
have -> : term 0 + 2%:R * (A + B + C) - (term 0 + 2%:R * A) = 2%:R * (B + C) by ring.
rewrite normrM ger0_norm ?ler0n // ler_pmul2l ?ltr0n // mulrDr.
apply: le_trans (ler_norm_add _ _) (ler_add _ _).
  apply: le_trans (ler_norm_sum _ _ _) _; apply: le_trans (ler_wpmul2l (ltW growth_gt0) charged).
  rewrite mulr_sumr big_nat_cond [X in _ <= X]big_nat_cond; apply: ler_sum => i /andP[/andP[i0 il] k].
  apply: le_trans (term_le i0) _; rewrite mulrCA ler_pmul2l ?growth_gt0 //.
  by apply: ler_wpmul2r; [exact: heavy_ge0|exact: passed].
apply: le_trans (ler_norm_sum _ _ _) _.
have e : (n.+1 = last.+1 + (n - last))%N by rewrite addSn subnKC.
rewrite e; apply: le_trans (terms_beyond _) _; rewrite ler_pmul2l ?growth_gt0 //.
have r1 := @ratio_lt1 s (mu * mu)%R d first.
have first0 : 0 < first by exact: point_gt0.
have [r0 r1'] := r1 (elimT (RltP _ _) d0) (elimT (RltP _ _) first0) noise.
have /RleP := @weights_beyond a s (mu * mu)%R a0' square0 kappa kappa0 d first
  (elimT (RltP _ _) d0) (elimT (RltP _ _) first0) far noise (n - last).
rewrite RdivE //; apply/eqP => /Rminus_diag_uniq h; move: r1'; rewrite -h; exact: Rlt_irrefl.
Qed.
End LeftOut.

(** --- the other periods --- *)

(** 1/(e^{cR} - 1), what a geometric series over the periods comes to. *)
Definition series c : R := ((exp (c * period) - 1)^-1)%R.
Definition later (j : nat) : R := (j.+1%:R * period)%R.
Local Arguments series _%R.

Lemma later_power c (j : nat) : exp (- (c * later j)) = exp (- (c * period)) ^+ j.+1.
Proof. by rewrite -RulesGridFourier.exp_times; congr exp; rewrite /later; ring. Qed.

Lemma ratio_of_series c : 0 < c -> exp (- (c * period)) < 1 /\
  series c = exp (- (c * period)) / (1 - exp (- (c * period))) /\ 0 < series c.
Proof.
move=> c0; have cp : 0 < c * period by rewrite mulr_gt0 ?period_gt0.
have one : 1 < exp (c * period) by rewrite -[X in X < _]exp_0 ltNge exp_le -ltNge.
have n : exp (c * period) - 1 != 0 by rewrite subr_eq0 gt_eqF.
rewrite expN; split; first by rewrite invf_lt1 ?exp_gt0.
split; last by rewrite invr_gt0 subr_gt0.
rewrite /series; have n' := exp_neq0 (c * period)%R.
have -> : 1 - (exp (c * period))^-1 = (exp (c * period) - 1) / exp (c * period) by field.
by rewrite invf_div mulKf.
Qed.

Lemma series_partial c n : 0 < c ->
  \sum_(j < n) exp (- (c * later j)) = series c * (1 - exp (- (c * period)) ^+ n).
Proof.
move=> /ratio_of_series[q1 [-> _]]; set q := exp _ in q1 *.
have n1 : 1 - q != 0 by rewrite subr_eq0 gt_eqF.
elim: n => [|n IH]; first by rewrite big_ord0 expr0 subrr mulr0.
by rewrite big_ord_recr /= IH later_power -/q exprS; field.
Qed.

Lemma powers_vanish c tau : 0 < c -> 0 < tau ->
  exists n0, forall n, (n0 <= n)%N -> exp (- (c * period)) ^+ n <= tau.
Proof.
move=> c0 t0; have cp : 0 < c * period by rewrite mulr_gt0 ?period_gt0.
have b0 : 0 <= tau^-1 / (c * period) by rewrite divr_ge0 ?invr_ge0 ?ltW.
exists (Num.bound (tau^-1 / (c * period))) => n le.
rewrite -RulesGridFourier.exp_times mulrN expN -[X in _ <= X]invrK lef_pinv ?posrE ?invr_gt0 ?exp_gt0 //.
have big : tau^-1 <= n%:R * (c * period).
  by rewrite -ler_pdivr_mulr // (le_trans (ltW (archi_boundP b0))) // ler_nat.
apply: le_trans big _; set y := n%:R * _; apply: (@le_trans _ _ (1 + y)); first by rewrite ler_addr ler01.
by apply/RleP; exact: exp_ineq1_le.
Qed.

(** B. *)
Definition known : R := (series a - exp x * series (a + 1))%R.

Definition known_partial n : R := (\sum_(j < n) (exp (- (a * later j)) - exp (x - (a + 1) * later j)))%R.

Lemma known_partialE n : known_partial n = series a * (1 - exp (- (a * period)) ^+ n) -
  exp x * (series (a + 1) * (1 - exp (- ((a + 1) * period)) ^+ n)).
Proof.
have a1 : 0 < a + 1 by rewrite addr_gt0 ?ltr01.
rewrite /known_partial sumrB -!series_partial // mulr_sumr; congr (_ - _).
by apply: eq_bigr => j _; rewrite -expD.
Qed.

Let e := profile_beside mu L x.
Let S := scale a mu L x.

Lemma scaled_plain w : S * mean a L (fun v => plain a (v - x + w) / spread mu a) =
  exp (- (a * w)) - exp (x - (a + 1) * w).
Proof.
rewrite -(plain_mean a L mu) -/S -mulrA; congr (_ * _); rewrite -meanZ.
by apply: eq_mean => v; rewrite mulrC.
Qed.

(** What is asked of the kernel, of each single loss: with ever more points the sum is at least what a
    loss pays in its own period and in any of the later ones; or at most what it pays in all. *)
Definition counts_all_periods := forall v tau (J : nat), 0 < tau -> exists n0, forall n, (n0 <= n)%N ->
  payoff a mu v + \sum_(j < J) payoff a mu (v + later j) <= trapezoid n v + tau.
Definition counts_no_more := forall v tau, 0 < tau -> exists n0, forall n, (n0 <= n)%N ->
  trapezoid n v <= payoff a mu v + \sum_(j < n) (payoff a mu (v + later j) + payoff a mu (v - later j)) + tau.

(** A. *)
Definition left_aliases (l : R) : R :=
  (exp (l * x + mu * mu * (l * (l - 2%:R * theta a)) / 2%:R) * moments a L (- l) * series l)%R.
Definition right_aliases (r : R) : R :=
  (exp (mu * mu * (r * (r + 2%:R * theta a)) / 2%:R - r * x) * moments a L r * series r)%R.

Section Ends.
Variables (total off : R) (last : nat).
Hypothesis near : forall n, (last <= n)%N -> `|mean a L (fun v => trapezoid n (v - x)) - total| <= off.

Let S0 : 0 < S. Proof. exact: scale_gt0. Qed.

Theorem upper_end : counts_all_periods -> e <= S * (total + off) - known.
Proof.
move=> above; rewrite ler_subr_addr.
apply: (@le_of_every _ _ (S + 1)); first by rewrite addr_ge0 ?ler01 // ltW.
move=> tau t0; have [_ [_ s0]] := ratio_of_series a0.
have [J /(_ J (leqnn J)) small] := powers_vanish a0 (divr_gt0 t0 s0).
have known_le : known <= known_partial J + tau.
  rewrite known_partialE /known !mulrBr !mulr1; move: small; rewrite ler_pdivl_mulr // mulrC => small.
  rewrite -subr_ge0; set p := series a * _ in small *; set q := series (a + 1) * _.
  have -> : series a - p - (exp x * series (a + 1) - exp x * q) + tau -
      (series a - exp x * series (a + 1)) = (tau - p) + exp x * q by ring.
  have a1 : 0 < a + 1 by rewrite addr_gt0 ?ltr01.
  have [_ [_ s1]] := ratio_of_series a1.
  by rewrite addr_ge0 ?subr_ge0 // !mulr_ge0 ?exprn_ge0 ?(ltW (exp_gt0 _)) ?(ltW s1).
have [n0 {}above] := mean_eventually a L
  (F := fun _ v => payoff a mu (v - x) + \sum_(j < J) payoff a mu (v - x + later j))
  (H := fun n v => trapezoid n (v - x) + tau) (fun v => above (v - x) tau J t0).
have := above _ (leq_maxl n0 last); rewrite !meanD mean_const mean_sum.
have := near (leq_maxr n0 last); set X := mean a L (fun v => trapezoid _ (v - x)).
rewrite ler_norml => /andP[_]; rewrite ler_subl_addl => le le'.
have {}le' : e + known_partial J <= S * (X + tau).
  apply: le_trans (ler_wpmul2l (ltW S0) le'); rewrite mulrDr -profile_tilted -/e ler_add2l mulr_sumr.
  apply: ler_sum => j _; rewrite -scaled_plain; apply: ler_wpmul2l; first exact: ltW.
  by apply: le_mean => v; exact: payoff_plain.
have {}le' : e + known_partial J <= S * (total + off) + tau * S.
  by apply: le_trans le' _; rewrite [tau * S]mulrC -mulrDr ler_pmul2l // ler_add2r.
apply: le_trans (ler_add (lexx e) known_le) _.
by rewrite [tau * (_ + _)]mulrDr mulr1 addrA [X in _ <= X]addrA ler_add2r.
Qed.

Theorem lower_end (l r : R) : a + 1 <= l -> 0 < r -> counts_no_more ->
  S * (total - off - (left_aliases l + right_aliases r)) - known <= e.
Proof.
move=> al r0 below; apply: (@le_of_every _ _ (S + 1)); first by rewrite addr_ge0 ?ler01 // ltW.
move=> tau t0; have a1 : 0 < a + 1 by rewrite addr_gt0 ?ltr01.
have l0 : 0 < l := lt_le_trans a1 al.
have [_ [_ s1]] := ratio_of_series a1.
have [m small] := powers_vanish a1 (divr_gt0 t0 (mulr_gt0 (exp_gt0 x) s1)).
have [n0 {}below] := mean_eventually a L (F := fun n v => trapezoid n (v - x))
  (H := fun n v => payoff a mu (v - x) +
    \sum_(j < n) (payoff a mu (v - x + later j) + payoff a mu (v - x - later j)) + tau)
  (fun v => below (v - x) tau t0).
pose n := maxn n0 (maxn last m).
have n1 : (n0 <= n)%N by exact: leq_maxl.
have n2 : (last <= n)%N by rewrite /n leq_max leq_max leqnn orbT.
have n3 : (m <= n)%N by rewrite /n !leq_max leqnn !orbT.
have known_ge : known_partial n <= known + tau.
  have := small n n3; rewrite ler_pdivl_mulr ?mulr_gt0 ?exp_gt0 // known_partialE /known.
  set q := exp (- ((a + 1) * period)) ^+ n => h; rewrite !mulrBr !mulr1.
  have p0 : 0 <= series a * exp (- (a * period)) ^+ n.
    by have [_ [_ s0]] := ratio_of_series a0; rewrite mulr_ge0 ?exprn_ge0 ?(ltW (exp_gt0 _)) ?ltW.
  rewrite -subr_ge0; move: p0; set p := series a * _ => p0.
  have -> : series a - exp x * series (a + 1) + tau -
      (series a - p - (exp x * series (a + 1) - exp x * (series (a + 1) * q))) =
      p + (tau - q * (exp x * series (a + 1))) by ring.
  by rewrite addr_ge0 // subr_ge0.
have sums c : 0 < c -> \sum_(j < n) exp (- (c * later j)) <= series c.
  move=> c0; have [_ [_ sc]] := ratio_of_series c0; rewrite series_partial // -[X in _ <= X]mulr1 ler_pmul2l //.
  by rewrite ler_subl_addr ler_addl exprn_ge0 // ltW // exp_gt0.
have ratio_of_spread b : spread mu b / spread mu a = exp (mu * mu * (b * (b + 1) - a * (a + 1)) / 2%:R).
  by rewrite /spread -expN -expD; congr exp; field.
have one_left (j : 'I_n) : S * mean a L (fun v => payoff a mu (v - x + later j)) <=
    exp (- (a * later j)) - exp (x - (a + 1) * later j) +
    S * (exp (l * x + mu * mu * (l * (l - 2%:R * theta a)) / 2%:R) * moments a L (- l)) * exp (- (l * later j)).
  rewrite -scaled_plain -mulrA -mulrDr; apply: ler_wpmul2l; first exact: ltW.
  apply: le_trans (le_mean _ _ (fun v => payoff_left mu0 (v - x + later j) al)) _.
  rewrite meanD ler_add2l; under eq_mean do rewrite mulrC.
  rewrite meanZ mean_shifted ratio_of_spread expD le_eqVlt; apply/orP; left; apply/eqP.
  have -> : (l - a - 1) * (l - a - 1 + 1) - a * (a + 1) = l * (l - 2%:R * theta a) by rewrite /theta; field.
  by ring.
have one_right (j : 'I_n) : S * mean a L (fun v => payoff a mu (v - x - later j)) <=
    S * (exp (mu * mu * (r * (r + 2%:R * theta a)) / 2%:R - r * x) * moments a L r) * exp (- (r * later j)).
  rewrite -mulrA; apply: ler_wpmul2l; first exact: ltW.
  apply: le_trans (le_mean _ _ (fun v => payoff_right mu0 (v - x - later j) (ltW a0) r0)) _.
  under eq_mean do rewrite mulrC; rewrite meanZ ratio_of_spread.
  have -> : mean a L (fun v => exp (r * (v - x - later j))) =
      exp (- (r * x)) * exp (- (r * later j)) * moments a L r.
    rewrite -[r in moments _ _ r]opprK -[exp (- (r * x))]/(exp (- (r * x))).
    have -> : exp (- (r * x)) = exp (- r * x) by rewrite mulNr.
    have -> : exp (- (r * later j)) = exp (- (- r * - later j)) by congr exp; ring.
    by rewrite -mean_shifted; apply: eq_mean => v; congr exp; ring.
  rewrite expD le_eqVlt; apply/orP; left; apply/eqP.
  have -> : (a + r) * (a + r + 1) - a * (a + 1) = r * (r + 2%:R * theta a) by rewrite /theta; field.
  by ring.
have := below n n1; rewrite !meanD mean_const mean_sum; under eq_bigr do rewrite meanD.
have := near n2; set X := mean a L (fun v => trapezoid _ (v - x)); rewrite ler_norml => /andP[low _] {}below.
have {}below := ler_wpmul2l (ltW S0) below; rewrite !mulrDr -profile_tilted -/e mulr_sumr in below.
have {}low : S * (total - off) <= S * X by rewrite ler_pmul2l // addrC -ler_subr_addr.
have left0 : 0 <= exp (l * x + mu * mu * (l * (l - 2%:R * theta a)) / 2%:R) * moments a L (- l).
  by rewrite mulr_ge0 ?(ltW (exp_gt0 _)) // moments_ge0.
have right0 : 0 <= exp (mu * mu * (r * (r + 2%:R * theta a)) / 2%:R - r * x) * moments a L r.
  by rewrite mulr_ge0 ?(ltW (exp_gt0 _)) // moments_ge0.
have {one_left one_right} periods : \sum_(j < n) S * (mean a L (fun v => payoff a mu (v - x + later j)) +
    mean a L (fun v => payoff a mu (v - x - later j))) <= known_partial n + S * (left_aliases l + right_aliases r).
  rewrite mulrDr addrA; under eq_bigr do rewrite mulrDr; rewrite big_split /=; apply: ler_add.
    apply: le_trans (ler_sum _ (fun j _ => one_left j)) _; rewrite big_split /= ler_add2l -mulr_sumr.
    rewrite -[X in X <= _]mulrA; apply: ler_wpmul2l; first exact: ltW.
    by apply: ler_wpmul2l => //; exact: sums.
  apply: le_trans (ler_sum _ (fun j _ => one_right j)) _; rewrite -mulr_sumr.
  rewrite -[X in X <= _]mulrA; apply: ler_wpmul2l; first exact: ltW.
  by apply: ler_wpmul2l => //; exact: sums.
rewrite ler_subl_addr mulrBr ler_subl_addr; apply: le_trans low (le_trans below _).
rewrite [tau * (_ + _)]mulrDr mulr1; set P := \sum_(j < n) _ in periods *.
apply: (@le_trans _ _ (e + (known + tau + S * (left_aliases l + right_aliases r)) + S * tau)).
  by rewrite ler_add2r ler_add2l; apply: le_trans periods _; rewrite ler_add2r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Ends.
End Trapezoid.

(** --- the rules --- *)

(** What the sweep and the series say: where a point is passed over, how small the spectrum is; what all
    these are charged; and that the noise has become small after the last. *)
Definition swept (a s mu d : R) (L : loss_law) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R) :=
  [/\ forall n, (0 < n)%N -> (n <= last)%N -> ~~ kept n -> Complex.Cmod (spectrum a L (point d n)) <= small n,
   \sum_(1 <= n < last.+1 | ~~ kept n) small n * weight a s (mu * mu)%R (excess s) (point d n) <= charge,
   (0 < s * s / 2 + mu * mu)%coqR &
   s = 0 \/ (6 <= s * point d last.+1 * (s * point d last.+1))%coqR].

(** Without Gaussian mechanisms. *)
Lemma mean_of_divergence es x : divergence [seq exp e | e <- es] (exp x) = mean_profile 0 es x.
Proof.
have sums al be : subset_sum [seq exp e | e <- es] (exp al) (exp be) =
    exp al * (\prod_(e <- es) (1 + exp e)) * mean_profile 0 es (be - al).
  elim: es al be => [|e es IH] al be /=.
    rewrite MixtureSums.mean_nil big_nil mulr1 /G ltxx -posM ?(ltW (exp_gt0 _)) //.
    by rewrite mulrBr mulr1 -expD addrCA subrr addr0.
  rewrite -!expD !IH mean_cons big_cons expD; have E := exp_neq0 e.
  have n : exp e + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
  have -> : be - (al + e) = be - al - e by ring.
  have -> : be + e - al = be - al + e by ring.
  rewrite /truthful /untruthful expN; set A := mean_profile _ _ _; set B := mean_profile _ _ _.
  by set W := \prod_(_ <- _) _; move: (exp al) (exp e) A B W E n => p q A B W E n; field; rewrite E n.
have one : exp 0 = 1 by exact: exp_0.
rewrite /divergence -[X in subset_sum _ X _]one sums big_map subr0 one mul1r mulKf //.
by rewrite gt_eqF // prodr_gt0 // => e _; rewrite addr_gt0 ?ltr01 ?exp_gt0.
Qed.

Section Rules.
Variables (a s d : R) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R).
Implicit Types (M : loss_law).
Hypotheses (a0 : 0 < a) (d0 : 0 < d) (s0 : 0 <= s) (s1 : s <= 1).

Let noise : (0 <= s <= 1)%coqR. Proof. by split; exact/RleP. Qed.

(** C e^{-ax} (S + V) - B, and C e^{-ax} (S - V - A) - B. *)
Definition from_above (mu : R) M x : R :=
  (scale a mu M x * (evaluated a s mu d x tangent M last kept +
    left_out a s mu d last charge (excess s)) - known a d x)%R.
Definition from_below (mu l r : R) M x : R :=
  (scale a mu M x * (evaluated a s mu d x (parabola s) M last kept -
    left_out a s mu d last charge (excess s) -
    (left_aliases a mu d x M l + right_aliases a mu d x M r)) - known a d x)%R.

Lemma mean_from_above (mu : R) M x : 0 <= mu -> swept a s mu d M last kept small charge ->
  counts_all_periods a s mu d tangent -> profile_beside mu M x <= from_above mu M x.
Proof.
move=> mu0 [passed charged calm far] above.
have near := trapezoid_near x a0 d0 mu0 (bounded_tangent _ noise) passed charged calm far.
exact: (upper_end a0 d0 near).
Qed.

Lemma mean_from_below (mu l r : R) M x : 0 <= mu -> a + 1 <= l -> 0 < r ->
  swept a s mu d M last kept small charge -> counts_no_more a s mu d (parabola s) ->
  from_below mu l r M x <= profile_beside mu M x.
Proof.
move=> mu0 al r0 [passed charged calm far] below.
have near := trapezoid_near x a0 d0 mu0 (bounded_parabola _ noise) passed charged calm far.
exact: (lower_end a0 d0 mu0 near).
Qed.
End Rules.
