r"""The privacy loss distribution of composed randomized responses, and its two questions.

Theory of operation: let w(σ) be the probability that the untruthful answers among the k
randomized responses have epsilons summing to σ. The privacy loss is then
:math:`L = \sum_i \epsilon_i - 2\sigma`, and the other hypothesis gives the same event the
probability :math:`w(\sigma) e^{-L}`. In order of decreasing loss let U_m and V_m be the sums of
the two over the first m losses. The hockey-stick divergence is the largest of the lines
:math:`U_m - yV_m` and 0, so

.. math:: D(y) = \max(0, \max_m (U_m - yV_m)), \qquad
          e^{OptComp} = \max(1, \max_m (U_m - \Delta)/V_m) \text{ for } \Delta \ge 0.

Both are taken as maxima of enclosures over all m; nothing searches for "the" piece.

Rounding: masses are rounded down; the missing mass, ``lost``, lies somewhere, so that the true
:math:`U_m` is in [U_m, U_m + lost] and the true V_m in [V_m, V_m + lost·e^{-L_m}].

Source: Murtagh & Vadhan, Theory of Computing 14(8), 2018, Thm 1.5; dominating pairs and privacy
loss distributions: Sommer, Meiser, Mohammadi, PoPETs 2019.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from flint import arb, fmpz
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball, lower_end, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.weights import Weights


@dataclass(frozen=True, slots=True)
class LossDistribution:
    r"""Masses at privacy losses >= 0 (or next to it), in order of decreasing loss.

    Attributes:
        bits: the precision of everything here.
        truthful: U_m, cumulative masses under the first hypothesis; balls that leave out ``lost``.
        other: V_m, the same under the second hypothesis.
        decay: balls of :math:`e^{-L_m}`, increasing.
        lost: the probability that rounding lost, a ball >= 0.
    """

    bits: int
    truthful: Sequence[arb]
    other: Sequence[arb]
    decay: Sequence[arb]
    lost: arb

    @staticmethod
    def of_weights(
        weights: Weights, largest: int, step: int, unit: ExactNumber, bits: int
    ) -> LossDistribution:
        """The distribution whose weight at s has the loss (``largest`` - ``step``·s)·``unit``."""
        reach = largest // step + 1 - weights.offset
        masses = weights.scaled.coeffs()[: max(0, reach)]
        with precision(bits + 64 + 2 * largest.bit_length()):
            size = ball(unit)
            decay = [(size * (step * weights.offset - largest)).exp()]
            ratio = (size * step).exp()
            for _ in masses[1:]:
                decay.append(decay[-1] * ratio)
        return LossDistribution.of(masses, decay[: len(masses)], weights.lost(bits), bits)

    @staticmethod
    def of(masses: Sequence[fmpz], decay: Sequence[arb], lost: fmpz, bits: int) -> LossDistribution:
        """Cumulate masses·2^bits given in order of decreasing loss."""
        with precision(bits + 32):
            unit = arb(2) ** -bits
            scaled = [mass * unit for mass in masses]
            truthful = list(accumulate(scaled))
            other = list(accumulate(mass * z for mass, z in zip(scaled, decay, strict=True)))
            return LossDistribution(bits, truthful, other, decay, lost * unit)

    def least_odds(self, budget: arb, most: arb) -> tuple[arb, arb]:
        r"""Balls (low, high) with low <= max(1, max_m (U_m - Δ)/V_m) <= high.

        Args:
            budget: a ball of Δ > 0.
            most: a ball of :math:`e^{\sum \epsilon_i}`, which always suffices: the upper end
                where the lost mass is not certainly below Δ.
        """
        with precision(self.bits + 32):
            high_budget = budget - self.lost
            resolved = bool(high_budget > 0)
            low = high = arb(1)
            for u, v, z in zip(self.truthful, self.other, self.decay, strict=True):
                if u > high_budget:
                    high = high.max((u - high_budget) / v) if resolved else high
                    low = low.max((u - budget) / (v + self.lost * z))
                elif not u < high_budget:
                    high = high.max((u - high_budget) / v)
            return low, high.min(most) if resolved else most

    def divergence(self, odds: arb) -> tuple[mpq, mpq]:
        """Exact rationals low <= D(y) <= high.

        Args:
            odds: a ball of y = e^ε >= 1.
        """
        with precision(self.bits + 32):
            inverse = 1 / odds
            certain = bisect_left(self.decay, True, key=lambda z: not z < inverse)
            value = arb(0)
            spread = arb(0)
            if certain:
                value = self.truthful[certain - 1] - odds * self.other[certain - 1]
                spread = self.lost * odds * self.decay[certain - 1]
            low = lower_end(value - spread)
            for m in range(certain, len(self.decay)):
                if self.decay[m] > inverse:
                    break
                line = self.truthful[m] - odds * self.other[m]
                value = value.max(line)
            return max(mpq(0), low), max(mpq(0), upper_end(value + self.lost))
