(** Gaussian mechanisms, and randomized responses that fail, do as badly as the formula says:
    [gaussian_attains], proved by cells of the normal distribution (CellsOfNormal.v), which are finite
    mechanisms.  Those given by rho are cells of the law with mu^2 = 2 rho ([gaussian_concentrated]). *)
From Coq Require Import Reals Lra Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Domination Reals Rules Notions Failures.
From ExactDP Require Import RulesGaussian ConcentratedGaussian CellsOfNormal GaussianComposition.
From ExactDP Require Import NormalCurve NormalPairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma mean_curve_near (mu mu1 tau : R) xs (Y : finType) (P Q : Y -> R) :
  (forall a b : R, 0 <= a -> 0 <= b -> curve mu a b <= \sum_y curve mu1 (a * P y) (b * Q y) + tau * (a + b)) ->
  forall a b : R, 0 <= a -> 0 <= b ->
  mean_curve mu xs a b <= \sum_y mean_curve mu1 xs (a * P y) (b * Q y) + tau * (a + b).
Proof.
move=> h; elim: xs => [|x xs IH] a b a0 b0 /=; first exact: h.
apply: le_trans (ler_sum _ (fun t _ => IH _ _ (response_bounds x t a0) (response_bounds x (~~ t) b0))) _.
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr response_sum response_sumN !mulr1 ler_add2r.
rewrite [X in _ <= X]exchange_big /=; apply: ler_sum => t _.
by under eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
Qed.

(** The formula with weights, failures included. *)
Definition attained (ns : seq notion) (a b : R) : R :=
  (a * (1 - mixed_kept ns) + mixed_kept ns * mean_curve (total_mu square_below ns) (epsilons_of ns) a b)%R.
Global Arguments attained _ _%R _%R.

Lemma squares_below_ge0 ns : all proper_notion ns -> 0 <= \sum_(n <- ns) square_below n.
Proof.
elim: ns => [|n ns IH] /=; first by rewrite big_nil.
case/andP=> w /IH h; rewrite big_cons addr_ge0 //; case: n w => [x d|mu|rho] //= w; first exact: sqr_ge0.
by rewrite mulrn_wge0.
Qed.

Lemma below_ge0 ns : 0 <= total_mu square_below ns.
Proof. exact/RleP/sqrt_pos. Qed.

Lemma mixed_kept_le1 ns : all proper_notion ns -> mixed_kept ns <= 1.
Proof.
rewrite /mixed_kept; elim: ns => [|n ns IH] /=; first by rewrite big_nil.
case/andP=> w W; rewrite big_cons; have /andP[k0 k1] := failure_bounds w.
by rewrite mulr_ile1 // ?IH // ltW //; exact: mixed_kept_gt0 W.
Qed.

(** Cells beside a list. *)
Lemma noise_attains n ns (mu tau : R) : proper_notion n -> all proper_notion ns -> failure n = 0 ->
  epsilons_of (n :: ns) = epsilons_of ns -> square_below n = mu ^+ 2 -> 0 <= mu -> 0 < tau ->
  (forall (Y : finType) (P Q : Y -> R), satisfies G (Gaussian mu) P Q -> satisfies G n P Q) ->
  exists (Y : finType) (P Q : Y -> R), satisfies G n P Q /\ forall a b : R, 0 <= a -> 0 <= b ->
  attained (n :: ns) a b <= \sum_y attained ns (a * P y) (b * Q y) + tau * (a + b).
Proof.
move=> w W f e s m0 t0 sat; have [t [k [g h]]] := cells_near m0 t0.
exists _, (pair_cells t k mu), (pair_cells t k 0); split; first by apply: sat; exact: cells_satisfy.
have [[_ P1] _] := (pair_cells_distribution k mu g, tt).
move=> a b a0 b0; rewrite /attained /mixed_kept big_cons f subr0 mul1r e -/(mixed_kept ns).
have k0 := ltW (mixed_kept_gt0 W); have k1 := mixed_kept_le1 W.
rewrite big_split /= -mulr_suml -mulr_sumr P1 mulr1 -addrA ler_add2l -mulr_sumr.
have -> : total_mu square_below (n :: ns) = both (total_mu square_below ns) mu.
  rewrite /both /total_mu sqrt_sqrt; last exact/RleP/squares_below_ge0.
  by rewrite big_cons s addrC RmultE RplusE -expr2.
have := mean_curve_near (epsilons_of ns) (fun a b a0 b0 => h _ a b (below_ge0 ns) a0 b0) a0 b0.
move/(ler_wpmul2l k0) => le; apply: le_trans le _; rewrite mulrDr ler_add2l.
by rewrite ler_pimull // mulr_ge0 ?addr_ge0 // ltW.
Qed.

