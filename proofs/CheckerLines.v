(** The curves of half-lines (LineCurves.v) from above, in integers: the thresholds are where a polynomial in
    e^(mu c) changes its sign, found by Newton's steps from the right, and what decides is its sign at two
    numbers on either side, with exact powers. *)
From Coq Require Import Reals ZArith List Lia Lra.
From ExactDP Require Import Logarithms Normal ProfileShape Exponentials Enclosures NormalEnclosures CheckerNormalCells LineCurves.
Import ListNotations.

(** A weight, (a + b t) / d for a common d > 0, and a mean in units of mu. *)
Definition whole_line := (Z * Z * Z)%type.

Section Program.
Local Open Scope Z_scope.
Variables (w x y : Z).          (* mu^2 = x/y *)
Let S := Z.shiftl 1 w.

(** With each, e^(-m^2 mu^2 / 2). *)
Fixpoint prepared (ls : list whole_line) : option (list (whole_line * enclosure)) :=
  match ls with
  | nil => Some nil
  | l :: ls' =>
      match exponential w (enclosure_of_fraction w (- (snd l * snd l * x)) (2 * y)), prepared ls' with
      | Some e, Some ps => Some ((l, e) :: ps)
      | _, _ => None
      end
  end.

(** At t = T/S, times d S. *)
Definition weight_at (T : Z) (l : whole_line) : Z := fst (fst l) * S + snd (fst l) * T.
Definition weighted (T : Z) (ps : list (whole_line * enclosure)) : list (Z * Z * enclosure) :=
  map (fun p => (weight_at T (fst p), snd (fst p), snd p)) ps.

(** The weighted densities at X = v/S over that of mean lo, times S^(hi - lo): from above, or from below. *)
Fixpoint densities (up : bool) (lo hi v : Z) (qs : list (Z * Z * enclosure)) : Z :=
  match qs with
  | nil => 0
  | (W, m, e) :: qs' =>
      W * (if Bool.eqb (Z.leb 0 W) up then snd e else fst e) * v ^ (m - lo) * S ^ (hi - m) + densities up lo hi v qs'
  end.

(** Newton's steps, from a number to the right; of polynomials by their coefficients, the highest first, and with
    its derivative, the former times a power of S, the latter times one less. *)
