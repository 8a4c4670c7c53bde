(** The verified checker: `gaussian`, and `trivial` where a mu or rho is positive.

    The plan suggests how many bits and terms to take; the comparison is made at [coarse] bits,
    those of the certificate. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons.
From ExactDP Require Import Exponentials Enclosures EnclosuresOfNumbers CheckerClosed CheckerDelta.
From ExactDP Require Import CheckerGrid CheckerNotions NormalEnclosures RulesGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Bits of the comparison, further ones for the work, terms of the series and of that of pi. *)
Record precision := Precision { coarse : Z; further : Z; series : term_counts; pi_terms : nat }.
Definition fine (p : precision) : Z := (coarse p + further p)%coqZ.
Definition precision_ok (p : precision) : bool := Z.leb 0 (coarse p) && Z.leb 0 (further p).

(** mu^2 as a fraction; from below rho counts as mu^2 = 2 rho. *)
Definition square_of (upward : bool) (m : mixed_subject) : Z * Z :=
  if upward then total_square m else
  let r := total_concentrated m in add_fractions (total_square m) ((2 * r.1)%coqZ, r.2).

Definition no_concentrated (m : mixed_subject) : bool :=
  all (fun l => Z.eqb (level_above l) 0) (concentrates m).
Definition no_losses (s : subject) : bool := all (fun e => is_zero (epsilon e)) (entries s).

Section Program.
Variables (f : effort) (p : precision) (m : mixed_subject).

(** The number x of a statement. *)
Definition enclosure_of (x : combination) : enclosure :=
  let s := approximates m in
  enclosure_of_number (fine p) (logarithms (fine p) (quotients s)) (denominator s) x.

Definition check_gaussian (upward : bool) (x : combination) (a b : Z) : bool :=
  let: (x2, y2) := square_of upward m in
  [&& mixed_ok f m, precision_ok p, Z.ltb 0 x2, no_losses (approximates m),
   Delta_ok (approximates m) (coarse p) a b &
   if inverse_root (fine p) (pi_terms p) (enclosure_of_fraction (fine p) x2 y2) is Some root then
     if profile_enclosure (fine p) (series p) x2 y2 root (enclosure_of x) is Some g then
       let g := coarser (further p) g in
       if upward then Z.leb g.2 (Delta_low (approximates m) (coarse p) a b)
       else Z.ltb (Delta_high (approximates m) (coarse p) a b) g.1
     else false
   else false].

Definition check_gaussian_upper (x : combination) (a b : Z) : bool :=
  no_concentrated m && check_gaussian true x a b.
Definition check_gaussian_lower (x : combination) (a b : Z) : bool := check_gaussian false x a b.

Definition check_infeasible_noise (a b : Z) : bool :=
  [&& mixed_ok f m, Z.ltb 0 (square_of false m).1 & delta_not_more f (approximates m) a b].
End Program.

Lemma fraction_add (x y : Z * Z) : Z.lt 0 x.2 -> Z.lt 0 y.2 ->
  fraction (add_fractions x y).1 (add_fractions x y).2 = fraction x.1 x.2 + fraction y.1 y.2.
Proof. by move=> x0 y0; rewrite /fraction IZRD !IZRM -addf_div ?IZR_gt0_neq0. Qed.

Section Subjects.
Variables (f : effort) (m : mixed_subject).
Hypothesis ok : mixed_ok f m.

Lemma all_levels (c : pred notion) n ls :
  all c (levels n ls) = all (fun l => (Z.to_nat (times l) == 0%N) || c (n (level_of l))) ls.
Proof. by rewrite /levels; elim: ls => //= l ls <-; rewrite all_cat all_nseq. Qed.

Lemma notions_proper : all proper_notion (notions_of m).
Proof.
case/and3P: (ok) => _ g c; rewrite !all_cat !all_levels; apply/and3P; split.
- rewrite /approximate all_map; apply/allP => q /(allP (mixed_proper ok)).
  by case/andP=> /= -> /andP[-> ->].
- by apply: sub_all g => l /level_ge0 /= ->; rewrite orbT.
- by apply: sub_all c => l /level_ge0 /= ->; rewrite orbT.
Qed.

Lemma mixed_slackE delta : mixed_slack (notions_of m) delta = slack (ledger_of (approximates m)) delta.
Proof. by rewrite /mixed_slack mixed_keptE. Qed.

Lemma total_squaresE upward : Z.lt 0 (square_of upward m).2 /\
  \sum_(n <- notions_of m) (if upward then square else square_below) n =
  fraction (square_of upward m).1 (square_of upward m).2.
