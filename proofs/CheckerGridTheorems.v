(** The verified checker: soundness of [check_grid_upper] and [check_grid_lower]. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons CheckerClosed Tables CheckerGrid CheckerGridSound.
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
Let multiples := multiples_of (entries s) (roundings p).

(** r_i = r_top + 2u (top - i). *)
Lemma grid_rest_step i n : (i <= n)%N ->
  grid_rest (real s x) u multiples i = grid_rest (real s x) u multiples n + (u *+ 2) *+ (n - i).
Proof.
move=> le; rewrite /grid_rest.
have -> : u *+ n *+ 2 = u *+ i *+ 2 + u *+ 2 *+ (n - i).
  by rewrite -!mulrnA -mulrnDr [(2 * _)%N]mulnC -mulnDl subnKC.
by rewrite opprD addrA [RHS]addrAC subrK.
Qed.

Let u2_step : exp_at_least f s (z_step p) (units 2 p) -> subject_ok f s ->
  IZR (z_step p) <= IZR one * exp (- (u *+ 2)).
Proof.
move=> h ok; have := exp_at_least_sound ok h.
by rewrite real_units (_ : IZR 2 = 2%:R) // mulr_natl.
Qed.

Lemma zsumE (ws : seq Z) : zsum ws = zsum [seq nth Z0 ws i | i <- iota 0 (size ws)].
Proof. by rewrite -/(mkseq _ _) mkseq_nth. Qed.

Theorem check_grid_upper_sound : check_grid_upper f s p x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
rewrite /check_grid_upper; case E : (Delta_fraction s a b) => [d e].
case/and4P=> ok pok /Z.ltb_lt b0 /and5P[/Nat.leb_le/ssrnat.leP tw hz hq htop /Z.leb_le check].
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have /and4P[_ /Z.ltb_lt S0 _ /and4P[hu /Z.leb_le z0 /Z.leb_le q0 _]] := pok.
have u0 : 0 <= u := at_least_0_sound ok hu.
have [e0 slackE] := Delta_fraction_sound ok a b0; rewrite E /= in e0 slackE.
set w := table f s p in tw check htop; pose M := size w.
pose z i := if (i <= top p)%N then iter (top p - i) (fun z => floor_div (z * z_step p) one) (z_top p)
  else one.
have bel := table_below ok pok.
have rule := @rule_grid_upper (ledger_of s) (real s x) (fraction a b) u multiples M (scale p) one
  (floor_div (one * d) e) (nth Z0 w) z (ledger_proper ok) S0 one0.
apply: rule.
- by move=> i _; case: (bel i).
- by move=> i _; rewrite grid_weightE; case: (bel i).
- exact: (rounded_le ok pok).
- move=> i iM; rewrite /z; case: leqP => h.
    rewrite (grid_rest_step h); apply: iter_floor => //; last exact: u2_step hq ok.
    by have := exp_at_least_sound ok hz; rewrite (rest_atE ok _ _ pok).
  have {htop} h0 : grid_rest (real s x) u multiples (top p).+1 <= 0.
    case/orP: htop => [/Nat.leb_le/ssrnat.leP|/(at_least_0_sound ok)].
      by rewrite leqNgt (leq_ltn_trans h iM).
    by rewrite real_scale (_ : IZR (-1) = -1) // mulN1r (rest_atE ok _ _ pok) oppr_ge0.
  rewrite ler_pemulr ?(ltW one0') // exp_ge1 oppr_ge0; apply: le_trans h0.
  by rewrite (grid_rest_step h) ler_addl !mulrn_wge0.
- have := floor_div_below (x := (one * d)%coqZ) (y := e) (c := IZR one * slack (ledger_of s) (fraction a b)) e0.
  apply; rewrite IZRM mulrCA -slackE [IZR e * _]mulrC divfK //.
  by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
- move: check; rewrite kept_downE size_take -/one.
  have sz : (if ((top p).+1 < size w)%N then (top p).+1 else size w) = (top p).+1.
    by case: ltnP => // h; apply/eqP; rewrite eqn_leq tw h.
  rewrite sz; have -> : lost (scale p) (nth Z0 w) (iota 0 M) = (scale p - zsum w)%coqZ.
    by rewrite /lost [X in _ = (_ - X)%coqZ]zsumE.
  suff -> : kept_sum one (nth Z0 w) z (iota 0 M) =
      kept_sum one (nth Z0 (take (top p).+1 w))
        (fun i => iter ((top p).+1 - i.+1) (fun z0 => floor_div (z0 * z_step p) one) (z_top p))
        (iota 0 (top p).+1) by [].
  rewrite /kept_sum /M -{1}(subnKC tw) iotaD map_cat zsum_cat add0n.
  have -> : zsum [seq (nth Z0 w i * Z.max 0 (one - z i))%coqZ
      | i <- iota (top p).+1 (size w - (top p).+1)] = Z0.
    have zero i : (i \in iota (top p).+1 (size w - (top p).+1)) ->
        (nth Z0 w i * Z.max 0 (one - z i))%coqZ = Z0.
      rewrite mem_iota => /andP[h _]; rewrite /z leqNgt h /= Z.sub_diag Z.max_id.
      exact: Z.mul_0_r.
    by elim: (iota _ _) zero => [|i r IH] zero //=; rewrite zero ?mem_head // IH // => j jr;
       apply: zero; rewrite inE jr orbT.
  rewrite Z.add_0_r; congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
  by rewrite nth_take // /z -ltnS lt subSS.
Qed.

Theorem check_grid_lower_sound : check_grid_lower f s p x a b ->
  lower (ledger_of s) (real s x) (fraction a b).
Proof.
rewrite /check_grid_lower; case E : (Delta_fraction s a b) => [d e].
case/and4P=> ok pok /Z.ltb_lt b0 /and4P[/Nat.eqb_eq tw hz hq /Z.ltb_lt check].
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have /and4P[_ /Z.ltb_lt S0 _ /and4P[hu _ _ _]] := pok.
have u0 : 0 <= u := at_least_0_sound ok hu.
have [e0 slackE] := Delta_fraction_sound ok a b0; rewrite E /= in e0 slackE.
set w := take (top p).+1 (table f s p) in tw check.
have bel := table_below ok pok.
have nth_w i : (i < (top p).+1)%N -> nth Z0 w i = nth Z0 (table f s p) i by move=> h; rewrite nth_take.
have rule := @rule_grid_lower (ledger_of s) (real s x) (fraction a b) u multiples (top p).+1
  (scale p) one (ceil_div (one * d) e) (nth Z0 w)
  (fun i => iter ((top p).+1 - i.+1) (fun z0 => ceil_div (z0 * z_step p) one) (z_top p))
  (ledger_proper ok) u0 S0 one0.
apply: rule.
- by move=> i h; rewrite nth_w //; case: (bel i).
- by move=> i h; rewrite nth_w // grid_weightE; case: (bel i).
- exact: (rounded_le ok pok).
- move=> i h; rewrite subSS (grid_rest_step (n := top p)) //; apply: iter_ceil => //.
    by have := exp_at_most_sound ok hz; rewrite (rest_atE ok _ _ pok).
  by have := exp_at_most_sound ok hq; rewrite real_units (_ : IZR 2 = 2%:R) // mulr_natl.
- have /RleP := ceil_div_ge (one * d) e e0; rewrite RdivE; last first.
    by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
  by rewrite IZRM -mulrA slackE.
- by move: check; rewrite kept_downE tw.
Qed.
End Theorems.
