(** Moments of a mechanism that is dominated by a finite pair, in both directions.

    x^alpha lies below the function that goes straight from one ratio of the pair's laws to the next, over
    all of these ([polygon]); that is a sum of positive parts, so that domination bounds its mean, and at
    the ratios of the pair it is x^alpha.  So the pair's moment is the greater one ([dominated_moment]):
    what 7.13 says of tables (SPEC). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Powers Moments BoundedRange.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Polygon.
Variables (a : R) (a1 : 1 < a).
Let a1' : (1 < a)%coqR. Proof. exact/RltP. Qed.

(** c p + d q, and b pos(p - t q) for each (b, t). *)
Record bent := Bent { of_first : R; of_second : R; bends : seq (R * R) }.
Arguments Bent _%R _%R _%SEQ.
Definition bent_at (f : bent) (p q : R) : R :=
  (of_first f * p + of_second f * q + \sum_(k <- bends f) k.1 * pos (p - k.2 * q))%R.
Arguments bent_at _ _%R _%R.
Definition bends_up (f : bent) := all (fun k : R * R => (0 <= k.1) && (0 <= k.2)) (bends f).

(** Between the logarithms of ratios that fall, the greatest first; beyond it with a slope. *)
Record over (us : seq R) (f : bent) (slope : R) : Prop := Over {
  over_up : bends_up f;
  over_at : forall u, u \in us -> bent_at f (exp u) 1 = exp (a * u);
  over_all : forall x, last 0 us <= x -> x <= head 0 us -> exp (a * x) <= bent_at f (exp x) 1;
  over_beyond : forall x, head 0 us <= x ->
    bent_at f (exp x) 1 = exp (a * head 0 us) + slope * (exp x - exp (head 0 us));
  over_slope : slope <= a * exp ((a - 1) * head 0 us)
}.

Let tangentR (u v : R) : a * exp ((a - 1) * u) * (exp v - exp u) <= exp (a * v) - exp (a * u).
Proof. by apply/RleP; exact: tangent_slope. Qed.

Let chordR (u v x : R) : v <= x -> x <= u ->
  exp (a * x) * (exp u - exp v) <=
  exp (a * v) * (exp u - exp v) + (exp (a * u) - exp (a * v)) * (exp x - exp v).
Proof. by move=> /RleP vx /RleP xu; apply/RleP; exact: chord_above. Qed.

Lemma polygon u us : sorted (fun x y : R => y < x) (u :: us) -> exists f slope, over (u :: us) f slope.
Proof.
elim: us u => [|v us IH] u.
  move=> _; exists (Bent (a * exp ((a - 1) * u)) (exp (a * u) - a * exp ((a - 1) * u) * exp u) [::]).
  have at_ x : bent_at (Bent (a * exp ((a - 1) * u)) (exp (a * u) - a * exp ((a - 1) * u) * exp u) [::]) (exp x) 1
      = exp (a * u) + a * exp ((a - 1) * u) * (exp x - exp u).
    by rewrite /bent_at big_nil /=; ring.
  exists (a * exp ((a - 1) * u)); split=> //= [w|x lo hi].
    by rewrite inE => /eqP ->; rewrite at_ subrr mulr0 addr0.
  have -> : x = u by apply/eqP; rewrite eq_le lo hi.
  by rewrite at_ subrr mulr0 addr0.
rewrite /= => /andP[vu s]; have [f [slope [up at_ all_ beyond steep]]] := IH v s.
have wide : 0 < exp u - exp v.
  by rewrite subr_gt0 ltNge exp_le -ltNge.
set chord := (exp (a * u) - exp (a * v)) / (exp u - exp v).
pose g := Bent (of_first f) (of_second f) ((chord - slope, exp v) :: bends f).
have chordE : chord * (exp u - exp v) = exp (a * u) - exp (a * v) by rewrite divfK // gt_eqF.
have gE x : bent_at g (exp x) 1 = bent_at f (exp x) 1 + (chord - slope) * pos (exp x - exp v).
  by rewrite /bent_at /= big_cons !mulr1 /= -!addrA; congr (_ + (_ + _)); rewrite addrC.
have near x : x <= v -> bent_at g (exp x) 1 = bent_at f (exp x) 1.
  by move=> xv; rewrite gE pos_0 ?mulr0 ?addr0 // subr_le0 exp_le.
have far x : v <= x -> bent_at g (exp x) 1 = exp (a * v) + chord * (exp x - exp v).
  move=> vx; rewrite gE beyond //= pos_id ?subr_ge0 ?exp_le //; ring.
exists g, chord; split.
- rewrite /bends_up /= (ltW (exp_gt0 _)) andbT; apply/andP; split=> //.
  rewrite subr_ge0 -(ler_pmul2r wide) chordE; apply: le_trans (tangentR v u).
  by rewrite ler_pmul2r.
- move=> w; rewrite inE => /orP[/eqP ->|w_in].
    by rewrite far ?ltW // chordE addrC subrK.
  have wv : w <= v.
    move: w_in; rewrite inE => /orP[/eqP -> //|w_in]; apply: ltW.
    have tr : transitive (fun x y : R => y < x) by move=> y x z h h'; exact: lt_trans h' h.
    by have /= := order_path_min tr s => /allP/(_ w w_in).
  by rewrite near // at_.
- move=> x /= lo hi; case: (leP x v) => [xv|/ltW vx]; first by rewrite near // all_.
  rewrite far // -(ler_pmul2r wide) mulrDl mulrAC chordE.
  exact: chordR.
- move=> x /= ux; rewrite far ?(le_trans (ltW vu)) //.
  have -> : chord * (exp x - exp v) = chord * (exp x - exp u) + chord * (exp u - exp v) by ring.
  by rewrite chordE; ring.
- by rewrite /= -(ler_pmul2r wide) chordE -ler_opp2 opprB -mulrN opprB; exact: tangentR.
Qed.

Lemma bent_scaled f (q x : R) : 0 <= q -> bent_at f (q * x) q = q * bent_at f x 1.
Proof.
move=> q0; rewrite /bent_at !mulrDr mulrCA mulr1 [q * of_second f]mulrC mulr_sumr; congr (_ + _).
apply: eq_bigr => k _; rewrite mulr1 mulrCA -(posM _ q0) mulrBr; congr (_ * pos (_ - _)); exact: mulrC.
Qed.

Lemma bent_sum f (Y : finType) (P Q : Y -> R) : \sum_y P y = 1 -> \sum_y Q y = 1 ->
  \sum_y bent_at f (P y) (Q y) =
  of_first f + of_second f + \sum_(k <- bends f) k.1 * hockey_stick 1 k.2 P Q.
Proof.
move=> P1 Q1; rewrite /bent_at !big_split /= -!mulr_sumr P1 Q1 !mulr1; congr (_ + _).
rewrite exchange_big /=; apply: eq_bigr => k _; rewrite /hockey_stick mulr_sumr.
by apply: eq_bigr => y _; rewrite mul1r.
Qed.
End Polygon.

Section Domination.
Variables (a : R) (a1 : 1 < a) (Z : finType) (S T : Z -> R).
Hypotheses (dS : distribution S) (dT : distribution T) (same : forall z, S z = 0 <-> T z = 0).

Let ratio (p q : R) : R := (ln p - ln q)%R.
Let ratios := sort <=%R (undup [seq ratio (S z) (T z) | z <- enum Z & 0 < S z]).

Lemma ratioK (p q : R) : 0 < p -> 0 < q -> p = q * exp (ratio p q).
Proof. by move=> p0 q0; rewrite expB !lnK // mulrC divfK ?gt_eqF. Qed.

Let both z : (S z = 0 /\ T z = 0) \/ (0 < S z /\ 0 < T z).
Proof.
have [S0 _] := dS; have [T0 _] := dT; have := S0 z; rewrite le_eqVlt => /predU1P[e|s0].
  by left; split=> //; apply/same.
right; split=> //; rewrite lt_neqAle T0 andbT eq_sym; apply/eqP => /same e.
by move: s0; rewrite e ltxx.
Qed.

Let in_ratios z : 0 < S z -> ratio (S z) (T z) \in ratios.
Proof.
move=> s0; rewrite mem_sort mem_undup; apply/mapP; exists z => //.
by rewrite mem_filter s0 mem_enum.
Qed.

Let rising : sorted <%R ratios. Proof. by rewrite sort_lt_sorted undup_uniq. Qed.

Theorem dominated_moment (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  (forall y : R, 0 <= y -> hockey_stick 1 y P Q <= hockey_stick 1 y S T) ->
  (forall y : R, 0 <= y -> hockey_stick 1 y Q P <= hockey_stick 1 y T S) ->
  moment_at_most a (\sum_z power_term a (S z) (T z)) P Q.
Proof.
move=> dP dQ below above; have [P0 P1] := dP; have [Q0 Q1] := dQ.
have [S0 S1] := dS; have [T0 T1] := dT.
have falls : sorted (fun x y : R => y < x) (rev ratios) by rewrite rev_sorted.
have [z1 z1_in] : exists z, 0 < S z.
  apply/existsP; apply: contraT => /existsPn none; have := oner_neq0 [ringType of R].
  by rewrite -S1 big1 ?eqxx // => z _; have := none z; case: (both z) => -[-> //] ->.
case R1: ratios (in_ratios z1_in) => [|l rest] // _.
case R2: (rev ratios) falls => [|g us]; first by rewrite R1 rev_cons in R2; case: (rev rest) R2.
move=> falls; have [f [slope F]] := polygon a1 falls.
have low u : u \in ratios -> l <= u.
  move: rising; rewrite R1 /= inE => s /predU1P[-> //|i]; apply: ltW.
  by have /allP/(_ u i) := order_path_min lt_trans s.
have high u : u \in ratios -> u <= g.
  rewrite -mem_rev R2 inE => /predU1P[-> //|i]; apply: ltW.
  have tr : transitive (fun x y : R => y < x) by move=> y x z h h'; exact: lt_trans h' h.
  by have /allP/(_ u i) := order_path_min tr falls.
have ends : last 0 (g :: us) = l by rewrite -R2 R1 rev_cons last_rcons.
have none_above (X : finType) (U V : X -> R) (t : R) : hockey_stick 1 t U V <= 0 -> forall x, U x <= t * V x.
  move=> h x; rewrite -subr_le0; apply: le_trans (le_pos _) _; apply: le_trans h.
  rewrite /hockey_stick (bigD1 x) //= mul1r ler_addl; apply: sumr_ge0 => y _; exact: pos_ge0.
have upper : forall y, P y <= exp g * Q y.
  apply: none_above; apply: le_trans (below _ (ltW (exp_gt0 _))) _.
  rewrite /hockey_stick big1 // => z _; rewrite mul1r pos_0 // subr_le0.
  case: (both z) => -[s t]; first by rewrite s t mulr0.
  by rewrite {1}(ratioK s t) mulrC ler_pmul2r // exp_le; apply: high; exact: in_ratios.
have lower : forall y, Q y <= exp (- l) * P y.
  apply: none_above; apply: le_trans (above _ (ltW (exp_gt0 _))) _.
  rewrite /hockey_stick big1 // => z _; rewrite mul1r pos_0 // subr_le0.
  case: (both z) => -[s t]; first by rewrite s t mulr0.
  rewrite {1}(ratioK s t) mulrCA ler_pemulr ?(ltW t) // -expD exp_ge1 addrC subr_ge0.
  by apply: low; exact: in_ratios.
split=> [y q0|]; first by apply/eqP; rewrite eq_le P0 andbT; have := upper y; rewrite q0 mulr0.
have nothing : bent_at f 0 0 = 0.
  rewrite /bent_at !mulr0 !add0r big1 // => k _.
  by rewrite mulr0 subr0 pos_0 // mulr0.
have -> : \sum_z power_term a (S z) (T z) = \sum_z bent_at f (S z) (T z).
  apply: eq_bigr => z _; case: (both z) => -[s t]; first by rewrite s t power_term0 nothing.
  rewrite power_term_pos // {2}(ratioK s t) bent_scaled ?(ltW t) // (over_at F) //.
  by rewrite -R2 mem_rev; exact: in_ratios.
apply: (@le_trans _ _ (\sum_y bent_at f (P y) (Q y))).
  apply: ler_sum => y _; have := P0 y; rewrite le_eqVlt => /predU1P[p0|p0].
    have q0 : Q y = 0 by apply/eqP; rewrite eq_le Q0 andbT; have := lower y; rewrite -p0 mulr0.
    by rewrite -p0 q0 power_term0 nothing.
  have q0 : 0 < Q y by rewrite -(pmulr_rgt0 _ (exp_gt0 g)); exact: lt_le_trans p0 (upper y).
  rewrite power_term_pos // {2}(ratioK p0 q0) bent_scaled ?(ltW q0) // ler_pmul2l //.
  apply: (over_all F); rewrite ?ends /=.
    rewrite -exp_le -(ler_pmul2l q0) -(ratioK p0 q0) -(ler_pmul2l (exp_gt0 (- l))).
    by rewrite mulrCA -expD addNr exp_0 mulr1; exact: lower.
  by rewrite -exp_le -(ler_pmul2l q0) -(ratioK p0 q0) mulrC; exact: upper.
rewrite !bent_sum // ler_add2l big_seq [X in _ <= X]big_seq; apply: ler_sum => k ki.
by have /allP/(_ k ki)/andP[b0 t0] := over_up F; rewrite ler_wpmul2l // below.
Qed.
End Domination.
