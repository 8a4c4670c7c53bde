(** The verified checker: soundness of the rules of groups and of `concurrent-basic`. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Logarithms Comparisons.
From ExactDP Require Import CheckerClosed Concurrent RulesGroups CheckerGroups.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Entries.
Variable s : subject.

(** A subject with other entries, over the same table. *)
Definition with_entries (es : seq entry) := Subject (denominator s) (quotients s) es.

Let pair e := (real s (epsilon e), fraction (above e) (below e)).

Lemma same_integersP ks ks' : same_integers ks ks' -> ks = ks'.
Proof. by elim: ks ks' => [|k ks IH] [|k' ks'] //= /andP[/Z.eqb_eq -> /IH ->]. Qed.

Lemma same_parametersP e e' : same_parameters e e' -> pair e = pair e'.
Proof.
case: e e' => [[c k] a b n] [[c' k'] a' b' n'] /same_integersP.
by rewrite /pair /= => -[-> -> -> ->].
Qed.

Lemma ledger_cons e es : ledger_of (with_entries (e :: es)) =
  nseq (Z.to_nat (count e)) (pair e) ++ ledger_of (with_entries es).
Proof. by []. Qed.

Lemma taken_out_perm e es r : Z.le 0 (count e) -> taken_out e es = Some r ->
  perm_eq (ledger_of (with_entries es)) (ledger_of (with_entries (e :: r))).
