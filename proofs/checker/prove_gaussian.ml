(* The rules about Gaussian mechanisms: at which precision the verified checks are to work. *)

open Certificate

let mixed (problem : Planning.problem) subject =
  let level (m : scaled) =
    { Checks.times = m.count; level_above = Q.num m.parameter; level_below = Q.den m.parameter }
  in
  {
    Checks.approximates = problem.checked;
    gaussians = List.map level subject.gaussian;
    concentrates = List.map level subject.concentrated;
  }

(* mu^2; from below rho counts as 2 rho. *)
let square_of subject kind =
  if kind = Upper then square subject else Q.add (square subject) (Q.mul (Q.of_int 2) (rho subject))

(* Terms until v^n/(1 3 5 ... (2n + 1)) is below 2^-bits and 2v <= 2n + 1. *)
let series_terms v bits =
  let rec from n size =
    let odd = float_of_int ((2 * n) + 1) in
    if size < -.bits && 2. *. v < odd then n + 1 else from (n + 1) (size +. Float.log2 (v /. (odd +. 2.)))
  in
  from 0 0.

let largest = 1e6

(* For values of the profile at numbers of at most this size, compared at [coarse] bits. *)
let precision coarse square most =
  let square = Q.to_float square in
  let b = most +. (square /. 2.) in
  let v = b *. b /. square in
  if not (v < largest) then reject "the profile is too far out";
  let further = 64 + int_of_float (0.75 *. v) in
  let fine = coarse + further in
  {
    Checks.coarse = Z.of_int coarse;
    further = Z.of_int further;
    series = series_terms ((v *. 1.01) +. 1.) (float_of_int fine);
    pi_terms = (fine / 6) + 4;
    far = Z.minus_one;
  }

(* The same, where it is bounded beyond mu times the root of 2 ln(2) coarse, or a little more: there
   it is below 2^-coarse. *)
let bounded_precision coarse square most =
  let size = Q.to_float square in
  let far = Float.sqrt (1.5 *. float_of_int (coarse + 16) *. size) +. (size /. 2.) in
  let p = precision coarse square (Float.min most far) in
  let fine = coarse + Z.to_int p.further in
  { p with far = Q.to_bigint (Q.mul (Q.of_float far) (Q.of_bigint (Z.shift_left Z.one fine))) }

let size problem number =
  let scaled = Planning.approximate 64 problem.Planning.checked number in
  Float.abs (Q.to_float (Q.make scaled (Z.shift_left Z.one 64)))

let gaussian subject step =
  let problem = Planning.problem subject [ finite step.bound ] in
  let x = Planning.combination problem.context (finite step.bound) in
  let square = square_of subject step.bound.kind in
  if Q.sign square = 0 then reject "no mu is above 0";
  let precision = precision (Planning.bits_for step.digits + 40) square (size problem x) in
  let a, b = Prove_closed.parts step.bound in
  let check =
    if step.bound.kind = Upper then Checks.check_gaussian_upper else Checks.check_gaussian_lower
  in
  Prove_closed.need problem (fun f -> check f precision (mixed problem subject) x a b)

let count subject =
  let of_scaled entries = Costs.sum_of (fun (m : scaled) -> m.count) entries in
  let pairs = Costs.sum_of (fun (m : mechanism) -> m.count) subject.mechanisms in
  Z.add pairs (Z.add (of_scaled subject.gaussian) (of_scaled subject.concentrated))

let weighing digits most =
  let ten = Z.of_int 10 in
  {
    Checks.mixture_scale = Z.pow ten digits;
    mixture_finer = Z.pow ten (12 + (Z.numbits most * 2 / 3));
  }

(* The sum of all epsilons and the epsilon of the bound. *)
let most_loss problem subject x =
  let loss (m : mechanism) =
    Z.to_float m.count *. size problem (Planning.combination problem.Planning.context m.epsilon)
  in
  List.fold_left (fun sum m -> sum +. loss m) (size problem x) subject.mechanisms

