(** What is proved here, in one file that can be read by itself.

    Each definition is said in a sentence and written out; each theorem is stated with these alone, and
    proved by reference to the other files.  [\sum_(y in S) P y] is a sum over a finite set, [{set Y}] the
    subsets of a finite type Y, [seq] a list, [R] Coq's real numbers. *)
From Coq Require Import Reals String Permutation.
From mathcomp Require Import all_ssreflect all_algebra. From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Privacy Composition OptComp Reals Rules Notions NotionsTrivial RulesGaussian.
From ExactDP Require PositivePart RulesWorkloads Workloads ReplaceOne RulesInteractive Interactive Filters.
From ExactDP Require Normal NoiseLedgers RulesNoiseWorkloads CheckerClosed Ratios CertificateNumbers.
From ExactDP Require RulesGroupsMixed RulesConcentrated ConcurrentTheorems ConcurrentAttainment.
From ExactDP Require Interleaving ConcurrentGroups ConcurrentWorkloads.
From ExactDP Require CertificateStatements CertificateTheorems CheckCertificate Plan Sentences Claims.
From ExactDP Require LedgerFiles Questions Accepts CertificateExperiments.
From mathcomp.classical Require Import classical_sets. From mathcomp.analysis Require Import reals ereal measure.
From ExactDP Require InfiniteOutputs ReleasedOutputs AnyOutputs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory. Local Open Scope ring_scope.

(** * Privacy *)

(** The law of a mechanism's output on one database: probabilities that add up to 1. *)
Definition law (Y : finType) (P : Y -> R) : Prop := (forall y, 0 <= P y) /\ \sum_y P y = 1.

(** Two laws are (epsilon, delta)-close if no event tells them apart by more, either way round. *)
Definition close (epsilon delta : R) (Y : finType) (P Q : Y -> R) : Prop :=
  (forall S : {set Y}, \sum_(y in S) P y <= exp epsilon * (\sum_(y in S) Q y) + delta) /\
  (forall S : {set Y}, \sum_(y in S) Q y <= exp epsilon * (\sum_(y in S) P y) + delta).

(** The laws P and Q, on two neighbouring databases, of all outputs of an adaptive composition: the
    first mechanism is (epsilon, delta)-DP, and whatever it says, the rest is a composition of mechanisms
    with the parameters that are left, which may differ from output to output. *)
Inductive composition : seq (R * R) -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| Nothing : composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| First epsilon delta rest (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    law P -> law Q -> close epsilon delta P Q -> (forall y, composition rest (P' y) (Q' y)) ->
    composition ((epsilon, delta) :: rest) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                           (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

(** * Optimal composition (Murtagh & Vadhan 2018, Theorem 1.5) *)

Section OptimalComposition.
Variables (k : nat) (epsilon delta : 'I_k -> R).   (* the parameters of k mechanisms *)
Let parameters := [seq (epsilon i, delta i) | i <- enum 'I_k].
Hypotheses (epsilon_ge0 : forall i, 0 <= epsilon i) (delta_ge0 : forall i, 0 <= delta i)
  (delta_lt1 : forall i, delta i < 1).

(** D(e^e): the sum over sets S of mechanisms of max(0, e^(sum of epsilon_i, i in S) - e^e e^(sum of the
    others)), over the product of the 1 + e^epsilon_i. *)
Definition D (e : R) := (\prod_i (1 + exp (epsilon i)))^-1 *
  \sum_(S : {set 'I_k})
    Num.max (\prod_(i in S) exp (epsilon i) - exp e * \prod_(i in ~: S) exp (epsilon i)) 0.

(** Delta: what is left of d when no mechanism fails. *)
Definition Delta (d : R) := 1 - (1 - d) / \prod_i (1 - delta i).

Lemma compositions_agree l (Y : finType) (P Q : Y -> R) :
  composition l P Q <-> Composition.composition (Rules.odds_of l) P Q.
Proof.
split=> [|C]; first by elim=> [|e d r {}Y Z {}P {}Q P' Q' lP lQ h _ IH]; constructor=> //; split.
move e : (Rules.odds_of l) C => o C; elim: C l e => {o Y P Q} [|E d r Y Z P Q P' Q' h _ IH] [|[x d'] l] //.
  by move=> _; constructor.
by move=> [eE ed er]; case: h; rewrite -eE -ed => lP lQ c; constructor=> // y; exact: IH.
Qed.

Let odds_agree : Rules.odds_of parameters = OptComp.parameters (fun i => exp (epsilon i)) delta.
Proof. by rewrite /Rules.odds_of /parameters -map_comp. Qed.

(** From above and from below, for every e: all compositions are (e, d)-close, or some are not. *)
Theorem optimal_composition (e d : R) :
  (D e <= Delta d -> forall (Y : finType) (P Q : Y -> R), composition parameters P Q -> close e d P Q) /\
  (Delta d < D e -> exists (Y : finType) (P Q : Y -> R), composition parameters P Q /\ ~ close e d P Q).
Proof.
have E1 i : 1 <= exp (epsilon i) by rewrite Reals.exp_ge1.
have W := OptComp.parameters_admissible E1 delta_ge0 delta_lt1.
have kE : OptComp.kept (OptComp.parameters (fun i => exp (epsilon i)) delta) = \prod_i (1 - delta i).
  by rewrite /OptComp.kept big_map big_enum.
have k0 : 0 < OptComp.kept (OptComp.parameters (fun i => exp (epsilon i)) delta).
  by rewrite kE prodr_gt0 // => i _; rewrite subr_gt0.
have above := OptComp.composition_dp_iff d W (ltW (Reals.exp_gt0 e)) k0.
have below := OptComp.composition_not_dp_iff d W (ltW (Reals.exp_gt0 e)) k0.
rewrite OptComp.divergence_sets /OptComp.Delta kE in above below.
split=> [h Y P Q /compositions_agree|h].
  by rewrite odds_agree => C; exact: (proj2 above h Y P Q C).
have [Y [P [Q [C n]]]] := proj2 below h.
by exists Y, P, Q; split=> //; apply/compositions_agree; rewrite odds_agree.
Qed.

(** Attained: if Delta >= 0, the least e >= 0 that is enough exists; if Delta < 0, none is enough. *)
Theorem optimum_is_attained (d : R) : 0 <= Delta d -> exists2 least, 0 <= least &
  forall e, 0 <= e ->
  (forall (Y : finType) (P Q : Y -> R), composition parameters P Q -> close e d P Q) <-> least <= e.
Proof.
case/(Reals.optcomp_theorem_1_5 epsilon_ge0 delta_ge0 delta_lt1) => x [x0 _ _ h]; exists x => // e e0.
rewrite -h //; split=> [all_close|small]; last by case: (optimal_composition e d) => above _; exact: above.
rewrite leNgt; apply/negP => /(proj2 (optimal_composition e d))[Y [P [Q [C n]]]].
exact: n (all_close Y P Q C).
Qed.

Theorem nothing_is_enough (e d : R) : Delta d < 0 ->
  ~ forall (Y : finType) (P Q : Y -> R), composition parameters P Q -> close e d P Q.
Proof.
move=> D0 h; apply: (Reals.optcomp_infeasible (epsilon := epsilon) (delta := delta) _ _ _ D0 (e := e)) => //.
by rewrite /Reals.all_compositions_dp /Reals.odds -odds_agree => Y P Q /compositions_agree; exact: h.
Qed.
End OptimalComposition.

(** * What the judgements of certificates mean *)

(** From above: all pairs of laws of a kind are close.  From below: some are not. *)
Definition kind_of_pairs := forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.
Definition all_close (C : kind_of_pairs) epsilon delta :=
  forall (Y : finType) (P Q : Y -> R), C Y P Q -> close epsilon delta P Q.
Definition some_not_close (C : kind_of_pairs) epsilon delta :=
  exists (Y : finType) (P Q : Y -> R), C Y P Q /\ ~ close epsilon delta P Q.

(** Ledgers: mechanisms that are (epsilon, delta)-DP, mu-Gaussian DP or rho-zCDP ([satisfies] in
    Notions.v), each chosen in the light of the answers before it, in any order. *)
Theorem meaning_of_upper ns epsilon delta : Notions.mixed_upper RulesGaussian.G ns epsilon delta <->
  forall ns', Permutation ns ns' -> all_close (Notions.mixed_composition RulesGaussian.G ns') epsilon delta.
Proof. by []. Qed.
Theorem meaning_of_lower ns epsilon delta : Notions.mixed_lower RulesGaussian.G ns epsilon delta <->
  exists ns', Permutation ns ns' /\ some_not_close (Notions.mixed_composition RulesGaussian.G ns') epsilon delta.
Proof. by []. Qed.

(** Concurrently: what an adversary says who interleaves its questions to interactive mechanisms, finite
    trees of questions and answers ([seen] in Interleaving.v), each of which satisfies its notion. *)
Theorem meaning_of_concurrent_upper ns epsilon delta : CertificateStatements.concurrently ns epsilon delta <->
  all_close (ConcurrentTheorems.views ns) epsilon delta.
Proof. by []. Qed.
Theorem meaning_of_concurrent_lower ns epsilon delta : ConcurrentAttainment.breaks_concurrently ns epsilon delta <->
  some_not_close (ConcurrentTheorems.views ns) epsilon delta.
Proof. by []. Qed.

(** Groups: the first and the last of at most g + 1 databases, each a neighbour of the next. *)
Theorem meaning_for_groups ns g epsilon delta :
  (RulesGroupsMixed.mixed_upper_of_groups ns g epsilon delta <->
   forall ns', Permutation ns ns' -> forall n (Y : finType) (P : nat -> Y -> R), (n <= g)%N ->
   RulesGroupsMixed.mixed_path n ns' P -> close epsilon delta (P 0%N) (P n)) /\
  (RulesGroupsMixed.mixed_lower_of_groups ns g epsilon delta <->
   exists ns', Permutation ns ns' /\ exists n (Y : finType) (P : nat -> Y -> R),
   [/\ (n <= g)%N, RulesGroupsMixed.mixed_path n ns' P & ~ close epsilon delta (P 0%N) (P n)]).
Proof. by []. Qed.
Theorem meaning_for_concurrent_groups ns g epsilon delta :
  let seen_along n ts := Interleaving.seen [seq ConcurrentGroups.between 0%N n t | t <- ts] in
  (ConcurrentGroups.concurrently_of_groups ns g epsilon delta <->
   forall n ts, (n <= g)%N -> List.Forall2 (ConcurrentGroups.interactively_along n) ns ts ->
   all_close (seen_along n ts) epsilon delta) /\
  (ConcurrentGroups.breaks_concurrently_for_groups ns g epsilon delta <->
   exists n ts, [/\ (n <= g)%N, List.Forall2 (ConcurrentGroups.interactively_along n) ns ts &
   some_not_close (seen_along n ts) epsilon delta]).
Proof. by []. Qed.

(** A formula, whatever the mechanisms are: the theorem that is named does not give epsilon and delta. *)
Theorem meaning_of_underivable theorem ns epsilon delta :
  CertificateStatements.formula_fails theorem ns epsilon delta <->
  (theorem = "bun-steinke-2016-proposition-1.3"%string /\
    ~ RulesConcentrated.bun_steinke_gives ns epsilon delta) \/
  (theorem = "canonne-kamath-steinke-2020-corollary-13"%string /\
    ~ RulesConcentrated.canonne_kamath_steinke_gives ns epsilon delta).
Proof. by []. Qed.

(** Where all are given by epsilon and delta, that is [composition] above. *)
Theorem meaning_for_pairs l epsilon delta : Rules.proper l ->
  Notions.mixed_upper RulesGaussian.G (Notions.approximate l) epsilon delta <->
  forall (Y : finType) (P Q : Y -> R), composition l P Q -> close epsilon delta P Q.
Proof.
move=> W; rewrite Notions.mixed_upper_approximate //.
by split=> h Y P Q C; apply: h; apply/compositions_agree.
Qed.

(** Workloads: databases that differ by one row, added or removed; each query's mechanism is given the
    rows that satisfy it ([answered] in Workloads.v, [answered_on] in ReplaceOne.v if a row is replaced). *)
Theorem meaning_for_workloads N private (Row I : eqType) satisfies (parameters : I -> N) qs epsilon delta :
  let answered := Workloads.answered private (Row := Row) satisfies parameters in
  (RulesWorkloads.workload_upper private satisfies parameters qs epsilon delta <->
   forall x x', Workloads.neighbours x x' -> all_close (answered x x' qs) epsilon delta) /\
  (RulesWorkloads.workload_lower private satisfies parameters qs epsilon delta <->
   exists x x', Workloads.neighbours x x' /\ some_not_close (answered x x' qs) epsilon delta).
Proof. by []. Qed.
Theorem meaning_where_rows_are_replaced N private (Row I : eqType) satisfies (parameters : I -> N) qs
    epsilon delta :
  let answered := ReplaceOne.answered_on private (Row := Row) satisfies parameters in
  (ReplaceOne.replace_upper private satisfies parameters qs epsilon delta <->
   forall x x', ReplaceOne.replace_neighbours x x' -> all_close (answered x x' qs) epsilon delta) /\
  (ReplaceOne.replace_lower private satisfies parameters qs epsilon delta <->
   exists x x', ReplaceOne.replace_neighbours x x' /\ some_not_close (answered x x' qs) epsilon delta).
Proof. by []. Qed.

(** From below also where each query's mechanism is interactive ([seen_of_queries] in ConcurrentWorkloads.v). *)
Theorem meaning_for_concurrent_workloads (Row I : eqType) (satisfies : I -> pred Row) parameters qs epsilon delta :
  let seen := ConcurrentWorkloads.seen_of_queries satisfies parameters in
  (ConcurrentWorkloads.workload_breaks_concurrently satisfies parameters qs epsilon delta <->
   exists x x', Workloads.neighbours x x' /\
   some_not_close (seen (fun _ => @Workloads.neighbours Row) x x' qs) epsilon delta) /\
  (ConcurrentWorkloads.replace_breaks_concurrently satisfies parameters qs epsilon delta <->
   exists x x', ReplaceOne.replace_neighbours x x' /\
   some_not_close (seen (ConcurrentWorkloads.near_replaced satisfies) x x' qs) epsilon delta).
Proof. by []. Qed.

(** Budgets: an interaction that keeps within epsilon, rho, a Rényi divergence or mu^2, and within D of
    failures, whatever the answers are ([interaction] in Filters.v). *)
Theorem meaning_for_budgets m B D' epsilon delta :
  (Filters.budget_upper m B D' epsilon delta <-> all_close (Filters.interaction m B D') epsilon delta) /\
  (Filters.budget_lower m B D' epsilon delta <-> some_not_close (Filters.interaction m B D') epsilon delta).
Proof. by []. Qed.

(** Interactive mechanisms that are written out as trees, interleaved ([whole] in Interactive.v): the
    probability of what an adversary sees, on either side. *)
Theorem meaning_for_trees ts epsilon delta :
  let mass side := Interactive.mass side (Interactive.whole ts) in
  (RulesInteractive.interactive_upper ts epsilon delta <-> all (@Interactive.lawful _) ts /\
   forall a event, Interactive.adversary a -> forall side,
   mass side a event <= exp epsilon * mass (~~ side) a event + delta) /\
  (RulesInteractive.interactive_lower ts epsilon delta <-> all (@Interactive.lawful _) ts /\
   exists a event, Interactive.adversary a /\ exists side,
   exp epsilon * mass (~~ side) a event + delta < mass side a event).
Proof. by []. Qed.

(** Mechanisms given by their noise, beside others ([has_noise] in NoiseLedgers.v); and queries answered by
    such, where x' has one row more than x ([answered_more] in NoiseWorkloads.v). *)
Theorem meaning_for_noise ns epsilon delta :
  (NoiseLedgers.noisy_upper ns epsilon delta <->
   forall ns', Permutation ns ns' -> all_close (NoiseLedgers.noisy_composition ns') epsilon delta) /\
  (NoiseLedgers.noisy_lower ns epsilon delta <->
   exists ns', Permutation ns ns' /\ some_not_close (NoiseLedgers.noisy_composition ns') epsilon delta).
Proof. by []. Qed.
Theorem meaning_for_queries_by_noise (Row I : eqType) rows known (qs : seq I) epsilon delta :
  let answered := NoiseWorkloads.answered_more RulesNoiseWorkloads.has_query_noise (Row := Row) rows known in
  (RulesNoiseWorkloads.noise_workload_upper rows known qs epsilon delta <->
   forall r x x', NoiseWorkloads.one_more r x x' -> all_close (answered x x' qs) epsilon delta) /\
  (RulesNoiseWorkloads.noise_workload_lower rows known qs epsilon delta <->
   exists r x x', NoiseWorkloads.one_more r x x' /\ some_not_close (answered x x' qs) epsilon delta).
Proof. by []. Qed.

(** * From the bytes of a certificate to the truth of what it states *)
Import CheckerClosed Ratios CertificateNumbers CertificateStatements CertificateTheorems.
Import CheckCertificate CertificateSubjects Plan Sentences Claims LedgerFiles Questions Accepts.

(** A number of a certificate denotes c + sum of c_j ln(r_j). *)
Theorem meaning_of_numbers n :
  value_of n = of_ratio (constant n) + \sum_(t <- logs n) of_ratio t.1 * ln (of_ratio t.2).
Proof. by []. Qed.

(** A statement is one of these, for its epsilon, or from below for every one; and nothing else. *)
Theorem meaning_of_bounds b above below : bound_holds b above below <->
  at_epsilon (bound_epsilon b) (fun epsilon => match bound_kind b with
    | Upper => above epsilon (of_ratio (bound_delta b))
    | Lower => below epsilon (of_ratio (bound_delta b))
    | Underivable => False
    end).
Proof. by []. Qed.

(** An outcome is rejected by a test that rejects whatever is (epsilon, delta)-DP in at most the share of
    experiments that the level is ([many_rejected] and [one_rejected] in CertificateExperiments.v). *)
Theorem meaning_for_experiments e d x : holds (OfExperiment e d x) <->
  CertificateExperiments.experiment_holds (value_of e) (of_ratio d) x.
Proof. by []. Qed.

(** What is accepted is true, and what is said of it is its sentence ([say] in Sentences.v), in which nothing
    else of the file stands.  [read] reads canonical bytes (CertificateJson.v, CertificateSubjects.v); [holds]
    is what a statement about a ledger, noise, a workload, interactive mechanisms or a budget means, as above.
    Nothing is assumed, also not of the function that digests are asked of. *)
Theorem accepted_certificates_are_true digest_of most bytes s : accepts digest_of most bytes = Planned s ->
  exists c, [/\ read bytes = Some c, s = say c & holds (stated c)].
Proof. exact: accepts_sound. Qed.

(** A number is shown as it is ([number_text]), or as a decimal from which the sentence follows. *)
Theorem shown_numbers_are_rounded_outward n x :
  (decimal_of true n = Some x -> value_of n <= of_ratio (decimal_ratio x)) /\
  (decimal_of false n = Some x -> of_ratio (decimal_ratio x) <= value_of n).
Proof. by split; [exact: decimal_above|exact: decimal_below]. Qed.

(** Where more is asked: the ledger in a file is that of the statement, and the same holds with the epsilon
    and the delta of a claim in the place of those that are stated. *)
Theorem accepted_answers_are_true digest_of most q bytes s : accepts_as_asked digest_of most q bytes = Planned s ->
  exists c answer, [/\ read bytes = Some c /\ holds (stated c), s = (say c ++ answer)%string,
    (forall file, the_ledger q = Some file -> exists a, asked_in file = Some a /\ asked_of bytes = Some a) &
    (forall epsilon delta, the_claim q = Some (epsilon, delta) ->
      exists e d, read_claimed epsilon delta = Planned (e, d) /\ holds (claimed e d (stated c)))].
Proof. exact: accepts_as_asked_sound. Qed.

(** In particular, where all mechanisms are given by epsilon and delta: *)
Definition parameters_of (c : claim) : seq (R * R) :=
  flatten [seq nseq (Z.to_nat m.2) (value_of m.1.1, of_ratio m.1.2) | m <- of_epsilon (claim_mechanisms c)].

Definition only_pairs (c : claim) : bool :=
  if (of_mu (claim_mechanisms c), of_rho (claim_mechanisms c)) is ([::], [::]) then true else false.

Lemma notions_of_pairs c : only_pairs c ->
  notions (claim_mechanisms c) = Notions.approximate (parameters_of c).
Proof.
rewrite /only_pairs /notions /parameters_of; case: (claim_mechanisms c) => es [] // [] //= _.
rewrite /repeated /= !cats0 /Notions.approximate map_flatten -map_comp; congr flatten.
by apply: eq_map => m /=; rewrite map_nseq.
Qed.

Theorem accepted_upper_bounds digest_of most bytes said c s e : accepts digest_of most bytes = Planned said ->
  read bytes = Some c -> stated c = OfLedger s ->
  only_pairs s -> claim_kind s = Upper -> claim_interplay s = Adaptive -> claim_group s = xH ->
  claim_epsilon s = Some e ->
  forall (Y : finType) (P Q : Y -> R), composition (parameters_of s) P Q ->
  close (value_of e) (of_ratio (claim_delta s)) P Q.
Proof.
move=> ok r st pairs K I g E Y P Q C.
have [c' [+ _ h]] := accepts_sound ok; rewrite r => -[e']; subst c'.
move: h; rewrite st /= /holds_of_ledger /holds_near E g K I /at_epsilon notions_of_pairs // => U.
apply: (U _ (Permutation_refl _) Y P Q).
by apply/(Notions.composition_approximate RulesGaussian.G); exact/compositions_agree.
Qed.

(** * Outputs of any kind *)

(** All of this is about mechanisms with finitely many outputs; what it says from above holds of mechanisms
    whose outputs lie in any measurable spaces.  Two probability measures are close if no event tells them
    apart by more.  The law of the rest depends measurably on what was said first ([kernel]); the probability
    of an event is then the integral of what it has left ([in_turn_law] in ReleasedOutputs.v). *)
Notation real := [realType of R].
Definition close_measures (epsilon delta : R) d (Y : measurableType d) (P Q : {measure set Y -> \bar real}) :=
  forall A, measurable A -> (P A <= (exp epsilon : real)%:E * Q A + (delta : real)%:E)%E /\
                            (Q A <= (exp epsilon : real)%:E * P A + (delta : real)%:E)%E.

Inductive composition_of_measures : seq (R * R) -> forall d (Y : measurableType d),
    {measure set Y -> \bar real} -> {measure set Y -> \bar real} -> Prop :=
| NothingSaid d (Y : measurableType d) (P Q : {measure set Y -> \bar real}) :
    P setT = 1%E -> Q setT = 1%E -> (forall y y' : Y, y = y') -> composition_of_measures [::] P Q
| FirstSaid epsilon delta rest d d' (Y : measurableType d) (Z : measurableType d')
    (P Q : {measure set Y -> \bar real}) (P' Q' : Y -> {measure set Z -> \bar real})
    (kP : ReleasedOutputs.kernel P') (kQ : ReleasedOutputs.kernel Q') :
    P setT = 1%E -> Q setT = 1%E -> close_measures epsilon delta P Q ->
    (forall y, composition_of_measures rest (P' y) (Q' y)) ->
    composition_of_measures ((epsilon, delta) :: rest)
      (ReleasedOutputs.in_turn_law kP P) (ReleasedOutputs.in_turn_law kQ Q).

Theorem whatever_the_outputs l epsilon delta :
  (forall (Y : finType) (P Q : Y -> R), composition l P Q -> close epsilon delta P Q) ->
  forall d (Y : measurableType d) (P Q : {measure set Y -> \bar real}),
  composition_of_measures l P Q -> close_measures epsilon delta P Q.
Proof.
pose has (p : R * R) (Y : finType) (P Q : Y -> R) := [/\ law P, law Q & close p.1 p.2 P Q].
move=> all d Y P Q C; apply: (@ReleasedOutputs.released_private real _ has composition) (ltW (Reals.exp_gt0 _)) all _ _ _ _ _.
- exact: Nothing.
- by move=> [e d'] r W Z S T S' T' [lS lT h] rec; exact: First.
- by move=> r W S T /compositions_agree; exact: Composition.composition_distribution.
elim: C => [*|e d' r {}d d2 {}Y Z {}P {}Q P' Q' kP kQ P1 Q1 near _ IH]; first exact: ReleasedOutputs.ReleasedNil.
apply: ReleasedOutputs.ReleasedCons IH; split=> // F f rf.
by have [_ _ /(_ F f rf)[]] := proj1 (ReleasedOutputs.close_in_parts _ _ P1 Q1) near.
Qed.

(** Likewise of notions of privacy and of noise: a mechanism has it if all that can be told of its output in
    finitely many values has it ([in_parts] in InfiniteOutputs.v). *)
Theorem whatever_the_outputs_of_notions ns epsilon delta : Notions.mixed_upper RulesGaussian.G ns epsilon delta ->
  forall ns', Permutation ns ns' -> forall d (Y : measurableType d) (P Q : {measure set Y -> \bar real}),
  ReleasedOutputs.released (Notions.satisfies RulesGaussian.G) ns' P Q -> close_measures epsilon delta P Q.
Proof. exact: AnyOutputs.upper_of_any_outputs. Qed.
Theorem whatever_the_outputs_of_noise ns epsilon delta : NoiseLedgers.noisy_upper ns epsilon delta ->
  forall ns', Permutation ns ns' -> forall d (Y : measurableType d) (P Q : {measure set Y -> \bar real}),
  ReleasedOutputs.released NoiseLedgers.has_noise ns' P Q -> close_measures epsilon delta P Q.
Proof. exact: AnyOutputs.noisy_upper_of_any_outputs. Qed.
