(* Canonical JSON (SPEC, section 1), of which a certificate needs little.

   What is read is exactly the canonical form: no white space, keys strictly increasing, nothing
   after the value. Strings hold printable ASCII without escapes, as every string of a certificate
   that can be accepted does; other strings are refused, never misread. *)

type t = Text of string | List of t list | Object of (string * t) list

exception Malformed of string

let fail what = raise (Malformed what)
let max_bytes = 16 * 1024 * 1024
let max_depth = 16

(* The value, and the bytes from which it was read. *)
let rec value data at depth =
  if depth > max_depth then fail "nested too deep";
  if at >= String.length data then fail "truncated";
  match data.[at] with
  | '"' ->
      let text, next = text data at in
      (Text text, next)
  | '[' -> elements data (at + 1) depth
  | '{' -> members data (at + 1) depth
  | _ -> fail "not an object, an array or a string"

and text data at =
  expect data at '"';
  let rec ending i =
    if i >= String.length data then fail "truncated"
    else
      match data.[i] with
      | '"' -> i
      | '\\' -> fail "an escape"
      | c when c < ' ' || c > '~' -> fail "not printable ASCII"
      | _ -> ending (i + 1)
  in
  let stop = ending (at + 1) in
  (String.sub data (at + 1) (stop - at - 1), stop + 1)

and elements data at depth =
  if at < String.length data && data.[at] = ']' then (List [], at + 1)
  else
    let rec more found at =
      let element, next = value data at (depth + 1) in
      let found = element :: found in
      if next < String.length data && data.[next] = ',' then more found (next + 1)
      else (
        expect data next ']';
        (List (List.rev found), next + 1))
    in
    more [] at

and members data at depth =
  if at < String.length data && data.[at] = '}' then (Object [], at + 1)
  else
    let rec more found at =
      let key, next = text data at in
      (match found with
      | (previous, _) :: _ when previous >= key -> fail "keys are not sorted"
      | _ -> ());
      expect data next ':';
      let member, next = value data (next + 1) (depth + 1) in
      let found = (key, member) :: found in
      if next < String.length data && data.[next] = ',' then more found (next + 1)
      else (
        expect data next '}';
        (Object (List.rev found), next + 1))
    in
    more [] at

and expect data at letter =
  if at >= String.length data || data.[at] <> letter then
    fail (Printf.sprintf "byte %d is not %C" at letter)

let read data =
  if String.length data > max_bytes then fail "too many bytes";
  let result, stop = value data 0 0 in
  if stop <> String.length data then fail "bytes after the value";
  result

let rec write = function
  | Text text -> "\"" ^ text ^ "\""
  | List elements -> "[" ^ String.concat "," (List.map write elements) ^ "]"
  | Object members ->
      let member (key, value) = "\"" ^ key ^ "\":" ^ write value in
      "{" ^ String.concat "," (List.map member members) ^ "}"

(* An object with exactly these keys, in their sorted order. *)
let members keys = function
  | Object members when List.map fst members = keys -> List.map snd members
  | _ -> fail ("not an object with the keys " ^ String.concat ", " keys)

let text = function Text text -> text | _ -> fail "not a string"
let list = function List elements -> elements | _ -> fail "not an array"
