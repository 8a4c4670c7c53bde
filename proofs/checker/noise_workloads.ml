(* The reductions of workloads by noise to ledgers of mechanisms by their noise: `noise-witness` and
   `noise-colouring`.

   What is proposed: the ledger concluded, and the row or the classes by which its bounds carry over.
   To the verified check an answer with several shifts is a query for each of them. *)

open Lists
open Outcome
open Subjects
open Kernel

(* --- which entry is at most which other (SPEC 15.3) --- *)

type law = Normal of Q.t | Range of Q.t | Two_sided of Q.t | Shift of Q.t * Z.t | Table of (Q.t * Q.t) list
type order = Laws of law list | Rho of Q.t | Divergences of (Q.t * Q.t) list | Unordered

(* Of the greatest shifts first. *)
let order_of named =
  match named.known with
  | { others = { gaussian = [ m ]; _ }; _ } -> Laws [ Normal m.parameter ]
  | { others = { concentrated = [ m ]; _ }; _ } -> Rho m.parameter
  | { ranged = [ m ]; _ } -> Laws [ Range m.parameter ]
  | { laplaced = [ l ]; _ } -> Laws [ Two_sided (Q.div l.sensitivity l.width) ]
  | { shifted = [ s ]; _ } -> Laws (List.rev_map (fun shift -> Shift (s.scale, shift)) s.shifts)
  | { tabled = [ t ]; _ } -> Laws [ Table t.outputs ]
  | { divergent = [ d ]; _ } -> Divergences d.orders
  | _ -> Unordered

let same_rows rows rows' =
  List.compare_lengths rows rows' = 0
  && List.for_all2 (fun (a, b) (a', b') -> Q.equal a a' && Q.equal b b') rows rows'

let is_law_at_most one other =
  match (one, other) with
  | Normal m, Normal m' | Range m, Range m' | Two_sided m, Two_sided m' -> Q.leq m m'
  | Shift (scale, shift), Shift (scale', shift') -> Q.leq scale' scale && Z.leq shift shift'
  | Table rows, Table rows' -> same_rows rows rows'
  | (Normal _ | Range _ | Two_sided _ | Shift _ | Table _), _ -> false

let rec are_at_most ones others =
  match (ones, others) with
  | [], _ -> true
  | one :: ones, other :: others -> is_law_at_most one other && are_at_most ones others
  | _ :: _, [] -> false

let is_at_most one other =
  match (order_of one, order_of other) with
  | Laws ones, Laws others -> are_at_most ones others
  | Rho rho, Rho rho' -> Q.leq rho rho'
  | Divergences rows, Divergences rows' -> same_rows rows rows'
  | (Laws _ | Rho _ | Divergences _ | Unordered), _ -> false

(* The first of those that all others are at most. *)
let greatest_noise = function
  | [] -> fail "empty"
  | first :: rest as entries ->
      let further most one = if is_at_most most one && not (is_at_most one most) then one else most in
      let most = List.fold_left further first rest in
      if not (List.for_all (fun one -> is_at_most one most) entries) then
        reject "no query of a colour is known to dominate the others";
      most

(* --- what is concluded --- *)

let by_epsilon (query : query) = fst query.texts = 0

(* The greatest epsilon and delta, if these are all that is known of a class. *)
let dominating workload colour =
  let queries = List.map (Array.get workload.asked.queries) colour in
  if List.for_all by_epsilon queries then
    let _, texts = Reductions.greatest_of queries in
    let members = List.rev (List.map2 (fun key text -> (key, Json.Text text)) [ "epsilon"; "delta" ] texts) in
    let entry = Reading.noise_entry (Reading.times Z.one members) in
    { bytes = Json.write (Json.Object members); members; known = Reading.noise_of_entries [ entry ] }
  else greatest_noise (List.map (Array.get workload.named) colour)

(* Equal ones together, each with how many there are, in the order of their bytes. *)
let counted entries =
  let count found one =
    match found with
    | (last, n) :: rest when last.bytes = one.bytes -> (last, Z.succ n) :: rest
    | _ -> (one, Z.one) :: found
  in
  let in_order = List.stable_sort (fun a b -> String.compare a.bytes b.bytes) entries in
  List.rev (List.fold_left count [] in_order)

let merged entries =
  let entry (one, n) = Reading.noise_entry (Reading.times n one.members) in
  Reading.noise_of_entries (List.map entry (counted entries))

(* --- as the verified check numbers them --- *)

let parts named = match named.known.shifted with [ s ] -> List.length s.shifts | _ -> 1

(* Their order in a ledger: by epsilon, by shifts, by Laplace noise, by mu, by rho, by range, by divergences, by tables. *)
let family { known; _ } =
  if known.others.pairs <> [] then 0
  else if known.shifted <> [] then 1
  else if known.laplaced <> [] then 2
  else if known.others.gaussian <> [] then 3
  else if known.others.concentrated <> [] then 4
  else if known.ranged <> [] then 5
  else if known.divergent <> [] then 6
  else 7

let by_family counted = List.stable_sort (fun (a, _) (b, _) -> compare (family a) (family b)) counted

