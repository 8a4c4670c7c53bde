(* What costs are made of (SPEC, sections 5 and 7). *)

open Lists
open Outcome
open Subjects

let ( + ) = Z.add
let ( * ) = Z.mul
let int = Z.of_int
let sum of_one list = List.sum Z.add Z.zero of_one list
let product of_one list = List.sum Z.mul Z.one of_one list
let length list = int (List.length list)
let digits_for size = Stdlib.( / ) size 3

(* The distinct positive epsilons in their order, with their counts added: equal ones stand together. *)
let groups pairs =
  let add found (m : pair) =
    match found with
    | (epsilon, count) :: rest when epsilon = m.epsilon -> (epsilon, count + m.count) :: rest
    | _ -> if m.positive then (m.epsilon, m.count) :: found else found
  in
  List.rev (List.fold_left add [] pairs)

(* x, m and y: a logarithm and an exponential, a product of integers, a value of a profile. *)
let transcendental digits = int 200_000 + (int 500 * int digits * Z.sqrt (int digits))
let multiplication bits = Z.fdiv (bits * Z.sqrt bits) (int 64)

let profile digits =
  let d = int digits in
  int 300_000 + (int 50 * d * d) + Z.fdiv (d * d * d) (int 100)

(* b: at most so many of the count + 1 weights of a block, less one, are not 0. *)
let window digits count =
  Z.min count ((int 2 * Z.sqrt (int 2 * count * (int digits + int 10))) + int 64)

(* W: collecting at most [sums] sums, group by group. *)
let collecting lengths sums =
  let add (work, table) length =
    let extended = table * Z.succ length in
    (work + extended, Z.min (int sums) extended)
  in
  fst (List.fold_left add (Z.one, Z.one) lengths)

