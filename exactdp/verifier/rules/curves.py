r"""Curves: mechanisms by their profile, and pairs of laws whose outputs can be cut.

Rules of this file: as in ``pairs_of_laws``.

Theory of operation: a profile falls in the loss, with a slope of at least -1. Poisson sampling at
the rate q gives, with t = (y - 1 + q)/q, the profile q·h(t) for y > 1 - q, and 1 - y else. A pair
whose loss is monotone in its outputs is cut into cells by thresholds; that of a sampled pair lies
where its loss without sampling is ln t.

Sources: certs/SPEC.md, section 7.4; Balle & Wang, ICML 2018, Theorem 8; Zhu, Dong & Wang, AISTATS
2022, Theorem 11 (sampling); Dong, Durfee & Rogers, ICML 2020 (bounded range).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ..arithmetic.dots import Losses, Mesh, Points, dots
from ..arithmetic.enclosures import (
    Enclosure,
    ceil_div,
    ceil_shift,
    enclose_exact,
    enclose_ln,
    exp_fixed,
)
from ..arithmetic.normal import gaussian_profile
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, of_product, pay
from ..format.numbers import size
from .pairs_of_laws import MAX_LOSS, Dominating, Pair, exp_of, one_less, opposite, quotient
from .tables import GeneralizedResponse


class Curve(Dominating):
    """Mechanisms by their profile."""

    @abstractmethod
    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """h(e^loss)."""

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """The weights that the profile has at the points."""
        value = self.reversed_at if back else self.at
        return dots([value(mesh.loss(j), mesh.bits) for j in points.listed()], points, mesh)

    def reversed_at(self, loss: Enclosure, bits: int) -> Enclosure:
        """1 - y + y·h(1/y)."""
        pay(4 * of_product(2 * bits))
        one = 1 << bits
        y_low, y_high = exp_fixed(loss, bits)
        low, high = self.at((-loss[1], -loss[0]), bits)
        return one - y_high + (y_low * max(0, low) >> bits), one - y_low + ceil_shift(
            y_high * high, bits
        )


class Cut(Curve, Pair):
    """A curve whose outputs can be cut where the loss passes a threshold."""

    @abstractmethod
    def cut(self, loss: Enclosure, bits: int) -> int:
        """A threshold of outputs, near those of this loss."""

    @abstractmethod
    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """P and Q of the outputs at the threshold and above."""

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The outputs, cut half-way between one point and the next."""
        listed = in_order(points, back=back)
        least = -MAX_LOSS << mesh.bits
        tails = []
        for here, following in pairwise(listed):
            pay(1000 + 4 * of_division(mesh.bits + size(mesh.unit)))
            half = enclose_exact((here + following) * mesh.unit / 2, mesh.bits)
            least = max(least, self.cut(half, mesh.bits))
            tails.append(self.tails(least, mesh.bits))
        return cells(listed, tails, mesh, back=back)

    def sampled(self, rate: Fraction) -> SampledCut:
        """The curve on a record that takes part with this probability."""
        return SampledCut(self, rate)


def in_order(points: Points, *, back: bool) -> list[int]:
    """The points by rising outputs, those of which come last with P and Q exchanged."""
    return [-j for j in reversed(points.listed())] if back else points.listed()


def cells(
    listed: Sequence[int],
    tails: Sequence[tuple[Enclosure, Enclosure]],
    mesh: Mesh,
    *,
    back: bool,
) -> tuple[Losses, Losses]:
    """P and Q of the cells between cuts, by their scores, for P and Q of all above each cut."""
    pay(len(listed) * (3000 + 2 * of_product(2 * mesh.bits)))
    one = 1 << mesh.bits
    whole, nothing = ((one, one), (one, one)), ((0, 0), (0, 0))
    p: Losses = {}
    q: Losses = {}
    for j, (here, after) in zip(listed, pairwise([whole, *tails, nothing]), strict=True):
        ends = zip(here, after, strict=True)
        p[j], q[j] = (mesh.weight(low - high) for (low, _), (_, high) in ends)
    if back:
        p, q = ({-j: weight for j, weight in each.items()} for each in (q, p))
    return p, q


@dataclass(frozen=True)
class Normal(Cut):
    """Gaussian noise: normal distributions whose means differ by μ."""

    square: Fraction

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """G_μ."""
        return gaussian_profile(loss, self.square, bits)

    def cut(self, loss: Enclosure, _bits: int) -> int:
        """The loss itself."""
        return loss[0]

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """Φ(μ/2 - l/μ) and Φ(-μ/2 - l/μ)."""
        pay(8 * of_division(bits + size(self.square)))
        loss, half = Fraction(cut, 1 << bits), self.square / 2
        return upper_tail(loss - half, self.square, bits), upper_tail(
            loss + half, self.square, bits
        )

    def is_unbounded(self, *, back: bool) -> bool:  # noqa: ARG002 (as both ways)
        """Every loss occurs."""
        return True


