(** The verified checker: how far a matrix moves what a record contributes (SPEC, 7.7), from above and from
    below, in integers over a common denominator.

    From above: of each list of rounds the sum of |X_ij|, X being C^T C; where any rounds so far apart are
    possible, the best sum of g_i, which is X_ii and the best sum of others in its row.  Best sums are found
    from the last round on, for one round more at a time ([best_sums]).  From below: one list of rounds,
    with a sign for each. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules NoiseLedgers CorrelatedNoise Ratios CheckerClosed.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- a matrix --- *)

Definition at_round (row : seq Z) (j : nat) : Z := nth Z0 row j.
Record whole_matrix := WholeMatrix { rows_of : seq (seq Z); over : BinNums.positive }.
Definition real_matrix (C : whole_matrix) : matrix :=
  [seq [seq IZR z / IZR (Zpos (over C)) | z <- row] | row <- rows_of C].

Fixpoint added (a b : seq Z) : seq Z :=
  match a, b with x :: a', y :: b' => (x + y)%coqZ :: added a' b' | [::], _ => b | _, [::] => a end.
Definition gram_row (C : seq (seq Z)) (i : nat) : seq Z :=
  foldr (fun row sum => let x := at_round row i in
    if Z.eqb x 0 then sum else added [seq (x * z)%coqZ | z <- row] sum) [::] C.

Definition sum_at (ws : seq Z) (pi : seq nat) : Z := foldr (fun j sum => at_round ws j + sum)%coqZ Z0 pi.

(** --- rounds so far apart --- *)

(** Of each round on, the best sum of one round more than before. *)
Fixpoint one_more (apart : nat) (ws before : seq Z) : seq Z :=
  if ws is w :: ws' then
    let now := one_more apart ws' (behead before) in
    Z.max (head Z0 now) (w + nth Z0 before apart) :: now
  else [:: Z0].
Definition best_sums (apart most : nat) (ws : seq Z) : seq Z := iter most (one_more apart ws) [::].
Definition best_sum (apart most : nat) (ws : seq Z) : Z := head Z0 (best_sums apart most ws).

(** In the row of i: what may be beside it. *)
Definition distant (apart i j : nat) : bool := Nat.leb (i + apart) j || Nat.leb (j + apart) i.
Fixpoint beside_round (apart i j : nat) (row : seq Z) : seq Z :=
  if row is x :: row' then (if distant apart i j then Z.abs x else Z0) :: beside_round apart i j.+1 row' else [::].
Definition with_beside (apart most rounds i : nat) (C : seq (seq Z)) : Z :=
  let row := gram_row C i in (Z.abs (at_round row i) + best_sum apart most.-1 (take rounds (beside_round apart i 0 row)))%coqZ.

(** --- both ends --- *)

Definition list_above (C : seq (seq Z)) (pi : seq nat) : Z :=
  foldr (fun i sum => sum_at [seq Z.abs z | z <- gram_row C i] pi + sum)%coqZ Z0 pi.
Definition square_above (C : whole_matrix) (p : participation) : Z :=
  match p with
  | AmongLists pis => foldr (fun pi m => Z.max (list_above (rows_of C) pi) m) Z0 pis
  | SoFarApart rounds most apart =>
      best_sum apart most [seq with_beside apart most rounds i (rows_of C) | i <- iota 0 rounds]
  end.

Definition square_below (C : whole_matrix) (signed : seq (nat * bool)) : Z :=
  foldr (fun row sum =>
      let x := foldr (fun p s => (if p.2 then at_round row p.1 else - at_round row p.1) + s)%coqZ Z0 signed in
      (x * x + sum)%coqZ) Z0 (rows_of C).
