(** Ledgers with mechanisms that are given by more than their noise (SPEC, 7.1 and 7.7), read from JSON; what
    they denote; and the noise that stands in for them: a root is rounded up for a bound from above, down for
    one from below. *)
From Coq Require Import Ascii String Reals ZArith Lia Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions RulesGaussian NoiseLedgers KnownBatch LineCurves CheckerLines DrawnBatches PrivateSelection CorrelatedNoise Ratios CheckerClosed CheckerGroups.
From ExactDP Require Import CheckerNoise CheckerSensitivity CertificateJson CertificateNumbers CertificateStatements CertificateNoise CertificateConstraints CertificateReports.
From ExactDP Require Import CheckerPersons.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** Entries that CertificateNoise.v reads; Gaussian mechanisms by mu^2, with a rate or without one; and
    correlated noise: a matrix, the rounds, the norm of what is contributed and the deviation of the noise;
    batches of shuffled records, each epoch in an order of its own; batches of a fixed size, with all records;
    sampled sums of which a record is replaced, by the variance of the noise, the clip and the rate; private
    selection: eta and gamma, the epsilon of what is run and how often a run has it; sampled sums of which a
    person has several records, by mu^2, the rate and how many; and shuffled reports. *)
Inductive family :=
| OtherEntry of noise_ledger
| BySquare of ratio & option ratio & Z
| OnMatrix of whole_matrix & participation & ratio & ratio & Z
| InFreshOrder of sides & ratio & epochs & Z
| OfFixedSize of sides & ratio & BinNums.positive & BinNums.positive & Z
| OfClippedSum of ratio & ratio & ratio & Z
| BestOfRuns of ratio & ratio & number & Z & Z
| OfPerson of ratio & ratio & BinNums.positive & Z
| OfReports of BinNums.positive & local_odds & option BinNums.positive & Z.   (* of how many values *)

Definition mechanisms_by (x : family) : seq mechanism :=
  match x with
  | OtherEntry N => map ByNoise (noises N)
  | BySquare v None n => nseq (Z.to_nat n) (ByNoise (OfNotion (Gaussian (Num.sqrt (of_ratio v)))))
  | BySquare v (Some q) n =>
      nseq (Z.to_nat n) (ByNoise (OfSample WithRecord (of_ratio q) (NormalCurve (Num.sqrt (of_ratio v)))))
  | OnMatrix C p reach s n =>
      nseq (Z.to_nat n) (Correlated (real_matrix C) p (of_ratio reach) (of_ratio s ^+ 2))
  | InFreshOrder sides s e n => nseq (Z.to_nat (n * Zpos (epochs_in_all e)))
      (ByNoise (OfShuffled sides (of_ratio s ^+ 2) (Pos.to_nat (batches_each e))))
  | OfFixedSize sides s m all n =>
      nseq (Z.to_nat n) (DrawnBatch sides (of_ratio s) (Pos.to_nat m) (Pos.to_nat all))
  | OfClippedSum v c q n => nseq (Z.to_nat n) (ReplacedInSum (Num.sqrt (of_ratio v)) (of_ratio c) (of_ratio q))
  | BestOfRuns eta gamma e k n =>
      nseq (Z.to_nat n) (Selected (of_ratio eta) (of_ratio gamma) (value_of e) (Z.to_nat k))
  | OfPerson v q most n => nseq (Z.to_nat n) (PersonSampled (Num.sqrt (of_ratio v)) (of_ratio q) (Pos.to_nat most))
  | OfReports m o None n => nseq (Z.to_nat n) (Reported (real_odds o) (Pos.to_nat m))
  | OfReports m o (Some k) n => nseq (Z.to_nat n) (Responded (real_odds o) (Pos.to_nat k) (Pos.to_nat m))
  end.
Definition mechanisms_of_families (xs : seq family) : seq mechanism := flatten (map mechanisms_by xs).

(** --- what stands in for them --- *)

Definition root_bits : Z := 160.
Definition exact_root (v : ratio) : option ratio :=
  let r := (Z.sqrt v.1, Z.to_pos (Z.sqrt (Zpos v.2))) in if req (rmul r r) v then Some r else None.
Definition rounded_root (up : bool) (v : ratio) : ratio :=
  if exact_root v is Some r then r else
  let places := (root_bits + Z.max 0 (Z.log2 (Zpos v.2) - Z.log2 v.1))%coqZ in
  let low := Z.sqrt (v.1 * 2 ^ (2 * places) / Zpos v.2) in
  reduced (if up then low + 1 else low)%coqZ (2 ^ places).
Definition root_ok (up : bool) (v m : ratio) : bool :=
  [&& Z.leb 0 v.1, Z.leb 0 m.1 & if up then rle v (rmul m m) else rle (rmul m m) v].

Definition by_mu (m : ratio) (n : Z) : noise_ledger :=
  NoiseLedger (Mechanisms [::] [:: (m, n)] [::]) [::] [::] [::] [::] [::] [::] [::] [::].
Definition by_sample (s : sample) (n : Z) : noise_ledger :=
  NoiseLedger no_others [::] [::] [::] [::] [::] [:: (s, n)] [::] [::].
Definition by_sampled (s : sides) (q m : ratio) (n : Z) : noise_ledger := by_sample (Sample s q (BaseNormal m)) n.
Definition by_sampled_mu := by_sampled WithRecord.

(** The half-lines of three laws ([three_lines]), and those of a batch whose record is zeroed out, or replaced. *)
Definition whole_three (q : ratio) (p b : Z) : seq whole_line * Z :=
  ([:: (Zpos q.2, 0, b); (- (Zpos q.2 - q.1), - q.1, b - p); (Zpos q.2 - q.1, - (Zpos q.2 - q.1), 0)], Z.max 0 (b - p))%coqZ.
Definition zeroed_lines (s q : ratio) : half_lines :=
  HalfLines (rdiv Ratios.one (rmul s s)) q.2 (whole_three q 1 2) (Some (whole_three q 1 1)).
Definition replaced_lines (v c q : ratio) : half_lines := HalfLines (rdiv (rmul c c) v) q.2 (whole_three q 2 1) None.
Definition moved_by (s : sides) : Z := if s is WithEither then 2 else 1.

