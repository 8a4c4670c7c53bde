(** 11.6 [mesh-lower]: some mechanisms with the laws of given pairs, from below.

    Each output of a pair has a score, the same under both laws; rows are weights under the one and
    under the other, with a score each, that are for every event of the score at most what the laws
    give it ([under]).  Products add scores; rows may be lowered, dropped and collected, and scores
    kept within a window or taken to a coarser mesh, on the way ([tested]).  An event's first
    probability, less e^epsilon times its second, is then at most the divergence
    ([rule_profile_test]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition Domination RulesProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Scores.
Variable R : realFieldType.
Implicit Types (D E : finite_pair R) (Ds : seq (finite_pair R)) (B : pred int).

(** Weights under the first law and under the second, and a score. *)
Definition rows := seq (R * R * int).
Implicit Types T : rows.

Definition first_weight T B := \sum_(x <- T | B x.2) x.1.1.
Definition second_weight T B := \sum_(x <- T | B x.2) x.1.2.
Definition rows_ge0 T := all (fun x : R * R * int => (0 <= x.1.1) && (0 <= x.1.2)) T.

Definition under D (score : outputs D -> int) T : Prop :=
  rows_ge0 T /\ forall B, first_weight T B <= \sum_(o | B (score o)) first_law o /\
                          second_weight T B <= \sum_(o | B (score o)) second_law o.

Definition no_more T T' : Prop :=
  forall B, first_weight T' B <= first_weight T B /\ second_weight T' B <= second_weight T B.
Definition rescored (f : int -> int) T : rows := [seq (x.1, f x.2) | x <- T].
Definition row_times T T' : rows :=
  [seq (x.1.1 * y.1.1, x.1.2 * y.1.2, x.2 + y.2) | x <- T, y <- T'].

Inductive tested : seq (finite_pair R) -> finite_pair R -> rows -> Prop :=
| Scored D score T : distribution (@first_law _ D) -> distribution (@second_law _ D) ->
    @under D score T -> tested [:: D] D T
| TestedTogether Ds Ds' E E' T T' : tested Ds E T -> tested Ds' E' T' ->
    tested (Ds ++ Ds') (times E E') (row_times T T')
| Lowered Ds E T T' : tested Ds E T -> rows_ge0 T' -> no_more T T' -> tested Ds E T'
| Rescored Ds E T f : tested Ds E T -> tested Ds E (rescored f T)
| InOtherOrder Ds Ds' E T : tested (Ds ++ Ds') E T -> tested (Ds' ++ Ds) E T.

(** The weights of a product of rows, one row of the second at a time, and of a product of laws. *)
Lemma weight_times (p : R * R -> R) T T' B : (forall x y, p (x.1 * y.1, x.2 * y.2) = p x * p y) ->
  \sum_(z <- row_times T T' | B z.2) p z.1 =
  \sum_(y <- T') p y.1 * (\sum_(x <- T | B (x.2 + y.2)) p x.1).
Proof.
move=> pM; rewrite big_mkcond big_allpairs_dep exchange_big; apply: eq_bigr => y _ /=.
rewrite mulr_sumr [RHS]big_mkcond; apply: eq_bigr => x _ /=.
by case: ifP => _ //; rewrite pM mulrC.
Qed.

Lemma event_times (Y Z : finType) (P : Y -> R) (Q : Z -> R) (s : Y -> int) (t : Z -> int) B :
  \sum_(o : Y * Z | B (s o.1 + t o.2)) P o.1 * Q o.2 =
  \sum_(y : Y) P y * (\sum_(z | B (s y + t z)) Q z).
Proof.
rewrite -(pair_big_dep xpredT (fun y z => B (s y + t z)) (fun y z => P y * Q z)) /=.
by apply: eq_bigr => y _; rewrite mulr_sumr.
Qed.

(** One of the two laws, for both at once. *)
Lemma times_under (p : R * R -> R) (Y Z : finType) (P : Y -> R) (Q : Z -> R) s t T T' B :
  (forall x y, p (x.1 * y.1, x.2 * y.2) = p x * p y) -> (forall y, 0 <= P y) ->
  all (fun x => 0 <= p x.1) T' ->
  (forall C : pred int, \sum_(x <- T | C x.2) p x.1 <= \sum_(y | C (s y)) P y) ->
  (forall C : pred int, \sum_(x <- T' | C x.2) p x.1 <= \sum_(z | C (t z)) Q z) ->
  \sum_(x <- row_times T T' | B x.2) p x.1 <= \sum_(o : Y * Z | B (s o.1 + t o.2)) P o.1 * Q o.2.
Proof.
move=> pM P0 /allP p0 h h'; rewrite (weight_times _ _ _ pM) (event_times P Q s t B).
apply: (@le_trans _ _ (\sum_(y <- T') p y.1 * (\sum_(o | B (s o + y.2)) P o))).
  rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => y yT; apply: ler_wpmul2l; first exact: p0.
  exact: (h (fun c => B (c + y.2))).
rewrite (eq_bigr (fun y => \sum_o (if B (s o + y.2) then p y.1 * P o else 0))); last first.
  by move=> y _; rewrite mulr_sumr big_mkcond.
rewrite exchange_big; apply: ler_sum => o _ /=; rewrite -big_mkcond.
rewrite (eq_bigr (fun y => P o * p y.1)) => [|y _]; last exact: mulrC.
by rewrite -mulr_sumr; apply: ler_wpmul2l => //; exact: (h' (fun c => B (s o + c))).
Qed.

Lemma under_times D E score score' T T' : @under D score T -> @under E score' T' ->
  under (D := times D E) (fun o => score o.1 + score' o.2) (row_times T T').
Proof.
move=> [/allP g h] [/allP g' h']; split.
  apply/allP => z /allpairsP[[x y] /= [xT yT ->]] /=.
  by have /andP[? ?] := g _ xT; have /andP[? ?] := g' _ yT; rewrite !mulr_ge0.
move=> B; split.
  apply: (@times_under fst _ _ (@first_law _ D) (@first_law _ E) score score') => // [o|||]; first by case: (laws_ge0 o).
  - by apply/allP => y /g'/andP[].
  - by move=> C; case: (h C).
  - by move=> C; case: (h' C).
apply: (@times_under snd _ _ (@second_law _ D) (@second_law _ E) score score') => // [o|||]; first by case: (laws_ge0 o).
- by apply/allP => y /g'/andP[].
- by move=> C; case: (h C).
- by move=> C; case: (h' C).
Qed.

Theorem tested_sound Ds E T : tested Ds E T ->
  [/\ exists score, @under E score T, \sum_o @second_law _ E o = 1 &
      forall a b, at_weights (product_pair Ds) a b = at_weights E a b].
Proof.
elim=> {Ds E T} [D score T dP [_ dQ] u|Ds Ds' E E' T T' _ [[s u] one e] _ [[s' u'] one' e']
  |Ds E T T' _ [[s [g h]] one e] g' le|Ds E T f _ [[s [g h]] one e]|Ds Ds' E T _ [u one e]].
- split=> // [|a b]; first by exists score.
  rewrite -[product_pair _]/(times D (product_pair [::])) at_timesC at_timesE (big_pred1 tt) => [|[]//].
  by rewrite !mulr1.
- split; first by exists (fun o => s o.1 + s' o.2); exact: under_times.
    rewrite -(pair_bigA _ (fun x y => second_law x * second_law y)) /= -one.
    by apply: eq_bigr => x _; rewrite -mulr_sumr one' mulr1.
  move=> a b; rewrite at_product_cat at_timesE (eq_bigr _ (fun z _ => e' _ _)) -at_timesE.
  by rewrite at_timesC at_timesE (eq_bigr _ (fun z _ => e _ _)) -at_timesE at_timesC.
- split=> //; exists s; split=> // B; have [h1 h2] := h B; have [l1 l2] := le B.
  by split; [exact: le_trans h1|exact: le_trans h2].
- split=> //; exists (f \o s); split=> [|B].
    by apply/allP => _ /mapP[x /(allP g) ok ->].
  have [h1 h2] := h (B \o f).
  by split; rewrite /first_weight /second_weight big_map.
- by split=> // a b; rewrite -e !at_product_cat at_timesC.
Qed.

Lemma product_composes Ds :
  dominated_composition Ds (@first_law _ (product_pair Ds)) (@second_law _ (product_pair Ds)).
Proof.
elim: Ds => [|D Ds IH]; first exact: DominatedNil.
apply: (@DominatedCons _ D Ds _ _ (@first_law _ D) (@second_law _ D) (fun=> @first_law _ (product_pair Ds))
  (fun=> @second_law _ (product_pair Ds))) => //.
by split=> // z; exact: laws_ge0.
Qed.

(** 11.6: mechanisms with these laws, and an event of the total score. *)
Theorem rule_profile_test Ds E T B (e d : R) : 0 <= e -> tested Ds E T ->
  d < first_weight T B - e * (second_weight T B + 1 - second_weight T xpredT) ->
  exists (Y : finType) (P Q : Y -> R), dominated_composition Ds P Q /\ ~ indistinguishable e d P Q.
Proof.
move=> e0 /tested_sound[[s [_ h]] one same] large.
exists (outputs (product_pair Ds)), (@first_law _ (product_pair Ds)), (@second_law _ (product_pair Ds)).
split; first exact: product_composes.
case=> /events_hockey_stick; rewrite -/(at_weights _ _ _) same => le _.
move: large; rewrite ltNge => /negP; apply; have [up _] := h B; have [_ rest] := h (predC B).
apply: le_trans le; apply: (@le_trans _ _ (\sum_(o | B (s o)) (first_law o - e * second_law o))).
  rewrite sumrB -mulr_sumr; apply: ler_sub => //; apply: ler_wpmul2l => //.
  have -> : \sum_(o | B (s o)) second_law o = 1 - \sum_(o | predC B (s o)) second_law o.
    by rewrite -one [X in _ = X - _](bigID (fun o => B (s o))) /= addrK.
  have -> : second_weight T B + 1 - second_weight T xpredT = 1 - second_weight T (predC B).
    have -> : second_weight T xpredT = second_weight T B + second_weight T (predC B).
      exact: (bigID (fun x : R * R * int => B x.2)).
    by ring.
  by rewrite ler_add2l ler_opp2.
rewrite /at_weights /hockey_stick big_mkcond; apply: ler_sum => o _; rewrite mul1r.
by case: ifP => _; [exact: le_pos|exact: pos_ge0].
Qed.
End Scores.
