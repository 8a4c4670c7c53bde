(** Ledgers of mechanisms that are given by more than their noise: what a bound says of them.

    Correlated noise (SPEC, 7.7): a vector is released of which each entry is a row of a matrix C times what
    records contribute in each round, with normal noise.  A record takes part in some rounds, contributes
    there a vector of at most a given norm, and nothing elsewhere: whatever it contributes, and in whichever
    of the rounds that are possible, the release is that of two normal laws whose means are so far apart.

    What it contributes is fixed in advance.  By Denisov, McMahan, Rush, Smith & Thakurta (2022, Theorem 2.1)
    it may depend on what was released before; that is not formalised.

    Private selection is in PrivateSelection.v. *)
From Coq Require Import Reals Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures RulesGaussian NoiseLedgers PrivateSelection.
From ExactDP Require Import RulesMixedWorkloads CheckerMixedWorkloads DrawnBatches PersonInSample LocalReports.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- correlated noise --- *)

(** A matrix by its rows; beyond them it is 0. *)
Definition matrix := seq (seq R).

(** In which rounds a record may take part: some lists of rounds; or at most so many of all rounds, which are
    so far apart. *)
Inductive participation :=
| AmongLists of seq (seq nat)
| SoFarApart of nat & nat & nat.   (* rounds in all, at most, apart *)
Definition takes_part (p : participation) (pi : seq nat) : Prop :=
  match p with
  | AmongLists pis => pi \in pis
  | SoFarApart rounds most apart =>
      [/\ (size pi <= most)%N, all (fun j => j < rounds)%N pi & sorted (fun i j => i + apart <= j)%N pi]
  end.

