(* The reductions of workloads: `overlap-witness` and `parallel-colouring`.

   The checks see the queries in their order, the row or the classes, and the ledger concluded. *)

open Certificate

let not_pairs _ = raise (Unsupported "workloads with mu or rho")

(* The one mechanism of a query. *)
let mechanism (query : query) =
  match query.parameters.mechanisms with [ m ] -> m | _ -> not_pairs query

(* The ledger and the workload for the verified checks. *)
let problem (step : reduction) ledger =
  let queries = Array.to_list step.workload.queries in
  let mechanisms = List.map mechanism queries in
  let problem = Planning.problem ledger (List.map (fun (m : mechanism) -> m.epsilon) mechanisms) in
  let { Checks.entries; _ } = Planning.checked problem.context mechanisms in
  let query (query : query) privacy = { Checks.privacy; clauses = query.where } in
  let sizes = Array.to_list step.workload.sizes in
  (problem, { Checks.sizes; queries = List.map2 query queries entries })

let overlap_witness (step : reduction) ledger =
  let problem, workload = problem step ledger in
  let value attribute _ = Option.value (List.assoc_opt attribute step.row) ~default:Z.zero in
  let row = List.mapi value workload.sizes in
  Prove_closed.need problem (fun f -> Checks.check_overlap_witness f problem.checked workload row)

(* The number of each query's class; classes are numbered in the order of the ledger. *)
let numbers (step : reduction) =
  let queries = step.workload.queries in
  let numbers = Array.make (Array.length queries) (List.length step.colours) in
  let with_greatest colour = (Workload.greatest_of (List.map (Array.get queries) colour), colour) in
  let place number (_, colour) =
    let put query =
      if numbers.(query) < number then reject "a query is in two colours";
      numbers.(query) <- number
    in
    List.iter put colour
  in
  List.iteri place (List.stable_sort compare (List.map with_greatest step.colours));
  Array.to_list numbers

let parallel_colouring (step : reduction) ledger =
  let problem, workload = problem step ledger in
  let numbers = numbers step in
  Prove_closed.need problem (fun f ->
      Checks.check_parallel_colouring f problem.checked workload numbers)
