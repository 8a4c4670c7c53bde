(** The verified checker: a mechanism of bounded range as a table on a mesh, by its profile.

    The weights are those of the curve's dots; that no more is taken at any of them is checked, and
    what is taken too much by rounding is taken off every weight. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed CheckerDelta NoiseLedgers RulesNoiseRenyi.
From ExactDP Require Import OverlapTables MeshTables CheckerNoise CheckerListedPairs CurvePairs RangePairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** What laws of range r have in common at e^(k n/d), times 2^w, from below. *)
Definition range_point (n d : Z) (r : ratio) (rest : Z) (k : Z) : option Z :=
  let a := (r.1 * d)%coqZ in let b := (k * n * Zpos r.2)%coqZ in
  if Z.leb a b then Some S
  else if Z.leb b (- a) then option_map fst (decay_at w n d (- k))
  else if exponential w (enclosure_of_fraction w (b - a) (2 * (d * Zpos r.2))) is Some s then
    let far := Z.max 0 (S - s.1) in
    Some (S - ceil_div (far * far) rest)%coqZ
  else None.

Fixpoint points_from (f : Z -> option Z) (k : Z) (m : nat) : option (seq Z) :=
  if m is m'.+1 then
    if (f k, points_from f (k + 1)%coqZ m') is (Some v, Some vs) then Some (v :: vs) else None
  else Some [::].

(** Weights by the slopes, as fractions of 1 - e^-u; step is e^-u from above. *)
Fixpoint slopes (step before : Z) (vs : seq Z) : seq Z :=
  if vs is v :: vs' then floor_div (Z.max 0 (v - before) * S) (S - step) :: slopes step v vs' else [::].
Fixpoint weights_of (step slope : Z) (ss : seq Z) : seq Z :=
  if ss is s :: ss' then Z.max 0 (slope - ceil_div (s * step) S) :: weights_of step s ss' else [:: slope].
Definition weights_at (step : Z) (vs : seq Z) : seq Z :=
  if vs is v :: vs' then weights_of step (Z.max 0 v) (slopes step v vs') else [::].

(** From above, the sum of the weights w_l e^(-l u), and with each point what is taken there. *)
Fixpoint later (step : Z) (ws : seq Z) : Z :=
  if ws is v :: ws' then (v + ceil_div (later step ws' * step) S)%coqZ else Z0.
Fixpoint taken_at (step earlier : Z) (ws : seq Z) : seq Z :=
  if ws is v :: ws' then (earlier + later step ws)%coqZ :: taken_at step (earlier + v)%coqZ ws' else [::].
(** The same, where what is later is added up once. *)
Fixpoint laters (step : Z) (ws : seq Z) : seq Z :=
  if ws is v :: ws' then let ls := laters step ws' in (v + ceil_div (head Z0 ls * step) S)%coqZ :: ls else [::].
Fixpoint added (earlier : Z) (ws ls : seq Z) : seq Z :=
  match ws, ls with
  | v :: ws', l :: ls' => (earlier + l)%coqZ :: added (earlier + v)%coqZ ws' ls'
  | _, _ => [::]
  end.
Definition taken (step : Z) (ws : seq Z) : seq Z := added 0 ws (laters step ws).

(** The points and the weights, which take no more at any point. *)
Definition fitted (step : Z) (vs ws : seq Z) : seq Z :=
  let spare := (2 * Z.of_nat (size vs) + 2)%coqZ in
  let least := foldr Z.min S [seq floor_div ((x.1 - spare) * S) (Z.max 1 x.2) | x <- zip vs (taken step ws)] in
  [seq floor_div (v * Z.max 0 least) S | v <- ws].
