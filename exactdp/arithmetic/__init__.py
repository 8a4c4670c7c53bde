"""Exact numbers, their comparison, and enclosures of what is not exact."""
