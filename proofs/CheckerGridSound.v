(** The verified checker: what the checks of `grid` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons Enclosures CheckerClosed Packing Tables CheckerDelta.
From ExactDP Require Import CheckerGrid.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** kept_down is the sum over s of w(s) max(0, one - z(s)), z(s) = step^(top - s) z_top. *)
Lemma zsum_cat s t : zsum (s ++ t) = (zsum s + zsum t)%coqZ.
Proof. by elim: s => [|x s IH] //=; rewrite IH; lia. Qed.

Lemma kept_downE f sum step z ws :
  kept_down f sum step z (rev ws) = (sum +
  kept_sum (2 ^ bits f) (nth Z0 ws) (fun i => iter (size ws - i.+1) step z) (iota 0 (size ws)))%coqZ.
Proof.
elim/last_ind: ws sum z => [|ws w IH] sum z; first by rewrite /kept_sum /= Z.add_0_r.
rewrite rev_rcons /= IH /kept_sum size_rcons -addn1 iotaD map_cat zsum_cat add0n /=.
rewrite nth_rcons ltnn eqxx addn1 subSS subnn /= Z.add_0_r -Z.add_assoc; congr (_ + _)%coqZ.
rewrite Z.add_comm; congr (_ + _)%coqZ.
congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
rewrite nth_rcons lt; congr (_ * Z.max 0 (_ - _))%coqZ.
by rewrite -iterSr -subSn.
Qed.

Lemma kept_down_zeros f sum step z ws k :
  kept_down f sum step z (ws ++ nseq k Z0) = kept_down f sum step z ws.
Proof.
elim: ws sum z => [|w ws IH] sum z /=; last exact: IH.
by elim: k sum z => [|k IH] sum z //=; rewrite IH Z.add_0_r.
Qed.

Lemma size_flat w : size (flat w) = end_of w.
Proof. by rewrite /end_of lengthE size_ncons plusE. Qed.

Lemma kept_from_top f step z top w : (top < end_of w)%N ->
  kept_down f Z0 step z (from_top top w) =
  kept_sum (2 ^ bits f)%coqZ (nth Z0 (flat w)) (fun i => iter (top - i) step z) (iota 0 top.+1).
Proof.
case: w => o t le.
have e : rev (take top.+1 (flat (o, t))) = from_top top (o, t) ++ nseq (minn top.+1 o) Z0.
  rewrite /from_top /end_of lengthE drop_rev /flat /= -cat_nseq take_cat size_nseq minusE plusE.
  case: (ltnP top.+1 o) => h.
    rewrite take_nseq 1?(ltnW h) // rev_nseq.
    by rewrite (_ : (size t - _)%N = 0%N) ?take0 //; lia.
  rewrite rev_cat rev_nseq; congr (rev _ ++ _); congr take.
  by move: le; rewrite /end_of lengthE /=; lia.
rewrite -[LHS](kept_down_zeros _ _ _ _ _ (minn top.+1 o)) -e kept_downE Z.add_0_l.
have sz : size (take top.+1 (flat (o, t))) = top.+1 by apply: size_takel; rewrite size_flat.
rewrite sz; congr zsum; apply/eq_in_map => i; rewrite mem_iota add0n => /= lt.
by rewrite nth_take // subSS.
Qed.

Lemma sum_of_zsum w : sum_of w.2 = zsum (flat w).
Proof.
case: w => o t; rewrite sum_ofE; elim: o => [|o IH] /=; last exact: IH.
by elim: t => [|x t IH] //; rewrite packed0_cons IH.
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
Definition multiples_of (es : seq entry) (ns : seq nat) : seq nat :=
  flatten [seq nseq (Z.to_nat (count er.1)) er.2 | er <- zip es ns].
