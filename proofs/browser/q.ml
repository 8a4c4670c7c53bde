(* Zarith's rationals, those functions that the checker calls; 1/0 is above all others. *)

type t = { num : Z.t; den : Z.t }

let num q = q.num
let den q = q.den
let of_bigint num = { num; den = Z.one }
let of_int n = of_bigint (Z.of_int n)
let zero = of_int 0
let one = of_int 1
let minus_one = of_int (-1)
let inf = { num = Z.one; den = Z.zero }

(* In lowest terms, with a denominator above 0. *)
let make num den =
  if Z.sign den = 0 then raise Division_by_zero;
  let common = if Z.sign den < 0 then Z.neg (Z.gcd num den) else Z.gcd num den in
  { num = Z.divexact num common; den = Z.divexact den common }

let sign q = Z.sign q.num
let neg q = { q with num = Z.neg q.num }
let abs q = { q with num = Z.abs q.num }
let inv q = make q.den q.num
let mul a b = make (Z.mul a.num b.num) (Z.mul a.den b.den)
let div a b = mul a (inv b)
let add a b = make (Z.add (Z.mul a.num b.den) (Z.mul b.num a.den)) (Z.mul a.den b.den)
let sub a b = add a (neg b)

(* With 1/0 the products compare as they should. *)
let compare a b = Z.compare (Z.mul a.num b.den) (Z.mul b.num a.den)
let equal a b = Z.equal a.num b.num && Z.equal a.den b.den
let lt a b = compare a b < 0
let leq a b = compare a b <= 0
let gt a b = compare a b > 0
let max a b = if lt a b then b else a
