(** Gaussian mechanisms compose, and with randomized responses beside them: [gaussian_composes], proved
    for mechanisms with finitely many outputs.  The mean of the curve over the losses of randomized responses is a limit of divergences of
    finite pairs; so each mechanism may be replaced by what dominates it (CellsOfNormal.v). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Losses Domination Reals Rules Notions Failures.
From ExactDP Require Import NotionsTrivial Moments RulesGaussian NormalCurve NormalPairs CellsOfNormal.
From ExactDP Require Import Bracket.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** One randomized response without failures, as a pair on booleans. *)
Definition response (E : R) (truth : bool) : R := ((if truth then E else 1) / (1 + E))%R.
Global Arguments response _%R _.

Lemma response_ge0 (E : R) : 0 <= E -> nonnegative_laws (response E) (fun t => response E (~~ t)).
Proof.
move=> E0; have h t : 0 <= response E t.
  by rewrite /response divr_ge0 ?addr_ge0 ?ler01 //; case: t; rewrite ?ler01.
by move=> t; split; exact: h.
Qed.

Lemma sum_bool (F : bool -> R) : \sum_t F t = F true + F false.
Proof. exact: big_bool. Qed.

Lemma dominated_by_response (x : R) (Y : finType) (P Q : Y -> R) : 0 <= x -> dp_pair (exp x) 0 P Q ->
  forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= hockey_stick a b (response (exp x)) (fun t => response (exp x) (~~ t)).
Proof.
move=> x0 h a b a0 b0; have E1 : 1 <= exp x by rewrite exp_ge1.
apply: le_trans (rr_dominates E1 (lexx 0) ler01 h a0 b0) _.
have c0 : 0 <= (1 + exp x)^-1 by rewrite invr_ge0 addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
rewrite hockey_stick_rr ?ler01 ?lexx ?(ltW (exp_gt0 _)) // mulr0 add0r subr0 div1r mulrDr -!posM //.
rewrite /hockey_stick sum_bool /response /= !div1r.
have -> : (1 + exp x)^-1 * (a * exp x - b) = a * (exp x / (1 + exp x)) - b / (1 + exp x).
  by rewrite mulrBr; congr (_ - _); rewrite mulrC // mulrA.
have -> : (1 + exp x)^-1 * (a - b * exp x) = a / (1 + exp x) - b * (exp x / (1 + exp x)).
  by rewrite mulrBr; congr (_ - _); rewrite mulrC // mulrA.
exact: lexx.
Qed.

