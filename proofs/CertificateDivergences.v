(** The rule `mesh-upper` with orders about a ledger of mechanisms given by their noise: that without
    (CertificateProfiles.v) for those whose pairs are known, and one table more for all mechanisms by rho
    and by Rényi divergences together (CheckerDivergences.v). *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Losses Notions RulesGaussian NoiseLedgers Ratios Logarithms Comparisons.
From ExactDP Require Import RulesNoiseRenyi Enclosures EnclosuresOfNumbers CheckerClosed CheckerGroups CheckerConcentrated CheckerNoise.
From ExactDP Require Import Tables OverlapTables MeshTables CheckerListedPairs CheckerProfiles TablesBesideNormal.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise CertificateCurves CertificateSources CertificateProfiles.
From ExactDP Require Import BesideDivergences DivergentTables CheckerDivergences OrderOfDivergences.
From ExactDP Require Import Workloads OrderOfNoise OrderOfProfiles.
From ExactDP Require MixtureSums RulesProfiles.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** The mechanisms whose pairs are known. *)
Definition pairs_alone (N : noise_ledger) : noise_ledger :=
  NoiseLedger (Mechanisms (of_epsilon (others N)) (of_mu (others N)) [::])
    (shifted N) (laplaced N) (ranged N) [::] (tabled N) (samples N) (bells N) (batched N).
Definition total_of_rhos (rs : seq (ratio * Z)) : ratio :=
  foldr (fun r s => radd (rmul (r.2, 1%positive) r.1) s) Ratios.zero rs.
Definition divergences_ok (N : noise_ledger) : bool :=
  all (fun r => Z.leb 0 r.1.1 && Z.leb 0 r.2) (of_rho (others N)) &&
  all (fun l => all (fun x => Z.leb 0 x.2.1) l.1 && Z.leb 0 l.2) (divergent N).

Section Program.
Variables (k : numbering) (w : Z).

Definition check_direction_beside (N : noise_ledger) (u : ratio) (p : profile_plan) (q : divergent_plan)
    (e : enclosure) (delta : ratio) : bool :=
  if divergent_table w u.1 (Zpos u.2) (total_of_rhos (of_rho (others N))) (divergent N) q is Some f
  then Z.ltb 0 u.1 && check_tables k w [:: f] (pairs_alone N) u p e delta else false.

(** Each direction has its plans. *)
Definition check_profile_renyi (N : noise_ledger) (u : ratio) (forth : profile_plan * divergent_plan)
    (back : option (profile_plan * divergent_plan)) (epsilon : number) (delta : ratio) : bool :=
  [&& Z.leb 0 w, numbering_ok k, all quotient_ok (table_in_use k) & divergences_ok N] &&
  if number_enclosure k w (logarithms w (table_in_use k)) epsilon is Some e then
    check_direction_beside N u forth.1 forth.2 e delta &&
    if back is Some p then check_direction_beside (turned_ledger N) u p.1 p.2 e delta else undirected N
  else false.
End Program.

(** --- what is known of each mechanism --- *)

Definition known_by_stand (s : stand) : known :=
  match s with ByTable T => KnownTable T | ByNormal mu => KnownMu mu end.
Definition as_known (z : noise * stand) : noise * known := (z.1, known_by_stand z.2).
Definition of_rho_moment (r : ratio) (a : R) : R := (a * (a - 1) * of_ratio r)%R.
Definition of_orders_moment (os : orders) (a : R) : R := log_bound a (Ordered (real_orders os)).
Definition by_divergences (N : noise_ledger) : seq (noise * known) :=
  many (fun r => (OfNotion (Concentrated (of_ratio r)), KnownMoments (of_rho_moment r))) (of_rho (others N)) ++
  many (fun os => (OfOrders (real_orders os), KnownMoments (of_orders_moment os))) (divergent N).

Lemma noises_apart N : Permutation (unzip1 (by_divergences N) ++ noises (pairs_alone N)) (noises N).
Proof.
rewrite /by_divergences {1}/unzip1 map_cat !map_many /noises /pairs_alone /=.
set A := many (fun p : number * ratio => _) _; set B := many (fun s : ratio * BinNums.positive => _) _.
set C := many (fun a : ratio => OfLaplace _) _; set D := many (fun m : ratio => OfNotion (Gaussian _)) _.
set E := many (fun e : ratio => OfRange _) _; set T := many (fun t : table => _) _; set M := many sample_noise _ ++ many bell_noise _ ++ _.
set H := many (fun r : ratio => OfNotion (Concentrated _)) _; set O := many (fun os : orders => _) _.
have -> : A ++ B ++ C ++ D ++ H ++ E ++ O ++ T ++ M = (A ++ B ++ C ++ D) ++ H ++ E ++ O ++ T ++ M by rewrite -!catA.
have -> : A ++ B ++ C ++ D ++ E ++ T ++ M = (A ++ B ++ C ++ D) ++ E ++ T ++ M by rewrite -!catA.
rewrite -catA; set X := A ++ _.
apply: Permutation_trans (Permutation_app_head H (Permutation_app_swap_app O X (E ++ T ++ M))) _.
apply: Permutation_trans (Permutation_app_swap_app H X (O ++ E ++ T ++ M)) _.
apply: Permutation_app_head; apply: Permutation_app_head; exact: Permutation_app_swap_app.
Qed.

