(** The verified checker: rules `clopper-pearson` and `one-run` (SPEC, 11.26 and 11.27).

    A binomial tail, divided by the chance of its first number, is a sum of products of odds; so is what is
    below it.  The one is summed from above, with a geometric series in the place of its last terms ([tail_above]),
    the other from below, as far as one likes ([rest_below]): of U and L, the tail is at most U/(U + L)
    ([tail_between]). *)
From Coq Require Import Ascii String Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Experiments OneRun Ratios CheckerClosed CertificateNumbers.
From ExactDP Require Import CertificateStatements CertificateExperiments Claims.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- programs --- *)

Definition up_div (n d : Z) : Z := (- (- n / d))%coqZ.

(** [left] trials beyond [done] of them, whose chance is at most [t], odds u/w: the tail from there on.  Terms
    below [least] end the sum. *)
Fixpoint tail_above (fuel : nat) (u w least left done t : Z) : option Z :=
  let steeper := (w * (done + 1) - u * left)%coqZ in
  if Z.ltb t least && Z.ltb 0 steeper then Some (up_div (t * (w * (done + 1))) steeper) else
  if fuel is S fuel' then
    if Z.leb left 0 then Some t else
    if tail_above fuel' u w least (left - 1) (done + 1) (up_div (t * (u * left)) (w * (done + 1)))%coqZ is Some x
    then Some (t + x)%coqZ else None
  else None.

(** What is below [done], of which no more than [enough] is needed. *)
Fixpoint rest_below (fuel : nat) (u w left done t enough : Z) : Z :=
  if fuel is S fuel' then
    if Z.leb done 0 || Z.leb t 0 || Z.leb enough 0 then Z0 else
    let t' := (t * (w * done) / (u * (left + 1)))%coqZ in
    (t' + rest_below fuel' u w (left + 1) (done - 1) t' (enough - t'))%coqZ
  else Z0.

(** --- what they bound --- *)

Lemma up_div_Z a d : Z.lt 0 d -> Z.le a (up_div a d * d).
Proof. by move=> d0; have := Z.mul_div_le (- a) d d0; rewrite /up_div; lia. Qed.
Lemma within_Z left n d : left = (n - d)%coqZ -> Z.le 0 left -> Z.le d n. Proof. lia. Qed.
Lemma all_Z left n d : left = (n - d)%coqZ -> Z.le 0 left -> Z.le left 0 -> d = n /\ Z.lt n (d + 1). Proof. lia. Qed.
Lemma pos_Z w d : Z.lt 0 w -> Z.le 0 d -> Z.lt 0 (w * (d + 1)). Proof. by move=> *; apply: Z.mul_pos_pos; lia. Qed.
Lemma nonneg_Z w d : Z.lt 0 w -> Z.le 0 d -> Z.le 0 (w * d). Proof. by move=> *; apply: Z.mul_nonneg_nonneg; lia. Qed.
Lemma nonneg1_Z w d : Z.lt 0 w -> Z.le 0 d -> Z.le 0 (w * (d + 1)). Proof. by move=> *; apply: Z.mul_nonneg_nonneg; lia. Qed.
Lemma next_Z left n d : left = (n - d)%coqZ -> Z.le 0 d -> Z.lt 0 left ->
  [/\ Z.le 0 (d + 1), (left - 1 = n - (d + 1))%coqZ & Z.le 0 (left - 1)]. Proof. by move=> *; split; lia. Qed.
Lemma last_Z left n d : left = (n - d)%coqZ -> Z.lt 0 d -> Z.le 0 left ->
  [/\ Z.le 0 (d - 1), Z.le (d - 1) n, (d - 1 + 1 = d)%coqZ, (n - (d - 1) = left + 1)%coqZ & Z.le 0 (left + 1)].
