(* The rules that go through concentrated and Rényi differential privacy: at how many bits the
   verified checks are to work. *)

open Lists
open Subjects
open Kernel
open Parameters

let guard = 60
let order_of alpha = { Checks.order_above = Q.num alpha; order_below = Q.den alpha }

let suggested attempt digits bound ledger =
  let epsilon = finite bound in
  let problem = Problem.make ledger.pairs [ epsilon ] in
  let bits = Z.of_int (Problem.bits_for digits + guard + (2 * Z.numbits (count ledger))) in
  Problem.suggest problem (Problem.at_least 96 problem) (attempt bits)

let cost rationals digits bound ledger =
  let open Costs in
  let finer = finer digits { none with rationals } ledger bound in
  per_entry (entries ledger)
  + (((int 3 * to_enclose none ledger.pairs bound) + int 8) * transcendental finer)
  + for_failures finer ledger

let bun_steinke = suggested (fun bits -> Checks.BunSteinke bits)
let of_order attempt (alpha, digits) = suggested (fun bits -> attempt bits (order_of alpha)) digits
let canonne_kamath_steinke bits order = Checks.CanonneKamathSteinke (bits, order)
let renyi bits order = Checks.Renyi (bits, order)

let rules =
  let order =
    let+ alpha = alpha and+ digits = digits in
    (alpha, digits)
  in
  let cost_of_order (alpha, digits) = cost [ alpha ] digits in
  let carried = Theorems.of_renyi_divergences in
  [
    of_ledger ~theorem:"bun-steinke-2016-proposition-1.3" "zcdp-bun-steinke" formula carried digits
      ~cost:(cost []) ~check:bun_steinke;
    of_ledger ~theorem:"canonne-kamath-steinke-2020-corollary-13" "zcdp-canonne-kamath-steinke"
      formula carried order ~cost:cost_of_order ~check:(of_order canonne_kamath_steinke);
    of_ledger ~theorem:"canonne-kamath-steinke-2020-proposition-12" "renyi" [ Upper ] carried order
      ~cost:cost_of_order ~check:(of_order renyi);
  ]
