(** Sums over all atoms, in integers.

    A group is the number of its mechanisms, an enclosure of their epsilon, and a table of weights
    from below.  [mixture] is the sum of w g(epsilon - L) over all atoms, with weights w from the
    products of tables, rounded down, and the sum of these weights. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Notions Failures RulesGaussian RulesMixture.
From ExactDP Require Import Logarithms Tables Exponentials Enclosures EnclosuresOfNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition group := (Z * enclosure * seq Z)%type.

Section Program.
Variables (S : Z) (value : enclosure -> Z).

Definition both (x y : Z * Z) : Z * Z := ((x.1 + y.1)%coqZ, (x.2 + y.2)%coqZ).

(** [k] is the number of truthful answers less that of untruthful ones. *)
Fixpoint over_block (rec : Z -> enclosure -> Z * Z) (w : Z) (e x : enclosure) (k : Z) (block : seq Z) :=
  if block is b :: block' then
    let v := floor_div (w * b) S in
    both (if Z.eqb v 0 then (Z0, Z0) else rec v (sub e (scale k x)))
         (over_block rec w e x (k - 2) block')
  else (Z0, Z0).

Fixpoint mixture (groups : seq group) (w : Z) (e : enclosure) : Z * Z :=
  if groups is g :: groups' then over_block (mixture groups') w e g.1.2 g.1.1 g.2
  else ((w * value e)%coqZ, w).
End Program.

Section Soundness.
Variables (fine S B : Z) (value : enclosure -> Z) (mu : R).
Hypotheses (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

(** Of the groups and what they stand for, (n, x). *)
Definition stands_for (g : group) (p : nat * R) := [/\ g.1.1 = Z.of_nat p.1, enclosed fine p.2 g.1.2 &
  forall j, Z.le 0 (nth Z0 g.2 j) /\ IZR (nth Z0 g.2 j) <= IZR S * (answers p.2 ^+ p.1)`_j].
Definition listed (ps : seq (nat * R)) : seq R := flatten [seq nseq p.1 p.2 | p <- ps].

Lemma next_weight w b W c : Z.le 0 w -> Z.le 0 b -> IZR w <= IZR S * W -> IZR b <= IZR S * c ->
  Z.le 0 (floor_div (w * b) S) /\ IZR (floor_div (w * b) S) <= IZR S * (W * c).
Proof.
move=> w0 b0 wW bc; split; first by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRM.
have -> : IZR S * (IZR S * (W * c)) = (IZR S * W) * (IZR S * c) by ring.
by apply: ler_pmul => //; exact: IZR_ge0.
Qed.

Lemma weight_ge0 w W : Z.le 0 w -> IZR w <= IZR S * W -> 0 <= W.
Proof. by move=> /IZR_ge0 h h'; rewrite -(pmulr_rge0 _ S0') (le_trans h). Qed.

Lemma next_enclosure e x k epsilon v : enclosed fine epsilon e -> enclosed fine v x ->
  enclosed fine (epsilon - v * IZR k)%R (sub e (scale k x)).
Proof. by move=> E X; rewrite mulrC; apply: enclosed_sub => //; exact: enclosed_scale. Qed.

Section Block.
Variables (rec : Z -> enclosure -> Z * Z) (m : R -> R).
Hypothesis m01 : forall epsilon, 0 <= m epsilon <= 1.
Variables (e x : enclosure) (epsilon v : R).
Hypotheses (E : enclosed fine epsilon e) (X : enclosed fine v x).
Let term k j := m (epsilon - v * (IZR k - j%:R *+ 2))%R.

Let term_step k j : term (k - 2) j = term k j.+1.
Proof.
rewrite /term; congr (m (_ - _ * _)).
by rewrite IZRB (_ : IZR 2 = 2%:R) // -[j.+1]addn1 natrD; ring.
Qed.

Hypothesis rec_upper : forall w W e epsilon, Z.le 0 w -> IZR w <= IZR S * W -> enclosed fine epsilon e ->
  IZR B * (IZR S * W) * m epsilon <= IZR (rec w e).1 + (IZR S * W - IZR (rec w e).2) * IZR B.

Lemma over_block_upper bl c k N w W : (size bl <= N)%N ->
  (forall j, Z.le 0 (nth Z0 bl j) /\ IZR (nth Z0 bl j) <= IZR S * c j) ->
  Z.le 0 w -> IZR w <= IZR S * W ->
  IZR B * (IZR S * W) * (\sum_(j < N) c j * term k j) <=
  IZR (over_block S rec w e x k bl).1 +
    (IZR S * W * (\sum_(j < N) c j) - IZR (over_block S rec w e x k bl).2) * IZR B.
Proof.
move=> szN bel w0 wW; have Wp := weight_ge0 w0 wW.
elim: bl c k N szN bel => [|b bl IH] c k N szN bel.
  have c0 j : 0 <= c j by case: (bel j) => h; rewrite nth_nil; exact: weight_ge0.
  have SW0 : 0 <= IZR B * (IZR S * W) by rewrite mulr_ge0 ?mulr_ge0 ?(ltW B0') ?(ltW S0').
  rewrite /= add0r subr0 [X in _ <= X]mulrC [X in _ <= X]mulrA ler_wpmul2l //.
  by apply: ler_sum => j _; rewrite ler_pimulr // /term; case/andP: (m01 (epsilon - v * (IZR k - j%:R *+ 2))%R).
case: N szN => // N szN; rewrite !big_ord_recl /=.
have [b0 bc] := bel 0%N; have [v0 vW] := next_weight w0 b0 wW bc.
have {IH} := IH (fun j => c j.+1) (k - 2)%coqZ N szN (fun j => bel j.+1).
rewrite (eq_bigr (fun j : 'I_N => c j.+1 * term k j.+1)) => [|j _]; last by rewrite term_step.
set K := over_block _ _ _ _ _ _ _ => IH.
set F := if _ then _ else _.
have first : IZR B * (IZR S * W) * (c 0%N * term k 0%N) <= IZR F.1 + (IZR S * W * c 0%N - IZR F.2) * IZR B.
  have cp : 0 <= c 0%N := weight_ge0 b0 bc.
  have -> : IZR B * (IZR S * W) * (c 0%N * term k 0%N) = IZR B * (IZR S * (W * c 0%N)) * term k 0%N by ring.
  rewrite /F -[IZR S * W * _]mulrA; case: Z.eqb.
    rewrite /= add0r subr0 [X in _ <= X]mulrC ler_pimulr //.
      by rewrite !mulr_ge0 ?(ltW B0') ?(ltW S0').
    by rewrite /term; case/andP: (m01 (epsilon - v * (IZR k - 0%:R *+ 2))%R).
  by rewrite /term mul0rn subr0; apply: rec_upper => //; exact: next_enclosure.
rewrite mulrDr; apply: le_trans (ler_add first IH) _.
have -> : \sum_(i < N) c (bump 0 i) = \sum_(i < N) c i.+1 by [].
rewrite /both /= !IZRD le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Hypothesis rec_lower : forall w W e epsilon, Z.le 0 w -> IZR w <= IZR S * W -> enclosed fine epsilon e ->
  IZR (rec w e).1 <= IZR B * (IZR S * W) * m epsilon.

Lemma over_block_lower bl c k N w W : (size bl <= N)%N ->
  (forall j, Z.le 0 (nth Z0 bl j) /\ IZR (nth Z0 bl j) <= IZR S * c j) ->
  Z.le 0 w -> IZR w <= IZR S * W ->
  IZR (over_block S rec w e x k bl).1 <= IZR B * (IZR S * W) * (\sum_(j < N) c j * term k j).
Proof.
move=> szN bel w0 wW; have Wp := weight_ge0 w0 wW.
have SW0 : 0 <= IZR B * (IZR S * W) by rewrite mulr_ge0 ?mulr_ge0 ?(ltW B0') ?(ltW S0').
have term0 k' j : 0 <= term k' j by rewrite /term; case/andP: (m01 (epsilon - v * (IZR k' - j%:R *+ 2))%R).
elim: bl c k N szN bel => [|b bl IH] c k N szN bel.
  rewrite mulr_ge0 // sumr_ge0 // => j _; rewrite mulr_ge0 //.
  by case: (bel j) => h; rewrite nth_nil; exact: weight_ge0.
case: N szN => // N szN; rewrite !big_ord_recl /=.
have [b0 bc] := bel 0%N; have [v0 vW] := next_weight w0 b0 wW bc.
have {IH} := IH (fun j => c j.+1) (k - 2)%coqZ N szN (fun j => bel j.+1).
rewrite (eq_bigr (fun j : 'I_N => c j.+1 * term k j.+1)) => [|j _]; last by rewrite term_step.
move=> IH; rewrite IZRD mulrDr ler_add //.
have -> : IZR B * (IZR S * W) * (c 0%N * term k 0%N) = IZR B * (IZR S * (W * c 0%N)) * term k 0%N by ring.
case: Z.eqb; first by rewrite !mulr_ge0 ?(ltW B0') ?(ltW S0') //; exact: (weight_ge0 b0 bc).
by rewrite /term mul0rn subr0; apply: rec_lower => //; exact: next_enclosure.
Qed.
End Block.

Lemma mean_nil epsilon : mean_profile mu [::] epsilon = G mu epsilon.
Proof. by rewrite /mean_profile /= mul1r divr1 ln_1 subr0. Qed.

Lemma IZR_of_nat n : IZR (Z.of_nat n) = n%:R.
Proof. by rewrite -INR_IZR_INZ; elim: n => // n IH; rewrite S_INR IH -[n.+1]addn1 natrD. Qed.

Section Groups.
Variables (gs : seq group) (ps : seq (nat * R)).
Hypothesis sound : List.Forall2 stands_for gs ps.

Lemma mixture_upper : (forall e epsilon, enclosed fine epsilon e -> IZR B * G mu epsilon <= IZR (value e)) ->
  forall w W e epsilon, Z.le 0 w -> IZR w <= IZR S * W -> enclosed fine epsilon e ->
  IZR B * (IZR S * W) * mean_profile mu (listed ps) epsilon <=
  IZR (mixture S value gs w e).1 + (IZR S * W - IZR (mixture S value gs w e).2) * IZR B.
Proof.
move=> above; elim: sound => [|[[k x] bl] [n v] gs' ps' [/= kE X bel] _ IH] w W e epsilon w0 wW E.
  rewrite mean_nil /= IZRM; set g := G mu epsilon.
  have -> : IZR B * (IZR S * W) * g = IZR w * (IZR B * g) + (IZR S * W - IZR w) * IZR B * g by ring.
  rewrite ler_add ?ler_wpmul2l ?above ?IZR_ge0 // ler_pimulr ?G_le1 //.
  by rewrite mulr_ge0 ?subr_ge0 ?(ltW B0').
rewrite /listed /= (@mean_nseq _ _ _ _ _ (maxn n.+1 (size bl))) ?leq_maxl //.
have c1 := answers_sum v (leq_maxl n.+1 (size bl)).
have := over_block_upper (mean_bounds mu (listed ps')) E X IH (c := fun j => (answers v ^+ n)`_j) k
  (leq_maxr n.+1 (size bl)) bel w0 wW.
by rewrite c1 mulr1 kE IZR_of_nat.
Qed.

Lemma mixture_lower : (forall e epsilon, enclosed fine epsilon e ->
    0 <= IZR (value e) <= IZR B * G mu epsilon) ->
  forall w W e epsilon, Z.le 0 w -> IZR w <= IZR S * W -> enclosed fine epsilon e ->
  IZR (mixture S value gs w e).1 <= IZR B * (IZR S * W) * mean_profile mu (listed ps) epsilon.
Proof.
move=> below; elim: sound => [|[[k x] bl] [n v] gs' ps' [/= kE X bel] _ IH] w W e epsilon w0 wW E.
  rewrite mean_nil /= IZRM [IZR B * _]mulrC -mulrA; have /andP[? ?] := below _ _ E.
  by apply: ler_pmul => //; exact: IZR_ge0.
rewrite /listed /= (@mean_nseq _ _ _ _ _ (maxn n.+1 (size bl))) ?leq_maxl //.
have := over_block_lower (mean_bounds mu (listed ps')) E X IH (c := fun j => (answers v ^+ n)`_j) k
  (leq_maxr n.+1 (size bl)) bel w0 wW.
by rewrite kE IZR_of_nat.
Qed.
End Groups.
End Soundness.

(** 11.12 [gaussian-mixture]. *)
Section Rules.
Variables (fine S B : Z) (value : enclosure -> Z) (gs : seq group) (ps : seq (nat * R)).
Variables (ns : seq notion) (epsilon delta : R) (e : enclosure) (dlo dhi : Z).
Hypotheses (P : all proper_notion ns) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypotheses (sound : List.Forall2 (stands_for fine S) gs ps) (same : forall mu, mean_profile mu (listed ps) epsilon = mean_profile mu (epsilons_of ns) epsilon).
Hypothesis E : enclosed fine epsilon e.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let sums := mixture S value gs S e.

Lemma rule_gaussian_mixture_mean :
  (forall e x, enclosed fine x e -> IZR B * G (total_mu square ns) x <= IZR (value e)) ->
  IZR dlo <= IZR B * mixed_slack ns delta -> Z.le (sums.1 + (S - sums.2) * B) (dlo * S) ->
  mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta.
Proof.
move=> above d /Z.leb_le; rewrite -IZR_le_iff IZRD !IZRM IZRB => check.
rewrite -same -(ler_pmul2l B0') -(ler_pmul2l S0').
have := mixture_upper S0 B0 sound above (Z.lt_le_incl _ _ S0) (_ : IZR S <= IZR S * 1) E.
rewrite mulr1 => /(_ (lexx _)); rewrite [IZR B * _]mulrC -mulrA => /le_trans; apply.
by apply: le_trans check _; rewrite mulrC ler_wpmul2l // ltW.
Qed.

Theorem rule_gaussian_mixture_upper : gaussian_composes -> all (fun n => ~~ concentrated n) ns ->
  (forall e x, enclosed fine x e -> IZR B * G (total_mu square ns) x <= IZR (value e)) ->
  IZR dlo <= IZR B * mixed_slack ns delta -> Z.le (sums.1 + (S - sums.2) * B) (dlo * S) ->
  mixed_upper G ns epsilon delta.
Proof. by move=> composes none above d check; apply: upper_of_mean => //; exact: rule_gaussian_mixture_mean. Qed.

Theorem rule_gaussian_mixture_lower : gaussian_attains ->
  (forall e x, enclosed fine x e -> 0 <= IZR (value e) <= IZR B * G (total_mu square_below ns) x) ->
  IZR B * mixed_slack ns delta <= IZR dhi -> Z.lt (dhi * S) sums.1 ->
  mixed_lower G ns epsilon delta.
Proof.
move=> attains below d /Z.ltb_lt; rewrite -IZR_lt_iff IZRM => check.
apply: attains => //; rewrite -same -(ltr_pmul2l B0') -(ltr_pmul2l S0').
have := mixture_lower S0 B0 sound below (Z.lt_le_incl _ _ S0) (_ : IZR S <= IZR S * 1) E.
rewrite mulr1 => /(_ (lexx _)); rewrite [IZR B * _]mulrC -mulrA; apply: lt_le_trans.
by apply: le_lt_trans check; rewrite [X in _ <= X]mulrC ler_wpmul2l // ltW.
Qed.
End Rules.
