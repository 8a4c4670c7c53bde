(** Rationals as the verified checker computes with them: pairs of integers in lowest terms. *)
From Coq Require Import Reals ZArith Znumtheory Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules CheckerClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A rational, with its denominator above 0. *)
Definition ratio := (Z * BinNums.positive)%type.
Definition of_ratio (x : ratio) : R := fraction x.1 (Zpos x.2).

Definition reduced (n d : Z) : ratio :=
  let g := Z.gcd n d in ((n / g)%coqZ, Z.to_pos (d / g)).
Definition zero : ratio := (Z0, 1%positive).
Definition one : ratio := (1%coqZ, 1%positive).
Definition radd (x y : ratio) := reduced (x.1 * Zpos y.2 + y.1 * Zpos x.2) (Zpos x.2 * Zpos y.2).
Definition rsub (x y : ratio) := reduced (x.1 * Zpos y.2 - y.1 * Zpos x.2) (Zpos x.2 * Zpos y.2).
Definition rmul (x y : ratio) := reduced (x.1 * y.1) (Zpos x.2 * Zpos y.2).
Definition rdiv (x y : ratio) := reduced (x.1 * Zpos y.2) (Zpos x.2 * y.1).
Definition req (x y : ratio) := Z.eqb (x.1 * Zpos y.2) (y.1 * Zpos x.2).
Definition rle (x y : ratio) := Z.leb (x.1 * Zpos y.2) (y.1 * Zpos x.2).
Definition rlt (x y : ratio) := Z.ltb (x.1 * Zpos y.2) (y.1 * Zpos x.2).

Section Ratios.
Implicit Types x y : ratio.

Let pos0 (p : BinNums.positive) : 0 < IZR (Zpos p).
Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let pos_neq0 (p : BinNums.positive) : IZR (Zpos p) != 0. Proof. by rewrite gt_eqF. Qed.

Lemma of_reduced n d : Z.lt 0 d -> of_ratio (reduced n d) = IZR n / IZR d.
Proof.
move=> d0; rewrite /of_ratio /reduced /fraction /=; set g := Z.gcd n d.
have g0 : Z.lt 0 g.
  by have := Z.gcd_nonneg n d; have := Z.gcd_eq_0_r n d; rewrite -/g; lia.
have en : n = (g * (n / g))%coqZ by apply: Zdivide_Zdiv_eq => //; exact: Z.gcd_divide_l.
have ed : d = (g * (d / g))%coqZ by apply: Zdivide_Zdiv_eq => //; exact: Z.gcd_divide_r.
have q0 : Z.lt 0 (d / g) by nia.
rewrite Z2Pos.id // {2}en {2}ed !IZRM -mulf_div divff ?mul1r //.
by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
Qed.

Lemma of_zero : of_ratio zero = 0. Proof. by rewrite /of_ratio /fraction mul0r. Qed.
Lemma of_one : of_ratio one = 1. Proof. by rewrite /of_ratio /fraction divr1. Qed.
Lemma of_radd x y : of_ratio (radd x y) = of_ratio x + of_ratio y.
Proof. by rewrite of_reduced // IZRD !IZRM -addf_div. Qed.
Lemma of_rsub x y : of_ratio (rsub x y) = of_ratio x - of_ratio y.
Proof. by rewrite of_reduced // IZRB !IZRM -mulNr -addf_div // mulNr. Qed.
Lemma of_rmul x y : of_ratio (rmul x y) = of_ratio x * of_ratio y.
Proof. by rewrite of_reduced // !IZRM mulf_div. Qed.
Lemma of_rdiv x y : Z.lt 0 y.1 -> of_ratio (rdiv x y) = of_ratio x / of_ratio y.
Proof. by move=> y0; rewrite of_reduced ?invf_div ?mulf_div ?IZRM //; lia. Qed.
Lemma of_req x y : req x y -> of_ratio x = of_ratio y.
Proof. by move/Z.eqb_eq => e; apply/eqP; rewrite eqr_div // -!IZRM e. Qed.
Lemma of_rle x y : rle x y = (of_ratio x <= of_ratio y).
Proof. by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!IZRM IZR_le_iff. Qed.
Lemma of_rlt x y : rlt x y = (of_ratio x < of_ratio y).
Proof. by rewrite ltr_pdivr_mulr // mulrAC ltr_pdivl_mulr // -!IZRM IZR_lt_iff. Qed.
Lemma of_ge0 x : Z.leb 0 x.1 -> 0 <= of_ratio x.
Proof. by move=> x0; rewrite divr_ge0 // ?(ltW (pos0 _)) // (IZR_le_iff Z0). Qed.
End Ratios.
