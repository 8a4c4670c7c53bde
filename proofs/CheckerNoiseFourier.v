(** The rules `fourier-upper` and `fourier-lower` (SPEC, 11.7 and 11.8) about a ledger of mechanisms given
    by their noise, as it is read from a certificate.

    Discrete Laplace noise is a ladder of losses for each shift.  Laplace noise has infinitely many losses: from above
    it is replaced by chords of its profile, which are discrete Laplace noise, and from below by cells (NoiseLadders.v);
    of either there may be as many as one likes.  Other ladders stand beside the mechanisms given by epsilon and
    delta, and mu, in the sums of CheckerFourier.v. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions Failures RulesGaussian RulesProfiles NoiseLedgers Ratios Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers EnclosuresOfFormulas EnclosuresOfLaws LossLaws LadderLosses.
From ExactDP Require Import NoiseLadders LaplacePairs RulesNoiseFourier NoiseTests NoiseLosses OrderOfLosses NoiseTables.
From ExactDP Require Import OrderOfNoise OrderOfProfiles.
From ExactDP Require Import CheckerClosed CheckerNotions CheckerGaussian CheckerNoise CheckerFourier CheckerNoiseRows.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems CertificateNoise.
From ExactDP Require Import CertificateNoiseTests.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Local Notation listed := EnclosuresOfLaws.listed.
Local Arguments agrees bits%coqZ v%R o.
Local Arguments enclosed bits%coqZ v%R e.

Section Program.
Variable bits : Z.

(** With n rungs r apart, and the end n r or (n + 1) r. *)
Definition ladder_group (n : Z) (more : bool) (r : ratio) (weight : formula) : option group_law :=
  let times m := enclosure_of_fraction bits (m * r.1)%coqZ (Zpos r.2) in
  let k := if more then (n + 1)%coqZ else n in
  option_map (fun w => OfLadder (LadderEnclosure (times k) (times n) (times 1%coqZ) w more)) weight.
Definition shift_group (s : ratio * BinNums.positive) : option group_law :=
  let r := s.1 in
  if Z.ltb 0 r.1 then
    if Z.eqb (Zpos s.2) 1 then Some (OfResponse (enclosure_of_fraction bits r.1 (Zpos r.2))) else
    ladder_group (Zpos s.2 - 1)%coqZ true r
      (minus (whole bits 1) (power_of_e bits (negative (fraction_of bits r.1 (Zpos r.2)))))
  else None.
(** Of so many chords; in so many cells. *)
Definition chord_group (x : ratio * BinNums.positive) : option group_law :=
  shift_group ((x.1.1, (x.1.2 * x.2)%positive), x.2).
Definition cell_group (x : ratio * BinNums.positive) : option group_law :=
  let a := x.1 in let n := x.2 in
  if Z.ltb 0 a.1 then
    let half := fraction_of bits a.1 (Zpos (a.2 * n * 2)) in
    ladder_group (Zpos n) false (a.1, (a.2 * n)%positive)
      (minus (power_of_e bits half) (power_of_e bits (negative half)))
  else None.

Definition counted_groups (A : Type) (f : A -> option group_law) (s : seq (A * Z)) : option (seq (Z * group_law)) :=
  read_all (fun x => option_map (pair x.2) (f x.1)) s.

(** With how many parts each Laplace noise is replaced by. *)
Definition in_parts (N : noise_ledger) (ns : seq BinNums.positive) : option (seq (ratio * BinNums.positive * Z)) :=
  if Nat.eqb (size (laplaced N)) (size ns)
  then Some [seq (x.1.1, x.2, x.1.2) | x <- zip (laplaced N) ns] else None.

Definition noise_groups (laplace : ratio * BinNums.positive -> option group_law) (N : noise_ledger)
    (ns : seq BinNums.positive) : option (seq (Z * group_law)) :=
  if ~~ [&& none_of (ranged N), none_of (tabled N), none_of (samples N), none_of (bells N) & none_of (batched N)] then None else
  if (counted_groups shift_group (shifted N), in_parts N ns) is (Some ss, Some ls) then
    if counted_groups laplace ls is Some ls' then Some (ss ++ ls') else None
  else None.
End Program.

