(** Concurrent composition is dominated by non-interactive mechanisms: Vadhan & Zhang (STOC 2023), for
    mechanisms with finitely many questions and answers.

    What an adversary gains at most from a history on, in the sense of max(aP - bQ, 0), is for all a
    and b the divergence of one finite pair of laws ([history_pair]): from a question it is that of the
    pairs of its answers side by side, and the greater of two such divergences is one again
    ([greater_pair]), as the divergence of a pair is a maximum of lines, and one more line is reached
    by splitting outputs ([line_pair]).  The divergence of the product of these pairs, one for each
    mechanism, is a potential that no question raises; so an adversary who interleaves its questions
    gains no more than from that product ([views_dominated_by_composition]).  As the pair of the first
    history satisfies every notion of (epsilon, delta) and of mu that the mechanism does, bounds of
    all adaptive compositions hold of concurrent ones ([concurrent_upper]). *)
From Coq Require Import Reals Permutation Lra.
From Coquelicot Require Import Continuity.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesGroupsMixed Domination Interactive RulesInteractive Interleaving Potentials.
From ExactDP Require Import ConcurrentTheorems.
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

(** --- the pair of a history --- *)

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

Definition gain (a b p q : R) := pos (a * p - b * q).

Lemma one_ge0 law : 0 <= law.1 -> 0 <= law.2 -> nonnegative_laws (fun _ : unit => law.1) (fun=> law.2).
Proof. by []. Qed.
Lemma none_ge0 : nonnegative_laws (fun _ : void => 0 : R) (fun=> 0).
Proof. by case. Qed.

(** Of the answers to a question, side by side. *)
Lemma answers_pair (q : seq (R * R * tree R)) law : (forall x, List.In x q ->
    exists2 D, totals D (after law x.1) &
    forall a b, 0 <= a -> 0 <= b -> HS a b D = worth (gain a b) x.2 (after law x.1)) ->
  exists2 D, totals D (\sum_(x <- q) law.1 * x.1.1, \sum_(x <- q) law.2 * x.1.2) &
  forall a b, 0 <= a -> 0 <= b -> HS a b D = \sum_(x <- q) worth (gain a b) x.2 (after law x.1).
Proof.
elim: q => [_|x q IH each].
  exists (FinitePair none_ge0) => [|a b _ _]; last by rewrite big_nil /hockey_stick big1 // => -[].
  by split; rewrite !big_nil big1 // => -[].
