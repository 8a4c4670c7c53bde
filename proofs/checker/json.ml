(* Canonical JSON (SPEC, section 1): objects, arrays and strings.

   What is read is exactly the canonical form: UTF-8, no white space, keys strictly increasing,
   nothing after the value. A string is kept as it is written, between its quotes: canonical
   writing is unique, so that equal strings are written alike. *)

type t = Text of string | List of t list | Object of (string * t) list

open Lists
open Outcome

let max_bytes = 16 * 1024 * 1024
let max_depth = 16

(* Whether bytes are UTF-8: the shortest form of code points, without surrogates. *)
let is_utf_8 data =
  let length = String.length data in
  let byte i = Char.code data.[i] in
  let follows i least most = i < length && least <= byte i && byte i <= most in
  let rec from i =
    i >= length
    ||
    let tail n = follows (i + n) 0x80 0xbf in
    match byte i with
    | b when b < 0x80 -> from (i + 1)
    | b when 0xc2 <= b && b <= 0xdf -> tail 1 && from (i + 2)
    | b when 0xe0 <= b && b <= 0xef ->
        follows (i + 1) (if b = 0xe0 then 0xa0 else 0x80) (if b = 0xed then 0x9f else 0xbf)
        && tail 2
        && from (i + 3)
    | b when 0xf0 <= b && b <= 0xf4 ->
        follows (i + 1) (if b = 0xf0 then 0x90 else 0x80) (if b = 0xf4 then 0x8f else 0xbf)
        && tail 2 && tail 3
        && from (i + 4)
    | _ -> false
  in
  from 0

let expect data at letter =
  if at >= String.length data || data.[at] <> letter then
    fail (Printf.sprintf "byte %d is not %C" at letter)

(* The end of the escape at a backslash. A control character is written as one of the short escapes
   if it has one, else by its number in lower-case hexadecimal; nothing else is escaped. *)
let after_escape data at =
  let letter = if at + 1 < String.length data then data.[at + 1] else ' ' in
  if String.contains "\"\\bfnrt" letter then at + 2
  else
    let number = if at + 6 <= String.length data then String.sub data at 6 else "" in
    let controls = List.filter (fun n -> not (List.mem n [ 8; 9; 10; 12; 13 ])) (List.init 32 Fun.id) in
    if List.mem number (List.map (Printf.sprintf "\\u%04x") controls) then at + 6
    else fail "an escape that is not canonical"

let text data at =
  expect data at '"';
  let rec ending i =
    if i >= String.length data then fail "truncated"
    else
      match data.[i] with
      | '"' -> i
      | '\\' -> ending (after_escape data i)
      | c when c < ' ' -> fail "a control character"
      | _ -> ending (i + 1)
  in
  let stop = ending (at + 1) in
  (String.sub data (at + 1) (stop - at - 1), stop + 1)

(* The value at a byte, and the byte after it. *)
let rec value data at depth =
  if depth > max_depth then fail "nested too deep";
  if at >= String.length data then fail "truncated";
  match data.[at] with
  | '"' ->
      let text, next = text data at in
      (Text text, next)
  | '[' ->
      let elements, next = series data at ']' (fun _ at -> value data at (depth + 1)) in
      (List elements, next)
  | '{' ->
      let members, next = series data at '}' (member data depth) in
      (Object members, next)
  | _ -> fail "not an object, an array or a string"

and member data depth found at =
  let key, next = text data at in
  (match found with
  | (previous, _) :: _ when previous >= key -> fail "keys are not sorted"
  | _ -> ());
  expect data next ':';
  let member, next = value data (next + 1) (depth + 1) in
  ((key, member), next)

(* What stands between brackets, with commas; [item] sees what was found before, last first. *)
and series : 'a. string -> int -> char -> ('a list -> int -> 'a * int) -> 'a list * int =
 fun data at close item ->
  let rec more found at =
    let found, next =
      let one, next = item found at in
      (one :: found, next)
    in
    if next < String.length data && data.[next] = ',' then more found (next + 1)
    else (
      expect data next close;
      (List.rev found, next + 1))
  in
  if at + 1 < String.length data && data.[at + 1] = close then ([], at + 2) else more [] (at + 1)

let read data =
  if String.length data > max_bytes then fail "too many bytes";
  if not (is_utf_8 data) then fail "not UTF-8";
  let result, stop = value data 0 0 in
  if stop <> String.length data then fail "bytes after the value";
  result

let write value =
  let buffer = Buffer.create 1024 in
  let add = Buffer.add_string buffer in
  let quoted text = add "\""; add text; add "\"" in
  let series opening one closing list =
    add opening;
    List.iteri (fun i each -> if i > 0 then add ","; one each) list;
    add closing
  in
  let rec put = function
    | Text text -> quoted text
    | List elements -> series "[" put "]" elements
    | Object members -> series "{" (fun (key, each) -> quoted key; add ":"; put each) "}" members
  in
  put value;
  Buffer.contents buffer

(* An object with exactly these keys, in their sorted order. *)
let members keys = function
  | Object members when List.map fst members = keys -> List.map snd members
  | _ -> fail ("not an object with the keys " ^ String.concat ", " keys)

let text = function Text text -> text | _ -> fail "not a string"
let list = function List elements -> elements | _ -> fail "not an array"
let texts value = List.map text (list value)
let one_of choices value =
  let text = text value in
  if List.mem text choices then text else fail ("unexpected " ^ text)
