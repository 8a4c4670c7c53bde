(** 11.5 [mesh-upper] and 11.6 [mesh-lower], of mechanisms by epsilon and delta: the rules for any ledger.

    Conventions for integers are those of RulesFixedPoint.v. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Leaves Reals.
From ExactDP Require Import Rules RulesFixedPoint.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The share of an atom that goes to (j + 1)u: an upper bound of (1 - e^-(l - ju))/(1 - e^-u),
    for its loss l. *)
Lemma share_enough (p q lambda l u ju : R) : 0 <= p -> p * exp (- l) <= q ->
  1 - exp (- (l - ju)) <= lambda * (1 - exp (- u)) ->
  p * (lambda * exp (- (ju + u)) + (1 - lambda) * exp (- ju)) <= q.
Proof.
move=> p0 pq share; apply: le_trans pq; rewrite ler_wpmul2l //.
have -> : lambda * exp (- (ju + u)) + (1 - lambda) * exp (- ju) =
    exp (- ju) * (1 - lambda * (1 - exp (- u))).
  by rewrite opprD expD; set x := exp (- ju); set v := exp (- u); ring.
have -> : exp (- l) = exp (- ju) * exp (- (l - ju)) by rewrite -expD opprB addrA addNr add0r.
by rewrite ler_wpmul2l ?(ltW (exp_gt0 _)) // ler_subl_addr -ler_subl_addl.
Qed.

Section Rules.
Variables (L : ledger) (epsilon delta : R) (leaves : seq (seq group)).
Hypothesis P : proper L.

(** All mechanisms are in leaves; those with epsilon 0 need not be. *)
Hypothesis partition :
  perm_eq [seq x <- epsilons_of (flatten leaves) | x != 0] [seq x <- epsilons L | x != 0].

Section ConnectTheDots.
Variables (u : R) (cells : seq (seq (R * R * Z))).

(** The atoms of each leaf are split between cells, of which the key j stands for the loss ju. *)
Hypothesis splits : List.Forall2 (fun leaf l => scattered (atoms_of leaf) l) leaves cells.
Hypothesis cells_ge0 : nonnegative cells.
Hypothesis on_mesh : all (all (fun x : R * R * Z => x.1.2 == x.1.1 * exp (- (u * IZR x.2)))) cells.

(** Whatever is convex does not fall. *)
Lemma cells_convex F : convex F ->
  total +%R 0 [seq atoms_of leaf | leaf <- leaves] (fun p q _ => F p q) <=
  total +%R 0 cells (fun p q _ => F p q).
Proof.
apply: total_scattered => //; first exact: leaves_ge0.
by elim: splits => [|leaf l ls cs s _ IH]; constructor.
Qed.

Lemma cells_sum : total +%R 0 cells (fun p _ _ => p) = 1.
Proof.
apply/eqP; rewrite eq_le -{2}(leaves_sum leaves) (cells_convex (F := fun p _ => p)) ?andbT; last first.
  by move=> p p' *; exact: lexx.
have : convex (fun p _ : R => -1 * p) by move=> p p' *; rewrite mulrDr.
by move/cells_convex; rewrite !totalZ leaves_sum !mulN1r ler_opp2.
Qed.

Variables (r : seq Z) (S B dlo : Z) (w z : Z -> Z).
Hypotheses (U : uniq r) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : {in r, forall j, Z.le 0 (w j)}.
Hypothesis below : {in r, forall j, IZR (w j) <= IZR S * weight +%R 0 cells j}.

Theorem rule_connect_the_dots :
  {in r, forall j, IZR (z j) <= IZR B * exp (- (u * IZR j - epsilon))} ->
  IZR dlo <= IZR B * slack L delta ->
  Z.le (kept_sum B w z r + lost S w r * B) (dlo * S) ->
  upper L epsilon delta.
Proof.
move=> zf dD check; apply/(upper_iff P); rewrite (divergence_leaves _ partition).
have convex_y : convex (fun p q => pos (p - exp epsilon * q)).
  move=> p p' q q' q''; have := @convex_pos _ 1 _ (ltW (exp_gt0 epsilon)) p p' q q' q''.
  by rewrite !mul1r.
