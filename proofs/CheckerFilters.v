(** The verified checker: the rule `filter`, about budgets that are spent as one goes.

    All checks but that of one order compare fractions.  What leads to a ledger is shown the ledger. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Moments RulesGaussian.
From ExactDP Require Import RulesConcentrated NotionsTrivial Filters RulesFilters.
From ExactDP Require Import Logarithms Comparisons Enclosures EnclosuresOfNumbers.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerGaussian CheckerConcentrated.
From ExactDP Require Import CheckerConcentratedTheorems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A budget, size_above/size_below, and that of failures. *)
Record budget := Budget { size_above : Z; size_below : Z; failing_above : Z; failing_below : Z }.
Definition size_of (l : budget) : R := fraction (size_above l) (size_below l).
Definition failing_of (l : budget) : R := fraction (failing_above l) (failing_below l).

Definition budget_ok (l : budget) : bool :=
  [&& Z.leb 0 (size_above l), Z.ltb 0 (size_below l), Z.leb 0 (failing_above l) &
      Z.ltb (failing_above l) (failing_below l)].

(** x <= y, for denominators above 0. *)
Definition fraction_le (x y : Z * Z) : bool :=
  [&& Z.ltb 0 x.2, Z.ltb 0 y.2 & Z.leb (x.1 * y.2)%coqZ (y.1 * x.2)%coqZ].

(** 11.19: the mechanism that may fail, if any may; and the ledgers by rho and by mu. *)
Definition fails_alone (l : budget) (es : seq entry) : bool :=
  match es with
  | [::] => Z.eqb (failing_above l) 0
  | [:: e] => [&& Z.ltb 0 (failing_above l), is_zero (epsilon e), Z.eqb (count e) 1,
                  Z.eqb (above e) (failing_above l) & Z.eqb (below e) (failing_below l)]
  | _ => false
  end.
Definition spends_all (l : budget) (ls : seq level) : bool :=
  if ls is [:: x] then [&& Z.eqb (times x) 1, Z.eqb (level_above x) (size_above l) &
                           Z.eqb (level_below x) (size_below l)] else false.
Definition none (ls : seq level) : bool := if ls is [::] then true else false.

Definition check_filter_concentrated (m : mixed_subject) (l : budget) : bool :=
  [&& budget_ok l, fails_alone l (entries (approximates m)), none (gaussians m) &
      spends_all l (concentrates m)].
Definition check_filter_gaussian (m : mixed_subject) (l : budget) : bool :=
  [&& budget_ok l, fails_alone l (entries (approximates m)), none (concentrates m) &
      spends_all l (gaussians m)].

(** By one order: the mechanism that may fail alone stands for the budget of failures. *)
Definition check_filter_renyi (f : effort) (w : Z) (m : mixed_subject) (l : budget) (o : order)
    (x : combination) (a b : Z) : bool :=
  let n := order_above o in
  let d := order_below o in
  [&& well_formed f w m, order_ok o, budget_ok l, fails_alone l (entries (approximates m)) &
  if log_slack w m a b is Some lost then
    surely_le (add (add
        (scale_fraction (n - d) d (enclosure_of_fraction w (size_above l) (size_below l)))
        (scale_fraction (d - n) d (epsilon_enclosure w m x))) (conversion_enclosure w o)) lost
  else false].

(** The measure in which mechanisms count. *)
Inductive counting := CountsEpsilon | CountsRho | CountsRenyi of order | CountsMu.
Definition measure_of (c : counting) : measure :=
  match c with
  | CountsEpsilon => OfEpsilon
  | CountsRho => OfRho
  | CountsRenyi o => OfRenyi (order_of o)
  | CountsMu => OfMu
  end.

Definition is_rational (x : combination) : bool := all (fun k => Z.eqb k 0) x.2.
Definition all_zero (ls : seq level) : bool := all (fun l => Z.eqb (level_above l) 0) ls.
Definition counts_in (c : counting) (m : mixed_subject) : bool :=
  match c with
  | CountsEpsilon => all_zero (gaussians m) && all_zero (concentrates m)
  | CountsMu => no_losses (approximates m) && all_zero (concentrates m)
  | CountsRho => true
  | CountsRenyi o => order_ok o
  end.

