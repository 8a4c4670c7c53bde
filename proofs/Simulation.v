(** Every (epsilon, delta)-DP interactive mechanism with finitely many questions and answers is an
    interactive post-processing of randomized response ([private_simulated]), and so the concurrent
    composition of such mechanisms is dominated by composed randomized responses
    ([concurrent_dominated]): interleaving gains an adversary nothing.

    For delta = 0 these are Theorems 5.2 and 5.4 of Vadhan & Wang (TCC 2021), else theorems of Lyu
    (NeurIPS 2022); the proof here is another one, by what can be handed down (Shares.v). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From ExactDP Require Import PositivePart Privacy Composition Interactive RulesInteractive.
From ExactDP Require Import Interleaving Potentials Shares.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Simulation.
Variable F : realFieldType.
Implicit Types (t : tree F) (law : F * F) (side : bool).

(** (ln E, d)-DP, for every adversary. *)
Definition private (E d : F) t := lawful t /\
  forall (Y : finType) (P Q : Y -> F), seen [:: t] P Q -> indistinguishable E d P Q.

Section One.
Variables (E d : F).
Hypotheses (E1 : 1 <= E) (d0 : 0 <= d) (d1 : d < 1).
Let E0 : 0 <= E. Proof. exact: le_trans ler01 E1. Qed.
Let kpos : 0 < 1 - d. Proof. by rewrite subr_gt0. Qed.
Let k0 : 1 - d != 0. Proof. by rewrite gt_eqF. Qed.

(** The row whose mixture is (P, Q), and of whose answers 1 and 2 the mixture is (x, y). *)
Definition row_of (P Q x y : F) : row F :=
  Row (if d == 0 then P else (P - x) / d)
      (if E == 1 then x / (1 - d) else (E * x - y) / ((E - 1) * (1 - d)))
      (if E == 1 then y / (1 - d) else (E * y - x) / ((E - 1) * (1 - d)))
      (if d == 0 then Q else (Q - y) / d).

Lemma row_of_add P Q x y P' Q' x' y' :
  add_rows (row_of P Q x y) (row_of P' Q' x' y') = row_of (P + P') (Q + Q') (x + x') (y + y').
Proof.
rewrite /add_rows /row_of /=; congr Row; case: ifP => // _; rewrite -mulrDl //; congr (_ / _); ring.
Qed.

Lemma row_of_0 : row_of 0 0 0 0 = Row 0 0 0 0.
Proof. by rewrite /row_of mulr0 subrr !mul0r !if_same. Qed.

Lemma mixture_row_of P Q x y : (d = 0 -> x = P /\ y = Q) -> x <= E * y -> y <= E * x ->
  mixture E d (row_of P Q x y) = (P, Q).
Proof.
move=> z xy yx; rewrite /mixture /row_of /=.
have E2 : E + 1 != 0 by rewrite gt_eqF // ltr_paddl ?ltr01.
have middle a b : a <= E * b -> b <= E * a ->
    (1 - d) * (E * (if E == 1 then a / (1 - d) else (E * a - b) / ((E - 1) * (1 - d))) +
      (if E == 1 then b / (1 - d) else (E * b - a) / ((E - 1) * (1 - d)))) / (E + 1) = a.
  move=> ab ba; case: eqP => [e|/eqP e]; last by field; rewrite k0 E2 subr_eq0 e.
  have -> : b = a by apply/le_anti; move: ab ba; rewrite e !mul1r => -> ->.
  by rewrite e in E2 *; field; rewrite k0 ?E2 ?pnatr_eq0.
have rest a b : (d = 0 -> b = a) -> d * (if d == 0 then a else (a - b) / d) + b = a.
  by case: eqP => [-> ->|/eqP dn _]; rewrite ?mul0r ?add0r // mulrC divfK // subrK.
congr pair; first by rewrite middle // rest // => /z[].
by rewrite [X in (1 - d) * X]addrC middle // rest // => /z[].
Qed.

Lemma row_of_ge0 P Q x y : 0 <= P -> 0 <= Q -> 0 <= x -> 0 <= y -> x <= P -> y <= Q ->
  x <= E * y -> y <= E * x -> row_ge0 (row_of P Q x y).
Proof.
move=> P0 Q0 x0 y0 xP yQ xy yx; have e1 : 0 <= E - 1 by rewrite subr_ge0.
by apply/and4P; split=> /=; case: ifP => // _; rewrite divr_ge0 ?mulr_ge0 ?subr_ge0 ?(ltW kpos) // ltW.
Qed.

Lemma sum_ge0_eq0 (A : Type) (f : A -> F) s : (forall x, List.In x s -> 0 <= f x) ->
  \sum_(x <- s) f x = 0 -> forall x, List.In x s -> f x = 0.
Proof.
elim: s => //= y s IH f0; rewrite big_cons => e.
have s0 : 0 <= \sum_(x <- s) f x.
  apply: (@le_trans _ _ (\sum_(x <- s) 0)); first by rewrite big1.
  by apply: ler_sum_In => z h; apply: f0; right.
have y0 : 0 <= f y by apply: f0; left.
have [ye se] : f y = 0 /\ \sum_(x <- s) f x = 0.
  by move/eqP: e; rewrite paddr_eq0 // => /andP[/eqP -> /eqP ->].
by move=> x [<- //|h]; apply: IH => // z h'; apply: f0; right.
Qed.

(** Whatever is inside can be handed down to the ends. *)
Lemma handed_down t law x y : lawful t -> 0 <= law.1 -> 0 <= law.2 ->
  inside E (kept E false t law) (kept E true t law) x y -> (d = 0 -> x = law.1 /\ y = law.2) ->
  simulates E d t law (row_of law.1 law.2 x y).
Proof.
elim/tree_induction: t law x y => qs IH law x y l P0 Q0 i z.
have /and5P[x0 y0 xa ya /andP[xy yx]] := i.
have xP : x <= law.1 by apply: le_trans xa (kept_at_once E false _ _).
have yQ : y <= law.2 by apply: le_trans ya (kept_at_once E true _ _).
case: qs IH l i xa ya => [|q0 qs] IH l i xa ya.
  have e : law = mixture E d (row_of law.1 law.2 x y) by rewrite mixture_row_of //; case: (law).
  by rewrite {1}e; apply: SimulatesEnd; exact: row_of_ge0.
apply: SimulatesQueries; apply/List.Forall_forall => q h.
have answer w : List.In w q -> [/\ 0 <= w.1.1, 0 <= w.1.2 & lawful w.2].
  by move=> hw; exact: lawful_answer l h hw.
pose al := fun w : F * F * tree F => kept E false w.2 (after law w.1).
pose be := fun w : F * F * tree F => kept E true w.2 (after law w.1).
have c w : List.In w q -> cone E (al w) (be w).
  move=> hw; have [p r lw] := answer w hw.
  have [a b] := after_ge0 P0 Q0 p r; have [a1 a2] := kept_ratio E1 lw a b false.
  by have [b1 b2] := kept_ratio E1 lw a b true; apply/and4P; split.
have c' : cone E (\sum_(w <- q) al w) (\sum_(w <- q) be w).
  apply/and4P; rewrite !mulr_sumr; split; try by apply: ler_sum_In => w /c/and4P[].
    by apply: (@le_trans _ _ (\sum_(w <- q) 0)); [rewrite big1|apply: ler_sum_In => w /c/and4P[]].
  by apply: (@le_trans _ _ (\sum_(w <- q) 0)); [rewrite big1|apply: ler_sum_In => w /c/and4P[]].
have i' : inside E (\sum_(w <- q) al w) (\sum_(w <- q) be w) x y.
  apply/and5P; split=> //; last by rewrite xy.
    by apply: le_trans xa _; exact: kept_query l h.
  by apply: le_trans ya _; exact: kept_query l h.
have [a [b [a' [b' [xe ye H]]]]] := shares E1 c' i'.
have P1 : \sum_(w <- q) law.1 * w.1.1 = law.1 := sum_after false law l h.
have Q1 : \sum_(w <- q) law.2 * w.1.2 = law.2 := sum_after true law l h.
have xs : x = \sum_(w <- q) (a * al w + b * be w) by rewrite big_split /= -!mulr_sumr.
have ys : y = \sum_(w <- q) (a' * al w + b' * be w) by rewrite big_split /= -!mulr_sumr.
have below w : List.In w q -> a * al w + b * be w <= law.1 * w.1.1 /\
    a' * al w + b' * be w <= law.2 * w.1.2.
  move=> hw; have /and5P[_ _ h1 h2 _] := H _ _ (c w hw).
  by split; [apply: le_trans h1 (kept_at_once E false _ _)|apply: le_trans h2 (kept_at_once E true _ _)].
have none : d = 0 -> forall w, List.In w q -> a * al w + b * be w = law.1 * w.1.1 /\
    a' * al w + b' * be w = law.2 * w.1.2.
  move=> /z[xe' ye'] w hw; split; apply/esym/eqP; rewrite -subr_eq0; apply/eqP.
    apply: (@sum_ge0_eq0 _ (fun v => law.1 * v.1.1 - (a * al v + b * be v)) q _ _ w hw).
      by move=> v /below[h1 _]; rewrite subr_ge0.
    by rewrite sumrB P1 -xs xe' subrr.
  apply: (@sum_ge0_eq0 _ (fun v => law.2 * v.1.2 - (a' * al v + b' * be v)) q _ _ w hw).
    by move=> v /below[_ h2]; rewrite subr_ge0.
  by rewrite sumrB Q1 -ys ye' subrr.
have {}IH w : List.In w q -> simulates E d w.2 (after law w.1)
    (row_of (law.1 * w.1.1) (law.2 * w.1.2) (a * al w + b * be w) (a' * al w + b' * be w)).
  move=> hw; have [p r lw] := answer w hw.
  have [p' r'] := after_ge0 P0 Q0 p r.
  apply: (In_Forall2 IH h hw (after law w.1)) => //; first exact: H (c w hw).
  by move=> /none; exact.
rewrite -[in row_of law.1]P1 -[in row_of _ law.2]Q1 {1}xs ys.
elim: (q) IH => [|w q' IHq] IH'; first by rewrite !big_nil row_of_0; exact: SimulatesNone.
rewrite !big_cons -row_of_add; apply: SimulatesAnswer; first by apply: IH'; left.
by apply: IHq => v hv; apply: IH'; right.
Qed.

(** An adversary gains at most d, in both senses. *)
Lemma private_worth side t : private E d t -> worth (gain E side) t (1, 1) <= d.
Proof.
case=> _ H; have [Y [P [Q [/H[h1 h2] <-]]]] := worth_seen (gain E side) t (1, 1).
case: side; [move/events_hockey_stick: h2|move/events_hockey_stick: h1]; apply: le_trans;
  by apply: ler_sum => y _; rewrite /gain /= !mul1r.
Qed.

Theorem private_simulated t : private E d t -> simulates E d t (1, 1) (Row 1 1 1 1).
Proof.
move=> p; have [l _] := p.
have -> : Row 1 1 1 1 = row_of 1 1 (1 - d) (1 - d).
  rewrite /row_of; have -> : 1 - (1 - d) = d by rewrite subKr.
  have -> : E * (1 - d) - (1 - d) = (E - 1) * (1 - d) by rewrite mulrBl mul1r.
  by congr Row; case: eqP => // e; rewrite divff // ?mulf_neq0 // ?subr_eq0; apply/eqP.
apply: handed_down; rewrite ?ler01 //; last by move=> ->; rewrite subr0.
apply/and5P; split; rewrite ?(ltW kpos) //.
- by rewrite ler_add2l ler_opp2; exact: (private_worth false p).
- by rewrite ler_add2l ler_opp2; exact: (private_worth true p).
- by rewrite ler_pemull ?(ltW kpos).
Qed.
End One.

(** --- the concurrent composition of simulated mechanisms --- *)

(** A track: e^epsilon, delta, and the row of the history so far. *)
Definition track := (F * F * row F)%type.
Definition entry (r : row F) (y : 'I_4) : F := nth 0 [:: sure_0 r; lean r; stray r; sure_1 r] y.
Definition track_law (s : track) : F * F := mixture s.1.1 s.1.2 s.2.
Definition tracks t (s : track) := [/\ lawful t, admissible s.1 & simulates s.1.1 s.1.2 t (track_law s) s.2].

(** The divergence of the randomized responses, weighted by the rows. *)
Fixpoint weighted (ss : seq track) (a b : F) : F :=
  if ss is s :: ss' then
    \sum_y entry s.2 y * weighted ss' (a * rr0 s.1.1 s.1.2 y) (b * rr1 s.1.1 s.1.2 y)
  else pos (a - b).

Lemma weighted_ones (l : seq (F * F)) a b :
  weighted [seq (p, Row 1 1 1 1) | p <- l] a b = composed l a b.
Proof.
elim: l a b => //= p l IH a b; apply: eq_bigr => y _; rewrite IH -[RHS]mul1r; congr (_ * _).
by rewrite /entry; case: y => [[|[|[|[|]]]]].
Qed.

Lemma track_lawE s : track_law s =
  (\sum_y entry s.2 y * rr0 s.1.1 s.1.2 y, \sum_y entry s.2 y * rr1 s.1.1 s.1.2 y).
Proof.
case: s => [[E d] [r0 r1 r2 r3]]; rewrite /track_law /mixture /=.
rewrite (sum4 (g := fun n => nth 0 [:: r0; r1; r2; r3] n *
  nth 0 [:: d; (1 - d) * E / (1 + E); (1 - d) / (1 + E); 0] n)) //.
rewrite (sum4 (g := fun n => nth 0 [:: r0; r1; r2; r3] n *
  nth 0 [:: 0; (1 - d) / (1 + E); (1 - d) * E / (1 + E); d] n)) //=.
by rewrite [E + 1]addrC; set c := _^-1; congr pair; ring.
Qed.

Lemma entry_ge0 t s y : tracks t s -> 0 <= entry s.2 y.
Proof.
case=> l /admissibleP[_ E1 d0 d1] /(simulates_mixture E1 l)[_ /and4P[h0 h1 h2 h3]].
by case: y => [[|[|[|[|]]]]].
Qed.

Lemma at_once a b ts ss : List.Forall2 tracks ts ss ->
  pos (a * (\prod_(s <- ss) (track_law s).1) - b * (\prod_(s <- ss) (track_law s).2)) <= weighted ss a b.
Proof.
move=> H; elim: H a b => [|t s ts' ss' h _ IH] a b; first by rewrite !big_nil !mulr1.
rewrite !big_cons track_lawE /=; set p := \prod_(_ <- _) _ in IH *; set q := \prod_(_ <- _) _ in IH *.
apply: (@le_trans _ _ (\sum_y entry s.2 y * pos (a * rr0 s.1.1 s.1.2 y * p - b * rr1 s.1.1 s.1.2 y * q))).
  rewrite !mulr_suml !mulr_sumr -sumrB.
  apply: (@le_trans _ _ (\sum_y pos (entry s.2 y * (a * rr0 s.1.1 s.1.2 y * p - b * rr1 s.1.1 s.1.2 y * q)))).
    rewrite (eq_bigr (fun y => entry s.2 y * (a * rr0 s.1.1 s.1.2 y * p - b * rr1 s.1.1 s.1.2 y * q))).
      elim: (index_enum _) => [|y l IHl]; first by rewrite !big_nil pos_id.
      by rewrite !big_cons (le_trans (posD _ _)) // ler_add2l.
    by move=> y _; ring.
  by apply: ler_sum => y _; rewrite posM //; exact: (entry_ge0 y h).
by apply: ler_sum => y _; rewrite ler_wpmul2l //; exact: (entry_ge0 y h).
Qed.

Lemma simulated_query E d t law r q : simulates E d t law r -> List.In q (queries t) ->
  simulates_answers E d q law r.
Proof.
move=> /simulates_queries; case: t => -[//|q0 qs] /= H; exact: (proj1 (List.Forall_forall _ _) H).
Qed.

Lemma answered_rows E d q law r : simulates_answers E d q law r -> exists r' : nat -> row F,
  (forall i x, List.nth_error q i = Some x -> simulates E d x.2 (after law x.1) (r' i)) /\
  forall y, total (fun i _ => entry (r' i) y) 0 q = entry r y.
Proof.
elim=> {q law r} [law|x q law r1 r2 S1 _ [r' [H e]]].
  by exists (fun=> Row 0 0 0 0); split=> [[]//|y]; case: y => [[|[|[|[|]]]]].
exists (fun i => if i is i'.+1 then r' i' else r1); split=> [[|i] z /=|y]; first by case=> <-.
  exact: H.
by rewrite /= total_shift e; case: y => [[|[|[|[|]]]]].
Qed.

Lemma weighted_question A (q : seq A) s (r' : nat -> row F) ts1 ss1 ss2 a b :
  (forall y, total (fun i _ => entry (r' i) y) 0 q = entry s.2 y) -> List.Forall2 tracks ts1 ss1 ->
  total (fun i _ => weighted (ss1 ++ (s.1, r' i) :: ss2) a b) 0 q = weighted (ss1 ++ s :: ss2) a b.
Proof.
move=> e H; elim: H a b => [|t s1 ts' ss' h _ IH] a b /=.
  rewrite (@total_sum _ _ _ _ _ _ (fun y i _ =>
    entry (r' i) y * weighted ss2 (a * rr0 s.1.1 s.1.2 y) (b * rr1 s.1.1 s.1.2 y))) //.
  apply: eq_bigr => y _; rewrite -e; set w := weighted _ _ _.
  by elim: (q) 0%N => [|x q' IHq] n /=; rewrite ?mul0r // mulrDl IHq.
rewrite (@total_sum _ _ _ _ _ _ (fun y i _ => entry s1.2 y *
  weighted (ss' ++ (s.1, r' i) :: ss2) (a * rr0 s1.1.1 s1.1.2 y) (b * rr1 s1.1.1 s1.1.2 y))) //.
by apply: eq_bigr => y _; rewrite -IH total_mull.
Qed.

Lemma mixture_ones E d : 1 <= E -> mixture E d (Row 1 1 1 1) = (1, 1) :> F * F.
Proof.
move=> E1; have E2 : E + 1 != 0 by rewrite gt_eqF // ltr_paddl ?ltr01 // (le_trans ler01).
by rewrite /mixture /=; congr pair; field.
Qed.

Theorem concurrent_dominated (l : seq (F * F)) ts (Y : finType) (P Q : Y -> F) a b :
  all (fun p => [&& 1 <= p.1, 0 <= p.2 & p.2 < 1]) l ->
  List.Forall2 (fun p t => private p.1 p.2 t) l ts -> seen ts P Q ->
  hockey_stick a b P Q <= composed l a b.
Proof.
move=> W H S.
have T : List.Forall2 tracks ts [seq (p, Row 1 1 1 1) | p <- l].
  elim: H W {S} => [|[E d] t l' ts' p _ IH] /=; first by constructor.
  case/andP=> /and3P[E1 d0 d1] /IH {}IH; constructor=> //; split; first by case: p.
    by rewrite /admissible /= E1 d0 ltW.
  by rewrite /track_law mixture_ones //; exact: private_simulated.
rewrite -weighted_ones.
pose f (p q : F) := pos (a * p - b * q).
have fD p q p' q' : True -> True -> f (p + p') (q + q') <= f p q + f p' q'.
  by rewrite /f !mulrDr opprD addrACA => _ _; exact: posD.
have fM c p q : 0 <= c -> True -> f (c * p) (c * q) = c * f p q.
  by rewrite /f !(mulrCA _ c) -mulrBr => c0 _; exact: posM.
have start ts' ss : List.Forall2 tracks ts' ss -> True /\
    f (\prod_(s <- ss) (track_law s).1) (\prod_(s <- ss) (track_law s).2) <= weighted ss a b.
  by move=> H1; split=> //; exact: at_once H1.
have step t s q : tracks t s -> List.In q (queries t) -> exists s' : nat -> track,
    (forall i x, List.nth_error q i = Some x -> tracks x.2 (s' i) /\ track_law (s' i) = after (track_law s) x.1) /\
    forall ts1 ts2 ss1 ss2, List.Forall2 tracks ts1 ss1 -> List.Forall2 tracks ts2 ss2 ->
      total (fun i _ => weighted (ss1 ++ s' i :: ss2) a b) 0 q <= weighted (ss1 ++ s :: ss2) a b.
  case=> l' w sim h; have [_ _ lx] := lawful_query l' h.
  have [r' [H1 e]] := answered_rows (simulated_query sim h).
  exists (fun i => (s.1, r' i)); split=> [i x n|ts1 ts2 ss1 ss2 f1 _]; last first.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; exact: weighted_question e f1.
  have [_ _ l2] := lx i x n; have S' := H1 i x n.
  have [_ E1 _ _] : [/\ 0 <= s.1.1, 1 <= s.1.1, 0 <= s.1.2 & s.1.2 <= 1] by apply: admissibleP; case: (s.1) w.
  have [e' _] := simulates_mixture E1 l2 S'.
  have te : track_law (s.1, r' i) = after (track_law s) x.1 by rewrite e'.
  by split=> //; split=> //; rewrite te.
have [_] := @seen_potential F (fun _ _ => True) f I (fun _ _ _ _ _ _ => I) (fun _ _ _ _ _ => I) fD fM
  track tracks track_law (fun ss => weighted ss a b) start step ts Y P Q S _ T.
have one (g : F * F -> F) : g (1, 1) = 1 -> \prod_(s <- [seq (p, Row 1 1 1 1) | p <- l]) g (track_law s) = 1.
  move=> g1; rewrite big_map big_seq big1 // => p /(allP W)/and3P[E1 _ _].
  by rewrite /track_law mixture_ones.
rewrite (one fst) // (one snd) //; apply: le_trans; rewrite /hockey_stick /f.
by apply: ler_sum => y _; rewrite !mul1r.
Qed.
End Simulation.
