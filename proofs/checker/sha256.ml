(* SHA-256 (FIPS 180-4) of a string, in lower-case hexadecimal. *)

let ( + ) = Int32.add
let ( &&& ) = Int32.logand
let ( ^^^ ) = Int32.logxor
let ( >>> ) = Int32.shift_right_logical

let first_primes n =
  let rec from candidate found =
    if List.length found = n then List.rev found
    else if List.exists (fun p -> candidate mod p = 0) found then from (succ candidate) found
    else from (succ candidate) (candidate :: found)
  in
  from 2 []

(* The first 32 bits of the fractional part of the root: floor(root * 2^32) mod 2^32. *)
let fraction root p =
  let scaled = Z.root (Z.shift_left (Z.of_int p) (32 * root)) root in
  let half at = Int32.of_int (Z.to_int (Z.erem (Z.shift_right scaled at) (Z.of_int 65536))) in
  Int32.logor (Int32.shift_left (half 16) 16) (half 0)

let initial = Array.of_list (List.map (fraction 2) (first_primes 8))
let constants = Array.of_list (List.map (fraction 3) (first_primes 64))
let rotate x n = Int32.logor (x >>> n) (Int32.shift_left x (32 - n))

let padded text =
  let length = String.length text in
  let zeros = (119 - (length mod 64)) mod 64 in
  let bits = Bytes.create 8 in
  Bytes.set_int64_be bits 0 (Int64.of_int (8 * length));
  text ^ "\x80" ^ String.make zeros '\x00' ^ Bytes.to_string bits

let schedule data at =
  let w = Array.init 64 (fun t -> if t < 16 then String.get_int32_be data Stdlib.(at + (4 * t)) else 0l) in
  for t = 16 to 63 do
    let x = w.(t - 15) and y = w.(t - 2) in
    let s0 = rotate x 7 ^^^ rotate x 18 ^^^ (x >>> 3) in
    let s1 = rotate y 17 ^^^ rotate y 19 ^^^ (y >>> 10) in
    w.(t) <- w.(t - 16) + s0 + w.(t - 7) + s1
  done;
  w

let block state data at =
  let w = schedule data at and v = Array.copy state in
  for t = 0 to 63 do
    let a = v.(0) and e = v.(4) in
    let s1 = rotate e 6 ^^^ rotate e 11 ^^^ rotate e 25 in
    let choice = (e &&& v.(5)) ^^^ (Int32.lognot e &&& v.(6)) in
    let t1 = v.(7) + s1 + choice + constants.(t) + w.(t) in
    let s0 = rotate a 2 ^^^ rotate a 13 ^^^ rotate a 22 in
    let majority = (a &&& v.(1)) ^^^ (a &&& v.(2)) ^^^ (v.(1) &&& v.(2)) in
    Array.blit v 0 v 1 7;
    v.(4) <- v.(4) + t1;
    v.(0) <- t1 + s0 + majority
  done;
  Array.map2 ( + ) state v

let hex text =
  let data = padded text in
  let rec run state at =
    if at = String.length data then state else run (block state data at) Stdlib.(at + 64)
  in
  String.concat "" (List.map (Printf.sprintf "%08lx") (Array.to_list (run initial 0)))
