r"""Shuffled reports output by output: of few reports all counts, and of two values one of them.

Rules of this file: as in ``tables``; counts are weighed by whole numbers before they are divided.

Theory of operation: the answers of randomized response, shuffled, say no more than how many there
are of each value. Others that hold one value answer by one law; of the values that nobody in
question holds, all beyond a third are counted together.

Sources: certs/SPEC.md, sections 7.4 and 7.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeAlias

from ..arithmetic.binomial import binomial
from ..arithmetic.dots import Mesh
from ..format.meter import of_division, of_product, pay
from ..format.numbers import size
from .pairs_of_laws import log_of
from .tables import Atom, Table


def outputs_of(reports: int, values: int) -> int:
    """How many counts there are of both values in question, of a third one, and of all others."""
    kinds = 4 if values > 3 else 3
    return comb(reports + kinds - 1, kinds - 1)


@dataclass(frozen=True)
class Binary(Table):
    """Binary randomized response where all hold one value; Q is with one that holds the other."""

    reports: int
    odds: Fraction

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """How many x answers there are of the other value: Q/P = (E·x + (n - x)/E)/n."""
        bits, n = mesh.bits, self.reports
        first, weights = binomial(n, 1 / (self.odds + 1), bits)
        pay(len(weights) * (4000 + 4 * of_division(2 * bits + 4 * size(self.odds))))
        found = []
        for x, weight in enumerate(weights, first):
            ratio = (self.odds * x + (n - x) / self.odds) / n
            q = weight * ratio.numerator // ratio.denominator
            found.append(Atom(weight, q, log_of(1 / ratio, bits)))
        return found


_Counted: TypeAlias = dict[tuple[int, ...], int]
"""Counts of answers, with how likely they are, in units."""


@dataclass(frozen=True)
class Histogram(Table):
    """Randomized response on so many values, where so many others hold 0 and the rest a third.

    P is with the value 0, Q with the value 1; of two values the third is 1.
    """

    reports: int
    odds: Fraction
    values: int
    alike: int

    def atoms(self, mesh: Mesh) -> list[Atom]:
        """All counts: exactly, in units of the denominator of E, before they are divided."""
        kinds = len(self._answers(0))
        outputs = comb(self.reports + kinds - 1, kinds - 1)
        work = self.reports * (size(self.odds) + self.values.bit_length())
        pay(outputs * (self.alike + 4) * (3000 + 2 * of_product(work)))
        pay(outputs * 6 * of_division(mesh.bits + 2 * work))
        third = self._answers(min(self.values, 3) - 1)
        others = dict(_spread(self.reports - 1 - self.alike, third))
        for _ in range(self.alike):
            others = _reported(others, self._answers(0))
        p, q = (_reported(others, self._answers(value)) for value in (0, 1))
        total = sum(p.values())
        found = []
        for at, weight in p.items():
            ends = (weight << mesh.bits) // total, (q[at] << mesh.bits) // total
            if any(ends):
                found.append(Atom(*ends, log_of(Fraction(weight, q[at]), mesh.bits)))
        return found

    def _answers(self, value: int) -> list[int]:
        """How likely the answers 0, 1, 2 and beyond are to one record, in units."""
        true, lie, k = self.odds.numerator, self.odds.denominator, self.values
        listed = [true if answer == value else lie for answer in range(min(k, 3))]
        return [*listed, (k - 3) * lie] if k > len(listed) else listed


def _spread(reports: int, answers: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """How likely the counts of so many equal records are."""
    first, others = answers[0], answers[1:]
    if not others:
        yield (reports,), first**reports
        return
    for here in range(reports + 1):
        share = comb(reports, here) * first**here
        for at, weight in _spread(reports - here, others):
            yield (here, *at), share * weight


def _reported(counted: _Counted, answers: Sequence[int]) -> _Counted:
    """With the report of one more record."""
    found: _Counted = {}
    for at, weight in counted.items():
        for i, answer in enumerate(answers):
            more = (*at[:i], at[i] + 1, *at[i + 1 :])
            found[more] = found.get(more, 0) + weight * answer
    return found
