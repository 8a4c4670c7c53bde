(* The rules with closed conditions: `vacuous`, `sum` and `infeasible`. *)

open Lists
open Outcome
open Subjects
open Parameters

let failures pairs = List.map (fun (m : pair) -> (m.delta, m.count)) pairs

(* Whether Delta is at least 0, or exactly, for which powers are compared. *)
let sign_of_delta pairs (bound : bound) = Signs.sign_of_delta (failures pairs) bound.delta

(* The greatest size of the numbers whose signs are asked for (SPEC, sigma and tau). *)
let greatest_size pairs (bound : bound) =
  let of_delta d = (2 * Numbers.size d) + 8 in
  let of_pair (m : pair) = max (Numbers.size_of m.epsilon) (of_delta m.delta) in
  List.fold_left (fun most m -> max most (of_pair m)) (of_delta bound.delta) pairs

let vacuous =
  let check () bound ledger =
    let problem = Problem.make ~as_read:true ledger.pairs (Option.to_list bound.at) in
    Problem.(suggest_harder (of_reading problem)) problem Checks.Vacuous
  in
  of_ledger "vacuous" ~theorem:Theorems.definition [ Upper ] Theorems.by_definition Kernel.nothing ~check
    ~cost:(fun () _ _ -> Z.one)

(* The sign of epsilon less the sum of all. *)
let excess pairs epsilon =
  Signs.sign_of_sum ((Z.one, epsilon) :: List.map (fun (m : pair) -> (Z.neg m.count, m.epsilon)) pairs)

let check_sum (bound : bound) pairs =
  let epsilon = finite bound in
  let upward = bound.kind = Upper in
  if excess pairs epsilon >= 0 <> upward then reject "epsilon is on the other side of the sum";
  let slack = sign_of_delta pairs bound in
  if if upward then slack < 0 else slack > 0 then reject "delta is too small, or too large";
  let problem = Problem.make pairs [ epsilon ] in
  let efforts = Problem.for_signs (max (Numbers.size_of epsilon) (greatest_size pairs bound)) in
  Problem.suggest_harder ~ties:(slack = 0) efforts problem Checks.Sum

(* What it costs to compare epsilon with the sum, and the deltas. *)
let cost_of_signs (bound : bound) pairs =
  let numbers = List.append (Option.to_list bound.at) (Costs.epsilons pairs) in
  Z.add (Costs.sign_of numbers) (Costs.sign_of_delta pairs bound)

let sum =
  let cost () bound pairs =
    Z.add (Costs.per_entry (List.length pairs)) (cost_of_signs bound pairs)
  in
  of_pairs "sum" either Kernel.nothing ~cost ~check:(fun () -> check_sum)

(* For every epsilon. *)
let check_infeasible (bound : bound) ledger =
  let noise = noisy ledger.gaussian || noisy ledger.concentrated in
  let slack = sign_of_delta ledger.pairs bound in
  if slack > if noise then 0 else -1 then reject "delta is feasible";
  let problem = Problem.make ~as_read:true ledger.pairs (Option.to_list bound.at) in
  let enough = Problem.for_signs (greatest_size ledger.pairs bound) in
  let efforts = Problem.of_reading ~enough problem in
  Problem.suggest_harder ~ties:(slack = 0) efforts problem
    (if noise then Checks.InfeasibleNoise else Infeasible)

let infeasible =
  let check () (bound : bound) ledger =
    if bound.at <> None then reject "epsilon is not every";
    check_infeasible bound ledger
  in
  let cost () bound ledger =
    Z.add (Costs.per_entry (entries ledger)) (Costs.sign_of_delta ledger.pairs bound)
  in
  of_ledger "infeasible" [ Lower ] [] Kernel.nothing ~cost ~check

let rules = [ vacuous; sum; infeasible ]
