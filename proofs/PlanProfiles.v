(** Plans for the rule `mesh-upper` (SPEC, 11.5) without orders: where each pair is looked at, and what is kept
    while the tables are multiplied, by the plans that a certificate has.

    There the windows are those of the list of 7.4: of each epsilon, of the normal pair, and of the entries
    in their order, one for each of an entry's shifts.  To the verified check each entry by epsilon has its
    own, and each shift, and they stand by families. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerBells CheckerClosed CheckerNoise CheckerProfiles CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateSubjects CertificateProblems CertificateNoise CertificateTheorems.
From ExactDP Require Import CertificateCurves CertificateProfiles CertificateNoiseRules.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanWindows PlanNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- reading --- *)

Definition looked (x : PlanWindows.window) : CertificateCurves.window := (window_first x, PlanWindows.sections x).
Definition width (x : CertificateCurves.window) : Z := last_in x - x.1.
Definition number_of_points (x : CertificateCurves.window) : Z :=
  (foldl (fun found e => (e.2, found.2 + (e.2 - found.1) / e.1)) (x.1, 1) x.2).2.

Definition read_kept (j : json) : option CheckerProfiles.level :=
  if items j is Some [:: Text first; Text last; Text times] then
    if (read_loss first, read_loss last, read_whole 1 16 times) is (Some f, Some l, Some t)
    then if Z.ltb f l then Some (f, l, t) else None else None
  else None.
Record own_plan := OwnPlan { own_windows : seq CertificateCurves.window; own_levels : seq CheckerProfiles.level }.
Definition read_plan (j : json) : option own_plan :=
  if fields [:: "levels"; "windows"]%string j is Some [:: List levels; List windows] then
    if (read_all read_window windows, read_all read_kept levels) is (Some ws, Some ls)
    then Some (OwnPlan (map looked ws) ls) else None
  else None.
Definition plans_in (own : members) : planned (seq own_plan) :=
  let* j := json_in "plans" own in
  required (if items j is Some js then read_all read_plan js else None) (Malformed "not plans").

(** --- where each is looked at --- *)

(** By families, the last first; with how many there are of each pair. *)
Record by_family := ByFamily {
  of_shifts : seq CertificateCurves.window; of_laplaces : seq CertificateCurves.window;
  of_ranges : seq CertificateCurves.window; of_tables : seq CertificateCurves.window;
  of_samples : seq CertificateCurves.window; of_bells : seq CertificateCurves.window;
  windows_left : seq CertificateCurves.window; copies_of : seq Z
}.

(** The next window, of a pair that there are so many of. *)
Definition taken_for (f : by_family) (n : Z) : planned (CertificateCurves.window * by_family) :=
  if windows_left f is x :: rest then
    Planned (x, ByFamily (of_shifts f) (of_laplaces f) (of_ranges f) (of_tables f) (of_samples f) (of_bells f) rest (n :: copies_of f))
  else Rejected "not a window for each pair of laws".

Definition with_one_shift (f : planned by_family) (s : ratio * BinNums.positive * Z * Z) : planned by_family :=
  let* f := f in
  let* (x, f) := taken_for f (s.1.2 * s.2) in
  Planned (ByFamily (ncons (Z.to_nat s.2) x (of_shifts f)) (of_laplaces f) (of_ranges f) (of_tables f) (of_samples f) (of_bells f)
    (windows_left f) (copies_of f)).

Definition with_one_bell (f : planned by_family) (s : ratio * BinNums.positive * Z * Z) : planned by_family :=
  let* f := f in
  let* (x, f) := taken_for f (s.1.2 * s.2) in
  Planned (ByFamily (of_shifts f) (of_laplaces f) (of_ranges f) (of_tables f) (of_samples f)
    (ncons (Z.to_nat s.2) x (of_bells f)) (windows_left f) (copies_of f)).

Definition with_one (f : planned by_family) (e : entry_alone) : planned by_family :=
  let* f := f in
  let N := read_alone e in
  match laplaced N, ranged N, tabled N, samples N with
  | [:: (_, n)], _, _, _ =>
      let* (x, f) := taken_for f n in
      Planned (ByFamily (of_shifts f) (x :: of_laplaces f) (of_ranges f) (of_tables f) (of_samples f) (of_bells f)
        (windows_left f) (copies_of f))
  | _, [:: (_, n)], _, _ =>
      let* (x, f) := taken_for f n in
      Planned (ByFamily (of_shifts f) (of_laplaces f) (x :: of_ranges f) (of_tables f) (of_samples f) (of_bells f)
        (windows_left f) (copies_of f))
  | _, _, [:: (_, n)], _ =>
      let* (x, f) := taken_for f n in
      Planned (ByFamily (of_shifts f) (of_laplaces f) (of_ranges f) (x :: of_tables f) (of_samples f) (of_bells f)
        (windows_left f) (copies_of f))
  | _, _, _, [:: (_, n)] =>
      let* (x, f) := taken_for f n in
      Planned (ByFamily (of_shifts f) (of_laplaces f) (of_ranges f) (of_tables f) (x :: of_samples f) (of_bells f)
        (windows_left f) (copies_of f))
  | _, _, _, _ =>
      foldl with_one_bell (foldl with_one_shift (Planned f) (gathered_shifts (shifted N))) (gathered_shifts (bells N))
  end.