Definition evaluated_at (v : Z) (cs : list Z) : Z * Z :=
  fst (fold_left (fun (pd : Z * Z * Z) c => let '(p, d, s) := pd in (p * v + c * s, d * v + p, s * S)) cs (0, 0, 1)).
Fixpoint doubled_until (fuel : nat) (v : Z) (cs : list Z) : Z :=
  match fuel with
  | O => v
  | Datatypes.S fuel' => if Z.leb 0 (fst (evaluated_at v cs)) then v else doubled_until fuel' (2 * v) cs
  end.
Fixpoint halved_while (fuel : nat) (v : Z) (cs : list Z) : Z :=
  match fuel with
  | O => v
  | Datatypes.S fuel' => if Z.leb 0 (fst (evaluated_at (v / 2) cs)) then halved_while fuel' (v / 2) cs else v
  end.
Fixpoint newton (fuel : nat) (v : Z) (cs : list Z) : Z :=
  match fuel with
  | O => v
  | Datatypes.S fuel' =>
      let (p, d) := evaluated_at v cs in
      if Z.leb d 0 then v else
      let v' := v - p / d in
      if Z.leb v v' then v else newton fuel' v' cs
  end.
Definition coefficient (qs : list (Z * Z * enclosure)) (m : Z) : Z :=
  fold_left (fun c q => let '(W, m', e) := q in if Z.eqb m m' then c + W * fst e else c) qs 0.
Definition coefficients (lo hi : Z) (qs : list (Z * Z * enclosure)) : list Z :=
  map (fun k => coefficient qs (hi - Z.of_nat k)) (seq 0 (Z.to_nat (hi - lo + 1))).
Definition root_near (lo hi : Z) (qs : list (Z * Z * enclosure)) : Z :=
  let cs := coefficients lo hi qs in
  let far := doubled_until (Z.to_nat (2 * w)) S cs in
  newton (Z.to_nat (8 * w + 400)) (halved_while (Z.to_nat w) far cs) cs.

(** Phi(m mu - c), for c = ln X / mu and an enclosure of ln X; and how many terms are worth taking. *)
Fixpoint terms_for (fuel n : nat) (v left : Z) : nat :=
  match fuel with
  | O => n
  | Datatypes.S fuel' =>
      if andb (Z.leb left 0) (Z.leb v (Z.of_nat n * 65536)) then n
      else terms_for fuel' (Datatypes.S n) v (Z.shiftr (left * v / (2 * Z.of_nat n + 3)) 16)
  end.
Definition counts_for (z : enclosure) : term_counts :=
  let far := Z.max (Z.abs (fst z)) (Z.abs (snd z)) in
  let v := Z.shiftr (far * far * y / x) (2 * w - 16) in
  if Z.leb (10 * v) (7 * w * 65536) then
    (Datatypes.S (terms_for (Z.to_nat (8 * w + 64)) O v (Z.shiftl 1 (w + 8))), 4%nat)
  else (O, Z.to_nat (Z.min 40 (v / 262144 + 4))).
Definition beyond_at (root log : enclosure) (m : Z) : option enclosure :=
  let z := sub log (enclosure_of_fraction w (m * x) y) in
  tail_enclosure w (counts_for z) x y root z.
(** A weight that is this small, and not below 0, counts as if all lay beyond. *)
Fixpoint between_above (small : Z) (root l1 l2 : enclosure) (qs : list (Z * Z * enclosure)) : option Z :=
  match qs with
  | nil => Some 0
  | (W, m, _) :: qs' =>
      let p := if andb (Z.leb 0 W) (Z.leb W small) then Some (0, S) else beyond_at root (if Z.leb 0 W then l1 else l2) m in
      match p, between_above small root l1 l2 qs' with
      | Some p, Some v => Some (W * (if Z.leb 0 W then snd p else fst p) + v)
      | _, _ => None
      end
  end.

(** Weights above 0 are at means from the split on, weights below 0 up to it. *)
Definition splits (split : Z) (qs : list (Z * Z * enclosure)) : bool :=
  forallb (fun q => let '(W, m, _) := q in
    andb (orb (Z.leb W 0) (Z.leb split m)) (orb (Z.leb 0 W) (Z.leb m split))) qs.
Definition within (lo hi : Z) (qs : list (Z * Z * enclosure)) : bool :=
  forallb (fun q => let '(_, m, _) := q in andb (Z.leb lo m) (Z.leb m hi)) qs.

(** So far to either side of a root that the signs there are certain. *)
Definition changes_sign (lo hi v off : Z) (qs : list (Z * Z * enclosure)) : bool :=
  andb (Z.leb (densities true lo hi (v - off) qs) 0) (Z.leb 0 (densities false lo hi (v + off) qs)).
Fixpoint far_enough (fuel : nat) (lo hi v off : Z) (qs : list (Z * Z * enclosure)) : Z :=
  match fuel with
  | O => off
  | Datatypes.S fuel' => if changes_sign lo hi v off qs then off else far_enough fuel' lo hi v (Z.shiftl off 12) qs
  end.

Definition at_odds_above (root : enclosure) (d split : Z) (ps : list (whole_line * enclosure)) (T : Z) : option Z :=
  let qs := weighted T ps in
  let ms := map (fun p => snd (fst p)) ps in
  let lo := fold_right Z.min split ms in
  let hi := fold_right Z.max split ms in
  let v := root_near lo hi qs in
  let off := far_enough (Z.to_nat (w / 24)) lo hi v (Z.shiftr v (w - 20) + 2) qs in
  let v1 := v - off in
  let v2 := v + off in
  if andb (andb (andb (Z.ltb 0 v1) (Z.leb v1 v2)) (andb (splits split qs) (within lo hi qs)))
          (changes_sign lo hi v off qs)
  then option_map (fun v => ceil_div v (d * S))
         (between_above (Z.shiftr (d * S) (w / 2)) root (ln_of_quotient w v1 S) (ln_of_quotient w v2 S) qs)
  else None.

Definition none_rises (ps : list (whole_line * enclosure)) : bool :=
  forallb (fun p => Z.leb (snd (fst (fst p))) 0) ps.
(** At t = e^(a/b), where no weight rises with t. *)
Definition lines_above (root : enclosure) (d split : Z) (ps : list (whole_line * enclosure)) (a b : Z) : option Z :=
  if none_rises ps then
    match exponential w (enclosure_of_fraction w a b) with
    | Some e => at_odds_above root d split ps (if Z.leb 0 a then Z.max S (fst e) else fst e)
    | None => None
    end
  else None.
End Program.

Section Sound.
Local Open Scope R_scope.
Variables (w x y d : Z).
Hypotheses (w0 : (0 <= w)%Z) (x0 : (0 < x)%Z) (y0 : (0 < y)%Z) (d0 : (0 < d)%Z).
Let S := Z.shiftl 1 w.
Let B := IZR (2 ^ w).
Let B0 : 0 < B. Proof. apply power2_gt0, w0. Qed.
Let SE : IZR S = B. Proof. unfold S, B. rewrite Z.shiftl_1_l. reflexivity. Qed.
Let D0 : 0 < IZR d * B. Proof. apply Rmult_lt_0_compat; [apply (IZR_lt 0), d0|exact B0]. Qed.
Let d1 : 0 < IZR d. Proof. apply (IZR_lt 0), d0. Qed.
Let s := IZR x / IZR y.
Let X0 : 0 < IZR x. Proof. apply (IZR_lt 0), x0. Qed.
Let Y0 : 0 < IZR y. Proof. apply (IZR_lt 0), y0. Qed.
Let s0 : 0 < s. Proof. apply Rdiv_lt_0_compat; assumption. Qed.
Let mu := sqrt s.
Let mu0 : 0 < mu. Proof. apply sqrt_lt_R0, s0. Qed.
Let mu2 : mu * mu = s. Proof. apply sqrt_sqrt. lra. Qed.

Definition real_lines (ls : list whole_line) : list (R * R * R) :=
  map (fun l => (IZR (fst (fst l)) / IZR d, IZR (snd (fst l)) / IZR d, IZR (snd l) * mu)) ls.

(** With the enclosures that belong to them. *)
Fixpoint enclose_all (ps : list (whole_line * enclosure)) : Prop :=
  match ps with
  | nil => True
  | p :: ps' => enclosed w (exp (- (IZR (snd (fst p)) * IZR (snd (fst p)) * s / 2))) (snd p) /\ enclose_all ps'
  end.
Lemma preparedP ls ps : prepared w x y ls = Some ps -> map fst ps = ls /\ enclose_all ps.
Proof.
revert ps. induction ls as [|l ls IH]; cbn [prepared]; [intros ps [=<-]; split; [reflexivity|exact I]|].
destruct (exponential _ _) as [e|] eqn:E; [|discriminate]. destruct (prepared w x y ls) as [ps|]; [|discriminate].
intros ps' [=<-]. destruct (IH ps eq_refl) as [<- h]. split; [reflexivity|]. cbn [enclose_all fst snd]. split; [|exact h].
refine (enclosed_exponential w w0 _ _ _ _ E).
replace (- (IZR (snd l) * IZR (snd l) * s / 2)) with (IZR (- (snd l * snd l * x)) / IZR (2 * y)).
  apply enclosed_quotient; [exact w0|lia].
unfold s. rewrite opp_IZR, !mult_IZR. field. lra.
Qed.

Fixpoint real_weighted (qs : list (Z * Z * enclosure)) : list (R * R) :=
  match qs with nil => nil | (W, m, _) :: qs' => (IZR W / (IZR d * B), IZR m * mu) :: real_weighted qs' end.
Fixpoint enclose_weighted (qs : list (Z * Z * enclosure)) : Prop :=
  match qs with nil => True | (W, m, e) :: qs' => enclosed w (exp (- (IZR m * IZR m * s / 2))) e /\ enclose_weighted qs' end.

Lemma weighted_real T ps : real_weighted (weighted w T ps) = at_odds (real_lines (map fst ps)) (IZR T / B).
Proof.
unfold weighted, real_lines, at_odds. induction ps as [|p ps IH]; [reflexivity|]. cbn [map real_weighted fst snd].
rewrite IH. f_equal. f_equal. unfold weight_at. fold S. rewrite plus_IZR, !mult_IZR, SE. field. split; [lra|].
apply Rgt_not_eq, (IZR_lt 0), d0.
Qed.
Lemma weighted_enclosed T ps : enclose_all ps -> enclose_weighted (weighted w T ps).
Proof. unfold weighted. induction ps as [|p ps IH]; [exact (fun h => h)|]. cbn. intros [h1 h2]. split; [exact h1|exact (IH h2)]. Qed.

Lemma splitsP split qs : splits split qs = true -> crosses (IZR split * mu) (real_weighted qs).
Proof.
induction qs as [|[[W m] e] qs IH]; [exact (fun _ => I)|]. cbn [splits forallb real_weighted crosses fst snd].
intros h. apply Bool.andb_true_iff in h. destruct h as [h1 h2]. apply Bool.andb_true_iff in h1. destruct h1 as [p n].
split; [|split; [|exact (IH h2)]]; intros W0.
- apply Bool.orb_true_iff in p. destruct p as [p|p]; apply Z.leb_le, IZR_le in p; [|nra].
  exfalso. apply (Rmult_lt_compat_r _ _ _ D0) in W0. unfold Rdiv in W0.
  rewrite Rmult_assoc, Rinv_l in W0; lra.
- apply Bool.orb_true_iff in n. destruct n as [n|n]; apply Z.leb_le, IZR_le in n; [|nra].
  exfalso. apply (Rmult_lt_compat_r _ _ _ D0) in W0. unfold Rdiv in W0.
  rewrite Rmult_assoc, Rinv_l in W0; lra.
Qed.

(** --- the densities --- *)

Section At.
Variables (v : Z) (v0 : (0 < v)%Z).
Let X := IZR v / B.
Let V0 : 0 < IZR v. Proof. apply (IZR_lt 0), v0. Qed.
Let XX0 : 0 < X. Proof. apply Rdiv_lt_0_compat; assumption. Qed.

Lemma power_exp k : (0 <= k)%Z -> exp (IZR k * ln X) = IZR (v ^ k) / IZR (S ^ k).
Proof.
intros k0. rewrite <- (Z2Nat.id k k0). generalize (Z.to_nat k). clear k k0. intros k.
assert (Sk : forall n, 0 < IZR (S ^ Z.of_nat n)).
{ intros n. apply (IZR_lt 0). apply Z.pow_pos_nonneg; [|lia]. apply lt_IZR. rewrite SE. exact B0. }
induction k as [|k IH]; [cbn; rewrite Rmult_0_l, exp_0; field|].
rewrite Nat2Z.inj_succ, !Z.pow_succ_r, succ_IZR, !mult_IZR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH, exp_ln by (lia || exact XX0).
rewrite SE. unfold X. specialize (Sk k). field. lra.
Qed.

(** What the check's sum is of. *)
Definition scale_of (split lo hi : Z) : R := IZR d * B * B * IZR (S ^ (hi - lo)) * exp (IZR (split - lo) * ln X).
Lemma densitiesP (up : bool) split lo hi qs : enclose_weighted qs -> within lo hi qs = true ->
  let r := density (IZR split * mu) (real_weighted qs) (ln X / mu) * scale_of split lo hi in
  if up then r <= IZR (densities w up lo hi v qs) else IZR (densities w up lo hi v qs) <= r.
Proof.
intros E W. cbv zeta. induction qs as [|[[a m] e] qs IH].
  cbn [density real_weighted densities]. rewrite Rmult_0_l. destruct up; lra.
cbn [enclose_weighted] in E. destruct E as [E1 E2]. cbn [within forallb] in W.
apply Bool.andb_true_iff in W. destruct W as [W1 W2]. apply Bool.andb_true_iff in W1. destruct W1 as [l h].
apply Z.leb_le in l, h. specialize (IH E2 W2).
cbn [density real_weighted densities fst snd]. fold S.
set (k := exp (- (IZR m * IZR m * s / 2))) in *.
assert (t : IZR a / (IZR d * B) * exp ((IZR m * mu - IZR split * mu) * (ln X / mu) - IZR m * mu * (IZR m * mu) / 2) *
    scale_of split lo hi = IZR a * (k * B) * IZR (v ^ (m - lo)) * IZR (S ^ (hi - m))).
{ replace ((IZR m * mu - IZR split * mu) * (ln X / mu) - IZR m * mu * (IZR m * mu) / 2)
    with (IZR (m - split) * ln X + - (IZR m * IZR m * s / 2)).
    2:{ rewrite <- mu2, minus_IZR. field. lra. }
  rewrite exp_plus. fold k. unfold scale_of.
  assert (p : exp (IZR (m - split) * ln X) * exp (IZR (split - lo) * ln X) = IZR (v ^ (m - lo)) / IZR (S ^ (m - lo))).
  { rewrite <- exp_plus, <- power_exp by lia. f_equal. rewrite !minus_IZR. ring. }
  assert (q : IZR (S ^ (hi - lo)) = IZR (S ^ (m - lo)) * IZR (S ^ (hi - m))).
  { rewrite <- mult_IZR, <- Z.pow_add_r by lia. f_equal. f_equal. lia. }
  assert (Sk : 0 < IZR (S ^ (m - lo))).
  { apply (IZR_lt 0). apply Z.pow_pos_nonneg; [|lia]. apply lt_IZR. rewrite SE. exact B0. }
  rewrite q. apply (f_equal (fun z => z * IZR (S ^ (m - lo)))) in p. unfold Rdiv in p.
  rewrite (Rmult_assoc (IZR (v ^ (m - lo)))), Rinv_l, Rmult_1_r in p by lra. rewrite <- p. field. split; [lra|].
  apply Rgt_not_eq, (IZR_lt 0), d0. }
rewrite Rmult_plus_distr_r, t. rewrite plus_IZR, !mult_IZR.
assert (P : 0 < IZR (v ^ (m - lo)) * IZR (S ^ (hi - m))).
{ apply Rmult_lt_0_compat; apply (IZR_lt 0), Z.pow_pos_nonneg; try lia. apply lt_IZR. rewrite SE. exact B0. }
set (p := IZR (v ^ (m - lo))) in *. set (q := IZR (S ^ (hi - m))) in *.
destruct E1 as [E1 E3]. fold B in E1, E3.
assert (side : forall u z, u <= z -> u * (p * q) <= z * (p * q)) by (intros; nra).
destruct up, (Z.leb_spec 0 a) as [a0|a0]; cbn [Bool.eqb].
- apply IZR_le in a0. specialize (side (IZR a * (k * B)) (IZR a * IZR (snd e)) ltac:(nra)). nra.
- apply IZR_lt in a0. specialize (side (IZR a * (k * B)) (IZR a * IZR (fst e)) ltac:(nra)). nra.
- apply IZR_le in a0. specialize (side (IZR a * IZR (fst e)) (IZR a * (k * B)) ltac:(nra)). nra.
- apply IZR_lt in a0. specialize (side (IZR a * IZR (snd e)) (IZR a * (k * B)) ltac:(nra)). nra.
Qed.

Lemma scale_of_pos split lo hi : (lo <= hi)%Z -> 0 < scale_of split lo hi.
Proof.
intros l. unfold scale_of. repeat apply Rmult_lt_0_compat; try exact B0; [apply (IZR_lt 0), d0| |apply exp_pos].
apply (IZR_lt 0), Z.pow_pos_nonneg; [|lia]. apply lt_IZR. rewrite SE. exact B0.
Qed.

Lemma ln_enclosed : enclosed w (ln X) (ln_of_quotient w v S).
Proof.
unfold X. rewrite <- SE. apply ln_of_quotient_enclosed; [exact w0|exact v0|]. apply lt_IZR. rewrite SE. exact B0.
Qed.
End At.

(** --- what lies beyond --- *)

Variable root : enclosure.
Hypothesis hroot : enclosed w (/ sqrt (2 * PI * s)) root.

Lemma beyond_atP l e m p : enclosed w l e -> beyond_at w x y root e m = Some p ->
  enclosed w (Phi (IZR m * mu - l / mu)) p.
Proof.
intros L. unfold beyond_at. intros h.
assert (Z : enclosed w (l - IZR m * s) (sub e (enclosure_of_fraction w (m * x) y))).
{ apply enclosed_sub; [exact L|]. replace (IZR m * s) with (IZR (m * x) / IZR y).
    apply enclosed_quotient; assumption.
  unfold s. rewrite mult_IZR. unfold Rdiv. ring. }
pose proof (tail_enclosure_sound w w0 _ _ _ _ _ _ _ x0 y0 hroot Z h) as r. fold s in r. fold mu in r.
replace (IZR m * mu - l / mu) with (- ((l - IZR m * s) / mu)); [exact r|].
rewrite <- mu2. field. lra.
Qed.

Lemma between_aboveP small l1 l2 e1 e2 qs v : enclosed w l1 e1 -> enclosed w l2 e2 ->
  between_above w x y small root e1 e2 qs = Some v ->
  between (real_weighted qs) (l1 / mu) (l2 / mu) * (IZR d * B * B) <= IZR v.
Proof.
intros L1 L2. revert v. induction qs as [|[[W m] e] qs IH]; cbn [between_above real_weighted between fst snd].
  intros v [=<-]. rewrite Rmult_0_l. lra.
destruct (if andb (Z.leb 0 W) (Z.leb W small) then _ else _) as [p|] eqn:E; [|discriminate].
destruct (between_above w x y small root e1 e2 qs) as [v|]; [|discriminate]. intros v' [=<-]. specialize (IH v eq_refl).
rewrite Rmult_plus_distr_r, plus_IZR, mult_IZR. apply Rplus_le_compat; [|exact IH].
assert (cancel : forall z, IZR W / (IZR d * B) * z * (IZR d * B * B) = IZR W * (z * B)) by (intros; field; split; lra).
rewrite cancel. clear IH. destruct (Z.leb_spec 0 W) as [W0|W0].
- destruct (Rle_dec 0 (IZR W / (IZR d * B))) as [g|g].
    assert (h : Phi (IZR m * mu - l1 / mu) * B <= IZR (snd p)).
    { destruct (andb _ _); [|apply (beyond_atP _ _ _ _ L1 E)].
      injection E as <-. cbn [snd]. fold S. rewrite SE. pose proof (Phi_inside (IZR m * mu - l1 / mu)). nra. }
    apply IZR_le in W0. nra.
  exfalso. apply g. apply IZR_le in W0. unfold Rdiv. apply Rmult_le_pos; [exact W0|]. apply Rlt_le, Rinv_0_lt_compat. lra.
- apply IZR_lt in W0. destruct (Rle_dec 0 (IZR W / (IZR d * B))) as [g|g].
    exfalso. apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ D0)) in g. unfold Rdiv in g.
    rewrite Rmult_assoc, Rinv_l in g; lra.
  cbn [andb] in E. destruct (beyond_atP _ _ _ _ L2 E) as [h _]. fold B in h. nra.
Qed.

Lemma least_below split ms : (fold_right Z.min split ms <= split)%Z.
Proof. induction ms as [|m ms IH]; cbn; lia. Qed.
Lemma greatest_above split ms : (split <= fold_right Z.max split ms)%Z.
Proof. induction ms as [|m ms IH]; cbn; lia. Qed.

Lemma at_odds_aboveP split ps T v : enclose_all ps -> at_odds_above w x y root d split ps T = Some v ->
  B * line_curve (real_lines (map fst ps)) (IZR T / B) <= IZR v.
Proof.
intros E. unfold at_odds_above. cbv zeta. set (qs := weighted w T ps). set (lo := fold_right Z.min _ _).
set (hi := fold_right Z.max _ _). set (v0 := root_near _ _ _ _). set (off := far_enough _ _ _ _ _ _ _).
destruct (andb _ _) eqn:ok; [|discriminate]. apply Bool.andb_true_iff in ok. destruct ok as [ok1 ok2].
apply Bool.andb_true_iff in ok1. destruct ok1 as [order ok1]. apply Bool.andb_true_iff in ok1. destruct ok1 as [cross inside].
apply Bool.andb_true_iff in order. destruct order as [v1 order]. apply Z.leb_le in order.
unfold changes_sign in ok2. apply Bool.andb_true_iff in ok2. destruct ok2 as [low high]. apply Z.ltb_lt in v1. apply Z.leb_le, IZR_le in low, high.
destruct (between_above _ _ _ _ _ _ _ _) as [z|] eqn:Z; [|discriminate]. intros [=<-].
assert (v2 : (0 < v0 + off)%Z) by lia.
assert (lohi : (lo <= hi)%Z).
{ pose proof (least_below split (map (fun p => snd (fst p)) ps)) as l. pose proof (greatest_above split (map (fun p => snd (fst p)) ps)) as g. unfold lo, hi. lia. }
pose proof (weighted_enclosed T ps E) as E'. fold qs in E'.
pose proof (densitiesP _ v1 true split lo hi qs E' inside) as D1. cbv zeta iota in D1.
pose proof (densitiesP _ v2 false split lo hi qs E' inside) as D2. cbv zeta iota in D2.
pose proof (scale_of_pos (v0 - off) split lo hi lohi) as S1. pose proof (scale_of_pos (v0 + off) split lo hi lohi) as S2.
pose proof (between_aboveP _ _ _ _ _ _ _ (ln_enclosed _ v1) (ln_enclosed _ v2) Z) as A.
set (c1 := ln (IZR (v0 - off) / B) / mu) in *. set (c2 := ln (IZR (v0 + off) / B) / mu) in *.
assert (c12 : c1 <= c2).
{ unfold c1, c2, Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, mu0|].
  apply (ln_le_of_le). apply Rmult_lt_0_compat; [apply (IZR_lt 0), v1|apply Rinv_0_lt_compat, B0].
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, B0|apply IZR_le, order]. }
assert (le : line_curve (real_lines (map fst ps)) (IZR T / B) <= between (real_weighted qs) c1 c2).
{ unfold line_curve. rewrite <- weighted_real. fold qs. apply best_below. intros c.
  apply (value_most (s := IZR split * mu)); [apply splitsP, cross|exact c12|nra|nra]. }
apply Rle_trans with (B * between (real_weighted qs) c1 c2); [apply Rmult_le_compat_l; [lra|exact le]|].
assert (Dz : (0 < d * S)%Z). { apply Z.mul_pos_pos; [exact d0|]. apply lt_IZR. rewrite SE. exact B0. }
pose proof (ceil_div_ge z (d * S) Dz) as g. rewrite mult_IZR, SE in g.
apply Rle_trans with (IZR z / (IZR d * B)); [|exact g]. apply (Rmult_le_reg_r (IZR d * B)); [exact D0|].
unfold Rdiv. rewrite (Rmult_assoc (IZR z)), Rinv_l, Rmult_1_r by lra. lra.
Qed.

Lemma line_curve_falls ls t t' : t' <= t -> List.Forall (fun l => snd (fst l) <= 0) ls ->
  line_curve ls t <= line_curve ls t'.
Proof.
intros le h. unfold line_curve. apply best_below. intros c. apply Rle_trans with (value (at_odds ls t') c); [|apply best_value].
induction h as [|l ls h _ IH]; cbn; [lra|]. unfold at_odds in IH. apply Rplus_le_compat; [|exact IH].
pose proof (Phi_inside (snd l - c)). apply Rmult_le_compat_r; [lra|]. nra.
Qed.

Theorem lines_aboveP split ls ps a b v : (0 < b)%Z -> prepared w x y ls = Some ps ->
  lines_above w x y root d split ps a b = Some v ->
  B * line_curve (real_lines ls) (exp (IZR a / IZR b)) <= IZR v.
Proof.
intros b0 P. destruct (preparedP _ _ P) as [<- E]. unfold lines_above.
destruct (none_rises ps) eqn:F; [|discriminate].
destruct (exponential _ _) as [e|] eqn:X; [|discriminate]. intros h.
destruct (enclosed_exponential w w0 _ _ _ (enclosed_quotient w w0 a b b0) X) as [l _]. fold B in l.
set (T := if Z.leb 0 a then Z.max (Z.shiftl 1 w) (fst e) else fst e) in h.
apply Rle_trans with (B * line_curve (real_lines (map fst ps)) (IZR T / B)); [|exact (at_odds_aboveP _ _ _ _ E h)].
apply Rmult_le_compat_l; [lra|]. apply line_curve_falls.
- apply (Rmult_le_reg_r B); [exact B0|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold T. fold S. destruct (Z.leb_spec 0 a) as [a0|a0]; [|exact l].
  rewrite IZR_max, SE. apply Rmax_lub; [|exact l].
  assert (1 <= exp (IZR a / IZR b)); [|nra]. rewrite <- exp_0. apply exp_le_of_le.
  apply IZR_le in a0. apply IZR_lt in b0. unfold Rdiv. apply Rmult_le_pos; [exact a0|apply Rlt_le, Rinv_0_lt_compat; exact b0].
- unfold none_rises in F. unfold real_lines. rewrite forallb_forall in F. apply Forall_forall. intros q hq.
  apply in_map_iff in hq. destruct hq as [p [<- hp]]. cbn. apply in_map_iff in hp. destruct hp as [p' [<- hp]].
  specialize (F _ hp). apply Z.leb_le, IZR_le in F. pose proof (IZR_lt _ _ d0).
  unfold Rdiv. rewrite <- (Rmult_0_l (/ IZR d)). apply Rmult_le_compat_r; [|exact F].
  apply Rlt_le, Rinv_0_lt_compat. lra.
Qed.
End Sound.
