(** The verified checker: what the checks of `mesh-upper` and `mesh-lower` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Bracket Leaves Reals Rules RulesFixedPoint.
From ExactDP Require Import RulesBracket Logarithms Comparisons Enclosures EnclosuresOfNumbers.
From ExactDP Require Import CheckerClosed CheckerDelta Tables KeyedTables.
From ExactDP Require Import CheckerGrid CheckerGridSound CheckerGridTheorems.
From ExactDP Require Import CheckerBracket CheckerBracketSound CheckerBracketCells CheckerBracketHeavy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Tables.
Variables (f : effort) (s : subject) (p : gathering).
Hypotheses (ok : subject_ok f s) (pok : gathering_ok f s p).
Let S := leaf_scale p.
Let S0 : Z.lt 0 S. Proof. by case/and3P: pok => /Z.ltb_lt. Qed.
Let leaves := leaves f s p.
Let logs := logarithms (bits f) (quotients s).

Lemma highest_cons t ts (l : seq (R * R * Z)) ts' : highest ts' = total_highest ts ->
  highest ((l, t) :: ts') = total_highest (t :: ts).
Proof. by move=> h; rewrite -[RHS]/(t.1 + total_highest ts)%coqZ -h. Qed.

(** The tables of `mesh-upper` are below cells between which the atoms are split. *)
Lemma mesh_tables_below below u eu : Z.ltb eu.2 (2 ^ bits f) -> exp_minus f s logs u = Some eu ->
  exists ts : keyed_tables, [/\ List.Forall2 (fun leaf l => scattered (atoms_of leaf) l) leaves (lists ts),
    nonnegative (lists ts) /\ all (all (on_mesh_atom s u)) (lists ts),
    List.Forall (fun t => keyed_below S t.1 t.2) ts,
    [seq t.2 | t <- ts] = mesh_tables f s p logs below u eu.2 &
    highest ts = total_highest (mesh_tables f s p logs below u eu.2)].
Proof.
move=> v_one hu; have -> : mesh_tables f s p logs below u eu.2 =
    [seq table_of (flatten [seq split_cells f s logs below u eu.2 a | a <- l])
    | l <- [seq leaf_atoms f s p logs leaf | leaf <- reshape (shape p) (groups f s)]].
  by rewrite -map_comp; apply: eq_map => leaf; rewrite (heavy_atomsE _ _ _ _ S0) split_heavy.
rewrite /leaves.
elim: (leaves_represented ok pok) => [|leaf l ls atoms rep _ [ts [sp [n0 on] bel tables high]]] /=.
  by exists [::]; split=> //; constructor.
have [l' sp1 [n1 on1 c0 below1]] := leaf_cells_below below ok pok v_one hu rep.
eexists ((l', table_of _) :: ts).
split=> /=; [by constructor|by rewrite -/(nonneg_atoms _) n1 on1| |by rewrite tables|exact: highest_cons].
by constructor=> //=; exact: table_of_below.
Qed.

(** Those of `mesh-lower` are below the scores. *)
Lemma score_tables_below n : exists ts : keyed_tables,
  [/\ lists ts = scored leaves (score n),
    List.Forall (fun t => keyed_below S t.1 t.2) ts,
    [seq t.2 | t <- ts] = score_tables f s p logs n & highest ts = total_highest (score_tables f s p logs n)].
Proof.
have -> : score_tables f s p logs n = [seq table_of [seq (score n a.2, a.1.1) | a <- heavy l]
    | l <- [seq leaf_atoms f s p logs leaf | leaf <- reshape (shape p) (groups f s)]].
  by rewrite -map_comp; apply: eq_map => leaf; rewrite (heavy_atomsE _ _ _ _ S0).
rewrite /leaves /scored.
elim: (leaves_represented ok pok) => [|leaf l ls atoms rep _ [ts [sc bel tables high]]] /=.
  by exists [::]; split=> //; constructor.
exists (([seq (x.1, score n x.2) | x <- atoms_of leaf],
  table_of [seq (score n a.2, a.1.1) | a <- heavy l]) :: ts).
split=> /=; [by rewrite -sc| |by rewrite tables|exact: highest_cons].
constructor=> //=; apply: table_of_below => //.
- rewrite /nonneg_atoms all_map; have := leaves_ge0 [:: leaf]; rewrite /nonnegative /= andbT.
  exact: sub_all.
- move=> c /mapP[a]; rewrite mem_filter => /andP[_ al] -> /=; elim: rep a al => //= x' a' l1 l2 r _ IH' a.
  by rewrite inE => /orP[/eqP ->|/IH' //]; case: r.
move=> i; elim: rep => [|x' a l1 l2 r _ IH'] /=; first by rewrite /key_weight big_nil mulr0.
have [p0 _ xk _ wS] := r; rewrite /key_weight big_cons mulrDr /heavy /=; case: ifP => _ /=.
  rewrite cell_sum_cons ler_add //= xk mulrA.
  by rewrite ler_wpmul2r ?ler0n.
by apply: le_trans IH' _; rewrite ler_addr mulr_ge0 ?mulr_ge0 ?ler0n ?IZR_ge0 //; exact: Z.lt_le_incl.
Qed.
End Tables.

Section Theorems.
Variables (f : effort) (s : subject) (x : combination) (a b : Z).
Let one := (2 ^ bits f)%coqZ.

Lemma kept_places (w : placed) top step z : (top < end_of w)%N ->
  kept_sum one (nth Z0 (flat w)) (fun i => if (i <= top)%N then iter (top - i) step z else one)
    (iota 0 (end_of w)) = kept_down f Z0 step z (from_top top w).
Proof.
move=> tw; rewrite kept_from_top // -/one /kept_sum -{1}(subnKC tw) iotaD map_cat zsum_cat add0n.
have -> : zsum [seq (nth Z0 (flat w) i *
      Z.max 0 (one - (if (i <= top)%N then iter (top - i) step z else one)))%coqZ
    | i <- iota top.+1 (end_of w - top.+1)] = Z0.
  have : all (fun i => (top < i)%N) (iota top.+1 (end_of w - top.+1)).
    by apply/allP => i; rewrite mem_iota => /andP[].
  elim: (iota _ _) => //= i r IH /andP[h /IH ->].
  by rewrite leqNgt h /= Z.sub_diag Z.max_id Z.mul_0_r.
rewrite Z.add_0_r; congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n ltnS => /= lt.
by rewrite lt.
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

Section Limits.
Variable db : Z.
Hypotheses (ok : subject_ok f s) (Dok : Delta_ok s db a b).
Let one0' : 0 <= IZR one.
Proof. by apply: IZR_ge0; apply: Z.pow_nonneg. Qed.
Let units0 : Z.lt 0 (2 ^ db).
Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le. Qed.

Lemma limit_low : IZR (floor_div (one * Delta_low s db a b) (2 ^ db)) <=
  IZR one * slack (ledger_of s) (fraction a b).
Proof. by apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l // (Delta_low_le ok Dok). Qed.
Lemma limit_high : IZR one * slack (ledger_of s) (fraction a b) <=
  IZR (ceil_div (one * Delta_high s db a b) (2 ^ db)).
Proof. by apply: ceil_div_above => //; rewrite IZRM mulrCA ler_wpmul2l // (Delta_high_ge ok Dok). Qed.
End Limits.

Theorem check_connect_the_dots_sound q : check_connect_the_dots f s q x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
case/and4P=> ok pok Dok; case hu: (exp_minus _ _ _ _) => [eu|] //; cbv zeta.
case hz: (exp_minus _ _ _ _) => [ez|] // /and4P[v_one /Nat.leb_le/ssrnat.leP tw htop /Z.leb_le check].
have S0 : Z.lt 0 (leaf_scale (gathered q)) by case/and3P: pok => /Z.ltb_lt.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
set U := real s (mesh q); have U0 : 0 < U := mesh_gt0 ok v_one hu.
have [ts [sp [n0 on] below tables high]] := mesh_tables_below ok pok (multiple_below q) v_one hu.
move: hz tw htop check tables high; set tables' := mesh_tables _ _ _ _ _ _ _.
set A := total_highest tables'; set w := table_product (gathered q) tables'; set top := mesh_top q A _.
move=> hz tw htop check tables high.
have bel n : Z.le 0 (nth Z0 (flat w) n) /\ IZR (nth Z0 (flat w) n) <=
    IZR (leaf_scale (gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  have := product_keyed S0 n0 below n.
  by rewrite (map_comp snd snd) tables high.
have restE n : real s (mesh_rest q A x n) = U * IZR (A - Z.of_nat n) - real s x.
  by rewrite real_sub real_scale mulrC.
have step m n : (m <= n)%N ->
    U * IZR (A - Z.of_nat m) - real s x = U * IZR (A - Z.of_nat n) - real s x + U *+ (n - m).
  move=> mn; rewrite !IZRB !IZR_of_nat -[U *+ _]mulr_natr natrB //; ring.
pose z i := if (i <= top)%N then
  iter (top - i) (fun z => floor_div (z * Z.max 0 eu.1) one) (Z.max 0 ez.1) else one.
have in_keys j : j \in keys_from A (end_of w) -> exists2 n, (n < end_of w)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
apply: (@rule_connect_the_dots _ _ _ _ (ledger_proper ok) (leaves_partition ok pok) U _ sp n0 on
  (keys_from A (end_of w)) _ one _ (fun j => nth Z0 (flat w) (place A j)) (fun j => z (place A j)) _ S0 one0
  _ _ _ (limit_low ok Dok)).
- exact: keys_uniq.
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- by move=> j /in_keys[n _ ->]; rewrite placeK; case: (bel n).
- move=> j /in_keys[n lt ->]; rewrite placeK /z; case: leqP => h.
    rewrite (step _ _ h); apply: iter_floor => //; try exact: Z.le_max_l.
    + by have /andP[] := exp_minus_sound ok hz; rewrite restE.
    + by case/andP: (exp_minus_sound ok hu).
  have {htop} h0 : U * IZR (A - Z.of_nat top.+1) - real s x <= 0.
    case/orP: htop => [/Nat.leb_le/ssrnat.leP|/(at_least_0_sound ok)].
      by rewrite leqNgt (leq_ltn_trans h lt).
    by rewrite real_scale (_ : IZR (-1) = -1) // mulN1r restE oppr_ge0.
  rewrite ler_pemulr ?(ltW one0') // exp_ge1 oppr_ge0; apply: le_trans h0.
  by rewrite (step _ _ h) ler_addl mulrn_wge0 // ltW.
move: check; rewrite -kept_places // /lost /kept_sum.
rewrite (keys_place (fun n => (nth Z0 (flat w) n * Z.max 0 (one - z n))%coqZ)).
by rewrite (keys_place (nth Z0 (flat w))) -size_flat -zsumE sum_of_zsum.
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

Lemma total_highest_ge0 (g : seq atom -> seq (Z * Z)) p logs :
  Z.le 0 (total_highest (leaf_tables f s p logs g)).
Proof.
rewrite /total_highest /leaf_tables; elim: (reshape _ _) => [|l ls IH] /=; first exact: Z.le_refl.
apply: Z.add_nonneg_nonneg => //; rewrite /highest_of; elim/last_ind: (g _) => [|cs c _] /=.
  exact: Z.le_refl.
rewrite foldl_rcons; apply: Z.le_trans (Z.le_max_r _ _); exact: Z.abs_nonneg.
Qed.

Theorem check_gridded_test_sound q : check_gridded_test f s q x a b ->
  lower (ledger_of s) (real s x) (fraction a b).
Proof.
case/and4P=> ok pok Dok; case hy: (exp_minus _ _ _ _) => [ey|] //; cbv zeta => /andP[/Z.ltb_lt y0 /Z.ltb_lt].
have [ts [sc below tables high]] := score_tables_below ok pok (per_unit q).
have A0 := @total_highest_ge0 (fun l : seq atom => [seq (score (per_unit q) a.2, a.1.1) | a <- l])
  (test_gathered q) (logarithms (bits f) (quotients s)).
move: tables high A0; rewrite -/(score_tables _ _ _ _ _); set tables' := score_tables _ _ _ _ _.
set A := total_highest tables'; set J := Z.to_nat A; set t := take _ _; set w := t ++ _.
move=> tables high A0 check.
have S0 : Z.lt 0 (leaf_scale (test_gathered q)) by case/and3P: pok => /Z.ltb_lt.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have n0 : nonnegative (lists ts) by rewrite sc; exact: scored_ge0.
have AJ : Z.of_nat J = A by rewrite Z2Nat.id.
have size_w : size w = (2 * J).+1 by rewrite size_cat size_nseq subnKC // size_take; case: ltnP.
have bel n : (n < (2 * J).+1)%N -> IZR (nth Z0 w n) <=
    IZR (leaf_scale (test_gathered q)) * weight +%R 0 (lists ts) (A - Z.of_nat n).
  move=> lt; have [h0 h] := product_keyed S0 n0 below n.
  rewrite (map_comp snd snd) tables high in h0 h.
  have ge0 := le_trans (IZR_ge0 h0) h.
  rewrite nth_cat; case: ltnP => h'; first by rewrite nth_take.
  by rewrite nth_nseq; case: ifP.
have in_keys j : j \in keys_from A (2 * J).+1 -> exists2 n, (n < (2 * J).+1)%N & j = (A - Z.of_nat n)%coqZ.
  by case/mapP=> n; rewrite mem_iota => lt ->; exists n.
have negated n : (n < (2 * J).+1)%N -> (- (A - Z.of_nat n))%coqZ = (A - Z.of_nat (2 * J - n)%N)%coqZ.
  rewrite ltnS => le; rewrite Nat2Z.inj_sub; last exact/ssrnat.leP.
  by rewrite -[(2 * J)%N]/(2 * J)%coq_nat Nat2Z.inj_mul AJ; clear; lia.
have one_y : exp (real s x) * IZR ey.1 <= IZR one.
  have /andP[+ _] := exp_minus_sound ok hy; rewrite Z.max_r; last exact: Z.lt_le_incl.
  by rewrite expN ler_pdivl_mulr ?exp_gt0 // mulrC.
apply: (@rule_gridded_test _ _ _ _ (ledger_proper ok) (leaves_partition ok pok) (score (per_unit q)) _
  (keys_from A (2 * J).+1) _ one _ one ey.1 (fun j => nth Z0 w (place A j)) _ _ S0 one0 y0 _
  one_y (limit_high ok Dok)).
- exact: score_odd.
- exact: keys_uniq.
- move=> j /in_keys[n lt ->]; rewrite -[- _]/(Z.opp _) negated //.
  by apply/mapP; exists (2 * J - n)%N => //; rewrite mem_iota add0n ltnS leq_subr.
- by move=> j /in_keys[n lt ->]; rewrite placeK -sc; exact: bel.
move: check; rewrite testedE size_w /lost (keys_place (nth Z0 w)) -size_w -zsumE size_w.
suff -> : [seq Z.max 0 (ey.1 * nth Z0 w (place A j) - one * nth Z0 w (place A (- j)))%coqZ
    | j <- keys_from A (2 * J).+1] =
  [seq Z.max 0 (ey.1 * nth Z0 w i - one * nth Z0 w ((2 * J).+1 - i.+1))
    | i <- iota 0 (2 * J).+1] by [].
rewrite -map_comp; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
by rewrite negated // !placeK.
Qed.
End Theorems.
