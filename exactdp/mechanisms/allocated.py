r"""Gaussian noise on the sums of batches, of which each record is in one, drawn for it by itself.

Rules of this file: where ratios are looked at decides how near a bound comes, never whether it
holds: floats will do for that. Weights are integers times 10^digits, from below.

Theory of operation: with T batches, W = dP₀/dQ₀ of one of them and Q all of them without the
record, P/Q is the mean of T independent W, and E(W - w)₊ is the profile of one batch at w. From
above, the law of W is spread over a mesh by the second differences of that profile, which raises no
curve of its sums but upwards; from below, the answers of a batch are cut into cells with the points
of the mesh as scores, whose sum is an answer that some data set has. Steps of the mesh grow with W,
as it is the logarithm of a great sum that matters.

Sources: certs/SPEC.md, section 7.4; Feldman & Shenfeld, "Privacy amplification by random
allocation", arXiv:2502.08202.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, sqrt
from typing import ClassVar, Final

from flint import arb, fmpz, fmpz_poly
from gmpy2 import mpq

from exactdp.arithmetic.enclosures import ball_of_rational, double_of, precision
from exactdp.arithmetic.numbers import Number
from exactdp.arithmetic.threshold import halved
from exactdp.errors import DomainError
from exactdp.mechanisms.batches import MOST_BATCHES, GaussianOnBatches, norm_of_one
from exactdp.mechanisms.checks import positive, whole
from exactdp.mechanisms.family import THERE_OR_NOT, Family, set_field
from exactdp.mechanisms.gaussian import GaussianMechanism, GaussianPair
from exactdp.mechanisms.keys import JsonEntry, Key, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import Atom, CountedPair, Direction, OutputTable, SameSupport
from exactdp.mechanisms.sums_of_batches import Sections, doubling, points_from_zero
from exactdp.timing.deadlines import ask

_LEAST_BATCHES: Final = 2
_FINER: Final = 15
_DIGITS_AT_ONCE: Final = 10  # what is planned and what is proved mostly take the same sums
_GUARD: Final = 160
_MOST_SUMS: Final = 1 << 16
_FEW: Final = 8
_LEAST_SHARE: Final = 1e-300
_CELL_COST: Final = 200
_FAR_LOSS: Final = 600.0
_ROUGHLY: Final = 1 << 13
_FARTHEST: Final = 1e5
_HALVINGS: Final = 60
_SPREAD: Final = 30
_ROUGH: Final = mpq(1, 100), mpq(1, 10**12)


def _several(batches: int) -> int:
    """At least two."""
    if batches < _LEAST_BATCHES:
        raise DomainError(
            field="batches",
            value=str(batches),
            expected="at least 2",
            remedy="one batch of all records is Gaussian noise: write mu, 1/sigma, with the "
            "epochs as count",
        )
    return batches


@dataclass(frozen=True, slots=True, init=False)
class AllocatedGaussianMechanism(GaussianOnBatches):
    r"""Gaussian noise on the sum of every batch, where each record is in one batch of an epoch.

    It is in each of them as likely, whatever batches others are in; records have norm at most 1.
    """

    sigma: mpq
    batches: int
    epochs: int
    count: int
    label: str

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("allocated", "", {"batches": None, "epochs": "1"}, joins=("sigma",), in_cells=False),
    )

    def __init__(
        self, sigma: Number, batches: int, epochs: int = 1, count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters."""
        set_field(self, "sigma", positive(sigma, "sigma"))
        set_field(self, "batches", _several(whole(batches, "batches", MOST_BATCHES)))
        set_field(self, "epochs", whole(epochs, "epochs", MOST_BATCHES))
        self._counted(count, label)

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> AllocatedGaussianMechanism:
        """Records have norm at most 1: a sensitivity is none that could be stated."""
        norm_of_one(entry, text_of)
        batches, epochs = cls.KEYS[0].read(entry, text_of)
        plan = whole_of(batches, "batches"), whole_of(epochs, "epochs")
        return cls(text_of(entry["sigma"]), *plan, *counted(entry))

    @property
    def neighbours(self) -> tuple[str, ...]:
        return THERE_OR_NOT

    def with_known_batch(self, _relation: str) -> Family:
        """To someone who knows the batch of the record, a release an epoch."""
        return GaussianMechanism(1 / self.sigma, self.count * self.epochs, self.label)

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """The mean of the ratios, each of them spread over a mesh."""
        yield AllocatedTable(1 / self.sigma**2, self.batches, is_above=True), self.epochs

    def attained(self, _relation: str, _tilt: mpq) -> Iterator[CountedPair]:
        """The sum of scores."""
        yield AllocatedTable(1 / self.sigma**2, self.batches, is_above=False), self.epochs

    def gap(self) -> str:
        """There is none that a finer mesh does not close."""
        return ""

    def differs_by_direction(self, _relation: str) -> bool:
        return True

    def rho_estimate(self) -> mpq:
        """About that of a Poisson sample of the same rate."""
        return self.epochs / (2 * self.sigma**2 * self.batches)


