(** The verified checker: workloads whose queries are given by (epsilon, delta), by mu or by rho. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Comparisons CheckerClosed
  CheckerNotions RulesGaussian Workloads RulesWorkloads RulesMixedWorkloads
  OrderOfWorkloads CheckerWorkloads CheckerWorkloadsSound.
From ExactDP Require ProfileOfMu.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** What a query states; counts play no part. *)
Inductive parameter := ByPair of entry | ByMu of level | ByRho of level.

Definition times_of (p : parameter) : Z :=
  match p with ByPair e => count e | ByMu l | ByRho l => times l end.
Definition listed (m : mixed_subject) : seq parameter :=
  [seq ByPair e | e <- entries (approximates m)] ++
  [seq ByMu l | l <- gaussians m] ++ [seq ByRho l | l <- concentrates m].

Definition same_level (l l' : level) : bool :=
  Z.eqb (level_above l) (level_above l') && Z.eqb (level_below l) (level_below l').
Definition same_of (p p' : parameter) : bool :=
  match p, p' with
  | ByPair e, ByPair e' => same e e'
  | ByMu l, ByMu l' | ByRho l, ByRho l' => same_level l l'
  | _, _ => false
  end.
Definition parameter_ok (f : effort) (s : subject) (p : parameter) : bool :=
  match p with
  | ByPair e => subject_ok f (Subject (denominator s) (quotients s) [:: e])
  | ByMu l | ByRho l => level_ok l
  end.

Definition check_overlap_witness (f : effort) (m : mixed_subject) (w : workload parameter)
    (x : seq Z) : bool :=
  [&& all (fun q => parameter_ok f (approximates m) (privacy q)) (queries w),
      in_domain (sizes w) x &
      merged same_of times_of (listed m) [seq privacy q | q <- queries w & satisfied (clauses q) x]].

Definition level_at_least (l l' : level) : bool :=
  [&& Z.leb 0 (level_above l'), Z.ltb 0 (level_below l), Z.ltb 0 (level_below l') &
      Z.leb (level_above l' * level_below l)%coqZ (level_above l * level_below l')%coqZ].
Definition at_least_of (f : effort) (s : subject) (es : seq (Z * Z)) (p p' : parameter) : bool :=
  match p, p' with
  | ByPair e, ByPair e' => at_least f s es e e'
  | ByMu l, ByMu l' | ByRho l, ByRho l' => level_at_least l l'
  | _, _ => false
  end.

(** The statements. *)
Definition notion_of (s : subject) (p : parameter) : notion :=
  match p with
  | ByPair e => Approximate (parameters_of s e).1 (parameters_of s e).2
  | ByMu l => Gaussian (level_of l)
  | ByRho l => Concentrated (level_of l)
  end.
Definition parameter0 := ByRho (Level 1 0 1).

Section Statements.
Variables (s : subject) (w : workload parameter).
Definition notion_at (i : nat) := notion_of s (privacy (query_at parameter0 w i)).
Definition mixed_upper_of (epsilon delta : R) : Prop :=
  workload_upper (of_notion G) (satisfied_at parameter0 w) notion_at (numbers w) epsilon delta.
Definition mixed_lower_of (epsilon delta : R) : Prop :=
  workload_lower (of_notion G) (satisfied_at parameter0 w) notion_at (numbers w) epsilon delta.
End Statements.

Lemma listed_notions m :
  flatten [seq nseq (Z.to_nat (times_of p)) (notion_of (approximates m) p) | p <- listed m] = notions_of m.
Proof.
rewrite /listed /notions_of /levels !map_cat !flatten_cat -!map_comp; congr (_ ++ _).
rewrite /approximate /ledger_of map_flatten -map_comp; congr flatten.
by apply: eq_map => e; rewrite /= map_nseq.
Qed.

Lemma same_notion s p p' : same_of p p' -> notion_of s p = notion_of s p'.
Proof.
have levels l l' : same_level l l' -> level_of l = level_of l'.
  by rewrite /level_of => /andP[/Z.eqb_eq -> /Z.eqb_eq ->].
case: p p' => [e|l|l] [e'|l'|l'] // => [/(same_parameters s)|/levels|/levels] h; by rewrite /notion_of h.
Qed.

Lemma parameter_proper f s p : parameter_ok f s p -> proper_notion (notion_of s p).
Proof.
case: p => [e ok|l ok|l ok] /=; try exact: level_ge0.
have /= h := entries_ok ok; inversion h as [|e' es [_ a0 ab x0]].
have b0 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
rewrite x0 /fraction ltr_pdivr_mulr // mul1r IZR_lt_iff (proj2 (Z.ltb_lt _ _) ab) andbT.
by rewrite divr_ge0 ?(ltW b0) // (IZR_le_iff Z0); apply/Z.leb_le.
Qed.

(** What the reductions need to know of the profile. *)
Lemma G_of_equals (mu e : R) : 0 <= mu -> 0 <= G mu e /\ 1 - exp e <= G mu e.
Proof.
move=> _; split; first exact: G_ge0.
rewrite /G; case: ifP => [/RltP m0|_]; last exact: le_pos.
by apply/RleP/Rlt_le/ProfileOfMu.profile_of_equals.
Qed.

Lemma G_monotone (mu mu' e : R) : 0 <= mu -> mu <= mu' -> G mu e <= G mu' e.
Proof.
rewrite le_eqVlt => /orP[/eqP <- m|m0 mm].
  by have [g0 g1] := G_of_equals e m; rewrite {1}/G ltxx pos_le.
by rewrite /G m0 (lt_le_trans m0 mm); apply/RleP/ProfileOfMu.profile_monotone; [exact/RltP|exact/RleP].
Qed.

Theorem check_overlap_witness_sound f m w x epsilon delta : check_overlap_witness f m w x ->
  mixed_lower G (notions_of m) epsilon delta ->
  mixed_lower_of (approximates m) w epsilon delta.
Proof.
case/and3P=> ok inside /(merged_sound (@same_notion (approximates m))); rewrite listed_notions => p low.
apply: (rule_overlap_witness_mixed G_of_equals (r := exist _ x inside : row w)) low.
  apply/allP => i; rewrite mem_iota add0n => im; apply: parameter_proper.
  exact: (all_nthP (Query parameter0 [::]) ok).
rewrite /notion_at; move: p; rewrite -map_comp.
by have -> := parameters_numbered parameter0 w (notion_of (approximates m)) (fun cs => satisfied cs x).
Qed.

Lemma at_least_of_sound f s p p' : subject_ok f s ->
  at_least_of f s (enclosures (bits f) (terms f) (quotients s)) p p' ->
  not_more (notion_of s p') (notion_of s p).
Proof.
move=> ok; have levels l l' : level_at_least l l' -> 0 <= level_of l' <= level_of l.
  case/and4P; rewrite -!IZR_lt_iff -!IZR_le_iff !IZRM => a0 b0 b1 d.
  rewrite /level_of /fraction divr_ge0 ?(ltW b1) //=.
  by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr.
case: p p' => [e|l|l] [e'|l'|l'] //=; first by case/(at_least_sound ok) => -> ->.
- exact: levels.
- by case/levels/andP.
Qed.
