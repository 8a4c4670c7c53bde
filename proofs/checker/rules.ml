(* All rules (SPEC, sections 7 and 10 to 15). *)

let rules =
  Lists.List.concat
    [
      Closed.rules; Tables.rules; Grids.rules; Periods.rules; Brackets.rules;
      Closed_forms.rules; Conversions.rules; Gaussians.rules; Growth.rules;
      Reductions.rules; Replacing.rules; Budgets.rules; Noises.rules;
      Noise_workloads.rules; Waves.rules;
    ]
