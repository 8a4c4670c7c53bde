(** The rule `mesh-upper` about a ledger of mechanisms given by their noise, as it is read from a
    certificate, in the direction of the pairs and, where it says which of the laws has a record, in the
    other.  All Gaussian mechanisms together are one normal pair; each other entry has what stands for it
    (CertificateSources.v). *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Losses Notions RulesGaussian NoiseLedgers Ratios Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed CheckerGroups CheckerNoise.
From ExactDP Require Import Tables OverlapTables MeshTables CheckerListedPairs CheckerProfiles TablesBesideNormal.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise CertificateCurves CertificateSources Workloads OrderOfNoise OrderOfProfiles.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Where each pair is looked at: the normal pair if there is one, then each entry as in [entries_of]; and the levels. *)
Record profile_plan := ProfilePlan {
  looked_at : seq window;
  kept_within : seq level
}.

(** --- the check --- *)

Section Program.
Variables (k : numbering) (w : Z).

Definition part := (source * Z)%type.
Definition counted (A : Type) (f : A -> option source) (x : A * Z) : option part :=
  if f x.1 is Some l then Some (l, x.2) else None.

(** What is known of batches from above is a Gaussian mechanism. *)
Definition unknown_source (b : batches) : option source := None.

Definition parts_of (N : noise_ledger) : option (seq part) :=
  let M := others N in let logs := logarithms w (table_in_use k) in
  if (read_all (counted (response_source k w logs)) (of_epsilon M), read_all (counted (shift_source w)) (shifted N),
      read_all (counted (laplace_source w)) (laplaced N), read_all (counted (silent_source w)) (of_rho M),
      read_all (counted (range_source w)) (ranged N), read_all (counted (table_source w)) (tabled N),
      read_all (counted (sample_source w)) (samples N), read_all (counted (bell_source w)) (bells N),
      read_all (counted unknown_source) (batched N))
  is (Some es, Some ss, Some ls, Some os, Some rs, Some ts, Some ps, Some bs, Some [::])
  then Some (es ++ ss ++ ls ++ os ++ rs ++ ts ++ ps ++ bs)
  else None.

(** The sum of all mu^2. *)
Definition total_of_squares (ms : seq (ratio * Z)) : ratio :=
  foldr (fun m s => radd (rmul (m.2, 1%positive) (rmul m.1 m.1)) s) Ratios.zero ms.
Definition normal_parts (N : noise_ledger) : option (seq part) :=
  let ms := of_mu (others N) in let s := total_of_squares ms in
  if all (fun m => Z.leb 0 m.1.1 && Z.leb 0 m.2) ms then
    if Z.ltb 0 s.1 then option_map (fun s' => [:: (s', 1%coqZ)]) (normal_source w s.1 (Zpos s.2)) else Some [::]
  else None.

Fixpoint placed_all (n d : Z) (windows : seq window) (parts : seq part) : option (seq on_mesh) :=
  match windows, parts with
  | [::], [::] => Some [::]
  | x :: windows', p :: parts' =>
      if (place w n d x p.1, placed_all n d windows' parts') is (Some f, Some fs)
      then Some (f :: fs) else None
  | _, _ => None
  end.

(** One direction, with the unit u; there may be tables already, each of which is taken once. *)
Definition check_tables (first : seq on_mesh) (N : noise_ledger) (u : ratio) (p : profile_plan) (e : enclosure)
    (delta : ratio) : bool :=
  if (normal_parts N, parts_of N) is (Some normal, Some parts) then
    let all_parts := normal ++ parts in
    let counts := nseq (size first) 1%coqZ ++ [seq x.2 | x <- all_parts] in
    let n := u.1 in let d := Zpos u.2 in
    if placed_all n d (looked_at p) all_parts is Some fs then
      [&& Z.ltb 0 n, all (Z.leb 0) counts &
       all (fun c => Z.eqb (Z.shiftr c (Z.of_nat (size (kept_within p)) + 1)) 0) counts] &&
      if evaluated w (kept_within p) n d (certain (Z.shiftl 1 w)) (first ++ fs) counts is Some (m, t)
      then Z.ltb 0 m && within_delta w e m d t delta.1 (Zpos delta.2) else false
    else false
  else false.
