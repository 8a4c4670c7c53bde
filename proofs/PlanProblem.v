(** A problem: what is stated, written as the integers of the verified checks, over a table of
    logarithms or a basis of coprime integers; and how hard the checks are to try.

    What is written may be as long as the product of how many numbers and logarithms there are: that
    is limited here. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons CheckerClosed CheckerNotions EnclosuresOfNumbers Enclosures.
From ExactDP Require Import CertificateNumbers CertificateStatements CertificateProblems CertificateChecks.
From ExactDP Require Import CertificateSubjects Plan PlanNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- limits of room --- *)

(** The coefficients in all combinations: so many, and for each logarithm. *)
Definition room_for (number_of_logs : Z) : Z := Z.min (2 ^ 24) (2 ^ 19 + 5000 * number_of_logs).

(** The bits of the denominator, for so many numbers of a size: all coefficients are over it. *)
Definition most_denominator_bits (number size : Z) : Z :=
  Z.min (2 ^ 32 / number) (250000 + (2 ^ 27 + 1000 * size) / number).

(** For how many logarithms, of how many bits together, a basis is looked for. *)
Definition most_over_basis : Z := 2048.
Definition most_basis_bits : Z := 2 ^ 22.

(** --- the numbering --- *)

Definition denominators (n : number) : seq Z :=
  Zpos (constant n).2 :: [seq Zpos t.1.2 | t <- logs n].

Fixpoint without_repetition (A : Type) (same : A -> A -> bool) (s : seq A) : seq A :=
  if s is x :: ((y :: _) as rest) then
    if same x y then without_repetition same rest else x :: without_repetition same rest
  else s.
Definition distinct (A : Type) (le same : A -> A -> bool) (s : seq A) : seq A :=
  without_repetition same (sort le s).

Fixpoint common_multiple (most found : Z) (ds : seq Z) : planned Z :=
  if ds is d :: ds' then
    let found := found / Z.gcd found d * d in
    if Z.ltb most (numbits found) then Rejected "the denominators are too many, or too large"
    else common_multiple most found ds'
  else Planned found.
Definition common_denominator (ns : seq number) : planned Z :=
  common_multiple (most_denominator_bits (Z.max 1 (length_of ns)) (sum_over bits_in ns)) 1
    (distinct Z.leb Z.eqb (flatten [seq denominators n | n <- ns])).

Definition table_of (ns : seq number) : seq ratio :=
  distinct rle same_ratio (flatten [seq arguments n | n <- ns]).

(** A basis for the table, with the exponents of each of its rationals, if one is needed and there is
    room for it. Without it, equal numbers that are written in different ways may not be proved equal. *)
Definition basis_for (room : Z) (ns : seq number) (table : seq ratio) : option (seq Z * seq (seq Z)) :=
  if Z.ltb most_over_basis (length_of table) then None else
  if Z.ltb most_basis_bits (sum_over bits_of table) then None else
  if pairwise_coprime table then None else
  if coprime_basis (parts_of table) is Some basis then
    let with_logs := filter (fun n => if logs n is [::] then false else true) ns in
    if Z.ltb room ((length_of table + length_of with_logs) * length_of basis) then None
    else Some (basis, [seq [seq exponent r p | p <- basis] | r <- table])
  else None.

(** Without a basis a combination ends with its last logarithm. *)
Fixpoint place_from (n : Z) (table : seq ratio) (logs : seq (ratio * ratio)) : Z :=
  match table, logs with
  | _, [::] => n
  | [::], _ => n
  | r :: table', (_, r') :: logs' => place_from (n + 1) table' (if same_ratio r r' then logs' else logs)
  end.
Definition table_fits (room : Z) (ns : seq number) (table : seq ratio) : bool :=
  Z.leb (sum_over (fun n => place_from 0 table (logs n)) ns) room.

Definition numbering_of (ns : seq number) : planned numbering :=
  let* denominator := common_denominator ns in
  let table := table_of ns in
  let room := room_for (sum_over (fun n => length_of (logs n)) ns) in
  let basis := basis_for room ns table in
  let fits := if basis is Some _ then true else table_fits room ns table in
  if fits then Planned (Numbering denominator [seq (r.1, Zpos r.2) | r <- table] basis)
  else Rejected "too many logarithms".

(** --- the problem --- *)

Record problem := Problem { numbered_by : numbering; about : mixed_subject }.

