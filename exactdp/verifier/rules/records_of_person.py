r"""Gaussian noise on a sampled sum, of which one person has several records.

Rules of this file: as in ``pairs_of_laws``; P is the law with the person, Q that without; outputs
are in units in which one record moves them by the square s, which is their variance. An output at
which something is evaluated may be any, and only decides how close an enclosure is.

Theory of operation: K of the person's G records are in the sample, binomial of G and q. At worst
all pull one way: P is the mean over K of noise around K·s, Q is noise around 0. The ratio of the
densities, y(x) = Σ_k P[K = k]·e^{kx - k²s/2}, rises with the output. For any x, h(y) is at least
P(x) - y·Q(x) of all outputs from x on, and at most that and |y - y(x)|, as h is convex with a slope
from -1 to 0. Up to y = P[K = 0] it is 1 - y.

Sources: certs/SPEC.md, sections 7.4 and 7.5; Ganesh, arXiv:2401.10294.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from ..arithmetic.enclosures import Enclosure, ceil_div, ceil_shift, exp_fixed
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, of_product, pay, remembered
from ..format.numbers import size
from .curves import Cut
from .pairs_of_laws import MAX_LOSS, exp_of, one_less
from .replaced import logarithm_of

MOST_RECORDS: Final = 1000
_GUARD: Final = 40
_ROUGH: Final = 64
_STEPS: Final = 64
_FINE_STEPS: Final = 8


@dataclass(frozen=True)
class Person(Cut):
    """Noise around a binomial number of records, and around none."""

    square: Fraction
    rate: Fraction
    records: int

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """P - y·Q of all outputs from near the best one on."""
        guard = _GUARD + self.records.bit_length() + max(0, loss[1] >> bits) * 3 // 2
        work = bits + guard
        odds = exp_fixed((loss[0] << guard, loss[1] << guard), work)
        if odds[1] <= self._weights(work)[0][0]:
            return one_less(1 << bits, exp_fixed(loss, bits))
        output = self._near(odds[0], work)
        p, q = self._tails(output, work)
        there = self._ratio(output, work)
        off = max(odds[1] - there[0], there[1] - odds[0], 0)
        low = p[0] - ceil_shift(odds[1] * q[1], work)
        high = p[1] - (odds[0] * max(0, q[0]) >> work) + off
        return low >> guard, ceil_shift(high, guard)

    def cut(self, loss: Enclosure, bits: int) -> int:
        """About the output of this loss."""
        odds = exp_fixed(loss, bits)[0]
        if odds <= self._weights(bits)[0][1]:
            return -MAX_LOSS << bits
        output = self._near(odds, bits)
        return (output.numerator << bits) // output.denominator

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """The mean of Φ((ks - x)/√s) over k, and Φ(-x/√s)."""
        return self._tails(Fraction(cut, 1 << bits), bits)

    def is_unbounded(self, *, back: bool) -> bool:
        """The greatest loss of Q against P is -ln P[K = 0]."""
        return not back

    def _tails(self, output: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        pay((self.records + 1) * of_product(2 * bits))
        tails = [
            upper_tail(output - k * self.square, self.square, bits) for k in range(self.records + 1)
        ]
        weighted = [*zip(self._weights(bits), tails, strict=True)]
        low = sum(weight[0] * max(0, tail[0]) for weight, tail in weighted) >> bits
        return (low, ceil_shift(sum(w[1] * tail[1] for w, tail in weighted), bits)), tails[0]

    def _ratio(self, output: Fraction, bits: int) -> Enclosure:
        """The densities of P over that of Q."""
        parts = self._parts(output, bits)
        return sum(low for low, _ in parts), sum(high for _, high in parts)

    def _parts(self, output: Fraction, bits: int) -> list[Enclosure]:
        """Each number of records by its weight and density over that of noise around 0."""
        pay(
            (self.records + 1)
            * (of_product(2 * bits) + of_division(size(output) + size(self.square)))
        )
        found = []
        for k, (low, high) in enumerate(self._weights(bits)):
            density = exp_of(k * (output - k * self.square / 2), bits)
            found.append((low * density[0] >> bits, ceil_shift(high * density[1], bits)))
        return found

    def _near(self, odds: int, bits: int) -> Fraction:
        """About the output with this ratio: Newton's steps from the right, coarse ones first."""
        rough = min(bits, _ROUGH)
        target = max(1, odds >> bits - rough)
        output = self._start(target, rough)
        for _ in range(_STEPS):
            step = self._step(output, target, rough)
            output -= step
            if abs(step) < Fraction(1, 1 << rough // 2):
                break
        for _ in range(_FINE_STEPS if bits > rough else 0):
            step = self._step(output, odds, bits)
            output -= step
            if abs(step) < Fraction(1, 1 << bits // 2 + 4):
                break
        return max(output, Fraction(-MAX_LOSS))

    def _start(self, odds: int, bits: int) -> Fraction:
        """Where one number of records alone has that ratio, at the least of such outputs."""
        loss = logarithm_of(Fraction(odds, 1 << bits), bits)
        pay(self.records * 4 * of_division(bits + size(self.square)))
        logs = _logarithms(self.records, str(self.rate), bits)
        return min((loss - logs[k]) / k + k * self.square / 2 for k in range(1, self.records + 1))

    def _step(self, output: Fraction, odds: int, bits: int) -> Fraction:
        """By how much the next output is less, in multiples of 2^-bits."""
        parts = self._parts(output, bits)
        slope = max(1, sum(k * low for k, (low, _) in enumerate(parts)))
        pay(2 * of_division(2 * bits + slope.bit_length()))
        rest = sum(low for low, _ in parts) - odds
        step = Fraction((rest << bits) // slope, 1 << bits)
        whole = output - step
        return output - Fraction((whole.numerator << bits) // whole.denominator, 1 << bits)

    def _weights(self, bits: int) -> Sequence[Enclosure]:
        return _binomial(self.records, str(self.rate), bits)


@remembered(64)
def _binomial(records: int, rate: str, bits: int) -> Sequence[Enclosure]:
    """The probabilities of 0, 1, … of so many records, remembered by the text of the rate."""
    above, below = (int(part) for part in rate.split("/"))
    long = records * below.bit_length() + records
    pay((records + 1) * (4 * of_product(long) + of_division(long + bits)))
    whole = below**records
    found = []
    for k in range(records + 1):
        weight = comb(records, k) * above**k * (below - above) ** (records - k) << bits
        found.append((weight // whole, ceil_div(weight, whole)))
    return found


@remembered(64)
def _logarithms(records: int, rate: str, bits: int) -> Sequence[Fraction]:
    """About the logarithms of these."""
    above, below = (int(part) for part in rate.split("/"))
    own, other = Fraction(above, below), Fraction(below - above, below)
    has, lacks = logarithm_of(own, bits), logarithm_of(other, bits)
    return [
        k * has + (records - k) * lacks + logarithm_of(Fraction(comb(records, k)), bits)
        for k in range(records + 1)
    ]
