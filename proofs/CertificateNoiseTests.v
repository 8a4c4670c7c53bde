(** Ledgers of mechanisms given by their noise, from below: the rule `mesh-lower` (SPEC, 11.6), from
    what is suggested to the truth of what is stated.

    Suggested are a score for each output of each mechanism that is listed, for others where they are cut
    into cells, with a score each, and a threshold; cuts and scores may be any.  Mechanisms given by mu
    and rho are cells of one normal law, whose variance is what theirs come to. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Losses Reals Rules Notions Failures RulesGaussian.
From ExactDP Require Import RulesNoiseRenyi GaussianAttainment NoiseLedgers NoiseTests Ratios Comparisons Enclosures.
From ExactDP Require Import EnclosuresOfNumbers Tables CellsOfNormal NormalCurve CheckerClosed CheckerDelta.
From ExactDP Require Import CheckerGrid CheckerNotions CheckerGaussian CheckerNoise CheckerScores.
From ExactDP Require Import CheckerNoiseRows CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateProblems CertificateNoise Tangents TangentPairs NormalTangents.
From ExactDP Require Import CheckerCells CheckerNormalCells CheckerSampleRows CheckerBells.
From ExactDP Require Import ShuffledBatches CheckerShuffledRows.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the check --- *)

Record test_hint := TestHint {
  scored_scale : Z;                        (* of weights: 10^digits *)
  scored_delta_bits : Z;
  of_responses_scores : seq (nat * nat); (* for each epsilon, of the truth and of the other answer *)
  of_shifts_scores : seq scores;         (* of discrete Laplace noise *)
  of_laplaces_cuts : seq cuts;
  of_ranges_tilts : seq tilted;
  of_tables_scores : seq scores;
  of_samples_cells : seq cells_hint;
  of_bells_scores : seq scores;          (* of discrete Gaussian noise, and of what lies beyond *)
  of_batches_cells : seq batches_hint;
  series_of_normal : normal_terms;
  normal_cuts : option cuts;             (* none: mechanisms given by mu and rho reveal nothing *)
  scored_threshold : option nat;         (* none: any event of the scores, the best at these odds *)
  is_exchanged : bool                    (* whether a record is added, rather than removed *)
}.

Definition with_scores (A B : Type) (rows : A -> B -> option score_rows) (s : seq (A * Z))
    (ss : seq B) : option (seq (score_rows * Z)) :=
  if Nat.eqb (size s) (size ss) then
    read_all (fun x => if rows x.1.1 x.2 is Some r then Some (r, x.1.2) else None) (zip s ss)
  else None.

Definition responses_from (f : effort) (s : subject) (S : Z) (ss : seq (nat * nat)) :
    option (seq (score_rows * Z)) :=
  let logs := logarithms (bits f) (quotients s) in
  if Nat.eqb (size (entries s)) (size ss) then
    read_all (fun x => if exp_minus f s logs (epsilon x.1) is Some e
                       then Some (response_below (2 ^ bits f) S e x.2, count x.1) else None)
      (zip (entries s) ss)
  else None.

Definition bell_source_rows (w S : Z) (b : ratio * BinNums.positive) (ss : scores) : option score_rows :=
  if Z.ltb 0 b.1.1 then bell_rows w b.1 S (Pos.to_nat b.2) ss else None.

(** One normal law for all that is given by mu and rho. *)
Definition cells_beside (S : Z) (t : normal_terms) (m : mixed_subject) (c : option cuts) : option score_rows :=
  if c is Some c then let: (x, y) := square_of false m in normal_rows S t x y c
  else Some [:: (S, S, O)].

Section Check.
Variables (f : effort) (m : mixed_subject) (N : noise_ledger) (h : test_hint).
Let s := approximates m.
Let S := scored_scale h.
Let one := (2 ^ bits f)%coqZ.

