(** Plans: what is proposed to [check_certificate] (CertificateBytes.v) for a certificate.

    A plan decides nothing about truth: [check_certificate] is sound for any proposals (its theorem is
    proved of all of them), so nothing is proved of the programs in the files Plan*.v.  They choose how
    many bits are enough, which multiple of a unit an epsilon is, and give up in time, with a word.

    How a planner for a rule is written:
    - it takes what is stated, as the verified reader read it, and the rule's own parameters, and is a
      [planned] list of hints, tried one after the other until one goes through;
    - [only] says which keys there are, and readers such as [digits_in] read one parameter each;
    - [problem_of] (PlanProblem.v) numbers what is stated, and [hinted] and [harder] make hints;
    - what would take too long, or too much memory, is [Rejected] or [Refused];
    - it stands with the rule's name in the list of its kind of subject: [ledger_rules]
      (PlanLedgers.v), [noise_rules] (PlanNoise.v), .... *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Delimit Scope Z_scope with coqZ.

(** What is planned, or how a certificate fails (SPEC, section 13), with a word why. *)
Inductive planned (A : Type) :=
| Planned of A
| Rejected of string
| Malformed of string
| Refused of string.
Arguments Rejected {A} _.
Arguments Malformed {A} _.
Arguments Refused {A} _.

Definition and_then (A B : Type) (p : planned A) (f : A -> planned B) : planned B :=
  match p with
  | Planned a => f a
  | Rejected why => Rejected why
  | Malformed why => Malformed why
  | Refused why => Refused why
  end.
Notation "'let*' x ':=' p 'in' q" := (and_then p (fun x => q))
  (at level 200, x pattern, p at level 100, q at level 200, right associativity).

Definition required (A : Type) (a : option A) (otherwise : planned A) : planned A :=
  if a is Some a then Planned a else otherwise.

(** Of each, in their order, if all can be planned. *)
Definition planned_all (A B : Type) (f : A -> planned B) (s : seq A) : planned (seq B) :=
  let* found := foldl (fun found a => let* bs := found in let* b := f a in Planned (b :: bs))
    (Planned [::]) s in
  Planned (rev found).

(** Whose fault it is. *)
Definition blamed (A : Type) (rule : string) (p : planned A) : planned A :=
  if p is Rejected why then Rejected ("rule " ++ rule ++ ": " ++ why) else p.

(** --- steps --- *)

Definition members := seq (string * json).
Record step := Step { rule_of : string; premises_of : seq string; parameters_of : members }.

Definition read_step (j : json) : planned step :=
  match fields [:: "parameters"; "premises"; "rule"] j with
  | Some [:: Object parameters; List premises; Text rule] =>
      let* premises := required (read_all text premises) (Malformed "a premise is not a text") in
      Planned (Step rule premises parameters)
  | _ => Malformed "not a step"
  end.

(** Whether there are exactly these keys, which stand in their order. *)
Fixpoint same_keys (keys : seq string) (own : members) : bool :=
  match keys, own with
  | [::], [::] => true
  | key :: keys', m :: own' => String.eqb key m.1 && same_keys keys' own'
  | _, _ => false
  end.
Definition only (keys : seq string) (own : members) : planned unit :=
  if same_keys keys own then Planned tt
  else Malformed ("not an object with the keys " ++ String.concat ", " keys).

(** The text of a parameter, and what is read from it. *)
Definition json_in (key : string) (own : members) : planned json :=
  required (member key (Object own)) (Malformed ("there is no " ++ key)).
Definition text_in (A : Type) (key : string) (read : string -> option A) (own : members) : planned A :=
  let* j := json_in key own in
  required (text_then read j) (Malformed (key ++ " is not in its range")).
Definition texts_in (A : Type) (key : string) (read : string -> option A) (own : members) :
    planned (seq A) :=
  let* j := json_in key own in
  required (if items j is Some js then read_all (text_then read) js else None)
    (Malformed (key ++ " are not in their range")).

(** --- parameters that several rules have --- *)

Definition most_digits : Z := 20000.
Definition digits_in : members -> planned Z := text_in "digits" (read_whole 1 most_digits).
Definition sums_in : members -> planned Z := text_in "sums" (read_whole 1 10000000).
Definition unit_in : members -> planned number := text_in "unit" read_number.
Definition whole_in (key : string) (least most : Z) : members -> planned Z :=
  text_in key (read_whole least most).
Definition rational_in (key : string) : members -> planned ratio := text_in key read_rational.

(** A rational above 0, of few digits. *)
Definition few_bits : Z := 512.
Definition short_above_0 (text : string) : option ratio :=
  if read_rational text is Some r then
    if Z.ltb 0 r.1 && Z.leb (bits_of r) few_bits then Some r else None
  else None.
Definition short_in (key : string) : members -> planned ratio := text_in key short_above_0.

Definition alpha_in (own : members) : planned ratio :=
  let* alpha := rational_in "alpha" own in
  if rlt Ratios.one alpha then Planned alpha else Malformed "alpha is not above 1".

(** --- the bound of a step --- *)

Definition keys_of_bound : seq string := [:: "bound"; "delta"; "epsilon"; "group"].
Definition own_of (s : step) : members :=
  [seq m <- parameters_of s | ~~ among m.1 keys_of_bound].

(** A bound, for groups of so many; a rule about neighbours has no group. *)
Definition bound_of (for_groups : bool) (s : step) : planned (bound * Z) :=
  let own := [seq m <- parameters_of s | among m.1 keys_of_bound] in
  let* _ := only (if for_groups then keys_of_bound else [:: "bound"; "delta"; "epsilon"]) own in
  let* of_kind := json_in "bound" own in
  let* k := required
    (one_of [:: ("upper", Upper); ("lower", Lower); ("underivable", Underivable)] of_kind)
    (Malformed "not a kind of bound") in
  let* epsilon := text_in "epsilon" (read_epsilon k) own in
  let* delta := text_in "delta" read_probability own in
  let* group := if for_groups then whole_in "group" 1 most_count own else Planned 1%coqZ in
  Planned (Bound k epsilon delta "", group).

(** --- what a rule is planned for --- *)

Definition same_ratio (r r' : ratio) : bool := Z.eqb r.1 r'.1 && Z.eqb (Zpos r.2) (Zpos r'.2).
Fixpoint same_logs (ls ls' : seq (ratio * ratio)) : bool :=
  match ls, ls' with
  | [::], [::] => true
  | l :: s, l' :: s' => same_ratio l.1 l'.1 && same_ratio l.2 l'.2 && same_logs s s'
  | _, _ => false
  end.
Definition same_number (n n' : number) : bool :=
  same_ratio (constant n) (constant n') && same_logs (logs n) (logs n').

Definition same_kind (k k' : kind) : bool :=
  match k, k' with
  | Upper, Upper | Lower, Lower | Underivable, Underivable => true
  | _, _ => false
  end.
Definition same_epsilon (e e' : option number) : bool :=
  match e, e' with
  | Some n, Some n' => same_number n n'
  | None, None => true
  | _, _ => false
  end.
Definition same_bound (b b' : bound) : bool :=
  [&& same_kind (bound_kind b) (bound_kind b'), same_epsilon (bound_epsilon b) (bound_epsilon b') &
      same_ratio (bound_delta b) (bound_delta b')].

(** The epsilon of a bound that must have one; the kinds of bounds that a rule proves. *)
Definition finite (b : bound) : planned number :=
  required (bound_epsilon b) (Rejected "epsilon is every").
Definition proves (ks : seq kind) (b : bound) : planned unit :=
  if has (same_kind (bound_kind b)) ks then Planned tt else Rejected "does not prove such bounds".
