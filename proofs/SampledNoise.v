(** Rényi divergences of whole order of mechanisms whose record takes part by chance alone (SPEC, 11.14).

    What has the profile of a sample is one: of a mechanism with the profile that is sampled
    ([unsampled], [as_sampled]).  Pairs with moments as near as one likes to those of the noise lie near its
    profile ([noise_near]), and so SampledMoments.v bounds both directions ([sample_moments]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Powers Moments RulesGaussian RulesConcentrated.
From ExactDP Require Import RulesNoiseRenyi ConcentratedGaussian NormalCurve CellsOfNormal GaussianComposition OrderOfWorkloads.
From ExactDP Require Import NoiseLedgers NoiseOrder LaplacePairs LaplaceMoments TangentPairs SampledPairs SampledMoments.
From ExactDP Require Import DiscreteGaussian BellMoments BellPairs.
From ExactDP Require Import ProfileReflection NormalPairs.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The noise whose samples are known here, and its moments. *)
Definition sampled_proper (c : noise_curve) : bool :=
  match c with
  | NormalCurve mu => 0 < mu
  | LaplaceCurve a => 0 < a
  | ShiftCurve decay shift => (0 < decay) && (0 < shift)%N
  | RangeCurve _ => false
  | BellCurve v _ => 0 < v
  | ByCurves _ _ => false
  end.
Definition base_moment (c : noise_curve) (a : R) : R :=
  match c with
  | NormalCurve mu => exp (a * (a - 1) * (mu ^+ 2 / 2%:R))
  | LaplaceCurve b => laplace_moment a b
  | ShiftCurve decay shift => response_moment a (shift%:R * decay)
  | RangeCurve _ => 1
  | BellCurve v shift => exp (a * (a - 1) * (shift%:R ^+ 2 / (2%:R * v)))
  | ByCurves _ _ => 1
  end%R.
Definition sample_moment (q : R) (c : noise_curve) (n : nat) : R :=
  sampled_sum q n (fun k => base_moment c k%:R).

Lemma stick_other (y : R) (Y : finType) (P Q : Y -> R) : 0 < y -> distribution P -> distribution Q ->
  hockey_stick 1 y Q P = 1 - y + y * hockey_stick 1 y^-1 P Q.
Proof.
move=> y0 dP dQ; rewrite hockey_stick_swap //; congr (_ + _).
by rewrite -hockey_stickM ?(ltW y0) // mulr1 mulfV // gt_eqF.
Qed.

Section Unsampled.
Variables (q : R) (c : noise_curve) (Y : finType) (P Q : Y -> R).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (dP : distribution P) (dQ : distribution Q) (h : under_sampled q c P Q).
Let r0 : 0 < 1 - q. Proof. by rewrite subr_gt0. Qed.

Definition unsampled (y : Y) : R := ((P y - (1 - q) * Q y) / q)%R.

Lemma as_sampled y : sampled_law q (unsampled y) (Q y) = P y.
Proof. by rewrite /sampled_law /unsampled [q * _]mulrC divfK ?gt_eqF // addrC subrK. Qed.

Lemma unsampled_law : distribution unsampled.
Proof.
have [[P0 P1] [Q0 Q1]] := (dP, dQ); have up := h (ltW r0); rewrite sampled_curveE // lexx subKr in up.
have total : \sum_y (P y - (1 - q) * Q y) = q by rewrite sumrB -mulr_sumr P1 Q1 mulr1 subKr.
split=> [y|]; last by rewrite /unsampled -mulr_suml total divff // gt_eqF.
rewrite divr_ge0 ?(ltW q0) // leNgt; apply/negP => neg.
suff : q < q by rewrite ltxx.
apply: lt_le_trans up; rewrite -[X in X < _]total /hockey_stick.
rewrite (bigD1 y) // [X in _ < X](bigD1 y) //=; apply: ltr_le_add.
  exact: lt_le_trans neg (pos_ge0 _).
by apply: ler_sum => z _; rewrite mul1r; exact: le_pos.
Qed.

Lemma unsampled_profile (t : R) : 0 < t -> hockey_stick 1 t unsampled Q <= curve_at c t.
Proof.
move=> t0; pose y : R := (1 - q + t * q)%R; have low : 1 - q < y by rewrite ltr_addl mulr_gt0.
have := h (ltW (lt_trans r0 low)); rewrite sampled_curveE // [y <= 1 - q]leNgt low /=.
have -> : ((y - (1 - q)) / q)%R = t by rewrite /y addrC addKr mulfK // gt_eqF.
have -> : hockey_stick 1 y P Q = q * hockey_stick 1 t unsampled Q.
  rewrite -hockey_stickM ?(ltW q0) //; apply: eq_bigr => z _; congr pos.
  by rewrite -(as_sampled z) /sampled_law /y; ring.
by rewrite ler_pmul2l.
Qed.
End Unsampled.

(** --- the noise that is sampled --- *)

Lemma exp_back (y : R) (f : R -> R) : 0 < y -> f (ln y^-1) = f (- ln y).
Proof. by move=> y0; rewrite -[in LHS](lnK y0) -expN ln_exp. Qed.

(** The profile of one direction is that of the other. *)
Lemma curve_back c (y : R) : sampled_proper c -> 0 < y -> 1 - y + y * curve_at c y^-1 <= curve_at c y.
Proof.
case: c => [mu|a|//|d s|v s|//] /= w y0; last exact: bell_curve_back.
all: rewrite le_eqVlt; apply/orP; left; apply/eqP.
- rewrite exp_back // /G w.
  have -> : Normal.profile mu (ln y) = 1 - exp (ln y) + exp (ln y) * Normal.profile mu (- ln y) := profile_reflect mu (ln y).
  by rewrite lnK.
- by rewrite exp_back // -[X in X * _](lnK y0) laplace_curve_back ?ltW // lnK //; ring.
case/andP: w => d0 s0; have [dL dR] := discrete_laplace_lawful d0 s0.
rewrite -stick_other // /hockey_stick (reindex_inj rev_ord_inj); apply: eq_bigr => j _ /=.
by rewrite rev_ordK.
Qed.

Section Base.
Variables (c : noise_curve) (w : sampled_proper c) (Y : finType) (P Q : Y -> R).
Hypotheses (dP : distribution P) (dQ : distribution Q).
Hypothesis below : forall t : R, 0 < t -> hockey_stick 1 t P Q <= curve_at c t.

Lemma below_back (t : R) : 0 < t -> hockey_stick 1 t Q P <= curve_at c t.
Proof.
move=> t0; rewrite stick_other //; apply: le_trans (curve_back w t0); rewrite ler_add2l ler_pmul2l //.
by apply: below; rewrite invr_gt0.
Qed.

Lemma base_has_noise : has_noise (noise_under c) P Q.
Proof.
have back := below_back; case: c w below back => [mu|a|//|d s|v s|//] /= w' h h'; split=> //.
- split=> // e; split; apply/events_hockey_stick.
    by have := h _ (exp_gt0 e); rewrite ln_exp.
  by have := h' _ (exp_gt0 e); rewrite ln_exp.
- by split=> l; [have := h _ (exp_gt0 l)|have := h' _ (exp_gt0 l)]; rewrite ln_exp.
- have [d0 s0] := andP w'; have [dL dR] := discrete_laplace_lawful d0 s0.
  by split=> y; rewrite le_eqVlt => /predU1P[<-|]; [rewrite !stick_at_0|exact: h|rewrite !stick_at_0|exact: h'].
have all_odds (S T : Y -> R) : distribution S -> (forall t : R, 0 < t -> hockey_stick 1 t S T <= discrete_gaussian_curve v s t) ->
    under_discrete_gaussian v s S T.
  move=> dS le y; rewrite le_eqVlt => /predU1P[<-|]; last exact: le.
  by rewrite stick_at_0 //; have := curve_least w' s (lexx 0); rewrite subr0 pos_id ?ler01.
by split; exact: all_odds.
Qed.
End Base.

Lemma base_moments c (a : R) (Y : finType) (P Q : Y -> R) : sampled_proper c -> 1 < a -> has_noise (noise_under c) P Q ->
  moment_at_most a (base_moment c a) P Q /\ moment_at_most a (base_moment c a) Q P.
Proof.
case: c => [mu|b|//|d s|v s|//] w a1 h /=; last first.
- by have [dP dQ [h1 h2]] := h; exact: discrete_gaussian_concentrated.
- have [d0 s0] := andP w; have [dP dQ [h1 h2]] := h; have e0 : 0 <= s%:R * d by rewrite mulr_ge0 ?ler0n // ltW.
  have E0 := ltW (exp_gt0 (s%:R * d)).
  by split; apply: response_dominates => //; split=> //; split; apply/events_hockey_stick;
    rewrite -(shift_private s (ltW d0)); [exact: h1|exact: h2|exact: h2|exact: h1].
- exact: laplace_has_moment a1 w h.
by have [_ _ n] := h; have [_ _ /(_ a a1)] := gaussian_concentrated (ltW w) n.
Qed.

(** --- pairs that are near --- *)

Lemma at_all_weights (Y Z : finType) (P Q : Y -> R) (S T : Z -> R) (a b : R) : (forall y, 0 <= Q y) ->
  nowhere_above P Q S T -> 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b S T.
Proof.
move=> Q0 h; rewrite le_eqVlt => /predU1P[<-|a0] b0.
  rewrite {1}/hockey_stick big1 => [|y _]; first by apply: sumr_ge0 => z _; exact: pos_ge0.
  by rewrite mul0r sub0r pos_0 // oppr_le0 mulr_ge0.
have e (X : finType) (U V : X -> R) : hockey_stick a b U V = a * hockey_stick 1 (b / a) U V.
  by rewrite -hockey_stickM ?(ltW a0) // mulr1 [a * _]mulrC divfK // gt_eqF.
by rewrite !e ler_pmul2l //; apply: h; rewrite divr_ge0 // ltW.
Qed.

Section Shifts.
Variables (d : R) (s : nat).
Hypotheses (d0 : 0 < d) (s0 : (0 < s)%N).
Let L := @shifted_law d s.
Let L' : 'I_s.+1 -> R := L \o @rev_ord _.

Lemma shift_back (a b : R) : hockey_stick a b L' L = hockey_stick a b L L'.
Proof.
rewrite /hockey_stick (reindex_inj rev_ord_inj); apply: eq_bigr => j _.
by rewrite /L' /= rev_ordK.
Qed.

Lemma shift_itself : has_noise (OfShift d s) L L' /\ has_noise (OfShift d s) L' L.
Proof.
have [dL dR] := discrete_laplace_lawful d0 s0.
by split; split=> //; split=> y _; rewrite -/L -/L' ?shift_back.
Qed.

Lemma near_shift n m (Y : finType) (P Q : Y -> R) (tau : R) : 0 <= tau -> has_noise (OfShift d s) P Q ->
  (forall k (S T : 'I_s.+1 -> R), (1 < k <= n)%N -> has_noise (OfShift d s) S T -> moment_at_most k%:R (m k + tau) S T) ->
  exists (Z : finType) (S T : Z -> R), [/\ distribution S, distribution T,
    forall k, (1 < k <= n)%N -> moment_at_most k%:R (m k + tau) S T /\ moment_at_most k%:R (m k + tau) T S &
    forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b Q P <= hockey_stick a b T S + tau * (a + b) /\
      hockey_stick a b Q P <= hockey_stick a b S T + tau * (a + b)].
Proof.
move=> t0 [[P0 _] _ [_ h]] M; have [dL dR] := discrete_laplace_lawful d0 s0; have [own own'] := shift_itself.
exists [finType of 'I_s.+1], L, L'; split=> // [k k1|a b a0 b0]; first by split; exact: M.
have le : hockey_stick a b Q P <= hockey_stick a b L L' by exact: at_all_weights.
by rewrite shift_back; split; apply: le_trans le _; rewrite ler_addl mulr_ge0 // addr_ge0.
Qed.
End Shifts.

Lemma moment_more (a m m' : R) (Y : finType) (P Q : Y -> R) : m <= m' -> moment_at_most a m P Q -> moment_at_most a m' P Q.
Proof. by move=> mm [s le]; split=> //; exact: le_trans le mm. Qed.

Lemma near_normal mu n (Y : finType) (P Q : Y -> R) : 0 < mu -> satisfies G (Gaussian mu) P Q ->
  near_pairs n (fun k => base_moment (NormalCurve mu) k%:R) P Q.
Proof.
move=> mu0 h tau t0; have [t [i [g near]]] := cells_near (ltW mu0) t0.
set S := pair_cells t i mu in near *; set T := pair_cells t i 0 in near *.
have own : satisfies G (Gaussian mu) S T by exact: cells_satisfy (ltW mu0).
have [dS dT _] := own; have [dP dQ _] := h.
exists _, S, T; split=> // [k /andP[k1 _]|a b a0 b0].
  have K1 : 1 < k%:R :> R by rewrite ltr1n.
  have [m1 m2] := @base_moments (NormalCurve mu) k%:R _ S T mu0 K1 (And3 dS dT own).
  by split; apply: moment_more m1 || apply: moment_more m2; rewrite ler_addl ltW.
have above (a' b' : R) : 0 <= a' -> 0 <= b' -> curve mu a' b' <= hockey_stick a' b' S T + tau * (a' + b').
  move=> a'0 b'0; have := near 0 a' b' (lexx 0) a'0 b'0; rewrite both0 ?(ltW mu0) //.
  by under eq_bigr do rewrite curve_of_0.
have h' : satisfies G (Gaussian mu) Q P by exact: satisfies_sym.
split; last by apply: le_trans (above a b a0 b0); exact: weights_of_gaussian (ltW mu0) h' a b a0 b0.
rewrite (hockey_stick_swap a b dQ dP) (hockey_stick_swap a b dT dS) -[X in _ <= X]addrA ler_add2l [a + b]addrC.
by apply: le_trans (above b a b0 a0); exact: weights_of_gaussian (ltW mu0) h b a b0 a0.
Qed.

Lemma near_laplace al n (Y : finType) (P Q : Y -> R) : 0 < al -> has_noise (OfLaplace al) P Q ->
  near_pairs n (fun k => base_moment (LaplaceCurve al) k%:R) P Q.
Proof.
move=> al0 h tau t0; pose C k : R := (al * (2%:R * (2%:R * k%:R - 1) + 1) * laplace_moment k%:R al)%R.
pose B : R := (\sum_(k < n.+1) Num.max 0 (C k) + al)%R.
have B0 : 0 <= B by rewrite addr_ge0 ?(ltW al0) //; apply: sumr_ge0 => k _; rewrite le_maxr lexx.
have most k : (k <= n)%N -> C k <= B.
  move=> kn; rewrite /B (bigD1 (Ordinal (kn : (k < n.+1)%N))) //= -addrA.
  apply: (@le_trans _ _ (Num.max 0 (C k))); first by rewrite le_maxr lexx orbT.
  by rewrite ler_addl addr_ge0 ?(ltW al0) //; apply: sumr_ge0 => j _; rewrite le_maxr lexx.
pose s := (Num.bound (B / tau) + Num.bound al).+1; have s0 : (0 < s)%N by [].
have S0 : 0 < s%:R :> R by rewrite ltr0n.
have big1 : B / tau <= s%:R.
  apply: (@le_trans _ _ (Num.bound (B / tau))%:R); first by apply: ltW; apply: archi_boundP; rewrite divr_ge0 // ltW.
  by rewrite ler_nat /s leqW // leq_addr.
have big2 : al <= s%:R.
  apply: (@le_trans _ _ (Num.bound al)%:R); first by apply: ltW; apply: archi_boundP; exact: ltW.
  by rewrite ler_nat /s leqW // leq_addl.
apply: (near_shift (d := (al / s%:R)%R) (s := s)) => //; [exact: divr_gt0|exact: ltW|exact: laplace_as_shift|].
move=> k S T /andP[k1 kn] own; have K1 : 1 < k%:R :> R by rewrite ltr1n.
apply: moment_more (shift_near K1 al0 s0 big2 own); rewrite ler_add2l.
rewrite ler_pdivr_mull // -/(C k); apply: le_trans (most k kn) _.
by rewrite -ler_pdivr_mulr.
Qed.

Lemma weights_near (tau a b : R) (Y Z : finType) (P Q : Y -> R) (S T : Z -> R) : 0 <= tau -> (forall y, 0 <= Q y) ->
  (forall y : R, 0 <= y -> hockey_stick 1 y P Q <= hockey_stick 1 y S T + tau) -> 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= hockey_stick a b S T + tau * (a + b).
Proof.
move=> t0 Q0 h; rewrite le_eqVlt => /predU1P[<-|a0] b0.
  rewrite {1}/hockey_stick big1 => [|y _]; last by rewrite mul0r sub0r pos_0 // oppr_le0 mulr_ge0.
  by rewrite add0r addr_ge0 ?mulr_ge0 //; apply: sumr_ge0 => z _; exact: pos_ge0.
have e (X : finType) (U V : X -> R) : hockey_stick a b U V = a * hockey_stick 1 (b / a) U V.
  by rewrite -hockey_stickM ?(ltW a0) // mulr1 [a * _]mulrC divfK // gt_eqF.
have b1 : 0 <= b / a by rewrite divr_ge0 // ltW.
rewrite !e; apply: le_trans (ler_wpmul2l (ltW a0) (h _ b1)) _; rewrite mulrDr ler_add2l mulrC.
by apply: ler_wpmul2l => //; rewrite ler_addl.
Qed.

Lemma near_bell v s n (Y : finType) (P Q : Y -> R) : 0 < v -> has_noise (OfDiscreteGaussian v s) P Q ->
  near_pairs n (fun k => base_moment (BellCurve v s) k%:R) P Q.
Proof.
move=> v0 h tau t0; have [i most] := window_with_most v0 t0.
have [S [T [own near]]] : exists S T : 'I_i.*2.+2 -> R, has_noise (OfDiscreteGaussian v s) S T /\
    forall y : R, 0 <= y -> discrete_gaussian_curve v s y <= hockey_stick 1 y S T + tau.
  by eexists; eexists; split; [exact: bell_pair_noise|move=> y; exact: bell_pair_near].
have [dS dT _] := own; have [dP dQ [h1 h2]] := h.
exists _, S, T; split=> // [k /andP[k1 _]|a b a0 b0].
  have K1 : 1 < k%:R :> R by rewrite ltr1n.
  have [m1 m2] := @base_moments (BellCurve v s) k%:R _ S T v0 K1 own.
  by split; [apply: moment_more m1|apply: moment_more m2]; rewrite ler_addl ltW.
have [[P0 _] [Q0 _]] := (dP, dQ).
split; last first.
  by apply: weights_near => // [|y y0]; [exact: ltW|apply: le_trans (near y y0); exact: h2].
rewrite (hockey_stick_swap a b dQ dP) (hockey_stick_swap a b dT dS) -[X in _ <= X]addrA ler_add2l [a + b]addrC.
by apply: weights_near => // [|y y0]; [exact: ltW|apply: le_trans (near y y0); exact: h1].
Qed.

Lemma noise_near c n (Y : finType) (P Q : Y -> R) : sampled_proper c -> has_noise (noise_under c) P Q ->
  near_pairs n (fun k => base_moment c k%:R) P Q.
Proof.
case: c => [mu|a|//|d s|v s|//] w h; last exact: near_bell.
- by apply: near_normal => //; case: h.
- exact: near_laplace.
move=> tau t0; have [d0 s0] := andP w; apply: (near_shift d0 s0 (ltW t0) h) => k S T /andP[k1 _] own.
have K1 : 1 < k%:R :> R by rewrite ltr1n.
have [m _] := @base_moments (ShiftCurve d s) k%:R _ S T w K1 own.
by apply: moment_more m; rewrite ler_addl ltW.
Qed.

(** --- samples --- *)

Lemma sample_forth q c n (Y : finType) (P Q : Y -> R) : 0 < q -> q < 1 -> sampled_proper c -> (1 < n)%N ->
  distribution P -> distribution Q -> under_sampled q c P Q -> has_moments n%:R (sample_moment q c n) P Q.
Proof.
move=> q0 q1 w n1 dP dQ h; have dU := unsampled_law q0 q1 dP dQ h.
have known : has_noise (noise_under c) (unsampled q P Q) Q.
  by apply: base_has_noise => // t t0; exact: (unsampled_profile q0 q1 h t0).
have e y : sampled_law q (unsampled q P Q y) (Q y) = P y by exact: as_sampled.
have moments k : (1 < k <= n)%N -> moment_at_most k%:R (base_moment c k%:R) (unsampled q P Q) Q.
  by case/andP=> k1 _; have [] := base_moments w (_ : 1 < k%:R) known; first by rewrite ltr1n.
have [s1 m1] := sampled_forth q0 q1 n1 dU dQ moments; have [s2 m2] := sampled_back q0 q1 n1 dU dQ (noise_near n w known).
split; split=> [y|]; [by move/s1; rewrite e|by under eq_bigr do rewrite -e|by rewrite -e => /s2|].
by under eq_bigr do rewrite -[X in power_term _ _ X]e.
Qed.

Lemma base_moment_ge0 c (a : R) : sampled_proper c -> 1 < a -> 0 <= base_moment c a.
Proof.
case: c => [mu|b|//|d s|v s|//] w a1 /=; [exact: ltW (exp_gt0 _)| |exact: ltW (response_moment_gt0 _ _)|exact: ltW (exp_gt0 _)].
have a0 : 0 < a := lt_trans ltr01 a1; have e0 := exp_gt0; rewrite /laplace_moment divr_ge0 //.
  by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?(ltW a0) ?(ltW a1) // ltW.
by rewrite subr_ge0 (le_trans (ltW a1)) // ler_pemull ?ler1n // ltW.
Qed.

Lemma sample_moment_gt0 q c n : 0 < q -> q < 1 -> sampled_proper c -> 0 < sample_moment q c n.
Proof.
move=> q0 q1 w; rewrite /sample_moment /sampled_sum (bigD1 ord0) //= bin0 subn0 expr0 !mulr1 mul1r.
rewrite ltr_spaddl ?exprn_gt0 ?subr_gt0 //; apply: sumr_ge0 => k _; rewrite mulr_ge0 //.
  by rewrite !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0 // ltW.
by case: leqP => k1; [exact: ler01|apply: base_moment_ge0; rewrite ?ltr1n].
Qed.

(** Whichever of the laws has the record. *)
Theorem sample_moments s q c n (Y : finType) (P Q : Y -> R) : 0 < q -> q < 1 -> sampled_proper c -> (1 < n)%N ->
  s <> WithEither -> has_noise (OfSample s q c) P Q -> has_moments n%:R (sample_moment q c n) P Q.
Proof.
move=> q0 q1 w n1; case: s => // _ [dP dQ h]; first exact: sample_forth h.
by have [] := sample_forth q0 q1 w n1 dQ dP h.
Qed.
