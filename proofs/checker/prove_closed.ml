(* The rules with closed conditions: `vacuous`, `sum` and `infeasible`. *)

open Certificate

(* Whether the check goes through with one of the efforts. *)
let need (problem : Planning.problem) check =
  if not (List.exists check problem.efforts) then reject "not proved"

let parts (bound : bound) = (Q.num bound.delta, Q.den bound.delta)

let vacuous subject step =
  let problem = Planning.problem { subject with gaussian = []; concentrated = [] } [] in
  let a, b = parts step.bound in
  need problem (fun f -> Checks.check_vacuous f problem.checked a b)

let sum subject step =
  let epsilon = finite step.bound in
  let problem = Planning.problem subject [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  let a, b = parts step.bound in
  let check =
    if step.bound.kind = Upper then Checks.check_sum_upper else Checks.check_sum_lower
  in
  need problem (fun f -> check f problem.checked x a b)

let infeasible subject step =
  if step.bound.at <> None then reject "epsilon is not every";
  let problem = Planning.problem subject [] in
  let a, b = parts step.bound in
  need problem (fun f -> Checks.check_infeasible f problem.checked a b)