Definition check_direction := check_tables [::].

Definition turned_table (t : table) : table := [seq (x.2, x.1) | x <- t].
Definition turned_sample (s : sample) : sample := Sample (other_side (has_record s)) (rate s) (turned_base (has_record s) (base s)).
Definition turned_batches (b : batches) : batches := Batches (other_side (moves_between b)) (sum_variance b) (batches_in_all b).
Definition turned_ledger (N : noise_ledger) : noise_ledger :=
  NoiseLedger (others N) (shifted N) (laplaced N) (ranged N) (divergent N)
    [seq (turned_table x.1, x.2) | x <- tabled N] [seq (turned_sample x.1, x.2) | x <- samples N] (bells N)
    [seq (turned_batches x.1, x.2) | x <- batched N].

(** Nothing says which of the laws has a record. *)
Definition is_either (x : sample * Z) : bool :=
  if has_record x.1 is WithEither then if base x.1 is BaseLines h then (if back h is None then true else false) else true else false.
Definition undirected (N : noise_ledger) : bool := [&& none_of (tabled N), none_of (batched N) & all is_either (samples N)].

(** A second plan is for the other direction, where it says something else. *)
Definition check_profile_dots (N : noise_ledger) (u : ratio) (forth : profile_plan) (back : option profile_plan)
    (epsilon : number) (delta : ratio) : bool :=
  [&& Z.leb 0 w, numbering_ok k, all quotient_ok (table_in_use k) & none_of (divergent N)] &&
  if number_enclosure k w (logarithms w (table_in_use k)) epsilon is Some e then
    check_direction N u forth e delta &&
    if back is Some p then check_direction (turned_ledger N) u p e delta else undirected N
  else false.
End Program.

(** --- soundness --- *)

(** The mechanisms that are not Gaussian, each with how many there are. *)
Definition entries_of (N : noise_ledger) : seq (noise * Z) :=
  [seq (OfNotion (Approximate (value_of x.1.1) (of_ratio x.1.2)), x.2) | x <- of_epsilon (others N)] ++
  [seq (OfShift (of_ratio x.1.1) (Pos.to_nat x.1.2), x.2) | x <- shifted N] ++
  [seq (OfLaplace (of_ratio x.1), x.2) | x <- laplaced N] ++
  [seq (OfNotion (Concentrated (of_ratio x.1)), x.2) | x <- of_rho (others N)] ++
  [seq (OfRange (of_ratio x.1), x.2) | x <- ranged N] ++
  [seq (OfTable (real_table x.1), x.2) | x <- tabled N] ++
  [seq (sample_noise x.1, x.2) | x <- samples N] ++
  [seq (bell_noise x.1, x.2) | x <- bells N] ++
  [seq (batches_noise x.1, x.2) | x <- batched N].
Definition normals_of (N : noise_ledger) : seq (noise * stand) :=
  many (fun m => (OfNotion (Gaussian (of_ratio m)), ByNormal (of_ratio m))) (of_mu (others N)).

Lemma noises_entries_of N : none_of (divergent N) -> Permutation (unzip1 (normals_of N) ++ many id (entries_of N)) (noises N).
Proof.
move/none_ofP=> none; pose E := many (fun p => OfNotion (Approximate (value_of p.1) (of_ratio p.2))) (of_epsilon (others N)) ++
    many (fun s => OfShift (of_ratio s.1) (Pos.to_nat s.2)) (shifted N) ++ many (fun a => OfLaplace (of_ratio a)) (laplaced N).
pose rest := many (fun r => OfNotion (Concentrated (of_ratio r))) (of_rho (others N)) ++
  many (fun e => OfRange (of_ratio e)) (ranged N) ++ many (fun t => OfTable (real_table t)) (tabled N) ++
  many sample_noise (samples N) ++ many bell_noise (bells N) ++ many batches_noise (batched N).
suff [-> ->] : many id (entries_of N) = E ++ rest /\ noises N = E ++ unzip1 (normals_of N) ++ rest.
  exact: Permutation_app_swap_app.
