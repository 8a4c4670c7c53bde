(** Plans about ledgers: by the name of a rule, for neighbours or for groups. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import CertificateChecks CertificateTheorems CheckCertificate CertificateBytes.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanConversions PlanTables.
From ExactDP Require Import PlanGrids PlanBrackets PlanMesh PlanGaussians PlanWaves PlanGroups.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** What shows a bound of a ledger. *)
Definition ledger_rules : seq (string * ledger_planner) := [::
  ("trivial", plan_trivial);
  ("sum", plan_sum);
  ("atoms", plan_atoms);
  ("grid", plan_grid);
  ("grid-counts", plan_grid_counts);
  ("grid-fourier", plan_grid_fourier);
  ("mesh-upper", plan_mesh_above);
  ("mesh-lower", plan_mesh_below);
  ("moments", plan_moments);
  ("formula", plan_formula);
  ("gaussian", plan_gaussian);
  ("gaussian-mixture", plan_mixture);
  ("gaussian-mesh", plan_mesh);
  ("zcdp-pair", plan_pair);
  ("fourier-upper", plan_fourier_upper);
  ("fourier-lower", plan_fourier_lower)].

(** Hints for a bound of mechanisms by the rule of a step, also of those that stand in for something
    else; nothing where the rule is not known. *)
Definition plan_hints (b : bound) (M : mechanisms) (s : step) : planned (option (seq hint)) :=
  if found (rule_of s) ledger_rules is Some planner then
    let* hints := blamed (rule_of s) (planner b M (own_of s)) in Planned (Some hints)
  else Planned None.

Definition is_about_ledgers (s : step) : bool := if found (rule_of s) ledger_rules is Some _ then true else false.

Definition bound_of_claim (c : claim) : bound :=
  Bound (claim_kind c) (claim_epsilon c) (claim_delta c) (claim_theorem c).

(** What the last step concludes. *)
Definition concludes (c : claim) (b : bound) (group : Z) : planned unit :=
  let* _ := epsilon_not_negative b in
  if same_bound b (bound_of_claim c) && Z.eqb group (Zpos (claim_group c)) then Planned tt
  else Rejected "the derivation concludes another statement".

(** For neighbours; and for groups, by a bound for neighbours of the same kind. *)
Definition plan_near (c : claim) (s : step) : planned (option (seq suggestion)) :=
  let* (b, group) := bound_of false s in
  let* hints := plan_hints b (claim_mechanisms c) s in
  let* _ := concludes c b group in
  Planned (omap (map Directly) hints).

Definition plan_far (c : claim) (s t : step) : planned (option (seq suggestion)) :=
  let* (near, _) := bound_of false s in
  let* (b, group) := bound_of true t in
  let* _ := concludes c b group in
  if ~~ same_kind (bound_kind near) (bound_kind b) then Rejected "the premise is of another kind" else
  if Z.eqb group 1 then Rejected "a group of 1 is none" else
  let* (M, suggested) := blamed (rule_of t) (plan_group c near (own_of t)) in
  let* hints := plan_hints near M s in
  Planned (omap (map suggested) hints).

Definition suggestions_for (c : claim) (steps : seq step) : planned (option (seq suggestion)) :=
  match steps with
  | [:: s] => plan_near c s
  | [:: s; t] =>
      if String.eqb (rule_of t) "group" then plan_far c s t else Planned None
  | _ => Planned None
  end.

Definition plan_claim (c : claim) (steps : seq step) : planned (option (seq proposal)) :=
  if steps is s :: _ then
    if ~~ is_about_ledgers s then Planned None else
    let* _ := planned_all (fun m => not_negative m.1.1) (of_epsilon (claim_mechanisms c)) in
    let* suggestions := suggestions_for c steps in
    if suggestions is Some found then
      if permitted (rule_of s) c then Planned (Some (map AboutLedger found))
      else Rejected "rests on another theorem"
    else Planned None
  else Planned None.
