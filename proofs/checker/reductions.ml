(* The reductions of workloads to ledgers: `overlap-witness`, `parallel-colouring` and
   `parallel-case-tree`.

   What is proposed: the ledger concluded, and the row or the classes by which its bounds carry over. *)

open Lists
open Outcome
open Subjects
open Kernel

let satisfies row query =
  let contains value (low, high) = Z.leq low value && Z.lt value high in
  let meets (attribute, ranges) =
    List.exists (contains (Option.value (List.assoc_opt attribute row) ~default:Z.zero)) ranges
  in
  List.for_all meets query.where

(* --- costs --- *)

let size query = List.sum ( + ) 1 (fun (_, ranges) -> 1 + List.length ranges) query.where
let cost workload = Z.of_int (1000 * (1 + Array.fold_left (fun n q -> n + size q) 0 workload.queries))

let size_of_all workload queries = List.sum ( + ) 0 (fun query -> size workload.queries.(query)) queries

let cost_of_pairs colours workload =
  let pairs colour = (List.length colour - 1) * size_of_all workload colour in
  Z.of_int (500 * List.sum ( + ) 0 pairs colours)

let cost_of_colours colours workload = Z.add (cost workload) (cost_of_pairs colours workload)

(* --- what is proposed --- *)

(* That the ledger stands in for the workload, over a basis that the queries' numbers share. *)
let propose workload ledger carried_by =
  let pairs = List.concat_map (fun q -> q.parameters.pairs) (Array.to_list workload.queries) in
  let problem = Problem.make ~as_read:true ledger.pairs (Costs.epsilons pairs) in
  let compared_with = List.map (fun bits -> Problem.effort bits) (Problem.of_reading problem) in
  let written_over = problem.numbering and stands_in = to_checked ledger in
  let carrying hinted =
    { Checks.compared_with; written_over; stands_in; hinted; carried_by }
  in
  (ledger, of_hints (fun hints -> [ Checks.AboutWorkload (carrying hints) ]))

(* --- overlap-witness --- *)

let cell value =
  match Json.texts value with
  | [ number; value ] ->
      (Numbers.small number 0 max_int, Numbers.whole value Z.zero Reading.max_size)
  | _ -> fail "not a pair of attribute and value"

let row value =
  let row = List.map cell (Json.list value) in
  if not (Reading.sorted (fun (a, _) (b, _) -> a < b) row) then
    fail "the attributes of a row are not increasing";
  row

let require_row row workload =
  let in_range (attribute, value) =
    attribute < Array.length workload.sizes && Z.lt value workload.sizes.(attribute)
  in
  if not (List.for_all in_range row) then fail "a value that is not in the domain"

let witnessed row workload =
  let texts (q : query) = if satisfies row q then Some q.texts else None in
  Reading.merged (List.filter_map texts (Array.to_list workload.queries))

(* The check compares each query that the row satisfies with each entry of the ledger: no more of that
   than what a certificate's bytes pay for. *)
let limit_comparisons ledger =
  let arguments (m : pair) = List.map snd m.epsilon.logs in
  let table = List.sort_uniq Q.compare (List.concat_map arguments ledger.pairs) in
  let columns (m : pair) = if m.epsilon.logs = [] then Z.zero else Costs.length table in
  let open Costs in
  let noise = List.append ledger.gaussian ledger.concentrated in
  let hits = sum (fun (m : pair) -> m.count) ledger.pairs + sum (fun m -> m.times) noise in
  let cells = hits + sum (fun (m : pair) -> m.count * columns m) ledger.pairs in
  let entries = length ledger.pairs + length noise in
  if Z.gt (entries * cells) (int (1 lsl 24) + (int 5000 * hits)) then
    reject "too many different parameters to compare"

(* The values of all attributes. *)
let values row workload =
  let value attribute _ = Option.value (List.assoc_opt attribute row) ~default:Z.zero in
  List.mapi value (Array.to_list workload.sizes)

let check_witness row workload ledger =
  limit_comparisons ledger;
  propose workload ledger (Checks.Met (values row workload))

(* --- parallel-colouring --- *)

let increasing value =
  let queries = List.map (fun text -> Numbers.small text 0 max_int) (Json.texts value) in
  if not (Reading.sorted ( < ) queries) then fail "the queries of a colour are not increasing";
  queries

let colour value =
  match increasing value with [] -> fail "a colour is empty" | queries -> queries

(* The first of the greatest. *)
let greatest less = function
  | first :: rest -> List.fold_left (fun most one -> if less most one then one else most) first rest
  | [] -> fail "empty"

(* Each once, in the order of their first. *)
let distinct queries =
  let numbered = List.mapi (fun i (q : query) -> (q.texts, i, q)) queries in
  let first (a, i, _) (b, j, _) = compare (a, i) (b, j) in
  let each found ((texts, _, _) as one) =
    match found with (texts', _, _) :: _ when texts = texts' -> found | _ -> one :: found
  in
  let once = List.fold_left each [] (List.sort first numbered) in
  List.map (fun (_, _, q) -> q) (List.sort (fun (_, i, _) (_, j, _) -> compare i j) once)

(* The greatest epsilon with the greatest delta, or the greatest mu, or rho. *)
let greatest_of (queries : query list) : texts =
  let notion = fst (List.hd queries).texts in
  if List.exists (fun (q : query) -> fst q.texts <> notion) queries then
    reject "the queries of a colour have parameters of different notions";
  let parameters = List.map (fun (q : query) -> q.parameters) (distinct queries) in
  let scaled of_notion =
    let most = greatest Q.lt (List.map (fun m -> m.parameter) (List.concat_map of_notion parameters)) in
    [ Numbers.rational_text most ]
  in
  match notion with
  | 1 -> (notion, scaled (fun p -> p.gaussian))
  | 2 -> (notion, scaled (fun p -> p.concentrated))
  | _ ->
      let pairs = List.concat_map (fun p -> p.pairs) parameters in
      let less x y = Signs.sign (Numbers.sub y x) > 0 in
      let epsilon = greatest less (Costs.epsilons pairs) in
      let delta = greatest Q.lt (List.map (fun (m : pair) -> m.delta) pairs) in
      (notion, [ Numbers.write epsilon; Numbers.rational_text delta ])

let members workload colour = List.map (Array.get workload.queries) colour

let in_range workload colours =
  let is_query number = number < Array.length workload.queries in
  if not (List.for_all (List.for_all is_query) colours) then fail "a query that is not there"

let coloured colours workload =
  Reading.merged (List.map (fun colour -> greatest_of (members workload colour)) colours)

(* The number of each query's class, from the numbers of the positions; or as many as there are. *)
let numbered order colours workload =
  let none = Array.length order in
  let numbers = Array.make (Array.length workload.queries) none in
  let place position colour =
    let put query =
      if numbers.(query) < none then reject "a query is in two colours";
      numbers.(query) <- order.(position)
    in
    List.iter put colour
  in
  List.iteri place colours;
  Array.to_list numbers

(* For classes by their positions, their numbers in the order of the ledger. *)
let order_of_ledger colours workload =
  let with_greatest position colour = (greatest_of (members workload colour), position) in
  let sorted = List.stable_sort compare (List.mapi with_greatest colours) in
  let numbers = Array.make (List.length colours) 0 in
  List.iteri (fun number (_, position) -> numbers.(position) <- number) sorted;
  numbers

(* The check compares the classes of any two queries. *)
let max_queries = 65_536

let check_colouring colours workload ledger =
  if Array.length workload.queries > max_queries then reject "too many queries to compare";
  propose workload ledger
    (Checks.Coloured (numbered (order_of_ledger colours workload) colours workload))

(* --- parallel-case-tree --- *)

type ('split, 'leaf) node = Split of 'split | Leaf of 'leaf

let read_split attribute below =
  let below = Numbers.whole (Json.text below) Z.zero Reading.max_size in
  (Numbers.small (Json.text attribute) 0 max_int, below)

let read_colours value = List.map increasing (Json.list value)

let node = function
  | Json.Object [ ("colours", colours) ] -> Leaf (read_colours colours)
  | value -> (
      match Json.members [ "attribute"; "below" ] value with
      | [ attribute; below ] -> Split (read_split attribute below)
      | _ -> fail "not a node")

let leaves nodes = List.filter_map (function Leaf leaf -> Some leaf | Split _ -> None) nodes

(* The first colours of all leaves joined, the second ones, and so on. *)
let rec by_position leaves =
  match List.filter (( <> ) []) leaves with
  | [] -> []
  | longer -> List.concat_map List.hd longer :: by_position (List.map List.tl longer)

let max_depth = 1000

(* What a tree in depth-first order is, from its leaves on, and the nodes behind it. *)
let rec folded split leaf depth = function
  | [] -> fail "the nodes are not a tree in depth-first order"
  | _ when depth > max_depth -> reject "too deep a tree"
  | Leaf case :: rest -> (leaf case, rest)
  | Split cases :: rest ->
      let low, rest = folded split leaf (depth + 1) rest in
      let high, rest = folded split leaf (depth + 1) rest in
      (split cases low high, rest)

let fold split leaf nodes =
  match folded split leaf 0 nodes with
  | result, [] -> result
  | _ -> fail "the nodes are not one tree in depth-first order"

let splits nodes = fold (fun _ low high -> 1 + max low high) (fun _ -> 0) nodes

(* [colourings]: what a leaf has of them. *)
let read_tree node colourings value =
  let nodes = List.map node (Json.list value) in
  ignore (splits nodes);
  if List.mem [] (by_position (List.concat_map colourings (leaves nodes))) then
    fail "a position that is empty in every leaf";
  nodes

let require_attribute (attribute, _) workload =
  if attribute >= Array.length workload.sizes then fail "an attribute that is not there"

(* [rows]: of how many the queries are asked at each split. *)
let cost_of_nodes ~rows nodes colourings workload =
  let colours = List.filter (( <> ) []) (List.concat_map List.concat (List.map colourings (leaves nodes))) in
  let all = List.init (Array.length workload.queries) Fun.id in
  let asked = rows * size_of_all workload all in
  let listed = List.length nodes + asked + size_of_all workload (List.concat colours) in
  Z.add (Z.mul (Z.of_int (1000 * (1 + splits nodes))) (Z.of_int listed)) (cost_of_pairs colours workload)

let tree = read_tree node (fun colours -> [ colours ])

let cost_of_tree nodes workload =
  let known = function
    | Leaf colours -> in_range workload colours
    | Split cases -> require_attribute cases workload
  in
  List.iter known nodes;
  cost_of_nodes ~rows:1 nodes (fun colours -> [ colours ]) workload

let stand_in_of_tree nodes = coloured (by_position (leaves nodes))

(* The check compares any two queries as often as it is told, at each leaf. *)
let limit_pairs ~times nodes workload =
  let queries = Array.length workload.queries and cases = List.length (leaves nodes) in
  let compared = Z.mul (Z.of_int (times * cases)) (Z.pow (Z.of_int queries) 2) in
  if queries > max_queries || Z.gt compared (Z.pow (Z.of_int max_queries) 2) then
    reject "too many queries to compare"

let check_tree nodes workload ledger =
  limit_pairs ~times:1 nodes workload;
  let order = order_of_ledger (by_position (leaves nodes)) workload in
  let split (attribute, below) low high = Checks.Split (attribute, below, low, high) in
  let leaf colours = Checks.Leaf (numbered order colours workload) in
  propose workload ledger (Checks.ByCases (fold split leaf nodes))

let reduction ?(about = Workload) name carries key read ~cost ~stand_in ~check =
  let step parameters =
    let own = Kernel.read (field key read) parameters in
    let cost_of = cost own and stand_in = stand_in own and check_of = check own in
    Reduction (about, Ledger, { carries; cost_of; stand_in; check_of })
  in
  { name; step }

let rules =
  let colours value = List.map colour (Json.list value) in
  let cost colours workload = in_range workload colours; cost_of_colours colours workload in
  let cost_of_row row workload = require_row row workload; cost_of_colours [] workload in
  [
    reduction "overlap-witness" Lower "row" row ~cost:cost_of_row ~stand_in:witnessed
      ~check:check_witness;
    reduction "parallel-colouring" Upper "colours" colours ~cost ~stand_in:coloured
      ~check:check_colouring;
    reduction "parallel-case-tree" Upper "tree" tree ~cost:cost_of_tree ~stand_in:stand_in_of_tree
      ~check:check_tree;
  ]
