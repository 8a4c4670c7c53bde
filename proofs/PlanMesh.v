(** Plans for the rules `mesh-upper` and `mesh-lower` (SPEC, 11.5 and 11.6) about ledgers of mechanisms given by
    (epsilon, delta): their answers are gathered into leaves, which are looked at everywhere.

    What is cut off at a window, and the threshold of a test, decide nothing here: the checks keep all, and
    take the best event. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerClosed CheckerBracket CertificateJson CertificateNumbers CertificateNoise.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids PlanBrackets PlanWindows.
From ExactDP Require Import PlanNoiseTests PlanProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** A window for each leaf, or for each group where none are gathered, and a level for each bit of the counts. *)
Definition looks_at_all (sums : Z) (M : mechanisms) (p : problem) (windows levels : Z) : planned unit :=
  let gs := groups_in (subject_in p) in
  let leaves := if Z.eqb sums 0 then length_of gs else length_of (leaf_sizes sums gs) in
  let bits := if Z.eqb sums 0 then numbits (greatest_of snd gs) else 1 in
  if none_of gs then Rejected "no mechanism has laws to compose" else
  if ~~ Z.eqb windows leaves then Rejected "not a window for each pair of laws" else
  if ~~ Z.eqb levels (bits - 1) then Rejected "not a level for each bit of the counts" else Planned tt.

Definition gathered_mesh (digits sums : Z) (u : ratio) : mesh_parameters := MeshParameters digits (Z.max 1 sums) u.

Definition plan_mesh_above : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"; "orders"; "plans"; "sums"; "unit"]%string own in
  let* digits := digits_in own in
  let* sums := gathered_in own in
  let* u := mesh_unit_in own in
  let* plans := plans_in own in
  let* orders := json_in "orders" own in
  let* _ := proves [:: Upper] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  let q := gathered_mesh digits sums u in
  let* p := problem_of M [:: epsilon; unit_number q] in
  match plans, orders with
  | [:: plan], List [::] =>
      let* _ := looks_at_all sums M p (length_of (own_windows plan)) (length_of (own_levels plan)) in
      connected_dots q M epsilon
  | _, _ => Rejected "not one plan, and no orders"
  end.

(** e^-epsilon is wanted to as many places as other numbers. *)
Definition plan_mesh_below : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"; "direction"; "plan"; "sums"; "threshold"; "tilt"; "unit"]%string own in
  let* digits := digits_in own in
  let* sums := gathered_in own in
  let* u := mesh_unit_in own in
  let* plan := plan_in own in
  let* _ := direction_in own in
  let* _ := whole_in "threshold" (- most_threshold) most_threshold own in
  let* _ := tilt_in own in
  let* _ := proves [:: Lower] b in
  let* _ := pairs_alone M in
  let* epsilon := finite b in
  let q := gathered_mesh digits sums u in
  let* p := problem_of M [:: epsilon; unit_number q] in
  let* _ := looks_at_all sums M p (length_of (windows plan)) (length_of (levels plan)) in
  if ~~ none_of (cuts_of_maxima plan) then Rejected "cuts, and no maximum" else
  let* x := combination_in p epsilon in
  let size := Z.max 0 (Z.min 20000 (enclosed_at (subject_in p) 0 x).2) in
  let* g := put_on_mesh q M p epsilon (size * 3 / 2) in
  let test := CheckerBracket.TestPlan (mesh_leaves g) (Z.shiftl u.1 (delta_enclosed g)) (delta_enclosed g) in
  Planned (hinted p (mesh_effort g) (CertificateChecks.Test test)).
