(** The rules of certs/SPEC.md, section 10, about interactive mechanisms.

    [rule_post_processing]: if the ends of the whole have the law of an interactive mechanism T
    after randomized response, the whole is as private as randomized response.  T is given by a row
    for each end, its probabilities for each answer of randomized response; the rows of the ends
    that can follow a query add up to the same row, whichever query it is ([simulates]).
    [rule_distinguishing_adversary]: the choice of a query at each history that is met, and of some
    ends, is a deterministic adversary and an event of its view ([attack]). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Interactive Reals.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The probabilities of an end under T, for the answers 0, 1, 2, 3 of randomized response. *)
Record row (T : Type) := Row { sure_0 : T; lean : T; stray : T; sure_1 : T }.

Section Rules.
Variable F : realFieldType.
Implicit Types (t : tree F) (law : F * F) (r : row F) (side : bool).

(** P and Q after an answer. *)
Definition after law (x : F * F) := (law.1 * x.1, law.2 * x.2).

Lemma at_side_after side law x : at_side side (after law x) = at_side side law * at_side side x.
Proof. by case: side. Qed.

Section PostProcessing.
Variables E d : F.

Definition add_rows r r' :=
  Row (sure_0 r + sure_0 r') (lean r + lean r') (stray r + stray r') (sure_1 r + sure_1 r').
Definition row_ge0 r := [&& 0 <= sure_0 r, 0 <= lean r, 0 <= stray r & 0 <= sure_1 r].

(** The law of an end whose row is r, after randomized response with odds E and delta d. *)
Definition mixture r : F * F :=
  (d * sure_0 r + (1 - d) * (E * lean r + stray r) / (E + 1),
   d * sure_1 r + (1 - d) * (lean r + E * stray r) / (E + 1)).

(** r is the sum of the rows of the ends that can follow a history with the law (P, Q). *)
Inductive simulates : tree F -> F * F -> row F -> Prop :=
| SimulatesEnd r : row_ge0 r -> simulates ending (mixture r) r
| SimulatesQueries q qs law r :
    List.Forall (fun q => simulates_answers q law r) (q :: qs) -> simulates (Tree (q :: qs)) law r
with simulates_answers : seq (F * F * tree F) -> F * F -> row F -> Prop :=
| SimulatesNone law : simulates_answers [::] law (Row 0 0 0 0)
| SimulatesAnswer x q law r r' :
    simulates x.2 (after law x.1) r -> simulates_answers q law r' ->
    simulates_answers (x :: q) law (add_rows r r').

Hypotheses (E1 : 1 <= E) (d0 : 0 <= d) (d1 : d <= 1).

Lemma mixture_add r r' : mixture (add_rows r r') =
  ((mixture r).1 + (mixture r').1, (mixture r).2 + (mixture r').2).
Proof.
have E2 : E + 1 != 0 by rewrite gt_eqF // ltr_paddl ?ltr01 // (le_trans ler01).
by congr pair; rewrite /=; field.
Qed.

Lemma simulates_queries t law r : simulates t law r ->
  if queries t is [::] then law = mixture r /\ row_ge0 r
  else List.Forall (fun q => simulates_answers q law r) (queries t).
Proof. by case. Qed.

Lemma simulates_mixture t law r : lawful t -> simulates t law r -> law = mixture r /\ row_ge0 r.
Proof.
elim/tree_induction: t law r => qs IH law r l /simulates_queries /=.
case: qs IH l => // q qs IH /= /andP[/andP[/andP[l /eqP P] /eqP Q] _] S.
have {}S := List.Forall_inv S; have {}IH := List.Forall_inv IH.
suff [e ->] : (law.1 * \sum_(x <- q) x.1.1, law.2 * \sum_(x <- q) x.1.2) = mixture r /\ row_ge0 r.
  by rewrite -e P Q !mulr1; case: (law).
