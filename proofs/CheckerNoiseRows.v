(** Rows of the laws that mechanisms with a noise have, for the rule `mesh-lower`: in integers, from
    below, each with a score that is suggested. *)
From Coq Require Import Reals ZArith Lia FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Losses Reals Rules Notions Moments Logarithms Exponentials.
From ExactDP Require Import Enclosures EnclosuresOfNumbers Tables RulesNoiseRenyi NoiseLedgers NoiseOrder NoiseTests.
From ExactDP Require Import Ratios CheckerClosed CheckerNoise CheckerScores.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition scores := seq nat.

(** [low] and [high] enclose x = e^-v in units of 1/one. *)
Definition truthful (one S high : Z) : Z := floor_div (S * one) (one + high).
Definition untruthful (one S low : Z) : Z := floor_div (S * low) (one + low).
Definition response_below (one S : Z) (e : enclosure) (s : nat * nat) : score_rows :=
  let p := truthful one S e.2 in let q := untruthful one S (Z.max 0 e.1) in
  [:: (p, q, s.1); (q, p, s.2)].

(** x^j/(1 + x), times 1 - x but for the ends. *)
Fixpoint shift_from (step inner : Z -> Z) (last j : nat) (n : nat) (u : Z) (found : seq Z) : seq Z :=
  if n is n'.+1 then
    let w := if Nat.eqb j 0 || Nat.eqb j last then u else inner u in
    shift_from step inner last j.+1 n' (step u) (w :: found)
  else found.
Definition shift_weights (one S : Z) (e : enclosure) (shift : nat) : seq Z :=
  shift_from (fun u => floor_div (u * Z.max 0 e.1) one) (fun u => floor_div (u * Z.max 0 (one - e.2)) one)
    shift 0 shift.+1 (truthful one S e.2) [::].

Definition exp_of_ratio (w : Z) (d : ratio) : option enclosure :=
  exponential w (opp (enclosure_of_fraction w d.1 (Zpos d.2))).
Definition shift_rows (w S : Z) (s : ratio * BinNums.positive) (ss : scores) : option score_rows :=
  let shift := Pos.to_nat s.2 in
  if exp_of_ratio w s.1 is Some e then
    let back := shift_weights (2 ^ w) S e shift in
    if Z.ltb 0 s.1.1 && Nat.eqb (size ss) shift.+1 then Some (zip (zip (rev back) back) ss) else None
  else None.

Definition table_law (t : table) : bool := is_law (unzip1 t) && is_law (unzip2 t).
Definition table_rows (S : Z) (t : table) (ss : scores) : option score_rows :=
  let below (x : ratio) := floor_div (S * x.1) (Zpos x.2) in
  if table_law t && Nat.eqb (size ss) (size t)
  then Some (zip [seq (below x.1, below x.2) | x <- t] ss) else None.

(** Nothing is revealed. *)
Definition orders_ok (os : orders) : bool := all (fun x => rlt Ratios.one x.1 && Z.leb 0 x.2.1) os.
Definition orders_rows (S : Z) (os : orders) (_ : scores) : option score_rows :=
  if orders_ok os then Some [:: (S, S, O)] else None.

Section Soundness.
Variable S : Z.
Hypothesis S0 : Z.lt 0 S.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition rows_for (n : noise) (r : score_rows) : Prop :=
  exists l, drawn n (unscored l) /\ rows_below S l r.

Section Exponentials.
Variables (one : Z) (e : enclosure) (v : R).
Hypotheses (one0 : Z.lt 0 one) (v_enclosed : IZR (Z.max 0 e.1) <= IZR one * exp (- v) <= IZR e.2).
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let x := exp (- v).
Let x0 : 0 < x. Proof. exact: exp_gt0. Qed.
Let low0 : Z.le 0 (Z.max 0 e.1). Proof. exact: Z.le_max_l. Qed.
Let high0 : Z.lt 0 e.2.
Proof.
have /andP[_ h] := v_enclosed; apply/Z.ltb_lt; rewrite -IZR_lt_iff; apply: lt_le_trans h.
by rewrite mulr_gt0 // exp_gt0.
Qed.

Lemma truthful_below : at_most S (truthful one S e.2) (1 / (1 + x)).
Proof.
have /andP[_ h] := v_enclosed; have d0 : Z.lt 0 (one + e.2) := Z.add_pos_pos _ _ one0 high0.
split; first by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; exact: Z.lt_le_incl.
have x1 : 0 < 1 + x by rewrite addr_gt0 ?ltr01.
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
by rewrite mulrA ler_pdivl_mulr // mulr1 IZRD mulrDr mulr1 ler_add2l.
Qed.

