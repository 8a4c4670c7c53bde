(** Zero-concentrated mechanisms count as one (epsilon, delta)-DP mechanism beside others, whatever their
    order, if all their adaptive compositions are (epsilon, delta)-DP ([concentrated_as_pair]).

    What may still be gained from the concentrated mechanisms that are left is a sublinear function of
    the two weights of what was answered ([value_sublinear]); so any other mechanism may be replaced by
    one law that is as bad, and which does not depend on the answers before ([replaced]).  Its outputs are
    then drawn first, and what is left is a composition of concentrated mechanisms. *)
From Coq Require Import Reals Permutation FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Rbar.
From Coquelicot Require Import Lub.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures.
From ExactDP Require Import RulesMixedWorkloads RulesGaussian NormalCurve NormalPairs.
From ExactDP Require Import CellsOfNormal GaussianComposition Sublinear.
From ExactDP Require CheckerMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition third (n : notion) : bool := if n is Concentrated _ then true else false.

(** What an adaptive composition gains, as a function of the two weights: hockey-stick divergences,
    where what is asked after an answer may be of any type. *)
Inductive gains : seq notion -> (R -> R -> R) -> Prop :=
| GainsNone : gains [::] (fun a b => pos (a - b)%R)
| GainsOne n ns (Y : finType) (P Q : Y -> R) (F : Y -> R -> R -> R) :
    satisfies G n P Q -> (forall y, gains ns (F y)) ->
    gains (n :: ns) (fun a b => \sum_y F y (a * P y)%R (b * Q y)%R)%R.

