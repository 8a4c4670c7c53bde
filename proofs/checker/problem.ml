(* From numbers to the integers of the verified checks: combinations of some logarithms, over one
   denominator. The logarithms are those of the numbers; or, where these share factors, those of a
   basis of coprime integers, so that numbers of one value are written alike. That they have the values
   of the numbers is verified.

   What is written may be as long as the product of how many numbers and logarithms there are: it is
   limited by what the cost of a certificate pays for. Where a rule's check is suggested to
   [check_certificate], that computes all of this again, over the same table. *)

open Lists
open Outcome
open Subjects

type t = {
  combination : Numbers.t -> Checks.combination;
  checked : Checks.subject;
  numbering : Checks.numbering;
}

let quotient q = (Q.num q, Q.den q)

(* The coefficients of the table's logarithms, times the denominator. *)
let coefficients denominator table (number : Numbers.t) =
  let scaled q = Q.num (Q.mul q (Q.of_bigint denominator)) in
  let rec all found table logs =
    match (table, logs) with
    | r :: table, (c, r') :: logs when Q.equal r r' -> all (scaled c :: found) table logs
    | _ :: table, (_ :: _ as logs) -> all (Z.zero :: found) table logs
    | _, [] | [], _ -> List.rev found
  in
  (scaled number.rational, all [] table number.logs)

let entry combination (m : pair) =
  {
    Checks.epsilon = combination m.epsilon;
    above = Q.num m.delta;
    below = Q.den m.delta;
    count = m.count;
  }

(* --- what a certificate's cost pays for --- *)

(* For so many numbers, with so many logarithms in all: coefficients in all combinations; bits of the
   denominator; logarithms over a basis. [as_read]: where no rule's cost has anything for numbers. *)
type room = { coefficients : int; denominator_bits : Z.t; over_basis : int }

(* The bits of all coefficients over one denominator, whatever is paid. *)
let most_bits = Z.shift_left Z.one 32

let room as_read numbers =
  let number = Z.of_int (max 1 (List.length numbers)) in
  let logs = List.sum ( + ) 0 (fun n -> Numbers.terms_of n - 1) numbers in
  let size = List.sum ( + ) 0 Numbers.size_of numbers in
  let per_log, bits, over_basis = if as_read then (750, 200_000, 128) else (5000, 250_000, 2048) in
  {
    coefficients = (1 lsl 19) + (per_log * logs);
    denominator_bits =
      (let paid = Z.add (Z.of_int (1 lsl 27)) (Z.mul (Z.of_int 1000) (Z.of_int size)) in
       Z.min (Z.fdiv most_bits number) (Z.add (Z.of_int bits) (Z.fdiv paid number)));
    over_basis;
  }

let common_denominator room numbers =
  let rationals (n : Numbers.t) = n.rational :: List.map fst n.logs in
  let denominators = List.map Q.den (List.concat_map rationals numbers) in
  let extend found d =
    let found = Z.lcm found d in
    if Z.gt (Z.of_int (Z.numbits found)) room.denominator_bits then reject "the denominators are too many, or too large";
    found
  in
  List.fold_left extend Z.one (List.sort_uniq Z.compare denominators)

(* A basis for the table, with the exponents of each of its rationals, if one is needed and there is
   room for it. Without it, equal numbers that are written in different ways may not be proved equal. *)
let basis room numbers table =
  if List.compare_length_with table room.over_basis > 0 || Signs.pairwise_coprime table then None
  else
    let basis = Signs.basis_of table in
    let with_logs = List.filter (fun (n : Numbers.t) -> n.logs <> []) numbers in
    let rows = List.length table + List.length with_logs in
    if rows * List.length basis > room.coefficients then None
    else
      let exponents_of r = List.map (fun p -> Z.of_int (Signs.exponent r p)) basis in
      Some (basis, List.map exponents_of table)

(* Without a basis a combination ends with its last logarithm. *)
let limit_combinations room table numbers =
  let place = Hashtbl.create 64 in
  List.iteri (fun i r -> Hashtbl.replace place (Numbers.rational_text r) (i + 1)) table;
  let length (n : Numbers.t) =
    List.fold_left (fun _ (_, r) -> Hashtbl.find place (Numbers.rational_text r)) 0 n.logs
  in
  if List.sum ( + ) 0 length numbers > room.coefficients then reject "too many logarithms"

let rec entries problem pairs = List.map (entry problem.combination) pairs

(* For the pairs, and numbers that a check needs besides. *)
and make ?(as_read = false) pairs numbers =
  let numbers = List.rev_append numbers (List.map (fun (m : pair) -> m.epsilon) pairs) in
  let room = room as_read numbers in
  let denominator = common_denominator room numbers in
  let arguments (n : Numbers.t) = List.map snd n.logs in
  let table = List.sort_uniq Q.compare (List.concat_map arguments numbers) in
  let directly = coefficients denominator table in
  let combination, quotients, basis_of =
    match basis room numbers table with
    | Some (basis, exponents) ->
        if not (Checks.basis_ok basis exponents (List.map quotient table)) then
          reject "the logarithms are not over one basis";
        ( (fun number -> Checks.over_basis exponents (directly number)),
          List.map (fun p -> (p, Z.one)) basis,
          Some (basis, exponents) )
    | None ->
        limit_combinations room table numbers;
        (directly, List.map quotient table, None)
  in
  let numbering = { Checks.common = denominator; table_for = List.map quotient table; basis_of } in
  let problem = { combination; checked = { Checks.denominator; quotients; entries = [] }; numbering } in
  { problem with checked = { problem.checked with entries = entries problem pairs } }

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
let efforts = [ 96; 320; 1280; 5120; 20_480; 81_920 ]

(* A check, to be done by [check_certificate] over this problem's table. *)
let suggest problem with_effort tried = [ { Checks.with_effort; numbered = problem.numbering; tried } ]

(* At more and more bits; [ties]: whether powers are equal, and to be compared. *)
let suggest_harder ?ties efforts problem tried =
  List.concat_map (fun bits -> suggest problem (effort ?ties bits) tried) efforts

(* Enough for a sign of numbers of a size, as a check may ask for it (SPEC 6.4). *)
let for_signs size =
  let most = (4 * (size + 64)) + 512 in
  List.filter (fun bits -> bits < 4 * most) efforts

(* Enough for signs that are decided as numbers are read, which no rule's cost pays for; with few
   logarithms, what else may be asked for. *)
let of_reading ?(enough = [ 96; 320; 1280 ]) problem =
  let logs = List.length problem.checked.quotients in
  List.filter (fun bits -> bits <= 320 || bits * logs <= (1 lsl 27) / bits) enough

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
