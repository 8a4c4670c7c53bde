r"""The first bound for concurrent composition of approximate mechanisms.

Rules of this file: the ends of δ are certain; the order that is found is the best of all.

Theory of operation: interactive mechanisms that are (ε_i, δ_i)-DP, their questions interleaved by
an adversary, are :math:`(\sum_i \epsilon_i, \sum_i e^{\sum_{j<i} \epsilon_{\sigma(j)}}
\delta_{\sigma(i)})`-DP for every order σ. Exchanging neighbours i, j in an order changes the sum by
:math:`\delta_j (e^{\epsilon_i} - 1) - \delta_i (e^{\epsilon_j} - 1)` times a positive factor, so
that the best order is by falling :math:`\delta_i / (e^{\epsilon_i} - 1)`, every ε_i = 0 first
(``docs/composition.md``). Sorting by that key is sound where comparing by cross-multiplication is
not: (0, 0) would be equal to everything. Equal mechanisms stand together, and weigh a geometric
series.

Later theorems give the optimum of adaptive composition instead: this bound is shown beside it.

Source: Vadhan & Wang, "Concurrent composition of differential privacy", TCC 2021, Theorem 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Final

from flint import arb
from gmpy2 import mpq, mpz

from exactdp.arithmetic.comparison import compare, sign
from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.problem import Problem
from exactdp.ledger.model import Ledger

NAME: Final = "concurrent-basic"
_FIRST_BITS: Final = 128
_MOST_BITS: Final = 4096
_RELATIVE: Final = mpq(1, mpz(10) ** 30)
_SHOWN_DIGITS: Final = 20
_HUGE: Final = 100

CountedPair = tuple[ExactNumber, mpq, int]
"""ε, δ and a count."""


@dataclass(frozen=True, slots=True)
class InterleavedBasic:
    """What the theorem gives: one ε and one δ.

    Attributes:
        subject: of what.
        epsilon: Σ ε_i.
        lower: at most the least δ over all orders.
        upper: at least that; None if it is beyond 1, where it says nothing.
        order: the mechanisms in the best order.
    """

    subject: Subject
    epsilon: ExactNumber
    lower: mpq
    upper: mpq | None
    order: tuple[CountedPair, ...]

    def gives(self, epsilon: ExactNumber, delta: mpq) -> bool:
        """Whether the theorem gives (ε, δ)."""
        enough = self.upper is not None and self.upper <= delta
        return enough and compare(epsilon, self.epsilon) >= 0

    def certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate | None:
        """The proof of what the theorem gives, by the sum; None if it does not say so.

        The sum of all ε at 1 - ∏(1 - δ_i), which is less than this theorem's δ, carries over to
        interleaved mechanisms by later theorems.
        """
        if not self.gives(epsilon, delta):
            return None
        return Certificate(self.subject, "upper", epsilon, delta, "sum", {})


def interleaved_basic(ledger: Ledger) -> InterleavedBasic:
    """The bound of the theorem for the mechanisms of ``ledger``.

    Raises:
        UnsupportedError: one is given by ρ or μ.

    >>> from exactdp.ledger.model import Ledger
    >>> bound = interleaved_basic(Ledger.of([("1", "1e-3"), ("ln(2)", "1e-3")]))
    >>> [str(epsilon) for epsilon, _, _ in bound.order], float(bound.upper)
    (['ln(2)', '1'], 0.003)
    """
    problem = Problem.of(ledger)
    subject = Subject.of(ledger)
    order = best_order(subject.pairs)
    bits = _FIRST_BITS
    while True:
        with precision(bits):
            total = _total(order)
            low, high = lower_end(total), upper_end(total)
        if high - low <= low * _RELATIVE or bits > _MOST_BITS or low > 1:
            break
        bits *= 2
    # A little more than the sum, so that a checker who rounds up too can follow.
    upper = round_above(high + high * _RELATIVE, _SHOWN_DIGITS)
    kept = upper if upper <= 1 else None
    return InterleavedBasic(subject, problem.total_epsilon, min(low, mpq(1)), kept, order)


def best_order(mechanisms: Sequence[CountedPair]) -> tuple[CountedPair, ...]:
    """By falling δ/(e^ε - 1), every ε = 0 first; ties in any order, as they do not matter."""
    free = [entry for entry in mechanisms if sign(entry[0]) == 0]
    rest = [entry for entry in mechanisms if sign(entry[0]) > 0]
    with precision(_FIRST_BITS):
        keys = {entry: ball_of_rational(entry[1]) / _growth(entry[0]) for entry in rest}

    def later(one: CountedPair, other: CountedPair) -> int:
        return (keys[one].mid() < keys[other].mid()) - (keys[one].mid() > keys[other].mid())

    return (*free, *sorted(rest, key=cmp_to_key(later)))


def _growth(epsilon: ExactNumber) -> arb:
    return ball(epsilon).expm1()


def _total(order: Sequence[CountedPair]) -> arb:
    """The sum of the theorem for this order."""
    total, before = arb(0), arb(0)
    for epsilon, delta, count in order:
        if not delta:
            continue  # from here on, none fails
        size = ball(epsilon)
        if before + (count - 1) * size + ball_of_rational(delta).log() > _HUGE:
            return arb(_HUGE)  # a summand alone is e^100
        weights = (count * size).expm1() / _growth(epsilon) if sign(epsilon) else arb(count)
        total += ball_of_rational(delta) * before.exp() * weights
        before += count * size
    return total
