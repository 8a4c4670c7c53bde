(** Workloads (SPEC, section 8): from what is suggested to the truth of what is stated.

    A ledger that stands in for the workload is suggested, with hints for its rule, and how its bounds
    carry over: a row or two, or classes of queries.  From above a bound must hold in any order of the
    ledger's mechanisms, which may depend on the answers (OrderOfWorkloads.v). *)
From Coq Require Import Ascii String Reals ZArith FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions NotionsTrivial RulesGaussian Workloads RulesWorkloads.
From ExactDP Require Import RulesMixedWorkloads ReplaceOne OrderOfWorkloads RulesCaseTree Ratios.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerGrid CheckerGridTheorems.
From ExactDP Require Import Failures CheckerGaussian CheckerConcentrated CheckerConcentratedTheorems.
From ExactDP Require Import CheckerRationalOddsSound CheckerLatticeTheorems CheckerBracketTheorems.
From ExactDP Require Import CheckerOrderOfWorkloads CheckerOrderOfGaussian.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateChecks CertificateTheorems CheckCertificate CertificateSubjects.
From ExactDP Require Import CertificateBudgets CheckerWorkloads CheckerMixedWorkloads CheckerReplaceOne.
From ExactDP Require Import RulesPairCaseTree ConcurrentWorkloads CheckerPair.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the queries, over a table of logarithms --- *)

Definition parameter_from (k : numbering) (p : CertificateStatements.parameter) : option parameter :=
  match p with
  | CertificateStatements.ByEpsilon e d =>
      if combination_of k e is Some x then Some (ByPair (Entry x d.1 (Zpos d.2) 1)) else None
  | CertificateStatements.ByMu m => Some (ByMu (Level 1 m.1 (Zpos m.2)))
  | CertificateStatements.ByRho r => Some (ByRho (Level 1 r.1 (Zpos r.2)))
  end.
Definition query_from (k : numbering) (q : query CertificateStatements.parameter) : option (query parameter) :=
  if parameter_from k (privacy q) is Some p then Some (Query p (clauses q)) else None.
Definition over (w : workload CertificateStatements.parameter) (qs : seq (query parameter)) :
    workload parameter := Workload (sizes w) qs.

(** --- what is suggested --- *)

(** A row; a tree of the numbers of each query's classes; two rows; each query's places; a tree of the
    numbers of its classes for two rows. *)
Inductive reduction :=
| Met of seq Z
| ByCases of case_tree
| MetByTwo of seq Z & seq Z
| Placed of seq places
| ByCasesOfTwo of pair_case_tree.

Record carrying := Carrying {
  compared_with : seq effort;
  written_over : numbering;
  stands_in : mechanisms;
  hinted : seq hint;
  carried_by : reduction
}.

(** --- the check --- *)

Definition check_reduction (name : string) (m : mixed_subject) (w : workload parameter) (r : reduction)
    (f : effort) : bool :=
  match r with
  | Met x => String.eqb name "rows" && check_overlap_witness f m w x
  | ByCases t => String.eqb name "cases" && check_parallel_case_tree f m w t
  | MetByTwo _ _ | Placed _ | ByCasesOfTwo _ => false
  end.
Definition check_replacing (name : string) (m : mixed_subject) (w : workload parameter) (r : reduction)
    (f : effort) : bool :=
  match r with
  | MetByTwo x x' => String.eqb name "rows" && check_two_rows f m w x x'
  | Placed ps => String.eqb name "cases" && check_replace_colouring f m w ps
  | ByCasesOfTwo t => String.eqb name "cases" && check_replace_case_tree f m w t
  | Met _ | ByCases _ => false
  end.

(** From above by classes, from below by rows. *)
Definition carries (k : kind) (r : reduction) : bool :=
  match k, r with
  | Upper, (ByCases _ | Placed _ | ByCasesOfTwo _) | Lower, (Met _ | MetByTwo _ _) => true
  | _, _ => false
  end.

(** Checks whose bounds hold in any order. *)
Definition in_any_order (t : attempt) : bool :=
  match t with
  | Trivial | Sum | RationalOdds _ | Lattice _ | Grid _ | Dots _
  | Renyi _ _ | GaussianProfile _ | Mixture _ _
  | MeshAbove _ _ | FourierAbove _ | Pair _ _ _ _ _ _ _ | PairAlone _ _ _ _ _ _ => true
  | _ => false
  end.

