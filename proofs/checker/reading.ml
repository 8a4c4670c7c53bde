(* From JSON to statements (SPEC, sections 3, 10.1, 11.1, 12.1, 13.1, 14.1 and 15.1). *)

open Lists
open Outcome
open Subjects

let max_count = Z.pow (Z.of_int 10) 18
let max_size = max_count

(* --- bounds --- *)

let kind value =
  match Json.one_of [ "upper"; "lower"; "underivable" ] value with
  | "upper" -> Upper
  | "lower" -> Lower
  | _ -> Underivable

let number_from_0 text =
  let number = Numbers.read text in
  if Signs.sign number < 0 then fail "negative";
  number

let group value = Numbers.whole (Json.text value) Z.one max_count

let bound kind epsilon delta group =
  let at = match Json.text epsilon with "every" -> None | text -> Some (number_from_0 text) in
  if at = None && kind <> Lower then fail "epsilon is every in a bound that is not lower";
  { kind; at; delta = Numbers.probability (Json.text delta); group }

(* --- ledgers --- *)

let mechanism_delta text =
  let delta = Numbers.probability text in
  if Q.equal delta Q.one then fail "a mechanism's delta is 1";
  delta

let empty = { pairs = []; gaussian = []; concentrated = [] }

(* The ledger of one entry. *)
let entry (texts : texts) count =
  match texts with
  | 0, [ epsilon; delta ] ->
      let epsilon = Numbers.read epsilon in
      let order = Signs.sign epsilon in
      if order < 0 then fail "a mechanism's epsilon is negative";
      let delta = mechanism_delta delta in
      { empty with pairs = [ { epsilon; delta; count; positive = order > 0 } ] }
  | 1, [ mu ] -> { empty with gaussian = [ { parameter = Numbers.not_negative mu; times = count } ] }
  | 2, [ rho ] ->
      { empty with concentrated = [ { parameter = Numbers.not_negative rho; times = count } ] }
  | _ -> fail "not an entry"

let joined parts =
  {
    pairs = List.concat_map (fun part -> part.pairs) parts;
    gaussian = List.concat_map (fun part -> part.gaussian) parts;
    concentrated = List.concat_map (fun part -> part.concentrated) parts;
  }

let texts_and_count value =
  let has key = match value with Json.Object members -> List.mem_assoc key members | _ -> false in
  let notion = if has "mu" then 1 else if has "rho" then 2 else 0 in
  let keys = List.nth [ [ "delta"; "epsilon" ]; [ "mu" ]; [ "rho" ] ] notion in
  match List.map Json.text (Json.members ("count" :: keys) value) with
  | count :: texts -> ((notion, List.rev texts), Numbers.whole count Z.one max_count)
  | [] -> fail "not a mechanism"

let rec sorted less = function
  | a :: (b :: _ as rest) -> less a b && sorted less rest
  | _ -> true

let ledger values =
  let entries = List.map texts_and_count values in
  if not (sorted (fun (a, _) (b, _) -> a < b) entries) then
    fail "mechanisms are not sorted and merged";
  joined (List.map (fun (texts, count) -> entry texts count) entries)

