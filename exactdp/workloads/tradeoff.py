r"""Trade-off functions: the least error of the second kind for each error of the first.

Purpose: parallel composition for f-differential privacy. What a workload guarantees is the lower
convex envelope of the trade-off functions of its overlapping sets.

Rules of this file: a function is exact, a list of knots with rational coordinates, convex, not
increasing, from (0, ·) to (1, 0); where odds e^ε are irrational they are rounded up, so that the
function lies below the true one, which is the safe side.

Theory of operation: a trade-off function is that of some pair of discrete distributions: the
masses (p, q) of the outcomes, rejected in the order of falling q/p, add p to the error of the first
kind and take q from that of the second. (ε, δ)-DP is randomized response. A tensor product is the
pair of the product distributions; equal ratios are merged, so that a product of k equal mechanisms
has k + 3 pieces at most. The lower convex envelope of several functions is the lower hull of all
their knots. Gaussian trade-off functions G_μ are ordered by μ, and compose by √Σμ²; the envelope of
several is that of the greatest μ.

Sources: Dong, Roth, Su, "Gaussian differential privacy", JRSS B 84 (2022), Definition 5, Theorem 4
and Section 3.1; Smith et al., PoPETs 2022, Definition 7 and Theorem 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import prod
from typing import Final

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.problem import ball_of_odds
from exactdp.errors import DomainError, UnsupportedError
from exactdp.mechanisms import Mechanism, Parametric

MAX_PIECES: Final = 300
_DIGITS: Final = 30
_BITS: Final = 256

Point = tuple[mpq, mpq]
"""An error of the first kind, and the least of the second at it; or masses (p, q)."""


@dataclass(frozen=True, slots=True)
class TradeOff:
    """A convex, piecewise linear trade-off function.

    Attributes:
        knots: from α = 0 to α = 1, α increasing.
    """

    knots: tuple[Point, ...]

    @staticmethod
    def of_masses(masses: Iterable[Point]) -> TradeOff:
        """The trade-off function of two distributions, by the masses of their outcomes."""
        merged: dict[mpq | None, Point] = {}
        for p, q in masses:
            ratio = q / p if p else None
            known_p, known_q = merged.get(ratio, (mpq(0), mpq(0)))
            merged[ratio] = known_p + p, known_q + q
        _, surely = merged.pop(None, (mpq(0), mpq(0)))
        knots = [(mpq(0), 1 - surely)]
        for _, (p, q) in sorted(merged.items(), key=lambda item: -(item[0] or mpq(0))):
            knots.append((knots[-1][0] + p, knots[-1][1] - q))
        return TradeOff(_hull(knots))

    @property
    def masses(self) -> tuple[Point, ...]:
        """Two distributions that have this trade-off function."""
        first = (mpq(0), 1 - self.knots[0][1])
        steps = [(b[0] - a[0], a[1] - b[1]) for a, b in pairwise(self.knots)]
        return tuple(mass for mass in (first, *steps) if any(mass))

    def at(self, alpha: mpq) -> mpq:
        """The value at an error of the first kind.

        Raises:
            DomainError: it is no probability.
        """
        for (a0, b0), (a1, b1) in pairwise(self.knots):
            if a0 <= alpha <= a1:
                return b0 + (b1 - b0) * (alpha - a0) / (a1 - a0)
        raise DomainError(field="alpha", value=str(alpha), expected="a rational from 0 to 1")

    def __matmul__(self, other: TradeOff) -> TradeOff:
        """The tensor product: of two mechanisms composed."""
        return TradeOff.of_masses((p * r, q * s) for p, q in self.masses for r, s in other.masses)

    def failure(self, odds: mpq) -> mpq:
        """The least δ for which this implies (ln odds, δ)-DP: the greatest of 1 - f(α) - odds·α."""
        return max(mpq(0), *(1 - beta - odds * alpha for alpha, beta in self.knots))


NOTHING_LEARNED = TradeOff(((mpq(0), mpq(1)), (mpq(1), mpq(0))))


def trade_off(mechanism: Mechanism) -> TradeOff:
    r"""f_{ε,δ}, the greatest function that every (ε, δ)-DP mechanism keeps, count times.

    >>> [str(beta) for _, beta in trade_off(Mechanism("ln(3)", "1/10")).knots]
    ['9/10', '9/40', '0', '0']
    """
    odds, kept = odds_above(mechanism.epsilon), 1 - mechanism.delta
    masses = (
        (mpq(0), mechanism.delta),
        (kept / (1 + odds), kept * odds / (1 + odds)),
        (kept * odds / (1 + odds), kept / (1 + odds)),
        (mechanism.delta, mpq(0)),
    )
    return _power(TradeOff.of_masses(masses), mechanism.count)


def odds_above(epsilon: ExactNumber) -> mpq:
    """e^ε if that is rational, else a decimal of 30 digits above it."""
    exact = epsilon.rational_odds()
    if exact is not None:
        return exact
    with precision(_BITS):
        return round_above(upper_end(ball_of_odds(epsilon)), _DIGITS)


def tensor(functions: Iterable[TradeOff]) -> TradeOff:
    """The tensor product of several functions; of none, that of learning nothing."""
    return reduce(TradeOff.__matmul__, functions, NOTHING_LEARNED)


def trade_off_of(ledger: Iterable[Parametric]) -> TradeOff:
    """What every composition of mechanisms given by (ε, δ) keeps.

    Raises:
        UnsupportedError: an entry is given by ρ or μ, or there are too many for exact arithmetic.
    """
    entries = list(ledger)
    for entry in entries:
        if not isinstance(entry, Mechanism):
            raise UnsupportedError(
                field="mechanisms",
                value="a ρ or a μ",
                expected="mechanisms given by epsilon and delta: the function of others is not "
                "piecewise linear",
            )
    pieces = prod(entry.count + 3 for entry in entries)
    if pieces > MAX_PIECES:
        raise UnsupportedError(
            field="mechanisms",
            value=f"{pieces} pieces",
            expected=f"a trade-off function of at most {MAX_PIECES} pieces",
            remedy="fewer kinds of mechanisms, or fewer of them",
        )
    return tensor(trade_off(entry) for entry in entries if isinstance(entry, Mechanism))


def envelope(functions: Sequence[TradeOff]) -> TradeOff:
    """The lower convex envelope: what a choice among mechanisms guarantees, whichever is chosen."""
    knots = [knot for function in functions or [NOTHING_LEARNED] for knot in function.knots]
    return TradeOff(_hull(knots))


def _power(function: TradeOff, count: int) -> TradeOff:
    """The tensor product of ``count`` equal functions, by repeated squaring."""
    result = NOTHING_LEARNED
    while count:
        if count & 1:
            result = result @ function
        count >>= 1
        function = function @ function if count else function
    return result


def _hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """The corners of the lower convex hull, without those that lie on a line."""
    lowest: dict[mpq, mpq] = {}
    for alpha, beta in points:
        lowest[alpha] = min(beta, lowest.get(alpha, beta))
    corners: list[Point] = []
    for point in sorted(lowest.items()):
        while len(corners) > 1 and _is_above(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return tuple(corners)


def _is_above(left: Point, middle: Point, right: Point) -> bool:
    """Whether ``middle`` lies on or above the line between its neighbours."""
    return (middle[1] - left[1]) * (right[0] - left[0]) >= (right[1] - left[1]) * (
        middle[0] - left[0]
    )
