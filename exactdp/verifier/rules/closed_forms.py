r"""The rules for closed forms: one formula each, evaluated from above.

Rules of this file: every quantity on the right of "epsilon is at least" is an integer not below
its value times 2^bits, and grows with those that it is made of; epsilon is taken from below.

Theory of operation: let L be the privacy loss of the composed randomized responses, a sum of
independent variables of values ±ε_i, M its mean and V = Σ ε_i². D(e^ε) is at most P[L > ε], and by
Hoeffding's inequality that is at most e^{-t²/2V} for ε = M + t. The formulas are what makes it Δ,
or a little less. The last rule is ``grid`` where it can be exact.

Sources: certs/SPEC.md, sections 7.9 to 7.12.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import ClassVar, Final

from ..arithmetic.enclosures import (
    bits_for,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_ln,
    exp_fixed,
    exp_floating,
)
from ..arithmetic.signs import ceil_quotient, sign_of_sum
from ..format.numbers import Number
from ..format.outcomes import RejectedError
from ..statement import Bound
from .entries import Mechanism
from .grid import Grid
from .ledger import Ledger, PairsRule
from .rule import parameter, read_digits

_GUARD: Final = 40


@dataclass(frozen=True)
class ClosedForm(PairsRule):
    """A formula for epsilon, evaluated from above."""

    kinds: ClassVar[tuple[str, ...]] = ("upper",)

    digits: int = parameter(read_digits)

    def bits(self, ledger: Ledger) -> int:
        """Twice as fine as the digits, for what is small loses half of its digits under a root."""
        count = sum(mechanism.count for mechanism in ledger.mechanisms)
        return 2 * bits_for(self.digits) + _GUARD + 2 * count.bit_length()

    def need(self, least: int, bits: int) -> None:
        """Epsilon is at least the formula's value."""
        if enclose(self.bound.finite(), bits)[0] < least:
            raise RejectedError("epsilon is not proved to be at least the bound")


def _root(value: int, bits: int) -> int:
    """The square root of a value >= 0, from above."""
    return isqrt(value << bits) + 1


def _only_entry(ledger: Ledger) -> Mechanism:
    if len(ledger.mechanisms) != 1:
        raise RejectedError("the mechanisms do not all have the same parameters")
    return ledger.mechanisms[0]


def _need_feasible(ledger: Ledger, bound: Bound) -> None:
    if ledger.sign_of_delta(bound.delta) < 0:
        raise RejectedError("delta is too small: Δ < 0")


# --- Dwork, Rothblum, Vadhan --------------------------------------------------------------------


class AdvancedComposition(ClosedForm):
    """e·√(2k ln(1/δ')) + k·e·(exp(e) - 1), all mechanisms taken to be as bad as the worst."""

    name: ClassVar[str] = "advanced-composition"
    theorem: ClassVar[str] = "dwork-rothblum-vadhan-2010-theorem-3.3"

    def check(self, ledger: Ledger) -> None:
        """The formula with δ' = δ - k·(the greatest δ_i)."""
        self.bound.finite()  # no work for a bound that has none
        if not ledger.mechanisms:
            raise RejectedError("there are no mechanisms")
        count = sum(mechanism.count for mechanism in ledger.mechanisms)
        rest = self.bound.delta - count * max(m.delta for m in ledger.mechanisms)
        if rest <= 0:
            raise RejectedError("delta is not above k times the greatest delta")
        bits = self.bits(ledger)
        greatest = max(enclose(m.epsilon, bits)[1] for m in ledger.mechanisms)
        root = _root(2 * count * enclose_ln(1 / rest, bits)[1], bits)
        growth = count * (_exp_above(greatest, bits) - (1 << bits))
        self.need(ceil_shift(greatest * (root + growth), bits), bits)


def _exp_above(value: int, bits: int) -> int:
    _, high, exponent = exp_floating((value, value), bits)
    return high << exponent if exponent >= 0 else ceil_shift(high, -exponent)


