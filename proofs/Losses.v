(** Privacy loss distributions, and tables of integers below them.

    An atom (p, q, s) is an outcome with probability p under the first hypothesis and q under the
    second; s is what a rule tells outcomes apart by (a sum on a grid, a lattice vector, a score).
    A list of atoms is one mechanism, or several; [total] sums over all choices of one atom from
    each list.  Randomized responses are such lists ([divergence_total]).

    [table_upper] and [table_lower] are what `grid`, `lattice` and `mesh-upper` rest on: any
    table T(s) <= S W(s) below the true weights W gives a bound, whatever order of products or
    rounding it comes from, if the lost weight S - sum T(s) is added to an upper bound. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition OptComp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Atoms.
Variables (R : realFieldType) (K : eqType) (op : K -> K -> K) (e : K).
Implicit Types (l : seq (R * R * K)) (ls : seq (seq (R * R * K))) (g : R -> R -> K -> R).
Implicit Types (x : R * R * K) (p q a b y : R) (s : K).

Fixpoint total ls g : R :=
  if ls is l :: ls' then
    \sum_(x <- l) total ls' (fun p q s => g (x.1.1 * p) (x.1.2 * q) (op x.2 s))
  else g 1 1 e.

Definition nonnegative ls := all (all (fun x : R * R * K => (0 <= x.1.1) && (0 <= x.1.2))) ls.

Lemma eq_total ls g g' : (forall p q s, g p q s = g' p q s) -> total ls g = total ls g'.
Proof.
by elim: ls g g' => [|l ls IH] g g' h /=; rewrite ?h //; apply: eq_bigr => x _; apply: IH.
Qed.

Lemma eq_total_ge0 ls g g' : nonnegative ls ->
  (forall p q s, 0 <= p -> 0 <= q -> g p q s = g' p q s) -> total ls g = total ls g'.
Proof.
elim: ls g g' => [|l ls IH] g g' /= + h; first by rewrite h ?ler01.
case/andP=> /allP L0 LS; rewrite !big_seq; apply: eq_bigr => x /L0/andP[p0 q0].
by apply: IH => // p q s ? ?; rewrite h ?mulr_ge0.
Qed.

Lemma ler_total ls g g' : nonnegative ls ->
  (forall p q s, 0 <= p -> 0 <= q -> g p q s <= g' p q s) -> total ls g <= total ls g'.
Proof.
elim: ls g g' => [|l ls IH] g g' /= + h; first by rewrite h ?ler01.
case/andP=> /allP L0 LS; rewrite !big_seq; apply: ler_sum => x /L0/andP[p0 q0].
by apply: IH => // p q s ? ?; rewrite h ?mulr_ge0.
Qed.

Lemma total_ge0 ls g : nonnegative ls ->
  (forall p q s, 0 <= p -> 0 <= q -> 0 <= g p q s) -> 0 <= total ls g.
Proof.
elim: ls g => [|l ls IH] g /= + h; first by rewrite h ?ler01.
case/andP=> /allP L0 LS; rewrite big_seq; apply: sumr_ge0 => x /L0/andP[p0 q0].
by apply: IH => // p q s ? ?; rewrite h ?mulr_ge0.
Qed.

Lemma total_sum (J : Type) (r : seq J) ls (g : J -> R -> R -> K -> R) :
  \sum_(j <- r) total ls (g j) = total ls (fun p q s => \sum_(j <- r) g j p q s).
Proof.
elim: ls g => [|l ls IH] g //=; rewrite exchange_big /=.
by apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma totalD ls g g' : total ls (fun p q s => g p q s + g' p q s) = total ls g + total ls g'.
Proof.
by elim: ls g g' => [|l ls IH] g g' //=; rewrite -big_split /=; apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma totalZ c ls g : total ls (fun p q s => c * g p q s) = c * total ls g.
Proof.
by elim: ls g => [|l ls IH] g //=; rewrite mulr_sumr; apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma total_p ls : total ls (fun p _ _ => p) = \prod_(l <- ls) \sum_(x <- l) x.1.1.
Proof.
elim: ls => [|l ls IH] /=; first by rewrite big_nil.
by rewrite big_cons -IH mulr_suml; apply: eq_bigr => x _; rewrite totalZ.
Qed.

(** The weight of a key under the first and under the second hypothesis. *)
Definition weight ls s := total ls (fun p _ s' => p * (s' == s)%:R).
Definition weight_q ls s := total ls (fun _ q s' => q * (s' == s)%:R).

(** The hockey-stick divergence of the product of the lists. *)
Definition product_divergence ls y := total ls (fun p q _ => pos (p - y * q)).

