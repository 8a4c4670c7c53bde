(* Derivations (SPEC, sections 1, 4, 5 and 10.2): from the bytes of a certificate to its checks.

   The shape of the whole file is read first, then that it belongs together and costs what it says,
   and only then is anything proved. *)

open Certificate

type any_step = Concludes of step | Reduces of reduction

type t = { statement : statement; steps : any_step list; cost : Z.t }

let max_steps = 1000

(* --- reading --- *)

let defaults =
  [ ("alpha", "2"); ("bits", "1"); ("digits", "1"); ("group", "1"); ("input", "0"); ("odds", "1");
    ("pair", "0"); ("sums", "1"); ("unit", "1") ]

let read_bounding rule premises parameters =
  let row =
    match List.assoc_opt rule Rules.rules with
    | Some row -> row
    | None -> reject ("unknown rule " ^ rule)
  in
  let keys = List.sort compare ([ "bound"; "delta"; "epsilon" ] @ row.parameters) in
  let values = List.combine keys (Json.members keys parameters) in
  let text key =
    match List.assoc_opt key values with
    | Some value -> Json.text value
    | None -> List.assoc key defaults
  in
  let array key = Option.fold ~none:[] ~some:Json.list (List.assoc_opt key values) in
  let unit = Numbers.read (text "unit") in
  if Signs.sign unit <= 0 then fail "unit is not positive";
  let alpha = Numbers.rational (text "alpha") in
  if Q.leq alpha Q.one then fail "alpha is not above 1";
  let odds = Numbers.not_negative (text "odds") in
  if Q.lt odds Q.one then fail "odds is below 1";
  let simulated row =
    let row = List.map Numbers.not_negative (Json.texts row) in
    if List.length row <> 4 then fail "a row of simulation does not have 4 numbers";
    row
  in
  {
    rule;
    premises;
    given = [];
    bound = Statement.bound (text "bound") (text "epsilon") (text "delta") (text "group");
    digits = Numbers.small (text "digits") 1 Signs.max_digits;
    sums = Numbers.small (text "sums") 1 10_000_000;
    unit;
    alpha;
    pair = Statement.number_from_0 (text "pair");
    deltas = List.map (fun delta -> Statement.mechanism_delta (Json.text delta)) (array "deltas");
    bits = Numbers.small (text "bits") 1 100_000_000;
    odds;
    input = int_of_string (Statement.one_of [ "0"; "1" ] (text "input"));
    choices = List.map (fun c -> Numbers.small (Json.text c) 0 1_000_000) (array "choices");
    simulation = List.map simulated (array "simulation");
  }

let read_step about value =
  match Json.members [ "parameters"; "premises"; "rule" ] value with
  | [ parameters; premises; rule ] ->
      let premises = List.map (fun i -> Numbers.small i 0 max_steps) (Json.texts premises) in
      let rule = Json.text rule in
      if List.mem_assoc rule Rules.reductions then
        Reduces (Workload.read_reduction about rule premises parameters)
      else Concludes (read_bounding rule premises parameters)
  | _ -> fail "not a step"

let premises = function Concludes step -> step.premises | Reduces step -> step.rests_on

(* The steps, each with the bounds that its premises conclude. *)
let linked steps =
  let steps = Array.of_list steps in
  let link index step =
    let earlier premise =
      if premise >= index then reject "a premise is not an earlier step" else steps.(premise)
    in
    let before = List.map earlier (premises step) in
    let bound = function Concludes { bound; _ } -> Some bound | Reduces _ -> None in
    match step with
    | Concludes step -> Concludes { step with given = List.filter_map bound before }
    | Reduces _ -> step
  in
  Array.to_list (Array.mapi link steps)

let read data =
  match Json.members [ "cost"; "derivation"; "digest"; "format"; "statement" ] (Json.read data) with
  | [ cost; derivation; digest; format; statement ] ->
      ignore (Statement.one_of [ "exactdp-certificate/1" ] (Json.text format));
      let cost = Numbers.whole (Json.text cost) Z.one (Z.pow (Z.of_int 10) 100) in
      let steps = Json.list derivation in
      if steps = [] || List.compare_length_with steps max_steps > 0 then
        fail "not 1 to 1000 steps";
      let digest = Json.text digest and bytes = Json.write statement in
      let statement = Statement.read Workload.read statement in
      let steps = linked (List.map (read_step statement.about) steps) in
      if digest <> Sha256.hex bytes then reject "the digest is that of another statement";
      { statement; steps; cost }
  | _ -> fail "not a certificate"

