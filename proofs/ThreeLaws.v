(** An epoch of batches, and the inequality of three laws.

    An epoch has T steps, and the answer of a step may decide all that is done in later ones.  A [step_law]
    gives, of each step and each list of earlier answers, the law of the next answer.  There are three: [base],
    and two that a step may have in its place, [one] on the first input and [other] on the second.  At most one
    step is changed: step t with probability w t, none with probability w0 ([epoch]).  So it is where a record
    is in one batch, and nobody knows in which.

    What a step reveals is its call function, sum_z max(P(z) - y Q(z) - v R(z), 0), at each price v ([call]).
    Let laws V_0, ..., V_{T-1} of finitely many values have greater call functions E max(V_t - v, 0), whatever the
    answers before were.  Then the divergence of the epoch is at most E max(w0 (1 - y) + sum_t w t V_t, 0), with
    V_0, ..., V_{T-1} independent ([three_laws]).

    The proof goes step by step from the first ([gain_dominated]): what can still be gained is linear in what
    a step answers, under one positive part, so that the sums over the answers of a step and over the values of
    the later V may be exchanged; and the positive part of a weighted sum of the step's laws is a call function. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variables (R : realFieldType) (Y : finType).

(** The number of a step, the answers before it, and its answer. *)
Definition step_law := nat -> seq Y -> Y -> R.

(** The law of all answers, with [changed] at step t alone, or nowhere. *)
Definition changed_at T (base changed : step_law) (t : 'I_T) (z : T.-tuple Y) : R :=
  \prod_(s < T) (if s == t then changed else base) s (take s z) (tnth z s).
Definition unchanged T (base : step_law) (z : T.-tuple Y) : R := \prod_(s < T) base s (take s z) (tnth z s).

Definition epoch T (w0 : R) (w : nat -> R) (base changed : step_law) (z : T.-tuple Y) : R :=
  w0 * unchanged base z + \sum_(t < T) w t * changed_at base changed t z.

(** The call function of three laws at the price v, and that of a law of finitely many values. *)
Definition call (y v : R) (P Q B : Y -> R) : R := \sum_z pos (P z - y * Q z - v * B z).
Definition call_of (K : finType) (mass value : K -> R) (v : R) : R := \sum_k mass k * pos (value k - v).
End Definitions.

(** The mean of max(x + sum_t w t V_t, 0), where V_t is independent of the others. *)
Definition mean_above (R : realFieldType) (K : finType) T (w : nat -> R) (mass value : nat -> K -> R) (x : R) : R :=
  \sum_(k : T.-tuple K) (\prod_(t < T) mass t (tnth k t)) * pos (x + \sum_(t < T) w t * value t (tnth k t)).

(** --- step by step --- *)

Section Gain.
Variable R : realFieldType.
Implicit Types (a b c x : R).

Lemma sum_tuples (Y : finType) T (F : T.+1.-tuple Y -> R) :
  \sum_z F z = \sum_(y : Y) \sum_(z : T.-tuple Y) F (cons_tuple y z).
Proof.
rewrite (pair_bigA _ (fun y z => F (cons_tuple y z))) /=.
rewrite (reindex (fun p : Y * T.-tuple Y => cons_tuple p.1 p.2)) //=.
exists (fun z => (thead z, behead_tuple z)) => [[y z] _|z _] /=; last by apply: val_inj; case/tupleP: z.
by congr (_, _); exact: val_inj.
Qed.

Lemma sum_tuples0 (Y : finType) (F : 0.-tuple Y -> R) : \sum_z F z = F [tuple].
Proof. by rewrite (big_pred1 [tuple]) // => z; apply/esym/eqP; exact: tuple0. Qed.

Definition after (Y : finType) (y : Y) (l : step_law R Y) : step_law R Y := fun t past => l t.+1 (y :: past).

(** What the steps gain: a is the weight of the answers so far without a change, x with one. *)
Fixpoint gain (Y : finType) T (base change : step_law R Y) a x : R :=
  if T is T'.+1 then \sum_y gain T' (after y base) (after y change)
    (a * base 0%N [::] y) (x * base 0%N [::] y + a * change 0%N [::] y)
  else pos x.

Lemma gain_sum (Y : finType) T (base change : step_law R Y) a x : gain T base change a x =
  \sum_(z : T.-tuple Y) pos (x * unchanged base z + a * \sum_(t < T) changed_at base change t z).
Proof.
elim: T base change a x => [|T IH] base change a x /=.
  by rewrite sum_tuples0 /unchanged !big_ord0 mulr1 mulr0 addr0.
rewrite sum_tuples; apply: eq_bigr => y _; rewrite IH; apply: eq_bigr => z _; congr pos.
rewrite /unchanged /changed_at big_ord_recl [X in _ = _ + a * X]big_ord_recl /=.
rewrite big_ord_recl eqxx /= !tnth0.
have tl (s : 'I_T) : tnth (cons_tuple y z) (lift ord0 s) = tnth z s by rewrite tnthS.
under [X in _ = _ * (_ * X) + _]eq_bigr do rewrite tl.
under [X in _ = _ + _ * (_ * X + _)]eq_bigr do rewrite tl.
have -> : \sum_(i < T) \prod_(s < T.+1)
     (if s == lift ord0 i then change else base) s (take s (y :: z)) (tnth (cons_tuple y z) s) =
   base 0%N [::] y * \sum_(t < T) \prod_(s < T)
     (if s == t then after y change else after y base) s (take s z) (tnth z s).
  rewrite mulr_sumr; apply: eq_bigr => t _; rewrite big_ord_recl /= tnth0; congr (_ * _).
  by apply: eq_bigr => s _; rewrite tl (inj_eq lift_inj); case: ifP.
set A := \prod_(s < T) _; set S := \sum_(t < T) _.
ring.
Qed.

(** A law of weights and prices that does not depend on earlier answers. *)
Definition fixed (K : finType) (m : nat -> K -> R) : step_law R K := fun t _ => m t.

(** [change] beside [base] gains at most what [l] gains beside [m], and [c] more. *)
Definition below (Y K : finType) (B U : Y -> R) (m l : K -> R) c : Prop := forall a b, 0 <= a ->
  \sum_z pos (a * U z + b * B z) <= \sum_k pos (a * l k + b * m k) + a * c.

Lemma gain_dominated (Y K : finType) T (base change : step_law R Y) (m l : nat -> K -> R) (c : nat -> R) a x :
  (forall t past, (t < T)%N -> distribution (base t past)) -> (forall t, (t < T)%N -> distribution (m t)) ->
  (forall t past, (t < T)%N -> below (base t past) (change t past) (m t) (l t) (c t)) -> 0 <= a ->
  gain T base change a x <= gain T (fixed m) (fixed l) a x + a * \sum_(t < T) c t.
Proof.
elim: T base change m l c a x => [|T IH] base change m l c a x dB dm dom a0 /=.
  by rewrite big_ord0 mulr0 addr0.
set B := base 0%N [::]; set U := change 0%N [::].
have [B0 B1] : distribution B by exact: dB.
pose m' t := m t.+1; pose l' t := l t.+1; pose c' := \sum_(t < T) c t.+1.
apply: (@le_trans _ _ (\sum_y (gain T (fixed m') (fixed l') (a * B y) (x * B y + a * U y) + a * B y * c'))).
  apply: ler_sum => y _; apply: (IH _ _ m' l' (fun t => c t.+1)); last by rewrite mulr_ge0.
  - by move=> t past tT; exact: dB.
  - by move=> t tT; exact: dm.
  - by move=> t past tT; exact: dom.
have -> : a * (\sum_(t < T.+1) c t) = a * c 0%N + a * c' by rewrite big_ord_recl mulrDr.
rewrite big_split /= -mulr_suml -mulr_sumr B1 mulr1 addrA ler_add2r.
pose rest (k : T.-tuple K) := unchanged (fixed m') k.
pose rise (k : T.-tuple K) := \sum_(t < T) changed_at (fixed m') (fixed l') t k.
have rest0 k : 0 <= rest k by apply: prodr_ge0 => s _; case: (dm s.+1) => [|h _]; [rewrite ltnS|exact: h].
have rest1 : \sum_k rest k = 1.
  have : forall j, (j <= T)%N -> forall n : nat -> K -> R, (forall t, (t < j)%N -> distribution (n t)) ->
    \sum_(k : j.-tuple K) unchanged (fixed n) k = 1.
    elim=> [|j IHj] jT n dn; first by rewrite sum_tuples0 /unchanged big_ord0.
    rewrite sum_tuples; have [_ <-] := dn 0%N isT; apply: eq_bigr => y _.
    rewrite -[RHS]mulr1 -(IHj (ltnW jT) (fun t => n t.+1)) => [|t tj]; last exact: dn.
    rewrite mulr_sumr; apply: eq_bigr => k _; rewrite /unchanged big_ord_recl tnth0; congr (_ * _).
    by apply: eq_bigr => s _; rewrite tnthS.
  by apply=> // t tT; exact: dm.
have swap (Z : finType) (B' U' : Z -> R) : \sum_z gain T (fixed m') (fixed l') (a * B' z) (x * B' z + a * U' z) =
    \sum_(k : T.-tuple K) \sum_z pos (a * rest k * U' z + (x * rest k + a * rise k) * B' z).
  rewrite exchange_big /=; apply: eq_bigr => z _; rewrite gain_sum; apply: eq_bigr => k _; congr pos.
  rewrite -/(rest k) -/(rise k); ring.
rewrite swap (swap K (m 0%N) (l 0%N)) -[X in _ <= _ + X]mulr1 -rest1 mulr_sumr -big_split /=.
apply: ler_sum => k _; rewrite -mulrA [c _ * _]mulrC mulrA.
by apply: (dom 0%N [::] isT); rewrite mulr_ge0.
Qed.
End Gain.

(** --- the theorem --- *)

Section Inequality.
Variable R : realFieldType.
Implicit Types (a b c v x y : R).

(** Call functions in order are positive parts of all weighted sums in order. *)
Lemma call_below (Y K : finType) (P Q B : Y -> R) (m value : K -> R) y c : distribution B -> distribution m ->
  (forall v, call y v P Q B <= call_of m value v + c) ->
  below B (fun z => P z - y * Q z) m (fun k => value k * m k) c.
Proof.
move=> [B0 B1] [m0 m1] calls a b; rewrite le_eqVlt => /predU1P[<-|a0].
  rewrite mul0r addr0; have e (Z : finType) (F : Z -> R) (G : Z -> R) : (forall z, 0 <= F z) -> \sum_z F z = 1 ->
      \sum_z pos (0 * G z + b * F z) = pos b.
    move=> F0 F1; rewrite -[RHS]mulr1 -F1 mulr_sumr; apply: eq_bigr => z _.
    by rewrite mul0r add0r mulrC posM // mulrC.
  by rewrite !e.
have a0' := ltW a0; have ab : a * (- b / a) = - b by rewrite mulrC divfK // gt_eqF.
have -> : \sum_z pos (a * (P z - y * Q z) + b * B z) = a * call y (- b / a) P Q B.
  rewrite mulr_sumr; apply: eq_bigr => z _; rewrite -posM //; congr pos.
  by rewrite [in RHS]mulrBr [a * (_ / _ * _)]mulrA ab mulNr opprK.
have -> : \sum_k pos (a * (value k * m k) + b * m k) = a * call_of m value (- b / a).
  rewrite mulr_sumr; apply: eq_bigr => k _; rewrite -posM // -posM //; congr pos.
  by rewrite [RHS]mulrCA mulrBr ab opprK; ring.
by rewrite -mulrDr ler_wpmul2l.
Qed.

Lemma below_scaled (Y K : finType) (B U : Y -> R) (m l : K -> R) c w : 0 <= w -> below B U m l c ->
  below B (fun z => w * U z) m (fun k => w * l k) (w * c).
Proof.
move=> w0 h a b a0; rewrite mulrA; under eq_bigr do rewrite mulrA.
by under [X in _ <= X + _]eq_bigr do rewrite mulrA; apply: h; rewrite mulr_ge0.
Qed.

Lemma changed_atM (Y : finType) T (base change : step_law R Y) (w : nat -> R) (t : 'I_T) z :
  changed_at base (fun t past k => w t * change t past k) t z = w t * changed_at base change t z.
Proof.
rewrite /changed_at (bigD1 t) //= [in RHS](bigD1 t) //= !eqxx !mulrA; congr (_ * _).
by apply: eq_bigr => s /negbTE ->.
Qed.

Lemma changed_atB (Y : finType) T (base one other : step_law R Y) y (t : 'I_T) z :
  changed_at base (fun t past k => one t past k - y * other t past k) t z =
  changed_at base one t z - y * changed_at base other t z.
Proof.
have e change : changed_at base change t z =
    change t (take t z) (tnth z t) * \prod_(s < T | s != t) base s (take s z) (tnth z s).
  by rewrite /changed_at (bigD1 t) //= eqxx; congr (_ * _); apply: eq_bigr => s /negbTE ->.
by rewrite !e; ring.
Qed.

Lemma gain_of_values (K : finType) T (w : nat -> R) (mass value : nat -> K -> R) x :
  (forall t, (t < T)%N -> distribution (mass t)) ->
  gain T (fixed mass) (fixed (fun t k => w t * (value t k * mass t k))) 1 x = mean_above T w mass value x.
Proof.
move=> dm; rewrite gain_sum; apply: eq_bigr => /= k _.
have rest0 : 0 <= \prod_(t < T) mass t (tnth k t) by apply: prodr_ge0 => t _; case: (dm t (ltn_ord t)).
rewrite -posM //; congr pos; rewrite mul1r mulrDr [x * _]mulrC; congr (_ + _).
rewrite mulr_sumr; apply: eq_bigr => t _.
rewrite /changed_at (bigD1 t) //= eqxx [in RHS](bigD1 t) //= /fixed.
rewrite (eq_bigr (fun s : 'I_T => mass s (tnth k s))) => [|s /negbTE -> //]; ring.
Qed.

(** What is missing from the values, as beyond the last of them, may be paid for apart: [cut]. *)
Theorem three_laws_cut (Y K : finType) T (w0 : R) (w : nat -> R) y (base one other : step_law R Y)
    (mass value : nat -> K -> R) (cut : nat -> R) :
  (forall t, 0 <= w t) ->
  (forall t past, (t < T)%N -> distribution (base t past)) ->
  (forall t, (t < T)%N -> distribution (mass t)) ->
  (forall t past, (t < T)%N -> forall v,
     call y v (one t past) (other t past) (base t past) <= call_of (mass t) (value t) v + cut t) ->
  hockey_stick 1 y (epoch (T := T) w0 w base one) (epoch w0 w base other) <=
  mean_above T w mass value (w0 * (1 - y)) + \sum_(t < T) w t * cut t.
Proof.
move=> w_ge0 dB dm calls; rewrite -gain_of_values //.
pose change : step_law R Y := fun t past k => w t * (one t past k - y * other t past k).
have -> : hockey_stick 1 y (epoch (T := T) w0 w base one) (epoch w0 w base other) = gain T base change 1 (w0 * (1 - y)).
  rewrite gain_sum; apply: eq_bigr => z _; congr pos; rewrite !mul1r /epoch.
  rewrite [in RHS](eq_bigr (fun t : 'I_T => w t * changed_at base one t z - y * (w t * changed_at base other t z))).
    rewrite sumrB -mulr_sumr; set p := \sum_(t < T) _; set q := \sum_(t < T) _; ring.
  by move=> t _; rewrite (changed_atM base (fun t past k => one t past k - y * other t past k)) changed_atB; ring.
rewrite -[\sum_(t < T) _]mul1r.
apply: (gain_dominated (c := fun t => w t * cut t)) => // [t past tT|]; last exact: ler01.
by apply: below_scaled => //; apply: call_below; auto.
Qed.

Theorem three_laws (Y K : finType) T (w0 : R) (w : nat -> R) y (base one other : step_law R Y)
    (mass value : nat -> K -> R) :
  (forall t, 0 <= w t) ->
  (forall t past, (t < T)%N -> distribution (base t past)) ->
  (forall t, (t < T)%N -> distribution (mass t)) ->
  (forall t past, (t < T)%N -> forall v,
     call y v (one t past) (other t past) (base t past) <= call_of (mass t) (value t) v) ->
  hockey_stick 1 y (epoch (T := T) w0 w base one) (epoch w0 w base other) <=
  mean_above T w mass value (w0 * (1 - y)).
Proof.
move=> w_ge0 dB dm calls; have no_cut : \sum_(t < T) w t * 0 = 0 :> R by rewrite big1 // => t _; rewrite mulr0.
rewrite -[X in _ <= X]addr0 -no_cut; apply: (@three_laws_cut _ _ _ _ _ _ _ _ _ _ _ (fun=> 0)) => // t past tT v.
by rewrite addr0; exact: calls.
Qed.
End Inequality.
