(* The integers of the browser's checker, one operation at a time: a line in, a line out. *)

external export : string -> (string -> string) -> (string -> string) -> unit = "exactdp_export"

let integer text =
  if text.[0] = '-' then Z.neg (Z.of_string (String.sub text 1 (String.length text - 1)))
  else Z.of_string text

let int text = Z.to_int (integer text)
let of_bool b = if b then "1" else "0"

let answer = function
  | [ "add"; a; b ] -> Z.to_string (Z.add (integer a) (integer b))
  | [ "sub"; a; b ] -> Z.to_string (Z.sub (integer a) (integer b))
  | [ "mul"; a; b ] -> Z.to_string (Z.mul (integer a) (integer b))
  | [ "fdiv"; a; b ] -> Z.to_string (Z.fdiv (integer a) (integer b))
  | [ "erem"; a; b ] -> Z.to_string (Z.erem (integer a) (integer b))
  | [ "gcd"; a; b ] -> Z.to_string (Z.gcd (integer a) (integer b))
  | [ "compare"; a; b ] -> string_of_int (Z.compare (integer a) (integer b))
  | [ "structural"; a; b ] -> string_of_int (compare (1, integer a) (1, integer b))
  | [ "equal"; a; b ] -> of_bool ((integer a, "x") = (integer b, "x"))
  | [ "numbits"; a ] -> string_of_int (Z.numbits (integer a))
  | [ "odd"; a ] -> of_bool (Z.is_odd (integer a))
  | [ "shift_left"; a; n ] -> Z.to_string (Z.shift_left (integer a) (int n))
  | [ "shift_right"; a; n ] -> Z.to_string (Z.shift_right (integer a) (int n))
  | [ "pow"; a; n ] -> Z.to_string (Z.pow (integer a) (int n))
  | [ "root"; a; n ] -> Z.to_string (Z.root (integer a) (int n))
  | [ "to_int"; a ] -> string_of_int (int a)
  | [ "int_add"; a; b ] -> string_of_int Checked.(int a + int b)
  | [ "int_sub"; a; b ] -> string_of_int Checked.(int a - int b)
  | [ "int_mul"; a; b ] -> string_of_int Checked.(int a * int b)
  | [ "int_succ"; a ] -> string_of_int (Checked.Stdlib.Int.succ (int a))
  | [ "longer"; bits ] ->
      Z.to_string (Z.shift_right (Z.shift_left Z.one (int bits)) (int bits))
  | [ "product"; bits ] ->
      let long = Z.shift_left Z.one (int bits) in
      string_of_int (Z.numbits (Z.mul long long))
  | _ -> "?"

let line text =
  match answer (String.split_on_char ' ' text) with
  | answer -> answer
  | exception error -> Printexc.to_string error

let () =
  let lines text = String.concat "\n" (List.map line (String.split_on_char '\n' text)) in
  export "" lines lines
