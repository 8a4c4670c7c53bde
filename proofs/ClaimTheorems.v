(** What is stated of an epsilon and a delta holds of greater ones from above, and of less from below: so that
    a claim that is settled ([settles] in Claims.v) is true, or false. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Composition Reals Rules Notions RulesGaussian RulesGroupsMixed Workloads.
From ExactDP Require Import RulesWorkloads ReplaceOne NoiseWorkloads ConcurrentWorkloads Filters Interactive.
From ExactDP Require Import RulesInteractive Interleaving ConcurrentTheorems ConcurrentAttainment ConcurrentGroups.
From ExactDP Require Import NoiseLedgers Constraints NoiseLosses RulesNoiseWorkloads Ratios CertificateNumbers.
From ExactDP Require Import CorrelatedNoise CertificateStatements CertificateSubjects Plan Claims.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- laws --- *)

Definition not_below0 (Y : finType) (P Q : Y -> R) := (forall y, 0 <= P y) /\ (forall y, 0 <= Q y).
Lemma of_laws (Y : finType) (P Q : Y -> R) : distribution P /\ distribution Q -> not_below0 P Q.
Proof. by case=> -[P0 _] [Q0 _]. Qed.

Lemma indistinguishable_wider (Y : finType) (P Q : Y -> R) e d e' d' : not_below0 P Q -> e <= e' -> d <= d' ->
  indistinguishable (exp e) d P Q -> indistinguishable (exp e') d' P Q.
Proof.
move=> [P0 Q0] ee dd [h1 h2]; have E : exp e <= exp e' by rewrite exp_le.
by split=> S; [apply: le_trans (h1 S) _|apply: le_trans (h2 S) _];
  rewrite ler_add // ler_wpmul2r // sumr_ge0.
Qed.

Section Answers.
Variables (N : Type) (private : pair_property [realFieldType of R] N) (Row I : eqType).
Variables (rows : I -> pred Row) (parameters : I -> N) (x x' : seq Row).

Lemma answered_ge0 qs (Y : finType) (P Q : Y -> R) : answered private rows parameters x x' qs P Q -> not_below0 P Q.
Proof.
elim=> {qs Y P Q} [|i qs Y Z M P Q _ [_ M0 _] _ IH]; first by split=> _; exact: ler01.
by split=> -[y z]; rewrite mulr_ge0 //; [case: (M0 (filter (rows i) x))|case: (IH y)|case: (M0 (filter (rows i) x'))|case: (IH y)].
Qed.
Lemma answered_on_ge0 qs (Y : finType) (P Q : Y -> R) : answered_on private rows parameters x x' qs P Q -> not_below0 P Q.
Proof.
elim=> {qs Y P Q} [|i qs Y Z M P Q _ [_ M0 _] _ IH]; first by split=> _; exact: ler01.
by split=> -[y z]; rewrite mulr_ge0 //; [case: (M0 (filter (rows i) x))|case: (IH y)|case: (M0 (filter (rows i) x'))|case: (IH y)].
Qed.
Lemma answered_more_ge0 qs (Y : finType) (P Q : Y -> R) : answered_more private rows parameters x x' qs P Q -> not_below0 P Q.
Proof.
elim=> {qs Y P Q} [|i qs Y Z M P Q _ [_ M0 _] _ IH]; first by split=> _; exact: ler01.
by split=> -[y z]; rewrite mulr_ge0 //; [case: (M0 (filter (rows i) x'))|case: (IH y)|case: (M0 (filter (rows i) x))|case: (IH y)].
Qed.
End Answers.

Lemma along_ge0 n ns (ts : seq along) (Y : finType) (P Q : Y -> R) : List.Forall2 (interactively_along n) ns ts ->
  seen [seq between 0%N n t | t <- ts] P Q -> not_below0 P Q.
Proof.
move=> H S; apply: of_laws; apply: (seen_distribution S); elim: H => //= m t ns' ts' [l _] _ ->.
by rewrite l.
Qed.
Lemma queries_ge0 (Row I : eqType) (rows : I -> pred Row) parameters near x x' qs (Y : finType) (P Q : Y -> R) :
  seen_of_queries rows parameters near x x' qs P Q -> not_below0 P Q.
Proof.
case=> t H S; apply: of_laws; apply: (seen_distribution S); rewrite all_map; apply/allP => i iq.
by case: (H i iq) => _ l _; exact: l.
Qed.

(** --- wider and narrower bounds --- *)

Definition widens (above : R -> R -> Prop) := forall e d e' d', e <= e' -> d <= d' -> above e d -> above e' d'.
Definition narrows (below : R -> R -> Prop) := forall e d e' d', e' <= e -> d' <= d -> below e d -> below e' d'.

Lemma wider_holds b above below n d : widens above -> bound_kind b = Upper ->
  (if bound_epsilon b is Some e then at_most e n else false) -> rle (bound_delta b) d ->
  bound_holds b above below -> bound_holds (Bound Upper (Some n) d (bound_theorem b)) above below.
Proof.
case: b => k [e|] // d0 t W /= -> /at_most_sound en; rewrite of_rle => dd; exact: W.
Qed.

Lemma narrower_holds b above below n d : narrows below -> bound_kind b = Lower ->
  (if bound_epsilon b is Some e then at_most n e else true) -> rle d (bound_delta b) ->
  bound_holds b above below -> bound_holds (Bound Lower (Some n) d (bound_theorem b)) above below.
Proof.
case: b => k e d0 t W /= -> en; rewrite of_rle => dd; rewrite /bound_holds /=.
by case: e en => [e /at_most_sound en|_ h]; [exact: W|exact: W (lexx _) dd (h _)].
Qed.

(** A bound of all pairs of a kind, or of one, whose probabilities are none below 0. *)
Lemma every_widens (C : forall Y : finType, (Y -> R) -> (Y -> R) -> Prop) :
  (forall (Y : finType) (P Q : Y -> R), C Y P Q -> not_below0 P Q) ->
  widens (fun e d => forall (Y : finType) (P Q : Y -> R), C Y P Q -> indistinguishable (exp e) d P Q).
Proof. by move=> pos e d e' d' ee dd h Y P Q c; exact: indistinguishable_wider (pos _ _ _ c) ee dd (h _ _ _ c). Qed.
Lemma some_narrows (C : forall Y : finType, (Y -> R) -> (Y -> R) -> Prop) :
  (forall (Y : finType) (P Q : Y -> R), C Y P Q -> not_below0 P Q) ->
  narrows (fun e d => exists (Y : finType) (P Q : Y -> R), C Y P Q /\ ~ indistinguishable (exp e) d P Q).
Proof.
move=> pos e d e' d' ee dd [Y [P [Q [c n]]]]; exists Y, P, Q; split=> // h.
by apply: n; exact: indistinguishable_wider (pos _ _ _ c) ee dd h.
Qed.

Lemma mixed_widens ns : widens (mixed_upper G ns).
Proof.
move=> e d e' d' ee dd h ns' p; apply: every_widens ee dd (h ns' p) => Y P Q.
by move/mixed_composition_distribution/of_laws.
Qed.
Lemma mixed_narrows ns : narrows (mixed_lower G ns).
Proof.
move=> e d e' d' ee dd [ns' [p h]]; exists ns'; split=> //; apply: some_narrows ee dd h => Y P Q.
by move/mixed_composition_distribution/of_laws.
Qed.
Lemma views_widen ns : widens (concurrently ns).
Proof. by apply: every_widens => Y P Q /views_distribution/of_laws. Qed.
Lemma views_narrow ns : narrows (breaks_concurrently ns).
Proof. by apply: some_narrows => Y P Q /views_distribution/of_laws. Qed.

Lemma path_ge0 n ns (Y : finType) (P : nat -> Y -> R) : mixed_path n ns P -> not_below0 (P 0%N) (P n).
Proof.
move=> C; apply: of_laws; split; first exact: mixed_path_distribution (leq0n n) C.
exact: mixed_path_distribution (leqnn n) C.
Qed.
Lemma groups_widen ns g : widens (mixed_upper_of_groups ns g).
Proof.
move=> e d e' d' ee dd h ns' p n Y P l C.
exact: indistinguishable_wider (path_ge0 C) ee dd (h ns' p n Y P l C).
Qed.
Lemma groups_narrow ns g : narrows (mixed_lower_of_groups ns g).
Proof.
move=> e d e' d' ee dd [ns' [p [n [Y [P [l C h]]]]]]; exists ns'; split=> //; exists n, Y, P; split=> // k.
by apply: h; exact: indistinguishable_wider (path_ge0 C) ee dd k.
Qed.
Lemma concurrent_groups_widen ns g : widens (concurrently_of_groups ns g).
Proof.
move=> e d e' d' ee dd h n ts l H; apply: every_widens ee dd (h n ts l H) => Y P Q; exact: along_ge0 H.
Qed.
Lemma concurrent_groups_narrow ns g : narrows (breaks_concurrently_for_groups ns g).
Proof.
move=> e d e' d' ee dd [n [ts [l H h]]]; exists n, ts; split=> //.
by apply: some_narrows ee dd h => Y P Q; exact: along_ge0 H.
Qed.

Lemma budget_widens m B D : widens (budget_upper m B D).
Proof. by apply: every_widens => Y P Q /interaction_distribution/of_laws. Qed.
Lemma budget_narrows m B D : narrows (budget_lower m B D).
Proof. by apply: some_narrows => Y P Q /interaction_distribution/of_laws. Qed.

Lemma trees_widen ts : widens (interactive_upper ts).
Proof.
move=> e d e' d' ee dd [l h]; split=> // a event A side; apply: le_trans (h a event A side) _.
by rewrite ler_add // ler_wpmul2r ?exp_le // mass_ge0 // lawful_whole.
Qed.
Lemma trees_narrow ts : narrows (interactive_lower ts).
Proof.
move=> e d e' d' ee dd [l [a [event [A [side h]]]]]; split=> //; exists a, event; split=> //; exists side.
by apply: le_lt_trans h; rewrite ler_add // ler_wpmul2r ?exp_le // mass_ge0 // lawful_whole.
Qed.

Lemma noisy_widens ns : widens (noisy_upper ns).
Proof.
move=> e d e' d' ee dd h ns' p; apply: every_widens ee dd (h ns' p) => Y P Q.
by move/noisy_distribution/of_laws.
Qed.
Lemma mechanism_ge0 m (Y : finType) (P Q : Y -> R) : is_mechanism m P Q -> distribution P /\ distribution Q.
Proof. by case: m => [n [dP dQ _]|C p reach v [pi [d [u [_ _ [dP dQ _]]]]]|s v b n [dP dQ _]|v r q [dP dQ _]|eta gamma e n [dP dQ _]|mu q n [dP dQ _]|E n [dP dQ _]|E k n [dP dQ _]]. Qed.
Lemma in_turn_ge0 ms (Y : finType) (P Q : Y -> R) : mechanisms_in_turn ms P Q -> not_below0 P Q.
Proof.
move=> C; apply: of_laws; elim: C => {ms Y P Q} [|m ms Y Z P Q P' Q' /mechanism_ge0[dP dQ] _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.
Lemma mechanisms_widen ms : widens (mechanisms_upper ms).
Proof. by move=> e d e' d' ee dd h ms' p; apply: every_widens ee dd (h ms' p) => Y P Q /in_turn_ge0. Qed.
Lemma mechanisms_narrow ms : narrows (mechanisms_lower ms).
Proof.
move=> e d e' d' ee dd [ms' [p h]]; exists ms'; split=> //; apply: some_narrows ee dd h => Y P Q.
by move/in_turn_ge0.
Qed.
Lemma noisy_narrows ns : narrows (noisy_lower ns).
Proof.
move=> e d e' d' ee dd [ns' [p h]]; exists ns'; split=> //; apply: some_narrows ee dd h => Y P Q.
by move/noisy_distribution/of_laws.
Qed.

Lemma given_distribution gs (Y : finType) (P Q : Y -> R) : given_composition gs P Q -> distribution P /\ distribution Q.
Proof.
elim=> {gs Y P Q} [|g gs Y Z P Q P' Q' h _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
have [dP dQ] : distribution P /\ distribution Q by case: g h => [cs|n] [].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.
Lemma given_widens gs : widens (given_upper gs).
Proof.
move=> e d e' d' ee dd h gs' p; apply: every_widens ee dd (h gs' p) => Y P Q.
by move/given_distribution/of_laws.
Qed.
Lemma given_narrows gs : narrows (given_lower gs).
Proof.
move=> e d e' d' ee dd [gs' [p h]]; exists gs'; split=> //; apply: some_narrows ee dd h => Y P Q.
by move/given_distribution/of_laws.
Qed.

Section Workloads.
Variables (N : Type) (private : pair_property [realFieldType of R] N) (Row I : eqType).
Variables (rows : I -> pred Row) (parameters : I -> N) (notions_of : I -> notion) (known : I -> query_noise).

Lemma workload_widens qs : widens (workload_upper private rows parameters qs).
Proof. by move=> e d e' d' ee dd h x x' n; apply: every_widens ee dd (h x x' n) => Y P Q /answered_ge0. Qed.
Lemma workload_narrows qs : narrows (workload_lower private rows parameters qs).
Proof.
move=> e d e' d' ee dd [x [x' [n h]]]; exists x, x'; split=> //.
by apply: some_narrows ee dd h => Y P Q /answered_ge0.
Qed.
Lemma replace_widens qs : widens (replace_upper private rows parameters qs).
Proof. by move=> e d e' d' ee dd h x x' n; apply: every_widens ee dd (h x x' n) => Y P Q /answered_on_ge0. Qed.
Lemma replace_narrows qs : narrows (replace_lower private rows parameters qs).
Proof.
move=> e d e' d' ee dd [x [x' [n h]]]; exists x, x'; split=> //.
by apply: some_narrows ee dd h => Y P Q /answered_on_ge0.
Qed.
Lemma queries_narrow qs : narrows (workload_breaks_concurrently rows notions_of qs).
Proof.
move=> e d e' d' ee dd [x [x' [n h]]]; exists x, x'; split=> //.
by apply: some_narrows ee dd h => Y P Q /queries_ge0.
Qed.
Lemma replaced_queries_narrow qs : narrows (replace_breaks_concurrently rows notions_of qs).
Proof.
move=> e d e' d' ee dd [x [x' [n h]]]; exists x, x'; split=> //.
by apply: some_narrows ee dd h => Y P Q /queries_ge0.
Qed.
Lemma noise_workload_widens qs : widens (noise_workload_upper rows known qs).
Proof. by move=> e d e' d' ee dd h r x x' n; apply: every_widens ee dd (h r x x' n) => Y P Q /answered_more_ge0. Qed.
Lemma noise_workload_narrows qs : narrows (noise_workload_lower rows known qs).
Proof.
move=> e d e' d' ee dd [r [x [x' [n h]]]]; exists r, x, x'; split=> //.
by apply: some_narrows ee dd h => Y P Q /answered_more_ge0.
Qed.
End Workloads.

(** --- settled claims --- *)

Lemma settled b e d verb above below : settles b e d = Planned verb -> widens above -> narrows below ->
  bound_holds b above below -> bound_holds (with_claim e d b) above below.
Proof.
rewrite /settles /with_claim; case K: (bound_kind b) => // h W W'.
- by move: h; case E: (bound_epsilon b) => [e'|] //; case: ifP => // /andP[en dd] _;
    apply: (wider_holds W) => //; rewrite E.
- by move: h; case: ifP => // /andP[en dd] _; exact: (narrower_holds W').
Qed.

Definition above_of (c : claim) : R -> R -> Prop :=
  let ns := notions (claim_mechanisms c) in
  let g := Pos.to_nat (claim_group c) in
  match claim_group c, claim_interplay c with
  | xH, Adaptive => mixed_upper G ns
  | xH, Concurrent => concurrently ns
  | _, Adaptive => mixed_upper_of_groups ns g
  | _, Concurrent => concurrently_of_groups ns g
  end.
Definition below_of (c : claim) : R -> R -> Prop :=
  let ns := notions (claim_mechanisms c) in
  let g := Pos.to_nat (claim_group c) in
  match claim_group c, claim_interplay c with
  | xH, Adaptive => mixed_lower G ns
  | xH, Concurrent => breaks_concurrently ns
  | _, Adaptive => mixed_lower_of_groups ns g
  | _, Concurrent => breaks_concurrently_for_groups ns g
  end.
Lemma above_widens c : widens (above_of c).
Proof.
by rewrite /above_of; case: (claim_group c) (claim_interplay c) => [g|g|] [];
  [exact: groups_widen|exact: concurrent_groups_widen|exact: groups_widen|exact: concurrent_groups_widen|
   exact: mixed_widens|exact: views_widen].
Qed.
Lemma below_narrows c : narrows (below_of c).
Proof.
by rewrite /below_of; case: (claim_group c) (claim_interplay c) => [g|g|] [];
  [exact: groups_narrow|exact: concurrent_groups_narrow|exact: groups_narrow|exact: concurrent_groups_narrow|
   exact: mixed_narrows|exact: views_narrow].
Qed.
Lemma ledger_bound c : claim_kind c <> Underivable ->
  holds_of_ledger c <-> bound_holds (bound_in (OfLedger c)) (above_of c) (below_of c).
Proof. by case: c => [[] e d [g|g|] [] t M]. Qed.

(** What settles a claim proves that all these are (epsilon, delta)-DP, or that some are not. *)
Theorem settles_sound s e d verb : settles (bound_in s) e d = Planned verb -> holds s -> holds (claimed e d s).
Proof.
case: s => [c|b counted l|b ts|b i w|b i w|b N|b xs|b w|b cs N|e' d' x] /= S; last by [].
- have K : claim_kind c <> Underivable by move: S; rewrite /settles /=; case: (claim_kind c).
  move/(ledger_bound K) => h; apply/ledger_bound => //.
  exact: (settled S (@above_widens c) (@below_narrows c) h).
- by apply: settled S _ _; [exact: budget_widens|exact: budget_narrows].
- by apply: settled S _ _; [exact: trees_widen|exact: trees_narrow].
- apply: settled S _ _; case: i => /=; [exact: workload_widens|by []|exact: workload_narrows|exact: queries_narrow].
- apply: settled S _ _; case: i => /=; [exact: replace_widens|by []|exact: replace_narrows|exact: replaced_queries_narrow].
- by apply: settled S _ _; [exact: noisy_widens|exact: noisy_narrows].
- by apply: settled S _ _; [exact: mechanisms_widen|exact: mechanisms_narrow].
- by apply: settled S _ _; [exact: noise_workload_widens|exact: noise_workload_narrows].
- by apply: settled S _ _; [exact: given_widens|exact: given_narrows].
Qed.
