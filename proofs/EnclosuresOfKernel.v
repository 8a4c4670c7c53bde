(** Enclosures of the kernel of the Fourier rules (FourierKernel.v), and of what bounds it.

    The kernel is [decay] times a turn by [angle] times what is left, the node's reciprocal less the
    polynomial; written out in real and imaginary parts ([rest_of_kernel]). *)
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From ExactDP Require Import Enclosures EnclosuresOfFormulas FourierKernel.
Local Open Scope R_scope.

Declare Scope formula_scope.
Delimit Scope formula_scope with F.
Bind Scope formula_scope with formula.

Section Formulas.
Variables (bits : Z) (a s M2 : formula).
Local Notation "x + y" := (plus x y) : formula_scope.
Local Notation "x - y" := (minus x y) : formula_scope.
Local Notation "- x" := (negative x) : formula_scope.
Local Notation "x * y" := (times bits x y) : formula_scope.
Local Notation "x / y" := (over bits x y) : formula_scope.
Local Open Scope formula_scope.

Let one := whole bits 1.
Let quarter := fraction_of bits 1 4.

Definition decay_formula (t : formula) : formula :=
  power_of_e bits (part 2 (s * s * (a * (a + one) - t * t) - M2 * (t * t))).
Definition angle_formula (t : formula) : formula :=
  part 2 ((s * s + M2) * (t * (multiple 2 a + one))).
Definition growth_formula : formula := power_of_e bits (part 2 (s * s * (a * (a + one)))).
Definition excess_formula : formula := one / (one - part 12 (s * s)).
Definition distance_formula (t : formula) : formula :=
  let theta := a + fraction_of bits 1 2 in s * s * (theta * theta + t * t).
Definition most_formula (x : formula) : formula :=
  fraction_of bits 3 4 + part 25 (multiple 4 x) + part 25 (multiple 2 (x * x)).
Definition weight_formula (kappa t : formula) : formula :=
  (one / (t * t) + kappa * (s * s) * most_formula (distance_formula t)) *
  power_of_e bits (part 2 (- ((s * s + M2) * (t * t)))).
Definition ratio_formula (d first : formula) : formula :=
  power_of_e bits (- ((part 2 (s * s) + M2) * (d * first))).

(** The real and the imaginary part of 1/((a + it)(a + 1 + it)) - s^2 K. *)
Definition rest_formula (k0 k1 k2 t : formula) : formula * formula :=
  let b := a + one in let v := one / (a * a + t * t) in let w := one / (b * b + t * t) in
  let ar := a * v in let ai := t * v in let br := b * w in let bi := t * w in
  let p := s * s * (a * b - t * t + quarter) in let q := s * s * (t * (a + b)) in
  (ar * br - ai * bi - s * s * (k0 + k1 * p + k2 * (p * p - q * q)),
   - (ar * bi + ai * br) - s * s * (k1 * q + k2 * multiple 2 (p * q))).
End Formulas.

Section Soundness.
Variables (bits : Z) (a s M2 : R) (A S V : formula).
Hypotheses (bits0 : (0 <= bits)%Z) (a0 : 0 < a).
Hypotheses (HA : agrees bits a A) (HS : agrees bits s S) (HV : agrees bits M2 V).
Implicit Types (t : R) (T : formula).

Ltac agree := repeat first [assumption
  | apply agrees_power | apply agrees_plus | apply agrees_minus | apply agrees_negative
  | apply agrees_times | apply agrees_divided | apply agrees_multiple
  | apply agrees_part; [lia|]
  | apply (agrees_whole bits bits0) | apply agrees_fraction; [assumption|lia]].

Lemma decay_agrees t T : agrees bits t T -> agrees bits (decay a s M2 t) (decay_formula bits A S V T).
Proof. intros HT. unfold decay, decay_formula. agree. Qed.

Lemma angle_agrees t T : agrees bits t T -> agrees bits (angle a s M2 t) (angle_formula bits A S V T).
Proof. intros HT. unfold angle, angle_formula. agree. Qed.