Lemma many_In (A B : Type) (f : A -> B) s b : List.In b (many f s) ->
  exists x, [/\ List.In x s, b = f x.1 & forall (C : Type) (g : A -> C), List.In (g x.1) (many g s)].
Proof.
rewrite /many; elim: s => //= x s IH h; case: (List.in_app_or _ _ _ h) => [|/IH[y [yin -> all_of_y]]]; last first.
  by exists y; split=> [|//|C g]; [right|apply: List.in_or_app; right].
move=> {}h; exists x; have [n0 e] : (0 < Z.to_nat x.2)%N /\ b = f x.1.
  by elim: (Z.to_nat x.2) h => //= n IHn [<-|/IHn[]].
split=> [|//|C g]; first by left.
by apply: List.in_or_app; left; case: (Z.to_nat x.2) n0 => //= n _; left.
Qed.

Lemma known_stands orders zs : List.Forall stands zs -> List.Forall (is_known orders) (map as_known zs).
Proof. by elim=> [|[n [T|mu]] {}zs h _ IH] /=; constructor. Qed.

Lemma tables_in_stands s : tables_in (map known_by_stand s) = tables_of s.
Proof. by rewrite /tables_in /tables_of; elim: s => //= -[T|mu] s ->. Qed.
Lemma squares_in_stands s : squares_in (map known_by_stand s) = squares_of s.
Proof. by rewrite /squares_in /squares_of big_map; apply: eq_bigr => -[T|mu]. Qed.
Lemma moments_in_stands s a : moments_in (map known_by_stand s) a = 0.
Proof. by rewrite /moments_in big_map big1 // => -[T|mu]. Qed.

Lemma tables_in_cat s s' : tables_in (s ++ s') = tables_in s ++ tables_in s'.
Proof. exact: pmap_cat. Qed.
Lemma squares_in_cat s s' : squares_in (s ++ s') = squares_in s + squares_in s'.
Proof. exact: big_cat. Qed.
Lemma moments_in_cat s s' a : moments_in (s ++ s') a = moments_in s a + moments_in s' a.
Proof. exact: big_cat. Qed.

Lemma sum_many (A B : Type) (f : A -> B) (F : B -> R) s :
  \sum_(b <- many f s) F b = \sum_(x <- s) F (f x.1) *+ Z.to_nat x.2.
Proof.
rewrite /many big_flatten big_map; apply: eq_bigr => x _.
by rewrite big_nseq; elim: (Z.to_nat x.2) => //= n ->; rewrite mulrS.
Qed.

Lemma no_tables_in (A : Type) (m : A -> R -> R) s : tables_in (many (fun x => KnownMoments (m x)) s) = [::].
Proof.
rewrite /many; elim: s => //= x s IH; rewrite tables_in_cat IH cats0.
by elim: (Z.to_nat x.2).
Qed.

Lemma of_total_rhos rs a : all (fun r : ratio * Z => Z.leb 0 r.1.1 && Z.leb 0 r.2) rs ->
  \sum_(r <- rs) of_rho_moment r.1 a *+ Z.to_nat r.2 = (a * (a - 1) * of_ratio (total_of_rhos rs))%R.
Proof.
elim: rs => [|r rs IH] /=; first by rewrite big_nil of_zero mulr0.
case/andP=> /andP[_ /Z.leb_le r0] /IH{}IH; rewrite big_cons IH of_radd of_rmul [RHS]mulrDr; congr (_ + _).
have -> : of_ratio (r.2, 1%positive) = (Z.to_nat r.2)%:R.
  rewrite /of_ratio /fraction /= divr1 -[in LHS](Z2Nat.id r.2 r0); exact: MixtureSums.IZR_of_nat.
by rewrite /of_rho_moment -[LHS]mulr_natl [LHS]mulrCA.
Qed.

