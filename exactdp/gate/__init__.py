r"""The gate: policies of a folder, and whether its ledgers keep them."""

from exactdp.callable_package import make_callable

make_callable(__name__, "checks", "gate")