def _parameter(sections: Sections) -> list[str]:
    """As the format has it."""
    if len(sections) == 1:
        return ["0", str(sections[0][1])]
    return ["0", *(str(each) for section in sections for each in section)]


@dataclass(frozen=True, slots=True)
class Ratios:
    """Values of W, or scores, and of sums of them, in multiples of a unit."""

    unit: mpq
    points: Sections
    sums: Sections

    @property
    def last(self) -> int:
        """The greatest sum."""
        return self.sums[-1][1]

    def parameter(self) -> dict[str, object]:
        """As the format has it."""
        points, sums = _parameter(self.points), _parameter(self.sums)
        return {"points": points, "sums": sums, "unit": str(self.unit)}

    def gathered(self, values: Sequence[fmpz], *, spread: bool) -> dict[int, fmpz]:
        """Sums at their points: each spread between two, so that the mean stays, or at the nearer.

        What is beyond the last point is lost.
        """
        listed = points_from_zero(self.sums)
        found = dict.fromkeys(listed, fmpz(0))
        for low, high in pairwise(listed):
            first, size = low + (low > 0), high - low
            for j, weight in enumerate(values[first : high + 1], first):
                if spread:
                    found[high] += weight * (j - low) // size
                    found[low] += weight * (high - j) // size
                else:
                    found[high if 2 * j > low + high else low] += weight
            if high >= len(values):
                break
        return {j: weight for j, weight in found.items() if weight > 0}

    @staticmethod
    def of(square: mpq, batches: int, unit: mpq, lost: mpq) -> Ratios:
        """Ratios for losses on a mesh, and for what may be lost."""
        mu, root, fine = sqrt(double_of(square)), sqrt(batches), double_of(unit)
        far = exp(min(_far_loss(mu, double_of(lost)), _FAR_LOSS))
        span = 2 * far + _SPREAD * root * sqrt(min(far, exp(min(mu * mu, _FAR_LOSS)) - 1))
        many = _MOST_SUMS if batches > _FEW else 4 * _MOST_SUMS  # few are multiplied rarely
        step = max(min(fine * root, _least_ratio(mu, batches, double_of(lost))), span / many)
        short = mpq(1, int(1 / step) + 1) if step < 1 else mpq(ceil(step))
        width = double_of(short)
        points = doubling(2 * root / width, far / width)
        most = (batches + span) / width
        return Ratios(short, points, _up_to(most, doubling(2 / fine, most)))


def _up_to(last: float, sections: Sections) -> Sections:
    """The same points, but for those of the last section that are not needed."""
    step, end = sections[-1]
    return *sections[:-1], (step, min(end, ceil(last / step) * step))


def _least_ratio(mu: float, batches: int, lost: float) -> float:
    """About what all ratios are hardly ever below: where one of them is, it may count as 0."""
    share = max(lost, _LEAST_SHARE) ** (1 / batches)

    def is_likelier(loss: float) -> bool:
        return bool(erfc(-(loss / mu + mu / 2) / sqrt(2)) / 2 >= share)

    return exp(halved(is_likelier, -_FAR_LOSS, _FAR_LOSS, _HALVINGS)[0])


def _far_loss(mu: float, lost: float) -> float:
    """About the loss of one batch that hardly anything is beyond."""

    def is_beyond(loss: float) -> bool:
        return erfc((loss / mu - mu / 2) / sqrt(2)) / 2 <= lost

    return halved(is_beyond, 0.0, _FARTHEST, _HALVINGS)[1]


