(** What an interactive mechanism can hand down from a history to all that may follow.

    Let A be what an adversary gains at most from a history with the law (P, Q) on, in the sense of
    max(P - E Q, 0), and B the same with P and Q exchanged ([kept] is P - A, or Q - B).  A part (x, y)
    of (P, Q) with ratios between 1/E and E can be handed down to all ends exactly if x <= P - A and
    y <= Q - B ([inside]): the shares of the answers to a question can be chosen as one linear function
    of what each of them can take ([shares]). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Interactive RulesInteractive Interleaving Potentials.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Shares.
Variable F : realFieldType.
Variable E : F.
Hypothesis E1 : 1 <= E.
Implicit Types (t : tree F) (law : F * F) (side : bool).

Let Epos : 0 < E. Proof. exact: lt_le_trans ltr01 E1. Qed.
Let E0 : 0 <= E. Proof. exact: ltW. Qed.

(** --- what can be handed down --- *)

Definition gain side (p q : F) := if side then pos (q - E * p) else pos (p - E * q).
Definition kept side t law := at_side side law - worth (gain side) t law.

Lemma gain_at_side side law : gain side law.1 law.2 = pos (at_side side law - E * at_side (~~ side) law).
Proof. by case: side. Qed.

Lemma kept_at_once side t law : kept side t law <= at_side side law.
Proof.
rewrite ler_subl_addr ler_addl; apply: le_trans (worth_at_once _ _ _).
by rewrite gain_at_side pos_ge0.
Qed.

Lemma after_ge0 law x : 0 <= law.1 -> 0 <= law.2 -> 0 <= x.1 -> 0 <= x.2 ->
  0 <= (after law x).1 /\ 0 <= (after law x).2 :> F.
Proof. by move=> *; split; apply: mulr_ge0. Qed.

Lemma sum_after side law t q : lawful t -> List.In q (queries t) ->
  \sum_(x <- q) at_side side (after law x.1) = at_side side law.
Proof.
move=> l h; have [p1 q1 _] := lawful_query l h.
under eq_bigr do rewrite at_side_after; rewrite -mulr_sumr.
by case: side; rewrite /= ?p1 ?q1 mulr1.
Qed.

Lemma kept_query side t law q : lawful t -> List.In q (queries t) ->
  kept side t law <= \sum_(x <- q) kept side x.2 (after law x.1).
Proof.
move=> l h; rewrite /kept sumrB (sum_after side law l h) ler_add2l ler_opp2.
by rewrite -(total_big _ _ 0%N); exact: worth_query.
Qed.

Lemma kept_attained side t law : lawful t ->
  kept side t law = at_side side law - gain side law.1 law.2 \/
  exists2 q, List.In q (queries t) & kept side t law = \sum_(x <- q) kept side x.2 (after law x.1).
Proof.
move=> l; rewrite /kept; case: (worth_attained (gain side) t law) => [->|[q h ->]]; first by left.
by right; exists q => //; rewrite sumrB (sum_after side law l h) -(total_big _ _ 0%N).
Qed.

Lemma ler_sum_In (A : Type) (f g : A -> F) (s : seq A) :
  (forall x, List.In x s -> f x <= g x) -> \sum_(x <- s) f x <= \sum_(x <- s) g x.
Proof.
elim: s => [|x s IH] H; first by rewrite !big_nil.
by rewrite !big_cons ler_add ?H //; [left|apply: IH => y h; apply: H; right].
Qed.

Lemma lawful_answer t q x : lawful t -> List.In q (queries t) -> List.In x q ->
  [/\ 0 <= x.1.1, 0 <= x.1.2 & lawful x.2].
Proof. by move=> l h /(List.In_nth_error q)[i n]; have [_ _ H] := lawful_query l h; exact: H n. Qed.

Lemma In_Forall2 (A : Type) (P : A -> Prop) (ss : seq (seq A)) s x :
  List.Forall (List.Forall P) ss -> List.In s ss -> List.In x s -> P x.
Proof.
by move=> H /(proj1 (List.Forall_forall _ _) H); move=> h; apply: (proj1 (List.Forall_forall _ _) h).
Qed.

(** What can be handed down has itself ratios between 1/E and E. *)
Lemma kept_ratio t law : lawful t -> 0 <= law.1 -> 0 <= law.2 ->
  forall side, 0 <= kept side t law /\ kept side t law <= E * kept (~~ side) t law.
Proof.
elim/tree_induction: t law => qs IH law l P0 Q0.
have at0 side : 0 <= at_side side law by case: side.
have below side x : List.In x qs -> forall z, List.In z x ->
    0 <= kept side z.2 (after law z.1) /\
    kept side z.2 (after law z.1) <= E * kept (~~ side) z.2 (after law z.1).
  move=> h z hz; have [p q lz] := lawful_answer l h hz.
  by apply: (In_Forall2 IH h hz) => //; exact: mulr_ge0.
have least side : at_side side law - gain side law.1 law.2 = Num.min (at_side side law) (E * at_side (~~ side) law).
  rewrite gain_at_side; case: leP => h; first by rewrite pos_0 ?subr0 // subr_le0.
  by rewrite pos_id ?subr_ge0 1?ltW // subKr.
move=> side; split.
  have [->|[q h ->]] := kept_attained side law l.
    by rewrite least le_minr at0 mulr_ge0.
  apply: (@le_trans _ _ (\sum_(z <- q) 0)); first by rewrite big1.
  by apply: ler_sum_In => z hz; case: (below side q h z hz).
have [->|[q h ->]] := kept_attained (~~ side) law l.
  rewrite least negbK; apply: (@le_trans _ _ (Num.min (at_side side law) (E * at_side (~~ side) law))).
    rewrite -least ler_add2l ler_opp2; exact: worth_at_once.
  rewrite minr_pmulr // le_minr !le_minl lexx orbT /=; apply/orP; left.
  by rewrite mulrA ler_pemull // mulr_ege1.
apply: le_trans (kept_query side law l h) _; rewrite mulr_sumr; apply: ler_sum_In => z hz.
by case: (below side q h z hz).
Qed.

(** --- shares --- *)

Definition inside (al be x y : F) :=
  [&& 0 <= x, 0 <= y, x <= al, y <= be, x <= E * y & y <= E * x].

Definition cone (al be : F) := [&& 0 <= al, 0 <= be, al <= E * be & be <= E * al].

Lemma half al be x y : cone al be -> inside al be x y -> y * al <= x * be ->
  exists u v, [/\ 0 <= u, 0 <= v, u + v <= 1, x = (u + v) * al & y = u * (al / E) + v * be].
Proof.
case/and4P=> a0 b0 ab ba /and5P[x0 y0 xa yb /andP[xy yx]] le.
move: a0; rewrite le_eqVlt => /orP[/eqP a0|a0].
  have xe : x = 0 by apply/le_anti; rewrite x0 andbT a0.
  have ye : y = 0 by apply/le_anti; rewrite y0 andbT (le_trans yx) // xe mulr0.
  by exists 0, 0; rewrite xe ye !mul0r !addr0 mul0r lexx ler01.
have aE : al / E <= be by rewrite ler_pdivr_mulr // mulrC.
have an : al != 0 by rewrite gt_eqF.
have En : E != 0 by rewrite gt_eqF.
move: aE; rewrite -subr_ge0 le_eqVlt => /orP[/eqP g0|g0].
  have be_e : be = al / E by apply/eqP; rewrite -subr_eq0 -g0.
  have ye : y = x / E.
    apply/le_anti/andP; split; last by rewrite ler_pdivr_mulr // mulrC.
    by rewrite -(ler_pmul2r a0) mulrAC -mulrA -be_e.
  exists (x / al), 0; split=> //; try by rewrite ?divr_ge0 // ltW.
  - by rewrite addr0 ler_pdivr_mulr // mul1r.
  - by rewrite addr0 divfK.
  - by rewrite ye mul0r addr0; field; rewrite an En.
pose v := (y - x / E) / (be - al / E).
have v0 : 0 <= v by rewrite divr_ge0 ?(ltW g0) // subr_ge0 ler_pdivr_mulr // mulrC.
have gn : be - al / E != 0 by rewrite gt_eqF.
exists (x / al - v), v; split=> //.
- rewrite subr_ge0 /v ler_pdivr_mulr // mulrAC ler_pdivl_mulr // mulrBl mulrBr ler_sub //.
  by rewrite mulrAC -mulrA.
- by rewrite subrK ler_pdivr_mulr // mul1r.
- by rewrite subrK divfK.
- have -> : (x / al - v) * (al / E) + v * be = x / al * al / E + v * (be - al / E) by ring.
  by rewrite divfK // /v divfK // addrC subrK.
Qed.

Lemma half_inside u v al be : 0 <= u -> 0 <= v -> u + v <= 1 -> cone al be ->
  inside al be ((u + v) * al) (u * (al / E) + v * be).
Proof.
move=> u0 v0 uv /and4P[a0 b0 ab ba].
have aE : al / E <= be by rewrite ler_pdivr_mulr // mulrC.
have e0 : 0 <= al / E by rewrite divr_ge0.
have eE : E * (al / E) = al by rewrite mulrC divfK // gt_eqF.
have f0 : 0 <= u * (al / E) + v * be by rewrite addr_ge0 // mulr_ge0.
apply/and5P; split=> //.
- by rewrite mulr_ge0 // addr_ge0.
- by rewrite ler_pimull.
- apply: (@le_trans _ _ ((u + v) * be)); last by rewrite ler_pimull.
  by rewrite mulrDl ler_add2r ler_wpmul2l.
apply/andP; split.
  have -> : E * (u * (al / E) + v * be) = u * (E * (al / E)) + v * (E * be) by ring.
  by rewrite eE mulrDl ler_add2l ler_wpmul2l.
have -> : E * ((u + v) * al) = u * (E * al) + v * (E * al) by ring.
apply: ler_add; last by rewrite ler_wpmul2l.
by rewrite ler_wpmul2l // ler_pdivr_mulr // mulrAC ler_pemull // mulr_ege1.
Qed.

Lemma shares al be x y : cone al be -> inside al be x y -> exists a b a' b',
  [/\ x = a * al + b * be, y = a' * al + b' * be &
   forall al' be', cone al' be' -> inside al' be' (a * al' + b * be') (a' * al' + b' * be')].
Proof.
move=> c i; have swap al' be' x' y' : inside al' be' x' y' = inside be' al' y' x'.
  by rewrite /inside; do !case: (_ <= _).
have cswap al' be' : cone al' be' = cone be' al' by rewrite /cone; do !case: (_ <= _).
have [le|/ltW le] := leP (y * al) (x * be).
  have [u [v [u0 v0 uv -> ->]]] := half c i le; exists (u + v), 0, (u / E), v.
  split=> [||al' be' /(half_inside u0 v0 uv)]; rewrite ?mul0r ?addr0 //; first by ring.
  by rewrite mulrAC mulrA.
rewrite cswap in c; rewrite swap in i; have [u [v [u0 v0 uv -> ->]]] := half c i le.
exists v, (u / E), 0, (u + v); split=> [||al' be']; rewrite ?mul0r ?add0r //; first by ring.
rewrite cswap => /(half_inside u0 v0 uv); rewrite swap addrC.
by rewrite mulrA mulrAC.
Qed.
End Shares.
