(** The rules about interactive mechanisms that are written out (SPEC, section 10): what is planned for
    `post-processing` and `distinguishing-adversary`.

    The verified checks walk through the histories of the whole; before, how many these are is counted,
    and the walk is taken once to see that no rational has more bits than the certificate allows for. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Comparisons CheckerClosed Ratios Interactive RulesInteractive CheckerInteractive.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateSubjects CertificateTrees Plan PlanFolds PlanNumbers PlanProblem.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Local Open Scope Z_scope.

(** --- how many histories there are --- *)

Definition most_states : Z := 100000.

Fixpoint add_depths (xs ys : seq Z) : seq Z :=
  match xs, ys with
  | x :: xs', y :: ys' => (x + y) :: add_depths xs' ys'
  | [::], _ => ys
  | _, [::] => xs
  end.

(** How many histories have so many answers, ends included. *)
Fixpoint by_depth (t : tree ratio) : seq Z :=
  let: Tree qs := t in
  1 :: foldr (fun q ds => foldr (fun x ds => add_depths (by_depth x.2) ds) ds q) [::] qs.

(** The histories that ask something. *)
Fixpoint asking (t : tree ratio) : Z :=
  let: Tree qs := t in
  if qs is [::] then 0 else 1 + foldr (fun q n => foldr (fun x n => asking x.2 + n) n q) 0 qs.

(** Of two mechanisms, the answers are interleaved in each of the orders. *)
Definition next_row (row : seq Z) : seq Z :=
  [seq p.1 + p.2 | p <- zip (0 :: row) (row ++ [:: 0])].
Fixpoint interleaved_from (rounds : nat) (row before xs ys : seq Z) : seq Z :=
  if rounds is S rounds' then
    let: (before', ys') := if ys is y :: ys' then (y :: before, ys') else (0 :: before, [::]) in
    foldr Z.add 0 [seq p.1.1 * p.1.2 * p.2 | p <- zip (zip row xs) before'] ::
      interleaved_from rounds' (next_row row) before' xs ys'
  else [::].
Definition interleaved (xs ys : seq Z) : seq Z := interleaved_from most_rounds.+1 [:: 1] [::] xs ys.

Definition histories_of (ts : seq (tree ratio)) : Z :=
  foldr Z.add 0 (foldr (fun t ds => interleaved (by_depth t) ds) [:: 1] ts).
Definition states_of (ts : seq (tree ratio)) : Z := foldr (fun t n => (1 + asking t) * n) 1 ts.

(** --- within the bits that are allowed for --- *)

Section Within.
Variable most : Z.

Definition short (q : ratio) : planned ratio :=
  if bits_of q <=? most then Planned q else Rejected "a rational has too many bits".
Definition add_short (total q : ratio) : planned ratio := let* q := short q in short (radd total q).
Definition sum_short (qs : seq ratio) : planned ratio := through add_short zero qs.

(** What each query's answers add up to. *)
Fixpoint laws_short (t : tree ratio) : planned unit :=
  let: Tree qs := t in
  through (fun _ q =>
    let* _ := sum_short [seq x.1.1 | x <- q] in
    let* _ := sum_short [seq x.1.2 | x <- q] in
    through (fun _ x => laws_short x.2) tt q) tt qs.

Definition after_short (law x : ratio * ratio) : planned (ratio * ratio) :=
  let* p := short (rmul law.1 x.1) in
  let* q := short (rmul law.2 x.2) in
  Planned (p, q).

Definition row_short (r r' : row ratio) : planned (row ratio) :=
  let* a := add_short (sure_0 r) (sure_0 r') in
  let* b := add_short (lean r) (lean r') in
  let* c := add_short (stray r) (stray r') in
  let* e := add_short (sure_1 r) (sure_1 r') in
  Planned (Row a b c e).

(** The sum of the rows of the ends that follow, and the rows that are left. *)
Fixpoint rows_short (t : tree ratio) (law : ratio * ratio) (rows : seq (row ratio)) :
    planned (row ratio * seq (row ratio)) :=
  let: Tree qs := t in
  match qs, rows with
  | [::], r :: rest => let* r := row_short zero_row r in Planned (r, rest)
  | [::], [::] => Rejected "the simulation has fewer rows than there are ends"
  | _, _ =>
      through (fun s q =>
        through (fun s x =>
          let* law' := after_short law x.1 in
          let* found := rows_short x.2 law' s.2 in
          let* total := row_short s.1 found.1 in
          Planned (total, found.2)) (zero_row, s.2) q) (zero_row, rows) qs
  end.

(** What the ends add up to, from a total on, and the choices that are left. *)
Section Attack.
Variables (every : bool) (odds : ratio) (side : bool).

Fixpoint excess_short (t : tree ratio) (law : ratio * ratio) (s : ratio * seq nat) : planned (ratio * seq nat) :=
  let: Tree qs := t in
  match qs, s.2 with
  | [::], choices =>
      let* total := short (radd s.1 (part every odds side law)) in Planned (total, choices)
  | _ :: _, c :: choices =>
      let step s x := let* law' := after_short law x.1 in excess_short x.2 law' s in
      if pick (fun q => Some (through step (s.1, choices) q)) c qs is Some found then found
      else Rejected "a choice is missing, or is that of a query that is not there"
  | _ :: _, [::] => Rejected "a choice is missing, or is that of a query that is not there"
  end.
End Attack.
End Within.

(** --- what is planned --- *)

(** The most bits of a rational, and the odds. *)
Definition most_bits_allowed : Z := 100000000.
Definition at_least_1 (text : string) : option ratio :=
  if read_not_negative text is Some q then if rle Ratios.one q then Some q else None else None.
Definition odds_in : members -> planned ratio := text_in "odds" at_least_1.
Definition bits_in_step : members -> planned Z := whole_in "bits" 1 most_bits_allowed.

(** What a product of integers of so many bits takes, and what is done at a history. *)
Definition product_of (bits : Z) : Z := bits * Z.sqrt bits / 64.
Definition at_history (bits : Z) : Z := 50000 + 20 * product_of bits + bits * bits / 64.

(** No more than the most that may be spent. *)
Definition few_histories (most bits : Z) (ts : seq (tree ratio)) : planned unit :=
  let* _ := needs (states_of ts <=? most_states) "too many states" in
  if 1000 * states_of ts + histories_of ts * at_history bits <=? most then Planned tt
  else Refused "the histories take more than the limit".

(** The first effort that compares epsilon and ln(odds), m = 1 or -1: unless odds are on the other
    side. *)
Fixpoint first_effort (s : subject) (odds : ratio) (m : Z) (x : combination) (fs : seq effort) :
    planned effort :=
  if fs is f :: rest then
    if odds_against f s odds m x then Planned f
    else if odds_against f s odds (- m) x then Rejected "odds is on the other side of e^epsilon"
    else first_effort s odds m x rest
  else Rejected "odds are not proved to be on this side of e^epsilon".

Definition compared (b : bound) (odds : ratio) (m : Z) : planned (effort * numbering) :=
  let* epsilon := finite b in
  let logs := if req odds Ratios.one then [::] else [:: (Ratios.one, odds)] in
  let* p := problem_of no_mechanisms [:: epsilon; Number Ratios.zero logs] in
  let* x := combination_in p epsilon in
  let size := Z.max (bits_in epsilon) (2 * bits_of odds) in
  let* f := first_effort (subject_in p) odds m x [seq Effort (bits f) (terms f) true | f <- efforts p size] in
  Planned (f, numbered_by p).

Definition read_simulated (j : json) : option (row ratio) :=
  if j is List [:: Text a; Text b; Text c; Text e] then
    match read_not_negative a, read_not_negative b, read_not_negative c, read_not_negative e with
    | Some a, Some b, Some c, Some e => Some (Row a b c e)
    | _, _, _, _ => None
    end
  else None.

Definition plan_post_processing (most : Z) (b : bound) (ts : seq (tree ratio)) (own : members) :
    planned tree_hint :=
  let* _ := only [:: "bits"; "odds"; "simulation"] own in
  let* bits := bits_in_step own in
  let* odds := odds_in own in
  let* j := json_in "simulation" own in
  let* rows := required (if items j is Some js then read_all read_simulated js else None)
    (Malformed "a row of simulation does not have 4 numbers") in
  let* _ := few_histories most bits ts in
  let* _ := sum_short bits [:: bound_delta b; odds] in
  let* _ := planned_all (laws_short bits) ts in
  let* _ := rows_short bits (whole ts) (Ratios.one, Ratios.one) rows in
  let* (f, k) := compared b odds 1 in
  Planned (Simulated f k odds rows).

Definition plan_distinguishing_adversary (most : Z) (b : bound) (ts : seq (tree ratio)) (own : members) :
    planned tree_hint :=
  let* _ := only [:: "bits"; "choices"; "input"; "odds"] own in
  let* bits := bits_in_step own in
  let* odds := odds_in own in
  let* choices := texts_in "choices" (read_whole 0 1000000) own in
  let* input := text_in "input" (read_whole 0 1) own in
  let* _ := few_histories most bits ts in
  let choices := map Z.to_nat choices in
  let side := input =? 1 in
  let every := if bound_epsilon b is None then true else false in
  let* _ := sum_short bits [:: bound_delta b; odds] in
  let* _ := planned_all (laws_short bits) ts in
  let* _ := excess_short bits every odds side (whole ts) (Ratios.one, Ratios.one) (Ratios.zero, choices) in
  if every then
    let* _ := needs (req odds Ratios.one) "odds is not 1 though epsilon is every" in
    Planned (AttackedAlways side choices)
  else
    let* (f, k) := compared b odds (-1) in
    Planned (Attacked f k odds side choices).

Definition plan_trees (most : Z) (b : bound) (ts : seq (tree ratio)) (steps : seq step) :
    planned (option (seq tree_hint)) :=
  if steps is [:: s] then
    let as_one hint :=
      let* _ := concluded_by s b in let* h := blamed (rule_of s) hint in Planned (Some [:: h]) in
    if String.eqb (rule_of s) "post-processing" then as_one (plan_post_processing most b ts (own_of s))
    else if String.eqb (rule_of s) "distinguishing-adversary"
    then as_one (plan_distinguishing_adversary most b ts (own_of s))
    else Planned None
  else Planned None.
