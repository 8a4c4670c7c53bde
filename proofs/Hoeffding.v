(** Hoeffding's inequality for privacy losses of randomized response.

    The loss of composed randomized responses is a sum of independent losses, epsilon_i with
    probability p_i = E_i/(1 + E_i) and else -epsilon_i; their means are epsilon_i tanh(epsilon_i/2).
    Each has E[e^{h L}] <= e^{h mean + (h epsilon_i)^2/2} ([hoeffding]), and the divergence is the
    mean of max(0, 1 - e^{epsilon - L}), which is at most a multiple of e^{h (L - epsilon)}
    ([positive_part_exponential]).  Together: [divergence_hoeffding]. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms.

(** For p + q = 1: p e^h + q e^-h <= e^{(p - q) h + h^2/2}, by two derivatives of the logarithm. *)
Section MomentGenerating.
Local Open Scope R_scope.
Variables p q : R.
Hypotheses (p0 : 0 < p) (q0 : 0 < q) (pq : p + q = 1).

Let mgf h := p * exp h + q * exp (- h).
Let tilted h := (p * exp h - q * exp (- h)) / mgf h.

Let mgf_gt0 h : 0 < mgf h.
Proof. pose proof (exp_pos h). pose proof (exp_pos (- h)). unfold mgf. nra. Qed.

Let mgf_0 : mgf 0 = 1.
Proof. unfold mgf. rewrite Ropp_0, exp_0. lra. Qed.

Let tilted_le h : 0 <= h -> tilted h <= p - q + h.
Proof.
intros h0. enough (p - q + 0 - tilted 0 <= p - q + h - tilted h) as H.
{ replace (tilted 0) with (p - q) in H; [lra|].
  unfold tilted. rewrite mgf_0, Ropp_0, exp_0. field. }
apply (nondecr (fun h => p - q + h - tilted h) (fun h => tilted h * tilted h)); [exact h0| |].
- intros x _. pose proof (mgf_gt0 x) as M. unfold tilted, mgf in *. auto_derive; [lra|]. field. lra.
- intros x _. nra.
Qed.

Lemma hoeffding h : 0 <= h -> p * exp h + q * exp (- h) <= exp ((p - q) * h + h * h / 2).
Proof.
intros h0. fold (mgf h). rewrite <- (exp_ln (mgf h) (mgf_gt0 h)).
enough (ln (mgf h) <= (p - q) * h + h * h / 2) as H.
{ destruct H as [H| ->]; [apply Rlt_le, exp_increasing, H|lra]. }
enough ((p - q) * 0 + 0 * 0 / 2 - ln (mgf 0) <= (p - q) * h + h * h / 2 - ln (mgf h)) as H.
{ rewrite mgf_0, ln_1 in H. lra. }
apply (nondecr (fun h => (p - q) * h + h * h / 2 - ln (mgf h)) (fun h => p - q + h - tilted h)).
- exact h0.
- intros x _. pose proof (mgf_gt0 x) as M. unfold tilted, mgf in *. auto_derive; [lra|]. field. lra.
- intros x [x0 _]. pose proof (tilted_le x x0). lra.
Qed.
End MomentGenerating.

(** (1 + h)(1 - e^-x) <= e^{h x}, as e^y >= 1 + y for y = h x and for y = -x. *)
Lemma positive_part_exponential h x : (0 <= h -> (1 + h) * (1 - exp (- x)) <= exp (h * x))%R.
Proof.
intros h0. pose proof (exp_ineq1_le (h * x)). pose proof (exp_ineq1_le (- x)).
pose proof (exp_pos (- x)). nra.
Qed.
