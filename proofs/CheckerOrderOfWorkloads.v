(** The check of the rule `moments`, for mechanisms in any order: with
    [check_parallel_case_tree_sound], what it proves of the ledger holds of the workload. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Powers Moments RulesConcentrated.
From ExactDP Require Import Logarithms Comparisons CheckerClosed CheckerNotions RulesGaussian.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerDelta CheckerGaussian.
From ExactDP Require Import CheckerConcentrated CheckerConcentratedTheorems OrderOfWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Theorems.
Variables (f : effort) (w : Z) (m : mixed_subject).
Implicit Types (o : order) (x : combination) (a b : Z).

Theorem check_renyi_any_order o x a b : check_renyi f w m o x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof. by case/check_renyi_shows=> W a1 D0 h; exact: (any_order_renyi W D0 a1). Qed.
End Theorems.
