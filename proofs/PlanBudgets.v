(** Plans about budgets that are spent as one goes (SPEC, section 9): the ledger
    that `filter` concludes, for which the rule that follows is planned. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CheckerClosed CheckerConcentrated CheckerFilters Ratios.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateChecks CertificateTheorems CertificateSubjects CertificateBudgets.
From ExactDP Require Import Plan PlanFolds PlanNumbers PlanProblem PlanLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** One mechanism that fails as often as the budget may, if it may. *)
Definition failing_alone (l : budget) : seq (number * ratio * Z) :=
  if failing_above l =? 0 then [::]
  else [:: (Number Ratios.zero [::], (failing_above l, Z.to_pos (failing_below l)), 1)].
Definition all_at_once (l : budget) : ratio * Z := ((size_above l, Z.to_pos (size_below l)), 1).

Definition most_bits_of_budget : Z := 2048.
Definition budget_is_short (c : counting) (l : budget) : bool :=
  let short above below := bits_of (above, Z.to_pos below) <=? most_bits_of_budget in
  [&& short (size_above l) (size_below l), short (failing_above l) (failing_below l) &
      if c is CountsRenyi o then short (order_above o) (order_below o) else true].

(** --- by the divergences of one order --- *)

(** How much more exact than the digits that are asked for. *)
Definition guard : Z := 60.

(** The conversion of the budget's order, where that of the step is no greater. *)
Definition plan_order (b : bound) (c : counting) (l : budget) (own : members) : planned budget_hint :=
  let* _ := only [:: "alpha"; "digits"]%string own in
  let* digits := digits_in own in
  let* alpha := alpha_in own in
  let* _ := needs (if c is CountsRenyi o then rle alpha (order_above o, Z.to_pos (order_below o)) else false)
    "is about a budget of another measure, or of a lower order" in
  let* epsilon := finite b in
  let M := Mechanisms (failing_alone l) [::] [::] in
  let* p := problem_of M [:: epsilon] in
  let* f := at_least 96 p in
  Planned (OfOneOrder f (numbered_by p) M (bits_for digits + guard)).

(** --- by a ledger --- *)

Definition numbering_for (M : mechanisms) : planned numbering :=
  let* p := problem_of M [::] in Planned (numbered_by p).

(** All of the budget at once. *)
Definition plan_at_once (c : counting) (l : budget) : planned mechanisms :=
  let failing := failing_alone l in
  let: (size, _) := all_at_once l in
  match c with
  | CountsEpsilon => Planned (Mechanisms (failing ++ [:: (Number size [::], Ratios.zero, 1)]) [::] [::])
  | CountsRho => Planned (Mechanisms failing [::] [:: all_at_once l])
  | CountsMu => Planned (Mechanisms failing [:: all_at_once l] [::])
  | CountsRenyi _ => Rejected "its ledger is given by noise"
  end.

(** Mechanisms that spend it: not too many, and of short numbers. *)
Definition most_entries : Z := 16.
Definition is_short (l : listed) : bool :=
  match what l with
  | ByEpsilon e d => [&& if logs e is [::] then true else false, bits_in e <=? most_bits_of_budget &
                         bits_of d <=? most_bits_of_budget]
  | ByMu r | ByRho r => bits_of r <=? most_bits_of_budget
  end.
Definition spends_in (own : members) : planned mechanisms :=
  let* _ := only [:: "mechanisms"%string] own in
  let* j := json_in "mechanisms" own in
  let* entries := required (if items j is Some js then read_all read_entry js else None)
    (Malformed "not a ledger") in
  if ~~ in_order entries then Malformed "mechanisms are not sorted and merged" else
  let* _ := needs (length_of entries <=? most_entries) "too many entries" in
  let* _ := needs (all is_short entries) "an entry has too long a number, or an epsilon is not rational" in
  Planned (mechanisms_of (by_epsilon entries)).

Definition by_ledger (b : bound) (M : mechanisms) (following : step)
    (with_hints : numbering -> seq hint -> budget_hint) : planned (option (seq budget_hint)) :=
  let* hints := plan_hints b M following in
  let* k := numbering_for M in
  Planned (omap (fun hints => [:: with_hints k hints]) hints).

(** From below by mechanisms that the step names. *)
Definition plan_filter (b : bound) (c : counting) (l : budget) (own : members) (following : step) :
    planned (option (seq budget_hint)) :=
  if own is [::] then
    if (c, String.eqb (rule_of following) "moments") is (CountsRenyi _, true) then
      let* h := blamed (rule_of following) (plan_order b c l (own_of following)) in Planned (Some [:: h])
    else
      let* M := plan_at_once c l in by_ledger b M following (fun k => AtOnce k M)
  else
    let* M := spends_in own in by_ledger b M following (fun k => FixedSpends [:: plain 96] k M).

Definition plan_budget (b : bound) (c : counting) (l : budget) (steps : seq step) :
    planned (option (seq budget_hint)) :=
  if ~~ budget_is_short c l then Malformed "a number is too long" else
  if steps is [:: s; following] then
    if ~~ String.eqb (rule_of s) "filter" then Planned None else
    if ~~ is_about_ledgers following then Planned None else
    let* _ := concluded_by following b in
    blamed (rule_of s) (plan_filter b c l (parameters_of s) following)
  else Planned None.
