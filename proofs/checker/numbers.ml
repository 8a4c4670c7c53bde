(* Canonical numbers (SPEC, section 2): c + sum of c_j ln(r_j), with 1 < r_1 < r_2 < ..., read by the
   verified reader. *)

open Lists
open Outcome

type t = { rational : Q.t; logs : (Q.t * Q.t) list (* coefficient, argument *) }

let of_rational rational = { rational; logs = [] }
let zero = of_rational Q.zero

(* The bits of a rational, above and below the fraction bar together. *)
let size q = Z.numbits (Q.num q) + Z.numbits (Q.den q)

(* The bits of all rationals of a number; and 1 and how many logarithms it has. *)
let size_of number = List.sum ( + ) (size number.rational) (fun (c, r) -> size c + size r) number.logs
let terms_of number = 1 + List.length number.logs

(* --- arithmetic --- *)

(* Terms of equal argument added, those with coefficient 0 dropped, in the order of arguments. *)
let normal_form rational terms =
  let upright (c, r) = if Q.lt r Q.one then (Q.neg c, Q.inv r) else (c, r) in
  let terms = List.map upright terms in
  let terms = List.stable_sort (fun (_, r) (_, r') -> Q.compare r r') terms in
  let merge found (c, r) =
    match found with
    | (c', r') :: rest when Q.equal r r' -> (Q.add c' c, r) :: rest
    | _ -> (c, r) :: found
  in
  let kept (c, r) = Q.sign c <> 0 && not (Q.equal r Q.one) in
  { rational; logs = List.filter kept (List.rev (List.fold_left merge [] terms)) }

(* The sum of factor times number. *)
let linear terms =
  let scaled (factor, number) = List.map (fun (c, r) -> (Q.mul factor c, r)) number.logs in
  let add sum (factor, number) = Q.add sum (Q.mul factor number.rational) in
  normal_form (List.fold_left add Q.zero terms) (List.concat_map scaled terms)

let scale factor number = linear [ (factor, number) ]
let sub x y = linear [ (Q.one, x); (Q.minus_one, y) ]

(* --- text --- *)

let rational_text q =
  let above = Z.to_string (Q.num q) in
  if Z.equal (Q.den q) Z.one then above else above ^ "/" ^ Z.to_string (Q.den q)

let write { rational; logs } =
  let buffer = Buffer.create 64 in
  if Q.sign rational <> 0 || logs = [] then Buffer.add_string buffer (rational_text rational);
  let append (c, r) =
    let size = Q.abs c in
    let first = Buffer.length buffer = 0 in
    Buffer.add_string buffer
      (match (first, Q.sign c > 0) with
      | true, true -> ""
      | true, false -> "-"
      | false, true -> " + "
      | false, false -> " - ");
    if not (Q.equal size Q.one) then Buffer.add_string buffer (rational_text size ^ "*");
    Buffer.add_string buffer ("ln(" ^ rational_text r ^ ")")
  in
  List.iter append logs;
  Buffer.contents buffer

let is_digit c = c >= '0' && c <= '9'
let of_ratio (above, below) = { Q.num = above; den = below }
let to_ratio q = (Q.num q, Q.den q)

let of_checked { Checks.constant; logs } =
  { rational = of_ratio constant; logs = List.map (fun (c, r) -> (of_ratio c, of_ratio r)) logs }

let to_checked { rational; logs } =
  { Checks.constant = to_ratio rational; logs = List.map (fun (c, r) -> (to_ratio c, to_ratio r)) logs }

let read text =
  match Checks.read_number (Json.characters text) with
  | Some number -> of_checked number
  | None -> fail "not a canonical number"

let rational text =
  match read text with
  | { rational; logs = [] } -> rational
  | _ -> fail "not a rational"

(* A rational of at least 0, or from 0 to 1. *)
let not_negative text =
  let q = rational text in
  if Q.sign q < 0 then fail "negative";
  q

let probability text =
  let q = not_negative text in
  if Q.gt q Q.one then fail "above 1";
  q

let whole text least most =
  let q = rational text in
  let n = Q.num q in
  if not (Z.equal (Q.den q) Z.one && Z.leq least n && Z.leq n most) then fail "not in its range";
  n

let small text least most = Z.to_int (whole text (Z.of_int least) (Z.of_int most))
