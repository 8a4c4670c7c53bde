(* What is said of the bytes of a certificate: what Coq's [accepts_as_asked] says (Accepts.v). *)

let usual_cost = Z.pow (Z.of_int 10) 11
let more_than_enough = (16 * 1024 * 1024) + 1
let characters text = String.fold_right List.cons text []
let string_of characters = String.of_seq (List.to_seq characters)
let digest_of text = characters (Sha256.hex (string_of text))

(* What a terminal shows as it stands; whatever else there is, byte by byte: \x1b. *)
let printable text =
  let shown byte =
    if ' ' <= byte && byte <= '~' then String.make 1 byte else Printf.sprintf "\\x%02x" (Char.code byte)
  in
  String.concat "" (List.map shown (characters text))

let of_error error = "REJECTED  " ^ printable (Printexc.to_string error)

(* No ledger and no claim; and these. *)
let nothing_asked = { Checks.the_ledger = None; the_claim = None }

let asked ledger claim =
  let pair (epsilon, delta) = (characters epsilon, characters delta) in
  { Checks.the_ledger = Option.map characters ledger; the_claim = Option.map pair claim }

(* Where it is not cut short by an exception. *)
let of_bytes max_cost question data =
  let because why = "  " ^ printable (string_of why) in
  match Checks.accepts_as_asked digest_of max_cost question (characters data) with
  | Planned said -> "ACCEPTED  " ^ string_of said
  | Rejected why -> "REJECTED" ^ because why
  | Malformed why -> "MALFORMED" ^ because why
  | Refused why -> "REFUSED" ^ because why

let exit_code line =
  match String.sub line 0 3 with "ACC" -> 0 | "REJ" -> 1 | _ -> 2
