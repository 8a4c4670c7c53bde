(** The verified checker: mechanisms by points of their profile, where a record takes part, or by chance.

    What two laws have in common is looked at, from below, at multiples of a unit: 1 less the profile
    ([plain_point]); of a sample ([sampled_point]) at lesser odds that leave e^(a/2^w) to the curve that it
    is of; and with the laws exchanged y times what they have in common at 1/y ([exchanged_point]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers NormalEnclosures Ratios CheckerClosed CheckerDelta.
From ExactDP Require Import NoiseLedgers RulesNoiseRenyi Tables OverlapTables MeshTables CheckerNoise CheckerListedPairs CurvePairs.
From ExactDP Require Import RangePairs LineCurves CheckerLines CheckerReports CheckerReportsSound CheckerCurves CheckerCurveValues Moments CertificateJson CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The losses that a pair is looked at: the first, and sections of so many steps up to an end. *)
Definition window := (Z * seq (Z * Z))%type.
Fixpoint steps (k step : Z) (n : nat) : seq Z :=
  if n is n'.+1 then let k' := (k + step)%coqZ in k' :: steps k' step n' else [::].
Fixpoint sections (k : Z) (ends : seq (Z * Z)) : seq Z :=
  if ends is x :: ends' then steps k x.1 (Z.to_nat ((x.2 - k) / x.1)) ++ sections x.2 ends' else [::].
Definition points_in (x : window) : seq Z := x.1 :: sections x.1 x.2.
Definition last_in (x : window) : Z := seq.last x.1 (map snd x.2).

(** --- programs --- *)

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** What half-lines tell, from above. *)
Definition of_lines (h : half_lines) (ls : seq whole_line * Z) : option (Z -> Z -> option Z) :=
  let x := (square_of_unit h).1 in let y := Zpos (square_of_unit h).2 in
  if Z.ltb 0 x then
    if (root_of_normal w x y, prepared w x y ls.1) is (Some root, Some ps)
    then Some (lines_above w x y root (Zpos (parts_of_weights h)) ls.2 ps) else None
  else None.

(** The profile at a/b, from above. *)
Definition evaluator (c : base_noise) : option (Z -> Z -> option Z) :=
  match c with
  | BaseNormal m =>
      let x := (m.1 * m.1)%coqZ in let y := (Zpos m.2 * Zpos m.2)%coqZ in
      if Z.ltb 0 m.1 then option_map (normal_above w x y) (root_of_normal w x y) else None
  | BaseLaplace r => Some (laplace_above w r)
  | BaseRange r => option_map (range_above w r) (rest_of_range w r)
  | BaseShift _ _ | BaseBell _ _ => None
  | BaseLines h => of_lines h (forth h)
  | BaseReports c => letters_above w (others_reporting c) (share_drawn c) (odds_between c)
  end.

Variables (n d : Z).

Definition plain_point (f : Z -> Z -> option Z) (k : Z) : option Z :=
  option_map (fun v => (S - v)%coqZ) (f (k * n)%coqZ d).
(** Where it says so, at no odds below 1. *)
Definition sampled_point (q : ratio) (f : Z -> Z -> option Z) (beyond : bool) (k : Z) : option Z :=
  if decay_at w n d (- k) is Some y then
    let rest := (Zpos q.2 - q.1)%coqZ in
    let t := (Zpos q.2 * y.1 - rest * S)%coqZ in
    if Z.leb t 0 then (if beyond then None else Some (Z.min y.1 (floor_div (rest * S) (Zpos q.2))))
    else
      let l := (ln_of_quotient w t (q.1 * S)).1 in
      if f (if beyond then Z.max 0 l else l) S is Some v then Some (S - ceil_div (q.1 * v) (Zpos q.2))%coqZ else None
  else None.
Definition exchanged_point (f : Z -> option Z) (k : Z) : option Z :=
  if (f (- k)%coqZ, decay_at w n d (- k)) is (Some v, Some y)
  then Some (floor_div (Z.max 0 v * Z.max 0 y.1) S) else None.
