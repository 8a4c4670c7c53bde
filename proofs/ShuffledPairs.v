(** The greatest sum of an epoch of shuffled batches, cut into cells, is what a mechanism that releases all
    sums may be seen to do (SPEC, 7.4 and 11.6). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals RulesNoiseRenyi NoiseLedgers NoiseTests Tangents.
From ExactDP Require Import ProfileShape ShuffledBatches.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Notation Phi := Normal.Phi.

(** That the greatest of so many normal sums is above c, if one of them has this mean, the others 0. *)
Definition maximum_tail (deviation : R) (batches : nat) (mean c : R) : R :=
  (1 - Phi ((c - mean) / deviation)%R * Phi (c / deviation)%R ^+ batches.-1)%R.

(** With the record it contributes 1, and elsewhere [own]; all others contribute -1. *)
Definition maximum_tails (deviation : R) (batches : nat) (own c : R) : R * R :=
  (maximum_tail deviation batches (1 + 1)%R c, maximum_tail deviation batches (own + 1)%R c).

(** Cells, from distribution functions. *)
Lemma cells_of_distributions n (f g : nat -> R) : f n.+1 = 1 -> g n.+1 = 1 ->
  cells (1 - f 0%N, 1 - g 0%N) (mkseq (fun j => (1 - f j.+1, 1 - g j.+1)) n) =
  mkseq (fun i => (f i.+1 - f i, g i.+1 - g i)) n.+1.
Proof.
have shift (h : nat -> R * R) m : mkseq h m.+1 = h 0%N :: mkseq (fun i => h i.+1) m.
  by rewrite /mkseq /= -[1%N]addn0 iotaDl -map_comp.
elim: n f g => [|n IH] f g f1 g1; first by rewrite /mkseq /= f1 g1.
rewrite !shift /= (IH (fun i => f i.+1) (fun i => g i.+1) f1 g1) shift.
by congr (_ :: _); congr (_, _); ring.
Qed.

Lemma Phi_inside_01 x : 0 <= Phi x <= 1.
Proof. by have [/RltP/ltW -> /RltP/ltW ->] := Phi_inside x. Qed.

Section Maximum.
Variables (deviation : R) (batches : nat) (cs : seq R).
Hypotheses (deviation0 : 0 < deviation) (batches0 : (0 < batches)%N) (rises : sorted <%R cs).
Let d (j : nat) : R := nth 0 cs j.
Let below := maximum_below deviation batches (size cs) d.

Lemma Phi_rises x y : x <= y -> Phi (x / deviation)%R <= Phi (y / deviation)%R.
Proof. by move=> xy; apply/RleP/Phi_le/RleP; rewrite ler_pmul2r // invr_gt0. Qed.

Lemma places_rise j k : (j < k < size cs)%N -> d j < d k.
Proof.
by case/andP=> jk kn; rewrite /d (lt_sorted_ltn_nth 0 rises) ?inE // (ltn_trans jk).
Qed.

Lemma below_rises own k : below own k <= below own k.+1.
Proof.
have P x := Phi_inside_01 x; have E m x : 0 <= Phi x ^+ m <= 1.
  by have /andP[p q] := P x; rewrite exprn_ge0 ?exprn_ile1.
have inside x y m : 0 <= Phi x * Phi y ^+ m <= 1.
  have /andP[p q] := P x; have /andP[p' q'] := E m y; rewrite mulr_ge0 //=.
  by apply: le_trans (ler_pmul p p' q q') _; rewrite mulr1.
case: k => [|j]; rewrite /below /=; first by case: ifP => _; [have [] := andP (inside ((d 0%N - (own + 1)) / deviation)%R (d 0%N / deviation)%R batches.-1)|exact: ler01].
case: (ltnP j.+1 (size cs)) => [lt|_]; last first.
  by case: ifP => _ //; have [] := andP (inside ((d j - (own + 1)) / deviation)%R (d j / deviation)%R batches.-1).
rewrite (ltnW lt); have /ltW le : d j < d j.+1 by apply: places_rise; rewrite ltnSn.
have /andP[p _] := P ((d j - (own + 1)) / deviation)%R; have /andP[p' _] := E batches.-1 (d j / deviation)%R.
apply: ler_pmul => //; first by apply: Phi_rises; rewrite ler_add2r.
have [p1 _] := andP (P (d j / deviation)%R); have [p2 _] := andP (P (d j.+1 / deviation)%R).
by apply: ler_expn2r; rewrite ?nnegrE //; exact: Phi_rises.
Qed.

Lemma maximum_cellsE own : let t := cells certain [seq maximum_tails deviation batches own c | c <- cs] in
  t = mkseq (fun i => (below 1 i.+1 - below 1 i, below own i.+1 - below own i)) (size cs).+1.
Proof.
have last_1 own' : below own' (size cs).+1 = 1 by rewrite /below /= ltnn.
rewrite /= -(cells_of_distributions (last_1 1) (last_1 own)) /below /= !subr0; congr cells.
rewrite -{1}(mkseq_nth 0 cs) /mkseq -map_comp; apply/eq_in_map => j; rewrite mem_iota add0n => /= ->.
by [].
Qed.

Lemma maximum_apart own :
  all (fun x => (0 <= x.1) && (0 <= x.2)) (cells certain [seq maximum_tails deviation batches own c | c <- cs]).
Proof. by rewrite maximum_cellsE; apply/allP => _ /mapP[i _ ->] /=; rewrite !subr_ge0 !below_rises. Qed.

(** For any number of records, in batches of any sizes. *)
Theorem maximum_told records (batch : 'I_records -> 'I_batches) (one : 'I_records) (allowed : R -> R -> Prop) own :
  allowed 1 own -> `|own| <= 1 -> let t := cells certain [seq maximum_tails deviation batches own c | c <- cs] in
  told_of_batches deviation batch allowed (@law_with t) (@law_without t).
Proof.
move=> ok own1 t.
have size_t : size t = (size cs).+1 by rewrite /t maximum_cellsE size_mkseq.
have norm1 : `|-1 : R| <= 1 by rewrite normrN1.
exists (contributions one 1), (contributions one own), one; split.
- by move=> i; rewrite /contributions; case: (i == one); rewrite ?normr1.
- by move=> i /negbTE ne; rewrite /contributions ne.
- by rewrite /contributions eqxx.
exists (size cs), (shifted_cut batch d), (fun o => cast_ord (esym size_t) (greatest o)).
have law own' (y : 'I_(size t)) :
    \sum_(o | cast_ord (esym size_t) (greatest o) == y)
      epoch_law deviation batch (shifted_cut batch d) (contributions one own') o = below own' y.+1 - below own' y.
  have -> : below own' y.+1 - below own' y =
      below own' (cast_ord size_t y).+1 - below own' (cast_ord size_t y) by [].
  rewrite -(law_of_greatest deviation batch d one own' (cast_ord size_t y)); apply: eq_bigl => o.
  by rewrite -(inj_eq (@cast_ord_inj _ _ size_t)) cast_ordKV.
have at_y (y : 'I_(size t)) : tnth (in_tuple t) y = (below 1 y.+1 - below 1 y, below own y.+1 - below own y).
  have lt : (y < (size cs).+1)%N by rewrite -size_t.
  by rewrite (tnth_nth (0, 0)) /=; move: (nat_of_ord y) lt => k lt; rewrite /t maximum_cellsE nth_mkseq.
split=> [b j k h|y|y]; first by rewrite ltr_add2r; exact: places_rise.
  by rewrite law /law_with at_y.
by rewrite law /law_without at_y.
Qed.

Lemma maximum_laws own : let t := cells certain [seq maximum_tails deviation batches own c | c <- cs] in
  distribution (@law_with t) /\ distribution (@law_without t).
Proof.
move=> t; have /allP g := maximum_apart own; have [s1 s2] := cells_total certain [seq maximum_tails deviation batches own c | c <- cs].
by split; split=> [z|]; rewrite ?(sum_of_table (fun p _ => p)) ?(sum_of_table (fun _ q => q)) ?s1 ?s2 //;
  have /andP[] := g _ (mem_tnth z (in_tuple t)).
Qed.
End Maximum.

(** What the record contributes, where it is not as it is. *)
Definition other_contribution (s : sides) : R := if s is WithEither then -1 else 0.

Theorem maximum_drawn (s : sides) (v : R) (batches : nat) (cs : seq R) : 0 < v -> (0 < batches)%N ->
  sorted <%R cs -> s <> WithoutRecord ->
  drawn (OfShuffled s v batches) (cells certain [seq maximum_tails (sqrt v) batches (other_contribution s) c | c <- cs]).
Proof.
move=> v0 b0 up record; have v0' : 0 < sqrt v by apply/RltP/sqrt_lt_R0/RltP.
have [dp dq] := maximum_laws batches v0' up (other_contribution s); split=> //.
exists batches, id; apply: (maximum_told (sqrt v) up id (Ordinal b0)) => //; first by case: s record {dp dq}.
by rewrite /other_contribution; case: s {record dp dq}; rewrite ?normr0 ?normrN1 ?ler01.
Qed.
