(** The verified checker: what the checks of `grid` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons CheckerClosed Tables CheckerGrid.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** kept_down is the sum over s of w(s) max(0, one - z(s)), z(s) = step^(top - s) z_top. *)
Lemma zsum_cat s t : zsum (s ++ t) = (zsum s + zsum t)%coqZ.
Proof. by elim: s => [|x s IH] //=; rewrite IH; lia. Qed.

Lemma kept_downE f step z ws :
  kept_down f step z (rev ws) =
  kept_sum (2 ^ bits f)%coqZ (nth Z0 ws) (fun i => iter (size ws - i.+1) step z) (iota 0 (size ws)).
Proof.
elim/last_ind: ws z => [|ws w IH] z //.
rewrite rev_rcons /= IH /kept_sum size_rcons -addn1 iotaD map_cat zsum_cat add0n /=.
rewrite nth_rcons ltnn eqxx addn1 subSS subnn /= Z.add_0_r Z.add_comm; congr (_ + _)%coqZ.
congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
rewrite nth_rcons lt; congr (_ * Z.max 0 (_ - _))%coqZ.
by rewrite -iterSr -subSn.
Qed.

Section Sound.
Variables (f : effort) (s : subject) (p : plan).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.
Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let L := ledger_of s.
Let u := real s (unit_of p).

(** The multiples, listed one by one like the mechanisms. *)
Definition multiples_of (es : seq entry) (rs : seq rounding) : seq nat :=
  flatten [seq nseq (Z.to_nat (count er.1)) (multiple er.2) | er <- zip es rs].
Let multiples := multiples_of (entries s) (roundings p).

Lemma real_units m : real s (units m p) = IZR m * u.
Proof. exact: real_scale. Qed.

Lemma unitsE n : real s (units (Z.of_nat n) p) = u *+ n.
Proof.
rewrite real_units -INR_IZR_INZ -mulr_natl; congr (_ * _).
by elim: n => [|n IH] //; rewrite S_INR IH -addn1 natrD.
Qed.

Lemma rounded_le upward : plan_ok f s upward p ->
  all2 (fun (x : R) n => if upward then x <= u *+ n else u *+ n <= x) (epsilons L) multiples.
Proof.
case/and4P=> /Nat.eqb_eq sz _ _ /and4P[_ _ _ H]; rewrite /L /multiples /ledger_of /multiples_of /epsilons.
elim: (entries s) (roundings p) sz H => [|e es IH] [|r rs] //= [sz] /andP[/and3P[h _ _] H].
rewrite map_cat map_nseq; set c := Z.to_nat (count e).
have {}h : if upward then real s (epsilon e) <= u *+ multiple r else u *+ multiple r <= real s (epsilon e).
  by clear -h ok; move: h => /(at_least_0_sound ok); rewrite -unitsE; case: upward => h;
     move: h; rewrite real_sub subr_ge0.
elim: c => [|n IHn] /=; first exact: IH.
by rewrite IHn h.
Qed.

Definition truthful_or_not (n : nat) : {poly R} :=
  (exp (u *+ n) / (1 + exp (u *+ n)))%:P + (1 / (1 + exp (u *+ n)))%:P * 'X^n.

