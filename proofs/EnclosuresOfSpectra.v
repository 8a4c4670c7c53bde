(** The enclosures of characteristic functions, of their sizes, and of the logarithms of moments, of EnclosuresOfLaws.v:
    they enclose. *)
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Complex.
From ExactDP Require Import Reals Exponentials Enclosures EnclosuresOfFormulas EnclosuresOfWaves EnclosuresOfKernel.
From ExactDP Require Import TiltedLosses LossLaws LadderLosses EnclosuresOfLaws.
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

Section Sizes.
Variable bits : Z.
Hypothesis bits0 : Z.le 0 bits.
Let B : R := IZR (2 ^ bits).
Let B0 : 0 < B. Proof. exact/RltP/power2_gt0. Qed.

Lemma enclosed_magnitude v e : enclosed bits v e -> enclosed bits `|v| (magnitude e).
Proof.
rewrite /enclosed -/B => -[/RleP l /RleP h]; rewrite /magnitude !RmultE in l h *.
have scaled : `|v| * B = `|v * B| by rewrite normrM [`|B|]gtr0_norm.
rewrite scaled; case: Z.leb_spec => [/IZR_le/RleP e0|_] /=.
  by rewrite ger0_norm ?(le_trans e0) //; split; exact/RleP.
case: Z.leb_spec => [/IZR_le/RleP e0|_] /=.
  by rewrite ler0_norm ?(le_trans h) // !opp_IZR !RoppE; split; apply/RleP; rewrite ler_opp2.
split; apply/RleP; first exact: normr_ge0.
rewrite [X in _ <= X]IZR_max ler_norml; apply/andP; split; last by apply: le_trans h _; exact/RleP/Rmax_r.
rewrite ler_oppl; apply: (@le_trans _ _ (- IZR e.1)); first by rewrite ler_oppl opprK.
by rewrite -RoppE -opp_IZR; exact/RleP/Rmax_l.
Qed.

Lemma enclosed_power v e n : enclosed bits v e -> enclosed bits (v ^+ Pos.to_nat n) (positive_power bits e n).
Proof.
elim: n v e => [n IH|n IH|] v e V /=; last by rewrite expr1.
  rewrite Pos2Nat.inj_xI multE exprS exprM; apply: enclosed_mul => //.
  by apply: IH; rewrite expr2; exact: enclosed_mul.
by rewrite Pos2Nat.inj_xO multE exprM; apply: IH; rewrite expr2; exact: enclosed_mul.
Qed.

Lemma enclosed_square v e : enclosed bits v e -> enclosed bits (v ^+ 2) (square bits e).
Proof.
by move=> /enclosed_magnitude V; rewrite -real_normK ?num_real // expr2 /square; apply: enclosed_mul.
Qed.

Lemma enclosed_size z e : encloses bits e z -> enclosed bits (z.1 ^+ 2 + z.2 ^+ 2) (size_square bits e).
Proof. by case=> h1 h2; apply: enclosed_add; exact: enclosed_square. Qed.

Lemma size_of (z : Complex.C) : Complex.Cmod z ^+ 2 = z.1 ^+ 2 + z.2 ^+ 2.
Proof.
rewrite expr2 /Complex.Cmod -RmultE sqrt_def; last by apply: Rplus_le_le_0_compat; exact: pow2_ge_0.
by rewrite /= RplusE !RmultE !mulr1 !expr2.
Qed.
End Sizes.

(** Divided by what is greatest. *)
Section Divided.
Variables (p q v H g c1 c2 u w x : R).
Hypotheses (p0 : p != 0) (q0 : q != 0) (v0 : v != 0) (H0 : H != 0).

Lemma divided_real : c1 * ((q - q^-1) * u) - c2 * ((q + q^-1) * w) = (v - v^-1) * x ->
  c1 * (q / v) * ((1 - (q * q)^-1) * u) - c2 * (q / v) * ((1 + (q * q)^-1) * w) = (1 - (v * v)^-1) * x.
