(* Which theorem a statement may rest on (SPEC, sections 3 and 12). *)

open Lists
open Subjects

let definition = "definition"
let murtagh_vadhan = "murtagh-vadhan-2018-theorem-1.5"
let vadhan_wang_basic = "vadhan-wang-2021-theorem-4.1"

(* A theorem by which bounds carry over to an interaction that gives an adversary more freedom: to one
   that interleaves, and the ledgers that it is about; or to one that spends a budget as it goes. *)
type interleaving =
  | Of_ledgers of string * (ledger -> bool)
  | Of_budgets of string * (measure -> bool)

let only_pairs ledger = not (noisy ledger.gaussian || noisy ledger.concentrated)

let vadhan_wang =
  Of_ledgers ("vadhan-wang-2021-theorem-5.4", fun ledger -> only_pairs ledger && lossless ledger)

let lyu = Of_ledgers ("lyu-2022-approximate-dp", only_pairs)
let lyu_renyi = Of_ledgers ("lyu-2022-renyi-dp", lossless)

let vadhan_zhang =
  Of_ledgers ("vadhan-zhang-2023-f-dp", fun ledger -> not (noisy ledger.concentrated))

let filter_of_epsilon = Of_budgets ("rogers-roth-ullman-vadhan-2016-basic-filter", ( = ) Epsilon)
let filter_of_rho = Of_budgets ("whitehouse-ramdas-rogers-wu-2023-zcdp-filter", ( = ) Rho)
let filter_of_mu = Of_budgets ("koskela-tobaben-honkela-2023-gdp-filter", ( = ) Mu)

let filter_of_renyi =
  let covers = function Renyi _ -> true | Epsilon | Rho | Mu -> false in
  Of_budgets ("feldman-zrnic-2021-renyi-filter", covers)

let name = function Of_ledgers (name, _) | Of_budgets (name, _) -> name

(* What carries over a rule about mechanisms given by (epsilon, delta), about privacy profiles, about
   Renyi divergences; and one that needs nothing. *)
let approximate = [ vadhan_wang; lyu; vadhan_zhang ]
let of_profiles = [ vadhan_zhang; filter_of_mu ]
let of_renyi_divergences = [ lyu_renyi; filter_of_rho ]
let by_definition = [ Of_ledgers (definition, fun _ -> true) ]

(* The theorems that a statement may name: the rule's own, which is of adaptive composition unless
   [adaptive] is false; or those that carry it over to another interaction. *)
let permitted ~adaptive theorem interleaved kind statement =
  let carries theorem =
    match (theorem, statement.interaction, statement.about) with
    | Of_ledgers (_, covers), Concurrent, About (Ledger, ledger) -> covers ledger
    | Of_ledgers _, Concurrent, About (Trees, _) -> true
    | Of_budgets (_, covers), Fully_adaptive, About (Budget, budget) -> covers budget.measure
    | (Of_ledgers _ | Of_budgets _), _, _ -> false
  in
  match (kind, statement.interaction) with
  | (Lower | Underivable), _ -> [ theorem ]
  | Upper, Adaptive -> if adaptive then [ theorem ] else []
  | Upper, (Concurrent | Fully_adaptive) -> List.map name (List.filter carries interleaved)
