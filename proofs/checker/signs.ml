(* Enclosures of numbers and their exact signs (SPEC, sections 6.1 and 6.4).

   They decide the shape and the cost of a certificate: whether an epsilon is negative, which
   multiple of a unit it is; and they refuse at once what a check would fail to prove. What a rule
   proves is proved by the verified checks alone. *)

open Lists
open Outcome

let max_digits = 20_000
let first_bits = 128
let bits_for digits = (digits * 10 / 3) + 1
let ceil_shift x bits = Z.neg (Z.shift_right (Z.neg x) bits)

(* --- logarithms --- *)

(* artanh(t) = t + t^3/3 + ... for t = above/below from 0 to 1/3, times 2^bits. *)
let artanh above below bits =
  let scaled = Z.shift_left above bits in
  let low = Z.fdiv scaled below and high = Z.cdiv scaled below in
  let square_low, square_high, square_below =
    if Z.numbits below > bits then
      (Z.shift_right (Z.mul low low) bits, ceil_shift (Z.mul high high) bits, Z.shift_left Z.one bits)
    else (Z.mul above above, Z.mul above above, Z.mul below below)
  in
  let rec series sum_low sum_high low high odd =
    if Z.leq high Z.one then (sum_low, Z.add sum_high (Z.shift_left high 1))
    else
      series
        (Z.add sum_low (Z.fdiv low (Z.of_int odd)))
        (Z.add sum_high (Z.cdiv high (Z.of_int odd)))
        (Z.fdiv (Z.mul low square_low) square_below)
        (Z.cdiv (Z.mul high square_high) square_below)
        (odd + 2)
  in
  series Z.zero Z.zero low high 1

let known_ln2 = Hashtbl.create 16

let ln2 bits =
  match Hashtbl.find_opt known_ln2 bits with
  | Some ends -> ends
  | None ->
      let low, high = artanh Z.one (Z.of_int 3) bits in
      let ends = (Z.shift_left low 1, Z.shift_left high 1) in
      Hashtbl.add known_ln2 bits ends;
      ends

(* The logarithm of a rational >= 1, as m ln 2 + 2 artanh(t) with 2/3 <= r/2^m <= 4/3. *)
let enclose_ln ratio bits =
  let above = Q.num ratio and below = Q.den ratio in
  let m = Z.numbits above - Z.numbits below in
  let times n x = Z.mul (Z.of_int n) x in
  let m =
    if Z.gt (times 3 above) (times 4 (Z.shift_left below m)) then m + 1
    else if Z.lt (times 3 above) (times 2 (Z.shift_left below m)) then m - 1
    else m
  in
  let below = Z.shift_left below m in
  let low, high = artanh (Z.abs (Z.sub above below)) (Z.add above below) bits in
  let low, high = if Z.lt above below then (Z.neg high, Z.neg low) else (low, high) in
  let ln2_low, ln2_high = ln2 bits in
  let sum part twice = Z.add (times m part) (Z.shift_left twice 1) in
  (sum ln2_low low, sum ln2_high high)

(* The value of a number, times 2^bits. *)
let enclose (number : Numbers.t) bits =
  let excess (c, _) = Z.numbits (Q.num c) - Z.numbits (Q.den c) in
  let guard = 40 + min (List.fold_left (fun most log -> max most (excess log)) 0 number.logs) 256 in
  let above = Z.shift_left (Q.num number.rational) (bits + guard) in
  let below = Q.den number.rational in
  let add (low, high) (c, r) =
    let ln_low, ln_high = enclose_ln r (bits + guard) in
    let ln_low, ln_high = if Q.sign c > 0 then (ln_low, ln_high) else (ln_high, ln_low) in
    ( Z.add low (Z.fdiv (Z.mul (Q.num c) ln_low) (Q.den c)),
      Z.add high (Z.cdiv (Z.mul (Q.num c) ln_high) (Q.den c)) )
  in
  let low, high = List.fold_left add (Z.fdiv above below, Z.cdiv above below) number.logs in
  (Z.shift_right low guard, ceil_shift high guard)

