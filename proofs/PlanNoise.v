(** Plans about ledgers of mechanisms given by their noise: by the name of a rule. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateNoise.
From ExactDP Require Import CertificateTheorems CertificateNoiseRules CertificateBytes Plan.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** A plan for a rule, by its bound, the ledger and the rule's own parameters. *)
Definition noise_planner := bound -> noise_ledger -> members -> planned (seq noise_hint).

Definition noise_rules : seq (string * noise_planner) := [::].

(** Also for a ledger that stands in for something else. *)
Definition plan_noise_hints (b : bound) (N : noise_ledger) (s : step) : planned (option (seq noise_hint)) :=
  if found (rule_of s) noise_rules is Some planner then
    let* hints := blamed (rule_of s) (planner b N (own_of s)) in Planned (Some hints)
  else Planned None.

Definition plan_noise (b : bound) (N : noise_ledger) (steps : seq step) : planned (option (seq proposal)) :=
  match steps with
  | [:: s] =>
      if found (rule_of s) noise_rules is None then Planned None else
      let* (b', _) := bound_of false s in
      if ~~ same_bound b b' then Rejected "the derivation concludes another statement" else
      let* hints := plan_noise_hints b N s in
      Planned (omap (map AboutNoise) hints)
  | _ => Planned None
  end.
