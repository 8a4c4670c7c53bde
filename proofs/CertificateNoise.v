(** Ledgers of mechanisms given by their noise (SPEC, 7.1), read from JSON; and what they denote.

    Read are entries by epsilon and delta, by mu, by rho, by Rényi divergences of several orders, of
    bounded range, by Laplace, discrete Laplace and discrete Gaussian noise, by tables, and all of these whose
    profile is known with a rate as well.  Where there is any other, nothing is read.  Shuffled batches are
    read for a bound from above as a Gaussian mechanism in each epoch: to someone who is told the batch of a
    record, the sum of one batch moves by at most 1, or by 2 if the record is replaced.  For one from below
    they are what ShuffledBatches.v writes out: each epoch by itself, or, if all epochs have one order, the
    means of all epochs' sums.  The order of entries and the length of their numbers are not read here. *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions RulesNoiseRenyi NoiseLedgers Ratios CheckerClosed CheckerGroups.
From ExactDP Require Import LineCurves CheckerLines LocalReports CheckerReports SampledNoise NoiseEntries CheckerLaplace CheckerNoise CertificateJson CertificateNumbers CertificateStatements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** What half-lines tell of normal laws that lie at multiples of mu: its square, and in both directions weights,
    as fractions of one number, and where they change their signs; of one direction alone where the other is
    the same (CheckerLines.v). *)
Record half_lines := HalfLines {
  square_of_unit : ratio; parts_of_weights : BinNums.positive;
  forth : seq whole_line * Z; back : option (seq whole_line * Z)
}.
Definition turned_lines (h : half_lines) : half_lines :=
  if back h is Some b then HalfLines (square_of_unit h) (parts_of_weights h) b (Some (forth h)) else h.

(** What a record is sampled for: mu, sensitivity/scale, a range, the inverse of a scale and a shift, a
    variance and a shift, or half-lines; and, with the rate 1, shuffled reports. *)
Inductive base_noise :=
| BaseNormal of ratio
| BaseLaplace of ratio
| BaseRange of ratio
| BaseShift of ratio & BinNums.positive
| BaseBell of ratio & BinNums.positive
| BaseLines of half_lines
| BaseReports of report_counts.
Definition turned_base (s : sides) (b : base_noise) : base_noise :=
  if (s, b) is (WithEither, BaseLines h) then BaseLines (turned_lines h) else b.
(** Batches, of whose sums one may move: with its variance. *)
Record batches := Batches { moves_between : sides; sum_variance : ratio; batches_in_all : BinNums.positive }.
Record sample := Sample { has_record : sides; rate : ratio; base : base_noise }.

Record noise_ledger := NoiseLedger {
  others : mechanisms;
  shifted : seq (ratio * BinNums.positive * Z);   (* the inverse of a scale, and a shift *)
  laplaced : seq (ratio * Z);                     (* sensitivity/scale *)
  ranged : seq (ratio * Z);
  divergent : seq (orders * Z);
  tabled : seq (table * Z);
  samples : seq (sample * Z);
  bells : seq (ratio * BinNums.positive * Z);     (* of discrete Gaussian noise, the variance and a shift *)
  batched : seq (batches * Z)
}.

(** --- what it denotes --- *)

Definition curve_of (s : base_noise) : noise_curve :=
  match s with
  | BaseNormal m => NormalCurve (of_ratio m)
  | BaseLaplace a => LaplaceCurve (of_ratio a)
  | BaseRange e => RangeCurve (of_ratio e)
  | BaseShift r s => ShiftCurve (of_ratio r) (Pos.to_nat s)
  | BaseBell v s => BellCurve (of_ratio v) (Pos.to_nat s)
  | BaseLines h =>
      let curve ls := line_curve (real_lines (square_of_unit h).1 (Zpos (square_of_unit h).2) (Zpos (parts_of_weights h)) ls) in
      let f := curve (forth h).1 in ByCurves f (if back h is Some b then curve b.1 else f)
  | BaseReports c =>
      let f := letters_curve (Pos.to_nat (others_reporting c)) (of_ratio (share_drawn c)) (of_ratio (odds_between c)) in ByCurves f f
  end.
