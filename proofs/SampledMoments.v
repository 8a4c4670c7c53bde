(** Moments of whole order of a sample, whose record takes part with the probability q (SPEC, 11.14).

    Of the sample's law against that without the record the moment is the mean of (1 - q + q r)^n, r the ratio
    of what is sampled, and so a sum over its moments ([sampled_forth]).  In the other direction the
    mean is of (1 - q + q r)^(1 - n): for two ratios that are the inverse of each other, as a pair of laws and its reverse have
    them, it is no greater ([both_ways]), and it is a sublinear function of the two laws
    ([back_sublinear]), so that what pairs and their reverses dominate has no greater one. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions Moments.
From ExactDP Require Import CellsOfNormal Sublinear.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma exp_natural (y : R) n : exp (n%:R * y) = exp y ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite mul0r exp_0 expr0.
by rewrite exprS -IH -expD -addn1 natrD mulrDl mul1r addrC.
Qed.

(** For a whole order a power of the ratio. *)
Lemma power_term_whole n (p x : R) : (0 < n)%N -> 0 <= p -> 0 <= x -> (x = 0 -> p = 0) ->
  power_term n%:R p x = x * (p / x) ^+ n.
Proof.
move=> n0 p0 x0 s; have [->|[pp xx]] := supported p0 x0 s.
  by rewrite power_term0 mul0r expr0n gtn_eqF // mulr0.
by rewrite power_term_pos // exp_natural expB !lnK.
Qed.

(** The moments of what is sampled, of orders 0, 1 and more, in one sum. *)
Definition sampled_sum (q : R) (n : nat) (m : nat -> R) : R :=
  (\sum_(k < n.+1) 'C(n, k)%:R * (1 - q) ^+ (n - k) * q ^+ k * (if (k <= 1)%N then 1 else m k))%R.

Section Sample.
Variables (q : R) (n : nat).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (n1 : (1 < n)%N).
Let r0 : 0 < 1 - q. Proof. by rewrite subr_gt0. Qed.
Let n0 : (0 < n)%N. Proof. exact: ltnW. Qed.

Let coefficient k : R := ('C(n, k)%:R * (1 - q) ^+ (n - k) * q ^+ k)%R.
Let coefficient_ge0 k : 0 <= coefficient k.
Proof. by rewrite /coefficient !mulr_ge0 ?ler0n ?exprn_ge0 // ltW. Qed.

Definition sampled_law (p x : R) : R := ((1 - q) * x + q * p)%R.

Lemma sampled_law_ge0 (p x : R) : 0 <= p -> 0 <= x -> 0 <= sampled_law p x.
Proof. by move=> p0 x0; rewrite addr_ge0 ?mulr_ge0 // ltW. Qed.

Lemma sampled_law_eq0 (p x : R) : 0 <= p -> 0 <= x -> sampled_law p x = 0 -> p = 0 /\ x = 0.
Proof.
move=> p0 x0 /eqP; rewrite paddr_eq0; [|exact: mulr_ge0 (ltW r0) x0|exact: mulr_ge0 (ltW q0) p0].
by rewrite !mulf_eq0 (gt_eqF r0) (gt_eqF q0) => /andP[/eqP -> /eqP ->].
Qed.

Lemma power_expanded (p x : R) : x != 0 ->
  x * (sampled_law p x / x) ^+ n = \sum_(k < n.+1) coefficient k * (x * (p / x) ^+ k).
Proof.
move=> x0; have -> : sampled_law p x / x = 1 - q + q * (p / x).
  by rewrite /sampled_law mulrDl mulfK // mulrA.
rewrite exprDn mulr_sumr; apply: eq_bigr => k _; rewrite exprMn /coefficient -mulr_natl.
move: 'C(n, k)%:R ((1 - q) ^+ (n - k)) (q ^+ k) ((p / x) ^+ k) => a b c d; ring.
Qed.

(** With the record against without it. *)
Lemma sampled_forth m (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  (forall k, (1 < k <= n)%N -> moment_at_most k%:R (m k) P Q) ->
  moment_at_most n%:R (sampled_sum q n m) (fun y => sampled_law (P y) (Q y)) Q.
Proof.
move=> [P0 P1] [Q0 Q1] M; have [s _] := M n ltac:(by rewrite n1 leqnn).
have s' y : Q y = 0 -> sampled_law (P y) (Q y) = 0 by move=> e; rewrite /sampled_law e s // !mulr0 addr0.
split=> //; rewrite (eq_bigr (fun y => \sum_(k < n.+1) coefficient k * (Q y * (P y / Q y) ^+ k))) => [|y _].
  rewrite exchange_big /= /sampled_sum; apply: ler_sum => k _; rewrite -mulr_sumr; apply: ler_wpmul2l => //.
  case: ifP => [|/negbT]; last first.
    rewrite -ltnNge => k1; have [|_] := M k; first by rewrite k1 -ltnS ltn_ord.
    by rewrite (eq_bigr _ (fun y _ => power_term_whole (ltnW k1) (P0 y) (Q0 y) (@s y))).
  case: (k : nat) => [|[|//]] _.
    by under eq_bigr do rewrite expr0 mulr1; rewrite Q1.
  rewrite -P1; apply: ler_sum => y _; rewrite expr1.
  by have [e|x0] := eqVneq (Q y) 0; [rewrite e mul0r|rewrite mulrC divfK].
rewrite power_term_whole ?sampled_law_ge0 //; last exact: s'.
have [e|x0] := eqVneq (Q y) 0; last exact: power_expanded.
by rewrite e mul0r big1 // => k _; rewrite !mul0r mulr0.
Qed.
End Sample.
Global Arguments sampled_law _%R _%R _%R.

(** --- the other direction --- *)

(** t^n + t^-n rises from 1 on, and is the same at the inverse. *)
Lemma together_rises (a u : R) n : 0 < u -> u <= 1 -> 1 <= a * u ->
  u ^+ n + (u ^+ n)^-1 <= a ^+ n + (a ^+ n)^-1.
Proof.
move=> u0 u1 au; have a0 : 0 < a by rewrite -(pmulr_lgt0 _ u0) (lt_le_trans ltr01).
have a1 : 1 <= a by apply: le_trans au _; rewrite ler_pimulr // ltW.
set A := a ^+ n; set U := u ^+ n; have A0 : 0 < A by rewrite exprn_gt0.
have U0 : 0 < U by rewrite exprn_gt0.
have A1 : 1 <= A by rewrite exprn_ege1.
have U1 : U <= 1 by rewrite exprn_ile1 // ltW.
have AU : 1 <= A * U by rewrite -exprMn exprn_ege1.
rewrite -subr_ge0; have -> : A + A^-1 - (U + U^-1) = (A - U^-1) * (1 - U / A) by field; rewrite !gt_eqF.
rewrite mulr_ge0 // subr_ge0; first by rewrite -div1r ler_pdivr_mulr.
by rewrite ler_pdivr_mulr // mul1r (le_trans U1).
Qed.

Section Back.
Variables (q : R) (q0 : 0 < q) (q1 : q < 1).
Let r0 : 0 < 1 - q. Proof. by rewrite subr_gt0. Qed.
Let law := sampled_law q.

(** x and p in the place of the laws without the record and with it. *)
Definition forth (n : nat) (p x : R) : R := (x * (sampled_law q p x / x) ^+ n)%R.
Definition back (n : nat) (p x : R) : R := (sampled_law q p x * (x / sampled_law q p x) ^+ n)%R.

Lemma inverses (p x : R) : 0 < p -> 0 < x -> 1 <= law p x / x * (law x p / p).
Proof.
move=> p0 x0; rewrite -subr_ge0.
have -> : law p x / x * (law x p / p) - 1 = q * (1 - q) * (p - x) ^+ 2 / (x * p).
  by rewrite /law /sampled_law; field; rewrite !gt_eqF.
apply: divr_ge0; last by apply: mulr_ge0; exact: ltW.
by apply: mulr_ge0 (sqr_ge0 _); apply: mulr_ge0; exact: ltW.
Qed.

Arguments forth _%N _%R _%R.
Arguments back _%N _%R _%R.

Theorem both_ways n (p x : R) : (0 < n)%N -> 0 < p -> 0 < x -> back n p x + back n x p <= forth n p x + forth n x p.
Proof.
move=> n0 p0 x0; have pos (s t : R) : 0 < s -> 0 < t -> 0 < law s t.
  by move=> s0 t0; rewrite addr_gt0 ?mulr_gt0.
set a := law p x / x; set u := law x p / p.
have a0 : 0 < a by rewrite divr_gt0 ?pos.
have u0 : 0 < u by rewrite divr_gt0 ?pos.
have xa : x * (a - 1) = q * (p - x) by rewrite /a /law /sampled_law; field; rewrite gt_eqF.
have pu : p * (u - 1) = - (q * (p - x)) by rewrite /u /law /sampled_law; field; rewrite gt_eqF.
have backE (s t : R) : 0 < s -> 0 < t -> back n s t = t * (law s t / t) * ((law s t / t) ^+ n)^-1.
  by move=> s0 t0; rewrite /back -/(law s t) -exprVn invf_div [t * (_ / t)]mulrC divfK ?gt_eqF.
rewrite -subr_ge0 !backE // -/a -/u /forth -/(law p x) -/(law x p) -/a -/u.
have -> : x * a ^+ n + p * u ^+ n - (x * a * (a ^+ n)^-1 + p * u * (u ^+ n)^-1) =
    x * (a ^+ n - a * (a ^+ n)^-1) + p * (u ^+ n - u * (u ^+ n)^-1) by ring.
have collect (E F C D : R) :
    x * (E + (a - 1) * C) + p * (F + (u - 1) * D) = x * E + p * F + q * (p - x) * (C - D).
  by rewrite !mulrDr !mulrA xa pu; ring.
clear backE; case: n n0 => // n _; elim: n => [|n IH].
  by rewrite !expr1 !mulfV ?gt_eqF // xa pu subrr.
have step (t : R) : 0 < t -> t ^+ n.+2 - t * (t ^+ n.+2)^-1 =
    t ^+ n.+1 - t * (t ^+ n.+1)^-1 + (t - 1) * (t ^+ n.+1 + (t ^+ n.+1)^-1).
  move=> t0; rewrite [t ^+ n.+2]exprS; have := exprn_gt0 n.+1 t0; move: (t ^+ n.+1) => T T0.
  by field; rewrite !gt_eqF.
move: IH; rewrite !step //; set E := a ^+ n.+1 - _; set F := u ^+ n.+1 - _ => IH.
set C := a ^+ n.+1 + _; set D := u ^+ n.+1 + _.
rewrite collect.
apply: addr_ge0 IH _; have := inverses p0 x0; rewrite -/a -/u => au.
have [px|xp] := leP x p.
  rewrite mulr_ge0 ?mulr_ge0 ?(ltW q0) ?subr_ge0 //; apply: together_rises => //.
  by rewrite -subr_le0 -(pmulr_rle0 _ p0) pu oppr_le0 mulr_ge0 ?(ltW q0) ?subr_ge0.
rewrite mulr_le0 // ?subr_le0; first by rewrite pmulr_rle0 // subr_le0 ltW.
apply: together_rises => //; last by rewrite mulrC.
by rewrite -subr_le0 -(pmulr_rle0 _ x0) xa pmulr_rle0 // subr_le0 ltW.
Qed.

(** Below it at every slope t, and at one of these it. *)
Variable m : nat.
Definition tangent_of (t p x : R) : R := (m.+1%:R * t ^+ m * x - m%:R * t ^+ m.+1 * sampled_law q p x)%R.
Arguments tangent_of _%R _%R _%R.

Let power_tangent (t v : R) : 0 <= t -> 0 <= v -> m.+1%:R * t ^+ m * v - m%:R * t ^+ m.+1 <= v ^+ m.+1.
Proof.
move=> t0 v0; elim: m => [|k IH]; first by rewrite expr0 !mul1r mul0r subr0 expr1.
rewrite -subr_ge0; have h : 0 <= v * (v ^+ k.+1 - (k.+1%:R * t ^+ k * v - k%:R * t ^+ k.+1)).
  by rewrite mulr_ge0 // subr_ge0.
have s : 0 <= k.+1%:R * t ^+ k * (v - t) ^+ 2.
  by apply: mulr_ge0 (sqr_ge0 _); apply: mulr_ge0; [exact: ler0n|exact: exprn_ge0].
apply: le_trans (addr_ge0 h s) _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite expr2 !exprS !mulrS; move: (t ^+ k) (v ^+ k) (k%:R : R) => T V K; ring.
Qed.

Lemma back_above (t p x : R) : 0 <= t -> 0 <= p -> 0 <= x -> tangent_of t p x <= back m.+1 p x.
Proof.
move=> t0 p0 x0; have := sampled_law_ge0 q0 q1 p0 x0; rewrite /tangent_of /back.
set z := sampled_law q p x => z0; have [e|zn] := eqVneq z 0.
  have [_ ->] := sampled_law_eq0 q0 q1 p0 x0 e; rewrite e !mulr0 mul0r subr0 //.
have v0 : 0 <= x / z by rewrite divr_ge0.
have xE : x = z * (x / z) by rewrite mulrC divfK.
rewrite {1}xE; apply: le_trans (ler_wpmul2l z0 (power_tangent t0 v0)).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma back_touches (p x : R) : 0 <= p -> 0 <= x -> back m.+1 p x = tangent_of (x / sampled_law q p x)%R p x.
Proof.
move=> p0 x0; rewrite /tangent_of /back; set z := sampled_law q p x.
have [e|zn] := eqVneq z 0.
  have [_ ->] := sampled_law_eq0 q0 q1 p0 x0 e; by rewrite e !mulr0 mul0r subr0.
pose t : R := (x / z)%R; have e : x = z * t by rewrite mulrC divfK.
rewrite -/t; clearbody t.
rewrite [in RHS]e !exprS mulrS; move: (t ^+ m) (m%:R : R) => T M; ring.
Qed.

Let T : R := (1 - q)^-1.
Let steepest : R := (m.+1%:R * T ^+ m.+1)%R.
Let T1 : 1 <= T. Proof. by rewrite /T invf_ge1 // ler_subl_addr ler_addl ltW. Qed.

Let slope_bounds (p x : R) : 0 <= p -> 0 <= x -> 0 <= x / sampled_law q p x <= T.
Proof.
move=> p0 x0; have z0 := sampled_law_ge0 q0 q1 p0 x0; rewrite divr_ge0 //=.
have [e|zn] := eqVneq (sampled_law q p x) 0; first by rewrite e invr0 mulr0 (le_trans ler01 T1).
rewrite ler_pdivr_mulr ?lt_neqAle 1?eq_sym ?zn //= /T ler_pdivl_mull // /sampled_law ler_addl.
by rewrite mulr_ge0 // ltW.
Qed.

Lemma back_sublinear : sublinear (fun x p => back m.+1 p x / steepest).
Proof.
have T0 : 0 <= T := le_trans ler01 T1.
have S0 : 0 < steepest by rewrite mulr_gt0 ?ltr0n ?exprn_gt0 ?(lt_le_trans ltr01 T1).
have lawM (c p x : R) : sampled_law q (c * p) (c * x) = c * sampled_law q p x by rewrite /sampled_law; ring.
split=> [c x p c0 x0 p0|x p x' p' x0 p0 x'0 p'0|x p x0 p0|x p x' p' x0 p0 x'0 p'0].
- rewrite mulrA; congr (_ / _); rewrite /back lawM; have [->|cn] := eqVneq c 0; first by rewrite !mul0r.
  by rewrite -mulf_div divff // mul1r mulrA.
- rewrite -mulrDl ler_pmul2r ?invr_gt0 // (back_touches (addr_ge0 p0 p'0) (addr_ge0 x0 x'0)).
  set t := (_ / _); have /andP[t0 _] : 0 <= t <= T by apply: slope_bounds; exact: addr_ge0.
  apply: le_trans (ler_add (back_above t0 p0 x0) (back_above t0 p'0 x'0)).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /tangent_of /sampled_law; ring.
- have /andP[t0 tT] := slope_bounds p0 x0; have z0 := sampled_law_ge0 q0 q1 p0 x0.
  apply/andP; split; first by rewrite divr_ge0 ?(ltW S0) // mulr_ge0 // exprn_ge0.
  rewrite ler_pdivr_mulr // /back exprS mulrA; have [e|zn] := eqVneq (sampled_law q p x) 0.
    by rewrite e !mul0r mulr_ge0 // ltW.
  rewrite [_ * (x / _)]mulrC divfK // ler_wpmul2l //; apply: (@le_trans _ _ (T ^+ m)).
    by apply: ler_expn2r; rewrite ?nnegrE.
  rewrite /steepest exprS; apply: (@le_trans _ _ (1 * (1 * T ^+ m))); first by rewrite !mul1r.
  apply: ler_pmul; rewrite ?ler01 ?ler1n ?mulr_ge0 ?exprn_ge0 ?ler01 //.
  by apply: ler_wpmul2r => //; exact: exprn_ge0.
have /andP[t0 tT] := slope_bounds p'0 x'0; rewrite (back_touches p'0 x'0).
set t := (_ / _) in t0 tT *; rewrite ler_pdivr_mulr // mulrDl divfK ?gt_eqF //; have above := back_above t0 p0 x0.
have t1 : t * (1 - q) <= 1 by rewrite -ler_pdivl_mulr // mul1r.
have tm : 0 <= t ^+ m by exact: exprn_ge0.
have tM : t ^+ m <= T ^+ m by apply: ler_expn2r; rewrite ?nnegrE.
have S1 : m.+1%:R * T ^+ m <= steepest.
  rewrite /steepest exprS ler_wpmul2l ?ler0n // ler_pemull ?exprn_ge0 //.
pose c := (t ^+ m * (1 + m%:R * (1 - t * (1 - q))))%R; pose d := (m%:R * t ^+ m * (t * q))%R.
have -> : tangent_of t p' x' = tangent_of t p x + c * (x' - x) - d * (p' - p).
  by rewrite /tangent_of /sampled_law /c /d exprS mulrS; move: (t ^+ m) (m%:R : R) => U M; ring.
have M0 : 0 <= m%:R :> R by exact: ler0n.
have gap : 0 <= 1 - t * (1 - q) by rewrite subr_ge0.
have c0 : 0 <= c by rewrite mulr_ge0 // addr_ge0 ?ler01 // mulr_ge0.
have tq : 0 <= t * q by apply: mulr_ge0 => //; exact: ltW.
have d0 : 0 <= d by apply: mulr_ge0 => //; exact: mulr_ge0.
have cS : c <= steepest.
  apply: le_trans S1; rewrite /c mulrC mulrS; apply: ler_pmul => //; first by rewrite addr_ge0 ?ler01 // mulr_ge0.
  by rewrite ler_add2l ler_pimulr // ler_subl_addr ler_addl mulr_ge0 // ltW.
have dS : d <= steepest.
  rewrite /d /steepest exprSr -mulrA; apply: ler_pmul; [exact: M0|exact: mulr_ge0|by rewrite ler_nat|].
  by apply: ler_pmul => //; apply: le_trans tT; rewrite ler_pimulr // ltW.
clearbody c d; rewrite [(_ + _) * steepest]mulrDl -addrA; apply: ler_add => //; rewrite [`|x' - x| * _]mulrC [`|p' - p| * _]mulrC.
apply: ler_add; first by apply: le_trans (ler_wpmul2l c0 (ler_norm _)) _; exact: ler_wpmul2r.
rewrite -mulrN opprB distrC; apply: le_trans (ler_wpmul2l d0 (ler_norm _)) _; exact: ler_wpmul2r.
Qed.
End Back.
Global Arguments forth _%R _%N _%R _%R.
Global Arguments back _%R _%N _%R _%R.

(** What is dominated up to a little pays little more, whatever sublinear function is paid. *)
Lemma sublinear_nearly f (eps : R) : sublinear f -> 0 < eps -> exists t0 : R, 0 < t0 /\
  forall (tau : R) (Y Z : finType) (P Q : Y -> R) (A B : Z -> R), tau <= t0 ->
  distribution P -> distribution Q -> distribution A -> distribution B ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b A B + tau * (a + b)) ->
  \sum_y f (P y) (Q y) <= \sum_z f (A z) (B z) + eps.
Proof.
move=> F e0; have h0 : 0 < eps / 4%:R by rewrite divr_gt0 // ltr0n.
have [D near] := sublinear_near F h0; set D1 := @first_law _ D in near; set D2 := @second_law _ D in near.
have D0 k : 0 <= D1 k + D2 k by have [k1 k2] := @laws_ge0 _ D k; exact: addr_ge0.
pose W : R := (\sum_k (D1 k + D2 k) + 1)%R; have W0 : 0 < W by rewrite ltr_spaddr ?ltr01 ?sumr_ge0.
exists (eps / 2%:R / W)%R; split; first by rewrite !divr_gt0 // ltr0n.
move=> tau Y Z P Q A B small [P0 P1] [Q0 Q1] [A0 A1] [B0 B1] dom.
apply: (@le_trans _ _ (\sum_y hockey_stick (P y) (Q y) D1 D2)).
  by apply: ler_sum => y _; case/andP: (near _ _ (P0 y) (Q0 y)).
have turn (X : finType) (U V : X -> R) :
    \sum_x hockey_stick (U x) (V x) D1 D2 = \sum_k hockey_stick (D1 k) (D2 k) U V.
  have := hockey_stick_exchange U V D1 D2 1 1; under eq_bigr do rewrite !mul1r.
  by move=> ->; apply: eq_bigr => k _; rewrite !mul1r.
rewrite turn; apply: (@le_trans _ _ (\sum_k (hockey_stick (D1 k) (D2 k) A B + tau * (D1 k + D2 k)))).
  by apply: ler_sum => k _; have [k1 k2] := @laws_ge0 _ D k; exact: dom.
rewrite big_split /= -mulr_sumr -turn.
apply: (@le_trans _ _ (\sum_z (f (A z) (B z) + eps / 4%:R * (A z + B z)) + eps / 2%:R)).
  apply: ler_add; first by apply: ler_sum => z _; case/andP: (near _ _ (A0 z) (B0 z)).
  apply: (@le_trans _ _ (eps / 2%:R / W * W)); last by rewrite divfK // gt_eqF.
  apply: (@le_trans _ _ (eps / 2%:R / W * \sum_k (D1 k + D2 k))); first by rewrite ler_wpmul2r // sumr_ge0.
  by apply: ler_wpmul2l; [rewrite !divr_ge0 ?ler0n // ltW|rewrite ler_addl ler01].
rewrite big_split /= -mulr_sumr big_split /= A1 B1 -addrA ler_add2l.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(** Pairs whose moments are as near as one likes to some numbers, and whose divergences, in either direction,
    to such as the laws do not exceed. *)
Definition near_pairs (n : nat) (m : nat -> R) (Y : finType) (P Q : Y -> R) : Prop :=
  forall tau : R, 0 < tau -> exists (Z : finType) (S T : Z -> R), [/\ distribution S, distribution T,
    forall k, (1 < k <= n)%N -> moment_at_most k%:R (m k + tau) S T /\ moment_at_most k%:R (m k + tau) T S &
    forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b Q P <= hockey_stick a b T S + tau * (a + b) /\
      hockey_stick a b Q P <= hockey_stick a b S T + tau * (a + b)].

Section Both.
Variables (q : R) (n : nat) (m : nat -> R).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (n1 : (1 < n)%N).
Let n0 : (0 < n)%N. Proof. exact: ltnW. Qed.

Lemma coefficients_sum : \sum_(k < n.+1) 'C(n, k)%:R * (1 - q) ^+ (n - k) * q ^+ k = 1 :> R.
Proof.
rewrite -[RHS](expr1n _ n) -[in RHS](subrK q 1) exprDn; apply: eq_bigr => k _.
by rewrite -[RHS]mulr_natl mulrA.
Qed.

Lemma sampled_sum_ge1 : (forall k, (1 < k)%N -> 1 <= m k) -> 1 <= sampled_sum q n m.
Proof.
move=> h; rewrite -coefficients_sum; apply: ler_sum => k _; rewrite -[X in X <= _]mulr1; apply: ler_wpmul2l.
  by rewrite !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0 // ltW.
by case: leqP => // k1; exact: h.
Qed.

Lemma sampled_sum_more (tau : R) : 0 <= tau -> sampled_sum q n (fun k => m k + tau) <= sampled_sum q n m + tau.
Proof.
move=> t0; rewrite -[X in _ + X]mul1r -coefficients_sum mulr_suml /sampled_sum -big_split /=; apply: ler_sum => k _.
rewrite -mulrDr; apply: ler_wpmul2l; last by case: ifP => // _; rewrite ler_addl.
by rewrite !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0 // ltW.
Qed.

Lemma sampled_back (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q -> near_pairs n m P Q ->
  moment_at_most n%:R (sampled_sum q n m) Q (fun y => sampled_law q (P y) (Q y)).
Proof.
move=> dP dQ near; have [[P0 P1] [Q0 Q1]] := (dP, dQ); pose p y := sampled_law q (P y) (Q y).
have s y : p y = 0 -> Q y = 0 by move/(sampled_law_eq0 q0 q1 (P0 y) (Q0 y)) => [].
have p0 y : 0 <= p y by exact: sampled_law_ge0.
split=> //; rewrite (eq_bigr (fun y => back q n (P y) (Q y))) => [|y _]; last exact: power_term_whole n0 (Q0 y) (p0 y) (@s y).
have [i nE] : exists i, n = i.+1 by exists n.-1; rewrite prednK.
have F := back_sublinear q0 q1 i; rewrite -nE in F; set C : R := (n%:R * _)%R in F.
have C0 : 0 < C by rewrite mulr_gt0 ?ltr0n // exprn_gt0 // invr_gt0 subr_gt0.
apply: (@le_of_every _ _ (C + 1)%R) => [|eps e0]; first by rewrite addr_ge0 ?ler01 // ltW.
have [t0 [t00 le]] := sublinear_nearly F e0; pose tau := Num.min t0 eps.
have tau0 : 0 < tau by rewrite lt_minr t00.
have tauE : tau <= eps by rewrite le_minl lexx orbT.
have [Z [S [T [dS dT M dom]]]] := near tau tau0; have [[S0 S1] [T0 T1]] := (dS, dT).
have tau1 : tau <= t0 by rewrite le_minl lexx.
have scaled (X : finType) (U V : X -> R) : \sum_x back q n (U x) (V x) / C = (\sum_x back q n (U x) (V x)) / C.
  by rewrite mulr_suml.
have paid (U V : Z -> R) : distribution U -> distribution V ->
    (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b Q P <= hockey_stick a b V U + tau * (a + b)) ->
    \sum_y back q n (P y) (Q y) <= \sum_z back q n (U z) (V z) + C * eps.
  move=> dU dV h; have := le tau Y Z Q P V U tau1 dQ dP dV dU h; rewrite !scaled.
  by rewrite -(ler_pmul2r C0) mulrDl !divfK ?gt_eqF // [eps * C]mulrC.
have h1 := paid S T dS dT (fun a b a0 b0 => (dom a b a0 b0).1).
have h2 := paid T S dT dS (fun a b a0 b0 => (dom a b a0 b0).2).
have up (U V : Z -> R) : distribution U -> distribution V ->
    (forall k, (1 < k <= n)%N -> moment_at_most k%:R (m k + tau) U V) ->
    \sum_z forth q n (U z) (V z) <= sampled_sum q n m + eps.
  move=> dU dV h; have [sup le'] := sampled_forth q0 q1 n1 dU dV h; have [[U0 _] [V0 _]] := (dU, dV).
  apply: (@le_trans _ _ (sampled_sum q n (fun k => m k + tau))).
    rewrite (eq_bigr (fun z => power_term n%:R (sampled_law q (U z) (V z)) (V z))) // => z _.
    by rewrite power_term_whole ?sampled_law_ge0 //; exact: sup.
  by apply: le_trans (sampled_sum_more (ltW tau0)) _; rewrite ler_add2l.
have u1 := up S T dS dT (fun k h => (M k h).1); have u2 := up T S dT dS (fun k h => (M k h).2).
have both : \sum_z back q n (S z) (T z) + \sum_z back q n (T z) (S z) <=
    \sum_z forth q n (S z) (T z) + \sum_z forth q n (T z) (S z).
  rewrite -!big_split; apply: ler_sum => z _ /=.
  have [[s1 _] [s2 _]] := M n ltac:(by rewrite n1 leqnn).
  have [e|/eqP Sz] := eqVneq (S z) 0; first by rewrite e (s2 z e) /back /forth /sampled_law !mulr0 !addr0 !mul0r.
  have [e|/eqP Tz] := eqVneq (T z) 0; first by case: Sz; exact: s1.
  by apply: both_ways => //; rewrite lt_neqAle eq_sym ?S0 ?T0 andbT; exact/eqP.
have := ler_add h1 h2; rewrite addrACA => h.
have := le_trans h (ler_add (le_trans both (ler_add u1 u2)) (lexx _)) => twice.
rewrite -(ler_pmuln2r (isT : (0 < 2)%N)) !mulr2n; apply: le_trans twice _.
by clearbody C; move: (sampled_sum q n m) => U; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Both.
