(** Enclosures of characteristic functions, and of the moments, of losses of many mechanisms: randomized responses,
    and ladders (LadderLosses.v).

    Products over the mechanisms are powers over groups of equal ones ([law_of], [listed]).  Of each group is made
    ready what depends on the tilt alone ([prepared]); a value at a point then takes one turn for a response, and
    two for a ladder, however many rungs it has. *)
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import Reals Enclosures EnclosuresOfFormulas EnclosuresOfWaves EnclosuresOfKernel.
From ExactDP Require Import TiltedLosses LossLaws LadderLosses.
From ExactDP Require RulesGridFourier.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Local Arguments agrees bits%coqZ v%R o.
Local Arguments enclosed bits%coqZ v%R e.
Local Arguments cos _%R.
Local Arguments sin _%R.

(** Of a ladder, A, n r, r and gamma; and whether A is (n + 1) r, or n r. *)
Record ladder_enclosure := LadderEnclosure {
  end_loss : enclosure; all_rungs : enclosure; one_rung : enclosure; rung_weight : enclosure; one_more : bool
}.
Inductive group_law := OfResponse of enclosure | OfLadder of ladder_enclosure.

(** Of a response, its epsilon and how the odds are slanted, tanh theta epsilon.  Of a ladder, what is multiplied
    with the cosines and the sines of t A, of t n r and of t r; and the weight of the rungs. *)
Inductive prepared :=
| ReadyResponse of enclosure & enclosure
| ReadyLadder of ladder_enclosure & complex_enclosure & complex_enclosure & complex_enclosure & enclosure.

Definition magnitude (e : enclosure) : enclosure :=
  if Z.leb 0 e.1 then e else if Z.leb e.2 0 then opp e else (Z0, Z.max (- e.1)%coqZ e.2).
Fixpoint positive_power (bits : Z) (e : enclosure) (n : positive) : enclosure :=
  match n with
  | xH => e
  | xO m => positive_power bits (mul bits e e) m
  | xI m => mul bits e (positive_power bits (mul bits e e) m)
  end.

Section Program.
Variable bits : Z.
Local Notation "x + y" := (plus x y) : formula_scope.
Local Notation "x - y" := (minus x y) : formula_scope.
Local Notation "x * y" := (times bits x y) : formula_scope.
Local Notation "x / y" := (over bits x y) : formula_scope.
Local Open Scope formula_scope.

Let one := whole bits 1.

(** e^{-2 w x}. *)
Definition fallen (w : formula) (x : enclosure) : formula := power_of_e bits (multiple (-2) (w * Some x)).
(** gamma e^{-w (A - (n - 1) r)}. *)
Definition rungs_formula (w : formula) (l : ladder_enclosure) : formula :=
  let gap := add (sub (end_loss l) (all_rungs l)) (one_rung l) in
  Some (rung_weight l) * power_of_e bits (negative (w * Some gap)).
(** The weight of all, times e^{-w A}. *)
Definition ladder_formula (w : formula) (l : ladder_enclosure) : formula :=
  one + fallen w (end_loss l) +
  rungs_formula w l * ((one - fallen w (all_rungs l)) / (one - fallen w (one_rung l))).

Definition together (x y : formula) : option complex_enclosure :=
  if (x, y) is (Some e, Some f) then Some (e, f) else None.

Definition prepare (theta : formula) (g : group_law) : option prepared :=
  match g with
  | OfResponse e =>
      let odds := fallen theta e in
      if (one - odds) / (one + odds) is Some slope then Some (ReadyResponse e slope) else None
  | OfLadder l =>
      let h := ladder_formula theta l in
      let v := fallen theta (end_loss l) in
      let vn := fallen theta (all_rungs l) in let vr := fallen theta (one_rung l) in
      if (together ((one + v) / h) ((one - v) / h), together (one - vn) (one + vn),
          together (one - vr) (one + vr), rungs_formula theta l / h)
      is (Some ends, Some top, Some bottom, Some c) then Some (ReadyLadder l ends top bottom c) else None
  end.

