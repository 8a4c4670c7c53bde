(** 11.22 [zcdp-pair]: the zero-concentrated mechanisms as one mechanism that is (epsilon, delta)-DP. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian RulesConcentrated Comparisons CheckerClosed CheckerNotions.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerGaussian CheckerConcentrated ConcentratedPair.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Lemma mixed_upper_permutation ns ns' epsilon delta : Permutation ns ns' ->
  mixed_upper G ns epsilon delta -> mixed_upper G ns' epsilon delta.
Proof. by move=> p h ns2 p2; apply: h; exact: Permutation_trans p p2. Qed.

Lemma mixed_kept_third ns : mixed_kept [seq n <- ns | third n] = 1.
Proof.
rewrite /mixed_kept; elim: ns => [|n ns IH] /=; first by rewrite big_nil.
by case: n => [e d|mu|rho] //=; rewrite big_cons IH subr0 mulr1.
Qed.

Theorem rule_zcdp_pair ns (a e d epsilon delta : R) : all proper_notion ns ->
  proper_notion (Approximate e d) -> 1 < a -> exp (exponent (total_rho [seq n <- ns | third n]) e a) <= d ->
  mixed_upper G (Approximate e d :: others ns) epsilon delta ->
  mixed_upper G ns epsilon delta.
Proof.
move=> W pair a1 h; apply: concentrated_as_pair => //.
have d0 : 0 < d by apply: lt_le_trans h; exact: exp_gt0.
have slack : mixed_slack [seq n <- ns | third n] d = d.
  by rewrite /mixed_slack mixed_kept_third divr1 subKr.
apply: (rule_canonne_kamath_steinke _ a1); rewrite ?slack //; last by rewrite -exp_le lnK.
by rewrite all_filter; apply: sub_all W => n w; apply/implyP.
Qed.

(** The subject with the pair x, a/b in place of the mechanisms of the third notion. *)
Definition with_pair (m : mixed_subject) (x : combination) (a b : Z) : mixed_subject :=
  let s := approximates m in
  MixedSubject (Subject (denominator s) (quotients s) (rcons (entries s) (Entry x a b 1)))
    (gaussians m) [::].

(** A d for which the mechanisms of the third notion are (x, d)-DP, by 11.15. *)
Definition pair_failure (w : Z) (m : mixed_subject) (o : order) (x : combination) : option enclosure :=
  let r := total_concentrated m in
  exponential w (exponent_enclosure w o (enclosure_of_fraction w r.1 r.2) (epsilon_enclosure w m x)).

Definition check_pair (f : effort) (w : Z) (m : mixed_subject) (o : order) (x : combination) (a b : Z) : bool :=
  [&& well_formed f w m, Z.ltb 0 b, order_ok o &
   if pair_failure w m o x is Some e then surely_le e (enclosure_of_fraction w a b) else false].

Lemma filter_levels (p : pred notion) n ls : (forall x : R, p (n x) = true) ->
  [seq y <- levels n ls | p y] = levels n ls.
Proof.
move=> h; rewrite /levels; elim: ls => //= l ls IH; rewrite filter_cat IH; congr (_ ++ _).
by elim: (Z.to_nat _) => //= k ->; rewrite h.
Qed.

Lemma filter_levels0 (p : pred notion) n ls : (forall x : R, p (n x) = false) ->
  [seq y <- levels n ls | p y] = [::].
Proof.
move=> h; rewrite /levels; elim: ls => //= l ls IH; rewrite filter_cat IH cats0.
by elim: (Z.to_nat _) => //= k ->; rewrite h.
Qed.

Lemma filter_approximate (p : pred notion) L : (forall e d : R, p (Approximate e d) = true) ->
  [seq y <- approximate L | p y] = approximate L.
Proof. by move=> h; elim: L => //= q L ->; rewrite h. Qed.

Lemma filter_approximate0 (p : pred notion) L : (forall e d : R, p (Approximate e d) = false) ->
  [seq y <- approximate L | p y] = [::].
Proof. by move=> h; elim: L => //= q L ->; rewrite h. Qed.

(** What the check shows, and that the pair stands for the mechanisms of the third notion. *)
Lemma check_pair_facts f w m o x a b (e := real (approximates m) x) (d := fraction a b) :
  check_pair f w m o x a b -> all proper_notion (notions_of (with_pair m x a b)) ->
  [/\ all proper_notion (notions_of m), proper_notion (Approximate e d), 1 < order_of o,
      exp (exponent (total_rho [seq n <- notions_of m | third n]) e (order_of o)) <= d &
      Permutation (notions_of (with_pair m x a b)) (Approximate e d :: others (notions_of m))].
Proof.
move=> /and4P[/andP[ok /Z.leb_le w0] /Z.ltb_lt b0 o_ok].
rewrite /pair_failure; case h: (exponential _ _) => [c|] // le proper.
have rest : others (notions_of m) =
    approximate (ledger_of (approximates m)) ++ levels Gaussian (gaussians m).
  by rewrite /others !filter_cat filter_approximate // filter_levels // filter_levels0 // cats0.
have thirds : [seq n <- notions_of m | third n] = levels Concentrated (concentrates m).
  by rewrite !filter_cat filter_approximate0 // filter_levels0 // filter_levels.
have [r0 r] := total_concentratedE ok; have levels_ok : all level_ok (concentrates m) by case/and3P: ok.
have rho : total_rho [seq n <- notions_of m | third n] =
    fraction (total_concentrated m).1 (total_concentrated m).2.
  by rewrite thirds r /total_rho (sum_levels_notions _ _ levels_ok).
have p : Permutation (notions_of (with_pair m x a b)) (Approximate e d :: others (notions_of m)).
  rewrite rest /notions_of /with_pair /= cats0 /ledger_of /= map_rcons flatten_rcons /approximate map_cat -catA /=.
  exact: Permutation_sym (Permutation_middle _ _ _).
split=> //; first exact: notions_proper ok.
- by move: proper; rewrite (all_permutation _ p) => /andP[].
- exact: order_gt1.
apply: (surely_le_sound w0 _ (enclosed_fraction w0 a b0) le).
apply: (enclosed_exponential w w0 _ _ _ _ h); apply: exponent_enclosed => //.
  by rewrite rho; exact: enclosed_fraction.
exact: (epsilon_enclosed ok w0).
Qed.

Theorem check_pair_sound f w m o x a b epsilon delta : check_pair f w m o x a b ->
  all proper_notion (notions_of (with_pair m x a b)) ->
  mixed_upper G (notions_of (with_pair m x a b)) epsilon delta ->
  mixed_upper G (notions_of m) epsilon delta.
Proof.
move=> h /(check_pair_facts h)[ok pair a1 d p] upper; apply: (rule_zcdp_pair ok pair a1 d).
exact: mixed_upper_permutation p upper.
Qed.