rewrite /noises none /normals_of /unzip1 map_many /entries_of /E /rest !many_cat -!catA; split=> //.
have e (A : Type) (f : A -> noise) s : many id [seq (f x.1, x.2) | x <- s] = many f s by rewrite /many -!map_comp.
rewrite (e _ (fun p => OfNotion (Approximate (value_of p.1) (of_ratio p.2)))) (e _ (fun r => OfNotion (Concentrated (of_ratio r)))).
rewrite (e _ (fun s => OfShift (of_ratio s.1) (Pos.to_nat s.2))) (e _ (fun a => OfLaplace (of_ratio a))).
by rewrite (e _ (fun r => OfRange (of_ratio r))) (e _ (fun t => OfTable (real_table t))) (e _ sample_noise) (e _ bell_noise) (e _ batches_noise).
Qed.

Section Sound.
Variables (k : numbering) (w : Z).
Hypotheses (w0 : Z.le 0 w) (k_ok : numbering_ok k) (q_ok : all quotient_ok (table_in_use k)).
Let S := Z.shiftl 1 w.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.

Definition stands_for (x : noise * Z) (p : part) : Prop := x.2 = p.2 /\ placed_below w x.1 p.1.

Lemma counted_all (A : Type) (f : A -> option source) (g : A -> noise) s ps :
  (forall a l, f a = Some l -> placed_below w (g a) l) ->
  read_all (counted f) s = Some ps -> List.Forall2 stands_for [seq (g x.1, x.2) | x <- s] ps.
