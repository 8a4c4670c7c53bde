r"""The bracket: D of the whole from above and from below, at one mesh, with its certificates.

Rules of this file: both ends are about the same mechanisms; they differ by what the mesh costs, or,
for mechanisms known by their range alone, by what is open.

Theory of operation: both sides lose about the square of the mesh for every mechanism. The digits
follow from δ, from how near the ends should be, and from how many roundings there are; from below,
what is rounded away counts e^ε times.

Sources: certs/SPEC.md, section 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt, log
from typing import Final, NamedTuple

from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import floor_log10
from exactdp.arithmetic.enclosures import bits_of, precision
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.dominating_pairs import DominatingPairs
from exactdp.composition.engines.mesh.adaptive_mesh import are_fast, rough_variance
from exactdp.composition.engines.mesh.cells import Points
from exactdp.composition.engines.mesh.either_side import Lower, Upper, lower_side, upper_side
from exactdp.composition.engines.mesh.powers import Plan
from exactdp.composition.engines.mesh.sides import Discretization, points_of
from exactdp.composition.engines.mesh.upper_bracket import FINER, UpperBracket, first_that_proves
from exactdp.composition.engines.refusals import WIDER
from exactdp.errors import CostLimitError
from exactdp.mechanisms.pairs import CountedPair, Direction, OutputTable, Pair, common_step

LOWER_RULE = "mesh-lower"
_MOST_POINTS = 2_000_000
_MOST_ANSWERS = 200_000
_OF_TOLERANCE = mpq(1, 2)
_FINER_THAN_LATTICE = 4
NO_LIMIT: Final = 10**30
_OF_A_LAW: Final = 4_000_000
_FEW_LAWS: Final = 100
MANY_ENTRIES: Final = 100_000
"""Different entries that are always looked at: a characteristic function may be of so many."""

_SIDES: Final = 3
_SIDES_OF_A_RANGE: Final = 43
_DIGITS_OF_A_POINT = 40
_OF_A_POINT = 40_000
_ROUGH_POINTS = 1000
_FEW_DIGITS = 400
_OF_A_CELL = 300
_OF_A_DIGIT = 25
"""Nanoseconds for a value of a profile, and for a cell of a product and each of its digits."""


@dataclass(frozen=True)
class Target:
    """What decides how much effort there is: about which Δ, how near in ε, and up to which ε.

    More than ``max_cost`` is not to be spent on one side, in units of about a nanosecond.
    """

    allowed: mpq
    tolerance: mpq
    epsilon: int = 0
    max_cost: int = NO_LIMIT
    point: ExactNumber | None = None
    """The ε at which the divergence is asked for; None where ε is what is asked for."""

    def effort(self, unit: mpq, roundings: int) -> Discretization:
        """The digits and the tails, at a mesh."""
        near = self.allowed * min(self.tolerance, mpq(1))
        fine = -floor_log10(near / (10 * roundings)) + 1 + self.epsilon * 10 // 23
        log_delta = -bits_of(1 / self.allowed) * log(2)
        return Discretization(
            unit, max(10, fine), near / 8, self.epsilon, self.tolerance, log_delta
        )


@dataclass(frozen=True)
class Bracket:
    """Both sides at one effort."""

    subject: Subject
    unit: mpq
    above: tuple[Upper, ...]
    """For the removal of a record, and for adding one where that differs."""

    below: Lower
    direction: Direction
    tilt: mpq
    below_unit: mpq | None = None
    """The mesh of the side from below, where it is another one."""

    orders: tuple[str, ...] = ()
    """Of what is known by its Rényi divergences, if there is any."""

    def upper_certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that ε is enough."""
        upper = UpperBracket(self.subject, self.unit, self.above, self.orders)
        return upper.certificate(epsilon, delta)

    def lower_certificate(self, epsilon: ExactNumber, delta: mpq) -> Certificate:
        """The proof that ε is not enough."""
        _, most = DominatingPairs(self.subject).allowed_ends(delta)
        tries = (self.below.exactly(times) for times in FINER)
        below = first_that_proves(tries, lambda side: side.divergence(epsilon)[0] > most)
        _, threshold = below.divergence(epsilon)
        parameters = {
            "digits": str(below.mesh.digits),
            "sums": "0",
            "unit": str(self.below_unit or self.unit),
            "direction": self.direction,
            "plan": below.plan.parameter(),
            "threshold": str(threshold),
            "tilt": str(self.tilt),
        }
        return Certificate(self.subject, "lower", epsilon, delta, LOWER_RULE, parameters)


