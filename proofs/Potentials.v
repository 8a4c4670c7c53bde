(** What an adversary who interleaves its questions gains at most ([seen_potential]), and what one
    against a single mechanism gains ([worth]).

    A gain is a sum of f(P(y), Q(y)) over what the adversary says in the end, where f is sublinear:
    f(p, q) = max(ap - bq, 0) for hockey-stick divergences, p^alpha q^(1 - alpha) for moments.  On
    each mechanism a track is kept: the law of its history so far, and whatever bounds what may follow
    ([ok]).  A potential V of all tracks bounds the gain if it bounds what is said at once, and if no
    question, to any of the mechanisms, raises it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From ExactDP Require Import PositivePart Privacy Interactive RulesInteractive Interleaving.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Gains.
Variable F : realFieldType.
Implicit Types (t : tree F) (ts : seq (tree F)) (law : F * F).

(** D: the pairs on which f is sublinear. *)
Variables (D : F -> F -> Prop) (f : F -> F -> F).
Hypotheses (D0 : D 0 0)
  (DD : forall p q p' q', D p q -> D p' q' -> D (p + p') (q + q'))
  (DM : forall c p q, 0 <= c -> D p q -> D (c * p) (c * q))
  (fD : forall p q p' q', D p q -> D p' q' -> f (p + p') (q + q') <= f p q + f p' q')
  (fM : forall c p q, 0 <= c -> D p q -> f (c * p) (c * q) = c * f p q).

Lemma f0 : f 0 0 = 0.
Proof. by rewrite -[X in f X _](mul0r 0) -[X in f _ X](mul0r 0) fM // mul0r. Qed.

Lemma f_sum (I : Type) (s : seq I) (P Q : I -> F) : (forall i, D (P i) (Q i)) ->
  D (\sum_(i <- s) P i) (\sum_(i <- s) Q i) /\
  f (\sum_(i <- s) P i) (\sum_(i <- s) Q i) <= \sum_(i <- s) f (P i) (Q i).
Proof.
move=> H; elim: s => [|i s [IH1 IH2]]; first by rewrite !big_nil f0.
rewrite !big_cons; split; first exact: DD.
by apply: le_trans (fD _ _) _ => //; rewrite ler_add2l.
Qed.

Lemma f_total (A : Type) (s : seq A) (P Q : nat -> A -> F) :
  (forall i x, List.nth_error s i = Some x -> D (P i x) (Q i x)) ->
  D (total P 0 s) (total Q 0 s) /\
  f (total P 0 s) (total Q 0 s) <= total (fun i x => f (P i x) (Q i x)) 0 s.
Proof.
elim: s P Q => [|x s IH] P Q H /=; first by rewrite f0.
rewrite !total_shift; have [|IH1 IH2] := IH (fun i => P i.+1) (fun i => Q i.+1).
  by move=> i y; exact: (H i.+1).
split; first by apply: DD IH1; exact: (H 0%N).
by apply: le_trans (fD _ _) _; rewrite ?ler_add2l //; exact: (H 0%N).
Qed.

Section Potential.
Variables (S : Type) (ok : tree F -> S -> Prop) (law : S -> F * F) (V : seq S -> F).
Let P_of (ss : seq S) := \prod_(s <- ss) (law s).1.
Let Q_of (ss : seq S) := \prod_(s <- ss) (law s).2.
Hypothesis at_once : forall ts ss, List.Forall2 ok ts ss ->
  D (P_of ss) (Q_of ss) /\ f (P_of ss) (Q_of ss) <= V ss.
Hypothesis after_a_question : forall t s q, ok t s -> List.In q (queries t) ->
  exists s' : nat -> S,
    (forall i x, List.nth_error q i = Some x -> ok x.2 (s' i) /\ law (s' i) = after (law s) x.1) /\
    forall ts1 ts2 ss1 ss2, List.Forall2 ok ts1 ss1 -> List.Forall2 ok ts2 ss2 ->
      total (fun i _ => V (ss1 ++ s' i :: ss2)) 0 q <= V (ss1 ++ s :: ss2).

Theorem seen_potential ts (Y : finType) (P Q : Y -> F) : seen ts P Q ->
  forall ss, List.Forall2 ok ts ss ->
  (forall y, D (P_of ss * P y) (Q_of ss * Q y)) /\
  \sum_y f (P_of ss * P y) (Q_of ss * Q y) <= V ss.
Proof.
elim=> {ts Y P Q}.
- move=> ts Y y P Q HP HQ ss /at_once[d le]; split=> [z|].
    by rewrite HP HQ; case: (z == y); rewrite ?mulr1 ?mulr0.
  rewrite (bigD1 y) //= HP HQ eqxx !mulr1 big1 ?addr0 // => z /negbTE e.
  by rewrite HP HQ e !mulr0 f0.
- move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ ss H.
  have [ss1 [rest [H1 [H' ->]]]] := List.Forall2_app_inv_l _ _ H.
  inversion H' as [|t' s ts2' ss2 okt H2]; subst => {H'}.
  have [s' [H3 le]] := after_a_question okt h.
  have {}IH i x n := IH i x n _ (List.Forall2_app H1 (List.Forall2_cons _ _ (proj1 (H3 i x n)) H2)).
  have PE i x : List.nth_error q i = Some x ->
      P_of (ss1 ++ s' i :: ss2) = P_of (ss1 ++ s :: ss2) * x.1.1.
    by move=> /H3[_ e]; rewrite /P_of !big_cat !big_cons e /= -!mulrA; congr (_ * (_ * _)); exact: mulrC.
  have QE i x : List.nth_error q i = Some x ->
      Q_of (ss1 ++ s' i :: ss2) = Q_of (ss1 ++ s :: ss2) * x.1.2.
    by move=> /H3[_ e]; rewrite /Q_of !big_cat !big_cons e /= -!mulrA; congr (_ * (_ * _)); exact: mulrC.
  set p := P_of _ in PE *; set r := Q_of _ in QE *.
  have {}HP y : p * P y = total (fun i x => p * x.1.1 * P' i y) 0 q.
    by rewrite HP total_mull; apply: eq_total => i x; rewrite mulrA.
  have {}HQ y : r * Q y = total (fun i x => r * x.1.2 * Q' i y) 0 q.
    by rewrite HQ total_mull; apply: eq_total => i x; rewrite mulrA.
  have split_y y : D (p * P y) (r * Q y) /\
      f (p * P y) (r * Q y) <= total (fun i x => f (p * x.1.1 * P' i y) (r * x.1.2 * Q' i y)) 0 q.
    rewrite HP HQ; apply: f_total => i x n; rewrite -(PE i x n) -(QE i x n); by case: (IH i x n).
  split=> [y|]; first by case: (split_y y).
  apply: le_trans (le _ _ _ _ H1 H2).
  apply: (@le_trans _ _ (\sum_y total (fun i x => f (p * x.1.1 * P' i y) (r * x.1.2 * Q' i y)) 0 q)).
    by apply: ler_sum => y _; case: (split_y y).
  rewrite -(@total_sum _ _ (fun i x => \sum_y f (p * x.1.1 * P' i y) (r * x.1.2 * Q' i y))) //.
  apply: le_total_nth => i x n; rewrite -(PE i x n) -(QE i x n); by case: (IH i x n).
move=> ts I Y w P Q P' Q' [w0 w1] _ IH HP HQ ss H.
have HP' y : P_of ss * P y = \sum_i w i * (P_of ss * P' i y).
  by rewrite HP mulr_sumr; apply: eq_bigr => i _; rewrite mulrCA.
have HQ' y : Q_of ss * Q y = \sum_i w i * (Q_of ss * Q' i y).
  by rewrite HQ mulr_sumr; apply: eq_bigr => i _; rewrite mulrCA.
have d i y : D (P_of ss * P' i y) (Q_of ss * Q' i y) by case: (IH i ss H).
have split_y y : D (P_of ss * P y) (Q_of ss * Q y) /\ f (P_of ss * P y) (Q_of ss * Q y) <=
    \sum_i w i * f (P_of ss * P' i y) (Q_of ss * Q' i y).
  rewrite HP' HQ'; have [|d' le] := @f_sum _ (index_enum I) (fun i => w i * (P_of ss * P' i y))
    (fun i => w i * (Q_of ss * Q' i y)); first by move=> i; exact: DM.
  by split=> //; apply: le_trans le _; apply: ler_sum => i _; rewrite fM.
split=> [y|]; first by case: (split_y y).
apply: (@le_trans _ _ (\sum_y \sum_i w i * f (P_of ss * P' i y) (Q_of ss * Q' i y))).
  by apply: ler_sum => y _; case: (split_y y).
rewrite exchange_big -[V ss]mul1r -w1 mulr_suml; apply: ler_sum => i _.
by rewrite -mulr_sumr ler_wpmul2l //; case: (IH i ss H).
Qed.
End Potential.

(** --- against one mechanism --- *)

(** To stop, or the best question. *)
Fixpoint worth t : F * F -> F := let: Tree qs := t in fun law =>
  foldr (fun q => Num.max (total (fun _ x => worth x.2 (after law x.1)) 0 q)) (f law.1 law.2) qs.

Lemma worth_at_once t law : f law.1 law.2 <= worth t law.
Proof.
by case: t => qs /=; elim: qs => //= q qs IH; rewrite le_maxr IH orbT.
Qed.

Lemma worth_query t law q : List.In q (queries t) ->
  total (fun _ x => worth x.2 (after law x.1)) 0 q <= worth t law.
Proof.
case: t => qs /=; elim: qs => //= q' qs IH [->|/IH h]; first by rewrite le_maxr lexx.
by rewrite le_maxr h orbT.
Qed.

Lemma worth_attained t law : worth t law = f law.1 law.2 \/ exists2 q, List.In q (queries t) &
  worth t law = total (fun _ x => worth x.2 (after law x.1)) 0 q.
Proof.
case: t => qs /=; elim: qs => /= [|q qs IH]; first by left.
case: leP => _; last by right; exists q; [left|].
by case: IH => [->|[q' h ->]]; [left|right; exists q'; [right|]].
Qed.

(** Some adversary gains that. *)
Theorem worth_seen t law : exists (Y : finType) (P Q : Y -> F), seen [:: t] P Q /\
  \sum_y f (law.1 * P y) (law.2 * Q y) = worth t law.
Proof.
elim/tree_induction: t law => qs IH law; have [->|[q h ->]] := worth_attained (Tree qs) law.
  exists unit_finType, (fun=> 1), (fun=> 1); split; last by rewrite big_const card_unit /= !mulr1 addr0.
  by apply: (@Says _ _ _ tt) => -[].
have {}IH : List.Forall (fun x => forall law, exists (Y : finType) (P Q : Y -> F),
    seen [:: x.2] P Q /\ \sum_y f (law.1 * P y) (law.2 * Q y) = worth x.2 law) q.
  exact: (proj1 (List.Forall_forall _ _) IH).
suff [Y [P [Q [S e]]]] : exists (Y : finType) (P Q : nat -> Y -> F),
    (forall i x, List.nth_error q i = Some x -> seen [:: x.2] (P i) (Q i)) /\
    \sum_y f (law.1 * total (fun i x => x.1.1 * P i y) 0 q) (law.2 * total (fun i x => x.1.2 * Q i y) 0 q) =
    total (fun _ x => worth x.2 (after law x.1)) 0 q.
  exists Y, (fun y => total (fun i x => x.1.1 * P i y) 0 q), (fun y => total (fun i x => x.1.2 * Q i y) 0 q).
  by split=> //; apply: (@Asks _ [::] (Tree qs) [::] q _ _ _ P Q).
elim: IH => {h qs} [|x q' Hx _ [Y [P [Q [S e]]]]].
  exists void_finType, (fun _ _ => 0), (fun _ _ => 0); split; first by case.
  by rewrite big1 // => -[].
have [Y0 [P0 [Q0 [S0 e0]]]] := Hx (after law x.1).
pose left_ (g : Y0 -> F) (z : Y0 + Y) := \sum_(y | inl y == z) g y.
pose right_ (g : Y -> F) (z : Y0 + Y) := \sum_(y | inr y == z) g y.
have leftl g y : left_ g (inl y) = g y.
  by rewrite /left_ (bigD1 y) //= big1 ?addr0 // => y' /andP[/eqP[->]]; rewrite eqxx.
have leftr g y : left_ g (inr y) = 0 by rewrite /left_ big1.
have rightr g y : right_ g (inr y) = g y.
  by rewrite /right_ (bigD1 y) //= big1 ?addr0 // => y' /andP[/eqP[->]]; rewrite eqxx.
have rightl g y : right_ g (inl y) = 0 by rewrite /right_ big1.
have none (w : F * F * tree F -> F) (g : nat -> Y -> F) y :
    total (fun i a => w a * right_ (g i) (inl y)) 0 q' = 0.
  by rewrite (eq_total (g := fun _ _ => 0)) => [|i a]; rewrite ?rightl ?mulr0 // total_big big1.
exists (sum_finType Y0 Y), (fun i => if i is i'.+1 then right_ (P i') else left_ P0),
  (fun i => if i is i'.+1 then right_ (Q i') else left_ Q0); split.
  by case=> [|i] y /=; [case=> <-; exact: seen_map|move=> n; apply: seen_map; exact: S].
rewrite big_sumType /= [X in _ = _ + X]total_shift -e0 -e; congr (_ + _); apply: eq_bigr => y _.
  by rewrite !leftl !total_shift /= !none !addr0 !mulrA.
rewrite !leftr !total_shift /= !mulr0 !add0r; congr (f (_ * _) (_ * _)).
  by apply: eq_total => i a; rewrite rightr.
by apply: eq_total => i a; rewrite rightr.
Qed.
End Gains.
