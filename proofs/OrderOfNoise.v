(** Ledgers of mechanisms by their noise, in an order which may depend on the answers before: what
    classes of disjoint queries leave of a workload (SPEC, section 8).

    [noisy_in_any_order] is what `noise-colouring` asks of the concluded mechanisms; it holds where
    11.14 bounds them ([noise_renyi_in_any_order]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments
  RulesConcentrated Workloads RulesWorkloads OrderOfWorkloads RulesNoiseRenyi NoiseLedgers
  RulesNoiseWorkloads.
From ExactDP Require Import SampledPairs LaplaceMoments SampledMoments SampledNoise NoiseEntries.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition silent : noise := OfNotion (Concentrated 0).
Definition of_noise : pair_property [realFieldType of R] noise := fun n Y P Q => @has_noise n Y P Q.

Definition noisy_in_any_order (ns : seq noise) (epsilon delta : R) : Prop :=
  interleaved_upper of_noise (nth silent ns) (iota 0 (size ns)) epsilon delta.

(** Divergences that are stated are not negative. *)
Definition divergences_ge0 (n : noise) : bool :=
  if n is OfOrders os then all (fun o : R * R => 0 <= o.2) os else true.

Section Renyi.
Variables (a : R) (a1 : 1 < a).

Lemma table_bound_ge0 t : table_proper t -> 0 <= table_bound a t.
Proof.
move=> ok; have /and3P[p q _] := ok.
have [dP _ [h h']] : has_query_noise (ByEntry (OfTable t)) (fun _ : unit => 1) (fun=> 1).
  by apply: has_query_noise_alike => //; exact: distribution_unit.
have [[_ m] _] := table_has_moment a1 ok dP dP h h'.
rewrite -exp_le exp_0; apply: le_trans m.
by rewrite big_const card_unit /= addr0 power_term_pos ?ltr01 // mul1r subrr mulr0 exp_0.
Qed.

Lemma sample_moment_ge1 q c n : 0 < q -> q < 1 -> (1 < n)%N -> sampled_proper c -> 1 <= sample_moment q c n.
Proof.
move=> q0 q1 n1 w; apply: sampled_sum_ge1 => // k k1; have K1 : 1 < k%:R :> R by rewrite ltr1n.
have h : has_query_noise (ByEntry (noise_under c)) (fun _ : unit => 1) (fun=> 1).
  apply: has_query_noise_alike distribution_unit; case: c w => [mu|b|//|d s|v s|//] //= w; [exact: ltW|exact: ltW|exact/andP].
have [[_ m] _] := base_moments w K1 h; apply: le_trans m.
by rewrite big_const card_unit /= addr0 power_term_pos ?ltr01 // mul1r subrr mulr0 exp_0.
Qed.

Lemma sound_entry_of n : entry_proper a n -> divergences_ge0 n -> proper_entry a (entry_at a n) ->
  sound_entry a (entry_at a n).
Proof.
move=> w d0 p; rewrite /sound_entry p /=; case: n w d0 p => [m|os|e|decay shift|b|t|s q c|v s|//] w d0 p.
- exact: (log_moment_ge0 a1 p).
- rewrite mulr_ge0 ?subr_ge0 ?(ltW a1) // /first_order.
  case h: (filter _ os) => [|o s] //=; apply: (allP d0).
  by have := mem_head o s; rewrite -h mem_filter => /andP[].
- exact: (log_moment_ge0 a1 p).
- exact: (log_moment_ge0 a1 p).
- have h : has_query_noise (ByEntry (OfLaplace b)) (fun _ : unit => 1) (fun=> 1).
    by apply: has_query_noise_alike distribution_unit; exact: ltW.
  have [[_ m] _] := laplace_has_moment a1 w h; rewrite /= -exp_le exp_0 lnK ?laplace_moment_gt0 //; apply: le_trans m.
  by rewrite big_const card_unit /= addr0 power_term_pos ?ltr01 // mul1r subrr mulr0 exp_0.
- exact: table_bound_ge0.
- have /and5P[/eqP e _ q0 q1 c0] := w; have k1 : (1 < whole_order a)%N by rewrite -(ltr1n [numDomainType of R]) e.
  by rewrite -exp_le exp_0 lnK ?sample_moment_gt0 //; exact: sample_moment_ge1.
- exact: (log_moment_ge0 a1 p).
Qed.

Theorem noise_renyi_in_any_order ns epsilon delta : all (entry_proper a) ns -> all divergences_ge0 ns ->
  let es := [seq entry_at a n | n <- ns] in all (proper_entry a) es -> 0 < noise_slack es delta ->
  \sum_(e <- es) log_bound a e + (1 - a) * epsilon + log_conversion a <= ln (noise_slack es delta) ->
  noisy_in_any_order ns epsilon delta.
Proof.
move=> W D es P D0 le Y S T A; pose e c := entry_at a (nth silent ns c).
have E : [seq e c | c <- iota 0 (size ns)] = es by rewrite /es -[in RHS](mkseq_nth silent ns) -map_comp.
have at_c (p : pred noise) c : all p ns -> c \in iota 0 (size ns) -> p (nth silent ns c).
  by rewrite mem_iota add0n => h /andP[_ lt]; exact: (all_nthP silent h).
apply: (@noise_renyi_any_order a a1 _ e (iota 0 (size ns))); rewrite ?E //.
  apply/allP => c ccs; apply: sound_entry_of; [exact: at_c W ccs|exact: at_c D ccs|].
  by apply: (at_c (fun n => proper_entry a (entry_at a n))) ccs; move: P; rewrite all_map.
apply: interleaved_weaker A => c ccs Z U V; apply: has_noise_entry_at => //; exact: at_c W ccs.
Qed.
End Renyi.
