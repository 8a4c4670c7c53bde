(* The table of the rules (SPEC, section 7 and 11).

   A row holds the theorem of a rule; the kinds of bound that it proves; its parameters besides the
   bound; its cost; its check, which calls the verified checks and raises [Rejected]; the theorems
   by which its upper bounds hold of concurrent composition; how many premises it takes; whether it
   is about interactive mechanisms, and those alone. *)

open Certificate
open Theorems

type row = {
  theorem : string;
  kinds : kind list;
  parameters : string list;
  cost : subject -> step -> Z.t;
  check : subject -> step -> unit;
  interleaved : string list;
  takes : int;
  interactive : bool;
}

let row theorem kinds parameters cost check interleaved =
  { theorem; kinds; parameters; cost; check; interleaved; takes = 0; interactive = false }

(* A rule about mechanisms that are all given by (epsilon, delta), or by a mu or rho of 0. *)
let pairs ?(theorem = murtagh_vadhan) kinds parameters cost check interleaved =
  let only subject =
    if not (of_pairs subject) then reject "is about mechanisms given by epsilon and delta alone"
  in
  let cost subject step = only subject; cost subject step in
  row theorem kinds parameters cost check interleaved

let of_groups kinds parameters cost check =
  { (row definition kinds parameters cost check []) with takes = 1 }

let of_trees kind parameters check =
  let row = row definition [ kind ] parameters Costs.of_interactive check [ definition ] in
  { row with interactive = true }

(* A check within the limits of its sizes. *)
let within limit check subject step = limit subject step; check subject step
let either = [ Upper; Lower ]
let formula = [ Upper; Underivable ]
let mesh = [ "digits"; "sums"; "unit" ]

let rules =
  [
    ("vacuous", row definition [ Upper ] [] Costs.of_vacuous Prove_closed.vacuous [ definition ]);
    ("sum", pairs either [] Costs.of_sum Prove_closed.sum approximate);
    ("infeasible", row murtagh_vadhan [ Lower ] [] Costs.of_infeasible Prove_gaussian.infeasible []);
    ( "rational-odds",
      pairs either [ "digits"; "sums" ] Costs.of_rational_odds
        (within Costs.limit_rational_odds Prove_tables.rational_odds)
        approximate );
    ( "grid",
      pairs either [ "digits"; "unit" ] Costs.of_grid
        (within Costs.limit_grid Prove_grid.grid)
        approximate );
    ("lattice", pairs either [ "digits"; "sums" ] Costs.of_lattice Prove_tables.lattice approximate);
    ( "connect-the-dots",
      pairs [ Upper ] mesh Costs.of_bracket
        (within Costs.limit_bracket Prove_bracket.connect_the_dots)
        approximate );
    ( "gridded-test",
      pairs [ Lower ] mesh Costs.of_bracket
        (within Costs.limit_bracket Prove_bracket.gridded_test)
        approximate );
    ( "advanced-composition",
      pairs ~theorem:"dwork-rothblum-vadhan-2010-theorem-3.3" [ Upper ] [ "digits" ]
        Costs.of_formula Prove_closed_forms.advanced_composition approximate );
    ( "kairouz-oh-viswanath-homogeneous",
      pairs ~theorem:"kairouz-oh-viswanath-2015-theorem-3.4" [ Upper ] [ "digits" ]
        Costs.of_formula Prove_closed_forms.kairouz_oh_viswanath_homogeneous approximate );
    ( "kairouz-oh-viswanath-heterogeneous",
      pairs ~theorem:"kairouz-oh-viswanath-2015-theorem-3.5" [ Upper ] [ "digits" ]
        Costs.of_formula Prove_closed_forms.kairouz_oh_viswanath approximate );
    ( "murtagh-vadhan-1.4",
      pairs ~theorem:"murtagh-vadhan-2018-theorem-1.4" [ Upper ] [ "digits" ]
        Costs.of_murtagh_vadhan_steps Prove_closed_forms.murtagh_vadhan approximate );
    ( "zcdp-bun-steinke",
      row "bun-steinke-2016-proposition-1.3" formula [ "digits" ] Costs.of_conversion
        Prove_zcdp.bun_steinke of_renyi_divergences );
    ( "zcdp-canonne-kamath-steinke",
      row "canonne-kamath-steinke-2020-corollary-13" formula [ "alpha"; "digits" ]
        Costs.of_conversion Prove_zcdp.canonne_kamath_steinke of_renyi_divergences );
    ( "renyi",
      row "canonne-kamath-steinke-2020-proposition-12" [ Upper ] [ "alpha"; "digits" ]
        Costs.of_conversion Prove_zcdp.renyi of_renyi_divergences );
    ( "gaussian",
      row "dong-roth-su-2022-corollary-2.13" either [ "digits" ] Costs.of_gaussian Prove_gaussian.gaussian
        of_profiles );
    ( "gaussian-mixture",
      row "dong-roth-su-2022-theorem-3.2" either [ "digits" ] Costs.of_gaussian_mixture
        Prove_gaussian.mixture
        of_profiles );
    ( "gaussian-mesh",
      row "dong-roth-su-2022-theorem-3.2" either mesh Costs.of_gaussian_mesh Prove_gaussian.mesh
        of_profiles );
    ( "zcdp-pair",
      row "dong-roth-su-2022-theorem-3.2" [ Upper ]
        [ "alpha"; "digits"; "pair"; "sums"; "unit" ]
        Costs.of_zcdp_pair Prove_gaussian.pair [] );
    ( "concurrent-basic",
      pairs ~theorem:vadhan_wang_basic [ Upper ] [ "digits" ] Costs.of_concurrent_basic
        Prove_groups.concurrent_basic
        [ vadhan_wang_basic ] );
    ( "group-privacy",
      of_groups either [ "digits"; "group" ] Costs.of_group_privacy
        Prove_groups.group_privacy );
    ( "group-mechanisms",
      of_groups [ Upper ] [ "deltas"; "digits"; "group" ] Costs.of_group_mechanisms
        Prove_groups.group_mechanisms );
    ( "post-processing",
      of_trees Upper [ "bits"; "odds"; "simulation" ] Prove_interactive.post_processing );
    ( "distinguishing-adversary",
      of_trees Lower
        [ "bits"; "choices"; "input"; "odds" ]
        Prove_interactive.distinguishing_adversary );
  ]

(* The reductions of workloads; a check sees the ledger that is concluded. *)
let reductions : (string * (reduction -> subject -> unit)) list =
  [
    ("overlap-witness", Prove_workloads.overlap_witness);
    ("parallel-colouring", Prove_workloads.parallel_colouring);
  ]
