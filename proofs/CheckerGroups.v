(** The verified checker: the rule `group`.


    Quantities that grow like exponentials are integers from above, over 2^bits.  A bound of
    e^epsilon is suggested by the plan and proved by its logarithm; 1 + x + ... + x^(n-1) is found
    by doubling n, and given up above a cap, for a delta is at most 1. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Composition Reals Rules Logarithms Comparisons.
From ExactDP Require Import CheckerClosed Concurrent RulesGroups.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

(** one e^x <= X. *)
Definition exp_below (X : Z) (x : combination) : bool :=
  let rest := used (quotients s) x.2 in
  let qs := (X, one) :: [seq p.1 | p <- rest] in
  (Z.eqb X one && is_zero x) ||
  (Z.leb one X && nonneg (bits f) (enclosures (bits f) (terms f) qs) false qs
     ((- x.1)%coqZ, denominator s :: [seq (- k)%coqZ | k <- [seq p.2 | p <- rest]])).

(** x^n and 1 + x + ... + x^(n-1), where that is at most the cap. *)
Fixpoint powers (cap X : Z) (n : Pos.t) : option (Z * Z) :=
  let doubled m :=
    if powers cap X m is Some (p, t) then
      if Z.leb t cap then Some (ceil_div (p * p) one, ceil_div (t * (one + p)) one) else None
    else None in
  match n with
  | xH => Some (X, one)
  | xO m => doubled m
  | xI m => if doubled m is Some (p, t) then Some (ceil_div (p * X) one, (t + p)%coqZ) else None
  end.

(** a/b (1 + e^x + ... + e^{(g-1)x}) <= a'/b'. *)
Definition covers (g : Pos.t) (cap X : Z) (x : combination) (a b a' b' : Z) : bool :=
  [&& Z.leb 0 a, Z.ltb 0 b, Z.leb 0 a', Z.ltb 0 b' & Z.eqb a 0 || (exp_below X x &&
   if powers cap X g is Some (_, t) then Z.leb (a * t * b') (a' * b * one) else false)].

(** From (x', a'/b') to (x, a/b) for groups of g. *)
Definition check_group_privacy (g : Pos.t) (cap X : Z) (x' : combination) (a' b' : Z)
    (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, at_least_0 f s x', at_least_0 f s (csub x (cscale (Zpos g) x')) &
      covers g cap X x' a' b' a b].

(** Whether two lists of entries are one multiset: each entry is taken out of the other list. *)
Fixpoint same_integers (ks ks' : seq Z) : bool :=
  match ks, ks' with
  | k :: t, k' :: t' => Z.eqb k k' && same_integers t t'
  | [::], [::] => true
  | _, _ => false
  end.
Definition same_parameters (e e' : entry) : bool :=
  same_integers [:: (epsilon e).1, above e, below e & (epsilon e).2]
                [:: (epsilon e').1, above e', below e' & (epsilon e').2].
Fixpoint taken_out (e : entry) (es : seq entry) : option (seq entry) :=
  if es is e' :: es' then
    if same_parameters e e' && Z.leb (count e) (count e') then
      Some (Entry (epsilon e') (above e') (below e') (count e' - count e) :: es')
    else if taken_out e es' is Some r then Some (e' :: r) else None
  else None.
Fixpoint same_entries (es es' : seq entry) : bool :=
  if es is e :: r then if taken_out e es' is Some r' then same_entries r r' else false
  else all (fun e => Z.eqb (count e) 0) es'.

(** For each entry its delta'_i as a fraction, and a bound of e^{epsilon_i}. *)
Record enlarged := Enlarged { above' : Z; below' : Z; odds_bound : Z }.

Definition enlarged_entry (g : Pos.t) (e : entry) (d : enlarged) : entry :=
  Entry (cscale (Zpos g) (epsilon e)) (above' d) (below' d) (count e).

(** [es]: the mechanisms that the premise is about. *)
Definition check_group_mechanisms (g : Pos.t) (cap : Z) (ds : seq enlarged) (es : seq entry) : bool :=
  let pairs := zip (entries s) ds in
  [&& subject_ok f s, Nat.eqb (size ds) (size (entries s)),
      all (fun p => covers g cap (odds_bound p.2) (epsilon p.1) (above p.1) (below p.1)
                      (above' p.2) (below' p.2) && Z.ltb (above' p.2) (below' p.2)) pairs &
      same_entries [seq enlarged_entry g p.1 p.2 | p <- pairs] es].

End Program.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.
Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : 0 < IZR (denominator s). Proof. by case/and4P: ok => _ h _ _; rewrite (IZR_lt_iff Z0). Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let oneZ : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0 : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma at_least_0_sound x : at_least_0 f s x -> 0 <= real s x.
Proof. by move=> h; rewrite divr_ge0 ?(ltW D0) //; exact: (nonneg_sound bits0 qs_ok h). Qed.

Lemma real_scale m x : real s (cscale m x) = IZR m * real s x.
Proof. by rewrite /real value_scale mulrA. Qed.

Lemma real_sub x y : real s (csub x y) = real s x - real s y.
Proof. by rewrite /real value_sub mulrBl. Qed.

Lemma exp_below_sound X x : exp_below f s X x -> IZR one * exp (real s x) <= IZR X.
Proof.
rewrite -/one; case/orP => [/andP[/Z.eqb_eq -> zero]|/andP[/Z.leb_le le h]].
  by rewrite /real is_zero_value // mul0r exp_0 mulr1.
have X0 : 0 < IZR X by apply: lt_le_trans one0 _; rewrite IZR_le_iff; exact/Z.leb_le.
have qok : all quotient_ok ((X, one) :: [seq p.1 | p <- used (quotients s) x.2]).
  by rewrite /= (used_ok _ qs_ok) /quotient_ok /=; apply/andP; split=> //; apply/andP; split;
    [exact/Z.ltb_lt|exact/Z.leb_le].
have := nonneg_sound bits0 qok h; rewrite /value /=.
have -> : log_sum [seq p.1 | p <- used (quotients s) x.2]
    [seq (- k)%coqZ | k <- [seq p.2 | p <- used (quotients s) x.2]] = - log_sum (quotients s) x.2.
  rewrite -(used_log_sum (quotients s) x.2); elim: (used _ _) => [|[q k] ps IH] /=; first by rewrite oppr0.
  rewrite IH opprD (_ : IZR (- k) = - IZR k) ?mulNr //; exact: opp_IZR.
rewrite (_ : IZR (- x.1) = - IZR x.1); last exact: opp_IZR.
rewrite addrCA -opprD subr_ge0 => le'.
have : real s x <= ln (IZR X / IZR one)%coqR by rewrite ler_pdivr_mulr // mulrC.
rewrite -exp_le exp_ln; last by apply/RltP; rewrite RdivE ?gt_eqF // divr_gt0.
by rewrite RdivE ?gt_eqF // ler_pdivl_mulr // mulrC.
Qed.

Lemma ceil_div_above (v : Z) : IZR v / IZR one <= IZR (ceil_div v one).
Proof. by have /RleP := ceil_div_ge v one oneZ; rewrite RdivE ?gt_eqF. Qed.
Lemma IZR_pos (n : Pos.t) : IZR (Zpos n) = (Pos.to_nat n)%:R.
Proof. exact: (IZR_to_nat (c := Zpos n)). Qed.

(** x^n and 1 + x + ... + x^(n-1), from above. *)
Lemma powers_sound cap X n p t (E : R) : 0 <= E -> IZR one * E <= IZR X ->
  powers f cap X n = Some (p, t) ->
  IZR one * E ^+ Pos.to_nat n <= IZR p /\ IZR one * (\sum_(i < Pos.to_nat n) E ^+ i) <= IZR t.
Proof.
move=> E0 EX; have pw m : 0 <= E ^+ m by exact: exprn_ge0.
have product (x y : R) u v : 0 <= x -> 0 <= y -> IZR one * x <= IZR u -> IZR one * y <= IZR v ->
    IZR one * (x * y) <= IZR (ceil_div (u * v) one).
  move=> x0 y0 xu yv; apply: le_trans (ceil_div_above (u * v)); rewrite ler_pdivl_mulr // IZRM.
  have -> : IZR one * (x * y) * IZR one = (IZR one * x) * (IZR one * y) by ring.
  by apply: ler_pmul => //; rewrite mulr_ge0 // ltW.
have geometric0 m : 0 <= \sum_(i < m) E ^+ i by apply: sumr_ge0 => i _; exact: pw.
have step m : \sum_(i < (m + m)%N) E ^+ i = (\sum_(i < m) E ^+ i) * (1 + E ^+ m).
  rewrite big_split_ord /= mulrDr mulr1; congr (_ + _); rewrite mulr_suml.
  by apply: eq_bigr => i _; rewrite exprD mulrC.
have doubled m q u : IZR one * E ^+ m <= IZR q -> IZR one * (\sum_(i < m) E ^+ i) <= IZR u ->
    IZR one * E ^+ (m + m)%N <= IZR (ceil_div (q * q) one) /\
    IZR one * (\sum_(i < (m + m)%N) E ^+ i) <= IZR (ceil_div (u * (one + q)) one).
  move=> qm um; split; first by rewrite exprD; exact: product.
  rewrite step; apply: product => //; first by rewrite addr_ge0 ?ler01.
  by rewrite IZRD mulrDr mulr1 ler_add2l.
elim: n p t => [n IH|n IH|] p t /=.
- rewrite Pos2Nat.inj_xI; case E1 : (powers f cap X n) => [[q u]|] //.
  case: ifP => // _ [<- <-]; have [hq hu] := IH _ _ E1.
  have [h1 h2] := doubled _ _ _ hq hu.
  rewrite (_ : S _ = (Pos.to_nat n + Pos.to_nat n).+1); last by lia.
  split; first by rewrite exprSr; exact: product.
  by rewrite big_ord_recr /= IZRD mulrDr ler_add.
- rewrite Pos2Nat.inj_xO; case E1 : (powers f cap X n) => [[q u]|] //.
  case: ifP => // _ [<- <-]; have [hq hu] := IH _ _ E1.
  by rewrite (_ : Nat.mul _ _ = (Pos.to_nat n + Pos.to_nat n)%N); [exact: doubled|lia].
- case=> <- <-; rewrite Pos2Nat.inj_1 big_ord_recl big_ord0 expr0 addr0 mulr1 expr1.
  by split.
Qed.

Lemma covers_sound g cap X x a b a' b' : covers f s g cap X x a b a' b' ->
  [/\ 0 <= fraction a b, 0 <= fraction a' b', 0 < IZR b' &
   fraction a b * (\sum_(i < Pos.to_nat g) exp (real s x) ^+ i) <= fraction a' b'].
Proof.
case/and5P=> /Z.leb_le a0 /Z.ltb_lt b0 /Z.leb_le a0' /Z.ltb_lt b0' c.
have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have B0' : 0 < IZR b' by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have A0 : 0 <= IZR a by rewrite (IZR_le_iff Z0); apply/Z.leb_le.
have A0' : 0 <= IZR a' by rewrite (IZR_le_iff Z0); apply/Z.leb_le.
have F0 : 0 <= fraction a' b' by rewrite divr_ge0 // ltW.
split=> //; first by rewrite divr_ge0 // ltW.
case/orP: c => [/Z.eqb_eq ->|/andP[/exp_below_sound h]]; first by rewrite /fraction mul0r mul0r.
case e : (powers f cap X g) => [[p t]|] //; rewrite -IZR_le_iff !IZRM => le.
have [_ ht] := powers_sound (ltW (exp_gt0 _)) h e.
rewrite /fraction ler_pdivl_mulr // -(ler_pmul2r (mulr_gt0 B0 one0)); set S := \sum_(i < _) _ in ht *.
have -> : IZR a / IZR b * S * IZR b' * (IZR b * IZR one) = IZR a * (IZR one * S) * IZR b'.
  by field; exact: lt0r_neq0.
by rewrite [X in _ <= X]mulrA; apply: le_trans le; rewrite ler_wpmul2r ?(ltW B0') // ler_wpmul2l.
Qed.
End Soundness.
