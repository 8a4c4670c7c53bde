(** Concurrent composition of interactive mechanisms of all notions: what a statement of a certificate
    about it means ([views]), and what is proved of it.

    [interactively n t]: the interactive mechanism t, a tree, satisfies the notion n: whatever an
    adversary asks, the laws of what it says in the end, on the two inputs, do.
    [concurrent_approximate]: where mechanisms are given by epsilon and delta, the bounds of adaptive
    composition, and Theorem 4.1 of Vadhan & Wang (TCC 2021), by simulation (Simulation.v).
    [concurrent_moments]: Rényi divergences of one order add up (Lyu, NeurIPS 2022; another proof).
    Mechanisms have finitely many questions and answers. *)
From Coq Require Import Reals Permutation Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules Notions Failures.
From ExactDP Require Import Powers Moments RulesGaussian RulesConcentrated OrderOfWorkloads NotionsTrivial.
From ExactDP Require Import Interactive RulesInteractive Interleaving Potentials Simulation Concurrent.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition interactively (n : notion) (t : tree R) : Prop :=
  lawful t /\ forall (Y : finType) (P Q : Y -> R), seen [:: t] P Q -> satisfies G n P Q.

(** What an adversary says in the end, who interleaves its questions to mechanisms of these notions. *)
Definition views (ns : seq notion) (Y : finType) (P Q : Y -> R) : Prop :=
  exists2 ts : seq (tree R), List.Forall2 interactively ns ts & seen ts P Q.

Lemma views_distribution ns (Y : finType) (P Q : Y -> R) : views ns P Q -> distribution P /\ distribution Q.
Proof. by case=> ts H S; apply: (seen_distribution S); elim: H => //= n t ns' ts' [-> _]. Qed.

(** --- mechanisms given by epsilon and delta --- *)

Lemma trivial_pair n t : of_first_notion n -> interactively n t ->
  private (exp (as_pair n).1) (as_pair n).2 t.
Proof.
move=> w [l H]; split=> // Y P Q /H; case: n w {H} => [e d _ []//|mu w|rho w] /(trivial_dp w) [] //.
Qed.

Lemma views_dominated ns (Y : finType) (P Q : Y -> R) a b : all of_first_notion ns ->
  all proper_notion ns -> views ns P Q ->
  hockey_stick a b P Q <= composed (odds_of [seq as_pair n | n <- ns]) a b.
Proof.
move=> F W [ts H S]; apply: concurrent_dominated S => //.
  have [_ p] := pairs_proper W; rewrite /odds_of all_map; apply: sub_all p => m /and3P[e z o].
  by rewrite /= exp_ge1 e z o.
elim: H F {W} => [|n t ns' ts' h _ IH] /=; first by constructor.
by case/andP=> w /IH; constructor=> //; exact: trivial_pair h.
Qed.

Lemma views_indistinguishable ns (Y : finType) (P Q : Y -> R) epsilon delta : all of_first_notion ns ->
  all proper_notion ns -> upper [seq as_pair n | n <- ns] epsilon delta -> views ns P Q ->
  indistinguishable (exp epsilon) delta P Q.
Proof.
move=> F W U V; have [dP dQ] := views_distribution V; have [_ p] := pairs_proper W.
have [Z [p' [q' [C e]]]] := composition_attained (odds_admissible p).
have [/events_hockey_stick h1 /events_hockey_stick h2] := U _ _ _ C.
have [dp dq] := composition_distribution C.
split; apply/events_hockey_stick.
  by apply: le_trans (views_dominated 1 (exp epsilon) F W V) _; rewrite -e.
rewrite hockey_stick_swap // -ler_subr_addl; apply: le_trans (views_dominated (exp epsilon) 1 F W V) _.
by rewrite -e hockey_stick_swap // opprB addrC ler_add2r.
Qed.

Lemma upper_of_pairs ns epsilon delta : all of_first_notion ns -> all proper_notion ns ->
  upper (pairs_of ns) epsilon delta -> upper [seq as_pair n | n <- ns] epsilon delta.
Proof.
move=> F W; have [p1 p2] := pairs_proper W; move/(upper_iff p1) => h; apply/(upper_iff p2).
by rewrite /slack pairs_kept pairs_divergence.
Qed.

