(** Enclosures of all that the Fourier rules compare: the terms of the trapezoid sum, and what is added
    to it and taken from it (RulesFourier.v).

    The mechanisms are groups of equal ones (EnclosuresOfLaws.v).  What may be enormous, or is a product of
    something enormous and something tiny, is an exponential of a sum. *)
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import Reals Enclosures EnclosuresOfFormulas EnclosuresOfWaves EnclosuresOfKernel.
From ExactDP Require Import FourierKernel TiltedLosses LossLaws RulesFourier EnclosuresOfLaws EnclosuresOfSpectra.
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

(** Of a, s, mu^2, d, pi and x. *)
Record waves := Waves {
  tilt : enclosure; noise : enclosure; variance : enclosure; step : enclosure;
  half_turn : enclosure; goal : enclosure
}.

Section Program.
Variables (bits : Z) (p : waves).
Local Notation "x + y" := (plus x y) : formula_scope.
Local Notation "x - y" := (minus x y) : formula_scope.
Local Notation "x * y" := (times bits x y) : formula_scope.
Local Notation "x / y" := (over bits x y) : formula_scope.
Local Open Scope formula_scope.

Let one := whole bits 1.
Let a : formula := Some (tilt p).
Let s : formula := Some (noise p).
Let M2 : formula := Some (variance p).
Let d : formula := Some (step p).
Let x : formula := Some (goal p).
Let theta : formula := a + fraction_of bits 1 2.

Definition ready_in (gs : seq (Z * group_law)) : option (seq (Z * prepared)) := prepared_groups bits theta gs.

Definition coefficients (upward : bool) : formula * formula * formula :=
  if upward then
    (fraction_of bits 34432 100000, negative (fraction_of bits 15568 100000), whole bits 0)
  else
    let k := excess_formula bits s in
    (k * fraction_of bits 72998 100000, negative (k * fraction_of bits 4004 100000),
     k * fraction_of bits 7666 100000).

Definition term_enclosure (upward : bool) (gs : seq (Z * prepared)) (n : nat) : option enclosure :=
  let t := Enclosures.scale (Z.of_nat n) (step p) in
  if spectrum_enclosure bits t gs is Some z then
    if angle_formula bits a s M2 (Some t) - Some t * x is Some g then
      if turn bits g is Some u then
        let: (k0, k1, k2) := coefficients upward in
        let: (re, im) := rest_formula bits a s k0 k1 k2 (Some t) in
        let: (zr, zi) := (Some z.1 : formula, Some z.2 : formula) in
        decay_formula bits a s M2 (Some t) *
          ((zr * re - zi * im) * Some u.1 - (zr * im + zi * re) * Some u.2)
      else None
    else None
  else None.

Definition period_formula : formula := multiple 2 (Some (half_turn p)) / d.
(** e^f/(e^{cR} - 1). *)
Definition geometric (f c : formula) : formula :=
  let y := c * period_formula in
  power_of_e bits (f - y) / (one - power_of_e bits (negative y)).

Definition scale_formula (gs : seq (Z * group_law)) : formula :=
  power_of_e bits (part 2 (M2 * (a * (a + one))) + log_ratios bits theta (fraction_of bits 1 2) gs - a * x).
Definition known_formula : formula := geometric (whole bits 0) a - geometric x (a + one).
Definition left_out_formula (last : nat) (charge : formula) : formula :=
  let first : formula := Some (Enclosures.scale (Z.of_nat last.+1) (step p)) in
  multiple 2 (growth_formula bits a s * (charge +
    weight_formula bits a s M2 (excess_formula bits s) first / (one - ratio_formula bits s M2 d first))) /
  period_formula.
Definition left_formula (gs : seq (Z * group_law)) (l : formula) : formula :=
  geometric (l * x + part 2 (M2 * (l * (l - multiple 2 theta))) + log_ratios bits (l - theta) theta gs) l.
Definition right_formula (gs : seq (Z * group_law)) (r : formula) : formula :=
  geometric (part 2 (M2 * (r * (r + multiple 2 theta))) - r * x + log_ratios bits (theta + r) theta gs) r.

Definition above_enclosure (gs : seq (Z * group_law)) (last : nat) (charge total : enclosure) : option enclosure :=
  scale_formula gs * (Some total / period_formula + left_out_formula last (Some charge)) - known_formula.
Definition below_enclosure (gs : seq (Z * group_law)) (last : nat) (charge l r total : enclosure) : option enclosure :=
  scale_formula gs * (Some total / period_formula - left_out_formula last (Some charge) -
    (left_formula gs (Some l) + right_formula gs (Some r))) - known_formula.
