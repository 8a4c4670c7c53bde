(** Ledgers of mechanisms given by their noise: from what is suggested to the truth of what is stated. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesNoiseRenyi NoiseLedgers Ratios CheckerClosed.
From ExactDP Require Import CheckerConcentrated CheckerNoise CheckerLaplace NoiseEntries CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateProblems CertificateNoise CertificateProfiles CertificateSubjects.
From ExactDP Require Import OrderOfNoise OrderOfProfiles CertificateRenyi.
From ExactDP Require Import NoiseTests CertificateNoiseTests CheckerFourier CheckerNoiseFourier.
From ExactDP Require Import CheckerDivergences CertificateDivergences CertificateExactTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.

(** At which precision, and at which order, or which test; with which unit and plans; with which sums, and in how
    many parts each Laplace noise is taken; or with at most how many losses. *)
Inductive noise_hint :=
| NoiseRenyi of effort & numbering & Z & order
| NoiseTest of effort & numbering & test_hint
| ProfileDots of numbering & Z & ratio & profile_plan & option profile_plan
| NoiseFourierAbove of effort & numbering & wave_plan & seq BinNums.positive
| NoiseFourierBelow of effort & numbering & wave_plan & seq BinNums.positive & slope & slope
| ProfileRenyi of numbering & Z & ratio & profile_plan * divergent_plan & option (profile_plan * divergent_plan)
| ExactTables of effort & numbering & nat.

Definition noise_theorem : string := "canonne-kamath-steinke-2020-proposition-12".
Definition domination_theorem : string := "zhu-dong-wang-2022-theorem-10".

Definition check_noise (b : bound) (N : noise_ledger) (names : seq string) (h : noise_hint) : bool :=
  let d := bound_delta b in
  match h, bound_kind b, bound_epsilon b, names with
  | NoiseTest f k t, Lower, Some e, [:: rule] =>
      (String.eqb rule "mesh-lower" && String.eqb (bound_theorem b) "definition") &&
      if (subject_from k (others N), combination_of k e) is (Some m, Some x)
      then check_noise_below f m N t x d.1 (Zpos d.2) else false
  | NoiseRenyi f k w o, Upper, Some e, [:: rule] =>
      [&& String.eqb rule "moments", String.eqb (bound_theorem b) noise_theorem & noise_ok N] &&
      if (subject_from k (standing_in N), combination_of k e, listed_with w o N) is (Some m, Some x, Some ls)
      then check_noise_renyi f w m o ls (tabled N) x d.1 (Zpos d.2) else false
  | ProfileDots k w u forth back, Upper, Some e, [:: rule] =>
      [&& String.eqb rule "mesh-upper", String.eqb (bound_theorem b) domination_theorem &
          check_profile_dots k w N u forth back e d]
  | NoiseFourierAbove f k q parts, Upper, Some e, [:: rule] =>
      (String.eqb rule "fourier-upper" && String.eqb (bound_theorem b) domination_theorem) &&
      if (subject_from k (others N), combination_of k e) is (Some m, Some x)
      then check_noise_fourier_upper f q m N parts x d.1 (Zpos d.2) else false
  | NoiseFourierBelow f k q parts l r, Lower, Some e, [:: rule] =>
      (String.eqb rule "fourier-lower" && String.eqb (bound_theorem b) "definition") &&
      if (subject_from k (others N), combination_of k e) is (Some m, Some x)
      then check_noise_fourier_lower f q m N parts l r x d.1 (Zpos d.2) else false
  | ProfileRenyi k w u forth back, Upper, Some e, [:: rule] =>
      [&& String.eqb rule "mesh-upper", String.eqb (bound_theorem b) domination_theorem &
          check_profile_renyi k w N u forth back e d]
  | ExactTables f k sums, kind, Some e, [:: rule] =>
      (String.eqb rule "atoms" && String.eqb (bound_theorem b) domination_theorem) &&
      if (subject_from k (others N), combination_of k e) is (Some m, Some x) then
        match kind with
        | Upper => check_exact_tables_upper f m N sums x d.1 (Zpos d.2)
        | Lower => check_exact_tables_lower f m N sums x d.1 (Zpos d.2)
        | Underivable => false
        end
      else false
  | _, _, _, _ => false
  end%string.

Theorem check_noise_sound b N names h : check_noise b N names h -> holds (OfNoise b N).
Proof.
rewrite /check_noise /holds /bound_holds.
case: h => [f k w o|f k t|k w u forth back|f k q parts|f k q parts l r|k w u forth back|f k sums].
all: case: (bound_kind b) => //; case: (bound_epsilon b) => [e|] //; case: names => [|rule [|? ?]] //.
- case/andP=> /and3P[_ _ ok]; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  case L: (listed_with _ _ _) => [ls|] // C.
  have [a1 own proper D0 le] := noise_renyi_shown ok L (subject_from_sound S) C; rewrite (subject_from_real S X) in le.
  exact: noise_ledger_by_entries_at a1 own (Permutation_refl _) (rule_noise_renyi a1 proper D0 le).
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  by move/(check_noise_below_sound (subject_from_sound S)); rewrite (subject_from_real S X).
- by case/and3P=> _ _; exact: check_profile_dots_sound.
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  by move/(check_noise_fourier_upper_sound (subject_from_sound S)); rewrite (subject_from_real S X).
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  by move/(check_noise_fourier_lower_sound (subject_from_sound S)); rewrite (subject_from_real S X).
- by case/and3P=> _ _; exact: check_profile_renyi_sound.
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  by move/(check_exact_tables_upper_sound (subject_from_sound S)); rewrite (subject_from_real S X).
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  by move/(check_exact_tables_lower_sound (subject_from_sound S)); rewrite (subject_from_real S X).
by case/andP=> _; case: (subject_from k _) => [m|] //; case: (combination_of k e).
Qed.

(** Whether the bound is one of the mechanisms in any order, which may depend on the answers, where
    some may be left out: tables and sums of losses show this of mechanisms which two equal laws may have. *)
Definition noise_in_any_order (h : noise_hint) (proper : bool) : bool :=
  match h with
  | NoiseRenyi _ _ _ _ => true
  | ProfileDots _ _ _ _ _ | ProfileRenyi _ _ _ _ _ | NoiseFourierAbove _ _ _ _ | ExactTables _ _ _ => proper
  | NoiseTest _ _ _ | NoiseFourierBelow _ _ _ _ _ _ => false
  end.

Lemma noises_divergences_ge0 N : noise_ok N -> all divergences_ge0 (noises N).
Proof.
have free (A : Type) (n : A -> noise) s : (forall a, divergences_ge0 (n a)) -> all divergences_ge0 (many n s).
  by move=> h; apply: all_many; elim: s => //= x s ->; rewrite h.
case/and5P=> _ _ _ D _; rewrite /noises !all_cat; do !(apply/andP; split); try exact: free.
apply: all_many; apply: sub_all D => x /=; rewrite /real_orders all_map.
by apply: sub_all => o; exact: of_ge0.
Qed.

Theorem check_noise_any_order b N names h proper : noise_in_any_order h proper ->
  (proper -> all_proper (noises N)) -> bound_kind b = Upper -> check_noise b N names h ->
  at_epsilon (bound_epsilon b) (fun e => noisy_in_any_order (noises N) e (of_ratio (bound_delta b))).
Proof.
case: h => [f k w o|//|k w u forth back|f k q parts|//|k w u forth back|f k sums] /= any ok up; rewrite /check_noise up.
all: case: (bound_epsilon b) => [e|] //; case: names => [|rule [|? ?]] //.
- case/andP=> /and3P[_ _ {}ok]; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] //.
  case L: (listed_with _ _ _) => [ls|] // C.
  have [a1 own proper' D0 le] := noise_renyi_shown ok L (subject_from_sound S) C; rewrite (subject_from_real S X) in le.
  exact: noise_renyi_in_any_order own (noises_divergences_ge0 ok) proper' D0 le.
- by case/and3P=> _ _ C; exact: check_profile_dots_any_order C (ok any).
- case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] // C.
  by have := check_noise_fourier_upper_any_order (subject_from_sound S) C (ok any); rewrite (subject_from_real S X).
- by case/and3P=> _ _ C; exact: check_profile_renyi_any_order C (ok any).
case/andP=> _; case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] // C.
by have := check_exact_tables_any_order (subject_from_sound S) C (ok any); rewrite (subject_from_real S X).
Qed.
