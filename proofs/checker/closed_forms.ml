(* The rules for closed forms: with how many bits, and which multiple of the only epsilon. *)

open Lists
open Outcome
open Subjects
open Parameters

(* Twice as fine as the digits, for what is small loses half of its digits under a root. *)
let effort problem pairs digits =
  Problem.at_least ((2 * Problem.bits_for digits) + 40 + (2 * Z.numbits (count_of pairs))) problem

let cost digits bound pairs =
  let open Costs in
  let ledger = pairs_alone pairs in
  let finer = finer digits none ledger bound in
  per_entry (List.length pairs)
  + ((to_enclose none pairs bound + int 4) * transcendental (Stdlib.( * ) 2 finer))
  + for_failures finer ledger

let cost_with_signs digits bound pairs =
  Z.add (cost digits bound pairs) (Closed.cost_of_signs bound pairs)

let advanced_composition digits bound pairs =
  let epsilon = finite bound in
  if pairs = [] then reject "there are no mechanisms";
  let problem = Problem.make pairs [ epsilon ] in
  let greatest d (m : pair) = if Q.gt m.delta d then m.delta else d in
  let d = List.fold_left greatest Q.zero pairs in
  Problem.suggest problem (effort problem pairs digits) (Checks.Advanced (Q.num d, Q.den d))

let kairouz_oh_viswanath digits bound pairs =
  let epsilon = finite bound in
  if Closed.sign_of_delta pairs bound < 0 then reject "delta is too small";
  if Closed.excess pairs epsilon >= 0 then Closed.check_sum bound pairs
  else
    let problem = Problem.make pairs [ epsilon ] in
    Problem.suggest problem (effort problem pairs digits) Checks.Kairouz

let only = function
  | [ m ] -> m
  | _ -> reject "the mechanisms do not all have the same parameters"

let homogeneous digits bound pairs =
  ignore (only pairs);
  kairouz_oh_viswanath digits bound pairs

(* Where epsilon is below the sum: D at the greatest (k - 2i) times the only epsilon below it. *)
let murtagh_vadhan digits bound pairs =
  let m = only pairs in
  let epsilon = finite bound in
  if Closed.excess pairs epsilon >= 0 then Closed.check_sum bound pairs
  else begin
    let above, exact = Signs.ceil_quotient epsilon m.epsilon in
    let multiple = if exact then above else Z.pred above in
    let multiple = Z.sub multiple (Z.erem (Z.sub m.count multiple) (Z.of_int 2)) in
    if Z.sign multiple < 0 then reject "epsilon is below every (k - 2i) times that of a mechanism";
    let at = Numbers.linear [ (Q.of_bigint multiple, m.epsilon) ] in
    let on_grid = { Grids.digits; unit = m.epsilon } in
    Costs.limit (Grids.stretch on_grid pairs);
    let prepared = Grids.prepare on_grid { bound with at = Some at } pairs [ epsilon ] in
    Problem.suggest prepared.problem prepared.effort (Checks.Murtagh (prepared.plan, multiple))
  end

(* That of a grid with the only epsilon for its unit, where that is above 0. *)
let cost_of_murtagh_vadhan digits bound pairs =
  let m = only pairs in
  let ledger = Costs.pairs_alone pairs in
  let grid =
    if m.positive then Grids.cost { Grids.digits; unit = m.epsilon } bound ledger
    else
      let finer = Costs.finer digits Costs.none ledger bound in
      Costs.on_a_grid finer Costs.none ledger bound Z.zero
  in
  Z.add grid (Closed.cost_of_signs bound pairs)

let rules =
  let upper = of_pairs ~interleaved:Theorems.approximate in
  [
    upper "advanced-composition" ~theorem:"dwork-rothblum-vadhan-2010-theorem-3.3" [ Upper ] digits
      ~cost ~check:advanced_composition;
    upper "kairouz-oh-viswanath-homogeneous" ~theorem:"kairouz-oh-viswanath-2015-theorem-3.4"
      [ Upper ] digits ~cost:cost_with_signs ~check:homogeneous;
    upper "kairouz-oh-viswanath-heterogeneous" ~theorem:"kairouz-oh-viswanath-2015-theorem-3.5"
      [ Upper ] digits ~cost:cost_with_signs ~check:kairouz_oh_viswanath;
    upper "murtagh-vadhan-1.4" ~theorem:"murtagh-vadhan-2018-theorem-1.4" [ Upper ] digits
      ~cost:cost_of_murtagh_vadhan ~check:murtagh_vadhan;
  ]
