r"""D of composed randomized responses from its characteristic function, from above and from below.

Rules of this file: a value is an integer with the error it may have, at b bits; what is not
evaluated is bounded from above. The parameters decide whether a proof goes through, never what it
proves.

Theory of operation: with a tilt a > 0, θ = a + 1/2, a noise s and z = a + it let

    φ(t) = ∏ (cos tε_i + i·tanh(θε_i)·sin tε_i),   ψ(t) = e^{s²z(z+1)/2},   q = z(z + 1),
    E = (d/2π)·Σ_n φ(nd)·ψ(nd)·e^{-indx}·(1/q - s²·K(s²(q + 1/4))),   C = ∏ cosh(θε_i)/cosh(ε_i/2),

with a polynomial K for ``upper`` and one for ``lower``. Then D(e^x) <= C·e^{-ax}·E - B for
``upper``, and D(e^x) >= C·e^{-ax}·(E - A) - B for ``lower``, where A and B are what the sum counts
of other periods. Beside Gaussian mechanisms, M² = Σμ², ψ(t) = e^{(s² + M²)z(z+1)/2}, of which
e^{M²a(a+1)/2} stands in C, and s may be 0. The sum is taken over the points n >= 0, of which all
but the first count twice; those below ``near`` are evaluated at full precision, those that a sweep
does not pass over at 128 bits, and the others are at most what the sweep charges and what ψ leaves.
Beside noise φ has its factors too (``waves``), and H(w) stands for 1 + e^{-2wε}.

Sources: certs/SPEC.md, sections 6.6 to 6.8, 11.7 and 11.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from ..format.meter import of_division, of_product, pay
from ..format.numbers import Number, linear, size
from ..format.outcomes import RejectedError
from .circle import Point, of_times, power, slant_of, slanted, times, unit
from .enclosures import (
    Enclosure,
    ceil_div,
    ceil_shift,
    enclose,
    enclose_pi,
    exp_fixed,
    exp_floating,
)
from .far_points import Damping, FarPoints, Spectrum
from .far_values import FAR_BITS, rescaled
from .scaled import Scaled, fixed, power_of_ratio, scaled_product
from .sweep import GRADES, SQUEEZE_BITS, TURN_BITS, Factor
from .time_values import Kernel
from .waves import Wave

Groups: TypeAlias = Sequence[tuple[Number, int]]

_LEAST_REACH: Final = 6
_FINER: Final = 40
_FAR_SIZE: Final = 80
_ROUGH: Final = 2**64
_EIGHTHS: Final = 16


class Divergence:
    """C·e^{-ax}·E and its companions for mechanisms of these groups, and noise beside them.

    Args:
        groups: positive epsilons and their counts.
        spectrum: the parameters.
        x: the epsilon of the bound.
        lower: whether a lower bound is asked for.
        bits: of precision.
        waves: the noise.
    """

    def __init__(
        self,
        groups: Groups,
        spectrum: Spectrum,
        x: Number,
        *,
        lower: bool,
        bits: int,
        waves: Sequence[Wave] = (),
    ) -> None:
        self._groups = groups
        self._waves = waves
        self._losses = [*groups, *((Number(each.loss), each.count) for each in waves)]
        self._spectrum = spectrum
        self._x = x
        self._lower = lower
        self._bits = bits
        self._one = 1 << bits
        self._epsilons = [enclose(epsilon, bits + _EIGHTHS) for epsilon, _ in groups]
        self._odds = self._heights(Fraction(1, 2))
        self._tilted = self._heights(spectrum.theta)
        self._slants = [slant_of(odds, bits) for odds in self._tilted[: len(groups)]]
        self._kernel = Kernel(
            tilt=spectrum.tilt,
            step=spectrum.step,
            noise=spectrum.noise,
            variance=spectrum.variance,
            lower=lower,
            bits=bits,
        )
        self._turned = self._stretched(x, spectrum.step, 2 * spectrum.last.bit_length())

    def ends(self) -> Enclosure:
        """At these bits: D(e^x) is at most hi for ``upper``, at least lo for ``lower``."""
        total, error = self._near_sum()
        far, far_error, charge = self._far_sum()
        total, error = total + far, error + far_error
        step = self._spectrum.step
        pi_low, pi_high = enclose_pi(self._bits)
        left_out = self._between(charge) + self._beyond()
        high = max(0, total + error) * step.numerator * self._one
        high = ceil_div(high, 2 * pi_low * step.denominator) + left_out
        low = (total - error) * step.numerator * self._one
        low = low // (2 * (pi_high if low >= 0 else pi_low) * step.denominator) - left_out
        if self._lower:
            low -= self._aliases()
        low, high = self._times_scale(low, high)
        known_low, known_high = self._known_aliases()
        low, high = low + _floor(-known_high, self._bits), high - _floor(known_low, self._bits)
        return max(0, low), max(0, high)

    def _times_scale(self, low: int, high: int) -> Enclosure:
        """C·e^{-ax} times an enclosure, of which the lower end may be below 0."""
        bits, scale = self._bits, self._scale()
        if low >= 0:
            return fixed(scaled_product(scale, (low, high, -bits), bits), bits)
        least = fixed(scaled_product(scale, (0, -low, -bits), bits), bits)[1]
        return -least, fixed(scaled_product(scale, (0, high, -bits), bits), bits)[1]

    # --- what the mechanisms are ----------------------------------------------------------------

    def _heights(self, rate: Fraction) -> list[Enclosure]:
        """H(rate) - 1: e^{-2·rate·ε}, and what noise has in its place."""
        responses = [self._exp(epsilon, -2 * rate) for epsilon in self._epsilons]
        return [*responses, *(each.height(rate, self._bits) for each in self._waves)]

    def _exp(self, epsilon: Enclosure, factor: Fraction) -> Enclosure:
        """e^{factor·ε} for a factor below 0, and an enclosure of a few bits more."""
        low, high = epsilon
        pay(2 * of_division(self._bits + size(factor)))
        above, below = -factor.numerator, factor.denominator << _EIGHTHS
        return exp_fixed((-ceil_div(high * above, below), -(low * above // below)), self._bits)

    def _angles(self, epsilon: Number) -> Enclosure:
        """dε."""
        return self._stretched(epsilon, self._spectrum.step)

    def _stretched(self, epsilon: Number, factor: Fraction, finer: int = 0) -> Enclosure:
        """A positive multiple of a number, at so many bits more, with digits for the factor."""
        spare = max(0, factor.numerator.bit_length() - factor.denominator.bit_length()) + _EIGHTHS
        low, high = enclose(epsilon, self._bits + finer + spare)
        pay(2 * of_division(self._bits + finer + size(factor)))
        above, below = factor.numerator, factor.denominator << spare
        return low * above // below, ceil_div(high * above, below)

    # --- the points below near ------------------------------------------------------------------

    def _near_sum(self) -> tuple[int, int]:
        """Their part of the sum, and its error; factors of one count are raised together."""
        bits, near = self._bits, self._spectrum.near
        pay(near * (200 + 2 * of_times(bits)))
        products: list[Point] = [(self._one, 0, 0)] * near
        alike: dict[int, list[tuple[Number, Enclosure]]] = {}
        for (epsilon, count), slant in zip(self._groups, self._slants, strict=True):
            alike.setdefault(count, []).append((epsilon, slant))
        for count, responses in alike.items():
            together = self._together(responses)
            pay(near * of_times(bits))
            for n in range(1, near):
                products[n] = times(products[n], power(together[n], count, bits), bits)
        for wave in self._waves:
            self._multiply(products, wave)
        total = error = 0
        for n, product in enumerate(products):
            value, off = self._term(n, product, self._bits)
            times_counted = 2 if n else 1
            total, error = total + times_counted * value, error + times_counted * off
        return total, error

    def _together(self, responses: Sequence[tuple[Number, Enclosure]]) -> list[Point]:
        """The product of their factors, one of each, at these points."""
        bits, near = self._bits, self._spectrum.near
        products: list[Point] = [(self._one, 0, 0)] * near
        for epsilon, slant in responses:
            pay(near * (2 * of_times(bits) + of_product(bits)))
            turned = step = unit(self._angles(epsilon), bits)
            for n in range(1, near):
                products[n] = times(products[n], slanted(turned, slant, bits), bits)
                turned = times(turned, step, bits)
        return products

    def _multiply(self, products: list[Point], wave: Wave) -> None:
        """Multiply the values at these points by those of noise."""
        bits, spectrum = self._bits, self._spectrum
        tilted = wave.tilted(spectrum.theta, spectrum.step, bits)
        turned = steps = [unit(self._angles(Number(turn)), bits) for turn in wave.turns]
        pay(len(products) * (8 * of_times(bits) + 8 * of_division(2 * bits)))
        for n in range(1, len(products)):
            factor = power(tilted.factor(n, turned), wave.count, bits)
            products[n] = times(products[n], factor, bits)
            turned = [times(one, step, bits) for one, step in zip(turned, steps, strict=True)]

    def _term(self, n: int, product: Point, digits: int) -> tuple[int, int]:
        """The real part of φψe^{-itx}(1/q - s²K), with |ψ| to so many bits, and its error."""
        bits, kernel = self._bits, self._kernel
        pay(4000 + 12 * of_division(2 * bits + kernel.size))
        along, across, blurred, swept, decay = kernel.at(n)
        re, im, err = times(product, unit(self._angle(swept, n), bits), bits)
        value = re * along + im * across >> bits
        off = (err * (abs(along) + abs(across) + 2) >> bits) + 2 * blurred + 6
        decay >>= bits - digits
        size_low, size_high = exp_fixed((decay, decay + 1), digits)
        spread = (abs(value) + off) * (size_high - size_low) + off * size_high
        return value * size_low >> digits, (spread >> digits) + 3

    def _angle(self, swept: int, n: int) -> Enclosure:
        """The turn of ψ, from below and less than a unit off, less ndx."""
        low, high = self._turned
        finer = 2 * self._spectrum.last.bit_length()
        return swept - ceil_shift(high * n, finer), swept + 1 - (low * n >> finer)

    def _size(self, exponent: Fraction) -> Enclosure:
        """e^exponent."""
        low = _floor(exponent, self._bits)
        return exp_fixed((low, low + 1), self._bits)

    # --- the points from near on ----------------------------------------------------------------

    def _far_sum(self) -> tuple[int, int, int]:
        """The evaluated points' part of the sum, its error, and what the others are charged."""
        spectrum = self._spectrum
        turns = tuple(self._turn(epsilon) for epsilon, _ in self._groups)
        waves = tuple(
            (wave, tuple(self._turn(Number(turn)) for turn in wave.turns)) for wave in self._waves
        )
        squeezes = [self._squeeze(slant) for slant in self._slants]
        for wave in self._waves:
            tilted = wave.tilted(spectrum.theta, spectrum.step, FAR_BITS)
            squeezes.append(tilted.squeeze(spectrum.near, SQUEEZE_BITS))
        outer = [*turns, *(of_wave[0] for _, of_wave in waves)]
        factors = tuple(
            Factor(outer[i] >> FAR_BITS - TURN_BITS, squeezes[i], self._losses[i][1])
            for i in spectrum.factors
        )
        shift = self._bits - FAR_BITS // 2
        slants = tuple(slant[0] >> shift for slant in self._slants)
        counts = tuple(count for _, count in self._groups)
        rough = Fraction((spectrum.variance * _ROUGH).__floor__(), _ROUGH)
        plain = replace(spectrum, left=spectrum.tilt, right=spectrum.tilt, variance=rough)
        points, charge = FarPoints(plain, factors, turns, slants, counts, waves).evaluated()
        total = error = 0
        for n, point in points:
            value, off = self._term(n, rescaled(point, self._bits), min(self._bits, _FAR_SIZE))
            total, error = total + 2 * value, error + 2 * off
        return total, error, charge

    def _turn(self, epsilon: Number) -> int:
        """dε/π times 2^128, from below and less than 2 units off."""
        step = self._spectrum.step
        bits = FAR_BITS + step.numerator.bit_length() + _FINER
        while True:
            pi_low, pi_high = enclose_pi(bits)
            low, high = enclose(epsilon, bits)
            pay(4 * of_division(bits + FAR_BITS + size(step)))
            turn = (low * step.numerator << FAR_BITS) // (pi_high * step.denominator)
            if high * step.numerator << FAR_BITS <= (turn + 2) * pi_low * step.denominator:
                return turn
            bits *= 2

    def _squeeze(self, slant: Enclosure) -> int:
        """1/cosh²(θε) = 1 - tanh²(θε) times 2^62, from below."""
        high = min(slant[1], self._one)
        return (self._one**2 - high**2) >> 2 * self._bits - SQUEEZE_BITS

    # --- what is left out -----------------------------------------------------------------------

    @cached_property
    def _growth(self) -> int:
        """e^{s²a(a+1)/2} from above: |ψ(t)| without e^{-s²t²/2}."""
        a = self._spectrum.tilt
        return self._size(self._spectrum.noise**2 * a * (a + 1) / 2)[1]

    def _between(self, charge: int) -> int:
        """(d/π)·Σ|φψ|w over the points that were passed over, from above."""
        step = self._spectrum.step
        pi_low, _ = enclose_pi(self._bits)
        above = self._growth * charge * step.numerator << self._bits
        return ceil_div(above, pi_low * step.denominator << self._spectrum.cut + GRADES)

    def _beyond(self) -> int:
        """(d/π)·Σ|ψ|w over the points after the last, by a geometric series, from above."""
        spectrum, one = self._spectrum, self._one
        weight, exponent = spectrum.weights(spectrum.last + 1)
        first, square = (spectrum.last + 1) * spectrum.step, spectrum.noise**2
        if square and square * first**2 < _LEAST_REACH:
            raise RejectedError("the points end before the noise is small")
        ratio = (square / 2 + spectrum.variance) * spectrum.step * first
        rest = self._rest(ratio)
        pi_low, _ = enclose_pi(self._bits)
        damped = min(self._bits, Damping(spectrum, self._waves).at(spectrum.last + 1))
        factor = weight * spectrum.step * self._size(-exponent)[1] * self._growth
        factor /= 1 << damped
        return -_floor(-factor * one / (rest * pi_low), 0)

    def _rest(self, exponent: Fraction) -> int:
        """1 - e^{-exponent} from below, for an exponent above 0."""
        rest = self._one - self._size(-exponent)[1]
        if rest <= 0:
            raise RejectedError("too few digits for a geometric series")
        return rest

    def _aliases(self) -> int:
        """A: what the sum counts of other periods besides B, from above."""
        spectrum = self._spectrum
        total = linear([(count, epsilon) for epsilon, count in self._losses])
        left, right, theta = spectrum.left, spectrum.right, spectrum.theta
        half = Number(spectrum.variance / 2)
        to_left = [(left, self._x), (left - 2 * theta, total), (left * (left - 2 * theta), half)]
        to_right = [(right, total), (-right, self._x), (right * (right + 2 * theta), half)]
        beyond = self._alias(left, left - theta, linear(to_left))
        return beyond + self._alias(right, theta + right, linear(to_right))

    def _alias(self, slope: Fraction, rate: Fraction, exponent: Number) -> int:
        """E^exponent·∏H(rate)/H(θ) over e^{slope·R} - 1, from above."""
        bits = self._bits
        product: Scaled = (1, 1, 0)
        parts = zip(self._losses, self._heights(rate), self._tilted, strict=True)
        for (_, count), other, tilted in parts:
            product = scaled_product(product, power_of_ratio(other, tilted, count, bits), bits)
        away = self._away(slope)[0]
        moved = linear([(1, exponent), (1, Number(-away))])
        _, high, shift = exp_floating(enclose(moved, bits), bits)
        _, most, e = product
        above = fixed((0, most * high, e + shift - bits), 2 * bits)[1]
        return ceil_div(above, self._rest(away))

    def _away(self, slope: Fraction) -> tuple[Fraction, Fraction]:
        """Slope·R, R = 2π/d."""
        low, high = enclose_pi(self._bits)
        factor = 2 * slope / self._spectrum.step / self._one
        return low * factor, high * factor

    def _known_aliases(self) -> tuple[Fraction, Fraction]:
        """B = 1/(e^{aR} - 1) - e^x/(e^{(a+1)R} - 1), from below and from above."""
        tilt = self._spectrum.tilt
        plain = self._series(tilt, Number(Fraction(0)))
        moved = self._series(tilt + 1, self._x)
        return plain[0] - moved[1], plain[1] - moved[0]

    def _series(self, slope: Fraction, start: Number) -> tuple[Fraction, Fraction]:
        """E^start/(e^{slope·R} - 1) = e^{start - slope·R}/(1 - e^{-slope·R})."""
        near, far = self._away(slope)
        low = self._power_of_e(linear([(1, start), (1, Number(-far))]))[0]
        high = self._power_of_e(linear([(1, start), (1, Number(-near))]))[1]
        most = self._one - self._size(-far)[0]
        return low * self._one / most, high * self._one / self._rest(near)

    def _power_of_e(self, exponent: Number) -> tuple[Fraction, Fraction]:
        low, high, shift = exp_floating(enclose(exponent, self._bits), self._bits)
        low, high = fixed((low, high, shift - self._bits), self._bits)
        return Fraction(low, self._one), Fraction(high, self._one)

    # --- the scale ------------------------------------------------------------------------------

    def _distance(self) -> Number:
        """Σε - x."""
        return linear([*((count, epsilon) for epsilon, count in self._losses), (-1, self._x)])

    def _scale(self) -> Scaled:
        """C·e^{-ax} = e^{a(Σε - x) + M²a(a + 1)/2}·∏H(θ)/H(1/2)."""
        bits, tilt = self._bits, self._spectrum.tilt
        spread = Number(self._spectrum.variance / 2)
        moved = enclose(linear([(tilt, self._distance()), (tilt * (tilt + 1), spread)]), bits)
        low, high, shift = exp_floating(moved, bits)
        product: Scaled = (low, high, shift - bits)
        for (_, count), tilted, odds in zip(self._losses, self._tilted, self._odds, strict=True):
            product = scaled_product(product, power_of_ratio(tilted, odds, count, bits), bits)
        return product


def _floor(value: Fraction, bits: int) -> int:
    """A rational times 2^bits, rounded down."""
    pay(of_division(bits + size(value)))
    return (value.numerator << bits) // value.denominator
