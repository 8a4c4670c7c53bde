(** Interactive mechanisms that are written out (SPEC, section 10): from what is suggested to the truth
    of what is stated. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Ratios Interactive RulesInteractive.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerInteractive CheckerInteractiveSound.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateSubjects.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Odds that epsilon is compared with, and a simulation by randomized response; or an input and the
    choices of an adversary. *)
Inductive tree_hint :=
| Simulated of effort & numbering & ratio & seq (row ratio)
| Attacked of effort & numbering & ratio & bool & seq nat
| AttackedAlways of bool & seq nat.

Definition no_mechanisms : mechanisms := Mechanisms [::] [::] [::].

Section Check.
Variables (b : bound) (ts : seq (tree ratio)).
Let d := bound_delta b.

(** A check that compares an epsilon over a table of logarithms. *)
Definition at_finite (k : numbering) (check : subject -> combination -> bool) : bool :=
  if bound_epsilon b is Some e then
    if (subject_from k no_mechanisms, combination_of k e) is (Some m, Some x)
    then check (approximates m) x else false
  else false.

Definition check_tree_hint (rule : string) (h : tree_hint) : bool :=
  match h, bound_kind b with
  | Simulated f k E rows, Upper =>
      String.eqb rule "post-processing" &&
      at_finite k (fun s x => check_post_processing f s x d E ts rows)
  | Attacked f k E side choices, Lower =>
      String.eqb rule "distinguishing-adversary" &&
      at_finite k (fun s x => check_distinguishing_adversary f s x d E side ts choices)
  | AttackedAlways side choices, Lower =>
      String.eqb rule "distinguishing-adversary" && check_distinguishing_every d side ts choices
  | _, _ => false
  end.

Definition check_trees (names : seq string) (h : tree_hint) : bool :=
  if names is [:: rule] then String.eqb (bound_theorem b) "definition" && check_tree_hint rule h else false.
End Check.

Lemma at_finite_sound b k (check : subject -> combination -> bool) (P : R -> Prop) :
  (forall s x, check s x -> P (real s x)) -> at_finite b k check -> at_epsilon (bound_epsilon b) P.
Proof.
move=> sound; rewrite /at_finite; case: (bound_epsilon b) => [e|] //.
case S: (subject_from k _) => [m|] //; case X: (combination_of k e) => [x|] // /sound.
by rewrite (subject_from_real S X).
Qed.

Theorem check_trees_sound b ts names h : check_trees b ts names h ->
  bound_holds b (interactive_upper (map real_tree ts)) (interactive_lower (map real_tree ts)).
Proof.
rewrite /check_trees /check_tree_hint /bound_holds; case: names => [|rule [|? ?]] // /andP[_].
case: h => [f k E rows|f k E side choices|side choices]; case: (bound_kind b) => // /andP[_].
- by apply: at_finite_sound => s x; exact: check_post_processing_sound.
- by apply: at_finite_sound => s x; exact: check_distinguishing_adversary_sound.
move/check_distinguishing_every_sound => h.
by rewrite /at_epsilon; case: (bound_epsilon b) => [e|]; [exact: h|exact: h].
Qed.