(** What is contributed to which rounds, for a bound from below: of each list, signs one after the other. *)
Fixpoint with_signs (rows : seq (seq Z)) (sums : seq Z) (pi : seq nat) : seq (nat * bool) :=
  if pi is j :: pi' then
    let column := [seq at_round row j | row <- rows] in
    let along := foldr (fun x s => x.1 * x.2 + s)%coqZ Z0 (zip column sums) in
    let up := Z.leb 0 along in
    (j, up) :: with_signs rows [seq (if up then x.2 + x.1 else x.2 - x.1)%coqZ | x <- zip column sums] pi'
  else [::].
Definition best_signed (C : whole_matrix) (pis : seq (seq nat)) : seq (nat * bool) :=
  foldr (fun pi found =>
      let signed := with_signs (rows_of C) [seq Z0 | _ <- rows_of C] pi in
      if Z.leb (square_below C found) (square_below C signed) then signed else found) [::] pis.
Definition square_of_matrix (up : bool) (C : whole_matrix) (pis : seq (seq nat)) : Z :=
  if up then square_above C (AmongLists pis) else square_below C (best_signed C pis).
Definition same_rounds (a b : seq nat) : bool := Nat.eqb (size a) (size b) && all2 Nat.eqb a b.
Lemma same_roundsP a b : same_rounds a b -> a = b.
Proof.
case/andP=> /Nat.eqb_eq e h; elim: a b e h => [|x a IH] [|y b] //= [e] /andP[/Nat.eqb_eq -> h].
by rewrite (IH b e h).
Qed.
Definition sign_at (signed : seq (nat * bool)) (j : nat) : bool := has (fun p => Nat.eqb p.1 j && p.2) signed.
Definition signed_ok (pis : seq (seq nat)) (signed : seq (nat * bool)) : bool :=
  has (same_rounds (map fst signed)) pis && all (fun p => Bool.eqb (sign_at signed p.1) p.2) signed.

(** The epsilon of what is kept is 2 + eta times that of a run; from below one run is kept as it is. *)
Definition by_epsilon (e : number) (n : Z) : noise_ledger :=
  NoiseLedger (Mechanisms [:: (e, Ratios.zero, n)] [::] [::]) [::] [::] [::] [::] [::] [::] [::] [::].
Definition scaled_by (c : ratio) (e : number) : number :=
  let times r := let p := rmul c r in reduced p.1 (Zpos p.2) in
  Number (times (constant e)) [seq (times t.1, t.2) | t <- logs e].
Definition two : ratio := (2%coqZ, xH).
Definition runs_ok (eta gamma : ratio) : bool :=
  [&& rlt (opposite Ratios.one) eta, rlt Ratios.zero gamma & rlt gamma Ratios.one].

Definition standing_for (up : bool) (x : family) : option noise_ledger :=
  match x with
  | OtherEntry N => Some N
  | BySquare v r n =>
      let m := rounded_root up v in
      if ~~ root_ok up v m then None else
      match r with
      | None => Some (by_mu m n)
      | Some q => if Z.ltb 0 q.1 then Some (by_sampled_mu q m n) else None
      end
  | OnMatrix C (AmongLists pis) reach s n =>
      if ~~ Z.ltb 0 s.1 then None else
      let square := ((square_of_matrix up C pis)%coqZ, (over C * over C)%positive) in
      let v := rdiv (rmul square (rmul reach reach)) (rmul s s) in
      let m := rounded_root up v in
      if root_ok up v m && (up || signed_ok pis (best_signed C pis)) then Some (by_mu m n) else None
  | OnMatrix _ (SoFarApart _ _ _) _ _ _ => None
  | InFreshOrder sides s e n =>
      if up && Z.ltb 0 s.1 then Some (by_mu (rdiv (moved_by sides, xH) s) (n * Zpos (epochs_in_all e))) else None
  | OfFixedSize WithEither s m all n =>
      if [&& up, Z.ltb 0 s.1 & Pos.ltb m all]
      then Some (by_sampled WithEither (Zpos m, all) (rdiv (2%coqZ, xH) s) n) else None
  | OfFixedSize WithRecord s m all n =>
      if [&& up, Z.ltb 0 s.1 & Pos.ltb m all]
      then Some (by_sample (Sample WithEither (Zpos m, all) (BaseLines (zeroed_lines s (Zpos m, all)))) n) else None
  | OfFixedSize WithoutRecord _ _ _ _ => None
  | OfClippedSum v c q n =>
      if up && [&& Z.ltb 0 v.1, Z.ltb 0 c.1, Z.ltb 0 q.1 & Z.ltb q.1 (Zpos q.2)]
      then Some (by_sample (Sample WithEither q (BaseLines (replaced_lines v c q))) n) else None
  | BestOfRuns eta gamma e k n =>
      if ~~ (runs_ok eta gamma && Z.leb 1 k) then None else
      if up then Some (by_epsilon (scaled_by (rmul (radd two eta) (k, xH)) e) n) else
      if Z.eqb k 1 then Some (by_epsilon e n) else None
  | OfPerson v q most n =>
      if up then option_map (fun s => by_sample s n) (person_sample v q (Pos.to_nat most)) else None
  | OfReports m o k n =>
      if ~~ (up && Pos.ltb 1 m) then None else
      if odds_above o is Some e
      then Some (by_sample (sample_of_reports m (if k is Some _ then share_of_responses e else share_of_any e) e) n) else None
  end.
Definition standing_for_all (up : bool) (xs : seq family) : option noise_ledger :=
  if read_all (standing_for up) xs is Some Ns then Some (foldr joined_noise no_noise Ns) else None.

(** --- that it does --- *)

Definition may_stand (up : bool) : mechanism * noise -> Prop := if up then has_at_most else has_at_least.
Definition stands (up : bool) (ms : seq mechanism) (ns : seq noise) : Prop :=
  exists xs, [/\ map fst xs = ms, Permutation (map snd xs) ns & forall x, List.In x xs -> may_stand up x].

Lemma stands_nseq up n m k : may_stand up (m, k) -> stands up (nseq n m) (nseq n k).
Proof.
move=> h; exists (nseq n (m, k)); rewrite !map_nseq; split=> // x.
by elim: n => //= n IH [<-|/IH].
Qed.