End Program.

(** K. *)
Definition polynomial_of (s : R) (upward : bool) : polynomial := if upward then tangent else parabola s.
(** What is divided by the period. *)
Definition terms_kept (a s mu d x : R) (K : polynomial) (L : loss_law) (last : nat) (kept : pred nat) : R :=
  (term a s mu d x K L 0 + 2%:R * \sum_(1 <= n < last.+1 | kept n) term a s mu d x K L n)%R.

Definition enclosed_waves (bits : Z) (a s mu d x : R) (p : waves) : Prop :=
  [/\ enclosed bits a (tilt p), enclosed bits s (noise p), enclosed bits (mu * mu) (variance p),
      enclosed bits d (step p) & enclosed bits PI (half_turn p) /\ enclosed bits x (goal p)].
(** --- soundness --- *)

Section Soundness.
Variables (bits : Z) (a s mu d x : R) (p : waves) (rs : seq (Z * wave_law)) (gs : seq (Z * group_law)).
Hypotheses (bits0 : Z.le 0 bits) (P : enclosed_waves bits a s mu d x p) (G : enclosed_groups bits rs gs).
Let L := law_of_all (listed rs).
Implicit Types (n : nat) (t v : R).

Local Ltac agree := repeat first [assumption
  | apply: agrees_power | apply: agrees_plus | apply: agrees_minus | apply: agrees_negative
  | apply: agrees_times | apply: agrees_divided | apply: agrees_multiple | apply: agrees_log
  | (apply: agrees_part; first by lia) | apply: agrees_whole | (apply: agrees_fraction; [|by lia])].

Let HA : agrees bits a (Some (tilt p)). Proof. by apply: agrees_given; case: P. Qed.
Let HS : agrees bits s (Some (noise p)). Proof. by apply: agrees_given; case: P. Qed.
Let HV : agrees bits (mu * mu) (Some (variance p)). Proof. by apply: agrees_given; case: P. Qed.
Let HD : agrees bits d (Some (step p)). Proof. by apply: agrees_given; case: P. Qed.
Let HX : agrees bits x (Some (goal p)). Proof. by apply: agrees_given; case: P => _ _ _ _ []. Qed.
Let HP : agrees bits PI (Some (half_turn p)). Proof. by apply: agrees_given; case: P => _ _ _ _ []. Qed.

Let half : agrees bits 2%:R^-1 (fraction_of bits 1 2).
Proof.
have := agrees_fraction bits bits0 1 2 ltac:(lia); congr agrees.
by rewrite RdivE ?mul1r //; exact/eqP/not_0_IZR.
Qed.

Lemma theta_agrees : agrees bits (theta a) (plus (Some (tilt p)) (fraction_of bits 1 2)).
Proof. by rewrite /theta; agree. Qed.

Lemma point_enclosed n : enclosed bits (point d n) (Enclosures.scale (Z.of_nat n) (step p)).
Proof. by rewrite /point -INRE INR_IZR_INZ; apply: enclosed_scale; case: P. Qed.

Lemma ready_right us : ready_in bits p gs = Some us -> ready_groups bits a rs us.
Proof. exact: (prepared_ready bits0 theta_agrees G). Qed.

(** The terms. *)
Lemma coefficients_agree upward : let: (k0, k1, k2) := coefficients bits p upward in
  [/\ agrees bits (coefficient0 (polynomial_of s upward)) k0, agrees bits (coefficient1 (polynomial_of s upward)) k1 &
      agrees bits (coefficient2 (polynomial_of s upward)) k2].
Proof.
have E := excess_agrees bits s _ bits0 HS.
by case: upward; split; simpl coefficient0; simpl coefficient1; simpl coefficient2; agree.
Qed.

Lemma term_of_rest (a0 : (0 < a)%coqR) K n : let t := point d n in
  let z := LossLaws.spectrum a L t in let r := rest_of_kernel a s K t in
  term a s mu d x K L n = (decay a s (mu * mu)%R t *
    ((z.1 * r.1 - z.2 * r.2) * cos (angle a s (mu * mu)%R t - t * x) -
     (z.1 * r.2 + z.2 * r.1) * sin (angle a s (mu * mu)%R t - t * x)))%R.
