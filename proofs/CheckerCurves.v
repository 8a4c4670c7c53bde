(** The verified checker: from points of what two laws have in common, a table on a mesh.

    The weights are those of lines through the points (SPEC, 11.5); that no more is taken at any of the
    points is checked, and what is taken too much by rounding is taken off every weight. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Domination Reals Rules Losses Notions RulesGaussian Logarithms Exponentials.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers Ratios CheckerClosed CheckerDelta.
From ExactDP Require Import Tables OverlapTables MeshTables CheckerNoise CheckerListedPairs CurvePairs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variable w : Z.
Let S := Z.shiftl 1 w.

(** From each loss to the next, what e^-loss falls by; a gap that is that before is not evaluated again. *)
Fixpoint falls_between (n d : Z) (known : Z * enclosure) (k : Z) (ks : seq Z) : option (seq enclosure) :=
  if ks is k' :: ks' then
    let gap := (k' - k)%coqZ in
    if (if Z.eqb gap known.1 then Some known.2 else decay_at w n d gap) is Some e then
      option_map (cons e) (falls_between n d (gap, e) k' ks')
    else None
  else Some [::].

(** Weights by the slopes, as fractions of 1 - e^-gap. *)
Fixpoint weights_of (slope v : Z) (vs : seq Z) (es : seq enclosure) : seq Z :=
  match vs, es with
  | v' :: vs', e :: es' =>
      let next := floor_div (Z.max 0 (v' - v) * S) (Z.max 1 (S - e.2)) in
      Z.max 0 (slope - ceil_div (next * e.2) S) :: weights_of next v' vs' es'
  | _, _ => [:: slope]
  end.

(** From above, the sums of later weights, each times e^-loss; and with each point what is taken there. *)
Fixpoint laters (v : Z) (ws : seq Z) (es : seq enclosure) : seq Z :=
  match ws, es with
  | v' :: ws', e :: es' => let ls := laters v' ws' es' in (v + ceil_div (head Z0 ls * e.2) S)%coqZ :: ls
  | _, _ => [:: v]
  end.
Fixpoint added (earlier : Z) (ws ls : seq Z) : seq Z :=
  match ws, ls with
  | v :: ws', l :: ls' => (earlier + l)%coqZ :: added (earlier + v)%coqZ ws' ls'
  | _, _ => [::]
  end.
Definition taken (ws : seq Z) (es : seq enclosure) : seq Z :=
  if ws is v :: ws' then added 0 ws (laters v ws' es) else [::].

(** The weights, so much less that they take no more than there is. *)
Definition fitted (vs ws : seq Z) (es : seq enclosure) : seq Z :=
  let spare := (2 * Z.of_nat (size vs) + 2)%coqZ in
  let least := foldr Z.min S [seq floor_div ((x.1 - spare) * S) (Z.max 1 x.2) | x <- zip vs (taken ws es)] in
  [seq floor_div (v * Z.max 0 least) S | v <- ws].

(** Of points, each a loss and what is in common there, times 2^w and from below. *)
Definition curve_table (n d : Z) (points : seq (Z * Z)) : option on_mesh :=
  if points is (k, v) :: rest then
    if falls_between n d (Z0, (S, S)) k (map fst rest) is Some es then
      let vs := map snd points in
      let ws := fitted vs (weights_of (Z.max 0 v) v (map snd rest) es) es in
      let last := seq.last k (map fst rest) in
      if [&& all (Z.leb 0) ws, Nat.eqb (size ws) (size points) &
          all (fun x => Z.leb x.1 x.2) (zip (taken ws es) vs)]
      then Some (from_cells k (last + 1) (zip (map fst points) ws)) else None
    else None
  else None.
End Program.

Section Sound.
Variable w : Z.
Hypothesis w0 : Z.le 0 w.
Let S := Z.shiftl 1 w.
Let SE : IZR S = IZR (2 ^ w). Proof. by rewrite /S Z.shiftl_1_l. Qed.
Let S0 : Z.lt 0 S. Proof. rewrite /S Z.shiftl_1_l; exact: Z.pow_pos_nonneg. Qed.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

(** No less than what e^-loss falls by. *)
Fixpoint fall_by (u : R) (k : Z) (ks : seq Z) (es : seq enclosure) : Prop :=
  match ks, es with
  | k' :: ks', e :: es' => decay u (k' - k) * IZR S <= IZR e.2 /\ fall_by u k' ks' es'
  | [::], [::] => True
  | _, _ => False
  end.

Lemma falls_betweenP n d known k ks es : Z.lt 0 d -> decay (IZR n / IZR d)%R known.1 * IZR S <= IZR known.2.2 ->
  falls_between w n d known k ks = Some es -> fall_by (IZR n / IZR d)%R k ks es.
Proof.
move=> d0; set u := (IZR n / IZR d)%R; elim: ks k known es => [|k' ks IH] k known es old /=; first by move=> [<-].
set gap := (k' - k)%coqZ; case E: (if _ then _ else _) => [e|] //.
have fall : decay u gap * IZR S <= IZR e.2.
  by move: E; case: Z.eqb_spec => [-> [<-] //|_ /(decay_at_enclosed w0 d0)/andP[]].
by case X: (falls_between _ _ _ _ _ _) => [es'|] //= [<-]; split=> //; exact: IH X.
Qed.

Lemma latersP u k v ks ws es : size ws = size ks -> fall_by u k ks es -> all_above_0 (v :: ws) ->
  Z.le 0 (head Z0 (laters w v ws es)) /\
  IZR v + \sum_(c <- zip ks ws) IZR c.2 * decay u (c.1 - k) <= IZR (head Z0 (laters w v ws es)).
Proof.
elim: ks k v ws es => [|k' ks IH] k v [|v' ws] [|e es] //=.
  by move=> _ _ /andP[/Z.leb_le v0 _]; rewrite big_nil addr0.
move=> [sz] [fall F] /andP[/Z.leb_le v0 ws0]; rewrite -/S.
have [l0 le] := IH k' v' ws es sz F ws0; set l := head _ _ in l0 le *.
have e0 : 0 <= IZR e.2 by apply: le_trans fall; rewrite mulr_ge0 ?(ltW S0') // ltW // decay_gt0.
have carried : decay u (k' - k) * IZR l <= IZR (ceil_div (l * e.2) S).
  apply: ceil_div_above => //; rewrite IZRM; apply: (@le_trans _ _ (IZR l * (decay u (k' - k) * IZR S))).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
  by rewrite ler_wpmul2l // IZR_ge0.
have c0 : Z.le 0 (ceil_div (l * e.2) S).
  apply/Z.leb_le; rewrite -(IZR_le_iff Z0); apply: le_trans carried.
  by rewrite mulr_ge0 ?(ltW (decay_gt0 _ _)) // IZR_ge0.
split; first lia.
rewrite IZRD ler_add2l; apply: le_trans carried.
rewrite big_cons /=; apply: le_trans (ler_wpmul2l (ltW (decay_gt0 _ _)) le).
rewrite mulrDr [decay _ _ * IZR v']mulrC ler_add2l mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
apply: eq_bigr => c _; rewrite mulrCA -decayD; congr (_ * decay u _); lia.
Qed.

Lemma addedP u E k v ks ws es i : 0 <= u -> size ws = size ks -> fall_by u k ks es -> all_above_0 (v :: ws) ->
  (i <= size ks)%N ->
  IZR E + cells_mean (lesser_at u (odds u (nth Z0 (k :: ks) i))) (zip (k :: ks) (v :: ws)) <=
    IZR (nth Z0 (added E (v :: ws) (laters w v ws es)) i).
Proof.
move=> u0; elim: i E k v ks ws es => [|i IH] E k v ks ws es sz F ws0.
  move=> _; have [_ le] := latersP sz F ws0.
  have -> : nth Z0 (added E (v :: ws) (laters w v ws es)) 0 = (E + head Z0 (laters w v ws es))%coqZ.
    by case: ws {sz ws0 le} => [|v' ws]; case: es {F} => [|e es].
  rewrite IZRD ler_add2l; apply: le_trans le; rewrite /cells_mean /= big_cons /=; apply: ler_add.
    by rewrite lesser_above // mulr1.
  have : all_above_0 ws by case/andP: ws0.
  move: ks ws {sz F ws0}; elim=> [|k' ks IH'] [|v' ws] /=; rewrite ?big_nil // => /andP[v0 /IH'{}IH'].
  rewrite !big_cons; apply: ler_add => //=; rewrite ler_wpmul2l ?(IZR_le_iff Z0) //.
  rewrite /lesser_at /lesser le_minl; apply/orP; right; rewrite /odds -decayD le_eqVlt; apply/orP; left.
  by apply/eqP; congr decay; lia.
case: ks ws es sz F ws0 => [|k' ks] [|v' ws] [|e es] //= [sz] [_ F] /andP[v0 ws0] le.
have := IH (E + v)%coqZ k' v' ks ws es sz F ws0 le; rewrite /= /cells_mean !big_cons /= IZRD; apply: le_trans.
rewrite -addrA ler_add2l ler_add2r -[X in _ <= X]mulr1 ler_wpmul2l ?(IZR_le_iff Z0) //.
by rewrite /lesser_at /lesser le_minl lexx.
Qed.

Lemma size_added E ws ls : size ls = size ws -> size (added E ws ls) = size ws.
Proof. by elim: ws E ls => [|v ws IH] E [|l ls] //= [h]; rewrite IH. Qed.
Lemma size_laters u k ks v ws es : size ws = size ks -> fall_by u k ks es -> size (laters w v ws es) = (size ws).+1.
Proof. by elim: ks k v ws es => [|k' ks IH] k v [|v' ws] [|e es] //= [sz] [_ /IH ->]. Qed.

Theorem curve_table_captured n d points t : Z.lt 0 d -> Z.le 0 n -> curve_table w n d points = Some t ->
  all_above_0 t.2 /\ forall g : R -> R, in_common g ->
  (forall x, x \in points -> IZR x.2 <= IZR S * g (odds (IZR n / IZR d)%R x.1)) ->
  forall y : R, 0 <= y -> mean [:: real_mesh S (IZR n / IZR d)%R t] lesser y <= g y.
Proof.
move=> d0 n0; have u0 : 0 <= (IZR n / IZR d)%R.
  by rewrite divr_ge0 ?(IZR_le_iff Z0); [|exact/Z.leb_le|apply/Z.leb_le; exact: Z.lt_le_incl].
case: points => [|[k v] rest] //; rewrite /curve_table -/S; case X: (falls_between _ _ _ _ _ _) => [es|] //.
set vs := map snd _; set ws := fitted _ _ _ _; set ks := map fst rest; cbv zeta.
case: ifP => // /and3P[ws0 /Nat.eqb_eq sizes below] [<-].
have F : fall_by (IZR n / IZR d)%R k ks es.
  by apply: falls_betweenP X => //; rewrite /= decay0 mul1r.
have zip_above (ls : seq Z) us : all_above_0 us -> cells_above_0 (zip ls us).
  elim: us ls => [|x us IH] [|l ls] //= /andP[x0 /IH h]; apply/andP; split=> //; exact: h.
have cells0 := zip_above (map fst ((k, v) :: rest)) _ ws0.
split=> [|g common h].
  have [_ h] := weigh_from_cells S0 k (seq.last k ks + 1) (fun i => lesser_at_ge0 (IZR n / IZR d)%R i ler01) cells0.
  exact: h.
apply: cells_captured => // c cin.
move: sizes below ws0 cin; rewrite {cells0}; case: ws => [|x ws'] // [sz]; rewrite /taken => below ws0 cin.
have {}sz : size ws' = size ks by rewrite sz /ks size_map.
have sl := size_laters x sz F; have sa := @size_added Z0 (x :: ws') _ sl.
set i := index c (zip (map fst ((k, v) :: rest)) (x :: ws')).
have both : size (map fst ((k, v) :: rest)) = size (x :: ws') by rewrite /= -/ks sz.
have is_in : (i < (size rest).+1)%N.
  by move: cin; rewrite -index_mem size_zip both minnn /= sz /ks size_map.
have ki : c.1 = nth Z0 (k :: ks) i.
  have := nth_index (Z0, Z0) cin; rewrite -/i nth_zip // => e; by rewrite -{}e.
have ii : (i <= size ks)%N by rewrite /ks size_map -ltnS.
have := addedP Z0 u0 sz F ws0 ii; rewrite add0r -/ks ki; move/le_trans; apply.
have vi : (nth Z0 (k :: ks) i, nth Z0 vs i) \in (k, v) :: rest.
  have e : ((k, v) :: rest) = zip (k :: ks) vs.
    by rewrite /ks /vs -[k :: _]/(unzip1 ((k, v) :: rest)) zip_unzip.
  rewrite e -nth_zip; last by rewrite /vs /= /ks !size_map.
  by rewrite mem_nth // size_zip /vs /= /ks !size_map minnn.
apply: le_trans (h _ vi); rewrite IZR_le_iff.
have szt : size (added 0 (x :: ws') (laters w x ws' es)) = size vs.
  by rewrite sa /vs /= sz /ks !size_map.
have /(all_nthP (Z0, Z0)) := below; move/(_ i); rewrite size_zip szt minnn.
have iv : (i < size vs)%N by rewrite /vs /= size_map.
by move/(_ iv); rewrite nth_zip.
Qed.
End Sound.
