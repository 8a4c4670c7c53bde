r"""The privacy loss distribution of composed randomized responses, and its two questions.

Theory of operation: let w(σ) be the probability that the untruthful answers among the k
randomized responses have epsilons summing to σ. The privacy loss is then
:math:`L = \sum_i \epsilon_i - 2\sigma`, and the other hypothesis gives the same event the
probability :math:`w(\sigma) e^{-L}`. In order of decreasing loss let U_m and V_m be the sums of
the two over the first m losses. The hockey-stick divergence is the largest of the lines
:math:`U_m - yV_m`, attained where m counts the losses above ln y, so

.. math:: D(y) = \max_m (U_m - yV_m), \qquad
          e^{OptComp} = \max(1, \max_m (U_m - \Delta)/V_m) \text{ for } \Delta \ge 0.

Every line is below D, so that any m gives a lower end of OptComp. An upper end y is checked: the
losses that are or may be above ln y are known, and with them D(y) <= Δ. A search finds good m and
y; no soundness rests on it.

Rounding: masses are rounded down; the missing mass, ``lost``, lies somewhere, so that the true
U_m is in [U_m, U_m + lost] and the true V_m in [V_m, V_m + lost·e^{-L_m}]. Counts lose nothing.

Sources: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5; privacy loss distributions:
Sommer, Meiser, Mohammadi, PoPETs 2019.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.weights import Weights

_GUARD_BITS = 32


class LossDistribution(ABC):
    """Masses at the privacy losses >= 0, in order of decreasing loss.

    Attributes:
        bits: the precision of everything here.
        lost: the probability that rounding lost, a ball >= 0.
        size: how many losses there are.
    """

    bits: int
    lost: arb
    size: int

    @abstractmethod
    def lines(self, m: int) -> tuple[arb, arb]:
        """Balls of U_m and V_m for the first ``m`` losses, without what was lost."""

    @abstractmethod
    def decay(self, index: int) -> arb:
        """A ball of e^-L for the loss at ``index`` (from 0)."""

    @abstractmethod
    def above(self, odds: arb) -> tuple[int, int]:
        """How many losses are certainly, and how many possibly, above ln y."""

    def least_odds(self, allowed: arb, most: arb) -> tuple[arb, arb]:
        r"""Balls (low, high) with low <= max(1, max_m (U_m - Δ)/V_m) <= high.

        Args:
            allowed: a ball of Δ > 0.
            most: a ball of :math:`e^{\sum \epsilon_i}`, which always suffices.
        """
        with precision(self.bits + _GUARD_BITS):
            best = bisect_left(range(self.size), True, key=lambda m: self._falls(m, allowed))
            low = high = arb(1)
            for m in range(max(1, best - 1), min(self.size, best + 1) + 1):
                u, v = self.lines(m)
                if u > allowed:
                    low = low.max((u - allowed) / (v + self.lost * self.decay(m - 1)))
                if u + self.lost > allowed and v > 0:
                    high = high.max((u + self.lost - allowed) / v)
            return low, self._enough(high, allowed, most)

    def _falls(self, m: int, allowed: arb) -> bool:
        """Whether the line after m losses probably has a root no less than the next line's."""
        u, v = self.lines(m)
        return bool((u - allowed).mid() * self.decay(m).mid() >= v.mid())

    def _enough(self, odds: arb, allowed: arb, most: arb) -> arb:
        """The least of ``odds``, or a little more, that is proved to be enough; else ``most``."""
        margins = (self.bits + 8, self.bits, self.bits // 2, 8)
        for margin in (arb(0), *(arb(2) ** -bits for bits in margins)):
            candidate = (odds * (1 + margin)).upper()
            if not candidate < most:
                break
            if self._divergence(candidate)[1] < allowed:
                return candidate
        return most

    def divergence(self, odds: arb) -> tuple[mpq, mpq]:
        """Exact rationals low <= D(y) <= high.

        Args:
            odds: a ball of y = e^ε >= 1.
        """
        with precision(self.bits + _GUARD_BITS):
            low, high = self._divergence(odds)
            return max(mpq(0), lower_end(low)), max(mpq(0), upper_end(high))

    def _divergence(self, odds: arb) -> tuple[arb, arb]:
        certain, possible = self.above(odds)
        low = high = arb(0)
        for m in range(certain, possible + 1):
            u, v = self.lines(m)
            line = u - odds * v
            high = high.max(line)
            if m:
                low = low.max(line - self.lost * odds * self.decay(m - 1))
        return low, high + self.lost


class EvenLosses(LossDistribution):
    r"""Losses at equal distances: those of a grid.

    The coefficient :math:`c_s` of a polynomial stands for the mass :math:`c_s t^s` times a scale:
    t = 1 for weights, :math:`t = e^{-\epsilon_0}` for counts. The polynomial is cut where a line
    ends, and the sums before each cut are kept: a search evaluates every coefficient about once.
    """

    def __init__(
        self,
        polynomial: fmpz_poly,
        losses: tuple[int, int, arb],
        bits: int,
        *,
        tilt: fmpz | arb,
        scale: arb,
        lost: arb,
    ) -> None:
        """See :meth:`of_weights` and :meth:`of_counts`.

        Args:
            polynomial: the coefficients c_s.
            losses: (first, step, unit) where that of X^s has the loss (first - step·s)·unit.
            bits: the precision.
            tilt: t.
            scale: what all masses are multiplied by.
            lost: the mass that rounding lost.
        """
        first, step, unit = losses
        self.bits = bits
        self.lost = lost
        self.size = min(polynomial.length(), max(0, first // step + 1))
        self._first = first
        self._step = step
        self._unit = unit
        self._tilt = tilt
        self._other_tilt = tilt * (unit * step).exp()
        self._scale = scale
        self._starts = [0]
        self._segments = [polynomial.truncate(self.size)]
        self._sums: list[tuple[fmpz | arb, fmpz | arb]] = [(fmpz(0), fmpz(0))]

    @staticmethod
    def of_weights(
        weights: Weights, largest: int, step: int, unit: ExactNumber, bits: int
    ) -> EvenLosses:
        """The weight at s has the loss (``largest`` - ``step``·s)·``unit``."""
        with precision(bits + _GUARD_BITS + 2 * largest.bit_length()):
            scale = arb(2) ** -bits
            return EvenLosses(
                weights.scaled,
                (largest - step * weights.offset, step, ball(unit)),
                bits,
                tilt=fmpz(1),
                scale=scale,
                lost=weights.lost(bits) * scale,
            )

    @staticmethod
    def of_counts(counts: fmpz_poly, unit: ExactNumber, bits: int) -> EvenLosses:
        """The coefficients are the counts N(s) of the sums s·``unit``; nothing is lost."""
        span = counts.degree()
        with precision(bits + _GUARD_BITS + 2 * span.bit_length()):
            size = ball(unit)
            tilt = (-size).exp()
            scale = 1 / counts(tilt)
            return EvenLosses(counts, (span, 2, size), bits, tilt=tilt, scale=scale, lost=arb(0))

    def lines(self, m: int) -> tuple[arb, arb]:
        index = bisect_right(self._starts, m) - 1
        if self._starts[index] < m:
            self._cut(index, m)
            index += 1
        truthful, other = self._sums[index]
        return truthful * self._scale, other * self._scale

    def _cut(self, index: int, m: int) -> None:
        """Cut the segment at ``index`` before the m-th coefficient."""
        start, segment = self._starts[index], self._segments[index]
        head = segment.truncate(m - start)
        truthful, other = self._sums[index]
        mass = self._tilt**start
        truthful += head(self._tilt) * mass
        other += head(self._other_tilt) * (mass * self.decay(start))
        self._segments[index : index + 1] = head, segment.right_shift(m - start)
        self._starts.insert(index + 1, m)
        self._sums.insert(index + 1, (truthful, other))

    def decay(self, index: int) -> arb:
        return (self._unit * (self._step * index - self._first)).exp()

    def above(self, odds: arb) -> tuple[int, int]:
        place = (self._first - odds.log() / self._unit) / self._step
        certain, possible = -(-lower_end(place) // 1), upper_end(place) // 1 + 1
        return (
            min(max(int(certain), 0), self.size),
            min(max(int(possible), 0), self.size),
        )


class ListedLosses(LossDistribution):
    """Losses at any distances: those of a lattice."""

    def __init__(self, masses: Sequence[fmpz], decay: Sequence[arb], lost: fmpz, bits: int) -> None:
        """Masses·2^bits, and e^-L of each, in order of decreasing loss."""
        self.bits = bits
        self.size = len(masses)
        self._decay = decay
        with precision(bits + _GUARD_BITS):
            unit = arb(2) ** -bits
            self.lost = lost * unit
            scaled = [mass * unit for mass in masses]
            self._truthful = [arb(0), *accumulate(scaled)]
            self._other = [
                arb(0),
                *accumulate(mass * z for mass, z in zip(scaled, decay, strict=True)),
            ]

    def lines(self, m: int) -> tuple[arb, arb]:
        return self._truthful[m], self._other[m]

    def decay(self, index: int) -> arb:
        return self._decay[index]

    def above(self, odds: arb) -> tuple[int, int]:
        inverse = 1 / odds
        certain = bisect_left(self._decay, True, key=lambda z: not z < inverse)
        possible = bisect_left(self._decay, True, key=lambda z: bool(z > inverse))
        return certain, max(certain, possible)
