(* The rules `connect-the-dots` and `gridded-test`: the leaves, with how many digits the verified
   checks are to compute, and which multiple of the unit is next to a loss. *)

open Certificate

let ten = Z.of_int 10

(* The problem, the parameters of the leaves, and the bits that the verifier takes; the check takes
   [more]. *)
let prepared ?(more = 0) about (step : step) epsilon =
  let problem = Planning.problem about [ epsilon; step.unit ] in
  let slots = Costs.dots_stretch about step in
  let unit = step.unit.rational in
  let bits = Planning.bits_for step.digits + 40 + (2 * Z.numbits slots) + Z.numbits (Q.den unit) in
  let leaves = Costs.leaves about step in
  let counts = List.map snd (List.concat leaves) in
  let finer = 12 + (Z.numbits (List.fold_left Z.max Z.one counts) * 2 / 3) in
  let enough = Planning.bits_for (step.digits + finer) + 60 + (2 * Z.numbits slots) in
  let working = max bits enough + more in
  let effort = { Checks.bits = Z.of_int working; terms = (working / 3) + 4; ties = problem.ties } in
  let keys = Hashtbl.create 16 in
  let add (m : mechanism) =
    let key = Z.mul (fst (Signs.enclose m.epsilon bits)) (Q.den unit) in
    Hashtbl.replace keys (Planning.combination problem.context m.epsilon) key
  in
  List.iter add about.mechanisms;
  let gathering =
    {
      Checks.leaf_scale = Z.pow ten step.digits;
      leaf_finer = Z.pow ten finer;
      shape = List.map List.length leaves;
      key_of = Hashtbl.find keys;
    }
  in
  (problem, gathering, effort, bits)

(* For an upper bound by leaves on the mesh. *)
let mesh_plan about (step : step) =
  let epsilon = finite step.bound in
  let problem, gathered, effort, bits = prepared about step epsilon in
  let { Checks.bits = working; terms; _ } = effort in
  let unit = step.unit.rational in
  let logs = Checks.logarithms working problem.checked.quotients in
  let multiple_below loss =
    let _, high = Checks.enclosure_of_number working logs problem.checked.denominator loss in
    Z.fdiv (Z.mul high (Q.den unit)) (Z.shift_left (Q.num unit) (Z.to_int working))
  in
  let wide = Z.to_int working in
  let epsilon_low, _ = Signs.enclose epsilon wide and _, unit_high = Signs.enclose step.unit wide in
  let least = Z.succ (Z.fdiv epsilon_low unit_high) in
  let mesh_top total stop = max 0 (Z.to_int (Z.min (Z.sub total least) (Z.of_int (stop - 1)))) in
  let plan =
    {
      Checks.gathered;
      mesh = Planning.combination problem.context step.unit;
      multiple_below;
      mesh_delta_bits = Z.of_int bits;
      mesh_top;
    }
  in
  (problem, effort, plan, Planning.combination problem.context epsilon)

let connect_the_dots about (step : step) =
  let problem, effort, plan, x = mesh_plan about step in
  let a, b = Prove_closed.parts step.bound in
  if not (Checks.check_connect_the_dots effort problem.checked plan x a b) then reject "not proved"

let gridded_test about (step : step) =
  let epsilon = finite step.bound in
  (* e^-epsilon is wanted to as many places as other numbers. *)
  let size = Z.to_int (Z.min (Z.of_int 20_000) (snd (Signs.enclose epsilon 0))) in
  let more = max 0 (size * 3 / 2) in
  let problem, test_gathered, effort, bits = prepared ~more about step epsilon in
  let per_unit = Z.shift_left (Q.num step.unit.rational) bits in
  let plan = { Checks.test_gathered; per_unit; test_delta_bits = Z.of_int bits } in
  let a, b = Prove_closed.parts step.bound in
  let x = Planning.combination problem.context epsilon in
  if not (Checks.check_gridded_test effort problem.checked plan x a b) then reject "not proved"