(** A randomized response beside a list. *)
Lemma mixture (a d k m : R) :
  (a * (1 - (1 - d) * k) + (1 - d) * k * m = a * (1 - k) + k * (a * d + 0 + (1 - d) * m))%R.
Proof. by ring. Qed.

Lemma response_attains (x d : R) ns (a b : R) : 0 <= x -> 0 <= d < 1 -> all proper_notion ns ->
  0 <= a -> 0 <= b -> attained (Approximate x d :: ns) a b <=
  \sum_y attained ns (a * rr0 (exp x) d y) (b * rr1 (exp x) d y).
Proof.
move=> x0 /andP[d0 d1] W a0 b0; set E := exp x.
have E0 : 0 <= E by exact: ltW (exp_gt0 x).
have [[_ P1] _] := distribution_rr E0 d0 (ltW d1).
have k0 := ltW (mixed_kept_gt0 W); have c0 : 0 <= 1 - d by rewrite subr_ge0 ltW.
rewrite /attained big_split /= -mulr_suml -mulr_sumr P1 mulr1 -mulr_sumr.
rewrite /mixed_kept big_cons /= -/(mixed_kept ns) /total_mu big_cons add0r -/(total_mu square_below ns).
set mu := total_mu square_below ns; set K := mixed_kept ns; set xs := epsilons_of ns.
have m0 : 0 <= mu := below_ge0 ns.
have sum : \sum_(y < 4) mean_curve mu xs (a * rr0 E d y) (b * rr1 E d y) =
    mean_curve mu xs (a * d) (b * 0) + mean_curve mu xs (a * ((1 - d) * E / (1 + E))) (b * ((1 - d) / (1 + E)))
    + mean_curve mu xs (a * ((1 - d) / (1 + E))) (b * ((1 - d) * E / (1 + E)))
    + mean_curve mu xs (a * 0) (b * d).
  by rewrite !big_ord_recl big_ord0 /rr0 /rr1 /= addr0 !addrA.
have truth : mean_curve mu xs (a * ((1 - d) * E / (1 + E))) (b * ((1 - d) / (1 + E))) +
    mean_curve mu xs (a * ((1 - d) / (1 + E))) (b * ((1 - d) * E / (1 + E))) =
    (1 - d) * mean_curve mu (x :: xs) a b.
  rewrite /= sum_bool mulrDr -!mean_curveM ?response_bounds // /response /=.
  by congr (mean_curve _ _ _ _ + mean_curve _ _ _ _); rewrite -?mulrA mulrCA ?div1r.
have fail : a * d <= mean_curve mu xs (a * d) (b * 0).
  rewrite mulr0; apply: le_trans (mean_curve_ge mu xs (mulr_ge0 a0 d0) (lexx 0)).
  by rewrite subr0 le_pos.
have fail' : 0 <= mean_curve mu xs (a * 0) (b * d).
  by rewrite mulr0; apply: le_trans (mean_curve_ge mu xs (lexx 0) (mulr_ge0 b0 d0)); exact: pos_ge0.
set M0 := mean_curve mu xs (a * d) _ in fail sum *; set M3 := mean_curve mu xs (a * 0) _ in fail' sum *.
have -> : \sum_(y < 4) mean_curve mu xs (a * rr0 E d y) (b * rr1 E d y) =
    M0 + M3 + (1 - d) * mean_curve mu (x :: xs) a b.
  by rewrite sum -truth [RHS]addrAC !addrA.
apply: (@le_trans _ _ (a * (1 - K) + K * (a * d + 0 + (1 - d) * mean_curve mu (x :: xs) a b))).
  by rewrite mixture.
by rewrite ler_add2l ler_wpmul2l // ler_add2r ler_add.
Qed.

Lemma attained_composed n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) (sigma tau a b : R) :
  distribution P -> distribution Q -> 0 <= a -> 0 <= b ->
  attained (n :: ns) a b <= \sum_y attained ns (a * P y) (b * Q y) + sigma * (a + b) ->
  (forall a b : R, 0 <= a -> 0 <= b -> attained ns a b <= hockey_stick a b P' Q' + tau * (a + b)) ->
  attained (n :: ns) a b <= hockey_stick a b (fun p : Y * Z => P p.1 * P' p.2) (fun p => Q p.1 * Q' p.2) +
    (sigma + tau) * (a + b).
Proof.
move=> [P0 P1] [Q0 Q1] a0 b0 first rest; apply: le_trans first _.
have -> : hockey_stick a b (fun p : Y * Z => P p.1 * P' p.2) (fun p => Q p.1 * Q' p.2) =
    \sum_y hockey_stick (a * P y) (b * Q y) P' Q'.
  exact: (hockey_stick_product P Q (fun=> P') (fun=> Q')).
rewrite mulrDl addrA addrAC ler_add2r.
apply: (@le_trans _ _ (\sum_y (hockey_stick (a * P y) (b * Q y) P' Q' + tau * (a * P y + b * Q y)))).
  by apply: ler_sum => y _; apply: rest; rewrite mulr_ge0.
