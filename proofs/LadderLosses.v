(** Laws of losses that are ladders: two ends, A and -A, and between them n rungs, evenly apart by 2r, around 0;
    before the tilt by e^{L/2} each end has the weight 1, and each rung the weight gamma.

    Discrete Laplace noise has such losses, and so have cells of Laplace noise (NoiseLadders.v).  The sum over the
    rungs is geometric ([rungs_turned]), so that the characteristic function of a ladder takes no longer for many
    rungs than for few ([spectrum_of_ladder]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import PositivePart Privacy Domination Reals TiltedLosses LossLaws.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Arguments cos _%R.
Local Arguments sin _%R.

Section Ladder.
Variables (A r gamma : R) (n : nat).
Hypothesis gamma0 : 0 <= gamma.
Let place := (bool + 'I_n)%type.
Implicit Types (w t a b : R) (z : place).

Definition rung (i : 'I_n) : R := (((rev_ord i)%:R - i%:R) * r)%R.
Let lo z : R := match z with inl b => if b then A else (- A)%R | inr i => rung i end.
Let co z : R := if z is inr _ then gamma else 1.
Let turned z : place := match z with inl b => inl (~~ b) | inr i => inr (rev_ord i) end.

Let turned_inj : injective turned.
Proof. by apply: (can_inj (g := turned)) => -[b|i] /=; rewrite ?negbK ?rev_ordK. Qed.
Let lo_turned z : lo (turned z) = - lo z.
Proof. by case: z => [[]|i] //=; rewrite ?opprK // /rung rev_ordK -opprB mulNr. Qed.

Lemma place_sum (F : place -> R) : \sum_z F z = F (inl true) + F (inl false) + \sum_i F (inr i).
Proof. by rewrite big_sumType /= big_bool. Qed.

(** The weight of all, tilted by e^{wL}. *)
Definition ladder_weight w : R := (exp (w * A) + exp (- (w * A)) + gamma * \sum_i exp (w * rung i))%R.
Arguments ladder_weight _%R.

Lemma ladder_weightE w : ladder_weight w = \sum_z co z * exp (w * lo z).
Proof. by rewrite /ladder_weight place_sum /= !mul1r mulrN mulr_sumr. Qed.

Lemma ladder_weight_even w : ladder_weight (- w) = ladder_weight w.
Proof.
rewrite !ladder_weightE (reindex_inj turned_inj); apply: eq_bigr => z _.
by rewrite lo_turned mulrNN; case: z.
Qed.

Lemma ladder_weight_gt0 w : 0 < ladder_weight w.
Proof.
rewrite /ladder_weight ltr_paddr ?addr_gt0 ?exp_gt0 // mulr_ge0 // sumr_ge0 // => i _; exact: ltW (exp_gt0 _).
Qed.
Lemma ladder_weight_neq0 w : ladder_weight w != 0.
Proof. by rewrite gt_eqF ?ladder_weight_gt0. Qed.

Let ch z : R := (co z * exp (2%:R^-1 * lo z) / ladder_weight 2%:R^-1)%R.
Let ch_ge0 z : 0 <= ch z.
Proof.
rewrite mulr_ge0 ?invr_ge0 ?(ltW (ladder_weight_gt0 _)) // mulr_ge0 ?(ltW (exp_gt0 _)) //.
by case: z => [b|i] /=; rewrite ?ler01.
Qed.
Let ch_total : \sum_z ch z = 1.
Proof. by rewrite -mulr_suml -ladder_weightE divff ?ladder_weight_neq0. Qed.
Let tilted_ch a z : ch z * exp (a * lo z) = co z * exp (theta a * lo z) / ladder_weight 2%:R^-1.
Proof.
have -> : theta a * lo z = 2%:R^-1 * lo z + a * lo z by rewrite /theta; ring.
by rewrite expD /ch; ring.
Qed.
Let ch_reversed : \sum_z ch z * exp (- lo z) = 1.
Proof.
have -> : \sum_z ch z * exp (- lo z) = \sum_z co z * exp (- 2%:R^-1 * lo z) / ladder_weight 2%:R^-1.
  apply: eq_bigr => z _; rewrite -[- lo z]mulN1r tilted_ch; congr (_ * exp (_ * _) / _).
  by rewrite /theta; field.
by rewrite -mulr_suml -ladder_weightE ladder_weight_even divff ?ladder_weight_neq0.
Qed.
Definition ladder : loss_law := LossLaw ch_ge0 ch_total ch_reversed.

(** Of the weights of the two hypotheses, and of each end and rung. *)
Definition end_chance (l : R) : R := (exp (l / 2%:R) / ladder_weight 2%:R^-1)%R.
Arguments end_chance _%R.
Lemma ladder_sum (F : R -> R -> R) :
  \sum_z F (@chance ladder z) (@chance ladder z * exp (- @loss ladder z)) =
  F (end_chance A) (end_chance (- A)) + F (end_chance (- A)) (end_chance A) +
  \sum_i F (gamma * end_chance (rung i)) (gamma * end_chance (- rung i)).
Proof.
have half (l : R) : exp (2%:R^-1 * l) = exp (l / 2%:R) by rewrite mulrC.
have back (l : R) : exp (2%:R^-1 * l) * exp (- l) = exp (- l / 2%:R) by rewrite -expD; congr exp; field.
have one z (c : R) : @chance ladder z = c * end_chance (@loss ladder z) ->
    @chance ladder z * exp (- @loss ladder z) = c * end_chance (- @loss ladder z).
  by move=> ->; rewrite /end_chance -half -back; ring.
have chE z : @chance ladder z = co z * end_chance (@loss ladder z) by rewrite /= /ch half -mulrA.
transitivity (\sum_z F (co z * end_chance (lo z)) (co z * end_chance (- lo z))).
  by apply: eq_bigr => z _; rewrite (one z _ (chE z)) chE.
by rewrite place_sum /= !mul1r opprK.
Qed.

(** --- tilted --- *)

Lemma constant_of_ladder a : constant a ladder = ladder_weight (theta a) / ladder_weight 2%:R^-1.
Proof. by rewrite ladder_weightE mulr_suml; apply: eq_bigr => z _; rewrite tilted_ch. Qed.

Lemma mean_of_ladder a f : mean a ladder f = (\sum_z co z * exp (theta a * lo z) * f (lo z)) / ladder_weight (theta a).
Proof.
have c := ladder_weight_neq0 (theta a); have c' := ladder_weight_neq0 2%:R^-1.
have -> : \sum_z co z * exp (theta a * lo z) * f (lo z) =
    ladder_weight 2%:R^-1 * \sum_z @chance ladder z * exp (a * @loss ladder z) * f (loss z).
  by rewrite mulr_sumr; apply: eq_bigr => z _ /=; rewrite tilted_ch; field.
by rewrite /mean constant_of_ladder; field; rewrite c c'.
Qed.

Lemma moments_of_ladder a b : moments a ladder b = ladder_weight (theta a + b) / ladder_weight (theta a).
Proof.
rewrite /moments mean_of_ladder [ladder_weight (_ + _)]ladder_weightE; congr (_ / _).
by apply: eq_bigr => z _; rewrite -mulrA -expD -mulrDl.
Qed.

(** --- the sum over the rungs --- *)

Section Rungs.
Variables (h t : R).
Let e (v : R) := exp (h * v)%R.
Let at_cos (k : R) : R := (e (k * r)%R * cos (t * (k * r)))%R.
Let at_sin (k : R) : R := (e (k * r)%R * sin (t * (k * r)))%R.
Definition rungs_cos : R := (\sum_(i < n) e (rung i) * cos (t * rung i))%R.
Definition rungs_sin : R := (\sum_(i < n) e (rung i) * sin (t * rung i))%R.

Lemma rungE (i : 'I_n) : rung i + r = (n%:R - i.*2%:R) * r /\ rung i - r = (n%:R - i.+1.*2%:R) * r.
Proof.
by rewrite /rung /= natrB // -!addnn !natrD -addn1 !natrD; split; ring.
Qed.

Let telescoped (g : R -> R) : \sum_(i < n) (g (n%:R - i.*2%:R) - g (n%:R - i.+1.*2%:R)) =
  g n%:R - g (- n%:R)%R.
Proof.
rewrite -(big_mkord xpredT (fun i => g (n%:R - i.*2%:R) - g (n%:R - i.+1.*2%:R))).
have -> : \sum_(0 <= i < n) (g (n%:R - i.*2%:R) - g (n%:R - i.+1.*2%:R)) =
    - \sum_(0 <= i < n) (g (n%:R - i.+1.*2%:R) - g (n%:R - i.*2%:R)).
  by rewrite -sumrN; apply: eq_bigr => i _; rewrite opprB.
rewrite (telescope_sumr (fun i => g (n%:R - i.*2%:R)) (leq0n n)) opprB double0 subr0; congr (_ - g _).
by rewrite -addnn natrD opprD addrA subrr sub0r.
Qed.

(** Times e^{(h + it) r} - e^{-(h + it) r}. *)
Theorem rungs_turned :
  rungs_cos * ((e r - e (- r)%R) * cos (t * r)) - rungs_sin * ((e r + e (- r)%R) * sin (t * r)) =
    (e (n%:R * r)%R - e (- (n%:R * r))%R) * cos (t * (n%:R * r)) /\
  rungs_cos * ((e r + e (- r)%R) * sin (t * r)) + rungs_sin * ((e r - e (- r)%R) * cos (t * r)) =
    (e (n%:R * r)%R + e (- (n%:R * r))%R) * sin (t * (n%:R * r)).
Proof.
have eD v w : e (v + w)%R = e v * e w by rewrite /e mulrDr expD.
split.
  have -> : (e (n%:R * r)%R - e (- (n%:R * r))%R) * cos (t * (n%:R * r)) = at_cos n%:R - at_cos (- n%:R)%R.
    by rewrite /at_cos mulNr mulrN cosN mulrBl.
  rewrite -telescoped /rungs_cos /rungs_sin !mulr_suml -sumrB; apply: eq_bigr => i _.
  have [up down] := rungE i; rewrite /at_cos -up -down !eD !mulrDr !cos_shift mulrN sinN cosN; ring.
have -> : (e (n%:R * r)%R + e (- (n%:R * r))%R) * sin (t * (n%:R * r)) = at_sin n%:R - at_sin (- n%:R)%R.
  by rewrite /at_sin mulNr mulrN sinN mulrN opprK mulrDl.
rewrite -telescoped /rungs_cos /rungs_sin !mulr_suml -big_split; apply: eq_bigr => i _.
have [up down] := rungE i; rewrite /= /at_sin -up -down !eD !mulrDr !sin_shift mulrN sinN cosN; ring.
Qed.
End Rungs.

Lemma rungs_real w : (exp (w * r) - exp (- (w * r))) * (\sum_i exp (w * rung i)) =
  exp (w * (n%:R * r)) - exp (- (w * (n%:R * r))).
Proof.
have c : rungs_cos w 0%R = \sum_i exp (w * rung i).
  by apply: eq_bigr => i _; rewrite mul0r cos_0 mulr1.
have [+ _] := rungs_turned w 0%R; rewrite c !mul0r cos_0 sin_0 !mulr0 subr0 !mulr1 !mulrN.
by rewrite mulrC.
Qed.

Lemma spectrum_of_ladder a t : let h := theta a in
  spectrum a ladder t =
  (((exp (h * A) + exp (- (h * A))) * cos (t * A) + gamma * rungs_cos h t) / ladder_weight h,
   ((exp (h * A) - exp (- (h * A))) * sin (t * A) + gamma * rungs_sin h t) / ladder_weight h)%R.
Proof.
rewrite /spectrum !mean_of_ladder !place_sum /=; congr (_ / _, _ / _).
  rewrite !mul1r !mulrN cosN -mulrDl; congr (_ + _).
  by rewrite /rungs_cos mulr_sumr; apply: eq_bigr => i _; rewrite mulrA.
rewrite !mul1r !mulrN sinN mulrN -mulrBl; congr (_ + _).
by rewrite /rungs_sin mulr_sumr; apply: eq_bigr => i _; rewrite mulrA.
Qed.
End Ladder.
