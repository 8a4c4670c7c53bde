(** A convex curve from below: the profile of a finite pair of laws that is the greatest of a few of its
    tangents.

    A tangent at odds c is known by the probabilities A and B of the event that tells most there, under
    both laws: its value at y is A - y B ([line]).  Differences of successive tangents, between that of
    the certain event and that of none, are the laws of a pair ([cells]): they are the cells into which
    the events cut the outputs, if there are any.  As successive tangents meet between the odds at which
    they touch ([ordered]), the profile of the pair is their maximum, so that whatever is above them is
    above it ([cells_below], [cells_below_back]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Tangents.
Variable R : realFieldType.
Implicit Types (t prev : R * R) (a b c y h : R).

Definition line a b t : R := a * t.1 - b * t.2.
Definition certain : R * R := (1, 1).

Fixpoint cells prev (ts : seq (R * R)) : seq (R * R) :=
  if ts is t :: ts' then (prev.1 - t.1, prev.2 - t.2) :: cells t ts' else [:: prev].

(** Of tangents with the odds where they touch: from c on, where [prev] does. *)
Fixpoint ordered c prev (ts : seq (R * (R * R))) : bool :=
  if ts is (d, t) :: ts' then
    [&& t.2 <= prev.2, c <= d, c * (prev.2 - t.2) <= prev.1 - t.1, prev.1 - t.1 <= d * (prev.2 - t.2) &
     ordered d t ts']
  else (0 <= prev.2) && (c * prev.2 <= prev.1).

Lemma cells_total prev ts : \sum_(x <- cells prev ts) x.1 = prev.1 /\ \sum_(x <- cells prev ts) x.2 = prev.2.
Proof.
elim: ts prev => [|t ts IH] prev /=; first by rewrite !big_cons !big_nil !addr0.
by rewrite !big_cons; have [-> ->] := IH t; rewrite !subrK.
Qed.

Lemma cells_ge0 c prev ts : 0 <= c -> ordered c prev ts ->
  all (fun x => (0 <= x.1) && (0 <= x.2)) (cells prev (unzip2 ts)).
Proof.
elim: ts c prev => [|[d t] ts IH] c prev c0 /=.
  by case/andP=> q p; rewrite q (le_trans _ p) // mulr_ge0.
case/and5P=> q cd lo _ /(IH _ _ (le_trans c0 cd)) ->; rewrite andbT; apply/andP; split; last by rewrite subr_ge0.
by apply: le_trans lo; rewrite mulr_ge0 // subr_ge0.
Qed.

(** Where the odds are less than those of a tangent, every later cell counts. *)
Lemma counted a b c (p q : R) : 0 <= a -> b <= a * c -> 0 <= q -> c * q <= p ->
  pos (a * p - b * q) = a * p - b * q.
Proof.
move=> a0 bc q0 cq; apply: pos_id; rewrite subr_ge0; apply: (@le_trans _ _ (a * c * q)).
  exact: ler_wpmul2r.
by rewrite -mulrA ler_wpmul2l.
Qed.

Lemma cells_later a b c prev ts : 0 <= a -> b <= a * c -> ordered c prev ts ->
  \sum_(x <- cells prev (unzip2 ts)) pos (a * x.1 - b * x.2) = line a b prev.
Proof.
move=> a0; elim: ts c prev => [|[d t] ts IH] c prev bc /=.
  by case/andP=> q p; rewrite big_cons big_nil addr0 (counted (c := c)).
case/and5P=> q cd lo _ o; rewrite big_cons (counted (c := c)) /= ?subr_ge0 //.
rewrite (IH d) //; first by rewrite /line /=; ring.
by apply: le_trans bc _; rewrite ler_wpmul2l.
Qed.

Theorem cells_below a b c prev ts h : 0 <= a -> ordered c prev ts -> 0 <= h -> line a b prev <= h ->
  all (fun x => line a b x.2 <= h) ts ->
  \sum_(x <- cells prev (unzip2 ts)) pos (a * x.1 - b * x.2) <= h.
Proof.
move=> a0; elim: ts c prev => [|[d t] ts IH] c prev /=.
  by move=> _ h0 le _; rewrite big_cons big_nil addr0; exact: pos_le.
case/and5P=> q cd _ hi o h0 le /andP[le' les]; rewrite big_cons.
have [low|high] := leP b (a * d).
  rewrite (cells_later a0 low o) -ler_subr_addr; apply: pos_le; last by rewrite subr_ge0.
  rewrite ler_subr_addr; apply: le_trans le; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by rewrite /line /=; ring.
rewrite pos_0 ?add0r; first exact: (IH d).
rewrite subr_le0 /=; apply: (@le_trans _ _ (a * d * (prev.2 - t.2))); first by rewrite -mulrA ler_wpmul2l.
by apply: ler_wpmul2r; [rewrite subr_ge0|exact: ltW].
Qed.

(** With the laws exchanged. *)
Lemma cells_back a b ts : \sum_(x <- cells certain ts) pos (a * x.2 - b * x.1) =
  a - b + \sum_(x <- cells certain ts) pos (b * x.1 - a * x.2).
Proof.
have [s1 s2] := cells_total certain ts.
rewrite (eq_bigr (fun x => a * x.2 - b * x.1 + pos (b * x.1 - a * x.2))) => [|x _]; last first.
  by rewrite pos_split opprB.
by rewrite big_split /= sumrB -!mulr_sumr s1 s2 !mulr1.
Qed.

(** Tangents of one curve, by the odds at which they touch. *)
Section Family.
Variables (D : pred R) (F : R -> R * R).
Hypothesis tangent : forall c d, D c -> D d -> line 1 d (F c) <= line 1 d (F d).
Hypothesis above : forall c, D c -> [/\ 0 <= c, 0 <= (F c).2 <= 1, (F c).1 <= 1,
  0 <= line 1 c (F c) & 1 - c <= line 1 c (F c)].

Lemma tangents_ordered_from c ds : D c -> all D ds -> path <%R c ds ->
  ordered c (F c) [seq (d, F d) | d <- ds].
Proof.
elim: ds c => [|d ds IH] c Dc /=.
  by have [_ /andP[b0 _] _ h _] := above Dc; rewrite b0 => _ _; move: h; rewrite /line mul1r subr_ge0.
case/andP=> Dd Dds /andP[cd p]; rewrite (IH d) // (ltW cd) andbT /=.
have := tangent Dd Dc; have := tangent Dc Dd; rewrite /line !mul1r.
case: (F c) (F d) => [A B] [A' B'] /= h1 h2.
have e1 : c * (B - B') <= A - A' by rewrite -subr_ge0; rewrite -subr_ge0 in h2; move: h2; congr (0 <= _); ring.
have e2 : A - A' <= d * (B - B') by rewrite -subr_ge0; rewrite -subr_ge0 in h1; move: h1; congr (0 <= _); ring.
rewrite e1 e2 !andbT -subr_ge0 -(pmulr_rge0 _ (_ : 0 < d - c)) ?subr_gt0 //.
by rewrite mulrBl subr_ge0; exact: le_trans e2.
Qed.

Definition tangents_at (ds : seq R) := [seq (d, F d) | d <- ds].

Lemma tangents_ordered ds : all D ds -> sorted <%R ds -> ordered 0 certain (tangents_at ds).
Proof.
case: ds => [|d ds] /=; first by rewrite ler01 mul0r ler01.
case/andP=> Dd Dds p; rewrite tangents_ordered_from // andbT; have [d0 /andP[b0 b1] a1 _ h] := above Dd.
rewrite b1 d0 mul0r subr_ge0 a1 /= -subr_ge0; rewrite -subr_ge0 in h; move: h; rewrite /line mul1r.
by congr (0 <= _); ring.
Qed.
End Family.
End Tangents.

Global Arguments certain {R}.
