(** Laws with densities: which event tells two of them apart best, and what an interval has.

    P and Q have the densities p and q.  No event has P(A) - y Q(A) above that of the outputs where
    p >= y q ([best_event]).  On the real line, an interval has what an antiderivative of the density
    grows by, if the density does not change faster than some line ([interval_probability]), and so has a
    half-line ([half_line]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.classical Require Import boolp classical_sets functions fsbigop cardinality mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences measure lebesgue_measure.
From mathcomp.analysis Require Import numfun lebesgue_integral.
From ExactDP Require Import InfiniteOutputs ReleasedOutputs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Densities.
Variables (R : realType) (d : measure_display) (Y : measurableType d) (base : {measure set Y -> \bar R}).

(** The law P has the density p. *)
Definition has_density (P : {measure set Y -> \bar R}) (p : Y -> R) : Prop :=
  [/\ P setT = 1%E, measurable_fun setT p, (forall x, 0 <= p x) &
      forall A, measurable A -> P A = (\int[base]_(x in A) (p x)%:E)%E].

Lemma measurable_on (f : Y -> R) A : measurable_fun setT f -> measurable_fun A (fun x => (f x)%:E).
Proof. by move=> mf; apply: (@measurable_funS _ _ _ _ setT) => //; exact/EFin_measurable_fun. Qed.

Lemma density_below P Q p q (a b : R) A : 0 <= a -> 0 <= b -> has_density P p -> has_density Q q -> measurable A ->
  (forall x, A x -> a * p x <= b * q x) -> (a%:E * P A <= b%:E * Q A)%E.
Proof.
move=> a0 b0 [_ mp p0 eP] [_ mq q0 eQ] mA le; rewrite eP // eQ //.
rewrite -!ge0_integralM_EFin //; try exact: measurable_on; try by move=> x _; rewrite lee_fin.
apply: ge0_le_integral => //.
- by move=> x _; rewrite -EFinM lee_fin mulr_ge0.
- by apply: measurable_funeM; exact: measurable_on.
- by move=> x _; rewrite -EFinM lee_fin mulr_ge0.
- by apply: measurable_funeM; exact: measurable_on.
Qed.

Definition chance (P : {measure set Y -> \bar R}) A : R := fine (P A).

Lemma chanceE (P : {measure set Y -> \bar R}) A : P setT = 1%E -> measurable A -> P A = (chance P A)%:E.
Proof. exact: fin_probability. Qed.

Lemma chance_parts (P : {measure set Y -> \bar R}) A H : P setT = 1%E -> measurable A -> measurable H ->
  chance P A = chance P (A `&` H) + chance P (A `&` ~` H).
Proof.
move=> P1 mA mH; have mC := measurableC mH.
apply: EFin_inj; rewrite EFinD -!chanceE //; try exact: measurableI.
rewrite -measureU; [|exact: measurableI|exact: measurableI|]; last first.
  by rewrite setIACA setICr setI0.
by rewrite -setIUr setUCr setIT.
Qed.

(** No event tells P from Q better, at the odds y, than where p >= y q. *)
Lemma best_event P Q p q (y : R) A H : 0 <= y -> has_density P p -> has_density Q q ->
  measurable A -> measurable H -> (forall x, H x -> y * q x <= p x) -> (forall x, ~ H x -> p x <= y * q x) ->
  chance P A - y * chance Q A <= chance P H - y * chance Q H.
Proof.
move=> y0 hP hQ mA mH inside outside.
have [[P1 _ _ _] [Q1 _ _ _]] := (hP, hQ); have mC := measurableC mH; have mAC := measurableC mA.
have off : chance P (A `&` ~` H) <= y * chance Q (A `&` ~` H).
  have m : measurable (A `&` ~` H) by exact: measurableI.
  rewrite -lee_fin EFinM -!chanceE // -[P _]mul1e; apply: density_below hP hQ m _ => // x [_ n].
  by rewrite mul1r; exact: outside.
have on : y * chance Q (H `&` ~` A) <= chance P (H `&` ~` A).
  have m : measurable (H `&` ~` A) by exact: measurableI.
  rewrite -lee_fin EFinM -!chanceE // -[P _]mul1e; apply: density_below hQ hP m _ => // x [h _].
  by rewrite mul1r; exact: inside.
rewrite (chance_parts P1 mA mH) (chance_parts Q1 mA mH) (chance_parts P1 mH mA) (chance_parts Q1 mH mA).
rewrite ![H `&` A]setIC !mulrDr !opprD [X in X <= _]addrACA [X in _ <= X]addrACA ler_add2l.
by apply: (@le_trans _ _ 0); rewrite ?subr_le0 ?subr_ge0.
Qed.
End Densities.

Section Line.
Variable R : realType.
(** Lebesgue measure: each interval has its length. *)
Variable length : {measure set R -> \bar R}.
Hypothesis length_piece : forall a b : R, a <= b -> length `]a, b]%classic = (b - a)%:E.
Variables (P : {measure set R -> \bar R}) (f F : R -> R) (slope : R).
Hypothesis hP : has_density length P f.
Hypothesis slope0 : 0 <= slope.
Hypothesis steady : forall x x', `|f x - f x'| <= slope * `|x - x'|.
Hypothesis tangent : forall a b, a <= b -> `|F b - F a - f a * (b - a)| <= slope * (b - a) ^+ 2.

Let piece (a b : R) : set R := `]a, b]%classic.
Let mpiece a b : measurable (piece a b). Proof. exact: measurable_itv. Qed.
Let P1 : P setT = 1%E. Proof. by case: hP. Qed.

Lemma near_piece a b : a <= b -> `|chance P (piece a b) - (F b - F a)| <= 2%:R * slope * (b - a) ^+ 2.
Proof.
move=> ab; have [_ mf f0 eP] := hP; have h0 : 0 <= b - a by rewrite subr_ge0.
have close x : piece a b x -> `|f x - f a| <= slope * (b - a).
  rewrite /piece /= in_itv /= => /andP[xa bx]; apply: le_trans (steady x a) _; rewrite ler_wpmul2l //.
  by rewrite ger0_norm ?ler_add2r // subr_ge0 ltW.
have s0 : 0 <= slope * (b - a) by rewrite mulr_ge0.
have cst_piece c : (\int[length]_(x in piece a b) (cst c%:E) x = (c * (b - a))%:E)%E.
  by rewrite integral_cst // length_piece // EFinM.
suff near : `|chance P (piece a b) - f a * (b - a)| <= slope * (b - a) ^+ 2.
  rewrite -[chance P _ - _](subrKA (f a * (b - a))) (_ : 2%:R * _ * _ = slope * (b - a) ^+ 2 + slope * (b - a) ^+ 2).
    by apply: le_trans (ler_norm_add _ _) _; rewrite ler_add // distrC tangent.
  by rewrite -mulrA mulr_natl mulr2n.
rewrite expr2 mulrA ler_norml; apply/andP; split.
  rewrite ler_subr_addr addrC -mulrBl -lee_fin.
  have [low|low] := leP 0 (f a - slope * (b - a)); last first.
    apply: (@le_trans _ _ 0%E); last by rewrite /chance lee_fin fine_ge0.
    by rewrite lee_fin mulr_le0_ge0 // ltW.
  rewrite -(cst_piece (f a - slope * (b - a))) -chanceE // eP //; apply: ge0_le_integral => //.
  - exact: measurable_fun_cst.
  - by move=> x _; rewrite lee_fin.
  - by apply: measurable_on.
  - by move=> x xI; rewrite lee_fin ler_subl_addr -ler_subl_addl; have := close x xI; rewrite distrC => /ler_normlW.
rewrite ler_subl_addl -mulrDl -lee_fin -(cst_piece (f a + slope * (b - a))) -chanceE // eP //.
apply: ge0_le_integral => //.
- by move=> x _; rewrite lee_fin.
- by apply: measurable_on.
- by move=> x _; rewrite lee_fin addr_ge0.
- exact: measurable_fun_cst.
- by move=> x xI; rewrite lee_fin -ler_subl_addl; have := close x xI => /ler_normlW.
Qed.

Lemma chance_pieces a b c : a <= b -> b <= c -> chance P (piece a c) = chance P (piece a b) + chance P (piece b c).
Proof.
move=> ab bc; apply: EFin_inj; rewrite EFinD -!chanceE // -measureU //; last first.
  apply/seteqP; split=> x //; rewrite /piece /= !in_itv /= => -[/andP[_ xb] /andP[bx _]].
  by rewrite ltNge xb in bx.
congr (P _); apply/seteqP; split=> x; rewrite /piece /= !in_itv /=.
  by case/andP=> ax xc; have [xb|bx] := leP x b; [left; rewrite ax|right; rewrite xc].
by case=> /andP[l u]; rewrite ?(le_lt_trans ab l) ?u ?l ?(le_trans u bc).
Qed.

Lemma near_pieces a h n : 0 <= h ->
  `|chance P (piece a (a + n%:R * h)) - (F (a + n%:R * h) - F a)| <= n%:R * (2%:R * slope * h ^+ 2).
Proof.
move=> h0; elim: n => [|n IH].
  rewrite !mul0r addr0 subrr subr0 (_ : piece a a = set0) ?/chance ?measure0 ?normr0 //.
  by apply/seteqP; split=> x //; rewrite /piece /= in_itv /= => /andP[l u]; rewrite ltNge u in l.
have e : a + n.+1%:R * h = a + n%:R * h + h by rewrite -natr1 mulrDl mul1r addrA.
have up : a + n%:R * h <= a + n.+1%:R * h by rewrite e ler_addl.
rewrite (@chance_pieces a (a + n%:R * h)) ?ler_addl ?mulr_ge0 //.
have := near_piece up; rewrite {3}e [a + _ + h]addrC addrK => last.
rewrite -[in X in _ <= X]natr1 mulrDl mul1r.
set p := chance P _ in IH *; set q := chance P _ in last *; set x := F (a + n%:R * h) in IH last *.
have -> : p + q - (F (a + n.+1%:R * h) - F a) = (p - (x - F a)) + (q - (F (a + n.+1%:R * h) - x)).
  by rewrite addrACA -opprD [x - _ + _]addrC addrA subrK.
by apply: le_trans (ler_norm_add _ _) _; exact: ler_add.
Qed.

Theorem interval_probability a b : a <= b -> chance P (piece a b) = F b - F a.
Proof.
move=> ab; have c0 : 0 <= 2%:R * slope * (b - a) ^+ 2 by rewrite !mulr_ge0 ?exprn_ge0 ?subr_ge0 ?ler0n.
have near n : (0 < n)%N -> `|chance P (piece a b) - (F b - F a)| <= 0 + 2%:R * slope * (b - a) ^+ 2 / n%:R.
  move=> n0; have n_gt0 : 0 < n%:R :> R by rewrite ltr0n.
  have whole : a + n%:R * ((b - a) / n%:R) = b by rewrite mulrC divfK ?gt_eqF // addrC subrK.
  have := @near_pieces a ((b - a) / n%:R) n; rewrite whole divr_ge0 ?subr_ge0 ?ler0n // => /(_ isT).
  rewrite add0r expr_div_n (_ : n%:R * _ = 2%:R * slope * (b - a) ^+ 2 / n%:R) // mulrCA -mulrA; congr (_ * _).
  by rewrite mulrCA; congr (_ * _); rewrite expr2 invfM mulrA divff ?gt_eqF // mul1r.
by have := at_most_near c0 near; rewrite normr_le0 subr_eq0 => /eqP.
Qed.

(** The half-line up to c, where nearly all of F lies between two ends. *)
Hypothesis ends : forall e, 0 < e -> exists n, forall x, n <= x -> F (- x) <= e /\ 1 - e <= F x.

Lemma chance_le A B : measurable A -> measurable B -> A `<=` B -> chance P A <= chance P B.
Proof. by move=> mA mB sub; rewrite -lee_fin -!(chanceE P1) //; apply: le_measure; rewrite ?inE. Qed.

Theorem half_line c : chance P `]-oo, c]%classic = F c.
Proof.
pose H : set R := `]-oo, c]%classic; have mH : measurable H := measurable_itv _; have mC := measurableC mH.
have parts : chance P H + chance P (~` H) = 1.
  by have := chance_parts P1 measurableT mH; rewrite !setTI => <-; rewrite /chance P1.
have near (e : R) : 0 < e -> `|chance P H - F c| <= e.
  move=> e0; have [n far] := ends e0; pose w := Num.max n (Num.max c (- c)).
  have [low high] : F (- w) <= e /\ 1 - e <= F w by apply: far; rewrite /w le_maxr lexx.
  have wc : c <= w by rewrite /w !le_maxr lexx orbT.
  have cw : - w <= c by rewrite ler_oppl /w !le_maxr lexx !orbT.
  have left : F c - e <= chance P H.
    apply: (@le_trans _ _ (chance P (piece (- w) c))); first by rewrite interval_probability // ler_sub.
    by apply: chance_le => // x; rewrite /H /piece /= !in_itv /= => /andP[].
  have right : 1 - e - F c <= chance P (~` H).
    apply: (@le_trans _ _ (chance P (piece c w))); first by rewrite interval_probability // ler_sub.
    apply: chance_le => // x; rewrite /H /piece /= !in_itv /= => /andP[l _].
    by move=> /(lt_le_trans l); rewrite ltxx.
  rewrite ler_distl left /= -subr_ge0; move: right; rewrite -parts -subr_ge0.
  by rewrite (_ : _ - _ = F c + e - chance P H) //; ring.
apply/eqP; rewrite -subr_eq0 -normr_le0; apply: (at_most_near ler01) => k k0.
by rewrite add0r; apply: near; rewrite divr_gt0 ?ltr0n.
Qed.
End Line.
