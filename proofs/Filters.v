(** Fully adaptive composition within a budget (SPEC, section 9).

    In [composition] (Composition.v) the parameters are fixed in advance.  In an [interaction] each
    mechanism, its parameters, and whether there is another, may depend on all earlier answers;
    what is fixed is a budget, which falls by what is spent, on every path.  So an interaction is a
    tree, and what follows an answer is an interaction within the budget that is left.

    Failures come first ([interaction_apart]): with probability 1 - D, on either database, nothing
    fails, and what is left is an interaction within the same budget and without failures.  By
    induction over its tree, such an interaction is as close as one mechanism that spends the
    budget at once: [pure_filter], [concentrated_filter] and [gaussian_filter]. *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition Reals Rules Notions Failures Moments.
From ExactDP Require Import RulesGaussian.
From ExactDP Require ProfileOfMu.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** What adds up: epsilons, rhos, Rényi divergences of one order, or squares of mus. *)
Inductive measure := OfEpsilon | OfRho | OfRenyi of R | OfMu.

(** Laws p and q of an answer that are as close as a size s says. *)
Definition close (m : measure) (s : R) (Y : finType) (p q : Y -> R) : Prop :=
  [/\ distribution p, distribution q &
  match m with
  | OfEpsilon => forall y, p y <= exp s * q y /\ q y <= exp s * p y
  | OfRho => forall a, 1 < a -> let c := exp (a * (a - 1) * s) in
      moment_at_most a c p q /\ moment_at_most a c q p
  | OfRenyi a => let c := exp ((a - 1) * s) in moment_at_most a c p q /\ moment_at_most a c q p
  | OfMu => forall epsilon, indistinguishable (exp epsilon) (G (sqrt s) epsilon) p q
  end].

(** The same, but for failures of probability d: P = (1 - d) p + d (anything). *)
Definition answers (m : measure) (s d : R) (Y : finType) (P Q : Y -> R) : Prop :=
  [/\ distribution P, distribution Q &
  exists p q, close m s p q /\ forall y, (1 - d) * p y <= P y /\ (1 - d) * q y <= Q y].

(** P and Q are the laws of all answers of an interaction within a budget B, and D of failures.
    (Answers at one depth are taken from one finite set, to which a mechanism's own may be
    extended; an interaction that stops may still say what does not depend on the data.) *)
Inductive interaction (m : measure) :
    R -> R -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop :=
| Stops B D (Y : finType) (P : Y -> R) : distribution P -> interaction m B D P P
| Spends B D s d (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) :
    0 <= s <= B -> 0 <= d <= D -> answers m s d P Q ->
    (forall y, interaction m (B - s)%R (D - d)%R (P' y) (Q' y)) ->
    interaction m B D (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2).

Global Arguments close m _%R [Y] _ _.
Global Arguments answers m _%R _%R [Y] _ _.
Global Arguments interaction m _%R _%R [Y] _ _.
Global Arguments Spends m _%R _%R _%R _%R [Y Z] _ _ _ _ _ _ _ _.

(** The statements of a certificate about a budget (SPEC, 9.1). *)
Definition budget_upper (m : measure) (B D epsilon delta : R) :=
  forall (Y : finType) (P Q : Y -> R), interaction m B D P Q ->
  indistinguishable (exp epsilon) delta P Q.
Definition budget_lower (m : measure) (B D epsilon delta : R) :=
  exists (Y : finType) (P Q : Y -> R), interaction m B D P Q /\
  ~ indistinguishable (exp epsilon) delta P Q.
Global Arguments budget_upper m _%R _%R _%R _%R.
Global Arguments budget_lower m _%R _%R _%R _%R.

Lemma close_sym m s (Y : finType) (p q : Y -> R) : close m s p q -> close m s q p.
Proof.
case=> dp dq h; split=> //; case: m h => [h y|h a a1|a h|h e].
- by case: (h y).
- by case: (h a a1).
- by case: h.
- by case: (h e).
Qed.

Lemma answers_sym m s d (Y : finType) (P Q : Y -> R) : answers m s d P Q -> answers m s d Q P.
Proof.
case=> dP dQ [p [q [c h]]]; split=> //; exists q, p; split; first exact: close_sym.
by move=> y; case: (h y).
Qed.

Section Interactions.
Variable m : measure.

