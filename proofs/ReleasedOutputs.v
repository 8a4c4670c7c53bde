(** Adaptive composition of mechanisms with outputs of any kind, on the products of their spaces.

    [released ns P Q]: P and Q are the laws of all outputs, on two neighbouring databases.  The law of the
    rest given the first output is measurable in it ([kernel]), and the probability of an event is the
    integral of what it has left ([in_turn]).  Each event has [chances] (InfiniteOutputs.v), so that what
    holds of all finite compositions holds of all ([released_private]). *)
From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets functions fsbigop cardinality mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences measure lebesgue_measure.
From mathcomp.analysis Require Import numfun lebesgue_integral.
From ExactDP Require Import PositivePart Privacy Composition InfiniteOutputs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section Kernels.
Variables (R : realType) (d d' : measure_display) (Y : measurableType d) (Z : measurableType d').

(** Laws that depend on an earlier output. *)
Definition kernel (K : Y -> {measure set Z -> \bar R}) : Prop :=
  (forall y, K y setT = 1%E) /\ forall U, measurable U -> measurable_fun setT (fun y => K y U).

Variable K : Y -> {measure set Z -> \bar R}.
Hypothesis kK : kernel K.
Let left_of (A : set (Y * Z)) y := K y (xsection A y).
Let B := [set A | measurable A /\ measurable_fun setT (left_of A)].

Lemma at_most_1 y U : measurable U -> (K y U <= 1)%E.
Proof. by move=> mU; rewrite -(proj1 kK y); apply: le_measure; rewrite ?inE. Qed.

