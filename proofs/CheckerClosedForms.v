(** The verified checker: the rules for closed forms, evaluated in interval arithmetic. *)
From Coq Require Import Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Reals Rules HoeffdingDivergence RulesClosedForms Logarithms.
From ExactDP Require Import Comparisons CheckerClosed Tables CheckerDelta CheckerGrid CheckerGridTheorems.
From ExactDP Require Import Exponentials Enclosures EnclosuresOfNumbers.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Section Program.
Variables (f : effort) (s : subject).
Let one := enclosure_of_Z (bits f) 1.

(** [logs] encloses the logarithms of the subject. *)
Section Logarithms.
Variable logs : seq (Z * Z).

Definition enclose (x : combination) : enclosure := enclosure_of_number (bits f) logs (denominator s) x.

(** The sum over all mechanisms of what [each] gives for an epsilon. *)
Definition sum_enclosures (each : enclosure -> option enclosure) : option enclosure :=
  foldr (fun e r =>
    match each (enclose (epsilon e)), r with
    | Some m, Some r => Some (add (scale (count e) m) r)
    | _, _ => None
    end) (Some (0%coqZ, 0%coqZ)) (entries s).

Definition mean_loss_of (x : enclosure) : option enclosure :=
  if exponential (bits f) (opp x) is Some z then
    option_map (mul (bits f) x) (divide (bits f) (sub one z) (add one z))
  else None.
Definition square_of (x : enclosure) : option enclosure := Some (mul (bits f) x x).

Definition number_of_mechanisms : Z := foldr (fun e k => (count e + k)%coqZ) 0%coqZ (entries s).
Definition greatest_epsilon : Z := foldr (fun e m => Z.max (enclose (epsilon e)).2 m) 0%coqZ (entries s).

(** mean + sqrt(2 variance l) <= epsilon. *)
Definition mean_and_root (mean variance epsilon : enclosure) (l : option enclosure) : bool :=
  if l is Some l then
    surely_le (add mean (square_root (bits f) (mul (bits f) (scale 2 variance) l))) epsilon
  else false.
End Logarithms.

Definition check_kairouz_oh_viswanath (x : combination) (a b : Z) : bool :=
  let logs := logarithms (bits f) (quotients s) in
  let Delta := (Delta_low s (bits f) a b, Delta_high s (bits f) a b) in
  let root variance :=
    if divide (bits f) (square_root (bits f) variance) Delta is Some q then
      if exponential (bits f) one is Some e then logarithm (bits f) (add e q) else None
    else None in
  [&& subject_ok f s, Delta_ok s (bits f) a b, Z.ltb 0 Delta.1 &
   match sum_enclosures logs mean_loss_of, sum_enclosures logs square_of with
   | Some mean, Some variance =>
       mean_and_root mean variance (enclose logs x) (option_map opp (logarithm (bits f) Delta))
       || mean_and_root mean variance (enclose logs x) (root variance)
   | _, _ => false
   end].

(** No delta_i is greater than u/v. *)
Definition check_advanced_composition (x : combination) (u v a b : Z) : bool :=
  let logs := logarithms (bits f) (quotients s) in
  let k := number_of_mechanisms in
  let rest := (a * v - k * u * b)%coqZ in
  let e := (greatest_epsilon logs, greatest_epsilon logs) in
  [&& subject_ok f s, Z.ltb 0 b, Z.leb a b, Z.ltb 0 v, Z.ltb 0 rest,
      all (fun e => Z.leb (above e * v) (u * below e)) (entries s) &
   if exponential (bits f) e is Some g then
     let root := square_root (bits f) (scale (2 * k) (ln_of_quotient (bits f) (b * v) rest)) in
     surely_le (mul (bits f) e (add root (scale k (sub g one)))) (enclose logs x)
   else false].

(** m epsilon_1 <= epsilon, for the only entry. *)
Definition check_murtagh_vadhan (p : plan) (m : Z) (x : combination) (a b : Z) : bool :=
  if entries s is [:: e] then
    let y := cscale m (epsilon e) in
    at_least_0 f s (csub x y) && check_grid_upper f s p y a b
  else false.
