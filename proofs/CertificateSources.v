(** What stands for each mechanism of a ledger in the rule `mesh-upper`: a pair whose outputs are listed,
    or points of a profile; and that it is below the mechanism, wherever it is put on a mesh. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Losses Notions RulesGaussian NoiseLedgers NoiseOrder RulesNoiseRenyi.
From ExactDP Require Import Ratios Logarithms Comparisons Enclosures EnclosuresOfNumbers CheckerClosed CheckerNoise.
From ExactDP Require Import Tables OverlapTables MeshTables CheckerListedPairs CheckerShiftPairs CheckerBells CheckerProfiles.
From ExactDP Require Import CurvePairs RangePairs CheckerCurves CheckerCurveValues CertificateCurves TablesBesideNormal.
From ExactDP Require Import CellsOfNormal CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Points are of a profile for a unit n/d. *)
Inductive source := Listed of listed_pair | ByPoints of (Z -> Z -> Z -> option Z).

(** --- programs --- *)

Section Program.
Variables (k : numbering) (w : Z).
Let S := Z.shiftl 1 w.

Definition place (n d : Z) (x : window) (s : source) : option on_mesh :=
  match s with
  | Listed l => place_pair w n d x.1 (last_in x) l
  | ByPoints f => place_points w n d (f n d) x
  end.

Definition number_enclosure (logs : seq (Z * Z)) (n : number) : option enclosure :=
  if combination_of k n is Some x then Some (enclosure_of_number w logs (common k) x) else None.

Definition response_source (logs : seq (Z * Z)) (p : number * ratio) : option source :=
  let d := p.2 in
  if number_enclosure logs p.1 is Some e then
    if Z.leb 0 d.1 && Z.leb d.1 (Zpos d.2) then option_map Listed (of_response w e (Zpos d.2 - d.1) (Zpos d.2)) else None
  else None.
Definition shift_source (s : ratio * BinNums.positive) : option source :=
  if Z.ltb 0 s.1.1 then option_map Listed (of_shift w s.1 (Pos.to_nat s.2)) else None.
Definition bell_source (x : ratio * BinNums.positive) : option source :=
  if Z.ltb 0 x.1.1 then option_map Listed (of_bell w x.1 (Pos.to_nat x.2)) else None.
Definition laplace_source (a : ratio) : option source :=
  Some (ByPoints (fun n d => plain_point w n d (laplace_above w a))).
Definition range_source (r : ratio) : option source :=
  if evaluator w (BaseRange r) is Some f then Some (ByPoints (fun n d => plain_point w n d f)) else None.
Definition table_source (t : table) : option source :=
  if is_law (unzip1 t) && is_law (unzip2 t) then Some (Listed (of_written w t)) else None.
(** A mechanism that reveals nothing. *)
Definition silent_source (r : ratio) : option source := if Z.eqb r.1 0 then Some (Listed [:: (S, S)]) else None.

(** The first law is drawn from both. *)
Definition mixed_pair (q : ratio) (l : listed_pair) : listed_pair :=
  [seq (floor_div ((Zpos q.2 - q.1) * o.2 + q.1 * o.1) (Zpos q.2), o.2) | o <- l].
Definition exchanged_pair (l : listed_pair) : listed_pair := [seq (o.2, o.1) | o <- l].
Definition sides_of_pair (s : sides) (l : listed_pair) : option listed_pair :=
  match s with WithRecord => Some l | WithoutRecord => Some (exchanged_pair l) | WithEither => None end.
(** Noise on integers is listed. *)
Definition listed_base (b : base_noise) : option listed_pair :=
  match b with
  | BaseShift r n => if Z.ltb 0 r.1 then of_shift w r (Pos.to_nat n) else None
  | BaseBell v n => if Z.ltb 0 v.1 then of_bell w v (Pos.to_nat n) else None
  | _ => None
  end.
Definition listed_sample (s : sides) (q : ratio) (b : base_noise) : option source :=
  if listed_base b is Some l then
    if Z.leb (foldr Z.add Z0 (map snd l)) S then option_map Listed (sides_of_pair s (mixed_pair q l)) else None
  else None.
