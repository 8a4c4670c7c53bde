(** Canonical numbers (SPEC, section 2): text, and the real number that it denotes.

    A number is c + sum of c_j ln(r_j) with 1 < r_1 < r_2 < ...; only canonical text is read. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules CheckerClosed Ratios CertificateJson.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Coefficients and arguments of the logarithms. *)
Record number := Number { constant : ratio; logs : seq (ratio * ratio) }.

Definition value_of (n : number) : R :=
  of_ratio (constant n) + \sum_(t <- logs n) of_ratio t.1 * ln (of_ratio t.2).

Definition digit (c : ascii) : option Z :=
  if between "0" "9" c then Some (Z.of_nat (nat_of_ascii c) - 48)%coqZ else None.

(** How many bits a rational may have above and below its bar, and all of a number together; how many
    logarithms and characters a number may have. *)
Definition most_bits : Z := 65536.
Definition most_total_bits : Z := 131072.
Definition most_logs : Z := 1000.
Definition most_characters : Z := 50000.

Fixpoint read_digits (n : Z) (s : string) : Z * string :=
  if s is String c s' then
    if digit c is Some d then read_digits (10 * n + d)%coqZ s' else (n, s)
  else (n, s).

(** The same by blocks of fifteen digits, of which a long number has fewer than digits: n was read
    before the block, of which there is [block], below [scale]. (The sum is written where it is
    needed: under a name it would be made at every digit.) *)
Fixpoint read_blocks (n block scale : Z) (s : string) : Z * string :=
  if s is String c s' then
    if digit c is Some d then
      if Z.eqb scale 1000000000000000 then read_blocks (n * scale + block)%coqZ d 10 s'
      else read_blocks n (10 * block + d) (10 * scale) s'
    else ((n * scale + block)%coqZ, s)
  else ((n * scale + block)%coqZ, s).

Lemma read_blocks_are_digits s n block scale :
  read_blocks n block scale s = read_digits (n * scale + block)%coqZ s.
Proof.
elim: s n block scale => [//|c s IH] n block scale.
cbn -[Z.mul Z.add Z.eqb]; case: (digit c) => [d|//].
by case: Z.eqb; rewrite IH; congr (read_digits _ s); ring.
Qed.

(** A whole number without leading zeros. *)
Definition read_natural (s : string) : option (Z * string) :=
  if s is String c s' then
    if digit c is Some d then
      let r := if Z.eqb d 0 then (Z0, s') else read_blocks 0 d 10 s' in
      let again := if r.2 is String c' _ then if digit c' is Some _ then true else false else false in
      if again || Z.leb most_bits (Z.log2 r.1) then None else Some r
    else None
  else None.

(** n, or n/d in lowest terms with d > 1. *)
Definition read_unsigned (s : string) : option (ratio * string) :=
  if read_natural s is Some (n, s1) then
    if s1 is String c s2 then
      if Ascii.eqb c "/" then
        if read_natural s2 is Some (Zpos d, s3) then
          if Z.ltb 1 (Zpos d) && Z.eqb (Z.gcd n (Zpos d)) 1 then Some ((n, d), s3) else None
        else None
      else Some ((n, 1%positive), s1)
    else Some ((n, 1%positive), s1)
  else None.

Fixpoint after (prefix s : string) : option string :=
  match prefix, s with
  | EmptyString, _ => Some s
  | String c p, String c' s' => if Ascii.eqb c c' then after p s' else None
  | _, _ => None
  end.

(** ln(r), r > 1. *)
Definition read_log (s : string) : option (ratio * string) :=
  if after "ln(" s is Some s1 then
    if read_unsigned s1 is Some (r, String c s2) then
      if Ascii.eqb c ")" && Z.ltb (Zpos r.2) r.1 then Some (r, s2) else None
    else None
  else None.

(** A term without its sign: a rational, or a logarithm with its coefficient. *)
Definition read_term (s : string) : option (ratio * option ratio * string) :=
  if read_unsigned s is Some (c, s1) then
    if after "*" s1 is Some s2 then
      if read_log s2 is Some (r, s3) then
        if Z.eqb c.1 0 || req c Ratios.one then None else Some (c, Some r, s3)
      else None
    else Some (c, None, s1)
  else if read_log s is Some (r, s1) then Some (Ratios.one, Some r, s1) else None.

Definition opposite (r : ratio) : ratio := ((- r.1)%coqZ, r.2).

(** The logarithms after the first term, in the order of their arguments, last first. *)
Fixpoint read_logs (left : string) (found : seq (ratio * ratio)) (s : string) :
    option (seq (ratio * ratio)) :=
  match left, s with
  | _, EmptyString => Some found
  | String _ left', _ =>
      let signed := if after " + " s is Some s1 then Some (false, s1)
        else if after " - " s is Some s1 then Some (true, s1) else None in
      if signed is Some (negative, s1) then
        if read_term s1 is Some (c, Some r, s2) then
          if (if found is (_, r') :: _ then rlt r' r else true)
          then read_logs left' ((if negative then opposite c else c, r) :: found) s2 else None
        else None
      else None
  | EmptyString, _ => None
  end.

Fixpoint length_from (n : Z) (s : string) : Z := if s is String _ s' then length_from (n + 1)%coqZ s' else n.

(** The bits of a rational, 0 if it is 0. *)
Definition bits_of (r : ratio) : Z :=
  if Z.eqb r.1 0 then Z0 else (Z.log2 (Z.abs r.1) + Z.log2 (Zpos r.2) + 2)%coqZ.
Definition within_limits (n : number) : bool :=
  Z.leb (foldr (fun t b => (bits_of t.1 + bits_of t.2 + b)%coqZ) (bits_of (constant n)) (logs n))
    most_total_bits && Z.leb (Z.of_nat (size (logs n))) most_logs.

Definition read_number (s : string) : option number :=
  if Z.ltb most_characters (length_from 0 s) then None else
  let: (negative, s1) := if after "-" s is Some s' then (true, s') else (false, s) in
  let sign c := if negative then opposite c else c in
  let found := match read_term s1 with
    | Some (c, Some r, s2) =>
        if read_logs s2 [:: (sign c, r)] s2 is Some ls then Some (Number Ratios.zero (rev ls)) else None
    | Some (c, None, s2) =>
        if Z.eqb c.1 0 && (negative || (if s2 is String _ _ then true else false)) then None else
        if read_logs s2 [::] s2 is Some ls then Some (Number (sign c) (rev ls)) else None
    | None => None
    end in
  if found is Some n then if within_limits n then Some n else None else None.

(** A rational alone; one in a range; a whole number in a range. *)
Definition read_rational (s : string) : option ratio :=
  if read_number s is Some (Number c [::]) then Some c else None.
Definition read_not_negative (s : string) : option ratio :=
  if read_rational s is Some c then if Z.leb 0 c.1 then Some c else None else None.
Definition read_probability (s : string) : option ratio :=
  if read_not_negative s is Some c then if rle c Ratios.one then Some c else None else None.
Definition read_whole (least most : Z) (s : string) : option Z :=
  if read_rational s is Some (n, xH) then
    if Z.leb least n && Z.leb n most then Some n else None else None.
