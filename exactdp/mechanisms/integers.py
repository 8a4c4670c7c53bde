r"""Noise on the integers, of which each coordinate moves by a listed shift."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from flint import arb
from gmpy2 import mpq

from exactdp.arithmetic.numbers import Number
from exactdp.mechanisms.checks import (
    MOST_SHIFT,
    checked_shifts,
    checked_variance,
    moved_shifts,
    positive,
)
from exactdp.mechanisms.family import Attained, NeverFails, Pick, Sampleable, Symmetric, set_field
from exactdp.mechanisms.keys import JsonEntry, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import Atom, AtomLoss, CountedPair, Direction, Pair
from exactdp.mechanisms.sums import SumTable, Three


class OnIntegers(Sampleable, Attained, Symmetric, NeverFails):
    """Independent noise on coordinates that move by ``shifts``, the least first."""

    __slots__ = ()
    shifts: tuple[int, ...]

    SHIFTS: ClassVar[str] = (
        "by how much each coordinate moves between neighbours: an array of whole numbers from 1 to "
        "10^6"
    )

    REACH_KEY: ClassVar[str] = "shifts"
    ON_INTEGERS: ClassVar[bool] = True

    @classmethod
    def from_entry(cls, entry: JsonEntry, text_of: TextOf) -> Self:
        """Shifts are whole numbers."""
        first, shifts = cls.KEYS[0].read(entry, text_of)
        whole = [whole_of(each, "shifts") for each in shifts]
        return cls(first, whole, *counted(entry))  # type: ignore[call-arg] # of each family here

    @abstractmethod
    def pair_of(self, shift: int) -> Pair:
        """What dominates a coordinate, and what it attains."""

    def pair(self) -> Pair:
        return self.pair_of(self.shifts[0])

    def pairs(self, _relation: str) -> Iterator[CountedPair]:
        """One for each different shift."""
        for shift, times in sorted(Counter(self.shifts).items()):
            yield self.pair_of(shift), times

    def reach(self) -> mpq:
        """Of one coordinate, the only one on a sample."""
        return mpq(self.shifts[0])

    def furthest(self) -> tuple[str, mpq]:
        return self.REACH_KEY, mpq(self.shifts[-1])

    def for_group(self, times: int) -> Self | None:
        """The shifts so many times as far, unless that is too far."""
        return self.moved(mpq(times)) if self.shifts[-1] * times <= MOST_SHIFT else None

    def moved(self, times: mpq) -> Self:
        return replace(self, shifts=moved_shifts(self.shifts, times))  # type: ignore[type-var] # a dataclass

    @staticmethod
    def picked(shifts: Iterator[tuple[int, ...]], pick: Pick) -> list[int]:
        """Of the shifts of each coordinate, one."""
        return [int(pick(map(mpq, own))) for own in shifts]

    def rounds_with(self) -> Hashable:
        return type(self), len(self.shifts)


@dataclass(frozen=True, slots=True, init=False)
class NoiseByVariance(OnIntegers):
    """Noise of a variance, of which no ε holds without a δ."""

    variance: mpq
    shifts: tuple[int, ...]
    count: int
    label: str

    def __init__(
        self, variance: Number, shifts: Iterable[int] = (1,), count: int = 1, label: str = ""
    ) -> None:
        """Check and normalise the parameters; shifts are sorted, for their order says nothing."""
        set_field(self, "variance", checked_variance(positive(variance, "variance")))
        set_field(self, "shifts", checked_shifts(shifts))
        self._counted(count, label)

    def implied_epsilon_delta(self) -> None:
        """No ε holds without a δ."""

    def rho_estimate(self) -> mpq:
        """The ρ of Gaussian noise of its variance."""
        return self.gaussian_rho()

    def gaussian_rho(self) -> mpq:
        """Σ shift²/(2·variance), the ρ of Gaussian noise of this variance."""
        return sum((mpq(shift) ** 2 for shift in self.shifts), mpq(0)) / (2 * self.variance)

    def scaled(self, factor: mpq) -> Self:
        return replace(self, variance=self.variance / factor**2)

    @property
    def has_noise(self) -> bool:
        return True

    def noise(self) -> tuple[str, mpq]:
        """Its variance."""
        return "variance", self.variance

    def with_noise(self, noise: mpq) -> Self:
        return replace(self, variance=noise)


@dataclass(frozen=True, slots=True)
class PairByVariance(SumTable):
    """Noise of a variance around two whole numbers; it has no greatest loss."""

    variance: mpq
    shift: int

    @abstractmethod
    def _reach(self, digits: int) -> int:
        """The greatest output around 0 that the verifier lists."""

    @abstractmethod
    def _law(self, reach: int, most: int) -> tuple[list[arb], Callable[[int], AtomLoss]]:
        """P(x) for each x from 0 to ``reach``; and ln P(x)/P(x - shift), for |x| up to ``most``."""

    def size(self, digits: int) -> int:
        """As many outputs as the verifier lists."""
        return 2 * self._reach(digits) + self.shift + 1

    def atoms(self, digits: int) -> Iterator[Atom]:
        """The outputs that are listed, for P centred at 0 and Q at the shift."""
        reach, shift = self._reach(digits), self.shift
        half, loss = self._law(reach, reach + shift)
        outputs = range(-reach, reach + shift + 1)
        weights = [half[abs(x)] if abs(x) <= reach else arb(0) for x in outputs]
        for x, p, q in zip(outputs, weights, reversed(weights), strict=True):
            yield Atom(p, q, loss(x))

    def three(self, digits: int) -> Three:
        """The outputs from -n - shift to n + shift, for the n that are listed."""
        reach, shift = self._reach(digits), self.shift
        half, loss = self._law(reach, reach + 2 * shift)
        outputs = range(-reach - shift, reach + shift + 1)
        without, own = (
            [half[abs(x - at)] if abs(x - at) <= reach else arb(0) for x in outputs]
            for at in (0, shift)
        )
        return without, own, [-loss(x) for x in outputs]

    def greatest_loss(self, _direction: Direction) -> None:
        """There is none."""
