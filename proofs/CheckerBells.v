(** The verified checker: the masses of discrete Gaussian noise on the integers within a window, from
    below, as a listed pair for `mesh-upper` and as rows with scores for `mesh-lower`.

    Enclosed is e^(-x^2/2v) at each integer from 0 to n; the sum of all is at most twice these from above,
    and a geometric sum for what lies beyond.  Beyond the window masses are taken as 0. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions Logarithms Exponentials.
From ExactDP Require Import Enclosures EnclosuresOfNumbers Ratios CheckerClosed CheckerDelta DiscreteGaussian NoiseLedgers.
From ExactDP Require Import OverlapTables Tables CheckerNoise CheckerListedPairs NoiseTests CheckerScores CheckerNoiseRows.
From ExactDP Require Import CertificateJson CertificateProblems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- programs --- *)

Section Program.
Variables (w : Z) (v : ratio).
Let S := (2 ^ w)%coqZ.

Definition exp_minus_at (n d : Z) : option enclosure := exponential w (opp (enclosure_of_fraction w n d)).
Definition bell_at (x : nat) : option enclosure :=
  let x := Z.of_nat x in exp_minus_at (x * x * Zpos v.2) (2 * v.1).

(** At the integers from 0 on, and the sum over all integers from above, both times 2^w. *)
Definition both_sides (es : seq enclosure) : Z :=
  (foldr (fun e total => 2 * snd e + total) Z0 es - snd (head (Z0, Z0) es))%coqZ.
Definition bells_to (n : nat) : option (seq enclosure * Z) :=
  match read_all bell_at (iota 0 n.+1), bell_at n.+1, exp_minus_at (Z.of_nat n.+1 * Zpos v.2) v.1 with
  | Some es, Some b, Some r =>
      if [&& Z.ltb 0 v.1, Z.ltb (snd r) S & Z.leb 0 (snd b)] then
        let total := (both_sides es + ceil_div (2 * snd b * S) (S - snd r))%coqZ in
        if Z.ltb 0 total then Some (es, total) else None
      else None
  | _, _, _ => None
  end.

(** Masses from below, in units of 1/M, from -n to n. *)
Definition masses (M : Z) (n : nat) : option (seq Z) :=
  if bells_to n is Some (es, total) then
    let half := [seq floor_div (M * Z.max 0 (fst e)) total | e <- es] in
    Some (rev (behead half) ++ half)
  else None.

(** How far to look: e^(-x^2/2v) is below 2^-w from there on. *)
Definition most_reach : Z := 65536.
Definition reach : option nat :=
  let n := (Z.sqrt (7 * w * v.1 / (5 * Zpos v.2)) + 1)%coqZ in
  if Z.leb n most_reach then Some (Z.to_nat n) else None.

(** Of the noise and of the noise moved by s, from -(n + a) to n + a. *)
Definition moved_masses (a s : nat) (ms : seq Z) : seq (Z * Z) :=
  zip (nseq a Z0 ++ ms ++ nseq a Z0) (nseq (a + s) Z0 ++ ms).

Definition of_bell (s : nat) : option listed_pair :=
  if reach is Some n then option_map (moved_masses 0 s) (masses S n) else None.

(** As many scores as there are integers from -(n + s) to n + s, and one for what is beyond. *)
Definition bell_rows (M : Z) (s : nat) (ss : scores) : option score_rows :=
  if masses M ((size ss).-2./2 - s)%N is Some ms then
    let rows := rcons (moved_masses s s ms) (Z0, Z0) in
    if Nat.eqb (size ss) (size rows) then Some (zip rows ss) else None
  else None.
End Program.

Section Sound.
Variables (w : Z) (v : ratio).
Hypothesis w0 : Z.le 0 w.
Let S := (2 ^ w)%coqZ.
Let S0 : Z.lt 0 S. Proof. exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Notation b := (bell (of_ratio v)).
Let total := everywhere b.

Lemma exp_minus_atP n d e : Z.lt 0 d -> exp_minus_at w n d = Some e ->
  IZR e.1 <= IZR S * exp (- (IZR n / IZR d)) <= IZR e.2.
Proof.
move=> d0 h; have := enclosed_exponential w w0 _ _ _ (enclosed_opp _ _ _ (enclosed_fraction w0 n d0)) h.
by move/enclosedP; rewrite mulrC.
Qed.

