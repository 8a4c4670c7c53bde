(** Discrete Gaussian noise within a window, with all that is beyond as one answer: laws with this noise
    ([bell_pair_noise]), whose divergence is as near to the profile as one likes ([bell_pair_near]), in either
    direction, so that the profile is its own reverse ([bell_curve_back]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals CellsOfNormal DiscreteGaussian NoiseLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pair.
Variables (v : R) (v0 : 0 < v) (s n : nat).
Let b := bell v.
Local Arguments b _%R.
Let c (x : R) : R := b (x - s%:R).
Local Arguments c _%R.
Let Z : R := everywhere b.
Let Z0 : 0 < Z. Proof. exact: bell_total_gt0. Qed.

Definition in_window (f : R -> R) (i : 'I_n.*2.+2) : R :=
  ((if (i < n.*2.+1)%N then f (i%:R - n%:R)%R else Z - within n f) / Z)%R.

Lemma sum_in_window (F : R -> R -> R) (f g : R -> R) : \sum_i F (in_window f i) (in_window g i) =
  within n (fun x => F (f x / Z)%R (g x / Z)%R) + F ((Z - within n f) / Z)%R ((Z - within n g) / Z)%R.
Proof.
rewrite big_ord_recr; congr (_ + _); last by rewrite /in_window /= ltnn.
by rewrite /within big_mkord; apply: eq_bigr => i _; rewrite /in_window /= ltn_ord.
Qed.

Lemma in_window_law (f : R -> R) : (forall x, 0 <= f x) -> within n f <= Z -> distribution (in_window f).
Proof.
move=> f0 le; split=> [i|].
  by rewrite /in_window divr_ge0 ?(ltW Z0) //; case: ifP => // _; rewrite subr_ge0.
by rewrite (sum_in_window (fun p _ => p) f f) /within -mulr_suml -mulrDl addrC subrK divff // gt_eqF.
Qed.

Lemma stick_in_window (f g : R -> R) (y : R) : hockey_stick 1 y (in_window f) (in_window g) =
  (within n (fun x => pos (f x - y * g x)) + pos ((Z - within n f) - y * (Z - within n g))) / Z.
Proof.
have scale (p r : R) : pos (1 * (p / Z) - y * (r / Z)) = pos (p - y * r) / Z.
  by rewrite mulrC [RHS]mulrC -posM ?invr_ge0 ?(ltW Z0) //; congr pos; ring.
rewrite /hockey_stick (sum_in_window (fun p r => pos (1 * p - y * r))) scale mulrDl; congr (_ + _).
by rewrite /within mulr_suml; apply: eq_bigr => i _; exact: scale.
Qed.

Let b0 x : 0 <= b x. Proof. exact: ltW (bell_gt0 _ _). Qed.
Let bZ : within n b <= Z. Proof. exact: bell_within. Qed.
Let cZ : within n c <= Z. Proof. exact: moved_within. Qed.

Lemma bell_pair_noise : has_noise (OfDiscreteGaussian v s) (in_window b) (in_window c).
Proof.
split; [exact: in_window_law b0 bZ|exact: in_window_law (fun x => b0 (x - s%:R)%R) cZ|].
split=> y y0; rewrite stick_in_window; [exact: curve_below|exact: curve_below_back].
Qed.

(** What is missing from a window is all that is missing. *)
Lemma bell_pair_near (tau y : R) : Z - tau * Z <= within n b -> 0 <= y ->
  discrete_gaussian_curve v s y <= hockey_stick 1 y (in_window b) (in_window c) + tau.
Proof.
move=> most y0; apply: le_trans (curve_above v0 s n y0) _; rewrite stick_in_window.
have part : within n (fun x => pos (b x - y * c x)) + within n (fun x => Num.min (b x) (y * c x)) = within n b.
  rewrite /within -big_split; apply: eq_bigr => i _ /=; set p := b _; set r := y * _.
  by case: leP => [pr|/ltW rp]; [rewrite pos_0 ?add0r // subr_le0|rewrite pos_id ?subrK // subr_ge0].
rewrite -(ler_pmul2r Z0) mulrBl mul1r divfK ?gt_eqF // mulrDl divfK ?gt_eqF //.
have -> : within n (fun x => Num.min (b x) (y * b (x - s%:R))) = within n b - within n (fun x => pos (b x - y * c x)).
  by rewrite -part addrC addKr.
rewrite opprB addrC -addrA [X in _ <= X]addrAC -addrA ler_add2l ler_paddr ?pos_ge0 //.
by rewrite addrC ler_subl_addr addrC -ler_subl_addr.
Qed.
End Pair.

Lemma window_with_most (v tau : R) : 0 < v -> 0 < tau ->
  exists n, everywhere (bell v) - tau * everywhere (bell v) <= within n (bell v).
Proof.
move=> v0 t0; have [n lt] := everywhere_near (bell_bounded v0 0) (mulr_gt0 t0 (bell_total_gt0 v0)).
by exists n; exact: ltW.
Qed.

(** The profile of the other direction is no other. *)
Lemma bell_curve_back (v : R) s (y : R) : 0 < v -> 0 < y ->
  1 - y + y * discrete_gaussian_curve v s y^-1 <= discrete_gaussian_curve v s y.
Proof.
move=> v0 y0; apply: (@le_of_every _ _ y); first exact: ltW.
move=> tau t0; have [n most] := window_with_most v0 t0; have [dS dT [_ back]] := bell_pair_noise v0 s n.
have i0 : 0 <= y^-1 by rewrite invr_ge0 ltW.
have near := ler_wpmul2l (ltW y0) (bell_pair_near v0 s most i0); rewrite mulrDr [y * tau]mulrC in near.
apply: le_trans (ler_add (lexx (1 - y)) near) _; rewrite addrA ler_add2r; apply: le_trans (back y (ltW y0)).
rewrite (hockey_stick_swap 1 y dT dS) ler_add2l -hockey_stickM ?(ltW y0) // mulr1 mulfV ?gt_eqF //.
Qed.
