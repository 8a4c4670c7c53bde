(** A plan for a certificate, from its bytes: what [check_certificate] is to try. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateJson CertificateStatements CertificateSubjects CertificateBytes.
From ExactDP Require Import Plan PlanLedgers PlanNoise.
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

(** Nothing where no plan is known for the rules. *)
Definition plan_statement (s : statement) (steps : seq step) : planned (option (seq proposal)) :=
  match s with
  | OfLedger c => plan_claim c steps
  | OfNoise b N => plan_noise b N steps
  | _ => Planned None
  end.

Definition plan_certificate (bytes : string) : planned (option (seq proposal)) :=
  let* j := required (read_json bytes) (Malformed "not canonical JSON") in
  match fields [:: "cost"; "derivation"; "digest"; "format"; "statement"] j with
  | Some [:: _; List steps; _; _; _] =>
      let* steps := planned_all read_step steps in
      if read bytes is Some c then
        if steps_fit steps then plan_statement (stated c) steps else Planned None
      else Planned None
  | _ => Malformed "not a certificate"
  end.
