(** Mechanisms that are (epsilon, delta)-DP for several pairs of epsilon and delta (SPEC, 7.1 and 7.4).

    The profile of such a mechanism is convex, 1 at the odds 0, and does not rise.  So a table has it below
    its own, if it has so at each of its losses ([table_dominates]); there the constraints say how large
    it can be: at odds y of at least e^epsilon at most delta, and in the other direction as well
    ([allowed_above], [allowed_below]).  How the table was found does not matter.  And if the table itself
    meets the constraints, nothing less is true of all that do ([table_meets]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Notions OverlapTables CurvePairs NoiseLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** (epsilon, delta)-DP for each of these pairs. *)
Definition meets (cs : seq (R * R)) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
   forall epsilon delta, (epsilon, delta) \in cs -> indistinguishable (exp epsilon) delta P Q].

Lemma meets_sym cs (Y : finType) (P Q : Y -> R) : meets cs P Q -> meets cs Q P.
Proof. by case=> dP dQ h; split=> // e d /h[]. Qed.

Lemma exp_above0 (x : R) : 0 < exp x. Proof. exact: Reals.exp_gt0. Qed.

Section Table.
Variables (Y Z : finType) (P Q : Y -> R) (S T : Z -> R).
Hypotheses (dP : distribution P) (dQ : distribution Q) (dS : distribution S) (dT : distribution T).

Let P0 : forall y, 0 <= P y. Proof. by case: dP. Qed.
Let Q0 : forall y, 0 <= Q y. Proof. by case: dQ. Qed.
Let S0 : forall z, 0 <= S z. Proof. by case: dS. Qed.
Let T0 : forall z, 0 <= T z. Proof. by case: dT. Qed.

