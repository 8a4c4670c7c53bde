(** Windows of losses, and levels, as plans for a profile or for scores give them (SPEC, 11.5). *)
From Coq Require Import String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements.
From ExactDP Require Import Plan PlanNumbers PlanProblem.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Z_scope.

Definition most_loss : Z := 1000000000.
Definition read_loss : string -> option Z := read_whole (- most_loss) most_loss.

(** The first loss, and for each section its step and its end. *)
Record window := Window { window_first : Z; sections : seq (Z * Z) }.
Definition window_last (w : window) : Z := last (window_first w) (unzip2 (sections w)).

Fixpoint read_sections (before : Z) (texts : seq string) : option (seq (Z * Z)) :=
  match texts with
  | [::] => Some [::]
  | step :: end_ :: rest =>
      if (read_whole 1 most_loss step, read_loss end_) is (Some d, Some l) then
        if Z.ltb before l && Z.eqb ((l - before) / d * d) (l - before) then
          if read_sections l rest is Some more then Some ((d, l) :: more) else None
        else None
      else None
  | [:: _] => None
  end.
Definition read_window (j : json) : option window :=
  let texts := if items j is Some js then read_all text js else None in
  match texts with
  | Some [:: first; last] =>
      if (read_loss first, read_loss last) is (Some f, Some l)
      then if Z.ltb f l then Some (Window f [:: (1, l)]) else None else None
  | Some [:: _; "1"%string; _] => None
  | Some (first :: rest) =>
      if (read_loss first, Z.leb (length_of rest) 128) is (Some f, true)
      then option_map (Window f) (read_sections f rest) else None
  | _ => None
  end.

(** A level's window, and how much coarser the mesh then becomes. *)
Record level := Level { level_first : Z; level_last : Z; coarser_by : Z }.
Definition read_level (j : json) : option level :=
  if items j is Some [:: Text first; Text last; Text times] then
    if (read_loss first, read_loss last) is (Some f, Some l)
    then if Z.ltb f l then option_map (Level f l) (read_whole 1 16 times) else None else None
  else None.

(** At most so many answers of randomized responses are gathered in one pair of laws; 0: each stands alone. *)
Definition gathered_in : members -> planned Z := text_in "sums" (read_whole 0 10000000).
Definition none_gathered (own : members) : planned unit :=
  let* sums := gathered_in own in
  if Z.eqb sums 0 then Planned tt else Rejected "randomized responses are gathered beside noise".

Definition short_bits : Z := 256.
Definition mesh_unit_in (own : members) : planned ratio :=
  let* u := rational_in "unit" own in
  if rle (1, Pos.pow 10 12) u && rle u (1000, xH) && Z.leb (bits_of u) short_bits then Planned u
  else Malformed "unit is not a short rational from 1e-12 to 1000".
