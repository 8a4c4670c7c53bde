(* The rules about interactive mechanisms: `post-processing` and `distinguishing-adversary`.

   The verified checks walk through the histories of the whole; before, the walk is taken once to
   see that no rational has more bits than the certificate allows for (SPEC, section 11.1). *)

open Lists
open Outcome
open Subjects
open Kernel
open Parameters

(* What both rules have: the most bits of a rational, and the odds. *)
type limits = { bits : int; odds : Q.t }

let at_least_1 value =
  let odds = Numbers.not_negative (Json.text value) in
  if Q.lt odds Q.one then fail "odds is below 1";
  odds

let limits =
  let+ bits = field "bits" (fun v -> Numbers.small (Json.text v) 1 100_000_000)
  and+ odds = field "odds" at_least_1 in
  { bits; odds }

(* --- costs --- *)

let max_states = Z.of_int 100_000

(* How many histories have so many answers, ends included. *)
let by_depth tree =
  let depths = Array.make (Reading.max_rounds + 1) Z.zero in
  let count depth = depths.(depth) <- Z.succ depths.(depth) in
  let rec from depth index =
    count depth;
    if index <> ending then
      List.iter (List.iter (fun answer -> from (depth + 1) answer.next)) tree.(index)
  in
  from 0 (if tree = [||] then ending else 0);
  depths

(* The number of histories of the whole: of interleavings of histories. *)
let histories trees =
  let factorial n = List.fold_left Z.mul Z.one (List.init n (fun i -> Z.of_int (i + 1))) in
  let exponential depths = Array.mapi (fun d count -> Q.make count (factorial d)) depths in
  let last = Reading.max_rounds in
  let times a b =
    let at n = List.sum Q.add Q.zero (fun i -> Q.mul a.(i) b.(n - i)) (List.init (n + 1) Fun.id) in
    Array.init (last + 1) at
  in
  let one = Array.init (last + 1) (fun d -> if d = 0 then Q.one else Q.zero) in
  let whole = List.fold_left times one (List.map (fun tree -> exponential (by_depth tree)) trees) in
  let at d = Q.num (Q.mul (Q.of_bigint (factorial d)) whole.(d)) in
  List.sum Z.add Z.zero at (List.init (last + 1) Fun.id)

let logarithm odds =
  { Numbers.rational = Q.zero; logs = (if Q.equal odds Q.one then [] else [ (Q.one, odds) ]) }

let cost limits (bound : bound) trees =
  let open Costs in
  let states = product (fun tree -> Z.succ (int (Array.length tree))) trees in
  if Z.gt states max_states then reject "too many states";
  let b = int limits.bits in
  let each = int 50_000 + (int 20 * multiplication b) + Z.fdiv (b * b) (int 64) in
  let compared = match bound.at with Some e -> sign_of [ e; logarithm limits.odds ] | None -> Z.zero in
  (int 1000 * states) + (histories trees * each) + compared

(* --- limits --- *)

let within limits q =
  if Numbers.size q > limits.bits then reject "a rational has too many bits";
  q

let add limits total q = within limits (Q.add total (within limits q))
let sum limits = List.fold_left (add limits) Q.zero

let rec from (histories : tree) index =
  let answer a = ((a.p, a.q), from histories a.next) in
  Checks.Tree (if index = ending then [] else List.map (List.map answer) histories.(index))

let tree histories = from histories (if histories = [||] then ending else 0)
let ratio q = (Q.num q, Q.den q)

let limit_numbers limits (bound : bound) trees =
  ignore (sum limits [ bound.delta; limits.odds ]);
  let query answers =
    ignore (sum limits (List.map (fun a -> a.p) answers));
    ignore (sum limits (List.map (fun a -> a.q) answers))
  in
  List.iter (Array.iter (List.iter query)) trees

let after limits (p, q) (p', q') = (within limits (Q.mul p p'), within limits (Q.mul q q'))
let certain = (Q.one, Q.one)

(* A check to propose, with the first effort that compares epsilon and ln(odds). *)
let propose limits bound sign hint =
  let epsilon = finite bound and logarithm = logarithm limits.odds in
  if sign * Signs.sign_of_sum [ (Z.one, epsilon); (Z.minus_one, logarithm) ] < 0 then
    reject "odds is on the other side of e^epsilon";
  let problem = Problem.make [] [ epsilon; logarithm ] in
  let x = problem.combination epsilon and odds = ratio limits.odds in
  let compares bits =
    Checks.odds_against (Problem.effort ~ties:true bits) problem.checked odds (Z.of_int sign) x
  in
  match List.find_opt compares Problem.efforts with
  | Some bits ->
      [ Checks.AboutTrees (hint (Problem.effort ~ties:true bits) problem.numbering odds) ]
  | None -> reject "not proved"

