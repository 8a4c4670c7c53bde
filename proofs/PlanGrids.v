(** Plans for the rules `grid`, `grid-counts` and `grid-fourier`: which multiples of the unit the
    verified check is to use, with how many digits, and where the losses above 0 begin. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons Enclosures CheckerClosed CheckerGrid CheckerBracket.
From ExactDP Require Import CertificateNumbers CertificateStatements CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** At most so many of the count + 1 weights of a block, less one, are not 0. *)
Definition window (digits count : Z) : Z := Z.min count (2 * Z.sqrt (2 * count * (digits + 10)) + 64).

(** Places of a table; and places times the bits of each. *)
Definition most_places : Z := 100000000.
Definition most_weights : Z := 2 ^ 33.
Definition grid_fits (digits places : Z) : planned unit :=
  if Z.ltb most_places places || Z.ltb most_weights (places * bits_for digits)
  then Rejected "the grid is too long" else Planned tt.

(** The work of collecting at most so many sums, group by group, of so many choices each. *)
Definition collecting (sums : Z) (choices : seq Z) : Z :=
  (foldl (fun found n => let extended := found.2 * n in (found.1 + extended, Z.min sums extended))
    (1, 1) choices).1.

(** The positive epsilons and their counts, neighbours with the same epsilon together. *)
Definition with_group (gs : seq (combination * Z)) (e : entry) : seq (combination * Z) :=
  if is_zero (epsilon e) then gs else
  if gs is (x, n) :: gs' then
    if same x (epsilon e) then (x, n + count e) :: gs' else (epsilon e, count e) :: gs
  else [:: (epsilon e, count e)].
Definition groups_in (s : subject) : seq (combination * Z) := rev (foldl with_group [::] (entries s)).

(** How many units each is, rounded up; and the places of the table for so many digits. *)
Definition multiples_of_groups (s : subject) (u : fine_unit) : planned (seq (Z * Z)) :=
  planned_all (fun g => let* (a, _) := in_units s u g.1 in Planned (a, g.2)) (groups_in s).
Definition places_on_grid (digits : Z) (gs : seq (Z * Z)) : Z :=
  sum_over (fun g => g.1 * window digits g.2 + 1) gs.
Definition span_of (gs : seq (Z * Z)) : Z := sum_over (fun g => g.1 * g.2) gs.

(** What is asked on a grid: over a problem, the epsilon of the bound and the unit. *)
Record on_grid := OnGrid { grid_problem : problem; grid_epsilon : combination; grid_unit : fine_unit }.
Definition put_on_grid (M : mechanisms) (epsilon u : number) (more : seq number) : planned on_grid :=
  let* p := problem_of M [:: epsilon, u & more] in
  let* x := combination_in p epsilon in
  let* y := combination_in p u in
  let* unit := counted_in (subject_in p) y in
  Planned (OnGrid p x unit).

(** Rounded up for a bound from above, down for one from below. *)
Definition multiples_for (k : kind) (s : subject) (u : fine_unit) : planned (seq Z) :=
  planned_all (fun e => let* (a, exact) := in_units s u (epsilon e) in
    Planned (if k is Upper then a else if exact then a else a - 1)) (entries s).

Definition grid_plan (k : kind) (digits : Z) (M : mechanisms) (g : on_grid) :
    planned (effort * CheckerGrid.plan) :=
  let p := grid_problem g in
  let s := subject_in p in
  let u := unit_counted (grid_unit g) in
  let* multiples := multiples_for k s (grid_unit g) in
  let total := sum_over (fun ea => count ea.1 * ea.2) (zip (entries s) multiples) in
  let finer := finer_for (most_of M) in
  let* f := at_least (bits_for (digits + finer) + 60 + 2 * numbits total) p in
  let logs := logarithms_at s (bits f) in
  let least := (enclosed_by s logs (bits f) (grid_epsilon g)).1 / (enclosed_by s logs (bits f) u).2 + 1 in
  let last := (total - least) / 2 in
  Planned (f, CheckerGrid.Plan u (map Z.to_nat multiples) (power_of_ten digits) (power_of_ten finer)
    (bits_for digits + 40 + 2 * numbits total) (fun stop => Z.to_nat (Z.min last (Z.of_nat stop - 1)))).

