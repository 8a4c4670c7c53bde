r"""Plans: at which losses pairs of laws are looked at, and what is kept while they are multiplied.

Rules of this file: a plan decides how close a bound is, never whether it holds.

Theory of operation: the counts are written in binary: with L_b the product of the pairs whose count
has the bit b, the whole is (…((L_K)²·L_{K-1})²…)²·L_0. After each step but the last it is kept
within a window, and everything may go on to a coarser mesh.

Sources: certs/SPEC.md, section 11.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias, TypeVar, cast

from ..arithmetic.dots import Losses, Mesh, Points, Window, coarsened, places, rounded, within
from ..arithmetic.products import Weights, product, two_factors
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members
from ..format.strict_json import Json
from .allocated import read_ratios
from .pairs_of_laws import MAX_LOSS, Law
from .points import read_points
from .remainder import read_heights, read_scores
from .responses import Leaf
from .shuffled import read_cuts

_MAX_TIMES: Final = 16
_OF_A_LEVEL: Final = 3

L = TypeVar("L", bound=Law)

Factors: TypeAlias = tuple[Weights, Weights]


@dataclass(frozen=True)
class Level:
    """The window of losses after a step, and how much coarser the mesh then becomes."""

    window: Window
    times: int


@dataclass(frozen=True)
class Plan:
    """Points for each pair of laws, and the levels for the bits of the counts, highest first."""

    windows: tuple[Points, ...]
    levels: tuple[Level, ...]
    told: Mapping[str, Sequence[object]]
    """What is said of single pairs, by its name; of the pairs of that name, in order."""

    def of(self, listed: Sequence[tuple[L, int]]) -> list[tuple[L, int]]:
        """The pairs of laws, each with what is said of it alone."""
        needed = Counter(pair.told_by for pair, _ in listed if pair.told_by)
        for name in sorted({*needed, *self.told}):
            said = len(self.told.get(name, ()))
            if said != needed[name]:
                raise RejectedError(f"{said} lists of {name}, for {needed[name]} pairs of laws")
        following = {name: iter(said) for name, said in self.told.items()}
        return [
            (replace(cast("Any", pair), told=next(following[pair.told_by])), count)
            if pair.told_by
            else (pair, count)
            for pair, count in listed
        ]

    def require(self, parts: Sequence[tuple[Law, int]], unit: Fraction) -> None:
        """Reject a plan for others, or one with losses too large to compute with."""
        if not parts:
            raise RejectedError("no mechanism has laws to compose")
        if len(self.windows) != len(parts):
            raise RejectedError(f"{len(self.windows)} windows, for {len(parts)} pairs of laws")
        bits = max(count for _, count in parts).bit_length()
        if len(self.levels) != bits - 1:
            raise RejectedError(f"{len(self.levels)} levels, for counts of {bits} bits")
        if self.reach(parts, unit) > MAX_LOSS:
            raise RejectedError(f"a privacy loss above {MAX_LOSS}")

    def reach(self, parts: Sequence[tuple[Law, int]], unit: Fraction) -> int:
        """The greatest loss of a window, rounded up; that of gathered responses costs no bits."""
        known = zip(parts, self.windows, strict=True)
        windows = (points.window for (pair, _), points in known if not isinstance(pair, Leaf))
        return int(max((abs(j) for window in windows for j in window), default=0) * unit) + 1

    def composed(
        self, weights: Sequence[Losses], counts: Sequence[int], mesh: Mesh, *, above: bool
    ) -> tuple[int, Factors, Mesh]:
        """The whole as two factors of places from the highest loss down, and that loss."""
        parts, whole = list(weights), {0: mesh.scale}
        for place in range(len(self.levels), 0, -1):
            highest, factors = _factors(whole, parts, counts, place)
            first, values = product(factors, mesh.digits)
            level = self.levels[-place]
            found = {highest - at: weight for at, weight in enumerate(values, first)}
            whole = within(found, level.window, cut=above)
            if level.times > 1:
                moved = [
                    coarsened(each, level.times, mesh) if above else rounded(each, level.times)
                    for each in (whole, *parts)
                ]
                whole, parts = moved[0], moved[1:]
                mesh = mesh.coarser(level.times)
        highest, factors = _factors(whole, parts, counts, 0)
        return highest, two_factors(factors, 0, (), mesh.digits), mesh


def _factors(
    whole: Losses, parts: Sequence[Losses], counts: Sequence[int], place: int
) -> tuple[int, list[dict[int, int]]]:
    """The whole twice, and the parts whose count has the bit; with the highest loss of all."""
    used = [whole, *(each for each, n in zip(parts, counts, strict=True) if n >> place & 1)]
    if not all(used):
        raise RejectedError("no weight is left at these digits, or in a window")
    tops = [max(each) for each in used]
    root, *others = (dict(places(each, top)) for each, top in zip(used, tops, strict=True))
    return tops[0] + sum(tops), [root, root, *others]


# --- reading ------------------------------------------------------------------------------------


def read_plan(value: Json) -> Plan:
    """Windows and levels; and what is said of some pairs alone, if there is anything."""
    parts = members(value, ("levels", "windows"), "plan", _TOLD)
    windows = array(parts["windows"], "windows")
    levels = array(parts["levels"], "levels")
    told = {name: array(parts[name], name) for name in _TOLD if name in parts}
    if not all(told.values()):
        raise MalformedError("what a plan says of some pairs is an empty list")
    return Plan(
        tuple(read_points(array(each, "window")) for each in windows),
        tuple(_read_level(array(each, "level")) for each in levels),
        {name: [_TOLD[name](each) for each in listed] for name, listed in told.items()},
    )


def _read_level(value: list[Json]) -> Level:
    if len(value) != _OF_A_LEVEL:
        raise MalformedError(f"a level does not have {_OF_A_LEVEL} numbers")
    return Level(read_points(value[:2]).window, integer(value[2], 1, _MAX_TIMES, "times"))


def read_plans(value: Json) -> tuple[Plan, ...]:
    """Any number of plans."""
    return tuple(read_plan(each) for each in array(value, "plans"))


_TOLD: Final[Mapping[str, Callable[[Json], object]]] = {
    "cuts": read_cuts,
    "heights": read_heights,
    "ratios": read_ratios,
    "scores": read_scores,
}
"""What is said of one pair, by its name."""
