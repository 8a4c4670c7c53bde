(** The verified checker: which samples are at most which (SPEC, 7.6), of mechanisms by their noise. *)
From Coq Require Import Reals ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Notions NoiseLedgers SamplesInOrder RulesNoiseWorkloads Ratios.
From ExactDP Require Import CheckerClosed CheckerNoise CertificateNumbers CertificateStatements CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Definition alike (x y : ratio) : bool := Z.eqb x.1 y.1 && Pos.eqb x.2 y.2.
Fixpoint alike_rows (s t : seq (ratio * ratio)) : bool :=
  match s, t with
  | [::], [::] => true
  | x :: s', y :: t' => [&& alike x.1 y.1, alike x.2 y.2 & alike_rows s' t']
  | _, _ => false
  end.

(** --- programs --- *)

Definition with_record (x : sample) : bool := if has_record x is WithRecord then true else false.
Definition base_fit (b : base_noise) : bool :=
  match b with
  | BaseNormal m => Z.leb 0 m.1
  | BaseLaplace a => Z.leb 0 a.1
  | BaseRange e => Z.ltb 0 e.1
  | BaseShift r _ => Z.ltb 0 r.1
  | BaseBell v _ => Z.ltb 0 v.1
  | BaseLines _ | BaseReports _ => false
  end.
Definition sample_fit (x : sample) : bool := Z.ltb 0 (rate x).1 && base_fit (base x).