Definition range_table (n d : Z) (r : ratio) (first last : Z) : option on_mesh :=
  if (decay_at w n d 1, exponential w (enclosure_of_fraction w (- r.1) (Zpos r.2))) is (Some e, Some x) then
    let rest := (S - x.2)%coqZ in
    if points_from (range_point n d r rest) first (Z.to_nat (last - first + 1)) is Some vs then
      let ws := fitted e.2 vs (weights_at e.2 vs) in
      if [&& Z.ltb 0 rest, Z.leb 0 n, Z.ltb 0 r.1, Z.leb 0 e.2, all (Z.leb 0) ws, Nat.eqb (size ws) (size vs) &
          all (fun x => Z.leb x.1 x.2) (zip (taken e.2 ws) vs)]
      then Some (first, ws) else None
    else None
  else None.
End Program.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma takenE step ws : taken w step ws = taken_at w step 0 ws.
Proof.
have hd us : head Z0 (laters w step us) = later w step us by elim: us => //= v us ->.
by rewrite /taken; elim: ws Z0 => //= v ws IH E; rewrite hd IH.
Qed.

Lemma later_above_0 step ws : Z.le 0 step -> all_above_0 ws -> Z.le 0 (later w step ws).
Proof.
move=> s0; elim: ws => [|v ws IH] /=; first by move=> _; lia.
case/andP=> /Z.leb_le v0 /IH l0; apply: Z.add_nonneg_nonneg => //; apply/Z.leb_le.
rewrite -(IZR_le_iff Z0); apply: ceil_div_above => //.
by rewrite mulr0 (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.mul_nonneg_nonneg.
Qed.

Lemma later_above u step k ws : Z.le 0 step -> decay u 1 * IZR S <= IZR step -> all_above_0 ws ->
  weigh (decay u) k ws <= decay u k * IZR (later w step ws).
Proof.
move=> s0 D; elim: ws k => [|v ws IH] k /=; first by rewrite mulr0.
case/andP=> v0 ws0; have l0 := later_above_0 s0 ws0.
rewrite IZRD mulrDr [IZR v * _]mulrC ler_add2l; apply: le_trans (IH (k + 1)%coqZ ws0) _.
rewrite decayD -mulrA ler_pmul2l ?decay_gt0 //; apply: ceil_div_above => //.
rewrite IZRM; apply: (@le_trans _ _ (IZR (later w step ws) * (decay u 1 * IZR S))).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /S; ring.
by rewrite ler_wpmul2l // (IZR_le_iff Z0); exact/Z.leb_le.
Qed.

Lemma taken_above u step E k ws i : 0 <= u -> Z.le 0 step -> decay u 1 * IZR S <= IZR step -> all_above_0 ws ->
  (i < size ws)%N -> IZR E + weigh (lesser_at u (odds u (k + Z.of_nat i))) k ws <= IZR (nth Z0 (taken_at w step E ws) i).
Proof.
move=> u0 s0 D; elim: ws E k i => // v ws IH E k [|i] ok is_in.
  rewrite [nth _ _ _]/= Z.add_0_r IZRD ler_add2l.
  have := ler_wpmul2l (ltW (odds_gt0 u k)) (later_above k s0 D ok).
  rewrite [odds u k * (decay u k * _)]mulrA odds_decay mul1r; apply: le_trans.
  elim: (v :: ws) {2 4}k ok => [|x xs IHx] l /=; first by rewrite mulr0.
  case/andP=> x0 /IHx{}IHx; rewrite mulrDr; apply: ler_add; last exact: IHx.
  rewrite mulrCA ler_wpmul2l ?(IZR_le_iff Z0) //.
  by rewrite /lesser_at /lesser le_minl lexx orbT.
have := ok => /= /andP[v0 ws0]; have e : (k + Z.of_nat i.+1)%coqZ = (k + 1 + Z.of_nat i)%coqZ by lia.
apply: le_trans (IH (E + v)%coqZ (k + 1)%coqZ i ws0 is_in); rewrite e IZRD -addrA ler_add2l ler_add2r.
by rewrite lesser_above ?mulr1 //; apply: odds_le => //; lia.
Qed.

Lemma range_pointP n d r rest k v : Z.lt 0 d -> Z.lt 0 r.1 -> Z.lt 0 rest ->
  IZR rest <= IZR S * (1 - exp (- of_ratio r)) -> range_point w n d r rest k = Some v ->
  forall (Y : finType) (P Q : Y -> R), distribution P -> distribution Q -> bounded_range (of_ratio r) P Q ->
  IZR v <= IZR S * overlap P Q (odds (IZR n / IZR d)%R k).
Proof.
move=> d0 r0 rest0 restP + Y P Q dP dQ h; have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have B0 : 0 < IZR (Zpos r.2) by rewrite (IZR_lt_iff Z0).
have R0 : 0 < of_ratio r by rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
set u := (IZR n / IZR d)%R; pose l := IZR k * u.
have oE : odds u k = exp l by rewrite /odds /decay opp_IZR RoppE mulNr opprK.
have N0 : 0 < IZR d * IZR (Zpos r.2) by exact: mulr_gt0.
have lE : l * (IZR d * IZR (Zpos r.2)) = IZR (k * n * Zpos r.2).
  by rewrite !IZRM /l /u; field; rewrite gt_eqF.
have rE : of_ratio r * (IZR d * IZR (Zpos r.2)) = IZR (r.1 * d).
  by rewrite !IZRM /of_ratio /fraction; field; rewrite gt_eqF.
have [above below] := range_ends l dP dQ h; rewrite oE /range_point -/S.
case: Z.leb_spec => [le|lt].
  move=> [<-]; rewrite above ?mulr1 // -(ler_pmul2r N0) lE rE IZR_le_iff; exact/Z.leb_le.
case: Z.leb_spec => [le|_].
  case X: (decay_at _ _ _ _) => [e|] //= [<-]; have /andP[lo _] := decay_at_enclosed w0 d0 X.
  rewrite below; last by rewrite -(ler_pmul2r N0) mulNr lE rE -RoppE -opp_IZR IZR_le_iff; exact/Z.leb_le.
  by rewrite -oE mulrC.
case X: (exponential _ _) => [s|] // [<-]; set far := Z.max _ _.
have dd : Z.lt 0 (2 * (d * Zpos r.2)) by lia.
have := enclosed_exponential w w0 _ _ _ (enclosed_fraction w0 _ dd) X => /enclosedP/andP[lo _].
have sE : (IZR (k * n * Zpos r.2 - r.1 * d) / IZR (2 * (d * Zpos r.2)))%R = (l - of_ratio r) / 2%:R.
  have two : IZR 2 = 2%:R by [].
  by rewrite IZRB -lE -rE 2!IZRM two; field; rewrite !gt_eqF.
rewrite sE -SE in lo; set s1 := exp _ in lo.
have p := range_profile l R0 dP dQ h; rewrite -/s1 in p.
have [_ P1] := dP; rewrite hockey_stick_overlap P1 in p.
have E1 : 0 < 1 - exp (- of_ratio r) by rewrite subr_gt0 -[1]exp_0 ltNge exp_le -ltNge oppr_lt0.
have far0 : 0 <= IZR far by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
have Rest0 : 0 < IZR rest by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have s1_1 : 0 <= 1 - s1.
  rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le -(ler_pmul2r N0) mul0r mulrAC mulrBl lE rE.
  by rewrite pmulr_lle0 ?invr_gt0 ?ltr0n // subr_le0 IZR_le_iff; apply/Z.leb_le; exact: Z.lt_le_incl.
have farP : IZR S * (1 - s1) <= IZR far.
  apply: (@le_trans _ _ (IZR (S - s.1))); last by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_max_r.
  by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2 mulrC.
have o0 : 0 <= 1 - overlap P Q (exp l).
  by rewrite subr_ge0 -P1; apply: ler_sum => o _; rewrite le_minl lexx.
rewrite IZRB ler_subl_addr -ler_subl_addl -[X in X - _]mulr1 -mulrBr; apply: ceil_div_above => //.
rewrite ler_pdivl_mulr // in p; rewrite IZRM.
apply: (@le_trans _ _ (IZR S * (1 - exp (- of_ratio r)) * (IZR S * (1 - overlap P Q (exp l))))).
  by apply: ler_wpmul2r => //; rewrite mulr_ge0 // ltW.
apply: (@le_trans _ _ (IZR S * (1 - s1) * (IZR S * (1 - s1)))); last first.
  by apply: ler_pmul => //; rewrite mulr_ge0 // ltW.
have -> : IZR S * (1 - exp (- of_ratio r)) * (IZR S * (1 - overlap P Q (exp l))) =
  IZR S * IZR S * ((1 - overlap P Q (exp l)) * (1 - exp (- of_ratio r))) by ring.
have -> : IZR S * (1 - s1) * (IZR S * (1 - s1)) = IZR S * IZR S * (1 - s1) ^+ 2 by ring.
by rewrite ler_wpmul2l // mulr_ge0 // ltW.
Qed.

Lemma points_fromP f k m vs : points_from f k m = Some vs ->
  forall i, (i < size vs)%N -> f (k + Z.of_nat i)%coqZ = Some (nth Z0 vs i).
Proof.
elim: m k vs => [|m IH] k vs /=; first by move=> [<-].
case X: (f k) => [v|] //; case E: (points_from _ _ _) => [vs'|] // [<-] [|i] is_in; first by rewrite Z.add_0_r.
by rewrite (_ : k + Z.of_nat i.+1 = k + 1 + Z.of_nat i)%coqZ; [exact: IH E i is_in|lia].
Qed.

Theorem range_captured n d r first last t : Z.lt 0 d -> range_table w n d r first last = Some t ->
  all_above_0 t.2 /\ forall (Y : finType) (P Q : Y -> R), has_noise (OfRange (of_ratio r)) P Q ->
  captured (real_mesh S (IZR n / IZR d)%R t) P Q.
Proof.
move=> d0; rewrite /range_table -/S; case X: (decay_at _ _ _ _) => [e|] //; case E: (exponential _ _) => [x|] //.
case V: (points_from _ _ _) => [vs|] //; set ws := fitted _ _ _ _; case: ifP => // ok [<-].
move: ok => /and4P[/Z.ltb_lt rest0 /Z.leb_le n0 /Z.ltb_lt r0 /and4P[/Z.leb_le s0 ws0 /Nat.eqb_eq sizes]]; rewrite takenE => le.
split=> // Y P Q [dP dQ h]; have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have u0 : 0 <= (IZR n / IZR d)%R by rewrite divr_ge0 ?(ltW D0) // (IZR_le_iff Z0); exact/Z.leb_le.
have /andP[_ D] := decay_at_enclosed w0 d0 X; rewrite -/S in D.
have xE : (IZR (- r.1) / IZR (Zpos r.2))%R = - of_ratio r by rewrite opp_IZR RoppE mulNr.
have := enclosed_exponential w w0 _ _ _ (enclosed_fraction w0 (- r.1) (Pos2Z.is_pos r.2)) E => /enclosedP/andP[_ hi].
rewrite xE -SE in hi; have restP : IZR (S - x.2) <= IZR S * (1 - exp (- of_ratio r)).
  by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2 mulrC.
have [[P0 _] [Q0 _]] := (dP, dQ).
apply: (curve_captured u0 S0 ws0 P0 Q0) => i is_in; have is_in' := is_in; rewrite sizes in is_in'.
have := range_pointP d0 r0 rest0 restP (points_fromP V is_in') dP dQ h; apply: le_trans.
have := taken_above Z0 first u0 s0 D ws0 is_in; rewrite add0r => up; apply: le_trans up _.
have size_taken E0 us : size (taken_at w e.2 E0 us) = size us by elim: us E0 => //= v us IH E0; rewrite IH.
have /(all_nthP (Z0, Z0)) := le; move/(_ i); rewrite size_zip size_taken sizes minnn => /(_ is_in').
by rewrite nth_zip ?size_taken //= IZR_le_iff.
Qed.
End Sound.
