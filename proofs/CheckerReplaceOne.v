(** The verified checker: workloads where one row replaces another (SPEC, section 8).

    [check_two_rows] and [check_replace_colouring] are the two reductions, for queries that are given
    by (epsilon, delta), by mu or by rho: what is proved of the ledger that they accept as concluded
    holds of the workload. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures Comparisons CheckerClosed
  CheckerNotions RulesGaussian Workloads RulesWorkloads RulesMixedWorkloads
  OrderOfWorkloads CheckerWorkloads CheckerWorkloadsSound CheckerMixedWorkloads ReplaceOne.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition check_two_rows (f : effort) (m : mixed_subject) (w : workload parameter) (x x' : seq Z) :
    bool :=
  let met q := satisfied (clauses q) x || satisfied (clauses q) x' in
  [&& all (fun q => parameter_ok f (approximates m) (privacy q)) (queries w),
      in_domain (sizes w) x, in_domain (sizes w) x', ~~ all2 Z.eqb x x' &
      merged same_of times_of (listed m) [seq privacy q | q <- queries w & met q]].

(** The places of a query's class in the concluded ledger, listed one by one, and whether it is the
    query that the second place need not be enough for. *)
Record places := Places { at_first : nat; at_second : nat; is_top : bool }.

Section Placed.
Variables (A : Type) (at_least : A -> A -> bool) (greatest : seq A).

Definition fits_at (c : nat) (a : A) : bool :=
  if drop c greatest is b :: _ then at_least b a else false.

Definition fits_both (p : query A * places) : bool :=
  fits_at (at_first p.2) (privacy p.1) &&
  (is_top p.2 || fits_at (at_second p.2) (privacy p.1)).

Definition crossed (p p' : places) : bool :=
  Nat.eqb (at_first p) (at_second p') || Nat.eqb (at_first p') (at_second p).

(** Of one class, or with nothing in common. *)
Definition agreeing (p p' : query A * places) : bool :=
  ~~ crossed p.2 p'.2 &&
  (if Nat.eqb (at_first p.2) (at_first p'.2) then
     [&& Nat.eqb (at_second p.2) (at_second p'.2), ~~ (is_top p.2 && is_top p'.2) &
         disjoint (clauses p.1) (clauses p'.1)]
   else ~~ Nat.eqb (at_second p.2) (at_second p'.2)).

Definition placed (w : workload A) (ps : seq places) : bool :=
  let pairs := zip (queries w) ps in
  [&& Nat.eqb (size ps) (size (queries w)),
      all (fun q => all (fun c : clause => increasing (-1) c.2) (clauses q)) (queries w),
      all (fun p => ~~ crossed p.2 p.2 && (contradictory (clauses p.1) || fits_both p)) pairs &
      pairwise agreeing pairs].
End Placed.

Definition check_replace_colouring (f : effort) (m : mixed_subject) (w : workload parameter)
    (ps : seq places) : bool :=
  let s := approximates m in
  let es := enclosures (bits f) (terms f) (quotients s) in
  let greatest := flatten [seq nseq (Z.to_nat (times_of p)) p | p <- listed m] in
  subject_ok f s && placed (at_least_of f s es) greatest w ps.

(** The statements. *)
Section Statements.
Variables (s : subject) (w : workload parameter).
Definition replace_upper_of (epsilon delta : R) : Prop :=
  replace_upper (of_notion G) (satisfied_at parameter0 w) (notion_at s w) (numbers w) epsilon delta.
Definition replace_lower_of (epsilon delta : R) : Prop :=
  replace_lower (of_notion G) (satisfied_at parameter0 w) (notion_at s w) (numbers w) epsilon delta.
End Statements.

Theorem check_two_rows_sound f m w x x' epsilon delta : check_two_rows f m w x x' ->
  mixed_lower G (notions_of m) epsilon delta -> replace_lower_of (approximates m) w epsilon delta.
Proof.
case/and5P=> ok inside inside' differ /(merged_sound (@same_notion (approximates m))).
rewrite listed_notions => p low.
have ne : (exist _ x inside : row w) != exist _ x' inside'.
  apply: contra differ => /eqP[<-]; elim: {inside inside' p} x => //= z x ->.
  by rewrite Z.eqb_refl.
apply: (rule_two_rows G_of_equals ne) low.
  apply/allP => i; rewrite mem_iota add0n => im; apply: parameter_proper.
  exact: (all_nthP (Query parameter0 [::]) ok).
rewrite /notion_at; move: p; rewrite -map_comp.
by have -> := parameters_numbered parameter0 w (notion_of (approximates m))
  (fun cs => satisfied cs x || satisfied cs x').
Qed.

Section PlacedSound.
Variables (A : Type) (a0 : A) (at_least : A -> A -> bool) (greatest : seq A) (w : workload A).
Variable ps : seq places.
Hypothesis ok : placed at_least greatest w ps.
Let p0 := Places 0 0 false.
Let at_ i := nth p0 ps i.
Let first i := at_first (at_ i).
Let second i := at_second (at_ i).

Let pair_at i : (i < size (queries w))%N ->
  nth (Query a0 [::], p0) (zip (queries w) ps) i = (query_at a0 w i, at_ i).
Proof. by case/and4P: ok => /PeanoNat.Nat.eqb_eq e _ _ _ _; rewrite nth_zip. Qed.

Let size_pairs : size (zip (queries w) ps) = size (queries w).
Proof. by case/and4P: ok => /PeanoNat.Nat.eqb_eq e _ _ _; rewrite size1_zip // e. Qed.

Let each i : i \in numbers w -> ~~ crossed (at_ i) (at_ i) /\
  (contradictory (clauses (query_at a0 w i)) ||
   fits_both at_least greatest (query_at a0 w i, at_ i)).
Proof.
rewrite mem_iota add0n /= => im; have /and4P[_ _ /(all_nthP (Query a0 [::], p0)) P _] := ok.
by have := P i; rewrite size_pairs => /(_ im); rewrite pair_at //= => /andP[].
Qed.

Let agree i j : i \in numbers w -> j \in numbers w -> (i < j)%N ->
  agreeing (query_at a0 w i, at_ i) (query_at a0 w j, at_ j).
Proof.
rewrite !mem_iota !add0n /= => im jm ij.
have /and4P[_ _ _ /(pairwiseP (Query a0 [::], p0)) P] := ok.
by have := P i j; rewrite !inE size_pairs => /(_ im jm ij); rewrite !pair_at.
Qed.

Let increasing_at i : i \in numbers w -> increasing_clauses (clauses (query_at a0 w i)).
Proof.
rewrite mem_iota add0n /= => im; have /and4P[_ W _ _] := ok.
exact: (all_nthP (Query a0 [::]) W).
Qed.

Lemma placed_apart : {in numbers w &, forall i j,
  [/\ first i = first j -> (first i, second i) = (first j, second j),
      second i = second j -> (first i, second i) = (first j, second j) & first i <> second j]}.
Proof.
have lt i j : i \in numbers w -> j \in numbers w -> (i < j)%N ->
    [/\ first i = first j -> second i = second j, second i = second j -> first i = first j,
        first i <> second j & first j <> second i].
  move=> iw jw ij; have := agree iw jw ij; rewrite /agreeing /crossed /= negb_or.
  rewrite -/(first i) -/(first j) -/(second i) -/(second j).
  case/andP=> /andP[/negP n1 /negP n2] h; split.
  - by move=> e; move: h; rewrite e PeanoNat.Nat.eqb_refl => /and3P[/PeanoNat.Nat.eqb_eq s _ _].
  - move=> e; move: h; rewrite e PeanoNat.Nat.eqb_refl /=.
    by case: (PeanoNat.Nat.eqb_spec (first i) (first j)).
  - by move=> e; apply: n1; rewrite e PeanoNat.Nat.eqb_refl.
  - by move=> e; apply: n2; rewrite e PeanoNat.Nat.eqb_refl.
move=> i j iw jw; case: (ltngtP i j) => [ij|ji|->].
- have [h1 h2 n _] := lt i j iw jw ij; split=> // e; first by rewrite (h1 e) e.
  by rewrite (h2 e) e.
- have [h1 h2 _ n] := lt j i jw iw ji.
  split=> // /esym e; first by rewrite (h1 e) e.
  by rewrite (h2 e) e.
- have [n _] := each jw; split=> // e; move: n.
  by rewrite /crossed -/(first j) -/(second j) e PeanoNat.Nat.eqb_refl.
Qed.

Lemma placed_disjoint : {in numbers w &, forall i j, i != j ->
  (first i, second i) = (first j, second j) ->
  forall x, ~~ (satisfied_at a0 w i x && satisfied_at a0 w j x)}.
Proof.
have lt i j x : i \in numbers w -> j \in numbers w -> (i < j)%N -> first i = first j ->
    ~~ (satisfied_at a0 w i x && satisfied_at a0 w j x).
  move=> iw jw ij e; have := agree iw jw ij; rewrite /agreeing /= -/(first i) -/(first j) e.
  rewrite PeanoNat.Nat.eqb_refl => /andP[_ /and3P[_ _ d]].
  by apply: disjoint_sound d; exact: increasing_at.
move=> i j iw jw; rewrite neq_ltn => /orP[ij|ji] [e _] x; first exact: lt.
by rewrite andbC; apply: lt.
Qed.

Lemma placed_one_top : {in numbers w &, forall i j, is_top (at_ i) -> is_top (at_ j) ->
  (first i, second i) = (first j, second j) -> i = j}.
Proof.
have lt i j : i \in numbers w -> j \in numbers w -> (i < j)%N -> is_top (at_ i) ->
    is_top (at_ j) -> first i = first j -> False.
  move=> iw jw ij ti tj e; have := agree iw jw ij; rewrite /agreeing /= -/(first i) -/(first j) e.
  by rewrite PeanoNat.Nat.eqb_refl ti tj => /andP[_ /and3P[]].
move=> i j iw jw ti tj [e _]; case: (ltngtP i j) => // ij; [case: (lt i j)|case: (lt j i)] => //.
Qed.

Lemma fits_at_sound c a : fits_at at_least greatest c a ->
  c \in iota 0 (size greatest) /\ at_least (nth a0 greatest c) a.
Proof.
rewrite /fits_at mem_iota add0n; case: (ltnP c (size greatest)) => [lt|ge]; last by rewrite drop_oversize.
by rewrite (drop_nth a0).
Qed.

Lemma placed_fits : {in numbers w, forall i x, satisfied_at a0 w i x ->
  (first i \in iota 0 (size greatest) /\
   at_least (nth a0 greatest (first i)) (privacy (query_at a0 w i))) /\
  (~~ is_top (at_ i) -> second i \in iota 0 (size greatest) /\
   at_least (nth a0 greatest (second i)) (privacy (query_at a0 w i)))}.
Proof.
move=> i iw x h; have [_] := each iw.
case/orP=> [/(contradictory_sound (val x))|]; first by rewrite -/(satisfied_at a0 w i x) h.
case/andP=> /fits_at_sound one two; split=> // /negPf t.
by move: two; rewrite /= t => /fits_at_sound.
Qed.
End PlacedSound.

Theorem check_replace_colouring_sound f m w ps epsilon delta :
  check_replace_colouring f m w ps ->
  any_order_upper (notions_of m) epsilon delta ->
  replace_upper_of (approximates m) w epsilon delta.
Proof.
case/andP=> ok h.
set greatest := flatten _ in h.
have -> : notions_of m = [seq notion_of (approximates m) p | p <- greatest].
  rewrite -listed_notions map_flatten -map_comp; congr flatten.
  by apply: eq_map => p; rewrite /= map_nseq.
have nth_in c p : c \in iota 0 (size greatest) /\ not_more p (notion_of (approximates m) (nth parameter0 greatest c)) ->
    c \in iota 0 (size [seq notion_of (approximates m) p | p <- greatest]) /\
    not_more p (nth (Concentrated 0) [seq notion_of (approximates m) p | p <- greatest] c).
  case=> c_in le; rewrite size_map; split=> //; move: c_in; rewrite mem_iota add0n => /andP[_ c_in].
  by rewrite (nth_map parameter0).
move=> up; pose p0 := Places 0 0 false.
apply: (rule_replace_colouring G_monotone
  (class := fun i => (at_first (nth p0 ps i), at_second (nth p0 ps i)))
  (top := fun i => is_top (nth p0 ps i)) (first := fst) (second := snd)) up.
- exact: iota_uniq.
- exact: iota_uniq.
- exact: placed_disjoint h.
- exact: (placed_one_top parameter0 h).
- exact: (placed_apart parameter0 h).
move=> i im x hx; have [[c le] two] := placed_fits h im hx; split.
  by apply: nth_in; split; last exact: at_least_of_sound ok le.
by move=> /two[c' le']; apply: nth_in; split; last exact: at_least_of_sound ok le'.
Qed.
