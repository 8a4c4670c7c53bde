(** Rows of the laws of a sample (SampledPairs.v) in integers, from below, for the rule `mesh-lower`:
    from those of what is sampled. *)
From Coq Require Import Reals ZArith Lia FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Logarithms Tables NoiseLedgers NoiseTests Tangents TangentPairs.
From ExactDP Require Import NormalTangents SampledPairs Ratios CheckerClosed CheckerScores CheckerNoiseRows.
From ExactDP Require Import CertificateNoise CheckerCells CheckerNormalCells CheckerBells.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** What is suggested for laws: where to cut, at which part of a range, or scores of listed outputs. *)
Inductive cells_hint :=
| ByCuts of cuts
| ByTilt of tilted
| ByScores of scores.

Definition base_rows (w S : Z) (t : normal_terms) (b : base_noise) (h : cells_hint) : option score_rows :=
  match b, h with
  | BaseNormal m, ByCuts c =>
      if Z.ltb 0 m.1 then normal_rows S t (m.1 * m.1) (Zpos m.2 * Zpos m.2) c else None
  | BaseLaplace a, ByCuts c => laplace_rows w S a c
  | BaseRange e, ByTilt c => range_rows w S e c
  | BaseShift r s, ByScores ss => shift_rows w S (r, s) ss
  | BaseBell v s, ByScores ss => if Z.ltb 0 v.1 then bell_rows w v S (Pos.to_nat s) ss else None
  | _, _ => None
  end.

Definition mixed_rows (q : ratio) (r : score_rows) : score_rows :=
  let mix (y : Z * Z) := floor_div ((Zpos q.2 - q.1) * y.2 + q.1 * y.1) (Zpos q.2) in
  [seq ((mix y.1, y.1.2), y.2) | y <- r].
Definition sample_rows (w S : Z) (t : normal_terms) (s : sample) (h : cells_hint) : option score_rows :=
  let q := rate s in
  if Z.ltb 0 q.1 && Z.ltb q.1 (Zpos q.2) then
    if base_rows w S t (base s) h is Some r then
      let mixed := mixed_rows q r in
      Some (if has_record s is WithoutRecord then back_rows mixed else mixed)
    else None
  else None.

