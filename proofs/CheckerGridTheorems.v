(** The verified checker: soundness of [check_grid_upper] and [check_grid_lower]. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons Enclosures CheckerClosed Tables CheckerDelta CheckerGrid.
From ExactDP Require Import CheckerGridSound.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Powers.
Variables (one step z : Z) (r u : R).
Hypotheses (one0 : Z.lt 0 one) (step0 : Z.le 0 step) (z0 : Z.le 0 z).
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma iter_floor_ge0 n : Z.le 0 (iter n (fun z => floor_div (z * step) one) z).
Proof. by elim: n => [|n IH] //=; apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg. Qed.

Lemma iter_floor n : IZR z <= IZR one * exp (- r) -> IZR step <= IZR one * exp (- u) ->
  IZR (iter n (fun z => floor_div (z * step) one) z) <= IZR one * exp (- (r + u *+ n)).
Proof.
move=> zr su; elim: n => [|n IH]; first by rewrite mulr0n addr0.
rewrite iterS; apply: floor_div_below => //; rewrite IZRM.
have -> : IZR one * (IZR one * exp (- (r + u *+ n.+1))) =
    (IZR one * exp (- (r + u *+ n))) * (IZR one * exp (- u)).
  by rewrite mulrACA -expD mulrSr -mulrA -opprD addrA.
by apply: ler_pmul => //; apply: IZR_ge0; first exact: iter_floor_ge0.
Qed.

Lemma iter_ceil n : IZR one * exp (- r) <= IZR z -> IZR one * exp (- u) <= IZR step ->
  IZR one * exp (- (r + u *+ n)) <= IZR (iter n (fun z => ceil_div (z * step) one) z).
Proof.
move=> zr su; elim: n => [|n IH]; first by rewrite mulr0n addr0.
rewrite iterS; set y := iter n _ z in IH *.
have /RleP := ceil_div_ge (y * step) one one0; rewrite RdivE ?gt_eqF //; apply: le_trans.
rewrite ler_pdivl_mulr // IZRM mulrC.
have -> : IZR one * (IZR one * exp (- (r + u *+ n.+1))) =
    (IZR one * exp (- (r + u *+ n))) * (IZR one * exp (- u)).
  by rewrite mulrACA -expD mulrSr -mulrA -opprD addrA.
by apply: ler_pmul => //; rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
Qed.
End Powers.

Section Theorems.
Variables (f : effort) (s : subject) (p : plan) (x : combination) (a b : Z).
Let one := (2 ^ bits f)%coqZ.
Let u := real s (unit_of p).
Let L := ledger_of s.
Let multiples := multiples_of (entries s) (CheckerGrid.multiples p).

(** r_i = r_top + 2u (top - i). *)
Lemma grid_rest_step i n : (i <= n)%N ->
  grid_rest (real s x) u multiples i = grid_rest (real s x) u multiples n + (u *+ 2) *+ (n - i).
Proof.
move=> le; rewrite /grid_rest.
have -> : u *+ n *+ 2 = u *+ i *+ 2 + u *+ 2 *+ (n - i).
  by rewrite -!mulrnA -mulrnDr [(2 * _)%N]mulnC -mulnDl subnKC.
by rewrite opprD addrA [RHS]addrAC subrK.
Qed.

Section Checked.
Variable upward : bool.
Hypotheses (ok : subject_ok f s) (pok : plan_ok f s upward p) (Dok : Delta_ok s (delta_bits p) a b).

Let pos0 z : Z.lt 0 z -> 0 < IZR z. Proof. by move=> h; rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let one0 : Z.lt 0 one. Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le. Qed.
Let units0 : Z.lt 0 (2 ^ delta_bits p).
Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le. Qed.

Lemma unit_ge0 : 0 <= u.
Proof. by case/and5P: pok => _ _ _ /(at_least_0_sound ok). Qed.

Lemma limit_below :
  IZR (floor_div (one * Delta_low s (delta_bits p) a b) (2 ^ delta_bits p)) <=
  IZR one * slack L (fraction a b).
Proof.
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW (pos0 one0)) //.
exact: (Delta_low_le ok Dok).
Qed.

Lemma limit_above :
  IZR one * slack L (fraction a b) <=
  IZR (ceil_div (one * Delta_high s (delta_bits p) a b) (2 ^ delta_bits p)).
Proof.
apply: ceil_div_above => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW (pos0 one0)) //.
exact: (Delta_high_ge ok Dok).
Qed.

(** What the enclosures are of. *)
Lemma with_tableP compare : with_table f s p x compare -> exists eu z,
  let top := top_of p (end_of (table f s p eu)) in
  [/\ compare eu (table f s p eu) top z, (top < end_of (table f s p eu))%N,
      IZR (Z.max 0 eu.1) <= IZR one * exp (- u) <= IZR eu.2 &
      IZR (Z.max 0 z.1) <= IZR one * exp (- grid_rest (real s x) u multiples top) <= IZR z.2].
Proof.
rewrite /with_table; case hu: (exp_minus f s _ (unit_of p)) => [eu|] //.
case hz: (exp_minus f s _ _) => [z|] // /andP[/Nat.leb_le/ssrnat.leP lt h].
exists eu, z; split=> //; first exact: (exp_minus_sound ok hu).
by have := exp_minus_sound ok hz; rewrite (rest_atE ok _ _ pok).
Qed.
End Checked.

