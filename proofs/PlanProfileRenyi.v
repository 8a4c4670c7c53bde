(** Plans for the rule `mesh-upper` (SPEC, 11.5): those without orders for the mechanisms whose pairs are
    known, and of the pair that stands for the others the losses at which it is looked at, with the order
    that says most at each.

    What two laws have in common is concave in the odds; what the orders say of it is not, where one order
    gives way to the next. Points below a line between two others are left out. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Enclosures EnclosuresOfNumbers CheckerClosed CheckerConcentrated CheckerNoise CheckerProfiles.
From ExactDP Require Import CheckerListedPairs CheckerCurves CheckerDivergences CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateProblems CertificateNoise CertificateTheorems.
From ExactDP Require Import CertificateCurves CertificateProfiles CertificateDivergences CertificateNoiseRules.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanConversions PlanWindows PlanNoiseTests PlanProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- the points that are kept --- *)

Section Points.
Variables (w : Z) (u : ratio) (starts : seq (order * enclosure)).
Let S := Z.shiftl 1 w.
Let n := u.1.
Let d := Zpos u.2.

(** The exponent of an order at a loss, from above. *)
Definition exponent_at (k : Z) (l : order * enclosure) : Z :=
  (add l.2 (scale_fraction (order_below l.1 - order_above l.1) (order_below l.1) (enclosure_of_fraction w (k * n) d))).2.

(** The first order that says most. *)
Definition best_order (k : Z) : option (nat * (order * enclosure)) :=
  let said := [seq (x.1, x.2, exponent_at (Z.abs k) x.2) | x <- zip (iota 0 (size starts)) starts] in
  if said is first :: rest then
    let best := foldl (fun most x => if Z.ltb x.2 most.2 then x else most) first rest in Some best.1
  else None.

(** A loss, its order, what is in common there, and what e^-loss falls by from the point kept before. *)
Record point := Point { loss_at : Z; order_at : nat; common_here : Z; fall_to : Z }.
Definition new_point (k : Z) : option point :=
  if best_order k is Some (i, (o, c)) then option_map (fun v => Point k i v 0) (common_at w n d o c k) else None.

(** Where more is in common than at all losses before. *)
Definition rising_points (ps : seq point) : seq point :=
  rev (foldl (fun kept p => if kept is top :: _ then if Z.ltb (common_here top) (common_here p) then p :: kept else kept
    else [:: p]) [::] ps).

(** The last point is left out while it is not above the line between those beside it; the first begins at
    the odds 0, where nothing is in common. *)
Fixpoint without_lower (kept : seq point) (p : point) : seq point :=
  if kept is top :: rest then
    let before := if rest is q :: _ then common_here q else 0 in
    if Z.leb ((common_here top - before) * (S - fall_to p) * S)
             ((common_here p - common_here top) * fall_to p * (S - fall_to top))
    then without_lower rest (Point (loss_at p) (order_at p) (common_here p) (fall_to p * fall_to top / S))
    else p :: kept
  else [:: p].
Definition hull (ps : seq point) (falls : seq enclosure) : seq point :=
  rev (foldl (fun kept x => without_lower kept (Point (loss_at x.1) (order_at x.1) (common_here x.1) x.2)) [::]
    (zip ps (0 :: [seq e.2 | e <- falls]))).
Definition kept_of (ps : seq point) : option (seq point) :=
  if ps is p :: rest then
    option_map (hull ps) (falls_between w n d (0, (S, S)) (loss_at p) (map loss_at rest))
  else None.
End Points.

(** The losses of a window. *)
Definition losses_of (x : CertificateCurves.window) : seq Z :=
  rev (foldl (fun found e => foldl (fun f i => (head 0 found + Z.of_nat i * e.1) :: f) found
      (iota 1 (Z.to_nat ((e.2 - head 0 found) / e.1)))) [:: x.1] x.2).

