(** What discrete Gaussian noise of variance v, moved by s, dominates in both directions is
    (s^2/2v)-concentrated (SPEC, 11.14; Canonne, Kamath & Steinke 2020, Proposition 5).

    x^alpha is at least the greatest of its tangents at the ratios of a mechanism's laws, and there it is
    that ([tangents]).  This is a sum of positive parts, so that domination bounds its mean by that of the
    noise ([under_profile]), and that is at most the moment of the noise.  By completing the square this is
    e^(alpha (alpha - 1) s^2/2v) times the sum of a bell that is moved by (alpha - 1) s, over the sum of
    one that is not, which is the greater one (BellSums.v). *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Powers Moments BoundedRange.
From ExactDP Require Import DominatedMoments DiscreteGaussian BellSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Arguments Bent _%R _%R _%SEQ.
Local Arguments bent_at _ _%R _%R.

Section Tangents.
Variables (a : R) (a1 : 1 < a).
Let a1' : (1 < a)%coqR. Proof. exact/RltP. Qed.
Let slope (u : R) : R := (a * exp ((a - 1) * u))%R.
Let line (u x : R) : R := (exp (a * u) + slope u * (x - exp u))%R.
Local Arguments line _%R _%R.

Let lineR (u v : R) : line u (exp v) <= exp (a * v).
Proof. by rewrite /line -ler_subr_addl; apply/RleP; exact: tangent_slope. Qed.

Record under (us : seq R) (f : bent) : Prop := Under {
  under_up : bends_up f;
  under_at : forall u, u \in us -> bent_at f (exp u) 1 = exp (a * u);
  under_all : forall x, bent_at f (exp x) 1 <= exp (a * x);
  under_beyond : forall x, head 0 us <= x -> bent_at f (exp x) 1 = line (head 0 us) (exp x)
}.

Lemma tangents u us : sorted (fun x y : R => y < x) (u :: us) -> exists f, under (u :: us) f.
Proof.
elim: us u => [|v us IH] u.
  move=> _; pose f := Bent (slope u) (exp (a * u) - slope u * exp u) [::].
  have at_ x : bent_at f x 1 = line u x.
    by rewrite /bent_at /line /= big_nil; ring.
  exists f; split=> //= [w|x]; last by rewrite at_; exact: lineR.
  by rewrite inE at_ => /eqP ->; rewrite /line subrr mulr0 addr0.
rewrite /= => /andP[vu s]; have [f [up at_ all_ beyond]] := IH v s; rewrite /= in beyond.
have steep : 0 < slope u - slope v.
  rewrite subr_gt0 ltr_pmul2l ?(lt_trans ltr01) // ltNge exp_le -ltNge ltr_pmul2l ?subr_gt0 //.
(* where the tangents at v and u meet *)
set x0 := (line v 0 - line u 0) / (slope u - slope v).
have apart x : line u x - line v x = (slope u - slope v) * (x - x0).
  by rewrite mulrBr [_ * x0]mulrC divfK ?gt_eqF // /line; ring.
have at_own w : line w (exp w) = exp (a * w) by rewrite /line subrr mulr0 addr0.
have v_x0 : exp v <= x0.
  by rewrite -subr_le0 -(pmulr_rle0 _ steep) -apart at_own subr_le0; exact: lineR.
have x0_u : x0 <= exp u.
  by rewrite -subr_ge0 -(pmulr_rge0 _ steep) -apart at_own subr_ge0; exact: lineR.
pose g := Bent (of_first f) (of_second f) ((slope u - slope v, x0) :: bends f).
have gE x : bent_at g x 1 = bent_at f x 1 + (slope u - slope v) * pos (x - x0).
  by rewrite /bent_at /= big_cons /= !mulr1 -!addrA [X in _ + (_ + X)]addrC.
have near x : x <= x0 -> bent_at g x 1 = bent_at f x 1.
  by move=> xv; rewrite gE pos_0 ?mulr0 ?addr0 // subr_le0.
have far x : x0 <= exp x -> bent_at g (exp x) 1 = line u (exp x).
  move=> vx; rewrite gE beyond; last by rewrite -exp_le (le_trans v_x0).
  rewrite pos_id ?subr_ge0 // -apart.
  by rewrite addrC subrK.
exists g; split=> [|w|x|x /= ux]; last by rewrite far // (le_trans x0_u) // exp_le.
- by rewrite /bends_up /= (ltW steep) (le_trans (ltW (exp_gt0 v)) v_x0).
- rewrite inE => /predU1P[->|w_in]; first by rewrite far // at_own.
  have wv : w <= v.
    move: w_in; rewrite inE => /predU1P[-> //|w_in]; apply: ltW.
    have tr : transitive (fun x y : R => y < x) by move=> y x z h h'; exact: lt_trans h' h.
    by have /= := order_path_min tr s => /allP/(_ w w_in).
  by rewrite near ?at_ // (le_trans _ v_x0) // exp_le.
by have [xx|/ltW xx] := leP (exp x) x0; [rewrite near|rewrite far //; exact: lineR].
Qed.
End Tangents.

(** Sums over windows tend to those over all integers. *)
Lemma within_cv (f : R -> R) (c : R) : bounded f c -> Un_cv (fun n => within n f) (everywhere f).
Proof.
move=> B eps /RltP e0; have [f0 _] := B; have [N near] := everywhere_near B e0; exists N => n /ssrnat.leP Nn.
have up := within_everywhere n B; have wide := within_wider f0 Nn.
rewrite /R_dist Rabs_minus_sym Rabs_pos_eq; last by apply/RleP; rewrite RminusE subr_ge0.
by apply/RltP; rewrite RminusE ltr_subl_addl -ltr_subl_addr; exact: lt_le_trans near wide.
Qed.

Section Noise.
Variables (v a : R) (s : nat).
Hypotheses (v0 : 0 < v) (a1 : 1 < a).
Notation b := (bell v).
Let c (x : R) := bell v (x - s%:R).
Local Arguments c _%R.
Let Z := everywhere b.
Let m : R := exp (a * (a - 1) * (s%:R ^+ 2 / (2%:R * v))).

(** The square, completed. *)
Lemma power_of_bells (x : R) : power_term a (b x) (c x) = m * b (x + (a - 1) * s%:R).
Proof.
rewrite /power_term bell_gt0 /m /c /bell !ln_exp -expD; congr exp.
by field; rewrite gt_eqF // pnatr_eq0.
Qed.

Lemma powers_within n : within n (fun x => power_term a (b x) (c x)) <= m * Z.
Proof.
rewrite (_ : within n _ = m * within n (fun x => b (x + (a - 1) * s%:R))); last first.
  by rewrite /within mulr_sumr; apply: eq_bigr => i _; exact: power_of_bells.
by rewrite ler_pmul2l ?exp_gt0 //; exact: bell_moved.
Qed.

Let bB : bounded b Z.
Proof. by split=> [x|n]; [exact: ltW (bell_gt0 v x)|exact: bell_within]. Qed.
Let cE : c = fun x => b (s%:R - x).
Proof. by apply: functional_extensionality => x; rewrite /c -[RHS]bell_even opprB. Qed.
Let cB : bounded c Z.
Proof. by split=> [x|n]; [exact: ltW (bell_gt0 v _)|exact: moved_within]. Qed.
Let cZ : everywhere c = Z.
Proof. by rewrite cE; exact: everywhere_turned bB. Qed.

Lemma under_profile (f : bent) : bends_up f -> (forall x, bent_at f (exp x) 1 <= exp (a * x)) ->
  of_first f + of_second f + \sum_(k <- bends f) k.1 * discrete_gaussian_curve v s k.2 <= m.
Proof.
move=> up le; have Z0 : 0 < Z := bell_total_gt0 v0; rewrite -(ler_pmul2r Z0).
pose F (k : R * R) (x : R) := pos (b x - k.2 * c x).
have -> : (of_first f + of_second f + \sum_(k <- bends f) k.1 * discrete_gaussian_curve v s k.2) * Z =
    of_first f * Z + of_second f * everywhere c + \sum_(k <- bends f) k.1 * everywhere (F k).
  rewrite cZ !mulrDl mulr_suml; congr (_ + _); apply: eq_bigr => k _.
  by rewrite -mulrA /discrete_gaussian_curve divfK ?gt_eqF.
have cv : Un_cv (fun n => of_first f * within n b + of_second f * within n c +
    \sum_(k <- bends f) k.1 * within n (F k))
  (of_first f * Z + of_second f * everywhere c + \sum_(k <- bends f) k.1 * everywhere (F k)).
  apply: CV_plus; first by apply: CV_plus; apply: scaled_cv; [exact: within_cv bB|exact: within_cv cB].
  apply: sum_cv => k kin; apply: scaled_cv; have /allP/(_ k kin)/andP[_ k0] := up.
  exact: within_cv (beyond_bounded bB cB k0).
apply: limit_le cv => n; apply: le_trans (powers_within n).
rewrite (_ : _ + _ = within n (fun x => bent_at f (b x) (c x))); last first.
  rewrite /within /bent_at !big_split /= -!mulr_sumr; congr (_ + _); rewrite exchange_big /=.
  by apply: eq_bigr => k _; rewrite mulr_sumr.
apply: within_le => x; have [B C] : 0 < b x /\ 0 < c x by split; exact: bell_gt0.
rewrite power_term_pos // {1}(ratioK B C) bent_scaled ?(ltW C) // ler_pmul2l //; exact: le.
Qed.

(** --- mechanisms that the noise dominates --- *)

Let half (Y : finType) (P Q : Y -> R) := forall y : R, 0 <= y -> hockey_stick 1 y P Q <= discrete_gaussian_curve v s y.

(** Far out the profile is as small as one likes. *)
Lemma curve_far (tau : R) : 0 < tau -> exists2 y : R, 0 <= y & discrete_gaussian_curve v s y <= tau.
Proof.
move=> t0; have Z0 : 0 < Z := bell_total_gt0 v0; have m0 : 0 < m := exp_gt0 _.
have a0 : 0 < a - 1 by rewrite subr_gt0.
pose e := ((ln m + log_conversion a - ln tau) / (a - 1))%R; exists (exp e); first exact: ltW (exp_gt0 _).
have small : exp ((1 - a) * e + log_conversion a) * m = tau.
  rewrite -{1}(lnK m0) -expD -[RHS](lnK t0); congr exp.
  by rewrite /e; field; rewrite gt_eqF.
rewrite /discrete_gaussian_curve ler_pdivr_mulr //; apply: everywhere_least; split=> [x|n]; first exact: pos_ge0.
apply: (@le_trans _ _ (exp ((1 - a) * e + log_conversion a) * within n (fun x => power_term a (b x) (c x)))).
  rewrite /within mulr_sumr; apply: ler_sum => i _; apply: power_term_divergence => //; try exact: ltW (bell_gt0 _ _).
  by move=> c0; have := bell_gt0 v (i%:R - n%:R - s%:R); rewrite c0 ltxx.
by rewrite -small -mulrA ler_pmul2l ?exp_gt0 //; exact: powers_within.
Qed.

Lemma support_of_half (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q -> half P Q ->
  forall y, Q y = 0 -> P y = 0.
Proof.
move=> [P0 _] [Q0 _] h y q0; apply/eqP; rewrite eq_le P0 andbT leNgt; apply/negP => p0.
have [t t0 le] := curve_far (divr_gt0 p0 (ltr0n _ 2)).
have : P y <= P y / 2%:R.
  apply: le_trans le; apply: le_trans (h t t0); rewrite /hockey_stick (bigD1 y) //= q0 mulr0 subr0 mul1r.
  rewrite pos_id ?(ltW p0) // ler_addl; apply: sumr_ge0 => z _; exact: pos_ge0.
by rewrite ler_pdivl_mulr ?ltr0n // mulr_natr mulr2n ger_addl leNgt p0.
Qed.

Lemma moment_of_half (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q -> half P Q -> half Q P ->
  moment_at_most a m P Q.
Proof.
move=> dP dQ h h'; have sup := support_of_half dP dQ h; have sup' := support_of_half dQ dP h'; split=> //.
have [P0 P1] := dP; have [Q0 Q1] := dQ.
pose ratio y := (ln (P y) - ln (Q y))%R.
pose us := rev (sort <=%R (undup [seq ratio y | y <- enum Y & 0 < P y])).
have falls : sorted (fun x y : R => y < x) us by rewrite rev_sorted sort_lt_sorted undup_uniq.
have in_us y : 0 < P y -> ratio y \in us.
  move=> p0; rewrite mem_rev mem_sort mem_undup; apply/mapP; exists y => //.
  by rewrite mem_filter p0 mem_enum.
have [f F] : exists f, [/\ bends_up f, forall u, u \in us -> bent_at f (exp u) 1 = exp (a * u) &
    forall x, bent_at f (exp x) 1 <= exp (a * x)].
  case: us falls {in_us} => [_|u us falls].
    exists (Bent 0 0 [::]); split=> // x; rewrite /bent_at big_nil !mul0r !addr0; exact: ltW (exp_gt0 _).
  by have [f []] := tangents a1 falls; exists f.
have [up at_ le] := F; apply: le_trans (under_profile up le).
apply: (@le_trans _ _ (\sum_y bent_at f (P y) (Q y))).
  apply: ler_sum => y _; have := P0 y; rewrite le_eqVlt => /predU1P[/esym p0|p0].
    rewrite p0 (sup' _ p0) power_term0 /bent_at !mulr0 !add0r big1 // => k _.
    by rewrite mulr0 subr0 pos_0 // mulr0.
  have q0 : 0 < Q y.
    by rewrite lt_neqAle Q0 andbT; apply/eqP => /esym/sup e; move: p0; rewrite e ltxx.
  by rewrite power_term_pos // {2}(ratioK p0 q0) bent_scaled ?(ltW q0) // (at_ _ (in_us y p0)).
rewrite bent_sum // ler_add2l big_seq [X in _ <= X]big_seq; apply: ler_sum => k kin.
by have /allP/(_ k kin)/andP[b0 t0] := up; rewrite ler_wpmul2l // h.
Qed.
End Noise.

Theorem discrete_gaussian_concentrated (v : R) (s : nat) (Y : finType) (P Q : Y -> R) : 0 < v ->
  distribution P -> distribution Q ->
  (forall y : R, 0 <= y -> hockey_stick 1 y P Q <= discrete_gaussian_curve v s y) ->
  (forall y : R, 0 <= y -> hockey_stick 1 y Q P <= discrete_gaussian_curve v s y) ->
  forall a : R, 1 < a -> let m := exp (a * (a - 1) * (s%:R ^+ 2 / (2%:R * v))) in
  moment_at_most a m P Q /\ moment_at_most a m Q P.
Proof. by move=> v0 dP dQ h h' a a1; split; exact: moment_of_half. Qed.
