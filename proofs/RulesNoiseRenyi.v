(** 11.14 [moments]: Rényi divergences of one order, added up and converted.

    An entry of a ledger is a mechanism of one of the notions of Notions.v, one with Rényi divergences
    of several orders, or one of which the moment of the rule's order is known, as 11.14 has it for
    each kind of noise ([noise_entry]).  A divergence does not fall as its order grows
    ([moment_of_order]; van Erven & Harremoës 2014, Theorem 3), moments multiply, and failures come
    first: [rule_noise_renyi].  Of the bounds for kinds of noise, that a mechanism of bounded range
    epsilon, such as an exponential mechanism, is (epsilon^2/8)-zCDP is proved
    ([bounded_range_concentrated]; Cesar & Rogers 2021). *)
From Coq Require Import Reals Permutation Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments
  RenyiOrders BoundedRange ConcentratedGaussian RulesConcentrated RulesGaussian OrderOfWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Of two orders the lesser has the lesser divergence. *)
Lemma power_term_order (a b r p q : R) : 1 < a -> a <= b -> 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  power_term a p q <= exp ((a - 1) * r) * ((1 - (a - 1) / (b - 1)) * p +
    (a - 1) / (b - 1) * exp (- ((b - 1) * r)) * power_term b p q).
Proof.
move=> a1 ab p0 q0 s; set t := (a - 1) / (b - 1); have b1 : 1 < b := lt_le_trans a1 ab.
have c0 : 0 < b - 1 by rewrite subr_gt0.
have t0 : 0 <= t by rewrite divr_ge0 ?subr_ge0 ?ltW.
have t1 : t <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2r.
have [->|[pp qq]] := supported p0 q0 s; first by rewrite !power_term0 !mulr0 addr0 mulr0.
rewrite !power_term_pos //; set u := ln p - ln q.
have e : p = q * exp u by rewrite expB !lnK // mulrC divfK ?gt_eqF.
have cut c : q * exp (c * u) = p * exp ((c - 1) * u).
  by rewrite e -mulrA -expD; congr (_ * exp _); ring.
rewrite !cut; set v := (b - 1) * (u - r).
have -> : exp ((a - 1) * u) = exp ((a - 1) * r) * exp (t * v).
  by rewrite -expD; congr exp; rewrite /t /v mulrA divfK ?gt_eqF //; ring.
have -> : (1 - t) * p + t * exp (- ((b - 1) * r)) * (p * exp ((b - 1) * u)) = p * (1 - t + t * exp v).
  have -> : exp v = exp (- ((b - 1) * r)) * exp ((b - 1) * u).
    by rewrite -expD; congr exp; rewrite /v; ring.
  by ring.
rewrite mulrCA ler_pmul2l ?exp_gt0 // ler_pmul2l //.
exact/RleP/(exp_chord _ _ (elimT (RleP _ _) t0) (elimT (RleP _ _) t1)).
Qed.

Theorem moment_of_order (a b r : R) (Y : finType) (P Q : Y -> R) : 1 < a -> a <= b ->
  distribution P -> distribution Q ->
  moment_at_most b (exp ((b - 1) * r)) P Q -> moment_at_most a (exp ((a - 1) * r)) P Q.
Proof.
move=> a1 ab [P0 P1] [Q0 _] [s h]; split=> //; set t := (a - 1) / (b - 1).
have b1 : 1 < b := lt_le_trans a1 ab.
have t0 : 0 <= t by rewrite divr_ge0 ?subr_ge0 ?ltW.
apply: (@le_trans _ _ (\sum_y exp ((a - 1) * r) *
    ((1 - t) * P y + t * exp (- ((b - 1) * r)) * power_term b (P y) (Q y)))).
  by apply: ler_sum => y _; exact: power_term_order (s y).
rewrite -mulr_sumr -[X in _ <= X]mulr1 ler_pmul2l ?exp_gt0 // big_split /= -!mulr_sumr P1 mulr1.
rewrite -[X in _ <= X](subrK t) ler_add2l -mulrA -[X in _ <= X]mulr1; apply: ler_wpmul2l => //.
by rewrite expN ler_pdivr_mull ?exp_gt0 // mulr1.
Qed.

(** A mechanism of a notion; with Rényi divergences of some orders; with a moment of the order a. *)
Inductive noise_entry :=
| Stated of notion
| Ordered of seq (R * R)
| Known of R.

Section Rule.
Variables (a : R) (a1 : 1 < a).
Implicit Types (e : noise_entry) (es : seq noise_entry).

Definition has_moments (b m : R) (Y : finType) (P Q : Y -> R) : Prop :=
  moment_at_most b m P Q /\ moment_at_most b m Q P.
