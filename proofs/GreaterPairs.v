(** Pairs of laws with finitely many outputs, whose divergence is the greater of two.

    The difference of a divergence to a line is convex and thus negative between two zeros at most:
    outputs whose ratio lies between these are split into one of the lesser ratio and one of the
    greater, which lifts the divergence to the line there and nowhere else ([line_pair]).  As the
    divergence of a pair is a maximum of finitely many lines, the greater of two is the divergence
    of a pair again ([greater_pair]). *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Continuity.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Failures RulesGaussian RulesGroupsMixed Domination.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
(** --- outputs that are split in two --- *)

Section Split.
Variable F : realFieldType.
Variables (al be : F) (ab : al < be).
Implicit Types (x : F * F) (y : F).

Definition curve_at x y : F := pos (x.1 - y * x.2).

(** An output whose ratio lies between al and be, as one of ratio al and one of ratio be. *)
Definition between x := (al * x.2 <= x.1) && (x.1 <= be * x.2).
Definition near x : F * F := if between x then
  let w := (be * x.2 - x.1) / (be - al) in (al * w, w) else x.
Definition far x : F * F := if between x then
  let w := (x.1 - al * x.2) / (be - al) in (be * w, w) else (0, 0).

Let gap : 0 < be - al. Proof. by rewrite subr_gt0. Qed.
Let gap0 : be - al != 0. Proof. by rewrite gt_eqF. Qed.

Lemma split_total x : ((near x).1 + (far x).1 = x.1) * ((near x).2 + (far x).2 = x.2).
Proof. by rewrite /near /far; case: ifP => _ /=; split; rewrite ?addr0 //; field. Qed.

Lemma split_ge0 x : 0 <= al -> 0 <= x.1 -> 0 <= x.2 ->
  [/\ 0 <= (near x).1, 0 <= (near x).2, 0 <= (far x).1 & 0 <= (far x).2].
Proof.
move=> a0 x1 x2; have b0 : 0 <= be := le_trans a0 (ltW ab).
rewrite /near /far; case: ifP => [/andP[h1 h2]|_] /=; last by [].
have w : 0 <= (be * x.2 - x.1) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
have w' : 0 <= (x.1 - al * x.2) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
by split=> //; exact: mulr_ge0.
Qed.

Lemma curve_ray c w y : 0 <= w -> curve_at (c * w, w) y = w * pos (c - y).
Proof. by move=> w0; rewrite /curve_at /= -mulrBl mulrC posM. Qed.

Lemma curve_0 y : curve_at (0, 0) y = 0.
Proof. by rewrite /curve_at mulr0 subrr pos_id. Qed.

Lemma split_outside x y : 0 <= x.2 -> (y <= al) || (be <= y) ->
  curve_at (near x) y + curve_at (far x) y = curve_at x y.
Proof.
move=> x2; rewrite /near /far; case: ifP => [/andP[h1 h2]|_]; last by rewrite curve_0 addr0.
have w : 0 <= (be * x.2 - x.1) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
have w' : 0 <= (x.1 - al * x.2) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
rewrite !curve_ray // /curve_at => /orP[le|le].
  rewrite !pos_id ?subr_ge0 ?(le_trans le (ltW ab)) //; first by field.
  exact: le_trans (ler_wpmul2r x2 le) h1.
rewrite !pos_0 ?mulr0 ?addr0 // subr_le0 ?(le_trans (ltW ab) le) //.
exact: le_trans h2 (ler_wpmul2r x2 le).
Qed.

(** Between them the curve is a chord. *)
Lemma split_inside x y : 0 <= x.2 -> al <= y -> y <= be ->
  (be - al) * (curve_at (near x) y + curve_at (far x) y) =
  (be - y) * curve_at x al + (y - al) * curve_at x be.
Proof.
move=> x2 ay yb; rewrite /near /far; case: ifP => [/andP[h1 h2]|out].
  have w : 0 <= (be * x.2 - x.1) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
  have w' : 0 <= (x.1 - al * x.2) / (be - al) by rewrite divr_ge0 ?subr_ge0 // ltW.
  rewrite !curve_ray // /curve_at (pos_0 (x := al - y)) ?subr_le0 // (pos_id (x := be - y)) ?subr_ge0 //.
  rewrite (pos_id (x := x.1 - al * x.2)) ?subr_ge0 // (pos_0 (x := x.1 - be * x.2)) ?subr_le0 //.
  by field.
have le1 : al * x.2 <= y * x.2 by exact: ler_wpmul2r.
have le2 : y * x.2 <= be * x.2 by exact: ler_wpmul2r.
rewrite curve_0 addr0 /curve_at; case: (leP (al * x.2) x.1) out => [h|h _]; last first.
  rewrite !pos_0 ?subr_le0 ?(ltW h) ?(le_trans (ltW h)) ?(le_trans le1) ?mulr0 ?addr0 //.
rewrite /between h /= => /negbT; rewrite -ltNge => h'.
rewrite !pos_id ?subr_ge0 ?(ltW h') ?(le_trans le2 (ltW h')) ?(le_trans (le_trans le1 le2) (ltW h')) //.
by ring.
Qed.

(** An output whose ratio is at least al, as one of ratio al and one that the second law has not. *)
Definition level x : F * F := if al * x.2 <= x.1 then (al * x.2, x.2) else x.
Definition above x : F * F := if al * x.2 <= x.1 then (x.1 - al * x.2, 0) else (0, 0).

Lemma level_total x : ((level x).1 + (above x).1 = x.1) * ((level x).2 + (above x).2 = x.2).
Proof. by rewrite /level /above; case: ifP => _ /=; rewrite ?addr0 // addrCA subrr addr0. Qed.

Lemma level_ge0 x : 0 <= al -> 0 <= x.1 -> 0 <= x.2 ->
  [/\ 0 <= (level x).1, 0 <= (level x).2, 0 <= (above x).1 & 0 <= (above x).2].
Proof.
move=> a0 x1 x2; rewrite /level /above; case: ifP => h /=; last by [].
by split=> //; rewrite ?mulr_ge0 ?subr_ge0.
Qed.

Lemma level_curve x y : 0 <= x.2 ->
  curve_at (level x) y + curve_at (above x) y = curve_at x (if y <= al then y else al).
Proof.
move=> x2; rewrite /level /above; case: (leP (al * x.2) x.1) => h.
  rewrite curve_ray // {1}/curve_at /= mulr0 subr0 (pos_id (x := x.1 - al * x.2)) ?subr_ge0 // /curve_at.
  case: leP => [le|/ltW le].
    rewrite !pos_id ?subr_ge0 //; first by ring.
    exact: le_trans (ler_wpmul2r x2 le) h.
  by rewrite pos_0 ?subr_le0 // mulr0 add0r pos_id ?subr_ge0.
rewrite curve_0 addr0 /curve_at; case: leP => // /ltW le.
by rewrite !pos_0 ?subr_le0 ?(ltW h) // (le_trans (ltW h)) // ler_wpmul2r.
Qed.
End Split.

(** --- pairs whose divergence is the greater of two --- *)

Section Pairs.
Implicit Types (D : finite_pair R_realFieldType) (law : R * R).

Notation curve D y := (hockey_stick 1 y (@first_law _ D) (@second_law _ D)).

Definition totals D law : Prop := \sum_z @first_law _ D z = law.1 /\ \sum_z @second_law _ D z = law.2.

(** Two laws in place of each output: side by side, and from a splitting of each output. *)
Lemma beside_ge0 (A B : finType) (P Q : A -> R) (P' Q' : B -> R) : nonnegative_laws P Q -> nonnegative_laws P' Q' ->
  nonnegative_laws (fun z : A + B => match z with inl a => P a | inr b => P' b end)
              (fun z : A + B => match z with inl a => Q a | inr b => Q' b end).
Proof. by move=> h h' [a|b]. Qed.
Definition beside D D' := FinitePair (beside_ge0 (@laws_ge0 _ D) (@laws_ge0 _ D')).

Lemma beside_totals D D' law law' : totals D law -> totals D' law' ->
  totals (beside D D') (law.1 + law'.1, law.2 + law'.2).
Proof. by move=> [h1 h2] [h1' h2']; split; rewrite /= big_sumType /= ?h1 ?h2 ?h1' ?h2'. Qed.

Lemma beside_hockey_stick D D' a b : let E := beside D D' in
  hockey_stick a b (@first_law _ E) (@second_law _ E) =
  hockey_stick a b (@first_law _ D) (@second_law _ D) + hockey_stick a b (@first_law _ D') (@second_law _ D').
Proof. by rewrite /hockey_stick big_sumType. Qed.

(** Each output split in two, as [one] and [other] say. *)
Lemma split_pair D law (one other : R * R -> R * R) : totals D law ->
  (forall x, ((one x).1 + (other x).1 = x.1) * ((one x).2 + (other x).2 = x.2)) ->
  (forall x, 0 <= x.1 -> 0 <= x.2 ->
    [/\ 0 <= (one x).1, 0 <= (one x).2, 0 <= (other x).1 & 0 <= (other x).2]) ->
  exists2 D', totals D' law & forall y,
    curve D' y = \sum_z (curve_at (one (@first_law _ D z, @second_law _ D z)) y +
                         curve_at (other (@first_law _ D z, @second_law _ D z)) y).
Proof.
move=> [h1 h2] total ge0; pose x (z : outputs D) := (@first_law _ D z, @second_law _ D z).
have part z := ge0 (x z) (proj1 (laws_ge0 z)) (proj2 (laws_ge0 z)).
have n1 : nonnegative_laws (fun z => (one (x z)).1) (fun z => (one (x z)).2) by move=> z; have [] := part z.
have n2 : nonnegative_laws (fun z => (other (x z)).1) (fun z => (other (x z)).2) by move=> z; have [] := part z.
exists (beside (FinitePair n1) (FinitePair n2)) => [|y].
  split; rewrite /= big_sumType /= -big_split /= ?(eq_bigr _ (fun z _ => (total (x z)).1)) //.
  by rewrite (eq_bigr _ (fun z _ => (total (x z)).2)).
rewrite beside_hockey_stick /hockey_stick /= -big_split /=; apply: eq_bigr => z _.
by rewrite /curve_at !mul1r.
Qed.

Lemma curve_sum D y : curve D y = \sum_z curve_at (@first_law _ D z, @second_law _ D z) y.
Proof. by apply: eq_bigr => z _; rewrite /curve_at mul1r. Qed.

(** --- the difference to a line, and its zeros --- *)

Lemma pos_Rmax (x : R) : pos x = ((x + Rabs x) / 2)%coqR.
Proof.
case: (leP 0 x) => [h|/ltW h].
  rewrite pos_id //; move/RleP: h => h; rewrite Rabs_pos_eq //; change (x = (x + x) / 2)%coqR; lra.
rewrite pos_0 //; move/RleP: h => h; rewrite Rabs_left1 //; change (0 = (x + - x) / 2)%coqR; lra.
Qed.

Section Line.
Variables (D : finite_pair R_realFieldType) (law : R * R) (u v : R).
Hypotheses (T : totals D law) (v0 : 0 <= v) (u1 : u <= law.1).
Let phi (y : R) := curve D y - (u - y * v).

Lemma phi_continuous : continuity phi.
Proof.
have sum_continuous (s : seq (outputs D)) :
    continuity (fun y => \sum_(z <- s) pos (1 * @first_law _ D z - y * @second_law _ D z)).
  elim: s => [|z s IH].
    by move=> y; apply: (continuity_pt_ext (fun=> 0)) => [t|]; [rewrite big_nil|exact: continuity_const].
  move=> y; pose g t := (@first_law _ D z - t * @second_law _ D z)%coqR.
  apply: (continuity_pt_ext (fun t => (g t + Rabs (g t)) / 2 +
      \sum_(z <- s) pos (1 * @first_law _ D z - t * @second_law _ D z))%coqR) => [t|].
    by rewrite big_cons mul1r pos_Rmax.
  have gc : continuity g by rewrite /g; reg.
  apply: continuity_pt_plus (IH y); apply: continuity_pt_div; [|exact: continuity_pt_const|lra].
  by apply: continuity_pt_plus => //; apply: (continuity_pt_comp g Rabs) => //; exact: Rcontinuity_abs.
have line_continuous : continuity (fun y => u - y * v)%coqR by reg.
by move=> y; apply: continuity_pt_minus; [exact: sum_continuous|exact: line_continuous].
Qed.

Lemma phi_convex a b c : a <= b -> b <= c -> (c - a) * phi b <= (c - b) * phi a + (b - a) * phi c.
Proof.
move=> ab bc; have ac := le_trans ab bc.
have h : (c - a) * curve D b <= (c - b) * curve D a + (b - a) * curve D c.
  rewrite -!hockey_stickM ?subr_ge0 // !mulr1; apply: le_trans (hockey_stickD _ _ _ _ _ _).
  have -> : c - b + (b - a) = c - a by ring.
  by have -> : (c - b) * a + (b - a) * c = (c - a) * b by ring.
rewrite /phi; move: (curve D a) (curve D b) (curve D c) h => A B C h.
have -> : (c - b) * (A - (u - a * v)) + (b - a) * (C - (u - c * v)) =
  ((c - b) * A + (b - a) * C) - (c - a) * (u - b * v) by ring.
by rewrite mulrBr ler_add2r.
Qed.

Lemma phi_zero a b : a <= b -> phi a * phi b <= 0 -> exists z, [/\ a <= z, z <= b & phi z = 0].
Proof.
move=> /RleP ab /RleP h; have [z [[/RleP h1 /RleP h2] h3]] := IVT_cor _ _ _ phi_continuous ab h.
by exists z.
Qed.

Lemma phi_0 : 0 <= phi 0.
Proof.
rewrite /phi mul0r subr0 subr_ge0; apply: le_trans u1 _; have [<- _] := T.
by apply: ler_sum => z _; rewrite mul0r subr0 mul1r le_pos.
Qed.

(** Where the pair is below the line its outputs are split at the zeros, or at the only zero. *)
Lemma line_pair : exists2 D', totals D' law & forall y, 0 <= y -> curve D' y = Num.max (curve D y) (u - y * v).
Proof.
case: (Classical_Prop.classic (exists2 y, 0 <= y & phi y < 0)) => [[y0 y00 low]|none]; last first.
  exists D => // y y_0; rewrite max_l // -subr_ge0 leNgt; apply/negP => h; apply: none; by exists y.
have [al [al0 aly za]] : exists z, [/\ 0 <= z, z <= y0 & phi z = 0].
  by apply: phi_zero => //; rewrite mulr_ge0_le0 ?phi_0 // ltW.
have {}aly : al < y0 by rewrite lt_neqAle aly andbT; apply: contraTneq low => <-; rewrite za ltxx.
have before y : 0 <= y -> y <= al -> 0 <= phi y.
  move=> y_0 ya; have := phi_convex ya (ltW aly); rewrite za mulr0 => h.
  have {}h : 0 <= (y0 - al) * phi y.
    by apply: le_trans h _; rewrite ger_addl mulr_ge0_le0 ?subr_ge0 // ltW.
  by rewrite -(pmulr_rge0 _ (_ : 0 < y0 - al)) // subr_gt0.
case: (Classical_Prop.classic (exists2 y, y0 <= y & 0 <= phi y)) => [[y1 y01 high]|none].
  have [be [y0b _ zb]] : exists z, [/\ y0 <= z, z <= y1 & phi z = 0].
    by apply: phi_zero => //; rewrite mulr_le0_ge0 // ltW.
  have {}y0b : y0 < be by rewrite lt_neqAle y0b andbT; apply: contraTneq low => ->; rewrite zb ltxx.
  have after_ y : be <= y -> 0 <= phi y.
    move=> by_; have := phi_convex (ltW y0b) by_; rewrite zb mulr0 => h.
    have {}h : 0 <= (be - y0) * phi y.
      by apply: le_trans h _; rewrite ger_addr mulr_ge0_le0 ?subr_ge0 // ltW.
    by rewrite -(pmulr_rge0 _ (_ : 0 < be - y0)) // subr_gt0.
  have ab : al < be := lt_trans aly y0b.
  have inside y : al <= y -> y <= be -> phi y <= 0.
    move=> ay yb; have := phi_convex ay yb; rewrite za zb !mulr0 addr0.
    by rewrite pmulr_rle0 // subr_gt0.
  have [|x x1 x2|D' TD' e] := @split_pair D law (near al be) (far al be) T; first exact: split_total.
    exact: split_ge0.
  exists D' => // y y_0; rewrite e; case: (boolP ((y <= al) || (be <= y))) => out.
    rewrite max_l; last by rewrite -subr_ge0; case/orP: out => [/before|/after_]; apply.
    by rewrite curve_sum; apply: eq_bigr => z _; apply: split_outside => //; case: (laws_ge0 z).
  move: out; rewrite negb_or -!ltNge => /andP[/ltW ay /ltW yb].
  rewrite max_r; last by rewrite -subr_le0; exact: inside.
  have gap : be - al != 0 by rewrite subr_eq0 gt_eqF.
  apply: (mulfI gap); rewrite mulr_sumr.
  rewrite (eq_bigr (fun z => (be - y) * curve_at (@first_law _ D z, @second_law _ D z) al +
    (y - al) * curve_at (@first_law _ D z, @second_law _ D z) be)) => [|z _]; last first.
    by apply: split_inside => //; case: (laws_ge0 z).
  rewrite big_split /= -!mulr_sumr -!curve_sum.
  have -> : curve D al = u - al * v by apply/eqP; rewrite -subr_eq0; apply/eqP.
  have -> : curve D be = u - be * v by apply/eqP; rewrite -subr_eq0; apply/eqP.
  by ring.
have beyond y : y0 <= y -> phi y < 0.
  by move=> y0y; rewrite ltNge; apply/negP => h; apply: none; exists y.
have ve : v = 0.
  apply/eqP; rewrite eq_le v0 andbT leNgt; apply/negP => v1.
  have y0y : y0 <= Num.max y0 (u / v) by rewrite le_maxr lexx.
  have := beyond _ y0y; rewrite ltNge => /negP; apply; rewrite subr_ge0.
  apply: (@le_trans _ _ 0); last exact: hockey_stick_ge0.
  by rewrite subr_le0 -ler_pdivr_mulr // le_maxr lexx orbT.
have after_ y : al <= y -> phi y <= 0.
  move=> ay; case: (leP y0 y) => [/beyond/ltW //|/ltW yy].
  have := phi_convex ay yy; rewrite za mulr0 add0r => h.
  rewrite -(pmulr_rle0 _ (_ : 0 < y0 - al)) ?subr_gt0 //; apply: le_trans h _.
  by rewrite mulr_ge0_le0 ?subr_ge0 // ltW.
have [|x x1 x2|D' TD' e] := @split_pair D law (level al) (above al) T; first exact: level_total.
  exact: level_ge0.
exists D' => // y y_0; rewrite e.
rewrite (eq_bigr (fun z => curve_at (@first_law _ D z, @second_law _ D z) (if y <= al then y else al))) => [|z _];
  last by apply: level_curve; case: (laws_ge0 z).
rewrite -curve_sum ve mulr0 subr0; case: (leP y al) => ya.
  by rewrite max_l //; have := before y y_0 ya; rewrite /phi ve mulr0 subr0 subr_ge0.
have -> : curve D al = u by apply/eqP; rewrite -subr_eq0; move: za; rewrite /phi ve mulr0 subr0 => /eqP.
by rewrite max_r //; have := after_ y (ltW ya); rewrite /phi ve mulr0 subr0 subr_le0.
Qed.
End Line.

Lemma greater_pair D D' law : totals D law -> totals D' law ->
  exists2 D'', totals D'' law & forall y, 0 <= y -> curve D'' y = Num.max (curve D y) (curve D' y).
Proof.
move=> T [h1 _]; pose u (S : {set outputs D'}) := \sum_(z in S) @first_law _ D' z.
pose v (S : {set outputs D'}) := \sum_(z in S) @second_law _ D' z.
have below S y : u S - y * v S <= curve D' y.
  rewrite ler_subl_addl; exact: (proj2 (events_hockey_stick y (curve D' y) _ _) (lexx _) S).
suff [D'' [T'' low high lines]] : exists D'', [/\ totals D'' law,
    forall y, 0 <= y -> curve D y <= curve D'' y,
    forall y, 0 <= y -> curve D'' y <= Num.max (curve D y) (curve D' y) &
    forall S, S \in enum (set_of_finType (outputs D')) -> forall y, 0 <= y -> u S - y * v S <= curve D'' y].
  exists D'' => // y y0; apply/le_anti; rewrite high // le_maxl low //=.
  by apply/events_hockey_stick => S; rewrite -ler_subl_addl lines // mem_enum.
elim: (enum _) => [|S s [E [TE low high lines]]].
  by exists D; split=> // y _; rewrite le_maxr lexx.
have v0 : 0 <= v S by apply: sumr_ge0 => z _; case: (laws_ge0 z).
have u1 : u S <= law.1.
  rewrite -h1 [X in _ <= X](bigID (mem S)) /= ler_addl sumr_ge0 // => z _; by case: (laws_ge0 z).
have [E' TE' e] := line_pair TE v0 u1; exists E'; split=> // [y y0|y y0|S'].
- by rewrite e // le_maxr low.
- by rewrite e // le_maxl high //= le_maxr below orbT.
by rewrite inE => /orP[/eqP ->|i] y y0; rewrite e // le_maxr ?lexx ?orbT // lines.
Qed.
Notation HS a b D := (hockey_stick a b (@first_law _ D) (@second_law _ D)).

Lemma curve_scaled D a b : 0 < a -> HS a b D = a * curve D (b / a).
Proof. by move=> a0; rewrite -hockey_stickM ?ltW // mulr1 mulrC divfK // gt_eqF. Qed.

Lemma curve_none D b : 0 <= b -> HS 0 b D = 0.
Proof.
move=> b0; rewrite /hockey_stick big1 // => z _; rewrite mul0r sub0r pos_0 // oppr_le0 mulr_ge0 //.
by case: (laws_ge0 z).
Qed.

Lemma greater_weights D D' law : totals D law -> totals D' law ->
  exists2 E, totals E law & forall a b, 0 <= a -> 0 <= b -> HS a b E = Num.max (HS a b D) (HS a b D').
Proof.
move=> T T'; have [E TE e] := greater_pair T T'; exists E => // a b.
rewrite le_eqVlt => /predU1P[<-|a0] b0; first by rewrite !curve_none // maxxx.
have a1 := ltW a0; have e' := e _ (divr_ge0 b0 a1).
by rewrite (curve_scaled E) // (curve_scaled D) // (curve_scaled D') // e' maxr_pmulr.
Qed.
End Pairs.
