(** What a workload's privacy is, exactly: that of the worst row.

    [workload_upper_iff]: a workload is (epsilon, delta)-DP if and only if, for every row, the
    mechanisms of the queries that this row satisfies are.  So what counts is how many queries one
    row satisfies, and not how many queries overlap in pairs: [overlap_not_clique] has three queries
    of which any two overlap while no row satisfies all three. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Reals Rules Workloads
  RulesWorkloads.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ByRow.
Variables (Row I : eqType) (satisfies : I -> pred Row) (parameters : I -> R * R) (qs : seq I).
Variables (epsilon delta : R).
Hypotheses (once : uniq qs) (W : proper [seq parameters q | q <- qs]).
Definition of_row (r : Row) : ledger := [seq parameters q | q <- qs & satisfies q r].

Lemma of_row_proper r : proper (of_row r).
Proof.
apply/allP => p /mapP[q]; rewrite mem_filter => /andP[_ qqs] ->; apply: (allP W); exact: map_f.
Qed.

Theorem workload_upper_rows : (forall r, upper (of_row r) epsilon delta) ->
  workload_upper dp satisfies (odds \o parameters) qs epsilon delta.
Proof.
move=> up x x' [r xx] Y P Q A; apply: (upper_interleaved (of_row_proper r) (up r)).
apply: (answered_interleaved (colour := id) xx once) A => //; first by rewrite filter_uniq.
by move=> i iqs hi; rewrite mem_filter hi.
Qed.

Theorem workload_upper_iff : workload_upper dp satisfies (odds \o parameters) qs epsilon delta <->
  forall r, upper (of_row r) epsilon delta.
Proof.
split=> [up r|]; last exact: workload_upper_rows.
have W' : all (fun q => admissible ((odds \o parameters) q)) qs.
  by have := odds_admissible W; rewrite /odds_of -map_comp all_map.
have [Y [P [Q [A H]]]] := witness_attained satisfies r W'.
have [/events_hockey_stick h _] : indistinguishable (exp epsilon) delta P Q.
  by apply: up A; exists r; left.
by apply/(upper_composed _ _ (of_row_proper r)); move: h; rewrite H (map_comp odds parameters).
Qed.
End ByRow.

(** Three queries about one attribute of three values; query i is about all values but i. *)
Section Example.
Definition others (i : 'I_3) : pred 'I_3 := fun v => v != i.

Lemma two_others v : size [seq i <- enum 'I_3 | others i v] = 2%N.
Proof.
rewrite -sum1_size big_filter big_enum_cond /= sum1_card (eq_card (B := predC1 v)) ?cardC1 ?card_ord //.
by move=> i; rewrite !inE eq_sym.
Qed.

Variable epsilon : R.
Hypothesis e0 : 0 < epsilon.
Definition alike (i : 'I_3) : R * R := (epsilon, 0).

Lemma alike_list s : [seq alike i | i <- s] = nseq (size s) (epsilon, 0).
Proof. by elim: s => //= i s ->. Qed.

Lemma alike_proper n : proper (nseq n (epsilon, 0)).
Proof. by rewrite /proper all_nseq /= ltW // lexx ltr01 orbT. Qed.

Lemma alike_sums n : \sum_(e <- epsilons (nseq n (epsilon, 0))) e = epsilon *+ n /\
  \prod_(m <- nseq n (epsilon, 0 : R)) (1 - m.2) = 1.
Proof.
rewrite /epsilons map_nseq big_nseq iter_addr addr0 big_nseq subr0; split=> //.
by elim: n => //= n ->; rewrite mulr1.
Qed.

Theorem overlap_not_clique :
  [/\ forall i j, exists v, others i v && others j v,
      workload_upper dp others (odds \o alike) (enum 'I_3) (epsilon *+ 2) 0 &
      lower [seq alike i | i <- enum 'I_3] (epsilon *+ 2) 0].
Proof.
split.
- move=> i j; pose v := if (i != 0) && (j != 0) then 0 else if (i != 1) && (j != 1) then 1 else 2%:R : 'I_3.
  by exists v; move: i j @v => [[|[|[|i]]] hi] [[|[|[|j]]] hj].
- apply: workload_upper_rows => [||v]; first exact: enum_uniq.
    by rewrite alike_list; exact: alike_proper.
  rewrite /of_row alike_list two_others; have [s k] := alike_sums 2.
  by apply: rule_sum_upper; rewrite ?alike_proper ?s ?k ?subr0.
rewrite alike_list size_enum_ord; have [s k] := alike_sums 3.
by apply: rule_sum_lower; rewrite ?alike_proper ?s ?k ?subr0 // ltr_pmuln2l.
Qed.
End Example.
