(** Ledgers of mechanisms that are given by their noise: bounds by the sum of the losses of pairs, beside
    mechanisms that are mu-Gaussian DP, failures included (SPEC, 11.7 and 11.8).

    From above each mechanism is, but for a failure of known probability, dominated by a pair in both directions
    ([shown_as]); from below the pairs' own laws have the noise of their entries ([told_by_losses]). *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Losses Reals Notions Failures RulesGaussian GaussianComposition.
From ExactDP Require Import Composition RulesMixture RulesProfiles DrawnFirst LossLaws RulesNoiseFourier NoiseLedgers NoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- from above --- *)

(** A mechanism with this noise does not fail with the probability k, and then is one of the entry. *)
Definition shown_as (n : noise) (e : loss_entry) (k : R) : Prop := 0 < k /\
  forall (Y : finType) (P Q : Y -> R), has_noise n P Q -> exists P' Q', of_loss_entry e P' Q' /\
  forall y, k * P' y <= P y /\ k * Q' y <= Q y.

Lemma shown_plainly n e : (forall (Y : finType) (P Q : Y -> R), has_noise n P Q -> of_loss_entry e P Q) ->
  shown_as n e 1.
Proof. by move=> h; split=> [|Y P Q /h C]; [exact: ltr01|exists P, Q; split=> // y; rewrite !mul1r]. Qed.

Lemma response_shown e d : 0 <= e -> 0 <= d < 1 ->
  shown_as (OfNotion (Approximate e d)) (OfLosses (response e)) (1 - d).
Proof.
move=> e0 d01; have w : proper_notion (Approximate e d) by rewrite /= e0.
split=> [|Y P Q [_ _ h]]; first by case/andP: d01; rewrite subr_gt0.
have [P' [Q' [[dP dQ i] le]]] := failure_apart w h; exists P', Q'; split=> //.
have dom (S T : Y -> R) : distribution S -> distribution T -> indistinguishable (exp e) 0 S T ->
    dominated_by (pair_of (response e)) S T.
  move=> dS dT j; have [[S0 _] [T0 _]] := (dS, dT); split=> [y|y y0]; first by split.
  apply: le_trans (dominated_by_response e0 (DpPair dS dT j) ler01 y0) _.
  rewrite /hockey_stick !big_bool /= /truthful /untruthful /GaussianComposition.response /= expN opprK.
  have p := exp_gt0 e; move: (exp e) p => E E0.
  have n : 1 + E != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
  have n' : 1 + E^-1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?invr_gt0.
  have E1 : E != 0 by rewrite gt_eqF.
  have n2 : E + 1 != 0 by rewrite addrC.
  have e1 : E / (1 + E) = (1 + E^-1)^-1 by field; rewrite ?n ?n' ?n2 ?E1.
  have e2 : 1 / (1 + E) = (1 + E^-1)^-1 * E^-1 by field; rewrite ?n ?n' ?n2 ?E1.
  have e3 : E^-1 / (1 + E^-1) = 1 / (1 + E) by field; rewrite ?n ?n' ?n2 ?E1.
  have e4 : 1 / (1 + E) * E = (1 + E^-1)^-1 by field; rewrite ?n ?n' ?n2 ?E1.
  by rewrite e3 e4 e1 -e2.
by split=> //; apply: dom => //; by case: i.
Qed.

(** A mechanism, what it is shown as, and when it does not fail. *)
Definition shown := (noise * loss_entry * R)%type.
Definition noise_in (d : shown) : noise := d.1.1.
Definition entry_in (d : shown) : loss_entry := d.1.2.
Definition all_kept (ds : seq shown) : R := (\prod_(d <- ds) d.2)%R.

Lemma noisy_distribution ns (Y : finType) (P Q : Y -> R) :
  noisy_composition ns P Q -> distribution P /\ distribution Q.