Lemma bell_atP x e : Z.lt 0 v.1 -> bell_at w v x = Some e -> IZR e.1 <= IZR S * b x%:R <= IZR e.2.
Proof.
move=> v0; rewrite /bell_at => /exp_minus_atP h; have := h (Z.mul_pos_pos 2 _ (erefl _) v0).
suff -> : IZR (Z.of_nat x * Z.of_nat x * Zpos v.2) / IZR (2 * v.1) = x%:R ^+ 2 / (2%:R * of_ratio v) by [].
have n0 : IZR v.1 != 0 by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have d0 : IZR (Zpos v.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
have two : IZR 2 = 2%:R by [].
by rewrite /of_ratio /fraction !IZRM -INR_IZR_INZ INRE two; field; rewrite n0 d0.
Qed.

Lemma read_all_nth (A B : Type) (f : A -> option B) s bs (a0 : A) (b0 : B) : read_all f s = Some bs ->
  size bs = size s /\ forall i, (i < size s)%N -> f (nth a0 s i) = Some (nth b0 bs i).
Proof.
elim: s bs => [|a s IH] bs; first by case=> <-.
move=> h; have [c [bs' [e /IH [sz IH'] ->]]] := read_all_cons h; split=> [|[|i] lt] //=; first by rewrite sz.
exact: IH'.
Qed.

Lemma both_sidesE es : IZR (both_sides es) =
  \sum_(x < size es) IZR (2 * (nth (Z0, Z0) es x).2) - IZR (nth (Z0, Z0) es 0).2.
Proof.
rewrite /both_sides IZRB nth0; congr (_ - _).
by elim: es => [|e es IH]; rewrite ?big_ord0 // big_ord_recl /= IZRD IH.
Qed.

Lemma bells_toP n es t : Z.lt 0 v.1 -> bells_to w v n = Some (es, t) ->
  [/\ size es = n.+1, Z.lt 0 t, IZR S * total <= IZR t &
      forall x, (x <= n)%N -> IZR (nth (Z0, Z0) es x).1 <= IZR S * b x%:R].
Proof.
move=> v0; rewrite /bells_to -/S; case E: read_all => [es'|] //; case B: (bell_at _ _ _) => [c|] //.
case R: (exp_minus_at _ _ _) => [r|] //; case: ifP => // /and3P[_ /Z.ltb_lt r1 /Z.leb_le c0].
case: ifP => // /Z.ltb_lt t0 [<- <-]; have [sz at_x] := read_all_nth 0%N (Z0, Z0) E; rewrite size_iota in sz at_x.
have {}at_x x : (x <= n)%N -> IZR (nth (Z0, Z0) es' x).1 <= IZR S * b x%:R <= IZR (nth (Z0, Z0) es' x).2.
  by move=> le; apply: bell_atP => //; have := at_x x; rewrite nth_iota // add0n; apply.
split=> // [|x /at_x/andP[]//].
have V0 : 0 < of_ratio v by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
apply: (@le_trans _ _ (IZR S * (within n b + most_beyond (of_ratio v) n))).
  by rewrite ler_pmul2l //; exact: bell_total_above.
rewrite IZRD mulrDr; apply: ler_add.
  have -> : within n b = \sum_(x < n.+1) (if (x == 0 :> nat)%N then b 0 else 2%:R * b x%:R).
    elim: n {E B R at_x sz} => [|n IH]; first by rewrite /within big_nat1 big_ord1 subrr.
    by rewrite within_S IH [RHS]big_ord_recr /= bell_even; congr (_ + _); ring.
  rewrite mulr_sumr both_sidesE sz ler_subr_addr !big_ord_recl addrAC.
  have two : IZR 2 = 2%:R by [].
  apply: ler_add.
    have /andP[_ hi] := at_x 0%N (leq0n n); have -> : IZR (2 * (nth (Z0, Z0) es' (ord0 : 'I_n.+1)).2) =
      IZR (nth (Z0, Z0) es' 0).2 + IZR (nth (Z0, Z0) es' 0).2 by rewrite IZRM two /=; ring.
    by rewrite ler_add2r; exact: hi.
  apply: ler_sum => x _; have /andP[_ hi] := at_x (bump 0 x) (ltn_ord x).
  rewrite IZRM two; apply: (@le_trans _ _ (IZR S * (2%:R * b (bump 0 x)%:R))); first by [].
  by rewrite mulrCA ler_pmul2l ?ltr0n.