Lemma zsumE (ws : seq Z) : zsum ws = zsum [seq nth Z0 ws i | i <- iota 0 (size ws)].
Proof. by rewrite -/(mkseq _ _) mkseq_nth. Qed.

Theorem check_grid_upper_sound : check_grid_upper f s p x a b -> upper L (real s x) (fraction a b).
Proof.
case/and4P=> ok pok Dok /(with_tableP ok pok)[eu [z0]]; set w := table f s p eu; set top := top_of p _.
case=> /andP[htop /Z.leb_le check] tw ue zr.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have S0 : Z.lt 0 (scale p) by case/and5P: pok => _ /Z.ltb_lt.
have u0 := unit_ge0 ok pok; have [q0 q] := exp_down_sound ok ue 2.
pose step v := floor_div (v * exp_down f eu 2) one.
pose z i := if (i <= top)%N then iter (top - i) step (Z.max 0 z0.1) else one.
have bel := table_below ok ue pok; rewrite -/w in bel.
apply: (@rule_grid_upper L (real s x) (fraction a b) u multiples (end_of w) (scale p) one
  (floor_div (one * Delta_low s (delta_bits p) a b) (2 ^ delta_bits p))%coqZ (nth Z0 (flat w)) z
  (ledger_proper ok) S0 one0).
- by move=> i _; case: (bel i).
- by move=> i _; rewrite grid_weightE; case: (bel i).
- exact: (rounded_le ok pok).
- move=> i iM; rewrite /z; case: leqP => h.
    rewrite (grid_rest_step h); apply: iter_floor => //; first exact: Z.le_max_l.
    by case/andP: zr.
  have {htop} h0 : grid_rest (real s x) u multiples top.+1 <= 0.
    case/orP: htop => [/Nat.leb_le/ssrnat.leP|/(at_least_0_sound ok)].
      by rewrite leqNgt (leq_ltn_trans h iM).
    by rewrite real_scale (_ : IZR (-1) = -1) // mulN1r (rest_atE ok _ _ pok) oppr_ge0.
  rewrite ler_pemulr ?(ltW one0') // exp_ge1 oppr_ge0; apply: le_trans h0.
  by rewrite (grid_rest_step h) ler_addl !mulrn_wge0.
- exact: (limit_below ok Dok).
move: check; rewrite kept_from_top // -/one -/step.
have -> : lost (scale p) (nth Z0 (flat w)) (iota 0 (end_of w)) = (scale p - sum_of w.2)%coqZ.
  by rewrite /lost -size_flat -zsumE sum_of_zsum.
suff -> : kept_sum one (nth Z0 (flat w)) z (iota 0 (end_of w)) =
    kept_sum one (nth Z0 (flat w)) (fun i => iter (top - i) step (Z.max 0 z0.1)) (iota 0 top.+1) by [].
rewrite /kept_sum -{1}(subnKC tw) iotaD map_cat zsum_cat add0n.
have -> : zsum [seq (nth Z0 (flat w) i * Z.max 0 (one - z i))%coqZ
    | i <- iota top.+1 (end_of w - top.+1)] = Z0.
  have zero i : (i \in iota top.+1 (end_of w - top.+1)) ->
      (nth Z0 (flat w) i * Z.max 0 (one - z i))%coqZ = Z0.
    by rewrite mem_iota => /andP[h _]; rewrite /z leqNgt h /= Z.sub_diag Z.max_id Z.mul_0_r.
  elim: (iota _ _) zero => [|i r IH] zero //=; rewrite zero ?mem_head // IH // => j jr.
  by apply: zero; rewrite inE jr orbT.
rewrite Z.add_0_r; congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
by rewrite /z -ltnS lt.
Qed.

Theorem check_grid_lower_sound : check_grid_lower f s p x a b -> lower L (real s x) (fraction a b).
Proof.
case/and4P=> ok pok Dok /(with_tableP ok pok)[eu [z0]]; set w := table f s p eu; set top := top_of p _.
case=> /Z.ltb_lt check tw ue zr.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have S0 : Z.lt 0 (scale p) by case/and5P: pok => _ /Z.ltb_lt.
have bel := table_below ok ue pok; rewrite -/w in bel.
apply: (@rule_grid_lower L (real s x) (fraction a b) u multiples top.+1 (scale p) one
  (ceil_div (one * Delta_high s (delta_bits p) a b) (2 ^ delta_bits p))%coqZ (nth Z0 (flat w))
  (fun i => iter (top - i) (fun v => ceil_div (v * exp_up f eu 2) one) z0.2)
  (ledger_proper ok) (unit_ge0 ok pok) S0 one0).
- by move=> i _; case: (bel i).
- by move=> i _; rewrite grid_weightE; case: (bel i).
- exact: (rounded_le ok pok).
- move=> i h; rewrite (grid_rest_step (n := top)) //; apply: iter_ceil => //.
    by case/andP: zr.
  exact: (exp_up_sound ok ue 2).
- exact: (limit_above ok Dok).
by move: check; rewrite kept_from_top.
Qed.
End Theorems.