Definition check_noise_fourier_upper (f : effort) (q : wave_plan) (m : mixed_subject) (N : noise_ledger)
    (ns : seq BinNums.positive) (x : combination) (a b : Z) : bool :=
  match of_rho (CertificateNoise.others N), divergent N, noise_groups (wave_bits q) (chord_group (wave_bits q)) N ns with
  | [::], [::], Some gs => Z.leb 0 (wave_bits q) && fourier_above f q m gs x a b
  | _, _, _ => false
  end.

(** Mechanisms known by their divergences may tell nothing. *)
Definition check_noise_fourier_lower (f : effort) (q : wave_plan) (m : mixed_subject) (N : noise_ledger)
    (ns : seq BinNums.positive) (l r : slope) (x : combination) (a b : Z) : bool :=
  if noise_groups (wave_bits q) (cell_group (wave_bits q)) N ns is Some gs then
    [&& Z.leb 0 (wave_bits q), all (fun o => orders_ok o.1) (divergent N) & fourier_below f q m gs l r x a b]
  else false.

(** --- soundness --- *)

Section Groups.
Variable bits : Z.
Hypothesis bits0 : Z.le 0 bits.

Lemma of_ratio_gt0 (r : ratio) : Z.ltb 0 r.1 -> 0 < of_ratio r.
Proof. by move=> /Z.ltb_lt r0; rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt. Qed.

Lemma times_enclosed (k : Z) (r : ratio) :
  enclosed bits (IZR k * of_ratio r) (enclosure_of_fraction bits (k * r.1) (Zpos r.2)).
Proof. by rewrite /of_ratio /fraction mulrA -IZRM; exact: enclosed_fraction. Qed.

Lemma ladder_groupP (A r gamma : R) (n : nat) (gamma0 : 0 <= gamma) (m : Z) more (q : ratio) w g :
  agrees bits gamma w -> r = of_ratio q -> A = (n%:R * r + (if more then r else 0))%R -> n%:R = IZR m ->
  ladder_group bits m more q w = Some g -> enclosed_law bits (ByLadder A r n gamma0) g.
Proof.
rewrite /ladder_group; case: w => [w|] // W -> eA e [<-]; split=> //=; last first.
- by apply: W.
- by rewrite -[of_ratio q]mul1r; exact: (times_enclosed 1).
- by rewrite e; exact: times_enclosed.
rewrite eA e; case: more {eA}; last by rewrite addr0; exact: times_enclosed.
by have := times_enclosed (m + 1) q; rewrite IZRD mulrDl mul1r.
Qed.

Lemma natural_of (n : BinNums.positive) : (Pos.to_nat n)%:R = IZR (Zpos n).
Proof. by rewrite -(positive_nat_Z n) MixtureSums.IZR_of_nat. Qed.
Lemma positive_pred n : exists m, Pos.to_nat n = m.+1.
Proof. by case E: (Pos.to_nat n) => [|m]; [have := Pos2Nat.is_pos n; rewrite E => /Nat.lt_irrefl|exists m]. Qed.

(** What a group encloses. *)
Definition shift_like (s : ratio * BinNums.positive) (w : wave_law) : Prop :=
  shown_as (OfShift (of_ratio s.1) (Pos.to_nat s.2)) (OfLosses (law_of w)) 1 /\
  told_by (OfShift (of_ratio s.1) (Pos.to_nat s.2)) (law_of w).

Lemma shift_groupP s g : shift_group bits s = Some g -> exists2 w, enclosed_law bits w g & shift_like s w.
Proof.
rewrite /shift_group; case: ifP => // /of_ratio_gt0 d0; case: Z.eqb_spec => [s1 [<-]|_ h].
  exists (ByResponse (of_ratio s.1)); first exact: enclosed_fraction.
  have e : Pos.to_nat s.2 = 1%N by case: s1 => ->.
  rewrite /shift_like e; split; last exact: shift_of_response.
  by apply: shown_plainly; exact: noise_of_response.
have [n e] := positive_pred s.2; exists (ByLadder (n.+1%:R * of_ratio s.1)%R (of_ratio s.1) n (shift_gamma_ge0 d0)).
  apply: ladder_groupP h => //; first last.
  - by rewrite IZRB -natural_of e -addn1 natrD addrK.
  - by rewrite -addn1 natrD mulrDl mul1r.
  apply: agrees_minus; first exact: agrees_whole.
  by apply: agrees_power => //; apply: agrees_negative; apply: agrees_given; exact: enclosed_fraction.
rewrite /shift_like e; split; last exact: shift_of_ladder.
by apply: shown_plainly; exact: noise_of_shift_ladder.
Qed.

