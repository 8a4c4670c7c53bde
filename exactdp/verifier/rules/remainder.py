r"""Shuffled batches with a remainder: each epoch leaves the last records of its order out.

Rules of this file: as in ``pairs_of_laws``; P is the law with the record as it is, Q that with the
record zeroed out, or replaced. Where sums are looked at comes from the certificate, and decides
only how close a bound is.

Theory of operation: with n records, T batches of b and r = n - Tb left out, put the record among
those that are left out and the others in any order: R, which is revealed. Exchange it with a slot
drawn from all n: with probability r/n nothing is released differently, else one batch gets the
record and loses another, *which goes where nothing is released*. With P_t and Q_t the law of all
answers where batch t has the record, or its neighbour, an epoch is

    P = (r/n)R + (b/n)ΣP_t,   Q = (r/n)R + (b/n)ΣQ_t,

so that h(y) of the reverse is E_R((r/n)(y - 1) + (b/n)ΣU_t)₊ with U_t = y·dQ_t/dR - dP_t/dR. Given
all answers before, U_t has a call function of at most C, its mean is y - 1; so the U_t may be
replaced, the last first, by independent ones that have C (convex order). What C is, and that no
law of three has more, is in ``three_laws``. Then h(y) = 1 - y + E(…)₊ for the record itself.

From below, all other records pull the other way: the answers of an epoch are cut into cells with
scores, whose sum is an output that this data set has.

Sources: certs/SPEC.md, sections 7.4, 7.5, 11.5 and 11.6; the proof is ours (docs/proofs.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final

from ..arithmetic.dots import Losses, Mesh, Points, hull, within
from ..arithmetic.enclosures import bits_for, ceil_div, enclose_exact
from ..arithmetic.normal import gaussian_profile
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, of_product, pay, remembered
from ..format.numbers import parse_canonical, size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members, one_of, string
from ..format.strict_json import Json
from .allocated import Cells
from .pairs_of_laws import Dominating, Pair, exp_of, log_of
from .points import read_points
from .sums_of_laws import gathered, power, spread, times
from .tables import Atom
from .three_laws import Batches, lacking

MAX_BATCHES: Final = 10**9
MAX_EPOCHS: Final = 10**9
MAX_RECORDS: Final = 10**12
REPLACED: Final = "replace-one"
RELATIONS: Final = ("zero-out", REPLACED)
_PRESENT: Final = 2
_ZEROED: Final = {"zero-out": 1, REPLACED: 0}
"""Where a batch lies with the neighbour of the record, by what others are off."""
_ORDERS: Final = ("fresh",)
_GUARD: Final = 40
_FINER: Final = 15
_MAX_BITS: Final = 2048
_MAX_PLACE: Final = 10**9
_A_CUT: Final = 1000


@dataclass(frozen=True)
class Remainder(Batches):
    """Shuffled batches of which each epoch leaves some records out."""

    batches: int
    share: Fraction
    """How likely a record is in a given batch."""

    epochs: int

    def dominating(self, relation: str) -> list[tuple[Dominating, int]]:
        """What no epoch exceeds."""
        epoch = Epoch(1 / self.variance, self.batches, self.share, relation == REPLACED)
        return [(epoch, self.count * self.epochs)]

    def attained(self, relation: str, _tilt: Fraction) -> list[tuple[Pair, int]]:
        """What an epoch has where all other records pull the other way."""
        zeroed = _ZEROED[relation]
        epoch = Scored(1 / self.variance, self.batches, self.share, zeroed)
        return [(epoch, self.count * self.epochs)]


# --- from above ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Height:
    """Where the height of the curve at one loss is looked at: what batches lack, and its sums."""

    unit: Fraction
    offset: Fraction
    """What batches lack, and the offset that is subtracted from each, is in multiples of a unit."""

    points: Points
    """Of what one batch lacks."""

    first: int
    """The least sum: what is less is raised to it."""


@dataclass(frozen=True)
class Epoch(Dominating):
    """The epochs of shuffled batches with a remainder, by μ²."""

    square: Fraction
    batches: int
    share: Fraction
    far: bool
    """Whether a record is replaced."""

    told: tuple[Height, ...] = ()
    """Its heights, for each point of its window."""

    told_by: ClassVar[str] = "heights"

    def dots(self, points: Points, mesh: Mesh, *, back: bool) -> Losses:
        """The lower hull of the heights."""
        if len(self.told) != points.count:
            raise RejectedError(f"{len(self.told)} heights, for {points.count} points")
        alone, values = replace(self, told=()), []
        for j, height in zip(points.listed(), self.told, strict=True):
            loss = -j * mesh.unit if back else j * mesh.unit
            digits = mesh.digits + _FINER + int(max(loss, Fraction(0)) * 10 // 23)
            known = min(
                curve_at(alone, loss, height, digits, mesh.bits),
                gaussian_profile(enclose_exact(loss, mesh.bits), self._known_batch, mesh.bits)[1],
            )
            values.append(self._turned(loss, known, mesh.bits) if back else known)
        return hull([min(1 << mesh.bits, max(0, each)) for each in values], points, mesh)

    @property
    def _known_batch(self) -> Fraction:
        """μ² for someone who knows the batch of the record."""
        return 4 * self.square if self.far else self.square

    def _turned(self, loss: Fraction, height: int, bits: int) -> int:
        """From above: 1 - y + y·h(1/y) for h of e^loss, y its inverse."""
        one, (low, high) = 1 << bits, exp_of(-loss, bits)
        pay(of_product(high.bit_length() + bits))
        return one - low + ceil_div(high * height, one) if height > 0 else one - low


@remembered(1024)
def curve_at(epoch: Epoch, loss: Fraction, height: Height, digits: int, bits: int) -> int:
    """H(y) at y = e^loss, from above: 1 - y + E((r/n)(y - 1) + (b/n)ΣU)₊.

    What is lost of the sums counts at the greatest of them.
    """
    batches, share = epoch.batches, epoch.share
    unit, listed = height.unit, height.points.listed()
    work = max(bits, bits_for(digits)) + size(unit) + _GUARD
    pay(len(listed) * (4000 + 4 * of_division(4 * work)))
    values = [
        lacking(loss, height.offset + k * unit, epoch.square, work, far=epoch.far) for k in listed
    ]
    window = height.first, max(listed[-1] * batches, height.first + 1)
    one = spread(values, listed, unit, digits, work)
    sums = power(one, batches, digits, lambda each: within(each, window, cut=True))
    odds, scale = Fraction(exp_of(loss, work)[1], 1 << work), 10**digits
    rest = 1 - batches * share
    lowest = rest * (odds - 1) + share * batches * height.offset
    step = share * unit
    pay(len(sums) * (200 + of_product(4 * digits)) + 20 * of_division(4 * work + size(share)))
    least = -lowest // step  # what is above it counts
    above = [(k, weight) for k, weight in sums.items() if k > least]
    kept = lowest * sum(weight for _, weight in above) + step * sum(k * w for k, w in above)
    most = max(Fraction(0), lowest + step * batches * listed[-1])
    lost = most * (scale - sum(sums.values()))
    beyond = share * batches * values[-1][1]
    found = (kept + lost) / scale * (1 << work) + beyond
    total = (1 << work) - exp_of(loss, work)[0] + ceil_div(found.numerator, found.denominator)
    return ceil_div(total, 1 << work - bits)


# --- from below ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scores:
    """How the answer of a batch is cut into cells, what each scores, and where sums are looked at.

    Cuts are in units of 10^-3 of the variance, in order; there is one more score than cuts.
    """

    cuts: tuple[int, ...]
    scores: tuple[int, ...]
    sums: Points


_UNTOLD: Final = Scores((), (0,), Points(0, ((1, 1),)))
"""Until a plan says where."""


@dataclass(frozen=True)
class Scored(Pair):
    """The sum of the scores of an epoch, by μ²: all other records -1, the one in question 1."""

    square: Fraction
    batches: int
    share: Fraction
    zeroed: int
    told: Scores = _UNTOLD
    told_by: ClassVar[str] = "scores"

    def is_unbounded(self, *, back: bool) -> bool:
        """The greater the answers, the likelier is the record."""
        return not back

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The cells of all total scores, by the logarithms of their ratios."""
        told, digits = self.told, mesh.digits + _FINER
        window = told.sums.window
        without, own, other = (self._cells(mean, digits) for mean in (0, _PRESENT, self.zeroed))
        whole = {0: 10**digits}
        if self.batches > 1:
            whole = power(without, self.batches - 1, digits, lambda each: _between(each, window))
        laws = []
        for each in (own, other):
            mixed = self._mixed(without, each)
            total = _between(times(whole, mixed, digits), window)
            laws.append(gathered(total, told.sums.listed(), spread=False))
        atoms = _atoms(laws[0], laws[1], digits, mesh.bits)
        return Cells(tuple(atoms)).scores(points, mesh, back=back)

    def _mixed(self, without: Losses, own: Losses) -> Losses:
        """A batch that has the record with the probability that some batch has it."""
        pay((len(without) + len(own)) * (1000 + of_division(2 * size(self.share))))
        rate = self.batches * self.share
        found: Losses = {}
        for weights, part in ((without, 1 - rate), (own, rate)):
            for j, weight in weights.items():
                found[j] = found.get(j, 0) + weight * part.numerator // part.denominator
        return found

    def _cells(self, mean: int, digits: int) -> Losses:
        """The scores of a batch around so many times what a record moves it, from below."""
        told, bits = self.told, bits_for(digits) + _GUARD
        pay(len(told.scores) * (4000 + 4 * of_division(4 * bits)))
        one = 1 << bits
        inner = [
            upper_tail(Fraction(cut, _A_CUT) - mean * self.square, self.square, bits)
            for cut in told.cuts
        ]
        found: Losses = {}
        tails = [(one, one), *inner, (0, 0)]
        for score, ((low, _), (_, high)) in zip(told.scores, pairwise(tails), strict=True):
            weight = max(0, low - high) * 10**digits >> bits
            found[score] = found.get(score, 0) + weight
        return {j: weight for j, weight in found.items() if weight}


