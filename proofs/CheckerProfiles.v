(** The verified checker: the rule `mesh-upper`, for mechanisms whose pairs are listed.

    Each mechanism is a table on the mesh of the unit; they are multiplied bit by bit of their counts,
    and the product is kept within a window, or goes over to a coarser mesh with all tables, as the
    levels say.  What is left at epsilon is compared with delta.  Which windows and levels these are
    decides how sharp the bound is, and nothing about its truth. *)
From Coq Require Import Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals Rules Losses Notions RulesGaussian Logarithms.
From ExactDP Require Import Exponentials Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed.
From ExactDP Require Import NoiseLedgers OverlapTables Packing Tables MeshTables CheckerNoise CheckerListedPairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** First and last loss, and how many units make one from there on. *)
Definition level := (Z * Z * Z)%type.

(** --- programs --- *)

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** Of a loss that is r units above one of the coarser mesh, the share of the latter. *)
Definition share_at (n d factor r : Z) : option Z :=
  if (decay_at w n d r, decay_at w n d factor) is (Some x, Some y) then
    let s := floor_div ((x.1 - y.2) * S) (S - y.1) in
    if [&& Z.ltb y.1 S, Z.leb 0 s & Z.leb s S] then Some s else None
  else None.
Fixpoint shares (n d factor : Z) (rs : seq nat) : option (seq Z) :=
  if rs is r :: rs' then
    if (share_at n d factor (Z.of_nat r), shares n d factor rs') is (Some s, Some ss)
    then Some (s :: ss) else None
  else Some [::].

Definition coarsened (n d factor first last : Z) (t : on_mesh) : option on_mesh :=
  if shares n d factor (iota 1 (Z.to_nat factor).-1) is Some ss
  then Some (coarser_mesh S factor (fun r => nth Z0 ss (Z.to_nat r).-1) first last t) else None.

Definition reach (t : on_mesh) : Z := (t.1 + Z.of_nat (length t.2))%coqZ.

Fixpoint coarsened_all (n d factor : Z) (fs : seq on_mesh) : option (seq on_mesh) :=
  if fs is f :: fs' then
    if (coarsened n d factor f.1 (reach f) f, coarsened_all n d factor fs') is (Some g, Some gs)
    then Some (g :: gs) else None
  else Some [::].

(** The unit n/d that is left, and the product. *)
Fixpoint evaluated (levels : seq level) (n d : Z) (t : on_mesh) (fs : seq on_mesh) (counts : seq Z) : option (Z * on_mesh) :=
  let t' := doubled S t fs [seq Z.shiftr c (Z.of_nat (size levels)) | c <- counts] in
  if levels is (first, last, factor) :: levels' then
    if Z.ltb 0 factor then
      if coarsened n d factor first last t' is Some t'' then
        if Z.eqb factor 1 then evaluated levels' n d t'' fs counts
        else if coarsened_all n d factor fs is Some fs'
        then evaluated levels' (factor * n) d t'' fs' counts else None
      else None
    else None
  else Some (n, t').

(** The sum of w min(1, x), x what is left of e^(epsilon - L) at the loss L. *)
Fixpoint gathered (step x : Z) (ws : seq Z) : Z :=
  if ws is v :: ws' then (v * Z.min S x + gathered step (floor_div (x * step) S) ws')%coqZ else Z0.
Definition gathered_flat (x : Z) (ws : seq Z) : Z := (sum_of ws * Z.min S x)%coqZ.

(** At epsilon, of which e is an enclosure, with the unit n/d, at most a/b. *)
Definition within_delta (e : enclosure) (n d : Z) (t : on_mesh) (a b : Z) : bool :=
  let pivot := Z.max t.1 (Z.min (reach t) (floor_div (e.1 * d) (n * S))) in
  let before := Z.to_nat (pivot - t.1) in
  let left := Z.min S (e.1 - ceil_div (pivot * n * S) d) in
  if (exponential_at w left, decay_at w n d 1) is (Some x, Some y) then
    [&& Z.leb 0 y.1, Z.leb 0 x.1, Z.ltb 0 b &
     Z.leb ((b - a) * (S * S)) (b * (gathered_flat x.1 (take before t.2) + gathered y.1 x.1 (drop before t.2)))]
  else false.
End Program.

(** --- what holds of mechanisms --- *)

Section Composition.
Definition captures (n : noise) (T : seq (R * R)) := forall (Y : finType) (P Q : Y -> R),
  has_noise n P Q -> captured T P Q.

Lemma noisy_laws ns (Y : finType) (P Q : Y -> R) : noisy_composition ns P Q ->
  nonnegative_laws P Q /\ \sum_y P y = 1.
Proof.
have both : noisy_composition ns P Q -> distribution P /\ distribution Q.
  elim=> [|n {}ns {}Y Z {}P {}Q P' Q' [dP dQ _] _ IH].
    suff h : distribution (fun _ : unit => 1 : R) by split.
    by split=> [_|]; [exact: ler01|rewrite big_const card_unit /= addr0].
  by split; apply: distribution_pair => // y; case: (IH y).
by move/both=> [[P0 P1] [Q0 _]]; split.
Qed.

Theorem composition_captured (zs : seq (noise * seq (R * R))) (Y : finType) (P Q : Y -> R) :
  List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs ->
  noisy_composition (unzip1 zs) P Q -> forall y : R, 0 <= y -> mean (unzip2 zs) lesser y <= overlap P Q y.
Proof.
move e : (unzip1 zs) => ns h C; elim: C zs e h => {ns Y P Q} [|n ns Y Z P Q P' Q' hn C IH] zs.
  case: zs => // _ _ y y0 /=; by rewrite /overlap big_const card_unit /= addr0 mulr1.
case: zs => //= -[n' T] zs [en ens] h; have [{}h h'] : (captures n' T /\ table_above_0 T) /\
  List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs by inversion h.
have [cap T0] := h; have all0 : all (@table_above_0 _) (unzip2 zs).
  by elim: h' {IH ens} => //= z zs' [_ ->].
apply: overlap_composes => //.
- by case: hn => -[P0 _] [Q0 _] _ z.
- by move=> o; have [] := noisy_laws (C o).
- by rewrite en in cap; exact: cap.
by move=> o y y0; exact: (IH o zs).
Qed.

Theorem noisy_upper_half (zs : seq (noise * seq (R * R))) epsilon (delta : R) :
  List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs ->
  1 - delta <= mean (unzip2 zs) lesser (exp epsilon) ->
  forall ns, Permutation (unzip1 zs) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> h le ns p Y P Q C; have [zs' [e p']] := Permutation_map_inv _ _ (Permutation_sym p).
have h' : List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs'.
  by exact: Permutation_Forall p' h.
have E0 := ltW (exp_gt0 epsilon); rewrite e in C; have := composition_captured h' C E0.
have -> : mean (unzip2 zs') lesser (exp epsilon) = mean (unzip2 zs) lesser (exp epsilon).
  by apply: mean_permutation; exact: Permutation_sym (Permutation_map snd p').
have [_ P1] := noisy_laws C; move=> {}C.
by rewrite hockey_stick_overlap P1 ler_subl_addr -ler_subl_addl; exact: le_trans le C.
Qed.

(** The other direction. *)
Definition turned_noise (n : noise) : noise :=
  match n with
  | OfTable t => OfTable (turned t)
  | OfSample s q c => OfSample (other_side s) q (turned_curve s c)
  | OfShuffled s v b => OfShuffled (other_side s) v b
  | _ => n
  end.

Lemma table_sticks (t : seq (R * R)) (y : R) :
  hockey_stick 1 y (@law_with t) (@law_without t) = \sum_(x <- t) pos (1 * x.1 - y * x.2).
Proof. by rewrite /hockey_stick (big_tnth _ _ t). Qed.
Lemma table_sticks_back (t : seq (R * R)) (y : R) :
  hockey_stick 1 y (@law_without t) (@law_with t) = \sum_(x <- t) pos (1 * x.2 - y * x.1).
Proof. by rewrite /hockey_stick (big_tnth _ _ t). Qed.

Lemma has_noise_turned n (Y : finType) (P Q : Y -> R) : has_noise n P Q -> has_noise (turned_noise n) Q P.
Proof.
case=> dP dQ; case: n => [m|os|e|decay shift|b|t|[] q c|v s|s v n] /= h; split=> //; try by [move=> y /h[]|move=> y /h[? ?]; rewrite exchanged_curveK].
- exact: satisfies_sym.
- by move=> a r /h[].
- exact: RulesNoiseRenyi.bounded_range_sym.
- by case: h.
- by case: h.
- have [h1 h2] := h; split=> y y0.
    by apply: le_trans (h2 y y0) _; rewrite table_sticks table_sticks_back big_map.
  by apply: le_trans (h1 y y0) _; rewrite table_sticks table_sticks_back big_map.
- by case: h.
by apply: ShuffledBatches.told_of_epoch_back h => a b; case: s.
Qed.

Lemma noisy_turned ns (Y : finType) (P Q : Y -> R) : noisy_composition ns P Q ->
  noisy_composition (map turned_noise ns) Q P.
Proof.
elim=> [|n {}ns {}Y Z {}P {}Q P' Q' /has_noise_turned h _ IH]; first exact: NoisyNil.
exact: NoisyCons.
Qed.
End Composition.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma share_atP n d factor r s : Z.lt 0 d -> share_at w n d factor r = Some s ->
  [/\ Z.le 0 s, Z.le s S &
      IZR s + (IZR S - IZR s) * decay (IZR n / IZR d)%R factor <= IZR S * decay (IZR n / IZR d)%R r].
Proof.
move=> d0; rewrite /share_at; case X: (decay_at _ _ _ r) => [x|] //; case Y: (decay_at _ _ _ _) => [y|] //.
have /andP[x1 _] := decay_at_enclosed w0 d0 X; have /andP[y1 y2] := decay_at_enclosed w0 d0 Y.
rewrite -/S in x1 y1 y2 *; set D := decay _ factor in y1 y2 *; set C := decay _ r in x1 *.
case: ifP => // /and3P[/Z.ltb_lt lt /Z.leb_le s0 /Z.leb_le sS] [<-]; split=> //.
set s' := floor_div _ _ in s0 sS *; have s0' := IZR_ge0 s0.
have room : Z.lt 0 (S - y.1) by lia.
have le : IZR s' * (IZR S - IZR y.1) <= (IZR x.1 - IZR y.2) * IZR S.
  by rewrite -!IZRB -!IZRM IZR_le_iff (Z.mul_comm s'); apply/Z.leb_le; exact: Z.mul_div_le.
rewrite -(ler_pmul2r S0'); have -> : (IZR s' + (IZR S - IZR s') * D) * IZR S =
  IZR s' * (IZR S - D * IZR S) + D * IZR S * IZR S by ring.
apply: (@le_trans _ _ ((IZR x.1 - IZR y.2) * IZR S + D * IZR S * IZR S)).
  by rewrite ler_add2r; apply: le_trans le; rewrite ler_wpmul2l // ler_add2l ler_opp2.
rewrite -mulrDl ler_pmul2r // [IZR S * C]mulrC; apply: le_trans x1.
by rewrite -ler_subr_addr ler_add2l ler_opp2.
Qed.

Lemma sharesP n d factor rs ss : Z.lt 0 d -> shares w n d factor rs = Some ss ->
  forall i, (i < size rs)%N -> share_at w n d factor (Z.of_nat (nth 0%N rs i)) = Some (nth Z0 ss i).
Proof.
move=> d0; elim: rs ss => //= r rs IH ss; case X: (share_at _ _ _ _ _) => [s|] //.
by case Y: (shares _ _ _ _ _) => [ss'|] // [<-] [|i] //= h; exact: IH.
Qed.

Lemma coarsenedP n d factor first last t t' Ts : Z.lt 0 d -> Z.le 0 n -> Z.lt 0 factor ->
  coarsened w n d factor first last t = Some t' -> below S (IZR n / IZR d)%R t Ts ->
  below S (IZR (factor * n) / IZR d)%R t' Ts.
Proof.
move=> d0 n0 f0; rewrite /coarsened; case X: (shares _ _ _ _ _) => [ss|] // [<-] b.
rewrite IZRM -mulrA; apply: below_coarser => //.
  by rewrite divr_ge0 ?IZR_ge0 //; exact: Z.lt_le_incl.
move=> r r0 rf; have lt : ((Z.to_nat r).-1 < (Z.to_nat factor).-1)%N.
  by apply/ssrnat.ltP; move: r0 rf; clear; lia.
have := sharesP d0 X; rewrite size_iota => /(_ _ lt); rewrite nth_iota //.
have -> : Z.of_nat (1 + (Z.to_nat r).-1)%N = r by rewrite add1n; move: r0; clear; lia.
exact: share_atP.
Qed.

Lemma coarsened_allP n d factor fs gs Ts : Z.lt 0 d -> Z.le 0 n -> Z.lt 0 factor ->
  coarsened_all w n d factor fs = Some gs ->
  List.Forall2 (fun f T => below S (IZR n / IZR d)%R f [:: T]) fs Ts ->
  List.Forall2 (fun f T => below S (IZR (factor * n) / IZR d)%R f [:: T]) gs Ts.
Proof.
move=> d0 n0 f0 h b; elim: b gs h => [|f T {}fs {}Ts bf _ IH] gs /=; first by move=> [<-]; constructor.
case X: (coarsened _ _ _ _ _ _ _) => [g|] //; case Y: (coarsened_all _ _ _ _ _) => [gs'|] // [<-].
by constructor; [exact: coarsenedP X bf|exact: IH].
Qed.

Lemma evaluatedP levels n d t fs counts n' t' Ts : Z.lt 0 d -> Z.le 0 n -> all_above_0 counts ->
  List.Forall2 (fun f T => below S (IZR n / IZR d)%R f [:: T]) fs Ts -> all (@table_above_0 _) Ts ->
  below S (IZR n / IZR d)%R t (copies Ts [seq Z.shiftr c (Z.of_nat (size levels) + 1) | c <- counts]) ->
  evaluated w levels n d t fs counts = Some (n', t') -> below S (IZR n' / IZR d)%R t' (copies Ts counts).
Proof.
move=> d0 + c0 + Ts0; elim: levels n t fs => [|[[first last] factor] levels IH] n t fs n0 b bt.
  move=> [<- <-]; have e : [seq Z.shiftr c 0 | c <- counts] = counts.
    by rewrite -[RHS]map_id; apply: eq_map => c; exact: Z.shiftr_0_r.
  rewrite /= e; apply: (below_doubled S0 b Ts0) => //.
set k := Z.of_nat (size levels).+1; have kept : all_above_0 [seq Z.shiftr c k | c <- counts].
  rewrite /all_above_0 all_map; apply: sub_all c0 => c /Z.leb_le h /=; apply/Z.leb_le.
  by apply/Z.shiftr_nonneg.
have next : below S (IZR n / IZR d)%R (doubled S t fs [seq Z.shiftr c k | c <- counts])
    (copies Ts [seq Z.shiftr c k | c <- counts]).
  apply: (below_doubled S0 b Ts0 kept).
  rewrite (_ : halves _ = [seq Z.shiftr c (k + 1) | c <- counts]) // /halves -map_comp.
  by apply: eq_map => c; rewrite /= Z.div2_spec Z.shiftr_shiftr.
rewrite /= -/k -/S; case: ifP => // /Z.ltb_lt f0; case X: (coarsened _ _ _ _ _ _ _) => [t''|] //.
have ke : k = (Z.of_nat (size levels) + 1)%coqZ by rewrite /k; clear; lia.
have b' := coarsenedP d0 n0 f0 X next; rewrite ke in b'.
case: Z.eqb_spec => [e|_]; first by apply: IH => //; rewrite e Z.mul_1_l in b'.
case Y: (coarsened_all _ _ _ _ _) => [fs'|] //; apply: IH => //; first exact: Z.mul_nonneg_nonneg (Z.lt_le_incl _ _ f0) n0.
exact: coarsened_allP Y b.
Qed.

Lemma gatheredP u (y : R) step x k ws : 0 <= y -> Z.le 0 step -> Z.le 0 x -> all_above_0 ws ->
  IZR step <= IZR S * decay u 1 -> IZR x <= IZR S * (y * decay u k) ->
  IZR (gathered w step x ws) <= IZR S * weigh (lesser_at u y) k ws.
Proof.
move=> y0 d0 + + D; elim: ws x k => [|v ws IH] x k x0 /=; first by rewrite mulr0.
case/andP=> /Z.leb_le v0 ws0 le; rewrite -/S IZRD IZRM mulrDr; apply: ler_add.
  rewrite mulrCA ler_wpmul2l ?IZR_ge0 // /lesser_at /lesser minr_pmulr ?(ltW S0') // mulr1 le_minr.
  apply/andP; split; first by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_l.
  by apply: le_trans le; rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_r.
apply: IH => //; first by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
apply: floor_div_below => //; rewrite IZRM; apply: le_trans (ler_pmul (IZR_ge0 x0) (IZR_ge0 d0) le D) _.
by rewrite decayD le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma gathered_flatP u (y : R) x k l ws : 0 <= y -> 0 <= u -> Z.le 0 x -> all_above_0 ws ->
  Z.le (k + Z.of_nat (size ws)) l -> IZR x <= IZR S * (y * decay u l) ->
  IZR (gathered_flat w x ws) <= IZR S * weigh (lesser_at u y) k ws.
Proof.
move=> y0 u0 x0 + + le; have sumE v vs : sum_of (v :: vs) = (v + sum_of vs)%coqZ by rewrite !sum_ofE packed0_cons.
rewrite /gathered_flat -/S; elim: ws k => [|v ws IH] k; first by rewrite /= mulr0.
case/andP=> /Z.leb_le v0 ws0 /= kl; rewrite -/(sum_of (v :: ws)) sumE Z.mul_add_distr_r IZRD mulrDr.
apply: ler_add; last by apply: IH => //; lia.
rewrite IZRM mulrCA ler_wpmul2l ?IZR_ge0 // /lesser_at /lesser minr_pmulr ?(ltW S0') // mulr1 le_minr.
apply/andP; split; first by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_l.
apply: (@le_trans _ _ (IZR x)); first by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_r.
by apply: le_trans le _; rewrite ler_pmul2l // ler_wpmul2l // decay_le //; lia.
Qed.

Lemma within_deltaP epsilon e n d t a b Ts : Z.lt 0 d -> Z.lt 0 n -> enclosed w epsilon e ->
  within_delta w e n d t a b -> below S (IZR n / IZR d)%R t Ts ->
  1 - fraction a b <= mean Ts lesser (exp epsilon).
Proof.
move=> d0 n0 V; rewrite /within_delta -/S; set pivot := Z.max _ _; set before := Z.to_nat _; set left := Z.min _ _.
case X: (exponential_at _ _) => [x|] //; case Y: (decay_at _ _ _ _) => [y|] //.
case/and4P=> /Z.leb_le y0 /Z.leb_le x0 /Z.ltb_lt b0 /Z.leb_le le bt; set u := (IZR n / IZR d)%R in bt.
have D0 : 0 < IZR d by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have u0 : 0 <= u by rewrite divr_ge0 ?IZR_ge0 ?(ltW D0) //; exact: Z.lt_le_incl.
have E0 := exp_gt0 epsilon; have /andP[D _] := decay_at_enclosed w0 d0 Y; rewrite -/S -/u mulrC in D.
have xle : IZR x.1 <= IZR S * (exp epsilon * decay u pivot).
  have := exponential_at_enclosed w w0 _ _ X => /enclosedP/andP[+ _]; rewrite -SE => /le_trans; apply.
  rewrite mulrC ler_pmul2l // -expD RdivE ?gt_eqF // exp_le ler_pdivr_mulr //.
  have /enclosedP/andP[lo _] := V; rewrite -SE in lo.
  apply: (@le_trans _ _ (IZR (e.1 - ceil_div (pivot * n * S) d))).
    by rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_r.
  rewrite IZRB mulrDl mulNr; apply: ler_add => //; rewrite ler_opp2.
  have /RleP := ceil_div_ge (pivot * n * S) d d0; rewrite RdivE ?gt_eqF //; apply: le_trans.
  by rewrite !IZRM /u le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
have [t0 _] := bt; have E := below_weigh S0 bt (ltW E0).
have parts : IZR (gathered_flat w x.1 (take before t.2) + gathered w y.1 x.1 (drop before t.2)) <=
    IZR S * weigh (lesser_at u (exp epsilon)) t.1 t.2.
  have := t0; rewrite -{1 4}(cat_take_drop before t.2) /all_above_0 all_cat => /andP[t1 t2].
  have fits : Z.le (t.1 + Z.of_nat (size (take before t.2))) pivot.
    have : (size (take before t.2) <= before)%N by rewrite size_take; case: ltnP.
    move/ssrnat.leP; rewrite /before; have : Z.le t.1 pivot by exact: Z.le_max_l.
    by clear; lia.
  rewrite IZRD (weigh_cat S0) mulrDr; apply: ler_add; first exact: (gathered_flatP (l := pivot)) (ltW E0) u0 x0 t1 fits xle.
  have [short|long] := leqP (size t.2) before.
    by rewrite drop_oversize //= mulr0.
  apply: gatheredP => //; first exact: ltW.
  rewrite size_takel ?(ltnW long) //.
  have -> : (t.1 + Z.of_nat before)%coqZ = pivot.
    by have := Z.le_max_l t.1 (Z.min (reach t) (floor_div (e.1 * d) (n * S))); rewrite /before -/pivot; clear; lia.
  exact: xle.
have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have S2 : 0 < IZR S * IZR S by exact: mulr_gt0.
rewrite -(ler_pmul2l B0) -(ler_pmul2r S2).
have -> : IZR b * (1 - fraction a b) * (IZR S * IZR S) = IZR ((b - a) * (S * S)).
  have e2 : IZR b * fraction a b = IZR a by rewrite /fraction mulrC divfK // gt_eqF.
  by rewrite !IZRM IZRB mulrBr mulr1 e2.
apply: (@le_trans _ _ (IZR (b * (gathered_flat w x.1 (take before t.2) + gathered w y.1 x.1 (drop before t.2))))).
  by rewrite IZR_le_iff; exact/Z.leb_le.
rewrite IZRM -mulrA ler_wpmul2l ?(ltW B0) //; apply: le_trans parts _.
by apply: le_trans (ler_wpmul2l (ltW S0') E) _; rewrite mulrA mulrC.
Qed.
End Sound.
