(** Mechanisms of which Rényi divergences are known, beside others: what the former reveal at most is a
    sublinear function of two weights, so that a finite pair is as near above it as one likes.

    [of_moment m]: pairs of laws whose moments of some orders are at most e^m; [most m]: the greatest of
    their divergences.  If a finite pair is above all of them, and what the other mechanisms may reveal is
    near divergences of finite pairs ([near_above]), a mechanism of known moments may be taken as a factor
    of that pair ([beside_first]), whatever is done in the light of its answer. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures Powers.
From ExactDP Require Import Moments RulesGaussian RulesConcentrated NormalCurve CellsOfNormal GaussianComposition.
From ExactDP Require Import OrderOfWorkloads.
From ExactDP Require Import Sublinear GreatestGains DrawnFirst.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation HS a b D := (hockey_stick a b (@first_law _ D) (@second_law _ D)).
Notation pair_of_laws := (finite_pair [realFieldType of R]).

(** --- the profile beside randomized responses is a sublinear function --- *)

Lemma sublinear_limit f : (forall c a b : R, 0 <= c -> 0 <= a -> 0 <= b -> f (c * a)%R (c * b)%R = c * f a b) ->
  (forall tau : R, 0 < tau -> exists2 g, sublinear g &
     forall a b : R, 0 <= a -> 0 <= b -> g a b <= f a b <= g a b + tau * (a + b)) -> sublinear f.
Proof.
move=> scale lim; split=> // [a b a' b' a0 b0 a'0 b'0|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- apply: (@le_of_every _ _ (a + a' + (b + b'))); rewrite ?addr_ge0 // => tau /lim[g G h].
  have /andP[_ le] := h _ _ (addr_ge0 a0 a'0) (addr_ge0 b0 b'0); apply: le_trans le _.
  rewrite ler_add2r; apply: le_trans (sublinear_add G a0 b0 a'0 b'0) _.
  by apply: ler_add; [case/andP: (h _ _ a0 b0)|case/andP: (h _ _ a'0 b'0)].
- apply/andP; split.
    have [g G /(_ _ _ a0 b0)/andP[le _]] := lim 1 ltr01; apply: le_trans le.
    by case/andP: (sublinear_bounds G a0 b0).
  apply: (@le_of_every _ _ (a + b)); rewrite ?addr_ge0 // => tau /lim[g G /(_ _ _ a0 b0)/andP[_ le]].
  by apply: le_trans le _; rewrite ler_add2r; case/andP: (sublinear_bounds G a0 b0).
apply: (@le_of_every _ _ (a' + b')); rewrite ?addr_ge0 // => tau /lim[g G h].
have /andP[_ le] := h _ _ a'0 b'0; apply: le_trans le _; rewrite ler_add2r.
apply: le_trans (sublinear_step G a0 b0 a'0 b'0) _; rewrite ler_add2r.
by case/andP: (h _ _ a0 b0).
Qed.

Lemma curve_sublinear (mu : R) : 0 <= mu -> sublinear (curve mu).
Proof.
move=> m0; apply: sublinear_limit => [c a b c0 a0 b0|tau t0]; first exact: curveM.
have [t [n [g h]]] := cells_near m0 t0.
have dP := pair_cells_distribution n mu g; have dQ := pair_cells_distribution n 0 g.
exists (fun a b => hockey_stick a b (pair_cells t n mu) (pair_cells t n 0)); first exact: hockey_stick_sublinear.
move=> a b a0 b0; apply/andP; split; first exact: cells_divergence.
have := h 0 a b (lexx 0) a0 b0; rewrite both0 //.
by under eq_bigr do rewrite curve_of_0.
Qed.

Lemma mean_curve_sublinear (mu : R) xs : 0 <= mu -> sublinear (mean_curve mu xs).
Proof.
move=> m0; elim: xs => [|x xs IH] /=; first exact: curve_sublinear.
have r0 := response_ge0 (ltW (exp_gt0 x)).
apply: sum_sublinear IH _ _; split=> [t|]; [by case: (r0 t)|exact: response_sum|by case: (r0 t)|exact: response_sumN].
Qed.

(** As near as one likes below the divergence of a finite pair. *)
Definition near_above (K : R -> R -> R) : Prop := forall tau : R, 0 < tau ->
  exists D : pair_of_laws, forall a b : R, 0 <= a -> 0 <= b -> K a b <= HS a b D <= K a b + tau * (a + b).

Lemma near_above_sublinear K : sublinear K -> near_above K.
Proof. by move=> F tau; exact: sublinear_near F. Qed.

Section Order.
Variables (orders : seq R) (orders1 : {in orders, forall a, 1 < a}).
Implicit Types m : R -> R.

(** --- pairs of laws with bounded moments, of some orders --- *)

Definition of_moment m (Y : finType) (P Q : Y -> R) : Prop := [/\ distribution P, distribution Q &
  forall a, a \in orders -> moment_at_most a (exp (m a)) P Q /\ moment_at_most a (exp (m a)) Q P].
Definition some_moment m : Prop := {in orders, forall a, 0 <= m a}.

Definition moment_gains m (F : R -> R -> R) : Prop :=
  exists (Y : finType) (P Q : Y -> R), of_moment m P Q /\ F = fun a b => hockey_stick a b P Q.

Lemma moment_gains_sublinear m F : moment_gains m F -> sublinear F.
Proof. by case=> Y [P [Q [[dP dQ _] ->]]]; exact: hockey_stick_sublinear. Qed.

Lemma unit_of_moment m : some_moment m -> of_moment m (fun _ : unit => 1) (fun=> 1).
Proof.
move=> m0; have d := distribution_unit; split=> // a ain; have [s h] := moment_self a d.
have one : 1 <= exp (m a) by rewrite exp_ge1; exact: m0.
by split; split=> //; exact: le_trans one.
Qed.

Lemma moment_gains_exist m : some_moment m -> exists F, moment_gains m F.
Proof. by move=> /unit_of_moment h; eexists; exists [finType of unit], (fun=> 1), (fun=> 1); split. Qed.

Definition most m : R -> R -> R := greatest (moment_gains m).

Lemma most_ge m (Y : finType) (P Q : Y -> R) (a b : R) : some_moment m -> of_moment m P Q -> 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= most m a b.
Proof.
move=> m1 h; have g : moment_gains m (fun a b => hockey_stick a b P Q) by exists Y, P, Q.
exact: (greatest_ge (moment_gains_exist m1) (@moment_gains_sublinear m) g).
Qed.

(** A mechanism whose answers are followed by any of bounded moments. *)
Definition both_moments m m' (a : R) : R := (m a + m' a)%R.
Lemma some_both m m' : some_moment m -> some_moment m' -> some_moment (both_moments m m').
Proof. by move=> h h' a ain; exact: addr_ge0 (h a ain) (h' a ain). Qed.

