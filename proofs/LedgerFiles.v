(** Whether a certificate is about the ledger in a file (SPEC, 12.1): the mechanisms of both, in canonical
    text and merged, are the same, and so are their interaction and their neighbours.

    A file is JSON as people write it, with spaces and numbers, but with no key twice.  What a number, a flag
    or a string says is kept as its text. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Ratios CertificateJson CertificateNumbers CertificateStatements CertificateSubjects.
From ExactDP Require Import PlanJson WrittenNumbers Sentences.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(** --- JSON --- *)

Definition is_blank (c : ascii) : bool := has (Ascii.eqb c) [:: " "; "009"; "010"; "013"]%char.
Fixpoint blankless (s : string) : string :=
  if s is String c s' then if is_blank c then blankless s' else s else s.
Definition between_blanks (A : Type) (item : string -> option (A * string)) (s : string) : option (A * string) :=
  if item (blankless s) is Some (x, rest) then Some (x, blankless rest) else None.

(** A string's characters after its first quote, first ones last; and what follows. *)
Fixpoint read_free_text (found s : string) : option (string * string) :=
  if s is String c s1 then
    if Ascii.eqb c """" then Some (reverse_onto found EmptyString, s1)
    else if Ascii.eqb c "\" then if s1 is String c1 rest then read_free_text (String c1 (String c found)) rest else None
    else if char_below c " " then None else read_free_text (String c found) s1
  else None.

Definition in_words (c : ascii) : bool :=
  between "0" "9" c || between "a" "z" c || has (Ascii.eqb c) [:: "+"; "-"; "."; "E"]%char.
Fixpoint read_word (found s : string) : string * string :=
  if s is String c rest then
    if in_words c then read_word (String c found) rest else (reverse_onto found EmptyString, s)
  else (reverse_onto found EmptyString, s).

Definition in_key_order (ms : seq (string * json)) : seq (string * json) :=
  sort (fun m m' => ~~ string_below m'.1 m.1) ms.

Definition read_free_member (value : string -> option (json * string)) (s : string) :=
  if after """" s is Some s1 then
    if read_free_text EmptyString s1 is Some (key, s2) then
      if after ":" (blankless s2) is Some s3 then
        if value s3 is Some (v, rest) then Some ((key, v), rest) else None
      else None
    else None
  else None.

Fixpoint read_free (depth : nat) (s : string) : option (json * string) :=
  if depth is S depth' then
    if after """" s is Some s1 then
      if read_free_text EmptyString s1 is Some (t, rest) then Some (Text t, rest) else None
    else if after "[" s is Some s1 then
      if read_items (between_blanks (read_free depth')) "]" (blankless s1) is Some (js, rest)
      then Some (List js, rest) else None
    else if after "{" s is Some s1 then
      if read_items (between_blanks (read_free_member (between_blanks (read_free depth')))) "}" (blankless s1)
        is Some (ms, rest)
      then if increasing_keys (in_key_order ms) then Some (Object ms, rest) else None else None
    else let: (word, rest) := read_word EmptyString s in
      if word is EmptyString then None else Some (Text word, rest)
  else None.

Definition read_file (bytes : string) : option json :=
  if utf_8 bytes then
    if between_blanks (read_free 17) bytes is Some (j, EmptyString) then Some j else None
  else None.

(** --- mechanisms --- *)

Notation members := (seq (string * json)).

(** With these keys, and perhaps others of these. *)
Definition with_keys (required optional : seq string) (ms : members) : bool :=
  all (fun m => among m.1 required || among m.1 optional) ms &&
  all (fun key => if member key (Object ms) is Some _ then true else false) required.
Definition object_with (required optional : seq string) (j : json) : option members :=
  if j is Object ms then if with_keys required optional ms then Some ms else None else None.
Definition part (key : string) (otherwise : json) (ms : members) : json :=
  if member key (Object ms) is Some j then j else otherwise.
Definition says (t : string) (j : json) : bool := if j is Text t' then String.eqb t t' else false.
Definition has_key (ms : members) (key : string) : bool := if member key (Object ms) is Some _ then true else false.
Definition first_key (keys : seq string) (otherwise : string) (ms : members) : string :=
  foldr (fun key found => if has_key ms key then key else found) otherwise keys.

(** The canonical text of what is written, and of each; mu, which is a sensitivity over a sigma. *)
Definition canonical (j : json) : option json :=
  option_map (fun n => Text (number_text n)) (text_then read_written j).
Definition canonical_list (j : json) : option json :=
  if items j is Some js then option_map List (read_all canonical js) else None.
Definition rational_of (j : json) : option ratio :=
  if text_then read_written j is Some (Number r [::]) then Some r else None.
Definition mu_of (sensitivity sigma : json) : option json :=
  if (rational_of sensitivity, rational_of sigma) is (Some s, Some g) then
    if Z.leb 0 s.1 && Z.ltb 0 g.1 then Some (Text (ratio_text (rdiv s g))) else None
  else None.

Definition most_shift_written : Z := 100000000000000000000.
Definition whole_written (j : json) : option (Z * json) :=
  if j is Text t then option_map (fun n => (n, j)) (read_whole (- most_shift_written) most_shift_written t) else None.
Definition shifts_of (j : json) : option json :=
  if items j is Some js then
    option_map (fun s => List (map snd (sort (fun a b : Z * json => Z.leb a.1 b.1) s))) (read_all whole_written js)
  else None.

(** By rising order. *)
Definition order_of (j : json) : option (ratio * ratio * json) :=
  if j is List [:: a; d] then
    match text_then read_written a, text_then read_written d with
    | Some n, Some m => Some (constant n, constant m, List [:: Text (number_text n); Text (number_text m)])
    | _, _ => None
    end
  else None.
Definition orders_of (j : json) : option json :=
  let below (a b : ratio * ratio * json) :=
    rlt a.1.1 b.1.1 || ~~ rlt b.1.1 a.1.1 && rle a.1.2 b.1.2 in
  if items j is Some js then option_map (fun s => List (map snd (sort below s))) (read_all order_of js) else None.

(** A family's object: its keys, and how each is read. *)
Definition one_text := Text "1".
Definition inner (key : string) (read : json -> option json) (key' : string) (read' : json -> option json)
    (otherwise' : option json) (j : json) : option json :=
  let optional := if otherwise' is Some _ then [:: key'] else [::] in
  let required := if otherwise' is Some _ then [:: key] else [:: key; key'] in
  if object_with required optional j is Some ms then
    let second := part key' (if otherwise' is Some o then o else Text "") ms in
    if (read (part key (Text "") ms), read' second) is (Some a, Some b)
    then Some (Object (in_key_order [:: (key, a); (key', b)])) else None
  else None.
Definition families : seq (string * (json -> option json)) := [::
  ("bounded_range", canonical);
  ("mu", canonical);
  ("renyi", orders_of);
  ("discrete_gaussian", inner "variance" canonical "shifts" shifts_of (Some (List [:: one_text])));
  ("discrete_laplace", inner "scale" canonical "shifts" shifts_of (Some (List [:: one_text])));
  ("skellam", inner "variance" canonical "shifts" shifts_of (Some (List [:: one_text])));
  ("laplace", inner "scale" canonical "sensitivity" canonical (Some one_text));
  ("pair", inner "p" canonical_list "q" canonical_list None)].

(** With a rate, unless that is 1 or nothing is revealed at all. *)
Definition rated (rate : json) (shape : string * json) : option members :=
  if canonical rate is Some (Text q) then
    let is_nothing := String.eqb shape.1 "mu" && says "0" shape.2 in
    Some (if String.eqb q "1" || is_nothing then [:: shape] else in_key_order [:: shape; ("rate", Text q)])
  else None.
Definition further_keys : seq string := [:: "count"; "label"; "rate"].
Definition by_family (ms : members) : option members :=
  let rate := part "rate" one_text ms in
  let family := first_key (map fst families) "sigma" ms in
  if String.eqb family "sigma" then
    if with_keys [:: "sigma"] ("sensitivity" :: further_keys) ms then
      if mu_of (part "sensitivity" one_text ms) (part "sigma" one_text ms) is Some mu
      then rated rate ("mu", mu) else None
    else None
  else if with_keys [:: family] further_keys ms then
    let read := foldr (fun f found => if String.eqb f.1 family then f.2 else found) canonical families in
    if read (part family one_text ms) is Some shape then rated rate (family, shape) else None
  else None.

(** Noise on a sampled sum, by the most that one record moves it: a sensitivity, unless one is replaced. *)
Definition clipped (replaced : bool) (ms : members) : option members :=
  let family := first_key [:: "discrete_gaussian"; "discrete_laplace"; "skellam"; "laplace"] "sigma" ms in
  let clip := part "clip" one_text ms in
  let first := if among family [:: "discrete_gaussian"; "skellam"] then "variance" else "scale" in
  let others := [seq m <- ms | ~~ among m.1 [:: "clip"; family]] in
  if ~~ with_keys [:: "clip"; family; "rate"] [:: "count"; "label"] ms then None else
  if String.eqb family "sigma" then
    if ~~ replaced then by_family [:: ("sigma", part family one_text ms), ("sensitivity", clip) & others] else
    match canonical clip, canonical (part "rate" one_text ms), canonical (part family one_text ms) with
    | Some c, Some q, Some s => Some [:: ("clip", c); ("rate", q); ("sigma", s)]
    | _, _, _ => None
    end
  else if object_with [:: first] [::] (part family one_text ms) is Some own then
    let moved := if String.eqb family "laplace" then ("sensitivity", clip) else ("shifts", List [:: clip]) in
    if ~~ replaced then by_family ((family, Object (moved :: own)) :: others) else
    match canonical clip, canonical (part "rate" one_text ms), canonical (part first one_text own) with
    | Some c, Some q, Some s => Some (in_key_order [:: ("clip", c); ("rate", q); (family, Object [:: (first, s)])])
    | _, _, _ => None
    end
  else None.

Definition in_batches (ms : members) : option members :=
  if with_keys [:: "shuffled"; "sigma"] [:: "count"; "label"; "sensitivity"] ms then
    if object_with [:: "batches"] [:: "epochs"; "order"] (part "shuffled" one_text ms) is Some plan then
      match whole_written (part "batches" one_text plan), whole_written (part "epochs" one_text plan),
            canonical (part "sensitivity" one_text ms), canonical (part "sigma" one_text ms) with
      | Some b, Some e, Some one, Some s =>
          let order := part "order" (Text "fresh") plan in
          if ~~ says "1" one then None else
          Some [:: ("shuffled", Object [:: ("batches", b.2); ("epochs", e.2); ("order", order)]); ("sigma", s)]
      | _, _, _, _ => None
      end
    else None
  else None.

Definition by_parameters (ms : members) : option members :=
  let key := first_key [:: "sigma"; "mu"; "rho"] "epsilon" ms in
  let value := part key one_text ms in
  if String.eqb key "sigma" then by_family ms else
  if ~~ with_keys [:: key] ([:: "count"; "label"] ++ if String.eqb key "epsilon" then [:: "delta"] else [::]) ms
  then None else
  if canonical value is Some v then
    if ~~ String.eqb key "epsilon" then Some [:: (key, v)] else
    if canonical (part "delta" (Text "0") ms) is Some d then Some [:: ("delta", d); (key, v)] else None
  else None.

(** The canonical bytes of a mechanism, and how many there are. *)
Definition is_noise (ms : members) : bool :=
  has (has_key ms) [:: "bounded_range"; "clip"; "rate"; "renyi"; "shuffled"; "discrete_gaussian";
    "discrete_laplace"; "skellam"; "laplace"; "pair"].
Definition written_entry (replaced : bool) (j : json) : option (string * Z) :=
  if j is Object ms then
    let shape := if ~~ is_noise ms then by_parameters ms else
      if has_key ms "clip" then clipped replaced ms else
      if has_key ms "shuffled" then in_batches ms else by_family ms in
    match shape, text_then read_count (part "count" one_text ms) with
    | Some s, Some n => Some (write_json (Object s), n)
    | _, _ => None
    end
  else None.

(** --- ledgers --- *)

(** How many of each, in the order of their bytes. *)
Definition add_entry (e : string * Z) (es : seq (string * Z)) : seq (string * Z) :=
  if es is e' :: es' then if String.eqb e.1 e'.1 then (e.1, (e.2 + e'.2)%Z) :: es' else e :: es else [:: e].
Definition merged_entries (es : seq (string * Z)) : seq (string * Z) :=
  foldr add_entry [::] (sort (fun e e' => ~~ string_below e'.1 e.1) es).

(** What is asked about: neighbours, an interaction, and mechanisms. *)
Record asked := Asked { among_neighbours : string; by_interaction : string; entries_of : seq (string * Z) }.

Definition ledger_keys : seq string := [:: "claims"; "empty"; "format"; "interaction"; "name"; "neighbouring";
  "notes"; "reading"; "source"; "target_delta"; "unit_of_privacy"].
Definition asked_in (bytes : string) : option asked :=
  if read_file bytes is Some j then
    if object_with [:: "mechanisms"] ledger_keys j is Some ms then
      let format := Text "exactdp-ledger/1" in
      if ~~ says "exactdp-ledger/1" (part "format" format ms) then None else
      match part "neighbouring" (Text "unspecified") ms, part "interaction" (Text "adaptive") ms,
            part "mechanisms" one_text ms with
      | Text n, Text i, List entries =>
          option_map (fun es => Asked n i (merged_entries es))
            (read_all (written_entry (String.eqb n "replace-one")) entries)
      | _, _, _ => None
      end
    else None
  else None.

(** The same of the statement of a certificate, whose entries are canonical as they stand. *)
Definition stated_entry (j : json) : option (string * Z) :=
  if j is Object ms then
    if text_then read_count (part "count" (Text "") ms) is Some n
    then Some (write_json (Object [seq m <- ms | ~~ String.eqb m.1 "count"]), n) else None
  else None.
Definition asked_by (statement : json) : option asked :=
  match member "neighbouring" statement, member "interaction" statement, member "subject" statement with
  | Some (Text n), Some (Text i), Some subject =>
      if fields [:: "mechanisms"; "type"] subject is Some [:: List entries; _]
      then option_map (fun es => Asked n i (merged_entries es)) (read_all stated_entry entries) else None
  | _, _, _ => None
  end.

Definition same_entries (es es' : seq (string * Z)) : bool :=
  Nat.eqb (size es) (size es') && all2 (fun e e' => String.eqb e.1 e'.1 && Z.eqb e.2 e'.2) es es'.
Definition same_asked (a b : asked) : bool :=
  [&& String.eqb (among_neighbours a) (among_neighbours b), String.eqb (by_interaction a) (by_interaction b) &
      same_entries (entries_of a) (entries_of b)].
Lemma same_askedP a b : same_asked a b -> a = b.
Proof.
case: a b => n i es [n' i' es'] /and3P[/String.eqb_eq /= -> /String.eqb_eq /= -> h]; congr Asked.
case/andP: h => _; elim: es es' => [|[t k] es IH] [|[t' k'] es'] //=.
by case/andP=> /andP[/String.eqb_eq -> /Z.eqb_eq ->] /IH ->.
Qed.
