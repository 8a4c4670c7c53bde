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
    series = series_terms (v +. 1.) (float_of_int fine);
    pi_terms = (fine / 6) + 4;
  }

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

let mixture subject step =
  let problem = Planning.problem subject [ finite step.bound ] in
  let combination = Planning.combination problem.context in
  let x = combination (finite step.bound) in
  let square = square_of subject step.bound.kind in
  if Q.sign square = 0 then reject "no mu is above 0";
  let loss (m : mechanism) = Z.to_float m.count *. size problem (combination m.epsilon) in
  let most = List.fold_left (fun sum m -> sum +. loss m) (size problem x) subject.mechanisms in
  let coarse = Planning.bits_for step.digits + 40 + (2 * Z.numbits (count subject)) in
  let precision = precision coarse square most in
  let weighing = weighing step.digits (count subject) in
  let a, b = Prove_closed.parts step.bound in
  let check =
    if step.bound.kind = Upper then Checks.check_gaussian_mixture_upper
    else Checks.check_gaussian_mixture_lower
  in
  Prove_closed.need problem (fun f -> check f precision weighing (mixed problem subject) x a b)

let infeasible subject step =
  if of_pairs subject then Prove_closed.infeasible subject step
  else begin
    if step.bound.at <> None then reject "epsilon is not every";
    let problem = Planning.problem subject [] in
    let a, b = Prove_closed.parts step.bound in
    Prove_closed.need problem (fun f -> Checks.check_infeasible_noise f (mixed problem subject) a b)
  end
