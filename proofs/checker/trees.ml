(* Interactive mechanisms as a statement holds them (SPEC, section 11.1). *)

open Certificate

let max_trees = 8
let max_rounds = 64

let not_empty what = function [] -> fail ("an empty " ^ what) | list -> list

let answer histories value =
  match Json.texts value with
  | p :: q :: rest when List.length rest <= 1 ->
      let next =
        match rest with [ next ] -> Numbers.small next 1 (histories - 1) | _ -> ending
      in
      { p = Numbers.not_negative p; q = Numbers.not_negative q; next }
  | _ -> fail "an answer does not have two probabilities and what follows"

(* The histories that follow one, in their order. *)
let following history =
  let next answer = if answer.next = ending then None else Some answer.next in
  List.concat_map (List.filter_map next) history

(* Whether histories are met in the order of their indices, each once. *)
let is_depth_first tree =
  let rec meets waiting index =
    match waiting with
    | [] -> index = Array.length tree
    | first :: rest -> first = index && meets (following tree.(index) @ rest) (index + 1)
  in
  meets (if tree = [||] then [] else [ 0 ]) 0

let read_tree value =
  let histories = Json.list value in
  let answer = answer (List.length histories) in
  let query value = List.map answer (not_empty "query" (Json.list value)) in
  let history value = List.map query (not_empty "history" (Json.list value)) in
  let tree = Array.of_list (List.map history histories) in
  if not (is_depth_first tree) then fail "histories are not a tree in depth-first order";
  tree

(* The most queries that can be asked one after the other. *)
let rounds tree =
  let rec below index =
    1 + List.fold_left (fun most next -> max most (below next)) 0 (following tree.(index))
  in
  if tree = [||] then 0 else below 0

let read values =
  let trees = List.map read_tree values in
  let number = List.length trees in
  if number < 1 || number > max_trees then fail "not 1 to 8 interactive mechanisms";
  if List.fold_left (fun total tree -> total + rounds tree) 0 trees > max_rounds then
    fail "too many queries one after the other";
  trees
