r"""The rule ``trivial``: δ = 1 is always enough, and a δ below what fails never is.

Rules of this file: signs are decided exactly; nothing is rounded.

Theory of operation: a probability never exceeds 1. From below, a mechanism that is (ε, δ)-DP may
reveal everything with probability δ, and a pair of laws has a mass at infinity: the probability of
outputs that the other law never has. All of these together, 1 - ∏(1 - m_i), are what D(e^ε) never
falls below, whatever ε is; and D(e^ε) is above that for every ε where a loss has no greatest value.

Sources: certs/SPEC.md, section 11.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Final

from ..format.outcomes import RejectedError
from ..statement import DEFINITION, Interleaving
from .ledger import ALL_FAMILIES, BY_PAIRS, Ledger, LedgerRule
from .rule import EITHER

_NO_TILT: Final = Fraction(0)
"""Of bounded range, no loss beside 0 is needed."""


class Trivial(LedgerRule):
    """``upper`` at delta = 1. ``lower`` for every epsilon: more than delta fails."""

    name: ClassVar[str] = "trivial"
    kinds: ClassVar[tuple[str, ...]] = EITHER
    families: ClassVar[frozenset[str]] = ALL_FAMILIES
    interleaved: ClassVar[tuple[Interleaving, ...]] = (
        Interleaving(DEFINITION, Ledger.type, lambda _: True),
    )

    def check(self, ledger: Ledger) -> None:
        """Whether delta is 1; or whether it is below what fails, in one direction."""
        if self.bound.kind == "upper":
            if self.bound.delta != 1:
                raise RejectedError("delta is not 1")
            return
        if self.bound.epsilon is not None:
            raise RejectedError("epsilon is not every")
        if not any(_fails(ledger, self.bound.delta, back=back) for back in (False, True)):
            raise RejectedError("delta is feasible")


def _fails(ledger: Ledger, delta: Fraction, *, back: bool) -> bool:
    """Whether D(e^ε) > delta for every ε, of pairs that the mechanisms have."""
    listed = [pair for each in ledger.by_noise for pair in each.attained(ledger.relation, _NO_TILT)]
    masses = [(count, mass) for pair, count in listed if (mass := pair.at_infinity(back=back))]
    if any(mass == 1 for _, mass in masses):
        return delta < 1
    unbounded = not ledger.families - {"noise"} <= BY_PAIRS
    unbounded = unbounded or any(pair.is_unbounded(back=back) for pair, _ in listed)
    return ledger.sign_of_delta(delta, masses) < unbounded
