(* The rules about budgets that are spent as one goes: `filter-sum`, `filter-renyi`, and those that
   lead to a ledger. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

let comparing = Z.of_int 1_000_000

(* What the checks see. *)
let checked budget =
  {
    Checks.size_above = Q.num budget.size;
    size_below = Q.den budget.size;
    failing_above = Q.num budget.failing;
    failing_below = Q.den budget.failing;
  }

let need_measure measure budget =
  if budget.measure <> measure then reject "is about a budget of another measure"

(* One mechanism that fails as often as the budget may, if it may. *)
let failing budget =
  let mechanism = { epsilon = Numbers.zero; delta = budget.failing; count = Z.one; positive = false } in
  if Q.sign budget.failing = 0 then [] else [ mechanism ]

(* --- filter-sum and filter-renyi --- *)

let check_sum () bound budget =
  need_measure Epsilon budget;
  let epsilon = finite bound in
  if epsilon.logs <> [] then reject "epsilon is not rational";
  let u, v = Problem.quotient epsilon.rational and a, b = Problem.parts bound in
  Problem.need (Checks.check_filter_sum (checked budget) u v a b)

let check_renyi digits bound budget =
  let alpha =
    match budget.measure with
    | Renyi alpha -> alpha
    | Epsilon | Rho | Mu -> reject "is about a budget of another measure"
  in
  let ledger = { Reading.empty with pairs = failing budget } in
  let epsilon = finite bound in
  let problem = Problem.make ledger.pairs [ epsilon ] in
  let bits = Problem.bits_for digits + Conversions.guard in
  let x = problem.combination epsilon and a, b = Problem.parts bound in
  let effort = Problem.at_least 96 problem and about = Problem.mixed problem ledger in
  Problem.need
    (Checks.check_filter_renyi effort (Z.of_int bits) about (checked budget)
       (Conversions.order_of alpha) x a b)

let cost_of_renyi digits (bound : bound) _ =
  let epsilon = finite bound in
  let longest = max (max Reading.max_bits (Numbers.size_of epsilon)) (Numbers.size bound.delta) in
  let each = Costs.transcendental (digits + Costs.digits_for longest) in
  Z.add comparing (Z.mul (Z.of_int (Numbers.terms_of epsilon + 10)) each)

let filter name theorem =
  axiom ~adaptive:false Budget name (Theorems.name theorem) [ Upper ] [ theorem ]

(* --- what leads to a ledger --- *)

let reduction name carries fields ~require ~stand_in ~check =
  let step parameters =
    let own = Kernel.read fields parameters in
    let cost_of budget = require budget; comparing in
    Reduction (Budget, Ledger, { carries; cost_of; stand_in = stand_in own; check_of = check own })
  in
  { name; step }

let seen ledger = Problem.mixed (Problem.make ~as_read:true ledger.pairs []) ledger

(* All of the budget at once, as a ledger that [whole] makes of it. *)
let at_once name measure whole check =
  let stand_in () budget = whole (failing budget) { parameter = budget.size; times = Z.one } in
  let check () budget ledger = Problem.need (check (seen ledger) (checked budget)) in
  reduction name Upper Kernel.nothing ~require:(need_measure measure) ~stand_in ~check

let max_entries = 16

let spends value =
  let ledger = Reading.ledger (Json.list value) in
  if Costs.(entries ledger) > max_entries then fail "too many entries";
  let short size = if size > Reading.max_bits then fail "an entry has too long a number" in
  let scaled = List.append ledger.gaussian ledger.concentrated in
  List.iter (fun m -> short (Numbers.size m.parameter)) scaled;
  List.iter (fun (m : pair) -> short (max (Numbers.size_of m.epsilon) (Numbers.size m.delta))) ledger.pairs;
  ledger

let counting = function
  | Epsilon -> Checks.CountsEpsilon
  | Rho -> Checks.CountsRho
  | Renyi alpha -> Checks.CountsRenyi (Conversions.order_of alpha)
  | Mu -> Checks.CountsMu

let check_spends _ budget ledger =
  if List.exists (fun (m : pair) -> m.epsilon.logs <> []) ledger.pairs then
    reject "an epsilon is not rational";
  let count = counting budget.measure and about = seen ledger and budget = checked budget in
  Problem.try_harder ~efforts:[ 96 ] (fun f -> Checks.check_fixed_spends f count about budget)

let rules =
  [
    filter "filter-sum" Theorems.filter_of_epsilon Kernel.nothing
      ~cost:(fun () _ _ -> comparing)
      ~check:check_sum;
    filter "filter-renyi" Theorems.filter_of_renyi digits ~cost:cost_of_renyi ~check:check_renyi;
    at_once "filter-concentrated" Rho
      (fun pairs all -> { Reading.empty with pairs; concentrated = [ all ] })
      Checks.check_filter_concentrated;
    at_once "filter-gaussian" Mu
      (fun pairs all -> { Reading.empty with pairs; gaussian = [ all ] })
      Checks.check_filter_gaussian;
    reduction "fixed-spends" Lower (field "mechanisms" spends) ~require:ignore
      ~stand_in:(fun ledger _ -> ledger)
      ~check:check_spends;
  ]
