(** Tables of integers on a mesh of losses, and what the rule `mesh-upper` does with them.

    A table is the first multiple of the unit that has a weight, and the weights from there on, S times as
    large as they are.  [below] says that it is not above tables of reals (OverlapTables.v), of whose
    product it may be the rounded one ([below_times]); it may go over to a window and to a coarser mesh
    ([below_coarser]), each weight being shared between the two losses next to its own; and so the tables
    of mechanisms that occur several times are multiplied bit by bit of their counts ([evaluated_below]). *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Logarithms Rules Losses Tables KeyedTables OverlapTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition on_mesh := (Z * seq Z)%type.

(** --- programs --- *)

Section Program.
Variable S : Z.

Definition certain : on_mesh := (Z0, [:: S]).

Definition times_mesh (s t : on_mesh) : on_mesh :=
  let p := product S (O, s.2) (O, t.2) in
  ((s.1 + t.1 + Z.of_nat p.1)%coqZ, take (length s.2 + length t.2) p.2).

(** Of cells, pairs of a multiple and a weight, those from [first] to [last]. *)
Definition from_cells (first last : Z) (cells : seq (Z * Z)) : on_mesh :=
  let p := without_zeros O (collect (log2_above (Z.to_nat (last - first))) first cells) in
  ((first + Z.of_nat p.1)%coqZ, p.2).

(** Within a window, on a mesh that is coarser by a factor: of the weight of a loss that lies between two
    losses of that mesh, by so many units above the lesser, the share of the lesser. *)
Definition shared (factor : Z) (share : Z -> Z) (first last : Z) (k w : Z) : seq (Z * Z) :=
  if Z.ltb last k then [::]
  else
    let k' := Z.max first k in
    let q := (k' / factor)%coqZ in let r := (k' mod factor)%coqZ in
    if Z.eqb r 0 then [:: (q, w)]
    else let less := floor_div (w * share r) S in [:: (q, less); ((q + 1)%coqZ, (w - less)%coqZ)].
(** Onto others, the last first, so that a stack does not grow with the weights. *)
Fixpoint shared_onto (factor : Z) (share : Z -> Z) (first last : Z) (cells : seq (Z * Z)) (k : Z) (ws : seq Z) :
    seq (Z * Z) :=
  if ws is w :: ws' then
    shared_onto factor share first last (if Z.eqb w 0 then cells else shared factor share first last k w ++ cells)
      (k + 1)%coqZ ws'
  else cells.
Definition coarser_mesh (factor : Z) (share : Z -> Z) (first last : Z) (t : on_mesh) : on_mesh :=
  from_cells (first / factor) (last / factor + 1) (shared_onto factor share first last [::] t.1 t.2).

Fixpoint times_odd (t : on_mesh) (fs : seq on_mesh) (counts : seq Z) : on_mesh :=
  match fs, counts with
  | f :: fs', c :: counts' => times_odd (if Z.odd c then times_mesh t f else t) fs' counts'
  | _, _ => t
  end.
Definition doubled (t : on_mesh) (fs : seq on_mesh) (counts : seq Z) : on_mesh :=
  times_odd (times_mesh t t) fs counts.
End Program.

(** --- what they denote --- *)

Section Below.
Variable S : Z.
Hypothesis S0 : Z.lt 0 S.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Definition decay (u : R) (k : Z) : R := exp (- (IZR k * u))%R.

Lemma decay_gt0 u k : 0 < decay u k. Proof. exact: exp_gt0. Qed.
Lemma decayD u k l : decay u (k + l) = decay u k * decay u l.
Proof. by rewrite /decay -expD IZRD mulrDl opprD. Qed.
Lemma decay0 u : decay u 0 = 1. Proof. by rewrite /decay mul0r oppr0 exp_0. Qed.
Lemma decay_le u k l : 0 <= u -> Z.le k l -> decay u l <= decay u k.
Proof. by move=> u0 /Z.leb_le kl; rewrite exp_le ler_opp2 ler_wpmul2r // IZR_le_iff. Qed.
Lemma decayM u m k : decay (IZR m * u) k = decay u (m * k).
Proof. by rewrite /decay IZRM mulrA [IZR k * _]mulrC. Qed.

Fixpoint weigh (h : Z -> R) (k : Z) (ws : seq Z) : R :=
  if ws is w :: ws' then (IZR w * h k + weigh h (k + 1)%coqZ ws')%R else 0%R.
