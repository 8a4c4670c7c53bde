(** 7.4 [atoms], exact masses: finite tables beside randomized responses.

    Of a choice of one row of each table, p and q are the products of its probabilities.  The overlap at
    the weights a and b is the sum of min(a p, b q) over all choices; the divergence of the product is what
    is left of a ([divergence_overlap]).  It bounds every composition of mechanisms that the tables stand
    for, failures apart ([half_by_tables]), and some composition attains it ([lower_by_tables]).  Rows with
    equal ratios p/q may be added up ([overlap_parallel]): so the choices are collected loss by loss. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Losses Reals Rules Notions Failures RulesGaussian.
From ExactDP Require Import CellsOfNormal GaussianComposition GaussianAttainment NormalCurve NoiseLedgers NoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition rows := seq (R * R).
Implicit Types (t : rows) (ts : seq rows) (f g : R -> R -> R) (a b c y : R).

(** The sum of f over all choices. *)
Fixpoint over_choices f ts a b : R :=
  if ts is t :: ts' then (\sum_(x <- t) over_choices f ts' (a * x.1)%R (b * x.2)%R)%R else f a b.
Global Arguments over_choices f ts a%R b%R.

Definition overlap := over_choices (fun a b => Num.min a b).
Global Arguments overlap ts a%R b%R.
Definition row_ge0 (x : R * R) : bool := (0 <= x.1) && (0 <= x.2).
Definition table_law t : bool := law_proper (unzip1 t) && law_proper (unzip2 t).

Lemma table_law_ge0 t : table_law t -> all row_ge0 t.
Proof.
case/andP=> /andP[p _] /andP[q _]; apply/allP => x xt; rewrite /row_ge0.
by rewrite (allP p) ?(allP q) // map_f.
Qed.

Lemma table_law_sum t : table_law t -> \sum_(x <- t) x.1 = 1.
Proof. by case/andP=> /andP[_ /eqP <-] _; rewrite big_map. Qed.

Lemma eq_choices f g ts a b : (forall a b, f a b = g a b) -> over_choices f ts a b = over_choices g ts a b.
Proof. by move=> e; elim: ts a b => [|t ts IH] a b //=; apply: eq_bigr => x _. Qed.

