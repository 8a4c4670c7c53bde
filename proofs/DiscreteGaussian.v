(** Sums over all integers, and discrete Gaussian noise (SPEC, 7.4).

    A sum over the integers of what is not negative is the least upper bound of its sums from -n to n
    ([everywhere]).  Discrete Gaussian noise of variance v has at x the probability e^(-x^2/2v) over the
    sum of all of these; moved by s it has at x that of x - s.  Its profile at y is the sum of the
    positive parts of the one less y times the other ([discrete_gaussian_curve]).  From above, what both
    have in common within a window is missing from it ([curve_above]); from below it has what a window
    gives and what is left of both masses outside of it ([curve_below]). *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Import Rbar Lub.
From ExactDP Require Import PositivePart Reals.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The sum over the integers from -n to n, and over all. *)
Definition within (n : nat) (f : R -> R) : R := \sum_(0 <= i < n.*2.+1) f (i%:R - n%:R).
Definition everywhere (f : R -> R) : R := real (Lub_Rbar (fun w : R => exists n, w = within n f)).

Definition bell (v x : R) : R := (exp (- (x ^+ 2 / (2%:R * v))))%R.
Global Arguments bell _%R _%R.
Definition discrete_gaussian_curve (v : R) (s : nat) (y : R) : R :=
  (everywhere (fun x => pos (bell v x - y * bell v (x - s%:R))) / everywhere (bell v))%R.
Global Arguments discrete_gaussian_curve _%R _%N _%R.

Section Windows.
Implicit Types (f g : R -> R) (n k m : nat).

(** A window that is moved is within a larger one. *)
Lemma within_moved f n k m : (forall x, 0 <= f x) -> (m <= k.*2)%N ->
  within n (fun x => f (x + m%:R - k%:R)) <= within (n + k) f.
Proof.
move=> f0 mk; rewrite /within.
have -> : \sum_(0 <= i < n.*2.+1) f (i%:R - n%:R + m%:R - k%:R) =
    \sum_(m <= j < n.*2.+1 + m) f (j%:R - (n + k)%:R).
  rewrite -{2}[m]add0n big_addn addnK; apply: eq_bigr => i _; congr f; rewrite !natrD; ring.
have fits : (n.*2.+1 + m <= (n + k).*2.+1)%N by rewrite doubleD addSn ltnS leq_add2l.
rewrite [X in _ <= X](@big_cat_nat _ _ _ (n.*2.+1 + m)) //=.
rewrite [X in _ <= X + _](@big_cat_nat _ _ _ m) ?leq_addl //=.
rewrite -addrA addrCA ler_addl addr_ge0 //; exact: sumr_ge0.
Qed.

Lemma within_wider f n k : (forall x, 0 <= f x) -> (n <= k)%N -> within n f <= within k f.
Proof.
move=> f0 nk; rewrite -[X in _ <= within X _](subnKC nk); apply: le_trans (within_moved (m := (k - n)%N) _ f0 _).
  by rewrite /within ler_sum // => i _; rewrite addrK.
by rewrite -addnn leq_addr.
Qed.

(** Turned round s/2. *)
Lemma within_turned f n s : (forall x, 0 <= f x) ->
  within n (fun x => f (s%:R - x)) <= within (n + s) f.
Proof.
move=> f0; apply: le_trans (within_moved (m := s.*2) n f0 (leqnn _)); rewrite le_eqVlt; apply/orP; left.
apply/eqP; rewrite {1}/within big_nat_rev /= /within; apply: eq_big_nat => i /andP[_ lt]; congr f.
rewrite add0n subSS natrB // -!addnn !natrD; ring.
Qed.

Lemma withinB f g n y : within n (fun x => f x - y * g x) = within n f - y * within n g.
Proof. by rewrite /within sumrB mulr_sumr. Qed.

Lemma within_le f g n : (forall x, f x <= g x) -> within n f <= within n g.
Proof. by move=> h; apply: ler_sum. Qed.

Definition bounded f (c : R) : Prop := (forall x, 0 <= f x) /\ forall n, within n f <= c.

Lemma everywhere_lub f c : bounded f c -> is_lub (fun w : R => exists n, w = within n f) (everywhere f).
Proof.
case=> _ h; rewrite /everywhere; set E := fun w : R => _; have [ub least] := Lub_Rbar_correct E.
have above : Rbar_le (Lub_Rbar E) c by apply: least => _ [n ->]; apply/RleP; exact: h.
have below : Rbar_le (within 0 f) (Lub_Rbar E) by apply: ub; exists 0%N.
case: (Lub_Rbar E) ub least above below => [w||] //= ub least _ _.
by split=> [x Ex|y uby]; [exact: ub|exact: (least (Finite y))].
Qed.

