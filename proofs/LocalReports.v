(** Shuffled reports of any local randomizers, or of randomized response (SPEC, 7.1, 7.4 and 7.5): what is told
    of them ([told_of_reports], [told_of_responses]), and that it says no more than how many answers are drawn by
    each of two letters.

    Of any randomizers of odds E ("clones": Feldman, McMillan & Talwar, FOCS 2021, Theorem 3.1): the laws R0 and R1 of the record in
    question and of the one in its place are mixtures of (E R0 - R1)/(E - 1) and (E R1 - R0)/(E - 1), and any law whose odds to both are
    at most E contains 1/(2E) of either, as their sum is R0 + R1; that of randomized response contains 1/(E + 1) of either, which for two
    values is the blanket of Balle, Bell, Gascón & Nissim (CRYPTO 2019). *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions NoiseLedgers ShuffledReports CountedLetters.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- what is told --- *)

(** Whatever was answered before, each answer has probabilities for two values of a record that are at most E apart. *)
Definition local_to (E : R) (A : finType) (X : Type) (r : randomizer A X) : Prop :=
  forall past u, distribution (r past u) /\ forall v a, r past u a <= (E * r past v a)%R.

(** All answers in their order, under any names; one record is exchanged. *)
Definition told_of_shuffled (A : finType) (X : Type) (r : randomizer A X) (n : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (x : 'I_n -> X) (one : 'I_n) (v : X) (answers : Y -> n.-tuple A),
  [/\ bijective answers, forall y, P y = released r x (answers y) &
      forall y, Q y = released r (exchanged_at one v x) (answers y)].
Definition told_of_reports (E : R) (n : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  exists (A : finType) (X : Type) (r : randomizer A X), local_to E r /\ told_of_shuffled r n P Q.

(** The value of the record with E times the probability of each other. *)
Definition response (E : R) (k : nat) : randomizer [finType of 'I_k] 'I_k :=
  fun _ u a => (if a == u then E else 1) / (E + k%:R - 1).
Definition told_of_responses (E : R) (k n : nat) (Y : finType) (P Q : Y -> R) : Prop :=
  told_of_shuffled (@response E k) n P Q.

Lemma told_of_shuffled_back (A : finType) (X : Type) (r : randomizer A X) n (Y : finType) (P Q : Y -> R) :
  told_of_shuffled r n P Q -> told_of_shuffled r n Q P.
Proof.
move=> [x [one [v [answers [bij p q]]]]]; exists (exchanged_at one v x), one, (x one), answers; split=> // y.
rewrite p; congr (released r _ _); apply: functional_extensionality => i.
by rewrite /exchanged_at; case: eqP => [->|].
Qed.
Lemma told_of_reports_back E n (Y : finType) (P Q : Y -> R) : told_of_reports E n P Q -> told_of_reports E n Q P.
Proof. by move=> [A [X [r [l /told_of_shuffled_back t]]]]; exists A, X, r. Qed.

Lemma local_more (E F : R) (A : finType) (X : Type) (r : randomizer A X) : E <= F -> local_to E r -> local_to F r.
Proof.
move=> EF l past u; have [dP le] := l past u; split=> // v a; apply: le_trans (le v a) _.
by apply: ler_wpmul2r => //; case: (l past v) => -[].
Qed.

Lemma released_total (A : finType) (X : Type) (r : randomizer A X) n (x : 'I_n -> X) :
  (forall past u, distribution (r past u)) -> distribution (released r x).
Proof.
move=> dr; have F0 : 0 < (n`!)%:R :> R by rewrite ltr0n fact_gt0.
split=> [y|].
  apply: divr_ge0 (ltW F0); apply: sumr_ge0 => s _; apply: prodr_ge0 => i _.
  by have [] := dr (take i y) (x (s i)).
rewrite /released -mulr_suml exchange_big /= (eq_bigr (fun=> 1)) => [|s _].
  by rewrite sumr_const card_Sn divff // gt_eqF.
apply: (in_turn_total (W := fun i g a => r g (x (s i)) a)) => i g.
by have [] := dr g (x (s i)).
Qed.

Lemma told_laws (A : finType) (X : Type) (r : randomizer A X) n (Y : finType) (P Q : Y -> R) :
  (forall past u, distribution (r past u)) -> told_of_shuffled r n P Q -> distribution P /\ distribution Q.
Proof.
move=> dr [x [one [v [answers [bij p q]]]]].
have go (F : Y -> R) (x' : 'I_n -> X) : (forall y, F y = released r x' (answers y)) -> distribution F.
  move=> e; have [r0 r1] := released_total x' dr; split=> [y|]; first by rewrite e.
  by rewrite (eq_bigr _ (fun y _ => e y)) -r1; have [g gk kg] := bij; rewrite [RHS](reindex answers) //; exists g => z _; [exact: gk|exact: kg].
by split; [exact: go p|exact: go q].
Qed.

Lemma told_divergence (A : finType) (X : Type) (r : randomizer A X) n (Y : finType) (P Q : Y -> R) (b y : R) :
  (forall (x : 'I_n -> X) one v, hockey_stick 1 y (released r x) (released r (exchanged_at one v x)) <= b) ->
  told_of_shuffled r n P Q -> hockey_stick 1 y P Q <= b.
Proof.
move=> h [x [one [v [answers [[g gk kg] p q]]]]]; apply: le_trans (h x one v).
rewrite /hockey_stick [X in _ <= X](reindex answers) /=; last by exists g => z _; [exact: gk|exact: kg].
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => o _; rewrite p q.
Qed.

(** --- by how many of the others are drawn by a letter --- *)

(** Of m letters of the others and that of the one in question. *)
Definition gained_by (E y : R) (m : nat) : R :=
  ((\sum_(a < m.+2) 'C(m.+1, a)%:R * pos ((E - y) / (E + 1) * a%:R + (1 - y * E) / (E + 1) * (m.+1 - a)%N%:R)) / (2%:R ^+ m * m.+1%:R))%R.
(** n others, each by a letter with probability q. *)
Definition letters_curve (n : nat) (q E y : R) : R :=
  (\sum_(m < n.+1) 'C(n, m)%:R * q ^+ m * (1 - q) ^+ (n - m) * gained_by E y m)%R.

Lemma both_letters n (F : nat -> nat -> R) :
  binomials n 1 (fun a i => binomials i 1 (fun b _ => F a b)) = binomials n 1 (fun s _ => binomials s 1 F).
Proof.
elim: n F => [|n IH] F; first by rewrite /binomials !big_ord1 /= ?big_ord1 /= !bin0 !expr0 !mul1r.
rewrite !binomials_next !mul1r IH.
have -> : binomials n 1 (fun a i => binomials i.+1 1 (fun b _ => F a b)) =
    binomials n 1 (fun a i => binomials i 1 (fun b _ => F a b.+1)) + binomials n 1 (fun a i => binomials i 1 (fun b _ => F a b)).
  by rewrite -binomials_add; apply: eq_binomials => a i; rewrite binomials_next mul1r.
have -> : binomials n 1 (fun s _ => binomials s.+1 1 F) =
    binomials n 1 (fun s _ => binomials s 1 (fun a i => F a.+1 i)) + binomials n 1 (fun s _ => binomials s 1 (fun a i => F a i.+1)).
  by rewrite -binomials_add; apply: eq_binomials => s i; rewrite binomials_next mul1r.
by rewrite !IH addrA.
Qed.

Section Curve.
Variables (E y c : R) (n : nat).
Hypotheses (c0 : 0 < c).
Let pa := ((E - y) / (E + 1))%R.
Let pb := ((1 - y * E) / (E + 1))%R.

Lemma two_letters po :
  by_kinds (of_letter id) (of_letter negb) (of_letter (fun l => ~~ id l && ~~ negb l)) n.+1
    (counted_letters n.+1 c (1 - 2%:R * c)%R pa pb po) = letters_curve n (2%:R * c)%R E y.
Proof.
rewrite /by_kinds; have -> : #|of_letter (id : pred bool)| = 1%N.
  by rewrite card_of_letter (@eq_card _ _ (pred1 true)) ?card1 // => -[].
have -> : #|of_letter negb| = 1%N by rewrite card_of_letter (@eq_card _ _ (pred1 false)) ?card1 // => -[].
have -> : #|of_letter (fun l : bool => ~~ id l && ~~ negb l)| = 0%N.
  by rewrite card_of_letter; apply: eq_card0 => -[].
set F := counted_letters _ _ _ _ _ _.
transitivity (binomials n.+1 1 (fun a i => binomials i 1 (fun b _ => F a b 0%N))).
  by apply: eq_binomials => a i; apply: eq_binomials => b j; rewrite binomials_none.
rewrite both_letters {1}/binomials big_ord_recl /= {1}/binomials big_ord1 /= {1}/F /counted_letters.
rewrite !mulr0 !addr0 pos_0 // !mulr0 add0r /letters_curve; apply: eq_bigr => m _.
rewrite expr1n mulr1 /bump /= add1n /gained_by /binomials.
rewrite (eq_bigr (fun a : 'I_m.+2 => c ^+ m.+1 * (1 - 2%:R * c) ^+ (n - m) / (c * n.+1%:R) *
   ('C(m.+1, a)%:R * pos (pa * a%:R + pb * (m.+1 - a)%N%:R)))); last first.
  move=> a _; rewrite expr1n mulr1 /F /counted_letters mulr0 !addr0 addn0 subnKC -1?ltnS // subSS.
  by rewrite mulrCA mulrA.
rewrite -mulr_sumr; set G := \sum_(_ < _) _.
have binE : 'C(n.+1, m.+1)%:R = n.+1%:R * 'C(n, m)%:R / m.+1%:R :> R.
  by rewrite -natrM mul_bin_diag natrM [_%:R * _]mulrC mulfK // pnatr_eq0.
rewrite binE exprS exprMn; have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have t0 : 2%:R ^+ m != 0 :> R by rewrite expf_neq0 // pnatr_eq0.
have c1 : c != 0 by rewrite gt_eqF.
move: m0 n0 t0; set X := c ^+ m; set Y := (1 - _) ^+ _; set Z := 2%:R ^+ m; set M := m.+1%:R; set N := n.+1%:R; set B := 'C(n, m)%:R.
move: X Y Z M N B G => X Y Z M N B G m0 n0 t0.
by field; rewrite m0 n0 t0 c1.
Qed.
End Curve.

Section Domination.
Variables (E y : R) (n : nat).
Hypotheses (E1 : 1 < E).
Let E0 : 0 < E := lt_trans ltr01 E1.

Section Letters.
Variables (A : finType) (X : Type) (r : randomizer A X).
Hypothesis local : local_to E r.
Variables (x : 'I_n.+1 -> X) (one : 'I_n.+1) (v : X) (c : R).
Hypotheses (c0 : 0 < c) (c1 : 2%:R * c < 1).
Hypothesis contained : forall past u a, c * (r past (x one) a + r past v a) <= r past u a.

Let near l past a := if l then (E * r past (x one) a - r past v a) / (E - 1) else (E * r past v a - r past (x one) a) / (E - 1).
Let d := 1 - 2%:R * c.
Let rest past u a := (r past u a - c * (r past (x one) a + r past v a)) / d.

Let r1 past u : \sum_a r past u a = 1. Proof. by have [[]] := local past u. Qed.
Let re past u u' a : r past u a <= E * r past u' a. Proof. by have [] := local past u. Qed.
Let D0 : 0 < E - 1. Proof. by rewrite subr_gt0. Qed.
Let d0 : 0 < d. Proof. by rewrite subr_gt0. Qed.

Lemma two_letters_dominate : hockey_stick 1 y (released r x) (released r (exchanged_at one v x)) <= letters_curve n (2%:R * c)%R E y.
Proof.
pose alpha (l : bool) := (if l then E else 1) / (E + 1); pose beta (l : bool) := (if l then 1 else E) / (E + 1).
have Ep : 0 < E + 1 := addr_gt0 E0 ltr01; have Ep0 : E + 1 != 0 by rewrite gt_eqF.
have Dn0 : E - 1 != 0 by rewrite gt_eqF.
have near0 l past a : 0 <= near l past a by case: l; rewrite /near divr_ge0 ?(ltW D0) // subr_ge0.
have near1 l past : \sum_a near l past a = 1.
  by case: l; rewrite /near -mulr_suml sumrB -mulr_sumr !r1; field.
have sum_near past a : \sum_l near l past a = r past (x one) a + r past v a.
  by rewrite big_bool /near /=; field.
have rest0 past u a : 0 <= rest past u a.
  by rewrite /rest divr_ge0 ?(ltW d0) // subr_ge0.
have rest1 past u : \sum_a rest past u a = 1.
  rewrite /rest -mulr_suml sumrB -mulr_sumr big_split /= !r1 -mulr2n -[1 *+ 2]/(2%:R) /d [c * _]mulrC divff //.
  by rewrite gt_eqF.
have others past u a : r past u a = c * (\sum_l near l past a) + d * rest past u a.
  by rewrite sum_near /rest; field; rewrite gt_eqF.
have oneE past a : r past (x one) a = \sum_l alpha l * near l past a.
  by rewrite big_bool /alpha /near /=; field; rewrite Ep0 Dn0.
have otherE past a : r past v a = \sum_l beta l * near l past a.
  by rewrite big_bool /beta /near /=; field; rewrite Ep0 Dn0.
have := letters_dominate (x := x) (i0 := one) (v := v) c0 (ltW d0) near0 near1 rest0 rest1 others oneE otherE y.
rewrite (@by_counts _ id negb c d ((E - y) / (E + 1))%R ((1 - y * E) / (E + 1))%R 0); first last.
- by case; rewrite /gained /alpha /beta /= RminusE RmultE; field.
- by [].
- by case.
by rewrite two_letters.
Qed.
End Letters.

Theorem clones (Y : finType) (P Q : Y -> R) : told_of_reports E n.+1 P Q ->
  hockey_stick 1 y P Q <= letters_curve n E^-1 E y.
Proof.
move=> [A [X [r [local told]]]]; apply: (told_divergence _ told) => x one v.
have E2 : 0 < 2%:R * E by rewrite mulr_gt0 // ltr0n.
have e : 2%:R * (2%:R * E)^-1 = E^-1 by field; rewrite gt_eqF.
rewrite -e; apply: two_letters_dominate => //; first by rewrite invr_gt0.
  by rewrite e invf_lt1.
move=> past u a; rewrite ler_pdivr_mull // -mulrA mulr_natl mulr2n.
by apply: ler_add; have [] := local past (x one); have [] := local past v.
Qed.

Lemma letters_curve_ge0 q m : 0 <= q <= 1 -> 0 <= letters_curve m q E y.
Proof.
case/andP=> q0 q1; apply: sumr_ge0 => i _; apply: mulr_ge0.
  by do !apply: mulr_ge0; rewrite ?ler0n ?exprn_ge0 // subr_ge0.
apply: divr_ge0; last by rewrite mulr_ge0 ?ler0n // exprn_ge0 ?ler0n.
by apply: sumr_ge0 => a _; rewrite mulr_ge0 ?ler0n ?pos_ge0.
Qed.

End Domination.

Section Responses.
Variables (E F y : R) (n k : nat).
Hypotheses (E1 : 1 < E) (EF : E <= F) (k1 : (0 < k)%N).
Let E0 : 0 < E := lt_trans ltr01 E1.
Let F1 : 1 < F := lt_le_trans E1 EF.
Let F0 : 0 < F := lt_trans ltr01 F1.
Let Fp : 0 < F + 1 := addr_gt0 F0 ltr01.
Let d0 : 0 < E + k%:R - 1.
Proof. by rewrite addrAC; apply: addr_gt0; rewrite ?subr_gt0 ?ltr0n. Qed.

Lemma response_total past u : distribution (@response E k past u).
Proof.
split=> [a|]; first by rewrite /response divr_ge0 ?(ltW d0) //; case: ifP => _; rewrite ?ler01 ?(ltW E0).
rewrite /response -mulr_suml (bigD1 u) //= eqxx (eq_bigr (fun=> 1)) => [|a /negPf ->] //.
rewrite sumr_const cardC1 card_ord -subn1 natrB // addrA divff //.
by rewrite gt_eqF.
Qed.

Lemma response_local : local_to F (@response E k).
Proof.
move=> past u; split=> [|v a]; first exact: response_total.
rewrite /response mulrA ler_pmul2r ?invr_gt0 //.
have FE : F <= F * E by rewrite ler_pmulr // ltW.
by case: ifP => _; case: ifP => _; rewrite ?mulr1 //; [exact: le_trans EF FE|exact: le_trans (ltW F1) FE|exact: ltW].
Qed.

(** Of odds that are rounded up. *)
Theorem responses_dominated (Y : finType) (P Q : Y -> R) : 1 <= y -> told_of_responses E k n.+1 P Q ->
  hockey_stick 1 y P Q <= letters_curve n (2%:R / (F + 1))%R F y.
Proof.
move=> y1; apply: told_divergence => x one v.
have [same|differ] := eqVneq v (x one).
  have -> : exchanged_at one v x = x.
    by apply: functional_extensionality => i; rewrite /exchanged_at; case: eqP => [->|].
  have [r0 _] := released_total x response_total.
  rewrite /hockey_stick big1 => [|o _].
    by apply: letters_curve_ge0; rewrite divr_ge0 ?ler0n ?(ltW Fp) //= ler_pdivr_mulr // mul1r -[2%:R]/(1 + 1) ler_add2r ltW.
  by apply: pos_0; rewrite mul1r -[X in X - _]mul1r -mulrBl mulr_le0_ge0 // subr_le0.
apply: two_letters_dominate => //; first exact: response_local.
- by rewrite invr_gt0.
- by rewrite ltr_pdivr_mulr // mul1r -[2%:R]/(1 + 1) ltr_add2r.
move=> past u a; rewrite ler_pdivr_mull // /response -mulrDl mulrA ler_pmul2r ?invr_gt0 //.
apply: (@le_trans _ _ (F + 1)); last first.
  by rewrite ler_pmulr //; case: ifP => _; [exact: ltW|exact: lexx].
case: (eqVneq a (x one)) => [->|_]; first by rewrite eq_sym (negPf differ) ler_add2r.
by case: ifP => _; [rewrite addrC ler_add2r|rewrite ler_add2r ltW].
Qed.
End Responses.
