r"""A report on ledgers as one file of HTML that needs nothing else, and verifies itself."""

from exactdp.callable_package import make_callable

make_callable(__name__, "asking", "report")
