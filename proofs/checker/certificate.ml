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

(* What is proposed to [check_certificate], for a certificate of a cost of at most [max_cost]. *)
let proposals max_cost data =
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
      let digest = Json.text digest and bytes = Json.write statement in
      let statement = Reading.statement statement in
      let steps = Array.of_list (List.map read_step steps) in
      if digest <> Sha256.hex bytes then reject "the digest is that of another statement";
      Kernel.propose statement steps ~cost ~reading
  | _ -> fail "not a certificate"

(* Returns only if the certificate is to be accepted. *)
let prove max_cost data =
  let proposals = proposals max_cost data in
  if not (Checks.check_certificate (Json.characters data) proposals) then reject "not proved"
