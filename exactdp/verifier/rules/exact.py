r"""The rule ``sum``: what no privacy loss exceeds, and what some exceed.

Rules of this file: signs are decided exactly.

Theory of operation: losses add up, and all of them may be greatest at once, while none fails. So
the profile of a composition comes down to what fails whatever ε is from the sum of the greatest
losses on, and not before. Of mechanisms that are (ε_i, δ_i)-DP these are the ε_i of randomized
responses, of noise those of its pairs of laws (``greatest_loss``).

Sources: certs/SPEC.md, section 11.2; Murtagh & Vadhan, "The Complexity of Computing the
Optimal Composition of Differential Privacy", Theory of Computing 14(8), 2018, Theorem 1.5; adaptive
composition: Theorem 3.4 of the TCC 2016 version; Zhu, Dong & Wang, AISTATS 2022, Theorem 10.
"""

from __future__ import annotations

from typing import ClassVar

from ..arithmetic.signs import sign_of_sum
from ..format.outcomes import RejectedError
from .greatest_loss import signs_of
from .ledger import Ledger, TableRule
from .rule import EITHER


class Sum(TableRule):
    """``upper``: ε >= Σ l_i, and Δ >= 0. ``lower``: ε < Σ l_i and Δ <= 0, in a direction."""

    name: ClassVar[str] = "sum"
    kinds: ClassVar[tuple[str, ...]] = EITHER

    def check(self, ledger: Ledger) -> None:
        """The signs of ε - Σ l_i and of Δ; of noise in either direction."""
        losses = [(1, self.bound.finite()), *((-m.count, m.epsilon) for m in ledger.mechanisms)]
        if ledger.by_noise:
            signs = [signs_of(ledger, self.bound, losses, back=back) for back in (False, True)]
        else:
            signs = [(sign_of_sum(losses), ledger.sign_of_delta(self.bound.delta))]
        if self.bound.kind == "upper":
            if min(excess for excess, _ in signs) < 0:
                raise RejectedError("epsilon is below the sum")
            if min(slack for _, slack in signs) < 0:
                raise RejectedError("delta is too small: Δ < 0")
        elif not any(excess < 0 and slack <= 0 for excess, slack in signs):
            raise RejectedError("epsilon is not below the sum, or delta is too large: Δ > 0")
