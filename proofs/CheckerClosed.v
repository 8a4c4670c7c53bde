(** The verified checker: subjects, and the rules `trivial` and `sum`.

    These are programs over integers, extracted to OCaml (Extract.v), each with the theorem that
    what it accepts holds.  Numbers are combinations over a common table of logarithms, divided by
    a common denominator (Comparisons.v). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Comparisons.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** [count] mechanisms that are (epsilon, delta)-DP, delta = above/below. *)
Record entry := Entry { epsilon : combination; above : Z; below : Z; count : Z }.

Record subject := Subject {
  denominator : Z;
  quotients : seq quotient;
  entries : seq entry
}.

(** How hard to try: bits and terms for logarithms, and whether powers may be compared. *)
Record effort := Effort { bits : Z; terms : nat; ties : bool }.

(** What a subject denotes. *)
Definition real (s : subject) (x : combination) : R :=
  (value (quotients s) x / IZR (denominator s))%R.
Definition fraction (a b : Z) : R := (IZR a / IZR b)%R.
Definition ledger_of (s : subject) : ledger :=
  flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e), fraction (above e) (below e))
          | e <- entries s].

Definition at_least_0 (f : effort) (s : subject) (x : combination) : bool :=
  nonneg (bits f) (enclosures (bits f) (terms f) (quotients s)) (ties f) (quotients s) x.

Definition subject_ok (f : effort) (s : subject) : bool :=
  let es := enclosures (bits f) (terms f) (quotients s) in
  [&& Z.leb 0 (bits f), Z.ltb 0 (denominator s), all quotient_ok (quotients s) &
   all (fun e => [&& Z.leb 0 (count e), Z.leb 0 (above e), Z.ltb (above e) (below e) &
                     nonneg (bits f) es (ties f) (quotients s) (epsilon e)]) (entries s)].

Definition total_epsilon (s : subject) : combination :=
  foldr (fun e x => cadd (cscale (count e) (epsilon e)) x) (Z0, [::]) (entries s).

(** ln(1/(1 - delta_i)) as quotients, and sum count_i ln(1 - delta_i) as a combination. *)
Definition losses (s : subject) : seq quotient := [seq (below e, (below e - above e)%coqZ) | e <- entries s].
Definition log_kept (s : subject) : seq Z := [seq (- count e)%coqZ | e <- entries s].

(** sum count_i ln(1 - delta_i) - ln(1 - delta) >= 0, or <= 0, or < 0. *)
Definition delta_quotients (s : subject) (a b : Z) := (b, (b - a)%coqZ) :: losses s.
Definition delta_sign (s : subject) (m : Z) : combination :=
  cscale m (Z0, 1%coqZ :: log_kept s).

Definition delta_enough (f : effort) (s : subject) (a b : Z) : bool :=
  [&& Z.ltb 0 b, Z.leb a b & (Z.eqb a b ||
   let qs := delta_quotients s a b in
   all quotient_ok qs && nonneg (bits f) (enclosures (bits f) (terms f) qs) (ties f) qs (delta_sign s 1))].
Definition delta_not_more (f : effort) (s : subject) (a b : Z) : bool :=
  let qs := delta_quotients s a b in
  all quotient_ok qs && nonneg (bits f) (enclosures (bits f) (terms f) qs) (ties f) qs (delta_sign s (-1)).
Definition delta_too_small (f : effort) (s : subject) (a b : Z) : bool :=
  let qs := delta_quotients s a b in
  all quotient_ok qs && positive (bits f) (enclosures (bits f) (terms f) qs) (delta_sign s (-1)).

Definition check_vacuous (f : effort) (s : subject) (a b : Z) : bool :=
  [&& subject_ok f s, Z.ltb 0 b & Z.eqb a b].
Definition check_sum_upper (f : effort) (s : subject) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, at_least_0 f s (csub x (total_epsilon s)) & delta_enough f s a b].
Definition check_sum_lower (f : effort) (s : subject) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s,
      positive (bits f) (enclosures (bits f) (terms f) (quotients s)) (csub (total_epsilon s) x) &
      delta_not_more f s a b].
Definition check_infeasible (f : effort) (s : subject) (a b : Z) : bool :=
  subject_ok f s && delta_too_small f s a b.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : 0 < IZR (denominator s). Proof. by case/and4P: ok => _ h _ _; rewrite (IZR_lt_iff Z0). Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.

