(** Ledgers of mechanisms that are given by their noise (SPEC, 7.1 and 7.4): what a bound from above
    says of them, and how their Rényi divergences bound it.

    Each mechanism has a notion of Notions.v, Rényi divergences of several orders, a bounded range of
    its losses, the profile of Laplace noise, or the noise of discrete Laplace: then it is dominated by the pair of [shifted_law] and
    its reverse, whose losses are those of a (shift/scale)-DP mechanism ([shift_private]); of an answer
    with several shifts each number counts as a mechanism.  Or it is dominated by a table, a pair of
    laws that is written out, and has at most its divergences (DominatedMoments.v).  All of these are
    entries of RulesNoiseRenyi.v ([noise_ledger_by_entries]).  Or its record takes part by chance alone,
    with the probability q, apart from all others: then its profile is nowhere above [sampled_curve],
    which is that of a mechanism that draws first whether it takes part ([sampled_profile] in NoiseOrder.v).
    Of discrete Gaussian noise, too, the profile is known, a sum over all integers (DiscreteGaussian.v).
    Of shuffled batches, what a mechanism does is written out (ShuffledBatches.v). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian RulesNoiseRenyi DominatedMoments DiscreteGaussian ShuffledBatches.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** No event, at any odds, tells P and Q further apart than the laws S and T. *)
Definition nowhere_above (Y Z : finType) (P Q : Y -> R) (S T : Z -> R) : Prop :=
  forall y : R, 0 <= y -> hockey_stick 1 y P Q <= hockey_stick 1 y S T.

(** Discrete Laplace noise of scale 1/decay, seen through its losses (shift - 2j) decay, j = 0 to shift,
    where the answer with the record is the lesser by the shift. *)
