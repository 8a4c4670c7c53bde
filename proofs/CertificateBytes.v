(** [check_certificate]: if it accepts the bytes of a certificate, what they state is true.

    A certificate is checked for itself: [proposal]s cannot make a false statement accepted. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Notions CertificateStatements CertificateTheorems CheckCertificate.
From ExactDP Require Import CertificateSubjects CertificateBudgets CertificateTrees CertificateWorkloads.
From ExactDP Require Import CertificateNoiseRules CertificateNoiseWorkloads CheckerConstraints CertificateFamilyRules CheckerExperiments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** What is suggested, for each kind of subject. *)
Inductive proposal :=
| AboutLedger of suggestion
| AboutBudget of budget_hint
| AboutTrees of tree_hint
| AboutWorkload of carrying
| AboutNoise of noise_hint
| AboutNoiseWorkload of noise_carrying
| AboutExperiment of experiment_hint.

Definition check_statement (c : certificate) (p : proposal) : bool :=
  match stated c, p with
  | OfLedger claim, AboutLedger s => check_claim claim (named_rules c) s
  | OfBudget b counted l, AboutBudget h => check_budget b counted l (named_rules c) h
  | OfTrees b ts, AboutTrees h => check_trees b ts (named_rules c) h
  | OfWorkload b i w, AboutWorkload h => check_workload b i w (named_rules c) h check_reduction
  | OfReplacing b i w, AboutWorkload h => check_workload b i w (named_rules c) h check_replacing
  | OfNoise b N, AboutNoise h => check_noise b N (named_rules c) h
  | OfFamilies b xs, AboutNoise h => check_families b xs (named_rules c) h
  | OfFamilies b xs, AboutLedger s =>
      (if bound_kind b is Underivable then false else true) && check_families_as_ledger b xs (named_rules c) s
  | OfNoiseWorkload b w, AboutNoiseWorkload h => check_noise_workload b w (named_rules c) h
  | OfConstrained b cs N, AboutNoise h => check_constrained b cs N (named_rules c) h
  | OfExperiment e d x, AboutExperiment h => check_experiment e d x h
  | _, _ => false
  end.

(** Whether one of the proposals goes through. *)
Definition check_certificate (bytes : string) (proposals : seq proposal) : bool :=
  if read bytes is Some c then has (check_statement c) proposals else false.

Theorem check_statement_sound c p : check_statement c p -> holds (stated c).
Proof.
case: c => s names n; rewrite /check_statement /=; case: s => [claim|b counted l|b ts|b i w|b i w|b N|b xs|b w|b cs N|e d x] //.
- by case: p => // s; exact: check_claim_sound.
- by case: p => // h; exact: check_budget_sound.
- by case: p => // h; exact: check_trees_sound.
- by case: p => // h; exact: check_workload_by_row_sound.
- by case: p => // h; exact: check_workload_replacing_sound.
- by case: p => // h; exact: check_noise_sound.
- case: p => // [s|h]; last exact: check_families_sound.
  by case/andP=> K; apply: check_families_as_ledger_sound; case: (bound_kind b) K.
- by case: p => // h; exact: check_noise_workload_sound.
- by case: p => // h; exact: check_constrained_sound.
- by case: p => // h; exact: check_experiment_sound.
Qed.

Theorem check_certificate_sound bytes proposals : check_certificate bytes proposals ->
  exists c, read bytes = Some c /\ holds (stated c).
Proof.
rewrite /check_certificate; case: (read bytes) => [c|] // h; exists c; split=> //.
by case: (has_one h) => p; exact: check_statement_sound.
Qed.
