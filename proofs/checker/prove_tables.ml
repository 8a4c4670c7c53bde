(* The rules with tables that are not on a grid: `rational-odds` and `lattice`. *)

open Certificate

let effort bits = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = true }
let parts (bound : bound) = (Q.num bound.delta, Q.den bound.delta)

let rational_odds about (step : step) =
  let epsilon = finite step.bound in
  let problem = Planning.problem about [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  let check =
    if step.bound.kind = Upper then Checks.check_rational_odds_upper
    else Checks.check_rational_odds_lower
  in
  let a, b = parts step.bound in
  let effort = effort (Planning.bits_for step.digits + 40) in
  if not (check effort problem.checked step.sums x a b) then reject "not proved"

(* Each ratio of the table over a coprime basis, within the limits of SPEC 6.4. *)
let basis_of ratios =
  let bits = List.fold_left (fun total r -> total + Numbers.size r) 0 ratios in
  if List.length ratios > Signs.max_tie_logs || bits > Signs.max_tie_bits then
    reject "too many logarithms to compare exactly";
  let basis = Signs.coprime_basis (List.concat_map (fun r -> [ Q.num r; Q.den r ]) ratios) in
  let exponent r p = Z.of_int (snd (Z.remove (Q.num r) p) - snd (Z.remove (Q.den r) p)) in
  (basis, List.map (fun r -> List.map (exponent r) basis) ratios)

let lattice about (step : step) =
  let epsilon = finite step.bound in
  let problem = Planning.problem about [ epsilon ] in
  let basis, exponents = basis_of (snd problem.context) in
  let key (m : mechanism) =
    let c, ks = Planning.combination problem.context m.epsilon in
    let add key (k, row) = List.map2 (fun x e -> Z.add x (Z.mul k e)) key row in
    c :: List.fold_left add (List.map (fun _ -> Z.zero) basis) (List.combine ks exponents)
  in
  let add total (m : mechanism) = List.map2 (fun t x -> Z.add t (Z.mul m.count x)) total (key m) in
  let total = List.fold_left add (Z.zero :: List.map (fun _ -> Z.zero) basis) about.mechanisms in
  let longest = List.fold_left (fun most t -> max most (Z.numbits t)) 0 total in
  let most = List.fold_left (fun t (m : mechanism) -> Z.max t m.count) Z.one about.mechanisms in
  let finer = 12 + (Z.numbits most * 2 / 3) in
  let ten = Z.of_int 10 in
  let plan =
    {
      Checks.basis;
      exponents;
      weight_scale = Z.pow ten step.digits;
      block_finer = Z.pow ten finer;
      slack_bits = Z.of_int (Planning.bits_for step.digits + 40 + (2 * longest));
      most_sums = step.sums;
    }
  in
  let bits = Planning.bits_for (step.digits + finer) + 60 + (2 * longest) in
  let check =
    if step.bound.kind = Upper then Checks.check_lattice_upper else Checks.check_lattice_lower
  in
  let a, b = parts step.bound in
  let x = Planning.combination problem.context epsilon in
  if not (check (effort bits) problem.checked plan x a b) then reject "not proved"
