(** Leaves: the atoms of several groups of equal mechanisms (certs/SPEC.md, section 11.5).

    Equal mechanisms are a group; groups are gathered into leaves.  The atoms of a leaf are all
    choices of a number of untruthful answers for each of its groups ([atoms_of]).  Whatever is a
    sum over all answers one by one is one over the atoms of all leaves ([leaves_total]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Reals.
From ExactDP Require Import Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Local Arguments Z.mul : simpl never.
Local Arguments Z.sub : simpl never.
Local Arguments Z.of_nat : simpl never.
Local Arguments iota : simpl never.

Section Groups.
Notation total := (@total [realFieldType of R] [zmodType of Z] +%R 0).

(** The epsilon and the number of the mechanisms of a group, and an integer, the key of a truthful
    answer; an untruthful one has the opposite key. *)
Definition group := (R * nat * Z)%type.
Definition truthful (x : R) := exp x / (1 + exp x).
Definition untruthful (x : R) := 1 / (1 + exp x).

(** j untruthful answers. *)
Definition group_atom (g : group) (j : nat) : R * R * Z :=
  let: (x, c, m) := g in
  ('C(c, j)%:R * (truthful x ^+ (c - j) * untruthful x ^+ j),
   'C(c, j)%:R * (truthful x ^+ j * untruthful x ^+ (c - j)), ((Z.of_nat c - 2 * Z.of_nat j) * m)%coqZ).
Definition group_atoms (g : group) := [seq group_atom g j | j <- iota 0 g.1.2.+1].
Definition atoms_of (leaf : seq group) := merged +%R 0 [seq group_atoms g | g <- leaf].

Definition answers (g : group) := rr_atoms (exp g.1.1) g.2 (- g.2).
Definition responses (gs : seq group) := flatten [seq nseq g.1.2 (answers g) | g <- gs].

Lemma pascal (G : nat -> R) c :
  \sum_(j <- iota 0 c.+2) 'C(c.+1, j)%:R * G j =
  \sum_(j <- iota 0 c.+1) 'C(c, j)%:R * (G j + G j.+1).
Proof.
have iotaE n (H : nat -> R) : \sum_(j <- iota 0 n) H j = \sum_(j < n) H j.
  by rewrite -(big_mkord xpredT) /index_iota subn0.
rewrite !iotaE; under [RHS]eq_bigr do rewrite mulrDr.
rewrite big_split /= big_ord_recl bin0.
have -> : \sum_(i < c.+1) 'C(c.+1, lift ord0 i)%:R * G (lift ord0 i) =
    \sum_(i < c.+1) ('C(c, i.+1)%:R * G i.+1 + 'C(c, i)%:R * G i.+1).
  by apply: eq_bigr => i _; rewrite lift0 binS natrD mulrDl.
rewrite big_split /= addrA; congr (_ + _).
rewrite [in RHS]big_ord_recl bin0; congr (_ + _).
by rewrite big_ord_recr /= bin_small // mul0r addr0; apply: eq_bigr.
Qed.

Definition homogeneous (g : R -> R -> Z -> R) :=
  forall n p q s, g (n%:R * p) (n%:R * q) s = n%:R * g p q s.

Lemma group_total g (h : R -> R -> Z -> R) : homogeneous h ->
  total (nseq g.1.2 (answers g)) h = \sum_(a <- group_atoms g) h a.1.1 a.1.2 a.2.
Proof.
case: g => [[x c] m]; rewrite /group_atoms big_map /answers [(_, _).2]/= [(_, _).1.2]/= [(_, _).1.1]/=.
set t := truthful x; set l := untruthful x.
elim: c h => [|c IH] h H; first by rewrite big_seq1 /= bin0 !expr0 !mulr1.
rewrite [LHS]/= 2!big_cons big_nil addr0 -/t -/l.
have H' a b k : homogeneous (fun p q s => h (a * p) (b * q) (k + s)).
  by move=> n p q s; rewrite ![_ * (n%:R * _)]mulrCA H.
rewrite !IH // -/t -/l -big_split /=.
pose G j := h (t ^+ (c.+1 - j) * l ^+ j) (t ^+ j * l ^+ (c.+1 - j)) ((Z.of_nat c.+1 - 2 * Z.of_nat j) * m)%coqZ.
transitivity (\sum_(j <- iota 0 c.+2) 'C(c.+1, j)%:R * G j); last first.
  by apply: eq_bigr => j _; rewrite /G H.
rewrite pascal big_seq [RHS]big_seq; apply: eq_bigr => j; rewrite mem_iota add0n ltnS => jc.
rewrite /G mulrDr -!H !subSS subSn // !exprS.
rewrite -[exp x / _]/t -[1 / _]/l -[truthful x]/t -[untruthful x]/l.
have k1 : (m + (Z.of_nat c - 2 * Z.of_nat j) * m = (Z.of_nat c.+1 - 2 * Z.of_nat j) * m)%coqZ by lia.
have k2 : (- m + (Z.of_nat c - 2 * Z.of_nat j) * m = (Z.of_nat c.+1 - 2 * Z.of_nat j.+1) * m)%coqZ by lia.
congr (h _ _ _ + h _ _ _); [|
  by rewrite mulrCA [l * (_ * _)]mulrCA|exact: k1|
  by rewrite mulrCA [l * (_ * _)]mulrCA| |exact: k2]; by rewrite mulrCA -!mulrA.
Qed.

Lemma total_nseq_cat (l : seq (R * R * Z)) n ls h : total (nseq n l ++ ls) h =
  total (nseq n l) (fun p q s => total ls (fun p' q' s' => h (p * p') (q * q') (s + s'))).
Proof. exact: (total_cat (@addrA _) (@add0r _)). Qed.

(** All mechanisms one by one, or all leaves. *)
Lemma leaves_total (leaves : seq (seq group)) h : homogeneous h ->
  total [seq atoms_of leaf | leaf <- leaves] h = total (responses (flatten leaves)) h.
Proof.
rewrite /atoms_of (map_comp (merged +%R 0) (map group_atoms)) (total_merged (@addrA _) (@add0r _)).
rewrite -map_flatten; elim: (flatten leaves) h => [|g gs IH] h H //=.
rewrite /responses /= total_nseq_cat group_total.
  by apply: eq_bigr => a _; apply: IH => n p q s; rewrite ![_ * (n%:R * _)]mulrCA H.
move=> n p q s; rewrite -totalZ; apply: eq_total => p' q' s'.
by rewrite -!mulrA H.
Qed.

(** Outcomes do not depend on the order of mechanisms, nor on those with epsilon 0. *)
Lemma divergence_answers (l : seq (R * Z)) y : divergence [seq exp x.1 | x <- l] y =
  product_divergence +%R 0 [seq rr_atoms (exp x.1) x.2 (- x.2) | x <- l] y.
Proof.
have -> : [seq exp x.1 | x <- l] = [seq m.1 | m <- [seq (exp x.1, (x.2, - x.2)) | x <- l]].
  by rewrite -map_comp.
rewrite (@divergence_total _ _ +%R 0); first by rewrite -map_comp.
by rewrite all_map; apply/allP => x _; exact: ltW (exp_gt0 _).
Qed.

Lemma divergence_without_zeros (eps : seq R) y :
  divergence [seq exp x | x <- eps & x != 0] y = divergence [seq exp x | x <- eps] y.
Proof.
have keys (l : seq R) : [seq exp x | x <- l] = [seq exp x.1 | x <- [seq (x, 0 : Z) | x <- l]].
  by rewrite -map_comp.
rewrite !keys !divergence_answers /product_divergence -!map_comp.
have : homogeneous (fun p q _ => pos (p - y * q)).
  by move=> n p q _; rewrite mulrCA -mulrBr posM ?ler0n.
elim: eps (fun p q (_ : Z) => pos (p - y * q)) => [|x eps IH] h H //=.
case: eqVneq => [->|_] /=; last first.
  by apply: eq_bigr => a _; apply: IH => n p q s; rewrite ![_ * (n%:R * _)]mulrCA H.
rewrite (IH h H) exp_0 big_cons big_cons big_nil addr0 /= oppr0.
rewrite -mulr2n -mulr_natl -totalZ; apply: eq_total => p q s.
by rewrite -H add0r !mulrA mulr1 (@divff _ (2%:R : R)) ?mul1r // pnatr_eq0.
Qed.

Lemma divergence_perm (eps eps' : seq R) y : perm_eq eps eps' ->
  divergence [seq exp x | x <- eps] y = divergence [seq exp x | x <- eps'] y.
Proof.
have keys (l : seq R) : [seq exp x | x <- l] = [seq exp x.1 | x <- [seq (x, 0 : Z) | x <- l]].
  by rewrite -map_comp.
move=> p; rewrite !keys !divergence_answers /product_divergence.
by apply: total_perm; [exact: addrA|exact: addrC|exact: add0r|do !apply: perm_map].
Qed.

Definition epsilons_of (gs : seq group) : seq R := flatten [seq nseq g.1.2 g.1.1 | g <- gs].

Theorem divergence_leaves (leaves : seq (seq group)) (eps : seq R) y :
  perm_eq [seq x <- epsilons_of (flatten leaves) | x != 0] [seq x <- eps | x != 0] ->
  divergence [seq exp x | x <- eps] y =
  product_divergence +%R 0 [seq atoms_of leaf | leaf <- leaves] y.
Proof.
move=> /divergence_perm p; rewrite -divergence_without_zeros -p divergence_without_zeros.
rewrite /product_divergence leaves_total; last first.
  by move=> n p' q _; rewrite mulrCA -mulrBr posM ?ler0n.
pose l := flatten [seq nseq g.1.2 (g.1.1, g.2) | g <- flatten leaves].
have -> : epsilons_of (flatten leaves) = [seq x.1 | x <- l].
  by rewrite /epsilons_of /l map_flatten -map_comp; congr flatten; apply: eq_map => g /=;
     rewrite map_nseq.
rewrite -map_comp (divergence_answers l) /product_divergence; congr total.
by rewrite /responses /l map_flatten -map_comp; congr flatten; apply: eq_map => g /=;
   rewrite map_nseq.
Qed.

Lemma group_atoms_ge0 g :
  all (fun x : R * R * Z => (0 <= x.1.1) && (0 <= x.1.2)) (group_atoms g).
Proof.
case: g => [[x c] m]; apply/allP => _ /mapP[j _ ->] /=.
have t0 : 0 <= truthful x by rewrite divr_ge0 ?(ltW (exp_gt0 _)) // addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
have l0 : 0 <= untruthful x by rewrite divr_ge0 ?ler01 // addr_ge0 ?ler01 ?(ltW (exp_gt0 _)).
by rewrite !mulr_ge0 ?exprn_ge0 ?ler0n.
Qed.

Lemma merged_ge0 (ls : seq (seq (R * R * Z))) : nonnegative ls ->
  all (fun x : R * R * Z => (0 <= x.1.1) && (0 <= x.1.2)) (merged +%R 0 ls).
Proof.
elim: ls => [|l ls IH] /=; first by rewrite ler01.
case/andP=> /allP L0 /IH/allP M0.
by apply/allP => _ /allpairsP[[x x'] /= [/L0/andP[? ?] /M0/andP[? ?] ->]]; rewrite !mulr_ge0.
Qed.

Lemma leaves_ge0 (leaves : seq (seq group)) : nonnegative [seq atoms_of leaf | leaf <- leaves].
Proof.
rewrite /nonnegative all_map; apply/allP => leaf _; apply: merged_ge0.
by rewrite /nonnegative all_map; apply/allP => g _; exact: group_atoms_ge0.
Qed.

Lemma leaves_sum (leaves : seq (seq group)) :
  total [seq atoms_of leaf | leaf <- leaves] (fun p _ _ => p) = 1.
Proof.
rewrite leaves_total // total_p big_seq big1 // => l /flattenP[_ /mapP[g _ ->]].
by rewrite mem_nseq => /andP[_ /eqP ->]; apply: rr_atoms_sum; exact: ltW (exp_gt0 _).
Qed.

(** The opposite answers of a leaf, and their keys. *)
Lemma group_opposite g : perm_eq (opposite (group_atoms g)) (group_atoms g).
Proof.
case: g => [[x c] m]; rewrite /group_atoms /opposite -map_comp.
set I := iota 0 c.+1.
have e : {in I, forall j, (fun a : R * R * Z => (a.1.2, a.1.1, - a.2)) (group_atom (x, c, m) j) =
    group_atom (x, c, m) (c - j)}.
  move=> j; rewrite mem_iota add0n ltnS => /= jc.
  have k : (- ((Z.of_nat c - 2 * Z.of_nat j) * m) = (Z.of_nat c - 2 * Z.of_nat (c - j)%N) * m)%coqZ.
    by rewrite Nat2Z.inj_sub; [lia|exact/ssrnat.leP].
  by congr (_, _, _); rewrite ?bin_sub ?subKn //; exact: k.
rewrite (proj1 (eq_in_map _ _ _) e).
rewrite [X in perm_eq X _](map_comp (group_atom (x, c, m)) (fun j => (c - j)%N)).
apply: perm_map; apply: uniq_perm; rewrite ?iota_uniq //.
  rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota !add0n !ltnS /= => ic jc h.
  by rewrite -(subKn ic) h subKn.
move=> i; rewrite mem_iota add0n ltnS leq0n andTb; apply/idP/idP => [/mapP[j _ ->]|ic]; first exact: leq_subr.
by apply/mapP; exists (c - i)%N; rewrite ?subKn // mem_iota add0n ltnS leq_subr.
Qed.

Lemma merged_opposite (ls : seq (seq (R * R * Z))) :
  opposite (merged +%R 0 ls) = merged +%R 0 [seq opposite l | l <- ls].
Proof.
elim: ls => [|l ls IH] /=; first by rewrite /opposite /= oppr0.
rewrite -IH /opposite map_allpairs allpairs_mapl allpairs_mapr.
by apply: eq_allpairs => x x'; rewrite opprD.
Qed.

Lemma perm_pairs (T T' U : eqType) (f : T -> T' -> U) s s' t t' : perm_eq s s' -> perm_eq t t' ->
  perm_eq [seq f x y | x <- s, y <- t] [seq f x y | x <- s', y <- t'].
Proof.
move=> ss' tt'; apply: (@perm_trans _ [seq f x y | x <- s, y <- t']).
  by elim: s {ss'} => //= x s IH; rewrite perm_cat // perm_map.
by apply: perm_flatten; exact: perm_map.
Qed.

Lemma leaf_opposite leaf : perm_eq (opposite (atoms_of leaf)) (atoms_of leaf).
Proof.
rewrite merged_opposite; elim: leaf => // g leaf IH.
exact: (perm_pairs _ (group_opposite g) IH).
Qed.
End Groups.
