(** Tables keyed by anything that can be added: weights from below.

    A table is a list of keys and integers.  [keyed_below S ls T] says that no mean over the table
    exceeds S times that over the atoms of [ls]; equal keys may stand in several places. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules Logarithms Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Means.
Variables (K : eqType) (op : K -> K -> K) (e : K).
Hypothesis op_e : forall s, op e s = s.
Implicit Types (ls : seq (seq (R * R * K))) (h : K -> R) (T : seq (K * Z)).

(** The mean of h over the keys, under the first hypothesis. *)
Definition mean ls h : R := total op e ls (fun p _ s => p * h s).

Lemma eq_mean ls h h' : (forall s, h s = h' s) -> mean ls h = mean ls h'.
Proof. by move=> hh; apply: eq_total => p _ s; rewrite hh. Qed.

Lemma mean_ge0 ls h : nonnegative ls -> (forall s, 0 <= h s) -> 0 <= mean ls h.
Proof. by move=> LS h0; apply: total_ge0 => // p q s p0 _; rewrite mulr_ge0. Qed.

Lemma mean_rr E v ls h : mean (rr_atoms E e v :: ls) h =
  E / (1 + E) * mean ls h + 1 / (1 + E) * mean ls (fun s => h (op v s)).
Proof.
rewrite /mean /= !big_cons big_nil addr0 /= -!totalZ.
by congr (_ + _); apply: eq_total => p _ s; rewrite ?op_e mulrA.
Qed.

Lemma mean_no_key E c ls h : 0 <= E -> mean (nseq c (rr_atoms E e e) ++ ls) h = mean ls h.
Proof.
move=> E0; elim: c => [|c IH] //=; rewrite mean_rr (@eq_mean _ _ h) => [|s]; last by rewrite op_e.
by rewrite IH -!mulrDl addrC divff ?mul1r // gt_eqF // ltr_spaddl ?ltr01.
Qed.

Section Block.
Variable E : R.
Hypothesis E0 : 0 <= E.
Let E1 : 0 < 1 + E. Proof. by rewrite ltr_spaddl ?ltr01. Qed.
Let P0 : 0 <= E / (1 + E). Proof. by rewrite divr_ge0 // ltW. Qed.
Let Q0 : 0 <= 1 / (1 + E). Proof. by rewrite divr_ge0 ?ler01 // ltW. Qed.

Lemma nonnegative_block c v ls : nonnegative ls -> nonnegative (nseq c (rr_atoms E e v) ++ ls).
Proof. by move=> LS; rewrite /nonnegative all_cat -/(nonnegative ls) LS andbT all_nseq /= !P0 !Q0 orbT. Qed.

