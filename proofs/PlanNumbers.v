(** What plans ask of numbers: their sizes, a basis of coprime integers for their logarithms, their
    enclosures and signs, and which multiple of a unit they are. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios Logarithms Enclosures Comparisons CheckerClosed EnclosuresOfNumbers.
From ExactDP Require Import CertificateNumbers Plan.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

(** --- sizes --- *)

Definition numbits (n : Z) : Z := if Z.eqb n 0 then 0 else Z.log2 (Z.abs n) + 1.
Definition length_of (A : Type) (s : seq A) : Z := Z.of_nat (size s).
Definition seq_of_option (A : Type) (a : option A) : seq A := if a is Some a then [:: a] else [::].
Definition sum_over (A : Type) (f : A -> Z) (s : seq A) : Z := foldl (fun n a => n + f a) 0 s.
Definition greatest_of (A : Type) (f : A -> Z) (s : seq A) : Z := foldl (fun n a => Z.max n (f a)) 0 s.

(** The bits of all rationals of a number. *)
Definition bits_in (n : number) : Z :=
  sum_over (fun t => bits_of t.1 + bits_of t.2) (logs n) + bits_of (constant n).
Definition arguments (n : number) : seq ratio := [seq t.2 | t <- logs n].

(** As many bits as so many digits have. *)
Definition bits_for (digits : Z) : Z := digits * 10 / 3 + 1.

(** 2^bits and 10^digits. *)
Definition power_of_two (bits : Z) : Z := Z.shiftl 1 bits.
Definition power_of_ten (digits : Z) : Z := 10 ^ digits.

(** --- bases of coprime integers --- *)

Definition divides (p x : Z) : bool := Z.eqb (x / p * p) x.

(** What is left of x > 0 without its powers of p > 1, and how many there are. *)
Fixpoint without_powers (fuel : nat) (x p : Z) : Z * Z :=
  if fuel is S fuel' then
    if divides p x then
      let: (rest, squares) := without_powers fuel' (x / p) (p * p) in
      if divides p rest then (rest / p, 2 * squares + 2) else (rest, 2 * squares + 1)
    else (x, 0)
  else (x, 0).
Definition removed (x p : Z) : Z * Z := without_powers (Z.to_nat (numbits x)) x p.
Definition exponent (r : ratio) (p : Z) : Z := (removed r.1 p).2 - (removed (Zpos r.2) p).2.

(** Whether no two of some integers have a factor in common: by products of more and more of them. *)
Fixpoint in_pairs (A : Type) (f : A -> A -> A) (s : seq A) : seq A :=
  if s is x :: y :: rest then f x y :: in_pairs f rest else s.
Fixpoint neighbours_coprime (s : seq Z) : bool :=
  if s is x :: y :: rest then Z.eqb (Z.gcd x y) 1 && neighbours_coprime rest else true.
Fixpoint all_coprime (rounds : nat) (s : seq Z) : bool :=
  if rounds is S rounds' then
    if s is [:: _, _ & _] then neighbours_coprime s && all_coprime rounds' (in_pairs Z.mul s) else true
  else false.
Definition parts_of (rs : seq ratio) : seq Z := flatten [seq [:: r.1; Zpos r.2] | r <- rs].
Definition pairwise_coprime (rs : seq ratio) : bool :=
  let s := [seq r.1 * Zpos r.2 | r <- rs] in all_coprime (size s) s.

(** Pairwise coprime integers > 1 of which each integer of the list is a product of powers; [room]
    is how many more there may be. Integers that share primes in all patterns have more than can be
    looked at: at most a few for each integer are. *)
Fixpoint refined (fuel : nat) (room : Z) (basis waiting : seq Z) : option (seq Z) :=
  match fuel, waiting with
  | _, [::] => Some basis
  | O, _ => None
  | S fuel', x :: waiting' =>
    if Z.leb x 1 then refined fuel' room basis waiting' else
    let shares := fun y => Z.ltb 1 (Z.gcd x y) in
    if filter shares basis is y :: others then
      let common := Z.gcd x y in
      refined fuel' (room + 1) (others ++ filter (fun y => ~~ shares y) basis)
        [:: common, (removed x common).1, (removed y common).1 & waiting']
    else if Z.leb room 0 then None
    else refined fuel' (room - 1) (x :: basis) waiting'
  end.
Definition most_refinements : Z := 10000000.
Definition most_members (xs : seq Z) : Z := 2 * length_of xs + 64.
Definition coprime_basis (xs : seq Z) : option (seq Z) :=
  refined (Z.to_nat most_refinements) (most_members xs) [::] xs.

(** --- enclosures of combinations, and their signs --- *)

Section Signs.
Variable s : subject.

Definition logarithms_at (bits : Z) : seq (Z * Z) := logarithms bits (quotients s).
Definition enclosed_by (logs : seq (Z * Z)) (bits : Z) (x : combination) : enclosure :=
  enclosure_of_number bits logs (denominator s) x.
Definition enclosed_at (bits : Z) (x : combination) : enclosure := enclosed_by (logarithms_at bits) bits x.

Definition sign_in (e : enclosure) : Z := if Z.ltb 0 e.1 then 1 else if Z.ltb e.2 0 then -1 else 0.

(** Bits, and logarithms at so many, within what is little work. *)
Definition most_effort : Z := 2 ^ 36.
Definition little_work (bits : Z) : bool := Z.leb (bits * bits * length_of (quotients s)) most_effort.

(** The sign of a number, by more and more bits, where the logarithms are those of coprime numbers:
    nothing else is 0 than what has no coefficient. *)
Definition is_rational (x : combination) : bool := all (Z.eqb 0) x.2.
Fixpoint sign_from (tries : nat) (bits : Z) (x : combination) : planned Z :=
  if is_rational x then Planned (Z.sgn x.1) else
  let sign := sign_in (enclosed_at bits x) in
  if ~~ Z.eqb sign 0 then Planned sign else
  if tries is S tries' then
    if little_work (2 * bits) then sign_from tries' (2 * bits) x
    else Rejected "a sign cannot be decided within the limits"%string
  else Rejected "a sign cannot be decided within the limits"%string.
Definition sign_of : combination -> planned Z := sign_from 9 128.

(** A unit > 0 that is known finely enough to count in it: at so many bits, with the logarithms. *)
Record fine_unit := FineUnit {
  unit_counted : combination; fine_bits : Z; fine_logs : seq (Z * Z); unit_enclosed : enclosure
}.
Fixpoint fine_from (tries : nat) (bits : Z) (u : combination) : planned fine_unit :=
  let logs := logarithms_at bits in
  let e := enclosed_by logs bits u in
  if Z.ltb 0 e.1 && Z.leb (e.2 - e.1) (Z.shiftr e.1 64) then Planned (FineUnit u bits logs e) else
  if Z.leb e.2 0 then Malformed "unit is not positive"%string else
  if tries is S tries' then fine_from tries' (2 * bits) u else Rejected "the unit is too small"%string.
Definition fine_unit_of : combination -> planned fine_unit := fine_from 3 128.

(** The least a with a u >= x, from a on, and whether they are equal: tried early, with few bits. *)
Fixpoint least_from (tries : nat) (a : Z) (u : fine_unit) (x : combination) : planned (Z * bool) :=
  let rest := csub (cscale a (unit_counted u)) x in
  let sign := sign_in (enclosed_by (fine_logs u) (fine_bits u) rest) in
  let* order := if Z.eqb sign 0 then sign_from 2 256 rest else Planned sign in
  if Z.leb 0 order then Planned (a, Z.eqb order 0) else
  if tries is S tries' then least_from tries' (a + 1) u x
  else Rejected "a parameter is too many units"%string.
Definition in_units (u : fine_unit) (x : combination) : planned (Z * bool) :=
  if is_rational (unit_counted u) && is_rational x then
    let a := ceil_div x.1 (unit_counted u).1 in Planned (a, Z.eqb (a * (unit_counted u).1) x.1)
  else least_from 3 (Z.max 0 (enclosed_by (fine_logs u) (fine_bits u) x).1 / (unit_enclosed u).2) u x.

(** A rational unit may be as small as it is written. *)
Definition counted_in (u : combination) : planned fine_unit :=
  if ~~ is_rational u then fine_unit_of u else
  if Z.leb u.1 0 then Malformed "unit is not positive"%string
  else Planned (FineUnit u 128 (logarithms_at 128) (enclosed_at 128 u)).
End Signs.