def bracket_at(laws: DominatingPairs, target: Target, unit: mpq, tilt: mpq) -> Bracket:
    """Both sides at a mesh.

    Raises:
        CostLimitError: there is too much to evaluate.
    """
    directions = laws.directions
    above = upper_sides_at(laws, target, unit)
    ends = [side.least_epsilon(target.allowed) for side in above]
    most = max((end for end in ends if end is not None), default=mpq(0))
    if target.point is None:
        direction = directions[ends.index(None if None in ends else most)]
    else:
        found = [side.divergence(target.point) for side in above]
        direction = directions[found.index(max(found))]
    finer = replace(target, epsilon=int(most) + 1)
    below, direction = _below(laws, finer, unit, tilt, directions if laws.has_gap else (direction,))
    orders = laws.divergent.orders if laws.by_orders else ()
    return Bracket(laws.subject, unit, above, below, direction, tilt, orders=orders)


def upper_sides_at(laws: DominatingPairs, target: Target, unit: mpq) -> tuple[Upper, ...]:
    """The side from above at a mesh, for each direction.

    Raises:
        CostLimitError: there is too much to evaluate.
    """
    dominating = laws.above()
    directions = laws.directions
    effort, plans = effort_for(dominating, target, unit, directions, both=False)
    return tuple(
        upper_side(dominating, effort, direction, plan)
        for plan, direction in zip(plans, directions, strict=True)
    )


def refuse_many(laws: DominatingPairs, max_cost: int) -> None:
    """Refuse more mechanisms that differ than can be planned within the limit.

    Raises:
        CostLimitError: there are.
    """
    many = len(laws.known())
    most = max_cost // (_OF_A_LAW * (_SIDES_OF_A_RANGE if laws.has_tilt else _SIDES))
    if many > max(most, _FEW_LAWS):
        raise _too_many(many, most)