(** For mechanisms, and numbers that a check needs besides. *)
Definition problem_of (M : mechanisms) (ns : seq number) : planned problem :=
  let* k := numbering_of (catrev ns [seq m.1.1 | m <- of_epsilon M]) in
  let* m := required (subject_from k M) (Rejected "the logarithms are not over one basis") in
  Planned (Problem k m).

(** The same numbers of other mechanisms. *)
Definition about_others (p : problem) (M : mechanisms) : planned problem :=
  let* m := required (subject_from (numbered_by p) M) (Rejected "the logarithms are not over one basis") in
  Planned (Problem (numbered_by p) m).

Definition subject_in (p : problem) : subject := approximates (about p).
Definition combination_in (p : problem) (n : number) : planned combination :=
  required (combination_of (numbered_by p) n) (Rejected "a number is not over the basis").

(** That a number is not negative, as it is read, at no cost of a rule: it gives up early. *)
Definition none_below_0 (n : number) : bool :=
  Z.leb 0 (constant n).1 && all (fun t => Z.leb 0 t.1.1) (logs n).
Definition not_negative (n : number) : planned unit :=
  if none_below_0 n then Planned tt else
  let* p := problem_of (Mechanisms [::] [::] [::]) [:: n] in
  let* x := combination_in p n in
  let* sign := sign_from (subject_in p) (if Z.leb (length_of (logs n)) 16 then 3 else 1)%nat 128 x in
  if Z.ltb sign 0 then Malformed "negative" else Planned tt.
Definition epsilon_not_negative (b : bound) : planned unit :=
  if bound_epsilon b is Some n then not_negative n else Planned tt.

(** That a step concludes a bound for neighbours. *)
Definition concluded_by (s : step) (b : bound) : planned unit :=
  let* (b', _) := bound_of false s in
  let* _ := epsilon_not_negative b' in
  if same_bound b b' then Planned tt else Rejected "the derivation concludes another statement".

(** How many mechanisms there are. *)
Definition how_many (M : mechanisms) : Z :=
  sum_over snd (of_epsilon M) + sum_over snd (of_mu M) + sum_over snd (of_rho M).
Definition some_above_0 (levels : seq (ratio * Z)) : bool := has (fun l => Z.ltb 0 l.1.1) levels.
Definition noisy (M : mechanisms) : bool := some_above_0 (of_mu M) || some_above_0 (of_rho M).

(** That all mechanisms are given by epsilon and delta, or by a mu or rho of 0. *)
Definition pairs_alone (M : mechanisms) : planned unit :=
  if noisy M then Rejected "is about mechanisms given by epsilon and delta alone" else Planned tt.

(** --- how hard a check is to try --- *)

Definition effort_of (bits : Z) (ties : bool) : effort := Effort bits (Z.to_nat (bits / 3 + 4)) ties.
Definition plain (bits : Z) : effort := effort_of bits false.

(** At these bits, or as many as it takes to show that no epsilon is negative. *)
Definition at_least (bits : Z) (p : problem) : planned effort :=
  let shown := fun bits => subject_ok (plain bits) (subject_in p) in
  if shown bits then Planned (plain bits) else
  if shown (Z.max bits 320) then Planned (plain (Z.max bits 320)) else
  if shown (Z.max bits 1280) then Planned (plain (Z.max bits 1280))
  else Rejected "an epsilon is not proved to be at least 0".

(** A check, to be done by [check_certificate] over this problem's table. *)
Definition hinted (p : problem) (f : effort) (t : attempt) : seq hint := [:: Hint f (numbered_by p) t].

(** Enough for the sign of numbers of so many bits; after the first, whether powers are equal. *)
Definition efforts (p : problem) (size : Z) : seq effort :=
  let enough := fun bits => Z.ltb bits (16 * (size + 64) + 2048) && little_work (subject_in p) bits in
  [:: plain 96, effort_of 96 true & map plain (filter enough [:: 320; 1280; 5120; 20480; 81920])].
Definition harder (p : problem) (size : Z) (t : attempt) : seq hint :=
  [seq Hint f (numbered_by p) t | f <- efforts p size].

(** The greatest size of the numbers whose signs a check asks for. *)
Definition size_of_pairs (M : mechanisms) : Z :=
  greatest_of (fun m => Z.max (bits_in m.1.1) (2 * bits_of m.1.2 + 8)) (of_epsilon M).

(** How much finer than its weights a block of so many mechanisms is computed, in digits. *)
Definition most_of (M : mechanisms) : Z := Z.max 1 (greatest_of snd (of_epsilon M)).
Definition finer_for (most : Z) : Z := 12 + numbits most * 2 / 3.