(* --- coprime bases --- *)

(* What is left of x > 0 without its powers of p > 1, and how many those are. (Not Zarith's own, which
   has the garbage collector see a block without contents, and ends in a corrupted heap.) *)
let rec remove x p =
  if not (Z.divisible x p) then (x, 0)
  else
    let rest, squares = remove (Z.divexact x p) (Z.mul p p) in
    if Z.divisible rest p then (Z.divexact rest p, (2 * squares) + 2) else (rest, (2 * squares) + 1)

(* Whether no two of some rationals have a factor in common, above or below. *)
let pairwise_coprime ratios =
  let rec in_pairs found = function
    | x :: y :: rest ->
        Z.equal (Z.gcd x y) Z.one && in_pairs (Z.mul x y :: found) rest
    | rest -> all (List.rev_append found rest)
  and all = function [] | [ _ ] -> true | level -> in_pairs [] level in
  all (List.map (fun r -> Z.mul (Q.num r) (Q.den r)) ratios)

(* Pairwise coprime integers > 1 of which each given integer > 0 is a product of powers. *)
let coprime_basis integers =
  let share x y = Z.gt (Z.gcd x y) Z.one in
  let without common x = fst (remove x common) in
  let rec refine basis = function
    | [] -> basis
    | x :: waiting when Z.leq x Z.one -> refine basis waiting
    | x :: waiting -> (
        match List.partition (share x) basis with
        | [], _ -> refine (x :: basis) waiting
        | member :: others, rest ->
            let common = Z.gcd x member in
            let parts = [ common; without common x; without common member ] in
            refine (List.rev_append others rest) (parts @ waiting))
  in
  refine [] integers

(* The numerators and denominators of ratios over such a basis, within limits of how many ratios and
   of their bits. *)
let basis_of ?(most_ratios = 10_000) ?(most_bits = 1 lsl 22) ratios =
  if
    List.compare_length_with ratios most_ratios > 0
    || List.sum ( + ) 0 Numbers.size ratios > most_bits
  then reject "too many logarithms to compare exactly";
  coprime_basis (List.concat_map (fun r -> [ Q.num r; Q.den r ]) ratios)

let exponent r p = snd (remove (Q.num r) p) - snd (remove (Q.den r) p)

(* Whether a sum of logarithms is 0. *)
let cancels ?most_ratios ?most_bits logs =
  let coordinate p =
    List.sum Q.add Q.zero (fun (c, r) -> Q.mul c (Q.of_int (exponent r p))) logs
  in
  let basis = basis_of ?most_ratios ?most_bits (List.map snd logs) in
  List.for_all (fun p -> Q.sign (coordinate p) = 0) basis

(* --- signs --- *)

(* The sign of what [ends] encloses at 128 bits, 256, ...; [is_zero] is asked once. *)
let decided ends is_zero within =
  let rec closer bits =
    let low, high = ends bits in
    if Z.sign low > 0 then 1
    else if Z.sign high < 0 then -1
    else if bits = first_bits && is_zero () then 0
    else if not (within (2 * bits)) then reject "a sign cannot be decided within the limits"
    else closer (2 * bits)
  in
  closer first_bits

(* -1, 0 or 1, exactly, of a number that is read: it gives up early. *)
let sign (number : Numbers.t) =
  let signs = List.map Q.sign (number.rational :: List.map fst number.logs) in
  let least = List.fold_left min 0 signs and most = List.fold_left max 0 signs in
  if least = 0 || most = 0 then least + most
  else
    let few = List.compare_length_with number.logs 16 <= 0 in
    let is_zero () =
      few && Q.sign number.rational = 0 && cancels ~most_ratios:16 ~most_bits:4096 number.logs
    in
    decided (enclose number) is_zero (fun bits -> bits <= if few then 1024 else 256)

