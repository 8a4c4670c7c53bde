(** What planners do with long lists: folds that may end early, and places in lists.

    All are tail-recursive: lists may be longer than a stack is deep. *)
From Coq Require Import Ascii String ZArith.
From mathcomp Require Import all_ssreflect.
From ExactDP Require Import Plan.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** From a state on, through all of a list. *)
Section Through.
Variables (S A : Type) (step : S -> A -> planned S).
Fixpoint through (s : S) (xs : seq A) : planned S :=
  if xs is x :: rest then
    match step s x with
    | Planned s' => through s' rest
    | Rejected why => Rejected why
    | Malformed why => Malformed why
    | Refused why => Refused why
    end
  else Planned s.
End Through.

Definition needs (ok : bool) (why : string) : planned unit := if ok then Planned tt else Rejected why.

(** Each with its number, from 0 on. *)
Definition numbered (A : Type) (s : seq A) : seq (nat * A) :=
  rev (foldl (fun found a => (found.1.+1, (found.1, a) :: found.2)) (0, [::]) s).2.
Definition by_number (A : Type) (a b : nat * A) : bool := Nat.leb a.1 b.1.

(** A list of so many, from what has a number there, which are sorted; and whether a number stands
    twice. *)
Section Placed.
Variables (A : Type) (none : A).
Fixpoint placed_from (left n : nat) (own : seq (nat * A)) (found : seq A) : seq A :=
  if left is S left' then
    match own with
    | (i, a) :: rest => if Nat.eqb i n then placed_from left' n.+1 rest (a :: found)
        else placed_from left' n.+1 own (none :: found)
    | [::] => placed_from left' n.+1 own (none :: found)
    end
  else rev found.
Fixpoint stands_twice (own : seq (nat * A)) : bool :=
  match own with
  | a :: ((b :: _) as rest) => Nat.eqb a.1 b.1 || stands_twice rest
  | _ => false
  end.
Definition placed_in (size : nat) (own : seq (nat * A)) (twice : string) : planned (seq A) :=
  let own := sort (@by_number A) own in
  if stands_twice own then Rejected twice
  else Planned (placed_from size 0 own [::]).
End Placed.
