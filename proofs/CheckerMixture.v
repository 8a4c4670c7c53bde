(** The verified checker: the rule `gaussian-mixture`.

    Entries with an epsilon above 0 are the groups; their blocks are computed at [mixture_finer]
    times the scale of weights. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Logarithms Comparisons Tables.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed CheckerDelta CheckerGrid.
From ExactDP Require Import CheckerNotions NormalEnclosures RulesGaussian RulesMixture MixtureSums CheckerGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The scale of weights, 10^digits, and how much finer blocks are. *)
Record weighing := Weighing { mixture_scale : Z; mixture_finer : Z }.

Section Program.
Variables (f : effort) (p : precision) (q : weighing) (m : mixed_subject).
Let one := (2 ^ fine p)%coqZ.

(** A bound of the profile, in units of 2^-coarse, for mu^2 = x/y. *)
Definition profile_bound (upward : bool) (x y : Z) (root e : enclosure) : Z :=
  if profile_enclosure (fine p) (series p) x y root e is Some g then
    let g := coarser (further p) g in if upward then g.2 else Z.max 0 g.1
  else if upward then (2 ^ coarse p)%coqZ else Z0.

(** The weights of a group of n, for an enclosure of its epsilon. *)
Definition group_block (n : BinNums.positive) (x : enclosure) : option (seq Z) :=
  if exponential (fine p) (opp x) is Some z then
    let S := (mixture_scale q * mixture_finer q)%coqZ in
    let low := Z.max 0 z.1 in
    Some (flat (divided (mixture_finer q) (power S (base
      (floor_div (S * one) (one + z.2)) (floor_div (S * low) (one + low))) n)))
  else None.

Fixpoint groups_of (es : seq entry) : option (seq group) :=
  if es is e :: es' then
    if groups_of es' is Some gs then
      if is_zero (epsilon e) then Some gs else
      if count e is Zpos n then
        let x := enclosure_of p m (epsilon e) in
        if group_block n x is Some b then Some ((count e, x, b) :: gs) else None
      else Some gs
    else None
  else Some [::].

Definition check_mixture (upward : bool) (x : combination) (a b : Z) : bool :=
  let: (x2, y2) := square_of upward m in
  [&& mixed_ok f m, precision_ok p, Z.ltb 0 x2, Z.ltb 0 (mixture_scale q), Z.ltb 0 (mixture_finer q),
   Delta_ok (approximates m) (coarse p) a b &
   if inverse_root (fine p) (pi_terms p) (enclosure_of_fraction (fine p) x2 y2) is Some root then
     if groups_of (entries (approximates m)) is Some gs then
       let sums := mixture (mixture_scale q) (profile_bound upward x2 y2 root) gs (mixture_scale q) (enclosure_of p m x) in
       if upward then
         Z.leb (sums.1 + (mixture_scale q - sums.2) * 2 ^ coarse p)
           (Delta_low (approximates m) (coarse p) a b * mixture_scale q)
       else Z.ltb (Delta_high (approximates m) (coarse p) a b * mixture_scale q) sums.1
     else false
   else false].

Definition check_gaussian_mixture_upper (x : combination) (a b : Z) : bool :=
  no_concentrated m && check_mixture true x a b.
Definition check_gaussian_mixture_lower (x : combination) (a b : Z) : bool := check_mixture false x a b.
End Program.

Section Soundness.
Variables (f : effort) (p : precision) (q : weighing) (m : mixed_subject).
Hypotheses (ok : mixed_ok f m) (pok : precision_ok p).
Hypotheses (S0 : Z.lt 0 (mixture_scale q)) (G0 : Z.lt 0 (mixture_finer q)).
Let s := approximates m.

Let c0 : Z.le 0 (coarse p). Proof. by case/andP: pok => /Z.leb_le. Qed.
Let f0 : Z.le 0 (further p). Proof. by case/andP: pok => _ /Z.leb_le. Qed.
Let F0 : Z.le 0 (fine p). Proof. by rewrite /fine; lia. Qed.
Let sok : subject_ok f s. Proof. by case/and3P: ok. Qed.
Let one0 : 0 < IZR (2 ^ fine p).
Proof. by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg. Qed.

