(** The verified checker: the profiles of normal, Laplace and bounded-range noise, from above and by
    integers, at losses that are fractions (SPEC, 7.4). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers NormalEnclosures Ratios CheckerClosed CheckerDelta.
From ExactDP Require Import NoiseLedgers Tables.
From ExactDP Require Normal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** 1 - e^(a/b), times 2^w and from above. *)
Definition rest_above (a b : Z) : option Z :=
  if exponential w (enclosure_of_fraction w a b) is Some e then Some (S - e.1)%coqZ else None.

(** At a/b, of sensitivity/scale r; and of range r, where [rest] is 1 - e^-r from below. *)
Definition laplace_above (r : ratio) (a b : Z) : option Z :=
  let here := (a * Zpos r.2)%coqZ in let most := (r.1 * b)%coqZ in
  if Z.ltb here (- most) then rest_above a b
  else if Z.leb here most then rest_above (here - most) (2 * (b * Zpos r.2))
  else Some Z0.
Definition range_above (r : ratio) (rest a b : Z) : option Z :=
  let here := (a * Zpos r.2)%coqZ in let most := (r.1 * b)%coqZ in
  if Z.ltb here (- most) then rest_above a b
  else if Z.leb here most then
    if rest_above (here - most) (2 * (b * Zpos r.2)) is Some v then
      let far := Z.max 0 v in Some (ceil_div (far * far) rest)
    else None
  else Some Z0.
(** 1 - e^-r from below. *)
Definition rest_of_range (r : ratio) : option Z :=
  if exponential w (enclosure_of_fraction w (- r.1) (Zpos r.2)) is Some x then
    if Z.ltb x.2 S then Some (S - x.2)%coqZ else None
  else None.

(** How many terms of the series near 0 are worth taking for v, which is 2^16 times as large: until the
    next is less than can be told beside e^(-v/2), and there are enough. *)
Fixpoint terms_from (fuel n : nat) (v left : Z) : nat :=
  if fuel is fuel'.+1 then
    if Z.leb left 0 && Z.leb v (Z.of_nat n * 65536) then n
    else terms_from fuel' n.+1 v (Z.shiftr (left * v / (2 * Z.of_nat n + 3)) 16)
  else n.
Definition near_terms (v : Z) : nat :=
  let seen := (w + 8 - Z.shiftr (v * 11) 20)%coqZ in
  (terms_from (Z.to_nat (8 * w + 64)) 0 v (if Z.leb seen 0 then 0 else Z.shiftl 1 seen)%coqZ + 1)%N.
(** At a/b, for mu^2 = x/y: the lesser and the greater v of the two sides, 2^16 times as large. *)
Definition squares_at (x y a b : Z) : Z * Z :=
  let square z := ((z * z * 65536) / (4 * b * b * x * y))%coqZ in
  let v := square (2 * a * y - b * x)%coqZ in let v' := square (2 * a * y + b * x)%coqZ in
  (Z.min v v', Z.max v v').

(** The series near 0 gives e^(v/2) e^(-v/2), with an error that grows as e^(v/2) does: it is not asked where
    that is not told from 0.  Where the other is asked, it is so far out that it falls for as many terms. *)
Definition near_counts (v : Z * Z) : option term_counts :=
  let far := (2 * w * 65536)%coqZ in
  if Z.leb (10 * v.1) (7 * w * 65536) then Some (near_terms (if Z.leb v.2 far then v.2 else v.1), 4%N) else None.
Definition far_counts (v : Z * Z) : option term_counts :=
  if Z.leb (30 * 65536) v.1 then Some (0%N, Z.to_nat (Z.min 40 (v.1 / 262144 + 4))) else None.

Definition root_of_normal (x y : Z) : option enclosure :=
  inverse_root w (Z.to_nat (w / 3 + 8)) (enclosure_of_fraction w x y).
Definition above_by (x y : Z) (root e : enclosure) (terms : option term_counts) : option Z :=
  if terms is Some t then option_map snd (profile_enclosure w t x y root e) else None.
