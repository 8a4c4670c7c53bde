(** The outcome of an experiment, and the level at which it is rejected (SPEC, 14), read from JSON; and what is
    stated of it. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Experiments ManyRuns OneRun Ratios CertificateJson CertificateNumbers CertificateStatements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- what is read --- *)

(** Runs of one kind, and in how many of them a member was told. *)
Record counts := Counts { runs : Z; found : Z }.

(** Many runs, with a member and without, and of how many tests these counts are the best; or one run, by its
    canaries, its guesses, those that were right, and of how many numbers of guesses these are the best. *)
Inductive outcome :=
| OfManyRuns of counts & counts & Z
| OfOneRun of Z & Z & Z & Z.

Record experiment := Experiment { level_of : ratio; outcome_of : outcome; theorem_of : string }.

(** --- what is stated --- *)

(** An outcome of many runs, [a] members found and [b] others, that is rejected: its certificate is two rates
    ([shows_rejected] in Experiments.v) at each test's share of the level.  And one of one run, [v] right
    guesses of [r], is rejected if some odds that are at least e^epsilon make as many right guesses as
    unlikely ([chance_at_most] in OneRun.v). *)
Definition rejected_many (E delta level : R) (m n1 n0 a b : nat) : Prop :=
  shows_rejected E delta (level / m%:R) n1 n0 a (n0 - b).
Definition rejected_one (E delta level : R) (j m r v : nat) : Prop :=
  (0 < v)%N /\ exists y, E <= y /\ j%:R * chance_at_most y delta m r v <= level.

(** The outcome is rejected; and whatever mechanism is (epsilon, delta)-DP, on whatever neighbouring inputs, and
    whatever tests there are: that some test has an outcome that is rejected has at most the chance of the
    level. *)
Definition many_rejected (epsilon delta level : R) (m n1 a n0 b : nat) : Prop :=
  let rejected := rejected_many (exp epsilon) delta level m n1 n0 in
  rejected a b /\
  forall (Y : finType) (P Q : Y -> R) (tests : 'I_m -> {set Y}) (rejects : nat -> nat -> bool),
    dp_pair (exp epsilon) delta P Q -> (forall a' b', rejects a' b' -> rejected a' b') ->
    chance_in_runs P Q (fun (y : {ffun 'I_n1 -> Y}) (z : {ffun 'I_n0 -> Y}) =>
      [exists k, rejects (told (tests k) y) (told (tests k) z)]) <= level.

(** The same of one run: whatever mechanism is (epsilon, delta)-DP where one canary is in or out, whatever
    numbers [r] of guesses there are, and whoever guesses. *)
Definition one_rejected (epsilon delta level : R) (j m r v : nat) : Prop :=
  let rejected := rejected_one (exp epsilon) delta level j m in
  rejected r v /\
  forall (Y : finType) (M : {ffun 'I_m -> bool} -> Y -> R) (guess : 'I_j -> Y -> 'I_m -> option bool)
    (r' : 'I_j -> nat) (rejects : nat -> nat -> bool),
    private_of_canaries (exp epsilon) delta M -> (forall k y, guessed (guess k) y = r' k) ->
    (forall r' v', rejects r' v' -> rejected r' v') ->
    chance_of M (fun s y => [exists k, rejects (r' k) (right (guess k) s y)]) <= level.

Definition experiment_holds (epsilon delta : R) (x : experiment) : Prop :=
  let level := of_ratio (level_of x) in
  let nat_of := Z.to_nat in
  match outcome_of x with
  | OfManyRuns members others m => many_rejected epsilon delta level (nat_of m)
      (nat_of (runs members)) (nat_of (found members)) (nat_of (runs others)) (nat_of (found others))
  | OfOneRun m r v j => one_rejected epsilon delta level (nat_of j) (nat_of m) (nat_of r) (nat_of v)
  end.

(** Tests of both kinds reject what is private as rarely as is stated: only the outcome is left to check. *)
Theorem many_rejected_by (epsilon delta level : R) (m n1 a n0 b : nat) : 0 <= level ->
  rejected_many (exp epsilon) delta level m n1 n0 a b -> many_rejected epsilon delta level m n1 a n0 b.
Proof.
move=> l0 h; split=> // Y P Q tests rejects private certified.
apply: best_of_thresholds private l0 _; first exact: ltW (exp_gt0 _).
by move=> a' b' _ _ /certified.
Qed.

Theorem one_rejected_by (epsilon delta level : R) (j m r v : nat) : 0 <= level -> 0 <= delta -> (0 < m)%N ->
  rejected_one (exp epsilon) delta level j m r v -> one_rejected epsilon delta level j m r v.
Proof.
move=> l0 d0 m0 h; split=> // Y M guess r' rejects private all_guess certified.
apply: best_of_guess_counts (exp_gt0 epsilon) d0 private m0 l0 all_guess _ => r'' v'' R' _.
by have [v0 [y [Ey hy]]] := certified _ _ R'; split=> //; exists y.
Qed.

(** --- reading --- *)

Local Open Scope string_scope.

Definition most_runs : Z := 10000000.
Definition most_canaries : Z := 1000000000000.
Definition most_rate_bits : Z := 2048.

Definition read_short (s : string) : option ratio :=
  if read_not_negative s is Some r then if Z.leb (bits_of r) most_rate_bits then Some r else None else None.
Definition read_level (s : string) : option ratio :=
  if read_short s is Some l then if Z.ltb 0 l.1 && rlt l Ratios.one then Some l else None else None.

Definition read_counts (j : json) : option counts :=
  if fields [:: "found"; "runs"] j is Some [:: Text f; Text n] then
    if read_whole 1 most_runs n is Some n then
      if read_whole 0 n f is Some f then Some (Counts n f) else None
    else None
  else None.

(** The level, and the outcome. *)
Definition read_outcome (j : json) : option (ratio * outcome) :=
  match fields [:: "level"; "members"; "others"; "thresholds"; "type"] j with
  | Some [:: Text l; members; others; Text m; Text type] =>
      if ~~ String.eqb type "experiment" then None else
      match read_level l, read_counts members, read_counts others, read_whole 1 most_runs m with
      | Some l, Some members, Some others, Some m => Some (l, OfManyRuns members others m)
      | _, _, _, _ => None
      end
  | _ =>
    match fields [:: "canaries"; "guess_counts"; "guesses"; "level"; "right"; "type"] j with
    | Some [:: Text m; Text c; Text r; Text l; Text v; Text type] =>
        if ~~ String.eqb type "experiment" then None else
        match read_whole 1 most_canaries m, read_whole 1 most_runs c, read_whole 1 most_runs r, read_level l with
        | Some m, Some c, Some r, Some l =>
            if Z.leb r m then
              if read_whole 0 r v is Some v then Some (l, OfOneRun m r v c) else None
            else None
        | _, _, _, _ => None
        end
    | _ => None
    end
  end.

(** What is stated: for which epsilon and delta, and the experiment. *)
Definition read_experiment (j : json) : option (number * ratio * experiment) :=
  match fields [:: "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject"; "theorem"] j with
  | Some [:: Text delta; Text epsilon; Text group; Text interaction; Text of_kind; Text neighbouring; subject;
             Text theorem] =>
      if [&& String.eqb group "1", String.eqb interaction "adaptive", String.eqb of_kind "rejected" &
             String.eqb neighbouring "unspecified"] then
        match read_number epsilon, read_probability delta, read_outcome subject with
        | Some e, Some d, Some (l, o) => Some (e, d, Experiment l o theorem)
        | _, _, _ => None
        end
      else None
  | _ => None
  end.
