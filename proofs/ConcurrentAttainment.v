(** What breaks adaptively breaks concurrently ([concurrent_lower]).

    An adaptive composition is what an adversary sees who asks each of the mechanisms one question: a
    mechanism that may be chosen in the light of the answers before is one with a question for each
    past ([asked_once]), and the adversary asks them in turn, each the question of the answers so far
    ([composition_seen]).  Who asks such a mechanism, or says something without asking, or tosses
    coins, sees no more than the answers to one question ([asked_once_interactively]). *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions Failures Powers Moments RulesGaussian.
From ExactDP Require Import RulesGroupsMixed Interactive RulesInteractive Interleaving Potentials.
From ExactDP Require Import ConcurrentTheorems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Implicit Types (t : tree R) (ts : seq (tree R)).

(** --- mechanisms that answer one question --- *)

(** The answers of a mechanism with the laws P and Q, after which it says no more. *)
Definition answers (Y : finType) (P Q : Y -> R) : seq (R * R * tree R) :=
  [seq ((P y, Q y), ending) | y <- enum Y].

Definition asked_once (n : notion) t : Prop := forall q, List.In q (queries t) ->
  exists (Y : finType) (P Q : Y -> R), satisfies G n P Q /\ q = answers P Q.

Lemma sum_answers (Y : finType) (P Q : Y -> R) (f : R * R * tree R -> R) :
  \sum_(x <- answers P Q) f x = \sum_y f ((P y, Q y), ending).
Proof. by rewrite big_map big_enum. Qed.

Lemma answers_end (Y : finType) (P Q : Y -> R) x : List.In x (answers P Q) ->
  exists y, x = ((P y, Q y), ending).
Proof. by rewrite /answers; elim: (enum Y) => //= y s IH [<-|/IH //]; exists y. Qed.

Lemma asked_once_lawful n t : asked_once n t -> lawful t.
Proof.
case: t => qs H; rewrite /asked_once /= in H *; elim: qs H => //= q qs IH H.
rewrite IH ?andbT => [|q' h]; last by apply: H; right.
have [Y [P [Q [[[P0 P1] [Q0 Q1] _] ->]]]] := H q (or_introl erefl).
rewrite !sum_answers /= P1 Q1 !eqxx !andbT.
by rewrite /answers all_map; apply/allP => y _ /=; rewrite P0 Q0.
Qed.

(** Where no question is left the inputs cannot be told apart. *)
Lemma seen_ended ts (Y : finType) (P Q : Y -> R) : seen ts P Q ->
  (forall t, List.In t ts -> queries t = [::]) -> P =1 Q.
Proof.
elim=> {ts Y P Q} [ts Y y P Q HP HQ _ z|ts1 t ts2 q Y P Q P' Q' h _ _ _ _ none|ts I Y w P Q P' Q' _ _ IH HP HQ none y].
- by rewrite HP HQ.
- by move: h; rewrite none //; apply: List.in_or_app; right; left.
- by rewrite HP HQ; apply: eq_bigr => i _; rewrite IH.
Qed.

Section Gain.
Variables (D : R -> R -> Prop) (f : R -> R -> R).
Hypotheses (D0 : D 0 0)
  (DD : forall p q p' q', D p q -> D p' q' -> D (p + p') (q + q'))
  (DM : forall c p q, 0 <= c -> D p q -> D (c * p) (c * q))
  (fD : forall p q p' q', D p q -> D p' q' -> f (p + p') (q + q') <= f p q + f p' q')
  (fM : forall c p q, 0 <= c -> D p q -> f (c * p) (c * q) = c * f p q).
Variables (n : notion) (m : R).
Hypotheses (D1 : D 1 1) (f1 : f 1 1 <= m)
  (known : forall (Y : finType) (P Q : Y -> R), satisfies G n P Q ->
    (forall y, D (P y) (Q y)) /\ \sum_y f (P y) (Q y) <= m).

Lemma asked_once_gain t (Y : finType) (P Q : Y -> R) : asked_once n t -> seen [:: t] P Q ->
  (forall y, D (P y) (Q y)) /\ \sum_y f (P y) (Q y) <= m.
Proof.
move=> once; move e : [:: t] => ts S; elim: S e => {ts Y P Q}.
- move=> ts Y y P Q HP HQ _; split=> [z|]; first by rewrite HP HQ; case: eqP => _; [exact: D1|exact: D0].
  rewrite (bigD1 y) //= HP HQ eqxx big1 ?addr0 // => z /negbTE e.
  by rewrite HP HQ e (f0 D0 fM).
- move=> [|t1 ts1] t' ts2 q Y P Q P' Q' h S _ HP HQ; last by case: ts1 {S}.
  case=> e e2; subst t' ts2; have [Z [P0 [Q0 [/known[d0 le0] eq]]]] := once q h.
  have lq := lawful_query (asked_once_lawful once) h.
  have same i x : List.nth_error q i = Some x -> P' i =1 Q' i /\ distribution (P' i).
    move=> nx; have Si := S i x nx; have [_ _ /(_ i x nx)[_ _ lx]] := lq.
    split; last by apply: (proj1 (seen_distribution Si _)); rewrite /= lx.
    apply: (seen_ended Si) => t'' [<-|//].
    by have [y ->] := answers_end (eq_ind q (List.In x) (List.nth_error_In _ _ nx) _ eq).
  have dx i x : List.nth_error q i = Some x -> D x.1.1 x.1.2.
    move=> nx; have [y ->] := answers_end (eq_ind q (List.In x) (List.nth_error_In _ _ nx) _ eq).
    exact: d0.
  have part y : D (P y) (Q y) /\ f (P y) (Q y) <= total (fun i x => P' i y * f x.1.1 x.1.2) 0 q.
    rewrite HP HQ.
    have [|d le] := @f_total _ D f D0 DD fD fM _ q (fun i x => x.1.1 * P' i y) (fun i x => x.1.2 * Q' i y).
      move=> i x nx; have [<- [p0 _]] := same i x nx.
      by rewrite ![_ * P' i y]mulrC; apply: DM (p0 y) _; exact: dx nx.
    split=> //; apply: le_trans le _; apply: le_total_nth => i x nx; have [<- [p0 _]] := same i x nx.
    by rewrite ![_ * P' i y]mulrC fM //; exact: dx nx.
  split=> [y|]; first by case: (part y).
  apply: (@le_trans _ _ (\sum_y total (fun i x => P' i y * f x.1.1 x.1.2) 0 q)).
    by apply: ler_sum => y _; case: (part y).
  rewrite -(@total_sum _ _ (fun i x => \sum_y P' i y * f x.1.1 x.1.2)) //.
  rewrite (@eq_total_nth _ _ _ (fun _ x => f x.1.1 x.1.2)).
    by rewrite total_big eq sum_answers.
  by move=> i x nx; rewrite -mulr_suml; have [_ [_ ->]] := same i x nx; rewrite mul1r.
move=> ts I Y w P Q P' Q' [w0 w1] _ IH HP HQ /IH{}IH.
have part y : D (P y) (Q y) /\ f (P y) (Q y) <= \sum_i w i * f (P' i y) (Q' i y).
  rewrite HP HQ; have [i|d le] := @f_sum _ D f D0 DD fD fM _ (index_enum I)
    (fun i => w i * P' i y) (fun i => w i * Q' i y); first by apply: DM => //; case: (IH i).
  by split=> //; apply: le_trans le _; apply: ler_sum => i _; rewrite fM //; case: (IH i).
split=> [y|]; first by case: (part y).
apply: (@le_trans _ _ (\sum_y \sum_i w i * f (P' i y) (Q' i y))).
  by apply: ler_sum => y _; case: (part y).
rewrite exchange_big -[m]mul1r -w1 mulr_suml; apply: ler_sum => i _.
by rewrite -mulr_sumr ler_wpmul2l //; case: (IH i).
Qed.
End Gain.

(** In both directions, as notions are symmetric. *)
Lemma asked_once_both (D : R -> R -> Prop) (f : R -> R -> R) n m t (Y : finType) (P Q : Y -> R) :
  D 0 0 -> (forall p q p' q', D p q -> D p' q' -> D (p + p') (q + q')) ->
  (forall c p q, 0 <= c -> D p q -> D (c * p) (c * q)) ->
  (forall p q p' q', D p q -> D p' q' -> f (p + p') (q + q') <= f p q + f p' q') ->
  (forall c p q, 0 <= c -> D p q -> f (c * p) (c * q) = c * f p q) -> D 1 1 -> f 1 1 <= m ->
  (forall (Z : finType) (P Q : Z -> R), satisfies G n P Q ->
    (forall y, D (P y) (Q y)) /\ \sum_y f (P y) (Q y) <= m) ->
  asked_once n t -> seen [:: t] P Q ->
  ((forall y, D (P y) (Q y)) /\ \sum_y f (P y) (Q y) <= m) /\
  ((forall y, D (Q y) (P y)) /\ \sum_y f (Q y) (P y) <= m).
Proof.
move=> D0 DD DM fD fM D1 f1 known once S; split.
  exact: (@asked_once_gain D f D0 DD DM fD fM n m D1 f1 known t Y P Q once S).
apply: (@asked_once_gain (fun p q => D q p) (fun p q => f q p) D0 _ _ _ _ n m D1 f1 _ t Y P Q once S).
- by move=> p q p' q'; exact: DD.
- by move=> c p q; exact: DM.
- by move=> p q p' q'; exact: fD.
- by move=> c p q; exact: fM.
- by move=> Z P' Q' /satisfies_sym; exact: known.
Qed.

Lemma asked_once_indistinguishable n e d t (Y : finType) (P Q : Y -> R) : asked_once n t ->
  pos (1 - exp e) <= d ->
  (forall (Z : finType) (P Q : Z -> R), satisfies G n P Q -> indistinguishable (exp e) d P Q) ->
  seen [:: t] P Q -> indistinguishable (exp e) d P Q.
Proof.
move=> once d1 known S; pose f (p q : R) := pos (1 * p - exp e * q).
have fD p q p' q' : True -> True -> f (p + p') (q + q') <= f p q + f p' q'.
  by rewrite /f !mulrDr opprD addrACA => _ _; exact: posD.
have fM c p q : 0 <= c -> True -> f (c * p) (c * q) = c * f p q.
  by rewrite /f !(mulrCA _ c) -mulrBr => c0 _; exact: posM.
have [||[_ h1] [_ h2]] := @asked_once_both (fun _ _ => True) f n d t Y P Q I (fun _ _ _ _ _ _ => I)
  (fun _ _ _ _ _ => I) fD fM I _ _ once S; first by rewrite /f !mulr1.
  by move=> Z P' Q' /known[/events_hockey_stick h _].
by split; apply/events_hockey_stick.
Qed.

Lemma asked_once_moment n a m t (Y : finType) (P Q : Y -> R) : 1 < a -> asked_once n t -> 1 <= m ->
  (forall (Z : finType) (P Q : Z -> R), satisfies G n P Q -> moment_at_most a m P Q) ->
  seen [:: t] P Q -> moment_at_most a m P Q /\ moment_at_most a m Q P.
Proof.
move=> a1 once m1 known S.
have one1 : massive 1 1 by split; rewrite ?ler01 // => /eqP; rewrite oner_eq0.
have f1 : power_term a 1 1 <= m by rewrite power_term_pos ?ltr01 // subrr mulr0 exp_0 mulr1.
have [|[d1 h1] [d2 h2]] := @asked_once_both massive (power_term a) n m t Y P Q massive0 massiveD massiveM
  (power_subadditive a1) (@power_homogeneous a) one1 f1 _ once S.
  move=> Z P' Q' s; have [[P0 _] [Q0 _] _] := s; have [z le] := known _ _ _ s.
  by split=> // y; split=> //; exact: z.
by split; split=> // y; [case: (d1 y)|case: (d2 y)].
Qed.

Theorem asked_once_interactively n t : proper_notion n -> asked_once n t -> interactively n t.
Proof.
move=> w once; have l := asked_once_lawful once; split=> // Y P Q S.
have [|dP dQ] := seen_distribution S; first by rewrite /= l.
split=> //; case: n w once => [e d|mu|rho] w once.
- apply: (asked_once_indistinguishable once) S => [|Z P' Q' []//].
  by move: w => /and3P[e0 d0 _]; rewrite pos_0 // subr_le0 exp_ge1.
- by move=> e; apply: (asked_once_indistinguishable once _ _ S) => [|Z P' Q' [_ _ /(_ e)] //]; exact: G_self.
move=> a a1 m; have a0 : 0 < a by exact: lt_trans ltr01 a1.
have m1 : 1 <= m by rewrite exp_ge1 !mulr_ge0 ?subr_ge0 ?(ltW a0) ?(ltW a1).
by apply: (asked_once_moment a1 once m1 _ S) => Z P' Q' [_ _ /(_ a a1)[]].
Qed.

(** --- adversaries who ask in turn --- *)

(** Mechanisms that answer more questions, and further ones, do no harm. *)
Definition answers_more t t' : Prop := forall q, List.In q (queries t) -> List.In q (queries t').

Lemma seen_more ts (Y : finType) (P Q : Y -> R) : seen ts P Q ->
  forall ts', List.Forall2 answers_more ts ts' -> seen ts' P Q.
Proof.
elim=> {ts Y P Q}.
- by move=> ts Y y P Q HP HQ ts' _; exact: (Says _ HP HQ).
- move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ ts' H.
  have [ss1 [rest [H1 [H' ->]]]] := List.Forall2_app_inv_l _ _ H.
  inversion_clear H' as [|? t' ? ss2 more H2]; apply: (Asks (more _ h) _ HP HQ) => i x nx.
  by apply: (IH i x nx); apply: List.Forall2_app => //; constructor.
by move=> ts I Y w P Q P' Q' dw _ IH HP HQ ts' H; apply: (Tosses dw _ HP HQ) => i; exact: IH.
Qed.

Lemma seen_further t0 ts (Y : finType) (P Q : Y -> R) : seen ts P Q -> seen (t0 :: ts) P Q.
Proof.
elim=> {ts Y P Q}.
- by move=> ts Y y P Q HP HQ; exact: (Says _ HP HQ).
- by move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ; apply: (@Asks _ (t0 :: ts1) t ts2 q _ _ _ P' Q').
by move=> ts I Y w P Q P' Q' dw _ IH HP HQ; exact: (Tosses dw _ HP HQ).
Qed.

Lemma seen_permutation ts (Y : finType) (P Q : Y -> R) : seen ts P Q ->
  forall ts', Permutation ts ts' -> seen ts' P Q.
Proof.
elim=> {ts Y P Q}.
- by move=> ts Y y P Q HP HQ ts' _; exact: (Says _ HP HQ).
- move=> ts1 t ts2 q Y P Q P' Q' h _ IH HP HQ ts' p.
  have [l1 [l2 e]] := List.in_split t ts' (Permutation_in t p (List.in_elt t ts1 ts2)).
  subst ts'; apply: (Asks h _ HP HQ) => i x nx; apply: (IH i x nx).
  exact: Permutation_elt (Permutation_app_inv _ _ _ _ _ p).
by move=> ts I Y w P Q P' Q' dw _ IH HP HQ ts' p; apply: (Tosses dw _ HP HQ) => i; exact: IH.
Qed.

(** The mechanisms of several pasts as one mechanism each. *)
Lemma merged (I : finType) ns (ts : I -> seq (tree R)) :
  (forall i, List.Forall2 asked_once ns (ts i)) -> exists ts', List.Forall2 asked_once ns ts' /\
  forall i, List.Forall2 answers_more (ts i) ts'.
Proof.
elim: ns ts => [|n ns IH] ts H.
  by exists [::]; split=> // i; have := H i; inversion 1.
have /fin_all_exists[u Hu] i : exists u : tree R * seq (tree R), ts i = u.1 :: u.2.
  by have := H i; inversion 1 as [|? t ? s]; exists (t, s).
have each i : asked_once n (u i).1 /\ List.Forall2 asked_once ns (u i).2.
  by have := H i; rewrite Hu => H'; inversion_clear H'.
have [ts' [H1 H2]] := IH (fun i => (u i).2) (fun i => proj2 (each i)).
exists (Tree (flatten [seq queries (u i).1 | i <- enum I]) :: ts'); split=> [|i].
  constructor=> // q /=; elim: (enum I) => //= i s IHs h.
  by have [|/IHs//] := List.in_app_or _ _ _ h; exact: (proj1 (each i)).
rewrite Hu; constructor=> // q h /=; have := mem_enum I i; elim: (enum I) => //= j s IHs.
by rewrite inE => /orP[/eqP <-|/IHs h']; apply: List.in_or_app; [left|right].
Qed.

(** A question that is asked first, and what is asked in the light of its answer. *)
Lemma seen_answer ts (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
  (forall y, seen ts (P' y) (Q' y)) ->
  seen (Tree [:: answers P Q] :: ts) (fun p => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2).
Proof.
move=> S.
pose past (i : nat) (g : Y -> Z -> R) (p : Y * Z) : R :=
  if List.nth_error (enum Y) i is Some y then \sum_(z | (y, z) == p) g y z else 0.
have nth_answer i x : List.nth_error (answers P Q) i = Some x ->
    exists2 y, List.nth_error (enum Y) i = Some y & x = ((P y, Q y), ending).
  rewrite /answers; elim: (enum Y) i => [[]//|y e IHe [[<-]|i /IHe //]]; by exists y.
have back (g : Y -> R) (g' : Y -> Z -> R) (w : R * R * tree R -> R) p :
    (forall y, w ((P y, Q y), ending) = g y) ->
    g p.1 * g' p.1 p.2 = total (fun i x => w x * past i g' p) 0 (answers P Q).
  case: p => y z /= wE.
  have -> : total (fun i x => w x * past i g' (y, z)) 0 (answers P Q) =
      \sum_(y' <- enum Y) g y' * \sum_(z' | (y', z') == (y, z)) g' y' z'.
    rewrite /answers /past; elim: (enum Y) => [|y' e IHe] /=; first by rewrite big_nil.
    by rewrite total_shift big_cons wE -IHe.
  rewrite big_enum (bigD1 y) //= (big_pred1 z) => [|z'].
    rewrite [X in _ + X]big1 ?addr0 // => y' /negbTE ne; rewrite big_pred0 ?mulr0 // => z'.
    by rewrite xpair_eqE ne.
  by rewrite xpair_eqE eqxx.
apply: (@Asks _ [::] _ ts (answers P Q) _ _ _ (fun i => past i P') (fun i => past i Q')); first by left.
- move=> i x /nth_answer[y ny ->] /=; rewrite /past ny; apply: seen_further; apply: seen_map.
  exact: S.
- by move=> p; apply: (back P P' (fun x => x.1.1)).
- by move=> p; apply: (back Q Q' (fun x => x.1.2)).
Qed.

Theorem composition_seen ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  exists2 ts, List.Forall2 asked_once ns ts & seen ts P Q.
Proof.
elim=> {ns Y P Q} [|n ns Y Z P Q P' Q' s _ IH].
  by exists [::] => //; apply: (@Says _ _ _ tt) => -[].
have /fin_all_exists[ts Hts] y : exists ts, List.Forall2 asked_once ns ts /\ seen ts (P' y) (Q' y).
  by have [ts h1 h2] := IH y; exists ts.
have [ts' [H1 H2]] := merged (fun y => proj1 (Hts y)).
exists (Tree [:: answers P Q] :: ts').
  by constructor=> // q [<-|//]; exists Y, P, Q.
by apply: seen_answer => y; have [_ S] := Hts y; apply: seen_more S _ _; exact: H2.
Qed.

(** Some adversary who interleaves its questions tells the inputs apart. *)
Definition breaks_concurrently (ns : seq notion) (epsilon delta : R) : Prop :=
  exists (Y : finType) (P Q : Y -> R), views ns P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Lemma all_Forall2 ns ts : all proper_notion ns -> List.Forall2 asked_once ns ts ->
  List.Forall2 interactively ns ts.
Proof.
move=> + H; elim: H => //= n t ns' ts' once _ IH /andP[w /IH h]; constructor=> //.
exact: asked_once_interactively.
Qed.

Lemma composition_views ns ns' (Y : finType) (P Q : Y -> R) : all proper_notion ns ->
  Permutation ns ns' -> mixed_composition G ns' P Q -> views ns P Q.
Proof.
move=> W p /composition_seen[ts H S].
have [ts' [p' H']] := Permutation_Forall2 (Permutation_sym p) H.
by exists ts'; [exact: all_Forall2|exact: seen_permutation S _ p'].
Qed.

Theorem concurrent_lower ns epsilon delta : all proper_notion ns -> mixed_lower G ns epsilon delta ->
  breaks_concurrently ns epsilon delta.
Proof.
move=> W [ns' [p [Y [P [Q [C no]]]]]]; exists Y, P, Q; split=> //.
exact: composition_views W p C.
Qed.

Global Arguments breaks_concurrently _ _%R _%R.
