(** The rule `atoms` (SPEC, 7.4), with exact masses, about a ledger of tables beside mechanisms given by
    epsilon and delta, as it is read from a certificate; the table of a sample is read as one (CertificateNoise.v).

    One list of masses is enough for both directions of the pairs. *)
From Coq Require Import Reals ZArith Permutation Lia.
From mathcomp Require Import all_ssreflect all_algebra ring.
From mathcomp Require Import ssrZ.
From mathcomp.analysis Require Import Rstruct.
From ExactDP Require Import PositivePart Privacy Reals Rules Notions Failures RulesGaussian RulesNoiseRenyi NoiseLedgers NoiseTests.
From ExactDP Require Import RuleExactTables Logarithms Comparisons Ratios CheckerClosed CheckerDelta.
From ExactDP Require Import CheckerNotions CheckerGaussian CheckerNoise CheckerExactTables.
From ExactDP Require CheckerRationalOdds CheckerRationalOddsSound NotionsTrivial.
From ExactDP Require Import CertificateJson CertificateNumbers CertificateStatements CertificateProblems CertificateNoise.
From ExactDP Require Import Workloads OrderOfNoise CertificateNoiseTests CheckerProfiles CertificateProfiles.
From ExactDP Require Import OrderOfProfiles OrderOfExactTables.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** --- the check --- *)

Definition odds := CheckerRationalOdds.odds.
Definition odds_bound := CheckerRationalOdds.odds_bound.

Definition response_group (s : subject) (e : entry) : option rows_of_group :=
  if odds s (epsilon e) is Some (n, d) then Some ([:: (n, d); (d, n)], (n + d)%coqZ, count e) else None.

(** The rows over the least common denominator. *)
Definition least_common (t : table) : Z :=
  foldr (fun x W => Z.lcm (Zpos x.1.2) (Z.lcm (Zpos x.2.2) W)) 1%coqZ t.
Definition over_denominator (W : Z) (x : ratio) : Z := (x.1 * floor_div W (Zpos x.2))%coqZ.
Definition divides_into (W : Z) (x : ratio) : bool := Z.eqb (floor_div W (Zpos x.2) * Zpos x.2) W.
Definition table_group (x : table * Z) : option rows_of_group :=
  let t := x.1 in let W := least_common t in
  let rs := [seq (over_denominator W y.1, over_denominator W y.2) | y <- t] in
  if [&& Z.ltb 0 W, all (fun y => divides_into W y.1 && divides_into W y.2) t,
      Z.eqb (foldl (fun sum y => sum + y.1) 0 rs) W & Z.eqb (foldl (fun sum y => sum + y.2) 0 rs) W]%coqZ
  then Some (rs, W, x.2) else None.

(** Nothing but tables, what is given by epsilon and delta, and a mu or rho of 0. *)
Definition all_0 (levels : seq (ratio * Z)) : bool := all (fun l => Z.eqb l.1.1 0) levels.
Definition tables_alone (N : noise_ledger) : bool :=
  [&& all_0 (of_mu (others N)), all_0 (of_rho (others N)), none_of (shifted N), none_of (laplaced N) &
  [&& none_of (ranged N), none_of (divergent N), none_of (samples N), none_of (bells N) & none_of (batched N)]].

Section Check.
Variables (f : effort) (m : mixed_subject) (N : noise_ledger) (sums : nat) (x : combination) (a b : Z).
Let s := approximates m.

(** Of the pairs, and exchanged, times the last. *)
Definition divergences (upward : bool) : option (Z * Z * Z) :=
  if [&& tables_alone N, mixed_ok f m & Z.ltb 0 b] then
    match odds_bound f s upward x, read_all (response_group s) (entries s), read_all table_group (tabled N) with
    | Some (y, unit), Some rs, Some ts =>
        let gs := ts ++ rs in
        if all group_ok gs && Z.leb 0 y then
          if collected sums gs [:: (1, 1)%coqZ] is Some st then
            let W := (unit * whole gs)%coqZ in
            Some ((W - overlap_of unit y st)%coqZ, (W - overlap_of unit y [seq (z.2, z.1) | z <- st])%coqZ, W)
          else None
        else None
    | _, _, _ => None
    end
  else None.

