(* Certificates (SPEC, sections 1 to 5): their shape, and what the steps of the verified checks
   need. Nothing is proved here. *)

let fail = Json.fail

exception Rejected of string
exception Unsupported of string

let reject what = raise (Rejected what)

type mechanism = { epsilon : Numbers.t; delta : Q.t; count : Z.t }

(* No epsilon means every one. *)
type bound = { kind : string; at : Numbers.t option; delta : Q.t }

type t = {
  bound : bound;
  mechanisms : mechanism list;
  rule : string;
  digits : Z.t;
  unit : Numbers.t;
  cost : Z.t;
}

let probability text =
  let q = Numbers.rational text in
  if Q.sign q < 0 || Q.gt q Q.one then fail "not in [0, 1]";
  q

let one_of choices text = if List.mem text choices then text else fail ("unexpected " ^ text)

let read_bound kind epsilon delta =
  let kind = one_of [ "upper"; "lower" ] kind in
  let at =
    if epsilon <> "every" then Some (Numbers.read epsilon)
    else if kind = "lower" then None
    else fail "epsilon is every in an upper bound"
  in
  { kind; at; delta = probability delta }

let read_mechanism value =
  (match value with
  | Json.Object [ ("count", _); (("mu" | "rho"), _) ] -> raise (Unsupported "this notion of privacy")
  | _ -> ());
  match List.map Json.text (Json.members [ "count"; "delta"; "epsilon" ] value) with
  | [ count; delta; epsilon ] ->
      let most = Z.pow (Z.of_int 10) 18 in
      let mechanism =
        {
          epsilon = Numbers.read epsilon;
          delta = probability delta;
          count = Numbers.whole count Z.one most;
        }
      in
      if Q.equal mechanism.delta Q.one then fail "a mechanism's delta is 1";
      ((epsilon, delta), mechanism)
  | _ -> fail "mechanism"

let read_mechanisms values =
  let pairs = List.map read_mechanism values in
  let rec increasing = function
    | (key, _) :: ((key', _) :: _ as rest) -> key < key' && increasing rest
    | _ -> true
  in
  if not (increasing pairs) then fail "mechanisms are not sorted and merged";
  List.map snd pairs

let statement_keys =
  [ "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject"; "theorem" ]

let read_statement value =
  match Json.members statement_keys value with
  | [ delta; epsilon; group; interaction; kind; neighbouring; subject; theorem ] ->
      if Json.text group <> "1" then raise (Unsupported "groups");
      if Json.text kind = "underivable" then raise (Unsupported "statements about formulas");
      let mechanisms, subject_type =
        match subject with
        | Json.Object [ ("mechanisms", mechanisms); ("type", tag) ] -> (mechanisms, Json.text tag)
        | Json.Object members when List.assoc_opt "type" members <> Some (Json.Text "ledger") ->
            raise (Unsupported "this subject")
        | _ -> fail "subject"
      in
      if subject_type <> "ledger" then raise (Unsupported ("subject " ^ subject_type));
      if Json.text interaction <> "adaptive" then raise (Unsupported "concurrent composition");
      let relations = [ "add-remove-one"; "replace-one"; "unspecified" ] in
      ignore (one_of relations (Json.text neighbouring));
      let bound = read_bound (Json.text kind) (Json.text epsilon) (Json.text delta) in
      (bound, read_mechanisms (Json.list mechanisms), Json.text theorem)
  | _ -> fail "statement"

(* The theorem and the further parameters of each rule of the format. *)
let rules =
  let murtagh_vadhan = "murtagh-vadhan-2018-theorem-1.5" in
  [
    ("vacuous", ("definition", []));
    ("sum", (murtagh_vadhan, []));
    ("infeasible", (murtagh_vadhan, []));
    ("rational-odds", (murtagh_vadhan, [ "digits"; "sums" ]));
    ("grid", (murtagh_vadhan, [ "digits"; "unit" ]));
    ("lattice", (murtagh_vadhan, [ "digits"; "sums" ]));
    ("connect-the-dots", (murtagh_vadhan, [ "digits"; "sums"; "unit" ]));
    ("gridded-test", (murtagh_vadhan, [ "digits"; "sums"; "unit" ]));
  ]

let read_step bound theorem value =
  match Json.members [ "parameters"; "premises"; "rule" ] value with
  | [ parameters; premises; rule ] ->
      let rule = Json.text rule in
      if Json.list premises <> [] then reject "premises";
      let expected, further =
        match List.assoc_opt rule rules with
        | Some row -> row
        | None -> raise (Unsupported ("rule " ^ rule))
      in
      let keys = List.sort compare ([ "bound"; "delta"; "epsilon" ] @ further) in
      let texts = List.combine keys (List.map Json.text (Json.members keys parameters)) in
      let parameter key = Option.value (List.assoc_opt key texts) ~default:"1" in
      if read_bound (parameter "bound") (parameter "epsilon") (parameter "delta") <> bound then
        reject "the derivation concludes another statement";
      if theorem <> expected then reject "another theorem";
      let unit = Numbers.read (parameter "unit") in
      (rule, Numbers.whole (parameter "digits") Z.one (Z.of_int 20_000), unit)
  | _ -> fail "step"

let keys = [ "cost"; "derivation"; "digest"; "format"; "statement" ]

let read data =
  match Json.members keys (Json.read data) with
  | [ cost; derivation; digest; format; statement ] ->
      ignore (one_of [ "exactdp-certificate/1" ] (Json.text format));
      let cost = Numbers.whole (Json.text cost) Z.one (Z.pow (Z.of_int 10) 100) in
      let bound, mechanisms, theorem = read_statement statement in
      let step =
        match Json.list derivation with
        | [ step ] -> step
        | _ -> raise (Unsupported "several steps")
      in
      if Json.text digest <> Sha256.hex (Json.write statement) then
        reject "the digest is that of another statement";
      let rule, digits, unit = read_step bound theorem step in
      { bound; mechanisms; rule; digits; unit; cost }
  | _ -> fail "certificate"
