(** Exact tables (RuleExactTables.v) bound mechanisms in any order, which may depend on the answers before,
    and if some are left out: of each choice that both laws have, what they have in common is a weight and
    the z = e^-L of a loss, as in OverlapTables.v. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions Workloads NoiseLedgers OrderOfNoise.
From ExactDP Require Import OverlapTables CheckerProfiles TablesBesideNormal OrderOfProfiles RuleExactTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition in_both (x : R * R) : bool := (0 < x.1) && (0 < x.2).
Definition losses_of (d : shown_table) : seq (R * R) :=
  [seq ((d.2 * x.1)%R, (x.2 / x.1)%R) | x <- table_shown d & in_both x].

Lemma losses_in_common ds (a b : R) : List.Forall is_shown ds -> 0 < a -> 0 <= b ->
  a * mean (map losses_of ds) lesser (b / a) = kept_in_all ds * RuleExactTables.overlap (map table_shown ds) a b.
Proof.
move=> S; elim: S a b => {ds} [|d ds [law _ _] S IH] a b a0 b0.
  rewrite /kept_in_all big_nil mul1r /RuleExactTables.overlap /= /lesser -min_scale ?(ltW a0) // mulr1.
  by rewrite [a * _]mulrC divfK // gt_eqF.
rewrite /kept_in_all big_cons -/(kept_in_all ds) /RuleExactTables.overlap /= -/RuleExactTables.overlap.
rewrite /losses_of big_map big_filter big_mkcond !mulr_sumr big_seq [RHS]big_seq.
apply: eq_bigr => x /(allP (table_law_ge0 law))/andP[p q]; case: ifP => h /=.
  case/andP: h => p0 q0; rewrite -mulrA -IH ?mulr_gt0 ?mulr_ge0 //.
  have -> : b / a * (x.2 / x.1) = b * x.2 / (a * x.1) by field; rewrite !gt_eqF.
  by move: (mean _ _ _) => V; ring.
rewrite overlap_nothing ?mulr0 ?mulr_ge0 ?(ltW a0) //; first exact: laws_ge0 (shown_laws S).
move: h; rewrite /in_both !lt_neqAle p q !andbT ![0 == _]eq_sym !mulf_eq0 (gt_eqF a0) /= => /negbT.
by rewrite negb_and !negbK => /orP[-> //|->]; rewrite !orbT.
Qed.

Lemma shown_stands d : is_shown d -> stands (noise_shown d, ByTable (losses_of d)).
Proof.
move=> S; have [law k0 one] := S; split; last first.
  apply/allP => z /mapP[x]; rewrite mem_filter => /andP[/andP[p q] _] -> /=.
  by rewrite mulr_ge0 ?(ltW k0) ?(ltW p) //= divr_gt0.
move=> Y P Q h y y0; have [[_ P1] _ _] := h.
have := losses_in_common (List.Forall_cons d S (List.Forall_nil _)) ltr01 y0.
rewrite mul1r divr1 /kept_in_all big_cons big_nil mulr1 => ->.
have := one _ P Q h 1 y ler01 y0; rewrite hockey_stick_overlap P1 mul1r.
have := divergence_overlap 1 y (ts := [:: table_shown d]); rewrite /= law => /(_ isT) ->.
rewrite ler_subl_addl -ler_subl_addr; apply: le_trans.
move: (RuleExactTables.overlap _ _ _) => V.
have {1}-> : d.2 * V = 1 - (1 - d.2 + d.2 * (1 - V)) by ring.
exact: lexx.
Qed.

Theorem any_order_by_tables ds ns (epsilon delta : R) : List.Forall is_shown ds ->
  1 - RuleExactTables.overlap (map table_shown ds) 1 (exp epsilon) <= 1 - (1 - delta) / kept_in_all ds ->
  Permutation (map noise_shown ds) ns -> all_proper ns -> forall (Y : finType) (P Q : Y -> R),
  interleaved of_noise (nth silent ns) (iota 0 (size ns)) P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> S check p; pose xs := [seq (noise_shown d, ByTable (losses_of d)) | d <- ds].
have Ts : tables_of (unzip2 xs) = map losses_of ds.
  by rewrite /xs; elim: (ds) => //= d ds' IH; rewrite /tables_of /= -/(tables_of _) IH.
have none : squares_of (unzip2 xs) = 0.
  by rewrite /xs /squares_of; elim: (ds) => [|d ds' IH] /=; rewrite ?big_nil // big_cons IH addr0.
have k0 := kept_in_all_gt0 S.
apply: (@any_order_half xs [::]).
- by rewrite /xs; elim: S => [|d ds' h _ IH] /=; constructor=> //; exact: shown_stands.
- by move=> y y0; rewrite none sqrt_0 normal_overlap_0.
- have := losses_in_common S ltr01 (ltW (exp_gt0 epsilon)); rewrite mul1r divr1 Ts => ->.
  by move: check; rewrite ler_add2l ler_opp2 ler_pdivr_mulr // mulrC.
by rewrite /xs /unzip1 -map_comp.
Qed.
