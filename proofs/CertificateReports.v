(** Shuffled reports (SPEC, 7.1) as a certificate gives them; and that what is told of them is above no profile that the checker
    looks at: with the rate 1 ([reports_stand]). *)
From Coq Require Import Ascii String Reals ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions NoiseLedgers Logarithms Exponentials Enclosures EnclosuresOfNumbers.
From ExactDP Require Import LocalReports CheckerReports Ratios CheckerClosed CheckerDelta CertificateJson CertificateNumbers CertificateStatements CertificateNoise CertificateConstraints.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** How far the answers to two values of a record are apart at most; by a ratio, or by its logarithm. *)
Inductive local_odds := Odds of ratio | LocalEpsilon of ratio.
Definition real_odds (o : local_odds) : R :=
  match o with Odds e => of_ratio e | LocalEpsilon l => exp (of_ratio l) end.

(** A ratio above it, of 64 places where it is none. *)
Definition odds_above (o : local_odds) : option ratio :=
  let known e := if Z.ltb (Zpos e.2) e.1 then Some e else None in
  match o with
  | Odds e => known e
  | LocalEpsilon l =>
      if Z.ltb 0 l.1 then
        if exponential_at 256 (ceil_div (l.1 * 2 ^ 256) (Zpos l.2)) is Some x
        then known (ceil_div x.2 (2 ^ 192), Pos.pow 2 64) else None
      else None
  end.

(** With which chance each other record is drawn by one of two letters: of any randomizers, and of randomized response. *)
Definition share_of_any (e : ratio) : ratio := (Zpos e.2, Z.to_pos e.1).
Definition share_of_responses (e : ratio) : ratio := ((2 * Zpos e.2)%coqZ, Z.to_pos (e.1 + Zpos e.2)).
Definition sample_of_reports (all : BinNums.positive) (share e : ratio) : sample :=
  Sample WithEither (1%coqZ, xH) (BaseReports (ReportCounts (Pos.pred all) share e)).

(** --- that it stands --- *)

Lemma exp_gt1 (x : R) : 0 < x -> 1 < exp x.
Proof.
move=> x0; rewrite ltNge; apply/negP => le; have : exp x <= exp 0 by rewrite exp_0.
by rewrite exp_le leNgt x0.
Qed.

Lemma odds_aboveP o e : odds_above o = Some e -> [/\ 1 < real_odds o, real_odds o <= of_ratio e & Z.lt (Zpos e.2) e.1].
Proof.
have one_below (r : ratio) : Z.lt (Zpos r.2) r.1 -> 1 < of_ratio r.
  by move=> lt; rewrite /of_ratio /fraction ltr_pdivl_mulr ?(IZR_lt_iff Z0) // mul1r IZR_lt_iff; exact/Z.ltb_lt.
case: o => [r|l] /=; first by case: Z.ltb_spec => // lt [<-]; split=> //; exact: one_below.
case: Z.ltb_spec => // l0; set a := ceil_div _ _; case X: (exponential_at _ _) => [x|] //.
set r := (ceil_div _ _, _); case: Z.ltb_spec => // lt [<-].
have L0 : 0 < of_ratio l by rewrite /of_ratio /fraction divr_gt0 // (IZR_lt_iff Z0) //; exact/Z.ltb_lt.
split=> //; first exact: exp_gt1.
have W0 : 0 < IZR (2 ^ 256) by exact: power2_gt0.
have al : of_ratio l <= IZR a / IZR (2 ^ 256).
  rewrite ler_pdivl_mulr //; apply: ceil_div_above => //; rewrite IZRM mulrA; apply: ler_wpmul2r; first exact: ltW.
  by rewrite /of_ratio /fraction mulrC divfK // gt_eqF // (IZR_lt_iff Z0).
have /enclosedP/andP[_ hi] := exponential_at_enclosed 256 (ltac:(lia) : Z.le 0 256) _ _ X.
rewrite RdivE ?gt_eqF // in hi.
have top : exp (of_ratio l) * IZR (2 ^ 256) <= IZR x.2.
  by apply: le_trans hi; rewrite ler_pmul2r // exp_le.
have p64 : IZR (Zpos (Pos.pow 2 64)) * IZR (2 ^ 192) = IZR (2 ^ 256) by rewrite -IZRM.
have P0 : 0 < IZR (Zpos (Pos.pow 2 64)) by rewrite (IZR_lt_iff Z0).
rewrite /r /of_ratio /fraction [(_, _).1]/= [(_, _).2]/= ler_pdivl_mulr //.
apply: ceil_div_above => //; apply: le_trans top; rewrite mulrC -mulrA p64; exact: lexx.
Qed.

Lemma rate_1 (c : noise_curve) (y : R) : 1 <= y -> sampled_curve (of_ratio (1%coqZ, xH)) c y = curve_at c y.
Proof.
have -> : of_ratio (1%coqZ, xH) = 1 by rewrite /of_ratio /fraction divr1.
by move=> y1; rewrite /sampled_curve subrr subr0 divr1 mul1r leNgt (lt_le_trans ltr01 y1).
Qed.

Lemma all_others (all : BinNums.positive) : Pos.ltb 1 all -> Pos.to_nat all = (Pos.to_nat (Pos.pred all)).+1.
Proof. by move/Pos.ltb_lt => h; rewrite -Pos2Nat.inj_succ Pos.succ_pred //; lia. Qed.

