(** Sums over subsets: products of binomials, Lemma 5.1, and the counts N(s).

    Lemma 5.1 of the paper computes  sum over {S : sum_{i in S} a_i <= B} of prod_{i in S} w_i
    by dynamic programming.  Here the recursion [dp] on a list is compared with the sum over all
    subsets, over any commutative ring; the link between both is the generating polynomial
    prod_i (1 + w_i X^{a_i}), whose coefficients are the counts that the engine computes. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ProductsOfBinomials.
Variables (R : comRingType) (I : finType).

Lemma prod_addE (F G : I -> R) :
  \prod_i (F i + G i) = \sum_(S : {set I}) \prod_i (if i \in S then F i else G i).
Proof.
transitivity (\prod_i \sum_(b : bool) (if b then F i else G i)).
  by apply: eq_bigr => i _; rewrite big_bool.
rewrite bigA_distr_bigA (reindex_onto (fun S : {set I} => [ffun i => i \in S])
  (fun f => [set i | f i])) /=; last by move=> f _; apply/ffunP => i; rewrite ffunE inE.
apply: eq_big => [S|S _]; last by apply: eq_bigr => i _; rewrite ffunE.
by apply/eqP/setP => i; rewrite inE ffunE.
Qed.

Lemma prod_split (S : {set I}) (F G : I -> R) :
  \prod_i (if i \in S then F i else G i) =
  (\prod_(i in S) F i) * (\prod_(i in ~: S) G i).
Proof.
rewrite (bigID (mem S)) /=; congr (_ * _).
  by apply: eq_bigr => i ->.
by apply: eq_big => [i|i /negbTE ->]; rewrite ?inE.
Qed.

Lemma prod_add_set (F G : I -> R) :
  \prod_i (F i + G i) =
  \sum_(S : {set I}) (\prod_(i in S) F i) * (\prod_(i in ~: S) G i).
Proof. by rewrite prod_addE; apply: eq_bigr => S _; exact: prod_split. Qed.

Lemma prod_1add_set (F : I -> R) :
  \prod_i (1 + F i) = \sum_(S : {set I}) \prod_(i in S) F i.
Proof.
under eq_bigr do rewrite addrC.
by rewrite prod_add_set; apply: eq_bigr => S _; rewrite [X in _ * X]big1 ?mulr1.
Qed.
End ProductsOfBinomials.

Section DynamicProgramme.
Variable R : comRingType.

(** The paper's recursion: F(r, B) = F(r - 1, B) + [a_r <= B] w_r F(r - 1, B - a_r). *)
Fixpoint dp (l : seq (nat * R)) (B : nat) : R :=
  if l is (a, w) :: l' then
    dp l' B + (if (a <= B)%N then w * dp l' (B - a)%N else 0)
  else 1.

(** What it computes. *)
Definition subset_weight (I : finType) (a : I -> nat) (w : I -> R) (B : nat) : R :=
  \sum_(S : {set I} | (\sum_(i in S) a i <= B)%N) \prod_(i in S) w i.

Definition generating (I : finType) (a : I -> nat) (w : I -> R) : {poly R} :=
  \prod_i (1 + (w i)%:P * 'X^(a i)).

Lemma prod_monomials (I : finType) (S : {set I}) (a : I -> nat) (w : I -> R) :
  \prod_(i in S) ((w i)%:P * 'X^(a i)) =
  (\prod_(i in S) w i)%:P * 'X^(\sum_(i in S) a i)%N :> {poly R}.
Proof. by rewrite big_split /= prodrXr rmorph_prod. Qed.

(** Each coefficient weighs the subsets with exactly that sum. *)
Lemma coef_generating (I : finType) (a : I -> nat) (w : I -> R) s :
  (generating a w)`_s =
  \sum_(S : {set I} | (\sum_(i in S) a i == s)%N) \prod_(i in S) w i.
Proof.
have -> : generating a w =
    \sum_(S : {set I}) (\prod_(i in S) w i)%:P * 'X^(\sum_(i in S) a i)%N.
  by rewrite /generating prod_1add_set; apply: eq_bigr => S _; rewrite prod_monomials.
rewrite coef_sum [RHS]big_mkcond /=; apply: eq_bigr => S _.
by rewrite coefCM coefXn eq_sym; case: eqP => _; rewrite ?mulr1 ?mulr0.
Qed.

Lemma subset_weightE (I : finType) (a : I -> nat) (w : I -> R) B :
  subset_weight a w B = \sum_(s < B.+1) (generating a w)`_s.
Proof.
rewrite /subset_weight.
rewrite (partition_big (fun S : {set I} => inord (\sum_(i in S) a i) : 'I_B.+1)
  xpredT) //=; apply: eq_bigr => s _; rewrite coef_generating; apply: eq_bigl => S.
case: leqP => [le|gt] /=; first by rewrite -val_eqE /= inordK.
by apply/esym/negbTE; apply: contraTN gt => /eqP ->; rewrite -leqNgt -ltnS.
Qed.

Lemma dp_prefix l B :
  dp l B = \sum_(s < B.+1) (\prod_(p <- l) (1 + p.2%:P * 'X^p.1))`_s.
Proof.
elim: l B => [|[a w] l IH] B.
  rewrite big_nil big_ord_recl coef1 big1 ?addr0 //= => i _.
  by rewrite coef1.
rewrite big_cons /= IH mulrDl mul1r.
under [RHS]eq_bigr do rewrite coefD.
rewrite big_split /=; congr (_ + _).
under [RHS]eq_bigr do rewrite -mulrA coefCM coefXnM.
rewrite -mulr_sumr; case: leqP => [le|gt]; last first.
  rewrite big1 ?mulr0 // => i _.
  by rewrite (leq_trans (ltn_ord i)).
rewrite IH; congr (_ * _).
rewrite -[B.+1](_ : (a + (B - a).+1)%N = _); last by rewrite addnS subnKC.
rewrite [RHS]big_split_ord /= [X in X + _]big1 ?add0r => [|i _]; last by rewrite /= ltn_ord.
by apply: eq_bigr => i _; rewrite ltnNge leq_addr /= addKn.
Qed.

(** Lemma 5.1. *)
Theorem lemma_5_1 k (a : 'I_k -> nat) (w : 'I_k -> R) B :
  dp [seq (a i, w i) | i <- enum 'I_k] B = subset_weight a w B.
Proof.
rewrite dp_prefix subset_weightE; apply: eq_bigr => s _.
by rewrite big_map big_enum.
Qed.

(** The order of the mechanisms does not matter. *)
Theorem dp_perm l1 l2 B : perm_eq l1 l2 -> dp l1 B = dp l2 B.
Proof. by move=> p; rewrite !dp_prefix (perm_big _ p). Qed.
End DynamicProgramme.

Section Counts.
Variables (R : comRingType) (I : finType) (a : I -> nat).

(** N(s), the number of subsets T with sum_{i in T} a_i = s, is a coefficient of
    prod_i (1 + X^{a_i}). *)
Definition counts (s : nat) : nat := #|[set S : {set I} | (\sum_(i in S) a i == s)%N]|.

Lemma counts_coef s : (counts s)%:R = (\prod_i (1 + 'X^(a i)) : {poly R})`_s.
Proof.
have -> : \prod_i (1 + 'X^(a i)) = generating a (fun=> 1 : R) :> {poly R}.
  by apply: eq_bigr => i _; rewrite mul1r.
rewrite coef_generating; under eq_bigr do rewrite big1 //.
by rewrite sumr_const /counts cardsE.
Qed.

Lemma sum_setC (S : {set I}) : (\sum_(i in S) a i + \sum_(i in ~: S) a i = \sum_i a i)%N.
Proof.
rewrite [RHS](bigID (mem S)) /=; congr addn.
by apply: eq_bigl => i; rewrite inE.
Qed.

Lemma subset_sum_le (S : {set I}) : (\sum_(i in S) a i <= \sum_i a i)%N.
Proof. by rewrite -(sum_setC S) leq_addr. Qed.
End Counts.
