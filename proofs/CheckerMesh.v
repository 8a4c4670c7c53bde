(** The verified checker: the rule `gaussian-mesh`.

    The tables are those of `connect-the-dots` from above, and of `grid` from below; the profile is
    enclosed at epsilon - k u for every loss k u that has a weight. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Notions Failures Comparisons.
From ExactDP Require Import Logarithms Enclosures EnclosuresOfNumbers CheckerClosed CheckerDelta Tables.
From ExactDP Require Import KeyedTables CheckerGrid CheckerGridSound CheckerGridTheorems CheckerNotions.
From ExactDP Require Import CheckerBracket CheckerBracketSound CheckerBracketCells CheckerBracketTheorems.
From ExactDP Require Import NormalEnclosures RulesGaussian RulesMesh MixtureSums CheckerGaussian CheckerMixture.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** sum + w(0) value(k) + w(1) value(k - stride) + .... *)
Fixpoint sum_values (value : Z -> Z) (stride k sum : Z) (ws : seq Z) : Z :=
  if ws is w :: ws' then
    sum_values value stride (k - stride) (if Z.eqb w 0 then sum else (sum + w * value k)%coqZ) ws'
  else sum.

Section Program.
Variables (f : effort) (p : precision) (m : mixed_subject).
Let s := approximates m.
Let logs := logarithms (bits f) (quotients s).

(** The profile at epsilon - k u. *)
Definition at_multiple (upward : bool) (root e u : enclosure) (k : Z) : Z :=
  let: (x, y) := square_of upward m in profile_bound p upward x y root (sub e (Enclosures.scale k u)).

Definition with_root (upward : bool) (x u : combination) (check : (Z -> Z) -> bool) : bool :=
  let: (x2, y2) := square_of upward m in
  [&& mixed_ok f m, precision_ok p, Z.ltb 0 x2 &
   if inverse_root (fine p) (pi_terms p) (enclosure_of_fraction (fine p) x2 y2) is Some root then
     let known := logarithms (fine p) (quotients s) in
     let number := enclosure_of_number (fine p) known (denominator s) in
     let e := number x in let v := number u in
     check (at_multiple upward root e v)
   else false].

