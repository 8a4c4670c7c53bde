(** The two ends of the bracket: gridded pairs that dominate, and tests.

    From above ("connect the dots", Doroshenko et al. 2022): an atom with q = p z is split between
    two atoms of the grid with the same p in total and no more q; the divergence does not fall
    ([split_dominates]).  From below: any event B gives D(y) >= P(B) - y Q(B); if opposite answers
    have opposite scores, one table of weights under the first hypothesis bounds both
    probabilities ([event_test]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Leaves: several mechanisms merged into one list of atoms, in any order. *)
Section Leaves.
Variables (R : realFieldType) (K : eqType) (op : K -> K -> K) (e : K).
Hypotheses (opA : associative op) (opC : commutative op) (op1 : left_id e op).
Implicit Types (ls : seq (seq (R * R * K))) (g : R -> R -> K -> R).
Notation total := (total op e).

Lemma total_cat ls ls' g : total (ls ++ ls') g =
  total ls (fun p q s => total ls' (fun p' q' s' => g (p * p') (q * q') (op s s'))).
Proof.
elim: ls g => [|l ls IH] g /=; first by apply: eq_total => p q s; rewrite !mul1r op1.
apply: eq_bigr => x _; rewrite IH; apply: eq_total => p q s.
by apply: eq_total => p' q' s'; rewrite !mulrA opA.
Qed.

Lemma total_exchange ls ls' (h : R -> R -> K -> R -> R -> K -> R) :
  total ls (fun p q s => total ls' (h p q s)) =
  total ls' (fun p' q' s' => total ls (fun p q s => h p q s p' q' s')).
Proof.
elim: ls h => [|l ls IH] h /=; first exact: eq_total.
rewrite -total_sum; apply: eq_bigr => x _.
exact: (IH (fun p q s => h (x.1.1 * p) (x.1.2 * q) (op x.2 s))).
Qed.

Lemma total_perm ls ls' g : perm_eq ls ls' -> total ls g = total ls' g.
Proof.
move: ls ls'; apply: (catCA_perm_subst (F := fun ls => total ls g)) => s1 s2 s3.
have three l l' : total (l ++ l' ++ s3) g = total l (fun p q s => total l' (fun p' q' s' =>
    total s3 (fun p'' q'' s'' => g (p * p' * p'') (q * q' * q'') (op (op s s') s'')))).
  rewrite total_cat; apply: eq_total => p q s; rewrite total_cat; apply: eq_total => p' q' s'.
  by apply: eq_total => p'' q'' s''; rewrite !mulrA opA.
rewrite !three total_exchange; apply: eq_total => p q s; apply: eq_total => p' q' s'.
by apply: eq_total => p'' q'' s''; rewrite (mulrC p') (mulrC q') (opC s').
Qed.

(** All choices of one atom from each list. *)
Definition merged ls : seq (R * R * K) :=
  foldr (fun l l' => [seq (x.1.1 * x'.1.1, x.1.2 * x'.1.2, op x.2 x'.2) | x <- l, x' <- l'])
    [:: (1, 1, e)] ls.

Lemma sum_merged ls g : \sum_(x <- merged ls) g x.1.1 x.1.2 x.2 = total ls g.
Proof.
elim: ls g => [|l ls IH] g /=; first by rewrite big_cons big_nil addr0.
rewrite big_allpairs_dep; apply: eq_bigr => x _.
exact: (IH (fun p q s => g (x.1.1 * p) (x.1.2 * q) (op x.2 s))).
Qed.

Lemma total_merged (lss : seq (seq (seq (R * R * K)))) g :
  total [seq merged ls | ls <- lss] g = total (flatten lss) g.
Proof.
elim: lss g => [|ls lss IH] g //=.
rewrite total_cat -sum_merged; apply: eq_bigr => x _.
exact: (IH (fun p q s => g (x.1.1 * p) (x.1.2 * q) (op x.2 s))).
Qed.
End Leaves.

(** Atoms that are split.  A function F(p, q) of an atom is convex here if it does not fall when
    the atom is split, nor when a part gets less q: so are max(0, a p - b q) and what it becomes
    together with atoms of other mechanisms. *)
Section Split.
Variable R : realFieldType.
Implicit Types (F : R -> R -> R) (a b p q z lambda : R).

Definition convex F := forall p p' q q' q'', 0 <= p -> 0 <= p' -> 0 <= q -> 0 <= q' ->
  q + q' <= q'' -> F (p + p') q'' <= F p q + F p' q'.

Lemma convex_pos a b : 0 <= b -> convex (fun p q => pos (a * p - b * q)).
Proof.
move=> b0 p p' q q' q'' _ _ _ _ le; apply: le_trans (posD _ _); apply: le2_pos.
by rewrite mulrDr addrACA -opprD -[b * q + _]mulrDr ler_add2l ler_opp2 ler_wpmul2l.
Qed.

Lemma convex_scaled F a b : 0 <= a -> 0 <= b -> convex F -> convex (fun p q => F (a * p) (b * q)).
Proof.
move=> a0 b0 C p p' q q' q'' p0 p'0 q0 q'0 le; rewrite mulrDr.
by apply: C; rewrite ?mulr_ge0 // -mulrDr ler_wpmul2l.
Qed.

Variables K K' : eqType.
Implicit Types (l : seq (R * R * K)).

(** The atoms of l, split. *)
Definition scattered l (l' : seq (R * R * K')) := forall F, convex F ->
  \sum_(x <- l) F x.1.1 x.1.2 <= \sum_(x <- l') F x.1.1 x.1.2.

(** Part lambda of an atom goes to a key with the ratio z = q/p, the rest to one with z'. *)
Theorem split_dominates (x : R * R * K) (s s' : K') lambda z z' :
  0 <= x.1.1 -> 0 <= lambda <= 1 -> 0 <= z -> 0 <= z' ->
  x.1.1 * (lambda * z + (1 - lambda) * z') <= x.1.2 ->
  scattered [:: x] [:: (lambda * x.1.1, lambda * x.1.1 * z, s);
                    ((1 - lambda) * x.1.1, (1 - lambda) * x.1.1 * z', s')].
Proof.
move=> p0 /andP[l0 l1] z0 z'0 mean F C; rewrite !big_cons !big_nil !addr0 /=.
have l1' : 0 <= 1 - lambda by rewrite subr_ge0.
have {1}-> : x.1.1 = lambda * x.1.1 + (1 - lambda) * x.1.1.
  by rewrite -mulrDl addrC subrK mul1r.
apply: C; rewrite ?mulr_ge0 //; apply: le_trans mean.
by rewrite mulrDr ![x.1.1 * (_ * _)]mulrCA !mulrA.
Qed.

Lemma scattered_cat l1 l2 (l1' l2' : seq (R * R * K')) : scattered l1 l1' -> scattered l2 l2' -> scattered (l1 ++ l2) (l1' ++ l2').
Proof. by move=> s1 s2 F C; rewrite !big_cat ler_add ?s1 ?s2. Qed.

Variables (op : K -> K -> K) (e : K) (op' : K' -> K' -> K') (e' : K').

Lemma total_scattered ls ls' F : nonnegative ls -> nonnegative ls' -> List.Forall2 scattered ls ls' ->
  convex F -> total op e ls (fun p q _ => F p q) <= total op' e' ls' (fun p q _ => F p q).
Proof.
move=> LS LS' D; elim: D F LS LS' => {ls ls'} [|l l' ls ls' d _ IH] F //=.
case/andP=> /allP L /= LS /andP[_ LS'] C.
apply: (@le_trans _ _ (\sum_(x <- l) total op' e' ls' (fun p q _ => F (x.1.1 * p) (x.1.2 * q)))).
  rewrite !big_seq; apply: ler_sum => x /L/andP[p0 q0].
  exact: (IH (fun p q => F (x.1.1 * p) (x.1.2 * q)) LS LS' (convex_scaled p0 q0 C)).
rewrite !total_sum; apply: ler_total => // p q _ p0 q0.
apply: (d (fun p' q' => F (p' * p) (q' * q))) => p' p'' q1 q2 q3 h1 h2 h3 h4 le.
by rewrite mulrDl; apply: C; rewrite ?mulr_ge0 // -mulrDl ler_wpmul2r.
Qed.
End Split.

Section Test.
Variables (R : realFieldType) (K : zmodType).
Implicit Types (ls : seq (seq (R * R * K))) (y S : R).
Notation total := (@total R K +%R 0).
Notation weight := (@weight R K +%R 0).
Notation weight_q := (@weight_q R K +%R 0).

(** Any event, a list r of keys, is a test of the two hypotheses. *)
Lemma event_bound ls (r : seq K) y : nonnegative ls -> uniq r ->
  \sum_(s <- r) (weight ls s - y * weight_q ls s) <= product_divergence +%R 0 ls y.
Proof.
move=> LS U; rewrite /product_divergence.
have -> : \sum_(s <- r) (weight ls s - y * weight_q ls s) =
    total ls (fun p q s => \sum_(s' <- r) (p - y * q) * (s == s')%:R).
  rewrite -total_sum; apply: eq_bigr => s _.
  rewrite -mulNr -totalZ -totalD; apply: eq_total => p q s'; ring.
apply: ler_total => // p q s _ _; rewrite -mulr_sumr.
have := sum_indicator (fun=> 1 : R) s U; under eq_bigr do rewrite mulr1.
by move=> ->; case: (s \in r); rewrite ?mulr1 ?mulr0 ?le_pos ?pos_ge0.
Qed.

(** The opposite answers: hypotheses exchanged, score negated. *)
Definition opposite (l : seq (R * R * K)) := [seq (x.1.2, x.1.1, - x.2) | x <- l].

Lemma total_opposite ls g :
  total [seq opposite l | l <- ls] g = total ls (fun p q s => g q p (- s)).
Proof.
elim: ls g => [|l ls IH] g /=; first by rewrite oppr0.
rewrite big_map; apply: eq_bigr => x _ /=; rewrite IH.
by apply: eq_total => p q s; rewrite opprD.
Qed.

Lemma total_perm_each ls ls' g : List.Forall2 (fun l l' => perm_eq l l') ls ls' ->
  total ls g = total ls' g.
Proof.
move=> H; elim: H g => {ls ls'} [|l l' ls ls' p _ IH] g //=.
by rewrite (perm_big _ p) /=; apply: eq_bigr => x _; apply: IH.
Qed.

Lemma weight_q_opposite ls s :
  List.Forall2 (fun l l' => perm_eq l l') [seq opposite l | l <- ls] ls ->
  weight_q ls s = weight ls (- s).
Proof.
move=> H; rewrite /weight -(total_perm_each _ H) total_opposite.
by apply: eq_total => p q s'; rewrite (inj_eq oppr_inj).
Qed.

(** The test bound in terms of one table T below the weights under the first hypothesis.  The
    table is 0 outside the keys r, which are closed under negation. *)
Theorem event_test ls (r : seq K) (T : K -> R) S y :
  nonnegative ls -> uniq r -> {in r, forall s, - s \in r} ->
  List.Forall2 (fun l l' => perm_eq l l') [seq opposite l | l <- ls] ls ->
  total ls (fun p _ _ => p) = 1 ->
  0 <= S -> 0 <= y -> {in r, forall s, T s <= S * weight ls s} ->
  \sum_(s <- r) pos (T s - y * T (- s)) - y * (S - \sum_(s <- r) T s)
  <= S * product_divergence +%R 0 ls y.
Proof.
move=> LS U rN opp total1 S0 y0 below.
pose B := [seq s <- r | 0 <= T s - y * T (- s)].
have UB : uniq B by rewrite filter_uniq.
apply: le_trans (ler_wpmul2l S0 (event_bound y LS UB)).
have -> : \sum_(s <- r) pos (T s - y * T (- s)) = \sum_(s <- B) (T s - y * T (- s)).
  rewrite big_filter (bigID (fun s => 0 <= T s - y * T (- s))) /=.
  rewrite [X in _ + X]big1 ?addr0 => [|s]; last by rewrite -ltNge => /ltW /pos_0.
  by apply: eq_bigr => s /pos_id.
have lost : S * (\sum_(s <- B) weight ls (- s)) - \sum_(s <- B) T (- s) <= S - \sum_(s <- r) T s.
  have mass : \sum_(s <- r) weight ls s <= 1.
    rewrite -total1.
    have -> : total ls (fun p _ _ => p) = total ls (fun p _ _ => p * 1).
      by apply: eq_total => *; rewrite mulr1.
    rewrite (@total_by_key R K +%R 0 ls r (fun=> 1) U).
    under [X in _ <= X + _]eq_bigr do rewrite mulr1.
    by rewrite ler_addl; apply: total_ge0 => // p *; rewrite mulr_ge0 ?ler0n // mulr1.
  rewrite mulr_sumr -sumrB.
  have -> : \sum_(s <- B) (S * weight ls (- s) - T (- s)) =
      \sum_(s <- [seq - s | s <- B]) (S * weight ls s - T s) by rewrite big_map.
  apply: (@le_trans _ _ (\sum_(s <- r) (S * weight ls s - T s))); last first.
    by rewrite sumrB -mulr_sumr ler_add2r ler_pimulr.
  have U' : uniq [seq - s | s <- B] by rewrite map_inj_uniq //; exact: oppr_inj.
  have sub : {subset [seq - s | s <- B] <= r}.
    by move=> s /mapP[s']; rewrite mem_filter => /andP[_ s'r] ->; exact: rN.
  rewrite [X in _ <= X](bigID (fun s => s \in [seq - s | s <- B])) /=.
  rewrite ler_paddr //.
    rewrite big_seq_cond; apply: sumr_ge0 => s /andP[sr _].
    by rewrite subr_ge0 below.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  rewrite -[RHS]big_filter; apply: perm_big; apply: uniq_perm => //; first by rewrite filter_uniq.
  by move=> s; rewrite mem_filter; case: (boolP (s \in _)) => // /sub ->.
apply: (@le_trans _ _ (\sum_(s <- B) (T s - y * T (- s)) -
    y * (S * (\sum_(s <- B) weight ls (- s)) - \sum_(s <- B) T (- s)))).
  by rewrite ler_add2l ler_opp2 ler_wpmul2l.
have -> : \sum_(s <- B) (T s - y * T (- s)) = \sum_(s <- B) T s - y * \sum_(s <- B) T (- s).
  by rewrite mulr_sumr sumrB.
have -> : \sum_(s <- B) (weight ls s - y * weight_q ls s) =
    \sum_(s <- B) weight ls s - y * \sum_(s <- B) weight ls (- s).
  by rewrite mulr_sumr -sumrB; apply: eq_bigr => s _; rewrite weight_q_opposite.
set w := \sum_(s <- B) weight ls (- s); set u := \sum_(s <- B) T (- s).
set t := \sum_(s <- B) T s.
have -> : t - y * u - y * (S * w - u) = t - S * (y * w) by ring.
rewrite mulrBr ler_add2r mulr_sumr /t big_seq [X in _ <= X]big_seq.
by apply: ler_sum => s; rewrite mem_filter => /andP[_ sr]; exact: below.
Qed.
End Test.