Fixpoint weights_from (u : R) (k : Z) (ws : seq Z) : seq (R * R) :=
  if ws is w :: ws' then ((IZR w / IZR S)%R, decay u k) :: weights_from u (k + 1)%coqZ ws' else [::].
Definition real_mesh (u : R) (t : on_mesh) : seq (R * R) := weights_from u t.1 t.2.

Definition all_above_0 (ws : seq Z) := all (fun w => Z.leb 0 w) ws.

Lemma weights_from_above_0 u k ws : all_above_0 ws -> table_above_0 (weights_from u k ws).
Proof.
elim: ws k => //= w ws IH k /andP[w0 /IH ->]; rewrite andbT /= (ltW (decay_gt0 _ _)) andbT.
by rewrite divr_ge0 ?(ltW S0') // (IZR_le_iff Z0).
Qed.

Lemma sum_weights_from u k ws (g : R -> R) :
  \sum_(x <- weights_from u k ws) x.1 * g x.2 = weigh (fun k => g (decay u k)) k ws / IZR S.
Proof.
elim: ws k => [|w ws IH] k /=; first by rewrite big_nil mul0r.
by rewrite big_cons IH /= mulrDl mulrAC.
Qed.

Definition lesser_at u y : Z -> R := fun k => lesser (y * decay u k).

Lemma mean_real_mesh u t y : mean [:: real_mesh u t] lesser y = weigh (lesser_at u y) t.1 t.2 / IZR S.
Proof. exact: (sum_weights_from u t.1 t.2 (fun z => lesser (y * z))). Qed.

Definition below u (t : on_mesh) (Ts : seq (seq (R * R))) :=
  all_above_0 t.2 /\ not_above [:: real_mesh u t] Ts.

Lemma lesser_ge0 (z : R) : 0 <= z -> 0 <= lesser z.
Proof. by move=> z0; rewrite le_minr ler01. Qed.
Lemma lesser_at_ge0 u y k : 0 <= y -> 0 <= lesser_at u y k.
Proof. by move=> y0; apply: lesser_ge0; rewrite mulr_ge0 // ltW // decay_gt0. Qed.

Lemma below_weigh u t Ts : below u t Ts ->
  forall y : R, 0 <= y -> weigh (lesser_at u y) t.1 t.2 <= IZR S * mean Ts lesser y.
Proof. by case=> _ b y /b; rewrite mean_real_mesh ler_pdivr_mulr // mulrC. Qed.

Lemma weigh_below u t Ts : all_above_0 t.2 ->
  (forall y : R, 0 <= y -> weigh (lesser_at u y) t.1 t.2 <= IZR S * mean Ts lesser y) -> below u t Ts.
Proof. by move=> t0 h; split=> // y /h; rewrite mean_real_mesh ler_pdivr_mulr // mulrC. Qed.

Lemma below_perm u t Ts Ts' : perm_eq Ts Ts' -> below u t Ts -> below u t Ts'.
Proof. by move=> p [t0 b]; split=> // y /b; rewrite (mean_perm _ _ p). Qed.

(** Weights at multiples. *)
Lemma eq_weigh h h' k ws : h =1 h' -> weigh h k ws = weigh h' k ws.
Proof. by move=> e; elim: ws k => //= w ws IH k; rewrite IH e. Qed.

Lemma weighZ h c k ws : weigh (fun i => c * h i) k ws = c * weigh h k ws.
Proof. by elim: ws k => [|w ws IH] k /=; rewrite ?mulr0 // IH mulrDr mulrCA. Qed.

Lemma weigh_ge0 h k ws : (forall i, 0 <= h i) -> all_above_0 ws -> 0 <= weigh h k ws.
Proof.
by move=> h0; elim: ws k => //= w ws IH k /andP[w0 /IH ?]; rewrite addr_ge0 // mulr_ge0 // (IZR_le_iff Z0).
Qed.

Lemma weigh_cat h k s t : weigh h k (s ++ t) = weigh h k s + weigh h (k + Z.of_nat (size s)) t.
Proof.
elim: s k => [|x s IH] k; first by rewrite Z.add_0_r add0r.
by rewrite /= IH addrA; congr (_ + weigh _ _ _); lia.
Qed.

Lemma weigh_flat h k (t : placed) : weigh h k (flat t) = weigh h (k + Z.of_nat t.1) t.2.
Proof.
case: t => o t; rewrite /flat; elim: o k => [|o IH] k /=; first by rewrite Z.add_0_r.
by rewrite mul0r add0r IH; congr (weigh _ _ _); rewrite /=; lia.
Qed.

Lemma weigh_without_zeros h k o ws :
  weigh h (k + Z.of_nat (without_zeros o ws).1) (without_zeros o ws).2 = weigh h (k + Z.of_nat o) ws.
Proof.
elim: ws o => [|w ws IH] o //=; case: Z.eqb_spec => [->|] //; rewrite IH mul0r add0r.
by congr (weigh _ _ _); lia.
Qed.

Lemma without_zeros_above_0 o ws : all_above_0 ws -> all_above_0 (without_zeros o ws).2.
Proof. by elim: ws o => //= w ws IH o /andP[w0 a]; case: ifP => _; [exact: IH|rewrite /= w0]. Qed.

Lemma weigh_take h k n ws : (forall i, 0 <= h i) -> all_above_0 ws -> weigh h k (take n ws) <= weigh h k ws.
Proof.
move=> h0 a; rewrite -[X in _ <= weigh _ _ X](cat_take_drop n) weigh_cat ler_addl; apply: weigh_ge0 => //.
by move: a; rewrite -{1}(cat_take_drop n ws) /all_above_0 all_cat => /andP[].
Qed.

Lemma take_above_0 n ws : all_above_0 ws -> all_above_0 (take n ws).
Proof. by rewrite -{1}(cat_take_drop n ws) /all_above_0 all_cat => /andP[]. Qed.

Lemma weigh_add h k s t : weigh h k (table_add s t) = weigh h k s + weigh h k t.
Proof.
elim: s t k => [|x s IH] [|y t] k //=; rewrite ?add0r ?addr0 // IH IZRD mulrDl.
by rewrite !addrA; congr (_ + _); rewrite -!addrA; congr (_ + _); rewrite addrC.
Qed.

Lemma weigh_scale h k x t : weigh h k [seq (x * y)%coqZ | y <- t] = IZR x * weigh h k t.
Proof. by elim: t k => [|y t IH] k /=; rewrite ?mulr0 // IH IZRM mulrDr mulrA. Qed.

Lemma weigh_convolve h k l s t :
  weigh h (k + l) (convolve s t) = weigh (fun i => weigh (fun j => h (i + j)%coqZ) l t) k s.
Proof.
elim: s k => [|x s IH] k //=.
have next : weigh h (k + l + 1) (convolve s t) = weigh (fun i => weigh (fun j => h (i + j)%coqZ) l t) (k + 1) s.
  by rewrite -IH; congr (weigh _ _ _); lia.
case: Z.eqb_spec => [->|_] /=; first by rewrite !mul0r !add0r.
rewrite weigh_add weigh_scale /= mul0r add0r next; congr (_ * _ + _).
have shift m ws : weigh h (k + m) ws = weigh (fun j => h (k + j)%coqZ) m ws.
  by elim: ws m => //= w ws IHw m; rewrite -IHw; congr (_ + weigh _ _ _); lia.
exact: shift.
Qed.

Lemma nth_above_0 ws : (forall n, Z.le 0 (nth Z0 ws n)) -> all_above_0 ws.
Proof.
elim: ws => //= w ws IH h; apply/andP; split; first by apply/Z.leb_le; exact: (h 0%N).
by apply: IH => n; exact: (h n.+1).
Qed.

Lemma all_above_0_list ws : all_above_0 ws -> nonneg_list ws.
Proof. by elim: ws => [|w ws IH] /=; [constructor|case/andP=> /Z.leb_le w0 /IH; constructor]. Qed.

Lemma weigh_nth h k s t : (forall i, 0 <= h i) -> (forall n, Z.le (S * nth Z0 s n) (nth Z0 t n)) ->
  (forall n, Z.le 0 (nth Z0 t n)) -> IZR S * weigh h k s <= weigh h k t.
Proof.
move=> h0; elim: s t k => [|x s IH] t k le t0 /=.
  by rewrite mulr0; apply: weigh_ge0 => //; exact: nth_above_0.
case: t le t0 => [|y t] le t0 /=.
  have tail : IZR S * weigh h (k + 1) s <= weigh h (k + 1) [::].
    by apply: IH => // n; have := le n.+1; rewrite !nth_nil.
  rewrite mulrDr -[X in _ <= X]addr0; apply: ler_add => //.
  by rewrite mulrA -IZRM mulr_le0_ge0 // -[0]/(IZR 0) IZR_le_iff; apply/Z.leb_le; exact: (le O).
rewrite mulrDr; apply: ler_add; last by apply: IH => n; [exact: (le n.+1)|exact: (t0 n.+1)].
by rewrite mulrA -IZRM ler_wpmul2r // IZR_le_iff; apply/Z.leb_le; exact: (le O).
Qed.

Lemma times_mesh_above_0 s t : all_above_0 s.2 -> all_above_0 t.2 -> all_above_0 (times_mesh S s t).2.
Proof.
move=> s0 t0; apply: take_above_0; apply: nth_above_0 => n.
set p := product _ _ _; have := nth_product (s := (O, s.2)) (t := (O, t.2)) (p.1 + n) S0
  (all_above_0_list s0) (all_above_0_list t0).
rewrite -/p nth_flat; case: p => o ws /=; rewrite ltnNge leq_addr addKn /= => ->.
by apply: Z.div_pos => //; apply: nonneg_nth; apply: nonneg_convolve; exact: all_above_0_list.
Qed.

Theorem below_times u s t Ts Ts' : all (@table_above_0 _) Ts' -> below u s Ts -> below u t Ts' ->
  below u (times_mesh S s t) (Ts ++ Ts').
Proof.
move=> Ts0 [s0 bs] [t0 bt]; have a0 := times_mesh_above_0 s0 t0; split=> // y y0.
apply: le_trans (mean_product (weights_from_above_0 _ _ s0) Ts0 bs bt y0).
have h0 i : 0 <= lesser_at u y i by exact: lesser_at_ge0.
have -> : mean [:: real_mesh u s; real_mesh u t] lesser y =
    weigh (fun i => weigh (fun j => lesser_at u y (i + j)) t.1 t.2) s.1 s.2 / (IZR S * IZR S).
  transitivity (\sum_(x <- real_mesh u s) x.1 * mean [:: real_mesh u t] lesser (y * x.2)); first by [].
  rewrite (sum_weights_from u s.1 s.2 (fun z => mean [:: real_mesh u t] lesser (y * z))).
  have e i : mean [:: real_mesh u t] lesser (y * decay u i) =
      (IZR S)^-1 * weigh (fun j => lesser_at u y (i + j)) t.1 t.2.
    by rewrite mean_real_mesh mulrC; congr (_ * _); apply: eq_weigh => j; rewrite /lesser_at decayD mulrA.
  by rewrite (eq_weigh _ _ e) weighZ invfM mulrA; congr (_ / _); exact: mulrC.
rewrite mean_real_mesh -weigh_convolve invfM mulrA ler_pmul2r ?invr_gt0 // ler_pdivl_mulr // mulrC.
set p := product S (O, s.2) (O, t.2).
have n0 := all_above_0_list s0; have m0 := all_above_0_list t0.
have nthp n : nth Z0 (flat p) n = floor_div (nth Z0 (convolve s.2 t.2) n) S.
  exact: (nth_product (s := (O, s.2)) (t := (O, t.2)) n S0 n0 m0).
have c0 n : Z.le 0 (nth Z0 (convolve s.2 t.2) n) by apply: nonneg_nth; exact: nonneg_convolve.
apply: (@le_trans _ _ (IZR S * weigh (lesser_at u y) (s.1 + t.1) (flat p))).
  rewrite ler_pmul2l // weigh_flat; apply: weigh_take => //; apply: nth_above_0 => n.
  by have := nthp (p.1 + n)%N; rewrite /flat nth_ncons ltnNge leq_addr addKn /= => ->; exact: Z.div_pos.
apply: weigh_nth => // n; rewrite nthp; exact: Z.mul_div_le.
Qed.

(** Cells. *)
Definition cells_mean (h : Z -> R) (cells : seq (Z * Z)) : R := \sum_(c <- cells) IZR c.2 * h c.1.
Definition cells_above_0 (cells : seq (Z * Z)) := all (fun c => Z.leb 0 c.2) cells.

Lemma cells_filter h (a : pred (Z * Z)) cells :
  cells_mean h [seq c <- cells | a c] + cells_mean h [seq c <- cells | ~~ a c] = cells_mean h cells.
Proof. by rewrite /cells_mean !big_filter [RHS](bigID a). Qed.

Lemma weigh_collect h d k cells : (forall i, 0 <= h i) -> cells_above_0 cells ->
  weigh h k (collect d k cells) <= cells_mean h cells /\ all_above_0 (collect d k cells).
Proof.
move=> h0; elim: d k cells => [|d IH] k cells c0 /=.
  rewrite /cell_sum addr0 andbT; have le : IZR (cell_sum cells k) * h k <= cells_mean h cells.
    rewrite /cells_mean /cell_sum; elim: cells c0 => [|c cs IHc] /=; first by rewrite big_nil mul0r.
    case/andP=> c0 /IHc {}IHc; have p0 : 0 <= IZR c.2 * h c.1 by rewrite mulr_ge0 // (IZR_le_iff Z0).
    rewrite big_cons; case: Z.eqb_spec => [e|_] /=; last by rewrite -[X in X <= _]add0r ler_add.
    by rewrite IZRD mulrDl -{1}e ler_add2l.
  split=> //; apply/Z.leb_le; apply: cell_sum_ge0 => c cc; apply/Z.leb_le; exact: (allP c0).
set a := fun c : Z * Z => Z.ltb c.1 (k + 2 ^ Z.of_nat d)%coqZ.
have kept b : cells_above_0 [seq c <- cells | b c].
  by apply/allP => c; rewrite mem_filter => /andP[_]; exact: (allP c0).
have e : [seq c <- cells | Z.leb (k + 2 ^ Z.of_nat d)%coqZ c.1] = [seq c <- cells | ~~ a c].
  by apply: eq_filter => c; rewrite /a Z.ltb_antisym negbK.
have [le a1] := IH k _ (kept a); have [le' a2] := IH (k + 2 ^ Z.of_nat d)%coqZ _ (kept (fun c => ~~ a c)).
rewrite e; split; last by rewrite /all_above_0 all_cat; apply/andP.
rewrite weigh_cat -(cells_filter h a); apply: ler_add => //.
rewrite size_collect (_ : Z.of_nat (2 ^ d)%N = (2 ^ Z.of_nat d)%coqZ) //.
elim: d {IH a e le a1 le' a2} => [|d IHd] //; rewrite expnS Nat2Z.inj_mul IHd [in RHS]Nat2Z.inj_succ Z.pow_succ_r //.
exact: Nat2Z.is_nonneg.
Qed.

Lemma weigh_from_cells h first last cells : (forall i, 0 <= h i) -> cells_above_0 cells ->
  weigh h (from_cells first last cells).1 (from_cells first last cells).2 <= cells_mean h cells /\
  all_above_0 (from_cells first last cells).2.
Proof.
move=> h0 c0; have [le a] := weigh_collect (log2_above (Z.to_nat (last - first))) first h0 c0.
by split; [rewrite weigh_without_zeros Z.add_0_r|exact: without_zeros_above_0].
Qed.

(** A share of the lesser loss that leaves no more than the weight's e^-L. *)
Definition fair_share u (factor : Z) (share : Z -> Z) := forall r, Z.lt 0 r -> Z.lt r factor ->
  [/\ Z.le 0 (share r), Z.le (share r) S &
      IZR (share r) + (IZR S - IZR (share r)) * decay u factor <= IZR S * decay u r].

Lemma shared_below u factor share first last k w (y : R) : Z.lt 0 factor -> 0 <= u -> 0 <= y -> Z.le 0 w ->
  fair_share u factor share ->
  cells_above_0 (shared S factor share first last k w) /\
  cells_mean (lesser_at (IZR factor * u) y) (shared S factor share first last k w) <= IZR w * lesser_at u y k.
Proof.
move=> f0 u0 y0 w0 fair; have W0 : 0 <= IZR w by exact: IZR_ge0.
rewrite /shared; case: ifP => _.
  by split=> //; rewrite /cells_mean big_nil mulr_ge0 // lesser_at_ge0.
set k' := Z.max first k; set q := (k' / factor)%coqZ; set r := (k' mod factor)%coqZ.
have e : k' = (factor * q + r)%coqZ by apply: Z.div_mod; lia.
have [r0 rf] : Z.le 0 r /\ Z.lt r factor by exact: Z.mod_pos_bound.
have raise : IZR w * lesser_at u y k' <= IZR w * lesser_at u y k.
  rewrite ler_wpmul2l // le_minr le_minl lexx /= le_minl; apply/orP; right.
  by rewrite ler_wpmul2l // decay_le //; exact: Z.le_max_r.
case: Z.eqb_spec => [r1|r1].
  split; first by rewrite /= andbT; exact/Z.leb_le.
  rewrite /cells_mean big_seq1 /=; apply: le_trans raise.
  by rewrite /lesser_at decayM e r1 Z.add_0_r.
have [s0 sS fits] := fair r (ltac:(lia)) rf; set l := floor_div _ _.
have l0 : Z.le 0 l by apply: Z.div_pos => //; nia.
have lS : IZR S * IZR l <= IZR w * IZR (share r).
  by rewrite -!IZRM IZR_le_iff; apply/Z.leb_le; exact: Z.mul_div_le.
have lw : Z.le l w by apply: Z.div_le_upper_bound => //; nia.
split; first by rewrite /= andbT; apply/andP; split; apply/Z.leb_le; lia.
apply: le_trans raise; rewrite /lesser_at.
have -> : IZR w * lesser (y * decay u k') = Num.min (IZR w) (y * (IZR w * decay u k')).
  by rewrite /lesser minr_pmulr // mulr1 mulrCA.
have := @moved_weights _ y (IZR w) (IZR w * decay u k')
  [:: (IZR l, decay u (factor * q)); (IZR (w - l), decay u (factor * (q + 1)))] y0.
rewrite /cells_mean /= !big_cons !big_nil !addr0 /= !decayM; apply.
- by rewrite !(ltW (decay_gt0 _ _)) !IZR_ge0 //; lia.
- by rewrite -IZRD; have -> : (l + (w - l))%coqZ = w by lia.
have -> : decay u (factor * (q + 1)) = decay u (factor * q) * decay u factor.
  by rewrite -decayD; congr decay; lia.
have -> : decay u k' = decay u (factor * q) * decay u r by rewrite -decayD -e.
set C := decay u (factor * q); set D := decay u factor in fits *.
have D1 : D <= 1 by rewrite -(decay0 u); apply: decay_le => //; lia.
have -> : IZR l * C + IZR (w - l) * (C * D) = C * (IZR l + (IZR w - IZR l) * D) by rewrite IZRB; ring.
rewrite [X in _ <= X]mulrCA ler_wpmul2l ?(ltW (decay_gt0 _ _)) // -(ler_pmul2l S0').
rewrite mulrCA; apply: le_trans (ler_wpmul2l W0 fits).
have -> : IZR S * (IZR l + (IZR w - IZR l) * D) = IZR S * IZR l * (1 - D) + IZR S * IZR w * D by ring.
have -> : IZR w * (IZR (share r) + (IZR S - IZR (share r)) * D) =
  IZR w * IZR (share r) * (1 - D) + IZR S * IZR w * D by ring.
by rewrite ler_add2r ler_wpmul2r // subr_ge0.
Qed.

Lemma shared_onto_below u factor share first last cells k ws (y : R) : Z.lt 0 factor -> 0 <= u -> 0 <= y ->
  cells_above_0 cells -> all_above_0 ws -> fair_share u factor share ->
  cells_above_0 (shared_onto S factor share first last cells k ws) /\
  cells_mean (lesser_at (IZR factor * u) y) (shared_onto S factor share first last cells k ws) <=
    weigh (lesser_at u y) k ws + cells_mean (lesser_at (IZR factor * u) y) cells.
Proof.
move=> f0 u0 y0 + + fair; elim: ws k cells => [|w ws IH] k cells c0 /=; first by rewrite add0r.
case/andP=> /Z.leb_le w0 ws0; case: Z.eqb_spec => [->|_]; first by rewrite mul0r add0r; exact: IH.
have [c1 le1] := shared_below first last k f0 u0 y0 w0 fair.
have both : cells_above_0 (shared S factor share first last k w ++ cells) by rewrite /cells_above_0 all_cat; apply/andP.
have [c2 le2] := IH (k + 1)%coqZ _ both ws0; split=> //; apply: le_trans le2 _.
by rewrite /cells_mean big_cat /= addrA ler_add2r addrC ler_add2r.
Qed.

Theorem below_coarser u factor share first last t Ts : Z.lt 0 factor -> 0 <= u -> fair_share u factor share ->
  below u t Ts -> below (IZR factor * u) (coarser_mesh S factor share first last t) Ts.
Proof.
move=> f0 u0 fair [t0 b].
have h0 y : 0 <= y -> forall i, 0 <= lesser_at (IZR factor * u) y i by move=> y0 i; exact: lesser_at_ge0.
apply: weigh_below => [|y y0].
  have [c0 _] := shared_onto_below first last t.1 f0 u0 ler01 (cells := [::]) isT t0 fair.
  by have [] := weigh_from_cells (first / factor) (last / factor + 1) (h0 _ ler01) c0.
have [c0 le] := shared_onto_below first last t.1 f0 u0 y0 (cells := [::]) isT t0 fair.
rewrite {2}/cells_mean big_nil addr0 in le.
have [le' _] := weigh_from_cells (first / factor) (last / factor + 1) (h0 _ y0) c0.
apply: le_trans le' (le_trans le _); exact: below_weigh.
Qed.

(** Bit by bit. *)
Definition copies (Ts : seq (seq (R * R))) (counts : seq Z) : seq (seq (R * R)) :=
  flatten [seq nseq (Z.to_nat x.2) x.1 | x <- zip Ts counts].
Definition odd_ones (Ts : seq (seq (R * R))) (counts : seq Z) : seq (seq (R * R)) :=
  flatten [seq (if Z.odd x.2 then [:: x.1] else [::]) | x <- zip Ts counts].
Definition halves (counts : seq Z) : seq Z := [seq Z.div2 c | c <- counts].

Lemma copies_halves Ts counts : all_above_0 counts ->
  perm_eq (copies Ts counts) ((copies Ts (halves counts) ++ copies Ts (halves counts)) ++ odd_ones Ts counts).
Proof.
elim: Ts counts => [|T Ts IH] [|c counts] //= /andP[/Z.leb_le c0 /IH p].
rewrite /copies /odd_ones /= -/(copies Ts counts) -/(copies Ts (halves counts)) -/(odd_ones Ts counts).
have -> : Z.to_nat c = (Z.to_nat (Z.div2 c) + Z.to_nat (Z.div2 c) + Z.odd c)%N.
  have := Zdiv2_odd_eqn c; case: (Z.odd c) => e /=; rewrite ?addn1 ?addn0 -plusE; lia.
rewrite !nseqD; apply/permP => a; have /permP/(_ a) := p; rewrite !count_cat => ->.
by case: Z.odd; rewrite /= ?addn0; lia.
Qed.

Lemma odd_ones_above_0 Ts counts : all (@table_above_0 _) Ts -> all (@table_above_0 _) (odd_ones Ts counts).
Proof.
elim: Ts counts => [|T Ts IH] [|c counts] //= /andP[T0 /IH h]; rewrite /odd_ones /= all_cat -/(odd_ones _ _) h.
by case: Z.odd => //=; rewrite T0.
Qed.

Lemma copies_above_0 Ts counts : all (@table_above_0 _) Ts -> all (@table_above_0 _) (copies Ts counts).
Proof.
elim: Ts counts => [|T Ts IH] [|c counts] //= /andP[T0 /IH h]; rewrite /copies /= all_cat -/(copies _ _) h.
by rewrite all_nseq T0 orbT.
Qed.

Lemma times_odd_below u t Us fs Ts counts : List.Forall2 (fun f T => below u f [:: T]) fs Ts ->
  all (@table_above_0 _) Ts -> below u t Us -> below u (times_odd S t fs counts) (Us ++ odd_ones Ts counts).
Proof.
move=> b; elim: b t Us counts => [|f T {}fs {}Ts bf _ IH] t Us counts.
  by rewrite (_ : odd_ones [::] counts = [::]) ?cats0 //; case: counts.
case: counts => [|c counts] /=; first by rewrite cats0.
case/andP=> T0 Ts0 bt; rewrite /odd_ones /= -/(odd_ones Ts counts) catA; apply: IH => //.
by case: Z.odd; rewrite ?cats0 //; apply: below_times => //=; rewrite T0.
Qed.

Theorem below_doubled u t fs Ts counts : List.Forall2 (fun f T => below u f [:: T]) fs Ts ->
  all (@table_above_0 _) Ts -> all_above_0 counts -> below u t (copies Ts (halves counts)) ->
  below u (doubled S t fs counts) (copies Ts counts).
Proof.
move=> b Ts0 c0 bt; apply: below_perm (_ : perm_eq _ _) _; first by rewrite perm_sym; exact: copies_halves.
by apply: times_odd_below => //; apply: below_times => //; exact: copies_above_0.
Qed.

Lemma below_certain u Ts counts : all (fun c => Z.eqb c 0) counts -> below u (certain S) (copies Ts counts).
Proof.
move=> c0; have -> : copies Ts counts = [::].
  elim: Ts counts c0 => [|T Ts IH] [|c cs] //= /andP[/Z.eqb_eq e h].
  by rewrite /copies /= -/(copies Ts cs) e IH.
apply: weigh_below => [|y _] /=; first by rewrite andbT; apply/Z.leb_le; exact: Z.lt_le_incl.
by rewrite addr0 /lesser_at decay0 mulr1.
Qed.
End Below.
