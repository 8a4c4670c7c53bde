r"""The rule that needs no rounding, and no sum over answers: ``sum``.

Rules of this file: signs are decided exactly.

Theory of operation: for mechanisms that are (ε_i, δ_i)-DP let D(y) be the hockey-stick divergence
of the composed randomized responses and Δ = 1 - (1 - δ)/∏(1 - δ_i). Every adaptive composition
is (ε, δ)-DP if D(e^ε) <= Δ; the composed randomized responses are not if D(e^ε) > Δ.

Sources: certs/SPEC.md, section 11.2; Murtagh & Vadhan, "The Complexity of Computing the
Optimal Composition of Differential Privacy", Theory of Computing 14(8), 2018, Theorem 1.5; adaptive
composition: Theorem 3.4 of the TCC 2016 version.
"""

from __future__ import annotations

from typing import ClassVar

from ..arithmetic.signs import sign_of_sum
from ..format.outcomes import RejectedError
from .ledger import Ledger, PairsRule
from .rule import EITHER


class Sum(PairsRule):
    """``upper``: ε >= Σ ε_i, so that D = 0, and Δ >= 0. ``lower``: ε < Σ ε_i, D > 0, and Δ <= 0."""

    name: ClassVar[str] = "sum"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    def check(self, ledger: Ledger) -> None:
        """The signs of ε - Σ ε_i and of Δ."""
        terms = ((-m.count, m.epsilon) for m in ledger.mechanisms)
        excess = sign_of_sum([(1, self.bound.finite()), *terms])
        slack = ledger.sign_of_delta(self.bound.delta)
        if self.bound.kind == "upper":
            if excess < 0:
                raise RejectedError("epsilon is below the sum")
            if slack < 0:
                raise RejectedError("delta is too small: Δ < 0")
        else:
            if excess >= 0:
                raise RejectedError("epsilon is not below the sum")
            if slack > 0:
                raise RejectedError("delta is too large: Δ > 0")
