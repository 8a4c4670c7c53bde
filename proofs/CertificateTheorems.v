(** Which check a rule may use, and which theorem a statement may name (SPEC, sections 3, 4 and 11). *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesConcentrated RulesGroupsMixed RulesPair Powers Moments.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerGaussian CheckerConcentrated.
From ExactDP Require Import CheckerConcentratedTheorems CheckerGroups CheckerGroupsTheorems RulesGroups.
From ExactDP Require Import Ratios.
From ExactDP Require Concurrent.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateChecks.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the rules, their checks and theorems (SPEC, sections 3 and 11) --- *)

Definition may_try (rule : string) (t : attempt) : bool :=
  among rule match t with
  | Trivial => [:: "trivial"; "atoms"]
  | Sum => [:: "sum"; "atoms"; "grid-counts"; "grid-fourier"]
  | RationalOdds _ | Lattice _ => [:: "atoms"]
  | Grid _ => [:: "grid"; "grid-counts"; "grid-fourier"; "gaussian-mesh"]
  | Dots _ => [:: "mesh-upper"; "gaussian-mesh"]
  | Test _ => [:: "mesh-lower"]
  | BunSteinke _ | CanonneKamathSteinke _ _ => [:: "formula"]
  | Renyi _ _ => [:: "moments"]
  | GaussianProfile _ => [:: "gaussian"]
  | Mixture _ _ => [:: "gaussian-mixture"]
  | MeshAbove _ _ | MeshBelow _ _ => [:: "gaussian-mesh"]
  | Pair _ _ _ _ _ _ _ | PairAlone _ _ _ _ _ _ => [:: "zcdp-pair"]
  | FourierAbove _ => [:: "fourier-upper"]
  | FourierBelow _ _ _ => [:: "fourier-lower"]
  end%string.

(** What carries over to concurrent composition: nothing is needed, or a theorem about the rule's
    mechanisms; [NoCarry]: no theorem is known. *)
Inductive family := ByDefinition | OfPairs | OfProfiles | OfDivergences | NoCarry.

(** A rule's own theorem, and its family. *)
Definition rules : seq (string * (string * family)) := [::
  ("trivial", ("definition", ByDefinition));
  ("sum", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("atoms", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("grid", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("grid-counts", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("grid-fourier", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("mesh-upper", ("zhu-dong-wang-2022-theorem-10", OfPairs));
  ("mesh-lower", ("definition", OfPairs));
  ("formula", ("canonne-kamath-steinke-2020-corollary-13", NoCarry));
  ("moments", ("canonne-kamath-steinke-2020-proposition-12", OfDivergences));
  ("gaussian", ("dong-roth-su-2022-corollary-2.13", OfProfiles));
  ("gaussian-mixture", ("dong-roth-su-2022-theorem-3.2", OfProfiles));
  ("gaussian-mesh", ("dong-roth-su-2022-theorem-3.2", OfProfiles));
  ("zcdp-pair", ("dong-roth-su-2022-theorem-3.2", NoCarry));
  ("fourier-upper", ("zhu-dong-wang-2022-theorem-10", OfPairs));
  ("fourier-lower", ("definition", OfPairs))]%string.

Definition found (A : Type) (key : string) (s : seq (string * A)) : option A :=
  foldr (fun e r => if String.eqb key e.1 then Some e.2 else r) None s.

(** A theorem by which interleaving gains an adversary nothing, and the mechanisms it is about: all
    bounds carry over, or the divergences of one order add up. *)
Definition pure (M : mechanisms) : bool := all (fun m => Z.eqb m.1.2.1 0) (of_epsilon M).
Definition none_above_0 (s : seq (ratio * Z)) : bool := all (fun m => Z.eqb m.1.1 0) s.
Definition first_notion (M : mechanisms) : bool := none_above_0 (of_mu M) && none_above_0 (of_rho M).

Definition carried (theorem : string) (by_family : family) (M : mechanisms) : bool :=
  match by_family with
  | ByDefinition => String.eqb theorem "definition"
  | OfPairs =>
      (String.eqb theorem "vadhan-wang-2021-theorem-5.4" && (first_notion M && pure M)) ||
      (String.eqb theorem "lyu-2022-approximate-dp" && first_notion M) ||
      (String.eqb theorem "vadhan-zhang-2023-f-dp" && none_above_0 (of_rho M))
  | OfProfiles => String.eqb theorem "vadhan-zhang-2023-f-dp" && none_above_0 (of_rho M)
  | OfDivergences => String.eqb theorem "lyu-2022-renyi-dp" && pure M
  | NoCarry => false
  end.

(** Whether the statement may name its theorem; what a formula does not give is compared with the
    formula where it is shown. *)
Definition permitted (rule : string) (c : claim) : bool :=
  if found rule rules is Some (own, of_family) then
    match claim_kind c, claim_interplay c with
    | Underivable, _ => true
    | Upper, Concurrent => carried (claim_theorem c) of_family (claim_mechanisms c)
    | _, _ => String.eqb (claim_theorem c) own
    end
  else false.
