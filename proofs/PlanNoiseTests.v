(** Plans for the rule `mesh-lower` (SPEC, 11.6): where outputs are cut into cells, a score for each
    output or cell, near its privacy loss in units, and the threshold of the test.

    Windows are in the order of the entries, of which each is read by itself: what is suggested for it
    stands in the list of its family. Scores begin with the first loss of a window. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Logarithms Enclosures CheckerClosed CheckerNoise CheckerNotions CheckerGaussian.
From ExactDP Require Import CheckerNoiseRows CheckerCells CheckerNormalCells CheckerSampleRows CheckerShuffledRows.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise CertificateNoiseTests CertificateNoiseRules CertificateSubjects CertificateTheorems.
From ExactDP Require Import Plan PlanNumbers PlanProblem PlanWindows PlanGaussians.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- reading --- *)

(** Where the greatest sums of shuffled batches are cut: lists that do not fall, at least one. *)
Definition most_cut : Z := 1000000000000.
Definition read_cut (j : json) : option (seq Z) :=
  let cuts := if items j is Some js then read_all (text_then (read_whole (- most_cut) most_cut)) js else None in
  if cuts is Some ks then if all (fun p => Z.leb p.1 p.2) (zip ks (behead ks)) then Some ks else None else None.
Definition read_cuts (j : json) : option (seq (seq Z)) :=
  if items j is Some (j :: js) then read_all read_cut (j :: js) else None.

Record test_plan := TestPlan { windows : seq window; levels : seq level; cuts_of_maxima : seq (seq Z) }.
Definition read_test_plan (j : json) : option test_plan :=
  let found := match fields [:: "cuts"; "levels"; "windows"]%string j, fields [:: "levels"; "windows"]%string j with
    | Some [:: cuts; levels; windows], _ => if read_cuts cuts is Some ks then Some (ks, levels, windows) else None
    | _, Some [:: levels; windows] => Some ([::], levels, windows)
    | _, _ => None
    end in
  if found is Some (ks, List levels, List windows) then
    if (read_all read_window windows, read_all read_level levels) is (Some ws, Some ls)
    then Some (TestPlan ws ls ks) else None
  else None.
Definition plan_in (own : members) : planned test_plan :=
  let* j := json_in "plan" own in required (read_test_plan j) (Malformed "not a plan").

Definition tilt_in (own : members) : planned ratio :=
  let* t := rational_in "tilt" own in
  if Z.leb 0 t.1 && rle t Ratios.one && Z.leb (bits_of t) short_bits then Planned t
  else Malformed "tilt is not a short probability".
Definition direction_in (own : members) : planned bool :=
  let* j := json_in "direction" own in
  required (one_of [:: ("add", true); ("remove", false)]%string j) (Malformed "direction is neither add nor remove").

Record test := Test {
  test_digits : Z; mesh_u : ratio; follows : test_plan; is_back : bool; at_threshold : Z; tilt_of : ratio
}.
Definition most_threshold : Z := 10 ^ 30.
Definition test_in (own : members) : planned test :=
  let* _ := only [:: "digits"; "direction"; "plan"; "sums"; "threshold"; "tilt"; "unit"]%string own in
  let* _ := none_gathered own in
  let* digits := digits_in own in
  let* u := mesh_unit_in own in
  let* plan := plan_in own in
  let* back := direction_in own in
  let* threshold := whole_in "threshold" (- most_threshold) most_threshold own in
  let* tilt := tilt_in own in
  Planned (Test digits u plan back threshold tilt).

(** --- losses and scores --- *)

(** A loss as a quotient, and one that is known to so many bits. *)
Definition loss_bits : Z := 128.
Definition one_loss : Z := power_of_two loss_bits.
Definition loss := (Z * Z)%type.
Definition loss_of (r : ratio) : loss := (r.1, Zpos r.2).
Definition known_loss (e : enclosure) : loss := (e.1, one_loss).
Definition opposite_loss (back : bool) (l : loss) : loss := if back then (- l.1, l.2) else l.

