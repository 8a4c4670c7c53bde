(** What tables say of a ledger of mechanisms, Gaussian ones among them, holds in any order of it which may
    depend on the answers before, and if some are left out: `mesh-upper` after `noise-colouring`.

    A mechanism that is left out gives equal laws, which what stands for it is below as well
    ([proper_query]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Workloads RulesWorkloads.
From ExactDP Require Import RulesNoiseRenyi NoiseLedgers NoiseWorkloads RulesNoiseWorkloads OrderOfNoise.
From ExactDP Require Import RulesGaussian OrderOfWorkloads OverlapTables CheckerProfiles CellsOfNormal TablesBesideNormal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma map_rem (C : eqType) (A : Type) (f : C -> A) c cs : c \in cs ->
  Permutation (map f cs) (f c :: map f (rem c cs)).
Proof.
elim: cs => //= d cs IH; rewrite inE; case: eqVneq => [-> _|dc /= /IH h]; first exact: Permutation_refl.
exact: Permutation_trans (perm_skip _ h) (perm_swap _ _ _).
Qed.

(** What the mechanisms have in common at the least, by what stands for each. *)
Definition in_common_by (s : seq stand) : R -> R := mean (tables_of s) (normal_overlap (sqrt (squares_of s))).

Section Captured.
Variables (C : eqType) (g : C -> noise) (k : C -> stand).

Definition stands_at c := stands (g c, k c) /\ proper_query (ByEntry (g c)).

Lemma tables_above_0 cs : {in cs, forall c, stands_at c} -> all (@table_above_0 _) (tables_of (map k cs)).
Proof.
elim: cs => //= c cs IH W; have {}IH : all (@table_above_0 _) (tables_of (map k cs)).
  by apply: IH => d dcs; apply: W; rewrite inE dcs orbT.
have [+ _] := W c (mem_head _ _); rewrite /stands /tables_of /= -/(tables_of _).
by case: (k c) => //= T [_ /table_inside_above_0 ->].
Qed.

Lemma equal_laws_above cs : {in cs, forall c, stands_at c} ->
  forall y : R, 0 <= y -> in_common_by (map k cs) y <= lesser y.
Proof.
have unit_overlap (y : R) : overlap (fun _ : unit => 1) (fun=> 1) y = lesser y.
  by rewrite /overlap big_const card_unit /= addr0 mulr1.
elim: cs => [|c cs IH] W y y0; first by rewrite /in_common_by /= /squares_of big_nil sqrt_0 normal_overlap_0.
have W' : {in cs, forall d, stands_at d} by move=> d dcs; apply: W; rewrite inE dcs orbT.
have [one proper] := W c (mem_head _ _).
have h : has_noise (g c) (fun _ : unit => 1) (fun=> 1).
  exact: (has_query_noise_alike (n := ByEntry (g c))) proper distribution_unit.
have below (_ : unit) (z : R) : 0 <= z -> in_common_by (map k cs) z <= overlap (fun _ : unit => 1) (fun=> 1) z.
  by rewrite unit_overlap; exact: IH.
apply: le_trans (before_others one (tables_above_0 W') h (fun _ _ => conj ler01 ler01) below y0) _.
by rewrite /overlap -(pair_bigA _ (fun _ _ : unit => Num.min (1 * 1) (y * (1 * 1)))) /= !big_const card_unit /= !addr0 !mulr1.
Qed.

Theorem interleaved_beside_normal cs (Y : finType) (P Q : Y -> R) :
  {in cs, forall c, stands_at c} -> interleaved of_noise g cs P Q ->
  [/\ distribution P, distribution Q & forall y : R, 0 <= y -> in_common_by (map k cs) y <= overlap P Q y].
Proof.
move=> + A; elim: A => {cs Y P Q} [cs|cs Y Z P Q P' Q' dP PQ _ IH|c cs Y Z P Q P' Q' ccs h _ IH] W.
- split; try exact: distribution_unit; move=> y y0; apply: le_trans (equal_laws_above W y0) _.
  by rewrite /overlap big_const card_unit /= addr0 mulr1.
- have dQ : distribution Q.
    by case: dP => P0 P1; split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
  split; try by apply: distribution_pair => // z; case: (IH z W).
  move=> y y0; have [P0 P1] := dP.
  rewrite /overlap -(pair_bigA _ (fun o p => Num.min (P o * P' o p) (y * (Q o * Q' o p)))) /=.
  rewrite -[X in X <= _]mul1r -P1 mulr_suml; apply: ler_sum => o _; have [_ _ le] := IH o W.
  apply: le_trans (ler_wpmul2l (P0 o) (le y y0)) _; rewrite /overlap mulr_sumr; apply: ler_sum => p _.
  by rewrite minr_pmulr // -PQ mulrCA.
have W' : {in rem c cs, forall d, stands_at d} by move=> d /mem_rem; exact: W.
have [one _] := W c ccs; have [dP dQ _] := h.
split; try by apply: distribution_pair => // z; case: (IH z W').
move=> y y0; have p := map_rem k ccs; rewrite /in_common_by (squares_permutation p).
rewrite (mean_permutation _ _ (tables_permutation p)); apply: (before_others one (tables_above_0 W') h) => // o.
  by move=> q; case: (IH o W') => -[P0 _] [Q0 _] _.
by move=> z z0; case: (IH o W') => _ _; exact.
Qed.
End Captured.

(** Of a ledger, with tables for all Gaussian mechanisms together. *)
Definition all_proper (ns : seq noise) := forall i, (i < size ns)%N -> proper_query (ByEntry (nth silent ns i)).

Theorem any_order_half (xs : seq (noise * stand)) Ts epsilon (delta : R) ns : List.Forall stands xs ->
  (forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_of (unzip2 xs))) y) ->
  1 - delta <= mean (Ts ++ tables_of (unzip2 xs)) lesser (exp epsilon) ->
  Permutation (unzip1 xs) ns -> all_proper ns -> forall (Y : finType) (P Q : Y -> R),
  interleaved of_noise (nth silent ns) (iota 0 (size ns)) P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> h normal le p proper Y P Q A; have [xs' [e p']] := Permutation_map_inv _ _ (Permutation_sym p).
have {}h : List.Forall stands xs' := Permutation_Forall p' h; have q := Permutation_map snd p'.
pose k c := nth (ByNormal 0) (unzip2 xs') c.
have same : map k (iota 0 (size ns)) = unzip2 xs'.
  by rewrite e size_map -[RHS](mkseq_nth (ByNormal 0)) size_map.
have [c|[_ P1] _] := @interleaved_beside_normal _ _ k _ _ _ _ _ A.
  rewrite mem_iota add0n => /andP[_ lt]; split; last exact: proper.
  move: lt; rewrite e size_map /k; elim: xs' c h {e p' q same le A proper p k} => //= -[n0 k0] xs' IH [|c] h lt; inversion h => //.
  exact: IH.
rewrite same => /(_ _ (ltW (exp_gt0 epsilon))); rewrite /in_common_by => low.
rewrite hockey_stick_overlap P1 ler_subl_addr -ler_subl_addl; apply: le_trans le (le_trans _ low).
rewrite (mean_permutation _ _ (Permutation_app_head _ (tables_permutation q))) mean_cat meanC.
apply: mean_le; rewrite ?(ltW (exp_gt0 epsilon)) //; first exact: tables_of_above_0.
by move=> y y0; rewrite -(squares_permutation q); exact: normal.
Qed.

(** The other direction. *)
Lemma all_proper_turned ns : all_proper ns -> all_proper (map turned_noise ns).
Proof.
move=> W i; rewrite size_map => lt; rewrite (nth_map silent) //; have := W i lt.
case: (nth silent ns i) => [m|os|e|d s|b|t|sides q c|v s|//] //=; last by case: sides; case: c.
by case=> p q; rewrite /turned /unzip1 /unzip2 -!map_comp.
Qed.

Lemma interleaved_turned ns (Y : finType) (P Q : Y -> R) :
  interleaved of_noise (nth silent ns) (iota 0 (size ns)) P Q ->
  interleaved of_noise (nth silent (map turned_noise ns)) (iota 0 (size ns)) Q P.
Proof.
move/interleaved_reversed; apply: interleaved_weaker => c; rewrite mem_iota add0n => /andP[_ lt] Z S U.
by rewrite (nth_map silent) //; exact: has_noise_turned.
Qed.
