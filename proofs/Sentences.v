(** The sentence of an accepted certificate (SPEC, section 13), from what it states alone.

    Each name, noun and theorem in a sentence stands here, each number is written from its value: nothing
    else of a file is shown.  A number is exact, or rounded so that the sentence follows from what is stated
    ([decimal_above], [decimal_below]). *)
From Coq Require Import Ascii String Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Rules Ratios Comparisons Enclosures EnclosuresOfNumbers CheckerClosed CheckerWorkloads.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import CertificateNoise CertificateExperiments CertificateSubjects Plan PlanProblem Claims.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.
Local Open Scope string_scope.

(** --- canonical text --- *)

Definition digit_of (d : Z) : ascii := nth "0"%char [:: "0"; "1"; "2"; "3"; "4"; "5"; "6"; "7"; "8"; "9"]%char (Z.to_nat d).
Fixpoint digits_onto (fuel : nat) (n : Z) (rest : string) : string :=
  if fuel is S fuel' then
    let q := n / 10 in
    let s := String (digit_of (n - 10 * q)) rest in
    if Z.eqb q 0 then s else digits_onto fuel' q s
  else rest.
Definition whole_text (n : Z) : string :=
  (if Z.ltb n 0 then "-" else "") ++ digits_onto (Z.to_nat (Z.log2 (Z.abs n) + 1)) (Z.abs n) "".
Definition ratio_text (r : ratio) : string :=
  whole_text r.1 ++ (if r.2 is xH then "" else "/" ++ whole_text (Zpos r.2)).

(** Logarithms after what is written already: each with its sign, and a coefficient unless it is 1. *)
Definition term_text (begun : bool) (t : ratio * ratio) : string :=
  let size := (Z.abs t.1.1, t.1.2) in
  (if Z.ltb t.1.1 0 then if begun then " - " else "-" else if begun then " + " else "") ++
  (if req size Ratios.one then "" else ratio_text size ++ "*") ++ "ln(" ++ ratio_text t.2 ++ ")".
Definition number_text (n : number) : string :=
  let begins := ~~ Z.eqb (constant n).1 0 || none_of (logs n) in
  (if begins then ratio_text (constant n) else "") ++
  (if logs n is t :: ts then term_text begins t ++ String.concat "" (map (term_text true) ts) else "").

(** --- decimals --- *)

(** r * 10^places, rounded down, and whether that is exact. *)
Definition power_of_10 (n : Z) : Z := 10 ^ Z.max 0 n.
Definition divided (r : ratio) (places : Z) : Z * bool :=
  let n := r.1 * power_of_10 places in
  let d := Zpos r.2 * power_of_10 (- places) in
  (n / d, Z.eqb (n / d * d) n).

(** The greatest e with 10^e <= r, from a little below it on, for r > 0. *)
Fixpoint magnitude_from (fuel : nat) (e : Z) (r : ratio) : Z :=
  if fuel is S fuel' then
    if Z.eqb (divided r (- e - 1)).1 0 then e else magnitude_from fuel' (e + 1) r
  else e.
Definition magnitude (r : ratio) : Z :=
  magnitude_from 8 ((Z.log2 r.1 - Z.log2 (Zpos r.2) - 1) * 30103 / 100000 - 1) r.

(** m * 10^e: of 17 digits if that is exact, else of 11, rounded up or down. *)
Definition rounded (up : bool) (r : ratio) : Z * Z :=
  let e := magnitude r in
  let: (m, exact) := divided r (16 - e) in
  if exact then (m, e - 16) else
  let: (m, exact) := divided r (10 - e) in ((if up && ~~ exact then m + 1 else m), e - 10).

Definition decimal_ratio (x : Z * Z) : ratio := (x.1 * power_of_10 x.2, Z.to_pos (power_of_10 (- x.2))).

Lemma power_of_10_gt0 n : 0 < power_of_10 n.
Proof. by apply: Z.pow_pos_nonneg => //; exact: Z.le_max_l. Qed.

