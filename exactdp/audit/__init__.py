"""Published claims against what the composition theorems allow."""

from exactdp.callable_package import make_callable

make_callable(__name__, "verdicts", "audit")