@dataclass(frozen=True)
class TwoSided(Cut):
    """Laplace noise, for a = sensitivity/scale: losses from -a to a."""

    most: Fraction

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """1 - e^{(l - a)/2} within ±a."""
        return _bounded(loss, self.most, bits, lambda inside: inside)

    def cut(self, loss: Enclosure, _bits: int) -> int:
        """The loss itself."""
        return loss[0]

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """1 - e^{(l - a)/2}/2 and e^{-(l + a)/2}/2 within ±a."""
        pay(12 * of_division(bits + size(self.most)))
        one, loss = 1 << bits, Fraction(cut, 1 << bits)
        if loss <= -self.most:
            return (one, one), (one, one)
        if loss > self.most:
            return (0, 0), (0, 0)
        p_low, p_high = exp_of((loss - self.most) / 2, bits)
        q_low, q_high = exp_of(-(loss + self.most) / 2, bits)
        return (one - ceil_shift(p_high, 1), one - (p_low >> 1)), (
            q_low >> 1,
            ceil_shift(q_high, 1),
        )


@dataclass(frozen=True)
class Range(Curve):
    """All mechanisms of bounded range ε: the supremum of their profiles."""

    epsilon: Fraction

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """(1 - e^{(l - ε)/2})²/(1 - e^{-ε}) within ±ε."""
        one = 1 << bits
        below = exp_of(-self.epsilon, bits)

        def squared(inside: Enclosure) -> Enclosure:
            least = max(0, inside[0])
            square = least * least >> bits, ceil_shift(inside[1] * inside[1], bits)
            return quotient(square, one_less(one, below), bits)

        return _bounded(loss, self.epsilon, bits, squared)

    def over(self, relation: str, rate: Fraction) -> Curve:
        """What dominates samples; a range is about a record that is replaced as well."""
        if rate == 1:
            return self
        curve = SampledCurve(self, rate)
        return EitherWay(curve) if relation == "replace-one" else curve

    def response(self, tilt: Fraction) -> GeneralizedResponse:
        """A mechanism of this range, with the losses tilt·ε and that less ε."""
        return GeneralizedResponse(self.epsilon, tilt * self.epsilon)


@dataclass(frozen=True)
class SampledCurve(Curve):
    """A curve on a record that takes part with the probability ``rate``."""

    curve: Curve
    rate: Fraction

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """q·h(t) for y > 1 - q, else 1 - y, which it is nowhere below."""
        pay(8 * of_division(bits + size(self.rate)))
        odds = exp_fixed(loss, bits)
        without = _without(odds, self.rate, bits)
        if without is None:
            return one_less(1 << bits, odds)
        low, high = self.curve.at(without, bits)
        above, below = self.rate.numerator, self.rate.denominator
        return low * above // below, ceil_div(high * above, below)


@dataclass(frozen=True)
class EitherWay(Curve):
    """A curve above y = 1, and its own reverse: a record gives way to another, or to none."""

    curve: Curve

    def at(self, loss: Enclosure, bits: int) -> Enclosure:
        """The value of h for y >= 1, else of 1 - y + y·h(1/y)."""
        return self.curve.at(loss, bits) if loss[0] >= 0 else self.curve.reversed_at(loss, bits)


@dataclass(frozen=True)
class SampledCut(SampledCurve, Cut):
    """A curve whose outputs can be cut, sampled."""

    curve: Cut
    rate: Fraction

    def cut(self, loss: Enclosure, bits: int) -> int:
        """The threshold at ln t."""
        without = _without(exp_fixed(loss, bits), self.rate, bits)
        return -MAX_LOSS << bits if without is None else self.curve.cut(without, bits)

    def tails(self, cut: int, bits: int) -> tuple[Enclosure, Enclosure]:
        """(1 - q)Q + qP, and Q."""
        pay(8 * of_division(bits + size(self.rate)))
        p, q = self.curve.tails(cut, bits)
        above, below = self.rate.numerator, self.rate.denominator
        low, high = ((below - above) * other + above * own for own, other in zip(p, q, strict=True))
        return (low // below, ceil_div(high, below)), q

    def is_unbounded(self, *, back: bool) -> bool:
        """The greatest loss of Q against (1 - q)Q + qP is -ln(1 - q)."""
        return not back and self.curve.is_unbounded(back=back)


def _without(odds: Enclosure, rate: Fraction, bits: int) -> Enclosure | None:
    """The value of ln t, or None where y may be at most 1 - q."""
    pay(8 * of_division(2 * bits + 2 * size(rate)))
    above, below = rate.numerator, rate.denominator
    rest = (below - above) << bits
    low, high = (below * end - rest for end in odds)
    if low <= 0:
        return None
    one = above << bits
    if low >= one:
        least = enclose_ln(Fraction(low, one), bits)
    else:
        least = opposite(enclose_ln(Fraction(one, low), bits))
    return least[0], least[1] + ceil_div(high - low << bits, low)


def _bounded(
    loss: Enclosure, most: Fraction, bits: int, inside: Callable[[Enclosure], Enclosure]
) -> Enclosure:
    """0 from ``most`` on, 1 - y up to its opposite, and between them of 1 - e^{(l - most)/2}.

    Profiles fall in the loss, with a slope of at least -1.
    """
    low, high = loss
    pay(12 * of_division(bits + size(most)))
    one, here = 1 << bits, Fraction(low, 1 << bits)
    if here >= most:
        return 0, 0
    if here <= -most:
        value = one_less(one, exp_fixed((low, low), bits))
    else:
        value = inside(one_less(one, exp_of((here - most) / 2, bits)))
    return value[0] - (high - low), value[1]