End Program.

Section Soundness.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.

Let bits0 : Z.le 0 (bits f). Proof. by case/and4P: ok => /Z.leb_le. Qed.
Let D0 : Z.lt 0 (denominator s). Proof. by case/and4P: ok => _ /Z.ltb_lt. Qed.
Let qs_ok : all quotient_ok (quotients s). Proof. by case/and4P: ok. Qed.
Let logs := logarithms (bits f) (quotients s).

Lemma enclosed_one : enclosed (bits f) 1 (enclosure_of_Z (bits f) 1).
Proof. exact: enclosed_Z. Qed.

Lemma enclosed_real x : enclosed (bits f) (real s x) (enclose f s logs x).
Proof. exact: enclosed_number. Qed.

Lemma sum_over_ledger (F : R -> R) :
  \sum_(x <- epsilons (ledger_of s)) F x =
  foldr (fun e r => IZR (count e) * F (real s (epsilon e)) + r) 0 (entries s).
Proof.
rewrite /ledger_of /epsilons; elim: (entries_ok ok) => [|e es [c0 _ _ _] _ IH] /=; first by rewrite big_nil.
rewrite map_cat big_cat /= IH map_nseq big_nseq iter_addr addr0 IZR_to_nat //.
by rewrite mulr_natl.
Qed.

Lemma sum_enclosed (F : R -> R) each e :
  (forall v x y, 0 <= v -> enclosed (bits f) v x -> each x = Some y -> enclosed (bits f) (F v) y) ->
  sum_enclosures f s logs each = Some e ->
  enclosed (bits f) (\sum_(x <- epsilons (ledger_of s)) F x) e.
Proof.
move=> h; rewrite sum_over_ledger /sum_enclosures.
elim: (entries_ok ok) e => [|m es [_ _ _ e0] _ IH] e /=.
  by case=> <-; apply/enclosedP; rewrite mul0r lexx.
case E: (each _) => [y|] //; case: (foldr _ _ es) IH => [r|] // IH [<-].
apply: enclosed_add; last exact: IH.
by apply: enclosed_scale; apply: h E => //; exact: enclosed_real.
Qed.

Lemma mean_loss_enclosed v x y : 0 <= v -> enclosed (bits f) v x -> mean_loss_of f x = Some y ->
  enclosed (bits f) (mean_loss v) y.
Proof.
move=> v0 X; rewrite /mean_loss_of; case E: (exponential _ _) => [z|] //.
have Z := enclosed_exponential _ bits0 _ _ _ (enclosed_opp _ _ _ X) E.
case D: (divide _ _ _) => [q|] //= [<-].
have one := enclosed_one.
have [_ Q] := enclosed_divide bits0 (enclosed_sub _ _ _ _ _ one Z) (enclosed_add _ _ _ _ _ one Z) D.
exact: (enclosed_mul _ bits0 _ _ _ _ X Q).
Qed.

Lemma square_enclosed v x y : 0 <= v -> enclosed (bits f) v x -> square_of f x = Some y ->
  enclosed (bits f) (v ^+ 2) y.
Proof. by move=> _ X [<-]; rewrite expr2; apply: enclosed_mul. Qed.

Lemma mean_and_root_sound (M V E l : R) m v e o :
  enclosed (bits f) M m -> enclosed (bits f) V v -> enclosed (bits f) E e ->
  (forall x, o = Some x -> enclosed (bits f) l x) -> mean_and_root f m v e o ->
  M + sqrt (2%:R * V * l) <= E.
Proof.
move=> hM hV hE; case: o => [x|] // /(_ x erefl) X.
move=> h; apply: (surely_le_sound bits0 _ hE h).
apply: enclosed_add => //; apply: enclosed_square_root => //.
apply: enclosed_mul => //; rewrite (_ : 2%:R = IZR 2) //; exact: enclosed_scale.
Qed.
End Soundness.

