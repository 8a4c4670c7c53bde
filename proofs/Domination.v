(** Domination composes (Zhu, Dong & Wang, AISTATS 2022, Theorem 10), for finitely many outputs.

    A pair of laws P, Q has the profile h(y) = sum_z max(P(z) - y Q(z), 0).  A mechanism is dominated
    by a finite pair if its own profile is nowhere above that of the pair ([dominated_by]).  If each
    mechanism, chosen in the light of the answers before, is dominated by the pair of its place in a
    list, the adaptive composition is dominated by the product of the list
    ([domination_composes]): summation over the answers and over the outputs of a pair may be
    exchanged ([hockey_stick_exchange]).

    The pair of a list need only be nonnegative; what is missing from 1 in its second law is an
    output of the first alone. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import PositivePart Privacy Composition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Domination.
Variable R : realFieldType.
Implicit Types (a b : R).

Definition nonnegative_laws (Y : finType) (P Q : Y -> R) := forall z, 0 <= P z /\ 0 <= Q z.

Lemma hockey_stick_ge0 (Y : finType) (P Q : Y -> R) a b : 0 <= hockey_stick a b P Q.
Proof. by apply: sumr_ge0 => z _; exact: pos_ge0. Qed.

(** The divergence of a product: of the second pair, weighted by each output of the first. *)
Lemma hockey_stick_product (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) a b :
  hockey_stick a b (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2) =
  \sum_(y : Y) hockey_stick (a * P y) (b * Q y) (P' y) (Q' y).
Proof.
rewrite /hockey_stick -(pair_bigA _ (fun y z => pos (a * (P y * P' y z) - b * (Q y * Q' y z)))) /=.
by apply: eq_bigr => y _; apply: eq_bigr => z _; rewrite !mulrA.
Qed.

Lemma hockey_stick_exchange (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) a b :
  \sum_(y : Y) hockey_stick (a * P y) (b * Q y) P' Q' = \sum_(z : Z) hockey_stick (a * P' z) (b * Q' z) P Q.
Proof.
rewrite exchange_big; apply: eq_bigr => z _; apply: eq_bigr => y _.
by rewrite mulrAC [b * _ * _]mulrAC.
Qed.

(** The weight of the first law may be any, as a profile is homogeneous. *)
Lemma hockey_stick_weights (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) :
  nonnegative_laws P Q -> (forall y : R, 0 <= y -> hockey_stick 1 y P Q <= hockey_stick 1 y P' Q') ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b P' Q'.
Proof.
move=> PQ h a b a0 b0; move: a0; rewrite le_eqVlt => /predU1P[<-|a0].
  apply: le_trans (hockey_stick_ge0 _ _ _ _); rewrite /hockey_stick big1 // => z _.
  by rewrite mul0r sub0r pos_0 // oppr_le0 mulr_ge0 //; case: (PQ z).
have a0' := ltW a0; have ba : a * (b / a) = b by rewrite mulrC divfK // gt_eqF.
have e (X : finType) (S T : X -> R) : hockey_stick a b S T = a * hockey_stick 1 (b / a) S T.
  by rewrite -(hockey_stickM 1 (b / a) S T a0') mulr1 ba.
rewrite (e Y) (e Z); apply: ler_wpmul2l => //; apply: h; exact: divr_ge0.
Qed.

Record finite_pair := FinitePair {
  outputs : finType;
  first_law : outputs -> R;
  second_law : outputs -> R;
  laws_ge0 : nonnegative_laws first_law second_law
}.

Definition dominated_by (D : finite_pair) (Y : finType) (P Q : Y -> R) : Prop :=
  nonnegative_laws P Q /\ forall y : R, 0 <= y ->
  hockey_stick 1 y P Q <= hockey_stick 1 y (@first_law D) (@second_law D).

Lemma product_ge0 (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) : nonnegative_laws P Q -> nonnegative_laws P' Q' ->
  nonnegative_laws (fun p : Y * Z => P p.1 * P' p.2) (fun p => Q p.1 * Q' p.2).
Proof. by move=> h h' [y z]; case: (h y) (h' z) => ? ? [? ?]; split; exact: mulr_ge0. Qed.

Lemma unit_ge0 : nonnegative_laws (fun _ : unit => 1 : R) (fun=> 1).
Proof. by move=> _; split; exact: ler01. Qed.

Fixpoint product_pair (Ds : seq finite_pair) : finite_pair :=
  if Ds is D :: Ds' then FinitePair (product_ge0 (@laws_ge0 D) (@laws_ge0 (product_pair Ds')))
  else FinitePair unit_ge0.

Inductive dominated_composition : seq finite_pair -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| DominatedNil : dominated_composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| DominatedCons D Ds (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    dominated_by D P Q -> (forall y, dominated_composition Ds (P' y) (Q' y)) ->
    dominated_composition (D :: Ds) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                    (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

Theorem domination_composes Ds (Y : finType) (P Q : Y -> R) : dominated_composition Ds P Q ->
  let D := product_pair Ds in forall a b, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= hockey_stick a b (@first_law D) (@second_law D).
Proof.
elim=> {Ds Y P Q} [//|D Ds Y Z P Q P' Q' [PQ dom] _ IH] /= a b a0 b0.
set E := product_pair Ds in IH *.
rewrite hockey_stick_product (hockey_stick_product _ _ (fun=> @first_law E) (fun=> @second_law E)).
apply: (@le_trans _ _ (\sum_(y : Y) hockey_stick (a * P y) (b * Q y) (@first_law E) (@second_law E))).
  by apply: ler_sum => y _; have [p0 q0] := PQ y; apply: IH; rewrite mulr_ge0.
rewrite hockey_stick_exchange [X in _ <= X]hockey_stick_exchange; apply: ler_sum => z _; have [p0 q0] := laws_ge0 z.
by apply: hockey_stick_weights => //; rewrite mulr_ge0.
Qed.

(** What a certificate says of it: a bound on the profile of the product, in both directions. *)
Theorem domination_bounds Ds Ds' E d (Y : finType) (P Q : Y -> R) : 0 <= E ->
  let D := product_pair Ds in let D' := product_pair Ds' in
  dominated_composition Ds P Q -> dominated_composition Ds' Q P ->
  hockey_stick 1 E (@first_law D) (@second_law D) <= d ->
  hockey_stick 1 E (@first_law D') (@second_law D') <= d -> indistinguishable E d P Q.
Proof.
move=> E0 D D' C C' h h'; split; apply/events_hockey_stick.
  exact: le_trans (domination_composes C ler01 E0) h.
exact: le_trans (domination_composes C' ler01 E0) h'.
Qed.

(** A curve v between a profile and that of a pair is enough: so a profile that is nowhere above a
    curve, and this not above the pair (connect the dots), is dominated by the pair. *)
Lemma dominated_through (v : R -> R) D (Y : finType) (P Q : Y -> R) : nonnegative_laws P Q ->
  (forall y : R, 0 <= y -> hockey_stick 1 y P Q <= v y) ->
  (forall y : R, 0 <= y -> v y <= hockey_stick 1 y (@first_law D) (@second_law D)) -> dominated_by D P Q.
Proof. by move=> PQ h h'; split=> // y y0; apply: le_trans (h' y y0); exact: h. Qed.
End Domination.
