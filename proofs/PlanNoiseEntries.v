(** How entries of a noise ledger are written (SPEC, 7.1), as far as that decides nothing about truth:
    they are sorted and merged, one is given by its noise, and lists are not too long, and in order. *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import CertificateSubjects CertificateTheorems CertificateNoise.
From ExactDP Require Import Plan PlanNumbers PlanJson.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

Definition most_entry_bits : Z := 2048.
Definition most_listed : Z := 4096.
Definition most_shifts : Z := 1000.

Definition short_ratio (r : ratio) : bool := Z.leb (bits_of r) most_entry_bits.
Definition between_1_and (A : Type) (most : Z) (s : seq A) : bool :=
  Z.leb 1 (length_of s) && Z.leb (length_of s) most.
Fixpoint in_order_by (A : Type) (before : A -> A -> bool) (s : seq A) : bool :=
  if s is x :: ((y :: _) as s') then before x y && in_order_by before s' else true.

Definition text_of_member (key : string) (j : json) : seq string :=
  if member key j is Some (Text t) then [:: t] else [::].
Definition numbers_at (keys : seq string) (j : json) : seq string :=
  flatten [seq text_of_member key j | key <- keys].

(** The numbers of an entry that are written out, but for shifts and counts. *)
Definition numbers_of_entry (j : json) : seq string :=
  let inside key keys := if member key j is Some law then numbers_at keys law else [::] in
  numbers_at [:: "bounded_range"; "mu"; "rate"] j ++ inside "discrete_laplace" [:: "scale"] ++
  inside "discrete_gaussian" [:: "variance"] ++
  inside "laplace" [:: "scale"; "sensitivity"].
Definition is_short (text : string) : bool := if read_rational text is Some r then short_ratio r else true.

Definition shifts_fit_of (family : string) (j : json) : bool :=
  if member family j is Some law then
    if member "shifts" law is Some (List js) then
      between_1_and most_shifts js &&
      (if read_all (text_then read_shift) js is Some ss
       then in_order_by (fun s s' => Z.leb (Zpos s) (Zpos s')) ss else true)
    else true
  else true.
Definition shifts_fit (j : json) : bool := shifts_fit_of "discrete_laplace" j && shifts_fit_of "discrete_gaussian" j.
Definition lists_fit (N : noise_ledger) : bool :=
  all (fun x => [&& between_1_and most_listed x.1, in_order_by (fun a b => rlt a.1 b.1) x.1 &
                    all (fun o => short_ratio o.1 && short_ratio o.2) x.1]) (divergent N) &&
  all (fun x => between_1_and most_listed x.1) (tabled N).
Definition laws_short (j : json) : bool :=
  if member "pair" j is Some (Object laws) then
    all (fun m => if m.2 is List js then
      if read_all (text_then read_rational) js is Some rs then all short_ratio rs else true else true) laws
  else true.

Definition families : seq string :=
  [:: "bounded_range"; "discrete_gaussian"; "discrete_laplace"; "laplace"; "pair"; "renyi"; "shuffled"].
Definition by_its_noise (j : json) : bool :=
  has (fun key => if member key j is Some _ then true else false) ("rate" :: families).

Definition without_count (j : json) : string :=
  if j is Object members then write_json (Object [seq m <- members | ~~ String.eqb m.1 "count"]) else "".

(** Also of the queries of a workload, which stand in any order. *)
Definition entries_written (entries : seq json) (N : noise_ledger) : planned unit :=
  if ~~ has by_its_noise entries then Malformed "no mechanism is given by its noise" else
  if ~~ all (fun j => all is_short (numbers_of_entry j) && laws_short j) entries then
    Malformed "a number has too many bits" else
  if all shifts_fit entries && lists_fit N then Planned tt else
  Malformed "a list is too long, or not in order".
Definition noise_written (entries : seq json) (N : noise_ledger) : planned unit :=
  if in_order_by string_below (map without_count entries) then entries_written entries N
  else Malformed "mechanisms are not sorted and merged".
