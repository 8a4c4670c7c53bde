(* The rule `grid`: which multiples of the unit, tables and exponentials the verified check is to
   use. *)

open Certificate

let max_delta_bits = Z.of_int (1 lsl 22)

let delta_bits subject =
  let of_mechanism (m : mechanism) =
    if Q.sign m.delta = 0 then Z.zero else Z.mul m.count (Z.of_int (Numbers.size m.delta))
  in
  Costs.sum_of of_mechanism subject.mechanisms

let rec log2_ceil n = if n <= 1 then 0 else 1 + log2_ceil ((n + 1) / 2)

let grid about (step : step) =
  let epsilon = finite step.bound in
  let problem = Planning.problem about [ epsilon; step.unit ] in
  let subject = problem.checked in
  let combination = Planning.combination problem.context in
  let nonneg = Planning.nonneg problem in
  let x = combination epsilon and unit = combination step.unit in
  let upward = step.bound.kind = Upper in
  let digits = step.digits in
  let multiples n =
    Planning.multiples nonneg (128 + Planning.bits_for digits) subject unit (combination n)
  in
  if Z.gt (delta_bits about) max_delta_bits then raise (Unsupported "so many deltas");
  let chosen (m : mechanism) =
    let up, down = multiples m.epsilon in
    if upward then up else down
  in
  let pairs = List.map (fun (m : mechanism) -> (m, chosen m)) about.mechanisms in
  let total = Costs.sum_of (fun ((m : mechanism), a) -> Z.mul m.count a) pairs in
  let most = List.fold_left (fun t (m : mechanism) -> Z.max t m.count) Z.one about.mechanisms in
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
  if top < 0 && not upward then reject "the divergence is not proved to be above Delta";
  let top = max top 0 in
  let rest = Checks.csub (Checks.cscale (Z.sub total (Z.of_int (2 * top))) unit) x in
  let z_low, z_high = Planning.around bits subject rest in
  let one = Z.shift_left Z.one bits in
  let z_low = if nonneg (Checks.cscale Z.minus_one rest) then one else z_low in
  let plan = plan top (if upward then z_low else z_high) in
  let a = Q.num step.bound.delta and b = Q.den step.bound.delta in
  let check = if upward then Checks.check_grid_upper else Checks.check_grid_lower in
  if not (check effort subject plan x a b) then reject "not proved"
