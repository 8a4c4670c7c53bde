"""Engines of atoms: losses that are listed one by one, where odds are rational or sums are few."""
