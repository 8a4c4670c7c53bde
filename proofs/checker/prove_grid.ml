(* The rule `grid`: which multiples of the unit the verified check is to use, with how many digits,
   and where the losses above 0 begin. *)

open Certificate

type prepared = { problem : Planning.problem; effort : Checks.effort; plan : Checks.plan }

(* [others] are numbers that a check needs besides. *)
let prepare about (step : step) others =
  let epsilon = finite step.bound in
  let problem = Planning.problem about (epsilon :: step.unit :: others) in
  let combination = Planning.combination problem.context in
  let upward = step.bound.kind = Upper in
  let digits = step.digits in
  let multiple =
    let known = Hashtbl.create 16 in
    fun (m : mechanism) ->
      match Hashtbl.find_opt known m.epsilon with
      | Some a -> a
      | None ->
          let a, exact = Signs.ceil_quotient m.epsilon step.unit in
          let a = if exact || upward then a else Z.pred a in
          Hashtbl.add known m.epsilon a;
          a
  in
  let pairs = List.map (fun (m : mechanism) -> (m, multiple m)) about.mechanisms in
  let total = Costs.sum_of (fun ((m : mechanism), a) -> Z.mul m.count a) pairs in
  let most = List.fold_left (fun t (m : mechanism) -> Z.max t m.count) Z.one about.mechanisms in
  let finer = 12 + (Z.numbits most * 2 / 3) in
  let bits = Planning.bits_for (digits + finer) + 60 + (2 * Z.numbits total) in
  let effort = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = true } in
  let epsilon_low, _ = Signs.enclose epsilon bits and _, unit_high = Signs.enclose step.unit bits in
  let least = Z.succ (Z.fdiv epsilon_low unit_high) in
  let last = Z.fdiv (Z.sub total least) (Z.of_int 2) in
  let top_of stop = max 0 (Z.to_int (Z.min last (Z.of_int (stop - 1)))) in
  let ten = Z.of_int 10 in
  let plan =
    {
      Checks.unit_of = combination step.unit;
      multiples = List.map (fun (_, a) -> Z.to_int a) pairs;
      scale0 = Z.pow ten digits;
      finer = Z.pow ten finer;
      delta_bits = Z.of_int (Planning.bits_for digits + 40 + (2 * Z.numbits total));
      top_of;
    }
  in
  { problem; effort; plan }

let grid about (step : step) =
  let { problem; effort; plan } = prepare about step [] in
  let x = Planning.combination problem.context (finite step.bound) in
  let a = Q.num step.bound.delta and b = Q.den step.bound.delta in
  let check =
    if step.bound.kind = Upper then Checks.check_grid_upper else Checks.check_grid_lower
  in
  if not (check effort problem.checked plan x a b) then reject "not proved"
