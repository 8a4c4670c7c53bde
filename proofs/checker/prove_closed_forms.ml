(* The rules for closed forms: with how many bits, and which multiple of the only epsilon. *)

open Certificate

let count (subject : subject) = Costs.sum_of (fun (m : mechanism) -> m.count) subject.mechanisms

(* Twice as fine as the digits, for what is small loses half of its digits under a root. *)
let effort (problem : Planning.problem) subject (step : step) =
  let bits = (2 * Planning.bits_for step.digits) + 40 + (2 * Z.numbits (count subject)) in
  { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = problem.ties }

let need proved = if not proved then reject "epsilon is not proved to be at least the bound"

let advanced_composition subject step =
  let epsilon = finite step.bound in
  let problem = Planning.problem subject [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  if subject.mechanisms = [] then reject "there are no mechanisms";
  let greatest d (m : mechanism) = if Q.gt m.delta d then m.delta else d in
  let d = List.fold_left greatest Q.zero subject.mechanisms in
  let a, b = Prove_closed.parts step.bound in
  let effort = effort problem subject step in
  need (Checks.check_advanced_composition effort problem.checked x (Q.num d) (Q.den d) a b)

let proved check (problem : Planning.problem) = List.exists check problem.efforts

let kairouz_oh_viswanath subject step =
  let epsilon = finite step.bound in
  let problem = Planning.problem subject [ epsilon ] in
  let x = Planning.combination problem.context epsilon in
  let a, b = Prove_closed.parts step.bound in
  if not (proved (fun f -> Checks.check_sum_upper f problem.checked x a b) problem) then
    need (Checks.check_kairouz_oh_viswanath (effort problem subject step) problem.checked x a b)

let need_one_entry subject =
  match subject.mechanisms with
  | [ m ] -> m
  | _ -> reject "the mechanisms do not all have the same parameters"

let kairouz_oh_viswanath_homogeneous subject step =
  ignore (need_one_entry subject);
  kairouz_oh_viswanath subject step

(* Where epsilon is below the sum: D at the greatest (k - 2i) times the only epsilon below it. *)
let murtagh_vadhan subject step =
  let m = need_one_entry subject in
  let epsilon = finite step.bound in
  let below_sum = [ (Q.one, epsilon); (Q.neg (Q.of_bigint m.count), m.epsilon) ] in
  if Signs.sign (Numbers.linear below_sum) >= 0 then Prove_closed.sum subject step
  else begin
    let above, exact = Signs.ceil_quotient epsilon m.epsilon in
    let multiple = if exact then above else Z.pred above in
    let multiple = Z.sub multiple (Z.erem (Z.sub m.count multiple) (Z.of_int 2)) in
    if Z.sign multiple < 0 then reject "epsilon is below every (k - 2i) times that of a mechanism";
    let at = Numbers.linear [ (Q.of_bigint multiple, m.epsilon) ] in
    let on_grid = Costs.on_its_grid subject { step with bound = { step.bound with at = Some at } } in
    Costs.limit_grid subject on_grid;
    let prepared = Prove_grid.prepare subject on_grid [ epsilon ] in
    let x = Planning.combination prepared.problem.context epsilon in
    let a, b = Prove_closed.parts step.bound in
    need
      (Checks.check_murtagh_vadhan prepared.effort prepared.problem.checked prepared.plan multiple x
         a b)
  end
