(** A plan for a certificate, from its bytes: what [check_certificate] is to try. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateJson CertificateStatements CertificateSubjects CertificateBytes.
From ExactDP Require Import CertificateNumbers CertificateNoise CertificateChecks CertificateNoiseRules.
From ExactDP Require Import CertificateBudgets CertificateWorkloads CertificateNoiseWorkloads CheckCertificate CheckerFourier PlanNumbers.
From ExactDP Require Import Plan PlanLedgers PlanNoise PlanConstraints PlanBudgets PlanTrees PlanWorkloads PlanNoiseWorkloads PlanFamilies PlanExperiments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** One step alone, or one and another that it is the premise of. *)
Definition steps_fit (steps : seq step) : bool :=
  match [seq premises_of s | s <- steps] with
  | [:: [::]] => true
  | [:: [::]; [:: first]] => String.eqb first "0"
  | _ => false
  end.

(** As proposals of a kind. *)
Definition as_each (A : Type) (about : A -> proposal) (p : planned (option (seq A))) :
    planned (option (seq proposal)) :=
  let* hints := p in Planned (omap (map about) hints).

(** Nothing where no plan is known for the rules.  [most]: what may be spent; [subject]: what it is about,
    as it is written, whose texts have an order. *)
Definition plan_statement (s : statement) (most : Z) (subject : json) (steps : seq step) :
    planned (option (seq proposal)) :=
  match s with
  | OfLedger c => plan_claim c steps
  | OfBudget b c l => as_each AboutBudget (plan_budget b c l steps)
  | OfTrees b ts => as_each AboutTrees (plan_trees most b ts steps)
  | OfWorkload b _ w => as_each AboutWorkload (plan_workload reductions b w subject steps)
  | OfReplacing b _ w => as_each AboutWorkload (plan_workload replacing b w subject steps)
  | OfNoise b N => plan_noise b N subject steps
  | OfFamilies b xs => plan_families b xs subject steps
  | OfNoiseWorkload b w =>
      as_each AboutNoiseWorkload (plan_noise_workload b (CheckerWorkloads.sizes w) subject steps)
  | OfConstrained b cs N => plan_constrained b cs N subject steps
  | OfExperiment e d x => as_each AboutExperiment (plan_experiment e d x steps)
  end.

(** --- what is not known --- *)

Definition known_rules : seq string :=
  unzip1 ledger_rules ++ [:: "group"] ++ unzip1 reductions ++ unzip1 replacing ++
  [:: "filter"; "post-processing"; "distinguishing-adversary"; "clopper-pearson"; "one-run"] ++
  unzip1 noise_rules ++ unzip1 noise_reductions.

(** Rules that are not in their places; the name of one that is not known is the file's, and is not said. *)
Definition misfit (A : Type) (steps : seq step) : planned A :=
  let names := [seq rule_of s | s <- steps] in
  if [seq name <- names | ~~ among name known_rules] is _ :: _ then Rejected "unknown rule"
  else Rejected ("rule " ++ last "" names ++ ": does not fit").

(** Between such neighbours nothing is known of a record that is there or not, or only where batches are shuffled. *)
Definition misses_neighbours (statement : json) : bool :=
  if (member "subject" statement, member "neighbouring" statement) is (Some subject, Some (Text neighbouring)) then
    if read_noise_ledger (reading_for true "zero-out") subject is Some N then
      if between neighbouring N is None then true else String.eqb neighbouring "zero-out" && ~~ has_batches subject
    else false
  else false.
Definition unread (A : Type) (statement : json) : planned A :=
  if misses_neighbours statement then Rejected "says nothing about such neighbours" else Malformed "not a statement".

(** --- what takes more than may be spent --- *)

(** Series of so many digits: a few, or one for each outcome of a mixture. *)
Definition cost_of_digits (s : step) : Z :=
  if digits_in (own_of s) is Planned digits then
    let bits := bits_for digits in
    if String.eqb (rule_of s) "gaussian-mixture" then (bits ^ 2 * Z.sqrt bits / 2)%Z else (4 * bits ^ 2)%Z
  else 0%Z.

(** The points of a trapezoid sum, with so many mechanisms at each. *)
Definition cost_of_points (listed : Z) (w : wave_plan) : Z :=
  let bits := wave_bits w in
  (4 * wave_last w * (listed + 2) * (bits * Z.sqrt bits / 64 + bits * bits / 2000))%Z.

Definition waves_of_hint (h : hint) : seq wave_plan :=
  match tried h with FourierAbove w | FourierBelow w _ _ => [:: w] | _ => [::] end.
Definition waves_of_noise (h : noise_hint) : seq wave_plan :=
  match h with NoiseFourierAbove _ _ w _ | NoiseFourierBelow _ _ w _ _ _ => [:: w] | _ => [::] end.
Definition waves_of (p : proposal) : seq wave_plan :=
  match p with
  | AboutLedger (Directly h | ForGroups h _ | ForMechanisms h _) => waves_of_hint h
  | AboutBudget (AtOnce _ _ hints | FixedSpends _ _ _ hints) => flatten (map waves_of_hint hints)
  | AboutWorkload c => flatten (map waves_of_hint (hinted c))
  | AboutNoise h => waves_of_noise h
  | AboutNoiseWorkload c => flatten (map waves_of_noise (bounded_by c))
  | AboutBudget (OfOneOrder _ _ _ _) | AboutTrees _ | AboutExperiment _ => [::]
  end.

Definition listed_in (subject : json) : Z :=
  if member "mechanisms" subject is Some (List entries) then length_of entries else
  if member "queries" subject is Some (List queries) then length_of queries else 1%Z.

(** What is proposed for what is stated, where no more than [most] may be spent. *)
Definition plan_for (s : statement) (most : Z) (written : json) (steps : seq json) : planned (seq proposal) :=
  let* steps := planned_all read_step steps in
  if ~~ steps_fit steps then misfit _ steps else
  if has (fun s => most <? cost_of_digits s)%Z steps then Refused "so many digits cost more than the limit" else
  let* subject := required (member "subject" written) (Malformed "a statement has no subject") in
  let* proposals := plan_statement s most subject steps in
  let* proposals := required proposals (misfit _ steps) in
  let listed := listed_in subject in
  if has (fun p => has (fun w => most <? cost_of_points listed w)%Z (waves_of p)) proposals
  then Refused "so many points cost more than the limit" else Planned proposals.
