(** Tables of losses below what two laws have in common.

    Laws P and Q have in common, at y, the sum of min(P(o), y Q(o)): 1 less the divergence at y
    ([hockey_stick_overlap]).  A table is a list of weights, each with the z = e^-L of its loss L.  It is
    below the laws if the sum of its w min(1, y z) is not above what they have in common, at any y;
    what its weights leave of 1 stands at an infinite loss.  Tables below mechanisms are, multiplied, below
    their adaptive composition ([overlap_composes]), in whatever order they are multiplied
    ([mean_perm]) and if any is replaced, on the way, by one below it ([mean_product]). *)
From Coq Require Import Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Domination.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Overlap.
Variable R : realFieldType.
Implicit Types (h : R -> R) (T : seq (R * R)) (Ts : seq (seq (R * R))) (y z : R).

Definition overlap (Y : finType) (P Q : Y -> R) y : R := \sum_(o : Y) Num.min (P o) (y * Q o).

Lemma hockey_stick_overlap (Y : finType) (P Q : Y -> R) y :
  hockey_stick 1 y P Q = \sum_o P o - overlap P Q y.
Proof.
rewrite /hockey_stick /overlap -sumrB; apply: eq_bigr => o _; rewrite mul1r.
case: leP => [h|/ltW h]; first by rewrite subrr pos_0 // subr_le0.
by rewrite pos_id // subr_ge0.
Qed.

Lemma le2_min (a b c d : R) : a <= c -> b <= d -> Num.min a b <= Num.min c d.
Proof. by move=> ac bd; rewrite le_minr !le_minl ac bd orbT. Qed.

(** The mean of h at y times the z of a sum of losses, one from each table. *)
Fixpoint mean Ts h y : R :=
  if Ts is T :: Ts' then \sum_(x <- T) x.1 * mean Ts' h (y * x.2) else h y.
Definition lesser y : R := Num.min 1 y.

Definition table_above_0 T := all (fun x : R * R => (0 <= x.1) && (0 <= x.2)) T.

Lemma mean_cat Ts Ts' h y : mean (Ts ++ Ts') h y = mean Ts (mean Ts' h) y.
Proof. by elim: Ts y => //= T Ts IH y; apply: eq_bigr => x _; rewrite IH. Qed.

Lemma eq_mean Ts h h' y : (forall z, h z = h' z) -> mean Ts h y = mean Ts h' y.
Proof. by move=> e; elim: Ts y => //= T Ts IH y; apply: eq_bigr => x _; rewrite IH. Qed.

Lemma mean_sum Ts (I : Type) (s : seq I) (c : I -> R) (g : I -> R -> R) y :
  mean Ts (fun z => \sum_(i <- s) c i * g i z) y = \sum_(i <- s) c i * mean Ts (g i) y.
Proof.
elim: Ts y => //= T Ts IH y.
rewrite (eq_bigr _ (fun x _ => congr1 (fun t => x.1 * t) (IH _))).
rewrite (eq_bigr _ (fun x _ => mulr_sumr _ _ _ _)) exchange_big /=; apply: eq_bigr => i _.
by rewrite mulr_sumr; apply: eq_bigr => x _; rewrite mulrCA.
Qed.

Lemma mean_scaled Ts h c y : mean Ts (fun z => h (z * c)) y = mean Ts h (y * c).
Proof. by elim: Ts y => //= T Ts IH y; apply: eq_bigr => x _; rewrite IH mulrAC. Qed.

Lemma meanZ Ts h c y : mean Ts (fun z => c * h z) y = c * mean Ts h y.
Proof. by elim: Ts y => //= T Ts IH y; rewrite mulr_sumr; apply: eq_bigr => x _; rewrite IH mulrCA. Qed.

Lemma meanC Ts Ts' h y : mean Ts (mean Ts' h) y = mean Ts' (mean Ts h) y.
Proof.
elim: Ts y => //= T Ts IH y; rewrite [RHS](mean_sum _ _ _ (fun x z => mean Ts h (z * x.2))).
by apply: eq_bigr => x _; rewrite IH mean_scaled.
Qed.

Lemma mean_perm Ts Ts' h y : perm_eq Ts Ts' -> mean Ts h y = mean Ts' h y.
Proof.
move=> p; apply: (@catCA_perm_ind _ (fun Us => mean Ts h y = mean Us h y) _ _ _ p) => // s1 s2 s3 ->.
by rewrite !(catA, mean_cat _ s3) !mean_cat meanC.
Qed.