# --- Kairouz, Oh, Viswanath ---------------------------------------------------------------------


class KairouzOhViswanath(ClosedForm):
    """Theorem 3.5: the least of Σ ε_i, M + √(2V ln(1/Δ)) and M + √(2V ln(e + √V/Δ))."""

    name: ClassVar[str] = "kairouz-oh-viswanath-heterogeneous"
    theorem: ClassVar[str] = "kairouz-oh-viswanath-2015-theorem-3.5"

    def check(self, ledger: Ledger) -> None:
        """Epsilon is at least one of the three."""
        _need_feasible(ledger, self.bound)
        terms = ((-m.count, m.epsilon) for m in ledger.mechanisms)
        if sign_of_sum([(1, self.bound.finite()), *terms]) >= 0:
            return
        bits = self.bits(ledger)
        allowed = ledger.delta(self.bound.delta, bits)[0]
        if allowed <= 0:
            raise RejectedError("epsilon is below the sum, and Δ is not proved to be above 0")
        mean, square = _mean_and_square(ledger, bits)
        one = 1 << bits
        plain = enclose_ln(Fraction(one, allowed), bits)[1]
        inner = Fraction(exp_fixed((one, one), bits)[1], one)
        inner += Fraction(_root(square, bits), allowed)
        logarithm = min(plain, enclose_ln(inner, bits)[1])
        self.need(mean + isqrt(2 * square * logarithm) + 1, bits)


class KairouzOhViswanathHomogeneous(KairouzOhViswanath):
    """Theorem 3.4: the same for equal parameters."""

    name: ClassVar[str] = "kairouz-oh-viswanath-homogeneous"
    theorem: ClassVar[str] = "kairouz-oh-viswanath-2015-theorem-3.4"

    def check(self, ledger: Ledger) -> None:
        """Theorem 3.5, of one entry."""
        _only_entry(ledger)
        super().check(ledger)


def _mean_and_square(ledger: Ledger, bits: int) -> tuple[int, int]:
    """M and V, from above."""
    one = 1 << bits
    mean = square = 0
    for epsilon, count in ledger.groups:
        low, high = enclose(epsilon, bits)
        x = exp_fixed((-high, -low), bits)[0]
        mean += count * ceil_div(high * (one - x), one + x)
        square += count * ceil_shift(high * high, bits)
    return mean, square


# --- Murtagh, Vadhan ----------------------------------------------------------------------------


class MurtaghVadhanSteps(ClosedForm):
    """Theorem 1.4: D at the greatest (k - 2i)·ε₁ that is at most epsilon."""

    name: ClassVar[str] = "murtagh-vadhan-1.4"
    theorem: ClassVar[str] = "murtagh-vadhan-2018-theorem-1.4"

    def check(self, ledger: Ledger) -> None:
        """``grid`` with ε₁ for its unit, where that is exact."""
        epsilon, mechanism = self.bound.finite(), _only_entry(ledger)
        if sign_of_sum([(1, epsilon), (-mechanism.count, mechanism.epsilon)]) >= 0:
            _need_feasible(ledger, self.bound)
            return
        above, exact = ceil_quotient(epsilon, mechanism.epsilon)
        multiple = above if exact else above - 1
        multiple -= (mechanism.count - multiple) % 2
        if multiple < 0:
            raise RejectedError("epsilon is below every (k - 2i) times that of a mechanism")
        bound = replace(self.bound, epsilon=mechanism.epsilon.scaled(multiple))
        self._grid(mechanism, bound).check(ledger)

    def _grid(self, mechanism: Mechanism, bound: Bound) -> Grid:
        """The rule ``grid`` with ε₁ as its unit; where that is 0, there is nothing on the grid."""
        unit = mechanism.epsilon if mechanism.positive else Number(Fraction(1))
        return Grid(bound, self.digits, unit)