Proof. by move=> *; split; lia. Qed.
Lemma succ_Z k : Z.le 0 k -> Z.le 0 (k + 1). Proof. lia. Qed.
Lemma sub_Z n k : Z.le k n -> Z.le 0 (n - k). Proof. lia. Qed.
Lemma to_nat_le k n : Z.le 0 k -> Z.le k n -> (Z.to_nat k <= Z.to_nat n)%N.
Proof. by move=> k0 kn; apply/ssrnat.leP; lia. Qed.
Lemma to_nat_lt k n : Z.le 0 n -> Z.lt n k -> (Z.to_nat n < Z.to_nat k)%N.
Proof. by move=> n0 kn; apply/ssrnat.ltP; lia. Qed.

Section Tails.
Variables (u w n : Z) (s : R).
Hypotheses (u0 : Z.lt 0 u) (w0 : Z.lt 0 w) (s0 : 0 < s).

Let E : R := (IZR u / IZR w)%R.
Let q : R := (E / (1 + E))%R.
Let U0 : 0 < IZR u. Proof. by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt. Qed.
Let W0 : 0 < IZR w. Proof. by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt. Qed.
Let WE : IZR u = IZR w * E. Proof. by rewrite /E mulrCA divff ?mulr1 // gt_eqF. Qed.
Let E0 : 0 < E. Proof. exact: divr_gt0. Qed.
Let q0 : 0 < q. Proof. by case: (odds_of_rate E0). Qed.
Let q1 : q < 1. Proof. by case: (odds_of_rate E0). Qed.
Let odds : q = E * (1 - q). Proof. by case: (odds_of_rate E0). Qed.
Let rq : rate q. Proof. by rewrite /rate !ltW. Qed.

Let N := Z.to_nat n.
Let m (k : Z) : R := mass q N (Z.to_nat k).
Let T (k : Z) : R := tail q N (Z.to_nat k).

Lemma up_div_above a d : Z.lt 0 d -> IZR a <= IZR (up_div a d) * IZR d.
Proof.
by move=> d0; rewrite -IZRM IZR_le_iff; apply/Z.leb_le; exact: up_div_Z.
Qed.

Let nat_next k : Z.le 0 k -> Z.to_nat (k + 1) = (Z.to_nat k).+1.
Proof. exact: Z2Nat.inj_succ. Qed.
Let real_next k : Z.le 0 k -> IZR (k + 1) = (Z.to_nat k).+1%:R.
Proof. by move=> k0; rewrite IZR_to_nat ?nat_next //; exact: succ_Z. Qed.
Let real_left k : Z.le 0 k -> Z.le k n -> IZR (n - k) = (N - Z.to_nat k)%N%:R.
Proof. by move=> k0 kn; rewrite IZR_to_nat ?Z2Nat.inj_sub //; exact: sub_Z. Qed.

Lemma next_mass k : Z.le 0 k -> Z.le k n ->
  IZR (w * (k + 1)) * m (k + 1) = IZR (u * (n - k)) * m k.
Proof.
move=> k0 kn; rewrite /m nat_next // !IZRM real_next // real_left // -mulrA (balance N odds) WE.
by set a := mass _ _ _; set b := _%:R; ring.
Qed.

Let m_ge0 k : 0 <= m k. Proof. exact: mass_ge0. Qed.
Let T_ge0 k : 0 <= T k. Proof. exact: tail_ge0. Qed.
Let pos a : Z.lt 0 a -> 0 < IZR a. Proof. by move=> a0; rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt. Qed.
Let nonneg a : Z.le 0 a -> 0 <= IZR a. Proof. by move=> a0; rewrite (IZR_le_iff Z0); apply/Z.leb_le. Qed.

Lemma tail_falls_by k : Z.le 0 k -> Z.le k n ->
  IZR (w * (k + 1)) * T (k + 1) <= IZR (u * (n - k)) * T k.
Proof.
move=> k0 kn; rewrite /T nat_next // !IZRM real_next // real_left // -mulrA.
have h := ler_wpmul2l (ltW W0) (tail_falls_in_step N q0 q1 odds (Z.to_nat k)); apply: le_trans h _.
by rewrite WE le_eqVlt; apply/orP; left; apply/eqP; set a := tail _ _ _; set b := (_ - _)%N%:R; ring.
Qed.

