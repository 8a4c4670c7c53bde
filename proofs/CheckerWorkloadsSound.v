(** Soundness of what the checks about workloads are made of (CheckerWorkloads.v): what [merged] and
    [coloured] accept of queries and classes is so for every row of the domain. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Logarithms Comparisons
  CheckerClosed Workloads RulesWorkloads CheckerWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Ranges, clauses and queries that no value satisfies together. *)
Lemma in_increasing from rs v : increasing from rs -> in_ranges v rs -> Z.lt from v.
Proof.
elim: rs from => //= r rs IH from /and3P[/Z.ltb_lt fr /Z.ltb_lt r12 h] /orP[/andP[/Z.leb_le rv _]|].
  by lia.
by move/(IH _ h); lia.
Qed.

Lemma meet_sound from from' rs ts v : increasing from rs -> increasing from' ts -> ~~ meet rs ts ->
  ~~ (in_ranges v rs && in_ranges v ts).
Proof.
elim: rs from ts from' => [//|r rs IH] from ts.
elim: ts => [|t ts IHt] from' W W'; first by rewrite andbF.
have /and3P[_ /Z.ltb_lt r12 Wr] := W; have /and3P[_ /Z.ltb_lt t12 Wt] := W'.
rewrite [meet _ _]/= negb_or => /andP[/negP apart].
have {}apart : ~ Z.lt (Z.max r.1 t.1) (Z.min r.2 t.2) by move/Z.ltb_lt.
have here (v' : Z) : Z.leb r.1 v' && Z.ltb v' r.2 -> Z.leb t.1 v' && Z.ltb v' t.2 -> False.
  by move=> /andP[/Z.leb_le ? /Z.ltb_lt ?] /andP[/Z.leb_le ? /Z.ltb_lt ?]; lia.
case: (Z.leb_spec r.2 t.2) => rt h; apply/negP => /andP[] /=;
  rewrite -/(in_ranges v rs) -/(in_ranges v ts).
  case/orP=> [rv|vrs].
    case/orP=> [|/(in_increasing Wt)]; first exact: here rv.
    by case/andP: rv => /Z.leb_le ? /Z.ltb_lt ?; lia.
  by move=> vts; have /negP := IH _ _ _ Wr W' h; apply; rewrite vrs.
move=> vrs /orP[tv|vts].
  move: vrs; case/orP=> [rv|/(in_increasing Wr)]; first exact: here rv tv.
  by case/andP: tv => /Z.leb_le ? /Z.ltb_lt ?; lia.
by have /negP := IHt _ W Wt h; apply; rewrite /= vrs.
Qed.

Lemma contradictory_sound cs x : contradictory cs -> ~~ satisfied cs x.
Proof. by case/hasP=> c ccs e; apply/allPn; exists c => //; case: c.2 e. Qed.

Definition increasing_clauses cs := all (fun c : clause => increasing (-1) c.2) cs.

Lemma disjoint_sound cs cs' x : increasing_clauses cs -> increasing_clauses cs' -> disjoint cs cs' ->
  ~~ (satisfied cs x && satisfied cs' x).
Proof.
move=> W W' /or3P[h|h|].
- by rewrite (negPf (contradictory_sound x h)).
- by rewrite (negPf (contradictory_sound x h)) andbF.
case/hasP=> c ccs /hasP[c' ccs'] /andP[/PeanoNat.Nat.eqb_eq e h].
have := meet_sound (nth Z0 x c.1) (allP W _ ccs) (allP W' _ ccs') h.
by apply: contra => /andP[/allP/(_ _ ccs) -> /allP/(_ _ ccs')]; rewrite -e.
Qed.

(** The ledger concluded for a row is that of the queries which the row satisfies, rearranged. *)
Lemma same_parameters s e e' : same e e' -> parameters_of s e = parameters_of s e'.
Proof.
case: e e' => [[c ks] a b n] [[c' ks'] a' b' n'] /and4P[/= /Z.eqb_eq -> h /Z.eqb_eq -> /Z.eqb_eq ->].
rewrite (_ : ks = ks') //.
by elim: ks ks' h => [|k ks IH] [|k' ks'] //= /andP[/Z.eqb_eq -> /IH ->].
Qed.

Section Merged.
Variables (A T : Type) (same : A -> A -> bool) (count : A -> Z) (g : A -> T).
Hypothesis same_g : forall a b, same a b -> g a = g b.

Lemma map_same e hits : all (same e) hits -> [seq g h | h <- hits] = nseq (size hits) (g e).
Proof. by elim: hits => //= h hits IH /andP[/same_g <- /IH ->]. Qed.

Lemma map_partition (a : pred A) ts :
  Permutation [seq g t | t <- ts] ([seq g t | t <- ts & a t] ++ [seq g t | t <- ts & ~~ a t]).
Proof.
elim: ts => [|t ts IH] /=; first exact: Permutation_refl.
case: (a t) => /=; first exact: perm_skip.
by apply: Permutation_cons_app.
Qed.

Lemma merged_sound es hits : merged same count es hits ->
  Permutation [seq g h | h <- hits] (flatten [seq nseq (Z.to_nat (count e)) (g e) | e <- es]).
Proof.
elim: es hits => [|e es IH] hits /=; first by case: hits => // _; exact: Permutation_refl.
case/andP=> /Z.eqb_eq -> /IH h; rewrite Nat2Z.id -(map_same (filter_all _ _)).
exact: Permutation_trans (map_partition (same e) hits) (Permutation_app_head _ h).
Qed.
End Merged.

Lemma permutation_perm (T : eqType) (s t : seq T) : Permutation s t -> perm_eq s t.
Proof.
elim=> {s t} [|x s t _|x y s|s t u _ st _ tu] //; first by rewrite perm_cons.
  by rewrite -[y :: _]/([:: y] ++ [:: x] ++ s) perm_catCA.
exact: perm_trans tu.
Qed.

(** What a colouring has to have for [rule_parallel_colouring]. *)
Section Coloured.
Variables (A : Type) (a0 : A) (at_least : A -> A -> bool) (greatest : seq A) (w : workload A).
Variable colours : seq nat.
Hypothesis ok : coloured at_least greatest w colours.
Let colour i := nth 0%N colours i.

Let pair_at i : (i < size (queries w))%N ->
  nth (Query a0 [::], 0%N) (zip (queries w) colours) i = (query_at a0 w i, colour i).
Proof. by case/and4P: ok => /PeanoNat.Nat.eqb_eq e _ _ _ _; rewrite nth_zip. Qed.

Let size_pairs : size (zip (queries w) colours) = size (queries w).
Proof. by case/and4P: ok => /PeanoNat.Nat.eqb_eq e _ _ _; rewrite size1_zip // e. Qed.

Lemma coloured_disjoint : {in numbers w &, forall i j, i != j -> colour i = colour j ->
  forall x, ~~ (satisfied_at a0 w i x && satisfied_at a0 w j x)}.
Proof.
have /and4P[_ W _ /(pairwiseP (Query a0 [::], 0%N)) P] := ok.
have inc k : (k < size (queries w))%N -> increasing_clauses (clauses (query_at a0 w k)).
  exact: (all_nthP (Query a0 [::]) W).
have wlog_lt i j x : (i < j)%N -> (j < size (queries w))%N -> colour i = colour j ->
    ~~ (satisfied_at a0 w i x && satisfied_at a0 w j x).
  move=> ij jn e; have im := ltn_trans ij jn.
  have := P i j; rewrite !inE size_pairs => /(_ im jn ij); rewrite !pair_at //= e PeanoNat.Nat.eqb_refl /=.
  by apply: disjoint_sound; exact: inc.
move=> i j; rewrite !mem_iota !add0n /= => im jm.
rewrite neq_ltn => /orP[ij|ji] e x; first exact: wlog_lt.
by rewrite andbC; apply: wlog_lt.
Qed.

Lemma coloured_greatest : {in numbers w, forall i x, satisfied_at a0 w i x ->
  colour i \in iota 0 (size greatest) /\
  at_least (nth a0 greatest (colour i)) (privacy (query_at a0 w i))}.
Proof.
have /and4P[_ _ /(all_nthP (Query a0 [::], 0%N)) P _] := ok.
move=> i; rewrite !mem_iota !add0n /= => im x h.
have := P i; rewrite size_pairs => /(_ im); rewrite pair_at //=.
case/orP=> [/(contradictory_sound (val x))|]; first by rewrite -/(satisfied_at a0 w i x) h.
case: (ltnP (colour i) (size greatest)) => [lt|ge]; last by rewrite drop_oversize.
by rewrite (drop_nth a0).
Qed.
End Coloured.

Lemma parameters_numbered (A T : Type) (a0 : A) (w : workload A) (g : A -> T) (p : pred (seq clause)) :
  [seq g (privacy (query_at a0 w i)) | i <- numbers w & p (clauses (query_at a0 w i))] =
  [seq g (privacy q) | q <- queries w & p (clauses q)].
Proof.
rewrite -[in RHS](mkseq_nth (Query a0 [::]) (queries w)) filter_map -map_comp; congr map.
Qed.

Lemma common_divisor_divides x : Z.divide (common_divisor x) x.1 /\
  List.Forall (Z.divide (common_divisor x)) x.2.
Proof.
case: x => c ks; rewrite /common_divisor /=; elim: ks => [|k ks [hc hs]] /=.
  by split; [exact: Z.divide_refl|constructor].
have up a : Z.divide (foldr Z.gcd c ks) a -> Z.divide (Z.gcd k (foldr Z.gcd c ks)) a.
  by apply: Z.divide_trans; exact: Z.gcd_divide_r.
split; [exact: up|constructor; [exact: Z.gcd_divide_l|]].
exact: List.Forall_impl hs.
Qed.

Lemma divided_value rs g x : Z.lt 0 g -> Z.divide g x.1 -> List.Forall (Z.divide g) x.2 ->
  value rs x = IZR g * value rs (divided g x).
Proof.
move=> g0; have e a : Z.divide g a -> (g * (a / g))%coqZ = a.
  by case=> q ->; rewrite Z.div_mul; [exact: Z.mul_comm|lia].
case: x => c ks /= hc hs; rewrite -value_scale /cscale /= (e _ hc); congr (value _ (_, _)).
by elim: hs => //= k ks' /e -> _ <-.
Qed.

Lemma not_less_sound f s x y : Z.le 0 (bits f) -> all quotient_ok (quotients s) ->
  not_less f s (enclosures (bits f) (terms f) (quotients s)) x y ->
  value (quotients s) y <= value (quotients s) x.
Proof.
move=> bits0 qok; rewrite /not_less -subr_ge0 -value_sub.
case: (Z.leb_spec (common_divisor (csub x y)) 1) => [_|g1] /(nonneg_sound bits0 qok) //.
have [hc hs] := common_divisor_divides (csub x y).
have g0 : Z.lt 0 (common_divisor (csub x y)) by exact: Z.lt_trans g1.
rewrite (divided_value _ g0 hc hs) => h.
by rewrite mulr_ge0 // (IZR_le_iff Z0); apply/Z.leb_le/Z.lt_le_incl.
Qed.

Lemma at_least_sound f s e e' : subject_ok f s ->
  at_least f s (enclosures (bits f) (terms f) (quotients s)) e e' ->
  (parameters_of s e').1 <= (parameters_of s e).1 /\ (parameters_of s e').2 <= (parameters_of s e).2.
Proof.
case/and4P=> /Z.leb_le bits0 D0 qok _ /and4P[x b0 b1 d]; split=> /=.
  rewrite ler_pmul2r ?invr_gt0 ?(IZR_lt_iff Z0) //; exact: not_less_sound x.
rewrite /fraction ler_pdivr_mulr ?(IZR_lt_iff Z0) // mulrAC ler_pdivl_mulr ?(IZR_lt_iff Z0) //.
by rewrite -!IZRM IZR_le_iff.
Qed.
