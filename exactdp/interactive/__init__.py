"""Finite interactive mechanisms in exact arithmetic: privacy loss, composition, simulation."""

from exactdp.callable_package import make_callable

make_callable(__name__, "asking", "interactive")
