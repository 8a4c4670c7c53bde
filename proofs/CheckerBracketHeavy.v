(** The verified checker: the atoms that the program lists are those of some weight. *)
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From ExactDP Require Import Comparisons CheckerClosed Tables CheckerGrid CheckerBracket.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Delimit Scope Z_scope with coqZ.
Local Arguments heavy : simpl never.

Lemma flat_without_zeros o t : flat (without_zeros o t) = flat (o, t).
Proof.
elim: t o => [|x t IH] o //=; case: Z.eqb_spec => // ->; rewrite IH.
by rewrite /flat /= -[LHS]/(Z0 :: ncons o Z0 t); elim: o => //= o <-.
Qed.

Lemma nth_without_last_zeros t n : nth Z0 (without_last_zeros t) n = nth Z0 t n.
Proof.
rewrite /without_last_zeros; have := flat_without_zeros O (rev t).
case: (without_zeros _ _) => o t' e; have {}e : ncons o Z0 t' = rev t := e.
rewrite -[t in RHS]revK -e -cat_nseq rev_cat rev_nseq.
rewrite nth_cat; case: ltnP => // h; rewrite nth_default // nth_nseq.
by case: ifP.
Qed.

Section Heavy.
Variables (x : combination) (k : Z).

Lemma heavy_cons a l : heavy (a :: l) = if Z.eqb a.1.1 0 then heavy l else a :: heavy l.
Proof. by rewrite /heavy /=; case: Z.eqb. Qed.

Lemma eq_choices m n t t' : (forall j, nth Z0 t j = nth Z0 t' j) -> choices x k m n t = choices x k m n t'.
Proof.
elim: n m t t' => [|n IH] m t t' h //=; rewrite -!nth0 h; congr (_ :: _).
by apply: IH => j; rewrite !nth_behead.
Qed.

Lemma heavy_skip m n o t :
  heavy (choices x k m n (ncons o Z0 t)) = heavy (choices x k (m - 2 * Z.of_nat o) (n - o) t).
Proof.
elim: o m n => [|o IH] m n; first by rewrite subn0 Z.sub_0_r.
case: n => [|n]; first by rewrite sub0n.
rewrite subSS -[choices _ _ _ _ _]/((Z0, cscale m x, (m * k)%coqZ) :: choices x k (m - 2) n (ncons o Z0 t)).
rewrite heavy_cons /= IH; congr (heavy (choices _ _ _ _ _)); lia.
Qed.

Lemma heavy_stop m n t : heavy (choices x k m n t) = heavy (choices x k m (minn (size t) n) t).
Proof.
elim: n m t => [|n IH] m t; first by rewrite minn0.
have next u : choices x k m n.+1 u =
    (head Z0 u, cscale m x, (m * k)%coqZ) :: choices x k (m - 2) n (behead u) by [].
case: t => [|y t]; rewrite next heavy_cons IH; first by rewrite !min0n.
rewrite [size _]/= minnSS -[choices _ _ _ _.+1 _]/((y, cscale m x, (m * k)%coqZ) :: choices x k (m - 2) _ t).
by rewrite heavy_cons.
Qed.
End Heavy.

Section Atoms.
Variables (f : effort) (s : subject) (p : gathering) (logs : seq (Z * Z)).

Lemma minE a b : Nat.min a b = minn a b.
Proof. by elim: a b => [|a IH] [|b] //=; rewrite ?min0n ?minn0 // IH minnSS. Qed.

Lemma heavy_choicesE g : heavy_choices f s p logs g = heavy (group_choices f s p logs g).
Proof.
rewrite /heavy_choices /group_choices; case: (group_block _ _ _ _ _) => o t.
rewrite lengthE minE minusE -heavy_stop heavy_skip; congr heavy; apply: eq_choices => j.
by rewrite nth_without_last_zeros.
Qed.

Lemma heavy_pairs l l' :
  heavy [seq times p a a' | a <- heavy l, a' <- heavy l'] = heavy [seq times p a a' | a <- l, a' <- l'].
Proof.
have right a : heavy [seq times p a a' | a' <- heavy l'] = heavy [seq times p a a' | a' <- l'].
  elim: l' => //= a' l' IH; rewrite !heavy_cons /= -IH.
  by case: Z.eqb_spec => [->|_]; rewrite ?Z.mul_0_r ?heavy_cons.
elim: l => //= a l IH; rewrite /heavy filter_cat -!/(heavy _) -IH heavy_cons.
case: Z.eqb_spec => [zero|_] /=; last by rewrite /heavy filter_cat -!/(heavy _) right.
suff -> : heavy [seq times p a a' | a' <- l'] = [::] by [].
by elim: l' {IH right} => //= a' l' IH; rewrite heavy_cons /= zero.
Qed.

Lemma heavy_atomsE leaf : Z.lt 0 (leaf_scale p) ->
  heavy_atoms f s p logs leaf = heavy (leaf_atoms f s p logs leaf).
Proof.
move=> S0; elim: leaf => [|g leaf IH] /=; last by rewrite IH heavy_choicesE heavy_pairs.
by rewrite heavy_cons /=; case: (Z.eqb_spec (leaf_scale p) 0) S0 => // ->.
Qed.

Lemma split_heavy below u v l : flatten [seq split_cells f s logs below u v a | a <- heavy l] =
  flatten [seq split_cells f s logs below u v a | a <- l].
Proof.
elim: l => //= a l IH; rewrite heavy_cons; case e: (Z.eqb a.1.1 0) => /=; last by rewrite IH.
by rewrite IH {2}/split_cells e.
Qed.
End Atoms.
