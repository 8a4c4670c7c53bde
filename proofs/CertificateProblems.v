(** From the numbers of a statement to the integers of the verified checks: combinations of
    logarithms over one denominator (CheckerClosed.v), with the same meaning.

    A [numbering] is suggested: the denominator, the table of logarithms, and perhaps a basis of
    coprime integers for it (CheckerBasis.v).  What is computed with it has the values of the numbers,
    or nothing is computed. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Logarithms Comparisons CheckerClosed CheckerBasis.
From ExactDP Require Import CheckerNotions Ratios CertificateJson CertificateNumbers.
From ExactDP Require Import CertificateStatements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Record numbering := Numbering {
  common : Z;
  table_for : seq quotient;
  basis_of : option (seq Z * seq (seq Z))   (* a basis, and the exponents of the table's quotients *)
}.

Section Program.
Variable k : numbering.

Definition table_in_use : seq quotient :=
  if basis_of k is Some (basis, _) then basis_quotients basis else table_for k.
Definition numbering_ok : bool :=
  Z.ltb 0 (common k) &&
  if basis_of k is Some (basis, exponents) then basis_ok basis exponents (table_for k) else true.

(** The denominator times a rational, if it is whole. *)
Definition whole_part (r : ratio) : option Z :=
  let t := (common k / Zpos r.2)%coqZ in
  if Z.eqb (t * Zpos r.2) (common k) then Some (r.1 * t)%coqZ else None.

Fixpoint coefficients (table : seq quotient) (logs : seq (ratio * ratio)) : option (seq Z) :=
  match logs, table with
  | [::], _ => Some [::]
  | (c, r) :: logs', q :: table' =>
      if Z.eqb q.1 r.1 && Z.eqb q.2 (Zpos r.2) then
        if (whole_part c, coefficients table' logs') is (Some n, Some ks) then Some (n :: ks) else None
      else if coefficients table' logs is Some ks then Some (Z0 :: ks) else None
  | _, [::] => None
  end.

Definition combination_of (n : number) : option combination :=
  if (whole_part (constant n), coefficients (table_for k) (logs n)) is (Some c, Some ks) then
    Some (if basis_of k is Some (_, exponents) then over_basis exponents (c, ks) else (c, ks))
  else None.

Definition entry_of (m : number * ratio * Z) : option entry :=
  if combination_of m.1.1 is Some x then Some (Entry x m.1.2.1 (Zpos m.1.2.2) m.2) else None.
Definition level_from (m : ratio * Z) : level := Level m.2 m.1.1 (Zpos m.1.2).

Definition subject_from (M : mechanisms) : option mixed_subject :=
  if numbering_ok then
    if read_all entry_of (of_epsilon M) is Some es then
      Some (MixedSubject (Subject (common k) table_in_use es)
        (map level_from (of_mu M)) (map level_from (of_rho M)))
    else None
  else None.
End Program.

Section Soundness.
Variable k : numbering.
Hypothesis ok : numbering_ok k.
Let D0 : 0 < IZR (common k).
Proof. by rewrite (IZR_lt_iff Z0); case/andP: ok. Qed.
Let D1 : IZR (common k) != 0. Proof. by rewrite gt_eqF. Qed.

Lemma whole_part_sound r n : whole_part k r = Some n -> IZR n = of_ratio r * IZR (common k).
Proof.
rewrite /whole_part; case: Z.eqb_spec => // e [<-].
have d0 : IZR (Zpos r.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
have -> : IZR (common k) = IZR (common k / Zpos r.2) * IZR (Zpos r.2) by rewrite -IZRM e.
by rewrite /of_ratio /fraction IZRM mulrCA mulfVK // mulrC.
Qed.

Lemma coefficients_sound table ls ks : coefficients k table ls = Some ks ->
  log_sum table ks = (\sum_(t <- ls) of_ratio t.1 * ln (of_ratio t.2)) * IZR (common k).
Proof.
elim: table ls ks => [|q table IH] [|[c r] ls] ks //=.
- by move=> _; rewrite big_nil mul0r.
- by move=> [<-]; rewrite big_nil mul0r.
case: ifP => [/andP[/Z.eqb_eq e1 /Z.eqb_eq e2]|_].
  case hc: (whole_part k c) => [n|] //; case hk: (coefficients k table ls) => [ks'|] // [<-].
  rewrite /= big_cons mulrDl -(IH _ _ hk) (whole_part_sound hc) e1 e2 mulrAC; congr (_ * ln _ * _ + _).
  by rewrite RdivE // gt_eqF // (IZR_lt_iff Z0).
case hk: (coefficients _ _ _) => [ks'|] // [<-] /=.
by rewrite mul0r add0r; exact: IH.
Qed.

Theorem combination_of_sound n x : combination_of k n = Some x ->
  value (table_in_use k) x / IZR (common k) = value_of n.
Proof.
rewrite /combination_of; case hc: (whole_part _ _) => [c|] //.
case hk: (coefficients _ _ _) => [ks|] // [<-].
suff e : value (table_for k) (c, ks) = value_of n * IZR (common k).
  rewrite /table_in_use; move: ok; rewrite /numbering_ok.
  case: (basis_of k) => [[basis exponents]|] /andP[_ h].
    by rewrite (value_over_basis _ h) e mulfK.
  by rewrite e mulfK.
by rewrite /value /= (whole_part_sound hc) (coefficients_sound hk) -mulrDl.
Qed.
End Soundness.

Lemma read_all_cons (A B : Type) (f : A -> option B) a s bs : read_all f (a :: s) = Some bs ->
  exists b bs', [/\ f a = Some b, read_all f s = Some bs' & bs = b :: bs'].
Proof.
rewrite /read_all /=; case: (f a) => [b|] //; case: (foldr _ _ _) => [bs'|] // [<-].
by exists b, bs'.
Qed.

Lemma levels_repeated n ms : levels n (map level_from ms) = repeated (fun r => n (of_ratio r)) ms.
Proof. by rewrite /levels /repeated -map_comp. Qed.

(** What is checked is what is stated. *)
Theorem subject_from_sound k M m : subject_from k M = Some m -> notions_of m = notions M.
Proof.
rewrite /subject_from; case: ifP => // ok; case h: (read_all _ _) => [es|] // [<-].
rewrite /notions_of /notions /= !levels_repeated; congr (_ ++ _).
elim: (of_epsilon M) es h => [|p ps IH] es; first by move=> [<-].
move=> h; have [e [es' [+ /IH {}IH ->]]] := read_all_cons h; rewrite /entry_of.
case hx: (combination_of k p.1.1) => [x|] // [<-].
rewrite /ledger_of /approximate /= map_cat map_nseq /repeated /=; congr (_ ++ _); last exact: IH.
by rewrite /real /= (combination_of_sound ok hx).
Qed.

Lemma subject_from_real k M m n x : subject_from k M = Some m -> combination_of k n = Some x ->
  real (approximates m) x = value_of n.
Proof.
rewrite /subject_from; case: ifP => // ok; case: (read_all _ _) => [es|] // [<-] /(combination_of_sound ok).
by [].
Qed.
