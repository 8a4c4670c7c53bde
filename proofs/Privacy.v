(** Differential privacy for one pair of neighbouring databases, and randomized response.

    A mechanism has finitely many outputs; on two neighbouring databases it has two distributions
    P and Q.  It is (epsilon, delta)-differentially private on this pair if, with E = e^epsilon,
    P(S) <= E Q(S) + delta and Q(S) <= E P(S) + delta for every event S ([indistinguishable]).
    Only E >= 1 is needed here, so R may be any ordered field.

    [rr_dominates] stands for Lemma 3.2 of the paper (Kairouz, Oh, Viswanath): there every
    (epsilon, delta)-DP pair is simulated by post-processing randomized response; here, what the
    rest of the paper uses of it, that randomized response has the larger hockey-stick
    divergence, for all weights a and b of the two hypotheses. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : Y -> R) (a b E d : R).

Definition distribution P := (forall y, 0 <= P y) /\ \sum_y P y = 1.

Definition indistinguishable E d P Q :=
  (forall S : {set Y}, \sum_(y in S) P y <= E * (\sum_(y in S) Q y) + d) /\
  (forall S : {set Y}, \sum_(y in S) Q y <= E * (\sum_(y in S) P y) + d).

(** The outputs of an (ln E, d)-DP mechanism on two neighbouring databases. *)
Record dp_pair E d P Q : Prop := DpPair {
  dp_pair_P : distribution P;
  dp_pair_Q : distribution Q;
  dp_pair_indistinguishable : indistinguishable E d P Q
}.

(** The hockey-stick divergence sum_y max(a P(y) - b Q(y), 0); the usual one has a = 1. *)
Definition hockey_stick a b P Q : R := \sum_y pos (a * P y - b * Q y).
End Definitions.

Section HockeyStick.
Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : Y -> R) (a b E d : R).

Lemma dp_pair_sym E d P Q : dp_pair E d P Q -> dp_pair E d Q P.
Proof. by case=> ? ? [? ?]. Qed.

Lemma hockey_stick_antitone a b b' P Q : (forall y, 0 <= Q y) -> b <= b' ->
  hockey_stick a b' P Q <= hockey_stick a b P Q.
Proof.
by move=> Q0 bb; apply: ler_sum => y _; apply: le2_pos; rewrite ler_add2l ler_opp2 ler_wpmul2r.
Qed.

Lemma hockey_stickM c a b P Q : 0 <= c ->
  hockey_stick (c * a) (c * b) P Q = c * hockey_stick a b P Q.
Proof.
move=> c0; rewrite /hockey_stick mulr_sumr; apply: eq_bigr => y _.
by rewrite -posM // mulrBr !mulrA.
Qed.

Lemma hockey_stickD a b a' b' P Q :
  hockey_stick (a + a') (b + b') P Q <= hockey_stick a b P Q + hockey_stick a' b' P Q.
Proof.
rewrite /hockey_stick -big_split /=; apply: ler_sum => y _.
by rewrite !mulrDl opprD addrACA posD.
Qed.

(** An event loses nothing against the divergence, and the best event attains it. *)
Lemma events_hockey_stick E d P Q :
  (forall S : {set Y}, \sum_(y in S) P y <= E * (\sum_(y in S) Q y) + d)
  <-> hockey_stick 1 E P Q <= d.
Proof.
split=> [H|H S].
  rewrite /hockey_stick (bigID (fun y => 0 <= 1 * P y - E * Q y)) /=.
  rewrite [X in _ + X]big1 ?addr0; last by move=> y; rewrite -ltNge => /ltW; exact: pos_0.
  rewrite (eq_bigr (fun y => P y - E * Q y)); last by move=> y h; rewrite pos_id // mul1r.
  pose p y := 0 <= 1 * P y - E * Q y.
  have := H [set y | p y].
  have e (F : Y -> R) : \sum_(y in [set y | p y]) F y = \sum_(y | p y) F y.
    by apply: eq_bigl => y; rewrite inE.
  by rewrite !e sumrB -mulr_sumr ler_subl_addl.
rewrite -ler_subl_addl; apply: le_trans H.
rewrite mulr_sumr -sumrB /hockey_stick [X in _ <= X](bigID (mem S)) /=.
rewrite ler_paddr ?sumr_ge0 // => [y _|]; first exact: pos_ge0.
by apply: ler_sum => y _; rewrite mul1r le_pos.
Qed.

Lemma hockey_stick_swap a b P Q : distribution P -> distribution Q ->
  hockey_stick a b P Q = a - b + hockey_stick b a Q P.
