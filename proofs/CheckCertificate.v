(** [check_claim]: if it accepts what a certificate states of a ledger, and the rules that it names,
    the statement is true.

    A certificate is checked for itself: [suggestion]s cannot make a false statement accepted. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions NotionsTrivial Failures RulesGaussian.
From ExactDP Require Import RulesConcentrated RulesGroupsMixed RulesPair Powers Moments.
From ExactDP Require Import Comparisons CheckerClosed CheckerNotions CheckerGaussian CheckerConcentrated.
From ExactDP Require Import CheckerConcentratedTheorems CheckerGroups CheckerGroupsTheorems RulesGroups.
From ExactDP Require Import Ratios.
From ExactDP Require Import ConcurrentTheorems ConcurrentAttainment ConcurrentGroups InteractiveDomination.
From ExactDP Require Concurrent.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateChecks CertificateGroups CertificateTheorems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the check --- *)

(** From a bound for neighbours to one for groups: what the premise states, and what is suggested. *)
Record path_hint := PathHint {
  near_epsilon : number; near_delta : ratio;
  far_effort : effort; far_numbered : numbering; most_powers : Z; odds_above : Z
}.

(** What the mechanisms are for groups. *)
Record enlarging := Enlarging {
  wide_effort : effort; wide_numbered : numbering; most_odds : Z; enlarged_by : seq enlargement
}.

Inductive suggestion :=
| Directly of hint
| ForGroups of hint & path_hint
| ForMechanisms of hint & enlarging.

Section Check.
Variable c : claim.
Let M := claim_mechanisms c.

(** A bound for neighbours. *)
Definition check_bound (rule : string) (h : hint) (epsilon : option number) (delta : ratio) : bool :=
  let: Hint f k t := h in
  may_try rule t && permitted rule c &&
  if subject_from k M is Some m then
    let a := delta.1 in let b := Zpos delta.2 in
    let lawful := if claim_interplay c is Concurrent then mixed_ok f m else true in
    match epsilon, claim_kind c with
    | Some e, Upper =>
        if combination_of k e is Some x then
          if claim_interplay c is Concurrent then
            mixed_ok f m && shows_upper f m a b t x
          else shows_upper f m a b t x
        else false
    | Some e, Lower => if combination_of k e is Some x then lawful && shows_lower f m a b t x else false
    | None, Lower => lawful && shows_infeasible f m a b t
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

(** The same claim about neighbours, for what the mechanisms are for groups. *)
Definition of_wide (c : claim) (w : enlarging) : claim :=
  let: Claim k e d g i theorem M := c in Claim k e d xH i theorem (for_path g M (enlarged_by w)).

Definition check_wide (c : claim) (w : enlarging) : bool :=
  check_for_path (wide_effort w) (wide_numbered w) (claim_group c) (most_odds w) (claim_mechanisms c)
    (enlarged_by w).

Definition check_claim (cl : claim) (names : seq string) (s : suggestion) : bool :=
  match s, names with
  | Directly h, [:: rule] =>
      if claim_group cl is xH then check_bound cl rule h (claim_epsilon cl) (claim_delta cl) else false
  | ForGroups h p, [:: rule; groups] =>
      String.eqb groups "group" && negb (Pos.eqb (claim_group cl) 1) &&
      match claim_kind cl with
      | Upper => check_bound cl rule h (Some (near_epsilon p)) (near_delta p) && check_groups cl p
      | Lower => check_bound cl rule h (claim_epsilon cl) (claim_delta cl)
      | Underivable => false
      end
  | ForMechanisms h w, [:: rule; groups] =>
      String.eqb groups "group" && negb (Pos.eqb (claim_group cl) 1) &&
      match claim_kind cl with
      | Upper => check_bound (of_wide cl w) rule h (claim_epsilon cl) (claim_delta cl) && check_wide cl w
      | _ => false
      end
  | _, _ => false
  end.

(** --- soundness --- *)

Section Soundness.
(** What the divergences of a concurrent composition give (SPEC, 11.14). *)
Lemma none_above_0_trivial (n : ratio -> notion) s : (forall r, of_ratio r = 0 -> trivial (n r)) ->
  none_above_0 s -> all of_first_notion (repeated n s).
