(** The verified checker: what is known of shuffled reports, from above, of how many answers are drawn by each of two letters
    ([letters_curve] in LocalReports.v), at one odds y.

    It is 1 less the sum, over how many m of the others are drawn, of what both laws have in common then.  With f(j) the probability
    that j of m fall on one letter, and T of more than j, that is 1 - (E - y)/(E + 1) f(j) + (y - 1) T, for the one j where both laws
    cross ([gained_at]).  From m to m + 1 all of it follows by Pascal's rule; the chances of m are taken from below, and what is left
    out is in common. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules Logarithms Exponentials Enclosures Comparisons Ratios Tables CheckerClosed CheckerDelta EnclosuresOfNumbers LocalReports LettersCrossing.
From ExactDP Require MixtureSums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** How many others there are, with which chance each is drawn by a letter, and the odds. *)
Record report_counts := ReportCounts { others_reporting : BinNums.positive; share_drawn : ratio; odds_between : ratio }.

(** --- programs --- *)

(** Numbers v/2^k, of so many bits at most. *)
Definition kept (bits : Z) (x : Z * Z) : Z * Z :=
  let s := Z.min (Z.log2 x.1 - bits) x.2 in
  if Z.ltb 0 s then (Z.div x.1 (2 ^ s), (x.2 - s)%coqZ) else x.
Definition times (bits : Z) (x y : Z * Z) : Z * Z := kept bits ((x.1 * y.1)%coqZ, (x.2 + y.2)%coqZ).
Fixpoint power_of (bits : Z) (x : Z * Z) (n : BinNums.positive) : Z * Z :=
  match n with
  | xH => x
  | xO n' => let y := power_of bits x n' in times bits y y
  | xI n' => let y := power_of bits x n' in times bits x (times bits y y)
  end.

Section Program.
Variables (w : Z) (N : BinNums.positive) (q e : ratio).
(** The scale that is worked at. *)
Definition bits_within : Z := (w + 40 + 2 * Z.log2 (Zpos N))%coqZ.
Let W := (2 ^ bits_within)%coqZ.

(** The chances of m others and of more, from below, until there are none. *)
Fixpoint weights_from (fuel : nat) (begun : bool) (m : Z) (x : Z * Z) : seq Z :=
  if fuel is fuel'.+1 then
    let v := floor_div (x.1 * W) (2 ^ x.2) in
    if begun && Z.leb v 0 then [::] else
    v :: weights_from fuel' (Z.ltb 0 v) (m + 1)
           (kept bits_within (floor_div (x.1 * (Z.max 0 (Zpos N - m) * q.1)) ((m + 1) * (Zpos q.2 - q.1)), x.2))
  else [::].
(** The same at the end of others that are listed backwards, without a stack. *)
Fixpoint weights_onto (fuel : nat) (begun : bool) (m : Z) (x : Z * Z) (before : seq Z) : seq Z :=
  if fuel is fuel'.+1 then
    let v := floor_div (x.1 * W) (2 ^ x.2) in
    if begun && Z.leb v 0 then rev before else
    weights_onto fuel' (Z.ltb 0 v) (m + 1)
      (kept bits_within (floor_div (x.1 * (Z.max 0 (Zpos N - m) * q.1)) ((m + 1) * (Zpos q.2 - q.1)), x.2)) (v :: before)
  else rev before.
Definition most_letters : Z := 262144.
Definition weights : seq Z :=
  weights_onto (Z.to_nat (Z.min (Zpos N + 1) most_letters)) false 0
    (power_of bits_within (floor_div ((Zpos q.2 - q.1) * W) (Zpos q.2), bits_within) N) [::].