(** Of a record that takes part with the probability q: ln(1 - q + q e^loss), and back. *)
Definition sampled_loss (q : ratio) (l : loss) : loss :=
  if exponential loss_bits (enclosure_of_fraction loss_bits l.1 l.2) is Some e then
    let y := (e.1 * q.1 + (Zpos q.2 - q.1) * one_loss) / Zpos q.2 in
    if logarithm loss_bits (y, y) is Some e then known_loss e else l
  else l.
Inductive place := Below | At of Z | Above.
Definition place_bits : Z := 48.
Definition unsampled (q : ratio) (l : loss) : place :=
  if exponential loss_bits (enclosure_of_fraction loss_bits l.1 l.2) is Some e then
    let t := (e.1 * Zpos q.2 - (Zpos q.2 - q.1) * one_loss) / q.1 in
    if logarithm loss_bits (t, t) is Some e then At (Z.shiftr e.1 (loss_bits - place_bits)) else Below
  else Below.

(** How far discrete Gaussian noise is listed (SPEC, 7.4). *)
Definition most_reach : Z := 2 ^ 16.
Definition reach_of (digits : Z) (v : ratio) : planned Z :=
  let n := Z.sqrt (5 * v.1 * (digits + 4) / Zpos v.2) + 2 in
  if Z.ltb most_reach n then Rejected "noise on too many integers to list" else Planned n.

Section Scores.
Variables (u : ratio) (back : bool) (w : window).

(** From the first loss of the window on: the point nearest to a loss; or its ends. *)
Definition near (l : loss) : nat :=
  let n := (2 * l.1 * Zpos u.2 + u.1 * l.2) / (2 * u.1 * l.2) in
  Z.to_nat (Z.max (window_first w) (Z.min (window_last w) n) - window_first w).
Definition table_score (x : ratio * ratio) : nat :=
  let (p, q) := if back then (x.2, x.1) else x in
  if Z.eqb q.1 0 then Z.to_nat (window_last w - window_first w)
  else if Z.eqb p.1 0 then O
  else near (known_loss (ln_of_quotient loss_bits (p.1 * Zpos q.2) (Zpos p.2 * q.1))).
Definition shift_losses (s : ratio * BinNums.positive) : seq loss :=
  let shift := Zpos s.2 in
  mkseq (fun j => ((shift - 2 * Z.of_nat j) * s.1.1, Zpos s.1.2)) (Pos.to_nat s.2).+1.

(** Of discrete Gaussian noise, from -(n + shift) to n + shift. *)
Definition bell_losses (n : Z) (b : ratio * BinNums.positive) : seq loss :=
  let shift := Zpos b.2 in
  mkseq (fun i => (shift * (shift - 2 * (Z.of_nat i - n - shift)) * Zpos b.1.2, 2 * b.1.1)) (Z.to_nat (2 * (n + shift) + 1)).

(** --- cells --- *)

(** The points, by rising losses of the laws as they stand. *)
Fixpoint steps_up (n : nat) (step : Z) (found : seq Z) : seq Z :=
  match n, found with
  | S n', x :: _ => steps_up n' step (x + step :: found)
  | _, _ => found
  end.
Definition falling_points : seq Z := foldl (fun found s =>
  steps_up (Z.to_nat ((s.2 - head 0 found) / s.1)) s.1 found) [:: window_first w] (sections w).
Definition points (back : bool) : seq Z := if back then map Z.opp falling_points else rev falling_points.

(** Cells between cuts, each before a point; without those that are empty. *)
Fixpoint cells_at (here : Z) (before : option Z) (after : seq (place * Z)) (ks ss : seq Z) : seq Z * seq Z :=
  match after with
  | (Below, p) :: after' => cells_at p before after' ks ss
  | (At k, p) :: after' =>
      if (if before is Some k' then Z.leb k k' else false) then cells_at p before after' ks ss
      else cells_at p (Some k) after' (k :: ks) (here :: ss)
  | _ => (rev ks, rev (here :: ss))
  end.
