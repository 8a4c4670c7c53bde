(** Products of tables by one product of integers (Kronecker substitution).

    A table of integers from 0 to 2^w - 1 is packed into the integer sum_i t_i 2^(w i), by halves, so
    that the work is nearly linear; the digits of a product of two packed tables are the
    coefficients of the product of their polynomials if none reaches 2^w.  Recursion is as deep as
    the logarithm of the length: a table may have millions of places. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ssrZ.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** The width of 2^k digits. *)
Definition width (w : Z) (k : nat) : Z := Z.shiftl w (Z.of_nat k).

(** The first 2^k places, packed, and the others. *)
Fixpoint pack (w : Z) (k : nat) (t : seq Z) : Z * seq Z :=
  match t, k with
  | [::], _ => (0, [::])
  | x :: t', O => (x, t')
  | _, S k' =>
      let: (x, t1) := pack w k' t in
      let: (y, t2) := pack w k' t1 in (x + Z.shiftl y (width w k'), t2)
  end.

(** The 2^k digits of x, each divided by S and rounded down, before [rest]; no zeros at the end. *)
Fixpoint unpack (S w : Z) (k : nat) (x : Z) (rest : seq Z) : seq Z :=
  if (if rest is [::] then Z.ltb x S else false) then [::] else
  match k with
  | O => x / S :: rest
  | S k' =>
      let y := Z.shiftr x (width w k') in
      unpack S w k' (x - Z.shiftl y (width w k')) (unpack S w k' y rest)
  end.

(** sum_i t_i 2^(w i). *)
Definition packed (w : Z) (t : seq Z) : Z := foldr (fun x r => x + 2 ^ w * r) 0 t.

Section Packing.
Variable w : Z.
Hypothesis w0 : 0 <= w.

Lemma widthE k : width w k = w * Z.of_nat (2 ^ k).
Proof.
rewrite /width Z.shiftl_mul_pow2; last exact: Nat2Z.is_nonneg.
congr (_ * _); elim: k => [|k IH] //.
rewrite Nat2Z.inj_succ Z.pow_succ_r ?IH ?expnS; last exact: Nat2Z.is_nonneg.
by rewrite Nat2Z.inj_mul.
Qed.

Lemma width_ge0 k : 0 <= width w k. Proof. by rewrite widthE; lia. Qed.

Lemma packed_split t n :
  packed w t = packed w (take n t) + 2 ^ (w * Z.of_nat n) * packed w (drop n t).
Proof.
elim: n t => [|n IH] t; first by rewrite take0 drop0 /= Z.mul_0_r Z.mul_1_l.
case: t => [|x t] /=; first by rewrite Z.mul_0_r.
by rewrite {1}IH -/(Z.of_nat n.+1) Nat2Z.inj_succ Z.mul_succ_r Z.pow_add_r; lia.
Qed.

Lemma packE k t : pack w k t = (packed w (take (2 ^ k) t), drop (2 ^ k) t).
Proof.
elim: k t => [|k IH] [|x t] //; first by rewrite /= take0 drop0 /= Z.mul_0_r Z.add_0_r.
have -> : pack w k.+1 (x :: t) = let: (y, t1) := pack w k (x :: t) in
  let: (z, t2) := pack w k t1 in (y + Z.shiftl z (width w k), t2) by [].
have e : (2 ^ k.+1 = 2 ^ k + 2 ^ k)%N by rewrite expnS mul2n -addnn.
rewrite !IH drop_drop -e; congr (_, _); rewrite Z.shiftl_mul_pow2 ?width_ge0 // widthE Z.mul_comm.
rewrite (packed_split (take (2 ^ k.+1) _) (2 ^ k)) take_take ?e ?leq_addr //.
  by rewrite take_drop.
by rewrite Z.mul_comm -widthE; exact: width_ge0.
Qed.

Definition small (t : seq Z) := List.Forall (fun x => 0 <= x < 2 ^ w) t.

Lemma packed_bounds t : small t -> 0 <= packed w t < 2 ^ (w * Z.of_nat (size t)).
Proof.
have p0 : 0 < 2 ^ w by apply: Z.pow_pos_nonneg.
elim: t => [|x t IH] h; first by rewrite /= Z.mul_0_r.
have [h1 h2] := (List.Forall_inv h, IH (List.Forall_inv_tail h)).
by rewrite /= -/(Z.of_nat (size t).+1) Nat2Z.inj_succ Z.mul_succ_r Z.add_comm Z.pow_add_r; nia.
Qed.

Lemma nth_packed t n : small t -> 0 <= nth 0 t n <= packed w t.
Proof.
have p0 : 0 < 2 ^ w by apply: Z.pow_pos_nonneg.
elim: t n => [|x t IH] n h; first by rewrite nth_nil.
have [h1 h2] := (List.Forall_inv h, packed_bounds (List.Forall_inv_tail h)).
case: n => [|n] /=; first nia.
by have := IH n (List.Forall_inv_tail h); nia.
Qed.

Lemma small_cat s t : small (s ++ t) -> small s /\ small t.
Proof.
elim: s => [|x s IH] /= h; first by split=> //; constructor.
by have [] := IH (List.Forall_inv_tail h); split=> //; constructor=> //; exact: List.Forall_inv h.
Qed.

(** The two halves of a packed table. *)
Lemma packed_halves k t : small t ->
  let: y := Z.shiftr (packed w t) (width w k) in
  y = packed w (drop (2 ^ k) t) /\ packed w t - Z.shiftl y (width w k) = packed w (take (2 ^ k) t).
Proof.
move=> h; have [h1 _] : small (take (2 ^ k) t) /\ small (drop (2 ^ k) t).
  by apply: small_cat; rewrite cat_take_drop.
have b := packed_bounds h1; have W : 0 <= width w k by exact: width_ge0.
have p : 2 ^ (w * Z.of_nat (size (take (2 ^ k) t))) <= 2 ^ width w k.
  by apply: Z.pow_le_mono_r => //; rewrite widthE size_take; case: ifP => ?; nia.
have e : Z.shiftr (packed w t) (width w k) = packed w (drop (2 ^ k) t).
  rewrite Z.shiftr_div_pow2 // (packed_split t (2 ^ k)) -widthE Z.mul_comm Z.div_add; last lia.
  by rewrite Z.div_small; lia.
by rewrite e Z.shiftl_mul_pow2 //; split=> //; rewrite (packed_split t (2 ^ k)) -widthE; lia.
Qed.

Lemma nth_unpack S k t rest n : 0 < S -> small t -> (size t <= 2 ^ k)%N ->
  nth 0 (unpack S w k (packed w t) rest) n =
  if (n < 2 ^ k)%N then nth 0 t n / S else nth 0 rest (n - 2 ^ k).
Proof.
move=> S0; elim: k t rest n => [|k IH] t rest n h le;
  rewrite [unpack _ _ _ _ _]/=; case: ifP => [e|_].
- move: e; case: rest => // /Z.ltb_lt lt; have b := nth_packed n h.
  by rewrite !nth_nil; case: ifP => // _; rewrite Z.div_small //; lia.
- case: t h le => [|x [|y t]] h le //; case: n => [|n] //=; rewrite ?subn1 //.
  by rewrite Z.mul_0_r Z.add_0_r.
- move: e; case: rest => // /Z.ltb_lt lt; have b := nth_packed n h.
  by rewrite !nth_nil; case: ifP => // _; rewrite Z.div_small //; lia.
have [-> ->] := packed_halves k h.
have [h1 h2] : small (take (2 ^ k) t) /\ small (drop (2 ^ k) t).
  by apply: small_cat; rewrite cat_take_drop.
have e : (2 ^ k.+1 = 2 ^ k + 2 ^ k)%N by rewrite expnS mul2n -addnn.
rewrite !IH //; [|by rewrite size_drop e in le *; lia|by rewrite size_take; case: ifP; lia].
case: ltnP => l1; first by rewrite nth_take // e ltn_addr.
by rewrite nth_drop subnKC // e -ltn_subLR // subnDA; case: ltnP.
Qed.
End Packing.
