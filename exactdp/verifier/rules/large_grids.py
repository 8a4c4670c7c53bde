r"""The rules ``grid-counts`` and ``grid-fourier``: the sum of ``grid``, where that takes long.

Rules of this file: as ``grid`` has them. No loss is told from epsilon by rounding: the least
multiple of the unit that is not below epsilon is found exactly.

Theory of operation: few mechanisms are counted; many have a characteristic function that is small
at nearly all points of a period.

Sources: certs/SPEC.md, sections 11.9 and 11.10.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from ..arithmetic.counts import divergence
from ..arithmetic.enclosures import bits_for, enclose, exp_fixed
from ..arithmetic.period import Grid, Period, PeriodicSum
from ..arithmetic.signs import ceil_quotient
from ..format.numbers import Number, linear, parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import integer, string
from ..format.strict_json import Json
from .ledger import Ledger, PairsRule, need_proof
from .rule import EITHER, parameter, read_digits, read_unit

_MOST_COUNTED: Final = 10_000
_GUARD: Final = 40
_MOST_POINTS: Final = 2**31
_MOST_CUT: Final = 10**6
_LONGEST_TILT: Final = 512
_LONGEST_SPAN: Final = 64


def _points(value: Json) -> int:
    points = integer(value, 3, _MOST_POINTS, "points")
    if not points % 2:
        raise MalformedError("points is even")
    return points


def _tilt(value: Json) -> Fraction:
    number = parse_canonical(string(value, "tilt"))
    if number.logs or number.rational <= 0 or size(number.rational) > _LONGEST_TILT:
        raise MalformedError(f"tilt is not a rational above 0 of at most {_LONGEST_TILT} bits")
    return number.rational


@dataclass(frozen=True)
class GridRule(PairsRule):
    """What rules on a grid have."""

    kinds: ClassVar[tuple[str, ...]] = EITHER

    digits: int = parameter(read_digits)
    unit: Number = parameter(read_unit)

    def multiples(self, ledger: Ledger) -> Counter[int]:
        """How many mechanisms have ε = a·unit, rounded to the side of the bound, for a > 0."""
        found: Counter[int] = Counter()
        for epsilon, count in ledger.groups:
            a, exact = ceil_quotient(epsilon, self.unit)
            found[a if exact or self.bound.kind == "upper" else a - 1] += count
        del found[0]
        return found

    def top(self, span: int) -> int:
        """The greatest s with (A - 2s)·unit >= epsilon; below 0 if there is none."""
        return (span - ceil_quotient(self.bound.finite(), self.unit)[0]) // 2


class GridCounts(GridRule):
    """Exact counts of few mechanisms, on a grid of any length."""

    name: ClassVar[str] = "grid-counts"

    def check(self, ledger: Ledger) -> None:
        """D of the rounded mechanisms against Δ."""
        if sum(count for _, count in ledger.groups) > _MOST_COUNTED:
            raise RejectedError(f"more than {_MOST_COUNTED} mechanisms are not counted")
        mechanisms = self.multiples(ledger)
        span = sum(a * count for a, count in mechanisms.items())
        bits = self._bits(mechanisms, span)
        top, found = self.top(span), 0
        if top >= 0:
            rest = linear([(span - 2 * top, self.unit), (-1, self.bound.finite())])
            found = divergence(
                mechanisms,
                top,
                self._exponential(self.unit, bits),
                self._exponential(rest, bits),
                bits,
                upper=self.bound.kind == "upper",
            )
        need_proof(self.bound.kind, (found, found), ledger.delta(self.bound.delta, bits))

    def _bits(self, mechanisms: Counter[int], span: int) -> int:
        """Bits that are finer than the digits by what roundings of all counts lose.

        The counts add up to 2^k, and that over P is at most 2^k, and at most e^{Σε/2}.
        """
        growth = min(mechanisms.total(), enclose(self.unit.scaled(span), 0)[1])
        return bits_for(self.digits) + _GUARD + 2 * span.bit_length() + growth

    def _exponential(self, number: Number, bits: int) -> tuple[int, int]:
        """The exponential of the opposite of a number >= 0."""
        low, high = enclose(number, bits)
        return exp_fixed((-high, -low), bits)


@dataclass(frozen=True)
class GridFourier(GridRule):
    """One period of the characteristic function, for many mechanisms on a grid."""

    name: ClassVar[str] = "grid-fourier"

    cut: int = parameter(lambda value: integer(value, 1, _MOST_CUT, "cut"))
    points: int = parameter(_points)
    tilt: Fraction = parameter(_tilt)
    values: int = parameter(lambda value: integer(value, 0, _MOST_POINTS, "values"))

    def check(self, ledger: Ledger) -> None:
        """The ends of D, against Δ."""
        mechanisms = self.multiples(ledger)
        span = sum(a * count for a, count in mechanisms.items())
        top, count = self.top(span), mechanisms.total()
        if top < 0 or span.bit_length() > _LONGEST_SPAN:
            raise RejectedError("the grid is too long, or has no loss above epsilon")
        roundings = 2 * count.bit_length() + self.points.bit_length()
        bits = bits_for(self.digits) + 2 * _GUARD + roundings
        grid = Grid(self.unit, mechanisms, span, top)
        period = Period(self.tilt, self.points, self.cut, self.values)
        fine = bits + size(self.bound.delta)
        ends = PeriodicSum(grid, period, self.bound.finite(), bits).ends(fine)
        need_proof(self.bound.kind, ends, ledger.delta(self.bound.delta, fine))