Lemma untruthful_below : at_most S (untruthful one S (Z.max 0 e.1)) (x / (1 + x)).
Proof.
have /andP[h _] := v_enclosed; have d0 : Z.lt 0 (one + Z.max 0 e.1) := Z.add_pos_nonneg _ _ one0 low0.
split; first by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
have x1 : 0 < 1 + x by rewrite addr_gt0 ?ltr01.
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
by rewrite mulrA ler_pdivl_mulr // IZRD mulrDr mulr1 mulrDl ler_add.
Qed.

Lemma response_belowP s : rows_below S (response_rows v s) (response_below one S e s).
Proof.
have x1 : 1 + x != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have xv : exp v = x^-1 by rewrite /x expN invrK.
have xn0 : x != 0 by rewrite gt_eqF.
have e1 : exp v / (1 + exp v) = 1 / (1 + x) by rewrite xv; field; rewrite ?xn0 ?x1 ?[x + 1]addrC ?x1.
have e2 : 1 / (1 + exp v) = x / (1 + x) by rewrite xv; field; rewrite ?xn0 ?x1 ?[x + 1]addrC ?x1.
rewrite /response_rows /rr_atoms e1 e2.
have t := truthful_below; have u := untruthful_below.
by constructor=> //; constructor.
Qed.
End Exponentials.

(** A list of rows, row by row. *)
Lemma rows_mkseq f n r : size r = n -> (forall i, (i < n)%N -> row_below S (f i) (nth (Z0, Z0, O) r i)) ->
  rows_below S (mkseq f n) r.
Proof.
rewrite /rows_below; elim: r n f => [|y r IH] [|n] f //= e h; first by constructor.
have -> : mkseq f n.+1 = f O :: mkseq (fun i => f i.+1) n.
  by rewrite /mkseq /= -[1%N]addn0 iotaDl -map_comp.
constructor; first exact: (h O).
by apply: IH => [|i lt]; [case: e|exact: (h i.+1)].
Qed.

(** --- the families --- *)

Lemma table_rowsP t ss r : table_rows S t ss = Some r -> rows_for (OfTable (real_table t)) r.
Proof.
rewrite /table_rows; case: ifP => // /andP[/andP[p q] /Nat.eqb_eq e] [<-].
exists (zip (real_table t) ss); split.
  have -> : unscored (zip (real_table t) ss) = real_table t.
    by rewrite /unscored -[map _ _]/(unzip1 _) unzip1_zip // /real_table size_map -e.
  have dp : law_proper (unzip1 (real_table t)).
    by have := is_lawP p; rewrite /unzip1 /real_table -!map_comp.
  have dq : law_proper (unzip2 (real_table t)).
    by have := is_lawP q; rewrite /unzip2 /real_table -!map_comp.
  by split; [exact: (law_distribution dp)|exact: (law_distribution dq)|split=> y _].
have ge0 x : Z.leb 0 (x : ratio).1 -> at_most S (floor_div (S * x.1) (Zpos x.2)) (of_ratio x).
  move=> /Z.leb_le x0; split; first by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
  by rewrite /of_ratio /fraction mulrCA divff ?mulr1 // gt_eqF // (IZR_lt_iff Z0).
case/andP: p => p _; case/andP: q => q _.
elim: t ss e p q => [|x t IH] [|s ss] //= e; first by constructor.
case/andP=> p pt /andP[q qt]; constructor; last by apply: IH => //; case: e.
by split=> //; exact: ge0.
Qed.

(** Whatever is said of divergences, nothing may be told. *)
Lemma silent_orders os : orders_ok os -> drawn (OfOrders (real_orders os)) [:: (1, 1)].
Proof.
move=> h; rewrite /drawn; set t := [:: _].
have d : distribution (@law_with t).
  by apply: (@law_distribution t fst); rewrite /law_proper /= ler01 big_cons big_nil addr0 eqxx.
have -> : @law_without t = @law_with t.
  apply: functional_extensionality => z; rewrite /law_with /law_without (tnth_nth (0, 0)).
  by case: z => [[|z] lt].
have W : all (fun x : R * R => (1 < x.1) && (0 <= x.2)) (real_orders os).
  rewrite /real_orders all_map; apply: sub_all h => x /= /andP[a1 v0].
  by move: a1; rewrite of_rlt of_one => ->; exact: of_ge0.
