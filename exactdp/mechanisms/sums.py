r"""Noise on a sum: pairs that are their own reverse, and what they are where a record is replaced.

Rules of this file: as in :mod:`exactdp.mechanisms.pairs`; of three laws, N is that of the answer
without the record, M and M' are those with it and with the one that takes its place.

Theory of operation: N is noise around 0, M around C, M' around -C, for the most C that a record
moves the sum. The pair (1 - q)N + qM, (1 - q)N + qM' is the worst there is: both likelihood ratios
are monotone in the outputs, so that a half-line is best against N and against M' at once. The pair
is its own reverse.

Sources: certs/SPEC.md, section 7.4.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.mechanisms.pairs import (
    Atom,
    AtomLoss,
    Cut,
    Direction,
    GreatestLoss,
    OutputTable,
    Pair,
    SameSupport,
    SampledLoss,
    ball_of_loss,
    rational_loss,
)

Three = tuple[list[arb], list[arb], Sequence[AtomLoss]]
"""Of outputs that lie evenly around 0, noise around 0 and around a shift, and the logarithm of the
second over the first. Noise around the opposite shift is the second turned round."""


class SumNoise(SameSupport):
    """Noise on a sum, around what a record moves it by."""

    @property
    def has_moments(self) -> bool:
        return True

    @property
    def has_sampled_moments(self) -> bool:
        return True

    @abstractmethod
    def replaced(self, rate: mpq) -> Pair:
        """The pair of a sample of which a record is replaced, where a removal moves the sum so."""

    def greatest_replaced(self, rate: mpq) -> GreatestLoss | None:
        """The greatest loss of that."""
        known = self.greatest_loss("remove")
        if known is None or rate == mpq(1, 2):
            return known
        size = rational_loss(known)
        return GreatestLoss(
            known.exact, ((SampledLoss(size, rate), 1), (SampledLoss(size, 1 - rate), -1))
        )


class SumTable(SumNoise, OutputTable):
    """Discrete noise on a sum."""

    @abstractmethod
    def three(self, digits: int) -> Three:
        """Outputs that lie evenly around 0."""

    def replaced(self, rate: mpq) -> Pair:
        return ReplacedTable(self, rate)


class ReplacedCut(SameSupport, Cut):
    """Continuous noise on a sum of which a sampled record is replaced; a cut is an output."""

    rate: mpq

    @abstractmethod
    def noise(self) -> SumNoise:
        """The noise, around what a removal moves the sum by."""

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

    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        del direction
        return self.noise().greatest_replaced(self.rate)


@dataclass(frozen=True, slots=True)
class ReplacedTable(SameSupport, OutputTable):
    """Discrete noise on a sum of which a sampled record is replaced: each output by three laws."""

    table: SumTable
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
                above, below = (1 + rate * ball_of_loss(x).expm1() for x in (log, opposed))
                yield Atom(n + rate * (m - n), n + rate * (other - n), above.log() - below.log())

    def greatest_loss(self, direction: Direction) -> GreatestLoss | None:
        del direction
        return self.table.greatest_replaced(self.rate)
