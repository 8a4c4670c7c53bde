(** Mechanisms of several notions of privacy, and what a statement about them means.

    A mechanism is (epsilon, delta)-DP, or mu-Gaussian DP, or rho-zero-concentrated DP, on one pair
    of neighbouring databases: [satisfies].  The profile [G] mu epsilon of a pair of normal
    distributions is a parameter here.  [mixed_composition] is the adaptive composition, and
    [mixed_upper] and [mixed_lower] are the statements of a certificate (SPEC, section 3). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Inductive notion :=
| Approximate of R & R   (* epsilon, delta *)
| Gaussian of R          (* mu *)
| Concentrated of R.     (* rho *)
Global Arguments Approximate _%R _%R.
Global Arguments Gaussian _%R.
Global Arguments Concentrated _%R.

(** p^alpha q^(1 - alpha), for p >= 0, q >= 0 and alpha > 1; only q > 0 matters where p > 0. *)
Definition power_term (alpha p q : R) :=
  if 0 < p then exp (alpha * ln p + (1 - alpha) * ln q) else 0.

Global Arguments power_term _%R _%R _%R.

(** The moment sum_y P(y)^alpha Q(y)^(1 - alpha) exists and is at most m. *)
Definition moment_at_most (Y : finType) (alpha m : R) (P Q : Y -> R) :=
  (forall y, Q y = 0 -> P y = 0) /\ \sum_y power_term alpha (P y) (Q y) <= m.
Global Arguments moment_at_most _ _%R _%R.

Section Statements.
Variable G : R -> R -> R.

Definition satisfies (n : notion) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
  match n with
  | Approximate epsilon delta => indistinguishable (exp epsilon) delta P Q
  | Gaussian mu => forall epsilon, indistinguishable (exp epsilon) (G mu epsilon) P Q
  | Concentrated rho => forall alpha, 1 < alpha ->
      let m := exp (alpha * (alpha - 1) * rho) in
      moment_at_most alpha m P Q /\ moment_at_most alpha m Q P
  end].

Inductive mixed_composition : seq notion -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| MixedNil : mixed_composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| MixedCons n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    satisfies n P Q -> (forall y, mixed_composition ns (P' y) (Q' y)) ->
    mixed_composition (n :: ns) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

(** The mechanisms may come in any order. *)
Definition mixed_upper (ns : seq notion) (epsilon delta : R) :=
  forall ns', Permutation ns ns' -> forall (Y : finType) (P Q : Y -> R),
  mixed_composition ns' P Q -> indistinguishable (exp epsilon) delta P Q.
Definition mixed_lower (ns : seq notion) (epsilon delta : R) :=
  exists ns', Permutation ns ns' /\ exists (Y : finType) (P Q : Y -> R),
  mixed_composition ns' P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Lemma satisfies_sym n (Y : finType) (P Q : Y -> R) : satisfies n P Q -> satisfies n Q P.
Proof.
case=> dP dQ h; split=> //; case: n h => [e d [? ?]|mu h|rho h] //.
  by move=> e; case: (h e).
by move=> alpha /h[].
Qed.

Lemma mixed_composition_sym ns (Y : finType) (P Q : Y -> R) :
  mixed_composition ns P Q -> mixed_composition ns Q P.
Proof.
elim=> [|n {}ns {}Y Z {}P {}Q P' Q' /satisfies_sym h _ IH]; first exact: MixedNil.
exact: MixedCons.
Qed.

Lemma mixed_composition_distribution ns (Y : finType) (P Q : Y -> R) :
  mixed_composition ns P Q -> distribution P /\ distribution Q.
Proof.
elim=> [|n {}ns {}Y Z {}P {}Q P' Q' [dP dQ _] _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

(** Where all mechanisms are (epsilon_i, delta_i)-DP the statements are those of Rules.v. *)
Definition approximate (L : ledger) : seq notion := [seq Approximate p.1 p.2 | p <- L].

Lemma composition_approximate (L : ledger) (Y : finType) (P Q : Y -> R) :
  composition (odds_of L) P Q <-> mixed_composition (approximate L) P Q.
Proof.
split=> C.
  move e : (odds_of L) C => l C; elim: C L e => {l Y P Q} [|E d l Y Z P Q P' Q' h _ IH] [|[x d'] L] //.
    by move=> _; exact: MixedNil.
  move=> [eE ed e]; apply: (@MixedCons (Approximate x d')) => [|y]; last exact: IH.
  by case: h; rewrite -eE -ed.
move e : (approximate L) C => ns C; elim: C L e => {ns Y P Q} [|n ns Y Z P Q P' Q' h _ IH] [|[x d'] L] //.
  by move=> _; exact: CompositionNil.
move=> [en e]; apply: CompositionCons => [|y]; last exact: IH.
by move: h; rewrite -en => -[].
Qed.

Lemma composed_permutation (l l' : seq (R * R)) : Permutation l l' ->
  forall a b, composed l a b = composed l' a b.
Proof.
elim=> //= [p {}l {}l' _ IH|p q {}l|l1 l2 l3 _ IH1 _ IH2] a b.
- by apply: eq_bigr => y _.
- rewrite exchange_big; apply: eq_bigr => y _; apply: eq_bigr => z _.
  by rewrite mulrAC [b * _ * _]mulrAC.
- by rewrite IH1.
Qed.

Lemma all_permutation (T : Type) (a : pred T) (s s' : seq T) : Permutation s s' -> all a s = all a s'.
Proof. by elim=> //= [x {}s {}s' _ ->|x y {}s|s1 s2 s3 _ -> _ ->] //; rewrite andbCA. Qed.

Lemma upper_permutation (L L' : ledger) epsilon delta : Permutation L L' -> proper L ->
  upper L epsilon delta -> upper L' epsilon delta.
Proof.
move=> p W; have W' : proper L' by rewrite /proper -(all_permutation _ p).
move/(composition_dp_profile _ (odds_admissible W) (ltW (exp_gt0 _))) => h.
apply/(composition_dp_profile _ (odds_admissible W') (ltW (exp_gt0 _))); move: h.
rewrite -!composed_profile ?odds_admissible ?(ltW (exp_gt0 _)) //.
by rewrite -(composed_permutation (l := odds_of L)) //; exact: Permutation_map.
Qed.

Theorem mixed_upper_approximate (L : ledger) epsilon delta : proper L ->
  mixed_upper (approximate L) epsilon delta <-> upper L epsilon delta.
Proof.
move=> W; split=> [h Y P Q /composition_approximate|h ns' p Y P Q].
  exact: (h _ (Permutation_refl _)).
have [L' [-> p']] := Permutation_map_inv _ _ (Permutation_sym p).
move/composition_approximate; apply: upper_permutation h Y P Q => //; exact: Permutation_sym.
Qed.

Theorem mixed_lower_approximate (L : ledger) epsilon delta :
  lower L epsilon delta -> mixed_lower (approximate L) epsilon delta.
Proof.
case=> Y [P [Q [/composition_approximate C n]]].
by exists (approximate L); split; [exact: Permutation_refl|exists Y, P, Q].
Qed.
End Statements.

Global Arguments mixed_upper G ns _%R _%R.
Global Arguments mixed_lower G ns _%R _%R.
