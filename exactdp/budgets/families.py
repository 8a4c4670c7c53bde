r"""Families of ledgers: every ε_i scaled by c, or n more of one mechanism.

Rules of this file: the first end that a family names is certain to keep a budget and the second
certain not to; what says "about" serves to guess.

Theory of operation: the ends are closed forms. Let S be the sum of the ε_i that are scaled and H
that of the others. Basic composition keeps the scale (ε - H)/S, which is exact if Δ = 0. A
composition is no better than any of its mechanisms, so that the greatest ε_i, scaled by c, must
satisfy :math:`(e^{c \epsilon_i} - e^\epsilon)/(1 + e^{c \epsilon_i}) \le \Delta`, which bounds c.
A count is bounded by the δ_i: :math:`\prod_i (1-\delta_i)` must not fall below :math:`1-\delta`.

A scale is a decimal of few digits; scaling all ε_i alike leaves a common grid as coarse as it was.

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare, multiple_of, sign
from exactdp.arithmetic.decimal_text import places_within
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    bits_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.budgets.guess import about, down_to, moments, rough
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Ledger
from exactdp.ledger.scaling import places_of, scale_ledger
from exactdp.mechanisms import Mechanism
from exactdp.mechanisms.checks import MAX_COUNT

_BITS: Final = 256
_ZERO: Final = mpq(0)


class Scaling:
    """The ledgers with ε_i scaled by c, as a family that grows with c."""

    def __init__(self, ledger: Ledger, held: tuple[str, ...], tolerance: mpq) -> None:
        self._ledger = ledger
        self.held = held
        self._tolerance = tolerance
        parts: tuple[list[Mechanism], list[Mechanism]] = [], []
        places = places_of(ledger, held)
        for index, each in enumerate(ledger.approximate()):
            parts[index in places].append(each)
        self.scaled, fixed = (Problem.of(replace(ledger, mechanisms=tuple(p))) for p in parts)
        self._problem = Problem.of(ledger)
        self._total, self._held_total = self.scaled.total_epsilon, fixed.total_epsilon
        self._scaled_groups, self._fixed_groups = rough(self.scaled), rough(fixed)

    def ledger(self, at: mpq) -> Ledger:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        return scale_ledger(self._ledger, at, self.held)

    def resolution(self, high: mpq) -> tuple[mpq, mpq]:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        width = self._tolerance * min(mpq(1), max(high, self._tolerance))
        return width, mpq(1, mpz(10) ** places_within(width / 8))

    def moments(self, at: mpq) -> tuple[float, float]:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        mean, variance = moments(self._scaled_groups, about(at))
        fixed_mean, fixed_variance = moments(self._fixed_groups, 1.0)
        return mean + fixed_mean, variance + fixed_variance

    def log_no_failure(self, _at: mpq) -> arb:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        return self._problem.log_no_failure_ball()

    def ends(self, epsilon: ExactNumber, delta: mpq) -> tuple[mpq, mpq, mpq | None]:
        """A scale that keeps the budget, one that does not, and the exact one if Δ = 0 shows it."""
        high = self._too_much(epsilon, delta)
        rest = epsilon - self._held_total
        if sign(rest) < 0:
            return _ZERO, high, None
        step = self.resolution(high)[1]
        with precision(_BITS + bits_of(high / step)):
            basic = ball(rest) / ball(self._total)
        low = max(_ZERO, down_to(lower_end(basic), step))
        if self._problem.allowed(delta).sign > 0:
            return low, high, None
        exact = multiple_of(rest, self._total)
        if exact is None:
            return low, down_to(upper_end(basic), step) + step, None
        return exact, down_to(exact, step) + step, exact

    def _too_much(self, epsilon: ExactNumber, delta: mpq) -> mpq:
        """A scale at which the greatest ε_i alone exceeds the budget."""
        with precision(_BITS):
            left = (-ball_of_rational(delta)).log1p() - self._problem.log_no_failure_ball()
            odds = ball(epsilon) + (-left.expm1() * (-ball(epsilon)).exp()).log1p()
            greatest = max((ball(each) for each, _ in self.scaled.epsilons), key=float)
            high = upper_end((odds - left) / greatest)
        step = self.resolution(high)[1]
        return down_to(high, step) + step


class Adding:
    """The ledgers with n more of one mechanism, as a family that grows with n."""

    def __init__(self, ledger: Ledger, index: int) -> None:
        self._ledger = ledger
        self._index = index
        self._mechanism = ledger.approximate()[index]
        self._problem = Problem.of(ledger)
        self._groups = rough(self._problem)
        one = replace(ledger, mechanisms=(_times(self._mechanism, 1),))
        self._one = moments(rough(Problem.of(one)), 1.0)
        self.most = max(0, MAX_COUNT - ledger.size)

    @property
    def costs_nothing(self) -> bool:
        """Whether any number of these mechanisms may be added to any ledger."""
        return sign(self._mechanism.epsilon) == 0 and not self._mechanism.delta

    def ledger(self, at: mpq) -> Ledger:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        mechanisms = list(self._ledger.mechanisms)
        more = _times(self._mechanism, self._mechanism.count + int(at))
        mechanisms[self._index] = more
        return replace(self._ledger, mechanisms=tuple(mechanisms), claims=())

    def resolution(self, _high: mpq) -> tuple[mpq, mpq]:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        return mpq(1), mpq(1)

    def moments(self, at: mpq) -> tuple[float, float]:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        mean, variance = moments(self._groups, 1.0)
        return mean + about(at) * self._one[0], variance + about(at) * self._one[1]

    def log_no_failure(self, at: mpq) -> arb:
        """See :class:`exactdp.budgets.boundary.LedgerFamily`."""
        return self._problem.log_no_failure_ball() + ball_of_rational(at) * self._log_no_failure()

    def _log_no_failure(self) -> arb:
        return (-ball_of_rational(self._mechanism.delta)).log1p()

    def ends(self, epsilon: ExactNumber, delta: mpq) -> tuple[mpq, mpq]:
        """A number that fits by basic composition, and one that the δ_i or the format exclude.

        The ledger itself must fit.
        """
        low, high, one = mpq(self.most), mpq(self.most + 1), mpq(1)
        with precision(_BITS):
            if self._mechanism.delta:
                left = (-ball_of_rational(delta)).log1p() - self._problem.log_no_failure_ball()
                most = left / self._log_no_failure()
                low = min(low, down_to(lower_end(most), one))
                high = min(high, down_to(upper_end(most), one) + 1)
            if sign(self._mechanism.epsilon):
                rest = epsilon - self._problem.total_epsilon
                most = ball(rest) / ball(self._mechanism.epsilon)
                low = min(low, down_to(lower_end(most), one))
            elif compare(epsilon, self._problem.total_epsilon) < 0:
                low = _ZERO
        return max(_ZERO, low), high


def _times(mechanism: Mechanism, count: int) -> Mechanism:
    """The mechanism, ``count`` times."""
    return Mechanism(mechanism.epsilon, mechanism.delta, count, mechanism.label)
