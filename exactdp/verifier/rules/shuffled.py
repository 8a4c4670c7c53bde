r"""Shuffled batches: Gaussian noise on the sum of each batch, the records shuffled into batches.

Rules of this file: as in ``pairs_of_laws``; P is the law with the record as it is, Q that with the
record zeroed out, or replaced. Cuts come from the certificate, and may be anywhere.

Theory of operation: whoever is told in which batch a record is, sees one Gaussian release an epoch;
a record of norm at most 1 moves its sum by at most 1 if it is zeroed out, by at most 2 if it is
replaced. That is the known batch. From below, let all other records contribute -1 and this one 1,
or instead of it 0 (zeroed out) or -1 (replaced). Up to what everybody knows, the sums of an epoch
are normal with deviation σ, one of them around 2 (or around 1, or 0), which is random, the others
around 0; and their maximum M has

    P[M <= c] = Φ((c - 2)/σ)·Φ(c/σ)^(T-1),   Q[M <= c] = Φ((c - m)/σ)·Φ(c/σ)^(T-1),   m = 1 or 0.

If all epochs have one order, their means are such sums, with deviation σ/√epochs.

Sources: certs/SPEC.md, section 7.4; Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha & Zhang, "How
private are DP-SGD implementations?", ICML 2024, and "Scalable DP-SGD", NeurIPS 2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final

from ..arithmetic.dots import Losses, Mesh, Points
from ..arithmetic.enclosures import Enclosure, ceil_shift, fixed_power
from ..arithmetic.tails import upper_tail
from ..format.meter import of_division, pay
from ..format.numbers import size
from ..format.outcomes import MalformedError, RejectedError
from ..format.shapes import array, integer, members, one_of
from ..format.strict_json import Json
from .curves import Normal, cells, in_order
from .pairs_of_laws import Pair

MAX_BATCHES: Final = 10**9
MAX_EPOCHS: Final = 10**9
REACHES: Final[Mapping[str, int]] = {"zero-out": 1, "replace-one": 2}
"""How far a record of norm at most 1 moves the sum of its batch, by the neighbouring relation."""
_ORDERS: Final = ("fresh", "persistent")
_PRESENT: Final = 2
_MAX_CUT: Final = 10**12
_GUARD: Final = 40


@dataclass(frozen=True)
class Shuffled:
    """``count`` mechanisms with Gaussian noise of a variance on the sums of shuffled batches."""

    family: ClassVar[str] = "noise"

    variance: Fraction
    batches: int
    epochs: int
    fresh: bool
    """Whether each epoch is shuffled anew."""

    count: int

    text: bytes
    """Its bytes in a statement, without the count."""

    def dominating(self, relation: str) -> list[tuple[Normal, int]]:
        """The releases for someone who is told the batch."""
        return [(Normal(REACHES[relation] ** 2 / self.variance), self.count * self.epochs)]

    def attained(self, relation: str, _tilt: Fraction) -> list[tuple[Pair, int]]:
        """The greatest sum of an epoch, or of the means of all epochs; and how often it is seen."""
        zeroed = _PRESENT - REACHES[relation]
        if self.fresh:
            return [(Maximum(self.variance, self.batches, zeroed), self.count * self.epochs)]
        return [(Maximum(self.variance / self.epochs, self.batches, zeroed), self.count)]


@dataclass(frozen=True)
class Maximum(Pair):
    """The greatest of the batches' sums, one of which has the mean 2, or instead ``zeroed``."""

    variance: Fraction
    batches: int
    zeroed: int
    told: tuple[int, ...] = ()
    """Where it is cut into cells, in units of the mesh times the variance."""

    told_by: ClassVar[str] = "cuts"

    def scores(self, points: Points, mesh: Mesh, *, back: bool) -> tuple[Losses, Losses]:
        """The cells between the cuts, with the points as scores."""
        if len(self.told) != points.count - 1:
            raise RejectedError(f"{len(self.told)} cuts, for {points.count} points")
        tails = [self._tails(cut * mesh.unit * self.variance, mesh.bits) for cut in self.told]
        return cells(in_order(points, back=back), tails, mesh, back=back)

    def is_unbounded(self, *, back: bool) -> bool:
        """The greatest sum is the more likely to be that of the record the greater it is."""
        return not back

    def _tails(self, cut: Fraction, bits: int) -> tuple[Enclosure, Enclosure]:
        """P and Q of a maximum above the cut."""
        work = bits + _GUARD + self.batches.bit_length()
        pay(12 * of_division(work + size(cut) + size(self.variance)))
        low, high = fixed_power(self._below(cut, 0, work), self.batches - 1, work)
        p, q = (
            (of_one[0] * low >> work, ceil_shift(of_one[1] * high, work))
            for of_one in (self._below(cut, mean, work) for mean in (_PRESENT, self.zeroed))
        )
        extra, one = work - bits, 1 << bits
        return (one - ceil_shift(p[1], extra), one - (p[0] >> extra)), (
            one - ceil_shift(q[1], extra),
            one - (q[0] >> extra),
        )

    def _below(self, cut: Fraction, mean: int, bits: int) -> Enclosure:
        """Φ((cut - mean)/σ)."""
        return upper_tail(mean - cut, self.variance, bits)


def read_shuffled(value: Json, sigma: Fraction, count: int, text: bytes) -> Shuffled:
    """The mechanisms of an entry, whose sigma, count and bytes are known."""
    plan = members(value, ("batches", "epochs", "order"), "shuffled")
    batches = integer(plan["batches"], 1, MAX_BATCHES, "batches")
    epochs = integer(plan["epochs"], 1, MAX_EPOCHS, "epochs")
    fresh = one_of(plan["order"], _ORDERS, "order") == "fresh"
    return Shuffled(sigma**2, batches, epochs, fresh, count, text)


def read_cuts(value: Json) -> tuple[int, ...]:
    """Thresholds of a maximum, which do not fall."""
    cuts = tuple(integer(each, -_MAX_CUT, _MAX_CUT, "cut") for each in array(value, "cuts"))
    if any(after < before for before, after in pairwise(cuts)):
        raise MalformedError("cuts are not lists of integers that do not fall")
    return cuts
