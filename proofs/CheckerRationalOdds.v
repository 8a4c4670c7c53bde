(** The verified checker: the rule `atoms`, with exact masses.

    The table holds (f, g) and the number of sets that have them, in the order of f; a group of
    equal mechanisms multiplies it by its choices, and the products are merged in that order. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules RuleRationalOdds Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed Tables CheckerDelta Merging.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** (f, g) and the number of sets. *)
Definition sets := (Z * Z * Z)%type.

(** Equal only if g is equal too, as it is wherever f is. *)
Definition by_f (x y : sets) : comparison :=
  if Z.ltb x.1.1 y.1.1 then Lt
  else if Z.eqb x.1.1 y.1.1 && Z.eqb x.1.2 y.1.2 then Eq else Gt.
Definition joined_sets (x y : sets) : sets := (x.1, (x.2 + y.2)%coqZ).

(** c mechanisms with the odds n/d: j of them in the set, for the j from i on. *)
Definition choice (n d : Z) (c j : nat) (ways : Z) : sets :=
  let j' := Z.of_nat j in
  let k := Z.of_nat (Nat.sub c j) in
  ((n ^ j' * d ^ k)%coqZ, (d ^ j' * n ^ k)%coqZ, ways).
Fixpoint choices_from (n d : Z) (c j : nat) (ways : Z) (left : nat) : seq sets :=
  if left is l.+1 then
    choice n d c j ways ::
      choices_from n d c j.+1 (floor_div (ways * Z.of_nat (Nat.sub c j)) (Z.of_nat j.+1)) l
  else [::].
Definition group (n d : Z) (c : nat) : seq sets := choices_from n d c 0 1 c.+1.

Definition product_of_sets (x y : sets) : sets :=
  ((x.1.1 * y.1.1)%coqZ, (x.1.2 * y.1.2)%coqZ, (x.2 * y.2)%coqZ).
Definition scaled_sets (table : seq sets) (y : sets) : seq sets :=
  rev (foldl (fun r x => product_of_sets x y :: r) [::] table).
Definition multiplied (table : seq sets) (n d : Z) (c : nat) : seq sets :=
  merged_all by_f joined_sets [seq scaled_sets table y | y <- group n d c].

Section Program.
Variables (f : effort) (s : subject).

(** e^x as a fraction, where it is one at sight. *)
Definition odds (x : combination) : option (Z * Z) :=
  let D := denominator s in
  if Z.eqb x.1 0 && all (fun k => Z.eqb k (D * floor_div k D)%coqZ) x.2
  then Some (power_product (quotients s) [seq floor_div k D | k <- x.2])
  else None.

(** No more than [sums] after any group; where epsilon = 0, both sides would double. *)
Fixpoint collected (sums : nat) (es : seq entry) (table : seq sets) : option (seq sets) :=
  if es is e :: es' then
    if odds (epsilon e) is Some (n, d) then
      if Z.eqb n d then collected sums es' table
      else
        let table' := multiplied table n d (Z.to_nat (count e)) in
        if Nat.leb (length table') sums then collected sums es' table' else None
    else None
  else Some table.

(** prod (n_i + d_i). *)
Definition whole : Z :=
  foldr (fun e r => if odds (epsilon e) is Some (n, d)
    then if Z.eqb n d then r else ((n + d) ^ count e * r)%coqZ else r) 1%coqZ (entries s).

(** A bound of e^x as y/unit. *)
Definition odds_bound (upward : bool) (x : combination) : option (Z * Z) :=
  if odds x is Some fraction then Some fraction
  else if exponential (bits f) (enclosure_of_number (bits f) (logarithms (bits f) (quotients s))
    (denominator s) x) is Some e
  then Some (if upward then e.1 else e.2, (2 ^ bits f)%coqZ) else None.

Definition left_side (unit y : Z) (table : seq sets) : Z :=
  foldl (fun sum t => (sum + t.2 * excess unit y t.1)%coqZ) Z0 table.

Definition with_sets (upward : bool) (sums : nat) (x : combination) (a b : Z)
    (compare : Z -> Z -> bool) : bool :=
  subject_ok f s && Z.ltb 0 b &&
  match odds_bound upward x, collected sums (entries s) [:: (1, 1, 1)%coqZ] with
  | Some (y, unit), Some table =>
      let: (above, below) := Delta_fraction s a b in
      compare (left_side unit y table * below)%coqZ (above * unit * whole)%coqZ
  | _, _ => false
  end.
Definition check_rational_odds_upper (sums : nat) (x : combination) (a b : Z) : bool :=
  with_sets true sums x a b Z.leb.
Definition check_rational_odds_lower (sums : nat) (x : combination) (a b : Z) : bool :=
  with_sets false sums x a b (fun left right => Z.ltb right left).
End Program.