Lemma mean_permutation Ts Ts' h y : Permutation Ts Ts' -> mean Ts h y = mean Ts' h y.
Proof.
move=> p; elim: p y => //= [T {}Ts {}Ts' _ IH y|T T' {}Ts y|Us Vs Ws _ IH _ IH' y].
- by apply: eq_bigr => x _; rewrite IH.
- exact: (meanC [:: T'] [:: T] (mean Ts h)).
by rewrite IH IH'.
Qed.

Lemma mean_le Ts h h' y : all table_above_0 Ts -> 0 <= y -> (forall z, 0 <= z -> h z <= h' z) ->
  mean Ts h y <= mean Ts h' y.
Proof.
move=> + + le; elim: Ts y => /= [|T Ts IH] y; first by move=> _; exact: le.
case/andP=> /allP T0 Ts0 y0; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x xT.
have /andP[w0 z0] := T0 _ xT; apply: ler_wpmul2l => //; apply: IH => //; exact: mulr_ge0.
Qed.

(** A product of what is below is below. *)
Definition not_above Ts Ts' := forall y, 0 <= y -> mean Ts lesser y <= mean Ts' lesser y.

Lemma mean_product T T' Ts Ts' : table_above_0 T -> all table_above_0 Ts' ->
  not_above [:: T] Ts -> not_above [:: T'] Ts' -> not_above [:: T; T'] (Ts ++ Ts').
Proof.
move=> T0 Ts0 le le' y y0; rewrite -cat1s !mean_cat.
apply: (@le_trans _ _ (mean [:: T] (mean Ts' lesser) y)).
  by apply: mean_le => //=; rewrite T0.
by rewrite meanC [X in _ <= X]meanC; apply: mean_le.
Qed.

(** --- what mechanisms have in common --- *)

Definition captured T (Y : finType) (P Q : Y -> R) :=
  forall y, 0 <= y -> mean [:: T] lesser y <= overlap P Q y.

Lemma lesser_scaled Ts p y q : 0 <= p -> 0 <= y -> 0 <= q -> all table_above_0 Ts ->
  mean Ts (fun z => Num.min p (z * q)) y <= p * mean Ts lesser (y * q / p).
Proof.
rewrite le_eqVlt => /predU1P[<-|p0] y0 q0 Ts0.
  have zero : mean Ts (fun=> 0) y = 0.
    by elim: Ts y {y0 Ts0} => //= T Ts IH y; rewrite big1 // => x _; rewrite IH mulr0.
  by rewrite mul0r -[X in _ <= X]zero; apply: mean_le => // z z0; rewrite le_minl lexx.
rewrite -meanZ -[y * q / p]mulrA -mean_scaled le_eqVlt; apply/orP; left; apply/eqP.
apply: eq_mean => z; rewrite /lesser minr_pmulr ?(ltW p0) // mulr1; congr Num.min.
by rewrite mulrA mulrCA divff ?mulr1 // gt_eqF.
Qed.

Theorem overlap_composes T Ts (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
  nonnegative_laws P Q -> (forall o, nonnegative_laws (P' o) (Q' o)) ->
  table_above_0 T -> all table_above_0 Ts -> captured T P Q ->
  (forall o y, 0 <= y -> mean Ts lesser y <= overlap (P' o) (Q' o) y) ->
  forall y, 0 <= y -> mean (T :: Ts) lesser y <=
    overlap (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2) y.
Proof.
move=> PQ PQ' T0 Ts0 one rest y y0.
rewrite -cat1s mean_cat meanC; apply: (@le_trans _ _ (mean Ts (overlap P Q) y)); first exact: mean_le.
rewrite /overlap -(pair_bigA _ (fun o p => Num.min (P o * P' o p) (y * (Q o * Q' o p)))) /=.
have -> : mean Ts (fun z => \sum_o Num.min (P o) (z * Q o)) y =
    \sum_o mean Ts (fun z => Num.min (P o) (z * Q o)) y.
  transitivity (mean Ts (fun z => \sum_o 1 * Num.min (P o) (z * Q o)) y).
    by apply: eq_mean => z; apply: eq_bigr => o _; rewrite mul1r.
  by rewrite mean_sum; apply: eq_bigr => o _; rewrite mul1r.
apply: ler_sum => o _; have [p0 q0] := PQ o; apply: le_trans (lesser_scaled p0 y0 q0 Ts0) _.
have [e|p1] := eqVneq (P o) 0.
  rewrite e mul0r; apply: sumr_ge0 => p _; have [_ q1] := PQ' o p.
  by rewrite mul0r le_minr lexx !mulr_ge0.
have r0 : 0 <= y * Q o / P o by rewrite divr_ge0 // mulr_ge0.
apply: le_trans (ler_wpmul2l p0 (rest o _ r0)) _; rewrite /overlap mulr_sumr; apply: ler_sum => p _.
rewrite minr_pmulr // le_eqVlt; apply/orP; left; apply/eqP; congr Num.min.
by rewrite mulrCA !mulrA divfK // mulrC !mulrA.
Qed.

(** Weights may go from one output to others: to greater losses, or some to lesser ones. *)
Lemma moved_weights y p q (s : seq (R * R)) : 0 <= y -> table_above_0 s ->
  \sum_(x <- s) x.1 <= p -> \sum_(x <- s) x.1 * x.2 <= q -> mean [:: s] lesser y <= Num.min p (y * q).
Proof.
move=> y0 /allP s0 wp wq; rewrite le_minr /=; apply/andP; split.
  apply: le_trans wp; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x /s0/andP[w0 _].
  by rewrite -[X in _ <= X]mulr1 ler_wpmul2l // le_minl lexx.
apply: le_trans (ler_wpmul2l y0 wq); rewrite mulr_sumr big_seq [X in _ <= X]big_seq.
apply: ler_sum => x /s0/andP[w0 _]; rewrite [X in _ <= X]mulrCA ler_wpmul2l // le_minl lexx orbT //.
Qed.
End Overlap.
Arguments lesser {R} _.
