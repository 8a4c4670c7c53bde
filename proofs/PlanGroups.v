(** Plans for the rule `group`: how fine the verified checks are to compute, and their bounds of
    exponentials. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Logarithms Comparisons Enclosures CheckerClosed.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateSubjects CertificateChecks CertificateGroups CheckCertificate.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** Bits that are as fine as the digits, for up to [count] factors. *)
Definition precision_of (digits count : Z) : Z := bits_for digits + 40 + 2 * numbits count.

Definition longest_in (x : combination) : Z := greatest_of numbits (x.1 :: x.2).

(** How hard the check is to try, so that an exponential has that precision in spite of the greatest
    coefficient, and a sum of quantities as small as 2^-small too. *)
Definition effort_for (p : problem) (precision small : Z) : planned effort :=
  let s := subject_in p in
  let greatest := Z.max (numbits (denominator s)) (greatest_of (fun e => longest_in (epsilon e)) (entries s)) in
  at_least (precision + 40 + greatest + small) p.

(** A little more than 2^bits e^x, for a sum of powers that is wanted where delta is above 0. *)
Definition exp_above (p : problem) (logs : seq (Z * Z)) (bits precision : Z) (x : combination) (delta : ratio) :
    planned Z :=
  if Z.eqb delta.1 0 then Planned 0 else
  if is_zero x then Planned (power_of_two bits) else
  if exponential bits (enclosed_by (subject_in p) logs bits x) is Some e
  then Planned (e.2 + 1 + Z.shiftr e.2 precision) else Rejected "an exponential that is too large".

(** What a sum of powers may be for one of these failures. *)
Definition greatest_cap (bits : Z) (deltas : seq ratio) : Z :=
  let one := power_of_two bits in
  let cap := fun d : ratio => if Z.eqb d.1 0 then 0 else one + ceil_div (Zpos d.2 * one) d.1 in
  greatest_of cap deltas.
Definition deltas_of (M : mechanisms) : seq ratio := [seq m.1.2 | m <- of_epsilon M].

(** Each with a bound of e^epsilon. *)
Definition bounded_by (p : problem) (bits precision : Z) (deltas : seq ratio) :
    planned (seq (entry * Z)) :=
  let logs := logarithms_at (subject_in p) bits in
  planned_all (fun ed : entry * ratio =>
      let* X := exp_above p logs bits precision (epsilon ed.1) ed.2 in Planned (ed.1, X))
    (zip (entries (subject_in p)) deltas).

(** --- groups --- *)

(** A step from a bound for neighbours to one for groups, by what is stated, the bound of its premise and
    its own parameters: which mechanisms the premise is about, and what its hints are part of. *)
Definition group_planner := claim -> bound -> members -> planned (mechanisms * (hint -> suggestion)).

Definition same_for_groups (c : claim) (near : bound) : planned unit :=
  if same_epsilon (bound_epsilon near) (claim_epsilon c) && same_ratio (bound_delta near) (claim_delta c)
  then Planned tt else Rejected "epsilon and delta are not those of the premise".

Definition no_path (c : claim) : path_hint :=
  PathHint (Number Ratios.zero [::]) (claim_delta c) (plain 0) (Numbering 1 [::] None) 0 0.

Definition path_above (digits : Z) (c : claim) (near : bound) : planned path_hint :=
  let g := Zpos (claim_group c) in
  let* near_epsilon := finite near in
  let* far_epsilon := required (claim_epsilon c) (Rejected "epsilon is every") in
  let* p := problem_of (claim_mechanisms c) [:: near_epsilon; far_epsilon] in
  let* x := combination_in p near_epsilon in
  let precision := precision_of digits g in
  let* f := effort_for p precision (longest_in (cscale g x)) in
  let logs := logarithms_at (subject_in p) (bits f) in
  let* odds := exp_above p logs (bits f) precision x (bound_delta near) in
  Planned (PathHint near_epsilon (bound_delta near) f (numbered_by p)
    (greatest_cap (bits f) [:: bound_delta near]) odds).

Definition along_a_path (digits : Z) : group_planner := fun c near own =>
  let* _ := only [:: "digits"%string] own in
  let* _ := proves [:: Upper; Lower] near in
  let* path :=
    if bound_kind near is Upper then path_above digits c near
    else let* _ := same_for_groups c near in Planned (no_path c) in
  Planned (claim_mechanisms c, ForGroups^~ path).

(** What mechanisms are for a group of g: g epsilon with the deltas of the step, g mu, and g^2 rho. *)
Definition enlarging_for (digits : Z) (c : claim) (deltas : seq ratio) : planned enlarging :=
  let g := claim_group c in
  let M := claim_mechanisms c in
  let* p := problem_of M [seq times_number g m.1.1 | m <- of_epsilon M] in
  let precision := precision_of digits (Zpos g) in
  let* f := effort_for p precision 0 in
  let* bounded := bounded_by p (bits f) precision (deltas_of M) in
  let enlargements := [seq Enlargement d.1 d.2.2 | d <- zip deltas bounded] in
  Planned (Enlarging f (numbered_by p) (greatest_cap (bits f) (deltas_of M)) enlargements).

Definition read_failure (text : string) : option ratio :=
  if read_probability text is Some d then if rlt d Ratios.one then Some d else None else None.

Definition by_mechanisms (digits : Z) : group_planner := fun c near own =>
  let* _ := only [:: "deltas"; "digits"]%string own in
  let* deltas := texts_in "deltas" read_failure own in
  let* _ := proves [:: Upper] near in
  let* _ := same_for_groups c near in
  let M := claim_mechanisms c in
  if ~~ Z.eqb (length_of deltas) (length_of (of_epsilon M)) then
    Rejected "not as many deltas as mechanisms" else
  let* w := enlarging_for digits c deltas in
  Planned (for_path (claim_group c) M (enlarged_by w), ForMechanisms^~ w).

(** With the deltas of the mechanisms for a group, or without. *)
Definition plan_group : group_planner := fun c near own =>
  let* digits := digits_in own in
  if member "deltas" (Object own) is Some _ then by_mechanisms digits c near own
  else along_a_path digits c near own.