Definition test_groups : option (seq (score_rows * Z)) :=
  let w := bits f in let t := series_of_normal h in
  let unscored_orders := [seq [::] | _ <- divergent N] in
  match with_scores (shift_rows w S) (shifted N) (of_shifts_scores h),
        with_scores (laplace_rows w S) (laplaced N) (of_laplaces_cuts h),
        with_scores (range_rows w S) (ranged N) (of_ranges_tilts h),
        with_scores (orders_rows S) (divergent N) unscored_orders,
        with_scores (table_rows S) (tabled N) (of_tables_scores h),
        with_scores (sample_rows w S t) (samples N) (of_samples_cells h),
        with_scores (bell_source_rows w S) (bells N) (of_bells_scores h),
        with_scores (batches_rows S t) (batched N) (of_batches_cells h),
        responses_from f s S (of_responses_scores h), cells_beside S t m (normal_cuts h) with
  | Some ss, Some ls, Some es, Some os, Some ts, Some ms, Some bs, Some us, Some rs, Some cs =>
      Some ((ss ++ (ls ++ (es ++ (os ++ (ts ++ (ms ++ (bs ++ us))))))) ++ rs ++ [:: (cs, 1%coqZ)])
  | _, _, _, _, _, _, _, _, _, _ => None
  end.

(** (P - Delta) e^-epsilon is above 1 - Q. *)
Definition check_noise_test (x : combination) (a b : Z) : bool :=
  [&& mixed_ok f m, Z.ltb 0 S & Delta_ok s (scored_delta_bits h) a b] &&
  match test_groups, exp_minus f s (logarithms (bits f) (quotients s)) x with
  | Some gs, Some z =>
      let (here, away) := event_sums (scored_threshold h) (Z.max 0 z.1) one
        (flat (table_of_groups S gs)) (flat (table_of_groups S (back_groups gs))) in
      let scale := (2 ^ scored_delta_bits h)%coqZ in
      let gap := (here * scale - S * Delta_high s (scored_delta_bits h) a b)%coqZ in
      Z.leb 0 gap && Z.ltb ((S - away) * scale * one) (gap * Z.max 0 z.1)
  | _, _ => false
  end.
End Check.

(** --- soundness --- *)

Lemma read_all_Forall2 (A B : Type) (g : A -> option B) s bs : read_all g s = Some bs ->
  List.Forall2 (fun a b => g a = Some b) s bs.
Proof.
elim: s bs => [|a s IH] bs; first by case=> <-.
by move=> h; have [b [bs' [e /IH h' ->]]] := read_all_cons h; constructor.
Qed.

Section Groups.
Variable S : Z.
Definition chosen := (noise * scored * Z)%type.
Definition choice_for (ng : seq chosen) (gs : seq (score_rows * Z)) : Prop :=
  List.Forall (fun x : chosen => drawn x.1.1 (unscored x.1.2)) ng /\
  groups_below S [seq (x.1.2, x.2) | x <- ng] gs.

Lemma choices_cat ng ng' gs gs' : choice_for ng gs -> choice_for ng' gs' -> choice_for (ng ++ ng') (gs ++ gs').
Proof.
move=> [d b] [d' b']; split; first by apply/List.Forall_app.
by rewrite map_cat; exact: List.Forall2_app.
Qed.

Lemma with_scoresP (A B : Type) (n : A -> noise) rows (s : seq (A * Z)) (ss : seq B) gs :
  (forall a sc r, rows a sc = Some r -> rows_for S (n a) r) ->
  with_scores rows s ss = Some gs ->
  exists2 ng, choice_for ng gs & [seq (x.1.1, x.2) | x <- ng] = [seq (n x.1, x.2) | x <- s].
Proof.
move=> sound; rewrite /with_scores; case: Nat.eqb_spec => // e /read_all_Forall2.
elim: s ss e gs => [|x s IH] [|sc ss] //= e gs H; first by exists [::] => //; inversion H; split; constructor.
inversion H as [|? g ? gs' hx H']; subst; move: hx => /=.
case hr: (rows _ _) => [r|] // [<-]; have [l [d b]] := sound _ _ _ hr.
have [|ng [D b0] <-] := IH ss _ gs' H'; first by case: e.
by exists ((n x.1, l, x.2) :: ng) => //; split; constructor.
Qed.