Proof.
move=> e; apply: (mulIf v0); have -> : (1 - (v * v)^-1) * x * v = (v - v^-1) * x by field.
by rewrite -e; field; rewrite q0 v0.
Qed.
Lemma divided_imaginary : c1 * ((q + q^-1) * w) + c2 * ((q - q^-1) * u) = (v + v^-1) * x ->
  c1 * (q / v) * ((1 + (q * q)^-1) * w) + c2 * (q / v) * ((1 - (q * q)^-1) * u) = (1 + (v * v)^-1) * x.
Proof.
move=> e; apply: (mulIf v0); have -> : (1 + (v * v)^-1) * x * v = (v + v^-1) * x by field.
by rewrite -e; field; rewrite q0 v0.
Qed.
Lemma divided_sum : ((p + p^-1) * u + g * c1) / (p * H) =
  (1 + (p * p)^-1) / H * u + g * (v / (p * q)) / H * (c1 * (q / v)).
Proof. by field; rewrite p0 q0 v0 H0. Qed.
Lemma divided_difference : ((p - p^-1) * u + g * c1) / (p * H) =
  (1 - (p * p)^-1) / H * u + g * (v / (p * q)) / H * (c1 * (q / v)).
Proof. by field; rewrite p0 q0 v0 H0. Qed.
End Divided.

