(** Plans for the rules about Gaussian mechanisms: at which precision the verified checks are to work. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons Enclosures CheckerClosed CheckerNotions CheckerGaussian.
From ExactDP Require Import CheckerMixture CheckerBracket CheckerConcentrated RulesPair.
From ExactDP Require CheckerGrid.
From ExactDP Require Import CertificateNumbers CertificateStatements CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanConversions PlanGrids PlanBrackets.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- the profile --- *)

Definition is_upper (b : bound) : bool := if bound_kind b is Upper then true else false.

(** mu^2, as the checks add it up; from below rho counts as 2 rho. *)
Definition square_for (b : bound) (p : problem) : Z * Z := square_of (is_upper b) (about p).
Definition need_noise (square : Z * Z) : planned unit :=
  if Z.eqb square.1 0 then Rejected "no mu is above 0" else Planned tt.

(** For a check that compares values of the profile at [coarse] bits, which are computed at [fine]
    ones, with v = (epsilon/mu)^2 up to [reach] by the series near 0, and beyond by that far out.

    The terms of the series near 0 are v^n/(1 3 5 ... (2n + 1)): after 2v of them they are below 2^-v.
    Those far out, 1 3 5 ... (2n - 1)/v^n, fall until 2n is v, and are below 2^-(0.7 v) there. *)
Definition precision_for (coarse reach small near far : Z) : precision :=
  let further := 64 + 3 * reach / 4 + 2 * small in
  Precision coarse further (Z.to_nat near, Z.to_nat far) (Z.to_nat ((coarse + further) / 6 + 4)).

(** The least v at which the series near 0 may be left: with so many terms it is as fine as [coarse] up
    to there, if e^(v/2) costs no more digits than mu^2 has room for.  What is left out is below
    (e/2)^v, times e^(epsilon - v/2) at most, where epsilon <= mu sqrt v.  Roots are in units of 2^-10. *)
Definition throughout (coarse : Z) (square : Z * Z) : Z :=
  let mu2 := Z.shiftl 1 (21 + numbits square.1 - numbits square.2) in
  let discriminant := (2083 * mu2 + Z.shiftl (1116 * (coarse + 44)) 20) / 1000 in
  let root := (1443 * Z.sqrt mu2 / 1000 + Z.sqrt discriminant) * 1000 / 558 in
  Z.shiftr (root * root) 20 + 2.

(** The first is fine up to [out], where the series far out could take over, and beyond by the terms of
    its series near 0; the second also between the two, where it is not many times as long. *)
Definition precisions (coarse : Z) (square : Z * Z) : seq precision :=
  let small := Z.max 0 (numbits square.2 - numbits square.1) in
  let out := 14 * (coarse + 40) / 10 + 20 in
  let far := out / 2 in
  let near := 2 * (coarse + 64 + 3 * out / 4 + 2 * small) + 4 in
  let first := precision_for coarse out small near far in
  let all := throughout coarse square in
  if Z.ltb (4 * near) all then [:: first] else
  let reach := Z.max out all in [:: first; precision_for coarse reach small reach far].

Definition at_precisions (p : problem) (f : effort) (ps : seq precision) (t : precision -> attempt) : seq hint :=
  [seq Hint f (numbered_by p) (t q) | q <- ps].

Definition plan_gaussian : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"%string] own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  let square := square_for b p in
  let* _ := need_noise square in
  let* f := at_least 96 p in
  Planned (at_precisions p f (precisions (bits_for digits + 40) square) GaussianProfile).

(** How many values of a profile are enclosed, at so many digits. *)
Definition most_profiles : Z := 2 ^ 40.
Definition profiles_fit (digits number : Z) : planned unit :=
  let each := 300000 + 50 * digits * digits + digits * digits * digits / 100 in
  if Z.ltb most_profiles (number * each)
  then Refused "there are more values of a profile than this checker looks at" else Planned tt.

(** --- gaussian-mixture --- *)

Definition plan_mixture : ledger_planner := fun b M own =>
  let* _ := only [:: "digits"%string] own in
  let* digits := digits_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  let square := square_for b p in
  let* _ := need_noise square in
  let atoms := foldl (fun n g => n * (window digits g.2 + 1)) 1 (groups_in (subject_in p)) in
  let* _ := profiles_fit digits atoms in
  let* f := at_least 96 p in
  let count := how_many M in
  let weighing := Weighing (power_of_ten digits) (power_of_ten (finer_for count)) in
  Planned (at_precisions p f (precisions (bits_for digits + 40 + 2 * numbits count) square)
    (fun q => Mixture q weighing)).

