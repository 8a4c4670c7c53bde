(** Upper bounds for mechanisms whose order may depend on the answers before, with answers that both
    databases give alike in between: what parallel composition leaves of a workload.

    [any_order_upper] is what CheckerMixedWorkloads.v asks of the concluded ledger.  It holds for
    `trivial`; for rules of the first notion, beside a mu or rho of 0; for the rules of concentrated
    and Rényi differential privacy, since moments multiply in any order; and for those about the mean
    of a Gaussian profile, as domination composes in any order ([gaussian_composes_in_any_order]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures Powers
  GaussianComposition Moments ConcentratedGaussian RulesConcentrated RulesGaussian
  NotionsTrivial Workloads RulesWorkloads RulesMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AnyOrder.
Section Indexed.
Variables (C : eqType) (g : C -> notion).
Hypothesis W : forall c, proper_notion (g c).
Let kept cs : R := \prod_(c <- cs) (1 - failure (g c)).

Let kept_gt0 cs : 0 < kept cs.
Proof. by apply: prodr_gt0 => c _; case/andP: (failure_bounds (W c)). Qed.

Let kept_le1 cs : kept cs <= 1.
Proof.
elim: cs => [|c cs IH]; first by rewrite /kept big_nil.
have /andP[d0 d1] := failure_bounds (W c).
by rewrite /kept big_cons mulr_ile1 // ltW // kept_gt0.
Qed.

Lemma interleaved_apart cs (Y : finType) (P Q : Y -> R) : interleaved (of_notion G) g cs P Q ->
  exists P' Q', interleaved (of_notion G) (unfailing \o g) cs P' Q' /\
  forall y, kept cs * P' y <= P y /\ kept cs * Q' y <= Q y.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P2 Q2 dP PQ _ IH|c cs Y Z P Q P2 Q2 ccs h _ IH].
- exists (fun=> 1), (fun=> 1); split; first exact: InterleavedEnd.
  by move=> y; rewrite mulr1.
- have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
      interleaved (of_notion G) (unfailing \o g) cs F.1 F.2 /\
      forall z, kept cs * F.1 z <= P2 y z /\ kept cs * F.2 z <= Q2 y z.
    by have [P2' [Q2' H]] := IH y; exists (P2', Q2').
  exists (fun p => P p.1 * (F p.1).1 p.2), (fun p => Q p.1 * (F p.1).2 p.2); split.
    apply: (InterleavedAlike (P' := fun y => (F y).1) (Q' := fun y => (F y).2)) => // y.
    by case: (HF y).
  have [P0 _] := dP; move=> [y z] /=; have [_ /(_ z)[Pz Qz]] := HF y.
  by rewrite -PQ ![kept cs * (P y * _)]mulrCA; split; apply: ler_wpmul2l.
have [P' [Q' [h' PQ]]] := failure_apart (W c) h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
    interleaved (of_notion G) (unfailing \o g) (rem c cs) F.1 F.2 /\
    forall z, kept (rem c cs) * F.1 z <= P2 y z /\ kept (rem c cs) * F.2 z <= Q2 y z.
  by have [P2' [Q2' H]] := IH y; exists (P2', Q2').
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
  apply: (InterleavedPrivate (P := P') (Q := Q') (P' := fun y => (F y).1) (Q' := fun y => (F y).2) ccs) => // y.
  by case: (HF y).
have k0 := ltW (kept_gt0 (rem c cs)); have /andP[/ltW d0 _] := failure_bounds (W c).
have [[P'0 _] [Q'0 _] _] := h'.
move=> [y z] /=; have -> : kept cs = (1 - failure (g c)) * kept (rem c cs).
  by rewrite /kept (perm_big _ (perm_to_rem ccs)) big_cons.
have [/interleaved_distribution[[F1 _] [F2 _]] /(_ z)[Pz Qz]] := HF y; have [Py Qy] := PQ y.
by split; rewrite mulrACA ler_pmul ?mulr_ge0.
Qed.

(** A bound of the divergence where no mechanism fails. *)
Lemma any_order_apart cs epsilon delta :
  (forall (Y : finType) (P Q : Y -> R), interleaved (of_notion G) (unfailing \o g) cs P Q ->
     hockey_stick 1 (exp epsilon) P Q <= mixed_slack [seq g c | c <- cs] delta) ->
  interleaved_upper (of_notion G) g cs epsilon delta.
Proof.
move=> H Y P Q A.
have half (S T : Y -> R) : interleaved (of_notion G) g cs S T -> hockey_stick 1 (exp epsilon) S T <= delta.
  move=> B; have [S2 [T2 [B2 le]]] := interleaved_apart B; have k0 := kept_gt0 cs.
  have [dS _] := interleaved_distribution B; have [dS2 _] := interleaved_distribution B2.
  apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dS dS2 le) _.
  have -> : delta = 1 - kept cs + kept cs * mixed_slack [seq g c | c <- cs] delta.
    rewrite /mixed_slack /mixed_kept big_map -/(kept cs) mulrBr mulr1 [_ * (_ / _)]mulrC.
    by rewrite divfK ?gt_eqF // addrA subrK subKr.
  by rewrite ler_add2l ler_pmul2l //; exact: H B2.
