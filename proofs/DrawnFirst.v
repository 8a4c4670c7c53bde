(** Of the mechanisms of an adaptive composition those of one kind may be asked last, if each of the others
    can be replaced by one law that does as badly ([drawn_first]).

    What may still be gained from the mechanisms that are left is a sublinear function of the two weights of
    what was answered ([value_sublinear]); so any other mechanism may be replaced by a law that is as bad, and
    which does not depend on the answers before.  Its outputs are then drawn first, and what is left is a
    composition of mechanisms of the one kind.  Which kinds there are is open here: of the one it is asked
    that outputs may be of a greater type ([padded]), of the others that there is such a law. *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Notions.
From ExactDP Require Import CellsOfNormal Sublinear GreatestGains.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- they are divergences of compositions: one type of outputs for finitely many --- *)

Section Padded.
Variables (I : finType) (Y : I -> finType).
Implicit Types P Q : forall i, Y i -> R.
Let T : finType := [finType of {i : I & Y i}].

Definition padded P (i : I) (u : T) : R := ((tag u == i)%:R * P (tag u) (tagged u))%R.

Lemma sum_padded (F : T -> R) i : (forall u, tag u != i -> F u = 0) ->
  \sum_u F u = \sum_(y : Y i) F (Tagged Y y).
Proof.
move=> zero; transitivity (\sum_j \sum_(y : Y j) F (Tagged Y y)).
  by rewrite sig_big_dep /=; apply: eq_bigr => -[].
rewrite (bigD1 i) //= [X in _ + X]big1 ?addr0 // => j ji; rewrite big1 // => y _; exact: zero.
Qed.

Lemma padded_distribution P i : (forall j, distribution (P j)) -> distribution (padded P i).
Proof.
move=> d; split=> [u|].
  by rewrite mulr_ge0 ?ler0n //; case: (d (tag u)).
rewrite (@sum_padded _ i) => [|u /negbTE ui]; last by rewrite /padded ui mul0r.
by have [_ <-] := d i; apply: eq_bigr => y _; rewrite /padded /= eqxx mul1r.
Qed.

Lemma padded_moment P Q i (alpha m : R) : moment_at_most alpha m (P i) (Q i) ->
  moment_at_most alpha m (padded P i) (padded Q i).
Proof.
case=> s le; split=> [[j y]|].
  rewrite /padded /=; have [e|_] := eqVneq j i; last by rewrite !mul0r.
  by subst j; rewrite !mul1r; exact: s.
rewrite (@sum_padded _ i) => [|u /negbTE ui].
  by apply: le_trans le; apply: ler_sum => y _; rewrite /padded /= eqxx !mul1r.
by rewrite /padded ui !mul0r /power_term ltxx.
Qed.

End Padded.

