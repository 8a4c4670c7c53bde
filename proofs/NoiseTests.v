(** Ledgers of mechanisms that are given by their noise (SPEC, 7.1 and 11.6): what a bound from below
    says of them, and a test that shows one.

    Some mechanisms with the noise that the entries name are told apart: those given by epsilon and
    delta, mu or rho do as badly as their formula says (GaussianAttainment.v), and beside them stand
    mechanisms whose laws are tables ([drawn]), as many as there are.  Each row of a table has a score,
    a natural number; any event of the sum of the scores, that it is at least a threshold for one, is a
    test ([noise_test]). *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Losses Bracket Reals Rules Notions.
From ExactDP Require Import Failures RulesGaussian CellsOfNormal GaussianComposition GaussianAttainment.
From ExactDP Require Import NormalCurve RulesNoiseRenyi NoiseLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The table's own laws are those of a mechanism with this noise. *)
Definition drawn (n : noise) (t : seq (R * R)) : Prop := has_noise n (@law_with t) (@law_without t).

(** Rows with a score. *)
Definition scored := seq (R * R * nat).
Definition unscored (l : scored) : seq (R * R) := [seq x.1 | x <- l].
Notation over := (@total [realFieldType of R] [eqType of nat] addn 0%N).

Lemma noisy_notions ms (Y : finType) (P Q : Y -> R) :
  mixed_composition G ms P Q -> noisy_composition [seq OfNotion m | m <- ms] P Q.
Proof.
elim=> [|n {}ms {}Y Z {}P {}Q P' Q' h _ IH]; first exact: NoisyNil.
by apply: NoisyCons => //; case: (h).
Qed.

Lemma sum_of_table (F : R -> R -> R) t :
  \sum_(z : 'I_(size t)) F (law_with z) (law_without z) = \sum_(x <- t) F x.1 x.2.
Proof. by rewrite (big_tnth _ _ t). Qed.

Section Attained.
Variables (ms : seq notion) (ds : seq (noise * scored)).
Hypothesis proper : all proper_notion ms.
Hypothesis laws : List.Forall (fun d => drawn d.1 (unscored d.2)) ds.
Let lists := unzip2 ds.

(** The formula, at each choice of one row of each table. *)
Definition attained_over (F : R -> R -> R) (ls : seq scored) (a b : R) : R :=
  over ls (fun p q _ => F (a * p) (b * q)).

Lemma tables_attain (tau : R) : 0 < tau -> exists (Y : finType) (P Q : Y -> R),
  noisy_composition (unzip1 ds ++ [seq OfNotion m | m <- ms]) P Q /\ forall a b : R, 0 <= a -> 0 <= b ->
  attained_over (attained ms) lists a b <= hockey_stick a b P Q + tau * (a + b).
Proof.
move=> t0; rewrite /lists; elim: laws => [|[n l] ds' [dP dQ h] _ [Z [P' [Q' [C IH]]]]].
  have [Y [P [Q [C h]]]] := composition_attains proper t0; exists Y, P, Q; split.
    exact: noisy_notions.
  by move=> a b a0 b0; rewrite /attained_over /= !mulr1; exact: h.
exists _, (fun p => @law_with (unscored l) p.1 * P' p.2), (fun p => @law_without (unscored l) p.1 * Q' p.2).
split; first exact: (@NoisyCons n _ _ Z _ _ (fun=> P') (fun=> Q')).
move=> a b a0 b0; rewrite (hockey_stick_product _ _ (fun=> P') (fun=> Q')).
have [[P0 P1] [Q0 Q1]] := (dP, dQ).
have -> : attained_over (attained ms) (unzip2 ((n, l) :: ds')) a b =
    \sum_(z : 'I_(size (unscored l))) attained_over (attained ms) (unzip2 ds') (a * law_with z) (b * law_without z).
  rewrite (sum_of_table (fun p q => attained_over _ _ (a * p) (b * q))) big_map /attained_over /=.
  by apply: eq_bigr => x _; apply: eq_total => p q _; rewrite !mulrA.
apply: le_trans (ler_sum _ (fun z _ => IH _ _ (mulr_ge0 a0 (P0 z)) (mulr_ge0 b0 (Q0 z)))) _.
by rewrite big_split /= -mulr_sumr big_split /= -!mulr_sumr P1 Q1 !mulr1.
Qed.

Lemma laws_sum : nonnegative lists /\ over lists (fun p _ _ => p) = 1 /\ over lists (fun _ q _ => q) = 1.
Proof.
rewrite /lists; elim: laws => [|[n l] ds' [[P0 P1] [Q0 Q1] _] _ [IH [IHp IHq]]] //=.
have row x : x \in l -> 0 <= x.1.1 /\ 0 <= x.1.2.
  move=> xl; have /tnthP[z e] : x.1 \in in_tuple (unscored l) by exact: map_f.
  by rewrite e; split; [exact: P0|exact: Q0].
split; first by rewrite IH andbT; apply/allP => x /row[p0 q0]; rewrite p0.
split.
  rewrite -[RHS]P1 (sum_of_table (fun p _ => p)) big_map; apply: eq_bigr => x _.
  by rewrite totalZ IHp mulr1.
rewrite -[RHS]Q1 (sum_of_table (fun _ q => q)) big_map; apply: eq_bigr => x _.
by rewrite totalZ IHq mulr1.
Qed.

(** Failures apart. *)
Let K := mixed_kept ms.
Let mu := total_mu square_below ms.
Definition of_responses (a b : R) : R := attained_over (mean_curve mu (epsilons_of ms)) lists a b.

Lemma attained_apart (a b : R) :
  attained_over (attained ms) lists a b = a * (1 - K) + K * of_responses a b.
Proof.
have [_ [one _]] := laws_sum; rewrite /attained_over /of_responses /attained totalD totalZ; congr (_ + _).
rewrite -[RHS]mulr1 -one -totalZ; apply: eq_total => p q _; exact: mulrAC.
Qed.

Lemma tables_tell (epsilon delta : R) :
  mixed_slack ms delta < of_responses 1 (exp epsilon) ->
  noisy_lower (unzip1 ds ++ [seq OfNotion m | m <- ms]) epsilon delta.
Proof.
move=> gap; have k0 : 0 < K := mixed_kept_gt0 proper.
have {}gap : delta < attained_over (attained ms) lists 1 (exp epsilon).
  rewrite attained_apart mul1r; move: gap; rewrite /mixed_slack -/K -(ltr_pmul2l k0).
  rewrite mulrBr mulr1 mulrCA divff ?gt_eqF // mulr1 ltr_subl_addr => h.
  by rewrite -subr_gt0; move: h; rewrite -subr_gt0; congr (0 < _); ring.
set V := attained_over _ _ _ _ in gap.
have c0 : 0 < 1 + exp epsilon by rewrite addr_gt0 ?ltr01 ?exp_gt0.
have t0 : 0 < (V - delta) / 2%:R / (1 + exp epsilon) by rewrite !divr_gt0 ?subr_gt0 // ltr0n.
have [Y [P [Q [C h]]]] := tables_attain t0.
exists (unzip1 ds ++ [seq OfNotion m | m <- ms]); split; first exact: Permutation_refl.
exists Y, P, Q; split=> // -[/events_hockey_stick le _].
have := h 1 (exp epsilon) ler01 (ltW (exp_gt0 epsilon)); rewrite divfK ?gt_eqF // -/V => /le_trans.
move=> /(_ (delta + (V - delta) / 2%:R)); rewrite ler_add2r => /(_ le).
rewrite leNgt -subr_lt0 => /negP; apply.
have -> : delta + (V - delta) / 2%:R - V = - ((V - delta) / 2%:R) by field.
by rewrite oppr_lt0 divr_gt0 ?subr_gt0 // ltr0n.
Qed.
End Attained.

(** --- an event of the total score --- *)

Definition exchanged (ls : seq scored) : seq scored := [seq [seq ((x.1.2, x.1.1), x.2) | x <- l] | l <- ls].

Lemma over_exchanged ls (g : R -> R -> nat -> R) : over (exchanged ls) g = over ls (fun p q s => g q p s).
Proof. by elim: ls g => //= l ls IH g; rewrite big_map; apply: eq_bigr => x _; rewrite IH. Qed.

Lemma exchanged_ge0 ls : nonnegative ls -> nonnegative (exchanged ls).
Proof.
rewrite /nonnegative /exchanged all_map; apply: sub_all => l l0 /=.
by rewrite all_map; apply: sub_all l0 => x /=; rewrite andbC.
Qed.

Section Event.
Variables (ls : seq scored) (E S : R) (B : pred nat) (stop stop' : nat) (T T' : nat -> R).
Hypotheses (ls0 : nonnegative ls) (one : over ls (fun _ q _ => q) = 1) (E0 : 0 <= E) (S0 : 0 < S).
Hypothesis below : forall s, T s <= S * weight addn 0%N ls s.
Hypothesis below' : forall s, T' s <= S * weight addn 0%N (exchanged ls) s.

(** The first law's weights in an event of the score, and the second's outside of it. *)
Lemma event_below :
  \sum_(s <- iota 0 stop | B s) T s - E * (S - \sum_(s <- iota 0 stop' | ~~ B s) T' s) <=
  S * product_divergence addn 0%N ls E.
Proof.
pose f (s : nat) : R := (B s)%:R; pose g (s : nat) : R := (~~ B s)%:R.
have ind (b : bool) : 0 <= b%:R :> R by rewrite ler0n.
have h := table_lower ls0 (iota_uniq 0 stop) (fun s => ind (B s)) (fun s _ => below s) (ltW S0).
have h' := table_lower (exchanged_ge0 ls0) (iota_uniq 0 stop') (fun s => ind (~~ B s))
  (fun s _ => below' s) (ltW S0).
have -> : \sum_(s <- iota 0 stop | B s) T s = \sum_(s <- iota 0 stop) T s * f s.
  by rewrite big_mkcond; apply: eq_bigr => s _; rewrite /f; case: (B s); rewrite ?mulr1 ?mulr0.
have -> : \sum_(s <- iota 0 stop' | ~~ B s) T' s = \sum_(s <- iota 0 stop') T' s * g s.
  by rewrite big_mkcond; apply: eq_bigr => s _; rewrite /g; case: (B s); rewrite ?mulr1 ?mulr0.
rewrite over_exchanged in h'.
have q_event : over ls (fun _ q s => q * f s) = 1 - over ls (fun _ q s => q * g s).
  rewrite -one -[X in _ = _ - X]mul1r -mulNr -totalZ -totalD; apply: eq_total => p q s.
  by rewrite /f /g; case: (B s); rewrite /= ?mulr1 ?mulr0 ?subr0 ?mulr0 ?addr0 // mulN1r subrr.
apply: (@le_trans _ _ (S * (over ls (fun p _ s => p * f s) - E * over ls (fun _ q s => q * f s)))).
  rewrite [X in _ <= X]mulrBr; apply: ler_sub => //; rewrite mulrCA; apply: ler_wpmul2l => //.
  by rewrite q_event [X in X <= _]mulrBr mulr1 ler_add2l ler_opp2.
rewrite ler_pmul2l // /product_divergence -mulNr -totalZ -totalD; apply: ler_total => // p q s p0 q0.
rewrite /f; case: (B s); last by rewrite !mulr0 addr0 pos_ge0.
by rewrite !mulr1 mulNr; exact: le_pos.
Qed.
End Event.

Section Test.
Variables (ms : seq notion) (ds : seq (noise * scored)) (scores : seq (nat * nat)) (cells : scored).
Hypothesis proper : all proper_notion ms.
Hypothesis laws : List.Forall (fun d => drawn d.1 (unscored d.2)) ds.
Let mu := total_mu square_below ms.
Let xs := epsilons_of ms.
Hypothesis all_scored : size scores = size xs.
Hypothesis cells_ge0 : all (fun x : R * R * nat => (0 <= x.1.1) && (0 <= x.1.2)) cells.
Hypothesis cells_one : \sum_(x <- cells) x.1.2 = 1.
Hypothesis cells_below : forall a b : R, 0 <= a -> 0 <= b ->
  \sum_(x <- cells) pos (a * x.1.1 - b * x.1.2) <= curve mu a b.

(** The tables, the responses, and the cells. *)
Definition response_rows (x : R) (s : nat * nat) : scored := rr_atoms (exp x) s.1 s.2.
Definition all_rows : seq scored :=
  unzip2 ds ++ [seq response_rows x.1 x.2 | x <- zip xs scores] ++ [:: cells].

Let rows_of (a b : R) rs := over ([seq response_rows x.1 x.2 | x <- rs] ++ [:: cells])
  (fun p q _ => pos (a * p - b * q)).

Lemma responses_below (a b : R) : 0 <= a -> 0 <= b -> rows_of a b (zip xs scores) <= mean_curve mu xs a b.
Proof.
move: all_scored; rewrite -/xs; elim: xs scores a b => [|x xs' IH] [|s ss] a b //=.
  move=> _ a0 b0; apply: le_trans (cells_below a0 b0); rewrite le_eqVlt; apply/orP; left.
  by rewrite /rows_of /=; apply/eqP/eq_bigr => z _; rewrite !mulr1.
move=> [e] a0 b0; rewrite /rows_of sum_bool /= !big_cons big_nil addr0.
have response0 t (c : R) : 0 <= c -> 0 <= c * response (exp x) t by exact: response_bounds.
apply: ler_add; last first.
  apply: le_trans (IH ss _ _ e (response0 false a a0) (response0 true b b0)).
  by rewrite /rows_of le_eqVlt; apply/orP; left; apply/eqP; apply: eq_total => p q _; rewrite !mulrA.
apply: le_trans (IH ss _ _ e (response0 true a a0) (response0 false b b0)).
by rewrite /rows_of le_eqVlt; apply/orP; left; apply/eqP; apply: eq_total => p q _; rewrite !mulrA.
Qed.

Lemma all_rows_divergence (E : R) : 0 <= E -> product_divergence addn 0%N all_rows E <= of_responses ms ds 1 E.
Proof.
move=> E0; have [l0 _] := laws_sum laws; rewrite /product_divergence /all_rows (total_cat addnA add0n).
apply: ler_total => // p q _ p0 q0.
rewrite mul1r; apply: le_trans (responses_below p0 (mulr_ge0 E0 q0)).
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_total => p' q' _; by rewrite mulrA.
Qed.

Lemma all_rows_laws : nonnegative all_rows /\ over all_rows (fun _ q _ => q) = 1.
Proof.
have [l0 [_ l1]] := laws_sum laws.
have rows x s : all (fun z : R * R * nat => (0 <= z.1.1) && (0 <= z.1.2)) (response_rows x s).
  have E0 : 0 < 1 + exp x by rewrite addr_gt0 ?ltr01 ?exp_gt0.
  by rewrite /= !divr_ge0 ?ler01 ?(ltW E0) ?(ltW (exp_gt0 _)).
have row_one x s : \sum_(z <- response_rows x s) z.1.2 = 1.
  have E0 : 1 + exp x != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
  by rewrite !big_cons big_nil /=; field.
split.
  rewrite /nonnegative /all_rows !all_cat; apply/and3P; split; [exact: l0| |by rewrite /= cells_ge0].
  by rewrite all_map; apply/allP => x _; exact: rows.
rewrite /all_rows (total_cat addnA add0n) -[RHS]l1; apply: eq_total => p q _; rewrite totalZ.
suff -> : forall rs, over ([seq response_rows x.1 x.2 | x <- rs] ++ [:: cells]) (fun _ q' _ => q') = 1.
  by rewrite mulr1.
elim=> [|x rs IH] /=; first by rewrite -[RHS]cells_one; apply: eq_bigr => z _; rewrite mulr1.
by rewrite -[RHS](row_one x.1 x.2); apply: eq_bigr => z _; rewrite totalZ IH mulr1.
Qed.

Theorem noise_test (epsilon delta S : R) (B : pred nat) stop stop' (T T' : nat -> R) : 0 < S ->
  (forall s, T s <= S * weight addn 0%N all_rows s) ->
  (forall s, T' s <= S * weight addn 0%N (exchanged all_rows) s) ->
  S * mixed_slack ms delta <
    \sum_(s <- iota 0 stop | B s) T s - exp epsilon * (S - \sum_(s <- iota 0 stop' | ~~ B s) T' s) ->
  noisy_lower (unzip1 ds ++ [seq OfNotion m | m <- ms]) epsilon delta.
Proof.
move=> S0 t t' gap; apply: (tables_tell proper laws); have E0 := ltW (exp_gt0 epsilon).
have [ge0 one] := all_rows_laws.
apply: lt_le_trans (all_rows_divergence E0); rewrite -(ltr_pmul2l S0); apply: lt_le_trans gap _.
exact: event_below.
Qed.
End Test.
