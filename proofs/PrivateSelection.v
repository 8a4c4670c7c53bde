(** Private selection (SPEC, 7.1): a mechanism is run a random number of times, and the best answer is kept.

    Answers have scores, which do not depend on the data; of equal ones the first is kept.  How often the mechanism
    is run is drawn for itself.  If a run is l-DP, and the number of runs has a truncated negative binomial
    law, then what is kept is ((2 + eta) l)-DP (Papernot & Steinke, ICLR 2022; Liu & Talwar, STOC 2019):
    [selection_private].  If all scores are equal, what is kept has the law of one answer ([all_first]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions RulesGaussian NoiseLedgers NegativeBinomial.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- what is run, and what is kept --- *)

(** A run: mechanisms one after the other, of whose answers its answer is made. *)
Definition is_run (ns : seq noise) (Y : finType) (S T : Y -> R) : Prop :=
  exists (Z : finType) (S' T' : Z -> R) (answer : Z -> Y), [/\ noisy_composition ns S' T',
    forall y, S y = \sum_(z | answer z == y) S' z & forall y, T y = \sum_(z | answer z == y) T' z].

Section Kept.
Variables (Y : finType) (score : Y -> nat).

(** The law of the best of k answers: of the first, if none of the others is better, else of their best. *)
Fixpoint best_of (S : Y -> R) (k : nat) (y : Y) : R :=
  match k with
  | 0 => 0
  | 1 => S y
  | (k'.+1 as j).+1 => S y * (\sum_(z | (score z <= score y)%N) best_of S j z) +
                      (\sum_(x | (score x < score y)%N) S x) * best_of S j y
  end.

(** What is kept of so many runs as a negative binomial law says, at least one. *)
Definition kept_of (eta gamma : R) (S P : Y -> R) : Prop :=
  forall y, is_series (fun k => (runs_weight eta gamma k * best_of S k y)%R)
                      (Series (runs_weight eta gamma) * P y).
End Kept.

(** --- the law of the best of k --- *)

Section Best.
Variables (Y : finType) (score : Y -> nat) (S : Y -> R).
Hypothesis dS : distribution S.
Let S0 : forall y, 0 <= S y. Proof. by case: dS. Qed.

Definition below (c : nat) : R := \sum_(z | (score z < c)%N) S z.

Lemma best_next k y : best_of score S k.+2 y =
  S y * (\sum_(z | (score z <= score y)%N) best_of score S k.+1 z) + below (score y) * best_of score S k.+1 y.
Proof. by []. Qed.

Lemma below_ge0 c : 0 <= below c. Proof. exact: sumr_ge0. Qed.
Lemma below_grows c c' : (c <= c')%N -> below c <= below c'.
Proof.
move=> le; rewrite /below (big_mkcond (fun z => _ < c)%N) (big_mkcond (fun z => _ < c')%N); apply: ler_sum => z _.
by case: ifP => [/leq_trans/(_ le) ->|_] //; case: ifP.
Qed.
Lemma below_le1 c : below c <= 1.
Proof.
case: dS => _ <-; rewrite /below big_mkcond; apply: ler_sum => z _; by case: ifP.
Qed.

Lemma best_below k c : \sum_(z | (score z < c)%N) best_of score S k.+1 z = below c ^+ k.+1.
Proof.
elim: k => [|k IH]; first by rewrite expr1.
pose B := best_of score S k.+1; rewrite exprS -IH -/B.
rewrite [LHS](_ : _ = \sum_(z | (score z < c)%N) \sum_(w | (score w < c)%N)
   ((if (score w <= score z)%N then S z * B w else 0) + (if (score w < score z)%N then S w * B z else 0))); last first.
  apply: eq_bigr => z zc; rewrite best_next -/B big_split /= /below mulr_sumr mulr_suml; congr (_ + _).
    rewrite -big_mkcondr; apply: eq_bigl => w; rewrite andb_idl // => le; exact: leq_ltn_trans zc.
  rewrite -big_mkcondr; apply: eq_bigl => w; rewrite andb_idl // => le; exact: ltn_trans zc.
under eq_bigr => z _ do rewrite big_split /=.
rewrite big_split /= [X in _ + X]exchange_big -big_split /= /below mulr_suml; apply: eq_bigr => z _.
rewrite -big_split mulr_sumr; apply: eq_bigr => w _ /=.
by case: leqP => h; rewrite ?addr0 ?add0r.
Qed.

Lemma best_powers k y : (below (score y).+1 - below (score y)) * best_of score S k y =
  S y * (below (score y).+1 ^+ k - below (score y) ^+ k).
Proof.
case: k => [|k]; first by rewrite !expr0 subrr !mulr0.
elim: k => [|k IH]; first by rewrite !expr1 mulrC.
rewrite best_next; have -> : \sum_(z | (score z <= score y)%N) best_of score S k.+1 z = below (score y).+1 ^+ k.+1 by rewrite -best_below.
rewrite mulrDr [_ * (below (score y) * _)]mulrCA IH !exprS; ring.
Qed.

Lemma best_nothing k y : S y = 0 -> best_of score S k y = 0.
Proof.
move=> s0; case: k => // k; elim: k => // k IH.
by rewrite best_next s0 IH mul0r mulr0 addr0.
Qed.

Lemma at_most_level y : S y <= below (score y).+1 - below (score y).
Proof.
rewrite ler_subr_addr /below [X in _ <= X](bigD1 y) //= ?ltnS // ler_add2l.
rewrite (big_mkcond (fun z => _ < score y)%N) [X in _ <= X]big_mkcond; apply: ler_sum => z _.
case: ifP => [lt|_]; last by case: ifP.
by rewrite ltnS (ltnW lt) /=; case: eqP lt => [->|//]; rewrite ltnn.
Qed.

Lemma best_ge0 k y : 0 <= best_of score S k y.
Proof.
case: k => // k; elim: k y => [|k IH] y; first exact: S0.
rewrite best_next; apply: addr_ge0; apply: mulr_ge0; rewrite ?below_ge0 //; exact: sumr_ge0.
Qed.

Lemma best_total k : \sum_y best_of score S k.+1 y = 1.
Proof.
have [_ S1] := dS; pose c := (\max_y score y).+1.
have all_ z : (score z < c)%N by rewrite ltnS; exact: leq_bigmax.
have -> : \sum_y best_of score S k.+1 y = \sum_(z | (score z < c)%N) best_of score S k.+1 z.
  by apply: eq_bigl => z; rewrite all_.
rewrite best_below -[RHS](expr1n _ k.+1); congr (_ ^+ _); rewrite -S1; apply: eq_bigl => z; exact: all_.
Qed.
End Best.

(** --- what is kept --- *)

Lemma pow_expr (x : R) k : pow x k = x ^+ k.
Proof. by elim: k => [|k IH] //=; rewrite IH exprS. Qed.

Lemma series_nothing : Series (fun=> 0) = 0.
Proof.
transitivity (Series (fun k => Rmult 0 0)); last by rewrite Series_scal_l; exact: mul0r.
by apply: Series_ext => k; apply/esym; exact: mul0r.
Qed.

Section Private.
Variables (eta gamma : R).
Hypotheses (eta1 : - 1 < eta) (gamma0 : 0 < gamma) (gamma1 : gamma < 1).
Let e1 : Rlt (Ropp 1) eta. Proof. exact/RltP. Qed.
Let g0 : Rlt 0 gamma. Proof. exact/RltP. Qed.
Let g1 : Rlt gamma 1. Proof. exact/RltP. Qed.
Let F := generating eta gamma.
Let W := Series (runs_weight eta gamma).
Let W0 : 0 < W. Proof. by apply/RltP; exact: total_gt0. Qed.

Section One.
Variables (Y : finType) (score : Y -> nat) (S P : Y -> R).
Hypotheses (dS : distribution S) (K : kept_of score eta gamma S P).
Local Arguments K : clear implicits.

Lemma kept_slope y : (below score S (score y).+1 - below score S (score y)) * (W * P y) =
  S y * (F (below score S (score y).+1) - F (below score S (score y))).
Proof.
apply: (@mean_of_powers eta gamma e1 g0 g1 (fun k => best_of score S k y)).
- by split; apply/RleP; [exact: below_ge0|exact: below_grows].
- by apply/RleP; exact: below_le1.
- by move=> k; rewrite !pow_expr; exact: best_powers.
exact: K.
Qed.

Lemma kept_nothing y : S y = 0 -> P y = 0.
Proof.
move=> s0; have h := K y; have := is_series_unique (fun k => runs_weight eta gamma k * best_of score S k y) _ h.
have -> : Series (fun k => runs_weight eta gamma k * best_of score S k y) = 0.
  by rewrite -series_nothing; apply: Series_ext => k; rewrite best_nothing // mulr0.
by move/esym/eqP; rewrite mulf_eq0 (gt_eqF W0) => /eqP.
Qed.
Lemma kept_distribution : distribution P.
Proof.
split=> [y|].
  have [h _] := dS; rewrite -(ler_pmul2l W0) mulr0.
  have -> : W * P y = Series (fun k => runs_weight eta gamma k * best_of score S k y).
    by have h' := K y; rewrite (is_series_unique (fun k => runs_weight eta gamma k * best_of score S k y) _ h').
  rewrite -series_nothing.
  apply/RleP; apply: Series_le; last by exists (W * P y); exact: K.
  move=> k; split; first exact: Rle_refl.
  apply/RleP; apply: mulr_ge0; first by apply/RleP; exact: runs_weight_ge0.
  exact: best_ge0.
have total s : is_series (fun k => \sum_(y <- s) (runs_weight eta gamma k * best_of score S k y)) (\sum_(y <- s) W * P y).
  elim: s => [|y s IH].
    apply: (is_series_ext (fun k => runs_weight eta gamma k * 0)) => [k|]; first by rewrite big_nil mulr0.
    rewrite big_nil -[X in is_series _ X](mulr0 W); exact: times_total.
  rewrite big_cons; apply: (is_series_ext (fun k => plus (runs_weight eta gamma k * best_of score S k y)
    (\sum_(y <- s) (runs_weight eta gamma k * best_of score S k y)))) => [k|]; first by rewrite big_cons.
  by apply: (is_series_plus (fun k => runs_weight eta gamma k * best_of score S k y)); [exact: K|exact: IH].
have one := total (enum Y); have h : is_series (runs_weight eta gamma) (\sum_(y <- enum Y) W * P y).
  apply: is_series_ext one => k; rewrite -mulr_sumr big_enum /=.
  by case: k => [|k]; [rewrite mul0r|rewrite best_total // mulr1].
have := is_series_unique (runs_weight eta gamma) _ h; rewrite -/W -mulr_sumr big_enum /= => e.
by apply: (mulfI (lt0r_neq0 W0)); rewrite mulr1.
Qed.

End One.

(** Where all scores are equal, what is kept is one answer. *)
Lemma all_first (Y : finType) (S : Y -> R) : distribution S -> kept_of (fun=> 0%N) eta gamma S S.
Proof.
move=> dS y; apply: (is_series_ext (fun k => runs_weight eta gamma k * S y)) => [k|]; last exact: times_total.
case: k => [|k]; first by rewrite !mul0r.
congr (_ * _); elim: k => // k IH; rewrite best_next IH.
have -> : below (fun=> 0%N) S 0 = 0 by rewrite /below big_pred0.
have -> : \sum_(z | (0 <= 0)%N) best_of (fun=> 0%N) S k.+1 z = 1 by exact: best_total.
by rewrite mulr1 mul0r addr0.
Qed.

(** What is kept of runs that are l-DP. *)
Theorem selection_at_most (Y : finType) (score : Y -> nat) (S T P Q : Y -> R) (l : R) : distribution S -> distribution T ->
  (forall y, S y <= exp l * T y) -> (forall y, T y <= exp l * S y) ->
  kept_of score eta gamma S P -> kept_of score eta gamma T Q -> forall y, P y <= exp ((2%:R + eta) * l) * Q y.
Proof.
move=> dS dT ST TS KP KQ y; have [S0 S1] := dS; have [T0 T1] := dT.
have E0 := exp_gt0 l; have E0' := exp_gt0 ((1 + eta) * l).
have split2 : exp ((2%:R + eta) * l) = exp l * exp ((1 + eta) * l).
  by rewrite -expD; congr exp; rewrite (_ : 2%:R = 1 + 1) // -addrA mulrDl mul1r.
set a := below score S (score y); set b := below score S (score y).+1.
set a' := below score T (score y); set b' := below score T (score y).+1.
have [s0|] := eqVneq (S y) 0.
  rewrite (kept_nothing KP s0) mulr_ge0 //; first exact: ltW (exp_gt0 _).
  by have [h _] := kept_distribution dT KQ.
move=> s0; have sy : 0 < S y by rewrite lt0r s0 S0.
have ty : 0 < T y by rewrite -(pmulr_rgt0 _ E0); exact: lt_le_trans sy (ST y).
have ab : 0 < b - a := lt_le_trans sy (at_most_level score dS y).
have ab' : 0 < b' - a' := lt_le_trans ty (at_most_level score dT y).
have eP : (b - a) * (W * P y) = S y * (F b - F a) := kept_slope dS KP y.
have eQ : (b' - a') * (W * Q y) = T y * (F b' - F a') := kept_slope dT KQ y.
have near c : missing gamma (below score T c) <= exp l * missing gamma (below score S c).
  have part (U : Y -> R) : distribution U -> missing gamma (below score U c) =
      gamma * below score U c + \sum_(z | ~~ (score z < c)%N) U z.
    move=> [_ U1]; rewrite /missing.
    have -> : \sum_(z | ~~ (score z < c)%N) U z = 1 - below score U c.
      by rewrite -U1 [X in _ = X - _](bigID (fun z => score z < c)%N) /= -/(below score U c) addrAC subrr add0r.
    change (1 - (1 - gamma) * below score U c = gamma * below score U c + (1 - below score U c)); ring.
  rewrite !part // mulrDr; apply: ler_add.
    rewrite mulrCA; apply: ler_wpmul2l; first exact: ltW.
    by rewrite /below mulr_sumr; apply: ler_sum => z _; exact: TS.
  by rewrite mulr_sumr; apply: ler_sum => z _; exact: TS.
have slopes : (b' - a') * (F b - F a) <= exp ((1 + eta) * l) * ((b - a) * (F b' - F a')).
  apply/RleP; apply: (@slopes_near eta gamma e1 g0 g1 l a b a' b').
  - by split; apply/RleP; [exact: below_ge0|exact: below_grows].
  - by apply/RleP; exact: below_le1.
  - by split; apply/RleP; [exact: below_ge0|exact: below_grows].
  - by apply/RleP; exact: below_le1.
  - by apply/RleP; exact: near.
  by apply/RleP; exact: near.
have grows : 0 <= F b' - F a'.
  rewrite subr_ge0 /F; apply/RleP; apply: (@generating_grows eta gamma e1 g0 g1 a' b').
    by split; apply/RleP; [exact: below_ge0|exact: below_grows].
  by apply/RleP; exact: below_le1.
rewrite -(ler_pmul2l W0) -(ler_pmul2l ab) -(ler_pmul2l ab').
rewrite [X in X <= _](_ : _ = S y * ((b' - a') * (F b - F a))); last by rewrite eP; ring.
rewrite [X in _ <= X](_ : _ = exp ((2%:R + eta) * l) * (b - a) * ((b' - a') * (W * Q y))); last by ring.
rewrite eQ split2; apply: le_trans (ler_wpmul2l (ltW sy) slopes) _.
rewrite [X in _ <= X](_ : _ = exp l * T y * (exp ((1 + eta) * l) * ((b - a) * (F b' - F a')))); last by ring.
apply: ler_wpmul2r (ST y); apply: mulr_ge0; first exact: ltW.
by apply: mulr_ge0 grows; exact: ltW.
Qed.
End Private.

(** --- runs of (epsilon, 0)-DP mechanisms --- *)

Lemma pointwise_private (E : R) (Y : finType) (P Q : Y -> R) : (forall y, P y <= E * Q y) -> (forall y, Q y <= E * P y) ->
  indistinguishable E 0 P Q.
Proof. by move=> h h'; split=> A; rewrite addr0 mulr_sumr; apply: ler_sum. Qed.
Lemma private_pointwise (E : R) (Y : finType) (P Q : Y -> R) : indistinguishable E 0 P Q ->
  (forall y, P y <= E * Q y) /\ (forall y, Q y <= E * P y).
Proof.
by case=> h h'; split=> y; [have := h [set y]|have := h' [set y]]; rewrite !big_set1 addr0.
Qed.

Lemma pure_composition (epsilon : R) n (Y : finType) (P Q : Y -> R) :
  noisy_composition (nseq n (OfNotion (Approximate epsilon 0))) P Q ->
  [/\ distribution P, distribution Q & forall y, P y <= exp (n%:R * epsilon) * Q y] /\
  (forall y, Q y <= exp (n%:R * epsilon) * P y).
Proof.
move e: (nseq n _) => ns C; elim: C n e => {Y P Q ns} [|m ns Y Z P Q P' Q' H _ IH] [|n] //=.
  move=> _; rewrite mul0r exp_0; have d : distribution (fun _ : unit => 1 : R).
    by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
  by split; [split|] => // _; rewrite mul1r.
case=> e1 e2; have {}IH y := IH y n e2; rewrite -e1 in H; have [_ _ [dP dQ h]] := H; have [PQ QP] := private_pointwise h.
have [P0 _] := dP; have [Q0 _] := dQ.
have split1 : exp (n.+1%:R * epsilon) = exp epsilon * exp (n%:R * epsilon) by rewrite -expD -add1n natrD mulrDl mul1r.
split; first split.
- by apply: distribution_pair => // y; case: (IH y) => [[]].
- by apply: distribution_pair => // y; case: (IH y) => [[]].
- move=> [y z]; case: (IH y) => [[[P0' _] [Q0' _] le] _] /=; rewrite split1 mulrACA.
  by apply: ler_pmul => //; exact: P0'.
move=> [y z]; case: (IH y) => [[[P0' _] [Q0' _] _] le] /=; rewrite split1 mulrACA.
by apply: ler_pmul => //; exact: Q0'.
Qed.

Lemma pure_run (epsilon : R) n (Y : finType) (S T : Y -> R) : is_run (nseq n (OfNotion (Approximate epsilon 0))) S T ->
  [/\ distribution S, distribution T & forall y, S y <= exp (n%:R * epsilon) * T y] /\
  (forall y, T y <= exp (n%:R * epsilon) * S y).
Proof.
case=> [Z [S' [T' [answer [C eS eT]]]]]; have [[[S0 S1] [T0 T1] le] le'] := pure_composition C.
have total (U : Y -> R) (U' : Z -> R) : (forall y, U y = \sum_(z | answer z == y) U' z) -> \sum_y U y = \sum_z U' z.
  move=> eU; rewrite (partition_big answer predT) //=; apply: eq_bigr => y _; rewrite eU; exact: eq_bigl.
split; first split.
- by split=> [y|]; [rewrite eS sumr_ge0|rewrite (total _ _ eS)].
- by split=> [y|]; [rewrite eT sumr_ge0|rewrite (total _ _ eT)].
- by move=> y; rewrite eS eT mulr_sumr; apply: ler_sum => z _; exact: le.
by move=> y; rewrite eS eT mulr_sumr; apply: ler_sum => z _; exact: le'.
Qed.

(** Private selection from runs of n mechanisms. *)
Definition is_selection (eta gamma epsilon : R) (n : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q & exists (S T : Y -> R) (score : Y -> nat), [/\ is_run (nseq n (OfNotion (Approximate epsilon 0))) S T,
    kept_of score eta gamma S P & kept_of score eta gamma T Q]].

Theorem selection_private (eta gamma epsilon : R) n (Y : finType) (P Q : Y -> R) : -1 < eta -> 0 < gamma -> gamma < 1 ->
  is_selection eta gamma epsilon n P Q ->
  has_noise (OfNotion (Approximate ((2%:R + eta) * (n%:R * epsilon)) 0)) P Q.
Proof.
move=> eta1 g0 g1 [dP dQ [S [T [score [/pure_run[[dS dT ST] TS] KP KQ]]]]].
split=> //; split=> //; apply: pointwise_private.
  exact: (selection_at_most eta1 g0 g1 dS dT ST TS KP KQ).
exact: (selection_at_most eta1 g0 g1 dT dS TS ST KQ KP).
Qed.

(** From below: one run, of whose answers all are as good. *)
Theorem selection_attained (eta gamma epsilon : R) (Y : finType) (P Q : Y -> R) : -1 < eta -> 0 < gamma -> gamma < 1 ->
  has_noise (OfNotion (Approximate epsilon 0)) P Q -> is_selection eta gamma epsilon 1 P Q.
Proof.
move=> eta1 g0 g1 h; have [dP dQ _] := h; split=> //; exists P, Q, (fun=> 0%N); split; try exact: all_first.
have alone (U : Y -> R) y : U y = \sum_(z : Y * unit | z.1 == y) U z.1 * 1.
  rewrite (big_pred1 (y, tt)) /= ?mulr1 // => -[y' []]; by apply/eqP/eqP => [/= ->|[->]].
exists [finType of Y * unit], (fun p => P p.1 * 1), (fun p => Q p.1 * 1), fst; split; try exact: alone.
by apply: (@NoisyCons _ _ _ _ P Q (fun _ _ => 1) (fun _ _ => 1)) => // y; exact: NoisyNil.
Qed.
