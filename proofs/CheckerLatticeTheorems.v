(** The verified checker: soundness of [check_lattice_upper] and [check_lattice_lower]. *)
From Coq Require Import Reals ZArith Lia Lra.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed Tables TablesByKey.
From ExactDP Require Import CheckerDelta Merging CheckerRationalOddsSound CheckerLattice.
From ExactDP Require Import CheckerLatticeSound.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Integers around a real number. *)
Lemma Int_part_le (x : R) : IZR (Int_part x) <= x.
Proof. by apply/RleP; case: (base_Int_part x). Qed.
Lemma le_Int_part z (x : R) : IZR z <= x -> Z.le z (Int_part x).
Proof.
move/RleP => h; have [_ g] := base_Int_part x; apply/Z.lt_succ_r/lt_IZR; rewrite succ_IZR.
by apply: Rle_lt_trans h _; apply: Rminus_lt; move: g; lra.
Qed.

(** Sums over a table, by the numbers that its keys stand for. *)
Section ByKey.
Variable T : seq (R * Z).
Definition keys_of : seq R := undup [seq t.1 | t <- T].
Definition weight_of (x : R) : Z := \sum_(t <- T | t.1 == x) t.2.

Lemma sum_by_key (g : R -> Z) :
  zsum [seq (weight_of x * g x)%coqZ | x <- keys_of] = \sum_(t <- T) (t.2 * g t.1)%coqZ.
Proof.
rewrite zsum_map; transitivity (\sum_(x <- keys_of) \sum_(t <- T | t.1 == x) (t.2 * g t.1)%coqZ).
  apply: eq_bigr => x _; etransitivity; first exact: mulr_suml.
  by apply: eq_bigr => t /eqP ->.
rewrite (exchange_big_dep predT) //= big_seq [RHS]big_seq; apply: eq_bigr => t tT.
rewrite -big_filter (eq_filter (a2 := pred1 t.1)) => [|x]; last by rewrite /= eq_sym.
by rewrite filter_pred1_uniq ?undup_uniq ?big_seq1 // mem_undup map_f.
Qed.

Lemma IZR_weight_of x : IZR (weight_of x) = \sum_(t <- T) IZR t.2 * (t.1 == x)%:R.
Proof.
rewrite /weight_of big_mkcond /=; elim: T => [|t U IH]; rewrite ?big_nil // !big_cons -IH.
by case: eqP => _; [rewrite mulr1; exact: IZRD|rewrite mulr0 !add0r].
Qed.
End ByKey.

Section Theorems.
Variables (f : effort) (s : subject) (p : lattice_plan) (x : combination) (a b : Z).
Let one := (2 ^ bits f)%coqZ.
Let L := ledger_of s.
Let S := weight_scale p.
Let logs := logarithms (bits f) (quotients s).
Let worth := worth s.

(** one e^-r for the set with a key. *)
Let loss (y : R) : R := (IZR one * exp (- rest id (epsilons L) (real s x) y))%R.

Section Checked.
Variable table : seq weighted.
Hypotheses (ok : subject_ok f s) (pok : lattice_plan_ok p) (Dok : Delta_ok s (slack_bits p) a b).
Hypothesis built : lattice_table f s p logs (entries s) = Some table.
Let T := [seq seen s t | t <- table].
Let one0 : Z.lt 0 one. Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let units0 : Z.lt 0 (2 ^ slack_bits p).
Proof. by apply: Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le. Qed.

Let bel : below s p (entries s) table.
Proof.
apply: (lattice_table_below ok pok _ built).
by apply: List.Forall_impl (entries_ok ok) => e [].
Qed.

Lemma weight_of_ge0 y : Z.le 0 (weight_of T y).
Proof.
have [T0 _] := bel; rewrite /weight_of -/T in T0 *; elim: T0 => [|t U t0 _ IH].
  by rewrite big_nil; exact: Z.le_refl.
by rewrite big_cons; case: ifP => _ //; exact: Z.add_nonneg_nonneg.
Qed.

Lemma weight_of_below y : IZR (weight_of T y) <=
  IZR S * untruthful_weight +%R 0 id (epsilons L) y.