Lemma stands_cat up ms ms' ns ns' : stands up ms ns -> stands up ms' ns' -> stands up (ms ++ ms') (ns ++ ns').
Proof.
move=> [xs [e p h]] [xs' [e' p' h']]; exists (xs ++ xs'); split; first by rewrite map_cat e e'.
  by rewrite map_cat; exact: Permutation_app.
by move=> x i; case: (List.in_app_or _ _ _ i) => j; [apply: h|apply: h'].
Qed.

Lemma stands_noise up ns : stands up (map ByNoise ns) ns.
Proof.
exists [seq (ByNoise n, n) | n <- ns]; split.
- by rewrite -map_comp.
- by rewrite -map_comp /= map_id; exact: Permutation_refl.
have each n : may_stand up (ByNoise n, n) by case: up.
by elim: ns => //= n ns IH x [<-|i]; [exact: each|exact: IH].
Qed.

Lemma beside_front (A : Type) (a b : seq A) X s t : Permutation X (s ++ t) ->
  Permutation ((a ++ b) ++ X) ((a ++ s) ++ (b ++ t)).
Proof.
move=> p; rewrite -!catA; apply: Permutation_app_head.
apply: Permutation_trans (Permutation_app_head _ p) _; exact: Permutation_app_swap_app.
Qed.

Lemma noises_joined N N' : Permutation (noises (joined_noise N N')) (noises N ++ noises N').
Proof.
rewrite /noises /joined_noise /beside /= !many_cat; do 10 apply: beside_front.
exact: Permutation_refl.
Qed.

Lemma root_okP up v m : root_ok up v m -> let r := Num.sqrt (of_ratio v) in
  if up then 0 <= r <= of_ratio m else 0 <= of_ratio m <= r.
Proof.
case/and3P=> v0 m0; rewrite /= /rle; case: up => le.
  by apply: root_above; rewrite ?of_ge0 // expr2 -of_rmul -of_rle.
by apply: root_below; rewrite ?of_ge0 // expr2 -of_rmul -of_rle.
Qed.

Lemma noises_by_mu m n : noises (by_mu m n) = nseq (Z.to_nat n) (OfNotion (Gaussian (of_ratio m))).
Proof. by rewrite /noises /by_mu /many /= !cats0. Qed.
Lemma noises_by_sample s n : noises (by_sample s n) = nseq (Z.to_nat n) (sample_noise s).
Proof. by rewrite /noises /many /= !cats0. Qed.
Lemma noises_by_sampled s q m n : noises (by_sampled s q m n) =
  nseq (Z.to_nat n) (OfSample s (of_ratio q) (NormalCurve (of_ratio m))).
Proof. exact: noises_by_sample. Qed.

Lemma above0 (r : ratio) : Z.ltb 0 r.1 -> 0 < of_ratio r.
Proof. by move=> r0; rewrite divr_gt0 // (IZR_lt_iff Z0). Qed.

Lemma of_squares (C : whole_matrix) (z : Z) (reach s : ratio) : Z.ltb 0 s.1 ->
  of_ratio (rdiv (rmul (z, (over C * over C)%positive) (rmul reach reach)) (rmul s s)) =
  IZR z / IZR (Zpos (over C)) ^+ 2 * of_ratio reach ^+ 2 / of_ratio s ^+ 2.
Proof.
move=> s0; have ss : of_ratio (rmul s s) = of_ratio s ^+ 2 by rewrite of_rmul expr2.
have ss0 : Z.lt 0 (rmul s s).1.
  have : 0 < of_ratio (rmul s s) by rewrite ss exprn_gt0 // above0.
  by move: (rmul s s) => r; rewrite -of_zero -of_rlt /rlt => /Z.ltb_lt; rewrite /=; lia.
rewrite of_rdiv // ss !of_rmul expr2; congr (_ * _ / _).
by rewrite /of_ratio /fraction /= Pos2Z.inj_mul IZRM expr2.
Qed.

Lemma noises_by_epsilon e n : noises (by_epsilon e n) = nseq (Z.to_nat n) (OfNotion (Approximate (value_of e) 0)).
Proof. by rewrite /noises /by_epsilon /many /= !cats0 of_zero. Qed.

Lemma value_of_scaled c e : value_of (scaled_by c e) = of_ratio c * value_of e.
Proof.
have times r : of_ratio (reduced (rmul c r).1 (Zpos (rmul c r).2)) = of_ratio c * of_ratio r.
  by rewrite of_reduced // -of_rmul.
rewrite /value_of /scaled_by /= times mulrDr; congr (_ + _).
by rewrite big_map mulr_sumr; apply: eq_bigr => t _ /=; rewrite times mulrA.
Qed.

Lemma runs_okP eta gamma : runs_ok eta gamma -> [/\ -1 < of_ratio eta, 0 < of_ratio gamma & of_ratio gamma < 1].
Proof.
case/and3P=> a b c; rewrite !of_rlt of_zero of_one in a b c; split=> //; move: a.
by have -> : of_ratio (opposite Ratios.one) = -1 by rewrite /of_ratio /fraction /= divr1.
Qed.

Lemma selection_above eta gamma e k : runs_ok eta gamma -> Z.le 1 k ->
  may_stand true (Selected (of_ratio eta) (of_ratio gamma) (value_of e) (Z.to_nat k),
    OfNotion (Approximate (value_of (scaled_by (rmul (radd two eta) (k, xH)) e)) 0)).
Proof.
move/runs_okP=> [eta1 g0 g1] k1 Y P Q /(selection_private eta1 g0 g1).
have -> : value_of (scaled_by (rmul (radd two eta) (k, xH)) e) =
    (2%:R + of_ratio eta) * ((Z.to_nat k)%:R * value_of e); last by [].
rewrite value_of_scaled of_rmul of_radd mulrA; congr ((_ + _) * _ * _).
  by rewrite /of_ratio /fraction /two divr1.
rewrite /of_ratio /fraction [(k, _).1]/= divr1 -[in LHS](Z2Nat.id k); last by lia.
exact: MixtureSums.IZR_of_nat.
Qed.

Lemma selection_stands up eta gamma e k n N : standing_for up (BestOfRuns eta gamma e k n) = Some N ->
  stands up (mechanisms_by (BestOfRuns eta gamma e k n)) (noises N).
Proof.
rewrite /standing_for /mechanisms_by; case: ifP => // /negbFE/andP[ok /Z.leb_le k1]; case: up.
  move=> [<-]; rewrite noises_by_epsilon; apply: stands_nseq; exact: selection_above.
case: ifP => // /Z.eqb_eq ->; move=> [<-]; rewrite noises_by_epsilon; apply: stands_nseq => Y P Q.
by have [eta1 g0 g1] := runs_okP ok; exact: selection_attained.
Qed.

Lemma matrix_stands up C pis reach s n N : standing_for up (OnMatrix C (AmongLists pis) reach s n) = Some N ->
  stands up (mechanisms_by (OnMatrix C (AmongLists pis) reach s n)) (noises N).
Proof.
rewrite /=; case: ifP => // /negbFE s0; case: ifP => // /andP[/root_okP + signed] [<-]; rewrite noises_by_mu of_squares // => ok.
apply: stands_nseq; have S0 : 0 < of_ratio s ^+ 2 by rewrite exprn_gt0 // above0.
case: up ok signed => /= ok.
  move=> _ Y P Q [pi [d [u [part U]]]]; apply: gaussian_rounded; rewrite sqrtr_ge0 /=.
  case/andP: ok => _; apply: le_trans; apply: ler_wsqrtr; rewrite ler_pmul2r ?invr_gt0 //.
  exact: moved_of_lists.
case/andP=> /hasP[pi part /same_roundsP rounds] /allP same Y P Q h; rewrite -rounds in part; set signed := best_signed C pis in ok part same.
pose t (j : nat) : R := if sign_at signed j then of_ratio reach else - of_ratio reach.
exists (map fst signed), 1%N, (fun j _ => t j).
split=> //; first by move=> j; rewrite big_ord1 /t; case: ifP; rewrite ?sqrrN.
apply: gaussian_rounded h; move: ok; rewrite /square_of_matrix -/signed => /andP[-> ok] /=; apply: le_trans ok _.
rewrite (@square_below_real C signed t (of_ratio reach)) // => p /same/Bool.eqb_prop e.
by rewrite /t e.
Qed.

(** To someone who is told which batch the record is in. *)
Lemma fresh_order_stands sides (s : R) (batches : nat) (Y : finType) (P Q : Y -> R) : 0 < s ->
  has_noise (OfShuffled sides (s ^+ 2) batches) P Q ->
  has_noise (OfNotion (Gaussian (of_ratio (moved_by sides, xH) / s)%R)) P Q.
Proof.
move=> s0 h; have v0 : 0 < s ^+ 2 by rewrite exprn_gt0.
have := shuffled_gaussian v0 h; have -> : sqrt (s ^+ 2) = s.
  by rewrite expr2; apply: sqrt_square; exact/RleP/ltW.
by have -> : of_ratio (moved_by sides, xH) = (if sides is WithEither then 2%:R else 1) :> R
  by case: sides {h}; rewrite /of_ratio /fraction /= divr1.
Qed.

Lemma fixed_size_stands (s : R) (m all : BinNums.positive) (Y : finType) (P Q : Y -> R) : 0 < s ->
  (Pos.to_nat m < Pos.to_nat all)%N -> is_mechanism (DrawnBatch WithEither s (Pos.to_nat m) (Pos.to_nat all)) P Q ->
  has_noise (OfSample WithEither (of_ratio (Zpos m, all)) (NormalCurve (of_ratio (2%coqZ, xH) / s)%R)) P Q.
Proof.
move=> s0 less [dP dQ told]; have m0 : (0 < Pos.to_nat m)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have qE : of_ratio (Zpos m, all) = (Pos.to_nat m)%:R / (Pos.to_nat all)%:R.
  by rewrite /of_ratio /fraction /= -!IZR_pos.
have two : of_ratio (2%coqZ, xH) = 2%:R by rewrite /of_ratio /fraction /= divr1.
split=> // y y1; rewrite qE two; split; first exact: (draw_replaced m0 less y1 told).
exact: (draw_replaced m0 less y1 (told_of_batches_back told)).
Qed.

Lemma real_three (x y : Z) (q : ratio) (p b : Z) :
  real_lines x y (Zpos q.2) (whole_three q p b).1 =
  three_lines (of_ratio q) (sqrt (IZR x / IZR y)%coqR) (IZR p) (IZR b).
Proof.
have D0 : IZR (Zpos q.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
have e z : (IZR z / IZR (Zpos q.2))%coqR = IZR z / IZR (Zpos q.2) by rewrite RdivE.
have r : of_ratio q = IZR q.1 / IZR (Zpos q.2) by [].
have rest : IZR (Zpos q.2 - q.1) / IZR (Zpos q.2) = 1 - of_ratio q.
  by rewrite IZRB mulrBl divff.
have h1 : (IZR (Zpos q.2) / IZR (Zpos q.2))%coqR = 1%coqR by rewrite e divff.
have h2 : (IZR 0 / IZR (Zpos q.2))%coqR = 0%coqR by rewrite e mul0r.
have h3 : (IZR (Zpos q.2 - q.1) / IZR (Zpos q.2))%coqR = (1 - of_ratio q)%coqR by rewrite e rest.
have h4 : (IZR (- (Zpos q.2 - q.1)) / IZR (Zpos q.2))%coqR = (- (1 - of_ratio q))%coqR.
  by rewrite e opp_IZR RoppE mulNr rest.
have h5 : (IZR (- q.1) / IZR (Zpos q.2))%coqR = (- of_ratio q)%coqR by rewrite e opp_IZR RoppE mulNr.
set mu := sqrt _; have h6 : (IZR (b - p) * mu)%coqR = ((IZR b - IZR p) * mu)%coqR by rewrite minus_IZR.
have h7 : (IZR 0 * mu)%coqR = 0%coqR by exact: Rmult_0_l.
rewrite /real_lines /three_lines /whole_three; cbn [List.map fst snd]; rewrite h1 h2 h3 h4 h5 -/mu h6 h7.
by [].
Qed.

Lemma unit_of_lines (u : ratio) : Z.lt 0 u.1 -> sqrt (IZR u.1 / IZR (Zpos u.2))%coqR = Num.sqrt (of_ratio u).
Proof.
move=> u0; have D0 : 0 < IZR (Zpos u.2) by rewrite (IZR_lt_iff Z0).
have N0 : 0 < IZR u.1 by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
by rewrite RsqrtE RdivE ?gt_eqF // divr_ge0 // ltW.
Qed.

Lemma zeroed_stands (s : ratio) (m all : BinNums.positive) (Y : finType) (P Q : Y -> R) : Z.ltb 0 s.1 ->
  (Pos.to_nat m < Pos.to_nat all)%N -> is_mechanism (DrawnBatch WithRecord (of_ratio s) (Pos.to_nat m) (Pos.to_nat all)) P Q ->
  has_noise (sample_noise (Sample WithEither (Zpos m, all) (BaseLines (zeroed_lines s (Zpos m, all))))) P Q.
Proof.
move=> s0 less [dP dQ told]; have m0 : (0 < Pos.to_nat m)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have S0 := above0 s0; have qE : of_ratio (Zpos m, all) = (Pos.to_nat m)%:R / (Pos.to_nat all)%:R.
  by rewrite /of_ratio /fraction /= -!IZR_pos.
have sz : Z.lt 0 (rmul s s).1.
  have : 0 < of_ratio (rmul s s) by rewrite of_rmul mulr_gt0.
  by move: (rmul s s) => r; rewrite -of_zero -of_rlt /rlt => /Z.ltb_lt; rewrite /=; lia.
set u := rdiv Ratios.one (rmul s s); have uE : of_ratio u = (1 / of_ratio s) ^+ 2.
  by rewrite /u of_rdiv // of_one of_rmul expr2 !mul1r invfM.
have u0 : Z.lt 0 u.1.
  have : 0 < of_ratio u by rewrite uE; apply: exprn_gt0; apply: divr_gt0; rewrite ?ltr01.
  by rewrite -of_zero -of_rlt /rlt => /Z.ltb_lt; rewrite /=; lia.
have root : sqrt (IZR u.1 / IZR (Zpos u.2))%coqR = 1 / of_ratio s.
  by rewrite unit_of_lines // uE sqrtr_sqr ger0_norm // divr_ge0 ?ler01 ?(ltW S0).
have e p b : three_curve ((Pos.to_nat m)%:R / (Pos.to_nat all)%:R)%R (1 / of_ratio s)%R (IZR p) (IZR b) =
    line_curve (real_lines u.1 (Zpos u.2) (Zpos all) (whole_three (Zpos m, all) p b).1).
  by rewrite (@real_three u.1 (Zpos u.2) (Zpos m, all) p b) root qE.
split=> // y y1; have := draw_zeroed m0 less S0 y1 told; cbv zeta.
rewrite -[three_curve _ _ 1%R 2%:R]/(three_curve _ _ (IZR 1) (IZR 2)) -[three_curve _ _ 1%R 1%R]/(three_curve _ _ (IZR 1) (IZR 1)).
by rewrite !e -qE.
Qed.

Lemma clipped_stands (v c q : ratio) (Y : finType) (P Q : Y -> R) : Z.ltb 0 v.1 -> Z.ltb 0 c.1 -> Z.ltb 0 q.1 ->
  Z.ltb q.1 (Zpos q.2) -> is_mechanism (ReplacedInSum (Num.sqrt (of_ratio v)) (of_ratio c) (of_ratio q)) P Q ->
  has_noise (sample_noise (Sample WithEither q (BaseLines (replaced_lines v c q)))) P Q.
Proof.
move=> v0 c0 q0 q1 [dP dQ told]; have [V0 C0 Q0] := And3 (above0 v0) (above0 c0) (above0 q0).
have Q1 : of_ratio q < 1.
  rewrite /of_ratio /fraction ltr_pdivr_mulr ?mul1r ?IZR_lt_iff ?(IZR_lt_iff Z0) //.
set u := rdiv (rmul c c) v; have uE : of_ratio u = (of_ratio c / Num.sqrt (of_ratio v)) ^+ 2.
  rewrite /u of_rdiv; last exact/Z.ltb_lt.
  by rewrite of_rmul expr_div_n sqr_sqrtr ?(ltW V0) // expr2.
have d0 : 0 < Num.sqrt (of_ratio v) by rewrite sqrtr_gt0.
have u0 : Z.lt 0 u.1.
  have : 0 < of_ratio u by rewrite uE; apply: exprn_gt0; apply: divr_gt0; rewrite ?ltr01.
  by rewrite -of_zero -of_rlt /rlt => /Z.ltb_lt; rewrite /=; lia.
have root : sqrt (IZR u.1 / IZR (Zpos u.2))%coqR = of_ratio c / Num.sqrt (of_ratio v).
  by rewrite unit_of_lines // uE sqrtr_sqr ger0_norm // divr_ge0 ?(ltW C0) ?(ltW d0).
have e : three_curve (of_ratio q) (of_ratio c / Num.sqrt (of_ratio v))%R (IZR 2) (IZR 1) =
    line_curve (real_lines u.1 (Zpos u.2) (Zpos q.2) (whole_three q 2 1).1).
  by rewrite real_three root.
set h := line_curve _ in e; split=> // y y1; split.
  by have := sample_replaced h d0 (ltW C0) Q0 Q1 y1 told; rewrite -[three_curve _ _ 2%:R 1%R]/(three_curve _ _ (IZR 2) (IZR 1)) e.
have := sample_replaced h d0 (ltW C0) Q0 Q1 y1 (told_of_sample_back told).
by rewrite -[three_curve _ _ 2%:R 1%R]/(three_curve _ _ (IZR 2) (IZR 1)) e.
Qed.

Lemma in_nat (m n : BinNums.positive) : Pos.ltb m n -> (Pos.to_nat m < Pos.to_nat n)%N.
Proof. by move/Pos.ltb_lt/Pos2Nat.inj_lt/ssrnat.ltP. Qed.

Lemma reports_stands up m o k n N : standing_for up (OfReports m o k n) = Some N ->
  stands up (mechanisms_by (OfReports m o k n)) (noises N).
Proof.
rewrite /standing_for; case: ifP => // /negbFE/andP[u m1]; case X: (odds_above o) => [e|] // [<-]; case: up u => // _.
rewrite noises_by_sample; case: k => [k|]; apply: stands_nseq => Y P Q [dP dQ told]; first exact: responses_stand told.
exact: reports_stand told.
Qed.

Theorem standing_for_stands up x N : standing_for up x = Some N -> stands up (mechanisms_by x) (noises N).
Proof.
case: x => [M|v [q|] n|C [pis|? ? ?] reach s n|sides s e n|[||] s m all n|v c q n|eta gamma e k n|v q most n|m o k n].
13: exact: reports_stands.
11: exact: selection_stands.
all: move=> //=.
- by move=> [<-]; exact: stands_noise.
- case: ifP => // /negbFE/root_okP ok; case: ifP => // q0 [<-]; rewrite noises_by_sampled; apply: stands_nseq.
  by case: up ok => /= ok Y P Q; apply: sampled_rounded; rewrite ?above0.
- case: ifP => // /negbFE/root_okP ok [<-]; rewrite noises_by_mu; apply: stands_nseq.
  by case: up ok => /= ok Y P Q; exact: gaussian_rounded.
- exact: matrix_stands.
- case: up => //=; case: ifP => // s0 [<-]; rewrite noises_by_mu; apply: stands_nseq => Y P Q.
  by rewrite of_rdiv; [exact: fresh_order_stands (above0 s0)|exact/Z.ltb_lt].
- case: up => //=; case: ifP => // /andP[s0 less] [<-]; rewrite noises_by_sample; apply: stands_nseq => Y P Q.
  exact: zeroed_stands s0 (in_nat less).
- case: up => //=; case: ifP => // /andP[s0 less] [<-]; rewrite noises_by_sampled; apply: stands_nseq => Y P Q.
  by rewrite of_rdiv; [exact: fixed_size_stands (above0 s0) (in_nat less)|exact/Z.ltb_lt].
- case: up => //=; case: ifP => // /and4P[v0 c0 q0 q1] [<-]; rewrite noises_by_sample; apply: stands_nseq => Y P Q.
  exact: clipped_stands v0 c0 q0 q1.
case: up => //; case X: (person_sample _ _ _) => [s|] //= [<-]; rewrite noises_by_sample; apply: stands_nseq => Y P Q.
by move=> [dP dQ told]; exact: person_sample_stands X dP dQ told.
Qed.

Theorem standing_for_all_stands up xs N : standing_for_all up xs = Some N ->
  stands up (mechanisms_of_families xs) (noises N).
Proof.
rewrite /standing_for_all; case E: (read_all _ xs) => [Ns|] // [<-]; elim: xs Ns E => [|x xs IH] Ns /=.
  by move=> [<-]; exists [::].
case S: (standing_for up x) => [M|] //; rewrite /read_all in IH; rewrite -/(read_all _ _).
case E: (read_all _ xs) => [Ms|] // [<-] /=.
have [zs [e p h]] := stands_cat (standing_for_stands S) (IH Ms E).
exists zs; split=> //; apply: Permutation_trans p _; exact: Permutation_sym (noises_joined _ _).
Qed.

(** --- reading --- *)

Definition read_squared (neighbouring : string) (j : json) : option family :=
  let square v := if read_positive v is Some v then
      let v := (Zpos v.1, v.2) in if exact_root v is Some _ then None else Some v else None in
  match fields [:: "count"; "mu_squared"]%string j, fields [:: "count"; "mu_squared"; "rate"]%string j with
  | Some [:: Text c; Text v], _ =>
      if (read_count c, square v) is (Some n, Some v) then Some (BySquare v None n) else None
  | _, Some [:: Text c; Text v; Text q] =>
      if (read_count c, square v, read_rate q) is (Some n, Some v, Some q)
      then if among neighbouring [:: "add-remove-one"; "zero-out"]%string then Some (BySquare v (Some q) n) else None
      else None
  | _, _ => None
  end.

(** So many rounds are written out: a matrix of all its entries, and all lists of rounds. *)
Definition most_rounds : Z := 256.
Definition read_rounds (s : string) : option nat := option_map Z.to_nat (read_whole 1 most_rounds s).
Definition padded (n : nat) (s : seq ratio) : seq ratio := take n (s ++ nseq (n - size s) Ratios.zero).
Definition toeplitz_rows (n : nat) (cs : seq ratio) : seq (seq ratio) :=
  [seq rev (take i.+1 (padded n cs)) | i <- iota 0 n].

(** C(2t, t)/4^t, each from the one before; 1, then the sum of s d^(t-1). *)
Definition of_roots (band : nat) : seq ratio :=
  rev (foldl (fun cs t => rmul (head Ratios.one cs) ((2 * Z.of_nat t - 1)%coqZ, Pos.of_nat (2 * t)) :: cs)
    [:: Ratios.one] (iota 1 band.-1)).
Fixpoint of_buffers (n : nat) (bs : seq (ratio * ratio)) : seq ratio :=
  if n is n'.+1 then foldr radd Ratios.zero (map fst bs) :: of_buffers n' [seq (rmul b.1 b.2, b.2) | b <- bs] else [::].
(** Of all complete nodes of a binary tree a row of ones. *)
Definition tree_rows (n : nat) : seq (seq ratio) :=
  flatten [seq [seq nseq (i * 2 ^ k) Ratios.zero ++ nseq (2 ^ k) Ratios.one | i <- iota 0 (Nat.div n (2 ^ k))] | k <- iota 0 9].

Definition most_matrix_bits : Z := 2048.
Definition read_coefficient (s : string) : option ratio :=
  if read_rational s is Some r then if Z.leb (bits_of r) most_matrix_bits then Some r else None else None.
Definition read_numbers (j : json) : option (seq ratio) :=
  if j is List js then read_all (text_then read_coefficient) js else None.
Definition read_rows (j : json) : option (nat * seq (seq ratio)) :=
  let known n rows := Some (n, rows) in
  match fields [:: "from"; "rows"]%string j, fields [:: "steps"; "toeplitz"]%string j,
        fields [:: "band"; "sqrt"]%string j, fields [:: "blt"; "steps"]%string j, fields [:: "tree"]%string j with
  | Some [:: List firsts; List rows], _, _, _, _ =>
      if (read_all (text_then (read_whole 0 (most_rounds - 1))) firsts, read_all read_numbers rows) is (Some fs, Some rs) then
        let placed := [seq nseq (Z.to_nat p.1) Ratios.zero ++ p.2 | p <- zip fs rs] in
        let n := foldr (fun row m => Nat.max (size row) m) 0%N placed in
        if Nat.eqb (size fs) (size rs) && Z.leb (Z.of_nat n) most_rounds then known n placed else None
      else None
  | _, Some [:: Text n; cs], _, _, _ =>
      if (read_rounds n, read_numbers cs) is (Some n, Some cs)
      then if Nat.leb 1 (size cs) && Nat.leb (size cs) n then known n (toeplitz_rows n cs) else None else None
  | _, _, Some [:: Text b; Text n], _, _ =>
      if (read_rounds b, read_rounds n) is (Some b, Some n)
      then if Nat.leb b n then known n (toeplitz_rows n (of_roots b)) else None else None
  | _, _, _, Some [:: buffers; Text n], _ =>
      if (read_rounds n, fields [:: "decays"; "scales"]%string buffers) is (Some n, Some [:: ds; ss]) then
        if (read_numbers ds, read_numbers ss) is (Some ds, Some ss)
        then if Nat.eqb (size ds) (size ss) && all (fun r => Z.leb 0 r.1 && rle r Ratios.one) (ds ++ ss) &&
                rle (foldr radd Ratios.zero ss) Ratios.one
             then known n (toeplitz_rows n (Ratios.one :: of_buffers n.-1 (zip ss ds))) else None
        else None
      else None
  | _, _, _, _, Some [:: Text n] => if read_rounds n is Some n then known n (tree_rows n) else None
  | _, _, _, _, _ => None
  end.

Definition whole_rows (rows : seq (seq ratio)) : whole_matrix :=
  let scale := foldr (fun r s => Z.lcm (Zpos r.2) s) 1%coqZ (flatten rows) in
  WholeMatrix [seq [seq (r.1 * (scale / Zpos r.2))%coqZ | r <- row] | row <- rows] (Z.to_pos scale).

(** All lists of rounds that are so far apart, from a first one on. *)
Fixpoint lists_apart (fuel rounds apart most first : nat) : seq (seq nat) :=
  match fuel, most with
  | fuel'.+1, most'.+1 =>
      if Nat.ltb first rounds then
        [seq first :: pi | pi <- lists_apart fuel' rounds apart most' (first + apart)] ++
        lists_apart fuel' rounds apart most first.+1
      else [:: [::]]
  | _, _ => [:: [::]]
  end.
Definition few_lists (rounds apart most : nat) : bool :=
  Nat.leb most 1 || Nat.leb rounds 10 || Nat.leb 2 apart && Nat.leb rounds 16.
Fixpoint increasing (ns : seq nat) : bool :=
  if ns is n :: ((n' :: _) as ns') then Nat.ltb n n' && increasing ns' else true.
Definition read_participation (rounds : nat) (j : json) : option (seq (seq nat)) :=
  match j, fields [:: "every"]%string j, fields [:: "apart"; "most"]%string j with
  | List (_ :: _ as lists), _, _ =>
      let read_list j := if j is List (_ :: _ as ns) then
          if read_all (text_then (read_whole 0 (Z.of_nat rounds - 1))) ns is Some zs
          then let ns := map Z.to_nat zs in if increasing ns then Some ns else None else None
        else None in
      read_all read_list lists
  | _, Some [:: Text e], _ =>
      if read_whole 1 1000000 e is Some e then
        let e := Z.to_nat (Z.min e (Z.of_nat rounds)) in
        Some [seq [seq (first + k * e)%N | k <- iota 0 rounds & Nat.ltb (first + k * e) rounds] | first <- iota 0 e]
      else None
  | _, _, Some [:: Text a; Text m] =>
      if (read_whole 1 1000000 a, read_whole 1 1000000 m) is (Some a, Some m) then
        let a := Z.to_nat (Z.min a (Z.of_nat rounds)) in
        let m := Z.to_nat (Z.min m (Z.of_nat rounds)) in
        if few_lists rounds a m then Some (lists_apart rounds.+1 rounds a m 0) else None
      else None
  | _, _, _ => None
  end.

Definition reach_for (neighbouring : string) : option ratio :=
  if among neighbouring [:: "add-remove-one"; "zero-out"]%string then Some Ratios.one
  else if String.eqb neighbouring "replace-one" then Some (2%coqZ, xH) else None.
Definition read_factorized (neighbouring : string) (j : json) : option family :=
  if fields [:: "count"; "factorization"; "participation"; "sigma"]%string j is Some [:: Text c; C; p; Text s] then
    match read_count c, read_rows C, read_positive s, reach_for neighbouring with
    | Some n, Some (rounds, rows), Some s, Some reach =>
        let C := whole_rows rows in
        let s := (Zpos s.1, s.2) in
        if Z.ltb (Z.log2 (Zpos (over C))) most_matrix_bits && Z.leb (bits_of s) most_matrix_bits
        then option_map (fun pis => OnMatrix C (AmongLists pis) reach s n) (read_participation rounds p) else None
    | _, _, _, _ => None
    end
  else None.

(** From above, where each epoch has an order of its own. *)
Definition sides_for (neighbouring : string) : option sides :=
  if String.eqb neighbouring "zero-out" then Some WithRecord
  else if String.eqb neighbouring "replace-one" then Some WithEither else None.
Definition read_fresh_order (neighbouring : string) (j : json) : option family :=
  if fields [:: "count"; "shuffled"; "sigma"]%string j is Some [:: Text c; batches; Text s] then
    match read_count c, read_epochs batches, read_positive s, sides_for neighbouring with
    | Some n, Some e, Some s, Some sides =>
        if is_fresh e then Some (InFreshOrder sides (Zpos s.1, s.2) e n) else None
    | _, _, _, _ => None
    end
  else None.
Definition most_records : Z := 10 ^ 12.
Definition read_fixed_size (neighbouring : string) (j : json) : option family :=
  if fields [:: "count"; "fixed_size"; "sigma"]%string j is Some [:: Text c; batch; Text s] then
    match read_count c, fields [:: "batch"; "records"]%string batch, read_positive s, sides_for neighbouring with
    | Some n, Some [:: Text m; Text all], Some s, Some sides =>
        match read_whole 1 most_records m, read_whole 2 most_records all with
        | Some (Zpos m), Some (Zpos all) =>
            if Pos.ltb m all then Some (OfFixedSize sides (Zpos s.1, s.2) m all n) else None
        | _, _ => None
        end
    | _, _, _, _ => None
    end
  else None.

(** Normal noise on a sampled sum, by the norm of what a record contributes. *)
Definition read_clipped_sum (neighbouring : string) (j : json) : option family :=
  let entry c clip q (v : option ratio) :=
    match read_count c, read_positive clip, read_rate q, v with
    | Some n, Some clip, Some q, Some v =>
        let clip := (Zpos clip.1, clip.2) in
        if [&& String.eqb neighbouring "replace-one", Z.leb (bits_of clip) most_matrix_bits,
               Z.leb (bits_of q) most_matrix_bits & Z.leb (bits_of v) (2 * most_matrix_bits)]
        then Some (OfClippedSum v clip q n) else None
    | _, _, _, _ => None
    end in
  let short s := if read_positive s is Some s then
      let s := (Zpos s.1, s.2) in if Z.leb (bits_of s) most_matrix_bits then Some s else None else None in
  match fields [:: "clip"; "count"; "rate"; "sigma"]%string j, fields [:: "clip"; "count"; "rate"; "variance"]%string j with
  | Some [:: Text clip; Text c; Text q; Text s], _ => entry c clip q (option_map (fun s => rmul s s) (short s))
  | _, Some [:: Text clip; Text c; Text q; Text v] =>
      entry c clip q (if short v is Some v then if exact_root v is Some _ then None else Some v else None)
  | _, _ => None
  end.

(** Normal noise on a sampled sum of which a person has several records. *)
Definition read_person (neighbouring : string) (j : json) : option family :=
  let entry c (v : option ratio) q most :=
    match read_count c, v, read_rate q, read_whole 2 1000 most with
    | Some n, Some v, Some q, Some (Zpos most) =>
        if [&& among neighbouring [:: "add-remove-one"; "zero-out"]%string, Z.leb (bits_of q) most_matrix_bits &
               Z.leb (bits_of v) (2 * most_matrix_bits)]
        then Some (OfPerson v q most n) else None
    | _, _, _, _ => None
    end in
  let short s := if read_positive s is Some s then
      let s := (Zpos s.1, s.2) in if Z.leb (bits_of s) most_matrix_bits then Some s else None else None in
  match fields [:: "count"; "mu"; "rate"; "records_per_person"]%string j,
        fields [:: "count"; "mu_squared"; "rate"; "records_per_person"]%string j with
  | Some [:: Text c; Text m; Text q; Text most], _ => entry c (option_map (fun m => rmul m m) (short m)) q most
  | _, Some [:: Text c; Text v; Text q; Text most] =>
      entry c (if short v is Some v then if exact_root v is Some _ then None else Some v else None) q most
  | _, _ => None
  end.

(** Shuffled batches are read as such for a bound from above; for one from below as noise. *)
Definition is_from_above (r : option reading) : bool := if r is Some (KnownBatch _) then true else false.
(** Private selection from runs of a pure mechanism. *)
Definition short_bits : Z := 256.
Definition read_short (s : string) : option ratio :=
  if read_rational s is Some r then if Z.leb (bits_of r) short_bits then Some r else None else None.
Definition read_repetitions (j : json) : option (ratio * ratio) :=
  if fields [:: "negative_binomial"]%string j is Some [:: law] then
    if fields [:: "eta"; "gamma"]%string law is Some [:: Text e; Text g] then
      if (read_short e, read_short g) is (Some e, Some g) then
        let least := (1%coqZ, Pos.pow 10 12) in
        if [&& rlt (opposite Ratios.one) e, rle e (1000%coqZ, xH),
               Z.eqb e.1 0 || rle (1%coqZ, Pos.pow 10 6) ((Z.abs e.1)%coqZ, e.2),
               rle least g & rle g (rsub Ratios.one least)]
        then Some (e, g) else None
      else None
    else None
  else None.
Definition read_selected (j : json) : option family :=
  if fields [:: "count"; "selection"]%string j is Some [:: Text c; selection] then
    if fields [:: "of"; "repetitions"]%string selection is Some [:: run; repetitions] then
      if fields [:: "count"; "delta"; "epsilon"]%string run is Some [:: Text k; Text d; Text e] then
        match read_count c, read_count k, read_number e, read_repetitions repetitions with
        | Some n, Some k, Some e, Some law =>
            if String.eqb d "0" && Z.leb (number_bits e) short_bits then Some (BestOfRuns law.1 law.2 e k n) else None
        | _, _, _, _ => None
        end
      else None
    else None
  else None.

Definition read_shuffled_reports (neighbouring : string) (j : json) : option family :=
  if fields [:: "count"; "shuffled_reports"]%string j is Some [:: Text c; reports] then
    if (read_count c, read_reports reports) is (Some n, Some (m, o, k))
    then if String.eqb neighbouring "replace-one" then Some (OfReports m o k n) else None else None
  else None.

Definition read_family (r : option reading) (neighbouring : string) (j : json) : option family :=
  if (if is_from_above r then read_fresh_order neighbouring j else None) is Some x then Some x else
  if read_fixed_size neighbouring j is Some x then Some x else
  if read_clipped_sum neighbouring j is Some x then Some x else
  if read_person neighbouring j is Some x then Some x else
  if read_squared neighbouring j is Some x then Some x else
  if read_factorized neighbouring j is Some x then Some x else
  if read_selected j is Some x then Some x else
  if read_shuffled_reports neighbouring j is Some x then Some x else
  if read_noise r j is Some N then option_map OtherEntry (between neighbouring N) else None.
(** Whether an entry has shuffled batches in fresh orders. *)
Definition has_fresh_orders (j : json) : bool :=
  if fields [:: "mechanisms"; "type"]%string j is Some [:: List entries; _]
  then has (fun e => has (fun to => if read_fresh_order to e is Some _ then true else false) [:: "zero-out"; "replace-one"]%string) entries
  else false.
Definition read_families (r : option reading) (neighbouring : string) (j : json) : option (seq family) :=
  if fields [:: "mechanisms"; "type"]%string j is Some [:: List entries; Text type]
  then if String.eqb type "mechanisms" then read_all (read_family r neighbouring) entries else None else None.
