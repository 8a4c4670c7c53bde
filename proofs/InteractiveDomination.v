(** Concurrent composition is dominated by non-interactive mechanisms: Vadhan & Zhang (STOC 2023), for
    mechanisms with finitely many questions and answers.

    What an adversary gains at most from a history on, in the sense of max(aP - bQ, 0), is for all a
    and b the divergence of one finite pair of laws ([history_pair]): from a question it is that of the
    pairs of its answers side by side, and the greater of two such divergences is one again
    ([greater_weights]).  The divergence of the product of these pairs, one for each mechanism, is a
    potential that no question raises; so an adversary who interleaves its questions gains no more
    than from that product ([views_dominated_by_composition]).  As the pair of the first history
    satisfies every notion of (epsilon, delta) and of mu that the mechanism does, bounds of all
    adaptive compositions hold of concurrent ones ([concurrent_upper]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesGroupsMixed Domination Interactive RulesInteractive Interleaving Potentials.
From ExactDP Require Import ConcurrentTheorems GreaterPairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- the pair of a history --- *)

Section Histories.
Implicit Types (D : finite_pair R_realFieldType) (law : R * R).

Notation HS a b D := (hockey_stick a b (@first_law _ D) (@second_law _ D)).

Definition gain (a b p q : R) := pos (a * p - b * q).

Lemma one_ge0 law : 0 <= law.1 -> 0 <= law.2 -> nonnegative_laws (fun _ : unit => law.1) (fun=> law.2).
Proof. by []. Qed.
Lemma none_ge0 : nonnegative_laws (fun _ : void => 0 : R) (fun=> 0).
Proof. by case. Qed.

(** Of the answers to a question, side by side. *)
Lemma answers_pair (q : seq (R * R * tree R)) law : (forall x, List.In x q ->
    exists2 D, totals D (after law x.1) &
    forall a b, 0 <= a -> 0 <= b -> HS a b D = worth (gain a b) x.2 (after law x.1)) ->
  exists2 D, totals D (\sum_(x <- q) law.1 * x.1.1, \sum_(x <- q) law.2 * x.1.2) &
  forall a b, 0 <= a -> 0 <= b -> HS a b D = \sum_(x <- q) worth (gain a b) x.2 (after law x.1).
Proof.
elim: q => [_|x q IH each].
  exists (FinitePair none_ge0) => [|a b _ _]; last by rewrite big_nil /hockey_stick big1 // => -[].
  by split; rewrite !big_nil big1 // => -[].
have [D T e] := each x (or_introl erefl).
have [|D' T' e'] := IH; first by move=> z h; apply: each; right.
exists (beside D D') => [|a b a0 b0]; last by rewrite beside_hockey_stick big_cons e // e'.
by rewrite !big_cons; exact: beside_totals T T'.
Qed.

Theorem history_pair t law : lawful t -> 0 <= law.1 -> 0 <= law.2 -> exists2 D, totals D law &
  forall a b, 0 <= a -> 0 <= b -> HS a b D = worth (gain a b) t law.
Proof.
elim/tree_induction: t law => qs IH law l p0 q0.
have each q : List.In q qs -> exists2 D, totals D law & forall a b, 0 <= a -> 0 <= b ->
    HS a b D = total (fun _ x => worth (gain a b) x.2 (after law x.1)) 0 q.
  move=> h; have [s1 s2 _] := lawful_query l h.
  have [x hx|D T e] := @answers_pair q law.
    have [px qx lx] := Shares.lawful_answer l h hx.
    by apply: (Shares.In_Forall2 IH h hx) => //; exact: mulr_ge0.
  exists D => [|a b a0 b0]; last by rewrite total_big e.
  by move: T; rewrite -!mulr_sumr s1 s2 !mulr1; case: (law).
have unfold a b : worth (gain a b) (Tree qs) law = foldr (fun q => Num.max (total (fun _ x =>
    worth (gain a b) x.2 (after law x.1)) 0 q)) (gain a b law.1 law.2) qs by [].
suff [D T e] : exists2 D, totals D law & forall a b, 0 <= a -> 0 <= b -> HS a b D =
    foldr (fun q => Num.max (total (fun _ x => worth (gain a b) x.2 (after law x.1)) 0 q))
      (gain a b law.1 law.2) qs by exists D => // a b a0 b0; rewrite unfold e.
elim: {IH l unfold} qs each => [|q qs IHqs] each /=.
  exists (FinitePair (one_ge0 p0 q0)); first by split; rewrite (bigD1 tt) //= big1 ?addr0 // => -[].
  by move=> a b _ _; rewrite /hockey_stick (bigD1 tt) //= big1 ?addr0 // => -[].
have [D T e] := each q (or_introl erefl).
have [|D' T' e'] := IHqs; first by move=> q' h; apply: each; right.
have [E TE eE] := greater_weights T T'; exists E => // a b a0 b0.
by rewrite eE // e // e'.
Qed.

(** --- the potential --- *)

(** A track: the law of the history so far, and its pair. *)
Definition track := (R * R * finite_pair R_realFieldType)%type.
Definition tracks t (s : track) : Prop := [/\ lawful t, 0 <= s.1.1, 0 <= s.1.2, totals s.2 s.1 &
  forall a b, 0 <= a -> 0 <= b -> HS a b s.2 = worth (gain a b) t s.1].
Definition product (ss : seq track) := product_pair [seq s.2 | s <- ss].

Lemma product_totals ts ss : List.Forall2 tracks ts ss ->
  totals (product ss) (\prod_(s <- ss) s.1.1, \prod_(s <- ss) s.1.2).
Proof.
elim=> {ts ss} [|t s ts ss [_ _ _ [h1 h2] _] _ [IH1 IH2]].
  by split; rewrite /= big_nil (bigD1 tt) //= big1 ?addr0 // => -[].
have mul (A B : finType) (f : A -> R) (g : B -> R) :
    \sum_(z : A * B) f z.1 * g z.2 = (\sum_x f x) * (\sum_y g y).
  by rewrite -(pair_bigA _ (fun x y => f x * g y)) /= mulr_suml; apply: eq_bigr => x _; rewrite mulr_sumr.
by split; rewrite /= !big_cons mul ?h1 ?h2 ?IH1 ?IH2.
Qed.

Lemma totals_gain D law a b : totals D law -> gain a b law.1 law.2 <= HS a b D.
Proof.
case=> <- <-; rewrite /gain /hockey_stick !mulr_sumr -sumrB.
elim: (index_enum _) => [|z s IH]; first by rewrite !big_nil pos_id.
by rewrite !big_cons; apply: le_trans (posD _ _) _; rewrite ler_add2l.
Qed.

Lemma product_cons s ss a b : HS a b (product (s :: ss)) =
  \sum_z HS (a * @first_law _ s.2 z) (b * @second_law _ s.2 z) (product ss).
Proof. by rewrite -(hockey_stick_product _ _ (fun=> @first_law _ (product ss)) (fun=> @second_law _ (product ss))). Qed.

Lemma product_question (A : Type) (q : seq A) (s : track) (s' : nat -> track) ss1 ss2 :
  (forall a b, 0 <= a -> 0 <= b -> total (fun i _ => HS a b (s' i).2) 0 q <= HS a b s.2) ->
  forall a b, 0 <= a -> 0 <= b ->
  total (fun i _ => HS a b (product (ss1 ++ s' i :: ss2))) 0 q <= HS a b (product (ss1 ++ s :: ss2)).
Proof.
move=> le; elim: ss1 => [|s1 ss1 IH] a b a0 b0 /=.
  rewrite product_cons hockey_stick_exchange.
  rewrite (@total_sum _ _ _ _ _ _ (fun z i _ => HS (a * @first_law _ (product ss2) z)
    (b * @second_law _ (product ss2) z) (s' i).2)) => [|i _].
    by apply: ler_sum => z _; have [p0 q0] := laws_ge0 z; apply: le; exact: mulr_ge0.
  by rewrite product_cons hockey_stick_exchange.
rewrite product_cons (@total_sum _ _ _ _ _ _ (fun z i _ => HS (a * @first_law _ s1.2 z)
    (b * @second_law _ s1.2 z) (product (ss1 ++ s' i :: ss2)))) => [|i _]; last exact: product_cons.
by apply: ler_sum => z _; have [p0 q0] := laws_ge0 z; apply: IH; exact: mulr_ge0.
Qed.

Lemma tracks_question t s q : tracks t s -> List.In q (queries t) -> exists s' : nat -> track,
  (forall i x, List.nth_error q i = Some x -> tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1) /\
  forall a b, 0 <= a -> 0 <= b -> total (fun i _ => HS a b (s' i).2) 0 q <= HS a b s.2.
Proof.
case=> l p0 q0 T e h.
suff [s' H] : exists s' : nat -> track, forall i x, List.nth_error q i = Some x ->
    tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1.
  exists s'; split=> // a b a0 b0; rewrite e //; apply: le_trans (worth_query (gain a b) _ h).
  by apply: le_total_nth => i x n; have [[_ _ _ _ e'] <-] := H i x n; rewrite e'.
have each x : List.In x q -> exists s', tracks x.2 s' /\ s'.1 = after s.1 x.1.
  move=> hx; have [px qx lx] := Shares.lawful_answer l h hx.
  have [a1 a2] := Shares.after_ge0 p0 q0 px qx; have [D TD eD] := history_pair lx a1 a2.
  by exists (after s.1 x.1, D).
elim: (q) each => [|x q' IH] each; first by exists (fun=> s) => -[].
have [s0 H0] := each x (or_introl erefl).
have [|s' H] := IH; first by move=> z hz; apply: each; right.
by exists (fun i => if i is i'.+1 then s' i' else s0) => -[|i] z /=; [case=> <-|exact: H].
Qed.

Theorem seen_dominated ts ss (Y : finType) (P Q : Y -> R) : List.Forall2 tracks ts ss ->
  (forall s, List.In s ss -> s.1 = (1, 1)) -> seen ts P Q ->
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b (product ss).
Proof.
move=> H ones S a b a0 b0.
have fD p q p' q' : True -> True -> gain a b (p + p') (q + q') <= gain a b p q + gain a b p' q'.
  by rewrite /gain !mulrDr opprD addrACA => _ _; exact: posD.
have fM c p q : 0 <= c -> True -> gain a b (c * p) (c * q) = c * gain a b p q.
  by rewrite /gain !(mulrCA _ c) -mulrBr => c0 _; exact: posM.
have start ts' ss' : List.Forall2 tracks ts' ss' -> True /\
    gain a b (\prod_(s <- ss') s.1.1) (\prod_(s <- ss') s.1.2) <= HS a b (product ss').
  by move=> /product_totals T; split=> //; exact: totals_gain T.
have step t s q : tracks t s -> List.In q (queries t) -> exists s' : nat -> track,
    (forall i x, List.nth_error q i = Some x -> tracks x.2 (s' i) /\ (s' i).1 = after s.1 x.1) /\
    forall ts1 ts2 ss1 ss2, List.Forall2 tracks ts1 ss1 -> List.Forall2 tracks ts2 ss2 ->
      total (fun i _ => HS a b (product (ss1 ++ s' i :: ss2))) 0 q <= HS a b (product (ss1 ++ s :: ss2)).
  move=> T h; have [s' [H1 le]] := tracks_question T h; exists s'; split=> // ts1 ts2 ss1 ss2 _ _.
  exact: product_question.
have [_] := @seen_potential _ (fun _ _ => True) (gain a b) I (fun _ _ _ _ _ _ => I) (fun _ _ _ _ _ => I)
  fD fM track tracks fst (fun ss => HS a b (product ss)) start step ts Y P Q S ss H.
have one (g : R * R -> R) : g (1, 1) = 1 -> \prod_(s <- ss) g s.1 = 1.
  move=> g1; elim: (ss) ones => [|s ss' IH] ones'; first by rewrite big_nil.
  by rewrite big_cons (ones' s) ?g1 ?IH ?mulr1 //; [move=> z i; apply: ones'; right|left].
rewrite (one fst) // (one snd) //; apply: le_trans; rewrite /hockey_stick.
by apply: ler_sum => y _; rewrite /gain !mul1r.
Qed.

(** --- the notions of the pair --- *)

Lemma equal_laws (Y : finType) (P Q : Y -> R) : satisfies G (Approximate 0 0) P Q -> P = Q.
Proof.
case=> _ _; rewrite exp_0 => -[h1 h2]; apply: FunctionalExtensionality.functional_extensionality => y.
have := h1 [set y]; have := h2 [set y]; rewrite !big_set1 !mul1r !addr0 => le ge.
by apply/le_anti; rewrite le ge.
Qed.

Lemma pair_satisfies n t : proper_notion n -> ~~ concentrated n -> interactively n t ->
  exists s : track, [/\ tracks t s, s.1 = (1, 1) & satisfies G n (@first_law _ s.2) (@second_law _ s.2)].
Proof.
move=> w plain [l H]; have [D T e] := @history_pair t (1, 1) l ler01 ler01.
exists ((1, 1), D); split=> //; first by split=> //; exact: ler01.
have [t1 t2] := T.
have dP : distribution (@first_law _ D) by split=> // z; case: (laws_ge0 z).
have dQ : distribution (@second_law _ D) by split=> // z; case: (laws_ge0 z).
have close m E d : 0 <= E -> (forall (Y : finType) (P Q : Y -> R), satisfies G n P Q ->
    satisfies G m P Q /\ indistinguishable E d P Q) -> indistinguishable E d (@first_law _ D) (@second_law _ D).
  move=> E0 known; have attained a b : 0 <= a -> 0 <= b -> exists (Y : finType) (P Q : Y -> R),
      satisfies G n P Q /\ HS a b D = hockey_stick a b P Q.
    move=> a0 b0; have [Y [P [Q [S eq]]]] := worth_seen (gain a b) t (1, 1).
    by exists Y, P, Q; split; [exact: H|rewrite e // -eq; apply: eq_bigr => y _; rewrite /gain !mul1r].
  split; apply/events_hockey_stick.
    by have [Y [P [Q [/known[_ [/events_hockey_stick h _]] ->]]]] := attained 1 E ler01 E0.
  rewrite hockey_stick_swap // -ler_subr_addl; have [Y [P [Q [s ->]]]] := attained E 1 E0 ler01.
  have [_ [_ /events_hockey_stick h]] := known _ _ _ s; have [dP' dQ' _] := s.
  by rewrite hockey_stick_swap // opprB addrC ler_add2r.
have E0 x : 0 <= exp x by exact: ltW (exp_gt0 _).
case: n w plain {H} close => [x d|mu|rho] w plain close.
- by split=> //; apply: (close (Approximate x d)) => // Y P Q s; split=> //; case: s.
- by split=> // x; apply: (close (Gaussian mu)) => // Y P Q s; split=> //; case: s.
have flat : trivial (Concentrated rho) by move: plain; rewrite /= negbK.
have same : satisfies G (Approximate 0 0) (@first_law _ D) (@second_law _ D).
  split=> //; apply: (close (Approximate 0 0)) => // Y P Q /(trivial_dp flat) s.
  by split=> //; case: s.
by rewrite -(equal_laws same); exact: satisfies_self.
Qed.
End Histories.

(** --- concurrent composition --- *)

(** Interactive mechanisms of these notions are no more distinguishable than some that ask nothing. *)
Theorem views_dominated_by_composition ns (Y : finType) (P Q : Y -> R) : all proper_notion ns ->
  all (fun n => ~~ concentrated n) ns -> views ns P Q -> exists (Z : finType) (P' Q' : Z -> R),
  mixed_composition G ns P' Q' /\
  forall a b, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b P' Q'.
Proof.
move=> W plain [ts H S].
have [ss [T ones C]] : exists ss, [/\ List.Forall2 tracks ts ss, forall s, List.In s ss -> s.1 = (1, 1) &
    mixed_composition G ns (@first_law _ (product ss)) (@second_law _ (product ss))].
  elim: H W plain {S} => [|n t ns' ts' h _ IH] /=.
    by exists [::]; split=> //; exact: MixedNil.
  case/andP=> w W /andP[p plain]; have [ss [T ones C]] := IH W plain.
  have [s [Ts s1 sat]] := pair_satisfies w p h; exists (s :: ss); split.
  - by constructor.
  - by move=> z [<-|/ones].
  - exact: (@MixedCons G n ns' _ _ _ _ (fun=> @first_law _ (product ss)) (fun=> @second_law _ (product ss)) sat).
exists (outputs (product ss)), (@first_law _ (product ss)), (@second_law _ (product ss)); split=> // a b a0 b0.
exact: seen_dominated T ones S a b a0 b0.
Qed.

(** Bounds of all adaptive compositions hold of concurrent ones: Vadhan & Zhang 2023, for mechanisms
    given by epsilon and delta or by mu. *)
Theorem concurrent_upper ns epsilon delta : all proper_notion ns -> all (fun n => ~~ concentrated n) ns ->
  mixed_upper G ns epsilon delta ->
  forall (Y : finType) (P Q : Y -> R), views ns P Q -> indistinguishable (exp epsilon) delta P Q.
Proof.
move=> W plain U Y P Q V; have [dP dQ] := views_distribution V.
have [Z [P' [Q' [C le]]]] := views_dominated_by_composition W plain V.
have [dP' dQ'] := mixed_composition_distribution C.
have [/events_hockey_stick h1 /events_hockey_stick h2] := U _ (Permutation_refl _) _ _ _ C.
have E0 : 0 <= exp epsilon := ltW (exp_gt0 _).
split; apply/events_hockey_stick; first exact: le_trans (le _ _ ler01 E0) h1.
rewrite hockey_stick_swap // -ler_subr_addl; apply: le_trans (le _ _ E0 ler01) _.
by rewrite hockey_stick_swap // opprB addrC ler_add2r.
Qed.