Lemma chord_groupP x g : chord_group bits x = Some g -> exists2 w, enclosed_law bits w g &
  shown_as (OfLaplace (of_ratio x.1)) (OfLosses (law_of w)) 1.
Proof.
case: x => a n; rewrite /chord_group /= => h; have [w E [[_ S] _]] := shift_groupP h; exists w => //.
have a0 : 0 < of_ratio a by move: h; rewrite /shift_group; case: ifP => // p _; exact: (of_ratio_gt0 (r := a)).
split=> [|Y P Q]; first exact: ltr01.
have n0 : (0 < Pos.to_nat n)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
move=> /(laplace_as_shift a0 n0); have <- : of_ratio (a.1, (a.2 * n)%positive) = of_ratio a / (Pos.to_nat n)%:R.
  by rewrite /of_ratio /fraction; cbn [fst snd]; rewrite Pos2Z.inj_mul IZRM natural_of invfM mulrA.
exact: S.
Qed.

Lemma cell_groupP x g : cell_group bits x = Some g -> exists2 w, enclosed_law bits w g &
  told_by (OfLaplace (of_ratio x.1)) (law_of w).
Proof.
case: x => a n; rewrite /cell_group /=; case: ifP => // /of_ratio_gt0 a0 h.
have n0 : (0 < Pos.to_nat n)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have rE : of_ratio a / (Pos.to_nat n)%:R = of_ratio (a.1, (a.2 * n)%positive).
  by rewrite /of_ratio /fraction; cbn [fst snd]; rewrite Pos2Z.inj_mul IZRM natural_of invfM mulrA.
exists (ByLadder (of_ratio a) (of_ratio a / (Pos.to_nat n)%:R)%R (Pos.to_nat n) (cell_gamma_ge0 a0 n0)); last first.
  exact: (cells_of_laplace a0 n0).
have half : of_ratio a / (Pos.to_nat n)%:R / 2%:R = IZR a.1 / IZR (Zpos (a.2 * n * 2)).
  by rewrite rE /of_ratio /fraction; cbn [fst snd]; rewrite (Pos2Z.inj_mul (a.2 * n) 2) IZRM invfM mulrA.
apply: ladder_groupP h => //; last exact: natural_of.
  have H := enclosed_fraction bits0 a.1 (Pos2Z.is_pos (a.2 * n * 2)).
  rewrite /cell_gamma half; apply: agrees_minus.
    by apply: agrees_power => //; exact: agrees_given.
  by apply: agrees_power => //; apply: agrees_negative; exact: agrees_given.
by rewrite addr0 mulrC divfK // pnatr_eq0 -lt0n.
Qed.

(** All of a kind. *)
Lemma counted_groupsP (A : Type) f (like : A -> wave_law -> Prop) s gs :
  (forall a g, f a = Some g -> exists2 w, enclosed_law bits w g & like a w) -> counted_groups f s = Some gs ->
  exists ws, enclosed_groups bits ws gs /\ List.Forall2 (fun x w => x.2 = w.1 /\ like x.1 w.2) s ws.
