(** Functions of two weights that are sublinear, as hockey-stick divergences of a pair and the greatest of
    any number of them are: as near as one likes below the divergence of a finite pair ([sublinear_near]),
    and so no greater for what is dominated.

    On weights a + b = 1 such a function is convex; its chord on a fine mesh is a sum of positive parts. *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Domination Reals CellsOfNormal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record sublinear (f : R -> R -> R) : Prop := Sublinear {
  sublinear_scale : forall c a b : R, 0 <= c -> 0 <= a -> 0 <= b -> f (c * a)%R (c * b)%R = c * f a b;
  sublinear_add : forall a b a' b' : R, 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
    f (a + a')%R (b + b')%R <= f a b + f a' b';
  sublinear_bounds : forall a b : R, 0 <= a -> 0 <= b -> 0 <= f a b <= a;
  sublinear_step : forall a b a' b' : R, 0 <= a -> 0 <= b -> 0 <= a' -> 0 <= b' ->
    f a' b' <= f a b + (`|a' - a| + `|b' - b|)
}.

Section Chord.
Variables (f : R -> R -> R) (n : nat).
Hypotheses (F : sublinear f) (n0 : (0 < n)%N).
Let N : R := n%:R%R.
Let N0 : 0 < N. Proof. by rewrite ltr0n. Qed.

(** On the segment a + b = 1, at x = a; and at the points of the mesh. *)
Let g (x : R) : R := f x (1 - x)%R.
Let at_point (j : nat) : R := (j%:R / N)%R.
Let slope (j : nat) : R := (N * (g (at_point j.+1) - g (at_point j)))%R.
Definition bend (j : nat) : R := (if j is i.+1 then slope j - slope i else slope 0)%R.
Let chord (j : nat) (x : R) : R := (\sum_(i < j) bend i * pos (x - at_point i))%R.

Let point_ge0 j : 0 <= at_point j. Proof. by rewrite /at_point divr_ge0 ?ler0n // ltW. Qed.
Let point_le j k : (j <= k)%N -> at_point j <= at_point k.
Proof. by move=> h; rewrite /at_point ler_pmul2r ?invr_gt0 // ler_nat. Qed.
Let point_le1 j : (j <= n)%N -> at_point j <= 1.
Proof. by move=> h; rewrite /at_point ler_pdivr_mulr // mul1r ler_nat. Qed.
Let pointS j : at_point j.+1 = at_point j + N^-1.
Proof. by rewrite /at_point -addn1 natrD mulrDl mul1r. Qed.

Let g0 : g (at_point 0) = 0.
Proof.
rewrite /at_point mul0r /g subr0; apply/eqP; rewrite eq_le.
by case/andP: (sublinear_bounds F (lexx 0) ler01) => -> ->.
Qed.

Let convex (u x y : R) : 0 <= u <= 1 -> 0 <= x <= 1 -> 0 <= y <= 1 ->
  g ((1 - u) * x + u * y)%R <= (1 - u) * g x + u * g y.
Proof.
move=> /andP[u0 u1] /andP[x0 x1] /andP[y0 y1]; have v0 : 0 <= 1 - u by rewrite subr_ge0.
have X : 0 <= 1 - x by rewrite subr_ge0.
have Y : 0 <= 1 - y by rewrite subr_ge0.
rewrite /g (_ : 1 - ((1 - u) * x + u * y) = (1 - u) * (1 - x) + u * (1 - y)); last by ring.
apply: le_trans (sublinear_add F _ _ _ _) _; rewrite ?mulr_ge0 //.
by rewrite !(sublinear_scale F) .
Qed.

Let steep (x y : R) : 0 <= x <= 1 -> 0 <= y <= 1 -> g y <= g x + 2%:R * `|y - x|.
Proof.
move=> /andP[x0 x1] /andP[y0 y1].
apply: le_trans (@sublinear_step _ F x (1 - x)%R y (1 - y)%R x0 _ y0 _) _; rewrite ?subr_ge0 //.
rewrite /g ler_add2l (_ : 1 - y - (1 - x) = - (y - x)); last by ring.
by rewrite normrN -mulr2n mulr_natl.
Qed.

Lemma bend_ge0 j : (j < n)%N -> 0 <= bend j.
Proof.
case: j => [|j] h.
  rewrite /bend /slope g0 subr0 mulr_ge0 ?(ltW N0) //.
  have b0 : 0 <= 1 - at_point 1 by rewrite subr_ge0 point_le1.
  by case/andP: (sublinear_bounds F (point_ge0 1) b0).
rewrite /bend /slope -mulrBr mulr_ge0 ?(ltW N0) // subr_ge0.
have half : 0 <= (2%:R : R)^-1 <= 1 by rewrite invr_ge0 ler0n invf_le1 ?ltr0n // ler1n.
have inside k : (k <= n)%N -> 0 <= at_point k <= 1 by move=> kn; rewrite point_ge0 point_le1.
have := convex half (inside j (ltnW (ltnW h))) (inside j.+2 h).
have -> : (1 - 2%:R^-1) * at_point j + 2%:R^-1 * at_point j.+2 = at_point j.+1.
  by rewrite !pointS; move: (at_point j) (N^-1) => p q; field.
rewrite -subr_ge0; move: (g (at_point j)) (g (at_point j.+1)) (g (at_point j.+2)) => p q r le.
have -> : r - q - (q - p) = 2%:R * ((1 - 2%:R^-1) * p + 2%:R^-1 * r - q) by field.
by rewrite mulr_ge0 ?ler0n // subr_ge0.
Qed.

(** Beyond the last point but one that is summed, the chord goes straight on. *)
Let beyond j (x : R) : at_point j <= x -> chord j.+1 x = g (at_point j) + slope j * (x - at_point j).
Proof.
elim: j => [|j IH] h.
  by rewrite /chord big_ord1 /= pos_id ?subr_ge0 // g0 add0r.
have le := le_trans (point_le (leqnSn j)) h.
rewrite /chord big_ord_recr -/(chord j.+1 x) IH //= pos_id ?subr_ge0 //.
have -> : x - at_point j = x - at_point j.+1 + N^-1 by rewrite pointS; ring.
have : slope j * N^-1 = g (at_point j.+1) - g (at_point j) by rewrite /slope mulrAC divff ?gt_eqF // mul1r.
by move=> e; rewrite mulrDr e; ring.
Qed.

Let chord_near j (x : R) : (j <= n)%N -> 0 <= x <= at_point j -> g x <= chord j x <= g x + 2%:R / N.
Proof.
have t0 : 0 <= 2%:R / N by rewrite divr_ge0 ?ler0n // ltW.
elim: j => [|j IH] jn /andP[x0 xj].
  have -> : x = 0 by apply/eqP; rewrite eq_le x0 andbT; move: xj; rewrite /at_point mul0r.
  have := g0; rewrite /at_point mul0r => ->.
  by rewrite /chord big_ord0 lexx add0r t0.
have [le|/ltW le] := leP x (at_point j).
  rewrite /chord big_ord_recr /= -/(chord j x) (_ : pos _ = 0) ?mulr0 ?addr0; last first.
    by rewrite pos_0 // subr_le0.
  by apply: IH; rewrite ?x0 // ltnW.
rewrite beyond //; set u : R := (N * (x - at_point j))%R.
have u0 : 0 <= u by rewrite mulr_ge0 ?subr_ge0 // ltW.
have u1 : u <= 1 by rewrite /u mulrC -ler_pdivl_mulr // mul1r ler_subl_addl -pointS.
have v0 : 0 <= 1 - u by rewrite subr_ge0.
have xE : x = (1 - u) * at_point j + u * at_point j.+1.
  by rewrite /u pointS; field; rewrite gt_eqF.
have -> : g (at_point j) + slope j * (x - at_point j) = (1 - u) * g (at_point j) + u * g (at_point j.+1).
  by rewrite /slope /u; ring.
have inside k : (k <= n)%N -> 0 <= at_point k <= 1 by move=> kn; rewrite point_ge0 point_le1.
have ij := inside j (ltnW jn); have ij1 := inside j.+1 jn.
have xin : 0 <= x <= 1 by rewrite x0 (le_trans xj) //; case/andP: ij1.
apply/andP; split; first by rewrite {1}xE; apply: convex; rewrite ?u0.
have d : `|at_point j - x| <= N^-1 /\ `|at_point j.+1 - x| <= N^-1.
  rewrite distrC !ger0_norm ?subr_ge0 // !ler_subl_addl -pointS; split=> //.
  by rewrite pointS ler_add2r.
have s k : `|at_point k - x| <= N^-1 -> (k <= n)%N -> g (at_point k) <= g x + 2%:R / N.
  by move=> dk kn; apply: le_trans (steep xin (inside k kn)) _; rewrite ler_add2l ler_wpmul2l ?ler0n.
have [d1 d2] := d; have s1 := s j d1 (ltnW jn); have s2 := s j.+1 d2 jn.
apply: le_trans (ler_add (ler_wpmul2l v0 s1) (ler_wpmul2l u0 s2)) _.
by rewrite -mulrDl subrK mul1r.
Qed.

Definition chord_law (b : bool) (j : 'I_n) : R := (bend j * (if b then at_point j else 1 - at_point j))%R.

Lemma chord_law_ge0 : nonnegative_laws (chord_law false) (chord_law true).
Proof.
move=> j; have b0 := bend_ge0 (ltn_ord j).
by rewrite /chord_law; split; rewrite mulr_ge0 // subr_ge0 point_le1 // ltnW.
Qed.

Lemma chord_divergence (a b : R) : 0 <= a -> 0 <= b ->
  f a b <= hockey_stick a b (chord_law false) (chord_law true) <= f a b + 2%:R / N * (a + b).
Proof.
move=> a0 b0; have := addr_ge0 a0 b0; rewrite le_eqVlt => /predU1P[e|s0].
  have [/eqP-> /eqP->] : a == 0 /\ b == 0 by apply/andP; rewrite -paddr_eq0 // -e.
  have -> : f 0 0 = 0 by have := sublinear_scale F (lexx 0) ler01 ler01; rewrite !mul0r.
  rewrite addr0 mulr0 addr0 /hockey_stick big1 ?lexx // => j _.
  by rewrite !mul0r subrr pos_id.
set s : R := (a + b)%R in s0 *; set x : R := (a / s)%R; have x0 : 0 <= x by rewrite divr_ge0 // ltW.
have aE : a = s * x by rewrite mulrC divfK // gt_eqF.
have bE : b = s * (1 - x) by rewrite mulrBr mulr1 -aE /s addrAC subrr add0r.
have x1 : 0 <= 1 - x by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_addl.
have -> : f a b = s * g x by rewrite aE bE (sublinear_scale F) // ltW.
have -> : hockey_stick a b (chord_law false) (chord_law true) = s * chord n x.
  rewrite /chord mulr_sumr; apply: eq_bigr => j _; rewrite /chord_law.
  have -> : a * (bend j * (1 - at_point j)) - b * (bend j * at_point j) = s * bend j * (x - at_point j).
    by rewrite aE bE; ring.
  by rewrite posM ?mulrA // mulr_ge0 ?(ltW s0) // bend_ge0.
have [|lo hi] := andP (@chord_near n x (leqnn n) _).
  by rewrite x0 /at_point divff ?gt_eqF //= -subr_ge0.
by rewrite [_ / N * s]mulrC -mulrDr !ler_pmul2l // lo.
Qed.
End Chord.

Lemma sublinear_near f (tau : R) : sublinear f -> 0 < tau ->
  exists D : finite_pair [realFieldType of R], forall a b : R, 0 <= a -> 0 <= b ->
  f a b <= hockey_stick a b (@first_law _ D) (@second_law _ D) <= f a b + tau * (a + b).
Proof.
move=> F t0; pose n := Num.bound (2%:R / tau).
have big : 2%:R / tau < n%:R by apply: archi_boundP; rewrite divr_ge0 ?ler0n // ltW.
have N0 : 0 < n%:R :> R by apply: le_lt_trans big; rewrite divr_ge0 ?ler0n // ltW.
have n0 : (0 < n)%N by rewrite -(ltr0n [numDomainType of R]).
exists (FinitePair (chord_law_ge0 F n0)) => a b a0 b0; have /andP[-> le] := chord_divergence F n0 a0 b0.
apply: le_trans le _; rewrite ler_add2l ler_wpmul2r ?addr_ge0 // ler_pdivr_mulr //.
by rewrite mulrC -ler_pdivr_mulr // ltW.
Qed.