Lemma everywhere_least f c : bounded f c -> everywhere f <= c.
Proof. by move=> b; have [_ least] := everywhere_lub b; apply/RleP/least => _ [n ->]; apply/RleP; case: b. Qed.

Lemma within_everywhere f c n : bounded f c -> within n f <= everywhere f.
Proof. by move=> b; have [ub _] := everywhere_lub b; apply/RleP/ub; exists n. Qed.

Lemma everywhere_near f c tau : bounded f c -> 0 < tau -> exists n, everywhere f - tau < within n f.
Proof.
move=> b t0; have [_ least] := everywhere_lub b.
case: (Classical_Prop.classic (exists n, everywhere f - tau < within n f)) => // none.
suff : everywhere f <= everywhere f - tau by rewrite ler_subr_addr ger_addl leNgt t0.
apply/RleP/least => _ [n ->]; apply/RleP; rewrite leNgt; apply/negP => lt; apply: none; by exists n.
Qed.

Lemma everywhere_turned f c s : bounded f c -> everywhere (fun x => f (s%:R - x)) = everywhere f.
Proof.
have half f' c' : bounded f' c' -> bounded (fun x => f' (s%:R - x)) (everywhere f').
  move=> b; split=> [x|n]; first by case: b.
  by apply: le_trans (within_everywhere (n + s) b); apply: within_turned; case: b.
