(** The verified checker: exact masses of the losses of tables and of randomized responses.

    A list holds the masses (p, q) of each loss, times a common denominator, in the order of p/q; where one
    of them is 0, a row has nothing in the overlap, and is left out.  A group of equal mechanisms multiplies
    the list by its rows, once for each, or at once by the binomial ones where there are two. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules RuleExactTables Logarithms Comparisons CheckerClosed Tables Merging.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- programs --- *)

Definition masses := (Z * Z)%type.
Definition above_0 (x : masses) : bool := Z.ltb 0 x.1 && Z.ltb 0 x.2.

Definition by_ratio (x y : masses) : comparison :=
  let l := (x.1 * y.2)%coqZ in let r := (y.1 * x.2)%coqZ in
  if Z.ltb l r then Lt else if [&& Z.eqb l r, above_0 x & above_0 y] then Eq else Gt.
Definition joined (x y : masses) : masses := ((x.1 + y.1)%coqZ, (x.2 + y.2)%coqZ).
Definition product_of (x y : masses) : masses := ((x.1 * y.1)%coqZ, (x.2 * y.2)%coqZ).

Definition gathered (rs : seq masses) : seq masses :=
  merged_all by_ratio joined [seq [:: y] | y <- rs & above_0 y].
Definition scaled (st : seq masses) (y : masses) : seq masses :=
  rev (foldl (fun found x => product_of x y :: found) [::] st).
Definition multiplied (st rs : seq masses) : seq masses :=
  merged_all by_ratio joined [seq scaled st y | y <- rs].

(** c mechanisms with two losses: j of them have the one, for the j from i on. *)
Definition choice (x y : masses) (c j : nat) (ways : Z) : masses :=
  let j' := Z.of_nat j in let k := Z.of_nat (Nat.sub c j) in
  ((ways * (x.1 ^ j' * y.1 ^ k))%coqZ, (ways * (x.2 ^ j' * y.2 ^ k))%coqZ).
Fixpoint choices_from (x y : masses) (c j : nat) (ways : Z) (left : nat) : seq masses :=
  if left is l.+1 then
    choice x y c j ways ::
      choices_from x y c j.+1 (floor_div (ways * Z.of_nat (Nat.sub c j)) (Z.of_nat j.+1)) l
  else [::].
Definition binomial (x y : masses) (c : nat) : seq masses := choices_from x y c 0 1 c.+1.

Section Program.
Variable sums : nat.

Definition few (st : seq masses) : option (seq masses) := if Nat.leb (length st) sums then Some st else None.
Fixpoint repeated (rs : seq masses) (c : nat) (st : seq masses) : option (seq masses) :=
  if c is c'.+1 then
    if few (multiplied st rs) is Some st' then repeated rs c' st' else None
  else Some st.
Definition multiplied_often (rs : seq masses) (c : nat) (st : seq masses) : option (seq masses) :=
  if rs is [:: y; x] then few (multiplied st (binomial x y c)) else repeated rs c st.

(** Rows, the denominator of their masses, and how many mechanisms have them. *)
Definition rows_of_group := (seq masses * Z * Z)%type.
Fixpoint collected (gs : seq rows_of_group) (st : seq masses) : option (seq masses) :=
  if gs is (rs, _, c) :: gs' then
    if multiplied_often (gathered rs) (Z.to_nat c) st is Some st' then collected gs' st' else None
  else Some st.
End Program.

Definition whole (gs : seq rows_of_group) : Z := foldr (fun g r => (g.1.2 ^ g.2 * r)%coqZ) 1%coqZ gs.
Definition group_ok (g : rows_of_group) : bool :=
  [&& Z.ltb 0 g.1.2, Z.leb 0 g.2 & all (fun x => Z.leb 0 x.1 && Z.leb 0 x.2) g.1.1].

(** The overlap at the weights u and v, times the denominators. *)
Definition overlap_of (u v : Z) (st : seq masses) : Z :=
  foldl (fun sum x => (sum + Z.min (u * x.1) (v * x.2))%coqZ) Z0 st.

(** --- what they denote --- *)

Definition real_rows (rs : seq masses) (W : Z) : rows := [seq ((IZR x.1 / IZR W)%R, (IZR x.2 / IZR W)%R) | x <- rs].
Definition tables_in (gs : seq rows_of_group) : seq rows :=
  flatten [seq nseq (Z.to_nat g.2) (real_rows g.1.1 g.1.2) | g <- gs].