Fixpoint so_far_apart (apart : nat) (pi : seq nat) : bool :=
  if pi is i :: ((j :: _) as pi') then Nat.leb (i + apart) j && so_far_apart apart pi' else true.
Definition takes_part_ok (p : participation) (pi : seq nat) : bool :=
  match p with
  | AmongLists pis => has (fun pi' => Nat.eqb (size pi) (size pi') && all2 Nat.eqb pi pi') pis
  | SoFarApart rounds most apart =>
      [&& Nat.leb (size pi) most, all (fun j => Nat.ltb j rounds) pi & so_far_apart apart pi]
  end.

(** --- soundness --- *)

Lemma at_added a b j : at_round (added a b) j = (at_round a j + at_round b j)%coqZ.
Proof.
rewrite /at_round; elim: a b j => [|x a IH] [|y b] [|j] //=; rewrite ?nth_nil; lia.
Qed.

Lemma at_scaled x row j : at_round [seq (x * z)%coqZ | z <- row] j = (x * at_round row j)%coqZ.
Proof. by rewrite /at_round; elim: row j => [|z row IH] [|j] //=; lia. Qed.

Lemma at_abs row j : at_round [seq Z.abs z | z <- row] j = Z.abs (at_round row j).
Proof. by rewrite /at_round; elim: row j => [|z row IH] [|j] //=. Qed.

Lemma at_gram_row C i j :
  at_round (gram_row C i) j = foldr (fun row s => at_round row i * at_round row j + s)%coqZ Z0 C.
Proof.
elim: C => [|row C IH] /=; first by rewrite /at_round nth_nil.
by case: Z.eqb_spec => [->|_]; rewrite ?at_added ?at_scaled IH; lia.
Qed.

Lemma at_real (D : R) row j : [seq IZR z / D | z <- row]`_j = IZR (at_round row j) / D.
Proof. by rewrite /at_round; elim: row j => [|z row IH] [|j] //=; rewrite mul0r. Qed.

Lemma gram_real C i j :
  gram (real_matrix C) i j = IZR (at_round (gram_row (rows_of C) i) j) / IZR (Zpos (over C)) ^+ 2.
Proof.
rewrite at_gram_row /gram /real_matrix big_map; elim: (rows_of C) => [|row s IH] /=; first by rewrite big_nil mul0r.
by rewrite big_cons IH !at_real IZRD IZRM mulrDl mulf_div expr2.
Qed.

Lemma sum_at_real ws pi : IZR (sum_at ws pi) = \sum_(j <- pi) IZR (at_round ws j).
Proof. by elim: pi => [|j pi IH] /=; rewrite ?big_nil // big_cons IZRD IH. Qed.

Lemma IZR_absZ z : IZR (Z.abs z) = `|IZR z|.
Proof.
case: (Z.abs_spec z) => -[h ->]; first by rewrite ger0_norm // (IZR_le_iff Z0); exact/Z.leb_le.
rewrite ltr0_norm ?(IZR_lt_iff _ Z0); last exact/Z.ltb_lt.
by rewrite opp_IZR.
Qed.

Section Best.
Variables (apart : nat) (ws : seq Z).

Lemma one_more_step v before j : at_round (one_more apart v before) j =
  if (j < size v)%N then Z.max (at_round (one_more apart v before) j.+1) (at_round v j + at_round before (j + apart)) else Z0.
Proof.
rewrite /at_round; elim: v before j => [|w v IH] before [|j] //=; rewrite ?nth_nil //.
by rewrite ltnS IH; case: ifP => // _; rewrite nth_behead.
Qed.

Definition best_at k j := at_round (best_sums apart k ws) j.

Lemma best_falls k j : Z.le 0 (best_at k j) /\ Z.le (best_at k j.+1) (best_at k j).
Proof.
have step d : (size ws - j <= d)%N -> Z.le 0 (best_at k j) /\ Z.le (best_at k j.+1) (best_at k j); last exact: (step _ (leqnn _)).
case: k => [|k]; first by rewrite /best_at /best_sums /at_round !nth_nil.
have E i : best_at k.+1 i = if (i < size ws)%N then Z.max (best_at k.+1 i.+1) (at_round ws i + best_at k (i + apart)) else Z0.
  by rewrite /best_at /best_sums iterS one_more_step.
elim: d j => [|d IH] j; rewrite E [best_at _ j.+1]E.
  rewrite leqn0 subn_eq0 => h; have -> : (j < size ws)%N = false by rewrite ltnNge h.
  by have -> : (j.+1 < size ws)%N = false by rewrite ltnNge (leq_trans h).
move=> h; have [] := IH j.+1; first by rewrite subnS -ltnS; case: (size ws - j)%N h.
rewrite [best_at _ j.+1]E; case: ifP => h1; case: ifP => h2 a b; lia.
Qed.

Lemma best_from k i j : (i <= j)%N -> Z.le (best_at k j) (best_at k i).
Proof.
move/subnKC <-; elim: (j - i)%N => [|n IH]; first by rewrite addn0; lia.
by rewrite addnS; have [_] := best_falls k (i + n); lia.
Qed.

Lemma best_sumP k pi i : (size pi <= k)%N -> all (fun j => j < size ws)%N pi -> all (fun j => i <= j)%N pi ->
  sorted (fun i j => i + apart <= j)%N pi -> Z.le (sum_at ws pi) (best_at k i).
Proof.
elim: pi k i => [|j pi IH] k i; first by case: (best_falls k i).
case: k => // k /= s /andP[jw W] /andP[ij _] S.
have up := @best_from k.+1 i j ij; apply: (Z.le_trans _ (best_at k.+1 j)); last exact: up.
rewrite /best_at /best_sums iterS one_more_step jw.
have tail : Z.le (sum_at ws pi) (best_at k (j + apart)).
  apply: IH => //; last exact: path_sorted S.
  elim: (pi) (j) S => //= j' pi' IH' i' /andP[h1 h2]; rewrite h1 /=.
  apply: sub_all (IH' j' h2) => j2 h3; apply: leq_trans h3.
  exact: leq_trans h1 (leq_addr _ _).
by move: tail; rewrite /best_at /best_sums; lia.
Qed.

Lemma best_sum_above k pi : (size pi <= k)%N -> all (fun j => j < size ws)%N pi ->
  sorted (fun i j => i + apart <= j)%N pi -> Z.le (sum_at ws pi) (best_sum apart k ws).
Proof.
move=> s W S; rewrite /best_sum -nth0; apply: (@best_sumP k pi 0) => //.
by apply/allP.
Qed.
End Best.

Lemma at_beside apart i row k j : at_round (beside_round apart i k row) j =
  if distant apart i (k + j) then Z.abs (at_round row j) else Z0.
Proof.
rewrite /at_round; elim: row k j => [|x row IH] k [|j] //=; rewrite ?nth_nil.
- by case: ifP.
- by case: ifP.
- by rewrite addn0.
by rewrite IH addSnnS.
Qed.

Lemma sum_at_le ws vs pi : (forall j, j \in pi -> Z.le (at_round ws j) (at_round vs j)) -> Z.le (sum_at ws pi) (sum_at vs pi).
Proof.
elim: pi => [|j pi IH] h /=; first lia.
have a := h j (mem_head _ _).
have b : Z.le (sum_at ws pi) (sum_at vs pi) by apply: IH => i m; apply: h; rewrite inE m orbT.
by move: a b; rewrite /sum_at; lia.
Qed.

Section Above.
Variable C : whole_matrix.
Let rows := rows_of C.
Let D0 : 0 < IZR (Zpos (over C)) :> R. Proof. by rewrite (IZR_lt_iff Z0). Qed.

Lemma list_above_real pi :
  \sum_(i <- pi) \sum_(j <- pi) `|gram (real_matrix C) i j| = IZR (list_above rows pi) / IZR (Zpos (over C)) ^+ 2.
Proof.
have each i : \sum_(j <- pi) `|gram (real_matrix C) i j| =
    IZR (sum_at [seq Z.abs z | z <- gram_row rows i] pi) / IZR (Zpos (over C)) ^+ 2.
  rewrite sum_at_real mulr_suml; apply: eq_bigr => j _.
  by rewrite gram_real normrM at_abs IZR_absZ [X in _ * X]ger0_norm // invr_ge0 exprn_ge0 // ltW.
rewrite (eq_bigr _ (fun i _ => each i)) -mulr_suml; congr (_ / _); rewrite /list_above.
suff all_of s : \sum_(i <- s) IZR (sum_at [seq Z.abs z | z <- gram_row rows i] pi) =
    IZR (foldr (fun i sum => sum_at [seq Z.abs z | z <- gram_row rows i] pi + sum)%coqZ Z0 s) by exact: all_of.
by elim: s => [|i s IH] /=; rewrite ?big_nil // big_cons IZRD IH.
Qed.

Lemma listed_at_most pi pis : pi \in pis -> Z.le (list_above rows pi) (square_above C (AmongLists pis)).
Proof.
rewrite /square_above -/rows; elim: pis => //= pi' pis IH; rewrite inE => /predU1P[->|/IH]; lia.
Qed.

(** What any contributions to lists of rounds move. *)
Theorem moved_of_lists pis pi d (u : nat -> 'I_d -> R) reach : takes_part (AmongLists pis) pi ->
  (forall j, \sum_k u j k ^+ 2 <= reach ^+ 2) ->
  moved (real_matrix C) pi u <= IZR (square_above C (AmongLists pis)) / IZR (Zpos (over C)) ^+ 2 * reach ^+ 2.
Proof.
move=> part U; apply: le_trans (moved_at_most _ _ U) _; rewrite list_above_real ler_wpmul2r ?sqr_ge0 //.
by rewrite ler_pmul2r ?invr_gt0 ?exprn_gt0 // IZR_le_iff; apply/Z.leb_le; exact: listed_at_most.
Qed.

(** And below: one number in each round, with a sign. *)
Lemma square_below_real (signed : seq (nat * bool)) (s : nat -> R) (reach : R) :
  (forall p, p \in signed -> s p.1 = if p.2 then reach else - reach) ->
  moved (real_matrix C) (map fst signed) (fun j (_ : 'I_1) => s j) =
    IZR (square_below C signed) / IZR (Zpos (over C)) ^+ 2 * reach ^+ 2.
Proof.
move=> S; rewrite moved_with_signs /square_below /real_matrix big_map -/rows.
have each row : \sum_(j <- map fst signed) [seq IZR z / IZR (Zpos (over C)) | z <- row]`_j * s j =
    IZR (foldr (fun p s => (if p.2 then at_round row p.1 else - at_round row p.1) + s)%coqZ Z0 signed) /
    IZR (Zpos (over C)) * reach.
  elim: signed S => [|p l IH] S /=; first by rewrite big_nil !mul0r.
  rewrite big_cons IH => [|q ql]; last by apply: S; rewrite inE ql orbT.
  rewrite IZRD at_real (S p (mem_head _ _)) !mulrDl; congr (_ + _).
  by case: ifP => _ //; rewrite opp_IZR RoppE mulrN !mulNr.
under eq_bigr do rewrite each expr2 mulrACA [_ / _ * (_ / _)]mulrACA.
elim: (rows) => [|row t IH] /=; first by rewrite big_nil !mul0r.
by rewrite big_cons IH IZRD IZRM -[in RHS]mulrA [in RHS]mulrDl !expr2 invfM !mulrA.
Qed.
End Above.
