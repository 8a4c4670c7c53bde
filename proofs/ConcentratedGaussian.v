(** A mu-Gaussian DP mechanism is (mu^2/2)-zero-concentrated DP.

    Its hockey-stick divergences are nowhere above the Gaussian profile, and a moment is an
    integral of hockey-stick divergences with positive weights: by NormalMoments.v both sides have
    that integral in closed form, so that the function

      [grown] of u less the sum of [term_grown] of u over the outputs

    does not fall; what it is at -t and t, as t grows, gives the bound.  (Dong, Roth & Su, J. R.
    Stat. Soc. B 84(1), 2022, have it from their Theorem 2.10.) *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import PositivePart Privacy Reals Notions Logarithms Powers Moments.
From ExactDP Require Import NormalMoments RulesGaussian.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma is_derive_sum (I : Type) (s : seq I) (f df : I -> R -> R) (u : R) :
  (forall i, is_derive (f i) u (df i u)) ->
  is_derive (fun t => \sum_(i <- s) f i t) u (\sum_(i <- s) df i u).
Proof.
move=> D; elim: s => [|i s IH].
  rewrite big_nil; apply: (@is_derive_ext R_AbsRing R_NormedModule (fun=> 0)) => [t|]; first by rewrite big_nil.
  exact: (@is_derive_const R_AbsRing R_NormedModule).
rewrite big_cons; apply: (@is_derive_ext R_AbsRing R_NormedModule (fun t => f i t + \sum_(j <- s) f j t)) => [t|].
  by rewrite big_cons.
by apply: (@is_derive_plus R_AbsRing R_NormedModule (f i)).
Qed.

Section Pair.
Variables (Y : finType) (P Q : Y -> R) (mu : R).
Hypotheses (dP : distribution P) (dQ : distribution Q) (mu0 : 0 < mu).
Hypothesis H : forall e : R, hockey_stick 1 (exp e) P Q <= Normal.profile mu e.
Let mu0' : (0 < mu)%coqR. Proof. exact/RltP. Qed.
Let P0 y : 0 <= P y. Proof. by case: dP. Qed.
Let Q0 y : 0 <= Q y. Proof. by case: dQ. Qed.

Lemma gaussian_supported y : Q y = 0 -> P y = 0.
Proof.
move=> q0; apply/eqP; rewrite eq_le P0 andbT; apply/RleP.
apply: (@vanishing _ _ 1 (far mu 2)); first lra.
move=> t t0 h; rewrite Rplus_0_l Rmult_1_l; apply: Rle_trans (profile_far mu 2 mu0' _ t t0 h); last lra.
apply/RleP; apply: le_trans (H t); rewrite /hockey_stick (bigD1 y) //= q0 mulr0 subr0 mul1r.
by rewrite (pos_id (P0 y)) ler_addl sumr_ge0 // => z _; exact: pos_ge0.
Qed.

Variable a : R.
Hypothesis a1 : 1 < a.
Let a1' : (1 < a)%coqR. Proof. exact/RltP. Qed.

Let part y : R -> R := if 0 < P y then term_grown a (P y) (Q y) else fun=> 0.
Let derived y (u : R) := a * (a - 1) * exp ((a - 1) * u) * pos (1 * P y - exp u * Q y).

Let Qpos y : 0 < P y -> 0 < Q y.
Proof.
move=> p0; rewrite lt_neqAle Q0 andbT eq_sym; apply/eqP => /gaussian_supported e.
by move: p0; rewrite e ltxx.
Qed.

Lemma pos_Rmax (x : R) : pos x = Rmax x 0.
Proof.
case: (leP 0 x) => [x0|/ltW x0]; first by rewrite pos_id // Rmax_left //; exact/RleP.
by rewrite pos_0 // Rmax_right //; exact/RleP.
Qed.

Lemma is_derive_part y u : is_derive (part y) u (derived y u).
Proof.
rewrite /part /derived; case: ifP => [p0|/negbT p0].
  rewrite mul1r pos_Rmax; apply: is_derive_term => //; apply/RltP => //; exact: Qpos.
have -> : P y = 0 by apply/eqP; rewrite eq_le P0 andbT leNgt.
rewrite mulr0 sub0r pos_0 ?mulr0 ?oppr_le0 ?mulr_ge0 ?(ltW (exp_gt0 _)) //.
exact: (@is_derive_const R_AbsRing R_NormedModule).
Qed.

Let rest u := grown mu a u - \sum_y part y u.

Lemma rest_grows (t : R) : (0 < t)%coqR -> rest (- t) <= rest t.
Proof.
move=> t0; pose f x := rest (- t + x).
have D u : is_derive rest u (a * (a - 1) * exp ((a - 1) * u) * Normal.profile mu u - \sum_y derived y u).
  apply: (@is_derive_minus R_AbsRing R_NormedModule (grown mu a)); first exact: is_derive_grown.
  by apply: is_derive_sum => y; exact: is_derive_part.
have -> : rest (- t) = f 0%coqR by rewrite /f Rplus_0_r.
have -> : rest t = f (t + t)%coqR by rewrite /f; congr (rest _); lra.
apply/RleP; apply: (@nondecr f (fun x => a * (a - 1) * exp ((a - 1) * (- t + x)) * Normal.profile mu (- t + x) -
   \sum_y derived y (- t + x))); first by move: t0; lra.
  move=> x _; rewrite -[X in is_derive _ _ X]mul1r.
  apply: (is_derive_comp rest (fun x => (- t + x)%coqR)); first exact: D.
  by auto_derive.
move=> x _; apply/RleP; rewrite subr_ge0 -mulr_sumr; apply: ler_wpmul2l; last exact: H.
by rewrite mulr_ge0 ?(ltW (exp_gt0 _)) // mulr_ge0 ?subr_ge0 ?ltW // (lt_trans ltr01).
Qed.

Lemma gaussian_moment : moment_at_most a (exp (a * (a - 1) * (mu ^ 2 / 2))%coqR) P Q.
Proof.
split=> [y|]; first exact: gaussian_supported.
pose T := Rmax (far mu a) (\sum_y `|ln (P y) - ln (Q y)|).
pose C := (a + (a - 1) * / a + a * / (a - 1))%coqR.
have C0 : (0 <= C)%coqR.
  have := Rinv_0_lt_compat a; have := Rinv_0_lt_compat (a - 1)%coqR; rewrite /C /Rdiv; nra.
have inside y t : (T <= t)%coqR -> 0 < P y -> (- t <= ln (P y) - ln (Q y) <= t)%coqR.
  move=> h p0; have : `|ln (P y) - ln (Q y)| <= t; last by rewrite ler_norml => /andP[/RleP ? /RleP].
  apply: (@le_trans _ _ (\sum_z `|ln (P z) - ln (Q z)|)); last exact/RleP/(Rle_trans _ _ _ (Rmax_r _ _) h).
  by rewrite (bigD1 y) //= ler_addl sumr_ge0.
apply/RleP; apply: (@vanishing _ _ C T) => // t t0 h.
have high y : power_term a (P y) (Q y) = part y t.
  rewrite /part; case: ifP => [p0|p0]; last by rewrite /power_term p0.
  rewrite term_high; [|exact/RltP|exact/RltP/Qpos|by case: (inside y t h p0)].
  by rewrite power_term_pos // Qpos.
have low y : part y (- t) <= a * exp ((a - 1) * - t) * P y.
  rewrite /part; case: ifP => [p0|_]; last by rewrite mulr_ge0 // mulr_ge0 ?(ltW (exp_gt0 _)) // ltW // (lt_trans ltr01).
  apply/RleP/term_low => //; [exact/RltP/Qpos|by case: (inside y t h p0)].
rewrite (eq_bigr _ (fun y _ => high y)).
have g : (grown mu a (- t) - \sum_y part y (- t) <= grown mu a t - \sum_y part y t)%coqR.
  exact/RleP/(rest_grows t0).
have /RleP l : \sum_y part y (- t) <= (a * exp ((a - 1) * - t)%coqR)%coqR.
  apply: le_trans (_ : \sum_y a * exp ((a - 1) * - t) * P y <= _); first by apply: ler_sum => y _.
  by rewrite -mulr_sumr; case: dP => _ ->; rewrite mulr1.
have up := grown_above mu a mu0' a1' t t0 (Rle_trans _ _ _ (Rmax_l _ _) h).
have down := grown_below mu a a1' t t0; have r := remainders a t a1' t0.
move: g l up down r; rewrite /C; move: (\sum_y part y (- t)) (\sum_y part y t) => A B; lra.
Qed.
End Pair.

Lemma half_square (x : R) : x ^+ 2 / 2%:R = (x ^ 2 / 2)%coqR.
Proof. by rewrite (_ : 2%coqR = 2%:R :> R) // RdivE ?RpowE ?pnatr_eq0. Qed.

Theorem gaussian_concentrated (mu : R) (Y : finType) (P Q : Y -> R) : 0 <= mu ->
  satisfies G (Gaussian mu) P Q -> satisfies G (Concentrated (mu ^+ 2 / 2%:R)) P Q.
Proof.
move=> mu_ge0 [dP dQ H]; split=> // a a1.
have bound (P' Q' : Y -> R) : distribution P' -> distribution Q' ->
    (forall e, hockey_stick 1 (exp e) P' Q' <= G mu e) ->
    moment_at_most a (exp (a * (a - 1) * (mu ^+ 2 / 2%:R))) P' Q'.
  move=> dP' dQ' h; rewrite half_square; move: mu_ge0; rewrite le_eqVlt => /orP[/eqP z|mu0].
    have e y : P' y = Q' y.
      have le z' : P' z' <= Q' z'.
        have := h 0; rewrite /G -z ltxx exp_0 subrr pos_id // => {}h.
        rewrite -subr_le0; apply: le_trans (le_pos _) _; apply: le_trans h.
        rewrite /hockey_stick (bigD1 z') //= !mul1r ler_addl; apply: sumr_ge0 => i _; exact: pos_ge0.
      apply/eqP; rewrite eq_le le /= -subr_le0.
      have <- : \sum_y (Q' y - P' y) = 0 by rewrite sumrB; case: dP' dQ' => _ -> [_ ->]; rewrite subrr.
      by rewrite (bigD1 y) //= ler_addl; apply: sumr_ge0 => i _; rewrite subr_ge0.
    have -> : exp (a * (a - 1) * (mu ^ 2 / 2)%coqR) = 1.
      rewrite -z (_ : (0 ^ 2 / 2)%coqR = 0) ?mulr0 ?exp_0 //.
      by rewrite /Rdiv /= !Rmult_0_l.
    have [s m] := moment_self a dP'; split=> [y <- //|].
    by under eq_bigr do rewrite -e.
  apply: gaussian_moment => // e; by have := h e; rewrite /G mu0.
split; apply: bound => // e; apply/events_hockey_stick; by case: (H e).
Qed.
