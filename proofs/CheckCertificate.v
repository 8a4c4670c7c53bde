(** [check_certificate]: if it accepts the bytes of a certificate, what they state is true.

    A certificate is checked for itself: [hint]s cannot make a false statement accepted.  What is
    assumed is a function of the certificate alone ([assumed]): nothing for mechanisms that are given by
    epsilon and delta and composed one after the other, else theorems of papers, by their names. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesConcentrated RulesGroupsMixed RulesPair Powers Moments.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerGaussian CheckerConcentrated.
From ExactDP Require Import CheckerConcentratedTheorems CheckerGroups RulesGroups Ratios.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateChecks.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the rules, their checks and theorems (SPEC, sections 3 and 7) --- *)

Definition may_try (rule : string) (t : attempt) : bool :=
  among rule match t with
  | Vacuous => [:: "vacuous"]
  | Sum => [:: "sum"; "rational-odds"; "kairouz-oh-viswanath-homogeneous";
               "kairouz-oh-viswanath-heterogeneous"; "murtagh-vadhan-1.4"]
  | Infeasible => [:: "infeasible"; "rational-odds"]
  | InfeasibleNoise => [:: "infeasible"]
  | RationalOdds _ => [:: "rational-odds"]
  | Lattice _ => [:: "lattice"]
  | Grid _ => [:: "grid"; "gaussian-mesh"]
  | Dots _ => [:: "connect-the-dots"; "gaussian-mesh"]
  | Test _ => [:: "gridded-test"]
  | Advanced _ _ => [:: "advanced-composition"]
  | Kairouz => [:: "kairouz-oh-viswanath-homogeneous"; "kairouz-oh-viswanath-heterogeneous"]
  | Murtagh _ _ => [:: "murtagh-vadhan-1.4"]
  | BunSteinke _ => [:: "zcdp-bun-steinke"]
  | CanonneKamathSteinke _ _ => [:: "zcdp-canonne-kamath-steinke"]
  | Renyi _ _ => [:: "renyi"]
  | GaussianProfile _ => [:: "gaussian"]
  | Mixture _ _ => [:: "gaussian-mixture"]
  | MeshAbove _ _ | MeshBelow _ _ => [:: "gaussian-mesh"]
  | Pair _ _ _ _ _ _ _ | PairAlone _ _ _ _ _ _ => [:: "zcdp-pair"]
  end%string.

(** What carries over to concurrent composition: nothing is needed, or a theorem about the rule's
    mechanisms; [NoCarry]: no theorem is known. *)
Inductive family := ByDefinition | OfPairs | OfProfiles | OfDivergences | NoCarry.

