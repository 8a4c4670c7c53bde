(** Mechanisms that are captured by tables (OverlapTables.v), beside Gaussian mechanisms: what two laws
    have in common is then at least what the product of the tables has beside one normal pair, whose mu^2
    is the sum of all ([composition_beside_normal]); so one table for this pair stands for all Gaussian
    mechanisms ([noisy_half_beside]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions RulesGaussian.
From ExactDP Require Import NormalCurve NormalPairs CellsOfNormal GaussianComposition NoiseLedgers OverlapTables CheckerProfiles CurvePairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** What a normal pair has in common at the odds y. *)
Definition normal_overlap (m y : R) : R := (1 - curve m 1 y)%R.

Lemma normal_overlap_0 y : normal_overlap 0 y = lesser y.
Proof.
rewrite /normal_overlap curve_of_0 /lesser; case: leP => h.
  by rewrite pos_0; [rewrite subr0|rewrite subr_le0].
by rewrite pos_id; [rewrite opprB addrCA subrr addr0|rewrite subr_ge0 ltW].
Qed.

Lemma normal_in_common m : 0 <= m -> in_common (normal_overlap m).
Proof.
move=> m0; have c0 : curve m 1 0 = 1 by apply: NormalCurve.curve_certain; exact/RleP/ler01.
have add a b a' b' : 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
    curve m (a + a')%R (b + b')%R <= curve m a b + curve m a' b'.
  by move=> /RleP ? /RleP ? /RleP ? /RleP ?; apply/RleP; apply: NormalCurve.curve_add => //; exact/RleP.
split=> [|y y' y0 yy|l y y' l0 l1 y0 y'0]; rewrite /normal_overlap; first by rewrite c0 subrr.
  rewrite ler_add2l ler_opp2; have := add 1 y 0 (y' - y) ler01 y0 (lexx 0).
  by rewrite subr_ge0 curve0 ?subr_ge0 // !addr0 addrCA subrr addr0; apply.
have n0 : 0 <= 1 - l by rewrite subr_ge0.
have := add l (l * y) (1 - l) ((1 - l) * y') l0 (mulr_ge0 l0 y0) n0 (mulr_ge0 n0 y'0).
have scaled (c z : R) : 0 <= c -> 0 <= z -> curve m c (c * z)%R = c * curve m 1 z.
  by move=> c0' z0; rewrite -(curveM m0 c0' ler01 z0) mulr1.
rewrite !scaled // addrCA subrr addr0 => h.
have -> : l * (1 - curve m 1 y) + (1 - l) * (1 - curve m 1 y') =
  1 - (l * curve m 1 y + (1 - l) * curve m 1 y') by ring.
by rewrite ler_add2l ler_opp2.
Qed.

(** --- one mechanism before others --- *)

Definition table_inside (T : seq (R * R)) : bool := all (fun x : R * R => (0 <= x.1) && (0 < x.2)) T.

Lemma table_inside_above_0 T : table_inside T -> table_above_0 T.
Proof. by apply: sub_all => x /andP[-> /ltW ->]. Qed.

(** Some odds at which all of a table is in common. *)
Lemma far_out T : table_inside T -> exists2 y : R, (0 <= y)%R & all (fun x : R * R => 1 <= y * x.2) T.
Proof.
elim: T => [_|x T IH /= /andP[/andP[_ x0] T0]]; first by exists 0.
have [y y0 h] := IH T0; have i0 : 0 <= x.2^-1 by rewrite invr_ge0 ltW.
exists (y + x.2^-1); first exact: addr_ge0.
rewrite /= mulrDl mulVf ?gt_eqF // ler_addr mulr_ge0 ?(ltW x0) //=.
elim: T T0 h {IH} => //= z T IH /andP[/andP[_ z0] T0] /andP[z1 /(IH T0) ->].
by rewrite andbT mulrDl; apply: le_trans z1 _; rewrite ler_addl mulr_ge0 // ltW.
Qed.

Lemma table_weight T (Y : finType) (P Q : Y -> R) : table_inside T -> distribution P -> captured T P Q ->
  \sum_(x <- T) x.1 <= 1.
Proof.
move=> T0 [_ P1] cap; have [y y0 /allP far] := far_out T0.
apply: (@le_trans _ _ (mean [:: T] lesser y)).
  rewrite /= big_seq [X in _ <= X]big_seq; apply: ler_sum => x /far h.
  by rewrite /lesser min_l // mulr1.
apply: le_trans (cap y y0) _; rewrite -P1 /overlap; apply: ler_sum => o _.
by rewrite le_minl lexx.
Qed.

Lemma sum_of_seq (T : seq (R * R)) (f : R * R -> R) : \sum_(z < size T) f (tnth (in_tuple T) z) = \sum_(x <- T) f x.
Proof. by rewrite (big_tnth _ _ T). Qed.

(** A table is a pair of laws, with what its weights leave of 1 where only the first law is. *)
Lemma table_step m T (Y : finType) (P Q : Y -> R) : 0 <= m -> table_inside T -> distribution P -> distribution Q ->
  captured T P Q -> forall y : R, 0 <= y ->
  mean [:: T] (normal_overlap m) y <= \sum_o (P o - curve m (P o) (y * Q o)).
Proof.
move=> m0 T0 dP dQ cap y y0; have [[P0 P1] [Q0 Q1]] := (dP, dQ); have T1 := table_weight T0 dP cap.
have Tn := table_inside_above_0 T0.
pose P' (z : 'I_(size T).+1) : R := (if unlift ord0 z is Some i then (tnth (in_tuple T) i).1 else 1 - \sum_(x <- T) x.1)%R.
pose Q' (z : 'I_(size T).+1) : R := (if unlift ord0 z is Some i then (tnth (in_tuple T) i).1 * (tnth (in_tuple T) i).2 else 0)%R.
have PQ' : nonnegative_laws P' Q'.
  move=> z; rewrite /P' /Q'; case: (unlift ord0 z) => [i|]; last by rewrite subr_ge0 T1 lexx.
  by have /allP/(_ _ (mem_tnth i (in_tuple T)))/andP[a b] := Tn; rewrite a mulr_ge0.
have split_sum (f : option 'I_(size T) -> R) : \sum_z f (unlift ord0 z) = f None + \sum_(i < size T) f (Some i).
  by rewrite big_ord_recl unlift_none; congr (_ + _); apply: eq_bigr => i _; rewrite liftK.
have dom : forall z : R, 0 <= z -> hockey_stick 1 z P Q <= hockey_stick 1 z P' Q'.
  move=> z z0; rewrite hockey_stick_overlap P1; apply: (@le_trans _ _ (1 - mean [:: T] lesser z)).
    by rewrite ler_add2l ler_opp2; exact: cap.
  rewrite /hockey_stick (split_sum (fun o => pos (1 * (if o is Some i then (tnth (in_tuple T) i).1 else 1 - \sum_(x <- T) x.1)
    - z * (if o is Some i then (tnth (in_tuple T) i).1 * (tnth (in_tuple T) i).2 else 0)))) /=.
  rewrite mulr0 subr0 mul1r pos_id ?subr_ge0 //.
  rewrite (sum_of_seq T (fun x => pos (1 * x.1 - z * (x.1 * x.2)))) -addrA ler_add2l.
  rewrite -ler_subl_addl opprK addrC /= -sumrB big_seq [X in _ <= X]big_seq; apply: ler_sum => x xT.
  have /allP/(_ _ xT)/andP[a b] := Tn; rewrite mul1r.
  have -> : x.1 - z * (x.1 * x.2) = x.1 * (1 - z * x.2) by ring.
  rewrite posM // -[X in X - _]mulr1 -mulrBr; apply: ler_wpmul2l => //; rewrite /lesser.
  case: (leP 1 (z * x.2)) => h; first by rewrite subrr pos_ge0.
  by rewrite pos_id // subr_ge0 ltW.
have step := limit_monotone (limit_curve m0) dP dQ PQ' (fun a b a0 b0 => hockey_stick_weights
  (fun o => conj (P0 o) (Q0 o)) dom a0 b0) ler01 y0.
rewrite sumrB P1; apply: (@le_trans _ _ (1 - \sum_z curve m (1 * P' z) (y * Q' z))); last first.
  by rewrite ler_add2l ler_opp2; under [X in X <= _]eq_bigr do rewrite -[P _]mul1r.
rewrite (split_sum (fun o => curve m (1 * (if o is Some i then (tnth (in_tuple T) i).1 else 1 - \sum_(x <- T) x.1))
    (y * (if o is Some i then (tnth (in_tuple T) i).1 * (tnth (in_tuple T) i).2 else 0)))) /= mul1r mulr0.
have c0 : curve m (1 - \sum_(x <- T) x.1) 0 = 1 - \sum_(x <- T) x.1.
  have r0 : 0 <= 1 - \sum_(x <- T) x.1 by rewrite subr_ge0.
  by apply: NormalCurve.curve_certain; exact/RleP.
rewrite c0 opprD opprB addrA [1 + _]addrCA subrr addr0.
rewrite (sum_of_seq T (fun x => curve m (1 * x.1) (y * (x.1 * x.2)))) -sumrB.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x xT; have /allP/(_ _ xT)/andP[a b] := Tn.
rewrite /normal_overlap mulrBr mulr1 ler_add2l ler_opp2 mul1r.
have -> : y * (x.1 * x.2) = x.1 * (y * x.2) by ring.
by rewrite -{1}[x.1]mulr1 (curveM m0) ?ler01 // mulr_ge0.
Qed.

Lemma normal_step m mu (Y : finType) (P Q : Y -> R) : 0 <= m -> 0 <= mu -> satisfies G (Gaussian mu) P Q ->
  forall y : R, 0 <= y -> normal_overlap (both mu m) y <= \sum_o (P o - curve m (P o) (y * Q o)).
Proof.
move=> m0 mu0 h y y0; have [dP dQ _] := h; have [_ P1] := dP.
rewrite sumrB P1 /normal_overlap ler_add2l ler_opp2.
have := curve_composes mu0 m0 dP dQ (weights_of_gaussian mu0 h) ler01 y0.
by under eq_bigr do rewrite mul1r.
Qed.

Lemma beside_scaled m Ts p y q : 0 <= m -> 0 <= p -> 0 <= y -> 0 <= q -> all (@table_above_0 _) Ts ->
  mean Ts (fun z => p - curve m p (z * q)) y <= p * mean Ts (normal_overlap m) (y * q / p).
Proof.
move=> m0; rewrite le_eqVlt => /predU1P[<-|p0] y0 q0 Ts0.
  have zero : mean Ts (fun=> 0 : R) y = 0.
    by elim: Ts y {y0 Ts0} => //= T Ts IH y; rewrite big1 // => x _; rewrite IH mulr0.
  rewrite mul0r -[X in _ <= X]zero; apply: mean_le => // z z0.
  by rewrite curve0 ?subrr // mulr_ge0.
rewrite -meanZ -[y * q / p]mulrA -mean_scaled; apply: mean_le => // z z0.
rewrite /normal_overlap mulrBr mulr1 ler_add2l ler_opp2.
have zq : 0 <= z * (q / p) by rewrite mulr_ge0 // divr_ge0 // ltW.
have <- : curve m (p * 1) (p * (z * (q / p))) = p * curve m 1 (z * (q / p)).
  by apply: curveM => //; exact: ltW.
rewrite mulr1 le_eqVlt; apply/orP; left; apply/eqP; congr curve.
by rewrite mulrCA [p * _]mulrC divfK ?gt_eqF.
Qed.

(** --- all of them --- *)

(** What stands for a mechanism: a table that captures it, or its mu. *)
Inductive stand := ByTable of seq (R * R) | ByNormal of R.
Definition stands (x : noise * stand) : Prop :=
  match x.2 with
  | ByTable T => captures x.1 T /\ table_inside T
  | ByNormal mu => 0 <= mu /\ x.1 = OfNotion (Gaussian mu)
  end.
Definition tables_of (s : seq stand) : seq (seq (R * R)) := pmap (fun x => if x is ByTable T then Some T else None) s.
Definition squares_of (s : seq stand) : R := (\sum_(x <- s) (if x is ByNormal mu then mu ^+ 2 else 0))%R.

Lemma squares_of_ge0 s : 0 <= squares_of s.
Proof. by apply: sumr_ge0 => -[T|mu] _; rewrite ?sqr_ge0. Qed.

Lemma tables_of_above_0 xs : List.Forall stands xs -> all (@table_above_0 _) (tables_of (unzip2 xs)).
Proof.
elim=> //= -[n [T|mu]] {}xs h _ //= IH; rewrite /tables_of /= -/(tables_of _) IH andbT.
by case: h => _ /table_inside_above_0.
Qed.

(** One mechanism before others, whatever they are in the light of its answer. *)
Lemma before_others n s ss (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) (y : R) : stands (n, s) ->
  all (@table_above_0 _) (tables_of ss) -> has_noise n P Q -> (forall o p, 0 <= P' o p /\ 0 <= Q' o p) ->
  (forall o (z : R), 0 <= z ->
    mean (tables_of ss) (normal_overlap (sqrt (squares_of ss))) z <= overlap (P' o) (Q' o) z) -> 0 <= y ->
  mean (tables_of (s :: ss)) (normal_overlap (sqrt (squares_of (s :: ss)))) y <=
  overlap (fun p : Y * Z => P p.1 * P' p.1 p.2)%R (fun p => Q p.1 * Q' p.1 p.2)%R y.
Proof.
move=> one Ts0 hn nl IH y0; set Ts := tables_of ss in Ts0 IH *.
set m := sqrt (squares_of ss) in IH *; have m0 : 0 <= m by exact/RleP/sqrt_pos.
have [dP dQ _] := hn; have [[P0 P1] [Q0 Q1]] := (dP, dQ).
apply: (@le_trans _ _ (mean Ts (fun z => \sum_o (P o - curve m (P o) (z * Q o))) y)).
  case: s one => [T [cap T0]|mu [mu0 hm]].
    rewrite (_ : tables_of _ = [:: T] ++ Ts) // mean_cat meanC /squares_of big_cons add0r -/(squares_of _) -/m.
    by apply: mean_le => // z z0; apply: table_step => //; exact: cap.
  rewrite (_ : tables_of _ = Ts) //; have -> : sqrt (squares_of (ByNormal mu :: ss)) = both mu m.
    rewrite /both /m sqrt_sqrt; last exact/RleP/squares_of_ge0.
    by rewrite /squares_of big_cons expr2.
  have {}hm : n = OfNotion (Gaussian mu) := hm; rewrite hm in hn; case: hn => _ _ hn; apply: mean_le => // z z0; exact: normal_step.
have -> : overlap (fun p : Y * Z => P p.1 * P' p.1 p.2)%R (fun p => Q p.1 * Q' p.1 p.2)%R y =
    \sum_o \sum_p Num.min (P o * P' o p) (y * (Q o * Q' o p)).
  by rewrite /overlap -(pair_bigA _ (fun o p => Num.min (P o * P' o p)%R (y * (Q o * Q' o p))%R)).