Definition cuts_at (back : bool) (step : ratio) (listed : seq Z) (places : seq place) : cuts :=
  let (ks, ss) := cells_at (head 0 listed) None (zip places (behead listed)) [::] [::] in
  Cuts step ks [seq Z.to_nat ((if back then - s else s) - window_first w) | s <- ss].

(** At half-way from one point to the next. *)
Definition cuts_by (back : bool) (step : ratio) (cut : Z -> place) : cuts :=
  let listed := points back in
  cuts_at back step listed [seq cut (p.1 + p.2) | p <- zip listed (behead listed)].

(** Where a plan says, at multiples of the unit times the variance: one cut fewer than there are points. *)
Fixpoint steps_from (before : Z) (ss : seq (Z * Z)) : Z :=
  if ss is s :: ss' then (s.2 - before) / s.1 + steps_from s.2 ss' else 0.
Definition maximum_cuts (v : ratio) (ks : seq Z) : planned cuts :=
  if Z.eqb (length_of ks) (steps_from (window_first w) (sections w))
  then Planned (cuts_at back (rmul u v) (points back) (map At ks))
  else Rejected "not a cut between any two points of a window".

Definition half_way : ratio := (u.1, xO u.2).
Definition loss_at (k : Z) : loss := (k * u.1, Zpos (xO u.2)).
(** Between -a and a: at one end, not at the other. *)
Definition bounded_place (a : ratio) (back : bool) (l : loss) (k : Z) : place :=
  let most := a.1 * l.2 in let here := l.1 * Zpos a.2 in
  if (if back then Z.ltb here (- most) else Z.leb here (- most)) then Below
  else if (if back then Z.leb most here else Z.ltb most here) then Above else At k.
Definition normal_cuts_by : cuts := cuts_by false half_way At.
Definition laplace_cuts (a : ratio) : cuts := cuts_by false half_way (fun k => bounded_place a back (loss_at k) k).

Definition sampled_step : ratio := (1, Pos.pow 2 48).
Definition sampled_cuts (q : ratio) (most : option ratio) : cuts :=
  cuts_by back sampled_step (fun k =>
    match unsampled q (loss_at k), most with
    | At n, Some a => bounded_place a false (n, power_of_two place_bits) n
    | p, _ => p
    end).

(** A range at a part of it, which has two losses. *)
Definition tilted_losses (e t : ratio) : loss * loss :=
  let l := rmul e t in (loss_of l, loss_of (rsub l e)).
Definition range_tilt (e tilt : ratio) : tilted :=
  let t := if back then rsub Ratios.one tilt else tilt in
  let (l, l') := tilted_losses e t in Tilted t.1 t.2 (near l, near l').

Definition sample_cells (digits : Z) (tilt : ratio) (s : sample) : planned cells_hint :=
  let q := rate s in
  let seen l := near (opposite_loss back (sampled_loss q l)) in
  match base s with
  | BaseNormal _ => Planned (ByCuts (sampled_cuts q None))
  | BaseLaplace a => Planned (ByCuts (sampled_cuts q (Some a)))
  | BaseRange e => let (l, l') := tilted_losses e tilt in Planned (ByTilt (Tilted tilt.1 tilt.2 (seen l, seen l')))
  | BaseShift r n => Planned (ByScores (map seen (shift_losses (r, n))))
  | BaseBell v n =>
      let* far := reach_of digits v in Planned (ByScores (rcons (map seen (bell_losses far (v, n))) O))
  | BaseLines _ | BaseReports _ => Rejected "no cells of half-lines or shuffled reports are known"
  end.
End Scores.

(** --- entry by entry --- *)

(** An entry by itself, with its epsilon as it is written, or none; and whether it has a rate. *)
Record entry_alone := EntryAlone { epsilon_written : string; is_sampled : bool; read_alone : noise_ledger }.
Definition each_alone (r : option reading) (entries : seq json) : planned (seq entry_alone) :=
  planned_all (fun j =>
    let* N := required (read_noise r j) (Malformed "not a mechanism") in
    let sampled := if member "rate" j is Some _ then true else false in
    Planned (EntryAlone (if member "epsilon" j is Some (Text e) then e else ""%string) sampled N)) entries.

