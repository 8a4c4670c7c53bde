(** The verified checker: pairs of laws that are listed, output by output, as tables on a mesh.

    A pair is a list of the two probabilities of each output, times 2^w and from below: of a written
    table, of randomized response with its failure, and of a shift of discrete Laplace noise.  Each
    output is shared between the two multiples of the unit next to its loss ([shares_below]); those
    beyond a window, and those of an infinite loss, are dropped. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed NoiseLedgers NoiseOrder.
From ExactDP Require Import KeyedTables Tables OverlapTables MeshTables CheckerNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition listed_pair := seq (Z * Z).

(** --- programs --- *)

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** e^-(k n/d), times 2^w, from below and above. *)
Definition decay_at (n d k : Z) : option enclosure :=
  exponential w (enclosure_of_fraction w (- (k * n)) d).

(** Of an output with p and q, of which q is e^(j u) times as much as [grown]: what goes to the losses
    j u and (j + 1) u, the decay from one to the other being at most [step]. *)
Definition share_output (step grown p j : Z) : seq (Z * Z) :=
  let far := ceil_div (Z.max 0 (p - grown) * S) (S - step) in
  let far := Z.min (Z.min p far) (floor_div (grown * S) step) in
  let near := Z.min (p - far) (grown - ceil_div (far * step) S) in
  if [&& Z.leb 0 near, Z.leb 0 far, Z.leb (near + far) p & Z.leb (near * S + far * step) (grown * S)]
  then [:: (j, near); ((j + 1)%coqZ, far)] else [::].

Definition place_output (n d first last step p q : Z) : seq (Z * Z) :=
  if Z.leb p 0 || Z.leb q 0 then [::]
  else
    let j := Z.max first (floor_div ((ln_of_quotient w p q).1 * d) (n * S)) in
    if Z.ltb last j then [::]
    else if decay_at n d (- j) is Some e then share_output step (floor_div (q * e.1) S) p j else [::].

(** On the mesh of the unit n/d, from first to last. *)
Definition place_pair (n d first last : Z) (l : listed_pair) : option on_mesh :=
  if decay_at n d 1 is Some e then
    if Z.ltb 0 e.2 && Z.ltb e.2 S then
      Some (from_cells first (last + 1) (flatten [seq place_output n d first last e.2 o.1 o.2 | o <- l]))
    else None
  else None.

Definition of_written (t : table) : listed_pair :=
  [seq (floor_div (x.1.1 * S) (Zpos x.1.2), floor_div (x.2.1 * S) (Zpos x.2.2)) | x <- t].

(** Randomized response: from an enclosure of epsilon, and 1 - delta = kept/whole. *)
Definition of_response (e : enclosure) (kept whole : Z) : option listed_pair :=
  if exponential w (opp (at_least_zero e)) is Some x then
    let most := floor_div (Z.shiftl kept (2 * w)) (whole * (S + x.2)) in
    let least := floor_div (most * x.1) S in
    if Z.leb 0 x.1 then Some [:: (most, least); (least, most)] else None
  else None.

(** Discrete Laplace noise with the decay e^-r = x from one integer to the next. *)
Fixpoint powers_below (x v : Z) (n : nat) : seq Z :=
  if n is n'.+1 then v :: powers_below x (floor_div (v * x) S) n' else [::].
Definition shift_law (x : enclosure) (s : nat) : seq Z :=
  let share := floor_div (S * S) (S + x.2) in
  let least := floor_div ((S - x.2) * share) S in
  [seq floor_div ((if Nat.eqb j.1 0 || Nat.eqb j.1 s then share else least) * j.2) S
  | j <- zip (iota 0 s.+1) (powers_below x.1 S s.+1)].
Definition of_shift (r : ratio) (s : nat) : option listed_pair :=
  if exponential w (enclosure_of_fraction w (- r.1) (Zpos r.2)) is Some x then
    if Z.leb 0 x.1 && Z.leb x.2 S then let law := shift_law x s in Some (zip law (rev law)) else None
  else None.
End Program.
Arguments shift_law : simpl never.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma decay_at_enclosed n d k e : Z.lt 0 d -> decay_at w n d k = Some e ->
  IZR e.1 <= decay (IZR n / IZR d)%R k * IZR S <= IZR e.2.
Proof.
move=> d0 h; have V := enclosed_fraction w0 (- (k * n)) d0.
have := enclosed_exponential w w0 _ _ _ V h => /enclosedP; rewrite SE.
suff -> : exp (IZR (- (k * n)) / IZR d) = decay (IZR n / IZR d)%R k by [].
by rewrite /decay opp_IZR RoppE IZRM mulNr mulrA.
Qed.

