(** The checks of the rules of concentrated and Rényi privacy, for mechanisms in any order: with
    [check_parallel_colouring_of_sound], what they prove of the ledger holds of the workload. *)
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

Theorem check_bun_steinke_any_order x a b : check_bun_steinke f w m x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case/andP=> /well_formedP[ok w0]; case h: (log_slack w m a b) => [l|] // /andP[r1 r2].
have [D0 L] := log_slack_enclosed ok w0 h; have R := rho_enclosed ok w0.
have E := enclosed_sub w _ _ _ _ (epsilon_enclosed ok w0 x) R.
apply: any_order_bun_steinke => //; first exact: (notions_proper ok).
  by rewrite -subr_ge0; exact: (surely_le_sound w0 (enclosed_Z w w0 0) E r1).
rewrite expr2 -mulrA four; apply: (surely_le_sound w0 _ _ r2); last exact: enclosed_mul.
by apply: enclosed_opp => //; apply: enclosed_scale => //; exact: enclosed_mul.
Qed.

Theorem check_canonne_kamath_steinke_any_order o x a b : check_canonne_kamath_steinke f w m o x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case/andP=> /andP[/well_formedP[ok w0] o_ok]; case h: (log_slack w m a b) => [l|] // r.
have [D0 L] := log_slack_enclosed ok w0 h.
apply: (any_order_canonne_kamath_steinke (notions_proper ok) D0 (order_gt1 o_ok)).
apply: (surely_le_sound w0 _ L r); apply: exponent_enclosed => //; first exact: (rho_enclosed ok w0).
exact: (epsilon_enclosed ok w0 x).
Qed.

Theorem check_renyi_any_order o x a b : check_renyi f w m o x a b ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case/andP=> /andP[/well_formedP[ok w0] o_ok].
case h: (log_slack w m a b) => [l|] //; case h': (moments_enclosure w m o) => [t|] // r.
have [D0 L] := log_slack_enclosed ok w0 h.
apply: (any_order_renyi (notions_proper ok) D0 (order_gt1 o_ok)).
apply: (surely_le_sound w0 _ L r); apply: enclosed_add => //; last exact: conversion_enclosed.
apply: enclosed_add => //; first exact: (moments_enclosed ok w0 o_ok h').
have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
have -> : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
  by rewrite IZRB mulrBl divff // IZR_gt0_neq0.
by apply: enclosed_multiple => //; exact: (epsilon_enclosed ok w0 x).
Qed.
End Theorems.