Definition overlap_over (st : seq masses) (ts : seq rows) (a b : R) : R :=
  (\sum_(x <- st) overlap ts (a * IZR x.1) (b * IZR x.2))%R.

(** That these masses are those of some tables, times a whole. *)
Definition stand_for (st : seq masses) (W : R) (us : seq rows) : Prop := all above_0 st /\
  forall ts (a b : R), all (all row_ge0) ts -> 0 <= a -> 0 <= b ->
  overlap_over st ts a b = W * overlap (us ++ ts) a b.

Global Arguments stand_for st W%R us.
Global Arguments overlap_over st ts a%R b%R.

Lemma above_0P x : above_0 x -> 0 < IZR x.1 /\ 0 < IZR x.2.
Proof. by case/andP=> p q; rewrite !(IZR_lt_iff Z0). Qed.

Lemma joined_above_0 x y : above_0 x -> above_0 y -> above_0 (joined x y).
Proof.
case/andP=> /Z.ltb_lt p /Z.ltb_lt q /andP[/Z.ltb_lt p' /Z.ltb_lt q'].
by apply/andP; split; apply/Z.ltb_lt; exact: Z.add_pos_pos.
Qed.

Lemma product_above_0 x y : above_0 x -> above_0 y -> above_0 (product_of x y).
Proof.
case/andP=> /Z.ltb_lt p /Z.ltb_lt q /andP[/Z.ltb_lt p' /Z.ltb_lt q'].
by apply/andP; split; apply/Z.ltb_lt; exact: Z.mul_pos_pos.
Qed.

Section Sums.
Variables (ts : seq rows) (a b : R).
Hypotheses (ts0 : all (all row_ge0) ts) (a0 : 0 <= a) (b0 : 0 <= b).

Lemma overlap_merged sts : overlap_over (merged_all by_ratio joined sts) ts a b =
  \sum_(st <- sts) overlap_over st ts a b.
Proof.
apply: (sum_merged_all (F := fun x : masses => overlap ts (a * IZR x.1) (b * IZR x.2))) => x y.
rewrite /by_ratio; case: Z.ltb => //; case: ifP => // /and3P[/Z.eqb_eq e /above_0P[p q] /above_0P[p' q']] _.
rewrite /joined /= !IZRD !mulrDr overlap_parallel ?mulr_ge0 ?(ltW p) ?(ltW q) ?(ltW p') ?(ltW q') //.
by rewrite mulrACA -IZRM e IZRM mulrACA.
Qed.

Lemma overlap_scaled st y : overlap_over (scaled st y) ts a b =
  \sum_(x <- st) overlap ts (a * IZR x.1 * IZR y.1) (b * IZR x.2 * IZR y.2).
Proof.
rewrite /overlap_over /scaled; have -> r : foldl (fun found x => product_of x y :: found) r st =
    catrev [seq product_of x y | x <- st] r by elim: st r => [|x s IH] r //=; rewrite IH.
rewrite -/(rev _) revK big_map; apply: eq_bigr => x _ /=.
by rewrite !IZRM !mulrA.
Qed.
End Sums.

Lemma scaled_above_0 st y : all above_0 st -> above_0 y -> all above_0 (scaled st y).
Proof.
move=> s0 y0; rewrite /scaled; have -> r : foldl (fun found x => product_of x y :: found) r st =
    catrev [seq product_of x y | x <- st] r by elim: (st) r => [|x s IH] r //=; rewrite IH.
rewrite -/(rev _) revK all_map; apply: sub_all s0 => x x0; exact: product_above_0.
Qed.

Lemma one_mass : stand_for [:: (1, 1)%coqZ] 1 [::].
Proof. by split=> // ts a b _ _ _; rewrite /overlap_over big_cons big_nil addr0 !mulr1 mul1r. Qed.

Lemma gathered_stand rs W : Z.lt 0 W -> all (fun x : masses => Z.leb 0 x.1 && Z.leb 0 x.2) rs ->
  stand_for (gathered rs) (IZR W) [:: real_rows rs W].
Proof.
move=> W0 rs0; have W1 : 0 < IZR W by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
split.
  rewrite /gathered; apply: (all_merged_all _ joined_above_0); rewrite all_map.
  by apply/allP => x; rewrite mem_filter /= andbT => /andP[].
