(** 11.3 [atoms], 11.4 [grid], 11.5 [mesh-upper], 11.6 [mesh-lower]: the rules in fixed point.

    [S] = 10^D is the scale of weights and [B] = 2^bits that of everything else.  [w] is any table
    of integers with 0 <= w <= S (true weight): the lemmas do not ask in which order products
    were taken, nor how they were rounded.  [z] bounds e^-r; [dlo] and [dhi] bound Delta. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Reals Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The sum of w(s) max(0, B - z(s)) over the keys r, and the weight that is lost. *)
Definition kept_sum (K : Type) (B : Z) (w z : K -> Z) (r : seq K) : Z :=
  zsum [seq (w s * Z.max 0 (B - z s))%coqZ | s <- r].
Definition lost (K : Type) (S : Z) (w : K -> Z) (r : seq K) : Z := (S - zsum [seq w s | s <- r])%coqZ.

Section Comparison.
Variables (K : eqType) (op : K -> K -> K) (e : K) (ls : seq (seq (R * R * K))) (r : seq K).
Variables (f : K -> R) (S B : Z) (w z : K -> Z).
Hypotheses (LS : nonnegative ls) (U : uniq r) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : forall s, s \in r -> Z.le 0 (w s).
Hypothesis below : forall s, s \in r -> IZR (w s) <= IZR S * weight op e ls s.
Let mean := total op e ls (fun p _ s => p * pos (1 - f s)).

Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Let keptE : IZR (kept_sum B w z r) = \sum_(s <- r) IZR (w s) * pos (IZR B - IZR (z s)).
Proof.
rewrite IZR_zsum big_map; apply: eq_bigr => s _.
by rewrite IZRM IZR_max0 IZRB.
Qed.

Lemma mean_le (D : R) (dlo : Z) : (forall s, 0 <= f s) ->
  total op e ls (fun p _ _ => p) = 1 ->
  (forall s, s \in r -> IZR (z s) <= IZR B * f s) -> IZR dlo <= IZR B * D ->
  Z.le (kept_sum B w z r + lost S w r * B) (dlo * S) -> mean <= D.
