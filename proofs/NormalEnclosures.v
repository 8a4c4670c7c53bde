(** Enclosures of pi, and of the profile of a Gaussian mechanism.

    pi = 8 atan(1/3) + 4 atan(1/7), whose series alternate (Coq's library of real numbers).  The
    profile is that of [profile_of_sides] (NormalFar.v): by a series near 0, and by another far out. *)
From Coq Require Import Reals Machin ZArith Lra Lia.
From ExactDP Require Import Logarithms Normal NormalFar Exponentials Enclosures.
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

(** 1 + v/(c + 2) (1 + v/(c + 4) (1 + ... t)), from the inside. *)
Fixpoint nested_enclosure (bits : Z) (n : nat) (c : Z) (v t : enclosure) : enclosure :=
  match n with
  | O => t
  | S k => nested_enclosure bits k c v
      (add (enclosure_of_Z bits 1) (divide_by (c + 2 * Z.of_nat n) (mul bits v t)))
  end.

(** 1 - c w (1 - (c + 2) w (1 - ... t)), from the inside. *)
Fixpoint falling_enclosure (bits : Z) (n : nat) (c : Z) (w t : enclosure) : enclosure :=
  match n with
  | O => t
  | S k => falling_enclosure bits k c w
      (sub (enclosure_of_Z bits 1) (scale (c + 2 * Z.of_nat k) (mul bits w t)))
  end.

(** 1/sqrt(2 pi s). *)
Definition inverse_root (bits : Z) (terms : nat) (s : enclosure) : option enclosure :=
  inverse bits (square_root bits (mul bits (scale 2 (pi_enclosure bits terms)) s)).

(** How many terms to take near 0, and far out. *)
Definition term_counts := (nat * nat)%type.

(** c and q with Phi(-z/mu) = c/2 - q e^(-v/2) [root], for mu^2 = x/y and v = z^2/mu^2. *)
Definition side (bits : Z) (terms : term_counts) (x y : Z) (z v : enclosure) : option (Z * enclosure) :=
  if Z.leb (2 * snd v) (Z.shiftl (2 * Z.of_nat (fst terms) + 1) bits) then
    Some (1%Z, mul bits z (nested_enclosure bits (fst terms) 1 v (Z.shiftl 1 bits, Z.shiftl 2 bits)))
  else
    match inverse bits v, inverse bits z with
    | Some w, Some i =>
        let t := falling_enclosure bits (snd terms) 1 w (0%Z, Z.shiftl 1 bits) in
        Some (if Z.ltb 0 (fst z) then 0%Z else 2%Z,
              opp (mul bits (mul bits (enclosure_of_fraction bits x y) i) t))
    | _, _ => None
    end.

(** c e^e, which may be too large to enclose where c is 0. *)
Definition times_exponential (bits c : Z) (e : enclosure) : option enclosure :=
  if Z.eqb c 0 then Some (0%Z, 0%Z) else option_map (scale c) (exponential bits e).

(** The profile at e, for mu^2 = x/y; [root] is 1/sqrt(2 pi x/y). *)
Definition profile_enclosure (bits : Z) (terms : term_counts) (x y : Z) (root e : enclosure) :
    option enclosure :=
  let half := enclosure_of_fraction bits x (2 * y) in
  let a := sub e half in
  let b := add e half in
  let over_square z := at_least_zero (mul bits (mul bits z z) (enclosure_of_fraction bits y x)) in
  let v := over_square a in
  match side bits terms x y a v, side bits terms x y b (over_square b) with
  | Some (ca, qa), Some (cb, qb) =>
      match times_exponential bits cb e, exponential bits (divide_by 2 (opp v)) with
      | Some y, Some f =>
          Some (add (divide_by 2 (sub (enclosure_of_Z bits ca) y)) (mul bits (mul bits f root) (sub qb qa)))
      | _, _ => None
      end
  | _, _ => None
  end.

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

Lemma nested_last n c v t : 0 <= c ->
  nested (S n) c v t = nested n c v (1 + v * t / (c + 2 * INR (S n))).
Proof.
revert c. induction n as [|n IH]; intros c c0.
  simpl. field. lra.
change (nested (S (S n)) c v t) with (1 + v / (c + 2) * nested (S n) (c + 2) v t).
rewrite IH by lra. cbn [nested]. do 3 f_equal. rewrite !S_INR. pose proof (pos_INR n). field. lra.
Qed.

Lemma falling_last n c v t : 0 < v -> falling (S n) c v t = falling n c v (1 - (c + 2 * INR n) / v * t).
Proof.
intros v0. revert c. induction n as [|n IH]; intros c.
  simpl. field. lra.
change (falling (S (S n)) c v t) with (1 - c / v * falling (S n) (c + 2) v t).
rewrite IH. cbn [falling]. do 3 f_equal. rewrite S_INR. field. lra.
Qed.

Lemma nested_enclosed n c t v e f : (0 <= c)%Z -> enclosed bits v e -> enclosed bits t f ->
  enclosed bits (nested n (IZR c) v t) (nested_enclosure bits n c e f).
Proof.
intros c0 V. revert t f. induction n as [|n IH]; intros t f T; [exact T|].
cbn [nested_enclosure]. rewrite nested_last by (apply IZR_le, c0). apply IH.
apply enclosed_add; [apply (enclosed_Z bits bits0 1)|].
replace (IZR c + 2 * INR (S n)) with (IZR (c + 2 * Z.of_nat (S n)))
  by (rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ; reflexivity).
apply enclosed_divide_by; [lia|]. apply enclosed_mul; assumption.
Qed.

Lemma falling_enclosed n c t v w f : 0 < v -> enclosed bits (/ v) w -> enclosed bits t f ->
  enclosed bits (falling n (IZR c) v t) (falling_enclosure bits n c w f).
Proof.
intros v0 W. revert t f. induction n as [|n IH]; intros t f T; [exact T|].
cbn [falling_enclosure]. rewrite falling_last by exact v0. apply IH.
apply enclosed_sub; [apply (enclosed_Z bits bits0 1)|].
replace ((IZR c + 2 * INR n) / v * t) with (IZR (c + 2 * Z.of_nat n) * (/ v * t)).
  apply enclosed_scale, enclosed_mul; assumption.
rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ. unfold Rdiv. ring.
Qed.

(** What is at least 0 and at most 1, or between the ends of an enclosure's two values. *)
Lemma enclosed_between l h t f g : l <= t <= h -> enclosed bits l f -> enclosed bits h g ->
  enclosed bits t (fst f, snd g).
Proof.
intros [a b] [F _] [_ G]. fold B in F, G. unfold enclosed; cbn [fst snd]; fold B. split; nra.
Qed.

Lemma between_enclosed n q v e : nested n 1 v 1 <= q <= nested n 1 v 2 -> enclosed bits v e ->
  enclosed bits q (nested_enclosure bits n 1 e (Z.shiftl 1 bits, Z.shiftl 2 bits)).
Proof.
intros h V. set (f := (Z.shiftl 1 bits, Z.shiftl 2 bits)).
assert (l : enclosed bits 1 f).
{ apply (enclosed_between 1 2 1 (enclosure_of_Z bits 1) (enclosure_of_Z bits 2)); [lra| |];
    apply (enclosed_Z bits bits0). }
assert (u : enclosed bits 2 f).
{ apply (enclosed_between 1 2 2 (enclosure_of_Z bits 1) (enclosure_of_Z bits 2)); [lra| |];
    apply (enclosed_Z bits bits0). }
pose proof (nested_enclosed n 1 1 v e f ltac:(lia) V l) as L.
pose proof (nested_enclosed n 1 2 v e f ltac:(lia) V u) as H.
rewrite (surjective_pairing (nested_enclosure bits n 1 e f)).
exact (enclosed_between _ _ _ _ _ h L H).
Qed.

(** What a side stands for. *)
Lemma side_sound terms x y z e v c q : (0 < x)%Z -> (0 < y)%Z -> let s := IZR x / IZR y in
  enclosed bits z e -> enclosed bits (z * z / s) v -> side bits terms x y e v = Some (c, q) ->
  exists r, enclosed bits r q /\
    Phi (- (z / sqrt s)) = IZR c / 2 - bell (z / sqrt s) / sqrt (2 * PI * s) * r.
Proof.
intros x0 y0 s Z V. assert (X := IZR_lt _ _ x0). assert (Y := IZR_lt _ _ y0).
assert (s0 : 0 < s) by (apply Rdiv_lt_0_compat; lra). unfold side.
destruct (Z.leb (2 * snd v) _) eqn:k.
- assert (small : 2 * (z * z / s) <= odd (fst terms)).
  { destruct V as [_ h]. apply Z.leb_le, IZR_le in k. rewrite mult_IZR, IZR_shiftl in k by exact bits0.
    replace (odd (fst terms)) with (IZR (2 * Z.of_nat (fst terms) + 1))
      by (unfold odd; rewrite INR_IZR_INZ; f_equal; lia).
    fold B in h, k. apply (scaled_le bits bits0); fold B. lra. }
  intros [=<- <-]. destruct (Phi_near s z s0 _ small) as [r [b ->]]. exists (z * r).
  split; [|lra]. apply enclosed_mul; [exact bits0|exact Z|].
  eapply between_enclosed; eassumption.
- destruct (inverse bits v) as [w|] eqn:hw; [|discriminate].
  destruct (inverse bits e) as [i|] eqn:hi; [|discriminate]. intros [=<- <-].
  destruct (enclosed_inverse bits bits0 _ _ _ V hw) as [v0 W].
  destruct (enclosed_inverse bits bits0 _ _ _ Z hi) as [z0 I].
  assert (v1 : 0 < z * z / s).
  { apply Rdiv_lt_0_compat; [|exact s0]. apply Rsqr_pos_lt in z0. exact z0. }
  assert (T : forall t, 0 <= t <= 1 -> enclosed bits (- (s / z * falling (snd terms) 1 (z * z / s) t))
      (opp (mul bits (mul bits (enclosure_of_fraction bits x y) i)
        (falling_enclosure bits (snd terms) 1 w (0%Z, Z.shiftl 1 bits))))).
  { intros t t01. apply enclosed_opp, enclosed_mul; [exact bits0| |].
    - unfold Rdiv at 1. apply enclosed_mul; [exact bits0|apply enclosed_quotient; assumption|exact I].
    - apply (falling_enclosed _ 1); [exact v1|exact W|].
      apply (enclosed_between 0 1 t (0%Z, 0%Z) (enclosure_of_Z bits 1) t01);
        [unfold enclosed; cbn [fst snd]; lra|apply (enclosed_Z bits bits0)]. }
  destruct (Z.ltb_spec 0 (fst e)) as [h|h].
  + assert (z1 : 0 < z).
    { destruct Z as [l _]. apply IZR_lt in h. fold B in l. apply (Rmult_lt_reg_r B); lra. }
    destruct (Phi_above s z s0 (snd terms) z1) as [t [b ->]]. eexists. split; [exact (T t b)|]. lra.
  + assert (z1 : z < 0).
    { revert hi. unfold inverse, inverse_above_0, opp. destruct (Z.ltb_spec 0 (fst e)); [lia|].
      cbn [fst snd]. destruct (Z.ltb_spec 0 (- snd e)) as [g|g]; [|discriminate]. intros _.
      destruct Z as [_ u]. assert (g' : (snd e < 0)%Z) by lia. apply IZR_lt in g'. fold B in u.
      apply (Rmult_lt_reg_r B); lra. }
    destruct (Phi_below s z s0 (snd terms) z1) as [t [b ->]]. eexists. split; [exact (T t b)|]. lra.
Qed.

Lemma times_exponential_sound c v e f : enclosed bits v e -> times_exponential bits c e = Some f ->
  enclosed bits (IZR c * exp v) f.
Proof.
intros V. unfold times_exponential. destruct (Z.eqb_spec c 0) as [->|_].
  intros [=<-]. rewrite Rmult_0_l. unfold enclosed; cbn [fst snd]. lra.
destruct (exponential bits e) as [g|] eqn:h; [|discriminate]. intros [=<-].
apply enclosed_scale. exact (enclosed_exponential _ bits0 _ _ _ V h).
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
destruct (side bits terms x y a v) as [[ca qa]|] eqn:sa; [|discriminate].
destruct (side bits terms x y b w) as [[cb qb]|] eqn:sb; [|discriminate].
destruct (times_exponential bits cb e) as [ee|] eqn:he'; [|discriminate].
destruct (exponential bits (divide_by 2 (opp v))) as [f|] eqn:hf; [|discriminate]. intros [=<-].
destruct (side_sound terms x y _ _ _ _ _ x0 y0 ha hv sa) as [ra [QA A]].
destruct (side_sound terms x y _ _ _ _ _ x0 y0 hb hw sb) as [rb [QB H]].
fold s in A, H. rewrite (profile_of_sides s epsilon _ _ _ _ s0 A H).
replace (IZR ca / 2 - IZR cb / 2 * exp epsilon) with ((IZR ca - IZR cb * exp epsilon) / 2) by field.
apply enclosed_add.
  apply (enclosed_divide_by 2); [lia|]. apply enclosed_sub; [apply (enclosed_Z bits bits0)|].
  exact (times_exponential_sound _ _ _ _ he he').
apply enclosed_mul; [exact bits0| |apply enclosed_sub; assumption].
apply enclosed_mul; [exact bits0| |exact hroot].
refine (enclosed_exponential _ bits0 _ _ _ _ hf). apply (enclosed_divide_by 2); [lia|].
apply enclosed_opp, hv.
Qed.
End Soundness.