Lemma sum_indicator (r : seq K) (F : K -> R) s : uniq r ->
  \sum_(s' <- r) (s == s')%:R * F s' = (s \in r)%:R * F s.
Proof.
move=> U; case: (boolP (s \in r)) => [sr|/negP sr].
  rewrite (big_rem s) //= eqxx !mul1r big_seq big1 ?addr0 // => s'.
  by rewrite mem_rem_uniq // inE eq_sym => /andP[/negbTE -> _]; rewrite mul0r.
rewrite mul0r big_seq big1 // => s' s'r.
by case: eqP => [ss'|_]; [case: sr; rewrite ss'|rewrite mul0r].
Qed.

(** Outcomes collected by key, for the keys of the list r; the others apart. *)
Lemma total_by_key ls (r : seq K) (f : K -> R) : uniq r ->
  total ls (fun p _ s => p * f s) =
  \sum_(s <- r) weight ls s * f s + total ls (fun p _ s => (s \notin r)%:R * (p * f s)).
Proof.
move=> U; under eq_bigr do rewrite mulrC -totalZ.
rewrite total_sum -totalD; apply: eq_total => p _ s.
have -> : \sum_(s' <- r) f s' * (p * (s == s')%:R) = p * ((s \in r)%:R * f s).
  rewrite -(sum_indicator f s U) mulr_sumr; apply: eq_bigr => s' _; ring.
by case: (s \in r); rewrite /= ?mul1r ?mul0r ?mulr0 ?addr0 ?add0r.
Qed.

Section Tables.
Variables (ls : seq (seq (R * R * K))) (r : seq K) (f : K -> R) (T : K -> R) (S : R).
Hypotheses (LS : nonnegative ls) (U : uniq r) (f0 : forall s, 0 <= f s).
Hypothesis below : forall s, s \in r -> T s <= S * weight ls s.
Hypothesis S0 : 0 <= S.

Theorem table_lower : \sum_(s <- r) T s * f s <= S * total ls (fun p _ s => p * f s).
Proof.
rewrite (total_by_key ls f U) mulrDr ler_paddr ?mulr_ge0 //.
  by apply: total_ge0 => // p q s p0 _; rewrite mulr_ge0 ?ler0n // mulr_ge0.
rewrite mulr_sumr big_seq [X in _ <= X]big_seq; apply: ler_sum => s sr.
by rewrite mulrA ler_wpmul2r // below.
Qed.

Hypotheses (f1 : forall s, f s <= 1) (total1 : total ls (fun p _ _ => p) = 1).

Theorem table_upper :
  S * total ls (fun p _ s => p * f s) <=
  \sum_(s <- r) T s * f s + (S - \sum_(s <- r) T s).
Proof.
set g := fun s => 1 - f s.
have g0 s : 0 <= g s by rewrite subr_ge0.
have h : \sum_(s <- r) T s * g s <= S * total ls (fun p _ s => p * g s).
  rewrite (total_by_key ls g U) mulrDr ler_paddr ?mulr_ge0 //.
    by apply: total_ge0 => // p q s p0 _; rewrite mulr_ge0 ?ler0n // mulr_ge0.
  rewrite mulr_sumr big_seq [X in _ <= X]big_seq; apply: ler_sum => s sr.
  by rewrite mulrA ler_wpmul2r // below.
have e1 : total ls (fun p _ s => p * g s) = 1 - total ls (fun p _ s => p * f s).
  rewrite -total1 -[X in _ - X]mul1r -mulNr -totalZ -totalD.
  by apply: eq_total => p _ s; rewrite /g; ring.
have e2 : \sum_(s <- r) T s * g s = \sum_(s <- r) T s - \sum_(s <- r) T s * f s.
  by rewrite -sumrB; apply: eq_bigr => s _; rewrite /g; ring.
move: h; rewrite e1 e2 mulrBr mulr1 => h.
rewrite -subr_ge0; move: h; rewrite -subr_ge0 => h.
by apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Tables.

(** If q = p c z(s) for the atoms of each list, z multiplicative, the divergence is a mean of
    max(0, 1 - y C z(s)): equation (1) of certs/SPEC.md. *)
Lemma product_divergence_mean (z : K -> R) ls (cs : seq R) y :
  z e = 1 -> (forall s s', z (op s s') = z s * z s') -> nonnegative ls ->
  all2 (fun c l => all (fun x : R * R * K => x.1.2 == x.1.1 * (c * z x.2)) l) cs ls ->
  product_divergence ls y =
  total ls (fun p _ s => p * pos (1 - y * ((\prod_(c <- cs) c) * z s))).
Proof.
move=> z1 zM LS H; rewrite /product_divergence.
have rearranged (u v w p c C : R) : u * (c * v) * (p * (C * w)) = u * p * (c * C * (v * w)).
  by ring.
suff h : forall (F : R -> R -> R), total ls (fun p q _ => F p q) =
    total ls (fun p _ s => F p (p * ((\prod_(c <- cs) c) * z s))).
  rewrite (h (fun p q => pos (p - y * q))); apply: eq_total_ge0 => // p q s p0 _.
  by rewrite -posM //; congr pos; ring.
elim: ls cs H {LS} => [|l ls IH] [|c cs] //=.
  by move=> _ F; rewrite big_nil z1 !mul1r.
case/andP=> /allP L /IH{}IH F; rewrite big_cons; apply: eq_big_seq => x /L/eqP ->.
rewrite (IH (fun p q => F (x.1.1 * p) (x.1.1 * (c * z x.2) * q))).
by apply: eq_total => p _ s; rewrite zM; congr F; exact: rearranged.
Qed.
End Atoms.

(** One list replaced by a dominating one. *)
(** Randomized response with odds E: truthful, untruthful; s is 0 or a. *)
Section RandomizedResponses.
Variables (R : realFieldType) (K : eqType) (op : K -> K -> K) (e : K).

Definition rr_atoms (E : R) (s s' : K) := [:: (E / (1 + E), 1 / (1 + E), s); (1 / (1 + E), E / (1 + E), s')].

Lemma divergence_total (L : seq (R * (K * K))) y : all (fun m => 0 <= m.1) L ->
  divergence [seq m.1 | m <- L] y =
  product_divergence op e [seq rr_atoms m.1 m.2.1 m.2.2 | m <- L] y.
Proof.
move=> L0; rewrite /product_divergence /divergence.
suff h : forall a b, total op e [seq rr_atoms m.1 m.2.1 m.2.2 | m <- L]
      (fun p q _ => pos (a * p - b * q)) =
    (\prod_(E <- [seq m.1 | m <- L]) (1 + E))^-1 * subset_sum [seq m.1 | m <- L] a b.
  by rewrite -h; apply: eq_total => p q _; rewrite mul1r.
elim: L L0 => [|[E [s s']] L IH] /=; first by move=> _ a b; rewrite big_nil invr1 mul1r !mulr1.
case/andP=> E0 L0 a b; rewrite !big_cons big_nil addr0 /= invfM mulrDr.
have E1 : 0 < 1 + E by rewrite ltr_spaddl ?ltr01.
have c0 : 0 <= (1 + E)^-1 by rewrite invr_ge0 ltW.
have step u v : total op e [seq rr_atoms m.1 m.2.1 m.2.2 | m <- L]
    (fun p q _ => pos (a * (u / (1 + E) * p) - b * (v / (1 + E) * q))) =
    (1 + E)^-1 * ((\prod_(E <- [seq m.1 | m <- L]) (1 + E))^-1
      * subset_sum [seq m.1 | m <- L] (a * u) (b * v)).
  rewrite -IH // -totalZ; apply: eq_total => p q _.
  by rewrite -posM //; congr pos; ring.
by rewrite !step !mulr1 !mulrA.
Qed.

Lemma rr_atoms_sum E s s' : 0 <= E -> \sum_(x <- rr_atoms E s s') x.1.1 = 1.
Proof.
move=> E0; have E1 : 1 + E != 0 by rewrite gt_eqF // ltr_spaddl ?ltr01.
by rewrite !big_cons big_nil /=; field.
Qed.

Lemma rr_atoms_ge0 (L : seq (R * (K * K))) : all (fun m => 0 <= m.1) L ->
  nonnegative [seq rr_atoms m.1 m.2.1 m.2.2 | m <- L].
Proof.
move=> /allP L0; rewrite /nonnegative all_map; apply/allP => m /L0 E0 /=.
have E1 : 0 <= 1 + m.1 by rewrite addr_ge0 ?ler01.
by rewrite !divr_ge0 ?ler01.
Qed.

Lemma rr_atoms_total (L : seq (R * (K * K))) : all (fun m => 0 <= m.1) L ->
  total op e [seq rr_atoms m.1 m.2.1 m.2.2 | m <- L] (fun p _ _ => p) = 1.
Proof.
move=> /allP L0; rewrite total_p big_map big_seq big1 // => m /L0.
exact: rr_atoms_sum.
Qed.
End RandomizedResponses.
