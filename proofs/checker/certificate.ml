(* Certificates (SPEC, sections 3, 4, 10 and 11): what a file holds once its shape has been read.

   Nothing is proved here. A rule's check raises [Rejected] if it does not go through. *)

exception Rejected of string
exception Refused of string

let fail = Json.fail
let reject what = raise (Rejected what)

type kind = Upper | Lower | Underivable

(* [count] mechanisms that are (epsilon, delta)-DP; [positive]: epsilon > 0. *)
type mechanism = { epsilon : Numbers.t; delta : Q.t; count : Z.t; positive : bool }

(* [count] mechanisms that are mu-GDP, or rho-zCDP, for a parameter >= 0. *)
type scaled = { parameter : Q.t; count : Z.t }

(* An interactive mechanism: its histories, each with its queries, each with its answers. An answer
   holds its probabilities on the two inputs and the index of the history that follows, or [ending]. *)
type answer = { p : Q.t; q : Q.t; next : int }
type tree = answer list list array

let ending = -1

(* Mechanisms given by (epsilon, delta), by mu and by rho; or interactive ones, alone. *)
type subject = {
  mechanisms : mechanism list;
  gaussian : scaled list;
  concentrated : scaled list;
  trees : tree list;
}

(* The notion of an entry (0: epsilon and delta, 1: mu, 2: rho), and its canonical texts. *)
type texts = int * string list

(* A query: its parameters, as texts and as the subject of this one mechanism; and for each
   constrained attribute half-open ranges of its values. *)
type query = { texts : texts; parameters : subject; where : (int * (Z.t * Z.t) list) list }

(* The sizes of the attributes, and the queries. *)
type workload = { sizes : Z.t array; queries : query array }

type about = Mechanisms of subject | Queries of workload

(* No epsilon means every one. *)
type bound = { kind : kind; at : Numbers.t option; delta : Q.t; group : Z.t }

(* A step that concludes a bound. [given]: what its premises conclude. A parameter that a rule does
   not have stands at some value. *)
type step = {
  rule : string;
  premises : int list;
  given : bound list;
  bound : bound;
  digits : int;
  sums : int;
  unit : Numbers.t;
  alpha : Q.t;
  pair : Numbers.t;
  deltas : Q.t list;
  bits : int;
  odds : Q.t;
  input : int;
  choices : int list;
  simulation : Q.t list list;
}

(* A step that concludes a ledger, which stands in for the workload. *)
type reduction = {
  reduced_by : string;
  rests_on : int list;
  workload : workload;
  row : (int * Z.t) list;
  colours : int list list;
}

type statement = {
  about : about;
  stated : bound;
  neighbouring : string;
  interaction : string;
  theorem : string;
}

(* The epsilon of a bound that must have one. *)
let finite (bound : bound) =
  match bound.at with Some epsilon -> epsilon | None -> reject "epsilon is every"

let total_of square entries =
  let add total (m : scaled) = Q.add total (Q.mul (Q.of_bigint m.count) (square m.parameter)) in
  List.fold_left add Q.zero entries

(* The sums of all mu^2 and of all rho. *)
let square subject = total_of (fun mu -> Q.mul mu mu) subject.gaussian
let rho subject = total_of Fun.id subject.concentrated

(* Whether all are given by (epsilon, delta), or by a mu or rho of 0. *)
let of_pairs subject = Q.sign (square subject) = 0 && Q.sign (rho subject) = 0
