(** Zero-concentrated mechanisms count as one (epsilon, delta)-DP mechanism beside others, in an order that
    depends on the answers ([concentrated_pair_any_order]): what parallel composition leaves of a workload.

    Of the mechanisms that are left what those by rho reveal at most is said by their Rényi divergence of
    one order.  [of_moment m]: the divergences of pairs of laws whose moments are at most m; the greatest
    of these is a sublinear function, so that a finite pair is as near above it as one likes.  If a finite
    pair is above all of them, its product with the normal laws and randomized responses of the other
    mechanisms is above whatever they do, in any order ([interleaved_below]): another mechanism is one
    factor of the product, and one by rho is a factor of the pair. *)
From Coq Require Import Reals Permutation FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures Powers.
From ExactDP Require Import Moments RulesGaussian RulesConcentrated NormalCurve CellsOfNormal GaussianComposition.
From ExactDP Require Import GaussianAttainment Workloads RulesWorkloads RulesMixedWorkloads OrderOfWorkloads.
From ExactDP Require Import Sublinear GreatestGains DrawnFirst ConcentratedPair.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation HS a b D := (hockey_stick a b (@first_law _ D) (@second_law _ D)).
Notation pair_of_laws := (finite_pair [realFieldType of R]).

(** --- the profile beside randomized responses is a sublinear function --- *)

Lemma sublinear_limit f : (forall c a b : R, 0 <= c -> 0 <= a -> 0 <= b -> f (c * a)%R (c * b)%R = c * f a b) ->
  (forall tau : R, 0 < tau -> exists2 g, sublinear g &
     forall a b : R, 0 <= a -> 0 <= b -> g a b <= f a b <= g a b + tau * (a + b)) -> sublinear f.
Proof.
move=> scale lim; split=> // [a b a' b' a0 b0 a'0 b'0|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- apply: (@le_of_every _ _ (a + a' + (b + b'))); rewrite ?addr_ge0 // => tau /lim[g G h].
  have /andP[_ le] := h _ _ (addr_ge0 a0 a'0) (addr_ge0 b0 b'0); apply: le_trans le _.
  rewrite ler_add2r; apply: le_trans (sublinear_add G a0 b0 a'0 b'0) _.
  by apply: ler_add; [case/andP: (h _ _ a0 b0)|case/andP: (h _ _ a'0 b'0)].
- apply/andP; split.
    have [g G /(_ _ _ a0 b0)/andP[le _]] := lim 1 ltr01; apply: le_trans le.
    by case/andP: (sublinear_bounds G a0 b0).
  apply: (@le_of_every _ _ (a + b)); rewrite ?addr_ge0 // => tau /lim[g G /(_ _ _ a0 b0)/andP[_ le]].
  by apply: le_trans le _; rewrite ler_add2r; case/andP: (sublinear_bounds G a0 b0).
apply: (@le_of_every _ _ (a' + b')); rewrite ?addr_ge0 // => tau /lim[g G h].
have /andP[_ le] := h _ _ a'0 b'0; apply: le_trans le _; rewrite ler_add2r.
apply: le_trans (sublinear_step G a0 b0 a'0 b'0) _; rewrite ler_add2r.
by case/andP: (h _ _ a0 b0).
Qed.

Lemma curve_sublinear (mu : R) : 0 <= mu -> sublinear (curve mu).
Proof.
move=> m0; apply: sublinear_limit => [c a b c0 a0 b0|tau t0]; first exact: curveM.
have [t [n [g h]]] := cells_near m0 t0.
have dP := pair_cells_distribution n mu g; have dQ := pair_cells_distribution n 0 g.
exists (fun a b => hockey_stick a b (pair_cells t n mu) (pair_cells t n 0)); first exact: hockey_stick_sublinear.
move=> a b a0 b0; apply/andP; split; first exact: cells_divergence.
have := h 0 a b (lexx 0) a0 b0; rewrite both0 //.
by under eq_bigr do rewrite curve_of_0.
Qed.

Lemma mean_curve_sublinear (mu : R) xs : 0 <= mu -> sublinear (mean_curve mu xs).
Proof.
move=> m0; elim: xs => [|x xs IH] /=; first exact: curve_sublinear.
have r0 := response_ge0 (ltW (exp_gt0 x)).
apply: sum_sublinear IH _ _; split=> [t|]; [by case: (r0 t)|exact: response_sum|by case: (r0 t)|exact: response_sumN].
Qed.

