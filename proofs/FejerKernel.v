(** Sums of Fejer's kernel, by which a function at one point is told from its integral over a period.

    With R = 2 pi/d the kernel [fejer] d n is the sum of n Dirichlet kernels: it is even, has period R and mean n,
    and x^2 times it is at most 36/d^2 within a period ([fejer_small]).  So its product with a function whose
    second derivative is small has n times the value in the middle for its mean, up to a constant whatever n
    is ([window_near]).  Sums over the first natural numbers and integrals over the whole line are written
    [total] and [whole]. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(** f(0) + ... + f(n - 1). *)
Fixpoint total (f : nat -> R) (n : nat) : R := match n with O => 0 | S m => total f m + f m end.

(** W is the integral of g over the whole line. *)
Definition whole (g : R -> R) (W : R) : Prop := forall eps, 0 < eps -> exists M, forall p q, p <= - M -> M <= q ->
  exists y, is_RInt g p q y /\ Rabs (y - W) <= eps.

Lemma total_ext f g n : (forall i, (i < n)%nat -> f i = g i) -> total f n = total g n.
Proof. induction n as [|n IH]; intros h; simpl; [reflexivity|]. rewrite IH, h by (intros; try apply h; lia). reflexivity. Qed.

Lemma total_plus f g n : total (fun i => f i + g i) n = total f n + total g n.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma total_scal c f n : total (fun i => c * f i) n = c * total f n.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma total_le f g n : (forall i, (i < n)%nat -> f i <= g i) -> total f n <= total g n.
Proof.
induction n as [|n IH]; intros h; simpl; [lra|].
pose proof (IH ltac:(intros; apply h; lia)). pose proof (h n ltac:(lia)). lra.
Qed.

Lemma total_abs f n : Rabs (total f n) <= total (fun i => Rabs (f i)) n.
Proof.
induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|]. pose proof (Rabs_triang (total f n) (f n)). lra.
Qed.

Lemma total_const c n : total (fun _ => c) n = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

Lemma geometric q n : 0 < q < 1 -> total (fun i => q ^ S i) n <= / (1 - q).
Proof.
intros h. assert (e : total (fun i => q ^ S i) n = q * (1 - q ^ n) / (1 - q)).
{ induction n as [|n IH]; cbn [total]; [simpl; field; lra|]. rewrite IH. simpl. field. lra. }
rewrite e. pose proof (pow_lt q n ltac:(lra)). unfold Rdiv. rewrite <- (Rmult_1_l (/ (1 - q))) at 2.
apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|]. nra.
Qed.

Lemma RInt_value (f : R -> R) a b x y : is_RInt f a b x -> is_RInt f a b y -> x = y.
Proof.
intros h k. rewrite <- (@is_RInt_unique R_CompleteNormedModule _ _ _ _ h).
exact (@is_RInt_unique R_CompleteNormedModule _ _ _ _ k).
Qed.

Lemma RInt_total (f : nat -> R -> R) (I : nat -> R) a b n : (forall i, is_RInt (f i) a b (I i)) ->
  is_RInt (fun x => total (fun i => f i x) n) a b (total I n).
Proof.
intros h. induction n as [|n IH]; simpl.
- pose proof (@is_RInt_const R_NormedModule a b 0) as k. unfold scal in k; simpl in k; unfold mult in k; simpl in k.
  rewrite Rmult_0_r in k. exact k.
- exact (@is_RInt_plus R_NormedModule _ _ _ _ _ _ IH (h n)).
Qed.

Lemma RInt_scaled (f : R -> R) c a b I : is_RInt f a b I -> is_RInt (fun x => c * f x) a b (c * I).
Proof. exact (@is_RInt_scal R_NormedModule f a b c I). Qed.

Lemma RInt_bounded (f : R -> R) (a b c I : R) : a <= b -> is_RInt f a b I ->
  (forall x, a <= x <= b -> Rabs (f x) <= c) -> Rabs I <= c * (b - a).
