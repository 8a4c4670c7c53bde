(** The rule `profile-dots` about a ledger of mechanisms given by their noise, as it is read from a
   certificate: those by epsilon and delta, by Laplace and discrete Laplace noise, of bounded range and by written tables, in the
    direction of the tables and, where there are any, in the other. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Losses Notions RulesGaussian NoiseLedgers Ratios Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed CheckerGroups CheckerNoise.
From ExactDP Require Import Tables OverlapTables MeshTables CheckerListedPairs CheckerShiftPairs CheckerRangePairs CheckerProfiles.
From ExactDP Require Import LaplacePairs.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise Workloads OrderOfNoise OrderOfProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The first and the last loss of each mechanism's table, and the levels; and of each curve of Laplace
    noise, by how many chords it is replaced, and above which loss the losses are infinite. *)
Record profile_plan := ProfilePlan {
  looked_at : seq (Z * Z);
  kept_within : seq level;
  chords : seq (BinNums.positive * Z)
}.

(** --- the check --- *)

Section Program.
Variables (k : numbering) (w : Z).

Definition number_enclosure (logs : seq (Z * Z)) (n : number) : option enclosure :=
  if combination_of k n is Some x then Some (enclosure_of_number w logs (common k) x) else None.

(** A pair whose outputs are listed, or a bounded range, known by its profile. *)
Inductive source := Listed of listed_pair | InRange of ratio.
Definition place (n d first last : Z) (s : source) : option on_mesh :=
  match s with
  | Listed l => place_pair w n d first last l
  | InRange r => range_table w n d r first last
  end.

Definition part := (source * Z)%type.
Definition counted (A : Type) (f : A -> option source) (x : A * Z) : option part :=
  if f x.1 is Some l then Some (l, x.2) else None.

Definition response_part (logs : seq (Z * Z)) (p : number * ratio) : option source :=
  let d := p.2 in
  if number_enclosure logs p.1 is Some e then
    if Z.leb 0 d.1 && Z.leb d.1 (Zpos d.2) then option_map Listed (of_response w e (Zpos d.2 - d.1) (Zpos d.2)) else None
  else None.
Definition shift_part (s : ratio * BinNums.positive) : option source :=
  if Z.ltb 0 s.1.1 then option_map Listed (of_shift w s.1 (Pos.to_nat s.2)) else None.
(** No p is above q e^(last u), u the unit. *)
Definition capped (u : ratio) (last : Z) (l : listed_pair) : listed_pair :=
  if decay_at w u.1 (Zpos u.2) (- last) is Some e
  then [seq (Z.min o.1 (Z.max 0 (floor_div (o.2 * e.1) (Z.shiftl 1 w))), o.2) | o <- l] else l.
Definition laplace_part (u : ratio) (x : ratio * (BinNums.positive * Z)) : option source :=
  let a := x.1 in let c := x.2.1 in
  if Z.ltb 0 a.1 then
    if of_shift w (a.1, (a.2 * c)%positive) (Pos.to_nat c) is Some l then Some (Listed (capped u x.2.2 l)) else None
  else None.
(** With the number of chords of each. *)
Definition with_chords (N : noise_ledger) (cs : seq (BinNums.positive * Z)) :
    option (seq (ratio * (BinNums.positive * Z) * Z)) :=
  if Nat.eqb (size (laplaced N)) (size cs)
  then Some [seq (x.1.1, x.2, x.1.2) | x <- zip (laplaced N) cs] else None.
Definition table_part (t : table) : option source :=
  if is_law (unzip1 t) && is_law (unzip2 t) then Some (Listed (of_written w t)) else None.
Definition range_part (r : ratio) : option source := Some (InRange r).

Definition parts_of (N : noise_ledger) (u : ratio) (cs : seq (BinNums.positive * Z)) : option (seq part) :=
  let logs := logarithms w (table_in_use k) in
  if (read_all (counted (response_part logs)) (of_epsilon (others N)),
      read_all (counted shift_part) (shifted N), with_chords N cs, read_all (counted range_part) (ranged N),
      read_all (counted table_part) (tabled N))
  is (Some es, Some ss, Some ls, Some rs, Some ts) then
    if read_all (counted (laplace_part u)) ls is Some ls then Some (es ++ ss ++ ls ++ rs ++ ts) else None
  else None.

