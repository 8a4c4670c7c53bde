"""Why no efficient exact algorithm is expected: the reductions to optimal composition, run."""
