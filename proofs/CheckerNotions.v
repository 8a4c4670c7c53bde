(** The verified checker: subjects with mechanisms of all notions. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures CheckerClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** [times] mechanisms with mu or rho = level_above/level_below. *)
Record level := Level { times : Z; level_above : Z; level_below : Z }.

Record mixed_subject := MixedSubject {
  approximates : subject;
  gaussians : seq level;
  concentrates : seq level
}.

Definition level_of (l : level) : R := fraction (level_above l) (level_below l).
Definition levels (n : R -> notion) (ls : seq level) : seq notion :=
  flatten [seq nseq (Z.to_nat (times l)) (n (level_of l)) | l <- ls].

(** What a subject denotes. *)
Definition notions_of (m : mixed_subject) : seq notion :=
  approximate (ledger_of (approximates m)) ++
  levels Gaussian (gaussians m) ++ levels Concentrated (concentrates m).

Definition level_ok (l : level) : bool :=
  [&& Z.leb 0 (times l), Z.leb 0 (level_above l) & Z.ltb 0 (level_below l)].
Definition mixed_ok (f : effort) (m : mixed_subject) : bool :=
  [&& subject_ok f (approximates m), all level_ok (gaussians m) & all level_ok (concentrates m)].

(** sum times * v(l)  for fractions v(l), as a fraction. *)
Definition add_fractions (x y : Z * Z) : Z * Z :=
  ((x.1 * y.2 + y.1 * x.2)%coqZ, (x.2 * y.2)%coqZ).
(** Neighbours are added first, then their sums, and so on, so that few sums are long. *)
Fixpoint add_neighbours (found s : seq (Z * Z)) : seq (Z * Z) :=
  match s with
  | x :: y :: s' => add_neighbours (add_fractions x y :: found) s'
  | _ => s ++ found
  end.
(** As many rounds as [rounds] is long. *)
Fixpoint sum_in_rounds (rounds s : seq (Z * Z)) : Z * Z :=
  if rounds is _ :: r then sum_in_rounds r (add_neighbours [::] s)
  else foldr add_fractions (Z0, 1%coqZ) s.
Definition sum_levels (v : level -> Z * Z) (ls : seq level) : Z * Z :=
  let fractions := [seq ((times l * (v l).1)%coqZ, (v l).2) | l <- ls] in
  sum_in_rounds fractions fractions.
Arguments sum_levels : simpl never.

(** sum of mu^2, and of rho. *)
Definition total_square (m : mixed_subject) : Z * Z :=
  sum_levels (fun l => ((level_above l * level_above l)%coqZ, (level_below l * level_below l)%coqZ))
    (gaussians m).
Definition total_concentrated (m : mixed_subject) : Z * Z :=
  sum_levels (fun l => (level_above l, level_below l)) (concentrates m).

Lemma level_ge0 l : level_ok l -> 0 <= level_of l.
Proof.
case/and3P=> _ a b; rewrite divr_ge0 //; first by rewrite (IZR_le_iff Z0).
by rewrite ltW // (IZR_lt_iff Z0).
Qed.

Lemma IZR_gt0_neq0 z : Z.lt 0 z -> IZR z != 0.
Proof. by move=> h; rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition total_of (s : seq (Z * Z)) : R := \sum_(x <- s) fraction x.1 x.2.

Lemma add_fractions_sound x y : Z.lt 0 x.2 -> Z.lt 0 y.2 -> Z.lt 0 (add_fractions x y).2 /\
  fraction (add_fractions x y).1 (add_fractions x y).2 = fraction x.1 x.2 + fraction y.1 y.2.
Proof.
move=> x0 y0; split; first exact: Z.mul_pos_pos.
by rewrite /fraction /= IZRD !IZRM addf_div ?IZR_gt0_neq0.
Qed.

Definition above_0 (x : Z * Z) : bool := Z.ltb 0 x.2.

Lemma add_neighbours_sound n found s : (size s <= n)%N -> all above_0 found -> all above_0 s ->
  all above_0 (add_neighbours found s) /\
  total_of (add_neighbours found s) = total_of s + total_of found.
Proof.
rewrite /total_of; elim: n found s => [|n IH] found [|x [|y s]] //=.
- by move=> _ f0 _; rewrite big_nil add0r.
- by move=> _ f0 _; rewrite big_nil add0r.
- by move=> _ f0 /andP[x0 _]; rewrite x0 f0 /= !big_cons big_nil addr0.
rewrite ltnS => /ltnW h f0 /and3P[x0 y0 s0].
have [z0 e] := add_fractions_sound (proj1 (Z.ltb_lt _ _) x0) (proj1 (Z.ltb_lt _ _) y0).
have [|t0 t] := IH (add_fractions x y :: found) s h _ s0; first by rewrite /= f0 andbT; exact/Z.ltb_lt.
split=> //; rewrite t !big_cons e.
by rewrite addrA [X in X + _ = _]addrC !addrA.
Qed.

