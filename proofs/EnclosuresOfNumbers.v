(** Enclosures in the notation of the field, and of the numbers of a certificate. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Logarithms Comparisons Exponentials Enclosures.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.
Global Arguments enclosed bits%coqZ v%R e.

(** A combination over [rs], divided by [d]: logarithms are taken at [number_guard] more bits. *)
Definition number_guard : Z := 64.
Definition logarithms (bits : Z) (rs : seq quotient) : seq (Z * Z) :=
  enclosures (bits + number_guard) (Z.to_nat ((bits + number_guard) / 3 + 4)) rs.
Definition enclosure_of_number (bits : Z) (logs : seq (Z * Z)) (d : Z) (x : combination) : enclosure :=
  let finer := Z.shiftl d number_guard in
  let fine := (bits + number_guard)%coqZ in
  (floor_div (low fine logs x) finer, ceil_div (- low fine logs (cscale (-1) x)) finer).

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : Z.le 0 bits.
Implicit Types (v x : R) (e f g : enclosure).

Let one0 : 0 < IZR (2 ^ bits). Proof. exact/RltP/power2_gt0. Qed.

Lemma enclosedP v e : reflect (enclosed bits v e) (IZR e.1 <= v * IZR (2 ^ bits) <= IZR e.2).
Proof. by apply: (iffP andP) => -[/RleP h /RleP k]. Qed.

Lemma enclosed_fraction (a b : Z) : Z.lt 0 b ->
  enclosed bits (IZR a / IZR b) (enclosure_of_fraction bits a b).
Proof.
move=> b0; have := enclosed_quotient bits bits0 a b b0.
by rewrite RdivE // gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
Qed.

Lemma enclosed_invr v e f : enclosed bits v e -> inverse bits e = Some f ->
  v != 0 /\ enclosed bits v^-1 f.
Proof.
move=> V h; have [/eqP v0 F] := enclosed_inverse bits bits0 v e f V h.
by split=> //; move: F; rewrite RinvE.
Qed.

Lemma enclosed_divide v x e f g : enclosed bits v e -> enclosed bits x f ->
  divide bits e f = Some g -> x != 0 /\ enclosed bits (v / x) g.
Proof.
rewrite /divide => V X; case h: (inverse bits f) => [f'|] //= [<-].
have [x0 X'] := enclosed_invr X h; split=> //.
by apply: enclosed_mul.
Qed.

Lemma surely_le_sound v x e f : enclosed bits v e -> enclosed bits x f -> surely_le e f -> v <= x.
Proof. by move=> V X h; apply/RleP; exact: surely_le_enclosed V X h. Qed.

Lemma surely_lt_sound v x e f : enclosed bits v e -> enclosed bits x f -> surely_lt e f -> v < x.
Proof. by move=> V X h; apply/RltP; exact: surely_lt_enclosed V X h. Qed.

Lemma enclosed_number rs d (x : combination) : all quotient_ok rs -> Z.lt 0 d ->
  enclosed bits (value rs x / IZR d) (enclosure_of_number bits (logarithms bits rs) d x).
Proof.
move=> ok d0; set fine := (bits + number_guard)%coqZ; have fine0 : Z.le 0 fine by rewrite /fine /number_guard; lia.
have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have G0 : Z.lt 0 (Z.shiftl d number_guard) by rewrite Z.shiftl_mul_pow2 //; apply: Z.mul_pos_pos.
have := low_le (Z.to_nat (fine / 3 + 4)) fine0 ok x.
have := low_le (Z.to_nat (fine / 3 + 4)) fine0 ok (cscale (-1) x).
rewrite value_scale (_ : IZR (-1) = -1) // mulN1r mulrN -/(logarithms bits rs) => high low.
have e : value rs x / IZR d * IZR (2 ^ bits) =
    (IZR (2 ^ fine) * value rs x) / IZR (Z.shiftl d number_guard).
  have two0 : IZR (2 ^ number_guard) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
  have d0' : IZR d != 0 by rewrite gt_eqF.
  rewrite Z.shiftl_mul_pow2 // /fine Z.pow_add_r //.
  rewrite (IZRM d) (IZRM (2 ^ bits)); move: (IZR (2 ^ number_guard)) two0 => g g0.
  by field; rewrite g0 d0'.
have G0' : 0 < IZR (Z.shiftl d number_guard) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
apply/enclosedP; rewrite e /=; apply/andP; split.
  have /RleP := floor_div_le (Comparisons.low fine (logarithms bits rs) x) _ G0.
  rewrite RdivE ?gt_eqF // => /le_trans; apply.
  by rewrite ler_pmul2r ?invr_gt0.
have /RleP := ceil_div_ge (- Comparisons.low fine (logarithms bits rs) (cscale (-1) x)) _ G0.
rewrite RdivE ?gt_eqF //; apply: le_trans.
by rewrite ler_pmul2r ?invr_gt0 // opp_IZR RoppE ler_oppr.
Qed.
End Soundness.
