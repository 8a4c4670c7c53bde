(** From a ledger to what its mechanisms are for groups of g (SPEC, 11.16): (g epsilon, delta'), g mu and
    g^2 rho, with the deltas that are suggested. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Failures RulesGroupsMixed Comparisons CheckerClosed.
From ExactDP Require Import CheckerNotions CheckerGaussian CheckerGroups Ratios.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A failure for groups, and a bound of e^epsilon for the check that it is enough. *)
Record enlargement := Enlargement { far_delta : ratio; odds_for : Z }.

Definition times_ratio (g : BinNums.positive) (r : ratio) : ratio := rmul (Zpos g, xH) r.
Definition times_number (g : BinNums.positive) (n : number) : number :=
  Number (times_ratio g (constant n)) [seq (times_ratio g t.1, t.2) | t <- logs n].

Definition for_path (g : BinNums.positive) (M : mechanisms) (ds : seq enlargement) : mechanisms :=
  Mechanisms [seq (times_number g p.1.1.1, far_delta p.2, p.1.2) | p <- zip (of_epsilon M) ds]
    [seq (times_ratio g x.1, x.2) | x <- of_mu M]
    [seq (times_ratio g (times_ratio g x.1), x.2) | x <- of_rho M].

(** delta (1 + e^epsilon + ... + e^((g-1) epsilon)) <= delta'. *)
Definition enough (f : effort) (k : numbering) (s : subject) (g : BinNums.positive) (cap : Z)
    (p : number * ratio * Z * enlargement) : bool :=
  if combination_of k p.1.1.1 is Some x then
    covers f s g cap (odds_for p.2) x p.1.1.2.1 (Zpos p.1.1.2.2) (far_delta p.2).1 (Zpos (far_delta p.2).2)
  else false.
Definition check_for_path (f : effort) (k : numbering) (g : BinNums.positive) (cap : Z) (M : mechanisms)
    (ds : seq enlargement) : bool :=
  if subject_from k M is Some m then
    [&& mixed_ok f m, Nat.eqb (size (of_epsilon M)) (size ds) &
        all (enough f k (approximates m) g cap) (zip (of_epsilon M) ds)]
  else false.

Lemma of_times_ratio g r : of_ratio (times_ratio g r) = of_ratio r *+ Pos.to_nat g.
Proof. by rewrite /times_ratio of_rmul /of_ratio /fraction /= divr1 IZR_pos mulr_natl. Qed.

Lemma value_of_times g n : value_of (times_number g n) = value_of n *+ Pos.to_nat g.
Proof.
rewrite /value_of /= mulrnDl of_times_ratio big_map -sumrMnl; congr (_ + _).
by apply: eq_bigr => t _; rewrite of_times_ratio mulrnAl.
Qed.

Lemma Forall2_nseq (A B : Type) (P : A -> B -> Prop) n a b : P a b -> List.Forall2 P (nseq n a) (nseq n b).
Proof. by move=> ab; elim: n => [|n IH] /=; constructor. Qed.

Lemma Forall2_cat (A B : Type) (P : A -> B -> Prop) s s' t t' :
  List.Forall2 P s s' -> List.Forall2 P t t' -> List.Forall2 P (s ++ t) (s' ++ t').
Proof. by move=> h ht; elim: h => //= a b u v ab _ IH; constructor. Qed.

Lemma Forall2_repeated (A B : Type) (P : notion -> notion -> Prop) n n' (s : seq (A * Z)) (h : A -> B) :
  (forall a, P (n a) (n' (h a))) ->
  List.Forall2 P (repeated n s) (repeated n' [seq (h x.1, x.2) | x <- s]).
Proof.
move=> R; rewrite /repeated; elim: s => [|x s IH] /=; first by constructor.
apply Forall2_cat; [exact: Forall2_nseq|exact: IH].
Qed.

Theorem check_for_path_sound f k g cap M ds : check_for_path f k g cap M ds ->
  all proper_notion (notions M) /\
  List.Forall2 (for_group (Pos.to_nat g)) (notions M) (notions (for_path g M ds)).
Proof.
rewrite /check_for_path; case S: (subject_from k M) => [m|] // /and3P[ok /Nat.eqb_eq same all_enough].
split; first by rewrite -(subject_from_sound S); exact: (notions_proper ok).
have sok : subject_ok f (approximates m) by case/and3P: ok.
rewrite /notions /for_path /=; apply Forall2_cat; last first.
  apply Forall2_cat.
    apply: (@Forall2_repeated _ _ _ _ (fun r => Gaussian (of_ratio r)) _ (times_ratio g)) => r /=.
    by rewrite of_times_ratio.
  apply: (@Forall2_repeated _ _ _ _ (fun r => Concentrated (of_ratio r)) _
    (fun r => times_ratio g (times_ratio g r))) => r /=.
  by rewrite !of_times_ratio -mulrnA mulnn.
elim: (of_epsilon M) ds same all_enough => [|p ps IH] [|d ds] //=; first by constructor.
move=> [same] /andP[enough_p /(IH _ same) {}IH].
rewrite /repeated /=; apply Forall2_cat; last exact: IH; apply: Forall2_nseq => /=.
rewrite value_of_times; split=> //; move: enough_p; rewrite /enough.
case X: (combination_of _ _) => [x|] // /(covers_sound sok)[_ _ _].
by rewrite (subject_from_real S X).
Qed.