move=> ts a b ts0 a0 b0; rewrite overlap_merged // big_map big_filter.
rewrite /overlap /= /real_rows big_map mulr_sumr -/overlap.
rewrite big_mkcond big_seq [RHS]big_seq; apply: eq_bigr => x /(allP rs0)/andP[p q].
have {}p : 0 <= IZR x.1 by rewrite (IZR_le_iff Z0).
have {}q : 0 <= IZR x.2 by rewrite (IZR_le_iff Z0).
transitivity (overlap ts (a * IZR x.1) (b * IZR x.2)).
  case: ifP => [_|n]; first by rewrite /overlap_over big_cons big_nil addr0.
  rewrite overlap_nothing ?mulr_ge0 // !mulf_eq0; apply/orP.
  have zero z : 0 <= IZR z -> Z.ltb 0 z = false -> IZR z == 0.
    by move=> z0 h; rewrite -[_ == _]negbK neq_lt ltNge z0 /= (IZR_lt_iff Z0) h.
  move: n; rewrite /above_0; case h: (Z.ltb 0 x.1) => /= h'; first by right; rewrite (zero _ q h') orbT.
  by left; rewrite (zero _ p h) orbT.
rewrite -overlap_scale ?(ltW W1) //; congr (overlap _ _ _); rewrite mulrCA; congr (_ * _).
  by rewrite mulrC divfK // gt_eqF.
by rewrite mulrC divfK // gt_eqF.
Qed.

Lemma multiplied_stand st rs W V us vs : stand_for st W us -> stand_for rs V vs -> all (all row_ge0) vs ->
  stand_for (multiplied st rs) (V * W) (us ++ vs).
Proof.
move=> [s0 hs] [r0 hr] vs0; split.
  by rewrite /multiplied; apply: (all_merged_all _ joined_above_0); rewrite all_map; apply: sub_all r0 => y; exact: scaled_above_0.
move=> ts a b ts0 a0 b0; rewrite overlap_merged // big_map.
under eq_bigr => y _ do rewrite overlap_scaled.
rewrite exchange_big /= -catA -mulrA -hs //; last by rewrite all_cat vs0.
rewrite /overlap_over mulr_sumr big_seq [RHS]big_seq; apply: eq_bigr => x /(allP s0)/above_0P[p q].
by rewrite -hr ?mulr_ge0 // ltW.
Qed.

Lemma few_some sums st st' : few sums st = Some st' -> st' = st.
Proof. by rewrite /few; case: ifP => // _ [->]. Qed.

Lemma repeated_stand sums rs c st st' W V us t : all row_ge0 t -> stand_for rs V [:: t] -> stand_for st W us ->
  repeated sums rs c st = Some st' -> stand_for st' (V ^+ c * W) (us ++ nseq c t).
Proof.
move=> t0 hr; elim: c st W us => [|c IH] st W us hs /=; first by move=> [<-]; rewrite expr0 mul1r cats0.
case F: few => [s|] // h; have e := few_some F; subst s.
have [|m0 m] := IH _ _ _ (multiplied_stand hs hr _) h; first by rewrite /= t0.
split=> // ts a b ts0 a0 b0; rewrite m // exprSr -!mulrA; congr (_ * (_ * (_ * overlap _ _ _))).
by rewrite -!catA.
Qed.

(** --- two losses --- *)

Lemma pascal (H : nat -> R) c :
  \sum_(j < c.+1) H j.+1 *+ 'C(c, j) + \sum_(j < c.+1) H j *+ 'C(c, j) =
  \sum_(j < c.+2) H j *+ 'C(c.+1, j).
Proof.
rewrite [in RHS]big_ord_recl /= bin0 mulr1n.
under [in RHS]eq_bigr => i _ do rewrite /bump leq0n add1n binS mulrnDr.
rewrite big_split /= addrA [LHS]addrC; congr (_ + _).
rewrite [LHS]big_ord_recl bin0 mulr1n; congr (_ + _).
rewrite [RHS]big_ord_recr /= bin_small // mulr0n addr0.
by apply: eq_bigr => i _; rewrite /bump leq0n add1n.
Qed.

