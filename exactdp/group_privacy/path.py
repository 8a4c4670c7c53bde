r"""Groups along a path of neighbours, each step by another bound of the same mechanisms.

Rules of this file: floating point chooses which bounds are used, and nothing else; what is returned
follows from upper ends of the privacy profile, all sums from above.

Theory of operation: the profile of neighbours bounds the power of a test by
:math:`F(t) = \inf_\epsilon \delta(\epsilon) + e^\epsilon t`. For a group of g, F is applied g
times, which is what all chains of g bounds :math:`P_0 \le e^{\epsilon_1} P_1 + \delta_1, \dots`
give at their best. With finitely many points of the profile F is a minimum, and from a t where the
path ends follow the points along it; the greater t, the smaller the sum of their ε and the greater
the δ. Long paths have parts of several steps, each by one point.

Source: Dong, Roth & Su, J. R. Stat. Soc. B 84(1), 2022, Theorem 2.14 of arXiv:1905.02383.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, expm1, inf, log
from typing import Final

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.decimal_text import round_above
from exactdp.arithmetic.enclosures import ball, ball_of_rational, double_of, precision, upper_end
from exactdp.arithmetic.numbers import ExactNumber
from exactdp.certificate.statement import Certificate
from exactdp.certificate.subject import Subject
from exactdp.composition.answers.certify import certify
from exactdp.composition.answers.profile import profile
from exactdp.errors import CostLimitError
from exactdp.group_privacy.steps import BITS, CHECKED_DIGITS, failure_growth
from exactdp.ledger.model import Ledger

_PARTS: Final = 6
_POINTS: Final = 16
_SLACK: Final = mpq(1001, 1000)
_SHORT: Final = 6
_SPARE: Final = mpq(1, 10**9)
"""Of δ, what a certificate may need where a δ is 0."""
_HALVINGS: Final = 60
_LEAST: Final = 1e-300


@dataclass(frozen=True, slots=True)
class GroupPath:
    """Bounds of neighbours along a path, and what follows.

    Attributes:
        parts: for so many steps, an ε and a δ that neighbours keep.
        epsilon: the sum of all ε.
        delta: what all δ come to, from above.
    """

    parts: tuple[tuple[int, mpq, mpq], ...]
    epsilon: mpq
    delta: mpq

    def certificate(
        self, ledger: Ledger, epsilon: ExactNumber, delta: mpq, max_cost: int
    ) -> Certificate | None:
        """The step ``group-path`` to a claim that follows, after one proof for each part.

        None if a part is not proved within the limits, or by another theorem.
        """
        made: list[Certificate] = []
        for _, size, spent in self.parts:
            try:
                decided = certify(ledger, epsilon=size, delta=spent, max_cost=max_cost)
            except CostLimitError:
                return None
            if not decided.holds or decided.proof is None:
                return None
            made.append(decided.proof)
        if len({each.theorem for each in made}) > 1:
            return None
        group = sum(steps for steps, _, _ in self.parts)
        return Certificate(
            Subject.of(ledger),
            "upper",
            epsilon,
            delta,
            "group-path",
            {
                "digits": str(CHECKED_DIGITS),
                "group": str(group),
                "steps": [str(steps) for steps, _, _ in self.parts],
            },
            group,
            made[0],
            tuple(made[1:]),
        )


def path_for(
    ledger: Ledger, group: int, delta: mpq, start: mpq, tolerance: mpq, max_cost: int
) -> GroupPath | None:
    """The path with about the least ε at a δ, by points of the profile; None if there is none.

    Args:
        ledger: the mechanisms.
        group: g >= 2.
        delta: δ > 0 for the group.
        start: an ε that neighbours keep at δ.
        tolerance: of the points of the profile, relative.
        max_cost: as for compose.
    """
    parts = _parts(group)
    best: GroupPath | None = None
    low, high = start / 2, 2 * start + 1
    for _ in range(2):
        known = _points(ledger, low, high, tolerance, max_cost, delta * _SPARE)
        found = _chosen(known, parts, delta)
        if found is None:
            return best
        if best is None or found.epsilon < best.epsilon:
            best = found
        used = [epsilon for _, epsilon, _ in found.parts]
        step = (high - low) / _POINTS
        low, high = max(mpq(0), min(used) - step), max(used) + step
    return best


def path_within(
    ledger: Ledger, group: int, epsilon: mpq, tolerance: mpq, max_cost: int
) -> GroupPath | None:
    """The path with about the least δ within an ε, by points of the profile; None if there is none.

    Args:
        ledger: the mechanisms.
        group: g >= 2.
        epsilon: ε > 0 for the group.
        tolerance: of the points of the profile, relative.
        max_cost: as for compose.
    """
    parts, share = _parts(group), epsilon / group
    known = _points(ledger, share / 4, 2 * share, tolerance, max_cost, mpq(0))
    fitting = _fitting(known, parts, lambda made: made.epsilon <= epsilon, fits_above=True)
    return min(fitting, key=lambda made: made.delta, default=None)


def _parts(group: int) -> list[int]:
    """The numbers of steps of the parts, as equal as possible."""
    count = min(group, _PARTS)
    return [group // count + (place < group % count) for place in range(count)]


def _points(
    ledger: Ledger, low: mpq, high: mpq, tolerance: mpq, max_cost: int, least: mpq
) -> list[tuple[mpq, mpq]]:
    """Short ε between two, each with a δ that neighbours keep, and a little more."""
    places = mpq(10**_SHORT)
    sizes = {
        mpq(int((low + (high - low) * place / _POINTS) * places), 10**_SHORT)
        for place in range(_POINTS + 1)
    }
    try:
        points = profile(ledger, epsilon=sorted(sizes), tolerance=tolerance, max_cost=max_cost)
    except CostLimitError:
        return []
    ends = ((point.epsilon.rational, max(point.upper_end, least)) for point in points)
    known = ((size, round_above(end * _SLACK, _SHORT + 2)) for size, end in ends)
    return [(size, spent) for size, spent in known if spent < 1]


def _chosen(known: Sequence[tuple[mpq, mpq]], parts: Sequence[int], delta: mpq) -> GroupPath | None:
    """The path with the least ε whose δ is within the limit, among those that a t gives."""
    fitting = _fitting(known, parts, lambda made: made.delta <= delta, fits_above=False)
    return min(fitting, key=lambda made: made.epsilon, default=None)


def _fitting(
    known: Sequence[tuple[mpq, mpq]],
    parts: Sequence[int],
    fits: Callable[[GroupPath], bool],
    *,
    fits_above: bool,
) -> Iterator[GroupPath]:
    """The paths that fit, of those that bisecting t passes on the way to the last one that does.

    Args:
        known: points of the profile; of none there is no path.
        parts: the numbers of steps of the parts.
        fits: whether a path keeps the limit.
        fits_above: whether those fit whose t is large enough, rather than small enough.
    """
    sizes = [(double_of(epsilon), double_of(spent)) for epsilon, spent in known]
    low, high = log(_LEAST), 0.0
    for _ in range(_HALVINGS if known else 0):
        middle = (low + high) / 2
        made = _path(known, parts, _walk(sizes, parts, exp(middle)))
        fitting = fits(made)
        if fitting:
            yield made
        low, high = (low, middle) if fitting is fits_above else (middle, high)


def _walk(sizes: Sequence[tuple[float, float]], parts: Sequence[int], power: float) -> list[int]:
    """Which point takes each part, from the far end of the path to its beginning."""
    chosen: list[int] = []
    for steps in reversed(parts):
        least, best = inf, len(sizes) - 1
        for place, (epsilon, spent) in enumerate(sizes):
            if epsilon * steps < 700:
                grown = expm1(epsilon * steps) / expm1(epsilon) if epsilon else float(steps)
                value = spent * grown + exp(epsilon * steps) * power
                if value < least:
                    least, best = value, place
        chosen.append(best)
        power = min(1.0, least)
    return chosen[::-1]


def _path(
    known: Sequence[tuple[mpq, mpq]], parts: Sequence[int], chosen: Sequence[int]
) -> GroupPath:
    """What follows along a path, from above."""
    listed = tuple((steps, *known[place]) for steps, place in zip(parts, chosen, strict=True))
    total = sum((steps * epsilon for steps, epsilon, _ in listed), mpq(0))
    with precision(BITS):
        spent, before = arb(0), mpq(0)
        for steps, epsilon, own in listed:
            size = ExactNumber(epsilon)
            grown = failure_growth(size, steps) if epsilon else arb(steps)
            spent += ball(ExactNumber(before)).exp() * ball_of_rational(own) * grown
            before += steps * epsilon
        return GroupPath(listed, total, upper_end(spent) * (1 + mpq(1, 10**30)))