Proof.
move=> f0 total1 zf dD /Z.leb_le; rewrite -IZR_le_iff IZRD !IZRM keptE /lost IZRB IZR_zsum big_map.
move=> check; rewrite -(ler_pmul2l S0') -(ler_pmul2l B0').
have pos1 s : pos (1 - f s) <= 1 by rewrite pos_le ?ler01 // ler_subl_addr ler_addl.
have h := @table_upper _ _ op e ls r (fun s => pos (1 - f s)) (fun s => IZR (w s)) (IZR S) LS U
  below (ltW S0') pos1 total1.
apply: (le_trans (ler_wpmul2l (ltW B0') h)).
apply: (@le_trans _ _ (IZR dlo * IZR S)); last first.
  by rewrite mulrCA mulrC ler_wpmul2r ?(ltW S0').
apply: le_trans check; rewrite mulrDr [IZR B * (_ - _)]mulrC ler_add2r mulr_sumr.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => s sr.
rewrite mulrCA ler_wpmul2l //; first by rewrite (IZR_le_iff Z0); exact/Z.leb_le/w0.
by rewrite -posM ?(ltW B0') //; apply: le2_pos; rewrite mulrBr mulr1 ler_add2l ler_opp2 zf.
Qed.

Lemma lt_mean (D : R) (dhi : Z) :
  (forall s, s \in r -> IZR B * f s <= IZR (z s)) -> IZR B * D <= IZR dhi ->
  Z.lt (dhi * S) (kept_sum B w z r) -> D < mean.
Proof.
move=> zf dD /Z.ltb_lt; rewrite -IZR_lt_iff IZRM keptE => check.
rewrite -(ltr_pmul2l S0') -(ltr_pmul2l B0').
have h := @table_lower _ _ op e ls r (fun s => pos (1 - f s)) (fun s => IZR (w s)) (IZR S) LS U
  (fun s => pos_ge0 _) below (ltW S0').
apply: lt_le_trans (ler_wpmul2l (ltW B0') h).
apply: (@le_lt_trans _ _ (IZR dhi * IZR S)).
  by rewrite mulrCA mulrC ler_wpmul2r ?(ltW S0').
apply: lt_le_trans check _; rewrite mulr_sumr.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => s sr.
rewrite mulrCA ler_wpmul2l //; first by rewrite (IZR_le_iff Z0); exact/Z.leb_le/w0.
by rewrite -posM ?(ltW B0') //; apply: le2_pos; rewrite mulrBr mulr1 ler_add2l ler_opp2 zf.
Qed.
End Comparison.

(** Sets of untruthful answers told apart by keys with a value, sigma(T) = sum of epsilon_i. *)
Section Lattice.
Variables (K : eqType) (op : K -> K -> K) (e : K) (value : K -> R).
Hypotheses (value_e : value e = 0) (value_op : forall s s', value (op s s') = value s + value s').

(** keys: one key for each mechanism, of value epsilon_i. *)
Variable keys : seq K.
Let eps := [seq value s | s <- keys].
Let atoms := [seq rr_atoms (exp (value s)) e s | s <- keys].

(** The probability that the keys of the untruthful answers add up to s. *)
Definition untruthful_weight := weight op e atoms.

(** r(T) = sum of epsilon_i - 2 sigma(T) - epsilon, for a set T with key s. *)
Definition rest (epsilon : R) (s : K) : R := (\sum_(x <- eps) x - value s *+ 2 - epsilon)%R.

Lemma odds_ge0 : all (fun m : R * (K * K) => 0 <= m.1) [seq (exp (value s), (e, s)) | s <- keys].
Proof. by rewrite all_map; apply/allP => s _ /=; exact: ltW (exp_gt0 _). Qed.

Lemma atomsE : atoms =
  [seq rr_atoms m.1 m.2.1 m.2.2 | m <- [seq (exp (value s), (e, s)) | s <- keys]].
Proof. by rewrite -map_comp. Qed.

Lemma atoms_ge0 : nonnegative atoms.
Proof. by rewrite atomsE; apply: rr_atoms_ge0; exact: odds_ge0. Qed.

Lemma atoms_total : total op e atoms (fun p _ _ => p) = 1.
Proof. by rewrite atomsE; apply: rr_atoms_total; exact: odds_ge0. Qed.

(** Equation (1) of SPEC, section 7.3. *)
Lemma divergence_mean epsilon :
  divergence [seq exp x | x <- eps] (exp epsilon) =
  total op e atoms (fun p _ s => p * pos (1 - exp (- rest epsilon s))).
Proof.
have -> : [seq exp x | x <- eps] = [seq m.1 | m <- [seq (exp (value s), (e, s)) | s <- keys]].
  by rewrite -!map_comp.
rewrite (divergence_total op e _ odds_ge0) -atomsE.
rewrite (@product_divergence_mean _ _ op e (fun s => exp (value s *+ 2)) _
  [seq exp (- value s) | s <- keys]).
- apply: eq_total => p _ s; congr (_ * pos (1 - _)).
  have -> : \prod_(c <- [seq exp (- value s) | s <- keys]) c = exp (- \sum_(x <- eps) x).
    rewrite /eps; elim: keys => [|k ks IH] /=; first by rewrite !big_nil oppr0 exp_0.
    by rewrite !big_cons IH opprD expD.
  by rewrite -!expD /rest !opprB [- _ + _]addrC.
- by rewrite value_e mul0rn exp_0.
- by move=> s s'; rewrite value_op mulrnDl expD.
- exact: atoms_ge0.
- rewrite /atoms; elim: keys => [|k ks IH] //=; rewrite IH andbT.
  have h : 1 + exp (value k) != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
  rewrite value_e mul0rn exp_0 mulr1 expN mulr2n expD.
  by apply/andP; split; [|rewrite andbT]; apply/eqP; field; rewrite ?exp_neq0 h.
Qed.

Section Rule.
Variables (L : ledger) (epsilon delta : R) (r : seq K) (S B dlo dhi : Z) (w z : K -> Z).
Hypotheses (P : proper L) (U : uniq r) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : forall s, s \in r -> Z.le 0 (w s).
Hypothesis below : forall s, s \in r -> IZR (w s) <= IZR S * untruthful_weight s.

(** 11.3 [atoms], rounded masses: the key of a mechanism is the vector of its epsilon over the basis.  It also
    serves [grid], with epsilon_i rounded up, where the value of a key is at least epsilon_i. *)
Theorem rule_lattice_upper :
  all2 (fun x y : R => x <= y) (epsilons L) eps ->
  (forall s, s \in r -> IZR (z s) <= IZR B * exp (- rest epsilon s)) ->
  IZR dlo <= IZR B * slack L delta ->
  Z.le (kept_sum B w z r + lost S w r * B) (dlo * S) ->
  upper L epsilon delta.
Proof.
move=> le zf dD check; apply/(upper_iff P).
apply: (@le_trans _ _ (divergence [seq exp x | x <- eps] (exp epsilon))).
  apply: divergence_mono; [exact: ltW (exp_gt0 _)|exact: exps_ge1|].
  by elim: (epsilons L) (eps) le => [|x xs IH] [|y ys] //= /andP[xy /IH ->]; rewrite exp_le xy.
rewrite divergence_mean.
apply: (mean_le atoms_ge0 U S0 B0 w0 below _ atoms_total zf dD check) => s.
exact: ltW (exp_gt0 _).
Qed.

Theorem rule_lattice_lower :
  (forall s, s \in keys -> 0 <= value s) ->
  all2 (fun x y : R => x <= y) eps (epsilons L) ->
  (forall s, s \in r -> IZR B * exp (- rest epsilon s) <= IZR (z s)) ->
  IZR B * slack L delta <= IZR dhi ->
  Z.lt (dhi * S) (kept_sum B w z r) ->
  lower L epsilon delta.
Proof.
move=> v0 le zf dD check; apply/(lower_iff P).
apply: (@lt_le_trans _ _ (divergence [seq exp x | x <- eps] (exp epsilon))); last first.
  apply: divergence_mono; [exact: ltW (exp_gt0 _)| |].
    by apply/allP => E /mapP[x /mapP[s sk ->] ->]; rewrite exp_ge1 v0.
  by elim: (eps) (epsilons L) le => [|x xs IH] [|y ys] //= /andP[xy /IH ->]; rewrite exp_le xy.
rewrite divergence_mean.
exact: (lt_mean atoms_ge0 U S0 B0 w0 below zf dD check).
Qed.
End Rule.
End Lattice.

(** 11.4 [grid]: epsilon_i is rounded to a_i units; the key of a set is the sum of its a_i. *)
Section Grid.
Variables (L : ledger) (epsilon delta u : R) (a : seq nat).
Variables (M : nat) (S B dlo dhi : Z) (w z : nat -> Z).
Hypotheses (P : proper L) (u0 : 0 <= u) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).

(** The probability that the a_i of the untruthful answers add up to s, where mechanism i has
    the odds e^{a_i u}. *)
Definition grid_weight := untruthful_weight addn 0%N (fun s => u *+ s) a.

Hypothesis w0 : forall s, (s < M)%N -> Z.le 0 (w s).
Hypothesis below : forall s, (s < M)%N -> IZR (w s) <= IZR S * grid_weight s.

(** r_s = (A - 2 s) u - epsilon. *)
Definition grid_rest s : R := (u *+ sumn a - u *+ s *+ 2 - epsilon)%R.

Let restE s : rest (fun s => u *+ s) a epsilon s = grid_rest s.
Proof. by rewrite /rest /grid_rest sumnE big_map -sumrMnr. Qed.

Theorem rule_grid_upper :
  all2 (fun (x : R) n => x <= u *+ n) (epsilons L) a ->
  (forall s, (s < M)%N -> IZR (z s) <= IZR B * exp (- grid_rest s)) ->
  IZR dlo <= IZR B * slack L delta ->
  Z.le (kept_sum B w z (iota 0 M) + lost S w (iota 0 M) * B) (dlo * S) ->
  upper L epsilon delta.
Proof.
move=> le zf; apply: (rule_lattice_upper (op := addn) (e := 0%N) (value := fun s => u *+ s)
  (keys := a) (mulr0n u) (mulrnDr u) P (iota_uniq 0 M) S0 B0) => [s|s||s].
- by rewrite mem_iota; exact: w0.
- by rewrite mem_iota; exact: below.
- by elim: (epsilons L) (a) le => [|x xs IH] [|n ns] //= /andP[-> /IH ->].
- by rewrite mem_iota restE; exact: zf.
Qed.

Theorem rule_grid_lower :
  all2 (fun (x : R) n => u *+ n <= x) (epsilons L) a ->
  (forall s, (s < M)%N -> IZR B * exp (- grid_rest s) <= IZR (z s)) ->
  IZR B * slack L delta <= IZR dhi ->
  Z.lt (dhi * S) (kept_sum B w z (iota 0 M)) ->
  lower L epsilon delta.
Proof.
move=> le zf; apply: (rule_lattice_lower (op := addn) (e := 0%N) (value := fun s => u *+ s)
  (keys := a) (mulr0n u) (mulrnDr u) P (iota_uniq 0 M) S0 B0) => [s|s|s _||s].
- by rewrite mem_iota; exact: w0.
- by rewrite mem_iota; exact: below.
- exact: mulrn_wge0.
- by elim: (epsilons L) (a) le => [|x xs IH] [|n ns] //= /andP[-> /IH ->].
- by rewrite mem_iota restE; exact: zf.
Qed.
End Grid.