Lemma interaction_sym B D (Y : finType) (P Q : Y -> R) : interaction m B D P Q -> interaction m B D Q P.
Proof.
elim=> {B D Y P Q} [B D Y P dP|B D s d Y Z P Q P' Q' sB dD /answers_sym a _ IH].
  exact: Stops.
exact: Spends sB dD a IH.
Qed.

Lemma interaction_distribution B D (Y : finType) (P Q : Y -> R) : interaction m B D P Q ->
  distribution P /\ distribution Q.
Proof.
elim=> {B D Y P Q} [//|B D s d Y Z P Q P' Q' _ _ [dP dQ _] _ IH].
by split; apply: distribution_pair => // y; case: (IH y).
Qed.

Lemma no_failure (Y : finType) (p P : Y -> R) : distribution p -> distribution P ->
  (forall y, (1 - 0) * p y <= P y) -> p = P.
Proof.
move=> [_ p1] [_ P1] le; have le' y : 0 <= P y - p y by have := le y; rewrite subr0 mul1r subr_ge0.
have z : \sum_y (P y - p y) == 0 by rewrite sumrB p1 P1 subrr.
apply: functional_extensionality => y; apply/esym/eqP; rewrite -subr_eq0.
by move: z; rewrite psumr_eq0 // => /allP/(_ y (mem_index_enum y)).
Qed.

Lemma answers_surely s (Y : finType) (P Q : Y -> R) : answers m s 0 P Q -> close m s P Q.
Proof.
case=> dP dQ [p [q [c h]]]; have [dp dq _] := c.
have <- : p = P by apply: no_failure => // y; case: (h y).
by have <- : q = Q by apply: no_failure => // y; case: (h y).
Qed.

Lemma close_answers s (Y : finType) (P Q : Y -> R) : close m s P Q -> answers m s 0 P Q.
Proof. by move=> c; have [dP dQ _] := c; split=> //; exists P, Q; split=> // y; rewrite subr0 !mul1r. Qed.

Theorem interaction_apart B D (Y : finType) (P Q : Y -> R) : interaction m B D P Q -> 0 <= D <= 1 ->
  exists P' Q', interaction m B 0 P' Q' /\ forall y, (1 - D) * P' y <= P y /\ (1 - D) * Q' y <= Q y.
Proof.
elim=> {B D Y P Q} [B D Y P dP|B D s d Y Z P Q P2 Q2 sB /andP[d0 dD] [_ _ [p [q [c pq]]]] _ IH]
    /andP[D0 D1].
  have [P0 _] := dP; exists P, P; split=> [|y]; first exact: Stops.
  by split; rewrite ler_pimull // ler_subl_addr ler_addl.
have D' : 0 <= D - d <= 1 by rewrite subr_ge0 dD ler_subl_addr (le_trans D1) // ler_addl.
have /fin_all_exists[F HF] y : exists F : (Z -> R) * (Z -> R), interaction m (B - s) 0 F.1 F.2 /\
    forall z, (1 - (D - d)) * F.1 z <= P2 y z /\ (1 - (D - d)) * F.2 z <= Q2 y z.
  by have [P' [Q' H]] := IH y D'; exists (P', Q').
have [[p0 _] [q0 _] _] := c.
exists (fun t => p t.1 * (F t.1).1 t.2), (fun t => q t.1 * (F t.1).2 t.2); split.
  apply: (@Spends m B 0 s 0 _ _ p q (fun y => (F y).1) (fun y => (F y).2)); rewrite ?lexx //.
    exact: close_answers.
  by move=> y; rewrite subr0; case: (HF y).
move=> [y z] /=; have [C /(_ z)[Pz Qz]] := HF y; have [Py Qy] := pq y.
have [[F1 _] [F2 _]] := interaction_distribution C.
have le : 1 - D <= (1 - d) * (1 - (D - d)).
  have -> : (1 - d) * (1 - (D - d)) = 1 - D + d * (D - d) by ring.
  by rewrite ler_addl mulr_ge0 // subr_ge0.
have d1 : 0 <= 1 - d by rewrite subr_ge0 (le_trans dD).
have D1' : 0 <= 1 - (D - d) by case/andP: D' => _; rewrite subr_ge0.
by split; [apply: le_trans (_ : _ <= (1 - d) * (1 - (D - d)) * (p y * (F y).1 z)) _
          |apply: le_trans (_ : _ <= (1 - d) * (1 - (D - d)) * (q y * (F y).2 z)) _];
  rewrite ?ler_wpmul2r ?mulr_ge0 // mulrACA ler_pmul // mulr_ge0.
