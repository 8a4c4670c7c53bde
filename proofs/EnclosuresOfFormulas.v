(** Enclosures of formulas.

    What may have no enclosure ([option]) is added, multiplied and so on as numbers are, so that a formula's
    enclosure is written as the formula is ([formula_scope]).  [agrees]: if there is one, it encloses. *)
From Coq Require Import Reals ZArith Lra Lia.
From ExactDP Require Import Exponentials Enclosures NormalEnclosures.
Local Open Scope R_scope.

Definition formula := option enclosure.
Definition agrees (bits : Z) (v : R) (o : formula) : Prop := forall e, o = Some e -> enclosed bits v e.

Definition joined (op : enclosure -> enclosure -> formula) (x y : formula) : formula :=
  match x, y with Some e, Some f => op e f | _, _ => None end.
Definition plus : formula -> formula -> formula := joined (fun e f => Some (add e f)).
Definition minus : formula -> formula -> formula := joined (fun e f => Some (sub e f)).
Definition negative : formula -> formula := option_map opp.
Definition times (bits : Z) : formula -> formula -> formula := joined (fun e f => Some (mul bits e f)).
Definition over (bits : Z) : formula -> formula -> formula := joined (divide bits).
Definition multiple (k : Z) : formula -> formula := option_map (scale k).
Definition part (k : Z) : formula -> formula := option_map (divide_by k).
Definition whole (bits n : Z) : formula := Some (enclosure_of_Z bits n).
Definition fraction_of (bits a b : Z) : formula := Some (enclosure_of_fraction bits a b).
Definition power_of_e (bits : Z) (x : formula) : formula :=
  match x with Some e => exponential bits e | None => None end.
Definition log_of (bits : Z) (x : formula) : formula :=
  match x with Some e => logarithm bits e | None => None end.
Global Arguments plus : simpl never.
Global Arguments minus : simpl never.
Global Arguments negative : simpl never.
Global Arguments times : simpl never.
Global Arguments over : simpl never.
Global Arguments multiple : simpl never.
Global Arguments part : simpl never.
Global Arguments power_of_e : simpl never.
Global Arguments log_of : simpl never.

Section Soundness.
Variable bits : Z.
Hypothesis bits0 : (0 <= bits)%Z.
Implicit Types (v w : R) (x y : formula).

Lemma agrees_given v e : enclosed bits v e -> agrees bits v (Some e).
Proof. intros V f h. injection h as <-. exact V. Qed.

Lemma agrees_joined v w u op x y : agrees bits v x -> agrees bits w y ->
  (forall e f, enclosed bits v e -> enclosed bits w f -> agrees bits u (op e f)) -> agrees bits u (joined op x y).
Proof.
intros V W h. destruct x as [e|]; [|discriminate]. destruct y as [f|]; [|discriminate].
apply h; [apply V|apply W]; reflexivity.
Qed.

Lemma agrees_mapped v u op x : agrees bits v x -> (forall e, enclosed bits v e -> enclosed bits u (op e)) ->
  agrees bits u (option_map op x).
Proof. intros V h f. destruct x as [e|]; intros E; [injection E as <-; apply h, V; reflexivity|discriminate]. Qed.

Lemma agrees_plus v w x y : agrees bits v x -> agrees bits w y -> agrees bits (v + w) (plus x y).
Proof. intros V W. apply (agrees_joined _ _ _ _ _ _ V W). intros. apply agrees_given, enclosed_add; assumption. Qed.

Lemma agrees_minus v w x y : agrees bits v x -> agrees bits w y -> agrees bits (v - w) (minus x y).
Proof. intros V W. apply (agrees_joined _ _ _ _ _ _ V W). intros. apply agrees_given, enclosed_sub; assumption. Qed.

Lemma agrees_negative v x : agrees bits v x -> agrees bits (- v) (negative x).
Proof. intros V. apply (agrees_mapped _ _ _ _ V). intros. apply enclosed_opp; assumption. Qed.

Lemma agrees_times v w x y : agrees bits v x -> agrees bits w y -> agrees bits (v * w) (times bits x y).
Proof. intros V W. apply (agrees_joined _ _ _ _ _ _ V W). intros. apply agrees_given, enclosed_mul; assumption. Qed.

(** A quotient with an enclosure has a divisor other than 0. *)
Lemma agrees_over v w x y : agrees bits v x -> agrees bits w y ->
  forall e, over bits x y = Some e -> w <> 0 /\ enclosed bits (v / w) e.
Proof.
intros V W e. unfold over, joined. destruct x as [f|]; [|discriminate]. destruct y as [g|]; [|discriminate].
unfold divide. destruct (inverse bits g) as [i|] eqn:h; [|discriminate]. intros E. injection E as <-.
destruct (enclosed_inverse bits bits0 _ _ _ (W _ eq_refl) h) as [w0 I]. split; [exact w0|].
apply enclosed_mul; [assumption|apply V; reflexivity|exact I].
Qed.

Lemma agrees_divided v w x y : agrees bits v x -> agrees bits w y -> agrees bits (v / w) (over bits x y).
Proof. intros V W e h. apply (agrees_over v w x y V W e h). Qed.

Lemma agrees_multiple k v x : agrees bits v x -> agrees bits (IZR k * v) (multiple k x).
Proof. intros V. apply (agrees_mapped _ _ _ _ V). intros. apply enclosed_scale; assumption. Qed.

Lemma agrees_part k v x : (0 < k)%Z -> agrees bits v x -> agrees bits (v / IZR k) (part k x).
Proof. intros k0 V. apply (agrees_mapped _ _ _ _ V). intros. apply enclosed_divide_by; assumption. Qed.

Lemma agrees_whole n : agrees bits (IZR n) (whole bits n).
Proof. apply agrees_given, enclosed_Z, bits0. Qed.

Lemma agrees_fraction a b : (0 < b)%Z -> agrees bits (IZR a / IZR b) (fraction_of bits a b).
Proof. intros b0. apply agrees_given, enclosed_quotient; assumption. Qed.

Lemma agrees_power v x : agrees bits v x -> agrees bits (exp v) (power_of_e bits x).
Proof.
intros V f. destruct x as [e|]; [|discriminate]. apply enclosed_exponential; [assumption|apply V; reflexivity].
Qed.

Lemma agrees_log v x : agrees bits v x -> agrees bits (ln v) (log_of bits x).
Proof.
intros V f. destruct x as [e|]; [|discriminate]. intros h.
apply (enclosed_logarithm bits bits0 v e f); [apply V; reflexivity|exact h].
Qed.
End Soundness.