by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1.
Qed.

Lemma composition_attains ns : all proper_notion ns -> forall tau : R, 0 < tau ->
  exists (Y : finType) (P Q : Y -> R), mixed_composition G ns P Q /\ forall a b : R, 0 <= a -> 0 <= b ->
  attained ns a b <= hockey_stick a b P Q + tau * (a + b).
Proof.
elim: ns => [_ tau t0|n ns IH /= /andP[w W] tau t0].
  exists _, (fun _ : unit => 1), (fun=> 1); split=> [|a b a0 b0]; first exact: MixedNil.
  rewrite /attained /mixed_kept /total_mu !big_nil subrr mulr0 add0r mul1r /= sqrt_0 curve_of_0.
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1 ler_addl mulr_ge0 ?addr_ge0 // ltW.
have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [Z [P' [Q' [C rest]]]] := IH W _ h0.
have half : tau / 2%:R + tau / 2%:R = tau by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0.
suff [Y [P [Q [s first]]]] : exists (Y : finType) (P Q : Y -> R), satisfies G n P Q /\
    forall a b : R, 0 <= a -> 0 <= b ->
    attained (n :: ns) a b <= \sum_y attained ns (a * P y) (b * Q y) + tau / 2%:R * (a + b).
  have [dP dQ _] := s; exists _, (fun p : Y * Z => P p.1 * P' p.2), (fun p => Q p.1 * Q' p.2); split.
    exact: (@MixedCons G n ns Y Z P Q (fun=> P') (fun=> Q')).
  move=> a b a0 b0; rewrite -half; exact: attained_composed (first a b a0 b0) rest.
case: n w => [x d|mu|rho] w.
- case/andP: w => x0 d01; exists _, (rr0 (exp x) d), (rr1 (exp x) d); split.
    have [/andP[d0 d1] E0] := (d01, ltW (exp_gt0 x)); have [p q] := distribution_rr E0 d0 (ltW d1).
    by split=> //; apply: indistinguishable_rr => //; [rewrite exp_ge1|exact: ltW].
  move=> a b a0 b0; apply: le_trans (response_attains x0 d01 W a0 b0) _.
  by rewrite ler_addl mulr_ge0 ?addr_ge0 // ltW.
- by apply: (noise_attains (mu := mu)).
have r0 : 0 <= rho *+ 2 by rewrite mulrn_wge0.
have sq : (sqrt (rho *+ 2)%R) ^+ 2 = rho *+ 2 by rewrite expr2 -RmultE sqrt_sqrt //; exact/RleP.
apply: (noise_attains (mu := sqrt (rho *+ 2)%R)) => //; first exact/RleP/sqrt_pos.
have m0 : 0 <= sqrt (rho *+ 2)%R by exact/RleP/sqrt_pos.
have two : rho *+ 2 / 2%:R = rho by rewrite -[rho *+ 2]mulr_natr mulfK // pnatr_eq0.
move=> Y P Q h; have {}h := gaussian_concentrated m0 h; rewrite sq two in h; exact: h.
Qed.

Theorem gaussian_attains_holds : gaussian_attains.
Proof.
move=> ns e d W; rewrite -mean_curve_profile ?below_ge0 // => gap.
have k0 := mixed_kept_gt0 W.
have {}gap : d < attained ns 1 (exp e).
  move: gap; rewrite /mixed_slack /attained mul1r -(ltr_pmul2l k0) mulrBr mulr1 mulrCA divff ?gt_eqF // mulr1.
  by rewrite ltr_subl_addr => h; rewrite -subr_gt0; move: h; rewrite -subr_gt0; congr (0 < _); ring.
have c0 : 0 < 1 + exp e by rewrite addr_gt0 ?ltr01 ?exp_gt0.
have t0 : 0 < (attained ns 1 (exp e) - d) / 2%:R / (1 + exp e).
  by rewrite !divr_gt0 ?subr_gt0 // ltr0n.
have [Y [P [Q [C h]]]] := composition_attains W t0.
exists ns; split; first exact: Permutation_refl.
exists Y, P, Q; split=> // -[/events_hockey_stick le _].
have := h 1 (exp e) ler01 (ltW (exp_gt0 e)); rewrite divfK ?gt_eqF // => /le_trans.
move=> /(_ (d + (attained ns 1 (exp e) - d) / 2%:R)); rewrite ler_add2r => /(_ le).
rewrite leNgt -subr_lt0 => /negP; apply.
have -> : d + (attained ns 1 (exp e) - d) / 2%:R - attained ns 1 (exp e) =
    - ((attained ns 1 (exp e) - d) / 2%:R) by field.
by rewrite oppr_lt0 divr_gt0 ?subr_gt0 // ltr0n.
Qed.
