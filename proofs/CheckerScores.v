(** Tables of scores for the rule `mesh-lower`: rows of two weights and a score, in integers, below
    the rows of real laws.

    Rows are gathered by score, once for each law; products of such tables are below the weights of
    the product of the laws, as many of each as there are ([table_of_groups]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules Logarithms Tables KeyedTables CheckerNoise.
From ExactDP Require Import NoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Weights under both laws, and a score. *)
Definition score_rows := seq (Z * Z * nat).
Definition back_rows (r : score_rows) : score_rows := [seq ((y.1.2, y.1.1), y.2) | y <- r].
Definition back_groups (gs : seq (score_rows * Z)) : seq (score_rows * Z) := [seq (back_rows g.1, g.2) | g <- gs].

(** The first law's weights, by score. *)
Definition gather (r : score_rows) : placed :=
  let top := foldl (fun n y => if Nat.ltb n y.2 then y.2 else n) O r in
  without_zeros O (collect (log2_above top) 0 [seq (Z.of_nat y.2, y.1.1) | y <- r]).

Definition table_of_group (S : Z) (g : score_rows * Z) : placed :=
  if g.2 is Zpos c then power S (gather g.1) c else (O, [:: S]).
Definition table_of_groups (S : Z) (gs : seq (score_rows * Z)) : placed :=
  product_all S [seq table_of_group S g | g <- gs].

(** The first law's weights in an event of the score, and the second's outside of it: of the scores from a
    threshold on, or of those at which the first weighs more, at these odds. *)
Fixpoint sums_by_odds (z one here away : Z) (ts ts' : seq Z) : Z * Z :=
  match ts, ts' with
  | t :: r, t' :: r' => if Z.leb (one * t') (z * t) then sums_by_odds z one (here + t) away r r'
                        else sums_by_odds z one here (away + t') r r'
  | _, _ => ((here + sum_of ts)%coqZ, (away + sum_of ts')%coqZ)
  end.
Definition event_sums (threshold : option nat) (z one : Z) (ts ts' : seq Z) : Z * Z :=
  if threshold is Some k then (sum_of (drop k ts), sum_of (take k ts')) else sums_by_odds z one 0 0 ts ts'.

Notation over_weight := (@weight [realFieldType of R] [eqType of nat] addn 0%N).

Section Below.
Variable S : Z.
Hypothesis S0 : Z.lt 0 S.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition at_most (z : Z) (x : R) : Prop := Z.le 0 z /\ IZR z <= IZR S * x.
Definition row_below (x : R * R * nat) (y : Z * Z * nat) : Prop :=
  [/\ y.2 = x.2, at_most y.1.1 x.1.1 & at_most y.1.2 x.1.2].
Definition rows_below (l : scored) (r : score_rows) : Prop := List.Forall2 row_below l r.
Definition groups_below (gl : seq (scored * Z)) (gs : seq (score_rows * Z)) : Prop :=
  List.Forall2 (fun l g => l.2 = g.2 /\ rows_below l.1 g.1) gl gs.

Lemma rows_back l r : rows_below l r -> rows_below [seq ((x.1.2, x.1.1), x.2) | x <- l] (back_rows r).
Proof. by elim=> [|x y l' r' [e p q] _ IH]; constructor. Qed.

Lemma groups_back gl gs : groups_below gl gs ->
  groups_below [seq ([seq ((x.1.2, x.1.1), x.2) | x <- l.1], l.2) | l <- gl] (back_groups gs).
Proof. by elim=> [|l g gl' gs' [e r] _ IH]; constructor=> //; split=> //; exact: rows_back. Qed.

Definition row_polynomial (l : scored) : {poly R} := \sum_(x <- l) (x.1.1)%:P * 'X^(x.2).

Lemma gather_below l r : rows_below l r -> stays_below S (row_polynomial l) (gather r).
Proof.
move=> B n; rewrite nth_without_zeros nth_flat subn0 ltn0; move: (log2_above _) => depth.
have sum : Z.le 0 (cell_sum [seq (Z.of_nat y.2, y.1.1) | y <- r] (Z.of_nat n)) /\
    IZR (cell_sum [seq (Z.of_nat y.2, y.1.1) | y <- r] (Z.of_nat n)) <= IZR S * (row_polynomial l)`_n.
  rewrite /row_polynomial coef_sum mulr_sumr; elim: B => [|x y l' r' [e [p0 p] _] _ [IH0 IH]].
    by rewrite big_nil; split.
  rewrite big_cons coefCM coefXn /cell_sum /= -e; move: IH0 IH; rewrite /cell_sum.
  case: Z.eqb_spec => h /= IH0 IH.
    have -> : (n == y.2)%N = true by apply/eqP; apply: Nat2Z.inj.
    by rewrite mulr1 IZRD; split; [exact: Z.add_nonneg_nonneg|exact: ler_add].
  have -> : (n == y.2)%N = false by apply/negbTE/eqP => f; apply: h; rewrite f.
  by rewrite mulr0 mulr0 add0r; split.
case: (ltnP n (2 ^ depth)) => h; first by rewrite nth_collect.
rewrite nth_default ?size_collect //; split=> //.
have [p0 p] := sum; apply: le_trans p; exact: IZR_ge0.
Qed.

Lemma many_polynomials gl n : over_weight (many id gl) n =
  (\prod_(l <- gl) row_polynomial l.1 ^+ Z.to_nat l.2)`_n.
Proof.
rewrite weight_polynomial /many; apply: (congr1 (fun p : {poly R} => p`_n)).
elim: gl => [|l gl IH]; first by rewrite !big_nil.
by rewrite /= big_cat big_cons IH big_nseq iter_mulr_1.
Qed.

Lemma groups_weights gl gs n : groups_below gl gs ->
  Z.le 0 (nth Z0 (flat (table_of_groups S gs)) n) /\
  IZR (nth Z0 (flat (table_of_groups S gs)) n) <= IZR S * over_weight (many id gl) n.
Proof.
move=> B; rewrite many_polynomials -(big_map (fun l => row_polynomial l.1 ^+ Z.to_nat l.2) xpredT id).
apply: (product_all_below S0); elim: B => [|l g gl' gs' [e r] _ IH] /=; constructor=> //.
rewrite /table_of_group e; case: g.2 => [|c|c]; rewrite ?expr0; try exact: below_one.
by apply: power_below => //; exact: gather_below.
Qed.
End Below.

Global Arguments at_most _ _%coqZ _%R.

(** --- the sums over an event --- *)

Notation sum_in B t := (\sum_(s <- iota 0 (size t)%R | B s) IZR (nth Z0 t s)).

Lemma sum_in_cons (B : pred nat) x t : sum_in B (x :: t) = (if B 0%N then IZR x else 0) + sum_in (fun s => B s.+1) t.
Proof.
by rewrite /= big_cons -[1%N]addn0 iotaDl big_map; case: (B 0%N); rewrite ?add0r.
Qed.

Lemma sum_in_all t : sum_in xpredT t = IZR (sum_of t).
Proof.
rewrite sum_ofE; elim: t => [|x t IH]; first by rewrite big_nil.
by rewrite sum_in_cons packed0_cons IZRD -IH.
Qed.

Lemma sums_by_oddsP z one here away ts ts' : exists B : pred nat,
  let found := sums_by_odds z one here away ts ts' in
  IZR found.1 = IZR here + sum_in B ts /\ IZR found.2 = IZR away + sum_in (fun s => ~~ B s) ts'.
Proof.
elim: ts ts' here away => [|t r IH] [|t' r'] here away.
- by exists xpredT; rewrite /= !big_nil !Z.add_0_r !addr0.
- exists xpred0; rewrite big_nil addr0 (sum_in_all (t' :: r')) /= Z.add_0_r; split=> //; exact: IZRD.
- exists xpredT; rewrite (big_pred0 _ _ _ _ (fun=> erefl)) addr0 (sum_in_all (t :: r)) /= Z.add_0_r; split=> //; exact: IZRD.
cbn [sums_by_odds]; case: ifP => _.
  have [B [-> ->]] := IH r' (here + t)%coqZ away; exists (fun s => if s is s'.+1 then B s' else true).
  by rewrite !sum_in_cons /= add0r IZRD addrA.
have [B [-> ->]] := IH r' here (away + t')%coqZ; exists (fun s => if s is s'.+1 then B s' else false).
by rewrite !sum_in_cons /= add0r IZRD addrA.
Qed.

Lemma sum_from k t : IZR (sum_of (drop k t)) = sum_in (fun s => k <= s)%N t.
Proof.
rewrite sum_ofE; elim: t k => [|x t IH] [|k]; rewrite ?big_nil // sum_in_cons.
  by rewrite drop0 packed0_cons IZRD /=; congr (_ + _); have := IH 0%N; rewrite drop0.
by rewrite /= add0r -IH.
Qed.

Lemma sum_before k t : IZR (sum_of (take k t)) = sum_in (fun s => ~~ (k <= s)%N) t.
Proof.
rewrite sum_ofE; elim: t k => [|x t IH] [|k]; rewrite ?big_nil // sum_in_cons.
  by rewrite take0 /= add0r big_pred0.
by rewrite -[take _ _]/(x :: take k t) packed0_cons IZRD IH.
Qed.

Lemma event_sumsP threshold z one ts ts' : exists B : pred nat,
  let found := event_sums threshold z one ts ts' in
  IZR found.1 = sum_in B ts /\ IZR found.2 = sum_in (fun s => ~~ B s) ts'.
Proof.
case: threshold => [k|]; first by exists (fun s => k <= s)%N; split; [exact: sum_from|exact: sum_before].
by have [B [e1 e2]] := sums_by_oddsP z one 0 0 ts ts'; exists B; rewrite /event_sums /= e1 e2 !add0r.
Qed.
