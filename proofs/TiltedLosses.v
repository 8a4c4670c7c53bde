(** The privacy loss of randomized responses under tilted odds, and the profile as a mean over it.

    With a tilt a and theta = a + 1/2 the odds of a response with epsilon e are e^{2 theta e}; the mean of a
    function of the loss is [mean].  The characteristic function is the product [spectrum]
    ([mean_of_spectrum], [modulus_of_spectrum]), the mean of e^{bL} the product [moments].  The profile at
    epsilon of these responses beside a Gaussian mechanism (or none, mu = 0) is a constant times the mean of
    what a loss above epsilon pays after the tilt ([profile_tilted]); what it pays at least, and at most, are
    exponentials ([payoff_plain], [payoff_left], [payoff_right]). *)
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import PositivePart Reals RulesGaussian RulesMixture FourierKernel.
From ExactDP Require MixtureSums ProfileOfMu ProfileReflection.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Arguments cos _%R.
Local Arguments sin _%R.

Definition cosh2 (x : R) : R := (exp x + exp (- x))%R.
Global Arguments cosh2 _%R.

Lemma cosh2_gt0 (x : R) : 0 < cosh2 x.
Proof. by rewrite addr_gt0 ?exp_gt0. Qed.

Lemma cosh2_neq0 (x : R) : cosh2 x != 0.
Proof. by rewrite gt_eqF ?cosh2_gt0. Qed.

Lemma cosh2N (x : R) : cosh2 (- x) = cosh2 x.
Proof. by rewrite /cosh2 opprK addrC. Qed.

(** --- means under tilted odds --- *)

Section Tilted.
Variable a : R.
Implicit Types (es : seq R) (e t x v : R) (f g : R -> R).

Definition theta : R := (a + 2%:R^-1)%R.
Definition tilted e : R := (exp (theta * e) / cosh2 (theta * e))%R.
Definition slant e : R := ((exp (theta * e) - exp (- (theta * e))) / cosh2 (theta * e))%R.

Fixpoint mean es f : R :=
  (if es is e :: es' then tilted e * mean es' (fun v => f (v + e)) + (1 - tilted e) * mean es' (fun v => f (v - e))
  else f 0)%R.

Lemma tilted_bounds e : 0 <= tilted e <= 1.
Proof.
have p := exp_gt0 (theta * e)%R; have q := exp_gt0 (- (theta * e))%R.
rewrite divr_ge0 ?(ltW p) ?(ltW (cosh2_gt0 _)) //= ler_pdivr_mulr ?cosh2_gt0 //.
by rewrite mul1r ler_addl ltW.
Qed.

Lemma slant_tilted e : slant e = tilted e *+ 2 - 1.
Proof.
have := cosh2_neq0 (theta * e)%R; rewrite /slant /tilted /cosh2.
by move: (exp (theta * e)) (exp (- (theta * e))) => p q n; field.
Qed.

Lemma eq_mean es f g : f =1 g -> mean es f = mean es g.
Proof. by elim: es f g => [|e es IH] f g h //=; congr (_ * _ + _ * _); apply: IH => v; exact: h. Qed.

Lemma meanD es f g : mean es (fun v => f v + g v) = mean es f + mean es g.
Proof. by elim: es f g => [|e es IH] f g //=; rewrite !IH; ring. Qed.

Lemma meanB es f g : mean es (fun v => f v - g v) = mean es f - mean es g.
Proof. by elim: es f g => [|e es IH] f g //=; rewrite !IH; ring. Qed.

Lemma meanZ es (c : R) f : mean es (fun v => c * f v) = c * mean es f.
Proof. by elim: es f => [|e es IH] f //=; rewrite !IH; ring. Qed.

Lemma mean_const es (c : R) : mean es (fun=> c) = c.
Proof. by elim: es => [|e es IH] //=; rewrite !IH; ring. Qed.

Lemma mean_sum es (I : Type) (r : seq I) (F : I -> R -> R) :
  mean es (fun v => \sum_(j <- r) F j v) = \sum_(j <- r) mean es (F j).