Definition check_exact_tables_upper : bool :=
  if divergences true is Some (forth, back, W) then
    let: (above, below) := Delta_fraction s a b in
    Z.leb (forth * below) (above * W) && Z.leb (back * below) (above * W)
  else false.
Definition check_exact_tables_lower : bool :=
  if divergences false is Some (forth, back, W) then
    let: (above, below) := Delta_fraction s a b in
    Z.ltb (above * W) (forth * below) || Z.ltb (above * W) (back * below)
  else false.
End Check.

(** --- soundness --- *)

Lemma pos_IZR z : Z.lt 0 z -> 0 < IZR z.
Proof. by move=> h; rewrite (IZR_lt_iff Z0); exact/Z.ltb_lt. Qed.

Lemma response_groupP f s e g : subject_ok f s -> response_group s e = Some g ->
  real_rows g.1.1 g.1.2 = response_table (real s (epsilon e)) /\ g.2 = count e.
Proof.
move=> ok; rewrite /response_group /odds; case o: CheckerRationalOdds.odds => [[n d]|] // [<-].
have [n0 d0 E] := CheckerRationalOddsSound.odds_sound ok o; split=> //.
rewrite /real_rows /response_table E /= IZRD; have n1 := pos_IZR n0; have d1 := pos_IZR d0.
have D : IZR d != 0 by rewrite gt_eqF.
have S : IZR n + IZR d != 0 by rewrite gt_eqF // addr_gt0.
have S' : IZR d + IZR n != 0 by rewrite addrC.
have -> : IZR n / IZR d / (1 + IZR n / IZR d) = IZR n / (IZR n + IZR d) by field; rewrite ?D ?S ?S'.
by have -> : 1 / (1 + IZR n / IZR d) = IZR d / (IZR n + IZR d) by field; rewrite ?D ?S ?S'.
Qed.

Lemma table_groupP x g : table_group x = Some g -> group_ok g ->
  [/\ real_rows g.1.1 g.1.2 = real_table x.1, g.2 = x.2 & table_law (real_table x.1)].
Proof.
rewrite /table_group; set W := least_common x.1; set rs := [seq _ | _ <- _].
case: ifP => // /and4P[/Z.ltb_lt W0 divides /Z.eqb_eq p1 /Z.eqb_eq q1] [<-] ok.
have W1 := pos_IZR W0.
have e : real_rows rs W = real_table x.1.
  have one z : (floor_div W (Zpos z.2) * Zpos z.2)%coqZ = W -> IZR (over_denominator W z) / IZR W = of_ratio z.
    move=> h; have z1 : 0 < IZR (Zpos z.2) := pos_IZR (Pos2Z.is_pos _).
    have u1 : IZR (floor_div W (Zpos z.2)) != 0.
      by apply/eqP => u0; move: W1; rewrite -h IZRM u0 mul0r ltxx.
    rewrite /over_denominator /of_ratio /fraction -{2}h !IZRM invfM -mulrA mulVKf //.
  rewrite /real_rows /real_table /rs -map_comp; elim: (x.1) divides => //= y t IH /andP[/andP[hp hq] /IH ->].
  by rewrite !one //; exact/Z.eqb_eq.
split=> //; rewrite -e; have := real_rows_ge0 ok => /= /allP r0.
have sumE (h : masses -> Z) : foldl (fun sum y => sum + h y)%coqZ Z0 rs = W ->
    \sum_(z <- [seq IZR (h y) / IZR W | y <- rs]) z = 1.
  have f z : IZR (foldl (fun sum y => sum + h y)%coqZ z rs) = IZR z + \sum_(y <- rs) IZR (h y).
    elim: (rs) z => [|y s IH] z /=; first by rewrite big_nil addr0.
    by rewrite IH big_cons IZRD addrA.
  move=> h1; rewrite big_map -mulr_suml; have := f Z0; rewrite h1 add0r => <-.
  by rewrite divff // gt_eqF.
apply/andP; rewrite /law_proper; split; apply/andP; split.
- by apply/allP => z /mapP[y /r0/andP[? _] ->].
- by rewrite /unzip1 /real_rows -map_comp; apply/eqP; exact: (sumE fst).
- by apply/allP => z /mapP[y /r0/andP[_ ?] ->].
by rewrite /unzip2 /real_rows -map_comp; apply/eqP; exact: (sumE snd).
Qed.

