(** The verified checker: the table of `lattice` stays below the true weights.

    Keys are told apart by the real numbers that they stand for; so nothing is asked of
    the logarithms, and keys that denote one number may stay apart. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms Comparisons.
From ExactDP Require Import Enclosures EnclosuresOfNumbers CheckerClosed Tables TablesByKey.
From ExactDP Require Import CheckerDelta Merging CheckerRationalOddsSound CheckerLattice.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Lemma by_coordinates_eq s t : by_coordinates s t = Eq -> s = t.
Proof.
elim: s t => [|x s IH] [|y t] //=; case: Z.ltb => //.
by case: Z.eqb_spec => // -> /IH ->.
Qed.

Section Sound.
Variables (f : effort) (s : subject) (p : lattice_plan).
Hypotheses (ok : subject_ok f s) (pok : lattice_plan_ok p).
Let one := (2 ^ bits f)%coqZ.
Let S := weight_scale p.
Let bs := quotients s.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let D0 : Z.lt 0 (denominator s). Proof. by case/and4P: ok => _ /Z.ltb_lt. Qed.
Let D0' : 0 < IZR (denominator s). Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let bs_ok : all quotient_ok bs. Proof. by case/and4P: ok. Qed.
Let S0 : Z.lt 0 S. Proof. by case/andP: pok => /Z.ltb_lt. Qed.
Let G0 : Z.lt 0 (block_finer p). Proof. by case/andP: pok => _ /Z.ltb_lt. Qed.

(** What a key stands for. *)
Definition worth (x : combination) : R := real s x.

Lemma worth_add x y : worth (cadd x y) = worth x + worth y.
Proof. by rewrite /worth /real value_add mulrDl. Qed.
Lemma worth_scale m x : worth (cscale m x) = IZR m * worth x.
Proof. by rewrite /worth /real value_scale mulrA. Qed.
Lemma worth_sub x y : worth (csub x y) = worth x - worth y.
Proof. by rewrite /worth /real value_sub mulrBl. Qed.
Lemma worth_no_key : worth no_key = 0.
Proof. by rewrite /worth /real /value /=; case: (quotients s) => [|? ?] /=; rewrite addr0 mul0r. Qed.

Lemma number_enclosed x : enclosed (bits f) (worth x) (number f s (logarithms (bits f) bs) x).
Proof. exact: enclosed_number. Qed.

(** The bounds of one e^-x. *)
Lemma exponential_bounds x e :
  exponential (bits f) (opp (number f s (logarithms (bits f) bs) x)) = Some e ->
  IZR (Z.max 0 e.1) <= IZR one * exp (- worth x) <= IZR e.2.
Proof.
move/(enclosed_exponential _ bits0 _ _ _ (enclosed_opp _ _ _ (number_enclosed x)))/enclosedP.
rewrite mulrC -/one => /andP[lo hi]; apply/andP; split=> //.
have one0' : 0 < IZR one by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
by case: (Z.max_spec 0 e.1) => -[_ ->] //; rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
Qed.

Definition seen (t : weighted) : R * Z := (worth t.1, t.2).
Definition atoms (es : seq entry) : seq (seq (R * R * R)) :=
  flatten [seq nseq (Z.to_nat (count e))
    (rr_atoms (exp (real s (epsilon e))) 0 (real s (epsilon e))) | e <- es].

Definition below (es : seq entry) (table : seq weighted) :=
  keyed_below +%R 0 S (atoms es) [seq seen t | t <- table].

Lemma atoms_nonnegative es : nonnegative (atoms es).
Proof.
rewrite /nonnegative /atoms; elim: es => [|e es IH] //=; rewrite all_cat IH andbT all_nseq /=.
have h : 0 <= exp (real s (epsilon e)) by exact: ltW (exp_gt0 _).
by rewrite !divr_ge0 ?ler01 ?addr_ge0 ?ler01 ?orbT.
Qed.

Lemma sum_moved (table : seq weighted) key j w (h : R -> R) :
  \sum_(x <- moved table key j w) IZR x.2 * h (worth x.1) =
  IZR w * \sum_(t <- table) IZR t.2 * h (worth key *+ j + worth t.1).
Proof.
rewrite /moved; set g := fun x : weighted => (cadd (cscale (Z.of_nat j) key) x.1, (w * x.2)%coqZ).
have -> r : foldl (fun r x => g x :: r) r table = catrev [seq g x | x <- table] r.
  by elim: table r => [|x t IH] r //=; rewrite IH.
rewrite -/(rev _) revK big_map mulr_sumr; apply: eq_bigr => t _ /=.
rewrite IZRM worth_add worth_scale -INR_IZR_INZ mulrA; congr (_ * h (_ + _)).
by rewrite -mulr_natl; congr (_ * _); elim: j {g} => [|j IH] //; rewrite S_INR IH -addn1 natrD.
Qed.

Lemma sum_with_moves (table : seq weighted) key j ws (h : R -> R) :
  \sum_(m <- moves table key j ws) \sum_(x <- m) IZR x.2 * h (worth x.1) =
  \sum_(i < size ws) IZR (nth Z0 ws i) *
    (\sum_(t <- table) IZR t.2 * h (worth key *+ (j + i) + worth t.1)).
Proof.
elim: ws j => [|w ws IH] j /=; first by rewrite big_nil big_ord0.
rewrite big_cons big_ord_recl sum_moved addn0 IH; congr (_ + _).
by apply: eq_bigr => i _; rewrite /= /bump leq0n addSnnS.
Qed.

Let logs := logarithms (bits f) bs.

Lemma worth_is_zero x : is_zero x -> worth x = 0.
Proof. by move=> h; rewrite /worth /real is_zero_value // mul0r. Qed.

Lemma rounded_downE U : [seq seen t | t <- rounded_down p U] =
  [seq t <- [seq (t.1, floor_div t.2 S) | t <- [seq seen t | t <- U]] | ~~ Z.eqb t.2 0].
Proof.
have -> : rounded_down p U = [seq t <- [seq (t.1, floor_div t.2 S) | t <- U] | ~~ Z.eqb t.2 0].
  pose g r (x : weighted) := let y := floor_div x.2 S in if Z.eqb y 0 then r else (x.1, y) :: r.
  rewrite /rounded_down -/S -/g; have h r : foldl g r U =
      catrev [seq t <- [seq (t.1, floor_div t.2 S) | t <- U] | ~~ Z.eqb t.2 0] r.
    by elim: U r => [|x U IH] r //=; rewrite IH /g; case: Z.eqb.
  by rewrite h -/(rev _) revK.
by elim: U => [|x U IH] //=; rewrite -IH; case: (Z.eqb _ _).
Qed.

(** A group added to the table. *)
Lemma with_block_below es e c table b :
  below es table ->
  stays_below S (truth_polynomial (exp (real s (epsilon e))) ^+ c) b ->
  keyed_below +%R 0 S (nseq c (rr_atoms (exp (real s (epsilon e))) 0 (real s (epsilon e))) ++ atoms es)
    [seq seen t | t <- with_block p table (epsilon e) b].
Proof.
set v := real s (epsilon e); move=> bel bb.
have [T0 _] := bel; set U := merged_all by_key joined_weights (moves table (epsilon e) b.1 b.2).
have vE : worth (epsilon e) = v by [].
apply: (keyed_below_rounded S0 _ (rounded_downE U)) => [|h h0].
  have table0 : all (fun t => Z.leb 0 t.2) table.
    elim: (table) T0 => [|t ts IH] //= T0'.
    by rewrite IH ?andbT; [exact/Z.leb_le/(List.Forall_inv T0')|exact: List.Forall_inv_tail T0'].
  have : all (fun t : weighted => Z.leb 0 t.2) U.
    apply: all_merged_all => [x y /Z.leb_le x0 /Z.leb_le y0|].
      by apply/Z.leb_le; apply: Z.add_nonneg_nonneg.
    have ws0 : all (fun w => Z.leb 0 w) b.2.
      apply/(all_nthP Z0) => i _; have [+ _] := bb (b.1 + i)%N; case: (b) => o ws /=.
      by rewrite nth_flat ltnNge leq_addr addKn => /Z.leb_le.
    elim: (b.2) (b.1) ws0 => [|w ws IH] j //= /andP[/Z.leb_le w0 /IH ->]; rewrite andbT /moved all_rev.
    set shift := cscale _ _; pose g r (x : weighted) := (cadd shift x.1, (w * x.2)%coqZ) :: r.
    suff hg r : all (fun t : weighted => Z.leb 0 t.2) r ->
        all (fun t : weighted => Z.leb 0 t.2) (foldl g r table) by exact: (hg [::]).
    elim: (table) table0 r => [|t ts IHt] //= /andP[/Z.leb_le t0 ts0] r r0; apply: IHt => //=.
    by rewrite r0 andbT; apply/Z.leb_le; exact: Z.mul_nonneg_nonneg.
  by elim: U => [|t ts IH] //= /andP[/Z.leb_le t0 ts0]; constructor=> //; exact: IH.
rewrite big_map /= /U
  (@sum_merged_all _ by_key joined_weights _ (fun t : weighted => IZR t.2 * h (worth t.1))).
  have := block_below (@add0r _) v S0 (ltW (exp_gt0 _)) (atoms_nonnegative es) bel bb h0.
  rewrite sum_with_moves; apply: le_trans.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; congr (_ * _).
  rewrite big_map; apply: eq_bigr => t _; congr (_ * h _).
  by rewrite vE; elim: (b.1 + i)%N => [|j IH]; rewrite ?mulr0n ?add0r //= -IH mulrS addrA.
move=> x y /by_coordinates_eq[e1 e2]; rewrite /joined_weights /= IZRD mulrDl.
by rewrite (_ : y.1 = x.1) //; apply: injective_projections.
Qed.

Lemma lattice_table_below es table : List.Forall (fun e => Z.le 0 (count e)) es ->
  lattice_table f s p logs es = Some table -> below es table.
Proof.
elim: es table => [|e es IH] table c0 /=.
  move=> [<-]; rewrite /below /= /seen worth_no_key.
  by apply: keyed_below_one => //; exact: Z.lt_le_incl.
case l: (lattice_table f s p logs es) => [table'|] //.
have {l} bel := IH _ (List.Forall_inv_tail c0) l.
rewrite /below /atoms /= -/(atoms es); have := List.Forall_inv c0.
case: (count e) => [|n|n] c; [by case=> <-| |by case: (Zlt_not_le _ _ (Pos2Z.neg_is_neg n))].
case: ifP => [z [<-]|_].
  rewrite -/(worth (epsilon e)) (worth_is_zero z).
  by apply: (keyed_below_no_key (@add0r _)) => //; exact: (ltW (exp_gt0 _)).
rewrite /block_weights; case x: (exponential _ _) => [g|] //.
case: Nat.leb => // -[<-]; apply: with_block_below => //.
have := exponential_bounds x; rewrite /worth expN.
by apply: block_of_below => //; [exact: Z.le_max_l|exact: exp_gt0].
Qed.

(** r of a set with this key. *)
Lemma restE x key :
  worth (csub (csub (total_epsilon s) x) (cscale 2 key)) =
  rest id (epsilons (ledger_of s)) (real s x) (worth key).
Proof.
rewrite !worth_sub worth_scale /rest map_id.
rewrite -(total_epsilonE ok) addrAC (_ : IZR 2 = 2%:R) // mulr_natl; congr (_ - _ - _).
Qed.

Lemma atomsE : atoms (entries s) =
  [seq rr_atoms (exp (id e)) 0 e | e <- epsilons (ledger_of s)].
Proof.
rewrite epsilonsE map_flatten /atoms -map_comp; congr flatten.
by apply: eq_map => e /=; rewrite map_nseq.
Qed.
End Sound.
