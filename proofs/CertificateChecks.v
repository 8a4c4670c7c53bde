(** The checks of the rules, for any subject: what [check_bound] (CheckCertificate.v) runs on that of a
    certificate, which CertificateProblems.v writes as integers.

    What a program suggests is a [hint]: which check, its precision and its bounds; hints cannot make a
    false statement accepted, whatever they are. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesConcentrated RulesGroupsMixed RulesPair.
From ExactDP Require Import GaussianComposition GaussianAttainment.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerGrid CheckerGridTheorems.
From ExactDP Require Import CheckerRationalOdds CheckerRationalOddsSound.
From ExactDP Require Import CheckerLattice CheckerLatticeTheorems.
From ExactDP Require Import CheckerBracket CheckerBracketTheorems.
From ExactDP Require Import CheckerConcentrated CheckerConcentratedTheorems CheckerGaussian CheckerMixture.
From ExactDP Require Import CheckerMesh CheckerPair CheckerGroups CheckerFourier Ratios.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A check of a rule, with all that it is given besides subject, epsilon and delta. *)
Inductive attempt :=
| Trivial
| Sum
| RationalOdds of nat
| Lattice of lattice_plan
| Grid of CheckerGrid.plan
| Dots of mesh_plan
| Test of test_plan
| BunSteinke of Z
| CanonneKamathSteinke of Z & order
| Renyi of Z & order
| GaussianProfile of precision
| Mixture of precision & weighing
| MeshAbove of precision & mesh_plan
| MeshBelow of precision & CheckerGrid.plan
| Pair of Z & order & combination & Z & Z & precision & mesh_plan
| PairAlone of Z & order & combination & Z & Z & mesh_plan
| FourierAbove of wave_plan
| FourierBelow of wave_plan & slope & slope.

Record hint := Hint { with_effort : effort; numbered : numbering; tried : attempt }.

(** --- the checks --- *)

(** No mu and no rho is above 0. *)
Definition quiet (f : effort) (m : mixed_subject) : bool :=
  mixed_ok f m && all (fun l => Z.eqb (level_above l) 0) (gaussians m ++ concentrates m).

Section Checks.
Variables (f : effort) (m : mixed_subject) (a b : Z).
Let s := approximates m.

Definition shows_upper (t : attempt) (x : combination) : bool :=
  match t with
  | Trivial => check_vacuous f s a b
  | Sum => quiet f m && check_sum_upper f s x a b
  | RationalOdds sums => quiet f m && check_rational_odds_upper f s sums x a b
  | Lattice p => quiet f m && check_lattice_upper f s p x a b
  | Grid p => quiet f m && check_grid_upper f s p x a b
  | Dots p => quiet f m && check_connect_the_dots f s p x a b
  | Renyi w o => check_renyi f w m o x a b
  | GaussianProfile p => check_gaussian_upper f p m x a b
  | Mixture p q => check_gaussian_mixture_upper f p q m x a b
  | MeshAbove p q => check_gaussian_mesh_upper f p m q x a b
  | Pair w o y c d p q => check_zcdp_pair f w m o y c d p q x a b
  | PairAlone w o y c d q => check_zcdp_pair_alone f w m o y c d q x a b
  | FourierAbove q => check_fourier_upper f q m x a b
  | Test _ | MeshBelow _ _ | BunSteinke _ | CanonneKamathSteinke _ _ | FourierBelow _ _ _ => false
  end.

(** For every epsilon; and for one. *)
Definition shows_infeasible (t : attempt) : bool :=
  if t is Trivial then quiet f m && check_infeasible f s a b || check_infeasible_noise f m a b
  else false.
Definition shows_lower (t : attempt) (x : combination) : bool :=
  match t with
  | Sum => quiet f m && check_sum_lower f s x a b
  | RationalOdds sums => quiet f m && check_rational_odds_lower f s sums x a b
  | Lattice p => quiet f m && check_lattice_lower f s p x a b
  | Grid p => quiet f m && check_grid_lower f s p x a b
  | Test p => quiet f m && check_gridded_test f s p x a b
  | GaussianProfile p => check_gaussian_lower f p m x a b
  | Mixture p q => check_gaussian_mixture_lower f p q m x a b
  | MeshBelow p q => check_gaussian_mesh_lower f p m q x a b
  | FourierBelow q l r => check_fourier_lower f q m l r x a b
  | _ => shows_infeasible t
  end.

(** By which formula. *)
Definition shows_underivable (t : attempt) (x : combination) : option string :=
  match t with
  | BunSteinke w => if check_bun_steinke_underivable f w m x a b
      then Some "bun-steinke-2016-proposition-1.3"%string else None
  | CanonneKamathSteinke w o => if check_canonne_kamath_steinke_underivable f w m o x a b
      then Some "canonne-kamath-steinke-2020-corollary-13"%string else None
  | _ => None
  end.