Proof.
have [_ h] := bel; have := h (fun v => (v == y)%:R) (fun v => ler0n _ _).
by rewrite IZR_weight_of /mean atomsE.
Qed.

(** r of a set, and what the check gains from it. *)
Let r (t : weighted) := csub (csub (total_epsilon s) x) (cscale 2 t.1).

Lemma gainedE gain : gained f s gain logs x table =
  \sum_(t <- table) (t.2 * gain (number f s logs (r t)))%coqZ.
Proof.
have sum (F : weighted -> Z) v U :
    foldl (fun sum t => (sum + F t)%coqZ) v U = v + \sum_(t <- U) F t.
  by elim: U v => [|t U IH] v /=; rewrite ?big_nil ?addr0 // IH big_cons addrA.
exact: etrans (sum _ _ _) (add0r _).
Qed.

Lemma exp_rest t : IZR one * exp (- worth (r t)) = loss (worth t.1).
Proof. by rewrite /worth (restE ok). Qed.

(** The best integers around one e^-r. *)
Definition loss_below (y : R) : Z := Int_part (loss y).
Definition loss_above (y : R) : Z := (- Int_part (- loss y)%R)%coqZ.

Lemma loss_ge0 y : 0 <= loss y. Proof. by rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)). Qed.

Lemma gain_above_ge t :
  Z.le (Z.max 0 (one - loss_below (worth t.1))) (gain_above f (number f s logs (r t))).
