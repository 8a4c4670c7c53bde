(** Mechanisms that are known by the sum of their losses, beside Gaussian mechanisms, in an order which may
    depend on the answers before, and if some are left out: `fourier-upper` after `noise-colouring`.

    But for failures of known probabilities each is dominated by a pair in both directions
    ([shown_as] in NoiseLosses.v), or mu-Gaussian DP; then what all reveal is that of the product of the pairs
    beside one normal pair ([interleaved_by_losses]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions Failures RulesGaussian Workloads.
From ExactDP Require Import RulesNoiseRenyi GaussianComposition OrderOfWorkloads LossLaws RulesNoiseFourier NoiseLedgers NoiseTests NoiseLosses.
From ExactDP Require Import RulesNoiseWorkloads OrderOfNoise OrderOfProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- the bound --- *)

Lemma beside_scaled ns (c a b : R) : 0 <= c -> 0 <= a -> 0 <= b ->
  beside_losses ns (c * a)%R (c * b)%R = c * beside_losses ns a b.
Proof.
move=> c0 a0 b0; have m0 : 0 <= sqrt (squares ns) by exact/RleP/sqrt_pos.
rewrite /beside_losses /beside_at mulr_sumr; apply: eq_bigr => z _.
have p0 := @chance_ge0 (law_product (laws_of_losses ns)) z.
have q0 : 0 <= @chance (law_product (laws_of_losses ns)) z * exp (- loss z) by rewrite mulr_ge0 // ltW // exp_gt0.
rewrite -(mean_curveM m0 [::] c0 (mulr_ge0 a0 p0) (mulr_ge0 b0 q0)); congr NormalCurve.curve; exact: esym (mulrA _ _ _).
Qed.

Lemma beside_times (mu : R) (L M : loss_law) (a b : R) : beside_at mu (law_times L M) a b =
  \sum_z beside_at mu M (a * @chance L z)%R (b * (@chance L z * exp (- loss z)))%R.
Proof.
rewrite /beside_at -(pair_bigA _ (fun y z => mean_curve mu [::]
  (a * (@chance L y * @chance M z)) (b * (@chance L y * @chance M z * exp (- (loss y + loss z)))))) /=.
apply: eq_bigr => y _; apply: eq_bigr => z _; congr NormalCurve.curve; first by rewrite mulrA.
by rewrite opprD expD mulrACA !mulrA.
Qed.

Lemma beside_product_permutation Ls Ls' (mu a b : R) : Permutation Ls Ls' ->
  beside_at mu (law_product Ls) a b = beside_at mu (law_product Ls') a b.
Proof.
move=> p; elim: p a b => {Ls Ls'} [|L Ls Ls' _ IH|L L' Ls|Ls1 Ls2 Ls3 _ IH _ IH'] a b //=; last by rewrite IH.
  by rewrite !beside_times; apply: eq_bigr => z _; rewrite IH.
rewrite !beside_times; under eq_bigr do rewrite beside_times.
under [RHS]eq_bigr do rewrite beside_times.
rewrite exchange_big; apply: eq_bigr => z _; apply: eq_bigr => z' _.
by congr beside_at; exact: mulrAC.
Qed.

Lemma beside_permutation ns ns' (a b : R) : Permutation ns ns' -> beside_losses ns a b = beside_losses ns' a b.
Proof.
move=> p; rewrite /beside_losses (beside_product_permutation _ _ _ (losses_permutation p)).
by rewrite /squares (sum_permutation _ p).
Qed.

(** --- the mechanisms --- *)

Lemma interleaved_distribution (C : eqType) (g : C -> noise) cs (Y : finType) (P Q : Y -> R) :
  interleaved of_noise g cs P Q -> distribution P /\ distribution Q.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' dP PQ _ IH|c cs Y Z P Q P' Q' _ [dP dQ _] _ IH].
- by split; exact: distribution_unit.
- have dQ : distribution Q.
    by case: dP => P0 P1; split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
  by split; apply: distribution_pair => // y; case: (IH y).
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Section Interleaved.
Variables (C : eqType) (d : C -> shown).
Let g c := noise_in (d c).
Let e c := entry_in (d c).

Definition shown_at c := [/\ shown_as (g c) (e c) (d c).2, proper_losses (e c) & proper_query (ByEntry (g c))].

Definition kept_in (cs : seq C) : R := (\prod_(c <- cs) (d c).2)%R.

(** Where a mechanism is left out. *)
Lemma left_out c : shown_at c -> (d c).2 <= 1 /\ exists P Q : unit -> R, of_loss_entry (e c) P Q /\ P tt = 1 /\ Q tt = 1.
Proof.
case=> -[k0 shows] _ proper.
have h : has_noise (g c) (fun _ : unit => 1) (fun=> 1).
  exact: (has_query_noise_alike (n := ByEntry (g c))) proper distribution_unit.
have [P [Q [h' le]]] := shows _ _ _ h.
have one (S : unit -> R) : distribution S -> S tt = 1 by case=> _; rewrite (big_pred1 tt) // => -[].
have [dP dQ] : distribution P /\ distribution Q by case: (e c) h' => [M|m] [].
have [p q] := (one P dP, one Q dQ); split; last by exists P, Q.
by have [] := le tt; rewrite p mulr1.
Qed.

Lemma kept_in_bounds cs : {in cs, forall c, shown_at c} -> 0 < kept_in cs /\ kept_in cs <= 1.
Proof.
rewrite /kept_in; elim: cs => [|c cs IH] W; first by rewrite big_nil ltr01 lexx.
have [|k0 k1] := IH; first by move=> c' h; apply: W; rewrite inE h orbT.
have at_c := W c (mem_head _ _); have [le _] := left_out at_c; have [[p _] _ _] := at_c; rewrite big_cons mulr_gt0 //.
by split=> //; apply: mulr_ile1 => //; exact: ltW.
Qed.

Lemma equal_below cs (a b : R) : {in cs, forall c, shown_at c} -> 0 <= a -> 0 <= b ->
  pos (a - b) <= beside_losses (map e cs) a b.
Proof.
elim: cs a b => [|c cs IH] a b W a0 b0 /=; first by rewrite beside_none.
have at_c := W c (mem_head _ _); have [_ [P [Q [h [p q]]]]] := left_out at_c; have [_ proper _] := at_c.
apply: le_trans (loss_first (map e cs) proper h a0 b0); rewrite (big_pred1 tt) => [|[]//]; rewrite p q !mulr1.
by apply: IH => // c' h'; apply: W; rewrite inE h' orbT.
Qed.

Lemma interleaved_by_losses cs (Y : finType) (P Q : Y -> R) : interleaved of_noise g cs P Q ->
  {in cs, forall c, shown_at c} -> exists P' Q', [/\ distribution P', distribution Q',
    forall a b : R, 0 <= a -> 0 <= b ->
    hockey_stick a b P' Q' <= beside_losses (map e cs) a b /\ hockey_stick a b Q' P' <= beside_losses (map e cs) a b &
  forall y, kept_in cs * P' y <= P y /\ kept_in cs * Q' y <= Q y].
Proof.
elim=> {cs Y P Q} [cs W|cs Y Z P Q P2 Q2 dP PQ _ IH W|c cs Y Z P Q P2 Q2 ccs h _ IH W].
- exists (fun=> 1), (fun=> 1); have [_ k1] := kept_in_bounds W; split; try exact: distribution_unit; last by rewrite mulr1.
  move=> a b a0 b0; have le := equal_below W a0 b0.
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
- have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R), [/\ distribution F.1, distribution F.2,
      forall a b : R, 0 <= a -> 0 <= b ->
      hockey_stick a b F.1 F.2 <= beside_losses (map e cs) a b /\ hockey_stick a b F.2 F.1 <= beside_losses (map e cs) a b &
      forall z, kept_in cs * F.1 z <= P2 y z /\ kept_in cs * F.2 z <= Q2 y z].
    by have [P2' [Q2' H]] := IH y W; exists (P2', Q2').
  have [P0 P1] := dP; exists (fun p => P p.1 * (F p.1).1 p.2), (fun p => P p.1 * (F p.1).2 p.2); split.
  + by apply: (@distribution_pair _ _ _ P (fun y => (F y).1)) => // y; case: (HF y).
  + by apply: (@distribution_pair _ _ _ P (fun y => (F y).2)) => // y; case: (HF y).
  + move=> a b a0 b0; rewrite (hockey_stick_product P P (fun y => (F y).1) (fun y => (F y).2)).
    rewrite (hockey_stick_product P P (fun y => (F y).2) (fun y => (F y).1)).
    have sum : \sum_y beside_losses (map e cs) (a * P y)%R (b * P y)%R = beside_losses (map e cs) a b.
      by under eq_bigr => y _ do rewrite ![_ * P y]mulrC beside_scaled //; rewrite -mulr_suml P1 mul1r.
    by rewrite -sum; split; apply: ler_sum => y _; have [_ _ H _] := HF y;
      have [] := H _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (P0 y)).
  move=> [y z] /=; have [_ _ _ /(_ z)[Pz Qz]] := HF y; rewrite -PQ.
  by split; rewrite mulrCA ler_wpmul2l.
have W' : {in rem c cs, forall c, shown_at c} by move=> c' /mem_rem; exact: W.
have at_c := W c ccs; have [[k0 shows] proper _] := at_c; have [P' [Q' [h' le]]] := shows _ _ _ h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R), [/\ distribution F.1, distribution F.2,
    forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b F.1 F.2 <= beside_losses (map e (rem c cs)) a b /\
    hockey_stick a b F.2 F.1 <= beside_losses (map e (rem c cs)) a b &
    forall z, kept_in (rem c cs) * F.1 z <= P2 y z /\ kept_in (rem c cs) * F.2 z <= Q2 y z].
  by have [P2' [Q2' H]] := IH y W'; exists (P2', Q2').
have [dP dQ] : distribution P' /\ distribution Q' by case: (e c) h' => [M|m] [].
have [[P0 _] [Q0 _]] := (dP, dQ).
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
- by apply: (@distribution_pair _ _ _ P' (fun y => (F y).1)) => // y; case: (HF y).
- by apply: (@distribution_pair _ _ _ Q' (fun y => (F y).2)) => // y; case: (HF y).
- move=> a b a0 b0; rewrite (beside_permutation _ _ (map_rem e ccs)).
  rewrite (hockey_stick_product P' Q' (fun y => (F y).1) (fun y => (F y).2)).
  rewrite (hockey_stick_product Q' P' (fun y => (F y).2) (fun y => (F y).1)).
  split; [apply: le_trans (loss_first _ proper h' a0 b0)|apply: le_trans (loss_first _ proper (of_loss_entry_sym h') a0 b0)];
    apply: ler_sum => y _; have [_ _ H _] := HF y.
    by have [] := H _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)).
  by have [] := H _ _ (mulr_ge0 a0 (Q0 y)) (mulr_ge0 b0 (P0 y)).
have -> : kept_in cs = (d c).2 * kept_in (rem c cs) by rewrite /kept_in (perm_big _ (perm_to_rem ccs)) big_cons.
have [k1 _] := kept_in_bounds W'.
move=> [y z] /=; have [[F1 _] [F2 _] _ /(_ z)[Pz Qz]] := HF y; have [Py Qy] := le y.
by split; rewrite mulrACA ler_pmul ?mulr_ge0 // ltW.
Qed.
End Interleaved.

(** Of a ledger, 11.7. *)
Theorem any_order_by_losses ds (mu epsilon delta : R) ns :
  List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds -> all proper_losses (map entry_in ds) ->
  sqrt (squares (map entry_in ds)) <= mu ->
  profile_beside mu (law_product (laws_of_losses (map entry_in ds))) epsilon <= 1 - (1 - delta) / all_kept ds ->
  Permutation (map noise_in ds) ns -> all_proper ns -> noisy_in_any_order ns epsilon delta.
Proof.
move=> shows proper le check p ok Y P Q A; have k0 := all_kept_gt0 shows.
have [ds' [E p']] := @Permutation_map_inv _ _ noise_in ns ds (Permutation_sym p); subst ns.
have {}shows : List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds'.
  by apply/List.Forall_forall => d /(Permutation_in _ (Permutation_sym p')); move: d; exact/List.Forall_forall.
have pe : Permutation (map entry_in ds') (map entry_in ds) by apply: Permutation_map; exact: Permutation_sym.
have {}proper : all proper_losses (map entry_in ds') by rewrite (all_permutation _ pe).
pose none : shown := (silent, OfGaussian 0, 1); pose d c := nth none ds' c; pose cs := iota 0 (size ds').
have same : map d cs = ds' by rewrite -[RHS](mkseq_nth none).
have nE c : c \in cs -> nth silent (map noise_in ds') c = noise_in (d c).
  by rewrite mem_iota add0n => /andP[_ lt]; rewrite (nth_map none).
have {}A : interleaved of_noise (fun c => noise_in (d c)) cs P Q.
  by move: A; rewrite size_map; apply: interleaved_weaker => c ccs Z S T; rewrite nE.
have [|P' [Q' [dP' dQ' bound PQ]]] := interleaved_by_losses A.
  move=> c; rewrite mem_iota add0n => /andP[_ lt]; have := ok c; rewrite size_map => /(_ lt).
  rewrite (nth_map none) // -/(d c) => pq; split=> //; last first.
    by move: proper; rewrite all_map => /(all_nthP none)/(_ _ lt).
  by rewrite /d; elim: ds' c lt shows {p p' pe proper d cs same nE A ok pq} => //= d0 ds' IH [|c] lt h; inversion h => //; exact: IH.
have kE : kept_in d cs = all_kept ds.
  by rewrite /kept_in -(big_map d xpredT snd) same; apply: prod_permutation; exact: Permutation_sym.
have eE : map (fun c => entry_in (d c)) cs = map entry_in ds' by rewrite -[in RHS]same -map_comp.
rewrite kE eE in bound PQ.
have m0 : 0 <= sqrt (squares (map entry_in ds)) by exact/RleP/sqrt_pos.
have half (S T S' T' : Y -> R) : distribution S -> distribution S' ->
    hockey_stick 1 (exp epsilon) S' T' <= beside_losses (map entry_in ds') 1 (exp epsilon) ->
    (forall y, all_kept ds * S' y <= S y /\ all_kept ds * T' y <= T y) -> hockey_stick 1 (exp epsilon) S T <= delta.
  move=> dS dS' B h; apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dS dS' h) _.
  have -> : delta = 1 - all_kept ds + all_kept ds * (1 - (1 - delta) / all_kept ds).
    by rewrite mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
  rewrite ler_add2l ler_pmul2l //; apply: le_trans check; apply: le_trans B _.
  rewrite (beside_permutation _ _ pe) /beside_losses profile_beside_at //; exact: beside_monotone.
have [b1 b2] := bound _ _ ler01 (ltW (exp_gt0 epsilon)); have [dP dQ] := interleaved_distribution A.
split; apply/events_hockey_stick; first exact: half dP dP' b1 PQ.
by apply: (half Q P Q' P') => // y; case: (PQ y).
Qed.