let to_checked counted =
  let each of_one = List.concat_map (fun (one, n) -> of_one one.known n) (by_family counted) in
  let scaled list n = List.map (fun m -> (Numbers.to_ratio m.parameter, n)) list in
  let ratios = List.map (fun (a, b) -> (Numbers.to_ratio a, Numbers.to_ratio b)) in
  let pair n (m : pair) = ((Numbers.to_checked m.epsilon, Numbers.to_ratio m.delta), n) in
  let quotient l = Numbers.to_ratio (Q.div l.sensitivity l.width) in
  let shift n s shift = ((Numbers.to_ratio (Q.inv s.scale), shift), n) in
  {
    Checks.others =
      {
        Checks.of_epsilon = each (fun known n -> List.map (pair n) known.others.pairs);
        of_mu = each (fun known n -> scaled known.others.gaussian n);
        of_rho = each (fun known n -> scaled known.others.concentrated n);
      };
    shifted = each (fun known n -> List.concat_map (fun s -> List.map (shift n s) s.shifts) known.shifted);
    laplaced = each (fun known n -> List.map (fun l -> (quotient l, n)) known.laplaced);
    ranged = each (fun known n -> scaled known.ranged n);
    divergent = each (fun known n -> List.map (fun d -> (ratios d.orders, n)) known.divergent);
    tabled = each (fun known n -> List.map (fun t -> (ratios t.outputs, n)) known.tabled);
    samples = [];
    bells = [];
  }

(* The number of the first mechanism of an entry, and how many there are of it; by its bytes. *)
let numbering counted =
  let place (found, next) (one, n) =
    let n = Z.to_int n in
    ((one.bytes, (next, n)) :: found, next + (parts one * n))
  in
  let found, all = List.fold_left place ([], 0) (by_family counted) in
  (Hashtbl.of_seq (List.to_seq found), all)

(* The number of the class of each query's answers: those of the greatest shifts go together. *)
let numbered colours workload =
  let classes = List.map (dominating workload) colours in
  let places, none = numbering (counted classes) in
  let numbers = Array.map (fun named -> List.init (parts named) (fun _ -> none)) workload.named in
  let taken = Array.make (Array.length numbers) false in
  let copies = Hashtbl.create 64 in
  let put colour one =
    let copy = Option.value (Hashtbl.find_opt copies one.bytes) ~default:0 in
    Hashtbl.replace copies one.bytes (copy + 1);
    let first, times = Hashtbl.find places one.bytes in
    let number query =
      if taken.(query) then reject "a query is in two colours";
      taken.(query) <- true;
      let own = parts workload.named.(query) in
      let part i = first + ((parts one - own + i) * times) + copy in
      numbers.(query) <- List.init own part
    in
    List.iter number colour
  in
  List.iter2 put colours classes;
  List.concat (Array.to_list numbers)

(* --- what is proposed --- *)

let propose workload entries carried_to =
  let ledger = merged entries in
  let all = Array.to_list workload.named in
  let pairs = List.concat_map (fun one -> one.known.others.pairs) all in
  let problem = Problem.make ~as_read:true ledger.others.pairs (Costs.epsilons pairs) in
  let efforts = List.map (fun bits -> Problem.effort bits) (Problem.of_reading problem) in
  let numbers_over = problem.numbering and represented_by = to_checked (counted entries) in
  let carrying hint =
    let bounded_by = [ hint ] in
    Checks.AboutNoiseWorkload { Checks.efforts; numbers_over; represented_by; bounded_by; carried_to }
  in
  let of_noise = function Checks.AboutNoise hint -> [ carrying hint ] | _ -> [] in
  (ledger, function Hints _ -> [] | Proposals proposals -> List.concat_map of_noise proposals)

let met row workload =
  let hit i (query : query) = if Reductions.satisfies row query then [ workload.named.(i) ] else [] in
  List.concat (List.mapi hit (Array.to_list workload.asked.queries))

(* The check compares what is known of each query that the row satisfies with each entry of the ledger:
   no more of that than what a certificate's bytes pay for. *)
let limit_comparisons hits =
  let rows one =
    let orders = List.concat_map (fun d -> d.orders) one.known.divergent in
    let outputs = List.concat_map (fun t -> t.outputs) one.known.tabled in
    Z.of_int (parts one + List.length orders + List.length outputs)
  in
  let cells = List.sum Z.add Z.zero rows hits and entries = List.length (counted hits) in
  let paid = Z.of_int ((1 lsl 24) + (5000 * List.length hits)) in
  if Z.gt (Z.mul (Z.of_int entries) cells) paid then reject "too many different parameters to compare"

let check_witness row workload _ =
  let hits = met row workload in
  limit_comparisons hits;
  propose workload hits (Checks.MetByRow (Reductions.values row workload.asked))

let check_colouring colours workload _ =
  let numbers = numbered colours workload in
  if List.length numbers > Reductions.max_queries then reject "too many queries to compare";
  propose workload (List.map (dominating workload) colours) (Checks.InClasses numbers)

let rules =
  let colours value = List.map Reductions.colour (Json.list value) in
  let cost_of_classes colours { asked; _ } =
    Reductions.in_range asked colours;
    Reductions.cost_of_colours colours asked
  in
  let without_laplace { named; _ } = Array.iter (fun one -> Noises.without_laplace one.known) named in
  let cost_of_row row ({ asked; _ } as workload) =
    without_laplace workload;
    Reductions.require_row row asked;
    Reductions.cost_of_colours [] asked
  in
  let reduction name carries key read ~cost ~stand_in ~check =
    let step parameters =
      let own = Kernel.read (field key read) parameters in
      let cost_of = cost own and stand_in = stand_in own and check_of = check own in
      Reduction (Noise_workload, Noise, { carries; cost_of; stand_in; check_of })
    in
    { name; step }
  in
  [
    reduction "noise-witness" Lower "row" Reductions.row ~cost:cost_of_row
      ~stand_in:(fun row workload ->
        without_laplace workload;
        merged (met row workload))
      ~check:check_witness;
    reduction "noise-colouring" Upper "colours" colours ~cost:cost_of_classes
      ~stand_in:(fun colours workload -> merged (List.map (dominating workload) colours))
      ~check:check_colouring;
  ]
