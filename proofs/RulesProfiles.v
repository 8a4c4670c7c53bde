(** 11.5 [mesh-upper]: mechanisms that are dominated by pairs, from above.

    A table is a list of weights w with the z = e^-L of a loss L each; what is missing from 1 stands
    at an infinite loss ([table_pair]), so that its profile is
    sum w max(0, 1 - y z) + 1 - sum w ([curve]).  Each pair of a composition is replaced by one whose
    profile is nowhere below, products are taken in any order, and each product on the way is replaced
    in the same way ([evaluates]): that loses nothing ([evaluation_dominates]).  Rounding weights down,
    dropping them, raising a loss and splitting a weight between two losses do not lower a curve; and
    a profile that is at most that of a table at each dot is so between the dots ([dots_dominate]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition Domination.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Profiles.
Variable R : realFieldType.
Implicit Types (D E : finite_pair R) (Ds : seq (finite_pair R)) (y : R).

Definition at_weights D (a b : R) := hockey_stick a b (@first_law _ D) (@second_law _ D).
Definition below D E := forall a b, 0 <= a -> 0 <= b -> at_weights D a b <= at_weights E a b.

Definition times D E : finite_pair R := FinitePair (product_ge0 (@laws_ge0 _ D) (@laws_ge0 _ E)).

Lemma at_timesE D E a b : at_weights (times D E) a b =
  \sum_(z : outputs D) at_weights E (a * first_law z) (b * second_law z).
Proof. exact: (hockey_stick_product _ _ (fun=> @first_law _ E) (fun=> @second_law _ E)). Qed.

Lemma at_timesC D E a b : at_weights (times D E) a b = at_weights (times E D) a b.
Proof. by rewrite !at_timesE hockey_stick_exchange. Qed.

Lemma below_times D D' E E' : below D D' -> below E E' -> below (times D E) (times D' E').
Proof.
have right F G G' : below G G' -> below (times F G) (times F G').
  move=> h a b a0 b0; rewrite !at_timesE; apply: ler_sum => z _; have [p0 q0] := laws_ge0 z.
  by apply: h; rewrite mulr_ge0.
move=> h h' a b a0 b0; apply: le_trans (right D _ _ h' a b a0 b0) _.
by rewrite at_timesC [X in _ <= X]at_timesC; exact: (right E').
Qed.

Lemma at_product_cat Ds Ds' a b :
  at_weights (product_pair (Ds ++ Ds')) a b = at_weights (times (product_pair Ds) (product_pair Ds')) a b.
Proof.
elim: Ds a b => [|D Ds IH] a b.
  rewrite at_timesE /= (big_pred1 tt) => [|[]//]; by rewrite !mulr1.
rewrite [LHS](at_timesE D) at_timesE /=.
rewrite -(pair_bigA _ (fun x z => at_weights (product_pair Ds')
  (a * (first_law x * first_law z)) (b * (second_law x * second_law z)))) /=.
by apply: eq_bigr => x _; rewrite IH at_timesE; apply: eq_bigr => z _; rewrite !mulrA.
Qed.

Inductive evaluates : seq (finite_pair R) -> finite_pair R -> Prop :=
| Pair D : evaluates [:: D] D
| Product Ds Ds' E E' : evaluates Ds E -> evaluates Ds' E' -> evaluates (Ds ++ Ds') (times E E')
| Raised Ds E E' : evaluates Ds E -> below E E' -> evaluates Ds E'
| Reordered Ds Ds' E : evaluates (Ds ++ Ds') E -> evaluates (Ds' ++ Ds) E.

Theorem evaluation_dominates Ds E : evaluates Ds E -> below (product_pair Ds) E.
Proof.
elim=> {Ds E} [D|Ds Ds' E E' _ h _ h'|Ds E E' _ h h'|Ds Ds' E _ h] a b a0 b0.
- rewrite -[product_pair _]/(times D (product_pair [::])) at_timesC at_timesE (big_pred1 tt) => [|[]//].
  by rewrite !mulr1.
- rewrite at_product_cat; exact: below_times.
- by apply: le_trans (h a b a0 b0) _; exact: h'.
by rewrite at_product_cat at_timesC -at_product_cat; exact: h.
Qed.

(** --- tables --- *)

Implicit Types (T : seq (R * R)) (w z t : R).

(** Weights, and the z = e^-L of their losses. *)
Definition total_weight T := \sum_(x <- T) x.1.
Definition table_ok T := all (fun x : R * R => (0 <= x.1) && (0 <= x.2)) T && (total_weight T <= 1).
Definition curve T y := \sum_(x <- T) x.1 * pos (1 - y * x.2) + (1 - total_weight T).

Definition with_infinity T := (1 - total_weight T, 0) :: T.

Lemma table_ge0 T : table_ok T -> nonnegative_laws
  (fun i : 'I_(size T).+1 => (nth (0, 0) (with_infinity T) i).1)
  (fun i => (nth (0, 0) (with_infinity T) i).1 * (nth (0, 0) (with_infinity T) i).2).
Proof.
case/andP=> /allP pos0 le1 [[|i] lt] /=; first by rewrite mulr0 subr_ge0.
have /andP[w0 z0] := pos0 _ (mem_nth (0, 0) (lt : (i < size T)%N)).
by split=> //; exact: mulr_ge0.
Qed.

Definition table_pair T (ok : table_ok T) : finite_pair R := FinitePair (table_ge0 ok).

Lemma curve_of_pair T (ok : table_ok T) y : at_weights (table_pair ok) 1 y = curve T y.
Proof.
rewrite /at_weights /hockey_stick /=.
pose F (x : R * R) := pos (1 * x.1 - y * (x.1 * x.2)).
rewrite -[LHS](big_mkord xpredT (fun i => F (nth (0, 0) (with_infinity T) i))).
rewrite -[(size T).+1]/(size (with_infinity T)) -(big_nth (0, 0) xpredT F) big_cons /F /= mulr0 mulr0.
case/andP: ok => /allP pos0 le1; rewrite mul1r subr0 pos_id ?subr_ge0 // addrC; congr (_ + _).
apply: eq_big_seq => x /pos0/andP[w0 _].
by rewrite mul1r -posM // mulrBr mulr1 mulrCA.
Qed.

Lemma below_by_curves D E : (forall y, 0 <= y -> at_weights D 1 y <= at_weights E 1 y) -> below D E.
Proof. by move=> h a b a0 b0; apply: hockey_stick_weights => //; exact: laws_ge0. Qed.

(** What a table takes off 1: each weight times the lesser of 1 and y z. *)
Definition cut t := 1 - pos (1 - t).
Definition taken T y := \sum_(x <- T) x.1 * cut (y * x.2).

Lemma curve_taken T y : curve T y = 1 - taken T y.
Proof.
have -> : taken T y = total_weight T - \sum_(x <- T) x.1 * pos (1 - y * x.2).
  by rewrite /taken /total_weight -sumrB; apply: eq_bigr => x _; rewrite /cut mulrBr mulr1.
by rewrite /curve opprB addrC addrAC addrA.
Qed.

Lemma cut_ge0 t : 0 <= t -> 0 <= cut t.
Proof. by move=> t0; rewrite subr_ge0 pos_le ?ler01 // ler_subl_addr ler_addl. Qed.
Lemma cut_mono t t' : t <= t' -> cut t <= cut t'.
Proof. by move=> h; rewrite ler_add2l ler_opp2 le2_pos // ler_add2l ler_opp2. Qed.
Lemma cut_concave (l t t' : R) : 0 <= l -> l <= 1 -> l * cut t + (1 - l) * cut t' <= cut (l * t + (1 - l) * t').
Proof.
move=> l0 l1; have m0 : 0 <= 1 - l by rewrite subr_ge0.
have -> : l * cut t + (1 - l) * cut t' = 1 - (pos (l * (1 - t)) + pos ((1 - l) * (1 - t'))).
  by rewrite /cut !posM //; ring.
rewrite ler_add2l ler_opp2; apply: le_trans (posD _ _); rewrite le_eqVlt; apply/orP; left.
by apply/eqP; congr pos; ring.
Qed.

(** What the engine and the verifier do to a table: round weights down, raise losses, drop weights,
    split one between two losses, collect weights of one loss, in any order. *)
Inductive coarser : seq (R * R) -> seq (R * R) -> Prop :=
| Nothing : coarser [::] [::]
| Kept w z w' z' T T' : 0 <= z -> 0 <= w' -> w' <= w -> z' <= z -> coarser T T' ->
    coarser ((w, z) :: T) ((w', z') :: T')
| Dropped w z T T' : 0 <= w -> 0 <= z -> coarser T T' -> coarser ((w, z) :: T) T'
| Split w z (l : R) z1 z2 T T' : 0 <= w -> 0 <= l -> l <= 1 -> l * z1 + (1 - l) * z2 <= z ->
    coarser T T' -> coarser ((w, z) :: T) ((l * w, z1) :: ((1 - l) * w, z2) :: T')
| Collected T w w' z T' : coarser T ((w, z) :: (w', z) :: T') -> coarser T ((w + w', z) :: T')
| Sorted T T' T'' : coarser T T' -> perm_eq T' T'' -> coarser T T''
| Again T T' T'' : coarser T T' -> coarser T' T'' -> coarser T T''.

Theorem coarser_above T T' y : coarser T T' -> 0 <= y -> curve T y <= curve T' y.
Proof.
move=> h y0; rewrite !curve_taken ler_add2l ler_opp2 /taken.
elim: h => {T T'} [|w z w' z' T T' z0 w0 lw lz _ IH|w z T T' w0 z0 _ IH|w z l z1 z2 T T' w0 l0 l1 le _ IH
  |T w w' z T' _ IH|T T' T'' _ IH e|T T' T'' _ IH _ IH'].
- by [].
- rewrite !big_cons; apply: ler_add IH; apply: (@le_trans _ _ (w' * cut (y * z))).
    by apply: ler_wpmul2l => //; apply: cut_mono; exact: ler_wpmul2l.
  by apply: ler_wpmul2r => //; apply: cut_ge0; exact: mulr_ge0.
- rewrite big_cons; apply: le_trans IH _; rewrite ler_addr mulr_ge0 // cut_ge0 //; exact: mulr_ge0.
- rewrite !big_cons addrA; apply: ler_add IH => /=.
  apply: (@le_trans _ _ (w * (l * cut (y * z1) + (1 - l) * cut (y * z2)))).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
  apply: ler_wpmul2l => //; apply: le_trans (cut_concave _ _ l0 l1) _; apply: cut_mono.
  by apply: le_trans (ler_wpmul2l y0 le); rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
- by apply: le_trans IH; rewrite !big_cons /= mulrDl addrA.
- by apply: le_trans IH; rewrite (perm_big _ e).
exact: le_trans IH' IH.
Qed.

(** --- dots --- *)

(** From y0 on the dots ys; between two of them no loss of the table lies. *)
Fixpoint above_at_dots (h : R -> R) T y0 (ys : seq R) : Prop :=
  h y0 <= curve T y0 /\
  if ys is y1 :: ys' then
    [/\ y0 <= y1, all (fun x : R * R => (y1 * x.2 <= 1) || (1 <= y0 * x.2)) T & above_at_dots h T y1 ys']
  else all (fun x : R * R => 1 <= y0 * x.2) T.

Definition convex (h : R -> R) := forall (l y y' : R), 0 <= l -> l <= 1 ->
  h (l * y + (1 - l) * y') <= l * h y + (1 - l) * h y'.
Definition falling (h : R -> R) := forall y y' : R, y <= y' -> h y' <= h y.

Lemma profile_convex D : convex (fun y => at_weights D 1 y).
Proof.
move=> l y y' l0 l1; rewrite /at_weights /hockey_stick !mulr_sumr -big_split /=; apply: ler_sum => o _.
have m0 : 0 <= 1 - l by rewrite subr_ge0.
rewrite -!posM //; apply: le_trans (posD _ _); rewrite le_eqVlt; apply/orP; left.
by apply/eqP; congr pos; ring.
Qed.

Lemma profile_falling D : falling (fun y => at_weights D 1 y).
Proof.
move=> y y' le; apply: ler_sum => o _; apply: le2_pos; rewrite ler_add2l ler_opp2 ler_wpmul2r //.
by case: (laws_ge0 o).
Qed.

Lemma curve_between T y0 y1 (l : R) : 0 <= l -> l <= 1 -> y0 <= y1 ->
  table_ok T -> all (fun x : R * R => (y1 * x.2 <= 1) || (1 <= y0 * x.2)) T ->
  l * curve T y0 + (1 - l) * curve T y1 <= curve T (l * y0 + (1 - l) * y1).
Proof.
move=> l0 l1 le /andP[/allP ok _] /allP apart; have m0 : 0 <= 1 - l by rewrite subr_ge0.
rewrite !curve_taken.
have -> : l * (1 - taken T y0) + (1 - l) * (1 - taken T y1) = 1 - (l * taken T y0 + (1 - l) * taken T y1).
  by ring.
rewrite ler_add2l ler_opp2 /taken !mulr_sumr -big_split /= big_seq [X in _ <= X]big_seq.
apply: ler_sum => x xT; have /andP[w0 z0] := ok _ xT.
rewrite ![_ * (x.1 * _)]mulrCA -mulrDr; apply: ler_wpmul2l => //.
have e : (l * y0 + (1 - l) * y1) * x.2 = l * (y0 * x.2) + (1 - l) * (y1 * x.2) by ring.
rewrite e; have le' : y0 * x.2 <= y1 * x.2 by exact: ler_wpmul2r.
case/orP: (apart _ xT) => [h|h].
  have h' : y0 * x.2 <= 1 := le_trans le' h.
  have small s : s <= 1 -> cut s = s by move=> s1; rewrite /cut pos_id ?subr_ge0 //; ring.
  rewrite (small (y0 * x.2)) // (small (y1 * x.2)) // /cut ler_subl_addr -ler_subl_addl.
  by apply: le_trans (le_pos _); rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have h' : 1 <= y1 * x.2 := le_trans h le'.
have large s : 1 <= s -> cut s = 1 by move=> s1; rewrite /cut pos_0 ?subr0 // subr_le0.
have one : l + (1 - l) = 1 by ring.
rewrite (large (y0 * x.2)) // (large (y1 * x.2)) // !mulr1 one.
by rewrite /cut ler_subl_addr ler_addl pos_ge0.
Qed.

Theorem dots_dominate (h : R -> R) T y0 ys y : convex h -> falling h -> table_ok T ->
  above_at_dots h T y0 ys -> y0 <= y -> h y <= curve T y.
Proof.
move=> C F ok; elim: ys y0 => [|y1 ys IH] y0 /= [at0].
  move=> beyond le; apply: le_trans (F _ _ le) _; apply: le_trans at0 _.
  rewrite !curve_taken ler_add2l ler_opp2 /taken big_seq [X in _ <= X]big_seq; apply: ler_sum => x xT.
  have /andP[/allP pos0 _] := ok; have /andP[w0 z0] := pos0 _ xT; apply: ler_wpmul2l => //.
  have large s : 1 <= s -> cut s = 1 by move=> s1; rewrite /cut pos_0 ?subr0 // subr_le0.
  have h0 := allP beyond _ xT.
  have h1 : 1 <= y * x.2 := le_trans h0 (ler_wpmul2r z0 le).
  by rewrite (large _ h0) (large _ h1).
case=> le01 apart rest le; case: (lerP y1 y) => [le1|lt1]; first exact: (IH y1 rest le1).
have d0 : 0 < y1 - y0 by rewrite subr_gt0 (le_lt_trans le).
pose l := (y1 - y) / (y1 - y0).
have l0 : 0 <= l by apply: divr_ge0; [rewrite subr_ge0 ltW|exact: ltW].
have l1 : l <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2.
have e : y = l * y0 + (1 - l) * y1.
  by rewrite /l; field; rewrite gt_eqF.
have at1 : h y1 <= curve T y1 by case: ys rest {IH} => [|? ?] [].
have m0 : 0 <= 1 - l by rewrite subr_ge0.
rewrite e; apply: le_trans (C l y0 y1 l0 l1) _.
apply: le_trans (curve_between l0 l1 le01 ok apart).
by apply: ler_add; exact: ler_wpmul2l.
Qed.

(** --- the rule --- *)

(** 11.5: in both directions, the table that is left and what is missing from it do not exceed delta. *)
Theorem rule_profile_dots Ds Ds' T T' (ok : table_ok T) (ok' : table_ok T') (e d : R)
    (Y : finType) (P Q : Y -> R) : 0 <= e ->
  dominated_composition Ds P Q -> dominated_composition Ds' Q P ->
  evaluates Ds (table_pair ok) -> evaluates Ds' (table_pair ok') ->
  curve T e <= d -> curve T' e <= d -> indistinguishable e d P Q.
Proof.
move=> e0 C C' h h' le le'; apply: (domination_bounds e0 C C').
  by apply: le_trans (evaluation_dominates h ler01 e0) _; rewrite curve_of_pair.
by apply: le_trans (evaluation_dominates h' ler01 e0) _; rewrite curve_of_pair.
Qed.
End Profiles.
