(** 7.4 [atoms], exact masses: Theorem 1.5 in integers, for odds ratios E_i = n_i/d_i.

    Each set of mechanisms gives two products: f, of the n_i in the set and the d_i outside, and
    g the other way round.  D(y) prod (n_i + d_i) is the sum of max(0, f - y g) over the sets;
    sets with equal (f, g) may be collected, with their number. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section SubsetSum.
Variable F : realFieldType.
Implicit Types (Es : seq F) (a b c y : F).

Lemma subset_sumM Es c a b : 0 <= c -> subset_sum Es (c * a) (c * b) = c * subset_sum Es a b.
Proof.
move=> c0; elim: Es a b => [|E Es IH] a b /=; first by rewrite -mulrBr posM.
by rewrite mulrDr -!IH !mulrA.
Qed.

(** A mechanism with epsilon = 0 changes nothing. *)
Lemma divergence_filter Es y : all (fun E => 0 <= E) Es ->
  divergence [seq E <- Es | E != 1] y = divergence Es y.
Proof.
move=> /= W; rewrite /divergence.
suff h : forall a b, (\prod_(E <- [seq E <- Es | E != 1]) (1 + E))^-1 *
    subset_sum [seq E <- Es | E != 1] a b = (\prod_(E <- Es) (1 + E))^-1 * subset_sum Es a b.
  exact: h.
elim: Es W => [|E Es IH] //= /andP[E0 W] a b; case: eqP => [->|_] /=.
  rewrite IH // big_cons !mulr1 invfM; set p := (\prod_(E <- Es) (1 + E))^-1.
  set t := subset_sum Es a b; have two : 1 + 1 != 0 :> F by rewrite -[1 + 1]/(2%:R) pnatr_eq0.
  by field.
by rewrite !big_cons !invfM -!mulrA !mulrDr !IH.
Qed.
End SubsetSum.

Section Choices.
Implicit Types (nd : seq (Z * Z)) (unit y f g : Z).

Fixpoint choices nd f g : seq (Z * Z) :=
  if nd is (n, d) :: nd' then
    choices nd' (f * n)%coqZ (g * d)%coqZ ++ choices nd' (f * d)%coqZ (g * n)%coqZ
  else [:: (f, g)].

(** max(0, f - (y/unit) g), times unit. *)
Definition excess unit y (fg : Z * Z) : Z := Z.max 0 (unit * fg.1 - y * fg.2).

Lemma sum_choices nd unit y f g :
  all (fun p => Z.ltb 0 p.2) nd ->
  IZR (zsum [seq excess unit y fg | fg <- choices nd f g]) =
  (\prod_(p <- nd) IZR p.2) *
  subset_sum [seq IZR p.1 / IZR p.2 | p <- nd] (IZR (unit * f)) (IZR (y * g)).
Proof.
rewrite IZR_zsum big_map; elim: nd f g => [|[n d] nd IH] f g.
  by move=> _; rewrite big_nil mul1r big_seq1 /excess IZR_max0 IZRB.
case/andP=> /= d0 W; rewrite big_cat /= !(IH _ _ W) big_cons /=.
have d0' : 0 < IZR d by rewrite (IZR_lt_iff Z0).
rewrite -mulrDr -mulrA mulrCA; congr (_ * _).
rewrite mulrDr -!subset_sumM ?ltW // !IZRM.
have e : IZR d * (IZR n / IZR d) = IZR n by rewrite mulrC divfK // gt_eqF.
congr (subset_sum _ _ _ + subset_sum _ _ _).
- by rewrite [RHS]mulrCA e mulrA.
- by rewrite mulrA mulrC.
- by rewrite mulrA mulrC.
- by rewrite [RHS]mulrCA e mulrA.
Qed.
End Choices.

Section Rule.
Variables (L : ledger) (epsilon delta : R).
Hypothesis P : proper L.

(** Odds n_i/d_i of the mechanisms with epsilon_i > 0; a table of (f, g) and numbers of sets. *)
Variables (nd : seq (Z * Z)) (table : seq (Z * Z * Z)).
Hypothesis odds : [seq exp e | e <- epsilons L & exp e != 1] = [seq IZR p.1 / IZR p.2 | p <- nd].
Hypothesis nd0 : all (fun p => Z.ltb 0 p.1 && Z.ltb 0 p.2) nd.
Hypothesis collected : forall F : Z * Z -> Z,
  zsum [seq (t.2 * F t.1)%coqZ | t <- table] = zsum [seq F fg | fg <- choices nd 1 1].

(** y/unit a bound of e^epsilon, and Delta = above/below. *)
Variables (y unit above below : Z).
Hypotheses (unit0 : Z.ltb 0 unit) (below0 : Z.ltb 0 below).
Hypothesis Delta_exact : IZR above = slack L delta * IZR below.

Let left := zsum [seq (t.2 * excess unit y t.1)%coqZ | t <- table].
Let whole := foldr (fun p r => ((p.1 + p.2) * r)%coqZ) 1%coqZ nd.

Let divergence_left : IZR left = divergence [seq exp e | e <- epsilons L] (IZR y / IZR unit)
  * (IZR unit * IZR whole).
Proof.
have nd0' : all (fun p => Z.ltb 0 p.2) nd by apply: sub_all nd0 => p /andP[].
have U0 : 0 < IZR unit by rewrite (IZR_lt_iff Z0).
have D0 : 0 < \prod_(p <- nd) IZR p.2.
  by rewrite big_seq; apply: prodr_gt0 => p /(allP nd0') h; rewrite (IZR_lt_iff Z0).
have odds' : [seq E <- [seq exp e | e <- epsilons L] | E != 1] =
    [seq IZR p.1 / IZR p.2 | p <- nd] by rewrite filter_map -odds.
rewrite /left collected sum_choices // -divergence_filter ?exps_ge0 // odds' /divergence.
rewrite !Z.mul_1_r -{1}[IZR unit]mulr1.
set ratio := IZR y / IZR unit.
have -> : IZR y = IZR unit * ratio by rewrite mulrC divfK // gt_eqF.
rewrite subset_sumM ?ltW //.
have -> : IZR whole = (\prod_(p <- nd) IZR p.2) *
    \prod_(E <- [seq IZR p.1 / IZR p.2 | p <- nd]) (1 + E).
  rewrite /whole big_map -big_split /=; elim: (nd) nd0' => [|[n d] s IH]; first by rewrite big_nil.
  case/andP=> /= d0 W; rewrite IZRM IZRD big_cons IH //=; congr (_ * _).
  have d0' : IZR d != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
  by rewrite mulrDr mulr1 [IZR d * _]mulrC divfK // addrC.
set D := \prod_(p <- nd) _ in D0 *; set T := \prod_(E <- _) _; set s := subset_sum _ _ _.
have T0 : T != 0.
  rewrite gt_eqF // /T prod_1add_gt0 //; apply/allP => E /mapP[p /(allP nd0)/andP[n0 d0] ->].
  by rewrite divr_ge0 // (IZR_le_iff Z0); apply/Z.leb_le/Z.lt_le_incl/Z.ltb_lt.
have rearranged (u v w x : R) : x != 0 -> u * (v * w) = x^-1 * w * (v * (u * x)).
  by move=> x0; field.
exact: rearranged.
Qed.

Let whole_gt0 : 0 < IZR whole.
Proof.
rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; rewrite /whole; elim: (nd) nd0 => [|[n d] s IH] //=.
by case/andP=> /andP[/Z.ltb_lt n0 /Z.ltb_lt d0] /IH h; apply: Z.mul_pos_pos => //; lia.
Qed.

Theorem rule_rational_odds_upper :
  IZR y <= exp epsilon * IZR unit -> Z.leb (left * below) (above * unit * whole) ->
  upper L epsilon delta.
Proof.
move=> yle check; apply/(upper_iff P).
have U0 : 0 < IZR unit by rewrite (IZR_lt_iff Z0).
have B0 : 0 < IZR below by rewrite (IZR_lt_iff Z0).
apply: (@le_trans _ _ (divergence [seq exp e | e <- epsilons L] (IZR y / IZR unit))).
  by apply: divergence_antitone; rewrite ?exps_ge0 // ler_pdivr_mulr.
move: check; rewrite -IZR_le_iff !IZRM divergence_left Delta_exact.
set d := divergence _ _; set s := slack _ _.
have -> : d * (IZR unit * IZR whole) * IZR below = d * (IZR unit * IZR whole * IZR below) by ring.
have -> : s * IZR below * IZR unit * IZR whole = s * (IZR unit * IZR whole * IZR below) by ring.
by rewrite ler_pmul2r // !mulr_gt0.
Qed.

Theorem rule_rational_odds_lower :
  exp epsilon * IZR unit <= IZR y -> Z.ltb (above * unit * whole) (left * below) ->
  lower L epsilon delta.
Proof.
move=> yle check; apply/(lower_iff P).
have U0 : 0 < IZR unit by rewrite (IZR_lt_iff Z0).
have B0 : 0 < IZR below by rewrite (IZR_lt_iff Z0).
apply: (@lt_le_trans _ _ (divergence [seq exp e | e <- epsilons L] (IZR y / IZR unit))); last first.
  by apply: divergence_antitone; rewrite ?exps_ge0 // ler_pdivl_mulr.
move: check; rewrite -IZR_lt_iff !IZRM divergence_left Delta_exact.
set d := divergence _ _; set s := slack _ _.
have -> : d * (IZR unit * IZR whole) * IZR below = d * (IZR unit * IZR whole * IZR below) by ring.
have -> : s * IZR below * IZR unit * IZR whole = s * (IZR unit * IZR whole * IZR below) by ring.
by rewrite ltr_pmul2r // !mulr_gt0.
Qed.
End Rule.
