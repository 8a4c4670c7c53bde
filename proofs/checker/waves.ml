(* The rules of the trapezoid sum over the characteristic function of the privacy loss: with how many
   bits the verified checks are to take it, and what is little at a point. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

type own = {
  digits : int;
  cut : int;
  blocks : Z.t;
  far : Z.t;
  factors : int list;
  near : Z.t;
  last : Z.t;
  noise : Q.t;
  step : Q.t;
  tilt : Q.t;
}

(* From above nothing, from below the slopes. *)
type 'slopes plan = { own : own; slopes : 'slopes }

let most_points = Z.shift_left Z.one 40


let points key least most = field key (fun v -> Numbers.whole (Json.text v) least most)

(* A rational above 0, of few digits. *)
let positive value =
  let q = Numbers.rational (Json.text value) in
  if Q.sign q <= 0 || Numbers.size q > 512 then fail "not a rational above 0 of at most 512 bits";
  q

let noise value =
  let q = positive value in
  if Q.gt q Q.one then fail "noise is above 1";
  q

let noise_or_none = function Json.Text "0" -> Q.zero | value -> noise value

let factors value =
  let index text = Numbers.small text 0 10_000 in
  let indices = List.map index (Json.texts value) in
  if not (Reading.sorted ( < ) indices) then fail "factors do not increase";
  indices

let own noise =
  let+ digits = digits
  and+ blocks = points "blocks" Z.one most_points
  and+ cut = field "cut" (fun v -> Numbers.small (Json.text v) 0 10_000)
  and+ factors = field "factors" factors
  and+ far = points "far" Z.zero most_points
  and+ last = points "last" Z.one (Z.pred most_points)
  and+ near = points "near" Z.one most_points
  and+ noise = field "noise" noise
  and+ step = field "step" positive
  and+ tilt = field "tilt" positive in
  { digits; cut; blocks; far; factors; near; last; noise; step; tilt }

let from_above noise =
  let+ own = own noise in
  { own; slopes = () }

let from_below noise =
  let+ own = own noise and+ left = field "left" positive and+ right = field "right" positive in
  { own; slopes = (left, right) }

(* --- what is suggested --- *)

let guard = 64

(* What is passed over is smaller than 2^-cut by so many bits, as all of it is charged at most. *)
let finer_than_cut = 14

(* Points times factors, times what a product costs: what the checks may have to look at, whatever a
   certificate says of it; and where it says that few points are to be looked at, of the rest only how
   small they are together. *)
let most_work = Z.shift_left Z.one 26
let most_passed = Z.shift_left Z.one 33

let is_too_much own each =
  let all = Z.mul own.last each in
  let looked_at = Z.add own.near (Z.add own.far own.blocks) in
  Z.gt all most_work && (Z.gt all most_passed || Z.gt (Z.mul looked_at each) most_work)

let bits_for own ledger =
  let lost = (2 * Z.numbits (count ledger)) + (2 * Z.numbits own.last) + Z.numbits (Q.num own.step) in
  max 160 (Problem.bits_for own.digits + guard + lost)

let wave_plan own bits =
  {
    Checks.wave_bits = Z.of_int bits;
    wave_terms = Z.of_int ((bits / 6) + 4);
    wave_tilt = Problem.quotient own.tilt;
    wave_step = Problem.quotient own.step;
    wave_noise = Problem.quotient own.noise;
    wave_last = own.last;
    wave_little = Z.shift_left Z.one (max 0 (bits - own.cut - finer_than_cut));
  }

let check attempt { own; slopes } bound ledger =
  let groups = List.length (Costs.groups ledger.pairs) in
  if Z.gt own.near own.last then reject "near is beyond last";
  if groups = 0 || List.exists (fun index -> index >= groups) own.factors then
    reject "factors are not all there";
  let bits = bits_for own ledger in
  let each = Z.mul (Z.of_int (groups + 2)) (Costs.multiplication (Z.of_int bits)) in
  if is_too_much own each then refuse "there are more points than this checker looks at";
  let problem = Problem.make ledger.pairs [ finite bound ] in
  let effort = Problem.at_least 96 problem in
  Problem.suggest problem effort (attempt (wave_plan own bits) slopes)

(* Beside Gaussian mechanisms; from below those given by rho count too. *)
let check_beside attempt plan bound ledger =
  Gaussians.need_noise (Gaussians.square_of bound ledger);
  if bound.kind = Upper && noisy ledger.concentrated then
    reject "mechanisms given by rho have no upper bound";
  check attempt plan bound ledger

let above plan () = Checks.FourierAbove plan
let below plan (left, right) = Checks.FourierBelow (plan, Problem.quotient left, Problem.quotient right)
let above_beside plan () = Checks.GaussianFourierAbove plan

let below_beside plan (left, right) =
  Checks.GaussianFourierBelow (plan, Problem.quotient left, Problem.quotient right)

(* --- costs (SPEC 7.23) --- *)

let cost { own; _ } bound ledger =
  let open Costs in
  let finer = finer own.digits none ledger bound in
  let factor (_, count) = (int 2 * int (Z.numbits count)) + Z.one in
  let value = int 1000 + (int 20 * multiplication (int (Stdlib.( + ) (Stdlib.( * ) 4 own.digits) 128))) in
  per_entry (List.length ledger.pairs) + Z.pow (int 10) 8
  + (((int 6 * to_enclose none ledger.pairs bound) + own.near + own.far) * transcendental finer)
  + for_failures finer ledger
  + (sum factor (groups ledger.pairs) * ((own.near * value) + (int 1000 * own.far)))
  + (int 20_000 * own.blocks)
  + (length own.factors * (int 2_000_000 + (int 3000 * own.blocks)))

let cost_of_pairs plan bound pairs = cost plan bound (Costs.pairs_alone pairs)
let check_of_pairs attempt plan bound pairs = check attempt plan bound (Costs.pairs_alone pairs)

let rules =
  let theorem = "dong-roth-su-2022-theorem-3.2" in
  [
    of_pairs "fourier-upper" [ Upper ] (from_above noise) ~cost:cost_of_pairs ~check:(check_of_pairs above);
    of_pairs "fourier-lower" [ Lower ] (from_below noise) ~cost:cost_of_pairs ~check:(check_of_pairs below);
    of_ledger ~theorem "gaussian-fourier-upper" [ Upper ] Theorems.of_profiles (from_above noise_or_none)
      ~cost ~check:(check_beside above_beside);
    of_ledger ~theorem "gaussian-fourier-lower" [ Lower ] Theorems.of_profiles (from_below noise_or_none)
      ~cost ~check:(check_beside below_beside);
  ]
