(* From the bytes of a certificate to its statement and steps (SPEC, sections 1, 4 and 5). *)

open Lists
open Outcome

let max_steps = 1000
let price = Z.of_int 1000

let read_step value =
  match Json.members [ "parameters"; "premises"; "rule" ] value with
  | [ parameters; premises; rule ] -> (
      let premises = List.map (fun i -> Numbers.small i 0 max_steps) (Json.texts premises) in
      let name = Json.text rule in
      match List.find_opt (fun (rule : Kernel.rule) -> rule.name = name) Rules.rules with
      | Some rule -> (name, Kernel.blamed name (fun () -> rule.step parameters), premises)
      | None -> reject ("unknown rule " ^ name))
  | _ -> fail "not a step"

(* A certificate of a cost of at most [max_cost], with its statement and steps and the digest that it
   gives; and what reading it costs. *)
let opened max_cost data =
  let length = Z.of_int (String.length data) in
  if Z.gt length (Z.add (Z.fdiv max_cost price) price) then refuse "too many bytes for the limit";
  match Json.members [ "cost"; "derivation"; "digest"; "format"; "statement" ] (Json.read data) with
  | [ cost; derivation; digest; format; statement ] ->
      ignore (Json.one_of [ "exactdp-certificate/1" ] format);
      let text = Json.text cost in
      if String.length text > 101 then fail "too long a cost";
      let cost = Numbers.whole text Z.one (Z.pow (Z.of_int 10) 100) in
      let reading = Z.mul price (Z.sub length (Z.of_int (String.length text))) in
      if Z.gt cost max_cost then refuse "the cost exceeds the limit";
      if Z.lt cost reading then reject "the cost is below the price of reading";
      let steps = Json.list derivation in
      if steps = [] || List.compare_length_with steps max_steps > 0 then fail "not 1 to 1000 steps";
      if Json.text digest <> Sha256.hex (Json.write statement) then
        reject "the digest is that of another statement";
      (cost, reading, statement, steps)
  | _ -> fail "not a certificate"

(* What is proposed for rules that Coq has no plan for. *)
let by_hand (cost, reading, statement, steps) =
  let statement = Reading.statement statement in
  let steps = Array.of_list (List.map read_step steps) in
  Kernel.propose statement steps ~cost ~reading

(* Returns only if the certificate is to be accepted. *)
let prove max_cost data =
  let opened = opened max_cost data and characters = Json.characters data in
  let proposals =
    match Checks.plan_certificate characters with
    | Planned (Some proposals) -> proposals
    | Planned None -> by_hand opened
    | Rejected why -> reject (Json.string_of why)
    | Malformed why -> fail (Json.string_of why)
    | Refused why -> refuse (Json.string_of why)
  in
  if not (Checks.check_certificate characters proposals) then reject "not proved"