(* Equal entries merged, in the order of the format. *)
let merged (entries : texts list) =
  let count found texts =
    match found with
    | (texts', n) :: rest when texts = texts' -> (texts, Z.succ n) :: rest
    | _ -> (texts, Z.one) :: found
  in
  let counted = List.rev (List.fold_left count [] (List.sort compare entries)) in
  joined (List.map (fun (texts, count) -> entry texts count) counted)

(* --- workloads --- *)

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

let ranges ends =
  let rec in_pairs found = function
    | low :: high :: rest -> in_pairs ((low, high) :: found) rest
    | [] -> List.rev found
    | [ _ ] -> fail "the ends of ranges are not pairs"
  in
  if not (sorted Z.lt ends) then fail "the ends of ranges do not increase";
  in_pairs [] ends

let clause sizes value =
  match Json.texts value with
  | [] -> fail "a clause without an attribute"
  | number :: ends ->
      let number = Numbers.small number 0 (Array.length sizes - 1) in
      (number, ranges (List.map (fun text -> Numbers.whole text Z.zero sizes.(number)) ends))

(* The entry without its rows, as one of a ledger, and its rows. *)
let entry_of_query sizes value =
  match value with
  | Json.Object members when List.mem_assoc "where" members && not (List.mem_assoc "count" members)
    ->
      let where = List.map (clause sizes) (Json.list (List.assoc "where" members)) in
      if not (sorted (fun (a, _) (b, _) -> a < b) where) then
        fail "the attributes of a query are not increasing";
      (List.remove_assoc "where" members, where)
  | _ -> fail "not a query"

let query sizes value =
  let entry', where = entry_of_query sizes value in
  let texts, count = texts_and_count (Json.Object (("count", Json.Text "1") :: entry')) in
  { texts; parameters = entry texts count; where }

(* The sizes of the attributes, and what each query is read as. *)
let workload_of query value =
  match Json.members [ "domain"; "queries"; "type" ] value with
  | [ domain; queries; _ ] ->
      let attributes = List.map attribute (Json.list domain) in
      different (List.map fst attributes);
      let sizes = Array.of_list (List.map snd attributes) in
      (sizes, Array.of_list (List.map (query sizes) (Json.list queries)))
  | _ -> fail "not a workload"

let workload value =
  let sizes, queries = workload_of query value in
  { sizes; queries }

(* --- interactive mechanisms --- *)

let max_trees = 8
let max_rounds = 64

let not_empty what = function [] -> fail ("an empty " ^ what) | list -> list

let answer histories value =
  match Json.texts value with
  | p :: q :: rest when List.compare_length_with rest 1 <= 0 ->
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
    | first :: rest ->
        first = index && meets (List.append (following tree.(index)) rest) (index + 1)
  in
  meets (if tree = [||] then [] else [ 0 ]) 0

let tree value =
  let histories = Json.list value in
  let answer = answer (List.length histories) in
  let query value = List.map answer (not_empty "query" (Json.list value)) in
  let history value = List.map query (not_empty "history" (Json.list value)) in
  let tree = Array.of_list (List.map history histories) in
  if not (is_depth_first tree) then fail "histories are not a tree in depth-first order";
  tree

(* The most queries that can be asked one after the other. *)
let rounds tree =
  let rec below asked index =
    if asked > max_rounds then fail "too many queries one after the other";
    1 + List.fold_left (fun most next -> max most (below (asked + 1) next)) 0 (following tree.(index))
  in
  if tree = [||] then 0 else below 1 0

let trees values =
  let trees = List.map tree values in
  let number = List.length trees in
  if number < 1 || number > max_trees then fail "not 1 to 8 interactive mechanisms";
  if List.sum ( + ) 0 rounds trees > max_rounds then fail "too many queries one after the other";
  trees

(* --- budgets --- *)

let max_bits = 2048

let short value =
  let number = Numbers.not_negative (Json.text value) in
  if Numbers.size number > max_bits then fail "a number is too long";
  number

let hexadecimal text =
  let is_digit c = Numbers.is_digit c || (c >= 'a' && c <= 'f') in
  if not (String.length text = 64 && String.for_all is_digit text) then fail "not a digest"

(* What a log says was spent, and of failures. *)
let line value =
  match Json.members [ "delta"; "digest"; "size" ] value with
  | [ delta; digest; size ] ->
      hexadecimal (Json.text digest);
      (short size, short delta)
  | _ -> fail "not a line of a log"

let above_1 alpha =
  if Q.leq alpha Q.one then fail "alpha is not above 1";
  alpha

let budget members =
  let has key = List.mem_assoc key members in
  let measure =
    match List.filter has [ "epsilon"; "mu"; "renyi"; "rho" ] with
    | [ key ] -> key
    | _ -> fail "not one measure"
  in
  let optional key = if has key then [ key ] else [] in
  let order = if measure = "renyi" then [ "alpha" ] else [] in
  let keys = List.concat [ [ "delta"; "type"; measure ]; order; optional "log" ] in
  ignore (Json.members (List.sort compare keys) (Json.Object members));
  let at key = List.assoc key members in
  let failing = short (at "delta") in
  if Q.leq Q.one failing then fail "a budget's delta is 1 or more";
  let measure_of = function
    | "epsilon" -> Epsilon
    | "rho" -> Rho
    | "mu" -> Mu
    | _ -> Renyi (above_1 (short (at "alpha")))
  in
  let spent = List.map (fun key -> line (at key)) (optional "log") in
  let budget = { measure = measure_of measure; size = short (at measure); failing } in
  let overspent (size, delta) = Q.gt size (limit budget) || Q.gt delta failing in
  if List.exists overspent spent then reject "more was spent than the budget";
  budget

(* --- mechanisms given by their noise --- *)

let not_here = [ "discrete_gaussian"; "rate"; "shuffled" ]
let max_shift = Z.of_int 1_000_000
let max_shifts = 1000
let max_orders = 4096
let max_outputs = 4096
let no_noise = { others = empty; shifted = []; laplaced = []; ranged = []; divergent = []; tabled = [] }

let above_0 value =
  let number = short value in
  if Q.sign number = 0 then fail "a number is 0";
  number

let at_most most what list =
  if list = [] || List.compare_length_with list most > 0 then fail ("not 1 to " ^ string_of_int most ^ what)

let read_shifts value =
  let shifts = List.map (fun text -> Numbers.whole text Z.one max_shift) (Json.texts value) in
  at_most max_shifts " shifts" shifts;
  if not (sorted Z.leq shifts) then fail "shifts are not in order";
  shifts

let discrete_laplace answers law =
  match Json.members [ "scale"; "shifts" ] law with
  | [ scale; shifts ] -> { scale = above_0 scale; shifts = read_shifts shifts; answers }
  | _ -> fail "not discrete Laplace noise"

let laplace noised law =
  match Json.members [ "scale"; "sensitivity" ] law with
  | [ scale; sensitivity ] -> { width = above_0 scale; sensitivity = above_0 sensitivity; noised }
  | _ -> fail "not Laplace noise"

let order value =
  match Json.list value with
  | [ alpha; most ] -> (above_1 (short alpha), short most)
  | _ -> fail "not an order with its divergence"

let orders copies value =
  let orders = List.map order (Json.list value) in
  at_most max_orders " orders" orders;
  if not (sorted (fun (a, _) (b, _) -> Q.lt a b) orders) then fail "orders do not rise";
  { orders; copies }

(* In pairs, as the verified checker adds them. *)
let rec total = function
  | [] -> Q.zero
  | [ sum ] -> sum
  | sums ->
      let rec in_pairs = function a :: b :: rest -> Q.add a b :: in_pairs rest | rest -> rest in
      total (in_pairs sums)

let law value =
  let law = List.map short (Json.list value) in
  at_most max_outputs " outputs" law;
  if not (Q.equal (total law) Q.one) then fail "probabilities do not sum to 1";
  law

let table written laws =
  match List.map law (Json.members [ "p"; "q" ] laws) with
  | [ p; q ] when List.compare_lengths p q = 0 -> { outputs = List.combine p q; written }
  | _ -> fail "the laws of a pair are not of one length"

(* What is given by its noise; none of the others, which are read together. *)
let noise_of members =
  let of_keys keys = Json.members keys (Json.Object members) in
  let count text = Numbers.whole (Json.text text) Z.one max_count in
  let has key = List.mem_assoc key members in
  (match List.find_opt has not_here with
  | Some family -> refuse ("mechanisms given by " ^ family ^ " are not known to this checker")
  | None -> ());
  if has "bounded_range" then
    match of_keys [ "bounded_range"; "count" ] with
    | [ range; times ] ->
        Some { no_noise with ranged = [ { parameter = above_0 range; times = count times } ] }
    | _ -> None
  else if has "discrete_laplace" then
    match of_keys [ "count"; "discrete_laplace" ] with
    | [ times; law ] -> Some { no_noise with shifted = [ discrete_laplace (count times) law ] }
    | _ -> None
  else if has "laplace" then
    match of_keys [ "count"; "laplace" ] with
    | [ times; law ] -> Some { no_noise with laplaced = [ laplace (count times) law ] }
    | _ -> None
  else if has "pair" then
    match of_keys [ "count"; "pair" ] with
    | [ times; laws ] -> Some { no_noise with tabled = [ table (count times) laws ] }
    | _ -> None
  else if has "renyi" then
    match of_keys [ "count"; "renyi" ] with
    | [ times; list ] -> Some { no_noise with divergent = [ orders (count times) list ] }
    | _ -> None
  else None

let noise_entry = function
  | Json.Object members as value ->
      let without_count = List.filter (fun (key, _) -> key <> "count") members in
      let noise = noise_of members in
      let other = if noise = None then [ texts_and_count value ] else [] in
      (Json.write (Json.Object without_count), (Option.to_list noise, other))
  | _ -> fail "a mechanism is not an object"

(* Of entries with their bytes. *)
let noise_of_entries entries =
  let noises = List.concat_map (fun (_, (noise, _)) -> noise) entries in
  let others = List.concat_map (fun (_, (_, other)) -> other) entries in
  let others = List.map (fun (texts, count) -> entry texts count) (List.sort compare others) in
  {
    others = joined others;
    shifted = List.concat_map (fun noise -> noise.shifted) noises;
    laplaced = List.concat_map (fun noise -> noise.laplaced) noises;
    ranged = List.concat_map (fun noise -> noise.ranged) noises;
    divergent = List.concat_map (fun noise -> noise.divergent) noises;
    tabled = List.concat_map (fun noise -> noise.tabled) noises;
  }

let noise values =
  let entries = List.map noise_entry values in
  if not (sorted (fun (a, _) (b, _) -> a < b) entries) then
    fail "mechanisms are not sorted and merged";
  if List.for_all (fun (_, (noise, _)) -> noise = []) entries then
    fail "no mechanism is given by its noise";
  noise_of_entries entries

(* --- workloads of mechanisms given by their noise --- *)

let times count members =
  let by_key (key, _) (key', _) = String.compare key key' in
  Json.Object (List.sort by_key (("count", Json.Text (Z.to_string count)) :: members))

(* No notion of section 3. *)
let by_noise = 3

let noise_query sizes value =
  let members, where = entry_of_query sizes value in
  let (bytes, (noise, others)) as entry = noise_entry (times Z.one members) in
  let known = noise_of_entries [ entry ] in
  let texts = match others with [ (texts, _) ] when noise = [] -> texts | _ -> (by_noise, [ bytes ]) in
  ({ texts; parameters = known.others; where }, { bytes; members; known })

let noise_workload value =
  let sizes, queries = workload_of noise_query value in
  let asked = { sizes; queries = Array.map fst queries } in
  if Array.for_all (fun (q : query) -> fst q.texts < by_noise) asked.queries then
    fail "no query is given by its noise";
  { asked; named = Array.map snd queries }

(* --- statements --- *)

let about value =
  match value with
  | Json.Object members when List.assoc_opt "type" members = Some (Json.Text "workload") ->
      About (Workload, workload value)
  | Json.Object members when List.assoc_opt "type" members = Some (Json.Text "noise-workload") ->
      About (Noise_workload, noise_workload value)
  | Json.Object members when List.assoc_opt "type" members = Some (Json.Text "workload-replace-one")
    ->
      About (Replace_one, workload value)
  | Json.Object members when List.assoc_opt "type" members = Some (Json.Text "budget") ->
      About (Budget, budget members)
  | _ -> (
      match Json.members [ "mechanisms"; "type" ] value with
      | [ mechanisms; tag ] ->
          let mechanisms = Json.list mechanisms in
          (match Json.one_of [ "ledger"; "noise-ledger"; "workload"; "interactive" ] tag with
          | "interactive" -> About (Trees, trees mechanisms)
          | "noise-ledger" -> About (Noise, noise mechanisms)
          | _ -> About (Ledger, ledger mechanisms))
      | _ -> fail "not a subject")

let keys =
  [ "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject"; "theorem" ]

let statement value =
  match Json.members keys value with
  | [ delta; epsilon; group'; interaction; kind'; neighbouring; subject; theorem ] ->
      let about = about subject in
      let interactions =
        match about with
        | About (Trees, _) -> [ "concurrent" ]
        | About (Budget, _) -> [ "fully-adaptive" ]
        | About ((Noise | Noise_workload), _) -> [ "adaptive" ]
        | About ((Ledger | Workload | Replace_one), _) -> [ "adaptive"; "concurrent" ]
      in
      let stated = bound (kind kind') epsilon delta (group group') in
      let relations =
        let of_batches = match about with About (Noise, _) -> [ "zero-out" ] | _ -> [] in
        List.append [ "add-remove-one"; "replace-one"; "unspecified" ] of_batches
      in
      let neighbouring = Json.one_of relations neighbouring in
      let interaction = Json.one_of interactions interaction in
      let theorem = Json.text theorem in
      (match about with
      | About ((Workload | Noise_workload), _) when neighbouring <> "add-remove-one" ->
          reject "a workload is about neighbours that differ by one row, added or not"
      | About (Replace_one, _) when neighbouring <> "replace-one" ->
          reject "a workload where a row is replaced is about such neighbours"
      | About (Noise, _) when neighbouring = "zero-out" -> reject "is not about shuffled batches"
      | About (Noise, noise) when noise.tabled <> [] && neighbouring <> "add-remove-one" ->
          reject "a table is about neighbours that differ by one record, added or not"
      | _ -> ());
      let interaction =
        match interaction with
        | "adaptive" -> Adaptive
        | "concurrent" -> Concurrent
        | _ -> Fully_adaptive
      in
      { about; stated; interaction; theorem }
  | _ -> fail "not a statement"
