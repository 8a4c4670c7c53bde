(* The rules about budgets that are spent as one goes: `filter-sum`, `filter-renyi`, and those that
   lead to a ledger. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

let comparing = Z.of_int 1_000_000

let propose hint = [ Checks.AboutBudget hint ]

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
  propose Checks.SumsUp

let check_renyi digits bound budget =
  (match budget.measure with
  | Renyi _ -> ()
  | Epsilon | Rho | Mu -> reject "is about a budget of another measure");
  let ledger = { Reading.empty with pairs = failing budget } in
  let epsilon = finite bound in
  let problem = Problem.make ledger.pairs [ epsilon ] in
  let bits = Z.of_int (Problem.bits_for digits + Conversions.guard) in
  let effort = Problem.at_least 96 problem in
  propose (Checks.OfOneOrder (effort, problem.numbering, to_checked ledger, bits))

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

let numbering ledger = (Problem.make ~as_read:true ledger.pairs []).numbering

(* All of the budget at once, as a ledger that [whole] makes of it. *)
let at_once name measure whole =
  let stand_in () budget = whole (failing budget) { parameter = budget.size; times = Z.one } in
  let check () _ ledger =
    let at_once hints = Checks.AtOnce (numbering ledger, to_checked ledger, hints) in
    (ledger, Kernel.of_hints (fun hints -> propose (at_once hints)))
  in
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

let check_spends _ _ ledger =
  if List.exists (fun (m : pair) -> m.epsilon.logs <> []) ledger.pairs then
    reject "an epsilon is not rational";
  let efforts = [ Problem.effort 96 ] and numbering = numbering ledger in
  let spends hints = Checks.FixedSpends (efforts, numbering, to_checked ledger, hints) in
  (ledger, Kernel.of_hints (fun hints -> propose (spends hints)))

let rules =
  [
    filter "filter-sum" Theorems.filter_of_epsilon Kernel.nothing
      ~cost:(fun () _ _ -> comparing)
      ~check:check_sum;
    filter "filter-renyi" Theorems.filter_of_renyi digits ~cost:cost_of_renyi ~check:check_renyi;
    at_once "filter-concentrated" Rho
      (fun pairs all -> { Reading.empty with pairs; concentrated = [ all ] });
    at_once "filter-gaussian" Mu
      (fun pairs all -> { Reading.empty with pairs; gaussian = [ all ] });
    reduction "fixed-spends" Lower (field "mechanisms" spends) ~require:ignore
      ~stand_in:(fun ledger _ -> ledger)
      ~check:check_spends;
  ]