have -> : mean Ts (fun z => \sum_o (P o - curve m (P o) (z * Q o))) y =
    \sum_o mean Ts (fun z => P o - curve m (P o) (z * Q o)) y.
  transitivity (mean Ts (fun z => \sum_o 1 * (P o - curve m (P o) (z * Q o))) y).
    by apply: eq_mean => z; apply: eq_bigr => o _; rewrite mul1r.
  by rewrite mean_sum; apply: eq_bigr => o _; rewrite mul1r.
apply: ler_sum => o _; apply: le_trans (beside_scaled m0 (P0 o) y0 (Q0 o) Ts0) _.
have [z0|p1] := eqVneq (P o) 0.
  rewrite z0 mul0r; apply: sumr_ge0 => p _; have [_ q1] := nl o p.
  by rewrite mul0r le_minr lexx !mulr_ge0.
have r0 : 0 <= y * Q o / P o by rewrite divr_ge0 // mulr_ge0.
apply: le_trans (ler_wpmul2l (P0 o) (IH o _ r0)) _; rewrite /overlap mulr_sumr; apply: ler_sum => p _.
rewrite minr_pmulr // le_eqVlt; apply/orP; left; apply/eqP; congr Num.min.
by rewrite mulrCA !mulrA divfK // mulrC !mulrA.
Qed.

