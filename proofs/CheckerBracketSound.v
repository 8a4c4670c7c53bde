(** The verified checker: the leaves that the checks of the bracket gather are those of the rules. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Bracket Leaves Reals Rules Logarithms.
From ExactDP Require Import Comparisons EnclosuresOfNumbers CheckerClosed Tables KeyedTables.
From ExactDP Require Import CheckerGrid CheckerBracket.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.
Local Arguments Z.mul : simpl never.
Local Arguments Z.sub : simpl never.
Local Arguments Z.of_nat : simpl never.

Lemma coef_binomial (t l : R) c j :
  ((t%:P + l%:P * 'X) ^+ c)`_j = 'C(c, j)%:R * (t ^+ (c - j) * l ^+ j).
Proof.
rewrite exprDn coef_sum.
have term (i : 'I_c.+1) : ((t%:P ^+ (c - i) * (l%:P * 'X) ^+ i) *+ 'C(c, i))`_j =
    (j == i)%:R * ('C(c, i)%:R * (t ^+ (c - i) * l ^+ i)).
  by rewrite exprMn -!polyC_exp coefMn !coefCM coefXn -mulr_natl [RHS]mulrC -!mulrA.
under eq_bigr do rewrite term.
case: (ltnP j c.+1) => h.
  rewrite (bigD1 (Ordinal h)) //= eqxx mul1r big1 ?addr0 // => i ne.
  by case: eqP => [e|_]; [case/eqP: ne; apply: val_inj|rewrite mul0r].
rewrite big1 ?bin_small ?mul0r // => i _.
by rewrite gtn_eqF ?mul0r // (leq_trans (ltn_ord i)).
Qed.

Section Sound.
Variables (f : effort) (s : subject) (p : gathering).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.
Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let S := leaf_scale p.
Let logs := logarithms (bits f) (quotients s).
Let es := enclosures (bits f) (terms f) (quotients s).

Lemma same_eq x y : same x y -> x = y.
Proof.
case: x y => [a ks] [b ks'] /andP[/Z.eqb_eq /= -> h]; congr (_, _).
by elim: ks ks' h => [|k ks IH] [|k' ks'] //= /andP[/Z.eqb_eq -> /IH ->].
Qed.

Definition listed (gs : seq (combination * Z)) : seq R :=
  flatten [seq nseq (Z.to_nat g.2) (real s g.1) | g <- gs].

Lemma groups_of_listed :
  List.Forall (fun g => Z.le 0 g.2) (groups f s) /\
  [seq x <- listed (groups f s) | x != 0] = [seq x <- epsilons (ledger_of s) | x != 0].
Proof.
rewrite /groups -/es /ledger_of /epsilons; elim: (entries_ok ok) => [|e es' [c0 _ _ x0] _ [cs IH]] //=.
rewrite map_cat filter_cat map_nseq -IH; case: ifP => [zero|_].
  have -> : real s (epsilon e) = 0.
    apply/eqP; rewrite eq_le x0 andbT; have := nonneg_real ok erefl zero.
    by rewrite real_scale (_ : IZR (-1) = -1) // mulN1r oppr_ge0.
  by rewrite filter_nseq eqxx.
case: (groups_among f s es es') cs {IH} => [|[x c] gs'] cs.
  by split; [do !constructor|rewrite /listed /= !cats0].
case: ifP => [/same_eq -> |_]; last by split; [constructor|rewrite -filter_cat].
have c0' := List.Forall_inv cs; have cs' := List.Forall_inv_tail cs.
split; first by constructor=> //; exact: Z.add_nonneg_nonneg.
rewrite /listed /= Z2Nat.inj_add // -[(_ + _)%coq_nat]/(_ + _)%N nseqD.
by rewrite !filter_cat catA.
Qed.

(** The atom of a list as the program has it: its weight from below, its loss and its key. *)
Definition represents (x : R * R * Z) (a : atom) : Prop :=
  [/\ 0 <= x.1.1, x.1.2 = x.1.1 * exp (- real s a.1.2), x.2 = a.2, Z.le 0 a.1.1 &
   IZR a.1.1 <= IZR S * x.1.1].
Definition represented := List.Forall2 represents.

Hypothesis pok : gathering_ok f s p.
Let S0 : Z.lt 0 S. Proof. by case/and3P: pok => /Z.ltb_lt. Qed.
Let G0 : Z.lt 0 (leaf_finer p). Proof. by case/and3P: pok => _ /Z.ltb_lt. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition group_of (g : combination * Z) : group := (real s g.1, Z.to_nat g.2, key_of p g.1).

Let chances_ge0 x : 0 <= truthful x /\ 0 <= untruthful x.
Proof.
by rewrite !divr_ge0 ?ler01 ?addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
Qed.

Lemma group_block_below g : Z.le 0 g.2 ->
  stays_below S (((truthful (real s g.1))%:P + (untruthful (real s g.1))%:P * 'X) ^+ Z.to_nat g.2)
    (group_block f s p logs g).
Proof.
case: g => [x c] /=; rewrite /group_block /= -/one -/S.
case: c => [|n|n] c0 /=; [exact: below_one| |by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg n))].
case he: (exp_minus f s logs x) => [e|]; last first.
  move=> m; rewrite nth_nil coef_binomial; have [t0 l0] := chances_ge0 (real s x).
  by split; [exact: Z.le_refl|rewrite !mulr_ge0 ?exprn_ge0 ?ler0n ?(ltW S0')].
have /andP[low high] := exp_minus_sound ok he; move: low high.
set lo := Z.max 0 e.1; set hi := e.2; set Q := (S * leaf_finer p)%coqZ.
have x0 : Z.le 0 lo := Z.le_max_l _ _.
have Q0 : Z.lt 0 Q by exact: Z.mul_pos_pos.
have Q0' : 0 < IZR Q by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite /truthful /untruthful expN; set E := exp (real s x) => low high.
have E0 : 0 < E by exact: exp_gt0.
have E1 : 0 < 1 + E by rewrite addr_gt0 ?ltr01.
have En : E != 0 by rewrite gt_eqF.
have x1 : Z.lt 0 hi.
  by apply/Z.ltb_lt; rewrite -IZR_lt_iff; apply: lt_le_trans high; rewrite mulr_gt0 ?invr_gt0.
have one_high : Z.lt 0 (one + hi) := Z.add_pos_pos _ _ one0 x1.
have one_low : Z.lt 0 (one + lo) := Z.add_pos_nonneg _ _ one0 x0.
have pQ : IZR (floor_div (Q * one) (one + hi)) <= IZR Q * (E / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW Q0') //.
  rewrite mulrA ler_pdivl_mulr // IZRD mulrDr mulr1 mulrDl addrC ler_add //.
  by rewrite -ler_pdivr_mulr.
have qQ : IZR (floor_div (Q * lo) (one + lo)) <= IZR Q * (1 / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW Q0') //.
  rewrite mulrA mulr1 ler_pdivl_mulr // IZRD mulrDr mulr1 addrC ler_add //.
  by rewrite -ler_pdivl_mulr.
apply: divided_below => //; apply: power_below => //; apply: base_below => //.
  by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; exact: Z.lt_le_incl.
by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
Qed.

Lemma choicesE x k m n t : choices x k m n t =
  [seq (nth Z0 t j, cscale (m - 2 * Z.of_nat j) x, ((m - 2 * Z.of_nat j) * k)%coqZ) | j <- iota 0 n].
Proof.
elim: n m t => [|n IH] m t //=; rewrite Z.sub_0_r -nth0 IH; congr (_ :: _).
rewrite (iotaDl 1 0) -map_comp; apply: eq_map => j /=.
by rewrite nth_behead add1n (_ : (m - 2 - 2 * Z.of_nat j = m - 2 * Z.of_nat j.+1)%coqZ) //; lia.
Qed.

Lemma IZR_of_nat n : IZR (Z.of_nat n) = n%:R.
Proof. by rewrite IZR_to_nat ?Nat2Z.id //; exact: Nat2Z.is_nonneg. Qed.

Lemma ratio (x : R) c j : (j <= c)%N ->
  truthful x ^+ j * untruthful x ^+ (c - j) =
  truthful x ^+ (c - j) * untruthful x ^+ j * exp (- (IZR (Z.of_nat c - 2 * Z.of_nat j) * x)).
Proof.
move=> jc; have -> : truthful x = exp x * untruthful x by rewrite /truthful /untruthful mulrA mulr1.
have powers n : exp x ^+ n = exp (n%:R * x).
  by elim: n => [|n IH]; rewrite ?expr0 ?mul0r ?exp_0 // exprS IH -expD -addn1 natrD mulrDl mul1r addrC.
move: (untruthful x) => l; rewrite !exprMn !powers.
have -> : exp (j%:R * x) = exp ((c - j)%:R * x) * exp (- (IZR (Z.of_nat c - 2 * Z.of_nat j) * x)).
  rewrite -expD IZRB IZRM !IZR_of_nat natrB // -mulNr -mulrDl; congr (exp (_ * x)).
  by rewrite (_ : IZR 2 = 1 + 1) //; ring.
by rewrite -!mulrA; congr (_ * _); rewrite mulrC -mulrA mulrCA.
Qed.

Lemma Forall2_iota (T T' : Type) (P : T -> T' -> Prop) h h' m n :
  (forall j, (j < m + n)%N -> P (h j) (h' j)) ->
  List.Forall2 P [seq h j | j <- iota m n] [seq h' j | j <- iota m n].
Proof.
elim: n m => [|n IH] m H; first by constructor.
by constructor; [apply: H; rewrite -addSnnS leq_addr|apply: IH => j; rewrite addSnnS; exact: H].
Qed.

Lemma group_represented g : Z.le 0 g.2 ->
  represented (group_atoms (group_of g)) (group_choices f s p logs g).
Proof.
case: g => [x c] c0; have below := group_block_below c0.
rewrite /group_choices choicesE; apply: Forall2_iota => j; rewrite add0n ltnS => jc.
have [b0 b] := below j; rewrite coef_binomial in b; have [t0 l0] := chances_ge0 (real s x).
split=> //=; first by rewrite !mulr_ge0 ?exprn_ge0 ?ler0n.
- by rewrite ratio // real_scale Z2Nat.id // mulrA.
- by rewrite Z2Nat.id.
Qed.

Lemma Forall2_pairs (T U V T' U' V' : Type) (P : T -> T' -> Prop) (Q : U -> U' -> Prop)
    (W : V -> V' -> Prop) h h' l l' m m' :
  (forall x x' y y', P x x' -> Q y y' -> W (h x y) (h' x' y')) ->
  List.Forall2 P l l' -> List.Forall2 Q m m' ->
  List.Forall2 W [seq h x y | x <- l, y <- m] [seq h' x y | x <- l', y <- m'].
Proof.
move=> H Pl Qm; elim: Pl => [|x x' l1 l1' px _ IH] /=; first by constructor.
apply: List.Forall2_app => //; elim: Qm => [|y y' m1 m1' qy _ IH'] /=; constructor=> //; exact: H.
Qed.

Lemma real_add x y : real s (cadd x y) = real s x + real s y.
Proof. by rewrite /real value_add mulrDl. Qed.

Lemma leaf_represented leaf : List.Forall (fun g => Z.le 0 g.2) leaf ->
  represented (atoms_of [seq group_of g | g <- leaf]) (leaf_atoms f s p logs leaf).
Proof.
elim=> [|g leaf' c0 _ IH] /=.
  constructor; last by constructor.
  split; rewrite ?ler01 ?mulr1 //=; last exact: Z.lt_le_incl.
  by rewrite /real /value /= mul1r; case: (quotients s) => *; rewrite /= addr0 mul0r oppr0 exp_0.
apply: Forall2_pairs (group_represented c0) IH => x a y b.
case=> x0 xq xk a0 xa [y0 yq yk b0 yb]; split=> /=.
- exact: mulr_ge0.
- by rewrite xq yq real_add opprD expD mulrACA.
- by rewrite xk yk.
- by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
- apply: floor_div_below => //; rewrite IZRM.
  have -> : IZR S * (IZR S * (x.1.1 * y.1.1)) = (IZR S * x.1.1) * (IZR S * y.1.1).
    by rewrite mulrACA mulrA.
  by apply: ler_pmul; rewrite ?IZR_ge0.
Qed.

(** The leaves. *)
Definition leaves := [seq [seq group_of g | g <- leaf] | leaf <- reshape (shape p) (groups f s)].

Let flat : flatten (reshape (shape p) (groups f s)) = groups f s.
Proof. by apply: reshapeKr; case/and3P: pok => _ _ /Nat.leb_le/ssrnat.leP. Qed.

Lemma leaves_partition :
  perm_eq [seq x <- epsilons_of (flatten leaves) | x != 0]
          [seq x <- epsilons (ledger_of s) | x != 0].
Proof.
rewrite -(proj2 groups_of_listed) /leaves -map_flatten flat.
by rewrite /epsilons_of /listed -map_comp.
Qed.

Lemma leaves_represented :
  List.Forall2 (fun leaf l => represented (atoms_of leaf) l) leaves
    [seq leaf_atoms f s p logs leaf | leaf <- reshape (shape p) (groups f s)].
Proof.
have : List.Forall (fun g => Z.le 0 g.2) (flatten (reshape (shape p) (groups f s))).
  by rewrite flat; exact: (proj1 groups_of_listed).
rewrite /leaves; elim: (reshape _ _) => [|leaf ls IH] /=; first by constructor.
move/List.Forall_app=> [h /IH]; constructor=> //; exact: leaf_represented.
Qed.
End Sound.
