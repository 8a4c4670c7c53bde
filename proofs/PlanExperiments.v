(** Plans about outcomes of experiments: how many terms of a binomial tail are summed. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements CertificateExperiments.
From ExactDP Require Import CertificateSubjects Claims CheckerExperiments CertificateBytes Plan.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Delimit Scope Z_scope with coqZ.

Definition tail_bits : Z := 256.
Definition tail_unit : Z := (2 ^ tail_bits)%coqZ.
Definition relative_bits : Z := 160.
Definition effort_for (n : Z) (x : ratio) : effort :=
  Effort tail_bits (2 ^ (tail_bits - relative_bits))%coqZ (Z.to_nat (16 * Z.sqrt n + 1000)%coqZ)
    (2 ^ (tail_bits + 128 + bits_of x))%coqZ.

(** A rational of few bits, between bounds. *)
Definition short_within (ok : ratio -> bool) (s : string) : option ratio :=
  if read_short s is Some r then if ok r then Some r else None else None.
Definition is_rate (r : ratio) : bool := Z.ltb 0 r.1 && rlt r Ratios.one.
Definition is_odds (r : ratio) : bool := rle Ratios.one r.

Definition log_of (r : ratio) : number := Number Ratios.zero [:: (Ratios.one, r)].
(** That rates contradict the claim as the rule has it, which is strict. *)
Definition strictly_beyond (e : number) (r : ratio) : bool := rlt Ratios.one r && ~~ at_most (log_of r) e.

(** The greatest mean of chances just below [done], as the rule has it, and their sum, in the unit of the chance
    that [t] is of: the sum, and a mean by its parts.  Nothing where a chance is too large a multiple. *)
Fixpoint means_below (fuel : nat) (u w left done t number sum : Z) (best : Z * Z) : option (Z * (Z * Z)) :=
  if fuel is S fuel' then
    if Z.leb done 0 || Z.leb t 0 then Some (sum, best) else
    if Z.ltb (tail_unit * 2 ^ 2048) t then None else
    let t' := (t * (w * done) / (u * (left + 1)))%coqZ in
    let sum' := (sum + t')%coqZ in
    let number' := (number + 1)%coqZ in
    means_below fuel' u w (left + 1)%coqZ (done - 1)%coqZ t' number' sum'
      (if Z.ltb (best.1 * number') (sum' * best.2) then (sum', number') else best)
  else Some (sum, best).

(** The bound of the rule `one-run`, by Theorem 5.2, which what is proved (OneRun.v) is below where it matters. *)
Definition within_theorem (d level : ratio) (m r v j : Z) (y : ratio) (f : effort) : bool :=
  if Z.eqb d.1 0 || Z.leb v 0 then true else
  if (sums_of f y.1 (Zpos y.2) r v, means_below (most_terms f) y.1 (Zpos y.2) (r - v)%coqZ v tail_unit Z0 Z0 (Z0, 1%coqZ))
    is (Some (U, _), Some (rest, best)) then
    let fails := rdiv (rmul (rmul (whole (2 * m)%coqZ) d) (whole best.1)) (whole best.2) in
    rle (rmul (whole j) (rdiv (radd (whole U) fails) (whole (U + rest)%coqZ))) level
  else true.

(** The step concludes what is stated. *)
Definition concludes (e : number) (d : ratio) (s : step) : planned unit :=
  let own := [seq m <- parameters_of s | among m.1 [:: "bound"; "delta"; "epsilon"]] in
  let* _ := only [:: "bound"; "delta"; "epsilon"] own in
  let* e' := text_in "epsilon" read_number own in
  let* d' := text_in "delta" read_probability own in
  let* kind := text_in "bound" (fun t => Some t) own in
  if String.eqb kind "rejected" && same_number e e' && same_ratio d d' then Planned tt
  else Rejected "the derivation concludes something else".

Definition names_theorem (x : experiment) (theorem : string) : planned unit :=
  if String.eqb (theorem_of x) theorem then Planned tt else Rejected "the theorem is another".

Definition plan_experiment (e : number) (d : ratio) (x : experiment) (steps : seq step) :
    planned (option (seq experiment_hint)) :=
  match steps with
  | [:: s] =>
      if ~~ among (rule_of s) [:: "clopper-pearson"; "one-run"] then Planned None else
      if ~~ at_most (Number Ratios.zero [::]) e then Malformed "epsilon is negative" else
      let* _ := concludes e d s in
      let own := [seq m <- parameters_of s | ~~ among m.1 [:: "bound"; "delta"; "epsilon"]] in
      if String.eqb (rule_of s) "clopper-pearson" then
        let* _ := only [:: "fpr"; "tpr"] own in
        let* q := text_in "fpr" (short_within is_rate) own in
        let* p := text_in "tpr" (short_within is_rate) own in
        let* _ := names_theorem x "clopper-pearson-1934" in
        if outcome_of x is OfManyRuns members others _ then
          let left := rsub Ratios.one d in
          if strictly_beyond e (rdiv (rsub p d) q) || strictly_beyond e (rdiv (rsub left q) (rsub Ratios.one p))
          then Planned (Some [:: ByRates p q (effort_for (Z.max (runs members) (runs others)) (level_of x))])
          else Rejected "rule clopper-pearson: the claim allows these rates"
        else Rejected "rule clopper-pearson: is about many runs"
      else
        let* _ := only [:: "odds"] own in
        let* y := text_in "odds" (short_within is_odds) own in
        let* _ := names_theorem x "steinke-nasr-jagielski-2023-theorem-5.2" in
        if outcome_of x is OfOneRun m r v j then
          let f := effort_for r (level_of x) in
          if within_theorem d (level_of x) m r v j y f then Planned (Some [:: ByOdds y f])
          else Rejected "rule one-run: more than the level: so many right guesses"
        else Rejected "rule one-run: is about one run"
  | _ => Planned None
  end.