(* --- post-processing --- *)

(* The sum of the rows of the ends that follow, and the rows that are left. *)
let rec limit_rows limits law rows (Checks.Tree queries) =
  let answer (total, rows) (pq, next) =
    let row, rows = limit_rows limits (after limits law pq) rows next in
    (List.map2 (add limits) total row, rows)
  in
  let none = [ Q.zero; Q.zero; Q.zero; Q.zero ] in
  let query (_, rows) answers = List.fold_left answer (none, rows) answers in
  match (queries, rows) with
  | [], row :: rows -> (List.map (within limits) row, rows)
  | [], [] -> reject "the simulation has fewer rows than there are ends"
  | _ -> List.fold_left query ([], rows) queries

let simulated row =
  match List.map Numbers.not_negative (Json.texts row) with
  | [ _; _; _; _ ] as row -> row
  | _ -> fail "a row of simulation does not have 4 numbers"

let post_processing (limits, simulation) (bound : bound) trees =
  limit_numbers limits bound trees;
  let trees = List.map tree trees in
  ignore (limit_rows limits certain simulation (Checks.whole trees));
  let row = function
    | [ a; b; c; e ] ->
        { Checks.sure_0 = ratio a; lean = ratio b; stray = ratio c; sure_1 = ratio e }
    | _ -> reject "a row does not have 4 numbers"
  in
  let rows = List.map row simulation in
  propose limits bound 1 (fun f numbering odds -> Checks.Simulated (f, numbering, odds, rows))

(* --- distinguishing-adversary --- *)

type attack = { limits : limits; input : int; choices : int list }

let attack =
  let choice text = Numbers.small text 0 1_000_000 in
  let+ limits = limits
  and+ input = field "input" (Json.one_of [ "0"; "1" ])
  and+ choices = field "choices" (fun v -> List.map choice (Json.texts v)) in
  { limits; input = int_of_string input; choices }

(* What the ends add up to, from a total on, and the choices that are left. *)
let rec limit_excess attack every (total, choices) law (Checks.Tree queries) =
  match (queries, choices) with
  | [], _ ->
      let a, b = if attack.input = 0 then law else (snd law, fst law) in
      let part =
        if every then if Q.sign b = 0 then a else Q.zero
        else Q.max Q.zero (Q.sub a (Q.mul attack.limits.odds b))
      in
      (within attack.limits (Q.add total part), choices)
  | _, choice :: choices when List.compare_length_with queries choice > 0 ->
      let answer from (pq, next) = limit_excess attack every from (after attack.limits law pq) next in
      List.fold_left answer (total, choices) (List.nth queries choice)
  | _ -> reject "a choice is missing, or is that of a query that is not there"

let distinguishing_adversary attack (bound : bound) trees =
  let { limits; input; choices } = attack in
  limit_numbers limits bound trees;
  let trees = List.map tree trees in
  ignore (limit_excess attack (bound.at = None) (Q.zero, choices) certain (Checks.whole trees));
  let side = input = 1 in
  if bound.at = None then begin
    if not (Q.equal limits.odds Q.one) then reject "odds is not 1 though epsilon is every";
    [ Checks.AboutTrees (Checks.AttackedAlways (side, choices)) ]
  end
  else
    propose limits bound (-1) (fun f numbering odds ->
        Checks.Attacked (f, numbering, odds, side, choices))

let rules =
  let about_trees name = axiom Trees name Theorems.definition in
  let simulation =
    let+ limits = limits
    and+ rows = field "simulation" (fun v -> List.map simulated (Json.list v)) in
    (limits, rows)
  in
  [
    about_trees "post-processing" [ Upper ] Theorems.by_definition simulation
      ~cost:(fun (limits, _) -> cost limits)
      ~check:post_processing;
    about_trees "distinguishing-adversary" [ Lower ] Theorems.by_definition attack
      ~cost:(fun attack -> cost attack.limits)
      ~check:distinguishing_adversary;
  ]
