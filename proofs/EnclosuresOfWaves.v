(** Enclosures of cosines and sines, and of complex numbers.

    The cosine and sine of a number are those of an angle of at most 1, halved from it, doubled as often.
    There, by Coq's library of real numbers, the series alternate ([pre_cos_bound], [pre_sin_bound]):
    from the inside out they are [alternating], whose innermost term is between 0 and 1. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Coquelicot Require Complex.
From ExactDP Require Import Exponentials Enclosures NormalEnclosures.
Local Open Scope R_scope.

Definition complex_enclosure := (enclosure * enclosure)%type.
Definition encloses (bits : Z) (w : complex_enclosure) (z : Complex.C) : Prop :=
  enclosed bits (fst z) (fst w) /\ enclosed bits (snd z) (snd w).

Definition complex_of_Z (bits n : Z) : complex_enclosure := (enclosure_of_Z bits n, (0, 0)%Z).
Definition complex_mul (bits : Z) (v w : complex_enclosure) : complex_enclosure :=
  (sub (mul bits (fst v) (fst w)) (mul bits (snd v) (snd w)),
   add (mul bits (fst v) (snd w)) (mul bits (snd v) (fst w))).
Fixpoint complex_power (bits : Z) (w : complex_enclosure) (n : positive) : complex_enclosure :=
  match n with
  | xH => w
  | xO m => complex_power bits (complex_mul bits w w) m
  | xI m => complex_mul bits w (complex_power bits (complex_mul bits w w) m)
  end.

(** 1 - q/((k + 1)(k + 2)) (1 - q/((k + 3)(k + 4)) (1 - ... v)). *)
Fixpoint alternating (n : nat) (k q v : R) : R :=
  match n with
  | O => v
  | S m => 1 - q * alternating m (k + 2) q v / ((k + 1) * (k + 2))
  end.
Fixpoint alternating_enclosure (bits : Z) (n : nat) (k : Z) (q : enclosure) : enclosure :=
  match n with
  | O => (0%Z, Z.shiftl 1 bits)
  | S m => sub (enclosure_of_Z bits 1)
      (divide_by ((k + 1) * (k + 2)) (mul bits q (alternating_enclosure bits m (k + 2) q)))
  end.

(** The cosine and sine of y 2^-bits, for 0 <= y <= 2^bits, of 2 n + 2 terms; of angles doubled h times. *)
Definition small_turn (bits : Z) (n : nat) (y : Z) : complex_enclosure :=
  let q := mul bits (y, y) (y, y) in
  (alternating_enclosure bits (2 * n + 2) 0 q,
   mul bits (y, y) (alternating_enclosure bits (2 * n + 2) 1 q)).
Fixpoint doubled (bits : Z) (h : nat) (w : complex_enclosure) : complex_enclosure :=
  match h with O => w | S h' => doubled bits h' (complex_mul bits w w) end.

(** Half as many terms as it takes if y is at most 2^-h. *)
Definition half_of_terms (bits h : Z) : nat := Z.to_nat (bits / (4 * h + 12) + 1).
Definition turn_at (bits a : Z) : option complex_enclosure :=
  let h := halvings bits a in
  let w := (bits + 2 * h + 16)%Z in
  let y := Z.shiftl a (h + 16) in
  if andb (Z.leb 0 a) (andb (Z.leb y (Z.shiftl 1 w)) (Z.leb h (Z.shiftl 1 24))) then
    let t := doubled w (Z.to_nat h) (small_turn w (half_of_terms w (w - Z.log2 y - 1)) y) in
    Some (coarser (w - bits) (fst t), coarser (w - bits) (snd t))
  else None.

Definition wider (k : Z) (e : enclosure) : enclosure := ((fst e - k)%Z, (snd e + k)%Z).
(** The cosine and the sine: of the middle, wider by half the enclosure's width. *)
Definition turn (bits : Z) (e : enclosure) : option complex_enclosure :=
  let middle := shift_down (fst e + snd e) 1 in
  match turn_at bits (Z.abs middle) with
  | Some t =>
      let k := (snd e - middle)%Z in
      Some (wider k (fst t), wider k (if Z.leb 0 middle then snd t else opp (snd t)))
  | None => None
  end.

(** --- the series --- *)

Lemma alternating_S n k q v :
  alternating (S n) k q v = 1 - q * alternating n (k + 2) q v / ((k + 1) * (k + 2)).
Proof. reflexivity. Qed.

Lemma alternating_last n k q : alternating (S n) k q 0 = alternating n k q 1.
Proof.
revert k; induction n as [|n IH]; intros k; [simpl; unfold Rdiv; ring|].
rewrite alternating_S, IH. reflexivity.
Qed.

Section Sums.
Variables (f : nat -> R) (k q : R).
Hypothesis k0 : 0 <= k.
Hypothesis next : forall i, f (S i) = - f i * q / ((k + 2 * INR i + 1) * (k + 2 * INR i + 2)).

Lemma alternating_from n i :
  f i * alternating n (k + 2 * INR i) q 1 = sum_f_R0 (fun j => f (i + j)%nat) n.
Proof.
revert i; induction n as [|n IH]; intros i; [simpl; rewrite Nat.add_0_r; ring|].
rewrite decomp_sum by lia. simpl pred. rewrite Nat.add_0_r, alternating_S.
rewrite (sum_eq _ (fun j => f (S i + j)%nat)) by (intros j _; f_equal; lia).
rewrite <- IH, next, S_INR. replace (k + 2 * (INR i + 1)) with (k + 2 * INR i + 2) by ring.
pose proof (pos_INR i). field. lra.
Qed.

Lemma alternating_sum n : f 0%nat * alternating n k q 1 = sum_f_R0 f n.
Proof.
change (sum_f_R0 f n) with (sum_f_R0 (fun j => f (0 + j)%nat) n).
rewrite <- alternating_from. simpl. rewrite Rmult_0_r, Rplus_0_r. reflexivity.
Qed.
End Sums.

Lemma fact_two n : INR (fact (S (S n))) = (INR n + 1) * (INR n + 2) * INR (fact n).
Proof.
change (fact (S (S n))) with (S (S n) * (S n * fact n))%nat. rewrite !mult_INR, !S_INR. ring.
Qed.

Lemma cos_alternating n y : alternating n 0 (y * y) 1 = cos_approx y n.
Proof.
unfold cos_approx. rewrite <- (alternating_sum (cos_term y) 0 (y * y)); [unfold cos_term; simpl; field|lra|].
intros i. unfold cos_term. replace (2 * S i)%nat with (S (S (2 * i))) by lia.
rewrite fact_two, mult_INR. change (INR 2) with 2. rewrite <- !tech_pow_Rmult. pose proof (pos_INR i).
pose proof (fact_gt0 (2 * i)). rewrite Rplus_0_l. field. lra.
Qed.

Lemma sin_alternating n y : y * alternating n 1 (y * y) 1 = sin_approx y n.
Proof.
unfold sin_approx. rewrite <- (alternating_sum (sin_term y) 1 (y * y)); [unfold sin_term; simpl; field|lra|].
intros i. unfold sin_term. replace (2 * S i + 1)%nat with (S (S (2 * i + 1))) by lia.
rewrite fact_two, plus_INR, mult_INR. change (INR 2) with 2. change (INR 1) with 1.
rewrite <- !tech_pow_Rmult. pose proof (pos_INR i). pose proof (fact_gt0 (2 * i + 1)). field. lra.
Qed.

(** --- the cosine of near numbers is near --- *)

Lemma near_by_derivative f f' x y : (forall t, derivable_pt_lim f t (f' t)) ->
  (forall t, Rabs (f' t) <= 1) -> Rabs (f y - f x) <= Rabs (y - x).
Proof.
intros D b. destruct (Rtotal_order x y) as [h|[->|h]].
- destruct (MVT_cor2 f f' x y h (fun c _ => D c)) as [c [e _]].
  rewrite e, Rabs_mult. pose proof (Rabs_pos (y - x)). specialize (b c). nra.
- unfold Rminus. rewrite !Rplus_opp_r. lra.
- destruct (MVT_cor2 f f' y x h (fun c _ => D c)) as [c [e _]].
  rewrite (Rabs_minus_sym (f y)), (Rabs_minus_sym y), e, Rabs_mult.
  pose proof (Rabs_pos (x - y)). specialize (b c). nra.
Qed.

Lemma Rabs_le_1 v : -1 <= v <= 1 -> Rabs v <= 1.
Proof. intros h. apply Rabs_le. lra. Qed.

Lemma cos_near x y : Rabs (cos y - cos x) <= Rabs (y - x).
Proof.
apply (near_by_derivative cos (fun t => - sin t)); [exact derivable_pt_lim_cos|].
intros t. rewrite Rabs_Ropp. apply Rabs_le_1, SIN_bound.
Qed.

Lemma sin_near x y : Rabs (sin y - sin x) <= Rabs (y - x).
Proof.
apply (near_by_derivative sin cos); [exact derivable_pt_lim_sin|]. intros t. apply Rabs_le_1, COS_bound.
Qed.

(** --- soundness --- *)

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : (0 <= bits)%Z.
Let B := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact (power2_gt0 bits bits0). Qed.

Lemma encloses_Z n : encloses bits (complex_of_Z bits n) (Complex.RtoC (IZR n)).
Proof. split; [apply enclosed_Z, bits0|unfold enclosed; simpl; lra]. Qed.

Lemma encloses_mul v w y z : encloses bits v y -> encloses bits w z ->
  encloses bits (complex_mul bits v w) (Complex.Cmult y z).
Proof.
intros [Y1 Y2] [Z1 Z2].
split; [apply enclosed_sub|apply enclosed_add]; apply enclosed_mul; assumption.
Qed.

Fixpoint power_of (z : Complex.C) (n : nat) : Complex.C :=
  match n with O => Complex.RtoC 1 | S m => Complex.Cmult z (power_of z m) end.

Lemma power_of_add z m n : power_of z (m + n) = Complex.Cmult (power_of z m) (power_of z n).
Proof.
induction m as [|m IH]; simpl; [rewrite Complex.Cmult_1_l; reflexivity|].
rewrite IH. apply Complex.Cmult_assoc.
Qed.

Lemma power_of_square z n : power_of (Complex.Cmult z z) n = power_of z (2 * n).
Proof.
induction n as [|n IH]; [reflexivity|]. replace (2 * S n)%nat with (2 + 2 * n)%nat by lia.
rewrite power_of_add. simpl power_of at 1 2. rewrite IH, Complex.Cmult_1_r. reflexivity.
Qed.

Lemma encloses_power w z n : encloses bits w z ->
  encloses bits (complex_power bits w n) (power_of z (Pos.to_nat n)).
Proof.
revert w z; induction n as [n IH|n IH|]; intros w z Z; simpl complex_power.
- rewrite Pos2Nat.inj_xI. apply encloses_mul; [exact Z|].
  rewrite <- power_of_square. apply IH, encloses_mul; exact Z.
- rewrite Pos2Nat.inj_xO, <- power_of_square. apply IH, encloses_mul; exact Z.
- simpl. rewrite Complex.Cmult_1_r. exact Z.
Qed.

Lemma alternating_enclosed n k q v f : (0 <= k)%Z -> 0 <= v <= 1 -> enclosed bits q f ->
  enclosed bits (alternating n (IZR k) q v) (alternating_enclosure bits n k f).
Proof.
intros k0 v01 Q. revert k k0; induction n as [|n IH]; intros k k0.
- unfold enclosed; cbn [alternating alternating_enclosure fst snd]. rewrite Z.shiftl_1_l. fold B. nra.
- cbn [alternating_enclosure]. rewrite alternating_S. apply enclosed_sub; [apply (enclosed_Z bits bits0 1)|].
  replace ((IZR k + 1) * (IZR k + 2)) with (IZR ((k + 1) * (k + 2))) by (rewrite mult_IZR, !plus_IZR; ring).
  apply enclosed_divide_by; [nia|]. apply enclosed_mul; [assumption|exact Q|].
  rewrite <- plus_IZR. apply IH. lia.
Qed.

Lemma enclosed_within l h v e : l <= v <= h -> enclosed bits l e -> enclosed bits h e -> enclosed bits v e.
Proof. unfold enclosed; fold B. intros [a b] [L _] [_ H]. split; nra. Qed.

Lemma small_turn_enclosed n y : (0 <= y <= 2 ^ bits)%Z ->
  encloses bits (small_turn bits n y) (cos (IZR y / B), sin (IZR y / B)).
Proof.
intros [y0 y1]. set (x := IZR y / B). apply IZR_le in y0, y1. fold B in y1.
assert (e : IZR y = x * B) by (unfold x; field; lra).
assert (x01 : 0 <= x <= 1) by (split; apply (Rmult_le_reg_r B); lra).
assert (Y : enclosed bits x (y, y)) by (unfold enclosed; cbn [fst snd]; fold B; lra).
pose proof (enclosed_mul bits bits0 _ _ _ _ Y Y) as Q.
assert (odd : forall k, alternating (2 * n + 1) k (x * x) 1 = alternating (2 * n + 2) k (x * x) 0).
{ intros k. replace (2 * n + 2)%nat with (S (2 * n + 1)) by lia. symmetry. apply alternating_last. }
split; cbn [fst snd small_turn].
- destruct (pre_cos_bound x n) as [l h]; try lra. rewrite <- cos_alternating, odd in l.
  replace (2 * (n + 1))%nat with (2 * n + 2)%nat in h by lia. rewrite <- cos_alternating in h.
  apply (enclosed_within _ _ _ _ (conj l h));
    apply (alternating_enclosed _ 0); try assumption; try lia; lra.
- destruct (pre_sin_bound x n) as [l h]; try lra. rewrite <- sin_alternating, odd in l.
  replace (2 * (n + 1))%nat with (2 * n + 2)%nat in h by lia. rewrite <- sin_alternating in h.
  apply (enclosed_within _ _ _ _ (conj l h));
    (apply enclosed_mul; [assumption|exact Y|]); apply (alternating_enclosed _ 1); try assumption; try lia; lra.
Qed.

Lemma doubled_enclosed h w x : encloses bits w (cos x, sin x) ->
  encloses bits (doubled bits h w) (cos (x * 2 ^ h), sin (x * 2 ^ h)).
Proof.
revert w x; induction h as [|h IH]; intros w x X; simpl doubled; [simpl; rewrite Rmult_1_r; exact X|].
replace (x * 2 ^ S h) with ((x + x) * 2 ^ h) by (simpl; ring). apply IH.
replace (cos (x + x), sin (x + x)) with (Complex.Cmult (cos x, sin x) (cos x, sin x)).
- apply encloses_mul; exact X.
- unfold Complex.Cmult; simpl. rewrite cos_plus, sin_plus. f_equal; ring.
Qed.
End Soundness.

Section Turns.
Variable bits : Z.
Hypothesis bits0 : (0 <= bits)%Z.
Let B := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact (power2_gt0 bits bits0). Qed.

Lemma turn_at_enclosed a t : turn_at bits a = Some t -> (0 <= a)%Z /\
  encloses bits t (cos (IZR a / B), sin (IZR a / B)).
Proof.
unfold turn_at. set (h := halvings bits a). set (w := (bits + 2 * h + 16)%Z). set (y := Z.shiftl a (h + 16)).
assert (h0 : (0 <= h)%Z).
{ unfold h, halvings. pose proof (Z.sqrt_nonneg bits). pose proof (Z.div_pos (Z.sqrt bits) 2). lia. }
destruct (Z.leb_spec 0 a) as [a0|_]; [|discriminate].
destruct (Z.leb_spec y (Z.shiftl 1 w)) as [y1|_]; [|discriminate].
destruct (Z.leb h _); [|discriminate]. cbn [andb]. set (n := half_of_terms _ _).
intros E. injection E as <-. split; [exact a0|].
assert (y0 : (0 <= y)%Z) by (apply Z.shiftl_nonneg; lia). rewrite Z.shiftl_1_l in y1.
assert (w0 : (0 <= w)%Z) by lia.
pose proof (doubled_enclosed w w0 (Z.to_nat h) _ _ (small_turn_enclosed w w0 n y (conj y0 y1))) as T.
replace (IZR y / IZR (2 ^ w) * 2 ^ Z.to_nat h) with (IZR a / B) in T.
{ destruct T as [T1 T2]. cbn [fst snd] in T1, T2.
  split; apply enclosed_coarser; try assumption; try lia; cbn [fst snd];
    replace (bits + (w - bits))%Z with w by ring; assumption. }
unfold y, w, B. rewrite Z.shiftl_mul_pow2, mult_IZR by lia. rewrite pow_IZR, Z2Nat.id by exact h0.
replace (bits + 2 * h + 16)%Z with (bits + (h + (h + 16)))%Z by ring.
rewrite !(Z.pow_add_r 2 bits), (Z.pow_add_r 2 h (h + 16)), !mult_IZR by lia.
pose proof (power2_gt0 bits bits0). pose proof (power2_gt0 h h0). pose proof (power2_gt0 (h + 16) ltac:(lia)).
field. lra.
Qed.

Lemma enclosed_wider l v k e : enclosed bits l e -> Rabs (v - l) * B <= IZR k -> enclosed bits v (wider k e).
Proof.
unfold enclosed, wider; cbn [fst snd]. fold B. rewrite minus_IZR, plus_IZR. intros [L H] near.
rewrite <- (Rabs_right B), <- Rabs_mult in near by lra.
pose proof (Rle_abs ((v - l) * B)). pose proof (Rle_abs (- ((v - l) * B))) as n.
rewrite Rabs_Ropp in n. lra.
Qed.

Lemma turn_enclosed x e t : enclosed bits x e -> turn bits e = Some t -> encloses bits t (cos x, sin x).
Proof.
unfold turn. destruct e as [lo hi]; intros [l u]; cbn [fst snd] in *. fold B in l, u.
pose proof (shift_down_le (lo + hi) 1 ltac:(lia)) as m. set (mid := shift_down (lo + hi) 1) in *.
rewrite plus_IZR in m. change (IZR (2 ^ 1)) with 2 in m.
destruct (turn_at bits (Z.abs mid)) as [s|] eqn:E; [|discriminate]. intros H. injection H as <-.
apply turn_at_enclosed in E as [_ [C S]]. cbn [fst snd] in C, S.
assert (near : Rabs (x - IZR mid / B) * B <= IZR (hi - mid)).
{ rewrite <- (Rabs_right B) at 2 by lra. rewrite <- Rabs_mult, minus_IZR.
  replace ((x - IZR mid / B) * B) with (x * B - IZR mid) by (field; lra). apply Rabs_le. lra. }
assert (C' : enclosed bits (cos (IZR mid / B)) (fst s)).
{ destruct (Z.abs_spec mid) as [[_ e]|[_ e]]; rewrite e in C; [exact C|].
  rewrite opp_IZR in C. unfold Rdiv in C. rewrite Ropp_mult_distr_l_reverse, cos_neg in C. exact C. }
assert (S' : enclosed bits (sin (IZR mid / B)) (if Z.leb 0 mid then snd s else opp (snd s))).
{ destruct (Z.leb_spec 0 mid) as [p|p].
  - rewrite Z.abs_eq in S by exact p. exact S.
  - rewrite Z.abs_neq, opp_IZR in S by lia. unfold Rdiv in S.
    rewrite Ropp_mult_distr_l_reverse, sin_neg in S. apply enclosed_opp in S.
    rewrite Ropp_involutive in S. exact S. }
split; cbn [fst snd].
- apply (enclosed_wider _ _ _ _ C'). eapply Rle_trans; [|exact near].
  apply Rmult_le_compat_r; [lra|apply cos_near].
- apply (enclosed_wider _ _ _ _ S'). eapply Rle_trans; [|exact near].
  apply Rmult_le_compat_r; [lra|apply sin_near].
Qed.
End Turns.
