(** 11.5 [mesh-upper], with orders: mechanisms known by their Rényi divergences as one pair beside others.

    An entry is a mechanism that is dominated by a finite pair of laws, or one of which Rényi divergences of
    some orders are known, in both directions: a list of them, or alpha rho for every alpha.  The outputs of
    the former may be drawn first ([drawn_first] in DrawnFirst.v); given these, the divergences of the latter
    add up at each order, so that their profile lies below the least of the lines of 11.5 ([least],
    [profile_bound]), and below any table that is not below this at its dots ([divergent_below]).  This table
    is one more factor of the product ([rule_profile_renyi]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions Powers Moments.
From ExactDP Require Import RulesNoiseRenyi RulesProfiles CellsOfNormal Sublinear DrawnFirst.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record pair_of_laws := PairOfLaws {
  laws_of :> finite_pair R_realFieldType;
  first_is_law : distribution (@first_law _ laws_of);
  second_is_law : distribution (@second_law _ laws_of)
}.

(** Of the second kind: what is known, orders and divergences. *)
Inductive profile_entry :=
| Dominated of pair_of_laws
| Divergent of (R -> R -> Prop).

Definition of_profile_entry (n : profile_entry) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
  match n with
  | Dominated D => dominated_by D P Q
  | Divergent known => forall b r : R, 1 < b -> 0 <= r -> known b r -> has_moments b (exp ((b - 1) * r)) P Q
  end].
Definition divergent n := if n is Divergent _ then true else false.
Definition pairs_of (ns : seq profile_entry) : seq (finite_pair R_realFieldType) :=
  pmap (fun n => if n is Dominated D then Some (laws_of D) else None) ns.
Definition profile_composition := composed_of of_profile_entry.

Lemma profile_lawful n (Y : finType) (P Q : Y -> R) :
  of_profile_entry n P Q -> distribution P /\ distribution Q.
Proof. by case. Qed.

Lemma unit_is_law : distribution (fun _ : unit => 1 : R).
Proof. by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0]. Qed.

Lemma profile_alike n : of_profile_entry n (fun _ : unit => 1) (fun=> 1).
Proof.
split; try exact: unit_is_law; case: n => [D|known].
  split=> [_|y y0]; first by split; exact: ler01.
  rewrite /hockey_stick big_const card_unit /= addr0 !mulr1 pos_le ?hockey_stick_ge0 //.
  have [_ p1] := first_is_law D; have [_ q1] := second_is_law D.
  have -> : (1 - y = \sum_(o : outputs D) (first_law o - y * second_law o))%R by rewrite sumrB -mulr_sumr p1 q1 mulr1.
  by apply: ler_sum => o _; rewrite mul1r; exact: le_pos.
move=> b r b1 r0 _; have m := moment_self b unit_is_law.
have one : 1 <= exp ((b - 1) * r) by rewrite exp_ge1 mulr_ge0 // subr_ge0 ltW.
by case: m => s le; split; split=> //; exact: le_trans le one.
Qed.

Lemma profile_padded n (I : finType) (Y : I -> finType) (P Q : forall i, Y i -> R) i : divergent n ->
  (forall j, of_profile_entry n (P j) (Q j)) -> of_profile_entry n (padded P i) (padded Q i).
Proof.
move=> t h; split; try by apply: padded_distribution => j; case: (h j).
case: n t h => // known _ h b r b1 r0 k; have [_ _ /(_ b r b1 r0 k)[m m']] := h i.
by split; exact: padded_moment.
Qed.

