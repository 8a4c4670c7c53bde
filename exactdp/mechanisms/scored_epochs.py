r"""An epoch of shuffled batches with a remainder, from below: the sum of scores of its answers.

Rules of this file: how answers are cut, and what cells score, decides how near a bound comes, never
whether it holds: floats will do for that. Weights are integers times 10^digits, from below.

Theory of operation: let all other records be -1 and the one in question 1, or instead of it 0 (or
-1). In units of what that moves, an epoch has T sums around 0, or with the probability Tb/n one of
them around 2 (or 1, or 0). For a small ε the best test adds up the differences of the densities of
these over that around 0. Answers are cut into cells near that, and sums into points.

Sources: certs/SPEC.md, sections 7.4 and 11.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, log, sqrt
from typing import Final

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision
from exactdp.arithmetic.threshold import halved
from exactdp.mechanisms.pairs import Atom, Direction, OutputTable, SameSupport
from exactdp.mechanisms.shuffled_epochs import share_of_variance
from exactdp.mechanisms.sums_of_batches import (
    Sections,
    SumWeights,
    doubling,
    points_from_zero,
    weight_of,
)

_FINER: Final = 15
_GUARD: Final = 160
_FAR_LOSS: Final = 300.0
_HALVINGS: Final = 60
_DEVIATIONS: Final = 8
_NEAR_SCORES: Final = 64
_FAR_SCORE: Final = 4.5
_A_CUT: Final = 1000
_MOST_SCORE: Final = 40_000
_ROUGHLY: Final = 1 << 13
_TAIL: Final = 4.0
_MOST_LOSS: Final = 7.0
_ONCE: Final = 1.0
_FINE: Final = 2.0
_MOST_CELLS: Final = 400
_MOST_GROWN: Final = 20_000
_NEAR_SUMS: Final = 256
_PRESENT: Final = 2


@dataclass(frozen=True, slots=True)
class Scores:
    """Where a batch is cut, in thousandths of the variance, what its cells score, and their sums.

    Sums are looked at from ``first`` on.
    """

    cuts: tuple[int, ...]
    scores: tuple[int, ...]
    first: int
    sums: Sections

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        sections = [(1, 0), *self.sums]
        return {
            "cuts": [str(each) for each in self.cuts],
            "scores": [str(each) for each in self.scores],
            "sums": [str(self.first), *(str(each) for section in sections for each in section)],
        }

    def places(self) -> list[int]:
        """The sums that are looked at, in order."""
        return [*range(self.first, 0), *points_from_zero(self.sums)]

    @staticmethod
    def of(epoch: ScoredEpoch, near: float) -> Scores:
        """Scores near the difference of the densities, over that of a batch without the record."""
        square, share = double_of(epoch.square), double_of(epoch.share)
        most = log(share) + 2 * square + 2 * _TAIL * sqrt(square)  # about the greatest loss
        if most > _MOST_LOSS:
            return _logarithmic(epoch, near)
        far = (exp(max(_FAR_SCORE, most)) - 1) / share
        spread = min(exp(min(4 * square, _FAR_LOSS)), far**2 / epoch.batches)
        core = sqrt(spread)
        step = max(sqrt(12 * near) * core, far / _MOST_SCORE)
        points = points_from_zero(doubling(float(_NEAR_SCORES), far / step))
        negative = [-each for each in reversed(points[1:])]
        middle = epoch.zeroed * (1.5 * square - log(2))
        cells = _falling(epoch, step, negative, middle) + _rising(
            epoch, step, [*negative, *points], middle
        )
        cuts, scores = [], [cells[0][1]]
        for at, score in cells[1:]:
            if score != scores[-1]:
                cuts.append(round(at * _A_CUT))
                scores.append(score)
        width = ceil(_DEVIATIONS * core * sqrt(epoch.batches) / step)
        return Scores(tuple(cuts), tuple(scores), -width, doubling(float(width), 1.1 * far / step))


def _logarithmic(epoch: ScoredEpoch, near: float) -> Scores:
    """Scores that grow as a power of the ratio, from where noise reaches about once an epoch.

    With little noise one batch says nearly all; scores that grow keep one of them above several.
    """
    square = double_of(epoch.square)
    rarely = _ONCE / epoch.batches
    root = sqrt(square)

    def is_rare(at: float) -> bool:
        return erfc(at / root / sqrt(2)) / 2 <= rarely

    first = halved(is_rare, 0.0, 2 * square + _DEVIATIONS * root, _HALVINGS)[1]
    step = max(sqrt(near) / _FINE, root / _MOST_CELLS)
    many = ceil((2 * square + _DEVIATIONS * root - first) / step) + 1
    growth = min(2.0, log(_MOST_GROWN) / (many * step))
    cuts, scores = [], [0]
    for k in range(many):
        score = round(exp(growth * (k + 1) * step))
        if score > scores[-1]:
            cuts.append(round((first + k * step) * _A_CUT))
            scores.append(score)
    sums = doubling(float(_NEAR_SUMS), 2.0 * scores[-1])
    return Scores(tuple(cuts), tuple(scores), -1, sums)


def _score(epoch: ScoredEpoch, at: float) -> float:
    """About the difference of the densities at an output, in units of the variance."""
    square = double_of(epoch.square)
    other = exp(at - square / 2) if epoch.zeroed else 1.0
    return exp(min(2 * at - 2 * square, _FAR_LOSS)) - other


def _falling(
    epoch: ScoredEpoch, step: float, points: Sequence[int], middle: float
) -> list[tuple[float, int]]:
    """Cells below the least score, each with where it begins."""
    if not epoch.zeroed:
        return []
    found = [(-_FAR_LOSS, 0)]
    for before, score in pairwise([0, *reversed(points)]):
        half = (before + score) / 2 * step
        if _score(epoch, middle) > half:
            break
        at = _where(epoch, half, -_FAR_LOSS, middle, falls=True)
        found.append((at, score))
    return found


def _where(
    epoch: ScoredEpoch, half: float, low: float, high: float, *, falls: bool = False
) -> float:
    """About where the score passes a value."""

    def is_beyond(at: float) -> bool:
        return _score(epoch, at) <= half if falls else _score(epoch, at) >= half

    return halved(is_beyond, low, high, _HALVINGS)[1]


def _rising(
    epoch: ScoredEpoch, step: float, points: Sequence[int], middle: float
) -> list[tuple[float, int]]:
    """Cells above it."""
    least = middle if epoch.zeroed else -_FAR_LOSS
    lowest = _score(epoch, least)
    kept = [each for each in points if each * step >= lowest] or [0]
    found = [(least, kept[0])]
    for here, after in pairwise(kept):
        half = (here + after) / 2 * step
        at = _where(epoch, half, least, _FAR_LOSS)
        found.append((at, after))
    return found


@dataclass(frozen=True, slots=True)
class ScoredEpoch(SameSupport, OutputTable):
    """The sum of the scores of an epoch, by μ²: all other records -1, the one in question 1."""

    square: mpq
    batches: int
    share: mpq
    zeroed: int
    """Where a batch lies with the neighbour of the record, by what others are off."""

    looked_at: Scores | None = None

    def on_mesh(self, unit: mpq, lost: mpq) -> ScoredEpoch:
        del lost
        return replace(self, looked_at=Scores.of(self, share_of_variance(unit)))

    def plan_parameter(
        self, losses: Sequence[mpq], direction: Direction
    ) -> tuple[str, object] | None:
        del losses, direction
        return None if self.looked_at is None else ("scores", self.looked_at.parameter())

    def size(self, _digits: int) -> int:
        """The points of sums."""
        return _ROUGHLY

    def atoms(self, digits: int) -> Iterator[Atom]:
        """Each sum, with the logarithm of its ratio where that is more than a rounding."""
        yield from _scored(self if self.looked_at else self.on_mesh(mpq(1, 10), mpq(1)), digits)

    def greatest_loss(self, direction: Direction) -> None:
        """There is none."""
        del direction


@lru_cache(maxsize=8)
def _scored(epoch: ScoredEpoch, digits: int) -> tuple[Atom, ...]:
    """The outputs at so many digits."""
    known, fine = epoch.looked_at, digits + _FINER
    assert known is not None
    scale, places = fmpz(10) ** fine, known.places()
    window = places[0], places[-1]
    with precision(fine * 10 // 3 + _GUARD):
        without, own, other = (
            _cells(epoch.square, known, mean, scale) for mean in (0, _PRESENT, epoch.zeroed)
        )
        whole = SumWeights(0, fmpz_poly([scale]))
        if epoch.batches > 1:
            whole = without.power(epoch.batches - 1, fine, window)
        p, q = (
            whole.times(_mixed(epoch, without, each), fine).within(window).gathered(places)
            for each in (own, other)
        )
        found = []
        for j in sorted({*p, *q}):
            above, below = arb(p.get(j, fmpz(0))), arb(q.get(j, fmpz(0)))
            loss = (above / below).log() if above > 0 and below > 0 else None
            found.append(Atom(above / scale, below / scale, loss))
        return tuple(found)


def _mixed(epoch: ScoredEpoch, without: SumWeights, own: SumWeights) -> SumWeights:
    """A batch that has the record with the probability that some batch has it."""
    rate = epoch.batches * epoch.share
    found: dict[int, fmpz] = {}
    for law, part in ((without, 1 - rate), (own, rate)):
        above, below = int(part.numerator), int(part.denominator)
        for j, weight in law.listed():
            found[j] = found.get(j, fmpz(0)) + weight * above // below
    return SumWeights.of(found)


def _cells(square: mpq, known: Scores, mean: int, scale: fmpz) -> SumWeights:
    """The scores of a batch around so many times what a record moves it."""
    s = ball_of_rational(square)
    root = (2 * s).sqrt()
    inner = (
        ((ball_of_rational(mpq(cut, _A_CUT)) - mean * s) / root).erfc() / 2 for cut in known.cuts
    )
    found: dict[int, fmpz] = {}
    tails = [arb(1), *inner, arb(0)]
    for score, (low, high) in zip(known.scores, pairwise(tails), strict=True):
        found[score] = found.get(score, fmpz(0)) + weight_of((low - high) * scale)
    return SumWeights.of(found)
