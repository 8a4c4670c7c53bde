(* Canonical JSON (SPEC, section 1): objects, arrays and strings, read by the verified reader.

   A string is kept as it is written, between its quotes. *)

type t = Text of string | List of t list | Object of (string * t) list

open Lists
open Outcome

let max_bytes = 16 * 1024 * 1024
let characters text = String.fold_right List.cons text []
let string_of characters = String.of_seq (List.to_seq characters)

let rec of_checked = function
  | Checks.Text text -> Text (string_of text)
  | Checks.List elements -> List (List.map of_checked elements)
  | Checks.Object members ->
      Object (List.map (fun (key, value) -> (string_of key, of_checked value)) members)

let read data =
  if String.length data > max_bytes then fail "too many bytes";
  match Checks.read_json (characters data) with
  | Some value -> of_checked value
  | None -> fail "not canonical JSON"

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