Definition points_kept (w : Z) (u : ratio) (starts : seq (order * enclosure)) (x : CertificateCurves.window) :
    option (seq (Z * nat)) :=
  if all_of (new_point w u starts) (losses_of x) is Some ps then
    option_map (map (fun p => (loss_at p, order_at p))) (kept_of w u (rising_points ps))
  else None.

(** --- the plan --- *)

Definition most_copies (N : noise_ledger) : Z :=
  Z.max (greatest_of snd (of_epsilon (others N))) (Z.max (greatest_of snd (shifted N)) (Z.max (greatest_of snd (laplaced N))
    (Z.max (greatest_of snd (ranged N)) (Z.max (greatest_of snd (tabled N))
      (Z.max (greatest_of snd (samples N)) (greatest_of snd (bells N))))))).

Definition orders_in (own : members) : planned (seq ratio) :=
  let* orders := texts_in "orders" read_rational own in
  let fix rising (before : ratio) rs := if rs is r :: rest then rlt before r && rising r rest else true in
  if [&& rising Ratios.one orders, Z.leb (length_of orders) 256 &
      all (fun r => Z.leb (bits_of r) 2048) orders] then Planned orders
  else Malformed "orders do not rise from above 1".

(** The window of the pair that stands for the others is the last. *)
Definition split_plan (p : own_plan) : planned (own_plan * CertificateCurves.window) :=
  match rev (own_windows p) with
  | x :: before => Planned (OwnPlan (rev before) (own_levels p), x)
  | [::] => Rejected "not a window for each pair of laws"
  end.

Definition most_exponents : Z := 2 ^ 21.
Definition plan_beside (w : Z) (u : ratio) (has_normal : bool) (entries : seq entry_alone) (N : noise_ledger)
    (orders : seq order) (p : own_plan) : planned (profile_plan * divergent_plan) :=
  let* (p, x) := split_plan p in
  let* (plan, _) := plan_direction true has_normal entries (CertificateDivergences.pairs_alone N) p in
  if Z.ltb most_exponents (number_of_points x * length_of orders) then Rejected "too many points of divergences" else
  let rho := total_of_rhos (of_rho (others N)) in
  let* starts := required (all_of (fun o => option_map (pair o) (line_start w rho (divergent N) o)) orders)
    (Rejected "no divergence of that order, or of a greater one") in
  let* points := required (points_kept w u starts x) (Rejected "too large a loss") in
  Planned (plan, DivergentPlan orders points).

Definition plan_profile_renyi (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := proves [:: Upper] b in
  let* _ := only [:: "digits"; "orders"; "plans"; "sums"; "unit"]%string own in
  let* _ := none_gathered own in
  let* digits := digits_in own in
  let* orders := orders_in own in
  let* plans := plans_in own in
  let* u := mesh_unit_in own in
  let* epsilon := finite b in
  if none_of (divergent N) && ~~ some_above_0 (of_rho (others N)) then Rejected "no mechanism is known by its divergences" else
  let directions := if undirected N then 1 else 2 in
  if ~~ Z.eqb (length_of plans) directions then Rejected "not a plan for each direction" else
  let reach := furthest plans * u.1 / Zpos u.2 + 1 in
  if Z.ltb 1000 reach then Rejected "a privacy loss above 1000" else
  let* _ := planned_all (small_enough digits) plans in
  let* p := problem_of (others N) [:: epsilon] in
  let has_normal := Z.ltb 0 (total_of_squares (of_mu (others N))).1 in
  let bits := bits_for digits + 60 + 2 * numbits (Zpos u.2) + numbits (most_copies N) + 2 * reach in
  let* found := planned_all (plan_beside bits u has_normal entries N (map order_from orders)) plans in
  match found with
  | forth :: back => Planned [:: ProfileRenyi (numbered_by p) bits u forth (ohead back)]
  | [::] => Rejected "not a plan for each direction"
  end.

(** With orders where some mechanism is known by its divergences, and without where none is. *)
Definition plan_mesh_upper (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* orders := orders_in own in
  (if none_of orders then plan_dots else plan_profile_renyi) entries b N own.
