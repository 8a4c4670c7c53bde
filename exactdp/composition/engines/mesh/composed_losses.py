r"""Many mechanisms at once in doubles, with a proved bound: one transform for each law.

Rules of this file: an end is an enclosure, or there is none (:class:`TooRoughError`).

Theory of operation: weights are tilted, so that composed losses lie about the ε that is asked for:

.. math:: (w^{*T})_s = M^T e^{-\lambda u(s - Tc)} (t^{*T})_s,

and t^{*T} is the inverse transform of the product of powers. A transform has an error of at most E
at every frequency; that of the product is at most Π(|φ_i| + E_i)^{T_i} times the sum of
T_i(E_i/(|φ_i| + E_i) + κ), with κ = √8·u for each product. Its mean over all frequencies, and what
the inverse transform adds, bound the error of every cell. A sum from a threshold on counts a cell k
steps above it e^{-λuk} times, so that errors stay small beside it for every δ. What lies beyond the
N cells of the transform comes back into them: Chernoff's bound of it is added, or taken away.

Where there are many mechanisms, equal parts of them are composed first, and these on a coarser
mesh: the parts are laws whose weights err by as much as their cells.

Source: docs/guarantees.md, Doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, exp, isfinite, log, sqrt
from typing import Final, TypeVar

import numpy as np
from flint import arb
from gmpy2 import mpq
from numpy.typing import NDArray

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision
from exactdp.arithmetic.transforms import (
    ROUNDING,
    UNDERFLOW,
    Reals,
    powers,
    relative_error,
    restored,
    transformed,
)
from exactdp.composition.engines.mesh.tilted import (
    GREATEST,
    LEAST_ERROR,
    MOST_CELLS,
    SPARE,
    MeshLaw,
    Stage,
    TiltedLaw,
    TooRoughError,
    double_above,
    pairwise_sum,
    power_of_two,
)
from exactdp.timing.deadlines import ask

_Number = TypeVar("_Number", np.float64, np.complex128)

_BITS: Final = 160
_OF_A_PRODUCT: Final = 3 * ROUNDING
_BEYOND: Final = 12.0
"""What lies beyond the cells is about this many powers of e below the tolerance."""
_RATES: Final = (0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 11.0, 16.0)
_MOST_ROUGH: Final = 0.01
_LEAST_CELLS: Final = 64
_OF_A_CELL: Final = 500
_NARROW: Final = 32
_WELL: Final = 1000.0


@dataclass(frozen=True)
class TailSums:
    """What stands above a threshold: a common factor, and sums in doubles with their errors."""

    factor: arb
    plain: float
    discounted: float
    weight: float
    """What an error of 1 in every cell makes of the plain sum."""
    discounted_weight: float
    missing: float
    """What has left the cells."""
    returned: float
    """What has come back into those from the threshold on."""

    def error(self, whole: ComposedLosses, share: arb) -> arb:
        """What the plain sum less ``share`` times the discounted one may lack, but the factor."""
        of_cells = arb(self.weight) - share * arb(self.discounted_weight)
        both = abs(self.plain) + abs(self.discounted)
        weights = self.weight + self.discounted_weight
        rounded = whole.relative * (both + whole.error * weights)
        return (whole.error * of_cells).upper() + arb(rounded * 1.001 + self.missing)


@dataclass(frozen=True)
class Reach:
    """Where a composition is: its first and last cell, and at most what lies below and above."""

    first: int
    last: int
    below: float
    above: float

    @staticmethod
    def of(laws: Sequence[TiltedLaw], depth: float) -> Reach:
        """The reach of laws that are no compositions, by Chernoff's bound.

        Args:
            laws: the laws.
            depth: about minus the logarithm of what may lie on either side.
        """
        centre = sum(each.count * each.centre for each in laws)
        deviation = sqrt(sum(each.count * each.variance for each in laws))
        low, below = _edge(laws, -1, deviation, depth)
        high, above = _edge(laws, 1, deviation, depth)
        return Reach(centre - low, centre + high, below, above)

    def coarser(self, stage: Stage, parts: int, rate: arb) -> Reach:
        """The same where the losses of so many parts are moved by less than a step each."""
        factor = double_above((rate * stage.times * parts).exp())
        first, last = self.first // stage.times - parts, -(-self.last // stage.times) + parts
        return Reach(first, last, self.below * factor, self.above * factor)


def _edge(
    laws: Sequence[TiltedLaw], sign: int, deviation: float, depth: float
) -> tuple[int, float]:
    """How far losses reach from the centre on a side, and at most what lies beyond."""
    furthest = sum(each.count * int(max(sign * each.offsets[[0, -1]])) for each in laws)
    best, chosen = float(furthest), 0.0
    wide = sum(each.count * (each.span - 1) for each in laws) > _NARROW
    for rate in (each / deviation for each in _RATES if deviation > 0 and wide):
        if any(rate * float(np.abs(each.offsets[[0, -1]]).max()) > GREATEST for each in laws):
            break
        with np.errstate(under="ignore"):
            whole = sum(
                each.count * log(pairwise_sum(each.weights * np.exp(sign * rate * each.offsets)))
                for each in laws
            )
        if (reach := (whole + depth) / rate) < best:
            best, chosen = reach, rate
        elif chosen:  # it falls, then rises
            break
    if not chosen:
        return furthest, 0.0
    edge = ceil(best)
    ball_of_rate = arb(sign * chosen)
    logs = (each.count * each.generated(ball_of_rate).log() for each in laws)
    return edge, double_above((sum(logs, arb(0)) - arb(chosen) * edge).exp())


class ComposedLosses:
    """The composition of laws, at a tilt.

    Raises:
        TooRoughError: doubles do not reach so far.
    """

    def __init__(self, laws: Sequence[TiltedLaw], mesh: tuple[mpq, mpq], reach: Reach) -> None:
        """Compose.

        Args:
            laws: the laws.
            mesh: the unit, and λ, at least 0.
            reach: where the composition is.
        """
        self.unit, self.tilt = mesh
        self._laws, self._reach = laws, reach
        with precision(_BITS):
            self._rate = ball_of_rational(self.tilt * self.unit)
            self.centre = sum(each.count * each.centre for each in laws)
            self._scale = sum((each.count * each.log for each in laws), arb(0))
        between = reach.last - reach.first + 1
        length = max(between, *(each.span for each in laws), _LEAST_CELLS)
        if length > MOST_CELLS:
            raise TooRoughError
        self.length = power_of_two(length)
        ask(self.length * _OF_A_CELL)
        self.first = reach.first - (self.length - between) // 2
        mass = exp(min(GREATEST, sum(each.count * log(each.mass) for each in laws)))
        self._lost = sum(each.count * each.lost for each in laws) * mass * 2
        values, self.error = self._composed()
        self.values = np.roll(values, -((self.first - self.centre) % self.length))

    @staticmethod
    def of(
        laws: Sequence[MeshLaw],
        mesh: tuple[mpq, mpq],
        tolerance: mpq,
        *,
        above: bool,
        stage: Stage | None = None,
    ) -> tuple[ComposedLosses, Stage]:
        """The composition of laws, on a mesh that may grow coarser, and at which stage.

        Args:
            laws: the laws.
            mesh: the unit, and λ.
            tolerance: of the answer.
            above: whether losses are split between points, or rounded.
            stage: when it grows coarser; None where that is to be chosen.
        """
        unit, tilt = mesh
        near = double_of(tolerance)
        depth = _BEYOND - log(near)
        with precision(_BITS):
            rate = ball_of_rational(tilt * unit)
            tilted = [TiltedLaw.of(law, rate) for law in laws]
            stage = stage or Stage.of(tilted, double_of(unit), near, above=above)
            reach = Reach.of(tilted, depth)
            if stage.parts == 1:
                return ComposedLosses(tilted, mesh, reach), stage
            shared = [replace(each, count=each.count // stage.parts) for each in tilted]
            shared = [each for each in shared if each.count]
            inner = ComposedLosses(shared, mesh, Reach.of(shared, depth + log(stage.parts)))
            listed = [inner.as_law().coarser(stage, unit, rate, stage.parts)]
            left = ((each, each.count % stage.parts) for each in tilted)
            listed += [each.coarser(stage, unit, rate, count) for each, count in left if count]
            reach = reach.coarser(stage, sum(each.count for each in listed), rate)
        return ComposedLosses(listed, (unit * stage.times, tilt), reach), stage

    def as_law(self) -> TiltedLaw:
        """This as one law, to be composed again."""
        reach = self._reach
        weights = self.values[reach.first - self.first : reach.last + 1 - self.first]
        offsets = np.arange(reach.first, reach.last + 1) - self.centre
        noise = len(weights) * self.error
        lost = 2 * (self._reach.below + self._reach.above) + self._lost
        kept = np.maximum(weights, 0.0)
        return TiltedLaw(offsets, kept, self.centre, self._scale, 1, noise, lost)

    # --- the composition ----------------------------------------------------------------------

    def _composed(self) -> tuple[Reals, float]:
        """Cells by their offset from the centre, modulo the length, and what each errs by."""
        length = self.length
        spectrum = np.ones(length // 2 + 1, np.complex128)
        worst = 0.0
        greatest, share = np.ones(length // 2 + 1), np.zeros(length // 2 + 1)
        for each in self._laws:
            cells = np.zeros(length)
            cells[each.offsets % length] = each.weights
            near = (relative_error(length) + 1.1 * LEAST_ERROR) * each.mass + each.noise
            near = near * SPARE + length * UNDERFLOW
            law = transformed(cells)
            spectrum *= _power(law, each.count)
            moduli = np.sqrt(law.real**2 + law.imag**2) * (1 + 8 * ROUNDING) + near
            greatest *= _power(moduli, each.count)
            share += each.count * (near / moduli + _OF_A_PRODUCT)
            worst += each.count * (near + _OF_A_PRODUCT)
        if worst > _MOST_ROUGH:
            raise TooRoughError("too many products")
        of_powers = 2 * pairwise_sum(greatest * share) / length
        moduli = np.sqrt(spectrum.real**2 + spectrum.imag**2)
        of_inverse = relative_error(length) * 2 * float(moduli.sum()) / length
        values = restored(spectrum)
        error = (of_powers * 1.02 + of_inverse) * SPARE + UNDERFLOW
        if not isfinite(error):
            raise TooRoughError
        return values, error

    # --- sums -----------------------------------------------------------------------------------

    @cached_property
    def _falling(self) -> tuple[Reals, Reals]:
        """The values of e^{-λuk}, and those times e^{-uk}."""
        with precision(_BITS):
            step = ball_of_rational(self.unit)
            count = 2 * self.length
            return powers(-self._rate, count), powers(-self._rate - step, count)

    def above(self, threshold: int) -> TailSums:
        """The weights of losses from a threshold on."""
        end = self.first + self.length
        if threshold <= self.first - self.length:
            raise TooRoughError
        start = max(threshold, self.first)
        cells = self.values[start - self.first :]
        plain, discounted = (
            each[start - threshold : start - threshold + len(cells)] for each in self._falling
        )
        with precision(_BITS):
            factor = (self._scale - self._rate * (threshold - self.centre)).exp()
            far = double_above((-self._rate * max(0, end - threshold)).exp())
        lost = self._reach.below if threshold < self.first else 0.0
        return TailSums(
            factor,
            pairwise_sum(cells * plain),
            pairwise_sum(cells * discounted),
            float(plain.sum()),
            float(discounted.sum()),
            lost + self._reach.above * far + self._lost + UNDERFLOW,
            self._reach.below + self._reach.above + self._lost + UNDERFLOW,
        )

    def likely(self) -> tuple[int, int]:
        """The first and the last cell that stand well out of the errors."""
        found = np.flatnonzero(self.values > _WELL * self.error)
        if not len(found):
            raise TooRoughError
        return self.first + int(found[0]), self.first + int(found[-1])

    def listed(self, first: int, last: int) -> Reals:
        """About the weights of these cells, over the factor that :meth:`above` has at the first."""
        return (
            self.values[first - self.first : last + 1 - self.first]
            * self._falling[0][: last + 1 - first]
        )

    @property
    def relative(self) -> float:
        """What sums in doubles err by relatively."""
        return (2 * self.length + 256) * ROUNDING


def _power(values: NDArray[_Number], count: int) -> NDArray[_Number]:
    """The power of each value, by squares."""
    found = values.copy()
    with np.errstate(under="ignore"):
        for bit in bin(count)[3:]:
            found *= found
            if bit == "1":
                found *= values
    return found
