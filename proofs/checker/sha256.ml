(* SHA-256 (FIPS 180-4) of a string, in lower-case hexadecimal. *)

let first_primes n =
  let rec from candidate found =
    if List.length found = n then List.rev found
    else if List.exists (fun p -> candidate mod p = 0) found then from (candidate + 1) found
    else from (candidate + 1) (candidate :: found)
  in
  from 2 []

(* The first 32 bits of the fractional part of the root: floor(root * 2^32) mod 2^32. *)
let fraction root p =
  let shifted = Z.shift_left (Z.of_int p) (32 * root) in
  Z.to_int (Z.logand (Z.root shifted root) (Z.of_int 0xffffffff))

let initial = Array.of_list (List.map (fraction 2) (first_primes 8))
let constants = Array.of_list (List.map (fraction 3) (first_primes 64))
let mask = 0xffffffff
let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let padded text =
  let length = String.length text in
  let zeros = (119 - (length mod 64)) mod 64 in
  let bits = Bytes.create 8 in
  Bytes.set_int64_be bits 0 (Int64.of_int (8 * length));
  text ^ "\x80" ^ String.make zeros '\x00' ^ Bytes.to_string bits

let block state data at =
  let w = Array.make 64 0 in
  for t = 0 to 15 do
    w.(t) <- Int32.to_int (String.get_int32_be data (at + (4 * t))) land mask
  done;
  for t = 16 to 63 do
    let x = w.(t - 15) and y = w.(t - 2) in
    let s0 = rotate x 7 lxor rotate x 18 lxor (x lsr 3) in
    let s1 = rotate y 17 lxor rotate y 19 lxor (y lsr 10) in
    w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land mask
  done;
  let v = Array.copy state in
  for t = 0 to 63 do
    let a = v.(0) and e = v.(4) in
    let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 in
    let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
    let t1 = v.(7) + s1 + choice + constants.(t) + w.(t) in
    let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
    let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
    Array.blit v 0 v 1 7;
    v.(4) <- (v.(4) + t1) land mask;
    v.(0) <- (t1 + s0 + majority) land mask
  done;
  Array.map2 (fun x y -> (x + y) land mask) state v

let hex text =
  let data = padded text in
  let rec run state at =
    if at = String.length data then state else run (block state data at) (at + 64)
  in
  let state = run initial 0 in
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list state))