Proof.
move=> h; elim: s ps => [|x s IH] ps; first by move=> [<-]; constructor.
move=> R; have [p [ps' [X /IH {}IH ->]]] := read_all_cons R; constructor=> //.
move: X; rewrite /counted; case F: (f x.1) => [l|] // [<-]; split=> //; exact: h F.
Qed.

Lemma parts_ofP N ps : parts_of k w N = Some ps -> List.Forall2 stands_for (entries_of N) ps.
Proof.
rewrite /parts_of; case E: (read_all _ (of_epsilon _)) => [es|] //; case H: (read_all _ (shifted N)) => [ss|] //.
case L: (read_all _ (laplaced N)) => [ls|] //; case O: (read_all _ (of_rho _)) => [os|] //.
case G: (read_all _ (ranged N)) => [rs|] //; case T: (read_all _ (tabled N)) => [ts|] //.
case M: (read_all _ (samples N)) => [ms|] //; case B: (read_all _ (bells N)) => [bs|] //; case U: (read_all _ (batched N)) => [[|? ?]|] // [<-].
apply: List.Forall2_app; first exact: (counted_all (response_sourceP w0 k_ok q_ok) E).
apply: List.Forall2_app; first exact: (counted_all (shift_sourceP w0) H).
apply: List.Forall2_app; first exact: (counted_all (laplace_sourceP w0) L).
apply: List.Forall2_app; first exact: (counted_all (silent_sourceP w0) O).
apply: List.Forall2_app; first exact: (counted_all (range_sourceP w0) G).
apply: List.Forall2_app; first exact: (counted_all (table_sourceP w0) T).
apply: List.Forall2_app; first exact: (counted_all (sample_sourceP w0 k_ok q_ok) M).
rewrite -[bs]cats0; apply: List.Forall2_app; first exact: (counted_all (bell_sourceP w0) B).
by apply: (counted_all _ U) => b l.
Qed.

Lemma real_mesh_inside u t : all_above_0 t.2 -> table_inside (real_mesh S u t).
Proof.
rewrite /real_mesh; case: t => j ws /=; elim: ws j => //= v ws IH j /andP[/Z.leb_le v0 /IH ->].
by rewrite andbT decay_gt0 andbT divr_ge0 // IZR_ge0 //; exact: Z.lt_le_incl.
Qed.

Definition table_at (u : R) (x : noise * on_mesh) : noise * stand := (x.1, ByTable (real_mesh S u x.2)).
Definition by_table (z : noise * seq (R * R)) : noise * stand := (z.1, ByTable z.2).

Lemma tables_of_cat s s' : tables_of (s ++ s') = tables_of s ++ tables_of s'.
Proof. exact: pmap_cat. Qed.

Lemma placed_allP n d windows xs ps fs : Z.lt 0 d -> List.Forall2 stands_for xs ps ->
  placed_all w n d windows ps = Some fs ->
  let u := (IZR n / IZR d)%R in let zs := many (table_at u) (zip (zip (unzip1 xs) fs) (unzip2 xs)) in
  [/\ List.Forall stands zs, unzip1 zs = many id xs, tables_of (unzip2 zs) = copies (map (real_mesh S u) fs) (unzip2 ps) &
      all (fun f => all_above_0 f.2) fs].
Proof.
move=> d0 h; elim: h windows fs => {xs ps} [|x p xs ps [e L] _ IH] [|win windows] fs //=.
  by move=> [<-]; split=> //; constructor.
case X: (place _ _ _ _ _) => [f|] //; case Y: (placed_all _ _ _ _ _) => [fs'|] // [<-].
set u := (IZR n / IZR d)%R; have [h1 h2 h3 h4] := IH _ _ Y; rewrite -/u in h1 h2 h3.
have [above cap] := L _ _ _ _ d0 X; have inside := real_mesh_inside u above.
have one : stands (x.1, ByTable (real_mesh S u f)) by split=> // Y' P Q; exact: cap.
rewrite /many /= -/(many _ _); split; last by rewrite above.
- apply/List.Forall_app; split=> //; elim: (Z.to_nat x.2) => [|m IHm] /=; by constructor.
- by rewrite /unzip1 map_cat map_nseq -/(unzip1 _) h2.
rewrite {1}/unzip2 map_cat -/(unzip2 (many _ _)) tables_of_cat h3 /copies /= e; congr (_ ++ _).
by rewrite map_nseq; elim: (Z.to_nat p.2) => //= m <-.
Qed.

Lemma squares_of_normals ms : all (fun m : ratio * Z => Z.leb 0 m.1.1 && Z.leb 0 m.2) ms ->
  squares_of (unzip2 (many (fun m => (OfNotion (Gaussian (of_ratio m)), ByNormal (of_ratio m))) ms)) =
  of_ratio (total_of_squares ms).
Proof.
rewrite /squares_of; elim: ms => [|m ms IH] /=; first by rewrite big_nil /total_of_squares /= of_zero.
case/andP=> /andP[_ /Z.leb_le m0] /IH{}IH; rewrite /many /= -/(many _ _) /unzip2 map_cat big_cat /= IH.
rewrite of_radd of_rmul of_rmul; congr (_ + _).
have -> : of_ratio (m.2, 1%positive) = (Z.to_nat m.2)%:R.
  rewrite /of_ratio /fraction /= divr1 -[in LHS](Z2Nat.id m.2 m0); exact: MixtureSums.IZR_of_nat.
elim: (Z.to_nat m.2) => [|n IHn]; first by rewrite /= big_nil mul0r.
by rewrite /= big_cons IHn mulrS mulrDl mul1r expr2.
Qed.

Lemma stands_of_normals ms : all (fun m : ratio * Z => Z.leb 0 m.1.1 && Z.leb 0 m.2) ms ->
  List.Forall stands (many (fun m => (OfNotion (Gaussian (of_ratio m)), ByNormal (of_ratio m))) ms).
Proof.
elim: ms => [|m ms IH] /=; first by constructor.
case/andP=> /andP[m0 _] /IH{}IH; apply/List.Forall_app; split=> //.
by elim: (Z.to_nat m.2) => [|n IHn] /=; constructor=> //; split=> //; exact: of_ge0.
Qed.

Lemma tables_of_normals ms :
  tables_of (unzip2 (many (fun m : ratio => (OfNotion (Gaussian (of_ratio m)), ByNormal (of_ratio m))) ms)) = [::].
Proof.
rewrite /many; elim: ms => //= m ms IH; rewrite /unzip2 map_cat -/(unzip2 (flatten _)) tables_of_cat IH cats0.
by rewrite map_nseq; elim: (Z.to_nat m.2).
Qed.

Lemma meshes_above_0 u fs : all (fun f => all_above_0 f.2) fs -> all (@table_above_0 _) (map (real_mesh S u) fs).
Proof. by rewrite all_map; apply: sub_all => f /(real_mesh_inside u)/table_inside_above_0. Qed.

Lemma evaluated_mean levels u fs counts m t e (delta : ratio) epsilon : enclosed w epsilon e -> Z.lt 0 u.1 ->
  all (fun f => all_above_0 f.2) fs ->
  all_above_0 counts -> all (fun c => Z.eqb (Z.shiftr c (Z.of_nat (size levels) + 1)) 0) counts ->
  evaluated w levels u.1 (Zpos u.2) (certain S) fs counts = Some (m, t) -> Z.lt 0 m ->
  within_delta w e m (Zpos u.2) t delta.1 (Zpos delta.2) ->
  1 - of_ratio delta <= mean (copies (map (real_mesh S (IZR u.1 / IZR (Zpos u.2))%R) fs) counts) lesser (exp epsilon).
Proof.
move=> V n0 fs0 c0 few E m0 enough; have d0 := Pos2Z.is_pos u.2; set v := (IZR u.1 / IZR (Zpos u.2))%R.
have start : below S v (certain S) (copies (map (real_mesh S v) fs) [seq Z.shiftr c (Z.of_nat (size levels) + 1) | c <- counts]).
  by apply: below_certain; rewrite // all_map.
have b : List.Forall2 (fun f T => below S v f [:: T]) fs (map (real_mesh S v) fs).
  by elim: (fs) fs0 => //= f gs IH /andP[f0 /IH]; constructor=> //; split=> // y _.
exact: (within_deltaP w0 d0 m0 V enough (evaluatedP w0 d0 (Z.lt_le_incl _ _ n0) c0 b (meshes_above_0 v fs0) start E)).
Qed.

Lemma squares_of_cat s s' : squares_of (s ++ s') = squares_of s + squares_of s'.
Proof. exact: big_cat. Qed.