Lemma turned_curve_of s b : curve_of (turned_base s b) = turned_curve s (curve_of b).
Proof. by case: s; case: b => // -[u d f [b|]] //. Qed.
Definition sample_noise (s : sample) : noise :=
  OfSample (has_record s) (of_ratio (rate s)) (curve_of (base s)).

Definition bell_noise (b : ratio * BinNums.positive) : noise := OfDiscreteGaussian (of_ratio b.1) (Pos.to_nat b.2).
Definition batches_noise (b : batches) : noise :=
  OfShuffled (moves_between b) (of_ratio (sum_variance b)) (Pos.to_nat (batches_in_all b)).
Definition noises (N : noise_ledger) : seq noise :=
  let M := others N in
  many (fun p => OfNotion (Approximate (value_of p.1) (of_ratio p.2))) (of_epsilon M) ++
  many (fun s => OfShift (of_ratio s.1) (Pos.to_nat s.2)) (shifted N) ++
  many (fun a => OfLaplace (of_ratio a)) (laplaced N) ++
  many (fun m => OfNotion (Gaussian (of_ratio m))) (of_mu M) ++
  many (fun r => OfNotion (Concentrated (of_ratio r))) (of_rho M) ++
  many (fun e => OfRange (of_ratio e)) (ranged N) ++
  many (fun os => OfOrders (real_orders os)) (divergent N) ++
  many (fun t => OfTable (real_table t)) (tabled N) ++
  many sample_noise (samples N) ++
  many bell_noise (bells N) ++
  many batches_noise (batched N).

Definition none_of (A : Type) (s : seq A) : bool := if s is [::] then true else false.
Lemma none_ofP (A : Type) (s : seq A) : none_of s -> s = [::]. Proof. by case: s. Qed.

(** --- reading --- *)

Definition no_others := Mechanisms [::] [::] [::].
Definition no_noise := NoiseLedger no_others [::] [::] [::] [::] [::] [::] [::] [::].

