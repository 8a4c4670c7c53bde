(** A shift of discrete Laplace noise as a law of losses: (shift - 2j) decay, with the chances of
    NoiseLedgers.v.  What such noise dominates is an entry of RulesNoiseFourier.v ([noise_of_shift]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals NoiseLedgers NoiseOrder LossLaws RulesNoiseFourier.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shift.
Variables (decay : R) (s : nat) (d0 : 0 < decay) (s0 : (0 < s)%N).
Let lo (j : 'I_s.+1) : R := ((s%:R - j%:R *+ 2) * decay)%R.

Lemma shift_reversed j : @shifted_law decay s j * exp (- lo j) = @shifted_law decay s (rev_ord j).
Proof.
have sj : (j <= s)%N by rewrite -ltnS.
rewrite /shifted_law /= subSS.
have -> : (s - j == 0)%N || (s - j == s)%N = (j == 0 :> nat)%N || (j == s :> nat).
  rewrite orbC subn_eq0 eqn_leq leq_subr /= leq_subRL // -[X in (_ <= X)%N]add0n leq_add2r leqn0.
  by rewrite [(j == s :> nat)]eqn_leq sj.
rewrite -!mulrA; congr (_ * _); rewrite mulrCA [RHS]mulrC; congr (_ * _).
by rewrite !decay_powers -expD; congr exp; rewrite /lo natrB //; ring.
Qed.

Lemma shift_ge0 j : 0 <= @shifted_law decay s j.
Proof. by have [[h _] _] := discrete_laplace_lawful d0 s0. Qed.
Lemma shift_total : \sum_j @shifted_law decay s j = 1.
Proof. by have [[_ h] _] := discrete_laplace_lawful d0 s0. Qed.
Lemma shift_reversed_total : \sum_j @shifted_law decay s j * exp (- lo j) = 1.
Proof.
have [_ [_ h]] := discrete_laplace_lawful d0 s0; rewrite -[RHS]h.
by apply: eq_bigr => j _; exact: shift_reversed.
Qed.
Definition law_of_shift : loss_law := LossLaw shift_ge0 shift_total shift_reversed_total.

Theorem noise_of_shift (Y : finType) (P Q : Y -> R) :
  has_noise (OfShift decay s) P Q -> of_loss_entry (OfLosses law_of_shift) P Q.
Proof.
case=> dP dQ [h h']; have [P0 _] := dP; have [Q0 _] := dQ.
have same (y : R) : hockey_stick 1 y (@first_law _ (pair_of law_of_shift)) (@second_law _ (pair_of law_of_shift)) =
    hockey_stick 1 y (@shifted_law decay s) (@shifted_law decay s \o @rev_ord _).
  by apply: eq_bigr => j _; rewrite /= shift_reversed.
split=> //; split=> [z|y y0]; rewrite ?same //; by [exact: h|exact: h'].
Qed.
End Shift.
