(** Failures come first.

    An (epsilon, delta)-DP pair P, Q has parts (1 - delta) P' <= P and (1 - delta) Q' <= Q, where
    P' and Q' are the outputs of an (epsilon, 0)-DP mechanism ([split_pair]).  So the failures of
    all mechanisms of a composition can be taken out first: with probability prod (1 - delta_i),
    on either database, no mechanism fails, and what is left is a composition with every
    delta_i = 0 ([failures_apart]); a bound D of its divergence gives 1 - prod (1 - delta_i) (1 - D)
    for the whole ([divergence_apart]).  This holds for mechanisms of all notions. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Split.
Variables (R : realFieldType) (Y : finType) (E k : R).
Hypotheses (E1 : 1 <= E) (k0 : 0 < k).
Implicit Types P Q p q : Y -> R.

Definition split_off p q P' Q' :=
  [/\ distribution P', distribution Q', forall y, k * P' y <= p y, forall y, k * Q' y <= q y &
   forall y, P' y <= E * Q' y /\ Q' y <= E * P' y].

Let E0 : 0 < E. Proof. exact: lt_le_trans ltr01 E1. Qed.

(** The lighter of two measures sets the scale; the heavier is lowered towards 1/E of it. *)
Lemma balance p q : (forall y, 0 <= p y) -> (forall y, 0 <= q y) ->
  (forall y, p y <= E * q y /\ q y <= E * p y) -> k <= \sum_y p y -> \sum_y p y <= \sum_y q y ->
  exists P' Q', split_off p q P' Q'.
Proof.
move=> p0 q0 pq kp pq1; set sp := \sum_y p y in kp pq1; set sq := \sum_y q y in pq1.
have sp0 : 0 < sp by exact: lt_le_trans kp.
pose s := sq / sp; pose t := (s - 1) / (s - E^-1).
have s1 : 1 <= s by rewrite ler_pdivl_mulr // mul1r.
have iE : E^-1 <= 1 by rewrite invf_le1.
have sE : 0 <= s - E^-1 by rewrite subr_ge0 (le_trans iE).
have t0 : 0 <= t by rewrite divr_ge0 // subr_ge0.
have t1 : t <= 1.
  move: sE; rewrite le_eqVlt => /orP[/eqP e|sE]; first by rewrite /t -e invr0 mulr0 ler01.
  by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have te : t * (s - E^-1) = s - 1.
  move: sE; rewrite le_eqVlt => /orP[/eqP e|sE]; last by rewrite divfK ?gt_eqF.
  by rewrite -e mulr0; apply/eqP; rewrite eq_le subr_ge0 s1 [X in _ <= X]e ler_add2l ler_opp2.
pose P' y := p y / sp; pose Q' y := q y / sp - t * (q y / sp - P' y / E).
have P'0 y : 0 <= P' y by rewrite divr_ge0 // ltW.
have lo y : P' y / E <= q y / sp.
  by rewrite mulrAC ler_pmul2r ?invr_gt0 // ler_pdivr_mulr // mulrC; case: (pq y).
have hi y : Q' y <= q y / sp by rewrite ler_subl_addr ler_addl mulr_ge0 // subr_ge0.
have lo' y : P' y / E <= Q' y.
  have -> : Q' y = P' y / E + (1 - t) * (q y / sp - P' y / E) by rewrite /Q'; ring.
  by rewrite ler_addl mulr_ge0 // subr_ge0.
have ks : k / sp <= 1 by rewrite ler_pdivr_mulr // mul1r.
exists P', Q'; split=> [||y|y|y].
- by split=> //; rewrite -mulr_suml divff // gt_eqF.
- split=> [y|]; first by apply: le_trans (lo' y); rewrite divr_ge0 // ltW.
  rewrite /Q' sumrB -mulr_sumr sumrB -!mulr_suml -/sp -/sq -/s divff ?gt_eqF // mul1r te.
  by rewrite opprB addrC subrK.
- by rewrite mulrCA ler_pimulr.
- by apply: le_trans (_ : k * (q y / sp) <= _); [rewrite ler_pmul2l|rewrite mulrCA ler_pimulr].
- split; first by rewrite mulrC -ler_pdivr_mulr.
  apply: le_trans (hi y) _; rewrite mulrA ler_pmul2r ?invr_gt0 //; by case: (pq y).
Qed.

Lemma split_pair P Q : dp_pair E (1 - k) P Q -> exists P' Q', split_off P Q P' Q'.
Proof.
move=> [[P0 P1] [Q0 Q1] [/events_hockey_stick h1 /events_hockey_stick h2]].
pose cut P Q y : R := P y - pos (1 * P y - E * Q y).
have cut_le p q y : cut p q y <= p y by rewrite ler_subl_addr ler_addl pos_ge0.
have cut_leE p q y : cut p q y <= E * q y.
  by rewrite ler_subl_addr -ler_subl_addl -[X in X - _]mul1r le_pos.
have le_cut p q y x : x <= p y -> x <= E * q y -> x <= cut p q y.
  move=> xp xq; rewrite ler_subr_addl -ler_subr_addr; apply: pos_le; last by rewrite subr_ge0.
  by rewrite mul1r ler_add2l ler_opp2.
have cut0 p q y : (forall y, 0 <= p y) -> (forall y, 0 <= q y) -> 0 <= cut p q y.
  by move=> p0 q0; apply: le_cut; rewrite ?mulr_ge0 // ltW.
have cutE p q y : (forall y, 0 <= p y) -> (forall y, 0 <= q y) -> cut p q y <= E * cut q p y.
  move=> p0 q0; rewrite -ler_pdivr_mull //; apply: le_cut; rewrite ler_pdivr_mull ?cut_leE //.
  by rewrite mulrA (le_trans (cut_le _ _ _)) // ler_pemull // mulr_ege1.
have sum_cut p q : \sum_y p y = 1 -> hockey_stick 1 E p q <= 1 - k -> k <= \sum_y cut p q y.
  by move=> p1 h; rewrite sumrB p1 ler_subr_addl -ler_subr_addr.
have [le|/ltW le] := leP (\sum_y cut P Q y) (\sum_y cut Q P y).
  have [||||//|P' [Q' [dP dQ PP QQ r]]] := @balance (cut P Q) (cut Q P).
  - by move=> y; exact: cut0.
  - by move=> y; exact: cut0.
  - by move=> y; split; exact: cutE.
  - exact: sum_cut.
  by exists P', Q'; split=> // y; apply: le_trans (cut_le _ _ y).
have [||||//|Q' [P' [dQ dP QQ PP r]]] := @balance (cut Q P) (cut P Q).
- by move=> y; exact: cut0.
- by move=> y; exact: cut0.
- by move=> y; split; exact: cutE.
- exact: sum_cut.
exists P', Q'; split=> // y; try by apply: le_trans (cut_le _ _ y).
by case: (r y).
Qed.
End Split.

Definition proper_notion (n : notion) : bool :=
  match n with
  | Approximate epsilon delta => (0 <= epsilon) && (0 <= delta < 1)
  | Gaussian mu => 0 <= mu
  | Concentrated rho => 0 <= rho
  end.
Definition failure (n : notion) := if n is Approximate _ delta then delta else 0.
Definition unfailing (n : notion) : notion := if n is Approximate epsilon _ then Approximate epsilon 0 else n.

(** The probability that no mechanism fails, and Delta. *)
Definition mixed_kept (ns : seq notion) := \prod_(n <- ns) (1 - failure n).
Definition mixed_slack (ns : seq notion) (delta : R) := 1 - (1 - delta) / mixed_kept ns.

Lemma failure_bounds n : proper_notion n -> 0 < 1 - failure n <= 1.
Proof.
by case: n => [e d /and3P[_ d0 d1]|mu _|rho _] /=; rewrite ?subr0 ?ltr01 ?lexx // subr_gt0 d1 ler_subl_addr ler_addl.
Qed.

Lemma mixed_kept_gt0 ns : all proper_notion ns -> 0 < mixed_kept ns.
Proof.
rewrite /mixed_kept; elim: ns => [|n ns IH] /=; first by rewrite big_nil ltr01.
by case/andP=> /failure_bounds/andP[h _] /IH; rewrite big_cons; exact: mulr_gt0.
Qed.

Lemma mixed_kept_permutation ns ns' : Permutation ns ns' -> mixed_kept ns = mixed_kept ns'.
Proof.
rewrite /mixed_kept; elim=> [|n {}ns {}ns' _ e|n n' {}ns|n1 n2 n3 _ -> _ ->] //.
  by rewrite !big_cons e.
by rewrite !big_cons mulrCA.
Qed.

Section Apart.
Variable G : R -> R -> R.

Lemma failure_apart n (Y : finType) (P Q : Y -> R) : proper_notion n -> satisfies G n P Q ->
  exists P' Q', satisfies G (unfailing n) P' Q' /\
  forall y, (1 - failure n) * P' y <= P y /\ (1 - failure n) * Q' y <= Q y.
Proof.
case: n => [e d /and3P[e0 d0 d1] [dP dQ h]|mu _ h|rho _ h] /=; last 2 first.
- by exists P, Q; split=> // y; rewrite subr0 !mul1r.
- by exists P, Q; split=> // y; rewrite subr0 !mul1r.
have [|||P' [Q' [dP' dQ' PP QQ r]]] := @split_pair _ Y (exp e) (1 - d) _ _ P Q.
- by rewrite exp_ge1.
- by rewrite subr_gt0.
- by rewrite subKr.
exists P', Q'; split=> [|//]; split=> //.
by split=> S; rewrite addr0 mulr_sumr; apply: ler_sum => y _; case: (r y).
Qed.

Theorem failures_apart ns (Y : finType) (P Q : Y -> R) :
  mixed_composition G ns P Q -> all proper_notion ns ->
  exists P' Q', mixed_composition G [seq unfailing n | n <- ns] P' Q' /\
  forall y, mixed_kept ns * P' y <= P y /\ mixed_kept ns * Q' y <= Q y.
Proof.
elim=> {ns Y P Q} [_|n ns Y Z P Q P2 Q2 h _ IH /andP[w W]].
  exists (fun=> 1), (fun=> 1); split; first exact: MixedNil.
  by move=> y; rewrite /mixed_kept big_nil mulr1.
have [P' [Q' [h' PQ]]] := failure_apart w h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
    mixed_composition G [seq unfailing n | n <- ns] F.1 F.2 /\
    forall z, mixed_kept ns * F.1 z <= P2 y z /\ mixed_kept ns * F.2 z <= Q2 y z.
  by have [P2' [Q2' H]] := IH y W; exists (P2', Q2').
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
  apply: (@MixedCons G (unfailing n) _ _ _ P' Q' (fun y => (F y).1) (fun y => (F y).2)) => // y.
  by case: (HF y).
have k0 := ltW (mixed_kept_gt0 W); have /andP[/ltW d0 _] := failure_bounds w.
have [[P'0 _] [Q'0 _] _] := h'.
move=> [y z] /=; rewrite /mixed_kept big_cons -/(mixed_kept ns).
have [C /(_ z)[Pz Qz]] := HF y; have [Py Qy] := PQ y.
have [[F1 _] [F2 _]] := mixed_composition_distribution C.
by split; rewrite mulrACA ler_pmul ?mulr_ge0.
Qed.

Lemma divergence_apart (Y : finType) (P Q P' Q' : Y -> R) k y : 0 <= k -> 0 <= y ->
  distribution P -> distribution P' -> (forall z, k * P' z <= P z /\ k * Q' z <= Q z) ->
  hockey_stick 1 y P Q <= 1 - k + k * hockey_stick 1 y P' Q'.
Proof.
move=> k0 y0 [_ P1] [_ P'1] H.
have -> : 1 - k = \sum_z (P z - k * P' z) by rewrite sumrB -mulr_sumr P1 P'1 mulr1.
rewrite /hockey_stick mulr_sumr -big_split /=.
apply: ler_sum => z _; have [hP hQ] := H z; apply: pos_le; last first.
  by rewrite addr_ge0 ?subr_ge0 // mulr_ge0 // pos_ge0.
apply: (@le_trans _ _ (P z - k * P' z + k * (1 * P' z - y * Q' z))).
  rewrite -subr_ge0 !mul1r.
  have -> : P z - k * P' z + k * (P' z - y * Q' z) - (P z - y * Q z) = y * (Q z - k * Q' z) by ring.
  by rewrite mulr_ge0 // subr_ge0.
by rewrite ler_add2l ler_wpmul2l // le_pos.
Qed.

Theorem mixed_upper_apart ns epsilon delta : all proper_notion ns ->
  (forall ns', Permutation ns ns' -> forall (Y : finType) (P Q : Y -> R),
     mixed_composition G [seq unfailing n | n <- ns'] P Q ->
     hockey_stick 1 (exp epsilon) P Q <= mixed_slack ns delta) ->
  mixed_upper G ns epsilon delta.
Proof.
move=> W H ns' p Y P Q C; have W' : all proper_notion ns' by rewrite -(all_permutation _ p).
have k0 := mixed_kept_gt0 W.
have half (P' Q' : Y -> R) : mixed_composition G ns' P' Q' -> hockey_stick 1 (exp epsilon) P' Q' <= delta.
  move=> {}C; have [P2 [Q2 [C2 le]]] := failures_apart C W'.
  have [dP _] := mixed_composition_distribution C.
  have [dP2 _] := mixed_composition_distribution C2.
  rewrite -(mixed_kept_permutation p) in le.
  apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dP dP2 le) _.
  have -> : delta = 1 - mixed_kept ns + mixed_kept ns * mixed_slack ns delta.
    by rewrite /mixed_slack mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
  by rewrite ler_add2l ler_pmul2l //; exact: H C2.
by split; apply/events_hockey_stick; apply: half => //; exact: mixed_composition_sym.
Qed.
End Apart.
