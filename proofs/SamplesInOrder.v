(** Which samples reveal less than which (SPEC, 7.6), for mechanisms with finitely many outputs: one of a
    lesser rate and a lesser noise ([samples_in_order]), and any less than the whole ([sample_of_whole],
    [mixed_rows_in_order]).

    That a curve is convex is not asked: the profile of the sample itself is. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Moments Notions RulesGaussian RulesNoiseRenyi.
From ExactDP Require Import OrderOfWorkloads CheckerMixedWorkloads NormalCurve CellsOfNormal RangePairs NoiseLedgers NoiseOrder SampledPairs DiscreteGaussian BellsInOrder BellPairs.
From ExactDP Require ProfileReflection.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- curves --- *)

Definition curve_fit (c : noise_curve) : Prop :=
  match c with
  | NormalCurve mu => 0 <= mu
  | LaplaceCurve a => 0 <= a
  | RangeCurve e => 0 < e
  | ShiftCurve decay shift => 0 < decay /\ (0 < shift)%N
  | BellCurve v _ => 0 < v
  | ByCurves _ _ => False
  end.
Definition curve_at_most (c c' : noise_curve) : Prop :=
  match c, c' with
  | NormalCurve mu, NormalCurve mu' => mu <= mu'
  | LaplaceCurve a, LaplaceCurve a' => a <= a'
  | RangeCurve e, RangeCurve e' => e <= e'
  | ShiftCurve decay shift, ShiftCurve decay' shift' => decay <= decay' /\ (shift <= shift')%N
  | BellCurve v shift, BellCurve v' shift' => v = v' /\ (shift <= shift')%N
  | _, _ => False
  end.

Lemma equals_profile (Y : finType) (P : Y -> R) (y : R) : distribution P -> hockey_stick 1 y P P = pos (1 - y).
Proof.
move=> [P0 P1]; rewrite /hockey_stick; under eq_bigr => z _ do rewrite -mulrBl mulrC posM //.
by rewrite -mulr_suml P1 mul1r.
Qed.

Lemma laplace_at_least (a l : R) : 0 <= a -> pos (1 - exp l) <= laplace_curve a l.
Proof.
move=> a0; apply: le_trans (laplace_in_order l (lexx 0) a0); rewrite /laplace_curve oppr0.
case: (ltP l 0) => l0; first by rewrite pos_id // subr_ge0 -[X in _ <= X]exp_0 exp_le ltW.
rewrite pos_0; last by rewrite subr_le0 exp_ge1.
case: (leP l 0) => // l0'; have -> : l = 0 by apply/le_anti; rewrite l0 l0'.
by rewrite addr0 mul0r exp_0 subrr.
Qed.

Lemma equals_least (Y Z : finType) (P : Y -> R) (S T : Z -> R) : distribution P -> distribution S ->
  distribution T -> nowhere_above P P S T.
Proof.
move=> dP [_ S1] [_ T1] y y0; rewrite equals_profile // pos_le ?hockey_stick_ge0 //.
have -> : 1 - y = \sum_j (S j - y * T j) by rewrite sumrB -mulr_sumr S1 T1 mulr1.
by apply: ler_sum => j _; rewrite mul1r; exact: le_pos.
Qed.

