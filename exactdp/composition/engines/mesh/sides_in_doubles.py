r"""The two sides in doubles: δ(ε) of the whole from above and from below, without exact products.

Rules of this file: an end is one that doubles prove, by bounds of ``composed_losses``; where these
are too wide for the tolerance, the side is composed exactly.

Theory of operation: a side keeps what it composed for a tilt, so that many ε, or many guesses,
share a few transforms. From above, the mean of max(0, 1 - e^{ε - L}) is one sum less e^ε times
another, over the same cells. From below, P is tilted by λ and Q by λ + 1, about the same losses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeGuard

import numpy as np
from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import (
    ball,
    ball_of_rational,
    double_of,
    lower_end,
    precision,
    upper_end,
)
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.composition.engines.mesh.cells import LossMesh, Points, dots, scored
from exactdp.composition.engines.mesh.composed_losses import ComposedLosses
from exactdp.composition.engines.mesh.laws_in_doubles import dominating_law, scored_laws
from exactdp.composition.engines.mesh.powers import Plan
from exactdp.composition.engines.mesh.sides import (
    Discretization,
    LowerPld,
    UpperPld,
    laws_on_mesh,
    points_of,
)
from exactdp.composition.engines.mesh.tilted import (
    MeshLaw,
    Stage,
    TooRoughError,
    rounded_tilt,
    tilt_for,
)
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction, Pair

_KEPT: Final = 8
_STEPS: Final = 40
_NEAR: Final = 1e-2
_LEAST_SLOPE: Final = 0.25
_LEAST_LOG: Final = -1e5
_SHARE: Final = mpq(1, 16)
_OF_LOST: Final = 4
_LEAST_TAIL: Final = mpq(1, 2**400)
_MUCH: Final = 8
_GREAT: Final = 1e300  # at which products with weights still are finite
_FINE: Final = mpq(1, 1000)
_ROOM: Final = mpq(1, 16)
"""Of a tolerance, what is left to certificates, which lose it on coarser meshes."""


def _missing(laws: Sequence[MeshLaw]) -> arb:
    """What weights lack to 1, composed."""
    logs = (law.count * ball_of_rational(law.total).log() for law in laws)
    return -(sum(logs, arb(0))).expm1()


@dataclass(frozen=True)
class _Composed:
    """The laws of a side under one of P and Q."""

    laws: Sequence[MeshLaw]
    effort: Discretization
    above: bool
    wholes: dict[mpq, tuple[ComposedLosses, Stage]] = field(default_factory=dict)

    @cached_property
    def missing(self) -> arb:
        with precision(self.effort.bits):
            return _missing(self.laws)

    def at(self, tilt: mpq) -> ComposedLosses:
        """What is composed at a tilt."""
        return self.staged(tilt, None)[0]

    def staged(self, tilt: mpq, stage: Stage | None) -> tuple[ComposedLosses, Stage]:
        """What is composed at a tilt, where the mesh grows coarser at a stage, and at which."""
        if tilt not in self.wholes:
            mesh, near = (self.effort.unit, tilt), self.effort.tolerance
            self.wholes[tilt] = ComposedLosses.of(
                self.laws, mesh, near, above=self.above, stage=stage
            )
            while len(self.wholes) > _KEPT:
                del self.wholes[next(iter(self.wholes))]
        return self.wholes[tilt]

    def tried(self, epsilon: float) -> Iterator[ComposedLosses]:
        """What was composed, the last first; then what is best at an ε."""
        yield from [whole for whole, _ in reversed(self.wholes.values())]
        yield self.at(self.tilt_at(epsilon))

    def tilt_at(self, epsilon: float) -> mpq:
        """About where the tilted losses have the mean ε."""
        unit = double_of(self.effort.unit)
        return rounded_tilt(tilt_for(self.laws, unit, lambda _t, _k, mean: epsilon - mean))

    def other_tilt(self, tilt: mpq, epsilon: float) -> mpq:
        """The tilt of an ε, where another was tried.

        Raises:
            TooRoughError: it is the same.
        """
        found = self.tilt_at(epsilon)
        if found == tilt:
            raise TooRoughError
        return found

    def guess(self, log_delta: float) -> tuple[mpq, float]:
        """A tilt for a δ, and about an ε somewhat above."""
        unit = double_of(self.effort.unit)
        tilt = tilt_for(self.laws, unit, lambda t, k, mean: k - t * mean - log_delta)
        mean = sum(law.count * law.moments(tilt * unit)[1] for law in self.laws) * unit
        return rounded_tilt(tilt), max(0.0, mean)


@dataclass(frozen=True)
class _Side:
    """What is composed for one direction, at the points of a plan."""

    laws: Sequence[CountedPair]
    effort: Discretization
    direction: Direction
    plan: Plan

    @property
    def mesh(self) -> LossMesh:
        return self.effort.mesh

    def _listed(self) -> Iterator[tuple[Pair, int, Points]]:
        """The laws with their counts and their points."""
        laws = laws_on_mesh(self.laws, self.effort)
        for (law, count), points in zip(laws, self.plan.points, strict=True):
            yield law, count, points

    def _is_enclosed(self, law: Pair) -> TypeGuard[Cut]:
        """Whether the tails of a law are known in doubles, as far out as they matter."""
        return isinstance(law, Cut) and law.is_enclosed and self.effort.lost > _LEAST_TAIL


class UpperSide(_Side):
    """The divergence from above, for one direction."""

    @property
    def bits(self) -> int:
        return self.effort.bits

    def exactly(self, finer: int, epsilon: ExactNumber, allowed: mpq) -> UpperPld:
        """The side composed exactly, where composing loses so much less.

        A direction that needs far less than ε is looked at at fewer points.
        """
        effort, plan = self.effort.finer(finer), self.plan
        least = self.least_epsilon(allowed)
        spare = mpq(0) if least is None else _rational(epsilon) - least
        if spare > _MUCH * effort.tolerance:
            effort = replace(effort, tolerance=spare / _MUCH)
            plan = points_of(self.laws, effort, self.direction, both=False)
        return UpperPld.of(self.laws, effort, self.direction, chosen=plan)

    @cached_property
    def exact(self) -> UpperPld:
        """The side composed exactly."""
        return UpperPld.of(self.laws, self.effort, self.direction, chosen=self.plan)

    @cached_property
    def _composed(self) -> _Composed | None:
        with precision(self.bits):
            try:
                return _Composed([self._law(*each) for each in self._listed()], self.effort, True)
            except TooRoughError:
                return None

    def _law(self, law: Pair, count: int, points: Points) -> MeshLaw:
        if self._is_enclosed(law):
            return dominating_law(law, points, self.effort.unit, self.direction, count)
        pairs = dots(law, points, self.mesh, self.direction)
        return MeshLaw.of(pairs, self.mesh.scale, count)

    def divergence(self, epsilon: ExactNumber) -> mpq:
        """D(e^ε) from above."""
        with precision(self.bits):
            found = self._in_doubles(ball(epsilon))
        return self.exact.divergence(epsilon) if found is None else found

    def _in_doubles(self, epsilon: arb) -> mpq | None:
        """D(e^ε) from above; None where errors are too large beside it."""
        composed = self._composed
        if composed is None:
            return None
        with suppress(TooRoughError):
            for whole in composed.tried(float(epsilon)):
                value, error = hockey_stick(whole, epsilon)
                if _is_near(value, error, self.effort):
                    return upper_end(value + composed.missing)
        return None

    @cached_property
    def _ends(self) -> dict[mpq, mpq | None]:
        """What was found: a bracket is asked again for the end that chose its direction."""
        return {}

    def least_epsilon(self, allowed: mpq) -> mpq | None:
        """About the least ε at which the divergence is at most so much; None if none."""
        if allowed not in self._ends:
            self._ends[allowed] = self._found(allowed)
        return self._ends[allowed]

    def _found(self, allowed: mpq) -> mpq | None:
        composed = self._composed
        if composed is None:
            return self.exact.least_epsilon(allowed)
        with precision(self.bits):
            spare = ball_of_rational(allowed) - composed.missing
            if not spare > 0:
                return None
            try:
                return _least_epsilon(composed, spare, self.effort)
            except TooRoughError:
                return self.exact.least_epsilon(allowed)


def _rational(epsilon: ExactNumber) -> mpq:
    """A rational at most ε."""
    return lower_end(ball(epsilon))


def _is_near(value: arb, error: arb, effort: Discretization) -> bool:
    most = arb(value).max(arb(0)) * ball_of_rational(effort.tolerance * _SHARE)
    return bool(error < most.max(ball_of_rational(effort.lost * _OF_LOST)))


def hockey_stick(whole: ComposedLosses, epsilon: arb) -> tuple[arb, arb]:
    """At least the mean of max(0, 1 - e^{ε - L}), and how much of it covers errors."""
    unit = ball_of_rational(whole.unit)
    threshold = int(upper_end(epsilon / unit) // 1) + 1
    sums = whole.above(threshold)
    share = (epsilon - unit * threshold).exp()
    error = sums.error(whole, share)
    value = sums.factor * (arb(sums.plain) - share * arb(sums.discounted) + error)
    return value, sums.factor * error


def _least_epsilon(composed: _Composed, spare: arb, effort: Discretization) -> mpq:
    """About where the divergence is so much; by its logarithm, then by its tangents."""
    tilt, guess = composed.guess(_log(spare))
    whole, slope = composed.at(tilt), max(double_of(tilt), _LEAST_SLOPE)
    unit = ball_of_rational(whole.unit)
    epsilon = _near_guess(whole, spare, slope, guess)
    if epsilon is None:
        return mpq(0)
    point = arb(epsilon)
    for _ in range(_STEPS):
        threshold = int(upper_end(point / unit) // 1) + 1
        sums = whole.above(threshold)
        share = (point - unit * threshold).exp()
        error = sums.error(whole, share)
        above = sums.factor * (arb(sums.plain) + error) - spare
        odds = above / (sums.factor * arb(sums.discounted) * (-unit * threshold).exp())
        if not odds > 0:
            raise TooRoughError
        point = odds.log().max(arb(0))
        if int(upper_end(point / unit) // 1) + 1 == threshold:
            if not _is_near(spare, sums.factor * error, effort):
                raise TooRoughError
            return max(mpq(0), upper_end(point)) + effort.tolerance * _ROOM
    raise TooRoughError


def _near_guess(whole: ComposedLosses, spare: arb, slope: float, guess: float) -> float | None:
    """About where the divergence is so much, by its logarithm; None where it is less everywhere."""
    epsilon = guess
    for _ in range(_STEPS):
        value, _ = hockey_stick(whole, arb(epsilon))
        ratio = float((value / spare).log()) if value > 0 else -4.0
        if epsilon == 0 and ratio <= 0:
            return None
        if abs(ratio) < _NEAR:
            return epsilon
        epsilon = max(0.0, epsilon + ratio / slope)
    raise TooRoughError


def _log(value: arb) -> float:
    """About the logarithm of a number above 0."""
    return float(value.log()) if value > 0 else _LEAST_LOG


class LowerSide(_Side):
    """The divergence from below, for one direction."""

    def exactly(self, finer: int) -> LowerPld:
        """The side composed exactly, where composing loses so much less."""
        effort = self.effort.finer(finer)
        return LowerPld.of(self.laws, effort, self.direction, chosen=self.plan)

    @cached_property
    def exact(self) -> LowerPld:
        """The side composed exactly."""
        return LowerPld.of(self.laws, self.effort, self.direction, chosen=self.plan)

    @cached_property
    def _composed(self) -> tuple[_Composed, _Composed] | None:
        bits = self.effort.bits
        with precision(bits):
            try:
                listed = [self._scores(*each) for each in self._listed()]
            except TooRoughError:
                return None
            p, q = zip(*listed, strict=True)
            return _Composed(p, self.effort, False), _Composed(q, self.effort, False)

    def _scores(self, law: Pair, count: int, points: Points) -> tuple[MeshLaw, MeshLaw]:
        if self._is_enclosed(law):
            return scored_laws(law, points, self.effort.unit, self.direction, count)
        p, q = scored(law, points, self.mesh, self.direction)
        return MeshLaw.of(p, self.mesh.scale, count), MeshLaw.of(q, self.mesh.scale, count)

    def divergence(self, epsilon: ExactNumber) -> tuple[mpq, int]:
        """D(e^ε) from below, with its threshold."""
        with precision(self.effort.bits):
            found = self._in_doubles(ball(epsilon))
        return self.exact.divergence(epsilon) if found is None else found

    def _in_doubles(self, epsilon: arb) -> tuple[mpq, int] | None:
        """D(e^ε) from below, with its threshold; None where errors are too large beside it."""
        composed = self._composed
        if composed is None:
            return None
        odds = epsilon.exp()
        with suppress(TooRoughError):
            for whole in composed[0].tried(float(epsilon)):
                event = self._event(composed, whole.tilt, epsilon)
                value, error = event.p - odds * event.q, event.p_error + odds * event.q_error
                if _is_near(value, error, self.effort):
                    return max(mpq(0), lower_end(value)), event.threshold
        return None

    def greatest_epsilon(self, allowed: mpq) -> tuple[mpq, int] | None:
        """About the greatest ε at which the divergence is above so much, with its threshold."""
        composed = self._composed
        if composed is None:
            return self.exact.greatest_epsilon(allowed)
        with precision(self.effort.bits):
            try:
                return self._greatest_epsilon(composed, allowed)
            except TooRoughError:
                return self.exact.greatest_epsilon(allowed)

    def _greatest_epsilon(
        self, composed: tuple[_Composed, _Composed], allowed: mpq
    ) -> tuple[mpq, int] | None:
        """By Dinkelbach's method: the event of greatest P - y·Q at y, then the y of the event."""
        spare = ball_of_rational(allowed)
        tilt, guess = composed[0].guess(_log(spare))
        slope = max(double_of(tilt), _LEAST_SLOPE)
        point = arb(_near_guess(composed[0].at(tilt), spare, slope, guess) or 0)
        near = ball_of_rational(self.effort.tolerance * _FINE)
        for _ in range(_STEPS):
            event, before = self._event(composed, tilt, point), point
            if event.p > spare:
                point = ((event.p - spare) / event.q).log().mid()
            else:
                point -= arb(1 / slope)
            if point < -1:
                return None
            if event.p > spare and abs(point - before) < near:
                error = event.p_error + point.exp() * event.q_error
                if _is_near(spare, error, self.effort):
                    return lower_end(point) - self.effort.tolerance * _ROOM, event.threshold
                tilt = composed[0].other_tilt(tilt, float(point))
        raise TooRoughError

    def _event(self, composed: tuple[_Composed, _Composed], tilt: mpq, epsilon: arb) -> _Event:
        """The event of about the greatest P - e^ε·Q, at a tilt."""
        p_whole, stage = composed[0].staged(tilt, None)
        wholes = p_whole, composed[1].staged(tilt + 1, stage)[0]
        threshold = _best_threshold(wholes, epsilon)
        p, q = (each.above(threshold) for each in wholes)
        p_error, q_error = (
            sums.factor
            * (arb(whole.error * sums.weight * 1.001) + whole.relative * abs(sums.plain))
            for sums, whole in zip((p, q), wholes, strict=True)
        )
        p_error += p.factor * p.returned
        q_error += q.factor * q.missing
        return _Event(
            threshold,
            p.factor * p.plain - p_error,
            q.factor * q.plain + q_error + composed[1].missing,
            p_error,
            q_error,
        )


@dataclass(frozen=True)
class _Event:
    """Scores from a threshold on: at most P of them, at least Q, with what covers errors."""

    threshold: int
    p: arb
    q: arb
    p_error: arb
    q_error: arb


def _best_threshold(wholes: tuple[ComposedLosses, ComposedLosses], epsilon: arb) -> int:
    """About the best threshold, among the cells that stand out of the errors."""
    ranges = [each.likely() for each in wholes]
    first, last = max(low for low, _ in ranges), min(high for _, high in ranges)
    if first > last:
        raise TooRoughError
    p, q = (each.above(first) for each in wholes)
    ratio = min(float(q.factor * epsilon.exp() / p.factor), _GREAT)
    of_p, of_q = (each.listed(first, last) for each in wholes)
    return first + int(np.argmax(np.cumsum((of_p - ratio * of_q)[::-1])[::-1]))