Proof.
move=> H; rewrite /none_above_0 /repeated; elim: s => //= x s IH /andP[/Z.eqb_eq e /IH {}IH].
rewrite all_cat IH andbT all_nseq; apply/orP; right.
have t : trivial (n x.1) by apply: H; rewrite /of_ratio /fraction e mul0r.
by case: (n _) t.
Qed.

(** Where no mu or rho is above 0, all mechanisms are given by epsilon and delta. *)
Lemma first_notion_pairs M : first_notion M -> all of_first_notion (notions M).
Proof.
case/andP=> hm hr; rewrite /notions !all_cat; apply/and3P; split.
- by rewrite /repeated; elim: (of_epsilon M) => //= x s IH; rewrite all_cat IH andbT all_nseq orbT.
- by apply: none_above_0_trivial hm => x /= ->; rewrite eqxx.
- by apply: none_above_0_trivial hr => x /= ->; rewrite eqxx.
Qed.

Lemma In_repeated (A : Type) (n : A -> notion) (s : seq (A * Z)) m (p : notion -> Prop) :
  List.In m (repeated n s) -> List.Forall (fun x => p (n x.1)) s -> p m.
Proof.
move=> + H; rewrite /repeated; elim: H => //= x s' px _ IH i.
case: (List.in_app_or _ _ _ i) => [|/IH //]; by elim: (Z.to_nat _) => //= k IHk [<- //|/IHk].
Qed.

Lemma pure_failure M m : pure M -> List.In m (notions M) -> failure m = 0.
Proof.
move=> h i0; have [i|i1] := List.in_app_or _ _ _ i0; last have [i|i] := List.in_app_or _ _ _ i1.
all: apply: (In_repeated (p := fun m => failure m = 0) i).
- move: h; rewrite /pure; elim: (of_epsilon M) => [|x s IH] /=; first by constructor.
  by case/andP=> /Z.eqb_eq e /IH; constructor=> //; rewrite /of_ratio /fraction e mul0r.
- by elim: (of_mu M) => [|x s IH]; constructor.
- by elim: (of_rho M) => [|x s IH]; constructor.
Qed.

Lemma concurrently_by_moments M (a epsilon delta : R) : pure M -> all proper_notion (notions M) -> 1 < a -> 0 < delta ->
  \sum_(n <- notions M) log_moment a n + (1 - a) * epsilon + log_conversion a <= ln delta ->
  concurrently (notions M) epsilon delta.
Proof.
move=> pureM W a1 d0 h Y P Q V; have [dP dQ] := views_distribution V.
have [m1 m2] := concurrent_moments a1 W (fun n => pure_failure pureM) V.
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
  move=> h; apply: (big_repeated (F := fun n => 1 - failure n)).
  by apply: sub_all h => x /eqP ->; rewrite subr0.
rewrite /mixed_kept /notions !big_cat /=.
rewrite (one _ _ (of_epsilon M)) ?(one _ _ (of_mu M)) ?(one _ _ (of_rho M)) ?mulr1 //.
- by elim: (of_rho M) => //= y l ->; rewrite eqxx.
- by elim: (of_mu M) => //= y l ->; rewrite eqxx.
- by apply: sub_all pureM => y /Z.eqb_eq y0; rewrite /= /of_ratio /fraction y0 mul0r.
Qed.

Section Divergences.
Variables (f : effort) (m : mixed_subject) (M : mechanisms) (a b : Z) (x : combination).
Hypotheses (e : notions_of m = notions M) (pureM : pure M).
Let delta := fraction a b.
Let epsilon := real (approximates m) x.

Lemma renyi_concurrently w o : check_renyi f w m o x a b -> concurrently (notions M) epsilon delta.
Proof.
case/check_renyi_shows; rewrite e pure_slack // => W a1 d0 h.
exact: (concurrently_by_moments pureM W a1 d0 h).
Qed.

End Divergences.

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

(** Where no rho is above 0, a bound of all adaptive compositions holds of concurrent ones. *)
Lemma carried_over epsilon delta : none_above_0 (of_rho M) -> all proper_notion (notions M) ->
  mixed_upper G (notions M) epsilon delta -> concurrently (notions M) epsilon delta.
Proof.
move=> none W U Y P Q; apply: concurrent_upper => //; rewrite /notions !all_cat; apply/and3P; split.
- by rewrite /repeated; elim: (of_epsilon M) => //= x s IH; rewrite all_cat IH andbT all_nseq orbT.
- by rewrite /repeated; elim: (of_mu M) => //= x s IH; rewrite all_cat IH andbT all_nseq orbT.
move: none; rewrite /none_above_0 /repeated; elim: (of_rho M) => //= x s IH /andP[/Z.eqb_eq e /IH few].
by rewrite all_cat few andbT all_nseq /= /of_ratio /fraction e mul0r eqxx orbT.
Qed.

(** A concurrent composition, by the family of the rule. *)
Lemma upper_concurrently f m x a b : notions_of m = notions M -> mixed_ok f m ->
  claim_kind c = Upper -> claim_interplay c = Concurrent -> may_try rule (tried h) -> permitted rule c ->
  shows_upper f m a b (tried h) x ->
  concurrently (notions M) (real (approximates m) x) (fraction a b).
Proof.
move=> e ok isUpper isConcurrent may allowed shown.
have W : all proper_notion (notions M) by rewrite -e; exact: (notions_proper ok).
have U := shows_upper_sound shown.
move: allowed; rewrite /permitted isUpper isConcurrent -/M.
case E: (found rule rules) => [[own fam]|] // cov.
have carry : carries_bounds fam -> concurrently (notions M) (real (approximates m) x) (fraction a b).
  have U' : mixed_upper G (notions M) (real (approximates m) x) (fraction a b) by rewrite -e.
  case: (boolP (none_above_0 (of_rho M))) => [none _|some]; first exact: (carried_over none W U').
  have F1 : first_notion M = false by rewrite /first_notion (negbTE some) andbF.
  by case: fam E cov => // E; rewrite /carried ?F1 ?(negbTE some) ?andbF.
have certain : fraction a b = 1 -> concurrently (notions M) (real (approximates m) x) (fraction a b).
  move=> -> Y P Q V; have [dP dQ] := views_distribution V.
  by split; apply/events_hockey_stick; apply: hockey_stick_le1 => //; exact: ltW (exp_gt0 _).
have divergences : of_divergences fam -> pure M by case: fam E cov {carry} => // E /andP[_ ->].
have usual names : among rule names ->
    all (fun n => if found n rules is Some (_, f) then carries_bounds f else true) names ->
    concurrently (notions M) (real (approximates m) x) (fraction a b).
  by move=> w ok'; apply: carry; exact: (family_of w E ok').
have by_divergences names : among rule names ->
    all (fun n => if found n rules is Some (_, f) then of_divergences f else true) names ->
    pure M.
  by move=> w ok'; apply: divergences; exact: (family_of w E ok').