(** The tables of all groups. *)
Lemma response_groupsP f s gs : subject_ok f s -> read_all (response_group s) (entries s) = Some gs ->
  tables_in gs = [seq response_table q.1 | q <- ledger_of s].
Proof.
move=> ok; rewrite /tables_in /ledger_of; elim: (entries s) gs => [|e es IH] gs; first by case=> <-.
move=> R; have [g [gs' [X /IH {}IH ->]]] := read_all_cons R.
have [r c] := response_groupP ok X; rewrite /= r c IH map_cat map_nseq.
by [].
Qed.

Lemma table_groupsP ts gs : read_all table_group ts = Some gs -> all group_ok gs ->
  tables_in gs = many real_table ts /\ all (fun x => table_law (real_table x.1)) ts.
Proof.
rewrite /tables_in; elim: ts gs => [|x ts IH] gs; first by case=> <-.
move=> R; have [g [gs' [X Y ->]]] := read_all_cons R; case/andP=> ok oks.
have [h1 h2] := IH _ Y oks; have [r c l] := table_groupP X ok.
by rewrite /= r c h1 l h2.
Qed.

Definition is_plain (n : notion) : Prop := if n is Approximate _ _ then True else NotionsTrivial.trivial n.

Lemma all_0_plain (n : ratio -> notion) levels : (forall r, of_ratio r = 0 -> is_plain (n r)) -> all_0 levels ->
  List.Forall is_plain (many n levels).
Proof.
move=> h; elim: levels => [|l ls IH] /=; first by constructor.
case/andP=> /Z.eqb_eq l0 /IH{}IH; apply/List.Forall_app; split=> //.
have p : is_plain (n l.1) by apply: h; rewrite /of_ratio /fraction l0 mul0r.
by elim: (Z.to_nat l.2) => [|k IHk] /=; constructor.
Qed.

Lemma tables_alone_noises N : tables_alone N ->
  noises N = [seq OfNotion n | n <- notions (others N)] ++ many (fun t => OfTable (real_table t)) (tabled N) /\
  List.Forall is_plain (notions (others N)).
Proof.
case/and5P=> m r /none_ofP s /none_ofP l /and5P[/none_ofP e /none_ofP o /none_ofP p /none_ofP b /none_ofP u].
split; first by rewrite /noises /notions !repeated_many !map_cat !map_many s l e o p b u /= !cats0 -!catA.
rewrite /notions !repeated_many; apply/List.Forall_app; split; last (apply/List.Forall_app; split).
- elim: (of_epsilon _) => [|z zs IH] /=; first by constructor.
  by apply/List.Forall_app; split=> //; elim: (Z.to_nat _) => [|k IHk] /=; constructor.
- by apply: all_0_plain m => z z0; rewrite /is_plain /NotionsTrivial.trivial z0 eqxx.
by apply: all_0_plain r => z z0; rewrite /is_plain /NotionsTrivial.trivial z0 eqxx.
Qed.

Section Sound.
Variables (f : effort) (m : mixed_subject) (N : noise_ledger) (sums : nat) (x : combination) (a b : Z).
Let s := approximates m.
Let ms := notions_of m.
Let Ts := many real_table (tabled N) ++ map response_table (epsilons_of ms).
Let E := exp (real s x).

(** What is computed. *)
Lemma divergencesP upward forth back W : divergences f m N sums x b upward = Some (forth, back, W) ->
  [/\ tables_alone N /\ mixed_ok f m, Z.lt 0 b, all (fun x => table_law (real_table x.1)) (tabled N) &
  exists y : R, [/\ 0 < IZR W, (if upward then y <= E else E <= y),
    IZR forth = IZR W * (1 - overlap Ts 1 y) & IZR back = IZR W * (1 - overlap Ts y 1)]].
Proof.
rewrite /divergences /odds_bound; case: ifP => // /and3P[alone ok /Z.ltb_lt b0]; have /and3P[sok _ _] := ok.
case B: CheckerRationalOdds.odds_bound => [[y unit]|] //; case G: read_all => [rs|] //; case T: read_all => [ts|] //.
case: ifP => // /andP[oks /Z.leb_le y0]; case C: collected => [st|] // [<- <- <-].
have oks' := oks; move: oks'; rewrite all_cat => /andP[tok rok].
have [u0 hy] := CheckerRationalOddsSound.odds_bound_sound sok B; have U := pos_IZR (proj1 (Z.ltb_lt _ _) u0).
have unit1 : IZR unit != 0 by rewrite gt_eqF.
have [tE laws] := table_groupsP T tok; have rE := response_groupsP sok G.
have TsE : tables_in (ts ++ rs) = Ts.
  by rewrite /Ts /tables_in map_cat flatten_cat -!/(tables_in _) tE rE /ms epsilons_of_approximates -map_comp.
split=> //; exists (IZR y / IZR unit); split.
- rewrite IZRM mulr_gt0 //; elim: (ts ++ rs) oks => [|g gs IH] /=; first by move=> _; exact: ltr01.
  case/andP=> /and3P[/Z.ltb_lt w0 /Z.leb_le c0 _] /IH h; rewrite IZRM mulr_gt0 //.
  by apply: pos_IZR; exact: Z.pow_pos_nonneg.
- by case: upward hy {B} => hy; rewrite ?ler_pdivr_mulr ?ler_pdivl_mulr.
- have [+ _] := collected_overlap oks C (Z.lt_le_incl _ _ (proj1 (Z.ltb_lt _ _) u0)) y0; rewrite TsE => h.
  have e : overlap Ts (IZR unit) (IZR y) = IZR unit * overlap Ts 1 (IZR y / IZR unit).
    by rewrite -overlap_scale ?(ltW U) // mulr1 [IZR unit * _]mulrC divfK.
  by rewrite IZRB h IZRM e; move: (overlap _ _ _) (IZR (whole _)) => V W'; ring.
have [_] := collected_overlap oks C y0 (Z.lt_le_incl _ _ (proj1 (Z.ltb_lt _ _) u0)); rewrite TsE => h.
have e : overlap Ts (IZR y) (IZR unit) = IZR unit * overlap Ts (IZR y / IZR unit) 1.
  by rewrite -overlap_scale ?(ltW U) // mulr1 [IZR unit * _]mulrC divfK.
by rewrite IZRB h IZRM e; move: (overlap _ _ _) (IZR (whole _)) => V W'; ring.
Qed.

End Sound.

(** The tables exchanged. *)
Lemma turned_alone N : tables_alone N -> tables_alone (turned_ledger N).
Proof.
case: N => o s l r d t ps bs us /and5P[/= m h s0 l0 /and5P[r0 d0 /none_ofP -> b0 /none_ofP ->]].
by rewrite /tables_alone /= m h s0 l0 r0 d0 b0.
Qed.

Lemma turned_real_table t : real_table (turned_table t) = turned (real_table t).
Proof. by rewrite /real_table /turned_table /turned -!map_comp. Qed.

Lemma turned_tables (ts : seq (table * Z)) :
  many real_table [seq (turned_table x.1, x.2) | x <- ts] = map turned (many real_table ts).
Proof. by rewrite (many_map _ turned_table) map_many; apply: eq_many => t; exact: turned_real_table. Qed.

Lemma turned_laws (ts : seq (table * Z)) : all (fun x => table_law (real_table x.1)) ts ->
  all (fun x => table_law (real_table x.1)) [seq (turned_table x.1, x.2) | x <- ts].
Proof.
by rewrite all_map; apply: sub_all => x /= h; rewrite turned_real_table; exact: turned_law.
Qed.

Section Theorems.
Variables (f : effort) (m : mixed_subject) (sums : nat) (x : combination) (a b : Z).
Let s := approximates m.

(** What stands for the mechanisms. *)
Definition shown_notion (n : notion) : shown_table :=
  if n is Approximate e d then (OfNotion n, response_table e, 1 - d)%R else (OfNotion n, [:: (1, 1)], 1).
Definition shown_written (t : table) : shown_table := (OfTable (real_table t), real_table t, 1).

Lemma trivial_shown n : NotionsTrivial.trivial n -> shown_by_table (OfNotion n) [:: (1, 1)] 1.
Proof.
move=> triv; split=> [||Y P Q [_ _ h] u v u0 v0]; last first.
- have [[P0 P1] _ [/events_hockey_stick i _]] := NotionsTrivial.trivial_dp triv h; rewrite exp_0 in i.
  have PQ o : P o <= Q o.
    rewrite -subr_le0 -[P o]mul1r -[Q o]mul1r; apply: le_trans (le_pos _) (le_trans _ i).
    by rewrite /hockey_stick (bigD1 o) //= ler_addl; apply: sumr_ge0 => o' _; exact: pos_ge0.
  rewrite subrr mulr0 add0r mul1r big_seq1 /= !mulr1 -[X in _ <= X]mulr1 -P1 mulr_sumr; apply: ler_sum => o _.
  by rewrite [X in _ <= X]mulrC -posM // le2_pos // mulrBr [P o * u]mulrC [P o * v]mulrC ler_add2l ler_opp2 ler_wpmul2l.
- exact: ltr01.
by rewrite /table_law /law_proper /= !big_seq1 ler01 eqxx.
Qed.

Lemma notions_by_tables ns : all proper_notion ns -> List.Forall is_plain ns ->
  let ds := map shown_notion ns in
  [/\ List.Forall is_shown ds, map noise_shown ds = [seq OfNotion n | n <- ns],
    forall u v : R, overlap (map table_shown ds) u v = overlap (map response_table (epsilons_of ns)) u v &
    kept_in_all ds = mixed_kept ns].
Proof.
rewrite /kept_in_all /mixed_kept => W A; elim: A W => [|n ns' plain _ IH] /=; first by split=> //; rewrite !big_nil.
case/andP=> w /IH{IH}[F En Et Ek]; split.
- constructor=> //; case: n plain w => [e d|mu|rho] plain w; first exact: response_shown_by_table.
    exact: trivial_shown.
  exact: trivial_shown.
- by rewrite En; case: (n).
- move=> u v; case: n {plain w} => [e d|mu|rho] /=; rewrite /overlap /= -!/overlap.
    by apply: eq_bigr => z _; rewrite -/overlap Et.
  by rewrite big_seq1 !mulr1 -/overlap Et.
  by rewrite big_seq1 !mulr1 -/overlap Et.
by rewrite !big_cons Ek; case: (n) => [e d|mu|rho] //=; rewrite subr0.
Qed.

Lemma written_by_tables ts : all (fun x => table_law (real_table x.1)) ts ->
  let ds := many shown_written ts in
  [/\ List.Forall is_shown ds, map noise_shown ds = many (fun t => OfTable (real_table t)) ts,
    map table_shown ds = many real_table ts & kept_in_all ds = 1].
Proof.
move=> laws ds; rewrite !map_many; split=> //; rewrite /ds {ds}.
  elim: ts laws => [|y ts IH] /=; first by constructor.
  case/andP=> l /IH{}IH; apply/List.Forall_app; split=> //.
  by elim: (Z.to_nat y.2) => [|k IHk] /=; constructor=> //; exact: table_shown_by_table.
rewrite /kept_in_all /many; elim: (ts) => [|y us IH] /=; first by rewrite big_nil.
by rewrite big_cat /= IH mulr1; elim: (Z.to_nat y.2) => [|k IHk] /=; rewrite ?big_nil // big_cons IHk mulr1.
Qed.

(** In one direction. *)
Lemma half_shown N W (y forth : R) (above below : Z) : notions_of m = notions (others N) -> tables_alone N -> mixed_ok f m ->
  all (fun x => table_law (real_table x.1)) (tabled N) -> 0 < W -> y <= exp (real s x) ->
  forth = W * (1 - overlap (many real_table (tabled N) ++ map response_table (epsilons_of (notions_of m))) 1 y) ->
  0 < IZR below -> IZR above = slack (ledger_of s) (fraction a b) * IZR below -> forth * IZR below <= IZR above * W ->
  exists ds, [/\ List.Forall is_shown ds,
    1 - overlap (map table_shown ds) 1 (exp (real s x)) <= 1 - (1 - fraction a b) / kept_in_all ds &
    Permutation (map noise_shown ds) (noises N)].
Proof.
move=> same alone ok laws W0 yle e below0 D check.
have [nE plain] := tables_alone_noises alone; rewrite -same in nE plain.
have [F1 N1 T1 K1] := notions_by_tables (notions_proper ok) plain.
have [F2 N2 T2 K2] := written_by_tables laws.
exists (many shown_written (tabled N) ++ map shown_notion (notions_of m)); split; first by apply/List.Forall_app.
- have -> : kept_in_all (many shown_written (tabled N) ++ map shown_notion (notions_of m)) = mixed_kept (notions_of m).
    by rewrite /kept_in_all big_cat /= -!/(kept_in_all _) K1 K2 mul1r.
  rewrite -/(mixed_slack _ _) mixed_slackE map_cat T2 -/s; set Ts := _ ++ _ in e *.
  have -> : overlap (many real_table (tabled N) ++ map table_shown (map shown_notion (notions_of m))) 1 (exp (real s x)) =
      overlap Ts 1 (exp (real s x)).
    by rewrite /overlap /Ts !over_choices_cat; apply: eq_choices => u v; exact: T1.
  apply: (@le_trans _ _ (1 - overlap Ts 1 y)).
    rewrite ler_add2l ler_opp2; apply: overlap_monotone => //; rewrite /Ts all_cat; apply/andP; split.
      by apply: all_many; apply: sub_all laws => z; exact: table_law_ge0.
    by rewrite all_map; apply/allP => z _; apply: table_law_ge0; exact: response_law.
  move: check; rewrite e D; move: (slack _ _) (IZR below) below0 (1 - overlap Ts 1 y) => Dl B B0 V.
  have -> : W * V * B = V * (W * B) by ring.
  have -> : Dl * B * W = Dl * (W * B) by ring.
  by rewrite ler_pmul2r // mulr_gt0.
rewrite nE map_cat N1 N2; exact: Permutation_app_comm.
Qed.

(** In both. *)
Lemma both_shown N : notions_of m = notions (others N) -> check_exact_tables_upper f m N sums x a b ->
  forall N', N' = N \/ N' = turned_ledger N -> exists ds, [/\ List.Forall is_shown ds,
    1 - overlap (map table_shown ds) 1 (exp (real s x)) <= 1 - (1 - fraction a b) / kept_in_all ds &
    Permutation (map noise_shown ds) (noises N')].
Proof.
move=> same; rewrite /check_exact_tables_upper; case V: divergences => [[[forth back] W]|] //.
have [[alone ok] b0 laws [y [W0 yle eforth eback]]] := divergencesP V; have /and3P[sok _ _] := ok.
have [below0 Delta] := Delta_fraction_sound sok a b0.
case: (Delta_fraction _ _ _) below0 Delta => above below /= below0 Delta /andP[]; have B0 := pos_IZR below0.
have {}Delta : IZR above = slack (ledger_of s) (fraction a b) * IZR below by rewrite -Delta divfK // gt_eqF.
rewrite -!IZR_le_iff !IZRM => h1 h2 N' [->|->]; first exact: (half_shown same alone ok laws W0 yle eforth B0 Delta h1).
apply: (half_shown (N := turned_ledger N) same (turned_alone alone) ok (turned_laws laws) W0 yle _ B0 Delta h2).
by rewrite turned_tables turned_beside_responses.
Qed.

Theorem check_exact_tables_upper_sound N : notions_of m = notions (others N) ->
  check_exact_tables_upper f m N sums x a b -> noisy_upper (noises N) (real s x) (fraction a b).
Proof.
move=> same /(both_shown same) shown ns p Y P Q C; have E0 := ltW (exp_gt0 (real s x)).
split; apply/events_hockey_stick.
  have [|ds [S le q]] := shown N; first by left.
  exact: (half_by_tables S E0 le (Permutation_trans q p) C).
have [|ds [S le q]] := shown (turned_ledger N); first by right.
apply: (half_by_tables S E0 le _ (noisy_turned C)); apply: Permutation_trans q _.
by rewrite -noises_turned; exact: Permutation_map.
Qed.

Theorem check_exact_tables_any_order N : notions_of m = notions (others N) ->
  check_exact_tables_upper f m N sums x a b -> all_proper (noises N) ->
  noisy_in_any_order (noises N) (real s x) (fraction a b).
Proof.
move=> same /(both_shown same) shown proper Y P Q C; split; apply/events_hockey_stick.
  have [|ds [S le q]] := shown N; first by left.
  exact: (any_order_by_tables S le q proper C).
have [|ds [S le q]] := shown (turned_ledger N); first by right.
have proper' := all_proper_turned proper; have C' := interleaved_turned C.
rewrite noises_turned in proper' C'; move: C'; rewrite -(size_map turned_noise) noises_turned.
exact: (any_order_by_tables S le q proper').
Qed.

Lemma lower_checked N W (y forth : R) (above below : Z) : notions_of m = notions (others N) ->
  tables_alone N -> mixed_ok f m -> all (fun x => table_law (real_table x.1)) (tabled N) -> 0 < W -> exp (real s x) <= y ->
  forth = W * (1 - overlap (many real_table (tabled N) ++ map response_table (epsilons_of (notions_of m))) 1 y) ->
  0 < IZR below -> IZR above = slack (ledger_of s) (fraction a b) * IZR below -> IZR above * W < forth * IZR below ->
  noisy_lower (noises N) (real s x) (fraction a b).
Proof.
move=> same alone ok laws W0 le e below0 D check.
have [nE _] := tables_alone_noises alone; rewrite -same in nE.
pose ds := many (fun t => (OfTable (real_table t), real_table t)) (tabled N).
have d1 : unzip1 ds = many (fun t => OfTable (real_table t)) (tabled N) by rewrite /unzip1 map_many.
have d2 : unzip2 ds = many real_table (tabled N) by rewrite /unzip2 map_many.
have lawful : all table_law (unzip2 ds) by rewrite d2; exact: all_many.
rewrite nE -d1; apply: noisy_lower_permutation; first exact: Permutation_app_comm.
apply: lower_by_tables => //; first exact: notions_proper ok.
  rewrite /ds; elim: (tabled N) laws => [|z ts IH] /=; first by constructor.
  case/andP=> l /IH{}IH; apply/List.Forall_app; split=> //.
  by elim: (Z.to_nat z.2) => [|k IHk] /=; constructor=> //; exact: table_drawn.
rewrite mixed_slackE d2; set Ts := _ ++ _ in e *.
apply: (@lt_le_trans _ _ (1 - overlap Ts 1 y)); last first.
  rewrite ler_add2l ler_opp2; apply: overlap_monotone => //; rewrite /Ts all_cat; apply/andP; split.
    by apply: all_many; apply: sub_all laws => z; exact: table_law_ge0.
  by rewrite all_map; apply/allP => z _; apply: table_law_ge0; exact: response_law.
move: check; rewrite e D -/s; move: (slack _ _) (IZR below) below0 (1 - overlap Ts 1 y) => Dl B B0 V.
have -> : W * V * B = V * (W * B) by ring.
have -> : Dl * B * W = Dl * (W * B) by ring.
by rewrite ltr_pmul2r // mulr_gt0.
Qed.

Theorem check_exact_tables_lower_sound N : notions_of m = notions (others N) ->
  check_exact_tables_lower f m N sums x a b -> noisy_lower (noises N) (real s x) (fraction a b).
Proof.
move=> same; rewrite /check_exact_tables_lower; case V: divergences => [[[forth back] W]|] //.
have [[alone ok] b0 laws [y [W0 yle eforth eback]]] := divergencesP V; have /and3P[sok _ _] := ok.
have [below0 Delta] := Delta_fraction_sound sok a b0.
case: (Delta_fraction _ _ _) below0 Delta => above below /= below0 Delta; have B0 := pos_IZR below0.
have {}Delta : IZR above = slack (ledger_of s) (fraction a b) * IZR below by rewrite -Delta divfK // gt_eqF.
rewrite -!IZR_lt_iff !IZRM => /orP[h|h]; first exact: (lower_checked same alone ok laws W0 yle eforth B0 Delta h).
apply: noisy_lower_turned.
apply: (lower_checked (N := CertificateNoiseTests.turned_noise N) same (turned_alone alone) ok (turned_laws laws) W0 yle _ B0 Delta h).
by rewrite turned_tables turned_beside_responses.
Qed.
End Theorems.