Lemma squares_of_tables u (s : seq ((noise * on_mesh) * Z)) : squares_of (unzip2 (many (table_at u) s)) = 0.
Proof.
rewrite /many; elim: s => [|x s IH] /=; first exact: big_nil.
rewrite /unzip2 map_cat -/(unzip2 (flatten _)) squares_of_cat IH addr0 map_nseq /squares_of.
by elim: (Z.to_nat x.2) => [|n IHn] /=; rewrite ?big_nil // big_cons IHn addr0.
Qed.

(** The normal pair comes first. *)
Lemma normal_placed N n d windows normal ps fs (u := (IZR n / IZR d)%R) : Z.lt 0 d -> normal_parts w N = Some normal ->
  placed_all w n d windows (normal ++ ps) = Some fs -> exists gs windows' fs',
  [/\ List.Forall stands (normals_of N) /\ placed_all w n d windows' ps = Some fs', fs = gs ++ fs',
      unzip2 normal = nseq (size gs) 1%coqZ, all (fun f => all_above_0 f.2) gs & forall y : R, 0 <= y ->
      mean (map (real_mesh S u) gs) lesser y <= normal_overlap (sqrt (squares_of (unzip2 (normals_of N)))) y].
Proof.
move=> d0; rewrite /normal_parts; case: ifP => // ms0; have squares := squares_of_normals ms0.
have normals : List.Forall stands (normals_of N) := stands_of_normals ms0.
case: Z.ltb_spec => tot; last first.
  move=> [<-] Y; exists [::], windows, fs; split=> // y y0.
  rewrite /normals_of; have -> : squares_of (unzip2 (normals_of N)) = 0; last by rewrite sqrt_0 normal_overlap_0.
  apply/le_anti; rewrite squares_of_ge0 andbT /normals_of squares /of_ratio /fraction.
  by rewrite pmulr_lle0 ?invr_gt0 ?(IZR_lt_iff Z0) // (IZR_le_iff _ Z0); exact/Z.leb_le.
case N1: (normal_source _ _ _) => [s|] // [<-]; case: windows => [|win windows] //=.
case F: (place _ _ _ _ _) => [f|] //; case Y: (placed_all _ _ _ _ _) => [fs'|] // [<-].
have [f0 cap] := normal_sourceP w0 d0 tot (Pos2Z.is_pos _) N1 F.
by exists [:: f], windows, fs'; split=> //; [rewrite /= f0|rewrite /normals_of squares].
Qed.

