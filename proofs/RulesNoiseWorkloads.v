(** 11.17 and 11.18 [noise-witness] and [noise-colouring]: workloads of mechanisms by their noise.

    What is known of a query's mechanism is an entry of NoiseLedgers.v, or a curve above its profile, of
    the law with one row more against that without it ([query_noise]); which entry stands for which is
    [at_most].  [rule_noise_colouring] concludes from a bound of mechanisms that come in any order, which
    may depend on the answers before, one for each class.  Two rules give such a bound: that of
    mesh-upper ([rule_noise_colouring_dots]), and that of moments ([rule_noise_colouring_renyi]).
    [rule_noise_witness] concludes from a bound from below of some mechanisms of these entries. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import DiscreteGaussian BellsInOrder PositivePart Privacy Composition Domination Reals Rules Notions Failures Powers
  Moments RulesGaussian RulesProfiles Workloads RulesWorkloads RulesMixedWorkloads OrderOfWorkloads
  RulesNoiseRenyi NoiseLedgers NoiseWorkloads NoiseOrder SamplesInOrder DrawnFirst.
From ExactDP Require CheckerMixedWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Inductive query_noise :=
| ByEntry of noise
| ByCurve of (R -> R).

(** P is the law with one row more. *)
Definition has_query_noise : pair_property [realFieldType of R] query_noise := fun n Y P Q =>
  match n with
  | ByEntry m => has_noise m P Q
  | ByCurve h => [/\ distribution P, distribution Q & under_curve h P Q]
  end.

(** Of rows, those with which a table of a lesser rate is drawn; their laws are laws. *)
Definition table_at_most (t t' : seq (R * R)) : Prop := t = t' \/
  exists s, [/\ 0 <= s, s <= 1, law_proper (unzip1 t'), law_proper (unzip2 t') & t = mixed_rows s t'].

(** 7.6; curves by NoiseOrder.v, samples by SamplesInOrder.v: of no record is the rate 1. *)
Definition at_most (n n' : query_noise) : Prop :=
  match n, n' with
  | ByEntry (OfNotion m), ByEntry (OfNotion m') => not_more m m'
  | ByEntry (OfOrders os), ByEntry (OfOrders os') => os = os'
  | ByEntry (OfRange e), ByEntry (OfRange e') => e <= e'
  | ByEntry (OfShift d s), ByEntry (OfShift d' s') => [/\ 0 < d, d <= d', (0 < s)%N & (s <= s')%N]
  | ByEntry (OfLaplace a), ByEntry (OfLaplace a') => 0 <= a /\ a <= a'
  | ByEntry (OfTable t), ByEntry (OfTable t') => table_at_most t t'
  | ByEntry (OfDiscreteGaussian v s), ByEntry (OfDiscreteGaussian v' s') => [/\ 0 < v, v = v' & (s <= s')%N]
  | ByEntry (OfSample WithRecord q c), ByEntry (OfSample WithRecord q' c') =>
      [/\ 0 < q, q <= q', q' <= 1, curve_fit c & curve_at_most c c']
  | ByEntry (OfSample WithRecord q c), ByEntry m => [/\ 0 < q, q <= 1, curve_fit c & below_whole c m]
  | ByCurve h, ByCurve h' => no_higher h h'
  | _, _ => False
  end.

Lemma has_query_noise_weaker n n' (Y : finType) (P Q : Y -> R) : at_most n n' ->
  has_query_noise n P Q -> has_query_noise n' P Q.
Proof.
have whole q c m : [/\ 0 < q, q <= 1, curve_fit c & below_whole c m] -> has_noise (OfSample WithRecord q c) P Q -> has_noise m P Q.
  by case=> q0 q1 ok le; exact: whole_noise le.
case: n n' => [[m|os|e|d s|b|t|[] q c|v s|w v n]|h] [[m'|os'|e'|d' s'|b'|t'|[] q' c'|v' s'|w' v' n']|h'] //; try exact: whole; rewrite /=.
- move=> le [dP dQ w]; split=> //.
  exact: (of_notion_weaker CheckerMixedWorkloads.G_monotone le).
- by move=> <-.
- move=> le [dP dQ [t w]]; split=> //; exists t => y; have [low high] := w y; split=> //.
  apply: le_trans low; case: dQ => Q0 _; apply: ler_wpmul2r => //.
  by rewrite exp_le ler_add2l ler_opp2.
- case=> d0 dd s0 ss [dP dQ [w w']]; split=> //.
  by split=> y y0; apply: le_trans (discrete_laplace_in_order d0 dd s0 ss y0); [exact: w|exact: w'].
- case=> a0 aa [dP dQ [w w']]; split=> //.
  by split=> l; apply: le_trans (laplace_in_order l a0 aa); [exact: w|exact: w'].
- case=> [<- //|[s [s0 s1 p q ->]]]; exact: mixed_rows_in_order.
- case=> q0 qq q1 ok le [dP dQ u]; split=> //; exact: samples_in_order u.
- case=> v0 <- ss [dP dQ [w w']]; split=> //.
  by split=> y y0; apply: le_trans (discrete_gaussian_in_order v0 ss y0); [exact: w|exact: w'].
- by move=> le [dP dQ w]; split=> // y y0; exact: le_trans (w y y0) (le y y0).
Qed.

Section Statements.
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> query_noise).

Definition noise_workload_upper qs (epsilon delta : R) :=
  forall r (x x' : seq Row), one_more r x x' -> forall (Y : finType) (P Q : Y -> R),
  answered_more has_query_noise satisfies parameters x x' qs P Q -> indistinguishable (exp epsilon) delta P Q.

Definition noise_workload_lower qs (epsilon delta : R) :=
  exists r (x x' : seq Row), one_more r x x' /\ exists (Y : finType) (P Q : Y -> R),
  answered_more has_query_noise satisfies parameters x x' qs P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Section Colouring.
Variables (C : eqType) (colour : I -> C) (greatest : C -> query_noise) (qs : seq I) (cs : seq C).
Hypotheses (uqs : uniq qs) (ucs : uniq cs).
Hypothesis disjoint : {in qs &, forall i j, i != j -> colour i = colour j ->
  forall r, ~~ (satisfies i r && satisfies j r)}.
Hypothesis great : {in qs, forall i r, satisfies i r ->
  colour i \in cs /\ at_most (parameters i) (greatest (colour i))}.
Variables (epsilon delta : R).

(** 11.18. *)
Theorem rule_noise_colouring : interleaved_upper has_query_noise greatest cs epsilon delta ->
  noise_workload_upper qs epsilon delta.
Proof.
move=> up r x x' xx Y P Q A; apply: up.
apply: (answered_more_interleaved (colour := colour) xx uqs) A => //.
- move=> i j iqs jqs hi hj e; apply/eqP; apply: contraT => ij.
  by have := disjoint iqs jqs ij e r; rewrite hi hj.
- by move=> i Z S T iqs hi; have [_ le] := great iqs hi; exact: has_query_noise_weaker.
- by move=> i iqs hi; case: (great iqs hi).
Qed.

(** Then 11.5: pairs that dominate each class, in either direction, and what is left of their product. *)
Theorem rule_noise_colouring_dots (D D' : C -> finite_pair R_realFieldType) T T' (ok : table_ok T) (ok' : table_ok T') :
  {in cs, forall c, lawful (D c) && lawful (D' c)} ->
  {in cs, forall c (Z : finType) (S U : Z -> R), has_query_noise (greatest c) S U ->
    dominated_by (D c) S U /\ dominated_by (D' c) U S} ->
  evaluates [seq D c | c <- cs] (table_pair ok) -> evaluates [seq D' c | c <- cs] (table_pair ok') ->
  curve T (exp epsilon) <= delta -> curve T' (exp epsilon) <= delta -> noise_workload_upper qs epsilon delta.
Proof.
move=> W dom ev ev' le le'; apply: rule_noise_colouring => Y P Q A; have E0 := ltW (exp_gt0 epsilon).
split; apply/events_hockey_stick.
  apply: le_trans le; rewrite -(curve_of_pair ok); apply: le_trans (evaluation_dominates ev ler01 E0).
  apply: (interleaved_dominated_by_pairs (D := D) _ _ A) ler01 E0 => c ccs; first by case/andP: (W c ccs).
  by move=> Z S U h; case: (dom c ccs Z S U h).
apply: le_trans le'; rewrite -(curve_of_pair ok'); apply: le_trans (evaluation_dominates ev' ler01 E0).
apply: (interleaved_dominated_by_pairs (D := D') _ _ (interleaved_reversed A)) ler01 E0 => c ccs.
  by case/andP: (W c ccs).
by move=> Z S U h; case: (dom c ccs Z U S h).
Qed.
End Colouring.
End Statements.

(** --- Rényi divergences in any order --- *)

Lemma interleaved_weaker N N' (private : pair_property [realFieldType of R] N)
    (private' : pair_property [realFieldType of R] N') (C : eqType) (g : C -> N) (g' : C -> N') cs
    (Y : finType) (P Q : Y -> R) :
  {in cs, forall c (Z : finType) (S T : Z -> R), private (g c) Z S T -> private' (g' c) Z S T} ->
  interleaved private g cs P Q -> interleaved private' g' cs P Q.
Proof.
move=> + A; elim: A => {cs Y P Q} [cs _|cs Y Z P Q P' Q' dP PQ _ IH w|c cs Y Z P Q P' Q' ccs pq _ IH w].
- exact: InterleavedEnd.
- by apply: InterleavedAlike => // y; exact: IH.
- apply: (InterleavedPrivate ccs); first exact: w.
  by move=> y; apply: IH => d /mem_rem; exact: w.
Qed.

Section Renyi.
Variables (a : R) (a1 : 1 < a) (C : eqType) (e : C -> noise_entry).
Let of_entry_a : pair_property [realFieldType of R] noise_entry := fun n Y P Q => @of_entry a n Y P Q.

(** Two equal laws have what the entry says. *)
Definition sound_entry n := proper_entry a n && (0 <= log_bound a n).

Lemma interleaved_entries_apart cs (Y : finType) (P Q : Y -> R) :
  interleaved of_entry_a e cs P Q -> all (sound_entry \o e) cs ->
  exists P' Q', [/\ distribution P', distribution Q',
    moment_at_most a (exp (\sum_(c <- cs) log_bound a (e c))) P' Q' &
  forall y, noise_kept [seq e c | c <- cs] * P' y <= P y /\ noise_kept [seq e c | c <- cs] * Q' y <= Q y].
Proof.
have kept cs' : all (sound_entry \o e) cs' ->
    0 < noise_kept [seq e c | c <- cs'] /\ noise_kept [seq e c | c <- cs'] <= 1.
  rewrite /noise_kept; elim: cs' => [|c cs' IH] /=; first by rewrite big_nil ltr01 lexx.
  case/andP=> /andP[/entry_failure_bounds/andP[h h'] _] /IH[k k']; rewrite big_cons mulr_gt0 //.
  by split=> //; apply: mulr_ile1 => //; exact: ltW.
have sums cs' : all (sound_entry \o e) cs' -> 0 <= \sum_(c <- cs') log_bound a (e c).
  by move=> /allP W; rewrite big_seq; apply: sumr_ge0 => c /W/andP[].
have sub cs' (c : C) : all (sound_entry \o e) cs' -> all (sound_entry \o e) (rem c cs').
  by move=> /allP W; apply/allP => d /mem_rem; exact: W.
elim=> {cs Y P Q} [cs W|cs Y Z P Q P2 Q2 dP PQ _ IH W|c cs Y Z P Q P2 Q2 ccs h _ IH W].
- exists (fun=> 1), (fun=> 1); split; try exact: distribution_unit.
    have [s m] := moment_self a distribution_unit; split=> //; apply: le_trans m _.
    by rewrite exp_ge1; exact: sums.
  by move=> y; rewrite mulr1; split; case: (kept cs W).
- have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
      [/\ distribution F.1, distribution F.2, moment_at_most a (exp (\sum_(c <- cs) log_bound a (e c))) F.1 F.2 &
      forall z, noise_kept [seq e c | c <- cs] * F.1 z <= P2 y z /\ noise_kept [seq e c | c <- cs] * F.2 z <= Q2 y z].
    by have [P2' [Q2' H]] := IH y W; exists (P2', Q2').
  exists (fun p => P p.1 * (F p.1).1 p.2), (fun p => P p.1 * (F p.1).2 p.2); have [P0 _] := dP; split.
  + by apply: (@distribution_pair _ _ _ P (fun y => (F y).1)) => // y; case: (HF y).
  + by apply: (@distribution_pair _ _ _ P (fun y => (F y).2)) => // y; case: (HF y).
  + rewrite -[exp _]mul1r; apply: (@moment_pair a _ _ P P (fun y => (F y).1) (fun y => (F y).2)) => //;
      try (by move=> y; case: (HF y)); first exact: ltW (exp_gt0 _).
    exact: moment_self.
  + move=> [y z] /=; have [_ _ _ /(_ z)[Pz Qz]] := HF y.
    by rewrite -PQ ![_ * (P y * _)]mulrCA; split; apply: ler_wpmul2l.
have /andP[w _] := allP W c ccs; have {}W := sub _ c W.
have [P' [Q' [dP' dQ' m PQ]]] := entry_apart a1 w h.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R),
    [/\ distribution F.1, distribution F.2, moment_at_most a (exp (\sum_(d <- rem c cs) log_bound a (e d))) F.1 F.2 &
    forall z, noise_kept [seq e d | d <- rem c cs] * F.1 z <= P2 y z /\
              noise_kept [seq e d | d <- rem c cs] * F.2 z <= Q2 y z].
  by have [P2' [Q2' H]] := IH y W; exists (P2', Q2').
exists (fun p => P' p.1 * (F p.1).1 p.2), (fun p => Q' p.1 * (F p.1).2 p.2); split.
- by apply: (@distribution_pair _ _ _ P' (fun y => (F y).1)) => // y; case: (HF y).
- by apply: (@distribution_pair _ _ _ Q' (fun y => (F y).2)) => // y; case: (HF y).
- rewrite (perm_big _ (perm_to_rem ccs)) big_cons expD.
  by apply: (@moment_pair a _ _ P' Q' (fun y => (F y).1) (fun y => (F y).2)) => //;
    try (by move=> y; case: (HF y)); exact: ltW (exp_gt0 _).
have -> : noise_kept [seq e d | d <- cs] = (1 - entry_failure (e c)) * noise_kept [seq e d | d <- rem c cs].
  by rewrite /noise_kept !big_map (perm_big _ (perm_to_rem ccs)) big_cons.
have [k0 _] := kept _ W; have /andP[/ltW f0 _] := entry_failure_bounds w.
have [P'0 _] := dP'; have [Q'0 _] := dQ'.
move=> [y z] /=; have [[F1 _] [F2 _] _ /(_ z)[Pz Qz]] := HF y; have [Py Qy] := PQ y.
by split; rewrite mulrACA ler_pmul ?mulr_ge0 ?(ltW k0).
Qed.

Theorem noise_renyi_any_order cs epsilon delta : let es := [seq e c | c <- cs] in
  all (sound_entry \o e) cs -> 0 < noise_slack es delta ->
  \sum_(n <- es) log_bound a n + (1 - a) * epsilon + log_conversion a <= ln (noise_slack es delta) ->
  interleaved_upper of_entry_a e cs epsilon delta.
Proof.
move=> es W D0 le Y P Q A.
have k0 : 0 < noise_kept es.
  by apply: (@noise_kept_gt0 a); rewrite /es all_map; apply: sub_all W => c /andP[].
have lawful_of (S T : Y -> R) : interleaved of_entry_a e cs S T -> distribution S.
  move=> B; elim: B => {P Q es W D0 le A k0} [cs'|cs' Z X S' T' S2 T2 dS ST _ IH|c cs' Z X S' T' S2 T2 ccs [dS _ _] _ IH].
  - exact: distribution_unit.
  - exact: (@distribution_pair _ _ _ S' S2).
  - exact: (@distribution_pair _ _ _ S' S2).
have half (S T : Y -> R) : interleaved of_entry_a e cs S T -> hockey_stick 1 (exp epsilon) S T <= delta.
  move=> B; have [S2 [T2 [dS2 dT2 m ST]]] := interleaved_entries_apart B W; have dS := lawful_of _ _ B.
  apply: le_trans (divergence_apart (ltW k0) (ltW (exp_gt0 _)) dS dS2 ST) _.
  have -> : delta = 1 - noise_kept es + noise_kept es * noise_slack es delta.
    by rewrite /noise_slack mulrBr mulr1 [_ * (_ / _)]mulrC divfK ?gt_eqF // addrA subrK subKr.
  rewrite ler_add2l ler_pmul2l //; apply: le_trans (moment_divergence a1 epsilon dS2 dT2 m) _.
  by rewrite -expD -[X in _ <= X](lnK D0) exp_le addrC addrA -/es -[X in X + _ + _](big_map e xpredT).
split; apply/events_hockey_stick; apply: half => //; apply: interleaved_sym A.
by move=> n Z S T; exact: of_entry_sym.
Qed.

(** Then 11.14. *)
Theorem rule_noise_colouring_renyi (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> query_noise)
    (colour : I -> C) (greatest : C -> query_noise) qs cs epsilon delta : uniq qs -> uniq cs ->
  {in qs &, forall i j, i != j -> colour i = colour j -> forall r, ~~ (satisfies i r && satisfies j r)} ->
  {in qs, forall i r, satisfies i r -> colour i \in cs /\ at_most (parameters i) (greatest (colour i))} ->
  {in cs, forall c (Z : finType) (S T : Z -> R), has_query_noise (greatest c) S T -> of_entry a (e c) S T} ->
  let es := [seq e c | c <- cs] in all (sound_entry \o e) cs -> 0 < noise_slack es delta ->
  \sum_(n <- es) log_bound a n + (1 - a) * epsilon + log_conversion a <= ln (noise_slack es delta) ->
  noise_workload_upper satisfies parameters qs epsilon delta.
Proof.
move=> uqs ucs disjoint great known es W D0 le.
apply: (rule_noise_colouring uqs ucs disjoint great) => Y P Q A.
by apply: (noise_renyi_any_order W D0 le); exact: interleaved_weaker A.
Qed.
End Renyi.

(** --- from below --- *)

(** Two equal laws have what the entry says. *)
Definition proper_query (n : query_noise) : Prop :=
  match n with
  | ByEntry (OfNotion m) => proper_notion m
  | ByEntry (OfOrders os) => forall a r, (a, r) \in os -> 1 < a /\ 0 <= r
  | ByEntry (OfRange e) => 0 <= e
  | ByEntry (OfShift d s) => 0 < d /\ (0 < s)%N
  | ByEntry (OfLaplace a) => 0 <= a
  | ByEntry (OfTable t) => law_proper (unzip1 t) /\ law_proper (unzip2 t)
  | ByEntry (OfSample _ q c) => 0 < q /\ curve_fit c
  | ByEntry (OfShuffled _ _ _) => False   (* not shown here *)
  | ByEntry (OfDiscreteGaussian v _) => 0 < v
  | ByCurve h => forall y, 0 <= y -> pos (1 - y) <= h y
  end.

Lemma has_query_noise_alike n (Y : finType) (P : Y -> R) : proper_query n -> distribution P -> has_query_noise n P P.
Proof.
move=> + dP; case: n => [[m|os|e|d s|b|t|sides q c|v s|//]|h] //= w; split=> //.
- exact: (of_notion_alike CheckerMixedWorkloads.G_of_equals w dP).
- move=> a r /w[a1 r0]; have [sup m] := moment_self a dP.
  have one : 1 <= exp ((a - 1) * r) by rewrite exp_ge1 mulr_ge0 // subr_ge0 ltW.
  by split; split=> //; exact: le_trans one.
- exists 0 => y; have [P0 _] := dP; rewrite exp_0 mul1r sub0r; split=> //.
  by rewrite -[X in _ <= X]mul1r; apply: ler_wpmul2r => //; rewrite -[X in _ <= X]exp_0 exp_le oppr_le0.
- have [d0 s0] := w; have [dL dL'] := discrete_laplace_lawful d0 s0.
  by split; exact: equals_least.
- by split=> l; rewrite equals_profile //; exact: laplace_at_least.
- by have [/law_distribution dL /law_distribution dL'] := w; split; exact: equals_least.
- have [q0 ok] := w; have u := sample_of_equals q0 ok dP; case: sides => // y y1.
  have -> : exchanged_curve c = c by case: (c) ok.
  by split; apply: u; exact: le_trans y1.
- by split=> y y0; rewrite equals_profile //; exact: curve_least.
- by move=> y y0; rewrite equals_profile //; exact: w.
Qed.

(** Of mechanisms of these entries, in some order, each of which may depend on the answers before. *)
Definition noise_composition_of := composed_of has_query_noise.
Definition noise_ledger_lower ns (epsilon delta : R) := exists ns', Permutation ns ns' /\
  exists (Y : finType) (P Q : Y -> R), noise_composition_of ns' P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

Section Witness.
Variables (Row I : eqType) (rows : I -> pred Row) (parameters : I -> query_noise) (r : Row).

Lemma directed_pair n (Y : finType) (P Q : Y -> R) : proper_query n -> has_query_noise n P Q ->
  directed_mechanism has_query_noise n (fun x : seq Row => if nilp x then Q else P).
Proof.
move=> w h; have [dP dQ] : distribution P /\ distribution Q by case: n h {w} => [m|c] [].
split=> [x x' /perm_nilp -> //|x|q x x' /perm_nilp xx]; first by case: ifP.
by rewrite xx /=; case: ifP => // _; exact: has_query_noise_alike.
Qed.

Lemma permutation_of_rem q qs : q \in qs ->
  Permutation [seq parameters q | q <- qs] (parameters q :: [seq parameters q | q <- rem q qs]).
Proof.
elim: qs => //= i qs IH; rewrite inE; case: eqVneq => [-> _|qi /= /IH h]; first exact: Permutation_refl.
exact: Permutation_trans (perm_skip _ h) (perm_swap _ _ _).
Qed.

(** The queries that are left all hold of the row. *)
Lemma answered_as_composed ns (Y : finType) (P Q : Y -> R) : noise_composition_of ns P Q ->
  forall qs, {in qs, forall q, proper_query (parameters q)} -> all (fun q => rows q r) qs ->
  Permutation [seq parameters q | q <- qs] ns ->
  answered_more has_query_noise rows parameters [::] [:: r] qs P Q.
Proof.
elim=> {ns Y P Q} [qs _ _ /Permutation_sym/Permutation_nil|n ns Y Z P Q P' Q' h _ IH qs W hit p].
  by case: qs => // _; exact: MoreAll.
have [q qqs nq] : exists2 q, q \in qs & parameters q = n.
  have : List.In n [seq parameters q | q <- qs].
    exact: Permutation_in (Permutation_sym p) (or_introl erefl).
  elim: qs {W hit p} => //= i qs IHq [<-|/IHq[q qqs nq]]; first by exists i; rewrite ?mem_head.
  by exists q; rewrite ?inE ?qqs ?orbT.
have {}p : Permutation [seq parameters q | q <- rem q qs] ns.
  apply: (@Permutation_cons_inv _ _ _ n); rewrite -{1}nq.
  exact: Permutation_trans (Permutation_sym (permutation_of_rem qqs)) p.
have m : directed_mechanism has_query_noise (parameters q) (fun x : seq Row => if nilp x then Q else P).
  by apply: directed_pair; [exact: W|rewrite nq].
have rest y : answered_more has_query_noise rows parameters [::] [:: r] (rem q qs) (P' y) (Q' y).
  apply: IH => //; first by move=> i /mem_rem; exact: W.
  by apply/allP => i /mem_rem; exact: (allP hit).
by have := MoreQuery qqs m rest; rewrite /= (allP hit q qqs).
Qed.

(** Other queries come first, and have one answer only. *)
Lemma answered_with_constants qs ns (Y : finType) (P Q : Y -> R) : noise_composition_of ns P Q ->
  {in qs, forall q, proper_query (parameters q)} ->
  Permutation [seq parameters q | q <- qs & rows q r] ns ->
  exists (Z : finType) (S T : Z -> R), answered_more has_query_noise rows parameters [::] [:: r] qs S T /\
  forall a b, hockey_stick a b S T = hockey_stick a b P Q /\ hockey_stick a b T S = hockey_stick a b Q P.
Proof.
move=> C; move n : (size qs) => k; elim: k qs n => [|k IH] qs n W p.
  move/size0nil: n => n; rewrite n in p *; exists Y, P, Q; split=> //.
  by apply: (answered_as_composed C) p.
have [hit|/allPn[q qqs miss]] := boolP (all (fun q => rows q r) qs).
  by exists Y, P, Q; split=> //; apply: (answered_as_composed C W hit); rewrite -{1}(all_filterP hit).
have [|||Z [S [T [A H]]]] := IH (rem q qs).
- by rewrite size_rem // n.
- by move=> i /mem_rem; exact: W.
- suff -> : [seq i <- rem q qs | rows i r] = [seq i <- qs | rows i r] by [].
  elim: qs {n W p} qqs => //= i qs IHq; rewrite inE; case: eqVneq => [<- _|qi /= /IHq ->] //.
  by rewrite (negPf miss).
exists (prod_finType unit_finType Z), (fun p => 1 * S p.2), (fun p => 1 * T p.2); split.
  have m : directed_mechanism has_query_noise (parameters q) (fun (_ : seq Row) (_ : unit) => 1 : R).
    split=> // [x|s x x' _]; first exact: distribution_unit.
    by apply: has_query_noise_alike distribution_unit; exact: W.
  exact: (MoreQuery qqs m (fun _ => A)).
move=> a b; have [<- <-] := H a b.
have e (S' T' : Z -> R) : hockey_stick a b (fun p : unit * Z => 1 * S' p.2) (fun p => 1 * T' p.2) =
    hockey_stick a b S' T'.
  rewrite (hockey_stick_pair (fun=> 1) (fun=> 1) (fun=> S') (fun=> T')) (big_pred1 tt); last by case.
  by rewrite !mulr1.
by rewrite !e.
Qed.

(** 11.17. *)
Theorem rule_noise_witness qs ns epsilon delta : {in qs, forall q, proper_query (parameters q)} ->
  Permutation [seq parameters q | q <- qs & rows q r] ns -> noise_ledger_lower ns epsilon delta ->
  noise_workload_lower rows parameters qs epsilon delta.
Proof.
move=> W p [ns' [p' [Y [P [Q [C low]]]]]]; exists r, [::], [:: r]; split; first exact: perm_refl.
have [Z [S [T [A H]]]] := answered_with_constants C W (Permutation_trans p p').
exists Z, S, T; split=> // [[/events_hockey_stick h1 /events_hockey_stick h2]]; apply: low.
by have [e1 e2] := H 1 (exp epsilon); split; apply/events_hockey_stick; rewrite -?e1 -?e2.
Qed.
End Witness.
