(** The verified checker: the table of a mechanism that meets several constraints (SPEC, 7.4).

    A table is found as the specification says, with e^epsilon rounded up for a bound from above and down for
    one from below where it is not rational at sight.  Nothing is proved of how it is found: that it
    dominates whatever meets the constraints, or meets them itself, is checked ([is_above], [is_below]). *)
From Coq Require Import Ascii String Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions Moments Ratios Enclosures EnclosuresOfNumbers CheckerClosed CheckerNoise.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems.
From ExactDP Require Import NoiseLedgers Constraints CertificateNoise CertificateConstraints CertificateSubjects.
From ExactDP Require Import CertificateSources CertificateNoiseRules Plan PlanProblem Claims.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- how a table is found --- *)

(** An e^epsilon and a delta, or what stands for them. *)
Definition point := (ratio * ratio)%type.

Definition finely : Z := 160.
Definition odds_of_log (t : ratio * ratio) : option ratio :=
  if Z.leb 0 t.1.1 then Some ((t.2.1 ^ t.1.1)%coqZ, Z.to_pos (Zpos t.2.2 ^ t.1.1)) else
  if Z.ltb 0 t.2.1 then Some ((Zpos t.2.2 ^ - t.1.1)%coqZ, Z.to_pos (t.2.1 ^ - t.1.1)) else None.
Definition bits_at_sight (n : number) : Z :=
  foldr (fun t b => (Z.abs t.1.1 * bits_of t.2 + b)%coqZ) Z0 (logs n).
Definition is_rational_odds (n : number) : bool :=
  [&& Z.eqb (constant n).1 0, all (fun t => Pos.eqb t.1.2 1) (logs n) & Z.leb (bits_at_sight n) most_constraint_bits].
Definition odds_for (upward : bool) (n : number) : option ratio :=
  if is_rational_odds n then
    foldr (fun t y => if (odds_of_log t, y) is (Some x, Some y) then Some (rmul x y) else None) (Some Ratios.one) (logs n)
  else if numbering_of [:: n] is Planned k then
    if number_enclosure k finely (logarithms finely (table_in_use k)) n is Some e then
      if exponential finely e is Some x then Some (reduced (if upward then x.2 else x.1) (2 ^ finely)) else None
    else None
  else None.
Definition point_for (upward : bool) (c : number * ratio) : option point :=
  if odds_for upward c.1 is Some y then Some (y, c.2) else None.

(** Of points at the same odds, the least. *)
Fixpoint apart (ps : seq point) : seq point :=
  if ps is p :: ps' then
    if apart ps' is r :: rest then
      if rle r.1 p.1 then (r.1, if rle p.2 r.2 then p.2 else r.2) :: rest else p :: r :: rest
    else [:: p]
  else [::].

Definition steepness (p r : point) : ratio := rdiv (rsub p.2 r.2) (rsub r.1 p.1).
Definition inwards (p : point) : ratio := rdiv (rsub Ratios.one p.2) (radd Ratios.one p.1).

(** The vertices of the hull, from the innermost out, each with how steep the hull is beyond it. *)
Fixpoint pushed (p : point) (stack : seq (point * ratio)) : seq (point * ratio) :=
  if stack is (v, beyond) :: rest then
    let s := steepness p v in
    if rle s beyond then pushed p rest else (p, s) :: stack
  else [:: (p, Ratios.zero)].
Fixpoint turning (stack : seq (point * ratio)) : seq (point * ratio) :=
  if stack is (v, beyond) :: (_ :: _) as rest then if rle (inwards v) beyond then turning rest else stack else stack.
Fixpoint rows_from (before : ratio) (stack : seq (point * ratio)) : table :=
  if stack is (v, beyond) :: rest then
    let q := rsub before beyond in
    let p := rmul v.1 q in
    (p, q) :: (q, p) :: rows_from beyond rest
  else [::].

Definition table_of_points (ps : seq point) : table :=
  let stack := turning (foldr pushed [::] (apart ps)) in
  if stack is (v, _) :: _ then
    let failing := (last (v, Ratios.zero) stack).1.2 in
    rows_from (inwards v) stack ++
    (if Z.ltb 0 failing.1 then [:: (failing, Ratios.zero); (Ratios.zero, failing)] else [::])
  else [::].

(** --- what is checked of it --- *)

Definition part_above_0 (x : ratio) : ratio := if Z.ltb 0 x.1 then x else Ratios.zero.
Definition profile_at (y : ratio) (t : table) : ratio := total [seq part_above_0 (rsub x.1 (rmul y x.2)) | x <- t].
Definition exchanged (t : table) : table := [seq (x.2, x.1) | x <- t].
Definition log_of (y : ratio) : number :=
  if req y Ratios.one then Number Ratios.zero [::] else Number Ratios.zero [:: (Ratios.one, y)].
