(** Logarithms at any precision, term by term.

    [ln_bounds] of Logarithms.v sums its series exactly, which is best for quotients of small
    integers.  [ln_quotient_bounds] rounds each term to a multiple of 2^-w; at many bits it takes an
    exponential instead of most terms. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Exponentials.
Local Open Scope R_scope.

Section Series.
Variables w square_low square_high : Z.
Variable z : R.
Let W := IZR (2 ^ w).
Hypotheses (w0 : (0 <= w)%Z) (z0 : 0 <= z) (z1 : z * z <= / 2) (s0 : (0 <= square_low)%Z).
Hypothesis square : IZR square_low <= z * z * W <= IZR square_high.
Let W0 : 0 < W. Proof. exact (power2_gt0 w w0). Qed.

(** z^(2n+1) from below and above, and the sums of the terms before: 2 artanh z. *)
Fixpoint artanh_from (fuel : nat) (odd power_low power_high sum_low sum_high : Z) : Z * Z :=
  let result := ((2 * sum_low)%Z, (2 * (sum_high + 2 * power_high))%Z) in
  match fuel with
  | O => result
  | S fuel' =>
      if Z.leb power_high 1 then result else
      artanh_from fuel' (odd + 2)
        (shift_down (power_low * square_low) w) (shift_up (power_high * square_high) w)
        (sum_low + floor_div power_low odd) (sum_high + ceil_div power_high odd)
  end.

Lemma rem_le n : rem n z <= 2 * z ^ (2 * n + 1).
Proof.
unfold rem. assert (1 <= INR (2 * n + 1)) by (apply (le_INR 1); lia).
assert (P : 0 <= z ^ (2 * n + 1)) by (apply pow_le, z0).
replace (2 * z ^ (2 * n + 1)) with (z ^ (2 * n + 1) * 1 * 2) by ring. unfold Rdiv.
assert (I1 : / INR (2 * n + 1) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
assert (I0 : 0 < / INR (2 * n + 1)) by (apply Rinv_0_lt_compat; lra).
assert (J : / (1 - z ^ 2) <= 2).
{ rewrite <- (Rinv_inv 2). apply Rinv_le_contravar; simpl; lra. }
assert (J0 : 0 < / (1 - z ^ 2)) by (apply Rinv_0_lt_compat; simpl; lra).
apply Rmult_le_compat; [nra|lra| |exact J]. apply Rmult_le_compat; lra.
Qed.

Lemma artanh_from_enclosed fuel n pl ph sl sh : (0 <= pl)%Z ->
  IZR pl <= z ^ (2 * n + 1) * W <= IZR ph -> IZR sl <= T n z * W <= IZR sh ->
  let e := artanh_from fuel (2 * Z.of_nat n + 1) pl ph sl sh in
  IZR (fst e) <= (ln (1 + z) - ln (1 - z)) * W <= IZR (snd e).
Proof.
revert n pl ph sl sh; induction fuel as [|fuel IH]; intros n pl ph sl sh p0 P S.
all: assert (R : IZR (2 * sl) <= (ln (1 + z) - ln (1 - z)) * W <= IZR (2 * (sh + 2 * ph))).
1,3: assert (z2 : 0 <= z < 1) by nra; pose proof (ln_lower n z z2); pose proof (ln_upper n z z2);
  pose proof (rem_le n); rewrite mult_IZR, mult_IZR, plus_IZR, mult_IZR; split; nra.
1: exact R.
cbn [artanh_from]. destruct (Z.leb ph 1); [exact R|]. clear R.
replace (2 * Z.of_nat n + 1 + 2)%Z with (2 * Z.of_nat (Datatypes.S n) + 1)%Z by lia.
apply IZR_le in p0 as p0'. apply IZR_le in s0 as s0'.
assert (e : z ^ (2 * Datatypes.S n + 1) * W * W = z ^ (2 * n + 1) * W * (z * z * W)).
{ replace (2 * Datatypes.S n + 1)%nat with (2 * n + 1 + 2)%nat by lia. rewrite pow_add. ring. }
apply IH.
- apply shift_down_ge0. lia.
- split; apply (Rmult_le_reg_r W _ _ W0); rewrite e.
  + eapply Rle_trans; [apply shift_down_le, w0|]. rewrite mult_IZR. apply Rmult_le_compat; lra.
  + eapply Rle_trans; [|apply shift_up_ge, w0]. rewrite mult_IZR. apply Rmult_le_compat; nra.
- assert (o : IZR (2 * Z.of_nat n + 1) = INR (2 * n + 1)).
  { rewrite INR_IZR_INZ. f_equal. lia. }
  pose proof (INR_odd n) as o0. assert (oz : (0 < 2 * Z.of_nat n + 1)%Z) by lia.
  pose proof (floor_div_le pl _ oz) as L. pose proof (ceil_div_ge ph _ oz) as H. rewrite o in L, H.
  cbn [T]. rewrite !plus_IZR.
  assert (i0 : 0 < / INR (2 * n + 1)) by (apply Rinv_0_lt_compat, o0). unfold Rdiv in *.
  assert (IZR pl * / INR (2 * n + 1) <= z ^ (2 * n + 1) * W * / INR (2 * n + 1)) by (apply Rmult_le_compat_r; lra).
  assert (z ^ (2 * n + 1) * W * / INR (2 * n + 1) <= IZR ph * / INR (2 * n + 1)) by (apply Rmult_le_compat_r; lra).
  split; lra.
Qed.
End Series.

(** 2^w ln(u/v) for v <= u <= 3 v. *)
Definition ln_near_1 (w u v : Z) : Z * Z :=
  let n := Z.shiftl (u - v) w in
  let low := floor_div n (u + v) in
  let high := ceil_div n (u + v) in
  artanh_from w (shift_down (low * low) w) (shift_up (high * high) w) (Z.to_nat w) 1 low high 0 0.

Lemma ln_near_1_enclosed w u v : (0 <= w)%Z -> (0 < v <= u)%Z -> (u <= 3 * v)%Z ->
  IZR (fst (ln_near_1 w u v)) <= ln (IZR u / IZR v) * IZR (2 ^ w) <= IZR (snd (ln_near_1 w u v)).
Proof.
intros w0 [v0 vu] u3. pose proof (power2_gt0 w w0) as W0.
apply IZR_lt in v0 as V. apply IZR_le in vu as U. apply IZR_le in u3 as U3. rewrite mult_IZR in U3.
pose (z := (IZR u - IZR v) / (IZR u + IZR v)).
assert (z0 : 0 <= z) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
assert (z1 : z <= / 2).
{ apply (Rmult_le_reg_r (IZR u + IZR v)); [lra|]. unfold z. field_simplify; lra. }
assert (uv0 : (0 < u + v)%Z) by lia.
assert (e : IZR (Z.shiftl (u - v) w) / IZR (u + v) = z * IZR (2 ^ w)).
{ rewrite Z.shiftl_mul_pow2, mult_IZR, minus_IZR, plus_IZR by exact w0. unfold z. field. lra. }
pose proof (floor_div_le (Z.shiftl (u - v) w) (u + v) uv0) as L.
pose proof (ceil_div_ge (Z.shiftl (u - v) w) (u + v) uv0) as H. rewrite e in L, H.
unfold ln_near_1. set (low := floor_div _ _) in *. set (high := ceil_div _ _) in *.
assert (low0 : (0 <= low)%Z).
{ apply Z.div_pos; [|exact uv0]. apply Z.shiftl_nonneg. lia. }
apply IZR_le in low0 as low0'.
replace (ln (IZR u / IZR v)) with (ln (1 + z) - ln (1 - z)).
2:{ rewrite <- ln_div by lra. f_equal. unfold z. field. lra. }
apply (artanh_from_enclosed w _ _ z w0 z0) with (n := O).
- nra.
- apply shift_down_ge0. lia.
- split; apply (Rmult_le_reg_r (IZR (2 ^ w)) _ _ W0);
    replace (z * z * IZR (2 ^ w) * IZR (2 ^ w)) with (z * IZR (2 ^ w) * (z * IZR (2 ^ w))) by ring.
  + eapply Rle_trans; [apply shift_down_le, w0|]. rewrite mult_IZR. apply Rmult_le_compat; lra.
  + eapply Rle_trans; [|apply shift_up_ge, w0]. rewrite mult_IZR. apply Rmult_le_compat; nra.
- exact low0.
- simpl (z ^ _). lra.
- simpl. lra.
Qed.

(** The same at many bits: ln(u/v) = t + ln(u/(v e^t)) with t = y/2^w, from a series at an eighth of
    the bits; what is left is so near 1 that its series has few terms. *)
Definition ln_refined (w u v : Z) : Z * Z :=
  let coarse := (w / 8)%Z in
  let y := Z.max 0 (Z.shiftl (fst (ln_near_1 coarse u v) - 1) (w - coarse)) in
  let h := (Z.sqrt w / 2 + 1)%Z in
  let fine := (w + 2 * h + 40)%Z in
  let a := Z.shiftl y (h + 40) in
  let (low, high) := exp_above_0 fine (Z.to_nat h) a in
  let n := Z.shiftl u fine in
  if andb (andb (Z.leb a (Z.shiftl 1 fine)) (Z.ltb 0 low))
      (andb (Z.leb (v * high) n) (Z.leb n (3 * (v * low)))) then
    ((y + fst (ln_near_1 w n (v * high)))%Z, (y + snd (ln_near_1 w n (v * low)))%Z)
  else ln_near_1 w u v.

Definition many_bits : Z := 1024.
Definition ln_near (w u v : Z) : Z * Z :=
  if Z.ltb w many_bits then ln_near_1 w u v else ln_refined w u v.

Lemma ln_refined_enclosed w u v : (0 <= w)%Z -> (0 < v <= u)%Z -> (u <= 3 * v)%Z ->
  IZR (fst (ln_refined w u v)) <= ln (IZR u / IZR v) * IZR (2 ^ w) <= IZR (snd (ln_refined w u v)).
Proof.
intros w0 [v0 vu] u3. pose proof (ln_near_1_enclosed w u v w0 (conj v0 vu) u3) as simple.
unfold ln_refined. set (y := Z.max 0 _). set (h := (Z.sqrt w / 2 + 1)%Z).
set (fine := (w + 2 * h + 40)%Z). set (a := Z.shiftl y (h + 40)).
assert (h0 : (0 <= h)%Z).
{ unfold h. pose proof (Z.sqrt_nonneg w). pose proof (Z.div_pos (Z.sqrt w) 2). lia. }
assert (fine0 : (0 <= fine)%Z) by (unfold fine; lia).
assert (y0 : (0 <= y)%Z) by (unfold y; lia).
pose proof (exp_above_0_enclosed fine (Z.to_nat h) a fine0) as E.
destruct (exp_above_0 fine (Z.to_nat h) a) as [low high]. cbn [fst snd] in E.
destruct (Z.leb_spec a (Z.shiftl 1 fine)) as [a1|_]; [|exact simple].
destruct (Z.ltb_spec 0 low) as [l0|_]; [|exact simple].
destruct (Z.leb_spec (v * high) (Z.shiftl u fine)) as [vh|_]; [|exact simple].
destruct (Z.leb_spec (Z.shiftl u fine) (3 * (v * low))) as [vl|_]; [|exact simple].
cbn [andb fst snd]. rewrite Z.shiftl_1_l in a1.
assert (a0 : (0 <= a)%Z) by (apply Z.shiftl_nonneg; exact y0).
destruct (E (conj a0 a1)) as [_ [L H]]. clear E simple.
pose proof (power2_gt0 w w0) as W0. pose proof (power2_gt0 fine fine0) as F0.
set (t := IZR y / IZR (2 ^ w)).
replace (IZR a / IZR (2 ^ fine) * 2 ^ Z.to_nat h) with t in L, H.
2:{ unfold t, a, fine. rewrite Z.shiftl_mul_pow2 by lia.
  replace (w + 2 * h + 40)%Z with (w + (h + 40) + h)%Z by lia.
  rewrite (Z.pow_add_r 2 (w + (h + 40)) h), (Z.pow_add_r 2 w (h + 40)) by lia.
  rewrite !mult_IZR, (pow_IZR 2 (Z.to_nat h)), Z2Nat.id by exact h0.
  pose proof (power2_gt0 h h0). pose proof (power2_gt0 (h + 40) ltac:(lia)). field. lra. }
rewrite Z.shiftl_mul_pow2 in vh, vl |- * by exact fine0.
assert (p0 : (0 < 2 ^ fine)%Z) by (apply Z.pow_pos_nonneg; lia).
assert (lh : (low <= high)%Z) by (apply le_IZR; lra).
destruct (ln_near_1_enclosed w (u * 2 ^ fine) (v * high) w0 ltac:(nia) ltac:(nia)) as [below _].
destruct (ln_near_1_enclosed w (u * 2 ^ fine) (v * low) w0 ltac:(nia) ltac:(nia)) as [_ above].
rewrite !mult_IZR in below, above. rewrite !plus_IZR.
apply IZR_lt in v0 as V. apply IZR_lt in l0 as L0. apply IZR_le in lh as LH. apply IZR_le in vu as U.
pose proof (exp_pos t) as T0.
assert (split : ln (IZR u / IZR v) = t + ln (IZR u / (IZR v * exp t))).
{ rewrite <- (ln_exp t) at 1. rewrite <- ln_mult; [|exact T0|].
  - f_equal. field. lra.
  - apply Rdiv_lt_0_compat; nra. }
assert (yt : IZR y = t * IZR (2 ^ w)) by (unfold t; field; lra).
assert (F : forall q, 0 < q -> IZR u * IZR (2 ^ fine) / (IZR v * q) = IZR u / (IZR v * (q / IZR (2 ^ fine)))).
{ intros q q0. field. lra. }
rewrite F in below, above by lra. rewrite split, yt, Rmult_plus_distr_r.
assert (order : forall q r, 0 < q <= r -> ln (IZR u / (IZR v * r)) <= ln (IZR u / (IZR v * q))).
{ intros q r [q0 qr]. apply ln_le; [apply Rdiv_lt_0_compat; nra|].
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; nra. }
assert (low_t : 0 < IZR low / IZR (2 ^ fine) <= exp t).
{ split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (IZR (2 ^ fine))); [lra|]. field_simplify; lra. }
assert (t_high : 0 < exp t <= IZR high / IZR (2 ^ fine)).
{ split; [exact T0|]. apply (Rmult_le_reg_r (IZR (2 ^ fine))); [lra|]. field_simplify; lra. }
pose proof (order _ _ low_t). pose proof (order _ _ t_high). split; nra.
Qed.

Lemma ln_near_enclosed w u v : (0 <= w)%Z -> (0 < v <= u)%Z -> (u <= 3 * v)%Z ->
  IZR (fst (ln_near w u v)) <= ln (IZR u / IZR v) * IZR (2 ^ w) <= IZR (snd (ln_near w u v)).
Proof.
intros w0 vu u3. unfold ln_near. destruct (Z.ltb w many_bits);
  [exact (ln_near_1_enclosed w u v w0 vu u3)|exact (ln_refined_enclosed w u v w0 vu u3)].
Qed.

Lemma ln_power2 m : (0 <= m)%Z -> ln (IZR (2 ^ m)) = IZR m * ln (IZR 2 / IZR 1).
Proof.
intros m0. destruct (Z_of_nat_complete m m0) as [j ->]. replace (IZR 2 / IZR 1) with 2 by field.
rewrite <- pow_IZR, <- INR_IZR_INZ. apply ln_pow. lra.
Qed.

(** 2^w ln(u/v) for v <= u, if m is right: ln(u/v) = m ln 2 + ln(u/(2^m v)). *)
Definition ln_quotient_bounds (w u v : Z) : Z * Z :=
  let m := Z.log2 (u / v) in
  let (lo2, hi2) := if Z.eqb m 0 then (0, 0)%Z else ln_near w 2 1 in
  let (lo, hi) := ln_near w u (Z.shiftl v m) in
  ((m * lo2 + lo)%Z, (m * hi2 + hi)%Z).

Theorem ln_quotient_enclosed w u v : (0 <= w)%Z -> (0 < v <= u)%Z ->
  IZR (fst (ln_quotient_bounds w u v)) <= ln (IZR u / IZR v) * IZR (2 ^ w)
  <= IZR (snd (ln_quotient_bounds w u v)).
Proof.
intros w0 [v0 vu]. unfold ln_quotient_bounds. set (m := Z.log2 (u / v)).
assert (q1 : (1 <= u / v)%Z) by (apply Z.div_le_lower_bound; lia).
pose proof (Z.log2_nonneg (u / v)) as m0. fold m in m0.
destruct (Z.log2_spec (u / v) ltac:(lia)) as [ml mh]. fold m in ml, mh.
rewrite Z.pow_succ_r in mh by exact m0.
pose proof (Z.mul_div_le u v v0). pose proof (Z.mul_succ_div_gt u v v0).
assert (p0 : (0 < 2 ^ m)%Z) by (apply Z.pow_pos_nonneg; lia).
rewrite Z.shiftl_mul_pow2 by exact m0.
destruct (ln_near_enclosed w u (v * 2 ^ m) w0 ltac:(nia) ltac:(nia)) as [l h].
destruct (ln_near_enclosed w 2 1 w0 ltac:(lia) ltac:(lia)) as [l2 h2].
destruct (ln_near w u (v * 2 ^ m)) as [lo hi].
set (two := if Z.eqb m 0 then (0, 0)%Z else ln_near w 2 1).
assert (twice : IZR m * IZR (fst two) <= IZR m * (ln (IZR 2 / IZR 1) * IZR (2 ^ w)) <= IZR m * IZR (snd two)).
{ apply IZR_le in m0 as M0. unfold two. destruct (Z.eqb_spec m 0) as [->|_].
  - rewrite !Rmult_0_l. lra.
  - split; apply Rmult_le_compat_l; assumption. }
destruct two as [lo2 hi2]. cbn [fst snd] in *. clear l2 h2.
apply IZR_lt in v0 as V. apply IZR_le in vu as U. apply IZR_le in m0 as M. apply IZR_lt in p0 as P.
replace (ln (IZR u / IZR v)) with (IZR m * ln (IZR 2 / IZR 1) + ln (IZR u / IZR (v * 2 ^ m))).
2:{ rewrite <- ln_power2, <- ln_mult; [|exact P| |exact m0].
  - f_equal. rewrite mult_IZR. field. lra.
  - apply Rdiv_lt_0_compat; [lra|]. apply IZR_lt. nia. }
rewrite !plus_IZR, !(mult_IZR m), Rmult_plus_distr_r, Rmult_assoc.
lra.
Qed.