(** What is certain, or reveals nothing, may be looked at anywhere about 0. *)
Definition about_0 : CertificateCurves.window := (0, [:: (1, 1)]).
Definition of_responses (groups : seq (string * CertificateCurves.window)) (entries : seq entry_alone) :
    seq CertificateCurves.window :=
  flatten [seq if of_epsilon (others (read_alone e)) is [::] then [::]
    else [:: (if found (epsilon_written e) groups is Some x then x else about_0)] | e <- entries].

Definition most_points : Z := 2 ^ 18.
Definition most_width : Z := 2 ^ 23.
Definition most_bits_of_tables : Z := 2 ^ 32.

(** What would take too long, or too much room. *)
Definition small_enough (digits : Z) (p : own_plan) : planned unit :=
  let wide := sum_over width (own_windows p) + sum_over (fun l => 2 * (l.1.2 - l.1.1)) (own_levels p) in
  if Z.ltb most_points (sum_over number_of_points (own_windows p)) then Rejected "too many points of profiles" else
  if Z.ltb most_width wide || Z.ltb most_bits_of_tables (wide * bits_for digits)
  then Rejected "too many losses to multiply" else Planned tt.

Definition furthest (ps : seq own_plan) : Z :=
  greatest_of (fun p => greatest_of (fun x => Z.max (Z.abs x.1) (Z.abs (last_in x))) (own_windows p)) ps.

(** Mechanisms whose rho is 0 have a count, and no pair of laws: where there are more of them than of any
    other, as many levels come first, at which there is no loss but 0. *)
Definition for_silent (most : Z) (N : noise_ledger) :=
  let silent := greatest_of snd [seq x <- of_rho (others N) | Z.eqb x.1.1 0] in
  nseq (Z.to_nat (numbits (Z.max most silent) - numbits most)) ((-1, 1), 1).

(** One direction; [beside]: there is one more pair, which is planned elsewhere. *)
Definition plan_direction (beside has_normal : bool) (entries : seq entry_alone) (N : noise_ledger) (p : own_plan) :
    planned (profile_plan * Z) :=
  let names := groups_of entries in
  let groups := zip (unzip1 names) (own_windows p) in
  if Z.ltb (length_of groups) (length_of names) then Rejected "not a window for each pair of laws" else
  let start := ByFamily [::] [::] [::] [::] [::] [::] (drop (size names) (own_windows p)) (unzip2 names) in
  let* (normal, start) := if has_normal then let* (x, f) := taken_for start 1 in Planned ([:: x], f)
    else Planned ([::], start) in
  let* f := foldl with_one (Planned start) entries in
  if windows_left f is _ :: _ then Rejected "not a window for each pair of laws" else
  let most := Z.max 1 (greatest_of id (copies_of f)) in
  if none_of (copies_of f) && ~~ beside then Rejected "no mechanism has laws to compose" else
  if ~~ Z.eqb (length_of (own_levels p)) (numbits most - 1) then Rejected "not a level for each bit of the counts" else
  let windows := normal ++ of_responses groups entries ++ rev (of_shifts f) ++ rev (of_laplaces f) ++
    nseq (size (of_rho (others N))) about_0 ++ rev (of_ranges f) ++ rev (of_tables f) ++ rev (of_samples f) ++ rev (of_bells f) in
  Planned (ProfilePlan windows (for_silent most N ++ own_levels p), most).

(** Of all discrete Gaussian noise, with a rate or not. *)
Definition variances_of (N : noise_ledger) : seq ratio :=
  [seq x.1.1 | x <- bells N] ++ flatten [seq if base x.1 is BaseBell v _ then [:: v] else [::] | x <- samples N].

Definition plan_dots (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) : planned (seq noise_hint) :=
  let* _ := proves [:: Upper] b in
  let* _ := only [:: "digits"; "orders"; "plans"; "sums"; "unit"]%string own in
  let* _ := none_gathered own in
  let* digits := digits_in own in
  let* plans := plans_in own in
  let* u := mesh_unit_in own in
  let* epsilon := finite b in
  if ~~ none_of (divergent N) || some_above_0 (of_rho (others N)) then Rejected "some mechanisms have no profile" else
  let directions := if undirected N then 1 else 2 in
  if ~~ Z.eqb (length_of plans) directions then Rejected "not a plan for each direction" else
  let reach := furthest plans * u.1 / Zpos u.2 + 1 in
  if Z.ltb 1000 reach then Rejected "a privacy loss above 1000" else
  let* _ := planned_all (small_enough digits) plans in
  let* p := problem_of (others N) [:: epsilon] in
  let has_normal := Z.ltb 0 (total_of_squares (of_mu (others N))).1 in
  let* found := planned_all (plan_direction false has_normal entries N) plans in
  let most := greatest_of snd found in
  let bits := bits_for digits + 60 + 2 * numbits (Zpos u.2) + numbits most + 2 * reach in
  if has (fun v => if CheckerBells.reach bits v is Some _ then false else true) (variances_of N)
  then Rejected "noise on too many integers to list" else
  match unzip1 found with
  | forth :: back => Planned [:: ProfileDots (numbered_by p) bits u forth (ohead back)]
  | [::] => Rejected "not a plan for each direction"
  end.
