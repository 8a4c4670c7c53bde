"""Parallel composition: predicates, their query graph, overlap, and what it costs in privacy."""
