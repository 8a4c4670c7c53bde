r"""The two sides: δ(ε) of the whole from above and from below, at one mesh.

Rules of this file: each side answers with what its certificate will prove; ``slack`` covers what
the verifier may round away beside what was rounded here.

Theory of operation: from above, D(e^ε) is at most the mean of max(0, 1 - e^{ε - L}) and what is
lost. From below, the event that the score is at least a threshold has P - e^ε·Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from flint import arb, fmpz
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
from exactdp.composition.engines.mesh.adaptive_mesh import adaptive_mesh
from exactdp.composition.engines.mesh.cells import (
    Cells,
    LossMesh,
    Points,
    connect_the_dots,
    scores,
)
from exactdp.composition.engines.mesh.powers import Plan, Schedule, compose
from exactdp.composition.engines.mesh.windows import widened, window_of
from exactdp.mechanisms.pairs import CountedPair, Cut, Direction

_ROUNDINGS = 4
_ABOUT_EQUAL = 1 + 1e-9
_ROUNDED = 1e-14
_MOST_ODDS = mpq(10) ** 100
"""Beyond which doubles are not asked."""


@dataclass(frozen=True, slots=True)
class Discretization:
    """A mesh, the digits of weights, and the weight that windows may lose."""

    unit: mpq
    digits: int
    lost: mpq
    epsilon: int
    """From below, what is left out on the way counts e^ε times."""

    tolerance: mpq
    log_delta: float
    """Of about the Δ that is asked for."""

    def finer(self, times: int) -> Discretization:
        """What loses so much less where it composes, and is as near at the same mesh."""
        spare = 2 * len(str(times))
        return replace(
            self,
            digits=self.digits + spare,
            lost=self.lost / times,
            tolerance=self.tolerance / times,
        )

    @property
    def bits(self) -> int:
        """Bits for everything but weights."""
        return self.digits * 10 // 3 + 2 * self.unit.denominator.bit_length() + 160

    @property
    def mesh(self) -> LossMesh:
        """The mesh to begin with."""
        return LossMesh(self.unit, self.digits)

    def schedule(self, counts: Sequence[int]) -> Schedule:
        """What the steps may lose."""
        lost = fmpz(int(self.lost * 10**self.digits))
        dropped = lost // fmpz(3) ** self.epsilon
        return Schedule(self.mesh, tuple(counts), lost, dropped, self.tolerance)


def points_of(
    laws: Sequence[CountedPair], effort: Discretization, direction: Direction, *, both: bool
) -> Plan:
    """A plan with the points alone."""
    found = []
    with precision(effort.bits):
        laws = laws_on_mesh(laws, effort)
        chosen = [_chosen(law.points_on(effort.unit, direction)) for law, _ in laws]
        for (law, count), own in zip(laws, chosen, strict=True):
            tail = ball_of_rational(effort.lost / (4 * count * len(laws)))
            known = own or window_of(law, effort.mesh, tail, direction, both=both)
            found.append(known.window if isinstance(known, Points) else known)
        if both:
            found = widened([law for law, _ in laws], found, effort.mesh)
        most = effort.tolerance / effort.unit**2
        points = adaptive_mesh(laws, found, effort.mesh, (most, effort.log_delta), direction)
    every = (own or each for own, each in zip(chosen, points, strict=True))
    return Plan(tuple(every), ())


def _chosen(own: tuple[int, tuple[tuple[int, int], ...]] | None) -> Points | None:
    """The points that a law chooses itself."""
    return own and Points(*own)


def laws_on_mesh(laws: Sequence[CountedPair], effort: Discretization) -> Sequence[CountedPair]:
    """The laws as they are looked at."""
    return [
        (law.on_mesh(effort.unit, effort.lost / (4 * count * len(laws))), count)
        for law, count in laws
    ]


def _named(
    laws: Sequence[CountedPair], plan: Plan, unit: mpq, direction: Direction
) -> dict[str, list[object]]:
    """What a plan says of some laws alone."""
    found: dict[str, list[object]] = {}
    for (law, _), points in zip(laws, plan.points, strict=True):
        known = law.plan_parameter([j * unit for j in points.listed()], direction)
        if known is not None:
            found.setdefault(known[0], []).append(known[1])
    return found


def _slack(plan: Plan, laws: Sequence[CountedPair]) -> int:
    """What all roundings lose at most, in units of the last digit."""
    lengths = [points.length + 1 for points in plan.points]
    total = sum(count * length for (_, count), length in zip(laws, lengths, strict=True))
    for place, level in enumerate(reversed(plan.levels), 1):
        total += (level.window[1] - level.window[0] + sum(lengths)) << place + 1
    return _ROUNDINGS * (total + sum(lengths))


@dataclass(frozen=True)
class UpperPld:
    """The divergence from above, for one direction."""

    plan: Plan
    whole: Cells
    mesh: LossMesh
    slack: int
    bits: int

    @staticmethod
    def of(
        laws: Sequence[CountedPair],
        effort: Discretization,
        direction: Direction,
        *,
        chosen: Plan | None = None,
    ) -> UpperPld:
        """Dots of all laws, composed; at the ``chosen`` points, if there are any."""
        with precision(effort.bits):
            plan = chosen or points_of(laws, effort, direction, both=False)
            laws = laws_on_mesh(laws, effort)
            pairs = list(zip(laws, plan.points, strict=True))
            cells = [
                connect_the_dots(law, points, effort.mesh, direction) for (law, _), points in pairs
            ]
            schedule = effort.schedule([count for _, count in laws])
            levels, [whole], mesh = compose([cells], schedule, above=True)
        named = _named(laws, plan, effort.unit, direction)
        plan = Plan(plan.points, levels, named=named)
        return UpperPld(plan, whole, mesh, _slack(plan, laws), effort.bits)

    def exactly(self, _finer: int, _epsilon: ExactNumber, _allowed: mpq) -> UpperPld:
        """This, which is composed exactly."""
        return self

    @cached_property
    def _lost(self) -> fmpz:
        """What is missing from a weight of 1, or may be rounded away."""
        return self.mesh.scale - sum(self.whole.values, fmpz(0)) + self.slack

    @cached_property
    def _sums(self) -> list[tuple[fmpz, arb, arb]]:
        """Sums of weights and of weight·e^{-loss}, from the last down, with the next e^{-loss}."""
        found = []
        with precision(self.bits):
            odds = self.mesh.loss(1).exp()
            inverse = (-self.mesh.loss(self.whole.last)).exp()
            plain, discounted = fmpz(0), arb(0)
            for weight in reversed(self.whole.values):
                plain += weight
                discounted += weight * inverse
                inverse *= odds
                found.append((plain, discounted, inverse))
        return found

    def divergence(self, epsilon: ExactNumber) -> mpq:
        """D(e^ε) from above: of all losses above ε, in one difference of two sums."""
        with precision(self.bits):
            point = ball(epsilon)
            steps = upper_end(point / self.mesh.loss(1)) // 1
            above = min(self.whole.last - int(steps), len(self._sums))
            kept = arb(0)
            if above > 0:
                plain, discounted, _ = self._sums[above - 1]
                kept = plain - point.exp() * discounted
            return upper_end((kept + self._lost) / self.mesh.scale)

    def least_epsilon(self, allowed: mpq) -> mpq | None:
        """About the least ε at which the divergence is at most so much, from above; None if none.

        Between two losses the divergence is linear in e^ε.
        """
        with precision(self.bits):
            spare = ball_of_rational(allowed) * self.mesh.scale - self._lost
            if not spare > 0:
                return None
            for plain, discounted, inverse in self._sums[: max(0, self.whole.last + 1)]:
                if plain > spare and (plain - spare) * inverse > discounted:
                    return max(mpq(0), upper_end(((plain - spare) / discounted).log()))
            return mpq(0)


@dataclass(frozen=True)
class LowerPld:
    """The divergence from below, for one direction."""

    plan: Plan
    wholes: tuple[Cells, Cells]
    mesh: LossMesh
    slack: int
    bits: int

    @staticmethod
    def of(
        laws: Sequence[CountedPair],
        effort: Discretization,
        direction: Direction,
        *,
        chosen: Plan | None = None,
    ) -> LowerPld:
        """Scores of all laws, under P and under Q; at the ``chosen`` points, if there are any."""
        with precision(effort.bits):
            plan = chosen or points_of(laws, effort, direction, both=True)
            laws = laws_on_mesh(laws, effort)
            pairs = list(zip(laws, plan.points, strict=True))
            listed = [scores(law, points, effort.mesh, direction) for (law, _), points in pairs]
            cells = [[each[law] for each in listed] for law in (0, 1)]
            schedule = effort.schedule([count for _, count in laws])
            levels, [p, q], mesh = compose(cells, schedule, above=False)
        cut = (
            law.cuts(tuple(points.by_outputs(direction)), effort.unit)
            for (law, _), points in pairs
            if isinstance(law, Cut)
        )
        cuts = [each for each in cut if each is not None]
        named = _named(laws, plan, effort.unit, direction)
        plan = Plan(plan.points, levels, tuple(cuts), named)
        return LowerPld(plan, (p, q), mesh, _slack(plan, laws), effort.bits)

    def exactly(self, _finer: int) -> LowerPld:
        """This, which is composed exactly."""
        return self

    @cached_property
    def events(self) -> list[tuple[int, fmpz, fmpz]]:
        """Thresholds with P from below and Q from above, times 10^digits."""
        p, q = self.wholes
        first, last = min(p.first, q.first), max(p.last, q.last)
        of_p, of_q = (_from_the_top(each, first, last) for each in self.wholes)
        lost = self.mesh.scale - of_q[-1] + self.slack
        thresholds = range(last, first - 1, -1)
        listed = zip(thresholds, of_p, of_q, strict=True)
        return [(t, at - self.slack, other + lost) for t, at, other in listed]

    def greatest_epsilon(self, allowed: mpq) -> tuple[mpq, int] | None:
        """About the greatest ε at which the divergence is above so much, with its threshold."""
        scale = self.mesh.scale
        spare = fmpz(int(-(-allowed * int(scale) // 1)))
        found = [(p - spare, q, t) for t, p, q in self.events if p > spare and q > 0]
        if not found:
            return None
        above, below, threshold = _greatest_odds(found)
        with precision(self.bits):
            return lower_end((arb(above) / below).log()), threshold

    @cached_property
    def _rough_events(self) -> tuple[list[float], list[float]]:
        """P and Q of the events, in doubles: they only say which events are looked at exactly."""
        scale = int(self.mesh.scale)
        listed = [(int(p) / scale, int(q) / scale) for _, p, q in self.events]
        return [p for p, _ in listed], [q for _, q in listed]

    def divergence(self, epsilon: ExactNumber) -> tuple[mpq, int]:
        """D(e^ε) from below, with its threshold: exactly, of the events that doubles leave."""
        with precision(self.bits):
            odds = upper_end(ball(epsilon).exp())
            above, below = fmpz(int(odds.numerator)), fmpz(int(odds.denominator))
            events = self._near_the_best(odds)
            value, threshold = max((below * p - above * q, t) for t, p, q in events)
            scale = below * self.mesh.scale
            return max(mpq(0), mpq(int(value), int(scale))), threshold

    def _near_the_best(self, odds: mpq) -> Sequence[tuple[int, fmpz, fmpz]]:
        """The events whose value is the greatest, but for what doubles round away."""
        if odds > _MOST_ODDS:
            return self.events
        factor = double_of(odds)
        of_p, of_q = self._rough_events
        values = [p - factor * q for p, q in zip(of_p, of_q, strict=True)]
        best = max(range(len(values)), key=values.__getitem__)
        least = values[best] - _ROUNDED * (of_p[best] + factor * of_q[best])
        return [each for each, value in zip(self.events, values, strict=True) if value >= least]


def _greatest_odds(events: Sequence[tuple[fmpz, fmpz, int]]) -> tuple[fmpz, fmpz, int]:
    """The event of greatest P over Q: exactly, among those that doubles leave."""
    rough = [int(below) / int(above) for above, below, _ in events]
    most = min(rough) * _ABOUT_EQUAL
    near = [event for event, inverse in zip(events, rough, strict=True) if inverse <= most]
    return max(near, key=lambda event: mpq(int(event[0]), int(event[1])))


def _from_the_top(cells: Cells, first: int, last: int) -> list[fmpz]:
    """Sums of the weights from the last loss down to the first."""
    zero = fmpz(0)
    above, below = [zero] * (last - cells.last), [zero] * (cells.first - first)
    return list(accumulate([*above, *reversed(cells.values), *below]))