(** --- gaussian-mesh --- *)

Definition mesh_below (q : mesh_parameters) (b : bound) (M : mechanisms) (epsilon : number) :
    planned (seq hint) :=
  let* g := put_on_grid M epsilon (unit_number q) [::] in
  let p := grid_problem g in
  let* gs := multiples_of_groups (subject_in p) (grid_unit g) in
  let places := places_on_grid (mesh_digits q) gs in
  let* _ := grid_fits (mesh_digits q) places in
  let* _ := profiles_fit (mesh_digits q) places in
  let* (f, plan) := grid_plan Lower (mesh_digits q) M g in
  Planned (at_precisions p f (precisions (CheckerGrid.delta_bits plan) (square_for b p))
    (fun precision => MeshBelow precision plan)).

(** How many units there are from one end of the losses to the other, about. *)
Definition mesh_precisions (q : mesh_parameters) (g : on_mesh) (square : Z * Z) :
    planned (seq precision) :=
  let s := subject_in (mesh_problem g) in
  let* u := counted_in s (mesh_u g) in
  let* gs := multiples_of_groups s u in
  let* _ := profiles_fit (mesh_digits q) (places_of_dots (mesh_digits q) gs) in
  let* (beyond, _) := in_units s u (mesh_epsilon g) in
  let units := numbits (span_of gs + beyond) + 1 in
  Planned (precisions (bits_for (mesh_digits q) + 40 + 2 * units) square).

(** What is shown on a mesh, with Gaussian noise beside it or alone. *)
Definition on_its_mesh (q : mesh_parameters) (g : on_mesh) (square : Z * Z) (alone : mesh_plan -> attempt)
    (beside : precision -> mesh_plan -> attempt) : planned (seq hint) :=
  let plan := mesh_plan_of q g in
  if Z.eqb square.1 0 then Planned (hinted (mesh_problem g) (mesh_effort g) (alone plan)) else
  let* ps := mesh_precisions q g square in
  Planned (at_precisions (mesh_problem g) (mesh_effort g) ps (fun precision => beside precision plan)).

Definition plan_mesh : ledger_planner := fun b M own =>
  let* _ := only mesh_keys own in
  let* q := mesh_in own in
  let* _ := proves [:: Upper; Lower] b in
  let* epsilon := finite b in
  if is_upper b then
    if some_above_0 (of_rho M) then Rejected "mechanisms given by rho have no upper bound" else
    let* p := problem_of M [:: epsilon; unit_number q] in
    let* g := put_on_mesh q M p epsilon 0 in
    on_its_mesh q g (square_for b p) Dots MeshAbove
  else if noisy M then mesh_below q b M epsilon
  else check_on_grid b M (mesh_digits q) (unit_number q).

(** --- zcdp-pair --- *)

(** The mechanisms given by (epsilon, delta), and the pair as one more, at their end. *)
Definition with_the_pair (M : mechanisms) (at_ : number) (failure : ratio) : mechanisms :=
  Mechanisms (rcons (of_epsilon M) (at_, failure, 1)) (of_mu M) (of_rho M).

(** Those given by rho as one more mechanism, which is (pair, failure)-DP. *)
Definition plan_pair : ledger_planner := fun b M own =>
  let* _ := only [:: "alpha"; "digits"; "pair"; "sums"; "unit"]%string own in
  let* alpha := alpha_in own in
  let* at_ := text_in "pair" read_number own in
  let* _ := not_negative at_ in
  let* q := mesh_in own in
  let* _ := proves [:: Upper] b in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon; unit_number q; at_] in
  let* y := combination_in p at_ in
  let order := order_from alpha in
  let bits := bits_for (mesh_digits q) + 40 in
  let one := power_of_two bits in
  let high := if pair_failure bits (about p) order y is Some e then e.2 else one in
  if Z.leb one high then Rejected "this alpha gives no delta below 1 for the pair" else
  let failure := reduced high one in
  let M' := with_the_pair M at_ failure in
  let* p' := about_others p M' in
  let* g := put_on_mesh q M' p' epsilon 0 in
  let c := failure.1 in let d := Zpos failure.2 in
  on_its_mesh q g (square_for b p') (PairAlone bits order y c d)
    (fun precision => Pair bits order y c d precision).
