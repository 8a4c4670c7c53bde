(* The rules about budgets that are spent as one goes and lead to a ledger. *)

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
    at_once "filter-concentrated" Rho
      (fun pairs all -> { Reading.empty with pairs; concentrated = [ all ] });
    at_once "filter-gaussian" Mu
      (fun pairs all -> { Reading.empty with pairs; gaussian = [ all ] });
    reduction "fixed-spends" Lower (field "mechanisms" spends) ~require:ignore
      ~stand_in:(fun ledger _ -> ledger)
      ~check:check_spends;
  ]