(** Of interactive mechanisms, bounds from below alone. *)
Definition composed_as (i : interplay) (k : kind) : bool :=
  match i, k with Adaptive, _ | Concurrent, Lower => true | _, _ => false end.

Section Check.
Variables (b : bound) (i : interplay) (w : workload CertificateStatements.parameter) (names : seq string) (h : carrying).
Variable check : string -> mixed_subject -> workload parameter -> reduction -> effort -> bool.

Definition check_workload : bool :=
  let k := written_over h in let M := stands_in h in let r := carried_by h in
  let hints := [seq t <- hinted h | if bound_kind b is Upper then in_any_order (tried t) else true] in
  if names is [:: name; rule] then
    if (subject_from k M, read_all (query_from k) (queries w)) is (Some m, Some qs) then
      [&& own_theorem b rule, composed_as i (bound_kind b), carries (bound_kind b) r, has (check name m (over w qs) r) (compared_with h) &
          check_stand_in b rule M hints]
    else false
  else false.
End Check.

(** --- soundness --- *)

(** What is checked of the queries, is said of what is stated. *)
Section Stated.
Variables (k : numbering) (M : mechanisms) (m : mixed_subject).
Hypothesis S : subject_from k M = Some m.
Let s := approximates m.

Lemma parameter_from_sound p p' : parameter_from k p = Some p' -> notion_of s p' = notion_for p.
Proof.
case: p => [e d|mu|rho] /=; [|by case=> <-|by case=> <-].
case X: (combination_of k e) => [x|] // [<-] /=.
by rewrite (subject_from_real S X).
Qed.

