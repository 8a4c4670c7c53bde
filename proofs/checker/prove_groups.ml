(* The rules `concurrent-basic`, `group-privacy` and `group-mechanisms`: how fine the verified checks
   are to compute, their bounds of exponentials, and an order of the mechanisms. *)

open Certificate

(* Bits that are as fine as the digits, for up to [count] factors. *)
let precision step count = Planning.bits_for step.digits + 40 + (2 * Z.numbits count)

(* How hard the check is to try, so that an exponential has that precision in spite of the greatest
   coefficient, and a sum of quantities as small as 2^-small too. *)
let effort (problem : Planning.problem) precision small =
  let denominator, _ = problem.context in
  let coefficients (e : Checks.entry) = fst e.epsilon :: snd e.epsilon in
  let all = denominator :: List.concat_map coefficients problem.checked.entries in
  let greatest = List.fold_left (fun most c -> max most (Z.numbits c)) 0 all in
  let bits = precision + 40 + greatest + small in
  { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = problem.ties }

let one (effort : Checks.effort) = Z.shift_left Z.one (Z.to_int effort.bits)

(* A little more than 2^bits e^x. *)
let exp_above (problem : Planning.problem) effort precision epsilon =
  if Signs.sign epsilon = 0 then one effort
  else
    let bits = Z.to_int effort.Checks.bits in
    let work = bits + Planning.guard in
    let x = Planning.combination problem.context epsilon in
    let v = Z.max Z.zero (Planning.approximate work problem.checked x) in
    let ln2, _ = Signs.ln2 work in
    let powers = Z.div v ln2 in
    if Z.gt powers (Z.of_int (1 lsl 23)) then reject "an exponential that is too large";
    let rest = Planning.exp_minus bits (Z.sub v (Z.mul powers ln2)) in
    let e = Z.shift_left (Z.div (Z.shift_left Z.one (2 * bits)) rest) (Z.to_int powers) in
    Z.add (Z.succ e) (Z.shift_right e precision)

(* What a sum of powers may be for a failure of delta each. *)
let cap effort delta = Z.add (one effort) (Z.cdiv (Z.mul (Q.den delta) (one effort)) (Q.num delta))

let greatest_cap effort deltas =
  let add most delta = if Q.sign delta = 0 then most else Z.max most (cap effort delta) in
  List.fold_left add Z.zero deltas

let not_more deltas = List.fold_left (fun most d -> max most (Numbers.size d)) 0 deltas

let bound_of problem effort precision (epsilon, delta) =
  if Q.sign delta = 0 then Z.zero else exp_above problem effort precision epsilon

let same_as_premise step =
  match step.given with
  | [ given ] when given.at = step.bound.at && Q.equal given.delta step.bound.delta -> ()
  | _ -> reject "epsilon and delta are not those of the premise"

let group_privacy subject (step : step) =
  if step.bound.kind = Lower then same_as_premise step
  else
    let given = List.hd step.given in
    let epsilon' = finite given and epsilon = finite step.bound in
    let group = step.bound.group in
    let scaled = Numbers.scale (Q.of_bigint group) epsilon' in
    let problem = Planning.problem subject [ epsilon'; epsilon; scaled ] in
    let precision = precision step group in
    let entry = Planning.combination problem.context scaled in
    let small = List.fold_left (fun most c -> max most (Z.numbits c)) 0 (fst entry :: snd entry) in
    let effort = effort problem precision small in
    let bound = bound_of problem effort precision (epsilon', given.delta) in
    let combination = Planning.combination problem.context in
    let cap = greatest_cap effort [ given.delta ] in
    if
      not
        (Checks.check_group_privacy effort problem.checked group cap bound (combination epsilon')
           (Q.num given.delta) (Q.den given.delta) (combination epsilon) (Q.num step.bound.delta)
           (Q.den step.bound.delta))
    then reject "not proved"

let group_mechanisms subject (step : step) =
  same_as_premise step;
  let group = step.bound.group in
  let derived = Groups.of_groups subject step in
  let numbers = List.map (fun (m : mechanism) -> m.epsilon) derived.mechanisms in
  let problem = Planning.problem subject numbers in
  let precision = precision step group in
  let effort = effort problem precision 0 in
  let enlarged (m : mechanism) delta =
    let bound = bound_of problem effort precision (m.epsilon, m.delta) in
    { Checks.above' = Q.num delta; below' = Q.den delta; odds_bound = bound }
  in
  let deltas = List.map (fun (m : mechanism) -> m.delta) subject.mechanisms in
  let larger = List.map2 enlarged subject.mechanisms step.deltas in
  let checked = Planning.checked problem.context derived.mechanisms in
  let cap = greatest_cap effort deltas in
  if not (Checks.check_group_mechanisms effort problem.checked group cap larger checked.entries)
  then reject "not proved"

(* The mechanisms by falling delta/(e^epsilon - 1), those that cannot fail last. *)
let order effort bounded =
  let urgency ((m : mechanism), bound) =
    if Q.sign m.delta = 0 then Q.minus_one
    else if not m.positive then Q.inf
    else Q.div m.delta (Q.make (Z.sub bound (one effort)) (one effort))
  in
  List.stable_sort (fun a b -> Q.compare (urgency b) (urgency a)) bounded

let concurrent_basic subject (step : step) =
  let epsilon = finite step.bound in
  let problem = Planning.problem subject [ epsilon ] in
  let count = Costs.sum_of (fun (m : mechanism) -> m.count) subject.mechanisms in
  let deltas = List.map (fun (m : mechanism) -> m.delta) subject.mechanisms in
  let precision = precision step count in
  let effort = effort problem precision (not_more deltas) in
  let bounded (m : mechanism) = (m, bound_of problem effort precision (m.epsilon, m.delta)) in
  let order = order effort (List.map bounded subject.mechanisms) in
  let entries = Planning.checked problem.context (List.map fst order) in
  let suggested = List.combine entries.entries (List.map snd order) in
  let cap = greatest_cap effort deltas and delta = step.bound.delta in
  let x = Planning.combination problem.context epsilon in
  let a = Q.num delta and b = Q.den delta in
  if not (Checks.check_concurrent_basic effort problem.checked cap suggested x a b) then
    reject "not proved"
