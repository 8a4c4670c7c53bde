(** Mechanisms with outputs of any kind, and why it is enough to look at finitely many.

    The laws of a mechanism are probability measures P and Q on a measurable space.  It has a property of
    mechanisms with finitely many outputs if all that has finitely many values and can be computed from its
    output has it ([in_parts]).  [chances ns a b] says that a and b are the probabilities, on two neighbouring
    databases, of one event of an adaptive composition: the first mechanism has the first property; whatever
    it says, the event has some probability in what follows; and the integral of these is a, or b.

    Each such a and b are, but for an error as small as one likes, probabilities of an event of a composition
    of mechanisms with finitely many outputs ([chances_approximated]): only which of finitely many cells the
    next probabilities lie in is told.  So what holds of all finite compositions holds of all
    ([chances_private]). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions fsbigop cardinality mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences measure lebesgue_measure.
From mathcomp.analysis Require Import numfun lebesgue_integral.
From ExactDP Require Import PositivePart Privacy Composition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Images.
Variables (R : realType) (d : measure_display) (Y : measurableType d) (F : finType) (f : Y -> F).

(** The law of a function of the output. *)
Definition image (P : set Y -> \bar R) (z : F) : R := fine (P (f @^-1` [set z])).

Definition readable := forall z, measurable (f @^-1` [set z]).
End Images.

Section Cells.
Variable R : realType.

Lemma integral_of_values d (Y : measurableType d) (P : {measure set Y -> \bar R}) (F : finType) (f : Y -> F)
    (v : F -> R) : P setT = 1%E -> readable f -> (forall z, 0 <= v z) ->
  (\int[P]_y (v (f y))%:E = (\sum_z image f P z * v z)%:E)%E.
Proof.
move=> P1 rf v0.
have e y : ((v (f y))%:E = \sum_(z <- index_enum F) (v z)%:E * (\1_(f @^-1` [set z]) y)%:E)%E.
  rewrite (bigD1_seq (f y)) ?mem_index_enum ?index_enum_uniq //= indicE mem_set //= mule1 big1_seq ?adde0 //.
  move=> z /andP[ne _]; rewrite indicE memNset ?mule0 //= => e; by rewrite e eqxx in ne.
under eq_integral do rewrite e.
rewrite ge0_integral_sum //; last 2 first.
- move=> z; apply: measurable_funeM; apply/EFin_measurable_fun; exact: measurable_fun_indic.
- by move=> z y _; rewrite mule_ge0 ?lee_fin.
rewrite -sumEFin; apply: eq_bigr => z _.
rewrite ge0_integralM ?lee_fin //; last 2 first.
- by apply/EFin_measurable_fun; exact: measurable_fun_indic.
- by move=> y _; rewrite lee_fin.
rewrite (integral_indic P measurableT (rf z)) setIT.
have fin : P (f @^-1` [set z]) \is a fin_num.
  rewrite ge0_fin_numE // (@le_lt_trans _ _ 1%E) ?ltry // -P1; apply: le_measure; rewrite ?inE //; exact: rf.
by rewrite EFinM /image fineK // muleC.
Qed.

Lemma near_integral d (Y : measurableType d) (P : {measure set Y -> \bar R}) (F : finType) (f : Y -> F)
    (p : Y -> R) (v : F -> R) (e a : R) : P setT = 1%E -> readable f -> measurable_fun setT p ->
  (forall y, 0 <= p y) -> (forall z, 0 <= v z) -> (forall y, `|v (f y) - p y| <= e) ->
  (\int[P]_y (p y)%:E = a%:E)%E -> `|\sum_z image f P z * v z - a| <= e.
Proof.
move=> P1 rf mp p0 v0 near ia.
have [e0|e0] := leP 0 e; last first.
  have n (y : Y) : False by have := le_lt_trans (near y) e0; rewrite normr_lt0.
  have : P setT = 0%E.
    have -> : [set: Y] = set0 by rewrite -subset0 => y; case: (n y).
    by rewrite measure0.
  by rewrite P1 => /eqP; rewrite onee_eq0.
have iv := integral_of_values P1 rf v0.
have mf : measurable_fun setT (fun y => (v (f y))%:E).
  have -> : (fun y => (v (f y))%:E) =
      fun y => (\sum_(z <- index_enum F) (v z)%:E * (\1_(f @^-1` [set z]) y)%:E)%E.
    apply/funext => y.
    rewrite (bigD1_seq (f y)) ?mem_index_enum ?index_enum_uniq //= indicE mem_set //= mule1 big1_seq ?adde0 //.
    by move=> z /andP[ne _]; rewrite indicE memNset ?mule0 //= => ez; rewrite ez eqxx in ne.
  apply: emeasurable_fun_sum => z; apply: measurable_funeM; apply/EFin_measurable_fun.
  exact: measurable_fun_indic.
have mpE : measurable_fun setT (fun y => (p y)%:E) by exact/EFin_measurable_fun.
have ie : (\int[P]_y (cst e%:E) y = e%:E)%E by rewrite integral_cst // P1 mule1.
have me : measurable_fun setT (cst e%:E : Y -> \bar R) by exact: measurable_fun_cst.
have ve : (\int[P]_y ((v (f y))%:E + (cst e%:E) y) = (\sum_z image f P z * v z + e)%:E)%E.
  rewrite ge0_integralD //; last by move=> y _; rewrite lee_fin.
  by rewrite iv ie EFinD.
have pe : (\int[P]_y ((p y)%:E + (cst e%:E) y) = (a + e)%:E)%E.
  rewrite ge0_integralD //; last by move=> y _; rewrite lee_fin.
  by rewrite ia ie EFinD.
rewrite ler_norml; apply/andP; split.
  rewrite ler_oppl opprB ler_subl_addl -lee_fin -ve -ia.
  apply: ge0_le_integral => //.
  - by move=> y _; rewrite lee_fin.
  - by move=> y _; rewrite /cst -EFinD lee_fin addr_ge0.
  - exact: emeasurable_funD.
  - by move=> y _; rewrite /cst -EFinD lee_fin -ler_subl_addl; have := near y; rewrite distrC => /ler_normlW.
rewrite ler_subl_addl -lee_fin -pe -iv.
apply: ge0_le_integral => //.
- by move=> y _; rewrite lee_fin.
- by move=> y _; rewrite /cst -EFinD lee_fin addr_ge0.
- exact: emeasurable_funD.
- by move=> y _; rewrite /cst -EFinD lee_fin -ler_subl_addl; have := near y => /ler_normlW.
Qed.

(** Which multiples of 1/n a number reaches: numbers of [0, 1] that reach the same are close. *)
Definition reached n (x : R) : {set 'I_n} := [set i : 'I_n | i.+1%:R / n%:R <= x]%SET.

Lemma reached_close n (x x' : R) : (0 < n)%N -> 0 <= x <= 1 -> 0 <= x' <= 1 ->
  reached n x = reached n x' -> `|x - x'| <= n%:R^-1.
Proof.
move=> n0; wlog le : x x' / x <= x'.
  by move=> h; have [/h//|/ltW /h{}h] := leP x x' => a b e; rewrite distrC; exact: h.
move=> /andP[x0 x1] /andP[x'0 x'1] e; rewrite distrC ger0_norm ?subr_ge0 // leNgt; apply/negP => far.
have nR : 0 < n%:R :> R by rewrite ltr0n.
pose i := `|floor (x * n%:R)|%N.
have iE : i%:R = (floor (x * n%:R))%:~R :> R.
  by rewrite /i natr_absz ger0_norm // floor_ge0 mulr_ge0 // ltW.
have below : i%:R <= x * n%:R by rewrite iE floor_le.
have above : x * n%:R < i.+1%:R.
  by rewrite -natr1 iE lt_succ_floor.
have hi : i.+1%:R / n%:R <= x'.
  rewrite -natr1 mulrDl mul1r; move: far; rewrite ltr_subr_addr addrC => /ltW; apply: le_trans.
  by rewrite ler_add2r ler_pdivr_mulr.
have i_n : (i < n)%N.
  by rewrite -(ler_nat R); move: (le_trans hi x'1); rewrite ler_pdivr_mulr // mul1r.
have := congr1 (fun A : {set 'I_n} => Ordinal i_n \in A) e.
by rewrite !inE /= hi => /esym; rewrite ler_pdivr_mulr // leNgt above.
Qed.

Lemma reached_readable n d (Y : measurableType d) (p q : Y -> R) : measurable_fun setT p -> measurable_fun setT q ->
  readable (fun y => (reached n (p y), reached n (q y))).
Proof.
move=> mp mq [A B].
have part (r : Y -> R) (C : {set 'I_n}) : measurable_fun setT r ->
    measurable [set y | reached n (r y) = C].
  move=> mr.
  have -> : [set y | reached n (r y) = C] =
      \bigcap_(i in [set: 'I_n]) [set y | (i.+1%:R / n%:R <= r y) = (i \in C)].
    apply/seteqP; split=> y /=; first by move=> <- i _ /=; rewrite inE.
    by move=> h; apply/setP => i; rewrite inE; exact: h.
  apply: fin_bigcap_measurable => [|i _]; first exact: finite_finset.
  case: (i \in C).
    have -> : [set y | (i.+1%:R / n%:R <= r y) = true] = setT `&` r @^-1` `[i.+1%:R / n%:R, +oo[%classic.
      by rewrite setTI; apply/seteqP; split=> y /=; rewrite in_itv /= andbT.
    by apply: mr => //; exact: measurable_itv.
  have -> : [set y | (i.+1%:R / n%:R <= r y) = false] = setT `&` r @^-1` `]-oo, (i.+1%:R / n%:R)[%classic.
    by rewrite setTI; apply/seteqP; split=> y /=; rewrite in_itv /= ltNge; [move=> ->|move/negbTE].
  by apply: mr => //; exact: measurable_itv.
have -> : (fun y => (reached n (p y), reached n (q y))) @^-1` [set (A, B)] =
    [set y | reached n (p y) = A] `&` [set y | reached n (q y) = B].
  by apply/seteqP; split=> y /= [-> ->].
by apply: measurableI; exact: part.
Qed.
End Cells.

Section Compositions.
Variables (R : realType) (N : Type) (has : N -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop).

(** A mechanism with outputs of any kind has what all that can be told of it in finitely many values has. *)
Definition in_parts (n : N) d (Y : measurableType d) (P Q : {measure set Y -> \bar R}) : Prop :=
  [/\ P setT = 1%E, Q setT = 1%E & forall (F : finType) (f : Y -> F), readable f -> has n (image f P) (image f Q)].

Inductive chances : seq N -> R -> R -> Prop :=
| ChancesNil (happens : bool) : chances [::] happens%:R happens%:R
| ChancesCons n ns d (Y : measurableType d) (P Q : {measure set Y -> \bar R}) (p q : Y -> R) a b :
    in_parts n P Q -> measurable_fun setT p -> measurable_fun setT q -> (forall y, chances ns (p y) (q y)) ->
    (\int[P]_y (p y)%:E = a%:E)%E -> (\int[Q]_y (q y)%:E = b%:E)%E -> chances (n :: ns) a b.

Lemma integral_01 d (Y : measurableType d) (P : {measure set Y -> \bar R}) (p : Y -> R) a :
  P setT = 1%E -> measurable_fun setT p -> (forall y, 0 <= p y <= 1) -> (\int[P]_y (p y)%:E = a%:E)%E -> 0 <= a <= 1.
Proof.
move=> P1 mp h e; have p0 y : 0 <= p y by case/andP: (h y).
apply/andP; split; first by rewrite -lee_fin -e; apply: integral_ge0 => y _; rewrite lee_fin.
have one : (\int[P]_y (cst 1%:E) y = 1%:E)%E by rewrite integral_cst // P1 mule1.
rewrite -lee_fin -e -one; apply: ge0_le_integral => //.
- by move=> y _; rewrite lee_fin.
- exact/EFin_measurable_fun.
- by move=> y _; rewrite lee_fin.
- exact: measurable_fun_cst.
- by move=> y _; rewrite lee_fin; case/andP: (h y).
Qed.

Lemma chances_01 ns a b : chances ns a b -> 0 <= a <= 1 /\ 0 <= b <= 1.
Proof.
elim=> [[]|n {}ns d Y P Q p q {}a {}b [P1 Q1 _] mp mq _ IH ea eb]; rewrite ?lexx ?ler01 //.
by split; [apply: integral_01 ea => // y; case: (IH y)|apply: integral_01 eb => // y; case: (IH y)].
Qed.

(** Compositions of mechanisms with finitely many outputs, however they are defined. *)
Variable composed : seq N -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.
Hypothesis composed_nil : composed [::] (fun _ : unit => 1) (fun _ : unit => 1).
Hypothesis composed_cons : forall n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R),
  has n P Q -> (forall y, composed ns (P' y) (Q' y)) ->
  composed (n :: ns) (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

Fixpoint cells (m k : nat) : finType :=
  if k is k'.+1 then [finType of ({set 'I_m} * {set 'I_m}) * cells m k'] else [finType of unit].

Lemma mass_of_pairs (F Z : finType) (P : F -> R) (P' : F -> Z -> R) (S : F -> {set Z}) :
  \sum_(w in [set w : F * Z | w.2 \in S w.1]%SET) P w.1 * P' w.1 w.2 = \sum_z P z * \sum_(x in S z) P' z x.
Proof.
rewrite (eq_bigl (fun w : F * Z => w.2 \in S w.1)); last by move=> w; rewrite inE.
rewrite big_mkcond -(pair_bigA _ (fun z x => if x \in S z then P z * P' z x else 0)) /=.
by apply: eq_bigr => z _; rewrite mulr_sumr -big_mkcond.
Qed.

Lemma distribution_event (Z : finType) (P : Z -> R) (S : {set Z}) : (forall z, 0 <= P z) -> 0 <= \sum_(z in S) P z.
Proof. by move=> P0; apply: sumr_ge0 => z _. Qed.

Hypothesis composed_distribution : forall ns (Y : finType) (P Q : Y -> R), composed ns P Q ->
  distribution P /\ distribution Q.

Theorem chances_approximated m ns a b : (0 < m)%N -> chances ns a b ->
  exists (P Q : cells m (size ns) -> R) (S : {set cells m (size ns)}),
  [/\ composed ns P Q, `|\sum_(z in S) P z - a| <= (size ns)%:R / m%:R
                     & `|\sum_(z in S) Q z - b| <= (size ns)%:R / m%:R].
Proof.
move=> m0; elim=> [happens|n {}ns d Y P Q p q {}a {}b [P1 Q1 h] mp mq told IH ea eb] /=.
  exists (fun=> 1), (fun=> 1), (if happens then [set: unit]%SET else finset.set0); split=> //.
    by case: happens; rewrite mul0r ?big_set0 ?subrr ?normr0 // big_const cardsT card_unit /= addr0 subrr normr0.
  by case: happens; rewrite mul0r ?big_set0 ?subrr ?normr0 // big_const cardsT card_unit /= addr0 subrr normr0.
have p01 y : 0 <= p y <= 1 by case: (chances_01 (told y)).
have q01 y : 0 <= q y <= 1 by case: (chances_01 (told y)).
pose f y := (reached m (p y), reached m (q y)).
have rf : readable f by exact: reached_readable.
have [y0 _] : exists y : Y, True.
  apply: contrapT => none; have : [set: Y] = set0 by rewrite -subset0 => y _; apply: none; exists y.
  by move=> e; move: P1; rewrite e measure0 => /eqP; rewrite eq_sym onee_eq0.
have pick : forall z, exists y, forall y', f y' = z -> f y = z.
  move=> z; have [[y e]|none] := pselect (exists y, f y = z); first by exists y.
  by exists y0 => y' e; case: none; exists y'.
have [g gE] := boolp.choice pick.
have [P' /boolp.choice[Q' hP]] := boolp.choice IH.
have [S hS] := boolp.choice hP.
set k := size ns in P' Q' hP S hS *; pose v z := \sum_(x in S (g z)) P' (g z) x.
pose w z := \sum_(x in S (g z)) Q' (g z) x.
have close_p y : `|v (f y) - p y| <= k.+1%:R / m%:R.
  have [_ near _] := hS (g (f y)).
  rewrite -natr1 mulrDl mul1r -[v _ - _](subrKA (p (g (f y)))) (le_trans (ler_norm_add _ _)) // ler_add //.
  by apply: reached_close => //; have /= [] := gE (f y) y erefl.
have close_q y : `|w (f y) - q y| <= k.+1%:R / m%:R.
  have [_ _ near] := hS (g (f y)).
  rewrite -natr1 mulrDl mul1r -[w _ - _](subrKA (q (g (f y)))) (le_trans (ler_norm_add _ _)) // ler_add //.
  by apply: reached_close => //; have /= [] := gE (f y) y erefl.
exists (fun c => image f P c.1 * P' (g c.1) c.2), (fun c => image f Q c.1 * Q' (g c.1) c.2).
exists [set c | c.2 \in S (g c.1)]%SET; split.
- apply: (@composed_cons n ns _ (cells m k) _ _ (fun z => P' (g z)) (fun z => Q' (g z)) (h _ _ rf)) => z.
  by case: (hS (g z)).
- rewrite (mass_of_pairs (image f P) (fun z => P' (g z)) (fun z => S (g z))).
  apply: (near_integral (v := v) P1 rf mp _ _ close_p ea) => [y|z]; first by case/andP: (p01 y).
  by apply: distribution_event; have [/composed_distribution[[]]] := hS (g z).
- rewrite (mass_of_pairs (image f Q) (fun z => Q' (g z)) (fun z => S (g z))).
  apply: (near_integral (v := w) Q1 rf mq _ _ close_q eb) => [y|z]; first by case/andP: (q01 y).
  by apply: distribution_event; have [/composed_distribution[_ []]] := hS (g z).
Qed.

(** What holds of finite compositions holds of all. *)
Lemma at_most_near (c x y : R) : 0 <= c -> (forall m, (0 < m)%N -> x <= y + c / m%:R) -> x <= y.
Proof.
move=> c0 h; rewrite leNgt; apply/negP => lt; have gap : 0 < x - y by rewrite subr_gt0.
pose m := `|floor (c / (x - y))|.+1.
have lt_m : c / (x - y) < m%:R.
  by rewrite /m -natr1 natr_absz ger0_norm ?lt_succ_floor // floor_ge0 divr_ge0 // ltW.
suff : y + c / m%:R < x by rewrite ltNge (h m isT).
rewrite addrC -ltr_subr_addr ltr_pdivr_mulr ?ltr0n //.
by rewrite mulrC -ltr_pdivr_mulr.
Qed.

Lemma carried_over (E d a b a' b' t : R) : 0 <= E -> `|a' - a| <= t -> `|b' - b| <= t ->
  a' <= E * b' + d -> a <= E * b + d + (1 + E) * t.
Proof.
rewrite !ler_distl => E0 /andP[ha _] /andP[_ hb] h; rewrite mulrDl mul1r.
rewrite ler_subl_addr in ha; apply: (le_trans ha); rewrite [t + _]addrC addrA ler_add2r.
by apply: (le_trans h); rewrite addrAC -mulrDr ler_add2r ler_wpmul2l.
Qed.

Theorem chances_private ns E d : 0 <= E ->
  (forall (Y : finType) (P Q : Y -> R), composed ns P Q -> indistinguishable E d P Q) ->
  forall a b, chances ns a b -> a <= E * b + d /\ b <= E * a + d.
Proof.
move=> E0 all a b C; pose c := (1 + E) * (size ns)%:R; have c0 : 0 <= c by rewrite mulr_ge0 ?addr_ge0 ?ler01.
have near m : (0 < m)%N -> a <= E * b + d + c / m%:R /\ b <= E * a + d + c / m%:R.
  move=> m0; have [P [Q [S [com near_a near_b]]]] := chances_approximated m0 C.
  have [above below] := all _ _ _ com.
  by rewrite /c -mulrA; split; [apply: carried_over (above S)|apply: carried_over (below S)].
by split; apply: (at_most_near c0) => m m0; case: (near m m0).
Qed.
End Compositions.