Qed.

(** Induction over the tree of an interaction without failures. *)
Lemma interaction_surely (K : R -> forall Y : finType, (Y -> R) -> (Y -> R) -> Prop) :
  (forall B (Y : finType) (P : Y -> R), 0 <= B -> distribution P -> K B Y P P) ->
  (forall B s (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R), 0 <= s <= B -> close m s P Q ->
     (forall y, distribution (P' y) /\ distribution (Q' y)) -> (forall y, K (B - s) Z (P' y) (Q' y)) ->
     K B (prod_finType Y Z) (fun p => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2)) ->
  forall B (Y : finType) (P Q : Y -> R), 0 <= B -> interaction m B 0 P Q -> K B Y P Q.
Proof.
move=> stop spend.
suff h B D (Y : finType) (P Q : Y -> R) : interaction m B D P Q -> D = 0 -> 0 <= B -> K B Y P Q.
  by move=> B Y P Q B0 C; exact: h C erefl B0.
elim=> {B D Y P Q} [B D Y P dP _ B0|B D s d Y Z P Q P' Q' sB /andP[d0 dD] a C IH D0 B0].
  exact: stop.
have d00 : d = 0 by apply/eqP; rewrite eq_le d0 andbT -D0.
rewrite d00 in a IH C; apply: (spend B s) => // [|y|y]; first exact: answers_surely.
  exact: interaction_distribution (C y).
by apply: IH; rewrite ?D0 ?subrr //; case/andP: sB => _; rewrite subr_ge0.
Qed.
End Interactions.

(** Pure losses add up (Rogers, Roth, Ullman & Vadhan 2016). *)
Theorem pure_filter B (Y : finType) (P Q : Y -> R) : 0 <= B -> interaction OfEpsilon B 0 P Q ->
  forall y, P y <= exp B * Q y.
Proof.
move: B Y P Q; apply: interaction_surely => [B Y P B0 [P0 _] y|B s Y Z P Q P' Q' _ [[P0 _] _ h] d IH [y z]] /=.
  by rewrite ler_pemull // exp_ge1.
