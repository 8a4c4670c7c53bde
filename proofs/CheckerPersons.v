(** Several records of one person in a sampled sum, for a check in integers: how many of them take part, by whole
    numbers of a common total ([chances]), and the half-lines of the mixture ([person_sample]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Losses Notions RulesGaussian NoiseLedgers LineCurves ThreeNormalLaws.
From ExactDP Require Import PersonInSample Comparisons Ratios CheckerClosed CheckerLines CheckerNoise CertificateNoise.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Of n records, each takes part with the chance a/(a + r): times (a + r)^n. *)
Fixpoint spread (a r carry : Z) (ws : seq Z) : seq Z :=
  if ws is w :: ws' then (carry + r * w)%coqZ :: spread a r (a * w) ws' else [:: carry].
Fixpoint chances (a r : Z) (n : nat) : seq Z := if n is n'.+1 then spread a r 0 (chances a r n') else [:: 1%coqZ].

Fixpoint lines_from (k : Z) (ws : seq Z) : seq whole_line :=
  if ws is w :: ws' then (w, Z0, k) :: lines_from (k + 1) ws' else [::].
Definition person_lines (v : ratio) (some : Z) (ws : seq Z) : half_lines :=
  HalfLines v (Z.to_pos some) ((Z0, (- some)%coqZ, Z0) :: lines_from 1 ws, Z0) None.

(** By the square of mu; the rate is the chance that some record takes part. *)
Definition person_sample (v q : ratio) (n : nat) : option sample :=
  let ws := chances q.1 (Zpos q.2 - q.1)%coqZ n in
  let total := (Zpos q.2 ^ Z.of_nat n)%coqZ in
  let some := (total - head Z0 ws)%coqZ in
  if [&& Z.ltb 0 v.1, Z.ltb 0 q.1, Z.ltb q.1 (Zpos q.2), Z.ltb 0 some & Z.ltb some total]
  then Some (Sample WithRecord (some, Z.to_pos total) (BaseLines (person_lines v some (behead ws)))) else None.

(** --- what it is --- *)

Fixpoint weigh_counts (ws : seq Z) (g : nat -> R) : R :=
  (if ws is w :: ws' then IZR w * g 0%N + weigh_counts ws' (fun k => g k.+1) else 0)%R.

Lemma weigh_spread a r carry ws g : weigh_counts (spread a r carry ws) g =
  (IZR carry * g 0%N + IZR r * weigh_counts ws g + IZR a * weigh_counts ws (fun k => g k.+1))%R.
Proof.
elim: ws carry g => [|w ws IH] carry g /=; first by rewrite !mulr0 !addr0.
rewrite IH IZRD !IZRM; ring.
Qed.

Lemma weigh_chances (q : ratio) n g : weigh_counts (chances q.1 (Zpos q.2 - q.1)%coqZ n) g =
  (IZR (Zpos q.2) ^+ n * mean_of_count (of_ratio q) n g)%R.
