"""Budgets that are spent as one goes: what counts against one, the log of spends, the filter."""