Section Order.
Variables (al : R) (al1 : 1 < al).

(** --- pairs of laws with a bounded moment --- *)

Definition of_moment (m : R) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q & moment_at_most al m P Q /\ moment_at_most al m Q P].

Definition moment_gains (m : R) (F : R -> R -> R) : Prop :=
  exists (Y : finType) (P Q : Y -> R), of_moment m P Q /\ F = fun a b => hockey_stick a b P Q.

Lemma moment_gains_sublinear m F : moment_gains m F -> sublinear F.
Proof. by case=> Y [P [Q [[dP dQ _] ->]]]; exact: hockey_stick_sublinear. Qed.

Lemma unit_of_moment m : 1 <= m -> of_moment m (fun _ : unit => 1) (fun=> 1).
Proof.
move=> m1; have d := distribution_unit; have [s h] := moment_self al d.
by split=> //; split; split=> //; exact: le_trans m1.
Qed.

Lemma moment_gains_exist m : 1 <= m -> exists F, moment_gains m F.
Proof. by move=> /unit_of_moment h; eexists; exists [finType of unit], (fun=> 1), (fun=> 1); split. Qed.

Definition most (m : R) : R -> R -> R := greatest (moment_gains m).

Lemma most_ge m (Y : finType) (P Q : Y -> R) (a b : R) : 1 <= m -> of_moment m P Q -> 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= most m a b.
Proof.
move=> m1 h; have g : moment_gains m (fun a b => hockey_stick a b P Q) by exists Y, P, Q.
exact: (greatest_ge (moment_gains_exist m1) (@moment_gains_sublinear m) g).
Qed.

(** A mechanism whose answers are followed by any of bounded moments. *)
Lemma most_first m m' (Y : finType) (P Q : Y -> R) (a b : R) : 1 <= m -> 1 <= m' -> of_moment m P Q ->
  0 <= a -> 0 <= b -> \sum_y most m' (a * P y)%R (b * Q y)%R <= most (m * m') a b.
