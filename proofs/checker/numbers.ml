(* Canonical numbers (SPEC, section 2): c + sum of c_j ln(r_j), with 1 < r_1 < r_2 < ... .

   Canonical text is read by a grammar of its own and written again; what is not reproduced to the
   letter is refused. *)

type t = { rational : Q.t; logs : (Q.t * Q.t) list (* coefficient, argument *) }

let fail = Json.fail
let max_characters = 700_000
let max_bits = 1 lsl 20

let rational_text q =
  let above = Z.to_string (Q.num q) in
  if Z.equal (Q.den q) Z.one then above else above ^ "/" ^ Z.to_string (Q.den q)

let write { rational; logs } =
  let first = if Q.sign rational <> 0 || logs = [] then rational_text rational else "" in
  let append text (c, r) =
    let size = Q.abs c in
    let factor = if Q.equal size Q.one then "" else rational_text size ^ "*" in
    let joint =
      match (text, Q.sign c > 0) with
      | "", true -> ""
      | "", false -> "-"
      | _, true -> " + "
      | _, false -> " - "
    in
    text ^ joint ^ factor ^ "ln(" ^ rational_text r ^ ")"
  in
  List.fold_left append first logs

let is_digit c = c >= '0' && c <= '9'

let integer text =
  if text = "" || not (String.for_all is_digit text) then fail "not a number";
  let value = Z.of_string text in
  if Z.numbits value > max_bits then fail "too large a number";
  value

(* digits, or digits/digits *)
let unsigned text =
  match String.index_opt text '/' with
  | None -> Q.of_bigint (integer text)
  | Some at ->
      let rest = String.sub text (at + 1) (String.length text - at - 1) in
      let below = integer rest in
      if Z.sign below = 0 then fail "a division by 0";
      Q.make (integer (String.sub text 0 at)) below

(* A term without its sign: a rational, or [rational*]ln(rational). *)
let term text =
  let length = String.length text in
  let argument from =
    if length < from + 4 || String.sub text from 3 <> "ln(" || text.[length - 1] <> ')' then
      fail "not a number";
    unsigned (String.sub text (from + 3) (length - from - 4))
  in
  match String.index_opt text '*' with
  | Some at -> (unsigned (String.sub text 0 at), Some (argument (at + 1)))
  | None -> if is_digit text.[0] then (unsigned text, None) else (Q.one, Some (argument 0))

let rec terms text sign =
  let length = String.length text in
  let rec joint i =
    if i + 2 >= length then None
    else if text.[i] = ' ' && text.[i + 2] = ' ' then Some i
    else joint (i + 1)
  in
  let signed piece =
    if piece = "" then fail "not a number";
    let c, r = term piece in
    ((if sign then c else Q.neg c), r)
  in
  match joint 0 with
  | None -> [ signed text ]
  | Some at ->
      let rest = String.sub text (at + 3) (length - at - 3) in
      let sign' =
        match text.[at + 1] with '+' -> true | '-' -> false | _ -> fail "not a number"
      in
      signed (String.sub text 0 at) :: terms rest sign'

let read text =
  if String.length text > max_characters then fail "too many characters";
  if text = "" then fail "not a number";
  let negative = text.[0] = '-' in
  let body = if negative then String.sub text 1 (String.length text - 1) else text in
  let parts = terms body (not negative) in
  let rational, rest =
    match parts with (c, None) :: rest -> (c, rest) | rest -> (Q.zero, rest)
  in
  let log = function
    | c, Some r when Q.sign c <> 0 && Q.gt r Q.one -> (c, r)
    | _ -> fail "not a canonical number"
  in
  let logs = List.map log rest in
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

let whole text least most =
  let q = rational text in
  let n = Q.num q in
  if not (Z.equal (Q.den q) Z.one && Z.leq least n && Z.leq n most) then fail "not in its range";
  n
