r"""Noise on whole numbers: its entries, its outputs, and which of two reveals more.

Rules of this file: as in ``pairs_of_laws``; an output that is left out is lost. A family is told of
here and nowhere else: what files and statements call it, its range, its laws and its order.

Theory of operation: an answer moves by a *shift*; P is noise around 0 and Q noise around the shift.
Where a record is replaced, N is noise around 0, and M around the shift.

Sources: certs/SPEC.md, sections 7.4 and 7.6; Canonne, Kamath & Steinke, NeurIPS 2020 (discrete
Gaussian); Agarwal, Kairouz & Liu, NeurIPS 2021 (Skellam).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar, Final, Self, TypeAlias

from ..arithmetic.dots import Mesh
from ..arithmetic.enclosures import Enclosure, ceil_div, ceil_shift, enclose_ln
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import MalformedError
from .pairs_of_laws import Ends, exp_of, opposite
from .tables import Atom, Table

_LEAST_VARIANCE: Final = Fraction(1, 10**6)
_MOST_VARIANCE: Final = 10**12
_GUARD: Final = 40
_AN_OUTPUT: Final = 6000

Three: TypeAlias = tuple[list[int], list[int], list[Ends]]
"""Of outputs that lie evenly around 0, noise around 0 and around a shift, from below; and the
logarithm of the second over the first. Noise around the opposite shift is the second turned round.
"""


class OnIntegers(Table):
    """Noise on a whole number that a record shifts."""

    key: ClassVar[str]
    """What its entries are called."""
    amount: ClassVar[str]
    """What they call the number that says how much noise it is."""

    shift: int

    @classmethod
    @abstractmethod
    def of(cls, amount: Fraction, shift: int) -> Self:
        """So much noise, above 0, if that is in its range."""

    @abstractmethod
    def three(self, mesh: Mesh) -> Three:
        """Outputs that lie evenly around 0; what is left out is lost."""

    @abstractmethod
    def is_below(self, other: Self) -> bool:
        """Whether it is known to be dominated by another of its family."""


def _in_range(variance: Fraction) -> Fraction:
    if not _LEAST_VARIANCE <= variance <= _MOST_VARIANCE:
        raise MalformedError("a mechanism's variance is not from 1e-6 to 1e12")
    return variance


@dataclass(frozen=True)
class Geometric(OnIntegers):
    """Discrete Laplace noise of a scale, on an answer that a record shifts."""

    key: ClassVar[str] = "discrete_laplace"
    amount: ClassVar[str] = "scale"

    scale: Fraction
    shift: int

    @classmethod
    def of(cls, amount: Fraction, shift: int) -> Self:
        """Of any scale."""
        return cls(amount, shift)

    def is_below(self, other: Self) -> bool:
        """Of a greater scale, it is that of the smaller one and something independent."""
        return self.scale >= other.scale and self.shift <= other.shift

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """1/(1 + x), (1 - x)x^j/(1 + x) for 0 < j < shift, and the rest, x^shift/(1 + x)."""
        one, bits = 1 << mesh.bits, mesh.bits
        pay((self.shift + 1) * (_AN_OUTPUT + 4 * of_division(2 * bits)))
        low, high = exp_of(-1 / self.scale, bits)
        inside = (one - high << bits) // (one + high)
        weights, power = [(one << bits) // (one + high)], low
        for _ in range(1, self.shift):
            weights.append(inside * power >> bits)
            power = power * low >> bits
        weights.append((power << bits) // (one + high))
        return _symmetric(
            weights, [(self.shift - 2 * j) / self.scale for j in range(self.shift + 1)]
        )

    def three(self, mesh: Mesh) -> Three:
        """The outputs from -shift to shift, the last with all beyond them."""
        bits, shift = mesh.bits, self.shift
        one = 1 << bits
        pay((2 * shift + 1) * (2 * _AN_OUTPUT + 4 * of_division(2 * bits)))
        low, high = exp_of(-1 / self.scale, bits)
        powers = [one]
        for _ in range(2 * shift):
            powers.append(powers[-1] * low >> bits)
        inside = [(one - high) * power // (one + high) for power in powers]
        ends = [(power << bits) // (one + high) for power in powers]
        outputs = range(-shift, shift + 1)
        without = [inside[abs(x)] for x in outputs]
        own = [inside[shift - x] for x in outputs]
        without[0] = without[-1] = ends[shift]
        own[0], own[-1] = ends[2 * shift], ends[0]
        logs = ((abs(x) - (shift - x)) / self.scale for x in outputs)
        return without, own, [(log, log) for log in logs]


@dataclass(frozen=True)
class DiscreteNormal(OnIntegers):
    """Discrete Gaussian noise of a variance, on an answer that a record shifts."""

    key: ClassVar[str] = "discrete_gaussian"
    amount: ClassVar[str] = "variance"

    variance: Fraction
    shift: int

    @classmethod
    def of(cls, amount: Fraction, shift: int) -> Self:
        """Of a variance in its range."""
        return cls(_in_range(amount), shift)

    def is_unbounded(self, *, back: bool) -> bool:  # noqa: ARG002 (as both ways)
        """Losses grow with the output."""
        return True

    def is_below(self, other: Self) -> bool:
        """Variances have no order."""
        return self.variance == other.variance and self.shift <= other.shift

    def _reach(self, digits: int) -> int:
        """An n with e^{-n²/2σ²} < 10^-(digits + 4)."""
        return isqrt(int(5 * self.variance * (digits + 4))) + 2

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """P(x) = e^{-x²/2σ²}/Z, Q(x) = P(x - shift); the loss at x is (shift² - 2·shift·x)/2σ².

        With P centred at 0 and Q at the shift.
        """
        reach, half = self._reach(mesh.digits), self._half(mesh)
        outputs = range(-reach, reach + self.shift + 1)
        pay(len(outputs) * _AN_OUTPUT)
        weights = [half[abs(x)] if abs(x) <= reach else 0 for x in outputs]
        double = 2 * self.variance
        losses = [(self.shift**2 - 2 * self.shift * x) / double for x in outputs]
        return _symmetric(weights, losses)

    def three(self, mesh: Mesh) -> Three:
        """The outputs from -n - shift to n + shift."""
        shift, reach, half = self.shift, self._reach(mesh.digits), self._half(mesh)
        most = reach + shift
        outputs = range(-most, most + 1)
        pay(len(outputs) * 2 * _AN_OUTPUT)
        without = [half[abs(x)] if abs(x) <= reach else 0 for x in outputs]
        own = [half[abs(x - shift)] if abs(x - shift) <= reach else 0 for x in outputs]
        double = 2 * self.variance
        logs = ((2 * shift * x - shift**2) / double for x in outputs)
        return without, own, [(log, log) for log in logs]

    def _half(self, mesh: Mesh) -> list[int]:
        """P(x) for x = 0, 1, …, from below. Beyond n terms fall by e^{-(n+1)/σ²} at least."""
        bits, reach = mesh.bits, self._reach(mesh.digits)
        terms = [exp_of(-Fraction(x * x) / (2 * self.variance), bits) for x in range(reach + 2)]
        _, ratio = exp_of(-Fraction(reach + 1) / self.variance, bits)
        pay(len(terms) * of_division(2 * bits))
        tail = ceil_div(terms[-1][1] << bits, (1 << bits) - ratio)
        total = terms[0][1] + 2 * (sum(high for _, high in terms[1:-1]) + tail)
        return [(low << bits) // total for low, _ in terms]


def _symmetric(weights: Sequence[int], losses: Sequence[Fraction]) -> list[Atom]:
    """Atoms of which Q is P turned round."""
    opposite = zip(weights, reversed(weights), losses, strict=True)
    return [Atom(p, q, (loss, loss)) for p, q, loss in opposite]


@dataclass(frozen=True)
class Skellam(OnIntegers):
    """The difference of two Poisson counts of one mean, on an answer that a record shifts."""

    key: ClassVar[str] = "skellam"
    amount: ClassVar[str] = "variance"

    variance: Fraction
    shift: int

    @classmethod
    def of(cls, amount: Fraction, shift: int) -> Self:
        """Of a variance in its range."""
        return cls(_in_range(amount), shift)

    def is_unbounded(self, *, back: bool) -> bool:  # noqa: ARG002 (as both ways)
        """Losses grow with the output."""
        return True

    def is_below(self, other: Self) -> bool:
        """Of a greater variance, it is that of the smaller one and something independent."""
        return self.variance >= other.variance and self.shift <= other.shift

    def _reach(self, digits: int) -> int:
        """An n with P[X >= n] < 10^-(digits + 4), by Bernstein's inequality."""
        some = digits + 4
        return isqrt(int(Fraction(3 * some**2, 5) + 5 * self.variance * some)) + 4 * some // 5 + 2

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """P(x) and Q(x) = P(x - shift), with P centred at 0 and Q at the shift."""
        shift, reach = self.shift, self._reach(mesh.digits)
        ratios = _Ratios.of(self.variance, reach, reach + shift, mesh.bits)
        half, losses = ratios.half(reach), ratios.losses()
        outputs = range(-reach, reach + shift + 1)
        pay(len(outputs) * _AN_OUTPUT)
        weights = [half[abs(x)] if abs(x) <= reach else 0 for x in outputs]
        opposite = zip(outputs, weights, reversed(weights), strict=True)
        return [Atom(p, q, _less(losses[abs(x)], losses[abs(x - shift)])) for x, p, q in opposite]

    def three(self, mesh: Mesh) -> Three:
        """The outputs from -n - shift to n + shift."""
        shift, reach = self.shift, self._reach(mesh.digits)
        ratios = _Ratios.of(self.variance, reach, reach + 2 * shift, mesh.bits)
        half, losses = ratios.half(reach), ratios.losses()
        outputs = range(-reach - shift, reach + shift + 1)
        pay(len(outputs) * 2 * _AN_OUTPUT)
        without = [half[abs(x)] if abs(x) <= reach else 0 for x in outputs]
        own = [half[abs(x - shift)] if abs(x - shift) <= reach else 0 for x in outputs]
        return without, own, [_less(losses[abs(x - shift)], losses[abs(x)]) for x in outputs]