Proof.
have D0 : IZR (Zpos q.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
elim: n g => [|n IH] g; first by rewrite /= expr0 addr0.
rewrite /chances -/chances weigh_spread !IH mul0r add0r [mean_of_count _ n.+1 _]/= exprS IZRB /of_ratio /fraction.
by field.
Qed.

Lemma weigh_counts_eq ws (g g' : nat -> R) : (forall k, g k = g' k) -> weigh_counts ws g = weigh_counts ws g'.
Proof. by elim: ws g g' => //= w ws IH g g' e; rewrite e; congr (_ + _)%R; apply: IH. Qed.

Section Lines.
Variables (v : ratio) (some : Z).
Hypotheses (some0 : Z.lt 0 some).
Let mu : R := sqrt (IZR v.1 / IZR (Zpos v.2))%coqR.
Let real := real_lines v.1 (Zpos v.2) (Zpos (Z.to_pos some)).
Let S0 : 0 < IZR some. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let sE : Zpos (Z.to_pos some) = some. Proof. exact: Z2Pos.id. Qed.

Let z0 : IZR Z0 = 0 :> R. Proof. by []. Qed.
Lemma value_cons l ls t c : LineCurves.value (at_odds (real (l :: ls)) t) c =
  ((IZR l.1.1 / IZR some + IZR l.1.2 / IZR some * t) * Phi (IZR l.2 * mu - c)%R + LineCurves.value (at_odds (real ls) t) c)%R.
Proof.
have -> : LineCurves.value (at_odds (real (l :: ls)) t) c =
    ((IZR l.1.1 / IZR (Zpos (Z.to_pos some)) + IZR l.1.2 / IZR (Zpos (Z.to_pos some)) * t) * Phi (IZR l.2 * mu - c) +
     LineCurves.value (at_odds (real ls) t) c)%coqR by [].
by rewrite sE RplusE !RmultE !RdivE ?gt_eqF.
Qed.

Lemma value_lines_from k ws t c : LineCurves.value (at_odds (real (lines_from (Z.of_nat k) ws)) t) c =
  (weigh_counts ws (fun j => beyond mu c (k + j)) / IZR some)%R.
Proof.
elim: ws k => [|w ws IH] k; first by rewrite /= mul0r.
have -> : lines_from (Z.of_nat k) (w :: ws) = (w, Z0, Z.of_nat k) :: lines_from (Z.of_nat k.+1) ws.
  by rewrite Nat2Z.inj_succ.
rewrite value_cons IH [weigh_counts (w :: ws) _]/= [RHS]mulrDl addn0 /= z0 !mul0r addr0 /beyond MixtureSums.IZR_of_nat.
congr (_ + _); first by rewrite mulrAC.
congr (_ / _); apply: weigh_counts_eq => j; by rewrite addnS addSn.
Qed.

Lemma person_curve ws t c : (weigh_counts ws (fun j => beyond mu c j.+1) / IZR some - t * Phi (- c))%R <=
  line_curve (real ((Z0, (- some)%coqZ, Z0) :: lines_from 1 ws)) t.
Proof.
have -> : (weigh_counts ws (fun j => beyond mu c j.+1) / IZR some - t * Phi (- c))%R =
    LineCurves.value (at_odds (real ((Z0, (- some)%coqZ, Z0) :: lines_from (Z.of_nat 1) ws)) t) c.
  rewrite value_cons value_lines_from [(_, _, _).1.1]/= [(_, _, _).1.2]/= [(_, _, _).2]/= z0 !mul0r opp_IZR RoppE mulNr divff ?gt_eqF // !add0r.
  by rewrite mulN1r mulNr [RHS]addrC.
exact/RleP/best_value.
Qed.
End Lines.

Theorem person_sample_stands (v q : ratio) n s (Y : finType) (P Q : Y -> R) : person_sample v q n = Some s ->
  distribution P -> distribution Q -> told_of_person (Num.sqrt (of_ratio v)) (of_ratio q) n P Q ->
  has_noise (sample_noise s) P Q.
Proof.
rewrite /person_sample; set ws := chances _ _ _; set total := Z.pow _ _; set some := (total - _)%coqZ.
case: ifP => // /and5P[/Z.ltb_lt v0 /Z.ltb_lt q0 /Z.ltb_lt q1 /Z.ltb_lt some0 /Z.ltb_lt less] [<-] dP dQ told.
have total0 : Z.lt 0 total by exact: Z.lt_trans some0 less.
have T0 : 0 < IZR total by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have D0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
have V0 : 0 < IZR v.1 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have q0' : 0 <= of_ratio q by apply: of_ge0; exact/Z.leb_le/Z.lt_le_incl.
have q1' : of_ratio q <= 1.
  by rewrite /of_ratio /fraction ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le/Z.lt_le_incl.
have vE : sqrt (IZR v.1 / IZR (Zpos v.2))%coqR = Num.sqrt (of_ratio v).
  have e : (IZR v.1 / IZR (Zpos v.2))%coqR = of_ratio v by rewrite RdivE // gt_eqF // (IZR_lt_iff Z0).
  rewrite e RsqrtE; first by [].  apply: of_ge0; exact/Z.leb_le/Z.lt_le_incl.
have totalE : IZR total = IZR (Zpos q.2) ^+ n.
  rewrite /total; elim: (n) => [|m IH]; first by rewrite expr0.
  by rewrite Nat2Z.inj_succ Z.pow_succ_r; [rewrite IZRM IH exprS|exact: Nat2Z.is_nonneg].
split=> // y y0; set r := of_ratio (some, Z.to_pos total); set c := curve_of _.
have rE : r = IZR some / IZR total by rewrite /r /of_ratio /fraction /= Z2Pos.id.
have [w0 [wn ew]] : exists w0 wn, ws = w0 :: wn.
  rewrite /ws; case: (n) => [|m]; first by exists 1%coqZ, [::].
  by rewrite /chances -/chances; case: (chances _ _ _) => [|w wl]; [exists Z0, [::]|eexists; eexists].
have someE : IZR some = IZR total - IZR w0 by rewrite /some ew IZRB.
have splits g : IZR total * mean_of_count (of_ratio q) n g = IZR w0 * g 0%N + weigh_counts wn (fun k => g k.+1).
  by rewrite totalE -weigh_chances -/ws ew.
have m0 : 0 <= Num.sqrt (of_ratio v) by exact: sqrtr_ge0.
apply: (person_divergence m0 q0' q1' y0 _ told) => b.
have := splits (beyond (Num.sqrt (of_ratio v)) b); set far := beyond _ b.
have -> : far 0%N = Phi (- b) by rewrite /far /beyond mul0r sub0r.
move=> e; rewrite -(ler_pmul2l T0) mulrBr e /sampled_curve; case: ifP => [yr|_].
  have ones : IZR total = IZR w0 + weigh_counts wn (fun=> 1).
    by have := splits (fun=> 1); rewrite mulr1 => <-; rewrite [mean_of_count _ _ _](_ : _ = 1) ?mulr1 //; elim: (n) => //= m ->; ring.
  have rest : weigh_counts wn (fun k => far k.+1) <= weigh_counts wn (fun=> 1).
    have := splits (fun k => if k is 0%N then 0 else far k).
    have := splits (fun k => if k is 0%N then 0 else 1); rewrite mulr0 !add0r => e1 e2.
    rewrite -e1 -e2 ler_pmul2l //; apply: mean_of_count_le => // -[//|k]; by have [_] := Phi_between (k.+1%:R * Num.sqrt (of_ratio v) - b)%R.
  have [p0 p1] := Phi_between (- b); rewrite mulrBr mulr1 {2}ones.
  have yw : IZR total * y <= IZR w0.
    rewrite mulrC -ler_pdivl_mulr //; apply: le_trans yr _; rewrite rE someE mulrBl divff ?gt_eqF //.
    by rewrite opprB addrCA subrr addr0.
  rewrite mulrA addrAC [X in _ <= X]addrAC; apply: ler_add => //; rewrite -mulrBl.
  by rewrite -[X in _ <= X]mulr1 ler_wpmul2l // subr_ge0.
have S0 : 0 < IZR some by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
set t := _ / r; have := person_curve v some0 wn t b; rewrite vE -/far => /(ler_wpmul2l (ltW S0)) le.
have -> : curve_at c t = line_curve (real_lines v.1 (Zpos v.2) (Zpos (Z.to_pos some)) ((Z0, (- some)%coqZ, Z0) :: lines_from 1 wn)) t.
  by rewrite /c /person_lines ew.
set h := line_curve _ _ in le *; have -> : IZR total * (r * h) = IZR some * h by rewrite rE; field; rewrite gt_eqF.
 apply: le_trans le; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have tE : IZR some * t = IZR total * y - IZR w0.
  by rewrite /t rE someE; field; rewrite -someE !gt_eqF.
rewrite mulrBr [IZR some * (_ / _)]mulrC divfK ?gt_eqF // [IZR some * (t * _)]mulrA tE; ring.
Qed.
