(** Records that are put into batches one by one, with normal noise on the sum of each batch, on a mesh: what is
    told of them is known by the law of a sum of T independent values, each a multiple of a unit.

    These values have to lie above one batch ([call_above]: it is enough that they do at their own values, what is
    cut off added).  Then the pair of the laws Q, of the sum S, and P, S/T times that, is nowhere below what the
    mechanism tells, and neither is any part of it ([allocated_overlap]): the law of the sum may be rounded down,
    as the coefficients of a power of a polynomial ([in_all_below]).  No certificate uses it yet. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Losses Notions RulesGaussian NoiseLedgers OverlapTables Tables.
From ExactDP Require Import Moments Logarithms ThreeLaws ThreeNormalLaws ThreeLawsOnMesh BatchesInOrder AllocatedBatches GaussianBatches DrawnBatches.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** In one epoch each of n records is in one of T batches, as likely in any; what records contribute has a size
    of at most 1, and step t tells of the sum of batch t, with normal noise: any of these may depend on earlier
    answers.  One record contributes nothing on the second input. *)
Definition told_of_allocation (deviation : R) (T : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (V : zmodType) (size : V -> R) (Z : finType) (noise : nat -> seq Z -> V -> Z -> R) (n : nat)
    (x x' : contributions Z V n) (one : 'I_n) (told : T.-tuple Z -> Y),
  [/\ size 0 = 0, forall u u', size (u - u') <= size u + size u', of_normal_noise size deviation noise &
  [/\ forall t past i, size (x t past i) <= 1, forall t past i, i != one -> x t past i = x' t past i,
    forall t past, x' t past one = 0,
    forall y, P y = \sum_(z | told z == y) allocated (T := T) noise x z &
    forall y, Q y = \sum_(z | told z == y) allocated (T := T) noise x' z]].

(** --- above one batch --- *)

Section Above.
Variables (K Y : finType) (mass value : K -> R) (cut : R) (P Q : Y -> R).
Hypotheses (dm : distribution mass) (dQ : distribution Q).
Hypothesis at_values : forall k, hockey_stick 1 (value k) P Q <= call_of mass value (value k) + cut.

Lemma chance_below (S : {set Y}) u : chance P S - chance Q S * u <= hockey_stick 1 u P Q.
Proof.
have -> : chance P S - chance Q S * u = \sum_(z in S) (1 * P z - u * Q z).
  by rewrite sumrB mulr_suml; congr (_ - _); apply: eq_bigr => z _; [rewrite mul1r|rewrite mulrC].
rewrite /hockey_stick [X in _ <= X](bigID (mem S)) /= -[X in X <= _]addr0; apply: ler_add.
  by apply: ler_sum => z _; rewrite [X in _ <= X]/pos le_maxr lexx.
by apply: sumr_ge0 => z _; exact: pos_ge0.
Qed.

Lemma call_above y v : call y v P Q Q <= call_of mass value (y + v) + cut.
Proof.
apply: call_of_events => S; have [q0 q1] := chance_inside S dQ; set u := y + v.
have -> : chance P S - y * chance Q S - v * chance Q S = chance P S - chance Q S * u by rewrite /u; ring.
set p := chance P S; set q := chance Q S.
have known k : p - q * value k <= call_of mass value (value k) + cut.
  by apply: le_trans (at_values k); exact: chance_below.
have [[b [ub mb]]|all] := least_after value u; last first.
  have [[a [au ma]]|none] := greatest_until value u; last first.
    have [k0 _ ] : exists k : K, true.
      have [_ m1] := dm; case: (pickP (fun _ : K => true)) => [k _|empty]; first by exists k.
      by move: m1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
    by have := none k0; rewrite ltNge all.
  rewrite (@table_last _ mass value cut _ _ au) => [|k]; last by apply: ma.
  by apply: le_trans (known a); rewrite ler_add2l ler_opp2 ler_wpmul2l.
have [[a [au ma]]|none] := greatest_until value u.
  apply: (@line_below _ mass value cut _ _ _ _ _ au (ltW ub)) => // k.
  by case: (leP (value k) u) => h; [left; exact: ma|right; exact: mb].
rewrite (@table_first _ mass value cut dm _ _ (ltW ub)) => [|k]; last by apply: mb.
have -> : p - q * u = p - q * value b + q * (value b - u) by ring.
by apply: ler_add => //; rewrite -[X in _ <= X]mul1r ler_wpmul2r // subr_ge0 ltW.
Qed.
End Above.

(** --- sums of independent values --- *)

Section Sums.
Variables (J : nat) (mass : 'I_J.+1 -> R).
Hypothesis dm : distribution mass.

Definition in_all (T : nat) (phi : nat -> R) : R :=
  \sum_(k : T.-tuple 'I_J.+1) (\prod_(t < T) mass (tnth k t)) * phi (\sum_(t < T) tnth k t)%N.

Lemma in_all0 phi : in_all 0 phi = phi 0%N.
Proof. by rewrite /in_all sum_tuples0 !big_ord0 mul1r. Qed.

Lemma in_allS T phi : in_all T.+1 phi = \sum_a mass a * in_all T (fun s => phi (a + s)%N).
Proof.
rewrite /in_all sum_tuples; apply: eq_bigr => a _; rewrite mulr_sumr; apply: eq_bigr => k _.
rewrite !big_ord_recl !tnth0 -mulrA; congr (_ * (_ * phi _)).
  by apply: eq_bigr => t _; rewrite tnthS.
by congr (_ + _)%N; apply: eq_bigr => t _; rewrite tnthS.
Qed.

Definition first_moment : R := \sum_a mass a * (a : nat)%:R.

Lemma in_all_linear T (c e : R) : in_all T (fun s => c * s%:R + e) = (c * (T%:R * first_moment) + e)%R.
Proof.
elim: T e => [|T IH] e; first by rewrite in_all0 mul0r.
rewrite in_allS; under eq_bigr => a _.
  have -> : in_all T (fun s => c * (a + s)%:R + e) = in_all T (fun s => c * s%:R + (c * a%:R + e)).
    by apply: eq_bigr => k _; congr (_ * _); rewrite natrD; ring.
  rewrite IH; over.
have [_ m1] := dm.
rewrite (eq_bigr (fun a => mass a * (c * (T%:R * first_moment) + e) + c * (mass a * (a : nat)%:R))) => [|a _]; last ring.
rewrite big_split /= -mulr_suml m1 -mulr_sumr -/first_moment -[T.+1%:R]/(T.+1)%:R -addn1 natrD; ring.
Qed.

Lemma in_all_le T phi psi : (forall s, phi s <= psi s) -> in_all T phi <= in_all T psi.
Proof.
move=> le; apply: ler_sum => k _; apply: ler_wpmul2l => //; apply: prodr_ge0 => t _.
by case: dm => m0 _; exact: m0.
Qed.

Lemma in_allB T phi psi : in_all T (fun s => phi s - psi s) = in_all T phi - in_all T psi.
Proof. by rewrite /in_all -sumrB; apply: eq_bigr => k _; rewrite mulrBr. Qed.

(** As the coefficients of a power of a polynomial. *)
Definition mass_polynomial : {poly R} := \sum_a (mass a)%:P * 'X^a.

Lemma size_mass : (size mass_polynomial <= J.+1)%N.
Proof.
apply: leq_trans (size_sum _ _ _) _; apply/bigmax_leqP => a _; rewrite mul_polyC.
by apply: leq_trans (size_scale_leq _ _) _; rewrite size_polyXn ltn_ord.
Qed.

Lemma coef_mass (a : 'I_J.+1) : mass_polynomial`_a = mass a.
Proof.
rewrite coef_sum (bigD1 a) //= coefCM coefXn eqxx mulr1 big1 ?addr0 // => b ba.
by rewrite coefCM coefXn; case: eqP => [e|_]; rewrite ?mulr0 //; move: ba; rewrite -(inj_eq val_inj) /= e eqxx.
Qed.

Definition over (N : nat) (A : {poly R}) (phi : nat -> R) : R := \sum_(n < N) A`_n * phi n.

Lemma over_widen N N' (A : {poly R}) phi : (size A <= N)%N -> (N <= N')%N -> over N A phi = over N' A phi.
Proof.
move=> small wide; rewrite /over (big_ord_widen N' (fun n => A`_n * phi n) wide) big_mkcond /=; apply: eq_bigr => n _.
by case: ltnP => // h; rewrite nth_default ?mul0r // (leq_trans small).
Qed.

Lemma over_shift N a (A : {poly R}) phi : over (a + N) ('X^a * A) phi = over N A (fun s => phi (a + s)%N).
Proof.
rewrite /over big_split_ord /= big1 ?add0r => [|n _]; last by rewrite coefXnM ltn_ord mul0r.
by apply: eq_bigr => n _; rewrite coefXnM ltnNge leq_addr addKn.
Qed.

Lemma size_power T : (size (mass_polynomial ^+ T) <= (T * J).+1)%N.
Proof.
apply: leq_trans (size_exp_leq _ _) _; rewrite ltnS mulnC leq_mul2l orbC.
by rewrite -subn1 leq_subLR add1n size_mass.
Qed.

Lemma sum_law_of_power T phi : in_all T phi = over (T * J).+1 (mass_polynomial ^+ T) phi.
Proof.
elim: T phi => [|T IH] phi; first by rewrite in_all0 /over big_ord1 expr0 coef1 mul1r.
rewrite in_allS exprS; have small := size_power T; set A := mass_polynomial ^+ T in IH small *.
set N := (T.+1 * J).+1; rewrite /mass_polynomial mulr_suml.
have -> : over N (\sum_a (mass a)%:P * 'X^a * A) phi = \sum_a mass a * over N ('X^a * A) phi.
  rewrite /over; under [RHS]eq_bigr do rewrite mulr_sumr.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => n _; rewrite coef_sum mulr_suml; apply: eq_bigr => a _.
  by rewrite -mulrA coefCM mulrA.
apply: eq_bigr => a _; congr (_ * _); rewrite IH -over_shift; apply: over_widen.
  by apply: leq_trans (size_mul_leq _ _) _; rewrite size_polyXn addSn /= leq_add2l.
by rewrite addnS ltnS mulSn leq_add2r -ltnS ltn_ord.
Qed.

(** Whatever is below the coefficients. *)
Theorem in_all_below (D : Z) T (t : placed) (phi : nat -> R) : Z.lt 0 D -> (forall s, 0 <= phi s) ->
  stays_below D (mass_polynomial ^+ T) t ->
  \sum_(n < size (flat t)) IZR (nth Z0 (flat t) n) / IZR D * phi n <= in_all T phi.
Proof.
move=> D0 phi0 b; have D0' : 0 < IZR D by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite sum_law_of_power; set A := mass_polynomial ^+ T in b *; set N := maxn (size (flat t)) (T * J).+1.
rewrite (@over_widen _ N) ?leq_maxr ?size_power // /over (big_ord_widen N (fun n => IZR (nth Z0 (flat t) n) / IZR D * phi n)) ?leq_maxl //.
rewrite big_mkcond /=; apply: ler_sum => n _; have [v0 vle] := b n; case: ltnP => _.
  by apply: ler_wpmul2r => //; rewrite ler_pdivr_mulr // mulrC.
apply: mulr_ge0 => //; rewrite -(pmulr_rge0 _ D0'); apply: le_trans vle; exact: IZR_ge0.
Qed.
End Sums.

(** --- what is told --- *)

Section Told.
Variables (J : nat) (mass : 'I_J.+1 -> R) (deviation eta cut : R) (T : nat).
Hypotheses (dm : distribution mass) (d0 : 0 < deviation) (eta0 : 0 < eta) (T0 : (0 < T)%N).
Let W (a : 'I_J.+1) : R := (eta * (a : nat)%:R)%R.
Hypothesis whole : eta * first_moment mass + cut = 1.
Hypothesis above : forall a : 'I_J.+1, (0 < a)%N -> G (1 / deviation)%R (ln (W a)) <= call_of mass W (W a) + cut.

Lemma call_of_0 : call_of mass W 0 = eta * first_moment mass.
Proof.
rewrite /call_of /first_moment mulr_sumr; apply: eq_bigr => a _.
by rewrite subr0 pos_id ?mulr_ge0 ?ler0n ?(ltW eta0) // /W mulrCA.
Qed.

Lemma call_above_batch (Y : finType) (P Q : Y -> R) y v : satisfies G (Gaussian (1 / deviation)%R) P Q ->
  call y v P Q Q <= call_of mass (fun a => W a - y) v + cut.
Proof.
move=> h; have [dP dQ near] := h.
have -> : call_of mass (fun a => W a - y) v = call_of mass W (y + v).
  by apply: eq_bigr => a _; rewrite opprD addrA.
apply: (call_above dm dQ) => a; have [a0|a0] := posnP (a : nat).
  rewrite /W a0 mulr0 call_of_0 whole; have [P0 P1] := dP; rewrite /hockey_stick.
  by under eq_bigr do rewrite mul1r mul0r subr0 pos_id //; rewrite P1.
have W0 : 0 < W a by rewrite /W mulr_gt0 // ltr0n.
by have [/events_hockey_stick] := near (ln (W a)); rewrite lnK // => le _; exact: le_trans le (above a0).
Qed.

Theorem allocated_overlap (Y : finType) (P Q : Y -> R) y : 0 <= y -> told_of_allocation deviation T P Q ->
  in_all mass T (fun s => Num.min (eta * s%:R / T%:R)%R y) <= 1 - hockey_stick 1 y P Q.
Proof.
move=> y0 [V [size_ [Z [noise [n [x [x' [one [told [size0 sizeB normal [small alike zeroed p p']]]]]]]]]]].
rewrite ler_subr_addr addrC -ler_subr_addr; apply: (told_divergence p p').
have T0' : T%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have le := @allocated_three_laws _ Z V n T noise one (Ordinal T0) x x' y
  (fun t past i _ => alike t past i) _ (fun=> mass) (fun _ a => W a - y) (fun=> cut).
apply: le_trans (le _ _ _) _.
- by move=> t past s _; have [h _ _] := normal t past s s _ (lexx _); exact: h.
- by [].
- move=> t past s _ v; rewrite zeroed addr0; apply: call_above_batch; apply: normal.
  by rewrite addrC addrA addNr add0r; exact: small.
have -> : \sum_(t < T) T%:R^-1 * cut = cut.
  by rewrite sumr_const card_ord -mulr_natl mulrA divff // mul1r.
have -> : mean_above T (fun=> T%:R^-1) (fun=> mass) (fun _ a => W a - y) 0 =
    in_all mass T (fun s => (eta / T%:R) * s%:R + 0 - Num.min (eta * s%:R / T%:R)%R y)%R.
  apply: eq_bigr => k _; congr (_ * _); rewrite add0r addr0.
  have -> : \sum_(t < T) T%:R^-1 * (W (tnth k t) - y) = eta * (\sum_(t < T) tnth k t)%N%:R / T%:R - y.
    rewrite -mulr_sumr sumrB mulrBr; congr (_ - _); last first.
      by rewrite sumr_const card_ord -[y *+ T]mulr_natl mulrA mulVf // mul1r.
    by rewrite mulrC natr_sum /W -mulr_sumr.
  set m := (\sum_(t < T) tnth k t)%N; have -> : eta / T%:R * m%:R = eta * m%:R / T%:R by rewrite mulrAC.
  set a := eta * m%:R / T%:R; case: (leP a y) => h; first by rewrite subrr pos_0 // subr_le0.
  by rewrite pos_id // subr_ge0 ltW.
rewrite in_allB in_all_linear // addr0; have -> : eta / T%:R * (T%:R * first_moment mass) = eta * first_moment mass.
  by field.
by rewrite addrAC whole.
Qed.
End Told.