Lemma choices_many ng gs : choice_for ng gs ->
  List.Forall (fun d : noise * scored => drawn d.1 (unscored d.2)) (many id ng).
Proof.
case=> D _; rewrite /many; elim: D => [|x ng' d _ IH] /=; first by constructor.
by apply/List.Forall_app; split=> //; elim: (Z.to_nat _) => //= k; constructor.
Qed.
End Groups.

Lemma responses_fromP f s S ss gs : subject_ok f s -> Z.lt 0 S -> responses_from f s S ss = Some gs ->
  exists rg : seq (R * (nat * nat) * Z),
  [seq q.1 | q <- ledger_of s] = many fst rg /\
  groups_below S [seq (response_rows x.1.1 x.1.2, x.2) | x <- rg] gs.
Proof.
move=> ok S0; rewrite /responses_from /ledger_of; case: Nat.eqb_spec => // e /read_all_Forall2.
have one0 : Z.lt 0 (2 ^ bits f) by apply: Z.pow_pos_nonneg => //; case/and4P: ok => /Z.leb_le.
elim: (entries s) ss e gs => [|x es IH] [|sc ss] //= e gs H; first by exists [::]; inversion H; split=> //; constructor.
inversion H as [|? g ? gs' hx H']; subst; move: hx => /=.
case he: (exp_minus _ _ _ _) => [z|] // [<-].
have [|rg [E B]] := IH ss _ gs' H'; first by case: e.
exists ((real s (epsilon x), sc, count x) :: rg); split; last first.
  constructor=> //; split=> //; apply: response_belowP => //; exact: (exp_minus_sound ok he).
by rewrite map_cat map_nseq E.
Qed.

Lemma zip_many (A B : Type) (s : seq (A * B * Z)) : zip (many fst s) (many snd s) = many id s.
Proof.
rewrite /many; elim: s => //= x s IH; rewrite zip_cat ?size_nseq // IH; congr (_ ++ _).
by elim: (Z.to_nat _) => //= k ->; case: x.1.
Qed.

Lemma noisy_lower_permutation ns ns' epsilon delta : Permutation ns ns' ->
  noisy_lower ns epsilon delta -> noisy_lower ns' epsilon delta.
Proof.
move=> p [ns1 [p1 h]]; exists ns1; split=> //; exact: Permutation_trans (Permutation_sym p) p1.
Qed.

Lemma cells_besideP f m S t c r : mixed_ok f m -> Z.lt 0 S -> cells_beside S t m c = Some r ->
  exists cs : scored, [/\ all (fun x : R * R * nat => (0 <= x.1.1) && (0 <= x.1.2)) cs, \sum_(x <- cs) x.1.2 = 1,
    forall a b : R, 0 <= a -> 0 <= b -> \sum_(x <- cs) pos (a * x.1.1 - b * x.1.2) <=
      curve (total_mu square_below (notions_of m)) a b & rows_below S cs r].
Proof.
move=> ok S0; rewrite /cells_beside; case: c => [c|[<-]]; last first.
  exists [:: (1, 1, O)]; split; rewrite ?big_cons ?big_nil ?addr0 //=; first by rewrite ler01.
    move=> a b a0 b0; rewrite big_cons big_nil addr0 /= !mulr1; have m0 := below_ge0 (notions_of m).
    by apply: pos_le; [exact: CellsOfNormal.curve_ge|exact: CellsOfNormal.curve_ge0].
  constructor=> //; split=> //; rewrite /at_most mulr1; split=> //; exact: Z.lt_le_incl.
case E: (square_of false m) => [x2 y2] h; have [y0 e] := total_squaresE ok false; rewrite E /= in y0 e.
have x0 : Z.lt 0 x2 by move: h; rewrite /normal_rows; case: ifP => // /and3P[_ /Z.ltb_lt].
have [ls [l [up u B]]] := normal_rowsP S0 x0 y0 h.
have m0 : 0 < sqrt (fraction x2 y2) := root_gt0 x0 y0.
have /allP g := cells_ge0 (lexx 0) (normal_apart m0 up); rewrite -u in g.
have over (F : R * R -> R) : \sum_(x <- l) F x.1 = \sum_(x <- unscored l) F x by rewrite /unscored big_map.
exists l; split=> //; first by apply/allP => x xl; exact: (g _ (map_f _ xl)).
  by rewrite (over snd) u; have [_] := cells_total certain (unzip2 (cuts_at (normal_tails (sqrt (fraction x2 y2))) ls)).
move=> a b a0 b0; rewrite (over (fun x => pos (a * x.1 - b * x.2))) u /total_mu e.
exact: normal_cells_below.
Qed.

Lemma bell_source_rowsP w S b ss r : Z.le 0 w -> Z.lt 0 S -> bell_source_rows w S b ss = Some r ->
  rows_for S (bell_noise b) r.
Proof.
move=> w0 S0; rewrite /bell_source_rows; case: ifP => // /Z.ltb_lt v0; exact: bell_rowsP.
Qed.

Section Sound.
Variables (f : effort) (m : mixed_subject) (N : noise_ledger) (h : test_hint) (x : combination) (a b : Z).
Let s := approximates m.
Let S := scored_scale h.

Lemma exchanged_many (gl : seq (scored * Z)) :
  exchanged (many id gl) = many id [seq ([seq ((x.1.2, x.1.1), x.2) | x <- l.1], l.2) | l <- gl].
Proof.
rewrite /exchanged /many; elim: gl => //= l gl IH; rewrite map_cat IH map_nseq.
by [].
Qed.

Lemma check_noise_test_sound : notions_of m = notions (others N) -> check_noise_test f m N h x a b ->
  noisy_lower (noises N) (real s x) (fraction a b).
Proof.
move=> same /andP[/and3P[ok /Z.ltb_lt S0 Dok]].
case hg: (test_groups _ _ _ _) => [gs|] //; case hz: (exp_minus _ _ _ _) => [z|] //.
have [event [hereE awayE]] := event_sumsP (scored_threshold h) (Z.max 0 z.1) (2 ^ bits f)
  (flat (table_of_groups S gs)) (flat (table_of_groups S (back_groups gs))).
move: hereE awayE; case: (event_sums _ _ _ _ _) => here away /= hereE awayE /andP[/Z.leb_le gap0 /Z.ltb_lt gap].
have sok : subject_ok f s by case/and3P: ok.
have w0 : Z.le 0 (bits f) by case/and4P: sok => /Z.leb_le.
move: hg; rewrite /test_groups.
case hs: (with_scores _ (shifted N) _) => [ss|] //; case hl: (with_scores _ (laplaced N) _) => [ls|] //.
case he: (with_scores _ (ranged N) _) => [es|] //; case ho: (with_scores _ (divergent N) _) => [os|] //.
case ht: (with_scores _ (tabled N) _) => [ts|] //; case hm: (with_scores _ (samples N) _) => [ms|] //.
case hb: (with_scores _ (bells N) _) => [bs|] //; case hu: (with_scores _ (batched N) _) => [us|] //.
case hx: (responses_from _ _ _ _) => [rs|] //; case hc: (cells_beside _ _ _ _) => [cs|] // [gsE].
have [cells [cells_ge0 cells_one cells_below Bc]] := cells_besideP ok S0 hc.
pose of_shift (s' : ratio * BinNums.positive) := OfShift (of_ratio s'.1) (Pos.to_nat s'.2).
pose of_laplace (a' : ratio) := OfLaplace (of_ratio a'); pose of_range (e : ratio) := OfRange (of_ratio e).
pose of_orders o := OfOrders (real_orders o); pose of_table t := OfTable (real_table t).
have [ngs Cs es'] := with_scoresP (n := of_shift)
  (fun a sc r => shift_rowsP S0 w0 (s := a) (ss := sc) (r := r)) hs.
have [ngl Cl el] := with_scoresP (n := of_laplace) (laplace_rowsP w0 S0) hl.
have [nge Ce ee] := with_scoresP (n := of_range) (range_rowsP w0 S0) he.
have [ngo Co eo] := with_scoresP (n := of_orders) (orders_rowsP S0) ho.
have [ngt Ct et] := with_scoresP (n := of_table) (table_rowsP S0) ht.
have [ngm Cm em] := with_scoresP (n := sample_noise) (sample_rowsP w0 S0) hm.
have [ngb Cb eb] := with_scoresP (n := bell_noise) (fun a sc r => bell_source_rowsP w0 S0 (b := a) (ss := sc) (r := r)) hb.
have [ngu Cu eu] := with_scoresP (n := batches_noise) (fun u h' r => @batches_rowsP S _ u h' r S0) hu.
have [rg [xsE Br]] := responses_fromP sok S0 hx.
have C := choices_cat Cs (choices_cat Cl (choices_cat Ce (choices_cat Co (choices_cat Ct (choices_cat Cm (choices_cat Cb Cu)))))).
move ngE : (ngs ++ (ngl ++ (nge ++ (ngo ++ (ngt ++ (ngm ++ (ngb ++ ngu))))))) C => ng C.
have [_ Bn] := C; have laws := choices_many C.
pose gl := [seq (x.1.2, x.2) | x <- ng] ++ [seq (response_rows x.1.1 x.1.2, x.2) | x <- rg] ++ [:: (cells, 1%coqZ)].
have B : groups_below S gl gs.
  rewrite -gsE; apply: List.Forall2_app => //; apply: List.Forall2_app => //.
  by constructor.
have ms_ok := notions_proper ok.
have xs : epsilons_of (notions_of m) = many fst rg by rewrite epsilons_of_approximates.
have rowsE : all_rows (notions_of m) (many id ng) (many snd rg) cells = many id gl.
  rewrite /all_rows xs zip_many /gl !many_cat (many_map id snd ng).
  rewrite (many_map id (fun y => response_rows y.1 y.2) rg) /unzip2 !map_many.
  by [].
have permuted : Permutation (unzip1 (many id ng) ++ [seq OfNotion n | n <- notions_of m]) (noises N).
  have listed (A : Type) (n : A -> noise) (l : seq chosen) (s' : seq (A * Z)) :
      [seq (x.1.1, x.2) | x <- l] = [seq (n x.1, x.2) | x <- s'] -> map fst (many id l) = many n s'.
    by move/(congr1 (many id)); rewrite map_many /many -!map_comp.
  have := listed _ of_shift _ _ es'; have := listed _ of_laplace _ _ el; have := listed _ of_range _ _ ee.
  have := listed _ of_orders _ _ eo; have := listed _ of_table _ _ et; have := listed _ sample_noise _ _ em.
  have := listed _ bell_noise _ _ eb; have := listed _ batches_noise _ _ eu.
  rewrite same -ngE !many_cat /unzip1 !map_cat => -> -> -> -> -> -> -> ->.
  rewrite /noises !repeated_many !map_many.
  set Sh := many _ (shifted N); set L := many _ (laplaced N); set V := many _ (ranged N).
  set O' := many _ (divergent N); set T := many _ (tabled N); set D := many _ (samples N) ++ many _ (bells N) ++ many _ (batched N).
  set E := many _ (of_epsilon _); set M := many _ (of_mu _); set Rh := many _ (of_rho _).
  have -> : Sh ++ L ++ V ++ O' ++ T ++ D = (Sh ++ L) ++ (V ++ O' ++ T ++ D) by rewrite -!catA.
  have -> : E ++ Sh ++ L ++ M ++ Rh ++ V ++ O' ++ T ++ D = E ++ (Sh ++ L) ++ (M ++ Rh) ++ (V ++ O' ++ T ++ D).
    by rewrite -!catA.
  move: (Sh ++ L) (V ++ _) (M ++ Rh) => A A' Z.
  apply: Permutation_trans (Permutation_app_comm (A ++ A') (E ++ Z)) _.
  rewrite -[app _ _]/((E ++ Z) ++ A ++ A') -catA; apply: (Permutation_app_head E).
  exact: Permutation_app_swap_app.
apply: (noisy_lower_permutation permuted).
pose T s' := IZR (nth Z0 (flat (table_of_groups S gs)) s').
pose T' s' := IZR (nth Z0 (flat (table_of_groups S (back_groups gs))) s').
apply: (@noise_test _ _ (many snd rg) cells ms_ok laws _ cells_ge0 cells_one cells_below (real s x) (fraction a b) (IZR S)
  event (size (flat (table_of_groups S gs))) (size (flat (table_of_groups S (back_groups gs)))) T T').
- by rewrite xs /many !size_flatten /shape -!map_comp; congr sumn; apply: eq_map => g /=; rewrite !size_nseq.
- by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
- by move=> i; rewrite rowsE; case: (groups_weights S0 i B).
- by move=> i; rewrite rowsE exchanged_many; case: (groups_weights S0 i (groups_back B)).
rewrite /T /T' -hereE -awayE; move: gap0 gap; move: Dok.
set cb := scored_delta_bits h => Dok /Z.leb_le; rewrite -IZR_le_iff => gap0 /Z.ltb_lt; rewrite -IZR_lt_iff.
have /andP[zl _] := exp_minus_sound sok hz; have := Delta_high_ge sok Dok; rewrite -mixed_slackE.
have D0 : 0 < IZR (2 ^ cb) by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt/Z.pow_pos_nonneg => //; case/and4P: Dok => /Z.leb_le.
have o0 : 0 < IZR (2 ^ bits f).
  by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt/Z.pow_pos_nonneg => //; case/and4P: sok => /Z.leb_le.
have Sr : 0 <= IZR S by apply: IZR_ge0; exact: Z.lt_le_incl.
move: zl gap0; rewrite expN; move: (Delta_high s cb a b) => high; rewrite !(IZRM, IZRB).
move: (exp_gt0 (real s x)) D0 o0; move: (IZR (2 ^ cb)) (IZR (2 ^ bits f)) => D o.
move: (IZR (Z.max 0 z.1)) (exp (real s x)) => zl' E E0 D0 o0; move: Sr.
move: (mixed_slack _ _) (IZR high) (IZR here) (IZR away) (IZR S).
move=> Dl dh hr' aw S' S'0 zl gap0 le lt.
have {}lt : (S' - aw) * D * E < hr' * D - S' * dh.
  rewrite -ltr_pdivl_mulr // -(ltr_pmul2r o0); apply: lt_le_trans lt _.
  by rewrite mulrAC -mulrA; apply: ler_wpmul2l => //; rewrite mulrC.
rewrite -(ltr_pmul2r D0) mulrBl ltr_subr_addl.
have {}le : S' * Dl * D <= S' * dh by rewrite -mulrA; apply: ler_wpmul2l => //; rewrite mulrC.
move: lt; rewrite ltr_subr_addr => lt; apply: le_lt_trans lt.
by rewrite [E * _]mulrC [_ * E * D]mulrAC; apply: ler_add.
Qed.
End Sound.

(** --- which direction --- *)

(** What is said of a record that is removed, of one that is added. *)
Definition turned_noise (N : noise_ledger) : noise_ledger :=
  NoiseLedger (others N) (shifted N) (laplaced N) (ranged N) (divergent N)
    [seq ([seq (x.2, x.1) | x <- t.1], t.2) | t <- tabled N]
    [seq (Sample (other_side (has_record s.1)) (rate s.1) (turned_base (has_record s.1) (base s.1)), s.2) | s <- samples N] (bells N)
    [seq (Batches (other_side (moves_between u.1)) (sum_variance u.1) (batches_in_all u.1), u.2) | u <- batched N].
Definition turn (n : noise) : noise :=
  match n with
  | OfTable t => OfTable (turned t)
  | OfSample s q c => OfSample (other_side s) q (turned_curve s c)
  | OfShuffled s v b => OfShuffled (other_side s) v b
  | _ => n
  end.

Lemma sum_turned (F : R -> R -> R) t : \sum_(z : 'I_(size (turned t))) F (law_with z) (law_without z) =
  \sum_(z : 'I_(size t)) F (law_without z) (law_with z).
Proof.
rewrite (sum_of_table F) /turned big_map (sum_of_table (fun p q => F q p)); by [].
Qed.

Lemma has_noise_turned n (Y : finType) (P Q : Y -> R) : has_noise n P Q -> has_noise (turn n) Q P.
Proof.
case=> dP dQ h; split=> //; case: n h => [m|os|e|d s|b|t|[] q c|v s|s v b] /=; try by [|move=> h y /h[]|move=> h y /h[? ?]; rewrite exchanged_curveK].
- exact: satisfies_sym.
- by move=> h b r i; case: (h b r i).
- exact: bounded_range_sym.
- by case.
- by case.
- case=> h1 h2; split=> y y0; [have := h2 y y0|have := h1 y y0]; move/le_trans; apply.
    by rewrite /hockey_stick (sum_turned (fun p q => pos (1 * p - y * q)) t).
  by rewrite /hockey_stick (sum_turned (fun p q => pos (1 * q - y * p)) t).
- by case.
by apply: told_of_epoch_back => a b'; case: s.
Qed.

Lemma noisy_turned ns (Y : finType) (P Q : Y -> R) : noisy_composition ns P Q ->
  noisy_composition [seq turn n | n <- ns] Q P.
Proof.
elim=> [|n {}ns {}Y Z {}P {}Q P' Q' h _ IH]; first exact: NoisyNil.
by apply: NoisyCons => //; exact: has_noise_turned.
Qed.

Lemma turned_noises N : [seq turn n | n <- noises (turned_noise N)] = noises N.
Proof.
rewrite /noises /turned_noise /= !map_cat !map_many (many_map _ (fun t => [seq (x.2, x.1) | x <- t])).
do 7 (congr (_ ++ _)); congr (_ ++ (_ ++ (_ ++ _))).
  apply: eq_many => t /=; congr OfTable; rewrite /turned /real_table -!map_comp; by apply: eq_map => -[].
  rewrite (many_map _ (fun s => Sample (other_side (has_record s)) (rate s) (turned_base (has_record s) (base s)))).
  by apply: eq_many => -[[] q c] //=; rewrite /sample_noise /= turned_curve_of /= exchanged_curveK.
by rewrite (many_map _ (fun u => Batches (other_side (moves_between u)) (sum_variance u) (batches_in_all u))); apply: eq_many => -[[] v n].
Qed.

Lemma noisy_lower_turned N epsilon delta :
  noisy_lower (noises (turned_noise N)) epsilon delta -> noisy_lower (noises N) epsilon delta.
Proof.
move=> [ns [p [Y [P [Q [C no]]]]]]; exists [seq turn n | n <- ns]; split.
  by rewrite -turned_noises; exact: Permutation_map.
exists Y, Q, P; split; first exact: noisy_turned.
by case=> h h'; apply: no; split.
Qed.

(** The test for what is stated. *)
Definition check_noise_below (f : effort) (m : mixed_subject) (N : noise_ledger) (h : test_hint)
    (x : combination) (a b : Z) : bool :=
  check_noise_test f m (if is_exchanged h then turned_noise N else N) h x a b.

Theorem check_noise_below_sound f m N h x a b : notions_of m = notions (others N) ->
  check_noise_below f m N h x a b -> noisy_lower (noises N) (real (approximates m) x) (fraction a b).
Proof.
move=> same; rewrite /check_noise_below; case: is_exchanged; last exact: check_noise_test_sound.
by move=> /check_noise_test_sound-/(_ same); exact: noisy_lower_turned.
Qed.