End Checks.

Section Soundness.
Variables (f : effort) (m : mixed_subject) (a b : Z) (t : attempt).
Let ns := notions_of m.
Let delta := fraction a b.

Lemma quiet_upper epsilon : quiet f m -> upper (ledger_of (approximates m)) epsilon delta ->
  mixed_upper RulesGaussian.G ns epsilon delta.
Proof. by case/andP=> ok zero; exact: (subject_upper_trivial ok zero). Qed.

Lemma quiet_lower epsilon : quiet f m -> lower (ledger_of (approximates m)) epsilon delta ->
  mixed_lower RulesGaussian.G ns epsilon delta.
Proof. by case/andP=> _ zero; exact: (subject_lower_trivial zero). Qed.

Lemma vacuous_mixed epsilon : check_vacuous f (approximates m) a b ->
  mixed_upper RulesGaussian.G ns epsilon delta.
Proof.
case/and3P=> _ /Z.ltb_lt b0 /Z.eqb_eq e; rewrite /delta /fraction e divff; first exact: rule_vacuous_mixed.
by rewrite gt_eqF // (IZR_lt_iff Z0); apply/Z.ltb_lt.
Qed.

Theorem shows_upper_sound x : shows_upper f m a b t x ->
  mixed_upper RulesGaussian.G ns (real (approximates m) x) delta.
Proof.
case: t => /=; try by [].
- by move=> h; exact: vacuous_mixed.
- by move=> /andP[q h]; apply: (quiet_upper q); exact: check_sum_upper_sound h.
- by move=> sums /andP[q h]; apply: (quiet_upper q); exact: check_rational_odds_upper_sound h.
- by move=> p /andP[q h]; apply: (quiet_upper q); exact: check_lattice_upper_sound h.
- by move=> p /andP[q h]; apply: (quiet_upper q); exact: check_grid_upper_sound h.
- by move=> p /andP[q h]; apply: (quiet_upper q); exact: check_connect_the_dots_sound h.
- by move=> w o h; exact: check_renyi_sound h.
- by move=> p h; exact: (check_gaussian_upper_sound gaussian_composes_holds h).
- by move=> p q h; exact: (check_gaussian_mixture_upper_sound gaussian_composes_holds h).
- by move=> p q h; exact: (check_gaussian_mesh_upper_sound gaussian_composes_holds h).
- by move=> w o y c d p q h; exact: (check_zcdp_pair_sound gaussian_composes_holds h).
- by move=> w o y c d q h; exact: check_zcdp_pair_alone_sound h.
- by move=> q h; exact: check_fourier_upper_sound h.
Qed.

Theorem shows_infeasible_sound : shows_infeasible f m a b t ->
  forall epsilon, mixed_lower RulesGaussian.G ns epsilon delta.
Proof.
case: t => //= /orP[/andP[q h]|h] epsilon; first by apply: (quiet_lower q); exact: check_infeasible_sound h epsilon.
exact: check_infeasible_noise_sound gaussian_attains_holds h epsilon.
Qed.

Theorem shows_lower_sound x : shows_lower f m a b t x ->
  mixed_lower RulesGaussian.G ns (real (approximates m) x) delta.
Proof.
have := @shows_infeasible_sound; case: t => //=; try by move=> h h'; exact: h.
- by move=> _ /andP[q h]; apply: (quiet_lower q); exact: check_sum_lower_sound h.
- by move=> sums _ /andP[q h]; apply: (quiet_lower q); exact: check_rational_odds_lower_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_lower q); exact: check_lattice_lower_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_lower q); exact: check_grid_lower_sound h.
- by move=> p _ /andP[q h]; apply: (quiet_lower q); exact: check_gridded_test_sound h.
- by move=> p _ h; exact: (check_gaussian_lower_sound gaussian_attains_holds h).
- by move=> p q _ h; exact: (check_gaussian_mixture_lower_sound gaussian_attains_holds h).
- by move=> p q _ h; exact: (check_gaussian_mesh_lower_sound gaussian_attains_holds h).
- by move=> q l r _ h; exact: check_fourier_lower_sound h.
Qed.

Theorem shows_underivable_sound x theorem : shows_underivable f m a b t x = Some theorem ->
  formula_fails theorem ns (real (approximates m) x) delta.
Proof.
case: t => //= [w|w o]; case: ifP => // h [<-].
  by left; split=> //; exact: check_bun_steinke_underivable_sound h.
by right; split=> //; exact: check_canonne_kamath_steinke_underivable_sound h.
Qed.
End Soundness.