Definition above_zero (y : ratio) : bool := Z.ltb 0 y.1.

(** That no constraints leave more than the table has at the odds of a row. *)
Definition row_above (cs : constraints) (t : table) (x : ratio * ratio) : bool :=
  if above_zero x.1 && above_zero x.2 then
    let y := rdiv x.1 x.2 in
    let z := rdiv x.2 x.1 in
    let h := profile_at y t in
    has (fun c => (rle c.2 h && at_most c.1 (log_of y)) ||
                  (rle (rsub Ratios.one (rmul y (rsub Ratios.one c.2))) h && at_most c.1 (log_of z))) cs
  else true.
Definition is_law_pair (t : table) : bool := is_law (unzip1 t) && is_law (unzip2 t).
Definition is_above (cs : constraints) (t : table) : bool :=
  [&& is_law_pair t, all (row_above cs t) t & all (row_above cs (exchanged t)) (exchanged t)].

(** That the table meets the constraints, at odds that are none above theirs. *)
Definition is_below (ys : seq ratio) (cs : constraints) (t : table) : bool :=
  is_law_pair t && all (fun c => has (fun y =>
    [&& above_zero y, rle (profile_at y t) c.2, rle (profile_at y (exchanged t)) c.2 & at_most (log_of y) c.1]) ys) cs.

Definition rises (cs : constraints) : bool :=
  let es := unzip1 cs in
  [&& all (fun e => at_most (Number Ratios.zero [::]) e && at_most e (Number (1000%coqZ, xH) [::])) es &
      all (fun p => at_most p.1 p.2 && ~~ at_most p.2 p.1) (zip es (behead es))].

Definition table_for (k : kind) (c : constraints * Z) : option (table * Z) :=
  let upward := if k is Upper then true else false in
  if read_all (point_for upward) c.1 is Some ps then
    let t := table_of_points ps in
    if if upward then is_above c.1 t else is_below (unzip1 ps) c.1 t then Some (t, c.2) else None
  else None.
Definition beside_tables (N : noise_ledger) (ts : seq (table * Z)) : noise_ledger :=
  NoiseLedger (others N) (shifted N) (laplaced N) (ranged N) (divergent N) (ts ++ tabled N) (samples N) (bells N) (batched N).

Definition check_constrained (b : bound) (cs : seq (constraints * Z)) (N : noise_ledger) (names : seq string)
    (h : noise_hint) : bool :=
  if all (fun c => rises c.1) cs then
    if read_all (table_for (bound_kind b)) cs is Some ts then check_noise b (beside_tables N ts) names h else false
  else false.

(** --- that it is sound --- *)

Lemma value_of_log y : above_zero y -> value_of (log_of y) = ln (of_ratio y).
Proof.
move=> y0; rewrite /value_of /log_of; case: ifP => [/of_req ->|_] /=.
  by rewrite big_nil of_zero of_one Rpower.ln_1; exact: addr0.
rewrite big_cons big_nil of_zero of_one; change ((0 : R) + (1 * ln (of_ratio y) + 0) = ln (of_ratio y)).
by rewrite add0r addr0 mul1r.
Qed.

Lemma above_zeroP y : above_zero y -> 0 < of_ratio y.
Proof. by move=> y0; rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r. Qed.

Lemma of_part_above_0 x : of_ratio (part_above_0 x) = pos (of_ratio x).
Proof.
rewrite /part_above_0; case: ifP => [/above_zeroP x0|n]; first by rewrite pos_id // ltW.
rewrite of_zero pos_0 //; rewrite leNgt; apply/negP => x0; move: n.
by move: x0; rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r => ->.
Qed.

Lemma profile_atP y t : of_ratio (profile_at y t) =
  hockey_stick 1 (of_ratio y) (@law_with (real_table t)) (@law_without (real_table t)).
Proof.
rewrite /profile_at of_total big_map /hockey_stick /law_with /law_without.
rewrite -(big_tnth _ _ (real_table t) xpredT (fun x => pos (1 * x.1 - of_ratio y * x.2))) big_map.
by apply: eq_bigr => x _; rewrite of_part_above_0 of_rsub of_rmul mul1r.
Qed.

Lemma profile_at_exchanged y t : of_ratio (profile_at y (exchanged t)) =
  hockey_stick 1 (of_ratio y) (@law_without (real_table t)) (@law_with (real_table t)).
Proof.
rewrite /profile_at of_total big_map /hockey_stick /law_with /law_without.
rewrite -(big_tnth _ _ (real_table t) xpredT (fun x => pos (1 * x.2 - of_ratio y * x.1))) !big_map.
by apply: eq_bigr => x _ /=; rewrite of_part_above_0 of_rsub of_rmul mul1r.
Qed.

