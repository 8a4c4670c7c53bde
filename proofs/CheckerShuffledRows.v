(** Rows of cells of the greatest sum of shuffled batches (ShuffledPairs.v) in integers, from below, for the
    rule `mesh-lower`: Phi as for normal laws, and its power by repeated squaring. *)
From Coq Require Import Reals ZArith Lia FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Enclosures NormalEnclosures EnclosuresOfNumbers Tables.
From ExactDP Require Import EnclosuresOfWaves EnclosuresOfLaws EnclosuresOfSpectra.
From ExactDP Require Import NoiseLedgers NoiseTests Tangents TangentPairs NormalTangents ShuffledBatches ShuffledPairs.
From ExactDP Require Import Ratios CheckerClosed CheckerScores CheckerNoiseRows CertificateNoise CheckerCells.
From ExactDP Require Import CheckerNormalCells CheckerSampleRows.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Where the greatest sum is cut; and whether the record is taken for the other one, if it may be either. *)
Record batches_hint := BatchesHint { cut_at : cuts; is_swapped : bool }.

(** The mean of the sum of a batch which the record is in, with what it contributes in its place. *)
Definition mean_without (s : sides) : Z := if s is WithEither then 0%coqZ else 1%coqZ.

Section Rows.
Variables (S : Z) (t : normal_terms) (b : batches).
Let w := normal_bits t.
Let x := (sum_variance b).1.
Let y := Zpos (sum_variance b).2.

(** Of all batches but one. *)
Definition others_below (e : enclosure) : enclosure :=
  if batches_in_all b is xH then enclosure_of_Z w 1 else positive_power w e (Pos.pred (batches_in_all b)).

Definition maximum_tails_at (root : enclosure) (step : ratio) (k : Z) : option tails_enclosure :=
  let d := Zpos step.2 in
  let below mean := tail_enclosure w (tail_terms t) x y root (enclosure_of_fraction w (mean * d - k * step.1) d) in
  match below 0%coqZ, below 2%coqZ, below (mean_without (moves_between b)) with
  | Some o, Some p, Some q =>
      let rest := others_below o in
      let above e := sub (enclosure_of_Z w 1) (mul w e rest) in
      Some (above p, above q)
  | _, _, _ => None
  end.

Definition maximum_rows (c : cuts) : option score_rows :=
  if Z.leb 0 w && Z.ltb 0 x then
    if inverse_root w (root_terms t) (enclosure_of_fraction w x y) is Some root
    then cells_rows w S (maximum_tails_at root (cut_step c)) c else None
  else None.

Definition batches_rows (h : batches_hint) : option score_rows :=
  let turned := match moves_between b with WithRecord => false | WithoutRecord => true | WithEither => is_swapped h end in
  option_map (if turned then back_rows else id) (maximum_rows (cut_at h)).

Hypothesis S0 : Z.lt 0 S.
Let v := of_ratio (sum_variance b).
Let n := Pos.to_nat (batches_in_all b).

Lemma others_belowP (p : R) e : Z.le 0 w -> enclosed w p e -> enclosed w (p ^+ n.-1) (others_below e).
Proof.
move=> w0 h; rewrite /others_below /n.
have E m : Pos.lt 1 m -> (Pos.to_nat m).-1 = Pos.to_nat (Pos.pred m) by move=> m1; rewrite Pos2Nat.inj_pred.
case: (batches_in_all b) => [m|m|]; last exact: (enclosed_Z w w0 1).
  by rewrite E //; exact: enclosed_power.
by rewrite E //; exact: enclosed_power.
Qed.

Lemma maximum_tails_atP root step k e : Z.le 0 w -> Z.lt 0 x ->
  enclosed w (/ sqrt (2 * PI * (IZR x / IZR y)))%coqR root -> maximum_tails_at root step k = Some e ->
  tails_enclosed w (maximum_tails (sqrt v) n (other_contribution (moves_between b)) (IZR k * of_ratio step)) e.
Proof.
move=> w0 x0 hroot; rewrite /maximum_tails_at; set d := Zpos step.2.
case eo: tail_enclosure => [o|] //; case ep: tail_enclosure => [p|] //; case eq: tail_enclosure => [q|] // [<-].
have d0 : 0 < IZR d by rewrite (IZR_lt_iff Z0).
have y0 : Z.lt 0 y by [].
have sE : (IZR x / IZR y)%coqR = v by rewrite /v /of_ratio /fraction RdivE // gt_eqF // (IZR_lt_iff Z0).
have v0 : 0 < v by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have r0 : sqrt v != 0 by rewrite gt_eqF //; apply/RltP/sqrt_lt_R0/RltP.
set c := IZR k * of_ratio step.
have at_ (m : Z) r : tail_enclosure w (tail_terms t) x y root (enclosure_of_fraction w (m * d - k * step.1) d) = Some r ->
    enclosed w (Phi ((c - IZR m) / sqrt v)%R) r.
  have e1 : IZR (m * d - k * step.1) / IZR d = IZR m - c.
    by rewrite /c /of_ratio /fraction -/d IZRB !IZRM; field; rewrite gt_eqF.
  have F : enclosed w (IZR m - c) (enclosure_of_fraction w (m * d - k * step.1) d).
    by rewrite -e1; exact: enclosed_fraction.
  move/(tail_enclosure_sound w w0 _ _ _ _ _ _ _ x0 y0 hroot F); rewrite sE.
  have -> : (- ((IZR m - c) / sqrt v))%coqR = ((c - IZR m) / sqrt v)%R by rewrite RdivE // RoppE -mulNr opprB.
  by [].
