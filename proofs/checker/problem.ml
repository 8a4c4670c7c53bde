(* From numbers to the integers of the verified checks: combinations of the logarithms of one basis of
   coprime integers, over one denominator. That they have the values of the numbers is verified. *)

open Lists
open Outcome
open Subjects

type t = { combination : Numbers.t -> Checks.combination; checked : Checks.subject }

let quotient q = (Q.num q, Q.den q)

(* The coefficients of the table's logarithms, times the denominator. *)
let coefficients denominator table (number : Numbers.t) =
  let scaled q = Q.num (Q.mul q (Q.of_bigint denominator)) in
  let rec all found table logs =
    match (table, logs) with
    | r :: table, (c, r') :: logs when Q.equal r r' -> all (scaled c :: found) table logs
    | _ :: table, logs -> all (Z.zero :: found) table logs
    | [], _ -> List.rev found
  in
  (scaled number.rational, all [] table number.logs)

(* The bits of all coefficients over one denominator. Denominators with little in common make them
   longer than what is read, and what checking costs. *)
let most_bits = 1 lsl 32

let common_denominator rationals =
  let each = most_bits / max 1 (List.length rationals) in
  let extend denominator q =
    let denominator = Z.lcm denominator (Q.den q) in
    if Z.numbits denominator > each then reject "too many denominators for the checker's memory";
    denominator
  in
  List.fold_left extend Z.one rationals

let entry combination (m : pair) =
  {
    Checks.epsilon = combination m.epsilon;
    above = Q.num m.delta;
    below = Q.den m.delta;
    count = m.count;
  }

let rec entries problem pairs = List.map (entry problem.combination) pairs

(* For the pairs, and numbers that a check needs besides. *)
and make pairs numbers =
  let numbers = List.rev_append numbers (List.map (fun (m : pair) -> m.epsilon) pairs) in
  let rationals (n : Numbers.t) = n.rational :: List.map fst n.logs in
  let denominator = common_denominator (List.concat_map rationals numbers) in
  let arguments (n : Numbers.t) = List.map snd n.logs in
  let table = List.sort_uniq Q.compare (List.concat_map arguments numbers) in
  let basis = Signs.basis_of table in
  let exponents = List.map (fun r -> List.map (fun p -> Z.of_int (Signs.exponent r p)) basis) table in
  if not (Checks.basis_ok basis exponents (List.map quotient table)) then
    reject "the logarithms are not over one basis";
  let combination number = Checks.over_basis exponents (coefficients denominator table number) in
  let quotients = List.map (fun p -> (p, Z.one)) basis in
  let checked = { Checks.denominator; quotients; entries = [] } in
  let problem = { combination; checked } in
  { problem with checked = { checked with entries = entries problem pairs } }

let about problem pairs = { problem.checked with entries = entries problem pairs }

let mixed problem ledger =
  let level m =
    { Checks.times = m.times; level_above = Q.num m.parameter; level_below = Q.den m.parameter }
  in
  {
    Checks.approximates = problem.checked;
    gaussians = List.map level ledger.gaussian;
    concentrates = List.map level ledger.concentrated;
  }

(* --- how hard a check is to try --- *)

let effort ?(ties = false) bits = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties }
let need proved = if not proved then reject "not proved"

(* At more and more bits; [ties]: whether powers are equal, and to be compared. *)
let efforts = [ 96; 320; 1280; 5120; 20_480; 81_920 ]
let try_harder ?ties ?(efforts = efforts) check =
  need (List.exists (fun bits -> check (effort ?ties bits)) efforts)

(* Enough where signs are decided as numbers are read (SPEC 6.4). *)
let of_reading = [ 96; 320; 1280 ]

(* At these bits, or as many as it takes to show that no epsilon is negative. *)
let at_least bits problem =
  let shown bits = Checks.subject_ok (effort bits) problem.checked in
  match List.find_opt shown [ bits; max bits 320; max bits 1280 ] with
  | Some bits -> effort bits
  | None -> reject "an epsilon is not proved to be at least 0"

let parts (bound : bound) = quotient bound.delta
let bits_for = Signs.bits_for
let ten = Z.of_int 10
let at_bits x bits = Z.shift_left x bits

(* How much finer than its weights a block of so many mechanisms is computed. *)
let finer most = 12 + (Z.numbits most * 2 / 3)
let most_of pairs = List.fold_left (fun most (m : pair) -> Z.max most m.count) Z.one pairs
