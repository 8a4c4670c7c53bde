(** Enclosures of Delta = 1 - (1 - delta)/prod (1 - delta_i)^count_i, by powers from squares, and of
    any real at fewer bits. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons.
From ExactDP Require Import Exponentials Enclosures EnclosuresOfNumbers CheckerClosed CheckerNotions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Fixpoint power_enclosure (bits : Z) (e : enclosure) (n : BinNums.positive) : enclosure :=
  match n with
  | xH => e
  | xO m => let h := power_enclosure bits e m in mul bits h h
  | xI m => let h := power_enclosure bits e m in mul bits e (mul bits h h)
  end.

Definition kept_enclosure (bits : Z) (s : subject) : enclosure :=
  foldr (fun e r => if count e is Zpos n then
      mul bits (power_enclosure bits (enclosure_of_fraction bits (below e - above e) (below e)) n) r
    else r) (enclosure_of_Z bits 1) (entries s).

Definition slack_enclosure (bits : Z) (s : subject) (a b : Z) : option enclosure :=
  option_map (sub (enclosure_of_Z bits 1))
    (divide bits (enclosure_of_fraction bits (b - a) b) (kept_enclosure bits s)).

(** From bits + k bits to bits. *)
Definition coarser (k : Z) (e : enclosure) : enclosure := (shift_down e.1 k, shift_up e.2 k).

Lemma enclosed_coarser bits k v e : Z.le 0 bits -> Z.le 0 k ->
  enclosed (bits + k) v e -> enclosed bits v (coarser k e).
Proof.
move=> b0 k0 /enclosedP/andP[lo hi]; apply/enclosedP; have K0 : 0 < IZR (2 ^ k) by exact/RltP/power2_gt0.
rewrite Z.pow_add_r // IZRM mulrA in lo hi.
apply/andP; split; rewrite -(ler_pmul2r K0).
  by apply: le_trans lo; apply/RleP; exact: shift_down_le.
by apply: le_trans hi _; apply/RleP; exact: shift_up_ge.
Qed.

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : Z.le 0 bits.

Lemma enclosed_power v e n : enclosed bits v e ->
  enclosed bits (v ^+ Pos.to_nat n) (power_enclosure bits e n).
Proof.
move=> V; elim: n => [n IH|n IH|] /=; last by rewrite Pos2Nat.inj_1 expr1.
  rewrite Pos2Nat.inj_xI exprS multE mul2n -addnn exprD.
  by do 2! [apply: enclosed_mul => //].
by rewrite Pos2Nat.inj_xO multE mul2n -addnn exprD; apply: enclosed_mul.
Qed.

Variable m : mixed_subject.

Lemma mixed_keptE : mixed_kept (notions_of m) =
  \prod_(q <- ledger_of (approximates m)) (1 - q.2).
Proof.
have levels1 n ls : (forall r, failure (n r) = 0) -> \prod_(x <- levels n ls) (1 - failure x) = 1.
  move=> n0; rewrite /levels big_flatten big_map big1 // => l _.
  by rewrite big_nseq iter_mulr_1 n0 subr0 expr1n.
by rewrite /mixed_kept /notions_of !big_cat /= !levels1 // !mulr1 /approximate big_map.
Qed.

Lemma slack_enclosed f a b d : mixed_ok f m -> Z.lt 0 b -> slack_enclosure bits (approximates m) a b = Some d ->
  enclosed bits (mixed_slack (notions_of m) (fraction a b)) d.
Proof.
move=> ok b0; rewrite /slack_enclosure; case h: (divide _ _ _) => [q|] //= [<-].
apply: enclosed_sub; first exact: enclosed_Z.
have one x y : Z.lt 0 y -> 1 - fraction x y = IZR (y - x) / IZR y.
  by move=> y0; rewrite IZRB mulrBl divff // IZR_gt0_neq0.
rewrite (one _ _ b0); apply: (proj2 (enclosed_divide bits0 (enclosed_fraction bits0 _ b0) _ h)).
rewrite mixed_keptE /ledger_of big_flatten big_map /kept_enclosure; case/and3P: ok => s _ _; elim: (entries_ok s) => [|e es].
  by rewrite big_nil; exact: enclosed_Z.
case=> _ a0 ab _ _ IH; rewrite big_cons big_nseq iter_mulr_1 /=.
have b1 : Z.lt 0 (below e) by lia.
case: (count e) => [|n|n]; rewrite ?expr0 ?mul1r //.
by rewrite one //; apply: enclosed_mul => //; apply: enclosed_power; exact: enclosed_fraction.
Qed.
End Soundness.
