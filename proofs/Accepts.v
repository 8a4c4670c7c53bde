(** [accepts]: what the checker does with the bytes of a certificate; and if it accepts them, what they
    state is true, and is what it says.

    It plans (PlanCertificate.v) and checks; where it does not accept, it says why.  That the digest is
    that of the statement is asked of a function that is given: whatever that function is, what is
    accepted is true.  The checker does not meter its work: it is handed the most that may be spent, bounds
    the length of a file and the histories of trees by it, and all else by constants. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import CertificateBytes Plan PlanNumbers PlanJson PlanCertificate Sentences Claims LedgerFiles Questions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** What a byte costs, and how long a certificate may be at all. *)
Definition price : Z := 1000.
Definition most_bytes : Z := 16 * 1024 * 1024.
Definition most_steps : Z := 1000.

Section Accepts.
Variables (digest_of : string -> string) (most : Z).

(** What is proposed for a certificate, and what it states. *)
Definition opened (bytes : string) : planned (certificate * seq proposal) :=
  let length := length_from 0 bytes in
  if most <? price * length then Refused "too many bytes for the limit" else
  if most_bytes <? length then Malformed "too many bytes" else
  let* j := required (read_json bytes) (Malformed "not canonical JSON") in
  match fields [:: "derivation"; "digest"; "format"; "statement"]%string j with
  | Some [:: List steps; Text digest; Text format; statement] =>
      if ~~ String.eqb format "exactdp-certificate/1" then Malformed "unexpected format" else
      if (length_of steps <? 1) || (most_steps <? length_of steps) then Malformed "not 1 to 1000 steps" else
      if ~~ String.eqb digest (digest_of (write_json statement))
      then Rejected "the digest is that of another statement" else
      let* c := required (read bytes) (unread _ statement) in
      let* proposals := plan_for (stated c) most statement steps in
      Planned (c, proposals)
  | _ => Malformed "not a certificate"
  end.

(** The sentence of what it accepts. *)
Definition accepts (bytes : string) : planned string :=
  let* (c, proposals) := opened bytes in
  if has (check_statement c) proposals then Planned (say c) else Rejected "not proved".

(** The same where more is asked, with the answer. *)
Definition accepts_as_asked (q : question) (bytes : string) : planned string :=
  let* answer := answers q bytes in
  let* said := accepts bytes in
  Planned (said ++ answer)%string.

Lemma and_then_planned (A B : Type) (p : planned A) (f : A -> planned B) b : and_then p f = Planned b ->
  exists a, p = Planned a /\ f a = Planned b.
Proof. by case: p => //= a h; exists a. Qed.

Lemma required_planned (A : Type) (a : option A) other b : (forall c, other <> Planned c) ->
  required a other = Planned b -> a = Some b.
Proof. by case: a => [a|] //= n => [[->]|/n]. Qed.

(** What is opened is what is read. *)
Lemma opened_read bytes c proposals : opened bytes = Planned (c, proposals) -> read bytes = Some c.
Proof.
rewrite /opened; do 2 case: ifP => // _; move=> h; have [j [_ {}h]] := and_then_planned h.
move: h; case: (fields _ j) => [[|[?|steps|?] [|[digest|?|?] [|[format|?|?] [|statement [|? ?]]]]]|] //.
do 3 case: ifP => // _.
move=> h; have [c' [R {}h]] := and_then_planned h; have [ps [_ [<- _]]] := and_then_planned h.
by apply: required_planned R => d; rewrite /unread; do 2 case: ifP => // _.
Qed.

Theorem accepts_sound bytes s : accepts bytes = Planned s ->
  exists c, [/\ read bytes = Some c, s = say c & holds (stated c)].
Proof.
move=> h; have [[c proposals] [/opened_read R {}h]] := and_then_planned h; move: h.
case: ifP => // checked [<-]; exists c; split=> //; have [p] : exists p, check_statement c p.
  by elim: proposals checked => //= p ps IH /orP[|/IH] //; exists p.
exact: check_statement_sound.
Qed.

(** What was asked about is what is stated; and what is stated holds with the numbers of the claim too. *)
Theorem accepts_as_asked_sound q bytes s : accepts_as_asked q bytes = Planned s ->
  exists c answer, [/\ read bytes = Some c /\ holds (stated c), s = (say c ++ answer)%string,
    (forall file, the_ledger q = Some file -> exists a, asked_in file = Some a /\ asked_of bytes = Some a) &
    (forall epsilon delta, the_claim q = Some (epsilon, delta) ->
      exists e d, read_claimed epsilon delta = Planned (e, d) /\ holds (claimed e d (stated c)))].
Proof.
move=> h; have [answer [A {}h]] := and_then_planned h; have [said [S [<-]]] := and_then_planned h.
have [c [R -> H]] := accepts_sound S; move: A; rewrite /answers R => A.
have [[] [about {}A]] := and_then_planned A.
exists c, answer; split=> // [file|epsilon delta E]; first exact: is_about_sound.
exact: answered_sound A E H.
Qed.
End Accepts.
