r"""The Fourier bracket: both ends of D(e^x) from values of a characteristic function.

Rules of this file: what is evaluated is a ball, what is not is bounded, and every bound is
proved; parameters decide how near the ends are, never whether they hold.

Theory of operation: let L be the privacy loss of the composed randomized responses under the first
hypothesis P, and Q the law in which ±ε_i have odds e^{2θε_i}, θ = a + 1/2, a > 0. With
C = ∏ cosh(θε_i)/cosh(ε_i/2), φ(t) = E_Q e^{itL} = ∏ (cos tε_i + i·tanh(θε_i)·sin tε_i), and a
normal N of variance s² and mean s²/2, the privacy loss of a Gaussian mechanism with μ = s, the
divergence of the whole ledger and that mechanism is

.. math:: D_G(x) = E_P (1 - e^{x-L-N})_+
          = C e^{-ax} \frac1{2\pi} \int \frac{\varphi(t)\psi(t)}{z(z+1)} e^{-itx} dt,

z = a + it, ψ(t) = exp(s²z(z + 1)/2). For each value u of L - x the mechanism adds
c(u) = E(1 - e^{-u-N})_+ - (1 - e^{-u})_+, which is s²g(u)·(J(|u|/s) to J(|u|/s)/(1 - s²/12)), g(u)
the density of u + N at 0 and J(y) = ∫_0^∞ w·e^{-w²/2-wy} dw. As a function of v = y² this is
completely monotone: above its tangent at 1, and below the parabola that meets it at 0 and touches
it at 3. So c(u) lies between two quadratics in (u/s)² times s²g(u), whose transforms are
polynomials times ψ: subtracting the one from D_G leaves an upper bound of D, the other a lower
one, 0.39·s²·f apart for the density f of L + N at x.

Gaussian mechanisms in the ledger, M² = Σμ² in all, are one more factor of φ: the loss G that they
add makes C e^{M²a(a+1)/2} times as large, and φ(t) is multiplied by e^{M²(z(z+1) - a(a+1))/2},
which falls by itself, so that N may be left out (s = 0).

The trapezoid rule of step d adds up the integrand at nd. It is the integral for the loss wrapped
around a period R = 2π/d (Poisson): too large, by terms that are known where the loss is far above
the threshold, but for what Chernoff's inequality bounds. Of its points the first and those that a
sweep cannot pass over are evaluated; at the others up to the last |φ| is shown to be small; beyond
that ψ is.

Source: certs/SPEC.md, 11.7 and 11.8; Butzer & Stens, "The Poisson summation formula",
1983.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Final

from flint import acb, arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    Ends,
    ball,
    ball_of_rational,
    lower_end,
    precision,
    upper_end,
)
from exactdp.certificate.subject import Epsilons
from exactdp.composition.engines.fourier.factors import SQUEEZE_BITS, TURN_BITS, Factor
from exactdp.composition.engines.fourier.needs import (
    Damping,
    Needs,
    Parameters,
    kappa_of,
    weight_at,
)
from exactdp.composition.engines.fourier.sweep import GRADES, MOST_POINTS, Sweep
from exactdp.composition.engines.fourier.tail_evaluator import TailEvaluator
from exactdp.composition.engines.refusals import does_not_fit
from exactdp.mechanisms.characteristic import Characteristic
from exactdp.timing.deadlines import asking

_GUARD_BITS: Final = 64
_MOST_ADDED: Final = 16
_ROUGH_BITS: Final = 96
FAR_BITS: Final = 64
_TANGENT: Final = mpq(15568, 10**5)
_PARABOLA: Final = mpq(7666, 10**5)
_LEAST_REACH: Final = 6
_FEW_FACTORS: Final = 8
_LITTLE_ERROR: Final = 2.0**-10
_FACTOR_COST: Final = 3000
_NOISE_COST: Final = 30_000
_TERM_COST: Final = 3000
"""Nanoseconds, at most, for a factor of a point, one of noise, and a point in a sum."""


class Spectrum:
    """The values of one characteristic function that matter, and what the others add up to.

    Args:
        groups: pairs (ε, count), ε > 0.
        parameters: as they are described there.
        bits: of precision.
        most_far: the greatest number of evaluated points from ``near`` on.
        characteristics: noise beside the groups.
        most_blocks: the greatest number of blocks of the sweep; None for any.

    Raises:
        CostLimitError: more points would have to be evaluated, or more blocks looked at.
    """

    def __init__(
        self,
        groups: Epsilons,
        parameters: Parameters,
        bits: int,
        most_far: int,
        characteristics: Sequence[Characteristic] = (),
        most_blocks: int | None = None,
    ) -> None:
        self._most_blocks = most_blocks
        self.parameters = parameters
        self._groups = groups
        self._characteristics = characteristics
        count = sum(count for _, count in groups) + sum(each.count for each in characteristics)
        size = count.bit_length() + parameters.last.bit_length()
        self._bits = bits + size + _GUARD_BITS
        with precision(self._bits):
            self._theta = theta = ball_of_rational(parameters.tilt) + arb(0.5)
            step = ball_of_rational(parameters.step)
            self._angles = [ball(e) * step for e, _ in asking(groups, _FACTOR_COST)]
            self._tilted = [theta * ball(e) for e, _ in asking(groups, _FACTOR_COST)]
            self._slants = [tilted.tanh() for tilted in asking(self._tilted, _FACTOR_COST)]
            self.far = self._far(most_far)
            self._terms = [
                (n, *self._term(n, self._value(n))) for n in self._in_turn(range(parameters.near))
            ]
            self._left_out = self._beyond() + self._between()
        values = self._far_values()
        with precision(min(self._bits, FAR_BITS + parameters.last.bit_length())):
            self._terms += [(n, *self._term(n, values(n))) for n in self._in_turn(self.far)]

    # --- the points ----------------------------------------------------------------------------

    def _in_turn(self, points: Iterable[int]) -> Iterator[int]:
        """Points that are evaluated while there is time."""
        factors = len(self._groups) * _FACTOR_COST + len(self._characteristics) * _NOISE_COST
        return asking(points, factors + _TERM_COST)

    def _far(self, most: int) -> list[int]:
        """The points from ``near`` on that are evaluated."""
        parameters = self.parameters
        if not 1 <= parameters.near <= parameters.last < MOST_POINTS:
            raise ValueError("the points of a spectrum do not follow one another")
        needs = self._needs()
        self.sweep = sweep = Sweep(self._factors(), needs.at(parameters.near), self._most_blocks)
        far: list[int] = []
        for n in sweep.remaining(parameters.near, parameters.last, needs.at):
            far.append(n)
            if len(far) > most:
                raise does_not_fit(
                    f"a characteristic function that is large at more than {most} points"
                )
        return far

    def _needs(self) -> Needs:
        return Needs(self.parameters, Damping(self._characteristics, self.parameters))

    def _factors(self) -> list[Factor]:
        near = self.parameters.near * ball_of_rational(self.parameters.step)
        squeezes = [1 - slant * slant for slant in self._slants]
        squeezes += [each.squeeze(self._theta, near) for each in self._characteristics]
        step = ball_of_rational(self.parameters.step)
        angles = [
            *self._angles,
            *(step * ball_of_rational(each.loss) for each in self._characteristics),
        ]
        counts = [count for _, count in self._groups] + [
            each.count for each in self._characteristics
        ]
        turn, whole = arb(2) ** TURN_BITS / arb.pi(), arb(2) ** SQUEEZE_BITS
        return [
            Factor(
                int(lower_end(angles[i] * turn) // 1),
                max(0, int(lower_end(squeezes[i] * whole) // 1)),
                counts[i],
            )
            for i in self.parameters.factors
        ]

    def _far_values(self) -> Callable[[int], acb]:
        """φ at points far out, where fewer digits are enough."""
        if any(count > 1 for _, count in self._groups):
            return self._value
        values, needs = TailEvaluator(self._angles, self._slants), self._needs()
        if not values.fits:
            return self._value

        def value(n: int) -> acb:
            enough, bound = -(-needs.at(n) // 2), self.sweep.bound(n)
            return _product([values.value(n, enough, bound), *self._noise(n)])

        return value

    def _term(self, n: int, value: acb) -> tuple[acb, acb]:
        """The integrand at nd without e^{-itx}, for the upper end and for the lower one."""
        parameters = self.parameters
        t = ball_of_rational(n * parameters.step)
        z = acb(ball_of_rational(parameters.tilt), t)
        square = ball_of_rational(parameters.noise**2)
        product = z * (z + 1)
        at_rest = ball_of_rational(parameters.square * parameters.tilt * (parameters.tilt + 1))
        value *= ((product * ball_of_rational(parameters.variance) - at_rest) / 2).exp()
        hinge, least, most = 1 / product, *_time_values((product + arb(0.25)) * square)
        kappa = ball_of_rational(kappa_of(parameters.noise))
        return value * (hinge - square * least), value * (hinge - kappa * square * most)

    def _value(self, n: int) -> acb:
        """φ(nd)."""
        return _product([*self._responses(n), *self._noise(n)])

    def _responses(self, n: int) -> Iterator[acb]:
        """The factors of randomized responses."""
        parts = zip(self._angles, self._slants, self._groups, strict=True)
        for angle, slant, (_, count) in asking(parts, _FACTOR_COST):
            sine, cosine = (n * angle).sin_cos()
            factor = acb(cosine, slant * sine)
            yield factor if count == 1 else factor**count

    def _noise(self, n: int) -> Iterator[acb]:
        """The factors of noise."""
        t = n * ball_of_rational(self.parameters.step)
        for each in self._characteristics:
            yield each.factor(self._theta, t) ** each.count

    def stated(self) -> Parameters:
        """The parameters for a check that evaluates ``near`` points one after the other.

        Such points are cheaper there, and exact: those are added near which most are evaluated.
        """
        near = self.parameters.near
        for found, n in enumerate(self.far, 1):
            if n > near + _MOST_ADDED:
                break
            if 2 * found > n - self.parameters.near:
                near = n + 1
        if near <= self.parameters.last:
            return replace(self.parameters, near=near)
        # all were evaluated, and nothing charged: a check may pass over the last, and charge for it
        parameters = self.parameters
        return replace(parameters, near=parameters.last, cut=parameters.cut + GRADES)

    # --- what is left out, of E_Q h -------------------------------------------------------------

    def _growth(self) -> arb:
        """|ψ(0)|, of which |ψ(t)| is e^{-s²t²/2} times as much."""
        a = self.parameters.tilt
        return ball_of_rational(self.parameters.noise**2 * a * (a + 1) / 2).exp()

    def _between(self) -> arb:
        """The points up to the last that were passed over, by what the sweep charged for them."""
        step = ball_of_rational(self.parameters.step) / arb.pi()
        return self._growth() * step * self.sweep.charge * arb(2) ** -(self.parameters.cut + GRADES)

    def _beyond(self) -> arb:
        """The points beyond the last, by a geometric series."""
        parameters = self.parameters
        start = (parameters.last + 1) * parameters.step
        square = parameters.noise**2
        if square and square * start**2 < _LEAST_REACH:
            raise ValueError("the points of a spectrum end before its noise is small")
        weight = ball_of_rational(weight_at(parameters, start))
        first = ball_of_rational(-parameters.variance * start**2 / 2).exp()
        falling = square / 2 + parameters.square
        ratio = ball_of_rational(-falling * parameters.step * start).expm1()
        step = ball_of_rational(parameters.step) / arb.pi()
        damped = arb(2) ** -Damping(self._characteristics, parameters).at(parameters.last + 1)
        return self._growth() * step * weight * first * damped / -ratio

    @cached_property
    def aliases(self) -> tuple[tuple[mpq, arb], ...]:
        """Pairs (slope, factor): other periods add E_Q ℓ and at most Σ factor·e^{slope·x}.

        ℓ(u) = e^{-au}(1 - e^{-u}) is what :meth:`_known_aliases` counts.
        """
        with precision(_ROUGH_BITS):
            left, right = self.parameters.left, self.parameters.right
            return (left, self._alias(-left)), (-right, self._alias(right))

    def _alias(self, slope: mpq) -> arb:
        """E_Q e^{slope·L} times the sum over all periods to one side."""
        theta = self.parameters.tilt + mpq(1, 2)
        exponent = ball_of_rational(self.parameters.square * slope * (slope + 2 * theta) / 2)
        moved = ball_of_rational(slope)
        groups = zip(self._groups, self._tilted, strict=True)
        for (epsilon, count), tilted in asking(groups, 2 * _FACTOR_COST):
            other = tilted + moved * ball(epsilon)
            exponent += count * (other.cosh().log() - tilted.cosh().log())
        rate = self._theta + moved
        exponent += sum(
            (w.count * w.log_moment(self._theta, rate) for w in self._characteristics), arb(0)
        )
        away = ball_of_rational(abs(slope)) * self._period()
        return (exponent - away).exp() / -(-away).expm1()

    def _period(self) -> arb:
        return 2 * arb.pi() / ball_of_rational(self.parameters.step)

    def _known_aliases(self, x: arb) -> arb:
        """C·e^{-ax}·Σ E_Q ℓ(L - x + jR) over all j > 0, as Ce^{-ax}·E_Q e^{-aL} = e^{-ax}."""
        tilt, period = ball_of_rational(self.parameters.tilt), self._period()
        return 1 / (tilt * period).expm1() - x.exp() / ((tilt + 1) * period).expm1()

    # --- ends -----------------------------------------------------------------------------------

    @cached_property
    def _log_scale(self) -> arb:
        """The logarithm of C."""
        tilt = self.parameters.tilt
        with precision(self._bits):
            noise = (
                each.count * each.log_moment(arb(0.5), self._theta)
                for each in self._characteristics
            )
            groups = zip(self._groups, self._tilted, strict=True)
            return sum(noise, arb(0)) + sum(
                (
                    count * (tilted.cosh().log() - (ball(epsilon) / 2).cosh().log())
                    for (epsilon, count), tilted in asking(groups, 2 * _FACTOR_COST)
                ),
                ball_of_rational(self.parameters.square * tilt * (tilt + 1) / 2),
            )

    def balls(self, x: arb) -> tuple[arb, arb]:
        """Balls that no value of D(e^x) is below, and above: a lower end, and an upper one."""
        parameters = self.parameters
        with precision(self._bits):
            step = ball_of_rational(parameters.step)
            above = below = arb(0)
            for n, upper, lower in asking(self._terms, _TERM_COST):
                sine, cosine = (n * step * x).sin_cos()
                times = 2 if n else 1
                above += times * (upper.real * cosine + upper.imag * sine)
                below += times * (lower.real * cosine + lower.imag * sine)
            share = step / (2 * arb.pi())
            aliases = sum(
                (factor * (ball_of_rational(slope) * x).exp() for slope, factor in self.aliases),
                arb(0),
            )
            scale = (self._log_scale - ball_of_rational(parameters.tilt) * x).exp()
            known = self._known_aliases(x)
            low = scale * (below * share - self._left_out - aliases) - known
            return low, scale * (above * share + self._left_out) - known

    def divergence(self, x: arb) -> Ends:
        """Rationals around D(e^x)."""
        low, high = self.balls(x)
        return max(mpq(0), lower_end(low)), min(mpq(1), upper_end(high))


def _product(factors: Iterable[acb]) -> acb:
    """A product of values of modulus at most 1.

    Of balls that are turned it is a box around a turned box, wider with each factor; so the errors
    of a few factors at a time are added up.
    """
    value, error = acb(1), arb(0)
    listed = [*factors]
    for first in range(0, len(listed), _FEW_FACTORS):
        part = prod(listed[first : first + _FEW_FACTORS], start=acb(1))
        error += part.real.rad() + part.imag.rad()
        value *= part.mid()
        error += value.real.rad() + value.imag.rad()
        value = value.mid()
    if not error < _LITTLE_ERROR:
        return acb(arb(0, 1), arb(0, 1))
    wide = arb(0, 2 * error.upper())
    return value + acb(wide, wide)


def _time_values(square: acb) -> tuple[acb, acb]:
    """The transforms of the tangent and of the parabola, over ψ, at s²(z + 1/2)²."""
    tangent, parabola = ball_of_rational(_TANGENT), ball_of_rational(_PARABOLA)
    second, fourth = 1 + square, 3 + 6 * square + square * square
    return arb(0.5) - tangent * second, 1 - second / 2 + parabola * fourth
