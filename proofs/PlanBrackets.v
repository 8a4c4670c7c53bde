(** Randomized responses on a mesh, in plans: the leaves, with how many digits the verified checks are to
    compute, and which multiple of the unit is next to a loss. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Logarithms Comparisons Enclosures CheckerClosed CheckerBracket.
From ExactDP Require Import CertificateNumbers CertificateStatements CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** The rule's own parameters, with a unit that is rational. *)
Record mesh_parameters := MeshParameters { mesh_digits : Z; mesh_sums : Z; mesh_unit : ratio }.
Definition mesh_in (own : members) : planned mesh_parameters :=
  let* digits := digits_in own in
  let* sums := sums_in own in
  let* unit := unit_in own in
  if logs unit is [::] then Planned (MeshParameters digits sums (constant unit))
  else Rejected "the unit is not rational".
Definition unit_number (q : mesh_parameters) : number := Number (mesh_unit q) [::].

(** How many groups each leaf has, gathered while it has at most so many atoms. *)
Definition gathered_leaf (sums : Z) (found : seq nat * Z) (count : Z) : seq nat * Z :=
  let atoms := found.2 * (count + 1) in
  if found.1 is n :: rest then
    if Z.leb atoms sums then (n.+1 :: rest, atoms) else (1%N :: found.1, count + 1)
  else ([:: 1%N], count + 1).
Definition leaf_sizes (sums : Z) (gs : seq (combination * Z)) : seq nat :=
  rev (foldl (fun found g => gathered_leaf sums found g.2) ([::], 1) gs).1.

Definition places_of_dots (digits : Z) (gs : seq (Z * Z)) : Z :=
  sum_over (fun g => 2 * (g.1 + 1) * window digits g.2 + 1) gs.

(** What is asked on a mesh; the leaves, for a check at some bits more; and the bits that the verifier
    takes for Delta. *)
Record on_mesh := OnMesh {
  mesh_problem : problem; mesh_epsilon : combination; mesh_u : combination; mesh_effort : effort;
  mesh_leaves : gathering; delta_enclosed : Z
}.

(** For a loss, its key; and the multiple of the unit next below it. *)
Definition key_at (s : subject) (logs : seq (Z * Z)) (bits below : Z) (x : combination) : Z :=
  (enclosed_by s logs bits x).1 * below.
Definition multiple_below_at (s : subject) (logs : seq (Z * Z)) (bits : Z) (unit : ratio) (x : combination) : Z :=
  (enclosed_by s logs bits x).2 * Zpos unit.2 / Z.shiftl unit.1 bits.

Definition put_on_mesh (q : mesh_parameters) (M : mechanisms) (p : problem) (epsilon : number) (more : Z) :
    planned on_mesh :=
  let s := subject_in p in
  let* x := combination_in p epsilon in
  let* y := combination_in p (unit_number q) in
  let* u := counted_in s y in
  let* gs := multiples_of_groups s u in
  let places := places_of_dots (mesh_digits q) gs in
  let* _ := grid_fits (mesh_digits q) places in
  let slots := 2 * numbits places in
  let bits := bits_for (mesh_digits q) + 40 + slots + numbits (Zpos (mesh_unit q).2) in
  let finer := finer_for (most_of M) in
  let* f := at_least (Z.max bits (bits_for (mesh_digits q + finer) + 60 + slots) + more) p in
  let leaves := Gathering (power_of_ten (mesh_digits q)) (power_of_ten finer)
    (leaf_sizes (mesh_sums q) (groups_in s)) (key_at s (logarithms_at s bits) bits (Zpos (mesh_unit q).2)) in
  Planned (OnMesh p x y f leaves bits).

(** For an upper bound by leaves on the mesh. *)
Definition mesh_plan_of (q : mesh_parameters) (g : on_mesh) : mesh_plan :=
  let s := subject_in (mesh_problem g) in
  let working := bits (mesh_effort g) in
  let logs := logarithms_at s working in
  let least := (enclosed_by s logs working (mesh_epsilon g)).1 / (enclosed_by s logs working (mesh_u g)).2 + 1 in
  MeshPlan (mesh_leaves g) (mesh_u g) (multiple_below_at s logs working (mesh_unit q)) (delta_enclosed g)
    (fun total stop => Z.to_nat (Z.min (total - least) (Z.of_nat stop - 1))).

Definition connected_dots (q : mesh_parameters) (M : mechanisms) (epsilon : number) :
    planned (seq hint) :=
  let* p := problem_of M [:: epsilon; unit_number q] in
  let* g := put_on_mesh q M p epsilon 0 in
  Planned (hinted p (mesh_effort g) (Dots (mesh_plan_of q g))).

Definition mesh_keys : seq string := [:: "digits"; "sums"; "unit"]%string.