Proof.
move=> m1 m'1 [dP dQ [PQ QP]] a0 b0; have [[P0 _] [Q0 _]] := (dP, dQ).
apply: (@le_of_every _ _ #|Y|%:R); first exact: ler0n.
move=> tau t0; have /fin_all_exists[F H] y := greatest_near (moment_gains_exist m'1)
  (@moment_gains_sublinear m') (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)) t0.
have /fin_all_exists[Z /fin_all_exists[S /fin_all_exists[T g]]] y := proj1 (H y).
have S1 y : distribution (S y) by case: (g y) => -[].
have T1 y : distribution (T y) by case: (g y) => -[].
apply: (@le_trans _ _ (\sum_y (F y (a * P y)%R (b * Q y)%R + tau))).
  by apply: ler_sum => y _; case: (H y).
rewrite big_split /= sumr_const mulr_natr ler_add2r.
have -> : \sum_y F y (a * P y)%R (b * Q y)%R = hockey_stick a b
    (fun p : Y * {y : Y & Z y} => P p.1 * padded S p.1 p.2)%R (fun p => Q p.1 * padded T p.1 p.2)%R.
  rewrite hockey_stick_product; apply: eq_bigr => y _; have [_ ->] := g y.
  rewrite /hockey_stick (@sum_padded _ _ _ y) => [|u /negbTE uy]; first by apply: eq_bigr => z _; rewrite /padded /= eqxx !mul1r.
  by rewrite /padded uy !mul0r !mulr0 subrr pos_id.
have m0 : 0 <= m' := le_trans ler01 m'1.
apply: most_ge => //; first by rewrite -[1]mulr1; apply: ler_pmul; rewrite ?ler01.
have dS y : distribution (padded S y) by exact: padded_distribution.
have dT y : distribution (padded T y) by exact: padded_distribution.
split; try exact: distribution_pair.
by split; apply: moment_pair => // y; apply: padded_moment; case: (g y) => -[_ _ []].
Qed.

(** --- the bound --- *)

Definition above (m : R) (D : pair_of_laws) : Prop := forall (Y : finType) (P Q : Y -> R),
  of_moment m P Q -> forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b D.

Lemma most_below m D (a b : R) : 1 <= m -> above m D -> 0 <= a -> 0 <= b -> most m a b <= HS a b D.
Proof.
move=> m1 up a0 b0; apply: (greatest_le (moment_gains_exist m1) (@moment_gains_sublinear m)) => // F.
by case=> Y [P [Q [h ->]]]; exact: up.
Qed.

Definition beside (K : R -> R -> R) (D : pair_of_laws) (a b : R) : R :=
  \sum_k K (a * @first_law _ D k)%R (b * @second_law _ D k)%R.

(** A mechanism by its moment, and then whatever is above the rest. *)
Lemma beside_first K m m' D (Y : finType) (P Q : Y -> R) (a b x : R) : sublinear K ->
  1 <= m -> 1 <= m' -> of_moment m P Q -> above (m * m') D -> 0 <= a -> 0 <= b ->
  (forall D', above m' D' -> x <= \sum_y beside K D' (a * P y) (b * Q y)) ->
  x <= beside K D a b.
Proof.
move=> lin m1 m'1 PQ up a0 b0 h; have [[P0 P1] [Q0 Q1] _] := PQ.
set D1 := @first_law _ D; set D2 := @second_law _ D.
have D0 k : 0 <= D1 k /\ 0 <= D2 k := laws_ge0 k.
pose mass := (a * (\sum_k D1 k) + b * (\sum_k D2 k) + 1)%R.
have s0 : 0 <= mass.
  by rewrite /mass !addr_ge0 ?ler01 ?mulr_ge0 ?sumr_ge0 // => k _; case: (D0 k).
apply: (le_of_every s0) => tau t0.
have [E near] := sublinear_near lin t0; set E1 := @first_law _ E in near; set E2 := @second_law _ E in near.
have E0 j : 0 <= E1 j /\ 0 <= E2 j := laws_ge0 j.
pose weight := (1 + \sum_j (a * E1 j + b * E2 j))%R.
have w0 : 0 < weight.
  by rewrite /weight ltr_spaddl ?ltr01 ?sumr_ge0 // => j _; have [? ?] := E0 j; rewrite addr_ge0 ?mulr_ge0.
have V := greatest_sublinear (moment_gains_exist m'1) (@moment_gains_sublinear m').
have [D' near'] := sublinear_near V (divr_gt0 t0 w0).
set D1' := @first_law _ D' in near'; set D2' := @second_law _ D' in near'.
have D0' k : 0 <= D1' k /\ 0 <= D2' k := laws_ge0 k.
have up' : above m' D'.
  move=> Z S T g c d c0 d0; apply: le_trans (most_ge m'1 g c0 d0) _.
  by case/andP: (near' c d c0 d0).
apply: le_trans (h D' up') _; rewrite /beside.
apply: (@le_trans _ _ (\sum_j \sum_y hockey_stick (a * E1 j * P y) (b * E2 j * Q y) D1' D2')).
  rewrite [X in _ <= X]exchange_big /=; apply: ler_sum => y _.
  have -> : \sum_j hockey_stick (a * E1 j * P y) (b * E2 j * Q y) D1' D2' =
      \sum_k hockey_stick (a * P y * D1' k) (b * Q y * D2' k) E1 E2.
    by rewrite hockey_stick_exchange; apply: eq_bigr => j _; rewrite mulrAC [b * _ * _]mulrAC.
  apply: ler_sum => k _; have [H1 H2] := D0' k.
  by have /andP[] := near _ _ (mulr_ge0 (mulr_ge0 a0 (P0 y)) H1) (mulr_ge0 (mulr_ge0 b0 (Q0 y)) H2).
apply: (@le_trans _ _ (\sum_j (most (m * m') (a * E1 j) (b * E2 j) + tau / weight * (a * E1 j + b * E2 j)))).
  apply: ler_sum => j _; have [j1 j2] := E0 j; have c0 := mulr_ge0 a0 j1; have d0 := mulr_ge0 b0 j2.
  apply: (@le_trans _ _ (\sum_y (most m' (a * E1 j * P y)%R (b * E2 j * Q y)%R +
      tau / weight * (a * E1 j * P y + b * E2 j * Q y)))).
    by apply: ler_sum => y _; case/andP: (near' _ _ (mulr_ge0 c0 (P0 y)) (mulr_ge0 d0 (Q0 y))).
  rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1 ler_add2r.
  exact: most_first.
rewrite big_split /= -mulr_sumr.
have mm : 1 <= m * m' by rewrite -[1]mulr1; apply: ler_pmul; rewrite ?ler01.
have last : tau / weight * (\sum_j (a * E1 j + b * E2 j)) <= tau.
  by rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // ler_addr ler01.
apply: le_trans (ler_add (lexx _) last) _; rewrite /mass mulrDr mulr1 addrA ler_add2r.
apply: (@le_trans _ _ (\sum_j HS (a * E1 j) (b * E2 j) D)).
  by apply: ler_sum => j _; have [j1 j2] := E0 j; apply: most_below; rewrite ?mulr_ge0.
rewrite hockey_stick_exchange -/D1 -/D2.
apply: (@le_trans _ _ (\sum_k (K (a * D1 k)%R (b * D2 k)%R + tau * (a * D1 k + b * D2 k)))).
  by apply: ler_sum => k _; have [k1 k2] := D0 k; case/andP: (near _ _ (mulr_ge0 a0 k1) (mulr_ge0 b0 k2)).
by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr.
Qed.
End Order.

(** --- mechanisms in any order --- *)

Section Mechanisms.
Variables (al : R) (al1 : 1 < al).
Variables (C : eqType) (g : C -> notion).
Hypothesis W : forall c, proper_notion (g c).

(** What is left of them. *)
Definition moment_left (cs : seq C) : R :=
  \prod_(c <- cs) exp (if g c is Concentrated rho then al * (al - 1) * rho else 0).
Definition others_left (cs : seq C) : R -> R -> R := domination_of (others [seq g c | c <- cs]).

Let order0 : 0 <= al * (al - 1).
Proof. by rewrite mulr_ge0 ?subr_ge0 ?(ltW al1) // (le_trans ler01) // ltW. Qed.

Let factor_ge1 c : 1 <= exp (if g c is Concentrated rho then al * (al - 1) * rho else 0).
Proof. by rewrite exp_ge1; have := W c; case: (g c) => [e d|mu|rho] /= w; [exact: lexx|exact: lexx|exact: mulr_ge0 order0 w]. Qed.

Lemma moment_left_ge1 cs : 1 <= moment_left cs.
Proof.
rewrite /moment_left; elim: cs => [|c cs IH]; first by rewrite big_nil.
by rewrite big_cons -[X in X <= _]mulr1; apply: ler_pmul; rewrite ?ler01.
Qed.

Lemma others_left_sublinear cs : sublinear (others_left cs).
Proof. exact: mean_curve_sublinear (total_mu_ge0 _). Qed.

Lemma others_left_rem c cs (a b : R) : c \in cs -> others_left cs a b =
  domination_of (others (g c :: [seq g c | c <- rem c cs])) a b.
Proof.
move=> ccs; apply: domination_of_permutation; exact: filter_permutation (rem_permutation g ccs).
Qed.

Lemma moment_left_rem c cs : c \in cs -> moment_left cs =
  exp (if g c is Concentrated rho then al * (al - 1) * rho else 0) * moment_left (rem c cs).
Proof. by move=> ccs; rewrite /moment_left (perm_big _ (perm_to_rem ccs)) big_cons. Qed.

Lemma interleaved_below cs (Y : finType) (P Q : Y -> R) : interleaved (of_notion G) (unfailing \o g) cs P Q ->
  forall D, above al (moment_left cs) D -> forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= beside (others_left cs) D a b.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] D up a b a0 b0.
- apply: le_trans (up _ _ _ (unit_of_moment al (moment_left_ge1 cs)) a b a0 b0) _.
  rewrite /beside /hockey_stick; apply: ler_sum => k _; have [k1 k2] := laws_ge0 k.
  by apply: mean_curve_ge; [exact: mulr_ge0 a0 k1|exact: mulr_ge0 b0 k2].
- rewrite hockey_stick_product.
  apply: (@le_trans _ _ (\sum_y P y * beside (others_left cs) D a b)); last by rewrite -mulr_suml P1 mul1r.
  apply: ler_sum => y _; rewrite -PQ.
  apply: le_trans (IH y D up _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (P0 y))) _.
  rewrite /beside mulr_sumr; apply: ler_sum => k _; have [k1 k2] := laws_ge0 k.
  rewrite -(sublinear_scale (others_left_sublinear cs)) ?mulr_ge0 //.
  by rewrite ![P y * (_ * _)]mulrCA !mulrA.
rewrite hockey_stick_product; have [dP dQ _] := h; have [[P0 _] [Q0 _]] := (dP, dQ).
have same : beside (others_left cs) D a b =
    beside (domination_of (others (g c :: [seq g c | c <- rem c cs]))) D a b.
  by apply: eq_bigr => k _; exact: others_left_rem.
rewrite same; have [t|t] := boolP (third (g c)); last first.
  rewrite /others [filter _ _]/= t; have m : moment_left cs = moment_left (rem c cs).
    by rewrite (moment_left_rem ccs); case: (g c) t => // *; rewrite exp_0 mul1r.
  rewrite m in up.
  apply: (@le_trans _ _ (\sum_y beside (others_left (rem c cs)) D (a * P y) (b * Q y))).
    by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
  rewrite /beside exchange_big /=; apply: ler_sum => k _; have [k1 k2] := laws_ge0 k.
  under eq_bigr => y _ do rewrite mulrAC [b * _ * _]mulrAC.
  apply: (domination_step _ (W c) _ h); rewrite ?mulr_ge0 //.
  by move: t; case: (g c).
rewrite /others [filter _ _]/= t; rewrite (moment_left_rem ccs) in up.
have PQ : of_moment al (exp (if g c is Concentrated rho then al * (al - 1) * rho else 0)) P Q.
  by move: h; rewrite /of_notion /=; case: (g c) t => // rho _ [_ _ /(_ al al1)[? ?]].
apply: (beside_first (others_left_sublinear (rem c cs)) _ (moment_left_ge1 (rem c cs)) PQ up a0 b0) => // D' up'.
by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
Qed.
End Mechanisms.

(** --- as one mechanism that is (epsilon, delta)-DP --- *)

Lemma curve_alone (mu : R) xs (a : R) : 0 <= mu -> 0 <= a -> mean_curve mu xs a 0 = a.
Proof.
move=> m0 a0; have F := mean_curve_sublinear xs m0; apply/eqP; rewrite eq_le.
have /andP[_ ->] := sublinear_bounds F a0 (lexx 0); apply: le_trans (mean_curve_ge mu xs a0 (lexx 0)).
by rewrite subr0 pos_id.
Qed.

Lemma curve_nothing (mu : R) xs (b : R) : 0 <= mu -> 0 <= b -> mean_curve mu xs 0 b = 0.
Proof.
move=> m0 b0; have F := mean_curve_sublinear xs m0; apply/eqP; rewrite eq_le andbC.
by case/andP: (sublinear_bounds F (lexx 0) b0) => -> ->.
Qed.

Lemma rr_pair_ge0 (E d : R) : 0 <= E -> 0 <= d -> d <= 1 -> nonnegative_laws (rr0 E d) (rr1 E d).
Proof. by move=> E0 d0 d1 k; have [[p _] [q _]] := distribution_rr E0 d0 d1. Qed.

Lemma beside_response (mu : R) xs (e d b : R) : 0 <= mu -> 0 <= d -> d <= 1 -> 0 <= b ->
  \sum_k mean_curve mu xs (1 * rr0 (exp e) d k) (b * rr1 (exp e) d k) =
  d + (1 - d) * mean_curve mu (e :: xs) 1 b.
Proof.
move=> m0 d0 d1 b0; have k0 : 0 <= 1 - d by rewrite subr_ge0.
pose f n := mean_curve mu xs (1 * nth 0 [:: d; (1 - d) * exp e / (1 + exp e); (1 - d) / (1 + exp e); 0] n)
  (b * nth 0 [:: 0; (1 - d) / (1 + exp e); (1 - d) * exp e / (1 + exp e); d] n).
rewrite (sum4 (g := f)) // /f /= !mulr0 curve_nothing ?mulr_ge0 // addr0 mul1r curve_alone // -addrA; congr (_ + _).
have r t : 0 <= response (exp e) t := (response_ge0 (ltW (exp_gt0 e)) t).1.
have M t : mean_curve mu xs ((1 - d) * (1 * response (exp e) t)) ((1 - d) * (b * response (exp e) (~~ t))) =
    (1 - d) * mean_curve mu xs (1 * response (exp e) t) (b * response (exp e) (~~ t)).
  by apply: mean_curveM => //; apply: mulr_ge0 => //; try exact: ler01; exact: r.
rewrite /= sum_bool mulrDr -!M /= /response !mul1r -!mulrA ![b * ((1 - d) * _)]mulrCA.
by [].
Qed.

Theorem concentrated_pair_any_order ns (a e d epsilon delta : R) : all proper_notion ns ->
  proper_notion (Approximate e d) -> 1 < a -> exp (exponent (total_rho [seq n <- ns | third n]) e a) <= d ->
  mixed_upper G (Approximate e d :: others ns) epsilon delta -> any_order_upper ns epsilon delta.
Proof.
move=> W w a1 joint bound; have /= /and3P[e0 d0 d1] := w; have E0 := ltW (exp_gt0 epsilon).
have each c : proper_notion (nth (Concentrated 0) ns c).
  case: (ltnP c (size ns)) => h; first exact: (all_nthP (Concentrated 0) W).
  by rewrite nth_default /=.
have same : [seq nth (Concentrated 0) ns c | c <- iota 0 (size ns)] = ns by exact: mkseq_nth.
apply: (any_order_apart each) => Y P Q A; rewrite same.
have De := rr_pair_ge0 (ltW (exp_gt0 e)) d0 (ltW d1).
have m : moment_left a (nth (Concentrated 0) ns) (iota 0 (size ns)) =
    exp (a * (a - 1) * total_rho [seq n <- ns | third n]).
  rewrite /moment_left -(big_map (nth (Concentrated 0) ns) xpredT
    (fun n => exp (if n is Concentrated rho then a * (a - 1) * rho else 0))) same /total_rho.
  elim: (ns) => [|n ns' IH] /=; first by rewrite !big_nil mulr0 exp_0.
  by rewrite big_cons IH; case: n => [x y|mu|rho] /=; rewrite ?exp_0 ?mul1r // big_cons mulrDr expD.
have up : above a (moment_left a (nth (Concentrated 0) ns) (iota 0 (size ns))) (FinitePair De).
  move=> Z S T [dS dT [ST TS]] x y x0 y0; have one : 1 <= exp e by rewrite exp_ge1.
  rewrite m in ST TS; have half := moment_divergence a1 e.
  have top : exp ((1 - a) * e + log_conversion a) * exp (a * (a - 1) * total_rho [seq n <- ns | third n]) <= d.
    apply: le_trans joint; rewrite -expD addrC addrA exp_le le_eqVlt; apply/orP; left; apply/eqP/esym.
    exact: exponent_split.
  apply: rr_dominates => //; first exact: ltW.
  by split=> //; split; apply/events_hockey_stick; apply: le_trans top; exact: half.
apply: le_trans (interleaved_below a1 each A up ler01 E0) _.
rewrite /beside /others_left same /domination_of beside_response ?total_mu_ge0 //; last exact: ltW.
have Wo : all proper_notion (others ns) by rewrite all_filter; apply: sub_all W => n wn; exact/implyP.
have k0 : 0 < mixed_kept (others ns) by exact: mixed_kept_gt0.
have mu : total_mu square_below (Approximate e d :: others ns) = total_mu square (others ns).
  rewrite /total_mu big_cons add0r; congr (sqrt _); rewrite /others.
  elim: (ns) => [|n ns' IH] /=; first by rewrite !big_nil.
  by case: n => [x y|mu|rho] //=; rewrite !big_cons IH.
have kept : mixed_kept ns = mixed_kept (others ns).
  rewrite /mixed_kept /others; elim: (ns) => [|n ns' IH] //=.
  by case: n => [x y|mu'|rho] /=; rewrite !big_cons IH ?subr0 ?mul1r.
have le : mean_profile (total_mu square (others ns)) (e :: epsilons_of (others ns)) epsilon <=
    mixed_slack (Approximate e d :: others ns) delta.
  rewrite leNgt; apply/negP => gap; rewrite -mu in gap.
  have [|ns' [p [Z [S [T [Co no]]]]]] := gaussian_attains_holds _ gap; first exact/andP.
  exact: no (bound ns' p Z S T Co).
have d2 : 0 < 1 - d by rewrite subr_gt0.
rewrite mean_curve_profile; apply: le_trans (ler_add (lexx d) (ler_wpmul2l (ltW d2) le)) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /mixed_slack kept /mixed_kept big_cons -/(mixed_kept _) /=.
by field; rewrite !gt_eqF.
Qed.
