(** Budgets that are spent as one goes (SPEC, section 9): from what is suggested to the truth of what
    is stated.

    A bound is proved from the budget itself, or by a ledger that stands in for it: the ledger is
    suggested, with a hint for its rule, and that it may stand in is checked. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesGaussian GaussianComposition Filters Ratios.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerFilters CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateProblems CertificateChecks.
From ExactDP Require Import CertificateTheorems CheckCertificate CertificateSubjects.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- a ledger that stands in for a subject --- *)

(** The bound that is stated, of a ledger, by a rule. *)
Definition claim_of (b : bound) (rule : string) (M : mechanisms) : claim :=
  Claim (bound_kind b) (bound_epsilon b) (bound_delta b) xH Adaptive
    (if found rule rules is Some (own, _) then own else EmptyString) M.
Definition check_stand_in (b : bound) (rule : string) (M : mechanisms) (hints : seq hint) : bool :=
  has (fun h => check_bound (claim_of b rule M) rule h (bound_epsilon b) (bound_delta b)) hints.

Lemma has_one (T : Type) (p : T -> bool) s : has p s -> exists x, p x.
Proof. by elim: s => //= x s IH /orP[|/IH] //; exists x. Qed.

Lemma check_stand_in_sound b rule M hints : check_stand_in b rule M hints ->
  at_epsilon (bound_epsilon b) (fun epsilon =>
    match bound_kind b with
    | Upper => mixed_upper G (notions M) epsilon (of_ratio (bound_delta b))
    | Lower => mixed_lower G (notions M) epsilon (of_ratio (bound_delta b))
    | Underivable => True
    end).
Proof.
rewrite /check_stand_in => /has_one[h shown].
have := check_bound_sound shown.
by rewrite /at_epsilon /holds_near /=; case: (bound_epsilon b) => [e|] h' *; move: h'; case: (bound_kind b) => // h' ;
  try exact: h'; exact: (h' _).
Qed.

(** --- budgets --- *)

Inductive budget_hint :=
| OfOneOrder of effort & numbering & mechanisms & Z
| AtOnce of numbering & mechanisms & seq hint
| FixedSpends of seq effort & numbering & mechanisms & seq hint.

(** The theorem that a statement from above rests on. *)
Definition filter_theorem (c : counting) : string :=
  match c with
  | CountsEpsilon => "rogers-roth-ullman-vadhan-2016-basic-filter"
  | CountsRho => "whitehouse-ramdas-rogers-wu-2023-zcdp-filter"
  | CountsRenyi _ => "feldman-zrnic-2021-renyi-filter"
  | CountsMu => "koskela-tobaben-honkela-2023-gdp-filter"
  end.

(** The rules that may follow where the budget is spent at once, and those that may after fixed spends. *)
Definition may_follow (c : counting) (rule : string) : bool :=
  match c, found rule rules with
  | CountsEpsilon, Some (_, OfPairs) | CountsRho, Some (_, OfDivergences)
  | CountsMu, Some (_, OfProfiles) => true
  | _, _ => false
  end.
Definition own_theorem (b : bound) (rule : string) : bool :=
  if found rule rules is Some (own, _) then String.eqb (bound_theorem b) own else false.

Section Check.
Variables (b : bound) (c : counting) (l : budget).
Let d := bound_delta b.

Definition check_order (f : effort) (k : numbering) (M : mechanisms) (w : Z) : bool :=
  match c, bound_kind b, bound_epsilon b with
  | CountsRenyi o, Upper, Some e =>
      if (subject_from k M, combination_of k e) is (Some m, Some x)
      then check_filter_renyi f w m l o x d.1 (Zpos d.2) else false
  | _, _, _ => false
  end.

Definition check_at_once (k : numbering) (M : mechanisms) : bool :=
  match c, bound_kind b, subject_from k M with
  | CountsEpsilon, Upper, Some m => check_filter_epsilon m l
  | CountsRho, Upper, Some m => check_filter_concentrated m l
  | CountsMu, Upper, Some m => check_filter_gaussian m l
  | _, _, _ => false
  end.