split; [exact: d|exact: d|move=> a v /(allP W)/= /andP[a1 v0]].
have [m1 m2] := moment_self a d; have e1 : 1 <= exp ((a - 1) * v).
  by rewrite exp_ge1 // mulr_ge0 // subr_ge0 ltW.
by split; split=> //; exact: le_trans e1.
Qed.

Lemma orders_rowsP os ss r : orders_rows S os ss = Some r -> rows_for (OfOrders (real_orders os)) r.
Proof.
rewrite /orders_rows; case: ifP => // h [<-]; exists [:: (1, 1, O)]; split; last first.
  by do 2 constructor=> //=; rewrite /at_most mulr1; split=> //; exact: Z.lt_le_incl.
exact: silent_orders.
Qed.

(** Discrete Laplace noise. *)
Section Shifts.
Variables (one : Z) (e : enclosure) (v : R) (last : nat).
Hypotheses (one0 : Z.lt 0 one) (v0 : 0 <= v).
Hypothesis v_enclosed : IZR (Z.max 0 e.1) <= IZR one * exp (- v) <= IZR e.2.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let x := exp (- v).
Let x0 : 0 < x. Proof. exact: exp_gt0. Qed.
Let x1 : x <= 1. Proof. by rewrite /x -[1](exp_0) exp_le oppr_le0. Qed.
Let step u := floor_div (u * Z.max 0 e.1) one.
Let inner u := floor_div (u * Z.max 0 (one - e.2)) one.
Let at_place (j : nat) (u : Z) := if Nat.eqb j 0 || Nat.eqb j last then u else inner u.

Lemma shift_fromE n j u found : shift_from step inner last j n u found =
  rev (mkseq (fun k => at_place (j + k) (iter k step u)) n) ++ found.
Proof.
elim: n j u found => [|n IH] j u found //=; rewrite IH.
have -> : mkseq (fun k => at_place (j + k) (iter k step u)) n.+1 =
    at_place j u :: mkseq (fun k => at_place (j.+1 + k) (iter k step (step u))) n.
  rewrite /mkseq /= addn0 -[1%N]addn0 iotaDl -map_comp; congr (_ :: _); apply: eq_map => k /=.
  by rewrite ?add1n addnS addSn; congr (at_place _ _); rewrite -iterSr.
by rewrite rev_cons cat_rcons.
Qed.

Lemma scaled_below u y (c d : R) : at_most S u c -> Z.le 0 y -> IZR y <= IZR one * d ->
  at_most S (floor_div (u * y) one) (c * d).
Proof.
move=> [u0 uc] y0 yd; split; first by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRM.
have -> : IZR one * (IZR S * (c * d)) = (IZR S * c) * (IZR one * d) by ring.
by apply: ler_pmul; rewrite ?IZR_ge0.
Qed.

Lemma powers_below k : at_most S (iter k step (truthful one S e.2)) (1 / (1 + x) * x ^+ k).
Proof.
elim: k => [|k IH]; first by rewrite expr0 mulr1; exact: truthful_below.
rewrite iterS exprSr mulrA; apply: scaled_below => //; first exact: Z.le_max_l.
by case/andP: v_enclosed.
Qed.

Definition shift_mass (j : nat) : R :=
  ((if (j == 0)%N || (j == last) then 1 else 1 - x) * x ^+ j / (1 + x))%R.

Lemma place_below k : at_most S (at_place k (iter k step (truthful one S e.2))) (shift_mass k).
Proof.
have P := powers_below k; have massE c : (c * x ^+ k / (1 + x))%R = 1 / (1 + x) * x ^+ k * c.
  by rewrite mul1r mulrC mulrCA mulrA mulrC mulrA mulrC mulrA [_ * c]mulrC mulrA.
rewrite /shift_mass /at_place massE.
have eqbE i : Nat.eqb k i = (k == i)%N by apply/Nat.eqb_spec/eqP.
rewrite !eqbE; case: ifP => _; first by rewrite mulr1.
apply: scaled_below => //; first exact: Z.le_max_l.
have /andP[_ h] := v_enclosed; case: (Z.max_spec 0 (one - e.2)) => -[_ ->].
  by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2.