@dataclass(frozen=True, slots=True)
class AllocatedTable(SameSupport, OutputTable):
    """The mean of the ratios of so many batches, by μ² of one: from above, or by scores."""

    square: mpq
    batches: int
    is_above: bool
    ratios: Ratios | None = None

    def on_mesh(self, unit: mpq, lost: mpq) -> AllocatedTable:
        return replace(self, ratios=Ratios.of(self.square, self.batches, unit, lost))

    def plan_parameter(
        self, losses: Sequence[mpq], direction: Direction
    ) -> tuple[str, object] | None:
        del losses, direction
        return None if self.ratios is None else ("ratios", self.ratios.parameter())

    def size(self, _digits: int) -> int:
        """The points of sums."""
        return _ROUGHLY if self.ratios is None else len(points_from_zero(self.ratios.sums))

    def atoms(self, digits: int) -> Iterator[Atom]:
        """Each sum, its loss the logarithm of the mean, or near it."""
        fine = -(-(digits + _FINER) // _DIGITS_AT_ONCE) * _DIGITS_AT_ONCE
        yield from _atoms(self if self.ratios else self.on_mesh(*_ROUGH), fine)

    def greatest_loss(self, direction: Direction) -> None:
        """There is none."""
        del direction


@lru_cache(maxsize=8)
def _atoms(table: AllocatedTable, fine: int) -> tuple[Atom, ...]:
    """The outputs, of sums at so many digits."""
    assert table.ratios is not None
    ratios, one = table.ratios, GaussianPair(table.square)
    scale = fmpz(10) ** fine
    with precision(fine * 10 // 3 + 2 * int(ratios.unit.denominator).bit_length() + _GUARD):
        if table.is_above:
            sums = _power(_spread(one, ratios, fine), table.batches, ratios.last, fine)
            values = ratios.gathered(sums.coeffs(), spread=True)
            mean = ball_of_rational(ratios.unit / table.batches)
            shares = {j: arb(weight * j) * mean for j, weight in values.items() if j}
            return tuple(_outputs(shares, values, table, scale))
        p, q = _cells(one, ratios, fine)
        others = _power(q, table.batches - 1, ratios.last, fine)
        with_record, without = (
            ratios.gathered(_product(others, each, ratios.last, fine).coeffs(), spread=False)
            for each in (p, q)
        )
        shares = {j: arb(weight) for j, weight in with_record.items()}
        return tuple(_outputs(shares, without, table, scale))


def _spread(one: GaussianPair, ratios: Ratios, digits: int) -> fmpz_poly:
    """The weights of W on the mesh."""
    listed, unit, scale = (
        points_from_zero(ratios.points),
        ball_of_rational(ratios.unit),
        fmpz(10) ** digits,
    )
    values = [arb(1), *(one.profile((j * unit).log()) for j in listed[1:])]
    falls = [arb(1)]
    for (here, after), (low, high) in zip(pairwise(values), pairwise(listed), strict=True):
        falls.append((here - after) / ((high - low) * unit))
    falls.append(arb(0))
    return _poly(listed, (before - after for before, after in pairwise(falls)), scale)


def _cells(one: GaussianPair, ratios: Ratios, digits: int) -> tuple[fmpz_poly, fmpz_poly]:
    """P and Q of one batch, cut half-way between points."""
    listed, unit, scale = (
        points_from_zero(ratios.points),
        ball_of_rational(ratios.unit),
        fmpz(10) ** digits,
    )
    halves = ((here + after) * unit / 2 for here, after in pairwise(listed))
    tails = [(arb(1), arb(1)), *(one.tails(half.log()) for half in halves), (arb(0), arb(0))]
    p, q = (
        _poly(listed, (at[law] - after[law] for at, after in pairwise(tails)), scale)
        for law in (0, 1)
    )
    return p, q


def _poly(places: Sequence[int], values: Iterable[arb], scale: fmpz) -> fmpz_poly:
    """Weights from below at their places."""
    found = [fmpz(0)] * (places[-1] + 1)
    for place, value in zip(places, values, strict=True):
        floor = (value * scale).lower().floor().unique_fmpz()
        found[place] = fmpz(0) if floor is None else max(fmpz(0), floor)
    return fmpz_poly(found)


def _power(weights: fmpz_poly, count: int, last: int, digits: int) -> fmpz_poly:
    """The sum of so many independent values, from below."""
    whole = weights
    for bit in f"{count:b}"[1:]:
        whole = _product(whole, whole, last, digits)
        if bit == "1":
            whole = _product(whole, weights, last, digits)
    return whole


def _product(one: fmpz_poly, other: fmpz_poly, last: int, digits: int) -> fmpz_poly:
    """The product, rounded down; what is beyond the last is lost."""
    ask((one.length() + other.length()) * _CELL_COST)
    whole = (one * other) // fmpz(10) ** digits
    return fmpz_poly(whole.coeffs()[: last + 1]) if whole.length() > last + 1 else whole


def _outputs(
    p: Mapping[int, arb], q: Mapping[int, fmpz], table: AllocatedTable, scale: fmpz
) -> Iterator[Atom]:
    """The sums as outputs."""
    assert table.ratios is not None
    unit = ball_of_rational(table.ratios.unit / table.batches)
    for j in sorted({*p, *q}):
        own, other = p.get(j, arb(0)), q.get(j, fmpz(0))
        loss = (max(arb(j), arb("0.5")) * unit).log() if j or own > 0 else None
        yield Atom(own / scale, arb(other) / scale, loss)
