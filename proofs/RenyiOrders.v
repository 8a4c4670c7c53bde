(** Rényi divergences do not fall as their order grows: the inequality of one variable behind it. *)
From Coq Require Import Reals Lra.
Local Open Scope R_scope.

(** The exponential lies below its chord from 0. *)
Theorem exp_chord t s : 0 <= t -> t <= 1 -> exp (t * s) <= 1 - t + t * exp s.
Proof.
intros t0 t1. pose proof (exp_ineq1_le ((1 - t) * s)) as A. pose proof (exp_ineq1_le (- (t * s))) as B.
pose proof (exp_pos (t * s)) as p.
assert (e1 : exp s = exp (t * s) * exp ((1 - t) * s)) by (rewrite <- exp_plus; f_equal; lra).
assert (e2 : exp (t * s) * exp (- (t * s)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
apply (Rmult_le_compat_l (t * exp (t * s))) in A; [|apply Rmult_le_pos; lra].
apply (Rmult_le_compat_l ((1 - t) * exp (t * s))) in B; [|apply Rmult_le_pos; lra].
assert (e3 : (1 - t) * (exp (t * s) * exp (- (t * s))) = 1 - t) by (rewrite e2; lra).
rewrite e1. lra.
Qed.
