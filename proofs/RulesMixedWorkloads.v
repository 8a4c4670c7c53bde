(** The rules about workloads (SPEC, section 8), for mechanisms of all three notions (Notions.v).

    Parallel composition holds as it does for epsilon and delta; [interleaved_upper] is the statement
    about the concluded ledger, whose mechanisms come in an order that may depend on the answers
    before; OrderOfWorkloads.v says by which rules it holds.

    Premises about the profile G of a pair of normal distributions: it grows with mu, and is at
    least that of two equal distributions.  CheckerMixedWorkloads.v proves both. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers
  Moments Workloads RulesWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition not_more (n n' : notion) : bool :=
  match n, n' with
  | Approximate epsilon delta, Approximate epsilon' delta' => (epsilon <= epsilon') && (delta <= delta')
  | Gaussian mu, Gaussian mu' => 0 <= mu <= mu'
  | Concentrated rho, Concentrated rho' => rho <= rho'
  | _, _ => false
  end.

Section Mixed.
Variable G : R -> R -> R.
Hypothesis profile_monotone : forall mu mu' e : R, 0 <= mu -> mu <= mu' -> G mu e <= G mu' e.

Definition of_notion : pair_property [realFieldType of R] notion :=
  fun n Y P Q => @satisfies G n Y P Q.

Lemma of_notion_weaker n n' (Y : finType) (P Q : Y -> R) : not_more n n' ->
  of_notion n P Q -> of_notion n' P Q.
Proof.
move=> + [dP dQ]; case: n => [e d|mu|rho]; case: n' => [e' d'|mu'|rho'] //=.
- move=> /andP[ee dd] h; have le : exp e <= exp e' by rewrite exp_le.
  by have [] := @dp_weaker _ (exp e, d) (exp e', d') Y P Q le dd (DpPair dP dQ h).
- move=> /andP[m0 mm] h; split=> // x; have le := profile_monotone x m0 mm.
  by have [] := @dp_weaker _ (exp x, G mu x) (exp x, G mu' x) Y P Q (lexx _) le (DpPair dP dQ (h x)).
- move=> rr h; split=> // a a1 m; have [h1 h2] := h a a1.
  have le : exp (a * (a - 1) * rho) <= m.
    by rewrite exp_le ler_wpmul2l // mulr_ge0 ?subr_ge0 ?(ltW a1) // (le_trans ler01) // ltW.
  by split; [case: h1|case: h2] => s h'; split=> //; exact: le_trans le.
Qed.

(** `trivial`. *)
Lemma interleaved_distribution (C : eqType) (g : C -> notion) cs (Y : finType) (P Q : Y -> R) :
  interleaved of_notion g cs P Q -> distribution P /\ distribution Q.
Proof.
elim=> {cs Y P Q} [cs|cs Y Z P Q P' Q' [P0 P1] PQ _ IH|c cs Y Z P Q P' Q' _ [dP dQ _] _ IH].
- suff h : distribution (fun _ : unit => 1 : R) by split.
  by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
- have dQ : distribution Q.
    by split=> [y|]; [rewrite -PQ|rewrite -P1; apply: eq_bigr => y _; rewrite PQ].
  by split; apply: distribution_pair => // y; case: (IH y).
- by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Theorem vacuous_interleaved (C : eqType) (g : C -> notion) cs epsilon :
  interleaved_upper of_notion g cs epsilon 1.
Proof.
move=> Y P Q /interleaved_distribution[[P0 P1] [Q0 Q1]].
have le1 (f h : Y -> R) (S : {set Y}) : (forall y, 0 <= f y) -> \sum_y f y = 1 -> (forall y, 0 <= h y) ->
    \sum_(y in S) f y <= exp epsilon * (\sum_(y in S) h y) + 1.
  move=> f0 <- h0; rewrite [X in _ <= _ + X](bigID (mem S)) /= addrCA ler_addl.
  by rewrite addr_ge0 ?mulr_ge0 ?sumr_ge0 // ltW // exp_gt0.
by split=> S; exact: le1.
Qed.

(** 11.18 [parallel-colouring]. *)
Theorem rule_parallel_colouring_mixed (Row I : eqType) (rows : I -> pred Row) (parameters : I -> notion)
    (C : eqType) (colour : I -> C) (greatest : C -> notion) qs cs epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> colour i = colour j -> forall r, ~~ (rows i r && rows j r)} ->
  {in qs, forall i r, rows i r ->
    colour i \in cs /\ not_more (parameters i) (greatest (colour i))} ->
  interleaved_upper of_notion greatest cs epsilon delta ->
  workload_upper of_notion rows parameters qs epsilon delta.
Proof.
move=> uqs ucs disjoint great; apply: rule_parallel_colouring_any uqs ucs disjoint _.
by move=> i iqs r hi; have [c le] := great i iqs r hi; split=> // Y P Q; exact: of_notion_weaker.
Qed.

(** From below: the queries' questions are whether there is a row.  A composition of mechanisms for
    the queries that the row [r] satisfies becomes answers to them, between no row and [r] alone. *)
Hypothesis profile_of_equals : forall mu e : R, 0 <= mu -> 0 <= G mu e /\ 1 - exp e <= G mu e.

Lemma of_notion_alike n (Y : finType) (P : Y -> R) : proper_notion n -> distribution P -> of_notion n P P.
Proof.
move=> w dP; have [P0 P1] := dP; split=> //; case: n w => [e d /and3P[e0 d0 d1]|mu m0 e|rho r0 a a1 m].
- have [] // := @dp_alike _ (exp e, d) Y P P _ dP (frefl _).
  by rewrite /admissible /= exp_ge1 e0 d0 ltW.
- have [g0 g1] := profile_of_equals e m0.
  suff h : hockey_stick 1 (exp e) P P <= G mu e by split; apply/events_hockey_stick.
  rewrite /hockey_stick; under eq_bigr => y _ do rewrite -mulrBl mulrC posM //.
  by rewrite -mulr_suml P1 mul1r; exact: pos_le.
have [s h] := moment_self a dP.
have m1 : 1 <= m by rewrite exp_ge1 !mulr_ge0 ?subr_ge0 ?(ltW a1) // (le_trans ler01) // ltW.
by split; split=> //; exact: le_trans m1.
Qed.

Section Witness.
Variables (Row I : eqType) (rows : I -> pred Row) (parameters : I -> notion) (r : Row).

Lemma pair_mechanism n (Y : finType) (P Q : Y -> R) : proper_notion n -> of_notion n P Q ->
  mechanism of_notion n (fun x : seq Row => if nilp x then P else Q).
Proof.
move=> w h; have [dP dQ _] := h; split=> [x x' /perm_nilp -> //|x|x x' _]; first by case: ifP.
case: ifP => _; case: ifP => _ //; try exact: of_notion_alike.
exact: satisfies_sym.
Qed.

Lemma rem_permutation q qs : q \in qs ->
  Permutation [seq parameters q | q <- qs] (parameters q :: [seq parameters q | q <- rem q qs]).
Proof.
elim: qs => //= i qs IH; rewrite inE; case: eqVneq => [-> _|qi /= /IH h]; first exact: Permutation_refl.
exact: Permutation_trans (perm_skip _ h) (perm_swap _ _ _).
Qed.

(** The queries that are left all hold of the row. *)
Lemma answered_composition ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  all proper_notion ns -> forall qs, all (fun q => rows q r) qs ->
  Permutation [seq parameters q | q <- qs] ns -> answered of_notion rows parameters [::] [:: r] qs P Q.
Proof.
elim=> {ns Y P Q} [_ qs _ /Permutation_sym/Permutation_nil|n ns Y Z P Q P' Q' h _ IH /andP[w W] qs hit p].
  by case: qs => // _; exact: AnsweredAll.
have [q qqs nq] : exists2 q, q \in qs & parameters q = n.
  have : List.In n [seq parameters q | q <- qs].
    exact: Permutation_in (Permutation_sym p) (or_introl erefl).
  elim: qs {hit p} => //= i qs IHq [<-|/IHq[q qqs nq]]; first by exists i; rewrite ?mem_head.
  by exists q; rewrite ?inE ?qqs ?orbT.
have {}p : Permutation [seq parameters q | q <- rem q qs] ns.
  apply: (@Permutation_cons_inv _ _ _ n); rewrite -{1}nq.
  exact: Permutation_trans (Permutation_sym (rem_permutation qqs)) p.
have m : mechanism of_notion (parameters q) (fun x : seq Row => if nilp x then P else Q).
  by rewrite nq; exact: pair_mechanism.
have rest y : answered of_notion rows parameters [::] [:: r] (rem q qs) (P' y) (Q' y).
  by apply: IH => //; apply/allP => i /mem_rem; exact: (allP hit).
by have := AnsweredQuery qqs m rest; rewrite /= (allP hit q qqs).
Qed.

(** Other queries come first, and have one answer only. *)
Lemma answered_constant qs ns (Y : finType) (P Q : Y -> R) : mixed_composition G ns P Q ->
  all proper_notion ns -> all (fun q => proper_notion (parameters q)) qs ->
  Permutation [seq parameters q | q <- qs & rows q r] ns ->
  exists (Z : finType) (S T : Z -> R), answered of_notion rows parameters [::] [:: r] qs S T /\
  forall a b, hockey_stick a b S T = hockey_stick a b P Q /\ hockey_stick a b T S = hockey_stick a b Q P.
Proof.
move=> C W; move n : (size qs) => k; elim: k qs n => [|k IH] qs n Wq p.
  move/size0nil: n => n; rewrite n in p *; exists Y, P, Q; split=> //.
  by apply: (answered_composition C W) p.
have [hit|/allPn[q qqs miss]] := boolP (all (fun q => rows q r) qs).
  by exists Y, P, Q; split=> //; apply: (answered_composition C W hit); rewrite -{1}(all_filterP hit).
have [|||Z [S [T [A H]]]] := IH (rem q qs).
- by rewrite size_rem // n.
- by apply/allP => i /mem_rem; exact: (allP Wq).
- suff -> : [seq i <- rem q qs | rows i r] = [seq i <- qs | rows i r] by [].
  elim: qs {n Wq p} qqs => //= i qs IHq; rewrite inE; case: eqVneq => [<- _|qi /= /IHq ->] //.
  by rewrite (negPf miss).
exists (prod_finType unit_finType Z), (fun p => 1 * S p.2), (fun p => 1 * T p.2); split.
  have one : distribution (fun _ : unit => 1 : R).
    by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
  have m : mechanism of_notion (parameters q) (fun (_ : seq Row) (_ : unit) => 1 : R).
    by split=> // x x' _; apply: of_notion_alike one; exact: (allP Wq).
  exact: (AnsweredQuery qqs m (fun _ => A)).
move=> a b; have [<- <-] := H a b.
have e (S' T' : Z -> R) : hockey_stick a b (fun p : unit * Z => 1 * S' p.2) (fun p => 1 * T' p.2) =
    hockey_stick a b S' T'.
  rewrite (hockey_stick_pair (fun=> 1) (fun=> 1) (fun=> S') (fun=> T')) (big_pred1 tt); last by case.
  by rewrite !mulr1.
by rewrite !e.
Qed.

(** 11.17 [overlap-witness]. *)
Theorem rule_overlap_witness_mixed qs ns epsilon delta :
  all (fun q => proper_notion (parameters q)) qs ->
  Permutation [seq parameters q | q <- qs & rows q r] ns -> mixed_lower G ns epsilon delta ->
  workload_lower of_notion rows parameters qs epsilon delta.
Proof.
move=> W p [ns' [p' [Y [P [Q [C low]]]]]]; exists [::], [:: r]; split; first by exists r; left.
have W' : all proper_notion ns'.
  rewrite -(all_permutation _ (Permutation_trans p p')) all_map; apply/allP => q.
  by rewrite mem_filter => /andP[_ /(allP W)].
have [Z [S [T [A H]]]] := answered_constant C W' W (Permutation_trans p p').
exists Z, S, T; split=> // [[/events_hockey_stick h1 /events_hockey_stick h2]]; apply: low.
by have [e1 e2] := H 1 (exp epsilon); split; apply/events_hockey_stick; rewrite -?e1 -?e2.
Qed.
End Witness.
End Mixed.
