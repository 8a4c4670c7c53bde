(** The sum of the terms of the Fourier rules over many points, most of which are too small to matter.

    A block of points is passed over if the spectrum's size times its weight (FourierKernel.v) is little at all of
    them, which enclosures of an interval of points show; what they may come to is charged.  Else it is halved, and
    of a single point the term is taken. *)
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import Reals Exponentials Enclosures EnclosuresOfFormulas EnclosuresOfWaves.
From ExactDP Require Import EnclosuresOfKernel EnclosuresOfLaws EnclosuresOfSpectra EnclosuresOfFourier.
From ExactDP Require Import FourierKernel TiltedLosses LossLaws RulesFourier.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Local Arguments agrees bits%coqZ v%R o.
Local Arguments enclosed bits%coqZ v%R e.
Local Arguments cos _%R.
Local Arguments sin _%R.

Definition few_points : nat := 3.

Section Program.
Variables (bits : Z) (p : waves).

Definition heavy_enclosure (gs : seq (Z * prepared)) (kappa : formula) (t : enclosure) : option enclosure :=
  times bits (option_map (square_root bits) (square_of_size bits t gs))
    (weight_formula bits (Some (tilt p)) (Some (noise p)) (Some (variance p)) kappa (Some t)).

(** Of the points n ... n + size - 1. *)
Definition block (n size : nat) : enclosure :=
  ((Z.of_nat n * (step p).1)%coqZ, (Z.of_nat (Nat.pred (Nat.add n size)) * (step p).2)%coqZ).

Section Sweep.
Variables (upward : bool) (gs : seq (Z * prepared)) (little : Z) (kappa : formula).

Definition passed_over (n size : nat) : option Z :=
  if Nat.leb size few_points then None else
  if heavy_enclosure gs kappa (block n size) is Some b then
    if Z.leb b.2 little then Some b.2 else None
  else None.

(** The sum of what is kept, and what is charged for the rest. *)
Fixpoint swept_block (depth n size : nat) : option (enclosure * Z) :=
  if passed_over n size is Some b then Some ((Z0, Z0), (Z.of_nat size * b)%coqZ) else
  if size is 1%N then
    if term_enclosure bits p upward gs n is Some e then Some (e, Z0) else None
  else if depth is S depth' then
    let half := Nat.div2 size in
    if (swept_block depth' n half, swept_block depth' (Nat.add n half) (Nat.sub size half))
      is (Some (e, b), Some (f, c)) then Some (add e f, (b + c)%coqZ)
    else None
  else None.
End Sweep.

(** Of the points 1 ... last. *)
Definition swept_terms (upward : bool) (gs : seq (Z * prepared)) (little : Z) (last : nat) : option (enclosure * enclosure) :=
  let depth := Z.to_nat (Z.log2_up (Z.of_nat last)) in
  if swept_block upward gs little (excess_formula bits (Some (noise p))) depth 1 last is Some (e, c) then
    Some (e, (c, c))
  else None.
End Program.

Section Soundness.
Variables (bits : Z) (a s mu d x : R) (p : waves) (rs : seq (Z * wave_law)) (gs : seq (Z * group_law)).
Hypotheses (bits0 : Z.le 0 bits) (P : enclosed_waves bits a s mu d x p) (G : enclosed_groups bits rs gs).
Hypotheses (a0 : 0 < a) (d0 : 0 < d).
Let L := law_of_all (listed rs).
Let B : R := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact/RltP/power2_gt0. Qed.

Definition heaviness (n : nat) : R :=
  (Complex.Cmod (LossLaws.spectrum a L (point d n)) * weight a s (mu * mu)%R (excess s) (point d n))%R.

Lemma heavy_enclosed n t us b : enclosed bits (point d n) t -> ready_groups bits a rs us ->
  heavy_enclosure bits p us (excess_formula bits (Some (noise p))) t = Some b -> enclosed bits (heaviness n) b.
