(* The integers that extracted code computes with: Zarith's. *)
include Z