by rewrite mulr_ge0 ?(ltW one0') // subr_ge0.
Qed.

Lemma shift_weightsE : shift_weights one S e last =
  rev (mkseq (fun k => at_place k (iter k step (truthful one S e.2))) last.+1).
Proof. by rewrite /shift_weights shift_fromE cats0. Qed.
End Shifts.

Lemma exp_of_ratio_enclosed w d e : Z.le 0 w -> exp_of_ratio w d = Some e ->
  IZR (Z.max 0 e.1) <= IZR (2 ^ w) * exp (- of_ratio d) <= IZR e.2.
Proof.
move=> w0 h; have f := enclosed_fraction w0 d.1 (b := Zpos d.2) (Pos2Z.is_pos _).
have /enclosedP := enclosed_exponential w w0 _ _ _ (enclosed_opp _ _ _ f) h.
rewrite mulrC => /andP[lo hi]; apply/andP; split=> //.
by case: (Z.max_spec 0 e.1) => -[_ ->] //; rewrite mulr_ge0 ?(ltW (exp_gt0 _)) // IZR_ge0 //; exact: Z.pow_nonneg.
Qed.

Lemma shift_rowsP w s ss r : Z.le 0 w -> shift_rows w S s ss = Some r ->
  rows_for (OfShift (of_ratio s.1) (Pos.to_nat s.2)) r.
Proof.
move=> w0; rewrite /shift_rows; set last := Pos.to_nat s.2.
case he: (exp_of_ratio w s.1) => [e|] //; case: ifP => // /andP[v_gt0 /Nat.eqb_eq size_ss] [<-].
have one0 : Z.lt 0 (2 ^ w) by exact: Z.pow_pos_nonneg.
have v0 : 0 < of_ratio s.1 by rewrite divr_gt0 ?(IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have en := exp_of_ratio_enclosed w0 he.
set v := of_ratio s.1 in v0 en *.
pose f (j : nat) := ((shift_mass v last j, shift_mass v last (last - j)), nth O ss j).
exists (mkseq f last.+1); split; last first.
  have sz : size (shift_weights (2 ^ w) S e last) = last.+1 by rewrite shift_weightsE size_rev size_mkseq.
  apply: rows_mkseq => [|i lt]; first by rewrite !size_zip size_rev sz size_ss !minnn.
  have at_ k : (k < last.+1)%N -> at_most S (nth Z0 (rev (shift_weights (2 ^ w) S e last)) k) (shift_mass v last k).
    by move=> ltk; rewrite shift_weightsE revK nth_mkseq //; exact: (place_below last one0 (ltW v0) en).
  rewrite !nth_zip ?size_zip ?size_rev ?sz ?size_ss ?minnn //; split=> //=; first exact: at_.
  have -> : nth Z0 (shift_weights (2 ^ w) S e last) i = nth Z0 (rev (shift_weights (2 ^ w) S e last)) (last - i).
    by rewrite nth_rev sz ?ltnS ?leq_subr // subSS subKn.
  by apply: at_; rewrite ltnS leq_subr.
set t := unscored _.
have sums (F : R -> R -> R) : \sum_(z : 'I_(size t)) F (law_with z) (law_without z) =
    \sum_(j : 'I_last.+1) F (@shifted_law v last j) ((@shifted_law v last \o @rev_ord _) j).
  have io : iota 0 last.+1 = index_iota 0 last.+1 by rewrite /index_iota subn0.
  rewrite sum_of_table big_map big_map io big_mkord; apply: eq_bigr => j _ /=.
  by rewrite /shifted_law /= subSS.
have l0 : (0 < last)%N by exact/ssrnat.ltP/Pos2Nat.is_pos.
have [[p0 p1] [q0 q1]] := discrete_laplace_lawful v0 l0.
have rows (z : 'I_(size t)) : exists j : 'I_last.+1, @law_with t z = @shifted_law v last j /\
    @law_without t z = (@shifted_law v last \o @rev_ord _) j.
  have e1 : size t = last.+1 by rewrite size_map size_mkseq.
  have lt : (z < last.+1)%N by have := ltn_ord z; move: (nat_of_ord z) => k; rewrite e1.
  exists (Ordinal lt); rewrite /law_with /law_without (tnth_nth (0, 0)) /= (nth_map (0, 0, O)) ?size_mkseq //.
  by rewrite nth_mkseq //= /shifted_law /= subSS.
have dp : distribution (@law_with t).
  by split=> [z|]; [have [j [-> _]] := rows z; exact: p0|rewrite (sums (fun a _ => a))].
have dq : distribution (@law_without t).
  by split=> [z|]; [have [j [_ ->]] := rows z; exact: q0|rewrite (sums (fun _ b => b))].
split=> //; split=> y y0; rewrite /hockey_stick.
  by rewrite (sums (fun a b => pos (1 * a - y * b))).
rewrite (sums (fun a b => pos (1 * b - y * a))) (reindex_inj rev_ord_inj) /=.
by rewrite le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => j _; rewrite rev_ordK.
Qed.
End Soundness.