Definition of_entry e (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
  match e with
  | Stated n => satisfies G n P Q
  | Ordered os => forall b r, (b, r) \in os -> has_moments b (exp ((b - 1) * r)) P Q
  | Known k => has_moments a (exp k) P Q
  end].

(** Of an adaptive composition: each mechanism may depend on the answers before. *)
Inductive noise_composition : seq noise_entry -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| NoiseNil : noise_composition [::] (fun _ : unit => 1) (fun _ : unit => 1)
| NoiseCons e es (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    of_entry e P Q -> (forall y, noise_composition es (P' y) (Q' y)) ->
    noise_composition (e :: es) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
Definition noise_upper es (epsilon delta : R) :=
  forall es', Permutation es es' -> forall (Y : finType) (P Q : Y -> R),
  noise_composition es' P Q -> indistinguishable (exp epsilon) delta P Q.

(** What the rule adds up: of a list the divergence of the first order that is at least a. *)
Definition first_order (os : seq (R * R)) := nth (0, 0) [seq o <- os | a <= o.1] 0.
Definition log_bound e :=
  match e with
  | Stated n => log_moment a n
  | Ordered os => (a - 1) * (first_order os).2
  | Known k => k
  end.
Definition proper_entry e :=
  match e with
  | Stated n => proper_notion n
  | Ordered os => has (fun o : R * R => a <= o.1) os
  | Known _ => true
  end.
Definition entry_failure e := if e is Stated n then failure n else 0.
Definition noise_kept es := \prod_(e <- es) (1 - entry_failure e).
Definition noise_slack es (delta : R) := 1 - (1 - delta) / noise_kept es.

Lemma of_entry_sym e (Y : finType) (P Q : Y -> R) : of_entry e P Q -> of_entry e Q P.
Proof.
case=> dP dQ h; split=> //; case: e h => [n|os|k]; first exact: satisfies_sym.
  by move=> h b r /h[].
by case.
Qed.

Lemma noise_composition_sym es (Y : finType) (P Q : Y -> R) :
  noise_composition es P Q -> noise_composition es Q P.
Proof.
elim=> [|e {}es {}Y Z {}P {}Q P' Q' /of_entry_sym h _ IH]; first exact: NoiseNil.
exact: NoiseCons.
Qed.

Lemma noise_distribution es (Y : finType) (P Q : Y -> R) :
  noise_composition es P Q -> distribution P /\ distribution Q.
Proof.
elim=> [|e {}es {}Y Z {}P {}Q P' Q' [dP dQ _] _ IH]; first by split; exact: distribution_unit.
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Lemma entry_failure_bounds e : proper_entry e -> 0 < 1 - entry_failure e <= 1.
Proof. by case: e => [n|os _|k _] /=; [exact: failure_bounds|rewrite subr0 ltr01 lexx..]. Qed.

Lemma noise_kept_gt0 es : all proper_entry es -> 0 < noise_kept es.
Proof.
rewrite /noise_kept; elim: es => [|e es IH] /=; first by rewrite big_nil ltr01.
by case/andP=> /entry_failure_bounds/andP[h _] /IH; rewrite big_cons; exact: mulr_gt0.
Qed.

Lemma entry_apart e (Y : finType) (P Q : Y -> R) : proper_entry e -> of_entry e P Q ->
  exists P' Q', [/\ distribution P', distribution Q', moment_at_most a (exp (log_bound e)) P' Q' &
  forall y, (1 - entry_failure e) * P' y <= P y /\ (1 - entry_failure e) * Q' y <= Q y].
Proof.
case: e => [n|os|k] /= w [dP dQ h]; last 2 first.
- exists P, Q; split=> // [|y]; last by rewrite subr0 !mul1r.
  have : first_order os \in [seq o <- os | a <= o.1].
    by apply: mem_nth; rewrite size_filter -has_count.
  rewrite mem_filter; case: (first_order os) => b r /= /andP[ab inside].
  by have [m _] := h b r inside; exact: moment_of_order m.
- by exists P, Q; case: h => m _; split=> // y; rewrite subr0 !mul1r.
have [P' [Q' [h' le]]] := failure_apart w h.
have m := unfailing_moment a1 w h'.
by case: h' => dP' dQ' _; exists P', Q'.
Qed.

Lemma noise_apart es (Y : finType) (P Q : Y -> R) : noise_composition es P Q -> all proper_entry es ->
  exists P' Q', [/\ distribution P', distribution Q',
    moment_at_most a (exp (\sum_(e <- es) log_bound e)) P' Q' &
  forall y, noise_kept es * P' y <= P y /\ noise_kept es * Q' y <= Q y].
Proof.
elim=> {es Y P Q} [_|e es Y Z P Q P2 Q2 h C IH /andP[w W]].
  exists (fun=> 1), (fun=> 1); split; try exact: distribution_unit.
    by rewrite big_nil exp_0; exact: moment_self distribution_unit.
  by move=> y; rewrite /noise_kept big_nil mulr1.
have [P' [Q' [dP' dQ' m PQ]]] := entry_apart w h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
    [/\ distribution F.1, distribution F.2, moment_at_most a (exp (\sum_(e <- es) log_bound e)) F.1 F.2 &
    forall z, noise_kept es * F.1 z <= P2 y z /\ noise_kept es * F.2 z <= Q2 y z].
  by have [P2' [Q2' H]] := IH y W; exists (P2', Q2').
have d1 y : distribution (F y).1 by case: (HF y).
have d2 y : distribution (F y).2 by case: (HF y).
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
- exact: (@distribution_pair _ _ _ P' (fun y => (F y).1)).
- exact: (@distribution_pair _ _ _ Q' (fun y => (F y).2)).
- rewrite big_cons expD; apply: (@moment_pair a _ _ P' Q' (fun y => (F y).1) (fun y => (F y).2)) => //.
    exact: ltW (exp_gt0 _).
  by move=> y; case: (HF y).
have k0 := ltW (noise_kept_gt0 W); have /andP[/ltW f0 _] := entry_failure_bounds w.
have [P'0 _] := dP'; have [Q'0 _] := dQ'.
move=> [y z] /=; rewrite /noise_kept big_cons -/(noise_kept es).
have [[F1 _] [F2 _] _ /(_ z)[Pz Qz]] := HF y; have [Py Qy] := PQ y.
by split; rewrite mulrACA ler_pmul ?mulr_ge0.
Qed.

(** The rule: the sum of what is known of all mechanisms, converted. *)
Theorem rule_noise_renyi es epsilon delta : all proper_entry es -> 0 < noise_slack es delta ->
  \sum_(e <- es) log_bound e + (1 - a) * epsilon + log_conversion a <= ln (noise_slack es delta) ->
  noise_upper es epsilon delta.
Proof.
move=> W D0 le es' p Y P Q C; have k0 := noise_kept_gt0 W.
have W' : all proper_entry es'.
  by move: W; elim: p => //= [e l l' _ IH /andP[-> /IH]|e e' l|l l' l'' _ IH _ IH' /IH/IH'] //; rewrite andbCA.
have same : noise_kept es' = noise_kept es /\ \sum_(e <- es') log_bound e = \sum_(e <- es) log_bound e.
  rewrite /noise_kept; elim: p => [|e l l' _ [h h']|e e' l|l l' l'' _ [<- <-] _ [-> ->]] //.
    by rewrite !big_cons h h'.
  by rewrite !big_cons mulrCA addrCA.
have half (S T : Y -> R) : noise_composition es' S T -> hockey_stick 1 (exp epsilon) S T <= delta.
  move=> {}C; have [S2 [T2 [dS2 dT2 m PQ]]] := noise_apart C W'; have [dS _] := noise_distribution C.
  rewrite same.1 in PQ; rewrite same.2 in m.
  apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dS dS2 PQ) _.
  have -> : delta = 1 - noise_kept es + noise_kept es * noise_slack es delta.
    by rewrite /noise_slack mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
  rewrite ler_add2l ler_pmul2l //; apply: le_trans (moment_divergence a1 epsilon dS2 dT2 m) _.
  by rewrite -expD -[X in _ <= X](lnK D0) exp_le addrC addrA.
by split; apply/events_hockey_stick; apply: half => //; exact: noise_composition_sym.
Qed.
End Rule.

(** --- mechanisms of bounded range --- *)

(** All privacy losses lie in an interval of length e. *)
Definition bounded_range (e : R) (Y : finType) (P Q : Y -> R) : Prop :=
  exists t : R, forall y, exp (t - e) * Q y <= P y /\ P y <= exp t * Q y.

Lemma bounded_range_sym e (Y : finType) (P Q : Y -> R) : bounded_range e P Q -> bounded_range e Q P.
Proof.
move=> [t h]; exists (e - t) => y; have [low high] := h y.
have e1 : exp (e - t - e) = (exp t)^-1 by rewrite -expN; congr exp; ring.
have e2 : exp (e - t) = (exp (t - e))^-1 by rewrite -expN; congr exp; ring.
by rewrite e1 e2 ler_pdivr_mull ?exp_gt0 // ler_pdivl_mull ?exp_gt0.
Qed.

Section Range.
Variables (a : R) (a1 : 1 < a).

Lemma power_term_range (t e p q : R) : 0 <= p -> 0 <= q -> exp (t - e) * q <= p -> p <= exp t * q ->
  power_term a p q * (exp t - exp (t - e)) <=
  (p - exp (t - e) * q) * exp (a * t) + (exp t * q - p) * exp (a * (t - e)).
Proof.
move=> p0 q0 low high; have [p00|[pp qq]] : p = 0 \/ 0 < p /\ 0 < q.
- by apply: supported => // q00; apply/eqP; rewrite eq_le p0 andbT; move: high; rewrite q00 mulr0.
- have -> : q = 0.
    apply/eqP; rewrite eq_le q0 andbT; move: low; rewrite p00 pmulr_rle0 //; exact: exp_gt0.
  by rewrite p00 power_term0 !mulr0 mul0r subr0 !mul0r addr0.
rewrite power_term_pos //; set u := ln p - ln q.
have e1 : p = q * exp u by rewrite expB !lnK // mulrC divfK ?gt_eqF.
have u1 : u <= t by rewrite -exp_le -(ler_pmul2l qq) -e1 mulrC.
have u0 : t - e <= u by rewrite -exp_le -(ler_pmul2l qq) -e1 mulrC.
have /RleP h := @chord_between a (t - e) t u (elimT (RltP _ _) a1) (conj (elimT (RleP _ _) u0) (elimT (RleP _ _) u1)).
rewrite -mulrA e1.
have -> : (q * exp u - exp (t - e) * q) * exp (a * t) + (exp t * q - q * exp u) * exp (a * (t - e)) =
    q * ((exp u - exp (t - e)) * exp (a * t) + (exp t - exp u) * exp (a * (t - e))) by ring.
by rewrite ler_pmul2l.
Qed.

Lemma bounded_range_moment e (Y : finType) (P Q : Y -> R) : 0 <= e -> distribution P -> distribution Q ->
  bounded_range e P Q -> moment_at_most a (exp (a * (a - 1) * (e ^+ 2 / 8%:R))) P Q.
Proof.
move=> e0 dP dQ [t h]; have [P0 P1] := dP; have [Q0 Q1] := dQ.
have low : exp (t - e) <= 1.
  suff : exp (t - e) * (\sum_y Q y) <= \sum_y P y by rewrite Q1 P1 mulr1.
  by rewrite mulr_sumr; apply: ler_sum => y _; case: (h y).
have high : 1 <= exp t.
  suff : \sum_y P y <= exp t * (\sum_y Q y) by rewrite Q1 P1 mulr1.
  by rewrite mulr_sumr; apply: ler_sum => y _; case: (h y).
move: e0; rewrite le_eqVlt => /orP[/eqP e0|e0].
  have t1 : exp t = 1 by apply/eqP; rewrite eq_le high andbT; move: low; rewrite -e0 subr0.
  have same y : P y = Q y.
    by apply/eqP; rewrite eq_le; have [] := h y; rewrite -e0 subr0 t1 !mul1r => -> ->.
  rewrite -e0 expr0n mul0r mulr0 exp_0; have [s m] := moment_self a dP; split=> [y <- //|].
  by under eq_bigr do rewrite -same.
split=> [y q0|].
  by apply/eqP; rewrite eq_le P0 andbT; have [_] := h y; rewrite q0 mulr0.
have wide : 0 < exp t - exp (t - e).
  by rewrite subr_gt0 ltNge exp_le -ltNge ltr_subl_addl ltr_addr.
rewrite -(ler_pmul2r wide) mulr_suml.
apply: (@le_trans _ _ (\sum_y ((P y - exp (t - e) * Q y) * exp (a * t) +
    (exp t * Q y - P y) * exp (a * (t - e))))).
  by apply: ler_sum => y _; have [l u] := h y; exact: power_term_range.
rewrite big_split /= -!mulr_suml !sumrB -!mulr_sumr P1 Q1 !mulr1 addrC [X in _ <= X]mulrC.
have t0 : 0 <= t by rewrite -exp_le exp_0.
have l0 : t - e <= 0 by rewrite -exp_le exp_0.
have eight : 8%:R = 8%coqR :> R by rewrite -INRE /=; lra.
have -> : e ^+ 2 / 8%:R = (e * e / 8)%coqR.
  by rewrite eight RdivE -?eight ?pnatr_eq0.
by apply/RleP; apply: range_moment; [exact/RltP|exact/RltP|split; exact/RleP].
Qed.
End Range.

Theorem bounded_range_concentrated e (Y : finType) (P Q : Y -> R) : 0 <= e ->
  distribution P -> distribution Q -> bounded_range e P Q -> satisfies G (Concentrated (e ^+ 2 / 8%:R)) P Q.
Proof.
move=> e0 dP dQ h; split=> // a a1; split; first exact: bounded_range_moment.
by apply: bounded_range_moment => //; exact: bounded_range_sym.
Qed.