Let multiples := multiples_of (entries s) (CheckerGrid.multiples p).

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
case/and5P=> /Nat.eqb_eq sz _ _ _ H; rewrite /L /multiples /ledger_of /multiples_of /epsilons.
elim: (entries s) (CheckerGrid.multiples p) sz H => [|e es IH] [|n ns] //= [sz] /andP[h H].
rewrite map_cat map_nseq; set c := Z.to_nat (count e).
have {}h : if upward then real s (epsilon e) <= u *+ n else u *+ n <= real s (epsilon e).
  by clear -h ok; move: h => /(nonneg_real ok erefl); rewrite -unitsE; case: upward => h;
     move: h; rewrite real_sub subr_ge0.
elim: c => [|m IHm] /=; first exact: IH.
by rewrite IHm h.
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
Proof. by case/and5P=> _ /Z.ltb_lt h1 /Z.ltb_lt h2 _. Qed.

Lemma truthful_or_not_spread n : truthful_or_not n = truth_polynomial (exp (u *+ n)) \Po 'X^n.
Proof. by rewrite comp_polyD comp_polyM !comp_polyC comp_polyX. Qed.

Section Tables.
Variable eu : enclosure.
Hypothesis ue : IZR (Z.max 0 eu.1) <= IZR one * exp (- u) <= IZR eu.2.

Lemma block_below upward e n : plan_ok f s upward p -> Z.le 0 (count e) -> (0 < n)%N ->
  stays_below (scale p) (truthful_or_not n ^+ Z.to_nat (count e)) (block f p eu e n).
Proof.
move=> pok c0 n0; have [S0 G0] := scale0 pok; rewrite /block -/one truthful_or_not_spread -rmorphX.
have [x0 lo] := exp_down_sound ok ue n; have hi := exp_up_sound ok ue n.
case: (count e) c0 => [|c|c] c0; last by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg c)).
  by rewrite rmorphX expr0; exact: below_one.
apply: spread_below => //; apply: block_of_below => //; first exact: exp_gt0.
by rewrite -expN lo hi.
Qed.

Lemma table_below upward : plan_ok f s upward p ->
  stays_below (scale p) (\prod_(k <- multiples) truthful_or_not k) (table f s p eu).
Proof.
move=> pok; have [S0 _] := scale0 pok; have /and5P[/Nat.eqb_eq sz _ _ _ _] := pok.
suff [Ps b e] : exists2 Ps, all_below (scale p) Ps (blocks f p eu (entries s) (CheckerGrid.multiples p)) &
    \prod_(P <- Ps) P = \prod_(k <- multiples) truthful_or_not k.
  by rewrite -e; exact: product_all_below.
rewrite /multiples /multiples_of; move: (entries_ok ok) sz.
elim: (entries s) (CheckerGrid.multiples p) => [|e es IH] [|n ns] //= Eok.
  by move=> _; exists [::]; [constructor|rewrite !big_nil].
move=> [sz]; have [c0 _ _ _] := List.Forall_inv Eok; have Es := List.Forall_inv_tail Eok.
have [Ps b eq] := IH ns Es sz.
rewrite big_cat /= big_nseq -eq.
have powE (P Q : {poly R}) k : iter k ( *%R P) Q = P ^+ k * Q.
  by elim: k => [|k IHk] /=; rewrite ?mul1r // IHk exprS mulrA.
case: n => [|n].
  by exists Ps => //; rewrite truthful_or_not0 powE expr1n !mul1r.
exists (truthful_or_not n.+1 ^+ Z.to_nat (count e) :: Ps).
  by constructor=> //; exact: (block_below pok).
by rewrite big_cons powE mulr1.
Qed.
End Tables.

(** A, the sum of all multiples. *)
Lemma total_multipleE upward : plan_ok f s upward p ->
  IZR (total_multiple s p) * u = u *+ sumn multiples.
Proof.
case/and5P=> /Nat.eqb_eq sz _ _ _ _; rewrite /total_multiple /multiples /multiples_of.
move: (entries_ok ok) sz; elim: (entries s) (CheckerGrid.multiples p) => [|e es IH] [|n ns] //= Eok.
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
End Sound.
