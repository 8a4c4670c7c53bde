r"""Noise on the integers, of which each coordinate moves by a listed shift."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import ClassVar, Self

from gmpy2 import mpq

from exactdp.mechanisms.checks import moved_shifts
from exactdp.mechanisms.family import Attained, NeverFails, Pick, Sampleable, Symmetric
from exactdp.mechanisms.keys import JsonEntry, TextOf, counted, whole_of
from exactdp.mechanisms.pairs import CountedPair, Pair


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

    def moved(self, times: mpq) -> Self:
        return replace(self, shifts=moved_shifts(self.shifts, times))  # type: ignore[type-var] # a dataclass

    @staticmethod
    def picked(shifts: Iterator[tuple[int, ...]], pick: Pick) -> list[int]:
        """Of the shifts of each coordinate, one."""
        return [int(pick(map(mpq, own))) for own in shifts]

    def rounds_with(self) -> Hashable:
        return type(self), len(self.shifts)