(** The mean of the curve. *)
Fixpoint mean_curve (mu : R) (xs : seq R) (a b : R) : R :=
  if xs is x :: xs' then
    (\sum_t mean_curve mu xs' (a * response (exp x) t)%R (b * response (exp x) (~~ t))%R)%R
  else curve mu a b.
Global Arguments mean_curve _%R _ _%R _%R.

Section Mean.
Variable mu : R.
Hypothesis mu0 : 0 <= mu.

Lemma response_bounds (x c : R) t : 0 <= c -> 0 <= c * response (exp x) t.
Proof. by move=> c0; rewrite mulr_ge0 //; case: (response_ge0 (ltW (exp_gt0 x)) t). Qed.

Lemma response_sum (x : R) : \sum_t response (exp x) t = 1.
Proof.
by rewrite sum_bool /response -mulrDl addrC divff // gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
Qed.

Lemma response_sumN (x : R) : \sum_t response (exp x) (~~ t) = 1.
Proof. by rewrite -(response_sum x) !sum_bool addrC. Qed.

Lemma mean_curve_limit xs : limit_of_pairs (mean_curve mu xs).
Proof.
elim: xs => [|x xs IH] tau t0; first exact: limit_curve.
have [D h] := IH tau t0; have R0 := response_ge0 (ltW (exp_gt0 x)).
pose D' := FinitePair (product_ge0 R0 (@laws_ge0 _ D)); exists D' => a b a0 b0; cbv zeta.
have -> : hockey_stick a b (@first_law _ D') (@second_law _ D') =
    \sum_t hockey_stick (a * response (exp x) t) (b * response (exp x) (~~ t)) (@first_law _ D) (@second_law _ D).
  exact: (hockey_stick_product (response (exp x)) (fun t => response (exp x) (~~ t)) (fun=> @first_law _ D)
    (fun=> @second_law _ D)).
rewrite /=.
have {}h t := h _ _ (response_bounds x t a0) (response_bounds x (~~ t) b0).
apply/andP; split; first by apply: ler_sum => t _; case/andP: (h t).
apply: (@le_trans _ _ (\sum_t (hockey_stick (a * response (exp x) t) (b * response (exp x) (~~ t))
   (@first_law _ D) (@second_law _ D) + tau * (a * response (exp x) t + b * response (exp x) (~~ t))))).
  by apply: ler_sum => t _; case/andP: (h t).
by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr response_sum response_sumN !mulr1.
Qed.

Lemma mean_curve_ge xs (a b : R) : 0 <= a -> 0 <= b -> pos (a - b) <= mean_curve mu xs a b.
Proof.
elim: xs a b => [|x xs IH] a b a0 b0 /=; first by apply: pos_le; [exact: curve_ge|exact: curve_ge0].
apply: (@le_trans _ _ (\sum_t pos (a * response (exp x) t - b * response (exp x) (~~ t)))).
  apply: pos_le; last by apply: sumr_ge0 => t _; exact: pos_ge0.
  apply: (@le_trans _ _ (\sum_t (a * response (exp x) t - b * response (exp x) (~~ t)))).
    by rewrite sumrB -!mulr_sumr response_sum response_sumN !mulr1.
  by apply: ler_sum => t _; exact: le_pos.
by apply: ler_sum => t _; apply: IH; exact: response_bounds.
Qed.

Lemma mean_curveM xs (c a b : R) : 0 <= c -> 0 <= a -> 0 <= b ->
  mean_curve mu xs (c * a) (c * b) = c * mean_curve mu xs a b.
Proof.
move=> c0; elim: xs a b => [|x xs IH] a b a0 b0 /=; first exact: curveM.
by rewrite mulr_sumr; apply: eq_bigr => t _; rewrite -!mulrA IH // response_bounds.
Qed.

Lemma mean_curve_total xs (a b : R) : mean_curve mu xs a b =
  total forget tt (responses xs) (fun p q _ => curve mu (a * p) (b * q)).
Proof.
elim: xs a b => [|x xs IH] a b /=; first by rewrite !mulr1.
rewrite sum_bool !big_cons big_nil addr0 !IH /=.
by congr (_ + _); apply: eq_total => p q _; rewrite /response /= !mulrA.
Qed.

Lemma mean_curve_permutation xs xs' (a b : R) : perm_eq xs xs' -> mean_curve mu xs a b = mean_curve mu xs' a b.
Proof. by move=> p; rewrite !mean_curve_total; apply: total_perm => //; [case|exact: perm_map]. Qed.

(** The mean of the profile. *)
Lemma mean_curve_profile xs (e : R) : mean_curve mu xs 1 (exp e) = mean_profile mu xs e.
Proof.
rewrite /mean_profile.
suff h : forall a b : R, 0 < a -> 0 < b -> mean_curve mu xs a (exp e * b) =
    total forget tt (responses xs) (fun p q _ => a * p * G mu (e - ln (a * p / (b * q))%R)).
  rewrite -[exp e]mulr1 h ?ltr01 //; apply: eq_total => p q _; by rewrite !mul1r.
elim: xs => [|x xs IH] a b a0 b0 /=.
  rewrite !mulr1 curve_profile ?mulr_gt0 ?exp_gt0 //; congr (_ * G mu _).
  have -> : exp e * b / a = exp (e - ln (a / b)%R) by rewrite expD expN lnK ?divr_gt0 // invf_div mulrA.
  exact: ln_exp.
have r0 t : 0 < response (exp x) t.
  by rewrite /response divr_gt0 ?addr_gt0 ?ltr01 ?exp_gt0 //; case: t; rewrite ?exp_gt0 ?ltr01.
have step t : mean_curve mu xs (a * response (exp x) t) (exp e * b * response (exp x) (~~ t)) =
    total forget tt (responses xs) (fun p q _ => a * (response (exp x) t * p) *
      G mu (e - ln (a * (response (exp x) t * p) / (b * (response (exp x) (~~ t) * q)))%R)).
  rewrite -mulrA (IH _ _ (mulr_gt0 a0 (r0 t)) (mulr_gt0 b0 (r0 (~~ t)))).
  by apply: eq_total => p q _; rewrite !mulrA.
rewrite sum_bool !step; rewrite /rr_atoms; rewrite big_cons big_cons big_nil addr0; by [].
Qed.

End Mean.

Lemma mean_curve_gaussian (mu1 mu2 : R) xs (Y : finType) (P Q : Y -> R) : 0 <= mu1 -> 0 <= mu2 ->
  distribution P -> distribution Q ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= curve mu1 a b) ->
  forall a b : R, 0 <= a -> 0 <= b ->
  \sum_y mean_curve mu2 xs (a * P y) (b * Q y) <= mean_curve (both mu1 mu2) xs a b.
Proof.
move=> m1 m2 dP dQ dom; elim: xs => [|x xs IH] a b a0 b0 /=; first exact: curve_composes.
rewrite exchange_big /=; apply: ler_sum => t _.
under eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
by apply: IH; exact: response_bounds.
Qed.

(** --- the mechanisms of a list --- *)

Definition domination_of (ns : seq notion) : R -> R -> R := mean_curve (total_mu square ns) (epsilons_of ns).
Global Arguments domination_of _ _%R _%R.

Lemma total_mu_ge0 ns : 0 <= total_mu square ns.
Proof. exact/RleP/sqrt_pos. Qed.

