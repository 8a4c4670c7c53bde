(** Entries of a ledger that are (epsilon, delta)-DP for several pairs (SPEC, 7.1), read from JSON; and what
    they denote. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Ratios CheckerNoise CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import NoiseLedgers Constraints CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.

(** Each an epsilon and its delta. *)
Definition constraints := seq (number * ratio).
Definition real_constraints (cs : constraints) : seq (R * R) := [seq (value_of c.1, of_ratio c.2) | c <- cs].

(** Mechanisms by constraints, with how many there are, beside others. *)
Definition givens (cs : seq (constraints * Z)) (N : noise_ledger) : seq given :=
  many (fun c => ByConstraints (real_constraints c)) cs ++ map ByNoise (noises N).

Definition most_constraints : nat := 12.
Definition most_constraint_bits : Z := 2048.
Definition number_bits (n : number) : Z :=
  foldr (fun t b => (bits_of t.1 + bits_of t.2 + b)%coqZ) (bits_of (constant n)) (logs n).

Definition read_constraint (j : json) : option (number * ratio) :=
  if j is List [:: Text e; Text d] then
    if (read_number e, read_probability d) is (Some e, Some d) then
      if [&& rlt d Ratios.one, Z.leb (bits_of d) most_constraint_bits & Z.leb (number_bits e) most_constraint_bits]
      then Some (e, d) else None
    else None
  else None.
Definition read_constraints (j : json) : option (constraints * Z) :=
  if fields [:: "constraints"; "count"]%string j is Some [:: List rows; Text c] then
    if Nat.leb 1 (size rows) && Nat.leb (size rows) most_constraints
    then with_count c (read_all read_constraint rows) else None
  else None.

(** The entries that are constraints, and the others; where there is none, nothing. *)
Definition has_constraints (j : json) : bool := if read_constraints j is Some _ then true else false.
Definition read_constrained (r : option reading) (j : json) : option (seq (constraints * Z) * noise_ledger) :=
  if fields [:: "mechanisms"; "type"]%string j is Some [:: List entries; Text type] then
    if String.eqb type "mechanisms" && has has_constraints entries then
      if (read_all read_constraints [seq e <- entries | has_constraints e],
          read_all (read_noise r) [seq e <- entries | ~~ has_constraints e]) is (Some cs, Some Ns)
      then Some (cs, foldr joined_noise no_noise Ns) else None
    else None
  else None.
