(** The verified checker: randomized responses in the rules `mesh-upper` and `mesh-lower`.

    The check gathers the mechanisms into groups and leaves and lists the atoms of every leaf.  The
    plan suggests the shape of the leaves and, for a loss, the multiple of u next below it; an
    atom for which the suggestion is bad counts as lost.  A score needs no proof: any odd function
    of the loss will do. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From ExactDP Require Import Rules Logarithms Comparisons Enclosures EnclosuresOfNumbers.
From ExactDP Require Import CheckerClosed CheckerDelta Tables KeyedTables CheckerGrid.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.

Record gathering := Gathering {
  leaf_scale : Z;            (* 10^digits *)
  leaf_finer : Z;            (* blocks are computed at leaf_scale * leaf_finer *)
  shape : seq nat;             (* the number of groups of each leaf *)
  key_of : combination -> Z    (* for an epsilon, the key of a truthful answer *)
}.

(** A weight, a loss, and a key. *)
Definition atom := (Z * combination * Z)%type.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

Definition same (x y : combination) : bool := Z.eqb x.1 y.1 && all2 Z.eqb x.2 y.2.

(** The positive epsilons and their counts, neighbours with the same epsilon together. *)
Fixpoint groups_among (es : seq (Z * Z)) (list : seq entry) : seq (combination * Z) :=
  if list is e :: rest then
    let gs := groups_among es rest in
    if nonneg (bits f) es (ties f) (quotients s) (cscale (-1) (epsilon e)) then gs else
    match gs with
    | (x, c) :: gs' => if same x (epsilon e) then (x, (count e + c)%coqZ) :: gs'
                       else (epsilon e, count e) :: gs
    | [::] => [:: (epsilon e, count e)]
    end
  else [::].
Definition groups : seq (combination * Z) :=
  groups_among (enclosures (bits f) (terms f) (quotients s)) (entries s).

Section Leaves.
Variables (p : gathering) (logs : seq (Z * Z)).

Definition group_block (g : combination * Z) : placed :=
  let S := (leaf_scale p * leaf_finer p)%coqZ in
  if g.2 is Zpos n then
    if exp_minus f s logs g.1 is Some e then
      let low := Z.max 0 e.1 in
      divided (leaf_finer p)
        (power S (base (floor_div (S * one) (one + e.2)) (floor_div (S * low) (one + low))) n)
    else (O, [::])
  else (O, [:: leaf_scale p]).

(** The atoms of a group, as the rule has them: m truthful answers more than untruthful ones, then
    m - 2, .... *)
Fixpoint choices (x : combination) (k m : Z) (n : nat) (t : seq Z) : seq atom :=
  if n is n'.+1 then
    (head Z0 t, cscale m x, (m * k)%coqZ) :: choices x k (m - 2)%coqZ n' (behead t)
  else [::].
Definition group_choices (g : combination * Z) : seq atom :=
  choices g.1 (key_of p g.1) g.2 (Z.to_nat g.2).+1 (flat (group_block g)).

Definition times (a a' : atom) : atom :=
  (floor_div (a.1.1 * a'.1.1) (leaf_scale p), cadd a.1.2 a'.1.2, (a.2 + a'.2)%coqZ).
Definition leaf_atoms (leaf : seq (combination * Z)) : seq atom :=
  foldr (fun g l => [seq times a a' | a <- group_choices g, a' <- l])
    [:: (leaf_scale p, (Z0, [::]), Z0)] leaf.


(** The program lists only atoms that have some weight, from the places where blocks have some. *)
Definition heavy (l : seq atom) : seq atom := [seq a <- l | ~~ Z.eqb a.1.1 0].
Definition without_last_zeros (t : seq Z) : seq Z := rev (without_zeros O (rev t)).2.
Definition heavy_choices (g : combination * Z) : seq atom :=
  let: (first, t) := group_block g in
  let t' := without_last_zeros t in
  let n := Nat.min (length t') (Nat.sub (Z.to_nat g.2).+1 first) in
  heavy (choices g.1 (key_of p g.1) (g.2 - 2 * Z.of_nat first) n t').
Definition heavy_atoms (leaf : seq (combination * Z)) : seq atom :=
  foldr (fun g l => heavy [seq times a a' | a <- heavy_choices g, a' <- l])
    [:: (leaf_scale p, (Z0, [::]), Z0)] leaf.

Definition gathering_ok : bool :=
  [&& Z.ltb 0 (leaf_scale p), Z.ltb 0 (leaf_finer p) & Nat.leb (size groups) (sumn (shape p))].

(** `mesh-upper`: cells (j + 1, share) and (j, rest) of an atom, for a bound [v] of
    2^bits e^-u from above. *)
Definition split_cells (below : combination -> Z) (u : combination) (v : Z) (a : atom) : seq (Z * Z) :=
  if Z.eqb a.1.1 0 then [::] else
  let j := below a.1.2 in
  if exp_minus f s logs (csub a.1.2 (cscale j u)) is Some e then
    let z := Z.min one (Z.max 0 e.1) in
    if Z.leb v z then
      let moved := ceil_div (a.1.1 * (one - z)) (one - v) in
      [:: ((j + 1)%coqZ, moved); (j, (a.1.1 - moved)%coqZ)]
    else [::]
  else [::].

(** `mesh-lower`: the score of a loss of about l/n units. *)
Definition score (n l : Z) : Z :=
  let near x := floor_div (2 * x + n) (2 * n) in
  match l with Z0 => Z0 | Zpos _ => near l | Zneg m => (- near (Zpos m))%coqZ end.

(** The highest key of each leaf, and its table. *)
Definition leaf_tables (cells : seq atom -> seq (Z * Z)) : seq (Z * placed) :=
  [seq table_of (cells (heavy_atoms leaf)) | leaf <- reshape (shape p) groups].
Definition mesh_tables (below : combination -> Z) (u : combination) (v : Z) : seq (Z * placed) :=
  leaf_tables (fun l => flatten [seq split_cells below u v a | a <- l]).
Definition score_tables (n : Z) : seq (Z * placed) :=
  leaf_tables (fun l => [seq (score n a.2, a.1.1) | a <- l]).
End Leaves.
End Program.

(** The sum of the highest keys, and the product of the tables. *)
Definition total_highest (ts : seq (Z * placed)) : Z := zsum [seq t.1 | t <- ts].
Definition table_product (p : gathering) (ts : seq (Z * placed)) : placed :=
  product_all (leaf_scale p) [seq t.2 | t <- ts].

(** The two checks. *)
Record mesh_plan := MeshPlan {
  gathered : gathering;
  mesh : combination;
  multiple_below : combination -> Z;   (* for a loss, the multiple of u next below it *)
  mesh_delta_bits : Z;                 (* Delta is enclosed in units of 2^-mesh_delta_bits *)
  mesh_top : Z -> nat -> nat           (* for A and a table's length: the last t with r_t > 0 *)
}.

Record test_plan := TestPlan {
  test_gathered : gathering;
  per_unit : Z;                        (* the key of a loss of one unit *)
  test_delta_bits : Z
}.

Section Checks.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.
Let logs := logarithms (bits f) (quotients s).

(** r_t = (A - t)u - epsilon. *)
Definition mesh_rest (q : mesh_plan) (A : Z) (x : combination) (t : nat) : combination :=
  csub (cscale (A - Z.of_nat t) (mesh q)) x.

Definition check_connect_the_dots (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, gathering_ok f s (gathered q), Delta_ok s (mesh_delta_bits q) a b &
   if exp_minus f s logs (mesh q) is Some u then
     let ts := mesh_tables f s (gathered q) logs (multiple_below q) (mesh q) u.2 in
     let A := total_highest ts in
     let w := table_product (gathered q) ts in
     let top := mesh_top q A (end_of w) in
     if exp_minus f s logs (mesh_rest q A x top) is Some z then
       let S := leaf_scale (gathered q) in
       let kept := kept_down f Z0 (fun z => floor_div (z * Z.max 0 u.1) one) (Z.max 0 z.1) (from_top top w) in
       let limit := floor_div (one * Delta_low s (mesh_delta_bits q) a b) (2 ^ mesh_delta_bits q) in
       [&& Z.ltb u.2 one, Nat.leb top.+1 (end_of w),
           Nat.leb (end_of w) top.+1 || at_least_0 f s (cscale (-1) (mesh_rest q A x top.+1)) &
           Z.leb (kept + (S - sum_of w.2) * one) (limit * S)]
     else false
   else false].

(** The weights w of the scores J, J - 1, ..., -J and those of the opposite scores, for y/one. *)
Definition tested (one y : Z) (w : seq Z) : Z :=
  zsum [seq Z.max 0 (one * wv.1 - y * wv.2) | wv <- zip w (rev w)].

Definition check_gridded_test (q : test_plan) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, gathering_ok f s (test_gathered q), Delta_ok s (test_delta_bits q) a b &
   if exp_minus f s logs x is Some y then
     let ts := score_tables f s (test_gathered q) logs (per_unit q) in
     let n := (2 * Z.to_nat (total_highest ts)).+1 in
     let t := take n (flat (table_product (test_gathered q) ts)) in
     let w := t ++ nseq (n - size t) Z0 in
     let S := leaf_scale (test_gathered q) in
     let limit := ceil_div (one * Delta_high s (test_delta_bits q) a b) (2 ^ test_delta_bits q) in
     Z.ltb 0 y.1 && Z.ltb (limit * S * y.1) ((tested y.1 one w - one * (S - zsum w)) * one)
   else false].
End Checks.
