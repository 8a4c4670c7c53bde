(** Shuffled reports (SPEC, 7.1, 7.4 and 7.5): records in an order drawn from all, of which each is answered in turn by a
    local randomizer, which may depend on the answers before; all answers are released.

    If each randomizer answers with some probability by one of a few laws, whatever the record ("letters"), and the
    record in question is always answered by one of these, then what is released says no more than how many
    answers there are by each of them ([letters_dominate]).  With two letters these are the clones of Feldman, McMillan &
    Talwar (FOCS 2021); with one for each value, the blanket of Balle, Bell, Gascón & Nissim (CRYPTO 2019). *)
From Coq Require Import Reals.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Notions NoiseLedgers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** --- what is released --- *)

(** By the answers before, for each record the probabilities of its answer. *)
Definition randomizer (A : finType) (X : Type) := seq A -> X -> A -> R.

Section Model.
Variables (A : finType) (X : Type) (r : randomizer A X) (n : nat).

Definition answered_in_turn (x : 'I_n -> X) (y : n.-tuple A) : R := \prod_(i < n) r (take i y) (x i) (tnth y i).

(** The order of the records is drawn from all. *)
Definition released (x : 'I_n -> X) (y : n.-tuple A) : R :=
  ((\sum_(s : 'S_n) answered_in_turn (fun i => x (s i)) y) / (n`!)%:R)%R.

(** One record is exchanged. *)
Definition exchanged_at (i0 : 'I_n) (v : X) (x : 'I_n -> X) (i : 'I_n) : X := if i == i0 then v else x i.
End Model.

(** --- one answer after the other --- *)

Lemma sum_cons (U : finType) n (F : n.+1.-tuple U -> R) :
  \sum_t F t = \sum_u \sum_(t : n.-tuple U) F [tuple of u :: t].
Proof.
rewrite pair_big /= (reindex (fun p : U * n.-tuple U => [tuple of p.1 :: p.2])) //=.
exists (fun t : n.+1.-tuple U => (thead t, [tuple of behead t])) => [[u t] _|t _] /=.
  by congr (_, _); apply: val_inj.
by apply: val_inj; rewrite [in RHS](tuple_eta t).
Qed.

Lemma in_turn_total (A : finType) n (W : 'I_n -> seq A -> A -> R) : (forall i h, \sum_a W i h a = 1) ->
  \sum_(y : n.-tuple A) \prod_(i < n) W i (take i y) (tnth y i) = 1.
Proof.
elim: n W => [|n IH] W h.
  rewrite (eq_bigr (fun=> 1)) => [|y _]; last by rewrite big_ord0.
  by rewrite big_const card_tuple /= addr0.
rewrite sum_cons -[RHS](h ord0 [::]); apply: eq_bigr => a _.
transitivity (W ord0 [::] a * \sum_(y : n.-tuple A) \prod_(i < n) W (lift ord0 i) (a :: take i y) (tnth y i)).
  rewrite mulr_sumr; apply: eq_bigr => y _; rewrite big_ord_recl; congr (_ * _).
  by apply: eq_bigr => i _; rewrite tnthS.
rewrite (IH (fun i g => W (lift ord0 i) (a :: g))) ?mulr1 // => i g; exact: h.
Qed.

(** --- orders --- *)

Lemma orders_at n (i j i0 : 'I_n) (F : 'S_n -> R) :
  \sum_(s : 'S_n | (s^-1)%g i0 == j) F s = \sum_(s : 'S_n | (s^-1)%g i0 == i) F (tperm i j * s)%g.
Proof.
rewrite (reindex_inj (mulgI (tperm i j))) /=; apply: eq_bigl => s.
by rewrite invMg permM tpermV (canF_eq (tpermK i j)) tpermR.
Qed.

Lemma orders_with n (i i0 : 'I_n.+1) : \sum_(s : 'S_n.+1 | (s^-1)%g i0 == i) 1 = (n`!)%:R :> R.
Proof.
have same j : \sum_(s : 'S_n.+1 | (s^-1)%g i0 == j) 1 = \sum_(s : 'S_n.+1 | (s^-1)%g i0 == i) 1 :> R.
  exact: orders_at.
have all_ : \sum_(s : 'S_n.+1) 1 = (n.+1 * n`!)%:R :> R by rewrite sumr_const card_Sn.
move: all_; rewrite (partition_big (fun s : 'S_n.+1 => (s^-1)%g i0) predT) //=.
rewrite (eq_bigr _ (fun j _ => same j)) sumr_const card_ord natrM.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
by move=> e; apply: (mulfI n0); rewrite mulr_natl e.
Qed.

(** --- letters --- *)

Section Letters.
Variables (A L : finType) (X : Type) (r : randomizer A X) (n : nat).
Variables (letter : L -> seq A -> A -> R) (rest : randomizer A X) (c d : R).
Variables (x : 'I_n.+1 -> X) (i0 : 'I_n.+1) (v : X) (alpha beta : L -> R).
Let x' := exchanged_at i0 v x.
Hypotheses (c0 : 0 < c) (d0 : 0 <= d).
Hypotheses (letter0 : forall l h a, 0 <= letter l h a) (letter1 : forall l h, \sum_a letter l h a = 1).
Hypotheses (rest0 : forall h u a, 0 <= rest h u a) (rest1 : forall h u, \sum_a rest h u a = 1).
Hypothesis others : forall h u a, r h u a = c * (\sum_l letter l h a) + d * rest h u a.
Hypothesis one : forall h a, r h (x i0) a = \sum_l alpha l * letter l h a.
Hypothesis other : forall h a, r h v a = \sum_l beta l * letter l h a.

Variable theta : R.

(** Of the record in question, and of any other; no letter: by what is left. *)
Definition gained (o : option L) : R := if o is Some l then alpha l - theta * beta l else 0.
Definition weighs (o : option L) : R := if o is Some _ then c else d.
Definition law_at (o : option L) (h : seq A) (u : X) (a : A) : R := if o is Some l then letter l h a else rest h u a.

Let by_letters (s : 'S_n.+1) (t : {ffun 'I_n.+1 -> option L}) (y : n.+1.-tuple A) : R :=
  \prod_i law_at (t i) (take i y) (x (s i)) (tnth y i).

Lemma sum_option (F : option L -> R) : \sum_o F o = F None + \sum_l F (Some l).
Proof.
rewrite (bigD1 None) //=; congr (_ + _).
rewrite (reindex_omap (@Some L) id) => [|[l|] //] /=.
by apply: eq_bigl => l; rewrite eqxx.
Qed.

Lemma in_letters (s : 'S_n.+1) (y : n.+1.-tuple A) :
  answered_in_turn r (fun i => x (s i)) y - theta * answered_in_turn r (fun i => x' (s i)) y =
  \sum_(t : {ffun 'I_n.+1 -> option L}) (\prod_i weighs (t i)) / c * gained (t ((s^-1)%g i0)) * by_letters s t y.
Proof.
pose j := (s^-1)%g i0; have sj : s j = i0 by rewrite /j permKV.
have sx i : i != j -> s i != i0 by apply: contraNneq => e; rewrite /j -e permK.
pose f (i : 'I_n.+1) (o : option L) := (if i == j then gained o else weighs o) * law_at o (take i y) (x (s i)) (tnth y i).
transitivity (\prod_i \sum_o f i o).
  have xj : x' (s j) = v by rewrite /x' /exchanged_at sj eqxx.
  have same : \prod_(i < n.+1 | i != j) r (take i y) (x' (s i)) (tnth y i) =
              \prod_(i < n.+1 | i != j) r (take i y) (x (s i)) (tnth y i).
    by apply: eq_bigr => i ij; rewrite /x' /exchanged_at (negPf (sx i ij)).
  rewrite [RHS](bigD1 j) //= /answered_in_turn (bigD1 j) //= [X in _ - _ * X = _](bigD1 j) //=.
  rewrite xj sj one other same mulrA -mulrBl; congr (_ * _).
    rewrite sum_option /f eqxx /= mul0r add0r mulr_sumr -sumrB; apply: eq_bigr => l _.
    by rewrite mulrBl mulrA.
  by apply: eq_bigr => i ij; rewrite sum_option /f (negPf ij) /= others mulr_sumr addrC.
rewrite bigA_distr_bigA; apply: eq_bigr => t _.
rewrite /f big_split /=; congr (_ * _); rewrite (bigD1 j) //= eqxx mulrC.
rewrite (eq_bigr (fun i => weighs (t i))) => [|i /negPf ->] //; rewrite [X in _ = X / _ * _](bigD1 j) //=.
case: (t j) => [l|] /=; last by rewrite !mulr0.
by rewrite [c * _]mulrC mulfK // gt_eqF.
Qed.

Lemma moved_place (i j : 'I_n.+1) (s : 'S_n.+1) (t : {ffun 'I_n.+1 -> option L}) y : t i != None -> t j != None ->
  by_letters (tperm i j * s)%g t y = by_letters s t y.
Proof.
move=> ti tj; apply: eq_bigr => m _; rewrite permM; case: tpermP => [->|->|//].
  by case: (t i) ti.
by case: (t j) tj.
Qed.

(** Orders in which the record in question comes to a place with a letter. *)
Let placed (t : {ffun 'I_n.+1 -> option L}) (y : n.+1.-tuple A) : R :=
  if [pick i | t i != None] is Some i then \sum_(s : 'S_n.+1 | (s^-1)%g i0 == i) by_letters s t y else 0.

Lemma all_orders (t : {ffun 'I_n.+1 -> option L}) y : \sum_(s : 'S_n.+1) gained (t ((s^-1)%g i0)) * by_letters s t y = placed t y * (\sum_i gained (t i)).
Proof.
rewrite (partition_big (fun s : 'S_n.+1 => (s^-1)%g i0) predT) //= /placed mulr_sumr.
apply: eq_bigr => j _; rewrite (eq_bigr (fun s => gained (t j) * by_letters s t y)) => [|s /eqP -> //].
rewrite -mulr_sumr mulrC; case: (eqVneq (t j) None) => [->|tj]; first by rewrite !mulr0.
case: pickP => [i ti|/(_ j)]; last by rewrite tj.
congr (_ * _); rewrite (orders_at i j); apply: eq_bigr => s _; exact: moved_place.
Qed.

Lemma by_letters_total s t : \sum_y by_letters s t y = 1.
Proof.
apply: (in_turn_total (W := fun i g a => law_at (t i) g (x (s i)) a)) => i g.
by rewrite /law_at; case: (t i).
Qed.
Lemma by_letters_ge0 s t y : 0 <= by_letters s t y.
Proof. by apply: prodr_ge0 => i _; rewrite /law_at; case: (t i). Qed.

Lemma placed_ge0 t y : 0 <= placed t y.
Proof. rewrite /placed; case: pickP => // i _; apply: sumr_ge0 => s _; exact: by_letters_ge0. Qed.
Lemma placed_total t : (\sum_y placed t y) * pos (\sum_i gained (t i)) = (n`!)%:R * pos (\sum_i gained (t i)).
Proof.
rewrite /placed; case: pickP => [i ti|none].
  congr (_ * _); rewrite exchange_big /= -(orders_with i i0); apply: eq_bigr => s _; exact: by_letters_total.
rewrite [\sum_i gained _]big1 => [|i _]; first by rewrite pos_0 // !mulr0.
by have := none i; case: (t i).
Qed.

Lemma weighs_ge0 o : 0 <= weighs o. Proof. by case: o => //=; rewrite ltW. Qed.

Lemma pos_sum (I : finType) (F : I -> R) : pos (\sum_i F i) <= \sum_i pos (F i).
Proof.
elim/big_rec2: _ => [|i a b _ le]; first by rewrite pos_0.
by apply: le_trans (posD _ _) _; rewrite ler_add2l.
Qed.

(** What is released says no more than by how many letters of each kind it was answered. *)
Theorem letters_dominate : hockey_stick 1 theta (released r x) (released r x') <=
  \sum_(t : {ffun 'I_n.+1 -> option L}) (\prod_i weighs (t i)) / (c * n.+1%:R) * pos (\sum_i gained (t i)).
Proof.
have F0 : 0 < (n.+1`!)%:R :> R by rewrite ltr0n fact_gt0.
have in_order (a g b f : R) : a * g * b / f = a / f * (g * b) by rewrite -(mulrA a) mulrAC.
have eG y : 1 * released r x y - theta * released r x' y =
    \sum_(t : {ffun 'I_n.+1 -> option L}) (\prod_i weighs (t i)) / c / (n.+1`!)%:R * (placed t y * (\sum_i gained (t i))).
  rewrite mul1r /released mulrA -mulrBl mulr_sumr -sumrB (eq_bigr _ (fun s _ => in_letters s y)) exchange_big mulr_suml.
  apply: eq_bigr => t _; rewrite -all_orders mulr_sumr mulr_suml; apply: eq_bigr => s _.
  exact: in_order.
rewrite /hockey_stick; under eq_bigr => y _ do rewrite eG.
apply: (@le_trans _ _ (\sum_y \sum_(t : {ffun 'I_n.+1 -> option L})
    (\prod_i weighs (t i)) / c / (n.+1`!)%:R * (placed t y * pos (\sum_i gained (t i))))).
  apply: ler_sum => y _; apply: le_trans (pos_sum _) _; apply: ler_sum => t _.
  have w0 : 0 <= (\prod_i weighs (t i)) / c / (n.+1`!)%:R.
    by apply: divr_ge0 (ltW F0); apply: divr_ge0 (ltW c0); apply: prodr_ge0 => i _; exact: weighs_ge0.
  by rewrite posM // posM //; exact: placed_ge0.
rewrite exchange_big /=; apply: ler_sum => t _.
rewrite -mulr_sumr -mulr_suml placed_total le_eqVlt; apply/orP; left; apply/eqP.
have n0 : n`!%:R != 0 :> R by rewrite pnatr_eq0 -lt0n fact_gt0.
have n1 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
rewrite factS natrM -!mulrA !invfM; congr (_ * _); rewrite -!mulrA; congr (_ * (_ * _)).
by rewrite mulrA mulVf // mul1r.
Qed.
End Letters.

(** --- how many letters there are --- *)

(** A binomial sum, of weights m. *)
Definition binomials (n : nat) (m : R) (g : nat -> nat -> R) : R := \sum_(a < n.+1) ('C(n, a))%:R * m ^+ a * g a (n - a)%N.

Lemma binomials_next n m g : binomials n.+1 m g = m * binomials n m (fun a i => g a.+1 i) + binomials n m (fun a i => g a i.+1).
Proof.
rewrite /binomials big_ord_recl [in X in _ = _ + X]big_ord_recl /= !bin0 !expr0 !subn0 addrCA; congr (_ + _).
rewrite mulr_sumr.
have -> : \sum_(i < n) ('C(n, bump 0 i))%:R * m ^+ bump 0 i * g (bump 0 i) (n - bump 0 i).+1 =
    \sum_(i < n.+1) ('C(n, i.+1))%:R * m ^+ i.+1 * g i.+1 (n - i)%N.
  rewrite [RHS]big_ord_recr /= bin_small // !mul0r addr0; apply: eq_bigr => i _.
  by rewrite /bump /= add1n -subSn // subSS.
rewrite -big_split /=; apply: eq_bigr => i _.
by rewrite /bump /= add1n binS subSS natrD exprS; ring.
Qed.

Lemma eq_binomials n m g h : (forall a i, g a i = h a i) -> binomials n m g = binomials n m h.
Proof. by move=> e; apply: eq_bigr => a _; rewrite e. Qed.
Lemma binomials_add n m g h : binomials n m (fun a i => g a i + h a i) = binomials n m g + binomials n m h.
Proof. by rewrite /binomials -big_split; apply: eq_bigr => a _; rewrite mulrDr. Qed.
Lemma binomials_mul n m e g : binomials n m (fun a i => e * g a i) = e * binomials n m g.
Proof. by rewrite /binomials mulr_sumr; apply: eq_bigr => a _; rewrite mulrCA. Qed.

Section Kinds.
Variables (U : finType) (is_a is_b is_o : pred U).
Hypothesis apart : forall u, [&& ~~ (is_a u && is_b u), ~~ (is_a u && is_o u) & ~~ (is_b u && is_o u)].
Let is_none u := ~~ [|| is_a u, is_b u | is_o u].
Hypothesis none1 : #|is_none| = 1%N.

Definition by_kinds (n : nat) (F : nat -> nat -> nat -> R) : R :=
  binomials n #|is_a|%:R (fun a i => binomials i #|is_b|%:R (fun b j => binomials j #|is_o|%:R (fun o _ => F a b o))).

Theorem sum_by_kinds n (F : nat -> nat -> nat -> R) :
  \sum_(t : n.-tuple U) F (count is_a t) (count is_b t) (count is_o t) = by_kinds n F.
Proof.
elim: n F => [|n IH] F.
  rewrite (eq_bigr (fun=> F 0%N 0%N 0%N)) => [|t _]; last by rewrite (tuple0 t).
  by rewrite big_const card_tuple /= addr0 /by_kinds /binomials !big_ord1 /= !bin0 !expr0 !mul1r.
pose T (G : nat -> nat -> nat -> R) : R := \sum_(t : n.-tuple U) G (count is_a t) (count is_b t) (count is_o t).
transitivity (#|is_a|%:R * T (fun a b o => F a.+1 b o) + #|is_b|%:R * T (fun a b o => F a b.+1 o) +
    #|is_o|%:R * T (fun a b o => F a b o.+1) + T F).
  rewrite sum_cons.
  have each u : \sum_(t : n.-tuple U) F (count is_a [tuple of u :: t]) (count is_b [tuple of u :: t]) (count is_o [tuple of u :: t]) =
      (is_a u)%:R * T (fun a b o => F a.+1 b o) + (is_b u)%:R * T (fun a b o => F a b.+1 o) +
      (is_o u)%:R * T (fun a b o => F a b o.+1) + (is_none u)%:R * T F.
    rewrite /T /= /is_none; have := apart u; case: (is_a u); case: (is_b u); case: (is_o u) => //= _;
      by rewrite ?mul1r ?mul0r ?addr0 ?add0r; apply: eq_bigr => t _; rewrite ?add1n ?add0n.
  rewrite (eq_bigr _ (fun u _ => each u)) !big_split -!mulr_suml.
  have card (p : pred U) : \sum_u (p u)%:R = #|p|%:R :> R.
    by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => u _ /=; rewrite unfold_in; case: (p u).
  by rewrite !card (_ : #|is_none| = 1%N) // mul1r.
have eT G : T G = by_kinds n G by exact: IH.
rewrite !eT /by_kinds.
rewrite binomials_next.
transitivity (#|is_a|%:R * binomials n #|is_a|%:R (fun a i => binomials i #|is_b|%:R (fun b j => binomials j #|is_o|%:R (fun o _ => F a.+1 b o))) +
  binomials n #|is_a|%:R (fun a i => #|is_b|%:R * binomials i #|is_b|%:R (fun b j => binomials j #|is_o|%:R (fun o _ => F a b.+1 o)) +
  (#|is_o|%:R * binomials i #|is_b|%:R (fun b j => binomials j #|is_o|%:R (fun o _ => F a b o.+1)) +
   binomials i #|is_b|%:R (fun b j => binomials j #|is_o|%:R (fun o _ => F a b o))))).
  by rewrite !binomials_add !binomials_mul !addrA.
congr (_ + _); apply: eq_binomials => a i.
rewrite [RHS]binomials_next; congr (_ + _); rewrite -binomials_mul -binomials_add; apply: eq_binomials => b j.
by rewrite binomials_next.
Qed.
End Kinds.
