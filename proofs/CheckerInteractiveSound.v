(** The verified checker: what the checks about interactive mechanisms accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Logarithms Comparisons CheckerClosed.
From ExactDP Require Import Ratios Interactive RulesInteractive CheckerInteractive.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Odds.
Variables (f : effort) (s : subject) (E : ratio) (x : combination).

Let quotient_E : quotient_ok (E.1, Zpos E.2) -> 1 <= of_ratio E.
Proof.
case/andP=> _ h; have p0 : 0 < IZR (Zpos E.2) by rewrite (IZR_lt_iff Z0).
by rewrite ler_pdivl_mulr // mul1r IZR_le_iff.
Qed.

Lemma odds_against_sound m : odds_against f s E m x ->
  1 <= of_ratio E /\ 0 <= IZR m * (real s x - ln (of_ratio E)).
Proof.
case/andP=> /andP[ok qE] h; split; first exact: quotient_E.
have /and4P[/Z.leb_le bits0 D0 qok _] := ok; rewrite -IZR_lt_iff in D0.
have := nonneg_sound bits0 _ h; rewrite /= qE qok => /(_ isT).
rewrite /value /= log_sum_scale !IZRM -/(IZR m).
have -> : IZR (- m) = - IZR m by exact: opp_IZR.
rewrite /real /value /of_ratio /fraction RdivE; last by rewrite gt_eqF // (IZR_lt_iff Z0).
set l := ln _; set v := log_sum _ _; set c := IZR x.1; set D := IZR (denominator s) in D0 *.
have -> : IZR m * c + (- IZR m * D * l + IZR m * v) = D * (IZR m * ((c + v) / D - l)).
  by field; rewrite gt_eqF.
by rewrite pmulr_rge0.
Qed.

Lemma odds_at_most : odds_against f s E 1 x ->
  1 <= of_ratio E /\ of_ratio E <= exp (real s x).
Proof.
case/odds_against_sound=> E1 h; split=> //; move: h; rewrite mul1r subr_ge0 => h.
have /RltP E0 : 0 < of_ratio E by apply: lt_le_trans E1.
by rewrite -(exp_ln _ E0) exp_le.
Qed.

Lemma odds_at_least : odds_against f s E (-1) x -> exp (real s x) <= of_ratio E.
Proof.
case/odds_against_sound=> E1; rewrite (_ : IZR (-1) = -1) // mulN1r oppr_ge0 subr_le0 => h.
have /RltP E0 : 0 < of_ratio E by apply: lt_le_trans E1.
by rewrite -(exp_ln _ E0) exp_le.
Qed.
End Odds.

Lemma lawful_ratios_sound t : lawful_ratios t -> lawful (real_tree t).
Proof.
have sum (l : seq ratio) : of_ratio (foldr radd zero l) = \sum_(x <- l) of_ratio x.
  by elim: l => [|x l IH]; rewrite ?big_nil ?of_zero // big_cons -IH -of_radd.
elim/tree_induction: t => qs; elim=> //= q qs' Hq _ IH /andP[/andP[/andP[l P] Q] /IH ->].
have := of_req P; rewrite sum of_one !big_map /= => ->.
have := of_req Q; rewrite sum of_one !big_map /= => ->.
rewrite eqxx !andbT; elim: Hq l => //= x q' Hx _ IHq /andP[/and3P[p0 q0 /Hx lx] /IHq ->].
by rewrite lx (of_ge0 p0) (of_ge0 q0).
Qed.

Lemma all_lawful ts : all lawful_ratios ts -> all (@lawful _) (map real_tree ts).
Proof. by rewrite all_map; apply: sub_all => t; exact: lawful_ratios_sound. Qed.

Lemma real_after law x : real_pair (after_ratios law x) = after (real_pair law) (real_pair x).
Proof. by rewrite /real_pair /after /= !of_rmul. Qed.

Section Rows.
Variables E d : ratio.

Lemma same_row_sound r r' : same_row r r' -> real_row r = real_row r'.
Proof. by case/and4P=> a b c e; rewrite /real_row (of_req a) (of_req b) (of_req c) (of_req e). Qed.

Lemma row_ok_sound law r : Z.lt 0 (radd E one).1 -> row_ok E d law r ->
  row_ge0 (real_row r) /\ real_pair law = mixture (of_ratio E) (of_ratio d) (real_row r).
Proof.
move=> E0 /and5P[a0 b0 c0 e0 /andP[P Q]].
split; first by rewrite /row_ge0 /= !of_ge0.
rewrite /real_pair (of_req P) (of_req Q) /mixture /=.
rewrite !of_radd !of_rmul (of_rdiv _ E0) !of_radd !of_rmul of_rsub of_one.
by rewrite ![(1 - _) / _ * _]mulrAC.
Qed.

Lemma total_row_sound t law rows r rows' : Z.lt 0 (radd E one).1 ->
  total_row E d t law rows = Some (r, rows') ->
  simulates (of_ratio E) (of_ratio d) (real_tree t) (real_pair law) (real_row r).
Proof.
move=> E0; elim/tree_induction: t law rows r rows' => qs IH law rows r rows'.
pose of_query := gather zero_row add_ratio_rows (fun x => total_row E d x.2 (after_ratios law x.1)).
have {}IH : List.Forall (fun q => forall c r c', of_query q c = Some (r, c') ->
    simulates_answers (of_ratio E) (of_ratio d)
      [seq (of_ratio x.1.1, of_ratio x.1.2, real_tree x.2) | x <- q]
      (real_pair law) (real_row r)) qs.
  apply: List.Forall_impl IH => q; elim=> [|x q' Hx _ IHq] c r0 c' /=.
    by case=> <- _; rewrite /real_row /= of_zero; exact: SimulatesNone.
  rewrite /of_query /=; case T : total_row => [[r1 c1]|] //.
  case G : gather => [[r2 c2]|] // [<- _].
  have -> : real_row (add_ratio_rows r1 r2) = add_rows (real_row r1) (real_row r2).
    by rewrite /real_row /add_rows /= !of_radd.
  apply: SimulatesAnswer; last exact: IHq G.
  by have := Hx _ _ _ _ T; rewrite real_after.
case: qs IH => [_|q qs] /=.
  case: rows => [|r0 rows] //; case: ifP => // ok [<- _].
  by have [r_ge0 ->] := row_ok_sound E0 ok; exact: SimulatesEnd.
rewrite -/of_query => IH; have Hq := List.Forall_inv IH; have {}IH := List.Forall_inv_tail IH.
case G : (of_query q rows) => [[r1 c1]|] // A.
have e : r1 = r.
  elim: (qs) c1 A {G} => [|q' qs' IHqs] c /=; first by case.
  by case: (of_query q' c) => [[? ?]|] //; case: ifP => // _; exact: IHqs.
apply: SimulatesQueries; constructor; first by rewrite -e; exact: Hq G.
rewrite {Hq G}e in A; elim: IH c1 A => [|q' qs' Hq' _ IHqs] c /=; first by constructor.
case G : (of_query q' c) => [[r2 c2]|] //; case: ifP => // same A.
by constructor; [rewrite (same_row_sound same); exact: Hq' G|exact: IHqs A].
Qed.
End Rows.

Theorem check_post_processing_sound f s x d E ts rows : check_post_processing f s x d E ts rows ->
  interactive_upper (map real_tree ts) (real s x) (of_ratio d).
Proof.
case/and5P=> /odds_at_most[E1 Ee] /of_ge0 d0 d1 l.
rewrite of_rle of_one in d1; case T : total_row => [[r [|]]|] // /same_row_sound e.
apply: (rule_post_processing (all_lawful l) E1 Ee d0 d1).
have E0 : Z.lt 0 (radd E one).1.
  have : 0 < of_ratio (radd E one).
    by rewrite of_radd of_one; apply: addr_gt0; [apply: lt_le_trans E1|]; exact: ltr01.
  rewrite /of_ratio /fraction pmulr_lgt0 ?invr_gt0 ?(IZR_lt_iff Z0) //.
  by move/Z.ltb_lt.
have := total_row_sound E0 T; rewrite e /real_tree map_whole /real_pair /real_row /= !of_one.
exact.
Qed.

Section Attacks.
Variables (every : bool) (E : ratio) (side : bool).

(** What v says of P and Q of an event, as [at_side] names them. *)
Let says (v : ratio) (event : R * R) :=
  of_ratio v = at_side side event - of_ratio E * at_side (~~ side) event /\
  (every -> at_side (~~ side) event = 0).

Lemma part_sound law : exists chosen : bool,
  says (part every E side law) (if chosen then real_pair law else (0, 0)).
Proof.
have at_real b : at_side b (real_pair law) = of_ratio (at_ratio b law) by case: b.
exists (counts every E (at_ratio side law) (at_ratio (~~ side) law)); rewrite /says /part.
case: ifP => [c|_]; last by rewrite of_zero; case: (side); rewrite /= mulr0 subr0.
rewrite !at_real of_rsub of_rmul; split=> // e; move: c; rewrite /counts e => /Z.eqb_eq.
by rewrite /of_ratio /fraction => ->; rewrite mul0r.
Qed.

Lemma pick_nth (A B : Type) (f : A -> option B) i s b : pick f i s = Some b ->
  exists x, List.nth_error s i = Some x /\ f x = Some b.
Proof. by elim: s i => [|x s IH] [|i] //=; [exists x|exact: IH]. Qed.

Lemma nth_map_Some (A B : Type) (f : A -> B) i s x :
  List.nth_error s i = Some x -> List.nth_error (map f s) i = Some (f x).
Proof. by elim: s i => [|y s IH] [|i] //=; [case=> ->|exact: IH]. Qed.

Lemma excess_sound t law choices v choices' :
  excess every E side t law choices = Some (v, choices') ->
  exists event, attack (real_tree t) (real_pair law) event /\ says v event.
Proof.
elim/tree_induction: t law choices v choices' => qs IH law choices v choices' /=.
case: qs IH => [_ [<- _]|q0 qs0].
  by have [b h] := part_sound law; eexists; split; first exact: AttackEnd.
move: (q0 :: qs0) => qs IH; case: choices => // c choices.
move=> X; have [q [N G]] := pick_nth X.
have {}IH := proj1 (List.Forall_forall _ _) IH q (List.nth_error_In _ _ N).
suff [event [A S]] : exists event, attack_answers
    [seq (of_ratio x.1.1, of_ratio x.1.2, real_tree x.2) | x <- q] (real_pair law) event /\
    says v event.
  exists event; split=> //; apply: AttackQuery A; exact: (nth_map_Some _ N).
elim: IH choices v choices' G {N X} => [|x q' Hx _ IHq] choices v choices' /=.
  case=> <- _; exists (0, 0); split; first exact: AttackNone.
  by rewrite /says of_zero; case: (side); rewrite /= mulr0 subr0.
case X : excess => [[v1 c1]|] //; case G : gather => [[v2 c2]|] // [<- _].
have [e1 [A1 [S1 Z1]]] := Hx _ _ _ _ X; have [e2 [A2 [S2 Z2]]] := IHq _ _ _ G.
exists (e1.1 + e2.1, e1.2 + e2.2); split.
  by apply: AttackAnswer A2; rewrite real_after in A1.
have at_sum b : at_side b (e1.1 + e2.1, e1.2 + e2.2) = at_side b e1 + at_side b e2 by case: b.
split; last by move=> e; rewrite at_sum Z1 // Z2 // addr0.
by rewrite of_radd S1 S2 !at_sum mulrDr opprD addrACA.
Qed.

Lemma exceeds_sound d ts choices : exceeds every E side d ts choices ->
  all (@lawful _) (map real_tree ts) /\
  exists event, [/\ attack (whole (map real_tree ts)) (1, 1) event,
    of_ratio d < at_side side event - of_ratio E * at_side (~~ side) event &
    every -> at_side (~~ side) event = 0].
Proof.
case/andP=> l; case X : excess => [[v [|]]|] // dv; split; first exact: all_lawful.
have [event [A [e z]]] := excess_sound X; exists event; split=> //; last by rewrite -e -of_rlt.
by move: A; rewrite /real_tree map_whole /real_pair /= of_one.
Qed.
End Attacks.

Theorem check_distinguishing_adversary_sound f s x d E side ts choices :
  check_distinguishing_adversary f s x d E side ts choices ->
  interactive_lower (map real_tree ts) (real s x) (of_ratio d).
Proof.
case/andP=> /odds_at_least Ee /exceeds_sound[l [event [A gain _]]].
exact: (rule_distinguishing_adversary l Ee A gain).
Qed.

Theorem check_distinguishing_every_sound d side ts choices :
  check_distinguishing_every d side ts choices ->
  forall epsilon, interactive_lower (map real_tree ts) epsilon (of_ratio d).
Proof.
case/exceeds_sound=> l [event [A gain /(_ isT) z]].
by rewrite z mulr0 subr0 in gain; exact: (rule_distinguishing_adversary_every l A z gain).
Qed.
