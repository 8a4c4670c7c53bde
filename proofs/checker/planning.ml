(* Suggestions for the verified check of `grid`: multiples, and integers near exponentials.

   Nothing here is trusted: a bad suggestion is refused by the check. Exponentials are computed by
   halving the argument, Taylor's series and squaring, and then moved a little to the safe side. *)

let guard = 64
let bits_for digits = (digits * 10 / 3) + 1

(* About 2^bits e^(-v), for v >= 0 given times 2^(bits + guard). *)
let exp_minus bits v =
  let work = bits + guard in
  let halvings = max 0 (Z.numbits v - work) + 12 in
  let fine = work + (2 * halvings) in
  let v = Z.shift_right (Z.shift_left v (2 * halvings)) halvings in
  let rec series sum term n =
    if Z.sign term = 0 then sum
    else
      let next = Z.neg (Z.div (Z.shift_right (Z.mul term v) fine) (Z.of_int n)) in
      series (Z.add sum next) next (n + 1)
  in
  let one = Z.shift_left Z.one fine in
  let rec squared x n = if n = 0 then x else squared (Z.shift_right (Z.mul x x) fine) (n - 1) in
  Z.shift_right (squared (series one one 1) halvings) (fine - bits)

(* A combination, times 2^bits, from below and without its denominator. *)
let approximate bits (subject : Checks.subject) (c, ks) =
  let term (u, v) k =
    let low, _ = Checks.ln_bounds (Z.of_int bits) ((bits / 3) + 4) u v in
    Z.mul k low
  in
  let logs = List.fold_left Z.add Z.zero (List.map2 term subject.quotients ks) in
  Z.fdiv (Z.add (Z.shift_left c bits) logs) subject.denominator

let slop = Z.of_int 64

(* 2^bits e^(-x) from below and from above. *)
let around bits subject x =
  let one = Z.shift_left Z.one bits in
  let v = Z.max Z.zero (approximate (bits + guard) subject x) in
  let middle = exp_minus bits v in
  ( Z.max Z.zero (Z.sub middle slop),
    Z.max Z.one (Z.min one (Z.add middle slop)) )

(* The least a with a unit >= x, and the greatest with a unit <= x. *)
let multiples nonneg bits subject unit x =
  let scaled m y = Checks.cscale m y in
  let low = approximate bits subject x and per = approximate bits subject unit in
  if Z.sign per <= 0 then Certificate.reject "the unit is too small";
  let start = Z.max Z.zero (Z.pred (Z.fdiv low per)) in
  let rec least a =
    if nonneg (Checks.csub (scaled a unit) x) then a
    else if Z.gt a (Z.add start (Z.of_int 4)) then
      Certificate.reject "a parameter is too many units"
    else least (Z.succ a)
  in
  let up = least start in
  (up, if nonneg (Checks.csub x (scaled up unit)) then up else Z.pred up)
