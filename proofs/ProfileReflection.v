(** The profile of a Gaussian mechanism: its values at e and -e give each other, as the two normal
    distributions may change places. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Normal ProfileShape.
Local Open Scope R_scope.

Lemma Phi_opp x : Phi (- x) = 1 - Phi x.
Proof.
unfold Phi. rewrite !integral_moment, moment_opp. pose proof half_pos as h. unfold half in h. field. lra.
Qed.

Lemma profile_reflect mu e : profile mu e = 1 - exp e + exp e * profile mu (- e).
Proof.
unfold profile.
replace (mu / 2 - - e / mu) with (- (- (mu / 2) - e / mu)) by (unfold Rdiv; ring).
replace (- (mu / 2) - - e / mu) with (- (mu / 2 - e / mu)) by (unfold Rdiv; ring).
rewrite !Phi_opp.
assert (e1 : exp e * exp (- e) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
set (p := Phi _). set (q := Phi _). replace (exp e * (1 - q - exp (- e) * (1 - p)))
  with (exp e * (1 - q) - exp e * exp (- e) * (1 - p)) by ring.
rewrite e1. ring.
Qed.