Theorem check_kairouz_oh_viswanath_sound f s x a b : check_kairouz_oh_viswanath f s x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
case/and4P=> ok Dok D0; have bits0 : Z.le 0 (bits f) by case/and4P: ok => /Z.leb_le.
set D := slack (ledger_of s) (fraction a b).
set logs := logarithms _ _.
case M: (sum_enclosures _ _ _ _) => [m|] //; case V: (sum_enclosures _ _ _ _) => [v|] //.
have {}M := sum_enclosed ok (mean_loss_enclosed ok) M.
have {}V := sum_enclosed ok (square_enclosed ok) V.
have X := enclosed_real ok x.
have De : enclosed (bits f) D (Delta_low s (bits f) a b, Delta_high s (bits f) a b).
  by apply/enclosedP; rewrite mulrC (Delta_low_le ok Dok) (Delta_high_ge ok Dok).
have Dpos : 0 < D.
  have one0 : 0 < IZR (2 ^ bits f) by exact/RltP/power2_gt0.
  rewrite -(pmulr_rgt0 _ one0); apply: lt_le_trans (Delta_low_le ok Dok).
  by rewrite (IZR_lt_iff Z0).
case/orP=> /(mean_and_root_sound ok M V X) h.
  apply: rule_kairouz_oh_viswanath_plain => //; first exact: ledger_proper ok.
  apply: h => y; case L: (logarithm _ _) => [l|] // [<-].
  have [_ l'] := enclosed_logarithm _ bits0 _ _ _ De L.
  by rewrite -RinvE ?gt_eqF // ln_Rinv; [exact: enclosed_opp|exact/RltP].
apply: rule_kairouz_oh_viswanath_root => //; first exact: ledger_proper ok.
apply: h => y; case Q: (divide _ _ _) => [q|] //; case E: (exponential _ _) => [z|] // L.
have [_ Q'] := enclosed_divide bits0 (enclosed_square_root _ bits0 _ _ V) De Q.
have E' := enclosed_exponential _ bits0 _ _ _ (enclosed_one ok) E.
by have [] := enclosed_logarithm _ bits0 _ _ _ (enclosed_add _ _ _ _ _ E' Q') L.
Qed.

Lemma all_In (T : Type) (p : pred T) (l : seq T) : all p l <-> forall y, List.In y l -> p y.
Proof.
elim: l => [|y l IH] //=; split=> [/andP[py /IH h] z [<-|/h]|h] //.
by rewrite h ?(proj2 IH) // => [z zl|]; [apply: h; right|left].
Qed.

Section Advanced.
Variables (f : effort) (s : subject).
Hypothesis ok : subject_ok f s.

Lemma all_ledger (p : R * R -> bool) :
  all (fun e => p (real s (epsilon e), fraction (above e) (below e))) (entries s) ->
  all p (ledger_of s).
Proof.
rewrite /ledger_of; elim: (entries s) => [|e es IH] //= /andP[pe /IH pes].
by rewrite all_cat pes all_nseq pe orbT.
Qed.

Lemma size_ledger : IZR (number_of_mechanisms s) = (size (ledger_of s))%:R.
Proof.
rewrite /number_of_mechanisms /ledger_of; elim: (entries_ok ok) => [|e es [c0 _ _ _] _ IH] //=.
by rewrite size_cat size_nseq natrD IZRD IH IZR_to_nat.
Qed.

Lemma greatest_epsilon_ge logs e : List.In e (entries s) ->
  Z.le (enclose f s logs (epsilon e)).2 (greatest_epsilon f s logs).
Proof.
rewrite /greatest_epsilon; elim: (entries s) => [|e' es IH] //= [->|/IH]; first exact: Z.le_max_l.
by move=> h; apply: Z.le_trans h (Z.le_max_r _ _).
Qed.
End Advanced.

Theorem check_advanced_composition_sound f s x u v a b : check_advanced_composition f s x u v a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
case/and4P=> ok /Z.ltb_lt b0 /Z.leb_le ab /and4P[/Z.ltb_lt v0 /Z.ltb_lt rest0 hd].
have bits0 : Z.le 0 (bits f) by case/and4P: ok => /Z.leb_le.
have one0 : 0 < IZR (2 ^ bits f) by exact/RltP/power2_gt0.
set logs := logarithms _ _; set top := greatest_epsilon f s logs.
case E: (exponential _ _) => [g|] //; set rest := (_ - _)%coqZ in rest0 *.
pose e := IZR top / IZR (2 ^ bits f).
have He : enclosed (bits f) e (top, top) by apply/enclosedP; rewrite /= /e divfK ?gt_eqF // lexx.
have top0 : Z.le 0 top.
  rewrite /top /greatest_epsilon; elim: (entries s) => [|m es IH] //=.
  exact: Z.le_trans IH (Z.le_max_r _ _).
have e0 : 0 <= e by rewrite divr_ge0 ?(ltW one0) // IZR_ge0.
have B0 : 0 < IZR b by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have V0 : 0 < IZR v by rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt.
have restE : IZR rest / IZR (b * v) = fraction a b - (size (ledger_of s))%:R * fraction u v.
  rewrite -(size_ledger ok) /rest /fraction IZRB !IZRM; field.
  by rewrite !gt_eqF.
have := @rule_advanced_composition _ (ledger_proper ok) (real s x) (fraction a b) e (fraction u v) e0.
cbv zeta => rule check; apply: rule.
- apply: all_ledger; apply/all_In => m hm; apply/andP; split=> /=.
    rewrite /e ler_pdivl_mulr //; have /enclosedP/andP[_ h] := enclosed_real ok (epsilon m).
    by apply: le_trans h _; rewrite IZR_le_iff; apply/Z.leb_le/greatest_epsilon_ge.
  have /Z.leb_le h := proj1 (all_In _ _) hd m hm.
  have m0 : 0 < IZR (below m).
    rewrite (IZR_lt_iff Z0); apply/Z.ltb_lt.
    have /List.Forall_forall/(_ m hm)[_ a0 lt _] := entries_ok ok; lia.
  by rewrite /fraction ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!IZRM IZR_le_iff; exact/Z.leb_le.
- by rewrite -restE divr_gt0 ?IZRM ?mulr_gt0 // (IZR_lt_iff Z0); exact/Z.ltb_lt.
- by rewrite /fraction ler_pdivr_mulr // mul1r IZR_le_iff; exact/Z.leb_le.
- apply: (surely_le_sound bits0 _ (enclosed_real ok x) check).
  apply: enclosed_mul => //; apply: enclosed_add.
    apply: enclosed_square_root => //.
    have bv0 : Z.lt 0 (b * v) by exact: Z.mul_pos_pos.
    have := enclosed_scale _ (2 * number_of_mechanisms s) _ _ (ln_of_quotient_enclosed _ bits0 _ _ bv0 rest0).
    rewrite IZRM (size_ledger ok) -restE invf_div RdivE //.
    by rewrite gt_eqF // (IZR_lt_iff Z0); exact/Z.ltb_lt.
  rewrite -(size_ledger ok); apply: enclosed_scale; apply: enclosed_sub; last exact: enclosed_one ok.
  exact: enclosed_exponential He E.
Qed.

Theorem check_murtagh_vadhan_sound f s p m x a b : check_murtagh_vadhan f s p m x a b ->
  upper (ledger_of s) (real s x) (fraction a b).
Proof.
rewrite /check_murtagh_vadhan; case E: (entries s) => [|e [|? ?]] // /andP[le grid].
have ok : subject_ok f s by case/and4P: grid.
apply: (rule_murtagh_vadhan (ledger_proper ok) _ (check_grid_upper_sound grid)).
by have := at_least_0_sound ok le; rewrite real_sub subr_ge0.
Qed.