Section Divided.
Variables (r : ratio) (p : Z).
Let a := power_of_10 p.
Let b := power_of_10 (- p).
Let a0 : 0 < a. Proof. exact: power_of_10_gt0. Qed.
Let b0 : 0 < b. Proof. exact: power_of_10_gt0. Qed.
Let d0 : 0 < Zpos r.2 * b. Proof. exact: Z.mul_pos_pos. Qed.

Lemma divided_below : rle (decimal_ratio ((divided r p).1, - p)) r.
Proof.
rewrite /rle /decimal_ratio /divided /= Z.opp_involutive Z2Pos.id // -/a -/b; apply/Z.leb_le.
by have := Z.mul_div_le (r.1 * a) _ d0; move: (_ / _) => q; lia.
Qed.

Lemma divided_above : rle r (decimal_ratio ((divided r p).1 + (if (divided r p).2 then 0 else 1), - p)).
Proof.
have := Z.mul_succ_div_gt (r.1 * a) _ d0.
rewrite /rle /decimal_ratio /divided Z.opp_involutive Z2Pos.id // -/a -/b [snd _]/= [fst _]/=.
move: (Z.pos r.2) (_ / _) => d q; case: Z.eqb_spec => e h; apply/Z.leb_le; rewrite /=; lia.
Qed.
End Divided.

(** The places and the exponent of what is divided. *)
Lemma shown_at r n : magnitude r - n = - (n - magnitude r). Proof. by lia. Qed.

Theorem rounded_down r : rle (decimal_ratio (rounded false r)) r.
Proof.
rewrite /rounded !shown_at; have := divided_below r (16 - magnitude r).
case: (divided r _) => [m []] // _; have := divided_below r (10 - magnitude r).
by case: (divided r _).
Qed.

