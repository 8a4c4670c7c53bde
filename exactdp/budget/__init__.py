"""Scaling and counting within a budget: the largest ledger of a family that still keeps it."""

from exactdp.callable_package import make_callable

make_callable(__name__, "asking", "budget")
