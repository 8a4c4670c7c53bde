(** The verified checker: the rule `zcdp-pair`.

    The mechanisms given by rho are taken as one more mechanism, (y, c/d)-DP (RulesPair.v); the rest is
    `gaussian-mesh`, or `mesh-upper` where no mu is above 0. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Rules Notions Comparisons CheckerClosed CheckerNotions CheckerBracket.
From ExactDP Require Import CheckerBracketTheorems RulesGaussian CheckerGaussian CheckerMesh.
From ExactDP Require Import CheckerConcentrated RulesPair NotionsTrivial OrderOfWorkloads ConcentratedInAnyOrder.
From ExactDP Require Import GaussianComposition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Checks.
Variables (f : effort) (w : Z) (m : mixed_subject) (o : order) (y : combination) (c d : Z).

Definition check_zcdp_pair (p : precision) (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  check_pair f w m o y c d && check_gaussian_mesh_upper f p (with_pair m y c d) q x a b.
Definition check_zcdp_pair_alone (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  [&& check_pair f w m o y c d, mixed_ok f (with_pair m y c d),
      all (fun l => Z.eqb (level_above l) 0) (gaussians m) &
      check_connect_the_dots f (approximates (with_pair m y c d)) q x a b].

Theorem check_zcdp_pair_sound p q x a b : gaussian_composes ->
  check_zcdp_pair p q x a b ->
  mixed_upper G (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> composes /andP[pair h]; apply: (check_pair_sound pair); first by case: (check_gaussian_mesh_mean h).
exact: (check_gaussian_mesh_upper_sound composes h).
Qed.

Theorem check_zcdp_pair_alone_sound q x a b : check_zcdp_pair_alone q x a b ->
  mixed_upper G (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> /and4P[pair ok none h]; apply: (check_pair_sound pair); first exact: notions_proper ok.
apply: (subject_upper_trivial ok); first by rewrite all_cat none.
exact: check_connect_the_dots_sound h.
Qed.

(** The same of mechanisms in an order that depends on the answers. *)
Lemma pair_any_order epsilon delta : check_pair f w m o y c d ->
  all Failures.proper_notion (notions_of (with_pair m y c d)) ->
  mixed_upper G (notions_of (with_pair m y c d)) epsilon delta ->
  any_order_upper (notions_of m) epsilon delta.
Proof.
move=> pair /(check_pair_facts pair)[ok good a1 h same] upper.
exact: concentrated_pair_any_order ok good a1 h (mixed_upper_permutation same upper).
Qed.

Theorem check_zcdp_pair_any_order p q x a b : check_zcdp_pair p q x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> /andP[pair h]; apply: (pair_any_order pair); first by case: (check_gaussian_mesh_mean h).
exact: (check_gaussian_mesh_upper_sound gaussian_composes_holds h).
Qed.

Theorem check_zcdp_pair_alone_any_order q x a b : check_zcdp_pair_alone q x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> /and4P[pair ok none h]; apply: (pair_any_order pair); first exact: notions_proper ok.
apply: (subject_upper_trivial ok); first by rewrite all_cat none.
exact: check_connect_the_dots_sound h.
Qed.
End Checks.
