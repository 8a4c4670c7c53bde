(** 11.7, 11.8 [fourier-upper], [fourier-lower]: a trapezoid sum over the characteristic function
    of the privacy loss of mechanisms that are dominated by pairs of laws, beside Gaussian mechanisms.

    The sum is that of RulesFourier.v, for the law of the sum of all losses ([law_product]): its
    characteristic function is the product of those of the factors ([spectrum_times] in LossLaws.v).  The
    mechanisms' pairs, and a normal pair with the sum of all mu^2, bound every adaptive composition
    ([composition_beside]), so that what bounds their profile proves it private
    ([rule_noise_fourier_upper]); mechanisms with these laws attain it ([rule_noise_fourier_lower]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions Powers RulesGaussian
  RulesMixture RulesProfiles RulesProfileTest CellsOfNormal GaussianComposition DrawnFirst FourierKernel
  TiltedLosses LossLaws RulesFourier.
From ExactDP Require CheckerMixedWorkloads MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A mechanism that a pair dominates, in both directions; or one that is mu-Gaussian DP. *)
Inductive loss_entry :=
| OfLosses of loss_law
| OfGaussian of R.

Definition of_loss_entry (n : loss_entry) (Y : finType) (P Q : Y -> R) : Prop :=
  match n with
  | OfLosses L => [/\ distribution P, distribution Q, dominated_by (pair_of L) P Q & dominated_by (pair_of L) Q P]
  | OfGaussian mu => satisfies G (Gaussian mu) P Q
  end.
Definition loss_composition := composed_of of_loss_entry.

Definition proper_losses (n : loss_entry) : bool := if n is OfGaussian mu then 0 <= mu else true.
Definition laws_of_losses (ns : seq loss_entry) : seq loss_law :=
  pmap (fun n => if n is OfLosses L then Some L else None) ns.
Definition squares (ns : seq loss_entry) : R := (\sum_(n <- ns) (if n is OfGaussian mu then mu ^+ 2 else 0))%R.

(** The divergence of the pair beside two normal laws, with weights. *)
Definition beside_at (mu : R) (L : loss_law) (a b : R) : R :=
  (\sum_z mean_curve mu [::] (a * @chance L z) (b * (@chance L z * exp (- loss z))))%R.

Lemma squares_sum_ge0 ns : 0 <= squares ns.
Proof. by apply: sumr_ge0 => -[L|mu] _; rewrite ?sqr_ge0. Qed.

Lemma of_loss_entry_sym n (Y : finType) (P Q : Y -> R) : of_loss_entry n P Q -> of_loss_entry n Q P.
Proof. by case: n => [L [? ? ? ?]|mu]; [split|exact: satisfies_sym]. Qed.

Lemma loss_composition_sym ns (Y : finType) (P Q : Y -> R) : loss_composition ns P Q -> loss_composition ns Q P.
Proof.
elim=> {ns Y P Q} [|n ns Y Z P Q P' Q' /of_loss_entry_sym h _ IH]; first exact: ComposedNil.
exact: ComposedCons.
Qed.

Lemma profile_beside_at (mu : R) (L : loss_law) x : 0 <= mu -> beside_at mu L 1 (exp x) = profile_beside mu L x.
Proof.
move=> m0; apply: eq_bigr => z _; have p0 := @chance_ge0 L z.
have -> : exp x * (@chance L z * exp (- loss z)) = @chance L z * exp (x - loss z) by rewrite mulrCA -expD.
rewrite mul1r -{1}[chance z]mulr1 mean_curveM ?ler01 ?(ltW (exp_gt0 _)) //.
by rewrite mean_curve_profile // MixtureSums.mean_nil.
Qed.

(** What mechanisms reveal at most, but for failures: their pair, beside two normal laws. *)
Definition beside_losses (ns : seq loss_entry) : R -> R -> R :=
  beside_at (sqrt (squares ns)) (law_product (laws_of_losses ns)).

(** One mechanism before others. *)
Lemma loss_first n ns (Y : finType) (P Q : Y -> R) (a b : R) : proper_losses n -> of_loss_entry n P Q -> 0 <= a -> 0 <= b ->
  \sum_y beside_losses ns (a * P y)%R (b * Q y)%R <= beside_losses (n :: ns) a b.
Proof.
move=> w h a0 b0; rewrite /beside_losses; set mu := sqrt (squares ns); set L := law_product (laws_of_losses ns).
have mu0 : 0 <= mu by exact/RleP/sqrt_pos.
have [dP dQ] : distribution P /\ distribution Q by case: n h {w} => [M|m] [].
have [[P0 _] [Q0 _]] := (dP, dQ).
case: n h w => [M [_ _ dom _] _|m h m0].
  rewrite /squares big_cons add0r -/(squares ns) -/mu /laws_of_losses /= -/(laws_of_losses ns) -/L.
  rewrite /beside_at exchange_big /= -(pair_bigA _ (fun y z => mean_curve mu [::]
    (a * (@chance M y * @chance L z)) (b * (@chance M y * @chance L z * exp (- (loss y + loss z)))))) /=.
  rewrite [X in _ <= X]exchange_big; apply: ler_sum => z _ /=.
  have p0 := @chance_ge0 L z; have q0 : 0 <= @chance L z * exp (- loss z).
    by rewrite mulr_ge0 // ltW // exp_gt0.
  have [_ cov] := dom.
  have step := limit_monotone (mean_curve_limit mu0 [::]) dP dQ (@reversed_ge0 M)
    (fun c d c0 d0 => hockey_stick_weights (proj1 dom) cov c0 d0) (mulr_ge0 a0 p0) (mulr_ge0 b0 q0).
  apply: le_trans (le_trans _ step) _; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => y _.
    by rewrite /=; congr NormalCurve.curve; exact: mulrAC.
  rewrite /=; congr NormalCurve.curve; rewrite -[LHS]mulrA; congr (_ * _); first exact: mulrC.
  by rewrite mulrC mulrACA -expD opprD.
rewrite /squares big_cons -/(squares ns) /laws_of_losses /= -/(laws_of_losses ns) -/L.
have -> : sqrt (m ^+ 2 + squares ns) = NormalPairs.both m mu.
  rewrite /NormalPairs.both /mu sqrt_sqrt; last exact/RleP/squares_sum_ge0.
  by rewrite expr2.
rewrite /beside_at exchange_big; apply: ler_sum => z _ /=.
have p0 := @chance_ge0 L z; have q0 : 0 <= @chance L z * exp (- loss z).
  by rewrite mulr_ge0 // ltW // exp_gt0.
have step := mean_curve_gaussian [::] m0 mu0 dP dQ (weights_of_gaussian m0 h) (mulr_ge0 a0 p0) (mulr_ge0 b0 q0).
apply: le_trans (le_trans _ step) (lexx _); rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => y _.
by rewrite /=; congr NormalCurve.curve; exact: mulrAC.
Qed.

Lemma beside_none (a b : R) : beside_losses [::] a b = pos (a - b).
Proof.
rewrite /beside_losses /beside_at /laws_of_losses /= sum_unit /= oppr0 exp_0 !mulr1 /squares big_nil sqrt_0.
exact: curve_of_0.
Qed.

Theorem composition_beside ns (Y : finType) (P Q : Y -> R) : all proper_losses ns -> loss_composition ns P Q ->
  forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= beside_losses ns a b.
Proof.
move=> W C; elim: C W => {ns Y P Q} [_|n ns Y Z P Q P' Q' h _ IH /andP[w W]] a b a0 b0.
  by rewrite beside_none /hockey_stick big_const card_unit /= addr0 !mulr1.
have [[P0 _] [Q0 _]] : distribution P /\ distribution Q by case: n h {w} => [M|m] [].
apply: le_trans (loss_first ns w h a0 b0).
by rewrite hockey_stick_product; apply: ler_sum => y _; apply: IH => //; rewrite mulr_ge0.
Qed.

Lemma beside_monotone (mu mu' : R) (L : loss_law) x : 0 <= mu -> mu <= mu' ->
  profile_beside mu L x <= profile_beside mu' L x.
Proof.
move=> m0 le; apply: ler_sum => z _; apply: ler_wpmul2l; first exact: chance_ge0.
exact: CheckerMixedWorkloads.G_monotone.
Qed.

(** 11.7, without failures; mu from above. *)
Theorem rule_noise_fourier_upper (a s d : R) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R)
    ns (mu x delta : R) : 0 < a -> 0 < d -> 0 <= s -> s <= 1 -> all proper_losses ns -> sqrt (squares ns) <= mu ->
  let L := law_product (laws_of_losses ns) in
  swept a s mu d L last kept small charge -> counts_all_periods a s mu d tangent ->
  from_above a s d last kept charge mu L x <= delta ->
  forall (Y : finType) (P Q : Y -> R), loss_composition ns P Q -> indistinguishable (exp x) delta P Q.
Proof.
move=> a0 d0 s0 s1 W le L h above check Y P Q C.
have m0 : 0 <= sqrt (squares ns) by exact/RleP/sqrt_pos.
have half (S T : Y -> R) : loss_composition ns S T -> hockey_stick 1 (exp x) S T <= delta.
  move=> B; apply: le_trans (composition_beside W B ler01 (ltW (exp_gt0 x))) _.
  rewrite /beside_losses profile_beside_at //; apply: le_trans (beside_monotone _ _ m0 le) (le_trans _ check).
  exact: mean_from_above (le_trans m0 le) h above.
by split; apply/events_hockey_stick; apply: half => //; exact: loss_composition_sym.
Qed.

(** 11.8, for mechanisms that have these laws. *)
Theorem rule_noise_fourier_lower (a s d : R) (last : nat) (kept : pred nat) (small : nat -> R) (charge : R)
    Ls (l r x delta : R) : 0 < a -> 0 < d -> 0 <= s -> s <= 1 -> a + 1 <= l -> 0 < r ->
  let L := law_product Ls in
  swept a s 0 d L last kept small charge -> counts_no_more a s 0 d (parabola s) ->
  delta < from_below a s d last kept charge 0 l r L x ->
  exists (Y : finType) (P Q : Y -> R), dominated_composition [seq pair_of M | M <- Ls] P Q /\
  ~ indistinguishable (exp x) delta P Q.
Proof.
move=> a0 d0 s0 s1 al r0 L h below check; set D := product_pair [seq pair_of M | M <- Ls].
exists (outputs D), (@first_law _ D), (@second_law _ D); split; first exact: product_composes.
case=> /events_hockey_stick; rewrite -/(at_weights D 1 (exp x)) -at_law_product -profile_of_pair => le _.
move: check; rewrite ltNge => /negP; apply; apply: le_trans le.
exact: (mean_from_below a0 d0 s0 s1 x (lexx 0) al r0 h below).
Qed.
