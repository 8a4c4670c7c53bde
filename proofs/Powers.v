(** Inequalities of one variable behind concentrated and Rényi differential privacy.

    [conversion]: x - e^epsilon <= e^(-(alpha - 1) epsilon) (1 - 1/alpha)^alpha/(alpha - 1) x^alpha,
    by which a moment bounds a hockey-stick divergence (Canonne, Kamath, Steinke 2020,
    Proposition 12).  [chord]: x^alpha lies below its chord.  [response_moment_le]: the moment of
    randomized response is at most e^(alpha (alpha - 1) epsilon^2/2) (Bun, Steinke 2016,
    Proposition 1.4).  [exponent_convex]: what no alpha gives (SPEC, 11.15). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms.
Local Open Scope R_scope.

Lemma bernoulli a s : 1 < a -> a * exp s - (a - 1) <= exp (a * s).
Proof.
intros a1.
assert (h1 : exp s * (1 + (a - 1) * s) <= exp (a * s)).
{ replace (a * s) with (s + (a - 1) * s) by ring. rewrite exp_plus.
  apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|apply exp_ineq1_le]. }
assert (h2 : exp s * (1 - s) <= 1).
{ replace 1 with (exp s * exp (- s)) at 2 by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|apply (exp_ineq1_le (- s))]. }
nra.
Qed.

(** The constant of the conversion, as a logarithm. *)
Definition log_conversion a := a * ln (1 - / a) - ln (a - 1).

Lemma one_minus_inv a : 1 < a -> 0 < 1 - / a.
Proof. intros a1. assert (/ a < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). lra. Qed.

Theorem conversion a e u : 1 < a ->
  exp u - exp e <= exp (a * u + (1 - a) * e + log_conversion a).
Proof.
intros a1. pose proof (one_minus_inv a a1) as r0.
pose proof (bernoulli a (u - e + ln (1 - / a)) a1) as B.
rewrite (exp_plus (u - e)), exp_ln in B by exact r0.
replace (a * (exp (u - e) * (1 - / a)) - (a - 1)) with ((a - 1) * (exp (u - e) - 1)) in B by (field; lra).
replace (a * u + (1 - a) * e + log_conversion a) with
  (e + (a * (u - e + ln (1 - / a)) + - ln (a - 1))) by (unfold log_conversion; ring).
rewrite !exp_plus, exp_Ropp, exp_ln by lra.
replace (exp u) with (exp e * exp (u - e)) by (rewrite <- exp_plus; f_equal; ring).
replace (exp e * exp (u - e) - exp e) with (exp e * (exp (u - e) - 1)) by ring.
apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
apply (Rmult_le_reg_l (a - 1)); [lra|].
eapply Rle_trans; [exact B|]. apply Req_le. field. lra.
Qed.

(** It is at most -ln alpha. *)
Lemma log_conversion_split a : 1 < a -> log_conversion a = (a - 1) * ln (a - 1) - a * ln a.
Proof.
intros a1. unfold log_conversion. replace (1 - / a) with ((a - 1) / a) by (field; lra).
rewrite ln_div by lra. ring.
Qed.

Lemma log_conversion_le a : 1 < a -> log_conversion a <= - ln a.
Proof.
intros a1. rewrite log_conversion_split by exact a1.
assert (ln (a - 1) <= ln a) by (apply Rlt_le, ln_increasing; lra). nra.
Qed.

(** x^alpha (E - 1/E) <= (x - 1/E) E^alpha + (E - x) E^-alpha for 1/E <= x <= E. *)
Lemma tangent a u v : 1 < a -> exp (a * u) * (1 - a) + a * exp ((a - 1) * u) * exp v <= exp (a * v).
Proof.
intros a1. pose proof (bernoulli a (v - u) a1) as B.
replace (exp (a * v)) with (exp (a * u) * exp (a * (v - u))) by (rewrite <- exp_plus; f_equal; ring).
replace (a * exp ((a - 1) * u) * exp v) with (exp (a * u) * (a * exp (v - u))).
2:{ rewrite <- Rmult_assoc, (Rmult_comm (exp (a * u))), !Rmult_assoc. f_equal.
    rewrite <- !exp_plus. f_equal. ring. }
rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|lra].
Qed.

Lemma chord a e u : 1 < a -> - e <= u <= e ->
  exp (a * u) * (exp e - exp (- e)) <=
  (exp u - exp (- e)) * exp (a * e) + (exp e - exp u) * exp (- (a * e)).
