(* The verified checker for a browser: the bytes of a certificate in, a line out; with those of a
   ledger, whether the certificate is about it (empty: no ledger is asked about).

   What no int or no BigInt of the browser holds, and what is nested deeper than its stack, is
   refused: no verdict, and never an acceptance. *)

external export : string -> (string -> string -> string) -> (string -> string) -> unit = "exactdp_export"

let verdict data ledger =
  let about = if ledger = "" then None else Some ledger in
  match Verdict.(of_bytes usual_cost (asked about None)) data with
  | line -> line
  | exception Z.Too_long -> "REFUSED  a number is longer than this browser can hold"
  | exception (Z.Overflow | Checked.Beyond_int) -> "REFUSED  a count is beyond 32 bits"
  | exception Stack_overflow -> "REFUSED  it is nested deeper than this browser's stack"
  | exception Out_of_memory -> "REFUSED  it takes more memory than this browser has"
  | exception error -> Verdict.of_error error

let () =
  export (String.concat " " (List.map Verdict.string_of Checks.known_rules)) verdict Sha256.hex
