(* The rule `grid-fourier`: decided by the sum that `grid` has, with more digits. Its own parameters say
   how a verifier is to add up a period; they must be well-formed, and decide nothing here. *)

open Outcome
open Subjects
open Kernel
open Parameters

type own = { on_grid : Grids.own; points : Z.t; values : Z.t }

let most_points = Z.shift_left Z.one 31
let most_cut = 1_000_000
let longest_tilt = 512

let points =
  let odd value =
    let points = Numbers.whole (Json.text value) (Z.of_int 3) most_points in
    if not (Z.is_odd points) then fail "points is even" else points
  in
  field "points" odd

let tilt =
  let short value =
    let tilt = Numbers.rational (Json.text value) in
    if Q.sign tilt <= 0 || Numbers.size tilt > longest_tilt then
      fail "tilt is not a rational above 0 of at most 512 bits"
  in
  field "tilt" short

let cut = field "cut" (fun value -> ignore (Numbers.small (Json.text value) 1 most_cut))
let values = field "values" (fun value -> Numbers.whole (Json.text value) Z.zero most_points)

let own =
  let+ on_grid = Grids.own and+ points = points and+ values = values and+ () = tilt and+ () = cut in
  { on_grid; points; values }

let cost { on_grid; points; values } bound pairs =
  let further = Grids.further on_grid.unit and ledger = Costs.pairs_alone pairs in
  let finer = Costs.finer on_grid.digits further ledger bound in
  Costs.by_period finer further ledger bound ~points ~values

(* The bits that a verifier computes with beyond its digits (SPEC 7.26), as some of them are lost. *)
let check { on_grid; points; _ } (bound : bound) pairs =
  let roundings = (2 * Z.numbits (count_of pairs)) + Z.numbits points in
  Grids.check_finely (80 + roundings + Numbers.size bound.delta) on_grid bound pairs

let rules = [ of_pairs "grid-fourier" either own ~check ~cost ]
