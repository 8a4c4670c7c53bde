(** Tables of weights: products rounded down stay below the true weights.

    A table is a list of integers; the weight at s stands at place s.  [stays_below S P t] says that t
    is nonnegative and at most S times the coefficients of the polynomial P.  The program holds a
    table as the place of its first weight and the weights from there on ([flat] is the list), and
    multiplies by packing (Packing.v); [convolve] says what the product is.  *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules Logarithms Packing.
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

(** From the place [first] on; before it all weights are 0. *)
Definition placed := (nat * seq Z)%type.
Definition flat (t : placed) : seq Z := ncons t.1 Z0 t.2.

Definition length (T : Type) (t : seq T) : nat := foldl (fun n _ => n.+1) O t.
Definition sum_of (t : seq Z) : Z := foldl Z.add Z0 t.
(** The least k with n < 2^k. *)
Definition log2_above (n : nat) : nat := if n is O then O else (Z.to_nat (Z.log2 (Z.of_nat n))).+1.

Fixpoint without_zeros (first : nat) (t : seq Z) : placed :=
  match t with
  | x :: t' => if Z.eqb x 0 then without_zeros first.+1 t' else (first, t)
  | [::] => (first, [::])
  end.

(** A coefficient of the product is at most the product of the sums. *)
Definition product (S : Z) (s t : placed) : placed :=
  let k := log2_above (Nat.add (length s.2) (length t.2)) in
  let w := (Z.log2 (sum_of s.2 * sum_of t.2) + 1)%coqZ in
  without_zeros (Nat.add s.1 t.1) (unpack S w k ((pack w k s.2).1 * (pack w k t.2).1)%coqZ [::]).

Definition divided (S : Z) (t : placed) : placed :=
  without_zeros t.1 (rev (foldl (fun r x => floor_div x S :: r) [::] t.2)).

Fixpoint power (S : Z) (t : placed) (n : positive) : placed :=
  match n with
  | xH => t
  | xO m => let h := power S t m in product S h h
  | xI m => let h := power S t m in product S t (product S h h)
  end.

(** Products of neighbours, again and again. *)
Fixpoint pairs (S : Z) (ts : seq placed) : seq placed :=
  match ts with
  | s :: t :: ts' => product S s t :: pairs S ts'
  | _ => ts
  end.
Fixpoint product_in_rounds (S : Z) (rounds : nat) (ts : seq placed) : placed :=
  match rounds with
  | O => foldr (product S) (O, [:: S]) ts
  | r.+1 => product_in_rounds S r (pairs S ts)
  end.
Definition product_all (S : Z) (ts : seq placed) : placed :=
  product_in_rounds S (log2_above (size ts)) ts.

(** Place s to place a s. *)
Fixpoint zeros (n : nat) (t : seq Z) : seq Z := if n is m.+1 then zeros m (Z0 :: t) else t.
Definition spread (a : nat) (t : placed) : placed :=
  (Nat.mul a t.1, foldl (fun r x => x :: zeros (Nat.pred a) r) [::] (rev t.2)).

Definition stays_below (S : Z) (P : {poly R}) (t : placed) :=
  forall n, Z.le 0 (nth Z0 (flat t) n) /\ IZR (nth Z0 (flat t) n) <= IZR S * P`_n.

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

(** The program's product is the convolution. *)
Lemma packed_convolve w s t : packed w (convolve s t) = (packed w s * packed w t)%coqZ.
Proof.
have packed_scale x u : packed w [seq (x * y)%coqZ | y <- u] = (x * packed w u)%coqZ.
  by elim: u => [|y u IH] /=; [rewrite Z.mul_0_r|rewrite IH; lia].
have packed_add u v : packed w (table_add u v) = (packed w u + packed w v)%coqZ.
  by elim: u v => [|x u IH] [|y v] //=; rewrite ?IH; lia.
by elim: s => [|x s IH] //=; case: Z.eqb_spec => [->|_] /=; rewrite ?packed_add ?packed_scale /= IH; lia.
Qed.

Definition nonneg_list (t : seq Z) := List.Forall (fun x => Z.le 0 x) t.

Lemma nonneg_nth t n : nonneg_list t -> Z.le 0 (nth Z0 t n).
Proof.
move=> h; elim: h n => [|x u x0 _ IH] n; first by rewrite nth_nil.
by case: n => [|n]; [exact: x0|exact: IH].
Qed.

Lemma nth_nonneg t : (forall n, Z.le 0 (nth Z0 t n)) -> nonneg_list t.
Proof.
elim: t => [|x t IH] h; first by constructor.
by constructor; [exact: (h 0%N)|apply: IH => n; exact: (h n.+1)].
Qed.

Lemma nonneg_convolve s t : nonneg_list s -> nonneg_list t -> nonneg_list (convolve s t).
Proof.
move=> s0 t0; elim: s0 => [|x u x0 _ IH] /=; first by constructor.
case: Z.eqb_spec => _; first by constructor; [exact: Z.le_refl|].
apply: nth_nonneg => n; rewrite nth_table_add; apply: Z.add_nonneg_nonneg; last first.
  by case: n => [|n] /=; [exact: Z.le_refl|exact: nonneg_nth].
case: (ltnP n (size t)) => h; last by rewrite nth_default ?size_map //; exact: Z.le_refl.
by rewrite (nth_map Z0) //; apply: Z.mul_nonneg_nonneg => //; exact: nonneg_nth.
Qed.

Lemma packed0_cons x t : packed 0 (x :: t) = (x + packed 0 t)%coqZ.
Proof. by rewrite -[in RHS](Z.mul_1_l (packed 0 t)). Qed.

Lemma sum_ofE t : sum_of t = packed 0 t.
Proof.
suff h z : foldl Z.add z t = (z + packed 0 t)%coqZ by rewrite /sum_of h.
elim: t z => [|x t IH] z; first by rewrite /= Z.add_0_r.
by rewrite packed0_cons Z.add_assoc -IH.
Qed.

Lemma lengthE (T : Type) (t : seq T) : length t = size t.
Proof.
suff h n : foldl (fun n _ => n.+1) n t = (n + size t)%N by rewrite /length h.
by elim: t n => [|x t IH] n /=; rewrite ?addn0 // IH addSnnS.
Qed.

Lemma log2_aboveP n : (n < 2 ^ log2_above n)%N.
Proof.
case: n => // n; rewrite /log2_above; have n0 : Z.lt 0 (Z.of_nat n.+1) by lia.
have [_] := Z.log2_spec _ n0; have l0 := Z.log2_nonneg (Z.of_nat n.+1).
rewrite -{1}(Z2Nat.id _ l0) -Nat2Z.inj_succ -[2%coqZ]/(Z.of_nat 2) -Nat2Z.inj_pow.
have powE k : Nat.pow 2 k = (2 ^ k)%N.
  by elim: k => /= [|k ->] //; rewrite expnS mul2n -addnn Nat.add_0_r.
by rewrite powE => /Nat2Z.inj_lt/ssrnat.ltP.
Qed.

Lemma small_convolve s t : nonneg_list s -> nonneg_list t ->
  small (Z.log2 (sum_of s * sum_of t) + 1) (convolve s t).
Proof.
move=> s0 t0; rewrite !sum_ofE -packed_convolve.
have [h0 h] : Z.le 0 (packed 0 (convolve s t)) /\
    List.Forall (fun x => Z.le 0 x /\ Z.le x (packed 0 (convolve s t))) (convolve s t).
  elim: (nonneg_convolve s0 t0) => [|x u x0 _ [u0 IH]]; first by split.
  rewrite packed0_cons; split; first lia.
  by constructor; [lia|apply: List.Forall_impl IH => y; lia].
apply: List.Forall_impl h => x [x0 le]; split=> //; apply: Z.le_lt_trans le _.
case: (Z.lt_trichotomy 0 (packed 0 (convolve s t))) => [p|[<- //|p]]; last lia.
by case: (Z.log2_spec _ p); rewrite -Z.add_1_r.
Qed.

Lemma size_convolve s t : (size (convolve s t) <= size s + size t)%N.
Proof.
have size_add u v : size (table_add u v) = maxn (size u) (size v).
  by elim: u v => [|x u IH] [|y v] //=; rewrite ?maxn0 // IH maxnSS.
elim: s => [|x s IH] //=; case: Z.eqb => //=.
by rewrite size_add size_map /= geq_max addSn ltnS IH andbT -addSn leq_addl.
Qed.

Lemma nth_flat o (t : seq Z) n : nth Z0 (flat (o, t)) n = if (n < o)%N then Z0 else nth Z0 t (n - o).
Proof. exact: nth_ncons. Qed.

Lemma nth_without_zeros o t n : nth Z0 (flat (without_zeros o t)) n = nth Z0 (flat (o, t)) n.
Proof.
elim: t o => [|x t IH] o //=; case: Z.eqb_spec => // ->.
rewrite IH !nth_flat ltnS; case: ltngtP => [_|h|->] //; last by rewrite subnn.
by rewrite -[in RHS](subnSK h).
Qed.

Lemma polynomial_flat o t : polynomial (flat (o, t)) = polynomial t * 'X^o.
Proof.
apply/polyP => n; rewrite coefMXn coef_polynomial nth_flat.
by case: ifP => _ //; rewrite coef_polynomial.
Qed.

Lemma nth_product S s t n : Z.lt 0 S -> nonneg_list s.2 -> nonneg_list t.2 ->
  nth Z0 (flat (product S s t)) n = floor_div (nth Z0 (convolve (flat s) (flat t)) n) S.
Proof.
case: s t => [o s] [o' t] S0 /= s0 t0; rewrite nth_without_zeros !lengthE.
have -> : nth Z0 (convolve (flat (o, s)) (flat (o', t))) n =
    nth Z0 (flat ((o + o')%N, convolve s t)) n.
  apply: eq_IZR; rewrite -!coef_polynomial polynomial_convolve !polynomial_flat polynomial_convolve.
  by rewrite exprD mulrACA.
set k := log2_above _; set w := (_ + 1)%coqZ.
have w0 : Z.le 0 w by apply: Z.add_nonneg_nonneg => //; exact: Z.log2_nonneg.
have le : (size s + size t <= 2 ^ k)%N := ltnW (log2_aboveP _).
have le_s : (size s <= 2 ^ k)%N := leq_trans (leq_addr _ _) le.
have le_t : (size t <= 2 ^ k)%N := leq_trans (leq_addl _ _) le.
rewrite !packE // !take_oversize //= -packed_convolve !nth_flat.
case: ifP => _; first by rewrite /floor_div Z.div_0_l //; lia.
have le' := leq_trans (size_convolve s t) le.
rewrite nth_unpack //; last exact: small_convolve.
case: ltnP => // h; rewrite nth_nil nth_default; last exact: leq_trans le' h.
by rewrite /floor_div Z.div_0_l //; lia.
Qed.

Lemma nth_divided S t n : nth Z0 (flat (divided S t)) n = floor_div (nth Z0 (flat t) n) S.
Proof.
case: t => o t; rewrite nth_without_zeros !nth_flat.
have -> : rev (foldl (fun r x => floor_div x S :: r) [::] t) = [seq floor_div x S | x <- t].
  suff h r : foldl (fun r x => floor_div x S :: r) r t = catrev [seq floor_div x S | x <- t] r.
    by rewrite h -/(rev _) revK.
  by elim: t r => [|x t IH] r //=; rewrite IH.
case: ifP => // _; case: (ltnP (n - o) (size t)) => h; first exact: nth_map.
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
move=> bs bt n.
have nonneg u U : stays_below S U u -> nonneg_list u.2.
  case: u => o u b; apply: nth_nonneg => i; have [+ _] := b (o + i)%N.
  by rewrite nth_flat ltnNge leq_addr addKn.
rewrite (nth_product n S0 (nonneg _ _ bs) (nonneg _ _ bt)); set c := nth Z0 _ n.
have e : IZR c = \sum_(i < n.+1) IZR (nth Z0 (flat s) i) * IZR (nth Z0 (flat t) (n - i)).
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

Lemma below_one : stays_below S 1 (O, [:: S]).
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

Lemma product_all_below ts Ps : all_below Ps ts ->
  stays_below S (\prod_(P <- Ps) P) (product_all S ts).
Proof.
rewrite /product_all; move: (log2_above _) => rounds; elim: rounds ts Ps => [|r IH] ts Ps H /=.
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

(** One mechanism: truthful at 0, untruthful at 1. *)
Definition base (p q : Z) : placed := (O, [:: p; q]).

Lemma base_below S (P Q : R) p q : Z.le 0 p -> Z.le 0 q ->
  IZR p <= IZR S * P -> IZR q <= IZR S * Q -> stays_below S (P%:P + Q%:P * 'X) (base p q).
Proof.
move=> p0 q0 pP qQ [|[|n]]; rewrite coefD coefC coefCM coefX /=; first by rewrite mulr0 addr0.
  by rewrite add0r mulr1.
by rewrite nth_nil mulr0 addr0 mulr0; split; first exact: Z.le_refl.
Qed.

Lemma polynomial_spread a t : (0 < a)%N ->
  polynomial (flat (spread a t)) = polynomial (flat t) \Po 'X^a.
Proof.
case: t => o t a0; rewrite !polynomial_flat rmorphM rmorphX /= comp_polyX -exprM foldl_rev; congr (_ * _).
have zerosE n u : zeros n u = ncons n Z0 u.
  elim: n u => [|n IH] u //=; rewrite IH.
  by elim: n {IH} => //= n ->.
elim: t => [|x t IH] /=; first by rewrite /polynomial /= comp_poly0.
have split_off y u : polynomial (y :: u) = polynomial u * 'X + (IZR y)%:P.
  by rewrite /polynomial /= cons_poly_def.
rewrite !split_off comp_poly_MXaddC -IH zerosE -/(flat (_, _)) polynomial_flat -mulrA -exprSr.
by rewrite -[Nat.pred a]/(a.-1) prednK.
Qed.

Lemma coef_comp_Xn (P : {poly R}) a n : (0 < a)%N ->
  (P \Po 'X^a)`_n = if (a %| n)%N then P`_(n %/ a)%N else 0.
Proof.
move=> a0; rewrite coef_comp_poly.
have one i j : P`_i * (('X^a ^+ i)`_j) = if j == (a * i)%N then P`_(j %/ a)%N else 0.
  by rewrite -exprM coefXn; case: eqP => [->|_]; rewrite ?mulr0 // mulr1 mulKn.
case: ifP => [/dvdnP[m ->]|/negP d]; last first.
  by rewrite big1 // => i _; rewrite one; case: eqP => // e; case: d; rewrite e dvdn_mulr.
rewrite mulnK //; case: (ltnP m (size P)) => h; last first.
  rewrite nth_default // big1 // => i _.
  by rewrite one mulnK // nth_default //; case: ifP.
rewrite (bigD1 (Ordinal h)) //= big1 ?addr0 => [|i ne].
  by rewrite -exprM coefXn mulnC eqxx mulr1.
rewrite one mulnC eqn_mul2l gtn_eqF //=; case: eqP => // e.
by case/eqP: ne; apply: val_inj.
Qed.

Lemma spread_below S P a t : (0 < a)%N -> stays_below S P t -> stays_below S (P \Po 'X^a) (spread a t).
Proof.
move=> a0 b n; rewrite coef_comp_Xn //.
have -> : nth Z0 (flat (spread a t)) n = if (a %| n)%N then nth Z0 (flat t) (n %/ a)%N else Z0.
  apply: eq_IZR; rewrite -coef_polynomial polynomial_spread // coef_comp_Xn //.
  by case: ifP => _ //; rewrite coef_polynomial.
by case: ifP => // _; rewrite mulr0; split=> //; exact: Z.le_refl.
Qed.

(** Equal mechanisms with the odds E: the j-th weight is that of j untruthful answers. *)
Definition truth_polynomial (E : R) : {poly R} := (E / (1 + E))%:P + (1 / (1 + E))%:P * 'X.

(** For bounds of one/E, from below and from above; computed at the scale S G. *)
Definition block_of (one S G low high : Z) (n : positive) : placed :=
  let s := (S * G)%coqZ in
  divided G (power s (base (floor_div (s * one) (one + high)) (floor_div (s * low) (one + low))) n).

Lemma block_of_below one S G low high n E : Z.lt 0 one -> Z.lt 0 S -> Z.lt 0 G -> Z.le 0 low -> 0 < E ->
  IZR low <= IZR one * E^-1 <= IZR high ->
  stays_below S (truth_polynomial E ^+ Pos.to_nat n) (block_of one S G low high n).
Proof.
move=> one0 S0 G0 x0 E0 /andP[lo hi].
have SG0 : Z.lt 0 (S * G) by exact: Z.mul_pos_pos.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have S0' : 0 < IZR (S * G) by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have E1 : 0 < 1 + E by rewrite addr_gt0 ?ltr01.
have x1 : Z.lt 0 high.
  by apply/Z.ltb_lt; rewrite -IZR_lt_iff; apply: lt_le_trans hi; rewrite mulr_gt0 ?invr_gt0.
have one_high : Z.lt 0 (one + high) := Z.add_pos_pos _ _ one0 x1.
have one_low : Z.lt 0 (one + low) := Z.add_pos_nonneg _ _ one0 x0.
have s0 : Z.le 0 (S * G) := Z.lt_le_incl _ _ SG0.
apply: divided_below => //; apply: power_below => //; apply: base_below.
- by apply: Z.div_pos => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
- by apply: Z.div_pos => //; exact: Z.mul_nonneg_nonneg.
- apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
  rewrite mulrA ler_pdivl_mulr // IZRD mulrDr mulr1 mulrDl addrC ler_add //.
  by rewrite -ler_pdivr_mulr.
apply: floor_div_below => //; rewrite IZRM mulrCA ler_wpmul2l ?(ltW S0') //.
rewrite mulrA mulr1 ler_pdivl_mulr // IZRD mulrDr mulr1 addrC ler_add //.
by rewrite -ler_pdivl_mulr.
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
