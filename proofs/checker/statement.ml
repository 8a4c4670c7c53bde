(* Statements (SPEC, section 3): bounds, ledgers, and the rest of a statement but for workloads. *)

open Certificate

let max_count = Z.pow (Z.of_int 10) 18
let max_group = max_count

let one_of choices text = if List.mem text choices then text else fail ("unexpected " ^ text)

let kind text =
  match List.assoc_opt text [ ("upper", Upper); ("lower", Lower); ("underivable", Underivable) ] with
  | Some kind -> kind
  | None -> fail ("not a kind: " ^ text)

let number_from_0 text =
  let number = Numbers.read text in
  if Signs.sign number < 0 then fail "negative";
  number

let bound kind_text epsilon delta group =
  let kind = kind kind_text in
  let at = if epsilon = "every" then None else Some (number_from_0 epsilon) in
  if at = None && kind <> Lower then fail "epsilon is every in a bound that is not lower";
  { kind; at; delta = Numbers.probability delta; group = Numbers.whole group Z.one max_group }

(* --- ledgers --- *)

let mechanism_delta text =
  let delta = Numbers.probability text in
  if Q.equal delta Q.one then fail "a mechanism's delta is 1";
  delta

let empty = { mechanisms = []; gaussian = []; concentrated = []; trees = [] }

(* The subject of one entry. *)
let entry (texts : texts) count =
  match texts with
  | 0, [ epsilon; delta ] ->
      let epsilon = Numbers.read epsilon in
      let order = Signs.sign epsilon in
      if order < 0 then fail "a mechanism's epsilon is negative";
      let delta = mechanism_delta delta in
      { empty with mechanisms = [ { epsilon; delta; count; positive = order > 0 } ] }
  | 1, [ mu ] -> { empty with gaussian = [ { parameter = Numbers.not_negative mu; count } ] }
  | 2, [ rho ] -> { empty with concentrated = [ { parameter = Numbers.not_negative rho; count } ] }
  | _ -> fail "not an entry"

let joined parts =
  {
    empty with
    mechanisms = List.concat_map (fun part -> part.mechanisms) parts;
    gaussian = List.concat_map (fun part -> part.gaussian) parts;
    concentrated = List.concat_map (fun part -> part.concentrated) parts;
  }

let read_texts value =
  let has key = match value with Json.Object members -> List.mem_assoc key members | _ -> false in
  let notion = if has "mu" then 1 else if has "rho" then 2 else 0 in
  let keys = List.nth [ [ "delta"; "epsilon" ]; [ "mu" ]; [ "rho" ] ] notion in
  match List.map Json.text (Json.members ("count" :: keys) value) with
  | count :: texts -> ((notion, List.rev texts), Numbers.whole count Z.one max_count)
  | [] -> fail "not a mechanism"

let ledger values =
  let entries = List.map read_texts values in
  let rec increasing = function
    | (texts, _) :: ((texts', _) :: _ as rest) -> texts < texts' && increasing rest
    | _ -> true
  in
  if not (increasing entries) then fail "mechanisms are not sorted and merged";
  joined (List.map (fun (texts, count) -> entry texts count) entries)

(* Equal entries merged, in the order of the format. *)
let merged (entries : texts list) =
  let rec counted = function
    | (texts, n) :: (texts', m) :: rest when texts = texts' -> counted ((texts, Z.add n m) :: rest)
    | first :: rest -> first :: counted rest
    | [] -> []
  in
  let ones = List.map (fun texts -> (texts, Z.one)) (List.sort compare entries) in
  joined (List.map (fun (texts, count) -> entry texts count) (counted ones))

(* --- statements --- *)

let subject value =
  match Json.members [ "mechanisms"; "type" ] value with
  | [ mechanisms; tag ] -> (
      let mechanisms = Json.list mechanisms in
      match one_of [ "ledger"; "workload"; "interactive" ] (Json.text tag) with
      | "interactive" -> { empty with trees = Trees.read mechanisms }
      | _ -> ledger mechanisms)
  | _ -> fail "not a subject"

let keys =
  [ "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject"; "theorem" ]

let read read_workload value =
  match Json.members keys value with
  | [ delta; epsilon; group; interaction; kind; neighbouring; about; theorem ] ->
      let about =
        match about with
        | Json.Object members when List.assoc_opt "type" members = Some (Json.Text "workload") ->
            Queries (read_workload about)
        | _ -> Mechanisms (subject about)
      in
      let interactions =
        match about with
        | Mechanisms { trees = _ :: _; _ } -> [ "concurrent" ]
        | _ -> [ "adaptive"; "concurrent" ]
      in
      let relations = [ "add-remove-one"; "replace-one"; "unspecified" ] in
      {
        about;
        stated =
          bound (Json.text kind) (Json.text epsilon) (Json.text delta) (Json.text group);
        neighbouring = one_of relations (Json.text neighbouring);
        interaction = one_of interactions (Json.text interaction);
        theorem = Json.text theorem;
      }
  | _ -> fail "not a statement"
