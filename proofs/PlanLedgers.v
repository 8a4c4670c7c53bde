(** Plans about ledgers: by the name of a rule, for neighbours or for groups. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import CertificateChecks CertificateTheorems CheckCertificate CertificateBytes.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanConversions PlanTables.
From ExactDP Require Import PlanGrids PlanClosedForms PlanBrackets PlanGaussians.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** What shows a bound of a ledger. *)
Definition ledger_rules : seq (string * ledger_planner) := [::
  ("vacuous", plan_vacuous);
  ("sum", plan_sum);
  ("infeasible", plan_infeasible);
  ("rational-odds", plan_rational_odds);
  ("lattice", plan_lattice);
  ("grid", plan_grid);
  ("grid-counts", plan_grid_counts);
  ("grid-fourier", plan_grid_fourier);
  ("connect-the-dots", plan_connect_the_dots);
  ("gridded-test", plan_gridded_test);
  ("advanced-composition", plan_advanced);
  ("kairouz-oh-viswanath-homogeneous", plan_kairouz_homogeneous);
  ("kairouz-oh-viswanath-heterogeneous", plan_kairouz);
  ("murtagh-vadhan-1.4", plan_murtagh_vadhan);
  ("zcdp-bun-steinke", plan_bun_steinke);
  ("zcdp-canonne-kamath-steinke", plan_canonne_kamath_steinke);
  ("renyi", plan_renyi);
  ("gaussian", plan_gaussian);
  ("gaussian-mixture", plan_mixture);
  ("gaussian-mesh", plan_mesh);
  ("zcdp-pair", plan_pair)].

(** Hints for a bound of mechanisms by the rule of a step, also of those that stand in for something
    else; nothing where the rule is not known. *)
Definition plan_hints (b : bound) (M : mechanisms) (s : step) : planned (option (seq hint)) :=
  if found (rule_of s) ledger_rules is Some planner then
    let* hints := blamed (rule_of s) (planner b M (own_of s)) in Planned (Some hints)
  else Planned None.

Definition bound_of_claim (c : claim) : bound :=
  Bound (claim_kind c) (claim_epsilon c) (claim_delta c) (claim_theorem c).

Definition plan_claim (c : claim) (steps : seq step) : planned (option (seq proposal)) :=
  match steps with
  | [:: s] =>
      if found (rule_of s) ledger_rules is None then Planned None else
      let* (b, _) := bound_of false s in
      if ~~ same_bound b (bound_of_claim c) then Rejected "the derivation concludes another statement" else
      if ~~ permitted (rule_of s) c then Rejected "rests on another theorem" else
      let* hints := plan_hints b (claim_mechanisms c) s in
      Planned (omap (map (fun h => AboutLedger (Directly h))) hints)
  | _ => Planned None
  end.
