(** The verified checker: what the checks of `rational-odds` accept holds. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules RuleRationalOdds Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed Tables CheckerDelta Merging.
From ExactDP Require Import CheckerRationalOdds.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Lemma zsum_map (T : Type) (h : T -> Z) s : zsum [seq h x | x <- s] = \sum_(x <- s) h x.
Proof. by elim: s => [|x s IH] /=; rewrite ?big_nil // big_cons -IH. Qed.

Section Sums.
Variables (F : Z * Z -> Z) (n d : Z).

(** A sum over the choices of all mechanisms. *)
Definition over (nd : seq (Z * Z)) (fg : Z * Z) : Z := zsum [seq F z | z <- choices nd fg.1 fg.2].

Lemma over_cons nd f g :
  over ((n, d) :: nd) (f, g) = over nd (f * n, g * d)%coqZ + over nd (f * d, g * n)%coqZ.
Proof. by rewrite /over /= !zsum_map big_cat. Qed.

Lemma pascal (H : nat -> Z) c :
  \sum_(j < c.+1) H j.+1 *+ 'C(c, j) + \sum_(j < c.+1) H j *+ 'C(c, j) =
  \sum_(j < c.+2) H j *+ 'C(c.+1, j).
Proof.
rewrite [in RHS]big_ord_recl /= bin0 mulr1n.
under [in RHS]eq_bigr => i _ do rewrite /bump leq0n add1n binS mulrnDr.
rewrite big_split /= addrA [LHS]addrC; congr (_ + _).
rewrite [LHS]big_ord_recl bin0 mulr1n; congr (_ + _).
rewrite [RHS]big_ord_recr /= bin_small // mulr0n addr0.
by apply: eq_bigr => i _; rewrite /bump leq0n add1n.
Qed.

Lemma over_group nd c f g : over (nseq c (n, d) ++ nd) (f, g) =
  \sum_(j < c.+1) over nd (f * (n ^ Z.of_nat j * d ^ Z.of_nat (c - j)),
                           g * (d ^ Z.of_nat j * n ^ Z.of_nat (c - j)))%coqZ *+ 'C(c, j).
Proof.
elim: c f g => [|c IH] f g; first by rewrite big_ord1 /= bin0 mulr1n !Z.mul_1_r.
pose H i := over nd (f * (n ^ Z.of_nat i * d ^ Z.of_nat (c.+1 - i)),
                     g * (d ^ Z.of_nat i * n ^ Z.of_nat (c.+1 - i)))%coqZ.
rewrite -/(H _) -(pascal H) [LHS]over_cons !IH.
have powS (z : Z) i : (z ^ Z.of_nat i.+1 = z * z ^ Z.of_nat i)%coqZ.
  by rewrite Nat2Z.inj_succ Z.pow_succ_r //; exact: Nat2Z.is_nonneg.
congr (_ + _); apply: eq_bigr => i _; congr (over nd (_, _) *+ _).
- by rewrite subSS powS; lia.
- by rewrite subSS powS; lia.
- by rewrite subSn ?powS; [lia|rewrite -ltnS].
- by rewrite subSn ?powS; [lia|rewrite -ltnS].
Qed.
End Sums.

Definition sum_over (F : Z * Z -> Z) (t : seq sets) : Z := zsum [seq (x.2 * F x.1)%coqZ | x <- t].

Lemma mulrnZ (x : Z) k : x *+ k = (Z.of_nat k * x)%coqZ.
Proof.
elim: k => [|k IH]; first by rewrite mulr0n.
by rewrite mulrS IH Nat2Z.inj_succ Z.mul_succ_l Z.add_comm.
Qed.

Lemma groupE n d c : group n d c = [seq choice n d c j (Z.of_nat 'C(c, j)) | j <- iota 0 c.+1].
Proof.
suff h l j : (j + l <= c.+1)%N -> choices_from n d c j (Z.of_nat 'C(c, j)) l =
    [seq choice n d c i (Z.of_nat 'C(c, i)) | i <- iota j l] by rewrite -h // bin0.
elim: l j => [|l IH] j // le; rewrite [LHS]/= [RHS]/=; congr (_ :: _).
rewrite -IH; last by rewrite addSnnS.
have jc : (j <= c)%N by rewrite -ltnS (leq_trans _ le) // -addn1 leq_add2l.
have e : ('C(c, j) * (c - j) = 'C(c, j.+1) * j.+1)%N by rewrite mulnC -mul_bin_left mulnC.
congr choices_from; rewrite -[RHS](Z.div_mul _ (Z.of_nat j.+1)) // -!Nat2Z.inj_mul.
by rewrite -[Nat.mul _ _]/('C(c, j) * (c - j))%N e.
Qed.

Lemma sum_over_multiplied F table n d c : sum_over F (multiplied table n d c) =
  sum_over (fun fg => \sum_(y <- group n d c) (y.2 * F (fg.1 * y.1.1, fg.2 * y.1.2))%coqZ) table.
Proof.
rewrite /sum_over /multiplied zsum_map (@sum_merged_all _ by_f joined_sets _ (fun x => (x.2 * F x.1)%coqZ)).
  have pull m (ys : seq sets) h : (m * \sum_(y <- ys) h y)%coqZ = \sum_(y <- ys) (m * h y)%coqZ.
    exact: mulr_sumr.
  rewrite big_map zsum_map; under [in RHS]eq_bigr => x _ do rewrite pull.
  rewrite [RHS]exchange_big /=; apply: eq_bigr => y _; rewrite /scaled_sets.
  have -> r : foldl (fun r x => product_of_sets x y :: r) r table =
      catrev [seq product_of_sets x y | x <- table] r.
    by elim: table r => [|x t IH] r //=; rewrite IH.
  rewrite -/(rev _) revK big_map; apply: eq_bigr => -[[f g] m] _ /=; lia.
move=> [[f g] m] [[f' g'] m']; rewrite /by_f /=.
by case: Z.ltb => //; case: Z.eqb_spec => // ->; case: Z.eqb_spec => //= -> _; rewrite Z.mul_add_distr_r.
Qed.

Section Checked.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let D0 : Z.lt 0 (denominator s). Proof. by case/and4P: ok => _ /Z.ltb_lt. Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let L := ledger_of s.

Lemma odds_sound x n d : odds s x = Some (n, d) ->
  [/\ Z.lt 0 n, Z.lt 0 d & exp (real s x) = IZR n / IZR d].
Proof.
rewrite /odds; case: ifP => // /andP[/Z.eqb_eq x0 divides] [e].
have := power_product_ln bits0 qs_ok [seq floor_div k (denominator s) | k <- x.2]; rewrite e => -[n0 d0 l].
split=> //; have D1 : IZR (denominator s) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have n0' : 0 < IZR n by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have d0' : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have <- : exp (log_sum (quotients s) [seq floor_div k (denominator s) | k <- x.2]) = IZR n / IZR d.
  by rewrite l exp_ln ?RdivE ?gt_eqF //; apply/RltP; rewrite divr_gt0.
rewrite /real /value x0; congr exp.
have xs : x.2 = [seq (denominator s * k)%coqZ | k <- [seq floor_div k (denominator s) | k <- x.2]].
  rewrite -map_comp -[LHS]map_id; apply/eq_in_map => k kx.
  by have /Z.eqb_eq := allP divides k kx.
by rewrite {1}xs log_sum_scale add0r mulrC mulKf.
Qed.

(** The odds of the mechanisms with epsilon > 0, listed one by one. *)
Fixpoint all_odds (es : seq entry) : seq (Z * Z) :=
  if es is e :: es' then
    if odds s (epsilon e) is Some (n, d) then
      if Z.eqb n d then all_odds es' else nseq (Z.to_nat (count e)) (n, d) ++ all_odds es'
    else [::]
  else [::].

Lemma collected_sound sums es table t : collected s sums es table = Some t ->
  forall F, sum_over F t = sum_over (over F (all_odds es)) table.
Proof.
elim: es table => [|e es IH] table /=.
  move=> [->] F; rewrite /sum_over; congr zsum; apply: eq_map => x.
  by rewrite /over /= Z.add_0_r -surjective_pairing.
case: (odds s (epsilon e)) => [[n d]|] //; case: ifP => _; first exact: IH.
case: Nat.leb => // /IH{}IH F; rewrite IH sum_over_multiplied /sum_over; congr zsum.
apply: eq_map => -[[g h] m]; rewrite over_group groupE big_map /=; congr (_ * _)%coqZ.
rewrite -[0%N :: _]/(index_iota 0 (Z.to_nat (count e)).+1) big_mkord; apply: eq_bigr => i _.
by rewrite mulrnZ.
Qed.

Lemma all_odds_sound sums es table t : collected s sums es table = Some t ->
  List.Forall (fun e => Z.le 0 (count e)) es ->
  [/\ all (fun p => Z.ltb 0 p.1 && Z.ltb 0 p.2) (all_odds es),
      [seq exp x | x <- flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e)) | e <- es] & exp x != 1] =
        [seq IZR p.1 / IZR p.2 | p <- all_odds es] &
      foldr (fun e r => if odds s (epsilon e) is Some (n, d)
        then if Z.eqb n d then r else ((n + d) ^ count e * r)%coqZ else r) 1%coqZ es =
        foldr (fun p r => ((p.1 + p.2) * r)%coqZ) 1%coqZ (all_odds es)].
Proof.
elim: es table => [|e es IH] table //= h c0; have c := List.Forall_inv c0.
case o: (odds s (epsilon e)) h => [[n d]|] //; have [n0 d0 v] := odds_sound o.
have D0' : IZR d != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
rewrite filter_cat map_cat filter_nseq v; case: Z.eqb_spec => [e1|ne] h.
  have [h1 h2 h3] := IH _ h (List.Forall_inv_tail c0).
  by rewrite e1 divff // eqxx /=.
have one : (IZR n / IZR d != 1).
  rewrite -(divff D0') (inj_eq (mulIf _)) ?invr_eq0 //; apply/eqP => /eq_IZR; exact: ne.
have {}h : exists t', collected s sums es t' = Some t by move: h; case: Nat.leb => // h; eexists; exact: h.
have [t' {}h] := h; have [h1 h2 h3] := IH _ h (List.Forall_inv_tail c0).
rewrite one /= mul1n; split.
- by rewrite all_cat h1 andbT all_nseq /= (proj2 (Z.ltb_lt _ _) n0) (proj2 (Z.ltb_lt _ _) d0) orbT.
- by rewrite h2 map_cat !map_nseq v.
rewrite h3 foldr_cat; set r := foldr _ _ (all_odds es).
rewrite -{1}(Z2Nat.id _ c); elim: (Z.to_nat _) => [|k IHk]; first by rewrite Z.pow_0_r Z.mul_1_l.
by rewrite [RHS]/= -IHk Nat2Z.inj_succ Z.pow_succ_r ?Z.mul_assoc //; exact: Nat2Z.is_nonneg.
Qed.

Lemma odds_bound_sound upward x y unit : odds_bound f s upward x = Some (y, unit) ->
  Z.ltb 0 unit /\ if upward then IZR y <= exp (real s x) * IZR unit else exp (real s x) * IZR unit <= IZR y.
Proof.
rewrite /odds_bound; case o: (odds s x) => [[n d]|].
  move=> [<- <-]; have [n0 d0 ->] := odds_sound o; split; first exact/Z.ltb_lt.
  by rewrite divfK ?gt_eqF ?if_same // (IZR_lt_iff Z0); exact/Z.ltb_lt.
case h: (exponential _ _) => [e|] // [<- <-]; split; first exact/Z.ltb_lt/Z.pow_pos_nonneg.
have /enclosedP/andP[lo hi] := enclosed_exponential _ bits0 _ _ _ (enclosed_number bits0 x qs_ok D0) h.
by case: upward.
Qed.
End Checked.

Section Theorems.
Variables (f : effort) (s : subject) (sums : nat) (x : combination) (a b : Z).
Let L := ledger_of s.

Lemma epsilonsE :
  epsilons L = flatten [seq nseq (Z.to_nat (count e)) (real s (epsilon e)) | e <- entries s].
Proof.
rewrite /epsilons /L /ledger_of map_flatten -map_comp; congr flatten.
by apply: eq_map => e /=; rewrite map_nseq.
Qed.

Lemma with_setsP upward compare : with_sets f s upward sums x a b compare ->
  subject_ok f s /\ exists nd table y unit,
  [/\ [seq exp e | e <- epsilons L & exp e != 1] = [seq IZR p.1 / IZR p.2 | p <- nd],
      all (fun p => Z.ltb 0 p.1 && Z.ltb 0 p.2) nd,
      forall F, zsum [seq (t.2 * F t.1)%coqZ | t <- table] = zsum [seq F fg | fg <- choices nd 1 1],
      Z.ltb 0 unit /\ (if upward then IZR y <= exp (real s x) * IZR unit
                       else exp (real s x) * IZR unit <= IZR y) &
      let: (above, below) := Delta_fraction s a b in
      [/\ Z.ltb 0 below, IZR above = slack L (fraction a b) * IZR below &
       compare (zsum [seq (t.2 * excess unit y t.1)%coqZ | t <- table] * below)%coqZ
         (above * unit * foldr (fun p r => ((p.1 + p.2) * r)%coqZ) 1%coqZ nd)%coqZ]].
Proof.
case/andP=> /andP[ok /Z.ltb_lt b0]; case ob: (odds_bound _ _ _ _) => [[y unit]|] //.
case col: (collected _ _ _ _) => [table|] // check; split=> //.
have c0 : List.Forall (fun e => Z.le 0 (count e)) (entries s).
  by apply: List.Forall_impl (entries_ok ok) => e [].
have [nd0 nd1 nd2] := all_odds_sound ok col c0.
exists (all_odds s (entries s)), table, y, unit; split=> //.
- by rewrite epsilonsE.
- by move=> F; rewrite -/(sum_over F table) (collected_sound col) -[RHS]Z.mul_1_l -[RHS]Z.add_0_r.
- exact: (odds_bound_sound ok ob).
have [e0 slackE] := Delta_fraction_sound ok a b0.
move: check e0 slackE; case: (Delta_fraction s a b) => above below check /= e0 slackE; split.
- exact/Z.ltb_lt.
- by rewrite -slackE divfK // gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
move: check; rewrite /whole nd2; congr (is_true (compare (_ * _)%coqZ _)).
suff h z : foldl (fun sum t => (sum + t.2 * excess unit y t.1)%coqZ) z table =
    (z + zsum [seq (t.2 * excess unit y t.1)%coqZ | t <- table])%coqZ by rewrite /left_side h.
by elim: (table) z => [|t ts IH] z /=; [rewrite Z.add_0_r|rewrite IH Z.add_assoc].
Qed.

Theorem check_rational_odds_upper_sound : check_rational_odds_upper f s sums x a b ->
  upper L (real s x) (fraction a b).
Proof.
case/with_setsP=> ok [nd [table [y [unit [h1 h2 h3 [unit0 hy]]]]]].
case: (Delta_fraction s a b) => above below [below0 Delta check].
exact: (rule_rational_odds_upper (ledger_proper ok) h1 h2 h3 unit0 below0 Delta hy check).
Qed.

Theorem check_rational_odds_lower_sound : check_rational_odds_lower f s sums x a b ->
  lower L (real s x) (fraction a b).
Proof.
rewrite /check_rational_odds_lower => /with_setsP[ok [nd [table [y [unit [h1 h2 h3 [unit0 hy]]]]]]].
case: (Delta_fraction s a b) => above below [below0 Delta check].
exact: (rule_rational_odds_lower (ledger_proper ok) h1 h2 h3 unit0 below0 Delta hy check).
Qed.
End Theorems.