Theorem composition_beside_normal (xs : seq (noise * stand)) (Y : finType) (P Q : Y -> R) : List.Forall stands xs ->
  noisy_composition (unzip1 xs) P Q -> forall y : R, 0 <= y ->
  mean (tables_of (unzip2 xs)) (normal_overlap (sqrt (squares_of (unzip2 xs)))) y <= overlap P Q y.
Proof.
move e : (unzip1 xs) => ns h C; elim: C xs e h => {ns Y P Q} [|n ns Y Z P Q P' Q' hn C IH] xs.
  case: xs => // _ _ y y0 /=; rewrite /squares_of big_nil sqrt_0 normal_overlap_0.
  by rewrite /overlap big_const card_unit /= addr0 mulr1.
case: xs => // -[n' s] xs; rewrite {1}/unzip1 [map _ _]/= => -[en ens] h y y0; rewrite [unzip2 _]/=.
have [one rest] : stands (n', s) /\ List.Forall stands xs by inversion h.
rewrite en in one; apply: (before_others one) => //; first exact: tables_of_above_0 rest.
  by move=> o; have [] := noisy_laws (C o).
by move=> o; exact: IH ens rest.
Qed.

Lemma squares_permutation s s' : Permutation s s' -> squares_of s = squares_of s'.
Proof.
rewrite /squares_of => p; elim: p => [|x {}s {}s' _ IH|x x' {}s|s1 s2 s3 _ IH _ IH'] //.
- by rewrite !big_cons IH.
- by rewrite !big_cons addrCA.
by rewrite IH.
Qed.

Lemma tables_permutation s s' : Permutation s s' -> Permutation (tables_of s) (tables_of s').
Proof.
rewrite /tables_of => p; elim: p => [|x {}s {}s' _ IH|x x' {}s|s1 s2 s3 _ IH _ IH'] /=.
- exact: Permutation.perm_nil.
- by case: x => [T|mu] //=; exact: perm_skip.
- case: x x' => [T|mu] [T'|mu'] /=; try exact: Permutation_refl; exact: perm_swap.
exact: Permutation.perm_trans IH IH'.
Qed.

(** Half of privacy, with tables for all Gaussian mechanisms together. *)
Theorem noisy_half_beside (xs : seq (noise * stand)) Ts epsilon (delta : R) :
  List.Forall stands xs ->
  (forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_of (unzip2 xs))) y) ->
  1 - delta <= mean (Ts ++ tables_of (unzip2 xs)) lesser (exp epsilon) ->
  forall ns, Permutation (unzip1 xs) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> h normal le ns p Y P Q C; have [xs' [e p']] := Permutation_map_inv _ _ (Permutation_sym p).
have h' : List.Forall stands xs' := Permutation_Forall p' h.
have E0 := ltW (exp_gt0 epsilon); have [_ P1] := noisy_laws C; rewrite e in C.
have := composition_beside_normal h' C E0; have q := Permutation_map snd p'.
rewrite (mean_permutation _ _ (Permutation_sym (tables_permutation q))) (squares_permutation (Permutation_sym q)) => b.
rewrite hockey_stick_overlap P1 ler_subl_addr -ler_subl_addl; apply: le_trans le (le_trans _ b).
rewrite mean_cat meanC; apply: mean_le normal => //; exact: tables_of_above_0.
Qed.
