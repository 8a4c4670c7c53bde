(** The verified checker: the rule `grid`.

    The certificate gives the unit, and the driver suggests multiples a_i, bounds of e^{-a_i u},
    of e^{-2u} and of one e^-r ([plan]); every suggestion is proved here by logarithms, as
    z <= e^-r if and only if ln(1/z) >= r. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons CheckerClosed Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** For each entry its multiple a_i, and integers around 2^bits e^{-a_i u}. *)
Record rounding := Rounding { multiple : nat; x_low : Z; x_high : Z }.

Record plan := Plan {
  unit_of : combination;
  roundings : seq rounding;
  scale : Z;       (* of weights: 10^digits *)
  finer : Z;       (* blocks are computed at scale * finer *)
  rounds : nat;    (* of products of pairs of tables *)
  top : nat;       (* the largest index with r_s > 0 that counts *)
  z_top : Z;       (* a bound of 2^bits e^-r at the top *)
  z_step : Z       (* a bound of 2^bits e^{-2u} *)
}.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

(** D (ln(one/z)) - m x >= 0, or its opposite. *)
Definition log_against (z : Z) (m : Z) (x : combination) : combination :=
  ((m * x.1)%coqZ, (- m * denominator s)%coqZ :: [seq (m * k)%coqZ | k <- x.2]).
Definition compares (z m : Z) (x : combination) : bool :=
  let qs := (one, z) :: quotients s in
  [&& Z.ltb 0 z, Z.leb z one &
   nonneg (bits f) (enclosures (bits f) (terms f) qs) false qs (log_against z m x)].
(** z <= one e^-x, and one e^-x <= z. *)
Definition exp_at_least (z : Z) (x : combination) : bool := Z.eqb z 0 || compares z (-1) x.
Definition exp_at_most (z : Z) (x : combination) : bool := compares z 1 x.

Definition units (m : Z) (p : plan) : combination := cscale m (unit_of p).

Definition rounded_ok (upward : bool) (p : plan) (e : entry) (r : rounding) : bool :=
  let au := units (Z.of_nat (multiple r)) p in
  [&& at_least_0 f s (if upward then csub au (epsilon e) else csub (epsilon e) au),
      exp_at_least (x_low r) au & exp_at_most (x_high r) au].

Definition block (p : plan) (e : entry) (r : rounding) : seq Z :=
  let S := (scale p * finer p)%coqZ in
  if count e is Zpos n then
    divided (finer p) (power S (base (multiple r)
      (floor_div (S * one) (one + x_high r)) (floor_div (S * x_low r) (one + x_low r))) n)
  else [:: scale p].

Fixpoint blocks (p : plan) (es : seq entry) (rs : seq rounding) : seq (seq Z) :=
  match es, rs with
  | e :: es', r :: rs' => if multiple r is O then blocks p es' rs' else block p e r :: blocks p es' rs'
  | _, _ => [::]
  end.

Definition table (p : plan) : seq Z :=
  product_all (scale p) (rounds p) (blocks p (entries s) (roundings p)).

(** sum w(s) max(0, one - z(s)) from the top down, where z(s - 1) = step z(s). *)
Fixpoint kept_down (step : Z -> Z) (z : Z) (ws : seq Z) : Z :=
  if ws is w :: ws' then (w * Z.max 0 (one - z) + kept_down step (step z) ws')%coqZ else Z0.

(** A = sum count_i a_i, and r_s times the denominator. *)
Definition total_multiple (p : plan) : Z :=
  foldr (fun er A => (count er.1 * Z.of_nat (multiple er.2) + A)%coqZ) Z0 (zip (entries s) (roundings p)).
Definition rest_at (p : plan) (x : combination) (i : nat) : combination :=
  csub (units (total_multiple p - 2 * Z.of_nat i) p) x.

