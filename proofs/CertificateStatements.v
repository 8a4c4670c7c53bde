(** What a certificate states of a ledger (SPEC, section 3), read from its bytes; and what that means.

    [read_claim] reads the statement, and [holds_of_ledger] says what it means, in terms of mechanisms
    alone (Notions.v and RulesGroupsMixed.v).  Statements about anything else are in
    CertificateSubjects.v. *)
From Coq Require Import Ascii String Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Privacy Reals Rules Notions RulesGaussian RulesConcentrated RulesGroupsMixed.
From ExactDP Require Import ConcurrentTheorems ConcurrentAttainment ConcurrentGroups.
From ExactDP Require Import CheckerClosed Ratios CertificateJson CertificateNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope string_scope.
Delimit Scope Z_scope with coqZ.

(** --- what is read --- *)

Inductive kind := Upper | Lower | Underivable.
Inductive interplay := Adaptive | Concurrent.

(** Mechanisms that are (epsilon, delta)-DP, by mu and by rho, each with how many there are. *)
Record mechanisms := Mechanisms {
  of_epsilon : seq (number * ratio * Z);
  of_mu : seq (ratio * Z);
  of_rho : seq (ratio * Z)
}.

Record claim := Claim {
  claim_kind : kind;
  claim_epsilon : option number;   (* none: every one *)
  claim_delta : ratio;
  claim_group : BinNums.positive;
  claim_interplay : interplay;
  claim_theorem : string;
  claim_mechanisms : mechanisms
}.

(** --- what it means --- *)

Definition repeated (A : Type) (n : A -> notion) (s : seq (A * Z)) : seq notion :=
  flatten [seq nseq (Z.to_nat x.2) (n x.1) | x <- s].
Definition notions (M : mechanisms) : seq notion :=
  repeated (fun p => Approximate (value_of p.1) (of_ratio p.2)) (of_epsilon M) ++
  repeated (fun m => Gaussian (of_ratio m)) (of_mu M) ++
  repeated (fun r => Concentrated (of_ratio r)) (of_rho M).

(** For an epsilon, or for every one. *)
Definition at_epsilon (epsilon : option number) (P : R -> Prop) : Prop :=
  if epsilon is Some e then P (value_of e) else forall e, P e.

(** Whatever an adversary says in the end who interleaves its questions to interactive mechanisms of
    these notions ([views] in ConcurrentTheorems.v).  From below: what some such adversary says
    ([breaks_concurrently] in ConcurrentAttainment.v).  Of groups: on a path of at most g neighbours
    ([concurrently_of_groups] and [breaks_concurrently_for_groups] in ConcurrentGroups.v). *)
Definition concurrently (ns : seq notion) (epsilon delta : R) : Prop :=
  forall (Y : finType) (P Q : Y -> R), views ns P Q -> indistinguishable (exp epsilon) delta P Q.

(** The formula that a theorem names gives no such bound. *)
Definition formula_fails (theorem : string) (ns : seq notion) (epsilon delta : R) : Prop :=
  (theorem = "bun-steinke-2016-proposition-1.3" /\ bun_steinke_underivable ns epsilon delta) \/
  (theorem = "canonne-kamath-steinke-2020-corollary-13" /\
   canonne_kamath_steinke_underivable ns epsilon delta).

(** For neighbours; and for groups of g, joined by a path of at most g neighbours. *)
Definition holds_near (c : claim) (epsilon delta : R) : Prop :=
  let ns := notions (claim_mechanisms c) in
  match claim_kind c, claim_interplay c with
  | Upper, Adaptive => mixed_upper G ns epsilon delta
  | Upper, Concurrent => concurrently ns epsilon delta
  | Lower, Adaptive => mixed_lower G ns epsilon delta
  | Lower, Concurrent => breaks_concurrently ns epsilon delta
  | Underivable, _ => formula_fails (claim_theorem c) ns epsilon delta
  end.
Definition holds_far (c : claim) (epsilon delta : R) : Prop :=
  let ns := notions (claim_mechanisms c) in
  let g := Pos.to_nat (claim_group c) in
  match claim_kind c, claim_interplay c with
  | Upper, Adaptive => mixed_upper_of_groups ns g epsilon delta
  | Upper, Concurrent => concurrently_of_groups ns g epsilon delta
  | Lower, Adaptive => mixed_lower_of_groups ns g epsilon delta
  | Lower, Concurrent => breaks_concurrently_for_groups ns g epsilon delta
  | Underivable, _ => False   (* the formulas are about neighbours *)
  end.

Definition holds_of_ledger (c : claim) : Prop :=
  at_epsilon (claim_epsilon c) (fun epsilon =>
    if claim_group c is xH then holds_near c epsilon (of_ratio (claim_delta c))
    else holds_far c epsilon (of_ratio (claim_delta c))).

(** --- reading --- *)

Definition one_of (A : Type) (choices : seq (string * A)) (j : json) : option A :=
  if text j is Some t then
    foldr (fun c found => if String.eqb t c.1 then Some c.2 else found) None choices
  else None.