let mixture subject step =
  let problem = Planning.problem subject [ finite step.bound ] in
  let x = Planning.combination problem.context (finite step.bound) in
  let square = square_of subject step.bound.kind in
  if Q.sign square = 0 then reject "no mu is above 0";
  let most = most_loss problem subject x in
  let coarse = Planning.bits_for step.digits + 40 + (2 * Z.numbits (count subject)) in
  let precision = bounded_precision coarse square most in
  let weighing = weighing step.digits (count subject) in
  let a, b = Prove_closed.parts step.bound in
  let check =
    if step.bound.kind = Upper then Checks.check_gaussian_mixture_upper
    else Checks.check_gaussian_mixture_lower
  in
  Prove_closed.need problem (fun f -> check f precision weighing (mixed problem subject) x a b)

(* --- gaussian-mesh --- *)

let given_by_pairs subject = { subject with gaussian = []; concentrated = [] }

let mesh_lower subject step square =
  let { Prove_grid.problem; effort; plan } = Prove_grid.prepare subject step [] in
  let x = Planning.combination problem.context (finite step.bound) in
  let coarse = Z.to_int plan.delta_bits in
  let precision = bounded_precision coarse square (most_loss problem subject x) in
  let a, b = Prove_closed.parts step.bound in
  if not (Checks.check_gaussian_mesh_lower effort precision (mixed problem subject) plan x a b) then
    reject "not proved"

let mesh_precision problem subject (step : step) square (plan : Checks.mesh_plan) x =
  let unit = Q.to_float step.unit.rational in
  let leaves = float_of_int (List.length plan.gathered.shape) in
  let most = most_loss problem subject x +. (unit *. leaves) in
  let units = Z.numbits (Z.of_float (most /. unit)) in
  bounded_precision (Planning.bits_for step.digits + 40 + (2 * units)) square most

let mesh_upper subject step square =
  let problem, effort, plan, x = Prove_bracket.mesh_plan subject step in
  let precision = mesh_precision problem subject step square plan x in
  let a, b = Prove_closed.parts step.bound in
  if not (Checks.check_gaussian_mesh_upper effort precision (mixed problem subject) plan x a b) then
    reject "not proved"

let mesh subject (step : step) =
  let square = square_of subject step.bound.kind in
  let upward = step.bound.kind = Upper in
  if upward && Q.sign (rho subject) > 0 then reject "mechanisms given by rho have no upper bound";
  if upward then Costs.limit_bracket subject step else Costs.limit_grid subject step;
  match (Q.sign square, upward) with
  | 0, true -> Prove_bracket.connect_the_dots (given_by_pairs subject) step
  | 0, false -> Prove_grid.grid (given_by_pairs subject) step
  | _, true -> mesh_upper subject step square
  | _, false -> mesh_lower subject step square

(* --- zcdp-pair --- *)

(* Those given by rho as one more mechanism, which is (pair, failure)-DP. *)
let pair subject (step : step) =
  let order = { Checks.order_above = Q.num step.alpha; order_below = Q.den step.alpha } in
  let bits = Z.of_int (Planning.bits_for step.digits + 40) in
  let one = Z.shift_left Z.one (Z.to_int bits) in
  let alone = Planning.problem subject [ step.pair ] in
  let at = Planning.combination alone.context step.pair in
  let failure =
    match Checks.pair_failure bits (mixed alone subject) order at with
    | Some (_, high) when Z.lt high one -> Q.make high one
    | _ -> reject "this alpha gives no delta below 1 for the pair"
  in
  let about = Costs.with_pair subject step failure in
  Costs.limit_bracket about step;
  let problem, effort, plan, x = Prove_bracket.mesh_plan about step in
  let at = Planning.combination problem.context step.pair in
  let apart = Planning.checked problem.context subject.mechanisms in
  let apart = mixed { problem with checked = apart } subject in
  let a, b = Prove_closed.parts step.bound in
  let c = Q.num failure and d = Q.den failure in
  let square = square subject in
  let proved =
    if Q.sign square = 0 then
      let m = { apart with gaussians = [] } in
      Checks.check_zcdp_pair_alone effort bits m order at c d plan x a b
    else
      let precision = mesh_precision problem about step square plan x in
      Checks.check_zcdp_pair effort bits apart order at c d precision plan x a b
  in
  if not proved then reject "not proved"

let infeasible subject step =
  if of_pairs subject then Prove_closed.infeasible subject step
  else begin
    if step.bound.at <> None then reject "epsilon is not every";
    let problem = Planning.problem subject [] in
    let a, b = Prove_closed.parts step.bound in
    Prove_closed.need problem (fun f -> Checks.check_infeasible_noise f (mixed problem subject) a b)
  end
