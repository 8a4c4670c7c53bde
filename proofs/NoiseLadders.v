(** Discrete Laplace noise, and cells of Laplace noise, as ladders of losses.

    Discrete Laplace noise of scale 1/decay and shift n + 1 is a ladder of n rungs ([shift_as_ladder]).  Laplace
    noise, a = sensitivity/scale, of which is told in which of n equal cells between the two answers it is, or
    beyond which of them, is a ladder of n rungs too, and a mechanism that such noise may have
    ([cells_of_laplace]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Moments NoiseLedgers NoiseOrder RulesProfiles LossLaws.
From ExactDP Require Import RulesMixture LadderLosses ShiftLosses RulesNoiseFourier.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** What the laws of a ladder say of both hypotheses; turned round it is the same. *)
Definition ladder_stick (A r gamma : R) n (y : R) : R :=
  let e := end_chance A r gamma n in
  (pos (e A - y * e (- A)%R) + pos (e (- A)%R - y * e A) +
   \sum_i pos (gamma * e (@rung r n i) - y * (gamma * e (- @rung r n i)%R)))%R.

Section Ladder.
Variables (A r gamma : R) (n : nat) (gamma0 : 0 <= gamma).
Let L := ladder A r n gamma0.

Lemma ladder_pair y : at_weights (pair_of L) 1 y = ladder_stick A r gamma n y.
Proof.
rewrite /at_weights /hockey_stick (ladder_sum A r n gamma0 (fun p q => pos (1 * p - y * q))) !mul1r.
by congr (_ + _); apply: eq_bigr => i _; rewrite mul1r.
Qed.

Lemma ladder_pair_turned y : hockey_stick 1 y (@second_law _ (pair_of L)) (@first_law _ (pair_of L)) =
  ladder_stick A r gamma n y.
Proof.
rewrite /hockey_stick (ladder_sum A r n gamma0 (fun p q => pos (1 * q - y * p))) !mul1r.
congr (_ + _); first by rewrite addrC.
rewrite [LHS](reindex_inj rev_ord_inj); apply: eq_bigr => i _.
have -> : rung r (rev_ord i) = - rung r i by rewrite /rung rev_ordK -opprB mulNr.
by rewrite opprK mul1r.
Qed.
End Ladder.

(** --- discrete Laplace noise --- *)

Section Shift.
Variables (decay : R) (n : nat).
Hypothesis d0 : 0 < decay.
Let x := exp (- decay).
Let A := (n.+1%:R * decay)%R.
Let x1 : 0 <= 1 - x. Proof. by rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le oppr_le0 ltW. Qed.
Definition shift_gamma : R := (1 - exp (- decay))%R.
Lemma shift_gamma_ge0 : 0 <= shift_gamma. Proof. exact: x1. Qed.
Let e := end_chance A decay shift_gamma n.
Let x_neq0 : 1 + x != 0. Proof. by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0. Qed.

Lemma shift_total_weight : ladder_weight A decay shift_gamma n 2%:R^-1 = exp (A / 2%:R) * (1 + x).
Proof.
have := rungs_real decay n 2%:R^-1; set S := \sum_i _ => h.
have g : shift_gamma = exp (- (2%:R^-1 * decay)) * (exp (2%:R^-1 * decay) - exp (- (2%:R^-1 * decay))).
  by rewrite mulrBr -!expD addNr exp_0 /shift_gamma; congr (_ - exp _); field.
rewrite /ladder_weight -/S g -mulrA h mulrBr mulrDr mulr1 -!expD.
have -> : - (2%:R^-1 * decay) - 2%:R^-1 * (n%:R * decay) = - (2%:R^-1 * A).
  by rewrite /A -addn1 natrD; field.
rewrite -addrA; congr (_ + _); first by rewrite mulrC.
by rewrite addrCA subrr addr0; congr exp; rewrite /A -addn1 natrD; field.
Qed.

Lemma shift_end k : e (A - k.*2%:R * decay)%R = x ^+ k / (1 + x).
Proof.
rewrite /e /end_chance shift_total_weight /x decay_powers.
have -> : (A - k.*2%:R * decay) / 2%:R = A / 2%:R - k%:R * decay by rewrite -addnn natrD; field.
by have a := exp_neq0 (A / 2%:R)%R; rewrite expD; field; rewrite a x_neq0.
Qed.

Lemma shift_sum (F : R -> R -> R) :
  \sum_(j < n.+2) F (@shifted_law decay n.+1 j) (@shifted_law decay n.+1 (rev_ord j)) =
  F (e A) (e (- A)%R) + F (e (- A)%R) (e A) +
  \sum_i F (shift_gamma * e (@rung decay n i)) (shift_gamma * e (- @rung decay n i)%R).
Proof.
have first : e A = x ^+ 0 / (1 + x) by rewrite -(shift_end 0) mul0r subr0.
have last : e (- A)%R = x ^+ n.+1 / (1 + x).
  by rewrite -(shift_end n.+1) -addnn natrD /A; congr e; ring.
have down (i : 'I_n) : e (@rung decay n i) = x ^+ i.+1 / (1 + x).
  by rewrite -(shift_end i.+1); congr e; rewrite /rung /A /= natrB // -addnn natrD -[i.+1]addn1 -[n.+1]addn1 !natrD; ring.
have up (i : 'I_n) : e (- @rung decay n i)%R = x ^+ (rev_ord i).+1 / (1 + x).
  by rewrite -down /rung rev_ordK -mulNr opprB.
pose w := shift_weight x n.+1.
transitivity (\sum_(j < n.+2) F (w j) (w (n.+1 - j)%N)).
  by apply: eq_bigr => j _; congr (F _ _).
have ends : w 0%N = e A /\ w n.+1 = e (- A)%R.
  by rewrite first last /w /shift_weight /= eqxx !mul1r.
have inner (i : 'I_n) : w i.+1 = shift_gamma * e (@rung decay n i) /\
    w (n.+1 - i.+1)%N = shift_gamma * e (- @rung decay n i)%R.
  have lt := ltn_ord i; rewrite down up /= subSS subnSK // /w /shift_weight /= eqSS (ltn_eqF lt).
  rewrite subn_eq0 leqNgt lt /= ltn_eqF ?ltnS ?leq_subr // !mulrA; by split.
rewrite big_ord_recl big_ord_recr /= subn0 /bump /= add1n subnn; have [-> ->] := ends.
rewrite -addrA; congr (_ + _); rewrite addrC; congr (_ + _).
by apply: eq_bigr => i _; rewrite add1n; have [-> ->] := inner i.
Qed.

Lemma shift_as_ladder y : hockey_stick 1 y (@shifted_law decay n.+1) (@shifted_law decay n.+1 \o @rev_ord _) =
  ladder_stick A decay shift_gamma n y.
Proof.
rewrite /hockey_stick (shift_sum (fun p q => pos (1 * p - y * q))) !mul1r; congr (_ + _).
by apply: eq_bigr => i _; rewrite mul1r.
Qed.

Definition shift_ladder : loss_law := ladder A decay n shift_gamma_ge0.

Theorem noise_of_shift_ladder (Y : finType) (P Q : Y -> R) :
  has_noise (OfShift decay n.+1) P Q -> of_loss_entry (OfLosses shift_ladder) P Q.
Proof.
case=> dP dQ [h h']; have [P0 _] := dP; have [Q0 _] := dQ.
split=> //; split=> [z|y y0]; rewrite -1?/(at_weights _ _ _) ?ladder_pair -?shift_as_ladder //;
  by [exact: h|exact: h'].
Qed.
End Shift.

(** Without rungs it is a randomized response: that of shift 1. *)
Lemma response_pair (e : R) y : at_weights (pair_of (response e)) 1 y = ladder_stick e e (shift_gamma e) 0 y /\
  hockey_stick 1 y (@second_law _ (pair_of (response e))) (@first_law _ (pair_of (response e))) =
  ladder_stick e e (shift_gamma e) 0 y.
Proof.
have chance_true : end_chance e e (shift_gamma e) 0 e = truthful e.
  have := shift_end e 0 0; rewrite mul0r subr0 mul1r expr0 => ->; by rewrite div1r.
have chance_false : end_chance e e (shift_gamma e) 0 (- e)%R = untruthful e.
  have := shift_end e 0 1; rewrite mul1r expr1 /untruthful => <-; by congr end_chance; rewrite -addnn natrD; ring.
rewrite /at_weights /hockey_stick /ladder_stick chance_true chance_false !big_bool big_ord0 addr0 /=.
have back : truthful e * exp (- e) = untruthful e by rewrite /truthful /untruthful mulrC.
have forth : untruthful e * exp (- - e) = truthful e by rewrite -back -mulrA -expD subrr exp_0 mulr1.
by rewrite back forth !mul1r; split=> //; exact: addrC.
Qed.

Theorem noise_of_response (e : R) (Y : finType) (P Q : Y -> R) :
  has_noise (OfShift e 1) P Q -> of_loss_entry (OfLosses (response e)) P Q.
Proof.
case=> dP dQ [h h']; have [P0 _] := dP; have [Q0 _] := dQ.
split=> //; split=> [z|y y0] //; rewrite -/(at_weights _ _ _) (response_pair e y).1.
  by have := h y y0; rewrite shift_as_ladder mul1r.
by have := h' y y0; rewrite shift_as_ladder mul1r.
Qed.

(** Its own laws have this noise. *)
Lemma laws_of (L : loss_law) :
  distribution (@first_law _ (pair_of L)) /\ distribution (@second_law _ (pair_of L)).
Proof.
by split; split=> [z|]; [exact: chance_ge0|exact: chance_total|case: (@reversed_ge0 L z)|exact: chance_reversed].
Qed.

Theorem shift_of_ladder (decay : R) n (d0 : 0 < decay) : let D := pair_of (shift_ladder n d0) in
  has_noise (OfShift decay n.+1) (@first_law _ D) (@second_law _ D).
Proof.
move=> D; have [dP dQ] := laws_of (shift_ladder n d0); split=> //.
by split=> y y0; rewrite ?ladder_pair_turned -1?/(at_weights _ _ _) ?ladder_pair -shift_as_ladder.
Qed.

Theorem shift_of_response (e : R) : let D := pair_of (response e) in
  has_noise (OfShift e 1) (@first_law _ D) (@second_law _ D).
Proof.
move=> D; have [dP dQ] := laws_of (response e); split=> //.
by split=> y y0; rewrite shift_as_ladder mul1r; have [h1 h2] := response_pair e y; [rewrite -h1|rewrite -h2]; exact: lexx.
Qed.

(** --- cells of Laplace noise --- *)

Section Cells.
Variables (a : R) (n : nat).
Hypotheses (a0 : 0 < a) (n0 : (0 < n)%N).
Let r := (a / n%:R)%R.
Let nr : n%:R * r = a. Proof. by rewrite /r mulrC divfK // pnatr_eq0 -lt0n. Qed.
Let r0 : 0 < r. Proof. by rewrite divr_gt0 // ltr0n. Qed.
Definition cell_gamma : R := (exp (a / n%:R / 2%:R) - exp (- (a / n%:R / 2%:R)))%R.
Let gamma_gt0 : 0 < cell_gamma.
Proof. by rewrite subr_gt0 ltNge exp_le -ltNge gtr_opp // divr_gt0 // ltr0n. Qed.
Lemma cell_gamma_ge0 : 0 <= cell_gamma. Proof. exact: ltW. Qed.

Lemma cell_total_weight : ladder_weight a r cell_gamma n 2%:R^-1 = 2%:R * exp (a / 2%:R).
Proof.
have := rungs_real r n 2%:R^-1; rewrite nr [2%:R^-1 * r]mulrC [2%:R^-1 * a]mulrC -/cell_gamma => h.
by rewrite /ladder_weight h [2%:R^-1 * a]mulrC addrACA subrr addr0 mulr_natl mulr2n.
Qed.
Lemma cell_end l : end_chance a r cell_gamma n l = exp ((l - a) / 2%:R) / 2%:R.
Proof.
rewrite /end_chance cell_total_weight; have -> : (l - a) / 2%:R = l / 2%:R - a / 2%:R by rewrite mulrBl.
by rewrite expD expN; have := exp_neq0 (a / 2%:R)%R => k; field.
Qed.

Section Odds.
Variable l : R.
Let c : R := (exp (- (a / 2%:R)) / 2%:R)%R.
Let c0 : 0 < c. Proof. by rewrite divr_gt0 ?exp_gt0 // ltr0n. Qed.
Let u (k : nat) : R := ((n%:R - k%:R - k.+1%:R) * r)%R.
Let p (k : nat) : R := exp ((n%:R - k.*2%:R) * r / 2%:R)%R.
Let told (k : nat) : R := (c * cell_gamma * (exp (u k / 2%:R) - exp (l - u k / 2%:R)))%R.

Let p_neq0 k : p k != 0. Proof. exact: exp_neq0. Qed.
Let told_step k : told k = c * (p k - p k.+1) - exp l * (c * ((p k.+1)^-1 - (p k)^-1)).
Proof.
have up : p k = exp (r / 2%:R) * exp (u k / 2%:R).
  by rewrite -expD /p /u -addnn natrD -addn1 natrD; congr exp; field.
have down : p k.+1 = exp (- (r / 2%:R)) * exp (u k / 2%:R).
  by rewrite -expD /p /u -addnn natrD -addn1 natrD; congr exp; field.
rewrite /told /cell_gamma -/r up down expD !expN.
by have m := exp_neq0 (r / 2%:R)%R; have m' := exp_neq0 (u k / 2%:R)%R; field; rewrite m m'.
Qed.

Let told_sum k : \sum_(i < k) told i = c * (p 0%N - p k) - exp l * (c * ((p k)^-1 - (p 0%N)^-1)).
Proof.
elim: k => [|k IH]; first by rewrite big_ord0 !subrr !mulr0 subr0.
by rewrite big_ord_recr /= IH told_step; ring.
Qed.
Let first_p : c * p 0%N = 2%:R^-1 /\ c / p 0%N = exp (- a) / 2%:R.
Proof.
have e : p 0%N = exp (a / 2%:R) by rewrite /p double0 subr0 nr.
rewrite e /c mulrAC -expD addNr exp_0 mul1r; split=> //.
by rewrite mulrAC -expN -expD; congr (exp _ / _); field.
Qed.

Let rung_told (i : 'I_n) : cell_gamma * end_chance a r cell_gamma n (rung r i) -
  exp l * (cell_gamma * end_chance a r cell_gamma n (- rung r i)) = told i.
Proof.
have e : rung r i = u i by rewrite /rung /u /= natrB //; congr (_ * _); rewrite -addn1 natrD; ring.
rewrite !cell_end e /told /c.
have -> : (u i - a) / 2%:R = - (a / 2%:R) + u i / 2%:R by field.
have -> : (- u i - a) / 2%:R = - (a / 2%:R) - u i / 2%:R by field.
by rewrite !expD; field.
Qed.

Let told_sign i : (told i <= 0) = (u i <= l).
Proof.
rewrite /told (pmulr_rle0 _ (mulr_gt0 c0 gamma_gt0)) subr_le0 exp_le -subr_ge0 -[RHS]subr_ge0.
have -> : l - u i / 2%:R - u i / 2%:R = l - u i by field.
by [].
Qed.
Let u_falls i j : (i <= j)%N -> u j <= u i.
Proof.
move=> ij; rewrite ler_pmul2r // -!addrA -!opprD ler_add2l ler_opp2.
by rewrite ler_add // ler_nat.
Qed.

(** The chance, and the sign, of the ends. *)
Let first_told : end_chance a r cell_gamma n a - exp l * end_chance a r cell_gamma n (- a) = (1 - exp (l - a)) / 2%:R.
Proof.
have zero : exp 0 = 1 by exact: exp_0.
rewrite !cell_end subrr mul0r zero expD.
by have -> : (- a - a) / 2%:R = - a by [field]; field.
Qed.
Let last_told : end_chance a r cell_gamma n (- a) - exp l * end_chance a r cell_gamma n a = (exp (- a) - exp l) / 2%:R.
Proof.
have zero : exp 0 = 1 by exact: exp_0.
rewrite !cell_end subrr mul0r zero.
by have -> : (- a - a) / 2%:R = - a by [field]; field.
Qed.

Let half_pos (x : R) : 0 <= x -> pos (x / 2%:R) = x / 2%:R.
Proof. by move=> x0; rewrite pos_id // divr_ge0 // ler0n. Qed.
Let half_neg (x : R) : x <= 0 -> pos (x / 2%:R) = 0.
Proof. by move=> x0; rewrite pos_0 // pmulr_lle0 // invr_gt0 ltr0n. Qed.

Let told_sign' i : (0 <= told i) = (l <= u i).
Proof.
rewrite /told (pmulr_rge0 _ (mulr_gt0 c0 gamma_gt0)) subr_ge0 exp_le -subr_ge0 -[RHS]subr_ge0.
by have -> : u i / 2%:R - (l - u i / 2%:R) = u i - l by field.
Qed.
Let u_within (i : 'I_n) : - a <= u i <= a.
Proof.
have le k : (k <= n)%N -> 0 <= n%:R - k%:R :> R by rewrite subr_ge0 ler_nat.
have i1 := le i (ltnW (ltn_ord i)); have i2 := le i.+1 (ltn_ord i); have k0 k : 0 <= k%:R :> R by rewrite ler0n.
rewrite -nr -mulNr !ler_pmul2r // -subr_ge0 -[X in _ && X]subr_ge0; apply/andP; split.
  have -> : n%:R - i%:R - i.+1%:R - - n%:R = (n%:R - i%:R) + (n%:R - i.+1%:R) :> R by ring.
  exact: addr_ge0.
have -> : n%:R - (n%:R - i%:R - i.+1%:R) = i%:R + i.+1%:R :> R by ring.
exact: addr_ge0.
Qed.

Let zero : exp 0 = 1. Proof. exact: exp_0. Qed.
Let below_1 : l <= a -> 0 <= 1 - exp (l - a).
Proof. by move=> la; rewrite subr_ge0 -zero exp_le subr_le0. Qed.

(** The mean of two numbers is at least their geometric mean. *)
Let mean_le k : exp ((l - a) / 2%:R) <= c * (p k + exp l / p k).
Proof.
have -> : exp ((l - a) / 2%:R) = exp (l / 2%:R) * exp (- (a / 2%:R)) by rewrite -expD -mulrBl.
have -> : exp l = exp (l / 2%:R) * exp (l / 2%:R) by rewrite -expD; congr exp; field.
set h := exp (l / 2%:R); have P0 : 0 < p k := exp_gt0 _.
rewrite mulrC /c -mulrA; apply: ler_wpmul2l; first exact: ltW (exp_gt0 _).
rewrite mulrC ler_pdivl_mulr ?ltr0n // -subr_ge0.
have -> : p k + h * h / p k - h * 2%:R = (p k - h) ^+ 2 / p k by field; exact: p_neq0.
by rewrite divr_ge0 ?sqr_ge0 // ltW.
Qed.

Lemma cells_below : ladder_stick a r cell_gamma n (exp l) <= laplace_curve a l.
Proof.
have [c1 c2] := first_p; have neg : - a <= a by apply: (@le_trans _ _ 0); rewrite ?oppr_le0 ltW.
rewrite /ladder_stick first_told last_told; under eq_bigr do rewrite rung_told.
rewrite /laplace_curve; case: ltP => la.
  have l_a := le_trans (ltW la) neg.
  rewrite !half_pos ?below_1 ?subr_ge0 ?exp_le ?(ltW la) //.
  have -> : \sum_(i < n) pos (told i) = \sum_(i < n) told i.
    apply: eq_bigr => i _; rewrite pos_id // told_sign'; have /andP[+ _] := u_within i.
    exact: le_trans (ltW la).
  have last : p n = (p 0%N)^-1.
    by rewrite /p -expN double0 subr0; congr exp; rewrite -addnn natrD; field.
  rewrite told_sum last invrK !mulrBr c1 c2 expD le_eqVlt; apply/orP; left; apply/eqP; by field.
case: ifP => [l_a|/negbT]; last first.
  rewrite -ltNge => l_a; rewrite !half_neg ?add0r; last 2 first.
  - by rewrite subr_le0 exp_le.
  - by rewrite subr_le0 -zero exp_le subr_ge0 ltW.
  rewrite big1 // => i _; rewrite pos_0 // told_sign; have /andP[_ +] := u_within i.
  by move/le_trans; apply; exact: ltW.
rewrite half_pos ?below_1 // half_neg ?subr_le0 ?exp_le // addr0.
have [i j ij|k _ ->] := @first_terms told n _; first by rewrite !told_sign; apply: le_trans; exact: u_falls.
have := mean_le k; rewrite -subr_ge0 => h; rewrite -subr_ge0; apply: le_trans h _.
rewrite told_sum !mulrBr c1 c2 expD le_eqVlt; apply/orP; left; apply/eqP; by field.
Qed.
End Odds.

Theorem cells_of_laplace : let D := pair_of (ladder a r n cell_gamma_ge0) in
  has_noise (OfLaplace a) (@first_law _ D) (@second_law _ D).
Proof.
move=> D; have [dP dQ] := laws_of (ladder a r n cell_gamma_ge0); split=> //.
by split=> l; rewrite ?ladder_pair_turned -1?/(at_weights _ _ _) ?ladder_pair; exact: cells_below.
Qed.
End Cells.