(** A rule's own theorem, and its family. *)
Definition rules : seq (string * (string * family)) := [::
  ("vacuous", ("definition", ByDefinition));
  ("sum", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("infeasible", ("murtagh-vadhan-2018-theorem-1.5", NoCarry));
  ("rational-odds", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("grid", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("lattice", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("connect-the-dots", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("gridded-test", ("murtagh-vadhan-2018-theorem-1.5", OfPairs));
  ("advanced-composition", ("dwork-rothblum-vadhan-2010-theorem-3.3", OfPairs));
  ("kairouz-oh-viswanath-homogeneous", ("kairouz-oh-viswanath-2015-theorem-3.4", OfPairs));
  ("kairouz-oh-viswanath-heterogeneous", ("kairouz-oh-viswanath-2015-theorem-3.5", OfPairs));
  ("murtagh-vadhan-1.4", ("murtagh-vadhan-2018-theorem-1.4", OfPairs));
  ("zcdp-bun-steinke", ("bun-steinke-2016-proposition-1.3", OfDivergences));
  ("zcdp-canonne-kamath-steinke", ("canonne-kamath-steinke-2020-corollary-13", OfDivergences));
  ("renyi", ("canonne-kamath-steinke-2020-proposition-12", OfDivergences));
  ("gaussian", ("dong-roth-su-2022-corollary-2.13", OfProfiles));
  ("gaussian-mixture", ("dong-roth-su-2022-theorem-3.2", OfProfiles));
  ("gaussian-mesh", ("dong-roth-su-2022-theorem-3.2", OfProfiles));
  ("zcdp-pair", ("dong-roth-su-2022-theorem-3.2", NoCarry))]%string.

Definition found (A : Type) (key : string) (s : seq (string * A)) : option A :=
  foldr (fun e r => if String.eqb key e.1 then Some e.2 else r) None s.

(** A theorem by which interleaving gains an adversary nothing, and the mechanisms it is about: all
    bounds carry over, or the divergences of one order add up. *)
Definition pure (M : mechanisms) : bool := all (fun m => Z.eqb m.1.2.1 0) (of_epsilon M).
Definition none_above_0 (s : seq (ratio * Z)) : bool := all (fun m => Z.eqb m.1.1 0) s.
Definition first_notion (M : mechanisms) : bool := none_above_0 (of_mu M) && none_above_0 (of_rho M).

Definition carried (theorem : string) (by_family : family) (M : mechanisms) : bool :=
  match by_family with
  | ByDefinition => String.eqb theorem "definition"
  | OfPairs =>
      (String.eqb theorem "vadhan-wang-2021-theorem-5.4" && (first_notion M && pure M)) ||
      (String.eqb theorem "lyu-2022-approximate-dp" && first_notion M) ||
      (String.eqb theorem "vadhan-zhang-2023-f-dp" && none_above_0 (of_rho M))
  | OfProfiles => String.eqb theorem "vadhan-zhang-2023-f-dp" && none_above_0 (of_rho M)
  | OfDivergences => String.eqb theorem "lyu-2022-renyi-dp" && pure M
  | NoCarry => false
  end.

(** Whether the statement may name its theorem. *)
Definition permitted (rule : string) (c : claim) : bool :=
  if found rule rules is Some (own, of_family) then
    match claim_kind c, claim_interplay c with
    | Upper, Concurrent => carried (claim_theorem c) of_family (claim_mechanisms c)
    | _, _ => String.eqb (claim_theorem c) own
    end
  else false.

(** --- what is assumed --- *)

Section Assumptions.
Variable views : seq notion -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.

Definition views_are_distributions : Prop := forall ns (Y : finType) (P Q : Y -> R),
  views ns P Q -> distribution P /\ distribution Q.

(** Vadhan & Wang 2021, Theorem 5.4, of (epsilon_i, 0); Lyu 2022, of (epsilon_i, delta_i); Vadhan &
    Zhang 2023, of these and mu_i: a bound of all adaptive compositions, in any order, holds of concurrent
    composition. *)
Definition bounds_carry_over (theorem : string) : Prop := forall M : mechanisms,
  carried theorem OfPairs M -> all proper_notion (notions M) -> forall epsilon delta,
  mixed_upper G (notions M) epsilon delta -> concurrently views (notions M) epsilon delta.

(** Lyu 2022, on Rényi differential privacy: the divergences of one order add up. *)
Definition divergences_add_up : Prop := forall M : mechanisms,
  pure M -> all proper_notion (notions M) -> forall a : R, 1 < a ->
  forall (Y : finType) (P Q : Y -> R), views (notions M) P Q ->
  let m := exp (\sum_(n <- notions M) log_moment a n) in moment_at_most a m P Q /\ moment_at_most a m Q P.

(** Whether a mu or rho is above 0. *)
Definition above_0 (M : mechanisms) : bool := ~~ first_notion M.

Definition assumed_of_rule (rule : string) (c : claim) : Prop :=
  let noise := above_0 (claim_mechanisms c) &&
    among rule [:: "gaussian"; "gaussian-mixture"; "gaussian-mesh"; "infeasible"]%string in
  let pair := among rule [:: "zcdp-pair"]%string in
  match claim_kind c with
  | Upper => (noise || pair -> gaussian_composes) /\ (pair -> concentrated_as_pair)
  | Lower => noise -> gaussian_attains
  | Underivable => True
  end.

Definition assumed_of_interplay (rule : string) (c : claim) : Prop :=
  match claim_kind c, claim_interplay c with
  | Upper, Concurrent => views_are_distributions /\
      if found rule rules is Some (_, OfDivergences) then divergences_add_up
      else bounds_carry_over (claim_theorem c)
  | _, _ => True
  end.

Definition assumed (c : certificate) : Prop :=
  if named_rules c is rule :: _ then
    assumed_of_rule rule (stated c) /\ assumed_of_interplay rule (stated c) else True.
End Assumptions.

(** --- the check --- *)

(** What is tried is a check of the rule, and one that rests on a premise about noise only where there
    is noise. *)
Definition fits (rule : string) (M : mechanisms) (t : attempt) : bool :=
  may_try rule t &&
  match t with
  | InfeasibleNoise | GaussianProfile _ | Mixture _ _ | MeshAbove _ _ | MeshBelow _ _ => above_0 M
  | _ => true
  end.

(** From a bound for neighbours to one for groups: what the premise states, and what is suggested. *)
Record path_hint := PathHint {
  near_epsilon : number; near_delta : ratio; far_effort : effort; far_numbered : numbering; most_powers : Z; odds_above : Z
}.

Inductive suggestion :=
| Directly of hint
| ForGroups of hint & path_hint.

Section Check.
Variable c : claim.
Let M := claim_mechanisms c.

(** A bound for neighbours. *)
Definition check_bound (rule : string) (h : hint) (epsilon : option number) (delta : ratio) : bool :=
  let: Hint f k t := h in
  fits rule M t && permitted rule c &&
  if subject_from k M is Some m then
    let a := delta.1 in let b := Zpos delta.2 in
    match epsilon, claim_kind c with
    | Some e, Upper =>
        if combination_of k e is Some x then
          shows_upper f m a b t x && (if claim_interplay c is Concurrent then mixed_ok f m else true)
        else false
    | Some e, Lower => if combination_of k e is Some x then shows_lower f m a b t x else false
    | None, Lower => shows_infeasible f m a b t
    | Some e, Underivable =>
        if combination_of k e is Some x then
          if shows_underivable f m a b t x is Some theorem then String.eqb theorem (claim_theorem c)
          else false
        else false
    | None, _ => false
    end
  else false.

(** The step to groups of g: g epsilon', and delta' (1 + e^epsilon' + ... + e^((g-1) epsilon')). *)
Definition check_groups (p : path_hint) : bool :=
  let f := far_effort p in let k := far_numbered p in
  if (claim_epsilon c, subject_from k M) is (Some e, Some m) then
    if (combination_of k (near_epsilon p), combination_of k e) is (Some x', Some x) then
      check_group_privacy f (approximates m) (claim_group c) (most_powers p) (odds_above p) x'
        (near_delta p).1 (Zpos (near_delta p).2) x (claim_delta c).1 (Zpos (claim_delta c).2)
    else false
  else false.
End Check.

Definition check_claim (c : certificate) (s : suggestion) : bool :=
  let: Certificate cl names := c in
  match s, names with
  | Directly h, [:: rule] =>
      if claim_group cl is xH then check_bound cl rule h (claim_epsilon cl) (claim_delta cl) else false
  | ForGroups h p, [:: rule; groups] =>
      String.eqb groups "group-privacy" && negb (Pos.eqb (claim_group cl) 1) &&
      match claim_kind cl with
      | Upper => check_bound cl rule h (Some (near_epsilon p)) (near_delta p) && check_groups cl p
      | Lower => check_bound cl rule h (claim_epsilon cl) (claim_delta cl)
      | Underivable => false
      end
  | _, _ => false
  end.

(** Whether one of the suggestions goes through. *)
Definition check_certificate (bytes : string) (s : seq suggestion) : bool :=
  if read bytes is Some c then has (check_claim c) s else false.

(** --- soundness --- *)

Section Soundness.
Variable views : seq notion -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop.

(** What the divergences of a concurrent composition give (SPEC, 7.13 to 7.15). *)
Lemma concurrently_by_moments M (a epsilon delta : R) : views_are_distributions views ->
  divergences_add_up views -> pure M -> all proper_notion (notions M) -> 1 < a -> 0 < delta ->
  \sum_(n <- notions M) log_moment a n + (1 - a) * epsilon + log_conversion a <= ln delta ->
  concurrently views (notions M) epsilon delta.
Proof.
move=> dist add pureM W a1 d0 h Y P Q V; have [dP dQ] := dist _ _ _ _ V.
have [m1 m2] := add M pureM W a a1 Y P Q V.
have le m : m = exp (\sum_(n <- notions M) log_moment a n) ->
    exp ((1 - a) * epsilon + log_conversion a) * m <= delta.
  by move=> ->; rewrite -expD -[X in _ <= X](lnK d0) exp_le addrC addrA.
by split; apply/events_hockey_stick; [apply: le_trans (moment_divergence a1 epsilon dP dQ m1) _|
  apply: le_trans (moment_divergence a1 epsilon dQ dP m2) _]; exact: le.
Qed.

Lemma big_repeated (A : Type) (n : A -> notion) (s : seq (A * Z)) (F : notion -> R) :
  all (fun x => F (n x.1) == 1) s -> \prod_(x <- repeated n s) F x = 1.
Proof.
rewrite /repeated; elim: s => [|x s IH] /=; first by rewrite big_nil.
case/andP=> /eqP e /IH h; rewrite big_cat /= h mulr1 big_nseq e.
by elim: (Z.to_nat _) => //= k ->; rewrite mulr1.
Qed.

Lemma pure_slack M delta : pure M -> mixed_slack (notions M) delta = delta.
Proof.
move=> pureM; rewrite /mixed_slack; suff -> : mixed_kept (notions M) = 1 by rewrite divr1 opprB addrC subrK.
have one (A : Type) (n : A -> notion) (l : seq (A * Z)) : all (fun x => failure (n x.1) == 0) l ->
    \prod_(x <- repeated n l) (1 - failure x) = 1.
  by move=> h; apply: (big_repeated (F := fun n => 1 - failure n)); apply: sub_all h => x /eqP ->; rewrite subr0.
rewrite /mixed_kept /notions !big_cat /= (one _ _ (of_epsilon M)) ?(one _ _ (of_mu M)) ?(one _ _ (of_rho M)) ?mulr1 //.
- by elim: (of_rho M) => //= y l ->; rewrite eqxx.
- by elim: (of_mu M) => //= y l ->; rewrite eqxx.
- by apply: sub_all pureM => y /Z.eqb_eq y0; rewrite /= /of_ratio /fraction y0 mul0r.
Qed.

Section Divergences.
Variables (f : effort) (m : mixed_subject) (M : mechanisms) (a b : Z) (x : combination).
Hypotheses (e : notions_of m = notions M) (dist : views_are_distributions views).
Hypotheses (add : divergences_add_up views) (pureM : pure M).
Let delta := fraction a b.
Let epsilon := real (approximates m) x.

Lemma renyi_concurrently w o : check_renyi f w m o x a b -> concurrently views (notions M) epsilon delta.
Proof.
case/check_renyi_shows; rewrite e pure_slack // => W a1 d0 h.
exact: (concurrently_by_moments dist add pureM W a1 d0 h).
Qed.

Lemma canonne_kamath_steinke_by_moments al : all proper_notion (notions M) -> 1 < al ->
  exponent (total_rho (notions M)) epsilon al <= ln delta ->
  \sum_(n <- notions M) log_moment al n + (1 - al) * epsilon + log_conversion al <= ln delta.
Proof.
move=> W a1; apply: le_trans.
have -> : exponent (total_rho (notions M)) epsilon al =
  al * (al - 1) * total_rho (notions M) + (1 - al) * epsilon + log_conversion al.
  exact: exponent_split.
rewrite !ler_add2r /total_rho; elim: (notions M) W => [|n ns IH] /=; first by rewrite !big_nil mulr0.
by case/andP=> w /IH h; rewrite !big_cons mulrDr; apply: ler_add h; exact: log_moment_le.
Qed.

Lemma canonne_kamath_steinke_concurrently w o : check_canonne_kamath_steinke f w m o x a b ->
  concurrently views (notions M) epsilon delta.
Proof.
case/check_canonne_kamath_steinke_shows; rewrite e pure_slack // => W a1 d0 h.
apply: (concurrently_by_moments dist add pureM W a1 d0); exact: canonne_kamath_steinke_by_moments.
Qed.

Lemma bun_steinke_concurrently w : check_bun_steinke f w m x a b ->
  concurrently views (notions M) epsilon delta.
Proof.
case/check_bun_steinke_shows; rewrite e pure_slack // => W d0 re h; have [d1|d1] := leP 1 delta.
  move=> Y P Q V; have [dP dQ] := dist V.
  by split; apply/events_hockey_stick; apply: le_trans d1; apply: hockey_stick_le1 => //; exact: ltW (exp_gt0 _).
have l0 : ln delta < 0.
  by apply/RltP; have := ln_increasing _ _ (RltP _ _ d0) (RltP _ _ d1); rewrite ln_1.
have [|al [/RltP a1 /RleP g]] := @some_alpha _ _ _ (RleP _ _ (total_rho_ge0 W)) (RleP _ _ re) (RltP _ _ l0).
  by move/RleP: h; rewrite four -RpowE; exact.
apply: (concurrently_by_moments dist add pureM W a1 d0); exact: canonne_kamath_steinke_by_moments.
Qed.
End Divergences.

Lemma named rule name : among rule [:: name] -> rule = name.
Proof. by rewrite /among /= orbF => /String.eqb_eq. Qed.

Lemma premises_above rule c t : claim_kind c = Upper -> assumed_of_rule rule c ->
  fits rule (claim_mechanisms c) t -> premise_above t.
Proof.
rewrite /assumed_of_rule /fits /may_try => -> [composes pair] /andP[].
by case: t => //= [p|p q|p q|w o y u v p q|w o y u v q] /named e noise; rewrite e in composes pair;
  [apply: composes; rewrite noise|apply: composes; rewrite noise|apply: composes; rewrite noise|
   split; [apply: composes; rewrite orbT|apply: pair]|apply: pair].
Qed.

Lemma premises_below rule c t : claim_kind c = Lower -> assumed_of_rule rule c ->
  fits rule (claim_mechanisms c) t -> premise_below t.
Proof.
rewrite /assumed_of_rule /fits /may_try => -> attains /andP[].
by case: t => //= [|p|p q|p q] /named e noise; rewrite e in attains; apply: attains; rewrite noise.
Qed.

(** A rule that is one of these is of a family that they have. *)
Lemma family_of (p : family -> bool) names rule own fam : among rule names ->
  found rule rules = Some (own, fam) ->
  all (fun n => if found n rules is Some (_, f) then p f else true) names -> p fam.
Proof.
elim: names => [//|n names IH] /orP[/String.eqb_eq <-|w] F /andP[]; first by rewrite F.
by move=> _; exact: IH.
Qed.

Definition carries_bounds (f : family) : bool :=
  match f with OfPairs | OfProfiles | NoCarry => true | _ => false end.
Definition by_definition (f : family) : bool := if f is ByDefinition then true else false.
Definition of_divergences (f : family) : bool := if f is OfDivergences then true else false.

Section Bound.
Variables (c : claim) (rule : string) (h : hint).
Let M := claim_mechanisms c.
Hypotheses (about_rule : assumed_of_rule rule c) (about_interplay : assumed_of_interplay views rule c).

(** A concurrent composition, by the family of the rule. *)
Lemma upper_concurrently f m x a b : notions_of m = notions M -> mixed_ok f m ->
  claim_kind c = Upper -> claim_interplay c = Concurrent -> fits rule M (tried h) -> permitted rule c ->
  shows_upper f m a b (tried h) x ->
  concurrently views (notions M) (real (approximates m) x) (fraction a b).
Proof.
move=> e ok isUpper isConcurrent fit allowed shown.
have W : all proper_notion (notions M) by rewrite -e; exact: (notions_proper ok).
have U := shows_upper_sound shown (premises_above isUpper about_rule fit).
move: about_interplay allowed; rewrite /assumed_of_interplay /permitted isUpper isConcurrent -/M.
case E: (found rule rules) => [[own fam]|] // [dist more] cov.
have {fit} may : may_try rule (tried h) by case/andP: fit.
have carry : carries_bounds fam -> concurrently views (notions M) (real (approximates m) x) (fraction a b).
  case: fam E cov more => // E cov more _; apply: more => //; rewrite -?e //.
  by move: cov; rewrite /carried => ->; rewrite orbT.
have certain : fraction a b = 1 -> concurrently views (notions M) (real (approximates m) x) (fraction a b).
  move=> -> Y P Q V; have [dP dQ] := dist _ _ _ _ V.
  by split; apply/events_hockey_stick; apply: hockey_stick_le1 => //; exact: ltW (exp_gt0 _).
have divergences : of_divergences fam -> divergences_add_up views /\ pure M.
  by case: fam E cov more {carry} => // E /andP[_ ->] add _.
have usual names : among rule names ->
    all (fun n => if found n rules is Some (_, f) then carries_bounds f else true) names ->
    concurrently views (notions M) (real (approximates m) x) (fraction a b).
  by move=> w ok'; apply: carry; exact: (family_of w E ok').
have by_divergences names : among rule names ->
    all (fun n => if found n rules is Some (_, f) then of_divergences f else true) names ->
    divergences_add_up views /\ pure M.
  by move=> w ok'; apply: divergences; exact: (family_of w E ok').
case: (tried h) shown may; rewrite /shows_upper /may_try; try by move=> *; apply: usual; first eassumption.
- by case/and3P=> _ /Z.ltb_lt b0 /Z.eqb_eq eb _; apply: certain; rewrite /fraction eb divff // gt_eqF //
    (IZR_lt_iff Z0); apply/Z.ltb_lt.
- by move=> w shown' r; have [add pureM] := by_divergences _ r isT; exact: (bun_steinke_concurrently e dist add pureM shown').
- by move=> w o shown' r; have [add pureM] := by_divergences _ r isT;
    exact: (canonne_kamath_steinke_concurrently e dist add pureM shown').
- by move=> w o shown' r; have [add pureM] := by_divergences _ r isT; exact: (renyi_concurrently e dist add pureM shown').
Qed.

Lemma check_bound_sound epsilon delta : check_bound c rule h epsilon delta ->
  at_epsilon epsilon (fun e => holds_near views c e (of_ratio delta)).
Proof.
rewrite /check_bound; case E: h => [f k t] /andP[/andP[fit allowed]].
case S: (subject_from k M) => [m|] //; have same := subject_from_sound S.
have D : fraction delta.1 (Zpos delta.2) = of_ratio delta by [].
case: epsilon => [e|]; last first.
  case K: (claim_kind c) => // shown e; rewrite /holds_near K -same.
  exact: (shows_infeasible_sound shown (premises_below K about_rule fit)).
case K: (claim_kind c); case X: (combination_of k e) => [x|] //; rewrite /at_epsilon /holds_near K -(subject_from_real S X).
- case/andP=> shown; case I: (claim_interplay c) => okay.
    by rewrite -same; exact: (shows_upper_sound shown (premises_above K about_rule fit)).
  by apply: (upper_concurrently same okay K I); rewrite ?E.
- by move=> shown; rewrite -same; exact: (shows_lower_sound shown (premises_below K about_rule fit)).
case T: (shows_underivable _ _ _ _ _ _) => [theorem|] // /String.eqb_eq <-.
by rewrite -same; exact: shows_underivable_sound T.
Qed.

(** The step to groups, where the bound for neighbours is that of the hint. *)
Lemma check_groups_sound p e : claim_epsilon c = Some e -> claim_kind c = Upper -> check_groups c p ->
  holds_near views c (value_of (near_epsilon p)) (of_ratio (near_delta p)) ->
  holds_far views c (value_of e) (of_ratio (claim_delta c)).
Proof.
rewrite /check_groups /holds_near /holds_far => -> ->.
set f := far_effort p; set k := far_numbered p.
case S: (subject_from k M) => [m|] //; case X': (combination_of _ _) => [x'|] //.
case X: (combination_of _ _) => [x|] // /and4P[ok e0 gap cover] U.
have [d0 d1 _ le] := CheckerGroups.covers_sound ok cover.
have e0' : 0 <= value_of (near_epsilon p).
  by rewrite -(subject_from_real S X'); exact: (CheckerGroups.at_least_0_sound ok e0).
have more : value_of (near_epsilon p) *+ Pos.to_nat (claim_group c) <= value_of e.
  rewrite -(subject_from_real S X') -(subject_from_real S X).
  have := CheckerGroups.at_least_0_sound ok gap.
  by rewrite CheckerGroups.real_sub // CheckerGroups.real_scale // CheckerGroups.IZR_pos mulr_natl subr_ge0.
rewrite (subject_from_real S X') in le; case: (claim_interplay c) U => U.
  exact: (rule_group_privacy_upper_mixed U e0' d0 more le).
move=> n Y W le_n dist steps; apply: (steps_indistinguishable e0' d0 dist _ le_n more le).
by move=> i lt; exact: U (steps i lt).
Qed.
End Bound.

(** What is accepted is true. *)
Theorem check_claim_sound (cert : certificate) (s : suggestion) : check_claim cert s -> assumed views cert -> holds views (stated cert).
Proof.
case: cert => c names; rewrite /check_claim /assumed /holds /=.
case: s => [h|h p]; case: names => [|rule [|groups [|? ?]]] //.
  by case: (claim_group c) => // h' [about_rule about_interplay]; exact: (check_bound_sound about_rule about_interplay h').
case/andP=> /andP[_ /negP far] checked [about_rule about_interplay].
have near := check_bound_sound about_rule about_interplay.
have step (P : R -> Prop) (P' : R -> Prop) epsilon : (forall e, P e -> P' e) -> at_epsilon epsilon P ->
    at_epsilon epsilon (fun e => if claim_group c is xH then P e else P' e).
  by move=> PP; case: epsilon => [e|] /=; case: (claim_group c) far => // *; apply: PP.
move: checked; case K: (claim_kind c) => //.
  case/andP=> /near U G; case E: (claim_epsilon c) => [e|]; last by move: G; rewrite /check_groups E.
  have {}G := check_groups_sound E K G U; rewrite /at_epsilon.
  by move: far G; case: (claim_group c).
by move=> /near; apply: step => e; rewrite /holds_near /holds_far K => ?; apply: rule_group_privacy_lower_mixed => //;
  apply/ssrnat.ltP/Pos2Nat.is_pos.
Qed.

Theorem check_certificate_sound bytes s : check_certificate bytes s ->
  exists c, read bytes = Some c /\ (assumed views c -> holds views (stated c)).
Proof.
rewrite /check_certificate; case: (read bytes) => [c|] // h; exists c; split=> //.
by elim: s h => //= s rest IH /orP[/check_claim_sound|/IH].
Qed.
End Soundness.
