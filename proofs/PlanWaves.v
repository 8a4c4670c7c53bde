(** Plans for the rules of the trapezoid sum over the characteristic function of the privacy loss: with
    how many bits the verified checks are to take it, and what is little at a point. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CheckerFourier CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateChecks.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids PlanGaussians.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Definition most_wave_points : Z := 2 ^ 40.
Definition most_cut : Z := 10000.

Record wave := Wave {
  wave_digits : Z; cut : Z; blocks_beyond : Z; far_points : Z; factors : seq Z; near_points : Z;
  last_point : Z; noise_of_wave : ratio; step_of_wave : ratio; tilt_of_wave : ratio
}.

(** A rational above 0 and at most 1; or none at all, as 0. *)
Definition read_noise (text : string) : option ratio :=
  if String.eqb text "0" then Some Ratios.zero else
  if short_above_0 text is Some r then if rle r Ratios.one then Some r else None else None.

Fixpoint increasing (s : seq Z) : bool :=
  if s is x :: ((y :: _) as rest) then Z.ltb x y && increasing rest else true.

Definition wave_in (own : members) : planned wave :=
  let* blocks := whole_in "blocks" 1 most_wave_points own in
  let* cut := whole_in "cut" 0 most_cut own in
  let* digits := digits_in own in
  let* factors := texts_in "factors" (read_whole 0 most_cut) own in
  let* far := whole_in "far" 0 most_wave_points own in
  let* last := whole_in "last" 1 (most_wave_points - 1) own in
  let* near := whole_in "near" 1 most_wave_points own in
  let* noise := text_in "noise" read_noise own in
  let* step := short_in "step" own in
  let* tilt := short_in "tilt" own in
  if ~~ increasing factors then Malformed "factors do not increase"
  else Planned (Wave digits cut blocks far factors near last noise step tilt).

(** Points times factors, times what a product costs: what the checks may have to look at, whatever a
    certificate says of it; and where it says that few points are to be looked at, of the rest only how
    small they are together. *)
Definition most_work : Z := 2 ^ 26.
Definition most_passed : Z := 2 ^ 33.
Definition product_cost (bits : Z) : Z := bits * Z.sqrt bits / 64.
Definition is_too_much (w : wave) (each : Z) : bool :=
  let all := last_point w * each in
  let looked_at := near_points w + far_points w + blocks_beyond w in
  Z.ltb most_work all && (Z.ltb most_passed all || Z.ltb most_work (looked_at * each)).

Definition bits_of_wave (w : wave) (M : mechanisms) : Z :=
  let lost := 2 * numbits (how_many M) + 2 * numbits (last_point w) + numbits (step_of_wave w).1 in
  Z.max 160 (bits_for (wave_digits w) + 64 + lost).

(** What is passed over is smaller than 2^-cut by so many bits, as all of it is charged at most. *)
Definition finer_than_cut : Z := 14.
Definition fraction_of (r : ratio) : Z * Z := (r.1, Zpos r.2).
Definition wave_plan_of (w : wave) (bits : Z) : wave_plan :=
  WavePlan bits (bits / 6 + 4) (fraction_of (tilt_of_wave w)) (fraction_of (step_of_wave w))
    (fraction_of (noise_of_wave w)) (last_point w)
    (power_of_two (Z.max 0 (bits - cut w - finer_than_cut))).

Definition on_a_wave (w : wave) (M : mechanisms) (p : problem) (t : wave_plan -> attempt) :
    planned (seq hint) :=
  let groups := length_of (groups_in (subject_in p)) in
  if Z.ltb (last_point w) (near_points w) then Rejected "near is beyond last" else
  if Z.eqb groups 0 || has (Z.leb groups) (factors w) then Rejected "factors are not all there" else
  let bits := bits_of_wave w M in
  if is_too_much w ((groups + 2) * product_cost bits) then
    Refused "there are more points than this checker looks at" else
  let* f := at_least 96 p in
  Planned (hinted p f (t (wave_plan_of w bits))).

(** From below with two slopes. *)
Definition wave_keys : seq string :=
  [:: "blocks"; "cut"; "digits"; "factors"; "far"; "last"; "near"; "noise"; "step"; "tilt"]%string.
Definition wave_keys_below : seq string :=
  [:: "blocks"; "cut"; "digits"; "factors"; "far"; "last"; "left"; "near"; "noise"; "right"; "step"; "tilt"]%string.
Definition slopes_in (own : members) : planned (slope * slope) :=
  let* falling := short_in "left" own in
  let* rising := short_in "right" own in
  Planned (fraction_of falling, fraction_of rising).

(** From below those given by rho count as Gaussian mechanisms. *)
Definition need_losses (w : wave) (b : bound) (p : problem) : planned unit :=
  if Z.eqb (noise_of_wave w).1 0 then need_noise (square_for b p) else Planned tt.

Definition plan_fourier_upper : ledger_planner := fun b M own =>
  let* _ := only wave_keys own in
  let* w := wave_in own in
  let* _ := proves [:: Upper] b in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  if some_above_0 (of_rho M) then Rejected "mechanisms given by rho have no upper bound" else
  let* _ := need_losses w b p in
  on_a_wave w M p FourierAbove.

Definition plan_fourier_lower : ledger_planner := fun b M own =>
  let* _ := only wave_keys_below own in
  let* w := wave_in own in
  let* (falling, rising) := slopes_in own in
  let* _ := proves [:: Lower] b in
  let* epsilon := finite b in
  let* p := problem_of M [:: epsilon] in
  let* _ := need_losses w b p in
  on_a_wave w M p (fun plan => FourierBelow plan falling rising).
