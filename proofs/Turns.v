(** Sums of cosines over full turns: a sum of roots of unity is the number of them, or 0. *)
From Coq Require Import Reals Lra Lia ZArith.
Local Open Scope R_scope.

Fixpoint sum_to (f : nat -> R) (m : nat) : R :=
  match m with O => 0 | S n => sum_to f n + f n end.

(** The part k of m of a full turn. *)
Definition turn (m : nat) (k : Z) : R := 2 * PI * IZR k / INR m.

Lemma whole_turns k : sin (2 * PI * IZR k) = 0 /\ cos (2 * PI * IZR k) = 1.
Proof.
assert (s : sin (IZR k * PI) = 0) by (apply sin_eq_0_1; exists k; reflexivity).
replace (2 * PI * IZR k) with (2 * (IZR k * PI)) by ring. split.
- rewrite sin_2a, s. ring.
- rewrite cos_2a_sin, s. ring.
Qed.

Lemma telescoped x m : 2 * sin (x / 2) * sum_to (fun n => cos (INR n * x)) m =
  sin (INR m * x - x / 2) + sin (x / 2).
Proof.
induction m as [|m IH]; cbn [sum_to].
- replace (INR 0 * x - x / 2) with (- (x / 2)) by (simpl; ring). rewrite sin_neg. ring.
- rewrite Rmult_plus_distr_l, IH, S_INR.
  replace ((INR m + 1) * x - x / 2) with (INR m * x + x / 2) by field.
  rewrite sin_plus, sin_minus. ring.
Qed.

Lemma sum_of_ones f m : (forall n, f n = 1) -> sum_to f m = INR m.
Proof. intros h. induction m as [|m IH]; cbn [sum_to]; [reflexivity|rewrite IH, h, S_INR; ring]. Qed.

Theorem roots_of_unity m k : (0 < m)%nat ->
  sum_to (fun n => cos (INR n * turn m k)) m = if Z.eqb (k mod Z.of_nat m) 0 then INR m else 0.
Proof.
intros m0. assert (r0 : INR m <> 0) by (apply not_0_INR; lia).
destruct (Z.eqb_spec (k mod Z.of_nat m) 0) as [e|ne].
- apply sum_of_ones. intros n. apply Z.mod_divide in e; [|lia]. destruct e as [q e].
  replace (INR n * turn m k) with (2 * PI * IZR (Z.of_nat n * q)).
  + apply whole_turns.
  + unfold turn. rewrite e, !mult_IZR, <- !INR_IZR_INZ. field. exact r0.
- pose proof (telescoped (turn m k) m) as t.
  replace (INR m * turn m k - turn m k / 2) with (2 * PI * IZR k - turn m k / 2) in t
    by (unfold turn; field; exact r0).
  rewrite sin_minus in t. destruct (whole_turns k) as [s c]. rewrite s, c in t.
  assert (half : sin (turn m k / 2) <> 0).
  { intros h. apply sin_eq_0_0 in h. destruct h as [j h]. apply ne.
    assert (e : IZR k = IZR (j * Z.of_nat m)).
    { rewrite mult_IZR, <- INR_IZR_INZ. apply (Rmult_eq_reg_r (PI / INR m)).
      - transitivity (turn m k / 2); [unfold turn; field; exact r0|]. rewrite h. field. exact r0.
      - apply Rmult_integral_contrapositive. split; [exact PI_neq0|apply Rinv_neq_0_compat, r0]. }
    apply eq_IZR in e. rewrite e. apply Z.mod_mul. lia. }
  apply (Rmult_eq_reg_l (2 * sin (turn m k / 2))).
  + rewrite t. ring.
  + apply Rmult_integral_contrapositive. split; [lra|exact half].
Qed.