move: S IH l; elim=> {P Q} [law'|x q' law' r1 r2 S1 _ IH2] IHq /=.
  by rewrite !big_nil /mixture /row_ge0 /= !mulr0 addr0 !mulr0 mul0r addr0 lexx.
case/andP=> /and3P[_ _ lx] l; rewrite !big_cons !mulrDr mixture_add.
have [<- /and4P[? ? ? ?]] := IH2 (List.Forall_inv_tail IHq) l.
have [e /and4P[? ? ? ?]] := List.Forall_inv IHq _ _ lx S1.
by rewrite -e; split=> //; rewrite /row_ge0 /= !addr_ge0.
Qed.

(** The answers of randomized response that reveal the input. *)
Definition revealed side r := if side then sure_1 r else sure_0 r.

Lemma mixture_close side r : row_ge0 r ->
  at_side side (mixture r) - E * at_side (~~ side) (mixture r) <= d * revealed side r.
Proof.
case/and4P=> a0 b0 c0 e0; have E0 : 0 <= E by apply: le_trans E1.
have E2 : 0 < E + 1 by rewrite ltr_paddl ?ltr01.
have E2' : E + 1 != 0 by rewrite gt_eqF.
have c1 : 0 <= 1 - d by rewrite subr_ge0.
have E3 : 0 <= (E + 1)^-1 by rewrite invr_ge0 ltW.
have EE : 0 <= E * E - 1 by rewrite subr_ge0 mulr_ege1.
rewrite -subr_ge0; case: side; rewrite /= /revealed.
  have -> : d * sure_1 r - (d * sure_1 r + (1 - d) * (lean r + E * stray r) / (E + 1) -
      E * (d * sure_0 r + (1 - d) * (E * lean r + stray r) / (E + 1))) =
    E * d * sure_0 r + (1 - d) / (E + 1) * ((E * E - 1) * lean r) by field.
  by rewrite addr_ge0 ?mulr_ge0.
have -> : d * sure_0 r - (d * sure_0 r + (1 - d) * (E * lean r + stray r) / (E + 1) -
    E * (d * sure_1 r + (1 - d) * (lean r + E * stray r) / (E + 1))) =
  E * d * sure_1 r + (1 - d) / (E + 1) * ((E * E - 1) * stray r) by field.
by rewrite addr_ge0 ?mulr_ge0.
Qed.

Lemma total_linear (A : Type) (f g : nat -> A -> F) x y n (s : seq A) :
  x * total f n s - y * total g n s = total (fun i a => x * f i a - y * g i a) n s.
Proof.
elim: s n => [|a s IH] n /=; first by rewrite !mulr0 subrr.
by rewrite -IH !mulrDr opprD addrACA.
Qed.

Lemma eq_total (A : Type) (f g : nat -> A -> F) n (s : seq A) : f =2 g -> total f n s = total g n s.
Proof. by move=> H; elim: s n => //= x s IH n; rewrite H IH. Qed.

Lemma total_weighted (A : Type) (w : nat -> F) (f : nat -> A -> F) c n (s : seq A) :
  (forall i, 0 <= w i) -> List.Forall (fun a => forall i, f i a <= c) s ->
  total (fun i a => w i * f i a) n s <= (\sum_(n <= i < n + size s) w i) * c.
Proof.
move=> w0 H; elim: H n => [|a s' fa _ IH] n /=; first by rewrite addn0 big_geq // mul0r.
rewrite addnS big_ltn ?ltnS ?leq_addr // mulrDl ler_add ?ler_wpmul2l //.
exact: IH.
Qed.

(** What an adversary who goes on from a history gains. *)
Lemma simulated_gain side t law r a event : lawful t -> simulates t law r -> adversary a ->
  at_side side law * mass side t a event -
  E * at_side (~~ side) law * mass (~~ side) t a event <= d * revealed side r.
Proof.
elim/tree_induction: t law r a event => qs IH law r a event l S A.
have [e r0] := simulates_mixture l S; have close := mixture_close side r0; rewrite -e in close.
have [a0 a1] := A [::] (size qs); have gain0 : 0 <= d * revealed side r.
  by rewrite mulr_ge0 //; case/and4P: r0; rewrite /revealed; case: (side).
rewrite /= !mulrDr opprD addrACA total_linear.
rewrite -[X in _ <= X]mul1r -[X in _ <= X * _]a1 big_ord_recr /= [X in _ <= X * _]addrC mulrDl.
apply: ler_add.
  have -> x y w z : x * (w * z) - y * (w * z) = w * ((x - y) * z) :> F by ring.
  by rewrite ler_wpmul2l // mulr_natr; case: (event [::]).
rewrite (@eq_total _ _ (fun j q => a [::] (size qs) j * total (fun i x =>
    at_side side law * (at_side side x.1 *
      mass side x.2 (fun h => a ((j, i) :: h)) (fun h => event ((j, i) :: h))) -
    E * at_side (~~ side) law * (at_side (~~ side) x.1 *
      mass (~~ side) x.2 (fun h => a ((j, i) :: h)) (fun h => event ((j, i) :: h)))) 0 q));
  last first.
  by move=> j q; rewrite -total_linear; ring.
rewrite -(big_mkord xpredT) -[X in \sum_(0 <= _ < X) _]add0n; apply: total_weighted => //.
have {S} : List.Forall (fun q => simulates_answers q law r) qs.
  by move/simulates_queries: S => /=; case: (qs) => //; constructor.
move: l => /=; elim: IH => [|q qs' IHq _ IHqs] l S; first by constructor.
case/andP: l => /andP[/andP[l _] _] l'; have Sq := List.Forall_inv S.
constructor; last exact: IHqs l' (List.Forall_inv_tail S).
move=> j; move: 0%N => n; move: Sq IHq l n.
elim=> {IHqs l'} [law' _ _ n|x q' law' r1 r2 S1 _ IH2 IHq l n] /=.
  by rewrite /revealed; case: (side) => /=; rewrite mulr0.
have -> : d * revealed side (add_rows r1 r2) = d * revealed side r1 + d * revealed side r2.
  by rewrite -mulrDr /revealed; case: (side).
case/andP: l => /and3P[_ _ lx] l; apply: ler_add; last exact: IH2 (List.Forall_inv_tail IHq) l _.
have := List.Forall_inv IHq _ _ (fun h => a ((j, n) :: h)) (fun h => event ((j, n) :: h)) lx S1.
by rewrite !at_side_after !mulrA; apply; exact: adversary_after.
Qed.
End PostProcessing.

(** Some query at each history that is met, and some of the ends: P and Q of these ends. *)
Inductive attack : tree F -> F * F -> F * F -> Prop :=
| AttackEnd law (chosen : bool) : attack ending law (if chosen then law else (0, 0))
| AttackQuery qs j q law event :
    List.nth_error qs j = Some q -> attack_answers q law event -> attack (Tree qs) law event
with attack_answers : seq (F * F * tree F) -> F * F -> F * F -> Prop :=
| AttackNone law : attack_answers [::] law (0, 0)
| AttackAnswer x q law event event' :
    attack x.2 (after law x.1) event -> attack_answers q law event' ->
    attack_answers (x :: q) law (event.1 + event'.1, event.2 + event'.2).

Lemma attack_queries t law event : attack t law event ->
  (exists chosen : bool, queries t = [::] /\ event = if chosen then law else (0, 0)) \/
  exists j q, List.nth_error (queries t) j = Some q /\ attack_answers q law event.
Proof. by case=> [{}law b|qs j q {}law ev N A]; [left; exists b|right; exists j, q]. Qed.

Lemma total_shift (A : Type) (f : nat -> A -> F) n (s : seq A) :
  total f n.+1 s = total (fun i => f i.+1) n s.
Proof. by elim: s n => //= x s IH n; rewrite IH. Qed.

Lemma total_nth (A : Type) (g : nat -> A -> F) c q n (s : seq A) : List.nth_error s c = Some q ->
  total (fun j x => (j == n + c)%N%:R * g j x) n s = g (n + c)%N q.
Proof.
have zero k m (s' : seq A) : (k < m)%N -> total (fun j x => (j == k)%:R * g j x) m s' = 0.
  elim: s' m => //= x s' IH m lt; rewrite IH ?addr0; last exact: ltnW.
  by rewrite gtn_eqF // mul0r.
elim: s c n => [|x s IH] [|c] n //=.
  by case=> ->; rewrite addn0 eqxx mul1r zero ?addr0.
move=> /IH {}IH; rewrite -{1}[n in n == _]addn0 eqn_add2l mul0r add0r -addSnnS.
exact: IH.
Qed.

(** Such choices are a deterministic adversary and an event of its view. *)
Lemma attack_adversary t law event : attack t law event -> exists c e, forall side,
  at_side side law * mass side t (deterministic F c) e = at_side side event.
Proof.
elim/tree_induction: t law event => qs IH law event /attack_queries[[b [/= -> ->]]|].
  exists (fun=> 0%N), (fun=> b) => side; rewrite addr0 /deterministic minn0 eqxx mul1r mulr_natr.
  by case: b side => [] [].
case=> j [q [/= N A]]; have lt : (j < size qs)%N by apply/ssrnat.ltP/List.nth_error_Some; rewrite N.
have {}IH := proj1 (List.Forall_forall _ _) IH q (List.nth_error_In _ _ N).
suff [c [e H]] : exists (c : nat -> view -> nat) (e : nat -> view -> bool), forall side,
    at_side side law * total (fun i x =>
      at_side side x.1 * mass side x.2 (deterministic F (c i)) (e i)) 0 q =
    at_side side event.
  exists (fun h => if h is (_, i) :: h' then c i h' else j),
    (fun h => if h is (_, i) :: h' then e i h' else false) => side.
  rewrite /= mulr0 add0r {1}/deterministic /= (minn_idPl (ltnW lt)) -H.
  by rewrite (total_nth (fun j q => total _ 0 q) 0 N).
elim: A IH {N} => [law'|x q' law' ev ev' A1 _ IH2] IH.
  by exists (fun=> fun=> 0%N), (fun=> fun=> false) => -[]; rewrite /= mulr0.
have [c0 [e0 H0]] := List.Forall_inv IH _ _ A1; have [c [e H]] := IH2 (List.Forall_inv_tail IH).
exists (fun i => if i is i'.+1 then c i' else c0), (fun i => if i is i'.+1 then e i' else e0).
move=> side.
rewrite /= total_shift mulrDr mulrA -at_side_after H0 H; by case: side.
Qed.
End Rules.

(** The statements of SPEC, 10.1. *)
Definition interactive_upper (ts : seq (tree R)) (epsilon d : R) :=
  interactive_dp ts (exp epsilon) d.
Definition interactive_lower (ts : seq (tree R)) (epsilon d : R) :=
  interactive_not_dp ts (exp epsilon) d.

Section Statements.
Variable ts : seq (tree R).
Hypothesis L : all (@lawful _) ts.
Implicit Types E epsilon d : R.

Let one side : at_side side (1, 1) = 1 :> R. Proof. by case: side. Qed.

(** 11.20 [post-processing]. *)
Theorem rule_post_processing E epsilon d : 1 <= E -> E <= exp epsilon -> 0 <= d -> d <= 1 ->
  simulates E d (whole ts) (1, 1) (Row 1 1 1 1) ->
  interactive_upper ts epsilon d.
Proof.
move=> E1 Ee d0 d1 S; have l := lawful_whole L; split=> // a event A side.
have := simulated_gain E1 d0 d1 side event l S A.
rewrite !one (_ : revealed side _ = 1) ?mul1r ?mulr1; last by case: (side).
rewrite ler_subl_addr addrC => /le_trans; apply; rewrite ler_add2r ler_wpmul2r //.
exact: mass_ge0.
Qed.

(** 11.21 [distinguishing-adversary], at one epsilon and at every. *)
Theorem rule_distinguishing_adversary E epsilon d event side : exp epsilon <= E ->
  attack (whole ts) (1, 1) event ->
  d < at_side side event - E * at_side (~~ side) event ->
  interactive_lower ts epsilon d.
Proof.
move=> Ee S gain; have [c [e H]] := attack_adversary S.
split=> //; exists (deterministic _ c), e; split; first exact: deterministic_adversary.
exists side; rewrite -[mass side _ _ _]mul1r -(one side) H.
rewrite -[mass (~~ side) _ _ _]mul1r -(one (~~ side)) H -ltr_subr_addl.
apply: lt_le_trans gain _; rewrite ler_add2l ler_opp2 ler_wpmul2r // -H one mul1r.
by apply: mass_ge0; [exact: lawful_whole|exact: deterministic_adversary].
Qed.
Theorem rule_distinguishing_adversary_every d event side : attack (whole ts) (1, 1) event ->
  at_side (~~ side) event = 0 -> d < at_side side event ->
  forall epsilon, interactive_lower ts epsilon d.
Proof.
move=> S b0 gain epsilon; apply: (rule_distinguishing_adversary (side := side) (lexx _) S).
by rewrite b0 mulr0 subr0.
Qed.
End Statements.