move=> b; have b' := half _ _ b; apply/le_anti; rewrite everywhere_least //=.
have := everywhere_least (half _ _ b'); rewrite (_ : (fun x => f (s%:R - (s%:R - x))) = f) //.
by apply: functional_extensionality => x; congr f; ring.
Qed.
End Windows.

(** Two laws up to the same total. *)
Section Two.
Variables (f g : R -> R) (Z : R).
Hypotheses (F : bounded f Z) (G : bounded g Z) (FZ : everywhere f = Z).
Let f0 x : 0 <= f x. Proof. by case: F. Qed.
Let g0 x : 0 <= g x. Proof. by case: G. Qed.
Definition beyond (y : R) : R := everywhere (fun x => pos (f x - y * g x)).

Lemma beyond_bounded y : 0 <= y -> bounded (fun x => pos (f x - y * g x)) Z.
Proof.
move=> y0; split=> [x|n]; first exact: pos_ge0.
apply: le_trans (proj2 F n); apply: within_le => x; apply: pos_le => //.
by rewrite ler_subl_addr ler_addl mulr_ge0.
Qed.

Lemma beyond_above n y : 0 <= y -> beyond y <= Z - within n (fun x => Num.min (f x) (y * g x)).
Proof.
move=> y0; apply: everywhere_least; split=> [x|m]; first exact: pos_ge0.
set k := maxn m n; pose h x := Num.min (f x) (y * g x); pose p x := pos (f x - y * g x).
have h0 x : 0 <= h x by rewrite le_minr f0 mulr_ge0.
have split_k : within k p + within k h = within k f.
  rewrite /within -big_split; apply: eq_bigr => i _; rewrite /= /p /h; set a := f _; set b := y * _.
  by case: leP => [ab|/ltW ba]; [rewrite pos_0 ?add0r // subr_le0|rewrite pos_id ?subrK // subr_ge0].
apply: (@le_trans _ _ (within k p)); first by apply: within_wider; rewrite ?leq_maxl // => x; exact: pos_ge0.
rewrite ler_subr_addr -/h; apply: le_trans (proj2 F k); rewrite -split_k ler_add2l.
by apply: within_wider; rewrite ?leq_maxr.
Qed.

Lemma beyond_below n y : 0 <= y -> within n (fun x => pos (f x - y * g x)) +
  pos ((Z - within n f) - y * (Z - within n g)) <= beyond y.
Proof.
move=> y0; have b := beyond_bounded y0; pose p x := pos (f x - y * g x).
case: (leP ((Z - within n f) - y * (Z - within n g)) 0) => [low|high].
  by rewrite pos_0 // addr0; exact: within_everywhere b.
rewrite pos_id ?(ltW high) //; apply/ler_addgt0Pl => tau t0.
have [m near] := everywhere_near F t0; set k := maxn m n; rewrite FZ in near.
have near' : Z - tau < within k f by apply: lt_le_trans near _; apply: within_wider; rewrite ?leq_maxl.
have wider : within n (fun x => p x - 1 * (f x - y * g x)) <= within k (fun x => p x - 1 * (f x - y * g x)).
  by apply: within_wider; rewrite ?leq_maxr // => x; rewrite mul1r subr_ge0 le_pos.
have up := within_everywhere k b; rewrite -/(beyond y) in up.
rewrite !withinB !mul1r in wider; have gk : y * within k g <= y * Z by rewrite ler_wpmul2l //; case: G.
rewrite -ler_subl_addl; apply: le_trans up; rewrite -subr_ge0.
have -> : within k p - (within n p + (Z - within n f - y * (Z - within n g)) - tau) =
  ((within k p - (within k f - y * within k g)) - (within n p - (within n f - y * within n g))) +
  (within k f - (Z - tau)) + (y * Z - y * within k g) by ring.
by apply: addr_ge0; [apply: addr_ge0|]; rewrite subr_ge0 // ltW.
Qed.
End Two.

Section Bell.
Variable v : R.
Hypothesis v0 : 0 < v.
Let b := bell v.
Local Arguments b _%R.

Lemma bell_gt0 x : 0 < b x. Proof. exact: exp_gt0. Qed.
Lemma bell_even x : b (- x) = b x. Proof. by rewrite /b /bell sqrrN. Qed.

(** What is left beyond n, on one side, is below a geometric sum. *)
Definition ratio_beyond (n : nat) : R := (exp (- (n%:R / v)))%R.
Lemma ratio_beyond_lt1 n : (0 < n)%N -> ratio_beyond n < 1.
Proof. by move=> n0; rewrite -[X in _ < X]exp_0 ltNge exp_le -ltNge oppr_lt0 divr_gt0 ?ltr0n. Qed.

Lemma bell_falls n k : b (n + k)%:R <= b n%:R * ratio_beyond n ^+ k.
Proof.
have -> : ratio_beyond n ^+ k = exp (- (k%:R * (n%:R / v))).
  elim: k => [|k IH]; first by rewrite expr0 mul0r oppr0 exp_0.
  by rewrite exprS IH /ratio_beyond -expD -addn1 natrD; congr exp; ring.
rewrite /b /bell -expD exp_le -opprD ler_opp2 -subr_ge0.
have -> : (n + k)%:R ^+ 2 / (2%:R * v) - (n%:R ^+ 2 / (2%:R * v) + k%:R * (n%:R / v)) = k%:R ^+ 2 / (2%:R * v).
  by rewrite natrD; field; rewrite gt_eqF // ?pnatr_eq0.
by rewrite divr_ge0 ?sqr_ge0 // mulr_ge0 ?ler0n // ltW.
Qed.

Lemma within_S (f : R -> R) n : within n.+1 f = within n f + (f n.+1%:R + f (- n.+1%:R)).
Proof.
rewrite /within doubleS big_nat_recr //= big_nat_recl //= sub0r [LHS]addrAC addrC; congr (_ + _).
  by apply: eq_bigr => i _; congr f; rewrite !mulrSr; ring.
by rewrite addrC; congr (f _ + _); rewrite -addnn !mulrSr !natrD; ring.
Qed.

Definition most_beyond (n : nat) : R := (2%:R * (b n.+1%:R / (1 - ratio_beyond n.+1)))%R.

Lemma bell_bounded n : bounded b (within n b + most_beyond n).
Proof.
split=> [x|m]; first exact: ltW (bell_gt0 x).
have r1 : ratio_beyond n.+1 < 1 by exact: ratio_beyond_lt1.
have r0 : 0 < ratio_beyond n.+1 by exact: exp_gt0.
have gap : 0 < 1 - ratio_beyond n.+1 by rewrite subr_gt0.
have wide k : within (n + k) b <= within n b + 2%:R * (b n.+1%:R * ((1 - ratio_beyond n.+1 ^+ k) / (1 - ratio_beyond n.+1))).
  elim: k => [|k IH]; first by rewrite addn0 expr0 subrr mul0r !mulr0 addr0.
  rewrite addnS within_S bell_even -[_.+1%:R]/((n.+1 + k)%:R).
  have -> : b (n.+1 + k)%:R + b (n.+1 + k)%:R = 2%:R * b (n.+1 + k)%:R by ring.
  apply: le_trans (ler_add IH (ler_wpmul2l (ler0n _ 2) (bell_falls n.+1 k))) _.
  rewrite -addrA ler_add2l -mulrDr -mulrDr ler_pmul2l ?ltr0n // ler_pmul2l ?bell_gt0 // exprS.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
apply: (@le_trans _ _ (within (n + m) b)).
  by apply: within_wider; rewrite ?leq_addl // => x; exact: ltW (bell_gt0 x).
apply: le_trans (wide m) _; rewrite ler_add2l ler_pmul2l ?ltr0n // ler_pmul2l ?bell_gt0 //.
by rewrite ler_pdivr_mulr // mulVf ?gt_eqF // ler_subl_addr ler_addl exprn_ge0 // ltW.
Qed.

Let Z := everywhere b.
Let B : bounded b Z.
Proof. by split=> [x|n]; [exact: ltW (bell_gt0 x)|exact: within_everywhere (bell_bounded 0)]. Qed.

Lemma bell_total_gt0 : 0 < Z.
Proof. by apply: lt_le_trans (proj2 B 0%N); rewrite /within big_nat1; exact: bell_gt0. Qed.

Lemma bell_total_above n : Z <= within n b + most_beyond n.
Proof. exact: everywhere_least (bell_bounded n). Qed.

Variable s : nat.
Let c (x : R) := b (x - s%:R).
Local Arguments c _%R.
Let cE : c = fun x => b (s%:R - x).
Proof. by apply: functional_extensionality => x; rewrite /c -[RHS]bell_even opprB. Qed.
Let C : bounded c Z.
Proof.
split=> [x|n]; first exact: ltW (bell_gt0 _).
rewrite cE; apply: le_trans (proj2 B (n + s)%N); apply: within_turned; by case: B.
Qed.
Let CZ : everywhere c = Z.
Proof. by rewrite cE; exact: everywhere_turned B. Qed.
Let curve := discrete_gaussian_curve v s.
Local Arguments curve _%R.

Lemma bell_within n : within n b <= Z. Proof. by case: B. Qed.
Lemma moved_within n : within n c <= Z. Proof. by case: C. Qed.

Theorem curve_above n (y : R) : 0 <= y ->
  curve y <= 1 - within n (fun x => Num.min (b x) (y * b (x - s%:R))) / Z.
Proof.
move=> y0; have := beyond_above B C n y0.
rewrite -(@ler_pmul2r _ Z^-1) ?invr_gt0 ?bell_total_gt0 // mulrBl divff //.
by rewrite gt_eqF // bell_total_gt0.
Qed.

Theorem curve_below n (y : R) : 0 <= y ->
  (within n (fun x => pos (b x - y * c x)) + pos ((Z - within n b) - y * (Z - within n c))) / Z <= curve y.
Proof.
move=> y0; rewrite ler_pmul2r ?invr_gt0 ?bell_total_gt0 //.
exact: (beyond_below B C (erefl _) n y0).
Qed.

(** With the laws exchanged. *)
Theorem curve_below_back n (y : R) : 0 <= y ->
  (within n (fun x => pos (c x - y * b x)) + pos ((Z - within n c) - y * (Z - within n b))) / Z <= curve y.
Proof.
move=> y0; rewrite ler_pmul2r ?invr_gt0 ?bell_total_gt0 //.
apply: le_trans (beyond_below C B CZ n y0) _; rewrite /beyond.
suff -> : everywhere (fun x => pos (c x - y * b x)) = everywhere (fun x => pos (b x - y * c x)) by exact: lexx.
rewrite -(everywhere_turned s (beyond_bounded B C y0)); congr everywhere; apply: functional_extensionality => x.
by rewrite cE /=; congr (pos (_ - _ * b _)); ring.
Qed.

(** Two equal laws are told apart no more. *)
Lemma curve_least (y : R) : 0 <= y -> pos (1 - y) <= curve y.
Proof.
move=> y0; have Z0 : 0 < Z := bell_total_gt0.
apply: le_trans (curve_below 0 y0); rewrite ler_pdivl_mulr // mulrC -posM ?(ltW Z0) //.
have -> : Z * (1 - y) = (within 0 b - y * within 0 c) + ((Z - within 0 b) - y * (Z - within 0 c)) by ring.
apply: le_trans (posD _ _) _; rewrite ler_add2r /within big_nat1 big_nat1 big_nat1; exact: lexx.
Qed.
End Bell.