Lemma sum_in_rounds_sound r s : all above_0 s -> Z.lt 0 (sum_in_rounds r s).2 /\
  fraction (sum_in_rounds r s).1 (sum_in_rounds r s).2 = total_of s.
Proof.
elim: r s => [|? r IH] s s0 /=; last first.
  have [t0 e] := add_neighbours_sound (leqnn (size s)) (isT : all above_0 [::]) s0.
  have [u0 u] := IH _ t0; split=> //.
  by rewrite u e /total_of big_nil addr0.
rewrite /total_of; elim: s s0 => [_|x s IHs] /=; first by rewrite big_nil /fraction mul0r.
case/andP=> /Z.ltb_lt x0 /IHs[t0 e]; rewrite big_cons -e; exact: add_fractions_sound.
Qed.

Lemma sum_levels_sound (v : level -> Z * Z) ls : all (fun l => Z.ltb 0 (v l).2) ls ->
  Z.lt 0 (sum_levels v ls).2 /\
  fraction (sum_levels v ls).1 (sum_levels v ls).2 =
  \sum_(l <- ls) IZR (times l) * fraction (v l).1 (v l).2.
Proof.
move=> ok; rewrite /sum_levels; set s := [seq _ | _ <- _]; have [|s0 e] := @sum_in_rounds_sound s s.
  by rewrite all_map; apply: sub_all ok.
split=> //; rewrite [LHS]e /total_of big_map; apply: eq_bigr => l _.
by rewrite /fraction /= IZRM mulrA.
Qed.

Section Soundness.
Variables (f : effort) (m : mixed_subject).
Hypothesis ok : mixed_ok f m.

Lemma mixed_proper : proper (ledger_of (approximates m)).
Proof. by case/and3P: ok => h _ _; exact: ledger_proper h. Qed.

Let below_ok ls : all level_ok ls -> all (fun l => Z.ltb 0 (level_below l)) ls.
Proof. by apply: sub_all => l /and3P[]. Qed.

Lemma total_squareE : Z.lt 0 (total_square m).2 /\
  fraction (total_square m).1 (total_square m).2 =
  \sum_(l <- gaussians m) IZR (times l) * level_of l ^+ 2.
Proof.
case/and3P: ok => _ /below_ok g _; have [|h e] := @sum_levels_sound
  (fun l => ((level_above l * level_above l)%coqZ, (level_below l * level_below l)%coqZ)) (gaussians m).
  by apply: sub_all g => l /= /Z.ltb_lt b0; apply/Z.ltb_lt; exact: Z.mul_pos_pos.
split=> //; rewrite [LHS]e; apply: eq_bigr => l _.
by rewrite /level_of /fraction !IZRM expr2 mulf_div.
Qed.

Lemma total_concentratedE : Z.lt 0 (total_concentrated m).2 /\
  fraction (total_concentrated m).1 (total_concentrated m).2 =
  \sum_(l <- concentrates m) IZR (times l) * level_of l.
Proof. by case/and3P: ok => _ _ /below_ok c; exact: sum_levels_sound. Qed.

Lemma sum_levels_notions (F : notion -> R) n ls : all level_ok ls ->
  \sum_(x <- levels n ls) F x = \sum_(l <- ls) IZR (times l) * F (n (level_of l)).
Proof.
rewrite /levels; elim: ls => [|l ls IH] /=; first by rewrite !big_nil.
case/andP=> /and3P[/Z.leb_le t0 _ _] /IH e; rewrite big_cat big_cons e; congr (_ + _).
by rewrite big_nseq iter_addr addr0 IZR_to_nat // mulr_natl.
Qed.

(** Sums over all mechanisms, entry by entry. *)
Lemma sum_notions (F : notion -> R) : \sum_(n <- notions_of m) F n =
  \sum_(e <- entries (approximates m)) IZR (count e) *
    F (Approximate (real (approximates m) (epsilon e)) (fraction (above e) (below e))) +
  (\sum_(l <- gaussians m) IZR (times l) * F (Gaussian (level_of l)) +
   \sum_(l <- concentrates m) IZR (times l) * F (Concentrated (level_of l))).
Proof.
case/and3P: ok => s g c; rewrite /notions_of !big_cat /= !sum_levels_notions //; congr (_ + _).
rewrite /approximate big_map /ledger_of; elim: (entries_ok s) => [|e es [c0 _ _ _] _ IH] /=.
  by rewrite !big_nil.
rewrite big_cat big_cons /= IH; congr (_ + _).
by rewrite big_nseq iter_addr addr0 IZR_to_nat // mulr_natl.
Qed.
End Soundness.

Lemma mixed_keptE m : mixed_kept (notions_of m) = \prod_(q <- ledger_of (approximates m)) (1 - q.2).
Proof.
have levels1 n ls : (forall r, failure (n r) = 0) -> \prod_(x <- levels n ls) (1 - failure x) = 1.
  move=> n0; rewrite /levels big_flatten big_map big1 // => l _.
  by rewrite big_nseq iter_mulr_1 n0 subr0 expr1n.
by rewrite /mixed_kept /notions_of !big_cat /= !levels1 // !mulr1 /approximate big_map.
Qed.
