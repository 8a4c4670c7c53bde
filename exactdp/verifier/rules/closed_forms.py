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

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Final

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
from ..statement import Mechanism, Step, finite_epsilon
from .costs import cost_of_grid, groups
from .fixed_point import check_grid, delta_of, sign_of_delta

_GUARD: Final = 40


def _bits(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """Twice as fine as the digits, for what is small loses half of its digits under a root."""
    count = sum(mechanism.count for mechanism in mechanisms)
    return 2 * bits_for(step.digits) + _GUARD + 2 * count.bit_length()


def _root(value: int, bits: int) -> int:
    """The square root of a value >= 0, from above."""
    return isqrt(value << bits) + 1


def _need(epsilon: Number, bound: int, bits: int) -> None:
    if enclose(epsilon, bits)[0] < bound:
        raise RejectedError("epsilon is not proved to be at least the bound")


# --- Dwork, Rothblum, Vadhan --------------------------------------------------------------------


def check_advanced_composition(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """e·√(2k ln(1/δ')) + k·e·(exp(e) - 1), all mechanisms taken to be as bad as the worst."""
    epsilon = finite_epsilon(step.bound)
    if not mechanisms:
        raise RejectedError("there are no mechanisms")
    count = sum(mechanism.count for mechanism in mechanisms)
    rest = step.bound.delta - count * max(mechanism.delta for mechanism in mechanisms)
    if rest <= 0:
        raise RejectedError("delta is not above k times the greatest delta")
    bits = _bits(mechanisms, step)
    greatest = max(enclose(mechanism.epsilon, bits)[1] for mechanism in mechanisms)
    root = _root(2 * count * enclose_ln(1 / rest, bits)[1], bits)
    growth = count * (_exp_above(greatest, bits) - (1 << bits))
    _need(epsilon, ceil_shift(greatest * (root + growth), bits), bits)


def _exp_above(value: int, bits: int) -> int:
    _, high, exponent = exp_floating((value, value), bits)
    return high << exponent if exponent >= 0 else ceil_shift(high, -exponent)


# --- Kairouz, Oh, Viswanath ---------------------------------------------------------------------


def check_kairouz_oh_viswanath_homogeneous(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Theorem 3.4: the same for equal parameters."""
    _need_one_entry(mechanisms)
    check_kairouz_oh_viswanath(mechanisms, step)


def check_kairouz_oh_viswanath(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Theorem 3.5: the least of Σ ε_i, M + √(2V ln(1/Δ)) and M + √(2V ln(e + √V/Δ))."""
    epsilon = finite_epsilon(step.bound)
    _need_feasible(mechanisms, step)
    if sign_of_sum([(1, epsilon), *((-m.count, m.epsilon) for m in mechanisms)]) >= 0:
        return
    bits = _bits(mechanisms, step)
    allowed = delta_of(mechanisms, step, bits)[0]
    if allowed <= 0:
        raise RejectedError("epsilon is below the sum, and Δ is not proved to be above 0")
    mean, square = _mean_and_square(mechanisms, bits)
    one = 1 << bits
    plain = enclose_ln(Fraction(one, allowed), bits)[1]
    inner = Fraction(exp_fixed((one, one), bits)[1], one) + Fraction(_root(square, bits), allowed)
    logarithm = min(plain, enclose_ln(inner, bits)[1])
    _need(epsilon, mean + isqrt(2 * square * logarithm) + 1, bits)


def _mean_and_square(mechanisms: Sequence[Mechanism], bits: int) -> tuple[int, int]:
    """M and V, from above."""
    one = 1 << bits
    mean = square = 0
    for epsilon, count in groups(mechanisms):
        low, high = enclose(epsilon, bits)
        x = exp_fixed((-high, -low), bits)[0]
        mean += count * ceil_div(high * (one - x), one + x)
        square += count * ceil_shift(high * high, bits)
    return mean, square


def _need_one_entry(mechanisms: Sequence[Mechanism]) -> None:
    if len(mechanisms) != 1:
        raise RejectedError("the mechanisms do not all have the same parameters")


def _need_feasible(mechanisms: Sequence[Mechanism], step: Step) -> None:
    if sign_of_delta(mechanisms, step.bound.delta) < 0:
        raise RejectedError("delta is too small: Δ < 0")


# --- Murtagh, Vadhan ----------------------------------------------------------------------------


def cost_of_murtagh_vadhan_steps(mechanisms: Sequence[Mechanism], step: Step) -> int:
    """SPEC 7.12."""
    return cost_of_grid(mechanisms, _on_its_grid(mechanisms, step))


def check_murtagh_vadhan_steps(mechanisms: Sequence[Mechanism], step: Step) -> None:
    """Theorem 1.4: D at the greatest (k - 2i)·ε₁ that is at most epsilon."""
    epsilon = finite_epsilon(step.bound)
    _need_one_entry(mechanisms)
    [mechanism] = mechanisms
    if sign_of_sum([(1, epsilon), (-mechanism.count, mechanism.epsilon)]) >= 0:
        _need_feasible(mechanisms, step)
        return
    above, exact = ceil_quotient(epsilon, mechanism.epsilon)
    multiple = above if exact else above - 1
    multiple -= (mechanism.count - multiple) % 2
    if multiple < 0:
        raise RejectedError("epsilon is below every (k - 2i) times that of a mechanism")
    bound = replace(step.bound, epsilon=mechanism.epsilon.scaled(multiple))
    check_grid(mechanisms, replace(_on_its_grid(mechanisms, step), bound=bound))


def _on_its_grid(mechanisms: Sequence[Mechanism], step: Step) -> Step:
    """The step with ε₁ as its unit, where that is above 0."""
    _need_one_entry(mechanisms)
    [mechanism] = mechanisms
    return replace(step, unit=mechanism.epsilon) if mechanism.positive else step
