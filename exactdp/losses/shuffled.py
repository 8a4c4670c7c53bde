r"""Shuffled batches: the greatest of an epoch's sums, on the worst training data.

Rules of this file: cuts decide how near a bound comes, never whether it holds: floats will do for
them. Probabilities are balls.

Theory of operation: let all other records contribute -1, and the one in question 1, or instead of
it 0 (zeroed out) or -1 (replaced). Up to what everybody knows, the sums of an epoch are normal with
deviation σ, one of them around 2 (or around ``zeroed``, 1 or 0), which one is random, and the
others around 0. Of their maximum M,

.. math:: P[M \le c] = \Phi((c-2)/\sigma)\,\Phi(c/\sigma)^{T-1},

and Q the same with ``zeroed`` for 2, whatever the sizes of the T batches are. M is cut where its
privacy loss is about half-way between two points: the loss grows with M, and is found there by
halving.

Sources: certs/SPEC.md, section 13.2; Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang,
"Scalable DP-SGD: shuffling vs. Poisson subsampling", NeurIPS 2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import erfc, exp, log, log1p, pi, sqrt
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational
from exactdp.losses.laws import Cut

REACHES: Final = {"zero-out": 1, "replace-one": 2}
"""How far a record of norm at most 1 moves the sum of its batch, by the neighbouring relation."""
_PRESENT: Final = 2
_GREATEST_LOSS: Final = 1000
_DEVIATIONS: Final = 60
_FAR: Final = 30.0
_HALVINGS: Final = 80


@dataclass(frozen=True, slots=True)
class Maximum(Cut):
    """The maximum of the sums of so many batches, of which one has the mean 2, or ``zeroed``."""

    variance: mpq
    batches: int
    zeroed: int

    @staticmethod
    def of(variance: mpq, batches: int, neighbouring: str) -> Maximum:
        """The maximum under a neighbouring relation."""
        return Maximum(variance, batches, _PRESENT - REACHES[neighbouring])

    def profile(self, loss: arb) -> arb:
        """P[M > c] - e^l·Q[M > c] where the loss of c is l."""
        p, q = self.tails(self.cut(loss))
        return p - loss.exp() * q

    def cut(self, loss: arb) -> arb:
        """About where the loss is so much."""
        return arb(_near(self, float(loss.mid())))

    def tails(self, cut: arb) -> tuple[arb, arb]:
        """P and Q of a maximum above the cut."""
        deviation = ball_of_rational(self.variance).sqrt()
        others = _normal(cut / deviation) ** (self.batches - 1)
        p, q = (1 - _normal((cut - mean) / deviation) * others for mean in (_PRESENT, self.zeroed))
        return p, q


@lru_cache(maxsize=8)
def cuts_of(law: Maximum, listed: tuple[int, ...], unit: mpq) -> tuple[int, ...]:
    """Cuts near the losses half-way between points, in units of the mesh times the variance."""
    step = unit * law.variance
    scale = int(step.numerator) / int(step.denominator)
    width = int(unit.numerator) / int(unit.denominator)
    halves = ((here + after) * width / 2 for here, after in pairwise(listed))
    return tuple(round(_near(law, half) / scale) for half in halves)


def _near(law: Maximum, loss: float) -> float:
    """About where the loss is so much."""
    deviation = sqrt(int(law.variance.numerator) / int(law.variance.denominator))
    rising = _loss(deviation, law.batches - 1, law.zeroed)
    high = _PRESENT + 2 * _GREATEST_LOSS * deviation**2 + _DEVIATIONS * deviation
    low = -high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) >= loss else (middle, high)
    return high


def _loss(deviation: float, others: int, zeroed: int) -> Callable[[float], float]:
    """About the logarithm of the densities of M, one over the other."""

    def density(cut: float, mean: int) -> float:
        """The logarithm of φ((c - mean)/σ)·Φ(c/σ) + (T - 1)·Φ((c - mean)/σ)·φ(c/σ), up to both."""
        here, below = (cut - mean) / deviation, _log_normal((cut - mean) / deviation)
        own, rest = -here * here / 2 + _log_normal(cut / deviation), -((cut / deviation) ** 2) / 2
        if not others:
            return own
        both = sorted((own, log(others) + below + rest))
        return both[1] + log1p(exp(both[0] - both[1]))

    return lambda cut: density(cut, _PRESENT) - density(cut, zeroed)


def _log_normal(x: float) -> float:
    """About ln Φ(x)."""
    if x > -_FAR:
        return log(erfc(-x / sqrt(2)) / 2)
    return -x * x / 2 - log(-x * sqrt(2 * pi))


def _normal(x: arb) -> arb:
    r"""Φ(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2