Lemma entries_ok : List.Forall (fun e => [/\ Z.le 0 (count e), Z.le 0 (above e),
  Z.lt (above e) (below e) & 0 <= real s (epsilon e)]) (entries s).
Proof.
case/and4P: ok => _ _ _; elim: (entries s) => [|e es IH] /=; first by constructor.
case/andP=> /and4P[/Z.leb_le c0 /Z.leb_le a0 /Z.ltb_lt ab e0] /IH h; constructor=> //; split=> //.
by rewrite divr_ge0 ?(ltW D0) //; exact: (nonneg_sound bits0 qs_ok e0).
Qed.

Lemma ledger_proper : proper (ledger_of s).
Proof.
rewrite /proper /ledger_of; elim: entries_ok => //= e es [c0 a0 ab e0] _ IH.
rewrite all_cat IH andbT all_nseq /= e0 /fraction.
have b0 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
rewrite ltr_pdivr_mulr // mul1r IZR_lt_iff divr_ge0 ?(ltW b0) //.
  by rewrite (proj2 (Z.ltb_lt _ _) ab) orbT.
by rewrite (IZR_le_iff Z0); apply/Z.leb_le.
Qed.

Lemma IZR_to_nat c : Z.le 0 c -> IZR c = (Z.to_nat c)%:R.
Proof.
move=> c0; rewrite -{1}(Z2Nat.id c c0) -INR_IZR_INZ.
elim: (Z.to_nat c) => [|n IH] //; by rewrite S_INR IH -addn1 natrD.
Qed.

Lemma total_epsilonE : real s (total_epsilon s) = \sum_(e <- epsilons (ledger_of s)) e.
Proof.
rewrite /total_epsilon /ledger_of /epsilons; elim: entries_ok => [|e es [c0 _ _ _] _ IH] /=.
  by rewrite big_nil /real /value /=; case: (quotients s) => [|? ?] /=; rewrite addr0 mul0r.
rewrite map_cat big_cat /= -IH /real value_add value_scale mulrDl; congr (_ + _).
by rewrite map_nseq big_nseq iter_addr addr0 IZR_to_nat // mulrAC -mulrA mulr_natl mulrC.
Qed.

Lemma exp_log_kept (es : seq entry) :
  List.Forall (fun e => [/\ Z.le 0 (count e), Z.le 0 (above e), Z.lt (above e) (below e) &
     0 <= real s (epsilon e)]) es ->
  exp (log_sum [seq (below e, (below e - above e)%coqZ) | e <- es] [seq (- count e)%coqZ | e <- es]) =
  \prod_(m <- flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e), fraction (above e) (below e))
          | e <- es]) (1 - m.2).
Proof.
elim=> [|e es' [c0 a0 ab _] _ IH] /=; first by rewrite big_nil exp_0.
rewrite big_cat /= -IH expD; congr (_ * _); rewrite big_nseq.
have b0 : 0 < IZR (below e) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
have ba0 : 0 < IZR (below e - above e) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; lia.
have -> : 1 - fraction (above e) (below e) = exp (- ln (IZR (below e) / IZR (below e - above e))%coqR).
  rewrite expN exp_ln; last by apply: Rdiv_lt_0_compat; exact/RltP.
  by rewrite RdivE ?gt_eqF // invf_div /fraction IZRB mulrBl divff // gt_eqF.
rewrite (_ : IZR (- count e) = - (Z.to_nat (count e))%:R); last first.
  by rewrite -IZR_to_nat //; exact: opp_IZR.
elim: (Z.to_nat (count e)) => [|n IHn] /=; first by rewrite oppr0 mul0r exp_0.
by rewrite -IHn -expD -addn1 natrD; congr exp; rewrite opprD mulrDl mulN1r addrC.
Qed.

Lemma delta_signE a b m : Z.lt 0 (b - a) -> Z.lt 0 b ->
  value (delta_quotients s a b) (delta_sign s m) =
  IZR m * (ln (\prod_(p <- ledger_of s) (1 - p.2)) - ln (1 - fraction a b)%R).
Proof.
move=> ba b0; rewrite /delta_sign value_scale; congr (_ * _).
rewrite /value /= add0r mul1r /log_kept /losses.
rewrite /ledger_of -exp_log_kept ?ln_exp; last exact: entries_ok.
rewrite addrC; congr (_ + _).
have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
have BA0 : 0 < IZR (b - a) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
rewrite (ln_quotient_inv _ _ ba b0) RoppE; congr (- ln _).
by rewrite RdivE ?gt_eqF // /fraction IZRB mulrBl divff // gt_eqF.
Qed.

Let L := ledger_of s.
Let P := ledger_proper.

Let ln_le x y : 0 < x -> 0 < y -> (ln x <= ln y) = (x <= y).
Proof. by move=> /RltP x0 /RltP y0; rewrite -exp_le !exp_ln. Qed.
Let ln_lt x y : 0 < x -> 0 < y -> (ln x < ln y) = (x < y).
Proof. by move=> x0 y0; rewrite !ltNge ln_le. Qed.

Let quotient_parts a b : quotient_ok (b, (b - a)%coqZ) ->
  [/\ Z.lt 0 (b - a), Z.lt 0 b & 0 < 1 - fraction a b].
Proof.
case/andP=> /= /Z.ltb_lt h1 /Z.leb_le h2; have b0 : Z.lt 0 b by lia.
split=> //; have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
by rewrite subr_gt0 ltr_pdivr_mulr // mul1r IZR_lt_iff; apply/Z.ltb_lt; lia.
Qed.

Lemma delta_enough_sound a b : delta_enough f s a b ->
  1 - fraction a b <= \prod_(m <- L) (1 - m.2).
Proof.
case/and3P=> /Z.ltb_lt b0 /Z.leb_le ab /orP[/Z.eqb_eq ->|].
  have B0 : IZR b != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); apply/Z.ltb_lt.
  by rewrite /fraction divff // subrr ltW // kept_gt0.