Fixpoint prepared_groups (theta : formula) (gs : seq (Z * group_law)) : option (seq (Z * prepared)) :=
  if gs is (c, g) :: gs' then
    if (prepare theta g, prepared_groups theta gs') is (Some p, Some rest) then Some ((c, p) :: rest) else None
  else Some [::].

(** A cosine and a sine, each times what is given. *)
Definition each_times (c u : complex_enclosure) : complex_enclosure := (mul bits c.1 u.1, mul bits c.2 u.2).
Definition turned_back (u : complex_enclosure) : complex_enclosure := (u.1, opp u.2).
Definition square (e : enclosure) : enclosure := mul bits (magnitude e) (magnitude e).
Definition size_square (z : complex_enclosure) : enclosure := add (square z.1) (square z.2).
Definition complex_over (y z : complex_enclosure) : option complex_enclosure :=
  let d : formula := Some (size_square z) in
  let: (yr, yi) := (Some y.1 : formula, Some y.2 : formula) in
  let: (zr, zi) := (Some z.1 : formula, Some z.2 : formula) in
  together ((yr * zr + yi * zi) / d) ((yi * zr - yr * zi) / d).

Definition factor_enclosure (t : enclosure) (p : prepared) : option complex_enclosure :=
  match p with
  | ReadyResponse e slope =>
      option_map (fun u : complex_enclosure => (u.1, mul bits slope u.2)) (turn bits (mul bits t e))
  | ReadyLadder l ends top bottom c =>
      if (turn bits (mul bits t (end_loss l)), turn bits (mul bits t (one_rung l))) is (Some u, Some v) then
        let all := if one_more l then complex_mul bits u (turned_back v) else u in
        let e := each_times ends u in
        if complex_over (each_times top all) (each_times bottom v) is Some s
        then Some (add e.1 (mul bits c s.1), add e.2 (mul bits c s.2)) else None
      else None
  end.

Fixpoint spectrum_enclosure (t : enclosure) (gs : seq (Z * prepared)) : option complex_enclosure :=
  match gs with
  | [::] => Some (complex_of_Z bits 1)
  | (Zpos n, p) :: gs' =>
      if factor_enclosure t p is Some u then
        if spectrum_enclosure t gs' is Some z then Some (complex_mul bits (complex_power bits u n) z) else None
      else None
  | _ :: gs' => spectrum_enclosure t gs'
  end.

(** The square of the factor's size, where t may be an interval. *)
Definition factor_square (t : enclosure) (p : prepared) : option enclosure :=
  match p with
  | ReadyResponse e slope =>
      if turn bits (mul bits t e) is Some u then
        let one := enclosure_of_Z bits 1 in
        let squeeze := sub one (mul bits slope slope) in
        Some (at_least_zero (sub one (mul bits squeeze (square u.2))))
      else None
  | ReadyLadder _ _ _ _ _ => option_map size_square (factor_enclosure t p)
  end.
Fixpoint square_of_size (t : enclosure) (gs : seq (Z * prepared)) : option enclosure :=
  match gs with
  | [::] => Some (enclosure_of_Z bits 1)
  | (Zpos n, p) :: gs' =>
      if factor_square t p is Some f then
        if square_of_size t gs' is Some rest then Some (mul bits (positive_power bits f n) rest) else None
      else None
  | _ :: gs' => square_of_size t gs'
  end.

(** The logarithm of the product of the weights at b and at c. *)
Definition log_weight (w : formula) (g : group_law) : formula :=
  match g with
  | OfResponse e => w * Some e + log_of bits (one + fallen w e)
  | OfLadder l => w * Some (end_loss l) + log_of bits (ladder_formula w l)
  end.
Fixpoint log_ratios (b c : formula) (gs : seq (Z * group_law)) : formula :=
  if gs is (k, g) :: gs' then multiple (Z.max 0 k) (log_weight b g - log_weight c g) + log_ratios b c gs'
  else whole bits 0.
End Program.

(** --- what they are of --- *)

Inductive wave_law := ByResponse of R | ByLadder (A r gamma : R) (n : nat) of 0 <= gamma.
Definition law_of (l : wave_law) : loss_law :=
  match l with ByResponse e => response e | ByLadder A r gamma n gamma0 => ladder A r n gamma0 end.
Definition listed (rs : seq (Z * wave_law)) : seq wave_law := flatten [seq nseq (Z.to_nat g.1) g.2 | g <- rs].
Definition law_of_all (ls : seq wave_law) : loss_law := law_product [seq law_of l | l <- ls].

(** The sum of all weights, tilted by e^{wL}, up to a constant. *)
Definition law_weight (w : R) (l : wave_law) : R :=
  match l with ByResponse e => cosh2 (w * e) | ByLadder A r gamma n _ => ladder_weight A r gamma n w end.
Arguments law_weight _%R _.

Definition enclosed_law (bits : Z) (l : wave_law) (g : group_law) : Prop :=
  match l, g with
  | ByResponse e, OfResponse f => enclosed bits e f
  | ByLadder A r gamma n _, OfLadder f =>
      [/\ enclosed bits A (end_loss f), enclosed bits (n%:R * r) (all_rungs f), enclosed bits r (one_rung f),
          enclosed bits gamma (rung_weight f) & A = (n%:R * r + (if one_more f then r else 0))%R]
  | _, _ => False
  end.
Fixpoint enclosed_groups (bits : Z) (rs : seq (Z * wave_law)) (gs : seq (Z * group_law)) : Prop :=
  match rs, gs with
  | [::], [::] => True
  | r :: rs', g :: gs' => [/\ r.1 = g.1, enclosed_law bits r.2 g.2 & enclosed_groups bits rs' gs']
  | _, _ => False
  end.

Section Laws.
Implicit Types (l : wave_law) (ls : seq wave_law) (a b w t : R).

Lemma law_weight_gt0 w l : 0 < law_weight w l.
Proof. by case: l => [e|A r gamma n g0] /=; [exact: cosh2_gt0|exact: ladder_weight_gt0]. Qed.

Lemma law_weight_even w l : law_weight (- w) l = law_weight w l.
Proof. by case: l => [e|A r gamma n g0] /=; [rewrite mulNr cosh2N|exact: ladder_weight_even]. Qed.

Lemma constant_of_law a l : constant a (law_of l) = law_weight (theta a) l / law_weight 2%:R^-1 l.
Proof.
case: l => [e|A r gamma n g0] /=; last exact: constant_of_ladder.
have up := truthful_tilted a e; have down := untruthful_tilted a e.
have one (c : R) : exp (- c) * exp c = 1 by rewrite -expD addNr exp_0.
rewrite /constant big_bool /= -up -down mulrN.
rewrite -!mulrA one mulr1 [exp (a * e) * _]mulrC one mulr1 -mulrDr -mulrDr.
by rewrite addrCA subrr addr0 mulr1 [2%:R^-1 * _]mulrC.
Qed.

Lemma mean_of_unit a f : mean a law_unit f = f 0%R.
Proof. by rewrite /mean /constant !sum_unit /= mulr0 exp_0 !mul1r divr1. Qed.

Lemma moments_of_law a b l : moments a (law_of l) b = law_weight (theta a + b) l / law_weight (theta a) l.
Proof.
case: l => [e|A r gamma n g0] /=; last exact: moments_of_ladder.
have := mean_of_responses a [:: e] (fun v => exp (b * v)); rewrite TiltedLosses.mean_exp.
rewrite /TiltedLosses.moments big_seq1 => <-; rewrite /responses /= mean_times /moments.
by apply: eq_mean => v; rewrite mean_of_unit addr0.
Qed.

Lemma constant_of_laws a ls : constant a (law_of_all ls) =
  \prod_(l <- ls) (law_weight (theta a) l / law_weight 2%:R^-1 l).
Proof.
elim: ls => [|l ls IH]; last by rewrite big_cons -IH -constant_of_law; exact: constant_times.
by rewrite big_nil /constant sum_unit /= mulr0 exp_0 mul1r.
Qed.

Lemma moments_of_laws a b ls : moments a (law_of_all ls) b =
  \prod_(l <- ls) (law_weight (theta a + b) l / law_weight (theta a) l).
Proof.
elim: ls => [|l ls IH].
  by rewrite big_nil /moments mean_of_unit mulr0; exact: exp_0.
rewrite big_cons -IH -moments_of_law /moments mean_times mulrC -meanZ; apply: eq_mean => v.
by rewrite mulrC -meanZ; apply: eq_mean => w; rewrite mulrDr expD.
Qed.

(** The logarithm of the product of weights. *)
Fixpoint log_product (b c : R) (rs : seq (Z * wave_law)) : R :=
  if rs is r :: rs' then
    (IZR (Z.max 0 r.1) * (ln (law_weight b r.2) - ln (law_weight c r.2)) + log_product b c rs')%R
  else 0%R.
Global Arguments log_product _%R _%R _.

Lemma exp_of_ln (y : R) : 0 < y -> exp (ln y) = y.
Proof. by move/RltP; exact: exp_ln. Qed.

Lemma exp_log_product (b c : R) rs :
  exp (log_product b c rs) = \prod_(l <- listed rs) (law_weight b l / law_weight c l).
Proof.
elim: rs => [|[k l] rs IH]; first by rewrite big_nil exp_0.
rewrite /listed /= big_cat /= expD IH; congr (_ * _).
have -> : IZR (Z.max 0 k) = (Z.to_nat k)%:R.
  by rewrite -INRE INR_IZR_INZ; congr IZR; lia.
rewrite RulesGridFourier.exp_times expD expN !exp_of_ln ?law_weight_gt0 //.
by elim: (Z.to_nat k) => [|n IHn]; rewrite ?big_nil ?expr0 //= big_cons -IHn exprS.
Qed.

Lemma spectrum_cons a n l ls t : spectrum a (law_of_all (nseq n l ++ ls)) t =
  Complex.Cmult (power_of (spectrum a (law_of l) t) n) (spectrum a (law_of_all ls) t).
Proof.
elim: n => [|n IH] /=; first by rewrite Complex.Cmult_1_l.
rewrite -Complex.Cmult_assoc -IH; exact: spectrum_times.
Qed.

Lemma spectrum_nil a t : spectrum a (law_of_all [::]) t = Complex.RtoC 1.
Proof.
by rewrite /spectrum !mean_of_unit mulr0 cos_0 sin_0.
Qed.
End Laws.

(** --- soundness --- *)

Section Soundness.
Variables (bits : Z) (a : R) (theta' : formula).
Hypotheses (bits0 : Z.le 0 bits) (T : agrees bits (theta a) theta').
Let h := theta a.
Implicit Types (v w t x y : R).

Local Ltac agree := repeat first [assumption
  | apply: agrees_power | apply: agrees_plus | apply: agrees_minus | apply: agrees_negative
  | apply: agrees_times | apply: agrees_divided | apply: agrees_multiple | apply: agrees_log
  | apply: agrees_whole | apply: agrees_given].

Lemma together_both x y X Y z : agrees bits x X -> agrees bits y Y -> together X Y = Some z -> encloses bits z (x, y).
Proof. by case: X Y => [e|] [f|] // V W [<-]; split; [exact: V|exact: W]. Qed.

Lemma quotient_agrees v w X Y : agrees bits v X -> agrees bits w Y -> agrees bits (v / w) (over bits X Y).
Proof.
by move=> V W e k; have [/eqP n] := agrees_over bits bits0 _ _ _ _ V W _ k; rewrite RdivE.
Qed.

Let one : agrees bits 1 (whole bits 1). Proof. exact: agrees_whole. Qed.

Let joined_none op (x : formula) : joined op x None = None. Proof. by case: x. Qed.

Lemma fallen_agrees w W x e : agrees bits w W -> enclosed bits x e ->
  agrees bits (exp (IZR (-2) * (w * x))) (fallen bits W e).
Proof. by move=> HW /(agrees_given bits) X; rewrite /fallen; agree. Qed.

Lemma fallenE w x : exp (IZR (-2) * (w * x)) = (exp (w * x) * exp (w * x))^-1.
Proof. by rewrite -expD -expN; congr exp; rewrite (_ : IZR (-2) = - 2%:R) //; ring. Qed.

Section Ladder.
Variables (A r gamma : R) (n : nat) (gamma0 : 0 <= gamma) (l : ladder_enclosure).
Hypothesis L : enclosed_law bits (ByLadder A r n gamma0) (OfLadder l).
Let nr := (n%:R * r)%R.

Definition rungs_value w : R := (gamma * exp (- (w * (A - nr + r))))%R.
Definition ladder_value w : R := (1 + exp (IZR (-2) * (w * A)) + rungs_value w *
  ((1 - exp (IZR (-2) * (w * nr))) / (1 - exp (IZR (-2) * (w * r)))))%R.

Lemma rungs_agree w W : agrees bits w W -> agrees bits (rungs_value w) (rungs_formula bits W l).
Proof.
case: L => HA Hn Hr Hg _ HW; rewrite /rungs_value /rungs_formula.
have G := agrees_given bits _ _ (enclosed_add bits _ _ _ _ (enclosed_sub bits _ _ _ _ HA Hn) Hr).
have {}Hg := agrees_given bits _ _ Hg; agree.
Qed.

Lemma ladder_agrees w W e : agrees bits w W -> ladder_formula bits W l = Some e ->
  enclosed bits (ladder_value w) e /\ ladder_weight A r gamma n w = exp (w * A) * ladder_value w.
Proof.
case: (L) => HA Hn Hr Hg _ HW k; have F := fallen_agrees HW HA; have Fn := fallen_agrees HW Hn.
have Fr := fallen_agrees HW Hr; have R' := rungs_agree HW.
have low := agrees_minus _ _ _ _ _ one Fr; have top := agrees_minus _ _ _ _ _ one Fn.
have D : 1 - exp (IZR (-2) * (w * r)) != 0.
  move: k; rewrite /ladder_formula; case Q: (over _ _ _) => [q|]; last by rewrite /times joined_none /plus joined_none.
  by have [/eqP n0 _] := agrees_over bits bits0 _ _ _ _ top low _ Q.
split; first by move: e k; rewrite /ladder_formula /ladder_value; agree; exact: quotient_agrees.
rewrite /ladder_weight /ladder_value /rungs_value; have := rungs_real r n w; rewrite -/nr.
rewrite !fallenE in D *; set S := \sum_i _.
have -> : - (w * (A - nr + r)) = - (w * A) + w * nr - w * r by ring.
rewrite !expD !expN; move: D; have := exp_neq0 (w * A)%R; have := exp_neq0 (w * r)%R; have := exp_neq0 (w * nr)%R.
move: (exp (w * A)) (exp (w * r)) (exp (w * nr)) => p u v v0 u0 p0 D e'.
have uu : u * u - 1 != 0 by apply: contra D => /eqP z; rewrite -[u * u](subrK 1) z add0r invr1 subrr.
have -> : S = (v - v^-1) * u / (u * u - 1).
  rewrite -e'; have -> : (u - u^-1) * S * u = S * (u * u - 1) by field.
  by rewrite mulfK.
by field; rewrite v0 u0 p0 uu.
Qed.

Lemma ladder_value_neq0 w : ladder_weight A r gamma n w = exp (w * A) * ladder_value w -> ladder_value w != 0.
Proof.
by move=> e; have := ladder_weight_neq0 A r n gamma0 w; rewrite e mulf_eq0 (negPf (exp_neq0 _)).
Qed.
End Ladder.

(** What is made ready. *)
Definition ready (l : wave_law) (p : prepared) : Prop :=
  match l, p with
  | ByResponse e, ReadyResponse f slope => enclosed bits e f /\ enclosed bits (slant a e) slope
  | ByLadder A r gamma n gamma0, ReadyLadder f ends top bottom c =>
      let nr := (n%:R * r)%R in let H := ladder_value A r gamma n h in
      [/\ enclosed_law bits l (OfLadder f), ladder_weight A r gamma n h = exp (h * A) * H,
          encloses bits ends ((1 + exp (IZR (-2) * (h * A))) / H, (1 - exp (IZR (-2) * (h * A))) / H)%R,
          encloses bits top (1 - exp (IZR (-2) * (h * nr)), 1 + exp (IZR (-2) * (h * nr)))%R /\
          encloses bits bottom (1 - exp (IZR (-2) * (h * r)), 1 + exp (IZR (-2) * (h * r)))%R &
          enclosed bits (rungs_value A r gamma n h / H) c]
  | _, _ => False
  end.

Lemma slant_by_odds e : slant a e = (1 - exp (IZR (-2) * (h * e))) / (1 + exp (IZR (-2) * (h * e))).
Proof.
rewrite /slant /cosh2 fallenE -/h; set y := (h * e)%R; rewrite expN; have := exp_neq0 y; have := exp_gt0 y.
move: (exp y) => q q0 q1; have n : q * q + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 // mulr_gt0.
by field; rewrite q1 n.
Qed.

Lemma prepare_ready l g p : enclosed_law bits l g -> prepare bits theta' g = Some p -> ready l p.
Proof.
case: l g => [e|A r gamma n g0] [f|f] //=.
  move=> E; case k: (over _ _ _) => [slope|] // [<-]; split=> //; have F := fallen_agrees T E.
  have [_] := agrees_over bits bits0 _ _ _ _ (agrees_minus _ _ _ _ _ one F) (agrees_plus _ _ _ _ _ one F) _ k.
  by rewrite slant_by_odds RdivE // -/h gt_eqF // addr_gt0 ?ltr01 ?exp_gt0.
move=> L; have [HA Hn Hr _ _] := L; have F := fallen_agrees T HA; have Fn := fallen_agrees T Hn.
have Fr := fallen_agrees T Hr; have R' := @rungs_agree _ _ _ _ g0 _ L _ _ T.
case H: (ladder_formula _ _ _) => [H'|]; last first.
  by rewrite /over !joined_none.
have [HH W] := ladder_agrees (gamma0 := g0) L T H; have {}HH := agrees_given bits _ _ HH.
case E: (together _ _) => [ends|] //; case N: (together _ _) => [top|] //; case D: (together _ _) => [bottom|] //.
case C: (over _ _ _) => [c|] // [<-]; split=> //.
- by apply: together_both E; apply: quotient_agrees => //; agree.
- by split; [apply: together_both N; agree|apply: together_both D; agree].
- by move: c C; apply: quotient_agrees.
Qed.
End Soundness.