Lemma gains_inversion ns F : gains ns F ->
  match ns with
  | [::] => F = fun a b => pos (a - b)%R
  | n :: ns' => exists (Y : finType) (P Q : Y -> R) (F' : Y -> R -> R -> R),
      [/\ satisfies G n P Q, forall y, gains ns' (F' y) &
       F = fun a b => (\sum_y F' y (a * P y)%R (b * Q y)%R)%R]
  end.
Proof. by case=> // n {}ns Y P Q F' h g; exists Y, P, Q, F'. Qed.

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

Lemma padded_satisfies n P Q i : third n -> (forall j, satisfies G n (P j) (Q j)) ->
  satisfies G n (padded P i) (padded Q i).
Proof.
move=> t h; split; try by apply: padded_distribution => j; case: (h j).
case: n t h => // rho _ h alpha a1; have [_ _ /(_ alpha a1)[m m']] := h i.
by split; exact: padded_moment.
Qed.
End Padded.

Lemma gains_together ns : all third ns -> forall (I : finType) (F : I -> R -> R -> R),
  (forall i, gains ns (F i)) -> exists (Z : finType) (P Q : I -> Z -> R),
  forall i, mixed_composition G ns (P i) (Q i) /\ forall a b : R, hockey_stick a b (P i) (Q i) = F i a b.
Proof.
elim: ns => [_ I F g|n ns IH /= /andP[t ts] I F g].
  exists [finType of unit], (fun _ _ => 1), (fun _ _ => 1) => i; split=> [|a b]; first exact: MixedNil.
  have -> := gains_inversion (g i).
  by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
have /fin_all_exists[Y /fin_all_exists[P /fin_all_exists[Q /fin_all_exists[F' g']]]] i := gains_inversion (g i).
have [|Z [P' [Q' h]]] := IH ts [finType of {i : I & Y i}] (fun u => F' (tag u) (tagged u)).
  by move=> u; case: (g' (tag u)).
exists [finType of {i : I & Y i} * Z], (fun i p => padded P i p.1 * P' p.1 p.2)%R,
  (fun i p => padded Q i p.1 * Q' p.1 p.2)%R => i; split.
  apply: (@MixedCons G n ns _ Z (padded P i) (padded Q i) P' Q'); last by move=> u; case: (h u).
  by apply: padded_satisfies => // j; case: (g' j).
move=> a b; have [_ _ ->] := g' i; rewrite hockey_stick_product (@sum_padded _ _ _ i).
  by apply: eq_bigr => y _; have [_ ->] := h (Tagged Y y); rewrite /padded /= eqxx !mul1r.
move=> u /negbTE ui; rewrite /padded ui !mul0r !mulr0 /hockey_stick big1 // => z _.
by rewrite !mul0r subrr pos_id.
Qed.

(** --- the greatest gain --- *)

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

Section Value.
Variable ts : seq notion.
Hypotheses (T : all third ts) (W : all proper_notion ts).

Lemma gains_law F : gains ts F -> exists (Y : finType) (P Q : Y -> R),
  mixed_composition G ts P Q /\ forall a b : R, hockey_stick a b P Q = F a b.
Proof.
move=> g; have [Z [P [Q h]]] := gains_together T (fun _ : unit => g).
by exists Z, (P tt), (Q tt); exact: h.
Qed.

Lemma gains_sublinear F : gains ts F -> sublinear F.
Proof.
move/gains_law=> [Y [P [Q [C e]]]]; have [dP dQ] := mixed_composition_distribution C.
have -> : F = fun a b => hockey_stick a b P Q; last exact: hockey_stick_sublinear.
by apply: functional_extensionality => a; apply: functional_extensionality => b.
Qed.
End Value.

Lemma gains_exist ts : all proper_notion ts -> exists F, gains ts F.
Proof.
elim: ts => [_|n ts IH /= /andP[w /IH[F g]]]; first by eexists; exact: GainsNone.
eexists; apply: (@GainsOne n ts [finType of unit] (fun=> 1) (fun=> 1) (fun=> F)) => //.
apply: (of_notion_alike CheckerMixedWorkloads.G_of_equals w).
by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
Qed.

(** The least upper bound (Coquelicot's, whose axioms are those of the real numbers). *)
Definition value (ts : seq notion) (a b : R) : R :=
  Rbar.real (Lub_Rbar (fun x => exists F, gains ts F /\ x = F a b)).

Section Greatest.
Variable ts : seq notion.
Hypotheses (T : all third ts) (W : all proper_notion ts).

Lemma value_least (a b : R) : 0 <= a -> 0 <= b -> (forall F, gains ts F -> F a b <= value ts a b) /\
  forall x : R, (forall F, gains ts F -> F a b <= x) -> value ts a b <= x.
Proof.
move=> a0 b0; rewrite /value; set E := fun x : R => _; have [above least] := Lub_Rbar_correct E.
have [F0 g0] := gains_exist W.
have bounded x : (forall F, gains ts F -> F a b <= x) -> is_ub_Rbar E (Rbar.Finite x).
  by move=> h _ [F [g ->]]; exact/RleP/h.
move: above least; case: (Lub_Rbar E) => [l|/= _ least|above _] /=.
- move=> above least; split=> [F g|x /bounded/least/RleP //].
  by apply/RleP; apply: (above (F a b)); exists F.
- case: (least (Rbar.Finite a)); apply: bounded => F g.
  by case/andP: (sublinear_bounds (gains_sublinear T g) a0 b0).
by case: (above (F0 a b)); exists F0.
Qed.

Lemma value_ge F (a b : R) : gains ts F -> 0 <= a -> 0 <= b -> F a b <= value ts a b.
Proof. by move=> g a0 b0; case: (value_least a0 b0) => h _; exact: h. Qed.

Lemma value_le (a b x : R) : 0 <= a -> 0 <= b -> (forall F, gains ts F -> F a b <= x) -> value ts a b <= x.
Proof. by move=> a0 b0; case: (value_least a0 b0) => _; exact. Qed.

Lemma value_near (a b tau : R) : 0 <= a -> 0 <= b -> 0 < tau ->
  exists F, gains ts F /\ value ts a b <= F a b + tau.
Proof.
move=> a0 b0 t0.
have [//|none] := Classical_Prop.classic (exists F, gains ts F /\ value ts a b <= F a b + tau).
have : value ts a b <= value ts a b - tau.
  apply: value_le => // F g; have [le|/ltW] := leP (value ts a b) (F a b + tau).
    by case: none; exists F.
  by rewrite -ler_subr_addr.
by rewrite ler_subr_addr ger_addl leNgt t0.
Qed.

Lemma value_sublinear : sublinear (value ts).
Proof.
have ge0 (a b : R) : 0 <= a -> 0 <= b -> 0 <= value ts a b.
  move=> a0 b0; have [F g] := gains_exist W; apply: le_trans (value_ge g a0 b0).
  by case/andP: (sublinear_bounds (gains_sublinear T g) a0 b0).
split=> [c a b c0 a0 b0|a b a' b' a0 b0 a'0 b'0|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- apply/eqP; rewrite eq_le; apply/andP; split.
    apply: value_le; rewrite ?mulr_ge0 // => F g; rewrite (sublinear_scale (gains_sublinear T g)) //.
    by rewrite ler_wpmul2l //; exact: value_ge.
  move: c0; rewrite le_eqVlt => /predU1P[<-|c0]; first by rewrite !mul0r; exact: ge0.
  rewrite mulrC -ler_pdivl_mulr //; apply: value_le => // F g; rewrite ler_pdivl_mulr // mulrC.
  rewrite -(sublinear_scale (gains_sublinear T g)) ?(ltW c0) //.
  by apply: value_ge => //; exact: mulr_ge0 (ltW c0) _.
- apply: value_le; rewrite ?addr_ge0 // => F g.
  apply: le_trans (sublinear_add (gains_sublinear T g) a0 b0 a'0 b'0) _.
  by apply: ler_add; exact: value_ge.
- rewrite ge0 //; apply: value_le => // F g.
  by case/andP: (sublinear_bounds (gains_sublinear T g) a0 b0).
apply: value_le => // F g; apply: le_trans (sublinear_step (gains_sublinear T g) a0 b0 a'0 b'0) _.
by rewrite ler_add2r; exact: value_ge.
Qed.
End Greatest.

Lemma value_first n ts (Y : finType) (P Q : Y -> R) (a b : R) : all third (n :: ts) ->
  all proper_notion (n :: ts) -> satisfies G n P Q -> 0 <= a -> 0 <= b ->
  \sum_y value ts (a * P y)%R (b * Q y)%R <= value (n :: ts) a b.
Proof.
move=> T W h a0 b0; have [[P0 _] [Q0 _] _] := h; have /= /andP[_ ts3] := T; have /= /andP[_ w] := W.
apply: (@le_of_every _ _ #|Y|%:R); first exact: ler0n.
move=> tau t0; have /fin_all_exists[F g] y := value_near ts3 w (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y)) t0.
apply: (@le_trans _ _ (\sum_y (F y (a * P y)%R (b * Q y)%R + tau))).
  by apply: ler_sum => y _; case: (g y).
rewrite big_split /= sumr_const mulr_natr ler_add2r.
apply: (@value_ge (n :: ts) T W (fun a b => \sum_y F y (a * P y)%R (b * Q y)%R)) => //.
by apply: GainsOne => // y; case: (g y).
Qed.

(** --- another mechanism is replaced by one law, for every function --- *)

Lemma replaced n f (tau : R) : proper_notion n -> ~~ third n -> sublinear f -> 0 < tau ->
  exists (Z : finType) (A B : Z -> R), satisfies G n A B /\
  forall (Y : finType) (P Q : Y -> R), satisfies G n P Q -> forall a b : R, 0 <= a -> 0 <= b ->
  \sum_y f (a * P y)%R (b * Q y)%R <= \sum_z f (a * A z)%R (b * B z)%R + tau * (a + b).
Proof.
move=> w t F t0; have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [D near] := sublinear_near F h0.
set D1 := @first_law _ D in near; set D2 := @second_law _ D in near.
have D0 k : 0 <= D1 k /\ 0 <= D2 k := laws_ge0 k.
suff [Z [A [B [s dom]]]] : exists (Z : finType) (A B : Z -> R), satisfies G n A B /\
    forall (Y : finType) (P Q : Y -> R), satisfies G n P Q -> forall a b : R, 0 <= a -> 0 <= b ->
    \sum_k hockey_stick (a * D1 k) (b * D2 k) P Q <=
    \sum_k hockey_stick (a * D1 k) (b * D2 k) A B + tau / 2%:R * (a + b).
  exists Z, A, B; split=> // Y P Q h a b a0 b0; have [[P0 P1] [Q0 Q1] _] := h; have [[A0 A1] [B0 B1] _] := s.
  apply: (@le_trans _ _ (\sum_y hockey_stick (a * P y) (b * Q y) D1 D2)).
    by apply: ler_sum => y _; case/andP: (near _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y))).
  rewrite hockey_stick_exchange; apply: le_trans (dom Y P Q h a b a0 b0) _.
  have half : tau = tau / 2%:R + tau / 2%:R by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0.
  rewrite {2}half mulrDl addrA ler_add2r hockey_stick_exchange.
  apply: (@le_trans _ _ (\sum_z (f (a * A z)%R (b * B z)%R + tau / 2%:R * (a * A z + b * B z)))).
    by apply: ler_sum => z _; case/andP: (near _ _ (mulr_ge0 a0 (A0 z)) (mulr_ge0 b0 (B0 z))).
  by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr A1 B1 !mulr1.
case: n w t => [x d|mu|rho] // w _.
  case/andP: w => x0 /andP[d0 d1]; have E1 : 1 <= exp x by rewrite exp_ge1.
  have [p q] := distribution_rr (ltW (exp_gt0 x)) d0 (ltW d1).
  exists _, (rr0 (exp x) d), (rr1 (exp x) d); split.
    by split=> //; apply: indistinguishable_rr => //; exact: ltW.
  move=> Y P Q [dP dQ i] a b a0 b0; apply: ler_paddr; first by rewrite mulr_ge0 ?addr_ge0 // ltW.
  apply: ler_sum => k _; have [k1 k2] := D0 k.
  by apply: rr_dominates; rewrite ?mulr_ge0 ?(ltW d1) //; split.
pose S : R := (1 + \sum_k (D1 k + D2 k))%R.
have S0 : 0 < S by rewrite ltr_spaddl ?ltr01 // sumr_ge0 // => k _; rewrite addr_ge0; case: (D0 k).
have [c [k [g cells]]] := cells_near w (divr_gt0 h0 S0).
exists _, (pair_cells c k mu), (pair_cells c k 0); split; first exact: cells_satisfy.
move=> Y P Q h a b a0 b0.
apply: (@le_trans _ _ (\sum_j (hockey_stick (a * D1 j) (b * D2 j) (pair_cells c k mu) (pair_cells c k 0) +
    tau / 2%:R / S * (a * D1 j + b * D2 j)))).
  apply: ler_sum => j _; have [j1 j2] := D0 j.
  apply: le_trans (weights_of_gaussian w h (mulr_ge0 a0 j1) (mulr_ge0 b0 j2)) _.
  have := cells 0 _ _ (lexx 0) (mulr_ge0 a0 j1) (mulr_ge0 b0 j2); rewrite both0 //.
  by under eq_bigr do rewrite curve_of_0.
rewrite big_split /= ler_add2l -mulr_sumr -mulrA ler_wpmul2l ?(ltW h0) // mulrC ler_pdivr_mulr //.
rewrite big_split /= -!mulr_sumr mulrDl.
have le (G : outputs D -> R) : (forall j, G j <= D1 j + D2 j) -> \sum_j G j <= S.
  by move=> GD; rewrite /S ler_paddl ?ler01 //; apply: ler_sum => j _; exact: GD.
by apply: ler_add; rewrite ler_wpmul2l //; apply: le => j; have [? ?] := D0 j; rewrite ?ler_addl ?ler_addr.
Qed.

(** --- the list --- *)

Definition others (ns : seq notion) := [seq n <- ns | ~~ third n].

Lemma others_cons n ns : others (n :: ns) = if third n then others ns else n :: others ns.
Proof. by case: n. Qed.

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

Lemma composition_divergence ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  match ns with
  | [::] => forall a b : R, hockey_stick a b P Q = pos (a - b)
  | n :: ns' => exists (X Z : finType) (S T : X -> R) (P' Q' : X -> Z -> R),
      [/\ satisfies G n S T, forall x, mixed_composition G ns' (P' x) (Q' x) &
       forall a b : R, hockey_stick a b P Q = \sum_x hockey_stick (a * S x) (b * T x) (P' x) (Q' x)]
  end.
Proof.
case=> [a b|n {}ns X Z S T P' Q' h C]; first by rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
by exists X, Z, S, T, P', Q'; split=> // a b; exact: hockey_stick_product.
Qed.

(** The other mechanisms first, each by one law. *)
Lemma drawn_first ns : all proper_notion ns -> forall tau : R, 0 < tau ->
  exists (S : finType) (A B : S -> R), mixed_composition G (others ns) A B /\
  forall (Y : finType) (P Q : Y -> R), mixed_composition G ns P Q -> forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= \sum_s value [seq n <- ns | third n] (a * A s)%R (b * B s)%R + tau * (a + b).
Proof.
elim: ns => [_ tau t0|n ns IH all_proper tau t0].
  exists _, (fun _ : unit => 1), (fun=> 1); split=> [|Y P Q C a b a0 b0]; first exact: MixedNil.
  rewrite (composition_divergence C) big_const card_unit /= addr0 !mulr1.
  apply: ler_paddr; first by rewrite mulr_ge0 ?addr_ge0 // ltW.
  exact: (@value_ge [::] isT isT _ a b GainsNone).
have h0 : 0 < tau / 2%:R by rewrite divr_gt0 // ltr0n.
have [w W] : proper_notion n /\ all proper_notion ns by exact/andP.
have -> : [seq m <- n :: ns | third m] =
    if third n then n :: [seq m <- ns | third m] else [seq m <- ns | third m] by [].
set ts := [seq m <- ns | third m] in IH *.
have T : all third ts by exact: filter_all.
have Wt : all proper_notion ts by rewrite all_filter; apply: sub_all W => m wm; exact/implyP.
have [t|t] := boolP (third n).
  have [S [A [B [C h]]]] := IH W tau t0; exists S, A, B; split; first by rewrite others_cons t.
  move=> Y P Q /composition_divergence[X [Z [P1 [Q1 [P' [Q' [s C' e]]]]]]] a b a0 b0; rewrite e.
  have [[P0 P1'] [Q0 Q1'] _] := s; have [[A0 _] [B0 _]] := mixed_composition_distribution C.
  apply: (@le_trans _ _ (\sum_x (\sum_s value ts (a * P1 x * A s)%R (b * Q1 x * B s)%R +
      tau * (a * P1 x + b * Q1 x)))).
    by apply: ler_sum => x _; apply: h; rewrite ?mulr_ge0.
  rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1' Q1' !mulr1 ler_add2r exchange_big /=.
  apply: ler_sum => y _; under eq_bigr do rewrite mulrAC [b * _ * _]mulrAC.
  by apply: value_first; rewrite ?mulr_ge0 //= ?t ?w.
have [S [A [B [C h]]]] := IH W _ h0; have [dA dB] := mixed_composition_distribution C.
have F := sum_sublinear (value_sublinear T Wt) dA dB.
have [Z' [A' [B' [s' dom]]]] := replaced w t F h0.
exists _, (fun p : Z' * S => A' p.1 * A p.2)%R, (fun p => B' p.1 * B p.2)%R; split.
  by rewrite others_cons (negbTE t); exact: (@MixedCons G n (others ns) Z' S A' B' (fun=> A) (fun=> B)).
move=> Y P Q /composition_divergence[X [Z [P1 [Q1 [P' [Q' [s C' e]]]]]]] a b a0 b0; rewrite e.
have [[P0 P1'] [Q0 Q1'] _] := s.
have half : tau = tau / 2%:R + tau / 2%:R by rewrite -mulrDl -mulr2n -mulr_natr mulfK // pnatr_eq0.
apply: (@le_trans _ _ (\sum_x (\sum_s value ts (a * P1 x * A s)%R (b * Q1 x * B s)%R +
    tau / 2%:R * (a * P1 x + b * Q1 x)))).
  by apply: ler_sum => x _; apply: h; rewrite ?mulr_ge0.
rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1' Q1' !mulr1 {2}half mulrDl addrA ler_add2r.
apply: le_trans (dom X P1 Q1 s a b a0 b0) _; rewrite ler_add2r.
by rewrite pair_bigA /=; apply: ler_sum => -[z x] _ /=; rewrite !mulrA.
Qed.

Lemma filter_permutation (p : pred notion) ns ns' : Permutation ns ns' ->
  Permutation [seq n <- ns | p n] [seq n <- ns' | p n].
Proof.
elim=> [|n {}ns {}ns' _ IH|n n' {}ns|l1 l2 l3 _ h _ h'] /=.
- exact: Permutation_refl.
- by case: (p n) => //; exact: perm_skip.
- case: (p n); case: (p n'); first exact: perm_swap; exact: Permutation_refl.
- exact: Permutation_trans h h'.
Qed.

Theorem concentrated_as_pair ns e d epsilon delta : all proper_notion ns ->
  proper_notion (Approximate e d) -> mixed_upper G [seq n <- ns | third n] e d ->
  mixed_upper G (Approximate e d :: others ns) epsilon delta -> mixed_upper G ns epsilon delta.
Proof.
move=> W /= /and3P[e0 d0 d1] joint bound ns' p Y P Q C.
have E1 : 1 <= exp e by rewrite exp_ge1.
have W' : all proper_notion ns' by rewrite -(all_permutation _ p).
set ts := [seq n <- ns' | third n].
have T : all third ts by exact: filter_all.
have Wt : all proper_notion ts by rewrite all_filter; apply: sub_all W' => m wm; exact/implyP.
have as_pair (a b : R) : 0 <= a -> 0 <= b -> value ts a b <= hockey_stick a b (rr0 (exp e) d) (rr1 (exp e) d).
  move=> a0 b0; apply: value_le => // F /(gains_law T)[X [S [S' [CS <-]]]].
  have [dS dS'] := mixed_composition_distribution CS; apply: rr_dominates => //; first exact: ltW.
  by split=> //; exact: (joint _ (filter_permutation _ p)).
suff half (X : finType) (S S' : X -> R) : mixed_composition G ns' S S' ->
    hockey_stick 1 (exp epsilon) S S' <= delta.
  by split; apply/events_hockey_stick; apply: half => //; exact: mixed_composition_sym.
move=> {Y P Q} {}C; have E0 := ltW (exp_gt0 epsilon).
apply: (@le_of_every _ _ (1 + exp epsilon)); first by rewrite addr_ge0 ?ler01.
move=> tau t0; have [Z [A [B [CA h]]]] := drawn_first W' t0.
have [[A0 _] [B0 _]] := mixed_composition_distribution CA.
apply: le_trans (h _ _ _ C _ _ ler01 E0) _; rewrite ler_add2r.
apply: (@le_trans _ _ (\sum_s hockey_stick (1 * A s) (exp epsilon * B s) (rr0 (exp e) d) (rr1 (exp e) d))).
  by apply: ler_sum => s _; apply: as_pair; rewrite ?mulr_ge0 ?ler01.
rewrite hockey_stick_exchange -(hockey_stick_product _ _ (fun=> A) (fun=> B)); apply/events_hockey_stick.
have [dp dq] := distribution_rr (ltW (exp_gt0 e)) d0 (ltW d1).
apply: (bound (Approximate e d :: others ns') _ _ _ _ _).1; first exact/perm_skip/filter_permutation.
apply: (@MixedCons G _ _ _ _ _ _ (fun=> A) (fun=> B)) => //.
by split=> //; apply: indistinguishable_rr => //; exact: ltW.
Qed.
