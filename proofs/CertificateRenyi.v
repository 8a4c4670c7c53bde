(** The rule `moments` about a ledger as it is read from a certificate: what is added up, with Laplace noise
    and samples among what is listed (CheckerLaplace.v, CheckerSamples.v), is no less than what is known of its mechanisms. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Powers Moments RulesConcentrated RulesNoiseRenyi NoiseLedgers NoiseEntries.
From ExactDP Require Import Ratios CheckerClosed CheckerNotions CheckerConcentrated CheckerConcentratedTheorems.
From ExactDP Require Import CheckerNoise CheckerLaplace CertificateStatements CertificateNoise CheckerSamples.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** What is listed by itself, with what stands for Laplace noise and for samples. *)
Definition listed_with (w : Z) (o : order) (N : noise_ledger) : option (seq (orders * Z)) :=
  if (laplace_orders w o (laplaced N), sample_orders w o (samples N)) is (Some ls, Some ss)
  then Some (ls ++ divergent N ++ ss) else None.

Lemma noise_renyi_shown f w m o N ls x a b : noise_ok N -> listed_with w o N = Some ls ->
  notions_of m = notions (standing_in N) -> check_noise_renyi f w m o ls (tabled N) x a b ->
  let es := [seq entry_at (order_of o) n | n <- noises N] in
  [/\ 1 < order_of o, all (entry_proper (order_of o)) (noises N), all (proper_entry (order_of o)) es,
    0 < noise_slack es (fraction a b) &
    \sum_(e <- es) log_bound (order_of o) e + (1 - order_of o) * real (approximates m) x + log_conversion (order_of o) <=
      ln (noise_slack es (fraction a b))].
Proof.
move=> ok + own C es; have [v0 none] : all (fun x => Z.ltb 0 x.1.1.1) (bells N) /\ none_of (batched N).
  by case/and5P: ok => _ _ _ _ /and3P[].
have [w0 o_ok] : Z.le 0 w /\ order_ok o.
  by case/andP: C => /and4P[/well_formedP[_ w0] o_ok _ _] _.
rewrite /listed_with; case L: (laplace_orders _ _ _) => [ls1|] //; case S: (sample_orders _ _ _) => [ls2|] // [lsE].
have [sampled more'] := sample_ordersP w0 o_ok S; have more := laplace_ordersP w0 o_ok L.
have [a1 proper D0 le] := check_noise_renyi_shows C; rewrite own in proper D0 le.
have [p k1 sum] := entries_permutation (order_of o) (fraction a b) (noises_entries (order_of o) v0 none).
rewrite -p -k1 -sum; have [lap kept] := in_laplaces_proper (order_of o) (laplaced N).
have [sam kept'] := in_samples_proper (order_of o) (samples N).
have cat : in_orders ls = in_orders ls1 ++ in_orders (divergent N) ++ in_orders ls2.
  by rewrite -lsE /in_orders !many_cat.
rewrite cat in proper D0 le; set tables := in_tables _ _ in proper D0 le *.
have same : noise_slack ([seq Stated n | n <- notions (standing_in N)] ++ in_laplaces (order_of o) (laplaced N) ++
      in_orders (divergent N) ++ tables ++ in_samples (order_of o) (samples N)) (fraction a b) =
    noise_slack ([seq Stated n | n <- notions (standing_in N)] ++
      (in_orders ls1 ++ in_orders (divergent N) ++ in_orders ls2) ++ tables) (fraction a b).
  by rewrite /noise_slack /noise_kept !big_cat /= kept kept' !kept_in_orders !mul1r mulr1.
rewrite same; split=> //; first exact: noises_proper.
  by move: proper; rewrite !all_cat lap sam !andbT => /andP[-> /andP[/and3P[_ -> _] ->]].
apply: le_trans le; rewrite !ler_add2r !big_cat /= ler_add2l -!addrA; apply: ler_add more _.
by rewrite ler_add2l addrC ler_add2r.
Qed.