(** The ledger by epsilon: what may fail, if anything may, then what spends all. *)
Definition spends_epsilon (s : subject) (l : budget) (e : entry) : bool :=
  [&& Z.eqb (count e) 1, is_rational (epsilon e), Z.ltb 0 (denominator s), Z.eqb (above e) 0 &
      Z.eqb ((epsilon e).1 * size_below l) (size_above l * denominator s)].
Definition check_filter_epsilon (m : mixed_subject) (l : budget) : bool :=
  let s := approximates m in
  [&& budget_ok l, none (gaussians m), none (concentrates m) &
  match entries s with
  | [:: e] => fails_alone l [::] && spends_epsilon s l e
  | [:: e0; e] => fails_alone l [:: e0] && spends_epsilon s l e
  | _ => false
  end].

(** sum count * v, for fractions v. *)
Definition sum_entries (v : entry -> Z * Z) (es : seq entry) : Z * Z :=
  sum_levels (fun l => (level_above l, level_below l)) [seq Level (count e) (v e).1 (v e).2 | e <- es].
Definition counted (c : counting) (m : mixed_subject) : Z * Z :=
  let es := entries (approximates m) in
  let d := denominator (approximates m) in
  let rho := add_fractions
    (sum_entries (fun e => (((epsilon e).1 * (epsilon e).1)%coqZ, (2 * (d * d))%coqZ)) es) (rho_fraction m) in
  match c with
  | CountsEpsilon => sum_entries (fun e => ((epsilon e).1, d)) es
  | CountsRho => rho
  | CountsRenyi o => ((order_above o * rho.1)%coqZ, (order_below o * rho.2)%coqZ)
  | CountsMu => total_square m
  end.
Definition limit (c : counting) (l : budget) : Z * Z :=
  if c is CountsMu then ((size_above l * size_above l)%coqZ, (size_below l * size_below l)%coqZ)
  else (size_above l, size_below l).
Definition limit_of (c : counting) (l : budget) : R :=
  if c is CountsMu then size_of l ^+ 2 else size_of l.

Definition check_fixed_spends (f : effort) (c : counting) (m : mixed_subject) (l : budget) : bool :=
  [&& mixed_ok f m, budget_ok l, all (fun e => is_rational (epsilon e)) (entries (approximates m)),
      counts_in c m, fraction_le (counted c m) (limit c l) &
      fraction_le (sum_entries (fun e => (above e, below e)) (entries (approximates m)))
        (failing_above l, failing_below l)].

Lemma fraction_leP x y : fraction_le x y -> fraction x.1 x.2 <= fraction y.1 y.2.
Proof.
case/and3P=> /Z.ltb_lt x0 /Z.ltb_lt y0; rewrite -IZR_le_iff !IZRM => h.
have X0 : 0 < IZR x.2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have Y0 : 0 < IZR y.2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
by rewrite /fraction ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
Qed.

Section Budgets.
Variable l : budget.
Hypothesis ok : budget_ok l.

Lemma size_ge0 : 0 <= size_of l.
Proof.
case/and4P: ok => a0 b0 _ _; rewrite divr_ge0 //; first by rewrite (IZR_le_iff Z0).
by rewrite ltW // (IZR_lt_iff Z0).
Qed.

Lemma failing_bounds : 0 <= failing_of l < 1.
Proof.
case/and4P: ok => _ _ /Z.leb_le a0 /Z.ltb_lt ab.
have B0 : 0 < IZR (failing_below l) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
rewrite /failing_of /fraction ltr_pdivr_mulr // mul1r IZR_lt_iff (proj2 (Z.ltb_lt _ _) ab) andbT.
by rewrite divr_ge0 ?(ltW B0) // (IZR_le_iff Z0); apply/Z.leb_le.
Qed.

Lemma failing_alone s : fails_alone l (entries s) ->
  ledger_of s = if failing_of l == 0 then [::] else [:: (0, failing_of l)].
Proof.
have [_ _ _ /Z.ltb_lt ab] := and4P ok.
have zero : (failing_of l == 0) = Z.eqb (failing_above l) 0.
  rewrite /failing_of /fraction mulf_eq0 invr_eq0.
  have /and4P[_ _ /Z.leb_le a0 _] := ok.
  rewrite (negbTE (IZR_gt0_neq0 (_ : Z.lt 0 (failing_below l)))) ?orbF; last by lia.
  apply/eqP/Z.eqb_spec => [|->] //; exact: eq_IZR_R0.