have [[P'0 _] _] := d y; have [Py _] := h y.
have -> : exp B * (Q y * Q' y z) = exp s * Q y * (exp (B - s) * Q' y z).
  by rewrite mulrACA -expD addrC subrK.
by rewrite ler_pmul // IH.
Qed.

(** The moments of one order multiply, if a size s bounds their logarithm by c s (Feldman & Zrnic
    2021). *)
Theorem moment_filter m a c B (Y : finType) (P Q : Y -> R) : 1 < a -> 0 <= c ->
  (forall s (Z : finType) (p q : Z -> R), close m s p q -> moment_at_most a (exp (c * s)) p q) ->
  0 <= B -> interaction m B 0 P Q -> moment_at_most a (exp (c * B)) P Q.
Proof.
move=> a1 c0 h; move: B Y P Q.
apply: interaction_surely => [B Y P B0 dP|B s Y Z P Q P' Q' _ cl d IH].
  have [s le] := moment_self a dP; split=> //; apply: le_trans le _.
  by rewrite exp_ge1 mulr_ge0.
have -> : c * B = c * s + c * (B - s) by rewrite -mulrDr addrC subrK.
have [dP dQ _] := cl; rewrite expD; apply: moment_pair => //; try by move=> y; case: (d y).
- exact: ltW (exp_gt0 _).
- exact: h.
Qed.

(** A budget of rho, spent, is one mechanism with that rho. *)
Theorem concentrated_filter B (Y : finType) (P Q : Y -> R) : 0 <= B -> interaction OfRho B 0 P Q ->
  satisfies G (Concentrated B) P Q.
Proof.
move=> B0 C; have [dP dQ] := interaction_distribution C; split=> // a a1.
have c0 : 0 <= a * (a - 1) by rewrite mulr_ge0 ?subr_ge0 ?ltW // (lt_trans ltr01).
have one s (Z : finType) (p q : Z -> R) : close OfRho s p q ->
    moment_at_most a (exp (a * (a - 1) * s)) p q.
  by case=> _ _ /(_ a a1)[].
by split; apply: (moment_filter a1 c0 one B0) => //; exact: interaction_sym.
Qed.

(** Two mechanisms, the second chosen after the first has answered. *)
Lemma gaussian_pair s t (Y Z : finType) (P Q : Y -> R) (P' Q' : Y -> Z -> R) epsilon :
  gaussian_composes -> 0 <= s -> 0 <= t ->
  satisfies G (Gaussian (sqrt s)) P Q -> (forall y, satisfies G (Gaussian (sqrt t)) (P' y) (Q' y)) ->
  hockey_stick 1 (exp epsilon) (fun p : Y * Z => P p.1 * P' p.1 p.2) (fun p => Q p.1 * Q' p.1 p.2)
    <= G (sqrt (s + t)) epsilon.
Proof.
move=> composes /RleP s0 /RleP t0 h h'; pose ns := [:: Gaussian (sqrt s); Gaussian (sqrt t)].
have C y : mixed_composition G [:: Gaussian (sqrt t)] (fun p : Z * unit => P' y p.1 * 1) (fun p => Q' y p.1 * 1).
  exact: (@MixedCons G _ _ _ _ _ _ (fun _ _ => 1) (fun _ _ => 1) (h' y) (fun=> MixedNil G)).
have W : all proper_notion ns by rewrite /= !andbT; apply/andP; split; apply/RleP/sqrt_pos.
have := composes ns _ _ _ epsilon W erefl (@MixedCons G _ _ _ _ _ _ _ _ h C).
have -> : total_mu square ns = sqrt (s + t).
  rewrite /total_mu /ns !big_cons big_nil addr0 /=; congr sqrt.
  by rewrite -!RpowE; congr (_ + _); exact: pow2_sqrt.
have -> : mean_profile (sqrt (s + t)) (epsilons_of ns) epsilon = G (sqrt (s + t)) epsilon.
  by rewrite /mean_profile /= mul1r; congr G; rewrite divr1 ln_1 subr0.
apply: le_trans.
rewrite /hockey_stick -(pair_bigA _ (fun y z => pos (1 * (P y * P' y z) - exp epsilon * (Q y * Q' y z)))) /=.
rewrite -(pair_bigA _ (fun y (t : Z * unit) =>
  pos (1 * (P y * (P' y t.1 * 1)) - exp epsilon * (Q y * (Q' y t.1 * 1))))) /=.
apply: ler_sum => y _.
rewrite -(pair_bigA _ (fun z (_ : unit) => pos (1 * (P y * (P' y z * 1)) - exp epsilon * (Q y * (Q' y z * 1))))) /=.
by apply: ler_sum => z _; rewrite big_const card_unit /= addr0 !mulr1.
Qed.

Lemma same_law mu (Y : finType) (P : Y -> R) e : distribution P ->
  indistinguishable (exp e) (G mu e) P P.
Proof.
move=> [P0 P1]; suff h : hockey_stick 1 (exp e) P P <= G mu e by split; apply/events_hockey_stick.
apply: (@le_trans _ _ (pos (1 - exp e))).
  rewrite /hockey_stick; under eq_bigr do rewrite -mulrBl mulrC posM //.
  by rewrite -mulr_suml P1 mul1r.
apply: pos_le; last exact: G_ge0.
rewrite /G; case: ifP => [/RltP m0|_]; last exact: le_pos.
exact/RleP/Rlt_le/ProfileOfMu.profile_of_equals.
Qed.

(** A budget of mu^2, spent, is one mechanism with that mu (Smith & Thakurta 2022; Koskela,
    Tobaben & Honkela 2023), if two mechanisms with mus fixed in advance compose. *)
Theorem gaussian_filter B (Y : finType) (P Q : Y -> R) : gaussian_composes -> 0 <= B ->
  interaction OfMu B 0 P Q -> satisfies G (Gaussian (sqrt B)) P Q.
Proof.
move=> composes; move: B Y P Q.
apply: interaction_surely => [B Y P _ dP|B s Y Z P Q P' Q' /andP[s0 sB] [dP dQ cl] d IH].
  by split=> // e; exact: same_law.
have dPP : distribution (fun p : Y * Z => P p.1 * P' p.1 p.2).
  by apply: distribution_pair => // y; case: (d y).
have dQQ : distribution (fun p : Y * Z => Q p.1 * Q' p.1 p.2).
  by apply: distribution_pair => // y; case: (d y).
split=> // e; have -> : B = s + (B - s) by rewrite addrC subrK.
have t0 : 0 <= B - s by rewrite subr_ge0.
by split; apply/events_hockey_stick; apply: gaussian_pair => // [|y]; apply: satisfies_sym => //; exact: IH.
Qed.
