(** The rule `noise-renyi` about a ledger as it is read from a certificate: what is added up, with Laplace noise
    among what is listed (CheckerLaplace.v), is no less than what is known of its mechanisms. *)
From Coq Require Import Reals ZArith Permutation.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import Reals Rules Notions Powers Moments RulesConcentrated RulesNoiseRenyi NoiseLedgers NoiseEntries.
From ExactDP Require Import Ratios CheckerClosed CheckerNotions CheckerConcentrated CheckerConcentratedTheorems.
From ExactDP Require Import CheckerNoise CheckerLaplace CertificateStatements CertificateNoise.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

Lemma noise_renyi_shown f w m o N ls x a b : noise_ok N -> laplace_orders w o (laplaced N) = Some ls ->
  notions_of m = notions (standing_in N) -> check_noise_renyi f w m o (ls ++ divergent N) (tabled N) x a b ->
  let es := [seq entry_at (order_of o) n | n <- noises N] in
  [/\ 1 < order_of o, all (proper_entry (order_of o)) es, 0 < noise_slack es (fraction a b) &
    \sum_(e <- es) log_bound (order_of o) e + (1 - order_of o) * real (approximates m) x + log_conversion (order_of o) <=
      ln (noise_slack es (fraction a b))].
Proof.
move=> ok L own C es; have [none none' none''] : [/\ none_of (samples N), none_of (bells N) & none_of (batched N)].
  by case/and5P: ok => _ _ _ _ /and4P[].
have [w0 o_ok] : Z.le 0 w /\ order_ok o.
  by case/andP: C => /and4P[/well_formedP[_ w0] o_ok _ _] _.
have [a1 proper D0 le] := check_noise_renyi_shows C; rewrite own in proper D0 le.
have [p k1 sum] := entries_permutation (order_of o) (fraction a b) (noises_entries (order_of o) none none' none'').
rewrite -p -k1 -sum; have more := laplace_ordersP w0 o_ok L.
have [lap kept] := in_laplaces_proper (order_of o) (laplaced N).
have cat : in_orders (ls ++ divergent N) = in_orders ls ++ in_orders (divergent N) by exact: many_cat.
rewrite !cat in proper D0 le.
have same : noise_slack ([seq Stated n | n <- notions (standing_in N)] ++ in_laplaces (order_of o) (laplaced N) ++
      in_orders (divergent N) ++ in_tables (order_of o) (tabled N)) (fraction a b) =
    noise_slack ([seq Stated n | n <- notions (standing_in N)] ++ (in_orders ls ++ in_orders (divergent N)) ++
      in_tables (order_of o) (tabled N)) (fraction a b).
  by rewrite /noise_slack /noise_kept !big_cat /= kept !kept_in_orders !mul1r.
rewrite same; split=> //.
  by move: proper; rewrite !all_cat lap => /andP[-> /andP[/andP[_ ->] ->]].
apply: le_trans le; rewrite !ler_add2r !big_cat /= ler_add2l -addrA ler_add2r; exact: more.
Qed.