Lemma hockey_stick_sublinear (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  sublinear (fun a b => hockey_stick a b P Q).
Proof.
move=> [P0 P1] [Q0 Q1]; split=> [c a b c0 _ _|a b a' b' _ _ _ _|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- exact: hockey_stickM.
- exact: hockey_stickD.
- rewrite hockey_stick_ge0 /= -[X in _ <= X]mulr1 -P1 mulr_sumr; apply: ler_sum => y _.
  by apply: pos_le; rewrite ?mulr_ge0 // ler_subl_addr ler_addl mulr_ge0.
rewrite -[`|a' - a|]mulr1 -[`|b' - b|]mulr1 -{1}P1 -Q1 !mulr_sumr -!big_split /=; apply: ler_sum => y _.
have part (c c' w : R) : 0 <= w -> c' * w - c * w <= `|c' - c| * w.
  by move=> w0; rewrite -mulrBl ler_wpmul2r // ler_norm.
apply: pos_le; last by rewrite !addr_ge0 ?pos_ge0 ?mulr_ge0.
have := part a a' _ (P0 y); have := part b' b _ (Q0 y); rewrite distrC => hb ha.
have -> : a' * P y - b' * Q y = a * P y - b * Q y + (a' * P y - a * P y + (b * Q y - b' * Q y)) by ring.
exact: ler_add (le_pos _) (ler_add ha hb).
Qed.

(** What is dominated pays no more, whatever sublinear function is paid. *)
Lemma sublinear_dominated f (tau : R) (Y Z : finType) (P Q : Y -> R) (A B : Z -> R) : sublinear f -> 0 < tau ->
  distribution P -> distribution Q -> distribution A -> distribution B ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= hockey_stick a b A B) ->
  forall a b : R, 0 <= a -> 0 <= b ->
  \sum_y f (a * P y)%R (b * Q y)%R <= \sum_z f (a * A z)%R (b * B z)%R + tau * (a + b).
Proof.
move=> F t0 [P0 P1] [Q0 Q1] [A0 A1] [B0 B1] dom a b a0 b0.
have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [D near] := sublinear_near F h0.
set D1 := @first_law _ D in near; set D2 := @second_law _ D in near.
apply: (@le_trans _ _ (\sum_y hockey_stick (a * P y) (b * Q y) D1 D2)).
  by apply: ler_sum => y _; case/andP: (near _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y))).
rewrite hockey_stick_exchange; apply: (@le_trans _ _ (\sum_k hockey_stick (a * D1 k) (b * D2 k) A B)).
  by apply: ler_sum => k _; have [k1 k2] := @laws_ge0 _ D k; apply: dom; exact: mulr_ge0.
rewrite hockey_stick_exchange.
apply: (@le_trans _ _ (\sum_z (f (a * A z)%R (b * B z)%R + tau / 2%:R * (a * A z + b * B z)))).
  by apply: ler_sum => z _; case/andP: (near _ _ (mulr_ge0 a0 (A0 z)) (mulr_ge0 b0 (B0 z))).
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr A1 B1 !mulr1 ler_add2l.
rewrite ler_wpmul2r ?addr_ge0 // ler_pdivr_mulr ?ltr0n // mulr_natr mulr2n ler_addl ltW //.
Qed.

(** --- mechanisms of open kinds --- *)

Section Kinds.
Variables (entry : Type) (of_entry : entry -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop).
Variables (late proper : pred entry).
Implicit Types n : entry.

Inductive composed_of : seq entry -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| ComposedNil : composed_of [::] (fun _ : unit => 1) (fun _ : unit => 1)
| ComposedCons n ns (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    of_entry n P Q -> (forall y, composed_of ns (P' y) (Q' y)) ->
    composed_of (n :: ns) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                          (fun p : Y * Z => Q p.1 * Q' p.1 p.2).

(** [f] gains no more from any mechanism of this entry than from one law. *)
Definition one_law_does (n : entry) : Prop := forall f (tau : R), sublinear f -> 0 < tau ->
  exists (Z : finType) (A B : Z -> R), of_entry n A B /\
  forall (Y : finType) (P Q : Y -> R), of_entry n P Q -> forall a b : R, 0 <= a -> 0 <= b ->
  \sum_y f (a * P y)%R (b * Q y)%R <= \sum_z f (a * A z)%R (b * B z)%R + tau * (a + b).

Hypothesis lawful : forall n (Y : finType) (P Q : Y -> R), of_entry n P Q -> distribution P /\ distribution Q.
Hypothesis alike : forall n, proper n -> of_entry n (fun _ : unit => 1) (fun=> 1).
Hypothesis padded_late : forall n (I : finType) (Y : I -> finType) (P Q : forall i, Y i -> R) i, late n ->
  (forall j, of_entry n (P j) (Q j)) -> of_entry n (padded P i) (padded Q i).
Hypothesis replaced : forall n, proper n -> ~~ late n -> one_law_does n.

Lemma composed_distribution ns (Y : finType) (P Q : Y -> R) :
  composed_of ns P Q -> distribution P /\ distribution Q.
Proof.
elim=> {ns Y P Q} [|n ns Y Z P Q P' Q' /lawful[dP dQ] _ IH].
  suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

(** What an adaptive composition gains, as a function of the two weights: hockey-stick divergences,
    where what is asked after an answer may be of any type. *)
Inductive gains : seq entry -> (R -> R -> R) -> Prop :=
| GainsNone : gains [::] (fun a b => pos (a - b)%R)
| GainsOne n ns (Y : finType) (P Q : Y -> R) (F : Y -> R -> R -> R) :
    of_entry n P Q -> (forall y, gains ns (F y)) ->
    gains (n :: ns) (fun a b => \sum_y F y (a * P y)%R (b * Q y)%R)%R.

Lemma gains_inversion ns F : gains ns F ->
  match ns with
  | [::] => F = fun a b => pos (a - b)%R
  | n :: ns' => exists (Y : finType) (P Q : Y -> R) (F' : Y -> R -> R -> R),
      [/\ of_entry n P Q, forall y, gains ns' (F' y) &
       F = fun a b => (\sum_y F' y (a * P y)%R (b * Q y)%R)%R]
  end.
Proof. by case=> // n {}ns Y P Q F' h g; exists Y, P, Q, F'. Qed.

Lemma gains_together ns : all late ns -> forall (I : finType) (F : I -> R -> R -> R),
  (forall i, gains ns (F i)) -> exists (Z : finType) (P Q : I -> Z -> R),
  forall i, composed_of ns (P i) (Q i) /\ forall a b : R, hockey_stick a b (P i) (Q i) = F i a b.
Proof.
elim: ns => [_ I F g|n ns IH /= /andP[t ts] I F g].
  exists [finType of unit], (fun _ _ => 1), (fun _ _ => 1) => i; split=> [|a b]; first exact: ComposedNil.
  have -> := gains_inversion (g i).
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
have /fin_all_exists[Y /fin_all_exists[P /fin_all_exists[Q /fin_all_exists[F' g']]]] i := gains_inversion (g i).
have [|Z [P' [Q' h]]] := IH ts [finType of {i : I & Y i}] (fun u => F' (tag u) (tagged u)).
  by move=> u; case: (g' (tag u)).
exists [finType of {i : I & Y i} * Z], (fun i p => padded P i p.1 * P' p.1 p.2)%R,
  (fun i p => padded Q i p.1 * Q' p.1 p.2)%R => i; split.
  apply: (@ComposedCons n ns _ Z (padded P i) (padded Q i) P' Q'); last by move=> u; case: (h u).
  by apply: padded_late => // j; case: (g' j).
move=> a b; have [_ _ ->] := g' i; rewrite hockey_stick_product (@sum_padded _ _ _ i).
  by apply: eq_bigr => y _; have [_ ->] := h (Tagged Y y); rewrite /padded /= eqxx !mul1r.
move=> u /negbTE ui; rewrite /padded ui !mul0r !mulr0 /hockey_stick big1 // => z _.
by rewrite !mul0r subrr pos_id.
Qed.

(** --- the greatest gain --- *)

Section Value.
Variable ts : seq entry.
Hypotheses (T : all late ts) (W : all proper ts).

Lemma gains_law F : gains ts F -> exists (Y : finType) (P Q : Y -> R),
  composed_of ts P Q /\ forall a b : R, hockey_stick a b P Q = F a b.
Proof.
move=> g; have [Z [P [Q h]]] := gains_together T (fun _ : unit => g).
by exists Z, (P tt), (Q tt); exact: h.
Qed.

Lemma gains_sublinear F : gains ts F -> sublinear F.
Proof.
move/gains_law=> [Y [P [Q [C e]]]]; have [dP dQ] := composed_distribution C.
have -> : F = fun a b => hockey_stick a b P Q; last exact: hockey_stick_sublinear.
by apply: functional_extensionality => a; apply: functional_extensionality => b.
Qed.
End Value.

Lemma gains_exist ts : all proper ts -> exists F, gains ts F.
Proof.
elim: ts => [_|n ts IH /= /andP[w /IH[F g]]]; first by eexists; exact: GainsNone.
eexists; apply: (@GainsOne n ts [finType of unit] (fun=> 1) (fun=> 1) (fun=> F)) => //.
exact: alike.
Qed.

(** The least upper bound. *)
Definition value (ts : seq entry) : R -> R -> R := greatest (gains ts).

Section Greatest.
Variable ts : seq entry.
Hypotheses (T : all late ts) (W : all proper ts).

Lemma value_ge F (a b : R) : gains ts F -> 0 <= a -> 0 <= b -> F a b <= value ts a b.
Proof. by move=> g; exact: (greatest_ge (gains_exist W) (gains_sublinear T) g). Qed.

Lemma value_le (a b x : R) : 0 <= a -> 0 <= b -> (forall F, gains ts F -> F a b <= x) -> value ts a b <= x.
Proof. by move=> a0 b0; exact: (greatest_le (gains_exist W) (gains_sublinear T) a0 b0). Qed.

Lemma value_near (a b tau : R) : 0 <= a -> 0 <= b -> 0 < tau ->
  exists F, gains ts F /\ value ts a b <= F a b + tau.
Proof. by move=> a0 b0; exact: (greatest_near (gains_exist W) (gains_sublinear T) a0 b0). Qed.

Lemma value_sublinear : sublinear (value ts).
Proof. exact: (@greatest_sublinear (gains ts)) (gains_exist W) (gains_sublinear T). Qed.
End Greatest.

Lemma value_first n ts (Y : finType) (P Q : Y -> R) (a b : R) : all late (n :: ts) ->
  all proper (n :: ts) -> of_entry n P Q -> 0 <= a -> 0 <= b ->
  \sum_y value ts (a * P y)%R (b * Q y)%R <= value (n :: ts) a b.
Proof.
move=> T W h a0 b0; have [[P0 _] [Q0 _]] := lawful h; have /= /andP[_ ts3] := T; have /= /andP[_ w] := W.
apply: (@le_of_every _ _ #|Y|%:R); first exact: ler0n.
move=> tau t0; have /fin_all_exists[F g] y := value_near ts3 w (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)) t0.
apply: (@le_trans _ _ (\sum_y (F y (a * P y)%R (b * Q y)%R + tau))).
  by apply: ler_sum => y _; case: (g y).
rewrite big_split /= sumr_const mulr_natr ler_add2r.
apply: (@value_ge (n :: ts) T W (fun a b => \sum_y F y (a * P y)%R (b * Q y)%R)) => //.
by apply: GainsOne => // y; case: (g y).
Qed.

(** --- the list --- *)

Definition others (ns : seq entry) := [seq n <- ns | ~~ late n].

Lemma others_cons n ns : others (n :: ns) = if late n then others ns else n :: others ns.
Proof. by rewrite /others /=; case: late. Qed.

Lemma sum_sublinear f (S : finType) (A B : S -> R) : sublinear f -> distribution A -> distribution B ->
  sublinear (fun a b => \sum_s f (a * A s)%R (b * B s)%R).
Proof.
move=> F [A0 A1] [B0 B1]; split=> [c a b c0 a0 b0|a b a' b' a0 b0 a'0 b'0|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- by rewrite mulr_sumr; apply: eq_bigr => s _; rewrite -!mulrA (sublinear_scale F) ?mulr_ge0.
- by rewrite -big_split; apply: ler_sum => s _; rewrite !mulrDl (sublinear_add F) ?mulr_ge0.
- apply/andP; split.
    by apply: sumr_ge0 => s _; case/andP: (sublinear_bounds F (mulr_ge0 a0 (A0 s)) (mulr_ge0 b0 (B0 s))).
  rewrite -[X in _ <= X]mulr1 -A1 mulr_sumr; apply: ler_sum => s _.
  by case/andP: (sublinear_bounds F (mulr_ge0 a0 (A0 s)) (mulr_ge0 b0 (B0 s))).
rewrite -[`|a' - a|]mulr1 -[`|b' - b|]mulr1 -{1}A1 -B1 !mulr_sumr -!big_split /=; apply: ler_sum => s _.
have [A2 B2] := (A0 s, B0 s).
apply: le_trans (sublinear_step F (mulr_ge0 a0 A2) (mulr_ge0 b0 B2) (mulr_ge0 a'0 A2) (mulr_ge0 b'0 B2)) _.
by rewrite -!mulrBl !normrM (ger0_norm (A0 s)) (ger0_norm (B0 s)).
Qed.

Lemma composition_divergence ns (Y : finType) (P Q : Y -> R) : composed_of ns P Q ->
  match ns with
  | [::] => forall a b : R, hockey_stick a b P Q = pos (a - b)
  | n :: ns' => exists (X Z : finType) (S T : X -> R) (P' Q' : X -> Z -> R),
      [/\ of_entry n S T, forall x, composed_of ns' (P' x) (Q' x) &
       forall a b : R, hockey_stick a b P Q = \sum_x hockey_stick (a * S x) (b * T x) (P' x) (Q' x)]
  end.
Proof.
case=> [a b|n {}ns X Z S T P' Q' h C]; first by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
by exists X, Z, S, T, P', Q'; split=> // a b; exact: hockey_stick_product.
Qed.

(** The other mechanisms first, each by one law. *)
Theorem drawn_first ns : all proper ns -> forall tau : R, 0 < tau ->
  exists (S : finType) (A B : S -> R), composed_of (others ns) A B /\
  forall (Y : finType) (P Q : Y -> R), composed_of ns P Q -> forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= \sum_s value [seq n <- ns | late n] (a * A s)%R (b * B s)%R + tau * (a + b).
Proof.
elim: ns => [_ tau t0|n ns IH all_proper tau t0].
  exists _, (fun _ : unit => 1), (fun=> 1); split=> [|Y P Q C a b a0 b0]; first exact: ComposedNil.
  rewrite (composition_divergence C) big_const card_unit /= addr0 !mulr1.
  apply: ler_paddr; first by rewrite mulr_ge0 ?addr_ge0 // ltW.
  exact: (@value_ge [::] isT isT _ a b GainsNone).
have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [w W] : proper n /\ all proper ns by exact/andP.
have -> : [seq m <- n :: ns | late m] =
    if late n then n :: [seq m <- ns | late m] else [seq m <- ns | late m] by [].
set ts := [seq m <- ns | late m] in IH *.
have T : all late ts by exact: filter_all.
have Wt : all proper ts by rewrite all_filter; apply: sub_all W => m wm; exact/implyP.
have [t|t] := boolP (late n).
  have [S [A [B [C h]]]] := IH W tau t0; exists S, A, B; split; first by rewrite others_cons t.
  move=> Y P Q /composition_divergence[X [Z [P1 [Q1 [P' [Q' [s C' e]]]]]]] a b a0 b0; rewrite e.
  have [[P0 P1'] [Q0 Q1']] := lawful s; have [[A0 _] [B0 _]] := composed_distribution C.
  apply: (@le_trans _ _ (\sum_x (\sum_s value ts (a * P1 x * A s)%R (b * Q1 x * B s)%R +
      tau * (a * P1 x + b * Q1 x)))).
    by apply: ler_sum => x _; apply: h; rewrite ?mulr_ge0.
  rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1' Q1' !mulr1 ler_add2r exchange_big /=.
  apply: ler_sum => y _; under eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
  by apply: value_first; rewrite ?mulr_ge0 //= ?t ?w.
have [S [A [B [C h]]]] := IH W _ h0; have [dA dB] := composed_distribution C.
have F := sum_sublinear (value_sublinear T Wt) dA dB.
have [Z' [A' [B' [s' dom]]]] := replaced w t F h0.
exists _, (fun p : Z' * S => A' p.1 * A p.2)%R, (fun p => B' p.1 * B p.2)%R; split.
  by rewrite others_cons (negbTE t); exact: (@ComposedCons n (others ns) Z' S A' B' (fun=> A) (fun=> B)).
move=> Y P Q /composition_divergence[X [Z [P1 [Q1 [P' [Q' [s C' e]]]]]]] a b a0 b0; rewrite e.
have [[P0 P1'] [Q0 Q1']] := lawful s.
have half : tau = tau / 2%:R + tau / 2%:R by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0.
apply: (@le_trans _ _ (\sum_x (\sum_s value ts (a * P1 x * A s)%R (b * Q1 x * B s)%R +
    tau / 2%:R * (a * P1 x + b * Q1 x)))).
  by apply: ler_sum => x _; apply: h; rewrite ?mulr_ge0.
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1' Q1' !mulr1 {2}half mulrDl addrA ler_add2r.
apply: le_trans (dom X P1 Q1 s a b a0 b0) _; rewrite ler_add2r.
by rewrite pair_bigA /=; apply: ler_sum => -[z x] _ /=; rewrite !mulrA.
Qed.
End Kinds.
