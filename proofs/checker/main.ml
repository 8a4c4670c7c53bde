(* The verified checker: certificates in, one line each out.

   exactdp-check [--max-cost N] FILE...

   Each file is checked in a process of its own: where a check ends without a word, for want of
   stack or memory, there is a verdict all the same.

   Exit code 0: all accepted; 1: some rejected; 2: some malformed or refused. *)

(* No more than what shows that there is too much. *)
let bytes_of path =
  let channel = open_in_bin path in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () -> really_input_string channel (min (in_channel_length channel) Verdict.more_than_enough))

let verdict max_cost path =
  match bytes_of path with
  | data -> ( try Verdict.of_bytes max_cost data with error -> Verdict.of_error error)
  | exception Sys_error why -> "MALFORMED  " ^ Verdict.printable why

let usage () =
  prerr_endline "usage: exactdp-check [--max-cost N] FILE...";
  exit 2

let () =
  let max_cost, paths =
    match List.tl (Array.to_list Sys.argv) with
    | "--max-cost" :: limit :: paths -> (
        match Z.of_string limit with
        | limit -> (limit, paths)
        | exception Invalid_argument _ -> usage ())
    | paths -> (Verdict.usual_cost, paths)
  in
  if paths = [] then usage ();
  let say path line = print_endline (Verdict.printable path ^ "  " ^ line) in
  let show worst path =
    match Unix.fork () with
    | 0 ->
        let line = verdict max_cost path in
        say path line;
        exit (Verdict.exit_code line)
    | check -> (
        match Unix.waitpid [] check with
        | _, WEXITED code -> max worst code
        | _, (WSIGNALED _ | WSTOPPED _) ->
            say path "REJECTED  the check did not end";
            max worst 1)
  in
  exit (List.fold_left show 0 paths)
