(** Which mechanism, given by its noise, is at least as private as which other (SPEC, 7.6).

    What a profile is of is compared by curves: of the law with the record against that without it.  The
    curve of the other direction follows ([other_direction]).  Shifts of one noise whose best tests are
    thresholds are ordered ([shifts_in_order]), and so are Laplace noise ([laplace_in_order]), discrete
    Laplace noise by scale and shift ([discrete_laplace_in_order]), and samples by their rates
    ([rates_in_order]); sampling has the curve that 7.4 gives it ([sampled_profile]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals NoiseLedgers NoiseWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A curve that no divergence exceeds: of the law with one row more from that without it. *)
Definition under_curve (h : R -> R) (Y : finType) (P Q : Y -> R) : Prop :=
  forall y : R, 0 <= y -> hockey_stick 1 y P Q <= h y.
Definition no_higher (h h' : R -> R) : Prop := forall y : R, 0 <= y -> h y <= h' y.

(** At odds y the second law from the first, by the first from the second at odds 1/y. *)
Theorem other_direction (h : R -> R) (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  under_curve h P Q -> under_curve (fun y => if 0 < y then 1 - y + y * h y^-1 else 1) Q P.
Proof.
move=> [P0 P1] [Q0 Q1] u y y0; case: ifP => [yp|]; last first.
  move/negbT; rewrite -leNgt => y1; have -> : y = 0 by apply/le_anti; rewrite y1.
  rewrite /hockey_stick -[X in _ <= X]Q1; apply: ler_sum => z _.
  by rewrite mul0r subr0 mul1r pos_id.
apply: (@le_trans _ _ (1 - y + y * hockey_stick 1 y^-1 P Q)); last first.
  by rewrite ler_add2l ler_pmul2l //; apply: u; rewrite invr_ge0.
have <- : \sum_z (Q z - y * P z) = 1 - y by rewrite sumrB -mulr_sumr P1 Q1 mulr1.
rewrite -(hockey_stickM 1 y^-1 P Q y0) mulr1 mulfV ?gt_eqF // /hockey_stick -big_split /=.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => z _.
by rewrite !mul1r pos_split opprB.
Qed.

(** --- shifts --- *)

(** F is the probability of what is at or above a number, and the best test of a shift a threshold. *)
Definition of_shift (F : R -> R) (s : R) (h : R -> R) : Prop := forall y : R, 0 <= y ->
  (forall c, F (c - s) - y * F c <= h y) /\
  (forall tau, 0 < tau -> exists c, h y <= F (c - s) - y * F c + tau).

Theorem shifts_in_order (F : R -> R) (s s' : R) h h' : (forall c c', c <= c' -> F c' <= F c) -> s <= s' ->
  of_shift F s h -> of_shift F s' h' -> no_higher h h'.
Proof.
move=> falls ss H H' y y0; rewrite leNgt; apply/negP => high.
have tau0 : 0 < (h y - h' y) / 2%:R by rewrite divr_gt0 ?ltr0n // subr_gt0.
have [c le] := (H y y0).2 _ tau0.
have := (H' y y0).1 c; rewrite leNgt => /negP; apply.
apply: (@lt_le_trans _ _ (h y - (h y - h' y) / 2%:R)).
  by rewrite ltr_subr_addl -ltr_subr_addr ltr_pdivr_mulr ?ltr0n // ltr_pmulr ?subr_gt0 // ltr1n.
rewrite ler_subl_addr; apply: le_trans le _; rewrite ler_add2r ler_add2r; apply: falls.
by rewrite ler_add2l ler_opp2.
Qed.

Theorem laplace_in_order (a a' l : R) : 0 <= a -> a <= a' -> laplace_curve a l <= laplace_curve a' l.
Proof.
move=> a0 aa; rewrite /laplace_curve; have n2 : 0 < 2%:R :> R by rewrite ltr0n.
have half (b : R) : - b <= l -> (l - b) / 2%:R <= l.
  by move=> bl; rewrite ler_pdivr_mulr // mulr_natr mulr2n ler_add2l.
have small (b : R) : l <= b -> 0 <= 1 - exp ((l - b) / 2%:R).
  move=> lb; rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr // mul0r subr_le0 //.
case: (ltP l (- a')) => [la'|la'].
  by rewrite (lt_le_trans la') // ler_opp2.
case: (ltP l (- a)) => [la|la].
  have l0 : l <= 0 by apply: le_trans (ltW la) _; rewrite oppr_le0.
  rewrite (le_trans l0 (le_trans a0 aa)) ler_add2l ler_opp2 exp_le; exact: half.
case: (leP l a) => [la2|la2].
  rewrite (le_trans la2 aa) ler_add2l ler_opp2 exp_le ler_pmul2r ?invr_gt0 // ler_add2l ler_opp2 //.
by case: (leP l a') => [/small//|_].
Qed.

(** --- rates --- *)

(** A record takes part with probability q: the profile of (1 - q) Q + q P from Q. *)
Definition sampled (q : R) (h : R -> R) (y : R) : R :=
  if 1 - q < y then q * h ((y - (1 - q)) / q) else 1 - y.

Theorem sampled_profile (q : R) (h : R -> R) (Y : finType) (P Q : Y -> R) : 0 < q -> q <= 1 ->
  distribution P -> distribution Q -> under_curve h P Q ->
  under_curve (sampled q h) (fun z => (1 - q) * Q z + q * P z)%R Q.
Proof.
move=> q0 q1 [P0 P1] [Q0 Q1] u y y0; rewrite /sampled; case: ltP => hy.
  have t0 : 0 <= (y - (1 - q)) / q by rewrite divr_ge0 ?subr_ge0 ?ltW.
  apply: le_trans (ler_wpmul2l (ltW q0) (u _ t0)); rewrite -hockey_stickM ?(ltW q0) // mulr1.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => z _; congr pos.
  by rewrite [q * (_ / q)]mulrC divfK ?gt_eqF //; ring.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /hockey_stick.
rewrite (eq_bigr (fun z => (1 - q) * Q z + q * P z - y * Q z)) => [|z _]; last first.
  by rewrite mul1r pos_id // addrAC -mulrBl addr_ge0 ?mulr_ge0 ?subr_ge0 // ltW.
by rewrite sumrB big_split /= -!mulr_sumr P1 Q1; ring.
Qed.

(** What the profile of every pair of laws is. *)
Record profile_like (h : R -> R) : Prop := ProfileLike {
  starts : h 0 = 1;
  falls : forall y y' : R, 0 <= y -> y <= y' -> h y' <= h y;
  at_least_equals : forall y, 0 <= y -> pos (1 - y) <= h y;
  bends : forall l y y', 0 <= l -> l <= 1 -> 0 <= y -> 0 <= y' ->
    h (l * y + (1 - l) * y') <= l * h y + (1 - l) * h y'
}.

Theorem rates_in_order (q q' : R) (h h' : R -> R) : 0 < q -> q <= q' -> q' <= 1 ->
  profile_like h -> no_higher h h' -> no_higher (sampled q h) (sampled q' h').
Proof.
move=> q0 qq q1 [h1 down least bend] le y y0; have q'0 : 0 < q' := lt_le_trans q0 qq.
rewrite /sampled; case: ltP => hy; last first.
  case: ltP => hy' //.
  set t := (y - (1 - q')) / q'; have t0 : 0 <= t by rewrite divr_ge0 ?subr_ge0 ?ltW.
  apply: le_trans (ler_wpmul2l (ltW q'0) (le t t0)).
  apply: (@le_trans _ _ (q' * (1 - t))); last first.
    by rewrite ler_pmul2l //; apply: le_trans (le_pos _) (least t t0).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /t; field; rewrite gt_eqF.
have hy' : 1 - q' < y by apply: le_lt_trans hy; rewrite ler_add2l ler_opp2.
rewrite hy'; set s := (y - (1 - q)) / q; set t := (y - (1 - q')) / q'.
have s0 : 0 < s by rewrite divr_gt0 ?subr_gt0.
have t0 : 0 < t by rewrite divr_gt0 ?subr_gt0.
apply: le_trans (ler_wpmul2l (ltW q'0) (le t (ltW t0))).
have ht : 0 <= h t by apply: le_trans (pos_ge0 _) (least t (ltW t0)).
have gap : q * (t - s) = (q' - q) * (1 - t).
  by rewrite /s /t; field; rewrite !gt_eqF.
case: (leP 1 y) => y1.
  have ts : t <= s.
    rewrite -subr_le0 -(pmulr_rle0 _ q0) gap mulr_ge0_le0 ?subr_ge0 // subr_le0 /t ler_pdivl_mulr // mul1r.
    by rewrite ler_subr_addl subrK.
  apply: (@le_trans _ _ (q * h t)); first by rewrite ler_pmul2l // down // ltW.
  exact: ler_wpmul2r.
have st : s <= t.
  rewrite -subr_ge0 -(pmulr_rge0 _ q0) gap mulr_ge0 ?subr_ge0 // /t ler_pdivr_mulr // mul1r.
  by rewrite ler_subl_addr addrC subrK ltW.
have st0 : 0 <= s / t by rewrite divr_ge0 ?ltW.
have st1 : s / t <= 1 by rewrite ler_pdivr_mulr // mul1r.
have := bend (s / t) t 0 st0 st1 (ltW t0) (lexx 0); rewrite mulr0 addr0 divfK ?gt_eqF // h1 mulr1.
move=> /(ler_wpmul2l (ltW q0)) chord; apply: le_trans chord _.
rewrite -subr_ge0.
have -> : q' * h t - q * (s / t * h t + (1 - s / t)) = (q' - q) / t * (h t - (1 - t)).
  have n : y - (1 - q') != 0 by rewrite gt_eqF // subr_gt0.
  by rewrite /s; move: (h t) => v; rewrite /t; field; rewrite n !gt_eqF.
apply: mulr_ge0; first by rewrite divr_ge0 ?subr_ge0 // ltW.
by rewrite subr_ge0; exact: le_trans (le_pos _) (least t (ltW t0)).
Qed.

(** --- discrete Laplace noise --- *)

(** The positive terms of a sum come first, if none follows one that is not. *)
Lemma first_terms (f : nat -> R) n : (forall i j, (i <= j)%N -> f i <= 0 -> f j <= 0) ->
  exists2 k, (k <= n)%N & \sum_(j < n) pos (f j) = \sum_(j < k) f j.
Proof.
move=> down; suff [k kn [e _]] : exists2 k, (k <= n)%N &
    \sum_(j < n) pos (f j) = \sum_(j < k) f j /\ ((k < n)%N -> f k <= 0) by exists k.
elim: n => [|n [k kn [e low]]]; first by exists 0%N; rewrite ?big_ord0.
rewrite big_ord_recr /= e; case: (ltnP k n) => kn'.
  exists k; first exact: leqW.
  rewrite pos_0 ?addr0; last exact: down kn (low kn').
  by split=> // _; exact: low.
have {kn kn'} -> : k = n by apply/eqP; rewrite eqn_leq kn.
case: (lerP (f n) 0) => fn; first by exists n; rewrite ?leqnSn // pos_0 ?addr0.
exists n.+1 => //; rewrite big_ord_recr /= pos_id ?ltnn //; exact: ltW.
Qed.

Section Shifts.
Variables (x : R) (x0 : 0 < x) (x1 : x < 1).
Let n : 1 + x != 0. Proof. by rewrite gt_eqF // addr_gt0 ?ltr01. Qed.

Definition shift_weight (s j : nat) : R :=
  ((if (j == 0)%N || (j == s) then 1 else 1 - x) * x ^+ j / (1 + x))%R.

(** The answers of the k greatest losses. *)
Definition shift_test (s k : nat) (y : R) : R :=
  if k is k'.+1 then (if (k' < s)%N then 1 - (x ^+ k + y * x ^+ (s - k')) / (1 + x) else 1 - y) else 0.

Lemma shift_sums s k : (k < s)%N -> \sum_(j < k.+1) shift_weight s j = 1 - x ^+ k.+1 / (1 + x) /\
  \sum_(j < k.+1) shift_weight s (s - j) = x ^+ (s - k) / (1 + x).
Proof.
elim: k => [|k IH] ks.
  rewrite !big_ord1 /= subn0 /shift_weight !eqxx orbT /= expr0 expr1 !mul1r.
  by split=> //; field.
have [h h'] := IH (ltnW ks); rewrite big_ord_recr [\sum_(_ < _.+2) shift_weight s (s - _)]big_ord_recr /= h h'.
have e1 : (k.+1 == s) = false by rewrite ltn_eqF.
have e2 : (s - k.+1 == 0)%N = false by rewrite subn_eq0 leqNgt ks.
have e3 : (s - k.+1 == s)%N = false by rewrite ltn_eqF // ltn_subrL (leq_trans _ ks).
rewrite /shift_weight e1 e2 e3 /=; have -> : (s - k = (s - k.+1).+1)%N by rewrite subnSK // ltnW.
by split; rewrite !exprS; field.
Qed.

Lemma shift_tests s k y : (0 < s)%N -> (k <= s.+1)%N ->
  \sum_(j < k) (shift_weight s j - y * shift_weight s (s - j)) = shift_test s k y.
Proof.
move=> s0; rewrite sumrB -mulr_sumr; case: k => [|k]; first by rewrite !big_ord0 mulr0 subrr.
rewrite ltnS /= leq_eqVlt => /predU1P[->|ks]; last first.
  by have [-> ->] := shift_sums ks; rewrite ks; field.
rewrite ltnn; have ls : (s.-1 < s)%N by rewrite prednK.
have [h h'] := shift_sums ls; rewrite !prednK // in h h'.
rewrite !big_ord_recr /= h h' subnn -subn1 subKn // /shift_weight !eqxx orbT /= expr0 expr1.
by field.
Qed.

Lemma shift_weight_ge0 s j : 0 <= shift_weight s j.
Proof.
rewrite divr_ge0 ?addr_ge0 ?ler01 ?(ltW x0) // mulr_ge0 ?exprn_ge0 ?(ltW x0) //.
by case: ifP => _; rewrite ?ler01 // subr_ge0 ltW.
Qed.

Lemma shift_profile s y : (0 < s)%N -> 0 <= y ->
  (exists2 k, (k <= s.+1)%N &
    \sum_(j < s.+1) pos (shift_weight s j - y * shift_weight s (s - j)) = shift_test s k y) /\
  forall k, (k <= s.+1)%N -> shift_test s k y <= \sum_(j < s.+1) pos (shift_weight s j - y * shift_weight s (s - j)).
Proof.
move=> s0 y0; split; last first.
  move=> k ks; rewrite -(shift_tests y s0 ks) (big_ord_widen _ (fun j => shift_weight s j - y * shift_weight s (s - j)) ks).
  by rewrite big_mkcond; apply: ler_sum => j _; case: ifP => _; [exact: le_pos|exact: pos_ge0].
pose f j := (if (j <= s)%N then shift_weight s j - y * shift_weight s (s - j) else 0).
have [|k ks e] := @first_terms f s.+1; last first.
  exists k => //; rewrite -(shift_tests y s0 ks); transitivity (\sum_(j < s.+1) pos (f j)).
    by apply: eq_bigr => j _; rewrite /f -ltnS ltn_ord.
  rewrite e; apply: eq_bigr => j _; rewrite /f -ltnS (leq_trans (ltn_ord j) ks) //.
move=> i j ij; rewrite /f; case: (leqP j s) => // js; rewrite (leq_trans ij js).
have same (l : nat) : (l <= s)%N -> shift_weight s l - y * shift_weight s (s - l) =
    (if (l == 0)%N || (l == s) then 1 else 1 - x) / (1 + x) * (x ^+ l - y * x ^+ (s - l)).
  move=> ls; rewrite /shift_weight.
  have -> : (s - l == 0)%N || (s - l == s)%N = (l == 0)%N || (l == s).
    rewrite orbC subn_eq0 eqn_leq leq_subr /= leq_subRL // -[X in (_ <= X)%N]add0n leq_add2r leqn0.
    by rewrite [(l == s)]eqn_leq ls.
  by field.
have c0 (l : nat) : 0 < (if (l == 0)%N || (l == s) then 1 else 1 - x) / (1 + x).
  by rewrite divr_gt0 ?addr_gt0 ?ltr01 //; case: ifP => _; rewrite ?ltr01 // subr_gt0.
rewrite !same ?(leq_trans ij js) // pmulr_rle0 // => low; rewrite pmulr_rle0 //; apply: le_trans low.
have powers (k l : nat) : (k <= l)%N -> x ^+ l <= x ^+ k by move=> kl; apply: ler_wiexpn2l; rewrite ?(ltW x0) ?(ltW x1).
by apply: ler_sub; [exact: powers|apply: ler_wpmul2l => //; apply: powers; exact: leq_sub2l].
Qed.
End Shifts.

Lemma powers_in_order (x x' : R) k k' : 0 < x' -> x' <= x -> x <= 1 -> (0 < k)%N -> (k <= k')%N ->
  x' ^+ k' / (1 + x') <= x ^+ k / (1 + x).
Proof.
move=> x'0 xx x1; case: k => // k _ kk; have x0 : 0 < x := lt_le_trans x'0 xx.
have p0 : 0 < 1 + x by rewrite addr_gt0 ?ltr01.
have p0' : 0 < 1 + x' by rewrite addr_gt0 ?ltr01.
rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr //.
apply: (@le_trans _ _ (x' * x ^+ k * (1 + x))); last first.
  rewrite exprS -!mulrA ![_ * (x ^+ k * _)]mulrCA ler_pmul2l ?exprn_gt0 // !mulrDr !mulr1 [x * x']mulrC.
  by rewrite ler_add2r.
rewrite ler_pmul2r //; apply: (@le_trans _ _ (x' ^+ k.+1)).
  by apply: ler_wiexpn2l; rewrite ?(ltW x'0) ?(le_trans xx).
rewrite exprS ler_pmul2l //; apply: ler_expn2r => //; rewrite nnegrE ltW //.
Qed.

(** A greater scale, which is a lesser decay, and a lesser shift. *)
Theorem discrete_laplace_in_order (decay decay' : R) (s s' : nat) : 0 < decay -> decay <= decay' ->
  (0 < s)%N -> (s <= s')%N ->
  nowhere_above (@shifted_law decay s) (@shifted_law decay s \o @rev_ord _)
                (@shifted_law decay' s') (@shifted_law decay' s' \o @rev_ord _).
Proof.
move=> d0 dd s0 ss y y0; set x := exp (- decay); set x' := exp (- decay').
have x0 : 0 < x by exact: exp_gt0.
have x'0 : 0 < x' by exact: exp_gt0.
have xx : x' <= x by rewrite exp_le ler_opp2.
have below1 (r : R) : 0 < r -> exp (- r) < 1.
  by move=> r0; rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0.
have x1 : x < 1 by exact: below1.
have x'1 : x' < 1 by apply: below1; exact: lt_le_trans dd.
have as_weights (d : R) (t : nat) : hockey_stick 1 y (@shifted_law d t) (@shifted_law d t \o @rev_ord _) =
    \sum_(j < t.+1) pos (shift_weight (exp (- d)) t j - y * shift_weight (exp (- d)) t (t - j)).
  by apply: eq_bigr => j _; rewrite mul1r /= /shifted_law /= subSS.
have s'0 : (0 < s')%N by exact: leq_trans ss.
rewrite !as_weights; have [[k ks ->] _] := shift_profile x0 x1 s0 y0.
have [_ high] := shift_profile x'0 x'1 s'0 y0.
case: k ks => [|k]; first by move=> _; exact: (high 0%N).
rewrite ltnS leq_eqVlt => /predU1P[->|ks].
  by rewrite /= ltnn; have := high s'.+1 (leqnn _); rewrite /= ltnn.
have ks' : (k < s')%N by exact: leq_trans ss.
rewrite /= ks; apply: le_trans (high k.+1 (leqW ks')); rewrite /= ks' ler_add2l ler_opp2 !mulrDl -!mulrA.
apply: ler_add; first by apply: powers_in_order; rewrite ?(ltW x1).
by apply: ler_wpmul2l => //; apply: powers_in_order; rewrite ?(ltW x1) ?subn_gt0 ?leq_sub2r.
Qed.

(** Its weights are laws. *)
Theorem discrete_laplace_lawful (decay : R) (s : nat) : 0 < decay -> (0 < s)%N ->
  distribution (@shifted_law decay s) /\ distribution (@shifted_law decay s \o @rev_ord _).
Proof.
move=> d0 s0; set x := exp (- decay); have x0 : 0 < x by exact: exp_gt0.
have x1 : x < 1 by rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0.
have one : \sum_j @shifted_law decay s j = 1.
  have ls : (s.-1 < s)%N by rewrite prednK.
  rewrite big_ord_recr /=; have [h _] := shift_sums x0 ls; rewrite !prednK // in h.
  rewrite (eq_bigr (fun j : 'I_s => shift_weight x s j)) // h /shifted_law /= eqxx orbT.
  by rewrite -/x; field; rewrite gt_eqF // addr_gt0 ?ltr01.
split; split=> //; try by move=> j; exact: (shift_weight_ge0 x0 x1).
by rewrite -[RHS]one [RHS](reindex_inj rev_ord_inj).
Qed.
