(** Ledgers of mechanisms that are given by their noise, from below: the laws of pairs of losses are mechanisms with
    the noise of their entries, and stand beside the worst mechanisms given by epsilon and delta, mu or rho
    ([noisy_lower_by_losses]; SPEC, 11.8). *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Losses Reals Notions Failures RulesGaussian GaussianComposition.
From ExactDP Require Import RulesMixture GaussianAttainment RulesProfiles LossLaws RulesNoiseFourier NoiseLedgers NoiseTests NoiseLosses.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Its outputs, one after the other. *)
Definition rows_of (L : loss_law) : scored :=
  [seq (@chance L z, @chance L z * exp (- loss z), 0%N) | z <- enum (outcomes L)].

Definition given_by_noise (n : noise) : bool :=
  match n with OfShift _ _ | OfLaplace _ => true | _ => false end.
(** Its own laws have this noise. *)
Definition told_by (n : noise) (L : loss_law) : Prop :=
  has_noise n (@first_law _ (pair_of L)) (@second_law _ (pair_of L)).

Lemma sum_of_rows (L : loss_law) (F : R -> R -> R) :
  \sum_(z : 'I_(size (unscored (rows_of L)))) F (law_with z) (law_without z) =
  \sum_z F (@chance L z) (@chance L z * exp (- loss z)).
Proof. by rewrite (sum_of_table F) big_map big_map big_enum. Qed.

Lemma drawn_rows n L : given_by_noise n -> told_by n L -> drawn n (unscored (rows_of L)).
Proof.
have forth y := sum_of_rows L (fun p q => pos (1 * p - y * q)).
have back y := sum_of_rows L (fun p q => pos (1 * q - y * p)).
move=> given [[P0 P1] [Q0 Q1] h]; have dist : distribution (@law_with (unscored (rows_of L))) /\
    distribution (@law_without (unscored (rows_of L))).
  have row z : exists y, @law_with (unscored (rows_of L)) z = @chance L y /\
      @law_without (unscored (rows_of L)) z = @chance L y * exp (- loss y).
    have := mem_tnth z (in_tuple (unscored (rows_of L))); rewrite /law_with /law_without.
    by case/mapP=> x /mapP[y _ ->] ->; exists y.
  split; split=> [z| ].
  - by have [y [-> _]] := row z; exact: P0.
  - by have := sum_of_rows L (fun p _ => p); rewrite /= => ->.
  - by have [y [_ ->]] := row z; exact: Q0.
  by have := sum_of_rows L (fun _ q => q); rewrite /= => ->.
case: dist => dP dQ; split=> //; case: n given h => // [d s|a] _ [h1 h2]; split.
- by move=> y y0; rewrite /hockey_stick forth; exact: h1.
- by move=> y y0; rewrite /hockey_stick back; exact: h2.
- by move=> l; rewrite /hockey_stick forth; exact: h1.
by move=> l; rewrite /hockey_stick back; exact: h2.
Qed.

Section Lower.
Variables (ms : seq notion) (ds : seq (noise * loss_law)) (silent_ones : seq noise).
Hypothesis proper : all proper_notion ms.
Hypothesis are_told : List.Forall (fun d => given_by_noise d.1 /\ told_by d.1 d.2) ds.
(** Mechanisms that answer always the same. *)
Let says_1 : scored := [:: (1, 1, 0%N)].
Hypothesis are_silent : List.Forall (fun n => drawn n (unscored says_1)) silent_ones.
Let mu := total_mu square_below ms.
Let xs := epsilons_of ms.
Let L := law_product ([seq response e | e <- xs] ++ unzip2 ds).

Lemma over_rows Ls (a x : R) : 0 <= a ->
  over (map rows_of Ls) (fun p q _ => mean_curve mu xs (a * p) (a * exp x * q)) =
  a * profile_beside mu (law_product (Ls ++ [seq response e | e <- xs])) x.
Proof.
have m0 : 0 <= mu := below_ge0 ms; elim: Ls a x => [|M Ls IH] a x a0 /=.
  rewrite !mulr1 -[X in mean_curve _ _ X](mulr1 a) mean_curveM ?ler01 ?(ltW (exp_gt0 _)) //.
  by rewrite mean_curve_profile // -profile_of_responses.
rewrite {1}/rows_of big_map big_enum profile_times mulr_sumr; apply: eq_bigr => z _ /=.
rewrite mulrA -IH ?mulr_ge0 ?chance_ge0 //; apply: eq_total => p q _; congr mean_curve; first by rewrite mulrA.
rewrite expD; ring.
Qed.

Lemma over_silent (ns : seq noise) ls (g : R -> R -> R) :
  over ([seq says_1 | _ <- ns] ++ ls) (fun p q _ => g p q) = over ls (fun p q _ => g p q).
Proof.
elim: ns => //= _ ns IH; rewrite -IH big_cons big_nil addr0; apply: eq_total => p q _; by rewrite !mul1r.
Qed.

Theorem noisy_lower_by_losses epsilon delta : mixed_slack ms delta < profile_beside mu L epsilon ->
  noisy_lower (silent_ones ++ unzip1 ds ++ [seq OfNotion m | m <- ms]) epsilon delta.
Proof.
pose ts : seq (noise * scored) := [seq (n, says_1) | n <- silent_ones] ++ [seq (d.1, rows_of d.2) | d <- ds].
have -> : silent_ones ++ unzip1 ds ++ [seq OfNotion m | m <- ms] = unzip1 ts ++ [seq OfNotion m | m <- ms].
  by rewrite /ts /unzip1 map_cat -!map_comp map_id catA.
have laws : List.Forall (fun d => drawn d.1 (unscored d.2)) ts.
  apply/List.Forall_app; split; first by elim: are_silent => [|n ns h _ IH]; constructor.
  by elim: are_told => [|d ds' [g t] _ IH]; constructor=> //; exact: drawn_rows.
move=> gap; apply: (tables_tell proper laws); apply: lt_le_trans gap _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
have one : 0 <= 1 :> R by exact: ler01.
have := over_rows (unzip2 ds) epsilon one; rewrite !mul1r.
rewrite (profile_product_permutation _ _ (Permutation_app_comm _ _)) => <-.
rewrite /of_responses /attained_over /ts /unzip2 map_cat -!map_comp over_silent.
by apply: eq_total => p q _; rewrite mul1r.
Qed.
End Lower.
