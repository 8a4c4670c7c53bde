(** 11.7, 11.8 [fourier-upper], [fourier-lower]: what the trapezoid sums count of a single loss.

    By Poisson's formula they come to the sum of [smoothed] of SmoothedKernel.v over all periods.  So they count
    at least what is paid in later periods if [smoothed] is nowhere below what a loss pays ([noise_adds]), and
    at most what is paid in all if it is nowhere above ([noise_takes]).  Both are proved (TimeValue.v,
    TimeValueAbove.v), and with them the premises of the rules of RulesNoiseFourier.v. *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import PositivePart Privacy Composition Domination OptComp Reals Rules Notions Failures.
From ExactDP Require Import RulesGaussian RulesMixture FourierKernel TiltedLosses LossLaws.
From ExactDP Require Import FejerKernel PoissonSummation TiltedKernel SmoothedKernel TimeValue RulesFourier.
From ExactDP Require Import RulesNoiseFourier.
From ExactDP Require CheckerMixedWorkloads NormalCurve TimeValueAbove.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma totalE (F : nat -> R) n : total F n = \sum_(i < n) F i.
Proof. by elim: n => [|n IH]; rewrite ?big_ord0 // big_ord_recr /= IH. Qed.

Section Counts.
Variables (a s mu d kappa : R) (K : polynomial).
Hypotheses (a0 : 0 < a) (d0 : 0 < d) (mu0 : 0 <= mu).
Hypotheses (noise : (0 < s * s / 2 + mu * mu)%coqR) (bounds : bounded kappa K).
Implicit Types (v tau : R) (n J : nat).

Local Notation paid := (payoff a mu).
Local Notation counted := (smoothed a s (mu * mu)%coqR K).

Lemma turnE : turn d = period d.
Proof.
by rewrite /turn /period RdivE // gt_eqF.
Qed.

Lemma trapezoid_partial n v : trapezoid a s mu d K n v = (partial (term_at a s (mu * mu)%coqR K d v) n / turn d)%coqR.
Proof.
have waveE i : term_at a s (mu * mu)%coqR K d v i = wave a s mu d K v i by rewrite /term_at /wave /kernel_at /point INRE.
rewrite RdivE; last by rewrite turnE gt_eqF // period_gt0.
rewrite turnE /trapezoid /partial totalE waveE big_add1 /= big_mkord; congr ((_ + _ * _) / _).
by apply: eq_bigr => i _; rewrite waveE.
Qed.

Lemma periodsE v J : periods d v counted J =
  counted v + \sum_(j < J) (counted (v + later d j) + counted (v - later d j)).
Proof.
rewrite /periods totalE RplusE; congr (_ + _); apply: eq_bigr => j _.
by rewrite turnE INRE RmultE RplusE RminusE.
Qed.

Lemma poisson v tau : 0 < tau -> exists n0, forall n, (n0 <= n)%N ->
  `|trapezoid a s mu d K n v - (counted v + \sum_(j < n) (counted (v + later d j) + counted (v - later d j)))| <= tau.
Proof.
move=> /RltP t0.
have n' : (0 < s * s + mu * mu)%coqR by have := Rle_0_sqr s; rewrite /Rsqr; lra.
have [n0 h] := @kernel_poisson a s (mu * mu)%coqR K (elimT (RltP _ _) a0) n' d kappa
  (elimT (RltP _ _) d0) bounds v tau t0.
exists n0 => n le; have /RleP := h n n (elimT ssrnat.leP le) (le_n n).
by rewrite -trapezoid_partial periodsE RminusE.
Qed.

Lemma smoothed_counts_all : (forall v, paid v <= counted v) -> counts_all_periods a s mu d K.
Proof.
move=> above v tau J t0; have [n0 h] := poisson v t0; exists (maxn n0 J) => n; rewrite geq_max => /andP[/h le nJ].
move: le; rewrite ler_norml => /andP[le _]; rewrite -ler_subl_addr.
apply: le_trans (_ : _ <= counted v + \sum_(j < n) (counted (v + later d j) + counted (v - later d j)) - tau) _; last first.
  by rewrite ler_subl_addr -ler_subl_addl -[X in _ <= X]opprK ler_oppr opprB.
rewrite ler_add2r; apply: ler_add => //; rewrite -(subnKC nJ) big_split_ord /=.
apply: (@le_trans _ _ (\sum_(j < J) (counted (v + later d j) + counted (v - later d j)))).
  by apply: ler_sum => j _; apply: (le_trans (above _)); rewrite ler_addl (le_trans (payoff_ge0 _ _ _) (above _)).
by rewrite ler_addl sumr_ge0 // => j _; rewrite addr_ge0 ?(le_trans (payoff_ge0 _ _ _) (above _)).
Qed.

Lemma smoothed_counts_no_more : (forall v, counted v <= paid v) -> counts_no_more a s mu d K.
Proof.
move=> below v tau t0; have [n0 h] := poisson v t0; exists n0 => n /h.
rewrite ler_norml => /andP[_ le]; rewrite -ler_subl_addl; apply: le_trans le; rewrite ler_add2l ler_oppr opprK.
by apply: ler_add => //; apply: ler_sum => j _; apply: ler_add.
Qed.
End Counts.

Lemma smoothed_without_noise (a mu : R) K v : 0 < mu -> smoothed a 0 (mu * mu)%coqR K v = payoff a mu v.
Proof.
move=> m0; have root : sqrt (0 * 0 + mu * mu)%coqR = mu.
  by rewrite Rmult_0_l Rplus_0_l sqrt_square //; exact/RleP/ltW.
have none : gauss (sqrt (0 * 0 + mu * mu)%coqR) (a + / 2)%coqR (corrected 0 (mu * mu)%coqR K) v = 0.
  by rewrite /gauss /corrected ev_smul !Rmult_0_l Ropp_0 !Rmult_0_l.
rewrite /smoothed none root /untilted /lifted /payoff /spread /G m0 Rplus_0_r RmultE mulrC -expN.
have two : IZR 2 != 0 by exact/eqP/not_0_IZR.
by congr (_ * exp _); rewrite RdivE.
Qed.

(** What is asked of the kernel. *)
Definition noise_adds (a s mu : R) := forall v, payoff a mu v <= smoothed a s (mu * mu)%coqR tangent v.
Definition noise_takes (a s mu : R) := forall v, smoothed a s (mu * mu)%coqR (parabola s) v <= payoff a mu v.

Lemma without_noise (s mu : R) : 0 <= mu -> (0 < s * s / 2 + mu * mu)%coqR -> s = 0 -> 0 < mu.
Proof.
move=> m0 some e; rewrite lt_neqAle m0 andbT; apply/eqP => z.
by have h : (0 < 0 * 0 / 2 + 0 * 0)%coqR by [move: some; rewrite e -z]; lra.
Qed.

Lemma payoffE (a mu : R) v : payoff a mu v = (untilted a (mu * mu) * (exp (- (a * v)) * G mu (- v)))%coqR.
Proof.
have two : IZR 2 != 0 by exact/eqP/not_0_IZR.
rewrite /payoff /spread /untilted mulrC -expN; congr (exp _ * _).
by rewrite RdivE.
Qed.

Theorem noise_adds_holds (a s mu : R) : 0 <= s -> 0 <= mu -> (0 < s * s / 2 + mu * mu)%coqR -> noise_adds a s mu.
Proof.
move=> s0 m0 some v; have root : sqrt (mu * mu)%coqR = mu by apply: sqrt_square; exact/RleP.
have none := without_noise m0 some; move: s0; rewrite le_eqVlt => /predU1P[e|s0].
  by rewrite -e smoothed_without_noise // none.
rewrite payoffE; apply/RleP; apply: smoothed_above; [exact/RltP| |]; first by apply/RleP; rewrite RmultE mulr_ge0.
move=> sigma; rewrite root => /RleP le /RltP p; apply/RleP.
by have := CheckerMixedWorkloads.G_monotone (- v) m0 le; rewrite [G sigma _]/G p.
Qed.

Lemma curve_of_unit (mu x : R) : NormalCurve.curve mu 1 (exp x) = G mu x.
Proof.
rewrite /NormalCurve.curve /G; case: Rlt_dec => [/RltP ->|/RltP/negPf ->].
  case: Rlt_dec => [_|/RltP]; last by rewrite ltr01.
  case: Rlt_dec => [_|/RltP]; last by rewrite exp_gt0.
  by rewrite RdivE ?oner_eq0 // divr1 ln_exp RmultE mul1r.
by rewrite RmaxE.
Qed.

Theorem noise_takes_holds (a s mu : R) : 0 <= s -> s <= 1 -> 0 <= mu -> (0 < s * s / 2 + mu * mu)%coqR ->
  noise_takes a s mu.
Proof.
move=> s0 s1 m0 some v; have none := without_noise m0 some; move: s0; rewrite le_eqVlt => /predU1P[e|s0].
  by rewrite -e smoothed_without_noise // none.
rewrite payoffE -curve_of_unit; apply/RleP; apply: TimeValueAbove.smoothed_below; last exact/RleP.
by split; [exact/RltP|exact/RleP].
Qed.

(** --- the rules --- *)

Section Rules.
Variables (a s d : R) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R).
Hypotheses (a0 : 0 < a) (d0 : 0 < d) (s0 : 0 <= s) (s1 : s <= 1).

Let unit : (0 <= s <= 1)%coqR. Proof. by split; exact/RleP. Qed.

Theorem counts_all_periods_holds (mu : R) : 0 <= mu -> (0 < s * s / 2 + mu * mu)%coqR ->
  counts_all_periods a s mu d tangent.
Proof.
move=> mu0 some; have adds := @noise_adds_holds a s mu s0 mu0 some.
exact: smoothed_counts_all some (bounded_tangent _ unit) adds.
Qed.

Theorem counts_no_more_holds (mu : R) : 0 <= mu -> (0 < s * s / 2 + mu * mu)%coqR ->
  counts_no_more a s mu d (parabola s).
Proof.
move=> mu0 some; have takes := @noise_takes_holds a s mu s0 s1 mu0 some.
exact: smoothed_counts_no_more some (bounded_parabola _ unit) takes.
Qed.

Let calm mu L : swept a s mu d L last kept small charge -> (0 < s * s / 2 + mu * mu)%coqR.
Proof. by case. Qed.

Theorem fourier_upper ns (mu x delta : R) : all proper_losses ns -> sqrt (squares ns) <= mu ->
  let L := law_product (laws_of_losses ns) in
  swept a s mu d L last kept small charge -> from_above a s d last kept charge mu L x <= delta ->
  forall (Y : finType) (P Q : Y -> R), loss_composition ns P Q -> indistinguishable (exp x) delta P Q.
Proof.
move=> W le L h; apply: (rule_noise_fourier_upper a0 d0 s0 s1 W le h).
by apply: counts_all_periods_holds (calm h); apply: le_trans le; exact/RleP/sqrt_pos.
Qed.

Theorem fourier_lower Ls (l r x delta : R) : a + 1 <= l -> 0 < r ->
  let L := law_product Ls in
  swept a s 0 d L last kept small charge -> delta < from_below a s d last kept charge 0 l r L x ->
  exists (Y : finType) (P Q : Y -> R), dominated_composition [seq pair_of M | M <- Ls] P Q /\
  ~ indistinguishable (exp x) delta P Q.
Proof.
move=> al r0 L h; apply: (rule_noise_fourier_lower a0 d0 s0 s1 al r0 h).
exact: counts_no_more_holds (lexx 0) (calm h).
Qed.
End Rules.
