(* The verified checker: certificates in, one line each out.

   exactdp-check [--max-cost N] FILE...

   Each file is checked in a process of its own: where a check ends without a word, for want of
   stack or memory, there is a verdict all the same.

   Exit code 0: all accepted; 1: some rejected; 2: some malformed or refused. *)

let bytes_of path =
  let channel = open_in_bin path in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () -> really_input_string channel (in_channel_length channel))

let verdict max_cost path =
  match Certificate.prove max_cost (bytes_of path) with
  | () -> (0, "ACCEPTED")
  | exception Outcome.Rejected why -> (1, "REJECTED  " ^ why)
  | exception Outcome.Malformed why -> (2, "MALFORMED  " ^ why)
  | exception Outcome.Refused why -> (2, "REFUSED  " ^ why)
  | exception Sys_error why -> (2, "MALFORMED  " ^ why)
  | exception error -> (1, "REJECTED  " ^ Printexc.to_string error)

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
    | paths -> (Z.pow (Z.of_int 10) 11, paths)
  in
  if paths = [] then usage ();
  let say path line = print_endline (path ^ "  " ^ line) in
  let show worst path =
    match Unix.fork () with
    | 0 ->
        let code, line = verdict max_cost path in
        say path line;
        exit code
    | check -> (
        match Unix.waitpid [] check with
        | _, WEXITED code -> max worst code
        | _, (WSIGNALED _ | WSTOPPED _) ->
            say path "REJECTED  the check did not end";
            max worst 1)
  in
  exit (List.fold_left show 0 paths)
