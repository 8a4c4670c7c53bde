(** What the outcome of many runs rejects (SPEC, 11.26 and 14).

    A test tells membership at a rate [p] of true positives, and leaves non-members alone at a rate [r], so
    that [1 - r] is its rate of false ones.  Of [n] runs of one kind [a] or more have that answer with the
    chance [tail p n a], which rises with the rate ([tail_rises]).  A certificate names two rates at which
    the counts have a chance of at most half the level, and which no mechanism within the claim has
    together: then one of two events of half the level has happened ([half_the_level]), and what is within
    the claim is rejected in at most the share [level] of experiments ([rejected_rarely]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Runs.
Variable R : realFieldType.

(** The chance of [k] among [n] runs, and that of at least [a]. *)
Definition mass (p : R) (n k : nat) : R := 'C(n, k)%:R * p ^+ k * (1 - p) ^+ (n - k).
Definition tail (p : R) (n a : nat) : R := \sum_(a <= k < n.+1) mass p n k.

Lemma mass_beyond p n k : (n < k)%N -> mass p n k = 0.
Proof. by move=> nk; rewrite /mass bin_small // mulr0n !mul0r. Qed.

Lemma mass_step p n k : mass p n.+1 k.+1 = p * mass p n k + (1 - p) * mass p n k.+1.
Proof.
rewrite /mass binS subSS natrD; have [kn|nk] := ltnP k n.
  by rewrite -(subnSK kn) !exprS; ring.
by rewrite (@bin_small n k.+1) ?ltnS // exprS; ring.
Qed.

Lemma mass_none p n : mass p n.+1 0 = (1 - p) * mass p n 0.
Proof. by rewrite /mass !bin0 !expr0 !subn0 exprS; ring. Qed.

Lemma tail_beyond p n a : (n < a)%N -> tail p n a = 0.
Proof. by move=> na; rewrite /tail big_geq. Qed.

Lemma tail_cut p n a : (a <= n)%N -> tail p n a = mass p n a + tail p n a.+1.
Proof. by move=> an; rewrite /tail big_ltn. Qed.

Lemma tail_step p n a : tail p n.+1 a.+1 = p * tail p n a + (1 - p) * tail p n a.+1.
Proof.
rewrite /tail big_add1 /=.
under eq_bigr => k _ do rewrite mass_step.
rewrite big_split /= -!mulr_sumr; congr (_ + _ * _).
have [an|na] := leqP a n; last by rewrite !big_geq // ltnW.
rewrite -(big_add1 _ _ a n.+2 xpredT (mass p n)) /= big_nat_recr ?ltnS //=.
by rewrite mass_beyond ?addr0.
Qed.

Lemma tail_all p n : tail p n 0 = 1.
Proof.
elim: n => [|n IH]; first by rewrite /tail big_nat1 /mass bin0 !expr0 !mul1r.
rewrite tail_cut // tail_step mass_none.
have -> : (1 - p) * mass p n 0 + (p * tail p n 0 + (1 - p) * tail p n 1)
  = p * tail p n 0 + (1 - p) * (mass p n 0 + tail p n 1) by ring.
by rewrite -tail_cut // IH; ring.
Qed.

Definition rate (p : R) := (0 <= p) && (p <= 1).

Lemma mass_ge0 p n k : rate p -> 0 <= mass p n k.
Proof.
by case/andP=> p0 p1; rewrite /mass !mulr_ge0 ?ler0n ?exprn_ge0 // subr_ge0.
Qed.

Lemma tail_ge0 p n a : rate p -> 0 <= tail p n a.
Proof. by move=> rp; apply: sumr_ge0 => k _; apply: mass_ge0. Qed.

Lemma tail_falls p n a b : rate p -> (a <= b)%N -> tail p n b <= tail p n a.
Proof.
move=> rp /subnK <-; elim: (b - a)%N => [|d IH]; first exact: lexx.
apply: le_trans IH; rewrite addSn; have [an|na] := leqP (d + a) n.
  by rewrite (tail_cut _ an) ler_addr mass_ge0.
by rewrite !tail_beyond // ltnW.
Qed.

(** The chance of at least so many rises with the rate. *)
Lemma tail_rises p p' n a : rate p -> rate p' -> p <= p' -> tail p n a <= tail p' n a.
Proof.
move=> rp rp' pp'; elim: n a => [|n IH] [|a]; rewrite ?tail_all // ?tail_step.
  by rewrite !tail_beyond.
have [/andP[p0 p1] /andP[q0 q1]] := (rp, rp').
have f : tail p n a.+1 <= tail p n a by exact: tail_falls.
have h1 : 0 <= p' * (tail p' n a - tail p n a) by rewrite mulr_ge0 // subr_ge0.
have h2 : 0 <= (1 - p') * (tail p' n a.+1 - tail p n a.+1) by rewrite mulr_ge0 // subr_ge0.
have h3 : 0 <= (p' - p) * (tail p n a - tail p n a.+1) by rewrite mulr_ge0 // subr_ge0.
rewrite -subr_ge0.
have -> : p' * tail p' n a + (1 - p') * tail p' n a.+1 - (p * tail p n a + (1 - p) * tail p n a.+1)
  = p' * (tail p' n a - tail p n a) + (1 - p') * (tail p' n a.+1 - tail p n a.+1)
    + (p' - p) * (tail p n a - tail p n a.+1) by ring.
by rewrite !addr_ge0.
Qed.

(** So large a count that its tail is at most [x] has at most the chance [x]. *)
Lemma half_the_level p n x : rate p -> 0 <= x ->
  \sum_(0 <= k < n.+1 | tail p n k <= x) mass p n k <= x.
Proof.
move=> rp x0; have ex : exists a, tail p n a <= x by exists n.+1; rewrite tail_beyond.
case: (ex_minnP ex) => a ax least; apply: le_trans ax.
have [an|na] := leqP a n; last first.
  rewrite big_nat_cond big1 ?tail_ge0 // => k /andP[/andP[_ kn] kx].
  by have := least _ kx; rewrite leqNgt (leq_trans kn).
rewrite /tail (big_cat_nat _ _ _ (leq0n a) (leqW an)) /= [X in X + _]big_nat_cond big1 ?add0r.
  rewrite [leLHS]big_mkcond /=; apply: ler_sum => k _.
  by case: ifP => // _; apply: mass_ge0.
move=> k /andP[/andP[_ ka] kx]; by have := least _ kx; rewrite leqNgt ka.
Qed.

(** What a certificate shows of the counts [a] of members found and [c] of others left alone: two rates,
    of which a test within (epsilon, delta) does not have both, [y] being at least e^epsilon. *)
Definition contradicts (y delta p0 r0 : R) : Prop :=
  y * (1 - r0) + delta <= p0 \/ y * (1 - p0) + delta <= r0.

Definition shows_rejected (y delta level : R) (n1 n0 a c : nat) : Prop :=
  exists p0 r0, [/\ rate p0, rate r0, tail p0 n1 a <= level / 2%:R, tail r0 n0 c <= level / 2%:R
    & contradicts y delta p0 r0].

(** Many runs: a test that an (epsilon, delta)-DP mechanism allows has rates that (epsilon, delta) allows in
    both directions; outcomes that have a certificate have at most the chance [level]. *)
Theorem rejected_rarely (y delta level p r : R) (n1 n0 : nat) (rejected : nat -> nat -> bool) :
  0 <= y -> 0 <= level -> rate p -> rate r ->
  p <= y * (1 - r) + delta -> r <= y * (1 - p) + delta ->
  (forall a c, rejected a c -> shows_rejected y delta level n1 n0 a c) ->
  \sum_(0 <= a < n1.+1) \sum_(0 <= c < n0.+1 | rejected a c) mass p n1 a * mass r n0 c <= level.
Proof.
move=> y0 l0 rp rr member other certified; set x := level / 2%:R.
have x0 : 0 <= x by rewrite /x divr_ge0 ?ler0n.
have either a c : rejected a c -> (tail p n1 a <= x) || (tail r n0 c <= x).
  case/certified=> p0 [r0 [rp0 rr0 ta tc against]]; apply/orP.
  have [pp|pp] := leP p p0; first by left; apply: le_trans ta; exact: tail_rises.
  have [qq|qq] := leP r r0; first by right; apply: le_trans tc; exact: tail_rises.
  exfalso; case: against => h.
    have f : y * (1 - r) <= y * (1 - r0) by rewrite ler_wpmul2l // ler_add2l ler_opp2 ltW.
    by have := le_lt_trans (le_trans member (le_trans (ler_add f (lexx delta)) h)) pp; rewrite ltxx.
  have f : y * (1 - p) <= y * (1 - p0) by rewrite ler_wpmul2l // ler_add2l ler_opp2 ltW.
  by have := le_lt_trans (le_trans other (le_trans (ler_add f (lexx delta)) h)) qq; rewrite ltxx.
pose A := \sum_(0 <= a < n1.+1 | tail p n1 a <= x) mass p n1 a.
pose C := \sum_(0 <= c < n0.+1 | tail r n0 c <= x) mass r n0 c.
have -> : level = x + x by rewrite /x; field.
apply: (@le_trans _ _ (A + C)); last by rewrite ler_add // half_the_level.
have sumA : A = \sum_(0 <= a < n1.+1) \sum_(0 <= c < n0.+1)
    (tail p n1 a <= x)%R%:R * (mass p n1 a * mass r n0 c).
  rewrite /A big_mkcond; apply: eq_bigr => a _; rewrite -!mulr_sumr -/(tail r n0 0) tail_all mulr1.
  by case: ifP; rewrite ?mul1r ?mul0r.
have sumC : C = \sum_(0 <= a < n1.+1) \sum_(0 <= c < n0.+1)
    (tail r n0 c <= x)%R%:R * (mass p n1 a * mass r n0 c).
  rewrite exchange_big /= /C big_mkcond; apply: eq_bigr => c _.
  rewrite -mulr_sumr -mulr_suml -/(tail p n1 0) tail_all mul1r.
  by case: ifP; rewrite ?mul1r ?mul0r.
rewrite sumA sumC -big_split /=; apply: ler_sum => a _.
rewrite -big_split /= big_mkcond; apply: ler_sum => c _.
have m0 : 0 <= mass p n1 a * mass r n0 c by rewrite mulr_ge0 ?mass_ge0.
case: ifP => [/either|_]; last by rewrite addr_ge0 // mulr_ge0 ?ler0n.
case/orP=> ->; rewrite /= mul1r.
  by rewrite ler_addl mulr_ge0 ?ler0n.
by rewrite ler_addr mulr_ge0 ?ler0n.
Qed.

End Runs.