Proof.
move=> T S; rewrite /heavy_enclosure /heaviness; case: P => A N V _ _.
have W := weight_agrees bits a s _ _ _ _ bits0 (agrees_given bits _ _ A) (agrees_given bits _ _ N)
  (agrees_given bits _ _ V) _ _ _ _ (excess_agrees bits s _ bits0 (agrees_given bits _ _ N)) (agrees_given bits _ _ T).
have C : agrees bits (Complex.Cmod (LossLaws.spectrum a L (point d n)))
    (option_map (square_root bits) (square_of_size bits t us)).
  move=> e; case h: square_of_size => [z|] //= [<-].
  have c0 : 0 <= Complex.Cmod (LossLaws.spectrum a L (point d n)) by exact/RleP/Complex.Cmod_ge_0.
  have <- : sqrt (Complex.Cmod (LossLaws.spectrum a L (point d n)) ^+ 2) =
      Complex.Cmod (LossLaws.spectrum a L (point d n)).
    by rewrite expr2 -RmultE sqrt_square //; exact/RleP.
  by apply: enclosed_square_root => //; exact: (square_enclosed bits0 T S h).
by move: b; apply: agrees_times.
Qed.

Lemma block_enclosed n size i : (n <= i)%N -> (i < n + size)%N -> enclosed bits (point d i) (block p n size).
Proof.
move=> ni isz; case: P => _ _ _ [/RleP l /RleP h] _; rewrite -/B !RmultE in l h.
have dB : 0 <= d * B by rewrite mulr_ge0 ?ltW.
rewrite /enclosed -/B /block /point !RmultE -mulrA; split; apply/RleP; rewrite /= mult_IZR RmultE -INR_IZR_INZ INRE.
  by apply: le_trans (ler_wpmul2l (ler0n _ n) l) _; rewrite ler_wpmul2r ?ler_nat.
apply: le_trans (ler_wpmul2l (ler0n _ _) h); rewrite ler_wpmul2r ?ler_nat //.
by rewrite -ltnS (ltn_predK (m := i)) //; exact: isz.
Qed.

Section Blocks.
Variables (upward : bool) (us : seq (Z * prepared)) (little : Z).
Hypothesis prepared_are : ready_in bits p gs = Some us.
Let kappa := excess_formula bits (Some (noise p)).
Let value n := term a s mu d x (polynomial_of s upward) L n.

Definition swept_right (n m : nat) (e : enclosure) (c : Z) : Prop := exists kept : pred nat,
  enclosed bits (\sum_(n <= i < m | kept i) value i) e /\
  \sum_(n <= i < m | ~~ kept i) heaviness i <= IZR c / B.

Lemma swept_joined n k m e f b c : (n <= k)%N -> (k <= m)%N -> swept_right n k e b -> swept_right k m f c ->
  swept_right n m (add e f) (b + c).
Proof.
move=> nk km [k1 [E1 C1]] [k2 [E2 C2]]; exists (fun i => if (i < k)%N then k1 i else k2 i).
have split (h : nat -> R) (q : pred bool) :
    \sum_(n <= i < m | q (if (i < k)%N then k1 i else k2 i)) h i =
    \sum_(n <= i < k | q (k1 i)) h i + \sum_(k <= i < m | q (k2 i)) h i.
  rewrite (big_cat_nat _ _ _ nk km) /=; congr (_ + _).
    rewrite big_nat_cond [RHS]big_nat_cond; apply: eq_bigl => i.
    by case: (ltnP i k) => ik; rewrite ?andbF ?andbT //= ltnNge ik andbF.
  rewrite big_nat_cond [RHS]big_nat_cond; apply: eq_bigl => i.
  by case: (ltnP i k) => ik //=; rewrite leqNgt ik.
rewrite (split value id) (split heaviness negb); split; first exact: enclosed_add.
by rewrite plus_IZR RplusE mulrDl; apply: ler_add.
Qed.

