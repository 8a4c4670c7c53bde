(* The rule `profile-test`: mechanisms given by their noise, from below. Suggested are a score for each
   output, near its privacy loss in units, and the threshold of the test. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

(* The first loss and the last; and a level's, with how much coarser the mesh becomes. *)
type plan = { windows : (Z.t * Z.t) list; levels : (Z.t * Z.t * Z.t) list }

type own = {
  digits : int;
  unit : Q.t;
  plan : plan;
  back : bool;
  threshold : Z.t;
  tilt : Q.t;
}

(* --- reading --- *)

let most_loss = Z.of_int 1_000_000_000
let most_unit_bits = 256

let integer most text =
  let number = Numbers.rational text in
  if not (Z.equal (Q.den number) Z.one && Z.leq (Z.abs (Q.num number)) most) then
    fail "an integer is not in its range";
  Q.num number

let loss = integer most_loss

let rising first last =
  if Z.geq first last then fail "a window's first loss is not below its last";
  (first, last)

(* From the first loss on, for each section its step and its end. *)
let rec sections before = function
  | [] -> before
  | step :: last :: rest ->
      let step = Numbers.whole step Z.one most_loss and before, last = rising before (loss last) in
      if Z.sign (Z.rem (Z.sub last before) step) <> 0 then
        fail "a section of a window is not a multiple of its step";
      sections last rest
  | [ _ ] -> fail "a window does not have 2, or 3, 5, ..., 129 numbers"

let window value =
  match Json.texts value with
  | [ first; last ] -> rising (loss first) (loss last)
  | [ _; "1"; _ ] -> fail "a window with steps of 1 has the shorter form"
  | first :: (_ :: _ as rest) when List.compare_length_with rest 128 <= 0 ->
      (loss first, sections (loss first) rest)
  | _ -> fail "a window does not have 2, or 3, 5, ..., 129 numbers"

let level value =
  match Json.texts value with
  | [ first; last; times ] ->
      let first, last = rising (loss first) (loss last) in
      (first, last, Numbers.whole times Z.one (Z.of_int 16))
  | _ -> fail "a level does not have 3 numbers"

(* Cuts are for shuffled batches alone, which are not read. *)
let plan value =
  (match value with
  | Json.Object members when List.mem_assoc "cuts" members -> reject "cuts, though nothing is shuffled"
  | _ -> ());
  match Json.members [ "levels"; "windows" ] value with
  | [ levels; windows ] ->
      { levels = List.map level (Json.list levels); windows = List.map window (Json.list windows) }
  | _ -> fail "not a plan"

let mesh_unit value =
  let unit = Numbers.rational (Json.text value) in
  let least = Q.make Z.one (Z.pow (Z.of_int 10) 12) in
  if Q.lt unit least || Q.gt unit (Q.of_int 1000) || Numbers.size unit > most_unit_bits then
    fail "unit is not a short rational from 1e-12 to 1000";
  unit

let tilt value =
  let tilt = Numbers.probability (Json.text value) in
  if Numbers.size tilt > most_unit_bits then fail "tilt is not short";
  tilt

let direction value =
  match Json.text value with
  | "add" -> true
  | "remove" -> false
  | _ -> fail "direction is neither add nor remove"

let own =
  let+ digits = digits
  and+ unit = field "unit" mesh_unit
  and+ plan = field "plan" plan
  and+ back = field "direction" direction
  and+ threshold = field "threshold" (fun v -> integer (Z.pow (Z.of_int 10) 30) (Json.text v))
  and+ tilt = field "tilt" tilt in
  { digits; unit; plan; back; threshold; tilt }

(* --- the list of pairs (SPEC 13.2) --- *)

(* A pair of laws that is listed: how many outputs it has, and how often it is there. *)
type part = { outputs : int; often : Z.t }

(* Shifts in their order, each with how often it occurs. *)
let distinct shifts =
  let count found shift =
    match found with
    | (shift', times) :: rest when Z.equal shift shift' -> (shift, Z.succ times) :: rest
    | _ -> (shift, Z.one) :: found
  in
  List.rev (List.fold_left count [] shifts)

let parts noise =
  let response (_, often) = { outputs = 2; often } in
  let shift answers (shift, times) = { outputs = Z.to_int shift + 1; often = Z.mul answers times } in
  let shifts (s : shifted) = List.map (shift s.answers) (distinct s.shifts) in
  let table (t : tabled) = { outputs = List.length t.outputs; often = t.written } in
  List.concat
    [
      List.map response (Costs.groups noise.others.pairs);
      List.concat_map shifts noise.shifted;
      List.map table noise.tabled;
    ]

(* What has no check here yet. *)
let known noise =
  Noises.without_laplace noise;
  if noise.ranged <> [] then refuse "a test of a bounded range is not known to this checker";
  if noise.others.gaussian <> [] || noise.others.concentrated <> [] then
    refuse "a test beside mechanisms given by mu or rho is not known to this checker"

let fits own parts =
  if parts = [] then reject "no mechanism has laws to compose";
  if List.compare_lengths parts own.plan.windows <> 0 then reject "not a window for each pair of laws";
  let most = List.fold_left (fun most part -> Z.max most part.often) Z.one parts in
  if List.length own.plan.levels <> Z.numbits most - 1 then reject "not a level for each bit of the counts"

let reach own =
  let most (first, last) = Z.max (Z.abs first) (Z.abs last) in
  let greatest = List.fold_left (fun found window -> Z.max found (most window)) Z.zero own.plan.windows in
  let loss = Q.mul (Q.of_bigint greatest) own.unit in
  let reach = Z.to_int (Z.succ (Z.fdiv (Q.num loss) (Q.den loss))) in
  if reach > 1000 then reject "a privacy loss above 1000";
  reach

(* --- the cost (SPEC 13.4 and 13.5) --- *)

let slots own parts =
  let length (first, last) = Z.add (Z.sub last first) (Z.of_int 3) in
  let coarser times n = Z.add (Z.fdiv n times) (Z.of_int 3) in
  let step (whole, lengths, total) place level =
    let used = List.filter (fun (part, _) -> Z.is_odd (Z.shift_right part.often place)) (List.combine parts lengths) in
    let bits = Z.of_int (Z.numbits (Z.of_int (List.length used + 2))) in
    let multiplied = Z.add (Z.mul Z.(of_int 2) whole) (List.sum Z.add Z.zero snd used) in
    let total = Z.add total (Z.mul multiplied bits) in
    match level with
    | None -> (whole, lengths, total)
    | Some (first, last, times) ->
        let lengths = List.map (coarser times) lengths in
        let whole = coarser times (Z.sub last first) in
        (whole, lengths, Z.add total (List.sum Z.add Z.zero Fun.id lengths))
  in
  let levels = List.append (List.map Option.some own.plan.levels) [ None ] in
  let highest = List.length levels - 1 in
  let places = List.mapi (fun i level -> (highest - i, level)) levels in
  let start = (Z.one, List.map length own.plan.windows, Z.zero) in
  let _, _, total = List.fold_left (fun state (place, level) -> step state place level) start places in
  total

let cost own (bound : bound) noise =
  known noise;
  let parts = parts noise in
  fits own parts;
  let by_noise = List.(length noise.divergent + length noise.tabled + length noise.shifted) in
  let entries = by_noise + Subjects.entries noise.others in
  let open Costs in
  let numbers =
    let of_orders d = List.concat_map (fun (alpha, most) -> [ alpha; most ]) d.orders in
    let of_table t = List.concat_map (fun (p, q) -> [ p; q ]) t.Subjects.outputs in
    List.concat
      [
        List.map (fun (s : shifted) -> s.scale) noise.shifted;
        List.concat_map of_orders noise.divergent;
        List.concat_map of_table noise.tabled;
      ]
  in
  let size = greatest_size { none with rationals = own.tilt :: numbers } noise.others bound in
  let size = max size (max Stdlib.(2 * Numbers.size own.unit) Stdlib.(2 * reach own)) in
  let fine = Stdlib.( + ) own.digits (digits_for size) in
  let evaluated =
    sum (fun (_, _, times) -> times) own.plan.levels + sum (fun part -> int part.outputs) parts
  in
  per_entry Stdlib.(entries + List.length parts)
  + ((to_enclose none noise.others.pairs bound + evaluated) * transcendental fine)
  + for_failures fine noise.others
  + (int 40 * slots own parts * (int fine + int 30))

(* --- scores --- *)

let score_bits = 128

(* The multiple of the unit nearest to a loss, within a window, from its first on. *)
let score own (first, last) loss =
  let low, _ = Signs.enclose loss score_bits in
  let per_unit = Z.shift_left (Q.num own.unit) (score_bits + 1) in
  let half = Z.shift_left (Q.num own.unit) score_bits in
  let above = Z.add (Z.mul (Z.shift_left low 1) (Q.den own.unit)) half in
  let nearest = Z.fdiv above per_unit in
  Z.to_int (Z.sub (Z.max first (Z.min last nearest)) first)

let table_scores own ((first, last) as window) (t : tabled) =
  let of_output (p, q) =
    let p, q = if own.back then (q, p) else (p, q) in
    if Q.sign q = 0 then Z.to_int (Z.sub last first)
    else if Q.sign p = 0 then 0
    else score own window (Numbers.normal_form Q.zero [ (Q.one, Q.div p q) ])
  in
  List.map of_output t.outputs

(* Of each shift as often as it occurs; outputs have the losses (shift - 2j)/scale. *)
let shift_scores own windows shifted =
  let of_shift window (s : shifted) shift =
    let shift = Z.to_int shift in
    let loss j = Numbers.of_rational (Q.div (Q.of_int (shift - (2 * j))) s.scale) in
    List.init (shift + 1) (fun j -> score own window (loss j))
  in
  let laws_of (s : shifted) = List.map (fun each -> (s, each)) (distinct s.shifts) in
  let laws = List.concat_map laws_of shifted in
  List.concat_map
    (fun ((s, (shift, times)), window) -> List.init (Z.to_int times) (fun _ -> of_shift window s shift))
    (List.combine laws windows)

(* Mechanisms with an epsilon, in the order of the certificate, each with its group's window. *)
let in_order pairs =
  let text (m : pair) =
    Printf.sprintf "%s\",\"epsilon\":\"%s\"" (Numbers.rational_text m.delta) (Numbers.write m.epsilon)
  in
  List.sort (fun m m' -> compare (text m) (text m')) pairs

(* The sums of scores that are kept, and their bits: levels keep fewer, but do not count here. *)
let most_sums = Z.shift_left Z.one 22
let most_bits = Z.shift_left Z.one 29
let finer = 12

let limit own range noise =
  let bits = Z.mul range (Z.of_int (Problem.bits_for (own.digits + finer))) in
  if Z.gt range most_sums || Z.gt bits most_bits then reject "the scores have too many sums";
  let outputs = List.sum Z.add Z.one Fun.id in
  let rows = outputs (List.concat_map (fun (s : shifted) -> s.shifts) noise.shifted) in
  if Z.gt rows most_sums then reject "the shifts have too many outputs"

let check own bound noise =
  known noise;
  let parts = parts noise in
  fits own parts;
  let epsilon = finite bound in
  let groups = Costs.groups noise.others.pairs in
  let rec divided n list =
    match list with
    | first :: rest when n > 0 ->
        let before, after = divided (n - 1) rest in
        (first :: before, after)
    | _ -> ([], list)
  in
  let windows, rest = divided (List.length groups) own.plan.windows in
  let of_shifts, of_tables = divided (List.length rest - List.length noise.tabled) rest in
  let by_group = List.combine groups windows in
  let response (m : pair) =
    match List.find_opt (fun ((e, _), _) -> e = m.epsilon) by_group with
    | Some (_, window) -> (score own window m.epsilon, score own window (Numbers.scale Q.minus_one m.epsilon))
    | None -> (0, 0)
  in
  let sum_over of_window =
    List.fold_left2 (fun sum part window -> Z.add sum (Z.mul part.often (of_window window))) Z.zero parts
      own.plan.windows
  in
  let range = sum_over (fun (first, last) -> Z.sub last first) in
  limit own range noise;
  let times = List.fold_left (fun product (_, _, times) -> Z.mul product times) Z.one own.plan.levels in
  let from_first doubled = Z.sub (Z.cdiv doubled (Z.of_int 2)) (sum_over fst) in
  let coarse = Z.mul own.threshold times in
  let thresholds =
    let twice = Z.shift_left coarse 1 in
    List.sort_uniq Z.compare [ from_first twice; from_first Z.(twice - times + one) ]
  in
  let problem = Problem.make noise.others.pairs [ epsilon ] in
  let size = Z.to_int (Z.min (Z.of_int 20_000) (snd (Signs.enclose epsilon 0))) in
  let bits = Problem.bits_for (own.digits + finer) + 60 + (size * 3 / 2) in
  let effort = Problem.at_least bits problem in
  let test threshold =
    let hint =
      {
        Checks.scored_scale = Z.pow Problem.ten (own.digits + finer);
        scored_delta_bits = Z.of_int (Problem.bits_for own.digits + 40);
        of_responses_scores = List.map response (in_order noise.others.pairs);
        of_shifts_scores = shift_scores own of_shifts noise.shifted;
        of_tables_scores = List.map2 (table_scores own) of_tables noise.tabled;
        scored_threshold = Z.to_int (Z.max Z.zero (Z.min threshold (Z.succ range)));
        is_exchanged = own.back;
      }
    in
    Checks.AboutNoise (Checks.NoiseTest (effort, problem.numbering, hint))
  in
  List.map test thresholds

let rules = [ axiom Noise "profile-test" "definition" [ Lower ] [] own ~cost ~check ]