case/andP=> qok h; have := nonneg_sound bits0 qok h.
case/andP: qok => /quotient_parts[ba _ d0] _.
by rewrite delta_signE // mul1r subr_ge0 ln_le // kept_gt0.
Qed.

Lemma delta_not_more_sound a b : delta_not_more f s a b ->
  \prod_(m <- L) (1 - m.2) <= 1 - fraction a b.
Proof.
case/andP=> qok h; have := nonneg_sound bits0 qok h.
case/andP: qok => /quotient_parts[ba b0 d0] _.
by rewrite delta_signE // (_ : IZR (-1) = -1) // mulN1r opprB subr_ge0 ln_le // kept_gt0.
Qed.

Lemma delta_too_small_sound a b : delta_too_small f s a b ->
  \prod_(m <- L) (1 - m.2) < 1 - fraction a b.
Proof.
case/andP=> qok h; have := positive_sound bits0 qok h.
case/andP: qok => /quotient_parts[ba b0 d0] _.
by rewrite delta_signE // (_ : IZR (-1) = -1) // mulN1r opprB subr_gt0 ln_lt // kept_gt0.
Qed.
End Soundness.

Theorem check_vacuous_sound f s x a b : check_vacuous f s a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
case/and3P=> _ /Z.ltb_lt b0 /Z.eqb_eq ->; rewrite /fraction divff; first exact: rule_vacuous.
by rewrite gt_eqF // (IZR_lt_iff Z0); apply/Z.ltb_lt.
Qed.

Theorem check_sum_upper_sound f s x a b : check_sum_upper f s x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
case/and3P=> ok e d; have := ok => /and4P[/Z.leb_le bits0 D0 qok _].
apply: rule_sum_upper; [exact: ledger_proper ok| |exact: delta_enough_sound d].
rewrite -(total_epsilonE ok) /real ler_pmul2r ?invr_gt0 ?(IZR_lt_iff Z0) //.
by have := nonneg_sound bits0 qok e; rewrite value_sub subr_ge0.
Qed.

Theorem check_sum_lower_sound f s x a b : check_sum_lower f s x a b ->
  lower (ledger_of s) (real s x) (fraction a b).
Proof.
case/and3P=> ok e d; have := ok => /and4P[/Z.leb_le bits0 D0 qok _].
apply: rule_sum_lower; [exact: ledger_proper ok| |exact: delta_not_more_sound d].
rewrite -(total_epsilonE ok) /real ltr_pmul2r ?invr_gt0 ?(IZR_lt_iff Z0) //.
by have := positive_sound bits0 qok e; rewrite value_sub subr_gt0.
Qed.

Theorem check_infeasible_sound f s a b : check_infeasible f s a b ->
  forall e, lower (ledger_of s) e (fraction a b).
Proof.
case/andP=> ok d; apply: rule_infeasible; first exact: ledger_proper ok.
exact: delta_too_small_sound d.
Qed.
