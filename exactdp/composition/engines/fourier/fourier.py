r"""The Fourier engine: a bracket for many mechanisms, whose error is paid once.

Rules of this file: floats guess parameters; an end is certain because a ball says so.

Theory of operation: see ``spectrum``. The bracket's width is about (a + 1)s² for a noise s and the
tilt a at which the loss varies around x, so that the effort's mesh h stands for s = h/√(a + 1): the
width falls with the square of the mesh, as it does for other brackets. A lower tilt than that makes
|φ| smaller far out, and E h smaller as well: the cheapest of a few is taken. The cost is that of
the points that are evaluated, one factor for each group, and of a sweep over all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, pi, sqrt
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    bits_of,
    double_of,
    precision,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.engine import Effort, Engine, Method, isqrt_above, round_mesh
from exactdp.composition.engines.fourier.guess import (
    MOST_FAR,
    Aim,
    Saddle,
    adding_gaussian,
    best_factors,
    best_slopes,
    saddles_of_divergence,
    saddles_of_epsilon,
)
from exactdp.composition.engines.fourier.needs import Parameters
from exactdp.composition.engines.fourier.spectrum import FAR_BITS, Spectrum
from exactdp.composition.engines.fourier.sweep import BLOCK
from exactdp.composition.engines.refusals import DOES_NOT_FIT
from exactdp.errors import CostLimitError
from exactdp.mechanisms.characteristic import Characteristic
from exactdp.mechanisms.float_losses import FloatLaw, FloatResponse, gathered
from exactdp.timing.deadlines import asking

_NEVER: Final = 10**30
_DYADIC: Final = 2**24
_LITTLE: Final = 0.2
_MOST_STEPS: Final = 40
_SPARE: Final = mpq(5, 3)
_ROUGH: Final = 1000
_STRING_SIZE: Final = 2500
_MOST_STRINGS: Final = 1500
_USUAL_LOG_DIVERGENCE: Final = -20.0
_FIRST_MESH: Final = mpq(1, 1000)
_NO_NOISE: Final = mpq(0)
_FLOAT_COST: Final = 5000
_MOST_EXACT: Final = 10**4
"""Points times factors that are evaluated to all digits: |φ| is large again where losses align."""
_FEWEST_ALIKE: Final = 4
"""So many mechanisms of one loss make |φ| small by themselves, but near where they align."""


class FourierEngine(Engine):
    """Second-order ends for many mechanisms; the spectrum of the latest effort is kept.

    Args:
        groups: pairs (ε, count), ε > 0, in the order of the statement.
        tolerance: the width in nats that will be asked for; None if unknown.
        allowed: Δ, if it is known.
        square: M² of Gaussian mechanisms beside them.
        characteristics: noise beside them.
    """

    method: Method = "fourier"

    def __init__(
        self,
        groups: Epsilons,
        tolerance: mpq | None,
        allowed: arb | None = None,
        square: mpq = _NO_NOISE,
        characteristics: Sequence[Characteristic] = (),
    ) -> None:
        self._groups = groups
        self._characteristics = characteristics
        self._floats = [*_floats(self._groups), *(each.in_floats for each in characteristics)]
        self._bins = gathered(self._floats)
        self._alike = [law for law in self._floats if law.count >= _FEWEST_ALIKE]
        self._square, self._root = square, sqrt(double_of(square))
        self._together = adding_gaussian(self._bins, self._root)
        self._tolerance = tolerance
        self._latest: tuple[Effort, Spectrum] | None = None
        self._aims: dict[mpq, Aim] = {}
        self._saddles = saddles_of_divergence(self._together, _USUAL_LOG_DIVERGENCE)
        if allowed is not None:
            self.aim_at_allowed(allowed)

    def aim_at_allowed(self, allowed: arb) -> None:
        """Choose the tilt for OptComp at Δ."""
        with precision(64):
            saddles = saddles_of_divergence(self._together, float(allowed.log()))
        self._aim_at(saddles)

    def aim_at_epsilon(self, epsilon: ExactNumber) -> None:
        """Choose the tilt for D at ε."""
        with precision(64):
            saddles = saddles_of_epsilon(self._together, float(ball(epsilon)))
        self._aim_at(saddles)

    def _aim_at(self, saddles: list[Saddle]) -> None:
        if saddles != self._saddles:
            self._saddles, self._aims = saddles, {}

    def first_effort(self, bits: int) -> Effort:
        if self._tolerance is None:
            return Effort(bits, _FIRST_MESH)
        mesh = round_mesh(1 / isqrt_above(_SPARE / self._tolerance))
        return Effort(bits, min(_FIRST_MESH, mesh))

    def more(self, effort: Effort, excess: mpq | None) -> Effort:
        # the width falls with the square of the mesh
        mesh = effort.bracket_mesh
        if excess is None:
            return Effort(effort.bits + 8, round_mesh(mesh / 4))
        shrink = min(mpq(7, 8), mpq(7, 8) / isqrt_above(excess))
        return Effort(effort.bits + bits_of(1 / shrink), round_mesh(mesh * shrink))

    def cost(self, effort: Effort) -> int:
        aim = self._aim(effort)
        return int(min(aim.cost, 1e300)) if aim.fits else _NEVER

    def memory(self, effort: Effort) -> int:
        # the strings of the sweep, and the values
        aim = self._aim(effort)
        strings = min(_MOST_STRINGS, 8 + aim.last // BLOCK)
        values = 600 * int(min(aim.near + aim.far, 1e12))
        return aim.factors * strings * _STRING_SIZE + values + 1000 * len(self._floats)

    def least_epsilon(self, allowed: arb, effort: Effort) -> Ends:
        self.aim_at_allowed(allowed)
        aim = self._aim(effort)
        spectrum = self._spectrum(effort)
        width = effort.bracket_mesh**2
        with precision(effort.bits + 64):
            upper = _Crossing(lambda x: spectrum.balls(ball_of_rational(x))[1], allowed, aim.saddle)
            lower = _Crossing(lambda x: spectrum.balls(ball_of_rational(x))[0], allowed, aim.saddle)
            high = upper.certain_above(width)
            return lower.certain_below(width, high), high

    def divergence(self, epsilon: ExactNumber, effort: Effort) -> Ends:
        if self._latest is None or self._latest[0] != effort:
            self.aim_at_epsilon(epsilon)
        spectrum = self._spectrum(effort)
        with precision(effort.bits + 64):
            return spectrum.divergence(ball(epsilon))

    def witness(self) -> Spectrum:
        """The spectrum that the latest answer rests on."""
        if self._latest is None:
            raise ValueError("nothing was asked yet")
        return self._latest[1]

    def _aim(self, effort: Effort) -> Aim:
        """The cheapest tilt."""
        mesh = effort.bracket_mesh
        if mesh not in self._aims:
            aims = [
                Aim.of(self._bins, self._alike, self._sizes, saddle, double_of(mesh), self._root)
                for saddle in self._saddles
            ]
            self._aims[mesh] = min(aims, key=lambda aim: (not aim.fits, aim.cost))
        return self._aims[mesh]

    @property
    def _sizes(self) -> tuple[int, int]:
        """How many groups there are, and how many kinds of noise."""
        return len(self._groups), len(self._characteristics)

    def _spectrum(self, effort: Effort) -> Spectrum:
        if self._latest is None or self._latest[0] != effort:
            aim = self._aim(effort)
            found = Spectrum(
                self._groups,
                self._parameters(aim, effort.bits),
                effort.bits,
                MOST_FAR,
                self._characteristics,
                aim.most_blocks,
            )
            self._latest = effort, found
        return self._latest[1]

    def _parameters(self, aim: Aim, bits: int) -> Parameters:
        """What was guessed, as rationals of few digits."""
        step = _dyadic(aim.step / 1.02)
        left, right = best_slopes(self._together, aim.saddle, 2 * pi / double_of(step))
        tilt = _dyadic(aim.saddle.tilt, 64)
        last = max(ceil(1.02 * aim.last), aim.near)
        few = bits > FAR_BITS and last * sum(self._sizes) <= _MOST_EXACT
        near = last if few else aim.near
        t = 2 * near * double_of(step)
        return Parameters(
            tilt=tilt,
            noise=_dyadic(aim.noise, 2**14),
            step=step,
            last=last,
            near=near,
            cut=aim.cut,
            factors=best_factors(self._floats, double_of(tilt) + 0.5, t),
            left=max(tilt + 1, _dyadic(left, 64)),
            right=_dyadic(right, 64),
            square=self._square,
        )


@dataclass(frozen=True, slots=True)
class _Crossing:
    """Where a falling function, known by its balls, crosses Δ."""

    value: Callable[[mpq], arb]
    allowed: arb
    saddle: Saddle

    def certain_below(self, width: mpq, near: mpq) -> mpq:
        """A rational at which the function is certainly above Δ, or 0; ``near`` is a guess."""
        start = self._about(width, near)
        low = _first(start, -width, lambda x: x <= 0 or bool(self.value(x) > self.allowed))
        return max(mpq(0), low)

    def certain_above(self, width: mpq) -> mpq:
        """A rational at least 0 at which the function is certainly at most Δ."""
        start = max(self._about(width, mpq(*self.saddle.near.as_integer_ratio())), mpq(0))
        return _first(start, width, lambda x: bool(self.value(x) <= self.allowed))

    def _about(self, width: mpq, near: mpq) -> mpq:
        """About where the function crosses, by secants of its logarithm that begin at ``near``."""
        x, slope = near, -(self.saddle.slope + _LITTLE)
        farthest = 4 * self.saddle.deviation
        previous: tuple[mpq, float] | None = None
        for _ in range(_MOST_STEPS):
            found = self.value(x).mid()
            excess = float((found / self.allowed).log()) if found > 0 else -1.0
            if previous is not None and previous[0] != x:
                secant = (excess - previous[1]) / double_of(x - previous[0])
                slope = secant if secant < 0 else slope
            previous = x, excess
            move = -excess / slope
            if abs(move) < double_of(width) / _ROUGH:
                break
            x += _dyadic(max(-farthest, min(farthest, move)), 2**20)
        return x


def _first(start: mpq, width: mpq, holds: Callable[[mpq], bool]) -> mpq:
    """The first of start + width·2^j/2000 at which a ball says that an end is certain."""
    for j in range(80):
        x = start + width * mpq(2**j, 2 * _ROUGH)
        if holds(x):
            return x
    raise CostLimitError(
        field="ledger",
        value="a divergence that is not separated from Δ at any ε",
        expected="one that falls below Δ",
        remedy="use another --method",
        code=DOES_NOT_FIT,
    )


def _floats(groups: Epsilons) -> list[FloatLaw]:
    with precision(64):
        return [
            FloatResponse(float(ball(epsilon)), float(count))
            for epsilon, count in asking(groups, _FLOAT_COST)
        ]


def _dyadic(value: float, per_unit: int = _DYADIC) -> mpq:
    """A rational near a float: few binary digits after the point, or few significant ones."""
    scale = per_unit
    while 0 < abs(value) * scale < per_unit:
        scale *= 2
    return mpq(round(value * scale), scale)
