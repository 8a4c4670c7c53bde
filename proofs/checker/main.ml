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

let max_cost = Z.pow (Z.of_int 10) 11
let max_delta_bits = 1 lsl 22
let max_stretch = Z.pow (Z.of_int 10) 8

(* SPEC, sections 5 and 7.5. Groups: one for each distinct epsilon > 0, counts added. *)
let groups positive mechanisms =
  let add groups (m : mechanism) =
    if not (positive m.epsilon) then groups
    else
      match List.partition (fun (e, _) -> e = m.epsilon) groups with
      | [ (e, count) ], others -> (e, Z.add count m.count) :: others
      | _ -> (m.epsilon, m.count) :: groups
  in
  List.fold_left add [] mechanisms

let window count digits =
  let root = Z.sqrt (Z.mul (Z.mul (Z.of_int 2) count) (Z.of_int (digits + 10))) in
  Z.min count (Z.add (Z.mul (Z.of_int 2) root) (Z.of_int 64))

let transcendental digits =
  Z.of_int (200_000 + (500 * digits * Z.to_int (Z.sqrt (Z.of_int digits))))

let cost_of_sum certificate = Z.of_int (1000 * (List.length certificate.mechanisms + 1))

let cost_of_grid certificate least =
  let digits = Z.to_int certificate.digits in
  let positive (n : Numbers.t) = Q.sign n.rational <> 0 || n.logs <> [] in
  let groups = groups positive certificate.mechanisms in
  let stretch =
    List.fold_left Z.add Z.zero
      (List.map (fun (e, c) -> Z.succ (Z.mul (least e) (window c digits))) groups)
  in
  if Z.gt stretch max_stretch then reject "the grid is too long";
  let g = List.length groups in
  let work = Z.of_int (20 * (digits + 30) * (Z.numbits (Z.of_int g) + 2)) in
  Z.add (cost_of_sum certificate)
    (Z.add (Z.mul (Z.of_int g) (transcendental digits)) (Z.mul work stretch))

let charge certificate cost =
  if Z.gt certificate.cost max_cost then reject "the cost exceeds the limit";
  if not (Z.equal cost certificate.cost) then reject "another cost is needed"

(* --- grid --- *)

let delta_bits certificate =
  let size q = Z.numbits (Q.num q) + Z.numbits (Q.den q) in
  let of_mechanism (m : mechanism) =
    if Q.sign m.delta = 0 then Z.zero else Z.mul m.count (Z.of_int (size m.delta))
  in
  List.fold_left Z.add Z.zero (List.map of_mechanism certificate.mechanisms)

let rec log2_ceil n = if n <= 1 then 0 else 1 + log2_ceil ((n + 1) / 2)

let prove_grid certificate context subject nonneg x =
  let upward = certificate.bound.kind = "upper" in
  let digits = Z.to_int certificate.digits in
  let unit = combination context certificate.unit in
  let multiples n =
    let y = combination context n in
    Planning.multiples nonneg (128 + Planning.bits_for digits) subject unit y
  in
  charge certificate (cost_of_grid certificate (fun n -> fst (multiples n)));
  if Z.gt (delta_bits certificate) (Z.of_int max_delta_bits) then
    raise (Unsupported "so many deltas");
  let chosen (m : mechanism) =
    let up, down = multiples m.epsilon in
    if upward then up else down
  in
  let pairs = List.map (fun (m : mechanism) -> (m, chosen m)) certificate.mechanisms in
  let total = List.fold_left (fun t ((m : mechanism), a) -> Z.add t (Z.mul m.count a)) Z.zero pairs in
  let most = List.fold_left (fun t (m : mechanism) -> Z.max t m.count) Z.one certificate.mechanisms in
  let finer = 12 + (Z.numbits most * 2 / 3) in
  let bits = Planning.bits_for (digits + finer) + 60 + (2 * Z.numbits total) in
  let effort = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = true } in
  let rounding (_, a) =
    let x_low, x_high = Planning.around bits subject (Checks.cscale a unit) in
    { Checks.multiple = Z.to_int a; x_low; x_high }
  in
  let step_low, step_high = Planning.around bits subject (Checks.cscale (Z.of_int 2) unit) in
  let ten = Z.of_int 10 in
  let plan top z_top =
    {
      Checks.unit_of = unit;
      roundings = List.map rounding pairs;
      scale = Z.pow ten digits;
      finer = Z.pow ten finer;
      rounds = log2_ceil (List.length pairs);
      top;
      z_top;
      z_step = (if upward then step_low else step_high);
    }
  in
  let size = List.length (Checks.table effort subject (plan 0 Z.zero)) in
  let near = Planning.approximate (bits + 64) subject in
  let least = Z.succ (Z.fdiv (near x) (Z.succ (near unit))) in
  let top = Z.to_int (Z.min (Z.fdiv (Z.sub total least) (Z.of_int 2)) (Z.of_int (size - 1))) in
  if top < 0 && not upward then reject "the divergence is not proved to be above Î";
  let top = max top 0 in
  let rest = Checks.csub (Checks.cscale (Z.sub total (Z.of_int (2 * top))) unit) x in
  let z_low, z_high = Planning.around bits subject rest in
  let one = Z.shift_left Z.one bits in
  let z_low = if nonneg (Checks.cscale Z.minus_one rest) then one else z_low in
  let plan = plan top (if upward then z_low else z_high) in
  let a = Q.num certificate.bound.delta and b = Q.den certificate.bound.delta in
  let check = if upward then Checks.check_grid_upper else Checks.check_grid_lower in
  if not (check effort subject plan x a b) then reject "rule grid: not proved"

(* --- closed conditions --- *)

let check_closed certificate context subject =
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
  let epsilons = List.map (fun (m : mechanism) -> m.epsilon) certificate.mechanisms in
  let numbers = (certificate.unit :: Option.to_list certificate.bound.at) @ epsilons in
  let context = common numbers in
  let subject = subject context certificate.mechanisms in
  let efforts = efforts certificate context in
  let nonneg x = List.exists (fun f -> Checks.at_least_0 f subject x) efforts in
  (match certificate.bound.at with
  | Some x when not (nonneg (combination context x)) -> fail "epsilon is negative"
  | _ -> ());
  if nonneg (Checks.cscale Z.minus_one (combination context certificate.unit)) then
    fail "unit is not positive";
  match (certificate.rule, certificate.bound.at) with
  | "grid", Some x -> prove_grid certificate context subject nonneg (combination context x)
  | "grid", None -> reject "epsilon is every"
  | (("vacuous" | "sum" | "infeasible") as rule), _ ->
      charge certificate (if rule = "vacuous" then Z.one else cost_of_sum certificate);
      if not (List.exists (check_closed certificate context subject) efforts) then
        reject ("rule " ^ rule ^ ": not proved")
  | rule, _ -> raise (Unsupported ("rule " ^ rule))

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