Lemma queries_from_sound qs qs' : read_all (query_from k) qs = Some qs' -> size qs' = size qs /\ forall i,
  notion_of s (privacy (nth (Query parameter0 [::]) qs' i)) =
    notion_for (privacy (nth (Query no_parameter [::]) qs i)) /\
  clauses (nth (Query parameter0 [::]) qs' i) = clauses (nth (Query no_parameter [::]) qs i).
Proof.
elim: qs qs' => [|q qs IH] qs'; first by case=> <-; split=> // i; rewrite !nth_nil.
move=> h; have [q' [rest [+ /IH[n same] ->]]] := read_all_cons h; rewrite /query_from.
case P: (parameter_from k _) => [p|] // [<-]; split; first by rewrite /= n.
by case=> [|i] /=; [split; first exact: parameter_from_sound P|exact: same].
Qed.

Variables (w : workload CertificateStatements.parameter) (qs : seq (query parameter)).
Hypothesis Q : read_all (query_from k) (queries w) = Some qs.

Lemma as_stated (T : (nat -> pred (row w)) -> (nat -> notion) -> seq nat -> Prop) :
  T (@satisfied_at _ parameter0 (over w qs)) (notion_at s (over w qs)) (numbers (over w qs)) ->
  T (@asked w) (private_as w) (numbers w).
Proof.
have [n same] := queries_from_sound Q.
have -> : numbers (over w qs) = numbers w by rewrite /numbers /= n.
have -> : notion_at s (over w qs) = private_as w.
  by apply: functional_extensionality => i; case: (same i).
have -> // : @satisfied_at _ parameter0 (over w qs) = @asked w.
apply: functional_extensionality => i; apply: functional_extensionality => x.
by rewrite /asked /satisfied_at /query_at; case: (same i) => _ ->.
Qed.
End Stated.

(** What a check shows of a ledger, in any order. *)
Section AnyOrder.
Variables (f : effort) (m : mixed_subject) (a b : Z).

Lemma quiet_any_order epsilon delta : quiet f m -> upper (ledger_of (approximates m)) epsilon delta ->
  any_order_upper (notions_of m) epsilon delta.
Proof.
case/andP=> ok zero; have [F <-] := subject_first_notion zero.
by apply: any_order_pairs => //; exact: notions_proper ok.
Qed.

Lemma shows_any_order t x : in_any_order t -> shows_upper f m a b t x ->
  any_order_upper (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
case: t => //=; try by [].
- move=> _ /and3P[_ /Z.ltb_lt b0 /Z.eqb_eq e]; rewrite /fraction e divff; first exact: any_order_vacuous.
  by rewrite gt_eqF // (IZR_lt_iff Z0); apply/Z.ltb_lt.
- by move=> _ /andP[q h]; apply: (quiet_any_order q); exact: check_sum_upper_sound h.
- by move=> sums _ /andP[q h]; apply: (quiet_any_order q); exact: check_rational_odds_upper_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_any_order q); exact: check_lattice_upper_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_any_order q); exact: check_grid_upper_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_any_order q); exact: check_connect_the_dots_sound h.
- by move=> v o _ h; exact: check_renyi_any_order h.
- by move=> p _ h; exact: check_gaussian_any_order h.
- by move=> p q _ h; exact: check_gaussian_mixture_any_order h.
- by move=> p q _ h; exact: check_gaussian_mesh_any_order h.
- by move=> w o y c d p q _ h; exact: check_zcdp_pair_any_order h.
- by move=> w o y c d q _ h; exact: check_zcdp_pair_alone_any_order h.
- by move=> q _ h; exact: check_fourier_any_order h.
Qed.
End AnyOrder.

Lemma check_any_order_sound b rule M hints : bound_kind b = Upper ->
  check_stand_in b rule M [seq t <- hints | in_any_order (tried t)] ->
  at_epsilon (bound_epsilon b) (fun e => any_order_upper (notions M) e (of_ratio (bound_delta b))).
Proof.
move=> up shown; have {shown} [[f k t]] : exists h, in_any_order (tried h) &&
    check_bound (claim_of b rule M) rule h (bound_epsilon b) (bound_delta b).
  move: shown; rewrite /check_stand_in; elim: hints => //= h hs IH; case O: (in_any_order _) => //=.
  by case/orP=> [shown|//]; exists h; rewrite O.
case/andP=> order; rewrite /check_bound => /andP[_].
rewrite /= up; case E: (subject_from k M) => [m|] //; case: (bound_epsilon b) => [e|] //.
case X: (combination_of k e) => [x|] // shown; rewrite /at_epsilon -(subject_from_sound E) -(subject_from_real E X).
exact: shows_any_order order shown.
Qed.

(** What breaks adaptively breaks concurrently. *)
Lemma breaks_either_way (i : interplay) (adaptively concurrently : R -> R -> Prop) epsilon delta :
  (adaptively epsilon delta -> concurrently epsilon delta) -> adaptively epsilon delta ->
  interplay_below i adaptively concurrently epsilon delta.
Proof. by case: i => /= [_|h /h]. Qed.

(** From the ledger to the workload. *)
Section Carried.
Variables (k : numbering) (M : mechanisms) (m : mixed_subject).
Variables (w : workload CertificateStatements.parameter) (qs : seq (query parameter)).
Hypotheses (S : subject_from k M = Some m) (Q : read_all (query_from k) (queries w) = Some qs).
(** What is shown of the queries as they are checked, is shown of them as they are stated. *)
Lemma carried_over (B : seq notion -> Prop)
    (T : (nat -> pred (row w)) -> (nat -> notion) -> seq nat -> Prop) :
  (B (notions_of m) -> T (@satisfied_at _ parameter0 (over w qs)) (notion_at (approximates m) (over w qs))
                         (numbers (over w qs))) ->
  B (notions M) -> T (@asked w) (private_as w) (numbers w).
Proof. by rewrite -(subject_from_sound S) => h /h; exact: (as_stated S Q). Qed.

Variables (name : string) (r : reduction) (f : effort) (epsilon delta : R).

Let above (T : R -> R -> Prop) :=
  carries Upper r -> any_order_upper (notions M) epsilon delta -> T epsilon delta.
Let below (T : R -> R -> Prop) :=
  carries Lower r -> mixed_lower G (notions M) epsilon delta -> T epsilon delta.

Lemma queries_proper : all (fun q => parameter_ok f (approximates m) (privacy q)) qs ->
  {in numbers w, forall j, proper_notion (private_as w j)}.
Proof.
move=> ok; apply: (as_stated (T := fun _ n js => {in js, forall j, proper_notion (n j)}) S Q) => j.
rewrite mem_iota add0n => jm; apply: parameter_proper.
exact: (all_nthP (Query parameter0 [::]) ok).
Qed.

Lemma reduction_carries i : check_reduction name m (over w qs) r f ->
  above (workload_upper (of_notion G) (@asked w) (private_as w) (numbers w)) /\
  below (interplay_below i (workload_lower (of_notion G) (@asked w) (private_as w) (numbers w))
                           (workload_breaks_concurrently (@asked w) (private_as w) (numbers w))).
Proof.
have low := @carried_over (fun ns => mixed_lower G ns epsilon delta)
  (fun rows ns js => workload_lower (of_notion G) rows ns js epsilon delta).
have up := @carried_over (fun ns => any_order_upper ns epsilon delta)
  (fun rows ns js => workload_upper (of_notion G) rows ns js epsilon delta).
rewrite /check_reduction /above /below; case: r => // [x|t] /andP[_ h]; split=> //.
- move=> _ h'; apply: breaks_either_way; last by apply: low h'; exact: check_overlap_witness_sound h.
  by case/and3P: h => ok _ _; apply: workload_concurrent_lower (iota_uniq _ _); exact: queries_proper.
- by move=> _; apply: up; exact: check_parallel_case_tree_sound h.
Qed.

Lemma replacing_carries i : check_replacing name m (over w qs) r f ->
  above (replace_upper (of_notion G) (@asked w) (private_as w) (numbers w)) /\
  below (interplay_below i (replace_lower (of_notion G) (@asked w) (private_as w) (numbers w))
                           (replace_breaks_concurrently (@asked w) (private_as w) (numbers w))).
Proof.
have low := @carried_over (fun ns => mixed_lower G ns epsilon delta)
  (fun rows ns js => replace_lower (of_notion G) rows ns js epsilon delta).
have up := @carried_over (fun ns => any_order_upper ns epsilon delta)
  (fun rows ns js => replace_upper (of_notion G) rows ns js epsilon delta).
rewrite /check_replacing /above /below; case: r => // [x x'|ps|t] /andP[_ h]; split=> //.
- move=> _ h'; apply: breaks_either_way; last by apply: low h'; exact: check_two_rows_sound h.
  by case/and5P: h => ok _ _ _ _; apply: replace_concurrent_lower (iota_uniq _ _); exact: queries_proper.
- by move=> _; apply: up; exact: check_replace_colouring_sound h.
- by move=> _; apply: up; exact: check_replace_case_tree_sound h.
Qed.
End Carried.

(** For both relations of neighbours: what is checked carries bounds of the ledger over. *)
Section Workload.
Variables (b : bound) (i : interplay) (w : workload CertificateStatements.parameter) (names : seq string) (h : carrying).
Variable check : string -> mixed_subject -> workload parameter -> reduction -> effort -> bool.
Variables above below : R -> R -> Prop.
Hypothesis carried : forall m qs name f, subject_from (written_over h) (stands_in h) = Some m ->
  read_all (query_from (written_over h)) (queries w) = Some qs ->
  check name m (over w qs) (carried_by h) f -> forall epsilon delta,
  (carries Upper (carried_by h) -> any_order_upper (notions (stands_in h)) epsilon delta -> above epsilon delta) /\
  (carries Lower (carried_by h) -> mixed_lower G (notions (stands_in h)) epsilon delta -> below epsilon delta).

Theorem check_workload_sound : check_workload b i w names h check ->
  bound_holds b (where_adaptive i above) below.
Proof.
rewrite /check_workload; case: names => [|name [|rule [|? ?]]] //.
case S: (subject_from _ _) => [m|] //; case Q: (read_all _ _) => [qs|] //.
case/and5P=> _ composed direction /has_one[f /(carried S Q) over_to] shown; rewrite /bound_holds.
have bounds (P T : R -> Prop) : (forall e, P e -> T e) -> at_epsilon (bound_epsilon b) P ->
    at_epsilon (bound_epsilon b) T.
  by move=> PT; rewrite /at_epsilon; case: (bound_epsilon b) => [e|] h' *; exact: PT.
case K: (bound_kind b) composed direction shown => // composed direction shown.
  apply: bounds (check_any_order_sound K shown) => e any; case: (over_to e (of_ratio (bound_delta b))).
  by move=> up _; move: composed; rewrite /where_adaptive; case: (i) => // _; exact: up.
move: shown; have -> : [seq _ <- hinted h | true] = hinted h by exact: filter_predT.
move/check_stand_in_sound; rewrite K; apply: bounds => e low.
by case: (over_to e (of_ratio (bound_delta b))) => _; exact.
Qed.
End Workload.

Theorem check_workload_by_row_sound b i w names h : check_workload b i w names h check_reduction ->
  workload_holds b i w.
Proof.
apply: check_workload_sound => m qs name f S Q checked epsilon delta.
exact: (reduction_carries S Q epsilon delta i checked).
Qed.

Theorem check_workload_replacing_sound b i w names h : check_workload b i w names h check_replacing ->
  replacing_holds b i w.
Proof.
apply: check_workload_sound => m qs name f S Q checked epsilon delta.
exact: (replacing_carries S Q epsilon delta i checked).
Qed.
