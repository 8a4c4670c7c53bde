(** Enclosures of pi, and of the profile of a Gaussian mechanism.

    pi = 8 atan(1/3) + 4 atan(1/7), whose series alternate (Coq's library of real numbers).  The
    profile is that of [profile_enclosed] (Normal.v); its series takes [terms] terms. *)
From Coq Require Import Reals Machin ZArith Lra Lia.
From ExactDP Require Import Logarithms Normal Exponentials Enclosures.
Local Open Scope R_scope.

Definition divide_by (k : Z) (e : enclosure) : enclosure := (floor_div (fst e) k, ceil_div (snd e) k).

(** The n-th term of atan(1/3)/2 + atan(1/7), and the first n + 1 of them. *)
Definition atan_term (bits : Z) (n : nat) : enclosure :=
  let c := (2 * Z.of_nat n + 1)%Z in
  add (scale 2 (enclosure_of_fraction bits 1 (c * 3 ^ c))) (enclosure_of_fraction bits 1 (c * 7 ^ c)).
Fixpoint atan_sum (bits : Z) (n : nat) : enclosure :=
  match n with
  | O => atan_term bits 0
  | S m => (if Nat.even n then add else sub) (atan_sum bits m) (atan_term bits n)
  end.
Definition pi_enclosure (bits : Z) (n : nat) : enclosure :=
  ((4 * fst (atan_sum bits (S (2 * n))))%Z, (4 * snd (atan_sum bits (2 * n)))%Z).

(** 1 + v/(c + 2) (1 + v/(c + 4) (1 + ... t)), where t is between 1 and 2. *)
Fixpoint nested_enclosure (bits : Z) (n : nat) (c : Z) (v : enclosure) : enclosure :=
  match n with
  | O => (Z.shiftl 1 bits, Z.shiftl 2 bits)
  | S k => add (enclosure_of_Z bits 1)
      (divide_by (c + 2) (mul bits v (nested_enclosure bits k (c + 2) v)))
  end.

(** 1/sqrt(2 pi s). *)
Definition inverse_root (bits : Z) (terms : nat) (s : enclosure) : option enclosure :=
  inverse bits (square_root bits (mul bits (scale 2 (pi_enclosure bits terms)) s)).

(** The profile at e, for mu^2 = x/y; [root] is 1/sqrt(2 pi x/y). *)
Definition profile_enclosure (bits : Z) (terms : nat) (x y : Z) (root e : enclosure) : option enclosure :=
  let half := enclosure_of_fraction bits x (2 * y) in
  let a := sub e half in
  let b := add e half in
  let over_square z := at_least_zero (mul bits (mul bits z z) (enclosure_of_fraction bits y x)) in
  let v := over_square a in
  let w := over_square b in
  let most := Z.shiftl (2 * Z.of_nat terms + 1) bits in
  if andb (Z.leb (2 * snd v) most) (Z.leb (2 * snd w) most) then
    match exponential bits e, exponential bits (divide_by 2 (opp v)) with
    | Some y, Some f =>
        let d := sub (mul bits b (nested_enclosure bits terms 1 w)) (mul bits a (nested_enclosure bits terms 1 v)) in
        Some (add (divide_by 2 (sub (enclosure_of_Z bits 1) y)) (mul bits (mul bits f root) d))
    | _, _ => None
    end
  else None.

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : (0 <= bits)%Z.
Let B := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact (power2_gt0 bits bits0). Qed.

Lemma enclosed_divide_by k v e : (0 < k)%Z -> enclosed bits v e ->
  enclosed bits (v / IZR k) (divide_by k e).
Proof.
intros k0 [l h]. fold B in l, h. unfold enclosed, divide_by; cbn [fst snd]; fold B.
pose proof (floor_div_le (fst e) k k0) as L. pose proof (ceil_div_ge (snd e) k k0) as H.
apply IZR_lt in k0. replace (v / IZR k * B) with (v * B / IZR k) by (field; lra).
split; [eapply Rle_trans; [exact L|]|eapply Rle_trans; [|exact H]];
  apply Rmult_le_compat_r; try assumption; apply Rlt_le, Rinv_0_lt_compat; exact k0.
Qed.

Lemma Ratan_term (k : Z) n : (0 < k)%Z ->
  enclosed bits (Ratan_seq (/ IZR k) n)
    (enclosure_of_fraction bits 1 ((2 * Z.of_nat n + 1) * k ^ (2 * Z.of_nat n + 1))).
Proof.
intros k0. set (c := (2 * Z.of_nat n + 1)%Z).
assert (p0 : (0 < k ^ c)%Z) by (apply Z.pow_pos_nonneg; unfold c; lia).
replace (Ratan_seq (/ IZR k) n) with (IZR 1 / IZR (c * k ^ c)).
  apply enclosed_quotient; [exact bits0|]. apply Z.mul_pos_pos; [unfold c; lia|exact p0].
unfold Ratan_seq. replace (INR (2 * n + 1)) with (IZR c) by (unfold c; rewrite INR_IZR_INZ; f_equal; lia).
replace c with (Z.of_nat (2 * n + 1)) at 2 by (unfold c; lia).
rewrite mult_IZR, <- pow_IZR, pow_inv. apply IZR_lt in k0.
assert (0 < IZR c) by (apply IZR_lt; unfold c; lia).
assert (0 < IZR k ^ (2 * n + 1)) by (apply pow_lt; exact k0). field. lra.
Qed.

Lemma atan_term_enclosed n : enclosed bits (PI_2_3_7_tg n) (atan_term bits n).
Proof.
apply enclosed_add; [|apply (Ratan_term 7 n); lia].
apply enclosed_scale, (Ratan_term 3 n); lia.
Qed.

Lemma atan_sum_enclosed n : enclosed bits (sum_f_R0 (tg_alt PI_2_3_7_tg) n) (atan_sum bits n).
Proof.
induction n as [|n IH]; cbn [sum_f_R0].
  unfold tg_alt. rewrite pow_O, Rmult_1_l. apply (atan_term_enclosed 0).
cbn [atan_sum]. unfold tg_alt at 2. destruct (Nat.even (S n)) eqn:p.
- apply Nat.even_spec in p. destruct p as [m ->]. rewrite pow_1_even, Rmult_1_l.
  apply enclosed_add; [exact IH|apply atan_term_enclosed].
- assert (o : Nat.Odd (S n)) by (apply Nat.odd_spec; unfold Nat.odd; rewrite p; reflexivity).
  destruct o as [m e]. rewrite e. replace (2 * m + 1)%nat with (S (2 * m)) by lia. rewrite pow_1_odd.
  replace (-1 * PI_2_3_7_tg (S (2 * m))) with (- PI_2_3_7_tg (S (2 * m))) by ring.
  apply enclosed_sub; [exact IH|apply atan_term_enclosed].
Qed.

Lemma pi_enclosed n : enclosed bits PI (pi_enclosure bits n).
Proof.
destruct (PI_2_3_7_ineq n) as [l h].
destruct (atan_sum_enclosed (S (2 * n))) as [L _]. destruct (atan_sum_enclosed (2 * n)) as [_ H].
unfold enclosed, pi_enclosure; cbn [fst snd]; rewrite !mult_IZR; fold B in L, H |- *. nra.
Qed.

Lemma inverse_root_enclosed terms s e r : enclosed bits s e ->
  inverse_root bits terms e = Some r -> enclosed bits (/ sqrt (2 * PI * s)) r.
Proof.
intros S h. refine (proj2 (enclosed_inverse bits bits0 _ _ _ _ h)).
apply enclosed_square_root, enclosed_mul; try assumption.
apply (enclosed_scale bits 2), pi_enclosed.
Qed.

Lemma nested_enclosed n c t v e : (0 <= c)%Z -> 1 <= t <= 2 -> enclosed bits v e ->
  enclosed bits (nested n (IZR c) v t) (nested_enclosure bits n c e).
Proof.
intros c0 t12 V. revert c c0. induction n as [|n IH]; intros c c0; cbn [nested nested_enclosure].
  unfold enclosed; cbn [fst snd]; rewrite !IZR_shiftl by exact bits0; fold B. nra.
apply enclosed_add; [apply (enclosed_Z bits bits0 1)|].
replace (IZR c + 2) with (IZR (c + 2)) by (rewrite plus_IZR; reflexivity).
specialize (IH (c + 2)%Z ltac:(lia)).
replace (v / IZR (c + 2) * nested n (IZR (c + 2)) v t) with (v * nested n (IZR (c + 2)) v t / IZR (c + 2))
  by (unfold Rdiv; ring).
apply enclosed_divide_by; [lia|]. apply enclosed_mul; assumption.
Qed.

Lemma between_enclosed n q v e : nested n 1 v 1 <= q <= nested n 1 v 2 -> enclosed bits v e ->
  enclosed bits q (nested_enclosure bits n 1 e).
Proof.
intros [l h] V. destruct (nested_enclosed n 1 1 v e) as [L _]; [lia|lra|exact V|].
destruct (nested_enclosed n 1 2 v e) as [_ H]; [lia|lra|exact V|].
fold B in L, H. unfold enclosed; fold B. split; nra.
Qed.

Theorem profile_enclosure_sound terms x y root e epsilon r : (0 < x)%Z -> (0 < y)%Z ->
  let s := IZR x / IZR y in
  enclosed bits (/ sqrt (2 * PI * s)) root -> enclosed bits epsilon e ->
  profile_enclosure bits terms x y root e = Some r -> enclosed bits (profile (sqrt s) epsilon) r.
Proof.
intros x0 y0 s hroot he. unfold profile_enclosure.
assert (X := IZR_lt _ _ x0). assert (Y := IZR_lt _ _ y0).
assert (s0 : 0 < s) by (apply Rdiv_lt_0_compat; lra).
assert (hs : enclosed bits (s / 2) (enclosure_of_fraction bits x (2 * y))).
{ replace (s / 2) with (IZR x / IZR (2 * y)) by (rewrite mult_IZR; unfold s; field; lra).
  apply enclosed_quotient; [exact bits0|lia]. }
assert (ha := enclosed_sub bits _ _ _ _ he hs). assert (hb := enclosed_add bits _ _ _ _ he hs).
set (a := sub e _) in *. set (b := add e _) in *.
assert (over : forall z f, enclosed bits z f ->
  enclosed bits (z * z / s) (at_least_zero (mul bits (mul bits f f) (enclosure_of_fraction bits y x)))).
{ intros z f Z. replace (z * z / s) with (Rmax 0 (z * z * (IZR y / IZR x))).
    apply enclosed_at_least_zero, enclosed_mul; [exact bits0..|apply enclosed_mul; assumption|].
    apply enclosed_quotient; assumption.
  assert (0 <= z * z) by apply Rle_0_sqr.
  replace (z * z * (IZR y / IZR x)) with (z * z / s) by (unfold s; field; lra).
  apply Rmax_right. apply Rmult_le_pos; [assumption|apply Rlt_le, Rinv_0_lt_compat; exact s0]. }
assert (hv := over _ _ ha). assert (hw := over _ _ hb).
set (v := at_least_zero (mul bits (mul bits a a) _)) in *.
set (w := at_least_zero (mul bits (mul bits b b) _)) in *.
assert (small : forall z f, enclosed bits z f ->
  Z.leb (2 * snd f) (Z.shiftl (2 * Z.of_nat terms + 1) bits) = true -> 2 * z <= odd terms).
{ intros z f [_ h] k. apply Z.leb_le, IZR_le in k. rewrite mult_IZR, IZR_shiftl in k by exact bits0.
  replace (odd terms) with (IZR (2 * Z.of_nat terms + 1)) by (unfold odd; rewrite INR_IZR_INZ; f_equal; lia).
  fold B in h, k. apply (scaled_le bits bits0); fold B. lra. }
destruct (Z.leb (2 * snd v) _) eqn:kv; [|discriminate].
destruct (Z.leb (2 * snd w) _) eqn:kw; [|discriminate]. cbn [andb].
destruct (exponential bits e) as [ee|] eqn:he'; [|discriminate].
destruct (exponential bits (divide_by 2 (opp v))) as [f|] eqn:hf; [|discriminate]. intros [=<-].
destruct (profile_enclosed terms s epsilon s0 (small _ _ hv kv) (small _ _ hw kw)) as [qa [qb [ba [bb ->]]]].
apply enclosed_add.
  apply (enclosed_divide_by 2); [lia|].
  apply enclosed_sub; [apply (enclosed_Z bits bits0 1)|].
  exact (enclosed_exponential _ bits0 _ _ _ he he').
apply enclosed_mul; [exact bits0| |].
- apply enclosed_mul; [exact bits0| |exact hroot].
  refine (enclosed_exponential _ bits0 _ _ _ _ hf). apply (enclosed_divide_by 2); [lia|].
  apply enclosed_opp, hv.
- apply enclosed_sub; apply enclosed_mul; try assumption;
  eapply between_enclosed; eassumption.
Qed.
End Soundness.
