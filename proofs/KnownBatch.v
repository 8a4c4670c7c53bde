(** Shuffled batches from above: to someone who is told in which batch a record is, an epoch is a Gaussian
    mechanism (SPEC, 7.4).

    Given the order, one sum moves, by at most r; the cells of two normal laws are no more distinguishable
    than these ([cells_gaussian]), and the other sums are no part of it ([order_gaussian]).  Over the orders the
    profile is at most a mean, and what is told of the cells is post-processing ([known_batch]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian RulesNoiseRenyi.
From ExactDP Require Import NoiseLedgers NoiseTests Tangents TangentPairs NormalTangents ProfileReflection ProfileShape.
From ExactDP Require Import CheckerMixedWorkloads ShuffledBatches ShuffledPairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma pos_sum (I : Type) (s : seq I) (A : pred I) (F : I -> R) :
  pos (\sum_(i <- s | A i) F i) <= \sum_(i <- s | A i) pos (F i).
Proof.
elim/big_rec2: _ => [|i x y _ le]; first by rewrite pos_id.
by apply: le_trans (posD _ _) _; rewrite ler_add2l.
Qed.

Section Batch.
Variables (deviation : R) (thresholds : nat) (c : nat -> R) (epsilon : R).
Hypothesis deviation0 : 0 < deviation.
Hypothesis rises : forall j k, (j < k < thresholds)%N -> c j < c k.

(** As of one batch. *)
Let below (m : R) (k : nat) : R := @below_cut deviation 1 thresholds (fun=> c) ord0 m k.
Let cell (m : R) (i : nat) : R := below m i.+1 - below m i.
Let stick (m m' : R) : R := \sum_(i < thresholds.+1) pos (1 * cell m i - exp epsilon * cell m' i).

Lemma cell_ge0 m i : 0 <= cell m i.
Proof.
rewrite subr_ge0 /below; have P x := Phi_inside_01 x.
case: i => [|j] /=; first by case: ifP => _; [have [] := andP (P ((c 0%N - m) / deviation)%R)|exact: ler01].
case: (ltnP j.+1 thresholds) => [lt|_].
  rewrite (ltnW lt); apply: Phi_rises => //; rewrite ler_add2r; apply/ltW/rises.
  by rewrite ltnSn.
by case: ifP => _ //; have [] := andP (P ((c j - m) / deviation)%R).
Qed.

Lemma cells_sum m : \sum_(i < thresholds.+1) cell m i = 1.
Proof.
have := telescoped (below m) (leqnn thresholds.+1); rewrite {2 3}/below /= ltnn subr0 => <-.
by apply: eq_bigl => i; rewrite ltn_ord.
Qed.

(** The cells between tangents are those of one mean, and of a lesser one. *)
Section Tables.
Variables (m m' : R).
Hypothesis less : m' < m.
Let mu := ((m - m') / deviation)%R.
Let loss (j : nat) : R := (mu * (mu / 2%:R - (m - c j) / deviation))%R.
Let t := cells certain (unzip2 (cuts_at (normal_tails mu) (mkseq loss thresholds))).

Lemma mu_gt0 : 0 < mu. Proof. by rewrite divr_gt0 // subr_gt0. Qed.

Lemma tails_of_loss j : normal_tails mu (loss j) =
  (1 - Phi ((c j - m) / deviation)%R, 1 - Phi ((c j - m') / deviation)%R).
Proof.
have opp x : 1 - Phi x = Phi (- x)%R by rewrite Phi_opp.
have m0 : mu != 0 by rewrite gt_eqF ?mu_gt0.
have d0 : deviation != 0 by rewrite gt_eqF.
have l : loss j / mu = mu / 2%:R - (m - c j) / deviation by rewrite /loss mulrC mulKf.
rewrite /normal_tails !opp l; congr (Phi _, Phi _); first by field.
by rewrite /mu; field.
Qed.

Lemma loss_sorted : sorted <%R (mkseq loss thresholds).
Proof.
apply/(sortedP 0) => j; rewrite size_mkseq => lt; rewrite !nth_mkseq ?(ltnW lt) // ltr_pmul2l ?mu_gt0 //.
rewrite ltr_add2l ltr_opp2 ltr_pmul2r ?invr_gt0 // ltr_add2l ltr_opp2; apply: rises.
by rewrite ltnSn.
Qed.

Lemma tangent_cellsE : t = mkseq (fun i => (cell m i, cell m' i)) thresholds.+1.
Proof.
have last_1 m0 : below m0 thresholds.+1 = 1 by rewrite /below /= ltnn.
rewrite /t -(cells_of_distributions (last_1 m) (last_1 m')) /below /= !subr0; congr cells.
rewrite /unzip2 /cuts_at /mkseq -!map_comp; apply/eq_in_map => j; rewrite mem_iota add0n => /= lt.
by rewrite tails_of_loss lt.
Qed.

Lemma lesser_gaussian : stick m m' <= G mu epsilon /\ stick m' m <= G mu epsilon.
Proof.
have [_ _ [_ _ h]] := normal_drawn mu_gt0 loss_sorted; have [/events_hockey_stick le /events_hockey_stick le'] := h epsilon.
move: le le'; rewrite -/t /hockey_stick (sum_of_table (fun p q => pos (1 * p - exp epsilon * q))).
rewrite (sum_of_table (fun p q => pos (1 * q - exp epsilon * p))) tangent_cellsE !big_map.
have -> : iota 0 thresholds.+1 = index_iota 0 thresholds.+1 by rewrite /index_iota subn0.
by rewrite !big_mkord.
Qed.
End Tables.

Lemma cells_gaussian r m m' : `|m - m'| <= r -> stick m m' <= G (r / deviation)%R epsilon.
Proof.
move=> le; have r0 : 0 <= r := le_trans (normr_ge0 _) le.
have up x : 0 <= x -> x <= r -> G (x / deviation)%R epsilon <= G (r / deviation)%R epsilon.
  by move=> x0 xr; apply: G_monotone; [rewrite divr_ge0 // ltW|rewrite ler_pmul2r // invr_gt0].
case: (ltrgtP m m') => [lt|lt|e].
- rewrite -[m - m']opprB normrN gtr0_norm ?subr_gt0 // in le.
  by apply: le_trans (proj2 (lesser_gaussian lt)) (up _ _ le); rewrite subr_ge0 ltW.
- rewrite gtr0_norm ?subr_gt0 // in le.
  by apply: le_trans (proj1 (lesser_gaussian lt)) (up _ _ le); rewrite subr_ge0 ltW.
apply: le_trans (up 0 (lexx 0) r0); rewrite /stick e mul0r /G ltxx.
rewrite (eq_bigr (fun i : 'I_thresholds.+1 => cell m' i * pos (1 - exp epsilon))) => [|i _].
  by rewrite -mulr_suml cells_sum mul1r.
by rewrite -mulrBl mulrC posM // cell_ge0.
Qed.
End Batch.

Section Epoch.
Variables (deviation : R) (batches records thresholds : nat) (batch : 'I_records -> 'I_batches).
Variables (cut : 'I_batches -> nat -> R) (x x' : 'I_records -> R) (one : 'I_records) (r epsilon : R).
Hypothesis deviation0 : 0 < deviation.
Hypothesis rises : forall t j k, (j < k < thresholds)%N -> cut t j < cut t k.
Hypotheses (same : forall i, i != one -> x i = x' i) (moved : `|x one - x' one| <= r).
Let E := exp epsilon.
Let cell t (m : R) (i : nat) : R := cell_of_sum deviation thresholds cut t m i.
Let outputs := epoch_outputs batches thresholds.

Lemma other_batch (order : 'S_records) t : t != batch (order one) ->
  sum_of_batch batch x order t = sum_of_batch batch x' order t.
Proof.
move=> ne; apply: eq_bigr => i /eqP e; apply: same; apply/eqP => i1.
by move: ne; rewrite -e i1 eqxx.
Qed.

Lemma batch_moved (order : 'S_records) (t := batch (order one)) :
  `|sum_of_batch batch x order t - sum_of_batch batch x' order t| <= r.
Proof.
rewrite /sum_of_batch (bigD1 one) //= [X in _ - X](bigD1 one) //=.
rewrite [X in _ - (_ + X)](eq_bigr x) => [|i /andP[_ /same ->] //].
by rewrite opprD addrACA subrr addr0.
Qed.

(** Given the order. *)
Lemma order_gaussian (order : 'S_records) :
  \sum_(o : outputs) pos (\prod_t cell t (sum_of_batch batch x order t) (o t) -
    E * \prod_t cell t (sum_of_batch batch x' order t) (o t)) <= G (r / deviation)%R epsilon.
Proof.
set t0 := batch (order one); pose p t i := cell t (sum_of_batch batch x order t) i.
pose q t i := cell t (sum_of_batch batch x' order t) i.
have p0 t i : 0 <= p t i by exact: cell_ge0 deviation0 (@rises t) _ _.
pose F t (i : 'I_thresholds.+1) := if t == t0 then pos (1 * p t i - E * q t i) else p t i.
rewrite (eq_bigr (fun o : outputs => \prod_t F t (o t))) => [|o _]; last first.
  rewrite (bigD1 t0) //= [X in E * X](bigD1 t0) //= [RHS](bigD1 t0) //= {1}/F eqxx.
  rewrite [X in E * (_ * X)](eq_bigr (fun t => p t (o t))) => [|t ne]; last by rewrite /p other_batch.
  rewrite [X in _ = _ * X](eq_bigr (fun t => p t (o t))) => [|t /negbTE ne]; last by rewrite /F ne.
  rewrite mulrA -mulrBl mulrC posM; last by apply: prodr_ge0 => t _; exact: p0.
  by rewrite mulrC mul1r.
rewrite -(bigA_distr_bigA F) (bigD1 t0) //= [X in _ * X]big1 => [|t /negbTE ne]; last first.
  rewrite /F ne; exact: (cells_sum deviation thresholds (cut t) (sum_of_batch batch x order t)).
rewrite mulr1 /F eqxx.
exact: (@cells_gaussian deviation thresholds (cut t0) epsilon deviation0 (@rises t0) r _ _ (batch_moved order)).
Qed.

Lemma epoch_gaussian : \sum_(o : outputs) pos (1 * epoch_law deviation batch cut x o -
  E * epoch_law deviation batch cut x' o) <= G (r / deviation)%R epsilon.
Proof.
pose gap (order : 'S_records) (o : outputs) := \prod_t cell t (sum_of_batch batch x order t) (o t) -
  E * \prod_t cell t (sum_of_batch batch x' order t) (o t).
have n0 : 0 < (records`!)%:R^-1 :> R by rewrite invr_gt0 ltr0n fact_gt0.
apply: (@le_trans _ _ (\sum_(o : outputs) (records`!)%:R^-1 * \sum_order pos (gap order o))).
  apply: ler_sum => o _; rewrite /epoch_law mul1r mulrA -mulrBl mulrC posM ?(ltW n0) //.
  by rewrite ler_pmul2l // mulr_sumr -sumrB; exact: pos_sum.
rewrite -mulr_sumr exchange_big /= mulrC ler_pdivr_mulr ?ltr0n ?fact_gt0 //.
apply: le_trans (ler_sum _ (fun order _ => order_gaussian order)) _.
by rewrite sumr_const card_Sn mulr_natr.
Qed.
End Epoch.

(** A Gaussian mechanism, whatever the order and whatever is told. *)
Theorem known_batch (deviation r : R) (batches : nat) (allowed : R -> R -> Prop) (Y : finType) (P Q : Y -> R) :
  0 < deviation -> (forall a b, `|a| <= 1 -> `|b| <= 1 -> allowed a b -> `|a - b| <= r) ->
  distribution P -> distribution Q -> told_of_epoch deviation batches allowed P Q ->
  satisfies G (Gaussian (r / deviation)%R) P Q.
Proof.
move=> d0 near dP dQ [n [batch [x [x' [one [small same own [k [cut [told [rises p q]]]]]]]]]].
have moved : `|x one - x' one| <= r by have [h h'] := small one; exact: near.
have half (u u' : 'I_n -> R) (S T : Y -> R) epsilon : (forall i, i != one -> u i = u' i) -> `|u one - u' one| <= r ->
    (forall y, S y = \sum_(o | told o == y) epoch_law deviation batch cut u o) ->
    (forall y, T y = \sum_(o | told o == y) epoch_law deviation batch cut u' o) ->
    hockey_stick 1 (exp epsilon) S T <= G (r / deviation)%R epsilon.
  move=> same' moved' s t; apply: le_trans (@epoch_gaussian deviation batches n k batch cut u u' one r epsilon d0 rises same' moved').
  rewrite [X in _ <= X](partition_big told xpredT) //=; apply: ler_sum => y _.
  by rewrite s t !mulr_sumr -sumrB; exact: pos_sum.
split=> // epsilon; split; apply/events_hockey_stick; first exact: half p q.
by apply: half q p => [i /same ->|]; rewrite // distrC.
Qed.

(** As a ledger has it. *)
Theorem shuffled_gaussian (s : sides) (v : R) (batches : nat) (Y : finType) (P Q : Y -> R) : 0 < v ->
  has_noise (OfShuffled s v batches) P Q ->
  has_noise (OfNotion (Gaussian ((if s is WithEither then 2%:R else 1) / sqrt v)%R)) P Q.
Proof.
move=> v0 [dP dQ h]; have r0 : 0 < sqrt v by apply/RltP/sqrt_lt_R0/RltP.
split=> //; apply: known_batch h => // a b a1 b1; case: s => /= [->|->|_].
- by rewrite subr0.
- by rewrite sub0r normrN.
by apply: le_trans (ler_norm_sub a b) _; rewrite -[2%:R]/(1 + 1); exact: ler_add.
Qed.