Lemma growth_agrees : agrees bits (growth a s) (growth_formula bits A S).
Proof. unfold growth, growth_formula. agree. Qed.

Lemma excess_agrees : agrees bits (excess s) (excess_formula bits S).
Proof. unfold excess, excess_formula. rewrite <- (Rmult_1_l (/ _)). agree. Qed.

Lemma distance_agrees t T : agrees bits t T -> agrees bits (distance a s t) (distance_formula bits A S T).
Proof. intros HT. unfold distance, distance_formula. agree. Qed.

Lemma most_agrees x X : agrees bits x X -> agrees bits (most x) (most_formula bits X).
Proof. intros HX. unfold most, most_formula. agree. Qed.

Lemma weight_agrees kappa k t T : agrees bits kappa k -> agrees bits t T ->
  agrees bits (weight a s M2 kappa t) (weight_formula bits A S V k T).
Proof.
intros HK HT. unfold weight, weight_formula. rewrite <- (Rmult_1_l (/ (t * t))).
pose proof (most_agrees _ _ (distance_agrees t T HT)). agree.
Qed.

Lemma ratio_agrees d first D F : agrees bits d D -> agrees bits first F ->
  agrees bits (ratio s M2 d first) (ratio_formula bits S V D F).
Proof. intros HD HF. unfold ratio, ratio_formula. agree. Qed.

Variable K : polynomial.

Definition rest_of_kernel t : C := (/ product_of_node a t - RtoC (s * s) * value_of K (argument a s t))%C.

Lemma kernelE t : kernel a s M2 K t =
  (RtoC (decay a s M2 t) * (cos (angle a s M2 t), sin (angle a s M2 t)) * rest_of_kernel t)%C.
Proof. reflexivity. Qed.

Lemma rest_agrees k0 k1 k2 t T : agrees bits (coefficient0 K) k0 -> agrees bits (coefficient1 K) k1 ->
  agrees bits (coefficient2 K) k2 -> agrees bits t T ->
  agrees bits (fst (rest_of_kernel t)) (fst (rest_formula bits A S k0 k1 k2 T)) /\
  agrees bits (snd (rest_of_kernel t)) (snd (rest_formula bits A S k0 k1 k2 T)).
Proof.
intros H0 H1 H2 HT. set (b := a + 1). set (v := 1 / (a * a + t * t)). set (w := 1 / (b * b + t * t)).
set (p := s * s * (a * b - t * t + 1 / 4)). set (q := s * s * (t * (a + b))).
assert (n : a * a + t * t <> 0) by nra. assert (m : b * b + t * t <> 0) by (unfold b; nra).
assert (e : (/ product_of_node a t)%C = (a * v * (b * w) - t * v * (t * w), - (a * v * (t * w) + t * v * (b * w)))).
{ unfold product_of_node, node, Cinv, v, w; simpl. fold b.
  assert (k : (a * b - t * (t + 0)) * ((a * b - t * (t + 0)) * 1) + (a * (t + 0) + t * b) * ((a * (t + 0) + t * b) * 1) =
    (a * a + t * t) * (b * b + t * t)) by ring.
  assert ((a * a + t * t) * (b * b + t * t) <> 0) by (apply Rmult_integral_contrapositive; split; assumption).
  rewrite k. f_equal; field; split; assumption. }
assert (r : rest_of_kernel t =
  (a * v * (b * w) - t * v * (t * w) - s * s * (coefficient0 K + coefficient1 K * p + coefficient2 K * (p * p - q * q)),
   - (a * v * (t * w) + t * v * (b * w)) - s * s * (coefficient1 K * q + coefficient2 K * (2 * (p * q))))).
{ unfold rest_of_kernel. rewrite e. unfold value_of, argument, product_of_node, node, p, q, b; simpl.
  apply injective_projections; simpl; field. }
rewrite r; unfold rest_formula; cbn [fst snd]. split; unfold b, v, w, p, q; agree.
Qed.
End Soundness.
