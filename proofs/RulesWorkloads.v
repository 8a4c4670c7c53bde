(** The rules about workloads (SPEC, section 8): if the checks pass, the statement holds.

    [rule_overlap_witness]: a bound from below for the mechanisms of the queries that one row
    satisfies.  [rule_parallel_colouring]: a bound from above for one mechanism of each class of
    queries that are disjoint in pairs, with the greatest parameters of its class. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules Workloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** From below: the questions whether there is a row for each query, answered by randomized
    response.  Between no row and the row [r] alone, the answers to the queries that [r] satisfies
    are composed randomized responses; all other queries are answered alike. *)
Section Witness.
Variables (R : realFieldType) (Row : eqType).

Definition emptiness (E d : R) (x : seq Row) := if nilp x then rr0 E d else rr1 E d.

Lemma perm_nilp (x x' : seq Row) : perm_eq x x' -> nilp x = nilp x'.
Proof. by move=> xx; rewrite /nilp (perm_size xx). Qed.

Lemma emptiness_mechanism E d : admissible (E, d) -> mechanism dp (E, d) (emptiness E d).
Proof.
move=> w; have [E0 E1 d0 d1] := admissibleP w; have [dr0 dr1] := distribution_rr E0 d0 d1.
have dist x : distribution (emptiness E d x) by rewrite /emptiness; case: ifP.
split=> // [x x' /perm_nilp xx|x x' _]; first by rewrite /emptiness xx.
rewrite /emptiness; case: ifP => _; case: ifP => _; first exact: dp_alike.
- exact: dp_pair_rr.
- exact/dp_pair_sym/dp_pair_rr.
- exact: dp_alike.
Qed.

Lemma witness_attained (I : eqType) (satisfies : I -> pred Row) (parameters : I -> R * R) r qs :
  all (fun q => admissible (parameters q)) qs -> exists (Y : finType) (P Q : Y -> R),
  answered dp satisfies parameters [::] [:: r] qs P Q /\
  forall a b, hockey_stick a b P Q = composed [seq parameters q | q <- qs & satisfies q r] a b.
Proof.
elim: qs => [_|q qs IH /= /andP[w /IH[Z [P [Q [A H]]]]]].
  exists unit_finType, (fun=> 1), (fun=> 1); split; first exact: AnsweredAll.
  by move=> a b; rewrite /hockey_stick big_const card_unit /= !mulr1 addr0.
have m : mechanism dp (parameters q) (emptiness (parameters q).1 (parameters q).2).
  by move: w; case: (parameters q) => E d; exact: emptiness_mechanism.
exists (prod_finType (ordinal_finType 4) Z); do 2!eexists; split.
  apply: (AnsweredQuery (P := fun=> P) (Q := fun=> Q) (mem_head q qs) m) => y.
  by rewrite /= eqxx.
move=> a b; rewrite hockey_stick_pair /emptiness /=; case: (satisfies q r) => /=.
  by apply: eq_bigr => y _; rewrite H.
have [p0 p1] : distribution (rr0 (parameters q).1 (parameters q).2).
  move: w; case: (parameters q) => E d /admissibleP[E0 _ d0 d1].
  by case: (distribution_rr E0 d0 d1).
rewrite -H -[RHS]mul1r -p1 mulr_suml; apply: eq_bigr => y _.
by rewrite ![_ * rr0 _ _ y]mulrC hockey_stickM.
Qed.
End Witness.

(** The statements of a certificate about a workload, and the upper bound for the mechanisms of a
    ledger whose order may depend on the answers before. *)
Section Statements.
Variables (N : Type) (private : pair_property [realFieldType of R] N).

Definition interleaved_upper (C : eqType) (greatest : C -> N) cs epsilon delta :=
  forall (Y : finType) (P Q : Y -> R), interleaved private greatest cs P Q ->
  indistinguishable (exp epsilon) delta P Q.

Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> N).

Definition workload_upper qs epsilon delta :=
  forall x x' : seq Row, neighbours x x' -> forall (Y : finType) (P Q : Y -> R),
  answered private satisfies parameters x x' qs P Q -> indistinguishable (exp epsilon) delta P Q.

Definition workload_lower qs epsilon delta :=
  exists x x' : seq Row, neighbours x x' /\ exists (Y : finType) (P Q : Y -> R),
  answered private satisfies parameters x x' qs P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