Definition on_its_grid (k : kind) (digits : Z) (M : mechanisms) (g : on_grid) : planned (seq hint) :=
  let* (f, plan) := grid_plan k digits M g in
  Planned (hinted (grid_problem g) f (Grid plan)).

Definition check_on_grid (b : bound) (M : mechanisms) (digits : Z) (u : number) : planned (seq hint) :=
  let* epsilon := finite b in
  let* g := put_on_grid M epsilon u [::] in
  let* gs := multiples_of_groups (subject_in (grid_problem g)) (grid_unit g) in
  let* _ := grid_fits digits (places_on_grid digits gs) in
  on_its_grid (bound_kind b) digits M g.

Definition plan_grid : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"; "unit"]%string own in
  let* digits := digits_in own in
  let* unit := unit_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* _ := pairs_alone M in
  check_on_grid b M digits unit.

(** --- exact counts: the same sum, so finely that no weight is lost among the digits --- *)

Definition most_counted : Z := 10000.

(** The bits of all weights of such a table: one of so many takes about a gigabyte, and a minute. *)
Definition most_exact_weights : Z := 2 ^ 28.
Definition exact_fits (digits places : Z) : planned unit :=
  if Z.ltb most_exact_weights (places * bits_for digits)
  then Rejected "the grid is too long for as many digits" else Planned tt.

Definition is_lossless (M : mechanisms) : bool := all (fun m => Z.eqb m.1.2.1 0) (of_epsilon M).

(** Where no loss is above epsilon D is 0, exactly. *)
Definition plan_grid_counts : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"; "unit"]%string own in
  let* digits := digits_in own in
  let* unit := unit_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  let* g := put_on_grid M epsilon unit [::] in
  let s := subject_in (grid_problem g) in
  let* gs := multiples_of_groups s (grid_unit g) in
  let counted := sum_over snd gs in
  if Z.ltb most_counted counted then Rejected "too many mechanisms are not counted" else
  let span := span_of gs in
  let reach := cscale span (unit_counted (grid_unit g)) in
  let* beyond := if is_lossless M then sign_of s (csub (grid_epsilon g) reach) else Planned (-1) in
  if same_kind (bound_kind b) Upper && Z.leb 0 beyond then Planned (sums_up b M (grid_problem g)) else
  let most := Z.min counted (enclosed_at s 0 reach).2 in
  let exact := (bits_for digits + 40 + 2 * numbits span + most) * 3 / 10 in
  let* _ := exact_fits exact span in
  on_its_grid (bound_kind b) exact M g.

(** --- the sum that `grid` has, with the digits that adding up a period loses (SPEC 11.9) --- *)

(** How to add up a period decides nothing here, but is to be well-formed. *)
Definition most_points : Z := 2 ^ 31.
Definition points_in (own : members) : planned Z :=
  let* points := whole_in "points" 3 most_points own in
  if Z.odd points then Planned points else Malformed "points is even".

Definition plan_grid_fourier : ledger_planner := fun b M own =>
  let* _ := only [:: "cut"; "digits"; "points"; "tilt"; "unit"; "values"]%string own in
  let* _ := whole_in "cut" 1 1000000 own in
  let* digits := digits_in own in
  let* points := points_in own in
  let* _ := short_in "tilt" own in
  let* unit := unit_in own in
  let* _ := whole_in "values" 0 most_points own in
  let* _ := proves [:: Upper; Lower] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  let more := 80 + 2 * numbits (how_many M) + numbits points + bits_of (bound_delta b) in
  let digits := digits + more * 3 / 10 + 10 in
  let* g := put_on_grid M epsilon unit [::] in
  let* gs := multiples_of_groups (subject_in (grid_problem g)) (grid_unit g) in
  let* _ := exact_fits digits (places_on_grid digits gs) in
  on_its_grid (bound_kind b) digits M g.
