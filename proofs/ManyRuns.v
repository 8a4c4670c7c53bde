(** Experiments of many runs (SPEC, 11.26 and 14): [n1] runs with a member and [n0] without one, each by itself,
    of a mechanism and tests that are fixed in advance.  The number of runs in which a test tells a member has a
    binomial law ([law_of_count]); so the rates of Experiments.v are those of the test, and where the best of
    several tests is counted, each has its share of the level ([best_of_thresholds]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import Privacy Experiments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : Y -> R) (S : {set Y}).

(** What [n] runs answer, each by itself; in how many of them a test tells a member. *)
Definition runs_law P n (y : {ffun 'I_n -> Y}) : R := \prod_i P (y i).
Definition told S n (y : {ffun 'I_n -> Y}) : nat := #|[set i | y i \in S]|.
Definition rate_of P S : R := \sum_(y in S) P y.

Lemma rate_of_law P S : distribution P -> rate (rate_of P S) /\ rate_of P (~: S) = 1 - rate_of P S.
Proof.
move=> [P0 P1]; have e : rate_of P S + rate_of P (~: S) = 1.
  rewrite -P1 (bigID (mem S)) /=; congr (_ + _); by apply: eq_bigl => y; rewrite inE.
have nonneg T : 0 <= rate_of P T by exact: sumr_ge0.
by rewrite /rate -e nonneg ler_addl nonneg; split=> //; ring.
Qed.

Lemma told_less S n (y : {ffun 'I_n -> Y}) : (told S y <= n)%N.
Proof. by rewrite -[X in (_ <= X)%N]card_ord max_card. Qed.

Lemma told_other S n (y : {ffun 'I_n -> Y}) : told (~: S) y = (n - told S y)%N.
Proof.
apply/eqP; rewrite -(eqn_add2l (told S y)) subnKC ?told_less //; apply/eqP.
rewrite -[RHS]card_ord -(cardsC [set i | y i \in S]); congr (_ + _)%N.
by congr #|pred_of_set _|; apply/setP => i; rewrite !inE.
Qed.

Lemma mass_coefficient (p : R) n k : ((p%:P * 'X + (1 - p)%:P) ^+ n)`_k = mass p n k.
Proof.
elim: n k => [|n IH] k.
  by rewrite expr0 coef1; case: k => [|k]; [rewrite /mass bin0 !expr0 !mulr1|rewrite mass_beyond].
rewrite exprS mulrDl coefD -mulrA !coefCM coefXM !IH; case: k => [|k] /=; last by rewrite mass_step.
by rewrite mulr0 add0r mass_none.
Qed.

Theorem law_of_count P S n (F : nat -> R) : distribution P ->
  \sum_y F (told S y) * runs_law P (n := n) y = \sum_(0 <= k < n.+1) F k * mass (rate_of P S) n k.
Proof.
move=> dP; have [_ other] := rate_of_law S dP; set p := rate_of P S in other *.
have law k : \sum_(y : {ffun 'I_n -> Y} | told S y == k) runs_law P y = mass p n k.
  have e : \sum_(y : {ffun 'I_n -> Y}) (runs_law P y)%:P * 'X^(told S y) = (p%:P * 'X + (1 - p)%:P) ^+ n.
    transitivity (\prod_(i < n) \sum_(x : Y) (P x)%:P * 'X^(x \in S)).
      rewrite bigA_distr_bigA /=; apply: eq_bigr => y _; rewrite big_split /= -rmorph_prod; congr (_ * _).
      rewrite prodrXr /told -sum1_card [in LHS]big_mkcond /=.
      by congr ('X^_); apply: eq_bigr => i _; rewrite inE; case: (_ \in _).
    rewrite prodr_const card_ord; congr (_ ^+ _); rewrite (bigID (mem S)) /= -other; congr (_ + _).
      by rewrite /p /rate_of rmorph_sum mulr_suml; apply: eq_bigr => x ->.
    rewrite /rate_of rmorph_sum; apply: eq_big => [x|x]; first by rewrite inE.
    by move/negbTE ->; rewrite expr0 mulr1.
  rewrite -mass_coefficient -e coef_sum [LHS]big_mkcond; apply: eq_bigr => y _.
  by rewrite coefCM coefXn eq_sym; case: eqP => _; rewrite ?mulr1 ?mulr0.
rewrite big_mkord.
transitivity (\sum_(k < n.+1) \sum_(y : {ffun 'I_n -> Y} | told S y == k) F (told S y) * runs_law P y); last first.
  by apply: eq_bigr => k _; rewrite -law mulr_sumr; apply: eq_bigr => y /eqP ->.
rewrite (partition_big (fun y : {ffun 'I_n -> Y} => inord (told S y) : 'I_n.+1) xpredT) //=.
apply: eq_bigr => k _; apply: eq_bigl => y; rewrite -val_eqE /= inordK // ltnS; exact: told_less.
Qed.

Lemma runs_law_ge0 P n (y : {ffun 'I_n -> Y}) : distribution P -> 0 <= runs_law P y.
Proof. by move=> [P0 _]; apply: prodr_ge0 => i _. Qed.

(** Of runs with a member and runs without, what happens has this chance. *)
Definition chance_in_runs P Q n1 n0 (happens : {ffun 'I_n1 -> Y} -> {ffun 'I_n0 -> Y} -> bool) : R :=
  \sum_y \sum_(z | happens y z) runs_law P y * runs_law Q z.

(** A mechanism that is (ln E, d)-DP, and tests; of each test's counts some are rejected, [a] members found and
    [b] others, each with a certificate at its share of the level. *)
Theorem best_of_thresholds P Q (E d level : R) n1 n0 m (S : 'I_m -> {set Y}) (rejected : nat -> nat -> bool) :
  0 <= E -> dp_pair E d P Q -> 0 <= level ->
  (forall a b, (a <= n1)%N -> (b <= n0)%N -> rejected a b ->
     shows_rejected E d (level / m%:R) n1 n0 a (n0 - b)) ->
  chance_in_runs P Q (fun (y : {ffun 'I_n1 -> Y}) (z : {ffun 'I_n0 -> Y}) =>
    [exists k, rejected (told (S k) y) (told (S k) z)]) <= level.
Proof.
move=> E0 [dP dQ [PQ QP]] l0 certified.
have one k : chance_in_runs P Q (fun (y : {ffun 'I_n1 -> Y}) (z : {ffun 'I_n0 -> Y}) =>
    rejected (told (S k) y) (told (S k) z)) <= level / m%:R.
  have m0 : 0 <= level / m%:R by rewrite divr_ge0 ?ler0n.
  have [rp _] := rate_of_law (S k) dP; have [_ otherP] := rate_of_law (S k) dP.
  have [_ otherQ] := rate_of_law (S k) dQ; have [rr _] := rate_of_law (~: S k) dQ.
  have q : rate_of Q (S k) = 1 - rate_of Q (~: S k) by rewrite otherQ; ring.
  have := @rejected_rarely R E d (level / m%:R) (rate_of P (S k)) (rate_of Q (~: S k)) n1 n0
    (fun a c => [&& a <= n1, c <= n0 & rejected a (n0 - c)]%N) E0 m0 rp rr.
  have h1 : rate_of P (S k) <= E * (1 - rate_of Q (~: S k)) + d by rewrite -q; exact: PQ.
  have h2 : rate_of Q (~: S k) <= E * (1 - rate_of P (S k)) + d by rewrite -otherP; exact: QP.
  move/(_ h1 h2) => h; apply: (le_trans _ (h _)); last first.
    by move=> a c /and3P[an cn /(certified _ _ an (leq_subr _ _))]; rewrite subKn.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  pose F a := \sum_(0 <= c < n0.+1) (rejected a (n0 - c)%N)%:R * mass (rate_of Q (~: S k)) n0 c.
  transitivity (\sum_(y : {ffun 'I_n1 -> Y}) F (told (S k) y) * runs_law P y).
    apply: eq_bigr => y _; rewrite /F -(law_of_count (~: S k) n0 (fun c => (rejected (told (S k) y) (n0 - c)%N)%:R) dQ).
    rewrite mulr_suml big_mkcond; apply: eq_bigr => z _; rewrite told_other subKn ?told_less //.
    by case: (rejected _ _) => /=; rewrite ?mul1r ?mul0r // mulrC.
  rewrite (law_of_count (S k) n1 F dP) big_nat [RHS]big_nat; apply: eq_bigr => a /andP[_ an].
  rewrite /F mulr_suml big_mkcond [RHS]big_mkcond /= big_nat [RHS]big_nat; apply: eq_bigr => c /andP[_ cn].
  rewrite -(ltnS a) an -(ltnS c) cn /=; case: (rejected _ _) => /=; rewrite ?mul0r // mul1r; exact: mulrC.
apply: (@le_trans _ _ (\sum_(k < m) level / m%:R)); last first.
  rewrite sumr_const card_ord -mulr_natl; have [->|m0] := eqVneq m 0%N; first by rewrite mul0r.
  by rewrite mulrCA divff ?mulr1 // pnatr_eq0.
apply: le_trans (ler_sum _ (fun k _ => one k)); rewrite /chance_in_runs exchange_big /=; apply: ler_sum => y _.
pose hit k (z : {ffun 'I_n0 -> Y}) : R := (rejected (told (S k) y) (told (S k) z))%:R * (runs_law P y * runs_law Q z).
rewrite (eq_bigr (fun k => \sum_z hit k z)); last first.
  by move=> k _; rewrite [LHS]big_mkcond; apply: eq_bigr => z _; rewrite /hit; case: ifP; rewrite ?mul1r ?mul0r.
rewrite exchange_big [leLHS]big_mkcond /=; apply: ler_sum => z _.
have w0 : 0 <= runs_law P y * runs_law Q z by rewrite mulr_ge0 ?runs_law_ge0.
rewrite -mulr_suml; case: existsP => [[k h]|_]; last by rewrite mulr_ge0 // sumr_ge0 // => k _; exact: ler0n.
by rewrite ler_pemull // (bigD1 k) //= h ler_addl sumr_ge0 // => i _; exact: ler0n.
Qed.

End Runs.
