(** The verified checker: the rule `moments`.

    The sum of [check_renyi] (CheckerConcentrated.v), and of what is listed: for some mechanisms,
    Rényi divergences of several orders, of which the first that is at least alpha counts; for others,
    tables, of which the greater divergence in the two directions counts. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesConcentrated RulesNoiseRenyi NoiseLedgers.
From ExactDP Require Import Logarithms Exponentials Comparisons Enclosures EnclosuresOfNumbers Ratios.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerGaussian CheckerConcentrated.
From ExactDP Require Import CheckerConcentratedTheorems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The same for as many mechanisms as are counted beside it. *)
Definition many (A B : Type) (n : A -> B) (s : seq (A * Z)) : seq B :=
  flatten [seq nseq (Z.to_nat x.2) (n x.1) | x <- s].

(** Orders above 1, each with a bound of the Rényi divergence of this order. *)
Definition orders := seq (ratio * ratio).
Definition real_orders (os : orders) : seq (R * R) := [seq (of_ratio x.1, of_ratio x.2) | x <- os].
Definition in_orders (ls : seq (orders * Z)) : seq noise_entry := many (fun os => Ordered (real_orders os)) ls.

(** Tables: the probabilities of each output, with the record and without it. *)
Definition table := seq (ratio * ratio).
Definition real_table (t : table) : seq (R * R) := [seq (of_ratio x.1, of_ratio x.2) | x <- t].
Definition in_tables (a : R) (ts : seq (table * Z)) : seq noise_entry :=
  many (fun t => Known (table_bound a (real_table t))) ts.

(** Sums in pairs: what is added one by one meets what has grown at every step. *)
Definition plus (x y : ratio) : ratio :=
  ((x.1 * Zpos y.2 + y.1 * Zpos x.2)%coqZ, Z.to_pos (Zpos x.2 * Zpos y.2)).
Fixpoint in_pairs (s : seq ratio) : seq ratio :=
  if s is x :: y :: s' then plus x y :: in_pairs s' else s.
Definition total (s : seq ratio) : ratio := foldr plus Ratios.zero (iter 12 in_pairs s).

Definition is_law (s : seq ratio) : bool :=
  all (fun x => Z.leb 0 x.1) s && req (total s) Ratios.one.
Definition table_ok (t : table) : bool :=
  [&& is_law (unzip1 t), is_law (unzip2 t) & all (fun x => Bool.eqb (Z.eqb x.1.1 0) (Z.eqb x.2.1 0)) t].

Section Program.
Variables (w : Z) (o : order).
Let n := order_above o.
Let d := order_below o.

Definition order_le (x : ratio) : bool := Z.leb (n * Zpos x.2) (x.1 * d).
Definition divergence_at (os : orders) : option ratio := ohead [seq x.2 | x <- os & order_le x.1].

Definition listed_enclosure (ls : seq (orders * Z)) : option enclosure :=
  foldr (fun l t =>
      if (divergence_at l.1, t) is (Some r, Some t)
      then Some (add (enclosure_of_fraction w ((n - d) * (l.2 * r.1)) (d * Zpos r.2)) t) else None)
    (Some (enclosure_of_Z w 0)) ls.

(** Of p^alpha q^(1 - alpha), the logarithm from above. *)
Definition log_power (x : ratio * ratio) : Z :=
  (add (scale_fraction n d (ln_of_quotient w x.1.1 (Zpos x.1.2)))
       (scale_fraction (d - n) d (ln_of_quotient w x.2.1 (Zpos x.2.2)))).2.
