(** 7.19 [zcdp-pair], and its verified check.

    The mechanisms given by rho are taken as one more mechanism, which is (epsilon', delta')-DP, and
    the rest is `gaussian-mesh`, or `connect-the-dots` where no mu is positive. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Comparisons Logarithms Powers.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed CheckerNotions CheckerBracket.
From ExactDP Require Import CheckerBracketTheorems RulesGaussian CheckerGaussian CheckerMesh CheckerConcentrated.
From ExactDP Require Import Moments RulesConcentrated RulesPair.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (f : effort) (w : Z) (m : mixed_subject) (o : order) (pair : entry).

Definition with_pair : mixed_subject :=
  let s := approximates m in
  MixedSubject (Subject (denominator s) (quotients s) (entries s ++ [:: pair])) (gaussians m) [::].

(** The pair is one of [o]'s. *)
Definition pair_ok : bool :=
  let rho := total_concentrated m in
  [&& mixed_ok f m, Z.leb 0 w, order_ok o, Z.eqb (count pair) 1, at_least_0 f (approximates m) (epsilon pair),
      Z.ltb 0 (above pair), Z.ltb (above pair) (below pair) &
      surely_le (exponent_enclosure w o (enclosure_of_fraction w rho.1 rho.2) (epsilon_enclosure w m (epsilon pair)))
        (ln_of_quotient w (above pair) (below pair))].

Definition check_zcdp_pair (p : precision) (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  pair_ok && check_gaussian_mesh_upper f p with_pair q x a b.
Definition check_zcdp_pair_alone (q : mesh_plan) (x : combination) (a b : Z) : bool :=
  [&& pair_ok, if gaussians m is [::] then true else false & check_connect_the_dots f (approximates with_pair) q x a b].
End Program.

Section Soundness.
Variables (f : effort) (w : Z) (m : mixed_subject) (o : order) (pair : entry).
Hypothesis (premise : concentrated_as_pair) (ok : pair_ok f w m o pair).
Let s := approximates m.

Lemma notions_with_pair : Permutation
  (Approximate (real s (epsilon pair)) (fraction (above pair) (below pair)) :: [seq n <- notions_of m | ~~ third n])
  (notions_of (with_pair m pair)).
Proof.
have kept n ls : (forall r, ~~ third (n r)) -> [seq x <- levels n ls | ~~ third x] = levels n ls.
  by move=> h; apply/all_filterP; rewrite all_levels; apply/(sub_all _ (all_predT ls)) => l _; rewrite h orbT.
have none ls : [seq x <- levels Concentrated ls | ~~ third x] = [::].
  rewrite /levels; elim: ls => //= l ls IH; rewrite filter_cat IH cats0.
  by elim: (Z.to_nat _).
have approx L : [seq x <- approximate L | ~~ third x] = approximate L.
  by apply/all_filterP; rewrite all_map; exact: all_predT.
rewrite /notions_of !filter_cat none kept // approx cats0 /with_pair /= /ledger_of /= map_cat flatten_cat.
have -> : flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e), fraction (above e) (below e)) | e <- [:: pair]] =
    [:: (real s (epsilon pair), fraction (above pair) (below pair))].
  by case/and5P: ok => _ _ _ /Z.eqb_eq c _; rewrite /= c.
rewrite /approximate map_cat -catA /=; exact: Permutation_middle.
Qed.

Lemma pair_sound x delta : mixed_upper G (notions_of (with_pair m pair)) x delta ->
  mixed_upper G (notions_of m) x delta.
Proof.
case/and5P: ok => mok /Z.leb_le w0 ook _ /and4P[e0 /Z.ltb_lt a0 /Z.ltb_lt ab le].
have sok : subject_ok f s by case/and3P: mok.
have b0 : Z.lt 0 (below pair) by exact: Z.lt_trans a0 ab.
have A0 : 0 < IZR (above pair) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have B0 : 0 < IZR (below pair) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have [c0 c] := total_concentratedE mok.
have rho : total_rho [seq n <- notions_of m | third n] =
    fraction (total_concentrated m).1 (total_concentrated m).2.
  rewrite /total_rho big_filter big_mkcond (sum_notions mok) c /= big1 ?add0r => [|e _]; last by rewrite mulr0.
  by rewrite big1 ?add0r // => l _; rewrite mulr0.
have d0 : 0 < fraction (above pair) (below pair) by rewrite divr_gt0.
move=> upper; apply: (rule_zcdp_pair premise (notions_proper mok) (order_gt1 ook) _
  (mixed_upper_permutation (Permutation_sym notions_with_pair) upper)).
rewrite rho -[X in _ <= X](lnK d0) exp_le -[fraction (above pair) _]/(IZR _ / IZR _) -RdivE ?gt_eqF //.
apply: (surely_le_sound w0 _ _ le); last exact: ln_of_quotient_enclosed.
apply: exponent_enclosed => //; first exact: enclosed_fraction.
exact: (epsilon_enclosed mok w0).
Qed.
End Soundness.

Theorem check_zcdp_pair_sound f w m o pair p q x a b : gaussian_composes -> concentrated_as_pair ->
  check_zcdp_pair f w m o pair p q x a b ->
  mixed_upper G (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> composes premise /andP[ok h]; apply: (pair_sound premise ok).
exact: (check_gaussian_mesh_upper_sound composes h).
Qed.

Theorem check_zcdp_pair_alone_sound f w m o pair q x a b : concentrated_as_pair ->
  check_zcdp_pair_alone f w m o pair q x a b ->
  mixed_upper G (notions_of m) (real (approximates m) x) (fraction a b).
Proof.
move=> premise /and3P[ok none h]; apply: (pair_sound premise ok).
have {}none : gaussians m = [::] by case: (gaussians m) none.
have sok : subject_ok f (approximates (with_pair m pair)) by case/and4P: h.
have := check_connect_the_dots_sound h.
move/(mixed_upper_approximate G _ _ (ledger_proper sok)).
by rewrite /notions_of /with_pair /= none /levels /= cats0.
Qed.
