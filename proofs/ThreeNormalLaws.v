(** Three laws that are as near to each other as normal ones: what a batch reveals of a record at most.

    Two laws with finitely many outputs that are a Gaussian mechanism with parameter d give an event of
    probability at least Phi(c) under the first at least Phi(c - d) under the second ([event_of_gaussian]; the
    lemma of Neyman and Pearson).  So the call function of three laws, of which each two are a Gaussian mechanism,
    is at most a supremum over c, of [forward] for prices v >= 0 and of [backward] for prices v < 0
    ([call_of_gaussians]).

    [three_gaussian_laws] is the inequality of three laws with these suprema: a table of values of which the call
    function is nowhere below them bounds the divergence of every epoch. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions RulesGaussian NormalConvolution ProfileReflection.
From ExactDP Require Import ProfileShape ThreeLaws.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Section Reached.
Local Open Scope R_scope.
Import Normal.

Lemma Phi_of_large tau : 0 < tau -> Phi (- / tau) <= tau.
Proof.
intros t0. pose proof (Phi_opp_small (/ tau) (Rinv_0_lt_compat tau t0)) as h.
rewrite Rinv_inv in h. exact h.
Qed.

(** Every probability but the least is reached. *)
Lemma Phi_reached x tau : 0 <= x <= 1 -> 0 < tau ->
  exists c, Phi c <= Rmax x tau /\ x <= Phi c + tau /\ (Phi c <= x \/ x <= tau).
Proof.
intros x01 t0. set (z := / tau). pose proof (Phi_of_large t0) as low.
pose proof (Phi_opp z) as high. fold z in low.
destruct (Rle_lt_dec x (Phi (- z))) as [h|h].
  exists (- z). pose proof (Rmax_r x tau). pose proof (Phi_inside (- z)). lra.
destruct (Rle_lt_dec (Phi z) x) as [h'|h'].
  exists z. pose proof (Rmax_l x tau). lra.
assert (D : continuity Phi).
{ intros t. apply continuity_pt_filterlim. apply (@ex_derive_continuous R_AbsRing R_NormedModule).
  eexists. apply is_derive_Phi. }
destruct (IVT_gen Phi (- z) z x D) as [c [_ e]].
  rewrite Rmin_left; [rewrite Rmax_right; lra|lra].
exists c. rewrite e. pose proof (Rmax_l x tau). lra.
Qed.

Lemma profile_at d c : 0 < d ->
  profile d (d * (d / 2 - c)) = Phi c - exp (d * (d / 2 - c))%coqR * Phi (c - d).
Proof.
intros d0. unfold profile.
assert (e : d * (d / 2 - c) / d = d / 2 - c).
{ unfold Rdiv at 1. rewrite (Rmult_comm d) Rmult_assoc Rinv_r; lra. }
rewrite e. replace (d / 2 - (d / 2 - c)) with c by lra.
replace (- (d / 2) - (d / 2 - c)) with (c - d) by lra.
reflexivity.
Qed.
End Reached.

Local Open Scope ring_scope.
Notation Phi := Normal.Phi.

Lemma Phi_near (x tau : R) : 0 <= x -> x <= 1 -> 0 < tau ->
  exists c, (Phi c <= x /\ x <= Phi c + tau) \/ (x <= tau /\ Phi c <= tau).
Proof.
move=> /RleP x0 /RleP x1 /RltP t0; have [c [h [h1 h2]]] := Phi_reached (conj x0 x1) t0.
exists c; case: h2 => h2; [left|right]; split; apply/RleP => //.
by apply: Rle_trans h _; apply: Rmax_lub => //; exact: Rle_refl.
Qed.

Lemma Phi_of_opp (x : R) : Phi (- x)%R = (1 - Phi x)%R. Proof. exact: Phi_opp. Qed.

Lemma Phi_between x : 0 <= Phi x /\ Phi x <= 1.
Proof. by have [l u] := Phi_inside x; split; apply/RleP; exact: Rlt_le. Qed.

Lemma sum_ge0 (a b c d e x : R) : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> 0 <= e -> x = a + b + c + d + e -> 0 <= x.
Proof. by move=> a0 b0 c0 d0 e0 ->; rewrite !addr_ge0. Qed.

Section Laws.
Variable (Y : finType).
Implicit Types (P Q B : Y -> R) (S : {set Y}) (c d d_PQ d_PB d_QB x y v K : R).

Definition chance P S : R := \sum_(z in S) P z.

Lemma chance_inside P S : distribution P -> 0 <= chance P S /\ chance P S <= 1.
Proof.
move=> [P0 P1]; split; first by apply: sumr_ge0 => z _.
by rewrite -P1 [X in _ <= X](bigID (mem S)) /= ler_addl; apply: sumr_ge0.
Qed.

Lemma chance_otherwise P S : distribution P -> chance P (~: S) = 1 - chance P S.
Proof.
move=> [_ <-]; apply/eqP; rewrite eq_sym subr_eq [X in X == _](bigID (mem S)) /= addrC /chance.
by apply/eqP; congr (_ + _); apply: eq_bigl => z; rewrite inE.
Qed.

(** An event with a probability under one law has one under the other. *)
Lemma event_of_gaussian d P Q S c : 0 <= d -> satisfies G (Gaussian d) P Q ->
  Phi c <= chance P S -> Phi (c - d)%R <= chance Q S.
Proof.
move=> d0 [_ _ h] le; move: d0; rewrite le_eqVlt => /predU1P[d0|d0].
  rewrite -d0 subr0; apply: le_trans le _; have [h0 _] := h 0.
  by have := h0 S; rewrite -d0 /G ltxx [exp 0]exp_0 subrr pos_id // addr0 mul1r.
set eps := (d * (d / 2 - c))%coqR; have [hP _] := h eps; have {hP} := hP S.
have e0 : 0 < exp eps by exact: exp_gt0.
have at_c : Normal.profile d eps = Phi c - exp eps * Phi (c - d)%R by apply: profile_at; exact/RltP.
rewrite /G d0 at_c -/(chance P S) -/(chance Q S) => hP.
rewrite -(ler_pmul2l e0).
have : Phi c <= exp eps * chance Q S + (Phi c - exp eps * Phi (c - d)%R) by exact: le_trans le hP.
by rewrite addrCA -[X in X <= _]addr0 ler_add2l subr_ge0.
Qed.

(** What an event of three normal laws is worth, by its threshold c. *)
Definition forward y v d_PQ d_PB c : R := (Phi c - y * Phi (c - d_PQ)%R - v * Phi (c - d_PB)%R)%R.
Definition backward y v d_PQ d_QB c : R := (Phi (d_PQ - c)%R - v * Phi (d_QB - c)%R - y * Phi (- c)%R)%R.

Definition above_suprema y d_PQ d_PB d_QB v K : Prop :=
  (0 <= v -> forall c, forward y v d_PQ d_PB c <= K) /\ (v < 0 -> forall c, backward y v d_PQ d_QB c <= K).

Lemma call_of_events y v K P Q B :
  (forall S, chance P S - y * chance Q S - v * chance B S <= K) -> call y v P Q B <= K.
Proof.
move=> h; pose A := [pred z | 0 <= P z - y * Q z - v * B z].
rewrite /call (bigID A) /= [X in _ + X]big1 ?addr0; last by move=> z; rewrite -ltNge => /ltW; exact: pos_0.
rewrite (eq_bigr (fun z => P z - y * Q z - v * B z)) => [|z z0]; last by rewrite pos_id.
rewrite !sumrB -!mulr_sumr; have := h [set z | A z]; rewrite /chance.
have e (F : Y -> R) : \sum_(z in [set z | A z]) F z = \sum_(z | A z) F z by apply: eq_bigl => z; rewrite inE.
by rewrite !e.
Qed.

(** The law that is counted for, with weight x, and two that are counted against it. *)
Lemma weighted_event x y v d d' K P Q B S : 0 <= d -> 0 <= d' -> 0 <= x -> 0 <= y -> 0 <= v ->
  satisfies G (Gaussian d) P Q -> satisfies G (Gaussian d') P B ->
  (forall c, x * Phi c - y * Phi (c - d)%R - v * Phi (c - d')%R <= K) ->
  x * chance P S - y * chance Q S - v * chance B S <= K.
Proof.
move=> dq db x0 y0 v0 pq pb most; have [[dP dQ _] [_ dB _]] := (pq, pb).
have M0 : 0 < 1 + (x + y + v) by rewrite ltr_spaddl ?ltr01 // !addr_ge0.
apply/ler_addgt0Pr => e e0; have [tau [tau0 ->]] : exists tau : R, 0 < tau /\ e = ((1 + (x + y + v)) * tau)%R.
  by exists (e / (1 + (x + y + v)))%R; rewrite divr_gt0 // mulrC divfK // gt_eqF.
have [p0 p1] := chance_inside S dP; have [q0 _] := chance_inside S dQ; have [b0 _] := chance_inside S dB.
have t0 := ltW tau0; have [xt yt vt] := And3 (mulr_ge0 x0 t0) (mulr_ge0 y0 t0) (mulr_ge0 v0 t0).
have [c near] := Phi_near p0 p1 tau0; apply: le_trans (ler_add (most c) (lexx _)).
rewrite !mulrDl mul1r -subr_ge0; case: near => [[le near]|[small le]].
  have := ler_wpmul2l y0 (event_of_gaussian dq pq le); have := ler_wpmul2l v0 (event_of_gaussian db pb le).
  have := ler_wpmul2l x0 near; rewrite mulrDr.
  move: (x * chance P S) (y * chance Q S) (v * chance B S) => p q b.
  move: (x * Phi c) (y * Phi _) (v * Phi _) => p' q' b' *.
  apply: (@sum_ge0 (p' + x * tau - p)%R (q - q')%R (b - b')%R tau (y * tau + v * tau)%R);
    rewrite ?subr_ge0 ?addr_ge0 //; ring.
have lower (t : R) : 0 <= t -> Phi (c - t)%R <= tau.
  by move=> t_0; apply: le_trans le; apply/RleP/Phi_le/RleP; rewrite ler_subl_addr ler_addl.
have [c0 _] := Phi_between c; have := ler_wpmul2l y0 (lower _ dq); have := ler_wpmul2l v0 (lower _ db).
have := mulr_ge0 y0 q0; have := mulr_ge0 v0 b0; have := mulr_ge0 x0 c0; have := ler_wpmul2l x0 small.
move: (x * chance P S) (x * Phi c) (y * Phi _) (v * Phi _) (y * chance Q S) (v * chance B S) => p p' q' b' q b *.
apply: (@sum_ge0 (x * tau - p)%R (y * tau - q')%R (v * tau - b')%R (p' + tau)%R (q + b)%R);
  rewrite ?subr_ge0 ?addr_ge0 //; ring.
Qed.

Theorem call_of_gaussians y v d_PQ d_PB d_QB K P Q B : 0 <= d_PQ -> 0 <= d_PB -> 0 <= d_QB -> 0 <= y ->
  satisfies G (Gaussian d_PQ) P Q -> satisfies G (Gaussian d_PB) P B -> satisfies G (Gaussian d_QB) Q B ->
  above_suprema y d_PQ d_PB d_QB v K -> call y v P Q B <= K.
Proof.
move=> dpq dpb dqb y0 pq pb qb [most1 most2]; apply: call_of_events => S; have [[dP dQ _] [_ dB _]] := (pq, pb).
case: (leP 0 v) => [v0|v0].
  by rewrite -[chance P S]mul1r; apply: weighted_event pq pb _ => // [|c]; [exact: ler01|rewrite mul1r; exact: most1].
have [qp [other1 other2 other3]] : satisfies G (Gaussian d_PQ) Q P /\
    [/\ chance P S = (1 - chance P (~: S))%R, chance Q S = (1 - chance Q (~: S))%R &
        chance B S = (1 - chance B (~: S))%R].
  by split; [exact: satisfies_sym|rewrite !chance_otherwise // !subKr].
have w0 : 0 <= - v by rewrite oppr_ge0 ltW.
have most c : y * Phi c - 1 * Phi (c - d_PQ)%R - - v * Phi (c - d_QB)%R <= K - (1 - y - v).
  have := most2 v0 c; rewrite /backward -[(d_PQ - c)%R]opprB -[(d_QB - c)%R]opprB !Phi_of_opp.
  by rewrite ler_subr_addr => h; apply: le_trans _ h; rewrite le_eqVlt; apply/orP/or_introl/eqP; ring.
have := @weighted_event y 1%R (- v)%R d_PQ d_QB _ Q P B (~: S) dpq dqb y0 ler01 w0 qp qb most.
rewrite ler_subr_addr other1 other2 other3 => h; apply: le_trans _ h.
by rewrite le_eqVlt; apply/orP/or_introl/eqP; ring.
Qed.
End Laws.

(** The inequality of three laws, where at each step each two of them are a Gaussian mechanism. *)
Theorem three_gaussian_laws (Y K : finType) T (w0 : R) (w : nat -> R) (y : R)
    (base one other : step_law R_realFieldType Y) (d_PQ d_PB d_QB : nat -> R)
    (mass value : nat -> K -> R) (cut : nat -> R) :
  0 <= y -> (forall t, [/\ 0 <= w t, 0 <= d_PQ t, 0 <= d_PB t & 0 <= d_QB t]) ->
  (forall t past, (t < T)%N -> [/\ satisfies G (Gaussian (d_PQ t)) (one t past) (other t past),
     satisfies G (Gaussian (d_PB t)) (one t past) (base t past) &
     satisfies G (Gaussian (d_QB t)) (other t past) (base t past)]) ->
  (forall t, (t < T)%N -> distribution (mass t)) ->
  (forall t, (t < T)%N -> forall v : R,
     above_suprema y (d_PQ t) (d_PB t) (d_QB t) v (call_of (mass t) (value t) v + cut t)%R) ->
  hockey_stick 1 y (epoch (T := T) w0 w base one) (epoch w0 w base other) <=
  mean_above T w mass value (w0 * (1 - y))%R + \sum_(t < T) w t * cut t.
Proof.
move=> y0 signs near dm above; apply: three_laws_cut => // [t|t past tT|t past tT v].
- by case: (signs t).
- by have [_ [_ dB _] _] := near t past tT.
have [_ d1 d2 d3] := signs t; have [pq pb qb] := near t past tT.
exact: call_of_gaussians d1 d2 d3 y0 pq pb qb (above t tT v).
Qed.