Lemma equals_below_curve c (y : R) : curve_fit c -> 0 < y -> pos (1 - y) <= curve_at c y.
Proof.
move=> ok y0; have one := distribution_unit; rewrite -(equals_profile y one).
have [[mu m0 e]|h] : (exists2 mu, 0 <= mu & c = NormalCurve mu) \/ has_noise (noise_under c) (fun _ : unit => 1 : R) (fun=> 1).
  case: c ok => [mu|a|e|d s|v s|f f'] //= ok; first by left; exists mu.
  - by right; split=> //; split=> l; rewrite equals_profile //; exact: laplace_at_least.
  - right; split=> //; exists 0 => y'; rewrite exp_0 mul1r sub0r; split=> //.
    by rewrite mulr1 -[X in _ <= X]exp_0 exp_le oppr_le0 ltW.
  - by right; split=> //; have [d0 s0] := ok; have [dL dL'] := discrete_laplace_lawful d0 s0;
      split; exact: equals_least.
  by right; split=> //; split=> z z0; rewrite equals_profile //; exact: (curve_least ok s z0).
- have [g0 g1] := G_of_equals (ln y) m0; rewrite lnK // in g1.
  by rewrite e equals_profile //= pos_le.
have fit : curve_proper c by case: c ok {h}.
by have [] := under_noise fit h y0.
Qed.

(** With b = e^(l/2) and x = e^(-e/2), which is the lesser of b and 1/b at most. *)
Lemma range_falls (b x x' : R) : 0 < b -> 0 < x' -> x' <= x -> x <= b -> b * x <= 1 -> x < 1 ->
  (1 - b * x) ^+ 2 / (1 - x ^+ 2) <= (1 - b * x') ^+ 2 / (1 - x' ^+ 2).
Proof.
move=> b0 x'0 xx xb bx x1; have x0 : 0 < x := lt_le_trans x'0 xx; have x'1 : x' < 1 := le_lt_trans xx x1.
have less (z : R) : 0 < z -> z < 1 -> 0 < 1 - z ^+ 2.
  by move=> z0 z1; rewrite subr_gt0 expr2 mulr_ilt1 // ltW.
rewrite ler_pdivr_mulr ?less // mulrAC ler_pdivl_mulr ?less // -subr_ge0.
have -> : (1 - b * x') ^+ 2 * (1 - x ^+ 2) - (1 - b * x) ^+ 2 * (1 - x' ^+ 2) =
  (x - x') * ((1 - b * x) * (b - x') + (1 - b * x') * (b - x)) by ring.
have bx' : b * x' <= 1 by apply: le_trans bx; rewrite ler_pmul2l.
by rewrite mulr_ge0 ?subr_ge0 // addr_ge0 // mulr_ge0 ?subr_ge0 // (le_trans xx).
Qed.

Lemma range_in_order (e e' l : R) : 0 < e -> e <= e' -> range_curve e l <= range_curve e' l.
Proof.
move=> e0 ee; rewrite /range_curve; have e'0 : 0 < e' := lt_le_trans e0 ee.
have half (r : R) : exp ((l - r) / 2%:R) = exp (l / 2%:R) * exp (- r / 2%:R) by rewrite -expD mulrBl mulNr.
have square (r : R) : exp (- r) = exp (- r / 2%:R) ^+ 2.
  by rewrite expr2 -expD; congr exp; field.
have below1 (r : R) : 0 < r -> exp (- r / 2%:R) < 1.
  by move=> r0; rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge mulNr oppr_lt0 divr_gt0 ?ltr0n.
have value0 (r : R) : 0 < r -> 0 <= (1 - exp ((l - r) / 2%:R)) ^+ 2 / (1 - exp (- r)).
  move=> r0; rewrite divr_ge0 ?sqr_ge0 // subr_ge0 square expr2 mulr_ile1 // ltW ?exp_gt0 ?below1 //.
case: (ltP l (- e')) => [le'|le'].
  by rewrite (lt_le_trans le') // ler_opp2.
case: (leP l e') => le2; last first.
  rewrite ltNge (leNgt l e) (le_lt_trans ee le2) /=.
  by rewrite (le_trans _ (ltW le2)) // (le_trans _ (ltW e'0)) // oppr_le0 ltW.
case: (ltP l (- e)) => le; last first.
  case: (leP l e) => le3; last exact: value0.
  rewrite !half !square; apply: range_falls; rewrite ?exp_gt0 ?below1 //.
  - by rewrite exp_le ler_pmul2r ?invr_gt0 ?ltr0n // ler_opp2.
  - by rewrite exp_le ler_pmul2r ?invr_gt0 ?ltr0n.
  by rewrite -expD -mulrDl -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r subr_le0.
have := @equals_below_curve (RangeCurve e') (exp l) e'0 (exp_gt0 l); rewrite /= ln_exp /range_curve ltNge le' /= le2.
by apply: le_trans; exact: le_pos.
Qed.

Lemma curves_in_order c c' (y : R) : curve_fit c -> curve_at_most c c' -> 0 < y -> curve_at c y <= curve_at c' y.
Proof.
case: c c' => [m|a|e|d s|v s|f g] [m'|a'|e'|d' s'|v' s'|f' g'] //= ok le y0.
- exact: G_monotone.
- exact: laplace_in_order.
- exact: range_in_order.
- by have [[d0 s0] [dd ss]] := (ok, le); apply: discrete_laplace_in_order => //; exact: ltW.
by case: le => <- ss; apply: discrete_gaussian_in_order => //; exact: ltW.
Qed.

(** --- rates --- *)

Lemma convex_profile (Y : finType) (P Q : Y -> R) (t y : R) : distribution P -> distribution Q -> 0 <= t -> t <= 1 ->
  hockey_stick 1 (t * y) P Q <= t * hockey_stick 1 y P Q + (1 - t).
Proof.
move=> [P0 P1] [Q0 Q1] t0 t1; rewrite /hockey_stick mulr_sumr -[X in _ + X]mulr1 -[X in _ + _ * X]P1 mulr_sumr -big_split /=.
apply: ler_sum => z _; rewrite !mul1r; have h : 0 <= 1 - t by rewrite subr_ge0.
have -> : P z - t * y * Q z = t * (P z - y * Q z) + (1 - t) * P z by ring.
by apply: le_trans (posD _ _) _; rewrite !posM // (pos_id (P0 z)).
Qed.

Theorem samples_in_order (q q' : R) c c' (Y : finType) (P Q : Y -> R) : 0 < q -> q <= q' -> q' <= 1 ->
  curve_fit c -> curve_at_most c c' -> distribution P -> distribution Q ->
  under_sampled q c P Q -> under_sampled q' c' P Q.
Proof.
move=> q0 qq q'1 ok le dP dQ u y y0; have q'0 : 0 < q' := lt_le_trans q0 qq; rewrite /sampled_curve.
have rest : 1 - q' <= 1 - q by rewrite ler_add2l ler_opp2.
case: (leP y (1 - q')) => hy; first by have := u y y0; rewrite /sampled_curve (le_trans hy rest).
set t := (y - (1 - q')) / q'; have t0 : 0 < t by rewrite divr_gt0 ?subr_gt0.
have yt : y = 1 - q' * (1 - t) by rewrite /t; field; rewrite gt_eqF.
apply: (@le_trans _ _ (q' * curve_at c t)); last by rewrite ler_pmul2l //; exact: curves_in_order.
have least : pos (1 - t) <= curve_at c t := equals_below_curve ok t0.
pose y' := 1 - q * (1 - t); have t' : (y' - (1 - q)) / q = t by rewrite /y'; field; rewrite gt_eqF.
have hy' : 1 - q < y' by rewrite /y' ltr_add2l ltr_opp2 -[X in _ < X]mulr1 ltr_pmul2l // gtr_addl oppr_lt0.
have y'0 : 0 <= y' by apply: le_trans (ltW hy'); rewrite subr_ge0 (le_trans qq).
have := u y' y'0; rewrite /sampled_curve (leNgt y') hy' /= t' => near.
have c0 : 0 <= curve_at c t := le_trans (pos_ge0 _) least.
case: (leP 1 t) => t1.
  have yy : y' <= y.
    rewrite yt /y' ler_add2l ler_opp2 -subr_ge0 -mulrBl.
    by rewrite mulr_le0 // ?subr_le0.
  apply: (@le_trans _ _ (hockey_stick 1 y' P Q)); first by apply: hockey_stick_antitone => //; case: dQ.
  by apply: le_trans near _; exact: ler_wpmul2r.
have y'1 : 0 < y'.
  rewrite /y' subr_gt0; apply: (@le_lt_trans _ _ (1 - t)); last by rewrite gtr_addl oppr_lt0.
  by apply: ler_pimull; rewrite ?subr_ge0 ?(ltW t1) // (le_trans qq).
have yy : y <= y' by rewrite yt /y' ler_add2l ler_opp2 ler_wpmul2r // subr_ge0 ltW.
have ty1 : y / y' <= 1 by rewrite ler_pdivr_mulr // mul1r.
have ty0 : 0 <= y / y' by rewrite divr_ge0.
have := convex_profile y' dP dQ ty0 ty1; rewrite divfK ?gt_eqF // => /le_trans; apply.
apply: (@le_trans _ _ (y / y' * (q * curve_at c t) + (1 - y / y'))); first by rewrite ler_add2r ler_wpmul2l.
rewrite -subr_ge0; set v := curve_at c t in least c0 *; set s := y / y' in ty0 ty1 *.
have ys : y = s * y' by rewrite /s divfK ?gt_eqF.
have -> : q' * v - (s * (q * v) + (1 - s)) = (q' - s * q) * (v - (1 - t)) + (s * y' - y).
  by rewrite [in RHS]yt /y'; ring.
rewrite -ys subrr addr0 mulr_ge0 ?subr_ge0 //; last exact: le_trans (le_pos _) least.
by apply: le_trans qq; rewrite -[X in _ <= X]mul1r ler_wpmul2r // ltW.
Qed.

(** Equal laws are those of a sample. *)
Lemma sample_of_equals (q : R) c (Y : finType) (P : Y -> R) : 0 < q -> curve_fit c -> distribution P ->
  under_sampled q c P P.
Proof.
move=> q0 ok dP y y0; rewrite equals_profile // /sampled_curve; case: (leP y (1 - q)) => hy.
  by rewrite pos_id // subr_ge0; apply: le_trans hy _; rewrite ler_subl_addr ler_addl ltW.
set t := (y - (1 - q)) / q; have t0 : 0 < t by rewrite divr_gt0 ?subr_gt0.
have -> : 1 - y = q * (1 - t) by rewrite /t; field; rewrite gt_eqF.
by rewrite (posM _ (ltW q0)) ler_pmul2l //; exact: equals_below_curve.
Qed.

(** --- the whole --- *)

Lemma G_reflect (mu e : R) : 1 - exp e + exp e * G mu (- e) = G mu e.
Proof.
rewrite /G; case: ifP => [m0|_]; first exact: esym (ProfileReflection.profile_reflect mu e).
rewrite expN -posM ?(ltW (exp_gt0 _)) // mulrBr mulr1 divff ?exp_neq0 //.
by rewrite [RHS]pos_split opprB.
Qed.

Lemma laplace_reflect (a l : R) : 0 <= a -> 1 - exp l + exp l * laplace_curve a (- l) = laplace_curve a l.
Proof.
move=> a0; have one : exp l * exp (- l) = 1 by rewrite -expD subrr exp_0.
rewrite /laplace_curve ltr_opp2 [- l <= a]ler_oppl; case: (ltP l (- a)) => la.
  have -> : (a < l) = false by apply/negbTE; rewrite -leNgt (le_trans (ltW la)) // (le_trans _ a0) // oppr_le0.
  by rewrite /= mulr0 addr0.
case: (ltP a l) => al; first by rewrite mulrBr mulr1 one; ring.
rewrite mulrBr mulr1 -expD; have -> : l + (- l - a) / 2%:R = (l - a) / 2%:R by field.
ring.
Qed.

Lemma shift_reflect (decay y : R) shift (law := @shifted_law decay shift) : 0 < decay -> (0 < shift)%N -> 0 < y ->
  1 - y + y * hockey_stick 1 y^-1 law (law \o @rev_ord _) = hockey_stick 1 y law (law \o @rev_ord _).
Proof.
move=> d0 s0 y0; have [dL dL'] := discrete_laplace_lawful d0 s0.
have <- : hockey_stick 1 y (law \o @rev_ord _) law = hockey_stick 1 y law (law \o @rev_ord _).
  by rewrite /hockey_stick (reindex_inj rev_ord_inj); apply: eq_bigr => j _ /=; rewrite rev_ordK.
by rewrite -(hockey_stickM _ _ _ _ (ltW y0)) mulr1 mulfV ?gt_eqF // [RHS]hockey_stick_swap.
Qed.

Definition same_both_ways (c : noise_curve) : bool := if c is RangeCurve _ then false else true.
Lemma curve_reflects c (y : R) : curve_fit c -> same_both_ways c -> 0 < y -> 1 - y + y * curve_at c y^-1 <= curve_at c y.
Proof.
have at_ln (h : R -> R) : (forall l, 1 - exp l + exp l * h (- l) = h l) -> 0 < y -> 1 - y + y * h (ln y^-1) = h (ln y).
  by move=> e y0; rewrite -[RHS]e lnK //; have -> : ln y^-1 = - ln y by rewrite -[y in LHS](lnK y0) -expN ln_exp.
case: c => [mu|a|e|d s|v s|f f'] //= ok _ y0; last exact: bell_curve_back.
all: rewrite le_eqVlt; apply/orP; left; apply/eqP.
- exact: (at_ln (G mu)) (G_reflect mu) y0.
- by apply: (at_ln (laplace_curve a)) => // l; exact: laplace_reflect.
by have [d0 s0] := ok; exact: shift_reflect.
Qed.

Theorem sample_of_whole (q : R) c (Y : finType) (P Q : Y -> R) : 0 < q -> q <= 1 -> curve_fit c -> same_both_ways c ->
  distribution P -> distribution Q -> under_sampled q c P Q -> forall y : R, 0 < y ->
  hockey_stick 1 y P Q <= curve_at c y /\ hockey_stick 1 y Q P <= curve_at c y.
Proof.
move=> q0 q1 ok same dP dQ u.
have here (y : R) : 0 < y -> hockey_stick 1 y P Q <= curve_at c y.
  move=> y0; have at_most : curve_at_most c c by case: (c) ok => [m|a|e|d s|v s|f f'] /=.
  have := samples_in_order q0 q1 (lexx 1) ok at_most dP dQ u (ltW y0).
  by rewrite /sampled_curve subrr (leNgt y) y0 /= subr0 divr1 mul1r.
move=> y y0; split; first exact: here.
have := other_direction dP dQ (fun y _ => lexx _) (ltW y0); rewrite y0 => /le_trans; apply.
apply: le_trans (curve_reflects ok same y0); rewrite ler_add2l ler_pmul2l //; apply: here.
by rewrite invr_gt0.
Qed.

Definition below_whole (c : noise_curve) (n : noise) : Prop :=
  match c, n with
  | NormalCurve mu, OfNotion (Gaussian mu') => mu <= mu'
  | LaplaceCurve a, OfLaplace a' => a <= a'
  | ShiftCurve decay shift, OfShift decay' shift' => decay <= decay' /\ (shift <= shift')%N
  | BellCurve v shift, OfDiscreteGaussian v' shift' => v = v' /\ (shift <= shift')%N
  | _, _ => False
  end.

Lemma whole_noise (q : R) c n (Y : finType) (P Q : Y -> R) : 0 < q -> q <= 1 -> curve_fit c -> below_whole c n ->
  has_noise (OfSample WithRecord q c) P Q -> has_noise n P Q.
Proof.
move=> q0 q1 ok le [dP dQ u].
have both c' : curve_at_most c c' -> same_both_ways c -> forall y : R, 0 < y ->
    hockey_stick 1 y P Q <= curve_at c' y /\ hockey_stick 1 y Q P <= curve_at c' y.
  move=> cc same y y0; have [h h'] := sample_of_whole q0 q1 ok same dP dQ u y0.
  by have up := curves_in_order ok cc y0; split; [exact: le_trans h up|exact: le_trans h' up].
have none (Z : finType) (S T : Z -> R) : distribution S -> hockey_stick 1 0 S T = 1.
  by move=> [S0 S1]; rewrite -[RHS]S1; apply: eq_bigr => z _; rewrite mul1r mul0r subr0 pos_id.
case: c ok le u both => [mu|a|e|d s|v s|f f'] // ok; case: n => [[? ?|mu'|?]|?|?|d' s'|a'|?|? ? ?|v' s'|? ? ?] //= le _ both.
- split=> //; split=> // l; have [h h'] := both (NormalCurve mu') le isT _ (exp_gt0 l).
  by rewrite /= ln_exp in h h'; split; apply/events_hockey_stick.
- by split=> //; split=> l; have [] := both (LaplaceCurve a') le isT _ (exp_gt0 l); rewrite /= ln_exp.
- have [[d0 s0] [dd ss]] := (ok, le).
  have [dL _] := @discrete_laplace_lawful d' s' (lt_le_trans d0 dd) (leq_trans s0 ss).
  by split=> //; split=> y; rewrite le_eqVlt => /predU1P[<-|y0]; rewrite ?none //;
    have [] := both (ShiftCurve d' s') le isT y y0.
have [vv ss] := le; have v0 : 0 < v' by rewrite -vv.
have start : 1 <= discrete_gaussian_curve v' s' 0.
  by apply: le_trans (curve_least v0 s' (lexx 0)); rewrite subr0 pos_id ?ler01.
by split=> //; split=> y; rewrite le_eqVlt => /predU1P[<-|y0]; rewrite ?none //;
  have [] := both (BellCurve v' s') le isT y y0.
Qed.

(** --- tables --- *)

Definition mixed_rows (s : R) (t : seq (R * R)) : seq (R * R) := [seq ((1 - s) * x.2 + s * x.1, x.2)%R | x <- t].

Lemma rows_sum (t : seq (R * R)) (f : R * R -> R) (F : 'I_(size t) -> R) : (forall z, F z = f (tnth (in_tuple t) z)) ->
  \sum_z F z = \sum_(x <- t) f x.
Proof. by move=> e; rewrite (big_tnth _ _ t); apply: eq_bigr. Qed.

Theorem mixed_rows_in_order (s : R) t (Y : finType) (P Q : Y -> R) : 0 <= s -> s <= 1 ->
  law_proper (unzip1 t) -> law_proper (unzip2 t) ->
  has_noise (OfTable (mixed_rows s t)) P Q -> has_noise (OfTable t) P Q.
Proof.
move=> s0 s1 p q [dP dQ [h h']]; split=> //; have r0 : 0 <= 1 - s by rewrite subr_ge0.
have [dS dT] := (law_distribution p, law_distribution q).
have sums (f : R * R -> R) : \sum_(x <- mixed_rows s t) f x = \sum_(x <- t) f ((1 - s) * x.2 + s * x.1, x.2)%R.
  by rewrite big_map.
have chord (f g e : R * R -> R) : (forall x, x \in t -> e x = (1 - s) * f x + s * g x) ->
    \sum_(x <- t) pos (f x) <= \sum_(x <- t) pos (g x) ->
    \sum_(x <- t) pos (e x) <= \sum_(x <- t) pos (g x).
  move=> eq le; apply: (@le_trans _ _ ((1 - s) * (\sum_(x <- t) pos (f x)) + s * \sum_(x <- t) pos (g x))).
    rewrite !mulr_sumr -big_split /= big_seq [X in _ <= X]big_seq; apply: ler_sum => x /eq ->.
    by rewrite -!posM //; exact: posD.
  set b := \sum_(x <- t) pos (g x) in le *; apply: (@le_trans _ _ ((1 - s) * b + s * b)).
    by rewrite ler_add2r ler_wpmul2l.
  by rewrite -mulrDl subrK mul1r.
have equal (S T : 'I_(size t) -> R) (y : R) : distribution S -> distribution T ->
    \sum_(x <- t) pos (1 * x.2 - y * x.2) <= hockey_stick 1 y S T.
  move=> [_ S1] [_ T1]; rewrite -(rows_sum (F := fun z => pos (1 * law_without z - y * law_without z))) //.
  rewrite -/(hockey_stick 1 y (@law_without t) (@law_without t)) equals_profile // pos_le ?hockey_stick_ge0 //.
  have -> : 1 - y = \sum_z (S z - y * T z) by rewrite sumrB -mulr_sumr S1 T1 mulr1.
  by apply: ler_sum => z _; rewrite mul1r; exact: le_pos.
split=> y y0.
- apply: le_trans (h y y0) _; rewrite /hockey_stick.
  rewrite !(rows_sum (f := fun x => pos (1 * x.1 - y * x.2))) // sums.
  apply: (chord (fun x => 1 * x.2 - y * x.2)%R) => [x _|]; first by rewrite /=; ring.
  by apply: le_trans (equal _ _ y dS dT) _; rewrite /hockey_stick (rows_sum (f := fun x => pos (1 * x.1 - y * x.2))).
apply: le_trans (h' y y0) _; rewrite /hockey_stick.
rewrite !(rows_sum (f := fun x => pos (1 * x.2 - y * x.1))) // sums.
apply: (chord (fun x => 1 * x.2 - y * x.2)%R) => [x _|]; first by rewrite /=; ring.
by apply: le_trans (equal _ _ y dT dS) _; rewrite /hockey_stick (rows_sum (f := fun x => pos (1 * x.2 - y * x.1))).
Qed.
