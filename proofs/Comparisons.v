(** Signs of sums of logarithms, decided in integers.

    Every number of a certificate is (c + sum_j k_j ln(u_j/v_j))/D with integers; the table of the
    quotients r_j = u_j/v_j >= 1 and D are common to the certificate, so a number is a pair of c
    and the list of k_j.  [nonneg] proves a number >= 0: by enclosures of the logarithms, or, for
    ties, by comparing products of powers.  It may say false of a number that is >= 0. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms LogarithmSeries Enclosures.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A quotient u/v, and an integer combination: c and the k_j. *)
Definition quotient := (Z * Z)%type.
Definition combination := (Z * seq Z)%type.

Definition quotient_ok (r : quotient) : bool := Z.ltb 0 r.2 && Z.leb r.2 r.1.

Fixpoint log_sum (rs : seq quotient) (ks : seq Z) : R :=
  match rs, ks with
  | r :: rs', k :: ks' => (IZR k * ln (IZR r.1 / IZR r.2)%coqR + log_sum rs' ks')%R
  | _, _ => 0%R
  end.

Definition value (rs : seq quotient) (x : combination) : R :=
  (IZR x.1 + log_sum rs x.2)%R.

(** Enclosures of the logarithms at 2^-bits: [terms] terms of the series for small integers at few
    bits, whose sums are exact, and rounded terms for others. *)
Definition small_integer : Z := 64.
Definition ln_enclosure (bits : Z) (terms : nat) (r : quotient) : Z * Z :=
  if Z.ltb (Z.log2 r.1) small_integer && Z.ltb bits many_bits
  then ln_bounds bits terms r.1 r.2 else ln_of_quotient bits r.1 r.2.
Definition enclosures (bits : Z) (terms : nat) (rs : seq quotient) : seq (Z * Z) :=
  [seq ln_enclosure bits terms r | r <- rs].

Fixpoint logs_low (es : seq (Z * Z)) (ks : seq Z) : Z :=
  match es, ks with
  | e :: es', k :: ks' => ((if Z.leb 0 k then k * e.1 else k * e.2) + logs_low es' ks')%coqZ
  | _, _ => Z0
  end.

Definition low (bits : Z) (es : seq (Z * Z)) (x : combination) : Z :=
  (x.1 * 2 ^ bits + logs_low es x.2)%coqZ.

(** prod r_j^{k_j} as a quotient. *)
Fixpoint power_product (rs : seq quotient) (ks : seq Z) : Z * Z :=
  match rs, ks with
  | r :: rs', k :: ks' =>
      let: (x, y) := power_product rs' ks' in
      if Z.leb 0 k then (r.1 ^ k * x, r.2 ^ k * y)%coqZ else (r.2 ^ (- k) * x, r.1 ^ (- k) * y)%coqZ
  | _, _ => (1, 1)%coqZ
  end.

(** A bound of the bits of these products, and how many are computed. *)
Fixpoint power_size (rs : seq quotient) (ks : seq Z) : Z :=
  match rs, ks with
  | r :: rs', k :: ks' => (Z.abs k * (Z.log2 r.1 + Z.log2 r.2 + 2) + power_size rs' ks')%coqZ
  | _, _ => Z0
  end.
Definition max_power_size : Z := 16777216.

(** [tie] allows the comparison of powers. *)
Definition nonneg (bits : Z) (es : seq (Z * Z)) (tie : bool) (rs : seq quotient)
    (x : combination) : bool :=
  Z.leb 0 (low bits es x) ||
  [&& tie, Z.leb 0 x.1, Z.leb (power_size rs x.2) max_power_size & let: (p, q) := power_product rs x.2 in Z.leb q p].

Definition positive (bits : Z) (es : seq (Z * Z)) (x : combination) : bool := Z.ltb 0 (low bits es x).

(** Whether nothing is added up. *)
Definition is_zero (x : combination) : bool := Z.eqb x.1 0 && all (fun k => Z.eqb k 0) x.2.

(** The quotients with a coefficient, and it. *)
Definition used (rs : seq quotient) (ks : seq Z) : seq (quotient * Z) :=
  [seq p <- zip rs ks | ~~ Z.eqb p.2 0].

