(* From a certificate's numbers to the integers of the verified checks, and suggestions for them.

   Numbers become integers over a common table of logarithms. Suggestions (integers near
   exponentials, by halving the argument, Taylor's series and squaring) are not trusted: a bad one
   is refused by the check. *)

open Certificate

(* --- numbers over a common table --- *)

let lcm_all = List.fold_left Z.lcm Z.one

(* The parts of a number, and the common denominator and table of several numbers. *)
let common numbers =
  let denominators (n : Numbers.t) = Q.den n.rational :: List.map (fun (c, _) -> Q.den c) n.logs in
  let arguments (n : Numbers.t) = List.map snd n.logs in
  ( lcm_all (List.concat_map denominators numbers),
    List.sort_uniq Q.compare (List.concat_map arguments numbers) )

let combination (denominator, table) (number : Numbers.t) =
  let scaled q = Q.num (Q.mul q (Q.of_bigint denominator)) in
  let coefficient r =
    match List.find_opt (fun (_, r') -> Q.equal r r') number.logs with
    | Some (c, _) -> scaled c
    | None -> Z.zero
  in
  (scaled number.rational, List.map coefficient table)

let quotient q = (Q.num q, Q.den q)

let checked ((denominator, table) as context) mechanisms =
  let entry (m : mechanism) =
    {
      Checks.epsilon = combination context m.epsilon;
      above = Q.num m.delta;
      below = Q.den m.delta;
      count = m.count;
    }
  in
  { Checks.denominator; quotients = List.map quotient table; entries = List.map entry mechanisms }

(* More and more bits; powers are compared for ties only while they are small. *)
let max_power_bits = 1 lsl 24

let power_bits subject numbers (denominator, _) =
  let of_log m (c, r) = Q.mul (Q.mul (Q.of_bigint m) (Q.abs c)) (Q.of_int (Numbers.size r)) in
  let of_number m (n : Numbers.t) =
    let scaled = Z.mul m denominator in
    List.fold_left Q.add Q.zero (List.map (of_log scaled) n.logs)
  in
  let of_mechanism (m : mechanism) =
    Q.add (of_number m.count m.epsilon)
      (Q.mul (Q.of_bigint m.count) (Q.of_int (Numbers.size m.delta)))
  in
  let total = List.fold_left Q.add Q.zero (List.map of_mechanism subject.mechanisms) in
  List.fold_left (fun total n -> Q.add total (of_number Z.one n)) total numbers

(* A subject for the verified checks, over the table of its numbers and of some more. *)
type problem = {
  context : Z.t * Q.t list;
  checked : Checks.subject;
  ties : bool;
  efforts : Checks.effort list;
}

let problem subject numbers =
  let context = common (numbers @ List.map (fun (m : mechanism) -> m.epsilon) subject.mechanisms) in
  let ties = Q.leq (power_bits subject numbers context) (Q.of_int max_power_bits) in
  let effort bits ties = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties } in
  {
    context;
    ties;
    checked = checked context subject.mechanisms;
    efforts = [ effort 96 false; effort 320 ties; effort 1280 false ];
  }

(* --- suggestions --- *)

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
