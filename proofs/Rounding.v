(** Section 5 of the paper: what rounding the parameters costs, and Theorem 1.7.

    Raising each epsilon_i by c_i, and epsilon_g by their sum c, multiplies delta by at most
    e^{c/2} ([rounding_loss], the paper's lemma on rounding, here with a c_i for each mechanism).
    With beta, epsilon_0 = ln(1 + beta) and a_i = ceil(epsilon_i (1/beta + 1)), each
    a_i epsilon_0 is at least epsilon_i and at most epsilon_i + beta (epsilon_i + 1), which gives
    Theorem 1.7.  Rounding down, as the proceedings of 2016 do, is not sound ([rounding_down]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules RuleRationalOdds.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope R_scope with coqR.

Section Loss.
Variable F : realFieldType.
Implicit Types (l : seq (F * F * F)) (a b y : F).

(** Triples (E, delta, g), g = e^{c/2}: the odds E is raised to E g^2. *)
Definition before l := [seq (x.1.1, x.1.2) | x <- l].
Definition after l := [seq (x.1.1 * x.2 ^+ 2, x.1.2) | x <- l].
Definition growth l : F := \prod_(x <- l) x.2.

Lemma growth_ge1 l : all (fun x => 1 <= x.2) l -> 1 <= growth l.
Proof.
rewrite /growth; elim: l => [|x l IH] /=; first by rewrite big_nil.
by case/andP=> g1 /IH h; rewrite big_cons mulr_ege1.
Qed.

Lemma subset_sum_loss l a b : all (fun x => (1 <= x.1.1) && (1 <= x.2)) l -> 0 <= a -> 0 <= b ->
  subset_sum [seq p.1 | p <- after l] a (b * growth l ^+ 2) <=
  growth l ^+ 2 * subset_sum [seq p.1 | p <- before l] a b.
Proof.
elim: l a b => [|[[E d] g] l IH] a b /=; first by rewrite /growth big_nil expr1n mulr1 mul1r.
case/andP=> /andP[/= E1 g1] W a0 b0.
have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
have g0 : 0 <= g ^+ 2 by rewrite exprn_ge0 // (le_trans ler01).
have g21 : 1 <= g ^+ 2 by rewrite exprn_ege1.
have G : growth ((E, d, g) :: l) = g * growth l by rewrite /growth big_cons.
have G0 : 0 <= growth l ^+ 2 by rewrite sqr_ge0.
have Eg : 0 <= E * g ^+ 2 by rewrite mulr_ge0.
have aEg : 0 <= a * (E * g ^+ 2) by apply: mulr_ge0.
have gb : 0 <= g ^+ 2 * b by apply: mulr_ge0.
have bE : 0 <= b * E * (g ^+ 2 * g ^+ 2) by apply: mulr_ge0; apply: mulr_ge0.
rewrite {}G exprMn mulrDr; apply: ler_add.
  have -> : b * (g ^+ 2 * growth l ^+ 2) = (g ^+ 2 * b) * growth l ^+ 2 by ring.
  apply: le_trans (IH _ _ W aEg gb) _.
  have -> : a * (E * g ^+ 2) = g ^+ 2 * (a * E) by ring.
  by rewrite subset_sumM // mulrCA mulrA.
have -> : b * (g ^+ 2 * growth l ^+ 2) * (E * g ^+ 2) =
    (b * E * (g ^+ 2 * g ^+ 2)) * growth l ^+ 2 by ring.
apply: le_trans (IH _ _ W a0 bE) _.
rewrite -[X in _ <= X]mulrA [X in _ <= X]mulrCA ler_wpmul2l //.
apply: (@le_trans _ _ (subset_sum [seq p.1 | p <- before l] a (b * E))).
  apply: subset_sum_antitone.
    apply/allP => e /mapP[p /mapP[x /(allP W)/andP[h _] ->] ->] /=.
    by apply: le_trans h; exact: ler01.
  by rewrite ler_pemulr ?mulr_ge0 ?mulr_ege1.
by rewrite ler_pemull // subset_sum_ge0.
Qed.

Lemma prod_loss l : all (fun x => (1 <= x.1.1) && (1 <= x.2)) l ->
  growth l * \prod_(E <- [seq p.1 | p <- before l]) (1 + E) <=
  \prod_(E <- [seq p.1 | p <- after l]) (1 + E).
Proof.
elim: l => [|[[E d] g] l IH] /=; first by rewrite /growth !big_nil mulr1.
case/andP=> /andP[/= E1 g1] W; rewrite /growth !big_cons -/(growth l).
have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
have g0 : 0 <= g by apply: le_trans g1; exact: ler01.
rewrite mulrACA; apply: ler_pmul; rewrite ?mulr_ge0 ?addr_ge0 ?ler01 ?IH //.
- by apply: le_trans (growth_ge1 _); rewrite ?ler01 //; apply: sub_all W => x /andP[].
- apply: ltW; apply: prod_1add_gt0; apply/allP => e /mapP[p /mapP[x /(allP W)/andP[h _] ->] ->].
  by apply: le_trans h; exact: ler01.
rewrite -subr_ge0; have -> : 1 + E * g ^+ 2 - g * (1 + E) = (g - 1) * (E * g - 1) by ring.
by rewrite mulr_ge0 // subr_ge0 // mulr_ege1.
Qed.

(** The profile of the raised parameters at y times the square of the growth. *)
Theorem rounding_loss l y : 0 <= y ->
  all (fun x => [&& 1 <= x.1.1, 0 <= x.1.2 <= 1 & 1 <= x.2]) l ->
  profile (after l) (y * growth l ^+ 2) <= growth l * profile (before l) y.
Proof.
move=> y0 W.
have W' : all (fun x => (1 <= x.1.1) && (1 <= x.2)) l by apply: sub_all W => x /and3P[-> _ ->].
have Wb : all (@admissible F) (before l).
  by rewrite all_map; apply: sub_all W => x /and3P[E1 d _]; rewrite /= /admissible /= E1 d.
have keptE : kept (after l) = kept (before l) by rewrite /kept !big_map.
have g1 : 1 <= growth l by apply: growth_ge1; apply: sub_all W' => x /andP[].
have g0 : 0 < growth l by apply: lt_le_trans g1; exact: ltr01.
have K0 := kept_ge0 Wb.
have K1 : 0 <= 1 - kept (before l).
  rewrite subr_ge0.
  rewrite /kept big_map; elim: (l) W => [|x s IH] /=; first by rewrite big_nil.
  case/andP=> /and3P[_ /andP[d0 d1] _] /IH h'; rewrite big_cons -[X in _ <= X]mulr1.
  apply: le_trans (_ : (1 - x.1.2) * 1 <= _); first by rewrite ler_wpmul2l ?subr_ge0.
  by rewrite mulr1 mulr1 ler_subl_addr ler_addl.
rewrite /profile keptE mulrDr; apply: ler_add; first by rewrite ler_pemull.
rewrite [X in _ <= X]mulrCA ler_wpmul2l // /divergence.
have ge0 s : all (fun x : F * F * F => (1 <= x.1.1) && (1 <= x.2)) s ->
    all (fun E => 0 <= E) [seq p.1 | p <- before s].
  move=> Ws; apply/allP => E /mapP[p /mapP[x /(allP Ws)/andP[h _] ->] ->].
  by apply: le_trans h; exact: ler01.
have P0 := prod_1add_gt0 (ge0 _ W').
have P1 := prod_loss W'.
set A := \prod_(E <- [seq p.1 | p <- after l]) _ in P1 *; set B := \prod_(E <- _) _ in P0 P1 *.
have A0 : 0 < A by apply: lt_le_trans P1; rewrite mulr_gt0.
rewrite [X in X <= _]mulrC ler_pdivr_mulr //; apply: le_trans (subset_sum_loss W' ler01 y0) _.
set s := subset_sum _ _ _.
have s0 : 0 <= s by exact: subset_sum_ge0.
have gAB : growth l <= A / B by rewrite ler_pdivl_mulr.
set g := growth l in g0 gAB *.
have -> : g ^+ 2 * s = (g * s) * g by ring.
have -> : g * (B^-1 * s) * A = (g * s) * (A / B) by ring.
by rewrite ler_wpmul2l // mulr_ge0 // ltW.
Qed.
End Loss.

(** Lemma 5.3 of the paper, with c_i: raising epsilon_i by c_i, and epsilon by c = sum c_i, costs
    a factor e^(c/2) of delta. *)
Section RaisedParameters.
Variable L : seq (R * R * R).
Hypothesis P : proper [seq x.1 | x <- L].
Hypothesis c0 : forall x, x \in L -> 0 <= x.2.
Let raised := [seq (x.1.1 + x.2, x.1.2) | x <- L].
Let c := \sum_(x <- L) x.2.

Theorem raised_upper epsilon delta : 0 <= epsilon ->
  upper [seq x.1 | x <- L] epsilon (exp (- (c / 2%:R)) * delta) ->
  upper raised (epsilon + c) delta.
Proof.
move=> e0; pose l := [seq (exp x.1.1, x.1.2, exp (x.2 / 2%:R)) | x <- L].
have half (x : R) : exp (x / 2%:R) ^+ 2 = exp x.
  by rewrite expr2 -expD -mulrDl -mulr2n -[x *+ 2]mulr_natr mulfK // pnatr_eq0.
have beforeE : odds_of [seq x.1 | x <- L] = before l by rewrite /odds_of /before -!map_comp.
have afterE : odds_of raised = after l.
  rewrite /odds_of /after /raised -!map_comp; apply: eq_map => x /=.
  by rewrite half expD.
have growthE : growth l = exp (c / 2%:R).
  rewrite /growth big_map /c; elim: (L) => [|x s IH]; first by rewrite !big_nil mul0r exp_0.
  by rewrite !big_cons IH mulrDl expD.
have proper_x x : x \in L -> [/\ 0 <= x.1.1, 0 <= x.1.2 <= 1 & 0 <= x.2].
  move=> xL; have /andP[e /andP[d0 d1]] := allP P x.1 (map_f _ xL).
  by rewrite e d0 ltW // c0.
have W : all (fun x => [&& 1 <= x.1.1, 0 <= x.1.2 <= 1 & 1 <= x.2]) l.
  rewrite all_map; apply/allP => x /proper_x[e d xc] /=.
  by rewrite !exp_ge1 e d mulr_ge0 // invr_ge0 ler0n.
have P' : proper raised.
  apply/allP => p /mapP[x xL ->] /=; have /andP[e d] := allP P x.1 (map_f _ xL).
  by rewrite d andbT addr_ge0 // c0.
have y0 x : 0 <= exp x := ltW (exp_gt0 x).
rewrite /upper beforeE afterE => /composition_dp_profile h.
have {h} : profile (before l) (exp epsilon) <= exp (- (c / 2%:R)) * delta.
  by apply: h => //; rewrite -beforeE odds_admissible.
rewrite -(ler_pmul2l (exp_gt0 (c / 2%:R)%R)) mulrA -expD addrN exp_0 mul1r => h.
apply/composition_dp_profile => //; first by rewrite -afterE odds_admissible.
apply: le_trans h; have := rounding_loss (y0 epsilon) W.
by rewrite growthE half -expD.
Qed.
End RaisedParameters.

(** Theorem 1.7.  The multiples n are those of the paper: n = ceil(epsilon (1/beta + 1)). *)
Section Theorem17.
Variable beta : R.
Hypothesis beta0 : 0 < beta.
Let unit := ln (1 + beta)%R.

Lemma unit_bounds : beta / (1 + beta) <= unit <= beta.
Proof.
have b1 : 0 < 1 + beta by rewrite addr_gt0 ?ltr01.
have expu : exp unit = 1 + beta by apply: exp_ln; apply/RltP.
apply/andP; split.
  have := exp_ineq1_le (- unit); rewrite -/(exp _) => /RleP.
  rewrite RplusE -/(GRing.one _) RoppE expN expu => h.
  have -> : beta / (1 + beta) = 1 - (1 + beta)^-1.
    by field; rewrite gt_eqF.
  by rewrite ler_subl_addr -ler_subl_addl.
have := exp_ineq1_le unit; rewrite expu => /RleP; rewrite RplusE => h.
by move: h; rewrite ler_add2l.
Qed.

Definition multiple_of (epsilon : R) (n : nat) :=
  epsilon * (beta^-1 + 1) <= n%:R < epsilon * (beta^-1 + 1) + 1.

(** A multiple is at least epsilon, and at most beta (epsilon + 1) above it. *)
Lemma multiple_bounds epsilon n : 0 <= epsilon -> multiple_of epsilon n ->
  epsilon <= unit *+ n <= epsilon + beta * (epsilon + 1).
Proof.
move=> e0 /andP[lo hi]; have /andP[u_lo u_hi] := unit_bounds.
have b1 : 0 < 1 + beta by rewrite addr_gt0 ?ltr01.
have b0 : beta != 0 by rewrite gt_eqF.
have b10 : 1 + beta != 0 by rewrite gt_eqF.
rewrite -mulr_natr; apply/andP; split.
  apply: (@le_trans _ _ (beta / (1 + beta) * n%:R)); last by rewrite ler_wpmul2r ?ler0n.
  apply: (@le_trans _ _ (beta / (1 + beta) * (epsilon * (beta^-1 + 1)))).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite b0 b10.
  by rewrite ler_wpmul2l // divr_ge0 // ltW.
apply: (@le_trans _ _ (beta * n%:R)); first by rewrite ler_wpmul2r ?ler0n.
apply: (@le_trans _ _ (beta * (epsilon * (beta^-1 + 1) + 1))).
  by rewrite ler_wpmul2l // ltW.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(** Mechanisms (epsilon_i, delta_i) with their multiples n_i. *)
Variable L : seq (R * R * nat).
Hypothesis P : proper [seq x.1 | x <- L].
Hypothesis multiples : forall x, x \in L -> multiple_of x.1.1 x.2.
Let rounded := [seq (unit *+ x.2, x.1.2) | x <- L].
Let eta' := \sum_(x <- L) beta * (x.1.1 + 1).

(** First half, OptComp(delta) <= epsilon*: what holds for the rounded parameters holds. *)
Theorem theorem_1_7_sound epsilon delta :
  upper rounded epsilon delta -> upper [seq x.1 | x <- L] epsilon delta.
Proof.
have y0 : 0 <= exp epsilon := ltW (exp_gt0 _).
have Px x : x \in L -> 0 <= x.1.1 /\ 0 <= x.1.2 < 1.
  by move=> xL; have /andP[] := allP P x.1 (map_f _ xL).
have P' : proper rounded.
  apply/allP => p /mapP[x xL ->] /=; have [e d] := Px x xL; rewrite d andbT.
  by have /andP[h _] := multiple_bounds e (multiples xL); apply: le_trans e h.
move=> /(composition_dp_profile _ (odds_admissible P') y0) h.
apply/(composition_dp_profile _ (odds_admissible P) y0); apply: le_trans h.
apply: profile_mono => //; rewrite ?odds_admissible // /odds_of -!map_comp /=.
move: Px multiples; elim: (L) => [|x s IH] //= Px M.
have [e _] := Px x (mem_head _ _).
have /andP[lo _] := multiple_bounds e (M x (mem_head _ _)).
rewrite lexx exp_le lo /=; apply: IH => z zs; last by apply: M; rewrite inE zs orbT.
by apply: Px; rewrite inE zs orbT.
Qed.

(** Second half, epsilon* <= OptComp(e^(-eta/2) delta) + eta: if epsilon is enough for
    e^(-eta/2) delta, then epsilon + eta' is enough for the rounded parameters, where
    eta' = beta sum (epsilon_i + 1) <= eta - beta; going up to a multiple of ln(1 + beta) adds
    less than beta. *)
Theorem theorem_1_7_close epsilon eta delta : 0 <= epsilon -> 0 <= delta -> eta' + beta <= eta ->
  upper [seq x.1 | x <- L] epsilon (exp (- (eta / 2%:R)) * delta) ->
  upper rounded (epsilon + (eta - beta)) delta.
Proof.
move=> e0 d0 eta_le h.
have Px x : x \in L -> 0 <= x.1.1 /\ 0 <= x.1.2 < 1.
  by move=> xL; have /andP[] := allP P x.1 (map_f _ xL).
pose L' := [seq (x.1, unit *+ x.2 - x.1.1) | x <- L].
have fstE : [seq x.1 | x <- L'] = [seq x.1 | x <- L] by rewrite -map_comp.
have P1 : proper [seq x.1 | x <- L'] by rewrite fstE.
have c0 x : x \in L' -> 0 <= x.2.
  case/mapP=> z zL -> /=; have [e _] := Px z zL.
  by have /andP[lo _] := multiple_bounds e (multiples zL); rewrite subr_ge0.
have c_le : \sum_(x <- L') x.2 <= eta - beta.
  rewrite ler_subr_addr; apply: le_trans eta_le; rewrite ler_add2r /L' big_map /eta'.
  rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x xL.
  have [e _] := Px x xL; have /andP[_ hi] := multiple_bounds e (multiples xL).
  by rewrite ler_subl_addl.
set c := \sum_(x <- L') x.2 in c_le.
have c00 : 0 <= c by rewrite /c big_seq sumr_ge0.
have raisedE : [seq (x.1.1 + x.2, x.1.2) | x <- L'] = rounded.
  by rewrite /rounded -map_comp; apply: eq_map => x /=; rewrite addrC subrK.
have weaker : upper [seq x.1 | x <- L'] epsilon (exp (- (c / 2%:R)) * delta).
  rewrite fstE => Y p q C; have [h1 h2] := h Y p q C.
  have le : exp (- (eta / 2%:R)) * delta <= exp (- (c / 2%:R)) * delta.
    rewrite ler_wpmul2r // exp_le ler_opp2 ler_wpmul2r ?invr_ge0 ?ler0n //.
    by apply: le_trans c_le _; rewrite ler_subl_addr ler_addl ltW.
  by split=> F; [apply: le_trans (h1 F) _|apply: le_trans (h2 F) _]; rewrite ler_add2l.
have := raised_upper P1 c0 e0 weaker; rewrite raisedE -/c => r Y p q C.
have [h1 h2] := r Y p q C.
have [[p0 _] [q0 _]] := composition_distribution C.
have le : exp (epsilon + c) <= exp (epsilon + (eta - beta)) by rewrite exp_le ler_add2l.
by split=> F; [apply: le_trans (h1 F) _|apply: le_trans (h2 F) _];
   rewrite ler_add2r ler_wpmul2r ?sumr_ge0.
Qed.
End Theorem17.

(** Rounding down: one mechanism with epsilon = 1/2, eta = 1.  The proceedings' algorithm rounds to
    floor(k epsilon/eta) eta/k = 0 and reports 0 at delta = 0; but (0, 0)-DP is false. *)
Theorem rounding_down :
  let epsilon := 2%:R^-1 : R in let rounded := 0 : R in
  upper [:: (rounded, 0)] 0 0 /\ lower [:: (epsilon, 0)] 0 0.
Proof.
have h : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
split; [apply: rule_sum_upper|apply: rule_sum_lower];
  by rewrite ?big_seq1 /proper /= ?subr0 ?lexx ?ltr01 ?(ltW h).
Qed.
