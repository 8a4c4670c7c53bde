(* The rules with tables that are not on a grid: `rational-odds`. *)

open Certificate

let effort bits = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = true }

let rational_odds about (step : step) =
  let epsilon = finite step.bound in
  let problem = Planning.problem about [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  let check =
    if step.bound.kind = Upper then Checks.check_rational_odds_upper
    else Checks.check_rational_odds_lower
  in
  let a = Q.num step.bound.delta and b = Q.den step.bound.delta in
  let bits = Planning.bits_for step.digits + 40 in
  if not (check (effort bits) problem.checked step.sums x a b) then reject "not proved"
