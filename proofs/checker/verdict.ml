(* What is said of the bytes of a certificate: what Coq's [accepts] says (Accepts.v). *)

let usual_cost = Z.pow (Z.of_int 10) 11
let more_than_enough = (16 * 1024 * 1024) + 1
let characters text = String.fold_right List.cons text []
let string_of characters = String.of_seq (List.to_seq characters)
let digest_of text = characters (Sha256.hex (string_of text))

let of_error error = "REJECTED  " ^ Printexc.to_string error

(* Where it is not cut short by an exception. *)
let of_bytes max_cost data =
  match Checks.accepts digest_of max_cost (characters data) with
  | Planned () -> "ACCEPTED"
  | Rejected why -> "REJECTED  " ^ string_of why
  | Malformed why -> "MALFORMED  " ^ string_of why
  | Refused why -> "REFUSED  " ^ string_of why

let exit_code line =
  match String.sub line 0 3 with "ACC" -> 0 | "REJ" -> 1 | _ -> 2