Proof.
elim=> {ns Y P Q} [|n ns Y Z P Q P' Q' [dP dQ _] _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Lemma loss_distribution es (Y : finType) (P Q : Y -> R) :
  loss_composition es P Q -> distribution P /\ distribution Q.
Proof. by apply: composed_distribution => -[L|mu] Z S T []. Qed.

Section Upper.
Variable ds : seq shown.
Hypothesis are_shown : List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds.

Lemma all_kept_gt0 : 0 < all_kept ds.
Proof.
rewrite /all_kept; elim: are_shown => [|d ds' [k0 _] _ IH]; first by rewrite big_nil ltr01.
by rewrite big_cons mulr_gt0.
Qed.

Lemma losses_apart (Y : finType) (P Q : Y -> R) : noisy_composition (map noise_in ds) P Q ->
  exists P' Q', loss_composition (map entry_in ds) P' Q' /\
  forall y, all_kept ds * P' y <= P y /\ all_kept ds * Q' y <= Q y.
Proof.
move E : (map noise_in ds) => ns C; elim: C ds are_shown E => {ns Y P Q} [|n ns Y Z P Q P2 Q2 h _ IH] [|d ds'] //=.
  move=> _ _; exists (fun=> 1), (fun=> 1); split; first exact: ComposedNil.
  by move=> y; rewrite /all_kept big_nil mulr1.
move=> all [en E]; inversion all as [|? ? [k0 one] rest]; subst.
have [P' [Q' [h' PQ]]] := one _ _ _ h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
    loss_composition (map entry_in ds') F.1 F.2 /\
    forall z, all_kept ds' * F.1 z <= P2 y z /\ all_kept ds' * F.2 z <= Q2 y z.
  by have [P2' [Q2' H]] := IH y ds' rest erefl; exists (P2', Q2').
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
  by apply: (@ComposedCons _ of_loss_entry _ _ _ _ P' Q' (fun y => (F y).1) (fun y => (F y).2)) => // y; case: (HF y).
have K0 : 0 <= all_kept ds'.
  rewrite /all_kept; elim: rest {IH all HF} => [|? ? [? _] _ ?]; first by rewrite big_nil ler01.
  by rewrite big_cons mulr_ge0 // ltW.
have [[P'0 _] [Q'0 _]] : distribution P' /\ distribution Q' by case: (entry_in d) h' => [L|mu] [].
move=> [y z] /=; rewrite /all_kept big_cons -/(all_kept ds').
have [C /(_ z)[Pz Qz]] := HF y; have [Py Qy] := PQ y; have [[F1 _] [F2 _]] := loss_distribution C.
by split; rewrite mulrACA ler_pmul ?mulr_ge0 // ltW.
Qed.
End Upper.

(** The order of the mechanisms does not matter. *)
Lemma profile_product_permutation Ls Ls' mu x : Permutation Ls Ls' ->
  profile_beside mu (law_product Ls) x = profile_beside mu (law_product Ls') x.
Proof.
move=> p; elim: p x => {Ls Ls'} [|L Ls Ls' _ IH|L L' Ls|Ls1 Ls2 Ls3 _ IH _ IH'] x //=; last by rewrite IH.
  by rewrite !profile_times; apply: eq_bigr => z _; rewrite IH.
rewrite !profile_times; under eq_bigr do rewrite profile_times mulr_sumr.
rewrite exchange_big; apply: eq_bigr => z _ /=; rewrite profile_times mulr_sumr; apply: eq_bigr => z' _.
by rewrite mulrCA; congr (_ * (_ * profile_beside _ _ _)); rewrite addrAC.
Qed.

Lemma losses_permutation es es' : Permutation es es' -> Permutation (laws_of_losses es) (laws_of_losses es').
Proof.
elim=> {es es'} [|e es es' _ IH|e e' es|es1 es2 es3 _ IH _ IH'] //=; rewrite /laws_of_losses /=.
- by case: e => [L|mu] /=; [constructor|].
- by case: e => [L|mu]; case: e' => [L'|mu'] /=; try exact: Permutation_refl; exact: perm_swap.
exact: Permutation_trans IH IH'.
Qed.

Lemma sum_permutation (A : Type) (F : A -> R) s s' : Permutation s s' -> \sum_(a <- s) F a = \sum_(a <- s') F a.
Proof.
elim=> {s s'} [|a s s' _ IH|a b s|s1 s2 s3 _ -> _ ->] //; first by rewrite !big_cons IH.
by rewrite !big_cons addrCA.
Qed.

Lemma prod_permutation (A : Type) (F : A -> R) s s' : Permutation s s' -> \prod_(a <- s) F a = \prod_(a <- s') F a.
Proof.
elim=> {s s'} [|a s s' _ IH|a b s|s1 s2 s3 _ -> _ ->] //; first by rewrite !big_cons IH.
by rewrite !big_cons mulrCA.
Qed.

(** 11.7, failures included. *)
Theorem noisy_upper_by_losses ds (mu epsilon delta : R) :
  List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds -> all proper_losses (map entry_in ds) ->
  sqrt (squares (map entry_in ds)) <= mu ->
  profile_beside mu (law_product (laws_of_losses (map entry_in ds))) epsilon <= 1 - (1 - delta) / all_kept ds ->
  noisy_upper (map noise_in ds) epsilon delta.
Proof.
move=> shows proper le check ns p Y P Q C.
have [ds' [E p']] := @Permutation_map_inv _ _ noise_in ns ds (Permutation_sym p); subst ns.
have shows' : List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds'.
  by apply/List.Forall_forall => d /(Permutation_in _ (Permutation_sym p')); move: d; exact/List.Forall_forall.
have k0 := all_kept_gt0 shows; have kE : all_kept ds' = all_kept ds.
  by apply: prod_permutation; exact: Permutation_sym.
have pe : Permutation (map entry_in ds') (map entry_in ds) by apply: Permutation_map; exact: Permutation_sym.
have sq : squares (map entry_in ds') = squares (map entry_in ds) by exact: sum_permutation.
have proper' : all proper_losses (map entry_in ds') by rewrite (all_permutation _ pe).
have m0 : 0 <= sqrt (squares (map entry_in ds)) by exact/RleP/sqrt_pos.
have [P' [Q' [C' PQ]]] := losses_apart shows' C; rewrite kE in PQ.
have [dP dQ] := noisy_distribution C; have [dP' dQ'] := loss_distribution C'.
have half (S T S' T' : Y -> R) : distribution S -> distribution S' -> loss_composition (map entry_in ds') S' T' ->
    (forall y, all_kept ds * S' y <= S y /\ all_kept ds * T' y <= T y) -> hockey_stick 1 (exp epsilon) S T <= delta.
  move=> dS dS' B h; apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dS dS' h) _.
  have -> : delta = 1 - all_kept ds + all_kept ds * (1 - (1 - delta) / all_kept ds).
    by rewrite mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
  rewrite ler_add2l ler_pmul2l //; apply: le_trans check.
  apply: le_trans (composition_beside proper' B ler01 (ltW (exp_gt0 _))) _; rewrite /beside_losses sq.
  rewrite profile_beside_at // (profile_product_permutation _ _ (losses_permutation pe)).
  exact: beside_monotone.
split; apply/events_hockey_stick; first exact: half C' PQ.
by apply: (half Q P Q' P') => //; [exact: loss_composition_sym|move=> y; case: (PQ y)].
Qed.