(** The odds of the table's outputs that both laws have. *)
Definition odds_in : seq R := [seq S z / T z | z <- enum Z & (0 < S z) && (0 < T z)].

(** Between two odds of the table, what its laws have in common is linear. *)
Lemma overlap_linear (l a b : R) : 0 <= l -> l <= 1 -> 0 <= a -> a <= b ->
  (forall z, (S z <= a * T z) || (b * T z <= S z)) ->
  overlap S T (l * a + (1 - l) * b) <= l * overlap S T a + (1 - l) * overlap S T b.
Proof.
move=> l0 l1 a0 ab apart; have m0 : 0 <= 1 - l by rewrite subr_ge0.
rewrite /overlap !mulr_sumr -big_split /=; apply: ler_sum => z _.
have aT : a * T z <= b * T z by exact: ler_wpmul2r.
case/orP: (apart z) => h.
  rewrite (min_l h) (min_l (le_trans h aT)) le_minl; apply/orP; left.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite (min_r h) (min_r (le_trans aT h)) le_minl; apply/orP; right.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma overlap_level (a y : R) : a <= y -> (forall z, (T z == 0) || (S z <= a * T z)) ->
  overlap S T y <= overlap S T a.
Proof.
move=> ay h; apply: ler_sum => z _; case/orP: (h z) => [/eqP->|le]; first by rewrite !mulr0.
by rewrite (min_l le) le_minl lexx.
Qed.

(** What is nowhere above at the table's own odds is nowhere above. *)
Theorem table_dominates :
  (forall z, 0 < S z -> 0 < T z -> hockey_stick 1 (S z / T z) P Q <= hockey_stick 1 (S z / T z) S T) ->
  nowhere_above P Q S T.
Proof.
move=> at_odds y y0; have [_ P1] := dP; have [_ S1] := dS.
rewrite !hockey_stick_overlap P1 S1 ler_add2l ler_opp2.
have C := overlap_in_common P0 Q0.
have le_odds x : x \in odds_in -> overlap S T x <= overlap P Q x.
  case/mapP=> z; rewrite mem_filter => /andP[/andP[s t] _] ->.
  by have := at_odds z s t; rewrite !hockey_stick_overlap P1 S1 ler_add2l ler_opp2.
have [a [ain ay below]] := last_before odds_in y0.
have a0 : 0 <= a.
  move: ain; rewrite inE => /predU1P[->//|/mapP[z _ ->]]; exact: divr_ge0.
have le_a : overlap S T a <= overlap P Q a.
  move: ain; rewrite inE => /predU1P[->|/le_odds //].
  by rewrite (overlap_0 T S0) (common_ge0 C).
have side z : 0 < S z -> 0 < T z -> y < S z / T z \/ S z <= a * T z.
  move=> s t; case: (ltP y (S z / T z)) => [|le]; [by left|right].
  rewrite -ler_pdivr_mulr //; apply: below le; apply/mapP; exists z => //.
  by rewrite mem_filter s t mem_enum.
have [[b [bin yb above]]|none] := first_after odds_in y; last first.
  apply: le_trans (overlap_level ay _) (le_trans le_a (common_grows C a0 ay)) => z.
  have := T0 z; rewrite le_eqVlt => /predU1P[<-|t]; first by rewrite eqxx.
  have := S0 z; rewrite le_eqVlt => /predU1P[<-|s]; first by rewrite mulr_ge0 ?orbT.
  case: (side z s t) => [lt|->]; rewrite ?orbT //.
  suff : S z / T z <= y by rewrite leNgt lt.
  by apply: none; apply/mapP; exists z => //; rewrite mem_filter s t mem_enum.
have ab : a < b := le_lt_trans ay yb.
have d0 : 0 < b - a by rewrite subr_gt0.
have [l [l0 l1 e]] : exists l, [/\ 0 <= l, l <= 1 & y = l * a + (1 - l) * b].
  exists ((b - y) / (b - a)); split; last by field; rewrite gt_eqF.
    by apply: divr_ge0; [rewrite subr_ge0 ltW|exact: ltW].
  by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have m0 : 0 <= 1 - l by rewrite subr_ge0.
have b0 : 0 <= b := le_trans a0 (ltW ab).
rewrite e; apply: le_trans (overlap_linear l0 l1 a0 (ltW ab) _) _ => [z|].
  have := T0 z; rewrite le_eqVlt => /predU1P[<-|t]; first by rewrite !mulr0 S0 orbT.
  have := S0 z; rewrite le_eqVlt => /predU1P[<-|s]; first by rewrite mulr_ge0.
  case: (side z s t) => [lt|->] //; apply/orP; right; rewrite -ler_pdivl_mulr //.
  by apply: above lt; apply/mapP; exists z => //; rewrite mem_filter s t mem_enum.
apply: le_trans (common_concave C l0 l1 a0 b0).
by apply: ler_add; apply: ler_wpmul2l => //; exact: le_odds.
Qed.
End Table.

Section Allowed.
Variables (cs : seq (R * R)) (Y : finType) (P Q : Y -> R).
Hypothesis M : meets cs P Q.

(** How large the profile is at most, at odds that are not below those of a constraint, and at their inverses. *)
Lemma allowed_above epsilon delta y : (epsilon, delta) \in cs -> exp epsilon <= y -> hockey_stick 1 y P Q <= delta.
Proof.
have [_ [Q0 _] h] := M => /h[/events_hockey_stick le _] ey.
exact: le_trans (hockey_stick_antitone 1 P Q0 ey) le.
Qed.
End Allowed.

Lemma allowed_below cs (Y : finType) (P Q : Y -> R) epsilon delta y : meets cs P Q ->
  (epsilon, delta) \in cs -> 0 < y -> exp epsilon <= y^-1 -> hockey_stick 1 y P Q <= 1 - y * (1 - delta).
Proof.
move=> M c y0 ey; have := allowed_above (meets_sym M) c ey; have [dP dQ _] := M.
have := hockey_stick_swap 1 y dP dQ.
move=> ->.
have -> : hockey_stick y 1 Q P = y * hockey_stick 1 y^-1 Q P.
  by rewrite -hockey_stickM ?(ltW y0) // mulr1 divff // gt_eqF.
move=> le; rewrite mulrBr mulr1.
have -> : 1 - (y - y * delta) = 1 - y + y * delta by ring.
rewrite ler_add2l; exact: ler_wpmul2l (ltW y0) _ _ le.
Qed.

(** What a table's laws are no further apart than meets what they meet. *)
Theorem table_meets cs (Y Z : finType) (P Q : Y -> R) (S T : Z -> R) : distribution P -> distribution Q ->
  nowhere_above P Q S T -> nowhere_above Q P T S -> meets cs S T -> meets cs P Q.
Proof.
move=> dP dQ h h' [_ _ m]; split=> // epsilon delta /m[/events_hockey_stick le /events_hockey_stick le'].
by split; apply/events_hockey_stick; [apply: le_trans (h _ _) le|apply: le_trans (h' _ _) le']; exact: ltW (exp_above0 _).
Qed.

(** --- ledgers --- *)

(** What a mechanism is given by: constraints, or noise and whatever else NoiseLedgers.v knows. *)
Inductive given :=
| ByConstraints of seq (R * R)
| ByNoise of noise.
Definition has_given (g : given) (Y : finType) (P Q : Y -> R) : Prop :=
  match g with ByConstraints cs => meets cs P Q | ByNoise n => has_noise n P Q end.

(** Each mechanism may depend on the answers before, and they may come in any order. *)
Inductive given_composition : seq given -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| GivenNil : given_composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| GivenCons g gs (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    has_given g P Q -> (forall y, given_composition gs (P' y) (Q' y)) ->
    given_composition (g :: gs) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
Definition given_upper (gs : seq given) (epsilon delta : R) : Prop :=
  forall gs', Permutation.Permutation gs gs' -> forall (Y : finType) (P Q : Y -> R),
  given_composition gs' P Q -> indistinguishable (exp epsilon) delta P Q.
Definition given_lower (gs : seq given) (epsilon delta : R) : Prop :=
  exists gs', Permutation.Permutation gs gs' /\ exists (Y : finType) (P Q : Y -> R),
  given_composition gs' P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

(** Noise that stands for what is given: from above it says less of a mechanism, from below more. *)
Definition stands_above (d : given * noise) : Prop :=
  forall (Y : finType) (P Q : Y -> R), has_given d.1 P Q -> has_noise d.2 P Q.
Definition stands_below (d : given * noise) : Prop :=
  forall (Y : finType) (P Q : Y -> R), has_noise d.2 P Q -> has_given d.1 P Q.

Lemma given_above ds (Y : finType) (P Q : Y -> R) : List.Forall stands_above ds ->
  given_composition (map fst ds) P Q -> noisy_composition (map snd ds) P Q.
Proof.
move=> F; move e: (map fst ds) => gs C.
elim: C ds F e => {Y P Q gs} [|g gs Y Z P Q P' Q' h _ IH] [|d ds] //= F; first by move=> _; exact: NoisyNil.
case=> e e'; have [f F'] : stands_above d /\ List.Forall stands_above ds by inversion F.
apply: NoisyCons => [|y]; first by apply: f; rewrite e.
exact: IH.
Qed.

Lemma given_below ds (Y : finType) (P Q : Y -> R) : List.Forall stands_below ds ->
  noisy_composition (map snd ds) P Q -> given_composition (map fst ds) P Q.
Proof.
move=> F; move e: (map snd ds) => ns C.
elim: C ds F e => {Y P Q ns} [|n ns Y Z P Q P' Q' h _ IH] [|d ds] //= F; first by move=> _; exact: GivenNil.
case=> e e'; have [f F'] : stands_below d /\ List.Forall stands_below ds by inversion F.
apply: GivenCons => [|y]; first by apply: f; rewrite e.
exact: IH.
Qed.

Lemma Forall_permuted (A : Type) (p : A -> Prop) s s' : Permutation.Permutation s s' -> List.Forall p s -> List.Forall p s'.
Proof. by move=> e /List.Forall_forall F; apply/List.Forall_forall => x /(Permutation.Permutation_in _ (Permutation.Permutation_sym e)); exact: F. Qed.

Theorem given_upper_by_noise ds ns epsilon delta : List.Forall stands_above ds ->
  Permutation.Permutation ns (map snd ds) -> noisy_upper ns epsilon delta -> given_upper (map fst ds) epsilon delta.
Proof.
move=> F e U gs' /Permutation.Permutation_sym/Permutation.Permutation_map_inv[ds' [-> e']] Y P Q C.
apply: (U (map snd ds')); last exact: given_above (Forall_permuted e' F) C.
exact: Permutation.Permutation_trans e (Permutation.Permutation_map _ e').
Qed.

Theorem given_lower_by_noise ds ns epsilon delta : List.Forall stands_below ds ->
  Permutation.Permutation ns (map snd ds) -> noisy_lower ns epsilon delta -> given_lower (map fst ds) epsilon delta.
Proof.
move=> F e [ns' [p [Y [P [Q [C n]]]]]].
have /Permutation.Permutation_map_inv[ds' [e' p']] : Permutation.Permutation ns' (map snd ds).
  exact: Permutation.Permutation_trans (Permutation.Permutation_sym p) e.
subst ns'; exists (map fst ds'); split; first exact: Permutation.Permutation_map.
by exists Y, P, Q; split=> //; exact: given_below (Forall_permuted p' F) C.
Qed.
