(** Canonical JSON, written (SPEC, section 1): what is read is written as it stood. *)
From Coq Require Import Ascii String.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateJson.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope char_scope.

(** A text between its quotes, before what follows. *)
Definition quoted_onto (text rest : string) : string :=
  String """" (reverse_onto (reverse_onto text EmptyString) (String """" rest)).

(** Between brackets, where each has a comma before it. *)
Definition bracketed (opening : ascii) (s : string) : string :=
  match s with
  | String c s' => String opening (if Ascii.eqb c "," then s' else s)
  | EmptyString => String opening s
  end.

Fixpoint write_onto (j : json) (rest : string) : string :=
  match j with
  | Text t => quoted_onto t rest
  | List js =>
      bracketed "[" (foldr (fun j s => String "," (write_onto j s)) (String "]" rest) js)
  | Object ms =>
      bracketed "{" (foldr (fun m s => String "," (quoted_onto m.1 (String ":" (write_onto m.2 s))))
        (String "}" rest) ms)
  end.
Definition write_json (j : json) : string := write_onto j EmptyString.
