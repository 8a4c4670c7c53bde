(* The parameters that several rules have, each by its name; and rules by what they conclude. *)

open Lists
open Outcome
open Subjects
open Kernel

let digits = field "digits" (fun v -> Numbers.small (Json.text v) 1 Signs.max_digits)
let sums = field "sums" (fun v -> Numbers.small (Json.text v) 1 10_000_000)

let positive value =
  let unit = Numbers.read (Json.text value) in
  if Signs.sign unit <= 0 then fail "unit is not positive";
  unit

let unit = field "unit" positive

let alpha = field "alpha" (fun v -> Reading.above_1 (Numbers.rational (Json.text v)))

let bound group =
  let+ kind = field "bound" Reading.kind
  and+ epsilon = field "epsilon" Fun.id
  and+ delta = field "delta" Fun.id
  and+ group = group in
  Reading.bound kind epsilon delta group

let for_neighbours = bound (let+ () = nothing in Z.one)
let for_groups = bound (field "group" Reading.group)

let read_bound kinds own for_whom parameters =
  let both =
    let+ own = own and+ bound = for_whom in
    (own, bound)
  in
  let own, bound = read both parameters in
  if not (List.mem bound.kind kinds) then reject "does not prove such bounds";
  (own, bound)

(* A rule that proves a bound from its subject alone: [cost] and [check] take its own parameters. *)
let axiom_of ~proof ?(adaptive = true) about name theorem kinds interleaved own ~cost ~check =
  let step parameters =
    let own, bound = read_bound kinds own for_neighbours parameters in
    let theorems = Theorems.permitted ~adaptive theorem interleaved bound.kind in
    let cost subject = cost own bound subject in
    let check subject = proof (check own bound subject) in
    Axiom (about, { bound; theorems; cost; check })
  in
  { name; step }

let axiom ?adaptive about = axiom_of ~proof:(fun proposals -> Proposals proposals) ?adaptive about

(* About ledgers: [check] suggests checks. *)
let of_ledger ?adaptive ?(theorem = Theorems.murtagh_vadhan) name =
  axiom_of ~proof:(fun hints -> Hints hints) ?adaptive Ledger name theorem

(* About mechanisms that are all given by (epsilon, delta), or by a mu or rho of 0. *)
let of_pairs ?adaptive ?(theorem = Theorems.murtagh_vadhan) ?(interleaved = Theorems.approximate) name
    kinds own ~cost ~check =
  let cost own bound ledger = cost own bound (Subjects.of_pairs ledger) in
  let check own bound ledger = check own bound (Subjects.of_pairs ledger) in
  of_ledger ?adaptive ~theorem name kinds interleaved own ~cost ~check

let either = [ Upper; Lower ]
let formula = [ Upper; Underivable ]