(* --- sizes of a step's numbers --- *)

(* Those that a step has besides its bound: rationals, and numbers that are enclosed. *)
type further = { rationals : Q.t list; units : Numbers.t list }

let none = { rationals = []; units = [] }
let enclosed further (bound : bound) = List.append (Option.to_list bound.at) further.units

(* Z. *)
let greatest_size further ledger (bound : bound) =
  let scaled m = Numbers.size m.parameter in
  let pair (m : pair) = max (Numbers.size_of m.epsilon) (Numbers.size m.delta) in
  let greatest of_one list most = List.fold_left (fun most one -> max most (of_one one)) most list in
  Numbers.size bound.delta
  |> greatest Numbers.size_of (enclosed further bound)
  |> greatest Numbers.size further.rationals
  |> greatest pair ledger.pairs |> greatest scaled ledger.gaussian
  |> greatest scaled ledger.concentrated

(* E. *)
let finer digits further ledger bound = Stdlib.( + ) digits (digits_for (greatest_size further ledger bound))

(* Lambda. *)
let to_enclose further pairs bound =
  sum (fun (epsilon, _) -> int (Numbers.terms_of epsilon)) (groups pairs)
  + sum (fun n -> int (Numbers.terms_of n)) (enclosed further bound)

(* F. *)
let for_failures finer ledger =
  let some = List.filter (fun m -> Q.sign m.parameter > 0) in
  let failing = List.filter (fun (m : pair) -> Q.sign m.delta > 0) ledger.pairs in
  let h = length failing + length (some ledger.gaussian) + length (some ledger.concentrated) in
  Z.succ h * Z.fdiv (transcendental finer) (int 10)

(* sigma, from the size of each number and how many logarithms it has. *)
let of_sign numbers =
  let weight (size, logs) = int size + (int 64 * Z.succ (int logs)) in
  let total = sum weight in
  let with_logs = total (List.filter (fun (_, logs) -> logs > 0) numbers) in
  let z = Stdlib.( + ) 64 (List.fold_left (fun most (size, _) -> max most size) 0 numbers) in
  (int 1000 * length numbers)
  + (int 10 * multiplication (total numbers))
  + (sum (fun (_, logs) -> int logs) numbers * transcendental z)
  + Z.fdiv (with_logs * with_logs) (int 64)

let sized (number : Numbers.t) = (Numbers.size_of number, List.length number.logs)
let sign_of numbers = of_sign (List.map sized numbers)
let epsilons pairs = List.map (fun (m : pair) -> m.epsilon) pairs

(* tau. *)
let sign_of_delta pairs (bound : bound) =
  let log delta = (Stdlib.( + ) (Stdlib.( * ) 2 (Numbers.size delta)) 8, 1) in
  match List.filter (fun (m : pair) -> Q.sign m.delta > 0) pairs with
  | [] -> Z.zero
  | failing -> of_sign (log bound.delta :: List.map (fun (m : pair) -> log m.delta) failing)

let per_entry n = int 1000 * Z.succ (int n)
let pairs_alone pairs = { pairs; gaussian = []; concentrated = [] }

(* --- grids and leaves --- *)

let max_stretch = int 100_000_000
let multiple unit epsilon = fst (Signs.ceil_quotient epsilon unit)

(* S of SPEC 7.5, and of 7.7. *)
let stretch digits unit pairs =
  let of_group (epsilon, count) = Z.succ (multiple unit epsilon * window digits count) in
  sum of_group (groups pairs)

(* The sum of all a_i of SPEC 7.25. *)
let span unit pairs = sum (fun (epsilon, count) -> multiple unit epsilon * count) (groups pairs)

let dots_stretch digits unit pairs =
  let of_group (epsilon, count) =
    Z.succ (int 2 * Z.succ (multiple unit epsilon) * window digits count)
  in
  sum of_group (groups pairs)

let limit stretch = if Z.gt stretch max_stretch then reject "the grid is too long"

(* The groups in their order, gathered while a leaf has at most [sums] atoms. *)
let leaves sums pairs =
  let add (leaves, atoms) ((_, count) as group) =
    let size = Z.succ count in
    match leaves with
    | leaf :: rest when Z.leq (atoms * size) (int sums) -> ((group :: leaf) :: rest, atoms * size)
    | _ -> ([ group ] :: leaves, size)
  in
  let leaves, _ = List.fold_left add ([], Z.one) (groups pairs) in
  List.rev_map List.rev leaves

let on_a_grid finer further ledger bound stretch =
  let number = List.length (groups ledger.pairs) in
  per_entry (List.length ledger.pairs)
  + (to_enclose further ledger.pairs bound * transcendental finer)
  + for_failures finer ledger
  + (int 20 * stretch * (int finer + int 30) * (int (Z.numbits (int number)) + int 2))

let by_counts finer further ledger bound span =
  let number = length (groups ledger.pairs) and counted = sum snd (groups ledger.pairs) in
  let bits = (int 4 * int finer) + (int 2 * counted) + int 256 in
  let words = Z.succ (Z.fdiv counted (int 64)) in
  per_entry (List.length ledger.pairs)
  + (to_enclose further ledger.pairs bound * transcendental finer)
  + for_failures finer ledger
  + ((span + number + Z.one) * (int 500 + bits + (int 4 * multiplication bits)))
  + (int 4 * (span + number + int 101) * counted * words)
  + (int 300 * number * (int 20 + multiplication bits))

let by_period finer further ledger bound ~points ~values =
  let groups = groups ledger.pairs in
  let product = multiplication ((int 4 * int finer) + int 300) in
  let steps = int 16 + sum (fun (_, count) -> (int 2 * int (Z.numbits count)) + int 3) groups in
  let own = sum (fun n -> int (Numbers.terms_of n)) (enclosed further bound) in
  let evaluated = (values * steps) + (int 8 * Z.sqrt points) + int 64 in
  per_entry (List.length ledger.pairs)
  + ((to_enclose further ledger.pairs bound + (int 16 * own)) * transcendental finer)
  + for_failures finer ledger + int 10_000_000
  + (length groups * (int 100_000 + (int 2000 * (int 20 + product))))
  + (points * (int 200 + (int 20 * length groups)))
  + (evaluated * (int 1000 + (int 20 * product)))
