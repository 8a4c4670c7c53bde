(** The greatest of sublinear functions of two weights is one ([greatest_sublinear]): what may be gained at
    most from any of several mechanisms, for instance from all of a kind. *)
From Coq Require Import Reals FunctionalExtensionality.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp.analysis Require Import Rstruct.
From Coquelicot Require Rbar.
From Coquelicot Require Import Lub.
From ExactDP Require Import PositivePart Privacy Reals CellsOfNormal Sublinear.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Greatest.
Variable gains : (R -> R -> R) -> Prop.

(** The least upper bound (Coquelicot's, whose axioms are those of the real numbers). *)
Definition greatest (a b : R) : R :=
  Rbar.real (Lub_Rbar (fun x => exists F, gains F /\ x = F a b)).

Hypotheses (some : exists F, gains F) (linear : forall F, gains F -> sublinear F).

Lemma greatest_least (a b : R) : 0 <= a -> 0 <= b -> (forall F, gains F -> F a b <= greatest a b) /\
  forall x : R, (forall F, gains F -> F a b <= x) -> greatest a b <= x.
Proof.
move=> a0 b0; rewrite /greatest; set E := fun x : R => _; have [above least] := Lub_Rbar_correct E.
have [F0 g0] := some.
have bounded x : (forall F, gains F -> F a b <= x) -> is_ub_Rbar E (Rbar.Finite x).
  by move=> h _ [F [g ->]]; exact/RleP/h.
move: above least; case: (Lub_Rbar E) => [l|/= _ least|above _] /=.
- move=> above least; split=> [F g|x /bounded/least/RleP //].
  by apply/RleP; apply: (above (F a b)); exists F.
- case: (least (Rbar.Finite a)); apply: bounded => F g.
  by case/andP: (sublinear_bounds (linear g) a0 b0).
by case: (above (F0 a b)); exists F0.
Qed.

Lemma greatest_ge F (a b : R) : gains F -> 0 <= a -> 0 <= b -> F a b <= greatest a b.
Proof. by move=> g a0 b0; case: (greatest_least a0 b0) => h _; exact: h. Qed.

Lemma greatest_le (a b x : R) : 0 <= a -> 0 <= b -> (forall F, gains F -> F a b <= x) -> greatest a b <= x.
Proof. by move=> a0 b0; case: (greatest_least a0 b0) => _; exact. Qed.

Lemma greatest_near (a b tau : R) : 0 <= a -> 0 <= b -> 0 < tau ->
  exists F, gains F /\ greatest a b <= F a b + tau.
Proof.
move=> a0 b0 t0.
have [//|none] := Classical_Prop.classic (exists F, gains F /\ greatest a b <= F a b + tau).
have : greatest a b <= greatest a b - tau.
  apply: greatest_le => // F g; have [le|/ltW] := leP (greatest a b) (F a b + tau).
    by case: none; exists F.
  by rewrite -ler_subr_addr.
by rewrite ler_subr_addr ger_addl leNgt t0.
Qed.

Lemma greatest_sublinear : sublinear greatest.
Proof.
have ge0 (a b : R) : 0 <= a -> 0 <= b -> 0 <= greatest a b.
  move=> a0 b0; have [F g] := some; apply: le_trans (greatest_ge g a0 b0).
  by case/andP: (sublinear_bounds (linear g) a0 b0).
split=> [c a b c0 a0 b0|a b a' b' a0 b0 a'0 b'0|a b a0 b0|a b a' b' a0 b0 a'0 b'0].
- apply/eqP; rewrite eq_le; apply/andP; split.
    apply: greatest_le; rewrite ?mulr_ge0 // => F g; rewrite (sublinear_scale (linear g)) //.
    by rewrite ler_wpmul2l //; exact: greatest_ge.
  move: c0; rewrite le_eqVlt => /predU1P[<-|c0]; first by rewrite !mul0r; exact: ge0.
  rewrite mulrC -ler_pdivl_mulr //; apply: greatest_le => // F g; rewrite ler_pdivl_mulr // mulrC.
  rewrite -(sublinear_scale (linear g)) ?(ltW c0) //.
  by apply: greatest_ge => //; exact: mulr_ge0 (ltW c0) _.
- apply: greatest_le; rewrite ?addr_ge0 // => F g.
  apply: le_trans (sublinear_add (linear g) a0 b0 a'0 b'0) _.
  by apply: ler_add; exact: greatest_ge.
- rewrite ge0 //; apply: greatest_le => // F g.
  by case/andP: (sublinear_bounds (linear g) a0 b0).
apply: greatest_le => // F g; apply: le_trans (sublinear_step (linear g) a0 b0 a'0 b'0) _.
by rewrite ler_add2r; exact: greatest_ge.
Qed.
End Greatest.

