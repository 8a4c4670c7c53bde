r"""Noise on a sum whose records are sampled, and of which one is replaced, in balls.

Rules of this file: as in :mod:`exactdp.losses.laws`; of three laws, N is that of the answer without
the record, M and M' are those with it and with the one that takes its place.

Theory of operation: N is noise around 0, M around C, M' around -C, for the most C that a record
moves the sum. The pair (1 - q)N + qM, (1 - q)N + qM' is the worst there is: both likelihood ratios
are monotone in the outputs, so that a half-line is best against N and against M' at once. The pair
is its own reverse.

Sources: certs/SPEC.md, section 13.2.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.losses.laws import (
    Atom,
    Cut,
    DiscreteNormal,
    Geometric,
    Normal,
    OutputTable,
    TwoSided,
)

_FAR = 1000


@dataclass(frozen=True, slots=True)
class _Replaced(Cut):
    """Continuous noise; a cut is an output, in units of the noise."""

    size: mpq
    rate: mpq

    @abstractmethod
    def near(self, odds: arb) -> arb:
        """The output at which the densities have this ratio, 1 or more."""

    @abstractmethod
    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """M, N and M' of all outputs from there on."""

    def profile(self, loss: arb) -> arb:
        """P - y·Q of all outputs from there on, or 1 - y + y·h(1/y) for y below 1."""
        if loss < 0:
            return 1 - loss.exp() * (1 - self.profile(-loss))
        p, q = self.tails(self.near(loss.exp()))
        return p - loss.exp() * q

    def cut(self, loss: arb) -> arb:
        """The output of this loss."""
        return -self.near((-loss).exp()) if loss < 0 else self.near(loss.exp())

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """(1 - q)N + qM, and (1 - q)N + qM'."""
        own, without, other = self.beyond(cut)
        rate = ball_of_rational(self.rate)
        return (1 - rate) * without + rate * own, (1 - rate) * without + rate * other


@dataclass(frozen=True, slots=True)
class ReplacedNormal(_Replaced):
    """Normal noise; the size is the square of what a removal moves, and outputs are times that."""

    def near(self, odds: arb) -> arb:
        """Half the square and ln X, for qX² - (1 - q)(y - 1)X - yq·e^{-square} = 0."""
        square, rate = ball_of_rational(self.size), ball_of_rational(self.rate)
        rest = (1 - rate) * arb(0).max(odds - 1)
        root = (rest * rest + 4 * odds * rate * rate * (-square).exp()).sqrt()
        return square / 2 + ((rest + root) / (2 * rate)).log()

    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """Values of Φ."""
        square = ball_of_rational(self.size)
        root = (2 * square).sqrt()
        own, without, other = (
            (each / root).erfc() / 2 for each in (output - square, output, output + square)
        )
        return own, without, other


@dataclass(frozen=True, slots=True)
class ReplacedLaplace(_Replaced):
    """Laplace noise; the size is a = clip/scale, beyond which the ratios are constant."""

    def greatest(self) -> arb:
        """The ratio of the densities from a on."""
        most, rate = ball_of_rational(self.size), ball_of_rational(self.rate)
        return (1 + rate * most.expm1()) / (1 + rate * (-most).expm1())

    def profile(self, loss: arb) -> arb:
        """0 from the greatest loss on."""
        if loss >= 0 and loss.exp() >= self.greatest():
            return arb(0)
        return _Replaced.profile(self, loss)

    def near(self, odds: arb) -> arb:
        """(a + ln t)/2, for t = (y(1 - q + q·e^{-a}) - (1 - q))/q; far out beyond the greatest."""
        most, rate = ball_of_rational(self.size), ball_of_rational(self.rate)
        if odds >= self.greatest():
            return arb(_FAR)
        inside = (odds * (1 + rate * (-most).expm1()) - (1 - rate)) / rate
        found = (most + inside.log()) / 2 if inside > 0 else arb(0)
        return arb(0).max(most.min(found))

    def beyond(self, output: arb) -> tuple[arb, arb, arb]:
        """Values of 1/2·e^{-x}, and of 1 - 1/2·e^x."""
        most = ball_of_rational(self.size)
        own, without, other = (_tail(each) for each in (output - most, output, output + most))
        return own, without, other


def _tail(output: arb) -> arb:
    """Standard Laplace noise from there on."""
    half = (-abs(output)).exp() / 2
    return half if output >= 0 else 1 - half


@dataclass(frozen=True, slots=True)
class ReplacedTable(OutputTable):
    """Discrete noise: each output by its three laws."""

    table: Geometric | DiscreteNormal
    rate: mpq

    def size(self, digits: int) -> int:
        """Twice the outputs, each with two exponentials and four logarithms."""
        return 6 * 2 * self.table.size(digits)

    def atoms(self, digits: int) -> Iterator[Atom]:
        """(1 - q)N + qM and (1 - q)N + qM'."""
        without, own, logs = self.table.three(digits)
        rate = ball_of_rational(self.rate)
        listed = zip(own, without, reversed(own), logs, reversed(logs), strict=True)
        for m, n, other, log, opposed in listed:
            if m > 0 or n > 0 or other > 0:
                above, below = (1 + rate * ball_of_rational(x).expm1() for x in (log, opposed))
                yield Atom(n + rate * (m - n), n + rate * (other - n), above.log() - below.log())


SumNoise = Normal | TwoSided | Geometric | DiscreteNormal
"""Noise on a sum."""


def replaced(law: SumNoise, rate: mpq) -> ReplacedNormal | ReplacedLaplace | ReplacedTable:
    """The pair of noise on a sum of which a record is replaced."""
    match law:
        case Normal():
            return ReplacedNormal(law.square, rate)
        case TwoSided():
            return ReplacedLaplace(law.most, rate)
        case Geometric() | DiscreteNormal():
            return ReplacedTable(law, rate)
