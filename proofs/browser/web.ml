(* The verified checker for a browser: the bytes of a certificate in, a line out.

   What no int or no BigInt of the browser holds, and what is nested deeper than its stack, is
   refused: no verdict, and never an acceptance. *)

external export : string -> (string -> string) -> (string -> string) -> unit = "exactdp_export"

let max_cost = Z.pow (Z.of_int 10) 11

let verdict data =
  match Certificate.prove max_cost data with
  | () -> "ACCEPTED"
  | exception Outcome.Rejected why -> "REJECTED  " ^ why
  | exception Outcome.Malformed why -> "MALFORMED  " ^ why
  | exception Outcome.Refused why -> "REFUSED  " ^ why
  | exception Z.Too_long -> "REFUSED  a number is longer than this browser can hold"
  | exception (Z.Overflow | Checked.Beyond_int) -> "REFUSED  a count is beyond 32 bits"
  | exception Stack_overflow -> "REFUSED  it is nested deeper than this browser's stack"
  | exception Out_of_memory -> "REFUSED  it takes more memory than this browser has"
  | exception error -> "REJECTED  " ^ Printexc.to_string error

let () =
  let names = List.map (fun (rule : Kernel.rule) -> rule.name) Rules.rules in
  export (String.concat " " names) verdict Sha256.hex
