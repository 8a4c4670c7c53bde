(** What tables say of a ledger of mechanisms holds in any order of it which may depend on the answers
    before, and if some are left out: `profile-dots` after `noise-colouring`.

    A mechanism that is left out gives equal laws, which its table is below as well
    ([proper_query]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Workloads RulesWorkloads.
From ExactDP Require Import RulesNoiseRenyi NoiseLedgers NoiseWorkloads RulesNoiseWorkloads OrderOfNoise.
From ExactDP Require Import OrderOfWorkloads OverlapTables CheckerProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Captured.
Variables (C : eqType) (g : C -> noise) (T : C -> seq (R * R)).

Definition captured_at c := [/\ captures (g c) (T c), table_above_0 (T c) & proper_query (ByEntry (g c))].

Lemma tables_above_0 cs : {in cs, forall c, captured_at c} -> all (@table_above_0 _) (map T cs).
Proof. by move=> W; apply/allP => _ /mapP[c ccs ->]; case: (W c ccs). Qed.

Lemma mean_alike cs : {in cs, forall c, captured_at c} ->
  forall y : R, 0 <= y -> mean (map T cs) lesser y <= lesser y.
Proof.
elim: cs => [|c cs IH] W y y0 //=.
have {}IH : forall z : R, 0 <= z -> mean (map T cs) lesser z <= lesser z.
  by apply: IH => d dcs; apply: W; rewrite inE dcs orbT.
have [cap T0 proper] := W c (mem_head _ _).
apply: (@le_trans _ _ (mean [:: T c] lesser y)); first by apply: (@mean_le _ [:: T c]) => //=; rewrite T0.
have h : has_noise (g c) (fun _ : unit => 1) (fun=> 1).
  exact: (has_query_noise_alike (n := ByEntry (g c))) proper distribution_unit.
apply: le_trans (cap _ _ _ h y y0) _.
by rewrite /overlap big_const card_unit /= addr0 mulr1.
Qed.

Theorem interleaved_captured cs (Y : finType) (P Q : Y -> R) :
  {in cs, forall c, captured_at c} -> interleaved of_noise g cs P Q ->
  [/\ distribution P, distribution Q & forall y : R, 0 <= y -> mean (map T cs) lesser y <= overlap P Q y].
Proof.
move=> + A; elim: A => {cs Y P Q} [cs|cs Y Z P Q P' Q' dP PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] W.
- split; try exact: distribution_unit; move=> y y0; apply: le_trans (mean_alike W y0) _.
  by rewrite /overlap big_const card_unit /= addr0 mulr1.
- have dQ : distribution Q.
    by case: dP => P0 P1; split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
  split; try by apply: distribution_pair => // z; case: (IH z W).
  move=> y y0; have [P0 P1] := dP.
  rewrite /overlap -(pair_bigA _ (fun o p => Num.min (P o * P' o p) (y * (Q o * Q' o p)))) /=.
  rewrite -[X in X <= _]mul1r -P1 mulr_suml; apply: ler_sum => o _; have [_ _ le] := IH o W.
  apply: le_trans (ler_wpmul2l (P0 o) (le y y0)) _; rewrite /overlap mulr_sumr; apply: ler_sum => p _.
  by rewrite minr_pmulr // -PQ mulrCA.
have W' : {in rem c cs, forall d, captured_at d} by move=> d /mem_rem; exact: W.
have [cap T0 _] := W c ccs; have [dP dQ _] := h.
split; try by apply: distribution_pair => // z; case: (IH z W').
move=> y y0; rewrite (mean_perm _ _ (Ts' := T c :: map T (rem c cs))); last first.
  exact: (perm_map T (perm_to_rem ccs)).
apply: overlap_composes => //.
- by case: dP dQ => [P0 _] [Q0 _] o.
- by move=> o p; case: (IH o W') => -[P0 _] [Q0 _] _.
- exact: tables_above_0.
- exact: cap.
by move=> o z z0; case: (IH o W') => _ _ /(_ z z0).
Qed.
End Captured.

(** Of a ledger, whose tables are listed. *)
Definition all_proper (ns : seq noise) := forall i, (i < size ns)%N -> proper_query (ByEntry (nth silent ns i)).

Theorem any_order_half (zs : seq (noise * seq (R * R))) epsilon (delta : R) :
  List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs -> all_proper (unzip1 zs) ->
  1 - delta <= mean (unzip2 zs) lesser (exp epsilon) -> forall (Y : finType) (P Q : Y -> R),
  interleaved of_noise (nth silent (unzip1 zs)) (iota 0 (size zs)) P Q ->
  hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> h proper le Y P Q A; pose T c := nth [::] (unzip2 zs) c.
have [c|] := @interleaved_captured _ _ T _ _ _ _ _ A.
  rewrite mem_iota add0n => /andP[_ lt]; have [cap T0] : captures (nth silent (unzip1 zs) c) (T c) /\ table_above_0 (T c).
    rewrite /T; elim: zs c h lt {proper le A T} => //= z zs IH [|c] h lt; inversion h => //=; exact: IH.
  by split=> //; apply: proper; rewrite size_map.
move=> [_ P1] _ /(_ _ (ltW (exp_gt0 epsilon))).
have -> : map T (iota 0 (size zs)) = unzip2 zs by rewrite -[RHS](mkseq_nth [::]) size_map.
move=> {}A; rewrite hockey_stick_overlap P1 ler_subl_addr -ler_subl_addl; exact: le_trans le A.
Qed.

(** The other direction. *)
Lemma all_proper_turned ns : all_proper ns -> all_proper (map turned_noise ns).
Proof.
move=> W i; rewrite size_map => lt; rewrite (nth_map silent) //; have := W i lt.
case: (nth silent ns i) => [m|os|e|d s|b|t|//|v s|//] //= [p q].
by rewrite /turned /unzip1 /unzip2 -!map_comp.
Qed.

Lemma interleaved_turned ns (Y : finType) (P Q : Y -> R) :
  interleaved of_noise (nth silent ns) (iota 0 (size ns)) P Q ->
  interleaved of_noise (nth silent (map turned_noise ns)) (iota 0 (size ns)) Q P.
Proof.
move/interleaved_reversed; apply: interleaved_weaker => c; rewrite mem_iota add0n => /andP[_ lt] Z S U.
by rewrite (nth_map silent) //; exact: has_noise_turned.
Qed.
