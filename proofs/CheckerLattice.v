(** The verified checker: the rule `atoms`, with masses rounded down.

    A key is a sum of epsilons, over the subject's table of logarithms; where that is a coprime basis
    (CheckerBasis.v) equal sums have equal keys.  The table holds keys and weights in the order of
    the keys. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Comparisons Enclosures.
From ExactDP Require Import EnclosuresOfNumbers CheckerClosed Tables CheckerDelta Merging.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Keys in the order of dictionaries. *)
Fixpoint by_coordinates (s t : seq Z) : comparison :=
  match s, t with
  | [::], [::] => Eq
  | [::], _ => Lt
  | _, [::] => Gt
  | x :: s', y :: t' => if Z.ltb x y then Lt else if Z.eqb x y then by_coordinates s' t' else Gt
  end.
Definition weighted := (combination * Z)%type.
Definition by_key (x y : weighted) : comparison :=
  by_coordinates (x.1.1 :: x.1.2) (y.1.1 :: y.1.2).
Definition joined_weights (x y : weighted) : weighted := (x.1, (x.2 + y.2)%coqZ).

Definition no_key : combination := (Z0, [::]).

Record lattice_plan := LatticePlan {
  weight_scale : Z;          (* of weights: 10^digits *)
  block_finer : Z;           (* blocks are computed at weight_scale * block_finer *)
  slack_bits : Z;            (* Delta is enclosed in units of 2^-slack_bits *)
  most_sums : nat
}.

Section Program.
Variables (f : effort) (s : subject) (p : lattice_plan).
Let one := (2 ^ bits f)%coqZ.
Let S := weight_scale p.


Definition number (logs : seq (Z * Z)) (x : combination) : enclosure :=
  enclosure_of_number (bits f) logs (denominator s) x.

(** The weights of n mechanisms. *)
Definition block_weights (logs : seq (Z * Z)) (key : combination) (n : BinNums.positive) : option placed :=
  if exponential (bits f) (opp (number logs key)) is Some e
  then Some (block_of one S (block_finer p) (Z.max 0 e.1) e.2 n) else None.

Definition moved (table : seq weighted) (key : combination) (j : nat) (w : Z) : seq weighted :=
  let shift := cscale (Z.of_nat j) key in
  rev (foldl (fun r x => (cadd shift x.1, (w * x.2)%coqZ) :: r) [::] table).
Fixpoint moves (table : seq weighted) (key : combination) (j : nat) (ws : seq Z) : seq (seq weighted) :=
  if ws is w :: ws' then moved table key j w :: moves table key j.+1 ws' else [::].
(** Divided by S, without zeros. *)
Definition rounded_down (table : seq weighted) : seq weighted :=
  rev (foldl (fun r x => let y := floor_div x.2 S in if Z.eqb y 0 then r else (x.1, y) :: r) [::] table).
Definition with_block (table : seq weighted) (key : combination) (b : placed) : seq weighted :=
  rounded_down (merged_all by_key joined_weights (moves table key b.1 b.2)).

Fixpoint lattice_table (logs : seq (Z * Z)) (es : seq entry) : option (seq weighted) :=
  if es is e :: es' then
    if lattice_table logs es' is Some table then
      let key := epsilon e in
      if count e is Zpos n then
        if is_zero key then Some table
        else if block_weights logs key n is Some b then
          let table' := with_block table key b in
          if Nat.leb (length table') (most_sums p) then Some table' else None
        else None
      else Some table
    else None
  else Some [:: (no_key, S)].

(** max(0, one - z) for a bound z of one e^-r, from above or from below, where v encloses r. *)
Definition gain_above (v : enclosure) : Z :=
  if Z.leb v.2 0 then Z0
  else if exponential (bits f) (opp v) is Some e then Z.max 0 (one - Z.max 0 e.1) else one.
Definition gain_below (v : enclosure) : Z :=
  if Z.leb v.2 0 then Z0
  else if exponential (bits f) (opp v) is Some e then Z.max 0 (one - e.2) else Z0.

Definition lattice_plan_ok : bool := Z.ltb 0 S && Z.ltb 0 (block_finer p).

(** r is the sum of all epsilon_i, less epsilon, less twice that of the set. *)
Definition gained (gain : enclosure -> Z) (logs : seq (Z * Z)) (x : combination)
    (table : seq weighted) : Z :=
  let from := csub (total_epsilon s) x in
  foldl (fun sum t => (sum + t.2 * gain (number logs (csub from (cscale 2 t.1))))%coqZ) Z0 table.
Definition total_weight (table : seq weighted) : Z := foldl (fun sum t => (sum + t.2)%coqZ) Z0 table.

Definition with_lattice (a b : Z) (compare : seq (Z * Z) -> seq weighted -> bool) : bool :=
  [&& subject_ok f s, lattice_plan_ok, Delta_ok s (slack_bits p) a b &
   let logs := logarithms (bits f) (quotients s) in
   if lattice_table logs (entries s) is Some table then compare logs table else false].

Definition check_lattice_upper (x : combination) (a b : Z) : bool :=
  with_lattice a b (fun logs table =>
    let limit := floor_div (one * Delta_low s (slack_bits p) a b) (2 ^ slack_bits p) in
    Z.leb (gained gain_above logs x table + (S - total_weight table) * one) (limit * S)).
Definition check_lattice_lower (x : combination) (a b : Z) : bool :=
  with_lattice a b (fun logs table =>
    let limit := ceil_div (one * Delta_high s (slack_bits p) a b) (2 ^ slack_bits p) in
    Z.ltb (limit * S) (gained gain_below logs x table)).
End Program.
