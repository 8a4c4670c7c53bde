(* The rule about profiles of mechanisms given by their noise: `profile-dots`, where their pairs are
   listed, or whose losses have a bounded range. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

(* --- plans (SPEC 13.3) --- *)

type level = { window : Z.t * Z.t; times : Z.t }
type plan = { windows : (Z.t * Z.t) list; points : Z.t list; levels : level list }

let max_index = Z.of_int 1_000_000_000
let max_times = Z.of_int 16
let max_loss = Q.of_int 1000
let least_unit = Q.inv (Q.of_bigint (Z.pow (Z.of_int 10) 12))
let max_unit_bits = 256

let whole least most value = Numbers.whole (Json.text value) least most
let loss = whole (Z.neg max_index) max_index
let rising first last = if Z.geq first last then fail "losses do not rise"

let level value =
  match Json.list value with
  | [ first; last; times ] ->
      let window = (loss first, loss last) in
      rising (fst window) (snd window);
      { window; times = whole Z.one max_times times }
  | _ -> fail "not a level"

(* The first loss and the last; steps say where curves are looked at, at so many points. *)
let window value =
  let rec sections first points = function
    | [] -> (first, Z.succ points)
    | step :: last :: rest ->
        let step = whole Z.one max_index step and last = loss last in
        rising first last;
        let length = Z.sub last first in
        if Z.sign (Z.rem length step) <> 0 then fail "a section is not a multiple of its step";
        sections last (Z.add points (Z.fdiv length step)) rest
    | [ _ ] -> fail "a section has no end"
  in
  match Json.list value with
  | [ first; last ] ->
      let first = loss first and last = loss last in
      rising first last;
      ((first, last), Z.succ (Z.sub last first))
  | [ _; Json.Text "1"; _ ] -> fail "a window of steps of 1 has a shorter form"
  | first :: (_ :: _ as rest) when List.compare_length_with rest 128 <= 0 ->
      let first = loss first in
      let last, points = sections first Z.zero rest in
      ((first, last), points)
  | _ -> fail "not a window"

let plan value =
  match Json.members [ "levels"; "windows" ] value with
  | [ levels; windows ] ->
      let windows, points = List.split (List.map window (Json.list windows)) in
      { windows; points; levels = List.map level (Json.list levels) }
  | _ -> fail "not a plan"

let plans value = List.map plan (Json.list value)

let unit value =
  let unit = Numbers.rational (Json.text value) in
  if Q.lt unit least_unit || Q.gt unit max_loss || Numbers.size unit > max_unit_bits
  then fail "unit is not a short rational from 1e-12 to 1000";
  unit

type own = { digits : int; unit : Q.t; plans : plan list }

let own =
  let+ digits = digits and+ plans = field "plans" plans and+ unit = field "unit" unit in
  { digits; unit; plans }

(* --- what is composed --- *)

(* The pairs of the list of 13.2: how many outputs each has, and how often it stands there. *)
let distinct (s : shifted) =
  let times shift = Z.of_int (List.length (List.filter (Z.equal shift) s.shifts)) in
  List.map (fun shift -> (shift, Z.mul s.answers (times shift))) (List.sort_uniq Z.compare s.shifts)

(* None for a curve, of the points of its window. *)
type listed = { size : Z.t option; copies : Z.t }

let listed noise =
  let outputs n copies = { size = Some n; copies } in
  let response (_, copies) = outputs (Z.of_int 2) copies in
  let responses = List.map response (Costs.groups noise.others.pairs) in
  let shifts = List.concat_map distinct noise.shifted in
  let shifts = List.map (fun (shift, copies) -> outputs (Z.succ shift) copies) shifts in
  let table (t : tabled) = outputs (Z.of_int (List.length t.outputs)) t.written in
  let tables = List.map table noise.tabled in
  let laplaces = List.map (fun l -> { size = None; copies = l.noised }) noise.laplaced in
  let ranges = List.map (fun (m : scaled) -> { size = None; copies = m.times }) noise.ranged in
  List.concat [ responses; ranges; shifts; laplaces; tables ]

(* What has a profile, of which none is that of a normal pair. *)
let known noise =
  let above_0 m = Q.sign m.parameter > 0 in
  if noise.divergent <> [] || List.exists above_0 noise.others.concentrated then
    reject "some mechanisms have no profile";
  if noise.others.gaussian <> [] || noise.others.concentrated <> [] then
    refuse "profiles of mechanisms by mu are not known to this checker"

(* The greatest loss of a window, rounded up. *)
let reach own =
  let far (first, last) = Z.max (Z.abs first) (Z.abs last) in
  let windows = List.concat_map (fun plan -> plan.windows) own.plans in
  let most = List.fold_left (fun most window -> Z.max most (far window)) Z.zero windows in
  let units = Q.mul (Q.of_bigint most) own.unit in
  Z.succ (Z.fdiv (Q.num units) (Q.den units))

let require own noise =
  known noise;
  let parts = listed noise in
  let most = List.fold_left (fun most part -> Z.max most part.copies) Z.zero parts in
  let fits plan =
    if List.compare_lengths plan.windows parts <> 0 then reject "not a window for each pair of laws";
    if List.length plan.levels <> Z.numbits most - 1 then reject "not a level for each bit of the counts"
  in
  let directions = if noise.tabled = [] then 1 else 2 in
  if List.length own.plans <> directions then reject "not a plan for each direction";
  if parts = [] then reject "no mechanism has laws to compose";
  List.iter fits own.plans;
  if Z.gt (reach own) (Z.of_int 1000) then reject "a privacy loss above 1000"

(* --- the cost (SPEC 13.4) --- *)

let entries noise =
  List.(length noise.shifted + length noise.laplaced + length noise.ranged)
  + List.(length noise.divergent + length noise.tabled)
  + Subjects.entries noise.others

let has_bit place n = not (Z.divisible (Z.shift_right n place) (Z.of_int 2))

(* S of a plan. *)
let slots plan parts =
  let open Costs in
  let span (first, last) = Z.sub last first in
  let met whole lengths place =
    let used = List.filter (fun (_, part) -> has_bit place part.copies) (List.combine lengths parts) in
    ((int 2 * whole) + sum fst used) * int (Z.numbits (int (Stdlib.( + ) (List.length used) 2)))
  in
  let rec from whole lengths = function
    | [] -> met whole lengths 0
    | level :: rest as levels ->
        let now = met whole lengths (List.length levels) in
        let shorter n = Z.fdiv n level.times + int 3 in
        let lengths = List.map shorter lengths in
        now + sum Fun.id lengths + from (shorter (span level.window)) lengths rest
  in
  from Z.one (List.map (fun window -> span window + int 3) plan.windows) plan.levels

let cost own bound noise =
  require own noise;
  let parts = listed noise in
  let probabilities (t : tabled) = List.concat_map (fun (p, q) -> [ p; q ]) t.outputs in
  let scales = List.map (fun (s : shifted) -> s.scale) noise.shifted in
  let ranges = List.map (fun (m : scaled) -> m.parameter) noise.ranged in
  let parameters l = [ l.width; l.sensitivity ] in
  let rationals =
    List.concat
      [ scales; ranges; List.concat_map parameters noise.laplaced; List.concat_map probabilities noise.tabled ]
  in
  let size = Costs.greatest_size { Costs.none with rationals } noise.others bound in
  let size = List.fold_left max size [ 2 * Numbers.size own.unit; 2 * Z.to_int (reach own) ] in
  let fine = own.digits + Costs.digits_for size in
  let open Costs in
  let of_plan plan =
    let times = sum (fun level -> level.times) plan.levels in
    let evaluated (part, points) =
      match part.size with
      | Some size -> size * transcendental fine
      | None -> points * (profile fine + (int 2 * transcendental fine))
    in
    (times * transcendental fine)
    + sum evaluated (List.combine parts plan.points)
    + (int 20 * slots plan parts * (int fine + int 30))
  in
  per_entry (Stdlib.( + ) (entries noise) (List.length parts))
  + (to_enclose none noise.others.pairs bound * transcendental fine)
  + for_failures fine noise.others
  + sum of_plan own.plans

(* --- what is suggested --- *)

(* The order in which entries by epsilon and delta stand. *)
let as_written (m : pair) =
  let texts = [ ("delta", Numbers.rational_text m.delta); ("epsilon", Numbers.write m.epsilon) ] in
  Json.write (Json.Object (List.map (fun (key, text) -> (key, Json.Text text)) texts))

(* The windows of a plan are those of the pairs of 13.2; here each entry has one, and each shift. *)
let looked_at own noise plan =
  let windows = Array.of_list plan.windows in
  let groups = List.mapi (fun i (epsilon, _) -> (epsilon, windows.(i))) (Costs.groups noise.others.pairs) in
  let nothing = (Z.zero, Z.one) in
  let of_pair (m : pair) = if m.positive then List.assoc m.epsilon groups else nothing in
  let in_order a b = compare (as_written a) (as_written b) in
  let responses = List.map of_pair (List.sort in_order noise.others.pairs) in
  let next = ref (List.length groups + List.length noise.ranged) in
  let of_range i (m : scaled) =
    let far = Q.div m.parameter own.unit in
    let far = Z.cdiv (Q.num far) (Q.den far) and first, last = windows.(List.length groups + i) in
    (Z.max first (Z.neg far), Z.min last far)
  in
  let of_shifted (s : shifted) =
    let own = List.mapi (fun i (shift, _) -> (shift, windows.(!next + i))) (distinct s) in
    next := !next + List.length own;
    List.map (fun shift -> snd (List.find (fun (other, _) -> Z.equal shift other) own)) s.shifts
  in
  let shifts = List.concat_map of_shifted noise.shifted in
  let rest first entries = List.mapi (fun i _ -> windows.(first + i)) entries in
  let laplaces = rest !next noise.laplaced in
  let tables = rest (!next + List.length noise.laplaced) noise.tabled in
  List.concat [ responses; shifts; laplaces; List.mapi of_range noise.ranged; tables ]

(* By how many chords the curve of Laplace noise is replaced: so that all multiples of the unit are
   among their ends if there are no more than so, else finer than these, and all curves together at as many as take seconds. *)
let most_chords = Z.shift_left Z.one 17
let finer = Z.of_int 8

let all_chords = Z.shift_left Z.one 16

let chords own curves l =
  let units = Q.div (Q.div l.sensitivity l.width) own.unit in
  let twice n = Z.mul (Z.of_int 2) n in
  let across = Z.mul finer (Z.cdiv (twice (Q.num units)) (Q.den units)) in
  let exact = twice (Q.num units) in
  let chords =
    if Z.leq exact (Z.max across (Z.of_int 4096)) then exact
    else Z.max across (Z.fdiv all_chords (Z.of_int curves))
  in
  if Z.gt chords most_chords then refuse "Laplace noise is looked at in more points than this checker does";
  chords

(* With the last losses of their windows, which stand before those of tables. *)
let curves own noise plan =
  let before = List.(length plan.windows - length noise.tabled - length noise.laplaced) in
  let last l = snd (List.nth plan.windows (before + l)) in
  List.mapi (fun i l -> (chords own (List.length noise.laplaced) l, last i)) noise.laplaced

let check own bound noise =
  let problem = Problem.make noise.others.pairs [ finite bound ] in
  let most = List.fold_left (fun most part -> Z.max most part.copies) Z.one (listed noise) in
  let bits = Problem.bits_for own.digits + 60 + (2 * Z.numbits (Q.den own.unit)) + Z.numbits most in
  let bits = if noise.ranged = [] then bits else bits + (2 * Z.to_int (reach own)) in
  let suggested plan =
    let kept_within = List.map (fun level -> (level.window, level.times)) plan.levels in
    { Checks.looked_at = looked_at own noise plan; kept_within; chords = curves own noise plan }
  in
  let unit = (Q.num own.unit, Q.den own.unit) in
  match List.map suggested own.plans with
  | forth :: back ->
      let back = match back with [] -> None | other :: _ -> Some other in
      [ Checks.AboutNoise (Checks.ProfileDots (problem.numbering, Z.of_int bits, unit, forth, back)) ]
  | [] -> []

let rules = [ axiom Noise "profile-dots" "zhu-dong-wang-2022-theorem-10" [ Upper ] [] own ~cost ~check ]