(** 11.18 [parallel-colouring], for any notion of privacy. *)
Theorem rule_parallel_colouring_any (C : eqType) (colour : I -> C) (greatest : C -> N) qs cs
    epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> colour i = colour j ->
    forall r, ~~ (satisfies i r && satisfies j r)} ->
  {in qs, forall i r, satisfies i r -> colour i \in cs /\ forall (Y : finType) (P Q : Y -> R),
    private (parameters i) P Q -> private (greatest (colour i)) P Q} ->
  interleaved_upper greatest cs epsilon delta -> workload_upper qs epsilon delta.
Proof.
move=> uqs ucs disjoint great up x x' [r xx] Y P Q A; apply: up.
apply: (answered_interleaved (colour := colour) xx uqs) A => //.
- move=> i j iqs jqs hi hj e; apply/eqP; apply: contraT => ij.
  by have := disjoint i j iqs jqs ij e r; rewrite hi hj.
- by move=> i Z S T iqs hi; have [_] := great i iqs r hi; exact.
- by move=> i iqs hi; case: (great i iqs r hi).
Qed.
End Statements.

Section Pairs.
Definition odds (p : R * R) := (exp p.1, p.2).

Lemma upper_composed L epsilon delta : proper L ->
  upper L epsilon delta <-> composed (odds_of L) 1 (exp epsilon) <= delta.
Proof.
move=> W; have E0 := ltW (exp_gt0 epsilon); have W' := odds_admissible W.
by rewrite composed_profile //; exact: composition_dp_profile.
Qed.

Lemma upper_interleaved (C : eqType) (greatest : C -> R * R) cs epsilon delta :
  proper [seq greatest c | c <- cs] -> upper [seq greatest c | c <- cs] epsilon delta ->
  interleaved_upper dp (odds \o greatest) cs epsilon delta.
Proof.
move=> W /(upper_composed _ _ W) h Y P Q A.
have half (S T : Y -> R) : interleaved dp (odds \o greatest) cs S T ->
    hockey_stick 1 (exp epsilon) S T <= delta.
  move=> B; apply: le_trans h; rewrite /odds_of -map_comp.
  apply: (interleaved_dominated B); rewrite ?ler01 ?(ltW (exp_gt0 _)) //.
  by have := odds_admissible W; rewrite /odds_of -map_comp.
split; apply/events_hockey_stick; apply: half => //; apply: interleaved_sym A.
by move=> p Z S T; exact: dp_pair_sym.
Qed.

Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> R * R).

(** 11.18 [parallel-colouring]. *)
Theorem rule_parallel_colouring (C : eqType) (colour : I -> C) (greatest : C -> R * R) qs cs
    epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> colour i = colour j ->
    forall r, ~~ (satisfies i r && satisfies j r)} ->
  {in qs, forall i r, satisfies i r -> [/\ colour i \in cs,
    (parameters i).1 <= (greatest (colour i)).1 & (parameters i).2 <= (greatest (colour i)).2]} ->
  proper [seq greatest c | c <- cs] -> upper [seq greatest c | c <- cs] epsilon delta ->
  workload_upper dp satisfies (odds \o parameters) qs epsilon delta.
Proof.
move=> uqs ucs disjoint great W up.
apply: (rule_parallel_colouring_any uqs ucs disjoint) (upper_interleaved W up).
move=> i iqs r hi; have [c e1 e2] := great i iqs r hi; split=> // Y P Q.
by apply: dp_weaker => //=; rewrite exp_le.
Qed.

(** 11.17 [overlap-witness]. *)
Theorem rule_overlap_witness r qs L epsilon delta : proper [seq parameters q | q <- qs] ->
  perm_eq [seq parameters q | q <- qs & satisfies q r] L -> lower L epsilon delta ->
  workload_lower dp satisfies (odds \o parameters) qs epsilon delta.
Proof.
move=> /allP W p low; exists [::], [:: r]; split; first by exists r; left.
have W' : all (fun q => admissible ((odds \o parameters) q)) qs.
  apply/allP => q qqs; have := @odds_admissible [:: parameters q].
  by rewrite /proper /= !andbT; apply; apply: W; exact: map_f.
have [Y [P [Q [A H]]]] := witness_attained satisfies r W'.
exists Y, P, Q; split=> // [[/events_hockey_stick h _]].
case: low => Z [S [T [C]]]; apply; apply: (proj2 (upper_composed epsilon delta _)) C.
  rewrite /proper -(perm_all _ p); apply/allP => m /mapP[q]; rewrite mem_filter => /andP[_ qqs] ->.
  by apply: W; exact: map_f.
by move: h; rewrite H (map_comp odds parameters) (composed_perm _ _ (perm_map odds p)).
Qed.
End Pairs.
