(** The profile of a Gaussian mechanism as a function of mu: it grows, and is at least that of two
    equal distributions, max(0, 1 - e^epsilon). *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms Normal NormalTails ProfileShape ProfileReflection.
Local Open Scope R_scope.

Section OneEpsilon.
Variables mu e : R.
Hypothesis mu0 : 0 < mu.

Lemma profile_of_equals : 1 - exp e < profile mu e.
Proof.
rewrite profile_reflect. pose proof (profile_pos mu mu0 (- e)). pose proof (exp_pos e). nra.
Qed.

Lemma is_derive_mu : is_derive (fun m => profile m e) mu (bell (mu / 2 - e / mu) / sqrt (2 * PI)).
Proof.
assert (D : forall c, is_derive (fun m => Phi (c * (m / 2) - e / m)) mu
  ((c / 2 + e / (mu * mu)) * (bell (c * (mu / 2) - e / mu) / sqrt (2 * PI)))).
{ intros c. apply (is_derive_comp Phi (fun m => c * (m / 2) - e / m)); [apply is_derive_Phi|].
  auto_derive; [lra|field; lra]. }
assert (bells : exp e * bell (-1 * (mu / 2) - e / mu) = bell (1 * (mu / 2) - e / mu)).
{ unfold bell. rewrite <- exp_plus. f_equal. field. lra. }
apply (is_derive_ext (fun m => Phi (1 * (m / 2) - e / m) - exp e * Phi (-1 * (m / 2) - e / m))).
{ intros m. unfold profile. rewrite Rmult_1_l. replace (-1 * (m / 2)) with (- (m / 2)) by ring. reflexivity. }
replace (bell (mu / 2 - e / mu) / sqrt (2 * PI)) with
  ((1 / 2 + e / (mu * mu)) * (bell (1 * (mu / 2) - e / mu) / sqrt (2 * PI)) -
   exp e * ((-1 / 2 + e / (mu * mu)) * (bell (-1 * (mu / 2) - e / mu) / sqrt (2 * PI)))).
2:{ rewrite <- bells. replace (mu / 2 - e / mu) with (1 * (mu / 2) - e / mu) by ring.
    rewrite <- bells. pose proof half_pos. unfold half in *. field. lra. }
apply (@is_derive_minus R_AbsRing R_NormedModule (fun m => Phi (1 * (m / 2) - e / m))); [apply D|].
apply (is_derive_scal (fun m => Phi (-1 * (m / 2) - e / m))), D.
Qed.
End OneEpsilon.

Theorem profile_monotone mu mu' e : 0 < mu -> mu <= mu' -> profile mu e <= profile mu' e.
Proof.
intros mu0 le. replace mu' with (mu + (mu' - mu)) by ring. rewrite <- (Rplus_0_r mu) at 1.
apply (nondecr (fun t => profile (mu + t) e)
  (fun t => bell ((mu + t) / 2 - e / (mu + t)) / sqrt (2 * PI))); [lra| |].
- intros t [t0 _]. replace (bell _ / _) with (1 * (bell ((mu + t) / 2 - e / (mu + t)) / sqrt (2 * PI))) by ring.
  apply (is_derive_comp (fun m => profile m e) (fun t => mu + t)); [apply is_derive_mu; lra|].
  auto_derive; [exact I|ring].
- intros t _. pose proof half_pos. unfold half in *. apply Rlt_le, Rdiv_lt_0_compat; [apply bell_pos|lra].
Qed.