Lemma copies_once (gs : seq (seq (R * R))) Ts cs : copies (gs ++ Ts) (nseq (size gs) 1%coqZ ++ cs) = gs ++ copies Ts cs.
Proof. by elim: gs => //= g gs IH; rewrite -[in RHS]IH. Qed.

(** What stands for the mechanisms: Gaussian ones by mu, with tables for their pair. *)
Lemma check_tables_shown first N u p e (delta : ratio) epsilon : all (fun f => all_above_0 f.2) first ->
  enclosed w epsilon e -> check_tables k w first N u p e delta ->
  exists Ts (zs : seq (noise * stand)), [/\ List.Forall stands (normals_of N ++ zs), unzip1 zs = many id (entries_of N),
    squares_of (unzip2 zs) = 0,
    forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_of (unzip2 (normals_of N)))) y &
    1 - of_ratio delta <=
    mean (map (real_mesh S (IZR u.1 / IZR (Zpos u.2))%R) first ++ Ts ++ tables_of (unzip2 zs)) lesser (exp epsilon)].
Proof.
move=> first0 V; rewrite /check_tables -/S; case R: (normal_parts _ _) => [normal|] //.
case X: (parts_of _ _ _) => [ps|] //; case Y: (placed_all _ _ _ _ _) => [fs|] //.
case/andP=> /and3P[/Z.ltb_lt n0 c0 few]; case E: (evaluated _ _ _ _ _ _ _) => [[m t]|] // /andP[/Z.ltb_lt m0 enough].
have d0 := Pos2Z.is_pos u.2; set v := (IZR u.1 / IZR (Zpos u.2))%R.
have [gs [windows [fs' [[normals Y'] e1 e2 gs0 cap]]]] := normal_placed d0 R Y.
have [h1 h2 h3 h4] := placed_allP d0 (parts_ofP X) Y'; exists (map (real_mesh S v) gs), (many (table_at v) (zip (zip (unzip1 (entries_of N)) fs') (unzip2 (entries_of N)))).
split=> //; [by apply/List.Forall_app|exact: squares_of_tables|].
have fs0 : all (fun f => all_above_0 f.2) (first ++ fs) by rewrite all_cat first0 e1 all_cat gs0.
have := evaluated_mean V n0 fs0 c0 few E m0 enough.
rewrite e1 -/v h3 [map snd _]map_cat [map snd normal]e2 !map_cat.
by rewrite -(size_map (real_mesh S v) first) copies_once -(size_map (real_mesh S v) gs) copies_once.
Qed.

Section Direction.
Variables (N : noise_ledger) (u : ratio) (p : profile_plan) (e : enclosure) (delta : ratio) (epsilon : R).
Hypotheses (listed : none_of (divergent N)) (V : enclosed w epsilon e) (checked : check_direction k w N u p e delta).

Lemma check_direction_shown : exists xs Ts, [/\ List.Forall stands xs, Permutation (unzip1 xs) (noises N),
  forall y : R, 0 <= y -> mean Ts lesser y <= normal_overlap (sqrt (squares_of (unzip2 xs))) y &
  1 - of_ratio delta <= mean (Ts ++ tables_of (unzip2 xs)) lesser (exp epsilon)].
Proof.
have [Ts [zs [h own none normal le]]] := check_tables_shown (first := [::]) isT V checked.
have cat2 : unzip2 (normals_of N ++ zs) = unzip2 (normals_of N) ++ unzip2 zs := map_cat _ _ _.
exists (normals_of N ++ zs), Ts; split=> //.
- by rewrite /unzip1 map_cat -/(unzip1 zs) own; exact: noises_entries_of.
- by rewrite cat2 squares_of_cat none addr0.
by rewrite cat2 tables_of_cat /normals_of tables_of_normals.
Qed.

Lemma check_directionP ns : Permutation (noises N) ns -> forall (Y : finType) (P Q : Y -> R),
  noisy_composition ns P Q -> hockey_stick 1 (exp epsilon) P Q <= of_ratio delta.
