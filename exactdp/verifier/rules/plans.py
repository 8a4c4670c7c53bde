r"""Plans: at which losses pairs of laws are looked at, and what is kept while they are multiplied.

Rules of this file: a plan decides how close a bound is, never whether it holds.

Theory of operation: the counts are written in binary: with L_b the product of the pairs whose count
has the bit b, the whole is (…((L_K)²·L_{K-1})²…)²·L_0. After each step but the last it is kept
within a window, and everything may go on to a coarser mesh.

Sources: certs/SPEC.md, section 11.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias, TypeVar

from ..arithmetic.dots import Losses, Mesh, Points, Window, coarsened, places, rounded, within
from ..arithmetic.products import Weights, product, two_factors
from ..format.numbers import size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members, rational
from ..format.strict_json import Json
from .allocated import Allocated, Ratios
from .pairs_of_laws import MAX_LOSS, Law, told
from .remainder import Epoch, Height, Scored, Scores, read_heights, read_scores
from .responses import Leaf
from .shuffled import Maximum

MAX_UNIT_BITS: Final = 256
_MAX_INDEX: Final = 10**9
_MAX_CUT: Final = 10**12
_MAX_TIMES: Final = 16
_OF_A_WINDOW: Final = 2
_OF_A_LEVEL: Final = 3
_OF_A_SECTION: Final = 3
_OF_SECTIONS: Final = range(3, 130, 2)

_RATIOS: Final = ("lists of ratios", "allocations")
_HEIGHTS: Final = ("lists of heights", "shuffled epochs with a remainder")
_SCORES: Final = ("lists of scores", "shuffled epochs with a remainder")

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
    cuts: tuple[tuple[int, ...], ...]
    """Of each maximum of shuffled batches, in order."""

    ratios: tuple[Ratios, ...] = ()
    """Of each list of allocated batches, in order."""

    heights: tuple[tuple[Height, ...], ...] = ()
    """Of each list of shuffled batches with a remainder, in order, from above."""

    scores: tuple[Scores, ...] = ()
    """Of each such list, in order, from below."""

    def of(self, listed: Sequence[tuple[L, int]]) -> list[tuple[L, int]]:
        """The pairs of laws, each with what is said of it alone."""
        listed = told(listed, Allocated, ("ratios", self.ratios), _RATIOS)
        listed = told(listed, Epoch, ("heights", self.heights), _HEIGHTS)
        return told(listed, Scored, ("scores_told", self.scores), _SCORES)

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
        for (pair, _), points in zip(parts, self.windows, strict=True):
            if isinstance(pair, Maximum) and len(pair.cuts) != points.count - 1:
                raise RejectedError(f"{len(pair.cuts)} cuts, for {points.count} points")

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


def read_mesh_unit(value: Json) -> Fraction:
    """A rational from 10^-12 to 1000."""
    unit = rational(value, "unit")
    if not Fraction(1, 10**12) <= unit <= MAX_LOSS or size(unit) > MAX_UNIT_BITS:
        raise MalformedError("unit is not a short rational from 1e-12 to 1000")
    return unit


def read_plan(value: Json) -> Plan:
    """Windows and levels; and what is said of some laws alone, if there is anything."""
    further = ("cuts", "heights", "ratios", "scores")
    parts = members(value, ("levels", "windows"), "plan", further)
    windows = array(parts["windows"], "windows")
    levels = array(parts["levels"], "levels")
    return Plan(
        tuple(_read_points(array(each, "window")) for each in windows),
        tuple(_read_level(array(each, "level")) for each in levels),
        _read_cuts(array(parts["cuts"], "cuts")) if "cuts" in parts else (),
        _read_ratios(array(parts["ratios"], "ratios")) if "ratios" in parts else (),
        read_heights(parts["heights"], _read_points) if "heights" in parts else (),
        read_scores(parts["scores"], _read_points) if "scores" in parts else (),
    )


def _read_ratios(value: list[Json]) -> tuple[Ratios, ...]:
    """At least one mesh of ratios, each with its points from 0 on."""
    found = []
    for each in value:
        parts = members(each, ("points", "sums", "unit"), "ratios")
        points, sums = (_read_points(array(parts[key], key)) for key in ("points", "sums"))
        if points.first or sums.first:
            raise MalformedError("ratios, or their sums, do not begin at 0")
        found.append(Ratios(read_mesh_unit(parts["unit"]), points, sums))
    if not found:
        raise MalformedError("ratios are an empty list")
    return tuple(found)


def _read_cuts(value: list[Json]) -> tuple[tuple[int, ...], ...]:
    """At least one list of thresholds that do not fall."""
    lists = tuple(
        tuple(integer(each, -_MAX_CUT, _MAX_CUT, "cut") for each in array(cuts, "cuts"))
        for cuts in value
    )
    if not lists or any(after < before for cuts in lists for before, after in pairwise(cuts)):
        raise MalformedError("cuts are not lists of integers that do not fall")
    return lists


def _read_level(value: list[Json]) -> Level:
    if len(value) != _OF_A_LEVEL:
        raise MalformedError(f"a level does not have {_OF_A_LEVEL} numbers")
    return Level(_read_points(value[:2]).window, integer(value[2], 1, _MAX_TIMES, "times"))


def _read_points(value: list[Json]) -> Points:
    """The first and the last, with steps of 1; or the first, and for each section its step and end.

    One section with steps of 1 has the shorter form.
    """
    if len(value) == _OF_A_WINDOW:
        value = [value[0], "1", value[1]]
    elif len(value) not in _OF_SECTIONS or (len(value) == _OF_A_SECTION and value[1] == "1"):
        raise MalformedError("a window does not have 2, or 3, 5, …, 129 numbers")
    end = first = _read_loss(value[0])
    sections = []
    for step_text, end_text in zip(value[1::2], value[2::2], strict=True):
        step, before = integer(step_text, 1, _MAX_INDEX, "step"), end
        end = _read_loss(end_text)
        if before >= end:
            raise MalformedError("a window's first loss is not below its last")
        if (end - before) % step:
            raise MalformedError("a section of a window is not a multiple of its step")
        sections.append((step, end))
    return Points(first, tuple(sections))


def _read_loss(value: Json) -> int:
    return integer(value, -_MAX_INDEX, _MAX_INDEX, "loss")


def read_plans(value: Json) -> tuple[Plan, ...]:
    """Any number of plans."""
    return tuple(read_plan(each) for each in array(value, "plans"))
