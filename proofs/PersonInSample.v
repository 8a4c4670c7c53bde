(** A sampled sum of which one person has several records, each of which takes part by itself.

    What is told of it may be any function of the noisy sum ([told_of_person]).  Given which records of others take
    part, an event that normal noise has with probability Phi(- c) it has, k records of the person further, with
    probability at most Phi(k mu - c); how many of them take part is binomial ([mean_of_count]).  So a threshold on
    a line is the best event, of a mixture of normal laws at multiples of mu, and half-lines bound it
    ([person_sampled]): the rate is the chance that some record of the person takes part. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian NoiseLedgers LineCurves.
From ExactDP Require Import ThreeLaws ThreeNormalLaws BatchesInOrder DrawnBatches.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** What records contribute has a size of at most 1, and noise is such that a record moves the sum by at most mu
    deviations; a function of the noisy sum of those that take part is told.  Of one person, who has at most so
    many records, none contributes on the second input. *)
Definition told_of_person (mu q : R) (most : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (V : zmodType) (size : V -> R) (Z : finType) (noise : V -> Z -> R) (n : nat) (x x' : 'I_n -> V)
    (own : {set 'I_n}) (told : Z -> Y),
  [/\ size 0 = 0, forall u u', size (u - u') <= size u + size u',
    forall u u' r, size (u - u') <= r -> satisfies G (Gaussian (r * mu)%R) (noise u) (noise u') &
  [/\ (#|own| <= most)%N, forall i, size (x i) <= 1, forall i, x' i = if i \in own then 0 else x i,
    forall y, P y = \sum_(z | told z == y) sampled_sum q noise x z &
    forall y, Q y = \sum_(z | told z == y) sampled_sum q noise x' z]].

(** --- how many of the person's records take part --- *)

Section Counts.
Variable q : R.
Hypotheses (q0 : 0 <= q) (q1 : q <= 1).
Let r0 : 0 <= 1 - q. Proof. by rewrite subr_ge0. Qed.

Fixpoint mean_of_count (n : nat) (g : nat -> R) : R :=
  (if n is n'.+1 then (1 - q) * mean_of_count n' g + q * mean_of_count n' (fun k => g k.+1) else g 0%N)%R.

Lemma mean_of_count_le n g g' : (forall k, g k <= g' k) -> mean_of_count n g <= mean_of_count n g'.
Proof.
elim: n g g' => [|n IH] g g' le /=; first exact: le.
by apply: ler_add; apply: ler_wpmul2l => //; apply: IH.
Qed.

Lemma mean_of_count_rises n m g : (forall k, g k <= g k.+1) -> (n <= m)%N -> mean_of_count n g <= mean_of_count m g.
Proof.
move=> rise; elim: m => [|m IH]; first by rewrite leqn0 => /eqP ->.
rewrite leq_eqVlt => /predU1P[-> //|/IH le]; apply: le_trans le _ => /=.
apply: (@le_trans _ _ ((1 - q) * mean_of_count m g + q * mean_of_count m g)%R).
  by rewrite -mulrDl subrK mul1r.
by rewrite ler_add2l ler_wpmul2l //; exact: mean_of_count_le.
Qed.

Lemma mean_of_countD n g (c : R) : mean_of_count n (fun k => g k + c)%R = (mean_of_count n g + c)%R.
Proof. by elim: n g => //= n IH g; rewrite IH (IH (fun k => g k.+1)); ring. Qed.

Section Resampled.
Variable n : nat.
Implicit Types (A : {set 'I_n}) (F : {set 'I_n} -> R) (s : seq 'I_n).

Definition resampled (i : 'I_n) F A : R := ((1 - q) * F (A :\ i) + q * F (i |: A))%R.

Lemma resampled_once i F : \sum_A take_part q A * resampled i F A = \sum_A take_part q A * F A.
Proof.
rewrite !(by_others _ i); apply: eq_bigr => A h; congr (_ * _); rewrite /resampled.
have e1 : A :\ i = A by apply/setP => j; rewrite !inE; case: eqP => // ->; rewrite (negbTE h).
have e2 : (i |: A) :\ i = A by rewrite setU1K.
have e3 : i |: (i |: A) = i |: A by rewrite setUA setUid.
by rewrite e1 e2 e3 -mulrDl subrK mul1r.
Qed.

Lemma resampled_all s F : \sum_A take_part q A * foldr resampled F s A = \sum_A take_part q A * F A.
Proof. by elim: s => //= i s IH; rewrite resampled_once. Qed.

Lemma resampled_count s F g A : uniq s ->
  (forall A', (forall i, i \notin s -> (i \in A') = (i \in A)) -> F A' <= g (count (mem A') s)) ->
  foldr resampled F s A <= mean_of_count (size s) g.
Proof.
elim: s g A => [|i s IH] g A /=; first by move=> _; apply.
case/andP=> is_ us le; rewrite {1}/resampled; apply: ler_add; apply: ler_wpmul2l => //; apply: IH => // A' same.
  have out : i \notin A' by rewrite same // !inE eqxx.
  have := le A'; rewrite (negbTE out) add0n; apply=> j; rewrite inE negb_or => /andP[ji js].
  by rewrite same // !inE ji.
have inside : i \in A' by rewrite same // !inE eqxx.
have := le A'; rewrite inside add1n; apply=> j; rewrite inE negb_or => /andP[ji js].
by rewrite same // !inE (negbTE ji).
Qed.

Lemma all_take_part : \sum_(A : {set 'I_n}) take_part q A = 1.
Proof.
have <- : (\prod_(i : 'I_n) \sum_(b : bool) (if b then q else 1 - q)) = 1.
  by rewrite big1 // => i _; rewrite big_bool /= addrC subrK.
rewrite bigA_distr_bigA (reindex (fun A : {set 'I_n} => [ffun i => i \in A])) /=.
  by apply: eq_bigr => A _; apply: eq_bigr => i _; rewrite ffunE.
exists (fun f : {ffun 'I_n -> bool} => [set i | f i]) => [A|f] _.
  by apply/setP => i; rewrite inE ffunE.
by apply/ffunP => i; rewrite ffunE inE.
Qed.

Lemma take_part_ge0 A : 0 <= take_part q A.
Proof. by apply: prodr_ge0 => i _; case: ifP. Qed.
End Resampled.
End Counts.

(** --- one threshold is best --- *)

Section Person.
Variables (mu q : R) (most : nat).
Hypotheses (mu0 : 0 <= mu) (q0 : 0 <= q) (q1 : q <= 1).

Definition beyond (c : R) (k : nat) : R := Phi (k%:R * mu - c)%R.
Lemma beyond_rises c k : beyond c k <= beyond c k.+1.
Proof.
apply/RleP/ProfileShape.Phi_le/RleP; rewrite ler_add2r ler_wpmul2r // ler_nat; exact: leqnSn.
Qed.

(** Where an event has these chances with noise alone, what it may have further on. *)
Lemma event_further (Z : finType) (y tau : R) (B : Z -> R) (S : {set Z}) : 0 <= y -> 0 < tau -> distribution B ->
  exists c, forall k (D : Z -> R), satisfies G (Gaussian (k%:R * mu)%R) D B ->
    chance D S - y * chance B S <= (beyond c k + (- y * Phi (- c) + (1 + y) * tau))%R.
Proof.
move=> y0 t0 dB; have [b0 b1] := chance_inside (~: S) dB; have bE := chance_otherwise S dB.
have [c near] := Phi_near b0 b1 t0; exists c => k D h; have [dD _ _] := h; have [d0 d1] := chance_inside S dD.
have kmu : 0 <= k%:R * mu by rewrite mulr_ge0 ?ler0n.
have bE' : chance B S = 1 - chance B (~: S) by rewrite bE opprB addrCA subrr addr0.
rewrite bE' Phi_of_opp /beyond; case: near => [[low high]|[low high]].
  have e : Phi (c - k%:R * mu)%R = (1 - Phi (k%:R * mu - c))%R by rewrite -Phi_of_opp opprB.
  have := event_of_gaussian kmu (satisfies_sym h) low; rewrite (chance_otherwise S dD) e ler_add2l ler_opp2 => hD.
  apply: ler_add => //.
  have -> : (- y * (1 - Phi c) + (1 + y) * tau)%R = (- (y * (1 - Phi c - tau)) + tau)%R by ring.
  rewrite -[X in X <= _]addr0; apply: ler_add; last exact: ltW.
  rewrite ler_opp2 ler_wpmul2l // -addrA ler_add2l -opprD ler_opp2; exact: high.
have far : 1 - Phi c <= Phi (k%:R * mu - c)%R.
  rewrite -Phi_of_opp; apply/RleP/ProfileShape.Phi_le/RleP.
  by rewrite -[X in X <= _]add0r ler_add2r.
have -> : (Phi (k%:R * mu - c) + (- y * (1 - Phi c) + (1 + y) * tau))%R =
  ((Phi (k%:R * mu - c) + tau) - (y * (1 - tau - Phi c)))%R by ring.
apply: ler_add.
  apply: le_trans d1 _; apply: (@le_trans _ _ (1 - Phi c + tau)); last by rewrite ler_add2r.
  by rewrite -addrA -[X in X <= _]addr0 ler_add2l addrC subr_ge0.
rewrite ler_opp2 ler_wpmul2l // -addrA ler_add2l.
have [p0 _] := Phi_between c.
apply: (@le_trans _ _ (- tau)); last by rewrite ler_opp2.
by rewrite -[X in _ <= X]addr0 ler_add2l oppr_le0.
Qed.

Variables (y K : R).
Hypothesis y0 : 0 <= y.
Hypothesis worst : forall c, mean_of_count q most (beyond c) - y * Phi (- c) <= K.

Lemma person_divergence (Y : finType) (P Q : Y -> R) : told_of_person mu q most P Q -> hockey_stick 1 y P Q <= K.
Proof.
move=> [V [size_ [Z [noise [n [x [x' [own [told [size0 sizeB normal [few small zeroed p p']]]]]]]]]]].
apply: (told_divergence p p').
have dN u : distribution (noise u) by have [h _ _] := normal u u _ (lexx _); exact: h.
have sizeD u u' : size_ (u + u') <= size_ u + size_ u'.
  have -> : u + u' = u - (0 - u') by rewrite sub0r opprK.
  by apply: le_trans (sizeB _ _) _; rewrite ler_add2l; apply: le_trans (sizeB _ _) _; rewrite size0 add0r.
have as_call : hockey_stick 1 y (sampled_sum q noise x) (sampled_sum q noise x') =
    call y 0 (sampled_sum q noise x) (sampled_sum q noise x') (sampled_sum q noise x').
  by apply: eq_bigr => z _; rewrite mul1r mul0r subr0.
rewrite as_call; apply: call_of_events => S; rewrite mul0r subr0.
have split (u : 'I_n -> V) : chance (sampled_sum q noise u) S = \sum_A take_part q A * chance (noise (\sum_(i in A) u i)) S.
  by rewrite /chance /sampled_sum exchange_big /=; apply: eq_bigr => A _; rewrite mulr_sumr.
pose F (A : {set 'I_n}) := chance (noise (\sum_(i in A) x i)) S - y * chance (noise (\sum_(i in A) x' i)) S.
have -> : chance (sampled_sum q noise x) S - y * chance (sampled_sum q noise x') S = \sum_A take_part q A * F A.
  rewrite !split mulr_sumr -sumrB; apply: eq_bigr => A _; rewrite /F; ring.
rewrite -(resampled_all q (enum own)); apply: (@le_trans _ _ (\sum_(A : {set 'I_n}) take_part q A * K)); last first.
  by rewrite -mulr_suml all_take_part mul1r.
apply: ler_sum => A _; apply: ler_wpmul2l; first exact: take_part_ge0.
apply/ler_addgt0Pr => e e0; have y1 : 0 < 1 + y by rewrite ltr_spaddl ?ltr01.
pose tau := e / (1 + y); have t0 : 0 < tau by rewrite divr_gt0.
pose rest := \sum_(i in A | i \notin own) x i.
have [c further] := event_further S y0 t0 (dN rest).
pose g k := (beyond c k + (- y * Phi (- c) + (1 + y) * tau))%R.
have step : foldr (@resampled q n) F (enum own) A <= mean_of_count q (size (enum own)) g.
  apply: resampled_count => // [|A' same]; first exact: enum_uniq.
  have outside (u : 'I_n -> V) : \sum_(i in A' | i \notin own) u i = \sum_(i in A | i \notin own) u i.
    by apply: eq_bigl => i; case: (boolP (i \in own)) => h; rewrite ?andbF // same // mem_enum.
  have e' : \sum_(i in A') x' i = rest.
    rewrite (bigID (mem own)) /= big1 ?add0r => [|i /andP[_ iown]]; last by rewrite zeroed iown.
    rewrite /rest -outside; apply: eq_bigr => i /andP[_ iown]; by rewrite zeroed (negbTE iown).
  have ex : \sum_(i in A') x i = rest + \sum_(i in A' | i \in own) x i.
    by rewrite (bigID (mem own)) /= outside addrC.
  rewrite /F e' ex; apply: further; apply: normal; rewrite addrC addrA addNr add0r.
  have -> : count (mem A') (enum own) = (\sum_(i in A' | i \in own) 1)%N.
    rewrite -sum1_count big_enum_cond /=; apply: eq_bigl => i; exact: andbC.
  rewrite natr_sum; apply: (big_rec2 (fun u r => size_ u <= r)) => [|i u r _ le]; first by rewrite size0.
  by apply: le_trans (sizeD _ _) _; apply: ler_add.
apply: le_trans step _; rewrite /g mean_of_countD.
have tE : (1 + y) * tau = e by rewrite /tau mulrC divfK // gt_eqF.
rewrite addrA tE ler_add2r; apply: le_trans (worst c); rewrite mulNr ler_add2r -cardE.
by apply: mean_of_count_rises => //; exact: beyond_rises.
Qed.
End Person.
