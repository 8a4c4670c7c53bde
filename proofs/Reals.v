(** Epsilon, delta and OptComp in the real numbers.

    Everything so far holds in any ordered field, about odds ratios.  Here the field is Coq's
    real numbers, the odds ratio is e^epsilon, and OptComp is the infimum of the paper.  This is
    where the axioms of the reals enter (assumptions.txt lists them). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Optimum.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope R_scope with coqR.
Global Arguments exp _%R.

Lemma exp_le (x y : R) : (exp x <= exp y) = (x <= y).
Proof.
apply/RleP/RleP => [h|]; first by case: (Rle_or_lt x y) => // /exp_increasing; lra.
by case=> [/exp_increasing/Rlt_le|->] //; exact: Rle_refl.
Qed.

Lemma exp_ge1 (x : R) : (1 <= exp x) = (0 <= x).
Proof. by rewrite -[X in X <= _]exp_0 exp_le. Qed.

Lemma exp_gt0 (x : R) : 0 < exp x.
Proof. by apply/RltP; exact: exp_pos. Qed.

Lemma expD (x y : R) : exp (x + y) = exp x * exp y.
Proof. exact: exp_plus. Qed.

Lemma exp_neq0 (x : R) : exp x != 0.
Proof. by rewrite gt_eqF ?exp_gt0. Qed.

Lemma expN (x : R) : exp (- x) = (exp x)^-1.
Proof.
by apply: (mulIf (exp_neq0 x)); rewrite -expD addNr mulVf ?exp_neq0 //; exact: exp_0.
Qed.

Section OptComp.
Variables (k : nat) (epsilon delta : 'I_k -> R).

(** The parameters as odds ratios. *)
Definition odds := parameters (fun i => exp (epsilon i)) delta.

(** Every adaptive composition of (epsilon_i, delta_i)-DP mechanisms is (e, d)-DP. *)
Definition all_compositions_dp (e d : R) := composition_dp odds (exp e) d.

(** OptComp(epsilon, delta, d) as in the paper: the infimum of all e >= 0 that are enough. *)
Definition is_optcomp (d x : R) :=
  (forall e, 0 <= e -> all_compositions_dp e d -> x <= e) /\
  (forall z, (forall e, 0 <= e -> all_compositions_dp e d -> z <= e) -> z <= x).

Hypotheses (epsilon0 : forall i, 0 <= epsilon i)
  (delta0 : forall i, 0 <= delta i) (delta1 : forall i, delta i < 1).

(** Theorem 1.5: OptComp is the least e >= 0 with D(e^e) <= Delta, and it is attained. *)
Theorem optcomp_theorem_1_5 (d : R) : 0 <= 1 - (1 - d) / \prod_i (1 - delta i) ->
  exists x, [/\ 0 <= x, is_optcomp d x, all_compositions_dp x d &
    forall e, 0 <= e ->
      ((\prod_i (1 + exp (epsilon i)))^-1 * optcomp_sum (fun i => exp (epsilon i)) (exp e)
         <= 1 - (1 - d) / \prod_i (1 - delta i)) = (x <= e)].
Proof.
move=> D0; have E1 i : 1 <= exp (epsilon i) by rewrite exp_ge1.
have [y y1 h] := optimum_attained E1 delta0 delta1 D0.
have y0 : (0 < y)%coqR by apply/RltP; exact: lt_le_trans ltr01 y1.
have lnE : exp (ln y) = y := exp_ln y y0.
have h' e : 0 <= e -> all_compositions_dp e d <-> ln y <= e.
  by move=> e0; rewrite -exp_le lnE; apply: h; rewrite exp_ge1.
have x0 : 0 <= ln y by rewrite -exp_ge1 lnE.
exists (ln y); split.
- exact: x0.
- by split=> [e e0 /(h' _ e0)//|z]; apply; last exact/h'.
- exact/h'.
- move=> e e0; apply/idP/idP => [|/(h' _ e0)].
    by move/(theorem_1_5 E1 delta0 delta1 _ (ltW (exp_gt0 e)))/(h' _ e0).
  by move/(theorem_1_5 E1 delta0 delta1 _ (ltW (exp_gt0 e))).
Qed.

Theorem optcomp_infeasible (d e : R) :
  1 - (1 - d) / \prod_i (1 - delta i) < 0 -> ~ all_compositions_dp e d.
Proof.
move=> D0; apply: infeasible => //; last exact: ltW (exp_gt0 e).
by move=> i; rewrite exp_ge1.
Qed.
End OptComp.
