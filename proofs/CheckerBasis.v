(** The verified checker: numbers over a common basis.

    A table of logarithms may hold ln 2 and ln 4, and then numbers of one value are not written
    alike.  The plan suggests integers p > 1, and exponents that write every quotient of the table
    as a product of their powers; a number is then a combination of the ln p.  Where the p are
    pairwise coprime, numbers of one value are written alike; nothing here needs it. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Comparisons.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (basis : seq Z) (exponents : seq (seq Z)).   (* for each quotient of the table *)

Definition basis_quotients : seq quotient := [seq (p, 1%coqZ) | p <- basis].
Definition row_ok (r : quotient) (es : seq Z) : bool :=
  let ps := used basis_quotients es in
  let: (x, y) := power_product [seq p.1 | p <- ps] [seq p.2 | p <- ps] in Z.eqb (r.1 * y) (r.2 * x).
Definition basis_ok (rs : seq quotient) : bool :=
  [&& all quotient_ok rs, all quotient_ok basis_quotients & all2 row_ok rs exponents].

Fixpoint combined (ess : seq (seq Z)) (ks : seq Z) : seq Z :=
  match ess, ks with
  | es :: ess', k :: ks' =>
      if Z.eqb k 0 then combined ess' ks'
      else zip_add [seq (k * e)%coqZ | e <- es] (combined ess' ks')
  | _, _ => [::]
  end.
Definition over_basis (x : combination) : combination := (x.1, combined exponents x.2).
End Program.

Section Soundness.
Variables (basis : seq Z) (exponents : seq (seq Z)).
Let bs := basis_quotients basis.
Hypothesis bs_ok : all quotient_ok bs.

Lemma row_ln r es : quotient_ok r -> row_ok basis r es ->
  ln (IZR r.1 / IZR r.2)%coqR = log_sum bs es.
Proof.
case/andP=> /Z.ltb_lt v0 /Z.leb_le vu; rewrite /row_ok.
rewrite -(used_log_sum bs es); set ps := used _ es.
have := power_product_ln (Z.le_refl 0) (used_ok es bs_ok) [seq p.2 | p <- ps].
case: power_product => x y [x0 y0 ->] /Z.eqb_eq e.
congr ln; move: v0 x0 y0 e; set u := r.1; set v := r.2 => v0 x0 y0 e.
have [v1 y1] : IZR v != 0 /\ IZR y != 0.
  by split; rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
by rewrite !RdivE //; apply/eqP; rewrite eqr_div // -!IZRM e Z.mul_comm.
Qed.

Lemma log_sum_nil rs : log_sum rs [::] = 0.
Proof. by case: rs. Qed.
End Soundness.

(** A number and the same over the basis have one value. *)
Theorem value_over_basis basis exponents rs x : basis_ok basis exponents rs ->
  value (basis_quotients basis) (over_basis exponents x) = value rs x.
Proof.
case/and3P=> QS0 bs_ok RS0; rewrite /value /over_basis /=; congr (_ + _).
move: QS0 RS0; move: x.2 => ks; elim: rs exponents ks => [|r rs IH] [|es ess] // ks; first by rewrite /= log_sum_nil.
case: ks => [|k ks] /=; first by rewrite log_sum_nil.
case/andP=> qok QS /andP[rok RS]; case: Z.eqb_spec => [->|_].
  by rewrite mul0r add0r; exact: IH.
by rewrite log_sum_add log_sum_scale (IH _ _ QS RS) -(row_ln bs_ok qok rok).
Qed.
