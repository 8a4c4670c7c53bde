(** The axioms behind every headline theorem.

    [make] compares what this file prints with assumptions.txt.  "Closed under the global
    context" means: no axiom at all. *)
From ExactDP Require Import SubsetSums Privacy Composition OptComp ClosedForm Optimum Reals.
From ExactDP Require Import Rounding Groups Concurrent.
From ExactDP Require Import Losses Bracket Rules RuleRationalOdds RulesFixedPoint RulesBracket.
From ExactDP Require Import Logarithms Comparisons CheckerClosed CheckerGridTheorems.

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

(** The rules. *)
Goal True. idtac "table_upper:". Abort.
Print Assumptions table_upper.
Goal True. idtac "table_lower:". Abort.
Print Assumptions table_lower.
Goal True. idtac "split_dominates:". Abort.
Print Assumptions split_dominates.
Goal True. idtac "event_test:". Abort.
Print Assumptions event_test.
Goal True. idtac "rule_vacuous:". Abort.
Print Assumptions rule_vacuous.
Goal True. idtac "rule_sum_upper:". Abort.
Print Assumptions rule_sum_upper.
Goal True. idtac "rule_sum_lower:". Abort.
Print Assumptions rule_sum_lower.
Goal True. idtac "rule_infeasible:". Abort.
Print Assumptions rule_infeasible.
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

(** The checker. *)
Goal True. idtac "ln_enclosed:". Abort.
Print Assumptions ln_enclosed.
Goal True. idtac "nonneg_sound:". Abort.
Print Assumptions nonneg_sound.
Goal True. idtac "check_vacuous_sound:". Abort.
Print Assumptions check_vacuous_sound.
Goal True. idtac "check_sum_upper_sound:". Abort.
Print Assumptions check_sum_upper_sound.
Goal True. idtac "check_sum_lower_sound:". Abort.
Print Assumptions check_sum_lower_sound.
Goal True. idtac "check_infeasible_sound:". Abort.
Print Assumptions check_infeasible_sound.
Goal True. idtac "check_grid_upper_sound:". Abort.
Print Assumptions check_grid_upper_sound.
Goal True. idtac "check_grid_lower_sound:". Abort.
Print Assumptions check_grid_lower_sound.