Lemma drawn_map n (f : R * R -> R * R) t :
  has_noise n (fun z : 'I_(size t) => (f (tnth (in_tuple t) z)).1) (fun z => (f (tnth (in_tuple t) z)).2) ->
  drawn n (map f t).
Proof.
pose g (k : nat) (z : 'I_k) := f (nth (0, 0) t z).
have E : (fun z : 'I_(size t) => f (tnth (in_tuple t) z)) = g (size t).
  by apply: functional_extensionality => z; rewrite (tnth_nth (0, 0)).
rewrite (_ : (fun z : 'I_(size t) => (f (tnth (in_tuple t) z)).1) = fun z => (g _ z).1); last by rewrite -E.
rewrite (_ : (fun z : 'I_(size t) => (f (tnth (in_tuple t) z)).2) = fun z => (g _ z).2); last by rewrite -E.
have at_ (z : 'I_(size (map f t))) : tnth (in_tuple (map f t)) z = g _ z.
  rewrite (tnth_nth (0, 0)) /= (nth_map (0, 0)) //.
  by have := ltn_ord z; move: (nat_of_ord z) => k; rewrite size_map.
rewrite /drawn (_ : @law_with (map f t) = fun z => (g _ z).1); last first.
  by apply: functional_extensionality => z; rewrite /law_with at_.
rewrite (_ : @law_without (map f t) = fun z => (g _ z).2); last first.
  by apply: functional_extensionality => z; rewrite /law_without at_.
by rewrite size_map.
Qed.

Section Soundness.
Variables (w S : Z) (t : normal_terms).
Hypotheses (w0 : Z.le 0 w) (S0 : Z.lt 0 S).

Lemma mixed_below (q : ratio) (a b : Z) (A B : R) : Z.le 0 q.1 -> Z.le q.1 (Zpos q.2) ->
  at_most S a A -> at_most S b B ->
  at_most S (floor_div ((Zpos q.2 - q.1) * b + q.1 * a) (Zpos q.2)) ((1 - of_ratio q) * B + of_ratio q * A).
Proof.
move=> q0 q1 [a0 ha] [b0 hb]; have r0 : Z.le 0 (Zpos q.2 - q.1) by lia.
have d0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
split; first by apply: Z.div_pos => //; apply: Z.add_nonneg_nonneg; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRD !IZRM.
have -> : IZR (Zpos q.2) * (IZR S * ((1 - of_ratio q) * B + of_ratio q * A)) =
    IZR (Zpos q.2 - q.1) * (IZR S * B) + IZR q.1 * (IZR S * A).
  by rewrite IZRB /of_ratio /fraction; field; rewrite gt_eqF.
by apply: ler_add; apply: ler_wpmul2l => //; exact: IZR_ge0.
Qed.

Lemma sampled_rows_for (s : sides) (q : ratio) (c : noise_curve) r : Z.lt 0 q.1 -> Z.lt q.1 (Zpos q.2) ->
  curve_proper c -> rows_for S (noise_under c) r ->
  rows_for S (OfSample s (of_ratio q) c) (if s is WithoutRecord then back_rows (mixed_rows q r) else mixed_rows q r).
Proof.
move=> q0 q1 ok [l [d b]]; have d0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
have q0' : 0 < of_ratio q by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have q1' : of_ratio q < 1 by rewrite ltr_pdivr_mulr // mul1r IZR_lt_iff; exact/Z.ltb_lt.
pose mix (x : R * R) := ((1 - of_ratio q) * x.2 + of_ratio q * x.1, x.2).
pose turn (x : R * R) := (x.2, x.1).
have [h1 h2 h3] := sample_has_noise q0' q1' ok d.
have m : rows_below S [seq (mix x.1, x.2) | x <- l] (mixed_rows q r).
  elim: b => [|x y l' r' [e p p'] _ IH]; constructor=> //; split=> //=.
  by apply: mixed_below => //; exact: Z.lt_le_incl.
have e : unscored [seq (mix x.1, x.2) | x <- l] = map mix (unscored l) by rewrite /unscored -!map_comp.
case: s; [exists [seq (mix x.1, x.2) | x <- l]|exists [seq (turn (mix x.1), x.2) | x <- l]|
  exists [seq (mix x.1, x.2) | x <- l]]; split=> //; try by rewrite e; apply: drawn_map.
- have -> : unscored [seq (turn (mix x.1), x.2) | x <- l] = map (turn \o mix) (unscored l).
    by rewrite /unscored -!map_comp.
  by apply: drawn_map.
by have := rows_back m; rewrite -map_comp.
Qed.

Lemma base_rowsP b h r : base_rows w S t b h = Some r ->
  curve_proper (curve_of b) /\ rows_for S (noise_under (curve_of b)) r.
Proof.
case: b h => [m|a|e|d s|v s|l|l] [c|c|c] //=.
- case: ifP => // /Z.ltb_lt m0 h; split=> //; have m1 : Z.lt 0 (m.1 * m.1) by exact: Z.mul_pos_pos.
  have [ls [l [up e b]]] := normal_rowsP S0 m1 (Pos2Z.is_pos _) h.
  exists l; rewrite e; split=> //.
  have mE : sqrt (fraction (m.1 * m.1) (Zpos m.2 * Zpos m.2)) = of_ratio m.
    rewrite /fraction !IZRM -mulf_div -/(fraction _ _) -/(of_ratio m); apply: sqrt_square.
    by apply/RleP; apply: of_ge0; apply/Z.leb_le; exact: Z.lt_le_incl.
  by rewrite mE; apply: normal_drawn => //; rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
- by move=> h; split=> //; exact: laplace_rowsP h.
- move=> h; split; last exact: range_rowsP h.
  move: h; rewrite /range_rows; case: ifP => // /and3P[/Z.ltb_lt e0 _ _] _.
  by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
- by move=> h; split=> //; exact: (shift_rowsP S0 w0 (s := (d, s)) h).
by case: Z.ltb_spec => // v0 h; split=> //; exact: (bell_rowsP w0 v0 S0 h).
Qed.

Lemma sample_rowsP s h r : sample_rows w S t s h = Some r -> rows_for S (sample_noise s) r.
Proof.
rewrite /sample_rows; case: ifP => // /andP[/Z.ltb_lt q0 /Z.ltb_lt q1].
case e: base_rows => [r'|] // [<-]; have [ok b] := base_rowsP e.
exact: sampled_rows_for.
Qed.
End Soundness.