Proof.
intros a1 [u0 u1].
assert (h0 : exp (- e) <= exp u) by (destruct u0 as [h| ->]; [apply Rlt_le, exp_increasing, h|lra]).
assert (h1 : exp u <= exp e) by (destruct u1 as [h| ->]; [apply Rlt_le, exp_increasing, h|lra]).
pose proof (tangent a u e a1) as T1. pose proof (tangent a u (- e) a1) as T2.
replace (a * - e) with (- (a * e)) in T2 by ring.
apply (Rmult_le_compat_l (exp u - exp (- e))) in T1; [|lra].
apply (Rmult_le_compat_l (exp e - exp u)) in T2; [|lra].
assert (exp (a * u) = exp ((a - 1) * u) * exp u) by (rewrite <- exp_plus; f_equal; ring).
nra.
Qed.

(** The moment of randomized response. *)
Definition response_moment a e := (exp (a * e) + exp ((1 - a) * e)) / (1 + exp e).

Lemma response_moment_0 a : response_moment a 0 = 1.
Proof. unfold response_moment. rewrite !Rmult_0_r, exp_0. field. Qed.

Lemma ln_response_moment a e : ln (response_moment a e) =
  (a - 1) * e + (ln (1 + exp ((1 - 2 * a) * e)) - ln (1 + exp (- e))).
Proof.
pose proof (exp_pos e) as p. pose proof (exp_pos (- e)) as n. pose proof (exp_pos ((1 - 2 * a) * e)) as q.
assert (h : response_moment a e = exp ((a - 1) * e) * ((1 + exp ((1 - 2 * a) * e)) / (1 + exp (- e)))).
{ unfold response_moment. replace (a * e) with ((a - 1) * e + e) by ring.
  replace ((1 - a) * e) with ((a - 1) * e + e + (1 - 2 * a) * e) by ring.
  rewrite exp_Ropp, !exp_plus. field. split; lra. }
rewrite h, ln_mult, ln_exp, ln_div by (try apply exp_pos; try apply Rdiv_lt_0_compat; lra). reflexivity.
Qed.

(** The mean of the chord, where both measures have the mass 1. *)
Lemma chord_response a e : 0 < e ->
  (1 - exp (- e)) * exp (a * e) + (exp e - 1) * exp (- (a * e)) =
  response_moment a e * (exp e - exp (- e)).
Proof.
intros e0. unfold response_moment.
replace ((1 - a) * e) with (e + - (a * e)) by ring. rewrite exp_plus.
assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing, e0).
rewrite !exp_Ropp. pose proof (exp_pos (a * e)). field. repeat split; try lra; nra.
Qed.

Lemma sinh_ge0 y : 0 <= y -> 0 <= sinh y.
Proof.
intros y0. unfold sinh. assert (exp (- y) <= exp y) by
  (destruct (Req_dec y 0) as [-> |]; [rewrite Ropp_0; lra|apply Rlt_le, exp_increasing; lra]). lra.
Qed.

Lemma sinh_le_cosh y : 0 <= y -> sinh y <= y * cosh y.
Proof.
intros y0.
assert (h : 0 * cosh 0 - sinh 0 <= y * cosh y - sinh y).
{ apply (nondecr (fun y => y * cosh y - sinh y) (fun y => y * sinh y)); [exact y0| |].
  - intros x _. unfold cosh, sinh. auto_derive; [exact I|field].
  - intros x [hx _]. apply Rmult_le_pos; [exact hx|apply sinh_ge0, hx]. }
rewrite sinh_0 in h. lra.
Qed.

(** cosh y e^(-y^2/2) falls. *)
Lemma cosh_falls y x : 0 <= y -> 0 <= x ->
  cosh (y + x) * exp (- (y + x) ^ 2 / 2) <= cosh y * exp (- y ^ 2 / 2).
Proof.
intros y0 x0.
pose (f := fun x => - (cosh (y + x) * exp (- (y + x) ^ 2 / 2))).
assert (h : f 0 <= f x).
{ apply (nondecr f (fun x => ((y + x) * cosh (y + x) - sinh (y + x)) * exp (- (y + x) ^ 2 / 2)));
    [exact x0| |].
  - intros z _. unfold f, cosh, sinh. auto_derive; [exact I|]. simpl. unfold Rdiv. field.
  - intros z [hz _]. apply Rmult_le_pos; [|apply Rlt_le, exp_pos].
    pose proof (sinh_le_cosh (y + z) ltac:(lra)). lra. }
unfold f in h. rewrite Rplus_0_r in h. lra.
Qed.

Theorem response_moment_le a e : 1 < a -> 0 <= e ->
  response_moment a e <= exp (a * (a - 1) * (e ^ 2 / 2)).
