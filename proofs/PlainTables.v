(** Tables of weights as plain lists: products rounded down stay below the true weights.

    A table is a list of integers; the weight at s stands at place s.  [stays_below S P t] says that t
    is nonnegative and at most S times the coefficients of the polynomial P.  *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules Logarithms.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Fixpoint table_add (s t : seq Z) : seq Z :=
  match s, t with
  | x :: s', y :: t' => (x + y)%coqZ :: table_add s' t'
  | [::], _ => t
  | _, [::] => s
  end.

Fixpoint convolve (s t : seq Z) : seq Z :=
  if s is x :: s' then
    if Z.eqb x 0 then Z0 :: convolve s' t
    else table_add [seq (x * y)%coqZ | y <- t] (Z0 :: convolve s' t)
  else [::].

(** Without the zeros at the end. *)
Definition trimmed (t : seq Z) : seq Z :=
  foldr (fun x r => if r is [::] then (if Z.eqb x 0 then [::] else [:: x]) else x :: r) [::] t.

Definition divided (S : Z) (t : seq Z) : seq Z := [seq floor_div x S | x <- t].
Definition product (S : Z) (s t : seq Z) : seq Z := trimmed (divided S (convolve s t)).

Fixpoint power (S : Z) (t : seq Z) (n : positive) : seq Z :=
  match n with
  | xH => t
  | xO m => let h := power S t m in product S h h
  | xI m => let h := power S t m in product S t (product S h h)
  end.

(** Products of neighbours, again and again. *)
Fixpoint pairs (S : Z) (ts : seq (seq Z)) : seq (seq Z) :=
  match ts with
  | s :: t :: ts' => product S s t :: pairs S ts'
  | _ => ts
  end.
Fixpoint product_all (S : Z) (rounds : nat) (ts : seq (seq Z)) : seq Z :=
  match rounds with
  | O => foldr (product S) [:: S] ts
  | r.+1 => product_all S r (pairs S ts)
  end.

Definition stays_below (S : Z) (P : {poly R}) (t : seq Z) :=
  forall n, Z.le 0 (nth Z0 t n) /\ IZR (nth Z0 t n) <= IZR S * P`_n.

Definition polynomial (t : seq Z) : {poly R} := Poly [seq IZR x | x <- t].

Lemma coef_polynomial t n : (polynomial t)`_n = IZR (nth Z0 t n).
Proof.
rewrite /polynomial coef_Poly; case: (ltnP n (size t)) => h; first exact: nth_map.
by rewrite !nth_default ?size_map.
Qed.

Lemma nth_table_add s t n : nth Z0 (table_add s t) n = (nth Z0 s n + nth Z0 t n)%coqZ.
Proof.
elim: s t n => [|x s IH] [|y t] [|n] //=; rewrite ?nth_nil ?Z.add_0_r //; exact: IH.
Qed.

Lemma polynomial_convolve s t : polynomial (convolve s t) = polynomial s * polynomial t.
Proof.
elim: s => [|x s IH]; first by rewrite /polynomial /= mul0r.
have -> : polynomial (x :: s) = polynomial s * 'X + (IZR x)%:P.
  by rewrite /polynomial /= cons_poly_def.
rewrite mulrDl mulrAC -IH /=; case: Z.eqb_spec => [->|_].
  by rewrite polyC0 mul0r addr0 /polynomial /= cons_poly_def polyC0 addr0.
apply/polyP => n.
rewrite coefD coefMX coefCM !coef_polynomial /= nth_table_add IZRD addrC; congr (_ + _).
  by case: n => [|n] //=; rewrite coef_polynomial.
case: (ltnP n (size t)) => h; first by rewrite (nth_map Z0) // IZRM.
by rewrite !nth_default ?size_map // mulr0.
Qed.

Lemma nth_trimmed t n : nth Z0 (trimmed t) n = nth Z0 t n.
Proof.
elim: t n => [|x t IH] [|n] //=.
  by case: (trimmed t) => [|y r] //; case: Z.eqb_spec => // ->.
by rewrite -IH; case: (trimmed t) => [|y r] //; case: Z.eqb; rewrite /= ?nth_nil.
Qed.

Lemma nth_divided S t n : nth Z0 (divided S t) n = floor_div (nth Z0 t n) S.
Proof.
case: (ltnP n (size t)) => h; first exact: nth_map.
by rewrite !nth_default ?size_map.
Qed.

Section Below.
Variable S : Z.
Hypothesis S0 : Z.lt 0 S.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma IZR_ge0 x : Z.le 0 x -> 0 <= IZR x.
Proof. by move=> h; rewrite (IZR_le_iff Z0); exact/Z.leb_le. Qed.

Lemma floor_div_below x y (c : R) : Z.lt 0 y -> IZR x <= IZR y * c -> IZR (floor_div x y) <= c.
Proof.
move=> y0 h; have Y0 : 0 < IZR y by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have /RleP := floor_div_le x y y0; rewrite RdivE ?gt_eqF // => /le_trans; apply.
by rewrite ler_pdivr_mulr // mulrC.
Qed.

Lemma product_below P Q s t : stays_below S P s -> stays_below S Q t -> stays_below S (P * Q) (product S s t).
Proof.
move=> bs bt n; rewrite nth_trimmed nth_divided.
have e : IZR (nth Z0 (convolve s t) n) = \sum_(i < n.+1) IZR (nth Z0 s i) * IZR (nth Z0 t (n - i)).
  rewrite -coef_polynomial polynomial_convolve coefM.
  by apply: eq_bigr => i _; rewrite !coef_polynomial.
split.
  apply: Z.div_pos => //; apply/Z.leb_le; rewrite -IZR_le_iff e; apply: sumr_ge0 => i _.
  by rewrite mulr_ge0 // IZR_ge0 //; [case: (bs i)|case: (bt (n - i)%N)].
apply: floor_div_below => //; rewrite e coefM !mulr_sumr; apply: ler_sum => i _.
have [s0 sle] := bs i; have [t0 tle] := bt (n - i)%N.
have -> : IZR S * (IZR S * (P`_i * Q`_(n - i))) = (IZR S * P`_i) * (IZR S * Q`_(n - i)).
  by rewrite mulrACA mulrA.
by apply: ler_pmul; rewrite ?IZR_ge0.
Qed.

Lemma power_below P t n : stays_below S P t -> stays_below S (P ^+ Pos.to_nat n) (power S t n).
Proof.
move=> bt; elim: n => [n IH|n IH|] /=; rewrite ?Pos2Nat.inj_1 ?expr1 //.
  rewrite Pos2Nat.inj_xI exprS multE mul2n -addnn exprD.
  by apply: product_below => //; exact: product_below.
by rewrite Pos2Nat.inj_xO multE mul2n -addnn exprD; exact: product_below.
Qed.

Lemma below_one : stays_below S 1 [:: S].
Proof.
move=> [|n] /=; rewrite coef1 /=; first by rewrite mulr1; split=> //; apply: Z.lt_le_incl.
by rewrite nth_nil mulr0; split=> //; exact: Z.le_refl.
Qed.

Definition all_below (Ps : seq {poly R}) ts := List.Forall2 (fun P t => stays_below S P t) Ps ts.

Lemma pairs_below Ps ts : all_below Ps ts ->
  exists2 Ps', all_below Ps' (pairs S ts) & \prod_(P <- Ps') P = \prod_(P <- Ps) P.
Proof.
have [h _] : (forall Ps, all_below Ps ts ->
      exists2 Ps', all_below Ps' (pairs S ts) & \prod_(P <- Ps') P = \prod_(P <- Ps) P) /\
    (forall t Ps, all_below Ps (t :: ts) ->
      exists2 Ps', all_below Ps' (pairs S (t :: ts)) & \prod_(P <- Ps') P = \prod_(P <- Ps) P).
  elim: ts => [|t' ts [IH1 IH2]]; first by split=> [|t] Qs H; exists Qs.
  split=> [|t] Qs H; first exact: IH2.
  case: Qs H => [|P [|P' Qs]] H; [by inversion H|by inversion H; inversion H5|].
  have [bP [bP' bQ]] : stays_below S P t /\ stays_below S P' t' /\ all_below Qs ts.
    by inversion H; inversion H5.
  have [Ps' b e] := IH1 _ bQ; exists (P * P' :: Ps').
    by constructor=> //; exact: product_below.
  by rewrite !big_cons e mulrA.
exact: h.
Qed.

Lemma product_all_below rounds ts Ps : all_below Ps ts ->
  stays_below S (\prod_(P <- Ps) P) (product_all S rounds ts).
Proof.
elim: rounds ts Ps => [|r IH] ts Ps H /=.
  elim: H => {Ps ts} [|P t Ps ts b _ IH']; first by rewrite big_nil; exact: below_one.
  by rewrite big_cons; exact: product_below.
by have [Ps' b <-] := pairs_below H; exact: IH.
Qed.
End Below.

(** A coarser scale: S G to S. *)
Lemma divided_below S G P t : Z.lt 0 S -> Z.lt 0 G -> stays_below (S * G) P t -> stays_below S P (divided G t).
Proof.
move=> S0 G0 b n; rewrite nth_divided; have [t0 tle] := b n; split; first exact: Z.div_pos.
by apply: floor_div_below => //; move: tle; rewrite IZRM mulrAC mulrC.
Qed.

(** One mechanism: truthful at 0, untruthful at a. *)
Definition base (a : nat) (p q : Z) : seq Z := if a is b.+1 then p :: ncons b Z0 [:: q] else [:: p].

Lemma base_below S (P Q : R) a p q : (0 < a)%N -> Z.le 0 p -> Z.le 0 q ->
  IZR p <= IZR S * P -> IZR q <= IZR S * Q -> stays_below S (P%:P + Q%:P * 'X^a) (base a p q).
Proof.
case: a => // a _ p0 q0 pP qQ n; rewrite coefD coefC coefCM coefXn /base.
case: n => [|n] /=; first by rewrite mulr0 addr0.
rewrite eqSS nth_ncons add0r; case: ltnP => h.
  by rewrite ltn_eqF // mulr0 mulr0; split; first exact: Z.le_refl.
case: eqP => [->|/eqP ne]; first by rewrite subnn mulr1.
have h' : (a < n)%N by rewrite ltn_neqAle eq_sym ne.
rewrite nth_default ?mulr0 ?mulr0 //=; last by rewrite subn_gt0.
Qed.

(** The weights of a list of mechanisms are the coefficients of the product of their polynomials. *)
Lemma weight_polynomial (ls : seq (seq (R * R * nat))) n :
  weight addn 0%N ls n = (\prod_(l <- ls) \sum_(x <- l) (x.1.1)%:P * 'X^(x.2))`_n.
Proof.
elim: ls n => [|l ls IH] n; first by rewrite big_nil coef1 /weight /= mul1r eq_sym.
rewrite big_cons mulr_suml coef_sum /weight /=; apply: eq_bigr => x _.
rewrite -mulrA coefCM coefXnM; case: ltnP => h.
  rewrite mulr0 (@eq_total _ _ _ _ _ _ (fun p _ _ => 0 * p)) ?totalZ ?mul0r // => p q s.
  by rewrite gtn_eqF ?mulr0 ?mul0r // (leq_trans h) // leq_addr.
rewrite -IH /weight -totalZ; apply: eq_total => p q s.
by rewrite -mulrA; congr (_ * (_ * _%:R)); rewrite -(eqn_add2l x.2 s) subnKC.
Qed.
