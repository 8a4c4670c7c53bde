(** The verified checker: what the checks of `connect-the-dots` and `gridded-test` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Bracket Leaves Reals Rules RulesFixedPoint.
From ExactDP Require Import RulesBracket Logarithms Comparisons CheckerClosed PlainTables KeyedTables.
From ExactDP Require Import PlainGrid.
From ExactDP Require Import CheckerBracket CheckerBracketSound CheckerBracketCells.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Tables.
Variables (f : effort) (s : subject) (p : gathering).
Hypotheses (ok : subject_ok f s) (pok : gathering_ok f s p).
Let S := weight_scale p.
Let S0 : Z.lt 0 S. Proof. by case/and5P: pok => /Z.ltb_lt. Qed.
Let leaves := leaves f s p.

(** The tables of `connect-the-dots` are below cells between which the atoms are split. *)
Lemma mesh_tables_below u v placess xs : mesh_ok f s u v p placess ->
  size xs = size (leaves_of f s p) ->
  exists ts : keyed_tables, [/\ List.Forall2 (fun leaf l => spread (atoms_of leaf) l) leaves (lists ts),
    nonnegative (lists ts) /\ all (all (on_mesh_atom s u)) (lists ts),
    List.Forall (fun t => keyed_below S t.1.1 t.1.2 t.2) ts,
    [seq t.2 | t <- ts] = mesh_tables f s v p placess xs & KeyedTables.highest ts = total_highest xs].
Proof.
case/and4P=> _ v_one v_most; rewrite /mesh_tables /leaves -(size_map (leaf_atoms f p)).
elim: (leaves_represented ok pok) placess xs => [|leaf l ls atoms rep _ IH] [|q placess] [|x xs] //=.
  by move=> _ _; exists [::]; split=> //; constructor.
case/andP=> h /IH{}IH [/IH[ts [sp [n0 on] below tables high]]].
have [l' sp1 [n1 on1 c0 below1]] := leaf_cells_below ok pok v_one v_most rep h.
exists ((l', highest_key x, table_from (highest_key x) (depth x) (leaf_cells f v l q)) :: ts).
split=> /=; [by constructor|by rewrite -/(nonneg_atoms _) n1 on1| |by rewrite tables|].
  by constructor=> //=; exact: table_from_below.
by rewrite -[RHS]/(highest_key x + total_highest xs)%coqZ -high.
Qed.

(** Those of `gridded-test` are below the scores. *)
Lemma score_tables_below n xs : size xs = size (leaves_of f s p) ->
  exists ts : keyed_tables, [/\ lists ts = scored leaves (score n),
    List.Forall (fun t => keyed_below S t.1.1 t.1.2 t.2) ts,
    [seq t.2 | t <- ts] = score_tables f s n p xs & KeyedTables.highest ts = total_highest xs].
Proof.
rewrite /score_tables /leaves -(size_map (leaf_atoms f p)) /scored.
elim: (leaves_represented ok pok) xs => [|leaf l ls atoms rep _ IH] [|x xs] //=.
  by move=> _; exists [::]; split=> //; constructor.
case=> /IH[ts [sc below tables high]].
exists (([seq (x.1, score n x.2) | x <- atoms_of leaf], highest_key x,
  table_from (highest_key x) (depth x) [seq (score n a.2, a.1.1) | a <- l]) :: ts).
split=> /=; [by rewrite -sc| |by rewrite tables|by rewrite -[RHS]/(highest_key x + total_highest xs)%coqZ -high].
constructor=> //=; apply: table_from_below => //.
- rewrite /nonneg_atoms all_map; have := leaves_ge0 [:: leaf]; rewrite /nonnegative /= andbT.
  exact: sub_all.
- move=> c /mapP[a al ->] /=; elim: rep a al => //= x' a' l1 l2 r _ IH' a.
  by rewrite inE => /orP[/eqP ->|/IH' //]; case: r.
move=> i; elim: rep => [|x' a l1 l2 r _ IH'] /=; first by rewrite /key_weight big_nil mulr0.
have [_ _ xk _ wS] := r.
rewrite cell_sum_cons /key_weight big_cons mulrDr ler_add //= xk mulrA.
by rewrite ler_wpmul2r ?ler0n.
Qed.
End Tables.

Section Theorems.
Variables (f : effort) (s : subject) (x : combination) (a b : Z).
Let one := (2 ^ bits f)%coqZ.

Lemma kept_places (w : seq Z) top step z : (top < size w)%N ->
  kept_sum one (nth Z0 w) (fun i => if (i <= top)%N then iter (top - i) step z else one) (iota 0 (size w)) =
  kept_down f step z (rev (take top.+1 w)).
Proof.
move=> tw; rewrite kept_downE size_takel // -/one /kept_sum -{1}(subnKC tw) iotaD map_cat zsum_cat add0n.
have -> : zsum [seq (nth Z0 w i * Z.max 0 (one - (if (i <= top)%N then iter (top - i) step z else one)))%coqZ
    | i <- iota top.+1 (size w - top.+1)] = Z0.
  have : all (fun i => (top < i)%N) (iota top.+1 (size w - top.+1)).
    by apply/allP => i; rewrite mem_iota => /andP[].
  elim: (iota _ _) => //= i r IH /andP[h /IH ->].
  by rewrite leqNgt h /= Z.sub_diag Z.max_id Z.mul_0_r.
rewrite Z.add_0_r; congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
by rewrite nth_take // -ltnS lt subSS.
Qed.

(** Keys counted down from J. *)
Definition place (J j : Z) : nat := Z.to_nat (J - j).
Lemma placeK J n : place J (J - Z.of_nat n) = n.
Proof. by rewrite /place Z.sub_sub_distr Z.sub_diag Nat2Z.id. Qed.

Definition keys_from (J : Z) (n : nat) : seq Z := [seq (J - Z.of_nat i)%coqZ | i <- iota 0 n].
Lemma keys_uniq J n : uniq (keys_from J n).
Proof. by rewrite map_inj_uniq ?iota_uniq // => i j h; rewrite -(placeK J i) h placeK. Qed.
Lemma keys_place (T : Type) (g : nat -> T) J n :
  [seq g (place J j) | j <- keys_from J n] = [seq g i | i <- iota 0 n].
Proof. by rewrite -map_comp; apply: eq_map => i /=; rewrite placeK. Qed.

Lemma Delta_low d e : subject_ok f s -> Z.lt 0 b -> Delta_fraction s a b = (d, e) ->
  IZR (floor_div (one * d) e) <= IZR one * slack (ledger_of s) (fraction a b) /\
  IZR one * slack (ledger_of s) (fraction a b) <= IZR (ceil_div (one * d) e).
Proof.
move=> ok b0 E; have [e0 slackE] := Delta_fraction_sound ok a b0; rewrite E /= in e0 slackE.
have en : IZR e != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
split; first by apply: floor_div_below => //; rewrite IZRM mulrCA -slackE [IZR e * _]mulrC divfK.
by have /RleP := ceil_div_ge (one * d) e e0; rewrite RdivE // IZRM -mulrA slackE.
Qed.

Theorem check_connect_the_dots_sound q : check_connect_the_dots f s q x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
rewrite /check_connect_the_dots; case E : (Delta_fraction s a b) => [d e].
case/and4P=> ok /andP[mok /Nat.eqb_eq sz] /Z.ltb_lt b0 /and5P[/Nat.leb_le/ssrnat.leP tw hz hq htop /Z.leb_le check].
have [pok v_one v_most _] := and4P mok.
have S0 : Z.lt 0 (weight_scale (gathered q)) by case/and5P: pok => /Z.ltb_lt.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
set U := real s (mesh q); have U0 : 0 < U := mesh_gt0 ok v_one v_most.
have [ts [sp [n0 on] below tables high]] := mesh_tables_below ok pok mok sz.
set w := mesh_table f s q in tw check htop; set A := total_highest (extents q) in high.
have bel n := product_keyed S0 (product_rounds q) n0 below n.
have {}bel n : Z.le 0 (nth Z0 w n) /\ IZR (nth Z0 w n) <=
    IZR (weight_scale (gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  by have := bel n; rewrite tables high.
have restE n : real s (mesh_rest q x n) = U * IZR (A - Z.of_nat n) - real s x.
  by rewrite real_sub real_scale mulrC.
have step m n : (m <= n)%N ->
    U * IZR (A - Z.of_nat m) - real s x = U * IZR (A - Z.of_nat n) - real s x + U *+ (n - m).
  move=> mn; rewrite !IZRB !IZR_of_nat -[U *+ _]mulr_natr natrB //; ring.
pose z i := if (i <= top_place q)%N then
  iter (top_place q - i) (fun z => floor_div (z * step_low q) one) (at_top q) else one.
have in_keys j : j \in keys_from A (size w) -> exists2 n, (n < size w)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
apply: (@rule_connect_the_dots _ _ _ _ (ledger_proper ok) (leaves_partition ok pok) U _ sp n0 on
  (keys_from A (size w)) _ one _ (fun j => nth Z0 w (place A j)) (fun j => z (place A j)) _ S0 one0 _ _ _
  (proj1 (Delta_low ok b0 E))).
- exact: keys_uniq.
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- move=> j /in_keys[n lt ->]; rewrite placeK /z; case: leqP => h.
    rewrite (step _ _ h); apply: iter_floor => //.
    + exact: exp_at_least_ge0 hq.
    + exact: exp_at_least_ge0 hz.
    + by have := exp_at_least_sound ok hz; rewrite restE.
    + exact: (exp_at_least_sound ok hq).
  have {htop} h0 : U * IZR (A - Z.of_nat (top_place q).+1) - real s x <= 0.
    case/orP: htop => [/Nat.leb_le/ssrnat.leP|/(at_least_0_sound ok)].
      by rewrite leqNgt (leq_ltn_trans h lt).
    by rewrite real_scale (_ : IZR (-1) = -1) // mulN1r restE oppr_ge0.
  rewrite ler_pemulr ?(ltW one0') // exp_ge1 oppr_ge0; apply: le_trans h0.
  by rewrite (step _ _ h) ler_addl mulrn_wge0 // ltW.
move: check; rewrite -kept_places // /lost /kept_sum.
rewrite (keys_place (fun n => (nth Z0 w n * Z.max 0 (one - z n))%coqZ)).
by rewrite (keys_place (nth Z0 w)) -zsumE.
Qed.

Lemma score_odd n k : score n (- k) = - score n k.
Proof. by case: k => //= m; rewrite -[- _]/(Z.opp _) Z.opp_involutive. Qed.

Lemma testedE y z (w : seq Z) : tested y z w =
  zsum [seq Z.max 0 (y * nth Z0 w i - z * nth Z0 w (size w - i.+1)) | i <- iota 0 (size w)].
Proof.
rewrite /tested; congr zsum; apply: (@eq_from_nth _ Z0).
  by rewrite !size_map size_zip size_rev minnn size_iota.
move=> i; rewrite size_map size_zip size_rev minnn => lt.
rewrite (nth_map (Z0, Z0)) ?size_zip ?size_rev ?minnn // nth_zip ?size_rev // nth_rev //.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Theorem check_gridded_test_sound q : check_gridded_test f s q x a b ->
  lower (ledger_of s) (real s x) (fraction a b).
Proof.
rewrite /check_gridded_test; case E : (Delta_fraction s a b) => [d e].
case/and4P=> ok pok /Z.ltb_lt b0 /and5P[/Z.leb_le A0 /Nat.eqb_eq sz /Z.ltb_lt y0 hy /Z.ltb_lt].
set A := total_highest _ in A0 *; set J := Z.to_nat A; set t := take _ _; set w := t ++ _ => check.
have S0 : Z.lt 0 (weight_scale (test_gathered q)) by case/and5P: pok => /Z.ltb_lt.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have [ts [sc below tables high]] := score_tables_below ok pok (per_unit q) sz.
have n0 : nonnegative (lists ts) by rewrite sc; exact: scored_ge0.
have AJ : Z.of_nat J = A by rewrite Z2Nat.id.
have size_w : size w = (2 * J).+1 by rewrite size_cat size_nseq subnKC // size_take; case: ltnP.
have bel n : (n < (2 * J).+1)%N -> IZR (nth Z0 w n) <=
    IZR (weight_scale (test_gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  move=> lt; have [h0 h] := product_keyed S0 (test_rounds q) n0 below n; rewrite tables high in h0 h.
  have ge0 := le_trans (IZR_ge0 h0) h.
  rewrite nth_cat; case: ltnP => h'; first by rewrite nth_take.
  by rewrite nth_nseq; case: ifP.
have in_keys j : j \in keys_from A (2 * J).+1 -> exists2 n, (n < (2 * J).+1)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
have negated n : (n < (2 * J).+1)%N -> (- (A - Z.of_nat n))%coqZ = (A - Z.of_nat (2 * J - n)%N)%coqZ.
  rewrite ltnS => le; rewrite Nat2Z.inj_sub; last exact/ssrnat.leP.
  by rewrite -[(2 * J)%N]/(2 * J)%coq_nat Nat2Z.inj_mul AJ; clear; lia.
have one_y : exp (real s x) * IZR (at_epsilon q) <= IZR one.
  have := exp_at_least_sound ok hy; rewrite expN ler_pdivl_mulr ?exp_gt0 //.
  by rewrite mulrC.
apply: (@rule_gridded_test _ _ _ _ (ledger_proper ok) (leaves_partition ok pok) (score (per_unit q)) _
  (keys_from A (2 * J).+1) _ one _ one (at_epsilon q) (fun j => nth Z0 w (place A j)) _ _ S0 one0 y0 _
  one_y (proj2 (Delta_low ok b0 E))).
- exact: score_odd.
- exact: keys_uniq.
- move=> j /in_keys[n lt ->]; rewrite -[- _]/(Z.opp _) negated //.
  by apply/mapP; exists (2 * J - n)%N => //; rewrite mem_iota add0n ltnS leq_subr.
- by move=> j /in_keys[n lt ->]; rewrite placeK -sc; exact: bel.
move: check; rewrite testedE size_w /lost (keys_place (nth Z0 w)) -size_w -zsumE size_w.
suff -> : [seq Z.max 0 (at_epsilon q * nth Z0 w (place A j) - one * nth Z0 w (place A (- j)))%coqZ
    | j <- keys_from A (2 * J).+1] =
  [seq Z.max 0 (at_epsilon q * nth Z0 w i - one * nth Z0 w ((2 * J).+1 - i.+1))
    | i <- iota 0 (2 * J).+1] by [].
rewrite -map_comp; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
by rewrite negated // !placeK.
Qed.
End Theorems.
