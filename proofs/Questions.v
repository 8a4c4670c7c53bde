(** What a reader asks of a certificate besides whether it is true: whether it is about the ledger in a file,
    and whether it settles a claim. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateSubjects Plan WrittenNumbers.
From ExactDP Require Import Claims ClaimTheorems LedgerFiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** The bytes of a ledger, and the texts of epsilon and delta. *)
Record question := Question { the_ledger : option string; the_claim : option (string * string) }.

(** What a certificate is about, as far as a ledger is. *)
Definition asked_of (bytes : string) : option asked :=
  if read_json bytes is Some j then
    if member "statement" j is Some statement then asked_by statement else None
  else None.
Definition is_about (q : question) (bytes : string) : planned unit :=
  if the_ledger q is Some file then
    let* a := required (asked_in file) (Malformed "the ledger cannot be read") in
    let* b := required (asked_of bytes) (Rejected "the statement is not about a ledger") in
    if same_asked a b then Planned tt else Rejected "the statement is not about this ledger"
  else Planned tt.

(** A claim as it is repeated: a number that could be read, without what stands around it. *)
Fixpoint without_ends (s : string) : string :=
  if s is String c rest then
    let rest' := without_ends rest in
    if has (Ascii.eqb c) [:: " "; "009"]%char then if rest' is EmptyString then EmptyString else String " " rest'
    else String c rest'
  else EmptyString.
Definition most_repeated : nat := 40.
Definition repeated_claim (s : string) : string :=
  let s := without_ends (spaceless s) in
  if Nat.leb (String.length s) most_repeated then s else substring 0 most_repeated s ++ "…".
Definition answered (q : question) (c : certificate) : planned string :=
  if the_claim q is Some (epsilon, delta) then
    let* (e, d) := read_claimed epsilon delta in
    let* verb := settles (bound_in (stated c)) e d in
    Planned (" — " ++ verb ++ " the claim (" ++ repeated_claim epsilon ++ ", " ++ repeated_claim delta ++ ")")
  else Planned "".

(** Nothing is answered for what is no certificate, and so is not accepted. *)
Definition answers (q : question) (bytes : string) : planned string :=
  if read bytes is Some c then let* _ := is_about q bytes in answered q c else Planned "".

Theorem is_about_sound q bytes file : is_about q bytes = Planned tt -> the_ledger q = Some file ->
  exists a, asked_in file = Some a /\ asked_of bytes = Some a.
Proof.
rewrite /is_about => h e; move: h; rewrite e; case: (asked_in file) => [a|] //=; case: (asked_of bytes) => [b|] //=.
by case: ifP => // /same_askedP -> _; exists b.
Qed.

(** The numbers of the claim, of which the same holds as of those that are stated. *)
Theorem answered_sound q c answer epsilon delta : answered q c = Planned answer ->
  the_claim q = Some (epsilon, delta) -> holds (stated c) ->
  exists e d, read_claimed epsilon delta = Planned (e, d) /\ holds (claimed e d (stated c)).
Proof.
rewrite /answered => h e H; move: h; rewrite e; case: (read_claimed _ _) => [[n d]|?|?|?] //=.
by case S: (settles _ _ _) => [verb|?|?|?] //= _; exists n, d; split=> //; exact: settles_sound S H.
Qed.
