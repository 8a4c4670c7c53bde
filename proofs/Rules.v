(** The rules of certs/SPEC.md, section 11: if the checks pass, the statement holds.

    Statements are about e^epsilon in the real numbers and about the integers that a verifier
    computes: [S] = 10^D is the scale of weights, [B] = 2^bits that of everything else, [w] a
    table of weights, [z] bounds of e^-r, [dlo] and [dhi] bounds of Delta.  A rule's lemma asks of
    the integers only the inequalities that define them; how they are found does not matter.
    The rules of this file are those with closed conditions; RulesFixedPoint.v has the others. *)
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** A ledger: (epsilon_i, delta_i), listed one by one, with epsilon_i >= 0 and 0 <= delta_i < 1. *)
Definition ledger := seq (R * R).
Definition proper (L : ledger) := all (fun p : R * R => (0 <= p.1) && (0 <= p.2 < 1)) L.
Definition odds_of (L : ledger) := [seq (exp p.1, p.2) | p <- L].
Definition epsilons (L : ledger) : seq R := [seq p.1 | p <- L].

(** The statements of a certificate (SPEC, section 3). *)
Definition upper (L : ledger) (epsilon delta : R) :=
  composition_dp (odds_of L) (exp epsilon) delta.
Definition lower (L : ledger) (epsilon delta : R) :=
  composition_not_dp (odds_of L) (exp epsilon) delta.

Global Arguments upper L _%R _%R.
Global Arguments lower L _%R _%R.

Section Statements.
Variable L : ledger.
Hypothesis P : proper L.
Implicit Types epsilon delta : R.

Lemma odds_admissible : all (@admissible _) (odds_of L).
Proof.
apply/allP => p /mapP[m /(allP P)/andP[e0 /andP[d0 d1]] ->].
by rewrite /admissible /= exp_ge1 e0 d0 ltW.
Qed.

Lemma kept_odds : kept (odds_of L) = \prod_(m <- L) (1 - m.2).
Proof. by rewrite /kept big_map. Qed.

Lemma kept_gt0 : 0 < \prod_(m <- L) (1 - m.2).
Proof.
rewrite big_seq; apply: prodr_gt0 => m /(allP P)/andP[_ /andP[_ d1]].
by rewrite subr_gt0.
Qed.

(** Delta of the statement. *)
Definition slack delta := 1 - (1 - delta) / \prod_(m <- L) (1 - m.2).

Lemma fst_odds : [seq p.1 | p <- odds_of L] = [seq exp e | e <- epsilons L].
Proof. by rewrite /epsilons -!map_comp. Qed.

Theorem upper_iff epsilon delta :
  upper L epsilon delta <->
  divergence [seq exp e | e <- epsilons L] (exp epsilon) <= slack delta.
Proof.
rewrite -fst_odds /slack -kept_odds; apply: composition_dp_iff.
- exact: odds_admissible.
- exact: ltW (exp_gt0 _).
- by rewrite kept_odds kept_gt0.
Qed.

Theorem lower_iff epsilon delta :
  lower L epsilon delta <->
  slack delta < divergence [seq exp e | e <- epsilons L] (exp epsilon).
Proof.
rewrite -fst_odds /slack -kept_odds; apply: composition_not_dp_iff.
- exact: odds_admissible.
- exact: ltW (exp_gt0 _).
- by rewrite kept_odds kept_gt0.
Qed.

Lemma exps_ge1 : all (fun E => 1 <= E) [seq exp e | e <- epsilons L].
Proof.
by apply/allP => E /mapP[e /mapP[m /(allP P)/andP[e0 _] ->] ->]; rewrite exp_ge1.
Qed.

Lemma exps_ge0 : all (fun E => 0 <= E) [seq exp e | e <- epsilons L].
Proof. by apply: sub_all exps_ge1 => E; apply: le_trans; exact: ler01. Qed.

Lemma prod_exps (s : seq R) : \prod_(E <- [seq exp e | e <- s]) E = exp (\sum_(e <- s) e).
Proof.
elim: s => [|e s IH]; first by rewrite !big_nil exp_0.
by rewrite /= !big_cons IH exp_plus.
Qed.

Lemma slack_ge0 delta : (0 <= slack delta) = (1 - delta <= \prod_(m <- L) (1 - m.2)).
Proof. by rewrite /slack subr_ge0 ler_pdivr_mulr ?kept_gt0 // mul1r. Qed.

