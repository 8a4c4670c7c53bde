(* What statements are about, and what they say of it (SPEC, sections 3, 10.1, 11.1, 12.1, 13.1, 14.1
   and 15.1).

   The type of a subject is known: a rule about ledgers is never handed a workload, and one about
   rows that are added or removed no workload where they are replaced. *)

open Lists
open Outcome

type kind = Upper | Lower | Underivable

(* No epsilon means every one. *)
type bound = { kind : kind; at : Numbers.t option; delta : Q.t; group : Z.t }

(* [count] mechanisms that are (epsilon, delta)-DP; [positive]: epsilon > 0. *)
type pair = { epsilon : Numbers.t; delta : Q.t; count : Z.t; positive : bool }

(* [times] mechanisms that are mu-GDP, or rho-zCDP, for a parameter >= 0. *)
type scaled = { parameter : Q.t; times : Z.t }

(* Mechanisms given by (epsilon, delta), by mu and by rho. *)
type ledger = { pairs : pair list; gaussian : scaled list; concentrated : scaled list }

(* The notion of an entry (0: epsilon and delta, 1: mu, 2: rho), and its canonical texts. *)
type texts = int * string list

(* A query: its parameters, as texts and as the ledger of this one mechanism; and for each
   constrained attribute half-open ranges of its values. *)
type query = { texts : texts; parameters : ledger; where : (int * (Z.t * Z.t) list) list }

(* The sizes of the attributes, and the queries. *)
type workload = { sizes : Z.t array; queries : query array }

(* An interactive mechanism: its histories, each with its queries, each with its answers. An answer
   holds its probabilities on the two inputs and the index of the history that follows, or [ending]. *)
type answer = { p : Q.t; q : Q.t; next : int }
type tree = answer list list array

let ending = -1

(* What adds up in a budget; what it is, a mu for [Mu]; and the budget of failures. *)
type measure = Epsilon | Rho | Renyi of Q.t | Mu
type budget = { measure : measure; size : Q.t; failing : Q.t }

(* [answers] answers with discrete Laplace noise, each of which moves by these shifts. *)
type shifted = { scale : Q.t; shifts : Z.t list; answers : Z.t }

(* [noised] mechanisms with Laplace noise. *)
type laplaced = { width : Q.t; sensitivity : Q.t; noised : Z.t }

(* [copies] mechanisms with Rényi divergences of these orders. *)
type divergent = { orders : (Q.t * Q.t) list; copies : Z.t }

(* [written] mechanisms that a table dominates: the probabilities of each output, with the record and
   without it. *)
type tabled = { outputs : (Q.t * Q.t) list; written : Z.t }

(* Mechanisms given by their noise, beside others; [ranged] by the length of the interval that has all
   their losses. *)
type noise = {
  others : ledger;
  shifted : shifted list;
  laplaced : laplaced list;
  ranged : scaled list;
  divergent : divergent list;
  tabled : tabled list;
}

(* What is known of a query's mechanism: the canonical bytes of its entry, without a count; its
   members; and what it says of one mechanism. *)
type named = { bytes : string; members : (string * Json.t) list; known : noise }

(* Queries with the rows that they see, and what is known of their mechanisms. *)
type noise_workload = { asked : workload; named : named array }

(* What the charges may add up to. *)
let limit budget = if budget.measure = Mu then Q.mul budget.size budget.size else budget.size

(* The types of subjects, as values. *)
type _ subject =
  | Budget : budget subject
  | Ledger : ledger subject
  | Noise : noise subject
  | Noise_workload : noise_workload subject
  | Workload : workload subject
  | Replace_one : workload subject
  | Trees : tree list subject

type (_, _) equal = Equal : ('a, 'a) equal

let same (type a b) (a : a subject) (b : b subject) : (a, b) equal option =
  match (a, b) with
  | Budget, Budget -> Some Equal
  | Ledger, Ledger -> Some Equal
  | Noise, Noise -> Some Equal
  | Noise_workload, Noise_workload -> Some Equal
  | Workload, Workload -> Some Equal
  | Replace_one, Replace_one -> Some Equal
  | Trees, Trees -> Some Equal
  | (Budget | Ledger | Noise | Noise_workload | Workload | Replace_one | Trees), _ -> None

type about = About : 's subject * 's -> about
type interaction = Adaptive | Concurrent | Fully_adaptive

type statement = {
  about : about;
  stated : bound;
  interaction : interaction;
  theorem : string;
}

(* The epsilon of a bound that must have one. *)
let finite (bound : bound) =
  match bound.at with Some epsilon -> epsilon | None -> reject "epsilon is every"

(* Whether some mu, or some rho, is above 0. *)
let noisy = List.exists (fun m -> Q.sign m.parameter > 0)

(* The ledger's mechanisms, if all are given by (epsilon, delta), or by a mu or rho of 0. *)
let of_pairs ledger =
  if noisy ledger.gaussian || noisy ledger.concentrated then
    reject "is about mechanisms given by epsilon and delta alone";
  ledger.pairs

let lossless ledger = List.for_all (fun (m : pair) -> Q.sign m.delta = 0) ledger.pairs
let entries l = List.(length l.pairs + length l.gaussian + length l.concentrated)

(* How many mechanisms there are. *)
let count_of pairs = List.sum Z.add Z.zero (fun (m : pair) -> m.count) pairs
let times_of = List.sum Z.add Z.zero (fun m -> m.times)
let count l = Z.(count_of l.pairs + times_of l.gaussian + times_of l.concentrated)

(* As [check_certificate] reads it. *)
let to_checked ledger =
  let repeated m = (Numbers.to_ratio m.parameter, m.times) in
  let pair (m : pair) = ((Numbers.to_checked m.epsilon, Numbers.to_ratio m.delta), m.count) in
  {
    Checks.of_epsilon = List.map pair ledger.pairs;
    of_mu = List.map repeated ledger.gaussian;
    of_rho = List.map repeated ledger.concentrated;
  }