Proof.
elim: r => [|j r IH].
  by rewrite big_nil -[RHS](mean_const es); apply: eq_mean => v; rewrite big_nil.
by rewrite big_cons -IH -meanD; apply: eq_mean => v; rewrite big_cons.
Qed.

Lemma le_mean es f g : (forall v, f v <= g v) -> mean es f <= mean es g.
Proof.
elim: es f g => [|e es IH] f g h //=; have /andP[t0 t1] := tilted_bounds e.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 //; apply: IH.
Qed.

(** There are finitely many losses. *)
Lemma mean_eventually es (F G : nat -> R -> R) :
  (forall v, exists n0, forall n, (n0 <= n)%N -> F n v <= G n v) ->
  exists n0, forall n, (n0 <= n)%N -> mean es (F n) <= mean es (G n).
Proof.
elim: es F G => [|e es IH] F G h /=; first exact: (h 0).
have [n1 h1] := IH (fun n v => F n (v + e)) (fun n v => G n (v + e)) (fun v => h (v + e)).
have [n2 h2] := IH (fun n v => F n (v - e)) (fun n v => G n (v - e)) (fun v => h (v - e)).
exists (maxn n1 n2) => n; rewrite geq_max => /andP[/h1 l1 /h2 l2]; have /andP[t0 t1] := tilted_bounds e.
by apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0.
Qed.

(** The mean of e^{bL} is a product of ratios of hyperbolic cosines. *)
Definition moments es (b : R) : R := (\prod_(e <- es) (cosh2 ((theta + b) * e) / cosh2 (theta * e)))%R.

Lemma mean_exp es (b : R) : mean es (fun v => exp (b * v)) = moments es b.
Proof.
rewrite /moments; elim: es => [|e es IH] /=; first by rewrite big_nil mulr0 exp_0.
rewrite big_cons -IH.
have -> : mean es (fun v => exp (b * (v + e))) = exp (b * e) * mean es (fun v => exp (b * v)).
  by rewrite -meanZ; apply: eq_mean => v; rewrite -expD mulrDr addrC.
have -> : mean es (fun v => exp (b * (v - e))) = exp (- (b * e)) * mean es (fun v => exp (b * v)).
  by rewrite -meanZ; apply: eq_mean => v; rewrite -expD mulrBr addrC.
rewrite !mulrA -mulrDl; congr (_ * _); have n := cosh2_neq0 (theta * e)%R.
have -> : 1 - tilted e = exp (- (theta * e)) / cosh2 (theta * e).
  by move: n; rewrite /tilted /cosh2; move: (exp (theta * e)) (exp (- (theta * e))) => p q n; field.
rewrite /tilted mulrAC -expD [X in _ + X]mulrAC -expD -mulrDl; congr (_ / _).
by rewrite /cosh2 -opprD -!mulrDl.
Qed.

Definition constant es : R := (\prod_(e <- es) (cosh2 (theta * e) / cosh2 (e / 2%:R)))%R.

Lemma constant_gt0 es : 0 < constant es.
Proof. by apply: prodr_gt0 => e _; rewrite divr_gt0 ?cosh2_gt0. Qed.

(** Two means that are known: of dP/dQ, and of dP/dQ times e^-L. *)
Lemma constant_moments es : constant es * moments es (- a) = 1 /\ constant es * moments es (- (a + 1)) = 1.
Proof.
rewrite /constant /moments -!big_split /=; split; rewrite big1 // => e _.
all: have := cosh2_neq0 (theta * e)%R; have := cosh2_neq0 (e / 2%:R)%R.
  have -> : (theta + - a) * e = e / 2%:R by rewrite /theta; field.
  by move=> ? ?; rewrite mulrA divfK // divff.
have -> : (theta + - (a + 1)) * e = - (e / 2%:R) by rewrite /theta; field.
by rewrite cosh2N => ? ?; rewrite mulrA divfK // divff.
Qed.

(** --- the characteristic function --- *)

Definition factor t e : Complex.C := (cos (t * e), slant e * sin (t * e))%R.
Fixpoint spectrum es t : Complex.C :=
  if es is e :: es' then Complex.Cmult (factor t e) (spectrum es' t) else (1, 0).

