(* The rules with tables that are not on a grid: `rational-odds` and `lattice`. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

type own = { digits : int; sums : int }

let own =
  let+ digits = digits and+ sums = sums in
  { digits; sums }

(* --- rational-odds --- *)

let max_odds_bits = Z.of_int (1 lsl 22)

(* Whether e^epsilon is rational at sight, and its bits, written as a product of powers. *)
let has_rational_odds (epsilon : Numbers.t) =
  Q.sign epsilon.rational = 0 && List.for_all (fun (c, _) -> Z.equal (Q.den c) Z.one) epsilon.logs

let odds_size (epsilon : Numbers.t) =
  Costs.(sum (fun (c, r) -> Z.abs (Q.num c) * int (Numbers.size r)) epsilon.logs)

(* B and B_Delta of SPEC 7.4. *)
let sizes (bound : bound) pairs =
  if not (List.for_all (fun (m : pair) -> has_rational_odds m.epsilon) pairs) then
    reject "the odds of an epsilon are not rational";
  Costs.
    ( sum (fun (m : pair) -> m.count * odds_size m.epsilon) pairs,
      int (Numbers.size bound.delta) + sum (fun (m : pair) -> m.count * int (Numbers.size m.delta)) pairs )

let cost_of_rational_odds own (bound : bound) pairs =
  let epsilon = finite bound and odds, deltas = sizes bound pairs in
  let open Costs in
  let finer = finer own.digits none (pairs_alone pairs) bound in
  let collected = collecting (List.map snd (groups pairs)) own.sums in
  let exact = if has_rational_odds epsilon then Some (odds_size epsilon) else None in
  let of_y =
    match exact with
    | Some size when Z.leq size max_odds_bits -> size
    | _ -> (int 4 * int own.digits) + int 64 + odds
  in
  per_entry (List.length pairs)
  + (int (Numbers.terms_of epsilon) * transcendental finer)
  + (collected * (int 1000 + odds + of_y + multiplication (odds + of_y)))
  + (int 10 * multiplication (deltas + (int 2 * odds) + of_y))

let rational_odds =
  let check own bound pairs =
    let odds, deltas = sizes bound pairs in
    if Z.gt (Z.max odds deltas) max_odds_bits then reject "the odds or deltas are too large";
    let epsilon = finite bound in
    let problem = Problem.make pairs [ epsilon ] in
    let effort = Problem.(at_least (bits_for own.digits + 40) problem) in
    let size = fst (Signs.enclose epsilon 0) in
    if not (has_rational_odds epsilon) && Z.geq size (Z.of_int (1 lsl 23)) then
      reject "an exponential that is too large";
    if Z.leq size odds then
      Problem.suggest problem effort (Checks.RationalOdds own.sums)
    else if bound.kind = Upper then Closed.check_sum bound pairs
    else Closed.check_infeasible bound (Costs.pairs_alone pairs)
  in
  of_pairs "rational-odds" either own ~cost:cost_of_rational_odds ~check

(* --- lattice --- *)

let cost_of_lattice own (bound : bound) pairs =
  let open Costs in
  let ledger = pairs_alone pairs and blocks = groups pairs in
  let arguments ((e : Numbers.t), _) = List.map snd e.logs in
  let logs = length (List.sort_uniq Q.compare (List.concat_map arguments blocks)) in
  let collected = collecting (List.map (fun (_, count) -> window own.digits count) blocks) own.sums in
  let finer = finer own.digits none ledger bound in
  let denominator q = if Z.equal (Q.den q) Z.one then Z.zero else int (Z.numbits (Q.den q)) in
  let denominators ((e : Numbers.t), _) =
    denominator e.rational + sum (fun (c, _) -> denominator c) e.logs
  in
  let c = int (greatest_size none ledger bound) + int 64 + sum denominators blocks in
  let total = sum (fun (e, _) -> int (Numbers.size_of e)) blocks in
  let one = transcendental finer in
  per_entry (List.length pairs)
  + (int 1000 * length blocks * Z.succ logs)
  + ((to_enclose none pairs bound + (int 2 * logs) + int 9) * one)
  + for_failures finer ledger
  + Z.fdiv (total * total) (int 64)
  + (collected * (int 500 + (int 10 * int finer) + (Z.succ logs * (int 100 + Z.fdiv c (int 2)))))
  + (int own.sums * Z.fdiv one (int 5))

let lattice =
  let check own bound pairs =
    let arguments ((e : Numbers.t), _) = List.map snd e.logs in
    let logs = List.sort_uniq Q.compare (List.concat_map arguments (Costs.groups pairs)) in
    if List.length (Signs.basis_of logs) > (2 * List.length logs) + 8 then
      reject "the logarithms share too many factors";
    let epsilon = finite bound in
    let problem = Problem.make pairs [ epsilon ] in
    let c, ks = Checks.total_epsilon problem.checked in
    let longest = List.fold_left (fun most t -> max most (Z.numbits t)) 0 (c :: ks) in
    let finer = Problem.(finer (most_of pairs)) in
    let plan =
      {
        Checks.weight_scale = Z.pow Problem.ten own.digits;
        block_finer = Z.pow Problem.ten finer;
        slack_bits = Z.of_int (Problem.bits_for own.digits + 40 + (2 * longest));
        most_sums = own.sums;
      }
    in
    let effort = Problem.at_least (Problem.bits_for (own.digits + finer) + 60 + (2 * longest)) problem in
    Problem.suggest problem effort (Checks.Lattice plan)
  in
  of_pairs "lattice" either own ~cost:cost_of_lattice ~check

let rules = [ rational_odds; lattice ]
