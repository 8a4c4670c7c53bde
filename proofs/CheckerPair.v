(** The verified checker: the rule `zcdp-pair`.

    The mechanisms given by rho are taken as one more mechanism, (y, c/d)-DP (RulesPair.v); the rest is
    `gaussian-mesh`, or `connect-the-dots` where there are no mechanisms given by mu. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Rules Notions Comparisons CheckerClosed CheckerNotions CheckerBracket.
From ExactDP Require Import CheckerBracketTheorems RulesGaussian CheckerGaussian CheckerMesh.
From ExactDP Require Import CheckerConcentrated RulesPair.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Checks.
Variables (f : effort) (w : Z) (m : mixed_subject) (o : order) (y : combination) (c d : Z).

Definition check_zcdp_pair (p : precision) (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  check_pair f w m o y c d && check_gaussian_mesh_upper f p (with_pair m y c d) q x a b.
Definition check_zcdp_pair_alone (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  [&& check_pair f w m o y c d, if gaussians m is [::] then true else false &
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
move=> /and3P[pair none h]; have {}none : gaussians m = [::] by case: (gaussians m) none.
have sok : subject_ok f (approximates (with_pair m y c d)) by case/and4P: h.
have e : notions_of (with_pair m y c d) = approximate (ledger_of (approximates (with_pair m y c d))).
  by rewrite /notions_of /with_pair /= none /levels /= cats0.
apply: (check_pair_sound pair); rewrite e.
  rewrite /approximate all_map; apply/allP => r /(allP (ledger_proper sok)).
  by case/andP=> /= -> /andP[-> ->].
by apply/(mixed_upper_approximate G _ _ (ledger_proper sok)); exact: check_connect_the_dots_sound h.
Qed.
End Checks.