Definition check_gaussian_mesh_upper (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  [&& no_concentrated m, gathering_ok f s (gathered q), Delta_ok s (coarse p) a b &
   with_root true x (mesh q) (fun value =>
     if exp_minus f s logs (mesh q) is Some u then
       let ts := mesh_tables f s (gathered q) logs (multiple_below q) (mesh q) u.2 in
       let w := table_product (gathered q) ts in
       let S := CheckerBracket.weight_scale (gathered q) in
       Z.ltb u.2 (2 ^ bits f) &&
       Z.leb (sum_values value 1 (total_highest ts) 0 (flat w) + (S - sum_of w.2) * 2 ^ coarse p)
         (Delta_low s (coarse p) a b * S)
     else false)].

Definition check_gaussian_mesh_lower (q : plan) (x : combination) (a b : Z) : bool :=
  [&& plan_ok f s false q, Delta_ok s (coarse p) a b &
   with_root false x (unit_of q) (fun value =>
     if exp_minus f s logs (unit_of q) is Some u then
       let w := table f s q u in
       Z.ltb (Delta_high s (coarse p) a b * CheckerGrid.scale q)
         (sum_values value 2 (total_multiple s q) 0 (flat w))
     else false)].
End Program.

Lemma sum_valuesE value stride k sum ws : sum_values value stride k sum ws =
  (sum + zsum [seq (nth Z0 ws i * value (k - stride * Z.of_nat i))%coqZ | i <- iota 0 (size ws)])%coqZ.
Proof.
elim: ws k sum => [|w ws IH] k sum /=; first by rewrite Z.add_0_r.
rewrite IH Z.mul_0_r Z.sub_0_r -[1%N]addn0 iotaDl -map_comp.
case: Z.eqb_spec => [->|_];
  [rewrite Z.mul_0_l Z.add_0_l|rewrite Z.add_assoc];
  congr (_ + zsum _)%coqZ; apply: eq_map => i /=; congr (_ * value _)%coqZ; lia.
Qed.

Section Soundness.
Variables (f : effort) (p : precision) (m : mixed_subject) (x : combination) (a b : Z).
Let s := approximates m.
Let epsilon := real s x.

Lemma with_rootP upward u check : with_root f p m upward x u check ->
  [/\ mixed_ok f m, precision_ok p & exists value, check value /\ forall k,
    let v := IZR (value k) in
    let g := IZR (2 ^ coarse p) * G (total_mu (if upward then square else square_below) (notions_of m))
      (epsilon - real s u * IZR k) in
    if upward then g <= v else 0 <= v <= g].
Proof.
rewrite /with_root; case E: (square_of upward m) => [x2 y2] /and4P[ok pok x0].
case hr: (inverse_root _ _ _) => [root|] // h; split=> //.
exists (at_multiple p m upward root (enclosure_of p m x) (enclosure_of p m u)); split=> // k.
rewrite /at_multiple E.
have X := enclosure_of_sound x ok pok; have U := enclosure_of_sound u ok pok.
have := @profile_bound_sound f p m ok pok upward root; rewrite E => /(_ x0 hr _ _ (next_enclosure k X U)).
by [].
Qed.

Theorem check_gaussian_mesh_upper_sound q : gaussian_composes ->
  check_gaussian_mesh_upper f p m q x a b -> mixed_upper RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof.
move=> composes /and4P[none gok Dok /with_rootP[ok pok [value [check bound]]]].
move: check; case hu: (exp_minus _ _ _ _) => [eu|] //; cbv zeta => /andP[v_one].
have sok : subject_ok f s by case/and3P: ok.
have S0 : Z.lt 0 (CheckerBracket.weight_scale (gathered q)) by case/and3P: gok => /Z.ltb_lt.
have c0 : Z.le 0 (coarse p) by case/andP: pok => /Z.leb_le.
have B0 : Z.lt 0 (2 ^ coarse p) by exact: Z.pow_pos_nonneg.
have [ts [sp [n0 on] below tables high]] := mesh_tables_below sok gok (multiple_below q) v_one hu.
move: tables high; set tables' := mesh_tables _ _ _ _ _ _ _; set A := total_highest tables'.
set w := table_product (gathered q) tables' => tables high /Z.leb_le check.
have bel n : Z.le 0 (nth Z0 (flat w) n) /\ IZR (nth Z0 (flat w) n) <=
    IZR (CheckerBracket.weight_scale (gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  have := product_keyed S0 n0 below n.
  by rewrite (map_comp snd snd) tables high.
have in_keys j : j \in keys_from A (end_of w) -> exists2 n, (n < end_of w)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
have part : perm_eq [seq x <- Leaves.epsilons_of (flatten (leaves f s (gathered q))) | x != 0]
    [seq x <- epsilons_of (notions_of m) | x != 0].
  by rewrite epsilons_of_approximates; exact: (leaves_partition sok gok).
have dl := Delta_low_le sok Dok; rewrite -mixed_slackE in dl.
apply: (@rule_gaussian_mesh_upper _ _ _ _ (notions_proper ok) part (real s (mesh q)) _ sp n0 on
  (keys_from A (end_of w)) _ _ _ (fun j => nth Z0 (flat w) (place A j)) value (keys_uniq _ _) S0 B0
  _ _ composes (no_concentrated_sound none) _ dl).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j _; exact: bound.
move: check; rewrite sum_valuesE Z.add_0_l size_flat /lost.
rewrite (keys_place (nth Z0 (flat w))) -size_flat -zsumE sum_of_zsum.
congr Z.le; congr (zsum _ + _)%coqZ; rewrite /keys_from -map_comp size_flat; apply: eq_map => i.
by rewrite -[RHS]/((nth Z0 (flat w) (place A (A - Z.of_nat i)) * value (A - Z.of_nat i))%coqZ) placeK Z.mul_1_l.
Qed.
End Soundness.