Lemma law_pairP t : is_law_pair t ->
  distribution (@law_with (real_table t)) /\ distribution (@law_without (real_table t)).
Proof.
case/andP=> /is_lawP p /is_lawP q; split.
  apply: (@law_distribution (real_table t) fst); rewrite /real_table -map_comp.
  by move: p; rewrite /unzip1 -map_comp.
apply: (@law_distribution (real_table t) snd); rewrite /real_table -map_comp.
by move: q; rewrite /unzip2 -map_comp.
Qed.

Lemma exp_of_log e y : above_zero y -> at_most e (log_of y) -> exp (value_of e) <= of_ratio y.
Proof. by move=> y0 /at_most_sound; rewrite value_of_log // => le; rewrite -(lnK (above_zeroP y0)) exp_le. Qed.
Lemma log_of_exp e y : above_zero y -> at_most (log_of y) e -> of_ratio y <= exp (value_of e).
Proof. by move=> y0 /at_most_sound; rewrite value_of_log // => le; rewrite -(lnK (above_zeroP y0)) exp_le. Qed.

Lemma quotient_above_zero x y : above_zero x -> above_zero y -> above_zero (rdiv x y).
Proof.
move=> x0 y0; have : 0 < of_ratio (rdiv x y).
  by rewrite of_rdiv; [exact: divr_gt0 (above_zeroP x0) (above_zeroP y0)|exact/Z.ltb_lt].
by rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r.
Qed.

Lemma in_constraints cs c : List.In c cs -> (value_of c.1, of_ratio c.2) \in real_constraints cs.
Proof.
elim: cs => //= d cs IH [->|/IH h]; first by rewrite inE eqxx.
by rewrite inE h orbT.
Qed.

Lemma has_In (A : Type) (p : pred A) s : has p s -> exists2 x, List.In x s & p x.
Proof. by elim: s => //= x s IH /orP[h|/IH[y ys py]]; [exists x; [left|]|exists y; [right|]]. Qed.
Lemma all_In (A : Type) (p : pred A) s x : all p s -> List.In x s -> p x.
Proof. by elim: s => //= y s IH /andP[py /IH h] [<-|]. Qed.

Section Above.
Variables (cs : constraints) (Y : finType) (P Q : Y -> R).
Hypothesis M : meets (real_constraints cs) P Q.

Lemma row_aboveP t x : row_above cs t x -> above_zero x.1 -> above_zero x.2 ->
  hockey_stick 1 (of_ratio x.1 / of_ratio x.2) P Q <=
  of_ratio (profile_at (rdiv x.1 x.2) t).
Proof.
rewrite /row_above => + p0 q0; rewrite p0 q0 /= => /has_In[c cin].
have e : of_ratio (rdiv x.1 x.2) = of_ratio x.1 / of_ratio x.2 by rewrite of_rdiv //; exact/Z.ltb_lt.
have e' : of_ratio (rdiv x.2 x.1) = (of_ratio x.1 / of_ratio x.2)^-1.
  by rewrite of_rdiv ?invf_div //; exact/Z.ltb_lt.
have m := in_constraints cin.
case/orP=> /andP[le at_].
  rewrite of_rle in le; apply: le_trans le; apply: (allowed_above M m).
  by rewrite -e; apply: exp_of_log at_; exact: quotient_above_zero.
rewrite of_rle of_rsub of_rmul of_rsub of_one e in le; apply: le_trans le.
apply: (allowed_below M m); first exact: divr_gt0 (above_zeroP p0) (above_zeroP q0).
by rewrite -e'; apply: exp_of_log at_; exact: quotient_above_zero.
Qed.
End Above.

Lemma above_zero_of x : 0 < of_ratio x -> above_zero x.
Proof. by rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r. Qed.

