(** The verified checker: the rule `grid`.

    The certificate gives the unit, and the plan suggests the multiples a_i, how many digits to
    compute with, and where to begin ([plan]).  All exponentials but one are powers of e^-u. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Losses Reals Rules RulesFixedPoint Logarithms.
From ExactDP Require Import Comparisons Enclosures EnclosuresOfNumbers CheckerClosed Tables.
From ExactDP Require Import CheckerDelta.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Record plan := Plan {
  unit_of : combination;
  multiples : seq nat;    (* one for each entry *)
  scale : Z;              (* of weights: 10^digits *)
  finer : Z;              (* blocks are computed at scale * finer *)
  delta_bits : Z;         (* Delta is enclosed in units of 2^-delta_bits *)
  top_of : nat -> nat     (* for a table's length: the largest index with r_s > 0 that counts *)
}.

Section Program.
Variables (f : effort) (s : subject).
Let one := (2 ^ bits f)%coqZ.

(** e^-x; [logs] encloses the logarithms of the subject. *)
Definition exp_minus (logs : seq (Z * Z)) (x : combination) : option enclosure :=
  exponential (bits f) (opp (enclosure_of_number (bits f) logs (denominator s) x)).

Definition units (m : Z) (p : plan) : combination := cscale m (unit_of p).

(** one e^{-n u} from below and from above, for an enclosure of e^-u. *)
Definition exp_down (u : enclosure) (n : nat) : Z :=
  if Z.of_nat n is Zpos m then power_down one (Z.max 0 u.1) m else one.
Definition exp_up (u : enclosure) (n : nat) : Z :=
  if Z.of_nat n is Zpos m then power_up one u.2 m else one.

(** epsilon_i is at most a_i units, or at least. *)
Definition rounded_ok (es : seq (Z * Z)) (upward : bool) (p : plan) (e : entry) (n : nat) : bool :=
  let au := units (Z.of_nat n) p in
  nonneg (bits f) es (ties f) (quotients s) (if upward then csub au (epsilon e) else csub (epsilon e) au).

Definition block (p : plan) (u : enclosure) (e : entry) (n : nat) : placed :=
  if count e is Zpos c
  then spread n (block_of one (scale p) (finer p) (exp_down u n) (exp_up u n) c)
  else (O, [:: scale p]).

Fixpoint blocks (p : plan) (u : enclosure) (es : seq entry) (ns : seq nat) : seq placed :=
  match es, ns with
  | e :: es', n :: ns' =>
      if n is O then blocks p u es' ns' else block p u e n :: blocks p u es' ns'
  | _, _ => [::]
  end.

Definition table (p : plan) (u : enclosure) : placed :=
  product_all (scale p) (blocks p u (entries s) (multiples p)).

(** The end of a table, and its weights from the top down. *)
Definition end_of (w : placed) : nat := Nat.add w.1 (length w.2).
Definition from_top (top : nat) (w : placed) : seq Z := drop (Nat.sub (end_of w) top.+1) (rev w.2).

(** sum w(s) max(0, one - z(s)) from the top down, where z(s - 1) = step z(s). *)
Fixpoint kept_down (sum : Z) (step : Z -> Z) (z : Z) (ws : seq Z) : Z :=
  if ws is w :: ws' then kept_down (sum + w * Z.max 0 (one - z))%coqZ step (step z) ws' else sum.

(** A = sum count_i a_i, and r_s times the denominator. *)
Definition total_multiple (p : plan) : Z :=
  foldr (fun er A => (count er.1 * Z.of_nat er.2 + A)%coqZ) Z0 (zip (entries s) (multiples p)).
Definition rest_at (p : plan) (x : combination) (i : nat) : combination :=
  csub (units (total_multiple p - 2 * Z.of_nat i) p) x.

Definition plan_ok (upward : bool) (p : plan) : bool :=
  let es := enclosures (bits f) (terms f) (quotients s) in
  [&& Nat.eqb (size (multiples p)) (size (entries s)), Z.ltb 0 (scale p), Z.ltb 0 (finer p),
      at_least_0 f s (unit_of p) &
      all (fun er => rounded_ok es upward p er.1 er.2) (zip (entries s) (multiples p))].

(** For enclosures of e^-u and, for the table and where to begin, of e^-r. *)
Definition with_table (p : plan) (x : combination)
    (compare : enclosure -> placed -> nat -> enclosure -> bool) : bool :=
  let logs := logarithms (bits f) (quotients s) in
  if exp_minus logs (unit_of p) is Some u then
    let w := table p u in
    let top := top_of p (end_of w) in
    if exp_minus logs (rest_at p x top) is Some z then
      Nat.leb top.+1 (end_of w) && compare u w top z
    else false
  else false.

Definition check_grid_upper (p : plan) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, plan_ok true p, Delta_ok s (delta_bits p) a b &
   with_table p x (fun u w top z =>
     let q := exp_down u 2 in
     let kept := kept_down Z0 (fun z => floor_div (z * q) one) (Z.max 0 z.1) (from_top top w) in
     let limit := floor_div (one * Delta_low s (delta_bits p) a b) (2 ^ delta_bits p) in
     (Nat.leb (end_of w) top.+1 || at_least_0 f s (cscale (-1) (rest_at p x top.+1))) &&
     Z.leb (kept + (scale p - sum_of w.2) * one) (limit * scale p))].

Definition check_grid_lower (p : plan) (x : combination) (a b : Z) : bool :=
  [&& subject_ok f s, plan_ok false p, Delta_ok s (delta_bits p) a b &
   with_table p x (fun u w top z =>
     let q := exp_up u 2 in
     let kept := kept_down Z0 (fun z => ceil_div (z * q) one) z.2 (from_top top w) in
     let limit := ceil_div (one * Delta_high s (delta_bits p) a b) (2 ^ delta_bits p) in
     Z.ltb (limit * scale p) kept)].
End Program.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.
Let one := (2 ^ bits f)%coqZ.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : Z.lt 0 (denominator s). Proof. by case/and4P: ok => _ /Z.ltb_lt. Qed.
Let D0' : 0 < IZR (denominator s). Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let one0 : Z.lt 0 one. Proof. exact: Z.pow_pos_nonneg. Qed.
Let one0' : 0 < IZR one. Proof. by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma nonneg_real es x : es = enclosures (bits f) (terms f) (quotients s) ->
  nonneg (bits f) es (ties f) (quotients s) x -> 0 <= real s x.
Proof. by move=> -> h; rewrite divr_ge0 ?(ltW D0') //; exact: (nonneg_sound bits0 qs_ok h). Qed.

Lemma at_least_0_sound x : at_least_0 f s x -> 0 <= real s x.
Proof. exact: nonneg_real. Qed.

Lemma real_scale m x : real s (cscale m x) = IZR m * real s x.
Proof. by rewrite /real value_scale mulrA. Qed.
Lemma real_sub x y : real s (csub x y) = real s x - real s y.
Proof. by rewrite /real value_sub mulrBl. Qed.

Lemma exp_minus_sound x e : exp_minus f s (logarithms (bits f) (quotients s)) x = Some e ->
  IZR (Z.max 0 e.1) <= IZR one * exp (- real s x) <= IZR e.2.
Proof.
have h := enclosed_opp _ _ _ (enclosed_number bits0 x qs_ok D0).
move/(enclosed_exponential _ bits0 _ _ _ h)/enclosedP.
rewrite mulrC -/one -/(real s x) => /andP[lo hi]; apply/andP; split=> //.
by case: (Z.max_spec 0 e.1) => -[_ ->] //; rewrite mulr_ge0 ?(ltW one0') ?(ltW (exp_gt0 _)).
Qed.

(** Powers of e^-u. *)
Section Powers.
Variables (u : R) (e : enclosure).
Hypothesis ue : IZR (Z.max 0 e.1) <= IZR one * exp (- u) <= IZR e.2.

Lemma exp_natM n : exp (- u) ^+ n = exp (- (u *+ n)).
Proof.
elim: n => [|n IH]; first by rewrite expr0 mulr0n oppr0 exp_0.
by rewrite exprS IH -expD mulrS opprD.
Qed.

Lemma exp_down_sound n : Z.le 0 (exp_down f e n) /\ IZR (exp_down f e n) <= IZR one * exp (- (u *+ n)).
Proof.
rewrite /exp_down; case: n => [|n].
  by rewrite mulr0n oppr0 exp_0 mulr1; split=> //; exact: Z.lt_le_incl.
have /andP[lo _] := ue; have x0 : Z.le 0 (Z.max 0 e.1) := Z.le_max_l _ _.
have := power_down_le one0 (Pos.of_succ_nat n) x0 lo.
by rewrite SuccNat2Pos.id_succ exp_natM.
Qed.

Lemma exp_up_sound n : IZR one * exp (- (u *+ n)) <= IZR (exp_up f e n).
Proof.
rewrite /exp_up; case: n => [|n]; first by rewrite mulr0n oppr0 exp_0 mulr1.
have /andP[_ hi] := ue.
have := power_up_ge one0 (Pos.of_succ_nat n) (ltW (exp_gt0 _)) hi.
by rewrite SuccNat2Pos.id_succ exp_natM.
Qed.
End Powers.
End Soundness.