case: (tried h) shown may; rewrite /shows_upper /may_try; try by move=> *; apply: usual; first eassumption.
- by case/and3P=> _ /Z.ltb_lt b0 /Z.eqb_eq eb _; apply: certain; rewrite /fraction eb divff // gt_eqF //
    (IZR_lt_iff Z0); apply/Z.ltb_lt.
- by move=> w o shown' r; have pureM := by_divergences _ r isT;
    exact: (renyi_concurrently e pureM shown').
Qed.

(** What breaks adaptively breaks concurrently too. *)
Lemma lower_near f m e d : notions_of m = notions M -> claim_kind c = Lower ->
  (if claim_interplay c is Concurrent then mixed_ok f m else true) ->
  mixed_lower G (notions M) e d -> holds_near c e d.
Proof.
move=> same K; rewrite /holds_near K; case: (claim_interplay c) => // ok; apply: concurrent_lower.
by rewrite -same; exact: (notions_proper ok).
Qed.

Theorem check_bound_sound epsilon delta : check_bound c rule h epsilon delta ->
  at_epsilon epsilon (fun e => holds_near c e (of_ratio delta)).
Proof.
rewrite /check_bound; case E: h => [f k t] /andP[/andP[may allowed]].
case S: (subject_from k M) => [m|] //; have same := subject_from_sound S.
have D : fraction delta.1 (Zpos delta.2) = of_ratio delta by [].
case: epsilon => [e|]; last first.
  case K: (claim_kind c) => // /andP[ok shown] e; apply: (lower_near same K ok); rewrite -same.
  exact: (shows_infeasible_sound shown).
case K: (claim_kind c); case X: (combination_of k e) => [x|] //;
  rewrite /at_epsilon -(subject_from_real S X).
- rewrite /holds_near K; case I: (claim_interplay c); [move=> shown|case/andP=> okay shown].
  + by rewrite -same; exact: shows_upper_sound shown.
  by apply: (upper_concurrently same okay K I); rewrite ?E.
- by case/andP=> ok shown; apply: (lower_near same K ok); rewrite -same; exact: (shows_lower_sound shown).
rewrite /holds_near K; case T: (shows_underivable _ _ _ _ _ _) => [theorem|] // /String.eqb_eq <-.
by rewrite -same; exact: shows_underivable_sound T.
Qed.

(** The step to groups, where the bound for neighbours is that of the hint. *)
Lemma check_groups_sound p e : claim_epsilon c = Some e -> claim_kind c = Upper -> check_groups c p ->
  holds_near c (value_of (near_epsilon p)) (of_ratio (near_delta p)) ->
  holds_far c (value_of e) (of_ratio (claim_delta c)).
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
exact: concurrent_group_privacy U e0' d0 more le.
Qed.
End Bound.

(** Groups by a path of neighbours. *)
Lemma check_far_sound c rule h p : ~ Pos.eqb (claim_group c) 1 ->
  match claim_kind c with
  | Upper => check_bound c rule h (Some (near_epsilon p)) (near_delta p) && check_groups c p
  | Lower => check_bound c rule h (claim_epsilon c) (claim_delta c)
  | Underivable => false
  end -> holds_of_ledger c.
Proof.
move=> far checked; rewrite /holds_of_ledger.
have near := @check_bound_sound c rule h.
have step (P : R -> Prop) (P' : R -> Prop) epsilon : (forall e, P e -> P' e) -> at_epsilon epsilon P ->
    at_epsilon epsilon (fun e => if claim_group c is xH then P e else P' e).
  by move=> PP; case: epsilon => [e|] /=; case: (claim_group c) far => // *; apply: PP.
move: checked; case K: (claim_kind c) => //.
  case/andP=> /near U G; case E: (claim_epsilon c) => [e|]; last by move: G; rewrite /check_groups E.
  have {}G := check_groups_sound E K G U; rewrite /at_epsilon.
  by move: far G; case: (claim_group c).
have g0 : (0 < Pos.to_nat (claim_group c))%N by apply/ssrnat.ltP/Pos2Nat.is_pos.
move=> /near; apply: step => e; rewrite /holds_near /holds_far K; case: (claim_interplay c) => low.
  exact: rule_group_privacy_lower_mixed low g0.
exact: concurrent_group_lower g0 low.
Qed.

(** The bound for groups that one for their mechanisms gives. *)
Lemma check_wide_sound c rule h w : claim_kind c = Upper ->
  check_bound (of_wide c w) rule h (claim_epsilon c) (claim_delta c) ->
  check_wide c w ->
  at_epsilon (claim_epsilon c) (fun e => holds_far c e (of_ratio (claim_delta c))).
Proof.
rewrite /check_wide; case: c => k e d g i theorem M /= -> bound.
move=> /check_for_path_sound[W F].
have near := check_bound_sound bound; case: e near {bound} => [e|] near.
  by case: i near => near; [exact: rule_group_mechanisms_mixed W F near|exact: concurrent_group_mechanisms W F near].
move=> e; have := near e; case: i {near} => near; first exact: rule_group_mechanisms_mixed W F near.
exact: concurrent_group_mechanisms W F near.
Qed.

(** What is accepted is true. *)
Theorem check_claim_sound (c : claim) (names : seq string) (s : suggestion) :
  check_claim c names s -> holds_of_ledger c.
Proof.
rewrite /check_claim /holds_of_ledger /=.
case: s => [h|h p|h w].
- case: names => [|rule [|? ?]] //; case: (claim_group c) => // h'.
  exact: (check_bound_sound h').
- case: names => [|rule [|groups [|? ?]]] //.
  by case/andP=> /andP[_ /negP far] checked; exact: check_far_sound checked.
case: names => [|rule [|groups [|? ?]]] // /andP[/andP[_ /negP far]].
case K: (claim_kind c) => // /andP[bound wide]; have := check_wide_sound K bound wide.
rewrite /at_epsilon; case: (claim_epsilon c) => [e|] h'; first by move: far h'; case: (claim_group c).
by move=> e; have := h' e; move: far; case: (claim_group c).
Qed.
End Soundness.
