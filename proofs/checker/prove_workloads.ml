(* The reductions of workloads: `overlap-witness` and `parallel-colouring`.

   The checks see the queries in their order, the row or the classes, and the ledger concluded.
   Workloads given by epsilon and delta alone have checks of their own, which assume less. *)

open Certificate

(* The ledger for the verified checks, over a table that the queries' numbers share; the queries of
   a workload with parameters as a check wants them. *)
let problem (step : reduction) ledger =
  let pairs = List.concat_map (fun q -> q.parameters.mechanisms) (Array.to_list step.workload.queries) in
  Planning.problem ledger (List.map (fun (m : mechanism) -> m.epsilon) pairs)

let workload (step : reduction) parameters =
  let query (q : query) = { Checks.privacy = parameters q.parameters; clauses = q.where } in
  {
    Checks.sizes = Array.to_list step.workload.sizes;
    queries = List.map query (Array.to_list step.workload.queries);
  }

let all_pairs (step : reduction) =
  Array.for_all (fun (q : query) -> q.parameters.mechanisms <> []) step.workload.queries

let entry (problem : Planning.problem) mechanisms =
  List.hd (Planning.checked problem.context mechanisms).entries

let parameter problem subject =
  match Prove_gaussian.mixed problem subject with
  | { gaussians = [ level ]; _ } -> Checks.ByMu level
  | { concentrates = [ level ]; _ } -> Checks.ByRho level
  | _ -> Checks.ByPair (entry problem subject.mechanisms)

let overlap_witness (step : reduction) ledger =
  let problem = problem step ledger in
  let value attribute _ = Option.value (List.assoc_opt attribute step.row) ~default:Z.zero in
  let row = List.mapi value (Array.to_list step.workload.sizes) in
  if all_pairs step then
    let workload = workload step (fun subject -> entry problem subject.mechanisms) in
    Prove_closed.need problem (fun f -> Checks.check_overlap_witness f problem.checked workload row)
  else
    let workload = workload step (parameter problem) and ledger = Prove_gaussian.mixed problem ledger in
    Prove_closed.need problem (fun f -> Checks.check_overlap_witness_of f ledger workload row)

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
  let problem = problem step ledger in
  let numbers = numbers step in
  if all_pairs step then
    let workload = workload step (fun subject -> entry problem subject.mechanisms) in
    Prove_closed.need problem (fun f ->
        Checks.check_parallel_colouring f problem.checked workload numbers)
  else
    let workload = workload step (parameter problem) and ledger = Prove_gaussian.mixed problem ledger in
    Prove_closed.need problem (fun f -> Checks.check_parallel_colouring_of f ledger workload numbers)