Lemma slack_le0 delta : (slack delta <= 0) = (\prod_(m <- L) (1 - m.2) <= 1 - delta).
Proof. by rewrite /slack subr_le0 ler_pdivl_mulr ?kept_gt0 // mul1r. Qed.

(** 11.1 [trivial], from above. *)
Theorem rule_vacuous epsilon : upper L epsilon 1.
Proof.
move=> Y p q C; have [[p0 p1] [q0 q1]] := composition_distribution C.
have le1 (f : Y -> R) (F : {set Y}) : (forall y, 0 <= f y) -> \sum_y f y = 1 ->
    \sum_(y in F) f y <= 1.
  by move=> f0 <-; rewrite [X in _ <= X](bigID (mem F)) /= ler_addl sumr_ge0.
split=> F.
  apply: le_trans (le1 p F p0 p1) _; rewrite ler_addr mulr_ge0 ?(ltW (exp_gt0 _)) //.
  exact: sumr_ge0.
apply: le_trans (le1 q F q0 q1) _; rewrite ler_addr mulr_ge0 ?(ltW (exp_gt0 _)) //.
exact: sumr_ge0.
Qed.

(** 11.2 [sum]. *)
Theorem rule_sum_upper epsilon delta :
  \sum_(e <- epsilons L) e <= epsilon -> 1 - delta <= \prod_(m <- L) (1 - m.2) ->
  upper L epsilon delta.
Proof.
move=> e d; apply/upper_iff; rewrite divergence_eq0 ?exps_ge1 ?(ltW (exp_gt0 _)) ?slack_ge0 //.
by rewrite prod_exps exp_le.
Qed.

Theorem rule_sum_lower epsilon delta :
  epsilon < \sum_(e <- epsilons L) e -> \prod_(m <- L) (1 - m.2) <= 1 - delta ->
  lower L epsilon delta.
Proof.
move=> e d; apply/lower_iff; apply: (@le_lt_trans _ _ 0); first by rewrite slack_le0.
by apply: divergence_gt0; rewrite ?exps_ge0 // prod_exps ltNge exp_le -ltNge.
Qed.

(** 11.1 [trivial], from below: for every epsilon. *)
Theorem rule_infeasible delta : \prod_(m <- L) (1 - m.2) < 1 - delta ->
  forall epsilon, lower L epsilon delta.
Proof.
move=> d epsilon; apply/lower_iff; apply: (@lt_le_trans _ _ 0).
  by rewrite ltNge slack_ge0 -ltNge.
exact/divergence_ge0/exps_ge0.
Qed.
End Statements.

(** Integers in the reals. *)
Section Integers.
Implicit Types a b : Z.
Lemma IZRD a b : IZR (Z.add a b) = IZR a + IZR b. Proof. exact: plus_IZR. Qed.
Lemma IZRM a b : IZR (Z.mul a b) = IZR a * IZR b. Proof. exact: mult_IZR. Qed.
Lemma IZRB a b : IZR (Z.sub a b) = IZR a - IZR b. Proof. exact: minus_IZR. Qed.
Lemma IZR_le_iff a b : (IZR a <= IZR b) = Z.leb a b.
Proof.
apply/RleP/idP => [/le_IZR/Z.leb_le //|/Z.leb_le]; exact: IZR_le.
Qed.
Lemma IZR_lt_iff a b : (IZR a < IZR b) = Z.ltb a b.
Proof. by rewrite ltNge IZR_le_iff Z.ltb_antisym. Qed.

Definition zsum (s : seq Z) : Z := foldr Z.add Z0 s.
Lemma IZR_zsum s : IZR (zsum s) = \sum_(a <- s) IZR a.
Proof. by elim: s => [|a s IH] /=; rewrite ?big_nil ?big_cons // IZRD IH. Qed.
Lemma IZR_max0 a : IZR (Z.max Z0 a) = pos (IZR a).
Proof.
case: (Z.leb_spec Z0 a) => [h|h].
  by rewrite Z.max_r // pos_id // (IZR_le_iff Z0); apply/Z.leb_le.
rewrite Z.max_l ?pos_0 //; last exact: Z.lt_le_incl.
by rewrite (IZR_le_iff a Z0); apply/Z.leb_le/Z.lt_le_incl.
Qed.
End Integers.

