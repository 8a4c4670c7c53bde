(** What a certificate states, whatever it is about (SPEC, sections 3, 7.1, 8.1, 8.2, 9.1 and
    10.1), read from its bytes; and what that means.

    [read] reads the statement of a certificate and the names of the rules of its derivation; [holds]
    says what the statement means.  The digest is not read here, nor the parameters of
    the rules: they decide nothing about truth. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesGaussian Workloads RulesWorkloads RulesMixedWorkloads.
From ExactDP Require Import ReplaceOne ConcurrentWorkloads Filters Interactive RulesInteractive Ratios.
From ExactDP Require Import CheckerClosed CheckerConcentrated CheckerFilters CheckerInteractive.
From ExactDP Require Import CheckerWorkloads CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import NoiseLedgers RulesNoiseWorkloads CertificateNoise Constraints CertificateConstraints.
From ExactDP Require Import CorrelatedNoise CertificateFamilies CertificateExperiments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Delimit Scope Z_scope with coqZ.

(** --- what is read --- *)

(** What is stated of a subject that is no ledger, for neighbours. *)
Record bound := Bound {
  bound_kind : kind;
  bound_epsilon : option number;   (* none: every one *)
  bound_delta : ratio;
  bound_theorem : string
}.

(** About a ledger; a budget, and in which measure it is spent; interactive mechanisms, written out; a
    workload whose databases differ by one row, added or removed; one where a row is replaced; a ledger
    of mechanisms given by their noise; a workload of such, for rows that are added or removed; a ledger
    of mechanisms by several constraints, beside others; and the outcome of an experiment, that it rejects an
    epsilon and a delta. *)
Inductive statement :=
| OfLedger of claim
| OfBudget of bound & counting & budget
| OfTrees of bound & seq (tree ratio)
| OfWorkload of bound & interplay & workload parameter
| OfReplacing of bound & interplay & workload parameter
| OfNoise of bound & noise_ledger
| OfFamilies of bound & seq family   (* by roots, and correlated noise *)
| OfNoiseWorkload of bound & workload single
| OfConstrained of bound & seq (constraints * Z) & noise_ledger
| OfExperiment of number & ratio & experiment.

(** With how many mechanisms or queries are listed. *)
Record certificate := Certificate { stated : statement; named_rules : seq string; number_listed : Z }.

(** --- what it means --- *)

(** The queries of a workload by their numbers: the rows that satisfy one, and what its mechanism is. *)
Definition no_parameter := ByRho Ratios.zero.
Definition asked (w : workload parameter) : nat -> pred (row w) := satisfied_at no_parameter w.
Definition private_as (w : workload parameter) (i : nat) : notion :=
  notion_for (privacy (query_at no_parameter w i)).

(** Of mechanisms by their noise; each number of an answer is a query of its own. *)
Definition met (w : workload single) : nat -> pred (row w) := satisfied_at no_single w.
Definition known_as (w : workload single) (i : nat) : query_noise :=
  ByEntry (noise_of (privacy (query_at no_single w i))).

(** A bound from above or from below, for its epsilon or for every one. *)
Definition bound_holds (b : bound) (above below : R -> R -> Prop) : Prop :=
  at_epsilon (bound_epsilon b) (fun epsilon =>
    match bound_kind b with
    | Upper => above epsilon (of_ratio (bound_delta b))
    | Lower => below epsilon (of_ratio (bound_delta b))
    | Underivable => False   (* the formulas are about ledgers *)
    end).

(** Of a workload whose mechanisms are interactive: bounds from below alone. *)
Definition where_adaptive (i : interplay) (above : R -> R -> Prop) : R -> R -> Prop :=
  if i is Adaptive then above else fun _ _ => False.
Definition interplay_below (i : interplay) (adaptively concurrently : R -> R -> Prop) : R -> R -> Prop :=
  if i is Adaptive then adaptively else concurrently.
Definition workload_holds (b : bound) (i : interplay) (w : workload parameter) : Prop :=
  bound_holds b (where_adaptive i (workload_upper (of_notion G) (@asked w) (private_as w) (numbers w)))
    (interplay_below i (workload_lower (of_notion G) (@asked w) (private_as w) (numbers w))
                       (workload_breaks_concurrently (@asked w) (private_as w) (numbers w))).
Definition replacing_holds (b : bound) (i : interplay) (w : workload parameter) : Prop :=
  bound_holds b (where_adaptive i (replace_upper (of_notion G) (@asked w) (private_as w) (numbers w)))
    (interplay_below i (replace_lower (of_notion G) (@asked w) (private_as w) (numbers w))
                       (replace_breaks_concurrently (@asked w) (private_as w) (numbers w))).

Definition holds (s : statement) : Prop :=
  match s with
  | OfLedger c => holds_of_ledger c
  | OfBudget b c l => bound_holds b (budget_upper (measure_of c) (limit_of c l) (failing_of l))
                                    (budget_lower (measure_of c) (limit_of c l) (failing_of l))
  | OfTrees b ts => bound_holds b (interactive_upper (map real_tree ts)) (interactive_lower (map real_tree ts))
  | OfWorkload b i w => workload_holds b i w
  | OfReplacing b i w => replacing_holds b i w
  | OfNoise b N => bound_holds b (noisy_upper (noises N)) (noisy_lower (noises N))
  | OfFamilies b xs => bound_holds b (mechanisms_upper (mechanisms_of_families xs))
                                     (mechanisms_lower (mechanisms_of_families xs))
  | OfNoiseWorkload b w => bound_holds b (noise_workload_upper (@met w) (known_as w) (numbers w))
                                         (noise_workload_lower (@met w) (known_as w) (numbers w))
  | OfConstrained b cs N => bound_holds b (given_upper (givens cs N)) (given_lower (givens cs N))
  | OfExperiment e d x => experiment_holds (value_of e) (of_ratio d) x
  end.

(** --- budgets (SPEC, 9.1) --- *)

Definition member (key : string) (j : json) : option json :=
  if j is Object members then
    foldr (fun m found => if String.eqb key m.1 then Some m.2 else found) None members
  else None.
Definition only_members (keys : seq string) (j : json) : bool :=
  if j is Object members then all (fun m => among m.1 keys) members else false.

(** What a log says was spent is within the budget; nothing else is stated by it. *)
Definition is_within (c : counting) (size failing : ratio) (j : json) : bool :=
  match fields [:: "delta"; "digest"; "size"] j with
  | Some [:: Text d; _; Text s] =>
      match read_not_negative d, read_not_negative s with
      | Some d, Some s => rle d failing && rle s (if c is CountsMu then rmul size size else size)
      | _, _ => false
      end
  | _ => false
  end.

Definition budget_from (c : counting) (size : json) (j : json) : option (counting * budget) :=
  let failing := if member "delta" j is Some d then text_then read_not_negative d else None in
  match failing, text_then read_not_negative size with
  | Some d, Some s =>
      if rlt d Ratios.one && (if member "log" j is Some log then is_within c s d log else true)
      then Some (c, Budget s.1 (Zpos s.2) d.1 (Zpos d.2)) else None
  | _, _ => None
  end.

Definition read_budget (j : json) : option (counting * budget) :=
  let at_ key := member key j in
  if only_members [:: "alpha"; "delta"; "epsilon"; "log"; "mu"; "renyi"; "rho"; "type"] j then
    match at_ "epsilon", at_ "rho", at_ "mu", at_ "renyi", at_ "alpha" with
    | Some size, None, None, None, None => budget_from CountsEpsilon size j
    | None, Some size, None, None, None => budget_from CountsRho size j
    | None, None, Some size, None, None => budget_from CountsMu size j
    | None, None, None, Some size, Some alpha =>
        if text_then read_rational alpha is Some a then
          if rlt Ratios.one a then budget_from (CountsRenyi (Order a.1 (Zpos a.2))) size j else None
        else None
    | _, _, _, _, _ => None
    end
  else None.

(** --- interactive mechanisms (SPEC, 10.1) --- *)

(** Values that are read one after the other from a state. *)
Fixpoint read_through (S A B : Type) (read : S -> A -> option (B * S)) (s : S) (xs : seq A) :
    option (seq B * S) :=
  if xs is x :: xs' then
    if read s x is Some (b, s1) then
      if read_through read s1 xs' is Some (bs, s2) then Some (b :: bs, s2) else None
    else None
  else Some ([::], s).

(** The number of the next history, depth first, and the histories that are left. *)
Definition left_over := (Z * seq json)%type.
Definition most_rounds : nat := 64.

Definition read_answer (history : left_over -> option (tree ratio * left_over)) (s : left_over) (j : json) :
    option (ratio * ratio * tree ratio * left_over) :=
  let law p q t := if (read_not_negative p, read_not_negative q) is (Some p, Some q)
    then Some (p, q, t.1, t.2) else None in
  match j with
  | List [:: Text p; Text q] => law p q (Tree [::], s)
  | List [:: Text p; Text q; Text next] =>
      if read_whole 1 most_count next is Some n then
        if Z.eqb n s.1 then if history s is Some t then law p q t else None else None
      else None
  | _ => None
  end.

Fixpoint read_history (rounds : nat) (s : left_over) : option (tree ratio * left_over) :=
  match rounds, s with
  | S rounds', (n, List queries :: rest) =>
      let answers s j := if j is List answers then read_through (read_answer (read_history rounds')) s answers
        else None in
      if read_through answers ((n + 1)%coqZ, rest) queries is Some (qs, s') then Some (Tree qs, s') else None
  | _, _ => None
  end.

Definition read_tree (j : json) : option (tree ratio) :=
  match j with
  | List [::] => Some (Tree [::])
  | List histories => if read_history most_rounds (Z0, histories) is Some (t, (_, [::])) then Some t else None
  | _ => None
  end.

(** --- workloads (SPEC, 8.1 and 8.2) --- *)

Definition read_attribute (j : json) : option Z :=
  match fields [:: "name"; "size"] j with
  | Some [:: Text _; Text n] => read_whole 1 most_count n
  | _ => match fields [:: "name"; "values"] j with
         | Some [:: Text _; List values] => Some (Z.of_nat (size values))
         | _ => None
         end
  end.

Fixpoint in_pairs (ends : seq Z) : option (seq (Z * Z)) :=
  match ends with
  | [::] => Some [::]
  | low :: high :: rest => if in_pairs rest is Some rs then Some ((low, high) :: rs) else None
  | _ => None
  end.

Definition read_clause (ns : seq Z) (j : json) : option clause :=
  if j is List (Text number :: ends) then
    if read_whole 0 (Z.of_nat (size ns) - 1) number is Some a then
      let limit := nth Z0 ns (Z.to_nat a) in
      if read_all (text_then (read_whole 0 limit)) ends is Some vs then
        if in_pairs vs is Some rs then Some (Z.to_nat a, rs) else None
      else None
    else None
  else None.

Definition read_query (ns : seq Z) (j : json) : option (query parameter) :=
  let from p clauses :=
    if clauses is List js then
      if read_all (read_clause ns) js is Some cs then Some (Query p cs) else None
    else None in
  match fields [:: "delta"; "epsilon"; "where"] j with
  | Some [:: Text d; Text e; clauses] =>
      if (read_probability d, read_number e) is (Some delta, Some epsilon)
      then if rlt delta Ratios.one then from (ByEpsilon epsilon delta) clauses else None else None
  | _ =>
    match fields [:: "mu"; "where"] j with
    | Some [:: Text m; clauses] => if read_not_negative m is Some mu then from (ByMu mu) clauses else None
    | _ =>
      match fields [:: "rho"; "where"] j with
      | Some [:: Text r; clauses] => if read_not_negative r is Some rho then from (ByRho rho) clauses else None
      | _ => None
      end
    end
  end.

Definition read_workload (j : json) : option (workload parameter) :=
  if fields [:: "domain"; "queries"; "type"] j is Some [:: List attributes; List qs; _] then
    if read_all read_attribute attributes is Some ns then
      if read_all (read_query ns) qs is Some read then Some (Workload ns read) else None
    else None
  else None.

(** --- workloads of mechanisms by their noise (SPEC, 8.1) --- *)

(** As an entry of a ledger, once. *)
Definition counted_once (members : seq (string * json)) : json :=
  Object ([seq m <- members | string_below m.1 "count"] ++
          ("count", Text "1") :: [seq m <- members | ~~ string_below m.1 "count"]).

Definition read_noise_query (ns : seq Z) (j : json) : option (seq (query single)) :=
  if j is Object members then
    match member "where" j, member "count" j with
    | Some (List clauses), None =>
        let entry := counted_once [seq m <- members | ~~ String.eqb m.1 "where"] in
        if (read_noise None entry, read_all (read_clause ns) clauses) is (Some N, Some cs)
        then Some [seq Query s cs | s <- singles N] else None
    | _, _ => None
    end
  else None.

Definition read_noise_workload (j : json) : option (workload single) :=
  if fields [:: "domain"; "queries"; "type"] j is Some [:: List attributes; List qs; _] then
    if read_all read_attribute attributes is Some ns then
      if read_all (read_noise_query ns) qs is Some read then Some (Workload ns (flatten read)) else None
    else None
  else None.

(** --- statements --- *)

(** From above a workload is composed adaptively. *)
Definition read_interplay (k : kind) (interaction : string) : option interplay :=
  match one_of [:: ("adaptive", Adaptive); ("concurrent", Concurrent)] (Text interaction), k with
  | Some Adaptive, _ => Some Adaptive
  | Some Concurrent, Lower => Some Concurrent
  | _, _ => None
  end.

(** What is stated of a subject of this type. *)
Definition read_subject (b : bound) (interaction neighbouring : string) (j : json) : option statement :=
  let type := if member "type" j is Some (Text t) then t else "" in
  if String.eqb type "budget" && String.eqb interaction "fully-adaptive" then
    if read_budget j is Some (c, l) then Some (OfBudget b c l) else None
  else if String.eqb type "interactive" && String.eqb interaction "concurrent" then
    if fields [:: "mechanisms"; "type"] j is Some [:: List ts; _] then
      if read_all read_tree ts is Some trees then Some (OfTrees b trees) else None
    else None
  else if String.eqb type "workload" && String.eqb neighbouring "add-remove-one" then
    if read_workload j is Some w then
      if read_interplay (bound_kind b) interaction is Some i then Some (OfWorkload b i w) else None
    else if String.eqb interaction "adaptive" then
      if read_noise_workload j is Some w then Some (OfNoiseWorkload b w) else None
    else None
  else if String.eqb type "workload" && String.eqb neighbouring "replace-one" then
    if (read_interplay (bound_kind b) interaction, read_workload j) is (Some i, Some w) then Some (OfReplacing b i w) else None
  else if String.eqb type "mechanisms" && String.eqb interaction "adaptive" then
    let read_as := reading_for (if bound_kind b is Upper then true else false) neighbouring in
    if is_from_above read_as && has_fresh_orders j then option_map (OfFamilies b) (read_families read_as neighbouring j) else
    if read_noise_ledger read_as j is Some N then option_map (OfNoise b) (between neighbouring N)
    else if read_constrained read_as j is Some (cs, N) then option_map (OfConstrained b cs) (between neighbouring N)
    else option_map (OfFamilies b) (read_families read_as neighbouring j)
  else None.

(** Only where batches are shuffled, or noise is correlated, may a record be one that contributes 0. *)
Definition has_batches (j : json) : bool :=
  if member "mechanisms" j is Some (List entries)
  then has (fun e => has (fun key => if member key e is Some _ then true else false)
         [:: "shuffled"; "factorization"; "fixed_size"; "records_per_person"]) entries
  else false.

(** The bound and what it is about, where that is no ledger: for neighbours alone. *)
Definition read_bound (j : json) : option statement :=
  match fields [:: "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject";
                   "theorem"] j with
  | Some [:: Text delta; Text epsilon; Text group; Text interaction; of_kind; Text neighbouring; subject;
             Text theorem] =>
      match one_of [:: ("upper", Upper); ("lower", Lower)] of_kind, read_probability delta with
      | Some k, Some d =>
          if String.eqb group "1" &&
             (among neighbouring [:: "add-remove-one"; "replace-one"; "unspecified"] ||
              String.eqb neighbouring "zero-out" && has_batches subject) then
            if read_epsilon k epsilon is Some e
            then read_subject (Bound k e d theorem) interaction neighbouring subject else None
          else None
      | _, _ => None
      end
  | _ => None
  end.

Definition read_statement (j : json) : option statement :=
  if read_claim j is Some c then Some (OfLedger c)
  else if read_experiment j is Some (e, d, x) then Some (OfExperiment e d x) else read_bound j.

Definition read_rule (j : json) : option string :=
  if fields [:: "parameters"; "premises"; "rule"] j is Some [:: _; _; Text rule] then Some rule else None.

(** Each entry of a ledger as often as it says, and each query once. *)
Definition listed_in (j : json) : Z :=
  let about := if member "subject" j is Some subject then subject else j in
  let count e := if member "count" e is Some c then text_then read_count c else None in
  let number e := if count e is Some n then n else 1%coqZ in
  match member "mechanisms" about, member "queries" about with
  | Some (List entries), _ => foldr (fun e n => number e + n)%coqZ Z0 entries
  | _, Some (List queries) => Z.of_nat (size queries)
  | _, _ => Z0
  end.

Definition read (bytes : string) : option certificate :=
  if read_json bytes is Some j then
    match fields [:: "derivation"; "digest"; "format"; "statement"] j with
    | Some [:: List steps; _; Text format; statement] =>
        if String.eqb format "exactdp-certificate/1" then
          if (read_statement statement, read_all read_rule steps) is (Some s, Some rules)
          then Some (Certificate s rules (listed_in statement)) else None
        else None
    | _ => None
    end
  else None.
