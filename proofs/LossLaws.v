(** Pairs of laws with finitely many outputs of finite losses, under a tilt, and their profile as a mean.

    A law of losses is that of a mechanism's loss on the first database: e^-L has the mean 1, so that
    the second law is P e^-L ([pair_of]).  Tilted by e^{aL} it has the means [mean], and the
    characteristic function [spectrum]; the profile beside a Gaussian mechanism, or none, is a constant
    times the mean of what a loss pays after the tilt ([profile_tilted]).  Losses of several mechanisms
    add up ([law_times], [law_product]), and their characteristic functions are multiplied
    ([spectrum_times]); those of randomized responses are TiltedLosses.v's ([mean_of_responses],
    [spectrum_of_responses], [profile_of_responses]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import PositivePart Privacy Domination Reals RulesGaussian RulesMixture RulesProfiles FourierKernel.
From ExactDP Require TiltedLosses.
From ExactDP Require Import TiltedLosses.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Arguments cos _%R.
Local Arguments sin _%R.

Record loss_law := LossLaw {
  outcomes : finType;
  loss : outcomes -> R;
  chance : outcomes -> R;
  chance_ge0 : forall z, 0 <= chance z;
  chance_total : \sum_z chance z = 1;
  chance_reversed : \sum_z chance z * exp (- loss z) = 1
}.

Definition constant (a : R) (L : loss_law) : R := (\sum_z @chance L z * exp (a * loss z))%R.
Definition mean (a : R) (L : loss_law) (f : R -> R) : R :=
  ((\sum_z @chance L z * exp (a * loss z) * f (loss z)) / constant a L)%R.
Definition moments (a : R) (L : loss_law) (b : R) : R := mean a L (fun v => exp (b * v)).
Definition spectrum (a : R) (L : loss_law) (t : R) : Complex.C :=
  (mean a L (fun v => cos (t * v)), mean a L (fun v => sin (t * v))).
Definition profile_beside (mu : R) (L : loss_law) (x : R) : R := (\sum_z @chance L z * G mu (x - loss z))%R.
Definition scale (a mu : R) (L : loss_law) (x : R) : R := (spread mu a * constant a L * exp (- (a * x)))%R.
Global Arguments constant _%R _.
Global Arguments mean _%R _ _.
Global Arguments moments _%R _ _%R.
Global Arguments spectrum _%R _ _%R.
Global Arguments profile_beside _%R _ _%R.
Global Arguments scale _%R _%R _ _%R.

Section Means.
Variables (a : R) (L : loss_law).
Implicit Types (f g : R -> R) (t x w b : R).

Lemma constant_gt0 : 0 < constant a L.
Proof.
have ge0 z : 0 <= @chance L z * exp (a * loss z) by rewrite mulr_ge0 ?chance_ge0 ?ltW ?exp_gt0.
have c0 : 0 <= constant a L by exact: sumr_ge0.
rewrite lt_neqAle c0 andbT eq_sym; apply/negP => /eqP h.
have zero z : @chance L z = 0.
  have := @psumr_eq0P _ _ xpredT _ (fun z _ => ge0 z) h z isT.
  by move/eqP; rewrite mulf_eq0 (negPf (exp_neq0 _)) orbF => /eqP.
by have := chance_total L; rewrite big1 => [/esym/eqP|z _ //]; rewrite oner_eq0.
Qed.

Lemma eq_mean f g : f =1 g -> mean a L f = mean a L g.
Proof. by move=> h; congr (_ / _); apply: eq_bigr => z _; rewrite h. Qed.

Lemma meanD f g : mean a L (fun v => f v + g v) = mean a L f + mean a L g.
Proof. by rewrite /mean -mulrDl -big_split; congr (_ / _); apply: eq_bigr => z _; rewrite mulrDr. Qed.

Lemma meanZ (c : R) f : mean a L (fun v => c * f v) = c * mean a L f.
Proof. by rewrite /mean mulrA mulr_sumr; congr (_ / _); apply: eq_bigr => z _; rewrite mulrCA. Qed.

Lemma meanB f g : mean a L (fun v => f v - g v) = mean a L f - mean a L g.
Proof. by rewrite -mulN1r -meanZ -meanD; apply: eq_mean => v; rewrite mulN1r. Qed.

Lemma mean_const (c : R) : mean a L (fun=> c) = c.
Proof. by rewrite /mean -mulr_suml mulrC mulrA mulVf ?mul1r // gt_eqF ?constant_gt0. Qed.

Lemma mean_sum (I : Type) (r : seq I) (F : I -> R -> R) :
  mean a L (fun v => \sum_(j <- r) F j v) = \sum_(j <- r) mean a L (F j).
Proof.
elim: r => [|j r IH].
  by rewrite big_nil -[RHS]mean_const; apply: eq_mean => v; rewrite big_nil.
by rewrite big_cons -IH -meanD; apply: eq_mean => v; rewrite big_cons.
Qed.

Lemma le_mean f g : (forall v, f v <= g v) -> mean a L f <= mean a L g.
Proof.
move=> h; rewrite ler_pmul2r ?invr_gt0 ?constant_gt0 //; apply: ler_sum => z _.
by apply: ler_wpmul2l; [rewrite mulr_ge0 ?chance_ge0 ?ltW ?exp_gt0|exact: h].
Qed.

(** There are finitely many losses. *)
Lemma mean_eventually (F H : nat -> R -> R) :
  (forall v, exists n0, forall n, (n0 <= n)%N -> F n v <= H n v) ->
  exists n0, forall n, (n0 <= n)%N -> mean a L (F n) <= mean a L (H n).
Proof.
move=> h; have /fin_all_exists[n1 h1] z := h (@loss L z).
exists (\max_z n1 z)%N => n le; rewrite ler_pmul2r ?invr_gt0 ?constant_gt0 //; apply: ler_sum => z _.
apply: ler_wpmul2l; first by rewrite mulr_ge0 ?chance_ge0 ?ltW ?exp_gt0.
by apply: h1; apply: leq_trans le; exact: leq_bigmax.
Qed.

Lemma mean_of_spectrum t :
  mean a L (fun v => cos (t * v)) = (spectrum a L t).1 /\ mean a L (fun v => sin (t * v)) = (spectrum a L t).2.
Proof. by []. Qed.

Lemma spectrum_le1 t : Complex.Cmod (spectrum a L t) <= 1.
Proof.
set z := spectrum a L t; have c0 : 0 <= Complex.Cmod z by exact/RleP/Complex.Cmod_ge_0.
have square : Complex.Cmod z ^+ 2 = z.1 ^+ 2 + z.2 ^+ 2.
  rewrite expr2 /Complex.Cmod -RmultE sqrt_def; last by apply: Rplus_le_le_0_compat; exact: pow2_ge_0.
  by rewrite /= RplusE !RmultE !mulr1 !expr2.
have le : Complex.Cmod z ^+ 2 <= Complex.Cmod z.
  rewrite square -[X in _ <= X]mean_const !expr2 -{2}[z.1]/(mean a L (fun v => cos (t * v))).
  rewrite -{2}[z.2]/(mean a L (fun v => sin (t * v))) -!meanZ -meanD; apply: le_mean => v.
  by have /RleP := turned_le z (t * v)%R; rewrite RplusE !RmultE => /(le_trans (ler_norm _)).
rewrite leNgt; apply/negP => gt1; have p : 0 < Complex.Cmod z := lt_trans ltr01 gt1.
by move: le; rewrite expr2 -[X in _ <= X]mul1r ler_pmul2r // leNgt gt1.
Qed.

(** Two means that are known: of dP/dQ, and of dP/dQ times e^-L. *)
Lemma constant_moments : constant a L * moments a L (- a) = 1 /\ constant a L * moments a L (- (a + 1)) = 1.
Proof.
have n : constant a L != 0 by rewrite gt_eqF ?constant_gt0.
rewrite /moments /mean !mulrA ![constant a L * _]mulrC !mulfK //; split.
  rewrite -[RHS](chance_total L); apply: eq_bigr => z _.
  by rewrite -mulrA -expD mulNr subrr exp_0 mulr1.
rewrite -[RHS](chance_reversed L); apply: eq_bigr => z _; rewrite -mulrA -expD; congr (_ * exp _); ring.
Qed.

Lemma moments_ge0 b : 0 <= moments a L b.
Proof. by rewrite -[X in X <= _](mean_const 0%R); apply: le_mean => v; exact: ltW (exp_gt0 _). Qed.

Lemma mean_shifted x b w :
  mean a L (fun v => exp (- (b * (v - x + w)))) = exp (b * x) * exp (- (b * w)) * moments a L (- b).
Proof. by rewrite /moments -meanZ; apply: eq_mean => v; rewrite -!expD; congr exp; ring. Qed.

Variable mu : R.

Lemma scale_gt0 x : 0 < scale a mu L x.
Proof. by rewrite !mulr_gt0 ?exp_gt0 ?spread_gt0 ?constant_gt0. Qed.

Theorem profile_tilted x : profile_beside mu L x = scale a mu L x * mean a L (fun v => payoff a mu (v - x)).
Proof.
have n : constant a L != 0 by rewrite gt_eqF ?constant_gt0.
rewrite /scale /mean mulrA [_ * (\sum_z _)]mulrC -!mulrA mulr_suml; apply: eq_bigr => z _; rewrite /payoff opprB.
have -> : exp (- (a * (loss z - x))) = exp (- (a * loss z)) * exp (a * x) by rewrite -expD; congr exp; ring.
have -> : exp (- (a * loss z)) = (exp (a * loss z))^-1 by exact: expN.
have -> : exp (- (a * x)) = (exp (a * x))^-1 by exact: expN.
have m := spread_neq0 mu a; have k := exp_neq0 (a * loss z)%R; have l := exp_neq0 (a * x)%R.
by field; rewrite n m k l.
Qed.

Lemma scale_exp x b w : scale a mu L x / spread mu a * mean a L (fun v => exp (- (b * (v - x + w)))) =
  constant a L * moments a L (- b) * exp ((b - a) * x) * exp (- (b * w)).
Proof.
rewrite mean_shifted.
have -> : exp ((b - a) * x) = exp (b * x) * exp (- (a * x)) by rewrite -expD; congr exp; ring.
by rewrite /scale; have := spread_neq0 mu a => n; field.
Qed.

Lemma plain_mean x w : scale a mu L x / spread mu a * mean a L (fun v => plain a (v - x + w)) =
  exp (- (a * w)) - exp (x - (a + 1) * w).
Proof.
have [c1 c2] := constant_moments.
have -> : mean a L (fun v => plain a (v - x + w)) = mean a L (fun v => exp (- (a * (v - x + w)))) -
    mean a L (fun v => exp (- ((a + 1) * (v - x + w)))).
  by rewrite -meanB.
rewrite mulrBr !scale_exp c1 c2 subrr mul0r exp_0 !mul1r -expD; congr (_ - exp _); ring.
Qed.
End Means.

(** --- several mechanisms --- *)

Lemma reversed_ge0 (L : loss_law) : nonnegative_laws (@chance L) (fun z => @chance L z * exp (- loss z)).
Proof. by move=> z; rewrite mulr_ge0 ?chance_ge0 ?ltW ?exp_gt0. Qed.
Definition pair_of (L : loss_law) : finite_pair R_realFieldType := FinitePair (@reversed_ge0 L).

Lemma profile_of_pair (L : loss_law) x : profile_beside 0 L x = at_weights (pair_of L) 1 (exp x).
Proof.
apply: eq_bigr => z _ /=; rewrite /G ltxx mul1r -posM ?chance_ge0 //; congr pos.
by rewrite mulrBr mulr1 mulrCA -expD.
Qed.

Section Unit.
Lemma sum_unit (F : unit -> R) : \sum_z F z = F tt.
Proof. by rewrite (big_pred1 tt) => // -[]. Qed.
Lemma unit_total : \sum_(z : unit) (1 : R) = 1.
Proof. by rewrite sum_unit. Qed.
Lemma unit_reversed : \sum_(z : unit) 1 * exp (- 0) = 1 :> R.
Proof. by rewrite sum_unit oppr0 exp_0 mulr1. Qed.
Definition law_unit : loss_law :=
  @LossLaw unit_finType (fun=> 0) (fun=> 1) (fun=> ler01) unit_total unit_reversed.
End Unit.

Section Times.
Variables L M : loss_law.
Let ch (p : outcomes L * outcomes M) : R := (@chance L p.1 * @chance M p.2)%R.
Let lo (p : outcomes L * outcomes M) : R := (@loss L p.1 + @loss M p.2)%R.

Lemma times_sum (f : R -> R) : (forall v w, f (v + w) = f v * f w) ->
  \sum_p ch p * f (lo p) = (\sum_z @chance L z * f (loss z)) * (\sum_z @chance M z * f (loss z)).
Proof.
move=> h; rewrite -(pair_bigA _ (fun y z => ch (y, z) * f (lo (y, z)))) mulr_suml /=; apply: eq_bigr => y _.
by rewrite mulr_sumr; apply: eq_bigr => z _; rewrite /ch /lo /= h mulrACA.
Qed.

Lemma times_ge0 p : 0 <= ch p. Proof. by rewrite mulr_ge0 ?chance_ge0. Qed.
Lemma times_total : \sum_p ch p = 1.
Proof.
have := @times_sum (fun=> 1) (fun _ _ => esym (mulr1 1)).
rewrite (eq_bigr ch) => [->|p _]; last by rewrite mulr1.
rewrite (eq_bigr (@chance L)) => [|z _]; last by rewrite mulr1.
by rewrite (eq_bigr (@chance M)) ?chance_total ?mulr1 // => z _; rewrite mulr1.
Qed.
Lemma times_reversed : \sum_p ch p * exp (- lo p) = 1.
Proof.
rewrite (@times_sum (fun v => exp (- v))) => [|v w]; last by rewrite -expD opprD.
by rewrite !chance_reversed mulr1.
Qed.
Definition law_times : loss_law := LossLaw times_ge0 times_total times_reversed.

Lemma constant_times a : constant a law_times = constant a L * constant a M.
Proof. by rewrite /constant (@times_sum (fun v => exp (a * v))) // => v w; rewrite -expD mulrDr. Qed.

Lemma mean_times a f : mean a law_times f = mean a L (fun v => mean a M (fun w => f (v + w))).
Proof.
rewrite /mean constant_times invfM mulrA mulrAC; congr (_ / _).
rewrite -(pair_bigA _ (fun y z => ch (y, z) * exp (a * lo (y, z)) * f (lo (y, z)))) mulr_suml /=.
apply: eq_bigr => y _; rewrite mulr_suml mulrA -[RHS]mulrA mulr_suml mulr_sumr; apply: eq_bigr => z _.
rewrite -[lo (y, z)]/(loss y + loss z)%R -[ch (y, z)]/(chance y * chance z)%R [(a * (_ + _))%R]mulrDr expD.
by rewrite -!mulrA; congr (_ * _); rewrite mulrCA.
Qed.

Theorem spectrum_times a t : spectrum a law_times t = Complex.Cmult (spectrum a L t) (spectrum a M t).
Proof.
rewrite /spectrum /Complex.Cmult /= RminusE RplusE !RmultE !mean_times; congr (_, _).
  transitivity (mean a L (fun v => mean a M (fun w => cos (t * w)) * cos (t * v) -
      mean a M (fun w => sin (t * w)) * sin (t * v))); last by rewrite meanB !meanZ; ring.
  apply: eq_mean => v; rewrite ![mean a M _ * _]mulrC -!meanZ -meanB; apply: eq_mean => w.
  by rewrite mulrDr cos_shift.
transitivity (mean a L (fun v => mean a M (fun w => sin (t * w)) * cos (t * v) +
    mean a M (fun w => cos (t * w)) * sin (t * v))); last by rewrite meanD !meanZ; ring.
apply: eq_mean => v; rewrite ![mean a M _ * _]mulrC -!meanZ -meanD; apply: eq_mean => w.
by rewrite mulrDr sin_shift; ring.
Qed.

Lemma profile_times mu x : profile_beside mu law_times x =
  \sum_z @chance L z * profile_beside mu M (x - loss z).
Proof.
rewrite /profile_beside -(pair_bigA _ (fun y z => ch (y, z) * G mu (x - lo (y, z)))) /=.
apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => z _; rewrite /ch /lo /= mulrA.
by congr (_ * G _ _); rewrite opprD addrA.
Qed.
End Times.

Fixpoint law_product (Ls : seq loss_law) : loss_law :=
  if Ls is L :: Ls' then law_times L (law_product Ls') else law_unit.

Lemma at_law_product Ls a b :
  at_weights (pair_of (law_product Ls)) a b = at_weights (product_pair [seq pair_of L | L <- Ls]) a b.
Proof.
elim: Ls a b => [|L Ls IH] a b /=.
  by apply: eq_bigr => z _; rewrite /= oppr0 exp_0 !mulr1.
rewrite [RHS](at_timesE (pair_of L)) -[RHS](eq_bigr _ (fun z _ => IH _ _)) -at_timesE.
by apply: eq_bigr => -[y z] _ /=; rewrite opprD expD mulrACA.
Qed.

(** --- randomized responses --- *)

Section Responses.
Variable a : R.

Section One.
Variable e : R.
Let lo (b : bool) : R := if b then e else (- e)%R.
Let ch (b : bool) : R := if b then truthful e else untruthful e.
Lemma response_chance_ge0 b : 0 <= ch b.
Proof.
have p : 0 <= (1 + exp (- e))^-1 by rewrite invr_ge0 addr_ge0 ?ler01 ?ltW ?exp_gt0.
by case: b; rewrite /ch // /untruthful mulr_ge0 // ltW // exp_gt0.
Qed.
Let n : 1 + exp (- e) != 0. Proof. by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0. Qed.
Lemma response_total : \sum_b ch b = 1.
Proof. by rewrite big_bool /= /ch /truthful /untruthful; field. Qed.
Lemma response_reversed : \sum_b ch b * exp (- lo b) = 1.
Proof.
rewrite big_bool /= /ch /lo opprK /truthful /untruthful.
have -> : exp (- e) / (1 + exp (- e)) * exp e = (1 + exp (- e))^-1.
  by rewrite mulrAC -expD addNr exp_0 mul1r.
by field.
Qed.
Definition response : loss_law := LossLaw response_chance_ge0 response_total response_reversed.

Lemma mean_of_response f : mean a response f = tilted a e * f e + (1 - tilted a e) * f (- e)%R.
Proof.
have up := truthful_tilted a e; have down := untruthful_tilted a e.
have m := cosh2_neq0 (theta a * e)%R; have k := cosh2_neq0 (e / 2%:R)%R.
rewrite /mean /constant !big_bool /= /lo /ch -up -down mulrN.
have one (c : R) : exp (- c) * exp c = 1 by rewrite -expD addNr exp_0.
have -> : cosh2 (theta a * e) / cosh2 (e / 2%:R) * (tilted a e * exp (- (a * e))) * exp (a * e) =
    cosh2 (theta a * e) / cosh2 (e / 2%:R) * tilted a e by rewrite -!mulrA one mulr1.
have -> : cosh2 (theta a * e) / cosh2 (e / 2%:R) * ((1 - tilted a e) * exp (a * e)) * exp (- (a * e)) =
    cosh2 (theta a * e) / cosh2 (e / 2%:R) * (1 - tilted a e) by rewrite -!mulrA [exp (a * e) * _]mulrC one mulr1.
move: (cosh2 (theta a * e)) (cosh2 (e / 2%:R)) (tilted a e) m k => p q t m k.
have -> : p / q * t + p / q * (1 - t) = p / q by rewrite -mulrDr addrCA subrr addr0 mulr1.
have pq : p / q != 0 by rewrite mulf_neq0 ?invr_eq0.
by move: (p / q) pq => c c0; rewrite -![c * _ * _]mulrA -mulrDr mulrC mulKf.
Qed.
End One.

Definition responses (es : seq R) : loss_law := law_product [seq response e | e <- es].

Lemma mean_of_responses es f : mean a (responses es) f = TiltedLosses.mean a es f.
Proof.
elim: es f => [|e es IH] f /=.
  by rewrite /mean /constant !sum_unit /= mulr0 exp_0 !mul1r divr1.
by rewrite mean_times mean_of_response !IH; congr (_ * _ + _ * _); apply: TiltedLosses.eq_mean => v; rewrite addrC.
Qed.

Theorem spectrum_of_responses es t : spectrum a (responses es) t = TiltedLosses.spectrum a es t.
Proof.
rewrite /spectrum !mean_of_responses; have [-> ->] := TiltedLosses.mean_of_spectrum a es t.
by case: TiltedLosses.spectrum.
Qed.
End Responses.

Theorem profile_of_responses mu es x : profile_beside mu (responses es) x = mean_profile mu es x.
Proof.
elim: es x => [|e es IH] x.
  by rewrite MixtureSums.mean_nil /profile_beside sum_unit /= subr0 mul1r.
by rewrite mean_cons /= profile_times big_bool /= !IH opprK.
Qed.
