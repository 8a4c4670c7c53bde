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
type proof = Proposals of Checks.proposal list | Hints of ledger * Checks.hint list

(* Proves a bound from the subject alone. [own]: the rule's theorem; [theorems]: those that the
   statement may name. *)
type 's axiom = {
  bound : bound;
  own : string;
  theorems : statement -> string list;
  cost : 's -> Z.t;
  check : 's -> proof;
}

(* From a bound on one subject to a bound on another: by itself, or by proposals to [check_certificate]
   that hints about the other subject, as it is laid out there, are part of. *)
type 't passage = By_itself | Proposing of 't * (Checks.hint list -> Checks.proposal list)

type ('s, 't) inference = {
  concludes : bound;
  premise : 's -> 't;
  cost_given : 's -> bound -> Z.t;
  check_given : interaction -> 's -> bound -> 't passage;
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

(* --- proof --- *)

let need proved = if not proved then reject "not proved"

(* The claim that a bound holds of a ledger that stands in for the statement's subject. *)
let claim own (bound : bound) ledger =
  {
    Checks.claim_kind =
      (match bound.kind with Upper -> Checks.Upper | Lower -> Lower | Underivable -> Underivable);
    claim_epsilon = Option.map Numbers.to_checked bound.at;
    claim_delta = Numbers.to_ratio bound.delta;
    claim_group = Z.one;
    claim_interplay = Adaptive;
    claim_theorem = Json.characters own;
    claim_mechanisms = to_checked ledger;
  }

let check_stand_in name rule ledger hints =
  let claim = claim rule.own rule.bound ledger in
  let check hint =
    Checks.check_bound claim (Json.characters name) hint claim.claim_epsilon claim.claim_delta
  in
  need (List.exists check hints)

(* Whether all has been checked, or [check_certificate] is to go through with one of these. *)
type assurance = By_driver | By_theorem of Checks.proposal list

(* What hints about a ledger are for: the statement, by proposals that they are part of; or a ledger
   that stands in for its subject. *)
type use = For_statement of (Checks.hint list -> Checks.proposal list) | For_stand_in

(* Keeps what a passage has to say of the other subject. *)
let pass used = function
  | Proposing (subject, proposals) -> used := (subject, For_statement proposals); By_driver
  | By_itself -> By_driver

(* The bound that is concluded about a subject, once [spend] has agreed to the cost of each step; and
   what is still to be checked, of the subject as [laid_out] gives it. *)
let rec conclude : type s.
    (Z.t -> unit) -> interaction -> (unit -> use) -> s derivation -> s -> (unit -> s) ->
    bound * (unit -> assurance) list =
 fun spend interaction use derivation subject laid_out ->
  match derivation with
  | By_axiom (name, rule) ->
      let check () =
        match (blamed name (fun () -> rule.check (laid_out ())), use ()) with
        | Proposals proposals, _ -> By_theorem proposals
        | Hints (_, hints), For_statement proposals -> By_theorem (proposals hints)
        | Hints (ledger, hints), For_stand_in ->
            blamed name (fun () -> check_stand_in name rule ledger hints);
            By_driver
      in
      blamed name (fun () -> spend (rule.cost subject));
      (rule.bound, [ check ])
  | Carried (name, rule, reducing, reduction) ->
      spend (blamed reducing (fun () -> reduction.cost_of subject));
      let by = blamed reducing (fun () -> reduction.stand_in subject) in
      let used = ref (by, For_stand_in) in
      let use () = snd !used and laid_out () = fst !used in
      let check () =
        pass used (blamed reducing (fun () -> reduction.check_of subject by))
      in
      let bound, checks = conclude spend interaction use (By_axiom (name, rule)) by laid_out in
      if bound.kind <> reduction.carries then blamed reducing (fun () -> reject "does not carry such a bound");
      (bound, check :: checks)
  | By_inference (name, rule, premise) ->
      let about = blamed name (fun () -> rule.premise subject) in
      let used = ref (about, For_stand_in) in
      let use () = snd !used and laid_out () = fst !used in
      let given, checks = conclude spend interaction use premise about laid_out in
      let check () =
        pass used (blamed name (fun () -> rule.check_given interaction subject given))
      in
      blamed name (fun () -> spend (rule.cost_given subject given));
      (rule.concludes, check :: checks)

let allows statement = function
  | Axiom (_, rule) -> List.mem statement.theorem (rule.theorems statement)
  | Inference _ | Reduction _ -> true

(* Returns only if the derivation proves the statement at the stated cost less [reading], given that
   [check_certificate] goes through where it is asked for. *)
let prove statement steps ~cost ~reading =
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
  let about_ledger hint = Checks.AboutLedger (Checks.Directly hint) in
  let directly () = For_statement (List.map about_ledger) in
  let laid_out () = subject in
  let bound, checks =
    conclude spend statement.interaction directly derivation subject laid_out
  in
  if bound <> statement.stated then reject "the derivation concludes another statement";
  if not (Z.equal !needed cost) then misstated ();
  let both found check =
    match (found, check ()) with
    | By_theorem some, By_theorem more -> By_theorem (List.append some more)
    | By_theorem some, By_driver | By_driver, By_theorem some -> By_theorem some
    | By_driver, By_driver -> By_driver
  in
  List.fold_left both By_driver checks
