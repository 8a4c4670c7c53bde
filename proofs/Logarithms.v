(** Enclosures of logarithms by the series of artanh, in integers.

    ln((1 + z)/(1 - z)) = 2 artanh z = 2 (z + z^3/3 + z^5/5 + ...).  [ln_lower] and [ln_upper]
    bound it by any number of terms; [ln_lo] and [ln_hi] are integers with
    ln_lo <= 2^bits ln(u/v) <= ln_hi, with m ln 2 taken out first ([ln_enclosed]). *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(** The partial sums of artanh, and of its derivative. *)
Fixpoint T (n : nat) (z : R) : R :=
  match n with O => 0 | S m => T m z + z ^ (2 * m + 1) / INR (2 * m + 1) end.
Fixpoint dT (n : nat) (z : R) : R :=
  match n with O => 0 | S m => dT m z + z ^ (2 * m) end.

Lemma dT_closed n z : (1 - z ^ 2) * dT n z = 1 - z ^ (2 * n).
Proof.
induction n as [|n IH]; [simpl; ring|].
change (dT (S n) z) with (dT n z + z ^ (2 * n)).
rewrite Rmult_plus_distr_l, IH.
replace (2 * S n)%nat with (2 * n + 2)%nat by lia.
rewrite pow_add; ring.
Qed.

Lemma INR_odd n : 0 < INR (2 * n + 1).
Proof. apply lt_0_INR; lia. Qed.

Lemma is_derive_gen m c z : c <> 0 -> INR m = c ->
  is_derive (fun z => z ^ m / c) z (z ^ (Init.Nat.pred m)).
Proof.
intros H e. auto_derive; [exact I|]. rewrite e. field. exact H.
Qed.

Lemma is_derive_mono n z : is_derive (fun z => z ^ (2 * n + 1) / INR (2 * n + 1)) z (z ^ (2 * n)).
Proof.
replace (z ^ (2 * n)) with (z ^ (Init.Nat.pred (2 * n + 1))) by (f_equal; lia).
apply is_derive_gen; [pose proof (INR_odd n); lra|reflexivity].
Qed.

Lemma is_derive_rem m c z : c <> 0 -> INR m = c -> 0 < 1 - z ^ 2 ->
  is_derive (fun z => z ^ m / c / (1 - z ^ 2)) z
    (z ^ (Init.Nat.pred m) / (1 - z ^ 2) + z ^ m / c * (2 * z) / (1 - z ^ 2) ^ 2).
Proof.
intros H e D. auto_derive; [simpl in D; lra|]. rewrite e. field. simpl in D. split; lra.
Qed.

Lemma is_derive_T n z : is_derive (T n) z (dT n z).
Proof.
induction n as [|n IH]; simpl.
  apply @is_derive_const.
apply (@is_derive_plus R_AbsRing R_NormedModule (T n)); [exact IH|exact (is_derive_mono n z)].
Qed.

Lemma nondecr (f df : R -> R) (b : R) :
  0 <= b -> (forall x, 0 <= x <= b -> is_derive f x (df x)) ->
  (forall x, 0 <= x <= b -> 0 <= df x) -> f 0 <= f b.
Proof.
intros b0 D P.
destruct (MVT_gen f 0 b df) as [c [[c0 c1] e]].
- intros x [h1 h2]. rewrite Rmin_left in h1 by lra. rewrite Rmax_right in h2 by lra. apply D; lra.
- intros x [h1 h2]. rewrite Rmin_left in h1 by lra. rewrite Rmax_right in h2 by lra.
  apply derivable_continuous_pt. exists (df x). apply is_derive_Reals. apply D; lra.
- rewrite Rmin_left in c0 by lra. rewrite Rmax_right in c1 by lra.
  assert (0 <= df c) by (apply P; lra). nra.
Qed.

Lemma T0 n : T n 0 = 0.
Proof.
induction n as [|n IH]; simpl; [reflexivity|].
rewrite IH. replace (n + (n + 0) + 1)%nat with (S (2 * n)) by lia. simpl. unfold Rdiv. ring.
Qed.

Lemma even_pow_nonneg n x : 0 <= x ^ (2 * n).
Proof. rewrite pow_mult. apply pow_le. nra. Qed.

(** The partial sum is a lower bound: the difference has the derivative 2 x^(2n)/(1 - x^2). *)
Theorem ln_lower n z : 0 <= z < 1 -> 2 * T n z <= ln (1 + z) - ln (1 - z).
Proof.
intros [z0 z1].
pose (f := fun z => ln (1 + z) - ln (1 - z) - 2 * T n z).
assert (H : f 0 <= f z).
{ apply (nondecr f (fun x => / (1 + x) + / (1 - x) - 2 * dT n x)); [lra| |].
  - intros x hx.
    apply (@is_derive_minus R_AbsRing R_NormedModule (fun z => ln (1 + z) - ln (1 - z)) (fun z => 2 * T n z)).
    + auto_derive; [lra|field; lra].
    + apply (is_derive_scal (T n) x 2). apply is_derive_T.
  - intros x hx. pose proof (dT_closed n x) as C. pose proof (even_pow_nonneg n x) as E.
    assert (D : 0 < 1 - x ^ 2) by (simpl; nra).
    replace (dT n x) with ((1 - x ^ (2 * n)) / (1 - x ^ 2)) by (rewrite <- C; field; lra).
    replace (/ (1 + x) + / (1 - x)) with (2 / (1 - x ^ 2)) by (field; simpl; split; [nra|lra]).
    replace (2 / (1 - x ^ 2) - 2 * ((1 - x ^ (2 * n)) / (1 - x ^ 2)))
      with (2 * x ^ (2 * n) * / (1 - x ^ 2)) by (field; lra).
    apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat, D. }
unfold f in H. rewrite T0, Rplus_0_r, Rminus_0_r, ln_1 in H. lra.
Qed.

(** The rest of the series is at most this, a geometric series. *)
Definition rem n z := z ^ (2 * n + 1) / INR (2 * n + 1) / (1 - z ^ 2).

Theorem ln_upper n z : 0 <= z < 1 -> ln (1 + z) - ln (1 - z) <= 2 * (T n z + rem n z).
Proof.
intros [z0 z1].
pose (f := fun z => 2 * (T n z + rem n z) - (ln (1 + z) - ln (1 - z))).
assert (H : f 0 <= f z).
{ apply (nondecr f (fun x => 2 * (dT n x + (x ^ (2 * n) / (1 - x ^ 2)
     + x ^ (2 * n + 1) / INR (2 * n + 1) * (2 * x) / (1 - x ^ 2) ^ 2)) - (/ (1 + x) + / (1 - x)))); [lra| |].
  - intros x hx. assert (D : 0 < 1 - x ^ 2) by (simpl; nra). pose proof (INR_odd n).
    apply (@is_derive_minus R_AbsRing R_NormedModule (fun z => 2 * (T n z + rem n z)) (fun z => ln (1 + z) - ln (1 - z))).
    + apply (is_derive_scal (fun z => T n z + rem n z) x 2).
      apply (@is_derive_plus R_AbsRing R_NormedModule (T n)); [apply is_derive_T|].
      replace (2 * n)%nat with (Init.Nat.pred (2 * n + 1)) at 1 by lia.
      unfold rem. apply is_derive_rem; [lra|reflexivity|exact D].
    + auto_derive; [lra|field; lra].
  - intros x hx. pose proof (dT_closed n x) as C. pose proof (even_pow_nonneg n x) as E.
    assert (D : 0 < 1 - x ^ 2) by (simpl; nra). pose proof (INR_odd n).
    assert (E' : 0 <= x ^ (2 * n + 1)) by (apply pow_le; lra).
    replace (dT n x) with ((1 - x ^ (2 * n)) / (1 - x ^ 2)) by (rewrite <- C; field; lra).
    replace (/ (1 + x) + / (1 - x)) with (2 / (1 - x ^ 2)) by (field; simpl; split; [nra|lra]).
    set (K := x ^ (2 * n + 1) / INR (2 * n + 1) * (2 * x) / (1 - x ^ 2) ^ 2).
    assert (0 <= K).
    { unfold K, Rdiv. repeat apply Rmult_le_pos; try lra; apply Rlt_le, Rinv_0_lt_compat; [lra|].
      apply pow_lt, D. }
    replace (2 * ((1 - x ^ (2 * n)) / (1 - x ^ 2) + (x ^ (2 * n) / (1 - x ^ 2) + K)) - 2 / (1 - x ^ 2))
      with (2 * K) by (field; lra). lra. }
assert (F0 : f 0 = 0).
{ unfold f, rem. rewrite T0. replace (2 * n + 1)%nat with (S (2 * n)) by lia.
  rewrite Rplus_0_r, Rminus_0_r, ln_1. simpl (0 ^ _). unfold Rdiv. ring. }
unfold f in H at 2. rewrite F0 in H. lra.
Qed.


(** The same for a quotient: z = (u - v)/(u + v). *)
Corollary ln_quotient (u v : Z) n : (0 < v <= u)%Z ->
  let z := IZR (u - v) / IZR (u + v) in
  2 * T n z <= ln (IZR u / IZR v) <= 2 * (T n z + rem n z).
Proof.
intros [v0 vu] z.
assert (V : 0 < IZR v) by (apply IZR_lt; lia).
assert (U : IZR v <= IZR u) by (apply IZR_le; lia).
assert (Z1 : 0 <= z < 1).
{ unfold z. rewrite minus_IZR, plus_IZR. split.
  - apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat; lra.
  - apply (Rmult_lt_reg_r (IZR u + IZR v)); [lra|]. field_simplify; lra. }
replace (ln (IZR u / IZR v)) with (ln (1 + z) - ln (1 - z)).
  split; [apply ln_lower|apply ln_upper]; exact Z1.
rewrite <- ln_div by lra. f_equal. unfold z. rewrite minus_IZR, plus_IZR. field. split; lra.
Qed.

(** Horner's scheme for 1/(2k+1) + w/(2k+3) + ..., n terms, at w = a/b, as a fraction. *)
Fixpoint horner (n : nat) (k a b : Z) : Z * Z :=
  match n with
  | O => (0, 1)%Z
  | S m => let (x, y) := horner m (k + 1) a b in
           ((b * y + (2 * k + 1) * a * x)%Z, ((2 * k + 1) * b * y)%Z)
  end.

Fixpoint series (n : nat) (k w : R) : R :=
  match n with O => 0 | S m => / (2 * k + 1) + w * series m (k + 1) w end.

Lemma horner_series n k a b : (0 <= k)%Z -> (0 < b)%Z ->
  (0 < snd (horner n k a b))%Z /\
  IZR (fst (horner n k a b)) / IZR (snd (horner n k a b)) = series n (IZR k) (IZR a / IZR b).
Proof.
revert k; induction n as [|n IH]; intros k k0 b0; [simpl; split; [lia|field]|].
destruct (IH (k + 1)%Z ltac:(lia) b0) as [y0 e]. cbn [horner series].
destruct (horner n (k + 1) a b) as [x y]. cbn [fst snd] in *.
split; [nia|].
rewrite plus_IZR in e. rewrite <- e.
rewrite plus_IZR, !mult_IZR, plus_IZR, mult_IZR.
assert (0 < IZR y) by (apply IZR_lt; exact y0).
assert (0 < IZR b) by (apply IZR_lt; exact b0).
assert (0 <= IZR k) by (apply IZR_le; exact k0).
field. repeat split; lra.
Qed.

Lemma series_snoc n k w : 0 <= k ->
  series (S n) k w = series n k w + w ^ n / (2 * (k + INR n) + 1).
Proof.
revert k; induction n as [|n IH]; intros k k0.
  simpl. field. lra.
change (series (S (S n)) k w) with (/ (2 * k + 1) + w * series (S n) (k + 1) w).
rewrite IH by lra. rewrite S_INR.
change (series (S n) k w) with (/ (2 * k + 1) + w * series n (k + 1) w).
pose proof (pos_INR n). simpl (w ^ S n). field. split; lra.
Qed.

Lemma T_series n z : T n z = z * series n 0 (z ^ 2).
Proof.
induction n as [|n IH]; [simpl; ring|].
rewrite series_snoc by lra. cbn [T]. rewrite IH, Rmult_plus_distr_l. f_equal.
rewrite plus_INR, mult_INR. simpl (INR 2). simpl (INR 1).
replace (2 * n + 1)%nat with (S (2 * n)) by lia. rewrite <- tech_pow_Rmult, pow_mult.
pose proof (pos_INR n). field. lra.
Qed.

Definition floor_div (x y : Z) : Z := Z.div x y.
Definition ceil_div (x y : Z) : Z := Z.opp (Z.div (Z.opp x) y).

Lemma floor_div_le x y : (0 < y)%Z -> IZR (floor_div x y) <= IZR x / IZR y.
Proof.
intros h. assert (0 < IZR y) by (apply IZR_lt; lia).
apply (Rmult_le_reg_r (IZR y)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
rewrite <- mult_IZR. apply IZR_le. unfold floor_div. pose proof (Z.mul_div_le x y h). lia.
Qed.

Lemma ceil_div_ge x y : (0 < y)%Z -> IZR x / IZR y <= IZR (ceil_div x y).
Proof.
intros h. assert (0 < IZR y) by (apply IZR_lt; lia).
apply (Rmult_le_reg_r (IZR y)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
rewrite <- mult_IZR. apply IZR_le. unfold ceil_div. pose proof (Z.mul_div_le (- x) y h). lia.
Qed.

(** 2 T n z and 2 (T n z + rem n z) at z = (u - v)/(u + v), times 2^bits, rounded. *)
Definition artanh_bounds (bits : Z) (n : nat) (u v : Z) : Z * Z :=
  let a := (u - v)%Z in
  let b := (u + v)%Z in
  let one := Z.pow 2 bits in
  let (x, y) := horner n 0 (a * a) (b * b) in
  let above := (2 * one * a * x)%Z in
  let below := (b * y)%Z in
  let odd := (2 * Z.of_nat n + 1)%Z in
  (floor_div above below,
   (ceil_div above below +
    ceil_div (2 * one * Z.pow a odd * (b * b)) (odd * Z.pow b odd * (4 * u * v)))%Z).

Lemma artanh_enclosed bits n u v : (0 <= bits)%Z -> (0 < v <= u)%Z ->
  IZR (fst (artanh_bounds bits n u v)) <= IZR (2 ^ bits) * ln (IZR u / IZR v) /\
  IZR (2 ^ bits) * ln (IZR u / IZR v) <= IZR (snd (artanh_bounds bits n u v)).
Proof.
intros bits0 [v0 vu]. destruct (ln_quotient u v n (conj v0 vu)) as [lo hi].
rewrite T_series in lo, hi. unfold artanh_bounds.
set (a := (u - v)%Z) in *. set (b := (u + v)%Z) in *.
assert (b0 : (0 < b)%Z) by (unfold b; lia). assert (a0 : (0 <= a)%Z) by (unfold a; lia).
destruct (horner_series n 0 (a * a) (b * b) ltac:(lia) ltac:(nia)) as [y0 e].
destruct (horner n 0 (a * a) (b * b)) as [x y]. cbn [fst snd] in *.
replace (IZR (a * a) / IZR (b * b)) with ((IZR a / IZR b) ^ 2) in e.
2:{ rewrite !mult_IZR. assert (0 < IZR b) by (apply IZR_lt; exact b0). field. lra. }
rewrite <- e in lo, hi. set (one := (2 ^ bits)%Z).
assert (one0 : (0 < one)%Z) by (apply Z.pow_pos_nonneg; lia).
assert (O : 0 < IZR one) by (apply IZR_lt; exact one0).
assert (Bp : 0 < IZR b) by (apply IZR_lt; exact b0).
assert (Yp : 0 < IZR y) by (apply IZR_lt; exact y0).
assert (main : IZR (2 * one * a * x) / IZR (b * y) =
    IZR one * (2 * (IZR a / IZR b * (IZR x / IZR y)))).
{ rewrite !mult_IZR. field. split; lra. }
assert (by0 : (0 < b * y)%Z) by nia.
split.
- eapply Rle_trans; [apply floor_div_le; exact by0|]. rewrite main.
  apply Rmult_le_compat_l; [lra|exact lo].
- eapply Rle_trans; [apply Rmult_le_compat_l; [|exact hi]; lra|].
  rewrite plus_IZR, Rmult_plus_distr_l, Rmult_plus_distr_l.
  apply Rplus_le_compat.
  + rewrite <- main. apply ceil_div_ge; exact by0.
  + set (odd := (2 * Z.of_nat n + 1)%Z).
    assert (odd0 : (0 < odd)%Z) by (unfold odd; lia).
    assert (P : (0 < odd * b ^ odd * (4 * u * v))%Z).
    { assert (0 < b ^ odd)%Z by (apply Z.pow_pos_nonneg; lia).
      apply Z.mul_pos_pos; [apply Z.mul_pos_pos; lia|nia]. }
    eapply Rle_trans; [|apply ceil_div_ge; exact P]. apply Req_le.
    unfold rem. replace (INR (2 * n + 1)) with (IZR odd).
    2:{ unfold odd. rewrite INR_IZR_INZ. f_equal. lia. }
    replace (IZR a / IZR b) with (IZR a / IZR b) by reflexivity.
    rewrite !mult_IZR.
    assert (odd_nat : forall c, IZR (c ^ odd) = IZR c ^ (2 * n + 1)).
    { intros c. replace odd with (Z.of_nat (2 * n + 1)) by (unfold odd; lia). symmetry. apply pow_IZR. }
    rewrite !odd_nat.
    assert (Od : 0 < IZR odd) by (apply IZR_lt; exact odd0).
    assert (U : 0 < IZR u) by (apply IZR_lt; lia). assert (V : 0 < IZR v) by (apply IZR_lt; lia).
    assert (D : 1 - (IZR a / IZR b) ^ 2 = 4 * IZR u * IZR v / (IZR b * IZR b)).
    { unfold a, b. rewrite minus_IZR, plus_IZR. field. lra. }
    assert (Q : (IZR a / IZR b) ^ (2 * n + 1) = IZR a ^ (2 * n + 1) / IZR b ^ (2 * n + 1)).
    { unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. reflexivity. }
    assert (W : 0 < IZR b ^ (2 * n + 1)) by (apply pow_lt; lra).
    rewrite D, Q. field. repeat split; lra.
Qed.

(** ln(u/v) = m ln 2 + ln(u/(2^m v)). *)
Definition ln_bounds (bits : Z) (n : nat) (u v : Z) : Z * Z :=
  let guess := Z.log2 (Z.div u v) in
  let m := if Z.leb (v * 2 ^ guess) u then guess else 0%Z in
  let (lo, hi) := artanh_bounds bits n u (v * 2 ^ m) in
  let (lo2, hi2) := artanh_bounds bits n 2 1 in
  ((m * lo2 + lo)%Z, (m * hi2 + hi)%Z).

Theorem ln_enclosed bits n u v : (0 <= bits)%Z -> (0 < v <= u)%Z ->
  IZR (fst (ln_bounds bits n u v)) <= IZR (2 ^ bits) * ln (IZR u / IZR v) /\
  IZR (2 ^ bits) * ln (IZR u / IZR v) <= IZR (snd (ln_bounds bits n u v)).
Proof.
intros bits0 [v0 vu]. unfold ln_bounds.
set (m := if Z.leb _ u then _ else _).
assert (m0 : (0 <= m)%Z) by (unfold m; destruct Z.leb; [apply Z.log2_nonneg|lia]).
assert (mu : (v * 2 ^ m <= u)%Z).
{ unfold m. destruct (Z.leb_spec (v * 2 ^ Z.log2 (u / v)) u); [assumption|].
  change (2 ^ 0)%Z with 1%Z. lia. }
clearbody m. assert (p0 : (0 < 2 ^ m)%Z) by (apply Z.pow_pos_nonneg; lia).
destruct (artanh_enclosed bits n u (v * 2 ^ m) bits0 ltac:(nia)) as [l1 h1].
destruct (artanh_enclosed bits n 2 1 bits0 ltac:(lia)) as [l2 h2].
destruct (artanh_bounds bits n u (v * 2 ^ m)) as [lo hi].
destruct (artanh_bounds bits n 2 1) as [lo2 hi2]. cbn [fst snd] in *.
assert (V : 0 < IZR v) by (apply IZR_lt; exact v0).
assert (U : 0 < IZR u) by (apply IZR_lt; lia).
assert (M : 0 <= IZR m) by (apply IZR_le; exact m0).
assert (Pm : 0 < IZR (2 ^ m)) by (apply IZR_lt; exact p0).
assert (e : ln (IZR u / IZR v) = IZR m * ln (IZR 2 / IZR 1) + ln (IZR u / IZR (v * 2 ^ m))).
{ replace (IZR 2 / IZR 1) with 2 by field.
  assert (pm : IZR m * ln 2 = ln (IZR (2 ^ m))).
  { destruct (Z_of_nat_complete m m0) as [j ->].
    rewrite <- pow_IZR, <- INR_IZR_INZ. symmetry. apply ln_pow. lra. }
  rewrite pm, <- ln_mult; [|exact Pm|].
  - f_equal. rewrite mult_IZR. field. split; lra.
  - apply Rdiv_lt_0_compat; [lra|]. apply IZR_lt. nia. }
rewrite e, !plus_IZR, !(mult_IZR m), !Rmult_plus_distr_l, <- Rmult_assoc.
rewrite (Rmult_comm (IZR (2 ^ bits)) (IZR m)), Rmult_assoc.
split; apply Rplus_le_compat; try assumption; apply Rmult_le_compat_l; assumption.
Qed.

(** Logarithms of quotients of positive integers. *)
Lemma ln_quotient_mul (a b x y : Z) : (0 < a)%Z -> (0 < b)%Z -> (0 < x)%Z -> (0 < y)%Z ->
  ln (IZR a / IZR b) + ln (IZR x / IZR y) = ln (IZR (a * x) / IZR (b * y)).
Proof.
intros a0 b0 x0 y0. apply IZR_lt in a0, b0, x0, y0.
rewrite <- ln_mult by (apply Rdiv_lt_0_compat; lra).
f_equal. rewrite !mult_IZR. field. split; lra.
Qed.

Lemma ln_quotient_inv (a b : Z) : (0 < a)%Z -> (0 < b)%Z ->
  ln (IZR b / IZR a) = - ln (IZR a / IZR b).
Proof.
intros a0 b0. apply IZR_lt in a0, b0.
rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; lra).
f_equal. field. split; lra.
Qed.

Lemma ln_quotient_pow (u v k : Z) : (0 < u)%Z -> (0 < v)%Z -> (0 <= k)%Z ->
  IZR k * ln (IZR u / IZR v) = ln (IZR (u ^ k) / IZR (v ^ k)).
Proof.
intros u0 v0 k0. destruct (Z_of_nat_complete k k0) as [j ->]. apply IZR_lt in u0, v0.
rewrite <- !pow_IZR, <- INR_IZR_INZ, <- ln_pow by (apply Rdiv_lt_0_compat; lra).
f_equal. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. reflexivity.
Qed.

Lemma ln_quotient_ge0 (x y : Z) : (0 < y <= x)%Z -> 0 <= ln (IZR x / IZR y).
Proof.
intros [y0 yx]. apply IZR_lt in y0. apply IZR_le in yx. rewrite <- ln_1.
assert (q1 : 1 <= IZR x / IZR y).
{ apply (Rmult_le_reg_r (IZR y)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
destruct (Rle_lt_or_eq_dec _ _ q1) as [lt|<-]; [|lra].
apply Rlt_le, ln_increasing; lra.
Qed.
