(* The rules `concurrent-basic`, `group-privacy` and `group-mechanisms`: how fine the verified checks
   are to compute, their bounds of exponentials, and an order of the mechanisms. *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

(* Bits that are as fine as the digits, for up to [count] factors. *)
let precision digits count = Problem.bits_for digits + 40 + (2 * Z.numbits count)

(* How hard the check is to try, so that an exponential has that precision in spite of the greatest
   coefficient, and a sum of quantities as small as 2^-small too. *)
let effort (problem : Problem.t) precision small =
  let coefficients (e : Checks.entry) = fst e.epsilon :: snd e.epsilon in
  let all = problem.checked.denominator :: List.concat_map coefficients problem.checked.entries in
  let greatest = List.fold_left (fun most c -> max most (Z.numbits c)) 0 all in
  Problem.at_least (precision + 40 + greatest + small) problem

let one (effort : Checks.effort) = Z.shift_left Z.one (Z.to_int effort.bits)

(* --- suggestions --- *)

let guard = 64

(* About 2^bits e^(-v), for v >= 0 given times 2^(bits + guard). *)
let exp_minus bits v =
  let work = bits + guard in
  let halvings = max 0 (Z.numbits v - work) + 12 in
  let fine = work + (2 * halvings) in
  let v = Z.shift_right (Z.shift_left v (2 * halvings)) halvings in
  let rec series sum term n =
    if Z.sign term = 0 then sum
    else
      let next = Z.neg (Z.div (Z.shift_right (Z.mul term v) fine) (Z.of_int n)) in
      series (Z.add sum next) next (n + 1)
  in
  let one = Z.shift_left Z.one fine in
  let rec squared x n = if n = 0 then x else squared (Z.shift_right (Z.mul x x) fine) (n - 1) in
  Z.shift_right (squared (series one one 1) halvings) (fine - bits)

(* A little more than 2^bits e^x, for a sum of powers that is wanted where [delta] is above 0. *)
let exp_above (effort : Checks.effort) precision (epsilon, delta) =
  if Q.sign delta = 0 then Z.zero
  else if Signs.sign epsilon = 0 then one effort
  else
    let bits = Z.to_int effort.bits in
    let work = bits + guard in
    let v = Z.max Z.zero (fst (Signs.enclose epsilon work)) in
    let ln2, _ = Signs.ln2 work in
    let powers = Z.div v ln2 in
    if Z.gt powers (Z.of_int (1 lsl 23)) then reject "an exponential that is too large";
    let rest = exp_minus bits (Z.sub v (Z.mul powers ln2)) in
    let e = Z.shift_left (Z.div (Z.shift_left Z.one (2 * bits)) rest) (Z.to_int powers) in
    Z.add (Z.succ e) (Z.shift_right e precision)

(* What a sum of powers may be for a failure of delta each. *)
let cap effort delta = Z.add (one effort) (Z.cdiv (Z.mul (Q.den delta) (one effort)) (Q.num delta))

let greatest_cap effort deltas =
  let add most delta = if Q.sign delta = 0 then most else Z.max most (cap effort delta) in
  List.fold_left add Z.zero deltas

let deltas pairs = List.map (fun (m : pair) -> m.delta) pairs

(* --- groups --- *)

let need_premise (bound : bound) (given : bound) =
  if given.kind <> bound.kind then reject "the premise is of another kind";
  if not (Z.equal given.group Z.one) then reject "the premise is about groups itself";
  if Z.equal bound.group Z.one then reject "a group of 1 is none"

let need_same (bound : bound) (given : bound) =
  if not (given.at = bound.at && Q.equal given.delta bound.delta) then
    reject "epsilon and delta are not those of the premise"

(* A rule of groups: [premise] is what its premise is to be about. *)
let of_groups name kinds own ~premise ~cost ~check =
  let step parameters =
    let own, bound = read_bound kinds own for_groups parameters in
    let premise = premise own bound and cost_given = cost own bound in
    let check_given ledger given =
      need_premise bound given;
      check own bound ledger given
    in
    Inference (Ledger, Ledger, { concludes = bound; premise; cost_given; check_given })
  in
  { name; step }

let no_path (bound : bound) =
  {
    Checks.near_epsilon = Numbers.(to_checked zero);
    near_delta = Numbers.to_ratio bound.delta;
    far_effort = Problem.effort 0;
    far_numbered = { Checks.common = Z.one; table_for = []; basis_of = None };
    most_powers = Z.zero;
    odds_above = Z.zero;
  }

(* Proposals for groups, of hints about neighbours. *)
let for_all suggestion = List.map (fun near -> Checks.AboutLedger (suggestion near))

let by_path ledger path =
  (ledger, of_hints (for_all (fun near -> Checks.ForGroups (near, path))))

let group_privacy digits (bound : bound) ledger (given : bound) =
  if bound.kind = Lower then (need_same bound given; by_path ledger (no_path bound))
  else
    let epsilon' = finite given and epsilon = finite bound in
    let group = bound.group in
    if Signs.sign_of_sum [ (Z.one, epsilon); (Z.neg group, epsilon') ] < 0 then
      reject "epsilon is below g times that of the premise";
    let scaled = Numbers.scale (Q.of_bigint group) epsilon' in
    let problem = Problem.make ledger.pairs [ epsilon'; epsilon; scaled ] in
    let precision = precision digits group in
    let entry = problem.combination scaled in
    let small = List.fold_left (fun most c -> max most (Z.numbits c)) 0 (fst entry :: snd entry) in
    let effort = effort problem precision small in
    let odds = exp_above effort precision (epsilon', given.delta) in
    let most_powers = greatest_cap effort [ given.delta ] in
    by_path ledger
      {
        Checks.near_epsilon = Numbers.to_checked epsilon';
        near_delta = Numbers.to_ratio given.delta;
        far_effort = effort;
        far_numbered = problem.numbering;
        most_powers;
        odds_above = odds;
      }

let cost_of_group_privacy digits (bound : bound) _ (given : bound) =
  let open Costs in
  match (bound.at, given.at) with
  | Some epsilon, Some epsilon' ->
      let sizes = [ Numbers.size bound.delta; Numbers.size given.delta ] in
      let sizes = List.append (List.map Numbers.size_of [ epsilon; epsilon' ]) sizes in
      let finer = Stdlib.( + ) digits (digits_for (List.fold_left max 0 sizes)) in
      let logs = int (Stdlib.( + ) (Numbers.terms_of epsilon) (Numbers.terms_of epsilon')) in
      int 1000 + (logs * transcendental finer) + sign_of [ epsilon; epsilon' ]
  | _ ->
      let sizes = [ Numbers.size bound.delta; Numbers.size given.delta ] in
      let finer = Stdlib.( + ) digits (digits_for (List.fold_left max 0 sizes)) in
      int 1000 + transcendental finer

type own = { digits : int; failures : Q.t list }

let own =
  let read value = List.map Reading.mechanism_delta (Json.texts value) in
  let+ digits = digits and+ failures = field "deltas" read in
  { digits; failures }

let texts (m : pair) = (Numbers.write m.epsilon, Numbers.rational_text m.delta)

let merged pairs =
  let add found (text, (m : pair)) =
    match found with
    | (text', (m' : pair)) :: rest when text = text' ->
        (text', { m' with count = Z.add m'.count m.count }) :: rest
    | _ -> (text, m) :: found
  in
  let by_text (a, _) (b, _) = compare a b in
  let pairs = List.stable_sort by_text (List.map (fun m -> (texts m, m)) pairs) in
  List.rev_map snd (List.fold_left add [] pairs)

let by_text entries =
  let text m = (Numbers.rational_text m.parameter, m) in
  let sorted = List.sort (fun (a, _) (b, _) -> compare a b) (List.map text entries) in
  List.map snd sorted

(* What mechanisms are for a group of g: g epsilon with the deltas of the step, g mu, and g^2 rho. *)
let one_by_one own (bound : bound) ledger =
  if List.compare_lengths own.failures ledger.pairs <> 0 then
    reject "not as many deltas as mechanisms";
  let group = Q.of_bigint bound.group in
  let pair (m : pair) delta = { m with epsilon = Numbers.scale group m.epsilon; delta } in
  let scaled factor m = { m with parameter = Q.mul factor m.parameter } in
  {
    pairs = List.map2 pair ledger.pairs own.failures;
    gaussian = List.map (scaled group) ledger.gaussian;
    concentrated = List.map (scaled (Q.mul group group)) ledger.concentrated;
  }

(* The same, merged and sorted again. *)
let for_group own bound ledger =
  let derived = one_by_one own bound ledger in
  {
    pairs = merged derived.pairs;
    gaussian = by_text derived.gaussian;
    concentrated = by_text derived.concentrated;
  }

let group_mechanisms own (bound : bound) ledger given =
  need_same bound given;
  let group = bound.group in
  let derived = for_group own bound ledger in
  let problem = Problem.make ledger.pairs (Costs.epsilons derived.pairs) in
  let precision = precision own.digits group in
  let effort = effort problem precision 0 in
  let enlargement (m : pair) delta =
    { Checks.far_delta = Numbers.to_ratio delta; odds_for = exp_above effort precision (m.epsilon, m.delta) }
  in
  let enlarging =
    {
      Checks.wide_effort = effort;
      wide_numbered = problem.numbering;
      most_odds = greatest_cap effort (deltas ledger.pairs);
      enlarged_by = List.map2 enlargement ledger.pairs own.failures;
    }
  in
  ( one_by_one own bound ledger,
    of_hints (for_all (fun near -> Checks.ForMechanisms (near, enlarging))) )

let cost_of_group_mechanisms own bound ledger _ =
  let open Costs in
  let finer = finer own.digits { none with rationals = own.failures } ledger bound in
  let logs = sum (fun e -> int (Numbers.terms_of e)) (epsilons ledger.pairs) in
  per_entry (entries ledger) + (logs * transcendental finer) + for_failures finer ledger

(* --- concurrent-basic --- *)

(* The mechanisms by falling delta/(e^epsilon - 1), those that cannot fail last. *)
let order effort bounded =
  let urgency ((m : pair), bound) =
    if Q.sign m.delta = 0 then Q.minus_one
    else if not m.positive then Q.inf
    else Q.div m.delta (Q.make (Z.sub bound (one effort)) (one effort))
  in
  let keyed = List.map (fun each -> (urgency each, each)) bounded in
  List.map snd (List.stable_sort (fun (a, _) (b, _) -> Q.compare b a) keyed)

let concurrent_basic digits (bound : bound) pairs =
  let epsilon = finite bound in
  if Closed.excess pairs epsilon < 0 then reject "epsilon is below the sum";
  let problem = Problem.make pairs [ epsilon ] in
  let precision = precision digits (count_of pairs) in
  let small = List.fold_left (fun most d -> max most (Numbers.size d)) 0 (deltas pairs) in
  let effort = effort problem precision small in
  let bounded (m : pair) = (m, exp_above effort precision (m.epsilon, m.delta)) in
  let ordered = order effort (List.map bounded pairs) in
  let entry (m, odds) = (Problem.entry problem.combination m, odds) in
  let cap = greatest_cap effort (deltas pairs) in
  Problem.suggest problem effort (Checks.Basic (cap, List.map entry ordered))

let cost_of_concurrent_basic digits (bound : bound) pairs =
  let open Costs in
  let ledger = pairs_alone pairs in
  let finer = finer digits none ledger bound in
  let numbers = List.append (Option.to_list bound.at) (epsilons pairs) in
  per_entry (List.length pairs)
  + (sum (fun e -> int (Numbers.terms_of e)) numbers * transcendental finer)
  + for_failures finer ledger + sign_of numbers

let rules =
  [
    of_pairs "concurrent-basic" ~adaptive:false ~theorem:Theorems.vadhan_wang_basic
      ~interleaved:[ Theorems.Of_ledgers (Theorems.vadhan_wang_basic, fun _ -> true) ]
      [ Upper ] digits ~cost:cost_of_concurrent_basic ~check:concurrent_basic;
    of_groups "group-privacy" either digits
      ~premise:(fun _ _ ledger -> ledger)
      ~cost:cost_of_group_privacy ~check:group_privacy;
    of_groups "group-mechanisms" [ Upper ] own ~premise:for_group ~cost:cost_of_group_mechanisms
      ~check:group_mechanisms;
  ]