Proof.
have [y0 e] := total_squareE ok; have [z0 e'] := total_concentratedE ok.
have zeros (F : notion -> R) : (forall x d, F (Approximate x d) = 0) ->
    \sum_(e <- entries (approximates m)) IZR (count e) *
      F (Approximate (real (approximates m) (epsilon e)) (fraction (above e) (below e))) = 0.
  by move=> F0; rewrite big1 // => i _; rewrite F0 mulr0.
rewrite (sum_notions ok); case: upward; rewrite zeros // add0r.
  by split=> //; rewrite e [X in _ + X]big1 ?addr0 // => l _; rewrite mulr0.
rewrite /square_of; split; first exact: Z.mul_pos_pos.
rewrite fraction_add // -e; congr (_ + _).
rewrite /fraction (IZRM 2) -mulrA -/(fraction _ _) e' mulr_sumr.
by apply: eq_bigr => l _; rewrite mulrCA (_ : IZR 2 = 2%:R) // mulr_natl.
Qed.

Lemma no_concentrated_sound : no_concentrated m -> all (fun n => ~~ concentrated n) (notions_of m).
Proof.
move=> none; rewrite !all_cat !all_levels /approximate all_map; apply/and3P; split.
- exact: all_predT.
- by apply/(sub_all _ (all_predT (gaussians m))) => l _; rewrite orbT.
- apply: sub_all none => l /Z.eqb_eq l0.
  by rewrite /= negbK /level_of l0 /fraction mul0r eqxx orbT.
Qed.

Lemma epsilons_of_ledger L gs cs :
  epsilons_of (approximate L ++ levels Gaussian gs ++ levels Concentrated cs) = [seq q.1 | q <- L].
Proof.
have none n ls : (forall r, if n r is Approximate _ _ then False else True) ->
    epsilons_of (levels n ls) = [::].
  move=> h; rewrite /levels; elim: ls => //= l ls IH.
  rewrite /epsilons_of pmap_cat -!/(epsilons_of _) IH cats0.
  by elim: (Z.to_nat _) => //= k; case: (n _) (h (level_of l)).
rewrite /epsilons_of !pmap_cat -!/(epsilons_of _) !none // !cats0.
by elim: L => //= q qs <-.
Qed.

Lemma epsilons_of_approximates :
  epsilons_of (notions_of m) = [seq q.1 | q <- ledger_of (approximates m)].
Proof. exact: epsilons_of_ledger. Qed.

Lemma no_losses_sound : no_losses (approximates m) -> all (fun x => x == 0) (epsilons_of (notions_of m)).
Proof.
have s : subject_ok f (approximates m) by case/and3P: ok.
rewrite epsilons_of_approximates /no_losses /ledger_of.
elim: (entries_ok s) => //= e es [_ _ _ e0] _ IH /andP[e1 /IH].
rewrite map_cat all_cat map_nseq => ->; rewrite andbT all_nseq /= /real is_zero_value // mul0r eqxx.
by rewrite orbT.
Qed.
End Subjects.

(** What the checks of upper bounds prove, before anything is assumed of composition. *)
Definition mean_within (ns : seq notion) (epsilon delta : R) : Prop :=
  [/\ all proper_notion ns, all (fun n => ~~ concentrated n) ns &
      mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta].

Lemma upper_within ns epsilon delta : gaussian_composes -> mean_within ns epsilon delta ->
  mixed_upper RulesGaussian.G ns epsilon delta.
Proof. by move=> composes [proper none]; exact: upper_of_mean. Qed.

Section Soundness.
Variables (f : effort) (p : precision) (m : mixed_subject) (x : combination) (a b : Z).
Let epsilon := real (approximates m) x.
Let delta := fraction a b.

Lemma enclosure_of_sound : mixed_ok f m -> precision_ok p ->
  enclosed (fine p) epsilon (enclosure_of p m x).
Proof.
case/and3P=> /and4P[_ /Z.ltb_lt d0 qs _] _ _ /andP[/Z.leb_le c0 /Z.leb_le f0].
by apply: enclosed_number => //; rewrite /fine; lia.
Qed.

Lemma profile_sound upward e v g root : mixed_ok f m -> precision_ok p -> Z.ltb 0 (square_of upward m).1 ->
  inverse_root (fine p) (pi_terms p)
    (enclosure_of_fraction (fine p) (square_of upward m).1 (square_of upward m).2) = Some root ->
  enclosed (fine p) v e ->
  profile_enclosure (fine p) (series p) (square_of upward m).1 (square_of upward m).2 root e = Some g ->
  enclosed (fine p) (G (total_mu (if upward then square else square_below) (notions_of m)) v) g.
Proof.
move=> ok pok /Z.ltb_lt x0 hroot he hg; have [y0 squares] := total_squaresE ok upward; rewrite /total_mu squares.
have F0 : Z.le 0 (fine p) by case/andP: pok => /Z.leb_le c0 /Z.leb_le f0; rewrite /fine; lia.
have X0 : 0 < IZR (square_of upward m).1 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have Y0 : 0 < IZR (square_of upward m).2 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have -> : fraction (square_of upward m).1 (square_of upward m).2 =
    (IZR (square_of upward m).1 / IZR (square_of upward m).2)%coqR by rewrite RdivE // gt_eqF.
have s0 : 0 < sqrt (IZR (square_of upward m).1 / IZR (square_of upward m).2)%coqR.
  by apply/RltP/sqrt_lt_R0/RltP; rewrite RdivE ?gt_eqF // divr_gt0.
rewrite /G s0; apply: (profile_enclosure_sound _ F0 _ _ _ _ _ _ _ x0 y0 _ he hg).
exact: (inverse_root_enclosed _ F0 _ _ _ _ (enclosed_quotient _ F0 _ _ y0) hroot).
Qed.

Lemma check_gaussian_mean : check_gaussian_upper f p m x a b -> mean_within (notions_of m) epsilon delta.
Proof.
case/andP=> none; rewrite /check_gaussian; case E: (square_of true m) => [x2 y2].
case/and5P=> ok pok x0 losses /andP[dok].
case hr: (inverse_root _ _ _) => [root|] //.
case hg: (profile_enclosure _ _ _ _ _ _) => [g|] // /Z.leb_le check.
have [c0 f0] : Z.le 0 (coarse p) /\ Z.le 0 (further p) by case/andP: pok => /Z.leb_le ? /Z.leb_le.
have s : subject_ok f (approximates m) by case/and3P: ok.
have hG := @profile_sound true _ _ g root ok pok; rewrite E in hG.
have /enclosedP/andP[_ gh] := enclosed_coarser _ c0 _ _ _ f0 (hG _ _ x0 hr (enclosure_of_sound ok pok) hg).
have dl := Delta_low_le s dok; rewrite -mixed_slackE in dl; rewrite mulrC in gh.
split; [exact: notions_proper ok|exact: no_concentrated_sound|].
apply: (rule_gaussian_mean _ _ gh dl check); first exact: Z.pow_pos_nonneg.
exact: (no_losses_sound ok losses).
Qed.

Theorem check_gaussian_upper_sound : gaussian_composes -> check_gaussian_upper f p m x a b ->
  mixed_upper RulesGaussian.G (notions_of m) epsilon delta.
Proof. by move=> composes /check_gaussian_mean; exact: upper_within. Qed.

Theorem check_gaussian_lower_sound : gaussian_attains -> check_gaussian_lower f p m x a b ->
  mixed_lower RulesGaussian.G (notions_of m) epsilon delta.
Proof.
move=> attains; rewrite /check_gaussian_lower /check_gaussian; case E: (square_of false m) => [x2 y2].
case/and5P=> ok pok x0 losses /andP[dok].
case hr: (inverse_root _ _ _) => [root|] //.
case hg: (profile_enclosure _ _ _ _ _ _) => [g|] // /Z.ltb_lt check.
have [c0 f0] : Z.le 0 (coarse p) /\ Z.le 0 (further p) by case/andP: pok => /Z.leb_le ? /Z.leb_le.
have s : subject_ok f (approximates m) by case/and3P: ok.
have hG := @profile_sound false _ _ g root ok pok; rewrite E in hG.
have /enclosedP/andP[gl _] := enclosed_coarser _ c0 _ _ _ f0 (hG _ _ x0 hr (enclosure_of_sound ok pok) hg).
have dh := Delta_high_ge s dok; rewrite -mixed_slackE in dh; rewrite mulrC in gl.
apply: (rule_gaussian_lower (notions_proper ok) _ attains _ gl dh check) => //.
- exact: Z.pow_pos_nonneg.
- exact: (no_losses_sound ok losses).
Qed.

Theorem check_infeasible_noise_sound : gaussian_attains -> check_infeasible_noise f m a b ->
  forall e, mixed_lower RulesGaussian.G (notions_of m) e delta.
Proof.
move=> attains /and3P[ok /Z.ltb_lt x0 d] e; have s : subject_ok f (approximates m) by case/and3P: ok.
apply: rule_infeasible_noise => //; first exact: notions_proper ok.
  have [/Z.ltb_lt y0 ->] := total_squaresE ok false.
  by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
by have := delta_not_more_sound s d; rewrite -mixed_keptE.
Qed.
End Soundness.