Proof.
intros ab h le.
pose proof (@norm_RInt_le R_NormedModule f (fun _ => c) a b I (scal (b - a) c) ab le h
  (@is_RInt_const R_NormedModule a b c)) as k.
unfold scal in k; simpl in k; unfold mult in k; simpl in k. rewrite Rmult_comm. exact k.
Qed.

Lemma RInt_shift (f : R -> R) c a b I : is_RInt f (c + a) (c + b) I -> is_RInt (fun x => f (c + x)) a b I.
Proof.
intros h. assert (h' : is_RInt f (1 * a + c) (1 * b + c) I).
{ replace (1 * a + c) with (c + a) by ring. replace (1 * b + c) with (c + b) by ring. exact h. }
pose proof (@is_RInt_comp_lin R_NormedModule f 1 c a b I h') as k.
apply (is_RInt_ext (fun y => scal 1 (f (1 * y + c)))); [|exact k].
intros x _. unfold scal; simpl; unfold mult; simpl. rewrite !Rmult_1_l. f_equal. ring.
Qed.

(** --- Fejer's kernel --- *)

Section Fejer.
Variable d : R.
Hypothesis d0 : 0 < d.

(** R, and the two kernels. *)
Definition turn : R := 2 * PI / d.
Definition dirichlet (n : nat) (x : R) : R := 1 + 2 * total (fun i => cos (INR (S i) * d * x)) n.
Definition fejer (n : nat) (x : R) : R := total (fun i => dirichlet i x) n.

Lemma turn_pos : 0 < turn.
Proof. unfold turn. pose proof PI_RGT_0. apply Rdiv_lt_0_compat; lra. Qed.

Lemma dirichlet_sine n x : sin (d * x / 2) * dirichlet n x = sin ((2 * INR n + 1) * (d * x / 2)).
Proof.
set (y := d * x / 2). unfold dirichlet. induction n as [|n IH].
- simpl. replace ((2 * 0 + 1) * y) with y by ring. ring.
- cbn [total]. set (t := total _ n) in *.
  replace (sin y * (1 + 2 * (t + cos (INR (S n) * d * x))))
    with (sin y * (1 + 2 * t) + sin y * (2 * cos (INR (S n) * d * x))) by ring.
  rewrite IH, S_INR.
  replace ((INR n + 1) * d * x) with (2 * (INR n + 1) * y) by (unfold y; field).
  replace ((2 * INR n + 1) * y) with (2 * (INR n + 1) * y - y) by ring.
  replace ((2 * (INR n + 1) + 1) * y) with (2 * (INR n + 1) * y + y) by ring.
  rewrite sin_plus, sin_minus. ring.
Qed.

Lemma fejer_sine n x : sin (d * x / 2) * sin (d * x / 2) * fejer n x =
  sin (INR n * (d * x / 2)) * sin (INR n * (d * x / 2)).
Proof.
unfold fejer. induction n as [|n IH].
- simpl. rewrite !Rmult_0_l, sin_0. ring.
- cbn [total]. rewrite Rmult_plus_distr_l, IH, Rmult_assoc, dirichlet_sine, S_INR. set (y := d * x / 2).
  replace ((2 * INR n + 1) * y) with (INR n * y + (INR n * y + y)) by ring.
  replace ((INR n + 1) * y) with (INR n * y + y) by ring.
  rewrite (sin_plus (INR n * y) (INR n * y + y)), sin_plus, cos_plus.
  pose proof (sin2_cos2 (INR n * y)) as e. pose proof (sin2_cos2 y) as e'. unfold Rsqr in e, e'.
  set (s := sin (INR n * y)) in *. set (c := cos (INR n * y)) in *. set (s' := sin y) in *. set (c' := cos y) in *.
  replace (s * s) with (s * s * (s' * s' + c' * c')) at 1 by (rewrite e'; ring). ring.
Qed.

Lemma PI_le4 : PI <= 4.
Proof. pose proof PI_4. lra. Qed.

Lemma sine_large y : 0 <= y <= PI / 2 -> y / 3 <= sin y.
Proof.
intros h. pose proof PI_le4. pose proof PI_RGT_0.
pose proof (sin_bound y 0 ltac:(lra) ltac:(lra)) as [k _]. unfold sin_approx, sin_term in k. simpl in k.
assert (y * y <= 4) by nra. assert (0 <= y * (4 - y * y)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma fejer_small n x : - (turn / 2) <= x <= turn / 2 -> 0 <= x * x * fejer n x <= 36 / (d * d).
Proof.
intros h. assert (dd : 0 < d * d) by nra.
assert (y3 : d * x / 2 * (d * x / 2) <= 9 * (sin (d * x / 2) * sin (d * x / 2))).
{ assert (b : - (PI / 2) <= d * x / 2 <= PI / 2).
  { assert (e : turn * d = 2 * PI) by (unfold turn; field; lra). split; nra. }
  destruct (Rle_or_lt 0 (d * x / 2)) as [p|p].
  - pose proof (sine_large (d * x / 2) ltac:(lra)). nra.
  - pose proof (sine_large (- (d * x / 2)) ltac:(lra)) as k. rewrite sin_neg in k. nra. }
pose proof (fejer_sine n x) as e. pose proof (SIN_bound (INR n * (d * x / 2))) as b.
set (s := sin (d * x / 2)) in *. set (t := sin (INR n * (d * x / 2))) in *.
assert (t2 : 0 <= t * t <= 1) by nra.
destruct (Req_dec x 0) as [z|nz].
{ rewrite z, !Rmult_0_l. split; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; lra. }
assert (x2 : 0 < x * x) by (apply Rlt_0_sqr; exact nz).
assert (s2 : 0 < s * s) by nra.
assert (f0 : 0 <= fejer n x) by (apply (Rmult_le_reg_l (s * s)); lra).
split; [apply Rmult_le_pos; lra|].
apply (Rmult_le_reg_l (d * d)); [exact dd|]. replace (d * d * (36 / (d * d))) with 36 by (field; lra). nra.
Qed.

Lemma dirichlet_even n x : dirichlet n (- x) = dirichlet n x.
Proof.
unfold dirichlet. f_equal. f_equal. apply total_ext. intros i _. rewrite <- cos_neg. f_equal. ring.
Qed.

Lemma fejer_even n x : fejer n (- x) = fejer n x.
Proof. apply total_ext. intros. apply dirichlet_even. Qed.

Lemma cosine_turns i x k : cos (INR i * d * (x + IZR k * turn)) = cos (INR i * d * x).
Proof.
replace (INR i * d * (x + IZR k * turn)) with (INR i * d * x + 2 * IZR (Z.of_nat i * k) * PI).
2:{ rewrite mult_IZR, <- INR_IZR_INZ. unfold turn. field. lra. }
assert (p : forall x n, cos (x + 2 * INR n * PI) = cos x) by (intros; apply cos_period).
destruct (Z.le_ge_cases 0 (Z.of_nat i * k)) as [h|h].
- rewrite <- (Z2Nat.id _ h), <- INR_IZR_INZ. apply p.
- set (z := (Z.of_nat i * k)%Z) in *. replace (INR i * d * x) with (INR i * d * x + 2 * IZR z * PI + 2 * INR (Z.to_nat (- z)) * PI) at 2.
  { symmetry. apply p. }
  rewrite (INR_IZR_INZ (Z.to_nat (- z))), Z2Nat.id by lia. rewrite opp_IZR. ring.
Qed.

Lemma fejer_turns n x k : fejer n (x + IZR k * turn) = fejer n x.
Proof.
apply total_ext. intros i _. unfold dirichlet. f_equal. f_equal. apply total_ext. intros. apply cosine_turns.
Qed.

Lemma dirichlet_mass n : is_RInt (dirichlet n) (- (turn / 2)) (turn / 2) turn.
Proof.
unfold dirichlet. replace turn with (scal (turn / 2 - - (turn / 2)) 1 + 2 * total (fun _ => 0) n) at 3.
2:{ rewrite total_const. unfold scal; simpl; unfold mult; simpl. field. }
apply (@is_RInt_plus R_NormedModule); [apply (@is_RInt_const R_NormedModule)|].
apply RInt_scaled. apply (RInt_total (fun i x => cos (INR (S i) * d * x))). intros i.
set (k := INR (S i)). assert (k0 : 0 < k) by apply lt_0_INR, Nat.lt_0_succ.
assert (zero : sin (k * d * (turn / 2)) = 0).
{ replace (k * d * (turn / 2)) with (IZR (Z.of_nat (S i)) * PI).
  - apply sin_eq_0_1. eexists. reflexivity.
  - rewrite <- INR_IZR_INZ. fold k. unfold turn. field. lra. }
replace 0 with (minus (sin (k * d * (turn / 2)) / (k * d)) (sin (k * d * (- (turn / 2))) / (k * d))).
2:{ replace (k * d * - (turn / 2)) with (- (k * d * (turn / 2))) by ring. rewrite sin_neg, zero.
    unfold minus, plus, opp; simpl. field. lra. }
apply (@is_RInt_derive R_CompleteNormedModule (fun x => sin (k * d * x) / (k * d))).
- intros x _. auto_derive; [exact I|]. field. lra.
- intros x _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. exact I.
Qed.

Lemma fejer_mass n : is_RInt (fejer n) (- (turn / 2)) (turn / 2) (INR n * turn).
Proof. rewrite <- total_const. apply (RInt_total dirichlet). apply dirichlet_mass. Qed.

Lemma continuous_fejer n x : continuous (fejer n) x.
Proof.
apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold fejer. induction n as [|n IH]; simpl.
- apply ex_derive_const.
- apply (@ex_derive_plus R_AbsRing R_NormedModule (fun x => total (fun i => dirichlet i x) n)); [exact IH|].
  unfold dirichlet. clear IH. apply (@ex_derive_plus R_AbsRing R_NormedModule (fun _ => 1)); [apply ex_derive_const|].
  apply (ex_derive_scal (fun x => total (fun i => cos (INR (S i) * d * x)) n)). induction n as [|n IH]; cbn [total].
  + apply ex_derive_const.
  + apply (@ex_derive_plus R_AbsRing R_NormedModule (fun x => total (fun i => cos (INR (S i) * d * x)) n)); [exact IH|].
    auto_derive. exact I.
Qed.

Lemma fejer_odd n : is_RInt (fun x => x * fejer n x) (- (turn / 2)) (turn / 2) 0.
Proof.
assert (ex : ex_RInt (fun x => x * fejer n x) (- (turn / 2)) (turn / 2)).
{ apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _.
  apply (@continuous_mult R_UniformSpace R_AbsRing (fun x => x)); [apply continuous_id|apply continuous_fejer]. }
destruct ex as [I h]. pose proof (@is_RInt_swap R_NormedModule _ _ _ _ h) as s.
assert (o : is_RInt (fun x => x * fejer n x) (- (turn / 2)) (turn / 2) (opp I)).
{ apply (is_RInt_ext (fun x => opp (- x * fejer n (- x)))).
  - intros x _. rewrite fejer_even. unfold opp; simpl. ring.
  - apply (@is_RInt_comp_opp R_NormedModule (fun x => x * fejer n x)). rewrite Ropp_involutive. exact s. }
pose proof (RInt_value _ _ _ _ _ h o) as e. unfold opp in e; simpl in e. replace 0 with I by lra. exact h.
Qed.

(** A function h, with its two derivatives, on one window. *)
Section Window.
Variables (h h1 h2 : R -> R) (M : R).
Hypotheses (D1 : forall x, is_derive h x (h1 x)) (D2 : forall x, is_derive h1 x (h2 x)).
Hypothesis bound : forall x, - (turn / 2) <= x <= turn / 2 -> Rabs (h2 x) <= M.

Lemma second_order x : - (turn / 2) <= x <= turn / 2 -> Rabs (h x - h 0 - h1 0 * x) <= M * (x * x).
Proof.
intros b. assert (cont : forall f f' : R -> R, (forall x, is_derive f x (f' x)) -> forall x, continuity_pt f x).
{ intros f f' D y. apply continuity_pt_filterlim, (@ex_derive_continuous R_AbsRing R_NormedModule).
  eexists. apply D. }
destruct (MVT_gen h 0 x h1) as [c [cb e]]; [intros; apply D1|intros; eapply cont, D1|].
destruct (MVT_gen h1 0 c h2) as [c' [cb' e']]; [intros; apply D2|intros; eapply cont, D2|].
replace (h x - h 0 - h1 0 * x) with (h2 c' * (c * x)).
2:{ rewrite Rminus_0_r in e, e'. rewrite e. replace (h1 c * x - h1 0 * x) with ((h1 c - h1 0) * x) by ring.
    rewrite e'. ring. }
assert (cx : 0 <= c * x <= x * x /\ - (turn / 2) <= c' <= turn / 2).
{ unfold Rmin, Rmax in *. destruct (Rle_dec 0 x), (Rle_dec 0 c); split; try lra; nra. }
destruct cx as [cx c'b]. rewrite Rabs_mult, (Rabs_right (c * x)) by lra.
pose proof (bound c' c'b). pose proof (Rabs_pos (h2 c')). apply Rmult_le_compat; lra.
Qed.

Lemma window_near n I : is_RInt (fun x => h x * fejer n x) (- (turn / 2)) (turn / 2) I ->
  Rabs (I - INR n * turn * h 0) <= M * (36 / (d * d)) * turn.
Proof.
intros hI. pose proof turn_pos as t0.
assert (d2 : 0 < 36 / (d * d)) by (apply Rdiv_lt_0_compat; nra).
assert (r : is_RInt (fun x => (h x - h 0 - h1 0 * x) * fejer n x) (- (turn / 2)) (turn / 2) (I - INR n * turn * h 0)).
{ pose proof (RInt_scaled _ (h 0) _ _ _ (fejer_mass n)) as a.
  pose proof (RInt_scaled _ (h1 0) _ _ _ (fejer_odd n)) as b.
  pose proof (@is_RInt_minus R_NormedModule _ _ _ _ _ _ (@is_RInt_minus R_NormedModule _ _ _ _ _ _ hI a) b) as m.
  replace (I - INR n * turn * h 0) with (minus (minus I (h 0 * (INR n * turn))) (h1 0 * 0)).
  - apply (is_RInt_ext (fun x => minus (minus (h x * fejer n x) (h 0 * fejer n x)) (h1 0 * (x * fejer n x)))); [|exact m].
    intros x _. unfold minus, plus, opp; simpl. ring.
  - unfold minus, plus, opp; simpl. ring. }
replace (M * (36 / (d * d)) * turn) with (M * (36 / (d * d)) * (turn / 2 - - (turn / 2))) by (field; lra).
refine (RInt_bounded _ _ _ _ _ _ r _); [lra|]. intros x b.
pose proof (second_order x b) as s. pose proof (fejer_small n x b) as f.
assert (M0 : 0 <= M) by (pose proof (bound 0 ltac:(lra)); pose proof (Rabs_pos (h2 0)); lra).
destruct (Req_dec x 0) as [z|nz].
{ subst x. replace ((h 0 - h 0 - h1 0 * 0) * fejer n 0) with 0 by ring. rewrite Rabs_R0. apply Rmult_le_pos; lra. }
assert (x2 : 0 < x * x) by (apply Rlt_0_sqr; exact nz).
assert (f0 : 0 <= fejer n x) by (apply (Rmult_le_reg_l (x * x)); lra).
rewrite Rabs_mult, (Rabs_right (fejer n x)) by lra.
apply Rle_trans with (M * (x * x) * fejer n x); [apply Rmult_le_compat_r; assumption|].
rewrite Rmult_assoc. apply Rmult_le_compat_l; [exact M0|lra].
Qed.
End Window.
End Fejer.