Definition shifted_law (decay : R) (shift : nat) (j : 'I_shift.+1) : R :=
  let x := exp (- decay) in
  ((if (j == 0 :> nat)%N || (j == shift :> nat) then 1 else 1 - x) * x ^+ j / (1 + x))%R.

(** Laplace noise, a = sensitivity/scale: its profile at odds e^l. *)
Definition laplace_curve (a l : R) : R :=
  (if l < - a then 1 - exp l else if l <= a then 1 - exp ((l - a) / 2%:R) else 0)%R.
Definition under_laplace (a : R) (Y : finType) (P Q : Y -> R) : Prop :=
  forall l : R, hockey_stick 1 (exp l) P Q <= laplace_curve a l.

(** Of a table, the laws with the record and without it. *)
Definition law_with (t : seq (R * R)) (z : 'I_(size t)) : R := (tnth (in_tuple t) z).1.
Definition law_without (t : seq (R * R)) (z : 'I_(size t)) : R := (tnth (in_tuple t) z).2.

(** What a sample is taken for: a mechanism by its profile, at the odds y. *)
Inductive noise_curve :=
| NormalCurve of R           (* mu *)
| LaplaceCurve of R          (* sensitivity/scale *)
| RangeCurve of R
| ShiftCurve of R & nat      (* discrete Laplace noise, as below *)
| BellCurve of R & nat       (* discrete Gaussian noise: the variance, the shift *)
| ByCurves of (R -> R) & (R -> R).   (* any, and that with the laws exchanged *)

Definition range_curve (e l : R) : R :=
  (if l < - e then 1 - exp l else if l <= e then (1 - exp ((l - e) / 2%:R)) ^+ 2 / (1 - exp (- e)) else 0)%R.
Definition curve_at (c : noise_curve) (y : R) : R :=
  match c with
  | NormalCurve mu => G mu (ln y)
  | LaplaceCurve a => laplace_curve a (ln y)
  | RangeCurve e => range_curve e (ln y)
  | ShiftCurve decay shift => let law := @shifted_law decay shift in hockey_stick 1 y law (law \o @rev_ord _)
  | BellCurve v s => discrete_gaussian_curve v s y
  | ByCurves h _ => h y
  end.
Definition exchanged_curve (c : noise_curve) : noise_curve := if c is ByCurves h h' then ByCurves h' h else c.
Lemma exchanged_curveK c : exchanged_curve (exchanged_curve c) = c. Proof. by case: c. Qed.


(** A record that takes part with the probability q: the profile where it is there, against where it is
    not; the other direction follows ([other_direction] in NoiseOrder.v). *)
Definition sampled_curve (q : R) (c : noise_curve) (y : R) : R :=
  (if y <= 1 - q then 1 - y else q * curve_at c ((y - (1 - q)) / q)%R)%R.
Definition under_sampled (q : R) (c : noise_curve) (Y : finType) (P Q : Y -> R) : Prop :=
  forall y : R, 0 <= y -> hockey_stick 1 y P Q <= sampled_curve q c y.

Definition under_discrete_gaussian (v : R) (s : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  forall y : R, 0 <= y -> hockey_stick 1 y P Q <= discrete_gaussian_curve v s y.

(** Which of the laws has the record: the first, or the second; or each has another one. *)
Inductive sides := WithRecord | WithoutRecord | WithEither.

Definition other_side (s : sides) : sides :=
  match s with WithRecord => WithoutRecord | WithoutRecord => WithRecord | WithEither => WithEither end.

Definition turned_curve (s : sides) (c : noise_curve) : noise_curve := if s is WithEither then exchanged_curve c else c.

Inductive noise :=
| OfNotion of notion
| OfOrders of seq (R * R)    (* Rényi divergences: the orders with their bounds *)
| OfRange of R
| OfShift of R & nat         (* discrete Laplace noise: the inverse of its scale, the shift *)
| OfLaplace of R             (* sensitivity/scale *)
| OfTable of seq (R * R)     (* what a table dominates: the probabilities of each output *)
| OfSample of sides & R & noise_curve    (* the rate *)
| OfDiscreteGaussian of R & nat          (* the variance, the shift *)
| OfShuffled of sides & R & nat.         (* the variance of a batch's sum, the batches *)

(** What the record contributes in which the training sets differ: 0 where it is not there. *)
Definition contributes (s : sides) (with_it without_it : R) : Prop :=
  match s with WithRecord => without_it = 0 | WithoutRecord => with_it = 0 | WithEither => True end.

Definition has_noise (n : noise) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
  match n with
  | OfNotion m => satisfies G m P Q
  | OfOrders os => forall a r, (a, r) \in os -> has_moments a (exp ((a - 1) * r)) P Q
  | OfRange e => bounded_range e P Q
  | OfShift decay shift =>
      let law := @shifted_law decay shift in
      nowhere_above P Q law (law \o @rev_ord _) /\ nowhere_above Q P law (law \o @rev_ord _)
  | OfLaplace a => under_laplace a P Q /\ under_laplace a Q P
  | OfTable t =>
      nowhere_above P Q (@law_with t) (@law_without t) /\ nowhere_above Q P (@law_without t) (@law_with t)
  | OfSample WithRecord q c => under_sampled q c P Q
  | OfSample WithoutRecord q c => under_sampled q c Q P
  | OfSample WithEither q c => forall y : R, 1 <= y ->
      hockey_stick 1 y P Q <= sampled_curve q c y /\ hockey_stick 1 y Q P <= sampled_curve q (exchanged_curve c) y
  | OfDiscreteGaussian v s => under_discrete_gaussian v s P Q /\ under_discrete_gaussian v s Q P
  | OfShuffled s v batches => told_of_epoch (sqrt v) batches (contributes s) P Q
  end].

(** P is for the record's being there, throughout: tables tell one from the other.  Each mechanism may depend on the answers before, and they may come in any order. *)
Inductive noisy_composition : seq noise -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| NoisyNil : noisy_composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| NoisyCons n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    has_noise n P Q -> (forall y, noisy_composition ns (P' y) (Q' y)) ->
    noisy_composition (n :: ns) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
Definition noisy_upper (ns : seq noise) (epsilon delta : R) : Prop :=
  forall ns', Permutation ns ns' -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns' P Q -> indistinguishable (exp epsilon) delta P Q.

(** Some mechanisms with this noise, in some order, are not private. *)
Definition noisy_lower (ns : seq noise) (epsilon delta : R) : Prop :=
  exists ns', Permutation ns ns' /\ exists (Y : finType) (P Q : Y -> R),
  noisy_composition ns' P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Lemma decay_powers (decay : R) n : exp (- decay) ^+ n = exp (- (n%:R * decay)).
Proof.
elim: n => [|n IH]; first by rewrite expr0 mul0r oppr0 exp_0.
by rewrite exprS IH -expD -addn1 natrD mulrDl mul1r opprD addrC.
Qed.

Lemma shift_private (decay : R) shift : 0 <= decay ->
  hockey_stick 1 (exp (shift%:R * decay)) (@shifted_law decay shift)
    (@shifted_law decay shift \o @rev_ord _) = 0.
Proof.
move=> d0; rewrite /hockey_stick big1 // => j _; apply: pos_0; rewrite mul1r subr_le0 /= /shifted_law.
set x := exp (- decay); have x0 : 0 < x := exp_gt0 _.
have x1 : x <= 1 by rewrite -[1](exp_0) exp_le oppr_le0.
have sj : (j <= shift)%N by rewrite -ltnS.
have ends : ((rev_ord j == 0 :> nat)%N || (rev_ord j == shift :> nat)) =
            ((j == 0 :> nat)%N || (j == shift :> nat)).
  rewrite /= subSS orbC subn_eq0; congr (_ || _).
    by rewrite eqn_leq leq_subr /= leq_subRL // -[X in (_ <= X)%N]add0n leq_add2r leqn0.
  by rewrite eqn_leq sj.
rewrite ends; set c := (if _ then _ else _).
have c0 : 0 <= c by rewrite /c; case: ifP => _; rewrite ?ler01 // subr_ge0.
rewrite [X in _ <= X]mulrA ler_pmul2r ?invr_gt0 ?addr_gt0 ?ltr01 // [X in _ <= X]mulrCA; apply: ler_wpmul2l => //.
rewrite /x !decay_powers -expD exp_le /= subSS natrB // mulrBl opprB addrCA subrr addr0.
have p0 : 0 <= j%:R * decay by rewrite mulr_ge0 ?ler0n.
by apply: le_trans p0; rewrite oppr_le0 mulr_ge0 ?ler0n.
Qed.

Lemma laplace_private (a : R) : 0 <= a -> laplace_curve a a = 0.
Proof.
move=> a0; rewrite /laplace_curve ltNge (le_trans _ a0) ?oppr_le0 //= lexx.
by rewrite subrr mul0r exp_0 subrr.
Qed.

(** The greater of a table's divergences in both directions. *)
Definition table_moment (a : R) (t : seq (R * R)) : R := \sum_(x <- t) power_term a x.1 x.2.
Definition turned (t : seq (R * R)) : seq (R * R) := [seq (x.2, x.1) | x <- t].
Definition table_bound (a : R) (t : seq (R * R)) : R :=
  ln (Num.max (table_moment a t) (table_moment a (turned t))).

Definition law_proper (s : seq R) : bool := all (>= 0) s && (\sum_(x <- s) x == 1).
(** Two laws with the same possible outputs. *)
Definition table_proper (t : seq (R * R)) : bool :=
  [&& law_proper (unzip1 t), law_proper (unzip2 t) & all (fun x => (x.1 == 0) == (x.2 == 0)) t].

Lemma table_moment_gt0 a t : law_proper (unzip1 t) -> 0 < table_moment a t.
Proof.
case/andP=> t0 /eqP t1; rewrite lt_neqAle sumr_ge0 ?andbT => [|x _]; last exact: power_term_ge0.
apply/eqP => /esym m0; have := oner_neq0 [ringType of R]; rewrite -t1 big_map big1_seq ?eqxx // => x /andP[_ xt].
have /allP/(_ x.1 (map_f _ xt)) := t0; rewrite le_eqVlt => /predU1P[-> //|x0].
move: m0; rewrite /table_moment (big_rem x) //= => /eqP; rewrite paddr_eq0 ?power_term_ge0 //; last first.
  by apply: sumr_ge0 => y _; exact: power_term_ge0.
by case/andP; rewrite /power_term x0 gt_eqF // exp_gt0.
Qed.

Lemma turned_proper t : table_proper t -> law_proper (unzip1 (turned t)).
Proof. by case/and3P=> _ + _; rewrite /turned /unzip1 /unzip2 -map_comp. Qed.

Lemma law_distribution t (f : R * R -> R) : law_proper (map f t) ->
  distribution (fun z : 'I_(size t) => f (tnth (in_tuple t) z)).
Proof.
case/andP=> t0 /eqP t1; split=> [z|]; first by have /allP := t0; apply; rewrite map_f // mem_tnth.
by rewrite -[RHS]t1 big_map (big_tnth _ _ t).
Qed.

Lemma table_has_moment a t (Y : finType) (P Q : Y -> R) : 1 < a -> table_proper t ->
  distribution P -> distribution Q -> nowhere_above P Q (@law_with t) (@law_without t) ->
  nowhere_above Q P (@law_without t) (@law_with t) -> has_moments a (exp (table_bound a t)) P Q.
Proof.
move=> a1 ok dP dQ h1 h2; have /and3P[p q same] := ok.
have dS := law_distribution p; have dT := law_distribution q.
have s (z : 'I_(size t)) : law_with z = 0 <-> law_without z = 0.
  have /allP/(_ _ (mem_tnth z (in_tuple t)))/eqP e := same.
  by rewrite /law_with /law_without; split=> /eqP; [rewrite e|rewrite -e] => /eqP.
rewrite /has_moments /table_bound lnK; last by rewrite lt_maxr table_moment_gt0.
have := dominated_moment a1 dS dT s dP dQ h1 h2.
have := dominated_moment a1 dT dS (fun z => iff_sym (s z)) dQ dP h2 h1.
rewrite /law_with /law_without -(big_tnth _ _ t xpredT (fun x => power_term a x.2 x.1)).
rewrite -(big_tnth _ _ t xpredT (fun x => power_term a x.1 x.2)) => -[s1 m1] [s2 m2].
split; split=> //; [apply: le_trans m2 _|apply: le_trans m1 _]; rewrite le_maxr.
  by rewrite /table_moment lexx.
by rewrite /table_moment /turned big_map lexx orbT.
Qed.

(** As entries of a sum of Rényi divergences. *)
Definition noise_proper (n : noise) : bool :=
  match n with
  | OfNotion _ | OfOrders _ => true
  | OfRange e => 0 <= e
  | OfShift decay _ => 0 <= decay
  | OfLaplace a => 0 <= a
  | OfTable t => table_proper t
  | OfSample _ _ _ | OfDiscreteGaussian _ _ | OfShuffled _ _ _ => false   (* their divergences are not known here *)
  end.
Definition entry_of (a : R) (n : noise) : noise_entry :=
  match n with
  | OfNotion m => Stated m
  | OfOrders os => Ordered os
  | OfRange e => Stated (Concentrated (e ^+ 2 / 8%:R))
  | OfShift decay shift => Stated (Approximate (shift%:R * decay) 0)
  | OfLaplace a => Stated (Approximate a 0)
  | OfTable t => Known (table_bound a t)
  | OfSample _ _ _ | OfDiscreteGaussian _ _ | OfShuffled _ _ _ => Known 0
  end.

Lemma has_noise_entry a n (Y : finType) (P Q : Y -> R) : 1 < a -> noise_proper n -> has_noise n P Q ->
  of_entry a (entry_of a n) P Q.
Proof.
case: n => [m|os|e|decay shift|b|t|//|//|//] /= a1 w [dP dQ h]; split=> //.
- exact: bounded_range_concentrated.
- have [h1 h2] := h; have E0 := ltW (exp_gt0 (shift%:R * decay)).
  split=> //; split; apply/events_hockey_stick.
    by apply: le_trans (h1 _ E0) _; rewrite shift_private.
  by apply: le_trans (h2 _ E0) _; rewrite shift_private.
- have [h1 h2] := h; have b0 := laplace_private w.
  by split=> //; split; apply/events_hockey_stick; rewrite -b0.
by case: h; exact: table_has_moment.
Qed.

Lemma noisy_entries a ns (Y : finType) (P Q : Y -> R) : 1 < a -> all noise_proper ns ->
  noisy_composition ns P Q -> noise_composition a (map (entry_of a) ns) P Q.
Proof.
move=> a1 W C; elim: C W => [_|n {}ns {}Y Z {}P {}Q P' Q' h _ IH /andP[w W]]; first exact: NoiseNil.
apply: NoiseCons => [|y]; first exact: has_noise_entry.
exact: IH.
Qed.

Theorem noise_ledger_by_entries (a : R) ns epsilon delta : 1 < a -> all noise_proper ns ->
  noise_upper a (map (entry_of a) ns) epsilon delta -> noisy_upper ns epsilon delta.
Proof.
move=> a1 W up ns' p Y P Q C; apply: (up (map (entry_of a) ns')); first exact: Permutation_map.
by apply: noisy_entries C => //; rewrite -(all_permutation _ p).
Qed.