have /andP[_ b_hi] := bell_atP v0 B; have /andP[_ r_hi] := exp_minus_atP v0 R.
have rE : exp (- (IZR (Z.of_nat n.+1 * Zpos v.2) / IZR v.1)) = ratio_beyond (of_ratio v) n.+1.
  rewrite /ratio_beyond; congr exp; congr (- _).
  by rewrite /of_ratio /fraction IZRM -INR_IZR_INZ INRE invf_div mulrA.
rewrite rE in r_hi; have gap : Z.lt 0 (S - r.2) by lia.
have n2E : IZR (2 * c.2 * S) = 2%:R * IZR c.2 * IZR S by rewrite !IZRM.
apply: (ceil_div_above gap); rewrite n2E.
have lt1 := ratio_beyond_lt1 V0 (ltn0Sn n); rewrite /most_beyond; set q := ratio_beyond _ _ in r_hi lt1 *.
have g0 : 0 < 1 - q by rewrite subr_gt0.
have B0 : 0 < b n.+1%:R := bell_gt0 _ _.
apply: (@le_trans _ _ (IZR S * (1 - q) * (IZR S * (2%:R * (b n.+1%:R / (1 - q)))))).
  apply: ler_wpmul2r; first by rewrite !mulr_ge0 ?(ltW S0') ?ler0n ?invr_ge0 ?(ltW g0) ?(ltW B0).
  by rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2.
have -> : IZR S * (1 - q) * (IZR S * (2%:R * (b n.+1%:R / (1 - q)))) = 2%:R * (IZR S * b n.+1%:R) * IZR S.
  by field; rewrite gt_eqF.
by rewrite ler_pmul2r // ler_pmul2l ?ltr0n.
Qed.

(** The masses of the noise, at the integers from -(n + k) on. *)
Definition below_masses (M : Z) (ms : seq Z) (n k : nat) : Prop := forall i : nat,
  Z.le 0 (nth Z0 ms i) /\ IZR (nth Z0 ms i) <= IZR M * (b (i%:R - (n + k)%:R) / total).

Lemma massesP M n ms : Z.lt 0 v.1 -> Z.lt 0 M -> masses w v M n = Some ms ->
  size ms = n.*2.+1 /\ forall k, below_masses M (nseq k Z0 ++ ms) n k.
Proof.
move=> v0 M0; rewrite /masses; case E: (bells_to _ _ _) => [[es t]|] // [<-].
have [sz t0 tot at_x] := bells_toP v0 E; set half := map _ _.
have V0 : 0 < of_ratio v by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have M0' : 0 < IZR M by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have T0 : 0 < total by exact: bell_total_gt0.
have zero x : 0 <= IZR M * (b x / total) by rewrite !mulr_ge0 ?(ltW M0') ?invr_ge0 ?(ltW T0) ?(ltW (bell_gt0 _ _)).
have size_half : size half = n.+1 by rewrite size_map.
have halfP x : Z.le 0 (nth Z0 half x) /\ IZR (nth Z0 half x) <= IZR M * (b x%:R / total).
  case: (ltnP x n.+1) => lt; last by rewrite nth_default ?size_half.
  rewrite (nth_map (Z0, Z0)) ?sz //; set e := nth _ _ _.
  split; first by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; [lia|exact: Z.le_max_l].
  apply: floor_div_below => //; rewrite IZRM mulrCA ler_pmul2l //.
  apply: (@le_trans _ _ (IZR S * b x%:R)).
    case: (Z.max_spec 0 e.1) => -[_ ->]; first exact: (at_x x lt).
    by rewrite mulr_ge0 ?(ltW S0') // ltW // bell_gt0.
  rewrite mulrA ler_pdivl_mulr // mulrAC; apply: ler_wpmul2r => //; exact: ltW (bell_gt0 _ _).
have size_ms : size (rev (behead half) ++ half) = n.*2.+1.
  by rewrite size_cat size_rev size_behead size_half -addnn addnS.
split=> // k i; rewrite nth_cat size_nseq; case: ltnP => ki.
  by rewrite nth_nseq ki; split.
rewrite nth_cat size_rev size_behead size_half /=; case: ltnP => lt.
  rewrite nth_rev ?size_behead ?size_half // nth_behead -bell_even; have := halfP (n - (i - k))%N.
  have -> : (n.+1.-1 - (i - k).+1).+1 = (n - (i - k))%N by rewrite /= subnSK.
  suff -> : (n - (i - k))%:R = - (i%:R - (n + k)%:R) :> R by [].
  by rewrite !natrB ?(ltnW lt) // natrD; ring.
have := halfP (i - k - n)%N; suff -> : (i - k - n)%:R = i%:R - (n + k)%:R :> R by [].
by rewrite !natrB // natrD; ring.
Qed.

(** Of the noise and of the noise moved by a shift, at the integers from -(n + a) to n + a. *)
Variable s : nat.
Definition at_place (n i : nat) : R * R :=
  ((b (i%:R - n%:R) / total)%R, (b (i%:R - n%:R - s%:R) / total)%R).

Lemma moved_massesP M n a ms : Z.lt 0 v.1 -> Z.lt 0 M -> masses w v M n = Some ms ->
  (size (moved_masses a s ms) <= (n + a).*2.+1)%N /\ forall i,
  let o := nth (Z0, Z0) (moved_masses a s ms) i in
  at_most M o.1 (at_place (n + a) i).1 /\ at_most M o.2 (at_place (n + a) i).2.
Proof.
move=> v0 M0 h; have [sz P] := massesP v0 M0 h.
have size_first : size (nseq a Z0 ++ ms ++ nseq a Z0) = (n + a).*2.+1.
  by rewrite !size_cat !size_nseq sz addnC -addnA addnn addSn -doubleD.
split=> [|i]; first by rewrite /moved_masses size_zip size_first geq_minl.
have V0 : 0 < of_ratio v by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have M0' : 0 < IZR M by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have zero x : 0 <= IZR M * (b x / total).
  by rewrite !mulr_ge0 ?(ltW M0') ?invr_ge0 ?(ltW (bell_total_gt0 V0)) ?(ltW (bell_gt0 _ _)).
have first_ : at_most M (nth Z0 (nseq a Z0 ++ ms ++ nseq a Z0) i) (at_place (n + a) i).1.
  have p := P a i; rewrite catA nth_cat /at_place /at_most /=; case: ltnP => lt; first exact: p.
  by rewrite nth_nseq if_same.
have second_ : at_most M (nth Z0 (nseq (a + s) Z0 ++ ms) i) (at_place (n + a) i).2.
  have := P (a + s)%N i; rewrite /at_place /at_most /=.
  by have -> : i%:R - (n + (a + s))%:R = i%:R - (n + a)%:R - s%:R :> R by rewrite !natrD; ring.
have z x : at_most M 0 (b x / total) by split.
rewrite /moved_masses; set l := nseq a Z0 ++ _ in first_ *; set l' := nseq (a + s) Z0 ++ _ in second_ *.
case: (ltnP i (size (zip l l'))) => lt; last by rewrite nth_default //=; split; exact: z.
by rewrite nth_zip_cond lt.
Qed.

(** As a listed pair. *)
Lemma of_bell_known l : Z.lt 0 v.1 -> of_bell w v s = Some l ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l /\ forall y : R, 0 <= y ->
  \sum_(o <- l) Num.min (IZR o.1) (y * IZR o.2) <= IZR S * (1 - discrete_gaussian_curve (of_ratio v) s y).
Proof.
move=> v0; rewrite /of_bell; case: (reach _ _) => [n|] //; case E: masses => [ms|] // [<-].
have [sz P] := moved_massesP 0 v0 S0 E; set l' := moved_masses _ _ _ in sz P *; rewrite addn0 in sz P.
have V0 : 0 < of_ratio v by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have T0 : 0 < total by exact: bell_total_gt0.
split.
  by apply/(all_nthP (Z0, Z0)) => i _; have [[p0 _] [q0 _]] := P i; apply/andP; split; apply/Z.leb_le.
move=> y y0; have := curve_above V0 s n y0; rewrite ler_subr_addr addrC -ler_subr_addr => le.
apply: le_trans (ler_wpmul2l (ltW S0') le).
rewrite (big_nth (Z0, Z0)) big_mkord -/total /within mulr_suml mulr_sumr big_mkord.
pose F' i := Num.min (IZR (nth (Z0, Z0) l' i).1) (y * IZR (nth (Z0, Z0) l' i).2).
rewrite (big_ord_widen _ F' sz) big_mkcond; apply: ler_sum => i _; rewrite /F'.
have [[_ p] [_ q]] := P i; set B := b (i%:R - n%:R) in p *; set C := b (i%:R - n%:R - s%:R) in q *.
have k0 : 0 <= IZR S / total by rewrite divr_ge0 // ltW.
have e : IZR S * (Num.min B (y * C) / total) = Num.min (IZR S * (B / total)) (y * (IZR S * (C / total))).
  have -> : IZR S * (Num.min B (y * C) / total) = IZR S / total * Num.min B (y * C) by ring.
  by rewrite minr_pmulr //; congr Num.min; ring.
have up : Num.min (IZR (nth (Z0, Z0) l' i).1) (y * IZR (nth (Z0, Z0) l' i).2) <= IZR S * (Num.min B (y * C) / total).
  by rewrite e; apply: le2_min => //; exact: ler_wpmul2l.
case: ifP => // _; rewrite mulr_ge0 ?(ltW S0') // divr_ge0 ?(ltW T0) // le_minr ltW ?bell_gt0 //.
by rewrite mulr_ge0 // ltW // bell_gt0.
Qed.

Theorem of_bell_lists l : Z.lt 0 v.1 -> of_bell w v s = Some l ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l /\
  forall (Y : finType) (P Q : Y -> R), has_noise (OfDiscreteGaussian (of_ratio v) s) P Q -> lists w l P Q.
Proof.
move=> v0 L; have [l0 known] := of_bell_known v0 L; split=> // Y F G [[_ F1] _ [h _]] y y0.
have := h y y0; rewrite hockey_stick_overlap F1 Z.shiftl_1_l -/S => le.
by apply: le_trans (known y y0) _; rewrite ler_pmul2l // ler_subl_addr addrC -ler_subl_addr.
Qed.

(** As rows: what is left of both masses is one output more. *)
Definition bell_cells (n : nat) : seq (R * R) :=
  rcons [seq at_place n i | i <- iota 0 n.*2.+1]
    (((total - within n b) / total)%R, ((total - within n (fun x => b (x - s%:R)%R)) / total)%R).

Lemma bell_cells_drawn n : 0 < of_ratio v -> drawn (OfDiscreteGaussian (of_ratio v) s) (bell_cells n).
Proof.
move=> V0; have T0 : 0 < total by exact: bell_total_gt0.
set t := bell_cells n; have over (F : R -> R -> R) : \sum_(z : 'I_(size t)) F (law_with z) (law_without z) =
    within n (fun x => F (b x / total)%R (b (x - s%:R) / total)%R) +
    F ((total - within n b) / total)%R ((total - within n (fun x => b (x - s%:R)%R)) / total)%R.
  rewrite sum_of_table /t /bell_cells -cats1 big_cat big_seq1 big_map /=; congr (_ + _).
have sumsZ (f : R -> R) : within n (fun x => f x / total)%R = within n f / total by rewrite /within mulr_suml.
have one (f : R -> R) : within n (fun x => f x / total)%R + (total - within n f) / total = 1.
  by rewrite sumsZ -mulrDl addrC subrK divff // gt_eqF.
have /allP ge0 : all (fun x : R * R => (0 <= x.1) && (0 <= x.2)) t.
  rewrite /t /bell_cells all_rcons all_map; apply/andP; split.
    by rewrite !divr_ge0 ?subr_ge0 ?(ltW T0) ?bell_within ?moved_within.
  by apply/allP => i _ /=; rewrite !divr_ge0 ?(ltW T0) ?(ltW (bell_gt0 _ _)).
have nonneg z := andP (ge0 _ (mem_tnth z (in_tuple t))).
split.
- by split=> [z|]; [case: (nonneg z)|rewrite (over (fun p _ => p)) one].
- by split=> [z|]; [case: (nonneg z)|rewrite (over (fun _ q => q)) (one (fun x => b (x - s%:R)%R))].
have scale (p q y : R) : pos (1 * (p / total) - y * (q / total)) = pos (p - y * q) / total.
  by rewrite mulrC [RHS]mulrC -posM ?invr_ge0 ?(ltW T0) //; congr pos; ring.
split=> y y0.
  rewrite /hockey_stick (over (fun p q => pos (1 * p - y * q))) scale.
  have -> : within n (fun x => pos (1 * (b x / total) - y * (b (x - s%:R) / total))) =
      within n (fun x => pos (b x - y * b (x - s%:R)) / total)%R by apply: eq_bigr => i _; exact: scale.
  by rewrite (sumsZ (fun x => pos (b x - y * b (x - s%:R)))) -mulrDl; exact: curve_below.
rewrite /hockey_stick (over (fun p q => pos (1 * q - y * p))) scale.
have -> : within n (fun x => pos (1 * (b (x - s%:R) / total) - y * (b x / total))) =
    within n (fun x => pos (b (x - s%:R) - y * b x) / total)%R by apply: eq_bigr => i _; exact: scale.
by rewrite (sumsZ (fun x => pos (b (x - s%:R) - y * b x))) -mulrDl; exact: curve_below_back.
Qed.

Lemma zip_rows M (xs : seq (R * R)) (ys : seq (Z * Z)) ss :
  List.Forall2 (fun x y => at_most M y.1 x.1 /\ at_most M y.2 x.2) xs ys -> size ss = size ys ->
  List.Forall2 (row_below M) (zip xs ss) (zip ys ss).
Proof.
move=> h; elim: h ss => {xs ys} [|x y xs ys [p q] _ IH] [|sc ss] //= e.
by constructor; [split|apply: IH; case: e].
Qed.

Theorem bell_rowsP M ss r : Z.lt 0 v.1 -> Z.lt 0 M -> bell_rows w v M s ss = Some r ->
  rows_for M (OfDiscreteGaussian (of_ratio v) s) r.
Proof.
move=> v0 M0; rewrite /bell_rows; set n := (_ - s)%N; case E: masses => [ms|] //.
case: ifP => // /Nat.eqb_eq size_ss [<-]; have [sz _] := massesP v0 M0 E.
have [_ P] := moved_massesP s v0 M0 E; set l := moved_masses _ _ _ in P size_ss *.
have V0 : 0 < of_ratio v by rewrite divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have size_l : size l = (n + s).*2.+1.
  rewrite /l /moved_masses size_zip !size_cat !size_nseq sz.
  have -> : (s + (n.*2.+1 + s) = (n + s).*2.+1)%N by rewrite addnC -addnA addnn addSn -doubleD.
  by have -> : (s + s + n.*2.+1 = (n + s).*2.+1)%N; [rewrite addnC addnn addSn -doubleD|rewrite minnn].
exists (zip (bell_cells (n + s)) ss); split.
  rewrite /unscored -[map _ _]/(unzip1 _) unzip1_zip; first exact: bell_cells_drawn.
  by rewrite size_ss !size_rcons size_l size_map size_iota.
rewrite /rows_below; set cs := bell_cells _.
have rows : List.Forall2 (fun (x : R * R) (y : Z * Z) => at_most M y.1 x.1 /\ at_most M y.2 x.2) cs (rcons l (Z0, Z0)).
  have T0 : 0 < total by exact: bell_total_gt0.
  have M0' : 0 < IZR M by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  rewrite /cs /bell_cells -cats1 -[rcons l _]cats1.
  apply: (@List.Forall2_app _ _ _ [seq at_place (n + s) i | i <- iota 0 (n + s).*2.+1] _ l); last first.
    constructor=> //; split; split=> //; rewrite mulr_ge0 ?(ltW M0') // divr_ge0 ?(ltW T0) // subr_ge0.
      exact: bell_within.
    exact: moved_within.
  rewrite -size_l -[X in List.Forall2 _ _ X](mkseq_nth (Z0, Z0)) /mkseq.
  by elim: (iota 0 (size l)) => [|i is_ IH] /=; constructor.
exact: zip_rows size_ss.
Qed.
End Sound.