def _between(weights: Losses, window: tuple[int, int]) -> Losses:
    """Sums beyond a window at its ends."""
    return within(weights, window, cut=False)


def _atoms(p: Losses, q: Losses, digits: int, bits: int) -> list[Atom]:
    """The sums as outputs, each with its loss where it has both laws."""
    scale = 10**digits
    pay((len(p) + len(q)) * (4000 + 4 * of_division(4 * bits)))
    return [
        Atom(
            (p.get(j, 0) << bits) // scale,
            (q.get(j, 0) << bits) // scale,
            log_of(Fraction(p[j], q[j]), bits) if j in p and j in q else None,
        )
        for j in sorted({*p, *q})
    ]


# --- reading ------------------------------------------------------------------------------------


def has_remainder(plan: Json) -> bool:
    """Whether an entry of shuffled batches says of how many records they are."""
    return isinstance(plan, dict) and "records" in plan


def read_remainder(value: Json, sigma: Fraction, count: int, text: bytes) -> Remainder:
    """The epochs of an entry, whose sigma, count and bytes are known."""
    keys = ("batch", "batches", "epochs", "order", "records")
    plan = members(value, keys, "shuffled")
    batches = integer(plan["batches"], 1, MAX_BATCHES, "batches")
    epochs = integer(plan["epochs"], 1, MAX_EPOCHS, "epochs")
    records = integer(plan["records"], 2, MAX_RECORDS, "records")
    batch = integer(plan["batch"], 1, MAX_RECORDS, "batch")
    one_of(plan["order"], _ORDERS, "order")
    if batches * batch >= records:
        raise MalformedError("no record is left out of the batches of an epoch")
    return Remainder(sigma**2, count, text, batches, Fraction(batch, records), epochs)