Fixpoint placed_all (n d : Z) (windows : seq (Z * Z)) (parts : seq part) : option (seq on_mesh) :=
  match windows, parts with
  | [::], [::] => Some [::]
  | x :: windows', p :: parts' =>
      if (place n d x.1 x.2 p.1, placed_all n d windows' parts') is (Some f, Some fs)
      then Some (f :: fs) else None
  | _, _ => None
  end.

(** One direction, with the unit u. *)
Definition check_direction (N : noise_ledger) (u : ratio) (p : profile_plan) (e : enclosure) (delta : ratio) : bool :=
  if parts_of N u (chords p) is Some parts then
    let counts := [seq x.2 | x <- parts] in
    let n := u.1 in let d := Zpos u.2 in
    if placed_all n d (looked_at p) parts is Some fs then
      [&& Z.ltb 0 n, all (Z.leb 0) counts &
       all (fun c => Z.eqb (Z.shiftr c (Z.of_nat (size (kept_within p)) + 1)) 0) counts] &&
      if evaluated w (kept_within p) n d (certain (Z.shiftl 1 w)) fs counts is Some (m, t)
      then Z.ltb 0 m && within_delta w e m d t delta.1 (Zpos delta.2) else false
    else false
  else false.

Definition turned_table (t : table) : table := [seq (x.2, x.1) | x <- t].
Definition turned_ledger (N : noise_ledger) : noise_ledger :=
  NoiseLedger (others N) (shifted N) (laplaced N) (ranged N) (divergent N)
    [seq (turned_table x.1, x.2) | x <- tabled N] (samples N) (bells N).

Definition all_listed (N : noise_ledger) : bool :=
  match of_mu (others N), of_rho (others N), divergent N, samples N with
  | [::], [::], [::], [::] => true
  | _, _, _, _ => false
  end.

(** A second plan is for the other direction, which says the same where there is no table. *)
Definition check_profile_dots (N : noise_ledger) (u : ratio) (forth : profile_plan) (back : option profile_plan)
    (epsilon : number) (delta : ratio) : bool :=
  [&& Z.leb 0 w, numbering_ok k, all quotient_ok (table_in_use k) & all_listed N] &&
  if number_enclosure (logarithms w (table_in_use k)) epsilon is Some e then
    check_direction N u forth e delta &&
    if back is Some p then check_direction (turned_ledger N) u p e delta
    else if tabled N is [::] then true else false
  else false.
End Program.

(** --- soundness --- *)

Section Sound.
Variables (k : numbering) (w : Z).
Hypotheses (w0 : Z.le 0 w) (k_ok : numbering_ok k) (q_ok : all quotient_ok (table_in_use k)).
Let S := Z.shiftl 1 w.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let logs := logarithms w (table_in_use k).

Lemma number_enclosureP n e : number_enclosure k w logs n = Some e -> enclosed w (value_of n) e.
Proof.
rewrite /number_enclosure; case X: (combination_of k n) => [x|] // [<-].
rewrite -(combination_of_sound k_ok X); apply: enclosed_number => //.
by apply/Z.ltb_lt; case/andP: k_ok.
Qed.

(** The mechanisms, each with how many there are. *)
Definition entries_of (N : noise_ledger) : seq (noise * Z) :=
  [seq (OfNotion (Approximate (value_of x.1.1) (of_ratio x.1.2)), x.2) | x <- of_epsilon (others N)] ++
  [seq (OfShift (of_ratio x.1.1) (Pos.to_nat x.1.2), x.2) | x <- shifted N] ++
  [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] ++
  [seq (OfRange (of_ratio x.1), x.2) | x <- ranged N] ++
  [seq (OfTable (real_table x.1), x.2) | x <- tabled N].

