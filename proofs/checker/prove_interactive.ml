(* The rules about interactive mechanisms: `post-processing` and `distinguishing-adversary`.

   The verified checks walk through the histories of the whole; before, the walk is taken once to
   see that no rational has more bits than the certificate allows for (SPEC, section 11.1). *)

open Certificate

let within step q =
  if Numbers.size q > step.bits then reject "a rational has too many bits";
  q

let add step total q = within step (Q.add total (within step q))
let sum step = List.fold_left (add step) Q.zero

let rec from (histories : tree) index =
  let answer a = ((a.p, a.q), from histories a.next) in
  Checks.Tree (if index = ending then [] else List.map (List.map answer) histories.(index))

let tree histories = from histories (if histories = [||] then ending else 0)
let ratio q = (Q.num q, Q.den q)

let rec ratios (Checks.Tree queries) =
  let answer ((p, q), next) = ((ratio p, ratio q), ratios next) in
  Checks.Tree (List.map (List.map answer) queries)

let limit_numbers subject step =
  ignore (sum step [ step.bound.delta; step.odds ]);
  let query answers =
    ignore (sum step (List.map (fun a -> a.p) answers));
    ignore (sum step (List.map (fun a -> a.q) answers))
  in
  List.iter (Array.iter (List.iter query)) subject.trees

let after step (p, q) (p', q') = (within step (Q.mul p p'), within step (Q.mul q q'))

(* The sum of the rows of the ends that follow, and the rows that are left. *)
let rec limit_rows step law rows (Checks.Tree queries) =
  let answer (total, rows) (pq, next) =
    let row, rows = limit_rows step (after step law pq) rows next in
    (List.map2 (add step) total row, rows)
  in
  let none = [ Q.zero; Q.zero; Q.zero; Q.zero ] in
  let query (_, rows) answers = List.fold_left answer (none, rows) answers in
  match (queries, rows) with
  | [], row :: rows -> (List.map (within step) row, rows)
  | [], [] -> reject "the simulation has fewer rows than there are ends"
  | _ -> List.fold_left query ([], rows) queries

(* What the ends add up to, from a total on, and the choices that are left. *)
let rec limit_excess step (total, choices) law (Checks.Tree queries) =
  match (queries, choices) with
  | [], _ ->
      let a, b = if step.input = 0 then law else (snd law, fst law) in
      let part =
        if step.bound.at = None then if Q.sign b = 0 then a else Q.zero
        else Q.max Q.zero (Q.sub a (Q.mul step.odds b))
      in
      (within step (Q.add total part), choices)
  | _, choice :: choices when choice < List.length queries ->
      let answer from (pq, next) = limit_excess step from (after step law pq) next in
      List.fold_left answer (total, choices) (List.nth queries choice)
  | _ -> reject "a choice is missing, or is that of a query that is not there"

let certain = (Q.one, Q.one)

(* The check, with the first effort that compares epsilon and ln(odds). *)
let need subject step sign check =
  let epsilon = finite step.bound in
  let logs = if Q.equal step.odds Q.one then [] else [ (Q.one, step.odds) ] in
  let logarithm = { Numbers.rational = Q.zero; logs } in
  let excess = Signs.sign (Numbers.linear [ (Q.one, epsilon); (Q.minus_one, logarithm) ]) in
  if sign * excess < 0 then reject "odds is on the other side of e^epsilon";
  let problem = Planning.problem subject [ epsilon; logarithm ] in
  let finer bits = { Checks.bits = Z.of_int bits; terms = (bits / 3) + 4; ties = false } in
  let x = Planning.combination problem.context epsilon and odds = ratio step.odds in
  let compares f = Checks.odds_against f problem.checked odds (Z.of_int sign) x in
  match List.find_opt compares (problem.efforts @ List.map finer [ 5120; 20_480 ]) with
  | Some f when check f problem.checked x odds -> ()
  | _ -> reject "not proved"

let post_processing subject step =
  limit_numbers subject step;
  let trees = List.map tree subject.trees in
  ignore (limit_rows step certain step.simulation (Checks.whole trees));
  let row = function
    | [ a; b; c; e ] ->
        { Checks.sure_0 = ratio a; lean = ratio b; stray = ratio c; sure_1 = ratio e }
    | _ -> reject "a row does not have 4 numbers"
  in
  let delta = ratio step.bound.delta and rows = List.map row step.simulation in
  need subject step 1 (fun f s x odds ->
      Checks.check_post_processing f s x delta odds (List.map ratios trees) rows)

let distinguishing_adversary subject step =
  limit_numbers subject step;
  let trees = List.map tree subject.trees in
  ignore (limit_excess step (Q.zero, step.choices) certain (Checks.whole trees));
  let delta = ratio step.bound.delta and side = step.input = 1 and trees = List.map ratios trees in
  if step.bound.at = None then begin
    if not (Q.equal step.odds Q.one) then reject "odds is not 1 though epsilon is every";
    if not (Checks.check_distinguishing_every delta side trees step.choices) then
      reject "not proved"
  end
  else
    need subject step (-1) (fun f s x odds ->
        Checks.check_distinguishing_adversary f s x delta odds side trees step.choices)
