(** The axioms behind every headline theorem.

    [make] compares what this file prints with assumptions.txt.  "Closed under the global
    context" means: no axiom at all. *)
From ExactDP Require Import SubsetSums Privacy Composition OptComp ClosedForm Optimum Reals.

Goal True. idtac "lemma_5_1:". Abort.
Print Assumptions lemma_5_1.
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
