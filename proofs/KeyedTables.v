(** Tables of weights whose places are integers counted down from a highest key.

    [keyed_below S l (J, t)]: the weight at place n of the table t is at most S times the
    probability of the key J - n among the atoms of l.  Products of such tables are below products of such lists. *)
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

(** The weights of cells, pairs of a place and a weight, by place: those from [first] on, 2^depth
    of them. *)
Definition cell_sum (cells : seq (Z * Z)) (i : Z) : Z := zsum [seq c.2 | c <- cells & Z.eqb c.1 i].
Fixpoint collect (depth : nat) (first : Z) (cells : seq (Z * Z)) : seq Z :=
  if depth is d.+1 then
    let middle := (first + 2 ^ Z.of_nat d)%coqZ in
    collect d first [seq c <- cells | Z.ltb c.1 middle] ++
    collect d middle [seq c <- cells | Z.leb middle c.1]
  else [:: cell_sum cells first].

(** Counted down from the greatest absolute value of a key, which is J. *)
Definition highest_of (cells : seq (Z * Z)) : Z := foldl (fun m c => Z.max m (Z.abs c.1)) Z0 cells.
Definition table_of (cells : seq (Z * Z)) : Z * placed :=
  let J := highest_of cells in
  (J, without_zeros O (collect (log2_above (Z.to_nat (2 * J))) 0 [seq ((J - c.1)%coqZ, c.2) | c <- cells])).

Lemma size_collect d first cells : size (collect d first cells) = (2 ^ d)%N.
Proof. by elim: d first cells => [|d IH] first cells //=; rewrite size_cat !IH expnS mul2n addnn. Qed.

Lemma nth_collect d first cells n : (n < 2 ^ d)%N ->
  nth Z0 (collect d first cells) n = cell_sum cells (first + Z.of_nat n).
Proof.
elim: d first cells n => [|d IH] first cells n /=.
  by rewrite expn0 ltnS leqn0 => /eqP ->; rewrite Z.add_0_r.
have pow : Z.of_nat (2 ^ d)%N = (2 ^ Z.of_nat d)%coqZ.
  elim: d {IH} => [|d IHd] //; rewrite expnS Nat2Z.inj_mul IHd [in RHS]Nat2Z.inj_succ Z.pow_succ_r //.
  exact: Nat2Z.is_nonneg.
have filtered (a : Z -> bool) i : a i -> cell_sum [seq c <- cells | a c.1] i = cell_sum cells i.
  move=> ai; rewrite /cell_sum -filter_predI; congr (zsum (map _ _)).
  by apply: eq_filter => c /=; case: Z.eqb_spec => [->|] //=; rewrite ai.
move=> lt; rewrite nth_cat size_collect; case: ltnP => h.
  rewrite IH //; apply: (filtered (fun i => Z.ltb i _)).
  apply/Z.ltb_lt; rewrite -pow; apply/Zplus_lt_compat_l/Nat2Z.inj_lt; exact/ssrnat.ltP.
rewrite IH; last by rewrite ltn_subLR // addnn -mul2n -expnS.
rewrite (filtered (fun i => Z.leb _ i)); last by apply/Z.leb_le; lia.
by congr cell_sum; rewrite -pow -Z.add_assoc -Nat2Z.inj_add -[(_ + _)%coq_nat]/(_ + _)%N subnKC.
Qed.

Section Keyed.
Variable S : Z.
Hypothesis S0 : Z.lt 0 S.
Notation weight := (@weight [realFieldType of R] [zmodType of Z] +%R 0).

Definition key_weight (l : seq (R * R * Z)) (j : Z) : R := \sum_(x <- l) x.1.1 * (x.2 == j)%:R.
Definition keyed_below (l : seq (R * R * Z)) (t : Z * placed) := forall n,
  Z.le 0 (nth Z0 (flat t.2) n) /\ IZR (nth Z0 (flat t.2) n) <= IZR S * key_weight l (t.1 - Z.of_nat n).

Definition nonneg_atoms (l : seq (R * R * Z)) := all (fun x => (0 <= x.1.1) && (0 <= x.1.2)) l.

Lemma key_weight_ge0 l j : nonneg_atoms l -> 0 <= key_weight l j.
Proof.
move=> /allP l0; rewrite /key_weight big_seq; apply: sumr_ge0 => x /l0/andP[p0 _].
by rewrite mulr_ge0 ?ler0n.
Qed.

Lemma cell_sum_ge0 cells i : (forall c, c \in cells -> Z.le 0 c.2) -> Z.le 0 (cell_sum cells i).
Proof.
rewrite /cell_sum; elim: cells => [|c cs IH] c0 /=; first exact: Z.le_refl.
have {}IH := IH (fun c' c's => c0 c' (mem_behead (s := c :: cs) c's)).
case: Z.eqb => //=; apply: Z.add_nonneg_nonneg => //; exact: c0 (mem_head _ _).
Qed.

Lemma table_of_below l cells : nonneg_atoms l ->
  (forall c, c \in cells -> Z.le 0 c.2) ->
  (forall j, IZR (cell_sum cells j) <= IZR S * key_weight l j) ->
  keyed_below l (table_of cells).
Proof.
move=> l0 c0 below n; rewrite nth_without_zeros nth_flat subn0 ltn0.
set J := highest_of cells; set depth := log2_above _.
have S0' : 0 <= IZR S by apply: IZR_ge0; exact: Z.lt_le_incl.
case: (ltnP n (2 ^ depth)) => h; last first.
  by rewrite nth_default ?size_collect // mulr_ge0 ?key_weight_ge0 //; split=> //; exact: Z.le_refl.
