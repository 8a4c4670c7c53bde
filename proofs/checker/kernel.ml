(* The kernel: rules by the types of what they are about, and derivations that fit by their types.

   Nothing here names a rule or looks into a subject. A derivation whose rules do not fit together
   has no type, and cannot be built: [derivation] builds it, or rejects. *)

open Lists
open Outcome
open Subjects

(* --- the parameters of a rule --- *)

(* Keys, and what to make of their values. *)
type 'a fields = { keys : string list; value : (string -> Json.t) -> 'a }

let field key read = { keys = [ key ]; value = (fun at -> read (at key)) }
let nothing = { keys = []; value = ignore }
let ( let+ ) fields f = { keys = fields.keys; value = (fun at -> f (fields.value at)) }
let ( and+ ) a b = { keys = a.keys @ b.keys; value = (fun at -> (a.value at, b.value at)) }

let read fields parameters =
  let keys = List.sort compare fields.keys in
  let values = List.combine keys (Json.members keys parameters) in
  fields.value (fun key -> List.assoc key values)

(* --- rules, with the parameters of a step --- *)

(* What [check_certificate] is to go through with one of: proposals, or hints about a ledger, to be made
   part of some. *)
type proof = Proposals of Checks.proposal list | Hints of Checks.hint list

(* Proves a bound from the subject alone. [theorems]: those that the statement may name. *)
type 's axiom = {
  bound : bound;
  theorems : statement -> string list;
  cost : 's -> Z.t;
  check : 's -> proof;
}

(* From a bound on one subject to a bound on another: that subject as [check_certificate] lays it out,
   and the proposals that a proof about it is part of. *)
type 't passage = 't * (proof -> Checks.proposal list)

let of_hints propose = function Proposals proposals -> proposals | Hints hints -> propose hints

type ('s, 't) inference = {
  concludes : bound;
  premise : 's -> 't;
  cost_given : 's -> bound -> Z.t;
  check_given : 's -> bound -> 't passage;
}

(* Shows that bounds of a kind, for neighbours, carry over from a stand-in to the subject. *)
type ('s, 't) reduction = {
  carries : kind;
  cost_of : 's -> Z.t;
  stand_in : 's -> 't;
  check_of : 's -> 't -> 't passage;
}

type step =
  | Axiom : 's subject * 's axiom -> step
  | Inference : 's subject * 't subject * ('s, 't) inference -> step
  | Reduction : 's subject * 't subject * ('s, 't) reduction -> step

(* A rule reads its own parameters. *)
type rule = { name : string; step : Json.t -> step }

let blamed name f =
  try f () with Rejected what -> reject (Printf.sprintf "rule %s: %s" name what)

(* --- derivations --- *)

type 's derivation =
  | By_axiom : string * 's axiom -> 's derivation
  | Carried : string * 't axiom * string * ('s, 't) reduction -> 's derivation
  | By_inference : string * ('s, 't) inference * 't derivation -> 's derivation

(* What a step has reached. *)
type reached =
  | Bounds : 's subject * 's derivation -> reached
  | Stands_in : string * 's subject * 't subject * ('s, 't) reduction -> reached

let misfit name = reject (Printf.sprintf "rule %s: does not fit" name)

let apply name step premises =
  match (step, premises) with
  | Axiom (about, rule), [] -> Bounds (about, By_axiom (name, rule))
  | Axiom (about, rule), [ Stands_in (reducing, subject, by, reduction) ] -> (
      match same about by with
      | Some Equal -> Bounds (subject, Carried (name, rule, reducing, reduction))
      | None -> misfit name)
  | Inference (about, from, rule), [ Bounds (subject, premise) ] -> (
      match same from subject with
      | Some Equal -> Bounds (about, By_inference (name, rule, premise))
      | None -> misfit name)
  | Reduction (subject, by, rule), [] -> Stands_in (name, subject, by, rule)
  | (Axiom _ | Inference _ | Reduction _), _ -> misfit name

(* Steps with the indices of their premises, each used once but for the last. *)
let reached steps =
  let last = Array.length steps - 1 in
  let used = Array.make (last + 1) false in
  let rec from index =
    let name, step, premises = steps.(index) in
    let earlier premise =
      if premise >= index then reject "a premise is not an earlier step";
      if used.(premise) then reject "a step is used twice";
      used.(premise) <- true;
      from premise
    in
    apply name step (List.map earlier premises)
  in
  let result = from last in
  used.(last) <- true;
  if not (Array.for_all Fun.id used) then reject "a step is not used";
  result

let derivation (type s) (about : s subject) steps : s derivation =
  let name, _, _ = steps.(Array.length steps - 1) in
  match reached steps with
  | Bounds (subject, derivation) -> (
      match same about subject with Some Equal -> derivation | None -> misfit name)
  | Stands_in _ -> misfit name

(* --- what is proposed --- *)

(* The bound that is concluded about a subject, once [spend] has agreed to the cost of each step; and
   what is proposed, from the subject and what hints about it are for. *)
let rec conclude : type s.
    (Z.t -> unit) -> s derivation -> s -> bound * (s passage -> Checks.proposal list) =
 fun spend derivation subject ->
  match derivation with
  | By_axiom (name, rule) ->
      let propose (laid_out, proposals) = proposals (blamed name (fun () -> rule.check laid_out)) in
      blamed name (fun () -> spend (rule.cost subject));
      (rule.bound, propose)
  | Carried (name, rule, reducing, reduction) ->
      spend (blamed reducing (fun () -> reduction.cost_of subject));
      let by = blamed reducing (fun () -> reduction.stand_in subject) in
      let bound, propose = conclude spend (By_axiom (name, rule)) by in
      if bound.kind <> reduction.carries then blamed reducing (fun () -> reject "does not carry such a bound");
      (bound, fun _ -> propose (blamed reducing (fun () -> reduction.check_of subject by)))
  | By_inference (name, rule, premise) ->
      let about = blamed name (fun () -> rule.premise subject) in
      let given, propose = conclude spend premise about in
      blamed name (fun () -> spend (rule.cost_given subject given));
      (rule.concludes, fun _ -> propose (blamed name (fun () -> rule.check_given subject given)))

let allows statement = function
  | Axiom (_, rule) -> List.mem statement.theorem (rule.theorems statement)
  | Inference _ | Reduction _ -> true

(* What is proposed to [check_certificate], if the derivation concludes the statement, at the stated
   cost less [reading]. *)
let propose statement steps ~cost ~reading =
  let needed = ref reading in
  let misstated () = reject (Z.to_string !needed ^ " is the cost that is needed") in
  let spend more =
    needed := Z.add !needed more;
    if Z.gt !needed cost then misstated ()
  in
  let (About (about, subject)) = statement.about in
  let derivation = derivation about steps in
  if not (Array.for_all (fun (_, step, _) -> allows statement step) steps) then
    reject "rests on another theorem";
  let bound, proposals = conclude spend derivation subject in
  if bound <> statement.stated then reject "the derivation concludes another statement";
  if not (Z.equal !needed cost) then misstated ();
  let directly hint = Checks.AboutLedger (Checks.Directly hint) in
  proposals (subject, of_hints (List.map directly))