Let zero : enclosed bits 0 (Z0, Z0).
Proof. by rewrite /enclosed /= Rmult_0_l; split; exact: Rle_refl. Qed.
Let prepared_right := ready_right bits0 P G prepared_are.

Lemma passed_sound n size b : passed_over bits p us little kappa n size = Some b ->
  swept_right n (n + size) (Z0, Z0) (Z.of_nat size * b).
Proof.
rewrite /passed_over; case: ifP => // _; case h: heavy_enclosure => [b'|] //; case: ifP => // _ [<-].
exists xpred0; rewrite big_pred0 //; split=> //; rewrite big_nat_cond.
apply: le_trans (ler_sum _ (G := fun=> IZR b'.2 / B) _) _ => [i /andP[/andP[ni isz] _]|].
  by have [_ /RleP] := heavy_enclosed (block_enclosed ni isz) prepared_right h; rewrite ler_pdivl_mulr.
by rewrite -big_nat_cond sumr_const_nat addKn mult_IZR RmultE -INR_IZR_INZ INRE -mulrA mulr_natl.
Qed.

Lemma single_sound n e : term_enclosure bits p upward us n = Some e -> swept_right n (n + 1) e 0.
Proof.
move=> h; exists xpredT; rewrite addn1 big_nat1 big_pred0 // mul0r; split=> //.
exact: (term_enclosed bits0 P G a0 prepared_are h).
Qed.

Lemma swept_block_sound depth n size e c :
  swept_block bits p upward us little kappa depth n size = Some (e, c) -> swept_right n (n + size) e c.
Proof.
elim: depth n size e c => [|depth IH] n size e c /=.
all: case h: passed_over => [b|]; first by case=> <- <-; exact: passed_sound.
  case: size h => [|[|size]] // _; case h: term_enclosure => [f|] // [<- <-]; exact: single_sound.
have halves k : (if (swept_block bits p upward us little kappa depth n (Nat.div2 k),
      swept_block bits p upward us little kappa depth (Nat.add n (Nat.div2 k)) (Nat.sub k (Nat.div2 k)))
    is (Some (f, b), Some (g, b')) then Some (add f g, (b + b')%coqZ) else None) = Some (e, c) ->
    swept_right n (n + k) e c.
  case: (swept_block _ _ _ _ _ _ _ n) (IH n (Nat.div2 k)) => [[f b]|] // /(_ _ _ erefl) F.
  case: swept_block (IH (Nat.add n (Nat.div2 k)) (Nat.sub k (Nat.div2 k))) => [[g b']|] // /(_ _ _ erefl) F' [<- <-].
  have half_le : (Nat.div2 k <= k)%N by apply/ssrnat.leP; apply: Nat.div2_decr; exact: le_S.
  apply: swept_joined F _; rewrite ?leq_addr ?leq_add2l //.
  by move: F'; rewrite -[Nat.add _ _]/(n + Nat.div2 k)%N -[Nat.sub _ _]/(k - Nat.div2 k)%N -addnA subnKC.
case: size h => [|[|size]] _; [exact: halves 0%N| |exact: halves size.+2].
by case h: term_enclosure => [f|] // [<- <-]; exact: single_sound.
Qed.
End Blocks.

Lemma swept_enclosed upward us little last e c : ready_in bits p gs = Some us ->
  swept_terms bits p upward us little last = Some (e, c) -> exists kept charge,
  [/\ enclosed bits (\sum_(1 <= n < last.+1 | kept n) term a s mu d x (polynomial_of s upward) L n) e,
      enclosed bits charge c & \sum_(1 <= n < last.+1 | ~~ kept n) heaviness n <= charge].
Proof.
move=> S; rewrite /swept_terms; case h: swept_block => [[f b]|] // [<- <-].
have [kept [E C]] := swept_block_sound S h; exists kept, (IZR b / B); split=> //.
have B1 : B != 0 by rewrite gt_eqF.
by rewrite /enclosed -/B RmultE mulfVK //; split; exact: Rle_refl.
Qed.
End Soundness.
