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
        let* _ := names_theorem x "right-guesses-in-one-run" in
        if outcome_of x is OfOneRun _ r _ _ then
          Planned (Some [:: ByOdds y (effort_for r (level_of x))])
        else Rejected "rule one-run: is about one run"
  | _ => Planned None
  end.
