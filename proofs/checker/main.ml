(* The verified checker: certificates in, one line each out.

   This file turns numbers into integers over a common table of logarithms, chooses how hard to
   try, and calls the extracted checks; only they can accept. Exit code 0: all accepted; 1: some
   rejected; 2: some malformed; 3: some of a rule that is not verified here. *)

open Certificate

let lcm_all = List.fold_left Z.lcm Z.one

(* The parts of a number, and the common denominator and table of several numbers. *)
let common numbers =
  let denominators (n : Numbers.t) = Q.den n.rational :: List.map (fun (c, _) -> Q.den c) n.logs in
  let arguments (n : Numbers.t) = List.map snd n.logs in
  ( lcm_all (List.concat_map denominators numbers),
    List.sort_uniq Q.compare (List.concat_map arguments numbers) )

let combination (denominator, table) (number : Numbers.t) =
  let scaled q = Q.num (Q.mul q (Q.of_bigint denominator)) in
  let coefficient r =
    match List.find_opt (fun (_, r') -> Q.equal r r') number.logs with
    | Some (c, _) -> scaled c
    | None -> Z.zero
  in
  (scaled number.rational, List.map coefficient table)

let quotient q = (Q.num q, Q.den q)

let subject ((denominator, table) as context) mechanisms =
  let entry (m : mechanism) =
    {
      Checks.epsilon = combination context m.epsilon;
      above = Q.num m.delta;
      below = Q.den m.delta;
      count = m.count;
    }
  in
  { Checks.denominator; quotients = List.map quotient table; entries = List.map entry mechanisms }

(* More and more bits; powers are compared for ties only while they are small. *)
let max_power_bits = 1 lsl 24

let power_bits certificate (denominator, _) =
  let size q = Z.numbits (Q.num q) + Z.numbits (Q.den q) in
  let of_log m (c, r) = Q.mul (Q.mul (Q.of_bigint m) (Q.abs c)) (Q.of_int (size r)) in
  let of_number m (n : Numbers.t) =
    let scaled = Z.mul m denominator in
    List.fold_left Q.add Q.zero (List.map (of_log scaled) n.logs)
  in
  let of_mechanism (m : mechanism) =
    Q.add (of_number m.count m.epsilon) (Q.mul (Q.of_bigint m.count) (Q.of_int (size m.delta)))
  in
  let total = List.fold_left Q.add Q.zero (List.map of_mechanism certificate.mechanisms) in
  match certificate.bound.at with None -> total | Some n -> Q.add total (of_number Z.one n)

let efforts certificate context =
  let ties = Q.leq (power_bits certificate context) (Q.of_int max_power_bits) in
  let effort bits ties = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties } in
  [ effort 96 false; effort 320 ties; effort 1280 false ]

let stated_cost certificate =
  let n = List.length certificate.mechanisms in
  match certificate.rule with
  | "vacuous" -> Z.one
  | "sum" | "infeasible" -> Z.of_int (1000 * (n + 1))
  | rule -> raise (Unsupported ("rule " ^ rule))

let checks certificate context subject =
  let delta = certificate.bound.delta in
  let a = Q.num delta and b = Q.den delta in
  match (certificate.rule, certificate.bound.kind, certificate.bound.at) with
  | "vacuous", "upper", Some _ -> fun f -> Checks.check_vacuous f subject a b
  | "sum", "upper", Some x ->
      let x = combination context x in
      fun f -> Checks.check_sum_upper f subject x a b
  | "sum", "lower", Some x ->
      let x = combination context x in
      fun f -> Checks.check_sum_lower f subject x a b
  | "infeasible", "lower", None -> fun f -> Checks.check_infeasible f subject a b
  | _ -> reject "the rule does not prove such a bound"

let prove certificate =
  let cost = stated_cost certificate in
  let numbers = List.map (fun (m : mechanism) -> m.epsilon) certificate.mechanisms in
  let context = common (Option.to_list certificate.bound.at @ numbers) in
  let subject = subject context certificate.mechanisms in
  let efforts = efforts certificate context in
  let nonneg x f = Checks.at_least_0 f subject (combination context x) in
  (match certificate.bound.at with
  | Some x when not (List.exists (nonneg x) efforts) -> fail "epsilon is negative"
  | _ -> ());
  if not (Z.equal cost certificate.cost) then reject "another cost is needed";
  if not (List.exists (checks certificate context subject) efforts) then
    reject ("rule " ^ certificate.rule ^ ": not proved")

let bytes_of path =
  let channel = open_in_bin path in
  Fun.protect
    ~finally:(fun () -> close_in channel)
    (fun () -> really_input_string channel (in_channel_length channel))

let verdict path =
  match prove (read (bytes_of path)) with
  | () -> (0, "ACCEPTED")
  | exception Rejected why -> (1, "REJECTED  " ^ why)
  | exception Json.Malformed why -> (2, "MALFORMED  " ^ why)
  | exception Unsupported what -> (3, "UNSUPPORTED  " ^ what)
  | exception error -> (1, "REJECTED  " ^ Printexc.to_string error)

let () =
  let paths = List.tl (Array.to_list Sys.argv) in
  let show worst path =
    let code, line = verdict path in
    print_endline (path ^ "  " ^ line);
    max worst code
  in
  exit (List.fold_left show 0 paths)