Section Soundness.
Variables (bits : Z) (terms : nat) (rs : seq quotient).
Hypotheses (bits0 : Z.le 0 bits) (ok : all quotient_ok rs).
Let es := enclosures bits terms rs.

Let one0 : 0 < IZR (2 ^ bits).
Proof. by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt/Z.pow_pos_nonneg. Qed.

Lemma quotient_enclosed r : quotient_ok r ->
  IZR (ln_enclosure bits terms r).1 <= IZR (2 ^ bits) * ln (IZR r.1 / IZR r.2)%coqR
  <= IZR (ln_enclosure bits terms r).2.
Proof.
case/andP=> /Z.ltb_lt v0 /Z.leb_le vu; rewrite /ln_enclosure; case: ifP => _; last first.
  have u0 : Z.lt 0 r.1 by lia.
  by have [lo hi] := ln_of_quotient_enclosed bits bits0 _ _ u0 v0; rewrite mulrC; apply/andP; split; apply/RleP.
by have [lo hi] := ln_enclosed bits terms r.1 r.2 bits0 (conj v0 vu); apply/andP; split; apply/RleP.
Qed.

Lemma logs_low_le ks : IZR (logs_low es ks) <= IZR (2 ^ bits) * log_sum rs ks.
Proof.
rewrite /es; elim: (rs) ok ks => [|r rs' IH] /=; first by move=> _ ks; rewrite mulr0.
case/andP=> rok W [|k ks]; first by rewrite mulr0.
rewrite IZRD mulrDr; apply: ler_add; last exact: IH.
have /andP[lo hi] := quotient_enclosed rok; rewrite mulrCA; case: (Z.leb_spec 0 k) => h.
  by rewrite IZRM ler_wpmul2l // (IZR_le_iff Z0); apply/Z.leb_le.
rewrite IZRM -subr_ge0 -mulrBr mulr_le0 // ?subr_le0 //.
by rewrite (IZR_le_iff k Z0); apply/Z.leb_le/Z.lt_le_incl.
Qed.

Lemma low_le x : IZR (low bits es x) <= IZR (2 ^ bits) * value rs x.
Proof. by rewrite /low IZRD IZRM mulrDr mulrC ler_add2l logs_low_le. Qed.

Theorem positive_sound x : positive bits es x -> 0 < value rs x.
Proof.
rewrite /positive -IZR_lt_iff => h; rewrite -(pmulr_rgt0 _ one0).
exact: lt_le_trans (low_le x).
Qed.

Lemma power_product_ln ks : let: (p, q) := power_product rs ks in
  [/\ Z.lt 0 p, Z.lt 0 q & log_sum rs ks = ln (IZR p / IZR q)%coqR].
Proof.
elim: (rs) ok ks => [|r rs' IH] /= => [_ ks|/andP[/andP[/Z.ltb_lt v0 /Z.leb_le vu] W] [|k ks]].
- by split=> //; rewrite /Rdiv Rinv_1 Rmult_1_r ln_1.
- by split=> //; rewrite /Rdiv Rinv_1 Rmult_1_r ln_1.
have {IH} := IH W ks; case: (power_product rs' ks) => x y [x0 y0 ->].
have u0 : Z.lt 0 r.1 by lia.
have p0 (a j : Z) : Z.lt 0 a -> Z.le 0 j -> Z.lt 0 (a ^ j) by move=> a0; apply: Z.pow_pos_nonneg.
case: (Z.leb_spec 0 k) => h.
  split; [exact: Z.mul_pos_pos (p0 _ _ u0 h) x0|exact: Z.mul_pos_pos (p0 _ _ v0 h) y0|].
  rewrite -(ln_quotient_mul _ _ _ _ (p0 _ _ u0 h) (p0 _ _ v0 h) x0 y0).
  by rewrite -ln_quotient_pow.
have h' : Z.le 0 (- k) by lia.
split; [exact: Z.mul_pos_pos (p0 _ _ v0 h') x0|exact: Z.mul_pos_pos (p0 _ _ u0 h') y0|].
rewrite -(ln_quotient_mul _ _ _ _ (p0 _ _ v0 h') (p0 _ _ u0 h') x0 y0).
rewrite -ln_quotient_pow // ln_quotient_inv //.
congr (_ + _); rewrite opp_IZR.
by etransitivity; [exact: Ropp_mult_distr_r_reverse|symmetry; exact: Ropp_mult_distr_l_reverse].
Qed.

Theorem nonneg_sound tie x : nonneg bits es tie rs x -> 0 <= value rs x.
Proof.
case/orP => [|/and4P[_ c0 _]].
  rewrite -IZR_le_iff => h; rewrite -(pmulr_rge0 _ one0).
  exact: le_trans (low_le x).
have := power_product_ln x.2; case: (power_product rs x.2) => p q [p0 q0 e] qp.
rewrite addr_ge0 //; [by rewrite (IZR_le_iff Z0)|rewrite e].
by apply/RleP; apply: ln_quotient_ge0; split=> //; exact/Z.leb_le.
Qed.
End Soundness.

Lemma is_zero_value rs x : is_zero x -> value rs x = 0.
Proof.
case/andP=> /Z.eqb_eq x0 ks0; rewrite /value x0 add0r.
elim: rs x.2 ks0 => [|r rs IH] [|k ks] //= /andP[/Z.eqb_eq -> h].
by rewrite IH // mul0r addr0.
Qed.

Lemma used_log_sum rs ks :
  log_sum [seq p.1 | p <- used rs ks] [seq p.2 | p <- used rs ks] = log_sum rs ks.
Proof.
elim: rs ks => [|r rs IH] [|k ks] //; rewrite /used /= -/(used rs ks).
by case: Z.eqb_spec => [->|_] /=; rewrite IH // mul0r add0r.
Qed.

Lemma used_ok rs ks : all quotient_ok rs -> all quotient_ok [seq p.1 | p <- used rs ks].
Proof.
elim: rs ks => [|r rs IH] [|k ks] //= /andP[rok ok]; rewrite /used /= -/(used rs ks).
by case: Z.eqb => /=; rewrite ?rok IH.
Qed.

(** Combinations of combinations. *)
Fixpoint zip_add (ks ks' : seq Z) : seq Z :=
  match ks, ks' with
  | k :: t, k' :: t' => (k + k')%coqZ :: zip_add t t'
  | [::], _ => ks'
  | _, [::] => ks
  end.
Definition cadd (x y : combination) : combination := ((x.1 + y.1)%coqZ, zip_add x.2 y.2).
Definition cscale (m : Z) (x : combination) : combination :=
  ((m * x.1)%coqZ, [seq (m * k)%coqZ | k <- x.2]).
Definition csub (x y : combination) : combination := cadd x (cscale (-1) y).

Lemma log_sum_add rs ks ks' : log_sum rs (zip_add ks ks') = log_sum rs ks + log_sum rs ks'.
Proof.
elim: rs ks ks' => [|r rs IH] [|k ks] [|k' ks'] //=; rewrite ?addr0 ?add0r //.
by rewrite IH IZRD mulrDl addrACA.
Qed.
Lemma log_sum_scale rs m ks : log_sum rs [seq (m * k)%coqZ | k <- ks] = IZR m * log_sum rs ks.
Proof.
elim: rs ks => [|r rs IH] [|k ks] //=; rewrite ?mulr0 //.
by rewrite IH IZRM mulrDr mulrA.
Qed.
Lemma value_add rs x y : value rs (cadd x y) = value rs x + value rs y.
Proof. by rewrite /value /= IZRD log_sum_add addrACA. Qed.
Lemma value_scale rs m x : value rs (cscale m x) = IZR m * value rs x.
Proof. by rewrite /value /= IZRM log_sum_scale mulrDr. Qed.
Lemma value_sub rs x y : value rs (csub x y) = value rs x - value rs y.
Proof. by rewrite value_add value_scale; congr (_ + _); rewrite (_ : IZR (-1) = -1) ?mulN1r. Qed.
