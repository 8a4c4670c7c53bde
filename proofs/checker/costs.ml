(* What a rule's check will cost, known before it starts (SPEC, sections 5, 7 and 11), and the
   sizes that a rule limits. *)

open Certificate

let ( + ) = Z.add
let ( * ) = Z.mul
let int = Z.of_int
let sum_of cost list = List.fold_left (fun total one -> total + cost one) Z.zero list
let product_of cost list = List.fold_left (fun total one -> total * cost one) Z.one list
let length list = int (List.length list)

(* The distinct positive epsilons in their order, with their counts added. *)
let groups mechanisms =
  let counts = Hashtbl.create 16 in
  let add order (m : mechanism) =
    match Hashtbl.find_opt counts m.epsilon with
    | _ when not m.positive -> order
    | Some count ->
        Hashtbl.replace counts m.epsilon (count + m.count);
        order
    | None ->
        Hashtbl.add counts m.epsilon m.count;
        m.epsilon :: order
  in
  let order = List.rev (List.fold_left add [] mechanisms) in
  List.map (fun epsilon -> (epsilon, Hashtbl.find counts epsilon)) order

(* Whether e^epsilon is rational at sight: no rational part, and integer coefficients. *)
let has_rational_odds (epsilon : Numbers.t) =
  Q.sign epsilon.rational = 0 && List.for_all (fun (c, _) -> Z.equal (Q.den c) Z.one) epsilon.logs

(* The bits of e^epsilon, written as a product of powers. *)
let odds_size (epsilon : Numbers.t) =
  sum_of (fun (c, r) -> Z.abs (Q.num c) * int (Numbers.size r)) epsilon.logs

(* At most so many of the count + 1 weights of a block, less one, are not 0. *)
let window digits count =
  Z.min count ((int 2 * Z.sqrt (int 2 * count * (int digits + int 10))) + int 64)

(* One logarithm and one exponential; one product of integers; one value of a Gaussian profile. *)
let transcendental digits = int 200_000 + (int 500 * int digits * Z.sqrt (int digits))
let product bits = Z.fdiv (bits * Z.sqrt bits) (int 64)
let profile digits = int 300_000 + (int 50 * int digits * int digits)

(* The work of collecting at most [sums] sums, group by group. *)
let pairs lengths sums =
  let add (work, table) length =
    let extended = table * Z.succ length in
    (work + extended, Z.min (int sums) extended)
  in
  fst (List.fold_left add (Z.one, Z.one) lengths)

let entries subject =
  length subject.mechanisms + length subject.gaussian + length subject.concentrated

let of_sum subject _ = int 1000 * Z.succ (length subject.mechanisms)
let of_entries subject = int 1000 * Z.succ (entries subject)
let of_vacuous _ _ = Z.one
let of_infeasible subject _ = of_entries subject

(* B and B_Delta of SPEC 7.4. *)
let rational_odds_sizes subject step =
  if not (List.for_all (fun (m : mechanism) -> has_rational_odds m.epsilon) subject.mechanisms) then
    reject "the odds of an epsilon are not rational";
  let odds (m : mechanism) = m.count * odds_size m.epsilon in
  let deltas (m : mechanism) = m.count * int (Numbers.size m.delta) in
  ( sum_of odds subject.mechanisms,
    int (Numbers.size step.bound.delta) + sum_of deltas subject.mechanisms )

let of_rational_odds subject step =
  let odds_bits, delta_bits = rational_odds_sizes subject step in
  let pairs = pairs (List.map snd (groups subject.mechanisms)) step.sums in
  of_sum subject step + transcendental step.digits
  + (pairs * (int 500 + product odds_bits))
  + product delta_bits

let multiple epsilon step = fst (Signs.ceil_quotient epsilon step.unit)

(* S of SPEC 7.5, and of 7.7. *)
let stretch subject step =
  sum_of
    (fun (epsilon, count) -> Z.succ (multiple epsilon step * window step.digits count))
    (groups subject.mechanisms)

let dots_stretch subject step =
  sum_of
    (fun (epsilon, count) ->
      Z.succ (int 2 * Z.succ (multiple epsilon step) * window step.digits count))
    (groups subject.mechanisms)

(* The groups in their order, gathered while a leaf has at most [sums] atoms. *)
let leaves subject step =
  let sums = int step.sums in
  let add (leaves, atoms) ((_, count) as group) =
    let size = Z.succ count in
    match leaves with
    | leaf :: rest when Z.leq (atoms * size) sums -> ((group :: leaf) :: rest, atoms * size)
    | _ -> ([ group ] :: leaves, size)
  in
  let leaves, _ = List.fold_left add ([], Z.one) (groups subject.mechanisms) in
  List.rev_map List.rev leaves

let on_a_grid subject step stretch =
  let number = List.length (groups subject.mechanisms) in
  let work = int 20 * stretch * (int step.digits + int 30) in
  of_sum subject step
  + (int number * transcendental step.digits)
  + (work * (int (Z.numbits (int number)) + int 2))