rewrite zero /ledger_of; case: (entries s) => [|e [|? ?]] //=; first by move=> ->.
case/and5P=> /Z.ltb_lt a0 e0 /Z.eqb_eq -> /Z.eqb_eq ea /Z.eqb_eq eb.
rewrite /real is_zero_value // mul0r ea eb.
by case: Z.eqb_spec => // a00; move: a0; rewrite a00.
Qed.

Lemma spending_all n ls : spends_all l ls -> levels n ls = [:: n (size_of l)].
Proof.
case: ls => [|x [|? ?]] //= /and3P[/Z.eqb_eq e /Z.eqb_eq a /Z.eqb_eq b].
by rewrite /levels /= e /level_of a b.
Qed.

Lemma none_levels n ls : none ls -> levels n ls = [::].
Proof. by case: ls. Qed.
End Budgets.

Section Ledgers.
Variables (m : mixed_subject) (l : budget) (epsilon delta : R).

Theorem check_filter_concentrated_sound : check_filter_concentrated m l ->
  mixed_upper G (notions_of m) epsilon delta ->
  budget_upper OfRho (size_of l) (failing_of l) epsilon delta.
Proof.
case/and4P=> ok /(failing_alone ok) e g c; rewrite /notions_of e (none_levels _ g) (@spending_all l _ _ c) => up.
apply: rule_filter_concentrated; [exact: size_ge0|exact: failing_bounds|].
by rewrite /at_once; case: eqP up.
Qed.

Theorem check_filter_gaussian_sound : gaussian_composes -> check_filter_gaussian m l ->
  mixed_upper G (notions_of m) epsilon delta ->
  budget_upper OfMu (size_of l ^+ 2) (failing_of l) epsilon delta.
Proof.
move=> composes /and4P[ok /(failing_alone ok) e c g].
rewrite /notions_of e (none_levels _ c) (@spending_all l _ _ g) => up.
apply: rule_filter_gaussian => //; [exact: sqr_ge0|exact: failing_bounds|].
have -> : sqrt (size_of l ^+ 2) = size_of l by rewrite -RpowE; apply: sqrt_pow2; exact/RleP/size_ge0.
by rewrite /at_once; case: eqP up.
Qed.
End Ledgers.

Theorem check_filter_renyi_sound f w m l o x a b : check_filter_renyi f w m l o x a b ->
  budget_upper (OfRenyi (order_of o)) (size_of l) (failing_of l) (real (approximates m) x) (fraction a b).
Proof.
case/and5P=> /well_formedP[mok w0] o_ok ok /(failing_alone ok) e.
case h: (log_slack w m a b) => [lost|] // r.
have [D0 L] := log_slack_enclosed mok w0 h.
have kept : mixed_slack (notions_of m) (fraction a b) = 1 - (1 - fraction a b) / (1 - failing_of l).
  rewrite /mixed_slack mixed_keptE e; case: eqP => [->|_]; first by rewrite big_nil subr0.
  by rewrite big_cons big_nil mulr1.
rewrite kept in D0 L.
have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
have y0 : Z.lt 0 (size_below l) by case/and4P: ok => _ /Z.ltb_lt.
apply: rule_filter_renyi => //; [exact: size_ge0|exact: failing_bounds|exact: order_gt1|].
apply: (surely_le_sound w0 _ L r); apply: enclosed_add => //; last exact: conversion_enclosed.
have D : IZR (order_below o) != 0 by exact: IZR_gt0_neq0.
apply: enclosed_add => //.
  have -> : order_of o - 1 = IZR (order_above o - order_below o) / IZR (order_below o).
    by rewrite IZRB mulrBl divff.
  by apply: enclosed_multiple => //; exact: enclosed_fraction.
have -> : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
  by rewrite IZRB mulrBl divff.
by apply: enclosed_multiple => //; exact: (epsilon_enclosed mok w0 x).
Qed.

Lemma sum_entriesE (v : entry -> Z * Z) es : all (fun e => Z.ltb 0 (v e).2) es ->
  fraction (sum_entries v es).1 (sum_entries v es).2 =
  \sum_(e <- es) IZR (count e) * fraction (v e).1 (v e).2 /\ Z.lt 0 (sum_entries v es).2.
Proof.
move=> h; have [|s0 e] := @sum_levels_sound (fun l => (level_above l, level_below l))
  [seq Level (count e) (v e).1 (v e).2 | e <- es]; first by rewrite all_map.
by split=> //; rewrite [LHS]e big_map.
Qed.