Theorem rounded_up r : rle r (decimal_ratio (rounded true r)).
Proof.
rewrite /rounded !shown_at; have := divided_above r (16 - magnitude r).
case: (divided r _) => [m []]; rewrite ?Z.add_0_r // => _; have := divided_above r (10 - magnitude r).
by case: (divided r _) => [m' []]; rewrite ?Z.add_0_r.
Qed.

(** m * 10^e in the shorter of plain and scientific notation, for m >= 0. *)
Fixpoint without_zeros (fuel : nat) (m e : Z) : Z * Z :=
  if fuel is S fuel' then
    if Z.eqb (m / 10 * 10) m then without_zeros fuel' (m / 10) (e + 1) else (m, e)
  else (m, e).
Definition zeros (n : Z) : string := String.concat "" (nseq (Z.to_nat n) "0").
Definition notation_of (x : Z * Z) : string :=
  if Z.eqb x.1 0 then "0" else
  let: (m, e) := without_zeros 32 x.1 x.2 in
  let digits := whole_text m in
  let length := length_from 0 digits in
  let point := length + e in
  let rest := substring 1 (Z.to_nat (length - 1)) digits in
  let scientific := substring 0 1 digits ++ (if Z.eqb length 1 then "" else ".") ++ rest ++ "e" ++ whole_text (point - 1) in
  if Z.ltb point (-17) || Z.ltb 34 point then scientific else
  let plain :=
    if Z.leb 0 e then digits ++ zeros e
    else if Z.ltb 0 point then
      substring 0 (Z.to_nat point) digits ++ "." ++ substring (Z.to_nat point) (Z.to_nat (- e)) digits
    else "0." ++ zeros (- point) ++ digits in
  if Z.leb (length_from 0 plain) (length_from 0 scientific) then plain else scientific.

(** --- numbers, as they are shown --- *)

Definition short_bits : Z := 200.
Definition short_length : Z := 40.
Definition shown_bits : Z := 256.
Definition is_short (n : number) : bool :=
  Z.leb (foldr (fun t b => bits_of t.1 + bits_of t.2 + b) (bits_of (constant n)) (logs n)) short_bits &&
  Z.leb (length_from 0 (number_text n)) short_length.

(** Where it is written with logarithms: its enclosure in units of 2^-256. *)
Definition shown_enclosure (n : number) : option enclosure :=
  if numbering_of [:: n] is Planned k then
    let table := table_in_use k in
    if numbering_ok k && all quotient_ok table then
      option_map (enclosure_of_number shown_bits (logarithms shown_bits table) (common k)) (combination_of k n)
    else None
  else None.

(** The decimal that is shown in the place of a number. *)
Definition decimal_of (up : bool) (n : number) : option (Z * Z) :=
  let of_positive r := if Z.ltb 0 r.1 then Some (rounded up r) else None in
  if none_of (logs n) then of_positive (constant n) else
  if is_short n then None else
  if shown_enclosure n is Some e then
    let bound := if up then e.2 else e.1 in
    if ~~ up && Z.leb bound 0 && at_most (Number Ratios.zero [::]) n then Some (0, 0)
    else of_positive (bound, Z.to_pos (2 ^ shown_bits))
  else None.
Definition shown_number (up : bool) (n : number) : string :=
  if decimal_of up n is Some x then notation_of x else number_text n.
Definition shown_ratio (up : bool) (r : ratio) : string := shown_number up (Number r [::]).

Section Shown.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma value_of_rational n : none_of (logs n) -> value_of n = of_ratio (constant n).
Proof. by move/none_ofP => e; rewrite /value_of e big_nil; exact: addr0. Qed.

Lemma shown_enclosure_sound n e : shown_enclosure n = Some e ->
  of_ratio (e.1, Z.to_pos (2 ^ shown_bits)) <= value_of n <= of_ratio (e.2, Z.to_pos (2 ^ shown_bits)).
Proof.
rewrite /shown_enclosure; case: (numbering_of _) => // k; case: ifP => // /andP[k_ok q_ok].
case X: (combination_of k n) => [x|] // [<-]; rewrite -(combination_of_sound k_ok X).
have D0 : Z.lt 0 (common k) by apply/Z.ltb_lt; case/andP: k_ok.
have b0 : Z.le 0 shown_bits by [].
have /enclosedP/andP[low high] := enclosed_number b0 x q_ok D0.
have two0 : 0 < IZR (2 ^ shown_bits) by rewrite (IZR_lt_iff Z0).
by rewrite /of_ratio /fraction [snd _]/= Z2Pos.id // ler_pdivr_mulr // ler_pdivl_mulr // low high.
Qed.

Theorem decimal_above n x : decimal_of true n = Some x -> value_of n <= of_ratio (decimal_ratio x).
Proof.
rewrite /decimal_of /=; case: ifP => [/value_of_rational ->|_].
  by case: ifP => // _ [<-]; rewrite -of_rle; exact: rounded_up.
case: ifP => // _; case E: (shown_enclosure n) => [e|] //; case: ifP => // _ [<-].
have /andP[_ h] := shown_enclosure_sound E; apply: le_trans h _.
by rewrite -of_rle; exact: rounded_up.
Qed.
Theorem decimal_below n x : decimal_of false n = Some x -> of_ratio (decimal_ratio x) <= value_of n.
Proof.
rewrite /decimal_of /=; case: ifP => [/value_of_rational ->|_].
  by case: ifP => // _ [<-]; rewrite -of_rle; exact: rounded_down.
case: ifP => // _; case E: (shown_enclosure n) => [e|] //; case: ifP => [/andP[_ /at_most_sound h] [<-]|_].
  by apply: le_trans h; rewrite value_of_rational // /of_ratio /fraction !mul0r.
case: ifP => // _ [<-]; have /andP[h _] := shown_enclosure_sound E; apply: le_trans h.
by rewrite -of_rle; exact: rounded_down.
Qed.
End Shown.

(** --- sentences --- *)

Definition is_upper (k : kind) : bool := if k is Upper then true else false.
Definition kind_text (k : kind) : string :=
  match k with Upper => "upper" | Lower => "lower" | Underivable => "underivable" end.
Definition interplay_text (i : interplay) : string :=
  match i with Adaptive => "adaptive" | Concurrent => "concurrent" end.

(** The formulas that a statement may be about. *)
Definition formulas : seq string :=
  [:: "bun-steinke-2016-proposition-1.3"; "canonne-kamath-steinke-2020-corollary-13"].
Definition formula_text (theorem : string) : string :=
  foldr (fun known said => if String.eqb theorem known then known else said) "no formula" formulas.

Definition sentence (b : bound) (whom : string) : string :=
  let up := is_upper (bound_kind b) in
  let rest := " at δ = " ++ shown_ratio up (bound_delta b) ++ " for " ++ whom in
  match bound_epsilon b, bound_kind b with
  | None, _ => "no finite ε" ++ rest
  | Some e, Upper => "ε ≤ " ++ shown_number true e ++ rest
  | Some e, Lower => "ε > " ++ shown_number false e ++ rest
  | Some e, Underivable =>
      formula_text (bound_theorem b) ++ " gives no ε ≤ " ++ shown_number false e ++ rest ++ "; a formula only"
  end.

(** So many of what, how they are bounded and asked, and for whom. *)
Definition of_whom (n : Z) (one many : string) (k : kind) (interaction groups : string) : string :=
  whole_text n ++ " " ++ (if Z.eqb n 1 then one else many) ++
  " (" ++ kind_text k ++ ", " ++ interaction ++ groups ++ ")".
Definition mechanisms_in (M : mechanisms) : Z :=
  foldr (fun m n => m.2 + n) 0 (of_epsilon M) + foldr (fun m n => m.2 + n) 0 (of_mu M) +
  foldr (fun m n => m.2 + n) 0 (of_rho M).

Definition say_ledger (c : claim) : string :=
  sentence (Bound (claim_kind c) (claim_epsilon c) (claim_delta c) (claim_theorem c))
    (of_whom (mechanisms_in (claim_mechanisms c)) "mechanism" "mechanisms" (claim_kind c)
       (interplay_text (claim_interplay c))
       (if claim_group c is xH then "" else ", groups of " ++ whole_text (Zpos (claim_group c)))).

(** Of noise, an epoch of batches and each number of an answer stand by themselves in what is stated: how
    many mechanisms they belong to is said as it was listed. *)
Definition say_experiment (e : number) (d : ratio) (x : experiment) : string :=
  let n := if outcome_of x is OfManyRuns members others _ then runs members + runs others else 1 in
  "ε = " ++ shown_number false e ++ " at δ = " ++ shown_ratio false d ++ " is rejected at level " ++
  shown_ratio true (level_of x) ++ " by an outcome of " ++ whole_text n ++ (if Z.eqb n 1 then " run" else " runs") ++
  " (rejected, adaptive)".

Definition say (c : certificate) : string :=
  let about b n one many interaction :=
    sentence b (of_whom n one many (bound_kind b) interaction "") in
  match stated c with
  | OfLedger claim => say_ledger claim
  | OfBudget b _ _ => about b 1 "budget" "budgets" "fully-adaptive"
  | OfTrees b ts => about b (Z.of_nat (size ts)) "interactive mechanism" "interactive mechanisms" "concurrent"
  | OfWorkload b i w | OfReplacing b i w =>
      about b (Z.of_nat (size (queries w))) "query" "queries" (interplay_text i)
  | OfNoise b _ | OfConstrained b _ _ | OfFamilies b _ => about b (number_listed c) "mechanism" "mechanisms" "adaptive"
  | OfNoiseWorkload b _ => about b (number_listed c) "query" "queries" "adaptive"
  | OfExperiment e d x => say_experiment e d x
  end.