Definition least_of (p q : option Z) : option Z :=
  match p, q with
  | Some v, Some v' => Some (Z.min v v')
  | Some v, None | None, Some v => Some v
  | None, None => None
  end.
(** By either series, what says more. *)
Definition normal_above (x y : Z) (root : enclosure) (a b : Z) : option Z :=
  let e := enclosure_of_fraction w a b in let v := squares_at x y a b in
  least_of (above_by x y root e (near_counts v)) (above_by x y root e (far_counts v)).
End Program.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma rest_aboveP a b v : Z.lt 0 b -> rest_above w a b = Some v -> IZR S * (1 - exp (IZR a / IZR b)) <= IZR v.
Proof.
move=> b0; rewrite /rest_above; case X: (exponential _ _) => [e|] // [<-].
have := enclosed_exponential w w0 _ _ _ (enclosed_fraction w0 a b0) X => /enclosedP/andP[lo _].
by rewrite -/S IZRB mulrBr mulr1 ler_add2l ler_opp2 mulrC SE.
Qed.

Lemma rest_of_rangeP r rest : rest_of_range w r = Some rest ->
  Z.lt 0 rest /\ IZR rest <= IZR S * (1 - exp (- of_ratio r)).
Proof.
rewrite /rest_of_range; case X: (exponential _ _) => [x|] //; case: Z.ltb_spec => // lt [<-].
have xE : (IZR (- r.1) / IZR (Zpos r.2))%R = - of_ratio r by rewrite opp_IZR RoppE mulNr.
have := enclosed_exponential w w0 _ _ _ (enclosed_fraction w0 (- r.1) (Pos2Z.is_pos r.2)) X => /enclosedP/andP[_ hi].
rewrite xE -SE in hi; rewrite -/S in lt *; split; first lia.
by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2 mulrC.
Qed.

Section At.
Variables (r : ratio) (a b : Z).
Hypothesis b0 : Z.lt 0 b.
Let here := (a * Zpos r.2)%coqZ.
Let most := (r.1 * b)%coqZ.
Let l : R := (IZR a / IZR b)%R.
Let B0 : 0 < IZR b. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let D0 : 0 < IZR (Zpos r.2). Proof. by rewrite (IZR_lt_iff Z0). Qed.
Let N0 : 0 < IZR b * IZR (Zpos r.2). Proof. exact: mulr_gt0. Qed.
Let hereE : IZR here = l * (IZR b * IZR (Zpos r.2)).
Proof. by rewrite /here IZRM /l; field; rewrite gt_eqF. Qed.
Let mostE : IZR most = of_ratio r * (IZR b * IZR (Zpos r.2)).
Proof. by rewrite /most IZRM /of_ratio /fraction; field; rewrite gt_eqF. Qed.

Lemma below_most : Z.ltb here (- most) = (l < - of_ratio r).
Proof. by rewrite -IZR_lt_iff opp_IZR RoppE hereE mostE -mulNr ltr_pmul2r. Qed.
Lemma at_most : Z.leb here most = (l <= of_ratio r).
Proof. by rewrite -IZR_le_iff hereE mostE ler_pmul2r. Qed.
Lemma halfway : (IZR (here - most) / IZR (2 * (b * Zpos r.2)))%R = (l - of_ratio r) / 2%:R.
Proof.
have two : IZR 2 = 2%:R by [].
by rewrite IZRB hereE mostE 2!IZRM two; field; rewrite !gt_eqF.
Qed.
Let double : Z.lt 0 (2 * (b * Zpos r.2)). Proof. lia. Qed.

Lemma laplace_aboveP v : laplace_above w r a b = Some v -> IZR S * laplace_curve (of_ratio r) l <= IZR v.
Proof.
rewrite /laplace_above -/here -/most below_most at_most /laplace_curve; case: ifP => _; first exact: rest_aboveP.
by case: ifP => _; [move/(rest_aboveP double); rewrite halfway|move=> [<-]; rewrite mulr0].
Qed.

