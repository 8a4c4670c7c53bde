(** The verified checker: one table for all mechanisms of which Rényi divergences are known, by rho or of
    several orders (SPEC, 11.5).

    Laws of these divergences have in common, at the odds e^l, at least 1 - e^(c - (alpha - 1) l) where l
    is not below 0, for each order alpha, and at the odds e^-l at least e^-l times that.  Points of this, at
    losses and by orders that are proposed, make a table on the mesh (CheckerCurves.v); that it takes no
    more than there is at any of them is checked ([divergent_table_captured]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Powers Moments.
From ExactDP Require Import RulesConcentrated RulesNoiseRenyi NoiseLedgers.
From ExactDP Require Import Logarithms Exponentials Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed CheckerDelta.
From ExactDP Require Import CheckerConcentrated OverlapTables MeshTables CheckerNoise CheckerListedPairs CurvePairs.
From ExactDP Require Import CheckerCurves BesideDivergences Tables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Orders, and losses in units of the mesh, each with the number of the order that counts there. *)
Record divergent_plan := DivergentPlan { of_orders : seq order; at_losses : seq (Z * nat) }.

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** What stands in the exponent at the loss 0. *)
Definition line_start (rho : ratio) (ls : seq (orders * Z)) (o : order) : option enclosure :=
  if order_ok o then
    if listed_enclosure w o ls is Some u then
      Some (add (exponent_enclosure w o (enclosure_of_fraction w rho.1 (Zpos rho.2)) (enclosure_of_Z w 0)) u)
    else None
  else None.

Definition common_above (n d : Z) (o : order) (start : enclosure) (k : Z) : option Z :=
  let e := add start (scale_fraction (order_below o - order_above o) (order_below o) (enclosure_of_fraction w (k * n) d)) in
  if exponential w e is Some x then Some (Z.max 0 (S - x.2)) else None.
(** From below, times 2^w, at the loss k n/d. *)
Definition common_at (n d : Z) (o : order) (start : enclosure) (k : Z) : option Z :=
  if Z.leb 0 k then common_above n d o start k
  else if (common_above n d o start (- k), decay_at w n d (- k)) is (Some v, Some e)
  then Some (floor_div (v * Z.max 0 e.1) S) else None.

Fixpoint all_of (A B : Type) (f : A -> option B) (s : seq A) : option (seq B) :=
  if s is a :: s' then if (f a, all_of f s') is (Some b, Some bs) then Some (b :: bs) else None else Some [::].

Definition divergent_points (n d : Z) (starts : seq (order * enclosure)) (ks : seq (Z * nat)) : option (seq (Z * Z)) :=
  all_of (fun k => if List.nth_error starts k.2 is Some l then option_map (pair k.1) (common_at n d l.1 l.2 k.1) else None) ks.

Definition divergent_table (n d : Z) (rho : ratio) (ls : seq (orders * Z)) (p : divergent_plan) : option on_mesh :=
  if all_of (fun o => option_map (pair o) (line_start rho ls o)) (of_orders p) is Some starts then
    if divergent_points n d starts (at_losses p) is Some ps then curve_table w n d ps else None
  else None.
End Program.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma overlap_reversed (Y : finType) (P Q : Y -> R) (y : R) : 0 < y -> overlap P Q y = y * overlap Q P y^-1.
Proof.
move=> y0; rewrite /overlap mulr_sumr; apply: eq_bigr => o _.
rewrite minr_pmulr ?(ltW y0) // mulrA divff ?gt_eqF // mul1r; exact: minC.
Qed.

(** Logarithms of moments: of mechanisms by rho, and of lists of divergences. *)
Definition log_moments (rho : ratio) (ls : seq (orders * Z)) (a : R) : R :=
  (a * (a - 1) * of_ratio rho + \sum_(e <- in_orders ls) log_bound a e)%R.

Variables (rho : ratio) (ls : seq (orders * Z)).
Hypothesis counts : all (fun l => Z.leb 0 l.2) ls.

Lemma line_startP o c : line_start w rho ls o = Some c -> [/\ order_ok o, 1 < order_of o,
  all (proper_entry (order_of o)) (in_orders ls) &
  enclosed w (log_conversion (order_of o) + log_moments rho ls (order_of o)) c].