Lemma noises_entries_of N : all_listed N -> noises N = many id (entries_of N).
Proof.
rewrite /all_listed /noises /entries_of; case: (of_mu _) => //; case: (of_rho _) => //.
case: (divergent _) => //; case: (samples _) => // _.
by rewrite !many_cat /many -!map_comp /= !cats0.
Qed.

(** Wherever it is put on a mesh, it is below the mechanism. *)
Definition placed_below (x : noise) (s : source) : Prop := forall n d first last f, Z.lt 0 d ->
  place w n d first last s = Some f -> all_above_0 f.2 /\
  forall (Y : finType) (P Q : Y -> R), has_noise x P Q -> captured (real_mesh S (IZR n / IZR d)%R f) P Q.

Lemma listed_below x l : all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l ->
  (forall (Y : finType) (P Q : Y -> R), has_noise x P Q -> lists w l P Q) -> placed_below x (Listed l).
Proof.
move=> l0 L n d first last f d0 /(place_pair_captured w0 d0 l0)[f0 cap]; split=> // Y P Q /L; exact: cap.
Qed.

Definition stands_for (x : noise * Z) (p : part) : Prop :=
  x.2 = p.2 /\ placed_below x.1 p.1.

Lemma counted_all (A : Type) (f : A -> option source) (g : A -> noise) s ps :
  (forall a l, f a = Some l -> placed_below (g a) l) ->
  read_all (counted f) s = Some ps -> List.Forall2 stands_for [seq (g x.1, x.2) | x <- s] ps.
