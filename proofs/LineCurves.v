(** What half-lines tell of normal laws, each with a weight, of which those that count for one law lie further
    than those that count against it: no half-line is worth more than what two thresholds show, between which
    the weighted densities change their sign ([value_most]). *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Normal ProfileShape.
Import ListNotations.
Set Implicit Arguments.
Unset Strict Implicit.
Local Open Scope R_scope.

(** Normal laws by their weights and their means: what lies beyond c, and the densities there. *)
Fixpoint value (ts : list (R * R)) (c : R) : R :=
  match ts with nil => 0 | t :: ts' => fst t * Phi (snd t - c) + value ts' c end.
Fixpoint density (s : R) (ts : list (R * R)) (c : R) : R :=
  match ts with nil => 0 | t :: ts' => fst t * exp ((snd t - s) * c - snd t * snd t / 2) + density s ts' c end.

(** Weights above 0 from one threshold, those below from another. *)
Fixpoint between (ts : list (R * R)) (c1 c2 : R) : R :=
  match ts with
  | nil => 0
  | t :: ts' => fst t * Phi (snd t - (if Rle_dec 0 (fst t) then c1 else c2)) + between ts' c1 c2
  end.
Fixpoint crosses (s : R) (ts : list (R * R)) : Prop :=
  match ts with nil => True | t :: ts' => (0 < fst t -> s <= snd t) /\ (fst t < 0 -> snd t <= s) /\ crosses s ts' end.

Lemma is_derive_value s ts c :
  is_derive (value ts) c (- (exp (s * c - c * c / 2) / sqrt (2 * PI)) * density s ts c).
Proof.
induction ts as [|t ts IH]; cbn [value density].
  rewrite Rmult_0_r. apply (@is_derive_const R_AbsRing R_NormedModule).
rewrite Rmult_plus_distr_l. apply (@is_derive_plus R_AbsRing R_NormedModule (fun c => fst t * Phi (snd t - c))); [|exact IH].
assert (e : - (exp (s * c - c * c / 2) / sqrt (2 * PI)) * (fst t * exp ((snd t - s) * c - snd t * snd t / 2)) =
  fst t * (-1 * (bell (snd t - c) / sqrt (2 * PI)))).
{ assert (b : bell (snd t - c) = exp (s * c - c * c / 2) * exp ((snd t - s) * c - snd t * snd t / 2)).
    unfold bell. rewrite <- exp_plus. f_equal. field.
  rewrite b. unfold Rdiv. ring. }
rewrite e. apply is_derive_scal.
apply (is_derive_comp Phi (fun c => snd t - c)); [apply is_derive_Phi|]. auto_derive; [exact I|ring].
Qed.

Lemma density_rises s ts c c' : crosses s ts -> c <= c' -> density s ts c <= density s ts c'.
Proof.
intros h le. induction ts as [|t ts IH]; cbn [density]; [lra|]. destruct h as [p [n h]]. specialize (IH h).
set (d := snd t - s) in *. assert (m : forall a b, a <= b -> exp (a - snd t * snd t / 2) <= exp (b - snd t * snd t / 2)).
{ intros a b ab. destruct (Rle_lt_or_eq_dec _ _ ab) as [l|eq]; [|rewrite eq; lra]. apply Rlt_le, exp_increasing. lra. }
destruct (Rtotal_order (fst t) 0) as [l|[e|g]].
- specialize (n l). assert (d * c' <= d * c) by (unfold d in *; nra). specialize (m _ _ H). nra.
- rewrite e. lra.
- specialize (p g). assert (d * c <= d * c') by (unfold d in *; nra). specialize (m _ _ H). nra.
Qed.

Lemma value_between ts c1 c2 c : c1 <= c <= c2 -> value ts c <= between ts c1 c2.
Proof.
intros [l u]. induction ts as [|t ts IH]; cbn [value between]; [lra|]. destruct (Rle_dec 0 (fst t)) as [g|g].
- assert (Phi (snd t - c) <= Phi (snd t - c1)) by (apply Phi_le; lra). nra.
- assert (Phi (snd t - c2) <= Phi (snd t - c)) by (apply Phi_le; lra). nra.
Qed.

Theorem value_most s ts c1 c2 c : crosses s ts -> c1 <= c2 -> density s ts c1 <= 0 -> 0 <= density s ts c2 ->
  value ts c <= between ts c1 c2.
Proof.
intros cross le low high. pose (f' := fun c => - (exp (s * c - c * c / 2) / sqrt (2 * PI)) * density s ts c).
assert (scale : forall x, 0 < exp (s * x - x * x / 2) / sqrt (2 * PI)).
{ intros x. pose proof half_pos. unfold half in *. apply Rdiv_lt_0_compat; [apply exp_pos|lra]. }
assert (D : forall x, is_derive (value ts) x (f' x)) by (intros x; apply is_derive_value).
assert (C : forall x, continuity_pt (value ts) x).
{ intros x. apply continuity_pt_filterlim. apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply D. }
destruct (Rle_lt_dec c c1) as [h|h].
- destruct (MVT_gen (value ts) c c1 f') as [x [xb e]]; [intros; apply D|intros; apply C|].
  rewrite Rmin_left, Rmax_right in xb by lra. apply Rle_trans with (value ts c1); [|apply value_between; lra].
  assert (density s ts x <= 0) by (apply Rle_trans with (density s ts c1); [apply (density_rises cross); lra|exact low]).
  assert (0 <= f' x * (c1 - c)).
  { apply Rmult_le_pos; [|lra]. unfold f'. specialize (scale x). nra. }
  lra.
- destruct (Rle_lt_dec c2 c) as [g|g]; [|apply value_between; lra].
  destruct (MVT_gen (value ts) c2 c f') as [x [xb e]]; [intros; apply D|intros; apply C|].
  rewrite Rmin_left, Rmax_right in xb by lra. apply Rle_trans with (value ts c2); [|apply value_between; lra].
  assert (0 <= density s ts x) by (apply Rle_trans with (density s ts c2); [exact high|apply (density_rises cross); lra]).
  assert (0 <= - (f' x * (c - c2))).
  { rewrite <- Ropp_mult_distr_l_reverse. apply Rmult_le_pos; [|lra]. unfold f'. specialize (scale x). nra. }
  lra.
Qed.

(** The best half-line. *)
Definition best (f : R -> R) : R := real (Lub_Rbar (fun r => exists c, r = f c)).

Lemma best_below f K : (forall c, f c <= K) -> best f <= K.
Proof.
intros h. unfold best. destruct (Lub_Rbar_correct (fun r => exists c, r = f c)) as [ub least].
assert (le : Rbar_le (Lub_Rbar (fun r => exists c, r = f c)) K).
{ apply least. intros r [c ->]. apply h. }
specialize (ub (f 0) (ex_intro _ 0 eq_refl)).
destruct (Lub_Rbar _) as [r| |]; cbn in *; [exact le|contradiction|contradiction].
Qed.

Lemma best_above f K c : (forall c, f c <= K) -> f c <= best f.
Proof.
intros h. unfold best. destruct (Lub_Rbar_correct (fun r => exists c, r = f c)) as [ub least].
assert (le : Rbar_le (Lub_Rbar (fun r => exists c, r = f c)) K).
{ apply least. intros r [c' ->]. apply h. }
specialize (ub (f c) (ex_intro _ c eq_refl)).
destruct (Lub_Rbar _) as [r| |]; cbn in *; [exact ub|contradiction|contradiction].
Qed.

Lemma value_bounded ts : exists K, forall c, value ts c <= K.
Proof.
induction ts as [|t ts [K h]]; [exists 0; intros; cbn; lra|].
exists (Rabs (fst t) + K). intros c. cbn [value]. specialize (h c). pose proof (Phi_inside (snd t - c)).
assert (fst t * Phi (snd t - c) <= Rabs (fst t)); [|lra].
pose proof (Rle_abs (fst t)). pose proof (Rabs_pos (fst t)). nra.
Qed.

Lemma best_value ts c : value ts c <= best (value ts).
Proof. destruct (value_bounded ts) as [K h]. exact (best_above c h). Qed.

(** Weights that go with t: the constant part and the slope of each, and its mean. *)
Definition at_odds (ls : list (R * R * R)) (t : R) : list (R * R) :=
  map (fun l => (fst (fst l) + snd (fst l) * t, snd l)) ls.
Definition line_curve (ls : list (R * R * R)) (t : R) : R := best (value (at_odds ls t)).

(** Three laws: that of a record at b mu, that of its neighbour p mu before, and that of neither at 0. *)
Definition three_lines (q mu p b : R) : list (R * R * R) :=
  [(1, 0, b * mu); (- (1 - q), - q, (b - p) * mu); (1 - q, - (1 - q), 0)].
Definition three_curve (q mu p b : R) : R -> R := line_curve (three_lines q mu p b).

Lemma three_below q mu p b t c :
  Phi c - (1 + q * (t - 1)) * Phi (c - p * mu) - (1 - q) * (t - 1) * Phi (c - b * mu) <= three_curve q mu p b t.
Proof.
apply Rle_trans with (value (at_odds (three_lines q mu p b) t) (b * mu - c)); [|apply best_value].
cbn [value at_odds three_lines map fst snd].
replace (b * mu - (b * mu - c)) with c by ring.
replace ((b - p) * mu - (b * mu - c)) with (c - p * mu) by ring.
replace (0 - (b * mu - c)) with (c - b * mu) by ring.
apply Req_le. ring.
Qed.