Lemma kernel_section (A : set (Y * Z)) : measurable A -> measurable_fun setT (left_of A).
Proof.
suff sub : measurable `<=` B by move=> /sub[].
rewrite measurable_prod_measurableType.
set C := [set A1 `*` A2 | A1 in measurable & A2 in measurable].
have CI : setI_closed C.
  move=> X X' [X1 m1 [X2 m2 <-{X}]] [X1' m1' [X2' m2' <-{X'}]].
  exists (X1 `&` X1'); first exact: measurableI.
  by exists (X2 `&` X2'); [exact: measurableI|rewrite setMI].
have CT : C setT by exists setT => //; exists setT => //; rewrite setMTT.
have CB : C `<=` B.
  move=> X [X1 m1 [X2 m2 <-{X}]]; split; first exact: measurableM.
  have -> : left_of (X1 `*` X2) = (fun y => K y X2 * (\1_X1 y)%:E)%E.
    apply/funext => y; rewrite indicE /left_of.
    have [yX1|yX1] := boolP (y \in X1); first by rewrite mule1 in_xsectionM.
    by rewrite mule0 notin_xsectionM // measure0.
  apply: emeasurable_funM; first exact: (proj2 kK).
  by apply/EFin_measurable_fun; exact: measurable_fun_indic.
suff mono : monotone_class setT B by exact: monotone_class_subset.
split => //; first exact: CB.
  move=> X X' sub [mX fX] [mX' fX']; split; first exact: measurableD.
  have -> : left_of (X `\` X') = (fun y => left_of X y - left_of X' y)%E.
    apply/funext => y; rewrite /left_of xsectionD // measureD.
    - by rewrite setIidr //; exact: le_xsection.
    - exact: measurable_xsection.
    - exact: measurable_xsection.
    - by apply: le_lt_trans (at_most_1 y _) _; rewrite ?ltry //; exact: measurable_xsection.
  exact: emeasurable_funB.
move=> F ndF BF; split; first by apply: bigcupT_measurable => n; have [] := BF n.
have lim y : (fun i => left_of (F i) y) --> left_of (\bigcup_i F i) y.
  rewrite /left_of xsection_bigcup; apply: nondecreasing_cvg_mu.
  - by move=> n; apply: measurable_xsection; case: (BF n).
  - by apply: bigcupT_measurable => i; apply: measurable_xsection; case: (BF i).
  - by move=> m n mn; exact/subsetPset/le_xsection/subsetPset/ndF.
apply: (emeasurable_fun_cvg (fun i => left_of (F i))) => // i; by have [] := BF i.
Qed.

End Kernels.

(** First y by P, then z by the law that y gives: a law on pairs. *)
Definition in_turn (R : realType) d d' (Y : measurableType d) (Z : measurableType d')
    (K : Y -> {measure set Z -> \bar R}) (kK : kernel K) (P : {measure set Y -> \bar R}) (A : set (Y * Z)) : \bar R :=
  (\int[P]_y K y (xsection A y))%E.

Section InTurn.
Variables (R : realType) (d d' : measure_display) (Y : measurableType d) (Z : measurableType d').
Variables (K : Y -> {measure set Z -> \bar R}) (kK : kernel K) (P : {measure set Y -> \bar R}).
Notation in_turn := (in_turn kK P).

Let in_turn0 : in_turn set0 = 0%E.
Proof. by rewrite /in_turn (eq_integral (cst 0%E)) ?integral0 // => y _; rewrite xsection0 measure0. Qed.

Let in_turn_ge0 A : (0 <= in_turn A)%E.
Proof. by apply: integral_ge0 => y _; exact: measure_ge0. Qed.

Let in_turn_additive : semi_sigma_additive in_turn.
Proof.
move=> F mF tF mUF; have -> : in_turn (\bigcup_n F n) = (\sum_(n <oo) in_turn (F n))%E.
  transitivity (\int[P]_y \sum_(n <oo) K y (xsection (F n) y))%E.
    apply: eq_integral => y _; apply/esym/cvg_lim => //=; rewrite xsection_bigcup.
    by apply: (measure_sigma_additive _ (trivIset_xsection tF)) => n; exact: measurable_xsection.
  by rewrite integral_nneseries // => n; exact: (kernel_section kK).
apply/cvg_closeP; split; last by rewrite closeE.
by apply: is_cvg_nneseries => n _; exact: in_turn_ge0.
Qed.

Definition in_turn_law : {measure set (Y * Z)%type -> \bar R} :=
  HB.pack in_turn (isMeasure.Build _ _ _ in_turn in_turn0 in_turn_ge0 in_turn_additive).

Lemma in_turn_whole : P setT = 1%E -> in_turn setT = 1%E.
Proof.
move=> P1; rewrite /in_turn (eq_integral (cst 1%E)) => [|y _].
  by rewrite integral_cst // mul1e.
have -> : xsection [set: (Y * Z)%type] y = setT by apply/seteqP; split=> z // _; rewrite /xsection /= inE.
by rewrite (proj1 kK).
Qed.
End InTurn.

Section Released.
Variables (R : realType) (N : Type) (has : N -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop).

Inductive released : seq N -> forall d (Y : measurableType d),
    {measure set Y -> \bar R} -> {measure set Y -> \bar R} -> Prop :=
| ReleasedNil d (Y : measurableType d) (P Q : {measure set Y -> \bar R}) :
    P setT = 1%E -> Q setT = 1%E -> (forall y y' : Y, y = y') -> released [::] P Q
| ReleasedCons n ns d d' (Y : measurableType d) (Z : measurableType d') (P Q : {measure set Y -> \bar R})
    (P' Q' : Y -> {measure set Z -> \bar R}) (kP : kernel P') (kQ : kernel Q') :
    in_parts has n P Q -> (forall y, released ns (P' y) (Q' y)) ->
    released (n :: ns) (in_turn_law kP P) (in_turn_law kQ Q).

Lemma released_whole ns d (Y : measurableType d) (P Q : {measure set Y -> \bar R}) : released ns P Q ->
  P setT = 1%E /\ Q setT = 1%E.
Proof. by elim=> [//|n {}ns d1 d2 {}Y Z {}P {}Q P' Q' kP kQ [P1 Q1 _] _ _]; split; exact: in_turn_whole. Qed.

Theorem released_chances ns d (Y : measurableType d) (P Q : {measure set Y -> \bar R}) : released ns P Q ->
  forall A, measurable A -> chances has ns (fine (P A)) (fine (Q A)).
Proof.
elim=> [{}d {}Y {}P {}Q P1 Q1 same|n {}ns d1 d2 {}Y Z {}P {}Q P' Q' kP kQ h _ IH] A mA.
  have [[y Ay]|none] := pselect (exists y, A y).
    have -> : A = setT by apply/seteqP; split=> // y' _; rewrite (same y' y).
    by rewrite P1 Q1; exact: (ChancesNil _ true).
  have -> : A = set0 by apply/seteqP; split=> // y Ay; case: none; exists y.
  by rewrite !measure0; exact: (ChancesNil _ false).
have fin (K : Y -> {measure set Z -> \bar R}) (kK : kernel K) y : K y (xsection A y) \is a fin_num.
  rewrite ge0_fin_numE ?measure_ge0 //; apply: le_lt_trans (at_most_1 kK y _) _; rewrite ?ltry //.
  exact: measurable_xsection.
have mf (K : Y -> {measure set Z -> \bar R}) (kK : kernel K) :
    measurable_fun setT (fun y => fine (K y (xsection A y))).
  by apply: (measurable_fun_comp (measurable_fun_fine measurableT)); exact: kernel_section.
have whole (K : Y -> {measure set Z -> \bar R}) (kK : kernel K) (M : {measure set Y -> \bar R}) : M setT = 1%E ->
    (\int[M]_y (fine (K y (xsection A y)))%:E = (fine (in_turn_law kK M A))%:E)%E.
  move=> M1; rewrite fineK; last first.
    rewrite ge0_fin_numE ?measure_ge0 //; apply: (@le_lt_trans _ _ 1%E); last exact: ltry.
    by rewrite -(in_turn_whole kK M1); apply: le_measure; rewrite ?inE.
  by apply: eq_integral => y _; rewrite fineK // fin.
have [P1 Q1 _] := h.
apply: (@ChancesCons _ _ _ n ns _ _ P Q _ _ _ _ h (mf _ kP) (mf _ kQ)) (whole _ kP _ P1) (whole _ kQ _ Q1) => y.
by apply: IH; exact: measurable_xsection.
Qed.

(** No event tells the laws apart by more. *)
Definition close_on_events (E d : R) d0 (Y : measurableType d0) (P Q : {measure set Y -> \bar R}) : Prop :=
  forall A, measurable A -> (P A <= E%:E * Q A + d%:E)%E /\ (Q A <= E%:E * P A + d%:E)%E.

Lemma fin_probability d (Y : measurableType d) (P : {measure set Y -> \bar R}) A :
  P setT = 1%E -> measurable A -> P A = (fine (P A))%:E.
Proof.
move=> P1 mA; rewrite fineK // ge0_fin_numE ?measure_ge0 //; apply: (@le_lt_trans _ _ 1%E); last exact: ltry.
by rewrite -P1; apply: le_measure; rewrite ?inE.
Qed.

Variable composed : seq N -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.
Hypothesis composed_nil : composed [::] (fun _ : unit => 1) (fun _ : unit => 1).
Hypothesis composed_cons : forall n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R),
  has n P Q -> (forall y, composed ns (P' y) (Q' y)) ->
  composed (n :: ns) (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
Hypothesis composed_distribution : forall ns (Y : finType) (P Q : Y -> R), composed ns P Q ->
  distribution P /\ distribution Q.

Theorem released_private ns E d : 0 <= E ->
  (forall (Y : finType) (P Q : Y -> R), composed ns P Q -> indistinguishable E d P Q) ->
  forall d0 (Y : measurableType d0) (P Q : {measure set Y -> \bar R}), released ns P Q -> close_on_events E d P Q.
Proof.
move=> E0 all d0 Y P Q W A mA; have [P1 Q1] := released_whole W.
have [above below] := chances_private composed_nil composed_cons composed_distribution E0 all (released_chances W mA).
by rewrite (fin_probability P1 mA) (fin_probability Q1 mA) -!EFinM -!EFinD !lee_fin.
Qed.
End Released.

(** What (ln E, d)-DP means of measures, and of all that has finitely many values. *)
Section Events.
Variables (R : realType) (E d : R) (d0 : measure_display) (Y : measurableType d0).
Variables (P Q : {measure set Y -> \bar R}).

Lemma image_event (M : {measure set Y -> \bar R}) (F : finType) (f : Y -> F) (S : {set F}) : M setT = 1%E ->
  readable f -> measurable [set y | f y \in S] /\ (\sum_(z in S) image f M z)%:E = M [set y | f y \in S].
Proof.
move=> M1 rf; have mS : measurable [set y | f y \in S].
  have -> : [set y | f y \in S] = \bigcup_(z in [set z | z \in S]) f @^-1` [set z].
    by apply/seteqP; split=> [y yS|y [z zS e]] /=; [exists (f y)|rewrite e].
  by apply: fin_bigcup_measurable => [|z _]; [exact: finite_finset|exact: rf].
split=> //; have := integral_of_values (v := fun z => (z \in S)%:R) M1 rf (fun z => ler0n _ _).
rewrite (eq_integral (fun y => (\1_[set y | f y \in S] y)%:E)); last first.
  by move=> y _; rewrite indicE; congr ((nat_of_bool _)%:R%:E); apply/idP/idP; rewrite inE.
rewrite (integral_indic M measurableT mS) setIT => ->; congr (_%:E).
by rewrite big_mkcond; apply: eq_bigr => z _; case: (z \in S); rewrite ?mulr1 ?mulr0.
Qed.

Lemma image_distribution (M : {measure set Y -> \bar R}) (F : finType) (f : Y -> F) : M setT = 1%E -> readable f ->
  distribution (image f M).
Proof.
move=> M1 rf; split=> [z|]; first by rewrite /image fine_ge0 ?measure_ge0.
have [_] := image_event [set: F]%SET M1 rf.
rewrite (_ : [set y | f y \in [set: F]%SET] = setT) ?M1; last by apply/seteqP; split=> y //= _; rewrite inE.
by case=> <-; apply: eq_bigl => z; rewrite inE.
Qed.

Theorem close_in_parts : P setT = 1%E -> Q setT = 1%E ->
  close_on_events E d P Q <-> in_parts (fun (_ : unit) (Z : finType) => @dp_pair R Z E d) tt P Q.
Proof.
move=> P1 Q1; split=> [close|[_ _ h] A mA].
  split=> // F f rf.
  split; [exact: image_distribution|exact: image_distribution|].
  split=> S; have [mS eP] := image_event S P1 rf; have [_ eQ] := image_event S Q1 rf.
    by have [+ _] := close _ mS; rewrite -eP -eQ -EFinM -EFinD lee_fin.
  by have [_] := close _ mS; rewrite -eP -eQ -EFinM -EFinD lee_fin.
pose f y := `[< A y >].
have fA z : f @^-1` [set z] = if z then A else ~` A.
  apply/seteqP; rewrite /f; case: z; split=> y /=.
  - by move/asboolP.
  - by move=> Ay; apply/asboolP.
  - by move=> e /asboolP; rewrite e.
  - by move=> Ay; apply/negbTE/asboolPn.
have rf : readable f by move=> z; rewrite fA; case: z => //; exact: measurableC.
have [_ _ [above below]] := h _ f rf.
have one (M : {measure set Y -> \bar R}) : M setT = 1%E -> M A = (\sum_(z in [set true]%SET) image f M z)%:E.
  by move=> M1; rewrite big_set1 /image fA -fin_probability.
by rewrite !one // -!EFinM -!EFinD !lee_fin.
Qed.
End Events.