split; apply/events_hockey_stick; apply: half => //; apply: interleaved_sym A.
by move=> n Z S T; exact: satisfies_sym.
Qed.

(** Moments, as in RulesConcentrated.v. *)
Section Moments.
Variables (a : R) (a1 : 1 < a).

Lemma unfailing_moment n (Y : finType) (P Q : Y -> R) : proper_notion n ->
  satisfies G (unfailing n) P Q -> moment_at_most a (exp (log_moment a n)) P Q.
Proof.
case: n => [x d /andP[x0 _] [dP dQ h]|mu mu0 h|rho _ [_ _ h]] /=.
- by rewrite lnK ?response_moment_gt0 //; apply: response_dominates.
- by have [_ _ /(_ a a1)[]] := gaussian_concentrated mu0 h.
- by have [] := h a a1.
Qed.

Lemma distribution_unit : distribution (fun _ : unit => 1 : R).
Proof. by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0]. Qed.

(** The moment of two equal distributions is 1. *)
Lemma log_moment_ge0 n : proper_notion n -> 0 <= log_moment a n.
Proof.
have a0 : 0 <= a * (a - 1) by rewrite mulr_ge0 ?subr_ge0 ?(ltW a1) // (le_trans ler01) // ltW.
case: n => [x d /andP[x0 _]|mu _|rho r0] /=; last 2 first.
- by rewrite mulr_ge0 // divr_ge0 ?sqr_ge0 ?ler0n.
- exact: mulr_ge0.
have alike : dp_pair (exp x) 0 (fun _ : unit => 1 : R) (fun=> 1).
  apply: (@dp_alike _ (exp x, 0)) => //; last exact: distribution_unit.
  by rewrite /admissible /= exp_ge1 x0 lexx ler01.
rewrite -exp_le exp_0 lnK ?response_moment_gt0 //; have [_] := response_dominates a1 x0 alike.
apply: le_trans; rewrite big_const card_unit /= addr0 power_term_pos ?ltr01 //.
by rewrite subrr mulr0 exp_0 mulr1.
Qed.

Lemma interleaved_moment cs (Y : finType) (P Q : Y -> R) :
  interleaved (of_notion G) (unfailing \o g) cs P Q ->
  moment_at_most a (exp (\sum_(c <- cs) log_moment a (g c))) P Q.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P2 Q2 dP PQ A IH|c cs Y Z P Q P2 Q2 ccs h A IH].
- have [s m] := moment_self a distribution_unit; split=> //; apply: le_trans m _.
  by rewrite exp_ge1; apply: sumr_ge0 => c _; exact: log_moment_ge0.
- have dist y := interleaved_distribution (A y).
  have eq : moment_at_most a 1 P Q.
    have [s m] := moment_self a dP; split=> [y|]; first by rewrite -PQ.
    by under eq_bigr do rewrite -PQ.
  have dQ : distribution Q.
    by case: dP => P0 P1; split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
  by rewrite -[exp _]mul1r; apply: moment_pair => //; try (by move=> y; case: (dist y)); exact: ltW (exp_gt0 _).
have dist y := interleaved_distribution (A y); have [dP dQ _] := h.
rewrite (perm_big _ (perm_to_rem ccs)) big_cons expD.
apply: moment_pair => //; try (by move=> y; case: (dist y)); first exact: ltW (exp_gt0 _).
exact: unfailing_moment h.
Qed.

(** 11.14 [moments]. *)
Theorem renyi_any_order cs epsilon delta :
  let ns := [seq g c | c <- cs] in 0 < mixed_slack ns delta ->
  \sum_(n <- ns) log_moment a n + (1 - a) * epsilon + log_conversion a <= ln (mixed_slack ns delta) ->
  interleaved_upper (of_notion G) g cs epsilon delta.
Proof.
move=> ns D0 h; apply: any_order_apart => Y P Q A; have [dP dQ] := interleaved_distribution A.
apply: le_trans (moment_divergence a1 epsilon dP dQ (interleaved_moment A)) _.
rewrite -expD -[X in _ <= X](lnK D0) exp_le addrC addrA; apply: le_trans h.
by rewrite /ns big_map.
Qed.

End Moments.

End Indexed.

Definition any_order_upper (ns : seq notion) (epsilon delta : R) : Prop :=
  interleaved_upper (of_notion G) (nth (Concentrated 0) ns) (iota 0 (size ns)) epsilon delta.

Theorem any_order_vacuous ns epsilon : any_order_upper ns epsilon 1.
Proof. exact: vacuous_interleaved. Qed.

Variables (ns : seq notion) (epsilon delta : R).
Hypothesis P : all proper_notion ns.

Let W c : proper_notion (nth (Concentrated 0) ns c).
Proof.
case: (ltnP c (size ns)) => h; first exact: (all_nthP (Concentrated 0) P).
by rewrite nth_default /=.
Qed.
Let E : [seq nth (Concentrated 0) ns c | c <- iota 0 (size ns)] = ns.
Proof. exact: mkseq_nth. Qed.