rewrite nth_collect //; set i := (0 + _)%coqZ.
have -> : cell_sum [seq ((J - c.1)%coqZ, c.2) | c <- cells] i = cell_sum cells (J - Z.of_nat n).
  rewrite /cell_sum filter_map -map_comp; congr zsum; congr map; apply: eq_filter => c /=.
  by rewrite /i; case: Z.eqb_spec => e1; case: Z.eqb_spec => e2 //; lia.
split; last exact: below.
exact: cell_sum_ge0.
Qed.

(** Products. *)
Lemma weight_cons l ls s : nonnegative (l :: ls) -> forall n J,
  \sum_(i < n.+1) key_weight l (J - Z.of_nat i) * weight ls (s - (J - Z.of_nat i)) <=
  weight (l :: ls) s.
Proof.
move=> /andP[/allP l0 LS] n J; rewrite /key_weight.
under eq_bigr do rewrite mulr_suml.
rewrite exchange_big /= {2}/weight /= big_seq [X in _ <= X]big_seq; apply: ler_sum => x xl.
have /andP[p0 _] := l0 x xl.
have -> : total +%R 0 ls (fun p _ s' => x.1.1 * p * (x.2 + s' == s)%:R) = x.1.1 * weight ls (s - x.2).
  rewrite /weight -totalZ; apply: eq_total => p _ s'.
  by rewrite -mulrA [s' == _]eq_sym subr_eq [s == _]eq_sym [s' + _]addrC.
have w0 : 0 <= weight ls (s - x.2).
  by apply: total_ge0 => // p q s' h _; rewrite mulr_ge0 ?ler0n.
pose keys := [seq (J - Z.of_nat i)%coqZ | i <- iota 0 n.+1].
have -> : \sum_(i < n.+1) x.1.1 * (x.2 == J - Z.of_nat i)%:R * weight ls (s - (J - Z.of_nat i)) =
    x.1.1 * \sum_(k <- keys) (x.2 == k)%:R * weight ls (s - k).
  rewrite big_map mulr_sumr -[X in iota 0 X](subn0 n.+1) -/(index_iota 0 n.+1) big_mkord.
  by apply: eq_bigr => i _; rewrite mulrA.
rewrite sum_indicator; last first.
  by rewrite map_inj_uniq ?iota_uniq // => i j e; apply: Nat2Z.inj; lia.
by rewrite ler_wpmul2l //; case: (_ \in _); rewrite ?mul1r ?mul0r.
Qed.

(** A list of atoms, and its highest key and table. *)
Definition keyed_tables := seq (seq (R * R * Z) * (Z * placed)).
Definition lists (ts : keyed_tables) := [seq t.1 | t <- ts].
Definition highest (ts : keyed_tables) : Z := zsum [seq t.2.1 | t <- ts].

Let bound (t : seq (R * R * Z) * (Z * placed)) : {poly R} :=
  \poly_(n < size (flat t.2.2)) key_weight t.1 (t.2.1 - Z.of_nat n).

Let bound_le t n : nonneg_atoms t.1 -> 0 <= (bound t)`_n <= key_weight t.1 (t.2.1 - Z.of_nat n).
Proof. by move=> t0; rewrite coef_poly; case: ifP => _; rewrite ?lexx key_weight_ge0. Qed.

Let product_bound (ts : keyed_tables) : nonnegative (lists ts) -> forall n,
  0 <= (\prod_(t <- ts) bound t)`_n <= weight (lists ts) (highest ts - Z.of_nat n).
Proof.
elim: ts => [|t ts IH] ts0 n.
  rewrite big_nil coef1 /weight /= mul1r /highest /=; by case: n => [|n] /=; rewrite ?ler01 ?ler0n ?lexx.
have /andP[t0 ts0'] := ts0; rewrite big_cons coefM; apply/andP; split.
  apply: sumr_ge0 => i _; have /andP[a0 _] := bound_le i t0.
  by have /andP[b0 _] := IH ts0' (n - i)%N; rewrite mulr_ge0.
apply: le_trans (weight_cons (highest (t :: ts) - Z.of_nat n) ts0 n t.2.1).
apply: ler_sum => i _; have /andP[a0 a] := bound_le i t0.
have /andP[b0 b] := IH ts0' (n - i)%N.
apply: (ler_pmul a0 b0 a); apply: le_trans b _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
congr (weight _ _); rewrite /highest /= Nat2Z.inj_sub; last by apply/ssrnat.leP; rewrite -ltnS.
by rewrite -[- _]/(Z.opp _); clear; lia.
Qed.

Theorem product_keyed (ts : keyed_tables) : nonnegative (lists ts) ->
  List.Forall (fun t => keyed_below t.1 t.2) ts -> forall n,
  Z.le 0 (nth Z0 (flat (product_all S [seq t.2.2 | t <- ts])) n) /\
  IZR (nth Z0 (flat (product_all S [seq t.2.2 | t <- ts])) n) <=
    IZR S * weight (lists ts) (highest ts - Z.of_nat n).
Proof.
move=> ts0 below n; have S0' : 0 <= IZR S by apply: IZR_ge0; exact: Z.lt_le_incl.
have sb : stays_below S (\prod_(P <- [seq bound t | t <- ts]) P) (product_all S [seq t.2.2 | t <- ts]).
  apply: product_all_below => //; elim: below => [|t ts' b _ IH] /=; constructor=> // i.
  have [h0 h] := b i; split=> //; rewrite coef_poly; case: ltnP => // le.
  by rewrite nth_default // mulr0.
have [h0 h] := sb n; split=> //; apply: le_trans h _; rewrite big_map ler_wpmul2l //.
by case/andP: (product_bound ts0 n).
Qed.
End Keyed.
