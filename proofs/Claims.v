(** Whether what is stated settles a claim "(epsilon, delta)-DP" (SPEC, 12.4). *)
From Coq Require Import String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Ratios Comparisons CheckerClosed EnclosuresOfNumbers CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateProblems CertificateSubjects.
From ExactDP Require Import Plan PlanProblem WrittenNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope string_scope.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- n <= m, by their logarithms in a common numbering --- *)

Definition at_most_over (k : numbering) (n m : number) : bool :=
  let table := table_in_use k in
  numbering_ok k && all quotient_ok table &&
  if (combination_of k n, combination_of k m) is (Some x, Some y) then
    has (fun bits => nonneg (bits + number_guard)%coqZ (logarithms bits table) true table (csub y x))
      [:: 128; 1024; 8192]%coqZ
  else false.
Definition at_most (n m : number) : bool :=
  if numbering_of [:: n; m] is Planned k then at_most_over k n m else false.

Lemma at_most_sound n m : at_most n m -> value_of n <= value_of m.
Proof.
rewrite /at_most /at_most_over; case: (numbering_of _) => // k /andP[/andP[k_ok q_ok]].
case X: (combination_of k n) => [x|] //; case Y: (combination_of k m) => [y|] //.
rewrite -(combination_of_sound k_ok X) -(combination_of_sound k_ok Y).
have D0 : 0 < IZR (common k) by rewrite (IZR_lt_iff Z0); case/andP: k_ok.
rewrite ler_pmul2r ?invr_gt0 // -subr_ge0 -value_sub.
by case/or4P => // h; exact: nonneg_sound q_ok _ _ h.
Qed.

(** --- claims --- *)

Definition read_claimed (epsilon delta : string) : planned (number * ratio) :=
  match read_written epsilon, read_written delta with
  | Some e, Some (Number d [::]) =>
      if ~~ at_most (Number Ratios.zero [::]) e then Malformed "the claim's epsilon is not known to be 0 or more"
      else if Z.leb 0 d.1 && rle d Ratios.one then Planned (e, d)
      else Malformed "the claim's delta is not from 0 to 1"
  | _, _ => Malformed "a claim is not two numbers"
  end.

Definition bound_in (s : statement) : bound :=
  match s with
  | OfLedger c => Bound (claim_kind c) (claim_epsilon c) (claim_delta c) (claim_theorem c)
  | OfBudget b _ _ | OfTrees b _ | OfWorkload b _ _ | OfReplacing b _ _ | OfNoise b _ | OfFamilies b _ | OfNoiseWorkload b _
  | OfConstrained b _ _ => b
  | OfExperiment e d _ => Bound Underivable (Some e) d EmptyString   (* of a test: it settles nothing *)
  end.

(** The same statement of a claim: that all these are (epsilon, delta)-DP, or that some are not. *)
Definition with_claim (e : number) (d : ratio) (b : bound) : bound :=
  Bound (bound_kind b) (Some e) d (bound_theorem b).
Definition claimed (e : number) (d : ratio) (s : statement) : statement :=
  let to := with_claim e d in
  match s with
  | OfLedger c => OfLedger (Claim (claim_kind c) (Some e) d (claim_group c) (claim_interplay c) (claim_theorem c)
      (claim_mechanisms c))
  | OfBudget b c l => OfBudget (to b) c l
  | OfTrees b ts => OfTrees (to b) ts
  | OfWorkload b i w => OfWorkload (to b) i w
  | OfReplacing b i w => OfReplacing (to b) i w
  | OfNoise b N => OfNoise (to b) N
  | OfFamilies b xs => OfFamilies (to b) xs
  | OfNoiseWorkload b w => OfNoiseWorkload (to b) w
  | OfConstrained b cs N => OfConstrained (to b) cs N
  | OfExperiment _ _ x => OfExperiment e d x
  end.

(** A claim is proved by what is at most it, and refuted by what is at least it. *)
Definition settles (b : bound) (e : number) (d : ratio) : planned string :=
  let unsettled := Rejected "the statement does not settle the claim" in
  match bound_kind b with
  | Upper => if bound_epsilon b is Some e' then
      if at_most e' e && rle (bound_delta b) d then Planned "proves" else unsettled else unsettled
  | Lower => if (if bound_epsilon b is Some e' then at_most e e' else true) && rle d (bound_delta b)
      then Planned "refutes" else unsettled
  | Underivable => Rejected "the statement is about a formula or a test: it settles no claim"
  end.