@dataclass(frozen=True)
class _Ratios:
    """P(x + 1)/P(x) of Skellam noise for x = 0, 1, …, in units of 2^-work."""

    variance: Fraction
    ratios: Sequence[Enclosure]
    bits: int
    work: int

    @classmethod
    def of(cls, variance: Fraction, reach: int, most: int, bits: int) -> Self:
        """The ratios below ``most``; the recurrence begins so far out that it forgets where."""
        work = bits + _GUARD + most.bit_length()
        pay((most + reach) * (500 + 4 * of_division(2 * work + size(variance))))
        above, below = variance.numerator << 2 * work, variance.denominator
        ratio, listed = (0, 1 << work), []
        for x in range(most + reach, 0, -1):
            rest = 2 * x * below << work
            low, high = (rest + variance.numerator * end for end in reversed(ratio))
            ratio = above // low, ceil_div(above, high)
            listed.append(ratio)
        return cls(variance, listed[: -most - 1 : -1], bits, work)

    def half(self, reach: int) -> list[int]:
        """P(x) from below, for each x from 0 to ``reach``."""
        pay(reach * (500 + 6 * of_division(self.bits + self.work)))
        weights = [(1 << self.work, 1 << self.work)]
        for low, high in self.ratios[:reach]:
            least, most = weights[-1]
            weights.append((least * low >> self.work, ceil_shift(most * high, self.work)))
        beyond = ceil_div(
            self.variance.numerator * weights[-1][1], self.variance.denominator * (reach + 1)
        )
        total = (1 << self.work) + 2 * (sum(high for _, high in weights[1:]) + beyond)
        return [(low << self.bits) // total for low, _ in weights]

    def losses(self) -> list[Ends]:
        """The logarithm of P(x)/P(0), for each x from 0 on."""
        one, least, most = 1 << self.work, 0, 0
        ends = [(Fraction(0), Fraction(0))]
        for low, high in self.ratios:
            pay(6 * of_division(2 * self.work))
            below, above = opposite(enclose_ln(Fraction(one, low), self.work))
            least += below
            most += above + ceil_div(high - low << self.work, low)
            ends.append((Fraction(least, one), Fraction(most, one)))
        return ends


def _less(ends: Ends, others: Ends) -> Ends:
    """One enclosure without another."""
    return ends[0] - others[1], ends[1] - others[0]


ON_INTEGERS: Final[Mapping[str, type[OnIntegers]]] = {
    each.key: each for each in (DiscreteNormal, Geometric, Skellam)
}
"""The families, by what their entries are called."""
