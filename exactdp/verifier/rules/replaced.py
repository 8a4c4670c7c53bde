r"""Noise on a sum whose records are sampled, and of which one is replaced.

Rules of this file: as in ``pairs_of_laws``; an output at which something is evaluated may be any,
and only decides how close an enclosure is.

Theory of operation: let N be the law of the answer without the record, M and M' those with it and
with the one that takes its place: noise around 0, around C and around -C. The pair is (1 - q)N + qM
and (1 - q)N + qM'. Both likelihood ratios are monotone in the outputs, so that outputs from a
threshold on are best against N and against M' at once. With P and Q of these and y_c the ratio of
the densities at the threshold, h(y_c) = P - y_c·Q; as h is convex with a slope from -1 to 0,
P - y·Q <= h(y) <= P - y·Q + |y - y_c|. The pair is its own reverse.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from ..arithmetic.dots import Mesh
from ..arithmetic.enclosures import (
    Enclosure,
    ceil_div,
    ceil_shift,
    enclose_exact,
    enclose_ln,
    exp_fixed,
)
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import RejectedError
from .curves import Curve, Cut, Normal, TwoSided
from .discrete_noise import OnIntegers
from .pairs_of_laws import MAX_LOSS, Ends, exp_of, log_of, one_less, opposite, quotient
from .tables import Atom, Table

_GUARD = 40


class Replaced(Cut):
    """Continuous noise; outputs are in units of the noise."""

    rate: Fraction

    @abstractmethod
    def near(self, odds: int, bits: int) -> Fraction:
        """About the output at which the densities have this ratio, 1 or more."""

    @abstractmethod
    def beyond(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure, Enclosure]:
        """M, N and M' of all outputs from there on."""

    @abstractmethod
    def ratios(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        """The densities of M and M' over that of N."""

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """P - y·Q of all outputs from near y_c = y on."""
        if loss[1] < 0:
            return self.reversed_at(loss, bits)
        work = bits + _GUARD
        pay(30 * of_division(3 * work + size(self.rate)))
        odds = exp_fixed((loss[0] << _GUARD, loss[1] << _GUARD), work)
        output = self.near(max(odds[0], 1 << work), work)
        p, q = self._tails(output, work)
        above, below = (_mixed(each, self.rate, work) for each in self.ratios(output, work))
        there = quotient(above, below, work)
        off = max(odds[1] - there[0], there[1] - odds[0], 0)
        low, high = p[0] - ceil_shift(odds[1] * q[1], work), p[1] - (odds[0] * q[0] >> work) + off
        return low >> _GUARD, ceil_shift(high, _GUARD)

    def cut(self, loss: Enclosure, bits: int) -> int:
        """The output at which the densities have about this ratio."""
        pay(20 * of_division(3 * bits + size(self.rate)))
        far = max(loss[0], -loss[1], 0)
        output = self.near(exp_fixed((far, far), bits)[0], bits)
        scaled = (output.numerator << bits) // output.denominator
        return scaled if loss[0] >= 0 else -scaled

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """(1 - q)N + qM, and (1 - q)N + qM'."""
        return self._tails(Fraction(cut, 1 << bits), bits)

    def _tails(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        pay(8 * of_division(bits + size(self.rate)))
        own, without, other = self.beyond(output, bits)
        return _between(own, without, self.rate), _between(other, without, self.rate)


def _between(there: Enclosure, without: Enclosure, rate: Fraction) -> Enclosure:
    """(1 - q) times the second and q times the first."""
    above, below = rate.numerator, rate.denominator
    low, high = (
        (below - above) * other + above * own for own, other in zip(there, without, strict=True)
    )
    return low // below, ceil_div(high, below)


@dataclass(frozen=True)
class ReplacedNormal(Replaced):
    """Normal noise, by the square of what a removal moves; outputs are times that."""

    square: Fraction
    rate: Fraction

    def is_unbounded(self, *, back: bool) -> bool:  # noqa: ARG002 (as both ways)
        """Losses grow with the output."""
        return True

    def near(self, odds: int, bits: int) -> Fraction:
        """Half the square and ln X, for qX² - (1 - q)(y - 1)X - yq·e^{-square} = 0."""
        one, above, below = 1 << bits, self.rate.numerator, self.rate.denominator
        rest = (below - above) * (odds - one)
        least = exp_of(-self.square, bits)[0]
        root = isqrt(rest * rest + 4 * above * above * odds * least)
        return self.square / 2 + logarithm_of(Fraction(rest + root, 2 * above << bits), bits)

    def beyond(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure, Enclosure]:
        """Values of Φ."""
        return (
            upper_tail(output - self.square, self.square, bits),
            upper_tail(output, self.square, bits),
            upper_tail(output + self.square, self.square, bits),
        )

    def ratios(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        """e^{±x - square/2}."""
        half = self.square / 2
        return exp_of(output - half, bits), exp_of(-output - half, bits)


@dataclass(frozen=True)
class ReplacedLaplace(Replaced):
    """Laplace noise, for a = clip/scale; the densities have a constant ratio beyond ±a."""

    most: Fraction
    rate: Fraction

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """0 from the greatest loss on."""
        above, below = (_mixed(each, self.rate, bits) for each in self.ratios(self.most, bits))
        if loss[0] >= 0 and exp_fixed(loss, bits)[0] >= quotient(above, below, bits)[1]:
            return 0, 0
        return super().at(loss, bits)

    def near(self, odds: int, bits: int) -> Fraction:
        """(a + ln t)/2, for t = (y(1 - q + q·e^{-a}) - (1 - q))/q."""
        least = _mixed(exp_of(-self.most, bits), self.rate, bits)[0]
        rest = enclose_exact(1 - self.rate, bits)[0]
        inside = Fraction((odds * least >> bits) - rest, 1 << bits) / self.rate
        return min(max((self.most + logarithm_of(inside, bits)) / 2, Fraction(0)), self.most)

    def cut(self, loss: Enclosure, bits: int) -> int:
        """Beyond all outputs from the greatest loss on."""
        found = super().cut(loss, bits)
        most = enclose_exact(self.most, bits)[0]
        far = MAX_LOSS << bits
        return found if -most < found < most else far if found > 0 else -far

    def beyond(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure, Enclosure]:
        """Values of 1/2·e^{-x}, and of 1 - 1/2·e^x."""
        own, without, other = (
            _beyond(each, bits) for each in (output - self.most, output, output + self.most)
        )
        return own, without, other

    def ratios(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        """e^{|x| - |x - a|} and e^{|x| - |x + a|}."""
        pay(12 * of_division(size(output) + size(self.most)))
        far = abs(output)
        return exp_of(far - abs(output - self.most), bits), exp_of(
            far - abs(output + self.most), bits
        )


def _beyond(output: Fraction, bits: int) -> Enclosure:
    """Standard Laplace noise from there on."""
    low, high = exp_of(-abs(output), bits)
    half = low >> 1, ceil_shift(high, 1)
    return half if output >= 0 else one_less(1 << bits, half)


def logarithm_of(value: Fraction, bits: int) -> Fraction:
    """About the logarithm; of what is not above 0, something far below."""
    if value <= 0:
        return Fraction(-MAX_LOSS)
    if value >= 1:
        return Fraction(enclose_ln(value, bits)[0], 1 << bits)
    return Fraction(opposite(enclose_ln(1 / value, bits))[0], 1 << bits)


@dataclass(frozen=True)
class ReplacedTable(Table):
    """Discrete noise: each output by its three laws."""

    table: OnIntegers
    rate: Fraction

    def is_unbounded(self, *, back: bool) -> bool:
        """As without sampling, where N and M' are small beside M."""
        return self.table.is_unbounded(back=back)

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """(1 - q)N + qM and (1 - q)N + qM'."""
        without, own, logs = self.table.three(mesh)
        pay(len(own) * (10_000 + 30 * of_division(2 * mesh.bits + size(self.rate))))
        listed = zip(own, without, reversed(own), logs, reversed(logs), strict=True)
        return [
            Atom(
                _between((m, m), (n, n), self.rate)[0],
                _between((other, other), (n, n), self.rate)[0],
                self._loss(log, opposed, mesh.bits),
            )
            for m, n, other, log, opposed in listed
            if m or n or other
        ]

    def _loss(self, log: Ends, opposed: Ends, bits: int) -> Ends:
        """The logarithm of (1 - q + q·M/N)/(1 - q + q·M'/N)."""
        if max(map(abs, (*log, *opposed))) > MAX_LOSS:
            raise RejectedError(f"a privacy loss above {MAX_LOSS}")
        above, below = (self._ratio(each, bits) for each in (log, opposed))
        return log_of(Fraction(above[0], below[1]), bits)[0], log_of(
            Fraction(above[1], below[0]), bits
        )[1]

    def _ratio(self, log: Ends, bits: int) -> Enclosure:
        low, high = log
        least = exp_of(low, bits)
        most = least if low == high else exp_of(high, bits)
        return _mixed((least[0], most[1]), self.rate, bits)


def _mixed(ratio: Enclosure, rate: Fraction, bits: int) -> Enclosure:
    """1 - q + q·r, for a density over that of N."""
    one = 1 << bits
    return _between(ratio, (one, one), rate)


def replaced(law: Table | Curve, rate: Fraction) -> Replaced | ReplacedTable:
    """The pair of noise on a sum of which a record is replaced."""
    match law:
        case Normal():
            return ReplacedNormal(law.square, rate)
        case TwoSided():
            return ReplacedLaplace(law.most, rate)
        case OnIntegers():
            return ReplacedTable(law, rate)
        case _:
            raise RejectedError("a clip beside what is no noise on a sum")