Lemma range_aboveP rest v : Z.lt 0 rest -> IZR rest <= IZR S * (1 - exp (- of_ratio r)) ->
  range_above w r rest a b = Some v -> IZR S * range_curve (of_ratio r) l <= IZR v.
Proof.
move=> rest0 restP; rewrite /range_above -/here -/most below_most at_most /range_curve.
case: ifP => _; first exact: rest_aboveP.
case: ifP => [le|_]; last by move=> [<-]; rewrite mulr0.
case X: (rest_above _ _ _) => [f|] // [<-]; have := rest_aboveP double X; rewrite halfway.
set s := exp _ => farP; set far := Z.max _ _; have R0 : 0 < IZR rest by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have E0 : 0 < 1 - exp (- of_ratio r) by rewrite -(pmulr_rgt0 _ S0'); exact: lt_le_trans restP.
have far0 : 0 <= IZR far by rewrite (IZR_le_iff Z0); apply/Z.leb_le; exact: Z.le_max_l.
have {}farP : IZR S * (1 - s) <= IZR far.
  by apply: le_trans farP _; rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_max_r.
have s1 : 0 <= 1 - s.
  rewrite subr_ge0 -[X in _ <= X]exp_0 exp_le ler_pdivr_mulr ?ltr0n // mul0r subr_le0 //.
have h0 : 0 <= IZR S * (1 - s) by rewrite mulr_ge0 // ltW.
apply: ceil_div_above => //; rewrite IZRM; apply: (@le_trans _ _ (IZR S * (1 - s) * (IZR S * (1 - s)))); last first.
  exact: ler_pmul.
set c := (1 - s) ^+ 2 / _; have c0 : 0 <= c by rewrite divr_ge0 ?sqr_ge0 // ltW.
apply: le_trans (ler_wpmul2r (mulr_ge0 (ltW S0') c0) restP) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /c expr2; field.
by rewrite gt_eqF.
Qed.

End At.

Lemma normal_aboveP x y root a b v : Z.lt 0 b -> Z.lt 0 x -> Z.lt 0 y -> root_of_normal w x y = Some root ->
  normal_above w x y root a b = Some v -> IZR S * G (sqrt (fraction x y)) (IZR a / IZR b)%R <= IZR v.
Proof.
move=> b0 x0 y0; rewrite /root_of_normal => hroot.
have X0 : 0 < IZR x by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have Y0 : 0 < IZR y by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have e : fraction x y = (IZR x / IZR y)%coqR by rewrite RdivE // gt_eqF.
have root_ok := inverse_root_enclosed _ w0 _ _ _ _ (enclosed_quotient _ w0 _ _ y0) hroot.
have by_terms terms z : above_by w x y root (enclosure_of_fraction w a b) terms = Some z ->
    IZR S * G (sqrt (fraction x y)) (IZR a / IZR b)%R <= IZR z.
  rewrite /above_by; case: terms => // t; case X: (profile_enclosure _ _ _ _ _ _) => [g|] // [<-].
  have := profile_enclosure_sound _ w0 _ _ _ _ _ _ _ x0 y0 root_ok (enclosed_fraction w0 a b0) X.
  rewrite -e => /enclosedP/andP[_ hi].
  have s0 : 0 < sqrt (fraction x y) by apply/RltP/sqrt_lt_R0/RltP; rewrite divr_gt0.
  by rewrite /G s0 mulrC SE.
rewrite /normal_above /least_of; case P: (above_by _ _ _ _ _ _) => [p|]; case Q: (above_by _ _ _ _ _ _) => [q|] //.
- by move=> [<-]; case: (Z.min_spec p q) => -[_ ->]; [exact: by_terms P|exact: by_terms Q].
- by move=> [<-]; exact: by_terms P.
by move=> [<-]; exact: by_terms Q.
Qed.
End Sound.
