(** 11.13 [gaussian-mesh].

    From above: beside Gaussian mechanisms an atom (p, q) counts p G(epsilon - ln(p/q)), which is
    convex ([weighted_convex]), so that what is split between the multiples of a mesh does not
    fall.  From below: mechanisms with a smaller epsilon are mechanisms with these. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Composition OptComp Losses Bracket Reals.
From ExactDP Require Import Rules RulesFixedPoint Notions Failures RulesGaussian RulesMixture.
From ExactDP Require Leaves RulesBracket.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Weighted.
Variables (mu epsilon : R).

(** The loss of an atom with q = 0 is infinite, and G is 1. *)
Definition weighted (p q : R) : R := (if 0 < q then p * G mu (epsilon - ln (p / q)%R) else p)%R.
Arguments weighted _%R _%R.

Lemma weighted_tangent k e0 p q : 0 <= k -> G mu e0 + k * exp e0 <= 1 ->
  (forall e, G mu e0 - k * (exp e - exp e0) <= G mu e) -> 0 <= p -> 0 <= q ->
  p * (G mu e0 + k * exp e0) - k * (exp epsilon * q) <= weighted p q.
Proof.
move=> k0 one tangent p0 q0; rewrite /weighted; case: ltrP => [qp|q0']; last first.
  have -> : q = 0 by apply/eqP; rewrite eq_le q0' q0.
  by rewrite !mulr0 subr0 ler_pimulr.
move: p0; rewrite le_eqVlt => /orP[/eqP <-|p0].
  by rewrite !mul0r sub0r oppr_le0 !mulr_ge0 ?(ltW (exp_gt0 _)).
have -> : p * (G mu e0 + k * exp e0) - k * (exp epsilon * q) =
    p * (G mu e0 - k * (exp (epsilon - ln (p / q)%R) - exp e0)).
  rewrite expD expN exp_ln; last by apply/RltP; rewrite divr_gt0.
  by field; rewrite !gt_eqF.
by rewrite ler_wpmul2l // ltW.
Qed.

Lemma weighted_convex : convex weighted.
Proof.
move=> p p' q q' q'' p0 p'0 q0 q'0 le.
have q''0 : 0 <= q'' by apply: le_trans le; rewrite addr_ge0.
rewrite [weighted (p + p') q'']/weighted; case: ltrP => [qp|q0'']; last first.
  have : q + q' == 0 by rewrite eq_le (le_trans le q0'') addr_ge0.
  by rewrite paddr_eq0 // => /andP[/eqP -> /eqP ->]; rewrite /weighted ltxx.
have pp0 : 0 <= p + p' by rewrite addr_ge0.
have weighted0 a b : 0 <= a -> 0 <= weighted a b.
  by move=> a0; rewrite /weighted; case: ifP => // _; rewrite mulr_ge0 ?G_ge0.
move: (pp0); rewrite le_eqVlt => /orP[/eqP <-|pp].
  by rewrite mul0r addr_ge0 ?weighted0.
set e0 := epsilon - ln ((p + p') / q'')%R.
have [k [k0 one tangent]] := G_tangent mu e0.
have E0 : exp e0 = exp epsilon * q'' / (p + p').
  by rewrite /e0 expD expN exp_ln ?invf_div ?mulrA //; apply/RltP; rewrite divr_gt0.
apply: le_trans (ler_add (weighted_tangent k0 one tangent p0 q0) (weighted_tangent k0 one tangent p'0 q'0)).
have -> : (p + p') * G mu e0 = (p + p') * (G mu e0 + k * exp e0) - k * (exp epsilon * q'').
  by rewrite E0; field; rewrite gt_eqF.
have -> : p * (G mu e0 + k * exp e0) - k * (exp epsilon * q) +
    (p' * (G mu e0 + k * exp e0) - k * (exp epsilon * q')) =
    (p + p') * (G mu e0 + k * exp e0) - k * (exp epsilon * (q + q')) by ring.
by rewrite ler_add2l ler_opp2 ler_wpmul2l // ler_wpmul2l // ltW // exp_gt0.
Qed.

Lemma weighted_homogeneous : Leaves.homogeneous (fun p q _ => weighted p q).
Proof.
move=> [|n] p q _; first by rewrite !mul0r /weighted ltxx.
have n0 : 0 < n.+1%:R :> R by rewrite ltr0n.
rewrite /weighted pmulr_rgt0 //; case: ltrP => // qp.
by rewrite -mulrA -mulf_div divff ?mul1r // gt_eqF.
Qed.

Lemma mean_weighted xs : mean_profile mu xs epsilon =
  total forget tt (responses xs) (fun p q _ => weighted p q).
Proof. by apply: eq_total_gt0 => p q p0 q0; rewrite /weighted q0. Qed.

Lemma mean_without_zeros xs : mean_profile mu [seq x <- xs | x != 0] epsilon = mean_profile mu xs epsilon.
Proof.
have h : forall e, mean_profile mu [seq x <- xs | x != 0] e = mean_profile mu xs e; last exact: h.
elim: xs => //= x xs IH e; case: eqVneq => [->|_]; first by rewrite mean_zero.
by rewrite !mean_cons !IH.
Qed.

(** Whatever tells outcomes apart. *)
Lemma total_forgotten (l : seq (R * Z)) (F : R -> R -> R) :
  total +%R 0 [seq rr_atoms (exp x.1) x.2 (- x.2) | x <- l] (fun p q _ => F p q) =
  total forget tt (responses [seq x.1 | x <- l]) (fun p q _ => F p q).
Proof.
elim: l F => //= x l IH F; rewrite !big_cons !big_nil /=; congr (_ + (_ + _)).
  exact: (IH (fun p q => F (exp x.1 / (1 + exp x.1) * p) (1 / (1 + exp x.1) * q))).
exact: (IH (fun p q => F (1 / (1 + exp x.1) * p) (exp x.1 / (1 + exp x.1) * q))).
Qed.
End Weighted.

Section Mesh.
Variables (ns : seq notion) (epsilon delta : R) (leaves : seq (seq Leaves.group)).
Hypothesis P : all proper_notion ns.
Hypothesis partition : perm_eq
  [seq x <- Leaves.epsilons_of (flatten leaves) | x != 0] [seq x <- epsilons_of ns | x != 0].

Lemma mean_leaves mu : mean_profile mu (epsilons_of ns) epsilon =
  total +%R 0 [seq Leaves.atoms_of leaf | leaf <- leaves] (fun p q _ => weighted mu epsilon p q).
Proof.
rewrite -mean_without_zeros -(mean_profile_permutation _ _ partition) mean_without_zeros mean_weighted.
rewrite Leaves.leaves_total; last exact: weighted_homogeneous.
pose l := flatten [seq nseq g.1.2 (g.1.1, g.2) | g <- flatten leaves].
have -> : Leaves.epsilons_of (flatten leaves) = [seq x.1 | x <- l].
  by rewrite /Leaves.epsilons_of /l map_flatten -map_comp; congr flatten; apply: eq_map => g /=;
     rewrite map_nseq.
rewrite -total_forgotten; congr total.
by rewrite /Leaves.responses /l map_flatten -map_comp; congr flatten; apply: eq_map => g /=;
   rewrite map_nseq.
Qed.

Variables (u : R) (cells : seq (seq (R * R * Z))).
Hypothesis splits : List.Forall2 (fun leaf l => scattered (Leaves.atoms_of leaf) l) leaves cells.
Hypothesis cells_ge0 : nonnegative cells.
Hypothesis on_mesh : all (all (fun x : R * R * Z => x.1.2 == x.1.1 * exp (- (u * IZR x.2)))) cells.

Lemma total_on_mesh (F : R -> R -> R) : total +%R 0 cells (fun p q _ => F p q) =
  total +%R 0 cells (fun p _ j => F p (p * exp (- (u * IZR j)))).
Proof.
elim: cells on_mesh F => [_ F|l ls IH /= /andP[/allP h /IH{}IH] F] /=.
  by rewrite mulr0 oppr0 exp_0 mulr1.
rewrite !big_seq; apply: eq_bigr => x /h/eqP e.
rewrite (IH (fun p q => F (x.1.1 * p) (x.1.2 * q))); apply: eq_total => p _ j; congr F.
by rewrite e IZRD mulrDr opprD expD mulrACA.
Qed.

Variables (r : seq Z) (S B dlo : Z) (w g : Z -> Z).
Hypotheses (U : uniq r) (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : {in r, forall j, Z.le 0 (w j)}.
Hypothesis below : {in r, forall j, IZR (w j) <= IZR S * weight +%R 0 cells j}.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma rule_gaussian_mesh_mean :
  {in r, forall j, IZR B * G (total_mu square ns) (epsilon - u * IZR j) <= IZR (g j)} ->
  IZR dlo <= IZR B * mixed_slack ns delta ->
  Z.le (zsum [seq (w j * g j)%coqZ | j <- r] + lost S w r * B) (dlo * S) ->
  mean_profile (total_mu square ns) (epsilons_of ns) epsilon <= mixed_slack ns delta.
Proof.
move=> gB d /Z.leb_le; rewrite -IZR_le_iff IZRD !IZRM IZR_zsum big_map => check.
set mu := total_mu square ns in gB *; rewrite mean_leaves.
apply: le_trans (RulesBracket.cells_convex splits cells_ge0 (weighted_convex mu epsilon)) _.
have -> : total +%R 0 cells (fun p q _ => weighted mu epsilon p q) =
    total +%R 0 cells (fun p _ j => p * G mu (epsilon - u * IZR j)%R).
  rewrite total_on_mesh; apply: eq_total_ge0 => // p _ j p0 _; rewrite /weighted.
  move: p0; rewrite le_eqVlt => /orP[/eqP <-|p0]; first by rewrite !mul0r ltxx.
  rewrite mulr_gt0 ?exp_gt0 //; congr (_ * G _ (_ - _)).
  by rewrite invfM mulrA divff ?gt_eqF // mul1r expN invrK; exact: ln_exp.
have G1 j : G mu (epsilon - u * IZR j)%R <= 1 by exact: G_le1.
have h := table_upper cells_ge0 U below (ltW S0') G1 (RulesBracket.cells_sum splits cells_ge0).
rewrite -(ler_pmul2l S0') -(ler_pmul2l B0'); apply: (le_trans (ler_wpmul2l (ltW B0') h)).
have -> : IZR B * (IZR S * mixed_slack ns delta) = IZR B * mixed_slack ns delta * IZR S by rewrite mulrAC mulrA.
apply: le_trans (ler_wpmul2r (ltW S0') d); apply: le_trans check.
rewrite mulrDr /lost IZRB IZR_zsum big_map [IZR B * (_ - _)]mulrC ler_add2r mulr_sumr.
rewrite big_seq [X in _ <= X]big_seq; apply: ler_sum => j jr; rewrite IZRM mulrCA ler_wpmul2l ?gB //.
by rewrite (IZR_le_iff Z0); apply/Z.leb_le/w0.
Qed.

Theorem rule_gaussian_mesh_upper : gaussian_composes -> all (fun n => ~~ concentrated n) ns ->
  {in r, forall j, IZR B * G (total_mu square ns) (epsilon - u * IZR j) <= IZR (g j)} ->
  IZR dlo <= IZR B * mixed_slack ns delta ->
  Z.le (zsum [seq (w j * g j)%coqZ | j <- r] + lost S w r * B) (dlo * S) ->
  mixed_upper G ns epsilon delta.
Proof. by move=> composes none gB d check; apply: upper_of_mean => //; exact: rule_gaussian_mesh_mean gB d check. Qed.
End Mesh.

(** A notion that is no weaker: the same, or with a smaller epsilon. *)
Definition no_weaker (n n' : notion) : Prop :=
  match n, n' with
  | Approximate e d, Approximate e' d' => e <= e' /\ d = d'
  | _, _ => n = n'
  end.

Lemma composition_no_weaker g ns ns' (Y : finType) (P Q : Y -> R) : List.Forall2 no_weaker ns ns' ->
  mixed_composition g ns P Q -> mixed_composition g ns' P Q.
Proof.
move=> H C; elim: C ns' H => {ns Y P Q} [|n ns Y Z P Q P' Q' [dP dQ s] _ IH] ns' H.
  by inversion H; exact: MixedNil.
inversion H as [|n0 n' ns0 ns1 w W]; subst; apply: MixedCons => [|y]; last exact: IH.
split=> //; case: n n' w s {H} => [e d|mu|rho] [e' d'|mu'|rho'] //= w.
- case: w => le <- [h1 h2]; have E : exp e <= exp e' by rewrite exp_le.
  have [[Q0 _] [P0 _]] := (dQ, dP).
  split=> S; [apply: le_trans (h1 S) _|apply: le_trans (h2 S) _]; rewrite ler_add2r;
    by rewrite ler_wpmul2r // sumr_ge0.
- by case: w => <-.
- by case: w => <-.
Qed.

Lemma lower_no_weaker g ns ns' epsilon delta : List.Forall2 no_weaker ns ns' ->
  mixed_lower g ns epsilon delta -> mixed_lower g ns' epsilon delta.
Proof.
move=> H [ns1 [p [Y [P [Q [C n]]]]]]; have [ns2 [p' H']] := Permutation_Forall2 p H.
exists ns2; split=> //; exists Y, P, Q; split=> //; exact: composition_no_weaker H' C.
Qed.

Section Grid.
Variables (ns ns' : seq notion) (epsilon delta u : R) (a : seq nat) (M : nat) (S B dhi : Z) (w g : nat -> Z).
Hypotheses (P : all proper_notion ns) (finer : List.Forall2 no_weaker ns ns').
Hypothesis multiples : epsilons_of ns = [seq u *+ n | n <- a].
Hypotheses (S0 : Z.lt 0 S) (B0 : Z.lt 0 B).
Hypothesis w0 : forall s, (s < M)%N -> Z.le 0 (w s).
Hypothesis below : forall s, (s < M)%N -> IZR (w s) <= IZR S * grid_weight u a s.
Let S0' : 0 < IZR S. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let B0' : 0 < IZR B. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Theorem rule_gaussian_mesh_lower : gaussian_attains ->
  (forall s, (s < M)%N ->
     IZR (g s) <= IZR B * G (total_mu square_below ns) (epsilon - (u *+ sumn a - u *+ s *+ 2))) ->
  IZR B * mixed_slack ns delta <= IZR dhi ->
  Z.lt (dhi * S) (zsum [seq (w s * g s)%coqZ | s <- iota 0 M]) ->
  mixed_lower G ns' epsilon delta.
Proof.
move=> attains gB d /Z.ltb_lt; rewrite -IZR_lt_iff IZRM IZR_zsum big_map => check.
apply: (lower_no_weaker finer); apply: attains => //; set mu := total_mu _ _ in gB *.
rewrite multiples (mean_by_keys mu epsilon (op := addn) (e := 0%N) (value := fun s => u *+ s) a (mulr0n u) (mulrnDr u)).
have lossE s : loss (fun s => u *+ s) a s = u *+ sumn a - u *+ s *+ 2.
  by rewrite /loss sumnE -sumrMnr.
under eq_total do rewrite lossE.
rewrite -(ltr_pmul2l S0') -(ltr_pmul2l B0').
have ge0 : nonnegative (keyed 0%N (fun s => u *+ s) a) := atoms_ge0 _ _ _.
have bel s : s \in iota 0 M -> IZR (w s) <= IZR S * weight addn 0%N (keyed 0%N (fun s => u *+ s) a) s.
  by rewrite mem_iota => /below.
have f0 s : 0 <= G mu (epsilon - (u *+ sumn a - u *+ s *+ 2)) by exact: G_ge0.
have h := table_lower ge0 (iota_uniq 0 M) f0 bel (ltW S0').
apply: lt_le_trans (ler_wpmul2l (ltW B0') h).
apply: (@le_lt_trans _ _ (IZR dhi * IZR S)); first by rewrite mulrCA mulrC ler_wpmul2r // ltW.
apply: lt_le_trans check _; rewrite mulr_sumr !big_seq.
apply: ler_sum => s; rewrite mem_iota => sM; rewrite IZRM mulrCA ler_wpmul2l ?gB //.
by rewrite (IZR_le_iff Z0); apply/Z.leb_le/w0.
Qed.
End Grid.