Lemma group_block_below n x v b : enclosed (fine p) v x -> group_block p q n x = Some b ->
  forall j, Z.le 0 (nth Z0 b j) /\ IZR (nth Z0 b j) <= IZR (mixture_scale q) * (answers v ^+ Pos.to_nat n)`_j.
Proof.
move=> X; rewrite /group_block; case hz: (exponential _ _) => [z|] // [<-].
have /enclosedP/andP[lo hi] := enclosed_exponential _ F0 _ _ _ (enclosed_opp _ _ _ X) hz.
set E := exp (- v) in lo hi; have E0 : 0 < E by exact: exp_gt0.
set S := (mixture_scale q * mixture_finer q)%coqZ; set low := Z.max 0 z.1.
have low0 : Z.le 0 low by exact: Z.le_max_l.
have lowE : IZR low <= E * IZR (2 ^ fine p).
  by rewrite /low; case: (Z.max_spec 0 z.1) => -[_ ->] //; rewrite mulr_ge0 // ltW.
have S1 : Z.lt 0 S by exact: Z.mul_pos_pos.
have one1 : Z.lt 0 (2 ^ fine p) by exact: Z.pow_pos_nonneg.
have z0 : Z.le 0 z.2.
  by apply/Z.leb_le; rewrite -IZR_le_iff; apply: le_trans hi; rewrite mulr_ge0 // ltW.
have S1' : 0 <= IZR S by apply: IZR_ge0; exact: Z.lt_le_incl.
have D0 : 0 < 1 + E by rewrite addr_gt0 ?ltr01.
have high1 := Z.add_pos_nonneg _ _ one1 z0; have low1 := Z.add_pos_nonneg _ _ one1 low0.
have [S2 one2] := (Z.lt_le_incl _ _ S1, Z.lt_le_incl _ _ one1).
apply: divided_below => //; apply: power_below => //; apply: base_below.
- by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
- by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
- apply: floor_div_below => //.
  rewrite IZRM mulrCA ler_wpmul2l // /truthful ler_pdivl_mulr // IZRD mulrDr mulr1 ler_add2l.
  by rewrite mulrC.
- apply: floor_div_below => //.
  rewrite IZRM mulrCA ler_wpmul2l // /untruthful mulrA ler_pdivl_mulr // IZRD mulrDr mulr1 mulrDl.
  by rewrite ler_add2r mulrC.
Qed.

Lemma mean_congr n x xs xs' mu : (forall e, mean_profile mu xs e = mean_profile mu xs' e) ->
  forall e, mean_profile mu (nseq n x ++ xs) e = mean_profile mu (nseq n x ++ xs') e.
Proof.
by move=> h e; rewrite !(mean_nseq mu x _ e (leqnn n.+1)); apply: eq_bigr => j _; rewrite h.
Qed.

Lemma mean_zeros n xs mu e : mean_profile mu (nseq n 0 ++ xs) e = mean_profile mu xs e.
Proof. by elim: n => //= n IH; rewrite mean_zero. Qed.

Lemma epsilons_ofE : epsilons_of (notions_of m) =
  flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e)) | e <- entries s].
Proof.
rewrite epsilons_of_approximates /ledger_of.
by elim: (entries _) => //= e es IH; rewrite map_cat map_nseq IH.
Qed.

Lemma groups_of_sound gs : groups_of p q m (entries s) = Some gs ->
  exists2 ps, List.Forall2 (stands_for (fine p) (mixture_scale q)) gs ps &
    forall mu e, mean_profile mu (listed ps) e = mean_profile mu (epsilons_of (notions_of m)) e.
Proof.
rewrite epsilons_ofE; elim: (entries_ok sok) gs => [|e es [n0 _ _ e0] _ IH] gs /=.
  by move=> [<-]; exists [::] => //; constructor.
case: (groups_of _ _ _ es) IH => [gs'|] // /(_ _ erefl)[ps sound same].
case: ifP => [zero [<-]|_].
  exists ps => // mu e'; rewrite same; have -> : real s (epsilon e) = 0.
    by rewrite /real is_zero_value // mul0r.
  by rewrite mean_zeros.
case: (count e) n0 => [_ [<-]|n _|//]; first by exists ps.
case hb: (group_block _ _ _ _) => [b|] // [<-].
have X := enclosure_of_sound (epsilon e) ok pok.
exists ((Pos.to_nat n, real s (epsilon e)) :: ps).
  constructor=> //; split=> //=; first by rewrite positive_nat_Z.
  exact: group_block_below hb.
by move=> mu e'; rewrite /listed /=; apply: mean_congr => e''; rewrite same.
Qed.

Section Profiles.
Variables (upward : bool) (root : enclosure).
Let mu := total_mu (if upward then square else square_below) (notions_of m).
Hypothesis x0 : Z.ltb 0 (square_of upward m).1.
Hypothesis hroot : inverse_root (fine p) (pi_terms p)
  (enclosure_of_fraction (fine p) (square_of upward m).1 (square_of upward m).2) = Some root.

Let bounds (v : Z) (g : R) :=
  if upward then IZR (2 ^ coarse p) * g <= IZR v else 0 <= IZR v <= IZR (2 ^ coarse p) * g.
Let value := profile_bound p upward (square_of upward m).1 (square_of upward m).2 root.

Let one1 : 0 <= IZR (2 ^ coarse p).
Proof. by apply: IZR_ge0; exact: Z.pow_nonneg. Qed.

Let max_sound (z : Z) (g : R) : 0 <= g -> IZR z <= IZR (2 ^ coarse p) * g ->
  0 <= IZR (Z.max 0 z) <= IZR (2 ^ coarse p) * g.
Proof.
move=> g0 zg; case: (Z.max_spec 0 z) => -[h ->]; last by rewrite lexx mulr_ge0.
by rewrite zg andbT; apply: IZR_ge0; exact: Z.lt_le_incl.
Qed.

Lemma profile_bound_sound e x : enclosed (fine p) x e -> bounds (value e) (G mu x).
Proof.
move=> E; rewrite /value /profile_bound /bounds; case hg: (profile_enclosure _ _ _ _ _ _) => [g|].
  have := enclosed_coarser _ c0 _ _ _ f0 (profile_sound ok pok x0 hroot E hg).
  rewrite -/mu => /enclosedP; rewrite mulrC => /andP[lo hi]; case: (upward) => //.
  by apply: max_sound => //; exact: G_ge0.
by case: (upward) => /=; [rewrite ler_pimulr ?G_le1|rewrite lexx mulr_ge0 ?G_ge0].
Qed.

End Profiles.
End Soundness.

Section Theorems.
Variables (f : effort) (p : precision) (q : weighing) (m : mixed_subject) (x : combination) (a b : Z).
Let epsilon := real (approximates m) x.

Lemma check_gaussian_mixture_mean : check_gaussian_mixture_upper f p q m x a b ->
  mean_within (notions_of m) epsilon (fraction a b).
Proof.
case/andP=> none; rewrite /check_mixture; case E: (square_of true m) => [x2 y2].
case/and5P=> ok pok x0 /Z.ltb_lt S0 /and3P[/Z.ltb_lt G0 dok].
case hr: (inverse_root _ _ _) => [root|] //; case hg: (groups_of _ _ _ _) => [gs|] // /Z.leb_le check.
have s : subject_ok f (approximates m) by case/and3P: ok.
have [ps sound same] := groups_of_sound ok pok S0 G0 hg.
have dl := Delta_low_le s dok; rewrite -mixed_slackE in dl.
have bound := @profile_bound_sound f p m ok pok true root; rewrite E in bound.
have c0 : Z.le 0 (coarse p) by case/andP: pok => /Z.leb_le.
split; [exact: notions_proper ok|exact: no_concentrated_sound|].
apply: (rule_gaussian_mixture_mean S0 _ sound (fun mu => same mu _) (enclosure_of_sound x ok pok) _ dl check).
  exact: Z.pow_pos_nonneg.
exact: bound.
Qed.

Theorem check_gaussian_mixture_upper_sound : gaussian_composes ->
  check_gaussian_mixture_upper f p q m x a b ->
  mixed_upper RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof. by move=> composes /check_gaussian_mixture_mean; exact: upper_within. Qed.

Theorem check_gaussian_mixture_lower_sound : gaussian_attains ->
  check_gaussian_mixture_lower f p q m x a b ->
  mixed_lower RulesGaussian.G (notions_of m) epsilon (fraction a b).
Proof.
move=> attains; rewrite /check_gaussian_mixture_lower /check_mixture; case E: (square_of false m) => [x2 y2].
case/and5P=> ok pok x0 /Z.ltb_lt S0 /and3P[/Z.ltb_lt G0 dok].
case hr: (inverse_root _ _ _) => [root|] //; case hg: (groups_of _ _ _ _) => [gs|] // /Z.ltb_lt check.
have s : subject_ok f (approximates m) by case/and3P: ok.
have [ps sound same] := groups_of_sound ok pok S0 G0 hg.
have dh := Delta_high_ge s dok; rewrite -mixed_slackE in dh.
have bound := @profile_bound_sound f p m ok pok false root; rewrite E in bound.
have c0 : Z.le 0 (coarse p) by case/andP: pok => /Z.leb_le.
apply: (rule_gaussian_mixture_lower (notions_proper ok) S0 _ sound (fun mu => same mu _)
  (enclosure_of_sound x ok pok) attains _ dh check).
  exact: Z.pow_pos_nonneg.
exact: bound.
Qed.
End Theorems.
