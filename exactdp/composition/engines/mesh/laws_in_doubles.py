r"""Laws of noise on a mesh in doubles: enclosures of all their tails at once, rounded one way.

Rules of this file: a law from above is one on whose losses P lies no lower than on the true ones,
and one from below has scores under P no higher, and under Q no lower, than true ones.

Theory of operation: let S_i be P of losses from the point l_i on, and Ŝ_i at least S_i, falling.
Where each answer keeps its rank, each loss is at most that of the point above it, so that all
answers between Ŝ_i and Ŝ_{i+1} may be given to l_i and l_{i+1}. As max(0, 1 - e^{ε - l}) is convex
in z = e^{-l} and falls, it is enough that the mean of z is no greater than the true one, which it
is where l_{i+1} has at least

.. math:: \frac{P_i - e^{l_i} Q_i}{1 - e^{l_i - l_{i+1}}}

of P_i and Q_i between both points, or all. What is beyond the last point is between it and ∞.
Scores are any function of outputs: they need no cuts but doubles, and tails that are rounded down
under P, and up under Q.

Source: docs/guarantees.md, Doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Final

import numpy as np
from gmpy2 import mpq
from numpy.typing import NDArray

from exactdp.arithmetic.doubles import Enclosures
from exactdp.arithmetic.transforms import Reals
from exactdp.composition.engines.mesh.cells import Points
from exactdp.composition.engines.mesh.tilted import MeshLaw, TooRoughError
from exactdp.mechanisms.pairs import Cut, Direction

_LEAST_WEIGHT: Final = 2.0**-900


def dominating_law(
    law: Cut, points: Points, unit: mpq, direction: Direction, count: int
) -> MeshLaw:
    """A law on the points whose losses dominate those of the law, or of its reverse."""
    cells = _listed(points)
    losses = _losses(cells, unit)
    cuts = _cuts(law, losses, direction)
    p, q = _tails(law, cuts, direction)
    tails = np.minimum(np.minimum.accumulate(p.high), 1.0)
    between = tails - np.append(tails[1:], 0.0)
    rises = np.maximum(np.append(_nowhere_less(p.high[:-1] - p.low[1:]), p.high[-1]), 0.0)
    of_q = np.maximum(np.append(_nowhere_more(q.low[:-1] - q.high[1:]), q.low[-1]), 0.0)
    spare = _nowhere_less(rises - _nowhere_more(of_q * losses.exp().low))
    shares = _shares(spare, _gaps(cells, unit), between)
    weights = np.append(between * (1 - shares), 0.0)
    weights[1:] += between * shares
    weights[0] += 1 - tails[0]
    beyond = mpq(Fraction(float(tails[-1]))) * mpq(Fraction(float(shares[-1])))
    return MeshLaw(cells, _normal(weights[:-1]), 1 - beyond, count)


def scored_laws(
    law: Cut, points: Points, unit: mpq, direction: Direction, count: int
) -> tuple[MeshLaw, MeshLaw]:
    """Scores near losses: no higher under P, and no lower under Q, than some that there are."""
    cells = _listed(points)
    halves = _losses(cells[:-1] + cells[1:], unit / 2)
    cuts = _cuts(law, halves, direction).middle()
    p, q = _tails(law, Enclosures.exactly(cuts), direction)
    of_p = np.maximum.accumulate(p.low[::-1])[::-1]
    of_q = np.minimum(np.minimum.accumulate(q.high), 1.0)
    return (
        MeshLaw(cells, _normal(_between(of_p)), mpq(1), count),
        MeshLaw(cells, _normal(_between(of_q)), mpq(1), count),
    )


def rough_law(
    law: Cut, points: Points, unit: mpq, direction: Direction
) -> Sequence[tuple[int, float]]:
    """About the weights of that at each point; none beyond the reach of doubles."""
    with suppress(TooRoughError):
        found = dominating_law(law, points, unit, direction, 1)
        return list(zip(found.cells.tolist(), found.weights.tolist(), strict=True))
    return ()


def _listed(points: Points) -> NDArray[np.int64]:
    return np.array(points.listed(), np.int64)


def _losses(cells: NDArray[np.int64], unit: mpq) -> Enclosures:
    return Enclosures.exactly(cells.astype(np.float64)) * unit


def _cuts(law: Cut, losses: Enclosures, direction: Direction) -> Enclosures:
    """Thresholds at these losses, or at those of the reverse."""
    with np.errstate(over="ignore", under="ignore"):
        return law.enclosed_cuts(-losses if direction == "add" else losses)


def _tails(law: Cut, cuts: Enclosures, direction: Direction) -> tuple[Enclosures, Enclosures]:
    """P and Q of losses from each on, or Q and P of the outputs below it."""
    with np.errstate(over="ignore", under="ignore"):
        p, q = law.enclosed_tails(cuts, below=direction == "add")
    return (q, p) if direction == "add" else (p, q)


def _gaps(cells: NDArray[np.int64], unit: mpq) -> Reals:
    """At most 1 - e^{-s} for each step s from a point to the next, and 1 at the end."""
    return np.append((-(-_losses(np.diff(cells), unit)).expm1()).low, 1.0)


def _shares(spare: Reals, gaps: Reals, between: Reals) -> Reals:
    """At least the shares of what is between that go to the next point."""
    least = np.divide(
        _nowhere_less(spare / gaps), between, out=np.ones_like(gaps), where=between > 0
    )
    return np.clip(_nowhere_less(_nowhere_less(least)), 0.0, 1.0)


def _between(tails: Reals) -> Reals:
    """What is between tails, from 1 down to 0."""
    found: Reals = -np.diff(np.concatenate([[1.0], tails, [0.0]]))
    return found


def _normal(weights: Reals) -> Reals:
    """The weights, none of which has lost digits to underflow.

    Raises:
        TooRoughError: one may have.
    """
    if ((weights > 0) & (weights < _LEAST_WEIGHT)).any():
        raise TooRoughError
    return weights


def _nowhere_less(values: Reals) -> Reals:
    return np.nextafter(values, inf)


def _nowhere_more(values: Reals) -> Reals:
    return np.nextafter(values, -inf)