Lemma by_divergences_sums N : divergences_ok N ->
  [/\ tables_in (unzip2 (by_divergences N)) = [::], squares_in (unzip2 (by_divergences N)) = 0 &
      moments_in (unzip2 (by_divergences N)) =1 log_moments (total_of_rhos (of_rho (others N))) (divergent N)].
Proof.
case/andP=> rhos _; rewrite /by_divergences /unzip2 map_cat !map_many; split=> [||a].
- by rewrite tables_in_cat !no_tables_in.
- by rewrite squares_in_cat /squares_in !sum_many !big1 ?addr0 // => x _; rewrite mul0rn.
rewrite moments_in_cat /moments_in !sum_many of_total_rhos // /log_moments /in_orders sum_many.
by [].
Qed.

Lemma by_divergences_known N orders : divergences_ok N -> {in orders, forall a : R, 1 < a} ->
  {in orders, forall a, all (proper_entry a) (in_orders (divergent N))} ->
  List.Forall (is_known orders) (by_divergences N).
Proof.
move=> ok a1 proper; apply/List.Forall_forall => x; have /andP[rhos lists] := ok.
have each (A : Type) (p : pred A) s y : all p s -> List.In y s -> p y by elim: s => //= z s IH /andP[pz /IH h] [<-|].
rewrite /by_divergences => h; case: (List.in_app_or _ _ _ h) => {}h.
  have [r [rin -> _]] := many_In h; have /andP[r0 _] := each _ _ _ _ rhos rin; split=> [a ain|Y P Q [dP dQ [_ _ m]]].
    have := a1 a ain => a1'; have a0 : 0 <= a by apply: le_trans ler01 (ltW a1').
    by apply: mulr_ge0; [apply: mulr_ge0 => //; rewrite subr_ge0 ltW|exact: of_ge0].
  by split=> // a ain; have [m1 m2] := m a (a1 a ain).
have [os [osin -> every]] := many_In h; have /andP[os0 _] := each _ _ _ _ lists osin.
have entry a : a \in orders -> first_order a (real_orders os.1) \in real_orders os.1 /\
    a <= (first_order a (real_orders os.1)).1.
  move=> ain; have some := each _ _ _ _ (proper a ain) (every _ (fun os => Ordered (real_orders os))).
  have : first_order a (real_orders os.1) \in [seq o <- real_orders os.1 | a <= o.1].
    by apply: mem_nth; rewrite size_filter -has_count.
  by rewrite mem_filter => /andP[].
split=> [a ain|Y P Q [dP dQ m]].
  have [inside _] := entry a ain; rewrite /of_orders_moment /log_bound.
  have /allP real0 : all (fun x : R * R => 0 <= x.2) (real_orders os.1).
    by rewrite /real_orders all_map; apply: sub_all os0 => o; exact: of_ge0.
  by rewrite mulr_ge0 ?subr_ge0 ?(ltW (a1 a ain)) // real0.
split=> // a ain; have [] := entry a ain; rewrite /of_orders_moment /log_bound.
case: (first_order a _) => b r /= inside ab; have [m1 m2] := m b r inside.
by split; [exact: moment_of_order (a1 a ain) ab dP dQ m1|exact: moment_of_order (a1 a ain) ab dQ dP m2].
Qed.

(** --- soundness --- *)

Section Sound.
Variables (k : numbering) (w : Z).
Hypotheses (w0 : Z.le 0 w) (k_ok : numbering_ok k) (q_ok : all quotient_ok (table_in_use k)).
Let S := Z.shiftl 1 w.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.

(** What a check shows: tables for those whose pairs are known, for the normal pair, and for the others. *)
Record tables_shown (N : noise_ledger) (epsilon delta : R) (N' := pairs_alone N) : Prop := TablesShown {
  shown : exists orders T Ts (tabs : seq (noise * stand)),
    [/\ List.Forall (is_known orders) (by_divergences N) /\ table_inside T,
       forall (Y : finType) (P Q : Y -> R),
         of_moment orders (log_moments (total_of_rhos (of_rho (others N))) (divergent N)) P Q -> captured T P Q,
       List.Forall stands (normals_of N' ++ tabs) /\ unzip1 tabs = many id (entries_of N'),
       squares_of (unzip2 tabs) = 0 /\
         forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_of (unzip2 (normals_of N')))) y &
       1 - delta <= mean (Ts ++ T :: tables_of (unzip2 tabs)) lesser (exp epsilon)]
}.

(** Of all mechanisms, as they stand in the ledger. *)
Lemma tables_of_all N epsilon delta : divergences_ok N -> tables_shown N epsilon delta ->
  exists orders T Ts xs, let s := unzip2 xs in
  [/\ List.Forall (is_known orders) xs /\ unzip1 xs = noises N, table_inside T,
     forall (Y : finType) (P Q : Y -> R), of_moment orders (moments_in s) P Q -> captured T P Q,
     forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_in s)) y &
     1 - delta <= mean (Ts ++ T :: tables_in s) lesser (exp epsilon)].
Proof.
move=> ok [[orders [T [Ts [tabs [[known T0] cap [all_stand own] [none normal] le]]]]]].
have [no_tables no_squares moments] := by_divergences_sums ok; set N' := pairs_alone N in all_stand own normal.
set xs := by_divergences N ++ map as_known (normals_of N' ++ tabs).
have xs2 : unzip2 xs = unzip2 (by_divergences N) ++ map known_by_stand (unzip2 (normals_of N') ++ unzip2 tabs).
  by rewrite /xs /unzip2 map_cat -[in RHS]map_cat -!map_comp.
have tables : tables_in (unzip2 xs) = tables_of (unzip2 tabs).
  by rewrite xs2 tables_in_cat no_tables tables_in_stands tables_of_cat /normals_of tables_of_normals.
have squares : squares_in (unzip2 xs) = squares_of (unzip2 (normals_of N')).
  by rewrite xs2 squares_in_cat no_squares add0r squares_in_stands squares_of_cat none addr0.
have all_known : List.Forall (is_known orders) xs by apply/List.Forall_app; split=> //; exact: known_stands.
have perm : Permutation (unzip1 xs) (noises N).
  apply: Permutation_trans (noises_apart N).
  have -> : unzip1 xs = unzip1 (by_divergences N) ++ unzip1 (normals_of N') ++ many id (entries_of N').
    by rewrite /unzip1 /xs map_cat -map_comp map_cat -own.
  by apply: Permutation_app_head; exact: noises_entries_of.
have [xs' [e p']] := Permutation_map_inv _ _ (Permutation_sym perm).
have q : Permutation (unzip2 xs) (unzip2 xs') := Permutation_map snd p'.
exists orders, T, Ts, xs'; split=> //.
- by split; [exact: Permutation_Forall p' all_known|rewrite e].
- move=> Y P Q [dP dQ h]; apply: cap; split=> // a /h.
  by rewrite -(moments_in_permutation a q) xs2 moments_in_cat moments_in_stands addr0 moments.
- by move=> y y0; rewrite -(squares_in_permutation q) squares; exact: normal.
by rewrite -(same_half _ _ _ q) tables.
Qed.

Lemma all_of_In (A B : Type) (f : A -> option B) s bs a : all_of f s = Some bs -> List.In a s -> exists b, f a = Some b.
Proof.
elim: s bs => //= x s IH bs; case X: (f x) => [b|] //; case Y: (all_of f s) => [bs'|] // _.
by case=> [<-|/(IH _ Y)//]; exists b.
Qed.

Lemma check_direction_beside_shown N u p q e (delta : ratio) epsilon : divergences_ok N -> enclosed w epsilon e ->
  check_direction_beside k w N u p q e delta -> tables_shown N epsilon (of_ratio delta).
Proof.
move=> ok V; rewrite /check_direction_beside; case D: (divergent_table _ _ _ _ _ _) => [f|] // /andP[/Z.ltb_lt n0 C].
have d0 := Pos2Z.is_pos u.2; have counts : all (fun l : orders * Z => Z.leb 0 l.2) (divergent N).
  by case/andP: ok => _; apply: sub_all => l /andP[].
have [f_above cap] := divergent_table_captured w0 counts d0 (Z.lt_le_incl _ _ n0) D.
set orders := [seq order_of o | o <- of_orders q] in cap.
have starts o : List.In o (of_orders q) -> 1 < order_of o /\ all (proper_entry (order_of o)) (in_orders (divergent N)).
  move: D; rewrite /divergent_table; case Z: (all_of _ _) => [starts|] // _ /(all_of_In Z)[b].
  by case L: (line_start _ _ _ _) => [c|] // _; have [_ a1 proper _] := line_startP w0 counts L.
have of_order a : a \in orders -> exists2 o, List.In o (of_orders q) & a = order_of o.
  rewrite /orders; elim: (of_orders q) => //= o os IH; rewrite inE => /predU1P[->|/IH[o' h ->]].
    by exists o => //; left.
  by exists o' => //; right.
have known : List.Forall (is_known orders) (by_divergences N).
  by apply: by_divergences_known => // a /of_order[o /starts[] a1 proper ->].
have first0 : all (fun f : on_mesh => all_above_0 f.2) [:: f] by rewrite /= f_above.
have [Ts [zs [h own none normal le]]] := check_tables_shown w0 k_ok q_ok first0 V C.
set v := (IZR u.1 / IZR (Zpos u.2))%R in le; split; exists orders, (real_mesh S v f), Ts, zs; split=> //.
  by split=> //; exact: real_mesh_inside.
by rewrite -(mean_permutation _ _ (Permutation_middle _ _ _)).
Qed.
End Sound.

(** One after the other, in whatever order; and in an order which depends on the answers. *)
Lemma shown_half N epsilon delta : divergences_ok N -> tables_shown N epsilon delta ->
  forall ns, Permutation (noises N) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> ok /(tables_of_all ok)[orders [T [Ts [xs [[known own] T0 cap normal le]]]]] ns p.
by apply: (divergent_half known normal T0 cap le); rewrite own.
Qed.

Lemma shown_half_any_order N epsilon delta : divergences_ok N -> tables_shown N epsilon delta -> all_proper (noises N) ->
  forall (Y : finType) (P Q : Y -> R), interleaved of_noise (nth silent (noises N)) (iota 0 (size (noises N))) P Q ->
  hockey_stick 1 (exp epsilon) P Q <= delta.
Proof.
move=> ok /(tables_of_all ok)[orders [T [Ts [xs [[known own] T0 cap normal le]]]]] proper Y P Q A.
have E0 := ltW (exp_gt0 epsilon); have okT : RulesProfiles.table_ok T.
  have one := unit_of_moment (moments_in_ge0 known); apply: inside_ok T0 _ (cap _ _ _ one); by case: one.
pose k c := nth (KnownMu 0) (unzip2 xs) c.
have same : map k (iota 0 (size (noises N))) = unzip2 xs.
  by rewrite -own size_map -[RHS](mkseq_nth (KnownMu 0)) size_map.
have at_c : {in iota 0 (size (noises N)), forall c, known_at orders (nth silent (noises N)) k c}.
  move=> c; rewrite mem_iota add0n => /andP[_ lt]; split; last exact: proper.
  move: lt; rewrite -own size_map /k; elim: xs c known {own cap normal le A proper same k} => //= -[n0 k0] xs IH [|c] h lt; inversion h => //.
  exact: IH.
have up := below_above okT cap; rewrite -same in up.
apply: le_trans (interleaved_beside_divergent at_c A up ler01 E0) _; rewrite same.
exact: (revealed_half okT (tables_in_above_0 known) normal le).
Qed.

Section Both.
Variables (k : numbering) (w : Z) (N : noise_ledger) (u : ratio).
Variables (forth : profile_plan * divergent_plan) (back : option (profile_plan * divergent_plan)) (epsilon : number) (delta : ratio).
Hypothesis checked : check_profile_renyi k w N u forth back epsilon delta.

Lemma check_profile_renyi_shown : divergences_ok N /\ tables_shown N (value_of epsilon) (of_ratio delta) /\
  tables_shown (turned_ledger N) (value_of epsilon) (of_ratio delta).
Proof.
move: checked; rewrite /check_profile_renyi => /andP[/and4P[/Z.leb_le w0 k_ok q_ok ok]].
case X: (number_enclosure _ _ _ _) => [e|] // /andP[one other]; have V := number_enclosureP w0 k_ok q_ok X.
have there := check_direction_beside_shown w0 k_ok q_ok ok V one; split=> //; split=> //.
case: back other => [plan c|/undirected_turned ->] //.
exact: (check_direction_beside_shown w0 k_ok q_ok (N := turned_ledger N) ok V c).
Qed.

Theorem check_profile_renyi_sound : noisy_upper (noises N) (value_of epsilon) (of_ratio delta).
Proof.
have [ok [one other]] := check_profile_renyi_shown => ns p Y P Q C; split; apply/events_hockey_stick.
  exact: (shown_half ok one p C).
apply: (shown_half (N := turned_ledger N) ok other _ (noisy_turned C)).
by rewrite -noises_turned; exact: Permutation_map.
Qed.

Theorem check_profile_renyi_any_order : all_proper (noises N) ->
  noisy_in_any_order (noises N) (value_of epsilon) (of_ratio delta).
Proof.
have [ok [one other]] := check_profile_renyi_shown => proper Y P Q C; split; apply/events_hockey_stick.
  exact: (shown_half_any_order ok one proper C).
have proper' := all_proper_turned proper; have C' := interleaved_turned C.
rewrite noises_turned in proper' C'; move: C'; rewrite -(size_map turned_noise) noises_turned.
exact: (shown_half_any_order (N := turned_ledger N) ok other proper').
Qed.
End Both.