let of_grid subject step = on_a_grid subject step (stretch subject step)

let of_bracket subject step =
  let atoms leaf = product_of (fun (_, count) -> Z.succ (window step.digits count)) leaf in
  on_a_grid subject step (dots_stretch subject step)
  + (sum_of atoms (leaves subject step) * Z.fdiv (transcendental step.digits) (int 5))

let of_concurrent_basic subject step =
  of_sum subject step + (length subject.mechanisms * transcendental step.digits)

let of_group_privacy _ step = int 1000 + transcendental step.digits

let of_group_mechanisms subject step =
  of_entries subject + (length subject.mechanisms * transcendental step.digits)

let of_formula subject step =
  let terms = length (groups subject.mechanisms) + int 4 in
  of_sum subject step + (terms * transcendental Stdlib.(2 * step.digits))

let of_lattice subject step =
  let blocks = groups subject.mechanisms in
  let arguments (number : Numbers.t) = List.map snd number.logs in
  let logs = List.sort_uniq Q.compare (List.concat_map (fun (e, _) -> arguments e) blocks) in
  let pairs = pairs (List.map (fun (_, count) -> window step.digits count) blocks) step.sums in
  let one = transcendental step.digits in
  (of_sum subject step * Z.succ (length subject.mechanisms))
  + (Z.succ (length blocks) * one)
  + (pairs * (int 500 + (int 10 * int step.digits) + (int 100 * length logs)))
  + (int step.sums * Z.fdiv one (int 5))

let of_conversion subject step =
  let terms = (int 3 * length (groups subject.mechanisms)) + int 6 in
  of_entries subject + (terms * transcendental step.digits)

let of_gaussian subject step = of_entries subject + profile step.digits

let of_gaussian_mixture subject step =
  let blocks = groups subject.mechanisms in
  let atoms = product_of (fun (_, count) -> Z.succ (window step.digits count)) blocks in
  of_entries subject
  + (length blocks * transcendental step.digits)
  + (atoms * profile step.digits)

let among subject step =
  of_bracket subject step + (Z.succ (dots_stretch subject step) * profile step.digits)

let of_gaussian_mesh subject step =
  if step.bound.kind = Upper then among subject step
  else of_grid subject step + (Z.succ (stretch subject step) * profile step.digits)

(* The mechanisms given by (epsilon, delta), and the pair as one more. *)
let with_pair subject step failure =
  let positive = step.pair <> Numbers.zero in
  let pair = { epsilon = step.pair; delta = failure; count = Z.one; positive } in
  { subject with mechanisms = subject.mechanisms @ [ pair ] }

let of_zcdp_pair subject step =
  (int 6 * transcendental step.digits) + among (with_pair subject step Q.zero) step

(* SPEC 7.12: that of a grid with the only epsilon for its unit, where that is above 0. *)
let on_its_grid subject step =
  match subject.mechanisms with
  | [ m ] -> if m.positive then { step with unit = m.epsilon } else step
  | _ -> reject "the mechanisms do not all have the same parameters"

let of_murtagh_vadhan_steps subject step = of_grid subject (on_its_grid subject step)

(* --- interactive mechanisms --- *)

let max_states = int 100_000

(* The number of histories of the whole; a state is a history of each mechanism. *)
let histories trees =
  let known = Hashtbl.create 1024 in
  let rec from state =
    match Hashtbl.find_opt known state with
    | Some number -> number
    | None ->
        let after place answer = List.mapi (fun i old -> if i = place then answer.next else old) state in
        let of_query place query = sum_of (fun answer -> from (after place answer)) query in
        let of_mechanism (place, (tree, index)) =
          if index = ending then Z.zero else sum_of (of_query place) tree.(index)
        in
        let places = List.mapi (fun i one -> (i, one)) (List.combine trees state) in
        let number = Z.succ (sum_of of_mechanism places) in
        Hashtbl.add known state number;
        number
  in
  from (List.map (fun tree -> if tree = [||] then ending else 0) trees)

let of_interactive subject step =
  let states = product_of (fun tree -> Z.succ (int (Array.length tree))) subject.trees in
  if Z.gt states max_states then reject "too many states";
  (int 1000 * states) + (histories subject.trees * (int 50_000 + (int 20 * product (int step.bits))))

(* --- limits --- *)

let max_odds_bits = int (1 lsl 22)
let max_stretch = int 100_000_000

let limit_rational_odds subject step =
  let odds_bits, delta_bits = rational_odds_sizes subject step in
  if Z.gt (Z.max odds_bits delta_bits) max_odds_bits then reject "the odds or deltas are too large"

let limit_grid subject step =
  if Z.gt (stretch subject step) max_stretch then reject "the grid is too long"

let limit_bracket subject step =
  if step.unit.logs <> [] then reject "the unit is not rational";
  if Z.gt (dots_stretch subject step) max_stretch then reject "the grid is too long"
