(** Exponentials in integers.

    For 0 <= y <= 1, e^y lies between the partial sums of its series and these with three times
    the next term ([taylor_lower], [taylor_upper]).  [exp_above_0] encloses 2^w e^x for x >= 0: the
    series at x/2^h, each term rounded down and up, then h squarings. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From ExactDP Require Import Logarithms.
Local Open Scope R_scope.

Definition taylor_term (n : nat) (y : R) : R := y ^ n / INR (fact n).
Fixpoint taylor_sum (n : nat) (y : R) : R :=
  match n with O => 0 | S m => taylor_sum m y + taylor_term m y end.

Lemma fact_gt0 n : 0 < INR (fact n).
Proof. apply lt_0_INR, lt_O_fact. Qed.

Lemma taylor_term_S n y : taylor_term (S n) y = taylor_term n y * y / INR (S n).
Proof.
unfold taylor_term. change (fact (S n)) with (S n * fact n)%nat. rewrite mult_INR.
pose proof (fact_gt0 n). pose proof (lt_0_INR (S n) ltac:(lia)). simpl (y ^ S n). field. lra.
Qed.

Lemma is_derive_taylor_term n y : is_derive (taylor_term (S n)) y (taylor_term n y).
Proof.
unfold taylor_term. pose proof (fact_gt0 n). pose proof (fact_gt0 (S n)).
auto_derive; [exact I|].
change (match fact n with O => 1 | S _ => INR (fact n) + 1 end) with (INR (S (fact n))).
change (fact n + n * fact n)%nat with (S n * fact n)%nat. rewrite mult_INR.
pose proof (lt_0_INR (S n) ltac:(lia)). change (match n with O => 1 | S _ => INR n + 1 end) with (INR (S n)).
field. lra.
Qed.

Lemma is_derive_taylor_sum n y : is_derive (taylor_sum (S n)) y (taylor_sum n y).
Proof.
induction n as [|n IH].
- apply (is_derive_ext (fun _ => 1)); [intros t; simpl; unfold taylor_term; simpl; field|].
  apply @is_derive_const.
- apply (@is_derive_plus R_AbsRing R_NormedModule (taylor_sum (S n))); [exact IH|].
  apply is_derive_taylor_term.
Qed.

Lemma taylor_term_0 n : taylor_term (S n) 0 = 0.
Proof. rewrite taylor_term_S. unfold Rdiv. ring. Qed.

Lemma taylor_sum_0 n : taylor_sum (S n) 0 = 1.
Proof.
induction n as [|n IH]; [simpl; unfold taylor_term; simpl; field|].
change (taylor_sum (S n) 0 + taylor_term (S n) 0 = 1). rewrite IH, taylor_term_0. ring.
Qed.

Lemma is_derive_exp_minus f df y : is_derive f y df ->
  is_derive (fun y => exp y - f y) y (exp y - df).
Proof.
intros D. apply (@is_derive_minus R_AbsRing R_NormedModule exp f); [|exact D].
apply is_derive_Reals, derivable_pt_lim_exp.
Qed.

Lemma taylor_lower n y : 0 <= y -> taylor_sum n y <= exp y.
Proof.
revert y; induction n as [|n IH]; intros y y0; [apply Rlt_le, exp_pos|].
enough (exp 0 - taylor_sum (S n) 0 <= exp y - taylor_sum (S n) y) as H.
{ rewrite exp_0, taylor_sum_0 in H. lra. }
apply (nondecr (fun y => exp y - taylor_sum (S n) y) (fun y => exp y - taylor_sum n y)); [lra| |].
- intros x _. apply is_derive_exp_minus, is_derive_taylor_sum.
- intros x hx. specialize (IH x). lra.
Qed.

Lemma taylor_upper n y : 0 <= y <= 1 -> exp y <= taylor_sum n y + 3 * taylor_term n y.
Proof.
revert y; induction n as [|n IH]; intros y [y0 y1].
{ pose proof exp_le_3. pose proof (exp_increasing y 1). unfold taylor_term; simpl.
  destruct (Req_dec y 1) as [->|]; lra. }
pose (f := fun y => taylor_sum (S n) y + 3 * taylor_term (S n) y).
enough (exp y - f y <= exp 0 - f 0) as H.
{ unfold f in H. rewrite exp_0, taylor_sum_0, taylor_term_0 in H. lra. }
enough (- (exp 0 - f 0) <= - (exp y - f y)) by lra.
apply (nondecr (fun y => - (exp y - f y))
  (fun y => - (exp y - (taylor_sum n y + 3 * taylor_term n y)))); [lra| |].
- intros x _. apply (@is_derive_opp R_AbsRing R_NormedModule (fun y => exp y - f y)).
  apply is_derive_exp_minus.
  apply (@is_derive_plus R_AbsRing R_NormedModule (taylor_sum (S n))).
  + apply is_derive_taylor_sum.
  + apply (is_derive_scal (taylor_term (S n)) x 3), is_derive_taylor_term.
- intros x hx. specialize (IH x). lra.
Qed.

(** a/2^n, rounded down and up. *)
Definition shift_down (a n : Z) : Z := Z.shiftr a n.
Definition shift_up (a n : Z) : Z := Z.opp (Z.shiftr (Z.opp a) n).

Lemma power2_gt0 n : (0 <= n)%Z -> 0 < IZR (2 ^ n).
Proof. intros h. apply IZR_lt, Z.pow_pos_nonneg; lia. Qed.

Lemma shift_down_le a n : (0 <= n)%Z -> IZR (shift_down a n) * IZR (2 ^ n) <= IZR a.
Proof.
intros h. unfold shift_down. rewrite Z.shiftr_div_pow2, <- mult_IZR by exact h.
apply IZR_le. pose proof (Z.mul_div_le a (2 ^ n) (Z.pow_pos_nonneg 2 n ltac:(lia) h)). lia.
Qed.

Lemma shift_up_ge a n : (0 <= n)%Z -> IZR a <= IZR (shift_up a n) * IZR (2 ^ n).
Proof.
intros h. pose proof (shift_down_le (- a) n h) as H. unfold shift_up, shift_down in *.
rewrite opp_IZR in *. lra.
Qed.

Lemma shift_down_ge0 a n : (0 <= a)%Z -> (0 <= shift_down a n)%Z.
Proof. intros h. unfold shift_down. apply Z.shiftr_nonneg. exact h. Qed.

Section Series.
Variables w y : Z.
Hypotheses (w0 : (0 <= w)%Z) (y0 : (0 <= y)%Z).
Let W := IZR (2 ^ w).
Let W0 : 0 < W. Proof. exact (power2_gt0 w w0). Qed.
Let Y := IZR y / W.
Let Y0 : 0 <= Y.
Proof. apply Rmult_le_pos; [apply IZR_le, y0|apply Rlt_le, Rinv_0_lt_compat, W0]. Qed.

(** The n-th term from below and above, and the sums of those before. *)
Fixpoint taylor_from (fuel : nat) (n term_low term_high sum_low sum_high : Z) : Z * Z :=
  let result := (sum_low, (sum_high + 3 * term_high)%Z) in
  match fuel with
  | O => result
  | S fuel' =>
      if Z.leb term_high 1 then result else
      taylor_from fuel' (n + 1)
        (floor_div (shift_down (term_low * y) w) (n + 1)) (ceil_div (shift_up (term_high * y) w) (n + 1))
        (sum_low + term_low) (sum_high + term_high)
  end.

Lemma taylor_from_enclosed fuel n tl th sl sh : Y <= 1 -> (0 <= tl)%Z ->
  IZR tl <= taylor_term n Y * W <= IZR th ->
  (0 <= sl)%Z -> IZR sl <= taylor_sum n Y * W <= IZR sh ->
  let e := taylor_from fuel (Z.of_nat n) tl th sl sh in
  (0 <= fst e)%Z /\ IZR (fst e) <= exp Y * W <= IZR (snd e).
Proof.
intros Y1. revert n tl th sl sh; induction fuel as [|fuel IH]; intros n tl th sl sh tl0 T sl0 S.
all: assert (R : (0 <= sl)%Z /\ IZR sl <= exp Y * W <= IZR (sh + 3 * th)).
1,3: pose proof (taylor_lower n Y Y0); pose proof (taylor_upper n Y (conj Y0 Y1));
  rewrite plus_IZR, mult_IZR; split; [exact sl0|split; nra].
1: exact R.
cbn [taylor_from]. destruct (Z.leb th 1); [exact R|]. clear R.
replace (Z.of_nat n + 1)%Z with (Z.of_nat (Datatypes.S n)) by lia.
assert (N : (0 < Z.of_nat (Datatypes.S n))%Z) by lia.
assert (N' : 0 < INR (Datatypes.S n)) by (apply lt_0_INR; lia).
assert (e : taylor_term (Datatypes.S n) Y * W = taylor_term n Y * W * IZR y / W / INR (Datatypes.S n)).
{ rewrite taylor_term_S. unfold Y. field. lra. }
assert (y0' : 0 <= IZR y) by (apply IZR_le, y0).
apply IH.
- unfold floor_div. apply Z.div_pos; [|lia]. apply shift_down_ge0. lia.
- rewrite e. split.
  + eapply Rle_trans; [apply floor_div_le; exact N|]. rewrite <- INR_IZR_INZ.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply (Rmult_le_reg_r W); [exact W0|].
    eapply Rle_trans; [apply shift_down_le, w0|]. rewrite mult_IZR. fold W.
    field_simplify; [|lra]. nra.
  + eapply Rle_trans; [|apply ceil_div_ge; exact N]. rewrite <- INR_IZR_INZ.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
    apply (Rmult_le_reg_r W); [exact W0|].
    eapply Rle_trans; [|apply shift_up_ge, w0]. rewrite mult_IZR. fold W.
    field_simplify; [|lra]. nra.
- lia.
- cbn [taylor_sum]. rewrite !plus_IZR. lra.
Qed.
End Series.

(** Squared h times. *)
Fixpoint squared (w : Z) (h : nat) (e : Z * Z) : Z * Z :=
  match h with
  | O => e
  | S h' => squared w h' (shift_down (fst e * fst e) w, shift_up (snd e * snd e) w)
  end.

Lemma squared_enclosed w h e x : (0 <= w)%Z ->
  (0 <= fst e)%Z -> IZR (fst e) <= exp x * IZR (2 ^ w) <= IZR (snd e) ->
  (0 <= fst (squared w h e))%Z /\
  IZR (fst (squared w h e)) <= exp (x * 2 ^ h) * IZR (2 ^ w) <= IZR (snd (squared w h e)).
Proof.
intros w0. pose proof (power2_gt0 w w0) as W0.
revert e x; induction h as [|h IH]; intros [lo hi] x lo0 [l u]; cbn [fst snd] in *.
{ simpl pow. rewrite Rmult_1_r. auto. }
replace (x * 2 ^ S h) with ((x + x) * 2 ^ h) by (simpl; ring).
apply IZR_le in lo0 as lo0'. pose proof (exp_pos x) as v0.
assert (e : exp (x + x) * IZR (2 ^ w) * IZR (2 ^ w) = exp x * IZR (2 ^ w) * (exp x * IZR (2 ^ w))).
{ rewrite exp_plus. ring. }
apply IH; cbn [fst snd].
- apply shift_down_ge0. lia.
- split; apply (Rmult_le_reg_r (IZR (2 ^ w)) _ _ W0).
  + eapply Rle_trans; [apply shift_down_le, w0|]. rewrite mult_IZR, e.
    apply Rmult_le_compat; lra.
  + eapply Rle_trans; [|apply shift_up_ge, w0]. rewrite mult_IZR, e.
    apply Rmult_le_compat; nra.
Qed.

(** 2^w e^{a/2^(w - h)} for a >= 0, if a <= 2^w. *)
Definition exp_above_0 (w : Z) (h : nat) (a : Z) : Z * Z :=
  let one := Z.shiftl 1 w in
  squared w h (taylor_from w a (Z.to_nat w) 0 one one 0 0).

Lemma exp_above_0_enclosed w h a : (0 <= w)%Z -> (0 <= a <= 2 ^ w)%Z ->
  (0 <= fst (exp_above_0 w h a))%Z /\
  IZR (fst (exp_above_0 w h a)) <= exp (IZR a / IZR (2 ^ w) * 2 ^ h) * IZR (2 ^ w)
  <= IZR (snd (exp_above_0 w h a)).
Proof.
intros w0 [a0 a1]. pose proof (power2_gt0 w w0) as W0.
unfold exp_above_0. rewrite Z.shiftl_1_l.
destruct (taylor_from_enclosed w a w0 a0 (Z.to_nat w) 0 (2 ^ w) (2 ^ w) 0 0) as [l e].
- apply (Rmult_le_reg_r (IZR (2 ^ w))); [lra|]. field_simplify; [|lra]. apply IZR_le; lia.
- apply Z.pow_nonneg; lia.
- unfold taylor_term. simpl. lra.
- lia.
- simpl. lra.
- exact (squared_enclosed w h _ _ w0 l e).
Qed.