Lemma tail_cut_at k : Z.le 0 k -> Z.le k n -> T k = m k + T (k + 1).
Proof. by move=> k0 kn; rewrite /T nat_next //; apply: tail_cut; exact: to_nat_le. Qed.
Lemma tail_past k : Z.le 0 n -> Z.lt n k -> T k = 0.
Proof. by move=> n0 nk; rewrite /T tail_beyond //; exact: to_nat_lt. Qed.

Lemma tail_aboveP fuel least left done t mu x : 0 <= mu ->
  Z.le 0 done -> left = (n - done)%coqZ -> Z.le 0 left -> s * m done <= IZR t * mu -> tail_above fuel u w least left done t = Some x ->
  s * T done <= IZR x * mu.
Proof.
move=> mu0; have series (t' left' done' x' : Z) : Z.le 0 done' -> left' = (n - done')%coqZ -> Z.le 0 left' ->
  s * m done' <= IZR t' * mu -> Z.lt 0 (w * (done' + 1) - u * left') ->
  up_div (t' * (w * (done' + 1))) (w * (done' + 1) - u * left') = x' -> s * T done' <= IZR x' * mu.
  move=> d1 e1 l1 h1 D0 <-; have dn := within_Z e1 l1; rewrite e1 in D0 *.
  have wd0 : 0 <= IZR (w * (done' + 1)) by apply/nonneg/nonneg1_Z.
  have F := tail_falls_by d1 dn; have C := tail_cut_at d1 dn.
  have k1 := ler_wpmul2r mu0 (up_div_above (t' * (w * (done' + 1))) D0).
  have k3 : T done' * IZR (w * (done' + 1) - u * (n - done')) <= m done' * IZR (w * (done' + 1)).
    by rewrite IZRB mulrBr ler_subl_addr {1}C mulrDl ler_add2l [leLHS]mulrC [leRHS]mulrC.
  rewrite -(ler_pmul2r (pos D0)); apply: le_trans (_ : _ <= s * m done' * IZR (w * (done' + 1))) _.
    by rewrite -[leLHS]mulrA -[leRHS]mulrA; exact: ler_wpmul2l (ltW s0) _ _ k3.
  apply: le_trans (ler_wpmul2r wd0 h1) _; rewrite [leLHS]mulrAC -(IZRM t'); apply: le_trans k1 _.
  by rewrite [leLHS]mulrAC.
elim: fuel left done t x => [|fuel IH] left done t x d0 e l0 h /=; case: ifP => [/andP[_ /Z.ltb_lt D0] [X]|_] //.
- exact: series X.
- exact: series X.
case: ifP => [/Z.leb_le l1 [<-]|/Z.leb_gt l1].
  have [en past] := all_Z e l0 l1; have dn := within_Z e l0.
  by rewrite tail_cut_at // tail_past ?addr0 // -en.
case R' : (tail_above _ _ _ _ _ _ _) => [y|] // [<-]; have dn := within_Z e l0; have [n1 n2 n3] := next_Z e d0 l1.
have D0 : Z.lt 0 (w * (done + 1)) := pos_Z w0 d0.
have k1 := ler_wpmul2r mu0 (up_div_above (t * (u * left)) D0).
have nm := next_mass d0 dn.
rewrite tail_cut_at // mulrDr IZRD mulrDl; apply: (ler_add h); apply: IH R' => //.
rewrite -(ler_pmul2r (pos D0)); apply: le_trans (_ : _ <= IZR (t * (u * left)) * mu) _; last first.
  by apply: le_trans k1 _; rewrite [leLHS]mulrAC.
have l0' : 0 <= IZR (u * left) := nonneg (nonneg_Z u0 l0).
rewrite -[leLHS]mulrA (mulrC (m _)) nm -e (mulrC (IZR (u * left))) [leLHS]mulrA (IZRM t) [leRHS]mulrAC.
exact: ler_wpmul2r l0' _ _ h.
Qed.

Lemma rest_belowP fuel left done t enough mu : 0 <= mu -> Z.le 0 done -> left = (n - done)%coqZ -> Z.le 0 left ->
  IZR t * mu <= s * m done -> IZR (rest_below fuel u w left done t enough) * mu <= s * (1 - T done).
Proof.
move=> mu0; have low k : 0 <= s * (1 - T k).
  by apply: mulr_ge0; [exact: ltW|rewrite subr_ge0 -(tail_all q N) tail_falls].
elim: fuel left done t enough => [|fuel IH] left done t enough d0 e l0 h /=; first by rewrite mul0r.
case: ifP => [_|]; first by rewrite mul0r.
move/negbT/norP => [/norP[/negbTE/Z.leb_gt d1 /negbTE/Z.leb_gt t1] _].
set t' := Z.div _ _; have D0 : Z.lt 0 (u * (left + 1)) := pos_Z u0 l0.
have [d1' dn e1 e2 l2] := last_Z e d1 l0.
have nm := next_mass d1' dn; have C := tail_cut_at d1' dn; rewrite e1 in nm C; rewrite e2 in nm.
have B : IZR t' * IZR (u * (left + 1)) <= IZR (t * (w * done)).
  by rewrite -IZRM IZR_le_iff; apply/Z.leb_le; rewrite Z.mul_comm; apply: Z.mul_div_le.
have wd0 : 0 <= IZR (w * done) := nonneg (nonneg_Z w0 d0).
have step : IZR t' * mu <= s * m (done - 1).
  rewrite -(ler_pmul2r (pos D0)) [leLHS]mulrAC; apply: le_trans (ler_wpmul2r mu0 B) _.
  by rewrite (IZRM t) [leLHS]mulrAC -[leRHS]mulrA [m _ * _]mulrC -nm [X in s * X]mulrC [leRHS]mulrA; exact: ler_wpmul2r wd0 _ _ h.
rewrite IZRD mulrDl; apply: le_trans (_ : _ <= s * m (done - 1) + s * (1 - T (done - 1))) _; last first.
  rewrite -mulrDr C; apply: (ler_wpmul2l (ltW s0)); rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by move: (m _) (T _) => x y; ring.
by apply: (ler_add step); apply: IH; rewrite ?e2.
Qed.

End Tails.

(** --- a tail, in integers --- *)

(** U and L of the tail of [n] trials from [a] on, odds u/w, in units of 2^-bits of the chance of [a]. *)
Record effort := Effort { unit_bits : Z; least_term : Z; most_terms : nat; rest_enough : Z }.
Definition sums_of (f : effort) (u w n a : Z) : option (Z * Z) :=
  let s := (2 ^ Z.max 0 (unit_bits f))%coqZ in
  if tail_above (most_terms f) u w (least_term f) (n - a) a s is Some x
  then Some (x, Z.max 0 (rest_below (most_terms f) u w (n - a) a s (rest_enough f))) else None.

Lemma weighed (x t V K mu : R) : 0 < x -> 0 < mu -> 0 <= t -> 0 <= 1 - t -> x * t <= V * mu ->
  K * mu <= x * (1 - t) -> t * K <= (1 - t) * V.
Proof.
move=> x0 mu0 t0 t1 h k; rewrite -(ler_pmul2r (mulr_gt0 x0 mu0)).
have e1 : t * K * (x * mu) = x * t * (K * mu) by ring.
have e2 : (1 - t) * V * (x * mu) = x * (1 - t) * (V * mu) by ring.
have e3 : x * t * (x * (1 - t)) = x * (1 - t) * (x * t) by ring.
rewrite e1 e2; apply: (@le_trans _ _ (x * t * (x * (1 - t)))).
  by apply: ler_wpmul2l k; rewrite mulr_ge0 // ltW.
by rewrite e3; apply: ler_wpmul2l h; rewrite mulr_ge0 // ltW.
Qed.

Section Between.
Variables (f : effort) (u w n a U L : Z).
Hypotheses (u0 : Z.lt 0 u) (w0 : Z.lt 0 w) (a0 : Z.le 0 a) (an : Z.le a n) (ok : sums_of f u w n a = Some (U, L)).

Let q : R := ((IZR u / IZR w) / (1 + IZR u / IZR w))%R.
Let N := Z.to_nat n.
Let A := Z.to_nat a.
Let s : R := IZR (2 ^ Z.max 0 (unit_bits f)).
Let s0 : 0 < s.
Proof. by rewrite /s (IZR_lt_iff Z0); apply/Z.ltb_lt/Z.pow_pos_nonneg => //; exact: Z.le_max_l. Qed.
Let E0 : 0 < (IZR u / IZR w : R)%R.
Proof. by rewrite divr_gt0 // (IZR_lt_iff Z0); apply/Z.ltb_lt. Qed.
Let q0 : 0 < q. Proof. by case: (odds_of_rate E0). Qed.
Let q1 : q < 1. Proof. by case: (odds_of_rate E0). Qed.
Let rq : rate q. Proof. by rewrite /rate !ltW. Qed.
Let t1 : 0 <= 1 - tail q N A. Proof. by rewrite subr_ge0 -(tail_all q N) tail_falls. Qed.
Let mass0 : 0 < mass q N A. Proof. by apply: mass_gt0 => //; exact: to_nat_le. Qed.

Lemma tail_over : s * tail q N A <= IZR U * mass q N A.
Proof.
move: ok; rewrite /sums_of; case T' : (tail_above _ _ _ _ _ _ _) => [x|] // [<- _].
apply: (tail_aboveP u0 w0 s0 (ltW mass0) a0 (erefl _) (sub_Z an) _ T').
by rewrite lexx.
Qed.
Lemma rest_over : IZR L * mass q N A <= s * (1 - tail q N A).
Proof.
have low : 0 <= s * (1 - tail q N A).
  by apply: mulr_ge0 t1; exact: ltW.
move: ok; rewrite /sums_of; case: (tail_above _ _ _ _ _ _ _) => [x|] // [_ <-].
set y := rest_below _ _ _ _ _ _ _; case: (Z.max_spec 0 y) => [[_ ->]|[_ ->]]; last by rewrite mul0r.
rewrite /y; apply: rest_belowP => //; [exact: ltW|exact: sub_Z].
Qed.

Lemma tail_between : 0 < IZR (U + L) /\ tail q N A <= IZR U / IZR (U + L).
Proof.
have t0 : mass q N A <= tail q N A.
  by rewrite tail_cut ?ler_addl ?tail_ge0 //; exact: to_nat_le.
have U0 : 0 < IZR U.
  rewrite -(pmulr_lgt0 _ mass0); apply: lt_le_trans tail_over; rewrite pmulr_rgt0 //; exact: lt_le_trans t0.
have L0 : 0 <= IZR L.
  move: ok; rewrite /sums_of; case: (tail_above _ _ _ _ _ _ _) => [x|] // [_ <-].
  by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
have S0 : 0 < IZR (U + L) by rewrite IZRD ltr_paddr.
split=> //; rewrite ler_pdivl_mulr // IZRD mulrDr.
have h : tail q N A * IZR L <= (1 - tail q N A) * IZR U.
  exact: (weighed s0 mass0 (tail_ge0 N A rq) t1 tail_over rest_over).
by apply: le_trans (ler_add (lexx _) h) _; rewrite mulrBl mul1r addrCA subrr addr0.
Qed.

(** The tail divided by the chance of its first number. *)
Lemma tail_ratio : tail q N A / mass q N A <= IZR U / s.
Proof. by rewrite ler_pdivr_mulr // [leRHS]mulrAC ler_pdivl_mulr // [leLHS]mulrC; exact: tail_over. Qed.
End Between.

(** --- the rules --- *)

(** The tail of [n] trials from [a] on, of which each has the chance [p], is at most [x]. *)
Definition tail_is_small (f : effort) (p : ratio) (n a : Z) (x : ratio) : bool :=
  let u := p.1 in let w := (Zpos p.2 - p.1)%coqZ in
  [&& Z.ltb 0 u, Z.ltb 0 w, Z.leb 0 a, Z.leb a n &
   if sums_of f u w n a is Some (U, L) then Z.leb (U * Zpos x.2) (x.1 * (U + L)) else false].

Lemma odds_back (u w : R) : 0 < u -> 0 < w -> (u / w) / (1 + u / w) = u / (u + w) :> R.
Proof. by move=> u0 w0; field; rewrite !gt_eqF // addr_gt0. Qed.

Lemma tail_is_smallP f p n a x : tail_is_small f p n a x ->
  [/\ 0 < of_ratio p, of_ratio p < 1 & tail (of_ratio p) (Z.to_nat n) (Z.to_nat a) <= of_ratio x].
Proof.
case/and5P=> /Z.ltb_lt u0 /Z.ltb_lt w0 /Z.leb_le a0 /Z.leb_le an.
case ok : (sums_of _ _ _ _ _) => [[U L]|] // /Z.leb_le h; have [S0 B] := tail_between u0 w0 a0 an ok.
have U0 : 0 < IZR p.1 by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have W0 : 0 < IZR (Zpos p.2 - p.1) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have P0 : 0 < IZR (Zpos p.2) by rewrite (IZR_lt_iff Z0).
have X0 : 0 < IZR (Zpos x.2) by rewrite (IZR_lt_iff Z0).
move: B; rewrite odds_back // -IZRD Zplus_minus -/(fraction _ _) -/(of_ratio p) => B; split.
- exact: divr_gt0.
- by rewrite /of_ratio /fraction ltr_pdivr_mulr // mul1r -subr_gt0 -IZRB.
apply: le_trans B _; rewrite /of_ratio /fraction ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!IZRM IZR_le_iff.
exact/Z.leb_le.
Qed.

(** epsilon <= ln(r). *)
Definition log_at_least (e : number) (r : ratio) : bool :=
  rlt Ratios.one r && at_most e (Number Ratios.zero [:: (Ratios.one, r)]).
Lemma value_of_log (r : ratio) : value_of (Number Ratios.zero [:: (Ratios.one, r)]) = ln (of_ratio r).
Proof. by rewrite /value_of big_cons big_nil of_one of_zero mul1r addr0; exact: add0r. Qed.
Lemma value_of_0 : value_of (Number Ratios.zero [::]) = 0.
Proof. by rewrite /value_of big_nil of_zero; exact: addr0. Qed.
Lemma log_at_leastP e r : log_at_least e r -> exp (value_of e) <= of_ratio r.
Proof.
case/andP; rewrite of_rlt of_one => r1 /at_most_sound; rewrite value_of_log -exp_le => /le_trans; apply.
by rewrite exp_ln //; apply/RltP; exact: lt_trans ltr01 r1.
Qed.

(** The claim does not allow the one rate at the other, in one of two directions. *)
Definition rates_contradict (e : number) (d p q : ratio) : bool :=
  [&& Z.ltb 0 q.1, Z.ltb 0 (rsub Ratios.one p).1 &
   log_at_least e (rdiv (rsub p d) q) || log_at_least e (rdiv (rsub (rsub Ratios.one d) q) (rsub Ratios.one p))].

Lemma above_0 (r : ratio) : Z.lt 0 r.1 -> 0 < of_ratio r.
Proof. by move=> r0; rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); apply/Z.ltb_lt. Qed.

Lemma rates_contradictP e d p q : rates_contradict e d p q ->
  contradicts (exp (value_of e)) (of_ratio d) (of_ratio p) (of_ratio (rsub Ratios.one q)).
Proof.
case/and3P=> /Z.ltb_lt q0 /Z.ltb_lt p0; have [q1 p1] := (above_0 q0, above_0 p0).
rewrite /contradicts of_rsub of_one => /orP[] /log_at_leastP; rewrite of_rdiv // ler_pdivl_mulr // => h; [left|right].
  by rewrite subKr -ler_subr_addr; move: h; rewrite of_rsub.
by rewrite -ler_subr_addr; move: h; rewrite !of_rsub !of_one => h; rewrite addrAC.
Qed.

Definition whole (n : Z) : ratio := (n, 1%positive).
Lemma of_whole n : Z.le 0 n -> of_ratio (whole n) = (Z.to_nat n)%:R.
Proof. by move=> n0; rewrite /of_ratio /fraction divr1 IZR_to_nat. Qed.

Definition check_many (e : number) (d level : ratio) (members others : counts) (m : Z) (p q : ratio) (f : effort) : bool :=
  let share := rdiv (rdiv level (whole m)) (whole 2) in
  [&& Z.ltb 0 m, Z.leb 0 (found others), Z.leb 0 level.1, tail_is_small f p (runs members) (found members) share,
      tail_is_small f (rsub Ratios.one q) (runs others) (runs others - found others) share & rates_contradict e d p q].

Theorem check_many_sound e d level members others m p q f : check_many e d level members others m p q f ->
  forall t, experiment_holds (value_of e) (of_ratio d) (Experiment level (OfManyRuns members others m) t).
Proof.
case/and5P=> /Z.ltb_lt m0 /Z.leb_le f0 l0 A /andP[B C] t; have m1 := Z.lt_le_incl _ _ m0.
apply: many_rejected_by; first exact: of_ge0.
have [pa pb tp] := tail_is_smallP A; have [ra rb tr] := tail_is_smallP B.
have share : of_ratio (rdiv (rdiv level (whole m)) (whole 2)) = of_ratio level / (Z.to_nat m)%:R / 2%:R.
  by rewrite !of_rdiv // !of_whole.
rewrite share in tp tr; rewrite Z2Nat.inj_sub // in tr.
exists (of_ratio p), (of_ratio (rsub Ratios.one q)); split=> //; try by rewrite /rate !ltW.
exact: rates_contradictP.
Qed.

Definition odds_at_least (e : number) (y : ratio) : bool :=
  if req y Ratios.one then at_most e (Number Ratios.zero [::]) else log_at_least e y.
Lemma odds_at_leastP e y : odds_at_least e y -> exp (value_of e) <= of_ratio y.
Proof.
rewrite /odds_at_least; case: ifP => [/of_req ->|_]; last exact: log_at_leastP.
move/at_most_sound; rewrite value_of_0 of_one -exp_le => /le_trans; apply.
by rewrite exp_0.
Qed.

(** At least [chance_at_most], of U and L in units of 1/scale. *)
Definition chance_within (d : ratio) (m v U L scale : Z) : ratio :=
  radd (U, Z.to_pos (U + L)) (rdiv (rmul (rmul (whole m) d) (whole U)) (whole (v * scale))).
Lemma of_chance_within d m v U L scale : Z.le 0 m -> Z.lt 0 (v * scale) -> 0 < IZR (U + L) ->
  of_ratio (chance_within d m v U L scale) =
    (IZR U / IZR (U + L) + (Z.to_nat m)%:R * of_ratio d * IZR U / IZR (v * scale))%R.
Proof.
move=> m0 s0 S0; rewrite of_radd of_rdiv // !of_rmul of_whole //; congr (_ + _ * _ / _).
- rewrite /of_ratio /fraction [snd _]/= Z2Pos.id //; apply/Z.ltb_lt.
  by rewrite -(IZR_lt_iff Z0).
- exact: divr1.
- exact: divr1.
Qed.

Lemma spread (x a b v mu V scale : R) : 0 <= a -> 0 <= b -> 0 <= v -> x / mu <= V / scale ->
  x * (a * b / (v * mu)) <= a * b * V / (v * scale).
Proof.
move=> a0 b0 v0 h; have c0 : 0 <= a * b / v by rewrite divr_ge0 // mulr_ge0.
have := ler_wpmul2l c0 h; rewrite !invfM; move: (mu^-1) (v^-1) (scale^-1) => i k l.
have -> : a * b * k * (x * i) = x * (a * b * (k * i)) by ring.
by have -> : a * b * k * (V * l) = a * b * V * (k * l) by ring.
Qed.

Definition check_one (e : number) (d level : ratio) (m r v j : Z) (y : ratio) (f : effort) : bool :=
  [&& Z.ltb 0 m, Z.ltb 0 v, Z.leb v r, Z.ltb 0 j, Z.leb 0 d.1, Z.leb 0 level.1, Z.ltb 0 y.1, odds_at_least e y &
   if sums_of f y.1 (Zpos y.2) r v is Some (U, L) then
     rle (rmul (whole j) (chance_within d m v U L (2 ^ Z.max 0 (unit_bits f)))) level
   else false].

Theorem check_one_sound e d level m r v j y f : check_one e d level m r v j y f ->
  forall t, experiment_holds (value_of e) (of_ratio d) (Experiment level (OfOneRun m r v j) t).
Proof.
case/and5P=> /Z.ltb_lt m0 /Z.ltb_lt v0 /Z.leb_le vr /Z.ltb_lt j0 /and5P[d0 l0 /Z.ltb_lt y0 Ey].
case ok : (sums_of _ _ _ _ _) => [[U L]|] // h t.
have [m1 v1 j1] : [/\ Z.le 0 m, Z.le 0 v & Z.le 0 j] by split; exact: Z.lt_le_incl.
have w0 : Z.lt 0 (Zpos y.2) by [].
have [S0 B] := tail_between y0 w0 v1 vr ok; have Q := tail_ratio y0 w0 v1 vr ok.
apply: one_rejected_by; [exact: of_ge0|exact: of_ge0|by apply: to_nat_lt (Z.le_refl 0) m0|].
split; first exact: to_nat_lt (Z.le_refl 0) v0.
exists (of_ratio y); split; first exact: odds_at_leastP.
have s0 : Z.lt 0 (2 ^ Z.max 0 (unit_bits f)) by apply: Z.pow_pos_nonneg => //; exact: Z.le_max_l.
have vs : Z.lt 0 (v * 2 ^ Z.max 0 (unit_bits f)) by exact: Z.mul_pos_pos.
move: h; rewrite of_rle of_rmul of_whole // of_chance_within // => h; apply: le_trans h.
apply: ler_wpmul2l; first exact: ler0n.
rewrite /chance_at_most [leLHS]mulrDr mulr1; apply: ler_add; first exact: B.
by rewrite IZRM (IZR_to_nat v1); apply: spread Q; rewrite ?ler0n // of_ge0.
Qed.

(** --- an outcome --- *)

(** Two rates of many runs, or odds of one, and how many terms are summed. *)
Inductive experiment_hint :=
| ByRates of ratio & ratio & effort
| ByOdds of ratio & effort.

Definition check_experiment (e : number) (d : ratio) (x : experiment) (h : experiment_hint) : bool :=
  match outcome_of x, h with
  | OfManyRuns members others m, ByRates p q f => check_many e d (level_of x) members others m p q f
  | OfOneRun m r v j, ByOdds y f => check_one e d (level_of x) m r v j y f
  | _, _ => false
  end.

Theorem check_experiment_sound e d x h : check_experiment e d x h ->
  experiment_holds (value_of e) (of_ratio d) x.
Proof.
case: x => level [members others m|m r v j] t; case: h => [p q f|y f] //= h.
- exact: check_many_sound h t.
- exact: check_one_sound h t.
Qed.