(** The square of how far C moves what is contributed in these rounds, vectors of d numbers. *)
Definition moved (C : matrix) (pi : seq nat) (d : nat) (u : nat -> 'I_d -> R) : R :=
  \sum_(row <- C) \sum_k (\sum_(j <- pi) row`_j * u j k) ^+ 2.

(** --- what a mechanism is --- *)

Inductive mechanism :=
| ByNoise of noise
| Correlated of matrix & participation & R & R   (* the norm of what is contributed; the variance of the noise *)
| DrawnBatch of sides & R & nat & nat            (* the deviation of the noise, the size of a batch, all records *)
| ReplacedInSum of R & R & R                     (* the deviation, the norm of what is contributed, the rate *)
| Selected of R & R & R & nat                    (* eta, gamma; the epsilon of what is run, and how often a run has it *)
| PersonSampled of R & R & nat                   (* mu, the rate, the records of a person *)
| Reported of R & nat                             (* shuffled reports: the odds, and how many *)
| Responded of R & nat & nat.                     (* of randomized response: the odds, the values, and how many *)

Definition is_mechanism (m : mechanism) (Y : finType) (P Q : Y -> R) : Prop :=
  match m with
  | ByNoise n => has_noise n P Q
  | Correlated C p reach v =>
      exists (pi : seq nat) (d : nat) (u : nat -> 'I_d -> R),
      [/\ takes_part p pi, forall j, \sum_k u j k ^+ 2 <= reach ^+ 2 &
          has_noise (OfNotion (Gaussian (Num.sqrt (moved C pi u / v)))) P Q]
  | DrawnBatch s deviation size records =>
      [/\ distribution P, distribution Q & told_of_batches s deviation 1 size records P Q]
  | ReplacedInSum deviation reach q =>
      [/\ distribution P, distribution Q & told_of_sample deviation reach q P Q]
  | Selected eta gamma epsilon n => is_selection eta gamma epsilon n P Q
  | PersonSampled mu q most => [/\ distribution P, distribution Q & told_of_person mu q most P Q]
  | Reported E n => [/\ distribution P, distribution Q & told_of_reports E n P Q]
  | Responded E k n => [/\ distribution P, distribution Q & told_of_responses E k n P Q]
  end.

(** Each mechanism may depend on the answers before, and they may come in any order. *)
Inductive mechanisms_in_turn : seq mechanism -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| NoMechanism : mechanisms_in_turn [::] (fun _ : unit => 1) (fun _ : unit => 1)
| OneMore m ms (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    is_mechanism m P Q -> (forall y, mechanisms_in_turn ms (P' y) (Q' y)) ->
    mechanisms_in_turn (m :: ms) (fun p : Y * Z => P p.1 * P' p.1 p.2)
                                 (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
Definition mechanisms_upper (ms : seq mechanism) (epsilon delta : R) : Prop :=
  forall ms', Permutation ms ms' -> forall (Y : finType) (P Q : Y -> R),
  mechanisms_in_turn ms' P Q -> indistinguishable (exp epsilon) delta P Q.
Definition mechanisms_lower (ms : seq mechanism) (epsilon delta : R) : Prop :=
  exists ms', Permutation ms ms' /\ exists (Y : finType) (P Q : Y -> R),
  mechanisms_in_turn ms' P Q /\ ~ indistinguishable (exp epsilon) delta P Q.

(** --- noise that stands in for a mechanism --- *)

(** From above: whatever it is has this noise.  From below: what has this noise is such a mechanism. *)
Definition has_at_most (x : mechanism * noise) : Prop :=
  forall (Y : finType) (P Q : Y -> R), is_mechanism x.1 P Q -> has_noise x.2 P Q.
Definition has_at_least (x : mechanism * noise) : Prop :=
  forall (Y : finType) (P Q : Y -> R), has_noise x.2 P Q -> is_mechanism x.1 P Q.

Lemma in_turn_at_most (xs : seq (mechanism * noise)) (Y : finType) (P Q : Y -> R) :
  (forall x, List.In x xs -> has_at_most x) -> mechanisms_in_turn (map fst xs) P Q ->
  noisy_composition (map snd xs) P Q.
Proof.
move=> + C; move e: (map fst xs) C => ms C.
elim: C xs e => {ms Y P Q} [|m ms Y Z P Q P' Q' h _ IH] [|x xs] //= e H; first exact: NoisyNil.
case: e => e1 e2; apply: NoisyCons => [|y].
  by apply: (H x); [left|rewrite e1].
by apply: IH => // x' i; apply: H; right.
Qed.

Lemma in_turn_at_least (xs : seq (mechanism * noise)) (Y : finType) (P Q : Y -> R) :
  (forall x, List.In x xs -> has_at_least x) -> noisy_composition (map snd xs) P Q ->
  mechanisms_in_turn (map fst xs) P Q.
Proof.
move=> + C; move e: (map snd xs) C => ns C.
elim: C xs e => {ns Y P Q} [|n ns Y Z P Q P' Q' h _ IH] [|x xs] //= e H; first exact: NoMechanism.
case: e => e1 e2; apply: OneMore => [|y].
  by apply: (H x); [left|rewrite e1].
by apply: IH => // x' i; apply: H; right.
Qed.

Theorem stands_in_above (xs : seq (mechanism * noise)) ns epsilon delta :
  (forall x, List.In x xs -> has_at_most x) -> Permutation (map snd xs) ns ->
  noisy_upper ns epsilon delta -> mechanisms_upper (map fst xs) epsilon delta.
Proof.
move=> H p up ms' q Y P Q C.
have [xs' [e q']] := Permutation_map_inv _ _ (Permutation_sym q); rewrite e in C.
apply: (up (map snd xs')); last first.
  apply: in_turn_at_most C => x i; apply: H.
  exact: Permutation_in (Permutation_sym q') i.
exact: Permutation_trans (Permutation_sym p) (Permutation_map _ q').
Qed.

Theorem stands_in_below (xs : seq (mechanism * noise)) ns epsilon delta :
  (forall x, List.In x xs -> has_at_least x) -> Permutation (map snd xs) ns ->
  noisy_lower ns epsilon delta -> mechanisms_lower (map fst xs) epsilon delta.
Proof.
move=> H p [ns' [q [Y [P [Q [C n]]]]]].
have [xs' [e q']] := Permutation_map_inv _ _ (Permutation_sym (Permutation_trans p q)); rewrite e in C.
exists (map fst xs'); split; first exact: Permutation_map.
exists Y, P, Q; split=> //; apply: in_turn_at_least C => x i; apply: H.
exact: Permutation_in (Permutation_sym q') i.
Qed.

(** --- a root that is rounded --- *)

Lemma gaussian_rounded (mu m : R) (Y : finType) (P Q : Y -> R) : 0 <= mu <= m ->
  has_noise (OfNotion (Gaussian mu)) P Q -> has_noise (OfNotion (Gaussian m)) P Q.
Proof.
move=> le [dP dQ h]; split=> //.
exact: (@of_notion_weaker G G_monotone (Gaussian mu) (Gaussian m) Y P Q le h).
Qed.

Lemma sampled_rounded (q mu m : R) (Y : finType) (P Q : Y -> R) : 0 < q -> 0 <= mu <= m ->
  has_noise (OfSample WithRecord q (NormalCurve mu)) P Q -> has_noise (OfSample WithRecord q (NormalCurve m)) P Q.
Proof.
move=> q0 /andP[m0 mm] [dP dQ h]; split=> // y y0; apply: le_trans (h y y0) _; rewrite /sampled_curve.
by case: ifP => // _; rewrite ler_pmul2l //; exact: G_monotone.
Qed.

Lemma root_above (v m : R) : 0 <= v -> 0 <= m -> v <= m ^+ 2 -> 0 <= Num.sqrt v <= m.
Proof. by move=> v0 m0 le; rewrite sqrtr_ge0 -[X in _ <= X]ger0_norm // -sqrtr_sqr ler_wsqrtr. Qed.
Lemma root_below (v m : R) : 0 <= m -> m ^+ 2 <= v -> 0 <= m <= Num.sqrt v.
Proof. by move=> m0 le; rewrite m0 -[X in X <= _]ger0_norm // -sqrtr_sqr ler_wsqrtr. Qed.

(** --- how far a record moves what is released --- *)

Lemma product_below (d : nat) (a b : 'I_d -> R) (c : R) : \sum_k a k ^+ 2 <= c -> \sum_k b k ^+ 2 <= c ->
  `|\sum_k a k * b k| <= c.
Proof.
move=> ha hb; have n2 : 0 < 2%:R :> R by rewrite ltr0n.
have sq (x y : R) : 0 <= (x + y) ^+ 2 by exact: sqr_ge0.
have both (s : R) : s ^+ 2 = 1 -> s * (\sum_k a k * b k) <= c.
  move=> s1; rewrite -(ler_pmul2l n2); apply: (@le_trans _ _ (\sum_k a k ^+ 2 + \sum_k b k ^+ 2)); last first.
    by rewrite mulr_natl mulr2n; apply: ler_add.
  rewrite -big_split mulr_sumr mulr_sumr; apply: ler_sum => k _ /=.
  have : 0 <= (a k - s * b k) ^+ 2 by exact: sqr_ge0.
  have -> : (a k - s * b k) ^+ 2 = a k ^+ 2 + s ^+ 2 * b k ^+ 2 - 2%:R * (s * (a k * b k)) by ring.
  by rewrite s1 mul1r subr_ge0.
rewrite ler_norml; apply/andP; split; last by have := both 1 (expr1n _ _); rewrite mul1r.
by have := both (-1); rewrite sqrrN expr1n mulN1r ler_oppl; exact.
Qed.

(** An entry of C^T C. *)
Definition gram (C : matrix) (i j : nat) : R := \sum_(row <- C) row`_i * row`_j.

Lemma moved_gram C pi d (u : nat -> 'I_d -> R) :
  moved C pi u = \sum_(i <- pi) \sum_(j <- pi) gram C i j * (\sum_k u i k * u j k).
Proof.
transitivity (\sum_(row <- C) \sum_(i <- pi) \sum_(j <- pi) row`_i * row`_j * (\sum_k u i k * u j k)).
  apply: eq_bigr => row _.
  transitivity (\sum_k \sum_(i <- pi) \sum_(j <- pi) (row`_i * u i k) * (row`_j * u j k)).
    by apply: eq_bigr => k _; rewrite expr2 mulr_suml; apply: eq_bigr => i _; rewrite mulr_sumr.
  rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => j _ /=.
  by rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrACA.
rewrite exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => j _ /=.
by rewrite /gram mulr_suml.
Qed.

Theorem moved_at_most C pi d (u : nat -> 'I_d -> R) reach : (forall j, \sum_k u j k ^+ 2 <= reach ^+ 2) ->
  moved C pi u <= (\sum_(i <- pi) \sum_(j <- pi) `|gram C i j|) * reach ^+ 2.
Proof.
move=> U; rewrite moved_gram mulr_suml; apply: ler_sum => i _; rewrite mulr_suml; apply: ler_sum => j _.
apply: le_trans (ler_norm _) _; rewrite normrM; apply: ler_wpmul2l; first exact: normr_ge0.
exact: product_below.
Qed.

(** In one coordinate, with signs. *)
Lemma moved_with_signs C pi (s : nat -> R) :
  moved C pi (fun j (_ : 'I_1) => s j) = \sum_(row <- C) (\sum_(j <- pi) row`_j * s j) ^+ 2.
Proof. by apply: eq_bigr => row _; rewrite big_ord1. Qed.

Lemma moved_ge0 C pi d (u : nat -> 'I_d -> R) : 0 <= moved C pi u.
Proof. by apply: sumr_ge0 => row _; apply: sumr_ge0 => k _; exact: sqr_ge0. Qed.
