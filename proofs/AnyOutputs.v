(** Bounds from above hold of mechanisms with outputs of any kind: statements about ledgers and about noise.

    A mechanism has a notion of Notions.v, or the noise of NoiseLedgers.v, if all that can be told of its
    output in finitely many values has it ([in_parts]); for (epsilon, delta)-DP that is what its events say
    ([close_in_parts]).  Compositions are those of ReleasedOutputs.v. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import classical_sets.
From mathcomp.analysis Require Import Rstruct reals ereal measure.
From ExactDP Require Import Privacy Composition Reals Rules Notions NoiseLedgers NoiseLosses RulesGaussian.
From ExactDP Require Import InfiniteOutputs ReleasedOutputs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Notation real := [realType of R].

Theorem upper_of_any_outputs ns epsilon delta : mixed_upper G ns epsilon delta ->
  forall ns', Permutation ns ns' -> forall d (Y : measurableType d) (P Q : {measure set Y -> \bar real}),
  released (satisfies G) ns' P Q -> close_on_events (exp epsilon : real) delta P Q.
Proof.
move=> all ns' p d Y P Q; apply: (@released_private real _ (satisfies G) (mixed_composition G)).
- exact: MixedNil.
- by move=> n rest Z W S T S' T' h rec; exact: (MixedCons h rec).
- by move=> ? ? ? ? C; exact: (mixed_composition_distribution C).
- exact: (ltW (exp_gt0 _)).
- exact: all.
Qed.

Theorem noisy_upper_of_any_outputs ns epsilon delta : noisy_upper ns epsilon delta ->
  forall ns', Permutation ns ns' -> forall d (Y : measurableType d) (P Q : {measure set Y -> \bar real}),
  released has_noise ns' P Q -> close_on_events (exp epsilon : real) delta P Q.
Proof.
move=> all ns' p d Y P Q; apply: (@released_private real _ has_noise noisy_composition).
- exact: NoisyNil.
- by move=> n rest Z W S T S' T' h rec; exact: (NoisyCons h rec).
- by move=> ? ? ? ? C; exact: (noisy_distribution C).
- exact: (ltW (exp_gt0 _)).
- exact: all.
Qed.