Lemma grid_weightE n : grid_weight u multiples n = (\prod_(k <- multiples) truthful_or_not k)`_n.
Proof.
rewrite /grid_weight /untruthful_weight weight_polynomial.
have -> // : \prod_(l <- [seq rr_atoms (exp (u *+ k)) 0%N k | k <- multiples])
    (\sum_(x <- l) (x.1.1)%:P * 'X^(x.2)) = \prod_(k <- multiples) truthful_or_not k.
rewrite big_map; apply: eq_bigr => k _.
by rewrite !big_cons big_nil addr0 /= expr0 mulr1.
Qed.

Lemma truthful_or_not0 : truthful_or_not 0 = 1.
Proof.
rewrite /truthful_or_not mulr0n exp_0 expr0 mulr1 -polyCD -mulrDl divff //.
by rewrite gt_eqF // addr_gt0 ?ltr01.
Qed.

Let scale0 upward : plan_ok f s upward p -> Z.lt 0 (scale p) /\ Z.lt 0 (finer p).
Proof. by case/and4P=> _ /Z.ltb_lt h1 /Z.ltb_lt h2 _. Qed.

Lemma block_below upward e r : plan_ok f s upward p -> Z.le 0 (count e) -> (0 < multiple r)%N ->
  rounded_ok f s upward p e r ->
  stays_below (scale p) (truthful_or_not (multiple r) ^+ Z.to_nat (count e)) (block f p e r).
Proof.
move=> pok c0 r0 /and3P[_ hlo hhi].
have x0 := exp_at_least_ge0 hlo; have x1 := exp_at_most_gt0 hhi.
have := exp_at_least_sound ok hlo; have := exp_at_most_sound ok hhi.
have [S0 G0] := scale0 pok; rewrite /block -/one.
set S := (scale p * finer p)%coqZ; have SG0 : Z.lt 0 S by exact: Z.mul_pos_pos.
have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite unitsE; set E := exp (u *+ multiple r); rewrite expN -/E => hi lo.
have E0 : 0 < E by exact: exp_gt0.
have E1 : 0 < 1 + E by rewrite addr_gt0 ?ltr01.
have En : E != 0 by rewrite gt_eqF.
have one_high : Z.lt 0 (one + x_high r) := Z.add_pos_pos _ _ one0 x1.
have one_low : Z.lt 0 (one + x_low r) := Z.add_pos_nonneg _ _ one0 x0.
have pQ : IZR (floor_div (S * one) (one + x_high r)) <= IZR S * (E / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
  rewrite mulrA ler_pdivl_mulr // IZRD mulrDr mulr1 mulrDl addrC ler_add //.
  by rewrite -ler_pdivr_mulr.
have qQ : IZR (floor_div (S * x_low r) (one + x_low r)) <= IZR S * (1 / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
  rewrite mulrA mulr1 ler_pdivl_mulr // IZRD mulrDr mulr1 addrC ler_add //.
  by rewrite -ler_pdivl_mulr.
have table n : stays_below (scale p) (truthful_or_not (multiple r) ^+ Pos.to_nat n)
    (divided (finer p) (power S (base (multiple r) (floor_div (S * one) (one + x_high r))
      (floor_div (S * x_low r) (one + x_low r))) n)).
  apply: divided_below => //; apply: power_below => //; apply: base_below => //.
    by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; exact: Z.lt_le_incl.
  by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
move: c0; case: (count e) => [|n|n] c0; [exact: below_one|exact: table|].
by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg n)).
Qed.

Lemma table_below upward : plan_ok f s upward p ->
  stays_below (scale p) (\prod_(k <- multiples) truthful_or_not k) (table f s p).
Proof.
move=> pok; have [S0 _] := scale0 pok.
have /and4P[/Nat.eqb_eq sz _ _ /and4P[_ _ _ H]] := pok.
suff [Ps b e] : exists2 Ps, all_below (scale p) Ps (blocks f p (entries s) (roundings p)) &
    \prod_(P <- Ps) P = \prod_(k <- multiples) truthful_or_not k.
  by rewrite -e; exact: product_all_below.
rewrite /multiples /multiples_of; move: (entries_ok ok) sz H.
elim: (entries s) (roundings p) => [|e es IH] [|r rs] //= Eok.
  by move=> _ _; exists [::]; [constructor|rewrite !big_nil].
move=> [sz] /andP[h H]; have [c0 _ _ _] := List.Forall_inv Eok; have Es := List.Forall_inv_tail Eok.
have [Ps b eq] := IH rs Es sz H.
rewrite big_cat /= big_nseq -eq.
have powE (P : {poly R}) n : iter n ( *%R P) 1 = P ^+ n.
  by elim: n => [|n IHn] //=; rewrite IHn exprS.
have powE' (P Q : {poly R}) n : iter n ( *%R P) Q = P ^+ n * Q.
  by elim: n => [|n IHn] /=; rewrite ?mul1r // IHn exprS mulrA.
case r0 : (multiple r) => [|m].
  exists Ps => //; rewrite truthful_or_not0 powE' expr1n !mul1r //.
exists (truthful_or_not (multiple r) ^+ Z.to_nat (count e) :: Ps).
  by constructor=> //; apply: (block_below pok) => //; rewrite r0.
by rewrite big_cons powE' r0 mulr1.
Qed.

(** A, the sum of all multiples. *)
Lemma total_multipleE upward : plan_ok f s upward p ->
  IZR (total_multiple s p) * u = u *+ sumn multiples.
Proof.
case/and4P=> /Nat.eqb_eq sz _ _ _; rewrite /total_multiple /multiples /multiples_of.
move: (entries_ok ok) sz; elim: (entries s) (roundings p) => [|e es IH] [|r rs] //= Eok.
  by rewrite mul0r mulr0n.
move=> [sz].
have [c0 _ _ _] := List.Forall_inv Eok; have Es := List.Forall_inv_tail Eok.
rewrite sumn_cat mulrnDr -IH // IZRD mulrDl IZRM; congr (_ + _).
rewrite sumn_nseq mulrnA -[X in X = _]mulrA IZR_to_nat // mulr_natl; congr (_ *+ _).
by rewrite -unitsE real_units.
Qed.

Lemma rest_atE upward x i : plan_ok f s upward p ->
  real s (rest_at s p x i) = grid_rest (real s x) u multiples i.
Proof.
move=> pok; rewrite /rest_at real_sub real_units /grid_rest; congr (_ - _).
rewrite IZRB mulrBl (total_multipleE pok) IZRM; congr (_ - _).
by rewrite -mulrA -real_units unitsE (_ : IZR 2 = 2%:R) // mulr_natl.
Qed.

(** Delta. *)
Lemma Delta_fraction_sound a b : Z.lt 0 b ->
  Z.lt 0 (Delta_fraction s a b).2 /\
  IZR (Delta_fraction s a b).1 / IZR (Delta_fraction s a b).2 = slack L (fraction a b).
Proof.
move=> b0; rewrite /Delta_fraction /=.
have [k0 w0 e] : [/\ Z.lt 0 (kept_above s), Z.lt 0 (kept_below s) &
    \prod_(m <- L) (1 - m.2) = IZR (kept_above s) / IZR (kept_below s)].
  rewrite /kept_above /kept_below /L /ledger_of; elim: (entries_ok ok) => [|e es [c0 a0 ab _] _ [h1 h2 h3]] /=.
    by split=> //; rewrite big_nil (divff (oner_neq0 _)).
  have p1 : Z.lt 0 ((below e - above e) ^ count e) by apply: Z.pow_pos_nonneg => //; apply/Z.lt_0_sub.
  have b0' : Z.lt 0 (below e) := Z.le_lt_trans _ _ _ a0 ab.
  have p2 : Z.lt 0 (below e ^ count e) by apply: Z.pow_pos_nonneg.
  split; try exact: Z.mul_pos_pos.
  rewrite big_cat /= h3 big_nseq !IZRM invfM mulrACA; congr (_ * _).
  have powE (c : R) n : iter n ( *%R c) 1 = c ^+ n by elim: n => [|n IHn] //=; rewrite IHn exprS.
  have b1 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  have IZRX (c : Z) : IZR (c ^ count e) = IZR c ^+ Z.to_nat (count e).
    rewrite -{1}(Z2Nat.id (count e) c0) -pow_IZR.
    by elim: (Z.to_nat _) => [|n IHn] //=; rewrite IHn exprS.
  rewrite powE !IZRX -expr_div_n; congr (_ ^+ _).
  by rewrite /fraction IZRB mulrBl divff // gt_eqF.
have B0 : IZR b != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have K0 : IZR (kept_above s) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
split; first exact: Z.mul_pos_pos.
rewrite /slack e /fraction IZRB !IZRM IZRB mulrBl divff ?mulf_neq0 //; congr (1 - _).
rewrite invfM invf_div mulrACA mulrBl divff // mulrBl divff //.
Qed.
End Sound.
