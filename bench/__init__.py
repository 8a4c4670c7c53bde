"""The benchmark suite. ``python -m bench`` runs it; results are written, never asserted."""
