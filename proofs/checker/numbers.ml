(* Canonical numbers (SPEC, section 2): c + sum of c_j ln(r_j), with 1 < r_1 < r_2 < ... .

   Canonical text is read by a grammar of its own and written again; what is not reproduced to the
   letter is refused. *)

open Lists
open Outcome

type t = { rational : Q.t; logs : (Q.t * Q.t) list (* coefficient, argument *) }

let max_characters = 50_000
let max_bits = 1 lsl 16
let max_total_bits = 1 lsl 17
let max_logarithms = 1000
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

let integer text =
  if String.length text > max_characters then fail "too many characters";
  if text = "" || not (String.for_all is_digit text) then fail "not a number";
  let value = Z.of_string text in
  if Z.numbits value > max_bits then fail "too large a number";
  value

(* digits, or digits/digits; its bits are taken from those that are left. *)
let unsigned left text =
  let above, below =
    match String.index_opt text '/' with
    | None -> (integer text, Z.one)
    | Some at ->
        let rest = String.sub text (at + 1) (String.length text - at - 1) in
        (integer (String.sub text 0 at), integer rest)
  in
  if Z.sign below = 0 then fail "a division by 0";
  if Z.sign above <> 0 then left := !left - Z.numbits above - Z.numbits below;
  if !left < 0 then fail "too large a number";
  Q.make above below

(* A term without its sign: a rational, or [rational*]ln(rational). *)
let term left text =
  let length = String.length text in
  let argument from =
    if length < from + 4 || String.sub text from 3 <> "ln(" || text.[length - 1] <> ')' then
      fail "not a number";
    unsigned left (String.sub text (from + 3) (length - from - 4))
  in
  match String.index_opt text '*' with
  | Some at ->
      let coefficient = unsigned left (String.sub text 0 at) in
      (coefficient, Some (argument (at + 1)))
  | None ->
      if text <> "" && is_digit text.[0] then (unsigned left text, None)
      else (Q.one, Some (argument 0))

(* Terms joined by " + " and " - ". *)
let terms text =
  let left = ref max_total_bits in
  let negative = text <> "" && text.[0] = '-' in
  let body = if negative then String.sub text 1 (String.length text - 1) else text in
  let signed negative text =
    let c, r = term left text in
    ((if negative then Q.neg c else c), r)
  in
  let rec more found = function
    | "+" :: text :: rest -> more (signed false text :: found) rest
    | "-" :: text :: rest -> more (signed true text :: found) rest
    | [] -> List.rev found
    | _ -> fail "not a number"
  in
  match String.split_on_char ' ' body with
  | first :: rest -> more [ signed negative first ] rest
  | [] -> fail "not a number"

let read text =
  if String.length text > max_characters then fail "too many characters";
  let rational, rest =
    match terms text with (c, None) :: rest -> (c, rest) | rest -> (Q.zero, rest)
  in
  let log = function
    | c, Some r when Q.sign c <> 0 && Q.gt r Q.one -> (c, r)
    | _ -> fail "not a canonical number"
  in
  let logs = List.map log rest in
  if List.compare_length_with logs max_logarithms > 0 then fail "too many logarithms";
  let rec increasing = function
    | (_, r) :: ((_, r') :: _ as rest) -> Q.lt r r' && increasing rest
    | _ -> true
  in
  let number = { rational; logs } in
  if not (increasing logs && write number = text) then fail "not a canonical number";
  number

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
