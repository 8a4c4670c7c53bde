(** Mechanisms that are captured by tables or by their mu, beside others of which Rényi divergences are
    known: one table below all laws with these divergences stands for the latter, whatever the order
    ([composition_beside_divergent]), and so half of privacy is read off a product of tables
    ([divergent_half]): `mesh-upper`, where tables are listed. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Notions Failures RulesGaussian.
From ExactDP Require Import RulesProfiles NormalCurve NormalPairs CellsOfNormal GaussianComposition NoiseLedgers OverlapTables.
From ExactDP Require Import Moments CheckerProfiles TablesBesideNormal Sublinear BesideDivergences.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation curve := NormalCurve.curve.

(** --- sums over the outputs of a table --- *)

Lemma table_sum T (ok : table_ok T) (F : R -> R -> R) :
  \sum_z F (@first_law _ (table_pair ok) z) (@second_law _ (table_pair ok) z) =
  F (1 - total_weight T)%R 0%R + \sum_(x <- T) F x.1 (x.1 * x.2)%R.
Proof.
rewrite /= -(big_mkord xpredT (fun i => F (nth (0, 0) (with_infinity T) i).1
  ((nth (0, 0) (with_infinity T) i).1 * (nth (0, 0) (with_infinity T) i).2)%R)).
rewrite -[(size T).+1]/(size (with_infinity T)) -(big_nth (0, 0) xpredT (fun x => F x.1 (x.1 * x.2)%R)).
by rewrite big_cons /= mulr0.
Qed.

Lemma captured_dominated T (ok : table_ok T) (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  captured T P Q -> forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b (table_pair ok).
Proof.
move=> [P0 P1] [Q0 _] cap; apply: hockey_stick_weights => [|y y0]; first by [].
rewrite -/(at_weights (table_pair ok) 1 y) curve_of_pair curve_taken hockey_stick_overlap P1 ler_add2l ler_opp2.
apply: le_trans (cap y y0); rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => x _.
rewrite /lesser /cut; congr (_ * _); case: leP => h; first by rewrite pos_0 ?subr0 // subr_le0.
by rewrite pos_id ?subr_ge0 ?(ltW h) // opprB addrCA subrr addr0.
Qed.

(** --- tables beside a function of two weights --- *)

Definition with_tables (Ts : seq (seq (R * R))) (K : R -> R -> R) (a b : R) : R :=
  (a - mean Ts (fun z => a - K a z) b)%R.

Global Arguments with_tables _ _ _%R _%R.

Lemma with_tables_cons T Ts K (a b : R) : with_tables (T :: Ts) K a b =
  (1 - total_weight T) * a + \sum_(x <- T) x.1 * with_tables Ts K a (b * x.2).
Proof.
have e x : x.1 * with_tables Ts K a (b * x.2) = x.1 * a - x.1 * mean Ts (fun z => a - K a z) (b * x.2).
  by rewrite /with_tables mulrBr.
rewrite (eq_bigr _ (fun x _ => e x)) sumrB -mulr_suml -/(total_weight T) mulrBl mul1r addrA subrK //.
Qed.

Section WithTables.
Variable K : R -> R -> R.
Hypotheses (near : near_above K) (alone : forall c : R, 0 <= c -> K c 0%R = c)
  (scale : forall c a b : R, 0 <= c -> 0 <= a -> 0 <= b -> K (c * a)%R (c * b)%R = c * K a b).
Implicit Types Ts : seq (seq (R * R)).

Lemma with_tables_alone Ts (c : R) : 0 <= c -> with_tables Ts K c 0%R = c.
Proof.
move=> c0; elim: Ts => [|T Ts IH]; first by rewrite /with_tables /= alone // subKr.
rewrite with_tables_cons; under eq_bigr => x _ do rewrite mul0r IH.
by rewrite -mulr_suml -mulrDl subrK mul1r.
Qed.

Lemma with_tables_scale Ts (c a b : R) : all (@table_above_0 _) Ts -> 0 <= c -> 0 <= a -> 0 <= b ->
  with_tables Ts K (c * a) (c * b) = c * with_tables Ts K a b.
Proof.
move=> + c0 a0; elim: Ts b => [|T Ts IH] b /=; first by move=> _ b0; rewrite /with_tables /= !subKr scale.
case/andP=> /allP T0 Ts0 b0; rewrite !with_tables_cons mulrDr mulr_sumr mulrCA; congr (_ + _).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => x /T0/andP[_ x0].
by rewrite -mulrA IH ?mulr_ge0 // mulrCA.
Qed.

Lemma beside_table T (ok : table_ok T) Ts (a b : R) : all (@table_above_0 _) Ts -> 0 <= a -> 0 <= b ->
  beside (with_tables Ts K) (table_pair ok) a b = with_tables (T :: Ts) K a b.
Proof.
move=> Ts0 a0 b0; have /andP[/allP T0 T1] := ok.
rewrite /beside (table_sum ok (fun p q => with_tables Ts K (a * p) (b * q))) mulr0 with_tables_alone; last first.
  by rewrite mulr_ge0 // subr_ge0.
rewrite with_tables_cons [a * _]mulrC; congr (_ + _).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => x /T0/andP[w0 x0].
by rewrite mulrC [b * _]mulrCA with_tables_scale ?mulr_ge0.
Qed.

Lemma near_with_tables Ts : all (@table_ok _) Ts -> near_above (with_tables Ts K).
Proof.
elim: Ts => [_|T Ts IH /= /andP[ok Ts_ok]] tau t0.
  have [D h] := near t0; exists D => a b a0 b0; rewrite /with_tables /= subKr; exact: h.
have Ts0 : all (@table_above_0 _) Ts by apply: sub_all Ts_ok => T' /andP[].
pose c := (1 + \sum_(x <- T) x.1 * x.2)%R; have /andP[/allP T0 T1] := ok.
have s0 : 0 <= \sum_(x <- T) x.1 * x.2.
  by rewrite big_seq; apply: sumr_ge0 => x /T0/andP[? ?]; exact: mulr_ge0.
have c0 : 0 < c by rewrite ltr_spaddl ?ltr01.
have [E h] := IH Ts_ok _ (divr_gt0 t0 c0).
exists (times (table_pair ok) E) => a b a0 b0; rewrite -/(at_weights (times (table_pair ok) E) a b) at_timesE.
have D0 z : 0 <= @first_law _ (table_pair ok) z /\ 0 <= @second_law _ (table_pair ok) z := laws_ge0 z.
rewrite -(beside_table ok Ts0 a0 b0) /beside; apply/andP; split.
  by apply: ler_sum => z _; have [p q] := D0 z; case/andP: (h _ _ (mulr_ge0 a0 p) (mulr_ge0 b0 q)).
apply: (@le_trans _ _ (\sum_z (with_tables Ts K (a * @first_law _ (table_pair ok) z) (b * @second_law _ (table_pair ok) z)
    + tau / c * (a * @first_law _ (table_pair ok) z + b * @second_law _ (table_pair ok) z)))).
  by apply: ler_sum => z _; have [p q] := D0 z; case/andP: (h _ _ (mulr_ge0 a0 p) (mulr_ge0 b0 q)).
rewrite big_split /= ler_add2l -mulr_sumr (table_sum ok (fun p q => a * p + b * q)%R) mulr0 addr0.
rewrite big_split /= -!mulr_sumr addrA -mulrDr subrK mulr1 mulrAC ler_pdivr_mulr // -mulrA ler_pmul2l //.
rewrite mulrDl /c mulrDr mulr1 mulrDr mulr1; apply: ler_add; first by rewrite ler_addl mulr_ge0.
by rewrite ler_addr.
Qed.

(** What a pair dominates reveals no more than that pair. *)
Lemma near_monotone L (D : pair_of_laws) (Y : finType) (P Q : Y -> R) : near_above L -> distribution P -> distribution Q ->
  (forall a b : R, 0 <= a -> 0 <= b -> hockey_stick a b P Q <= HS a b D) ->
  forall a b : R, 0 <= a -> 0 <= b -> \sum_y L (a * P y)%R (b * Q y)%R <= beside L D a b.
Proof.
move=> lim [P0 P1] [Q0 Q1] dom a b a0 b0.
have D0 k : 0 <= @first_law _ D k /\ 0 <= @second_law _ D k := laws_ge0 k.
apply: (@le_of_every _ _ (a * (\sum_k @first_law _ D k) + b * (\sum_k @second_law _ D k))) => [|tau t0].
  by rewrite addr_ge0 ?mulr_ge0 ?sumr_ge0 // => k _; case: (D0 k).
have [E h] := lim _ t0.
apply: (@le_trans _ _ (\sum_y HS (a * P y) (b * Q y) E)).
  by apply: ler_sum => y _; case/andP: (h _ _ (mulr_ge0 a0 (P0 y)) (mulr_ge0 b0 (Q0 y))).
rewrite hockey_stick_exchange.
apply: (@le_trans _ _ (\sum_j HS (a * @first_law _ E j) (b * @second_law _ E j) D)).
  by apply: ler_sum => j _; have [e1 e2] : 0 <= @first_law _ E j /\ 0 <= @second_law _ E j := laws_ge0 j;
    apply: dom; exact: mulr_ge0.
have -> : tau * (a * (\sum_k @first_law _ D k) + b * (\sum_k @second_law _ D k)) =
    \sum_k tau * (a * @first_law _ D k + b * @second_law _ D k).
  by rewrite -mulr_sumr big_split /= -!mulr_sumr.
rewrite hockey_stick_exchange -big_split; apply: ler_sum => k _.
by have [p q] := D0 k; case/andP: (h _ _ (mulr_ge0 a0 p) (mulr_ge0 b0 q)).
Qed.
End WithTables.

(** --- the mechanisms of a list --- *)

Section Known.
Variables (orders : seq R) (orders1 : {in orders, forall a, 1 < a}).

(** What is known of a mechanism: a table that captures it, its mu, or logarithms of its moments. *)
Inductive known := KnownTable of seq (R * R) | KnownMu of R | KnownMoments of (R -> R).
Definition is_known (x : noise * known) : Prop :=
  match x.2 with
  | KnownTable T => captures x.1 T /\ table_inside T
  | KnownMu mu => 0 <= mu /\ x.1 = OfNotion (Gaussian mu)
  | KnownMoments m => some_moment orders m /\
      forall (Y : finType) (P Q : Y -> R), has_noise x.1 P Q -> of_moment orders m P Q
  end.
Definition tables_in (s : seq known) : seq (seq (R * R)) := pmap (fun x => if x is KnownTable T then Some T else None) s.
Definition squares_in (s : seq known) : R := (\sum_(x <- s) (if x is KnownMu mu then mu ^+ 2 else 0))%R.
Definition moments_in (s : seq known) (a : R) : R := (\sum_(x <- s) (if x is KnownMoments m then m a else 0))%R.
Definition revealed (s : seq known) : R -> R -> R := with_tables (tables_in s) (curve (sqrt (squares_in s))).

Lemma squares_in_ge0 s : 0 <= squares_in s.
Proof. by apply: sumr_ge0 => -[T|mu|m] _; rewrite ?sqr_ge0. Qed.

Lemma tables_in_above_0 xs : List.Forall is_known xs -> all (@table_above_0 _) (tables_in (unzip2 xs)).
Proof.
elim=> //= -[n [T|mu|m]] {}xs h _ //= IH; rewrite /tables_in /= -/(tables_in _) IH andbT.
by case: h => _ /table_inside_above_0.
Qed.

Lemma inside_ok T (Y : finType) (P Q : Y -> R) : table_inside T -> distribution P -> captured T P Q -> table_ok T.
Proof. by move=> T0 dP cap; apply/andP; split; [exact: table_inside_above_0|exact: table_weight T0 dP cap]. Qed.

Lemma outcome (Y : finType) (P : Y -> R) : distribution P -> exists y : Y, true.
Proof.
case=> _ P1; case: (pickP (fun _ : Y => true)) => [y _|none]; first by exists y.
by move: P1; rewrite big_pred0 // => /esym/eqP; rewrite oner_eq0.
Qed.

Lemma tables_in_ok xs (Y : finType) (P Q : Y -> R) : List.Forall is_known xs ->
  noisy_composition (unzip1 xs) P Q -> all (@table_ok _) (tables_in (unzip2 xs)).
Proof.
move=> + C; move e : (unzip1 xs) C => ns C; elim: C xs e => {ns Y P Q} [|n ns Y Z P Q P' Q' hn _ IH] [|[n' k] xs] //.
rewrite {1}/unzip1 [map _ _]/= => -[en ens] h; have [dP _ _] := hn; have [y _] := outcome dP.
have [one rest] : is_known (n', k) /\ List.Forall is_known xs by inversion h.
have := IH y xs ens rest; rewrite /tables_in /= -/(tables_in _); case: k one {h} => //= T [cap T0] ->.
by rewrite en in cap; rewrite andbT; exact: inside_ok T0 dP (cap _ _ _ hn).
Qed.

Lemma moments_in_ge0 xs : List.Forall is_known xs -> some_moment orders (moments_in (unzip2 xs)).
Proof.
move=> h a ain; elim: h => [|[n [T|mu|m]] {}xs h _ IH]; rewrite /moments_in /= ?big_nil // big_cons -/(moments_in _ _).
- by rewrite add0r.
- by rewrite add0r.
by apply: addr_ge0 => //; case: h => + _; exact.
Qed.

Section Curve.
Variables (m : R) (m0 : 0 <= m).
Lemma curve_near : near_above (curve m).
Proof. exact: near_above_sublinear (curve_sublinear m0). Qed.
Lemma curve_for_certain (c : R) : 0 <= c -> curve m c 0%R = c.
Proof. by move=> c0; apply: NormalCurve.curve_certain; exact/RleP. Qed.
Lemma curve_scale (c a b : R) : 0 <= c -> 0 <= a -> 0 <= b -> curve m (c * a)%R (c * b)%R = c * curve m a b.
Proof. exact: curveM. Qed.
End Curve.

(** A Gaussian mechanism before tables beside a normal pair. *)
Lemma normal_first mu m Ts (Y : finType) (P Q : Y -> R) (a b : R) : 0 <= mu -> 0 <= m -> all (@table_above_0 _) Ts ->
  satisfies G (Gaussian mu) P Q -> 0 <= a -> 0 <= b ->
  \sum_y with_tables Ts (curve m) (a * P y) (b * Q y) <= with_tables Ts (curve (both mu m)) a b.
Proof.
move=> mu0 m0 Ts0 h a0 b0; have [dP dQ _] := h; have [[P0 P1] [Q0 _]] := (dP, dQ).
rewrite /with_tables sumrB -mulr_sumr P1 mulr1 ler_add2l ler_opp2.
have -> : \sum_y mean Ts (fun z => a * P y - curve m (a * P y) z) (b * Q y) =
    mean Ts (fun z => \sum_y 1 * (a * P y - curve m (a * P y) (z * Q y))) b.
  rewrite mean_sum; apply: eq_bigr => y _; rewrite mul1r; apply: esym; exact: mean_scaled.
apply: mean_le => // z z0; under [X in _ <= X]eq_bigr do rewrite mul1r.
rewrite sumrB -mulr_sumr P1 mulr1 ler_add2l ler_opp2.
exact: (curve_composes mu0 m0 dP dQ (weights_of_gaussian mu0 h) a0 z0).
Qed.

(** One mechanism before others: whatever [x] is that all pairs above the others bound, given its answer. *)
Lemma known_step n k s D (Y : finType) (P Q : Y -> R) (a b x : R) : is_known (n, k) -> has_noise n P Q ->
  all (@table_ok _) (tables_in s) -> some_moment orders (moments_in s) -> above orders (moments_in (k :: s)) D ->
  0 <= a -> 0 <= b ->
  (forall D', above orders (moments_in s) D' -> x <= \sum_y beside (revealed s) D' (a * P y) (b * Q y)) ->
  x <= beside (revealed (k :: s)) D a b.
Proof.
move=> one hn Ts_ok M0 up a0 b0 h; set Ts := tables_in s in Ts_ok; set m := sqrt (squares_in s).
have m0 : 0 <= m by exact/RleP/sqrt_pos.
have Ts0 : all (@table_above_0 _) Ts by apply: sub_all Ts_ok => T /andP[].
have D0 j : 0 <= @first_law _ D j /\ 0 <= @second_law _ D j := laws_ge0 j.
have [dP dQ _] := hn; have [[P0 P1] [Q0 Q1]] := (dP, dQ).
have near : near_above (revealed s) := near_with_tables (curve_near m0) (@curve_for_certain m) (curve_scale m0) Ts_ok.
case: k one up => [T [cap T0]|mu [mu0 hm]|mo [mo0 hm]] up.
- apply: le_trans (h D (same_moment _ up)) _ => [y|]; first by rewrite /moments_in big_cons add0r.
  rewrite /beside exchange_big /=; apply: ler_sum => j _; have [p q] := D0 j.
  under eq_bigr => y _ do rewrite mulrAC [b * _ * _]mulrAC.
  have ok := inside_ok T0 dP (cap _ _ _ hn).
  apply: le_trans (near_monotone near dP dQ (captured_dominated ok dP dQ (cap _ _ _ hn)) (mulr_ge0 a0 p) (mulr_ge0 b0 q)) _.
  rewrite (beside_table (@curve_for_certain m) (curve_scale m0)) ?mulr_ge0 //.
  by rewrite /revealed /squares_in big_cons add0r.
- apply: le_trans (h D (same_moment _ up)) _ => [y|]; first by rewrite /moments_in big_cons add0r.
  rewrite /beside exchange_big /=; apply: ler_sum => j _; have [p q] := D0 j.
  under eq_bigr => y _ do rewrite mulrAC [b * _ * _]mulrAC.
  have {}hm : n = OfNotion (Gaussian mu) := hm; rewrite hm in hn; case: hn => _ _ hn.
  apply: le_trans (normal_first mu0 m0 Ts0 hn (mulr_ge0 a0 p) (mulr_ge0 b0 q)) _.
  have -> : both mu m = sqrt (squares_in (KnownMu mu :: s)); last by [].
  rewrite /both /m sqrt_sqrt; last exact/RleP/squares_in_ge0.
  by rewrite /squares_in big_cons expr2.
have -> : revealed (KnownMoments mo :: s) = revealed s by rewrite /revealed /squares_in big_cons add0r.
by apply: (beside_first near mo0 M0 (hm _ _ _ hn) _ a0 b0) h; apply: same_moment up => y; rewrite /moments_in big_cons.
Qed.

Lemma revealed_none D (a b : R) : above orders (moments_in [::]) D -> 0 <= a -> 0 <= b ->
  pos (a - b) <= beside (revealed [::]) D a b.
Proof.
move=> up a0 b0; have := up _ _ _ (unit_of_moment (@moments_in_ge0 [::] (List.Forall_nil _))) a b a0 b0.
rewrite /hockey_stick big_const card_unit /= addr0 !mulr1 => /le_trans; apply.
rewrite /beside /revealed /squares_in big_nil sqrt_0; apply: ler_sum => k _.
by rewrite /with_tables /= subKr curve_of_0.
Qed.

Lemma composition_beside_divergent (xs : seq (noise * known)) (Y : finType) (P Q : Y -> R) :
  List.Forall is_known xs -> noisy_composition (unzip1 xs) P Q ->
  forall D, above orders (moments_in (unzip2 xs)) D -> forall a b : R, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= beside (revealed (unzip2 xs)) D a b.
Proof.
move e : (unzip1 xs) => ns h C; elim: C xs e h => {ns Y P Q} [|n ns Y Z P Q P' Q' hn C IH] xs.
  case: xs => // _ _ D up a b a0 b0; rewrite /hockey_stick big_const card_unit /= addr0 !mulr1.
  exact: revealed_none.
case: xs => // -[n' k] xs; rewrite {1}/unzip1 [map _ _]/= => -[en ens] h D up a b a0 b0; rewrite [unzip2 _]/= in up *.
have [one rest] : is_known (n', k) /\ List.Forall is_known xs by inversion h.
have [y0 _] : exists y : Y, true by case: hn => /outcome.
have Ts_ok : all (@table_ok _) (tables_in (unzip2 xs)).
  by have := C y0; rewrite -ens; exact: tables_in_ok.
have [[P0 _] [Q0 _] _] := hn; rewrite hockey_stick_product en in one *.
apply: (known_step one hn Ts_ok (moments_in_ge0 rest) up a0 b0) => D' up'.
by apply: ler_sum => y _; apply: (IH y xs ens rest); rewrite ?mulr_ge0.
Qed.
End Known.

(** --- half of privacy --- *)

Section Half.
Variables (orders : seq R).
Implicit Types s : seq known.

Lemma sum_of_known (F : known -> R) s s' : Permutation s s' -> \sum_(x <- s) F x = \sum_(x <- s') F x.
Proof.
move=> p; elim: p => [|x {}s {}s' _ IH|x x' {}s|s1 s2 s3 _ IH _ IH'] //; last by rewrite IH.
  by rewrite !big_cons IH.
by rewrite !big_cons addrCA.
Qed.

Lemma squares_in_permutation s s' : Permutation s s' -> squares_in s = squares_in s'.
Proof. exact: sum_of_known. Qed.
Lemma moments_in_permutation s s' a : Permutation s s' -> moments_in s a = moments_in s' a.
Proof. exact: sum_of_known. Qed.

Lemma tables_in_permutation s s' : Permutation s s' -> Permutation (tables_in s) (tables_in s').
Proof.
rewrite /tables_in => p; elim: p => [|x {}s {}s' _ IH|x x' {}s|s1 s2 s3 _ IH _ IH'] /=.
- exact: Permutation.perm_nil.
- by case: x => [T|mu|m] //=; exact: perm_skip.
- case: x x' => [T|mu|m] [T'|mu'|m'] /=; try exact: Permutation_refl; exact: perm_swap.
exact: Permutation.perm_trans IH IH'.
Qed.

(** The tables multiplied, with tables for all Gaussian mechanisms together and one for all that are known by
    moments. *)
Lemma revealed_half s Ts T (ok : table_ok T) epsilon (delta : R) : all (@table_above_0 _) (tables_in s) ->
  (forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_in s)) y) ->
  1 - delta <= mean (Ts ++ T :: tables_in s) lesser (exp epsilon) ->
  beside (revealed s) (table_pair ok) 1 (exp epsilon) <= delta.
Proof.
move=> Ts0 normal le; have E0 := ltW (exp_gt0 epsilon); set m := sqrt (squares_in s) in normal *.
have m0 : 0 <= m by exact/RleP/sqrt_pos.
rewrite /revealed -/m (beside_table (@curve_for_certain m) (curve_scale m0)) ?ler01 //.
rewrite /with_tables ler_subl_addr -ler_subl_addl; apply: le_trans le _.
have T0 : table_above_0 T by case/andP: ok.
by rewrite mean_cat meanC; apply: (@mean_le _ (T :: tables_in s)) => //=; rewrite T0.
Qed.

(** What stands below all laws with these moments is above them as a pair. *)
Lemma below_above s T (ok : table_ok T) : (forall (Y : finType) (P Q : Y -> R), of_moment orders (moments_in s) P Q -> captured T P Q) ->
  above orders (moments_in s) (table_pair ok).
Proof. by move=> below Z S U h a b a0 b0; have [dS dU _] := h; apply: captured_dominated => //; exact: below. Qed.

Lemma same_half s s' Ts T (m : R) : Permutation s s' ->
  mean (Ts ++ T :: tables_in s) lesser m = mean (Ts ++ T :: tables_in s') lesser m.
Proof.
move=> p; apply: mean_permutation; apply: Permutation_app_head; apply: perm_skip; exact: tables_in_permutation.
Qed.

Lemma divergent_half (xs : seq (noise * known)) Ts T epsilon (delta : R) : List.Forall (is_known orders) xs ->
  (forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_in (unzip2 xs))) y) ->
  table_inside T -> (forall (Y : finType) (P Q : Y -> R), of_moment orders (moments_in (unzip2 xs)) P Q -> captured T P Q) ->
  1 - delta <= mean (Ts ++ T :: tables_in (unzip2 xs)) lesser (exp epsilon) ->
  forall ns, Permutation (unzip1 xs) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> h normal T0 below le ns p Y P Q C; have E0 := ltW (exp_gt0 epsilon).
have [xs' [e p']] := Permutation_map_inv _ _ (Permutation_sym p).
have h' : List.Forall (is_known orders) xs' := Permutation_Forall p' h; rewrite e in C.
have ok : table_ok T.
  have one := unit_of_moment (moments_in_ge0 h); apply: inside_ok T0 _ (below _ _ _ one); by case: one.
have q : Permutation (unzip2 xs) (unzip2 xs') := Permutation_map snd p'.
have up : above orders (moments_in (unzip2 xs')) (table_pair ok).
  by apply: same_moment (below_above ok below) => x; exact: moments_in_permutation.
apply: le_trans (composition_beside_divergent h' C up ler01 E0) _.
apply: (@revealed_half _ Ts) => [|y y0|]; first exact: tables_in_above_0 h'.
  by rewrite -(squares_in_permutation q); exact: normal.
by rewrite -(same_half _ _ _ q).
Qed.
End Half.
