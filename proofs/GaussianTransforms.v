(** Integrals of a falling function against waves, over the whole line.

    [transform] k t z says that z is the integral of k(u) e^{-itu}.  Integration by parts turns k' + bk into
    b + it ([transform_derivative], [transform_solved]); that of e^{-u^2/2} is sqrt(2 pi) e^{-t^2/2}, as both have the
    derivative -t times themselves, up to what vanishes far out ([transform_bell]). *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape NormalConvolution FejerKernel PoissonSummation.
Local Open Scope R_scope.

(** It falls exponentially to both sides. *)
Definition falls (f : R -> R) : Prop := exists B c, 0 < c /\ forall x, Rabs (f x) <= B * exp (- (c * Rabs x)).
(** k has the derivatives k1 and k2, and all three fall. *)
Definition smooth (k k1 k2 : R -> R) : Prop := (forall x, is_derive k x (k1 x)) /\
  (forall x, is_derive k1 x (k2 x)) /\ falls k /\ falls k1 /\ falls k2.
(** The integral of k(u) e^{-itu} is z, that is of k(u) cos(tu + c), for all c. *)
Definition transform (k : R -> R) (t : R) (z : C) : Prop :=
  forall c, whole (fun u => k u * cos (t * u + c)) (fst z * cos c + snd z * sin c).

Lemma falls_ext f g : (forall x, f x = g x) -> falls f -> falls g.
Proof. intros e [B [c [c0 h]]]. exists B, c. split; [exact c0|]. intros x. rewrite <- e. apply h. Qed.

Lemma falls_slower B c c' x : 0 <= B -> c' <= c -> B * exp (- (c * Rabs x)) <= B * exp (- (c' * Rabs x)).
Proof.
intros B0 cc. apply Rmult_le_compat_l; [exact B0|]. apply exp_le. pose proof (Rabs_pos x). nra.
Qed.

Lemma falls_bound0 f B c : (forall x, Rabs (f x) <= B * exp (- (c * Rabs x))) -> 0 <= B.
Proof.
intros h. pose proof (h 0) as k. pose proof (Rabs_pos (f 0)). rewrite Rabs_R0, Rmult_0_r, Ropp_0, exp_0 in k. lra.
Qed.

(** Two functions that fall do so alike. *)
Lemma falls_both f g : falls f -> falls g -> exists B c, 0 < c /\
  (forall x, Rabs (f x) <= B * exp (- (c * Rabs x))) /\ (forall x, Rabs (g x) <= B * exp (- (c * Rabs x))).
Proof.
intros [B [c [c0 h]]] [B' [c' [c0' h']]]. pose proof (falls_bound0 _ _ _ h). pose proof (falls_bound0 _ _ _ h').
exists (B + B'), (Rmin c c'). pose proof (Rmin_l c c'). pose proof (Rmin_r c c').
split; [unfold Rmin; destruct (Rle_dec c c'); assumption|].
assert (e : forall x, 0 < exp (- (Rmin c c' * Rabs x))) by (intros; apply exp_pos).
split; intros x; specialize (e x).
- eapply Rle_trans; [apply h|]. eapply Rle_trans; [apply (falls_slower B c (Rmin c c')); assumption|]. nra.
- eapply Rle_trans; [apply h'|]. eapply Rle_trans; [apply (falls_slower B' c' (Rmin c c')); assumption|]. nra.
Qed.

Lemma falls_plus f g : falls f -> falls g -> falls (fun x => f x + g x).
Proof.
intros F G. destruct (falls_both f g F G) as [B [c [c0 [h h']]]]. exists (2 * B), c. split; [exact c0|]. intros x.
pose proof (Rabs_triang (f x) (g x)). specialize (h x). specialize (h' x). lra.
Qed.

Lemma falls_scal a f : falls f -> falls (fun x => a * f x).
Proof.
intros [B [c [c0 h]]]. exists (Rabs a * B), c. split; [exact c0|]. intros x. rewrite Rabs_mult, Rmult_assoc.
apply Rmult_le_compat_l; [apply Rabs_pos|apply h].
Qed.

Lemma falls_turned f g : (forall x, Rabs (g x) <= 1) -> falls f -> falls (fun x => f x * g x).
Proof.
intros b [B [c [c0 h]]]. exists B, c. split; [exact c0|]. intros x. rewrite Rabs_mult.
specialize (h x). specialize (b x). pose proof (Rabs_pos (f x)). pose proof (Rabs_pos (g x)). nra.
Qed.

Lemma smooth_plus f f1 f2 g g1 g2 : smooth f f1 f2 -> smooth g g1 g2 ->
  smooth (fun x => f x + g x) (fun x => f1 x + g1 x) (fun x => f2 x + g2 x).
Proof.
intros [D [D' [F [F1 F2]]]] [E [E' [G [G1 G2]]]].
refine (conj _ (conj _ (conj _ (conj _ _)))); try (apply falls_plus; assumption); intros x; apply (@is_derive_plus R_AbsRing R_NormedModule); auto.
Qed.

Lemma smooth_scal a f f1 f2 : smooth f f1 f2 -> smooth (fun x => a * f x) (fun x => a * f1 x) (fun x => a * f2 x).
Proof.
intros [D [D' [F [F1 F2]]]].
refine (conj _ (conj _ (conj _ (conj _ _)))); try (apply falls_scal; assumption); intros x; apply (is_derive_scal _ x a); auto.
Qed.

Lemma transform_plus f g t z y : transform f t z -> transform g t y -> transform (fun x => f x + g x) t (z + y)%C.
Proof.
intros h k c. simpl. replace ((fst z + fst y) * cos c + (snd z + snd y) * sin c) with
  ((fst z * cos c + snd z * sin c) + (fst y * cos c + snd y * sin c)) by ring.
apply (whole_ext (fun u => f u * cos (t * u + c) + g u * cos (t * u + c))); [intros; ring|].
apply whole_plus; [apply h|apply k].
Qed.

Lemma transform_scal a f t z : transform f t z -> transform (fun x => a * f x) t (RtoC a * z)%C.
Proof.
intros h c. simpl. replace ((a * fst z - 0 * snd z) * cos c + (a * snd z + 0 * fst z) * sin c) with
  (a * (fst z * cos c + snd z * sin c)) by ring.
apply (whole_ext (fun u => a * (f u * cos (t * u + c)))); [intros; ring|]. apply whole_scal, h.
Qed.

Lemma transform_ext f g t z : (forall x, f x = g x) -> transform f t z -> transform g t z.
Proof. intros e h c. apply (whole_ext (fun u => f u * cos (t * u + c))); [intros; rewrite e; reflexivity|apply h]. Qed.

(** --- by parts --- *)

Lemma exp_inverse x eps : 0 < eps -> / eps <= x -> exp (- x) <= eps.
Proof.
intros e0 h. rewrite exp_Ropp. pose proof (exp_ineq1_le x).
rewrite <- (Rinv_inv eps). apply Rinv_le_contravar; [apply Rinv_0_lt_compat, e0|lra].
Qed.

Lemma whole_derivative g g' : (forall x, is_derive g x (g' x)) -> (forall x, continuous g' x) -> falls g ->
  whole g' 0.
Proof.
intros D cont [B [c [c0 h]]] eps e0. pose proof (falls_bound0 _ _ _ h) as B0.
set (e := eps / (2 * (B + 1))). assert (e1 : 0 < e) by (apply Rdiv_lt_0_compat; lra).
assert (ee : B * e <= eps / 2).
{ unfold e. replace (B * (eps / (2 * (B + 1)))) with (eps / 2 * (B / (B + 1))) by (field; lra).
  rewrite <- (Rmult_1_r (eps / 2)) at 2. apply Rmult_le_compat_l; [lra|].
  apply (Rmult_le_reg_r (B + 1)); [lra|]. replace (B / (B + 1) * (B + 1)) with B by (field; lra). lra. }
assert (far : forall x, / e / c <= Rabs x -> Rabs (g x) <= eps / 2).
{ intros x hx. eapply Rle_trans; [apply h|]. eapply Rle_trans; [|exact ee]. apply Rmult_le_compat_l; [exact B0|].
  apply exp_inverse; [exact e1|]. apply (Rmult_le_reg_r (/ c)); [apply Rinv_0_lt_compat, c0|].
  replace (c * Rabs x * / c) with (Rabs x) by (field; lra). exact hx. }
exists (/ e / c). intros p q hp hq. exists (minus (g q) (g p)). split.
- apply (@is_RInt_derive R_CompleteNormedModule); intros; [apply D|apply cont].
- pose proof (far p) as fp. pose proof (far q) as fq. pose proof (Rle_abs q). pose proof (Rle_abs (- p)).
  rewrite Rabs_Ropp in *. specialize (fp ltac:(lra)). specialize (fq ltac:(lra)).
  unfold minus, plus, opp; simpl. replace (g q + - g p - 0) with (g q + - g p) by ring.
  pose proof (Rabs_triang (g q) (- g p)). rewrite Rabs_Ropp in *. lra.
Qed.

Section Parts.
Variables (k k1 k2 : R -> R) (b t : R).
Hypothesis S : smooth k k1 k2.

Let cont (f f' : R -> R) : (forall x, is_derive f x (f' x)) -> forall x, continuous f x.
Proof. intros D x. apply (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply D. Qed.

Let bounded_cos c : forall u, Rabs (cos (t * u + c)) <= 1.
Proof. intros u. apply Rabs_le, COS_bound. Qed.

Let parts c : whole (fun u => k1 u * cos (t * u + c) - t * (k u * sin (t * u + c))) 0.
Proof.
destruct S as [D [D' [F _]]].
apply (whole_derivative (fun u => k u * cos (t * u + c))); [| |apply falls_turned; [apply bounded_cos|exact F]].
- intros x. replace (k1 x * cos (t * x + c) - t * (k x * sin (t * x + c))) with
    (k1 x * cos (t * x + c) + k x * (t * - sin (t * x + c))) by ring.
  apply (is_derive_mult k (fun u => cos (t * u + c))); [apply D| |intros; apply Rmult_comm].
  apply (is_derive_comp cos (fun u => t * u + c)); [apply is_derive_cos|]. auto_derive; [exact I|ring].
- intros x. apply (@continuous_minus R_UniformSpace R_AbsRing R_NormedModule (fun u => k1 u * cos (t * u + c))).
  + apply (@continuous_mult R_UniformSpace R_AbsRing k1); [apply (cont _ _ D')|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. exact I.
  + apply (@continuous_scal_r R_UniformSpace R_AbsRing R_NormedModule t (fun u => k u * sin (t * u + c))).
    apply (@continuous_mult R_UniformSpace R_AbsRing k); [apply (cont _ _ D)|].
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). auto_derive. exact I.
Qed.

Let sine c u : cos (t * u + (c - PI / 2)) = sin (t * u + c).
Proof. rewrite <- cos_shift. rewrite <- cos_neg. f_equal. ring. Qed.

Let cosine c u : sin (t * u + (c - PI / 2)) = - cos (t * u + c).
Proof. rewrite <- sin_shift. rewrite <- sin_neg. f_equal. ring. Qed.

Let back c : cos (c - PI / 2) = sin c /\ sin (c - PI / 2) = - cos c.
Proof.
split; [rewrite <- cos_shift, <- cos_neg|rewrite <- sin_shift, <- sin_neg]; f_equal; ring.
Qed.

Theorem transform_derivative z : transform k t z -> transform (fun u => k1 u + b * k u) t ((b, t) * z)%C.
Proof.
intros h c. simpl. pose proof (whole_plus _ _ _ _ (parts c) (whole_plus _ _ _ _ (whole_scal b _ _ (h c))
  (whole_scal t _ _ (h (c - PI / 2))))) as w.
destruct (back c) as [e e']. rewrite e, e' in w.
replace ((b * fst z - t * snd z) * cos c + (b * snd z + t * fst z) * sin c) with
  (0 + (b * (fst z * cos c + snd z * sin c) + t * (fst z * sin c + snd z * - cos c))) by ring.
eapply whole_ext; [|exact w]. intros u. cbv beta. rewrite sine. ring.
Qed.

Theorem transform_solved z : b <> 0 -> transform (fun u => k1 u + b * k u) t z -> transform k t (z / (b, t))%C.
Proof.
intros nz h c. assert (n : b * b + t * t <> 0) by (pose proof (Rlt_0_sqr b nz); unfold Rsqr in *; nra).
pose proof (whole_scal (/ (b * b + t * t)) _ _ (whole_plus _ _ _ _
  (whole_plus _ _ _ _ (whole_scal b _ _ (h c)) (whole_scal (- t) _ _ (h (c - PI / 2))))
  (whole_plus _ _ _ _ (whole_scal (- b) _ _ (parts c)) (whole_scal t _ _ (parts (c - PI / 2)))))) as w.
destruct (back c) as [e e']. rewrite e, e' in w.
assert (v : forall x y, x = y -> whole (fun u => k u * cos (t * u + c)) x -> whole (fun u => k u * cos (t * u + c)) y)
  by (intros x y exy; rewrite exy; trivial).
eapply v; [|eapply whole_ext; [|exact w]].
- simpl. field. replace (b * (b * 1) + t * (t * 1)) with (b * b + t * t) by ring.
  repeat split; try exact n; try (intro; apply n; lra).
- intros u. cbv beta. rewrite sine, cosine. field. exact n.
Qed.
End Parts.

(** --- the normal density --- *)

Section Bell.
Variables (p q c : R).
Hypothesis pq : p <= q.

Let windowed (t : R) : R := RInt (fun u => bell u * cos (t * u + c)) p q.

Let continuous_wave t z : continuous (fun u => bell u * cos (t * u + c)) z.
Proof. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold bell. auto_derive. exact I. Qed.

Let is_derive_windowed t : is_derive windowed t
  (bell q * sin (t * q + c) - bell p * sin (t * p + c) - t * windowed t).
Proof.
assert (D : forall y u, is_derive (fun t => bell u * cos (t * u + c)) y (bell u * (u * - sin (y * u + c)))).
{ intros y u. apply (is_derive_scal (fun t => cos (t * u + c)) y (bell u)).
  apply (is_derive_comp cos (fun t => t * u + c)); [apply is_derive_cos|]. auto_derive; [exact I|ring]. }
replace (bell q * sin (t * q + c) - bell p * sin (t * p + c) - t * windowed t) with
  (RInt (fun u => Derive (fun t => bell u * cos (t * u + c)) t) p q).
- apply (is_derive_RInt_param (fun t u => bell u * cos (t * u + c))).
  + exists (mkposreal 1 Rlt_0_1). intros y _ u _. eexists. apply D.
  + intros u _. apply continuity_2d_pt_ext with (fun x y => exp (- (y * y) / 2) * (y * - sin (x * y + c))).
      intros x y. symmetry. apply is_derive_unique, D.
    repeat apply continuity_2d_pt_mult; [|apply continuity_2d_pt_id2|apply continuity_2d_pt_opp].
    * apply (continuity_1d_2d_pt_comp exp); [apply derivable_continuous_pt, derivable_pt_exp|]. unfold Rdiv.
      repeat first [apply continuity_2d_pt_mult | apply continuity_2d_pt_plus | apply continuity_2d_pt_opp
        | apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2].
    * apply (continuity_1d_2d_pt_comp sin); [apply derivable_continuous_pt, derivable_pt_sin|].
      repeat first [apply continuity_2d_pt_mult | apply continuity_2d_pt_plus | apply continuity_2d_pt_opp
        | apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2].
  + exists (mkposreal 1 Rlt_0_1). intros y _. apply (@ex_RInt_continuous R_CompleteNormedModule).
    intros z _. apply continuous_wave.
- apply (@is_RInt_unique R_CompleteNormedModule).
  apply (is_RInt_ext (fun u => minus (t * - (bell u * cos (t * u + c)) + t * (bell u * cos (t * u + c)) +
    (- u * bell u * sin (t * u + c) + bell u * (t * cos (t * u + c)))) (t * (bell u * cos (t * u + c))))).
  { intros u _. symmetry. etransitivity; [apply is_derive_unique, D|]. unfold minus, plus, opp; simpl. ring. }
  apply (@is_RInt_minus R_NormedModule).
  + apply (is_RInt_ext (fun u => - u * bell u * sin (t * u + c) + bell u * (t * cos (t * u + c)))).
    { intros u _. simpl. ring. }
    apply (@is_RInt_derive R_CompleteNormedModule (fun u => bell u * sin (t * u + c))).
    * intros u _. unfold bell. auto_derive; [exact I|]. unfold Rdiv. field.
    * intros u _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold bell. auto_derive. exact I.
  + apply RInt_scaled. apply (@RInt_correct R_CompleteNormedModule), (@ex_RInt_continuous R_CompleteNormedModule).
    intros z _. apply continuous_wave.
Qed.

Let windowed0 : windowed 0 = cos c * (sqrt (2 * PI) * (Phi q - Phi p)).
Proof.
unfold windowed. apply (@is_RInt_unique R_CompleteNormedModule).
apply (is_RInt_ext (fun u => cos c * (sqrt (2 * PI) * phi u))).
{ intros u _. unfold phi. rewrite Rmult_0_l, Rplus_0_l. pose proof root_pos. simpl. field. lra. }
apply RInt_scaled, RInt_scaled. rewrite <- Phi_increment. apply (@RInt_correct R_CompleteNormedModule).
apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_phi.
Qed.

Lemma windowed_near t : is_RInt (fun u => bell u * cos (t * u + c)) p q (windowed t) /\
  Rabs (windowed t - sqrt (2 * PI) * exp (- (t * t) / 2) * cos c) <=
  Rabs t * (bell p + bell q) + sqrt (2 * PI) * (1 - (Phi q - Phi p)).
Proof.
split.
{ apply (@RInt_correct R_CompleteNormedModule), (@ex_RInt_continuous R_CompleteNormedModule).
  intros z _. apply continuous_wave. }
pose (g := fun t => exp (t * t / 2) * windowed t).
assert (D : forall t, is_derive g t (exp (t * t / 2) * (bell q * sin (t * q + c) - bell p * sin (t * p + c)))).
{ intros x. replace (exp (x * x / 2) * (bell q * sin (x * q + c) - bell p * sin (x * p + c))) with
    (x * exp (x * x / 2) * windowed x +
     exp (x * x / 2) * (bell q * sin (x * q + c) - bell p * sin (x * p + c) - x * windowed x)) by ring.
  apply (is_derive_mult (fun t => exp (t * t / 2)) windowed); [|apply is_derive_windowed|intros; apply Rmult_comm].
  auto_derive; [exact I|]. unfold Rdiv. field. }
destruct (MVT_gen g 0 t (fun t => exp (t * t / 2) * (bell q * sin (t * q + c) - bell p * sin (t * p + c))))
  as [x [xb e]]; [intros; apply D| |].
{ intros y _. apply continuity_pt_filterlim, (@ex_derive_continuous R_AbsRing R_NormedModule). eexists. apply D. }
unfold g in e. rewrite Rmult_0_l in e. replace (0 / 2) with 0 in e by field. rewrite exp_0, Rmult_1_l, Rminus_0_r in e.
assert (xt : x * x <= t * t) by (unfold Rmin, Rmax in xb; destruct (Rle_dec 0 t); nra).
set (E := exp (t * t / 2)) in *. assert (E0 : 0 < E) by apply exp_pos.
assert (inv : exp (- (t * t) / 2) = / E) by (unfold E; rewrite <- exp_Ropp; f_equal; field).
pose proof (exp_le (x * x / 2) (t * t / 2) ltac:(lra)) as xE. fold E in xE. pose proof (exp_pos (x * x / 2)).
set (s := bell q * sin (x * q + c) - bell p * sin (x * p + c)) in *.
assert (sb : Rabs s <= bell p + bell q).
{ pose proof (SIN_bound (x * q + c)). pose proof (SIN_bound (x * p + c)). pose proof (bell_pos p). pose proof (bell_pos q).
  apply Rabs_le. unfold s. split; nra. }
rewrite windowed0 in e. rewrite inv.
replace (windowed t - sqrt (2 * PI) * / E * cos c) with
  (/ E * (exp (x * x / 2) * s * t) + / E * (cos c * (sqrt (2 * PI) * (Phi q - Phi p - 1)))).
2:{ rewrite <- e. field. lra. }
pose proof root_pos as r. destruct (Phi_inside q), (Phi_inside p). pose proof (Phi_le p q pq).
pose proof (Rabs_triang (/ E * (exp (x * x / 2) * s * t)) (/ E * (cos c * (sqrt (2 * PI) * (Phi q - Phi p - 1))))).
assert (i : 0 < / E <= 1).
{ split; [apply Rinv_0_lt_compat, E0|]. rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|].
  unfold E. rewrite <- exp_0. apply exp_le. pose proof (Rle_0_sqr t). unfold Rsqr in *. lra. }
assert (one : Rabs (/ E * (exp (x * x / 2) * s * t)) <= Rabs t * (bell p + bell q)).
{ rewrite !Rabs_mult, (Rabs_right (/ E)), (Rabs_right (exp _)) by lra.
  replace (/ E * (exp (x * x / 2) * Rabs s * Rabs t)) with (Rabs t * (/ E * exp (x * x / 2) * Rabs s)) by ring.
  apply Rmult_le_compat_l; [apply Rabs_pos|]. rewrite <- (Rmult_1_l (bell p + bell q)).
  apply Rmult_le_compat; [apply Rmult_le_pos; lra|apply Rabs_pos| |exact sb].
  rewrite <- (Rinv_l E) by lra. apply Rmult_le_compat_l; lra. }
assert (two : Rabs (/ E * (cos c * (sqrt (2 * PI) * (Phi q - Phi p - 1)))) <= sqrt (2 * PI) * (1 - (Phi q - Phi p))).
{ rewrite !Rabs_mult, (Rabs_right (/ E)), (Rabs_right (sqrt _)) by lra.
  rewrite (Rabs_left1 (Phi q - Phi p - 1)) by lra. pose proof (Rabs_pos (cos c)).
  assert (Rabs (cos c) <= 1) by apply Rabs_le, COS_bound.
  set (y := sqrt (2 * PI) * - (Phi q - Phi p - 1)). assert (0 <= y) by (apply Rmult_le_pos; lra).
  replace (sqrt (2 * PI) * (1 - (Phi q - Phi p))) with y by (unfold y; ring).
  assert (/ E * Rabs (cos c) <= 1) by nra. assert (0 <= / E * Rabs (cos c)) by (apply Rmult_le_pos; lra). nra. }
lra.
Qed.
End Bell.

Theorem transform_bell t : transform bell t (RtoC (sqrt (2 * PI) * exp (- (t * t) / 2))).
Proof.
intros c. simpl. rewrite Rmult_0_l, Rplus_0_r. intros eps e0. pose proof root_pos as r. pose proof (Rabs_pos t) as t0.
set (X := 4 * Rabs t + 2 * sqrt (2 * PI)). assert (X0 : 0 < X) by (unfold X; lra).
exists (X / eps). intros p q hp hq. assert (M0 : 0 < X / eps) by (apply Rdiv_lt_0_compat; assumption).
destruct (windowed_near p q c ltac:(lra) t) as [h le]. eexists. split; [exact h|]. eapply Rle_trans; [exact le|].
assert (small : forall x, X / eps <= x -> bell x <= 2 * (eps / X) /\ Phi (- x) <= eps / X).
{ intros x hx. pose proof (Phi_opp_small x ltac:(lra)) as P. pose proof (bell_le x) as b. pose proof (bell_pos x).
  assert (i : / x <= eps / X).
  { replace (eps / X) with (/ (X / eps)) by (field; lra). apply Rinv_le_contravar; lra. }
  split; [|lra]. assert (x * bell x <= 2) by nra.
  apply Rle_trans with (2 * / x); [|lra]. apply (Rmult_le_reg_l x); [lra|].
  replace (x * (2 * / x)) with 2 by (field; lra). assumption. }
destruct (small q hq) as [bq Pq]. destruct (small (- p) ltac:(lra)) as [bp Pp].
assert (even : bell (- p) = bell p) by (unfold bell; f_equal; field). rewrite even in bp.
rewrite Ropp_involutive in Pp. rewrite ProfileReflection.Phi_opp in Pq.
apply Rle_trans with (X * (eps / X)); [|apply Req_le; field; lra]. unfold X at 1.
rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
- replace (4 * Rabs t * (eps / X)) with (Rabs t * (4 * (eps / X))) by ring. apply Rmult_le_compat_l; lra.
- replace (2 * sqrt (2 * PI) * (eps / X)) with (sqrt (2 * PI) * (2 * (eps / X))) by ring. apply Rmult_le_compat_l; lra.
Qed.