(** Of a sum, from its terms' logarithms, of which the greatest is taken out of it. *)
Definition log_of_sum (ls : seq Z) : option Z :=
  let top := foldr Z.max (head Z0 ls) ls in
  let sum := foldr (fun l t =>
      if (exponential_at w (l - top), t) is (Some x, Some t) then Some (x.2 + t)%coqZ else None)
    (Some Z0) ls in
  if sum is Some s then
    if Z.ltb 0 s then Some (top + (ln_of_quotient w s (Z.shiftl 1 w)).2)%coqZ else None
  else None.
Definition log_table_moment (t : table) : option Z :=
  log_of_sum [seq log_power x | x <- t & Z.ltb 0 x.1.1].
Definition table_divergence (t : table) : option Z :=
  if (log_table_moment t, log_table_moment [seq (x.2, x.1) | x <- t]) is (Some l, Some l')
  then Some (Z.max l l') else None.
Definition tables_divergence (ts : seq (table * Z)) : option Z :=
  foldr (fun l t =>
      if (table_divergence l.1, t) is (Some r, Some t) then Some (l.2 * r + t)%coqZ else None)
    (Some Z0) ts.
End Program.

Definition check_noise_renyi (f : effort) (w : Z) (m : mixed_subject) (o : order) (ls : seq (orders * Z))
    (ts : seq (table * Z)) (x : combination) (a b : Z) : bool :=
  [&& well_formed f w m, order_ok o, all (fun l => Z.leb 0 l.2) ls &
      all (fun t => table_ok t.1 && Z.leb 0 t.2) ts] &&
  if (log_slack w m a b, moments_enclosure w m o, listed_enclosure w o ls, tables_divergence w o ts)
  is (Some l, Some t, Some u, Some v) then
    surely_le (add (add (add (add t u) (v, v)) (scale_fraction (order_below o - order_above o) (order_below o)
      (epsilon_enclosure w m x))) (conversion_enclosure w o)) l
  else false.

Section Orders.
Variables (w : Z) (o : order).
Hypotheses (w0 : Z.le 0 w) (o_ok : order_ok o).
Let d0 : Z.lt 0 (order_below o). Proof. by case/andP: o_ok => /Z.ltb_lt. Qed.
Let D0 : 0 < IZR (order_below o). Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let pos0 (p : BinNums.positive) : 0 < IZR (Zpos p).
Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma order_leP x : order_le o x = (order_of o <= of_ratio x).
Proof. by rewrite /order_of /of_ratio /fraction ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!IZRM IZR_le_iff. Qed.

Lemma divergence_at_first os r : divergence_at o os = Some r ->
  has (fun x : R * R => order_of o <= x.1) (real_orders os) /\
  (first_order (order_of o) (real_orders os)).2 = of_ratio r.
Proof.
rewrite /divergence_at /first_order /real_orders has_filter filter_map.
under eq_filter do rewrite order_leP.
by case: (filter _ os) => //= x s [<-].
Qed.

Lemma listed_enclosed ls u : all (fun l => Z.leb 0 l.2) ls -> listed_enclosure w o ls = Some u ->
  all (proper_entry (order_of o)) (in_orders ls) /\
  enclosed w (\sum_(e <- in_orders ls) log_bound (order_of o) e) u.
Proof.
rewrite /in_orders /many; elim: ls u => [|l ls IH] u /=.
  by move=> _ [<-]; rewrite big_nil; split=> //; exact: enclosed_Z.
case/andP=> /Z.leb_le l0 rest; case r1: (divergence_at o l.1) => [r|] //.
case t1: (listed_enclosure w o ls) => [t|] // [<-]; have [W E] := IH t rest t1.
have [some e] := divergence_at_first r1; split.
  by rewrite all_cat all_nseq W andbT; apply/orP; right.
rewrite big_cat big_nseq iter_addr addr0 /= e; apply: enclosed_add E => //.
have -> : (order_of o - 1) * of_ratio r *+ Z.to_nat l.2 =
    IZR ((order_above o - order_below o) * (l.2 * r.1)) / IZR (order_below o * Zpos r.2).
  have -> : order_of o - 1 = IZR (order_above o - order_below o) / IZR (order_below o).
    by rewrite IZRB mulrBl divff // gt_eqF.
  by rewrite /of_ratio /fraction -mulr_natl -IZR_to_nat // !IZRM mulf_div [LHS]mulrA mulrCA.
by apply: enclosed_fraction; lia.
Qed.

Let B0 : 0 < IZR (2 ^ w) :> R.
Proof. exact/RltP/power2_gt0. Qed.
Let scaled (v : R) (l : Z) := v * IZR (2 ^ w) <= IZR l.

Lemma log_powerP x : Z.lt 0 x.1.1 -> Z.lt 0 x.2.1 ->
  power_term (order_of o) (of_ratio x.1) (of_ratio x.2) =
    exp (order_of o * ln (of_ratio x.1) + (1 - order_of o) * ln (of_ratio x.2)) /\
  scaled (order_of o * ln (of_ratio x.1) + (1 - order_of o) * ln (of_ratio x.2)) (log_power w o x).
Proof.
move=> p0 q0; split.
  by rewrite /power_term /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have ln_ y : Z.lt 0 (y : ratio).1 -> enclosed w (ln (of_ratio y)) (ln_of_quotient w y.1 (Zpos y.2)).
  move=> y0; rewrite /of_ratio /fraction -RdivE ?gt_eqF //; exact: ln_of_quotient_enclosed.
have e : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
  by rewrite IZRB mulrBl divff // gt_eqF.
have := enclosed_add _ _ _ _ _ (enclosed_multiple (order_above o) d0 (ln_ x.1 p0))
  (enclosed_multiple (order_below o - order_above o) d0 (ln_ x.2 q0)).
by rewrite -e => /enclosedP/andP[_].
Qed.

Lemma log_of_sumP (I : Type) (v : I -> R) (l : I -> Z) s h : (forall i, scaled (v i) (l i)) ->
  log_of_sum w (map l s) = Some h -> \sum_(i <- s) exp (v i) <= exp (IZR h / IZR (2 ^ w)).
Proof.
move=> V; rewrite /log_of_sum; move: (foldr Z.max _ _) => top.
case E: (foldr _ _ _) => [t|] //; case: ifP => // /Z.ltb_lt t0 [<-].
have shift i : exp (v i) <= exp (IZR top / IZR (2 ^ w)) * exp (IZR (l i - top) / IZR (2 ^ w)).
  by rewrite -expD exp_le -mulrDl IZRB addrC subrK ler_pdivl_mulr //; exact: V.
have {}E : \sum_(i <- s) exp (IZR (l i - top) / IZR (2 ^ w)) <= IZR t / IZR (2 ^ w).
  elim: s t {t0} E => [|i s IH] t /=; first by move=> [<-]; rewrite big_nil mul0r.
  case x1: (exponential_at w _) => [x|] //; case t1: (foldr _ _ _) => [r|] // [<-].
  rewrite big_cons IZRD mulrDl; apply: ler_add; last exact: IH.
  have := exponential_at_enclosed w w0 _ _ x1; rewrite RdivE ?gt_eqF // => /enclosedP/andP[_].
  by rewrite ler_pdivl_mulr.
apply: le_trans (ler_sum _ (fun i _ => shift i)) _; rewrite -mulr_sumr IZRD mulrDl expD ler_pmul2l ?exp_gt0 //.
apply: le_trans E _.
have T0 : 0 < IZR t / IZR (2 ^ w) by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite -{1}(lnK T0) exp_le ler_pdivl_mulr // Z.shiftl_1_l.
have P0 : Z.lt 0 (2 ^ w) by apply/Z.ltb_lt; rewrite -(IZR_lt_iff Z0).
have := ln_of_quotient_enclosed w w0 t (2 ^ w) t0 P0.
by rewrite RdivE ?gt_eqF // => /enclosedP/andP[_].
Qed.

(** The probabilities on both inputs are 0, or none is. *)
Definition same_outputs (t : table) : bool :=
  all (fun x => [&& Z.leb 0 x.1.1, Z.leb 0 x.2.1 & Bool.eqb (Z.eqb x.1.1 0) (Z.eqb x.2.1 0)]) t.

Lemma log_table_momentP t h : same_outputs t -> log_table_moment w o t = Some h ->
  table_moment (order_of o) (real_table t) <= exp (IZR h / IZR (2 ^ w)).
Proof.
move=> W; pose v (x : ratio * ratio) :=
  if Z.ltb 0 x.1.1 && Z.ltb 0 x.2.1
  then order_of o * ln (of_ratio x.1) + (1 - order_of o) * ln (of_ratio x.2)
  else IZR (log_power w o x) / IZR (2 ^ w).
have V x : scaled (v x) (log_power w o x).
  rewrite /v; case: ifP => [/andP[/Z.ltb_lt p0 /Z.ltb_lt q0]|_]; first by case: (log_powerP p0 q0).
  by rewrite /scaled divfK // gt_eqF.
move/(log_of_sumP V); apply: le_trans.
rewrite big_filter /table_moment big_map [X in _ <= X]big_mkcond.
elim: t W => [|x t IH] /=; first by rewrite !big_nil.
case/andP=> /and3P[p0 q0 e] W; rewrite !big_cons; apply: ler_add; last exact: IH.
have [p1|p1] := ltP 0 (of_ratio x.1); last first.
  by rewrite /power_term ltNge p1; case: ifP => // _; exact: ltW (exp_gt0 _).
have P0 : Z.lt 0 x.1.1 by move: p1; rewrite -of_zero -of_rlt /rlt => /Z.ltb_lt; rewrite /=; lia.
have Q0 : Z.lt 0 x.2.1.
  move/Z.leb_le: q0; move: P0 e; clear; case: x => [[p b] [q c]] /= P0.
  by case: (Z.eqb_spec p); case: (Z.eqb_spec q) => // ? ? _; lia.
have [-> _] := log_powerP P0 Q0.
by rewrite /v; move/Z.ltb_lt: P0 => ->; move/Z.ltb_lt: Q0 => ->.
Qed.

Lemma of_plus x y : of_ratio (plus x y) = of_ratio x + of_ratio y.
Proof. by rewrite /plus /of_ratio /fraction Z2Pos.id // IZRD !IZRM -addf_div ?gt_eqF. Qed.

Lemma of_in_pairs s : \sum_(x <- in_pairs s) of_ratio x = \sum_(x <- s) of_ratio x.
Proof. by move: s; fix IH 1 => -[|x [|y s]] //=; rewrite !big_cons IH of_plus addrA. Qed.

Lemma of_total s : of_ratio (total s) = \sum_(x <- s) of_ratio x.
Proof.
rewrite /total; elim: 12%N s => [|n IH] s; last by rewrite iterSr IH of_in_pairs.
elim: s => [|x s IH] /=; first by rewrite big_nil of_zero.
by rewrite big_cons of_plus IH.
Qed.

Lemma is_lawP s : is_law s -> law_proper (map of_ratio s).
Proof.
case/andP=> s0 /of_req; rewrite of_one => e; apply/andP; split.
  by rewrite all_map; apply: sub_all s0 => x; exact: of_ge0.
by rewrite big_map -of_total; apply/eqP.
Qed.

Lemma of_ratio_eq0 (x : ratio) : (of_ratio x == 0) = Z.eqb x.1 0.
Proof.
rewrite /of_ratio /fraction mulf_eq0 invr_eq0 [X in _ || X]gt_eqF ?orbF.
2: exact: pos0.
by case: Z.eqb_spec => [->|n0]; [exact: eqxx|apply/negbTE/eqP => /eq_IZR].
Qed.

Lemma table_okP t : table_ok t -> table_proper (real_table t) /\ same_outputs t.
Proof.
case/and3P=> p q same; split.
  rewrite /table_proper /unzip1 /unzip2 -!map_comp; apply/and3P; split.
  - by have := is_lawP p; rewrite -map_comp.
  - by have := is_lawP q; rewrite -map_comp.
  by rewrite all_map; apply: sub_all same => x /=; rewrite !of_ratio_eq0 => /Bool.eqb_prop ->.
case/andP: p => p _; case/andP: q => q _; move: p q same; rewrite /same_outputs /unzip1 /unzip2 !all_map.
by elim: t => //= x t IH /andP[-> p] /andP[-> q] /andP[-> e]; exact: IH.
Qed.

Lemma table_divergenceP t h : table_ok t -> table_divergence w o t = Some h ->
  table_bound (order_of o) (real_table t) <= IZR h / IZR (2 ^ w).
Proof.
case/table_okP=> W same; rewrite /table_divergence.
case L1: (log_table_moment w o t) => [l|] //; case L2: (log_table_moment _ _ _) => [l'|] // [<-].
have m1 := log_table_momentP same L1.
have turn : table_moment (order_of o) (turned (real_table t)) <= exp (IZR l' / IZR (2 ^ w)).
  rewrite (_ : turned _ = real_table [seq (x.2, x.1) | x <- t]); last by rewrite /turned /real_table -!map_comp.
  apply: log_table_momentP L2; rewrite /same_outputs all_map; apply: sub_all same => x /= /and3P[-> -> /Bool.eqb_prop ->].
  exact: Bool.eqb_reflx.
have gt0 : 0 < table_moment (order_of o) (real_table t) by apply: table_moment_gt0; case/and3P: W.
have B1 : 0 < (IZR (2 ^ w))^-1 :> R by rewrite invr_gt0.
rewrite -exp_le /table_bound lnK ?lt_maxr ?gt0 // le_maxl; apply/andP; split.
  by apply: le_trans m1 _; rewrite exp_le ler_pmul2r // IZR_le_iff; apply/Z.leb_le; exact: Z.le_max_l.
by apply: le_trans turn _; rewrite exp_le ler_pmul2r // IZR_le_iff; apply/Z.leb_le; exact: Z.le_max_r.
Qed.

Lemma tables_divergenceP ts v : all (fun t => table_ok t.1 && Z.leb 0 t.2) ts ->
  tables_divergence w o ts = Some v ->
  all (proper_entry (order_of o)) (in_tables (order_of o) ts) /\
  \sum_(e <- in_tables (order_of o) ts) log_bound (order_of o) e <= IZR v / IZR (2 ^ w).
Proof.
rewrite /in_tables /many; elim: ts v => [|t ts IH] v /=; first by move=> _ [<-]; rewrite big_nil mul0r.
case/andP=> /andP[W /Z.leb_le t0] rest; case r1: (table_divergence w o t.1) => [r|] //.
case v1: (tables_divergence w o ts) => [v'|] // [<-]; have [W' S] := IH v' rest v1.
split; first by rewrite all_cat all_nseq W' andbT orbT.
rewrite big_cat big_nseq iter_addr addr0 /= IZRD mulrDl; apply: ler_add => //.
rewrite IZRM -mulrA -mulr_natl -IZR_to_nat //; apply: ler_wpmul2l; last exact: table_divergenceP.
by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
Qed.
End Orders.

Lemma kept_in_tables o ts : \prod_(e <- in_tables o ts) (1 - entry_failure e) = 1.
Proof.
rewrite /in_tables /many big_flatten big_map big1 // => t _.
by rewrite big_nseq iter_mulr_1 /= subr0 expr1n.
Qed.

Lemma kept_in_orders ls : \prod_(e <- in_orders ls) (1 - entry_failure e) = 1.
Proof.
rewrite /in_orders /many big_flatten big_map big1 // => l _.
by rewrite big_nseq iter_mulr_1 /= subr0 expr1n.
Qed.

Section Sum.
Variables (f : effort) (w : Z) (m : mixed_subject) (o : order) (ls : seq (orders * Z)) (ts : seq (table * Z)).
Variables (x : combination) (a b : Z).
Hypothesis checked : check_noise_renyi f w m o ls ts x a b.
Let es := [seq Stated n | n <- notions_of m] ++ in_orders ls ++ in_tables (order_of o) ts.
Let epsilon := real (approximates m) x.
Let delta := fraction a b.

Lemma check_noise_renyi_shows : [/\ 1 < order_of o, all (proper_entry (order_of o)) es, 0 < noise_slack es delta &
  \sum_(e <- es) log_bound (order_of o) e + (1 - order_of o) * epsilon + log_conversion (order_of o) <=
    ln (noise_slack es delta)].
Proof.
move: checked; case/andP=> /and4P[/well_formedP[ok w0] o_ok counts tables].
case h: (log_slack w m a b) => [l|] //; case h': (moments_enclosure w m o) => [t|] //.
case h2: (listed_enclosure w o ls) => [u|] //; case h3: (tables_divergence w o ts) => [v|] // le.
have [D0 L] := log_slack_enclosed ok w0 h; have [W U] := listed_enclosed w0 o_ok counts h2.
have [W' V] := tables_divergenceP w0 o_ok tables h3.
have slackE : noise_slack es delta = mixed_slack (notions_of m) delta.
  by rewrite /noise_slack /noise_kept !big_cat big_map kept_in_orders kept_in_tables /= !mulr1.
rewrite slackE; split=> //; first exact: order_gt1.
  by rewrite !all_cat W W' !andbT all_map; exact: (notions_proper ok).
have B0 : IZR (2 ^ w) != 0 :> R by rewrite gt_eqF //; exact/RltP/power2_gt0.
have atv : enclosed w (IZR v / IZR (2 ^ w)) (v, v) by apply/enclosedP; rewrite divfK // lexx.
apply: (@le_trans _ _ (\sum_(n <- notions_of m) log_moment (order_of o) n +
    \sum_(e <- in_orders ls) log_bound (order_of o) e + IZR v / IZR (2 ^ w) +
    (1 - order_of o) * real (approximates m) x + log_conversion (order_of o))).
  rewrite /es big_cat big_map [\sum_(i <- (in_orders ls ++ _)) _]big_cat /=.
  by rewrite addrA !ler_add2r ler_add2l.
apply: (surely_le_sound w0 _ L le); apply: enclosed_add => //; last exact: conversion_enclosed.
apply: enclosed_add => //; last first.
  have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
  have -> : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
    by rewrite IZRB mulrBl divff // IZR_gt0_neq0.
  by apply: enclosed_multiple => //; exact: (epsilon_enclosed ok w0 x).
apply: enclosed_add => //; apply: enclosed_add => //; exact: (moments_enclosed ok w0 o_ok h').
Qed.

Theorem check_noise_renyi_sound : noise_upper (order_of o) es epsilon delta.
Proof. by case: check_noise_renyi_shows => a1 W D0 le; exact: (rule_noise_renyi a1). Qed.
End Sum.
