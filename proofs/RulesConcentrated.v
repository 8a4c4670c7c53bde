(** The rules of certs/SPEC.md, 11.14 and 11.15, which go through concentrated and Rényi privacy.

    Failures apart (Failures.v), every mechanism has a bound of its moments, and so has their
    composition (Moments.v); each alpha > 1 then gives a bound of its divergence. *)
From Coq Require Import Reals Permutation Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Powers Moments.
From ExactDP Require Import RulesGaussian ConcentratedGaussian.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Global Arguments exponent _%R _%R _%R.
Global Arguments slope _%R _%R _%R.

(** The logarithm of a bound of the moments, and rho of a mechanism taken as zCDP. *)
Definition log_moment (a : R) (n : notion) :=
  match n with
  | Approximate epsilon _ => ln (response_moment a epsilon)
  | Gaussian mu => a * (a - 1) * (mu ^+ 2 / 2%:R)
  | Concentrated rho => a * (a - 1) * rho
  end.
Definition rho_of (n : notion) :=
  match n with
  | Approximate epsilon _ => epsilon ^+ 2 / 2%:R
  | Gaussian mu => mu ^+ 2 / 2%:R
  | Concentrated rho => rho
  end.
Definition total_rho (ns : seq notion) := \sum_(n <- ns) rho_of n.

(** What the formulas give, and that they do not, whatever alpha is (SPEC, section 3). *)
Definition bun_steinke_gives (ns : seq notion) (epsilon delta : R) : Prop :=
  let Delta := mixed_slack ns delta in
  0 < Delta /\ total_rho ns + 2%:R * sqrt (total_rho ns * - ln Delta) <= epsilon.
Definition canonne_kamath_steinke_gives (ns : seq notion) (epsilon delta : R) : Prop :=
  let Delta := mixed_slack ns delta in
  0 < Delta /\ exists2 a : R, 1 < a & exponent (total_rho ns) epsilon a <= ln Delta.
Definition bun_steinke_underivable ns epsilon delta := ~ bun_steinke_gives ns epsilon delta.
Definition canonne_kamath_steinke_underivable ns epsilon delta :=
  ~ canonne_kamath_steinke_gives ns epsilon delta.