Proof.
move=> t z r; rewrite /term /kernel_at -/t -/z kernelE -/r.
move: z r (decay _ _ _ _) (angle _ _ _ _) => [f g] [u v] w y.
have -> : (cos (y - t * x) = cos y * cos (t * x) + sin y * sin (t * x))%R by exact: cos_minus.
have -> : (sin (y - t * x) = sin y * cos (t * x) - cos y * sin (t * x))%R by exact: sin_minus.
by rewrite /Complex.Cmult /=; rewrite !RmultE !RplusE !RminusE (_ : 0%coqR = 0 :> R) //; ring.
Qed.

Lemma term_enclosed upward us n e : 0 < a -> ready_in bits p gs = Some us ->
  term_enclosure bits p upward us n = Some e ->
  enclosed bits (term a s mu d x (polynomial_of s upward) L n) e.
Proof.
move=> /RltP a0 /ready_right us_right; rewrite /term_enclosure.
have T := point_enclosed n; move: (Enclosures.scale _ _) T => t T.
have T' := agrees_given bits _ _ T.
case hz: spectrum_enclosure => [z|] //; have [Z1 Z2] := spectrum_enclosed bits0 T us_right hz.
case hg: (minus _ _) => [g|] //; case hu: turn => [u|] //.
have /(_ _ hg) angle_right : agrees bits (angle a s (mu * mu)%R (point d n) - point d n * x)
    (minus (angle_formula bits (Some (tilt p)) (Some (noise p)) (Some (variance p)) (Some t))
      (times bits (Some t) (Some (goal p)))).
  have A := angle_agrees bits a s _ _ _ _ bits0 HA HS HV _ _ T'; agree.
have [U1 U2] := turn_enclosed bits bits0 _ _ _ angle_right hu.
have := coefficients_agree upward; case: coefficients => [[k0 k1] k2] [C0 C1 C2].
have [R1 R2] := rest_agrees bits a s _ _ bits0 a0 HA HS _ _ _ _ _ _ C0 C1 C2 T'.
rewrite term_of_rest //; move: R1 R2; case: rest_formula => [re im].
case: rest_of_kernel => [u' v'] R1 R2; move: Z1 Z2; case: LossLaws.spectrum => [zr zi] Z1 Z2.
have D := decay_agrees bits a s _ _ _ _ bits0 HA HS HV _ _ T'.
have {}Z1 := agrees_given bits _ _ Z1; have {}Z2 := agrees_given bits _ _ Z2.
have {}U1 := agrees_given bits _ _ U1; have {}U2 := agrees_given bits _ _ U2.
by move: e; apply: agrees_times => //; agree.
Qed.

(** What is added to the sum, and taken from it. *)
Lemma halved_agrees v X : agrees bits v X -> agrees bits (v / 2%:R) (part 2 X).
Proof.
move=> V; have := agrees_part bits 2 _ _ (ltac:(lia) : Z.lt 0 2) V; congr agrees.
by rewrite RdivE //; exact/eqP/not_0_IZR.
Qed.

Lemma doubled_agrees v X : agrees bits v X -> agrees bits (2%:R * v) (multiple 2 X).
Proof. exact: agrees_multiple. Qed.

Lemma period_agrees : agrees bits (period d) (period_formula bits p).
Proof. by rewrite /period; apply: (quotient_agrees bits0) => //; apply: doubled_agrees. Qed.

Lemma geometric_agrees f c F C : agrees bits f F -> agrees bits c C ->
  agrees bits (exp f * series d c) (geometric bits p F C).
Proof.
move=> HF HC e h; have R' := period_agrees.
have top : agrees bits (exp (f - c * period d)) (power_of_e bits (minus F (times bits C (period_formula bits p)))).
  by agree.
have below : agrees bits (1 - exp (- (c * period d)))
    (minus (whole bits 1) (power_of_e bits (negative (times bits C (period_formula bits p))))).
  by agree.
have [/eqP n] := agrees_over bits bits0 _ _ _ _ top below _ h; rewrite RdivE //; congr (enclosed _ _ _).
rewrite /series expD; move: n; rewrite expN; set y := exp _ => n.
have y0 : y != 0 by exact: exp_neq0.
have n' : y - 1 != 0.
  by apply: contra n; rewrite !subr_eq0 => /eqP ->; rewrite invr1.
by field; rewrite y0 n'.
Qed.

Lemma scale_agrees : agrees bits (scale a mu L x) (scale_formula bits p gs).
Proof.
have -> : scale a mu L x = exp (mu * mu * (a * (a + 1)) / 2%:R + log_product (theta a) 2%:R^-1 rs - a * x).
  by rewrite !expD exp_log_product /scale constant_of_laws.
