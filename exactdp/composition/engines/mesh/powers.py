r"""Powers: many mechanisms at once, on a mesh that grows coarser as fewer squarings are left.

Theory of operation: the counts are written in binary, highest bit first: the whole is squared, and
multiplied by the mechanisms whose count has the bit. After each step but the last it is kept within
a window, chosen so that what its ends lose, times how often it is still counted, stays within what
may be lost. A mesh twice as coarse costs about (2u)² for each time that the whole is still counted.

Sources: certs/SPEC.md, section 11.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from operator import mul

from flint import fmpz
from gmpy2 import mpq

from exactdp.composition.engines.mesh.cells import Cells, LossMesh, Points, Window
from exactdp.composition.engines.refusals import WIDER
from exactdp.errors import CostLimitError

_LONG = 4096
_MOST_TIMES = 16
_SHARE = mpq(3, 50)
MOST_CELLS = 4_000_000
_DEVIATIONS = 8
_FEW_BITS = 6


@dataclass(frozen=True, slots=True)
class Level:
    """The window after a step, and how much coarser the mesh then becomes."""

    window: Window
    times: int

    def parameter(self) -> list[str]:
        """As the format has it."""
        return [str(each) for each in (*self.window, self.times)]


@dataclass(frozen=True, slots=True)
class Plan:
    """Points for each law, and the levels."""

    points: tuple[Points, ...]
    levels: tuple[Level, ...]
    cuts: tuple[tuple[int, ...], ...] = ()
    """Of each maximum of shuffled batches, where it is cut."""

    named: Mapping[str, list[object]] = field(default_factory=dict)
    """What is said of some laws alone, by its key, in their order."""

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        plan: dict[str, object] = {
            "windows": [points.parameter() for points in self.points],
            "levels": [level.parameter() for level in self.levels],
        }
        cuts = [[str(cut) for cut in each] for each in self.cuts]
        plan |= {"cuts": cuts} if cuts else {}
        return {**plan, **self.named}


@dataclass(frozen=True, slots=True)
class Schedule:
    """What may be lost at the ends, as a weight in all, and what fixes the mesh."""

    mesh: LossMesh
    counts: tuple[int, ...]
    lost: fmpz
    dropped: fmpz
    """What may be left out on the way, which from below counts e^ε times."""

    tolerance: mpq

    @property
    def bits(self) -> int:
        """How many bits the greatest count has."""
        return max(self.counts).bit_length()

    def share(self, lost: fmpz, place: int) -> fmpz:
        """What each end may lose after a step that is squared so often."""
        return lost // (2 * self.bits << place)

    def level(self, wholes: Sequence[Cells], place: int, unit: mpq) -> Level:
        """The window and the step to a coarser mesh, for one law or two of the same scores."""
        windows = [whole.window(self.share(self.lost, place)) for whole in wholes]
        first, last = min(w[0] for w in windows), max(w[1] for w in windows)
        last = max(last, first + 1)
        return Level((first, last), self.times(last - first, place, unit))

    def times(self, length: float, place: int, unit: mpq) -> int:
        """How much coarser the mesh becomes after a step that leaves so many cells."""
        times = 1
        while (
            self.bits > _FEW_BITS  # the greatest losses of few stay at points of the mesh
            and times < _MOST_TIMES
            and (2 * times * unit) ** 2 * 2**place <= self.tolerance * _SHARE
            and length > _LONG * times
        ):
            times *= 2
        return times

    def predicted_cells(self, lengths: Sequence[int], variances: Sequence[float]) -> float:
        """About how many cells all products of a side have together.

        Args:
            lengths: of the laws, in cells of the mesh to begin with.
            variances: of their losses, in these units.
        """
        total, coarser = 0.0, 1
        for place in reversed(range(self.bits)):
            counted = [count >> place for count in self.counts]
            likely = max(lengths) + spread_of(sqrt(sum(map(mul, counted, variances))))
            length = min(likely, sum(map(mul, counted, lengths))) / coarser
            used = [each for each, count in zip(lengths, counted, strict=True) if count & 1]
            total += length + _of_a_tree(used, length, coarser)
            coarser *= self.times(length, place, self.mesh.unit * coarser) if place else 1
        return total


def _of_a_tree(lengths: Sequence[int], most: float, coarser: int) -> float:
    """About how many cells the products of factors, the shortest first, have together.

    Each has at most ``most``; lengths are in cells of the mesh before it became coarser.
    """
    whole, number, total = sum(lengths) / coarser, len(lengths), 0.0
    while number >= 1:
        total += min(whole, most * max(1, number // 2))
        number //= 2
    return total


def compose(
    parts: Sequence[Sequence[Cells]], schedule: Schedule, *, above: bool
) -> tuple[tuple[Level, ...], list[Cells], LossMesh]:
    """The whole of each law, with the levels and the last mesh.

    Args:
        parts: for each law, its cells of every mechanism.
        schedule: the counts of these, and what may be lost.
        above: whether the bound is from above.
    """
    mesh = schedule.mesh
    for cells in parts:
        _refuse_long(cells, schedule.counts)
    wholes = [Cells(0, Cells.of([(0, mesh.scale)]).weights) for _ in parts]
    levels: list[Level] = []
    for place in reversed(range(schedule.bits)):
        wholes = [
            _stepped(whole, cells, schedule, place, mesh)
            for whole, cells in zip(wholes, parts, strict=True)
        ]
        if place:
            level = schedule.level(wholes, place, mesh.unit)
            levels.append(level)
            wholes = [whole.within(level.window, cut=above) for whole in wholes]
            if level.times > 1:
                wholes = [whole.coarser(level.times, mesh, above=above) for whole in wholes]
                parts = [
                    [each.coarser(level.times, mesh, above=above) for each in cells]
                    for cells in parts
                ]
                mesh = mesh.coarser(level.times)
    return tuple(levels), wholes, mesh


def _stepped(
    whole: Cells, cells: Sequence[Cells], schedule: Schedule, place: int, mesh: LossMesh
) -> Cells:
    """The square, times the mechanisms whose count has the bit; the shortest first.

    What is dropped on the way the verifier keeps: its weights are at least these.
    """
    counts = schedule.counts
    used = [each for each, count in zip(cells, counts, strict=True) if count >> place & 1]
    heap = sorted([whole, whole, *used], key=lambda each: each.length)
    while len(heap) > 1:
        both = heap[0].times(heap[1], mesh)
        if len(heap) > 2 and both.length > _LONG:
            both = both.without_tails(schedule.share(schedule.dropped, place) // len(heap))
        heap = sorted([*heap[2:], both], key=lambda each: each.length)
    return heap[0]


def spread_of(deviation: float) -> float:
    """Over how many cells a whole spreads, by the deviation of its losses in units."""
    return 2 * _DEVIATIONS * deviation


def _refuse_long(cells: Sequence[Cells], counts: Sequence[int]) -> None:
    """Refuse a whole that spreads over too many cells.

    Raises:
        CostLimitError: it would.
    """
    counted = list(zip(cells, counts, strict=True))
    likely = spread_of(sqrt(sum(count * each.variance() for each, count in counted)))
    spread = min(likely, sum(count * each.length for each, count in counted))
    if spread > MOST_CELLS:
        raise CostLimitError(
            field="ledger",
            value=f"privacy losses on about {spread:.0e} cells",
            expected=f"at most {MOST_CELLS} cells",
            remedy=f"{WIDER}fewer mechanisms would do",
        )
