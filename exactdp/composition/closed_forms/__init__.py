"""Closed forms: bounds that are evaluated rather than searched for, and their curves."""