have one_enclosed := enclosed_Z w w0 1.
have rest := others_belowP w0 (at_ _ _ eo).
have two : IZR 2 = 1 + 1 :> R by [].
have other : IZR (mean_without (moves_between b)) = other_contribution (moves_between b) + 1.
  by case: (moves_between b) => /=; rewrite ?add0r // addNr.
have {eo ep eq} [P Q] := (at_ _ _ ep, at_ _ _ eq); rewrite two other in P Q; rewrite subr0 in rest.
by split; rewrite /maximum_tails /maximum_tail /=; apply: enclosed_sub => //; apply: enclosed_mul.
Qed.

Lemma maximum_rowsP c r : moves_between b <> WithoutRecord -> maximum_rows c = Some r ->
  rows_for S (batches_noise b) r.
Proof.
move=> record; rewrite /maximum_rows; case: ifP => // /andP[/Z.leb_le w0 /Z.ltb_lt x0].
case hr: inverse_root => [root|] // h; have y0 : Z.lt 0 y by [].
have hroot := inverse_root_enclosed w w0 _ _ _ _ (enclosed_quotient w w0 x y y0) hr.
have v0 : 0 < v by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have v0' : 0 < sqrt v by apply/RltP/sqrt_lt_R0/RltP.
have n0 : (0 < n)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
set u := of_ratio (cut_step c); pose cs := [seq IZR k * u | k <- cut_places c].
have rises : sorted <%R cs.
  move: h; rewrite /cells_rows; case: ifP => // /and3P[/Z.ltb_lt s1 up _] _; apply: rising_sorted up.
  by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
set own := other_contribution (moves_between b).
have E : [seq maximum_tails (sqrt v) n own (IZR k * u) | k <- cut_places c] =
    [seq maximum_tails (sqrt v) n own c' | c' <- cs] by rewrite /cs -map_comp.
have [||l [e below]] := @cells_rowsP w S w0 S0 (fun k => maximum_tails (sqrt v) n own (IZR k * u)) _ c r _ _ h.
- by move=> k e'; exact: maximum_tails_atP.
- by rewrite E; exact: maximum_apart.
by exists l; rewrite e E; split=> //; exact: maximum_drawn.
Qed.
End Rows.

(** Seen from the other training set. *)
Lemma drawn_swapped (s s' : sides) (v : R) n t : (forall a a', contributes s a a' -> contributes s' a' a) ->
  drawn (OfShuffled s v n) t -> drawn (OfShuffled s' v n) [seq (z.2, z.1) | z <- t].
Proof.
move=> turn [dp dq h]; apply: (@drawn_map _ (fun z => (z.2, z.1))); split=> //.
exact: told_of_epoch_back h.
Qed.

Lemma batches_rowsP S t b h r : Z.lt 0 S -> batches_rows S t b h = Some r -> rows_for S (batches_noise b) r.
Proof.
move=> S0; rewrite /batches_rows; case E: maximum_rows => [r'|] // [<-].
case: b E => s v n; rewrite /batches_noise /=.
have swapped s' : (forall a a', contributes s' a a' -> contributes s a' a) -> rows_for S (batches_noise (Batches s' v n)) r' ->
    rows_for S (OfShuffled s (of_ratio v) (Pos.to_nat n)) (back_rows r').
  move=> turn [l [d below]]; exists [seq ((z.1.2, z.1.1), z.2) | z <- l]; split; last exact: rows_back.
  have -> : unscored [seq ((z.1.2, z.1.1), z.2) | z <- l] = [seq (z.2, z.1) | z <- unscored l].
    by rewrite /unscored -!map_comp.
  exact: drawn_swapped d.
case: s swapped => swapped E.
- exact: (maximum_rowsP S0 _ E).
- apply: (swapped WithRecord) => //; exact: (maximum_rowsP (b := Batches WithRecord v n) S0 _ E).
case: ifP => _; last exact: (maximum_rowsP S0 _ E).
by apply: (swapped WithEither) => //; exact: (maximum_rowsP S0 _ E).
Qed.