Proof.
move=> [_ sP] [_ sQ]; rewrite /hockey_stick; under eq_bigr do rewrite pos_split.
rewrite big_split /= sumrB -!mulr_sumr sP sQ !mulr1; congr (_ + _).
by apply: eq_bigr => y _; rewrite opprB.
Qed.
End HockeyStick.

(** Randomized response RR_(epsilon, delta) on {0, 1, 2, 3}: with probability delta it reveals
    its input (0 or 3), else it answers truthfully with odds E (1 or 2). *)
Section RandomizedResponse.
Variable R : realFieldType.
Implicit Types (a b E d : R).

Definition rr0 E d (y : 'I_4) : R :=
  nth 0 [:: d; (1 - d) * E / (1 + E); (1 - d) / (1 + E); 0] y.
Definition rr1 E d (y : 'I_4) : R :=
  nth 0 [:: 0; (1 - d) / (1 + E); (1 - d) * E / (1 + E); d] y.

Lemma sum4 (F : 'I_4 -> R) (g : nat -> R) : (forall y : 'I_4, F y = g y) ->
  \sum_y F y = g 0%N + g 1%N + g 2%N + g 3%N.
Proof. by move=> H; rewrite !big_ord_recl big_ord0 !H /= addr0 !addrA. Qed.

Lemma hockey_stick_rr a b E d : 0 <= a -> 0 <= b -> 0 <= E -> 0 <= d -> d <= 1 ->
  hockey_stick a b (rr0 E d) (rr1 E d) =
  a * d + (1 - d) / (1 + E) * (pos (a * E - b) + pos (a - b * E)).
Proof.
move=> a0 b0 E0 d0 d1.
have c0 : 0 <= (1 - d) / (1 + E) by rewrite divr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
rewrite /hockey_stick (sum4 (g := fun n => pos (a * nth 0 [:: d; (1 - d) * E / (1 + E);
   (1 - d) / (1 + E); 0] n - b * nth 0 [:: 0; (1 - d) / (1 + E); (1 - d) * E / (1 + E); d] n))) //=.
rewrite !mulr0 subr0 sub0r (pos_0 (x := - _)) ?oppr_le0 ?mulr_ge0 // addr0.
rewrite pos_id ?mulr_ge0 // -addrA; congr (_ + _).
rewrite mulrDr -!(posM _ c0); congr (pos _ + pos _); ring.
Qed.

Lemma distribution_rr E d : 0 <= E -> 0 <= d -> d <= 1 ->
  distribution (rr0 E d) /\ distribution (rr1 E d).
Proof.
move=> E0 d0 d1.
have E1 : 1 + E != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
have c0 : 0 <= (1 - d) / (1 + E) by rewrite divr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
have c1 : 0 <= (1 - d) * E / (1 + E) by rewrite mulrAC mulr_ge0.
split; split.
- by case=> [[|[|[|[|]]]]].
- rewrite (sum4 (g := nth 0 [:: d; (1 - d) * E / (1 + E); (1 - d) / (1 + E); 0])) //=.
  by field.
- by case=> [[|[|[|[|]]]]].
- rewrite (sum4 (g := nth 0 [:: 0; (1 - d) / (1 + E); (1 - d) * E / (1 + E); d])) //=.
  by field.
Qed.

Lemma indistinguishable_rr E d : 1 <= E -> 0 <= d -> d <= 1 ->
  indistinguishable E d (rr0 E d) (rr1 E d).
Proof.
move=> E1 d0 d1; have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
have P1 : pos (1 - E * E) = 0 by rewrite pos_0 // subr_le0 mulr_ege1.
have [dr0 dr1] := distribution_rr E0 d0 d1.
have H : hockey_stick 1 E (rr0 E d) (rr1 E d) = d.
  by rewrite hockey_stick_rr ?ler01 // !mul1r subrr P1 pos_id // addr0 mulr0; ring.
have H' : hockey_stick 1 E (rr1 E d) (rr0 E d) = d.
  rewrite hockey_stick_swap // hockey_stick_rr ?ler01 // mul1r subrr.
  rewrite (pos_id (x := 0)) // addr0 pos_id ?subr_ge0 ?mulr_ege1 //.
  have E2 : 1 + E != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
  by field.
by split; apply/events_hockey_stick; rewrite ?H ?H'.
Qed.

(** Randomized response is (epsilon, delta)-DP, and (epsilon', delta')-DP for larger parameters. *)
Lemma dp_pair_rr E d E' d' : 1 <= E -> 0 <= d -> d <= 1 -> E <= E' -> d <= d' ->
  dp_pair E' d' (rr0 E d) (rr1 E d).
Proof.
move=> E1 d0 d1 EE dd; have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
have [dr0 dr1] := distribution_rr E0 d0 d1.
have [I1 I2] := indistinguishable_rr E1 d0 d1.
split=> //; split=> S.
  apply: le_trans (I1 S) _; apply: ler_add => //.
  by rewrite ler_wpmul2r ?sumr_ge0 // => y _; case: dr1.
apply: le_trans (I2 S) _; apply: ler_add => //.
by rewrite ler_wpmul2r ?sumr_ge0 // => y _; case: dr0.
Qed.

(** Lemma 3.2, as domination.  Where b >= aE or a >= bE the claim is the definition of
    differential privacy in one direction, scaled; between them (a, b) is a combination
    alpha (1, E) + beta (E, 1), and the divergence is subadditive. *)
Theorem rr_dominates (Y : finType) (P Q : Y -> R) E d a b :
  1 <= E -> 0 <= d -> d <= 1 -> dp_pair E d P Q -> 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= hockey_stick a b (rr0 E d) (rr1 E d).
Proof.
move=> E1 d0 d1 [dP dQ [/events_hockey_stick h1 /events_hockey_stick h2]] a0 b0.
have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
have E2 : 0 < 1 + E by rewrite ltr_paddr ?ltr01.
have E2' : 1 + E != 0 by rewrite gt_eqF.
have d1' : 0 <= 1 - d by rewrite subr_ge0.
rewrite hockey_stick_rr //.
case: (leP (a * E) b) => [abE|/ltW abE].
  (* b >= a E *)
  rewrite (pos_0 (x := a * E - b)) ?subr_le0 // (pos_0 (x := a - b * E)).
    rewrite addr0 mulr0 addr0; apply: (@le_trans _ _ (hockey_stick (a * 1) (a * E) P Q)).
      by rewrite mulr1 hockey_stick_antitone //; case: dQ.
    by rewrite hockey_stickM // ler_wpmul2l.
  rewrite subr_le0; apply: le_trans (_ : b <= _); last by rewrite ler_pemulr.
  by apply: le_trans abE; rewrite ler_pemulr.
rewrite (pos_id (x := a * E - b)) ?subr_ge0 //.
case: (leP (b * E) a) => [baE|/ltW baE].
  (* a >= b E *)
  rewrite pos_id ?subr_ge0 // hockey_stick_swap //.
  have -> : a * d + (1 - d) / (1 + E) * (a * E - b + (a - b * E)) = a - b + b * d by field.
  rewrite ler_add2l; apply: (@le_trans _ _ (hockey_stick (b * 1) (b * E) Q P)).
    by rewrite mulr1 hockey_stick_antitone //; case: dP.
  by rewrite hockey_stickM // ler_wpmul2l.
(* between: convexity *)
rewrite (pos_0 (x := a - b * E)) ?subr_le0 // addr0.
move: E1; rewrite le_eqVlt => /orP[/eqP E1|E1].
  have ab : a = b by apply/le_anti; move: abE baE; rewrite -E1 !mulr1 => -> ->.
  rewrite -ab -E1 mulr1 subrr mulr0 addr0 -[X in hockey_stick X X](mulr1 a) hockey_stickM //.
  by rewrite ler_wpmul2l //; move: h1; rewrite -E1.
have D0 : 0 < E * E - 1 by rewrite subr_gt0 mulr_egt1.
pose al := (b * E - a) / (E * E - 1); pose be := (a * E - b) / (E * E - 1).
have D0' : E * E - 1 != 0 by rewrite gt_eqF.
have al0 : 0 <= al by apply: divr_ge0; [rewrite subr_ge0|exact: ltW].
have be0 : 0 <= be by apply: divr_ge0; [rewrite subr_ge0|exact: ltW].
have ea : a = al * 1 + be * E by rewrite /al /be; field.
have eb : b = al * E + be * 1 by rewrite /al /be; field.
have g2 : hockey_stick E 1 P Q <= E - 1 + d by rewrite hockey_stick_swap // ler_add2l.
rewrite {1}ea {1}eb; apply: le_trans (hockey_stickD _ _ _ _ _ _) _; rewrite !hockey_stickM //.
apply: (@le_trans _ _ (al * d + be * (E - 1 + d))).
  by rewrite ler_add // ler_wpmul2l.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /al /be; field.
by rewrite D0' E2'.
Qed.
End RandomizedResponse.