Lemma sum_permutation (F : notion -> R) ns ns' : Permutation ns ns' ->
  \sum_(n <- ns) F n = \sum_(n <- ns') F n.
Proof.
elim=> [|n {}ns {}ns' _ e|n n' {}ns|n1 n2 n3 _ -> _ ->] //; first by rewrite !big_cons e.
by rewrite !big_cons addrCA.
Qed.

Lemma four : 4%:R = 4%coqR :> R.
Proof. by rewrite -INRE /=; lra. Qed.

Lemma response_moment_gt0 a e : 0 < response_moment a e.
Proof.
apply/RltP; rewrite /response_moment; apply: Rdiv_lt_0_compat.
  by have := exp_pos (a * e)%coqR; have := exp_pos ((1 - a) * e)%coqR; lra.
by have := exp_pos e; lra.
Qed.

Lemma total_rho_ge0 ns : all proper_notion ns -> 0 <= total_rho ns.
Proof.
rewrite /total_rho; elim: ns => [|n ns IH] /=; first by rewrite big_nil.
case/andP=> w /IH; rewrite big_cons; apply: addr_ge0.
by case: n w => [e d|mu|rho] //= _; rewrite divr_ge0 ?sqr_ge0 ?ler0n.
Qed.

Lemma log_moment_le (a : R) n : 1 < a -> proper_notion n -> log_moment a n <= a * (a - 1) * rho_of n.
Proof.
move=> /RltP a1; case: n => [e d /andP[/RleP e0 _]|mu _|rho _] //=.
rewrite -exp_le lnK ?response_moment_gt0 //.
by rewrite half_square; apply/RleP; exact: response_moment_le.
Qed.

Section Rules.
Variables (ns : seq notion) (epsilon delta : R).
Hypothesis W : all proper_notion ns.

Lemma composition_moment (a : R) ns' (Y : finType) (P Q : Y -> R) : 1 < a -> all proper_notion ns' ->
  mixed_composition G [seq unfailing n | n <- ns'] P Q ->
  moment_at_most a (exp (\sum_(n <- ns') log_moment a n)) P Q.
Proof.
move=> a1 + C; move e : [seq _ | n <- ns'] C => us C.
elim: C ns' e => {us Y P Q} [|n us Y Z P Q P' Q' h C IH] [|n' ns'] //.
  move=> _ _; rewrite big_nil exp_0.
  have [d _] := mixed_composition_distribution (MixedNil G); exact: moment_self.
move=> [en e] /andP[w' W']; rewrite big_cons expD; have [dP dQ _] := h.
apply: moment_pair => //; try by move=> y; have [] := mixed_composition_distribution (C y).
- exact: ltW (exp_gt0 _).
- move: h; rewrite -en; case: n' w' {en} => [x d /andP[x0 _] [_ _ h]|mu mu0 h|rho _ [_ _ h]] /=.
  + by rewrite lnK ?response_moment_gt0 //; apply: response_dominates.
  + by have [_ _ /(_ a a1)[]] := gaussian_concentrated mu0 h.
  + by have [] := h a a1.
- by move=> y; exact: IH.
Qed.

(** 11.14 [moments]. *)
Theorem rule_renyi (a : R) : 1 < a -> 0 < mixed_slack ns delta ->
  \sum_(n <- ns) log_moment a n + (1 - a) * epsilon + log_conversion a <= ln (mixed_slack ns delta) ->
  mixed_upper G ns epsilon delta.
Proof.
move=> a1 D0 h; apply: mixed_upper_apart => // ns' p Y P Q C.
have W' : all proper_notion ns' by rewrite -(all_permutation _ p).
have [dP dQ] := mixed_composition_distribution C.
apply: le_trans (moment_divergence a1 epsilon dP dQ (composition_moment a1 W' C)) _.
rewrite -expD -(sum_permutation _ p) -[X in _ <= X](lnK D0) exp_le.
by rewrite addrC addrA.
Qed.

(** The same for what is zCDP. *)
Theorem rule_canonne_kamath_steinke (a : R) : 1 < a -> 0 < mixed_slack ns delta ->
  exponent (total_rho ns) epsilon a <= ln (mixed_slack ns delta) ->
  mixed_upper G ns epsilon delta.
Proof.
move=> a1 D0 h; apply: (rule_renyi a1 D0); apply: le_trans h.
have -> : exponent (total_rho ns) epsilon a =
  a * (a - 1) * total_rho ns + (1 - a) * epsilon + log_conversion a.
  exact: exponent_split.
rewrite !ler_add2r /total_rho; elim: ns W => [|n ns' IH] /=; first by rewrite !big_nil mulr0.
by case/andP=> w /IH; rewrite !big_cons mulrDr; apply: ler_add; exact: log_moment_le.
Qed.

(** What the formulas do not give. *)
Theorem rule_canonne_kamath_steinke_underivable (a : R) : 1 < a -> 0 < total_rho ns ->
  ln (mixed_slack ns delta) <
    exponent (total_rho ns) epsilon a - slope (total_rho ns) epsilon a ^+ 2 / (4%:R * total_rho ns) ->
  canonne_kamath_steinke_underivable ns epsilon delta.
Proof.
move=> /RltP a1 r0 h [_ [b /RltP b1]]; apply/negP; rewrite -ltNge; apply/RltP; move/RltP: (r0) => r0'.
apply: (@no_alpha _ _ a) => //; apply/RltP; move: h; rewrite four -RpowE.
by rewrite RdivE // mulf_neq0 -?four ?pnatr_eq0 // gt_eqF.
Qed.

Theorem rule_bun_steinke_underivable :
  epsilon < total_rho ns \/
  (epsilon - total_rho ns) ^+ 2 < - (4%:R * total_rho ns * ln (mixed_slack ns delta)) ->
  bun_steinke_underivable ns epsilon delta.
Proof.
move=> h [_]; apply/negP; rewrite -ltNge; apply/RltP; apply: no_square.
  by apply/RleP; exact: total_rho_ge0.
by case: h => /RltP h; [left|right; move: h; rewrite four -RpowE; exact].
Qed.
End Rules.
