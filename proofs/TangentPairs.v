(** Cells between tangents (Tangents.v), as the laws of a mechanism with a noise: Laplace noise, a =
    sensitivity/scale, and bounded range (SPEC, 7.4 and 11.6). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Moments RulesNoiseRenyi NoiseLedgers NoiseTests Tangents.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Laws.
Variable ts : seq (R * (R * R)).
Hypothesis apart : ordered 0 certain ts.
Let t := cells certain (unzip2 ts).

Lemma cells_distributions : distribution (@law_with t) /\ distribution (@law_without t).
Proof.
have /allP g := cells_ge0 (lexx 0) apart; have [s1 s2] := cells_total certain (unzip2 ts).
by split; split=> [z|]; rewrite ?(sum_of_table (fun p _ => p)) ?(sum_of_table (fun _ q => q)) ?s1 ?s2 //;
  have /andP[] := g _ (mem_tnth z (in_tuple t)).
Qed.

Lemma cells_stick (a b h : R) : 0 <= a -> 0 <= h -> a - b <= h -> all (fun x => line a b x.2 <= h) ts ->
  hockey_stick a b (@law_with t) (@law_without t) <= h.
Proof.
move=> a0 h0 ab les; rewrite /hockey_stick (sum_of_table (fun p q : R => pos (a * p - b * q))).
by apply: cells_below apart h0 _ les => //; rewrite /line !mulr1.
Qed.

Lemma cells_stick_back (a b h : R) : 0 <= b -> a - b <= h -> 0 <= h ->
  all (fun x => line b a x.2 <= b - a + h) ts -> hockey_stick a b (@law_without t) (@law_with t) <= h.
Proof.
move=> b0 ab h0 les; rewrite /hockey_stick (sum_of_table (fun p q => pos (a * q - b * p))) cells_back.
rewrite -ler_subr_addl opprB [h + _]addrC; apply: cells_below apart _ _ _ => //.
- by rewrite -[b - a]opprB addrC subr_ge0.
- by rewrite /line !mulr1 ler_addl.
Qed.
End Laws.

(** Tangents that are given by the losses where they touch, and cuts at such losses. *)
Section Cuts.
Variables (T : R -> R * R) (D : pred R).
Hypothesis tangent : forall l x, D l -> D x -> line 1 (exp x) (T l) <= line 1 (exp x) (T x).
Hypothesis above : forall l, D l -> [/\ 0 <= (T l).2 <= 1, (T l).1 <= 1,
  0 <= line 1 (exp l) (T l) & 1 - exp l <= line 1 (exp l) (T l)].

Definition cuts_at (ls : seq R) : seq (R * (R * R)) := [seq (exp l, T l) | l <- ls].

Lemma cuts_apart ls : sorted <%R ls -> all D ls -> ordered 0 certain (cuts_at ls).
Proof.
move=> rises inside; pose D' c := (0 < c) && D (ln c); pose F c := T (ln c).
have K c : D' c -> exp (ln c) = c by case/andP=> c0 _; exact: lnK.
have -> : cuts_at ls = tangents_at F [seq exp l | l <- ls].
  by rewrite /cuts_at /tangents_at -map_comp; apply: eq_map => l; rewrite /F /= ln_exp.
apply: (@tangents_ordered _ D').
- move=> c d Dc Dd; have [_ lc] := andP Dc; have [_ ld] := andP Dd.
  by have := tangent lc ld; rewrite (K d Dd).
- move=> c Dc; have [c0 lc] := andP Dc; have [] := above lc; rewrite (K c Dc) => b a h0 h1.
  by split=> //; exact: ltW.
- by rewrite all_map; apply: sub_all inside => l h; rewrite /D' /= exp_gt0 ln_exp.
elim: ls rises {inside} => //= l ls' IH; case: ls' IH => //= l' ls' IH /andP[lt /IH ->]; rewrite andbT.
by rewrite ltNge exp_le -ltNge.
Qed.
End Cuts.

(** --- Laplace noise --- *)

Definition laplace_tails (a l : R) : R * R :=
  ((1 - exp ((l - a) / 2%:R) / 2%:R)%R, (exp (- (l + a) / 2%:R) / 2%:R)%R).

Lemma two_below (r : R) : 0 < r -> 2%:R <= r + r^-1.
Proof.
move=> r0; rewrite -subr_ge0 -(pmulr_rge0 _ r0).
have -> : r * (r + r^-1 - 2%:R) = (r - 1) ^+ 2 by field; rewrite gt_eqF.
exact: sqr_ge0.
Qed.

Section Laplace.
Variable a : R.
Let touch (x : R) := (1 - exp ((x - a) / 2%:R))%R.

Lemma laplace_lineE l x : line 1 (exp x) (laplace_tails a l) =
  1 - exp ((x - a) / 2%:R) * ((exp ((l - x) / 2%:R) + (exp ((l - x) / 2%:R))^-1) / 2%:R).
Proof.
set M := exp ((x - a) / 2%:R); set r := exp ((l - x) / 2%:R).
have e1 : M * r = exp ((l - a) / 2%:R) by rewrite -expD; congr exp; field.
have e2 : M * r^-1 = exp x * exp (- (l + a) / 2%:R) by rewrite -expN -!expD; congr exp; field.
have -> : M * ((r + r^-1) / 2%:R) = (M * r + M * r^-1) / 2%:R by rewrite -mulrDr mulrA.
by rewrite /line /laplace_tails e1 e2 /=; field.
Qed.

Lemma laplace_tangent l x : line 1 (exp x) (laplace_tails a l) <= touch x.
Proof.
rewrite laplace_lineE ler_add2l ler_opp2 ler_pmulr ?exp_gt0 // ler_pdivl_mulr ?ltr0n // mul1r.
exact: two_below (exp_gt0 _).
Qed.

Lemma laplace_touch x : line 1 (exp x) (laplace_tails a x) = touch x.
Proof.
rewrite laplace_lineE subrr mul0r exp_0 invr1 -[1 + 1]/(2%:R) divff ?mulr1 //.
by rewrite pnatr_eq0.
Qed.

Lemma laplace_below_curve l x : - a <= l -> line 1 (exp x) (laplace_tails a l) <= laplace_curve a x.
Proof.
move=> al; have B0 : 0 <= (laplace_tails a l).2 by rewrite divr_ge0 ?ler0n // ltW // exp_gt0.
have B1 : (laplace_tails a l).2 <= 1.
  rewrite /= ler_pdivr_mulr ?ltr0n // mul1r; apply: le_trans (_ : 1 <= _); last by rewrite ler1n.
  rewrite -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r oppr_le0 -[a]opprK subr_ge0.
  exact: al.
rewrite /laplace_curve; case: ltP => xa.
  have h := laplace_tangent l (- a); rewrite /touch in h.
  have e : (- a - a) / 2%:R = - a by field.
  rewrite e in h; have y : 0 <= exp (- a) - exp x by rewrite subr_ge0 exp_le ltW.
  have -> : line 1 (exp x) (laplace_tails a l) =
      line 1 (exp (- a)) (laplace_tails a l) + (exp (- a) - exp x) * (laplace_tails a l).2.
    by rewrite /line; case: (laplace_tails a l) => A B /=; ring.
  apply: le_trans (ler_add h (ler_wpmul2l y B1)) _.
  by rewrite mulr1 addrA subrK.
case: (leP x a) => xa'; first exact: laplace_tangent.
apply: (@le_trans _ _ (line 1 (exp a) (laplace_tails a l))).
  by rewrite /line ler_add2l ler_opp2 ler_wpmul2r // exp_le ltW.
by apply: le_trans (laplace_tangent l a) _; rewrite /touch subrr mul0r exp_0 subrr.
Qed.

Lemma laplace_curve_back x : 0 <= a -> exp x * laplace_curve a (- x) = laplace_curve a x - 1 + exp x.
Proof.
move=> a0; have xx : exp x * exp (- x) = 1 by rewrite -expD subrr exp_0.
have mid : exp x * (1 - exp ((- x - a) / 2%:R)) = 1 - exp ((x - a) / 2%:R) - 1 + exp x.
  have -> : exp ((x - a) / 2%:R) = exp x * exp ((- x - a) / 2%:R) by rewrite -expD; congr exp; field.
  by ring.
rewrite /laplace_curve ltr_oppl opprK [- x <= a]ler_oppl; case: (ltP a x) => ax.
  have aa : - a <= a by rewrite (le_trans _ a0) // oppr_le0.
  have -> : (x < - a) = false by apply/negbTE; rewrite -leNgt (le_trans aa) // ltW.
  by rewrite mulrBr mulr1 xx; ring.
case: (leP (- a) x) => ax'.
  by rewrite mid.
by rewrite mulr0; ring.
Qed.

(** Odds of tangents, and these, at losses within the range. *)
Variables (ls : seq R).
Hypotheses (a0 : 0 <= a) (rises : sorted <%R ls) (inside : all (fun l => - a <= l <= a) ls).

Lemma laplace_apart : ordered 0 certain (cuts_at (laplace_tails a) ls).
Proof.
have half x : 0 <= exp x / 2%:R by rewrite divr_ge0 ?ler0n // ltW // exp_gt0.
apply: cuts_apart inside => // [l x _ _|l /andP[lo hi]]; first by rewrite laplace_touch; exact: laplace_tangent.
rewrite laplace_touch; split.
- rewrite half /= ler_pdivr_mulr ?ltr0n // mul1r; apply: le_trans (_ : 1 <= _); last by rewrite ler1n.
  by rewrite -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r oppr_le0 -[a]opprK subr_ge0.
- by rewrite ler_subl_addr ler_addl half.
- by rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r subr_le0.
by rewrite ler_add2l ler_opp2 exp_le ler_pdivr_mulr ?ltr0n // mulr_natr mulr2n ler_add2l.
Qed.

Theorem laplace_cells : drawn (OfLaplace a) (cells certain (unzip2 (cuts_at (laplace_tails a) ls))).
Proof.
have [dp dq] := cells_distributions laplace_apart; split=> //.
have h0 l : 0 <= laplace_curve a l.
  rewrite /laplace_curve; case: ltP => la.
    by rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le (le_trans (ltW la)) ?oppr_le0.
  case: (leP l a) => la' //; rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r.
  by rewrite subr_le0.
have h1 l : 1 - exp l <= laplace_curve a l.
  have e := laplace_curve_back l a0; rewrite -subr_ge0.
  have -> : laplace_curve a l - (1 - exp l) = exp l * laplace_curve a (- l) by rewrite e; ring.
  by rewrite mulr_ge0 // ltW // exp_gt0.
split=> l.
  apply: (cells_stick laplace_apart) => //; first exact: ler01.
  rewrite all_map; apply/allP => x /(allP inside)/andP[lo _] /=; exact: laplace_below_curve.
apply: (cells_stick_back laplace_apart) => //; first exact: ltW (exp_gt0 l).
rewrite all_map; apply/allP => x /(allP inside)/andP[lo _] /=.
have -> : exp l - 1 + laplace_curve a l = exp l * laplace_curve a (- l).
  by rewrite laplace_curve_back //; ring.
have -> : line (exp l) 1 (laplace_tails a x) = exp l * line 1 (exp (- l)) (laplace_tails a x).
  by rewrite /line; case: (laplace_tails a x) => A B /=; rewrite mulrBr !mul1r mulrA -expD subrr exp_0 mul1r.
by rewrite ler_pmul2l ?exp_gt0 // laplace_below_curve.
Qed.
End Laplace.

(** --- bounded range --- *)

(** A generalized randomized response, whose losses are t and t - e. *)
Definition range_cells (e t : R) : seq (R * R) :=
  let z := exp (- e) in let x := exp (- (e - t)) in let y := exp (- t) in
  ([:: ((1 - x) / (1 - z), (y - z) / (1 - z)); ((x - z) / (1 - z), (1 - y) / (1 - z))])%R.

Theorem range_drawn (e t : R) : 0 < e -> 0 <= t <= e -> drawn (OfRange e) (range_cells e t).
Proof.
move=> e0 /andP[t0 te]; set l := range_cells e t.
have small v : 0 <= v -> exp (- v) <= 1 by move=> v0; rewrite -[X in _ <= X]exp_0 exp_le oppr_le0.
have z1 : 0 < 1 - exp (- e) by rewrite subr_gt0 -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0.
have n0 : 1 - exp (- e) != 0 by rewrite gt_eqF.
have te0 : 0 <= e - t by rewrite subr_ge0.
have quotient v : 0 <= v -> 0 <= v / (1 - exp (- e)) by move=> v0; rewrite divr_ge0 // ltW.
have p : law_proper (unzip1 l).
  rewrite /law_proper /= !quotient ?subr_ge0 ?small // ?exp_le ?ler_opp2 ?ler_subl_addr ?ler_addl //=.
  by rewrite !big_cons big_nil; apply/eqP; field.
have q : law_proper (unzip2 l).
  rewrite /law_proper /= !quotient ?subr_ge0 ?small // ?exp_le ?ler_opp2 //=.
  by rewrite !big_cons big_nil; apply/eqP; field.
split; [exact: (law_distribution p)|exact: (law_distribution q)|exists t].
have e1 : exp t * (exp (- t) - exp (- e)) = 1 - exp (- (e - t)).
  by rewrite mulrBr -!expD subrr exp_0 opprB.
have e2 : exp (t - e) * (1 - exp (- t)) = exp (- (e - t)) - exp (- e).
  by rewrite mulrBr mulr1 -expD opprB; congr (_ - exp _); ring.
have up : exp (t - e) <= exp t by rewrite exp_le ler_subl_addr ler_addl ltW.
have q0 v : 0 <= v -> exp (t - e) * (v / (1 - exp (- e))) <= exp t * (v / (1 - exp (- e))).
  by move=> v0; rewrite ler_wpmul2r // quotient.
move=> o; rewrite /law_with /law_without (tnth_nth (0, 0)); case: o => -[|[|//]] /= _.
  by rewrite -e1 -mulrA lexx q0 // subr_ge0 exp_le ler_opp2.
by rewrite -e2 -mulrA lexx q0 // subr_ge0 small.
Qed.
