r"""The points of a characteristic function from ``near`` on: those that a sweep leaves, evaluated.

Rules of this file: as in ``sweep`` and ``far_values``.

Theory of operation: a point n is passed over where |φ| is shown to be so small that what stands
beside it in the sum makes no difference. Of noise (``waves``) the sweep looks at the outer losses
alone, and what is left of its modulus is a factor that does not grow with n. What is evaluated is
the product of the values of randomized responses, and of those of noise. What is far out is the
same for both certificates of a ledger, and is remembered from the one to the other.

Sources: certs/SPEC.md, sections 6.7, 6.8 and 11.7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..format.meter import of_division, pay, remembered
from ..format.numbers import size
from ..format.outcomes import RejectedError
from .circle import Point
from .enclosures import ceil_div
from .far_values import FAR_BITS, FarValues, far_unit
from .scaled import Scaled, scaled_power, scaled_product
from .sweep import Factor, Sweep
from .time_values import kappa
from .waves import Wave, tight, tight_power


@dataclass(frozen=True)
class Spectrum:
    """The parameters of the rules, as SPEC 11.7 has them; and M², 0 without Gaussian mechanisms."""

    tilt: Fraction
    noise: Fraction
    step: Fraction
    last: int
    near: int
    far: int
    blocks: int
    cut: int
    factors: tuple[int, ...]
    left: Fraction
    right: Fraction
    variance: Fraction = Fraction(0)

    @property
    def theta(self) -> Fraction:
        """A + 1/2."""
        return self.tilt + Fraction(1, 2)

    @property
    def kappa(self) -> Fraction:
        """How much a time value exceeds what it is told from below."""
        return kappa(self.noise)

    def weights(self, n: int) -> tuple[Fraction, Fraction]:
        """1/t² + κs²(3/4 + 4X/25 + 2X²/25), X = s²(θ² + t²), and (s² + M²)t²/2."""
        sizes = map(size, (self.step, self.noise, self.tilt, self.variance))
        pay(20 * of_division(8 * sum(sizes) + 8 * n.bit_length()))
        t, square = n * self.step, self.noise**2
        far = square * (self.theta**2 + t**2)
        value = Fraction(3, 4) + 4 * far / 25 + 2 * far**2 / 25
        exponent = (square + self.variance) * t**2 / 2
        return 1 / t**2 + self.kappa * square * value, exponent


@dataclass(frozen=True)
class FarPoints:
    """What decides which points are evaluated, and φ there.

    Args:
        spectrum: the parameters.
        factors: what the sweep looks at.
        turns: dε/π for each group, times 2^128, from below and less than 2 units off.
        slants: tanh θε for each group, times 2^64, from below.
        counts: of the groups.
        waves: each kind of noise, with the turns of its angles.
    """

    spectrum: Spectrum
    factors: tuple[Factor, ...]
    turns: tuple[int, ...]
    slants: tuple[int, ...]
    counts: tuple[int, ...]
    waves: tuple[tuple[Wave, tuple[int, ...]], ...]

    def evaluated(self) -> tuple[list[tuple[int, Point]], int]:
        """The points, with φ at 128 bits, and the charge of all others up to the last."""
        return _evaluated(self)


@remembered(1)
def _evaluated(far: FarPoints) -> tuple[list[tuple[int, Point]], int]:
    """Neither ε nor the exponents of Chernoff's inequality have a place in them."""
    spectrum = far.spectrum
    damping = Damping(spectrum, [wave for wave, _ in far.waves])
    needs, enough = _Needs(spectrum, damping), _Needs(spectrum, damping)
    sweep = Sweep(far.factors, needs.at(spectrum.near), spectrum.blocks)
    values = FarValues(far.turns, far.slants, far.counts)
    noise = [
        (wave.tilted(spectrum.theta, spectrum.step, FAR_BITS), turns) for wave, turns in far.waves
    ]
    points: list[tuple[int, Point]] = []
    for n in sweep.remaining(spectrum.near, spectrum.last, needs.at):
        if len(points) == spectrum.far:
            raise RejectedError("more points to evaluate than stated")
        shift = FAR_BITS - ceil_div(enough.at(n), 2)
        most = 1 << max(0, FAR_BITS - sweep.bound(n))
        value = values.point(n, 1 << shift if shift > 0 else 0, most)
        pay(30_000 * len(noise))
        for tilted, turns in noise:
            units = [far_unit(n * turn, values.table) for turn in turns]
            factor = tight_power(tilted.factor(n, units), tilted.wave.count, FAR_BITS)
            value = tight(value, factor, FAR_BITS)
        points.append((n, value))
    return points, sweep.charge


class Damping:
    """Bits of what |φ| has beside the outer losses of noise: of -log2, and they do not fall."""

    def __init__(self, spectrum: Spectrum, waves: Iterable[Wave]) -> None:
        self._laws = [each.tilted(spectrum.theta, spectrum.step, FAR_BITS) for each in waves]
        self._known = (0, 0)

    def at(self, n: int) -> int:
        """At a point at most an eighth before."""
        if 8 * n > 9 * self._known[0]:
            self._known = (n, self._computed(n))
        return self._known[1]

    def _computed(self, n: int) -> int:
        product: Scaled = (1, 1, 0)
        for law in self._laws:
            part = law.damping(n)
            raised = scaled_power((part, part, -FAR_BITS), law.wave.count, FAR_BITS)
            product = scaled_product(product, raised, FAR_BITS)
        return max(0, -product[1].bit_length() - product[2])


class _Needs:
    """How small |φ| must be at a point to be passed over: bits of -log2|φ|²."""

    def __init__(self, spectrum: Spectrum, damping: Damping) -> None:
        self._spectrum = spectrum
        self._damping = damping
        self._known = (0, 0)

    def at(self, n: int) -> int:
        """2·cut + 2·log2 of what stands beside |φ|, at a point at most a hundredth before."""
        if 100 * n > 101 * self._known[0]:
            self._known = (n, self._computed(n))
        return self._known[1]

    def _computed(self, n: int) -> int:
        weight, exponent = self._spectrum.weights(n)
        # 2·log2 of a rational from above, and of e^{-exponent}: log2(e) > 1.4426950408
        whole = _log2_above(weight**2) - 2 * self._damping.at(n)
        less = 2 * exponent * 14426950408 / 10**10
        return max(0, 2 * self._spectrum.cut + whole - less.__floor__())


def _log2_above(value: Fraction) -> int:
    """At least log2 of a positive rational: an integer."""
    return value.numerator.bit_length() - value.denominator.bit_length() + 1
