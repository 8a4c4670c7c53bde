(* The rules `grid` and `grid-counts`: which multiples of the unit the verified check is to use, with
   how many digits, and where the losses above 0 begin. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

type own = { digits : int; unit : Numbers.t }

let own =
  let+ digits = digits and+ unit = unit in
  { digits; unit }

let further unit = { Costs.rationals = []; units = [ unit ] }
let stretch own pairs = Costs.stretch own.digits own.unit pairs

let cost own bound ledger =
  let further = further own.unit in
  let finer = Costs.finer own.digits further ledger bound in
  Costs.on_a_grid finer further ledger bound (stretch own ledger.pairs)

type prepared = { problem : Problem.t; effort : Checks.effort; plan : Checks.plan }

(* [others] are numbers that a check needs besides. *)
let prepare own bound pairs others =
  let epsilon = finite bound in
  let problem = Problem.make pairs (epsilon :: own.unit :: others) in
  let multiple (epsilon : Numbers.t) =
    let a, exact = Signs.ceil_quotient epsilon own.unit in
    if exact || bound.kind = Upper then a else Z.pred a
  in
  let next found (m : pair) =
    match found with
    | (m', a) :: _ when m'.epsilon = m.epsilon -> (m, a) :: found
    | _ -> (m, multiple m.epsilon) :: found
  in
  let multiples = List.rev (List.fold_left next [] pairs) in
  let total = Costs.sum (fun ((m : pair), a) -> Z.mul m.count a) multiples in
  let finer = Problem.(finer (most_of pairs)) in
  let bits = Problem.bits_for (own.digits + finer) + 60 + (2 * Z.numbits total) in
  let effort = Problem.at_least bits problem in
  let bits = Z.to_int effort.bits in
  let epsilon_low, _ = Signs.enclose epsilon bits and _, unit_high = Signs.enclose own.unit bits in
  let least = Z.succ (Z.fdiv epsilon_low unit_high) in
  let last = Z.fdiv (Z.sub total least) (Z.of_int 2) in
  let plan =
    {
      Checks.unit_of = problem.combination own.unit;
      multiples = List.map (fun (_, a) -> Z.to_int a) multiples;
      scale0 = Z.pow Problem.ten own.digits;
      finer = Z.pow Problem.ten finer;
      delta_bits = Z.of_int (Problem.bits_for own.digits + 40 + (2 * Z.numbits total));
      top_of = (fun stop -> max 0 (Z.to_int (Z.min last (Z.of_int (stop - 1)))));
    }
  in
  { problem; effort; plan }

let check own bound pairs =
  Costs.limit (stretch own pairs);
  let { problem; effort; plan } = prepare own bound pairs [] in
  Problem.suggest problem effort (Checks.Grid plan)

(* --- exact counts: the same sum, so finely that no weight is lost among the digits --- *)

let most_counted = Z.of_int 10_000

let cost_of_counts own bound pairs =
  let further = further own.unit and ledger = Costs.pairs_alone pairs in
  let finer = Costs.finer own.digits further ledger bound in
  Costs.by_counts finer further ledger bound (Costs.span own.unit pairs)

(* As many digits as the exact counts are computed with (SPEC 7.25). *)
let digits_of_counts own pairs span =
  let _, growth = Signs.enclose (Numbers.linear [ (Q.of_bigint span, own.unit) ]) 0 in
  let most = Z.to_int (Z.min (count_of pairs) growth) in
  (Problem.bits_for own.digits + 40 + (2 * Z.numbits span) + most) * 3 / 10

(* The bits of all weights of a table, for which memory and time are taken: one of so many takes about
   a gigabyte, and a minute. *)
let most_weights = Z.shift_left Z.one 28

let limit_weights digits span =
  let bits = Z.mul span (Z.of_int (Problem.bits_for digits)) in
  if Z.gt bits most_weights then reject "the grid is too long for as many digits"

let check_counts own bound pairs =
  let positive = List.filter (fun (m : pair) -> m.positive) pairs in
  if Z.gt (count_of positive) most_counted then reject "too many mechanisms are not counted";
  let epsilon = finite bound and span = Costs.span own.unit pairs in
  let beyond = Numbers.linear [ (Q.one, epsilon); (Q.neg (Q.of_bigint span), own.unit) ] in
  (* Where no loss is above epsilon D is 0, exactly. *)
  if bound.kind = Upper && lossless (Costs.pairs_alone pairs) && Signs.sign beyond >= 0
  then Closed.check_sum bound pairs
  else
    let own = { own with digits = digits_of_counts own positive span } in
    limit_weights own.digits span;
    let { problem; effort; plan } = prepare own bound pairs [] in
    Problem.suggest problem effort (Checks.Grid plan)

(* The same with so many more bits. *)
let check_finely more own bound pairs =
  let own = { own with digits = own.digits + ((more * 3 / 10) + 10) } in
  limit_weights own.digits (stretch own pairs);
  let { problem; effort; plan } = prepare own bound pairs [] in
  Problem.suggest problem effort (Checks.Grid plan)

let rules =
  [
    of_pairs "grid" either own ~check ~cost:(fun own bound pairs -> cost own bound (Costs.pairs_alone pairs));
    of_pairs "grid-counts" either own ~check:check_counts ~cost:cost_of_counts;
  ]
