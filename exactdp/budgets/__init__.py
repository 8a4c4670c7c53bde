"""Scaling and counting within a budget: the largest ledger of a family that still keeps it."""
