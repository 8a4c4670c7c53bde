(** Plans for the rules `fourier-upper` and `fourier-lower` about noise (SPEC, 11.7 and 11.8): the sums of PlanWaves.v,
    and in how many parts each Laplace noise is taken.

    What many parts change falls with the square of their number, and they cost no more than few, but bits: what is
    divided by the size of a part is to be known finely. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Comparisons CheckerClosed CheckerFourier CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateProblems CertificateChecks CertificateNoise CertificateNoiseRules.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanClosed PlanGrids PlanGaussians PlanWaves PlanNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** By how many bits a ratio is below 1. *)
Definition bits_below_1 (r : ratio) : Z := Z.max 0 (numbits (Zpos r.2) - numbits r.1 + 1).

(** So many bits have the parts of a sensitivity/scale: the square of one, as often as there is such noise, is below
    what the certificate passes over. *)
Definition spare_bits : Z := 6.
Definition part_bits (w : wave) (a : ratio * Z) : Z :=
  Z.max 1 ((cut w + finer_than_cut + numbits a.2) / 2 + spare_bits + numbits (a.1.1 / Zpos a.1.2)).
Definition parts_for (w : wave) (N : noise_ledger) : seq BinNums.positive :=
  [seq Z.to_pos (power_of_two (part_bits w a)) | a <- laplaced N].

(** The size of the smallest parts, in bits. *)
Definition finest (w : wave) (N : noise_ledger) : Z :=
  Z.max (greatest_of (fun a => part_bits w a + bits_below_1 a.1) (laplaced N))
    (greatest_of (fun s => bits_below_1 s.1.1) (shifted N)).

(** A ladder takes two turns, and a quotient. *)
Definition turns_of_a_ladder : Z := 3.
Definition most_scale : ratio := (2 ^ 40, xH).
Definition has_large_scale (N : noise_ledger) : bool :=
  has (fun s => Z.ltb 1 (Zpos s.1.2) && Z.ltb (s.1.1.1 * 2 ^ 40) (Zpos s.1.1.2)) (shifted N).
Definition ladders_of (N : noise_ledger) : Z := length_of (gathered_shifts (shifted N)) + length_of (laplaced N).

(** What has no characteristic function here. *)
Definition known_losses (b : bound) (N : noise_ledger) : planned unit :=
  let M := others N in
  if ~~ [&& none_of (ranged N), none_of (tabled N), none_of (samples N), none_of (bells N) & none_of (batched N)] || has_large_scale N then
    Rejected "a mechanism whose characteristic function is not known" else
  if same_kind (bound_kind b) Upper && (some_above_0 (of_rho M) || ~~ none_of (divergent N)) then
    Rejected "mechanisms given by rho or Renyi divergences have no profile"
  else Planned tt.

Definition on_ladders (w : wave) (b : bound) (N : noise_ledger)
    (t : effort -> numbering -> wave_plan -> seq BinNums.positive -> noise_hint) : planned (seq noise_hint) :=
  let* epsilon := finite b in
  let* _ := known_losses b N in
  let* p := problem_of (others N) [:: epsilon] in
  let* _ := need_losses w b p in
  let responses := length_of (groups_in (subject_in p)) in
  let all := responses + ladders_of N in
  if Z.ltb (last_point w) (near_points w) then Rejected "near is beyond last" else
  if Z.eqb all 0 || has (Z.leb all) (factors w) then Rejected "factors are not all there" else
  let many := sum_over snd (shifted N) + sum_over snd (laplaced N) in
  let bits := bits_of_wave w (others N) + 2 * numbits many + 2 * finest w N in
  if is_too_much w ((responses + turns_of_a_ladder * ladders_of N + 2) * product_cost bits) then
    Refused "there are more points than this checker looks at" else
  let* f := at_least 96 p in
  Planned [:: t f (numbered_by p) (wave_plan_of w bits) (parts_for w N)].

Definition plan_noise_fourier_upper (_ : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only wave_keys own in
  let* w := wave_in own in
  let* _ := proves [:: Upper] b in
  on_ladders w b N NoiseFourierAbove.

Definition plan_noise_fourier_lower (_ : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) :
    planned (seq noise_hint) :=
  let* _ := only wave_keys_below own in
  let* w := wave_in own in
  let* (falling, rising) := slopes_in own in
  let* _ := proves [:: Lower] b in
  on_ladders w b N (fun f k plan parts => NoiseFourierBelow f k plan parts falling rising).