Proof.
rewrite /line_start; case: ifP => // ok; case U: (listed_enclosure _ _ _) => [u|] // [<-].
have [W V] := listed_enclosed w0 ok counts U; split=> //; first exact: order_gt1.
have -> : log_conversion (order_of o) + log_moments rho ls (order_of o) =
    exponent (of_ratio rho) 0 (order_of o) + \sum_(e <- in_orders ls) log_bound (order_of o) e.
  have -> : exponent (of_ratio rho) 0 (order_of o) = order_of o * (order_of o - 1) * of_ratio rho +
      (1 - order_of o) * 0 + log_conversion (order_of o) by exact: exponent_split.
  by rewrite /log_moments mulr0 addr0 addrA [log_conversion _ + _]addrC.
apply: enclosed_add V => //; apply: exponent_enclosed => //; last exact: enclosed_Z.
exact: (enclosed_fraction w0 rho.1 (Pos2Z.is_pos rho.2)).
Qed.

Section Point.
Variables (n d : Z) (d0 : Z.lt 0 d) (o : order) (c : enclosure).
Hypotheses (start : line_start w rho ls o = Some c).
Let u : R := (IZR n / IZR d)%R.

Lemma common_aboveP k v : Z.le 0 k -> common_above w n d o c k = Some v ->
  forall (Y : finType) (P Q : Y -> R), distribution P -> distribution Q ->
  moment_at_most (order_of o) (exp (log_moments rho ls (order_of o))) P Q ->
  Z.le 0 v /\ IZR v <= IZR S * overlap P Q (odds u k).
Proof.
move=> k0; rewrite /common_above -/S; case X: (exponential _ _) => [x|] // [<-] Y P Q dP dQ m.
have [ok a1 _ V] := line_startP start; have od : Z.lt 0 (order_below o) by case/andP: ok => /Z.ltb_lt.
have OD : 0 < IZR (order_below o) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
pose l := IZR k * u; have oE : odds u k = exp l by rewrite /odds /decay opp_IZR RoppE mulNr opprK.
have lE : IZR (k * n) / IZR d = l by rewrite IZRM /l /u mulrA.
have aE : 1 - order_of o = IZR (order_below o - order_above o) / IZR (order_below o).
  by rewrite IZRB mulrBl divff // gt_eqF.
