(** The verified checker: the rules `connect-the-dots` and `gridded-test`.

    The check gathers the mechanisms into groups and leaves and lists the atoms of every leaf.  The
    driver suggests the shape of leaves, bounds of exponentials, and for `connect-the-dots` the
    multiple of u next below each atom's loss; the bounds are proved by logarithms (PlainGrid.v).
    A score needs no proof: any odd function of the loss will do. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From ExactDP Require Import Rules Logarithms Comparisons CheckerClosed PlainTables PlainGrid KeyedTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.

(** For a group: integers around 2^bits e^-epsilon, and the key of a truthful answer. *)
Record odds := Odds { odds_low : Z; odds_high : Z; key : Z }.

Record gathering := Gathering {
  weight_scale : Z;    (* 10^digits *)
  weight_finer : Z;    (* blocks are computed at weight_scale * weight_finer *)
  shape : seq nat;     (* the number of groups of each leaf *)
  odds_of_groups : seq odds
}.

(** For a leaf: the highest key of its table, and the binary logarithm of the table's length. *)
Record extent := Extent { highest_key : Z; depth : nat }.

(** A weight, a loss, and a key. *)
Definition atom := (Z * combination * Z)%type.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.
Let known := enclosures (bits f) (terms f) (quotients s).

(** [exp_at_least], with the logarithms of the subject enclosed once. *)
Definition exp_at_least_given (es : seq (Z * Z)) (z : Z) (x : combination) : bool :=
  Z.eqb z 0 || [&& Z.ltb 0 z, Z.leb z one &
   nonneg (bits f) (ln_bounds (bits f) (terms f) one z :: es) false ((one, z) :: quotients s)
     (log_against s z (-1) x)].

Definition same (x y : combination) : bool := Z.eqb x.1 y.1 && all2 Z.eqb x.2 y.2.

(** The positive epsilons and their counts, neighbours with the same epsilon together. *)
Fixpoint groups_of (es : seq entry) : seq (combination * Z) :=
  if es is e :: es' then
    let gs := groups_of es' in
    if at_least_0 f s (cscale (-1) (epsilon e)) then gs else
    match gs with
    | (x, c) :: gs' => if same x (epsilon e) then (x, (count e + c)%coqZ) :: gs'
                       else (epsilon e, count e) :: gs
    | [::] => [:: (epsilon e, count e)]
    end
  else [::].

Definition odds_ok (g : combination * Z * odds) : bool :=
  exp_at_least f s (odds_low g.2) g.1.1 && exp_at_most f s (odds_high g.2) g.1.1.

Definition group_block (p : gathering) (g : combination * Z * odds) : seq Z :=
  let S := (weight_scale p * weight_finer p)%coqZ in
  if g.1.2 is Zpos n then
    divided (weight_finer p) (power S (base 1
      (floor_div (S * one) (one + odds_high g.2)) (floor_div (S * odds_low g.2) (one + odds_low g.2))) n)
  else [:: weight_scale p].

(** The atoms of a group: m truthful answers more than untruthful ones, then m - 2, .... *)
Fixpoint choices (x : combination) (k m : Z) (n : nat) (t : seq Z) : seq atom :=
  if n is n'.+1 then
    (head Z0 t, cscale m x, (m * k)%coqZ) :: choices x k (m - 2)%coqZ n' (behead t)
  else [::].
Definition group_choices (p : gathering) (g : combination * Z * odds) : seq atom :=
  choices g.1.1 (key g.2) g.1.2 (Z.to_nat g.1.2).+1 (group_block p g).

Definition times (S : Z) (a a' : atom) : atom :=
  (floor_div (a.1.1 * a'.1.1) S, cadd a.1.2 a'.1.2, (a.2 + a'.2)%coqZ).
Definition leaf_atoms (p : gathering) (leaf : seq (combination * Z * odds)) : seq atom :=
  foldr (fun g l => [seq times (weight_scale p) a a' | a <- group_choices p g, a' <- l])
    [:: (weight_scale p, (Z0, [::]), Z0)] leaf.

Definition leaves_of (p : gathering) : seq (seq (combination * Z * odds)) :=
  reshape (shape p) (zip (groups_of (entries s)) (odds_of_groups p)).
Definition gathering_ok (p : gathering) : bool :=
  let gs := groups_of (entries s) in
  [&& Z.ltb 0 (weight_scale p), Z.ltb 0 (weight_finer p),
      Nat.eqb (size (odds_of_groups p)) (size gs), Nat.leb (size gs) (sumn (shape p)) &
      all odds_ok (zip gs (odds_of_groups p))].
Definition heavy (l : seq atom) : seq atom := [seq a <- l | ~~ Z.eqb a.1.1 0].

(** `connect-the-dots`: each atom of some weight has its multiple j of the mesh u, and a bound of
    2^bits e^-(L - ju) from below.  [v] is a bound of 2^bits e^-u from above. *)
Section Split.
Variables (u : combination) (v : Z).

Definition place_ok (es : seq (Z * Z)) (a : atom) (q : Z * Z) : bool :=
  [&& Z.leb v q.2, Z.leb q.2 one & exp_at_least_given es q.2 (csub a.1.2 (cscale q.1 u))].
Definition split_cells (a : atom) (q : Z * Z) : seq (Z * Z) :=
  let moved := ceil_div (a.1.1 * (one - q.2)) (one - v) in
  [:: ((q.1 + 1)%coqZ, moved); (q.1, (a.1.1 - moved)%coqZ)].

Definition leaf_ok (l : seq atom) (places : seq (Z * Z)) : bool := all2 (place_ok known) (heavy l) places.
Definition leaf_cells (l : seq atom) (places : seq (Z * Z)) : seq (Z * Z) :=
  flatten [seq split_cells aq.1 aq.2 | aq <- zip (heavy l) places].

Definition mesh_ok (p : gathering) (placess : seq (seq (Z * Z))) : bool :=
  [&& gathering_ok p, Z.ltb v one, exp_at_most f s v u &
      all2 leaf_ok [seq leaf_atoms p leaf | leaf <- leaves_of p] placess].
Definition mesh_tables (p : gathering) (placess : seq (seq (Z * Z))) (xs : seq extent) : seq (seq Z) :=
  [seq table_from (highest_key lqx.2) (depth lqx.2) (leaf_cells lqx.1.1 lqx.1.2)
  | lqx <- zip (zip [seq leaf_atoms p leaf | leaf <- leaves_of p] placess) xs].
End Split.

(** `gridded-test`: the score of a loss of about l/n units. *)
Definition score (n l : Z) : Z :=
  let near x := floor_div (2 * x + n) (2 * n) in
  match l with Z0 => Z0 | Zpos _ => near l | Zneg m => (- near (Zpos m))%coqZ end.
Definition score_tables (n : Z) (p : gathering) (xs : seq extent) : seq (seq Z) :=
  [seq table_from (highest_key lx.2) (depth lx.2) [seq (score n a.2, a.1.1) | a <- lx.1]
  | lx <- zip [seq leaf_atoms p leaf | leaf <- leaves_of p] xs].
End Program.

(** The two checks. *)
Record mesh_plan := MeshPlan {
  gathered : gathering;
  mesh : combination;
  step_high : Z;                (* a bound of 2^bits e^-u from above *)
  step_low : Z;                 (* and from below *)
  places : seq (seq (Z * Z));   (* for the atoms of each leaf *)
  extents : seq extent;         (* for each leaf *)
  product_rounds : nat;         (* of products of pairs of tables *)
  top_place : nat;              (* the last place with r_t > 0 that counts *)
  at_top : Z                    (* a bound of 2^bits e^-r there *)
}.

Record test_plan := TestPlan {
  test_gathered : gathering;
  per_unit : Z;                 (* the keys of a loss of one unit *)
  test_extents : seq extent;
  test_rounds : nat;
  at_epsilon : Z                (* a bound of 2^bits e^-epsilon from below *)
}.

Definition total_highest (xs : seq extent) : Z := zsum [seq highest_key x | x <- xs].

Section Checks.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

Definition mesh_table (q : mesh_plan) : seq Z :=
  product_all (weight_scale (gathered q)) (product_rounds q)
    (mesh_tables f s (step_high q) (gathered q) (places q) (extents q)).
Definition mesh_plan_ok (q : mesh_plan) : bool :=
  mesh_ok f s (mesh q) (step_high q) (gathered q) (places q) &&
  Nat.eqb (size (extents q)) (size (leaves_of f s (gathered q))).
(** r_t = (A - t)u - epsilon. *)
Definition mesh_rest (q : mesh_plan) (x : combination) (t : nat) : combination :=
  csub (cscale (total_highest (extents q) - Z.of_nat t) (mesh q)) x.

Definition check_connect_the_dots (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  let w := mesh_table q in
  let S := weight_scale (gathered q) in
  let kept := kept_down f (fun z => floor_div (z * step_low q) one) (at_top q) (rev (take (top_place q).+1 w)) in
  let: (d, e) := Delta_fraction s a b in
  [&& subject_ok f s, mesh_plan_ok q, Z.ltb 0 b, Nat.leb (top_place q).+1 (size w),
      exp_at_least f s (at_top q) (mesh_rest q x (top_place q)),
      exp_at_least f s (step_low q) (mesh q),
      Nat.leb (size w) (top_place q).+1 || at_least_0 f s (cscale (-1) (mesh_rest q x (top_place q).+1)) &
      Z.leb (kept + (S - zsum w) * one) (floor_div (one * d) e * S)].

(** The weights of the scores J, J - 1, ..., - J, and those of the opposite scores. *)
Definition test_table (q : test_plan) : seq Z :=
  product_all (weight_scale (test_gathered q)) (test_rounds q)
    (score_tables f s (per_unit q) (test_gathered q) (test_extents q)).
Definition tested (one y : Z) (w : seq Z) : Z :=
  zsum [seq Z.max 0 (one * wv.1 - y * wv.2) | wv <- zip w (rev w)].

Definition check_gridded_test (q : test_plan) (x : combination) (a b : Z) : bool :=
  let J := Z.to_nat (total_highest (test_extents q)) in
  let t := take (2 * J).+1 (test_table q) in
  let w := t ++ nseq ((2 * J).+1 - size t) Z0 in
  let S := weight_scale (test_gathered q) in
  let: (d, e) := Delta_fraction s a b in
  [&& subject_ok f s, gathering_ok f s (test_gathered q), Z.ltb 0 b,
      Z.leb 0 (total_highest (test_extents q)),
      Nat.eqb (size (test_extents q)) (size (leaves_of f s (test_gathered q))),
      Z.ltb 0 (at_epsilon q), exp_at_least f s (at_epsilon q) x &
      Z.ltb (ceil_div (one * d) e * S * at_epsilon q)
        ((tested (at_epsilon q) one w - one * (S - zsum w)) * one)].
End Checks.
