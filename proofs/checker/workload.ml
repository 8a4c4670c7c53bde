(* Workloads, and their reductions to a ledger (SPEC, section 10).

   What is computed here is checked by the verified checks of a reduction. *)

open Certificate

let max_size = Z.pow (Z.of_int 10) 18

(* --- reading --- *)

let different names =
  if List.length (List.sort_uniq compare names) <> List.length names then
    fail "a name that stands twice in the domain"

(* The name of an attribute and its size. *)
let attribute value =
  match value with
  | Json.Object [ ("name", name); ("values", values) ] ->
      let values = Json.texts values in
      if values = [] then fail "an attribute without values";
      different values;
      (Json.text name, Z.of_int (List.length values))
  | _ -> (
      match List.map Json.text (Json.members [ "name"; "size" ] value) with
      | [ name; size ] -> (name, Numbers.whole size Z.one max_size)
      | _ -> fail "not an attribute")

let rec increasing = function a :: (b :: _ as rest) -> Z.lt a b && increasing rest | _ -> true

let rec ranges = function
  | low :: high :: rest -> (low, high) :: ranges rest
  | [] -> []
  | [ _ ] -> fail "the ends of ranges are not pairs"

let clause sizes value =
  match Json.texts value with
  | [] -> fail "a clause without an attribute"
  | number :: ends ->
      let number = Numbers.small number 0 (Array.length sizes - 1) in
      let ends = List.map (fun text -> Numbers.whole text Z.zero sizes.(number)) ends in
      if not (increasing ends) then fail "the ends of ranges do not increase";
      (number, ranges ends)

let ordered what clauses =
  if not (increasing (List.map (fun (number, _) -> Z.of_int number) clauses)) then
    fail ("the attributes of a " ^ what ^ " are not increasing")

let query sizes value =
  match value with
  | Json.Object members when List.mem_assoc "where" members && not (List.mem_assoc "count" members)
    ->
      let entry = List.remove_assoc "where" members in
      let texts, count = Statement.read_texts (Json.Object (("count", Json.Text "1") :: entry)) in
      let where = List.map (clause sizes) (Json.list (List.assoc "where" members)) in
      ordered "query" where;
      { texts; parameters = Statement.entry texts count; where }
  | _ -> fail "not a query"

let read value =
  match Json.members [ "domain"; "queries"; "type" ] value with
  | [ domain; queries; _ ] ->
      let attributes = List.map attribute (Json.list domain) in
      different (List.map fst attributes);
      let sizes = Array.of_list (List.map snd attributes) in
      { sizes; queries = Array.of_list (List.map (query sizes) (Json.list queries)) }
  | _ -> fail "not a workload"

let cell sizes value =
  match Json.texts value with
  | [ number; value ] ->
      let number = Numbers.small number 0 (Array.length sizes - 1) in
      (number, Numbers.whole value Z.zero (Z.pred sizes.(number)))
  | _ -> fail "not a pair of attribute and value"

let colour queries value =
  let number text = Numbers.small text 0 (Array.length queries - 1) in
  let colour = List.map number (Json.texts value) in
  if colour = [] || not (increasing (List.map Z.of_int colour)) then
    fail "a colour is empty, or its queries are not increasing";
  colour

let parameters = [ ("overlap-witness", "row"); ("parallel-colouring", "colours") ]
let carries rule = if rule = "overlap-witness" then Lower else Upper

let read_reduction about rule premises value =
  match about with
  | Mechanisms _ -> reject ("rule " ^ rule ^ ": is about workloads alone")
  | Queries workload ->
      let name = List.assoc rule parameters in
      let argument = List.concat_map Json.list (Json.members [ name ] value) in
      let step = { reduced_by = rule; rests_on = premises; workload; row = []; colours = [] } in
      if name = "row" then (
        let row = List.map (cell workload.sizes) argument in
        ordered "row" row;
        { step with row })
      else { step with colours = List.map (colour workload.queries) argument }

(* --- the ledger that is concluded --- *)

let satisfies row query =
  let contains value (low, high) = Z.leq low value && Z.lt value high in
  let meets (attribute, ranges) =
    List.exists (contains (Option.value (List.assoc_opt attribute row) ~default:Z.zero)) ranges
  in
  List.for_all meets query.where

(* The first of the greatest. *)
let greatest less = function
  | first :: rest -> List.fold_left (fun most one -> if less most one then one else most) first rest
  | [] -> fail "empty"

(* The greatest epsilon with the greatest delta, or the greatest mu, or rho. *)
let greatest_of (queries : query list) : texts =
  let notion = fst (List.hd queries).texts in
  if List.exists (fun (q : query) -> fst q.texts <> notion) queries then
    reject "the queries of a colour have parameters of different notions";
  let seen = Hashtbl.create 16 in
  let is_new (q : query) = not (Hashtbl.mem seen q.texts) && (Hashtbl.add seen q.texts (); true) in
  let distinct = List.filter is_new queries in
  let of_query (q : query) =
    match q.parameters with
    | { mechanisms = [ m ]; _ } -> (m.epsilon, m.delta)
    | { gaussian = [ m ]; _ } | { concentrated = [ m ]; _ } ->
        (Numbers.of_rational m.parameter, Q.zero)
    | _ -> fail "not one mechanism"
  in
  let pairs = List.map of_query distinct in
  let less x y = Signs.sign (Numbers.sub y x) > 0 in
  let parameter = Numbers.write (greatest less (List.map fst pairs)) in
  let delta = Numbers.rational_text (greatest Q.lt (List.map snd pairs)) in
  (notion, if notion = 0 then [ parameter; delta ] else [ parameter ])

let ledger step =
  let queries = step.workload.queries in
  let entries =
    if step.reduced_by = "overlap-witness" then
      List.filter_map
        (fun (q : query) -> if satisfies step.row q then Some q.texts else None)
        (Array.to_list queries)
    else List.map (fun colour -> greatest_of (List.map (Array.get queries) colour)) step.colours
  in
  Statement.merged entries

(* --- cost --- *)

let size query =
  List.fold_left (fun total (_, ranges) -> total + 1 + List.length ranges) 1 query.where

let cost step =
  let sum of_one list = List.fold_left (fun total one -> total + of_one one) 0 list in
  let queries = step.workload.queries in
  let pairs colour =
    (List.length colour - 1) * sum (fun number -> size queries.(number)) colour
  in
  Z.of_int ((1000 * (1 + sum size (Array.to_list queries))) + (500 * sum pairs step.colours))
