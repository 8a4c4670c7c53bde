(** The axioms behind every headline theorem.

    [make] compares what this file prints with assumptions.txt.  "Closed under the global
    context" means: no axiom at all. *)
From ExactDP Require Import SubsetSums Privacy Composition OptComp ClosedForm Optimum Reals.
From ExactDP Require Import Homogeneous Rounding RoundedOptimum Groups Concurrent.
From ExactDP Require Import Losses Bracket HoeffdingDivergence Powers Failures ConcentratedGaussian.
From ExactDP Require Import Normal NormalFar ProfileShape Workloads OverlapByRow Interactive.
From ExactDP Require Import Rules RuleRationalOdds RulesFixedPoint RulesBracket RulesClosedForms.
From ExactDP Require Import NotionsTrivial RulesConcentrated RulesGaussian MixtureSums RulesMesh.
From ExactDP Require Import RulesPair RulesGroups RulesGroupsMixed RulesWorkloads.
From ExactDP Require Import RulesMixedWorkloads RulesInteractive.
From ExactDP Require Import Logarithms Comparisons CheckerBasis CheckerClosed CheckerRationalOddsSound.
From ExactDP Require Import CheckerGridTheorems CheckerLatticeTheorems CheckerBracketTheorems.
From ExactDP Require Import CheckerClosedForms CheckerConcentratedTheorems CheckerGaussian.
From ExactDP Require Import CheckerMixture CheckerMesh CheckerPair CheckerGroupsTheorems.
From ExactDP Require Import CheckerWorkloadsSound CheckerMixedWorkloads CheckerOrderOfWorkloads.
From ExactDP Require Import CheckerOrderOfGaussian CheckerInteractiveSound.

(** The theorem. *)
Goal True. idtac "lemma_5_1:". Abort.
Print Assumptions lemma_5_1.
Goal True. idtac "lemma_5_2:". Abort.
Print Assumptions lemma_5_2.
Goal True. idtac "rr_dominates:". Abort.
Print Assumptions rr_dominates.
Goal True. idtac "composition_dominated:". Abort.
Print Assumptions composition_dominated.
Goal True. idtac "composition_attained:". Abort.
Print Assumptions composition_attained.
Goal True. idtac "composition_dp_iff:". Abort.
Print Assumptions composition_dp_iff.
Goal True. idtac "composition_not_dp_iff:". Abort.
Print Assumptions composition_not_dp_iff.
Goal True. idtac "theorem_1_5:". Abort.
Print Assumptions theorem_1_5.
Goal True. idtac "profile_mono:". Abort.
Print Assumptions profile_mono.
Goal True. idtac "divergence_antitone:". Abort.
Print Assumptions divergence_antitone.
Goal True. idtac "closed_form:". Abort.
Print Assumptions closed_form.
Goal True. idtac "optimum_attained:". Abort.
Print Assumptions optimum_attained.
Goal True. idtac "optcomp_theorem_1_5:". Abort.
Print Assumptions optcomp_theorem_1_5.
Goal True. idtac "optcomp_infeasible:". Abort.
Print Assumptions optcomp_infeasible.

(** Rounding, groups, concurrent order. *)
Goal True. idtac "rounding_loss:". Abort.
Print Assumptions rounding_loss.
Goal True. idtac "raised_upper:". Abort.
Print Assumptions raised_upper.
Goal True. idtac "theorem_1_7_sound:". Abort.
Print Assumptions theorem_1_7_sound.
Goal True. idtac "theorem_1_7_close:". Abort.
Print Assumptions theorem_1_7_close.
Goal True. idtac "rounding_down:". Abort.
Print Assumptions rounding_down.
Goal True. idtac "group_privacy:". Abort.
Print Assumptions group_privacy.
Goal True. idtac "best_order:". Abort.
Print Assumptions best_order.

(** Theorems 1.4 and 1.7 in full. *)
Goal True. idtac "theorem_1_4:". Abort.
Print Assumptions theorem_1_4.
Goal True. idtac "theorem_1_4_delta:". Abort.
Print Assumptions theorem_1_4_delta.
Goal True. idtac "theorem_1_4_best:". Abort.
Print Assumptions theorem_1_4_best.
Goal True. idtac "theorem_1_7:". Abort.
Print Assumptions theorem_1_7.

(** What the rules rest on. *)
Goal True. idtac "table_upper:". Abort.
Print Assumptions table_upper.
Goal True. idtac "table_lower:". Abort.
Print Assumptions table_lower.
Goal True. idtac "split_dominates:". Abort.
Print Assumptions split_dominates.
Goal True. idtac "event_test:". Abort.
Print Assumptions event_test.
Goal True. idtac "divergence_hoeffding:". Abort.
Print Assumptions divergence_hoeffding.
Goal True. idtac "response_moment_le:". Abort.
Print Assumptions response_moment_le.
Goal True. idtac "conversion:". Abort.
Print Assumptions conversion.
Goal True. idtac "failures_apart:". Abort.
Print Assumptions failures_apart.
Goal True. idtac "profile_of_sides:". Abort.
Print Assumptions profile_of_sides.
Goal True. idtac "profile_tangent:". Abort.
Print Assumptions profile_tangent.
Goal True. idtac "gaussian_concentrated:". Abort.
Print Assumptions gaussian_concentrated.
Goal True. idtac "answered_interleaved:". Abort.
Print Assumptions answered_interleaved.
Goal True. idtac "workload_upper_iff:". Abort.
Print Assumptions workload_upper_iff.
Goal True. idtac "overlap_not_clique:". Abort.
Print Assumptions overlap_not_clique.
Goal True. idtac "queries_whole:". Abort.
Print Assumptions queries_whole.

(** The rules. *)
Goal True. idtac "rule_vacuous:". Abort.
Print Assumptions rule_vacuous.
Goal True. idtac "rule_vacuous_mixed:". Abort.
Print Assumptions rule_vacuous_mixed.
Goal True. idtac "rule_sum_upper:". Abort.
Print Assumptions rule_sum_upper.
Goal True. idtac "rule_sum_lower:". Abort.
Print Assumptions rule_sum_lower.
Goal True. idtac "rule_infeasible:". Abort.
Print Assumptions rule_infeasible.
Goal True. idtac "rule_infeasible_noise:". Abort.
Print Assumptions rule_infeasible_noise.
Goal True. idtac "rule_rational_odds_upper:". Abort.
Print Assumptions rule_rational_odds_upper.
Goal True. idtac "rule_rational_odds_lower:". Abort.
Print Assumptions rule_rational_odds_lower.
Goal True. idtac "rule_grid_upper:". Abort.
Print Assumptions rule_grid_upper.
Goal True. idtac "rule_grid_lower:". Abort.
Print Assumptions rule_grid_lower.
Goal True. idtac "rule_lattice_upper:". Abort.
Print Assumptions rule_lattice_upper.
Goal True. idtac "rule_lattice_lower:". Abort.
Print Assumptions rule_lattice_lower.
Goal True. idtac "rule_connect_the_dots:". Abort.
Print Assumptions rule_connect_the_dots.
Goal True. idtac "rule_gridded_test:". Abort.
Print Assumptions rule_gridded_test.
Goal True. idtac "rule_advanced_composition:". Abort.
Print Assumptions rule_advanced_composition.
Goal True. idtac "rule_kairouz_oh_viswanath:". Abort.
Print Assumptions rule_kairouz_oh_viswanath.
Goal True. idtac "rule_murtagh_vadhan:". Abort.
Print Assumptions rule_murtagh_vadhan.
Goal True. idtac "rule_bun_steinke:". Abort.
Print Assumptions rule_bun_steinke.
Goal True. idtac "rule_bun_steinke_underivable:". Abort.
Print Assumptions rule_bun_steinke_underivable.
Goal True. idtac "rule_canonne_kamath_steinke:". Abort.
Print Assumptions rule_canonne_kamath_steinke.
Goal True. idtac "rule_canonne_kamath_steinke_underivable:". Abort.
Print Assumptions rule_canonne_kamath_steinke_underivable.
Goal True. idtac "rule_renyi:". Abort.
Print Assumptions rule_renyi.
Goal True. idtac "rule_gaussian_upper:". Abort.
Print Assumptions rule_gaussian_upper.
Goal True. idtac "rule_gaussian_lower:". Abort.
Print Assumptions rule_gaussian_lower.
Goal True. idtac "rule_gaussian_mixture_upper:". Abort.
Print Assumptions rule_gaussian_mixture_upper.
Goal True. idtac "rule_gaussian_mixture_lower:". Abort.
Print Assumptions rule_gaussian_mixture_lower.
Goal True. idtac "rule_gaussian_mesh_upper:". Abort.
Print Assumptions rule_gaussian_mesh_upper.
Goal True. idtac "rule_gaussian_mesh_lower:". Abort.
Print Assumptions rule_gaussian_mesh_lower.
Goal True. idtac "rule_zcdp_pair:". Abort.
Print Assumptions rule_zcdp_pair.
Goal True. idtac "rule_concurrent_basic:". Abort.
Print Assumptions rule_concurrent_basic.
Goal True. idtac "rule_interleaved:". Abort.
Print Assumptions rule_interleaved.
Goal True. idtac "rule_group_privacy_upper:". Abort.
Print Assumptions rule_group_privacy_upper.
Goal True. idtac "rule_group_privacy_lower:". Abort.
Print Assumptions rule_group_privacy_lower.
Goal True. idtac "rule_group_mechanisms:". Abort.
Print Assumptions rule_group_mechanisms.
Goal True. idtac "rule_group_privacy_upper_mixed:". Abort.
Print Assumptions rule_group_privacy_upper_mixed.
Goal True. idtac "rule_group_privacy_lower_mixed:". Abort.
Print Assumptions rule_group_privacy_lower_mixed.
Goal True. idtac "rule_group_mechanisms_mixed:". Abort.
Print Assumptions rule_group_mechanisms_mixed.
Goal True. idtac "rule_overlap_witness:". Abort.
Print Assumptions rule_overlap_witness.
Goal True. idtac "rule_overlap_witness_mixed:". Abort.
Print Assumptions rule_overlap_witness_mixed.
Goal True. idtac "rule_parallel_colouring:". Abort.
Print Assumptions rule_parallel_colouring.
Goal True. idtac "rule_parallel_colouring_mixed:". Abort.
Print Assumptions rule_parallel_colouring_mixed.
Goal True. idtac "rule_post_processing:". Abort.
Print Assumptions rule_post_processing.
Goal True. idtac "rule_distinguishing_adversary:". Abort.
Print Assumptions rule_distinguishing_adversary.
Goal True. idtac "rule_distinguishing_adversary_every:". Abort.
Print Assumptions rule_distinguishing_adversary_every.

(** The verified checker. *)
Goal True. idtac "ln_enclosed:". Abort.
Print Assumptions ln_enclosed.
Goal True. idtac "nonneg_sound:". Abort.
Print Assumptions nonneg_sound.
Goal True. idtac "positive_sound:". Abort.
Print Assumptions positive_sound.
Goal True. idtac "check_vacuous_sound:". Abort.
Print Assumptions check_vacuous_sound.
Goal True. idtac "check_sum_upper_sound:". Abort.
Print Assumptions check_sum_upper_sound.
Goal True. idtac "check_sum_lower_sound:". Abort.
Print Assumptions check_sum_lower_sound.
Goal True. idtac "check_infeasible_sound:". Abort.
Print Assumptions check_infeasible_sound.
Goal True. idtac "check_infeasible_noise_sound:". Abort.
Print Assumptions check_infeasible_noise_sound.
Goal True. idtac "check_rational_odds_upper_sound:". Abort.
Print Assumptions check_rational_odds_upper_sound.
Goal True. idtac "check_rational_odds_lower_sound:". Abort.
Print Assumptions check_rational_odds_lower_sound.
Goal True. idtac "check_grid_upper_sound:". Abort.
Print Assumptions check_grid_upper_sound.
Goal True. idtac "check_grid_lower_sound:". Abort.
Print Assumptions check_grid_lower_sound.
Goal True. idtac "value_over_basis:". Abort.
Print Assumptions value_over_basis.
Goal True. idtac "check_lattice_upper_sound:". Abort.
Print Assumptions check_lattice_upper_sound.
Goal True. idtac "check_lattice_lower_sound:". Abort.
Print Assumptions check_lattice_lower_sound.
Goal True. idtac "check_connect_the_dots_sound:". Abort.
Print Assumptions check_connect_the_dots_sound.
Goal True. idtac "check_gridded_test_sound:". Abort.
Print Assumptions check_gridded_test_sound.
Goal True. idtac "check_advanced_composition_sound:". Abort.
Print Assumptions check_advanced_composition_sound.
Goal True. idtac "check_kairouz_oh_viswanath_sound:". Abort.
Print Assumptions check_kairouz_oh_viswanath_sound.
Goal True. idtac "check_murtagh_vadhan_sound:". Abort.
Print Assumptions check_murtagh_vadhan_sound.
Goal True. idtac "check_bun_steinke_sound:". Abort.
Print Assumptions check_bun_steinke_sound.
Goal True. idtac "check_bun_steinke_underivable_sound:". Abort.
Print Assumptions check_bun_steinke_underivable_sound.
Goal True. idtac "check_canonne_kamath_steinke_sound:". Abort.
Print Assumptions check_canonne_kamath_steinke_sound.
Goal True. idtac "check_canonne_kamath_steinke_underivable_sound:". Abort.
Print Assumptions check_canonne_kamath_steinke_underivable_sound.
Goal True. idtac "check_renyi_sound:". Abort.
Print Assumptions check_renyi_sound.
Goal True. idtac "check_gaussian_upper_sound:". Abort.
Print Assumptions check_gaussian_upper_sound.
Goal True. idtac "check_gaussian_lower_sound:". Abort.
Print Assumptions check_gaussian_lower_sound.
Goal True. idtac "check_gaussian_mixture_upper_sound:". Abort.
Print Assumptions check_gaussian_mixture_upper_sound.
Goal True. idtac "check_gaussian_mixture_lower_sound:". Abort.
Print Assumptions check_gaussian_mixture_lower_sound.
Goal True. idtac "check_gaussian_mesh_upper_sound:". Abort.
Print Assumptions check_gaussian_mesh_upper_sound.
Goal True. idtac "check_gaussian_mesh_lower_sound:". Abort.
Print Assumptions check_gaussian_mesh_lower_sound.
Goal True. idtac "check_zcdp_pair_sound:". Abort.
Print Assumptions check_zcdp_pair_sound.
Goal True. idtac "check_zcdp_pair_alone_sound:". Abort.
Print Assumptions check_zcdp_pair_alone_sound.
Goal True. idtac "check_concurrent_basic_sound:". Abort.
Print Assumptions check_concurrent_basic_sound.
Goal True. idtac "check_group_privacy_sound:". Abort.
Print Assumptions check_group_privacy_sound.
Goal True. idtac "check_group_mechanisms_sound:". Abort.
Print Assumptions check_group_mechanisms_sound.
Goal True. idtac "check_overlap_witness_sound:". Abort.
Print Assumptions check_overlap_witness_sound.
Goal True. idtac "check_overlap_witness_of_sound:". Abort.
Print Assumptions check_overlap_witness_of_sound.
Goal True. idtac "check_parallel_colouring_sound:". Abort.
Print Assumptions check_parallel_colouring_sound.
Goal True. idtac "check_parallel_colouring_of_sound:". Abort.
Print Assumptions check_parallel_colouring_of_sound.
Goal True. idtac "check_bun_steinke_any_order:". Abort.
Print Assumptions check_bun_steinke_any_order.
Goal True. idtac "check_canonne_kamath_steinke_any_order:". Abort.
Print Assumptions check_canonne_kamath_steinke_any_order.
Goal True. idtac "check_renyi_any_order:". Abort.
Print Assumptions check_renyi_any_order.
Goal True. idtac "check_gaussian_any_order:". Abort.
Print Assumptions check_gaussian_any_order.
Goal True. idtac "check_gaussian_mixture_any_order:". Abort.
Print Assumptions check_gaussian_mixture_any_order.
Goal True. idtac "check_gaussian_mesh_any_order:". Abort.
Print Assumptions check_gaussian_mesh_any_order.
Goal True. idtac "check_post_processing_sound:". Abort.
Print Assumptions check_post_processing_sound.
Goal True. idtac "check_distinguishing_adversary_sound:". Abort.
Print Assumptions check_distinguishing_adversary_sound.
Goal True. idtac "check_distinguishing_every_sound:". Abort.
Print Assumptions check_distinguishing_every_sound.

(** Cited by the specification besides. *)
Goal True. idtac "mixed_upper_trivial:". Abort.
Print Assumptions mixed_upper_trivial.
Goal True. idtac "mixed_lower_trivial:". Abort.
Print Assumptions mixed_lower_trivial.
Goal True. idtac "rule_parallel_colouring_any:". Abort.
Print Assumptions rule_parallel_colouring_any.