Section Concentrated.
Hypothesis D0 : 0 < mixed_slack ns delta.

Theorem any_order_renyi (a : R) : 1 < a ->
  \sum_(n <- ns) log_moment a n + (1 - a) * epsilon + log_conversion a <= ln (mixed_slack ns delta) ->
  any_order_upper ns epsilon delta.
Proof. by move=> a1 h; apply: (renyi_any_order W a1); rewrite ?E. Qed.

End Concentrated.
End AnyOrder.

(** The mean of the profile bounds a composition in any order, as [gaussian_composes] says of a
    given one (Dong, Roth & Su 2022, Theorems 2.10 and 3.2, Corollary 3.3): normal distributions and
    randomized responses side by side are the same in any order. *)
Lemma domination_of_permutation ns ns' (a b : R) : Permutation ns ns' ->
  domination_of ns a b = domination_of ns' a b.
Proof.
case/permutation_parts=> p same; rewrite /domination_of /total_mu same.
exact: mean_curve_permutation.
Qed.

Lemma interleaved_domination (C : eqType) (g : C -> notion) cs (Y : finType) (P Q : Y -> R) :
  (forall c, proper_notion (g c)) -> (forall c, ~~ concentrated (g c)) ->
  interleaved (of_notion G) (unfailing \o g) cs P Q ->
  forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= domination_of [seq g c | c <- cs] a b.
Proof.
move=> W below; elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] a b a0 b0.
- apply: le_trans (mean_curve_ge _ _ a0 b0).
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
- rewrite hockey_stick_product -[X in _ <= X]mul1r -P1 mulr_suml; apply: ler_sum => y _.
  rewrite -PQ; apply: le_trans (IH y _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (P0 y))) _.
  by rewrite /domination_of [a * _]mulrC [b * _]mulrC mean_curveM // total_mu_ge0.
have [[P0 _] [Q0 _] _] := h; rewrite hockey_stick_product.
rewrite (domination_of_permutation _ _ (rem_permutation g ccs)).
apply: le_trans (domination_step _ (W c) (below c) h a0 b0).
by apply: ler_sum => y _; apply: IH; rewrite mulr_ge0.
Qed.

Theorem gaussian_composes_in_any_order ns (Y : finType) (P Q : Y -> R) epsilon :
  all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  interleaved (of_notion G) (unfailing \o nth (Concentrated 0) ns) (iota 0 (size ns)) P Q ->
  hockey_stick 1 (exp epsilon) P Q <= mean_profile (total_mu square ns) (epsilons_of ns) epsilon.
Proof.
move=> W below A; rewrite -mean_curve_profile ?total_mu_ge0 //.
have each (p : pred notion) : p (Concentrated 0) -> all p ns -> forall c, p (nth (Concentrated 0) ns c).
  move=> p0 h c; case: (ltnP c (size ns)) => hc; first exact: (all_nthP (Concentrated 0) h).
  by rewrite nth_default.
have := interleaved_domination (each _ _ W) (each _ _ below) A ler01 (ltW (exp_gt0 epsilon)).
by rewrite -[[seq _ | c <- _]]/(mkseq _ _) mkseq_nth; apply => //=; rewrite ?eqxx.
Qed.

Theorem any_order_of_mean ns epsilon delta : all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta ->
  any_order_upper ns epsilon delta.
Proof.
move=> W below h; apply: any_order_apart => [c|Y P Q A].
  case: (ltnP c (size ns)) => hc; first exact: (all_nthP (Concentrated 0) W).
  by rewrite nth_default /=.
rewrite -[[seq _ | c <- _]]/(mkseq _ _) mkseq_nth; apply: le_trans h.
exact: gaussian_composes_in_any_order A.
Qed.

(** Rules of the first notion: the only other mechanisms have a mu or rho of 0. *)
Theorem any_order_pairs ns epsilon delta : all of_first_notion ns -> all proper_notion ns ->
  upper (pairs_of ns) epsilon delta -> any_order_upper ns epsilon delta.
Proof.
move=> F W; have [p1 p2] := pairs_proper W.
move/(upper_iff p1); rewrite /slack -pairs_kept -(pairs_divergence W) => /(upper_iff p2) up Y P Q A.
pose g i := as_pair (nth (Concentrated 0) ns i).
have e : [seq as_pair n | n <- ns] = [seq g i | i <- iota 0 (size ns)].
  by rewrite -{1}(mkseq_nth (Concentrated 0) ns) -map_comp.
rewrite e in p2 up; apply: (upper_interleaved p2 up).
have first i : of_first_notion (nth (Concentrated 0) ns i).
  case: (ltnP i (size ns)) => h; first exact: (all_nthP (Concentrated 0) F).
  by rewrite nth_default /=.
elim: A => {Y P Q} [cs|cs Y Z P Q P' Q' dP PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH].
- exact: InterleavedEnd.
- exact: InterleavedAlike dP PQ IH.
apply: (InterleavedPrivate ccs) IH; rewrite /= /g; move: (first c) h.
by case: (nth _ _ c) => [x d|mu|rho] f h; [case: h|case: (trivial_dp f h)|case: (trivial_dp f h)].
Qed.
