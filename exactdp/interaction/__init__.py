"""Finite interactive mechanisms in exact arithmetic: privacy loss, composition, simulation."""