Section Soundness.
Variables (bits : Z) (a : R) (theta' : formula).
Hypotheses (bits0 : Z.le 0 bits) (T : agrees bits (theta a) theta').
Let h := theta a.
Implicit Types (v w t x y : R).

Local Ltac agree := repeat first [assumption
  | apply: agrees_power | apply: agrees_plus | apply: agrees_minus | apply: agrees_negative
  | apply: agrees_times | apply: agrees_divided | apply: agrees_multiple | apply: agrees_log
  | apply: agrees_whole].

(** s is y/z. *)
Lemma complex_over_encloses (y z : Complex.C) s e f g : encloses bits e y -> encloses bits f z ->
  s.1 * z.1 - s.2 * z.2 = y.1 -> s.1 * z.2 + s.2 * z.1 = y.2 ->
  complex_over bits e f = Some g -> encloses bits g s.
Proof.
move=> [Y1 Y2] Z' e1 e2; have D := agrees_given bits _ _ (enclosed_size bits0 Z'); case: (Z') => Z1 Z2; rewrite /complex_over.
have {}Y1 := agrees_given bits _ _ Y1; have {}Y2 := agrees_given bits _ _ Y2.
have {}Z1 := agrees_given bits _ _ Z1; have {}Z2 := agrees_given bits _ _ Z2; rewrite /together.
case P: (over _ _ _) => [p|] //; case Q: (over _ _ _) => [q|] // [<-].
have real : agrees bits (y.1 * z.1 + y.2 * z.2)%R
  (plus (times bits (Some e.1) (Some f.1)) (times bits (Some e.2) (Some f.2))) by agree.
have imaginary : agrees bits (y.2 * z.1 - y.1 * z.2)%R
  (minus (times bits (Some e.2) (Some f.1)) (times bits (Some e.1) (Some f.2))) by agree.
have [/eqP n P'] := agrees_over bits bits0 _ _ _ _ real D _ P.
have [_ Q'] := agrees_over bits bits0 _ _ _ _ imaginary D _ Q.
move: P' Q'; rewrite !RdivE // -e1 -e2; split; rewrite /=.
  have -> : s.1 = ((s.1 * z.1 - s.2 * z.2) * z.1 + (s.1 * z.2 + s.2 * z.1) * z.2) / (z.1 ^+ 2 + z.2 ^+ 2) by field.
  by [].
have -> : s.2 = ((s.1 * z.2 + s.2 * z.1) * z.1 - (s.1 * z.1 - s.2 * z.2) * z.2) / (z.1 ^+ 2 + z.2 ^+ 2) by field.
by [].
Qed.

Lemma each_times_encloses (c u : complex_enclosure) (y z : Complex.C) : encloses bits c y -> encloses bits u z ->
  encloses bits (each_times bits c u) (y.1 * z.1, y.2 * z.2)%R.
Proof. by move=> [Y1 Y2] [Z1 Z2]; split; apply: enclosed_mul. Qed.

(** The turn of all rungs. *)
Lemma turn_of_all t A x r (u v : complex_enclosure) (more : bool) : A = (x + (if more then r else 0))%R ->
  encloses bits u (cos (t * A), sin (t * A)) -> encloses bits v (cos (t * r), sin (t * r)) ->
  encloses bits (if more then complex_mul bits u (turned_back v) else u) (cos (t * x), sin (t * x)).
Proof.
case: more => [e U [V1 V2]|->]; last by rewrite addr0.
have back : encloses bits (turned_back v) (cos (t * r), - sin (t * r))%R by split=> //; exact: enclosed_opp.
have -> : (cos (t * x), sin (t * x)) = Complex.Cmult (cos (t * A), sin (t * A)) (cos (t * r), - sin (t * r))%R.
  have ex : t * x = t * A + - (t * r) by rewrite e mulrDr addrK.
  by rewrite ex cos_shift sin_shift cosN sinN /Complex.Cmult /= RminusE RplusE !RmultE; congr (_, _); rewrite addrC.
exact: encloses_mul.
Qed.

Lemma factor_enclosed t e l p z : enclosed bits t e -> ready bits a l p -> factor_enclosure bits e p = Some z ->
  encloses bits z (spectrum a (law_of l) t).
Proof.
move=> T'; case: l p => [e'|A r gamma n g0] [f slope|f ends top bottom c] //=.
  move=> [E S]; case u: turn => [u'|] //= [<-].
  have [U1 U2] := turn_enclosed bits bits0 _ _ _ (enclosed_mul bits bits0 _ _ _ _ T' E) u.
  have -> : spectrum a (response e') t = (cos (t * e'), slant a e' * sin (t * e'))%R.
    have s := spectrum_of_responses a [:: e'] t; rewrite /responses /= spectrum_times in s.
    have u1 := spectrum_nil a t; rewrite -[law_of_all _]/law_unit in u1.
    by rewrite u1 !Complex.Cmult_1_r in s.
  by split=> //; exact: enclosed_mul.
move=> [[HA Hn Hr Hg eA] W E [N D] C].
case k1: turn => [u|] //; case k2: turn => [v|] //; case k: complex_over => [s|] // [<-].
have U := turn_enclosed bits bits0 _ _ _ (enclosed_mul bits bits0 _ _ _ _ T' HA) k1.
have V := turn_enclosed bits bits0 _ _ _ (enclosed_mul bits bits0 _ _ _ _ T' Hr) k2.
have [E1 E2] := each_times_encloses E U.
have X := each_times_encloses N (turn_of_all eA U V); have Y := each_times_encloses D V.
have v0 := ladder_value_neq0 g0 W; rewrite spectrum_of_ladder -/h W.
set H := ladder_value A r gamma n h in v0 W E1 E2 C *; have [f1 f2] := rungs_turned r n h t.
set c1 := rungs_cos r n h t in f1 f2 *; set c2 := rungs_sin r n h t in f1 f2 *.
have p0 := exp_neq0 (h * A)%R; have q0 := exp_neq0 (h * r)%R; have n0 := exp_neq0 (h * (n%:R * r))%R.
have shift : exp (- (h * (A - n%:R * r + r))) = exp (h * (n%:R * r)) / (exp (h * A) * exp (h * r)).
  by rewrite -expD -expN -expD; congr exp; ring.
pose k' := (exp (h * r) / exp (h * (n%:R * r)))%R.
have [S1 S2] : encloses bits s ((c1 * k')%R, (c2 * k')%R).
  apply: (complex_over_encloses X Y _ _ k); cbn [fst snd]; rewrite !fallenE /k'.
    by apply: divided_real => //; move: f1; rewrite !mulrN !expN.
  by apply: divided_imaginary => //; move: f2; rewrite !mulrN !expN.
split; cbn [fst snd].
  rewrite expN (divided_sum gamma c1 (cos (t * A)) p0 q0 n0 v0) -shift -fallenE.
  by apply: enclosed_add => //; exact: enclosed_mul.
rewrite expN (divided_difference gamma c2 (sin (t * A)) p0 q0 n0 v0) -shift -fallenE.
by apply: enclosed_add => //; exact: enclosed_mul.
Qed.

(** Of all groups. *)
Fixpoint ready_groups (rs : seq (Z * wave_law)) (us : seq (Z * prepared)) : Prop :=
  match rs, us with
  | [::], [::] => True
  | r :: rs', u :: us' => [/\ r.1 = u.1, ready bits a r.2 u.2 & ready_groups rs' us']
  | _, _ => False
  end.

Lemma prepared_ready rs gs us : enclosed_groups bits rs gs -> prepared_groups bits theta' gs = Some us ->
  ready_groups rs us.
Proof.
elim: rs gs us => [|[k l] rs IH] [|[c g] gs] us //=; first by move=> _ [<-].
move=> [-> E /IH {}IH]; case P: prepare => [p|] //.
by case: prepared_groups IH => [rest|] // /(_ _ erefl) R' [<-]; split=> //; exact: prepare_ready P.
Qed.

Lemma spectrum_enclosed t e rs us z : enclosed bits t e -> ready_groups rs us ->
  spectrum_enclosure bits e us = Some z -> encloses bits z (spectrum a (law_of_all (listed rs)) t).
Proof.
move=> T'; elim: rs us z => [|[k l] rs IH] [|[c p] us] z //=.
  by move=> _ [<-]; rewrite spectrum_nil; exact: (encloses_Z bits bits0 1).
move=> [-> E R']; rewrite /listed /= -/(listed rs) spectrum_cons; have skip (f : Complex.C) : power_of f 0 = Complex.RtoC 1 by [].
case: c => [|n|n] /=; rewrite ?skip ?Complex.Cmult_1_l; [exact: IH| |exact: IH].
case f: factor_enclosure => [u|] //; case s: spectrum_enclosure => [z'|] // [<-].
apply: encloses_mul => //; last exact: IH R' s.
by apply: encloses_power => //; exact: factor_enclosed f.
Qed.

Lemma factor_square_enclosed t e l p f : enclosed bits t e -> ready bits a l p -> factor_square bits e p = Some f ->
  enclosed bits (Complex.Cmod (spectrum a (law_of l) t) ^+ 2) f.
Proof.
move=> T' R'; case: p R' => [g slope|lad ends top bottom c] R'.
  case: l R' => [e'|? ? ? ? ?] //= [E S]; case u: turn => [u'|] // [<-].
  have [_ U] := turn_enclosed bits bits0 _ _ _ (enclosed_mul bits bits0 _ _ _ _ T' E) u.
  have -> : Complex.Cmod (spectrum a (response e') t) ^+ 2 = 1 - (1 - slant a e' ^+ 2) * sin (t * e') ^+ 2.
    have := modulus_of_spectrum a [:: e'] t; rewrite big_seq1 => <-; congr (Complex.Cmod _ ^+ 2).
    rewrite -spectrum_of_responses /responses /= spectrum_times.
    by have := spectrum_nil a t; rewrite -[law_of_all _]/law_unit => ->; rewrite Complex.Cmult_1_r.
  set v := (1 - _ * _); have v0 : 0 <= v.
    by have /= := modulus_of_spectrum a [:: e'] t; rewrite big_seq1 -/v => <-; exact: sqr_ge0.
  have -> : v = Rmax 0 v by rewrite Rmax_right //; exact/RleP.
  have one := enclosed_Z bits bits0 1.
  apply: enclosed_at_least_zero => //; rewrite /v.
  apply: enclosed_sub => //; apply: enclosed_mul => //; last exact: enclosed_square.
  by apply: enclosed_sub => //; rewrite expr2; apply: enclosed_mul.
rewrite /factor_square; case k: factor_enclosure => [z|] //= [<-]; rewrite size_of.
by apply: enclosed_size => //; exact: factor_enclosed k.
Qed.

Lemma size_times (y z : Complex.C) : Complex.Cmod (Complex.Cmult y z) ^+ 2 = Complex.Cmod y ^+ 2 * Complex.Cmod z ^+ 2.
Proof. by rewrite Complex.Cmod_mult RmultE exprMn. Qed.

Lemma size_power (z : Complex.C) n : Complex.Cmod (power_of z n) ^+ 2 = (Complex.Cmod z ^+ 2) ^+ n.
Proof.
elim: n => [|n IH] /=; first by rewrite expr0 Complex.Cmod_1 expr1n.
by rewrite size_times IH -exprS.
Qed.

Lemma square_enclosed t e rs us z : enclosed bits t e -> ready_groups rs us -> square_of_size bits e us = Some z ->
  enclosed bits (Complex.Cmod (spectrum a (law_of_all (listed rs)) t) ^+ 2) z.
Proof.
move=> T'; elim: rs us z => [|[k l] rs IH] [|[c p] us] z //=.
  by move=> _ [<-]; rewrite spectrum_nil Complex.Cmod_1 expr1n; exact: (enclosed_Z bits bits0 1).
move=> [-> E R']; rewrite /listed /= -/(listed rs) spectrum_cons size_times size_power.
case: c => [|n|n] /=; rewrite ?expr0 ?mul1r; [exact: IH| |exact: IH].
case f: factor_square => [u|] //; case s: square_of_size => [z'|] // [<-].
apply: enclosed_mul => //; last exact: IH R' s.
by apply: enclosed_power => //; exact: factor_square_enclosed f.
Qed.

(** --- logarithms of weights --- *)

Lemma ln_weight (A y : R) : 0 < exp A * y -> ln (exp A * y)%R = A + ln y.
Proof.
move=> p; have y0 : 0 < y by rewrite -(pmulr_rgt0 _ (exp_gt0 A)).
by rewrite -RmultE ln_mult ?ln_exp //; [exact/RltP/exp_gt0|exact/RltP].
Qed.

Lemma ln_cosh2 (y : R) : ln (cosh2 y) = y + ln (1 + exp (IZR (-2) * y))%R.
Proof.
have e : cosh2 y = exp y * (1 + exp (IZR (-2) * y)).
  rewrite mulrDr mulr1 -expD /cosh2; congr (_ + exp _).
  by rewrite (_ : IZR (-2) = - 2%:R) //; ring.
by rewrite e ln_weight // -e cosh2_gt0.
Qed.

Lemma log_weight_agrees w W l g : agrees bits w W -> enclosed_law bits l g ->
  agrees bits (ln (law_weight w l)) (log_weight bits W g).
Proof.
case: l g => [e|A r gamma n g0] [f|f] // HW E; rewrite /log_weight /=.
  have E' := agrees_given bits _ _ E; have F := fallen_agrees bits0 HW E.
  have one : agrees bits 1 (whole bits 1) by exact: agrees_whole.
  by rewrite ln_cosh2; agree.
have [HA _ _ _ _] := E; have {}HA := agrees_given bits _ _ HA.
case k: ladder_formula => [v|]; last by rewrite /log_of /plus; case: (times _ _ _).
have [V e] := ladder_agrees (gamma0 := g0) bits0 E HW k; have {}V := agrees_given bits _ _ V.
by rewrite e ln_weight -?e ?ladder_weight_gt0 //; agree.
Qed.

Lemma log_ratios_agree b c B C rs gs : agrees bits b B -> agrees bits c C -> enclosed_groups bits rs gs ->
  agrees bits (log_product b c rs) (log_ratios bits B C gs).
Proof.
move=> HB HC; elim: rs gs => [|[k l] rs IH] [|[k' g] gs] //=; first by move=> _; agree.
move=> [-> E /IH {}IH]; apply: agrees_plus => //; apply: agrees_multiple.
by apply: agrees_minus; apply: log_weight_agrees.
Qed.
End Soundness.