Lemma curve_stands (all : BinNums.positive) (share e : ratio) (Y : finType) (P Q : Y -> R) : distribution P -> distribution Q ->
  (forall y : R, 1 <= y ->
     hockey_stick 1 y P Q <= letters_curve (Pos.to_nat (Pos.pred all)) (of_ratio share) (of_ratio e) y /\
     hockey_stick 1 y Q P <= letters_curve (Pos.to_nat (Pos.pred all)) (of_ratio share) (of_ratio e) y) ->
  has_noise (sample_noise (sample_of_reports all share e)) P Q.
Proof.
move=> dP dQ h; split=> // y y1; have [h1 h2] := h y y1.
by split; rewrite [rate _]/= rate_1.
Qed.

Theorem reports_stand (all : BinNums.positive) (o : local_odds) (e : ratio) (Y : finType) (P Q : Y -> R) : Pos.ltb 1 all ->
  odds_above o = Some e -> distribution P -> distribution Q -> told_of_reports (real_odds o) (Pos.to_nat all) P Q ->
  has_noise (sample_noise (sample_of_reports all (share_of_any e) e)) P Q.
Proof.
move=> all1 /odds_aboveP[o1 oe e1] dP dQ; rewrite (all_others all1) => told.
have E1 : 1 < of_ratio e := lt_le_trans o1 oe.
have more : forall (Z : finType) (S T : Z -> R), told_of_reports (real_odds o) (Pos.to_nat (Pos.pred all)).+1 S T ->
    told_of_reports (of_ratio e) (Pos.to_nat (Pos.pred all)).+1 S T.
  by move=> Z S T [A [X [r [l t]]]]; exists A, X, r; split=> //; exact: local_more l.
have shareE : of_ratio (share_of_any e) = (of_ratio e)^-1.
  by rewrite /of_ratio /fraction /= invf_div Z2Pos.id //; lia.
apply: curve_stands => // y y1; rewrite shareE; split; apply: clones => //; apply: more => //.
exact: told_of_reports_back.
Qed.

Theorem responses_stand (all k : BinNums.positive) (o : local_odds) (e : ratio) (Y : finType) (P Q : Y -> R) : Pos.ltb 1 all ->
  odds_above o = Some e -> distribution P -> distribution Q ->
  told_of_responses (real_odds o) (Pos.to_nat k) (Pos.to_nat all) P Q ->
  has_noise (sample_noise (sample_of_reports all (share_of_responses e) e)) P Q.
Proof.
move=> all1 /odds_aboveP[o1 oe e1] dP dQ; rewrite (all_others all1) => told.
have k0 : (0 < Pos.to_nat k)%N by apply/ssrnat.ltP; exact: Pos2Nat.is_pos.
have B0 : IZR (Zpos e.2) != 0 by rewrite gt_eqF // (IZR_lt_iff Z0).
have shareE : of_ratio (share_of_responses e) = (2%:R / (of_ratio e + 1))%R.
  have -> : of_ratio e + 1 = IZR (e.1 + Zpos e.2) / IZR (Zpos e.2) by rewrite IZRD mulrDl divff.
  rewrite invf_div mulrA /of_ratio /fraction /share_of_responses; cbn [fst snd].
  by rewrite IZRM Z2Pos.id //; lia.
apply: curve_stands => // y y1; rewrite shareE; split; apply: (responses_dominated o1 oe k0 y1); first exact: told.
exact: told_of_shuffled_back.
Qed.

(** --- reading --- *)

Definition most_reports : Z := 10 ^ 9.
Definition most_odds_bits : Z := 256.
Definition read_odds (s : string) : option local_odds :=
  if read_rational s is Some e then
    if rlt Ratios.one e && Z.leb (bits_of e) most_odds_bits then Some (Odds e) else None
  else None.
Definition read_local (s : string) : option local_odds :=
  if read_rational s is Some l then
    if [&& rle (1%coqZ, Pos.pow 10 9) l, rle l (40%coqZ, xH) & Z.leb (bits_of l) most_odds_bits] then Some (LocalEpsilon l) else None
  else None.
Definition read_many (s : string) : option BinNums.positive :=
  if read_whole 2 most_reports s is Some (Zpos n) then Some n else None.

(** How many reports, the odds, and, of randomized response, how many values. *)
Definition read_reports (j : json) : option (BinNums.positive * local_odds * option BinNums.positive) :=
  let of_any o m := if (o, read_many m) is (Some o, Some m) then Some (m, o, None) else None in
  let of_values o m k := if (o, read_many m, read_many k) is (Some o, Some m, Some k) then Some (m, o, Some k) else None in
  match fields [:: "odds"; "reports"]%string j, fields [:: "local_epsilon"; "reports"]%string j,
        fields [:: "odds"; "reports"; "values"]%string j, fields [:: "local_epsilon"; "reports"; "values"]%string j with
  | Some [:: Text e; Text m], _, _, _ => of_any (read_odds e) m
  | _, Some [:: Text l; Text m], _, _ => of_any (read_local l) m
  | _, _, Some [:: Text e; Text m; Text k], _ => of_values (read_odds e) m k
  | _, _, _, Some [:: Text l; Text m; Text k] => of_values (read_local l) m k
  | _, _, _, _ => None
  end.
