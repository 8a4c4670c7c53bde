(* Which theorem a statement may rest on (SPEC, section 3). *)

open Certificate

let definition = "definition"
let murtagh_vadhan = "murtagh-vadhan-2018-theorem-1.5"
let vadhan_wang_basic = "vadhan-wang-2021-theorem-4.1"
let vadhan_wang = "vadhan-wang-2021-theorem-5.4"
let lyu = "lyu-2022-approximate-dp"
let lyu_renyi = "lyu-2022-renyi-dp"
let vadhan_zhang = "vadhan-zhang-2023-f-dp"

(* What carries over a rule about mechanisms given by (epsilon, delta), about privacy profiles, and
   about Renyi divergences. *)
let approximate = [ vadhan_wang; lyu; vadhan_zhang ]
let of_profiles = [ vadhan_zhang ]
let of_renyi_divergences = [ lyu_renyi ]

let lossless subject =
  List.for_all (fun (m : mechanism) -> Q.sign m.delta = 0) subject.mechanisms

(* Whether a theorem is about these mechanisms. *)
let covers theorem subject =
  if theorem = vadhan_wang then of_pairs subject && lossless subject
  else if theorem = lyu then of_pairs subject
  else if theorem = lyu_renyi then lossless subject
  else if theorem = vadhan_zhang then Q.sign (rho subject) = 0
  else true

(* The theorems that a statement may name, by the theorem of its rule and what carries it over. *)
let permitted theorem interleaved statement =
  match (statement.stated.kind, statement.interaction, statement.about) with
  | (Lower | Underivable), _, _ -> [ theorem ]
  | Upper, "adaptive", _ -> if theorem = vadhan_wang_basic then [] else [ theorem ]
  | Upper, _, Queries _ -> []
  | Upper, _, Mechanisms subject -> List.filter (fun name -> covers name subject) interleaved
