(* All rules (SPEC, sections 7, 10 to 12 and 14). *)

let rules =
  Lists.List.concat
    [
      Closed.rules; Tables.rules; Grids.rules; Brackets.rules; Closed_forms.rules;
      Conversions.rules; Gaussians.rules; Growth.rules; Interleaved.rules; Reductions.rules;
      Replacing.rules;
      Budgets.rules;
    ]