Lemma cos_shift (x y : R) : cos (x + y) = cos x * cos y - sin x * sin y.
Proof. exact: cos_plus. Qed.
Lemma sin_shift (x y : R) : sin (x + y) = sin x * cos y + cos x * sin y.
Proof. exact: sin_plus. Qed.
Lemma cosN (x : R) : cos (- x) = cos x. Proof. exact: cos_neg. Qed.
Lemma sinN (x : R) : sin (- x) = - sin x. Proof. exact: sin_neg. Qed.

Theorem mean_of_spectrum es t :
  mean es (fun v => cos (t * v)) = (spectrum es t).1 /\ mean es (fun v => sin (t * v)) = (spectrum es t).2.
Proof.
elim: es => [|e es [IH1 IH2]] /=; first by rewrite mulr0; split; [exact: cos_0|exact: sin_0].
have part (b c : R) : mean es (fun v => b * cos (t * v) + c * sin (t * v)) =
    b * (spectrum es t).1 + c * (spectrum es t).2 by rewrite meanD !meanZ IH1 IH2.
have shift f b c : (forall v, f v = b * cos (t * v) + c * sin (t * v)) ->
    mean es f = b * (spectrum es t).1 + c * (spectrum es t).2.
  by move=> h; rewrite -part; exact: eq_mean.
rewrite -!RmultE -RminusE -RplusE slant_tilted.
rewrite (shift (fun v => cos (t * (v + e))) (cos (t * e)) (- sin (t * e))); last first.
  by move=> v; rewrite mulrDr cos_shift; ring.
rewrite (shift (fun v => cos (t * (v - e))) (cos (t * e)) (sin (t * e))); last first.
  by move=> v; rewrite mulrBr cos_shift cosN sinN; ring.
rewrite (shift (fun v => sin (t * (v + e))) (sin (t * e)) (cos (t * e))); last first.
  by move=> v; rewrite mulrDr sin_shift; ring.
rewrite (shift (fun v => sin (t * (v - e))) (- sin (t * e)) (cos (t * e))); last first.
  by move=> v; rewrite mulrBr sin_shift cosN sinN; ring.
by rewrite !RmultE !RplusE !RminusE; split; ring.
Qed.

