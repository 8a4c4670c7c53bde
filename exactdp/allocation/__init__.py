"""Allocation: one budget (ε, δ) shared among statistics, so that their errors are small."""