Lemma most_first m m' (Y : finType) (P Q : Y -> R) (a b : R) : some_moment m -> some_moment m' ->
  of_moment m P Q -> 0 <= a -> 0 <= b -> \sum_y most m' (a * P y)%R (b * Q y)%R <= most (both_moments m m') a b.
Proof.
move=> m1 m'1 [dP dQ PQ] a0 b0; have [[P0 _] [Q0 _]] := (dP, dQ).
apply: (@le_of_every _ _ #|Y|%:R); first exact: ler0n.
move=> tau t0; have /fin_all_exists[F H] y := greatest_near (moment_gains_exist m'1)
  (@moment_gains_sublinear m') (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)) t0.
have /fin_all_exists[Z /fin_all_exists[S /fin_all_exists[T g]]] y := proj1 (H y).
have S1 y : distribution (S y) by case: (g y) => -[].
have T1 y : distribution (T y) by case: (g y) => -[].
apply: (@le_trans _ _ (\sum_y (F y (a * P y)%R (b * Q y)%R + tau))).
  by apply: ler_sum => y _; case: (H y).
rewrite big_split /= sumr_const mulr_natr ler_add2r.
have -> : \sum_y F y (a * P y)%R (b * Q y)%R = hockey_stick a b
    (fun p : Y * {y : Y & Z y} => P p.1 * padded S p.1 p.2)%R (fun p => Q p.1 * padded T p.1 p.2)%R.
  rewrite hockey_stick_product; apply: eq_bigr => y _; have [_ ->] := g y.
  rewrite /hockey_stick (@sum_padded _ _ _ y) => [|u /negbTE uy]; first by apply: eq_bigr => z _; rewrite /padded /= eqxx !mul1r.
  by rewrite /padded uy !mul0r !mulr0 subrr pos_id.
apply: most_ge => //; first exact: some_both.
have dS y : distribution (padded S y) by exact: padded_distribution.
have dT y : distribution (padded T y) by exact: padded_distribution.
split; try exact: distribution_pair.
move=> c cin; have [h h'] := PQ c cin; rewrite /both_moments expD.
by split; apply: moment_pair => //; try exact: ltW (exp_gt0 _); move=> y; apply: padded_moment;
  have [[_ _ /(_ c cin)[]]] := g y.
Qed.

(** --- the bound --- *)

Definition above m (D : pair_of_laws) : Prop := forall (Y : finType) (P Q : Y -> R),
  of_moment m P Q -> forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b D.

Lemma same_moment m m' D : m =1 m' -> above m D -> above m' D.
Proof. by move=> e up Y P Q [dP dQ h]; apply: up; split=> // a /h; rewrite e. Qed.

Lemma most_below m D (a b : R) : some_moment m -> above m D -> 0 <= a -> 0 <= b -> most m a b <= HS a b D.
Proof.
move=> m1 up a0 b0; apply: (greatest_le (moment_gains_exist m1) (@moment_gains_sublinear m)) => // F.
by case=> Y [P [Q [h ->]]]; exact: up.
Qed.

Definition beside (K : R -> R -> R) (D : pair_of_laws) (a b : R) : R :=
  \sum_k K (a * @first_law _ D k)%R (b * @second_law _ D k)%R.

(** A mechanism by its moment, and then whatever is above the rest. *)
Lemma beside_first K m m' D (Y : finType) (P Q : Y -> R) (a b x : R) : near_above K ->
  some_moment m -> some_moment m' -> of_moment m P Q -> above (both_moments m m') D -> 0 <= a -> 0 <= b ->
  (forall D', above m' D' -> x <= \sum_y beside K D' (a * P y) (b * Q y)) ->
  x <= beside K D a b.
Proof.
move=> lim m1 m'1 PQ up a0 b0 h; have [[P0 P1] [Q0 Q1] _] := PQ.
set D1 := @first_law _ D; set D2 := @second_law _ D.
have D0 k : 0 <= D1 k /\ 0 <= D2 k := laws_ge0 k.
pose mass := (a * (\sum_k D1 k) + b * (\sum_k D2 k) + 1)%R.
have s0 : 0 <= mass.
  by rewrite /mass !addr_ge0 ?ler01 ?mulr_ge0 ?sumr_ge0 // => k _; case: (D0 k).
apply: (le_of_every s0) => tau t0.
have [E near] := lim _ t0; set E1 := @first_law _ E in near; set E2 := @second_law _ E in near.
have E0 j : 0 <= E1 j /\ 0 <= E2 j := laws_ge0 j.
pose weight := (1 + \sum_j (a * E1 j + b * E2 j))%R.
have w0 : 0 < weight.
  by rewrite /weight ltr_spaddl ?ltr01 ?sumr_ge0 // => j _; have [? ?] := E0 j; rewrite addr_ge0 ?mulr_ge0.
have V := greatest_sublinear (moment_gains_exist m'1) (@moment_gains_sublinear m').
have [D' near'] := sublinear_near V (divr_gt0 t0 w0).
set D1' := @first_law _ D' in near'; set D2' := @second_law _ D' in near'.
have D0' k : 0 <= D1' k /\ 0 <= D2' k := laws_ge0 k.
have up' : above m' D'.
  move=> Z S T g c d c0 d0; apply: le_trans (most_ge m'1 g c0 d0) _.
  by case/andP: (near' c d c0 d0).
apply: le_trans (h D' up') _; rewrite /beside.
apply: (@le_trans _ _ (\sum_j \sum_y hockey_stick (a * E1 j * P y) (b * E2 j * Q y) D1' D2')).
  rewrite [X in _ <= X]exchange_big /=; apply: ler_sum => y _.
  have -> : \sum_j hockey_stick (a * E1 j * P y) (b * E2 j * Q y) D1' D2' =
      \sum_k hockey_stick (a * P y * D1' k) (b * Q y * D2' k) E1 E2.
    by rewrite hockey_stick_exchange; apply: eq_bigr => j _; rewrite mulrAC [b * _ * _]mulrAC.
  apply: ler_sum => k _; have [H1 H2] := D0' k.
  by have /andP[] := near _ _ (mulr_ge0 (mulr_ge0 a0 (P0 y)) H1) (mulr_ge0 (mulr_ge0 b0 (Q0 y)) H2).
apply: (@le_trans _ _ (\sum_j (most (both_moments m m') (a * E1 j) (b * E2 j) + tau / weight * (a * E1 j + b * E2 j)))).
  apply: ler_sum => j _; have [j1 j2] := E0 j; have c0 := mulr_ge0 a0 j1; have d0 := mulr_ge0 b0 j2.
  apply: (@le_trans _ _ (\sum_y (most m' (a * E1 j * P y)%R (b * E2 j * Q y)%R +
      tau / weight * (a * E1 j * P y + b * E2 j * Q y)))).
    by apply: ler_sum => y _; case/andP: (near' _ _ (mulr_ge0 c0 (P0 y)) (mulr_ge0 d0 (Q0 y))).
  rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1 ler_add2r.
  exact: most_first.
rewrite big_split /= -mulr_sumr.
have mm := some_both m1 m'1.
have last : tau / weight * (\sum_j (a * E1 j + b * E2 j)) <= tau.
  by rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // ler_addr ler01.
apply: le_trans (ler_add (lexx _) last) _; rewrite /mass mulrDr mulr1 addrA ler_add2r.
apply: (@le_trans _ _ (\sum_j HS (a * E1 j) (b * E2 j) D)).
  by apply: ler_sum => j _; have [j1 j2] := E0 j; apply: most_below; rewrite ?mulr_ge0.
rewrite hockey_stick_exchange -/D1 -/D2.
apply: (@le_trans _ _ (\sum_k (K (a * D1 k)%R (b * D2 k)%R + tau * (a * D1 k + b * D2 k)))).
  by apply: ler_sum => k _; have [k1 k2] := D0 k; case/andP: (near _ _ (mulr_ge0 a0 k1) (mulr_ge0 b0 k2)).
by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr.
Qed.
End Order.

