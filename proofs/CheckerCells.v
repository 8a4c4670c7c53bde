(** Rows of cells between tangents (Tangents.v), for the rule `mesh-lower`: in integers, from below,
    with scores that are suggested.

    Suggested are cuts, at rising multiples of a number; enclosed are the probabilities of the event that
    the loss is above each, and a cell's weights are at least the differences of their nearer ends. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Exponentials Enclosures EnclosuresOfNumbers.
From ExactDP Require Import NormalEnclosures Tables NoiseLedgers NoiseTests Tangents TangentPairs.
From ExactDP Require Import Ratios CheckerClosed CheckerScores CheckerNoiseRows CertificateJson CertificateProblems.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Record cuts := Cuts {
  cut_step : ratio;
  cut_places : seq Z;
  cell_scores : scores
}.

Definition tails_enclosure := (enclosure * enclosure)%type.

Definition between (S one : Z) (here after : enclosure) : Z := floor_div (S * Z.max 0 (here.1 - after.2)) one.
Fixpoint rows_between (S one : Z) (here : tails_enclosure) (ts : seq tails_enclosure) (ss : scores) : score_rows :=
  let row (after : tails_enclosure) s := ((between S one here.1 after.1, between S one here.2 after.2), s) in
  match ts, ss with
  | t :: ts', s :: ss' => row t s :: rows_between S one t ts' ss'
  | [::], [:: s] => [:: row ((Z0, Z0), (Z0, Z0)) s]
  | _, _ => [::]
  end.

Fixpoint rising (ks : seq Z) : bool :=
  if ks is k :: ((k' :: _) as ks') then Z.ltb k k' && rising ks' else true.

Definition cells_rows (w S : Z) (tails_at : Z -> option tails_enclosure) (c : cuts) : option score_rows :=
  let one := (2 ^ w)%coqZ in
  if [&& Z.ltb 0 (cut_step c).1, rising (cut_places c) & Nat.eqb (size (cell_scores c)) (size (cut_places c)).+1]
  then if read_all tails_at (cut_places c) is Some ts
    then Some (rows_between S one ((one, one), (one, one)) ts (cell_scores c)) else None
  else None.

(** Laplace noise. *)
Definition exp_minus_of (w n d : Z) : option enclosure := exponential w (opp (enclosure_of_fraction w n d)).
Definition laplace_tails_at (w : Z) (a step : ratio) (k : Z) : option tails_enclosure :=
  let d := (2 * (Zpos a.2 * Zpos step.2))%coqZ in
  let here := (k * step.1 * Zpos a.2)%coqZ in let most := (a.1 * Zpos step.2)%coqZ in
  if Z.leb 0 (most - here) && Z.leb 0 (most + here) then
    if (exp_minus_of w (most - here) d, exp_minus_of w (most + here) d) is (Some p, Some q)
    then Some (sub (enclosure_of_Z w 1) (divide_by 2 p), divide_by 2 q) else None
  else None.
Definition laplace_rows (w S : Z) (a : ratio) (c : cuts) : option score_rows :=
  if Z.leb 0 a.1 then cells_rows w S (laplace_tails_at w a (cut_step c)) c else None.

(** Bounded range, at a part n/d of it. *)
Record tilted := Tilted { tilt_above : Z; tilt_below : BinNums.positive; tilted_scores : nat * nat }.
Definition range_rows (w S : Z) (e : ratio) (t : tilted) : option score_rows :=
  let n := tilt_above t in let d := Zpos (tilt_below t) in let one := (2 ^ w)%coqZ in
  let part k := exp_minus_of w (e.1 * k) (Zpos e.2 * d) in
  if [&& Z.ltb 0 e.1, Z.leb 0 n & Z.leb n d] then
    match part d, part (d - n)%coqZ, part n with
    | Some z, Some x, Some y =>
        let below := (one - Z.max 0 z.1)%coqZ in
        let weight v := floor_div (S * Z.max 0 v) below in
        if Z.ltb 0 below then
          Some [:: ((weight (one - x.2), weight (y.1 - z.2)), fst (tilted_scores t));
                   ((weight (x.1 - z.2), weight (one - y.2)), snd (tilted_scores t))]%coqZ
        else None
    | _, _, _ => None
    end
  else None.

Section Soundness.
Variables (w S : Z).
Hypotheses (w0 : Z.le 0 w) (S0 : Z.lt 0 S).
Let one := (2 ^ w)%coqZ.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition tails_enclosed (t : R * R) (e : tails_enclosure) : Prop :=
  enclosed w t.1 e.1 /\ enclosed w t.2 e.2.

Lemma between_below (v x : R) e f : enclosed w v e -> enclosed w x f -> 0 <= v - x ->
  at_most S (between S one e f) (v - x).
Proof.
move=> /enclosedP/andP[lo _] /enclosedP/andP[_ hi] d0; rewrite /between; split.
  by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; [exact: Z.lt_le_incl|exact: Z.le_max_l].
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
case: (Z.max_spec 0 (e.1 - f.2)) => -[_ ->]; last by rewrite mulr_ge0 // ltW.
by rewrite IZRB mulrC mulrBl; exact: ler_sub.
Qed.

Lemma rows_betweenP here rt e ts ss : tails_enclosed here e -> List.Forall2 tails_enclosed rt ts ->
  size ss = (size ts).+1 -> all (fun x => (0 <= x.1) && (0 <= x.2)) (cells here rt) ->
  rows_below S (zip (cells here rt) ss) (rows_between S one e ts ss).
Proof.
move=> h H; elim: H here e h ss => {rt ts} [|t e' rt ts h' _ IH] here e h [|s ss] // size_ss.
  case: ss size_ss => // _ /=; rewrite andbT => /andP[p q].
  have z : enclosed w 0 (Z0, Z0) by apply/enclosedP; rewrite mul0r lexx.
  by case: h => h1 h2; constructor=> //; split=> //=; [rewrite -[here.1]subr0|rewrite -[here.2]subr0];
    apply: between_below; rewrite ?subr0.
case: size_ss => size_ss /= /andP[/andP[p q] rest]; constructor; last exact: IH.
by case: h h' => h1 h2 [h1' h2']; split=> //=; exact: between_below.
Qed.

Lemma read_tails (T : Z -> R * R) tails_at ks ts :
  (forall k t, tails_at k = Some t -> tails_enclosed (T k) t) ->
  read_all tails_at ks = Some ts -> List.Forall2 tails_enclosed [seq T k | k <- ks] ts.
Proof.
move=> sound; elim: ks ts => [|k ks IH] ts; first by case=> <-; constructor.
by move=> h; have [t [ts' [e /IH h' ->]]] := read_all_cons h; constructor=> //; exact: sound.
Qed.

Lemma rising_sorted (v : R) ks : 0 < v -> rising ks -> sorted <%R [seq IZR k * v | k <- ks].
Proof.
move=> v0; elim: ks => //= k ks IH; case: ks IH => //= k' ks IH /andP[lt /IH ->]; rewrite andbT.
by rewrite ltr_pmul2r // IZR_lt_iff.
Qed.

Lemma cells_rowsP (T : Z -> R * R) tails_at c r :
  (forall k t, tails_at k = Some t -> tails_enclosed (T k) t) ->
  all (fun x => (0 <= x.1) && (0 <= x.2)) (cells certain [seq T k | k <- cut_places c]) ->
  cells_rows w S tails_at c = Some r -> exists l,
  unscored l = cells certain [seq T k | k <- cut_places c] /\ rows_below S l r.
Proof.
move=> sound ge0; rewrite /cells_rows; case: ifP => // /and3P[_ _ /Nat.eqb_eq size_ss].
case e: read_all => [ts|] // [<-]; have H := read_tails sound e; set l := cells _ _.
exists (zip l (cell_scores c)); have size_l : size l = (size (cut_places c)).+1.
  by rewrite /l -(size_map T); elim: [seq T k | k <- _] certain => //= t ts' IH x; rewrite IH.
split; first by rewrite /unscored -[map _ _]/(unzip1 _) unzip1_zip // size_l size_ss.
have u : enclosed w 1 (one, one) by apply/enclosedP; rewrite mul1r lexx.
apply: rows_betweenP => //; rewrite size_ss; congr _.+1.
have e' : size [seq T k | k <- cut_places c] = size ts.
  by elim: H => {e size_ss size_l} // t' e' rt ts' _ _ /= ->.
by rewrite -e' size_map.
Qed.

(** --- Laplace noise --- *)

Lemma exp_minus_of_enclosed n d e : Z.lt 0 d -> exp_minus_of w n d = Some e ->
  enclosed w (exp (- (IZR n / IZR d))) e.
Proof.
move=> d0 h; apply: (enclosed_exponential w w0 _ _ _ _ h); apply: enclosed_opp.
exact: enclosed_fraction.
Qed.
Lemma halved v e : enclosed w v e -> enclosed w (v / 2%:R) (divide_by 2 e).
Proof.
move=> h; have := enclosed_divide_by w 2 v e (erefl _) h.
by rewrite RdivE // (_ : IZR 2 = 2%:R) // pnatr_eq0.
Qed.

Lemma laplace_tails_atP a step k t : laplace_tails_at w a step k = Some t ->
  - of_ratio a <= IZR k * of_ratio step <= of_ratio a /\
  tails_enclosed (laplace_tails (of_ratio a) (IZR k * of_ratio step)) t.
Proof.
rewrite /laplace_tails_at; set d := (2 * _)%coqZ; set here := (k * _ * _)%coqZ; set most := (a.1 * _)%coqZ.
case: ifP => // /andP[/Z.leb_le lo /Z.leb_le hi].
case ep: exp_minus_of => [p|] //; case eq: exp_minus_of => [q|] // [<-].
have pa : 0 < IZR (Zpos a.2) by rewrite (IZR_lt_iff Z0).
have ps : 0 < IZR (Zpos step.2) by rewrite (IZR_lt_iff Z0).
have d0 : Z.lt 0 d by [].
have two : IZR 2 = 2%:R by [].
have e1 : IZR (most - here) / IZR d = (of_ratio a - IZR k * of_ratio step) / 2%:R.
  by rewrite /of_ratio /fraction /d /here /most IZRB !IZRM two; field; rewrite ?gt_eqF.
have e2 : IZR (most + here) / IZR d = (of_ratio a + IZR k * of_ratio step) / 2%:R.
  by rewrite /of_ratio /fraction /d /here /most IZRD !IZRM two; field; rewrite ?gt_eqF.
have half0 n : Z.le 0 n -> 0 <= IZR n / IZR d by move=> n0; rewrite divr_ge0 // ?IZR_ge0 //; exact: Z.lt_le_incl.
have := half0 _ lo; have := half0 _ hi; rewrite e1 e2 !pmulr_lge0 ?invr_gt0 ?ltr0n // => h2 h1; split.
  by rewrite ler_oppl -subr_ge0 opprK h2 /= -subr_ge0.
split=> /=.
  apply: enclosed_sub; first exact: (enclosed_Z w w0 1).
  by have := halved (exp_minus_of_enclosed d0 ep); rewrite e1 -mulNr opprB.
by have := halved (exp_minus_of_enclosed d0 eq); rewrite e2 -mulNr addrC.
Qed.

Lemma laplace_rowsP a c r : laplace_rows w S a c = Some r -> rows_for S (OfLaplace (of_ratio a)) r.
Proof.
rewrite /laplace_rows; case: ifP => // a0 h; set v := of_ratio (cut_step c).
pose ls := [seq IZR k * v | k <- cut_places c].
have {}a0 : 0 <= of_ratio a by exact: of_ge0.
have inside : all (fun l => - of_ratio a <= l <= of_ratio a) ls.
  move: h; rewrite /cells_rows; case: ifP => // _; case e: read_all => [ts|] // _.
  rewrite /ls; elim: (cut_places c) ts e => //= k ks IH ts e.
  have [t [ts' [et /IH -> _]]] := read_all_cons e; rewrite andbT.
  by have [] := laplace_tails_atP et.
have rises : sorted <%R ls.
  move: h; rewrite /cells_rows; case: ifP => // /and3P[/Z.ltb_lt s0 up _] _; apply: rising_sorted up.
  by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have E : [seq laplace_tails (of_ratio a) (IZR k * v) | k <- cut_places c] =
    unzip2 (cuts_at (laplace_tails (of_ratio a)) ls).
  by rewrite /unzip2 /cuts_at /ls -!map_comp.
have D := laplace_cells a0 rises inside.
have [||l [e b]] := @cells_rowsP (fun k => laplace_tails (of_ratio a) (IZR k * v)) _ c r _ _ h.
- by move=> k t /laplace_tails_atP[].
- by rewrite E; exact: cells_ge0 (lexx 0) (laplace_apart rises inside).
by exists l; rewrite e E.
Qed.

(** --- bounded range --- *)

Lemma quotient_below n z (v x : R) : Z.lt 0 (one - Z.max 0 z) -> IZR z <= IZR one * x -> 0 <= x -> x < 1 ->
  0 <= v -> IZR n <= IZR one * v -> at_most S (floor_div (S * Z.max 0 n) (one - Z.max 0 z)) (v / (1 - x)).
Proof.
move=> d0 zx x0 x1 v0 nv; have gap : 0 < 1 - x by rewrite subr_gt0.
have D : IZR one * (1 - x) <= IZR (one - Z.max 0 z).
  rewrite mulrBr mulr1 IZRB ler_add2l ler_opp2; case: (Z.max_spec 0 z) => -[_ ->] //.
  by rewrite mulr_ge0 // ltW.
split; first by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg; [exact: Z.lt_le_incl|exact: Z.le_max_l].
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') // mulrA ler_pdivl_mulr //.
apply: (@le_trans _ _ (IZR one * v * (1 - x))).
  rewrite ler_pmul2r //; case: (Z.max_spec 0 n) => -[_ ->] //; by rewrite mulr_ge0 // ltW.
by rewrite mulrAC; exact: ler_wpmul2r.
Qed.

Lemma range_rowsP e t r : range_rows w S e t = Some r -> rows_for S (OfRange (of_ratio e)) r.
Proof.
rewrite /range_rows; set n := tilt_above t; set d := Zpos (tilt_below t).
case: ifP => // /and3P[/Z.ltb_lt e0 /Z.leb_le n0 /Z.leb_le nd].
have d0 : Z.lt 0 (Zpos e.2 * d) by [].
case hz: exp_minus_of => [z|] //; case hx: exp_minus_of => [x|] //; case hy: exp_minus_of => [y|] //.
case: ifP => // /Z.ltb_lt below0 [<-].
have e0' : 0 < of_ratio e by rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
have d0' : 0 < IZR d by rewrite (IZR_lt_iff Z0).
have E0 : IZR (Zpos e.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
pose u := of_ratio e * (IZR n / IZR d).
have partE k : IZR (e.1 * k) / IZR (Zpos e.2 * d) = of_ratio e * (IZR k / IZR d).
  by rewrite /of_ratio /fraction !IZRM mulf_div.
have u0 : 0 <= u <= of_ratio e.
  apply/andP; split; first by apply: mulr_ge0; [exact: ltW|apply: divr_ge0; [exact: IZR_ge0|exact: ltW]].
  rewrite -[X in _ <= X]mulr1 ler_pmul2l //.
  by rewrite ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
have := exp_minus_of_enclosed d0 hz; have := exp_minus_of_enclosed d0 hx; have := exp_minus_of_enclosed d0 hy.
rewrite !partE divff ?gt_eqF // mulr1 IZRB mulrBl divff ?gt_eqF // mulrBr mulr1 -/u.
move=> /enclosedP/andP[y1 y2] /enclosedP/andP[x1 x2] /enclosedP/andP[z1 z2].
rewrite -!/one ![exp _ * _]mulrC in y1 y2 x1 x2 z1 z2.
have [u1 u2] := andP u0; have le_1 (v : R) : 0 <= v -> exp (- v) <= 1.
  by move=> v0; rewrite -[X in _ <= X]exp_0 exp_le oppr_le0.
have zlt : exp (- of_ratio e) < 1 by rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0.
have less v (p : R) : IZR one * p <= IZR v -> IZR (one - v) <= IZR one * (1 - p).
  by move=> h; rewrite IZRB mulrBr mulr1 ler_add2l ler_opp2.
have apart v v' (p q : R) : IZR v <= IZR one * p -> IZR one * q <= IZR v' -> IZR (v - v') <= IZR one * (p - q).
  by move=> h h'; rewrite IZRB mulrBr; exact: ler_sub.
have Q n' (v : R) : 0 <= v -> IZR n' <= IZR one * v ->
    at_most S (floor_div (S * Z.max 0 n') (one - Z.max 0 z.1)) (v / (1 - exp (- of_ratio e))).
  by move=> v0 nv; apply: quotient_below => //; exact: ltW (exp_gt0 _).
exists (zip (range_cells (of_ratio e) u) [:: fst (tilted_scores t); snd (tilted_scores t)]); split.
  exact: range_drawn.
constructor; last constructor=> //; split=> //=; apply: Q; rewrite ?subr_ge0 ?exp_le ?ler_opp2 ?le_1 ?subr_ge0 //.
- exact: less.
- exact: apart.
- by rewrite ler_subl_addr ler_addl.
- exact: apart.
exact: less.
Qed.
End Soundness.
