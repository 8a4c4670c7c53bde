(* Enclosures of numbers and their exact signs (SPEC, sections 6.1 and 6.4).

   They decide the shape and the cost of a certificate: whether an epsilon is negative, which
   multiple of a unit it is. What a rule proves is proved by the verified checks alone. *)

let max_digits = 20_000
let first_bits = 128
let max_tie_logs = 10_000
let max_tie_bits = 1 lsl 22
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

(* Pairwise coprime integers > 1 of which each given integer > 0 is a product of powers. *)
let coprime_basis integers =
  let share x y = Z.gt (Z.gcd x y) Z.one in
  let without common x = fst (Z.remove x common) in
  let rec refine basis = function
    | [] -> basis
    | x :: waiting when Z.leq x Z.one -> refine basis waiting
    | x :: waiting -> (
        match List.partition (share x) basis with
        | [], _ -> refine (x :: basis) waiting
        | member :: others, rest ->
            let common = Z.gcd x member in
            refine (others @ rest) (common :: without common x :: without common member :: waiting))
  in
  refine [] integers

let is_zero (number : Numbers.t) =
  let ratios = List.map snd number.logs in
  let bits = List.fold_left (fun total r -> total + Numbers.size r) 0 ratios in
  if List.length ratios > max_tie_logs || bits > max_tie_bits then
    Certificate.reject "too many logarithms to compare exactly";
  let basis = coprime_basis (List.concat_map (fun r -> [ Q.num r; Q.den r ]) ratios) in
  let exponent p r = snd (Z.remove (Q.num r) p) - snd (Z.remove (Q.den r) p) in
  let coordinate p =
    let add total (c, r) = Q.add total (Q.mul c (Q.of_int (exponent p r))) in
    List.fold_left add Q.zero number.logs
  in
  Q.sign number.rational = 0 && List.for_all (fun p -> Q.sign (coordinate p) = 0) basis

(* --- signs --- *)

(* -1, 0 or 1, exactly; it gives up above 20 000 digits, or fewer for many logarithms. *)
let sign (number : Numbers.t) =
  let signs = List.map Q.sign (number.rational :: List.map fst number.logs) in
  let least = List.fold_left min 0 signs and most = List.fold_left max 0 signs in
  let rec closer bits =
    let low, high = enclose number bits in
    if Z.sign low > 0 then 1
    else if Z.sign high < 0 then -1
    else if bits = first_bits && is_zero number then 0
    else if 4 * bits * bits * List.length number.logs > bits_for max_digits * bits_for max_digits then
      Certificate.reject "a sign cannot be decided within the limits"
    else closer (2 * bits)
  in
  if least = 0 || most = 0 then least + most else closer first_bits

(* The least a with a unit >= number, and whether they are equal; number >= 0, unit > 0. *)
let ceil_quotient number unit =
  let rec fine bits =
    let low, high = enclose unit bits in
    if Z.sign low > 0 && Z.leq (Z.sub high low) (Z.shift_right low 64) then (bits, low, high)
    else if 2 * bits > bits_for max_digits then Certificate.reject "the unit is too small"
    else fine (2 * bits)
  in
  let bits, unit_low, unit_high = fine first_bits in
  let low, high = enclose number bits in
  let a = Z.fdiv (Z.max low Z.zero) unit_high in
  if Z.gt (Z.sub (Z.cdiv high unit_low) a) (Z.of_int 2) then
    Certificate.reject "a parameter is too many units";
  let rec least a =
    let order = sign (Numbers.linear [ (Q.of_bigint a, unit); (Q.minus_one, number) ]) in
    if order < 0 then least (Z.succ a) else (a, order = 0)
  in
  least a
