(** Numbers as people write them, in a ledger or a claim (SPEC, section 2): decimals, powers, fractions, and
    sums of them times logarithms; nothing is rounded. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Local Open Scope Z_scope.

Fixpoint spaceless (s : string) : string :=
  if s is String c s' then if has (Ascii.eqb c) [:: " "; "009"]%char then spaceless s' else s else s.
(** After spaces and a mark. *)
Definition past (mark s : string) : option string := after mark (spaceless s).

(** Digits, if there are any: their number, how many, and what follows. *)
Definition most_written : Z := 19729.
Definition run (s : string) : option (Z * Z * string) :=
  let: (n, rest) := read_blocks 0 0 1 s in
  let count := length_from 0 s - length_from 0 rest in
  if Z.ltb 0 count && Z.leb count most_written then Some (n, count, rest) else None.
Definition whole_run (s : string) : option (Z * Z * string) :=
  if after "0" s is Some rest then Some (0, 1, rest) else run s.
Definition signed_run (s : string) : option (Z * string) :=
  let: (sign, s1) := if after "-" s is Some s1 then (-1, s1) else if after "+" s is Some s1 then (1, s1) else (1, s) in
  if run s1 is Some (n, _, rest) then Some (sign * n, rest) else None.

Definition fits (n : Z) : bool := Z.leb (Z.log2 n) most_bits.
Definition ratio_of (n d : Z) : option ratio :=
  if Z.ltb 0 d && fits n && fits d then Some (reduced n d) else None.
(** n * base^e. *)
Definition scaled_by (base n e : Z) : option ratio :=
  if Z.leb (Z.abs e * Z.log2 base) most_bits then
    if Z.ltb e 0 then ratio_of n (base ^ (- e)) else ratio_of (n * base ^ e) 1
  else if Z.eqb n 0 then Some Ratios.zero else None.

Definition read_decimal (s : string) : option (ratio * string) :=
  let s := spaceless s in
  let: (w, has_whole, s1) := if whole_run s is Some (w, _, s1) then (w, true, s1) else (0, false, s) in
  let fraction := if after "." s1 is Some s2 then run s2 else None in
  let: (m, places, s2) := if fraction is Some (f, k, s2) then (w * 10 ^ k + f, k, s2) else (w, 0, s1) in
  let marked := if after "e" s2 is Some s3 then Some s3 else after "E" s2 in
  let power := if marked is Some s3 then signed_run s3 else None in
  let: (e, rest) := if power is Some p then p else (0, s2) in
  if has_whole || Z.ltb 0 places then
    if scaled_by 10 m (e - places) is Some r then Some (r, rest) else None
  else None.

Definition read_power (s : string) : option (ratio * string) :=
  if whole_run (spaceless s) is Some (base, _, s1) then
    if past "^" s1 is Some s2 then
      if signed_run (spaceless s2) is Some (e, rest) then
        let power := if Z.leb base 1 then (if Z.eqb e 0 then Some Ratios.one else
            if Z.eqb base 1 then Some Ratios.one else if Z.ltb e 0 then None else Some Ratios.zero)
          else scaled_by base 1 e in
        if power is Some r then Some (r, rest) else None
      else None
    else None
  else None.

Definition read_fraction (s : string) : option (ratio * string) :=
  if read_power s is Some found then Some found else
  if read_decimal s is Some (r, s1) then
    if past "/" s1 is Some s2 then
      if read_decimal s2 is Some (r', rest) then
        if Z.eqb r'.1 0 then None else Some (rdiv r r', rest)
      else None
    else Some (r, s1)
  else None.

(** A term: a rational, or one times the logarithm of another above 0. *)
Definition read_logarithm (c : ratio) (s : string) : option (ratio * option ratio * string) :=
  if past "ln" s is Some s1 then
    if past "(" s1 is Some s2 then
      if read_fraction s2 is Some (r, s3) then
        if past ")" s3 is Some rest then
          if Z.ltb 0 r.1 then Some (c, Some r, rest) else None
        else None
      else None
    else None
  else None.
Definition read_written_term (s : string) : option (ratio * option ratio * string) :=
  if read_logarithm Ratios.one s is Some t then Some t else
  if read_fraction s is Some (c, s1) then
    if past "*" s1 is Some s2 then read_logarithm c s2 else Some (c, None, s1)
  else None.

Definition read_sign (s : string) : option (bool * string) :=
  if past "+" s is Some s1 then Some (false, s1) else if past "-" s is Some s1 then Some (true, s1) else None.
Fixpoint read_terms (left : string) (found : seq (ratio * option ratio)) (negative : bool) (s : string) :
    option (seq (ratio * option ratio)) :=
  if left is String _ left' then
    if read_written_term s is Some (c, r, s1) then
      let found := (if negative then opposite c else c, r) :: found in
      if read_sign s1 is Some (negative, s2) then read_terms left' found negative s2
      else if spaceless s1 is EmptyString then Some found else None
    else None
  else None.

(** Each argument once, above 1, in their order. *)
Definition upright (t : ratio * ratio) : ratio * ratio :=
  if rlt t.2 Ratios.one then (opposite t.1, rdiv Ratios.one t.2) else t.
Definition joined_term (t : ratio * ratio) (ts : seq (ratio * ratio)) : seq (ratio * ratio) :=
  if ts is t' :: ts' then if req t.2 t'.2 then (radd t.1 t'.1, t.2) :: ts' else t :: ts else [:: t].
Definition in_normal_form (ts : seq (ratio * option ratio)) : number :=
  let logs := pmap (fun t => if t.2 is Some r then Some (upright (t.1, r)) else None) ts in
  let sorted := sort (fun t t' => rle t.2 t'.2) [seq t <- logs | ~~ req t.2 Ratios.one] in
  Number (foldr (fun t c => if t.2 is None then radd t.1 c else c) Ratios.zero ts)
    [seq t <- foldr joined_term [::] sorted | ~~ Z.eqb t.1.1 0].

Definition read_written (s : string) : option number :=
  if Z.ltb most_characters (length_from 0 s) then None else
  let: (negative, s1) := if read_sign s is Some found then found else (false, s) in
  if read_terms s [::] negative s1 is Some ts then
    let n := in_normal_form ts in
    let rationals := [seq t <- ts | if t.2 is None then true else false] in
    if (if rationals is [:: _, _ & _] then Nat.eqb (size ts) (size rationals) else false) then None
    else if within_limits n then Some n else None
  else None.
