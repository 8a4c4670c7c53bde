r"""The rule ``concurrent-basic``: the first bound for approximate interactive mechanisms.

Rules of this file: any order of the mechanisms gives a bound that holds; the best is tried.

Theory of operation: a mechanism's failure is weighed by the odds ratios of those before it; equal
mechanisms by a geometric sum.

Sources: certs/SPEC.md, section 7.20; Vadhan & Wang, TCC 2021, Theorem 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from ..arithmetic.enclosures import enclose, exp_floating
from ..arithmetic.signs import sign_of_sum
from ..format.meter import of_division, pay
from ..format.outcomes import RejectedError
from ..statement import Interleaving
from .entries import Mechanism
from .growth import ONE, Above, bits_to_add, exceeds, exp, fraction, plus, powers, times, trimmed
from .ledger import Ledger, PairsRule
from .rule import parameter, read_digits

_THEOREM: Final = "vadhan-wang-2021-theorem-4.1"


@dataclass(frozen=True)
class ConcurrentBasic(PairsRule):
    """(Σ ε_i, Σ_i e^{Σ_{j<i} ε_j} δ_i) for one order of the mechanisms; any order will do."""

    name: ClassVar[str] = "concurrent-basic"
    kinds: ClassVar[tuple[str, ...]] = ("upper",)
    theorem: ClassVar[str] = _THEOREM
    interleaved: ClassVar[tuple[Interleaving, ...]] = (
        Interleaving(_THEOREM, Ledger.type, lambda _: True),
    )
    adaptive: ClassVar[bool] = False

    digits: int = parameter(read_digits)

    def check(self, ledger: Ledger) -> None:
        """The sum of the weighed failures against delta."""
        terms = ((-m.count, m.epsilon) for m in ledger.mechanisms)
        if sign_of_sum([(1, self.bound.finite()), *terms]) < 0:
            raise RejectedError("epsilon is below the sum")
        bits = bits_to_add(self.digits, sum(m.count for m in ledger.mechanisms))
        failing = [m for m in ledger.mechanisms if m.delta]
        before: Above = ONE
        total: Above = (0, 0)
        for mechanism in sorted(failing, key=lambda m: _urgency(m, bits), reverse=True):
            odds = exp(mechanism.epsilon, bits) if mechanism.positive else ONE
            power, weights = powers(odds, mechanism.count, bits)
            failure = times(fraction(mechanism.delta, bits), before, bits)
            total = plus(total, times(failure, weights, bits), bits)
            before = times(before, power, bits)
        if exceeds(total, self.bound.delta):
            raise RejectedError("delta is not proved to be at least what this order gives")


def _urgency(mechanism: Mechanism, bits: int) -> tuple[bool, int, int]:
    """δ/(e^ε - 1) to sort by, about: whether it is infinite, else its exponent and mantissa."""
    if not mechanism.positive:
        return True, 0, 0
    low, _, exponent = exp_floating(enclose(mechanism.epsilon, bits), bits)
    shift = min(exponent, bits)  # what is subtracted is less than a unit of the trimmed growth
    growth = (low << shift) - (1 << bits) if exponent >= 0 else 0
    if growth <= 0:
        return True, 0, 0
    g, j = trimmed((growth, exponent - shift - bits), bits)
    m, k = fraction(mechanism.delta, bits)
    pay(of_division(4 * bits))
    quotient = (m << 2 * bits) // g
    width = quotient.bit_length()
    return False, width + k - j, quotient << (4 * bits - width)
