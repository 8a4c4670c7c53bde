(** The verified checker: an enclosure of Delta, and of multiples by fractions. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons.
From ExactDP Require Import CheckerClosed CheckerNotions Enclosures EnclosuresOfNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** (n/d) v, for d > 0. *)
Definition scale_fraction (n d : Z) (e : enclosure) : enclosure :=
  let s := scale n e in (floor_div s.1 d, ceil_div s.2 d).

(** sum count_i ln(1/(1 - delta_i)), and Delta = 1 - (1 - a/b) e^that. *)
Definition loss_enclosure (w : Z) (s : subject) : enclosure :=
  foldr (fun e t => if Z.eqb (above e) 0 then t else
           add (scale (count e) (ln_of_quotient w (below e) (below e - above e))) t)
    (enclosure_of_Z w 0) (entries s).
Definition slack_enclosure (w : Z) (s : subject) (a b : Z) : option enclosure :=
  if exponential w (loss_enclosure w s) is Some x then
    Some (sub (enclosure_of_Z w 1) (mul w (enclosure_of_fraction w (b - a) b) x))
  else None.

Section Soundness.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Implicit Types (v : R) (e : enclosure).

Lemma enclosed_multiple n d v e : Z.lt 0 d -> enclosed w v e ->
  enclosed w (IZR n / IZR d * v) (scale_fraction n d e).
Proof.
move=> d0 /(enclosed_scale w n)/enclosedP/andP[lo hi].
have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
apply/enclosedP; have -> : IZR n / IZR d * v * IZR (2 ^ w) = IZR n * v * IZR (2 ^ w) / IZR d.
  by rewrite -!mulrA; congr (_ * _); rewrite mulrC -mulrA.
have /RleP f := floor_div_le (scale n e).1 d d0; have /RleP c := ceil_div_ge (scale n e).2 d d0.
move: f c; rewrite !RdivE ?gt_eqF // => f c; apply/andP; split.
  by apply: le_trans f _; rewrite ler_pmul2r ?invr_gt0.
by apply: le_trans c; rewrite ler_pmul2r ?invr_gt0.
Qed.

Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.

Lemma loss_enclosed : enclosed w (- log_sum (losses s) (log_kept s)) (loss_enclosure w s).
Proof.
rewrite /losses /log_kept /loss_enclosure.
elim: (entries_ok ok) => [|e es [c0 a0 ab _] _ IH] /=; first by rewrite oppr0; exact: enclosed_Z.
have -> : - (IZR (- count e) * ln (IZR (below e) / IZR (below e - above e))%coqR +
    log_sum [seq (below e, (below e - above e)%coqZ) | e <- es] [seq (- count e)%coqZ | e <- es]) =
  IZR (count e) * ln (IZR (below e) / IZR (below e - above e))%coqR +
  - log_sum [seq (below e, (below e - above e)%coqZ) | e <- es] [seq (- count e)%coqZ | e <- es].
  by rewrite opprD opp_IZR RoppE mulNr opprK.
case: Z.eqb_spec => [e0|_].
  rewrite e0 Z.sub_0_r (_ : ln _ = 0) ?mulr0 ?add0r //.
  by rewrite /Rdiv Rinv_r ?ln_1 //; apply/eqP; rewrite IZR_gt0_neq0 //; lia.
by apply: enclosed_add => //; apply: enclosed_scale; apply: ln_of_quotient_enclosed => //; lia.
Qed.

Lemma slack_enclosed a b e : Z.lt 0 b -> slack_enclosure w s a b = Some e ->
  enclosed w (slack (ledger_of s) (fraction a b)) e.
Proof.
rewrite /slack_enclosure => b0; case h: (exponential w _) => [x|] // [<-].
have := enclosed_exponential w w0 _ _ _ loss_enclosed h.
have -> : exp (- log_sum (losses s) (log_kept s)) = (\prod_(m <- ledger_of s) (1 - m.2))^-1.
  by rewrite expN (exp_log_kept ok (entries_ok ok)).
move=> X; apply: enclosed_sub; first exact: enclosed_Z.
apply: enclosed_mul => //; rewrite /fraction.
have -> : 1 - IZR a / IZR b = IZR (b - a) / IZR b by rewrite IZRB mulrBl divff // IZR_gt0_neq0.
exact: enclosed_fraction.
Qed.
End Soundness.

Lemma mixed_slack_ledger (m : mixed_subject) (delta : R) :
  mixed_slack (notions_of m) delta = slack (ledger_of (approximates m)) delta.
Proof.
rewrite /mixed_slack /slack; congr (_ - _ / _).
have others n ls : (forall x, failure (n x) = 0) -> \prod_(x <- levels n ls) (1 - failure x) = 1.
  move=> h; rewrite /levels; elim: ls => [|l ls IH] /=; first by rewrite big_nil.
  rewrite big_cat /= IH mulr1; elim: (Z.to_nat _) => [|k IH'] /=; first by rewrite big_nil.
  by rewrite big_cons h subr0 mul1r.
rewrite /mixed_kept /notions_of !big_cat /= !others // !mulr1 /approximate big_map.
by apply: eq_bigr.
Qed.

Lemma notions_proper f m : mixed_ok f m -> all proper_notion (notions_of m).
Proof.
move=> ok; have P := mixed_proper ok; case/and3P: ok => _ g c.
have level n ls : (forall x, 0 <= x -> proper_notion (n x)) -> all level_ok ls ->
    all proper_notion (levels n ls).
  move=> h; rewrite /levels; elim: ls => [|l ls IH] //= /andP[lok /IH].
  by rewrite all_cat all_nseq h ?orbT ?level_ge0.
rewrite /notions_of !all_cat !level //= !andbT /approximate all_map; exact: P.
Qed.
