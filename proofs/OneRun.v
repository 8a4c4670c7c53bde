(** What the outcome of one run rejects (SPEC, 11.27 and 14): many canaries, each in or out by a fair coin of
    its own, and [r] guesses, [v] of them right.

    Steinke, Nasr and Jagielski (NeurIPS 2023) bound the chance of as many right guesses by a binomial law with
    odds E = e^epsilon and a term for delta.  Here the number of right guesses is held against the birth and
    death chain of which that law is stationary: where one more guess is right, the other value of its canary
    was at least 1/E as likely, but for what delta allows.  A function [solution] of the number, that solves
    the Stein equation of the chain for the event "at least v" ([stein]) and is largest at v
    ([solution_most]), turns this into

      P[right >= v] <= P[X >= v] + m delta P[X >= v] P[X < v] / (v P[X = v])

    for m canaries ([right_guesses]), which no term can improve for small delta; without its factor P[X < v] it
    is what a certificate shows ([chance_of_right]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Experiments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- the binomial law, and the equation --- *)

Section Chain.
Variables (R : realFieldType) (E q : R) (r v : nat).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (odds : q = E * (1 - q)).

Let rq : rate q. Proof. by rewrite /rate !ltW. Qed.
Let p0 : 0 < 1 - q. Proof. by rewrite subr_gt0. Qed.
Lemma odds_gt0 : 0 < E. Proof. by move: q0; rewrite odds pmulr_lgt0. Qed.
Let E0 := odds_gt0.

Lemma mass_gt0 k : (k <= r)%N -> 0 < mass q r k.
Proof. by move=> kr; rewrite /mass !mulr_gt0 ?exprn_gt0 // ltr0n bin_gt0. Qed.

Lemma balance k : k.+1%:R * mass q r k.+1 = E * (r - k)%:R * mass q r k.
Proof.
have [kr|rk] := ltnP k r; last first.
  by rewrite mass_beyond ?ltnS // mulr0 (eqP rk) mulr0 mul0r.
have e : k.+1%:R * 'C(r, k.+1)%:R = (r - k)%:R * 'C(r, k)%:R :> R by rewrite -!natrM mul_bin_left.
rewrite /mass; set t := (1 - q) ^+ (r - k.+1).
have -> : (1 - q) ^+ (r - k) = (1 - q) * t by rewrite -exprS subnSK.
rewrite exprS; transitivity (k.+1%:R * 'C(r, k.+1)%:R * (q * q ^+ k) * t); first by ring.
by rewrite e {1}odds; ring.
Qed.

Lemma upward_less j k : (j <= k)%N -> mass q r k.+1 * j%:R <= mass q r k * (E * (r - j)%:R).
Proof.
move=> jk; have m0 i : 0 <= mass q r i by exact: mass_ge0.
apply: (@le_trans _ _ (mass q r k.+1 * k.+1%:R)); first by rewrite ler_wpmul2l // ler_nat ltnW.
rewrite [leLHS]mulrC balance [leLHS]mulrC ler_wpmul2l // ler_wpmul2l ?ler_nat ?leq_sub2l //; exact: ltW.
Qed.
Lemma upward_more j k : (k < j)%N -> mass q r k * (E * (r - j)%:R) <= mass q r k.+1 * j%:R.
Proof.
move=> kj; have m0 i : 0 <= mass q r i by exact: mass_ge0.
apply: (@le_trans _ _ (mass q r k.+1 * k.+1%:R)); last by rewrite ler_wpmul2l // ler_nat.
rewrite [leRHS]mulrC balance [leRHS]mulrC ler_wpmul2l // ler_wpmul2l ?ler_nat ?leq_sub2l ?(ltnW kj) //; exact: ltW.
Qed.

Lemma tail_shifted j : tail q r j.+1 = \sum_(j <= k < r.+1) mass q r k.+1.
Proof.
have [jr|rj] := leqP j r; last by rewrite /tail !big_geq // ltnW.
by rewrite -(big_add1 _ _ j r.+2 xpredT (mass q r)) /= big_nat_recr //= mass_beyond // addr0.
Qed.
Lemma below_sum j : (j <= r.+1)%N -> 1 - tail q r j = \sum_(0 <= k < j) mass q r k.
Proof.
move=> jr; rewrite -(tail_all q r) /tail (big_cat_nat _ _ _ (leq0n j) jr) /=; ring.
Qed.

Lemma tail_falls_more j : tail q r j.+1 * (j%:R * mass q r j) <= tail q r j * (j.+1%:R * mass q r j.+1).
Proof.
rewrite balance tail_shifted /tail !mulr_suml; apply: ler_sum_nat => k /andP[jk _].
by rewrite (mulrA (mass q r k.+1)) (mulrA (mass q r k)) ler_wpmul2r ?mass_ge0 //; exact: upward_less.
Qed.
Lemma below_rises_less j : (j <= r)%N ->
  (1 - tail q r j) * (j.+1%:R * mass q r j.+1) <= (1 - tail q r j.+1) * (j%:R * mass q r j).
Proof.
move=> jr; rewrite balance below_sum ?leqW // below_sum ?ltnS // big_nat_recl //= mulrDl.
rewrite ler_paddl //.
  by apply: mulr_ge0; [exact: mass_ge0|apply: mulr_ge0; [exact: ler0n|exact: mass_ge0]].
rewrite !mulr_suml; apply: ler_sum_nat => k /andP[_ kj].
by rewrite (mulrA (mass q r k.+1)) (mulrA (mass q r k)) ler_wpmul2r ?mass_ge0 //; exact: upward_more.
Qed.

Lemma tail_falls_in_step j : j.+1%:R * tail q r j.+1 <= E * (r - j)%:R * tail q r j.
Proof.
rewrite tail_shifted /tail !mulr_sumr; apply: ler_sum_nat => k /andP[jk _].
apply: (@le_trans _ _ (k.+1%:R * mass q r k.+1)); first by rewrite ler_wpmul2r ?mass_ge0 // ler_nat ltnS.
rewrite balance ler_wpmul2r ?mass_ge0 // ler_wpmul2l ?ler_nat ?leq_sub2l //; exact: ltW.
Qed.

(** What solves the equation of the chain for the event "at least v". *)
Definition crossing (j : nat) : R := tail q r (maxn v j) * (1 - tail q r (minn v j)).
Definition solution (j : nat) : R := crossing j / (j%:R * mass q r j).

Let tail1 j : 0 <= 1 - tail q r j.
Proof. by rewrite subr_ge0 -(tail_all q r) tail_falls. Qed.
Lemma crossing_ge0 j : 0 <= crossing j.
Proof. by rewrite mulr_ge0 // tail_ge0. Qed.
Lemma solution_ge0 j : 0 <= solution j.
Proof. by rewrite divr_ge0 ?crossing_ge0 // mulr_ge0 ?ler0n ?mass_ge0. Qed.

Theorem stein k : (k <= r)%N ->
  k%:R * solution k - E * (r - k)%:R * solution k.+1 = (v <= k)%:R - tail q r v.
Proof.
move=> kr; have m0 : mass q r k != 0 by rewrite gt_eqF ?mass_gt0.
have -> : k%:R * solution k = crossing k / mass q r k.
  case: k kr m0 => [|k] kr m0; last first.
    by rewrite /solution invfM mulrCA (mulrA k.+1%:R) divff ?pnatr_eq0 // mul1r.
  by rewrite mul0r /crossing minn0 tail_all subrr mulr0 mul0r.
have -> : E * (r - k)%:R * solution k.+1 = crossing k.+1 / mass q r k.
  rewrite /solution balance; have [kr'|rk] := ltnP k r.
    have a0 : E * (r - k)%:R != 0 by rewrite mulf_neq0 ?gt_eqF // ltr0n subn_gt0.
    by rewrite invfM mulrCA (mulrA (E * _)) divff // mul1r.
  rewrite (eqP rk) !mulr0 mul0r /crossing tail_beyond ?mul0r //.
  by rewrite leq_max ltnS rk orbT.
have cut : tail q r k = mass q r k + tail q r k.+1 by exact: tail_cut.
have [vk|kv] := leqP v k.
  by rewrite /crossing !(maxn_idPr _) ?(minn_idPl _) ?leqW // cut (_ : nat_of_bool true = 1%N) // ; field.
by rewrite /crossing !(maxn_idPl _) ?(minn_idPr _) ?(ltnW kv) // cut (_ : nat_of_bool false = 0%N) //; field.
Qed.

Theorem solution_most j : (0 < v)%N -> (v <= r)%N -> (0 < j)%N -> solution j <= solution v.
Proof.
move=> v0 vr j0.
have pos k : (0 < k)%N -> (k <= r)%N -> 0 < k%:R * mass q r k by move=> k0 kr; rewrite mulr_gt0 ?ltr0n ?mass_gt0.
have above k : (v <= k)%N -> solution k = tail q r k / (k%:R * mass q r k) * (1 - tail q r v).
  by move=> vk; rewrite /solution /crossing (maxn_idPr vk) (minn_idPl vk) mulrAC.
have below k : (k <= v)%N -> solution k = (1 - tail q r k) / (k%:R * mass q r k) * tail q r v.
  by move=> kv; rewrite /solution /crossing (maxn_idPl kv) (minn_idPr kv) [RHS]mulrAC; congr (_ / _); exact: mulrC.
have divided (x y b c : R) : 0 < b -> 0 < c -> x * b <= y * c -> x / c <= y / b.
  by move=> b0 c0 h; rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
have down k : (0 < k)%N -> (k < r)%N -> (v <= k)%N -> solution k.+1 <= solution k.
  move=> k0 kr vk; rewrite (above k.+1 (leqW vk)) (above k vk); apply: ler_wpmul2r (tail1 v) _ _ _.
  by apply: divided; [exact: pos k0 (ltnW kr)|exact: pos|exact: tail_falls_more].
have up k : (0 < k)%N -> (k < v)%N -> solution k <= solution k.+1.
  move=> k0 kv; have kr := leq_trans kv vr; rewrite (below k.+1 kv) (below k (ltnW kv)).
  apply: ler_wpmul2r (tail_ge0 r v rq) _ _ _.
  by apply: divided; [exact: pos|exact: pos k0 (ltnW kr)|apply: below_rises_less; exact: ltnW].
have rise d : (d < v)%N -> solution (v - d) <= solution v.
  elim: d => [|d IH] dv; first by rewrite subn0.
  apply: le_trans (IH (ltnW dv)); have k0 : (0 < v - d.+1)%N by rewrite subn_gt0.
  have kv : (v - d.+1 < v)%N by rewrite ltn_subrL v0.
  by have := up _ k0 kv; rewrite subnSK // ltnW.
have fall d : solution (v + d) <= solution v.
  elim: d => [|d IH]; first by rewrite addn0.
  apply: le_trans IH; rewrite addnS; have [kr|rk] := ltnP (v + d) r.
    by apply: down => //; [exact: ltn_addr|exact: leq_addr].
  by rewrite {1}/solution mass_beyond ?ltnS // mulr0 invr0 mulr0 solution_ge0.
have [jv|/ltnW vj] := leqP j v; last by rewrite -(subnKC vj) fall.
by rewrite -(subKn jv) rise // ltn_subrL j0.
Qed.

End Chain.

(** --- a mechanism, and guesses --- *)

Section Guesses.
Variables (R : realFieldType) (m : nat) (Y : finType).
Implicit Types (s : {ffun 'I_m -> bool}) (i : 'I_m).

(** Which canaries are in, and the same with one of them the other way. *)
Definition flip s i : {ffun 'I_m -> bool} := [ffun k => if k == i then ~~ s k else s k].
Lemma flipK i : involutive (flip^~ i).
Proof. by move=> s; apply/ffunP => k; rewrite !ffunE; case: eqP => // _; rewrite negbK. Qed.

(** A mechanism that is asked which canaries are in, and is (ln E, d)-DP where one of them is the other way. *)
Definition private_of_canaries (E d : R) (M : {ffun 'I_m -> bool} -> Y -> R) : Prop :=
  forall s i, dp_pair E d (M s) (M (flip s i)).

(** From what it answers, some canaries are guessed to be in, or out; how many of the guesses are right. *)
Variable guess : Y -> 'I_m -> option bool.
Definition guessed (y : Y) : nat := #|[set i | guess y i != None]|.
Definition right s y : nat := #|[set i | guess y i == Some (s i)]|.

(** The chance of what happens, where each canary is in by a fair coin of its own. *)
Definition chance_of (M : {ffun 'I_m -> bool} -> Y -> R) (happens : {ffun 'I_m -> bool} -> Y -> bool) : R :=
  (2 ^+ m)^-1 * \sum_s \sum_(y | happens s y) M s y.

Definition is_right s y i : bool := guess y i == Some (s i).
Definition is_wrong s y i : bool := guess y i == Some (~~ s i).

Lemma rightE s y : right s y = (\sum_i is_right s y i)%N.
Proof. by rewrite /right -sum1_card big_mkcond /=; apply: eq_bigr => i _; rewrite inE /is_right; case: eqP. Qed.

Lemma wrongE s y : (\sum_i is_wrong s y i)%N = (guessed y - right s y)%N.
Proof.
suff -> : guessed y = ((\sum_i is_wrong s y i) + right s y)%N by rewrite addnK.
rewrite rightE -big_split /= /guessed -sum1_card big_mkcond /=; apply: eq_bigr => i _.
by rewrite inE /is_right /is_wrong; case: (guess y i) => [[]|]; case: (s i).
Qed.

Lemma right_guessed s y : (right s y <= guessed y)%N.
Proof. by apply/subset_leq_card/subsetP => i; rewrite !inE => /eqP ->. Qed.

Lemma right_flipped s y i : is_wrong s y i -> right (flip s i) y = (right s y).+1.
Proof.
move=> w; rewrite !rightE (bigD1 i) //= [in RHS](bigD1 i) //=.
have -> : is_right (flip s i) y i by rewrite /is_right ffunE eqxx.
have -> : is_right s y i = false by rewrite /is_right (eqP w); case: (s i).
rewrite add0n add1n; congr _.+1; apply: eq_bigr => k ki.
by rewrite /is_right ffunE (negbTE ki).
Qed.

Variables (E q d : R) (r v : nat) (M : {ffun 'I_m -> bool} -> Y -> R).
Hypotheses (q0 : 0 < q) (q1 : q < 1) (odds : q = E * (1 - q)) (v0 : (0 < v)%N) (vr : (v <= r)%N).
Hypotheses (private : private_of_canaries E d M) (all_guess : forall y, guessed y = r).
Hypothesis (canary : (0 < m)%N).

Let g := solution q r v.
Let c := g v.
Let g0 j : 0 <= g j. Proof. exact: solution_ge0. Qed.
Let c0 : 0 <= c. Proof. exact: g0. Qed.
Let some_canary : 'I_m := Ordinal canary.
Let M0 s y : 0 <= M s y. Proof. by case: (private s some_canary) => [[]]. Qed.
Let M1 s : \sum_y M s y = 1. Proof. by case: (private s some_canary) => [[]]. Qed.

(** What delta allows, whatever is weighed by at most c. *)
Let excess s i := \sum_y (is_right s y i)%:R * (M s y - E * M (flip s i) y) * g (right s y).
Let excess_small s i : excess s i <= c * d.
Proof.
have [_ _ [/events_hockey_stick h _]] := private s i.
apply: (@le_trans _ _ (c * hockey_stick 1 E (M s) (M (flip s i)))); last exact: ler_wpmul2l.
rewrite /hockey_stick mulr_sumr; apply: ler_sum => y _; rewrite mul1r; set x := _ - _.
case R' : (is_right s y i); last by rewrite !mul0r mulr_ge0 // pos_ge0.
have W0 : (0 < right s y)%N by rewrite rightE (bigD1 i) //= R'.
apply: (@le_trans _ _ (pos x * g (right s y))); first by rewrite mul1r ler_wpmul2r // le_pos.
by rewrite mulrC ler_wpmul2r ?pos_ge0 //; exact: (solution_most q0 q1 odds).
Qed.

Let excess_all : \sum_s \sum_i excess s i =
  \sum_s \sum_y M s y * ((v <= right s y)%N%:R - tail q r v).
Proof.
transitivity (\sum_s \sum_y M s y * ((right s y)%:R * g (right s y))
  - \sum_s \sum_y M s y * (E * (r - right s y)%:R * g (right s y).+1)); last first.
  rewrite -sumrB; apply: eq_bigr => s _; rewrite -sumrB; apply: eq_bigr => y _.
  by rewrite -mulrBr (stein v q0 q1 odds) // -(all_guess y) right_guessed.
transitivity (\sum_s \sum_i \sum_y (is_right s y i)%:R * (M s y * g (right s y))
  - \sum_s \sum_i \sum_y (is_right s y i)%:R * (E * M (flip s i) y * g (right s y))).
  rewrite -sumrB; apply: eq_bigr => s _; rewrite -sumrB; apply: eq_bigr => i _.
  by rewrite /excess -sumrB; apply: eq_bigr => y _; ring.
congr (_ - _).
  apply: eq_bigr => s _; rewrite exchange_big /=; apply: eq_bigr => y _.
  by rewrite -mulr_suml -natr_sum -rightE; ring.
rewrite exchange_big /=; transitivity (\sum_i \sum_s \sum_y (is_wrong s y i)%:R * (E * M s y * g (right s y).+1)).
  apply: eq_bigr => i _; rewrite (reindex_inj (inv_inj (flipK i))); apply: eq_bigr => s _; apply: eq_bigr => y _.
  rewrite flipK; have -> : is_right (flip s i) y i = is_wrong s y i by rewrite /is_right ffunE eqxx.
  by case w: (is_wrong s y i); rewrite ?mul0r // (right_flipped w).
rewrite exchange_big /=; apply: eq_bigr => s _; rewrite exchange_big /=; apply: eq_bigr => y _.
by rewrite -mulr_suml -natr_sum wrongE all_guess; ring.
Qed.

Theorem right_guesses : chance_of M (fun s y => (v <= right s y)%N) <=
  tail q r v + m%:R * d * (tail q r v * (1 - tail q r v) / (v%:R * mass q r v)).
Proof.
have two0 : 0 < (2 ^+ m : R) by rewrite exprn_gt0 // ltr0n.
have h : \sum_s \sum_y M s y * ((v <= right s y)%N%:R - tail q r v) <= 2 ^+ m * (m%:R * (c * d)).
  rewrite -excess_all; apply: (@le_trans _ _ (\sum_(s : {ffun 'I_m -> bool}) \sum_(i < m) c * d)).
    by apply: ler_sum => s _; apply: ler_sum => i _; exact: excess_small.
  rewrite (eq_bigr (fun _ => m%:R * (c * d))); last by move=> s _; rewrite sumr_const card_ord mulr_natl.
  by rewrite sumr_const -[_ *+ _]mulr_natl card_ffun card_bool card_ord natrX.
have e : \sum_s \sum_y M s y * ((v <= right s y)%N%:R - tail q r v) =
    \sum_s \sum_(y | (v <= right s y)%N) M s y - 2 ^+ m * tail q r v.
  rewrite -[2 ^+ m]natrX; have -> : (2 ^ m)%N = #|{: {ffun 'I_m -> bool}}| by rewrite card_ffun card_bool card_ord.
  rewrite mulr_natl -sumr_const -sumrB; apply: eq_bigr => s _; rewrite [X in _ = X - _]big_mkcond /=.
  rewrite [X in _ = _ - X](_ : _ = \sum_y M s y * tail q r v); last by rewrite -mulr_suml M1 mul1r.
  rewrite -sumrB; apply: eq_bigr => y _; rewrite mulrBr.
  by case: (v <= _)%N => /=; rewrite ?mulr1 ?mulr0.
move: h; rewrite e ler_subl_addl => h; rewrite /chance_of mulrC ler_pdivr_mulr //; apply: le_trans h _.
rewrite /c /g /solution /crossing maxnn minnn; set z := (_ / _); set n := (2 ^+ m).
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Guesses.

(** What a certificate compares with the level: so many right guesses, or more, have at most this chance. *)
Definition chance_at_most (R : realFieldType) (E d : R) (m r v : nat) : R :=
  tail (E / (1 + E)) r v * (1 + m%:R * d / (v%:R * mass (E / (1 + E)) r v)).

Lemma odds_of_rate (R : realFieldType) (E : R) : 0 < E ->
  [/\ 0 < E / (1 + E), E / (1 + E) < 1 & E / (1 + E) = E * (1 - E / (1 + E))].
Proof.
move=> E0; have s0 : 0 < 1 + E by rewrite addr_gt0 // ltr01.
split; [exact: divr_gt0|by rewrite ltr_pdivr_mulr // mul1r ltr_addr ltr01|].
by field; rewrite gt_eqF.
Qed.

Theorem chance_of_right (R : realFieldType) (m : nat) (Y : finType) (guess : Y -> 'I_m -> option bool) (E d : R)
    (r v : nat) (M : {ffun 'I_m -> bool} -> Y -> R) :
  0 < E -> 0 <= d -> private_of_canaries E d M -> (forall y, guessed guess y = r) -> (0 < m)%N ->
  (0 < v)%N -> (v <= r)%N ->
  chance_of M (fun s y => (v <= right guess s y)%N) <= chance_at_most E d m r v.
Proof.
move=> E0 d0 private all_guess m0 v0 vr; have [q0 q1 odds] := odds_of_rate E0.
apply: le_trans (right_guesses q0 q1 odds v0 vr private all_guess m0) _.
rewrite /chance_at_most; set q := E / (1 + E) in q0 q1 odds *.
have rq : rate q by rewrite /rate !ltW.
have mass0 : 0 < v%:R * mass q r v by rewrite mulr_gt0 ?ltr0n // mass_gt0.
rewrite [leRHS]mulrDr mulr1 ler_add2l [leRHS]mulrCA; apply: ler_wpmul2l; first by rewrite mulr_ge0 ?ler0n.
apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
by rewrite ler_pimulr ?tail_ge0 // ler_subl_addr ler_addl tail_ge0.
Qed.

(** --- several numbers of guesses --- *)

(** Of several attacks on one run, each with its number of guesses, some has a number of right guesses that is
    rejected; [rejected r v] for r guesses, as the share of the level that is each attack's allows. *)
Theorem best_of_guess_counts (R : realFieldType) (m j : nat) (Y : finType) (E d level : R)
    (guess : 'I_j -> Y -> 'I_m -> option bool) (r : 'I_j -> nat) (M : {ffun 'I_m -> bool} -> Y -> R)
    (rejected : nat -> nat -> bool) :
  0 < E -> 0 <= d -> private_of_canaries E d M -> (0 < m)%N -> 0 <= level ->
  (forall k y, guessed (guess k) y = r k) ->
  (forall r v, rejected r v -> (v <= r)%N ->
     (0 < v)%N /\ exists y, E <= y /\ j%:R * chance_at_most y d m r v <= level) ->
  chance_of M (fun s y => [exists k, rejected (r k) (right (guess k) s y)]) <= level.
Proof.
move=> E0 d0 private m0 l0 all_guess certified.
have M0 s y : 0 <= M s y by case: (private s (Ordinal m0)) => [[]].
have two0 : 0 <= (2 ^+ m : R)^-1 by rewrite invr_ge0 exprn_ge0 // ler0n.
have one k : chance_of M (fun s y => rejected (r k) (right (guess k) s y)) <= level / j%:R.
  have j0 : 0 < (j%:R : R) by rewrite ltr0n (leq_ltn_trans _ (ltn_ord k)).
  have [none|] := boolP [forall v : 'I_(r k).+1, ~~ rejected (r k) v].
    rewrite /chance_of big1 ?mulr0 ?divr_ge0 ?ler0n // => s _; rewrite big1 // => y w.
    have W : (right (guess k) s y < (r k).+1)%N by rewrite ltnS -(all_guess k y) right_guessed.
    by have /negP[] := forallP none (Ordinal W).
  rewrite negb_forall => /existsP[v0]; rewrite negbK => rejected0.
  have ex : exists v, rejected (r k) v by exists v0.
  case: (ex_minnP ex) => v rv least; have vr : (v <= r k)%N by apply: leq_trans (least _ rejected0) _; rewrite -ltnS.
  have [v1 [y [Ey h]]] := certified _ _ rv vr.
  have y0 : 0 < y := lt_le_trans E0 Ey.
  have private' : private_of_canaries y d M.
    move=> s i; have [P Q [h1 h2]] := private s i; split=> //.
    by split=> S; [apply: le_trans (h1 S) _|apply: le_trans (h2 S) _]; rewrite ler_add2r ler_wpmul2r // sumr_ge0.
  rewrite ler_pdivl_mulr // mulrC; apply: le_trans h; rewrite ler_wpmul2l ?ler0n //.
  apply: le_trans (chance_of_right y0 d0 private' (all_guess k) m0 v1 vr).
  rewrite /chance_of ler_wpmul2l //; apply: ler_sum => s _; rewrite [leLHS]big_mkcond [leRHS]big_mkcond /=.
  by apply: ler_sum => x _; case: ifP => [/least ->|_] //; case: ifP.
apply: (@le_trans _ _ (\sum_(k < j) level / j%:R)); last first.
  rewrite sumr_const card_ord -mulr_natl; have [->|j0] := eqVneq j 0%N; first by rewrite mul0r.
  by rewrite mulrCA divff ?mulr1 // pnatr_eq0.
apply: (@le_trans _ _ (\sum_(k < j) chance_of M (fun s y => rejected (r k) (right (guess k) s y)))); last first.
  by apply: ler_sum => k _; exact: one.
rewrite /chance_of -mulr_sumr ler_wpmul2l // exchange_big /=; apply: ler_sum => s _.
rewrite [leLHS]big_mkcond /= (eq_bigr (fun k => \sum_y (rejected (r k) (right (guess k) s y))%:R * M s y)); last first.
  by move=> k _; rewrite [LHS]big_mkcond; apply: eq_bigr => y _; case: ifP; rewrite ?mul1r ?mul0r.
rewrite exchange_big /=; apply: ler_sum => y _; rewrite -mulr_suml; case: existsP => [[k h]|_]; last first.
  by rewrite mulr_ge0 // sumr_ge0 // => k _; exact: ler0n.
by rewrite ler_pemull // (bigD1 k) //= h ler_addl sumr_ge0 // => i _; exact: ler0n.
Qed.