Lemma eq_sum_all (T : Type) (p : pred T) (F F' : T -> R) xs : all p xs -> (forall x, p x -> F x = F' x) ->
  \sum_(x <- xs) F x = \sum_(x <- xs) F' x.
Proof.
move=> + h; elim: xs => [|x xs IH] /=; first by rewrite !big_nil.
by case/andP=> /h e /IH; rewrite !big_cons e => ->.
Qed.

Section FixedSpends.
Variables (f : effort) (c : counting) (m : mixed_subject) (l : budget).
Hypotheses (ok : mixed_ok f m) (rational : all (fun e => is_rational (epsilon e)) (entries (approximates m))).
Let s := approximates m.
Let d0 : Z.lt 0 (denominator s). Proof. by case/and3P: ok => /and4P[_ /Z.ltb_lt]. Qed.

Lemma real_of_rational x : is_rational x -> real s x = fraction x.1 (denominator s).
Proof.
move=> h; rewrite /real /fraction /value; congr (_ / _); rewrite -[RHS]addr0; congr (_ + _).
move: h; rewrite /is_rational; elim: (quotients s) x.2 => [|r rs IH] [|k ks] //=.
by case/andP=> /Z.eqb_eq -> /IH ->; rewrite mul0r addr0.
Qed.

Lemma rho_fractionE : Z.lt 0 (rho_fraction m).2 /\ fraction (rho_fraction m).1 (rho_fraction m).2 =
  \sum_(x <- gaussians m) IZR (times x) * (level_of x ^+ 2 / 2%:R) +
  \sum_(x <- concentrates m) IZR (times x) * level_of x.
Proof.
have [q0 q] := total_squareE ok; have [c0 e] := total_concentratedE ok.
have y0 : Z.lt 0 (2 * (total_square m).2) by lia.
rewrite /rho_fraction; split; first exact: Z.mul_pos_pos.
rewrite fraction_add //; cbn [fst snd]; rewrite e addrC; congr (_ + _).
under [RHS]eq_bigr do rewrite mulrA; rewrite -mulr_suml -q /fraction (IZRM 2) two_R.
by rewrite invfM mulrA mulrAC.
Qed.

Lemma rhoE : let rho := counted CountsRho m in
  Z.lt 0 rho.2 /\ fraction rho.1 rho.2 = \sum_(n <- notions_of m) rho_of n.
Proof.
have [r0 r] := rho_fractionE; have dd : Z.lt 0 (2 * (denominator s * denominator s)) by have := d0; nia.
have [|e e0] := @sum_entriesE (fun e => (((epsilon e).1 * (epsilon e).1)%coqZ,
  (2 * (denominator s * denominator s))%coqZ)) (entries s).
  by apply: sub_all (all_predT _) => e _; exact/Z.ltb_lt.
split; first exact: Z.mul_pos_pos.
rewrite /counted fraction_add // r (sum_notions ok) e; congr (_ + _); apply: (eq_sum_all rational) => i h.
rewrite /= real_of_rational // /fraction IZRM (IZRM 2) IZRM two_R expr2 mulf_div; congr (_ * _).
by rewrite invfM mulrA mulrAC.
Qed.

Lemma countedE : counts_in c m ->
  fraction (counted c m).1 (counted c m).2 = \sum_(n <- notions_of m) charge (measure_of c) n.
Proof.
have zero T (xs : seq T) (k F : T -> R) : (forall x, F x = 0) -> \sum_(x <- xs) k x * F x = 0.
  by move=> F0; rewrite big1 // => x _; rewrite F0 mulr0.
case: c => [_|_|o o_ok|_].
- have [|e _] := @sum_entriesE (fun e => ((epsilon e).1, denominator s)) (entries s).
    by apply: sub_all (all_predT _) => i _; exact/Z.ltb_lt.
  rewrite [LHS]e (sum_notions ok) [X in _ + (X + _)]zero // [X in _ + (_ + X)]zero // !addr0.
  by apply: (eq_sum_all rational) => i h; rewrite /= real_of_rational.
- by have [] := rhoE.
- have [r0 r] := rhoE; rewrite /= -mulr_sumr -r /order_of /fraction mulf_div -!IZRM //.
- have [_ e] := total_squareE ok; rewrite [LHS]e (sum_notions ok).
  by rewrite [X in X + _]zero // [X in _ + (_ + X)]zero // add0r addr0.
Qed.