(** Bounds of all adaptive compositions hold of concurrent ones: Vadhan & Wang 2021, Theorem 5.4; with
    failures, Lyu 2022. *)
Theorem concurrent_approximate ns epsilon delta : all of_first_notion ns -> all proper_notion ns ->
  mixed_upper G ns epsilon delta ->
  forall (Y : finType) (P Q : Y -> R), views ns P Q -> indistinguishable (exp epsilon) delta P Q.
Proof.
move=> F W U Y P Q; apply: views_indistinguishable => //; apply: upper_of_pairs => //.
have [p _] := pairs_proper W; apply/(upper_iff p); rewrite leNgt; apply/negP => /(lower_iff p).
case/(mixed_lower_trivial F) => ns' [perm [Z [P' [Q' [C n]]]]]; exact: n (U _ perm _ _ _ C).
Qed.

Lemma kept_le1 (L : ledger) : proper L -> \prod_(m <- L) (1 - m.2) <= 1.
Proof.
elim: L => [|[e d] L IH]; first by rewrite big_nil.
case/andP=> /and3P[/= _ d0 d1] p; rewrite big_cons mulr_ile1 ?subr_ge0 ?(ltW d1) ?IH //.
  exact: ltW (kept_gt0 p).
by rewrite ler_subl_addr ler_addl.
Qed.

(** Vadhan & Wang 2021, Theorem 4.1, for every order of the mechanisms. *)
Lemma order_delta_failures (order : ledger) : proper order ->
  1 - \prod_(m <- order) (1 - m.2) <= order_delta (odds_of order).
Proof.
elim: order => [|[e d] order IH] /=; first by rewrite big_nil subrr.
case/andP=> /and3P[/= e0 d0 d1] p; have W := IH p; rewrite big_cons /=.
have k0 := ltW (kept_gt0 p); set k := \prod_(_ <- _) _ in W k0 *.
have -> : 1 - (1 - d) * k = d + (1 - d) * (1 - k) by ring.
have k1 : 0 <= 1 - k by rewrite subr_ge0 kept_le1.
rewrite ler_add2l; apply: le_trans (_ : 1 - k <= _); first by rewrite ler_pimull // ler_subl_addr ler_addl.
apply: (le_trans W); rewrite ler_pemull ?exp_ge1 //; exact: le_trans k1 W.
Qed.

Theorem concurrent_sums ns order : all of_first_notion ns -> all proper_notion ns ->
  perm_eq (pairs_of ns) order ->
  forall (Y : finType) (P Q : Y -> R), views ns P Q ->
  indistinguishable (exp (\sum_(e <- epsilons (pairs_of ns)) e)) (order_delta (odds_of order)) P Q.
Proof.
move=> F W p Y P Q; apply: views_indistinguishable => //; apply: upper_of_pairs => //.
have [w _] := pairs_proper W; apply: rule_sum_upper => //.
have w' : proper order by rewrite /proper -(perm_all _ p).
by rewrite (perm_big _ p) ler_subl_addr -ler_subl_addl; exact: order_delta_failures.
Qed.

(** --- Rényi divergences --- *)

Section Powers.
Variables (a : R) (a1 : 1 < a).

(** Two masses, where q = 0 only if p = 0. *)
Definition massive (p q : R) : Prop := [/\ 0 <= p, 0 <= q & q = 0 -> p = 0].
Arguments massive _%R _%R.

Lemma massive0 : massive 0 0. Proof. by split. Qed.

Lemma massiveD p q p' q' : massive p q -> massive p' q' -> massive (p + p') (q + q').
Proof.
case=> p0 q0 s [p0' q0' s']; split; rewrite ?addr_ge0 // => /eqP; rewrite paddr_eq0 //.
by case/andP=> /eqP/s -> /eqP/s' ->; exact: addr0.
Qed.

Lemma massiveM c p q : 0 <= c -> massive p q -> massive (c * p) (c * q).
Proof.
move=> c0 [p0 q0 s]; split; rewrite ?mulr_ge0 // => /eqP; rewrite mulf_eq0.
by case/orP=> [/eqP -> |/eqP/s ->]; [exact: mul0r|exact: mulr0].
Qed.

Lemma massive_mul p q p' q' : massive p q -> massive p' q' -> massive (p * p') (q * q').
Proof.
case=> p0 q0 s [p0' q0' s']; split; rewrite ?mulr_ge0 // => /eqP; rewrite mulf_eq0.
by case/orP=> /eqP; [move/s|move/s'] => ->; rewrite ?mul0r ?mulr0.
Qed.

Lemma power_homogeneous c p q : 0 <= c -> massive p q ->
  power_term a (c * p) (c * q) = c * power_term a p q.
Proof.
move=> c0 [p0 q0 s]; rewrite power_termM //.
move: c0; rewrite le_eqVlt => /orP[/eqP <-|c0]; first by rewrite power_term0 !mul0r.
by rewrite power_term_pos // subrr mulr0 exp_0 mulr1.
Qed.

(** x^alpha is above its tangents. *)
Lemma power_tangent u p q : massive p q ->
  q * (exp (a * u) * (1 - a)) + p * (a * exp ((a - 1) * u)) <= power_term a p q.
Proof.
case=> p0 q0 s; have [->|[pp qq]] := supported p0 q0 s.
  rewrite power_term0 mul0r addr0 mulr_ge0_le0 // mulr_ge0_le0 ?(ltW (exp_gt0 _)) //.
  by rewrite subr_le0 ltW.
rewrite power_term_pos //; set v := ln p - ln q.
have -> : p = q * exp v by rewrite expB !lnK // mulrC divfK ?gt_eqF.
rewrite -mulrA -mulrDr ler_pmul2l //.
have /RleP := tangent a u v (elimT (RltP _ _) a1); rewrite mulrC [exp v * _]mulrC [(1 - a) * _]mulrC; exact.
Qed.

Lemma power_subadditive p q p' q' : massive p q -> massive p' q' ->
  power_term a (p + p') (q + q') <= power_term a p q + power_term a p' q'.
Proof.
move=> m m'; have [P0 Q0 S] := massiveD m m'.
have [->|[pp qq]] := supported P0 Q0 S.
  by rewrite power_term0 addr_ge0 // power_term_ge0.
pose u := ln (p + p') - ln (q + q').
apply: le_trans (ler_add (power_tangent u m) (power_tangent u m')).
rewrite power_term_pos // -/u addrACA -!mulrDl.
have {1}-> : p + p' = (q + q') * exp u by rewrite expB !lnK // mulrC divfK ?gt_eqF.
have -> : exp (a * u) = exp u * exp ((a - 1) * u) by rewrite -expD; congr exp; ring.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Powers.

Section Moments.
Variables (a : R) (a1 : 1 < a).

Let power side (p q : R) := if side then power_term a q p else power_term a p q.
Let both (p q : R) := massive p q /\ massive q p.
Let alone (p q : R) : R := if (p == 0) == (q == 0) then 0 else 1.

Lemma interactive_worth side n t : proper_notion n -> failure n = 0 -> interactively n t ->
  worth (power side) t (1, 1) <= exp (log_moment a n).
Proof.
move=> w pure [_ H]; have [Y [P [Q [S <-]]]] := worth_seen (power side) t (1, 1).
have s : satisfies G (unfailing n) P Q by move: (H _ _ _ S) pure; case: (n) => //= e d + z; rewrite z.
have s' : satisfies G (unfailing n) Q P by exact: satisfies_sym.
have [_ m] := unfailing_moment a1 w s; have [_ m'] := unfailing_moment a1 w s'.
case: side; [apply: le_trans m'|apply: le_trans m]; by apply: ler_sum => y _; rewrite /= !mul1r.
Qed.

(** No history is met on one input alone. *)
Lemma interactive_alone n t : proper_notion n -> failure n = 0 -> interactively n t ->
  worth alone t (1, 1) <= 0.
Proof.
move=> w pure [_ H]; have [Y [P [Q [S <-]]]] := worth_seen alone t (1, 1).
have s : satisfies G (unfailing n) P Q by move: (H _ _ _ S) pure; case: (n) => //= e d + z; rewrite z.
have s' : satisfies G (unfailing n) Q P by exact: satisfies_sym.
have [pq _] := unfailing_moment a1 w s; have [qp _] := unfailing_moment a1 w s'.
rewrite big1 // => y _; rewrite /alone !mul1r.
have -> : (P y == 0) = (Q y == 0) by apply/idP/idP => /eqP h; apply/eqP; [exact: qp|exact: pq].
by rewrite eqxx.
Qed.

Lemma alone_ge0 p q : 0 <= alone p q.
Proof. by rewrite /alone; case: ifP; rewrite ?ler01. Qed.

Lemma bothM p q p' q' : both p q -> both p' q' -> both (p * p') (q * q').
Proof.
by move=> [? ?] [? ?]; split; exact: massive_mul.
Qed.

Definition bounded side t (s : R * R * R) : Prop :=
  [/\ lawful t, 0 <= s.1.1, 0 <= s.1.2, worth alone t s.1 <= 0 & worth (power side) t s.1 <= s.2].

Lemma bounded_both side t s : bounded side t s -> both s.1.1 s.1.2.
Proof.
case=> _ p0 q0 h _; have := le_trans (worth_at_once alone t s.1) h; rewrite /alone.
case: ifP => [/eqP e _|_]; last by rewrite ler10.
by split; split=> // z; apply/eqP; [rewrite e z|rewrite -e z].
Qed.

Lemma power_ge0 side p q : 0 <= power side p q.
Proof. by rewrite /power; case: side; exact: power_term_ge0. Qed.

Lemma bounded_ge0 side t s : bounded side t s -> 0 <= s.2.
Proof.
by case=> _ _ _ _; apply: le_trans; apply: le_trans (worth_at_once _ _ _); exact: power_ge0.
Qed.

Lemma bounded_at_once side ts ss : List.Forall2 (bounded side) ts ss ->
  let p := \prod_(s <- ss) s.1.1 in let q := \prod_(s <- ss) s.1.2 in
  both p q /\ power side p q <= \prod_(s <- ss) s.2.
Proof.
elim=> [|t s ts' ss' h _ [b le]] /=.
  rewrite !big_nil; have m : massive 1 1 by split; rewrite ?ler01 // => /eqP; rewrite oner_eq0.
  by split; [split|rewrite /power if_same power_term_pos ?ltr01 // subrr mulr0 exp_0 mulr1].
rewrite !big_cons; have b' := bounded_both h; split; first exact: bothM.
have powerM x y x' y' : both x y -> both x' y' ->
    power side (x * x') (y * y') = power side x y * power side x' y'.
  by move=> [[? ? ?] [_ _ ?]] [[? ? ?] [_ _ ?]]; rewrite /power; case: side {h le}; rewrite power_termM.
rewrite powerM //; apply: ler_pmul => //; try exact: power_ge0.
by case: h => _ _ _ _; apply: le_trans; exact: worth_at_once.
Qed.

Lemma prod_bounds_ge0 side ts ss : List.Forall2 (bounded side) ts ss -> 0 <= \prod_(s <- ss) s.2.
Proof.
by elim=> [|t s ts' ss' /bounded_ge0 h _ IH]; rewrite ?big_nil ?ler01 // big_cons mulr_ge0.
Qed.

Lemma bounded_question side t s q : bounded side t s -> List.In q (queries t) ->
  exists s' : nat -> R * R * R,
    (forall i x, List.nth_error q i = Some x -> bounded side x.2 (s' i) /\ (s' i).1 = after s.1 x.1) /\
    forall ts1 ts2 ss1 ss2, List.Forall2 (bounded side) ts1 ss1 -> List.Forall2 (bounded side) ts2 ss2 ->
      total (fun i _ => \prod_(s <- ss1 ++ s' i :: ss2) s.2) 0 q <= \prod_(s <- ss1 ++ s :: ss2) s.2.
Proof.
case=> l p0 q0 h le inq; have [_ _ lx] := lawful_query l inq.
pose value (x : R * R * tree R) := (after s.1 x.1, worth (power side) x.2 (after s.1 x.1)).
exists (fun i => if List.nth_error q i is Some x then value x else s).
split=> [i x n|ts1 ts2 ss1 ss2 H1 H2].
  rewrite n; have [px qx lx'] := lx i x n; split=> //; split=> //=; rewrite ?mulr_ge0 //.
  have zero : \sum_(x <- q) worth alone x.2 (after s.1 x.1) = 0.
    apply/le_anti/andP; split.
      by rewrite -(total_big _ _ 0%N); apply: le_trans h; exact: worth_query inq.
    apply: (@le_trans _ _ (\sum_(x <- q) (0 : R))); first by rewrite big1.
    by apply: Shares.ler_sum_In => z _; apply: le_trans (worth_at_once _ _ _); exact: alone_ge0.
  rewrite (sum_ge0_eq0 _ zero) //; last exact: List.nth_error_In n.
  by move=> z _; apply: le_trans (worth_at_once _ _ _); exact: alone_ge0.
have c1 := prod_bounds_ge0 H1; have c2 := prod_bounds_ge0 H2.
rewrite big_cat big_cons /=; set u := \prod_(_ <- ss1) _ in c1 *; set v := \prod_(_ <- ss2) _ in c2 *.
rewrite (@eq_total_nth _ _ _ (fun _ x => (u * v) * worth (power side) x.2 (after s.1 x.1))).
  rewrite -total_mull mulrCA [X in _ <= X]mulrC ler_wpmul2l ?mulr_ge0 //.
  by apply: le_trans le; exact: worth_query inq.
by move=> i x n; rewrite n big_cat big_cons /= -/u -/v mulrCA mulrC.
Qed.

(** Lyu 2022, for mechanisms that cannot fail: the bounds of the moments multiply. *)
Theorem concurrent_moments ns (Y : finType) (P Q : Y -> R) : all proper_notion ns ->
  (forall n, List.In n ns -> failure n = 0) -> views ns P Q ->
  let m := exp (\sum_(n <- ns) log_moment a n) in moment_at_most a m P Q /\ moment_at_most a m Q P.
Proof.
move=> W pure [ts H S] m.
suff side_moment side : (forall y, both (P y) (Q y)) /\ \sum_y power side (P y) (Q y) <= m.
  have [b h1] := side_moment false; have [_ h2] := side_moment true.
  by split; split=> // y; have [[_ _ s] [_ _ s']] := b y.
pose ss := [seq ((1, 1), exp (log_moment a n)) | n <- ns] : seq (R * R * R).
have T : List.Forall2 (bounded side) ts ss.
  rewrite /ss; elim: H W pure {S m} => [|n t ns' ts' h _ IH] /=; first by constructor.
  case/andP=> w W' pure; constructor; last by apply: IH => // n' i; apply: pure; right.
  have z : failure n = 0 by apply: pure; left.
  split=> //=; try exact: ler01; first by case: h.
    exact: interactive_alone w z h.
  exact: interactive_worth w z h.
have m0 : both 0 0 by split; exact: massive0.
have mD p q p' q' : both p q -> both p' q' -> both (p + p') (q + q').
  by move=> [h1 h2] [h1' h2']; split; exact: massiveD.
have mM c p q : 0 <= c -> both p q -> both (c * p) (c * q).
  by move=> c0 [h1 h2]; split; exact: massiveM.
have fD p q p' q' : both p q -> both p' q' -> power side (p + p') (q + q') <= power side p q + power side p' q'.
  by move=> [h1 h2] [h1' h2']; rewrite /power; case: (side); exact: power_subadditive.
have fM c p q : 0 <= c -> both p q -> power side (c * p) (c * q) = c * power side p q.
  by move=> c0 [h1 h2]; rewrite /power; case: (side); exact: power_homogeneous.
have [] := @seen_potential _ both (power side) m0 mD mM fD fM _ (bounded side) fst
  (fun ss => \prod_(s <- ss) s.2) (@bounded_at_once side) (@bounded_question side) ts Y P Q S ss T.
have ones (g : R * R -> R) : g (1, 1) = 1 -> \prod_(s <- ss) g s.1 = 1.
  by move=> g1; rewrite /ss big_map big1.
rewrite (ones fst) // (ones snd) // => b le; split=> [y|]; first by move: (b y); rewrite !mul1r.
apply: (le_trans _ (le_trans le _)); first by apply: ler_sum => y _; rewrite !mul1r.
rewrite /ss /m big_map /=; elim: (ns) => [|n ns' IH]; first by rewrite !big_nil exp_0.
by rewrite !big_cons expD ler_pmul2l ?exp_gt0.
Qed.
End Moments.
