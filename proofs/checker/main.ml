(* The verified checker: certificates in, one line each out.

   exactdp-check [--max-cost N] [--ledger LEDGER] [--claim EPS,DELTA] FILE...

   Each file is checked in a process of its own: where a check ends without a word, for want of
   stack or memory, there is a verdict all the same.

   Exit code 0: all accepted; 1: some rejected; 2: some malformed or refused. *)

(* No more than what shows that there is too much. *)
let bytes_of path =
  let channel = open_in_bin path in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () -> really_input_string channel (min (in_channel_length channel) Verdict.more_than_enough))

type options = { max_cost : Z.t; ledger : string option; claim : (string * string) option; paths : string list }

let verdict { max_cost; ledger; claim; _ } path =
  let about () = (Verdict.asked (Option.map bytes_of ledger) claim, bytes_of path) in
  match about () with
  | question, data -> (
      try Verdict.of_bytes max_cost question data with error -> Verdict.of_error error)
  | exception Sys_error why -> "MALFORMED  " ^ Verdict.printable why

let usage () =
  prerr_endline "usage: exactdp-check [--max-cost N] [--ledger LEDGER] [--claim EPS,DELTA] FILE...";
  exit 2

let rec read options = function
  | "--max-cost" :: limit :: rest -> (
      match Z.of_string limit with
      | max_cost -> read { options with max_cost } rest
      | exception Invalid_argument _ -> usage ())
  | "--ledger" :: path :: rest -> read { options with ledger = Some path } rest
  | "--claim" :: text :: rest -> (
      match String.rindex_opt text ',' with
      | Some at ->
          let delta = String.sub text (at + 1) (String.length text - at - 1) in
          read { options with claim = Some (String.sub text 0 at, delta) } rest
      | None -> usage ())
  | paths -> if paths = [] then usage () else { options with paths }

let () =
  let options =
    read
      { max_cost = Verdict.usual_cost; ledger = None; claim = None; paths = [] }
      (List.tl (Array.to_list Sys.argv))
  in
  let say path line = print_endline (Verdict.printable path ^ "  " ^ line) in
  let show worst path =
    match Unix.fork () with
    | 0 ->
        let line = verdict options path in
        say path line;
        exit (Verdict.exit_code line)
    | check -> (
        match Unix.waitpid [] check with
        | _, WEXITED code -> max worst code
        | _, (WSIGNALED _ | WSTOPPED _) ->
            say path "REJECTED  the check did not end";
            max worst 1)
  in
  exit (List.fold_left show 0 options.paths)