Lemma floor_scaled x y (c v : R) : Z.lt 0 y -> IZR x <= IZR y * v -> v <= c -> IZR (floor_div x y) <= c.
Proof. by move=> y0 h; apply: le_trans; exact: floor_div_below. Qed.

(** Outputs that are on average no greater than laws' own. *)
Definition lists (l : listed_pair) (Y : finType) (P Q : Y -> R) := forall y : R, 0 <= y ->
  \sum_(o <- l) Num.min (IZR o.1) (y * IZR o.2) <= IZR S * overlap P Q y.

Lemma share_output_below u step grown p q j (y : R) : 0 <= y -> Z.le 0 p -> 0 <= q ->
  decay u 1 * IZR S <= IZR step -> IZR grown <= q * decay u (- j) ->
  cells_above_0 (share_output w step grown p j) /\
  cells_mean (lesser_at u y) (share_output w step grown p j) <= Num.min (IZR p) (y * q).
Proof.
move=> y0 p0 q0 D G; rewrite /share_output; case: ifP => [/and4P[n0 f0 /Z.leb_le sum /Z.leb_le fits]|_]; last first.
  by split=> //; rewrite /cells_mean big_nil le_minr !mulr_ge0 // !IZR_ge0.
move: n0 f0 sum fits; set near := Z.min _ _; set far := Z.min _ _ => n0 f0 sum fits.
split; first by rewrite /= n0 f0.
have := @moved_weights _ y (IZR p) q [:: (IZR near, decay u j); (IZR far, decay u (j + 1))] y0.
rewrite /cells_mean /= !big_cons !big_nil !addr0 /=; apply.
- by rewrite !(ltW (decay_gt0 _ _)) !IZR_ge0 //; apply/Z.leb_le.
- by rewrite -IZRD IZR_le_iff; apply/Z.leb_le.
have back : decay u j * decay u (- j) = 1 by rewrite -decayD Z.add_opp_diag_r decay0.
have N0 : 0 < decay u (- j) by exact: decay_gt0.
rewrite -(ler_pmul2r N0) mulrDl -!mulrA back decayD -[decay u j * _ * _]mulrAC back mul1r mulr1.
apply: le_trans G; rewrite -(ler_pmul2r S0') mulrDl -mulrA.
apply: (@le_trans _ _ (IZR (near * S + far * step))); last by rewrite -IZRM IZR_le_iff; apply/Z.leb_le.
by rewrite IZRD !IZRM ler_add2l ler_wpmul2l // IZR_ge0 //; apply/Z.leb_le.
Qed.

Lemma place_output_below n d first last step p q (y : R) : Z.lt 0 d -> 0 <= y -> Z.le 0 p -> Z.le 0 q ->
  let u := IZR n / IZR d in decay u 1 * IZR S <= IZR step ->
  cells_above_0 (place_output w n d first last step p q) /\
  cells_mean (lesser_at u y) (place_output w n d first last step p q) <= Num.min (IZR p) (y * IZR q).
Proof.
move=> d0 y0 p0 q0 u D; have none : cells_above_0 [::] /\ cells_mean (lesser_at u y) [::] <= Num.min (IZR p) (y * IZR q).
  by split=> //; rewrite /cells_mean big_nil le_minr IZR_ge0 // mulr_ge0 // IZR_ge0.
rewrite /place_output; case: ifP => // _; set j := Z.max _ _; case: ifP => // _.
case E: (decay_at _ _ _ _) => [e|] //; apply: share_output_below => //; first exact: IZR_ge0.
have /andP[lo _] := decay_at_enclosed d0 E; rewrite -/u in lo; apply: floor_div_below => //.
by rewrite IZRM [IZR S * _]mulrC -mulrA ler_wpmul2l // IZR_ge0.
Qed.

Theorem place_pair_captured n d first last l t : Z.lt 0 d ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l -> place_pair w n d first last l = Some t ->
  all_above_0 t.2 /\ forall (Y : finType) (P Q : Y -> R), lists l P Q ->
  captured (real_mesh S (IZR n / IZR d)%R t) P Q.
Proof.
move=> d0 l0; rewrite /place_pair; case E: (decay_at _ _ _ _) => [e|] //; case: ifP => // _ [<-].
set cells := flatten _; set u := IZR n / IZR d.
have /andP[_ D] := decay_at_enclosed d0 E; rewrite -/u in D.
have cellsP (y : R) : 0 <= y ->
    cells_above_0 cells /\ cells_mean (lesser_at u y) cells <= \sum_(o <- l) Num.min (IZR o.1) (y * IZR o.2).
  move=> y0; rewrite /cells {cells}; elim: l l0 => [|o l IH] /=; first by rewrite /cells_mean !big_nil.
  case/andP=> /andP[/Z.leb_le p0 /Z.leb_le q0] /IH[c0 le].
  have [c1 le1] := place_output_below first last d0 y0 p0 q0 D.
  rewrite /cells_mean big_cat big_cons; split; last exact: ler_add.
  by rewrite /cells_above_0 all_cat; apply/andP.
have h0 (y : R) : 0 <= y -> forall i, 0 <= lesser_at u y i by move=> y0 i; exact: lesser_at_ge0.
split=> [|Y P Q L y y0].
  by have [c0 _] := cellsP 1 ler01; have [] := weigh_from_cells S0 first (last + 1) (h0 _ ler01) c0.
have [c0 le] := cellsP y y0; have [le' _] := weigh_from_cells S0 first (last + 1) (h0 _ y0) c0.
rewrite mean_real_mesh ler_pdivr_mulr // mulrC; apply: le_trans le' (le_trans le _); exact: L.
Qed.

(** What a pair dominates. *)
Lemma lists_dominated l (Y Z : finType) (P Q : Y -> R) (P' Q' : Z -> R) :
  distribution P -> distribution P' -> nowhere_above P Q P' Q' -> lists l P' Q' -> lists l P Q.
Proof.
move=> [_ P1] [_ P1'] h L y y0; apply: le_trans (L y y0) _; rewrite ler_pmul2l //.
by have := h y y0; rewrite !hockey_stick_overlap P1 P1' ler_add2l ler_opp2.
Qed.

Lemma of_written_above_0 t : all (fun x => Z.leb 0 x.1.1 && Z.leb 0 x.2.1) t ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) (of_written w t).
Proof.
rewrite all_map; apply: sub_all => x /andP[/Z.leb_le p0 /Z.leb_le q0] /=; rewrite -/S.
by apply/andP; split; apply/Z.leb_le; apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
Qed.

Lemma of_written_lists t : lists (of_written w t) (@law_with (real_table t)) (@law_without (real_table t)).
Proof.
move=> y y0; rewrite /overlap /law_with /law_without.
rewrite -(big_tnth _ _ (real_table t) xpredT (fun x => Num.min x.1 (y * x.2))) !big_map mulr_sumr.
apply: ler_sum => x _ /=; rewrite minr_pmulr ?(ltW S0') // -/S.
have le (r : ratio) : IZR (floor_div (r.1 * S) (Zpos r.2)) <= IZR S * of_ratio r.
  apply: floor_div_below => //; rewrite IZRM /of_ratio /fraction.
  by rewrite mulrA mulrAC [IZR r.1 / _]mulrC mulrA divff ?mul1r ?[IZR S * _]mulrC // gt_eqF // (IZR_lt_iff Z0).
by apply: le2_min => //; rewrite mulrCA ler_wpmul2l.
Qed.

(** Randomized response. *)
Lemma at_least_private (Y : finType) (P Q : Y -> R) epsilon (delta : R) : distribution P -> distribution Q ->
  indistinguishable (exp epsilon) delta P Q -> dp_pair (exp (Rmax 0 epsilon)) delta P Q.
Proof.
move=> dP dQ [h h']; have le : exp epsilon <= exp (Rmax 0 epsilon) by rewrite exp_le; exact/RleP/Rmax_r.
split=> //; split=> A; [apply: le_trans (h A) _|apply: le_trans (h' A) _]; rewrite ler_add2r ler_wpmul2r //.
  by apply: sumr_ge0 => y _; case: dQ.
by apply: sumr_ge0 => y _; case: dP.
Qed.

Lemma of_response_lists epsilon e kept whole l (delta : R) : enclosed w epsilon e ->
  Z.lt 0 whole -> Z.le 0 kept -> Z.le kept whole -> 1 - delta = IZR kept / IZR whole ->
  of_response w e kept whole = Some l ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l /\
  lists l (rr0 (exp (Rmax 0 epsilon)) delta) (rr1 (exp (Rmax 0 epsilon)) delta).
Proof.
move=> V h0 k0 kh dE; rewrite /of_response; case X: (exponential _ _) => [x|] //; rewrite -/S.
case: ifP => // x0 [<-].
have := enclosed_exponential w w0 _ _ _ (enclosed_opp w _ _ (enclosed_at_least_zero w w0 _ _ V)) X.
rewrite exp_Ropp RinvE; last by rewrite gt_eqF // exp_gt0.
set E := exp (Rmax 0 epsilon); move=> /enclosedP; rewrite -SE => /andP[lo hi].
have E0 : 0 < E := exp_gt0 _; have S2 : Z.shiftl kept (2 * w) = (kept * (S * S))%coqZ.
  by rewrite Z.shiftl_mul_pow2; [rewrite /S Z.shiftl_1_l -Z.pow_add_r //; do 2 f_equal; lia|lia].
have x1 : 0 < IZR x.2 by apply: lt_le_trans hi; rewrite mulr_gt0 // invr_gt0.
have x2 : Z.lt 0 x.2 by apply/Z.ltb_lt; rewrite -IZR_lt_iff.
have H0 : 0 < IZR whole by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have K0 : 0 <= IZR kept by exact: IZR_ge0.
set most := floor_div _ _; set least := floor_div _ _.
have mostP : IZR most <= IZR S * ((1 - delta) * E / (1 + E)).
  apply: floor_div_below; first by apply: Z.mul_pos_pos; lia.
  rewrite S2 !IZRM IZRD dE; apply: (@le_trans _ _ (IZR whole * (IZR S + E^-1 * IZR S) *
    (IZR S * (IZR kept / IZR whole * E / (1 + E))))).
    rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
    by rewrite !gt_eqF // addr_gt0 // ltr01.
  apply: ler_wpmul2r; last by rewrite ler_pmul2l // ler_add2l.
  by rewrite !mulr_ge0 ?invr_ge0 ?(ltW S0') ?(ltW H0) ?(ltW E0) // addr_ge0 ?ler01 // ltW.
have most0 : Z.le 0 most.
  by apply: Z.div_pos; [rewrite S2; apply: Z.mul_nonneg_nonneg => //; lia|apply: Z.mul_pos_pos; lia].
have leastP : IZR least <= IZR S * ((1 - delta) / (1 + E)).
  apply: floor_div_below => //; rewrite IZRM.
  apply: (@le_trans _ _ (IZR S * ((1 - delta) * E / (1 + E)) * (E^-1 * IZR S))).
    by apply: ler_pmul => //; [exact: IZR_ge0|apply: IZR_ge0; exact/Z.leb_le].
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF // addr_gt0 // ltr01.
have least0 : Z.le 0 least by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact/Z.leb_le.
split; first by rewrite /= !(proj2 (Z.leb_le _ _)).
have d0 : 0 <= delta.
  have -> : delta = 1 - IZR kept / IZR whole by rewrite -dE opprB addrCA subrr addr0.
  by rewrite subr_ge0 ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
move=> y y0; rewrite !big_cons big_nil addr0 /= /overlap.
rewrite (sum4 (g := fun n => Num.min (nth 0 [:: delta; (1 - delta) * E / (1 + E); (1 - delta) / (1 + E); 0] n)
  (y * nth 0 [:: 0; (1 - delta) / (1 + E); (1 - delta) * E / (1 + E); delta] n))) //=.
rewrite mulr0 (min_r d0) (min_l (mulr_ge0 y0 d0)) add0r addr0 mulrDr.
have step (a b : Z) (c d : R) : IZR a <= IZR S * c -> IZR b <= IZR S * d ->
    Num.min (IZR a) (y * IZR b) <= IZR S * Num.min c (y * d).
  by move=> ac bd; rewrite minr_pmulr ?(ltW S0') //; apply: le2_min => //; rewrite mulrCA ler_wpmul2l.
by apply: ler_add; exact: step.
Qed.

Theorem response_lists epsilon e kept whole l (delta : R) (Y : finType) (P Q : Y -> R) : enclosed w epsilon e ->
  Z.lt 0 whole -> Z.le 0 kept -> Z.le kept whole -> 1 - delta = IZR kept / IZR whole ->
  of_response w e kept whole = Some l -> satisfies G (Approximate epsilon delta) P Q ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l /\ lists l P Q.
Proof.
move=> V h0 k0 kh dE r [dP dQ h]; have [l0 L] := of_response_lists V h0 k0 kh dE r; split=> //.
have H0 : 0 < IZR whole by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have d1 : delta <= 1 by rewrite -subr_ge0 dE divr_ge0 ?(ltW H0) // IZR_ge0.
have d0 : 0 <= delta.
  have -> : delta = 1 - IZR kept / IZR whole by rewrite -dE opprB addrCA subrr addr0.
  by rewrite subr_ge0 ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
have E1 : 1 <= exp (Rmax 0 epsilon) by rewrite exp_ge1; exact/RleP/Rmax_l.
have dR : distribution (rr0 (exp (Rmax 0 epsilon)) delta).
  by have [] := distribution_rr (ltW (lt_le_trans ltr01 E1)) d0 d1.
apply: (lists_dominated dP dR _ L) => y y0.
exact: rr_dominates d0 d1 (at_least_private dP dQ h) ler01 y0.
Qed.
End Sound.
