(** The checks of the rules `gaussian`, `gaussian-mixture` and `gaussian-mesh`, and of the Fourier rules, for
    mechanisms in any order: with [check_parallel_case_tree_sound], what they prove of the ledger holds of the
    workload. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Notions RulesGaussian Comparisons CheckerClosed CheckerNotions CheckerGaussian.
From ExactDP Require Import CheckerMixture CheckerMesh CheckerFourier OrderOfWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Theorems.
Variables (f : effort) (p : precision) (m : mixed_subject) (x : combination) (a b : Z).
Let ns := notions_of m.
Let epsilon := real (approximates m) x.

Lemma any_order_within : mean_within ns epsilon (fraction a b) -> any_order_upper ns epsilon (fraction a b).
Proof. by move=> [proper none]; exact: any_order_of_mean. Qed.

Theorem check_gaussian_any_order : check_gaussian_upper f p m x a b ->
  any_order_upper ns epsilon (fraction a b).
Proof. by move/check_gaussian_mean; exact: any_order_within. Qed.

Theorem check_gaussian_mixture_any_order q : check_gaussian_mixture_upper f p q m x a b ->
  any_order_upper ns epsilon (fraction a b).
Proof. by move/check_gaussian_mixture_mean; exact: any_order_within. Qed.

Theorem check_gaussian_mesh_any_order q : check_gaussian_mesh_upper f p m q x a b ->
  any_order_upper ns epsilon (fraction a b).
Proof. by move/check_gaussian_mesh_mean; exact: any_order_within. Qed.

Theorem check_fourier_any_order q : check_fourier_upper f q m x a b ->
  any_order_upper ns epsilon (fraction a b).
Proof. by move/check_fourier_mean; exact: any_order_within. Qed.
End Theorems.