Definition check_spends (fs : seq effort) (k : numbering) (M : mechanisms) : bool :=
  match bound_kind b, subject_from k M with
  | Lower, Some m => has (fun f => check_fixed_spends f c m l) fs
  | _, _ => false
  end.

Definition check_budget (names : seq string) (h : budget_hint) : bool :=
  match h, names with
  | OfOneOrder f k M w, [:: filter; rule] =>
      [&& String.eqb filter "filter", String.eqb rule "moments", String.eqb (bound_theorem b) (filter_theorem c) &
          check_order f k M w]
  | AtOnce k M hints, [:: filter; rule] =>
      [&& String.eqb filter "filter",
          String.eqb (bound_theorem b) (filter_theorem c), may_follow c rule, check_at_once k M &
          check_stand_in b rule M hints]
  | FixedSpends fs k M hints, [:: filter; rule] =>
      [&& String.eqb filter "filter", own_theorem b rule, check_spends fs k M &
          check_stand_in b rule M hints]
  | _, _ => false
  end%string.
End Check.

Section Soundness.
Variables (b : bound) (c : counting) (l : budget).
Let stated := bound_holds b (budget_upper (measure_of c) (limit_of c l) (failing_of l))
                            (budget_lower (measure_of c) (limit_of c l) (failing_of l)).

Lemma check_order_sound f k M w : check_order b c l f k M w -> stated.
Proof.
rewrite /check_order /stated /bound_holds; case: c => // o; case: (bound_kind b) => //.
case: (bound_epsilon b) => [e|] //; case S: (subject_from k M) => [m|] //.
case X: (combination_of k e) => [x|] // /check_filter_renyi_sound.
by rewrite (subject_from_real S X).
Qed.

Lemma check_at_once_sound k M rule hints : check_at_once b c l k M -> check_stand_in b rule M hints ->
  stated.
Proof.
rewrite /check_at_once /stated /bound_holds => checked /check_stand_in_sound shown.
move: checked shown; case: c => //; case: (bound_kind b) => //;
  case S: (subject_from k M) => [m|] // ok; rewrite /at_epsilon -(subject_from_sound S) => shown;
  case: (bound_epsilon b) shown => [e|] h; try move=> e.
- exact: (check_filter_epsilon_sound ok h).
- exact: (check_filter_epsilon_sound ok (h e)).
- exact: (check_filter_concentrated_sound ok h).
- exact: (check_filter_concentrated_sound ok (h e)).
- exact: (check_filter_gaussian_sound gaussian_composes_holds ok h).
- exact: (check_filter_gaussian_sound gaussian_composes_holds ok (h e)).
Qed.

Lemma check_spends_sound fs k M rule hints : check_spends b c l fs k M -> check_stand_in b rule M hints ->
  stated.
Proof.
rewrite /check_spends /stated /bound_holds => checked /check_stand_in_sound shown.
move: checked shown; case: (bound_kind b) => //; case S: (subject_from k M) => [m|] // /has_one[f ok].
rewrite /at_epsilon -(subject_from_sound S); case: (bound_epsilon b) => [e|] h; try move=> e.
  exact: (check_fixed_spends_sound ok h).
exact: (check_fixed_spends_sound ok (h e)).
Qed.

Theorem check_budget_sound names h : check_budget b c l names h -> stated.
Proof.
rewrite /check_budget; case: h => [f k M w|k M hints|fs k M hints].
- by case: names => [|? [|? [|? ?]]] // /and4P[_ _ _] /check_order_sound.
- case: names => [|? [|rule [|? ?]]] // /and5P[_ _ _ once shown]; exact: check_at_once_sound once shown.
case: names => [|? [|rule [|? ?]]] // /and4P[_ _ spends shown]; exact: check_spends_sound spends shown.
Qed.
End Soundness.
