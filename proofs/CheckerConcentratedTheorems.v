(** The checks of CheckerConcentrated.v are sound. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Powers Moments RulesConcentrated.
From ExactDP Require Import Logarithms Comparisons CheckerClosed CheckerNotions.
From ExactDP Require Import RulesGaussian.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerGaussian CheckerConcentrated.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Theorems.
Variables (f : effort) (w : Z) (m : mixed_subject).
Implicit Types (o : order) (x : combination) (a b : Z).

Lemma well_formedP : well_formed f w m -> mixed_ok f m /\ Z.le 0 w.
Proof. by case/andP=> ok /Z.leb_le. Qed.

Theorem check_bun_steinke_underivable_sound x a b : check_bun_steinke_underivable f w m x a b ->
  bun_steinke_underivable (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case/andP=> /well_formedP[ok w0]; case h: (log_slack w m a b) => [l|] // r.
have [D0 L] := log_slack_enclosed ok w0 h; have R := rho_enclosed ok w0.
have E := enclosed_sub w _ _ _ _ (epsilon_enclosed ok w0 x) R.
apply: rule_bun_steinke_underivable; first exact: (notions_proper ok).
case/orP: r => r; [left|right].
  by rewrite -subr_lt0; exact: (surely_lt_sound w0 E (enclosed_Z w w0 0) r).
rewrite expr2 -mulrA four; apply: (surely_lt_sound w0 _ _ r); first exact: enclosed_mul.
by apply: enclosed_opp => //; apply: enclosed_scale => //; exact: enclosed_mul.
Qed.

Theorem check_canonne_kamath_steinke_underivable_sound o x a b :
  check_canonne_kamath_steinke_underivable f w m o x a b ->
  canonne_kamath_steinke_underivable (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case/andP=> /andP[/andP[/well_formedP[ok w0] o_ok] r0].
case h: (log_slack w m a b) => [l|] //; case h': (divide _ _ _) => [q|] // r.
have [D0 L] := log_slack_enclosed ok w0 h; have R := rho_enclosed ok w0.
have X := epsilon_enclosed ok w0 x; have S := slope_enclosed w0 o_ok R X.
have [_ Q] := enclosed_divide w0 (enclosed_mul w w0 _ _ _ _ S S) (enclosed_scale w 4 _ _ R) h'.
apply: (rule_canonne_kamath_steinke_underivable (a := order_of o)); first exact: order_gt1.
  exact: (surely_lt_sound w0 (enclosed_Z w w0 0) R r0).
rewrite expr2 four; apply: (surely_lt_sound w0 L _ r).
by apply: enclosed_sub => //; exact: exponent_enclosed.
Qed.

(** What an accepted check shows of the sum; mechanisms in a given order, and in any
    (CheckerOrderOfWorkloads.v), follow. *)
Lemma check_renyi_shows o x a b : check_renyi f w m o x a b ->
  let ns := notions_of m in let Delta := mixed_slack ns (fraction a b) in let alpha := order_of o in
  [/\ all proper_notion ns, 1 < alpha, 0 < Delta &
   \sum_(n <- ns) log_moment alpha n + (1 - alpha) * real (approximates m) x + log_conversion alpha
     <= ln Delta].
Proof.
case/andP=> /andP[/well_formedP[ok w0] o_ok].
case h: (log_slack w m a b) => [l|] //; case h': (moments_enclosure w m o) => [t|] // r.
have [D0 L] := log_slack_enclosed ok w0 h.
split=> //; [exact: (notions_proper ok)|exact: (order_gt1 o_ok)|].
apply: (surely_le_sound w0 _ L r); apply: enclosed_add => //; last exact: conversion_enclosed.
apply: enclosed_add => //; first exact: (moments_enclosed ok w0 o_ok h').
have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
have -> : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
  by rewrite IZRB mulrBl divff // IZR_gt0_neq0.
by apply: enclosed_multiple => //; exact: (epsilon_enclosed ok w0 x).
Qed.

Theorem check_renyi_sound o x a b : check_renyi f w m o x a b ->
  mixed_upper G (notions_of m) (real (approximates m) x) (fraction a b).
Proof. by case/check_renyi_shows=> W a1 D0 h; exact: (rule_renyi W a1). Qed.
End Theorems.