(** At the odds y/W, with f from below and above, T from below, and what is found in common. *)
Section Walk.
Variable y : Z.
Let pa := (e.1 * W - y * Zpos e.2)%coqZ.
Let pb := (Zpos e.2 * W - y * e.1)%coqZ.
Let unit := ((e.1 + Zpos e.2) * W)%coqZ.
Fixpoint walk (ws : seq Z) (m j low high T found : Z) : option Z :=
  if ws is v :: ws' then
    if [&& Z.leb j m, Z.leb (pa * j + pb * (m + 1 - j)) 0 & Z.leb 0 (pa * (j + 1) + pb * (m - j))] then
      let found' := if Z.eqb v 0 then found else
        (found + floor_div (v * (unit * W - (pa * high - (y - W) * (e.1 + Zpos e.2) * T))) (unit * W))%coqZ in
      if Z.ltb (pa * (j + 1) + pb * (m + 1 - j)) 0 then
        let high' := ceil_div (high * (m + 1)) (2 * (j + 1)) in
        walk ws' (m + 1) (j + 1) (floor_div (low * (m + 1)) (2 * (j + 1))) high' (T + floor_div low 2 - high') found'
      else
        walk ws' (m + 1) j (floor_div (low * (m + 1)) (2 * (m + 1 - j))) (ceil_div (high * (m + 1)) (2 * (m + 1 - j)))
          (T + floor_div low 2) found'
    else None
  else Some found.
End Walk.

(** The profile at e^(a/b), from above, for a from 0 on. *)
Definition letters_above : option (Z -> Z -> option Z) :=
  let ws := weights in
  if [&& Z.ltb 0 q.1, Z.ltb q.1 (Zpos q.2), Z.ltb (Zpos e.2) e.1, Z.leb 0 w & if ws is [::] then false else true] then
    Some (fun a b =>
      if Z.leb 0 a then
        if exponential_at bits_within (floor_div (a * W) b) is Some l then
          let y := Z.max W l.1 in
          if Z.leb (e.1 * W) (y * Zpos e.2) then Some Z0 else
          if walk y ws 0 0 W W 0 0 is Some found then Some (ceil_div ((W - found) * Z.shiftl 1 w) W) else None
        else None
      else None)
  else None.
End Program.

(** --- soundness --- *)

Lemma power2_gt0 k : Z.le 0 k -> 0 < IZR (2 ^ k).
Proof. by move=> k0; rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; exact: Z.pow_pos_nonneg. Qed.
Lemma div_ge0 x y : Z.le 0 x -> Z.lt 0 y -> Z.le 0 (floor_div x y). Proof. exact: Z.div_pos. Qed.

(** Below a number. *)
Definition floats (x : Z * Z) (r : R) : Prop := [/\ Z.le 0 x.1, Z.le 0 x.2 & IZR x.1 <= r * IZR (2 ^ x.2)].

Lemma keptP bits x r : floats x r -> floats (kept bits x) r.
Proof.
move=> [v0 k0 le]; rewrite /kept; case: Z.ltb_spec => // s0; set s := Z.min _ _ in s0 *.
have sk : Z.le s x.2 by exact: Z.le_min_r.
have p0 : Z.lt 0 (2 ^ s) by apply: Z.pow_pos_nonneg => //; exact: Z.lt_le_incl.
split=> /=; [exact: div_ge0|lia|apply: floor_div_below => //].
apply: le_trans le _; rewrite {1}(_ : x.2 = s + (x.2 - s))%coqZ; last by lia.
by rewrite Z.pow_add_r ?IZRM; [rewrite mulrCA|lia|lia].
Qed.

Lemma floats_ge0 x r : floats x r -> 0 <= r.
Proof.
move=> [v0 k0 le]; rewrite -(pmulr_lge0 _ (power2_gt0 k0)); apply: le_trans le.
by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
Qed.

Lemma timesP bits x y r s : floats x r -> floats y s -> floats (times bits x y) (r * s).
Proof.
move=> hx hy; have [x0 k0 le] := hx; have [y0 l0 le'] := hy; apply: keptP; split=> /=; [lia|lia|].
rewrite Z.pow_add_r // !IZRM mulrACA; apply: ler_pmul => //; rewrite (IZR_le_iff Z0); exact/Z.leb_le.
Qed.

Lemma power_ofP bits x r n : floats x r -> floats (power_of bits x n) (r ^+ Pos.to_nat n).
Proof.
move=> h; elim: n => [n IH|n IH|] /=.
- rewrite (_ : Pos.to_nat n~1 = (Pos.to_nat n + Pos.to_nat n).+1) ?exprS ?exprD; last by rewrite Pos2Nat.inj_xI -plusE; lia.
  by apply: timesP => //; exact: timesP.
- rewrite (_ : Pos.to_nat n~0 = (Pos.to_nat n + Pos.to_nat n)%N) ?exprD; last by rewrite Pos2Nat.inj_xO -plusE; lia.
  exact: timesP.
by rewrite Pos2Nat.inj_1 expr1.
Qed.

Section Sound.
Variables (w : Z) (N : BinNums.positive) (q e : ratio).
Hypothesis w0 : Z.le 0 w.
Hypotheses (q0 : Z.lt 0 q.1) (q1 : Z.lt q.1 (Zpos q.2)) (e1 : Z.lt (Zpos e.2) e.1).
Let bits := bits_within w N.
Let W := (2 ^ bits)%coqZ.
Let n := Pos.to_nat N.
Let bits0 : Z.le 0 bits.
Proof. by rewrite /bits /bits_within; have := Z.log2_nonneg (Zpos N); lia. Qed.
Let WZ : Z.lt 0 W. Proof. exact: Z.pow_pos_nonneg. Qed.
Let W0 : 0 < IZR W. Proof. exact: power2_gt0. Qed.
Let B0 : 0 < IZR (Zpos q.2). Proof. by rewrite (IZR_lt_iff Z0). Qed.
Let A0 : 0 < IZR q.1. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let share0 : 0 < of_ratio q. Proof. by rewrite /of_ratio /fraction divr_gt0. Qed.
Let share1 : of_ratio q < 1.
Proof. by rewrite /of_ratio /fraction ltr_pdivr_mulr // mul1r IZR_lt_iff; exact/Z.ltb_lt. Qed.
Let restE : IZR (Zpos q.2 - q.1) = IZR (Zpos q.2) * (1 - of_ratio q).
Proof. by rewrite IZRB /of_ratio /fraction; field; rewrite gt_eqF. Qed.

Let q01 : 0 <= of_ratio q <= 1. Proof. by apply/andP; split; exact: ltW. Qed.
Let restZ : Z.lt 0 (Zpos q.2 - q.1). Proof. by clear -q1; lia. Qed.

Lemma of_natE m : IZR (Z.of_nat m) = m%:R. Proof. exact: MixtureSums.IZR_of_nat. Qed.
Lemma of_nextE m : IZR (Z.of_nat m + 1) = m.+1%:R. Proof. by rewrite IZRD of_natE -addn1 natrD. Qed.

Fixpoint under_drawn (m : nat) (ws : seq Z) : Prop :=
  if ws is v :: ws' then 0 <= IZR v <= IZR W * drawn n (of_ratio q) m /\ under_drawn m.+1 ws' else True.

Lemma weights_fromP fuel begun m x : floats x (drawn n (of_ratio q) m) ->
  under_drawn m (weights_from w N q fuel begun (Z.of_nat m) x).
Proof.
elim: fuel begun m x => //= fuel IH begun m x h; case: ifP => // _; have [v0 k0 le] := h.
have p0 : Z.lt 0 (2 ^ x.2) by exact: Z.pow_pos_nonneg.
split.
  apply/andP; split; first by rewrite (IZR_le_iff Z0); apply/Z.leb_le/div_ge0 => //; apply: Z.mul_nonneg_nonneg => //; exact: Z.lt_le_incl.
  apply: floor_div_below => //; rewrite IZRM mulrCA [_ * IZR W]mulrC ler_pmul2l // mulrC; exact: le.
have -> : (Z.of_nat m + 1)%coqZ = Z.of_nat m.+1 by lia.
apply: IH; apply: keptP; split=> //; cbn [fst snd]; last first.
  have d0 : Z.lt 0 (Z.of_nat m.+1 * (Zpos q.2 - q.1)) by apply: Z.mul_pos_pos; lia.
  apply: floor_div_below => //.
  have nmE : IZR (Z.max 0 (Zpos N - Z.of_nat m)) = (n - m)%N%:R.
    rewrite -of_natE; congr IZR; rewrite /n -minusE; lia.
  rewrite drawn_next ?share0 // !IZRM nmE of_natE restE.
  have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
  have r0 : 1 - of_ratio q != 0 by rewrite subr_eq0 gt_eqF.
  have qE : IZR q.1 = IZR (Zpos q.2) * of_ratio q by rewrite /of_ratio /fraction mulrC divfK // gt_eqF.
  set D := drawn _ _ _ in le *; set M := m.+1%:R in m0 *; set L := (n - m)%N%:R.
  have -> : M * (IZR (Zpos q.2) * (1 - of_ratio q)) * (D * (L * of_ratio q) / (M * (1 - of_ratio q)) * IZR (2 ^ x.2)) =
      (D * IZR (2 ^ x.2)) * (L * IZR q.1).
    by rewrite qE; move: M m0 (of_ratio q) r0 => M m0 r r0; field; rewrite m0 r0.
  by apply: ler_wpmul2r => //; rewrite mulr_ge0 ?ler0n // ltW.
have p1 := restZ.
have p2 : Z.lt 0 (Z.of_nat m.+1) by clear; lia.
apply: div_ge0; last exact: Z.mul_pos_pos.
apply: Z.mul_nonneg_nonneg => //; apply: Z.mul_nonneg_nonneg; last exact: Z.lt_le_incl.
exact: Z.le_max_l.
Qed.

Lemma weights_ontoE fuel begun m x before :
  weights_onto w N q fuel begun m x before = catrev before (weights_from w N q fuel begun m x).
Proof. by elim: fuel begun m x before => //= fuel IH begun m x before; case: ifP => // _; rewrite IH. Qed.

Lemma weightsP : under_drawn 0 (weights w N q).
Proof.
rewrite /weights weights_ontoE [catrev _ _]/=.
apply: (@weights_fromP _ _ 0); rewrite /drawn bin0 expr0 mul1r mul1r subn0; apply: power_ofP; split=> //; cbn [fst snd].
  by apply: div_ge0 => //; apply: Z.mul_nonneg_nonneg; exact: Z.lt_le_incl.
by apply: floor_div_below => //; rewrite IZRM restE mulrA.
Qed.

Section Walk.
Variable Y : Z.
Hypothesis Y1 : Z.le W Y.
Let y := IZR Y / IZR W.
Let E := of_ratio e.
Let pa := (e.1 * W - Y * Zpos e.2)%coqZ.
Let pb := (Zpos e.2 * W - Y * e.1)%coqZ.
Let unit := ((e.1 + Zpos e.2) * W)%coqZ.
Hypothesis near : Z.lt (Y * Zpos e.2) (e.1 * W).
Variable K : nat.

Let unitZ : Z.lt 0 unit. Proof. by apply: Z.mul_pos_pos => //; clear -e1; lia. Qed.
Let D0 : 0 < IZR unit. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let b0 : 0 < IZR (Zpos e.2). Proof. by rewrite (IZR_lt_iff Z0). Qed.
Let a0 : 0 < IZR e.1. Proof. by rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt; clear -e1; lia. Qed.
Let E1 : 1 < E. Proof. by rewrite /E /of_ratio /fraction ltr_pdivl_mulr // mul1r IZR_lt_iff; exact/Z.ltb_lt. Qed.
Let y1 : 1 <= y. Proof. by rewrite /y ler_pdivl_mulr // mul1r IZR_le_iff; exact/Z.leb_le. Qed.
Let Ep : E + 1 = (IZR e.1 + IZR (Zpos e.2)) / IZR (Zpos e.2).
Proof. by rewrite /E /of_ratio /fraction; field; rewrite gt_eqF. Qed.
Let s0 : 0 < IZR e.1 + IZR (Zpos e.2) := addr_gt0 a0 b0.
Let paE : IZR pa = (E - y) / (E + 1) * IZR unit.
Proof.
rewrite Ep /pa /unit /y /E /of_ratio /fraction !IZRB !IZRM IZRD.
by move: s0 b0 W0 => /lt0r_neq0 s /lt0r_neq0 b /lt0r_neq0 u; field; rewrite s b u.
Qed.
Let pbE : IZR pb = (1 - y * E) / (E + 1) * IZR unit.
Proof.
rewrite Ep /pb /unit /y /E /of_ratio /fraction !IZRB !IZRM IZRD.
by move: s0 b0 W0 => /lt0r_neq0 s /lt0r_neq0 b /lt0r_neq0 u; field; rewrite s b u.
Qed.
Let common i := drawn n (of_ratio q) i * (1 - gained_by E y i).

Lemma walk_stepP m j v high T : (m < K)%N -> (j <= m)%N -> 0 <= IZR v <= IZR W * drawn n (of_ratio q) m ->
  IZR W * chance m j <= IZR high -> IZR T <= IZR W * tail K m j.+1 ->
  Z.le (pa * Z.of_nat j + pb * (Z.of_nat m + 1 - Z.of_nat j)) 0 -> Z.le 0 (pa * (Z.of_nat j + 1) + pb * (Z.of_nat m - Z.of_nat j)) ->
  IZR (floor_div (v * (unit * W - (pa * high - (Y - W) * (e.1 + Zpos e.2) * T))) (unit * W)) <= IZR W * common m.
Proof.
move=> mK jm /andP[v0 vm] hi lo below above; apply: floor_div_below; first exact: Z.mul_pos_pos.
have pa0 : 0 <= (E - y) / (E + 1).
  by rewrite -(pmulr_lge0 _ D0) -paE (IZR_le_iff Z0); apply/Z.leb_le; exact/Z.lt_le_incl/Z.lt_0_sub.
have -> : IZR (v * (unit * W - (pa * high - (Y - W) * (e.1 + Zpos e.2) * T))) =
    IZR v * (IZR unit * (IZR W - ((E - y) / (E + 1) * IZR high + (1 - y) * IZR T))).
  rewrite IZRM IZRB IZRM IZRB (IZRM pa) paE !(IZRM _ T); congr (_ * _).
  have -> : IZR ((Y - W) * (e.1 + Zpos e.2)) = (y - 1) * IZR unit.
    by rewrite /unit /y !IZRM IZRB IZRD; move: W0 => /lt0r_neq0 u; field; rewrite u.
  by ring.
have tests : gained_by E y m = (E - y) / (E + 1) * chance m j + (1 - y) * tail K m j.+1.
  have signs (k l : R) : ((E - y) / (E + 1) * k + (1 - y * E) / (E + 1) * l) * IZR unit = IZR pa * k + IZR pb * l.
    by rewrite paE pbE; ring.
  apply: gained_at => //.
    rewrite -(pmulr_lle0 _ D0) signs.
    have -> : (m.+1 - j)%N%:R = IZR (Z.of_nat m + 1 - Z.of_nat j) by rewrite IZRB of_nextE of_natE natrB // ltnW.
    by rewrite -of_natE -!IZRM -IZRD (IZR_le_iff _ Z0); exact/Z.leb_le.
  rewrite -(pmulr_lge0 _ D0) signs.
  have -> : (m - j)%N%:R = IZR (Z.of_nat m - Z.of_nat j) by rewrite IZRB !of_natE natrB.
  by rewrite -of_nextE -!IZRM -IZRD (IZR_le_iff Z0); exact/Z.leb_le.
have g1 : 0 <= 1 - gained_by E y m by rewrite subr_ge0 gained_le1.
set X := IZR W - _; have XP : X <= IZR W * (1 - gained_by E y m).
  rewrite /X mulrBr mulr1 ler_add2l ler_opp2 tests mulrDr; apply: ler_add.
    by rewrite mulrCA; apply: ler_wpmul2l.
  by rewrite mulrCA; apply: ler_wnmul2l => //; rewrite subr_le0.
have left_ : IZR v * X <= IZR W * (IZR W * common m).
  apply: le_trans (ler_wpmul2l v0 XP) _; rewrite mulrCA ler_pmul2l // /common mulrA; exact: ler_wpmul2r.
have -> : IZR v * (IZR unit * X) = IZR unit * (IZR v * X) by rewrite mulrCA.
have -> : IZR (unit * W) * (IZR W * common m) = IZR unit * (IZR W * (IZR W * common m)) by rewrite IZRM -mulrA.
by rewrite ler_pmul2l.
Qed.

Lemma walkP ws m j low high T found out : (m + size ws < K)%N -> (j <= m)%N -> under_drawn m ws ->
  IZR low <= IZR W * chance m j -> IZR W * chance m j <= IZR high -> IZR T <= IZR W * tail K m j.+1 ->
  IZR found <= IZR W * (\sum_(i < m) common i) ->
  walk w N e Y ws (Z.of_nat m) (Z.of_nat j) low high T found = Some out -> IZR out <= IZR W * (\sum_(i < m + size ws) common i).
Proof.
elim: ws m j low high T found => [|v ws IH] m j low high T found.
  by move=> _ _ _ _ _ _ le /= [<-]; rewrite addn0.
rewrite [size _]/= addnS => mK jm [vP under] lo hi tl le /=; rewrite -/bits -/W -/pa -/pb -/unit.
case: ifP => // /and3P[_ /Z.leb_le below /Z.leb_le above].
have mK1 : (m.+1 < K)%N by apply: leq_ltn_trans mK; rewrite ltnS leq_addr.
have mK' := ltnW mK1.
set found' := (if Z.eqb v 0 then _ else _).
have le' : IZR found' <= IZR W * (\sum_(i < m.+1) common i).
  rewrite big_ord_recr /= mulrDr /found'; case: ifP => _.
    rewrite -[X in X <= _]addr0; apply: ler_add => //; apply: mulr_ge0; first exact: ltW.
    by apply: mulr_ge0; [exact: drawn_ge0|rewrite subr_ge0; exact: gained_le1].
  by rewrite IZRD; apply: ler_add le (@walk_stepP m j v high T mK' jm vP hi tl below above).
have succ k : (Z.of_nat k + 1)%coqZ = Z.of_nat k.+1 by clear; lia.
have half : IZR (floor_div low 2) <= IZR W * (chance m j / 2%:R).
  apply: floor_div_below => //; have -> : IZR 2 = 2%:R by [].
  by rewrite mulrCA [2%:R * _]mulrC divfK //; exact: two_neq0.
have next a b (c c' : R) : Z.lt 0 b -> c' = c * IZR a / IZR b -> Z.le 0 a ->
    (forall x, IZR x <= IZR W * c -> IZR (floor_div (x * a) b) <= IZR W * c') /\
    (forall x, IZR W * c <= IZR x -> IZR W * c' <= IZR (ceil_div (x * a) b)).
  move=> b1 -> a1; have B1 : 0 < IZR b by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
  have A1 : 0 <= IZR a by rewrite (IZR_le_iff Z0); exact/Z.leb_le.
  have e' : IZR b * (IZR W * (c * IZR a / IZR b)) = IZR W * c * IZR a.
    by move: B1 => /lt0r_neq0 B1; field.
  split=> x h; [apply: floor_div_below|apply: ceil_div_above] => //; rewrite e' IZRM; exact: ler_wpmul2r.
have up := tail_pascal j mK'.
case: ifP => _; rewrite -addSn in mK *.
  have [f c] := next (Z.of_nat m + 1)%coqZ (2 * (Z.of_nat j + 1))%coqZ (chance m j) (chance m.+1 j.+1) ltac:(clear; lia)
    ltac:(rewrite chance_up IZRM !of_nextE; reflexivity) ltac:(clear; lia).
  rewrite !succ in f c *; apply: IH => //; [exact: f|exact: c|].
  have -> : tail K m.+1 j.+2 = tail K m j.+1 + chance m j / 2%:R - chance m.+1 j.+1.
    by rewrite -up (tail_next j.+1 mK1) addrC addKr.
  rewrite IZRB IZRD mulrBr mulrDr; apply: ler_sub; last exact: c.
  exact: ler_add.
have jm1 : (j <= m.+1)%N by exact: leqW.
have [f c] := next (Z.of_nat m + 1)%coqZ (2 * (Z.of_nat m + 1 - Z.of_nat j))%coqZ (chance m j) (chance m.+1 j)
  ltac:(move/ssrnat.leP: (jm); clear; lia) ltac:(rewrite chance_same // IZRM IZRB !of_nextE of_natE natrB; [reflexivity|exact: leqW]) ltac:(clear; lia).
rewrite !succ in f c *; apply: IH => //; [exact: f|exact: c|].
by rewrite up IZRD mulrDr; exact: ler_add.
Qed.
End Walk.

End Sound.
