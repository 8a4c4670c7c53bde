(* The rule about mechanisms given by their noise: `noise-renyi`. *)

open Lists
open Subjects
open Parameters

(* How many mechanisms there are. *)
let count noise =
  let answers = List.sum Z.add Z.zero (fun s -> s.answers) noise.shifted in
  let copies = List.sum Z.add Z.zero (fun d -> d.copies) noise.divergent in
  let written = List.sum Z.add Z.zero (fun t -> t.written) noise.tabled in
  Z.(Subjects.count noise.others + answers + times_of noise.ranged + copies + written)

(* What is known of Laplace noise is its profile. *)
let without_laplace noise =
  if noise.laplaced <> [] then
    Outcome.refuse "mechanisms given by laplace are known to this checker by profile-dots alone"

let distinct (s : shifted) = List.sort_uniq Z.compare s.shifts

(* Discrete Laplace noise as mechanisms that are (shift/scale)-DP. *)
let responses (s : shifted) =
  let response shift =
    let epsilon = Numbers.of_rational (Q.div (Q.of_bigint shift) s.scale) in
    { epsilon; delta = Q.zero; count = s.answers; positive = true }
  in
  List.map response (distinct s)

let check (alpha, digits) bound noise =
  let pairs = List.append noise.others.pairs (List.concat_map responses noise.shifted) in
  let problem = Problem.make pairs [ finite bound ] in
  let bits = Problem.bits_for digits + Conversions.guard + (2 * Z.numbits (count noise)) in
  let order = Conversions.order_of alpha and effort = Problem.at_least 96 problem in
  [ Checks.AboutNoise (Checks.NoiseRenyi (effort, problem.numbering, Z.of_int bits, order)) ]

(* --- the cost (SPEC 13.6) --- *)

let numbers noise =
  let probabilities t = List.concat_map (fun (p, q) -> [ p; q ]) t.outputs in
  let listed d = List.concat_map (fun (alpha, most) -> [ alpha; most ]) d.orders in
  List.concat
    [
      List.map (fun s -> s.scale) noise.shifted;
      List.map (fun m -> m.parameter) noise.ranged;
      List.concat_map listed noise.divergent;
      List.concat_map probabilities noise.tabled;
    ]

let cost (alpha, digits) bound noise =
  without_laplace noise;
  let entries =
    List.(length noise.shifted + length noise.ranged + length noise.divergent + length noise.tabled)
    + entries noise.others
  in
  let pairs =
    List.length (Costs.groups noise.others.pairs)
    + (if noisy noise.others.gaussian then 1 else 0)
    + List.sum ( + ) 0 (fun s -> List.length (distinct s)) noise.shifted
    + List.length noise.ranged
    + List.sum ( + ) 0 (fun t -> List.length t.outputs) noise.tabled
  in
  let open Costs in
  let rationals = alpha :: numbers noise in
  let finer = finer digits { none with rationals } noise.others bound in
  per_entry entries
  + ((to_enclose none noise.others.pairs bound + int 8 + (int 6 * int pairs)) * transcendental finer)
  + for_failures finer noise.others

let rules =
  let order =
    let open Kernel in
    let+ alpha = alpha and+ digits = digits in
    (alpha, digits)
  in
  [ axiom Noise "noise-renyi" "canonne-kamath-steinke-2020-proposition-12" [ Upper ] [] order ~cost ~check ]
