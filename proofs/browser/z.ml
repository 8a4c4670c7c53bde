(* Zarith's integers, those functions that the checker calls, over BigInt (bigint.js). *)

type t

exception Overflow
exception Too_long

let () = Callback.register_exception "exactdp.too-long" Too_long

external of_int : int -> t = "exactdp_of_int"
external unguarded_to_int : t -> int = "exactdp_to_int"
external fits_int : t -> bool = "exactdp_fits"
external add : t -> t -> t = "exactdp_add"
external sub : t -> t -> t = "exactdp_sub"
external mul : t -> t -> t = "exactdp_mul"
external neg : t -> t = "exactdp_neg"
external truncated_div : t -> t -> t = "exactdp_div"
external truncated_rem : t -> t -> t = "exactdp_rem"
external sign : t -> int = "exactdp_sign"
external compare : t -> t -> int = "exactdp_compare"
external is_odd : t -> bool = "exactdp_is_odd"
external unguarded_shift_left : t -> int -> t = "exactdp_shift_left"
external unguarded_shift_right : t -> int -> t = "exactdp_shift_right"
external numbits : t -> int = "exactdp_numbits"
external of_digits : string -> t = "exactdp_of_digits"
external to_string : t -> string = "exactdp_to_string"

let zero = of_int 0
let one = of_int 1
let to_int a = if fits_int a then unguarded_to_int a else raise Overflow

(* --- order --- *)

let equal a b = compare a b = 0
let leq a b = compare a b <= 0
let lt a b = compare a b < 0
let geq a b = compare a b >= 0
let max a b = if lt a b then b else a
let min a b = if lt b a then b else a
let abs a = if sign a < 0 then neg a else a
let succ a = add a one
let pred a = sub a one

(* --- division --- *)

let by b = if sign b = 0 then raise Division_by_zero
let div a b = by b; truncated_div a b
let rem a b = by b; truncated_rem a b

(* Rounded down. *)
let fdiv a b =
  let quotient = div a b in
  let rest = sub a (mul quotient b) in
  if sign rest <> 0 && sign rest <> sign b then pred quotient else quotient

(* The remainder from 0 to |b| - 1. *)
let erem a b =
  let rest = rem a b in
  if sign rest < 0 then add rest (abs b) else rest

let gcd a b =
  let rec common a b = if sign b = 0 then a else common b (truncated_rem a b) in
  common (abs a) (abs b)

(* --- bits --- *)

let shift a n unguarded = if n < 0 then invalid_arg "shift" else unguarded a n
let shift_left a n = shift a n unguarded_shift_left
let shift_right a n = shift a n unguarded_shift_right
let log2 a = if sign a <= 0 then invalid_arg "log2" else numbits a - 1

(* --- powers and roots --- *)

let pow a n =
  if n < 0 then invalid_arg "pow";
  let rec times product a n =
    if n = 0 then product
    else
      let product = if n land 1 = 1 then mul product a else product in
      if n = 1 then product else times product (mul a a) (n / 2)
  in
  times one a n

(* The greatest integer whose power is at most a >= 0: Newton's steps, from above. *)
let root a n =
  if sign a < 0 || n < 1 then invalid_arg "root";
  let rec fall x =
    let rest = div a (pow x (n - 1)) in
    let next = div (add (mul (of_int (n - 1)) x) rest) (of_int n) in
    if geq next x then x else fall next
  in
  if sign a = 0 then zero else fall (shift_left one ((numbits a / n) + 1))

let sqrt a = root a 2

(* --- text --- *)

let of_string text =
  let is_digit c = c >= '0' && c <= '9' in
  if text = "" || not (String.for_all is_digit text) then invalid_arg "of_string";
  of_digits text