have [D T e] := each x (or_introl erefl).
have [|D' T' e'] := IH; first by move=> z h; apply: each; right.
exists (beside D D') => [|a b a0 b0]; last by rewrite beside_hockey_stick big_cons e // e'.
by rewrite !big_cons; exact: beside_totals T T'.
Qed.

Theorem history_pair t law : lawful t -> 0 <= law.1 -> 0 <= law.2 -> exists2 D, totals D law &
  forall a b, 0 <= a -> 0 <= b -> HS a b D = worth (gain a b) t law.
Proof.
elim/tree_induction: t law => qs IH law l p0 q0.
have each q : List.In q qs -> exists2 D, totals D law & forall a b, 0 <= a -> 0 <= b ->
    HS a b D = total (fun _ x => worth (gain a b) x.2 (after law x.1)) 0 q.
  move=> h; have [s1 s2 _] := lawful_query l h.
  have [x hx|D T e] := @answers_pair q law.
    have [px qx lx] := Shares.lawful_answer l h hx.
    by apply: (Shares.In_Forall2 IH h hx) => //; exact: mulr_ge0.
  exists D => [|a b a0 b0]; last by rewrite total_big e.
  by move: T; rewrite -!mulr_sumr s1 s2 !mulr1; case: (law).
have unfold a b : worth (gain a b) (Tree qs) law = foldr (fun q => Num.max (total (fun _ x =>
    worth (gain a b) x.2 (after law x.1)) 0 q)) (gain a b law.1 law.2) qs by [].
suff [D T e] : exists2 D, totals D law & forall a b, 0 <= a -> 0 <= b -> HS a b D =
    foldr (fun q => Num.max (total (fun _ x => worth (gain a b) x.2 (after law x.1)) 0 q))
      (gain a b law.1 law.2) qs by exists D => // a b a0 b0; rewrite unfold e.
elim: {IH l unfold} qs each => [|q qs IHqs] each /=.
  exists (FinitePair (one_ge0 p0 q0)); first by split; rewrite (bigD1 tt) //= big1 ?addr0 // => -[].
  by move=> a b _ _; rewrite /hockey_stick (bigD1 tt) //= big1 ?addr0 // => -[].
have [D T e] := each q (or_introl erefl).
have [|D' T' e'] := IHqs; first by move=> q' h; apply: each; right.
have [E TE eE] := greater_weights T T'; exists E => // a b a0 b0.
by rewrite eE // e // e'.
Qed.

(** --- the potential --- *)

(** A track: the law of the history so far, and its pair. *)
Definition track := (R * R * finite_pair R_realFieldType)%type.
Definition tracks t (s : track) : Prop := [/\ lawful t, 0 <= s.1.1, 0 <= s.1.2, totals s.2 s.1 &
  forall a b, 0 <= a -> 0 <= b -> HS a b s.2 = worth (gain a b) t s.1].
Definition product (ss : seq track) := product_pair [seq s.2 | s <- ss].

Lemma product_totals ts ss : List.Forall2 tracks ts ss ->
  totals (product ss) (\prod_(s <- ss) s.1.1, \prod_(s <- ss) s.1.2).
Proof.
elim=> {ts ss} [|t s ts ss [_ _ _ [h1 h2] _] _ [IH1 IH2]].
  by split; rewrite /= big_nil (bigD1 tt) //= big1 ?addr0 // => -[].
have mul (A B : finType) (f : A -> R) (g : B -> R) :
    \sum_(z : A * B) f z.1 * g z.2 = (\sum_x f x) * (\sum_y g y).
  by rewrite -(pair_bigA _ (fun x y => f x * g y)) /= mulr_suml; apply: eq_bigr => x _; rewrite mulr_sumr.
by split; rewrite /= !big_cons mul ?h1 ?h2 ?IH1 ?IH2.
Qed.

Lemma totals_gain D law a b : totals D law -> gain a b law.1 law.2 <= HS a b D.
Proof.
case=> <- <-; rewrite /gain /hockey_stick !mulr_sumr -sumrB.
elim: (index_enum _) => [|z s IH]; first by rewrite !big_nil pos_id.
by rewrite !big_cons; apply: le_trans (posD _ _) _; rewrite ler_add2l.
Qed.

Lemma product_cons s ss a b : HS a b (product (s :: ss)) =
  \sum_z HS (a * @first_law _ s.2 z) (b * @second_law _ s.2 z) (product ss).
Proof. by rewrite -(hockey_stick_product _ _ (fun=> @first_law _ (product ss)) (fun=> @second_law _ (product ss))). Qed.

Lemma product_question (A : Type) (q : seq A) (s : track) (s' : nat -> track) ss1 ss2 :
  (forall a b, 0 <= a -> 0 <= b -> total (fun i _ => HS a b (s' i).2) 0 q <= HS a b s.2) ->
  forall a b, 0 <= a -> 0 <= b ->
  total (fun i _ => HS a b (product (ss1 ++ s' i :: ss2))) 0 q <= HS a b (product (ss1 ++ s :: ss2)).
Proof.
move=> le; elim: ss1 => [|s1 ss1 IH] a b a0 b0 /=.
  rewrite product_cons hockey_stick_exchange.
  rewrite (@total_sum _ _ _ _ _ _ (fun z i _ => HS (a * @first_law _ (product ss2) z)
    (b * @second_law _ (product ss2) z) (s' i).2)) => [|i _].
    by apply: ler_sum => z _; have [p0 q0] := laws_ge0 z; apply: le; exact: mulr_ge0.
  by rewrite product_cons hockey_stick_exchange.
rewrite product_cons (@total_sum _ _ _ _ _ _ (fun z i _ => HS (a * @first_law _ s1.2 z)
    (b * @second_law _ s1.2 z) (product (ss1 ++ s' i :: ss2)))) => [|i _]; last exact: product_cons.
by apply: ler_sum => z _; have [p0 q0] := laws_ge0 z; apply: IH; exact: mulr_ge0.
Qed.

Lemma tracks_question t s q : tracks t s -> List.In q (queries t) -> exists s' : nat -> track,
  (forall i x, List.nth_error q i = Some x -> tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1) /\
  forall a b, 0 <= a -> 0 <= b -> total (fun i _ => HS a b (s' i).2) 0 q <= HS a b s.2.
Proof.
case=> l p0 q0 T e h.
suff [s' H] : exists s' : nat -> track, forall i x, List.nth_error q i = Some x ->
    tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1.
  exists s'; split=> // a b a0 b0; rewrite e //; apply: le_trans (worth_query (gain a b) _ h).
  by apply: le_total_nth => i x n; have [[_ _ _ _ e'] <-] := H i x n; rewrite e'.
have each x : List.In x q -> exists s', tracks x.2 s' /\ s'.1 = after s.1 x.1.
  move=> hx; have [px qx lx] := Shares.lawful_answer l h hx.
  have [a1 a2] := Shares.after_ge0 p0 q0 px qx; have [D TD eD] := history_pair lx a1 a2.
  by exists (after s.1 x.1, D).
elim: (q) each => [|x q' IH] each; first by exists (fun=> s) => -[].
have [s0 H0] := each x (or_introl erefl).
have [|s' H] := IH; first by move=> z hz; apply: each; right.
by exists (fun i => if i is i'.+1 then s' i' else s0) => -[|i] z /=; [case=> <-|exact: H].
Qed.

Theorem seen_dominated ts ss (Y : finType) (P Q : Y -> R) : List.Forall2 tracks ts ss ->
  (forall s, List.In s ss -> s.1 = (1, 1)) -> seen ts P Q ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b (product ss).
Proof.
move=> H ones S a b a0 b0.
have fD p q p' q' : True -> True -> gain a b (p + p') (q + q') <= gain a b p q + gain a b p' q'.
  by rewrite /gain !mulrDr opprD addrACA => _ _; exact: posD.
have fM c p q : 0 <= c -> True -> gain a b (c * p) (c * q) = c * gain a b p q.
  by rewrite /gain !(mulrCA _ c) -mulrBr => c0 _; exact: posM.
have start ts' ss' : List.Forall2 tracks ts' ss' -> True /\
    gain a b (\prod_(s <- ss') s.1.1) (\prod_(s <- ss') s.1.2) <= HS a b (product ss').
  by move=> /product_totals T; split=> //; exact: totals_gain T.
have step t s q : tracks t s -> List.In q (queries t) -> exists s' : nat -> track,
    (forall i x, List.nth_error q i = Some x -> tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1) /\
    forall ts1 ts2 ss1 ss2, List.Forall2 tracks ts1 ss1 -> List.Forall2 tracks ts2 ss2 ->
      total (fun i _ => HS a b (product (ss1 ++ s' i :: ss2))) 0 q <= HS a b (product (ss1 ++ s :: ss2)).
  move=> T h; have [s' [H1 le]] := tracks_question T h; exists s'; split=> // ts1 ts2 ss1 ss2 _ _.
  exact: product_question.
have [_] := @seen_potential _ (fun _ _ => True) (gain a b) I (fun _ _ _ _ _ _ => I) (fun _ _ _ _ _ => I)
  fD fM track tracks fst (fun ss => HS a b (product ss)) start step ts Y P Q S ss H.
have one (g : R * R -> R) : g (1, 1) = 1 -> \prod_(s <- ss) g s.1 = 1.
  move=> g1; elim: (ss) ones => [|s ss' IH] ones'; first by rewrite big_nil.
  by rewrite big_cons (ones' s) ?g1 ?IH ?mulr1 //; [move=> z i; apply: ones'; right|left].
rewrite (one fst) // (one snd) //; apply: le_trans; rewrite /hockey_stick.
by apply: ler_sum => y _; rewrite /gain !mul1r.
Qed.

(** --- the notions of the pair --- *)

Lemma equal_laws (Y : finType) (P Q : Y -> R) : satisfies G (Approximate 0 0) P Q -> P = Q.
Proof.
case=> _ _; rewrite exp_0 => -[h1 h2]; apply: FunctionalExtensionality.functional_extensionality => y.
have := h1 [set y]; have := h2 [set y]; rewrite !big_set1 !mul1r !addr0 => le ge.
by apply/le_anti; rewrite le ge.
Qed.

Lemma pair_satisfies n t : proper_notion n -> ~~ concentrated n -> interactively n t ->
  exists s : track, [/\ tracks t s, s.1 = (1, 1) & satisfies G n (@first_law _ s.2) (@second_law _ s.2)].
Proof.
move=> w plain [l H]; have [D T e] := @history_pair t (1, 1) l ler01 ler01.
exists ((1, 1), D); split=> //; first by split=> //; exact: ler01.
have [t1 t2] := T.
have dP : distribution (@first_law _ D) by split=> // z; case: (laws_ge0 z).
have dQ : distribution (@second_law _ D) by split=> // z; case: (laws_ge0 z).
have close m E d : 0 <= E -> (forall (Y : finType) (P Q : Y -> R), satisfies G n P Q ->
    satisfies G m P Q /\ indistinguishable E d P Q) -> indistinguishable E d (@first_law _ D) (@second_law _ D).
  move=> E0 known; have attained a b : 0 <= a -> 0 <= b -> exists (Y : finType) (P Q : Y -> R),
      satisfies G n P Q /\ HS a b D = hockey_stick a b P Q.
    move=> a0 b0; have [Y [P [Q [S eq]]]] := worth_seen (gain a b) t (1, 1).
    by exists Y, P, Q; split; [exact: H|rewrite e // -eq; apply: eq_bigr => y _; rewrite /gain !mul1r].
  split; apply/events_hockey_stick.
    by have [Y [P [Q [/known[_ [/events_hockey_stick h _]] ->]]]] := attained 1 E ler01 E0.
  rewrite hockey_stick_swap // -ler_subr_addl; have [Y [P [Q [s ->]]]] := attained E 1 E0 ler01.
  have [_ [_ /events_hockey_stick h]] := known _ _ _ s; have [dP' dQ' _] := s.
  by rewrite hockey_stick_swap // opprB addrC ler_add2r.
have E0 x : 0 <= exp x by exact: ltW (exp_gt0 _).
case: n w plain {H} close => [x d|mu|rho] w plain close.
- by split=> //; apply: (close (Approximate x d)) => // Y P Q s; split=> //; case: s.
- by split=> // x; apply: (close (Gaussian mu)) => // Y P Q s; split=> //; case: s.
have flat : trivial (Concentrated rho) by move: plain; rewrite /= negbK.
have same : satisfies G (Approximate 0 0) (@first_law _ D) (@second_law _ D).
  split=> //; apply: (close (Approximate 0 0)) => // Y P Q /(trivial_dp flat) s.
  by split=> //; case: s.
by rewrite -(equal_laws same); exact: satisfies_self.
Qed.
End Pairs.

(** --- concurrent composition --- *)

(** Interactive mechanisms of these notions are no more distinguishable than some that ask nothing. *)
Theorem views_dominated_by_composition ns (Y : finType) (P Q : Y -> R) : all proper_notion ns ->
  all (fun n => ~~ concentrated n) ns -> views ns P Q -> exists (Z : finType) (P' Q' : Z -> R),
  mixed_composition G ns P' Q' /\
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b P' Q'.
Proof.
move=> W plain [ts H S].
have [ss [T ones C]] : exists ss, [/\ List.Forall2 tracks ts ss, forall s, List.In s ss -> s.1 = (1, 1) &
    mixed_composition G ns (@first_law _ (product ss)) (@second_law _ (product ss))].
  elim: H W plain {S} => [|n t ns' ts' h _ IH] /=.
    by exists [::]; split=> //; exact: MixedNil.
  case/andP=> w W /andP[p plain]; have [ss [T ones C]] := IH W plain.
  have [s [Ts s1 sat]] := pair_satisfies w p h; exists (s :: ss); split.
  - by constructor.
  - by move=> z [<-|/ones].
  - exact: (@MixedCons G n ns' _ _ _ _ (fun=> @first_law _ (product ss)) (fun=> @second_law _ (product ss)) sat).
exists (outputs (product ss)), (@first_law _ (product ss)), (@second_law _ (product ss)); split=> // a b a0 b0.
exact: seen_dominated T ones S a b a0 b0.
Qed.

(** Bounds of all adaptive compositions hold of concurrent ones: Vadhan & Zhang 2023, for mechanisms
    given by epsilon and delta or by mu. *)
Theorem concurrent_upper ns epsilon delta : all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  mixed_upper G ns epsilon delta ->
  forall (Y : finType) (P Q : Y -> R), views ns P Q -> indistinguishable (exp epsilon) delta P Q.
Proof.
move=> W plain U Y P Q V; have [dP dQ] := views_distribution V.
have [Z [P' [Q' [C le]]]] := views_dominated_by_composition W plain V.
have [dP' dQ'] := mixed_composition_distribution C.
have [/events_hockey_stick h1 /events_hockey_stick h2] := U _ (Permutation_refl _) _ _ _ C.
have E0 : 0 <= exp epsilon := ltW (exp_gt0 _).
split; apply/events_hockey_stick; first exact: le_trans (le _ _ ler01 E0) h1.
rewrite hockey_stick_swap // -ler_subr_addl; apply: le_trans (le _ _ E0 ler01) _.
by rewrite hockey_stick_swap // opprB addrC ler_add2r.
Qed.