def read_heights(value: Json) -> tuple[Height, ...]:
    """Of shuffled batches with a remainder, one for each point of their window."""
    return tuple(_read_height(one) for one in array(value, "heights"))


def _read_height(value: Json) -> Height:
    parts = members(value, ("first", "offset", "points", "unit"), "height")
    unit, offset = (_read_short(parts[key], key) for key in ("unit", "offset"))
    points = read_points(array(parts["points"], "points"))
    first = integer(parts["first"], -_MAX_PLACE, 0, "first")
    if unit <= 0 or points.last < 0:
        raise MalformedError("a height has a unit of 0, or no point from 0 on")
    return Height(unit, offset, points, first)


def _read_short(value: Json, what: str) -> Fraction:
    number = parse_canonical(string(value, what))
    if number.logs or size(number.rational) > _MAX_BITS:
        raise MalformedError(f"{what} is not a short rational")
    return number.rational


def read_scores(value: Json) -> Scores:
    """Of shuffled batches with a remainder."""
    parts = members(value, ("cuts", "scores", "sums"), "scores")
    cuts, scores = (
        tuple(integer(each, -_MAX_PLACE, _MAX_PLACE, key) for each in array(parts[key], key))
        for key in ("cuts", "scores")
    )
    if len(scores) != len(cuts) + 1 or any(after < here for here, after in pairwise(cuts)):
        raise MalformedError("scores are not one more than cuts that do not fall")
    return Scores(cuts, scores, read_points(array(parts["sums"], "sums")))