Proof.
rewrite /gain_above; case: ifP => [/Z.leb_le v0|_].
  suff : Z.le one (loss_below (worth t.1)) by lia.
  apply: le_Int_part; rewrite -exp_rest ler_pemulr ?(ltW one0') // exp_ge1 oppr_ge0.
  have /enclosedP/andP[_ hi] := number_enclosed ok (r t).
  rewrite -(pmulr_lle0 _ one0'); apply: le_trans hi _.
  by rewrite (IZR_le_iff _ Z0); exact/Z.leb_le.
case e: (exponential _ _) => [g|].
  have /andP[lo _] := exponential_bounds ok e; rewrite -/one -/worth exp_rest in lo.
  by have := le_Int_part lo; rewrite -/(loss_below _) -/one; lia.
by have := @le_Int_part 0 _ (loss_ge0 (worth t.1)); rewrite -/(loss_below _) -/one; lia.
Qed.

Lemma gain_below_le t :
  Z.le (gain_below f (number f s logs (r t))) (Z.max 0 (one - loss_above (worth t.1))).
Proof.
rewrite /gain_below; case: ifP => _; first exact: Z.le_max_l.
case e: (exponential _ _) => [g|]; last exact: Z.le_max_l.
have /andP[_ hi] := exponential_bounds ok e; rewrite -/one -/worth exp_rest in hi.
have : IZR (- g.2) <= - loss (worth t.1) by rewrite opp_IZR RoppE ler_oppr opprK.
by move/le_Int_part; rewrite /loss_above -/one; lia.
Qed.

Lemma sum_gains (g h : weighted -> Z) : (forall t, Z.le (g t) (h t)) ->
  Z.le (\sum_(t <- table) (t.2 * g t)%coqZ) (\sum_(t <- table) (t.2 * h t)%coqZ).
Proof.
move=> gh; have [T0 _] := bel; elim: (table) T0 => [|t U IH] T0; first by rewrite !big_nil; exact: Z.le_refl.
rewrite !big_cons; apply: Z.add_le_mono; last exact: IH (List.Forall_inv_tail T0).
by apply: Z.mul_le_mono_nonneg_l => //; exact: List.Forall_inv T0.
Qed.

Lemma kept_by_key z : kept_sum one (weight_of T) z (keys_of T) =
  \sum_(t <- table) (t.2 * Z.max 0 (one - z (worth t.1)))%coqZ.
Proof. by rewrite /kept_sum sum_by_key big_map. Qed.

Lemma lost_by_key : lost S (weight_of T) (keys_of T) = (S - total_weight table)%coqZ.
Proof.
congr (_ - _)%coqZ; have := sum_by_key T (fun _ => 1%coqZ).
rewrite (eq_map (fun y => Z.mul_1_r (weight_of T y))) => ->; rewrite big_map /total_weight.
have sum v U : foldl (fun sum (t : weighted) => (sum + t.2)%coqZ) v U = v + \sum_(t <- U) (t.2 * 1)%coqZ.
  by elim: U v => [|t U IH] v /=; rewrite ?big_nil ?addr0 // IH big_cons Z.mul_1_r addrA.
by rewrite sum add0r.
Qed.
End Checked.

Let refl_le (es : seq R) : all2 (fun u v : R => u <= v) es es.
Proof. by elim: es => //= e es ->; rewrite lexx. Qed.

Theorem check_lattice_upper_sound : check_lattice_upper f s p x a b ->
  upper L (real s x) (fraction a b).
Proof.
rewrite /check_lattice_upper /with_lattice -/logs => /and4P[ok pok Dok].
case built: (lattice_table f s p logs (entries s)) => [table|] // /Z.leb_le check.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 <= IZR one by rewrite (IZR_le_iff Z0); exact/Z.leb_le/Z.lt_le_incl.
have S0 : Z.lt 0 S by case/andP: pok => /Z.ltb_lt.
have units0 : Z.lt 0 (2 ^ slack_bits p) by apply: Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le.
pose T := [seq seen s t | t <- table].
apply: (@rule_lattice_upper R_eqType +%R 0 id erefl (fun _ _ => erefl) (epsilons L) L (real s x)
  (fraction a b) (keys_of T) S one (floor_div (one * Delta_low s (slack_bits p) a b) (2 ^ slack_bits p))
  (weight_of T) loss_below (ledger_proper ok) (undup_uniq _) S0 one0).
- by move=> y _; exact: (weight_of_ge0 ok pok built).
- by move=> y _; exact: (weight_of_below ok pok built).
- by rewrite map_id.
- by move=> y _; exact: Int_part_le.
- apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l //.
  exact: (Delta_low_le ok Dok).
rewrite (lost_by_key table) (kept_by_key table); apply: Z.le_trans check.
apply: Z.add_le_mono; last exact: Z.le_refl.
rewrite gainedE.
by apply: (sum_gains ok pok built) => t; exact: gain_above_ge.
Qed.

Theorem check_lattice_lower_sound : check_lattice_lower f s p x a b ->
  lower L (real s x) (fraction a b).
Proof.
rewrite /check_lattice_lower /with_lattice -/logs => /and4P[ok pok Dok].
case built: (lattice_table f s p logs (entries s)) => [table|] // /Z.ltb_lt check.
have one0 : Z.lt 0 one by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
have one0' : 0 <= IZR one by rewrite (IZR_le_iff Z0); exact/Z.leb_le/Z.lt_le_incl.
have S0 : Z.lt 0 S by case/andP: pok => /Z.ltb_lt.
have units0 : Z.lt 0 (2 ^ slack_bits p) by apply: Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le.
pose T := [seq seen s t | t <- table].
apply: (@rule_lattice_lower R_eqType +%R 0 id erefl (fun _ _ => erefl) (epsilons L) L (real s x)
  (fraction a b) (keys_of T) S one (ceil_div (one * Delta_high s (slack_bits p) a b) (2 ^ slack_bits p))
  (weight_of T) loss_above (ledger_proper ok) (undup_uniq _) S0 one0).
- by move=> y _; exact: (weight_of_ge0 ok pok built).
- by move=> y _; exact: (weight_of_below ok pok built).
- by move=> y /mapP[m /(allP (ledger_proper ok))/andP[y0 _] ->].
- by rewrite map_id.
- by move=> y _; rewrite /loss_above opp_IZR RoppE ler_oppr; exact: Int_part_le.
- apply: ceil_div_above => //; rewrite IZRM mulrCA ler_wpmul2l //.
  exact: (Delta_high_ge ok Dok).
rewrite (kept_by_key table); apply: Z.lt_le_trans check _; rewrite gainedE.
by apply: (sum_gains ok pok built) => t; exact: gain_below_le.
Qed.
End Theorems.
