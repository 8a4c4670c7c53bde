(** The rules of certs/SPEC.md, section 9, about budgets that are spent as one goes.

    What keeps within a budget is no more distinguishable than one mechanism that spends it at once
    beside one that fails with the budget's delta ([within_at_once]); so what is proved of these two
    carries over.  From below, mechanisms with parameters that are fixed in advance and fit are an
    interaction within the budget ([fixed_interaction]). *)
From Coq Require Import Reals Permutation FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian ConcentratedGaussian RulesConcentrated NotionsTrivial Filters.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** One mechanism with the whole of a budget, and one that fails if anything may. *)
Definition at_once (n : notion) (D : R) : seq notion :=
  if D == 0 then [:: n] else [:: Approximate 0 D; n].

Section Upper.
Variables (B D epsilon delta : R).
Hypotheses (B0 : 0 <= B) (D0 : 0 <= D < 1).

Lemma budget_upper_apart m : (forall (Y : finType) (P Q : Y -> R), interaction m B 0 P Q ->
    D + (1 - D) * hockey_stick 1 (exp epsilon) P Q <= delta) ->
  budget_upper m B D epsilon delta.
Proof.
case/andP: D0 => d0 d1 h; have D1 : 0 <= D <= 1 by rewrite d0 ltW.
have half (Y : finType) (P Q : Y -> R) : interaction m B D P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
  move=> C; have [P' [Q' [C' le]]] := interaction_apart C D1.
  have [dP _] := interaction_distribution C; have [dP' _] := interaction_distribution C'.
  have k0 : 0 <= 1 - D by rewrite subr_ge0 ltW.
  apply: le_trans (h _ _ _ C'); apply: le_trans (divergence_apart k0 (ltW (exp_gt0 _)) dP dP' le) _.
  by rewrite subKr.
by move=> Y P Q C; split; apply/events_hockey_stick; apply: half => //; exact: interaction_sym.
Qed.

(** 11.19 [filter], by a Rényi divergence of one order. *)
Theorem rule_filter_renyi (a : R) : 1 < a -> 0 < 1 - (1 - delta) / (1 - D) ->
  (a - 1) * B + (1 - a) * epsilon + log_conversion a <= ln (1 - (1 - delta) / (1 - D)) ->
  budget_upper (OfRenyi a) B D epsilon delta.
Proof.
move=> a1 Delta0 h; apply: budget_upper_apart => Y P Q C.
have [dP dQ] := interaction_distribution C.
have k0 : 0 < 1 - D by rewrite subr_gt0; case/andP: D0.
have c0 : 0 <= a - 1 by rewrite subr_ge0 ltW.
have one s (Z : finType) (p q : Z -> R) : close (OfRenyi a) s p q -> moment_at_most a (exp ((a - 1) * s)) p q.
  by case=> _ _ [].
have le : hockey_stick 1 (exp epsilon) P Q <= 1 - (1 - delta) / (1 - D).
  apply: le_trans (moment_divergence a1 epsilon dP dQ (moment_filter a1 c0 one B0 C)) _.
  by rewrite -expD -[X in _ <= X](lnK Delta0) exp_le addrC addrA.
have -> : delta = D + (1 - D) * (1 - (1 - delta) / (1 - D)).
  by rewrite mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA addrCA subrr addr0 subKr.
by rewrite ler_add2l ler_pmul2l.
Qed.

(** What is proved of a mechanism beside one that fails, of any pair that is as close. *)
Lemma within_at_once n (Y : finType) (p q : Y -> R) : satisfies G n p q ->
  mixed_upper G (at_once n D) epsilon delta ->
  D + (1 - D) * hockey_stick 1 (exp epsilon) p q <= delta.
Proof.
case/andP: D0 => d0 d1 h; set E := exp epsilon; have [[p0 p1] [q0 _] _] := h.
have single : mixed_composition G [:: n] (fun t : Y * unit => p t.1 * 1) (fun t => q t.1 * 1).
  exact: (@MixedCons G n _ _ _ _ _ (fun _ _ => 1) (fun _ _ => 1) h (fun=> MixedNil G)).
have alone a b : hockey_stick a b (fun t : Y * unit => p t.1 * 1) (fun t => q t.1 * 1) = hockey_stick a b p q.
  rewrite /hockey_stick -(pair_bigA _ (fun y (_ : unit) => pos (a * (p y * 1) - b * (q y * 1)))) /=.
  by apply: eq_bigr => y _; rewrite big_const card_unit /= addr0 !mulr1.
rewrite /at_once; case: eqP => [->|_] up.
  rewrite add0r subr0 mul1r -alone; apply/events_hockey_stick.
  by case: (up _ (Permutation_refl _) _ _ _ single).
have rr : satisfies G (Approximate 0 D) (rr0 1 D) (rr1 1 D).
  have [dP dQ i] := dp_pair_rr (lexx 1) d0 (ltW d1) (lexx 1) (lexx D).
  by split=> //=; rewrite exp_0.
have [/events_hockey_stick le _] := up _ (Permutation_refl _) _ _ _
  (@MixedCons G _ _ _ _ _ _ (fun=> _) (fun=> _) rr (fun=> single)).
apply: le_trans le; rewrite /hockey_stick.
rewrite -(pair_bigA _ (fun i t => pos (1 * (rr0 1 D i * (p t.1 * 1)) - E * (rr1 1 D i * (q t.1 * 1))))) /=.
have part i : \sum_(t : Y * unit) pos (1 * (rr0 1 D i * (p t.1 * 1)) - E * (rr1 1 D i * (q t.1 * 1))) =
    hockey_stick (rr0 1 D i) (rr1 1 D i * E) p q.
  rewrite -alone; apply: eq_bigr => t _; congr (pos (_ - _)); first by rewrite mul1r.
  by rewrite mulrCA mulrA.
rewrite (eq_bigr _ (fun i _ => part i)).
have half x : 0 <= x -> hockey_stick x (x * E) p q = x * hockey_stick 1 E p q.
  by move=> x0; rewrite -{1}(mulr1 x) hockey_stickM.
have n0 : 0 < 1 + 1 :> R by rewrite addr_gt0 // ltr01.
have c0 : 0 <= (1 - D) / (1 + 1) by rewrite divr_ge0 ?subr_ge0 ?(ltW d1) ?(ltW n0).
rewrite !big_ord_recl big_ord0 /rr0 /rr1 /= !mulr1 addr0 !half //.
rewrite (_ : hockey_stick D (0 * E) p q = D); last first.
  rewrite /hockey_stick; under eq_bigr do rewrite !mul0r subr0 pos_id ?mulr_ge0 //.
  by rewrite -mulr_sumr p1 mulr1.
rewrite ler_add2l addrA -!mulrDl (_ : (1 - D + (1 - D)) / (1 + 1) = 1 - D); last first.
  by rewrite -{1 2}[1 - D]mulr1 -mulrDr mulfK // gt_eqF.
by rewrite ler_addl sumr_ge0 // => y _; exact: pos_ge0.
Qed.

(** 11.19 [filter], by epsilon. *)
Theorem rule_filter_epsilon : mixed_upper G (at_once (Approximate B 0) D) epsilon delta ->
  budget_upper OfEpsilon B D epsilon delta.
Proof.
move=> up; apply: budget_upper_apart => Y P Q C; have [dP dQ] := interaction_distribution C.
have half (p q : Y -> R) S : interaction OfEpsilon B 0 p q ->
    \sum_(y in S) p y <= exp B * (\sum_(y in S) q y) + 0.
  by move=> c; rewrite addr0 mulr_sumr; apply: ler_sum => y _; exact: pure_filter.
apply: within_at_once up; split=> //; split=> S; apply: half => //; exact: interaction_sym.
Qed.

(** 11.19 [filter], by rho. *)
Theorem rule_filter_concentrated : mixed_upper G (at_once (Concentrated B) D) epsilon delta ->
  budget_upper OfRho B D epsilon delta.
Proof.
move=> up; apply: budget_upper_apart => Y P Q C.
exact: within_at_once (concentrated_filter B0 C) up.
Qed.

(** 11.19 [filter], by mu. *)
Theorem rule_filter_gaussian : gaussian_composes ->
  mixed_upper G (at_once (Gaussian (sqrt B)) D) epsilon delta ->
  budget_upper OfMu B D epsilon delta.
Proof.
move=> composes up; apply: budget_upper_apart => Y P Q C.
exact: within_at_once (gaussian_filter composes B0 C) up.
Qed.
End Upper.

(** What a mechanism counts in a measure, and whether it may be counted in it. *)
Definition charge (m : measure) (n : notion) : R :=
  match m with
  | OfEpsilon => if n is Approximate epsilon _ then epsilon else 0
  | OfRho => rho_of n
  | OfRenyi a => (a * rho_of n)%R
  | OfMu => square n
  end.
Definition chargeable (m : measure) (n : notion) : bool :=
  match m, n with
  | OfEpsilon, _ => of_first_notion n
  | OfMu, Approximate epsilon _ => epsilon == 0
  | OfMu, Concentrated rho => rho == 0
  | _, _ => true
  end.
Definition order_of_measure (m : measure) : Prop := if m is OfRenyi a then 1 < a else True.

Section Lower.
Variable m : measure.
Hypothesis order : order_of_measure m.

Lemma pointwise E (Y : finType) (P Q : Y -> R) : indistinguishable E 0 P Q ->
  forall y, P y <= E * Q y /\ Q y <= E * P y.
Proof.
by move=> [h1 h2] y; split; [have := h1 [set y]|have := h2 [set y]]; rewrite !big_set1 addr0.
Qed.

Lemma equal_laws (Y : finType) (P Q : Y -> R) : satisfies G (Approximate 0 0) P Q -> P = Q.
Proof.
case=> _ _ /= /pointwise h; apply: functional_extensionality => y; apply/eqP; rewrite eq_le.
by have [h1 h2] := h y; move: h1 h2; rewrite exp_0 !mul1r => -> ->.
Qed.

Lemma concentrated_of n (Y : finType) (P Q : Y -> R) : proper_notion n ->
  satisfies G (unfailing n) P Q -> satisfies G (Concentrated (rho_of n)) P Q.
Proof.
case: n => [e d w|mu w|rho _] //=; last exact: gaussian_concentrated.
case=> dP dQ h; split=> // a a1.
have le : response_moment a e <= exp (a * (a - 1) * (e ^+ 2 / 2%:R)).
  have := @log_moment_le a (Approximate e d) a1 w.
  by rewrite -exp_le /= lnK ?response_moment_gt0.
have e0 : 0 <= e by case/andP: w.
have half (p q : Y -> R) : dp_pair (exp e) 0 p q -> moment_at_most a (exp (a * (a - 1) * (e ^+ 2 / 2%:R))) p q.
  by move=> pq; have [s l] := response_dominates a1 e0 pq; split=> //; exact: le_trans l le.
by split; apply: half; [|apply: dp_pair_sym].
Qed.

Lemma close_of n (Y : finType) (P Q : Y -> R) : proper_notion n -> chargeable m n ->
  satisfies G (unfailing n) P Q -> close m (charge m n) P Q.
Proof.
move=> w c h; have [dP dQ _] := h; split=> //; case: m order c => [|_ _|a a1 _|_] /=.
- case: n w h => [e d|mu|rho] w h _ c y; last 2 first.
  + by have [_ _ k] := trivial_dp c h; exact: pointwise k y.
  + by have [_ _ k] := trivial_dp c h; exact: pointwise k y.
  by have [_ _ k] := h; exact: pointwise k y.
- by case: (concentrated_of w h).
- have [_ _ /(_ a a1)] := concentrated_of w h.
  by have -> : a * (a - 1) * rho_of n = (a - 1) * (a * rho_of n) by rewrite mulrCA mulrA.
- case: n w h => [e d|mu|rho] w h c y.
  + by rewrite sqrt_0; move: h; rewrite /= (eqP c) => /equal_laws ->; exact: same_law.
  + rewrite (_ : sqrt _ = mu); first by case: h => _ _; apply.
    by rewrite /square -RpowE; apply: sqrt_pow2; exact/RleP.
  + by rewrite sqrt_0 -(equal_laws (@trivial_dp (Concentrated rho) _ _ _ c h)); exact: same_law.
Qed.

Lemma answers_of n (Y : finType) (P Q : Y -> R) : proper_notion n -> chargeable m n ->
  satisfies G n P Q -> answers m (charge m n) (failure n) P Q.
Proof.
move=> w c h; have [dP dQ _] := h; have [p [q [h' le]]] := failure_apart w h.
by split=> //; exists p, q; split=> //; exact: close_of.
Qed.

Lemma charge_ge0 n : proper_notion n -> 0 <= charge m n.
Proof.
have rho0 : proper_notion n -> 0 <= rho_of n.
  by case: n => [e d|mu|rho] //= _; rewrite divr_ge0 ?sqr_ge0 ?ler0n.
case: m order => [|_|a a1|_] /=.
- by case: n {rho0} => // e d _ /andP[].
- exact: rho0.
- by move=> /rho0 r0; rewrite mulr_ge0 // ltW // (lt_trans ltr01).
- by case: n {rho0} => [e d|mu|rho] //= _; exact: sqr_ge0.
Qed.

Lemma failure_ge0 n : proper_notion n -> 0 <= failure n.
Proof. by case: n => [e d /and3P[]|mu|rho]. Qed.

Lemma sum_ge0 (F : notion -> R) ns : (forall n, proper_notion n -> 0 <= F n) ->
  all proper_notion ns -> 0 <= \sum_(n <- ns) F n.
Proof.
move=> F0; elim: ns => [|n ns IH] /=; first by rewrite big_nil.
by case/andP=> /F0 h /IH; rewrite big_cons; exact: addr_ge0.
Qed.

(** Parameters that are fixed in advance and fit. *)
Lemma fixed_interaction ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  all proper_notion ns -> all (chargeable m) ns -> forall B D,
  \sum_(n <- ns) charge m n <= B -> \sum_(n <- ns) failure n <= D -> interaction m B D P Q.
Proof.
elim=> {ns Y P Q} [|n ns Y Z P Q P' Q' h C IH] /=.
  move=> _ _ B D _ _; apply: Stops; have [d _] := mixed_composition_distribution (MixedNil G); exact: d.
case/andP=> w W /andP[c Cs] B D; rewrite !big_cons => sB dD.
apply: (@Spends m B D (charge m n) (failure n)).
- rewrite charge_ge0 //= (le_trans _ sB) // ler_addl; exact: (sum_ge0 charge_ge0).
- rewrite failure_ge0 //= (le_trans _ dD) // ler_addl; exact: (sum_ge0 failure_ge0).
- exact: answers_of.
- by move=> y; apply: IH; rewrite // ler_subr_addl.
Qed.

(** 11.19 [filter], from below. *)
Theorem rule_fixed_spends ns B D epsilon delta : all proper_notion ns -> all (chargeable m) ns ->
  \sum_(n <- ns) charge m n <= B -> \sum_(n <- ns) failure n <= D ->
  mixed_lower G ns epsilon delta -> budget_lower m B D epsilon delta.
Proof.
move=> W C sB dD [ns' [p [Y [P [Q [c n]]]]]]; exists Y, P, Q; split=> //.
apply: (fixed_interaction c); rewrite -?(all_permutation _ p) //.
- by rewrite -(sum_permutation _ p).
- by rewrite -(sum_permutation _ p).
Qed.
End Lower.