(* --- structure --- *)

let row step = List.assoc step.rule Rules.rules
let blame rule what = reject ("rule " ^ rule ^ ": " ^ what)

(* About a workload: one premise, the reduction that carries bounds of this kind. *)
let check_reduced certificate (step : step) =
  if certificate.statement.neighbouring <> "add-remove-one" then
    reject "a workload is about neighbours that differ by one row, added or not";
  if (row step).takes > 0 then blame step.rule "is about ledgers alone";
  if (row step).interactive then blame step.rule "is about interactive mechanisms alone";
  match List.map (List.nth certificate.steps) step.premises with
  | [ Reduces { reduced_by; _ } ] ->
      if Workload.carries reduced_by <> step.bound.kind then
        blame reduced_by "does not carry such a bound"
  | _ -> blame step.rule "a workload is first reduced to a ledger"

(* As many premises as the rule takes, each of the same kind and with no premises of its own. *)
let check_groups certificate (step : step) =
  let takes = (row step).takes in
  if List.length step.premises <> takes then blame step.rule "takes another number of premises";
  let before = List.map (List.nth certificate.steps) step.premises in
  if List.exists (fun premise -> premises premise <> []) before then
    blame step.rule "the premise is about groups itself";
  if List.exists (fun (bound : bound) -> bound.kind <> step.bound.kind) step.given then
    blame step.rule "the premise is of another kind";
  if takes > 0 && Z.equal step.bound.group Z.one then blame step.rule "a group of 1 is none"

let check_premises certificate = function
  | Reduces step ->
      if step.rests_on <> [] then blame step.reduced_by "takes no premises"
  | Concludes step -> (
      if not (List.mem step.bound.kind (row step).kinds) then
        blame step.rule "does not prove such bounds";
      match certificate.statement.about with
      | Queries _ -> check_reduced certificate step
      | Mechanisms subject ->
          if (subject.trees <> []) <> (row step).interactive then
            blame step.rule "is not about such mechanisms";
          check_groups certificate step)

let check_theorem certificate =
  let bounding = function Concludes step -> Some step | Reduces _ -> None in
  let first = row (List.hd (List.filter_map bounding certificate.steps)) in
  let theorems = Theorems.permitted first.theorem first.interleaved certificate.statement in
  if not (List.mem certificate.statement.theorem theorems) then reject "rests on another theorem"

let check_structure certificate =
  List.iter (check_premises certificate) certificate.steps;
  let used = List.concat_map premises certificate.steps in
  let last = List.length certificate.steps - 1 in
  for index = 0 to last - 1 do
    if not (List.mem index used) then reject "a step is not used"
  done;
  (match List.nth certificate.steps last with
  | Concludes step when step.bound = certificate.statement.stated -> ()
  | _ -> reject "the derivation concludes another statement");
  check_theorem certificate

(* --- proof --- *)

(* For each step the ledger that it is about, or that it concludes. *)
let subjects certificate =
  match certificate.statement.about with
  | Queries _ ->
      let reduced = function Reduces step -> Some (Workload.ledger step) | Concludes _ -> None in
      let ledger = List.hd (List.filter_map reduced certificate.steps) in
      List.map (fun _ -> ledger) certificate.steps
  | Mechanisms subject ->
      let of_groups = function
        | Concludes ({ rule = "group-mechanisms"; _ } as step) ->
            Some (List.hd step.premises, Groups.of_groups subject step)
        | _ -> None
      in
      let others = List.filter_map of_groups certificate.steps in
      List.mapi
        (fun index _ -> Option.value (List.assoc_opt index others) ~default:subject)
        certificate.steps

let cost subject = function
  | Reduces step -> Workload.cost step
  | Concludes step -> (row step).cost subject step

let check subject = function
  | Reduces step -> (List.assoc step.reduced_by Rules.reductions) step subject
  | Concludes step -> (row step).check subject step

(* Returns only if the derivation proves the statement. *)
let prove max_cost certificate =
  check_structure certificate;
  if Z.gt certificate.cost max_cost then raise (Refused "the cost exceeds the limit");
  let subjects = subjects certificate in
  let costs = List.map2 cost subjects certificate.steps in
  let needed = List.fold_left Z.add Z.zero costs in
  if not (Z.equal needed certificate.cost) then
    reject (Z.to_string needed ^ " is the cost that is needed");
  List.iter2 check subjects certificate.steps
