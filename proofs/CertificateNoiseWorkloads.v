(** Workloads of mechanisms by their noise (SPEC, section 8): from what is suggested to the truth of
    what is stated.

    A ledger of mechanisms that stands in for the workload is suggested, with hints for its rule, and
    how its bounds carry over: a row, or the number of each query's class. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals NoiseLedgers RulesNoiseWorkloads OrderOfNoise OrderOfProfiles Ratios CheckerClosed.
From ExactDP Require Import CheckerWorkloads CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateProblems CertificateNoise CertificateSubjects CertificateBudgets.
From ExactDP Require Import CertificateNoiseRules CheckerNoiseWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Inductive by_noise := MetByRow of seq Z | InClasses of seq nat.

Record noise_carrying := NoiseCarrying {
  efforts : seq effort;
  numbers_over : numbering;
  represented_by : noise_ledger;
  bounded_by : seq noise_hint;
  carried_to : by_noise
}.

Definition check_noise_workload (b : bound) (w : workload single) (names : seq string)
    (h : noise_carrying) : bool :=
  let k := numbers_over h in let N := represented_by h in
  if names is [:: name; rule] then
    match bound_kind b, carried_to h with
    | Upper, InClasses colours =>
        [&& String.eqb name "cases",
            has (fun f => check_noise_colouring f k N w colours) (efforts h) &
            has (fun t => noise_in_any_order t (has (fun f => singles_ok f k N) (efforts h)) &&
                      check_noise b N [:: rule] t) (bounded_by h)]
    | Lower, MetByRow x =>
        [&& String.eqb name "rows", has (fun f => check_noise_witness f k N w x) (efforts h) &
            has (check_noise b N [:: rule]) (bounded_by h)]
    | _, _ => false
    end
  else false.

Theorem check_noise_workload_sound b w names h : check_noise_workload b w names h ->
  bound_holds b (noise_workload_upper (@met w) (known_as w) (numbers w))
                (noise_workload_lower (@met w) (known_as w) (numbers w)).
Proof.
rewrite /check_noise_workload; case: names => [|name [|rule [|? ?]]] //.
have bounds (P T : R -> Prop) : (forall e, P e -> T e) -> at_epsilon (bound_epsilon b) P ->
    at_epsilon (bound_epsilon b) T.
  by move=> PT; rewrite /at_epsilon; case: (bound_epsilon b) => [e|] h' *; exact: PT.
case K: (bound_kind b); case: (carried_to h) => [x|colours] //.
- case/and3P=> _ /has_one[f coloured] /has_one[t /andP[any shown]]; rewrite /bound_holds K.
  have proper : has (fun f => singles_ok f (numbers_over h) (represented_by h)) (efforts h) ->
      all_proper (noises (represented_by h)).
    by case/has_one=> f' good; have /andP[ok _] := good; exact (singles_ok_sound ok good).
  apply: bounds (check_noise_any_order any proper K shown) => e; have /andP[ok _] := coloured.
  exact (check_noise_colouring_sound ok coloured).
case/and3P=> _ /has_one[f witness] /has_one[t /check_noise_sound]; rewrite /holds /bound_holds K.
apply: bounds => e; have /andP[ok _] := witness; exact (check_noise_witness_sound ok witness).
Qed.