Proof.
have [xs [Ts [h perm normal le]]] := check_direction_shown => p'.
exact: noisy_half_beside h normal le ns (Permutation_trans perm p').
Qed.

(** In any order, some of them left out. *)
Lemma check_direction_any_order : all_proper (noises N) -> forall (Y : finType) (P Q : Y -> R),
  interleaved of_noise (nth silent (noises N)) (iota 0 (size (noises N))) P Q ->
  hockey_stick 1 (exp epsilon) P Q <= of_ratio delta.
Proof. by have [xs [Ts [h perm normal le]]] := check_direction_shown; exact: any_order_half h normal le perm. Qed.
End Direction.
End Sound.

Lemma noises_turned N : map turned_noise (noises N) = noises (turned_ledger N).
Proof.
rewrite /noises /turned_ledger /= !map_cat !map_many; do 7 (congr (_ ++ _)).
congr (_ ++ _).
  rewrite (many_map _ turned_table); apply: eq_many => t /=; congr OfTable.
  by rewrite /turned /real_table /turned_table -!map_comp.
congr (_ ++ _).
  by rewrite (many_map _ turned_sample); apply: eq_many => -[s q c]; rewrite /sample_noise /= turned_curve_of.
by congr (_ ++ _); rewrite (many_map _ turned_batches); apply: eq_many => -[s v n].
Qed.

Lemma undirected_turned N : undirected N -> turned_ledger N = N.
Proof.
case: N => o s l r d t ps bs us /and3P[/none_ofP /= -> /none_ofP /= -> h]; rewrite /turned_ledger /=.
congr (NoiseLedger _ _ _ _ _ _ _ _ _).
elim: ps h => //= -[[[] q c] n] ps IH //= /andP[own /IH ->]; congr (_ :: _).
by case: c own => //= -[v parts f [b|]].
Qed.

Section Both.
Variables (k : numbering) (w : Z) (N : noise_ledger) (u : ratio) (forth : profile_plan) (back : option profile_plan).
Variables (epsilon : number) (delta : ratio).
Hypothesis checked : check_profile_dots k w N u forth back epsilon delta.

Lemma check_profile_dots_shown : exists e p, [/\ [/\ Z.le 0 w, numbering_ok k & all quotient_ok (table_in_use k)],
  none_of (divergent N), enclosed w (value_of epsilon) e, check_direction k w N u forth e delta &
  check_direction k w (turned_ledger N) u p e delta].
Proof.
move: checked; rewrite /check_profile_dots => /andP[/and4P[/Z.leb_le w0 k_ok q_ok listed]].
case X: (number_enclosure _ _ _ _) => [e|] // /andP[one other]; exists e, (if back is Some p then p else forth).
have V := number_enclosureP w0 k_ok q_ok X; split=> //.
by case: back other => // /undirected_turned ->.
Qed.

Theorem check_profile_dots_sound : noisy_upper (noises N) (value_of epsilon) (of_ratio delta).
Proof.
have [e [p [[w0 k_ok q_ok] listed V one other]]] := check_profile_dots_shown.
move=> ns perm Y P Q C; split; apply/events_hockey_stick.
  exact: (check_directionP w0 k_ok q_ok listed V one perm C).
apply: (check_directionP w0 k_ok q_ok _ V other _ (noisy_turned C)); first by [].
by rewrite -noises_turned; exact: Permutation_map.
Qed.

Theorem check_profile_dots_any_order : all_proper (noises N) ->
  noisy_in_any_order (noises N) (value_of epsilon) (of_ratio delta).
Proof.
have [e [p [[w0 k_ok q_ok] listed V one other]]] := check_profile_dots_shown => proper Y P Q C.
split; apply/events_hockey_stick; first exact: (check_direction_any_order w0 k_ok q_ok listed V one proper C).
have proper' := all_proper_turned proper; have C' := interleaved_turned C.
rewrite noises_turned in proper' C'; move: C'; rewrite -(size_map turned_noise) noises_turned.
exact: (check_direction_any_order w0 k_ok q_ok _ V other proper').
Qed.
End Both.
