(** The verified checker: the rules `post-processing` and `distinguishing-adversary`.

    Probabilities are rationals in lowest terms; the programs go through the histories of the whole
    once, in the order in which the certificate lists rows and choices. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Comparisons CheckerClosed.
From ExactDP Require Import Ratios Interactive RulesInteractive.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition real_tree : tree ratio -> tree R := map_tree of_ratio.
Definition real_row (r : row ratio) : row R :=
  Row (of_ratio (sure_0 r)) (of_ratio (lean r)) (of_ratio (stray r)) (of_ratio (sure_1 r)).
Definition real_pair (x : ratio * ratio) : R * R := (of_ratio x.1, of_ratio x.2).

(** E <= e^x for m = 1, e^x <= E for m = -1: the sign of x - ln E. *)
Definition odds_against (f : effort) (s : subject) (E : ratio) (m : Z) (x : combination) : bool :=
  let qs := (E.1, Zpos E.2) :: quotients s in
  subject_ok f s && quotient_ok (E.1, Zpos E.2) &&
  nonneg (bits f) (enclosures (bits f) (terms f) qs) (ties f) qs
    ((m * x.1)%coqZ, (- m * denominator s)%coqZ :: [seq (m * k)%coqZ | k <- x.2]).

Fixpoint lawful_ratios (t : tree ratio) : bool :=
  let: Tree qs := t in
  all (fun q => all (fun x => [&& Z.leb 0 x.1.1.1, Z.leb 0 x.1.2.1 & lawful_ratios x.2]) q &&
    req (foldr radd zero [seq x.1.1 | x <- q]) one &&
    req (foldr radd zero [seq x.1.2 | x <- q]) one) qs.

Definition at_ratio (side : bool) (law : ratio * ratio) := if side then law.2 else law.1.
Definition after_ratios (law x : ratio * ratio) := (rmul law.1 x.1, rmul law.2 x.2).

(** The sum of f x over a list, where f takes what it needs from a store. *)
Section Gather.
Variables (A B C : Type) (b0 : B) (plus : B -> B -> B) (f : A -> C -> option (B * C)).
Fixpoint gather (s : seq A) (c : C) : option (B * C) :=
  if s is x :: s' then
    if f x c is Some (b, c1) then
      if gather s' c1 is Some (b', c2) then Some (plus b b', c2) else None
    else None
  else Some (b0, c).
End Gather.

(** Whether f gives the same b for all of a list. *)
Section Agree.
Variables (A B C : Type) (same : B -> B -> bool) (f : A -> C -> option (B * C)) (b : B).
Fixpoint agree (s : seq A) (c : C) : option (B * C) :=
  if s is x :: s' then
    if f x c is Some (b', c') then if same b b' then agree s' c' else None else None
  else Some (b, c).
End Agree.

Definition zero_row := Row zero zero zero zero.
Definition add_ratio_rows (r r' : row ratio) :=
  Row (radd (sure_0 r) (sure_0 r')) (radd (lean r) (lean r'))
      (radd (stray r) (stray r')) (radd (sure_1 r) (sure_1 r')).
Definition same_row (r r' : row ratio) :=
  [&& req (sure_0 r) (sure_0 r'), req (lean r) (lean r'), req (stray r) (stray r') &
      req (sure_1 r) (sure_1 r')].

Section Rows.
Variables E d : ratio.
Let rest := rdiv (rsub one d) (radd E one).

Definition row_ok (law : ratio * ratio) (r : row ratio) : bool :=
  [&& Z.leb 0 (sure_0 r).1, Z.leb 0 (lean r).1, Z.leb 0 (stray r).1, Z.leb 0 (sure_1 r).1,
      req law.1 (radd (rmul d (sure_0 r)) (rmul rest (radd (rmul E (lean r)) (stray r)))) &
      req law.2 (radd (rmul d (sure_1 r)) (rmul rest (radd (lean r) (rmul E (stray r)))))].

(** The sum of the rows of the ends that follow, and the rows that are left. *)
Fixpoint total_row (t : tree ratio) (law : ratio * ratio) (rows : seq (row ratio)) :
    option (row ratio * seq (row ratio)) :=
  let: Tree qs := t in
  let of_query := gather zero_row add_ratio_rows (fun x => total_row x.2 (after_ratios law x.1)) in
  match qs, rows with
  | [::], r :: rows' => if row_ok law r then Some (r, rows') else None
  | [::], [::] => None
  | q :: qs', _ =>
      if of_query q rows is Some (r, rows') then agree same_row of_query r qs' rows' else None
  end.
End Rows.

Definition check_post_processing (f : effort) (s : subject) (x : combination) (d E : ratio)
    (ts : seq (tree ratio)) (rows : seq (row ratio)) : bool :=
  [&& odds_against f s E 1 x, Z.leb 0 d.1, rle d one, all lawful_ratios ts &
   if total_row E d (whole ts) (one, one) rows is Some (r, [::])
   then same_row r (Row one one one one) else false].

Section Attacks.
Variables (every : bool) (E : ratio) (side : bool).

Definition counts (a b : ratio) : bool := if every then Z.eqb b.1 0 else rle (rmul E b) a.
Definition part (law : ratio * ratio) : ratio :=
  let a := at_ratio side law in let b := at_ratio (~~ side) law in
  if counts a b then rsub a (rmul E b) else zero.

Section Pick.
Variables (A B : Type) (f : A -> option B).
Fixpoint pick (i : nat) (s : seq A) {struct s} : option B :=
  match s, i with
  | x :: _, O => f x
  | _ :: s', S i' => pick i' s'
  | [::], _ => None
  end.
End Pick.

(** What the ends reached add up to, and the choices that are left. *)
Fixpoint excess (t : tree ratio) (law : ratio * ratio) (choices : seq nat) :
    option (ratio * seq nat) :=
  let: Tree qs := t in
  match qs, choices with
  | [::], _ => Some (part law, choices)
  | _ :: _, c :: choices' =>
      pick (fun q => gather zero radd (fun x => excess x.2 (after_ratios law x.1)) q choices') c qs
  | _ :: _, [::] => None
  end.

Definition exceeds (d : ratio) (ts : seq (tree ratio)) (choices : seq nat) : bool :=
  all lawful_ratios ts &&
  if excess (whole ts) (one, one) choices is Some (v, [::]) then rlt d v else false.
End Attacks.

Definition check_distinguishing_adversary (f : effort) (s : subject) (x : combination)
    (d E : ratio) (side : bool) (ts : seq (tree ratio)) (choices : seq nat) : bool :=
  odds_against f s E (-1) x && exceeds false E side d ts choices.

Definition check_distinguishing_every (d : ratio) (side : bool) (ts : seq (tree ratio))
    (choices : seq nat) : bool :=
  exceeds true one side d ts choices.