Lemma over_choices_cat f ts ts' a b : over_choices f (ts ++ ts') a b = over_choices (over_choices f ts') ts a b.
Proof. by elim: ts a b => [|t ts IH] a b //=; apply: eq_bigr => x _. Qed.

(** A further choice may come last. *)
Lemma choices_exchange (I : Type) (r : seq I) (u v : I -> R) f ts a b :
  \sum_(i <- r) over_choices f ts (a * u i) (b * v i) =
  over_choices (fun a b => \sum_(i <- r) f (a * u i)%R (b * v i)%R) ts a b.
Proof.
elim: ts a b => [|t ts IH] a b //=; rewrite exchange_big; apply: eq_bigr => x _.
by rewrite -IH; apply: eq_bigr => i _; rewrite mulrAC [b * _ * _]mulrAC.
Qed.

Lemma choices_permutation f ts ts' a b : Permutation ts ts' -> over_choices f ts a b = over_choices f ts' a b.
Proof.
move=> p; elim: p a b => {ts ts'} [|t ts ts' _ IH|t t' ts|ts1 ts2 ts3 _ IH _ IH'] a b //=.
- by apply: eq_bigr => x _.
- rewrite exchange_big; apply: eq_bigr => x _; apply: eq_bigr => z _.
  by rewrite mulrAC [b * _ * _]mulrAC.
by rewrite IH.
Qed.

Lemma choices_le f g ts a b : all (all row_ge0) ts -> 0 <= a -> 0 <= b ->
  (forall a b, 0 <= a -> 0 <= b -> f a b <= g a b) -> over_choices f ts a b <= over_choices g ts a b.
Proof.
move=> + a0 b0 h; elim: ts a b a0 b0 => [|t ts IH] a b a0 b0 /=; first by move=> _; exact: h.
case/andP=> /allP T W; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x /T/andP[p q].
by apply: IH => //; exact: mulr_ge0.
Qed.

Lemma choices_linear f ts a b (k l : R) : all table_law ts ->
  over_choices (fun a b => a * k + l * f a b) ts a b = a * k + l * over_choices f ts a b.
Proof.
elim: ts a b => [|t ts IH] a b //= /andP[T W].
under eq_bigr => x _ do rewrite IH //.
rewrite big_split /= -mulr_sumr; congr (_ + _).
by rewrite -mulr_suml -mulr_sumr table_law_sum // mulr1.
Qed.

Lemma laws_ge0 ts : all table_law ts -> all (all row_ge0) ts.
Proof. by apply: sub_all; exact: table_law_ge0. Qed.

Lemma minE a b : Num.min a b = a - pos (a - b).
Proof.
case: (leP a b) => h; first by rewrite pos_0 ?subr_le0 // subr0.
by rewrite pos_id ?subr_ge0 ?(ltW h) // subKr.
Qed.

(** The divergence of the product. *)
Lemma divergence_overlap ts a b : all table_law ts ->
  over_choices (fun a b => pos (a - b)) ts a b = a - overlap ts a b.
Proof.
move=> W; have := choices_linear (fun a b => Num.min a b) a b 1 (-1) W.
rewrite mulr1 mulN1r -/overlap => <-; apply: eq_choices => u v.
by rewrite mulr1 mulN1r minE subKr.
Qed.

(** --- rows with equal ratios, and scales --- *)

Lemma min_parallel a b a' b' : 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' -> a * b' = a' * b ->
  Num.min (a + a') (b + b') = Num.min a b + Num.min a' b'.
Proof.
have mixed (u v u' v' : R) : 0 <= u -> 0 <= v -> 0 <= u' -> 0 <= v' -> u * v' = u' * v -> v <= u -> u' < v' ->
    u = 0 /\ v = 0.
  move=> u0 v0 u'0 v'0 e le lt; have v'1 : 0 < v' := le_lt_trans u'0 lt.
  have h : v * (v' - u') <= 0.
    by rewrite mulrBr subr_le0 [v * u']mulrC -e ler_wpmul2r.
  have z : v = 0.
    by apply/le_anti; rewrite v0 andbT -(pmulr_lle0 _ (_ : 0 < v' - u')) ?subr_gt0.
  split=> //; move: e; rewrite z mulr0 => /eqP; rewrite mulf_eq0 (gt_eqF v'1) orbF; exact/eqP.
move=> a0 b0 a'0 b'0 e; case: (leP b a) => h; case: (leP b' a') => h'.
- by rewrite min_r // ler_add.
- by have [-> ->] := mixed _ _ _ _ a0 b0 a'0 b'0 e h h'; rewrite !add0r min_l // ltW.
- have [-> ->] := mixed _ _ _ _ a'0 b'0 a0 b0 (esym e) h' h; rewrite !addr0 min_l // ltW //.
by rewrite min_l // ler_add // ltW.
Qed.

Lemma overlap_parallel ts a b a' b' : all (all row_ge0) ts -> 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
  a * b' = a' * b -> overlap ts (a + a') (b + b') = overlap ts a b + overlap ts a' b'.
Proof.
rewrite /overlap; elim: ts a b a' b' => [|t ts IH] a b a' b' /=; first by move=> _; exact: min_parallel.
case/andP=> /allP T W a0 b0 a'0 b'0 e; rewrite -big_split /=; apply: eq_big_seq => x /T/andP[p q].
rewrite !mulrDl IH ?mulr_ge0 //.
by rewrite mulrACA e mulrACA.
Qed.

Lemma min_scale c a b : 0 <= c -> Num.min (c * a) (c * b) = c * Num.min a b.
Proof. by move=> c0; rewrite minr_pmulr. Qed.

Lemma overlap_scale ts c a b : 0 <= c -> overlap ts (c * a) (c * b) = c * overlap ts a b.
Proof.
move=> c0; rewrite /overlap; elim: ts a b => [|t ts IH] a b /=; first exact: min_scale.
by rewrite mulr_sumr; apply: eq_bigr => x _; rewrite -!mulrA IH.
Qed.

Lemma overlap_nothing ts a b : all (all row_ge0) ts -> 0 <= a -> 0 <= b -> (a == 0) || (b == 0) ->
  overlap ts a b = 0.
Proof.
rewrite /overlap; elim: ts a b => [|t ts IH] a b /=.
  by move=> _ a0 b0 /orP[/eqP ->|/eqP ->]; [rewrite min_l|rewrite min_r].
case/andP=> /allP T W a0 b0 z; rewrite big_seq big1 // => x /T/andP[p q]; apply: IH; rewrite ?mulr_ge0 //.
by case/orP: z => /eqP ->; rewrite mul0r eqxx ?orbT.
Qed.

(** What falls in the weight of the second law. *)
Lemma overlap_monotone ts a b b' : all (all row_ge0) ts -> b <= b' -> overlap ts a b <= overlap ts a b'.
Proof.
rewrite /overlap; elim: ts a b b' => [|t ts IH] a b b' /=; first by move=> _ h; rewrite le_minr le_minl lexx le_minl h orbT.
case/andP=> /allP T W h; rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => x /T/andP[p q].
by apply: IH => //; exact: ler_wpmul2r.
Qed.

(** The laws exchanged. *)
Lemma overlap_turned ts a b : overlap (map turned ts) a b = overlap ts b a.
Proof.
rewrite /overlap; elim: ts a b => [|t ts IH] a b /=; first exact: minC.
by rewrite /turned big_map; apply: eq_bigr => x _.
Qed.

(** --- from above --- *)

(** A mechanism with this noise is no more distinguishable than a table, but for its failures. *)
Definition shown_by_table (n : noise) t (k : R) : Prop := [/\ table_law t, 0 < k &
  forall (Y : finType) (P Q : Y -> R), has_noise n P Q -> forall a b, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= a * (1 - k) + k * \sum_(x <- t) pos (a * x.1 - b * x.2)].

Definition shown_table := (noise * rows * R)%type.
Definition noise_shown (d : shown_table) : noise := d.1.1.
Definition table_shown (d : shown_table) : rows := d.1.2.
Definition is_shown (d : shown_table) : Prop := shown_by_table (noise_shown d) (table_shown d) d.2.
Definition kept_in_all (ds : seq shown_table) : R := (\prod_(d <- ds) d.2)%R.
Implicit Types ds : seq shown_table.

Lemma shown_laws ds : List.Forall is_shown ds -> all table_law (map table_shown ds).
Proof. by elim=> //= d ds' [-> _ _] _ ->. Qed.

Lemma kept_in_all_gt0 ds : List.Forall is_shown ds -> 0 < kept_in_all ds.
Proof.
rewrite /kept_in_all; elim=> [|d ds' [_ k0 _] _ IH]; first by rewrite big_nil ltr01.
by rewrite big_cons mulr_gt0.
Qed.

Lemma composition_by_tables ds (Y : finType) (P Q : Y -> R) : List.Forall is_shown ds ->
  noisy_composition (map noise_shown ds) P Q -> forall a b, 0 <= a -> 0 <= b ->
  hockey_stick a b P Q <= a * (1 - kept_in_all ds) +
    kept_in_all ds * over_choices (fun a b => pos (a - b)) (map table_shown ds) a b.
Proof.
move E : (map noise_shown ds) => ns S C; elim: C ds S E => {ns Y P Q} [|n ns Y Z P Q P2 Q2 h _ IH] [|d ds] //= S.
  by move=> _ a b _ _; rewrite /kept_in_all big_nil subrr mulr0 add0r mul1r /hockey_stick big_const card_unit /= addr0 !mulr1.
case=> en E a b a0 b0; inversion S as [|? ? [law k0 one] rest]; subst.
have [[P0 P1] [Q0 _] _] := h; have K0 := ltW (kept_in_all_gt0 rest); have laws := shown_laws rest.
rewrite /kept_in_all big_cons -/(kept_in_all ds) hockey_stick_product.
apply: le_trans (ler_sum _ (fun z _ => IH z ds rest erefl _ _ (mulr_ge0 a0 (P0 z)) (mulr_ge0 b0 (Q0 z)))) _.
rewrite big_split /= -mulr_suml -!mulr_sumr P1 mulr1 (choices_exchange _ P Q).
have := choices_le (laws_ge0 laws) a0 b0 (one _ P Q h).
rewrite choices_linear // -(choices_exchange (table_shown d) fst snd (fun a b => pos (a - b))) => /(ler_wpmul2l K0) le.
apply: (@le_trans _ _ (a * (1 - kept_in_all ds) + kept_in_all ds * (a * (1 - d.2) + d.2 *
    \sum_(x <- table_shown d) over_choices (fun a b => pos (a - b)) (map table_shown ds) (a * x.1) (b * x.2)))).
  by rewrite ler_add2l.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (kept_in_all ds) d.2 (\sum_(x <- _) _) => K k V; ring.
Qed.

Lemma kept_permutation ds ds' : Permutation ds ds' -> kept_in_all ds = kept_in_all ds'.
Proof.
rewrite /kept_in_all; elim=> {ds ds'} [|d ds ds' _ IH|d d' ds|ds1 ds2 ds3 _ -> _ ->] //.
  by rewrite !big_cons IH.
by rewrite !big_cons mulrCA.
Qed.

(** 7.4, from above: mechanisms in any order. *)
Theorem half_by_tables ds ns (y delta : R) : List.Forall is_shown ds -> 0 <= y ->
  1 - overlap (map table_shown ds) 1 y <= 1 - (1 - delta) / kept_in_all ds ->
  Permutation (map noise_shown ds) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 y P Q <= delta.
Proof.
move=> S y0 check p Y P Q C; have [ds' [E p']] := @Permutation_map_inv _ _ noise_shown ns ds (Permutation_sym p); subst ns.
have S' : List.Forall is_shown ds'.
  by apply/List.Forall_forall => d /(Permutation_in _ (Permutation_sym p')); move: d; exact/List.Forall_forall.
have k0 := kept_in_all_gt0 S; apply: le_trans (composition_by_tables S' C ler01 y0) _.
rewrite (choices_permutation _ _ _ (Permutation_map table_shown (Permutation_sym p'))) -(kept_permutation p').
rewrite divergence_overlap ?shown_laws // mul1r.
have -> : delta = 1 - kept_in_all ds + kept_in_all ds * (1 - (1 - delta) / kept_in_all ds).
  by rewrite mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
by rewrite ler_add2l ler_pmul2l.
Qed.

(** --- what stands for a mechanism --- *)

(** Randomized response of x. *)
Definition response_table (x : R) : rows :=
  [:: (exp x / (1 + exp x), 1 / (1 + exp x)); (1 / (1 + exp x), exp x / (1 + exp x))].

Lemma response_law x : table_law (response_table x).
Proof.
have E0 := exp_gt0 x; have s0 : 0 < 1 + exp x by rewrite addr_gt0 ?ltr01.
have p0 : 0 <= exp x / (1 + exp x) by rewrite divr_ge0 // ltW.
have q0 : 0 <= 1 / (1 + exp x) by rewrite divr_ge0 ?ler01 // ltW.
have one : exp x / (1 + exp x) + 1 / (1 + exp x) = 1 by rewrite -mulrDl addrC divff // gt_eqF.
by rewrite /table_law /law_proper /= !big_cons big_nil !addr0 p0 q0 one addrC one eqxx.
Qed.

Lemma response_shown_by_table (e d : R) : proper_notion (Approximate e d) ->
  shown_by_table (OfNotion (Approximate e d)) (response_table e) (1 - d).
Proof.
move=> w; have /and3P[e0 d0 d1] := w; have k0 : 0 < 1 - d by rewrite subr_gt0.
split=> [||Y P Q [dP dQ h] a b a0 b0]; [exact: response_law|by []|].
have [P' [Q' [[dP' dQ' i] le]]] := failure_apart w h.
have [[P0 P1] [P'0 P'1]] := (dP, dP').
have -> : \sum_(x <- response_table e) pos (a * x.1 - b * x.2) =
    hockey_stick a b (GaussianComposition.response (exp e)) (fun u => GaussianComposition.response (exp e) (~~ u)).
  by rewrite /hockey_stick big_bool /= !big_cons big_nil addr0.
apply: (@le_trans _ _ (a * (1 - (1 - d)) + (1 - d) * hockey_stick a b P' Q')); last first.
  rewrite ler_add2l ler_pmul2l //; apply: dominated_by_response => //; exact: (DpPair dP' dQ' i).
have -> : a * (1 - (1 - d)) = \sum_z a * (P z - (1 - d) * P' z).
  by rewrite -mulr_sumr sumrB -mulr_sumr P1 P'1 mulr1.
rewrite /hockey_stick mulr_sumr -big_split /=; apply: ler_sum => z _; have [] := le z; rewrite [failure _]/= => hP hQ.
apply: pos_le; last by apply: addr_ge0; apply: mulr_ge0; rewrite ?subr_ge0 ?pos_ge0 // ltW.
apply: (@le_trans _ _ (a * (P z - (1 - d) * P' z) + (1 - d) * (a * P' z - b * Q' z))); last first.
  by rewrite ler_add2l ler_pmul2l // le_pos.
rewrite -subr_ge0.
have -> : a * (P z - (1 - d) * P' z) + (1 - d) * (a * P' z - b * Q' z) - (a * P z - b * Q z) =
    b * (Q z - (1 - d) * Q' z) by ring.
by rewrite mulr_ge0 // subr_ge0.
Qed.

Lemma table_shown_by_table t : table_law t -> shown_by_table (OfTable t) t 1.
Proof.
move=> law; split=> [//||Y P Q [[P0 _] [Q0 _] [h _]] a b a0 b0]; first exact: ltr01.
rewrite subrr mulr0 add0r mul1r -(sum_of_table (fun p q => pos (a * p - b * q)) t).
exact: (@hockey_stick_weights _ _ _ P Q (@law_with t) (@law_without t)).
Qed.

Lemma turned_law t : table_law t -> table_law (turned t).
Proof. by case/andP=> p q; apply/andP; rewrite /turned /unzip1 /unzip2 -!map_comp. Qed.

Lemma turned_beside_responses ts xs a b :
  overlap (map turned ts ++ map response_table xs) a b = overlap (ts ++ map response_table xs) b a.
Proof.
rewrite -[RHS]overlap_turned map_cat /overlap !over_choices_cat; apply: eq_choices => u v.
elim: xs u v => [|x xs IH] u v //=; rewrite !big_cons !big_nil /= !addr0 !IH; exact: addrC.
Qed.

Lemma table_drawn t : table_law t -> drawn (OfTable t) t.
Proof. by case/andP=> p q; split; [exact: (law_distribution p)|exact: (law_distribution q)|split]. Qed.

(** --- from below --- *)

Lemma total_choices f (ls : seq scored) a b :
  total addn 0%N ls (fun p q _ => f (a * p) (b * q)) = over_choices f (map unscored ls) a b.
Proof.
elim: ls a b => [|l ls IH] a b /=; first by rewrite !mulr1.
rewrite /unscored big_map; apply: eq_bigr => x _; rewrite -IH; apply: eq_total => p q _.
by rewrite !mulrA.
Qed.

Lemma mean_above_choices (mu : R) xs a b : 0 <= mu -> 0 <= a -> 0 <= b ->
  over_choices (fun a b => pos (a - b)) (map response_table xs) a b <= mean_curve mu xs a b.
Proof.
move=> mu0; elim: xs a b => [|x xs IH] a b a0 b0 /=.
  apply: pos_le; [exact: CellsOfNormal.curve_ge|exact: CellsOfNormal.curve_ge0].
rewrite big_bool !big_cons big_nil addr0 /=.
by apply: ler_add; apply: IH; rewrite mulr_ge0 // divr_ge0 ?ler01 ?addr_ge0 ?ler01 // ltW // exp_gt0.
Qed.

Theorem lower_by_tables ms (ds : seq (noise * rows)) (epsilon delta : R) : all proper_notion ms ->
  List.Forall (fun d => drawn d.1 d.2) ds -> all table_law (unzip2 ds) ->
  mixed_slack ms delta < 1 - overlap (unzip2 ds ++ map response_table (epsilons_of ms)) 1 (exp epsilon) ->
  noisy_lower (unzip1 ds ++ [seq OfNotion m | m <- ms]) epsilon delta.
Proof.
move=> W laws lawful gap; pose plain (t : rows) : scored := [seq (x, 0%N) | x <- t].
have plainK t : unscored (plain t) = t by rewrite /unscored /plain -map_comp map_id.
pose ss := [seq (d.1, plain d.2) | d <- ds].
have -> : unzip1 ds = unzip1 ss by rewrite /unzip1 /ss -map_comp.
apply: tables_tell => //.
  by rewrite /ss; elim: laws => //= d ds' h _ IH; constructor=> //=; rewrite plainK.
apply: lt_le_trans gap _; rewrite -divergence_overlap; last first.
  by rewrite all_cat lawful all_map; apply/allP => x _; exact: response_law.
rewrite over_choices_cat /of_responses /attained_over total_choices.
have -> : map unscored (unzip2 ss) = unzip2 ds.
  by rewrite /unzip2 /ss -!map_comp; apply: eq_map => d /=; exact: plainK.
apply: choices_le; rewrite ?ler01 ?(ltW (exp_gt0 _)) //; first exact: laws_ge0.
by move=> a b; apply: mean_above_choices; exact: below_ge0.
Qed.