Proof.
move=> h; elim: s gs => [|x s IH] gs; first by move=> [<-]; exists [::]; split=> //; constructor.
move=> R'; have [g [gs' [X /IH[ws [E F]] ->]]] := read_all_cons R'.
move: X; case k: (f x.1) => [g'|] // [<-]; have [w Ew Lw] := h _ _ k.
by exists ((x.2, w) :: ws); split=> //; constructor.
Qed.
End Groups.

Lemma Forall2_of (A : Type) (noise_for : A -> noise) (like : noise -> wave_law -> Prop) s ws :
  List.Forall2 (fun x w => x.2 = w.1 /\ like (noise_for x.1) w.2) s ws ->
  List.Forall2 (fun (x : noise * Z) w => x.2 = w.1 /\ like x.1 w.2) [seq (noise_for x.1, x.2) | x <- s] ws.
Proof. by elim=> [|x w s' ws' h _ IH] /=; constructor. Qed.

Lemma enclosed_groups_cat bits ws ws' gs gs' : enclosed_groups bits ws gs -> enclosed_groups bits ws' gs' ->
  enclosed_groups bits (ws ++ ws') (gs ++ gs').
Proof. by elim: ws gs => [|w ws IH] [|g gs] //= [h1 h2 h3] h; split=> //; exact: IH. Qed.

(** The mechanisms by their noise, with how many there are. *)
Definition noise_entries (N : noise_ledger) : seq (noise * Z) :=
  [seq (OfShift (of_ratio x.1.1) (Pos.to_nat x.1.2), x.2) | x <- shifted N] ++
  [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N].

Lemma noise_groupsP bits laplace (like : noise -> wave_law -> Prop) N ns gs : Z.le 0 bits ->
  (forall s w, shift_like s w -> like (OfShift (of_ratio s.1) (Pos.to_nat s.2)) w) ->
  (forall x g, laplace x = Some g -> exists2 w, enclosed_law bits w g & like (OfLaplace (of_ratio x.1)) w) ->
  noise_groups bits laplace N ns = Some gs ->
  [/\ ranged N = [::], tabled N = [::], [/\ samples N = [::], bells N = [::] & batched N = [::]] & exists ws, enclosed_groups bits ws gs /\
    List.Forall2 (fun x w => x.2 = w.1 /\ like x.1 w.2) (noise_entries N) ws].
Proof.
move=> bits0 of_shift of_laplace; rewrite /noise_groups; case: ifP => // /negbFE/and5P[/none_ofP hr /none_ofP ht /none_ofP hs /none_ofP hb /none_ofP hu].
case S: (counted_groups _ (shifted N)) => [ss|] //; case P: in_parts => [ls|] //.
case L: (counted_groups laplace ls) => [ls'|] // [<-]; split=> //.
have [|ws [E F]] := counted_groupsP (bits := bits)
  (like := fun s => like (OfShift (of_ratio s.1) (Pos.to_nat s.2))) _ S.
  by move=> s g /(shift_groupP bits0)[w Ew /of_shift]; exists w.
have [ws' [E' F']] := counted_groupsP (like := fun x => like (OfLaplace (of_ratio x.1))) of_laplace L.
exists (ws ++ ws'); split; first exact: enclosed_groups_cat.
pose of_s (s : ratio * BinNums.positive) := OfShift (of_ratio s.1) (Pos.to_nat s.2).
apply: List.Forall2_app; first exact: (Forall2_of (noise_for := of_s) (like := like) F).
have -> : [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] = [seq (OfLaplace (of_ratio x.1.1), x.2) | x <- ls].
  move: P; rewrite /in_parts; case: Nat.eqb_spec => // e [<-]; rewrite -map_comp.
  by rewrite -{1}(@unzip1_zip _ _ (laplaced N) ns) -?map_comp // e.
pose of_l (x : ratio * BinNums.positive) := OfLaplace (of_ratio x.1).
exact: (Forall2_of (noise_for := of_l) (like := like) F').
Qed.

Lemma noises_of_entries N : ranged N = [::] -> tabled N = [::] -> [/\ samples N = [::], bells N = [::] & batched N = [::]] ->
  Permutation (many (fun os => OfOrders (real_orders os)) (divergent N) ++ many id (noise_entries N) ++
    [seq OfNotion n | n <- notions (CertificateNoise.others N)]) (noises N).
Proof.
move=> hr ht [hs hb hu]; rewrite /noises hr ht hs hb hu /notions !repeated_many !map_cat !map_many /noise_entries many_cat.
set E := many _ (of_epsilon _); set M := many _ (of_mu _); set Rh := many _ (of_rho _); set O := many _ (divergent N).
have -> : many id [seq (OfShift (of_ratio x.1.1) (Pos.to_nat x.1.2), x.2) | x <- shifted N] =
    many (fun s => OfShift (of_ratio s.1) (Pos.to_nat s.2)) (shifted N) by rewrite /many -!map_comp.
have -> : many id [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] =
    many (fun a => OfLaplace (of_ratio a)) (laplaced N) by rewrite /many -!map_comp.
set S := many _ (shifted N); set L := many _ (laplaced N); rewrite cats0 /=.
rewrite -!catA; apply: Permutation_trans (Permutation_app_comm O (S ++ L ++ E ++ M ++ Rh)) _.
rewrite -[app _ _]/((S ++ L ++ E ++ M ++ Rh) ++ O) -!catA (catA S L (E ++ _)).
apply: Permutation_trans (Permutation_app_swap_app (S ++ L) E (M ++ Rh ++ O)) _.
by rewrite -[app _ _]/(E ++ (S ++ L) ++ M ++ Rh ++ O) -!catA; exact: Permutation_refl.
Qed.

(** --- from above --- *)

Definition shown_like (n : noise) (w : wave_law) : Prop := shown_as n (OfLosses (law_of w)) 1.

Lemma all_shown xs ws : List.Forall2 (fun (x : noise * Z) w => x.2 = w.1 /\ shown_like x.1 w.2) xs ws ->
  exists zs : seq shown, [/\ List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) zs,
    map noise_in zs = many id xs, laws_of_losses (map entry_in zs) = [seq law_of l | l <- listed ws],
    all_kept zs = 1 & squares (map entry_in zs) = 0 /\ all proper_losses (map entry_in zs)].
Proof.
elim=> {xs ws} [|[n c] [c' l] xs ws [/= <- h] _ [zs [F E L K [S W]]]].
  by exists [::]; split=> //; rewrite ?/all_kept ?/squares ?big_nil.
exists (nseq (Z.to_nat c) (n, OfLosses (law_of l), 1) ++ zs); rewrite /many /listed /= -/(many id xs) -/(listed ws).
elim: (Z.to_nat c) => [|m [F' E' L' K' [S' W']]] //=; split=> //=; try by constructor.
- by rewrite E'.
- by rewrite /laws_of_losses /= -/(laws_of_losses _) L'.
- by rewrite /all_kept big_cons mul1r.
by split=> //; rewrite /squares big_cons add0r.
Qed.

Definition shown_of (n : notion) : shown :=
  match n with
  | Approximate e d => (OfNotion n, OfLosses (response e), 1 - d)%R
  | Gaussian mu => (OfNotion n, OfGaussian mu, 1)
  | Concentrated _ => (OfNotion n, OfGaussian 0, 1)
  end.

Lemma notions_shown ms : all proper_notion ms -> all (fun n => if n is Concentrated _ then false else true) ms ->
  let zs := map shown_of ms in
  [/\ List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) zs,
    map noise_in zs = [seq OfNotion n | n <- ms],
    laws_of_losses (map entry_in zs) = [seq response e | e <- epsilons_of ms],
    all_kept zs = mixed_kept ms & squares (map entry_in zs) = \sum_(n <- ms) RulesGaussian.square n /\
    all proper_losses (map entry_in zs)].
Proof.
elim: ms => [_ _|n ms IH /= /andP[w W] /andP[c C]].
  split=> //; [by constructor|by rewrite /all_kept /mixed_kept !big_nil|by split=> //; rewrite /squares !big_nil].
have {IH} [F E L K [S P]] := IH W C.
rewrite /laws_of_losses /all_kept /mixed_kept /squares /= !big_cons -/(laws_of_losses _) L E.
rewrite -/(all_kept _) -/(mixed_kept _) -/(squares _) K S.
case: n w c => [e d|mu|rho] //= w _; split=> //; rewrite ?subr0 //; constructor=> //.
- by apply: response_shown; case/andP: w.
- by apply: shown_plainly => Y P' Q' [].
by apply/andP; split.
Qed.

Section Upper.
Variables (f : effort) (q : wave_plan) (m : mixed_subject) (N : noise_ledger) (ns : seq BinNums.positive).
Variables (x : combination) (a b : Z).
Hypotheses (same : notions_of m = notions (CertificateNoise.others N)) (checked : check_noise_fourier_upper f q m N ns x a b).

Lemma check_noise_fourier_upper_shown : exists ds mu,
  [/\ List.Forall (fun d => shown_as (noise_in d) (entry_in d) d.2) ds, all proper_losses (map entry_in ds),
    sqrt (squares (map entry_in ds)) <= mu, Permutation (map noise_in ds) (noises N) &
    profile_beside mu (law_product (laws_of_losses (map entry_in ds))) (real (approximates m) x) <=
    1 - (1 - fraction a b) / all_kept ds].
Proof.
move: checked; rewrite /check_noise_fourier_upper; case hr: (of_rho _) => //; case hd: (divergent N) => //.
case G: noise_groups => [gs|] // /andP[/Z.leb_le bits0 check].
have [|y g /chord_groupP-/(_ bits0)|hr' ht hs [ws [E F]]] := noise_groupsP (like := shown_like) bits0 _ _ G => //.
  by move=> s w [].
have [zs [Fz Ez Lz Kz [Sz Pz]]] := all_shown F.
have [proper _ le] := fourier_above_holds E check.
have plain : all (fun n => if n is Concentrated _ then false else true) (notions_of m).
  rewrite same /notions hr !repeated_many !all_cat; apply/and3P; split=> //.
    by apply: all_many; elim: (of_epsilon _).
  by apply: all_many; elim: (of_mu _).
have [Fm Em Lm Km [Sm Pm]] := notions_shown proper plain.
exists (map shown_of (notions_of m) ++ zs), (total_mu RulesGaussian.square (notions_of m)); split.
- exact/List.Forall_app.
- by rewrite map_cat all_cat Pm Pz.
- by rewrite /squares map_cat big_cat /= -!/(squares _) Sm Sz addr0.
- apply: Permutation_trans (noises_of_entries hr' ht hs); rewrite hd map_cat Em Ez same /=.
  exact: Permutation_app_comm.
have -> : laws_of_losses (map entry_in (map shown_of (notions_of m) ++ zs)) =
    [seq law_of l | l <- listed (CheckerFourier.mechanisms_of m ws)].
  rewrite map_cat /laws_of_losses pmap_cat -!/(laws_of_losses _) Lm Lz listed_mechanisms map_cat -map_comp.
  by [].
have -> : all_kept (map shown_of (notions_of m) ++ zs) = mixed_kept (notions_of m).
  by rewrite /all_kept big_cat /= -!/(all_kept _) Km Kz mulr1.
exact: le.
Qed.

Theorem check_noise_fourier_upper_sound : noisy_upper (noises N) (real (approximates m) x) (fraction a b).
Proof.
have [ds [mu [shows proper le order check]]] := check_noise_fourier_upper_shown => ns' p Y P Q C.
exact: (noisy_upper_by_losses shows proper le check) (Permutation_trans order p) _ _ _ C.
Qed.

Theorem check_noise_fourier_upper_any_order : all_proper (noises N) ->
  noisy_in_any_order (noises N) (real (approximates m) x) (fraction a b).
Proof.
have [ds [mu [shows proper le order check]]] := check_noise_fourier_upper_shown.
exact: any_order_by_losses shows proper le check order.
Qed.
End Upper.

(** --- from below --- *)

Definition told_like (n : noise) (w : wave_law) : Prop := given_by_noise n /\ told_by n (law_of w).

Lemma all_told xs ws : List.Forall2 (fun (x : noise * Z) w => x.2 = w.1 /\ told_like x.1 w.2) xs ws ->
  exists zs : seq (noise * loss_law), [/\ List.Forall (fun d => given_by_noise d.1 /\ told_by d.1 d.2) zs,
    unzip1 zs = many id xs & unzip2 zs = [seq law_of l | l <- listed ws]].
Proof.
elim=> {xs ws} [|[n c] [c' l] xs ws [/= <- h] _ [zs [F E L]]]; first by exists [::]; split=> //; constructor.
exists (nseq (Z.to_nat c) (n, law_of l) ++ zs); rewrite /many /listed /= -/(many id xs) -/(listed ws).
elim: (Z.to_nat c) => [|k [F' E' L']] //=; split=> //=; try by constructor.
  by rewrite E'.
by rewrite L'.
Qed.

Theorem check_noise_fourier_lower_sound f q m N ns l r x a b : notions_of m = notions (CertificateNoise.others N) ->
  check_noise_fourier_lower f q m N ns l r x a b ->
  noisy_lower (noises N) (real (approximates m) x) (fraction a b).
Proof.
move=> same; rewrite /check_noise_fourier_lower; case G: noise_groups => [gs|] // /and3P[/Z.leb_le bits0 silent check].
have [|y g /cell_groupP-/(_ bits0)[w E h]|hr' ht hs [ws [E F]]] := noise_groupsP (like := told_like) bits0 _ _ G => //.
- by move=> s w [_ h]; split.
- by exists w.
have [zs [Fz Ez Lz]] := all_told F; have [proper gap] := fourier_below_holds E check.
apply: (noisy_lower_permutation (noises_of_entries hr' ht hs)); rewrite -Ez -same.
apply: noisy_lower_by_losses => //.
  elim: (divergent N) silent => [|[os c] ds IH] /=; first by constructor.
  case/andP=> ok /IH {}IH; rewrite /many /=; apply/List.Forall_app; split=> //.
  by elim: (Z.to_nat c) => //= k IHk; constructor=> //; exact: silent_orders.
rewrite Lz; move: gap; rewrite /law_of_all listed_mechanisms map_cat -map_comp.
by [].
Qed.
