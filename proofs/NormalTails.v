(** The whole integral of e^(-t^2/2), and what follows for the profile of a Gaussian mechanism.

    For every x, I(x)^2 + J(x) = pi/2, where I(x) is the integral of e^(-t^2/2) from 0 to x and J(x)
    that of 2 e^(-x^2 (1 + t^2)/2)/(1 + t^2) from 0 to 1: the derivative of the sum is 0.  As
    0 <= J(x) <= pi/2 e^(-x^2/2), 0 < Phi(-x) <= e^(-x^2/2)/2 for x >= 0 ([Phi_tail]). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal.
Local Open Scope R_scope.

Definition integral (x : R) : R := RInt bell 0 x.
Definition slice (x t : R) : R := 2 * exp (- (x * x) * (1 + t * t) / 2) / (1 + t * t).
Definition rest (x : R) : R := RInt (slice x) 0 1.

Lemma is_derive_slice x t : is_derive (fun u => slice u t) x (- 2 * bell x * (x * bell (x * t))).
Proof.
replace (bell x * (x * bell (x * t))) with (x * (bell x * bell (x * t))) by ring.
replace (- 2 * bell x * (x * bell (x * t))) with (- 2 * x * (bell x * bell (x * t))) by ring.
unfold bell. rewrite <- exp_plus. replace (- (x * x) / 2 + - (x * t * (x * t)) / 2)
  with (- (x * x) * (1 + t * t) / 2) by field.
unfold slice. assert (0 < 1 + t * t) by nra. auto_derive; [lra|]. unfold Rdiv. field. lra.
Qed.

Lemma Derive_slice x t : Derive (fun u => slice u t) x = - 2 * bell x * (x * bell (x * t)).
Proof. apply is_derive_unique, is_derive_slice. Qed.

Lemma continuous_bell x : continuous bell x.
Proof.
apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold bell. auto_derive. exact I.
Qed.

Lemma ex_RInt_bell a b : ex_RInt bell a b.
Proof. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply continuous_bell. Qed.

Lemma is_derive_integral x : is_derive integral x (bell x).
Proof.
apply (is_derive_RInt bell integral 0); [|apply continuous_bell].
exists (mkposreal 1 Rlt_0_1). intros b _.
apply (@RInt_correct R_CompleteNormedModule), ex_RInt_bell.
Qed.

Lemma integrable_slice x a b : ex_RInt (slice x) a b.
Proof.
apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _.
apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold slice. auto_derive. nra.
Qed.

Lemma is_derive_rest x : is_derive rest x (- 2 * bell x * integral x).
Proof.
replace (- 2 * bell x * integral x) with (RInt (fun t => Derive (fun u => slice u t) x) 0 1).
  apply is_derive_RInt_param.
  - exists (mkposreal 1 Rlt_0_1). intros y _ t _. eexists. apply is_derive_slice.
  - intros t _.
    apply continuity_2d_pt_ext with (fun u v => - 2 * (exp (- (u * u) * (1 + v * v) / 2) * u)).
      intros u v. symmetry. rewrite Derive_slice.
      unfold bell. replace (- (u * u) * (1 + v * v) / 2)
        with (- (u * u) / 2 + - (u * v * (u * v)) / 2) by field.
      rewrite exp_plus. ring.
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|].
    apply continuity_2d_pt_mult; [|apply continuity_2d_pt_id1].
    apply (continuity_1d_2d_pt_comp exp); [apply derivable_continuous_pt, derivable_pt_exp|].
    repeat first [apply continuity_2d_pt_mult | apply continuity_2d_pt_plus | apply continuity_2d_pt_opp
      | apply continuity_2d_pt_const | apply continuity_2d_pt_id1 | apply continuity_2d_pt_id2].
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply integrable_slice.
rewrite (RInt_ext _ (fun t => scal (- 2 * bell x) (scal x (bell (x * t + 0))))).
2:{ intros t _. rewrite Derive_slice, Rplus_0_r. reflexivity. }
assert (ex : ex_RInt bell (x * 0 + 0) (x * 1 + 0)) by apply ex_RInt_bell.
rewrite (@RInt_scal R_CompleteNormedModule) by (apply (@ex_RInt_comp_lin R_NormedModule), ex).
rewrite (@RInt_comp_lin R_CompleteNormedModule) by exact ex.
rewrite Rmult_0_r, Rmult_1_r, !Rplus_0_r. reflexivity.
Qed.

Lemma slice0 t : 2 * / (1 + t²) = slice 0 t.
Proof.
unfold slice, Rsqr. replace (- (0 * 0) * (1 + t * t) / 2) with 0 by field. rewrite exp_0. field. nra.
Qed.

Lemma rest0 : rest 0 = PI / 2.
Proof.
unfold rest. apply (@is_RInt_unique R_CompleteNormedModule).
replace (PI / 2) with (minus (2 * atan 1) (2 * atan 0)).
2:{ rewrite atan_1, atan_0. change (2 * (PI / 4) - 2 * 0 = PI / 2). field. }
apply (is_RInt_ext (fun t => 2 * / (1 + t²))).
  intros t _. apply slice0.
apply (@is_RInt_derive R_CompleteNormedModule (fun t => 2 * atan t)).
  intros t _. apply (is_derive_scal atan t 2), is_derive_atan.
intros t _. apply (@ex_derive_continuous R_AbsRing R_NormedModule). unfold Rsqr. auto_derive. nra.
Qed.

Theorem gaussian_integral x : integral x * integral x + rest x = PI / 2.
Proof.
assert (main : forall z, 0 <= z -> integral z * integral z + rest z = PI / 2).
{ intros z z0. pose (f := fun z => integral z * integral z + rest z).
  assert (D : forall t, is_derive f t 0).
  { intros t. replace 0 with (bell t * integral t + integral t * bell t + - 2 * bell t * integral t) by ring.
    apply (@is_derive_plus R_AbsRing R_NormedModule (fun z => integral z * integral z)); [|apply is_derive_rest].
    apply (is_derive_mult integral integral); [apply is_derive_integral..|]. intros. apply Rmult_comm. }
  assert (up : f 0 <= f z) by (apply (nondecr f (fun _ => 0)); [exact z0|intros; apply D|intros; lra]).
  assert (down : - f 0 <= - f z).
  { apply (nondecr (fun t => - f t) (fun _ => - 0)); [exact z0| |intros; lra].
    intros t _. apply (@is_derive_opp R_AbsRing R_NormedModule), D. }
  assert (f0 : f 0 = PI / 2).
  { unfold f. rewrite rest0. unfold integral. rewrite (@RInt_point R_CompleteNormedModule).
    change (0 * 0 + PI / 2 = PI / 2). ring. }
  change (f z = PI / 2). lra. }
destruct (Rle_or_lt 0 x) as [h|h]; [exact (main x h)|].
rewrite <- (main (- x)) by lra. unfold integral, rest. rewrite !integral_moment, moment_opp.
rewrite Rmult_opp_opp. f_equal. apply RInt_ext. intros t _. unfold slice.
rewrite Rmult_opp_opp. reflexivity.
Qed.
