(* The rules about Gaussian mechanisms: at which precision the verified checks are to work. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

(* --- the profile --- *)

(* The greatest part of mu^2, which is at least that; from below rho counts as 2 rho. *)
let square_of (bound : bound) ledger =
  let greatest value most m = Q.max most (Q.mul (Q.of_bigint m.times) (value m.parameter)) in
  let square = List.fold_left (greatest (fun mu -> Q.mul mu mu)) Q.zero ledger.gaussian in
  if bound.kind = Upper then square
  else List.fold_left (greatest (Q.mul (Q.of_int 2))) square ledger.concentrated

(* Terms until v^n/(1 3 5 ... (2n + 1)) is below 2^-bits and 2v <= 2n + 1. *)
let terms_near v bits =
  let rec from n size =
    let odd = float_of_int ((2 * n) + 1) in
    if size < -.bits && 2. *. v < odd then n + 1 else from (n + 1) (size +. Float.log2 (v /. (odd +. 2.)))
  in
  from 0 0.

(* Terms until 1 3 5 ... (2n - 1)/v^n, which falls while 2n < v, is below 2^-bits. *)
let terms_far v bits =
  let rec from n size =
    let odd = float_of_int ((2 * n) + 1) in
    if size < -.bits || odd >= v then n else from (n + 1) (size +. Float.log2 (odd /. v))
  in
  from 0 0.

(* The check leaves the series near 0 for that far out where v is more than its terms and a half.
   With so many terms that series is as fine as [coarse] up to there, if e^(v/2) costs no more digits
   than mu^2 has room for: what is left out is below (e/2)^v, times e^(epsilon - v/2) at most, where
   epsilon <= mu sqrt v. *)
let terms_throughout coarse square =
  let mu = Float.pow 2. (float_of_int (Z.numbits (Q.num square) - Z.numbits (Q.den square) + 1) /. 2.) in
  let bits = float_of_int (coarse + 44) in
  let root = ((1.443 *. mu) +. sqrt ((2.083 *. mu *. mu) +. (1.116 *. bits))) /. 0.558 in
  (root *. root) +. 1.

(* For values of the profile compared at [coarse] bits. From [out] = (epsilon/mu)^2 on the series far
   out could take over: its terms fall below 2^-coarse before they rise. The first proposal is fine
   up to there, and beyond the terms of its series near 0; the second also between the two, where it
   is not many times as long. *)
let precisions coarse square =
  let small = max 0 (Z.numbits (Q.den square) - Z.numbits (Q.num square)) in
  let out = (1.4 *. float_of_int (coarse + 40)) +. 20. in
  let up_to reach near =
    let further = 64 + int_of_float (0.75 *. reach) + (2 * small) in
    let fine = coarse + further in
    {
      Checks.coarse = Z.of_int coarse;
      further = Z.of_int further;
      series = (near fine, terms_far out (float_of_int (coarse + 40)));
      pi_terms = (fine / 6) + 4;
    }
  in
  let first = up_to out (fun fine -> terms_near out (float_of_int fine)) in
  let throughout = terms_throughout coarse square in
  if throughout > 4. *. float_of_int (fst first.series) then [ first ]
  else
    let reach = Float.max out throughout in
    [ first; up_to reach (fun _ -> int_of_float reach) ]

let suggest problem effort precisions tried =
  List.concat_map (fun precision -> Problem.suggest problem effort (tried precision)) precisions

let need_noise square = if Q.sign square = 0 then reject "no mu is above 0"

let gaussian digits bound ledger =
  let epsilon = finite bound in
  let problem = Problem.make ledger.pairs [ epsilon ] in
  let square = square_of bound ledger in
  need_noise square;
  let precisions = precisions (Problem.bits_for digits + 40) square in
  suggest problem (Problem.at_least 96 problem) precisions (fun p -> Checks.GaussianProfile p)

(* --- gaussian-mixture --- *)

let mixture digits bound ledger =
  let epsilon = finite bound in
  let problem = Problem.make ledger.pairs [ epsilon ] in
  let square = square_of bound ledger in
  need_noise square;
  let count = count ledger in
  let precisions = precisions (Problem.bits_for digits + 40 + (2 * Z.numbits count)) square in
  let weighing =
    {
      Checks.mixture_scale = Z.pow Problem.ten digits;
      mixture_finer = Z.pow Problem.ten (Problem.finer count);
    }
  in
  suggest problem (Problem.at_least 96 problem) precisions (fun p -> Checks.Mixture (p, weighing))

(* --- gaussian-mesh --- *)

let mesh_lower (own : Brackets.own) bound ledger square =
  let on_grid = { Grids.digits = own.digits; unit = own.unit } in
  Costs.limit (Grids.stretch on_grid ledger.pairs);
  let { Grids.problem; effort; plan } = Grids.prepare on_grid bound ledger.pairs [] in
  let precisions = precisions (Z.to_int plan.delta_bits) square in
  suggest problem effort precisions (fun p -> Checks.MeshBelow (p, plan))

(* How many units there are from one end of the losses to the other, about. *)
let mesh_precisions (own : Brackets.own) bound pairs square =
  let in_units number = fst (Signs.ceil_quotient number own.unit) in
  let losses = Costs.sum (fun (m : pair) -> Z.mul m.count (in_units m.epsilon)) pairs in
  let units = Z.numbits (Z.add losses (in_units (finite bound))) + 1 in
  precisions (Problem.bits_for own.digits + 40 + (2 * units)) square

let mesh_upper (own : Brackets.own) bound ledger square =
  Brackets.limit own ledger.pairs;
  let { Brackets.problem; effort; _ }, plan = Brackets.mesh_plan own bound ledger.pairs in
  let precisions = mesh_precisions own bound ledger.pairs square in
  suggest problem effort precisions (fun p -> Checks.MeshAbove (p, plan))

let mesh (own : Brackets.own) bound ledger =
  let square = square_of bound ledger in
  let upward = bound.kind = Upper in
  if upward && noisy ledger.concentrated then reject "mechanisms given by rho have no upper bound";
  match (Q.sign square, upward) with
  | 0, true -> Brackets.connect_the_dots own bound ledger.pairs
  | 0, false -> Grids.check { Grids.digits = own.digits; unit = own.unit } bound ledger.pairs
  | _, true -> mesh_upper own bound ledger square
  | _, false -> mesh_lower own bound ledger square

(* --- zcdp-pair --- *)

type pair_own = { bracket : Brackets.own; alpha : Q.t; at : Numbers.t }

let pair_own =
  let+ bracket = Brackets.own
  and+ alpha = alpha
  and+ at = field "pair" (fun v -> Reading.number_from_0 (Json.text v)) in
  { bracket; alpha; at }

(* The mechanisms given by (epsilon, delta), and the pair as one more, beside those of its epsilon. *)
let with_pair own ledger failure =
  let positive = own.at <> Numbers.zero in
  let pair = { epsilon = own.at; delta = failure; count = Z.one; positive } in
  let rec placed seen = function
    | (m : pair) :: rest when m.epsilon = own.at && not (List.exists (fun (m' : pair) -> m'.epsilon = own.at) rest)
      -> List.rev_append seen (m :: pair :: rest)
    | m :: rest -> placed (m :: seen) rest
    | [] -> List.rev (pair :: seen)
  in
  { ledger with pairs = placed [] ledger.pairs }

(* Those given by rho as one more mechanism, which is (pair, failure)-DP. *)
let pair own bound ledger =
  let order = { Checks.order_above = Q.num own.alpha; order_below = Q.den own.alpha } in
  let bits = Z.of_int (Problem.bits_for own.bracket.digits + 40) in
  let one = Z.shift_left Z.one (Z.to_int bits) in
  let alone = Problem.make ledger.pairs [ own.at ] in
  let failure =
    match Checks.pair_failure bits (Problem.mixed alone ledger) order (alone.combination own.at) with
    | Some (_, high) when Z.lt high one -> Q.make high one
    | _ -> reject "this alpha gives no delta below 1 for the pair"
  in
  let about = with_pair own ledger failure in
  Brackets.limit own.bracket about.pairs;
  let { Brackets.problem; effort; _ }, plan = Brackets.mesh_plan own.bracket bound about.pairs in
  let at = problem.combination own.at and c = Q.num failure and d = Q.den failure in
  let square = square_of bound ledger in
  if Q.sign square = 0 then
    Problem.suggest problem effort (Checks.PairAlone (bits, order, at, c, d, plan))
  else
    let precisions = mesh_precisions own.bracket bound about.pairs square in
    suggest problem effort precisions (fun p -> Checks.Pair (bits, order, at, c, d, p, plan))

(* --- costs --- *)

let noise_cost digits bound ledger atoms =
  let open Costs in
  let finer = finer digits none ledger bound in
  per_entry (entries ledger)
  + (to_enclose none ledger.pairs bound * transcendental finer)
  + for_failures finer ledger
  + (profile finer * atoms)

(* No epsilon of the mechanisms is enclosed: they are 0. *)
let cost_of_gaussian digits bound ledger =
  let open Costs in
  let finer = finer digits none ledger bound in
  per_entry (entries ledger)
  + (to_enclose none [] bound * transcendental finer)
  + for_failures finer ledger + profile finer

let cost_of_mixture digits bound ledger =
  let atoms (_, count) = Z.succ (Costs.window digits count) in
  noise_cost digits bound ledger (Costs.product atoms (Costs.groups ledger.pairs))

let among ?rationals (own : Brackets.own) bound ledger =
  let further = { (Grids.further own.unit) with rationals = Option.value rationals ~default:[] } in
  let finer = Costs.finer own.digits further ledger bound in
  let cells = Z.succ (Brackets.stretch own ledger.pairs) in
  Z.add (Brackets.cost ?rationals own bound ledger) (Z.mul cells (Costs.profile finer))

let cost_of_mesh (own : Brackets.own) (bound : bound) ledger =
  if bound.kind = Upper then among own bound ledger
  else
    let on_grid = { Grids.digits = own.digits; unit = own.unit } in
    let finer = Costs.finer own.digits (Grids.further own.unit) ledger bound in
    let cells = Z.succ (Grids.stretch on_grid ledger.pairs) in
    Z.add (Grids.cost on_grid bound ledger) (Z.mul cells (Costs.profile finer))

let cost_of_pair own bound ledger =
  let about = with_pair own ledger Q.zero in
  let rationals = [ own.alpha ] in
  let further = { (Grids.further own.bracket.unit) with rationals } in
  let finer = Costs.finer own.bracket.digits further about bound in
  Z.add
    (Z.mul (Z.of_int 8) (Costs.transcendental finer))
    (among ~rationals own.bracket bound about)

let rules =
  let theorem = "dong-roth-su-2022-theorem-3.2" in
  [
    of_ledger ~theorem:"dong-roth-su-2022-corollary-2.13" "gaussian" either Theorems.of_profiles
      digits ~cost:cost_of_gaussian ~check:gaussian;
    of_ledger ~theorem "gaussian-mixture" either Theorems.of_profiles digits ~cost:cost_of_mixture ~check:mixture;
    of_ledger ~theorem "gaussian-mesh" either Theorems.of_profiles Brackets.own ~cost:cost_of_mesh ~check:mesh;
    of_ledger ~theorem "zcdp-pair" [ Upper ] [] pair_own ~cost:cost_of_pair ~check:pair;
  ]