Lemma coef_truth_polynomial (A : {poly R}) j : (truth_polynomial E * A)`_j =
  E / (1 + E) * A`_j + 1 / (1 + E) * (if j is i.+1 then A`_i else 0).
Proof.
rewrite /truth_polynomial; set P := E / _; set Q := 1 / _.
by rewrite mulrDl coefD -mulrA !coefCM coefXM; case: j.
Qed.

(** c mechanisms with the key v: the j-th weight stands at j v. *)
Lemma block_le v c ls h m : nonnegative ls -> (forall s, 0 <= h s) ->
  \sum_(j < m) (truth_polynomial E ^+ c)`_j * mean ls (fun s => h (iter j (op v) s))
  <= mean (nseq c (rr_atoms E e v) ++ ls) h.
Proof.
move=> LS; elim: c h m => [|c IH] h m h0.
  case: m => [|m]; first by rewrite big_ord0 mean_ge0.
  rewrite big_ord_recl expr0 coef1 mul1r big1 ?addr0 // => i _; by rewrite coef1 mul0r.
rewrite [nseq _ _ ++ ls]/= mean_rr; move: (P0) (Q0); set P := E / _; set Q := 1 / _ => p0 q0.
pose M j := mean ls (fun s => h (iter j (op v) s)); pose a := (truth_polynomial E ^+ c : {poly R}).
have step (j : nat) : (truth_polynomial E ^+ c.+1)`_j * M j =
    P * (a`_j * M j) + Q * ((if j is i.+1 then a`_i else 0) * M j).
  by rewrite exprS coef_truth_polynomial mulrDl !mulrA.
rewrite (eq_bigr _ (fun (j : 'I_m) _ => step j)).
rewrite big_split /= -!mulr_sumr; apply: ler_add; apply: ler_wpmul2l => //; first exact: IH.
case: m => [|m]; first by rewrite big_ord0 mean_ge0 // nonnegative_block.
rewrite big_ord_recl mul0r add0r.
have := IH (fun s => h (op v s)) m (fun s => h0 _); apply: le_trans.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => j _; rewrite /= /bump leq0n.
Qed.
End Block.

Definition keyed_below (S : Z) ls T :=
  List.Forall (fun t => Z.le 0 t.2) T /\
  forall h, (forall s, 0 <= h s) -> \sum_(t <- T) IZR t.2 * h t.1 <= IZR S * mean ls h.

Lemma keyed_below_one S : Z.le 0 S -> keyed_below S [::] [:: (e, S)].
Proof. by move=> S0; split=> [|h h0]; [constructor|rewrite big_seq1 /mean /= mul1r]. Qed.

Lemma keyed_below_no_key S E c ls T : 0 <= E ->
  keyed_below S ls T -> keyed_below S (nseq c (rr_atoms E e e) ++ ls) T.
Proof. by move=> E0 [T0 b]; split=> // h h0; rewrite mean_no_key //; exact: b. Qed.

(** A block moved to each place of a table. *)
Lemma block_below S E v c ls T (b : placed) h : Z.lt 0 S -> 0 <= E -> nonnegative ls ->
  keyed_below S ls T -> stays_below S (truth_polynomial E ^+ c) b -> (forall s, 0 <= h s) ->
  \sum_(i < size b.2) IZR (nth Z0 b.2 i) * (\sum_(t <- T) IZR t.2 * h (iter (b.1 + i) (op v) t.1))
  <= IZR (S * S) * mean (nseq c (rr_atoms E e v) ++ ls) h.
Proof.
move=> S0 E0 LS [T0 below] bb h0; have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
case: b bb => o ws bb /=; pose M j := mean ls (fun s => h (iter j (op v) s)).
have M0 j : 0 <= M j by exact: mean_ge0.
have c0 j : 0 <= (truth_polynomial E ^+ c)`_j.
  have [w0 w] := bb j; rewrite -(pmulr_rge0 _ S0'); apply: le_trans w.
  by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
apply: (@le_trans _ _ (\sum_(i < size ws) IZR (S * S) * ((truth_polynomial E ^+ c)`_(o + i) * M (o + i)%N))).
  apply: ler_sum => i _; have [w0 w] := bb (o + i)%N.
  rewrite nth_flat ltnNge leq_addr addKn in w0 w.
  rewrite IZRM mulrACA; apply: ler_pmul => //; first by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
    by elim: T0 {below} => [|t T' t0 _ IH]; rewrite ?big_nil // big_cons addr_ge0 // mulr_ge0 // IZR_ge0.
  exact: below.
rewrite -mulr_sumr ler_wpmul2l ?(IZR_le_iff Z0) //; first by apply/Z.leb_le; nia.
have := block_le E0 v c (o + size ws) LS h0; apply: le_trans.
by rewrite big_split_ord /= ler_addr sumr_ge0 // => i _; apply: mulr_ge0 => //; exact: (M0 i).
Qed.

(** Weights divided by S and rounded down; those that are 0 may be dropped. *)
Lemma keyed_below_rounded S ls (T T' : seq (K * Z)) : Z.lt 0 S ->
  List.Forall (fun t => Z.le 0 t.2) T ->
  T' = [seq t <- [seq (t.1, floor_div t.2 S) | t <- T] | ~~ Z.eqb t.2 0] ->
  (forall h, (forall s, 0 <= h s) -> \sum_(t <- T) IZR t.2 * h t.1 <= IZR (S * S) * mean ls h) ->
  keyed_below S ls T'.
Proof.
move=> S0 T0 -> below; have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
split=> [|h h0].
  elim: T0 => [|t T'' t0 _ IH] /=; first by constructor.
  by case: ifP => // _; constructor=> //; exact: Z.div_pos.
rewrite big_filter big_mkcond big_map -(ler_pmul2l S0') mulrA -IZRM.
apply: le_trans (below h h0); rewrite mulr_sumr; elim: T0 => [|t T'' t0 _ IH]; first by rewrite !big_nil.
rewrite !big_cons; apply: ler_add => //=; case: Z.eqb_spec => _ /=.
  by rewrite mulr0 mulr_ge0 // IZR_ge0.
rewrite mulrA ler_wpmul2r // -IZRM IZR_le_iff; apply/Z.leb_le; exact: Z.mul_div_le.
Qed.
End Means.