Lemma profile_replaced n : true -> ~~ divergent n -> one_law_does of_profile_entry n.
Proof.
case: n => // D _ _ f tau F t0; exists _, (@first_law _ D), (@second_law _ D); split.
  by split; [exact: first_is_law|exact: second_is_law|split=> // z; exact: laws_ge0].
move=> Y P Q [dP dQ [PQ dom]]; apply: sublinear_dominated => //; try exact: first_is_law.
  exact: second_is_law.
by move=> a b a0 b0; apply: hockey_stick_weights.
Qed.

(** --- the mechanisms that are known by their divergences --- *)

(** A bound of the order b, by what is known of the same order or of a greater one. *)
Definition bounded_at (b : R) n (r : R) : Prop :=
  if n is Divergent known then exists c, [/\ b <= c, 0 <= r & known c r] else False.

Lemma bounded_moment (b r : R) n (Y : finType) (P Q : Y -> R) : 1 < b -> bounded_at b n r ->
  of_profile_entry n P Q -> moment_at_most b (exp ((b - 1) * r)) P Q /\ moment_at_most b (exp ((b - 1) * r)) Q P.
Proof.
case: n => // known b1 [c [bc r0 k]] [dP dQ h]; have [m m'] := h c r (lt_le_trans b1 bc) r0 k.
by split; [exact: moment_of_order dP dQ m|exact: moment_of_order dQ dP m'].
Qed.

Lemma composed_moments (b : R) ns rs (Y : finType) (P Q : Y -> R) : 1 < b -> List.Forall2 (bounded_at b) ns rs ->
  profile_composition ns P Q ->
  moment_at_most b (exp ((b - 1) * \sum_(r <- rs) r)) P Q /\ moment_at_most b (exp ((b - 1) * \sum_(r <- rs) r)) Q P.
Proof.
move=> b1 known C; elim: C rs known => {ns Y P Q} [|n ns Y Z P Q P' Q' h C IH] rs known; inversion_clear known.
  by rewrite big_nil mulr0 exp_0; split; exact: moment_self unit_is_law.
have [dP dQ] := profile_lawful h; have [m m'] := bounded_moment b1 H h.
have law z : distribution (P' z) /\ distribution (Q' z) := composed_distribution profile_lawful (C z).
rewrite big_cons mulrDr expD; split.
  apply: moment_pair => //; try by move=> z; case: (law z).
    exact: ltW (exp_gt0 _).
  by move=> z; case: (IH z _ H0).
apply: (@moment_pair b _ _ Q P Q' P') => //; try by move=> z; case: (law z).
  exact: ltW (exp_gt0 _).
by move=> z; case: (IH z _ H0).
Qed.

(** A line for each order: the order and the sum of divergences; and what they make of a loss l >= 0. *)
Definition line (p : R * R) (l : R) : R := exp ((1 - p.1) * l + log_conversion p.1 + (p.1 - 1) * p.2)%R.
Definition least (ps : seq (R * R)) (l : R) : R := foldr (fun p m => Num.min (line p l) m) 1%R ps.
Definition profile_bound (ps : seq (R * R)) (y : R) : R :=
  (if 1 <= y then least ps (ln y) else if 0 < y then 1 - y + y * least ps (- ln y) else 1)%R.
Definition lines_of (ns : seq profile_entry) (ps : seq (R * R)) : Prop := forall p, p \in ps ->
  1 < p.1 /\ exists rs, List.Forall2 (bounded_at p.1) ns rs /\ \sum_(r <- rs) r = p.2.

Lemma hockey_stick_le1 (Y : finType) (P Q : Y -> R) (y : R) : 0 <= y -> distribution P -> distribution Q ->
  hockey_stick 1 y P Q <= 1.
Proof.
move=> y0 [P0 P1] [Q0 _]; rewrite -[X in _ <= X]P1; apply: ler_sum => z _.
by apply: pos_le => //; rewrite mul1r ler_subl_addr ler_addl mulr_ge0.
Qed.

Lemma hockey_stick_reversed (Y : finType) (P Q : Y -> R) (y : R) : 0 < y -> distribution P -> distribution Q ->
  hockey_stick 1 y P Q = 1 - y + y * hockey_stick 1 y^-1 Q P.
Proof.
move=> y0 [_ P1] [_ Q1]; rewrite -hockey_stickM ?ltW // mulr1 divff ?gt_eqF //.
have -> : 1 - y = \sum_z (1 * P z - y * Q z).
  by under eq_bigr do rewrite mul1r; rewrite sumrB -mulr_sumr P1 Q1 mulr1.
by rewrite -big_split; apply: eq_bigr => z _; rewrite pos_split opprB.
Qed.

Section Divergent.
Variables (ns : seq profile_entry) (ps : seq (R * R)).
Hypotheses (D : all divergent ns) (lines : lines_of ns ps).

Lemma profile_of_lines (Y : finType) (P Q : Y -> R) (y : R) : 0 <= y -> profile_composition ns P Q ->
  hockey_stick 1 y P Q <= profile_bound ps y.
Proof.
move=> y0 C; have [dP dQ] := composed_distribution profile_lawful C.
have below (S T : Y -> R) (l : R) : distribution S -> distribution T ->
    (forall p, p \in ps -> 1 < p.1 /\ moment_at_most p.1 (exp ((p.1 - 1) * p.2)) S T) ->
    hockey_stick 1 (exp l) S T <= least ps l.
  move=> dS dT; rewrite /least; elim: (ps) => [_|p qs IH m] /=.
    by apply: hockey_stick_le1 => //; exact: ltW (exp_gt0 _).
  rewrite le_minr IH ?andbT => [|q q_in]; last by apply: m; rewrite inE q_in orbT.
  have [p1 m1] := m p (mem_head _ _).
  by rewrite /line expD; exact: moment_divergence.
have moments p : p \in ps -> [/\ 1 < p.1, moment_at_most p.1 (exp ((p.1 - 1) * p.2)) P Q &
    moment_at_most p.1 (exp ((p.1 - 1) * p.2)) Q P].
  by move=> /lines[p1 [rs [h <-]]]; have [] := composed_moments p1 h C.
rewrite /profile_bound; have [y1|y1] := leP 1 y.
  have e : exp (ln y) = y by apply: exp_ln; apply/RltP; exact: lt_le_trans ltr01 y1.
  by rewrite -{1}e; apply: below => // p /moments[].
case: ltrP => [yp|/(conj y0)/andP/le_anti <-]; last exact: hockey_stick_le1.
have e : exp (- ln y) = y^-1 by rewrite expN exp_ln //; apply/RltP.
rewrite (hockey_stick_reversed yp dP dQ) -e ler_add2l ler_pmul2l //.
by apply: below => // p /moments[].
Qed.

(** A table that is not below the bound at its dots, the first of them 0, is nowhere below. *)
Lemma divergent_below T (ok : table_ok T) (ys : seq R) : all (fun y => 0 <= y) ys ->
  above_at_dots (profile_bound ps) T 0 ys ->
  forall (Y : finType) (P Q : Y -> R), profile_composition ns P Q ->
  forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= at_weights (table_pair ok) a b.
Proof.
move=> ys0 dots Y P Q C; have [[P0 _] [Q0 _]] := composed_distribution profile_lawful C.
have PQ : nonnegative_laws P Q by [].
apply: hockey_stick_weights => // y y0; rewrite -/(at_weights (table_pair ok) 1 y) curve_of_pair.
pose h y := at_weights (FinitePair PQ) 1 y.
have at_dots z : 0 <= z -> above_at_dots (profile_bound ps) T z ys -> above_at_dots h T z ys.
  elim: ys ys0 z {dots} => [|y1 ys IH] /= ys0 z z0.
    by case=> le beyond; split=> //; apply: le_trans le; exact: profile_of_lines.
  case/andP: ys0 => y10 ys0 [le [le1 apart rest]]; split; first by apply: le_trans le; exact: profile_of_lines.
  by split=> //; exact: IH.
have {}at_dots := at_dots 0 (lexx _) dots.
exact: (dots_dominate (@profile_convex _ (FinitePair PQ)) (@profile_falling _ (FinitePair PQ)) ok at_dots y0).
Qed.
End Divergent.

(** --- the rule --- *)

Lemma composed_dominated ns (Y : finType) (P Q : Y -> R) : profile_composition ns P Q ->
  all (fun n => ~~ divergent n) ns -> dominated_composition (pairs_of ns) P Q.
Proof.
elim=> {ns Y P Q} [_|n ns Y Z P Q P' Q' h _ IH]; first exact: DominatedNil.
case: n h => // D [_ _ dom] /= apart; apply: DominatedCons => // z; exact: IH.
Qed.

Lemma pairs_of_others ns : pairs_of (others divergent ns) = pairs_of ns.
Proof. by elim: ns => [|[D|known] ns IH] //=; rewrite /others /pairs_of /= -/(pairs_of _) IH. Qed.

Section Rule.
Variables (ps : seq (R * R)) (T T' : seq (R * R)) (ok : table_ok T) (ok' : table_ok T') (ys : seq R).

(** One direction: the table of all mechanisms that are known by their divergences is one more factor. *)
Lemma divergent_as_table ns (Y : finType) (P Q : Y -> R) (y : R) : 0 <= y -> profile_composition ns P Q ->
  lines_of [seq n <- ns | divergent n] ps -> all (fun y => 0 <= y) ys ->
  above_at_dots (profile_bound ps) T 0 ys -> evaluates (pairs_of ns ++ [:: table_pair ok]) (table_pair ok') ->
  hockey_stick 1 y P Q <= curve T' y.
Proof.
move=> y0 C lines ys0 dots h; rewrite -(curve_of_pair ok').
apply: (@le_of_every _ _ (1 + y)); first by rewrite addr_ge0 ?ler01.
have D : all divergent [seq n <- ns | divergent n] by exact: filter_all.
have W : all xpredT ns by exact: all_predT.
have W' : all xpredT [seq n <- ns | divergent n] by exact: all_predT.
move=> tau t0; have [S [A [B [CA first]]]] :=
  drawn_first profile_lawful (fun n _ => profile_alike n) profile_padded profile_replaced W t0.
have [[A0 _] [B0 _]] := composed_distribution profile_lawful CA.
apply: le_trans (first _ _ _ C _ _ ler01 y0) _; rewrite ler_add2r.
set E := table_pair ok in h *.
apply: (@le_trans _ _ (\sum_s at_weights E (1 * A s)%R (y * B s)%R)).
  apply: ler_sum => s _; have [a0 b0] : 0 <= 1 * A s /\ 0 <= y * B s by rewrite !mulr_ge0 ?ler01.
  apply: (value_le profile_lawful (fun n _ => profile_alike n) profile_padded D W' a0 b0) => F g.
  have [X [S1 [S2 [CS <-]]]] := gains_law profile_padded D g.
  exact: (divergent_below lines ok ys0 dots CS).
rewrite /at_weights hockey_stick_exchange.
have dom := composed_dominated CA (filter_all _ _); rewrite pairs_of_others in dom.
apply: (@le_trans _ _ (\sum_z at_weights (product_pair (pairs_of ns)) (1 * first_law z)%R (y * second_law z)%R)).
  apply: ler_sum => z _; have [z1 z2] := @laws_ge0 _ E z.
  exact: (domination_composes dom (mulr_ge0 ler01 z1) (mulr_ge0 y0 z2)).
rewrite -at_timesE at_timesC; apply: le_trans (evaluation_dominates h ler01 y0).
have same : at_weights (times (product_pair (pairs_of ns)) (product_pair [:: E])) 1 y =
    at_weights (times (product_pair (pairs_of ns)) E) 1 y.
  rewrite !at_timesE; apply: eq_bigr => z _.
  by rewrite [LHS](at_timesC E) at_timesE (big_pred1 tt) => [|[]//]; rewrite !mulr1.
by rewrite at_product_cat same.
Qed.
End Rule.

(** 11.5: in both directions, with the lines of the same mechanisms. *)
Theorem rule_profile_renyi ns ns' ps ps' T T' U U' (ok : table_ok T) (ok' : table_ok T')
    (up : table_ok U) (up' : table_ok U') (ys ys' : seq R) (epsilon delta : R) (Y : finType) (P Q : Y -> R) :
  profile_composition ns P Q -> profile_composition ns' Q P ->
  lines_of [seq n <- ns | divergent n] ps -> lines_of [seq n <- ns' | divergent n] ps' ->
  all (fun y => 0 <= y) ys -> all (fun y => 0 <= y) ys' ->
  above_at_dots (profile_bound ps) T 0 ys -> above_at_dots (profile_bound ps') T' 0 ys' ->
  evaluates (pairs_of ns ++ [:: table_pair ok]) (table_pair up) ->
  evaluates (pairs_of ns' ++ [:: table_pair ok']) (table_pair up') ->
  curve U (exp epsilon) <= delta -> curve U' (exp epsilon) <= delta ->
  indistinguishable (exp epsilon) delta P Q.
Proof.
move=> C C' l l' p p' dots dots' h h' le le'; have E0 := ltW (exp_gt0 epsilon).
split; apply/events_hockey_stick.
  exact: le_trans (divergent_as_table E0 C l p dots h) le.
exact: le_trans (divergent_as_table E0 C' l' p' dots' h') le'.
Qed.
