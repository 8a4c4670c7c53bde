(* Which theorem a statement may rest on (SPEC, section 3). *)

open Lists
open Subjects

let definition = "definition"
let murtagh_vadhan = "murtagh-vadhan-2018-theorem-1.5"
let vadhan_wang_basic = "vadhan-wang-2021-theorem-4.1"

(* A theorem by which interleaving gains an adversary nothing, and the mechanisms that it is about. *)
type interleaving = string * (ledger -> bool)

let only_pairs ledger = not (noisy ledger.gaussian || noisy ledger.concentrated)

let vadhan_wang : interleaving =
  ("vadhan-wang-2021-theorem-5.4", fun ledger -> only_pairs ledger && lossless ledger)

let lyu : interleaving = ("lyu-2022-approximate-dp", only_pairs)
let lyu_renyi : interleaving = ("lyu-2022-renyi-dp", lossless)

let vadhan_zhang : interleaving =
  ("vadhan-zhang-2023-f-dp", fun ledger -> not (noisy ledger.concentrated))

(* What carries over a rule about mechanisms given by (epsilon, delta), about privacy profiles, about
   Renyi divergences; and one that needs nothing. *)
let approximate = [ vadhan_wang; lyu; vadhan_zhang ]
let of_profiles = [ vadhan_zhang ]
let of_renyi_divergences = [ lyu_renyi ]
let by_definition : interleaving list = [ (definition, fun _ -> true) ]

(* The theorems that a statement may name: the rule's own, which is of adaptive composition unless
   [adaptive] is false; or those that carry it over to concurrent composition. *)
let permitted ~adaptive theorem interleaved kind statement =
  let those covering = List.map fst (List.filter (fun (_, covers) -> covering covers) interleaved) in
  match (kind, statement.interaction, statement.about) with
  | (Lower | Underivable), _, _ -> [ theorem ]
  | Upper, Adaptive, _ -> if adaptive then [ theorem ] else []
  | Upper, Concurrent, About (Ledger, ledger) -> those (fun covers -> covers (ledger : ledger))
  | Upper, Concurrent, About (Trees, _) -> those (fun _ -> true)
  | Upper, Concurrent, About (Workload, _) -> []
