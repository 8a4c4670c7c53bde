"""Ledgers of several notions: zCDP, Gaussian DP and (ε, δ)-DP under one roof."""