Record found_cells := FoundCells {
  found_shifts : seq (seq scores); found_laplaces : seq cuts; found_ranges : seq tilted;
  found_tables : seq scores; found_samples : seq cells_hint;
  found_bells : seq (seq scores); found_batches : seq batches_hint;
  left_windows : seq window; left_cuts : seq (seq Z); used_windows : seq (window * Z)
}.

Section Entries.
Variables (t : test).
Let u := mesh_u t.
Let back := is_back t.

(** The next window, for so many. *)
Definition next_window (f : found_cells) (often : Z) : planned (window * found_cells) :=
  if left_windows f is w :: ws then
    Planned (w, FoundCells (found_shifts f) (found_laplaces f) (found_ranges f) (found_tables f)
      (found_samples f) (found_bells f) (found_batches f) ws (left_cuts f) ((w, often) :: used_windows f))
  else Rejected "not a window for each pair of laws".

(** Shifts in their order: equal ones stand together, and have one window. *)
Fixpoint gathered_shifts (ss : seq (ratio * BinNums.positive * Z)) : seq (ratio * BinNums.positive * Z * Z) :=
  if ss is s :: ss' then
    match gathered_shifts ss' with
    | (s', n) :: rest => if Z.eqb (Zpos s.1.2) (Zpos s'.1.2) then (s, n + 1) :: rest else [:: (s, 1), (s', n) & rest]
    | [::] => [:: (s, 1)]
    end
  else [::].
Definition with_shift (f : planned found_cells) (s : ratio * BinNums.positive * Z * Z) : planned found_cells :=
  let* f := f in
  let* (w, f) := next_window f (s.1.2 * s.2) in
  let ss := map (near u w) (shift_losses s.1.1) in
  Planned (FoundCells (nseq (Z.to_nat s.2) ss :: found_shifts f) (found_laplaces f) (found_ranges f)
    (found_tables f) (found_samples f) (found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f)).

Definition with_bell (f : planned found_cells) (s : ratio * BinNums.positive * Z * Z) : planned found_cells :=
  let* f := f in
  let* (w, f) := next_window f (s.1.2 * s.2) in
  let* n := reach_of (test_digits t) s.1.1.1 in
  let ss := rcons (map (near u w) (bell_losses n s.1.1)) O in
  Planned (FoundCells (found_shifts f) (found_laplaces f) (found_ranges f) (found_tables f)
    (found_samples f) (nseq (Z.to_nat s.2) ss :: found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f)).

Definition with_entry (f : planned found_cells) (e : entry_alone) : planned found_cells :=
  let* f := f in
  let N := read_alone e in
  match laplaced N, ranged N, tabled N, samples N, batched N with
  | [:: (a, n)], _, _, _, _ =>
      let* (w, f) := next_window f n in
      Planned (FoundCells (found_shifts f) (laplace_cuts u back w a :: found_laplaces f) (found_ranges f)
        (found_tables f) (found_samples f) (found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f))
  | _, [:: (e, n)], _, _, _ =>
      let* (w, f) := next_window f n in
      Planned (FoundCells (found_shifts f) (found_laplaces f) (range_tilt u back w e (tilt_of t) :: found_ranges f)
        (found_tables f) (found_samples f) (found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f))
  | _, _, [:: (l, n)], _, _ =>
      let* (w, f) := next_window f n in
      Planned (FoundCells (found_shifts f) (found_laplaces f) (found_ranges f)
        (map (table_score u back w) l :: found_tables f) (found_samples f) (found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f))
  | _, _, _, [:: (s, n)], _ =>
      let* (w, f) := next_window f n in
      let* cells := sample_cells u back w (test_digits t) (tilt_of t) s in
      Planned (FoundCells (found_shifts f) (found_laplaces f) (found_ranges f) (found_tables f)
        (cells :: found_samples f) (found_bells f) (found_batches f) (left_windows f) (left_cuts f) (used_windows f))
  | _, _, _, _, [:: (b, n)] =>
      let* (w, f) := next_window f n in
      if left_cuts f is ks :: later then
        let* cuts := maximum_cuts u back w (sum_variance b) ks in
        Planned (FoundCells (found_shifts f) (found_laplaces f) (found_ranges f) (found_tables f) (found_samples f)
          (found_bells f) (BatchesHint cuts back :: found_batches f) (left_windows f) later (used_windows f))
      else Rejected "not a list of cuts for each maximum"
  | _, _, _, _, _ => foldl with_bell (foldl with_shift (Planned f) (gathered_shifts (shifted N))) (gathered_shifts (bells N))
  end.
End Entries.

(** Epsilons above 0 by their texts, with their counts, each once. *)
Definition epsilon_text (e : entry_alone) : seq (string * Z) :=
  if among (epsilon_written e) [:: ""; "0"]%string then [::]
  else [:: (epsilon_written e, sum_over snd (of_epsilon (others (read_alone e))))].
Definition text_le (x y : string * Z) : bool := ~~ string_below y.1 x.1.
Fixpoint added_up (s : seq (string * Z)) : seq (string * Z) :=
  if s is x :: s' then
    match added_up s' with
    | y :: rest => if String.eqb x.1 y.1 then (x.1, x.2 + y.2) :: rest else [:: x, y & rest]
    | [::] => [:: x]
    end
  else [::].
Definition groups_of (entries : seq entry_alone) : seq (string * Z) :=
  added_up (sort text_le (flatten (map epsilon_text entries))).

(** --- the test --- *)

Definition finer_weights : Z := 12.
Definition most_sums : Z := 2 ^ 23.
Definition most_sum_bits : Z := 2 ^ 30.

Definition used_by (g : seq ((string * Z) * window)) : seq (window * Z) := [seq (x.2, x.1.2) | x <- g].
Definition sum_windows (f : window -> Z) (ws : seq (window * Z)) : Z := sum_over (fun x => f x.1 * x.2) ws.

(** That the plan is for these pairs, and how many sums there are of scores. Those of n scores whose weights
    do not round to 0 are within 7 roots of n of their mean, in windows (Hoeffding): others are not kept. *)
Definition fits (t : test) (ws : seq (window * Z)) : planned Z :=
  let most := greatest_of snd ws in
  let far := greatest_of (fun x => Z.max (Z.abs (window_first x.1)) (Z.abs (window_last x.1))) ws in
  if ws is [::] then Rejected "no mechanism has laws to compose" else
  if ~~ Z.eqb (length_of (levels (follows t))) (numbits most - 1) then
    Rejected "not a level for each bit of the counts" else
  if Z.leb 1000 (far * (mesh_u t).1 / Zpos (mesh_u t).2) then Rejected "a privacy loss above 1000" else
  let range := sum_windows (fun w => window_last w - window_first w) ws in
  let kept := sum_over (fun x => (window_last x.1 - window_first x.1) * Z.min x.2 (14 * Z.sqrt x.2)) ws in
  if Z.ltb most_sums kept || Z.ltb most_sum_bits (kept * bits_for (test_digits t + finer_weights))
  then Rejected "the scores have too many sums" else Planned range.

(** Whether some level does not keep all sums of scores as they are. *)
Fixpoint levels_change (ls : seq level) (ws : seq (window * Z)) (low high : Z) : bool :=
  if ls is l :: ls' then
    let used := [seq x.1 | x <- ws & Z.odd (Z.shiftr x.2 (length_of ls))] in
    let low := 2 * low + sum_over window_first used in
    let high := 2 * high + sum_over window_last used in
    [|| Z.ltb low (level_first l), Z.ltb (level_last l) high, Z.ltb 1 (coarser_by l) | levels_change ls' ws low high]
  else false.

(** From the threshold on, above the first scores; where the levels change scores, it is one of others:
    then the best event is tested, whatever threshold a certificate has. *)
Definition threshold_from (t : test) (range : Z) (ws : seq (window * Z)) : option nat :=
  if levels_change (levels (follows t)) ws 0 0 then None
  else Some (Z.to_nat (Z.max 0 (Z.min (range + 1) (at_threshold t - sum_windows window_first ws)))).

(** At a precision that is enough for all normal laws. *)
Definition finest (ps : seq precision) : normal_terms :=
  let best := foldl (fun found p => if Z.ltb (fine found) (fine p) then p else found)
    (Precision 0 0 (O, O) O) ps in
  NormalTerms (fine best) (series best) (pi_terms best).
Definition squares_of (N : noise_ledger) : seq (Z * Z) :=
  flatten [seq if base s.1 is BaseNormal m then [:: (m.1 * m.1, Zpos m.2 * Zpos m.2)] else [::] | s <- samples N].

Definition response_scores (t : test) (p : problem) (groups : seq ((string * Z) * window)) (entries : seq entry_alone) :
    planned (seq (nat * nat)) :=
  let of_entry e :=
    if of_epsilon (others (read_alone e)) is m :: _ then
      let* x := combination_in p m.1.1 in
      let l := known_loss (enclosed_at (subject_in p) loss_bits x) in
      Planned (if found (epsilon_written e) [seq (g.1.1, g.2) | g <- groups] is Some w
        then [:: (near (mesh_u t) w l, near (mesh_u t) w (opposite_loss true l))] else [:: (O, O)])
    else Planned [::] in
  let* found := planned_all of_entry entries in
  Planned (flatten found).

Definition plan_test (entries : seq entry_alone) (b : bound) (N : noise_ledger) (own : members) : planned (seq noise_hint) :=
  let* _ := proves [:: Lower] b in
  let* t := test_in own in
  let* epsilon := finite b in
  let* p := problem_of (others N) [:: epsilon] in
  let* x := combination_in p epsilon in
  let names := groups_of entries in
  let square := square_of false (about p) in
  let has_normal := Z.ltb 0 square.1 in
  let groups := zip names (windows (follows t)) in
  let rest := drop (size names) (windows (follows t)) in
  if Z.ltb (length_of groups) (length_of names) then Rejected "not a window for each pair of laws" else
  let start := FoundCells [::] [::] [::] [::] [::] [::] [::] rest (cuts_of_maxima (follows t)) (used_by groups) in
  let* (normal, start) := if has_normal then let* (w, f) := next_window start 1 in Planned (Some w, f)
    else Planned (None, start) in
  let* f := foldl (with_entry t) (Planned start) entries in
  if left_windows f is _ :: _ then Rejected "not a window for each pair of laws" else
  if left_cuts f is _ :: _ then Rejected "not a list of cuts for each maximum" else
  let* range := fits t (used_windows f) in
  let* responses := response_scores t p groups entries in
  let greatest := Z.min 20000 (Z.shiftr (enclosed_at (subject_in p) loss_bits x).2 loss_bits + 1) in
  let coarse := bits_for (test_digits t + finer_weights) in
  let* e := at_least (coarse + 60 + 3 * greatest / 2) p in
  let squares := (if has_normal then [:: square] else [::]) ++ squares_of N in
  let maxima := [seq (coarse + numbits (Zpos (batches_in_all b.1)), ((sum_variance b.1).1, Zpos (sum_variance b.1).2)) | b <- batched N] in
  let terms := finest (flatten [seq take 1 (precisions s.1 s.2) | s <- map (pair coarse) squares ++ maxima]) in
  Planned [:: NoiseTest e (numbered_by p) (TestHint (power_of_ten (test_digits t + finer_weights))
    (bits_for (test_digits t) + 40) responses (flatten (rev (found_shifts f))) (rev (found_laplaces f))
    (rev (found_ranges f)) (rev (found_tables f)) (rev (found_samples f)) (flatten (rev (found_bells f))) (rev (found_batches f)) terms
    (option_map (normal_cuts_by (mesh_u t)) normal) (threshold_from t range (used_windows f)) (is_back t))].
