(** The rules of groups (certs/SPEC.md, 11.16) for mechanisms of all notions.

    As in RulesGroups.v, two databases of a group of g are joined by a path of at most g
    neighbours, all of which are asked alike: the outputs on neighbours satisfy the mechanism's
    notion, and the mechanisms that follow may depend on the output ([mixed_path]).

    A path of at most g steps is padded to one of g by staying at its end.  Then g steps of mu are
    (g mu)-Gaussian DP ([gaussian_groups]: Dong, Roth & Su, JRSSB 84(1), 2022, Theorem 2.14), and
    g steps of rho are (g^2 rho)-zCDP ([concentrated_groups]: Bun & Steinke, TCC 2016-B,
    Proposition 1.9). *)
From Coq Require Import Reals Lra Permutation.
From Coquelicot Require Import Rcomplements.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures.
From ExactDP Require Import Moments RulesGaussian RulesGroups.
From ExactDP Require Normal ProfileReflection ProfileShape.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** P i: the outputs on the i-th of n + 1 databases, each a neighbour of the next. *)
Inductive mixed_path (n : nat) : seq notion -> forall Y : finType, (nat -> Y -> R) -> Prop :=
| MixedPathNil : mixed_path n [::] (fun (_ : nat) (_ : unit) => 1)
| MixedPathCons m ns (Y Z : finType) (P : nat -> Y -> R) (P' : nat -> Y -> Z -> R) :
    (forall i, (i <= n)%N -> distribution (P i)) ->
    (forall i, (i < n)%N -> satisfies G m (P i) (P i.+1)) ->
    (forall y, mixed_path n ns (fun i => P' i y)) ->
    mixed_path n (m :: ns) (fun i (p : Y * Z) => P i p.1 * P' i p.1 p.2).

(** The statements of a certificate about groups of g; the mechanisms may come in any order. *)
Definition mixed_upper_of_groups (ns : seq notion) (g : nat) (epsilon delta : R) :=
  forall ns', Permutation ns ns' -> forall n (Y : finType) (P : nat -> Y -> R), (n <= g)%N ->
  mixed_path n ns' P -> indistinguishable (exp epsilon) delta (P 0%N) (P n).
Definition mixed_lower_of_groups (ns : seq notion) (g : nat) (epsilon delta : R) :=
  exists ns', Permutation ns ns' /\ exists n (Y : finType) (P : nat -> Y -> R),
  [/\ (n <= g)%N, mixed_path n ns' P & ~ indistinguishable (exp epsilon) delta (P 0%N) (P n)].

Lemma mixed_path_distribution n ns (Y : finType) (P : nat -> Y -> R) i : (i <= n)%N ->
  mixed_path n ns P -> distribution (P i).
Proof.
move=> le; elim=> [|m {}ns {}Y Z {}P P' D _ _ IH].
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
by apply: distribution_pair => [|y]; [exact: D|exact: IH].
Qed.

(** Databases i and i + 1 of the path are neighbours. *)
Lemma mixed_path_neighbours n ns (Y : finType) (P : nat -> Y -> R) i : (i < n)%N ->
  mixed_path n ns P -> mixed_composition G ns (P i) (P i.+1).
Proof.
move=> lt; elim=> [|m {}ns {}Y Z {}P P' _ H _ IH]; first exact: MixedNil.
by apply: (@MixedCons G m ns Y Z (P i) (P i.+1) (P' i) (P' i.+1)) => //; exact: H.
Qed.

(** Neighbours are joined by a path of one step. *)
Lemma mixed_path_of_one ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  exists W : nat -> Y -> R, [/\ mixed_path 1 ns W, W 0%N =1 P & W 1%N =1 Q].
Proof.
elim=> {ns Y P Q} [|m ns Y Z P Q P' Q' S _ /fin_all_exists[W H]].
  by exists (fun _ _ => 1); split=> //; exact: MixedPathNil.
exists (fun i p => (if i is 0 then P else Q) p.1 * W p.1 i p.2); split=> [|p|p].
- apply: (@MixedPathCons 1 m ns Y Z (fun i => if i is 0 then P else Q) (fun i y => W y i)).
  + by case: S => dP dQ _ [].
  + by case.
  + by move=> y; have [] := H y.
- by have [_ -> _] := H p.1.
- by have [_ _ ->] := H p.1.
Qed.

(** 11.16 [group]. *)
Theorem rule_group_privacy_upper_mixed ns g epsilon delta epsilon' delta' :
  mixed_upper G ns epsilon delta -> 0 <= epsilon -> 0 <= delta -> epsilon *+ g <= epsilon' ->
  delta * (\sum_(i < g) exp epsilon ^+ i) <= delta' -> mixed_upper_of_groups ns g epsilon' delta'.
Proof.
move=> U e0 d0 e d ns' p n Y W le H; apply: (@steps_indistinguishable _ _ _ _ e0 d0 _ g) => //.
- by move=> i lt; exact: mixed_path_distribution H.
- by move=> i lt; apply: (U _ p); exact: mixed_path_neighbours H.
Qed.

Theorem rule_group_privacy_lower_mixed ns g epsilon delta :
  mixed_lower G ns epsilon delta -> (0 < g)%N -> mixed_lower_of_groups ns g epsilon delta.
Proof.
move=> [ns' [p [Y [P [Q [/mixed_path_of_one[W [H W0 W1]] n]]]]]] g0.
exists ns'; split=> //; exists 1%N, Y, W; split=> // -[h1 h2]; apply: n.
have e (u v : Y -> R) (S : {set Y}) : u =1 v -> \sum_(y in S) u y = \sum_(y in S) v y.
  by move=> uv; apply: eq_bigr => y _.
split=> S.
- by have := h1 S; rewrite (e _ _ _ W0) (e _ _ _ W1).
- by have := h2 S; rewrite (e _ _ _ W0) (e _ _ _ W1).
Qed.

(** To stay at a database is a step as well. *)
Lemma G_self mu epsilon : pos (1 - exp epsilon) <= G mu epsilon.
Proof.
rewrite /G; case: ifP => // /RltP m0; apply: pos_le; last first.
  by apply/RleP/Rlt_le/ProfileShape.profile_pos.
apply/RleP; rewrite ProfileReflection.profile_reflect.
have := ProfileShape.profile_pos mu m0 (- epsilon)%coqR; have := exp_pos epsilon.
move=> h1 h2; have := Rmult_lt_0_compat _ _ h1 h2.
change (1 - exp epsilon) with (1 - exp epsilon)%coqR; lra.
Qed.

Lemma satisfies_self n (Y : finType) (P : Y -> R) : proper_notion n -> distribution P ->
  satisfies G n P P.
Proof.
move=> w dP; have [P0 P1] := dP.
have stay e d : pos (1 - exp e) <= d -> indistinguishable (exp e) d P P.
  move=> h; suff H (S : {set Y}) : \sum_(y in S) P y <= exp e * (\sum_(y in S) P y) + d by split.
  rewrite -ler_subl_addl; apply: le_trans h; set s := \sum_(y in S) _.
  have s0 : 0 <= s by exact: sumr_ge0.
  have s1 : s <= 1 by rewrite -P1 [X in _ <= X](bigID (mem S)) /= ler_addl sumr_ge0.
  rewrite -{1}[s]mul1r -mulrBl; apply: le_trans (ler_wpmul2r s0 (le_pos _)) _.
  by rewrite ler_pimulr // pos_ge0.
split=> //; case: n w => [e d /= /and3P[e0 d0 _]|mu _ e|rho r0 a a1 m].
- by apply: stay; rewrite pos_0 // subr_le0 exp_ge1.
- exact: stay (G_self _ _).
have a0 : 0 < a by exact: lt_trans ltr01 a1.
have m1 : 1 <= m by rewrite exp_ge1 !mulr_ge0 ?subr_ge0 ?(ltW a0) ?(ltW a1).
by have [s h] := moment_self a dP; split; split=> //; exact: le_trans h m1.
Qed.

Lemma padded m (Y : finType) (P : nat -> Y -> R) n : proper_notion m ->
  (forall i, (i <= n)%N -> distribution (P i)) ->
  (forall i, (i < n)%N -> satisfies G m (P i) (P i.+1)) ->
  forall i, satisfies G m (P (minn i n)) (P (minn i.+1 n)).
Proof.
move=> w D H i; case: (ltnP i n) => h; first by rewrite (minn_idPl h); exact: H.
by rewrite (minn_idPr (leqW h)); apply: satisfies_self => //; exact: D.
Qed.

(** The profile of mu + m, through those of mu and of m where the same test is the best. *)
Section Split.
Local Open Scope R_scope.
Lemma profile_split mu m e : 0 < mu -> 0 < m -> exists e1 e2, e1 + e2 = e /\
  Normal.profile (mu + m) e = Normal.profile mu e1 + exp e1 * Normal.profile m e2.
Proof.
move=> u0 m0; pose x := (mu + m) / 2 - e / (mu + m); pose e1 := mu * (mu / 2 - x).
exists e1, (e - e1); split; first by ring.
rewrite /Normal.profile -/x.
have -> : mu / 2 - e1 / mu = x by rewrite /e1; field; lra.
have -> : - (mu / 2) - e1 / mu = x - mu by rewrite /e1; field; lra.
have -> : m / 2 - (e - e1) / m = x - mu by rewrite /e1 /x; field; lra.
have -> : - (m / 2) - (e - e1) / m = x - (mu + m) by rewrite /e1 /x; field; lra.
have -> : - ((mu + m) / 2) - e / (mu + m) = x - (mu + m) by rewrite /x; field; lra.
have {1}-> : exp e = exp e1 * exp (e - e1)%coqR by rewrite -exp_plus; f_equal; ring.
by ring.
Qed.
End Split.

Lemma G_split mu n e : 0 <= mu -> exists e1 e2, e1 + e2 = e /\
  G mu e1 + exp e1 * G (mu *+ n) e2 = G (mu *+ n.+1) e.
Proof.
rewrite le_eqVlt => /orP[/eqP <-|mu0].
  by exists 0, e; rewrite add0r exp_0 !mul0rn /G ltxx exp_0 subrr pos_0 // add0r mul1r.
case: n => [|n].
  by exists e, 0; rewrite addr0 mulr0n mulr1n {2}/G ltxx exp_0 subrr pos_0 // mulr0 addr0.
have m0 : 0 < mu *+ n.+1 by rewrite pmulrn_lgt0.
have [e1 [e2 [e12 h]]] := profile_split e (elimT (RltP _ _) mu0) (elimT (RltP _ _) m0).
by exists e1, e2; split=> //; rewrite (mulrS _ n.+1) /G mu0 m0 addr_gt0.
Qed.

(** mu-Gaussian DP along a path: Dong, Roth & Su, JRSSB 84(1), 2022, Theorem 2.14. *)
Theorem gaussian_groups mu g (Y : finType) (P : nat -> Y -> R) : 0 <= mu ->
  (forall i, distribution (P i)) ->
  (forall i, satisfies G (Gaussian mu) (P i) (P i.+1)) ->
  satisfies G (Gaussian (mu *+ g)) (P 0%N) (P g).
Proof.
move=> mu0 D H.
have chain n : forall W : nat -> Y -> R, distribution (W n) ->
    (forall i, (i < n)%N -> satisfies G (Gaussian mu) (W i) (W i.+1)) -> forall e (S : {set Y}),
    \sum_(y in S) W 0%N y <= exp e * (\sum_(y in S) W n y) + G (mu *+ n) e.
  elim: n => [|n IH] W dW HW e S.
    have [_ _ /(_ e)[h _]] := @satisfies_self (Gaussian 0) _ _ (lexx 0) dW; exact: h.
  have [e1 [e2 [<- <-]]] := G_split n e mu0; have [_ _ /(_ e1)[h _]] := HW 0%N isT.
  apply: le_trans (h S) _; rewrite expD -mulrA addrCA [X in _ <= X]addrC ler_add2r -mulrDr.
  by rewrite ler_pmul2l ?exp_gt0 //; apply: (IH (fun i => W i.+1)) => // i lt; exact: HW.
split=> // e; split=> S; first exact: chain.
have := chain g (fun i => P (g - i)%N) (D _); rewrite /= subn0 subnn; apply=> i lt.
by rewrite -(subnSK lt); exact: satisfies_sym.
Qed.

(** The moments at a of p to q, from those at b of p to r and at k a of r to q: exp is convex. *)
Section Triangle.
Local Open Scope R_scope.
Local Arguments exp _%coqR.

Lemma exp_convex l x y : 0 <= l <= 1 -> exp (l * x + (1 - l) * y) <= l * exp x + (1 - l) * exp y.
Proof.
move=> l01; set z := l * x + (1 - l) * y.
have tangent t : exp z * (1 + (t - z)) <= exp t.
  have {2}-> : t = z + (t - z) by ring.
  by rewrite exp_plus; apply: Rmult_le_compat_l; [exact: Rlt_le (exp_pos _)|exact: exp_ineq1_le].
have -> : exp z = l * (exp z * (1 + (x - z))) + (1 - l) * (exp z * (1 + (y - z))).
  by rewrite {3 5}/z; ring.
by apply: Rplus_le_compat; apply: Rmult_le_compat_l; [lra|exact: tangent|lra|exact: tangent].
Qed.

Lemma orders k a rho : 1 < k -> 1 < a -> exists b c A B, [/\ 1 < b, 1 < c, 0 <= A, 0 <= B &
  A * exp (b * (b - 1) * ((k - 1) * (k - 1) * rho)) + B * exp (c * (c - 1) * rho) =
    exp (a * (a - 1) * (k * k * rho)) /\
  forall p r q, exp (a * p + (1 - a) * q) <=
    A * exp (b * p + (1 - b) * r) + B * exp (c * r + (1 - c) * q)].
Proof.
move=> k1 a1; pose b := (k * a - 1) / (k - 1); pose c := k * a; pose l := a / b.
pose X := b * (b - 1) * ((k - 1) * (k - 1) * rho); pose Y := c * (c - 1) * rho.
pose Z := a * (a - 1) * (k * k * rho).
have c1 : 1 < c by rewrite /c; nra.
have b1 : 1 < b by apply: (Rmult_lt_reg_r (k - 1)); rewrite /b; [lra|field_simplify; [nra|lra]].
have lE : l = a * (k - 1) / (k * a - 1) by rewrite /l /b; field; rewrite /c in c1; lra.
have l01 : 0 <= l <= 1.
  rewrite lE; rewrite /c in c1; split; first by apply: Rdiv_le_0_compat; nra.
  by apply: (proj2 (Rle_div_l _ _ _ _)); nra.
exists b, c, (l * exp (Z - X)), ((1 - l) * exp (Z - Y)); split=> //.
- by apply: Rmult_le_pos; [lra|exact: Rlt_le (exp_pos _)].
- by apply: Rmult_le_pos; [lra|exact: Rlt_le (exp_pos _)].
rewrite -/X -/Y -/Z; split=> [|p r q].
  rewrite (Rmult_assoc l) (Rmult_assoc (1 - l)) -!exp_plus.
  have -> : Z - X + X = Z by ring.
  have -> : Z - Y + Y = Z by ring.
  by ring.
rewrite (Rmult_assoc l) (Rmult_assoc (1 - l)) -!exp_plus.
have {1}-> : a * p + (1 - a) * q =
  l * (Z - X + (b * p + (1 - b) * r)) + (1 - l) * (Z - Y + (c * r + (1 - c) * q)).
  rewrite lE /Z /X /Y /b /c; field; rewrite /c in c1; lra.
exact: exp_convex.
Qed.
End Triangle.

Lemma moment_triangle k rho a (Y : finType) (P W Q : Y -> R) : 1 < k -> 1 < a ->
  distribution P -> distribution W -> distribution Q ->
  (forall b, 1 < b -> moment_at_most b (exp (b * (b - 1) * ((k - 1) * (k - 1) * rho))) P W) ->
  (forall c, 1 < c -> moment_at_most c (exp (c * (c - 1) * rho)) W Q) ->
  moment_at_most a (exp (a * (a - 1) * (k * k * rho))) P Q.
Proof.
move=> /RltP k1 /RltP a1 [P0 _] [W0 _] [Q0 _] HP HW.
have [b [c [A [B [/RltP b1 /RltP c1 /RleP A0 /RleP B0 [e H]]]]]] := orders rho k1 a1.
have [sP mP] := HP b b1; have [sW mW] := HW c c1; split=> [y /sW/sP //|].
rewrite -[X in _ <= X]e.
apply: (@le_trans _ _ (\sum_y (A * power_term b (P y) (W y) + B * power_term c (W y) (Q y)))).
  apply: ler_sum => y _; have [->|[p0 w0]] := supported (P0 y) (W0 y) (@sP y).
    by rewrite power_term0 addr_ge0 // mulr_ge0 // power_term_ge0.
  by rewrite /power_term p0 w0; apply/RleP; exact: H.
by rewrite big_split /= -!mulr_sumr; apply: ler_add; exact: ler_wpmul2l.
Qed.

(** rho-zCDP along a path: Bun & Steinke, TCC 2016-B, Proposition 1.9. *)
Theorem concentrated_groups rho g (Y : finType) (P : nat -> Y -> R) :
  (forall i, distribution (P i)) ->
  (forall i, satisfies G (Concentrated rho) (P i) (P i.+1)) ->
  satisfies G (Concentrated (rho *+ g ^ 2)) (P 0%N) (P g).
Proof.
move=> D H.
have chain n : forall W : nat -> Y -> R, (forall i, distribution (W i)) ->
    (forall i, (i < n)%N -> satisfies G (Concentrated rho) (W i) (W i.+1)) -> forall a, 1 < a ->
    moment_at_most a (exp (a * (a - 1) * (n%:R * n%:R * rho))) (W 0%N) (W n).
  elim: n => [|n IH] W dW HW a a1; first by rewrite !mul0r mulr0 exp_0; exact: moment_self.
  have last c : 1 < c -> moment_at_most c (exp (c * (c - 1) * rho)) (W n) (W n.+1).
    by move=> c1; have [_ _ /(_ c c1)[]] := HW n (ltnSn n).
  case: n IH HW last => [|n] IH HW last; first by rewrite !mul1r; exact: last.
  apply: (moment_triangle _ a1 (dW 0%N) (dW n.+1) (dW n.+2) _ last) => [|b b1].
    by rewrite ltr1n.
  by rewrite -[n.+2]addn1 natrD addrK; apply: IH => // i lt; exact: HW (ltnW lt).
split=> // a a1 /=; have -> : rho *+ g ^ 2 = g%:R * g%:R * rho by rewrite -natrM mulr_natl mulnn.
split; first exact: chain.
have := chain g (fun i => P (g - i)%N) (fun i => D _); rewrite /= subn0 subnn; apply=> // i lt.
by rewrite -(subnSK lt); exact: satisfies_sym.
Qed.

(** What a mechanism is for a group of g. *)
Definition for_group g (n n' : notion) : Prop :=
  match n, n' with
  | Approximate e d, Approximate e' d' => e' = e *+ g /\ d * (\sum_(i < g) exp e ^+ i) <= d'
  | Gaussian mu, Gaussian mu' => mu' = mu *+ g
  | Concentrated rho, Concentrated rho' => rho' = rho *+ g ^ 2
  | _, _ => False
  end.

Lemma satisfies_for_group n g m m' (Y : finType) (P : nat -> Y -> R) : (n <= g)%N ->
  proper_notion m -> for_group g m m' -> (forall i, (i <= n)%N -> distribution (P i)) ->
  (forall i, (i < n)%N -> satisfies G m (P i) (P i.+1)) -> satisfies G m' (P 0%N) (P n).
Proof.
move=> le w f D /(padded w D) H.
have {}D i : distribution (P (minn i n)) by apply: D; exact: geq_minr.
rewrite -{1}(min0n n) -{2}(minn_idPr le).
case: m m' w f H => [e d|mu|rho] [e' d'|mu'|rho'] //= w f H.
- have /and3P[e0 d0 _] := w; have [-> le_d] := f.
  split=> //; apply: (@steps_indistinguishable _ (fun i => P (minn i n)) _ _ e0 d0 g g) => // i _.
  by case: (H i).
- by rewrite f; exact: (gaussian_groups g w D H).
- by rewrite f; exact: (concentrated_groups g D H).
Qed.

Lemma mixed_path_ends n g ns ms (Y : finType) (W : nat -> Y -> R) : (n <= g)%N ->
  all proper_notion ns -> List.Forall2 (for_group g) ns ms -> mixed_path n ns W ->
  mixed_composition G ms (W 0%N) (W n).
Proof.
move=> le + + C; elim: C ms => {ns Y W} [|m ns Y Z P P' D H _ IH] ms.
  by move=> _ F; inversion F; exact: MixedNil.
move=> /= /andP[w W] F; inversion_clear F as [|? m' ? ms' f F'].
apply: (@MixedCons G m' ms' Y Z (P 0%N) (P n) (P' 0%N) (P' n)) => [|y]; last exact: IH.
exact: satisfies_for_group f D H.
Qed.

(** 11.16 [group], by what each mechanism is. *)
Theorem rule_group_mechanisms_mixed ns ms g epsilon delta : all proper_notion ns ->
  List.Forall2 (for_group g) ns ms -> mixed_upper G ms epsilon delta ->
  mixed_upper_of_groups ns g epsilon delta.
Proof.
move=> W F U ns' p n Y P le C; have [ms' [p' F']] := Permutation_Forall2 p F.
by apply: (U _ p'); apply: mixed_path_ends F' C; rewrite // -(all_permutation _ p).
Qed.
