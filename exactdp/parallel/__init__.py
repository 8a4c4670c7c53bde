"""Parallel composition: predicates, their query graph, overlap, and what it costs in privacy."""

from exactdp.callable_package import make_callable

make_callable(__name__, "asking", "parallel")
