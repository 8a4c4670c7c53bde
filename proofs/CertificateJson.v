(** From bytes to JSON (SPEC, section 1): objects, arrays and strings in their canonical form.

    What is read is UTF-8 without white space, with keys that increase and nothing after the value.
    A string is kept as it is written, between its quotes; nothing is escaped that need not be, so
    that equal strings are written alike.  All loops are by recursion over the bytes that are left. *)
From Coq Require Import Ascii String.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope char_scope.

Inductive json := Text of string | List of seq json | Object of seq (string * json).

(** Characters and strings in their order. *)
Definition char_below (c d : ascii) : bool := Nat.ltb (nat_of_ascii c) (nat_of_ascii d).
Definition between (low high c : ascii) : bool := ~~ char_below c low && ~~ char_below high c.
Fixpoint string_below (s t : string) : bool :=
  match s, t with
  | String c s', String d t' => if Ascii.eqb c d then string_below s' t' else char_below c d
  | EmptyString, String _ _ => true
  | _, EmptyString => false
  end.
Definition among (s : string) (words : seq string) : bool := has (String.eqb s) words.

(** The first characters last, before [t]. *)
Fixpoint reverse_onto (s t : string) : string :=
  if s is String c s' then reverse_onto s' (String c t) else t.

(** Code points in their shortest form, without surrogates. *)
Fixpoint utf_8 (s : string) : bool :=
  let next := between "128" "191" in
  match s with
  | EmptyString => true
  | String c s1 =>
    if char_below c "128" then utf_8 s1 else
    match s1 with
    | String c1 s2 =>
      if between "194" "223" c then next c1 && utf_8 s2 else
      match s2 with
      | String c2 s3 =>
        if between "224" "239" c then
          if between (if Ascii.eqb c "224" then "160" else "128")
               (if Ascii.eqb c "237" then "159" else "191") c1 && next c2 then utf_8 s3 else false
        else
        match s3 with
        | String c3 s4 =>
          if [&& between "240" "244" c,
                 between (if Ascii.eqb c "240" then "144" else "128")
                   (if Ascii.eqb c "244" then "143" else "191") c1, next c2 & next c3]
          then utf_8 s4 else false
        | EmptyString => false
        end
      | EmptyString => false
      end
    | EmptyString => false
    end
  end.

(** The number of a control character that has no short escape. *)
Definition control (c1 c2 c3 c4 : ascii) : bool :=
  [&& Ascii.eqb c1 "0", Ascii.eqb c2 "0" &
   if Ascii.eqb c3 "0" then between "0" "7" c4 || Ascii.eqb c4 "b" || between "e" "f" c4
   else Ascii.eqb c3 "1" && (between "0" "9" c4 || between "a" "f" c4)].

(** A string's characters, after its first quote; and what follows its last. *)
Fixpoint read_text (found s : string) : option (string * string) :=
  match s with
  | EmptyString => None
  | String c s1 =>
    if Ascii.eqb c """" then Some (reverse_onto found EmptyString, s1)
    else if Ascii.eqb c "\" then
      match s1 with
      | EmptyString => None
      | String c1 s2 =>
        if has (Ascii.eqb c1) [:: """"; "\"; "b"; "f"; "n"; "r"; "t"]
        then read_text (String c1 (String c found)) s2
        else
        match s2 with
        | String c2 (String c3 (String c4 (String c5 s6))) =>
          if Ascii.eqb c1 "u" && control c2 c3 c4 c5
          then read_text (String c5 (String c4 (String c3 (String c2 (String c1 (String c found)))))) s6
          else None
        | _ => None
        end
      end
    else if char_below c " " then None
    else read_text (String c found) s1
  end.

Section Series.
Variables (A : Type) (item : string -> option (A * string)) (closing : ascii).

(** What stands with commas between brackets; [left] is as long as there may be bytes. *)
Fixpoint read_series (left : string) (found : seq A) (s : string) : option (seq A * string) :=
  match left, item s with
  | String _ left', Some (x, String c s') =>
      if Ascii.eqb c "," then read_series left' (x :: found) s'
      else if Ascii.eqb c closing then Some (rev (x :: found), s') else None
  | _, _ => None
  end.

Definition read_items (s : string) : option (seq A * string) :=
  if s is String c s' then
    if Ascii.eqb c closing then Some ([::], s') else read_series s [::] s
  else None.
End Series.

Fixpoint increasing_keys (members : seq (string * json)) : bool :=
  match members with
  | (k, _) :: (((k', _) :: _) as rest) => if string_below k k' then increasing_keys rest else false
  | _ => true
  end.

Definition read_member (value : string -> option (json * string)) (s : string) :=
  match s with
  | String c s1 =>
      if Ascii.eqb c """" then
        match read_text EmptyString s1 with
        | Some (key, String d s2) =>
            if Ascii.eqb d ":" then
              if value s2 is Some (v, s3) then Some ((key, v), s3) else None
            else None
        | _ => None
        end
      else None
  | EmptyString => None
  end.

(** A value that is nested in itself fewer times than [depth]. *)
Fixpoint read_value (depth : nat) (s : string) : option (json * string) :=
  match depth, s with
  | S depth', String c s1 =>
      if Ascii.eqb c """" then
        if read_text EmptyString s1 is Some (t, s2) then Some (Text t, s2) else None
      else if Ascii.eqb c "[" then
        if read_items (read_value depth') "]" s1 is Some (js, s2) then Some (List js, s2) else None
      else if Ascii.eqb c "{" then
        if read_items (read_member (read_value depth')) "}" s1 is Some (ms, s2)
        then if increasing_keys ms then Some (Object ms, s2) else None
        else None
      else None
  | _, _ => None
  end.

Definition read_json (bytes : string) : option json :=
  if utf_8 bytes then
    if read_value 17 bytes is Some (j, EmptyString) then Some j else None
  else None.

(** The values of an object with exactly these keys. *)
Fixpoint values_of (keys : seq string) (members : seq (string * json)) : option (seq json) :=
  match keys, members with
  | [::], [::] => Some [::]
  | key :: keys', (key', v) :: members' =>
      if String.eqb key key' then
        if values_of keys' members' is Some vs then Some (v :: vs) else None
      else None
  | _, _ => None
  end.
Definition fields (keys : seq string) (j : json) : option (seq json) :=
  if j is Object members then values_of keys members else None.
Definition text (j : json) : option string := if j is Text t then Some t else None.
Definition items (j : json) : option (seq json) := if j is List js then Some js else None.

(** What is read from each, if all can be read. *)
Definition read_all (A B : Type) (read : A -> option B) (s : seq A) : option (seq B) :=
  foldr (fun a t => if (read a, t) is (Some b, Some t') then Some (b :: t') else None) (Some [::]) s.