Lemma chargeables : counts_in c m -> all (chargeable (measure_of c)) (notions_of m).
Proof.
have zeros (ls : seq level) n : all_zero ls -> (forall x : R, x = 0 -> chargeable (measure_of c) (n x)) ->
    all (chargeable (measure_of c)) (levels n ls).
  move=> z h; rewrite all_levels; apply: sub_all z => x /Z.eqb_eq e.
  by rewrite h ?orbT // /level_of /fraction e mul0r.
have every (a : pred notion) ns : (forall n, a n) -> all a ns by move=> h; apply: sub_all (all_predT _).
case: c zeros => [||o|] zeros; try by move=> _; apply: every; case.
- case/andP=> g r; rewrite !all_cat !zeros //; try by move=> x ->; rewrite /= eqxx.
  by rewrite !andbT /approximate all_map; apply: sub_all (all_predT _).
- case/andP=> z r; rewrite !all_cat (zeros _ _ r) ?andbT; last by move=> x ->; rewrite /= eqxx.
  rewrite all_levels; apply/andP; split; last by apply: sub_all (all_predT _) => x _; rewrite orbT.
  by move: (no_losses_sound ok z); rewrite epsilons_of_approximates /approximate !all_map.
Qed.
End FixedSpends.

Theorem check_fixed_spends_sound f c m l epsilon delta : check_fixed_spends f c m l ->
  mixed_lower G (notions_of m) epsilon delta ->
  budget_lower (measure_of c) (limit_of c l) (failing_of l) epsilon delta.
Proof.
case/and4P=> ok lok rational /and3P[cs /fraction_leP s /fraction_leP d] low.
have order : order_of_measure (measure_of c) by case: c cs {s} => // o /order_gt1.
apply: (rule_fixed_spends order (notions_proper ok) (chargeables ok cs)) low.
- rewrite -(countedE ok rational cs); apply: le_trans s _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by case: c {cs order} => //=; rewrite /size_of /fraction !IZRM expr2 mulf_div.
have [|e _] := @sum_entriesE (fun e => (above e, below e)) (entries (approximates m)).
  have /entries_ok h : subject_ok f (approximates m) by case/and3P: ok.
  by elim: h => //= e es [_ a0 ab _] _ ->; rewrite andbT; apply/Z.ltb_lt; lia.
apply: le_trans d; rewrite [X in _ <= X]e (sum_notions ok) /= le_eqVlt; apply/orP; left; apply/eqP.
by rewrite [X in _ + (X + _)]big1 ?[X in _ + (_ + X)]big1 ?addr0 // => x _; rewrite mulr0.
Qed.

Section ByEpsilon.
Variables (m : mixed_subject) (l : budget) (epsilon delta : R).
Let s := approximates m.

Lemma spending_epsilon e : budget_ok l -> spends_epsilon s l e ->
  nseq (Z.to_nat (count e)) (real s (CheckerClosed.epsilon e), fraction (above e) (below e)) = [:: (size_of l, 0)].
Proof.
case/and4P=> _ /Z.ltb_lt b0 _ _ /and5P[/Z.eqb_eq -> r /Z.ltb_lt d0 /Z.eqb_eq -> /Z.eqb_eq h].
rewrite real_of_rational // /fraction mul0r /=; congr [:: (_, _)].
by apply/eqP; rewrite /size_of /fraction eqr_div ?IZR_gt0_neq0 // -!IZRM h.
Qed.

Theorem check_filter_epsilon_sound : check_filter_epsilon m l ->
  mixed_upper G (notions_of m) epsilon delta ->
  budget_upper OfEpsilon (size_of l) (failing_of l) epsilon delta.
Proof.
case/and4P=> ok g c h up; apply: rule_filter_epsilon; [exact: size_ge0|exact: failing_bounds|].
suff <- : notions_of m = at_once (Approximate (size_of l) 0) (failing_of l) by [].
have alone es := @failing_alone l ok (Subject (denominator s) (quotients s) es).
rewrite /notions_of (none_levels _ g) (none_levels _ c) cats0 /ledger_of /at_once -/s; move: h; rewrite -/s.
case: (entries s) => [|e [|e' [|? ?]]] //= /andP[f /(spending_epsilon ok) e1].
  by rewrite e1; have /= := alone [::] f; case: eqP.
by have := alone [:: e] f; rewrite /ledger_of /= !cats0 e1 => ->; case: eqP.
Qed.
End ByEpsilon.
