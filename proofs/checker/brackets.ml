(* The rules `connect-the-dots` and `gridded-test`: the leaves, with how many digits the verified
   checks are to compute, and which multiple of the unit is next to a loss. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

type own = { digits : int; sums : int; unit : Numbers.t }

let own =
  let+ digits = digits and+ sums = sums and+ unit = unit in
  { digits; sums; unit }

let stretch own pairs = Costs.dots_stretch own.digits own.unit pairs

let cost ?(rationals = []) own bound ledger =
  let slots = stretch own ledger.pairs in
  let open Costs in
  let further = { (Grids.further own.unit) with rationals } in
  let finer = finer own.digits further ledger bound in
  let atoms leaf = product (fun (_, count) -> Z.succ (window own.digits count)) leaf in
  on_a_grid finer further ledger bound slots
  + (sum atoms (leaves own.sums ledger.pairs) * Z.fdiv (transcendental finer) (int 5))

let limit own pairs =
  if own.unit.logs <> [] then reject "the unit is not rational";
  Costs.limit (stretch own pairs)

type prepared = {
  problem : Problem.t;
  effort : Checks.effort;
  gathered : Checks.gathering;
  delta_bits : int;
}

(* The parameters of the leaves, and the bits that the verifier takes for Delta; the check takes
   [more]. *)
let prepare ?(more = 0) own pairs epsilon =
  let problem = Problem.make pairs [ epsilon; own.unit ] in
  let unit = own.unit.rational in
  let slots = 2 * Z.numbits (stretch own pairs) in
  let bits = Problem.bits_for own.digits + 40 + slots + Z.numbits (Q.den unit) in
  let leaves = Costs.leaves own.sums pairs in
  let finer = Problem.(finer (most_of pairs)) in
  let enough = Problem.bits_for (own.digits + finer) + 60 + slots in
  let effort = Problem.at_least (max bits enough + more) problem in
  let key (m : pair) = Z.mul (fst (Signs.enclose m.epsilon bits)) (Q.den unit) in
  let known = List.map (fun (m : pair) -> (problem.combination m.epsilon, key m)) pairs in
  let known = Array.of_list (List.sort compare known) in
  let rec find combination from until =
    let middle = (from + until) / 2 in
    let found, key = known.(middle) in
    match compare combination found with
    | 0 -> key
    | order when order < 0 -> find combination from middle
    | _ -> find combination (middle + 1) until
  in
  let gathered =
    {
      Checks.leaf_scale = Z.pow Problem.ten own.digits;
      leaf_finer = Z.pow Problem.ten finer;
      shape = List.map List.length leaves;
      key_of = (fun combination -> find combination 0 (Array.length known));
    }
  in
  { problem; effort; gathered; delta_bits = bits }

(* For an upper bound by leaves on the mesh. *)
let mesh_plan own bound pairs =
  let epsilon = finite bound in
  let ({ problem; effort; gathered; delta_bits } as prepared) = prepare own pairs epsilon in
  let working = effort.bits in
  let unit = own.unit.rational in
  let logs = Checks.logarithms working problem.checked.quotients in
  let multiple_below loss =
    let _, high = Checks.enclosure_of_number working logs problem.checked.denominator loss in
    Z.fdiv (Z.mul high (Q.den unit)) (Z.shift_left (Q.num unit) (Z.to_int working))
  in
  let wide = Z.to_int working in
  let epsilon_low, _ = Signs.enclose epsilon wide and _, unit_high = Signs.enclose own.unit wide in
  let least = Z.succ (Z.fdiv epsilon_low unit_high) in
  let mesh_top total stop = max 0 (Z.to_int (Z.min (Z.sub total least) (Z.of_int (stop - 1)))) in
  let plan =
    {
      Checks.gathered;
      mesh = problem.combination own.unit;
      multiple_below;
      mesh_delta_bits = Z.of_int delta_bits;
      mesh_top;
    }
  in
  (prepared, plan)

let connect_the_dots own bound pairs =
  limit own pairs;
  let { problem; effort; _ }, plan = mesh_plan own bound pairs in
  Problem.suggest problem effort (Checks.Dots plan)

let gridded_test own bound pairs =
  limit own pairs;
  let epsilon = finite bound in
  (* e^-epsilon is wanted to as many places as other numbers. *)
  let size = Z.to_int (Z.min (Z.of_int 20_000) (snd (Signs.enclose epsilon 0))) in
  let more = max 0 (size * 3 / 2) in
  let { problem; effort; gathered; delta_bits } = prepare ~more own pairs epsilon in
  let per_unit = Z.shift_left (Q.num own.unit.rational) delta_bits in
  let plan = { Checks.test_gathered = gathered; per_unit; test_delta_bits = Z.of_int delta_bits } in
  Problem.suggest problem effort (Checks.Test plan)

let rules =
  let cost own bound pairs = cost own bound (Costs.pairs_alone pairs) in
  [
    of_pairs "connect-the-dots" [ Upper ] own ~cost ~check:connect_the_dots;
    of_pairs "gridded-test" [ Lower ] own ~cost ~check:gridded_test;
  ]