Definition sample_source (x : sample) : option source :=
  let q := rate x in
  if Z.ltb 0 q.1 && Z.leb q.1 (Zpos q.2) then
    if (evaluator w (base x), evaluator w (turned_base WithEither (base x))) is (Some f, Some f')
    then Some (ByPoints (fun n d => point_of_sample w n d (has_record x) (sampled_point w n d q f) (sampled_point w n d q f')))
    else if Z.ltb q.1 (Zpos q.2) then listed_sample (has_record x) q (base x) else None
  else None.

(** All Gaussian mechanisms together: x/y is the sum of their mu^2. *)
Definition normal_source (x y : Z) : option source :=
  if root_of_normal w x y is Some root then Some (ByPoints (fun n d => plain_point w n d (normal_above w x y root))) else None.
End Program.

(** --- soundness --- *)

Section Sound.
Variables (k : numbering) (w : Z).
Hypotheses (w0 : Z.le 0 w) (k_ok : numbering_ok k) (q_ok : all quotient_ok (table_in_use k)).
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let logs := logarithms w (table_in_use k).

Lemma number_enclosureP n e : number_enclosure k w logs n = Some e -> enclosed w (value_of n) e.
Proof.
rewrite /number_enclosure; case X: (combination_of k n) => [x|] // [<-].
rewrite -(combination_of_sound k_ok X); apply: enclosed_number => //.
by apply/Z.ltb_lt; case/andP: k_ok.
Qed.

(** Wherever it is put on a mesh, it is below the mechanism. *)
Definition placed_below (x : noise) (s : source) : Prop := forall n d win f, Z.lt 0 d ->
  place w n d win s = Some f -> all_above_0 f.2 /\
  forall (Y : finType) (P Q : Y -> R), has_noise x P Q -> captured (real_mesh S (IZR n / IZR d)%R f) P Q.

Lemma listed_below x l : all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l ->
  (forall (Y : finType) (P Q : Y -> R), has_noise x P Q -> lists w l P Q) -> placed_below x (Listed l).
Proof.
move=> l0 L n d win f d0 /(place_pair_captured w0 d0 l0)[f0 cap]; split=> // Y P Q /L; exact: cap.
Qed.

Lemma points_below x (f : Z -> Z -> Z -> option Z) :
  (forall n d, Z.lt 0 d -> Z.le 0 n -> forall (Y : finType) (P Q : Y -> R), has_noise x P Q ->
    under_points w n d (f n d) (overlap P Q)) -> placed_below x (ByPoints f).
Proof.
move=> h n d win t d0 T; split=> [|Y P Q hn]; first exact: place_points_above_0 T.
have [[P0 _] [Q0 _] _] := hn.
by apply: (place_pointsP w0 d0 _ (overlap_in_common P0 Q0) T) => n0; exact: h.
Qed.

Lemma response_sourceP p s : response_source k w logs p = Some s ->
  placed_below (OfNotion (Approximate (value_of p.1) (of_ratio p.2))) s.
Proof.
rewrite /response_source; case E: (number_enclosure _ _ _ _) => [e|] //; case: ifP => // /andP[/Z.leb_le d0 /Z.leb_le d1].
case X: (of_response _ _ _ _) => [r|] // [<-]; have V := number_enclosureP E; have D0 : 0 < IZR (Zpos p.2.2) by rewrite (IZR_lt_iff Z0).
have dE : 1 - of_ratio p.2 = IZR (Zpos p.2.2 - p.2.1) / IZR (Zpos p.2.2).
  by rewrite IZRB mulrBl divff // gt_eqF.
have h0 : Z.le 0 (Zpos p.2.2 - p.2.1) by apply/Z.le_0_sub.
have h1 : Z.le (Zpos p.2.2 - p.2.1) (Zpos p.2.2) by apply/Z.le_sub_nonneg.
have [l0 _] := of_response_lists w0 V (Pos2Z.is_pos _) h0 h1 dE X; apply: listed_below => // Y P Q [dP dQ h].
by have [] := response_lists w0 V (Pos2Z.is_pos _) h0 h1 dE X h.
Qed.

Lemma shift_sourceP x s : shift_source w x = Some s -> placed_below (OfShift (of_ratio x.1) (Pos.to_nat x.2)) s.
Proof.
rewrite /shift_source; case: ifP => // /Z.ltb_lt r0; case X: (of_shift _ _ _) => [r|] // [<-].
have s0 : (0 < Pos.to_nat x.2)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have [l0 L] := shift_lists w0 r0 s0 X; apply: listed_below => // Y P Q h; exact: L h.
Qed.

Lemma bell_sourceP x s : bell_source w x = Some s -> placed_below (bell_noise x) s.
Proof.
rewrite /bell_source; case: ifP => // /Z.ltb_lt v0; case X: (of_bell _ _ _) => [l|] // [<-].
by have [l0 L] := of_bell_lists w0 v0 X; exact: listed_below.
Qed.

Lemma laplace_sourceP a s : laplace_source w a = Some s -> placed_below (OfLaplace (of_ratio a)) s.
Proof.
move=> [<-]; apply: points_below => n d d0 n0 Y P Q [dP dQ [h _]].
apply: (@plain_pointP _ w0 n d d0 (curve_at (LaplaceCurve (of_ratio a)))) => // [|l].
  exact: (@evaluatorP _ w0 (BaseLaplace a)).
by rewrite /curve_at ln_exp.
Qed.

Lemma range_curve_above (e : R) (Y : finType) (P Q : Y -> R) l : 0 < e -> distribution P -> distribution Q ->
  bounded_range e P Q -> hockey_stick 1 (exp l) P Q <= range_curve e l.
Proof.
move=> e0 dP dQ h; have [_ P1] := dP; have [above below] := range_ends l dP dQ h.
rewrite /range_curve; case: (ltP l (- e)) => le.
  by rewrite hockey_stick_overlap P1 below // ltW.
case: (leP l e) => le'; first exact: range_profile.
by rewrite hockey_stick_overlap P1 above ?subrr // ltW.
Qed.

Lemma range_sourceP r s : range_source w r = Some s -> placed_below (OfRange (of_ratio r)) s.
Proof.
rewrite /range_source; case X: (evaluator _ _) => [f|] // [<-]; apply: points_below => n d d0 n0 Y P Q [dP dQ h].
apply: (@plain_pointP _ w0 n d d0 (curve_at (RangeCurve (of_ratio r)))) => // [|l].
  exact: (@evaluatorP _ w0 (BaseRange r)).
rewrite /curve_at ln_exp; apply: range_curve_above => //.
move: X => /=; case X: (rest_of_range _ _) => [rest|] // _; have [rest0 le] := rest_of_rangeP w0 X.
have : 0 < 1 - exp (- of_ratio r).
  by rewrite -(pmulr_rgt0 _ S0'); apply: lt_le_trans le; rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
by rewrite subr_gt0 -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0.
Qed.

Lemma table_sourceP t s : table_source w t = Some s -> placed_below (OfTable (real_table t)) s.
Proof.
rewrite /table_source; case: ifP => // /andP[p q] [<-]; apply: listed_below.
  apply: of_written_above_0 => //; move: p q; rewrite /is_law /unzip1 /unzip2 !all_map => /andP[p0 _] /andP[q0 _].
  by elim: t p0 q0 => //= x t IH /andP[-> /IH h] /andP[-> /h].
have {}p : law_proper (unzip1 (real_table t)) by have := is_lawP p; rewrite /unzip1 /real_table -!map_comp.
move=> Y P Q [dP dQ [h _]].
exact: (lists_dominated w0 dP (law_distribution p) h (of_written_lists w0 t)).
Qed.

(** --- samples --- *)

Lemma sum_foldr (l : seq Z) : IZR (foldr Z.add Z0 l) = \sum_(v <- l) IZR v.
Proof. by elim: l => [|v l IH] /=; rewrite ?big_nil // big_cons IZRD IH. Qed.

Definition nonnegative_pair (l : listed_pair) : bool := all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l.

Lemma mixed_lists (q : ratio) l (h : R -> R) (Y : finType) (P Q : Y -> R) : Z.lt 0 q.1 -> Z.lt q.1 (Zpos q.2) ->
  Z.le (foldr Z.add Z0 (map snd l)) S -> distribution P ->
  (forall y : R, 0 <= y -> \sum_(o <- l) Num.min (IZR o.1) (y * IZR o.2) <= IZR S * (1 - h y)) ->
  (forall y : R, 0 <= y ->
    hockey_stick 1 y P Q <= (if y <= 1 - of_ratio q then 1 - y else of_ratio q * h ((y - (1 - of_ratio q)) / of_ratio q)%R)%R) ->
  lists w (mixed_pair q l) P Q.
Proof.
move=> q0 q1 sum dP L le y y0; have [P0 P1] := dP; have B0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
set r := of_ratio q in le *; have r0 : 0 < r.
  by rewrite /r /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have r1 : 0 <= 1 - r.
  rewrite subr_ge0 /r /of_ratio /fraction ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le/Z.lt_le_incl.
have aE : IZR q.1 = IZR (Zpos q.2) * r by rewrite /r /of_ratio /fraction; field; rewrite gt_eqF.
have total : \sum_(o <- l) IZR o.2 <= IZR S.
  by rewrite -(big_map snd xpredT (fun v => IZR v)) -sum_foldr IZR_le_iff; exact/Z.leb_le.
have P'le (o : Z * Z) : IZR (floor_div ((Zpos q.2 - q.1) * o.2 + q.1 * o.1) (Zpos q.2)) <= (1 - r) * IZR o.2 + r * IZR o.1.
  by apply: floor_div_below => //; rewrite IZRD 2!IZRM IZRB aE le_eqVlt; apply/orP; left; apply/eqP; ring.
have hP := le y y0; rewrite hockey_stick_overlap P1 in hP; rewrite /mixed_pair big_map /=.
move: hP; case: ifP => yr hP.
  apply: (@le_trans _ _ (y * \sum_(o <- l) IZR o.2)).
    by rewrite mulr_sumr; apply: ler_sum => o _; rewrite le_minl lexx orbT.
  apply: (@le_trans _ _ (IZR S * y)); first by rewrite mulrC ler_wpmul2r.
  by rewrite ler_pmul2l //; rewrite ler_add2l ler_opp2 in hP.
have ry : 1 - r < y by rewrite ltNge yr.
set t := (y - (1 - r)) / r in hP; have t0 : 0 <= t by rewrite divr_ge0 ?subr_ge0 ?(ltW ry) // ltW.
have ye : y = (1 - r) + r * t by rewrite /t; field; rewrite gt_eqF.
apply: (@le_trans _ _ (\sum_(o <- l) ((1 - r) * IZR o.2 + r * Num.min (IZR o.1) (t * IZR o.2)))).
  apply: ler_sum => o _; rewrite (minr_pmulr _ _ (ltW r0)) addr_minr.
  by apply: le2_min; [exact: P'le|rewrite mulrA -mulrDl -ye lexx].
rewrite big_split /= -!mulr_sumr.
apply: (@le_trans _ _ ((1 - r) * IZR S + r * (IZR S * (1 - h t)))).
  by apply: ler_add; apply: ler_wpmul2l => //; [exact: ltW|exact: L].
have -> : (1 - r) * IZR S + r * (IZR S * (1 - h t)) = IZR S * (1 - r * h t) by ring.
by rewrite ler_pmul2l // ler_subl_addl -ler_subl_addr.
Qed.

Lemma exchanged_lists l (Y : finType) (P Q : Y -> R) : nonnegative_pair l -> (forall o, 0 <= P o) -> (forall o, 0 <= Q o) ->
  lists w l P Q -> lists w (exchanged_pair l) Q P.
Proof.
move=> l0 P0 Q0 L y; rewrite le_eqVlt => /predU1P[<-|y0]; rewrite /exchanged_pair big_map /=.
  apply: (@le_trans _ _ 0); last first.
    by apply: mulr_ge0; [exact: ltW|apply: sumr_ge0 => o _; rewrite mul0r le_minr lexx Q0].
  apply: (@le_trans _ _ (\sum_(o <- l) 0)); last by rewrite big1.
  by apply: ler_sum => o _; rewrite mul0r le_minl lexx orbT.
rewrite (overlap_exchanged _ _ y0) mulrCA.
apply: (@le_trans _ _ (y * \sum_(o <- l) Num.min (IZR o.1) (y^-1 * IZR o.2))); last first.
  by rewrite ler_pmul2l //; apply: L; rewrite invr_ge0 ltW.
rewrite mulr_sumr le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => o _.
by rewrite minr_pmulr ?(ltW y0) // mulrA mulfV ?gt_eqF // mul1r minC.
Qed.

Lemma mixture_ge0 n d a b : Z.lt 0 n -> Z.lt n d -> Z.le 0 a -> Z.le 0 b -> Z.le 0 ((d - n) * b + n * a).
Proof. nia. Qed.

Lemma listed_baseP b l : listed_base w b = Some l -> nonnegative_pair l /\ forall y : R, 0 <= y ->
  \sum_(o <- l) Num.min (IZR o.1) (y * IZR o.2) <= IZR S * (1 - curve_at (curve_of b) y).
Proof.
case: b => [//|//|//|r n|v n|//|//] /=; case: Z.ltb_spec => // r0 X; last first.
  by have [l0 known] := of_bell_known w0 r0 X; split=> // y; rewrite /S Z.shiftl_1_l; exact: known.
have n0 : (0 < Pos.to_nat n)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have [l0 L] := shift_lists w0 r0 n0 X; have R0 : 0 < of_ratio r.
  by rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have [dL dL'] := discrete_laplace_lawful R0 n0.
set law := @shifted_law (of_ratio r) (Pos.to_nat n) in dL dL' *.
have own : lists w l law (law \o @rev_ord _).
  apply: L; split=> //; split=> // y y0; rewrite /hockey_stick (reindex_inj rev_ord_inj) le_eqVlt; apply/orP; left.
  by apply/eqP; apply: eq_bigr => j _ /=; rewrite rev_ordK.
split=> // y y0; apply: le_trans (own y y0) _; rewrite hockey_stick_overlap; have [_ ->] := dL.
by rewrite opprB addrCA subrr addr0.
Qed.

Lemma listed_sampleP s (q : ratio) b x : Z.lt 0 q.1 -> Z.lt q.1 (Zpos q.2) -> listed_sample w s q b = Some x ->
  placed_below (OfSample s (of_ratio q) (curve_of b)) x.
Proof.
move=> q0 q1; rewrite /listed_sample; case X: (listed_base _ _) => [l|] //; have [l0 known] := listed_baseP X.
case: Z.leb_spec => // sum; have mixed0 : nonnegative_pair (mixed_pair q l).
  apply/allP => _ /mapP[o oin ->]; have /andP[/Z.leb_le p0 /Z.leb_le p1] := allP l0 o oin.
  apply/andP; split; apply/Z.leb_le; last exact: p1.
  exact: (Z.div_pos _ (Zpos q.2) (mixture_ge0 q0 q1 p0 p1) (Pos2Z.is_pos _)).
have mixed (Y : finType) (P Q : Y -> R) : distribution P ->
    under_sampled (of_ratio q) (curve_of b) P Q -> lists w (mixed_pair q l) P Q.
  by move=> dP h; apply: (mixed_lists q0 q1 sum dP known) => y y0; exact: h.
case: s => //= -[<-]; apply: listed_below => //.
- by move=> Y P Q [dP dQ h]; exact: mixed.
- by rewrite all_map; apply: sub_all mixed0 => o /= /andP[-> ->].
move=> Y P Q [[P0 P1] [Q0 Q1] h]; apply: exchanged_lists => //; exact: mixed.
Qed.

Lemma sample_sourceP s x : sample_source w s = Some x -> placed_below (sample_noise s) x.
Proof.
case: s => sides q b; rewrite /sample_source /sample_noise /=; case: ifP => // /andP[/Z.ltb_lt q0 /Z.leb_le q1].
have listed : (if Z.ltb q.1 (Zpos q.2) then listed_sample w sides q b else None) = Some x ->
    placed_below (OfSample sides (of_ratio q) (curve_of b)) x.
  by case: Z.ltb_spec => // less; exact: listed_sampleP.
case X: (evaluator _ _) => [f|]; last exact: listed.
case X': (evaluator _ _) => [f'|] => [[<-]|]; last exact: listed.
apply: points_below => n d d0 n0 Y P Q h; apply: (point_of_sampleP w0 d0 n0 q0 q1 _ _ h); first exact: evaluatorP X.
by rewrite -[exchanged_curve _](turned_curve_of WithEither); exact: evaluatorP X'.
Qed.

Lemma silent_sourceP r x : silent_source w r = Some x -> placed_below (OfNotion (Concentrated (of_ratio r))) x.
Proof.
rewrite /silent_source; case: Z.eqb_spec => // r0 [<-]; apply: listed_below => [|Y P Q h].
  by rewrite /= andbT; apply/andP; split; apply/Z.leb_le; exact: Z.lt_le_incl.
have z : of_ratio r = 0 by rewrite /of_ratio /fraction r0 mul0r.
have [_ _ hn] := h; have triv : NotionsTrivial.trivial (Concentrated (of_ratio r)) by rewrite /= z eqxx.
have [[P0 P1] _ [/events_hockey_stick i _]] := NotionsTrivial.trivial_dp triv hn; rewrite exp_0 in i.
have PQ o : P o <= Q o.
  rewrite -subr_le0 -[P o]mul1r -[Q o]mul1r; apply: le_trans (le_pos _) (le_trans _ i).
  by rewrite /hockey_stick (bigD1 o) //= ler_addl; apply: sumr_ge0 => o' _; exact: pos_ge0.
move=> y y0; rewrite big_seq1 /=; apply: (@le_trans _ _ (IZR S * \sum_o Num.min 1 y * P o)).
  by rewrite -mulr_sumr P1 mulr1 minr_pmulr ?(ltW S0') // mulr1 [y * _]mulrC.
rewrite ler_pmul2l //; apply: ler_sum => o _; rewrite le_minr; apply/andP; split.
  by rewrite -[X in _ <= X]mul1r ler_wpmul2r // le_minl lexx.
by apply: ler_pmul => //; rewrite ?le_minr ?ler01 ?y0 // le_minl lexx orbT.
Qed.

(** All Gaussian mechanisms together. *)
Lemma normal_sourceP x y s n d win t : Z.lt 0 d -> Z.lt 0 x -> Z.lt 0 y -> normal_source w x y = Some s ->
  place w n d win s = Some t -> all_above_0 t.2 /\
  forall z : R, 0 <= z -> mean [:: real_mesh S (IZR n / IZR d)%R t] lesser z <= normal_overlap (sqrt (fraction x y)) z.
Proof.
move=> d0 x0 y0; rewrite /normal_source; case X: (root_of_normal _ _ _) => [root|] // [<-] /= T.
split; first exact: place_points_above_0 T.
have m0 : 0 <= sqrt (fraction x y) by exact/RleP/sqrt_pos.
apply: (place_pointsP w0 d0 _ (normal_in_common m0) T) => n0 k' v; rewrite /plain_point.
case E: (normal_above _ _ _ _ _ _) => [a|] // [<-]; have := normal_aboveP w0 d0 x0 y0 X E.
rewrite oddsE /normal_overlap curve_G IZRB mulrBr mulr1 ler_add2l ler_opp2.
by have -> : IZR k' * (IZR n / IZR d) = IZR (k' * n) / IZR d by rewrite IZRM mulrA.
Qed.
End Sound.
