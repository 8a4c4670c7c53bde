(** The verified checker: cells and scores of the atoms of a leaf. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Bracket Leaves Reals Rules RulesBracket Logarithms.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers CheckerClosed CheckerDelta.
From ExactDP Require Import Tables KeyedTables CheckerGrid CheckerBracket CheckerBracketSound.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Cells.
Variables (f : effort) (s : subject) (p : gathering) (u : combination) (eu : enclosure).
Variable suggested : combination -> Z.
Let v := eu.2.
Let logs := logarithms (bits f) (quotients s).
Hypotheses (ok : subject_ok f s) (pok : gathering_ok f s p).
Let one := (2 ^ bits f)%coqZ.
Let one0 : Z.lt 0 one. Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let S := leaf_scale p.
Let S0' : 0 < IZR S. Proof. by case/and3P: pok => h *; rewrite (IZR_lt_iff Z0). Qed.
Let U := real s u.
Hypotheses (v_one : Z.ltb v one) (u_enclosed : exp_minus f s logs u = Some eu).

Let gap0 : 0 < IZR (one - v).
Proof. by rewrite IZRB subr_gt0 IZR_lt_iff. Qed.

Let v_le : IZR (one - v) <= IZR one * (1 - exp (- U)).
Proof. by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2; by case/andP: (exp_minus_sound ok u_enclosed). Qed.

Lemma mesh_gt0 : 0 < U.
Proof.
rewrite ltNge -oppr_ge0 -exp_ge1 -subr_le0 -(pmulr_rle0 _ one0') -ltNge.
exact: (lt_le_trans gap0 v_le).
Qed.

Definition on_mesh_atom (x : R * R * Z) := x.1.2 == x.1.1 * exp (- (U * IZR x.2)).

(** An atom split between (j + 1)u and ju. *)
Lemma split_atom (x : R * R * Z) (j : Z) lambda : 0 <= x.1.1 -> 0 <= lambda <= 1 ->
  x.1.1 * (lambda * exp (- (U * IZR (j + 1))) + (1 - lambda) * exp (- (U * IZR j))) <= x.1.2 ->
  exists2 l', scattered [:: x] l' & [/\ nonneg_atoms l', all on_mesh_atom l' &
    forall i, key_weight l' i = lambda * x.1.1 * ((j + 1)%coqZ == i)%:R + (1 - lambda) * x.1.1 * (j == i)%:R].
Proof.
move=> p0 l01 mean; have /andP[l0 l1] := l01; have l1' : 0 <= 1 - lambda by rewrite subr_ge0.
exists [:: (lambda * x.1.1, lambda * x.1.1 * exp (- (U * IZR (j + 1))), (j + 1)%coqZ);
           ((1 - lambda) * x.1.1, (1 - lambda) * x.1.1 * exp (- (U * IZR j)), j)].
  by apply: split_dominates => //; exact: ltW (exp_gt0 _).
split; first by rewrite /nonneg_atoms /= !mulr_ge0 ?(ltW (exp_gt0 _)).
  by rewrite /= /on_mesh_atom /= !eqxx.
by move=> i; rewrite /key_weight !big_cons big_nil addr0.
Qed.

(** A share moved/weight that is enough. *)
Lemma place_share (x : R * R * Z) (a : atom) j e : represents s p x a -> a.1.1 != 0 ->
  exp_minus f s logs (csub a.1.2 (cscale j u)) = Some e ->
  let z := Z.min one (Z.max 0 e.1) in
  Z.le v z ->
  let moved := ceil_div (a.1.1 * (one - z)) (one - v) in
  let lambda := IZR moved / IZR a.1.1 in
  [/\ Z.le 0 moved, Z.le moved a.1.1 &
   x.1.1 * (lambda * exp (- (U * IZR (j + 1))) + (1 - lambda) * exp (- (U * IZR j))) <= x.1.2].
Proof.
case=> p0 xq xk a0 wS a_n0 /(exp_minus_sound ok)/andP[e_low _] z vz moved lambda.
have z1 : Z.le z one := Z.le_min_l _ _.
have zle : IZR z <= IZR one * exp (- real s (csub a.1.2 (cscale j u))).
  by apply: le_trans e_low; rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_r.
have a0' : 0 < IZR a.1.1.
  rewrite lt_neqAle (IZR_le_iff Z0) (proj2 (Z.leb_le _ _) a0) andbT eq_sym.
  by apply/eqP => /eq_IZR/eqP; exact/negP.
have g0 : Z.lt 0 (one - v) by exact/Z.lt_0_sub/Z.ltb_lt.
have m_ge : IZR a.1.1 * IZR (one - z) <= IZR moved * IZR (one - v).
  have /RleP := ceil_div_ge (a.1.1 * (one - z)) (one - v) g0.
  by rewrite RdivE ?gt_eqF // ler_pdivr_mulr // IZRM.
have z_gap : 0 <= IZR (one - z) by apply: IZR_ge0; exact/Z.le_0_sub.
have m0 : 0 <= IZR moved.
  by rewrite -(pmulr_lge0 _ gap0); apply: le_trans m_ge; rewrite mulr_ge0 ?(ltW a0').
split.
- by move: m0; rewrite (IZR_le_iff Z0) => /Z.leb_le.
- rewrite Z.opp_le_mono Z.opp_involutive; apply: Z.div_le_lower_bound => //.
  rewrite Z.mul_opp_r -Z.opp_le_mono Z.mul_comm; apply: Z.mul_le_mono_nonneg_r => //.
  exact: (proj1 (Z.sub_le_mono_l v z one) vz).
have uE (i : Z) : U * IZR i = real s (cscale i u) by rewrite real_scale mulrC.
have -> : U * IZR (j + 1) = U * IZR j + U by rewrite IZRD mulrDr (_ : IZR 1 = 1) ?mulr1.
apply: (@share_enough _ _ _ (real s a.1.2)) => //; first by rewrite xq.
rewrite uE -real_sub -(ler_pmul2l one0').
apply: (@le_trans _ _ (IZR (one - z))).
  by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2.
apply: (@le_trans _ _ (lambda * IZR (one - v))).
  by rewrite /lambda mulrAC ler_pdivl_mulr // [X in X <= _]mulrC.
by rewrite [X in _ <= X]mulrCA ler_wpmul2l ?divr_ge0 ?(ltW a0').
Qed.

Lemma cell_sum_cons (c : Z * Z) cs i :
  IZR (cell_sum (c :: cs) i) = IZR c.2 * (c.1 == i)%:R + IZR (cell_sum cs i).
Proof.
rewrite /cell_sum /=; case: (Z.eqb_spec c.1 i) => [->|ne] /=; first by rewrite eqxx mulr1 IZRD.
by rewrite (introF eqP ne) mulr0 add0r.
Qed.

Lemma key_weight_cat l l' i : key_weight (l ++ l') i = key_weight l i + key_weight l' i.
Proof. by rewrite /key_weight big_cat. Qed.

(** The cells of an atom are below the atom, split. *)
Lemma atom_cells_below (x : R * R * Z) (a : atom) : represents s p x a ->
  let cells := split_cells f s logs suggested u v a in
  exists2 l', scattered [:: x] l' & [/\ nonneg_atoms l', all on_mesh_atom l',
    (forall c, c \in cells -> Z.le 0 c.2) &
    forall i, IZR (cell_sum cells i) <= IZR S * key_weight l' i].
Proof.
move=> r; have [p0 xq _ a0 wS] := r.
have nothing : exists2 l', scattered [:: x] l' & [/\ nonneg_atoms l', all on_mesh_atom l',
    (forall c, c \in [::] -> Z.le 0 (c : Z * Z).2) &
    forall i, IZR (cell_sum [::] i) <= IZR S * key_weight l' i].
  pose j := up (real s a.1.2 / U)%R; have U0 := mesh_gt0.
  have [||l1 sp1 [n1 on1 w1]] := @split_atom x (j - 1)%coqZ 1 p0.
  - by rewrite ler01 lexx.
  - rewrite subrr mul0r addr0 mul1r Z.sub_add xq ler_wpmul2l // exp_le ler_opp2 mulrC.
    rewrite -ler_pdivr_mulr //; apply/RleP/Rlt_le; exact: (archimed _).1.
  by exists l1 => //; split=> // i; rewrite mulr_ge0 ?(ltW S0') // key_weight_ge0.
rewrite /split_cells; case: (Z.eqb_spec a.1.1 0) => [//|/eqP a_n0].
case he: (exp_minus _ _ _ _) => [e|] //; case: ifP => [/Z.leb_le vz|//].
have [m0 ma mean] := place_share r a_n0 he vz; rewrite -/one.
set moved := ceil_div _ _ in m0 ma mean *; set lambda := IZR moved / _ in mean.
have a0' : 0 < IZR a.1.1.
  rewrite lt_neqAle (IZR_le_iff Z0) (proj2 (Z.leb_le _ _) (Z.le_trans _ _ _ m0 ma)) andbT eq_sym.
  by apply/eqP => /eq_IZR/eqP; exact/negP.
have l01 : 0 <= lambda <= 1.
  apply/andP; split; first by apply: divr_ge0; [exact: IZR_ge0|exact: ltW].
  rewrite ler_pdivr_mulr // mul1r IZR_le_iff.
  exact/Z.leb_le.
have [l1 sp1 [n1 on1 w1]] := split_atom p0 l01 mean.
exists l1 => //; split=> // [c|i].
  rewrite !inE => /orP[/eqP -> //|/eqP -> /=]; exact/Z.le_0_sub.
rewrite !cell_sum_cons w1 /= addr0 mulrDr.
have share : IZR moved = lambda * IZR a.1.1 by rewrite /lambda divfK // gt_eqF.
rewrite IZRB share -[X in X - _]mul1r -mulrBl; have /andP[l0 l1'] := l01.
have l1'' : 0 <= 1 - lambda by rewrite subr_ge0.
have part k (b : bool) : 0 <= k -> k * IZR a.1.1 * b%:R <= IZR S * (k * x.1.1 * b%:R).
  by move=> k0; rewrite mulrA ler_wpmul2r ?ler0n // mulrCA ler_wpmul2l.
by apply: ler_add; exact: part.
Qed.

Lemma cell_sum_cat cs cs' i : IZR (cell_sum (cs ++ cs') i) = IZR (cell_sum cs i) + IZR (cell_sum cs' i).
Proof.
by elim: cs => [|c cs IH]; rewrite ?add0r // cat_cons !cell_sum_cons IH addrA.
Qed.

Lemma leaf_cells_below l atoms : represented s p l atoms ->
  let cells := flatten [seq split_cells f s logs suggested u v a | a <- atoms] in
  exists2 l', scattered l l' & [/\ nonneg_atoms l', all on_mesh_atom l',
    (forall c, c \in cells -> Z.le 0 c.2) &
    forall i, IZR (cell_sum cells i) <= IZR S * key_weight l' i].
Proof.
elim=> {l atoms} [|x a l atoms r _ [l' sp [n0 on c0 below]]] /=.
  exists [::]; first by move=> F _; rewrite !big_nil.
  by split=> // i; rewrite /key_weight big_nil mulr0.
have [l1 sp1 [n1 on1 c1 below1]] := atom_cells_below r.
exists (l1 ++ l'); first exact: (scattered_cat sp1 sp).
split; [by rewrite /nonneg_atoms all_cat -/(nonneg_atoms _) n1|by rewrite all_cat on1| |].
  by move=> c; rewrite mem_cat => /orP[/c1|/c0].
by move=> i; rewrite cell_sum_cat key_weight_cat mulrDr ler_add.
Qed.
End Cells.
