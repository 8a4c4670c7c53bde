(** Interval arithmetic in fixed point.

    An enclosure of a real v at [bits] is a pair (lo, hi) of integers, lo <= v 2^bits <= hi.  Each
    operation rounds lo down and hi up.  Those that may have no answer (a division by what may be
    0, the logarithm of what may not be positive, an enormous exponential) are options. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From ExactDP Require Import Logarithms Exponentials LogarithmSeries.
Local Open Scope R_scope.

Definition enclosure := (Z * Z)%type.
Definition enclosed (bits : Z) (v : R) (e : enclosure) : Prop :=
  IZR (fst e) <= v * IZR (2 ^ bits) <= IZR (snd e).

Definition enclosure_of_Z (bits n : Z) : enclosure := (Z.shiftl n bits, Z.shiftl n bits).
Definition enclosure_of_fraction (bits a b : Z) : enclosure :=
  let n := Z.shiftl a bits in (floor_div n b, ceil_div n b).
Definition add (e f : enclosure) : enclosure := ((fst e + fst f)%Z, (snd e + snd f)%Z).
Definition opp (e : enclosure) : enclosure := ((- snd e)%Z, (- fst e)%Z).
Definition sub (e f : enclosure) : enclosure := add e (opp f).
Definition scale (k : Z) (e : enclosure) : enclosure :=
  if Z.leb 0 k then ((k * fst e)%Z, (k * snd e)%Z) else ((k * snd e)%Z, (k * fst e)%Z).
(** Two factors >= 0 take two products, others four. *)
Definition mul (bits : Z) (e f : enclosure) : enclosure :=
  if andb (Z.leb 0 (fst e)) (Z.leb 0 (fst f)) then
    (shift_down (fst e * fst f) bits, shift_up (snd e * snd f) bits)
  else
    let a := (fst e * fst f)%Z in let b := (fst e * snd f)%Z in
    let c := (snd e * fst f)%Z in let d := (snd e * snd f)%Z in
    (shift_down (Z.min (Z.min a b) (Z.min c d)) bits, shift_up (Z.max (Z.max a b) (Z.max c d)) bits).
Definition inverse_above_0 (bits : Z) (e : enclosure) : option enclosure :=
  let n := Z.shiftl 1 (2 * bits) in
  if Z.ltb 0 (fst e) then Some (floor_div n (snd e), ceil_div n (fst e)) else None.
Definition inverse (bits : Z) (e : enclosure) : option enclosure :=
  if Z.ltb 0 (fst e) then inverse_above_0 bits e
  else option_map opp (inverse_above_0 bits (opp e)).
Definition divide (bits : Z) (e f : enclosure) : option enclosure :=
  option_map (mul bits e) (inverse bits f).
Definition at_least_zero (e : enclosure) : enclosure := (Z.max 0 (fst e), Z.max 0 (snd e)).
Definition square_root (bits : Z) (e : enclosure) : enclosure :=
  (Z.sqrt (Z.shiftl (Z.max 0 (fst e)) bits), (Z.sqrt (Z.shiftl (Z.max 0 (snd e)) bits) + 1)%Z).

(** At [n] bits less. *)
Definition coarser (n : Z) (e : enclosure) : enclosure := (shift_down (fst e) n, shift_up (snd e) n).

(** ln of the quotient of two positive integers, of an enclosure. *)
Definition ln_of_quotient (bits u v : Z) : enclosure :=
  if Z.leb v u then coarser 24 (ln_quotient_bounds (bits + 24) u v)
  else opp (coarser 24 (ln_quotient_bounds (bits + 24) v u)).
Definition logarithm (bits : Z) (e : enclosure) : option enclosure :=
  let one := Z.shiftl 1 bits in
  if andb (Z.ltb 0 (fst e)) (Z.leb (fst e) (snd e)) then
    Some (fst (ln_of_quotient bits (fst e) one), snd (ln_of_quotient bits (snd e) one))
  else None.

(** e^{|a|/2^bits}, 2^h times halved before the series, at w bits. *)
Definition halvings (bits a : Z) : Z := Z.max 0 (Z.log2 a + 1 - bits) + Z.sqrt bits / 2 + 1.
Definition exponential_at (bits a : Z) : option enclosure :=
  let h := halvings bits (Z.abs a) in
  let w := (bits + 2 * h + 40)%Z in
  let y := Z.shiftl (Z.abs a) (h + 40) in
  if Z.leb a (- Z.shiftl (bits + 1) bits) then Some (0, 1)%Z
  else if andb (Z.leb y (Z.shiftl 1 w)) (Z.leb (Z.abs a) (Z.shiftl 1 (bits + 23))) then
    let e := exp_above_0 w (Z.to_nat h) y in
    if Z.leb 0 a then Some (shift_down (fst e) (w - bits), shift_up (snd e) (w - bits))
    else if Z.ltb 0 (fst e) then
      let n := Z.shiftl 1 (w + bits) in Some (floor_div n (snd e), ceil_div n (fst e))
    else None
  else None.
Definition exponential (bits : Z) (e : enclosure) : option enclosure :=
  match exponential_at bits (fst e), exponential_at bits (snd e) with
  | Some l, Some h => Some (fst l, snd h)
  | _, _ => None
  end.

Definition surely_le (e f : enclosure) : bool := Z.leb (snd e) (fst f).
Definition surely_lt (e f : enclosure) : bool := Z.ltb (snd e) (fst f).

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : (0 <= bits)%Z.
Let B := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact (power2_gt0 bits bits0). Qed.
Implicit Types (v x : R) (e f : enclosure).

Lemma scaled_le x y : x * B <= y * B -> x <= y.
Proof. intros h. exact (Rmult_le_reg_r B _ _ B0 h). Qed.

Lemma IZR_shiftl n : IZR (Z.shiftl n bits) = IZR n * B.
Proof. rewrite Z.shiftl_mul_pow2, mult_IZR by exact bits0. reflexivity. Qed.

Lemma enclosed_Z n : enclosed bits (IZR n) (enclosure_of_Z bits n).
Proof. unfold enclosed, enclosure_of_Z; cbn [fst snd]. rewrite IZR_shiftl. fold B. lra. Qed.

Lemma enclosed_quotient a b : (0 < b)%Z ->
  enclosed bits (IZR a / IZR b) (enclosure_of_fraction bits a b).
Proof.
intros b0. apply IZR_lt in b0 as b0'. unfold enclosed, enclosure_of_fraction; cbn [fst snd].
replace (IZR a / IZR b * IZR (2 ^ bits)) with (IZR (Z.shiftl a bits) / IZR b).
2:{ rewrite IZR_shiftl. unfold B. field. lra. }
split; [apply floor_div_le|apply ceil_div_ge]; exact b0.
Qed.

Lemma enclosed_add v x e f :
  enclosed bits v e -> enclosed bits x f -> enclosed bits (v + x) (add e f).
Proof. unfold enclosed, add; cbn [fst snd]. rewrite !plus_IZR. lra. Qed.

Lemma enclosed_opp v e : enclosed bits v e -> enclosed bits (- v) (opp e).
Proof. unfold enclosed, opp; cbn [fst snd]. rewrite !opp_IZR. lra. Qed.

Lemma enclosed_sub v x e f :
  enclosed bits v e -> enclosed bits x f -> enclosed bits (v - x) (sub e f).
Proof. intros h k. apply enclosed_add; [exact h|apply enclosed_opp, k]. Qed.

Lemma enclosed_scale k v e : enclosed bits v e -> enclosed bits (IZR k * v) (scale k e).
Proof.
unfold enclosed, scale; intros [l u]. destruct (Z.leb_spec 0 k) as [h|h]; cbn [fst snd];
  rewrite !mult_IZR, Rmult_assoc.
- apply IZR_le in h. split; apply Rmult_le_compat_l; assumption.
- apply IZR_lt in h. split; apply Rmult_le_compat_neg_l; lra.
Qed.

Lemma enclosed_shift x a b : IZR a <= x * B * B <= IZR b ->
  enclosed bits x (shift_down a bits, shift_up b bits).
Proof.
intros [l u]. unfold enclosed; cbn [fst snd]. pose proof (shift_down_le a bits bits0) as L.
pose proof (shift_up_ge b bits bits0) as H. fold B in L, H |- *. split; apply scaled_le; lra.
Qed.

Lemma product_between a b c d x y : a <= x <= b -> c <= y <= d ->
  Rmin (Rmin (a * c) (a * d)) (Rmin (b * c) (b * d)) <= x * y
  <= Rmax (Rmax (a * c) (a * d)) (Rmax (b * c) (b * d)).
Proof.
intros X Y.
assert (inner : forall z, Rmin (z * c) (z * d) <= z * y <= Rmax (z * c) (z * d)).
{ intros z. unfold Rmin, Rmax. destruct Rle_dec; destruct (Rle_dec 0 z); nra. }
assert (outer : Rmin (a * y) (b * y) <= x * y <= Rmax (a * y) (b * y)).
{ unfold Rmin, Rmax. destruct Rle_dec; destruct (Rle_dec 0 y); nra. }
pose proof (inner a). pose proof (inner b). split.
- eapply Rle_trans; [|apply outer].
  apply Rmin_glb; (eapply Rle_trans; [|apply inner]); [apply Rmin_l|apply Rmin_r].
- eapply Rle_trans; [apply outer|].
  apply Rmax_lub; (eapply Rle_trans; [apply inner|]); [apply Rmax_l|apply Rmax_r].
Qed.

Lemma IZR_min a b : IZR (Z.min a b) = Rmin (IZR a) (IZR b).
Proof.
destruct (Z.min_spec a b) as [[h ->]|[h ->]]; [apply IZR_lt in h|apply IZR_le in h];
  [rewrite Rmin_left|rewrite Rmin_right]; lra.
Qed.
Lemma IZR_max a b : IZR (Z.max a b) = Rmax (IZR a) (IZR b).
Proof.
destruct (Z.max_spec a b) as [[h ->]|[h ->]]; [apply IZR_lt in h|apply IZR_le in h];
  [rewrite Rmax_right|rewrite Rmax_left]; lra.
Qed.

Lemma enclosed_mul v x e f :
  enclosed bits v e -> enclosed bits x f -> enclosed bits (v * x) (mul bits e f).
Proof.
destruct e as [a b], f as [c d]. unfold enclosed; cbn [fst snd]; intros V X. unfold mul; cbn [fst snd].
destruct (Z.leb_spec 0 a) as [a0|_]; [destruct (Z.leb_spec 0 c) as [c0|_]|]; cbn [andb];
  apply enclosed_shift; fold B in V, X; replace (v * x * B * B) with (v * B * (x * B)) by ring.
1:{ apply IZR_le in a0, c0. rewrite !mult_IZR. split; apply Rmult_le_compat; lra. }
all: rewrite !IZR_min, !IZR_max, !mult_IZR; apply product_between; assumption.
Qed.

Lemma quotient_enclosed n y lo hi : 0 < IZR lo -> 0 <= IZR n -> IZR lo <= y <= IZR hi ->
  IZR (floor_div n hi) <= IZR n / y <= IZR (ceil_div n lo).
Proof.
intros lo0 n0 [l h]. split.
- eapply Rle_trans; [apply floor_div_le, lt_IZR; lra|].
  apply Rmult_le_compat_l; [exact n0|]. apply Rinv_le_contravar; lra.
- eapply Rle_trans; [|apply ceil_div_ge, lt_IZR; lra].
  apply Rmult_le_compat_l; [exact n0|]. apply Rinv_le_contravar; lra.
Qed.

Lemma IZR_power2_add m n : (0 <= m)%Z -> (0 <= n)%Z ->
  IZR (Z.shiftl 1 (m + n)) = IZR (2 ^ m) * IZR (2 ^ n).
Proof.
intros m0 n0. rewrite Z.shiftl_1_l, Z.pow_add_r by assumption. apply mult_IZR.
Qed.

Lemma enclosed_inverse_above_0 v e f : enclosed bits v e -> inverse_above_0 bits e = Some f ->
  0 < v /\ enclosed bits (/ v) f.
Proof.
destruct e as [lo hi]; unfold enclosed, inverse_above_0; cbn [fst snd]; intros V.
destruct (Z.ltb_spec 0 lo) as [lo0|_]; intros [=<-]. fold B in V |- *. apply IZR_lt in lo0.
assert (v0 : 0 < v) by (apply (Rmult_lt_reg_r B); lra). split; [exact v0|]; cbn [fst snd].
replace (/ v * B) with (IZR (Z.shiftl 1 (2 * bits)) / (v * B)).
2:{ replace (2 * bits)%Z with (bits + bits)%Z by ring. rewrite IZR_power2_add by assumption. fold B. field. lra. }
apply quotient_enclosed; try assumption. apply IZR_le. rewrite Z.shiftl_1_l. apply Z.pow_nonneg. lia.
Qed.

Lemma enclosed_inverse v e f : enclosed bits v e -> inverse bits e = Some f ->
  v <> 0 /\ enclosed bits (/ v) f.
Proof.
unfold inverse. intros V. destruct (Z.ltb 0 (fst e)).
  intros h. destruct (enclosed_inverse_above_0 v e f V h). split; [lra|assumption].
destruct (inverse_above_0 bits (opp e)) as [g|] eqn:h; intros [=<-].
destruct (enclosed_inverse_above_0 _ _ _ (enclosed_opp v e V) h) as [v0 G]. split; [lra|].
replace (/ v) with (- / - v) by (field; lra). apply enclosed_opp, G.
Qed.

Lemma enclosed_at_least_zero v e :
  enclosed bits v e -> enclosed bits (Rmax 0 v) (at_least_zero e).
Proof.
unfold enclosed, at_least_zero; cbn [fst snd]; rewrite !IZR_max. fold B.
rewrite (Rmult_comm (Rmax 0 v)), <- RmaxRmult, Rmult_0_r, (Rmult_comm B) by lra.
intros V; split; apply Rle_max_compat_l; apply V.
Qed.

Lemma enclosed_square_root v e : enclosed bits v e -> enclosed bits (sqrt v) (square_root bits e).
Proof.
intros V. assert (e' : sqrt v = sqrt (Rmax 0 v)).
{ unfold Rmax. destruct Rle_dec; [reflexivity|]. rewrite sqrt_0. apply sqrt_neg_0; lra. }
apply enclosed_at_least_zero in V. rewrite e'. pose proof (Rmax_l 0 v) as v0.
revert v0 V. generalize (Rmax 0 v). clear v e'. intros v v0. destruct e as [lo hi].
unfold enclosed, square_root, at_least_zero; cbn [fst snd]; fold B.
pose proof (Z.le_max_l 0 lo) as lo0. pose proof (Z.le_max_l 0 hi) as hi0.
revert lo0 hi0. generalize (Z.max 0 lo), (Z.max 0 hi). clear lo hi. intros lo hi lo0 hi0 [l h].
assert (s0 : 0 <= sqrt v * B) by (pose proof (sqrt_pos v); nra).
assert (s2 : sqrt v * B * (sqrt v * B) = v * B * B) by (rewrite <- (sqrt_sqrt v v0) at 3; ring).
assert (lo0' : (0 <= Z.shiftl lo bits)%Z) by (apply Z.shiftl_nonneg, lo0).
assert (hi0' : (0 <= Z.shiftl hi bits)%Z) by (apply Z.shiftl_nonneg, hi0).
destruct (Z.sqrt_spec _ lo0') as [L _]. destruct (Z.sqrt_spec _ hi0') as [_ H].
apply IZR_le in L. apply IZR_lt in H. rewrite mult_IZR, IZR_shiftl in L, H. rewrite <- Z.add_1_r in H.
assert (0 <= IZR (Z.sqrt (Z.shiftl hi bits) + 1)).
{ apply IZR_le. pose proof (Z.sqrt_nonneg (Z.shiftl hi bits)). lia. }
split; apply Rsqr_incr_0_var; unfold Rsqr; try assumption; nra.
Qed.

Lemma enclosed_coarser n v e : (0 <= n)%Z ->
  enclosed (bits + n) v e -> enclosed bits v (coarser n e).
Proof.
intros n0. unfold enclosed, coarser; cbn [fst snd]. rewrite Z.pow_add_r, mult_IZR by assumption.
pose proof (shift_down_le (fst e) n n0). pose proof (shift_up_ge (snd e) n n0).
pose proof (power2_gt0 n n0) as N0. intros V; split; apply (Rmult_le_reg_r _ _ _ N0); lra.
Qed.

Lemma ln_of_quotient_enclosed a b : (0 < a)%Z -> (0 < b)%Z ->
  enclosed bits (ln (IZR a / IZR b)) (ln_of_quotient bits a b).
Proof.
intros a0 b0. unfold ln_of_quotient. destruct (Z.leb_spec b a) as [h|h].
- apply enclosed_coarser; [lia|]. apply ln_quotient_enclosed; lia.
- rewrite ln_quotient_inv by assumption. apply enclosed_opp, enclosed_coarser; [lia|].
  apply ln_quotient_enclosed; lia.
Qed.

Lemma ln_le_of_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros x0 [h| ->]; [apply Rlt_le, ln_increasing; assumption|lra]. Qed.

Lemma enclosed_logarithm v e f : enclosed bits v e -> logarithm bits e = Some f ->
  0 < v /\ enclosed bits (ln v) f.
Proof.
destruct e as [lo hi]; unfold logarithm; cbn [fst snd]. rewrite Z.shiftl_1_l.
unfold enclosed at 1; cbn [fst snd]; fold B. intros [l h].
destruct (Z.ltb_spec 0 lo) as [lo0|_]; [|discriminate].
destruct (Z.leb_spec lo hi) as [lh|_]; intros [=<-].
assert (p0 : (0 < 2 ^ bits)%Z) by (apply Z.pow_pos_nonneg; lia).
pose proof (ln_of_quotient_enclosed lo (2 ^ bits) lo0 p0) as [Ll _].
pose proof (ln_of_quotient_enclosed hi (2 ^ bits) ltac:(lia) p0) as [_ Hh].
fold B in Ll, Hh. apply IZR_lt in lo0. apply IZR_le in lh.
assert (v0 : 0 < v) by (apply (Rmult_lt_reg_r B); lra). split; [exact v0|].
unfold enclosed; cbn [fst snd]; fold B.
assert (ln (IZR lo / B) <= ln v).
{ apply ln_le_of_le; [apply Rdiv_lt_0_compat; lra|]. apply scaled_le. field_simplify; lra. }
assert (ln v <= ln (IZR hi / B)).
{ apply ln_le_of_le; [exact v0|]. apply scaled_le. field_simplify; lra. }
split; nra.
Qed.

Lemma exp_le_of_le x y : x <= y -> exp x <= exp y.
Proof. intros [h| ->]; [apply Rlt_le, exp_increasing, h|lra]. Qed.

Lemma pow2_exp n : 2 ^ n <= exp (INR n).
Proof.
induction n as [|n IH]; [simpl; rewrite exp_0; lra|].
rewrite S_INR, exp_plus. pose proof (exp_ineq1 1). pose proof (pow_lt 2 n). simpl. nra.
Qed.

Lemma exponential_at_enclosed a e : exponential_at bits a = Some e ->
  enclosed bits (exp (IZR a / B)) e.
Proof.
unfold exponential_at. destruct (Z.leb_spec a (- Z.shiftl (bits + 1) bits)) as [h|_].
{ intros [=<-]. unfold enclosed; cbn [fst snd]; fold B. pose proof (exp_pos (IZR a / B)).
  apply IZR_le in h. rewrite opp_IZR, IZR_shiftl, plus_IZR in h. split; [nra|].
  assert (H0 : exp (IZR a / B) <= exp (- IZR bits)).
  { apply exp_le_of_le, scaled_le. field_simplify; lra. }
  assert (P : B <= exp (IZR bits)).
  { unfold B. rewrite <- (Z2Nat.id bits bits0), <- pow_IZR, <- INR_IZR_INZ. apply pow2_exp. }
  rewrite exp_Ropp in H0. pose proof (exp_pos (IZR bits)).
  apply Rle_trans with (/ exp (IZR bits) * exp (IZR bits)); [|rewrite Rinv_l; lra].
  apply Rmult_le_compat; lra. }
set (h := halvings bits (Z.abs a)). set (w := (bits + 2 * h + 40)%Z).
set (y := Z.shiftl (Z.abs a) (h + 40)).
assert (h0 : (0 <= h)%Z).
{ unfold h, halvings. pose proof (Z.sqrt_nonneg bits). pose proof (Z.div_pos (Z.sqrt bits) 2). lia. }
destruct (Z.leb_spec y (Z.shiftl 1 w)) as [y1|_]; [|discriminate].
destruct (Z.leb (Z.abs a) _); [|discriminate]. cbn [andb].
assert (y0 : (0 <= y)%Z) by (apply Z.shiftl_nonneg; lia). rewrite Z.shiftl_1_l in y1.
assert (w0 : (0 <= w)%Z) by lia.
destruct (exp_above_0_enclosed w (Z.to_nat h) y w0 (conj y0 y1)) as [lo0 E].
assert (W0 := power2_gt0 w w0). assert (H0 := power2_gt0 (w - bits) ltac:(lia)).
assert (WB : IZR (2 ^ w) = IZR (2 ^ (w - bits)) * B).
{ unfold B. rewrite <- mult_IZR, <- Z.pow_add_r by lia. do 2 f_equal. ring. }
replace (IZR y / IZR (2 ^ w) * 2 ^ Z.to_nat h) with (IZR (Z.abs a) / B) in E.
2:{ rewrite WB. unfold y. rewrite Z.shiftl_mul_pow2, mult_IZR by lia.
  rewrite pow_IZR, Z2Nat.id by exact h0.
  replace (w - bits)%Z with (h + 40 + h)%Z by (unfold w; ring).
  rewrite (Z.pow_add_r 2 (h + 40) h), (mult_IZR (2 ^ (h + 40))) by lia.
  pose proof (power2_gt0 h h0). pose proof (power2_gt0 (h + 40) ltac:(lia)). field. lra. }
destruct (exp_above_0 w (Z.to_nat h) y) as [lo hi]; cbn [fst snd] in *.
destruct (Z.leb_spec 0 a) as [a0|a0].
- intros [=<-]. rewrite Z.abs_eq in E by exact a0.
  pose proof (shift_down_le lo (w - bits) ltac:(lia)). pose proof (shift_up_ge hi (w - bits) ltac:(lia)).
  unfold enclosed; cbn [fst snd]; fold B.
  split; apply (Rmult_le_reg_r (IZR (2 ^ (w - bits))) _ _ H0); rewrite WB in E; lra.
- destruct (Z.ltb_spec 0 lo) as [lo1|_]; intros [=<-].
  apply IZR_lt in lo1. rewrite Z.abs_neq, opp_IZR in E by lia.
  unfold enclosed; cbn [fst snd]; fold B.
  replace (exp (IZR a / B) * B) with (IZR (Z.shiftl 1 (w + bits)) / (exp (- IZR a / B) * IZR (2 ^ w))).
  2:{ rewrite IZR_power2_add by assumption. fold B.
    replace (IZR a / B) with (- (- IZR a / B)) by (field; lra). rewrite (exp_Ropp (- IZR a / B)).
    pose proof (exp_pos (- IZR a / B)). field. lra. }
  apply quotient_enclosed; try assumption.
  apply IZR_le. rewrite Z.shiftl_1_l. apply Z.pow_nonneg. lia.
Qed.

Lemma enclosed_exponential v e f : enclosed bits v e -> exponential bits e = Some f ->
  enclosed bits (exp v) f.
Proof.
destruct e as [lo hi]; unfold exponential; cbn [fst snd]. intros [l h]; cbn [fst snd] in *.
destruct (exponential_at bits lo) as [e|] eqn:L; [|discriminate].
destruct (exponential_at bits hi) as [g|] eqn:H; [|discriminate]. intros [=<-].
destruct (exponential_at_enclosed lo e L) as [Ll _]. destruct (exponential_at_enclosed hi g H) as [_ Hh].
fold B in l, h, Ll, Hh. unfold enclosed; cbn [fst snd]; fold B.
assert (exp (IZR lo / B) <= exp v) by (apply exp_le_of_le, scaled_le; field_simplify; lra).
assert (exp v <= exp (IZR hi / B)) by (apply exp_le_of_le, scaled_le; field_simplify; lra).
split; nra.
Qed.

Lemma surely_le_enclosed v x e f : enclosed bits v e -> enclosed bits x f ->
  surely_le e f = true -> v <= x.
Proof.
unfold surely_le; intros [_ V] [X _] h. apply Z.leb_le, IZR_le in h. apply scaled_le; fold B in V, X. lra.
Qed.

Lemma surely_lt_enclosed v x e f : enclosed bits v e -> enclosed bits x f ->
  surely_lt e f = true -> v < x.
Proof.
unfold surely_lt; intros [_ V] [X _] h. apply Z.ltb_lt, IZR_lt in h; fold B in V, X.
apply (Rmult_lt_reg_r B); lra.
Qed.
End Soundness.