Lemma squares_ge0 ns : 0 <= \sum_(n <- ns) square n.
Proof. by apply: sumr_ge0 => n _; case: n => [x d|mu|rho] //=; exact: sqr_ge0. Qed.

Lemma weights_of_gaussian (mu : R) (Y : finType) (P Q : Y -> R) : 0 <= mu -> satisfies G (Gaussian mu) P Q ->
  forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= curve mu a b.
Proof.
move=> m0 [[P0 P1] [Q0 Q1] h] a b; rewrite le_eqVlt => /predU1P[<-|a0].
  move=> b0; apply: le_trans (curve_ge0 _ _ _); rewrite /hockey_stick big1 // => y _.
  by rewrite mul0r sub0r pos_0 // oppr_le0 mulr_ge0.
rewrite le_eqVlt => /predU1P[<-|b0].
  apply: le_trans (curve_ge mu (ltW a0) (lexx 0)); rewrite subr0 /hockey_stick.
  under eq_bigr do rewrite mul0r subr0 pos_id ?mulr_ge0 ?(ltW a0) //.
  by rewrite -mulr_sumr P1 mulr1.
rewrite curve_profile //; have /events_hockey_stick := (h (ln (b / a)%R)).1.
rewrite lnK ?divr_gt0 // => le.
have -> : hockey_stick a b P Q = a * hockey_stick 1 (b / a) P Q.
  by rewrite -(hockey_stickM _ _ _ _ (ltW a0)) mulr1 mulrC divfK ?gt_eqF.
by rewrite ler_pmul2l.
Qed.

(** One mechanism before those of a list. *)
Lemma domination_step n ns (Y : finType) (P Q : Y -> R) : proper_notion n -> ~~ concentrated n ->
  satisfies G (unfailing n) P Q -> forall a b : R, 0 <= a -> 0 <= b ->
  \sum_y domination_of ns (a * P y) (b * Q y) <= domination_of (n :: ns) a b.
Proof.
rewrite /domination_of /total_mu big_cons; case: n => [x d|mu|rho] w c h a b a0 b0 /=.
- rewrite add0r; have [dP dQ i] := h; case/and3P: w => x0 _ _.
  apply: (limit_monotone (mean_curve_limit (total_mu_ge0 ns) (epsilons_of ns)) dP dQ
    (response_ge0 (ltW (exp_gt0 x)))) => // a' b'.
  by apply: dominated_by_response => //; split.
- have [dP dQ _] := h.
  have := mean_curve_gaussian (epsilons_of ns) w (total_mu_ge0 ns) dP dQ (weights_of_gaussian w h) a0 b0.
  rewrite /both /total_mu sqrt_sqrt; last exact/RleP/squares_ge0.
  by rewrite RmultE RplusE -expr2.
have [dP dQ i] : satisfies G (Approximate 0 0) P Q.
  by apply: (@trivial_dp (Concentrated rho)) => //=; move: c => /=; rewrite negbK.
rewrite add0r.
have -> : mean_curve (sqrt (\sum_(n <- ns) square n)%R) (epsilons_of ns) a b =
    \sum_(u : unit) domination_of ns (a * (fun=> 1) u) (b * (fun=> 1) u).
  by rewrite big_const card_unit /= addr0 !mulr1.
apply: (limit_monotone (mean_curve_limit (total_mu_ge0 ns) (epsilons_of ns)) dP dQ (@unit_ge0 _)) => // a' b' a'0 b'0.
apply: le_trans (rr_dominates _ (lexx 0) ler01 (DpPair dP dQ i) a'0 b'0) _; first by rewrite exp_0.
rewrite exp_0 hockey_stick_rr ?ler01 ?lexx // mulr0 add0r subr0 mulr1 !mulr1 /hockey_stick big_const card_unit /= addr0 !mulr1.
set p := pos _; have two : 1 + 1 != 0 :> R by rewrite gt_eqF // addr_gt0 ?ltr01.
by have -> : 1 / (1 + 1) * (p + p) = p by field.
Qed.

Theorem gaussian_composes_holds : gaussian_composes.
Proof.
move=> ns Y P Q e W below C; rewrite -mean_curve_profile ?total_mu_ge0 //.
suff h : forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= domination_of ns a b.
  by apply: h; rewrite ?ler01 // ltW ?exp_gt0.
move E : [seq unfailing n | n <- ns] C => ns' C.
elim: C ns W below E => {ns' Y P Q} [|n' ns' Y Z P Q P' Q' h _ IH] [|n ns] //=.
  move=> _ _ _ a b a0 b0; apply: le_trans (mean_curve_ge (total_mu square [::]) [::] a0 b0).
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
case/andP=> w W /andP[c below] [en E] a b a0 b0; rewrite hockey_stick_product.
have h' : satisfies G (unfailing n) P Q by rewrite en.
have [[P0 _] [Q0 _] _] := h; apply: le_trans (domination_step ns w c h' a0 b0).
by apply: ler_sum => y _; apply: IH => //; rewrite mulr_ge0.
Qed.