Proof.
intros a1 e0.
pose proof (cosh_falls (e / 2) ((a - 1) * e) ltac:(lra) ltac:(nra)) as h.
assert (c0 : 0 < cosh (e / 2)).
{ unfold cosh. pose proof (exp_pos (e / 2)). pose proof (exp_pos (- (e / 2))). lra. }
replace (response_moment a e) with (cosh (e / 2 + (a - 1) * e) / cosh (e / 2)).
2:{ unfold response_moment, cosh.
    replace (a * e) with (e / 2 + (e / 2 + (a - 1) * e)) by field.
    replace ((1 - a) * e) with (e / 2 + - (e / 2 + (a - 1) * e)) by field.
    replace (1 + exp e) with (exp (e / 2) * (exp (e / 2) + exp (- (e / 2)))).
    2:{ rewrite Rmult_plus_distr_l, <- !exp_plus.
        replace (e / 2 + e / 2) with e by field. replace (e / 2 + - (e / 2)) with 0 by ring.
        rewrite exp_0. ring. }
    rewrite !(exp_plus (e / 2)). pose proof (exp_pos (e / 2)). pose proof (exp_pos (- (e / 2))).
    field. split; lra. }
apply (Rmult_le_reg_r (cosh (e / 2))); [exact c0|].
unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
apply (Rmult_le_reg_r (exp (- (e / 2 + (a - 1) * e) ^ 2 / 2))); [apply exp_pos|].
eapply Rle_trans; [exact h|]. apply Req_le.
rewrite (Rmult_comm _ (cosh _)), Rmult_assoc, <- exp_plus. f_equal. f_equal. simpl. field.
Qed.

(** g(alpha) of SPEC, 11.15, and its slope. *)
Definition exponent rho e a := (a - 1) * (a * rho - e) + log_conversion a.
Definition slope rho e a := (2 * a - 1) * rho - e + ln (1 - / a).

Lemma exponent_split rho e a :
  exponent rho e a = a * (a - 1) * rho + (1 - a) * e + log_conversion a.
Proof. unfold exponent. ring. Qed.

Lemma ln_le_minus_1 x : 0 < x -> ln x <= x - 1.
Proof.
intros x0. pose proof (exp_ineq1_le (ln x)) as h. rewrite exp_ln in h by exact x0. lra.
Qed.

Theorem exponent_convex rho e a b : 1 < a -> 1 < b ->
  exponent rho e a + slope rho e a * (b - a) + rho * (b - a) ^ 2 <= exponent rho e b.
Proof.
intros a1 b1. unfold exponent, slope. rewrite !log_conversion_split by assumption.
replace (1 - / a) with ((a - 1) / a) by (field; lra). rewrite ln_div by lra.
assert (h : b * (ln b - ln a) <= (b - 1) * (ln (b - 1) - ln (a - 1))).
{ pose proof (ln_le_minus_1 (b / a) ltac:(apply Rdiv_lt_0_compat; lra)) as h1.
  pose proof (ln_le_minus_1 (b / a * ((a - 1) / (b - 1)))
    ltac:(apply Rmult_lt_0_compat; apply Rdiv_lt_0_compat; lra)) as h2.
  rewrite ln_mult in h2 by (apply Rdiv_lt_0_compat; lra).
  rewrite !ln_div in h2 by lra. rewrite ln_div in h1 by lra.
  apply (Rmult_le_compat_l (b - 1)) in h2; [|lra].
  replace ((b - 1) * (b / a * ((a - 1) / (b - 1)) - 1)) with (1 - b / a) in h2 by (field; lra).
  lra. }
simpl. nra.
Qed.

(** Where this holds for one alpha, no alpha gives a delta of which ln is at most l. *)
Corollary no_alpha rho e a l : 1 < a -> 0 < rho ->
  l < exponent rho e a - slope rho e a ^ 2 / (4 * rho) ->
  forall b, 1 < b -> l < exponent rho e b.
Proof.
intros a1 r0 h b b1. pose proof (exponent_convex rho e a b a1 b1) as c.
assert (s : slope rho e a * (b - a) + rho * (b - a) ^ 2 + slope rho e a ^ 2 / (4 * rho) =
  (2 * rho * (b - a) + slope rho e a) ^ 2 / (4 * rho)) by (field; lra).
assert (0 <= (2 * rho * (b - a) + slope rho e a) ^ 2 / (4 * rho)).
{ apply Rmult_le_pos; [apply pow2_ge_0|apply Rlt_le, Rinv_0_lt_compat; lra]. }
lra.
Qed.

Lemma no_square rho e l : 0 <= rho -> e < rho \/ (e - rho) ^ 2 < - (4 * rho * l) ->
  e < rho + 2 * sqrt (rho * - l).
Proof.
intros r0 h. pose proof (sqrt_pos (rho * - l)) as s. destruct (Rlt_dec e rho); [lra|].
destruct h as [h|h]; [lra|]. assert (p : 0 <= rho * - l) by (pose proof (pow2_ge_0 (e - rho)); lra).
pose proof (sqrt_sqrt (rho * - l) p). simpl in h. nra.
Qed.