have := enclosed_add _ _ _ _ _ V (enclosed_multiple (order_below o - order_above o) od (enclosed_fraction w0 (k * n) d0)).
rewrite -aE lE RplusE => E; have /enclosedP/andP[_ hi] := enclosed_exponential w w0 _ _ _ E X; rewrite -SE in hi.
have [[P0 P1] [Q0 Q1]] := (dP, dQ); split; first exact: Z.le_max_l.
have below : IZR (S - x.2) <= IZR S * overlap P Q (odds u k).
  rewrite IZRB ler_subl_addl oE; have := moment_divergence a1 l dP dQ m.
  rewrite hockey_stick_overlap P1 -expD ler_subl_addl => /(ler_wpmul2l (ltW S0')); rewrite mulr1 mulrDr => le.
  apply: le_trans le _; rewrite [X in X <= _]addrC ler_add2r; apply: le_trans hi; rewrite mulrC ler_pmul2r //.
  by rewrite exp_le le_eqVlt; apply/orP; left; apply/eqP; ring.
case: (Z.max_spec 0 (S - x.2)) => [[_ ->] //|[_ ->]].
by rewrite mulr_ge0 ?(ltW S0') // sumr_ge0 // => z _; rewrite le_minr P0 mulr_ge0 // ltW // oE exp_gt0.
Qed.

Lemma common_atP k v : common_at w n d o c k = Some v ->
  forall (Y : finType) (P Q : Y -> R), distribution P -> distribution Q ->
  moment_at_most (order_of o) (exp (log_moments rho ls (order_of o))) P Q ->
  moment_at_most (order_of o) (exp (log_moments rho ls (order_of o))) Q P ->
  IZR v <= IZR S * overlap P Q (odds u k).
Proof.
rewrite /common_at; case: Z.leb_spec => k0 V Y P Q dP dQ m m'.
  by case: (common_aboveP k0 V dP dQ m).
move: V; case X: (common_above _ _ _ _ _ _) => [f|] //; case E: (decay_at _ _ _ _) => [e|] // [<-].
have nk : Z.le 0 (- k) by lia.
have [f0 le] := common_aboveP nk X dQ dP m'.
have /andP[lo _] := decay_at_enclosed w0 d0 E; rewrite -/S -/u in lo.
have y0 : 0 < odds u k := odds_gt0 u k; have yE : odds u k = decay u (- k) by [].
have inv : (odds u k)^-1 = odds u (- k).
  by apply: (mulfI (x := odds u k)); rewrite ?gt_eqF // divff ?gt_eqF // /odds -decayD Z.add_opp_diag_r decay0.
rewrite (overlap_reversed _ _ y0) inv -/S; apply: floor_div_below => //; rewrite -?/S.
have F0 : 0 <= IZR f by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
have O0 : 0 <= overlap Q P (odds u (- k)).
  by apply: sumr_ge0 => z _; rewrite le_minr; have [[P0 _] [Q0 _]] := (dP, dQ); rewrite Q0 mulr_ge0 // ltW // odds_gt0.
apply: (@le_trans _ _ (IZR f * (odds u k * IZR S))).
  rewrite IZRM ler_wpmul2l //; case: (Z.max_spec 0 e.1) => [[_ ->]|[_ ->]]; first exact: lo.
  by rewrite mulr_ge0 ?(ltW S0') // ltW.
apply: (@le_trans _ _ (IZR S * overlap Q P (odds u (- k)) * (odds u k * IZR S))).
  by rewrite ler_wpmul2r // mulr_ge0 ?(ltW S0') // ltW.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
End Point.

Lemma all_ofP (A B : Type) (f : A -> option B) s bs : all_of f s = Some bs ->
  List.Forall2 (fun a b => f a = Some b) s bs.
Proof.
elim: s bs => [|a s IH] bs /=; first by move=> [<-]; constructor.
by case X: (f a) => [b|] //; case Y: (all_of f s) => [bs'|] // [<-]; constructor=> //; exact: IH.
Qed.

Lemma nth_Forall2 (A B : Type) (R0 : A -> B -> Prop) s bs i b : List.Forall2 R0 s bs ->
  List.nth_error bs i = Some b -> exists2 a, List.nth_error s i = Some a & R0 a b.
Proof. by move=> h; elim: h i => [[]//|x y s' bs' r _ IH [[<-]|i /IH //]]; exists x. Qed.

Lemma divergent_table_captured n d p t : Z.lt 0 d -> Z.le 0 n -> divergent_table w n d rho ls p = Some t ->
  all_above_0 t.2 /\ forall (Y : finType) (P Q : Y -> R),
  of_moment [seq order_of o | o <- of_orders p] (log_moments rho ls) P Q ->
  captured (real_mesh S (IZR n / IZR d)%R t) P Q.
Proof.
move=> d0 n0; rewrite /divergent_table; case X: (all_of _ _) => [starts|] //.
case E: (divergent_points _ _ _ _ _) => [ps|] // T; have [t0 cap] := curve_table_captured w0 d0 n0 T.
split=> // Y P Q [dP dQ m]; have [[P0 _] [Q0 _]] := (dP, dQ).
apply: (cap _ (overlap_in_common P0 Q0)) => x xin.
have [k [l [at_k of_k]]] : exists k l, List.nth_error starts k.2 = Some l /\
    option_map (pair k.1) (common_at w n d l.1 l.2 k.1) = Some x.
  have := all_ofP E; move: xin; rewrite /divergent_points; elim: ps {E T cap} (at_losses p) => // q ps IH ks; rewrite inE => xin h.
  inversion h as [|k ? ks' ? one rest]; subst; case/predU1P: xin => [e|/IH/(_ rest) //].
  by move: one; case L: (List.nth_error _ _) => [l|] // one; exists k, l; rewrite L e.
have [o ok one] := nth_Forall2 (all_ofP X) at_k; move: one; case Z : (line_start _ _ _ _) => [c|] //= [le].
move: of_k; rewrite -le /=; case C: (common_at _ _ _ _ _ _) => [v|] //= [<-] /=.
have oin : order_of o \in [seq order_of o | o <- of_orders p].
  have : List.In o (of_orders p) := List.nth_error_In _ _ ok.
  by elim: (of_orders p) => //= o' os IH [->|/IH h]; rewrite inE ?eqxx ?h ?orbT.
have [m1 m2] := m _ oin; exact: (common_atP d0 Z C dP dQ m1 m2).
Qed.
End Sound.
