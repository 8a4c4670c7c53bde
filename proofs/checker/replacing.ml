(* The reductions of workloads where one row replaces another: `two-rows`, `replace-colouring` and
   `replace-case-tree`.

   What is proposed: the ledger concluded, and the two rows, each query's places in it, or a tree of
   the numbers of its classes. *)

open Lists
open Outcome
open Subjects
open Kernel
open Reductions

(* --- two-rows --- *)

let two_rows value =
  match List.map row (Json.list value) with
  | [ one; other ] -> (one, other)
  | _ -> fail "not two rows"

let require_two (one, other) workload =
  require_row one workload;
  require_row other workload;
  if List.equal Z.equal (values one workload) (values other workload) then
    reject "the two rows are the same"

let met (one, other) workload =
  let texts (q : query) = if satisfies one q || satisfies other q then Some q.texts else None in
  Reading.merged (List.filter_map texts (Array.to_list workload.queries))

let check_rows (one, other) workload ledger =
  limit_comparisons ledger;
  propose workload ledger (Checks.MetByTwo (values one workload, values other workload))

(* --- replace-colouring --- *)

(* What the greatest is found by, as it is written. *)
let compared ((notion, parts) : texts) = (notion, List.hd parts)

(* The number, in its class, of a query that the second greatest need not be enough for. *)
let top queries =
  let most = compared (greatest_of queries) in
  let rec find place = function
    | (q : query) :: rest -> if compared q.texts = most then place else find (place + 1) rest
    | [] -> fail "empty"
  in
  find 0 queries

(* The second greatest, if there is one, with the greatest delta. *)
let second_of queries : texts list =
  let place = top queries in
  match (List.filteri (fun i _ -> i <> place) queries, greatest_of queries) with
  | [], _ -> []
  | rest, (0, [ _; delta ]) ->
      let notion, parts = greatest_of rest in
      [ (notion, [ List.hd parts; delta ]) ]
  | rest, _ -> [ greatest_of rest ]

let two_of workload colour =
  let queries = members workload colour in
  greatest_of queries :: second_of queries

let coloured_twice colours workload =
  Reading.merged (List.concat_map (two_of workload) colours)

(* The places of each query's class among the mechanisms of the concluded ledger, one by one in its
   order; what has no place there has numbers of its own beyond. *)
let places colours workload =
  let number = List.length colours in
  let firsts = Array.make number (-1) and seconds = Array.make number (-1) in
  let with_texts i colour =
    let own seconds texts = (texts, seconds, i) in
    List.mapi (fun rank texts -> own (rank = 1) texts) (two_of workload colour)
  in
  let listed = List.stable_sort compare (List.concat (List.mapi with_texts colours)) in
  let put place (_, second, i) = (if second then seconds else firsts).(i) <- place in
  List.iteri put listed;
  let beyond = ref (List.length listed) in
  let fresh () = incr beyond; !beyond in
  Array.iteri (fun i place -> if place < 0 then seconds.(i) <- fresh ()) seconds;
  let alone _ =
    let at_first = fresh () in
    { Checks.at_first; at_second = fresh (); is_top = true }
  in
  let found = Array.map (fun _ -> None) workload.queries in
  let put_class i colour =
    let most = top (members workload colour) in
    let put position query =
      if found.(query) <> None then reject "a query is in two colours";
      let is_top = position = most in
      found.(query) <- Some { Checks.at_first = firsts.(i); at_second = seconds.(i); is_top }
    in
    List.iteri put colour
  in
  List.iteri put_class colours;
  List.map (function Some places -> places | None -> alone ()) (Array.to_list found)

let check_classes colours workload ledger =
  if Array.length workload.queries > max_queries then reject "too many queries to compare";
  propose workload ledger (Checks.Placed (places colours workload))

(* --- replace-case-tree --- *)

let which_row value =
  match Json.one_of [ "leaving"; "entering" ] value with
  | "leaving" -> Checks.Leaving
  | _ -> Checks.Entering

let node = function
  | Json.Object members as value when List.mem_assoc "leaving" members -> (
      match Json.members [ "entering"; "leaving" ] value with
      | [ entering; leaving ] ->
          let leaving = read_colours leaving in
          Leaf (leaving, read_colours entering)
      | _ -> fail "not a leaf")
  | value -> (
      match Json.members [ "attribute"; "below"; "row" ] value with
      | [ attribute; below; which ] ->
          let which = which_row which in
          Split (which, read_split attribute below)
      | _ -> fail "not a node")

let of_both (leaving, entering) = [ leaving; entering ]
let tree = read_tree node of_both
let positions nodes = by_position (List.concat_map of_both (leaves nodes))

let rec require_one_query leaving entering =
  match (leaving, entering) with
  | one :: leaving, other :: entering ->
      if one <> [] && other <> [] && (one <> other || List.length one > 1) then
        reject "a position of a leaf has different queries for both rows";
      require_one_query leaving entering
  | _ -> ()

let require_classes colours workload =
  in_range workload colours;
  let queries = List.concat colours in
  if List.length (List.sort_uniq compare queries) < List.length queries then
    reject "a query is in two colours of a leaf"

let cost_of_tree nodes workload =
  let known = function
    | Split (_, cases) -> require_attribute cases workload
    | Leaf (leaving, entering) ->
        require_classes leaving workload;
        require_classes entering workload;
        require_one_query leaving entering
  in
  List.iter known nodes;
  cost_of_nodes ~rows:2 nodes of_both workload

(* At a leaf: queries of either row, and those of one with those of the other. *)
let check_tree nodes workload ledger =
  limit_pairs ~times:3 nodes workload;
  let order = order_of_ledger (positions nodes) workload in
  let split (which, (attribute, below)) low high =
    Checks.SplitOfRow (which, attribute, below, low, high)
  in
  let leaf (leaving, entering) =
    Checks.LeafOfTwo (numbered order leaving workload, numbered order entering workload)
  in
  propose workload ledger (Checks.ByCasesOfTwo (fold split leaf nodes))

let rules =
  let reduction name = reduction ~about:Replace_one name in
  let colours value = List.map colour (Json.list value) in
  let cost_of_rows rows workload =
    require_two rows workload;
    Z.mul (Z.of_int 2) (cost workload)
  in
  let cost_of_classes colours workload = in_range workload colours; cost_of_colours colours workload in
  [
    reduction "two-rows" Lower "rows" two_rows ~cost:cost_of_rows ~stand_in:met ~check:check_rows;
    reduction "replace-colouring" Upper "colours" colours ~cost:cost_of_classes
      ~stand_in:coloured_twice ~check:check_classes;
    reduction "replace-case-tree" Upper "tree" tree ~cost:cost_of_tree
      ~stand_in:(fun nodes -> coloured (positions nodes)) ~check:check_tree;
  ]