Definition most_count : Z := 1000000000000000000.
Definition read_count : string -> option Z := read_whole 1 most_count.

Definition text_then (A : Type) (read : string -> option A) (j : json) : option A :=
  if text j is Some t then read t else None.

(** What an entry says of each of its mechanisms. *)
Inductive parameter := ByEpsilon of number & ratio | ByMu of ratio | ByRho of ratio.
Definition notion_for (p : parameter) : notion :=
  match p with
  | ByEpsilon e d => Approximate (value_of e) (of_ratio d)
  | ByMu m => Gaussian (of_ratio m)
  | ByRho r => Concentrated (of_ratio r)
  end.

(** An entry of a ledger: its notion and its texts, for their order, and what they say. *)
Record listed := Listed {
  notion_number : nat; entry_texts : string * string; what : parameter; times_listed : Z
}.

Definition read_entry (j : json) : option listed :=
  match fields [:: "count"; "delta"; "epsilon"] j with
  | Some [:: Text c; Text d; Text e] =>
      match read_count c, read_probability d, read_number e with
      | Some n, Some delta, Some epsilon =>
          if rlt delta Ratios.one then Some (Listed 0 (e, d) (ByEpsilon epsilon delta) n) else None
      | _, _, _ => None
      end
  | _ =>
    match fields [:: "count"; "mu"] j with
    | Some [:: Text c; Text m] =>
        if (read_count c, read_not_negative m) is (Some n, Some mu)
        then Some (Listed 1 (m, "") (ByMu mu) n) else None
    | _ =>
      match fields [:: "count"; "rho"] j with
      | Some [:: Text c; Text r] =>
          if (read_count c, read_not_negative r) is (Some n, Some rho)
          then Some (Listed 2 (r, "") (ByRho rho) n) else None
      | _ => None
      end
    end
  end.

Definition listed_before (a b : listed) : bool :=
  if Nat.eqb (notion_number a) (notion_number b) then
    if String.eqb (entry_texts a).1 (entry_texts b).1
    then string_below (entry_texts a).2 (entry_texts b).2
    else string_below (entry_texts a).1 (entry_texts b).1
  else Nat.ltb (notion_number a) (notion_number b).

(** Entries are written in the order of their bytes, where delta stands before epsilon; they are kept in
    the order of their epsilons. *)
Definition written_before (a b : listed) : bool :=
  if Nat.eqb (notion_number a) (notion_number b) then
    if String.eqb (entry_texts a).2 (entry_texts b).2
    then string_below (entry_texts a).1 (entry_texts b).1
    else string_below (entry_texts a).2 (entry_texts b).2
  else Nat.ltb (notion_number a) (notion_number b).
Fixpoint in_order (s : seq listed) : bool :=
  match s with
  | a :: ((b :: _) as rest) => if written_before a b then in_order rest else false
  | _ => true
  end.
Definition by_epsilon (s : seq listed) : seq listed := sort (fun a b => ~~ listed_before b a) s.

Definition mechanisms_of (s : seq listed) : mechanisms :=
  foldr (fun l M => match what l with
    | ByEpsilon e d => Mechanisms ((e, d, times_listed l) :: of_epsilon M) (of_mu M) (of_rho M)
    | ByMu m => Mechanisms (of_epsilon M) ((m, times_listed l) :: of_mu M) (of_rho M)
    | ByRho r => Mechanisms (of_epsilon M) (of_mu M) ((r, times_listed l) :: of_rho M)
    end) (Mechanisms [::] [::] [::]) s.

Definition read_ledger (j : json) : option mechanisms :=
  if fields [:: "mechanisms"; "type"] j is Some [:: List entries; Text type] then
    if String.eqb type "mechanisms" then
      if read_all read_entry entries is Some s then
        if in_order s then Some (mechanisms_of (by_epsilon s)) else None
      else None
    else None
  else None.

(** A number, or every one in a lower bound. *)
Definition read_epsilon (k : kind) (s : string) : option (option number) :=
  if String.eqb s "every" then (if k is Lower then Some None else None)
  else if read_number s is Some n then Some (Some n) else None.

Definition read_claim (j : json) : option claim :=
  match fields [:: "delta"; "epsilon"; "group"; "interaction"; "kind"; "neighbouring"; "subject";
                   "theorem"] j with
  | Some [:: Text delta; Text epsilon; Text group; interaction; of_kind; Text neighbouring; subject;
             Text theorem] =>
      match one_of [:: ("upper", Upper); ("lower", Lower); ("underivable", Underivable)] of_kind,
            one_of [:: ("adaptive", Adaptive); ("concurrent", Concurrent)] interaction,
            read_probability delta, read_whole 1 most_count group, read_ledger subject with
      | Some k, Some i, Some d, Some (Zpos g), Some M =>
          if among neighbouring [:: "add-remove-one"; "replace-one"; "unspecified"] then
            if read_epsilon k epsilon is Some e then Some (Claim k e d g i theorem M) else None
          else None
      | _, _, _, _, _ => None
      end
  | _ => None
  end.
