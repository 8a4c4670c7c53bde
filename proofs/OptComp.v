(** Theorem 1.5: optimal composition, and its monotonicity.

    For parameters (E_i, delta_i), E_i = e^{epsilon_i}, and y = e^{epsilon_g}, every adaptive
    composition is (epsilon_g, delta_g)-DP if and only if

      D(y) = prod (1 + E_i)^-1 * sum_S max(prod_{i in S} E_i - y prod_{i not in S} E_i, 0)
           <= 1 - (1 - delta_g) / prod (1 - delta_i)  =: Delta.

    The paper indexes mechanisms by [k] and sums over subsets ([theorem_1_5]); certificates hold
    lists of parameters ([composition_dp_iff]).  Both forms of D agree ([subset_sum_sets]).
    Epsilon does not occur: statements about e^epsilon in the real numbers are in Reals.v. *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Lists.
Variable R : realFieldType.
Implicit Types (l : seq (R * R)) (Es : seq R) (y d : R).

(** The probability that no mechanism reveals its input. *)
Definition kept l : R := \prod_(p <- l) (1 - p.2).

(** delta(epsilon) of the whole composition: its privacy profile. *)
Definition profile l y : R := 1 - kept l + kept l * divergence [seq p.1 | p <- l] y.

(** Delta, what is left of delta_g for the composed randomized responses. *)
Definition Delta l d : R := 1 - (1 - d) / kept l.

Lemma kept_ge0 l : all (@admissible R) l -> 0 <= kept l.
Proof.
rewrite /kept => /allP W; rewrite big_seq; apply: prodr_ge0 => p /W.
by case/and3P => _ _; rewrite subr_ge0.
Qed.

Lemma composed_profile l y : all (@admissible R) l -> 0 <= y -> composed l 1 y = profile l y.
Proof.
move=> W y0; rewrite composed_closed ?ler01 // mul1r /profile /divergence.
by congr (_ + _ * (_^-1 * _)); rewrite [RHS]big_map.
Qed.

Lemma composition_dp_profile l y d : all (@admissible R) l -> 0 <= y ->
  composition_dp l y d <-> profile l y <= d.
Proof.
move=> W y0; rewrite -composed_profile //; split=> [H|H Y P Q C].
  have [Y [P [Q [C <-]]]] := composition_attained W.
  by apply/events_hockey_stick; case: (H Y P Q C).
split; apply/events_hockey_stick; apply: le_trans H.
  by apply: composition_dominated; rewrite ?ler01.
by apply: composition_dominated; rewrite ?ler01 //; exact: composition_sym.
Qed.

Lemma composition_not_dp_profile l y d : all (@admissible R) l -> 0 <= y ->
  d < profile l y -> composition_not_dp l y d.
Proof.
move=> W y0; rewrite -composed_profile // => H.
have [Y [P [Q [C e]]]] := composition_attained W.
exists Y, P, Q; split=> // [[/events_hockey_stick + _]].
by rewrite e leNgt H.
Qed.

Lemma profile_Delta l y d : 0 < kept l ->
  (profile l y <= d) = (divergence [seq p.1 | p <- l] y <= Delta l d).
Proof.
rewrite /profile /Delta; set D := kept l; set L := divergence _ y => D0.
rewrite -[RHS](ler_pmul2l D0); have D0' : D != 0 by rewrite gt_eqF.
have -> : D * (1 - (1 - d) / D) = D - (1 - d) by field.
rewrite -[RHS](ler_add2l (1 - D)).
by congr (_ <= _); ring.
Qed.

(** Theorem 1.5 for lists of parameters, both directions. *)
Theorem composition_dp_iff l y d : all (@admissible R) l -> 0 <= y -> 0 < kept l ->
  composition_dp l y d <-> divergence [seq p.1 | p <- l] y <= Delta l d.
Proof. by move=> W y0 k0; rewrite -profile_Delta //; exact: composition_dp_profile. Qed.

Theorem composition_not_dp_iff l y d : all (@admissible R) l -> 0 <= y -> 0 < kept l ->
  composition_not_dp l y d <-> Delta l d < divergence [seq p.1 | p <- l] y.
Proof.
move=> W y0 k0; rewrite ltNge -profile_Delta //; split=> [[Y [P [Q [C n]]]]|n].
  by apply/negP => /(composition_dp_profile _ W y0)/(_ Y P Q C).
by apply: composition_not_dp_profile; rewrite // ltNge.
Qed.

(** D is a probability: nonnegative, at most 1, and it falls as y rises. *)
Lemma subset_sum_ge0 Es a b : 0 <= subset_sum Es a b.
Proof.
by elim: Es a b => [|E Es IH] a b /=; rewrite ?pos_ge0 // addr_ge0.
Qed.

Lemma subset_sum_antitone Es a b b' : all (fun E => 0 <= E) Es -> b <= b' ->
  subset_sum Es a b' <= subset_sum Es a b.
Proof.
elim: Es a b b' => [|E Es IH] a b b' /=.
  by move=> _ bb; apply: le2_pos; rewrite ler_add2l ler_opp2.
by case/andP=> E0 W bb; rewrite ler_add ?IH // ler_wpmul2r.
Qed.

Lemma prod_1add_gt0 Es : all (fun E : R => 0 <= E) Es -> 0 < \prod_(E <- Es) (1 + E).
Proof.
move=> /allP W; rewrite big_seq; apply: prodr_gt0 => E /W E0.
by rewrite ltr_spaddl ?ltr01.
Qed.

Theorem divergence_antitone Es y y' : all (fun E => 0 <= E) Es -> y <= y' ->
  divergence Es y' <= divergence Es y.
Proof.
move=> W yy; apply: ler_wpmul2l; last exact: subset_sum_antitone.
by rewrite invr_ge0 ltW // prod_1add_gt0.
Qed.

Lemma divergence_ge0 Es y : all (fun E => 0 <= E) Es -> 0 <= divergence Es y.
Proof. by move=> W; rewrite mulr_ge0 ?subset_sum_ge0 // invr_ge0 ltW // prod_1add_gt0. Qed.

Lemma subset_sum_le_prod Es a b : all (fun E => 0 <= E) Es -> 0 <= a -> 0 <= b ->
  subset_sum Es a b <= a * \prod_(E <- Es) (1 + E).
Proof.
elim: Es a b => [|E Es IH] a b /=.
  by move=> _ a0 b0; rewrite big_nil mulr1 pos_le // ler_subl_addr ler_addl.
case/andP=> E0 W a0 b0; rewrite big_cons.
apply: le_trans (ler_add (IH _ _ W (mulr_ge0 a0 E0) b0) (IH _ _ W a0 (mulr_ge0 b0 E0))) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by set X := \prod_(E <- Es) _; ring.
Qed.

Lemma divergence_le1 Es y : all (fun E => 0 <= E) Es -> 0 <= y -> divergence Es y <= 1.
Proof.
move=> W y0; have P0 := prod_1add_gt0 W.
by rewrite /divergence mulrC ler_pdivr_mulr // subset_sum_le_prod ?ler01.
Qed.

(** Parameters rounded up: the profile does not fall. *)
Theorem profile_mono l l' y : 0 <= y -> all (@admissible R) l -> all (@admissible R) l' ->
  all2 (fun p p' => (p.1 <= p'.1) && (p.2 <= p'.2)) l l' -> profile l y <= profile l' y.
Proof.
move=> y0 W W' ll; rewrite -!composed_profile //.
have [Y [P [Q [C <-]]]] := composition_attained_below W ll.
by apply: composition_dominated; rewrite ?ler01.
Qed.

Corollary divergence_mono Es Es' y : 0 <= y -> all (fun E => 1 <= E) Es ->
  all2 (fun E E' => E <= E') Es Es' -> divergence Es y <= divergence Es' y.
Proof.
move=> y0 W EE.
pose l Es := [seq (E, 0 : R) | E <- Es].
have fst_l s : [seq p.1 | p <- l s] = s by rewrite -map_comp map_id.
have kept_l s : kept (l s) = 1 by rewrite /kept big_map big1 // => ? _; rewrite subr0.
have profile_l s : profile (l s) y = divergence s y.
  by rewrite /profile kept_l subrr add0r mul1r fst_l.
have adm s : all (fun E => 1 <= E) s -> all (@admissible R) (l s).
  by move=> h; rewrite all_map; apply: sub_all h => E E1; rewrite /= /admissible /= E1 lexx ler01.
have W' : all (fun E => 1 <= E) Es'.
  elim: Es Es' W EE => [|E Es IH] [|E' Es'] //= /andP[E1 W] /andP[EE h].
  by rewrite (le_trans E1 EE) (IH _ W).
rewrite -!profile_l; apply: profile_mono; rewrite ?adm //.
by elim: Es Es' {W W'} EE => [|E Es IH] [|E' Es'] //= /andP[-> /IH ->]; rewrite lexx.
Qed.

(** If y is at least the product of all odds ratios (epsilon >= sum epsilon_i), D(y) is 0;
    below, it is positive.  Basic composition is the first half. *)
Lemma subset_sum_eq0 Es a b : all (fun E => 1 <= E) Es -> 0 <= a -> 0 <= b ->
  a * \prod_(E <- Es) E <= b -> subset_sum Es a b = 0.
Proof.
elim: Es a b => [|E Es IH] a b /=.
  by move=> _ _ _; rewrite big_nil mulr1 => ab; rewrite pos_0 // subr_le0.
case/andP=> E1 W a0 b0; rewrite big_cons => h.
have E0 : 0 <= E by apply: le_trans E1; exact: ler01.
rewrite !IH ?addr0 ?mulr_ge0 -?mulrA //.
have P0 : 0 <= \prod_(E <- Es) E.
  by rewrite big_seq prodr_ge0 // => e /(allP W) h1; apply: le_trans h1; exact: ler01.
apply: (@le_trans _ _ (a * (E * \prod_(E <- Es) E))).
  by rewrite ler_wpmul2l // ler_pemull.
by apply: le_trans h _; rewrite ler_pemulr.
Qed.

Lemma subset_sum_gt0 Es a b : b < a * \prod_(E <- Es) E -> 0 < subset_sum Es a b.
Proof.
elim: Es a b => [|E Es IH] a b /=.
  by rewrite big_nil mulr1 -subr_gt0 => h; apply: lt_le_trans (le_pos _).
rewrite big_cons => h; rewrite ltr_spaddl ?subset_sum_ge0 ?IH //.
by rewrite -mulrA.
Qed.

Lemma divergence_eq0 Es y : all (fun E => 1 <= E) Es -> 0 <= y ->
  \prod_(E <- Es) E <= y -> divergence Es y = 0.
Proof. by move=> W y0 h; rewrite /divergence subset_sum_eq0 ?mulr0 ?ler01 ?mul1r. Qed.

Lemma divergence_gt0 Es y : all (fun E => 0 <= E) Es ->
  y < \prod_(E <- Es) E -> 0 < divergence Es y.
Proof.
move=> W h; rewrite /divergence mulr_gt0 ?invr_gt0 ?prod_1add_gt0 //.
by apply: subset_sum_gt0; rewrite mul1r.
Qed.
End Lists.

(** The same with mechanisms indexed by [k], as the paper writes it. *)
Section Indexed.
Variables (R : realFieldType) (k : nat) (E d : 'I_k -> R).

Definition parameters := [seq (E i, d i) | i <- enum 'I_k].

Definition optcomp_sum (y : R) : R :=
  \sum_(S : {set 'I_k}) pos (\prod_(i in S) E i - y * \prod_(i in ~: S) E i).

Lemma subset_sum_bools n (F : 'I_n -> R) a b :
  subset_sum [seq F i | i <- enum 'I_n] a b =
  \sum_(f : {ffun 'I_n -> bool})
    pos (a * \prod_i (if f i then F i else 1) - b * \prod_i (if f i then 1 else F i)).
Proof.
elim: n F a b => [|n IH] F a b.
  under eq_bigr do rewrite !big_ord0 !mulr1.
  rewrite sumr_const card_ffun card_ord expn0 mulr1n.
  by case: (enum 'I_0) (size_enum_ord 0).
pose h (p : bool * {ffun 'I_n -> bool}) : {ffun 'I_n.+1 -> bool} :=
  [ffun i => if unlift ord0 i is Some j then p.2 j else p.1].
pose h' (f : {ffun 'I_n.+1 -> bool}) := (f ord0, [ffun j => f (lift ord0 j)]).
rewrite [RHS](reindex h) /=; last first.
  exists h' => [[y f] _|f _]; rewrite /h /h' /=.
    rewrite ffunE unlift_none; congr pair; apply/ffunP => j.
    by rewrite !ffunE liftK.
  apply/ffunP => i; rewrite ffunE; case: unliftP => [j ->|->] //.
  by rewrite ffunE.
transitivity (\sum_(c : bool) \sum_(f : {ffun 'I_n -> bool})
   pos (a * \prod_i (if h (c, f) i then F i else 1)
        - b * \prod_i (if h (c, f) i then 1 else F i))); last first.
  by rewrite pair_bigA; apply: eq_bigr => [[c f]] _.
rewrite big_bool enum_ordSl /= -map_comp; congr (_ + _); rewrite IH; apply: eq_bigr => f _;
  rewrite !big_ord_recl /h !ffunE unlift_none ?mulr1 ?mul1r !mulrA;
  by congr (pos (_ * _ - _ * _)); apply: eq_bigr => j _; rewrite ffunE liftK.
Qed.

Lemma subset_sum_sets y : subset_sum [seq E i | i <- enum 'I_k] 1 y = optcomp_sum y.
Proof.
rewrite subset_sum_bools /optcomp_sum.
rewrite (reindex_onto (fun S : {set 'I_k} => [ffun i => i \in S])
  (fun f => [set i | f i])) /=; last by move=> f _; apply/ffunP => i; rewrite ffunE inE.
apply: eq_big => [S|S _]; first by apply/eqP/setP => i; rewrite inE ffunE.
rewrite mul1r; congr (pos (_ - _ * _)).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => i _; rewrite ffunE.
by rewrite [RHS]big_mkcond; apply: eq_bigr => i _; rewrite ffunE inE; case: (i \in S).
Qed.

Lemma fst_parameters : [seq p.1 | p <- parameters] = [seq E i | i <- enum 'I_k].
Proof. by rewrite -map_comp. Qed.

Lemma divergence_sets y :
  divergence [seq p.1 | p <- parameters] y = (\prod_i (1 + E i))^-1 * optcomp_sum y.
Proof. by rewrite fst_parameters /divergence subset_sum_sets big_map big_enum. Qed.

Hypotheses (E1 : forall i, 1 <= E i) (d0 : forall i, 0 <= d i) (d1 : forall i, d i < 1).

Lemma parameters_admissible : all (@admissible R) parameters.
Proof. by apply/allP => p /mapP[i _ ->]; rewrite /admissible /= E1 d0 ltW. Qed.

(** Theorem 1.5 of the paper, as an equivalence for each y = e^{epsilon_g}. *)
Theorem theorem_1_5 y dg : 0 <= y ->
  composition_dp parameters y dg <->
  (\prod_i (1 + E i))^-1 * optcomp_sum y <= 1 - (1 - dg) / \prod_i (1 - d i).
Proof.
move=> y0.
have kE : kept parameters = \prod_i (1 - d i) by rewrite /kept big_map big_enum.
have k0 : 0 < kept parameters by rewrite kE prodr_gt0 // => i _; rewrite subr_gt0.
rewrite -divergence_sets -kE; apply: composition_dp_iff => //.
exact: parameters_admissible.
Qed.
End Indexed.