apply: le_trans (cells_convex convex_y) _.
rewrite -/(product_divergence +%R 0 cells (exp epsilon)).
have z1 : exp (- (u * IZR 0)) = 1 by rewrite mulr0 oppr0 exp_0.
have zM (j j' : Z) : exp (- (u * IZR (j + j'))) = exp (- (u * IZR j)) * exp (- (u * IZR j')).
  by rewrite IZRD mulrDr opprD expD.
have ones : all2 (fun c => all (fun x : R * R * Z => x.1.2 == x.1.1 * (c * exp (- (u * IZR x.2)))))
    [seq 1 | _ <- cells] cells.
  move: on_mesh; elim: (cells) => //= l ls IH /andP[h /IH ->]; rewrite andbT.
  by apply: sub_all h => x; rewrite mul1r.
rewrite (@product_divergence_mean _ _ _ _ (fun j : Z => exp (- (u * IZR j))) _ _ _ z1 zM
  cells_ge0 ones).
have fE j : exp epsilon * (\prod_(c <- [seq 1 | _ <- cells]) c * exp (- (u * IZR j))) =
    exp (- (u * IZR j - epsilon)).
  by rewrite big_map big1 // mul1r -expD opprB.
under eq_total do rewrite fE.
apply: (mean_le cells_ge0 U S0 B0 w0 below _ cells_sum zf dD check) => j.
exact: ltW (exp_gt0 _).
Qed.
End ConnectTheDots.

Section GriddedTest.
(** Scores of keys; opposite keys have opposite scores. *)
Variable score : Z -> Z.
Hypothesis score_odd : forall k, score (- k) = - score k.
Definition scored := [seq [seq (x.1, score x.2) | x <- atoms_of leaf] | leaf <- leaves].

Variables (r : seq Z) (S B dhi y one : Z) (w : Z -> Z).
Hypotheses (U : uniq r) (rN : {in r, forall s, - s \in r}).
Hypotheses (S0 : Z.lt 0 S) (B0 : Z.lt 0 B) (one0 : Z.lt 0 one).
Hypothesis below : {in r, forall s, IZR (w s) <= IZR S * weight +%R 0 scored s}.

Lemma total_scored h : total +%R 0 scored (fun p q _ => h p q) =
  total +%R 0 [seq atoms_of leaf | leaf <- leaves] (fun p q _ => h p q).
Proof.
rewrite /scored; elim: leaves h => //= leaf ls IH h.
by rewrite big_map; apply: eq_bigr => x _; rewrite -IH.
Qed.

Lemma scored_ge0 : nonnegative scored.
Proof.
move: (leaves_ge0 leaves); rewrite /nonnegative /scored !all_map.
by apply: sub_all => leaf /=; rewrite all_map.
Qed.

Lemma scored_opposite :
  List.Forall2 (fun l l' => perm_eq l l') [seq opposite l | l <- scored] scored.
Proof.
rewrite /scored; elim: leaves => [|leaf ls IH] /=; constructor=> //.
have -> : opposite [seq (x.1, score x.2) | x <- atoms_of leaf] =
    [seq (x.1, score x.2) | x <- opposite (atoms_of leaf)].
  by rewrite /opposite -!map_comp; apply: eq_map => x /=; rewrite score_odd.
by apply: perm_map; exact: leaf_opposite.
Qed.

Theorem rule_gridded_test :
  exp epsilon * IZR one <= IZR y -> IZR B * slack L delta <= IZR dhi ->
  Z.lt (dhi * S * one)
    ((zsum [seq Z.max 0 (one * w s - y * w (- s))%coqZ | s <- r] - y * lost S w r) * B) ->
  lower L epsilon delta.
Proof.
move=> yle dD /Z.ltb_lt; rewrite -IZR_lt_iff => check; apply/(lower_iff P).
have S0' : 0 < IZR S by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have B0' : 0 < IZR B by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have O0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
pose y' := IZR y / IZR one.
have y'E : IZR y = IZR one * y' by rewrite mulrC divfK // gt_eqF.
have yy : exp epsilon <= y' by rewrite ler_pdivl_mulr.
have y'0 : 0 <= y' by apply: le_trans yy; exact: ltW (exp_gt0 _).
apply: (@lt_le_trans _ _ (divergence [seq exp x | x <- epsilons L] y')); last first.
  by apply: divergence_antitone => //; exact: exps_ge0.
rewrite (divergence_leaves _ partition) /product_divergence -total_scored.
rewrite -/(product_divergence +%R 0 scored y').
have total1 : total +%R 0 scored (fun p _ _ => p) = 1.
  by rewrite (total_scored (fun p _ => p)) leaves_sum.
have h := event_test scored_ge0 U rN scored_opposite total1 (ltW S0') y'0 below.
rewrite -(ltr_pmul2l S0'); apply: lt_le_trans h.
rewrite -(ltr_pmul2l B0') -(ltr_pmul2l O0').
apply: (@le_lt_trans _ _ (IZR dhi * IZR S * IZR one)).
  by rewrite mulrC ler_wpmul2r ?(ltW O0') // mulrCA mulrC ler_wpmul2r // ltW.
move: check; rewrite !IZRM IZRB IZRM IZR_zsum big_map /lost IZRB IZR_zsum big_map => /lt_le_trans.
apply; rewrite [X in _ <= X]mulrCA [X in X <= _]mulrC ler_wpmul2l ?(ltW B0') //.
rewrite y'E [X in _ <= X]mulrBr -mulrA ler_sub // mulr_sumr.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _.
by rewrite IZR_max0 IZRB !IZRM y'E -posM ?(ltW O0') // mulrBr mulrA.
Qed.
End GriddedTest.
End Rules.