(** What the sweep adds up: the squares of the factors' sizes. *)
Theorem modulus_of_spectrum es t :
  Complex.Cmod (spectrum es t) ^+ 2 = \prod_(e <- es) (1 - (1 - slant e ^+ 2) * sin (t * e) ^+ 2).
Proof.
have square (z : Complex.C) : Complex.Cmod z ^+ 2 = z.1 ^+ 2 + z.2 ^+ 2.
  rewrite expr2 /Complex.Cmod -RmultE sqrt_def; last by apply: Rplus_le_le_0_compat; exact: pow2_ge_0.
  by rewrite /= RplusE !RmultE !mulr1 !expr2.
elim: es => [|e es IH]; first by rewrite big_nil square /= expr1n expr0n addr0.
rewrite big_cons -IH /= Complex.Cmod_mult RmultE exprMn; congr (_ * _); rewrite square /=.
have one : cos (t * e) ^+ 2 = 1 - sin (t * e) ^+ 2.
  by rewrite !expr2; exact: cos2.
by rewrite exprMn one; ring.
Qed.

Lemma spectrum_le1 es t : Complex.Cmod (spectrum es t) <= 1.
Proof.
have c0 : 0 <= Complex.Cmod (spectrum es t) by exact/RleP/Complex.Cmod_ge_0.
rewrite -(@expr_le1 _ 2) // modulus_of_spectrum.
suff le1 e : 0 <= 1 - (1 - slant e ^+ 2) * sin (t * e) ^+ 2 <= 1.
  elim: es {c0} => [|e es' IH]; first by rewrite big_nil.
  by rewrite big_cons mulr_ile1 //; case/andP: (le1 e) => //; rewrite prodr_ge0 // => e' _; case/andP: (le1 e').
have /andP[t0 t1] := tilted_bounds e; have s1 : sin (t * e) ^+ 2 <= 1.
  have -> : sin (t * e) ^+ 2 = 1 - cos (t * e) ^+ 2 by rewrite !expr2; exact: sin2.
  by rewrite ler_subl_addr ler_addl sqr_ge0.
have -> : 1 - slant e ^+ 2 = (tilted e * (1 - tilted e)) *+ 4 by rewrite slant_tilted; ring.
have h0 : 0 <= (tilted e * (1 - tilted e)) *+ 4 by rewrite mulrn_wge0 // mulr_ge0 // subr_ge0.
have h1 : (tilted e * (1 - tilted e)) *+ 4 <= 1.
  rewrite -subr_ge0; have -> : 1 - (tilted e * (1 - tilted e)) *+ 4 = (tilted e *+ 2 - 1) ^+ 2 by ring.
  exact: sqr_ge0.
rewrite subr_ge0 mulr_ile1 ?sqr_ge0 //= ler_subl_addr ler_addl mulr_ge0 ?sqr_ge0 //.
Qed.
End Tilted.
Global Arguments theta _%R.
Global Arguments tilted _%R _%R.
Global Arguments slant _%R _%R.
Global Arguments moments _%R _ _%R.
Global Arguments spectrum _%R _ _%R.

(** A response's chances, from the tilted ones. *)
Lemma truthful_tilted a e : cosh2 (theta a * e) / cosh2 (e / 2%:R) * (tilted a e * exp (- (a * e))) = truthful e.
Proof.
have n := cosh2_neq0 (theta a * e)%R; have n' := cosh2_neq0 (e / 2%:R)%R.
have h : exp (e / 2%:R) != 0 by exact: exp_neq0.
have -> : exp (- (a * e)) = exp (e / 2%:R) / exp (theta a * e).
  by rewrite -expN -expD; congr exp; rewrite /theta; field.
rewrite /tilted /truthful; have -> : exp (- e) = exp (- (e / 2%:R)) / exp (e / 2%:R).
  by rewrite -expN -expD; congr exp; field.
have m := exp_neq0 (theta a * e)%R; move: n n'; rewrite /cosh2.
move: (exp (theta a * e)) (exp (- (theta a * e))) (exp (e / 2%:R)) (exp (- (e / 2%:R))) h m => p q r s r0 p0 n n'.
by field; rewrite ?n ?n' ?r0 ?p0.
Qed.

Lemma untruthful_tilted a e : cosh2 (theta a * e) / cosh2 (e / 2%:R) * ((1 - tilted a e) * exp (a * e)) = untruthful e.
Proof.
have n := cosh2_neq0 (theta a * e)%R; have n' := cosh2_neq0 (e / 2%:R)%R.
have h : exp (e / 2%:R) != 0 by exact: exp_neq0.
have -> : exp (a * e) = exp (- (e / 2%:R)) / exp (- (theta a * e)).
  by rewrite -expN -expD; congr exp; rewrite /theta; field.
rewrite /tilted /untruthful; have -> : exp (- e) = exp (- (e / 2%:R)) / exp (e / 2%:R).
  by rewrite -expN -expD; congr exp; field.
have m := exp_neq0 (- (theta a * e))%R; move: n n'; rewrite /cosh2.
move: (exp (theta a * e)) (exp (- (theta a * e))) (exp (e / 2%:R)) (exp (- (e / 2%:R))) h m => p q r s r0 p0 n n'.
by field; rewrite ?n ?n' ?r0 ?p0.
Qed.

(** --- the profile as a mean --- *)

Section Profile.
Variables (a mu : R).
Implicit Types (es : seq R) (e x v w b : R).

(** What a loss above epsilon by v pays, after the tilt, and what the tilt takes of the Gaussian part. *)
Definition spread (b : R) : R := exp (mu * mu * (b * (b + 1)) / 2%:R)%R.
Definition payoff v : R := (exp (- (a * v)) * G mu (- v) / spread a)%R.
Definition scale es x : R := (spread a * constant a es * exp (- (a * x)))%R.

Local Arguments spread _%R.
Local Arguments payoff _%R.

Lemma spread_gt0 b : 0 < spread b.
Proof. exact: exp_gt0. Qed.

Lemma spread_neq0 b : spread b != 0.
Proof. exact: exp_neq0. Qed.

Lemma scale_gt0 es x : 0 < scale es x.
Proof. by rewrite !mulr_gt0 ?exp_gt0 ?spread_gt0 ?constant_gt0. Qed.

Lemma payoff_ge0 v : 0 <= payoff v.
Proof. by rewrite divr_ge0 ?mulr_ge0 ?G_ge0 ?(ltW (exp_gt0 _)) ?(ltW (spread_gt0 _)). Qed.

Theorem profile_tilted es x : mean_profile mu es x = scale es x * mean a es (fun v => payoff (v - x)).
Proof.
have -> : scale es x * mean a es (fun v => payoff (v - x)) =
    constant a es * mean a es (fun v => exp (- (a * v)) * G mu (x - v)).
  rewrite /scale -!meanZ; apply: eq_mean => v; rewrite /payoff opprB.
  have -> : exp (- (a * (v - x))) = exp (- (a * v)) * exp (a * x) by rewrite -expD; congr exp; ring.
  by rewrite [exp (- (a * x))]expN; have := exp_neq0 (a * x)%R; have := spread_neq0 a => n m; field; rewrite n m.
elim: es x => [|e es IH] x.
  by rewrite MixtureSums.mean_nil /constant big_nil /= subr0 mulr0 oppr0 exp_0 !mul1r.
rewrite mean_cons !IH [constant a (e :: es)]/constant big_cons -/(constant a es) /=.
have up : mean a es (fun v => exp (- (a * (v + e))) * G mu (x - (v + e))) =
    exp (- (a * e)) * mean a es (fun v => exp (- (a * v)) * G mu (x - e - v)).
  rewrite -meanZ; apply: eq_mean => v; rewrite mulrA -expD; congr (exp _ * G _ _); ring.
have down : mean a es (fun v => exp (- (a * (v - e))) * G mu (x - (v - e))) =
    exp (a * e) * mean a es (fun v => exp (- (a * v)) * G mu (x + e - v)).
  rewrite -meanZ; apply: eq_mean => v; rewrite mulrA -expD; congr (exp _ * G _ _); ring.
rewrite up down; set A := mean _ _ _; set B := mean _ _ _; set X := constant _ _.
have first := truthful_tilted a e; have second := untruthful_tilted a e.
by rewrite -first -second; ring.
Qed.

(** What the other periods pay at least: the part of a payoff that is known of all. *)
Definition plain v : R := (exp (- (a * v)) - exp (- ((a + 1) * v)))%R.

Local Arguments plain _%R.

Lemma payoff_plain v : plain v / spread a <= payoff v.
Proof.
rewrite /payoff ler_pmul2r ?invr_gt0 ?spread_gt0 //.
have -> : plain v = exp (- (a * v)) * (1 - exp (- v)).
  by rewrite /plain mulrBr mulr1 -expD; congr (_ - exp _); ring.
rewrite ler_pmul2l ?exp_gt0 //; rewrite /G; case: ifP => [/RltP m0|_]; last exact: le_pos.
exact/RleP/Rlt_le/ProfileOfMu.profile_of_equals.
Qed.

Lemma mean_shifted es x b w :
  mean a es (fun v => exp (- (b * (v - x + w)))) = exp (b * x) * exp (- (b * w)) * moments a es (- b).
Proof. by rewrite -mean_exp -meanZ; apply: eq_mean => v; rewrite -!expD; congr exp; ring. Qed.

Lemma scale_exp es x b w : scale es x / spread a * mean a es (fun v => exp (- (b * (v - x + w)))) =
  constant a es * moments a es (- b) * exp ((b - a) * x) * exp (- (b * w)).
Proof.
rewrite mean_shifted.
have -> : exp ((b - a) * x) = exp (b * x) * exp (- (a * x)) by rewrite -expD; congr exp; ring.
by rewrite /scale; have := spread_neq0 a => n; field.
Qed.

Lemma plain_mean es x w : scale es x / spread a * mean a es (fun v => plain (v - x + w)) =
  exp (- (a * w)) - exp (x - (a + 1) * w).
Proof.
have [c1 c2] := constant_moments a es.
have -> : mean a es (fun v => plain (v - x + w)) = mean a es (fun v => exp (- (a * (v - x + w)))) -
    mean a es (fun v => exp (- ((a + 1) * (v - x + w)))).
  by rewrite -meanB.
rewrite mulrBr !scale_exp c1 c2 subrr mul0r exp_0 !mul1r -expD; congr (_ - exp _); ring.
Qed.

(** Chernoff's inequality for the profile. *)
Lemma profile_chernoff (b e : R) : 0 <= mu -> 0 <= b -> G mu e <= exp (- (b * e)) * spread b.
Proof.
rewrite /spread le_eqVlt => /predU1P[<-|m0] b0.
  rewrite !mul0r exp_0 mulr1 /G ltxx.
  have [e0|/ltW e0] := leP 0 e; first by rewrite pos_0 ?(ltW (exp_gt0 _)) // subr_le0 exp_ge1.
  apply: (@le_trans _ _ 1); first by rewrite pos_le ?ler01 // ler_subl_addr ler_addl ltW ?exp_gt0.
  by rewrite exp_ge1 -mulrN mulr_ge0 // oppr_ge0.
rewrite -expD /G m0; move/RltP: m0 => m0; move/RleP: b0 => b0.
have two : IZR 2 != 0 by exact/eqP/not_0_IZR.
by have /RleP := FourierKernel.profile_chernoff mu b e m0 b0; rewrite !RdivE.
Qed.

Hypothesis mu0 : 0 <= mu.

Lemma payoff_right v (r : R) : 0 <= a -> 0 < r -> payoff v <= exp (r * v) * (spread (a + r) / spread a).
Proof.
move=> a0 r0; rewrite /payoff mulrA ler_pmul2r ?invr_gt0 ?spread_gt0 //.
have ar : 0 <= a + r by rewrite addr_ge0 // ltW.
apply: le_trans (ler_wpmul2l (ltW (exp_gt0 _)) (profile_chernoff (- v)%R mu0 ar)) _.
by rewrite mulrA -expD le_eqVlt; apply/orP; left; apply/eqP; congr (exp _ * _); ring.
Qed.

Lemma payoff_left v (l : R) : a + 1 <= l ->
  payoff v <= plain v / spread a + exp (- (l * v)) * (spread (l - a - 1) / spread a).
Proof.
move=> al; rewrite /payoff [exp (- (l * v)) * _]mulrA -mulrDl ler_pmul2r ?invr_gt0 ?spread_gt0 //.
have b0 : 0 <= l - a - 1 by rewrite -addrA -opprD subr_ge0.
have -> : G mu (- v) = 1 - exp (- v) + exp (- v) * G mu v.
  rewrite /G; case: ifP => [_|_]; first by have := ProfileReflection.profile_reflect mu (- v)%R; rewrite RoppE opprK.
  rewrite -posM ?(ltW (exp_gt0 _)) // mulrBr mulr1 -expD addNr exp_0.
  have [h|/ltW h] := leP 0 (1 - exp (- v)).
    by rewrite pos_id // pos_0 ?addr0 // -oppr_ge0 opprB.
  by rewrite pos_0 // pos_id ?addrA ?subrK ?subrr // -oppr_le0 opprB.
have -> : exp (- (a * v)) * (1 - exp (- v) + exp (- v) * G mu v) = plain v + exp (- ((a + 1) * v)) * G mu v.
  by rewrite /plain; have -> : exp (- ((a + 1) * v)) = exp (- (a * v)) * exp (- v); [rewrite -expD; congr exp|]; ring.
rewrite ler_add2l; apply: le_trans (ler_wpmul2l (ltW (exp_gt0 _)) (profile_chernoff v mu0 b0)) _.
by rewrite mulrA -expD le_eqVlt; apply/orP; left; apply/eqP; congr (exp _ * _); ring.
Qed.
End Profile.
Global Arguments spread _%R _%R.
Global Arguments payoff _%R _%R _%R.
Global Arguments plain _%R _%R.
Global Arguments scale _%R _%R _ _%R.
