r"""Shuffled batches from below: what the greatest of the batches' sums says of one record.

Rules of this file: the answer is a lower end for every choice of cells, scores and thresholds, for
all of these are post-processings; they decide how near it comes. Balls hold every rounding.

Theory of operation: let all other records contribute -e, and the one in question +e or, zeroed out,
0. Up to what everybody knows, the sums of an epoch are normal with deviation σ, one around 2
(or around 1) and the others around 0, and which one is random. Of their maximum M,

.. math:: P[M \le c] = \Phi((c-2)/\sigma)\,\Phi(c/\sigma)^{T-1}, \quad
          Q[M \le c] = \Phi((c-1)/\sigma)\,\Phi(c/\sigma)^{T-1},

whatever the sizes of the T batches are. M is cut into cells, each with a whole number near its
privacy loss for its score; scores of epochs that are shuffled anew add up, their laws are powers of
polynomials, and for each threshold t the event "the score is at least t" refutes every ε with
P(t) - e^ε Q(t) > δ. What is given up by cells and scores is of second order in their width.

Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang, "Scalable DP-SGD: shuffling vs.
Poisson subsampling", NeurIPS 2024, Section 3 (one epoch).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt
from typing import Final

from flint import arb, arb_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, bits_of, lower_end, precision
from exactdp.ledger.noise import ShuffledGaussianMechanism

_BITS: Final = 192
_CELLS: Final = 3000
_MOST_SCORES: Final = 12_000
_MOST_EPOCHS: Final = 300
_SPARE_DEVIATIONS: Final = 3


@dataclass(frozen=True)
class _Cells:
    """The laws of scores, from the least on: with the record, and with it zeroed out."""

    present: list[arb]
    zeroed: list[arb]


def least_epsilon(mechanism: ShuffledGaussianMechanism, delta: mpq) -> mpq:
    """An ε >= 0 that the mechanism does not keep at δ, for records zeroed out; 0 if none is found.

    With the first epoch's order kept, the sums of all epochs together are those of one, with noise
    σ/√epochs. Of more epochs than are composed here the first ones are looked at.
    """
    epochs, variance = min(mechanism.epochs, _MOST_EPOCHS), mechanism.sigma**2
    if mechanism.order == "persistent":
        epochs, variance = 1, variance / mechanism.epochs
    with precision(_BITS):
        sigma = ball_of_rational(variance).sqrt()
        cells = _cells(sigma, mechanism.batches, delta, epochs)
        present = arb_poly(cells.present) ** epochs
        zeroed = arb_poly(cells.zeroed) ** epochs
        return _best(present.coeffs(), zeroed.coeffs(), ball_of_rational(delta))


def _cells(sigma: arb, batches: int, delta: mpq, epochs: int) -> _Cells:
    """Cells of the maximum, those of one score taken together."""
    digits = max(1, bits_of(1 / delta) if delta else _BITS) * log(2)
    wide = (sqrt(2 * digits) + _SPARE_DEVIATIONS) * sigma
    cuts = [-wide + (2 + 2 * wide) * k / _CELLS for k in range(_CELLS + 1)]
    others = [_normal(cut / sigma) ** (batches - 1) for cut in cuts]
    laws = [
        _differences(
            [_normal((cut - mean) / sigma) * rest for cut, rest in zip(cuts, others, strict=True)]
        )
        for mean in (2, 1)
    ]
    losses = [_loss(p, q) for p, q in zip(*laws, strict=True)]
    unit = max(float(sigma.mid()) ** -2 / 500, (max(losses) - min(losses)) * epochs / _MOST_SCORES)
    scores = [round(loss / unit) for loss in losses]
    least = min(scores)
    sums = [[arb(0)] * (max(scores) - least + 1) for _ in laws]
    for law, collected in zip(laws, sums, strict=True):
        for score, mass in zip(scores, law, strict=True):
            collected[score - least] += mass
    return _Cells(*sums)


def _normal(x: arb) -> arb:
    r"""Φ(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2


def _differences(values: Sequence[arb]) -> list[arb]:
    """The masses of the cells between the cuts, and of the two beyond them."""
    ends = [arb(0), *values, arb(1)]
    return [after - before for before, after in pairwise(ends)]


def _loss(present: arb, zeroed: arb) -> float:
    """About the privacy loss of a cell; it decides nothing but the cell's score."""
    ratio = [max(float(mass.mid()), 1e-290) for mass in (present, zeroed)]
    return log(ratio[0] / ratio[1])


def _best(present: Sequence[arb], zeroed: Sequence[arb], delta: arb) -> mpq:
    """The greatest ε that some threshold refutes."""
    best, p, q = mpq(0), arb(0), arb(0)
    for mass, other in zip(reversed(present), reversed(zeroed), strict=True):
        p += mass
        q += other
        if p > delta and q > 0:
            best = max(best, lower_end(((p - delta) / q).log()))
    return best
