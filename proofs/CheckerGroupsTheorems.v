(** The verified checker: soundness of the rules of groups. *)
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

End Theorems.