have T := theta_agrees; have := log_ratios_agree bits0 T half G; rewrite /scale_formula => R'.
by apply: agrees_power => //; apply: agrees_minus; [apply: agrees_plus => //; apply: halved_agrees|]; agree.
Qed.

Lemma known_agrees : agrees bits (known a d x) (known_formula bits p).
Proof.
have one : series d a = exp 0 * series d a by rewrite exp_0 mul1r.
rewrite /known one; apply: agrees_minus.
  by apply: geometric_agrees => //; exact: agrees_whole.
by apply: geometric_agrees => //; agree.
Qed.

Lemma left_out_agrees last charge C : agrees bits charge C ->
  agrees bits (left_out a s mu d last charge (excess s)) (left_out_formula bits p last C).
Proof.
move=> HC; rewrite /left_out /left_out_formula.
have F := agrees_given bits _ _ (point_enclosed last.+1).
have E := excess_agrees bits s _ bits0 HS.
have W := weight_agrees bits a s _ _ _ _ bits0 HA HS HV _ _ _ _ E F.
have R' := ratio_agrees bits s _ _ _ bits0 HS HV _ _ _ _ HD F.
apply: (quotient_agrees bits0); last exact: period_agrees.
apply: doubled_agrees; apply: agrees_times => //; first exact: growth_agrees.
by apply: agrees_plus => //; apply: (quotient_agrees bits0) => //; agree.
Qed.

Lemma left_agrees l E : agrees bits l E -> agrees bits (left_aliases a mu d x L l) (left_formula bits p gs E).
Proof.
move=> HE; have T := theta_agrees; rewrite /left_aliases moments_of_laws -exp_log_product.
have -> : log_product (theta a + - l) (theta a) rs = log_product (l - theta a) (theta a) rs.
  by elim: (rs) => //= r rs' ->; rewrite -[l - theta a]opprB law_weight_even.
rewrite -expD; apply: geometric_agrees => //.
have D := doubled_agrees T; apply: agrees_plus.
  apply: agrees_plus; first by agree.
  by apply: halved_agrees; agree.
by apply: (log_ratios_agree bits0) => //; agree.
Qed.

Lemma right_agrees r E : agrees bits r E -> agrees bits (right_aliases a mu d x L r) (right_formula bits p gs E).
Proof.
move=> HE; have T := theta_agrees; rewrite /right_aliases moments_of_laws -exp_log_product.
rewrite -expD; apply: geometric_agrees => //.
have D := doubled_agrees T; apply: agrees_plus.
  apply: agrees_minus; last by agree.
  by apply: halved_agrees; agree.
by apply: (log_ratios_agree bits0) => //; agree.
Qed.

Section Ends.
Variables (last : nat) (kept : pred nat) (charge : R) (c total e : enclosure).
Hypothesis C : enclosed bits charge c.

Lemma above_enclosed : enclosed bits (terms_kept a s mu d x tangent L last kept) total -> above_enclosure bits p gs last c total = Some e ->
  enclosed bits (from_above a s d last kept charge mu L x) e.
Proof.
move=> T; move: e; rewrite /above_enclosure /from_above /evaluated.
have S' := scale_agrees; have K := known_agrees; have O := @left_out_agrees last _ _ (agrees_given bits _ _ C).
apply: agrees_minus => //; apply: agrees_times => //; apply: agrees_plus => //.
by apply: (quotient_agrees bits0); [exact: agrees_given|exact: period_agrees].
Qed.

Lemma below_enclosed (l r : R) (el er : enclosure) : enclosed bits l el -> enclosed bits r er ->
  enclosed bits (terms_kept a s mu d x (parabola s) L last kept) total -> below_enclosure bits p gs last c el er total = Some e ->
  enclosed bits (from_below a s d last kept charge mu l r L x) e.
Proof.
move=> El Er T; move: e; rewrite /below_enclosure /from_below /evaluated.
have S' := scale_agrees; have K := known_agrees; have O := @left_out_agrees last _ _ (agrees_given bits _ _ C).
have A := left_agrees (agrees_given bits _ _ El); have B := right_agrees (agrees_given bits _ _ Er).
apply: agrees_minus => //; apply: agrees_times => //; apply: agrees_minus; last exact: agrees_plus.
apply: agrees_minus => //.
by apply: (quotient_agrees bits0); [exact: agrees_given|exact: period_agrees].
Qed.
End Ends.
End Soundness.