Proof.
move=> e0; elim: es r => [|e' es IH] r //=.
case: ifP => [/andP[/same_parametersP pe /Z.leb_le le] [<-]|_].
  rewrite !ledger_cons pe /pair /= catA -nseqD.
  have -> : (Z.to_nat (count e) + Z.to_nat (count e' - count e))%N = Z.to_nat (count e') by lia.
  exact: perm_refl.
case t : (taken_out e es) => [r'|] // [<-].
by rewrite !ledger_cons perm_sym perm_catCA -ledger_cons perm_cat2l perm_sym; exact: IH.
Qed.

Lemma same_entries_perm es es' : all (fun e => Z.leb 0 (count e)) es -> same_entries es es' ->
  perm_eq (ledger_of (with_entries es)) (ledger_of (with_entries es')).
Proof.
elim: es es' => [|e es IH] es' /=.
  move=> _; elim: es' => [|e' es' IH] //= /andP[/Z.eqb_eq z /IH].
  by rewrite ledger_cons z.
case/andP=> /Z.leb_le e0 nn; case t : (taken_out e es') => [r|] // /(IH _ nn) h.
rewrite perm_sym; apply: perm_trans (taken_out_perm e0 t) _.
by rewrite !ledger_cons perm_cat2l perm_sym.
Qed.
End Entries.

Section Theorems.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

Lemma counts_ok : subject_ok f s -> all (fun e => Z.leb 0 (count e)) (entries s).
Proof. by case/and4P=> _ _ _; apply: sub_all => e /and4P[]. Qed.

Theorem check_group_privacy_sound g cap X x' a' b' x a b :
  check_group_privacy f s g cap X x' a' b' x a b ->
  upper (ledger_of s) (real s x') (fraction a' b') ->
  upper_of_groups (ledger_of s) (Pos.to_nat g) (real s x) (fraction a b).
Proof.
case/and4P=> ok e0 /(at_least_0_sound ok) e /(covers_sound ok)[d0 d _ c] U.
apply: (rule_group_privacy_upper U) => //; first exact: at_least_0_sound e0.
by move: e; rewrite real_sub real_scale IZR_pos mulr_natl subr_ge0.
Qed.

Theorem check_group_mechanisms_sound g cap ds es epsilon delta :
  check_group_mechanisms f s g cap ds es ->
  upper (ledger_of (with_entries s es)) epsilon delta ->
  upper_of_groups (ledger_of s) (Pos.to_nat g) epsilon delta.
Proof.
case/and4P=> ok /Nat.eqb_eq sz c p U.
pose expand (ed : entry * enlarged) :=
  nseq (Z.to_nat (count ed.1)) (fraction (above' ed.2) (below' ed.2)).
pose deltas := flatten [seq expand ed | ed <- zip (entries s) ds].
pose M := [seq enlarged_entry g q.1 q.2 | q <- zip (entries s) ds].
have nn := counts_ok ok.
have nn' : all (fun e => Z.leb 0 (count e)) M.
  rewrite /M; elim: (entries s) ds nn {sz c p M deltas} => [|e r IH] [|d t] //= /andP[e0 n].
  by rewrite e0 IH.
have e : of_groups (ledger_of s) (Pos.to_nat g) deltas = ledger_of (with_entries s M).
  rewrite /of_groups /deltas /M /ledger_of /=.
  elim: (entries s) ds sz {c p deltas M nn nn'} => [|e r IH] [|d t] //= [sz].
  rewrite zip_cat ?size_nseq // map_cat IH // /expand /= real_scale IZR_pos mulr_natl; congr (_ ++ _).
  by elim: (Z.to_nat _) => //= n ->.
apply: (rule_group_mechanisms (ledger_proper ok) (deltas := deltas)).
  rewrite /deltas_cover /deltas /ledger_of.
  elim: (entries s) ds sz c {p deltas M nn nn' e} => [|e r IH] [|d t] //= [sz].
  case/andP=> /andP[/(covers_sound ok)[_ _ _ h] _] /(IH _ sz) {}IH.
  by rewrite /expand /=; elim: (Z.to_nat _) => //= n ->; rewrite h.
rewrite e; apply: upper_perm U; last exact: same_entries_perm.
apply/allP => m; rewrite /M /ledger_of /=.
elim: (entries s) ds sz c nn (entries_ok ok) {p deltas M nn' e} => [|e r IH] [|d t] //= [sz].
case/andP=> /andP[/(covers_sound ok)[_ d0 b0 _] d1] c /andP[_ nn] h.
inversion h as [|? ? [_ _ _ e0] h' E]; subst.
rewrite mem_cat => /orP[/nseqP[-> _]|]; last exact: (IH _ sz c nn h').
rewrite /= real_scale mulr_ge0 ?IZR_pos ?ler0n //= d0 /=.
by rewrite ltr_pdivr_mulr // mul1r IZR_lt_iff.
Qed.

Lemma order_delta_nseq (F : realFieldType) n (E d : F) l : order_delta (nseq n (E, d) ++ l) =
  d * (\sum_(i < n) E ^+ i) + E ^+ n * order_delta l.
Proof.
elim: n => [|n IH] /=; first by rewrite big_ord0 mulr0 add0r mul1r.
rewrite IH big_ord_recl expr0 exprS.
have -> : \sum_(i < n) E ^+ lift ord0 i = E * \sum_(i < n) E ^+ i.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite -exprS.
by set t := \sum_(i < n) _; ring.
Qed.

Lemma delta_in_order_sound cap order d : subject_ok f s ->
  all (fun p => [&& Z.leb 0 (above p.1), Z.ltb 0 (below p.1) & Z.leb 0 (count p.1)]) order ->
  delta_in_order f s cap order = Some d ->
  let D := order_delta (odds_of (ledger_of (with_entries s [seq p.1 | p <- order]))) in
  0 <= D /\ IZR one * D <= IZR d.
Proof.
move=> ok; have bits0 : Z.le 0 (bits f) by case/and4P: ok => /Z.leb_le.
have oneZ : Z.lt 0 one by exact: Z.pow_pos_nonneg.
have one0 : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
elim: order d => [|[e X] order IH] d /=; first by move=> _ [<-]; rewrite mulr0.
case/andP=> /and3P[/Z.leb_le a0 /Z.ltb_lt b0 /Z.leb_le c0] W.
case E1 : (delta_in_order f s cap order) => [d'|] //; have /= {IH} := IH _ W E1.
rewrite ledger_cons /odds_of map_cat map_nseq order_delta_nseq -/(odds_of _) /=.
set D := order_delta _ => -[D0 Dd]; set E := exp _.
have E0 : 0 <= E by exact: ltW (exp_gt0 _).
have B0 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have A0 : 0 <= IZR (above e) by rewrite (IZR_le_iff Z0); apply/Z.leb_le.
have S0 n : 0 <= \sum_(i < n) E ^+ i by apply: sumr_ge0 => i _; exact: exprn_ge0.
have F0 : 0 <= fraction (above e) (below e) by rewrite divr_ge0 // ltW.
split; first by apply: addr_ge0; apply: mulr_ge0; rewrite ?exprn_ge0 //; exact: S0.
move: H; case: ifP => [/andP[/Z.eqb_eq -> /Z.eqb_eq z] [<-]|_].
  have -> : D = 0 by apply/le_anti; rewrite D0 andbT -(pmulr_rle0 _ one0); move: Dd; rewrite z.
  by rewrite /fraction !mul0r mulr0 addr0 mulr0.
case b : (exp_below f s X (epsilon e)) => //; have h := exp_below_sound ok b.
case: (count e) => // n; case E2 : (powers f cap X n) => [[p t]|] // [<-].
have [hp ht] := powers_sound ok E0 h E2; rewrite IZRD mulrDr; apply: ler_add.
  have /RleP := ceil_div_ge (above e * t) (below e) b0; rewrite RdivE ?gt_eqF //; apply: le_trans.
  rewrite ler_pdivl_mulr // IZRM /fraction; set S := \sum_(i < _) _ in ht *.
  have -> : IZR one * (IZR (above e) / IZR (below e) * S) * IZR (below e) = IZR (above e) * (IZR one * S).
    by field; exact: lt0r_neq0.
  exact: ler_wpmul2l.
apply: le_trans (ceil_div_above ok (p * d')); rewrite ler_pdivl_mulr // IZRM.
have -> : IZR one * (E ^+ Z.to_nat (Zpos n) * D) * IZR one =
  (IZR one * E ^+ Pos.to_nat n) * (IZR one * D) by rewrite /=; ring.
by apply: ler_pmul => //; rewrite mulr_ge0 ?exprn_ge0 // ltW.
Qed.

Theorem check_concurrent_basic_sound
  (concurrent : ledger -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop)
  (views_are_distributions : forall M (Y : finType) (p q : Y -> R),
    concurrent M Y p q -> distribution p /\ distribution q) cap order x a b :
  vadhan_wang_theorem_4_1 concurrent -> check_concurrent_basic f s cap order x a b ->
  concurrent_upper concurrent (ledger_of s) (real s x) (fraction a b).
Proof.
move=> T /and5P[ok /(at_least_0_sound ok) e /Z.ltb_lt b0 W /andP[p]].
case E : (delta_in_order f s cap order) => [d|] //; rewrite -IZR_le_iff !IZRM => le.
have one0 : 0 < IZR one.
  by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt/Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have [_ D] := delta_in_order_sound ok W E.
apply: (rule_concurrent_basic (ledger_proper ok) views_are_distributions T
  (order := ledger_of (with_entries s [seq p.1 | p <- order]))).
- rewrite perm_sym; apply: same_entries_perm p.
  by rewrite all_map; apply: sub_all W => r /and3P[].
- by rewrite -(total_epsilonE ok) -subr_ge0 -real_sub.
- have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
  rewrite /fraction ler_pdivl_mulr // -(ler_pmul2r one0) mulrAC.
  by apply: le_trans le; rewrite ler_pmul2r // mulrC.
Qed.
End Theorems.