Proof.
move=> h; elim: s ps => [|x s IH] ps; first by move=> [<-]; constructor.
move=> R; have [p [ps' [X /IH {}IH ->]]] := read_all_cons R; constructor=> //.
move: X; rewrite /counted; case F: (f x.1) => [l|] // [<-]; split=> //; exact: h F.
Qed.

Lemma response_partP p l : response_part k w logs p = Some l ->
  placed_below (OfNotion (Approximate (value_of p.1) (of_ratio p.2))) l.
Proof.
rewrite /response_part; case E: (number_enclosure _ _ _ _) => [e|] //; case: ifP => // /andP[/Z.leb_le d0 /Z.leb_le d1].
case X: (of_response _ _ _ _) => [r|] // [<-]; have V := number_enclosureP E; have D0 : 0 < IZR (Zpos p.2.2) by rewrite (IZR_lt_iff Z0).
have dE : 1 - of_ratio p.2 = IZR (Zpos p.2.2 - p.2.1) / IZR (Zpos p.2.2).
  by rewrite IZRB mulrBl divff // gt_eqF.
have h0 : Z.le 0 (Zpos p.2.2 - p.2.1) by apply/Z.le_0_sub.
have h1 : Z.le (Zpos p.2.2 - p.2.1) (Zpos p.2.2) by apply/Z.le_sub_nonneg.
have [l0 _] := of_response_lists w0 V (Pos2Z.is_pos _) h0 h1 dE X; apply: listed_below => // Y P Q [dP dQ h].
by have [] := response_lists w0 V (Pos2Z.is_pos _) h0 h1 dE X h.
Qed.

Lemma shift_partP s l : shift_part w s = Some l ->
  placed_below (OfShift (of_ratio s.1) (Pos.to_nat s.2)) l.
Proof.
rewrite /shift_part; case: ifP => // /Z.ltb_lt r0; case X: (of_shift _ _ _) => [r|] // [<-].
have s0 : (0 < Pos.to_nat s.2)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have [l0 L] := shift_lists w0 r0 s0 X; apply: listed_below => // Y P Q h; exact: L h.
Qed.

Lemma capped_lists u last l : all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) l ->
  all (fun o => Z.leb 0 o.1 && Z.leb 0 o.2) (capped w u last l) /\
  forall (Y : finType) (P Q : Y -> R), lists w l P Q -> lists w (capped w u last l) P Q.
Proof.
rewrite /capped; case: (decay_at _ _ _ _) => [e|] // l0; split.
  rewrite all_map; apply: sub_all l0 => o /andP[/Z.leb_le p0 q0] /=; rewrite q0 andbT; apply/Z.leb_le.
  by apply: Z.min_glb => //; exact: Z.le_max_l.
move=> Y P Q h y y0; apply: le_trans (h y y0); rewrite big_map; apply: ler_sum => o _ /=.
by apply: le2_min => //; rewrite IZR_le_iff; apply/Z.leb_le; exact: Z.le_min_l.
Qed.

Lemma laplace_partP u x l : laplace_part w u x = Some l -> placed_below (OfLaplace (of_ratio x.1)) l.
Proof.
case: x => a [c last]; rewrite /laplace_part /=; case: ifP => // /Z.ltb_lt a0.
case X: (of_shift _ _ _) => [l'|] // [<-].
have c0 : (0 < Pos.to_nat c)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have A0 : 0 < of_ratio a by rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
have e : of_ratio (a.1, (a.2 * c)%positive) = of_ratio a / (Pos.to_nat c)%:R.
  by rewrite /of_ratio /fraction; cbn [fst snd]; rewrite Pos2Z.inj_mul IZRM (IZR_pos c) invfM mulrA.
have [|l0 L] := shift_lists w0 _ c0 X; first exact: a0.
have [l0' cut] := capped_lists u last l0; apply: listed_below => // Y P Q /(laplace_as_shift A0 c0); rewrite -e => h.
by apply: cut; exact: L.
Qed.

Lemma with_chordsP N u cs ls ps : with_chords N cs = Some ls -> read_all (counted (laplace_part w u)) ls = Some ps ->
  List.Forall2 stands_for [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] ps.
Proof.
rewrite /with_chords; case: Nat.eqb_spec => // e [<-] X.
have := counted_all (@laplace_partP u) X; rewrite -map_comp.
have -> : [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] =
    [seq (OfLaplace (of_ratio x.1.1), x.1.2) | x <- zip (laplaced N) cs].
  by rewrite -{1}(@unzip1_zip _ _ (laplaced N) cs) -?map_comp // e.
by [].
Qed.

Lemma table_partP t l : table_part w t = Some l -> placed_below (OfTable (real_table t)) l.
Proof.
rewrite /table_part; case: ifP => // /andP[p q] [<-]; apply: listed_below.
  apply: of_written_above_0 => //; move: p q; rewrite /is_law /unzip1 /unzip2 !all_map => /andP[p0 _] /andP[q0 _].
  by elim: t p0 q0 => //= x t IH /andP[-> /IH h] /andP[-> /h].
have {}p : law_proper (unzip1 (real_table t)) by have := is_lawP p; rewrite /unzip1 /real_table -!map_comp.
move=> Y P Q [dP dQ [h _]].
exact: (lists_dominated w0 dP (law_distribution p) h (of_written_lists w0 t)).
Qed.

Lemma range_partP r l : range_part r = Some l -> placed_below (OfRange (of_ratio r)) l.
Proof. by move=> [<-] n d first last f d0; exact: range_captured. Qed.

Lemma parts_ofP N u cs ps : parts_of k w N u cs = Some ps -> List.Forall2 stands_for (entries_of N) ps.
Proof.
rewrite /parts_of -/logs; case E: (read_all _ (of_epsilon _)) => [es|] //; case H: (read_all _ (shifted N)) => [ss|] //.
case C: (with_chords N cs) => [ls|] //; case G: (read_all _ (ranged N)) => [rs|] //.
case T: (read_all _ (tabled N)) => [ts|] //.
case L: (read_all _ ls) => [ls'|] // [<-].
apply: List.Forall2_app; first exact: (counted_all response_partP E).
apply: List.Forall2_app; first exact: (counted_all shift_partP H).
apply: List.Forall2_app; first exact: with_chordsP C L.
by apply: List.Forall2_app; [exact: (counted_all range_partP G)|exact: (counted_all table_partP T)].
Qed.

Definition table_at (u : R) (x : noise * on_mesh) : noise * seq (R * R) := (x.1, real_mesh S u x.2).

Lemma placed_allP n d windows xs ps fs : Z.lt 0 d -> List.Forall2 stands_for xs ps ->
  placed_all w n d windows ps = Some fs ->
  let u := (IZR n / IZR d)%R in let zs := many (table_at u) (zip (zip (unzip1 xs) fs) (unzip2 xs)) in
  [/\ List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs,
      unzip1 zs = many id xs, unzip2 zs = copies (map (real_mesh S u) fs) (unzip2 ps),
      List.Forall2 (fun f T => below S u f [:: T]) fs (map (real_mesh S u) fs) &
      all (@table_above_0 _) (map (real_mesh S u) fs)].
Proof.
move=> d0 h; elim: h windows fs => {xs ps} [|x p xs ps [e L] _ IH] [|[first last] windows] fs //=.
  by move=> [<-]; split=> //; constructor.
case X: (place _ _ _ _ _ _) => [f|] //; case Y: (placed_all _ _ _ _ _) => [fs'|] // [<-].
set u := (IZR n / IZR d)%R; have [h1 h2 h3 h4 h5] := IH _ _ Y; rewrite -/u in h1 h2 h3 h4 h5.
have [above cap] := L _ _ _ _ _ d0 X.
have T0 : table_above_0 (real_mesh S u f) := weights_from_above_0 S0 u f.1 above.
have one : captures x.1 (real_mesh S u f) /\ table_above_0 (real_mesh S u f).
  by split=> // Y' P Q; exact: cap.
rewrite /many /= -/(many _ _); split.
- apply/List.Forall_app; split=> //; elim: (Z.to_nat x.2) => [|m IHm] /=; by constructor.
- by rewrite /unzip1 map_cat map_nseq -/(unzip1 _) h2.
- by rewrite /unzip2 map_cat map_nseq -/(unzip2 _) h3 /copies /= e.
- by constructor=> //; split=> // y _.
by rewrite T0.
Qed.

(** The tables of a direction, one for each mechanism. *)
Lemma check_direction_tables N u p e (delta : ratio) epsilon : all_listed N -> enclosed w epsilon e ->
  check_direction k w N u p e delta ->
  exists zs, [/\ List.Forall (fun z => captures z.1 z.2 /\ table_above_0 z.2) zs, unzip1 zs = noises N &
    1 - of_ratio delta <= mean (unzip2 zs) lesser (exp epsilon)].
Proof.
move=> listed V; rewrite /check_direction -/S; case X: (parts_of _ _ _ _ _) => [ps|] //.
case Y: (placed_all _ _ _ _ _) => [fs|] // /andP[/and3P[/Z.ltb_lt n0 c0 few]].
case E: (evaluated _ _ _ _ _ _ _) => [[m t]|] // /andP[/Z.ltb_lt m0 enough].
have d0 := Pos2Z.is_pos u.2; have [h1 h2 h3 h4 h5] := placed_allP d0 (parts_ofP X) Y.
move: h1 h2 h3 h4 h5; set v := (IZR u.1 / IZR (Zpos u.2))%R; set zs := many _ _ => h1 h2 h3 h4 h5.
have start : below S v (certain S) (copies (map (real_mesh S v) fs)
    [seq Z.shiftr c (Z.of_nat (size (kept_within p)) + 1) | c <- unzip2 ps]).
  by apply: below_certain; rewrite // all_map.
have b := evaluatedP w0 d0 (Z.lt_le_incl _ _ n0) c0 h4 h5 start E.
have le := within_deltaP w0 d0 m0 V enough b; rewrite -h3 in le.
by exists zs; rewrite (noises_entries_of listed) -h2.
Qed.

Lemma check_directionP N u p e (delta : ratio) epsilon : all_listed N -> enclosed w epsilon e ->
  check_direction k w N u p e delta ->
  forall ns, Permutation (noises N) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= of_ratio delta.
Proof.
by move=> listed V /(check_direction_tables listed V)[zs [h <- le]]; exact: noisy_upper_half h le.
Qed.

Lemma check_direction_any_order N u p e (delta : ratio) epsilon : all_listed N -> enclosed w epsilon e ->
  check_direction k w N u p e delta -> all_proper (noises N) -> forall (Y : finType) (P Q : Y -> R),
  interleaved of_noise (nth silent (noises N)) (iota 0 (size (noises N))) P Q ->
  hockey_stick 1 (exp epsilon) P Q <= of_ratio delta.
Proof.
move=> listed V /(check_direction_tables listed V)[zs [h <- le]] proper Y P Q.
by rewrite size_map; exact: any_order_half h proper le Y P Q.
Qed.
End Sound.

Lemma noises_turned N : all_listed N -> map turned_noise (noises N) = noises (turned_ledger N).
Proof.
move=> h; rewrite !noises_entries_of // map_many /entries_of /= !many_cat; congr (_ ++ (_ ++ (_ ++ (_ ++ _)))).
- by rewrite /many -!map_comp.
- by rewrite /many -!map_comp.
- by rewrite /many -!map_comp.
- by rewrite /many -!map_comp.
rewrite /many -!map_comp; congr flatten; apply: eq_map => x /=; congr (nseq _ (OfTable _)).
by rewrite /turned /real_table /turned_table -!map_comp.
Qed.

Theorem check_profile_dots_sound k w N u forth back epsilon delta :
  check_profile_dots k w N u forth back epsilon delta ->
  noisy_upper (noises N) (value_of epsilon) (of_ratio delta).
Proof.
rewrite /check_profile_dots => /andP[/and4P[/Z.leb_le w0 k_ok q_ok listed]].
case X: (number_enclosure _ _ _ _) => [e|] // /andP[one other].
have V := number_enclosureP w0 k_ok q_ok X.
move=> ns p Y P Q C; split; apply/events_hockey_stick.
  exact: (check_directionP w0 k_ok q_ok listed V one p C).
have back_ok q : check_direction k w (turned_ledger N) u q e delta ->
    hockey_stick 1 (exp (value_of epsilon)) Q P <= of_ratio delta.
  move=> c; apply: (check_directionP w0 k_ok q_ok _ V c _ (noisy_turned C)); first by [].
  by rewrite -noises_turned //; exact: Permutation_map.
case: back other => [q|]; first exact: back_ok.
case T: (tabled N) => [|//] _; apply: (back_ok forth).
by move: one T; rewrite /turned_ledger; case: (N) => o s ls r d ts sa /= + T; rewrite T.
Qed.

Theorem check_profile_dots_any_order k w N u forth back epsilon delta : all_proper (noises N) ->
  check_profile_dots k w N u forth back epsilon delta ->
  noisy_in_any_order (noises N) (value_of epsilon) (of_ratio delta).
Proof.
move=> proper; rewrite /check_profile_dots => /andP[/and4P[/Z.leb_le w0 k_ok q_ok listed]].
case X: (number_enclosure _ _ _ _) => [e|] // /andP[one other].
have V := number_enclosureP w0 k_ok q_ok X.
move=> Y P Q C; split; apply/events_hockey_stick.
  exact: (check_direction_any_order w0 k_ok q_ok listed V one proper C).
have back_ok q : check_direction k w (turned_ledger N) u q e delta ->
    hockey_stick 1 (exp (value_of epsilon)) Q P <= of_ratio delta.
  move=> c; have proper' := all_proper_turned proper; have C' := interleaved_turned C.
  rewrite noises_turned // in proper' C'; move: C'; rewrite -(size_map turned_noise) noises_turned //.
  exact: (check_direction_any_order w0 k_ok q_ok _ V c proper').
case: back other => [q|]; first exact: back_ok.
case T: (tabled N) => [|//] _; apply: (back_ok forth).
by move: one T; rewrite /turned_ledger; case: (N) => o s ls r d ts sa /= + T; rewrite T.
Qed.