(* The numerator of a sum of factor times rational over some denominator > 0: in pairs, and without
   the greatest common divisors that would take longer than the products. *)
let exact_sum terms =
  let by_denominator =
    List.sort (fun (_, d) (_, d') -> Z.compare d d')
      (List.map (fun (factor, q) -> (Z.mul factor (Q.num q), Q.den q)) terms)
  in
  let merge found (above, below) =
    match found with
    | (a, b) :: rest when Z.equal b below -> (Z.add a above, b) :: rest
    | _ -> (above, below) :: found
  in
  let rec in_pairs found = function
    | (a, b) :: (c, d) :: rest -> in_pairs ((Z.(add (mul a d) (mul c b)), Z.mul b d) :: found) rest
    | rest -> List.rev_append found rest
  in
  let rec all = function
    | [] -> Z.zero
    | [ (above, _) ] -> above
    | level -> all (in_pairs [] level)
  in
  all (List.fold_left merge [] by_denominator)

let square n = Z.mul (Z.of_int n) (Z.of_int n)

(* The sign of a sum of numbers with integer factors, as a check may ask for at its cost. *)
let sign_of_sum terms =
  let logs (factor, (n : Numbers.t)) = List.map (fun (c, r) -> (Q.mul (Q.of_bigint factor) c, r)) n.logs in
  let irrational = Numbers.normal_form Q.zero (List.concat_map logs terms) in
  let rationals = List.map (fun (factor, (n : Numbers.t)) -> (factor, n.rational)) terms in
  if irrational.logs = [] then Z.sign (exact_sum rationals)
  else
    let most = List.fold_left (fun most (_, n) -> max most (Numbers.size_of n)) 0 terms in
    let number = List.length irrational.logs in
    let within bits =
      bits <= (4 * (most + 64)) + 512
      && Z.leq (Z.mul (Z.of_int number) (square bits)) (square (bits_for max_digits))
    in
    let ends bits =
      let add (low, high) (factor, q) =
        let above = Z.shift_left (Z.mul factor (Q.num q)) bits in
        (Z.add low (Z.fdiv above (Q.den q)), Z.add high (Z.cdiv above (Q.den q)))
      in
      List.fold_left add (enclose irrational bits) rationals
    in
    let is_zero () = Z.sign (exact_sum rationals) = 0 && cancels irrational.logs in
    decided ends is_zero within

(* The sign of the sum of count ln(1 - delta_i) less ln(1 - delta), which is that of Delta. *)
let sign_of_delta failures delta =
  let log d = Numbers.normal_form Q.zero [ (Q.one, Q.sub Q.one d) ] in
  if Q.equal delta Q.one then 1
  else
    sign_of_sum ((Z.minus_one, log delta) :: List.map (fun (d, count) -> (count, log d)) failures)

(* The least a with a unit >= number, and whether they are equal; number >= 0, unit > 0. *)
let ceil_quotient (number : Numbers.t) (unit : Numbers.t) =
  if number.logs = [] && unit.logs = [] then
    let quotient = Q.div number.rational unit.rational in
    (Z.cdiv (Q.num quotient) (Q.den quotient), Z.equal (Q.den quotient) Z.one)
  else
    let rec fine bits =
      let low, high = enclose unit bits in
      if Z.sign low > 0 && Z.leq (Z.sub high low) (Z.shift_right low 64) then (bits, low, high)
      else if 2 * bits > 1024 then reject "the unit is too small"
      else fine (2 * bits)
    in
    let bits, unit_low, unit_high = fine first_bits in
    let low, high = enclose number bits in
    let a = Z.fdiv (Z.max low Z.zero) unit_high in
    if Z.gt (Z.sub (Z.cdiv high unit_low) a) (Z.of_int 2) then
      reject "a parameter is too many units";
    let rec least a =
      let order = sign (Numbers.linear [ (Q.of_bigint a, unit); (Q.minus_one, number) ]) in
      if order < 0 then least (Z.succ a) else (a, order = 0)
    in
    least a