Lemma nth_in_table t (z : 'I_(size (real_table t))) : exists2 x : ratio * ratio, List.In x t &
  tnth (in_tuple (real_table t)) z = (of_ratio x.1, of_ratio x.2).
Proof.
have := mem_tnth z (in_tuple (real_table t)); move: (tnth _ _) => y /=.
elim: t {z} => //= x t IH; rewrite inE => /predU1P[->|/IH[x' x't ->]]; first by exists x => //; left.
by exists x' => //; right.
Qed.

Theorem is_above_sound cs t : is_above cs t ->
  stands_above (ByConstraints (real_constraints cs), OfTable (real_table t)).
Proof.
case/and3P=> /law_pairP[dS dT] one other Y P Q M; have [dP dQ _] := M; split=> //; split.
  apply: (table_dominates dP dQ dS dT) => z.
  rewrite /law_with /law_without; have [x xt ->] := nth_in_table z => /= /above_zero_of p0 /above_zero_of q0.
  have := row_aboveP M (all_In one xt) p0 q0; rewrite profile_atP of_rdiv //; exact/Z.ltb_lt.
apply: (table_dominates dQ dP dT dS) => z.
rewrite /law_with /law_without; have [x xt ->] := nth_in_table z => /= /above_zero_of p0 /above_zero_of q0.
have xt' : List.In (x.2, x.1) (exchanged t) by apply: (List.in_map (fun x => (x.2, x.1)) _ _ xt).
have := row_aboveP (meets_sym M) (all_In other xt') p0 q0; rewrite profile_at_exchanged of_rdiv //; exact/Z.ltb_lt.
Qed.

Theorem is_below_sound ys cs t : is_below ys cs t ->
  stands_below (ByConstraints (real_constraints cs), OfTable (real_table t)).
Proof.
case/andP=> /law_pairP[dS dT] ok Y P Q [dP dQ [h h']]; apply: (table_meets dP dQ h h'); split=> // e d.
have [S0 _] := dS; have [T0 _] := dT.
elim: cs ok => //= c cs IH /andP[c_ok /IH {}IH]; rewrite inE => /predU1P[[-> ->]|/IH //].
have [y _ /and4P[y0 le le' at_]] := has_In c_ok; have ye := log_of_exp y0 at_.
rewrite of_rle profile_atP in le; rewrite of_rle profile_at_exchanged in le'.
split; apply/events_hockey_stick; [apply: le_trans le|apply: le_trans le'].
  exact: hockey_stick_antitone T0 ye.
exact: hockey_stick_antitone S0 ye.
Qed.

Section Ledger.
Variables (k : kind) (cs : seq (constraints * Z)) (N : noise_ledger) (ts : seq (table * Z)).
Hypothesis found : read_all (table_for k) cs = Some ts.

Let stands : given * noise -> Prop := if k is Upper then stands_above else stands_below.

Lemma tables_found : exists ds, [/\ List.Forall stands ds, map fst ds = givens cs N &
  Permutation (noises (beside_tables N ts)) (map snd ds)].
Proof.
have [ds [F e1 e2]] : exists ds, [/\ List.Forall stands ds,
    map fst ds = many (fun c => ByConstraints (real_constraints c)) cs &
    map snd ds = many (fun t => OfTable (real_table t)) ts].
  elim: cs ts found => [|c cs' IH] ts'; first by move=> [<-]; exists [::].
  move=> /(read_all_cons (f := table_for k))[t [ts'' [T /IH[ds [F e1 e2]] ->]]].
  exists (nseq (Z.to_nat c.2) (ByConstraints (real_constraints c.1), OfTable (real_table t.1)) ++ ds).
  have [e s] : t.2 = c.2 /\ stands (ByConstraints (real_constraints c.1), OfTable (real_table t.1)).
    move: T; rewrite /table_for /stands; case: (read_all _ _) => [ps|] //.
    case: (k) => /=; case: ifP => // ok [<-]; split=> //; first exact: is_above_sound ok.
      exact: is_below_sound ok.
    exact: is_below_sound ok.
  split; last 2 first.
  - by rewrite map_cat map_nseq e1.
  - by rewrite map_cat map_nseq e2 /many /= e.
  by apply/List.Forall_app; split=> //; elim: (Z.to_nat _) => //= n IHn; constructor.
exists (ds ++ [seq (ByNoise n, n) | n <- noises N]); split.
- apply/List.Forall_app; split=> //; elim: (noises N) => //= n s IH; constructor=> //.
  by rewrite /stands; case: (k).
- by rewrite map_cat e1 /givens -map_comp.
rewrite map_cat e2 -map_comp (_ : map _ (noises N) = noises N); last by rewrite -[RHS]map_id.
rewrite /noises /= many_cat.
set A := many _ (of_epsilon _); set B := many _ (shifted N); set C := many _ (laplaced N).
set D := many _ (of_mu _); set E := many _ (of_rho _); set G := many _ (ranged N); set H := many _ (divergent N).
set T := many _ ts; rewrite -!catA.
do 7 (apply: (Permutation_trans (Permutation_app_head _ _)); last first; [exact: Permutation_app_swap_app|]).
exact: Permutation_refl.
Qed.
End Ledger.

Theorem check_constrained_sound b cs N names h : check_constrained b cs N names h -> holds (OfConstrained b cs N).
Proof.
rewrite /check_constrained; case: ifP => // _; case F: (read_all _ _) => [ts|] // /check_noise_sound.
have [ds [S g e]] := tables_found N F.
rewrite /holds /bound_holds -g; case: (bound_epsilon b) => [ep|] /=; case: (bound_kind b) S => S //.
- exact: given_upper_by_noise.
- exact: given_lower_by_noise.
- by move=> h' ep; exact: given_upper_by_noise (h' ep).
by move=> h' ep; exact: given_lower_by_noise (h' ep).
Qed.