Definition beside (M M' : mechanisms) : mechanisms :=
  Mechanisms (of_epsilon M ++ of_epsilon M') (of_mu M ++ of_mu M') (of_rho M ++ of_rho M').
Definition joined_noise (N N' : noise_ledger) : noise_ledger :=
  NoiseLedger (beside (others N) (others N')) (shifted N ++ shifted N')
    (laplaced N ++ laplaced N') (ranged N ++ ranged N')
    (divergent N ++ divergent N')
    (tabled N ++ tabled N') (samples N ++ samples N') (bells N ++ bells N') (batched N ++ batched N').

Definition read_positive (s : string) : option (BinNums.positive * BinNums.positive) :=
  if read_not_negative s is Some (Zpos n, d) then Some (n, d) else None.
Definition most_shift : Z := 1000000.
Definition read_shift (s : string) : option BinNums.positive :=
  if read_whole 1 most_shift s is Some (Zpos n) then Some n else None.

Definition read_order (j : json) : option (ratio * ratio) :=
  if j is List [:: Text a; Text r] then
    if (read_not_negative a, read_not_negative r) is (Some a, Some r)
    then if rlt Ratios.one a then Some (a, r) else None else None
  else None.

(** What can be read, with how many there are. *)
Definition with_count (A : Type) (count : string) (a : option A) : option (A * Z) :=
  if (read_count count, a) is (Some n, Some a) then Some (a, n) else None.

Definition read_ranged (j : json) : option noise_ledger :=
  if fields [:: "bounded_range"; "count"]%string j is Some [:: Text e; Text c] then
    if with_count c (read_positive e) is Some (e, n)
    then Some (NoiseLedger no_others [::] [::] [:: (Zpos e.1, e.2, n)] [::] [::] [::] [::] [::]) else None
  else None.

Definition read_law (j : json) : option (seq (ratio * BinNums.positive)) :=
  if fields [:: "scale"; "shifts"]%string j is Some [:: Text b; List shifts] then
    if (read_positive b, read_all (text_then read_shift) shifts) is (Some b, Some ss)
    then Some [seq ((Zpos b.2, b.1), s) | s <- ss] else None
  else None.
Definition read_shifted (j : json) : option noise_ledger :=
  if fields [:: "count"; "discrete_laplace"]%string j is Some [:: Text c; law] then
    if with_count c (read_law law) is Some (ss, n)
    then Some (NoiseLedger no_others [seq (s, n) | s <- ss] [::] [::] [::] [::] [::] [::] [::]) else None
  else None.

Definition read_quotient (j : json) : option ratio :=
  if fields [:: "scale"; "sensitivity"]%string j is Some [:: Text b; Text s] then
    if (read_positive b, read_positive s) is (Some b, Some s)
    then Some (reduced (Zpos (s.1 * b.2)) (Zpos (s.2 * b.1))) else None
  else None.
Definition read_laplaced (j : json) : option noise_ledger :=
  if fields [:: "count"; "laplace"]%string j is Some [:: Text c; law] then
    if with_count c (read_quotient law) is Some (a, n)
    then Some (NoiseLedger no_others [::] [:: (a, n)] [::] [::] [::] [::] [::] [::]) else None
  else None.

Definition read_divergent (j : json) : option noise_ledger :=
  if fields [:: "count"; "renyi"]%string j is Some [:: Text c; List rows] then
    if with_count c (read_all read_order rows) is Some (os, n)
    then Some (NoiseLedger no_others [::] [::] [::] [:: (os, n)] [::] [::] [::] [::]) else None
  else None.

Definition read_table (j : json) : option table :=
  if fields [:: "p"; "q"]%string j is Some [:: List ps; List qs] then
    if (read_all (text_then read_not_negative) ps, read_all (text_then read_not_negative) qs)
    is (Some p, Some q) then if Nat.eqb (size p) (size q) then Some (zip p q) else None
    else None
  else None.
Definition read_tabled (j : json) : option noise_ledger :=
  if fields [:: "count"; "pair"]%string j is Some [:: Text c; laws] then
    if with_count c (read_table laws) is Some (t, n)
    then Some (NoiseLedger no_others [::] [::] [::] [::] [:: (t, n)] [::] [::] [::]) else None
  else None.

(** The variance is between these. *)
Definition read_variance (s : string) : option ratio :=
  if read_positive s is Some v then
    let v := (Zpos v.1, v.2) in
    if rle (1, Pos.pow 10 6)%coqZ v && rle v (10 ^ 12, xH)%coqZ then Some v else None
  else None.
Definition read_bell (j : json) : option (seq (ratio * BinNums.positive)) :=
  if fields [:: "shifts"; "variance"]%string j is Some [:: List shifts; Text v] then
    if (read_variance v, read_all (text_then read_shift) shifts) is (Some v, Some ss)
    then Some [seq (v, s) | s <- ss] else None
  else None.
Definition read_belled (j : json) : option noise_ledger :=
  if fields [:: "count"; "discrete_gaussian"]%string j is Some [:: Text c; law] then
    if with_count c (read_bell law) is Some (ss, n)
    then Some (NoiseLedger no_others [::] [::] [::] [::] [::] [::] [seq (s, n) | s <- ss] [::]) else None
  else None.

(** A rate between 0 and 1, beside what it is of. *)
Definition read_rate (s : string) : option ratio :=
  if read_positive s is Some q then if Pos.ltb q.1 q.2 then Some (Zpos q.1, q.2) else None else None.
Definition sampled_ledger (count : string) (q : option ratio) (s : option base_noise) : option noise_ledger :=
  if (q, with_count count s) is (Some q, Some (s, n))
  then Some (NoiseLedger no_others [::] [::] [::] [::] [::] [:: (Sample WithRecord q s, n)] [::] [::]) else None.

Definition read_sampled_range (j : json) : option noise_ledger :=
  if fields [:: "bounded_range"; "count"; "rate"]%string j is Some [:: Text e; Text c; Text q]
  then sampled_ledger c (read_rate q) (option_map (fun e => BaseRange (Zpos e.1, e.2)) (read_positive e)) else None.
Definition read_sampled_shift (j : json) : option noise_ledger :=
  if fields [:: "count"; "discrete_laplace"; "rate"]%string j is Some [:: Text c; law; Text q]
  then sampled_ledger c (read_rate q) (if read_law law is Some [:: s] then Some (BaseShift s.1 s.2) else None)
  else None.
Definition read_sampled_bell (j : json) : option noise_ledger :=
  if fields [:: "count"; "discrete_gaussian"; "rate"]%string j is Some [:: Text c; law; Text q]
  then sampled_ledger c (read_rate q) (if read_bell law is Some [:: s] then Some (BaseBell s.1 s.2) else None)
  else None.
Definition read_sampled_laplace (j : json) : option noise_ledger :=
  if fields [:: "count"; "laplace"; "rate"]%string j is Some [:: Text c; law; Text q]
  then sampled_ledger c (read_rate q) (option_map BaseLaplace (read_quotient law)) else None.
Definition read_sampled_normal (j : json) : option noise_ledger :=
  if fields [:: "count"; "mu"; "rate"]%string j is Some [:: Text c; Text m; Text q]
  then sampled_ledger c (read_rate q) (option_map (fun m => BaseNormal (Zpos m.1, m.2)) (read_positive m)) else None.

(** The table of a sample: its first law is drawn from both. *)
Definition sampled_table (q : ratio) (t : table) : table :=
  [seq (radd (rmul (rsub Ratios.one q) x.2) (rmul q x.1), x.2) | x <- t].
Definition read_sampled_table (j : json) : option noise_ledger :=
  if fields [:: "count"; "pair"; "rate"]%string j is Some [:: Text c; laws; Text q] then
    if (read_rate q, with_count c (read_table laws)) is (Some q, Some (t, n))
    then Some (NoiseLedger no_others [::] [::] [::] [::] [:: (sampled_table q t, n)] [::] [::] [::]) else None
  else None.

(** Shuffled batches: from above by how much the sum of one may move, a Gaussian mechanism in each epoch; from
    below what is released.  Of epochs in one order, means have the variance of one sum over their number. *)
Inductive reading := KnownBatch of BinNums.positive | AllSums of sides.
Definition most_batches : Z := 1000000000.
Record epochs := Epochs { batches_each : BinNums.positive; epochs_in_all : BinNums.positive; is_fresh : bool }.
Definition read_epochs (j : json) : option epochs :=
  if fields [:: "batches"; "epochs"; "order"]%string j is Some [:: Text b; Text e; Text o] then
    if among o [:: "fresh"; "persistent"]%string then
      if (read_whole 1 most_batches b, read_whole 1 most_batches e) is (Some (Zpos b), Some (Zpos e))
      then Some (Epochs b e (String.eqb o "fresh")) else None
    else None
  else None.
Definition means_at_once (e : epochs) : BinNums.positive := if is_fresh e then 1%positive else epochs_in_all e.
Definition times_seen (e : epochs) : BinNums.positive := if is_fresh e then epochs_in_all e else 1%positive.
Definition read_shuffled (r : option reading) (j : json) : option noise_ledger :=
  if fields [:: "count"; "shuffled"; "sigma"]%string j is Some [:: Text c; batches; Text s] then
    match read_count c, read_epochs batches, read_positive s, r with
    | Some n, Some e, Some s, Some (KnownBatch moved) =>
        Some (NoiseLedger (Mechanisms [::] [:: ((Zpos (moved * s.2), s.1), (n * Zpos (epochs_in_all e))%coqZ)] [::])
          [::] [::] [::] [::] [::] [::] [::] [::])
    | Some n, Some e, Some s, Some (AllSums sides) =>
        Some (NoiseLedger no_others [::] [::] [::] [::] [::] [::] [::]
          [:: (Batches sides (Zpos (s.1 * s.1), (s.2 * s.2 * means_at_once e)%positive) (batches_each e),
               (n * Zpos (times_seen e))%coqZ)])
    | _, _, _, _ => None
    end
  else None.

Definition read_other (j : json) : option noise_ledger :=
  if read_entry j is Some l then Some (NoiseLedger (mechanisms_of [:: l]) [::] [::] [::] [::] [::] [::] [::] [::]) else None.

(** By whichever reader can read it. *)
Definition read_noise (r : option reading) (j : json) : option noise_ledger :=
  foldr (fun read found => if read j is Some N then Some N else found) None
    [:: read_ranged; read_shifted; read_laplaced; read_belled; read_divergent; read_tabled; read_sampled_range; read_sampled_shift; read_sampled_bell;
        read_sampled_laplace; read_sampled_normal; read_sampled_table; read_shuffled r; read_other].

Definition read_noise_ledger (r : option reading) (j : json) : option noise_ledger :=
  if fields [:: "mechanisms"; "type"]%string j is Some [:: List entries; Text type] then
    if String.eqb type "mechanisms" && ~~ all (fun e => if read_entry e is Some _ then true else false) entries then
      if read_all (read_noise r) entries is Some Ns then Some (foldr joined_noise no_noise Ns) else None
    else None
  else None.

(** What is known of shuffled batches between such neighbours. *)
Definition reading_for (upper : bool) (neighbouring : string) : option reading :=
  if String.eqb neighbouring "zero-out" then Some (if upper then KnownBatch 1%positive else AllSums WithRecord)
  else if String.eqb neighbouring "replace-one" then Some (if upper then KnownBatch 2%positive else AllSums WithEither)
  else None.

(** What says which of the laws has a record is about one that is added or removed; where one is replaced,
    each of the laws has its own: a range is known, and noise on a sum, which moves twice as far, is not. *)
Definition of_either (x : sample * Z) : sample * Z :=
  (Sample WithEither (rate x.1) (base x.1), x.2).
Definition is_of_a_sum (x : sample * Z) : bool :=
  match base x.1 with BaseRange _ => false | _ => true end.
Definition between (neighbouring : string) (N : noise_ledger) : option noise_ledger :=
  if among neighbouring [:: "add-remove-one"; "zero-out"]%string then Some N
  else if ~~ none_of (tabled N) then None
  else if none_of (samples N) then Some N
  else if String.eqb neighbouring "replace-one" && ~~ has is_of_a_sum (samples N)
  then Some (NoiseLedger (others N) (shifted N) (laplaced N) (ranged N) (divergent N) [::] [seq of_either x | x <- samples N] (bells N) (batched N))
  else None.

(** --- a ledger that stands in for it --- *)

(** Bounded range e is (e^2/8)-zCDP, discrete Gaussian noise of variance v is (s^2/2v)-zCDP for a shift s, and
    a shift s of scale b is (s/b)-DP; Laplace noise, divergences, tables and samples stay beside. *)
Definition shift_loss (s : ratio * BinNums.positive) : ratio := reduced (Zpos s.2 * s.1.1) (Zpos s.1.2).
Definition range_rho (e : ratio) : ratio := ((e.1 * e.1)%coqZ, (e.2 * e.2 * 8)%positive).
Definition bell_rho (b : ratio * BinNums.positive) : ratio :=
  ((Zpos b.2 * Zpos b.2 * Zpos b.1.2)%coqZ, Z.to_pos (2 * b.1.1)).
Definition standing_in (N : noise_ledger) : mechanisms :=
  let M := others N in
  Mechanisms
    (of_epsilon M ++ [seq (Number (shift_loss x.1) [::], Ratios.zero, x.2) | x <- shifted N])
    (of_mu M)
    (of_rho M ++ [seq (range_rho x.1, x.2) | x <- ranged N] ++ [seq (bell_rho x.1, x.2) | x <- bells N]).
Definition noise_ok (N : noise_ledger) : bool :=
  [&& all (fun x => Z.leb 0 x.1.1.1) (shifted N), all (fun x => Z.ltb 0 x.1.1) (laplaced N),
      all (fun x => Z.leb 0 x.1.1) (ranged N), all (fun x => all (fun o => Z.leb 0 o.2.1) x.1) (divergent N) &
      [&& all (fun x => table_ok x.1) (tabled N), all (fun x => Z.ltb 0 x.1.1.1) (bells N) & none_of (batched N)]].

(** Samples whose Rényi divergences are known, where it is known which of the laws has the record. *)
Definition base_ok (b : base_noise) : bool :=
  match b with
  | BaseNormal m => Z.ltb 0 m.1
  | BaseLaplace a => Z.ltb 0 a.1
  | BaseRange _ => false
  | BaseShift r _ => Z.ltb 0 r.1
  | BaseBell v _ => Z.ltb 0 v.1
  | BaseLines _ | BaseReports _ => false
  end.
Definition sample_ok (x : sample) : bool :=
  [&& sides_known (has_record x), Z.ltb 0 (rate x).1, rlt (rate x) Ratios.one & base_ok (base x)].

(** --- one after the other --- *)

(** What is known of one mechanism. *)
Inductive single :=
| Plain of parameter
| Shifted of ratio & BinNums.positive
| Laplaced of ratio
| Ranged of ratio
| Divergent of orders
| Tabled of table
| Sampled of sample
| Belled of ratio & BinNums.positive
| Batched of batches.
Definition no_single := Plain (ByRho Ratios.zero).

Definition noise_of (s : single) : noise :=
  match s with
  | Plain p => OfNotion (notion_for p)
  | Shifted r s => OfShift (of_ratio r) (Pos.to_nat s)
  | Laplaced a => OfLaplace (of_ratio a)
  | Ranged e => OfRange (of_ratio e)
  | Divergent os => OfOrders (real_orders os)
  | Tabled t => OfTable (real_table t)
  | Sampled s => sample_noise s
  | Belled v s => bell_noise (v, s)
  | Batched b => batches_noise b
  end.

(** With how many there are of each, in the order of [noises]; and each by itself. *)
Definition each_as (A : Type) (f : A -> single) (s : seq (A * Z)) : seq (single * Z) :=
  [seq (f x.1, x.2) | x <- s].
Definition counted (N : noise_ledger) : seq (single * Z) :=
  let M := others N in
  each_as (fun p => Plain (ByEpsilon p.1 p.2)) (of_epsilon M) ++
  each_as (fun s => Shifted s.1 s.2) (shifted N) ++ each_as Laplaced (laplaced N) ++
  each_as (fun m => Plain (ByMu m)) (of_mu M) ++ each_as (fun r => Plain (ByRho r)) (of_rho M) ++
  each_as Ranged (ranged N) ++ each_as Divergent (divergent N) ++ each_as Tabled (tabled N) ++
  each_as Sampled (samples N) ++ each_as (fun b => Belled b.1 b.2) (bells N) ++
  each_as Batched (batched N).
Definition singles (N : noise_ledger) : seq single := many id (counted N).

Section Many.
Variables (A B C : Type).

Lemma many_cat (n : A -> B) s t : many n (s ++ t) = many n s ++ many n t.
Proof. by rewrite /many map_cat flatten_cat. Qed.
Lemma map_many (f : B -> C) (n : A -> B) s : map f (many n s) = many (fun a => f (n a)) s.
Proof. by rewrite /many map_flatten -map_comp; congr flatten; apply: eq_map => x /=; rewrite map_nseq. Qed.
Lemma many_map (n : B -> C) (g : A -> B) s : many n [seq (g x.1, x.2) | x <- s] = many (fun a => n (g a)) s.
Proof. by rewrite /many -map_comp. Qed.
Lemma eq_many (n n' : A -> B) s : n =1 n' -> many n s = many n' s.
Proof. by move=> e; rewrite /many; congr flatten; apply: eq_map => x; rewrite e. Qed.
Lemma eq_in_many (p : pred A) (n n' : A -> B) s : (forall a, p a -> n a = n' a) -> all (fun x => p x.1) s ->
  many n s = many n' s.
Proof. by rewrite /many => e; elim: s => //= x s IH /andP[px /IH ->]; rewrite e. Qed.
Lemma all_many (p : pred B) (n : A -> B) s : all (fun x => p (n x.1)) s -> all p (many n s).
Proof. by elim: s => //= x s IH /andP[px /IH h]; rewrite all_cat h andbT all_nseq px orbT. Qed.
End Many.

Lemma many_each (A : Type) (f : A -> single) s :
  map noise_of (many id (each_as f s)) = many (fun a => noise_of (f a)) s.
Proof. by rewrite map_many /each_as many_map. Qed.

Lemma noises_singles N : map noise_of (singles N) = noises N.
Proof. by rewrite /singles /counted !many_cat !map_cat !many_each. Qed.

Lemma shift_lossE s : of_ratio (shift_loss s) = (Pos.to_nat s.2)%:R * of_ratio s.1.
Proof. by rewrite /shift_loss of_reduced // IZRM IZR_pos -mulrA. Qed.

Lemma range_rhoE e : of_ratio (range_rho e) = of_ratio e ^+ 2 / 8%:R.
Proof.
rewrite /of_ratio /range_rho /fraction; cbn [fst snd].
rewrite (Pos2Z.inj_mul (e.2 * e.2) 8) (Pos2Z.inj_mul e.2 e.2) !IZRM (IZR_pos 8) expr2.
by rewrite [in RHS]mulf_div invfM mulrA.
Qed.

Lemma bell_rhoE b : Z.lt 0 b.1.1 -> of_ratio (bell_rho b) = (Pos.to_nat b.2)%:R ^+ 2 / (2%:R * of_ratio b.1).
Proof.
move=> v0; rewrite /of_ratio /bell_rho /fraction; cbn [fst snd]; rewrite Z2Pos.id; last exact: Z.mul_pos_pos.
rewrite !IZRM (IZR_pos 2) (IZR_pos b.2) -[Pos.to_nat 2]/2%N.
by rewrite expr2 [_ * (_ / _)]mulrA invf_div mulrA.
Qed.

Lemma repeated_many (A : Type) (n : A -> notion) s : repeated n s = many n s. Proof. by []. Qed.

Definition in_samples (a : R) (ss : seq (sample * Z)) : seq noise_entry := many (fun s => entry_at a (sample_noise s)) ss.

Lemma noises_entries a N : all (fun x => Z.ltb 0 x.1.1.1) (bells N) -> none_of (batched N) -> Permutation
  ([seq Stated n | n <- notions (standing_in N)] ++ in_laplaces a (laplaced N) ++
   in_orders (divergent N) ++ in_tables a (tabled N) ++ in_samples a (samples N)) [seq entry_at a n | n <- noises N].
Proof.
move=> v0 /none_ofP none; rewrite /noises none cats0.
rewrite /notions /standing_in /= !repeated_many !many_cat !map_cat !map_many -!catA.
rewrite (many_map _ (fun s => (Number (shift_loss s) [::], Ratios.zero)) (shifted N)) (many_map _ range_rho) (many_map _ bell_rho).
set A := many _ (of_epsilon _); set B := many _ (shifted N); set L := in_laplaces _ _.
have -> : B = many (fun s => entry_at a (OfShift (of_ratio s.1) (Pos.to_nat s.2))) (shifted N).
  rewrite /B; apply: eq_many => x /=; have -> : value_of (Number (shift_loss x) [::]) = of_ratio (shift_loss x).
    by rewrite /value_of big_nil; exact: addr0.
  by rewrite shift_lossE of_zero.
have -> : many (fun x => Stated (Concentrated (of_ratio (range_rho x)))) (ranged N) =
    many (fun e => entry_at a (OfRange (of_ratio e))) (ranged N).
  by apply: eq_many => x /=; rewrite range_rhoE.
have -> : many (fun x => Stated (Concentrated (of_ratio (bell_rho x)))) (bells N) =
    many (fun b => entry_at a (bell_noise b)) (bells N).
  by apply: (@eq_in_many _ _ (fun b => Z.ltb 0 b.1.1)) v0 => x /Z.ltb_lt x0; rewrite (bell_rhoE x0).
apply: Permutation_app_head; apply: Permutation_app_head.
set M := many _ (of_mu _); set E := many _ (of_rho _); set F := many _ (ranged _); set G := many _ (bells _).
set O := in_orders _; set T := in_tables _ _; set S := in_samples _ _.
have -> : M ++ E ++ F ++ G ++ L ++ O ++ T ++ S = (M ++ E ++ F ++ G) ++ L ++ O ++ T ++ S by rewrite -!catA.
apply: Permutation_trans (Permutation_app_swap_app _ _ _) _; apply: Permutation_app_head.
have forth : (M ++ E ++ F ++ G) ++ O ++ T ++ S = (M ++ E ++ F) ++ G ++ O ++ T ++ S by rewrite -!catA.
have back : (M ++ E ++ F) ++ (O ++ T ++ S) ++ G = M ++ E ++ F ++ O ++ T ++ S ++ G by rewrite -!catA.
have : Permutation ((M ++ E ++ F) ++ G ++ O ++ T ++ S) ((M ++ E ++ F) ++ (O ++ T ++ S) ++ G).
  exact: Permutation_app_head (Permutation_app_comm _ _).
by rewrite -forth back.
Qed.

Lemma base_okP b : base_ok b -> sampled_proper (curve_of b).
Proof.
have above0 z p : Z.ltb 0 z -> 0 < of_ratio (z, p).
  by move=> z0; rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
case: b => [[m p]|[m p]|//|[m p] k|[m p] k|//|//] /=; try exact: above0.
by move/(above0 _ p) => ->; apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
Qed.

Lemma sample_okP x : sample_ok x -> [/\ 0 < of_ratio (rate x), of_ratio (rate x) < 1 & base_ok (base x)].
Proof.
case/and4P=> _ q0 q1 b0; split=> //; last by rewrite -of_one -of_rlt.
by case: (rate x) q0 => z p z0; rewrite divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
Qed.

Lemma sample_proper (a : R) x : (whole_order a)%:R = a -> sample_ok x -> entry_proper a (sample_noise x).
Proof.
move=> e ok; have [q0 q1 b0] := sample_okP ok; case/andP: ok => s _.
by rewrite /= e eqxx s q0 q1 base_okP.
Qed.

Lemma noises_proper a N : noise_ok N -> all (fun x => entry_proper a (sample_noise x.1)) (samples N) ->
  all (entry_proper a) (noises N).
Proof.
have free (A : Type) (n : A -> noise) s : (forall x, entry_proper a (n x)) -> all (entry_proper a) (many n s).
  by move=> h; apply: all_many; elim: s => //= x s ->; rewrite h.
case/and5P=> S L E _ /and3P[T B /none_ofP none] X; rewrite /noises none !all_cat; do !(apply/andP; split); try exact: free.
- by apply: all_many; apply: sub_all S => x; exact: of_ge0.
- by apply: all_many; apply: sub_all L => x /Z.ltb_lt x0; rewrite /= divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
- by apply: all_many; apply: sub_all E => x; exact: of_ge0.
- by apply: all_many; apply: sub_all T => x /table_okP[].
- exact: all_many.
- by apply: all_many; apply: sub_all B => x /Z.ltb_lt x0; rewrite /= divr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
by [].
Qed.