Lemma binomialE x y c : binomial x y c = [seq choice x y c j (Z.of_nat 'C(c, j)) | j <- iota 0 c.+1].
Proof.
suff h l j : (j + l <= c.+1)%N -> choices_from x y c j (Z.of_nat 'C(c, j)) l =
    [seq choice x y c i (Z.of_nat 'C(c, i)) | i <- iota j l] by rewrite -h // bin0.
elim: l j => [|l IH] j // le; rewrite [LHS]/= [RHS]/=; congr (_ :: _).
rewrite -IH; last by rewrite addSnnS.
have jc : (j <= c)%N by rewrite -ltnS (leq_trans _ le) // -addn1 leq_add2l.
have e : ('C(c, j) * (c - j) = 'C(c, j.+1) * j.+1)%N by rewrite mulnC -mul_bin_left mulnC.
congr choices_from; rewrite -[RHS](Z.div_mul _ (Z.of_nat j.+1)) // -!Nat2Z.inj_mul.
by rewrite -[Nat.mul _ _]/('C(c, j) * (c - j))%N e.
Qed.

Section Two.
Variables (x y : masses) (V : R) (t : rows).
Hypotheses (t0 : all row_ge0 t) (two : stand_for [:: y; x] V [:: t]).

Let y0 : above_0 y. Proof. by case: two => /= /and3P[]. Qed.
Let x0 : above_0 x. Proof. by case: two => /= /and3P[]. Qed.

Lemma two_powers c ts (a b : R) : all (all row_ge0) ts -> 0 <= a -> 0 <= b ->
  V ^+ c * overlap (nseq c t ++ ts) a b =
  \sum_(j < c.+1) overlap ts (a * (IZR x.1 ^+ j * IZR y.1 ^+ (c - j)))
                             (b * (IZR x.2 ^+ j * IZR y.2 ^+ (c - j))) *+ 'C(c, j).
Proof.
move=> ts0; have [px qx] := above_0P x0; have [py qy] := above_0P y0.
elim: c a b => [|c IH] a b a0 b0; first by rewrite big_ord1 bin0 mulr1n !expr0 !mulr1 mul1r.
pose H i := overlap ts (a * (IZR x.1 ^+ i * IZR y.1 ^+ (c.+1 - i))) (b * (IZR x.2 ^+ i * IZR y.2 ^+ (c.+1 - i))).
have [_ h] := two; rewrite exprSr -mulrA.
have nonneg : all (all row_ge0) (nseq c t ++ ts) by rewrite all_cat all_nseq t0 orbT.
rewrite -[nseq c.+1 t ++ ts]/([:: t] ++ (nseq c t ++ ts)) -h // /overlap_over !big_cons big_nil addr0 mulrDr.
transitivity (\sum_(j < c.+2) H j *+ 'C(c.+1, j)); last by [].
rewrite !IH ?mulr_ge0 ?(ltW px) ?(ltW qx) ?(ltW py) ?(ltW qy) // -(pascal H) addrC; congr (_ + _).
  apply: eq_bigr => i _; congr (overlap _ _ _ *+ _); rewrite subSS exprS -!mulrA //.
apply: eq_bigr => i _; have ic : (i <= c)%N by rewrite -ltnS.
by congr (overlap _ _ _ *+ _); rewrite subSn // exprS -!mulrA; congr (_ * _); rewrite mulrCA.
Qed.

Lemma IZR_power z n : IZR (z ^ Z.of_nat n) = IZR z ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite expr0.
by rewrite Nat2Z.inj_succ Z.pow_succ_r ?IZRM ?IH ?exprS //; exact: Nat2Z.is_nonneg.
Qed.

Lemma binomial_stand c : stand_for (binomial x y c) (V ^+ c) (nseq c t).
Proof.
have [px qx] := above_0P x0; have [py qy] := above_0P y0; rewrite binomialE; split.
  apply/allP => z /mapP[j]; rewrite mem_iota add0n ltnS => /andP[_ jc] ->.
  have w0 : Z.lt 0 (Z.of_nat 'C(c, j)) by have := bin_gt0 c j; rewrite jc => /ssrnat.ltP; lia.
  case/andP: x0 => /Z.ltb_lt p /Z.ltb_lt q; case/andP: y0 => /Z.ltb_lt p' /Z.ltb_lt q'.
  by apply/andP; split; apply/Z.ltb_lt; apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos;
    apply: Z.pow_pos_nonneg => //; exact: Nat2Z.is_nonneg.
move=> ts a b ts0 a0 b0; rewrite two_powers // /overlap_over big_map.
rewrite -[iota 0 _]/(index_iota 0 c.+1) big_mkord; apply: eq_bigr => j _; rewrite /choice /= !IZRM !IZR_power.
have w0 : 0 <= IZR (Z.of_nat 'C(c, j)) by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Nat2Z.is_nonneg.
rewrite ![_ * (IZR (Z.of_nat _) * _)]mulrCA overlap_scale // -mulr_natl; congr (_ * _).
elim: ('C(c, j)) => [|n IH]; first by [].
by rewrite Nat2Z.inj_succ -Z.add_1_r IZRD IH -addn1 natrD.
Qed.
End Two.

Lemma multiplied_often_stand sums rs c st st' W V us t : all row_ge0 t -> stand_for rs V [:: t] -> stand_for st W us ->
  multiplied_often sums rs c st = Some st' -> stand_for st' (V ^+ c * W) (us ++ nseq c t).
Proof.
move=> t0 hr hs; rewrite /multiplied_often; case: rs hr => [|y [|x [|z rs]]] hr; try exact: repeated_stand.
move/few_some=> ->; apply: multiplied_stand => //; first exact: binomial_stand.
by rewrite all_nseq t0 orbT.
Qed.

Lemma real_rows_ge0 g : group_ok g -> all row_ge0 (real_rows g.1.1 g.1.2).
Proof.
case/and3P=> W0 _ rs0; have W1 : 0 < IZR g.1.2 by rewrite (IZR_lt_iff Z0).
by rewrite all_map; apply: sub_all rs0 => x /andP[p q]; rewrite /row_ge0 /= !divr_ge0 ?(ltW W1) // (IZR_le_iff Z0).
Qed.

Lemma collected_stand sums gs st st' W us : all group_ok gs -> stand_for st W us ->
  collected sums gs st = Some st' -> stand_for st' (IZR (whole gs) * W) (us ++ tables_in gs).
Proof.
elim: gs st W us => [|[[rs V] c] gs IH] st W us /=; first by move=> _ hs [<-]; rewrite mul1r cats0.
case/andP=> ok oks hs; have /and3P[/Z.ltb_lt V0 /Z.leb_le c0 rs0] := ok.
case M: multiplied_often => [s|] // h.
have := IH _ _ _ oks (multiplied_often_stand (real_rows_ge0 ok) (gathered_stand V0 rs0) hs M) h.
rewrite /tables_in /= -catA IZRM -(Z2Nat.id c c0) IZR_power Z2Nat.id //.
by rewrite mulrA [IZR (whole gs) * _]mulrC.
Qed.

Theorem collected_overlap sums gs st u v : all group_ok gs -> collected sums gs [:: (1, 1)%coqZ] = Some st ->
  Z.le 0 u -> Z.le 0 v ->
  IZR (overlap_of u v st) = IZR (whole gs) * overlap (tables_in gs) (IZR u) (IZR v) /\
  IZR (overlap_of v u [seq (x.2, x.1) | x <- st]) = IZR (whole gs) * overlap (tables_in gs) (IZR u) (IZR v).
Proof.
move=> ok h /Z.leb_le; rewrite -IZR_le_iff => u0 /Z.leb_le; rewrite -IZR_le_iff => v0.
have [_ /(_ [::] _ _ isT u0 v0)] := collected_stand ok one_mass h; rewrite mulr1 cats0 cat0s => <-.
have sumE s k l : IZR (overlap_of k l s) = \sum_(x <- s) Num.min (IZR k * IZR x.1) (IZR l * IZR x.2).
  have minE z z' : IZR (Z.min z z') = Num.min (IZR z) (IZR z').
    case: (Z.leb_spec z z') => h'.
      by rewrite Z.min_l // min_l // IZR_le_iff; exact/Z.leb_le.
    by rewrite Z.min_r ?min_r //; [rewrite IZR_le_iff; apply/Z.leb_le|]; exact: Z.lt_le_incl.
  suff f z : IZR (foldl (fun sum x => (sum + Z.min (k * x.1) (l * x.2))%coqZ) z s) =
      IZR z + \sum_(x <- s) Num.min (IZR k * IZR x.1) (IZR l * IZR x.2) by rewrite /overlap_of f add0r.
  elim: s z => [|x s IH] z /=; first by rewrite big_nil addr0.
  by rewrite IH big_cons IZRD minE !IZRM addrA.
split; first by rewrite sumE.
by rewrite sumE big_map; apply: eq_bigr => x _; rewrite minC.
Qed.