(** Delta = 1 - (1 - a/b)/prod (1 - delta_i)^count_i as a fraction. *)
Definition kept_above : Z := foldr (fun e r => ((below e - above e) ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition kept_below : Z := foldr (fun e r => (below e ^ count e * r)%coqZ) 1%coqZ (entries s).
Definition Delta_fraction (a b : Z) : Z * Z :=
  ((b * kept_above - (b - a) * kept_below)%coqZ, (b * kept_above)%coqZ).

Definition plan_ok (upward : bool) (p : plan) : bool :=
  [&& Nat.eqb (size (roundings p)) (size (entries s)), Z.ltb 0 (scale p), Z.ltb 0 (finer p),
      at_least_0 f s (unit_of p), Z.leb 0 (z_top p), Z.leb 0 (z_step p) &
      all (fun er => rounded_ok upward p er.1 er.2) (zip (entries s) (roundings p))].

Definition check_grid_upper (p : plan) (x : combination) (a b : Z) : bool :=
  let w := table p in
  let kept := kept_down (fun z => floor_div (z * z_step p) one) (z_top p) (rev (take (top p).+1 w)) in
  let: (d, e) := Delta_fraction a b in
  [&& subject_ok f s, plan_ok true p, Z.ltb 0 b, Nat.leb (top p).+1 (size w),
      exp_at_least (z_top p) (rest_at p x (top p)),
      exp_at_least (z_step p) (units 2 p),
      Nat.leb (size w) (top p).+1 || at_least_0 f s (cscale (-1) (rest_at p x (top p).+1)) &
      Z.leb (kept + (scale p - zsum w) * one) (floor_div (one * d) e * scale p)].

Definition check_grid_lower (p : plan) (x : combination) (a b : Z) : bool :=
  let w := take (top p).+1 (table p) in
  let kept := kept_down (fun z => ceil_div (z * z_step p) one) (z_top p) (rev w) in
  let: (d, e) := Delta_fraction a b in
  [&& subject_ok f s, plan_ok false p, Z.ltb 0 b, Nat.eqb (size w) (top p).+1,
      exp_at_most (z_top p) (rest_at p x (top p)),
      exp_at_most (z_step p) (units 2 p) &
      Z.ltb (ceil_div (one * d) e * scale p) kept].
End Program.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : 0 < IZR (denominator s). Proof. by case/and4P: ok => _ h _ _; rewrite (IZR_lt_iff Z0). Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma at_least_0_sound x : at_least_0 f s x -> 0 <= real s x.
Proof. by move=> h; rewrite divr_ge0 ?(ltW D0) //; exact: (nonneg_sound bits0 qs_ok h). Qed.

Lemma real_scale m x : real s (cscale m x) = IZR m * real s x.
Proof. by rewrite /real value_scale mulrA. Qed.
Lemma real_sub x y : real s (csub x y) = real s x - real s y.
Proof. by rewrite /real value_sub mulrBl. Qed.

Lemma compares_sound z m x : compares f s z m x ->
  0 < IZR z /\ IZR m * (ln (IZR one / IZR z)%coqR - real s x) <= 0.
Proof.
case/and3P=> /Z.ltb_lt z0 /Z.leb_le zone h.
have qok : all quotient_ok ((one, z) :: quotients s).
  by rewrite /= qs_ok andbT /quotient_ok /=; apply/andP; split; [exact/Z.ltb_lt|exact/Z.leb_le].
split; first by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have := nonneg_sound bits0 qok h; rewrite /value /= log_sum_scale IZRM -/one.
have -> : IZR (- m * denominator s) = - (IZR m * IZR (denominator s)).
  by rewrite IZRM -mulNr; congr (_ * _); exact: opp_IZR.
have D1 := D0; rewrite /real /value; set l := ln _; set v := log_sum _ _; set c := IZR x.1.
set D := IZR (denominator s) in D1 *; move=> h'; rewrite -(pmulr_lle0 _ D1) -oppr_ge0; apply: le_trans h' _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite -mulrA mulrBl divfK ?gt_eqF // mulrBr opprB mulrDr -addrA; congr (_ + _).
by rewrite mulNr mulrAC addrC mulrA.
Qed.

Lemma ln_one_over z : 0 < IZR z -> exp (- ln (IZR one / IZR z)%coqR) = IZR z / IZR one.
Proof.
move=> z0; rewrite expN exp_ln; last by apply: Rdiv_lt_0_compat; exact/RltP.
by rewrite RdivE ?gt_eqF // invf_div.
Qed.

Lemma exp_at_least_sound z x : exp_at_least f s z x -> IZR z <= IZR one * exp (- real s x).
Proof.
case/orP=> [/Z.eqb_eq ->|/compares_sound[z0]].
  by rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
rewrite (_ : IZR (-1) = -1) // mulN1r oppr_le0 subr_ge0 => h.
rewrite mulrC -ler_pdivr_mulr // -(ln_one_over z0) exp_le ler_opp2 //.
Qed.

Lemma exp_at_least_ge0 z x : exp_at_least f s z x -> Z.le 0 z.
Proof. by case/orP=> [/Z.eqb_eq ->|/and3P[/Z.ltb_lt h _ _]]; [exact: Z.le_refl|exact: Z.lt_le_incl]. Qed.

Lemma exp_at_most_gt0 z x : exp_at_most f s z x -> Z.lt 0 z.
Proof. by case/and3P=> /Z.ltb_lt. Qed.

Lemma exp_at_most_sound z x : exp_at_most f s z x -> IZR one * exp (- real s x) <= IZR z.
Proof.
case/compares_sound=> z0; rewrite mul1r subr_le0 => h.
by rewrite mulrC -ler_pdivl_mulr // -(ln_one_over z0) exp_le ler_opp2.
Qed.
End Soundness.
