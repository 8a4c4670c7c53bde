(** The verified checker: the rule `gaussian-mesh`.

    The tables are those of `mesh-upper` from above, and of `grid` from below; the profile is
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
       let S := leaf_scale (gathered q) in
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

Lemma check_gaussian_mesh_mean q : check_gaussian_mesh_upper f p m q x a b ->
  mean_within (notions_of m) epsilon (fraction a b).
Proof.
case/and4P=> none gok Dok /with_rootP[ok pok [value [check bound]]].
move: check; case hu: (exp_minus _ _ _ _) => [eu|] //; cbv zeta => /andP[v_one].
have sok : subject_ok f s by case/and3P: ok.
have S0 : Z.lt 0 (leaf_scale (gathered q)) by case/and3P: gok => /Z.ltb_lt.
have c0 : Z.le 0 (coarse p) by case/andP: pok => /Z.leb_le.
have B0 : Z.lt 0 (2 ^ coarse p) by exact: Z.pow_pos_nonneg.
have [ts [sp [n0 on] below tables high]] := mesh_tables_below sok gok (multiple_below q) v_one hu.
move: tables high; set tables' := mesh_tables _ _ _ _ _ _ _; set A := total_highest tables'.
set w := table_product (gathered q) tables' => tables high /Z.leb_le check.
have bel n : Z.le 0 (nth Z0 (flat w) n) /\ IZR (nth Z0 (flat w) n) <=
    IZR (leaf_scale (gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  have := product_keyed S0 n0 below n.
  by rewrite (map_comp snd snd) tables high.
have in_keys j : j \in keys_from A (end_of w) -> exists2 n, (n < end_of w)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
have part : perm_eq [seq x <- Leaves.epsilons_of (flatten (leaves f s (gathered q))) | x != 0]
    [seq x <- epsilons_of (notions_of m) | x != 0].
  by rewrite epsilons_of_approximates; exact: (leaves_partition sok gok).
have dl := Delta_low_le sok Dok; rewrite -mixed_slackE in dl.
split; [exact: notions_proper ok|exact: no_concentrated_sound|].
apply: (@rule_gaussian_mesh_mean _ _ _ _ part (real s (mesh q)) _ sp n0 on
  (keys_from A (end_of w)) _ _ _ (fun j => nth Z0 (flat w) (place A j)) value (keys_uniq _ _) S0 B0
  _ _ _ dl).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j _; exact: bound.
move: check; rewrite sum_valuesE Z.add_0_l size_flat /lost.
rewrite (keys_place (nth Z0 (flat w))) -size_flat -zsumE sum_of_zsum.
congr Z.le; congr (zsum _ + _)%coqZ; rewrite /keys_from -map_comp size_flat; apply: eq_map => i.
by rewrite -[RHS]/((nth Z0 (flat w) (place A (A - Z.of_nat i)) * value (A - Z.of_nat i))%coqZ) placeK Z.mul_1_l.
Qed.

Theorem check_gaussian_mesh_upper_sound q : gaussian_composes ->
  check_gaussian_mesh_upper f p m q x a b -> mixed_upper RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof. by move=> composes /check_gaussian_mesh_mean; exact: upper_within. Qed.

(** The mechanisms with every epsilon_i rounded down to a multiple of u. *)
Section Rounded.
Variables (u : R) (multiples : seq nat) (L : ledger).
Hypothesis rounded : all2 (fun (x : R) n => u *+ n <= x) (epsilons L) multiples.
Let rest := levels Gaussian (gaussians m) ++ levels Concentrated (concentrates m).
Definition rounded_ledger : ledger := [seq (u *+ qn.2, qn.1.2) | qn <- zip L multiples].

Lemma rounded_notions : [/\ List.Forall2 no_weaker (approximate rounded_ledger ++ rest) (approximate L ++ rest),
  [seq q.1 | q <- rounded_ledger] = [seq u *+ n | n <- multiples] &
  [seq q.2 | q <- rounded_ledger] = [seq q.2 | q <- L]].
Proof.
rewrite /rounded_ledger; elim: L multiples rounded => [|q L' IH] [|n ns] //=.
  by move=> _; split=> //; elim: rest => [|r rs IH]; constructor=> //; case: r.
by case/andP=> le /IH[H -> ->]; split=> //; constructor.
Qed.
End Rounded.

Theorem check_gaussian_mesh_lower_sound q : gaussian_attains ->
  check_gaussian_mesh_lower f p m q x a b -> mixed_lower RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof.
move=> attains /and3P[gok Dok /with_rootP[ok pok [value [check bound]]]].
move: check; case hu: (exp_minus _ _ _ _) => [eu|] //; cbv zeta => /Z.ltb_lt.
have sok : subject_ok f s by case/and3P: ok.
have S0 : Z.lt 0 (CheckerGrid.scale q) by case/and5P: gok => _ /Z.ltb_lt.
have c0 : Z.le 0 (coarse p) by case/andP: pok => /Z.leb_le.
have B0 : Z.lt 0 (2 ^ coarse p) by exact: Z.pow_pos_nonneg.
set u := real s (unit_of q) in bound; set w := table f s q eu => check.
pose multiples := multiples_of (entries s) (CheckerGrid.multiples q).
have u0 : 0 <= u := unit_ge0 sok gok.
have [finer eps deltas] := rounded_notions (rounded_le sok gok).
set L := rounded_ledger _ _ _ in finer eps deltas.
set rest := levels Gaussian _ ++ _ in finer.
have below := table_below sok (exp_minus_sound sok hu) gok.
have sumsE (F : notion -> R) : (forall e d, F (Approximate e d) = 0) ->
    \sum_(n <- approximate L ++ rest) F n = \sum_(n <- notions_of m) F n.
  move=> F0; rewrite /notions_of -/rest !big_cat /=; congr (_ + _).
  by rewrite /approximate !big_map !big1.
have slackE d : mixed_slack (approximate L ++ rest) d = mixed_slack (notions_of m) d.
  have kept (l : ledger) : \prod_(n <- approximate l) (1 - failure n) = \prod_(e <- [seq q.2 | q <- l]) (1 - e).
    by rewrite /approximate !big_map.
  by rewrite /mixed_slack /mixed_kept /notions_of -/rest !big_cat /= !kept deltas.
apply: (@rule_gaussian_mesh_lower (approximate L ++ rest) _ _ _ u multiples (end_of w) (CheckerGrid.scale q)
  (2 ^ coarse p) (Delta_high s (coarse p) a b) (nth Z0 (flat w))
  (fun i => value (total_multiple s q - 2 * Z.of_nat i)%coqZ) _ finer _ S0 B0 _ _ attains).
- have := notions_proper ok; rewrite /notions_of -/rest !all_cat => /andP[_ ->]; rewrite andbT.
  rewrite /approximate all_map; apply/allP => r rL /=; apply/andP; split.
    by have := map_f fst rL; rewrite eps => /mapP[n _ ->]; exact: mulrn_wge0.
  have := map_f snd rL; rewrite deltas => /mapP[r' /(allP (mixed_proper ok)) + ->].
  by case/andP.
- by rewrite epsilons_of_ledger eps.
- by move=> i _; case: (below i).
- by move=> i _; rewrite grid_weightE; case: (below i).
- move=> i _; rewrite /total_mu sumsE //; have := bound (total_multiple s q - 2 * Z.of_nat i)%coqZ.
  case/andP=> _; rewrite IZRB IZRM mulrBr [u * IZR _]mulrC (total_multipleE sok gok) MixtureSums.IZR_of_nat.
  by rewrite mulrCA mulr_natr (_ : IZR 2 = 2%:R) // mulr_natl.
- by rewrite slackE mixed_slackE; exact: (Delta_high_ge sok Dok).
by move: check; rewrite sum_valuesE Z.add_0_l size_flat.
Qed.
End Soundness.