Definition point_of_sample (s : sides) (f f' : bool -> Z -> option Z) (k : Z) : option Z :=
  match s with
  | WithRecord => f false k
  | WithoutRecord => exchanged_point (f false) k
  | WithEither => if Z.leb 0 k then f true k else exchanged_point (f' true) k
  end.

Definition place_points (f : Z -> option Z) (x : window) : option on_mesh :=
  let ks := points_in x in
  if read_all f ks is Some vs then if Z.leb 0 n then curve_table w n d (zip ks vs) else None else None.
End Program.

(** --- soundness --- *)

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition from_above (h : R -> R) (f : Z -> Z -> option Z) : Prop := forall a b v, Z.lt 0 b ->
  f a b = Some v -> IZR S * h (exp (IZR a / IZR b)) <= IZR v.

Lemma of_linesP h ls f a b v : Z.lt 0 b -> of_lines w h ls = Some f -> f a b = Some v ->
  IZR S * line_curve (real_lines (square_of_unit h).1 (Zpos (square_of_unit h).2) (Zpos (parts_of_weights h)) ls.1)
    (exp (IZR a / IZR b)) <= IZR v.
Proof.
move=> b0; rewrite /of_lines; case: Z.ltb_spec => // x0; case X: (root_of_normal _ _ _) => [root|] //.
case P: (prepared _ _ _ _) => [ps|] // [<-] hv; have B0 : IZR b != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have hroot := inverse_root_enclosed _ w0 _ _ _ _ (enclosed_quotient _ w0 (square_of_unit h).1 (Zpos (square_of_unit h).2) (Pos2Z.is_pos _)) X.
apply/RleP; have := @lines_aboveP w _ _ _ w0 x0 (Pos2Z.is_pos _) (Pos2Z.is_pos _) _ hroot _ _ _ _ _ _ b0 P hv.
by rewrite SE RdivE.
Qed.

Lemma evaluatorP c f : evaluator w c = Some f -> from_above (curve_at (curve_of c)) f.
Proof.
move=> + a b v b0; case: c => [m|r|r|r s|r s|h|c] //=; rewrite ?ln_exp.
- case: Z.ltb_spec => // m0; case X: (root_of_normal _ _ _) => [root|] // [<-] hv.
  have e : sqrt (fraction (m.1 * m.1) (Zpos m.2 * Zpos m.2)) = of_ratio m.
    rewrite -[RHS]sqrt_square; last first.
      by apply/RleP; rewrite /of_ratio /fraction divr_ge0 // (IZR_le_iff Z0); exact/Z.leb_le/Z.lt_le_incl.
    by congr sqrt; rewrite RmultE /of_ratio /fraction !IZRM mulf_div.
  by rewrite -e; apply: (normal_aboveP w0 b0 _ _ X hv) => //; exact: Z.mul_pos_pos.
- by move=> [<-]; exact: laplace_aboveP.
- case X: (rest_of_range _ _) => [rest|] // [<-]; have [rest0 restP] := rest_of_rangeP w0 X.
  exact: range_aboveP.
- exact: of_linesP.
by move=> known; apply: letters_aboveP known b0.
Qed.

Section Points.
Variables (n d : Z).
Hypothesis d0 : Z.lt 0 d.
Let u := (IZR n / IZR d)%R.
Let D0 : 0 < IZR d. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

(** At each loss no more than laws have in common. *)
Definition under_points (f : Z -> option Z) (g : R -> R) : Prop :=
  forall k v, f k = Some v -> IZR v <= IZR S * g (odds u k).

Lemma profile_at (h : R) v (Y : finType) (P Q : Y -> R) (y : R) : distribution P ->
  hockey_stick 1 y P Q <= h -> IZR S * h <= IZR v -> IZR (S - v) <= IZR S * overlap P Q y.
Proof.
move=> [_ P1]; rewrite hockey_stick_overlap P1 => le hv; rewrite IZRB ler_subl_addr -ler_subl_addl.
apply: le_trans hv; rewrite -[X in X - _]mulr1 -mulrBr ler_pmul2l //.
Qed.

Lemma plain_pointP h f (Y : finType) (P Q : Y -> R) : from_above h f -> distribution P ->
  (forall l : R, hockey_stick 1 (exp l) P Q <= h (exp l)) -> under_points (plain_point w n d f) (overlap P Q).
Proof.
move=> above dP le k v; rewrite /plain_point; case X: (f _ _) => [x|] // [<-].
apply: (profile_at dP _ (above _ _ _ d0 X)); rewrite oddsE.
by have -> : IZR k * u = IZR (k * n) / IZR d by rewrite IZRM /u mulrA.
Qed.

Lemma grownP k y : decay_at w n d (- k) = Some y -> IZR y.1 <= odds u k * IZR S.
Proof. by move/(decay_at_enclosed w0 d0)/andP => []. Qed.

Lemma sampled_pointP (q : ratio) c f (beyond : bool) (Y : finType) (P Q : Y -> R) k v : Z.lt 0 q.1 -> Z.le q.1 (Zpos q.2) ->
  from_above (curve_at c) f -> distribution P -> distribution Q ->
  (beyond -> 1 <= odds u k) ->
  (forall y : R, 0 <= y -> (beyond -> 1 <= y) -> hockey_stick 1 y P Q <= sampled_curve (of_ratio q) c y) ->
  sampled_point w n d q f beyond k = Some v -> IZR v <= IZR S * overlap P Q (odds u k).
Proof.
move=> q0 q1 above dP [Q0 Q1] far le; have [P0 P1] := dP; have B0 : 0 < IZR (Zpos q.2) by rewrite (IZR_lt_iff Z0).
have A0 : 0 < IZR q.1 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have r0 : 0 < of_ratio q by rewrite /of_ratio /fraction divr_gt0.
have r1 : 0 <= 1 - of_ratio q.
  rewrite subr_ge0 /of_ratio /fraction ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
have restE : IZR (Zpos q.2 - q.1) = IZR (Zpos q.2) * (1 - of_ratio q).
  by rewrite IZRB /of_ratio /fraction; field; rewrite gt_eqF.
have aE : IZR q.1 = IZR (Zpos q.2) * of_ratio q by rewrite /of_ratio /fraction; field; rewrite gt_eqF.
rewrite /sampled_point -/S; case E: (decay_at _ _ _ _) => [y|] //; have yP := grownP E.
set t := (Zpos q.2 * y.1 - _)%coqZ; case: Z.leb_spec => t0.
  case: beyond far le => // _ le [<-]; set y' := Num.min (odds u k) (1 - of_ratio q).
  have y0 : 0 <= y' by rewrite le_minr r1 (ltW (odds_gt0 u k)).
  have yk : y' <= odds u k by rewrite le_minl lexx.
  apply: (@le_trans _ _ (IZR S * overlap P Q y')); last first.
    by rewrite ler_pmul2l //; exact: overlap_grows.
  apply: (@le_trans _ _ (IZR S * y')).
    rewrite /y' minr_pmulr ?(ltW S0') // le_minr; apply/andP; split.
      by rewrite [IZR S * _]mulrC; apply: le_trans yP; rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_l.
    apply: (@le_trans _ _ (IZR (floor_div ((Zpos q.2 - q.1) * S) (Zpos q.2)))).
      by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_r.
    by apply: floor_div_below => //; rewrite IZRM restE -mulrA [(1 - _) * _]mulrC.
  rewrite ler_pmul2l //; have := le _ y0 (fun x : false => False_ind _ (notF x)); rewrite /sampled_curve le_minl lexx orbT.
  by rewrite hockey_stick_overlap P1 ler_add2l ler_opp2.
set l := ln_of_quotient _ _ _; case X: (f _ _) => [x|] // [<-].
have qS : Z.lt 0 (q.1 * S) by exact: Z.mul_pos_pos.
have QS : 0 < IZR (q.1 * S) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have T0 : 0 < IZR t by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have /enclosedP/andP[lP _] := ln_of_quotient_enclosed w w0 t (q.1 * S) t0 qS.
rewrite -/l -SE in lP; set m := (if beyond then _ else _) in X *; set z := exp (IZR m / IZR S)%R.
have z0 : 0 < z := exp_gt0 _.
set y' := (1 - of_ratio q) + of_ratio q * z.
have y0 : 0 <= y' by rewrite addr_ge0 // mulr_ge0 // ltW.
have y1 : beyond -> 1 <= y'.
  rewrite /y' /z /m => ->; rewrite -[X in X <= _](subrK (of_ratio q)) ler_add2l ler_pmulr // exp_ge1.
  rewrite divr_ge0 ?(ltW S0') // (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
have yk : y' <= odds u k.
  have [b1|lm] : (beyond /\ m = Z0) \/ m = l.1.
    by rewrite /m; case: (beyond) => /=; [case: (Z.max_spec 0 l.1) => -[_ ->]; [right|left]|right].
    have [b2 m0] := b1; apply: le_trans (far b2); rewrite /y' /z m0 mul0r exp_0 mulr1 subrK //.
  have zt : z <= IZR t / IZR (q.1 * S).
    have tq : 0 < IZR t / IZR (q.1 * S) by rewrite divr_gt0.
    rewrite -[X in _ <= X](lnK tq) /z exp_le ler_pdivr_mulr // lm.
    by rewrite RdivE ?gt_eqF // in lP.
  rewrite -(ler_pmul2r S0'); apply: le_trans yP; rewrite -(ler_pmul2l B0) /y' mulrDl mulrDr.
  rewrite -ler_subr_addl; apply: (@le_trans _ _ (IZR t)); last first.
    by rewrite /t IZRB !IZRM restE le_eqVlt; apply/orP; left; apply/eqP; ring.
  move: zt; rewrite ler_pdivl_mulr // IZRM aE => /(le_trans _); apply.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
apply: (@le_trans _ _ (IZR S * overlap P Q y')); last first.
  by rewrite ler_pmul2l //; exact: overlap_grows.
apply: (profile_at dP (le _ y0 y1)); rewrite /sampled_curve.
have -> : (y' <= 1 - of_ratio q) = false.
  by apply/negbTE; rewrite -ltNge /y' ltr_addl mulr_gt0.
have -> : (y' - (1 - of_ratio q)) / of_ratio q = z.
  by rewrite /y'; field; rewrite gt_eqF.
apply: ceil_div_above => //; rewrite IZRM aE.
have := above _ _ _ S0 X; rewrite -/z => hx.
have -> : IZR (Zpos q.2) * (IZR S * (of_ratio q * curve_at c z)) =
  IZR (Zpos q.2) * of_ratio q * (IZR S * curve_at c z) by ring.
by rewrite ler_pmul2l // mulr_gt0.
Qed.

Lemma overlap_exchanged (Y : finType) (P Q : Y -> R) (y : R) : 0 < y -> overlap P Q y = y * overlap Q P y^-1.
Proof.
move=> y0; rewrite /overlap mulr_sumr; apply: eq_bigr => o _.
by rewrite minr_pmulr ?(ltW y0) // mulrA mulfV ?gt_eqF // mul1r minC.
Qed.

Lemma exchanged_pointP f (Y : finType) (P Q : Y -> R) k v :
  (forall x, f (- k)%coqZ = Some x -> IZR x <= IZR S * overlap Q P (odds u (- k))) ->
  (forall o, 0 <= P o) -> (forall o, 0 <= Q o) ->
  exchanged_point w n d f k = Some v -> IZR v <= IZR S * overlap P Q (odds u k).
Proof.
move=> h P0 Q0; rewrite /exchanged_point; case X: (f _) => [x|] //; case E: (decay_at _ _ _ _) => [y|] // [<-].
have xP := h _ X; have yP := grownP E; have o0 := odds_gt0 u k.
have inv : odds u (- k) = (odds u k)^-1.
  apply: (mulIf (lt0r_neq0 o0)); rewrite mulVf ?gt_eqF // mulrC.
  by rewrite {2}/odds Z.opp_involutive odds_decay.
rewrite (overlap_exchanged _ _ o0) -inv; set c := overlap Q P _ in xP *.
have c0 : 0 <= c.
  apply: sumr_ge0 => o _; rewrite le_minr Q0 mulr_ge0 // ltW //; exact: odds_gt0.
have max0 (z : R) m : 0 <= z -> IZR m <= z -> IZR (Z.max 0 m) <= z.
  by move=> z0 mz; case: (Z.max_spec 0 m) => -[_ ->].
have x1 := max0 _ _ (mulr_ge0 (ltW S0') c0) xP; have y1 := max0 _ _ (mulr_ge0 (ltW o0) (ltW S0')) yP.
apply: floor_div_below => //; rewrite IZRM.
apply: le_trans (ler_pmul _ _ x1 y1) _.
- by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
- by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite -/S; ring.
Qed.

Lemma odds_ge1 k : Z.le 0 n -> Z.le 0 k -> 1 <= odds u k.
Proof.
move=> n0 k0; rewrite oddsE exp_ge1 mulr_ge0 //; first by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
by rewrite divr_ge0 ?(ltW D0) // (IZR_le_iff Z0); exact/Z.leb_le.
Qed.

Theorem point_of_sampleP s (q : ratio) c f f' (Y : finType) (P Q : Y -> R) : Z.le 0 n -> Z.lt 0 q.1 -> Z.le q.1 (Zpos q.2) ->
  from_above (curve_at c) f -> from_above (curve_at (exchanged_curve c)) f' -> has_noise (OfSample s (of_ratio q) c) P Q ->
  under_points (point_of_sample w n d s (sampled_point w n d q f) (sampled_point w n d q f')) (overlap P Q).
Proof.
move=> n0 q0 q1 above above' [dP dQ h] k v; have [[P0 _] [Q0 _]] := (dP, dQ); case: s h => /= h.
- by apply: (sampled_pointP q0 q1 above dP dQ) => // y y0 _; exact: h.
- by apply: exchanged_pointP => // x; apply: (sampled_pointP q0 q1 above dQ dP) => // y y0 _; exact: h.
case: Z.leb_spec => k0.
  apply: (sampled_pointP q0 q1 above dP dQ) => [_|y _ /(_ isT)/h[] //]; exact: odds_ge1.
apply: exchanged_pointP => // x; apply: (sampled_pointP q0 q1 above' dQ dP) => [_|y _ /(_ isT)/h[] //].
by apply: odds_ge1 => //; lia.
Qed.

Theorem place_pointsP f x t (g : R -> R) : (Z.le 0 n -> under_points f g) -> in_common g ->
  place_points w n d f x = Some t -> forall y : R, 0 <= y -> mean [:: real_mesh S u t] lesser y <= g y.
Proof.
move=> h common; rewrite /place_points; case R: (read_all _ _) => [vs|] //; case: Z.leb_spec => // n0 C.
have [_ cap] := curve_table_captured w0 d0 n0 C; apply: cap => // y yin; apply: h => //.
elim: (points_in x) vs R yin {C} => [|k ks IH] vs; first by move=> [<-].
rewrite /read_all /= -/(read_all f ks); case X: (f k) => [v|] //; case R: (read_all f ks) => [vs'|] // [<-].
rewrite /= inE => /predU1P[-> //|]; exact: IH.
Qed.

Theorem place_points_above_0 f x t : place_points w n d f x = Some t -> all_above_0 t.2.
Proof.
rewrite /place_points; case R: (read_all _ _) => [vs|] //; case: Z.leb_spec => // n0 C.
by have [] := curve_table_captured w0 d0 n0 C.
Qed.
End Points.
End Sound.