def refuse_entries(different: int, max_cost: int) -> None:
    """Refuse, before they are written out, more different entries than any way composes.

    Raises:
        CostLimitError: there are.
    """
    most = max(max_cost // (_OF_A_LAW * _SIDES), MANY_ENTRIES)
    if different > most:
        raise _too_many(different, most)


def _too_many(many: int, most: int) -> CostLimitError:
    return CostLimitError(
        field="mechanisms",
        value=f"{many} that differ",
        expected=f"at most {most} that differ",
        remedy="round their noise, so that more are alike, or allow a greater --max-cost",
    )


def predicted_cost(laws: DominatingPairs, target: Target, unit: mpq, tilt: mpq) -> int | None:
    """About what both sides take at a mesh, in nanoseconds; None where it is refused."""
    try:
        refuse_many(laws, target.max_cost)
        above, below = laws.above(), laws.below(tilt)
        return sum(
            _planned(each, target, unit, ("remove",), both=both).cost(each, "remove")
            for each, both in ((above, False), (below, True))
        )
    except CostLimitError:
        return None


def lower_bracket_at(
    laws: DominatingPairs,
    target: Target,
    unit: mpq,
    tilt: mpq,
    directions: Sequence[Direction] | None = None,
) -> Bracket:
    """The side from below alone, in the direction that refutes the most; of all, or of these."""
    below, direction = _below(laws, target, unit, tilt, directions or laws.directions)
    return Bracket(laws.subject, unit, (), below, direction, tilt)


def _below(
    laws: DominatingPairs, target: Target, unit: mpq, tilt: mpq, directions: Sequence[Direction]
) -> tuple[Lower, Direction]:
    """The side from below in the direction that refutes the most, and which that is."""
    attained = laws.below(tilt)
    sides = {}
    for direction in directions:
        effort, [plan] = effort_for(attained, target, unit, (direction,), both=True)
        sides[direction] = lower_side(attained, effort, direction, plan)

    def refuted(direction: Direction) -> mpq:
        if target.point is not None:
            return sides[direction].divergence(target.point)[0]
        return (sides[direction].greatest_epsilon(target.allowed) or (mpq(-1), 0))[0]

    direction = max(directions, key=refuted) if len(directions) > 1 else directions[0]
    return sides[direction], direction


def effort_for(
    laws: Sequence[CountedPair],
    target: Target,
    unit: mpq,
    directions: Sequence[Direction],
    *,
    both: bool,
) -> tuple[Discretization, list[Plan]]:
    """The digits for as many roundings as windows and counts suggest, and each direction's points.

    Args:
        laws: the laws, with their counts.
        target: what decides the effort.
        unit: the mesh.
        directions: for which there are points.
        both: whether windows are those of P and Q.

    Raises:
        CostLimitError: what a side evaluates, or composes, is too much.
    """
    planned = _planned(laws, target, unit, directions, both=both)
    count = sum(count for _, count in laws)
    if planned.most_cost(laws) > target.max_cost:
        _refuse_cost(planned.cost(laws, directions[0]), target, count)
    lengths = [each.length for plan in planned.plans for each in _curves(laws, plan)]
    return target.effort(unit, (100_000 + 40 * sum(lengths)) * count), planned.plans


class _Planned(NamedTuple):
    """The points of each direction, how many values of profiles they have, and the digits."""

    plans: list[Plan]
    evaluated: int
    effort: Discretization

    def cost(self, laws: Sequence[CountedPair], direction: Direction) -> int:
        """About what the first takes: evaluating points, and multiplying what has spread by then.

        In nanoseconds.
        """
        plan, effort = self.plans[0], self.effort
        fast = are_fast(laws, plan.points, effort.log_delta)
        with precision(effort.bits):
            variances = [
                rough_variance(law, points, effort.mesh, direction, fast=fast)
                for (law, _), points in zip(laws, plan.points, strict=True)
            ]
        return self._cost(laws, variances)

    def most_cost(self, laws: Sequence[CountedPair]) -> int:
        """About what it takes at most, where losses are at both ends (Popoviciu)."""
        return self._cost(laws, [(points.length / 2) ** 2 for points in self.plans[0].points])

    def _cost(self, laws: Sequence[CountedPair], variances: Sequence[float]) -> int:
        effort, lengths = self.effort, [points.length for points in self.plans[0].points]
        cells = effort.schedule([count for _, count in laws]).predicted_cells(lengths, variances)
        point = _OF_A_POINT * max(1, effort.digits // _DIGITS_OF_A_POINT)
        return self.evaluated * point + int(cells * (_OF_A_CELL + _OF_A_DIGIT * effort.digits))


def _planned(
    laws: Sequence[CountedPair],
    target: Target,
    unit: mpq,
    directions: Sequence[Direction],
    *,
    both: bool,
) -> _Planned:
    """What a side at a mesh is made of, before anything is evaluated.

    Raises:
        CostLimitError: it has too many points, or tables that take too long to list.
    """
    count = sum(count for _, count in laws)
    guess = target.effort(unit, 10**6 * count)
    refuse_tables(laws, guess.digits)
    _refuse_cost(_cost_of_listing(laws, guess.digits), target, count)
    _refuse_cost(_cost_of_planning(laws, guess.digits) * len(directions), target, count)
    plans = [points_of(laws, guess, each, both=both) for each in directions]
    evaluated = sum(_evaluated(laws, plan) for plan in plans)
    if evaluated > _MOST_POINTS:
        refuse_points(evaluated, count)
    return _Planned(plans, evaluated, guess)


def _curves(laws: Sequence[CountedPair], plan: Plan) -> list[Points]:
    """The points of those that are known by their profiles."""
    return [
        points
        for (law, _), points in zip(laws, plan.points, strict=True)
        if not isinstance(law, OutputTable)
    ]


def _evaluated(laws: Sequence[CountedPair], plan: Plan) -> int:
    """How many values of profiles there are."""
    return sum(points.count for points in _curves(laws, plan))


def _cost_of_listing(laws: Sequence[CountedPair], digits: int) -> int:
    """About what it takes to list the answers of tables once."""
    answers = sum(law.size(digits) for law, _ in laws if isinstance(law, OutputTable))
    return answers * _OF_A_POINT * max(1, digits // _DIGITS_OF_A_POINT)


def _cost_of_planning(laws: Sequence[CountedPair], digits: int) -> int:
    """What it takes to find windows and points of curves, where digits are many."""
    curves = sum(not isinstance(law, OutputTable) for law, _ in laws)
    spare = max(0, digits - _FEW_DIGITS)
    return curves * _ROUGH_POINTS * _OF_A_POINT * spare // _DIGITS_OF_A_POINT


def _refuse_cost(cost: int, target: Target, count: int) -> None:
    """Refuse what would cost more than the limit."""
    if cost <= target.max_cost:
        return
    raise CostLimitError(
        field="--max-cost",
        value=f"a predicted cost of about {cost:.0e}",
        expected=f"at most {target.max_cost:.0e}",
        remedy=f"{WIDER}a larger limit, or {_fewer(count * mpq(target.max_cost, cost))}",
    )


def refuse_tables(laws: Sequence[CountedPair], digits: int) -> None:
    """Refuse a mechanism with too many answers to list."""
    for law, _ in laws:
        if isinstance(law, OutputTable) and law.size(digits) > _MOST_ANSWERS:
            raise CostLimitError(
                field="mechanisms",
                value=f"a mechanism with {law.size(digits)} answers that matter",
                expected=f"at most {_MOST_ANSWERS}",
                remedy=f"a shift of {_MOST_ANSWERS // 10} or a variance of 1e6 would fit; "
                "continuous noise of that size is about as private, and has a curve",
            )


def refuse_points(points: int, count: int) -> None:
    """Refuse a mesh with too many points."""
    raise CostLimitError(
        field="tolerance",
        value=f"a mesh of {points} points",
        expected=f"at most {_MOST_POINTS} points",
        remedy=f"{WIDER}{_fewer(count * mpq(_MOST_POINTS, points) ** 2)}",
    )


def _fewer(number: mpq) -> str:
    """How many mechanisms would do."""
    about = floor_log10(number) if number > 0 else 0
    return f"about 1e{about} mechanisms would do" if about > 0 else "fewer mechanisms would do"


# --- the mesh -----------------------------------------------------------------------------------


def first_unit(laws: DominatingPairs, tilt: mpq, tolerance: mpq) -> mpq:
    """A mesh at which both sides should meet within the tolerance: 1/n, or a lattice of losses."""
    counted = [*laws.known(), *laws.below(tilt)]
    count = sum(count for _, count in laws.below(tilt))
    unit = _inverse(tolerance * _OF_TOLERANCE / max(count, 1))
    lattice = _lattice([law for law, _ in counted])
    if lattice is not None and lattice * _FINER_THAN_LATTICE >= unit:
        return lattice
    return unit


def finer_unit(unit: mpq, ratio: mpq, order: int = 2) -> mpq:
    """A mesh finer by about the root of a ratio below 1, or by the ratio where ``order`` is 1."""
    least = max(ratio, mpq(1, 100))
    return _inverse(unit**2 * (least if order > 1 else least**2) * mpq(7, 10))


def _inverse(square: mpq) -> mpq:
    """The root of a rational, as 1/n."""
    return mpq(1, isqrt(int(1 / square)) + 1)


def _lattice(laws: Sequence[Pair]) -> mpq | None:
    """The greatest rational of which all losses are multiples, if all are known to be rational."""
    common = mpq(0)
    for law in laws:
        step = law.step()
        if step is None:
            return None
        common = common_step(common, step)
    return common
