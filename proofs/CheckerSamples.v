(** The verified checker: the Rényi divergence of whole order of a sample, from above as a rational, so that
    `moments` adds it to those that are listed.

    It is the logarithm of a sum of exponentials (SampledNoise.v), whose exponents are taken from above one
    after the other, with the binomial coefficients. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Powers Moments RulesConcentrated RulesNoiseRenyi NoiseLedgers.
From ExactDP Require Import LaplaceMoments SampledMoments SampledNoise NoiseEntries.
From ExactDP Require Import Logarithms Exponentials Comparisons Enclosures EnclosuresOfNumbers Ratios.
From ExactDP Require Import CheckerClosed CheckerGroups CheckerConcentrated CheckerNoise CheckerLaplace CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variable w : Z.

(** Of what is sampled, at the whole order k, the logarithm of the moment. *)
Definition log_base_moment (b : base_noise) (k : Z) : option Z :=
  match b with
  | BaseNormal m => Some (enclosure_of_fraction w (k * (k - 1) * (m.1 * m.1)) (2 * (Zpos m.2 * Zpos m.2))).2
  | BaseLaplace a => option_map snd (log_laplace_moment w (Order k 1) a)
  | BaseShift r s => option_map snd (response_enclosure w (Order k 1) (enclosure_of_fraction w (Zpos s * r.1) (Zpos r.2)))
  | BaseRange _ => None
  | BaseBell v s => Some (enclosure_of_fraction w (k * (k - 1) * (Zpos s * Zpos s * Zpos v.2)) (2 * v.1)).2
  | BaseLines _ | BaseReports _ => None
  end.

(** Of the terms from k on, beside c = C(n, k); [away] and [there] are the logarithms of 1 - q and q. *)
Section Terms.
Variables (b : base_noise) (n away there : Z).
Definition log_term (k c : Z) : option Z :=
  if (if Z.leb k 1 then Some Z0 else log_base_moment b k) is Some m
  then Some ((ln_of_quotient w c 1).2 + (n - k) * away + k * there + m)%coqZ else None.
Fixpoint log_terms (many : nat) (k c : Z) : option (seq Z) :=
  if many is many'.+1 then
    if (log_term k c, log_terms many' (k + 1) (c * (n - k) / (k + 1))) is (Some l, Some ls) then Some (l :: ls) else None
  else Some [::].
End Terms.

Definition log_sample_moment (x : sample) (n : nat) : option Z :=
  let q := rate x in
  let logs := (ln_of_quotient w (Zpos q.2 - q.1) (Zpos q.2), ln_of_quotient w q.1 (Zpos q.2)) in
  if log_terms (base x) (Z.of_nat n) logs.1.2 logs.2.2 n.+1 0 1 is Some ls then log_of_sum w ls else None.

Variable o : order.
Definition sample_divergence (x : sample) : option ratio :=
  if Z.eqb (order_below o) 1 && sample_ok x then
    if log_sample_moment x (Z.to_nat (order_above o)) is Some h
    then Some (h, Z.to_pos ((order_above o - 1) * Z.shiftl 1 w)) else None
  else None.
Fixpoint sample_orders (ss : seq (sample * Z)) : option (seq (orders * Z)) :=
  if ss is s :: ss' then
    if (sample_divergence s.1, sample_orders ss') is (Some r, Some rest)
    then Some (([:: (own_order o, r)], s.2) :: rest) else None
  else Some [::].
End Program.

Section Sound.
Variables (w : Z) (w0 : Z.le 0 w).
Let B0 : 0 < IZR (2 ^ w) :> R. Proof. exact/RltP/power2_gt0. Qed.
Let scaled (v : R) (l : Z) := v * IZR (2 ^ w) <= IZR l.

Lemma order_of_whole k : order_of (Order k 1) = IZR k.
Proof. by rewrite /order_of /fraction /= divr1. Qed.

Lemma IZR_nat n : IZR (Z.of_nat n) = n%:R :> R.
Proof. by rewrite -INR_IZR_INZ INRE. Qed.

Lemma base_moment_gt0 c (a : R) : sampled_proper c -> 1 < a -> 0 < base_moment c a.
Proof.
by case: c => [mu|b|//|d s|v s|//] c0 a1; rewrite ?exp_gt0 ?laplace_moment_gt0 ?response_moment_gt0.
Qed.

Lemma log_base_momentP b k m : base_ok b -> Z.lt 1 k -> log_base_moment w b k = Some m ->
  scaled (ln (base_moment (curve_of b) (IZR k))) m.
Proof.
move=> ok k1; have o_ok : order_ok (Order k 1) by apply/andP; split=> //; exact/Z.ltb_lt.
have upper v e : enclosed w v e -> scaled v e.2 by move/enclosedP/andP=> [].
case: b ok => [m'|a|//|r s|v s|//|//] ok; rewrite /log_base_moment; last first.
- have v0 : Z.lt 0 v.1 by exact/Z.ltb_lt.
  have rho : (Pos.to_nat s)%:R ^+ 2 / (2%:R * of_ratio v) = of_ratio ((Zpos s * Zpos s * Zpos v.2)%coqZ, Z.to_pos (2 * v.1)).
    by rewrite -(@bell_rhoE (v, s) v0).
  move/Some_inj => <-; apply: upper; rewrite /= ln_exp rho.
  have -> : IZR k * (IZR k - 1) * of_ratio ((Zpos s * Zpos s * Zpos v.2)%coqZ, Z.to_pos (2 * v.1)) =
      IZR (k * (k - 1) * (Zpos s * Zpos s * Zpos v.2)) / IZR (2 * v.1).
    rewrite /of_ratio /fraction; cbn [fst snd]; rewrite Z2Pos.id; last by lia.
    by rewrite mulrA [in RHS]IZRM [in RHS]IZRM IZRB.
  by apply: enclosed_fraction; lia.
- case L: (response_enclosure _ _ _) => [e|] // [<-]; apply: upper.
  have E : enclosed w ((Pos.to_nat s)%:R * of_ratio r) (enclosure_of_fraction w (Zpos s * r.1) (Zpos r.2)).
    have -> : (Pos.to_nat s)%:R * of_ratio r = IZR (Zpos s * r.1) / IZR (Zpos r.2) by rewrite IZRM IZR_pos mulrA.
    exact: enclosed_fraction.
  by have := response_enclosed w0 o_ok E L; rewrite order_of_whole.
- case L: (log_laplace_moment _ _ _) => [e|] // [<-]; apply: upper.
  by have := log_laplace_momentP w0 o_ok L; rewrite order_of_whole.
move/Some_inj => <-; apply: upper; rewrite /= ln_exp.
have -> : IZR k * (IZR k - 1) * (of_ratio m' ^+ 2 / 2%:R) =
    IZR (k * (k - 1) * (m'.1 * m'.1)) / IZR (2 * (Zpos m'.2 * Zpos m'.2)).
  have -> : of_ratio m' ^+ 2 / 2%:R = IZR (m'.1 * m'.1) / IZR (2 * (Zpos m'.2 * Zpos m'.2)).
    by rewrite /of_ratio /fraction expr2 mulf_div !IZRM two_R [2%:R * _]mulrC -[LHS]mulrA -invfM.
  by rewrite mulrA [in RHS]IZRM [in RHS]IZRM IZRB.
by apply: enclosed_fraction; lia.
Qed.

Section Terms.
Variables (b : base_noise) (q : ratio) (n : nat).
Hypotheses (ok : base_ok b) (q0 : 0 < of_ratio q) (q1 : of_ratio q < 1).
Let away := (ln_of_quotient w (Zpos q.2 - q.1) (Zpos q.2)).2.
Let there := (ln_of_quotient w q.1 (Zpos q.2)).2.

(** The exponent of the term k, where there is one. *)
Definition exponent_at (k : nat) : R :=
  (ln 'C(n, k)%:R + (n%:R - k%:R) * ln (1 - of_ratio q) + k%:R * ln (of_ratio q) +
   (if (k <= 1)%N then 0 else ln (base_moment (curve_of b) k%:R)))%R.

Lemma logs_above : scaled (ln (1 - of_ratio q)) away /\ scaled (ln (of_ratio q)) there.
Proof.
have D0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
have p0 : Z.lt 0 q.1 by apply/Z.ltb_lt; rewrite -(IZR_lt_iff Z0) -(pmulr_lgt0 _ (_ : 0 < (IZR (Zpos q.2))^-1)) ?invr_gt0.
have p1 : Z.lt q.1 (Zpos q.2) by apply/Z.ltb_lt; rewrite -IZR_lt_iff -[X in _ < X]mul1r -ltr_pdivr_mulr.
have e : 1 - of_ratio q = IZR (Zpos q.2 - q.1) / IZR (Zpos q.2).
  by rewrite IZRB mulrBl divff // gt_eqF.
have upper x y : Z.lt 0 x -> Z.lt 0 y -> scaled (ln (IZR x / IZR y)) (ln_of_quotient w x y).2.
  move=> x0 y0; have := ln_of_quotient_enclosed w w0 x y x0 y0; have Y0 : 0 < IZR y by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  by rewrite RdivE ?gt_eqF // => /enclosedP/andP[].
by split; [rewrite e; apply: upper; lia|exact: upper].
Qed.

Lemma log_termP k l : (k <= n)%N -> log_term w b (Z.of_nat n) away there (Z.of_nat k) (Z.of_nat 'C(n, k)) = Some l ->
  scaled (exponent_at k) l.
Proof.
move=> kn; rewrite /log_term; have [A T] := logs_above.
have c0 : Z.lt 0 (Z.of_nat 'C(n, k)) by apply: (inj_lt 0); apply/ssrnat.ltP; rewrite bin_gt0.
have C : scaled (ln 'C(n, k)%:R) (ln_of_quotient w (Z.of_nat 'C(n, k)) 1).2.
  have := ln_of_quotient_enclosed w w0 (Z.of_nat 'C(n, k)) 1 c0 (ltac:(lia)).
  have -> : (IZR (Z.of_nat 'C(n, k)) / IZR 1)%coqR = 'C(n, k)%:R.
    by rewrite -IZR_nat /Rdiv Rinv_1 Rmult_1_r.
  by case/enclosedP/andP.
case M: (if _ then _ else _) => [m|] // [<-].
have {}M : scaled (if (k <= 1)%N then 0 else ln (base_moment (curve_of b) k%:R)) m.
  move: M; have -> : Z.leb (Z.of_nat k) 1 = (k <= 1)%N.
    by apply/idP/idP => [/Z.leb_le h|/ssrnat.leP h]; [apply/ssrnat.leP|apply/Z.leb_le]; lia.
  case: leqP => k1; first by move=> [<-]; rewrite /scaled mul0r.
  by rewrite -IZR_nat; apply: log_base_momentP => //; move/ssrnat.ltP: k1; lia.
have gap : 0 <= n%:R - k%:R :> R by rewrite subr_ge0 ler_nat.
have gapE : IZR (Z.of_nat n - Z.of_nat k) = n%:R - k%:R by rewrite IZRB !IZR_nat.
rewrite /scaled /exponent_at 3!IZRD (IZRM (_ - _)) gapE (IZRM (Z.of_nat k)) IZR_nat.
move: (n%:R - k%:R) gap => u u0; rewrite !mulrDl -!mulrA.
by do !apply: ler_add => //; apply: ler_wpmul2l => //; exact: ler0n.
Qed.

Lemma log_termsP many k ls : (k + many = n.+1)%N ->
  log_terms w b (Z.of_nat n) away there many (Z.of_nat k) (Z.of_nat 'C(n, k)) = Some ls ->
  size ls = many /\ all (fun x => x.1 * IZR (2 ^ w) <= IZR x.2) (zip [seq exponent_at j | j <- iota k many] ls).
Proof.
elim: many k ls => [|many IH] k ls /=; first by move=> _ [<-].
move=> e; case L: (log_term _ _ _ _ _ _ _) => [l|] //; case T: (log_terms _ _ _ _ _ _ _ _) => [rest|] // [<-].
have kn : (k <= n)%N by rewrite -ltnS -e addnS ltnS leq_addr.
have next : (Z.of_nat 'C(n, k) * (Z.of_nat n - Z.of_nat k) / (Z.of_nat k + 1))%coqZ = Z.of_nat 'C(n, k.+1).
  have -> : (Z.of_nat n - Z.of_nat k)%coqZ = Z.of_nat (n - k) by rewrite Nat2Z.inj_sub //; exact/ssrnat.leP.
  have -> : (Z.of_nat k + 1)%coqZ = Z.of_nat k.+1 by lia.
  rewrite -Nat2Z.inj_mul -[Nat.mul _ _]/(muln _ _) mulnC -mul_bin_left -[muln _ _]/(Nat.mul _ _) Nat2Z.inj_mul Z.mul_comm.
  by apply: Z.div_mul; lia.
have up : (Z.of_nat k + 1)%coqZ = Z.of_nat k.+1 by lia.
move: T; rewrite next up => T; have [|many_of rest_ok] := IH _ _ _ T; first by rewrite addSn -addnS.
by split; [rewrite /= many_of|rewrite /= rest_ok andbT; exact: log_termP L].
Qed.
End Terms.

Lemma exp_exponent_at b q n k : base_ok b -> 0 < of_ratio q -> of_ratio q < 1 -> (k <= n)%N ->
  exp (exponent_at b q n k) = 'C(n, k)%:R * (1 - of_ratio q) ^+ (n - k) * of_ratio q ^+ k *
    (if (k <= 1)%N then 1 else base_moment (curve_of b) k%:R).
Proof.
move=> ok q0 q1 kn; rewrite /exponent_at -natrB // !expD !exp_natural !lnK ?subr_gt0 ?ltr0n ?bin_gt0 //.
congr (_ * _); case: leqP => k1; first exact: exp_0.
by rewrite lnK //; apply: base_moment_gt0; [exact: base_okP|rewrite ltr1n].
Qed.

Lemma log_sample_momentP x n h : sample_ok x -> log_sample_moment w x n = Some h ->
  ln (sample_moment (of_ratio (rate x)) (curve_of (base x)) n) <= IZR h / IZR (2 ^ w).
Proof.
case/sample_okP=> q0 q1 ok; rewrite /log_sample_moment; case T: (log_terms _ _ _ _ _ _ _ _) => [ls|] // S.
have one : 1%coqZ = Z.of_nat 'C(n, 0) by rewrite bin0.
rewrite one -[Z0]/(Z.of_nat 0) in T; have [size_ls up] := log_termsP ok q0 q1 (erefl : (0 + n.+1 = n.+1)%N) T.
set vs := map _ _ in up; have size_vs : size vs = size ls by rewrite size_map size_iota size_ls.
pose v (i : R * Z) : R := if i.1 * IZR (2 ^ w) <= IZR i.2 then i.1 else (IZR i.2 / IZR (2 ^ w))%R.
have V i : v i * IZR (2 ^ w) <= IZR i.2 by rewrite /v; case: ifP => // _; rewrite divfK // gt_eqF.
have all_ls : [seq i.2 | i <- zip vs ls] = ls by rewrite -/(unzip2 _) unzip2_zip // size_vs.
have := log_of_sumP w0 V (s := zip vs ls) (h := h); rewrite all_ls => /(_ S) le.
rewrite -exp_le lnK ?sample_moment_gt0 //; last exact: base_okP.
apply: le_trans le; rewrite (eq_big_seq (fun i => exp i.1)) => [|i i_in]; last first.
  by rewrite /v (allP up i i_in).
have -> : \sum_(i <- zip vs ls) exp i.1 = \sum_(u <- vs) exp u.
  by rewrite -[in RHS](unzip1_zip (s := vs) (t := ls)) ?size_vs // big_map.
rewrite big_map -[iota 0 n.+1]/(index_iota 0 n.+1) big_mkord /sample_moment /sampled_sum.
by apply: ler_sum => k _; rewrite exp_exponent_at // -ltnS.
Qed.

Section Orders.
Variable o : order.
Hypothesis o_ok : order_ok o.
Let al := order_of o.

Lemma sample_divergenceP x r : sample_divergence w o x = Some r ->
  entry_proper al (sample_noise x) /\ log_bound al (entry_at al (sample_noise x)) <= (al - 1) * of_ratio r.
Proof.
rewrite /sample_divergence; case: ifP => // /andP[/Z.eqb_eq d1 ok].
case L: (log_sample_moment _ _ _) => [h|] // [<-].
have n1 : Z.lt 1 (order_above o) by case/andP: o_ok => _ /Z.ltb_lt; rewrite d1.
have alE : al = (Z.to_nat (order_above o))%:R.
  by rewrite -IZR_nat Z2Nat.id /al /order_of /fraction ?d1 ?divr1 //; lia.
have whole : whole_order al = Z.to_nat (order_above o) by rewrite alE whole_orderE.
split; first by apply: sample_proper ok; rewrite whole.
have := log_sample_momentP ok L; rewrite /= -whole => le; apply: le_trans le _.
have S0 : Z.lt 0 (Z.shiftl 1 w) by rewrite Z.shiftl_1_l; exact: Z.pow_pos_nonneg.
have P0 : Z.lt 0 ((order_above o - 1) * Z.shiftl 1 w) by apply: Z.mul_pos_pos; lia.
rewrite /of_ratio /fraction; cbn [fst snd]; rewrite (Z2Pos.id _ P0) IZRM IZRB Z.shiftl_1_l.
have -> : IZR (order_above o) = al by rewrite alE -IZR_nat Z2Nat.id //; lia.
have a1 : al - 1 != 0 by rewrite subr_eq0 gt_eqF //; exact: order_gt1.
by rewrite invfM [_ * (IZR h * _)]mulrCA [(al - 1) * _]mulrA divff // mul1r.
Qed.

Lemma own_bound r : log_bound al (Ordered (real_orders [:: (own_order o, r)])) = (al - 1) * of_ratio r.
Proof.
have d0 : Z.lt 0 (order_below o) by case/andP: o_ok => /Z.ltb_lt.
rewrite /log_bound /real_orders /first_order /=; have -> : of_ratio (own_order o) = al.
  by rewrite /of_ratio /own_order /fraction; cbn [fst snd]; rewrite (Z2Pos.id _ d0).
by rewrite lexx.
Qed.

Lemma sample_ordersP ss os : sample_orders w o ss = Some os ->
  all (fun x => entry_proper al (sample_noise x.1)) ss /\
  \sum_(e <- in_samples al ss) log_bound al e <= \sum_(e <- in_orders os) log_bound al e.
Proof.
elim: ss os => [|l ss IH] os /=; first by move=> [<-]; rewrite !big_nil.
case R0: (sample_divergence _ _ _) => [r|] //; case E: (sample_orders _ _ _) => [rest|] // [<-].
have [W more] := IH _ E; have [proper le] := sample_divergenceP R0; split; first by apply/andP.
rewrite /in_samples /in_orders /many /= !big_cat; apply: ler_add; last exact: more.
rewrite !big_nseq own_bound; elim: (Z.to_nat l.2) => [|k IHk] /=; [exact: lexx|exact: ler_add].
Qed.

Lemma in_samples_proper a ss : all (proper_entry a) (in_samples a ss) /\
  \prod_(e <- in_samples a ss) (1 - entry_failure e) = 1.
Proof.
split.
  by rewrite /in_samples /many; elim: ss => //= l ss IH; rewrite all_cat all_nseq orbT.
rewrite /in_samples /many big_flatten big_map big1 // => l _.
by rewrite big_nseq iter_mulr_1 /= subr0 expr1n.
Qed.
End Orders.
End Sound.
