(** Zero-concentrated mechanisms count as one (epsilon, delta)-DP mechanism beside others, in an order that
    depends on the answers ([concentrated_pair_any_order]): what parallel composition leaves of a workload.

    What mechanisms by rho reveal at most is said by their Rényi divergence of one order (BesideDivergences.v).
    If a finite pair is above all laws of that divergence, its product with the normal laws and randomized
    responses of the other mechanisms is above whatever they do, in any order ([interleaved_below]): another
    mechanism is one factor of the product, and one by rho is a factor of the pair. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures Powers.
From ExactDP Require Import Moments RulesGaussian RulesConcentrated NormalCurve CellsOfNormal GaussianComposition.
From ExactDP Require Import GaussianAttainment Workloads RulesWorkloads RulesMixedWorkloads OrderOfWorkloads.
From ExactDP Require Import Sublinear DrawnFirst ConcentratedPair BesideDivergences.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- mechanisms in any order --- *)

Section Mechanisms.
Variables (al : R) (al1 : 1 < al).
Variables (C : eqType) (g : C -> notion).
Hypothesis W : forall c, proper_notion (g c).

(** What is left of them: logarithms of moments, and what the others reveal at most. *)
Definition by_rho (n : notion) (a : R) : R := if n is Concentrated rho then (a * (a - 1) * rho)%R else 0.
Definition moment_left (cs : seq C) (a : R) : R := \sum_(c <- cs) by_rho (g c) a.
Definition others_left (cs : seq C) : R -> R -> R := domination_of (others [seq g c | c <- cs]).

Lemma moment_ge0 c : some_moment [:: al] (by_rho (g c)).
Proof.
move=> a; rewrite inE => /eqP ->; have := W c; case: (g c) => [e d|mu|rho] /= w; try exact: lexx.
by rewrite !mulr_ge0 ?subr_ge0 ?(ltW al1) // (le_trans ler01) // ltW.
Qed.

Lemma moment_left_ge0 cs : some_moment [:: al] (moment_left cs).
Proof. by move=> a ain; apply: sumr_ge0 => c _; exact: moment_ge0. Qed.

Lemma others_left_sublinear cs : sublinear (others_left cs).
Proof. exact: mean_curve_sublinear (total_mu_ge0 _). Qed.

Lemma others_left_rem c cs (a b : R) : c \in cs -> others_left cs a b =
  domination_of (others (g c :: [seq g c | c <- rem c cs])) a b.
Proof.
move=> ccs; apply: domination_of_permutation; exact: filter_permutation (rem_permutation g ccs).
Qed.

Lemma moment_left_rem c cs : c \in cs -> moment_left cs =1 both_moments (by_rho (g c)) (moment_left (rem c cs)).
Proof. by move=> ccs a; rewrite /moment_left (perm_big _ (perm_to_rem ccs)) big_cons. Qed.

Lemma interleaved_below cs (Y : finType) (P Q : Y -> R) : interleaved (of_notion G) (unfailing \o g) cs P Q ->
  forall D, above [:: al] (moment_left cs) D -> forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= beside (others_left cs) D a b.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] D up a b a0 b0.
- apply: le_trans (up _ _ _ (unit_of_moment (moment_left_ge0 cs)) a b a0 b0) _.
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
  rewrite /others [filter _ _]/= t; have m : moment_left cs =1 moment_left (rem c cs).
    by move=> x; rewrite (moment_left_rem ccs) /both_moments; case: (g c) t => // *; rewrite add0r.
  have {}up := same_moment m up.
  apply: (@le_trans _ _ (\sum_y beside (others_left (rem c cs)) D (a * P y) (b * Q y))).
    by apply: ler_sum => y _; apply: IH; rewrite ?mulr_ge0.
  rewrite /beside exchange_big /=; apply: ler_sum => k _; have [k1 k2] := laws_ge0 k.
  under eq_bigr => y _ do rewrite mulrAC [b * _ * _]mulrAC.
  apply: (domination_step _ (W c) _ h); rewrite ?mulr_ge0 //.
  by move: t; case: (g c).
rewrite /others [filter _ _]/= t; have {}up := same_moment (moment_left_rem ccs) up.
have PQ : of_moment [:: al] (by_rho (g c)) P Q.
  move: h; rewrite /of_notion /=; case: (g c) t => // rho _ [_ _ h]; split=> // x.
  by rewrite inE => /eqP ->; have [] := h al al1.
apply: (beside_first (near_above_sublinear (others_left_sublinear (rem c cs))) (moment_ge0 c)
  (moment_left_ge0 (rem c cs)) PQ up a0 b0) => D' up'.
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
have m : moment_left (nth (Concentrated 0) ns) (iota 0 (size ns)) a = a * (a - 1) * total_rho [seq n <- ns | third n].
  rewrite /moment_left -(big_map (nth (Concentrated 0) ns) xpredT (fun n => by_rho n a)) same /total_rho.
  elim: (ns) => [|n ns' IH] /=; first by rewrite !big_nil mulr0.
  by rewrite big_cons IH; case: n => [x y|mu|rho] /=; rewrite ?add0r // big_cons mulrDr.
have up : above [:: a] (moment_left (nth (Concentrated 0) ns) (iota 0 (size ns))) (FinitePair De).
  move=> Z S T [dS dT h] x y x0 y0; have one : 1 <= exp e by rewrite exp_ge1.
  have [ST TS] := h a (mem_head _ _); rewrite m in ST TS; have half := moment_divergence a1 e.
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
