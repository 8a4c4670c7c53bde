(** 7.7 [connect-the-dots] and 7.8 [gridded-test]: the rules for any ledger.

    Mechanisms are gathered into leaves; the atoms of a leaf are all choices of an answer for each
    of its mechanisms ([atoms_of]).  Conventions for integers are those of RulesFixedPoint.v. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Reals.
From ExactDP Require Import Rules RulesFixedPoint.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Leaves.
Definition forget (_ _ : unit) := tt.

Definition responses (leaf : seq R) := [seq rr_atoms (exp x) tt tt | x <- leaf].
Definition atoms_of (leaf : seq R) : seq (R * R * unit) := merged forget tt (responses leaf).

Let leaf_ge0 leaf : all (fun m : R * (unit * unit) => 0 <= m.1) [seq (exp x, (tt, tt)) | x <- leaf].
Proof. by rewrite all_map; apply/allP => x _ /=; exact: ltW (exp_gt0 _). Qed.

Let responsesE leaf :
  responses leaf = [seq rr_atoms m.1 m.2.1 m.2.2 | m <- [seq (exp x, (tt, tt)) | x <- leaf]].
Proof. by rewrite -map_comp. Qed.

Lemma merged_ge0 (ls : seq (seq (R * R * unit))) : nonnegative ls ->
  all (fun x : R * R * unit => (0 <= x.1.1) && (0 <= x.1.2)) (merged forget tt ls).
Proof.
elim: ls => [|l ls IH] /=; first by rewrite ler01.
case/andP=> /allP L0 /IH/allP M0; apply/allP => _ /allpairsP[[x x'] /= [/L0/andP[? ?] /M0/andP[? ?] ->]].
by rewrite !mulr_ge0.
Qed.

Lemma atoms_of_ge0 leaf :
  all (fun x : R * R * unit => (0 <= x.1.1) && (0 <= x.1.2)) (atoms_of leaf).
Proof. by apply: merged_ge0; rewrite responsesE; apply: rr_atoms_ge0; exact: leaf_ge0. Qed.

Lemma atoms_of_sum leaf : \sum_(x <- atoms_of leaf) x.1.1 = 1.
Proof.
rewrite (@sum_merged _ _ forget tt _ (fun p _ _ => p)) responsesE.
by rewrite rr_atoms_total //; exact: leaf_ge0.
Qed.

(** The order and the grouping of mechanisms do not matter. *)
Lemma divergence_leaves (leaves : seq (seq R)) (eps : seq R) y : perm_eq (flatten leaves) eps ->
  divergence [seq exp x | x <- eps] y =
  product_divergence forget tt [seq atoms_of leaf | leaf <- leaves] y.
Proof.
move=> p; have -> : [seq exp x | x <- eps] = [seq m.1 | m <- [seq (exp x, (tt, tt)) | x <- eps]].
  by rewrite -map_comp.
rewrite (divergence_total forget tt _ (leaf_ge0 eps)) -responsesE /product_divergence.
have unit1 : left_id tt forget by case.
rewrite (map_comp (merged forget tt) responses) total_merged //.
apply: total_perm => //; rewrite /responses -map_flatten.
by apply: perm_map; rewrite perm_sym.
Qed.
End Leaves.

(** The share of an atom that goes to (j + 1)u: an upper bound of (1 - e^-(l' - ju))/(1 - e^-u),
    for an upper bound l' of its loss. *)
Lemma share_enough (p q lambda l' u ju : R) : 0 <= p -> p * exp (- l') <= q ->
  1 - exp (- (l' - ju)) <= lambda * (1 - exp (- u)) ->
  p * (lambda * exp (- (ju + u)) + (1 - lambda) * exp (- ju)) <= q.
Proof.
move=> p0 pq share; apply: le_trans pq; rewrite ler_wpmul2l //.
have -> : lambda * exp (- (ju + u)) + (1 - lambda) * exp (- ju) =
    exp (- ju) * (1 - lambda * (1 - exp (- u))).
  by rewrite opprD expD; set x := exp (- ju); set v := exp (- u); ring.
have -> : exp (- l') = exp (- ju) * exp (- (l' - ju)) by rewrite -expD opprB addrA addNr add0r.
by rewrite ler_wpmul2l ?(ltW (exp_gt0 _)) // ler_subl_addr -ler_subl_addl.
Qed.

Section ConnectTheDots.
Variables (L : ledger) (epsilon delta u : R) (leaves : seq (seq R)).
Hypotheses (P : proper L) (partition : perm_eq (flatten leaves) (epsilons L)).

(** For each leaf the highest multiple J; for each atom the index t, so that j = J - t - 1 is the
    multiple of u next below its loss, its share lambda, and a bound of its loss. *)
Variables (J : seq R -> nat) (t : seq R -> R * R * unit -> nat).
Variables (share bound : seq R -> R * R * unit -> R).
Hypothesis shares : forall leaf, leaf \in leaves -> {in atoms_of leaf, forall x,
  [/\ 0 <= share leaf x <= 1, x.1.1 * exp (- bound leaf x) <= x.1.2 &
   1 - exp (- (bound leaf x - (u *+ J leaf - u *+ (t leaf x).+1)))
     <= share leaf x * (1 - exp (- u))]}.

Definition split_leaf leaf := split (exp (- (u *+ J leaf))) (exp u) (share leaf) (t leaf) (atoms_of leaf).

(** The probability of the index s after the split. *)
Definition split_weight := weight addn 0%N [seq split_leaf leaf | leaf <- leaves].

Let rho_pow (n : nat) (j : R) : exp (- j) * exp u ^+ n = exp (- (j - u *+ n)).
Proof.
elim: n => [|n IH]; first by rewrite expr0 mulr1 mulr0n subr0.
by rewrite exprSr mulrA IH -expD mulrSr !opprB addrAC.
Qed.

Let split_dominated leaf : leaf \in leaves -> dominated (atoms_of leaf) (split_leaf leaf).
Proof.
move=> ll; apply: split_dominates => x xl.
have [s01 pq enough] := shares ll xl.
have /andP[p0 _] := allP (atoms_of_ge0 leaf) x xl.
split=> //; rewrite !rho_pow.
have -> : u *+ J leaf - u *+ t leaf x = u *+ J leaf - u *+ (t leaf x).+1 + u.
  by rewrite mulrSr opprD addrA subrK.
exact: share_enough p0 pq enough.
Qed.

Variables (M : nat) (S B dlo : Z) (w z : nat -> Z).
Hypotheses (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : forall s, (s < M)%N -> Z.le 0 (w s).
Hypothesis below : forall s, (s < M)%N -> IZR (w s) <= IZR S * split_weight s.
Let A := (\sum_(leaf <- leaves) J leaf)%N.

Theorem rule_connect_the_dots :
  (forall s, (s < M)%N -> IZR (z s) <= IZR B * exp (- (u *+ A - u *+ s - epsilon))) ->
  IZR dlo <= IZR B * slack L delta ->
  Z.le (kept_sum B w z (iota 0 M) + lost S w (iota 0 M) * B) (dlo * S) ->
  upper L epsilon delta.
Proof.
move=> zf dD check; apply/(upper_iff P); rewrite (divergence_leaves _ partition).
have ge0 : nonnegative [seq split_leaf leaf | leaf <- leaves].
  rewrite /nonnegative all_map; apply/allP => leaf ll.
  apply: split_ge0; rewrite ?(ltW (exp_gt0 _)) // => x xl.
  have [? _ _] := shares ll xl; by have /andP[] := allP (atoms_of_ge0 leaf) x xl.
have ge0' : nonnegative [seq atoms_of leaf | leaf <- leaves].
  by rewrite /nonnegative all_map; apply/allP => leaf _; exact: atoms_of_ge0.
apply: le_trans (product_divergence_mono forget tt addn 0%N (ltW (exp_gt0 _)) ge0' ge0 _) _.
  move: split_dominated; elim: (leaves) => [|leaf ls IH] h /=; first exact: List.Forall2_nil.
  apply: List.Forall2_cons; first by apply: h; rewrite mem_head.
  by apply: IH => l' l'l; apply: h; rewrite inE l'l orbT.
rewrite (@product_divergence_mean _ _ addn 0%N (fun s => exp u ^+ s) _
  [seq exp (- (u *+ J leaf)) | leaf <- leaves]) //; last 2 first.
- by move=> s s'; rewrite exprD.
- by elim: (leaves) => [|leaf ls IH] //=; rewrite split_grid.
have fE s : exp epsilon * (\prod_(c <- [seq exp (- (u *+ J leaf)) | leaf <- leaves]) c
    * exp u ^+ s) = exp (- (u *+ A - u *+ s - epsilon)).
  have -> : \prod_(c <- [seq exp (- (u *+ J leaf)) | leaf <- leaves]) c = exp (- (u *+ A)).
    rewrite /A; elim: (leaves) => [|leaf ls IH] /=; first by rewrite !big_nil mulr0n oppr0 exp_0.
    by rewrite !big_cons IH mulrnDr opprD expD.
  by rewrite rho_pow -expD [in RHS]opprB.
under eq_total do rewrite fE.
apply: (mean_le ge0 (iota_uniq 0 M) S0 B0 _ _ _ _ _ dD check) => [s|s|s||s].
- by rewrite mem_iota; exact: w0.
- by rewrite mem_iota; exact: below.
- exact: ltW (exp_gt0 _).
- rewrite total_p big_map big1 // => leaf _; rewrite split_sum; exact: atoms_of_sum.
- by rewrite mem_iota; exact: zf.
Qed.
End ConnectTheDots.

Section GriddedTest.
Variables (L : ledger) (epsilon delta : R) (leaves : seq (seq R)).
Variable scored : seq (seq (R * R * int)).
Hypotheses (P : proper L) (partition : perm_eq (flatten leaves) (epsilons L)).

(** Every atom of a leaf has a score; opposite answers have opposite scores. *)
Hypothesis scores : List.Forall2 (fun s leaf =>
  perm_eq [seq x.1 | x <- s] [seq x.1 | x <- atoms_of leaf]) scored leaves.
Hypothesis opposites : List.Forall2 (fun s s' => perm_eq s s') [seq opposite s | s <- scored] scored.

(** The probability of the total score s under the first hypothesis. *)
Definition score_weight := weight +%R 0 scored.

Variables (r : seq int) (S B dhi y one : Z) (w : int -> Z).
Hypotheses (U : uniq r) (rN : {in r, forall s, - s \in r}).
Hypotheses (S0 : Z.lt 0 S) (B0 : Z.lt 0 B) (one0 : Z.lt 0 one).
Hypothesis below : {in r, forall s, IZR (w s) <= IZR S * score_weight s}.

Let sum_scored (s : seq (R * R * int)) leaf (F : R * R -> R) :
  perm_eq [seq x.1 | x <- s] [seq x.1 | x <- atoms_of leaf] ->
  \sum_(x <- s) F x.1 = \sum_(x <- atoms_of leaf) F x.1.
Proof. by move=> p; rewrite -(big_map fst xpredT F) (perm_big _ p) big_map. Qed.

Let scored_leaf (s : seq (R * R * int)) leaf :
  perm_eq [seq x.1 | x <- s] [seq x.1 | x <- atoms_of leaf] ->
  all (fun x : R * R * int => (0 <= x.1.1) && (0 <= x.1.2)) s.
Proof.
move=> p; apply/allP => x xs.
have : x.1 \in [seq x.1 | x <- atoms_of leaf] by rewrite -(perm_mem p) map_f.
by case/mapP=> x' /(allP (atoms_of_ge0 leaf)) + ->.
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
rewrite (divergence_leaves _ partition).
have ge0 : nonnegative scored by elim: scores => //= s leaf ss ls p _ ->; rewrite (scored_leaf p).
have ge0' : nonnegative [seq atoms_of leaf | leaf <- leaves].
  by rewrite /nonnegative all_map; apply/allP => leaf _; exact: atoms_of_ge0.
have total1 : total +%R 0 scored (fun p _ _ => p) = 1.
  rewrite total_p; elim: scores => [|s leaf ss ls p _ IH]; first by rewrite big_nil.
  by rewrite big_cons IH (sum_scored (fun x => x.1) p) atoms_of_sum mulr1.
have dom : product_divergence +%R 0 scored y' <=
    product_divergence forget tt [seq atoms_of leaf | leaf <- leaves] y'.
  apply: product_divergence_mono => //; elim: scores => [|s leaf ss ls p _ IH] /=.
    exact: List.Forall2_nil.
  apply: List.Forall2_cons => // a b _ _.
  by rewrite (sum_scored (fun x => pos (a * x.1 - b * x.2)) p).
apply: lt_le_trans dom.
have h := event_test ge0 U rN opposites total1 (ltW S0') y'0 below.
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