(** The second is at most the first, whose rate may be 1, that is, which may have none. *)
Definition base_at_least (b b' : base_noise) : bool :=
  match b, b' with
  | BaseNormal m, BaseNormal m' => rle m' m
  | BaseLaplace a, BaseLaplace a' => rle a' a
  | BaseRange e, BaseRange e' => rle e' e
  | BaseShift r s, BaseShift r' s' => rle r' r && Pos.leb s' s
  | BaseBell v s, BaseBell v' s' => alike v v' && Pos.leb s' s
  | _, _ => false
  end.
Definition whole_of (x : single) : option base_noise :=
  match x with
  | Plain (ByMu m) => Some (BaseNormal m)
  | Laplaced a => Some (BaseLaplace a)
  | Shifted r s => Some (BaseShift r s)
  | Belled v s => Some (BaseBell v s)
  | _ => None
  end.
Definition at_least_sample (x : single) (x' : sample) : bool :=
  [&& with_record x', sample_fit x', rle (rate x') Ratios.one &
  if x is Sampled y
  then [&& with_record y, rle (rate x') (rate y), rle (rate y) Ratios.one & base_at_least (base y) (base x')]
  else if whole_of x is Some b then base_at_least b (base x') else false].

(** The second table is drawn from the rows of the first, which is taken in a share s of all cases; the
    share is that by which a row differs. *)
Definition drawn_rows (s : ratio) (t t' : table) : bool :=
  Nat.eqb (size t) (size t') &&
  all (fun x => alike x.1.2 x.2.2 && req x.2.1 (radd (rmul (rsub Ratios.one s) x.1.2) (rmul s x.1.1))) (zip t t').
Definition share_of (x : (ratio * ratio) * (ratio * ratio)) : option ratio :=
  let whole := rsub x.1.1 x.1.2 in
  if Z.ltb 0 whole.1 then Some (rdiv (rsub x.2.1 x.1.2) whole) else None.
Definition at_least_table (t t' : table) : bool :=
  alike_rows t t' || [&& is_law (unzip1 t), is_law (unzip2 t) &
    if pmap share_of (zip t t') is s :: _ then [&& Z.leb 0 s.1, rle s Ratios.one & drawn_rows s t t'] else false].

(** --- soundness --- *)

Lemma alikeP x y : alike x y -> x = y.
Proof. by case: x y => [n d] [n' d'] /andP[/Z.eqb_eq /= -> /Pos.eqb_eq /= ->]. Qed.

Lemma alike_rowsP s t : alike_rows s t -> s = t.
Proof.
elim: s t => [|[x y] s IH] [|[x' y'] t] //= /and3P[/alikeP -> /alikeP -> /IH ->] //.
Qed.

Lemma of_gt0 (x : ratio) : Z.ltb 0 x.1 -> 0 < of_ratio x.
Proof. by move=> x0; rewrite -of_zero -of_rlt /rlt /= Z.mul_1_r. Qed.

Lemma base_fit_sound b : base_fit b -> curve_fit (curve_of b).
Proof.
case: b => [m|a|e|r s|v s|//|//] /=; try exact: of_ge0; try exact: of_gt0.
by move=> /of_gt0 r0; split=> //; exact/ssrnat.ltP/Pos2Nat.is_pos.
Qed.

Lemma sample_fit_sound x : sample_fit x -> proper_query (ByEntry (sample_noise x)).
Proof. by case: x => w q b /andP[/of_gt0 q0 /base_fit_sound]. Qed.

Lemma base_at_least_sound b b' : base_at_least b b' -> curve_at_most (curve_of b') (curve_of b).
Proof.
case: b b' => [m|a|e|r s|v s|h|h] [m'|a'|e'|r' s'|v' s'|h'|h'] //=; rewrite ?of_rle //.
  by case/andP=> -> /Pos.leb_le ss; split=> //; exact/ssrnat.leP/Pos2Nat.inj_le.
by case/andP=> /alikeP -> /Pos.leb_le ss; split=> //; exact/ssrnat.leP/Pos2Nat.inj_le.
Qed.

Lemma whole_of_sound x b b' : whole_of x = Some b -> base_at_least b b' -> below_whole (curve_of b') (noise_of x).
Proof.
case: x => [[e d|m|r]|r s|a|e|os|t|y|v s|u] //= [<-]; case: b' => [m'|a'|e'|r' s'|v' s'|h'|h'] //=; rewrite ?of_rle //.
  by case/andP=> -> /Pos.leb_le ss; split=> //; exact/ssrnat.leP/Pos2Nat.inj_le.
by case/andP=> /alikeP -> /Pos.leb_le ss; split=> //; exact/ssrnat.leP/Pos2Nat.inj_le.
Qed.

Lemma at_least_sample_sound x x' : at_least_sample x x' -> at_most (ByEntry (sample_noise x')) (ByEntry (noise_of x)).
Proof.
rewrite /at_least_sample; case: x' => w' q' b'; case/and4P=> /=; case: w' => // _ /andP[/of_gt0 q0 /base_fit_sound ok]; rewrite of_rle of_one => q1.
have whole : (if whole_of x is Some b then base_at_least b b' else false) -> below_whole (curve_of b') (noise_of x).
  by case W: (whole_of x) => [b|] // /(whole_of_sound W).
case: x whole => [p|r s|a|e|os|t|[w q b]|v s|u] whole; try by move=> /whole.
by case: w {whole} => //= /and3P[]; rewrite !of_rle of_one => le le1 /base_at_least_sound.
Qed.

Lemma drawn_rows_sound s t t' : drawn_rows s t t' -> real_table t' = mixed_rows (of_ratio s) (real_table t).
Proof.
case/andP=> /Nat.eqb_eq e; rewrite /real_table /mixed_rows -map_comp.
elim: t t' e => [|x t IH] [|x' t'] //= [/IH{}IH] /andP[/andP[/alikeP e1 /of_req e2] /IH ->].
by rewrite -e1 e2 of_radd !of_rmul of_rsub of_one.
Qed.

Lemma at_least_table_sound t t' : at_least_table t t' -> table_at_most (real_table t') (real_table t).
Proof.
case/orP=> [/alike_rowsP ->|/and3P[p q]]; first by left.
case: (pmap _ _) => // s _ /and3P[s0 s1 /drawn_rows_sound rows]; right; exists (of_ratio s); split=> //.
- exact: of_ge0.
- by rewrite -of_one -of_rle.
- by have := is_lawP p; rewrite /unzip1 /real_table -!map_comp.
by have := is_lawP q; rewrite /unzip2 /real_table -!map_comp.
Qed.
