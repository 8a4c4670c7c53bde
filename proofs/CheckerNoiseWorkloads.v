(** The verified checker: the rules `noise-colouring` and `noise-witness`.

    Mechanisms are compared as their noise is stated ([at_least_as]): the order of SPEC 7.6, but that a
    sample of a bounded range is below no range without a rate, as what is read of it is its profile. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Comparisons.
From ExactDP Require Import Workloads RulesWorkloads RulesMixedWorkloads RulesNoiseRenyi NoiseLedgers.
From ExactDP Require Import DrawnFirst RulesNoiseWorkloads OrderOfNoise Ratios.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerGroups CheckerWorkloads CheckerWorkloadsSound CheckerNoise.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise CertificateSubjects OrderOfProfiles CheckerSamplesInOrder.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition same_base (b b' : base_noise) : bool :=
  match b, b' with
  | BaseNormal m, BaseNormal m' => alike m m'
  | BaseLaplace a, BaseLaplace a' => alike a a'
  | BaseRange e, BaseRange e' => alike e e'
  | BaseShift r s, BaseShift r' s' | BaseBell r s, BaseBell r' s' => alike r r' && Pos.eqb s s'
  | _, _ => false
  end.
(** What is known of two mechanisms is the same. *)
Definition same_single (x y : single) : bool :=
  match x, y with
  | Plain (ByEpsilon e d), Plain (ByEpsilon e' d') =>
      [&& alike (constant e) (constant e'), alike_rows (logs e) (logs e') & alike d d']
  | Plain (ByMu m), Plain (ByMu m') => alike m m'
  | Plain (ByRho r), Plain (ByRho r') => alike r r'
  | Shifted r s, Shifted r' s' => alike r r' && Pos.eqb s s'
  | Laplaced a, Laplaced a' => alike a a'
  | Ranged e, Ranged e' => alike e e'
  | Divergent os, Divergent os' => alike_rows os os'
  | Tabled t, Tabled t' => alike_rows t t'
  | Sampled x, Sampled x' => [&& with_record x, with_record x', alike (rate x) (rate x') & same_base (base x) (base x')]
  | Belled v s, Belled v' s' => alike v v' && Pos.eqb s s'
  | _, _ => false
  end.

Section Check.
Variables (f : effort) (k : numbering).
Let s : subject := Subject (common k) (table_in_use k) [::].
Let es := enclosures (bits f) (terms f) (quotients s).

Definition epsilon_not_less (e e' : number) : bool :=
  if (combination_of k e, combination_of k e') is (Some x, Some x') then not_less f s es x x' else false.

(** The second is at most the first. *)
Definition at_least_as (x y : single) : bool :=
  match x, y with
  | Plain (ByEpsilon e d), Plain (ByEpsilon e' d') => rle d' d && epsilon_not_less e e'
  | Plain (ByMu m), Plain (ByMu m') => Z.leb 0 m'.1 && rle m' m
  | Plain (ByRho r), Plain (ByRho r') => rle r' r
  | Shifted r s, Shifted r' s' => [&& Z.ltb 0 r'.1, rle r' r & Pos.leb s' s]
  | Laplaced a, Laplaced a' => Z.leb 0 a'.1 && rle a' a
  | Ranged e, Ranged e' => rle e' e
  | Divergent os, Divergent os' => alike_rows os os'
  | Tabled t, Tabled t' => at_least_table t t'
  | x, Sampled x' => at_least_sample x x'
  | Belled v s, Belled v' s' => [&& Z.ltb 0 v'.1, alike v v' & Pos.leb s' s]
  | _, _ => false
  end.

Definition numbered_well : bool := numbering_ok k && subject_ok f s.
Definition check_noise_colouring (N : noise_ledger) (w : workload single) (colours : seq nat) : bool :=
  numbered_well && coloured at_least_as (singles N) w colours.

(** Two equal laws are those of such a mechanism. *)
Definition plain_ok (p : CertificateStatements.parameter) : bool :=
  match p with
  | ByEpsilon e d =>
      if combination_of k e is Some x
      then subject_ok f (Subject (common k) (table_in_use k) [:: Entry x d.1 (Zpos d.2) 1]) else false
  | ByMu m => Z.leb 0 m.1
  | ByRho r => Z.leb 0 r.1
  end.
Definition single_ok (x : single) : bool :=
  match x with
  | Plain p => plain_ok p
  | Shifted r _ => Z.ltb 0 r.1
  | Laplaced a => Z.leb 0 a.1
  | Ranged e => Z.leb 0 e.1
  | Divergent os => all (fun o : ratio * ratio => rlt Ratios.one o.1 && Z.leb 0 o.2.1) os
  | Tabled t => is_law (unzip1 t) && is_law (unzip2 t)
  | Sampled x => sample_fit x
  | Batched _ => false
  | Belled v _ => Z.ltb 0 v.1
  end.

Definition singles_ok (N : noise_ledger) : bool :=
  numbered_well && all (fun y : single * Z => single_ok y.1) (counted N).

Definition once (x : single) : single * Z := (x, 1%coqZ).
Definition check_noise_witness (N : noise_ledger) (w : workload single) (x : seq Z) : bool :=
  [&& numbered_well, all (fun q => single_ok (privacy q)) (queries w), in_domain (sizes w) x &
      merged (fun y z : single * Z => same_single y.1 z.1) snd (counted N)
        [seq once (privacy q) | q <- queries w & satisfied (clauses q) x]].
End Check.

Lemma same_baseP b b' : same_base b b' -> b = b'.
Proof.
by case: b b' => [m|a|e|r s|v s|h|h] [m'|a'|e'|r' s'|v' s'|h'|h'] //=; (move/alikeP => -> || case/andP=> /alikeP -> /Pos.eqb_eq ->).
Qed.

Lemma same_singleP x y : same_single x y -> x = y.
Proof.
case: x y => [[[c l] d|m|r]|r s|b|e|os|t|[w q b]|v s|u] [[[c' l'] d'|m'|r']|r' s'|b'|e'|os'|t'|[w' q' b']|v' s'|u'] //=.
- by case/and3P=> /alikeP -> /alike_rowsP -> /alikeP ->.
- by move/alikeP => ->.
- by move/alikeP => ->.
- by case/andP=> /alikeP -> /Pos.eqb_eq ->.
- by move/alikeP => ->.
- by move/alikeP => ->.
- by move/alike_rowsP => ->.
- by move/alike_rowsP => ->.
- by case: w w' => [] // [] // /and4P[_ _ /alikeP -> /same_baseP ->].
- by case/andP=> /alikeP -> /Pos.eqb_eq ->.
Qed.

Section Soundness.
Variables (f : effort) (k : numbering).
Hypothesis ok : numbered_well f k.

Lemma at_least_as_sound x y : at_least_as f k x y -> at_most (ByEntry (noise_of y)) (ByEntry (noise_of x)).
Proof.
have /andP[nok sok] := ok.
case: x y => [[e d|m|r]|r s|b|e|os|t|s|v s|u] [[e' d'|m'|r']|r' s'|b'|e'|os'|t'|s'|v' s'|u'] //; try exact: at_least_sample_sound; rewrite /=.
- case/andP; rewrite of_rle => -> ; rewrite andbT /epsilon_not_less.
  case X: (combination_of k e) => [x|] //; case X': (combination_of k e') => [x'|] //.
  case/and4P: sok => /Z.leb_le bits0 D0 qok _ /(not_less_sound bits0 qok) le.
  rewrite -(combination_of_sound nok X) -(combination_of_sound nok X').
  by rewrite ler_pmul2r // invr_gt0 (IZR_lt_iff Z0).
- by case/andP=> m0; rewrite of_rle => ->; rewrite of_ge0.
- by rewrite of_rle.
- case/and3P=> r0; rewrite of_rle => le /Pos.leb_le ss; split=> //; last 2 first.
  + exact/ssrnat.ltP/Pos2Nat.is_pos.
  + exact/ssrnat.leP/Pos2Nat.inj_le.
  by rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r.
- by case/andP=> a0; rewrite of_rle => ->; rewrite of_ge0.
- by rewrite of_rle.
- by move/alike_rowsP => ->.
- exact: at_least_table_sound.
- case/and3P=> v0 /alikeP -> /Pos.leb_le ss; split=> //; last exact/ssrnat.leP/Pos2Nat.inj_le.
  by rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r.
Qed.

Lemma single_ok_sound x : single_ok f k x -> proper_query (ByEntry (noise_of x)).
Proof.
have /andP[nok _] := ok.
case: x => [[e d|m|r]|r s|b|e|os|t|s|v s|u] //=; try exact: of_ge0.
- case X: (combination_of k e) => [x|] // E; have /= h := entries_ok E; inversion h as [|e' l [_ a0 ab x0]].
  have b0 : 0 < IZR (Zpos d.2) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
  move: x0; rewrite /real /= (combination_of_sound nok X) => ->.
  rewrite /of_ratio /fraction ltr_pdivr_mulr // mul1r IZR_lt_iff (proj2 (Z.ltb_lt _ _) ab) andbT.
  by rewrite divr_ge0 ?(ltW b0) // (IZR_le_iff Z0); apply/Z.leb_le.
- move=> r0; split; last exact/ssrnat.ltP/Pos2Nat.is_pos.
  by rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r.
- move=> h a r ar; suff /allP/(_ _ ar)/andP : all (fun o : R * R => (1 < o.1) && (0 <= o.2)) (real_orders os) by [].
  by rewrite all_map; apply: sub_all h => o /= /andP[a1 r0]; rewrite of_ge0 // -of_one -of_rlt a1.
- case/andP=> p q; rewrite /unzip1 /unzip2 /real_table -!map_comp; split; [have := is_lawP p|have := is_lawP q];
  rewrite -map_comp //.
- exact: sample_fit_sound.
by move=> v0; rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r.
Qed.

Lemma singles_ok_sound N : singles_ok f k N -> all_proper (noises N).
Proof.
case/andP=> _ proper i; rewrite -noises_singles size_map => lt; rewrite (nth_map no_single) //.
apply: single_ok_sound; have : all (single_ok f k) (singles N) by apply: all_many; exact: proper.
by move/(all_nthP no_single); apply.
Qed.

Theorem check_noise_colouring_sound N w colours epsilon delta : check_noise_colouring f k N w colours ->
  noisy_in_any_order (noises N) epsilon delta ->
  noise_workload_upper (@met w) (known_as w) (numbers w) epsilon delta.
Proof.
case/andP=> _ h up.
apply: (@rule_noise_colouring _ _ _ _ _ (fun i => nth 0%N colours i)
  (fun c => ByEntry (nth silent (noises N) c)) (numbers w) (iota 0 (size (noises N)))).
- exact: iota_uniq.
- exact: iota_uniq.
- exact: coloured_disjoint h.
- move=> i im x hx; have [c /at_least_as_sound le] := coloured_greatest h im hx.
  rewrite -noises_singles size_map; split=> //; move: c; rewrite mem_iota add0n => /andP[_ c].
  by rewrite (nth_map no_single).
move=> Y P Q A; apply: up; exact: interleaved_weaker A.
Qed.

Lemma noisy_composed ns (Y : finType) (P Q : Y -> R) : noisy_composition ns P Q ->
  noise_composition_of [seq ByEntry n | n <- ns] P Q.
Proof. by elim=> [|*]; [exact: ComposedNil|exact: ComposedCons]. Qed.

Theorem check_noise_witness_sound N w x epsilon delta : check_noise_witness f k N w x ->
  noisy_lower (noises N) epsilon delta ->
  noise_workload_lower (@met w) (known_as w) (numbers w) epsilon delta.
Proof.
case/and4P=> _ proper inside.
have same (y z : single * Z) : same_single y.1 z.1 -> ByEntry (noise_of y.1) = ByEntry (noise_of z.1).
  by move/same_singleP => ->.
move/(merged_sound same) => p [ns' [p' [Y [P [Q [C low]]]]]].
apply: (@rule_noise_witness _ _ _ _ (exist _ x inside : row w) _ [seq ByEntry n | n <- noises N]).
- move=> i; rewrite mem_iota add0n => /andP[_ im]; apply: single_ok_sound.
  exact: (all_nthP (Query no_single [::]) proper).
- move: p; rewrite -map_comp.
  have -> := parameters_numbered no_single w (fun y => ByEntry (noise_of y)) (fun cs => satisfied cs x).
  have -> // : [seq ByEntry n | n <- noises N] =
      flatten [seq nseq (Z.to_nat y.2) (ByEntry (noise_of y.1)) | y <- counted N].
  rewrite -noises_singles /singles /many !map_flatten -!map_comp; congr flatten.
  by apply: eq_map => y; rewrite /= !map_nseq.
exists [seq ByEntry n | n <- ns']; split; first exact: Permutation_map.
by exists Y, P, Q; split=> //; exact: noisy_composed.
Qed.
End Soundness.
